use autodiff::check_grads;
use autodiff::prelude::*;

trait Payoff {
    fn value(&self, price: f64) -> f64;
}

#[derive(Differentiable, Clone)]
struct Call {
    strike: f64,
}

#[differentiable]
impl Payoff for Call {
    fn value(&self, price: f64) -> f64 {
        (price - self.strike).max(0.0)
    }
}

#[differentiable]
fn discounted<P: Payoff>(payoff: &P, price: f64, rate: f64) -> f64 {
    payoff.value(price) * (-rate).exp()
}

#[differentiable]
fn integral<const N: usize>(f: impl Fn(f64) -> f64, to: f64) -> f64 {
    let step = to / N as f64;
    (0..N).map(|k| f(step * (k as f64 + 0.5))).sum::<f64>() * step
}

fn main() {
    let call = Call { strike: 3.0 };
    let (value, (by_call, ..)) = discounted::<Call>::value_and_grad(&call, 5.0, 0.1);
    let inferred = discounted::grad(&call, 5.0, 0.1);
    let slope: f64 = integral::<8>::grad(|t| t.sin(), 2.0);
    check_grads!(discounted::<Call>, &call, 5.0, 0.1);
}
