use autodiff::prelude::*;

#[derive(Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
fn pair(x: f64) -> Pair {
    Pair { a: x, b: x * x }
}

#[differentiable]
fn doubled(x: &mut f64) -> f64 {
    *x *= 2.0;
    *x
}

fn main() {
    pair::taylor::<3>(1.0, 1.0);
    doubled::taylor::<3>(&mut 1.0, &mut 1.0);
}
