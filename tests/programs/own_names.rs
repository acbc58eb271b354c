//! Functions of the user's that are called as functions of ours and of the standard library are.

use crate::harness::check;
use autodiff::prelude::*;

mod mem {
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    pub fn swap(a: &mut f64, b: &mut f64) {
        *a = *a * *b;
        *b = *b + 1.0;
    }

    #[differentiable(order = 2)]
    pub fn take(a: &mut f64) -> f64 {
        *a = *a * 2.0;
        *a * *a
    }
}

/// Of a system of differential equations.
#[differentiable(order = 2)]
fn derivative(state: &[f64; 2], k: f64) -> [f64; 2] {
    [state[1], -k * state[0].sin()]
}

#[differentiable(order = 2)]
fn after_a_step(state: &[f64; 2], k: f64) -> f64 {
    let slope = derivative(state, k);
    let mid = derivative(&[state[0] + 0.05 * slope[0], state[1] + 0.05 * slope[1]], k);
    (state[0] + 0.1 * mid[0]) * (state[1] + 0.1 * mid[1])
}

mod iter {
    pub fn repeat(x: f64) -> [f64; 2] {
        [x, 2.0 * x]
    }

    pub fn once(x: f64) -> [f64; 3] {
        [x; 3]
    }
}

mod choices {
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    pub fn select(first: bool, a: f64, b: f64) -> f64 {
        if first { 3.0 * a } else { b - a }
    }

    #[differentiable(order = 2)]
    pub fn stack(a: f64, b: f64) -> f64 {
        a * b
    }
}

use choices::select;

#[differentiable(order = 2)]
fn stop_gradient(x: f64) -> f64 {
    3.0 * x * x
}

fn concat(a: usize, b: usize) -> usize {
    10 * a + b
}

#[differentiable(order = 2)]
fn of_a_module(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    mem::swap(&mut a, &mut b);
    a * b + mem::take(&mut a) + a
}

#[differentiable(order = 2)]
fn of_iterators(x: f64) -> f64 {
    let mut s = 0.0;
    for v in iter::repeat(3.0) {
        s += v * x * x;
    }
    for v in iter::once(0.5) {
        s *= v + x;
    }
    s
}

#[differentiable(order = 2)]
fn imported(x: f64, y: f64) -> f64 {
    select(x > y, x, y) * choices::stack(x, y) + select(x < y, x * y, y)
}

#[differentiable(order = 2)]
fn beside(x: f64) -> f64 {
    stop_gradient(x) * concat(1, 2) as f64 * x
}

mod of_the_standard_library {
    use autodiff::differentiable;
    use autodiff::stop_gradient as hold;
    use std::mem::{replace, swap, take};

    #[differentiable(order = 2)]
    pub fn exchanged(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y * 2.0);
        swap(&mut a, &mut b);
        let c = replace(&mut a, b * b);
        a * b - c * x + take(&mut a) + a
    }

    #[differentiable(order = 2)]
    pub fn held(x: f64) -> f64 {
        x * hold(2.0)
    }
}
use of_the_standard_library::{exchanged, held};

#[test]
fn the_function_in_scope_is_called() {
    check!(of_a_module(x, y) by x = 0.7, y = 1.3);
    check!(of_iterators(x) by x = 0.7);
    let (state, k) = ([0.7, 0.2], 2.0);
    check!(after_a_step(&state, k) by state, k);
    check!(imported(x, y) by x = 0.7, y = 1.3);
    check!(imported(x, y) by x = 1.7, y = 1.3);
    check!(beside(x) by x = 0.7);
    check!(exchanged(x, y) by x = 0.7, y = 1.3);
    check!(held(x) by x = 0.7);
    // Once by hand: the functions themselves come from the compiler, too.
    let (x, y) = (0.7_f64, 1.3_f64);
    assert!((of_a_module(x, y) - (x * y * (y + 1.0) + 4.0 * (x * y).powi(2) + 2.0 * x * y)).abs() < 1e-12);
    assert!((of_iterators(x) - 9.0 * x * x * (0.5 + x).powi(3)).abs() < 1e-12);
    assert!((imported(x, y) - ((y - x) * x * y + 3.0 * x * y)).abs() < 1e-12);
    assert!((beside(x) - 36.0 * x.powi(3)).abs() < 1e-12);
}

/// Types that are called as some of the standard library's.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Arc {
    radius: f64,
    angle: f64,
}

#[derive(Clone, Copy, Debug, Differentiable)]
enum Rc {
    Cube(f64),
    Flat { x: f64, y: f64 },
}

#[differentiable(order = 2)]
impl Arc {
    fn new(radius: f64) -> Arc {
        Arc { radius, angle: radius * 0.5 }
    }

    fn length(&self) -> f64 {
        self.radius * self.angle
    }

    fn turn(&mut self, by: &Arc) {
        self.angle += by.length();
    }
}

#[differentiable(order = 2)]
fn volume(of: &Rc) -> f64 {
    match of {
        Rc::Cube(x) => x * x * x,
        Rc::Flat { x, y } => x * y,
    }
}

#[differentiable(order = 2)]
fn of_own_types(arcs: &[Arc], shapes: &[Rc], x: f64) -> f64 {
    let mut arc = Arc::new(x);
    arcs.iter().for_each(|other| arc.turn(other));
    shapes.iter().map(volume).sum::<f64>() * arc.length()
}

#[test]
fn types_that_are_called_as_others() {
    let arcs = vec![Arc { radius: 0.7, angle: 0.3 }, Arc { radius: 1.1, angle: -0.4 }];
    let (shapes, x) = (vec![Rc::Cube(0.8), Rc::Flat { x: 0.5, y: 1.2 }], 0.9);
    check!(of_own_types(&arcs, &shapes, x) by [arcs, shapes, x]);
}
