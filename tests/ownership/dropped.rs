//! Values that are computed before a branch, a call or a loop that does not use them: they add nothing to a derivative, also
//! where their own is infinite.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn before_a_branch(x: f64) -> f64 {
    let r = x.sqrt();
    if x > 0.0 { r } else { 0.0 }
}

#[differentiable(order = 2)]
fn a_chain(x: f64) -> f64 {
    let r = x.sqrt();
    let q = r * x + 2.0 * r;
    if x > 0.0 { q * q } else { 3.0 * x }
}

#[differentiable(order = 2)]
fn two_branches(x: f64, c: f64) -> f64 {
    let r = x.sqrt();
    let a = if c > 1.0 { r } else { 0.0 };
    let b = if c > 2.0 { r * r } else { x };
    a + b
}

#[differentiable(order = 2)]
fn nested(x: f64, c: f64) -> f64 {
    let r = (x * 2.0).sqrt();
    if c > 0.0 { if c > 1.0 { r } else { x } } else { c }
}

#[differentiable(order = 2)]
fn early(x: f64) -> f64 {
    let r = x.ln();
    if x <= 0.0 {
        return 2.0 * x;
    }
    r * r
}

#[differentiable(order = 2)]
fn matched(x: f64, #[no_diff] k: usize) -> f64 {
    let r = x.sqrt();
    let q = 1.0 / x;
    match k {
        0 => r,
        1 => q,
        2 => r * q,
        _ => x,
    }
}

#[differentiable(order = 2)]
fn optional(x: f64) -> f64 {
    let r = x.sqrt();
    let o = if x > 0.0 { Some(r) } else { None };
    match o {
        Some(r) => r * 2.0,
        None => x,
    }
}

#[test]
fn branches() {
    assert_eq!((before_a_branch::grad(0.0), before_a_branch::hvp(0.0, 1.0)), (0.0, 0.0));
    assert_eq!((before_a_branch::vjp(0.0).1(1.0), before_a_branch::jvp(0.0, 1.0)), (0.0, (0.0, 0.0)));
    assert_eq!((before_a_branch::grad(4.0), before_a_branch::hvp(4.0, 1.0)), (0.25, -0.03125));
    assert_eq!((a_chain::grad(0.0), a_chain::hvp(0.0, 1.0), a_chain::vjp(-1.0).1(1.0)), (3.0, 0.0, 3.0));
    assert_eq!((two_branches::grad(0.0, 0.0), two_branches::hvp(0.0, 0.0, 1.0, 0.0)), ((1.0, 0.0), (0.0, 0.0)));
    assert_eq!((nested::grad(0.0, 0.5), nested::grad(0.0, -1.0)), ((1.0, 0.0), (0.0, 1.0)));
    assert_eq!(nested::hvp(0.0, 0.5, 1.0, 1.0), (0.0, 0.0));
    assert_eq!((early::grad(0.0), early::grad(-1.0), early::hvp(0.0, 1.0)), (2.0, 2.0, 0.0));
    assert_eq!((matched::grad(0.0, 5), matched::hvp(0.0, 5, 1.0)), (1.0, 0.0));
    assert_eq!((optional::grad(0.0), optional::hvp(0.0, 1.0)), (1.0, 0.0));
    check!(before_a_branch(x) by x = 2.0);
    check!(a_chain(x) by x = 2.0);
    check!(two_branches(x, c) by x = 4.0, c = 3.0);
    check!(two_branches(x, c) by x = 4.0, c = 1.5);
    check!(nested(x, c) by x = 2.0, c = 2.0);
    check!(early(x) by x = 1.7);
    check!(optional(x) by x = 3.0);
    for k in 0..4 {
        check!(matched(x, k) by x = 4.0);
    }
}

/// A cotangent that is zero by chance is no such: its product counts.
#[differentiable(order = 2)]
fn zero_by_chance(x: f64, y: f64) -> f64 {
    let r = x * y;
    let q = r * r;
    if y > 0.0 { q } else { 0.0 }
}

