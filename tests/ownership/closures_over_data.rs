//! Closures that are given data without a derivative, some of which change.

use crate::harness::check;
use autodiff::prelude::*;
use std::cell::Cell;

trait Counter {
    fn tick(&self) -> f64;
    fn step(&mut self) -> f64;
}

struct Ticks {
    seen: Cell<u32>,
    steps: u32,
    gain: f64,
}

impl Counter for Ticks {
    fn tick(&self) -> f64 {
        self.seen.set(self.seen.get() + 1);
        f64::from(self.seen.get())
    }

    fn step(&mut self) -> f64 {
        self.steps += 1;
        f64::from(self.steps)
    }
}

#[differentiable(order = 2)]
fn scaled(x: f64, #[no_diff] ticks: &Ticks) -> f64 {
    let of = |ticks: &Ticks, by: f64| ticks.gain * by * by;
    of(ticks, x) + of(ticks, x.sin())
}

#[differentiable]
fn shared(x: f64, #[no_diff] ticks: &Ticks) -> f64 {
    let read = |ticks: &Ticks| ticks.tick();
    let first: f64 = read(ticks);
    let second: f64 = read(ticks);
    x * first + x * x * second
}

#[differentiable]
fn changed(x: f64, #[no_diff] ticks: &mut Ticks) -> f64 {
    let next = |ticks: &mut Ticks| ticks.step();
    let first: f64 = next(ticks);
    let second: f64 = next(ticks);
    x * first + x * x * second
}

#[differentiable]
fn by_trait(x: f64, #[no_diff] counter: &dyn Counter) -> f64 {
    let read = |counter: &dyn Counter| counter.tick();
    let mut product = x;
    for _ in 0..3 {
        let tick: f64 = read(counter);
        product *= x * tick;
    }
    product
}

fn ticks() -> Ticks {
    Ticks { seen: Cell::new(0), steps: 0, gain: 1.5 }
}

#[test]
fn what_a_closure_is_given_is_read_once_and_in_order() {
    check!(scaled(x, &ticks()) by x = 0.7);
    let at = ticks();
    assert_eq!(shared::value_and_grad(2.0, &at), (10.0, 9.0));
    assert_eq!(at.seen.get(), 2);
    let mut at = ticks();
    assert_eq!(changed::value_and_grad(2.0, &mut at), (10.0, 9.0));
    assert_eq!(at.steps, 2);
    let at = ticks();
    assert_eq!(by_trait::value_and_grad(2.0, &at), (96.0, 192.0));
    assert_eq!(at.seen.get(), 3);
}
