//! Enums without a derivative that a variable holds and changes.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    Heat,
    Cool,
    Wait(usize),
    Set { level: i32, fan: bool },
}

impl Mode {
    fn advance(&mut self) {
        *self = next(*self);
    }

    fn wait_longer(&mut self, by: usize) -> bool {
        match self {
            Mode::Wait(n) => *n += by,
            _ => *self = Mode::Wait(by),
        }
        *self == Mode::Wait(3)
    }

    fn gain(self) -> f64 {
        match self {
            Mode::Heat => 2.0,
            Mode::Cool => -0.5,
            Mode::Wait(k) => k as f64 * 0.1,
            Mode::Set { level, fan } => f64::from(level) * if fan { 0.3 } else { 0.7 },
        }
    }

    fn is_waiting(&self) -> bool {
        matches!(self, Mode::Wait(_))
    }
}

fn next(mode: Mode) -> Mode {
    match mode {
        Mode::Heat => Mode::Cool,
        Mode::Cool => Mode::Wait(1),
        Mode::Wait(n) => Mode::Set { level: n as i32, fan: true },
        mode => mode,
    }
}

#[differentiable(order = 2)]
fn applied(mode: Mode, x: f64) -> f64 {
    match mode {
        Mode::Heat => x * x,
        Mode::Cool => x.sin(),
        Mode::Wait(k) => x * k as f64,
        Mode::Set { level, .. } => (x * level as f64).tanh(),
    }
}

#[differentiable(order = 2)]
fn thermostat(x: f64, y: f64) -> f64 {
    let mut mode = Mode::Heat;
    let mut t = x;
    for _ in 0..12 {
        match mode {
            Mode::Heat => {
                t += 0.3 * x * y;
                if t > 2.0 {
                    mode = Mode::Cool;
                }
            }
            Mode::Cool => {
                t *= 0.7 + 0.01 * t * y;
                if t < 1.0 {
                    mode = Mode::Wait(2);
                }
            }
            Mode::Wait(n) => {
                t += 0.01 * x * n as f64;
                mode = if n > 0 { Mode::Wait(n - 1) } else { Mode::Set { level: 3, fan: t > 0.9 } };
            }
            Mode::Set { fan, level } if fan || level > 4 => mode = Mode::Heat,
            Mode::Set { level, .. } => {
                t = t.sin() + x;
                mode = Mode::Set { level: level + 1, fan: false };
            }
        }
    }
    t
}

#[differentiable(order = 2)]
fn launched(x: f64, y: f64) -> f64 {
    let mut mode: Mode = Mode::Heat;
    let (mut v, mut h, mut k) = (0.0, 0.0, 0);
    while k < 14 {
        let a = if mode == Mode::Heat { x * (1.0 + h) } else { -y * h };
        v += 0.1 * a;
        h += 0.1 * v * v;
        if mode == Mode::Heat && h > 0.3 {
            mode = Mode::Cool;
        }
        if matches!(mode, Mode::Cool) && v < 0.0 {
            break;
        }
        k += 1;
    }
    h + if let Mode::Cool = mode { v } else { 0.0 }
}

#[test]
fn state_machines() {
    check!(thermostat(x, y) by x = 0.31, y = 0.9);
    check!(thermostat(x, y) by x = 0.71, y = 1.3);
    check!(thermostat(x, y) by x = 1.37, y = -0.2);
    check!(launched(x, y) by x = 2.1, y = 8.0);
    check!(launched(x, y) by x = 0.4, y = 1.0);
}

#[differentiable(order = 2)]
fn called(x: f64) -> f64 {
    let mut m = Mode::Heat;
    let mut y = x;
    for _ in 0..4 {
        y = applied(m, y) + m.gain() * x;
        m = next(m);
    }
    m = Mode::Heat;
    for k in 0..4 {
        y += applied(m, x * y.cos()) * {
            m.advance();
            m.gain()
        };
        if k == 1 && m.wait_longer(2) {
            y *= x;
        }
    }
    if m.is_waiting() { y } else { y.sin() }
}

#[differentiable(order = 2)]
fn chosen(x: f64, start: Mode) -> f64 {
    let mut m = if x > 1.0 { start } else { Mode::Cool };
    let old = m;
    let a = applied(m, x);
    if a > 0.2 {
        m = Mode::Wait(3);
    }
    let n = match m {
        Mode::Heat => Mode::Cool,
        Mode::Cool => Mode::Heat,
        other => other,
    };
    let last;
    if a > 0.5 {
        last = n;
    } else {
        last = Mode::Set { level: 2, fan: a > 0.1 };
    }
    applied(m, a) + applied(old, a * x) + applied(n, a + x) + last.gain() * applied(last, x)
}

