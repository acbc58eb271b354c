//! `Option`s that change in their places: `take`, `replace`, `insert`, `get_or_insert_with` and borrows of what is in them.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct P {
    x: f64,
    y: f64,
}
#[derive(Differentiable, Clone, Copy, Debug)]
struct N {
    last: Option<f64>,
    p: Option<P>,
    k: f64,
}
#[derive(Differentiable, Clone, Copy, Debug)]
struct T {
    v: f64,
}
#[differentiable(order = 2)]
impl T {
    fn take(&mut self) -> f64 {
        let h = self.v / 2.0;
        self.v -= h;
        h
    }
    fn replace(&mut self, x: f64) -> f64 {
        self.v += x;
        self.v
    }
}
#[differentiable(order = 2)]
fn bump(v: &mut f64, x: f64) {
    *v = *v * x + 1.0;
}
#[differentiable(order = 2)]
fn own(x: f64) -> f64 {
    let mut t = T { v: x * x };
    let a = t.take();
    let b = t.replace(x);
    a * 10.0 + b + t.v * t.take()
}
#[differentiable(order = 2)]
fn ordered(x: f64) -> f64 {
    let mut o = Some(x);
    o.unwrap_or(0.0) + o.replace(x * x).unwrap_or(0.0) * 2.0 + o.take().unwrap_or(5.0) * 3.0 + o.unwrap_or(7.0) * x
}
#[differentiable(order = 2)]
fn ordered2(x: f64) -> f64 {
    let mut o = None;
    let a = *o.get_or_insert(x)
        + {
            o = Some(x * x);
            1.0
        }
        + o.take().unwrap_or(2.0) * *o.get_or_insert_with(|| x * 3.0);
    a * o.unwrap()
}
#[differentiable(order = 2)]
fn lent(x: f64) -> f64 {
    let mut o = Some(x);
    if let Some(v) = o.as_mut() {
        bump(v, x);
        bump(v, 2.0);
        *v *= x;
    }
    match &mut o {
        Some(v) if *v > 1e9 => *v = 0.0,
        Some(v) => {
            bump(v, x);
        }
        None => {}
    }
    o.unwrap_or(0.0)
}
#[differentiable(order = 2)]
fn looped(x: f64, #[no_diff] n: &[f64]) -> f64 {
    let mut o: Option<f64> = None;
    let mut s = 0.0;
    for a in n {
        if let Some(v) = o.as_mut() {
            bump(v, *a);
        } else {
            o = Some(x);
        }
        if *a > 2.0 {
            s += o.take().unwrap_or(0.0) * x;
        }
        let r = o.get_or_insert_with(|| x * a);
        *r += a * x;
    }
    s + o.unwrap_or(1.0)
}
#[differentiable(order = 2)]
fn arrays(x: f64, n: usize) -> f64 {
    let mut ns = [N { last: None, p: None, k: x }, N { last: Some(x), p: Some(P { x, y: 2.0 }), k: 2.0 }];
    for i in 0..n {
        let j = i % 2;
        ns[j].last.get_or_insert(x * x);
        if let Some(p) = ns[j].p.as_mut() {
            p.x *= x;
            p.y += p.x;
        }
        let t = ns[1 - j].last.take();
        ns[j].k += t.unwrap_or(0.5) * x;
    }
    ns[0].k * ns[1].k + ns[1].p.map_or(0.0, |p| p.x * p.y)
}
#[differentiable(order = 2)]
fn through(o: &mut Option<P>, x: f64) -> f64 {
    if let Some(p) = o.as_mut() {
        p.x += x;
    }
    let q = o.take();
    let r = o.replace(P { x, y: x });
    assert!(r.is_none());
    q.map_or(0.0, |q| q.x * q.y)
}
#[differentiable(order = 2)]
fn caller(x: f64) -> f64 {
    let mut o = Some(P { x: x * x, y: x });
    let a = through(&mut o, x);
    let b = through(&mut o, 3.0);
    a * b + o.as_mut().unwrap().x + {
        o.as_mut().expect("there").y *= x;
        1.0
    } * o.unwrap().y
}
#[differentiable(order = 2)]
fn whilelet(x: f64) -> f64 {
    let mut o = Some(x);
    let mut s = 0.0;
    while let Some(v) = o.take() {
        s += v;
        if v < 20.0 {
            o = Some(v * x);
        }
    }
    s
}
#[derive(Differentiable, Clone, Debug)]
struct S {
    buf: Option<Vec<f64>>,
    e: Option<(f64, f64)>,
}
#[differentiable(order = 2)]
fn lists(x: f64) -> f64 {
    let mut s = S { buf: Some(vec![x, 2.0 * x]), e: None };
    s.e.replace((x, 1.0));
    let b = s.buf.take().unwrap_or_default();
    let mut t = 0.0;
    for v in b.iter() {
        t += v * x;
    }
    if let Some((a, b)) = s.e.as_mut() {
        *a *= x;
        *b += *a;
    }
    let (a, b) = s.e.unwrap();
    t + a * b
}
#[differentiable(order = 2)]
fn chosen(x: f64, c: bool) -> f64 {
    let mut a = Some(x);
    let mut b = Some(2.0 * x);
    let r = if c { &mut a } else { &mut b };
    let t = r.take();
    t.unwrap_or(0.0) * x + a.unwrap_or(1.0) + b.unwrap_or(3.0)
}
#[differentiable(order = 2)]
fn lent_by_name(x: f64) -> f64 {
    let mut a = Some(x);
    let r = &mut a;
    r.replace(x * x);
    let q = r.as_mut();
    if let Some(v) = q {
        *v += x;
    }
    a.unwrap()
}
#[differentiable(order = 2)]
fn filled_by_effects(x: f64) -> f64 {
    let mut n = 0.0;
    let mut o: Option<f64> = None;
    for _ in 0..3 {
        *o.get_or_insert_with(|| {
            n += x;
            x * 2.0
        }) += n;
    }
    o.unwrap() * n
}
#[differentiable(order = 2)]
fn filled_by_name(x: f64) -> f64 {
    fn two() -> f64 {
        2.0
    }
    let mut o: Option<f64> = None;
    *o.get_or_insert_with(two) * x
}
#[differentiable]
fn of_data(x: f64, #[no_diff] ks: &[f64]) -> f64 {
    let mut it = ks.iter().take(2);
    let mut best: Option<usize> = None;
    for (i, k) in ks.iter().enumerate() {
        if *k > 1.0 {
            best.get_or_insert(i);
        }
    }
    let b = best.take();
    let mut s = 0.0;
    if let Some(i) = b {
        s += ks[i] * x;
    }
    if let Some(k) = it.next() {
        s += k * x;
    }
    s
}
#[differentiable(order = 2)]
fn without_a_type(x: f64) -> f64 {
    let mut prev = None;
    let mut s = 0.0;
    for i in 0..3 {
        if let Some(p) = prev {
            s += x * p;
        }
        prev.replace(x * i as f64);
    }
    s
}
#[differentiable(order = 2)]
fn question(x: f64) -> Option<f64> {
    let mut o = Some(x);
    let a = o.take()?;
    if a > 100.0 {
        o.take()?;
    }
    Some(a * a)
}
#[differentiable(order = 2)]
fn or_else(x: f64) -> f64 {
    let mut o = Some(x);
    let Some(v) = o.as_mut() else { return 0.0 };
    *v *= x;
    let Some(w) = o.take() else { return x };
    w * x
}
#[differentiable(order = 2)]
fn inserted(x: f64) -> f64 {
    let mut o = Some(x);
    let n = o.insert(x * x);
    *n += 1.0;
    let m = *n;
    o.replace(3.0);
    m * o.unwrap()
}

