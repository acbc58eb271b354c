//! Where a function panics its derivatives panic, also in what is not read.
#![allow(unused)]

use crate::harness::check;
use autodiff::prelude::*;
use std::panic::catch_unwind;

const K: [f64; 2] = [1.0, 2.0];

#[differentiable(order = 2)]
fn division(x: f64, #[no_diff] n: i32) -> f64 {
    let _q = 10 / n;
    x * x
}

#[differentiable(order = 2)]
fn element(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let _q = x[n];
    x[0] * x[1]
}

#[differentiable(order = 2)]
fn stored(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let mut a = [0.0; 3];
    a[n] = x[0];
    x[0] * x[1]
}

#[differentiable(order = 2)]
fn stored_and_read(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let mut a = [0.0; 3];
    a[n] = x[0];
    a[n] * x[1]
}

#[differentiable(order = 2)]
fn open_range(x: &[f64], #[no_diff] n: usize) -> f64 {
    let _s = &x[n..];
    x[0] * x[1]
}

#[differentiable(order = 2)]
fn range(x: &[f64], #[no_diff] n: usize) -> f64 {
    let s = &x[1..n];
    let mut t = 0.0;
    for v in s {
        t += v;
    }
    t * x[0]
}

#[differentiable(order = 2)]
fn inactive_option(x: f64, #[no_diff] o: Option<f64>) -> f64 {
    let _v = o.unwrap();
    x * x
}

#[differentiable(order = 2)]
fn option(x: f64, o: Option<f64>) -> f64 {
    let _v = o.unwrap();
    x * x
}

#[differentiable(order = 2)]
fn byte(x: f64, #[no_diff] n: u8) -> f64 {
    let _m = n + 1;
    x * x
}

#[differentiable(order = 2)]
fn below_zero(x: f64, #[no_diff] n: usize) -> f64 {
    let _m = n - 1;
    x * x
}

#[differentiable(order = 2)]
fn in_a_loop(x: f64, #[no_diff] n: usize) -> f64 {
    let mut s = x;
    for i in 0..3 {
        let _d = 6 / (n - i);
        s *= x;
    }
    s
}

#[differentiable(order = 2)]
fn elements_in_a_loop(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        let _y = x[i];
        s += x[0] * i as f64;
    }
    s
}

#[differentiable(order = 2)]
fn in_a_branch(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        if i < 3 {
            s += x[i];
        } else {
            let _y = x[i];
        }
    }
    s
}

#[differentiable(order = 2)]
fn inner(x: f64) -> f64 {
    assert!(x > 0.0, "positive");
    x * x
}

#[differentiable(order = 2)]
fn callee(x: f64) -> f64 {
    let _ = inner(-x);
    x * x
}

#[differentiable(order = 2)]
fn callee_as_statement(x: f64) -> f64 {
    inner(-x);
    x * x
}

#[differentiable(order = 2)]
fn inner2(x: f64, #[no_diff] n: i32) -> f64 {
    let _z = 1 / n;
    x * x
}

#[differentiable(order = 2)]
fn callee_that_divides(x: f64, #[no_diff] n: i32) -> f64 {
    let _ = inner2(x, n);
    x * x
}

#[differentiable(order = 2)]
fn least_integer(x: f64, #[no_diff] n: i32) -> f64 {
    let k = i32::MIN;
    let _d = k / n;
    x * x
}

#[differentiable(order = 2)]
fn negation(x: f64, #[no_diff] n: i32) -> f64 {
    let _d = -n;
    let _e = n.abs();
    x * x
}

#[differentiable(order = 2)]
fn shift(x: f64, #[no_diff] n: u32) -> f64 {
    let _d = 1 << n;
    x * x
}

#[differentiable(order = 2)]
fn times_zero(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let v = *x;
    let w = v[n] * 0.0;
    if n > 100 { w } else { x[0] }
}

#[differentiable(order = 2)]
fn ends_of_a_slice(x: &[f64]) -> f64 {
    let _f = x[0];
    let _l = x.last().unwrap();
    1.0 + x.iter().sum::<f64>()
}

#[differentiable(order = 2)]
fn indices(x: &[f64], #[no_diff] idx: &[usize]) -> f64 {
    let mut s = 0.0;
    for &i in idx {
        let _v = x[i];
        s += 1.0;
    }
    s + x[0]
}

#[differentiable(order = 2)]
fn integers(x: f64, #[no_diff] n: usize) -> f64 {
    let k: [usize; 2] = [1, 2];
    let _z = k[n];
    x * x
}

#[differentiable(order = 2)]
fn constant(x: f64, #[no_diff] n: usize) -> f64 {
    let _z = K[n];
    x * x
}

