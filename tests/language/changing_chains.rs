//! Methods that change and return `self`, elements that are handed on, and what is made of data.
use crate::differences::check;
use autodiff::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Idle,
    Up,
    Down,
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Ramp {
    level: f64,
    rate: f64,
    #[no_diff]
    mode: Mode,
}

#[differentiable]
impl Ramp {
    fn new(rate: f64) -> Self {
        Ramp { level: 0.1, rate, mode: Mode::default() }
    }

    fn up(&mut self) -> &mut Self {
        self.mode = Mode::Up;
        self
    }

    fn down(&mut self) -> &mut Self {
        if self.mode == Mode::Up {
            self.mode = Mode::Down;
            self.level *= 0.9;
        }
        self
    }

    fn by(&mut self, x: f64) -> &mut Self {
        self.level += self.rate * x * x;
        self
    }

    fn next(&mut self) -> f64 {
        match self.mode {
            Mode::Idle => {}
            Mode::Up => self.level += self.rate,
            Mode::Down => self.level -= 0.5 * self.rate,
        }
        self.level
    }
}

#[differentiable]
fn ramps(rate: f64, x: f64) -> f64 {
    let mut ramp = Ramp::new(rate);
    let mut sum = 0.0;
    for k in 0..6 {
        if k == 1 {
            ramp.up();
        } else if k == 4 {
            ramp.down().by(x * sum).by(0.5);
        }
        sum += ramp.next() * x;
    }
    ramp.by(sum);
    sum * ramp.level
}

#[derive(Debug, Clone, Copy, PartialEq, Differentiable)]
struct Body {
    place: f64,
    speed: f64,
    #[no_diff]
    fixed: bool,
}

#[differentiable]
impl Body {
    fn at(place: f64) -> Self {
        Body { place, speed: 0.0, fixed: false }
    }

    fn drift(&mut self, h: f64) {
        if !self.fixed {
            self.place += h * self.speed;
        }
    }
}

#[differentiable]
fn pull(a: &mut Body, b: &mut Body, k: f64) -> bool {
    let d = b.place - a.place;
    a.speed += k * d;
    b.speed -= k * d;
    d.abs() > 1.0
}

#[differentiable]
fn drift_all(bodies: &mut [Body], h: f64) {
    for body in bodies {
        body.drift(h);
    }
}

#[differentiable]
fn chain(k: f64, h: f64, #[no_diff] places: &[f64]) -> f64 {
    let mut bodies: Vec<Body> = places.iter().map(|&x| Body::at(x)).collect();
    bodies.push(Body::at(7.0));
    let mut far = 0;
    for _ in 0..3 {
        for j in 1..bodies.len() {
            let (left, right) = bodies.split_at_mut(j);
            for body in left {
                if pull(body, &mut right[0], k) {
                    far += 1;
                }
            }
        }
        drift_all(&mut bodies, h);
    }
    bodies.iter().enumerate().map(|(i, b)| b.place * (i + 1) as f64).sum::<f64>() + 0.01 * far as f64
}

#[differentiable]
fn shifted(x: f64, #[no_diff] bits: &[u8]) -> f64 {
    let gains: f64 = bits.iter().map(|b| (1u32 << b) as f64 - 1.0).sum();
    let mut y = x;
    for b in bits {
        y += ((64u32 >> *b) as f64) * x / gains;
    }
    y * y
}

#[test]
fn programs_that_change_structs() {
    let at = [0.3, 0.7];
    let (r, x) = ramps::grad(at[0], at[1]);
    check(|p| ramps(p[0], p[1]), &at, &[r, x]);
    let places = [0.1, 0.4, 2.5];
    let (k, h) = chain::grad(0.2, 0.3, &places);
    check(|p| chain(p[0], p[1], &places), &[0.2, 0.3], &[k, h]);
    check(|p| shifted(p[0], &[1, 2, 3]), &[0.4], &[shifted::grad(0.4, &[1, 2, 3])]);
    let h = ramps::hvp(at[0], at[1], 1.0, 0.0);
    check(|p| ramps::grad(p[0], at[1]).0, &at[..1], &[h.0]);
    check(|p| ramps::grad(p[0], at[1]).1, &at[..1], &[h.1]);
}