#[differentiable(order = 2)]
fn of_closures_and_tuples(x: f64, n: usize) -> f64 {
    let (mut a, mut b) = (Mode::Heat, Mode::Wait(n));
    let mut y = x;
    for k in 0..5 {
        let shift = |z: f64| if a == Mode::Heat { z * x } else { z + x };
        y = shift(y) + applied(b, y.sin());
        match (a, b) {
            (Mode::Heat, Mode::Wait(n)) if n > k => b = Mode::Wait(n - 1),
            (Mode::Heat, _) => (a, b) = (b, a),
            (_, Mode::Heat) => a = std::mem::replace(&mut b, Mode::Cool),
            _ => a = Mode::Set { level: k as i32, fan: y > 0.0 },
        }
    }
    y
}

#[test]
fn choices_and_calls() {
    check!(called(x) by x = 0.3);
    check!(called(x) by x = 1.37);
    for start in [Mode::Heat, Mode::Wait(2), Mode::Set { level: 1, fan: true }] {
        check!(chosen(x, start) by x = 0.7);
        check!(chosen(x, start) by x = 1.7);
    }
    check!(of_closures_and_tuples(x, 1) by x = 0.7);
    check!(of_closures_and_tuples(x, 4) by x = 0.4);
}

#[derive(Clone, Copy, PartialEq)]
enum Gear {
    First = 1,
    Second,
    Third,
}

#[differentiable(order = 2)]
fn shifted(x: f64, ratios: &[f64; 4]) -> f64 {
    let mut gear = Gear::First;
    let mut v = x;
    for _ in 0..6 {
        v += 0.1 * ratios[gear as usize] * v.sin();
        gear = match gear {
            Gear::First if v > 1.0 => Gear::Second,
            Gear::Second if v > 1.2 => Gear::Third,
            Gear::Third if v < 1.1 => Gear::Second,
            gear => gear,
        };
    }
    v * gear as u8 as f64
}

#[test]
fn as_numbers() {
    let ratios = [0.0, 2.0, 1.5, -0.7];
    check!(shifted(x, &ratios) by x = 0.9, ratios);
    check!(shifted(x, &ratios) by x = 0.2, ratios);
}

#[differentiable(order = 2)]
fn left_early(x: f64) -> f64 {
    let mut m = Mode::Heat;
    let mut y = x;
    'outer: for i in 0..4 {
        for j in 0..3 {
            y += 0.1 * applied(m, y) * x;
            m = match m {
                Mode::Heat if y > 1.0 => Mode::Wait(j),
                Mode::Wait(k) if k > i => continue 'outer,
                Mode::Wait(_) => break 'outer,
                _ => {
                    if y > 3.0 {
                        return y * x;
                    }
                    Mode::Heat
                }
            };
        }
    }
    y * applied(m, y)
}

#[differentiable(order = 2)]
fn in_order(x: f64) -> f64 {
    let mut m = Mode::Heat;
    let a = applied(m, x) + {
        m = Mode::Wait(3);
        applied(m, x)
    } * applied(m, x + 1.0);
    let mut change = |z: f64| {
        m = if z > 0.5 { Mode::Cool } else { Mode::Wait(2) };
        z * x
    };
    let b = change(x) + change(x * 0.5);
    a + b * applied(m, a)
}

#[differentiable(order = 2)]
fn of_an_array(x: f64) -> f64 {
    let mut modes = [Mode::Heat; 3];
    let mut y = x;
    for i in 0..6 {
        y += 0.1 * applied(modes[i % 3], y) * x;
        if y > 1.0 {
            modes[i % 3] = Mode::Cool;
        }
    }
    y
}

#[test]
fn jumps_effects_and_arrays() {
    check!(left_early(x) by x = 0.3);
    check!(left_early(x) by x = 0.94);
    check!(left_early(x) by x = 1.7);
    check!(in_order(x) by x = 0.71);
    check!(in_order(x) by x = 1.37);
    check!(of_an_array(x) by x = 0.71);
    check!(of_an_array(x) by x = 1.37);
}