#[differentiable(order = 2)]
fn inactive_slice(x: f64, #[no_diff] t: &[usize]) -> f64 {
    let _z = t[2];
    x * x
}

#[differentiable(order = 2)]
fn counter(x: f64, #[no_diff] n: i32) -> f64 {
    let mut c = 0_u8;
    for _ in 0..n {
        c += 1;
    }
    let _ = c;
    x * x
}

#[differentiable(order = 2)]
fn in_a_closure(x: f64, #[no_diff] n: i32) -> f64 {
    let _r = 7 % n;
    let c = |k: i32| 5 / k;
    let _s = c(n);
    x * x
}

#[differentiable(order = 2)]
fn split(x: &[f64], #[no_diff] n: usize) -> f64 {
    let (_a, _b) = x.split_at(n);
    x[0] * x[0]
}

#[differentiable(order = 2)]
fn chunks(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut c = 0.0;
    for w in x.chunks(n) {
        let _ = w;
        c += 1.0;
    }
    c * x[0]
}

#[differentiable(order = 2)]
fn in_a_vec(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let mut v = vec![0.0; 2];
    v[n] = x[0];
    v[0] = x[1];
    v[0] * x[0]
}

#[differentiable(order = 2)]
fn in_a_row(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let mut v = [[0.0; 2]; 2];
    v[0][n] = x[0];
    v[0][n] + x[1]
}

#[differentiable(order = 2)]
fn swap(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
    let mut a = *x;
    a.swap(0, n);
    x[0] * x[1]
}

#[differentiable(order = 2)]
fn difference(x: f64, #[no_diff] n: usize) -> f64 {
    let a = n - 5;
    let b = a + 5;
    x * b as f64
}

#[differentiable(order = 2)]
fn clamped(x: &[f64; 3]) -> f64 {
    x[0].clamp(x[1], x[2]) * x[0]
}

#[differentiable(order = 2)]
fn clamped_for_nothing(x: &[f64; 3], #[no_diff] low: f64) -> f64 {
    let _bounded = x[0].clamp(low, 1.0);
    x[0] * x[1]
}

#[differentiable(order = 2)]
fn clamped_in_a_loop(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut s = 0.0;
    for k in 0..n {
        s += f64::clamp(x[k], -1.0, 1.5 - k as f64) * x[0];
    }
    s
}

/// The function and its derivatives return with the first arguments and panic with the second.
macro_rules! panics {
    ($f:ident($($fine:expr),*), ($($wrong:expr),*), tangent $dot:expr) => {{
        $f::value_and_grad($($fine),*);
        $f::vjp($($fine),*).1(1.0);
        $f::jvp($($fine),*, $dot);
        assert!(catch_unwind(|| { $f($($wrong),*); }).is_err(), "{}", stringify!($f));
        assert!(catch_unwind(|| { $f::value_and_grad($($wrong),*); }).is_err(), "{}: value_and_grad", stringify!($f));
        assert!(catch_unwind(|| { $f::grad($($wrong),*); }).is_err(), "{}: grad", stringify!($f));
        assert!(catch_unwind(|| { let _ = $f::vjp($($wrong),*); }).is_err(), "{}: vjp", stringify!($f));
        assert!(catch_unwind(|| { $f::jvp($($wrong),*, $dot); }).is_err(), "{}: jvp", stringify!($f));
    }};
}

#[test]
fn what_is_not_read() {
    let x = [0.7, 0.8, 0.9];
    panics!(division(0.7, 1), (0.7, 0), tangent 1.0);
    panics!(element(&x, 1), (&x, 3), tangent & x);
    panics!(stored(&x, 1), (&x, 3), tangent & x);
    panics!(stored_and_read(&x, 1), (&x, 3), tangent & x);
    panics!(open_range(&x, 1), (&x, 4), tangent & x);
    panics!(range(&x, 2), (&x, 4), tangent & x);
    panics!(range(&x, 1), (&x, 0), tangent & x);
    panics!(inactive_option(0.7, Some(1.0)), (0.7, None), tangent 1.0);
    panics!(elements_in_a_loop(&x, 3), (&x, 4), tangent & x);
    panics!(in_a_branch(&x, 3), (&x, 4), tangent & x);
    panics!(callee(-0.7), (0.7), tangent 1.0);
    panics!(callee_as_statement(-0.7), (0.7), tangent 1.0);
    panics!(callee_that_divides(0.7, 1), (0.7, 0), tangent 1.0);
    panics!(least_integer(0.7, 1), (0.7, -1), tangent 1.0);
    panics!(times_zero(&x, 1), (&x, 3), tangent & x);
    panics!(ends_of_a_slice(&x), (&[0.0; 0][..]), tangent & x);
    panics!(indices(&x, &[1, 2]), (&x, &[1, 3]), tangent & x);
    panics!(integers(0.7, 1), (0.7, 2), tangent 1.0);
    panics!(constant(0.7, 1), (0.7, 2), tangent 1.0);
    panics!(inactive_slice(0.7, &[1,2,3]), (0.7, &[1]), tangent 1.0);
    panics!(in_a_closure(0.7, 3), (0.7, 0), tangent 1.0);
    panics!(split(&x, 3), (&x, 4), tangent & x);
    panics!(chunks(&x, 2), (&x, 0), tangent & x);
    panics!(in_a_vec(&x, 1), (&x, 2), tangent & x);
    panics!(in_a_row(&x, 1), (&x, 2), tangent & x);
    panics!(swap(&x, 1), (&x, 3), tangent & x);
}

