//! Conditional compilation inside a function: `#[cfg]`, `#[cfg_attr]` and `cfg!`. Both sides of each condition stand here,
//! `any()`, which never holds, and `all()`, which always does.

#![allow(
    clippy::non_minimal_cfg,
    clippy::useless_vec,
    clippy::assertions_on_constants,
    reason = "conditions that are known"
)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn shadowed(x: f64) -> f64 {
    #[cfg(any())]
    let x = x * 100.0;
    #[cfg(all())]
    let x = x * 2.0;
    x * x
}

#[test]
fn a_binding() {
    check!(shadowed(x) by x = 0.7);
    assert_eq!(shadowed::grad(2.0), 16.0);
}

#[differentiable(order = 2)]
fn statements(x: f64) -> f64 {
    let mut y = x;
    #[cfg(any())]
    {
        y *= 10.0;
    }
    #[cfg(not(any()))]
    {
        y *= 3.0;
    }
    #[cfg(any())]
    if y > 0.0 {
        y = 0.0;
    }
    #[cfg(any())]
    for _ in 0..3 {
        y *= 2.0;
    }
    #[cfg(all())]
    for _ in 0..2 {
        y *= x;
    }
    #[cfg(any())]
    assert!(y < 0.0, "not here");
    #[cfg(any())]
    return 0.0;
    y
}

#[test]
fn statements_and_blocks() {
    check!(statements(x) by x = 0.7);
    assert_eq!(statements::grad(2.0), 36.0);
}

#[differentiable(order = 2)]
fn chosen(x: f64, n: usize) -> f64 {
    let k = match n {
        #[cfg(any())]
        0 => 100.0,
        #[cfg(all())]
        0 => 2.0,
        _ => 3.0,
    };
    let last = {
        #[cfg(all())]
        {
            k * x
        }
        #[cfg(any())]
        {
            x
        }
    };
    last * x
}

#[test]
fn arms_and_the_last_expression() {
    check!(chosen(x, 0) by x = 0.7);
    assert_eq!((chosen::grad(3.0, 0), chosen::grad(3.0, 1)), (12.0, 18.0));
}

#[differentiable(order = 2)]
fn elements(x: f64) -> f64 {
    let a = [
        x,
        #[cfg(any())]
        1.0,
        2.0 * x,
    ];
    let b = vec![
        #[cfg(any())]
        1.0,
        x * x,
    ];
    let c = (
        #[cfg(any())]
        1.0,
        x,
        3.0,
    );
    a[1] * b[0]
        + c.0.powf(
            #[cfg(any())]
            7.0,
            2.0,
        )
}

#[test]
fn elements_and_arguments() {
    check!(elements(x) by x = 0.7);
    assert_eq!(elements::grad(2.0), 28.0);
}

#[differentiable(order = 2)]
fn evaluated(x: f64) -> f64 {
    const TWICE: bool = cfg!(all());
    let mut y = if cfg!(any()) { 0.0 } else { x };
    if TWICE {
        y *= 2.0;
    }
    if core::cfg!(not(any())) && !std::cfg!(any(any(), any())) {
        y *= x;
    }
    assert!(cfg!(all()), "always");
    let rows = vec![y; if cfg!(any()) { 3 } else { 2 }];
    rows[0] + rows[1]
}

#[test]
fn conditions_as_values() {
    check!(evaluated(x) by x = 0.7);
    assert_eq!(evaluated::grad(2.0), 16.0);
}

#[differentiable(order = 2)]
fn of_attributes(x: f64) -> f64 {
    let mut y = x;
    #[cfg_attr(all(), cfg(any()))]
    {
        y = 0.0;
    }
    #[cfg_attr(any(), cfg(any()))]
    {
        y *= 2.0;
    }
    #[cfg_attr(all(), cfg_attr(all(), cfg(all()), allow(unused)))]
    {
        y *= x;
    }
    #[cfg(all())]
    {
        #[cfg(any())]
        {
            y = 0.0;
        }
        #[cfg(not(any()))]
        {
            y *= 3.0;
        }
    }
    y
}

#[test]
fn attributes_on_condition() {
    check!(of_attributes(x) by x = 0.7);
    assert_eq!(of_attributes::grad(2.0), 24.0);
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Pair {
    a: f64,
    #[cfg(any())]
    none: f64,
    #[cfg(all())]
    b: f64,
}

#[differentiable(order = 2)]
fn made(x: f64) -> f64 {
    let pair = Pair {
        a: x,
        #[cfg(any())]
        none: x,
        #[cfg(all())]
        b: x * x,
    };
    let Pair {
        a,
        #[cfg(any())]
        none,
        b,
    } = pair;
    a * b
}

#[differentiable(order = 2)]
fn taken(x: f64, #[cfg(any())] none: f64, #[cfg(all())] y: f64, #[cfg_attr(all(), no_diff)] z: f64) -> f64 {
    x * y * z
}

#[test]
fn fields_and_parameters() {
    check!(made(x) by x = 0.7);
    assert_eq!(made::grad(2.0), 12.0);
    check!(taken(x, y, 3.0) by x = 0.7, y = 1.2);
    assert_eq!(taken::grad(2.0, 5.0, 3.0), (15.0, 6.0));
}

#[differentiable(order = 2)]
impl Pair {
    #[cfg(any())]
    fn product(&self) -> f64 {
        self.a * 100.0
    }

    #[cfg(not(any()))]
    fn product(&self) -> f64 {
        #[cfg(any())]
        return 0.0;
        self.a * self.b
    }

    fn scaled(&self, #[cfg(any())] none: f64, by: f64) -> f64 {
        if cfg!(any()) { self.b } else { self.a * by }
    }
}

#[test]
fn methods() {
    let pair = Pair { a: 2.0, b: 3.0 };
    assert_eq!(pair.product_grad(), PairTangent { a: 3.0, b: 2.0 });
    assert_eq!(pair.scaled_grad(5.0), (PairTangent { a: 5.0, b: 0.0 }, 2.0));
}

#[differentiable(order = 2)]
mod module {
    #[cfg(any())]
    #[autodiff::differentiable]
    pub fn never(x: f64) -> f64 {
        x
    }

    #[cfg(any())]
    pub fn twice(x: f64) -> f64 {
        square(x)
    }

    #[cfg(all())]
    pub fn twice(x: f64) -> f64 {
        2.0 * square(x)
    }

    pub fn square(x: f64, #[cfg(any())] none: f64) -> f64 {
        #[cfg(any())]
        {
            return 0.0;
        }
        x * x
    }
}

/// Where the conditions stand in a macro's tokens, and what they are about is called `cfg`.
macro_rules! made_by_a_macro {
    ($name:ident, $condition:meta) => {
        #[differentiable(order = 2)]
        fn $name(x: f64) -> f64 {
            let cfg = x * x;
            #[cfg($condition)]
            let cfg = cfg * x;
            cfg
        }
    };
}
made_by_a_macro!(square, any());
made_by_a_macro!(cube, all());

#[test]
fn modules_and_macros() {
    assert_eq!((module::square::grad(2.0), module::twice::grad(2.0)), (4.0, 8.0));
    assert_eq!((square::grad(2.0), cube::grad(2.0)), (4.0, 12.0));
}
