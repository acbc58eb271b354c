//! `Option`s of enums without numbers, which are built and changed in a body.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    On,
    Off,
    Wait(usize),
}

impl Mode {
    fn weight(self) -> f64 {
        match self {
            Mode::On => 2.0,
            Mode::Off => 3.0,
            Mode::Wait(n) => n as f64,
        }
    }
}

#[differentiable(order = 2)]
fn chosen_once(x: f64, n: usize) -> f64 {
    let mode = if n > 1 { Some(Mode::On) } else { None };
    match mode {
        Some(Mode::On) => x * x,
        Some(Mode::Off) => x,
        Some(Mode::Wait(n)) => x * n as f64,
        None => 2.0 * x,
    }
}

#[differentiable(order = 2)]
fn declared(x: f64, n: usize) -> f64 {
    let mut mode: Option<Mode> = None;
    let mut sum = x;
    for i in 0..n {
        if let Some(Mode::On) = mode {
            sum *= x;
        }
        if mode == Some(Mode::Off) {
            sum += x;
        }
        if mode.is_none() {
            sum *= 1.5;
        }
        mode = match i % 4 {
            0 => Some(Mode::On),
            1 => Some(Mode::Off),
            2 => Some(Mode::Wait(i)),
            _ => None,
        };
        if let Some(mode) = mode {
            sum += x * mode.weight();
        }
    }
    sum
}

#[differentiable(order = 2)]
fn told_by_its_value(x: f64, n: usize) -> f64 {
    let mut mode = Some(Mode::On);
    let mut sum = x;
    for i in 0..n {
        match mode {
            Some(mode) => sum += x * mode.weight(),
            None => sum *= x,
        }
        mode = if i == 2 { None } else { Some(Mode::Wait(i + 1)) };
    }
    if mode == Some(Mode::Wait(2)) { sum * x } else { sum }
}

#[differentiable(order = 2)]
fn in_methods(x: f64, n: usize) -> f64 {
    let mut sum = x;
    for i in 0..n {
        let first = (i % 2 == 0).then(|| Mode::On);
        let second = Some(Mode::Wait(i));
        if let (Some(a), Some(b)) = (first, second) {
            sum += x * a.weight() * b.weight();
        }
        sum *= 1.0 + x * first.unwrap_or(Mode::Off).weight();
    }
    sum
}

#[differentiable(order = 2)]
fn given(x: f64, modes: &[Option<Mode>]) -> f64 {
    let mut last = None;
    let mut sum = x;
    for mode in modes {
        if *mode != last {
            sum *= x;
        }
        last = *mode;
    }
    sum
}

#[differentiable(order = 2)]
fn in_a_list(x: f64, n: usize) -> f64 {
    let mut modes = Vec::new();
    for i in 0..n {
        modes.push(if i % 2 == 0 { Some(Mode::Wait(i)) } else { None });
    }
    let mut sum = x;
    for mode in &modes {
        if let Some(mode) = mode {
            sum += x * x * mode.weight();
        } else {
            sum *= x;
        }
    }
    sum
}

fn chosen(n: usize) -> Option<Mode> {
    if n > 1 { Some(Mode::Wait(n)) } else { None }
}

#[differentiable(order = 2)]
fn given_by_a_function(x: f64, n: usize) -> f64 {
    let mut sum = x;
    let mut mode = chosen(n);
    for i in 0..n {
        if let Some(mode) = mode {
            sum *= x * mode.weight();
        }
        mode = chosen(i);
    }
    if let Some(Mode::Wait(k)) = chosen(n) {
        sum *= k as f64;
    }
    sum
}

#[test]
fn options_of_enums_without_numbers() {
    for n in 0..6 {
        check!(chosen_once(x, n) by x = 0.3);
        check!(declared(x, n) by x = 0.3);
        check!(told_by_its_value(x, n) by x = 0.3);
        check!(in_methods(x, n) by x = 0.3);
        check!(in_a_list(x, n) by x = 0.3);
        check!(given_by_a_function(x, n) by x = 0.3);
    }
    let modes = [None, Some(Mode::On), Some(Mode::On), None, Some(Mode::Wait(1)), Some(Mode::Wait(2))];
    check!(given(x, &modes) by x = 0.3);
}