#[test]
fn ends_of_a_clamp() {
    let x = [0.7, 0.8, 0.9];
    panics!(clamped(&x), (&[0.7, 0.9, 0.8]), tangent & x);
    panics!(clamped(&x), (&[0.7, f64::NAN, 0.8]), tangent & x);
    panics!(clamped(&[0.7, 0.8, 0.8]), (&[0.7, 0.8, f64::NAN]), tangent & x);
    panics!(clamped_for_nothing(&x, 0.5), (&x, 1.5), tangent & x);
    let four = [0.7, 0.8, 0.9, 1.0];
    panics!(clamped_in_a_loop(&four, 3), (&four, 4), tangent & four);
    check!(clamped(&p) by p = [0.7, 0.8, 0.9]);
}

/// With overflow checks, which a release build does not have.
#[cfg(debug_assertions)]
#[test]
fn overflow() {
    panics!(byte(0.7, 1), (0.7, 255), tangent 1.0);
    panics!(below_zero(0.7, 1), (0.7, 0), tangent 1.0);
    panics!(in_a_loop(0.7, 3), (0.7, 2), tangent 1.0);
    panics!(negation(0.7, 1), (0.7, i32::MIN), tangent 1.0);
    panics!(shift(0.7, 1), (0.7, 32), tangent 1.0);
    panics!(counter(0.7, 3), (0.7, 300), tangent 1.0);
    panics!(difference(0.7, 6), (0.7, 4), tangent 1.0);
}

#[differentiable(order = 2)]
fn of_a_search(x: f64, #[no_diff] n: usize) -> f64 {
    let v = [x, 0.5, 2.0, 3.0];
    let first = v[..n].iter().find(|e| **e > 1.0).unwrap();
    first * x
}

#[differentiable(order = 2)]
fn of_a_position(x: f64, #[no_diff] n: usize) -> f64 {
    let v = [x, 0.5, 2.0, 3.0];
    let first = v[..n].iter().position(|e| *e > 1.0).expect("a large one");
    x * first as f64
}

#[differentiable(order = 2)]
fn of_the_third(x: f64, #[no_diff] n: usize) -> f64 {
    let v = vec![x; n];
    let third = v.iter().nth(2).unwrap();
    third * x
}

#[differentiable(order = 2)]
fn of_the_last(x: f64, #[no_diff] n: usize) -> f64 {
    let v = vec![x; n];
    let last = v.iter().filter(|e| **e > 0.0).last().unwrap();
    last * x
}

#[differentiable(order = 2)]
fn behind_the_part(x: f64, #[no_diff] n: usize) -> f64 {
    let v = [x; 4];
    let part = &v[..n];
    part[2] * x
}

#[differentiable(order = 2)]
fn behind_a_part_in_a_loop(x: f64, #[no_diff] n: usize) -> f64 {
    let v = vec![x; 6];
    let mut s = 0.0;
    for k in 0..3 {
        s += v[k..k + n][1] * v[..3][k];
    }
    s
}

#[differentiable(order = 2)]
fn stored_behind(x: f64, #[no_diff] n: usize) -> f64 {
    let mut v = [x; 4];
    let part = &mut v[..n];
    part[2] = 3.0;
    v[2] * x
}

#[differentiable(order = 2)]
fn left_of_both(x: f64, #[no_diff] n: usize) -> f64 {
    let mut v = [x; 5];
    let (left, right) = v.split_at_mut(2);
    left[n] = right[n] * x;
    v[0]
}

#[differentiable(order = 2)]
fn exchanged_behind(x: f64, #[no_diff] n: usize) -> f64 {
    let mut v = [x; 5];
    v[1..3].swap(0, n);
    v[1] * x
}

#[differentiable(order = 2)]
fn first_of_none(x: f64, #[no_diff] n: usize) -> f64 {
    let v = [x; 3];
    v[..n].iter().copied().reduce(|a, b| a * b).unwrap()
}

