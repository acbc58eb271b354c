//! What a differentiable function learns of items that its macro does not see: wherever they are, by whatever
//! name. `model-crate` stands for somebody else's library; what calls compute is the business of `calls.rs`.

use crate::common::assert_gradient;
use autodiff::prelude::*;

// --- where callees are ----------------------------------------------------------------------------------------

mod order {
    use super::later::triple;
    use autodiff::prelude::*;

    #[differentiable]
    pub fn caller(x: f64) -> f64 {
        triple(x) * callee(x)
    }

    #[differentiable]
    fn callee(x: f64) -> f64 {
        x.sin()
    }
}

mod later {
    use autodiff::prelude::*;

    #[differentiable]
    pub(super) fn triple(x: f64) -> f64 {
        3.0 * x
    }
}

#[test]
fn callers_before_callees_and_modules_in_any_order() {
    let x = 0.7_f64;
    let (y, g) = order::caller::value_and_grad(x);
    assert_eq!(y, 3.0 * x * x.sin());
    assert!((g - 3.0 * (x.sin() + x * x.cos())).abs() < 1e-15);
    assert_eq!(order::caller::jvp(x, 2.0), (y, 2.0 * g));
}

mod globs {
    use autodiff::prelude::*;
    use model_crate::deep::down::*;
    use model_crate::*;

    #[differentiable]
    pub fn by_glob(x: f64) -> f64 {
        square(cube(x))
    }
}

mod names {
    use autodiff::prelude::*;
    pub use model_crate::Powers as Pair;
    use model_crate::{powers as both, square as sq, third_power};
    use renamed_crate::re_exported_twice;

    #[differentiable]
    pub fn renamed(x: f64) -> f64 {
        sq(x) + third_power(x) + re_exported_twice(x)
    }

    #[differentiable]
    pub fn by_path(x: f64) -> f64 {
        model_crate::square(x) + ::model_crate::deep::down::cube(x) + self::sum_of(x) + super::later::triple(x)
    }

    #[differentiable]
    pub fn sum_of(x: f64) -> f64 {
        let Pair(a, b) = both(x);
        a + b
    }

    #[differentiable]
    pub fn constructed(x: f64) -> Pair {
        let half = 0.5 * x;
        Pair(half, half * half)
    }
}

#[test]
fn other_crates_by_every_kind_of_name() {
    let x = 1.5_f64;
    assert_eq!(globs::by_glob::value_and_grad(x), (x.powi(6), 6.0 * x.powi(5)));
    assert_eq!(names::renamed::grad(x), 4.0 * x + 3.0 * x * x);
    assert_eq!(names::sum_of::grad(x), 1.0 + 2.0 * x);
    assert_eq!(names::by_path::grad(x), 4.0 * x + 3.0 * x * x + 1.0 + 3.0);
    let (y, y_dot) = names::constructed::jvp(x, 1.0);
    assert_eq!(y, names::Pair(0.75, 0.5625));
    assert_eq!(y_dot, model_crate::PowersTangent(0.5, 0.5 * x));
}

#[test]
fn items_inside_a_function_body() {
    #[derive(Differentiable, Clone)]
    struct Local {
        a: f64,
    }

    #[differentiable]
    fn outer(p: &Local, x: f64) -> f64 {
        nested(p, x) * model_crate::square(x)
    }

    #[differentiable]
    fn nested(p: &Local, x: f64) -> f64 {
        p.a * x
    }

    let (p, x) = (Local { a: 2.0 }, 3.0);
    let (y, (p_bar, x_bar)) = outer::value_and_grad(&p, x);
    assert_eq!((y, p_bar.a, x_bar), (2.0 * 27.0, 27.0, 2.0 * 3.0 * 9.0));
}

mod each {
    use autodiff::prelude::*;

    #[differentiable]
    pub fn first(x: f64) -> f64 {
        super::other::second(x) + x
    }

    #[differentiable]
    pub fn last(x: f64) -> f64 {
        x * x
    }
}

mod other {
    use autodiff::prelude::*;

    #[differentiable]
    pub fn second(x: f64) -> f64 {
        super::each::last(x) * super::each::last(x)
    }
}

#[test]
fn modules_that_call_each_other() {
    assert_eq!(each::first::value_and_grad(2.0), (18.0, 33.0));
}

#[differentiable]
#[allow(dead_code)]
mod whole_module {
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    pub struct Line {
        pub slope: f64,
        pub offset: f64,
    }

    pub fn loss(line: &Line, #[no_diff] xs: &[f64; 3], #[no_diff] ys: &[f64; 3]) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            let r = at(line, xs[i]) - ys[i];
            sum += r * r;
        }
        sum
    }

    pub fn at(line: &Line, x: f64) -> f64 {
        line.slope * x + line.offset
    }

    pub fn name() -> &'static str {
        "left as it is"
    }
}

#[test]
fn a_module_needs_one_attribute() {
    use whole_module::{Line, LineTangent, at, loss, name};
    let line = Line { slope: 2.0, offset: 1.0 };
    assert_eq!(at::grad(&line, 3.0), (LineTangent { slope: 3.0, offset: 1.0 }, 2.0));
    let (xs, ys) = ([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]);
    let g = loss::grad(&line, &xs, &ys);
    assert_gradient(&line, &g, |line| loss(line, &xs, &ys));
    assert_eq!(name(), "left as it is");
}
