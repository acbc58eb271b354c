//! `into()` where nothing says what it gives.
use autodiff::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Rad(f64);

#[derive(Clone, Copy, Differentiable)]
struct Deg(f64);

#[differentiable]
impl From<Deg> for Rad {
    fn from(d: Deg) -> Self {
        Rad(d.0 / 57.3)
    }
}

fn height<T: Into<Rad>>(angle: T) -> f64 {
    angle.into().0.sin()
}

#[differentiable]
fn f(x: f64) -> f64 {
    let angle = Deg(x).into();
    height::<Rad>(angle)
}

fn main() {}