#[test]
fn options_change_in_their_places() {
    check!(own(x) by x = 1.7);
    check!(ordered(x) by x = 1.7);
    check!(ordered2(x) by x = 1.7);
    check!(lent(x) by x = 1.7);
    check!(caller(x) by x = 1.7);
    check!(whilelet(x) by x = 1.7);
    check!(lists(x) by x = 2.0);
    check!(lent_by_name(x) by x = 2.0);
    check!(filled_by_effects(x) by x = 2.0);
    check!(filled_by_name(x) by x = 2.0);
    check!(without_a_type(x) by x = 2.0);
    check!(or_else(x) by x = 2.0);
    check!(inserted(x) by x = 2.0);
    for n in 0..6 {
        let a = [1.0, 3.0, 2.0, 2.5, 1.5][..n.min(5)].to_vec();
        check!(looped(x, &a) by x = 1.3);
        check!(arrays(x, n) by x = 1.3);
    }
    for c in [false, true] {
        check!(chosen(x, c) by x = 2.0);
    }
    assert_eq!((chosen::grad(2.0, true), chosen::grad(2.0, false)), (6.0, 9.0));
    assert_eq!((lent_by_name::grad(2.0), filled_by_effects::grad(2.0), inserted::grad(2.0)), (5.0, 16.0, 12.0));
    assert_eq!(of_data::grad(2.0, &[0.5, 3.0, 4.0]), 3.5);
    assert_eq!(question::value_and_grad(3.0), (Some(9.0), 6.0));
}
