//! `Option`: of what is differentiated and of what is not, as a variable, a parameter and a result.

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

/// The best so far, and where it was.
#[differentiable]
fn best(x: &[f64; 4]) -> f64 {
    let mut best: Option<f64> = None;
    let mut at: Option<usize> = None;
    for (i, v) in x.iter().enumerate() {
        let value = v * v;
        match best {
            Some(b) if b >= value => {}
            _ => {
                best = Some(value);
                at = Some(i);
            }
        }
    }
    let weight = match at {
        Some(i) => x[i].abs() + i as f64,
        None => 0.0,
    };
    best.unwrap_or(0.0) * weight
}

#[test]
fn the_best_so_far() {
    check!(best, [1.0, -3.0, 2.0, 0.5]);
    check!(best, [4.0, -3.0, 2.0, 0.5]);
}

#[differentiable]
fn methods(x: &[f64; 3]) -> f64 {
    let first = if x[0] > 0.0 { Some(x[0]) } else { None };
    let second = x[1] < 0.0;
    let other = first.map(|v| v * v).filter(|v| *v < 100.0).or(Some(x[2]));
    let mut sum = first.unwrap_or_default() + other.map_or(1.0, |v| v * x[1]);
    if first.is_none() || second {
        sum += x[2].sin();
    }
    if let Some(v) = first.and_then(|v| if v > 1.0 { Some(v.ln()) } else { None }) {
        sum *= v;
    }
    if first.is_some_and(|v| v > x[1]) {
        sum += x[1];
    }
    let pair = first.zip(other);
    let Some((a, b)) = pair else {
        return sum * 3.0;
    };
    sum + a * b + first.unwrap() - other.expect("there is one")
}

#[test]
fn methods_of_options() {
    check!(methods, [2.0, 1.5, 0.5]);
    check!(methods, [0.5, 1.5, 0.5]);
    check!(methods, [-2.0, 1.5, 0.5]);
    check!(methods, [20.0, -1.5, 0.5]);
}

#[differentiable]
fn weighted(x: f64, by: Option<f64>) -> f64 {
    match by {
        Some(w) => w * x * x,
        None => x,
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Layer {
    w: [f64; 2],
    bias: Option<f64>,
    scale: Option<[f64; 2]>,
}

#[differentiable]
fn layer(l: &Layer) -> f64 {
    let mut y = l.w[0] * 2.0 + l.w[1] * 3.0;
    if let Some(b) = l.bias {
        y += b;
    }
    if let Some([a, b]) = l.scale {
        y *= a * b;
    }
    weighted(y, l.bias) + weighted(y, Some(2.0 * y)) + weighted(y, None)
}

#[test]
fn parameters() {
    assert_eq!(weighted::grad(3.0, Some(2.0)), (12.0, OptionTangent { some: 9.0 }));
    assert_eq!(weighted::grad(3.0, None), (1.0, OptionTangent { some: 0.0 }));
    assert_eq!(weighted::jvp(3.0, Some(2.0), 1.0, &OptionTangent { some: 1.0 }), (18.0, 21.0));
    check!(layer, Layer { w: [0.5, 0.25], bias: Some(0.1), scale: None });
    check!(layer, Layer { w: [0.5, 0.25], bias: None, scale: Some([1.5, 0.5]) });
    let g = layer::grad(&Layer { w: [0.5, 0.25], bias: None, scale: None });
    assert_eq!(g.bias, OptionTangent { some: 0.0 });
}

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 {
        return None;
    }
    Some(x.sqrt())
}

#[differentiable]
fn roots(x: &[f64; 2], #[no_diff] n: Option<usize>) -> Option<f64> {
    let n = n?;
    let a = root(x[0])?;
    let mut sum = a;
    for i in 0..n {
        sum += root(x[1] + i as f64)? * a;
    }
    Some(sum)
}

#[differentiable]
fn of_roots(x: &[f64; 2]) -> f64 {
    roots(x, Some(2)).map_or(x[0], |sum| sum * sum)
}

#[test]
fn results_and_question_marks() {
    let (value, pullback) = root::vjp(4.0);
    assert_eq!((value, pullback(&OptionTangent { some: 1.0 })), (Some(2.0), 0.25));
    let (value, pullback) = root::vjp(-4.0);
    assert_eq!((value, pullback(&OptionTangent { some: 1.0 })), (None, 0.0));
    assert_eq!(root::jvp(4.0, 1.0), (Some(2.0), OptionTangent { some: 0.25 }));
    let at = [4.0, 9.0];
    let (value, pullback) = roots::vjp(&at, Some(1));
    assert_eq!((value, pullback(&OptionTangent { some: 1.0 })), (Some(8.0), [1.0, 1.0 / 3.0]));
    assert_eq!(roots::vjp(&at, None).0, None);
    assert_eq!(roots::jvp(&[4.0, -9.0], Some(1), &[1.0, 1.0]), (None, OptionTangent { some: 0.0 }));
    check!(of_roots, [4.0, 9.0]);
    check!(of_roots, [4.0, -0.5]);
    check!(of_roots, [-4.0, 9.0]);
}

fn found(i: usize) -> Option<usize> {
    (i < 4).then_some(i + 1)
}

fn rate(i: usize) -> Option<f64> {
    (i < 4).then_some(0.5 * i as f64)
}

/// `?` on what carries no derivative: a function's result, of which the `let` says the type, and a parameter.
#[differentiable]
fn looked_up(x: f64, i: usize, #[no_diff] power: Option<i32>) -> Option<f64> {
    let k: usize = found(i)?;
    let r: f64 = rate(k)?;
    let n = power?;
    Some(x.powi(n) * k as f64 + r * x)
}

/// The same in a loop, by `match` with a guard and by `if let`.
#[differentiable]
fn matched(x: &[f64; 5]) -> f64 {
    let mut s = 0.0;
    for i in 0..5 {
        let k: Option<usize> = found(i);
        s += match k {
            Some(k) if k > 2 => x[0] * k as f64,
            Some(_) => x[i],
            None => x[1] * x[1],
        };
        if let Some(k) = k {
            s += x[k % 2];
        }
    }
    s
}

#[test]
fn without_a_derivative() {
    assert_eq!(looked_up::jvp(2.0, 1, Some(2), 1.0), (Some(10.0), OptionTangent { some: 9.0 }));
    assert_eq!(looked_up::vjp(2.0, 1, Some(2)).1(&OptionTangent { some: 2.0 }), 18.0);
    for (i, power) in [(9, Some(2)), (3, Some(2)), (1, None)] {
        assert_eq!(looked_up(2.0, i, power), None);
        assert_eq!(looked_up::jvp(2.0, i, power, 1.0).1.some, 0.0);
    }
    assert_eq!(matched::grad(&[0.3, 0.6, 0.9, 0.2, 0.7]), [10.0, 4.2, 0.0, 0.0, 0.0]);
}
