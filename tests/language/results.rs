//! `Result`: an error carries no derivative and may be of any type.

use crate::common::assert_gradient;
use autodiff::OptionTangent;
use autodiff::prelude::*;

macro_rules! check {
    ($f:ident, $at:expr) => {{
        let at = $at;
        let g = $f::grad(&at);
        assert_gradient(&at, &g, |at| $f(at));
        assert_eq!($f::vjp(&at).1(1.0), g);
        let (value, slope) = $f::jvp(&at, &g);
        assert_eq!(value, $f(&at));
        let expected = crate::common::inner(&g, &g);
        assert!((slope - expected).abs() < 1e-12 * (1.0 + expected));
    }};
}

/// It is neither copied nor cloned, and has no default.
#[derive(Debug, PartialEq)]
struct Stuck {
    at: usize,
    last: bool,
}

#[derive(Debug, PartialEq)]
enum Failure {
    Zero,
    Stuck(Stuck),
    Named { name: String },
}

impl From<Stuck> for Failure {
    fn from(stuck: Stuck) -> Failure {
        Failure::Stuck(stuck)
    }
}

#[differentiable(order = 2)]
fn quotient(a: f64, b: f64) -> Result<f64, String> {
    if b == 0.0 {
        return Err(format!("{a} by zero"));
    }
    Ok(a / b)
}

#[test]
fn the_derivative_of_what_is_ok() {
    assert_eq!(quotient::value_and_grad(6.0, 2.0), (Ok(3.0), (0.5, -1.5)));
    assert_eq!(quotient::value_and_grad(6.0, 0.0), (Err("6 by zero".to_owned()), (0.0, 0.0)));
    let (value, pullback) = quotient::vjp(6.0, 2.0);
    assert_eq!((value, pullback(&OptionTangent { some: 2.0 })), (Ok(3.0), (1.0, -3.0)));
    let (value, pullback) = quotient::vjp(1.0, 0.0);
    assert_eq!((value, pullback(&OptionTangent { some: 2.0 })), (Err("1 by zero".to_owned()), (0.0, 0.0)));
    assert_eq!(quotient::jvp(6.0, 2.0, 1.0, 1.0), (Ok(3.0), OptionTangent { some: -1.0 }));
    assert_eq!(quotient::jvp(6.0, 0.0, 1.0, 1.0).0, Err("6 by zero".to_owned()));
    let (value, residuals) = quotient::forward(6.0, 0.0);
    assert_eq!(value, Err("6 by zero".to_owned()));
    assert_eq!(quotient::pullback(&residuals, &OptionTangent { some: 1.0 }), (0.0, 0.0));
    assert_eq!(quotient::hvp(6.0, 2.0, 1.0, 1.0), (-0.25, 1.25));
}

/// Newton's method for a root of x³ = a.
#[differentiable]
fn cube_root(a: f64, #[no_diff] most: usize) -> Result<f64, Stuck> {
    let mut x = 1.0 + 0.0 * a;
    for k in 0..most {
        if x == 0.0 {
            return Err(Stuck { at: k, last: k + 1 == most });
        }
        let next = x - (x * x * x - a) / (3.0 * x * x);
        if (next - x).abs() < 1e-13 {
            return Ok(next);
        }
        x = next;
    }
    Err(Stuck { at: most, last: true })
}

#[differentiable]
fn checked(x: &[f64; 2], #[no_diff] most: usize) -> Result<f64, Failure> {
    let r = cube_root(x[0], most)?;
    let q = quotient(r, x[1]).map_err(|name| Failure::Named { name })?;
    if q > 100.0 {
        return Err(Failure::Zero);
    }
    Ok(q * r)
}

#[differentiable]
fn either(x: &[f64; 2]) -> f64 {
    match checked(x, 50) {
        Ok(v) => v,
        Err(_) => x[0] * x[1],
    }
}

