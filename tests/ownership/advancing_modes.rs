//! Enums without numbers that a method of their own changes, also in a field of what another method changes.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    On,
    Off,
    Wait(usize),
}

impl Mode {
    fn advance(&mut self) {
        *self = match self {
            Mode::On => Mode::Off,
            Mode::Off => Mode::Wait(1),
            Mode::Wait(n) if *n > 1 => Mode::On,
            Mode::Wait(n) => Mode::Wait(*n + 1),
        };
    }

    fn skip(&mut self, n: usize) -> usize {
        for _ in 0..n {
            self.advance();
        }
        match self {
            Mode::Wait(k) => *k,
            _ => 0,
        }
    }
}

#[derive(Differentiable, Clone, Debug)]
struct Machine {
    mode: Mode,
    x: f64,
    log: Vec<f64>,
}

#[differentiable(order = 2)]
impl Machine {
    fn step(&mut self, u: f64) -> f64 {
        self.mode.advance();
        match self.mode {
            Mode::On => self.x *= u,
            Mode::Off => self.x += u * u,
            Mode::Wait(n) => self.x *= u + n as f64,
        }
        let k = self.mode.skip(2);
        if k > 0 {
            self.x += u * k as f64;
        }
        self.x
    }

    fn record(&mut self, u: f64) {
        self.mode.advance();
        let y = self.step(u);
        self.log.push(y);
        if self.mode == Mode::On {
            self.log.push(u);
        }
    }
}

#[differentiable(order = 2)]
fn in_a_field(x: f64, n: usize) -> f64 {
    let mut machine = Machine { mode: Mode::On, x, log: vec![] };
    for i in 0..n {
        machine.step(x);
        if i % 2 == 0 {
            machine.record(x * 2.0);
        }
    }
    machine.x + machine.log.iter().sum::<f64>()
}

#[differentiable(order = 2)]
fn in_a_variable(x: f64, n: usize) -> f64 {
    let mut mode = Mode::On;
    let mut sum = x;
    for i in 0..n {
        if mode.skip(i) > 0 {
            sum *= x;
        }
        if let Mode::Wait(k) = mode {
            sum += x * x * k as f64;
        }
    }
    sum
}

#[test]
fn methods_change_enums() {
    for n in 0..6 {
        check!(in_a_field(x, n) by x = 0.3);
        check!(in_a_variable(x, n) by x = 0.3);
    }
}
