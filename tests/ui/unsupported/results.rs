use autodiff::prelude::*;

enum Error {
    Large(f64),
    At { index: usize },
}

#[differentiable]
fn active(x: f64) -> Result<f64, Error> {
    if x > 1.0 {
        return Err(Error::Large(x * 2.0));
    }
    Ok(x)
}

#[differentiable]
fn at(x: f64) -> Result<f64, Error> {
    if x > 1.0 { Err(Error::At { index: 1 }) } else { Ok(x) }
}

#[differentiable]
fn pattern(x: f64) -> f64 {
    match at(x) {
        Ok(v) => v,
        Err(Error::At { index: 1 }) => x * x,
        Err(_) => x,
    }
}

#[differentiable]
fn read(x: f64) -> f64 {
    match at(x) {
        Ok(v) => v,
        Err(e) => weight(&e) * x,
    }
}

fn weight(_: &Error) -> f64 {
    2.0
}

#[differentiable]
fn untyped(x: f64) -> f64 {
    let r = if x > 0.0 { Ok(x) } else { Err(3) };
    r.unwrap_or(0.0)
}

#[differentiable]
fn method(x: f64) -> f64 {
    at(x).iter().sum::<f64>()
}

#[differentiable]
fn taken(value: Result<f64, usize>) -> f64 {
    value.unwrap_or(0.0)
}

#[differentiable]
fn passed(x: f64) -> f64 {
    let value: Result<f64, usize> = if x > 0.0 { Ok(x) } else { Err(3) };
    taken(value)
}

fn main() {}