#[test]
fn errors_go_through_calls_and_loops() {
    check!(either, [8.0, 2.0]);
    check!(either, [8.0, 1e-3]);
    // ∛a² / b
    let (value, [by_a, by_b]) = checked::value_and_grad(&[8.0, 2.0], 50);
    assert!((value.unwrap() - 2.0).abs() < 1e-12);
    assert!((by_a - 1.0 / 6.0).abs() < 1e-12 && (by_b + 1.0).abs() < 1e-12);
    assert_eq!(checked::value_and_grad(&[8.0, 2.0], 2), (Err(Failure::Stuck(Stuck { at: 2, last: true })), [0.0; 2]));
    let named = Failure::Named { name: "2 by zero".to_owned() };
    assert_eq!(checked::value_and_grad(&[8.0, 0.0], 50), (Err(named), [0.0; 2]));
    assert_eq!(checked::value_and_grad(&[8.0, 0.001], 50), (Err(Failure::Zero), [0.0; 2]));
    assert_eq!(checked::jvp(&[8.0, 0.001], 50, &[1.0, 1.0]).0, Err(Failure::Zero));
}

#[differentiable]
fn methods(x: &[f64; 3]) -> f64 {
    let first = quotient(x[0], x[1]);
    let other =
        first.clone().map(|v| v * v).and_then(|v| if v < 50.0 { Ok(v * x[2]) } else { Err("large".to_owned()) });
    let mut sum = first.clone().unwrap_or(x[2]) + other.clone().map_or(1.0, |v| v * x[1]);
    if other.is_err() || first.clone().is_ok_and(|v| v > 1.0) {
        sum += x[2].sin();
    }
    if let (true, Some(v)) = (first.is_ok(), other.clone().ok()) {
        sum *= v;
    }
    let Ok(again) = quotient(sum, x[0] - 1.0) else { return sum };
    sum += again * quotient(x[1], 1.0).unwrap() - quotient(x[2], 2.0).expect("two is not zero");
    sum += other.clone().unwrap_or_default();
    sum + other.or_else(|_| quotient(x[0], x[2])).unwrap_or_else(|_| x[1])
}

#[test]
fn methods_of_results() {
    check!(methods, [2.0, 1.5, 0.5]);
    check!(methods, [0.5, 1.5, 0.5]);
    check!(methods, [2.0, 0.1, 0.5]);
}

#[differentiable]
fn positive(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.ln()) } else { None }
}

/// The logarithms, if there is one of each.
#[differentiable]
fn logarithms(xs: &[f64]) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let mut all = Vec::new();
    for (k, x) in xs.iter().enumerate() {
        let log = positive(*x).ok_or_else(|| format!("no logarithm of number {k}"))?;
        all.push(log);
    }
    if all.is_empty() {
        return Err("there is none".into());
    }
    Ok(all)
}

#[differentiable]
fn sum_of_logarithms(xs: &[f64; 3]) -> f64 {
    let mut sum = 0.0;
    for n in 0..4 {
        sum += match logarithms(&xs[..n]) {
            Ok(all) => all.iter().sum::<f64>() * n as f64,
            Err(_) => xs[0] * 0.5,
        };
    }
    sum
}

#[test]
fn errors_of_any_type() {
    check!(sum_of_logarithms, [2.0, 3.0, 0.5]);
    check!(sum_of_logarithms, [2.0, -3.0, 0.5]);
    let (value, pullback) = logarithms::vjp(&[2.0, 0.0]);
    assert_eq!(value.unwrap_err().to_string(), "no logarithm of number 1");
    assert_eq!(pullback(&OptionTangent { some: vec![1.0, 1.0] }), vec![0.0, 0.0]);
    assert_eq!(logarithms::vjp(&[]).0.unwrap_err().to_string(), "there is none");
    let (value, pullback) = logarithms::vjp(&[2.0, 4.0]);
    assert_eq!(value.unwrap(), [2.0f64.ln(), 4.0f64.ln()]);
    assert_eq!(pullback(&OptionTangent { some: vec![1.0, 1.0] }), vec![0.5, 0.25]);
}