#[test]
fn chance() {
    assert_eq!((zero_by_chance::grad(0.0, 2.0), zero_by_chance::hvp(0.0, 2.0, 1.0, 0.0)), ((0.0, 0.0), (8.0, 0.0)));
    check!(zero_by_chance(x, y) by x = 0.0, y = 2.0);
}

#[differentiable(order = 2)]
fn each(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        let r = x[i].sqrt();
        if x[i] > 0.0 {
            s += r;
        }
    }
    s
}

#[differentiable(order = 2)]
fn each_of_slice(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        let r = v.ln();
        if *v > 0.0 {
            s += r;
        }
    }
    s
}

#[differentiable(order = 2)]
fn whole(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        s += x[i].sqrt();
    }
    if s > 4.0 { s } else { x[0] * x[1] }
}

#[differentiable(order = 2)]
fn overwritten(x: &[f64; 4]) -> f64 {
    let mut last = 0.0;
    for i in 0..4 {
        last = x[i].sqrt();
    }
    last * last * last
}

#[differentiable(order = 2)]
fn sometimes(x: f64, y: &[f64; 4]) -> f64 {
    let r = x.sqrt();
    let mut s = 0.0;
    for i in 0..4 {
        if y[i] > 10.0 {
            s += r * y[i];
        } else {
            s += y[i];
        }
    }
    s
}

#[differentiable(order = 2)]
fn sometimes_while(x: f64, y: &[f64; 4]) -> f64 {
    let r = x.sqrt();
    let mut s = 0.0;
    let mut i = 0;
    while i < 4 {
        if y[i] > 10.0 {
            s += r * y[i];
        } else {
            s += y[i];
        }
        i += 1;
    }
    s
}

#[differentiable(order = 2)]
fn carried(x: &[f64; 4]) -> f64 {
    let mut v = 1.0;
    for i in 0..4 {
        let t = x[i].sqrt();
        if x[i] > 1.5 {
            v *= t;
        }
    }
    v * v
}

#[differentiable(order = 2)]
fn carried_and_dropped(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    let mut t = 1.0;
    for i in 0..4 {
        t = t * 0.5 + x[i].sqrt();
        s += if x[i] > 2.5 { t } else { x[i] };
    }
    if x[0] > 100.0 { t * s } else { s }
}

#[differentiable(order = 2)]
fn from_snapshots(x: &[f64; 4]) -> f64 {
    let mut h = 1.0;
    #[checkpoint(2)]
    for i in 0..4 {
        let a = x[i].sqrt();
        let b = if x[i] > 0.0 { a } else { 0.5 };
        h *= b.sin();
    }
    if h > 0.3 { h } else { x[3] }
}

#[differentiable(order = 2)]
fn elements(x: &[f64; 4]) -> f64 {
    let mut r = [0.0; 4];
    for i in 0..4 {
        r[i] = x[i].sqrt();
    }
    if x[0] > 0.0 { r[0] + r[1] * r[2] } else { x[3] }
}

