use autodiff::derivative;
use autodiff::prelude::*;

mod m {
    pub fn g(x: f64, v: &[f64; 2]) -> f64 {
        x * v[0]
    }

    pub fn h(x: f64) -> f64 {
        x
    }

    pub fn two(x: f64) -> [f64; 2] {
        [x, x]
    }

    pub struct Foreign(pub f64);

    pub fn of_foreign(of: &Foreign, x: f64) -> f64 {
        of.0 * x
    }
}

use m::Foreign;

#[derivative(of = m::g)]
fn one_of_two(x: f64, v: &[f64; 2], y_bar: f64) -> f64 {
    y_bar * v[0] * x
}

#[derivative(of = m::h)]
fn other_number(x: f64, y_bar: f64) -> f32 {
    (x * y_bar) as f32
}

#[derivative(of = m::h)]
fn no_cotangent(x: f64) -> f64 {
    x
}

#[derivative(of = m::h, forward)]
fn no_tangent(x: f64) -> f64 {
    x
}

#[derivative(of = m::g, forward)]
fn other_tangent(x: f64, v: &[f64; 2], x_dot: f64, v_dot: &[f64; 3]) -> f64 {
    x * v_dot[0] + x_dot * v[0]
}

#[derivative(of = m::h, backward)]
fn unknown(x: f64, y_bar: f64) -> f64 {
    x * y_bar
}

#[derivative]
fn of_nothing(x: f64, y_bar: f64) -> f64 {
    x * y_bar
}

#[derivative(of = m::of_foreign)]
fn inactive(of: &Foreign, x: f64, y_bar: f64) -> f64 {
    of.0 * y_bar * x
}

#[derivative(of = m::h)]
fn changing(x: &mut f64, y_bar: f64) -> f64 {
    *x * y_bar
}

#[derivative(of = m::h, like = other)]
fn this_one(x: f64) -> f64 {
    x
}

#[derivative(of = m::h)]
struct NoFunction;

#[inactive]
struct NoFunctionEither;

mod orders {
    use super::m::h;
    use autodiff::derivative;
    use autodiff::prelude::*;

    #[derivative(of = h)]
    fn h_rule(_x: f64, y_bar: f64) -> f64 {
        y_bar
    }

    #[differentiable(order = 2)]
    fn second(x: f64) -> f64 {
        h(x) * x
    }

    #[differentiable]
    fn nested(x: f64) -> f64 {
        h::grad(x) * x
    }

    pub fn user() -> f64 {
        h::hvp(1.0, 1.0) + second(1.0) + nested(1.0)
    }
}

mod others {
    use super::m::{g, two};
    use autodiff::derivative;

    #[derivative(of = two)]
    fn another_result(_x: f64, y_bar: f64) -> f64 {
        y_bar
    }

    #[derivative(of = g)]
    fn other_arguments(_x: f64, y_bar: f64) -> f64 {
        y_bar
    }
}

fn main() {
    orders::user();
}
