//! One size under several names, and as a number: of a constant, of a struct's field, of what a method returns.

use crate::harness::check;
use autodiff::prelude::*;

const AGES: usize = 2;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Compartments {
    susceptible: [f64; AGES],
    exposed: [f64; AGES],
}

#[differentiable(order = 2)]
impl Compartments {
    fn stepped(&self, by: f64, rate: &Compartments) -> Compartments {
        let mut next = *self;
        for age in 0..AGES {
            next.susceptible[age] += by * rate.susceptible[age];
            next.exposed[age] += by * rate.exposed[age] * next.susceptible[age];
        }
        next
    }
}

#[differentiable(order = 2)]
fn epidemic(x: f64, steps: usize) -> f64 {
    let mut state = Compartments { susceptible: [7.0, x], exposed: [0.5; AGES] };
    for _ in 0..steps {
        let rate = Compartments { susceptible: [x, 0.1], exposed: state.susceptible };
        state = state.stepped(0.1, &rate);
    }
    state.susceptible.iter().sum::<f64>() * state.exposed[1]
}

#[differentiable(order = 2)]
fn either(x: f64, y: f64) -> f64 {
    let still = Compartments { susceptible: [0.0, 0.0], exposed: [y, 1.0] };
    let first = Compartments { susceptible: [x, y], exposed: [1.0, x * y] };
    let mut state = if x > 0.5 { first.stepped(y, &still) } else { Compartments { susceptible: [y; 2], ..first } };
    if y > 0.5 {
        state = Compartments { exposed: [x, x], ..state };
    }
    state.susceptible[0] * state.exposed[1] + state.exposed[0]
}

#[differentiable(order = 2)]
fn arrays(x: f64, steps: usize) -> f64 {
    let mut a: [f64; AGES] = [x, 1.0];
    let b = [x * x, 2.0];
    let mut c = [0.0; AGES];
    for i in 0..steps {
        if i % 2 == 0 {
            a = b;
        } else {
            a = [a[1], x];
        }
        c = if x > 0.2 { [a[0], c[1]] } else { a };
    }
    let mut rows = [[0.0; AGES]; 2];
    rows[0] = [x, x * x];
    rows[1] = a;
    a[0] * c[1] + c[0] + rows[0][1] * rows[1][0]
}

#[test]
fn are_one_size() {
    for steps in 0..4 {
        check!(epidemic(x, steps) by x = 0.3);
        check!(arrays(x, steps) by x = 0.3);
        check!(arrays(x, steps) by x = 0.1);
    }
    for (x, y) in [(0.7, 0.8), (0.3, 0.8), (0.7, 0.2), (0.3, 0.2)] {
        check!(either(x, y) by x, y);
    }
}