#[differentiable(order = 2)]
fn of_other_lengths(x: f64, #[no_diff] n: usize) -> f64 {
    let mut v = [x; 3];
    v[..2].copy_from_slice(&[x, 2.0, 3.0][..n]);
    v[0] * x
}

/// An index beyond a part of an array that has more.
#[test]
fn behind_parts() {
    panics!(behind_the_part(0.7, 3), (0.7, 2), tangent 1.0);
    panics!(behind_a_part_in_a_loop(0.7, 2), (0.7, 1), tangent 1.0);
    panics!(stored_behind(0.7, 3), (0.7, 2), tangent 1.0);
    panics!(left_of_both(0.7, 1), (0.7, 2), tangent 1.0);
    panics!(exchanged_behind(0.7, 1), (0.7, 2), tangent 1.0);
    panics!(first_of_none(0.7, 1), (0.7, 0), tangent 1.0);
    panics!(of_other_lengths(0.7, 2), (0.7, 1), tangent 1.0);
    panics!(of_other_lengths(0.7, 2), (0.7, 3), tangent 1.0);
}

#[differentiable(order = 2)]
fn least(x: f64, y: f64) -> f64 {
    let v = [1.0, x, y];
    let least = v.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    least * x
}

/// `unwrap` of what is not found.
#[test]
fn nothing_found() {
    panics!(of_a_search(0.7, 3), (0.7, 2), tangent 1.0);
    panics!(of_a_position(0.7, 3), (0.7, 2), tangent 1.0);
    panics!(of_the_third(0.7, 3), (0.7, 2), tangent 1.0);
    panics!(of_the_last(0.7, 1), (0.7, 0), tangent 1.0);
    least::jvp(0.7, 0.6, 1.0, 1.0);
    assert_eq!(least::grad(0.7, 0.6), (0.6, 0.7));
    for (x, y) in [(0.7, f64::NAN), (f64::NAN, 0.7)] {
        assert!(catch_unwind(|| least(x, y)).is_err());
        assert!(catch_unwind(|| least::grad(x, y)).is_err());
        assert!(catch_unwind(|| least::vjp(x, y).0).is_err());
        assert!(catch_unwind(|| least::jvp(x, y, 1.0, 1.0)).is_err());
    }
}

fn name(n: usize) -> String {
    format!("number {n}")
}

/// What is shown is computed by functions without a derivative.
#[differentiable]
fn explained(x: f64, n: usize) -> f64 {
    let mut s = x;
    for k in 0..n {
        assert!(s < 2.0, "{} of {n} is {s}", name(k));
        if k > 3 {
            panic!("more than {}", name(3));
        }
        s *= 1.5;
    }
    s
}

#[test]
fn messages_with_calls() {
    let message = |run: &(dyn Fn() -> f64 + std::panic::RefUnwindSafe)| {
        let payload = catch_unwind(run).map_or_else(|payload| payload, |_| Box::new(String::from("no panic")));
        payload.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    for (x, n, expected) in [(1.0, 5, "number 2 of 5 is 2.25"), (0.1, 5, "more than number 3"), (0.1, 4, "no panic")] {
        assert_eq!(message(&|| explained(x, n)), expected);
        assert_eq!(message(&|| explained::grad(x, n)), expected);
        assert_eq!(message(&|| explained::vjp(x, n).1(1.0)), expected);
        assert_eq!(message(&|| explained::jvp(x, n, 1.0).1), expected);
    }
}

/// A loop that always returns, with a panic behind it.
#[differentiable(order = 2)]
fn weighted_median(keys: &[f64], weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let mut below = 0.0;
    for (k, w) in keys.iter().zip(weights) {
        below += w;
        if below >= 0.5 * total {
            return k * below / total;
        }
    }
    unreachable!()
}

#[differentiable(order = 2)]
fn assigned(x: f64, #[no_diff] n: usize) -> f64 {
    let mut y = x;
    match n {
        0 => y = panic!("none"),
        1 => y *= x,
        _ => y += if n > 5 { panic!("{n} are too many") } else { x * x * x },
    }
    y
}

#[test]
fn a_panic_in_place_of_what_is_assigned() {
    check!(weighted_median(&keys, &weights) by [keys = vec![0.3, 0.8, 1.7], weights = vec![0.5, 0.2, 0.4]]);
    for n in 1..4 {
        check!(assigned(x, n) by x = 0.7);
    }
    assert!(std::panic::catch_unwind(|| assigned::grad(0.7, 0)).is_err());
    assert!(std::panic::catch_unwind(|| assigned::grad(0.7, 6)).is_err());
}
