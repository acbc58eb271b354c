use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy)]
struct Sim {
    x: f64,
}

fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
impl Sim {
    fn run(&self, f: impl Fn(f64) -> f64) -> f64 {
        f(self.x)
    }
    fn change(&mut self, f: impl Fn(f64) -> f64) -> f64 {
        self.x = f(self.x);
        self.x
    }
}

#[differentiable]
fn by_name(s: &Sim) -> f64 {
    s.run(square)
}

#[differentiable]
fn changing(x: f64) -> f64 {
    let mut s = Sim { x };
    s.change(|x| x * x)
}

#[differentiable]
fn inside(s: &Sim) -> f64 {
    s.run(|x| s.run(|y| x * y))
}

fn main() {}
