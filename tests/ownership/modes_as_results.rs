//! Functions that give an enum without numbers, beside what they change or by itself, or are given one that is written there.

use crate::harness::check;
use autodiff::prelude::*;
use elsewhere::{compared, matched};
use modes::Mode;

mod modes {
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub enum Mode {
        Idle,
        Heating { since: u32 },
        Cooling(i32, bool),
        Fault,
    }
}

#[derive(Debug, Clone, Differentiable)]
struct Thermostat {
    low: f64,
    #[no_diff]
    mode: Mode,
    switches: u32,
}

#[differentiable(order = 2)]
impl Thermostat {
    fn update(&mut self, temperature: f64, now: u32) -> Mode {
        self.low *= 0.9;
        let next = match self.mode {
            Mode::Idle if temperature < self.low => Mode::Heating { since: now },
            Mode::Heating { since } if now - since > 2 => Mode::Cooling(-3, true),
            Mode::Cooling(k, true) => Mode::Cooling(k, false),
            Mode::Cooling(..) => Mode::Fault,
            other => other,
        };
        if next != self.mode {
            self.switches += 1;
            self.mode = next;
        }
        self.mode
    }

    fn mode_at(&self, temperature: f64) -> Mode {
        if temperature < self.low { Mode::Idle } else { self.mode }
    }

    fn known(&mut self, temperature: f64) -> Option<Mode> {
        self.low += temperature;
        if self.low > 3.0 { Some(self.mode) } else { None }
    }
}

#[differentiable(order = 2)]
fn controlled(low: f64, steps: &[f64; 7]) -> f64 {
    let mut thermostat = Thermostat { low, mode: Mode::Idle, switches: 0 };
    let mut t = 1.0;
    for (k, step) in steps.iter().enumerate() {
        let power = match thermostat.update(t, k as u32) {
            Mode::Heating { .. } => *step,
            Mode::Cooling(by, twice) => -step * by as f64 * if twice { 2.0 } else { 1.0 },
            Mode::Idle | Mode::Fault => 0.5,
        };
        t = t * 0.9 + power * thermostat.low;
        if thermostat.mode_at(t) == Mode::Idle {
            t *= 1.1;
        }
        if let Some(Mode::Fault) = thermostat.known(0.1 * t) {
            t *= step;
        }
    }
    t * thermostat.switches as f64
}

#[differentiable(order = 2)]
fn grown(x: f64, y: &mut f64) -> Mode {
    *y *= x;
    if *y > 1.0 { Mode::Fault } else { Mode::Idle }
}

#[differentiable(order = 2)]
fn kept(x: f64) -> f64 {
    let mut y = 0.7;
    let mut sum = 0.0;
    let mut last = Mode::Idle;
    for k in 0..4 {
        let mode = grown(x, &mut y);
        if mode == Mode::Fault {
            sum += y;
        } else {
            sum -= x * k as f64;
        }
        if mode != last {
            sum *= x;
        }
        last = mode;
    }
    sum
}

/// Where nothing but the function is imported.
mod elsewhere {
    use super::grown;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    pub fn matched(x: f64) -> f64 {
        let mut y = 0.7;
        let mut sum = 0.0;
        for _ in 0..4 {
            match grown(x, &mut y) {
                super::Mode::Fault => sum += y,
                _ => sum -= x,
            }
        }
        sum
    }

    #[differentiable(order = 2)]
    pub fn compared(x: f64) -> f64 {
        let mut y = 0.7;
        let mode = grown(x, &mut y);
        if mode == super::Mode::Idle { y * x } else { y * y }
    }
}

#[differentiable(order = 2)]
fn gain(x: f64, mode: Mode) -> f64 {
    match mode {
        Mode::Idle => x,
        Mode::Heating { since } => x * since as f64,
        Mode::Cooling(by, true) => x.powi(by),
        Mode::Cooling(..) => x * x,
        Mode::Fault => 1.0,
    }
}

#[differentiable(order = 2)]
fn written(x: f64, n: u32) -> f64 {
    let mut sum = gain(x, Mode::Heating { since: n }) + gain(x, Mode::Idle);
    for k in 0..3 {
        sum *= gain(x, Mode::Cooling(k, k > 0)) + gain(sum, Mode::Fault);
    }
    sum
}

#[test]
fn modes_are_given() {
    let steps = [0.3, 0.5, 0.2, 0.9, 1.3, 0.4, 0.8];
    for low in [0.5, 1.2, 2.0, 3.1] {
        check!(controlled(low, &steps) by low, steps);
    }
    for x in [0.5, 1.3, 1.6] {
        check!(kept(x) by x);
        check!(matched(x) by x);
        check!(compared(x) by x);
        check!(written(x, 2) by x);
    }
    let (mut y, mut tangent) = (0.7, 0.0);
    let (mode, ()) = grown::jvp(2.0, &mut y, 1.0, &mut tangent);
    assert_eq!((mode, y, tangent), (Mode::Fault, 1.4, 0.7));
    let mut y = 0.7;
    let (mode, pullback) = grown::vjp(2.0, &mut y);
    assert_eq!((mode, y, pullback((), (0.0, 1.0))), (Mode::Fault, 1.4, (0.7, 2.0)));
}
