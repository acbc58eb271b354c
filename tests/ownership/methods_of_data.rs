//! Methods of a user's types that are called as methods of the standard library are, and that have effects.

use crate::trace::{note, traced};
use autodiff::prelude::*;

struct Meter;

impl Meter {
    fn len(&self) -> usize {
        note("len".into()) + 1
    }

    fn is_empty(&self) -> bool {
        note("is_empty".into()) % 2 == 0
    }

    fn sqrt(&self) -> f64 {
        0.5 + note("sqrt".into()) as f64
    }

    fn abs(&self) -> f64 {
        1.5 + note("abs".into()) as f64
    }

    fn pow(&self, exponent: u32) -> f64 {
        f64::from(exponent) + note("pow".into()) as f64
    }
}

struct Panel {
    meter: Meter,
    spare: Option<Box<Meter>>,
    table: Vec<f64>,
}

const PANEL: Panel = Panel { meter: Meter, spare: None, table: Vec::new() };

#[differentiable(order = 2)]
fn meters(x: f64, #[no_diff] panel: &Panel) -> f64 {
    let a = panel.meter.len() as f64;
    let b = panel.meter.len() as f64;
    let c: f64 = panel.meter.sqrt();
    let d: f64 = panel.meter.sqrt();
    let e: f64 = panel.meter.abs() + panel.meter.abs();
    let f: f64 = panel.meter.pow(2) * panel.meter.pow(2);
    let mut y = x * a + x * x * b * c + d * e * x + f * x;
    if panel.meter.is_empty() {
        y *= x;
    }
    if panel.meter.is_empty() {
        y *= x;
    }
    y + panel.table.len() as f64
}

#[differentiable(order = 2)]
fn a_meter(x: f64, #[no_diff] meter: &Meter, #[no_diff] n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        let level: f64 = meter.sqrt();
        s = s * x + level * s * meter.len() as f64;
    }
    s
}

trait Sense {
    fn signum(&self) -> f64;
    fn is_some(&self) -> bool;
}

impl Sense for Box<Meter> {
    fn signum(&self) -> f64 {
        0.5 + note("signum".into()) as f64
    }

    fn is_some(&self) -> bool {
        note("is_some".into()) % 3 == 0
    }
}

#[differentiable(order = 2)]
fn of_a_trait(x: f64, #[no_diff] meter: &Box<Meter>) -> f64 {
    let a: f64 = meter.signum();
    let b: f64 = meter.signum();
    let y = if meter.is_some() { x * a } else { x * x * b };
    if meter.is_some() { y * x } else { y * a }
}

#[test]
fn the_type_of_the_receiver_decides() {
    let panel = Panel { meter: Meter, spare: Some(Box::new(Meter)), table: vec![1.0, 2.0] };
    traced!(meters(&panel) at 0.7);
    traced!(meters(&PANEL) at 0.7);
    traced!(a_meter(&Meter, 3) at 0.7);
    traced!(of_a_trait(&Box::new(Meter)) at 0.7);
    assert!(panel.spare.is_some());
}
