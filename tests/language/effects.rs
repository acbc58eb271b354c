//! What a function does besides its result: assertions and panics hold in the derivatives, too; what is printed is
//! printed by the function itself.

use crate::common::assert_gradient;
use autodiff::prelude::*;
use std::panic::catch_unwind;

/// The message of the panic in every way of calling a function of one borrowed parameter.
macro_rules! panics {
    ($f:ident, $at:expr, $message:literal) => {{
        let (at, dot) = ($at, $at);
        let message = |result: std::thread::Result<()>| {
            let payload = result.expect_err("a panic");
            let text = payload.downcast_ref::<String>().cloned();
            text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
        };
        let mut found = vec![
            message(catch_unwind(|| {
                let _ = $f(&at);
            })),
            message(catch_unwind(|| {
                let _ = $f::grad(&at);
            })),
            message(catch_unwind(|| {
                let _ = $f::vjp(&at);
            })),
            message(catch_unwind(|| {
                let _ = $f::forward(&at);
            })),
            message(catch_unwind(|| {
                let _ = $f::jvp(&at, &dot);
            })),
            message(catch_unwind(|| {
                let _ = $f::hvp(&at, &dot);
            })),
        ];
        found.retain(|text| !text.contains($message));
        assert!(found.is_empty(), "{found:?}");
    }};
}

/// Where it does not panic, derivatives are what they are.
macro_rules! holds {
    ($f:ident, $at:expr) => {{
        let at = $at;
        let g = $f::grad(&at);
        assert_gradient(&at, &g, |at| $f(at));
        let (value, pullback) = $f::vjp(&at);
        assert_eq!((value, pullback(1.0)), ($f(&at), g));
        let (value, slope) = $f::jvp(&at, &g);
        assert_eq!(value, $f(&at));
        let expected: f64 = g.iter().map(|g| g * g).sum();
        assert!((slope - expected).abs() < 1e-12 * (1.0 + expected));
    }};
}

#[differentiable(order = 2)]
fn checked(x: &[f64; 2]) -> f64 {
    assert!(x[0] > 0.0);
    assert!(x[1] < 10.0, "{} is too much, {limit} is the limit of {x:?}", x[1], limit = 10);
    debug_assert!(x.iter().all(|x| *x != 7.0), "seven");
    let scale = x[0] + x[1];
    assert_ne!(x.len(), 3);
    assert_eq!(scale, x[1] + x[0], "commutes, {scale:.precision$}", precision = 2);
    scale * scale.ln()
}

#[test]
fn assertions_hold_in_derivatives() {
    holds!(checked, [2.0, 3.0]);
    panics!(checked, [-1.0, 3.0], "assertion failed: x[0] > 0.0");
    panics!(checked, [1.0, 12.0], "is too much");
    if cfg!(debug_assertions) {
        panics!(checked, [1.0, 7.0], "seven");
    }
    panics!(checked, [1.0, f64::NAN], "is too much");
}

/// The message of a derivative shows what the function's does, if these are numbers.
#[differentiable(order = 2)]
fn shown(x: &[f64; 2]) -> f64 {
    let (a, n) = (x[0] * 2.0, x.len());
    assert!(a < 4.0, "a = {a}, {n} numbers, {:>5.1}", x[1]);
    a * x[1]
}

#[test]
fn messages_show_numbers() {
    holds!(shown, [1.5, 2.0]);
    panics!(shown, [3.0, 2.5], "a = 6, 2 numbers,   2.5");
}

/// In loops that would otherwise compute nothing, or whose result is not used.
#[differentiable(order = 2)]
fn looped(x: &[f64; 4]) -> f64 {
    for (i, v) in x.iter().enumerate() {
        assert!(*v < 100.0, "number {i} is too large");
    }
    let mut sum = 0.0;
    let mut left = 1.0;
    for v in x {
        sum += v * v;
        left *= v;
    }
    let mut twice = 0.0;
    for v in x {
        twice += v * v;
        assert!(twice < 5000.0, "the sum is too large");
    }
    assert!(left > -1e3, "the product is too small: {left}");
    sum
}

#[test]
fn assertions_in_loops() {
    holds!(looped, [1.0, 2.0, 3.0, 4.0]);
    panics!(looped, [1.0, 2.0, 200.0, 4.0], "number 2 is too large");
    panics!(looped, [50.0, 50.0, 50.0, 1.0], "the sum is too large");
    panics!(looped, [-50.0, 20.0, 20.0, 1.0], "the product is too small: -20000");
}