/// An error is passed on, made into another one, or dropped, as the branch says.
#[differentiable]
fn retried(x: f64, #[no_diff] how: usize) -> Result<f64, Failure> {
    let mut last: Result<f64, Stuck> = Ok(x);
    let mut tries = 0;
    while tries < 4 {
        last = cube_root(x, tries * how);
        if last.is_ok() {
            break;
        }
        tries += 1;
    }
    match last {
        Ok(v) if v > 2.5 => Err(Failure::Named { name: "large".to_string() }),
        Ok(v) => Ok(v * v),
        Err(stuck) if tries > 5 => Err(Failure::Stuck(stuck)),
        Err(stuck) => Err(stuck.into()),
    }
}

const NAMES: [&str; 2] = ["first", "second"];

/// What makes an error is evaluated where there is one: here it would be out of range.
#[differentiable]
fn named(x: &[f64; 4], #[no_diff] first: usize) -> Result<f64, String> {
    let mut sum = 0.0;
    for k in first..4 {
        if x[k] < 0.0 {
            return Err(NAMES[k].to_string());
        }
        sum += x[k].sqrt();
    }
    Ok(sum)
}

#[test]
fn errors_are_made_where_they_are() {
    assert_eq!(named::value_and_grad(&[1.0, 4.0, 0.25, 1.0], 1), (Ok(3.5), [0.0, 0.25, 1.0, 0.5]));
    assert_eq!(named::value_and_grad(&[1.0, -4.0, 0.25, 1.0], 0), (Err("second".to_owned()), [0.0; 4]));
    assert_eq!(named::vjp(&[1.0, -4.0, 0.25, 1.0], 2).0, Ok(1.5));
}

#[test]
fn errors_are_moved() {
    assert_eq!(retried::value_and_grad(8.0, 1).0, Err(Failure::Stuck(Stuck { at: 3, last: true })));
    let (value, slope) = retried::value_and_grad(8.0, 9);
    assert!((value.unwrap() - 4.0).abs() < 1e-12 && (slope - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(retried::value_and_grad(27.0, 9), (Err(Failure::Named { name: "large".to_string() }), 0.0));
}

#[differentiable]
fn mean(t: &Tensor1<f64, 3>) -> Result<Tensor1<f64, 3>, usize> {
    let n = 3;
    if t.sum() < 0.0 {
        return Err(n);
    }
    Ok((t * t).exp())
}

#[differentiable]
fn norm(t: &Tensor1<f64, 3>) -> Result<f64, usize> {
    let m = mean(t)?;
    Ok(m.sum())
}

#[test]
fn tensors_in_results() {
    let t = Tensor1::from([0.1, 0.2, 0.3]);
    let (value, g) = norm::value_and_grad(&t);
    assert_eq!(value, norm(&t));
    for (g, x) in g.as_slice().iter().zip(t.as_slice()) {
        assert!((g - 2.0 * x * (x * x).exp()).abs() < 1e-12);
    }
    assert_eq!(norm::value_and_grad(&Tensor1::full(-1.0)), (Err(3), Tensor1::zeros()));
}

#[derive(Differentiable, Clone, Debug)]
struct Measured {
    value: Result<f64, String>,
    weight: f64,
}

#[differentiable]
fn weighed(m: Measured) -> Result<f64, String> {
    let value = m.value?;
    Ok(value * m.weight)
}

#[test]
fn parameters_and_fields() {
    let (value, g) = weighed::value_and_grad(Measured { value: Ok(2.0), weight: 3.0 });
    assert_eq!((value, g.value.some, g.weight), (Ok(6.0), 3.0, 2.0));
    let (value, g) = weighed::value_and_grad(Measured { value: Err("none".to_owned()), weight: 3.0 });
    assert_eq!((value, g.value.some, g.weight), (Err("none".to_owned()), 0.0, 0.0));
}

#[test]
#[should_panic(expected = "called `Result::unwrap()` on an `Err` value: \"1 by zero\"")]
fn unwrapping_an_error_panics() {
    #[differentiable]
    fn unwrapped(x: f64) -> f64 {
        quotient(x, x - 1.0).unwrap()
    }
    unwrapped::grad(1.0);
}
