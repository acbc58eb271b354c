use autodiff::prelude::*;

trait Potential {
    const SCALE: f64;
    fn value(&self, x: f64) -> f64;
}

#[derive(Differentiable, Clone, Copy)]
struct Spring {
    k: f64,
}

#[differentiable]
impl Potential for Spring {
    const SCALE: f64 = 1.0;
    fn value(&self, x: f64) -> f64 {
        0.5 * self.k * x * x
    }
}

#[derive(Differentiable, Clone, Copy)]
struct Well {
    k: f64,
}

#[differentiable]
impl Well {
    fn value(&self, x: f64) -> f64 {
        self.k * x
    }
}

impl Potential for Well {
    const SCALE: f64 = 1.0;
    fn value(&self, x: f64) -> f64 {
        -self.k * x
    }
}

#[differentiable]
fn energy<P: Potential>(p: &P, x: f64) -> f64 {
    let q = p;
    q.value(x)
}

#[differentiable]
fn of_another_method(x: f64) -> f64 {
    energy(&Well { k: x }, x)
}

#[differentiable]
fn provided(p: &impl Doubled, x: f64) -> f64 {
    p.twice(x)
}

#[differentiable]
fn of_provided(x: f64) -> f64 {
    provided(&Spring { k: x }, x)
}

#[differentiable]
fn by_type<P: Potential>(p: &P, x: f64) -> f64 {
    P::SCALE * p.value(x)
}

/// The names in its methods may mean something else here.
mod theirs {
    pub trait Doubled {
        fn once(&self, x: f64) -> f64;
        fn twice(&self, x: f64) -> f64 {
            2.0 * self.once(x)
        }
    }
}
use theirs::Doubled;

#[differentiable]
impl Doubled for Spring {
    fn once(&self, x: f64) -> f64 {
        self.k * x
    }
}

fn main() {}
