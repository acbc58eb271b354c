//! Data without a derivative that are made with calls: they are made once, however often they are used.

use crate::trace::{log, noise, note, tick, traced};
use autodiff::prelude::*;

struct Gains {
    proportional: f64,
    limits: (f64, f64),
    taps: [f64; 2],
}

/// It names nothing of the function that calls it.
fn reading() -> f64 {
    0.5 + note("reading".into()) as f64
}

#[differentiable(order = 2)]
fn struct_of_readings(x: f64) -> f64 {
    let gains = Gains { proportional: reading(), limits: (reading(), 3.0), taps: [noise(1), reading()] };
    log(1);
    x * gains.proportional
        + x * x * gains.proportional * gains.limits.0 * gains.limits.1
        + gains.taps[0] * (gains.taps[1] * x).sin()
}

#[differentiable(order = 2)]
fn struct_in_a_loop(x: f64, n: usize) -> f64 {
    let mut s = x;
    for k in 0..n {
        let gains = Gains { proportional: reading(), limits: (noise(k), 1.0), taps: [0.5; 2] };
        s = s * x + gains.proportional * s + gains.limits.0 * gains.proportional * gains.taps[1];
    }
    s
}

#[differentiable(order = 2)]
fn some_reading(x: f64) -> f64 {
    let first = Some(reading());
    let second = Some(noise(tick()));
    log(2);
    x * x * first.unwrap() + first.unwrap() * second.unwrap() * x + second.map_or(1.0, |value| 2.0 * value) * x
}

struct Series {
    values: Vec<f64>,
    name: String,
}

fn recorded(n: usize) -> Vec<f64> {
    (0..n).map(noise).collect()
}

fn last_of(series: &Series) -> f64 {
    log(series.name.len());
    series.values[series.values.len() - 1]
}

#[differentiable(order = 2)]
fn data_that_are_not_copied(x: f64, n: usize) -> f64 {
    let series = Series { values: recorded(n), name: String::from("probe") };
    let last: f64 = last_of(&series);
    let again: f64 = last_of(&series);
    x * x * series.values[0] * last + again * x
}

#[differentiable(order = 2)]
fn some_struct(x: f64) -> f64 {
    let gains = Some(Gains { proportional: reading(), limits: (1.0, reading()), taps: [1.0; 2] });
    let proportional = gains.as_ref().map_or(1.0, |gains| gains.proportional);
    let limit = gains.as_ref().map_or(1.0, |gains| gains.limits.1);
    x * x * proportional + x * limit * proportional
}

#[test]
fn data_are_made_once() {
    traced!(struct_of_readings() at 0.7);
    traced!(struct_in_a_loop(3) at 0.7);
    traced!(some_reading() at 0.7);
    traced!(data_that_are_not_copied(3) at 0.7);
    traced!(some_struct() at 0.7);
}