#[test]
fn loops() {
    let (z, one) = ([0.0, 1.0, -1.0, 4.0], [1.0; 4]);
    for gradient in [each::grad(&z), each::vjp(&z).1(1.0)] {
        assert_eq!(gradient, [0.0, 0.5, 0.0, 0.25]);
    }
    assert_eq!(each::hvp(&z, &one), [0.0, -0.25, 0.0, -0.03125]);
    assert_eq!(
        (each_of_slice::grad(&z), each_of_slice::vjp(&z).1(1.0)),
        (vec![0.0, 1.0, 0.0, 0.25], vec![0.0, 1.0, 0.0, 0.25])
    );
    assert_eq!(each_of_slice::hvp(&z, &one), [0.0, -1.0, 0.0, -0.0625]);
    assert_eq!((whole::grad(&z), whole::hvp(&[0.0; 4], &one)), ([1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]));
    assert_eq!((overwritten::grad(&z), overwritten::hvp(&z, &one)), ([0.0, 0.0, 0.0, 3.0], [0.0, 0.0, 0.0, 0.375]));
    assert_eq!((sometimes::grad(0.0, &z), sometimes::hvp(0.0, &z, 1.0, &one)), ((0.0, one), (0.0, [0.0; 4])));
    assert_eq!(sometimes_while::grad(0.0, &z), (0.0, one));
    assert_eq!((carried::grad(&z), carried::hvp(&z, &one)), ([0.0, 0.0, 0.0, 1.0], [0.0; 4]));
    assert_eq!(carried_and_dropped::grad(&[0.0, 1.0, 0.0, 1.0]), [1.0; 4]);
    assert_eq!(
        (from_snapshots::grad(&[0.0; 4]), from_snapshots::hvp(&[0.0; 4], &one)),
        ([0.0, 0.0, 0.0, 1.0], [0.0; 4])
    );
    assert_eq!((elements::grad(&z), elements::hvp(&z, &one)), ([0.0, 0.0, 0.0, 1.0], [0.0; 4]));
    check!(each(&x) by x = [0.5, 1.5, 2.0, 3.0]);
    check!(each_of_slice(&x) by x = [0.5, 1.5, 2.0, 3.0]);
    check!(whole(&x) by x = [0.5, 1.5, 2.0, 3.0]);
    check!(overwritten(&x) by x = [0.5, 1.5, 2.0, 3.0]);
    check!(sometimes(x, &y) by x = 4.0, y = [20.0, 1.0, 11.0, 12.0]);
    check!(sometimes_while(x, &y) by x = 4.0, y = [20.0, 1.0, 11.0, 12.0]);
    check!(carried(&x) by x = [0.5, 1.6, 2.0, 3.0]);
    check!(carried_and_dropped(&x) by x = [0.5, 2.8, 2.0, 3.0]);
    check!(carried_and_dropped(&x) by x = [101.0, 2.8, 2.0, 3.0]);
    check!(from_snapshots(&x) by x = [0.5, 1.6, 2.0, 3.0]);
    check!(elements(&x) by x = [0.5, 1.6, 2.0, 3.0]);
}

#[differentiable(order = 2)]
fn root(x: f64) -> f64 {
    x.sqrt()
}

#[differentiable(order = 2)]
fn of_a_call(x: f64) -> f64 {
    let r = root(x);
    if x > 0.0 { r } else { x }
}

#[differentiable(order = 2)]
fn scale(v: &mut [f64; 2], by: f64) {
    v[0] /= by;
    v[1] *= by.sqrt();
}

#[differentiable(order = 2)]
fn of_a_change(x: f64, v: &[f64; 2]) -> f64 {
    let mut w = *v;
    scale(&mut w, x);
    if x > 0.0 { w[0] + w[1] } else { v[0] * v[1] }
}

#[differentiable(order = 2)]
fn of_tensors(x: &Tensor2<f64, 2, 2>, c: f64) -> f64 {
    let r = x.recip();
    let m = r.matmul(&r);
    let s = x.sqrt().norm();
    if c > 0.0 { m.sum() * s } else { c * x.sum() }
}

#[test]
fn calls_and_kernels() {
    assert_eq!((of_a_call::grad(0.0), of_a_call::hvp(0.0, 1.0), of_a_call::vjp(0.0).1(1.0)), (1.0, 0.0, 1.0));
    assert_eq!(of_a_change::grad(0.0, &[1.0, 2.0]), (0.0, [2.0, 1.0]));
    assert_eq!(of_a_change::hvp(0.0, &[1.0, 2.0], 1.0, &[1.0, 1.0]), (0.0, [1.0, 1.0]));
    assert_eq!(of_tensors::grad(&Tensor2::zeros(), -1.0), (Tensor2::full(-1.0), 0.0));
    assert_eq!(of_tensors::hvp(&Tensor2::zeros(), -1.0, &Tensor2::ones(), 1.0), (Tensor2::ones(), 4.0));
    check!(of_a_call(x) by x = 2.0);
    check!(of_a_change(x, &v) by x = 2.0, v = [1.0, 2.0]);
    check!(of_tensors(&x, c) by x = Tensor2::from([[1.0, 2.0], [3.0, 0.5]]), c = 1.0);
}
