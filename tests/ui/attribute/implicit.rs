use autodiff::prelude::*;

#[differentiable]
fn residual(x: f64, a: f64) -> f64 {
    x * x - a
}

#[implicit]
fn of_nothing(a: f64) -> f64 {
    a.sqrt()
}

#[implicit(residual = residual, order = 2)]
fn second(a: f64) -> f64 {
    a.sqrt()
}

#[implicit(residual = residual, steps = 3)]
fn unknown(a: f64) -> f64 {
    a.sqrt()
}

#[implicit(residual = residual)]
fn rows(a: f64) -> [[f64; 2]; 2] {
    [[a.sqrt(); 2]; 2]
}

#[implicit(residual = residual)]
fn changing(a: &mut f64) -> f64 {
    *a += 1.0;
    a.sqrt()
}

#[implicit(residual = residual)]
struct NoFunction;

mod plain {
    use autodiff::prelude::*;

    fn not_differentiable(x: f64, a: f64) -> f64 {
        x * x - a
    }

    #[implicit(residual = not_differentiable)]
    pub fn root(a: f64) -> f64 {
        a.sqrt()
    }
}

mod twice {
    use super::residual;
    use autodiff::prelude::*;

    #[implicit(residual = residual)]
    pub fn root(a: f64) -> f64 {
        a.sqrt()
    }

    #[differentiable(order = 2)]
    pub fn user(a: f64) -> f64 {
        root(a) * a
    }
}

fn main() {
    plain::root(1.0);
    twice::user(1.0);
}