/// A loop whose iterations are run again by the reverse sweep.
#[differentiable(order = 2)]
fn recomputed(x: &[f64; 2]) -> f64 {
    let mut a = x[0];
    let mut steps = 0;
    while a < 10.0 {
        let mut inner = a;
        for i in 0..3 {
            assert!(inner < 1e3, "inner {i}");
            inner = inner * x[1] + 0.1;
        }
        a = inner;
        steps += 1;
        assert!(steps < 20, "too many steps: {steps}");
    }
    a * a
}

#[test]
fn assertions_in_nested_loops() {
    holds!(recomputed, [1.0, 1.3]);
    panics!(recomputed, [1.0, 0.5], "too many steps: 20");
    panics!(recomputed, [9.0, 20.0], "inner 2");
}

/// Loops that keep what is dear to compute.
#[differentiable(order = 2)]
fn dear(x: &[f64; 3]) -> f64 {
    let mut a = x[0];
    for i in 0..4 {
        let mut b = a;
        for j in 0..3 {
            b = (b * x[1]).sin() + x[2];
            assert!(b < 50.0, "{i} {j}");
            if b < -50.0 {
                panic!("{b} is too little");
            }
        }
        a = b.exp() * 0.1;
        assert!(a < 10.0, "in {i}");
    }
    a
}

#[test]
fn assertions_where_values_are_kept() {
    holds!(dear, [0.5, 1.5, 0.25]);
    panics!(dear, [0.5, 1.5, 50.0], "0 0");
    panics!(dear, [0.5, 1.5, 20.0], "in 0");
    panics!(dear, [0.5, 1.5, -60.0], "is too little");
}

/// Arms that do not come to an end.
#[differentiable(order = 2)]
fn arms(x: &[f64; 2], n: usize) -> f64 {
    let scale = match n {
        0 => x[0],
        1 => panic!("one of {} and {:?}", x[1], x),
        2 => {
            let y = x[1].exp();
            if y > 2.0 {
                unreachable!("y is {y}");
            }
            y * y
        }
        3 => todo!(),
        4 => unimplemented!("four"),
        _ => unreachable!(),
    };
    let other = if x[1] < 5.0 { 2.0 } else { panic!("too large") };
    if x[0] == 99.0 {
        panic!();
    }
    scale * other * x[1]
}

#[test]
fn arms_that_panic() {
    let f = |n: usize| move |x: &[f64; 2]| arms(x, n);
    for (n, x) in [(0, [1.0, 2.0]), (2, [1.0, 0.5])] {
        let g = arms::grad(&x, n);
        assert_gradient(&x, &g, f(n));
        assert_eq!(arms::vjp(&x, n).1(1.0), g);
    }
    let message = |n: usize, x: [f64; 2]| {
        let payload = catch_unwind(|| arms::grad(&x, n)).expect_err("a panic");
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    };
    assert_eq!(message(1, [1.0, 2.0]), "one of {} and {:?}");
    assert!(message(2, [1.0, 2.0]).contains("y is 7.3"));
    assert!(message(3, [1.0, 2.0]).contains("not yet implemented"));
    assert!(message(4, [1.0, 2.0]).contains("four"));
    assert!(message(5, [1.0, 2.0]).contains("unreachable"));
    assert_eq!(message(0, [1.0, 6.0]), "too large");
    assert!(!message(0, [99.0, 1.0]).is_empty());
}

/// Of a callee, and with tensors.
#[differentiable(order = 2)]
fn tensors(x: &Tensor1<f64, 3>) -> f64 {
    let norm: f64 = x.dot(x);
    println!("the norm is {norm:.3}");
    assert!(norm < 100.0, "{norm} is too large");
    eprintln!("done");
    x.exp().sum() * norm
}

#[differentiable(order = 2)]
fn caller(x: &[f64; 3]) -> f64 {
    let t = Tensor1::<f64, 3>::from([x[0], x[1], x[2]]);
    2.0 * tensors(&t)
}

#[test]
fn in_functions_with_tensors_and_callees() {
    holds!(caller, [0.5, 1.5, -0.5]);
    panics!(caller, [0.5, 10.0, -0.5], "100.5 is too large");
}

/// Steps that the reverse sweep runs again.
#[differentiable(order = 2)]
fn snapshots(x: &[f64; 2]) -> f64 {
    let mut a = x[0];
    #[checkpoint(3)]
    for i in 0..20 {
        a += 0.1 * (a * x[1]).sin();
        assert!(a < 5.0, "step {i}");
    }
    a * a
}

#[test]
fn assertions_between_snapshots() {
    holds!(snapshots, [0.5, 0.75]);
    panics!(snapshots, [4.95, 0.3], "step 0");
}
