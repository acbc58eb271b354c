//! Functions that make a `Vec` longer or shorter which they are lent, or one in a field of what they are lent.

use crate::harness::check;
use autodiff::prelude::*;
use std::cell::Cell;

#[differentiable(order = 2)]
fn fill(out: &mut Vec<f64>, x: f64) {
    out.push(x);
    out.push(x * x);
}

#[differentiable(order = 2)]
fn in_loop(x: f64, n: usize) -> f64 {
    let mut v = Vec::new();
    for i in 0..n {
        fill(&mut v, x * i as f64);
        if i % 2 == 0 {
            fill(&mut v, x);
        }
        v.push(x);
    }
    let mut sum = 0.0;
    for a in &v {
        sum += a * a * x;
    }
    sum + v.len() as f64 * x
}

/// One that is given numbers without a derivative.
#[differentiable(order = 2)]
fn passive(x: f64, n: usize) -> f64 {
    let mut v = Vec::new();
    fill(&mut v, 1.5);
    fill(&mut v, n as f64);
    v.iter().map(|a| a * x).sum()
}

#[differentiable(order = 2)]
fn walk(out: &mut Vec<f64>, x: f64, n: usize) -> f64 {
    if n == 0 {
        out.push(x);
        return x;
    }
    let a = walk(out, x * 0.9, n - 1);
    let b = walk(out, x * 0.5 + a, n - 1);
    if let Some(last) = out.last_mut() {
        *last *= a;
    }
    out[0] += b;
    a * b + out.len() as f64
}

#[differentiable(order = 2)]
fn tree(x: f64, n: usize) -> f64 {
    let mut v = vec![x];
    let r = walk(&mut v, x, n);
    r * v.iter().map(|a| a * a).sum::<f64>()
}

#[differentiable(order = 2)]
fn rows<const N: usize>(out: &mut Vec<[f64; N]>, x: &[f64; N]) {
    let mut y = *x;
    for i in 0..N {
        y[i] *= 2.0 * x[0];
    }
    out.push(y);
}

#[differentiable(order = 2)]
fn of_rows(x: f64, n: usize) -> f64 {
    let mut v = Vec::new();
    for i in 0..n {
        rows(&mut v, &[x, x * x, i as f64]);
    }
    v.iter().map(|a| a[0] * a[1] * (1.0 + a[2])).sum()
}

#[derive(Differentiable, Clone, Debug)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
fn pairs(x: f64, out: &mut Vec<Pair>) {
    for i in 0..2 {
        out.push(Pair { a: x, b: x * i as f64 });
    }
    out.pop();
}

#[differentiable(order = 2)]
fn of_pairs(x: f64, n: usize) -> f64 {
    let mut v = Vec::new();
    for i in 0..n {
        pairs(x * i as f64, &mut v);
    }
    let mut sum = 0.0;
    for p in &v {
        sum += p.a * p.b + p.a * x;
    }
    sum
}

#[derive(Differentiable, Clone, Debug)]
struct Tape {
    xs: Vec<f64>,
    k: f64,
}

#[differentiable(order = 2)]
impl Tape {
    fn new(k: f64) -> Self {
        Tape { xs: Vec::new(), k }
    }

    fn record(&mut self, x: f64) -> f64 {
        if x < 0.0 {
            return x;
        }
        self.xs.push(x * self.k);
        self.k *= x;
        self.k + x
    }

    fn twice(&mut self, x: f64) {
        self.record(x);
        self.record(x * x);
    }

    fn sum(&self) -> f64 {
        self.xs.iter().sum::<f64>() * self.k
    }
}

#[differentiable(order = 2)]
fn taped(x: f64, n: usize) -> f64 {
    let mut tape = Tape::new(x);
    let mut sum = 0.0;
    for i in 0..n {
        sum += tape.record(x + i as f64);
        tape.twice(x);
        if i % 2 == 1 {
            tape.record(-x);
            fill(&mut tape.xs, x);
        }
    }
    sum + tape.sum()
}

/// In the value of an operator, of a condition, of a loop's condition, and through a borrow that has a name.
#[differentiable(order = 2)]
fn counted<T: Real>(out: &mut Vec<T>, x: T) -> T {
    out.push(x);
    out.push(x * x);
    x + out[0]
}

#[differentiable(order = 2)]
fn in_expressions(x: f64) -> f64 {
    let mut v = vec![x];
    let r = &mut v;
    counted(r, x);
    r.push(x);
    let k = r.len();
    let mut sum = v.iter().sum::<f64>() + k as f64 * x;
    sum += v.len() as f64 * counted(&mut v, x) + v.len() as f64 * x;
    while counted(&mut v, x) < 5.0 && v.len() < 12 {
        sum += x * v[v.len() - 1];
    }
    let y = if counted(&mut v, x) > 0.0 { x } else { x * x };
    sum * y + v[v.len() - 1]
}

#[derive(Differentiable, Clone, Debug)]
struct Lists {
    xs: Vec<f64>,
    ys: Vec<f64>,
    k: f64,
}

#[differentiable(order = 2)]
fn both(a: &mut Vec<f64>, b: &mut Vec<f64>, x: f64) {
    for i in 0..a.len() {
        b.push(a[i] * x);
    }
    *a = vec![x, x];
    a.pop();
    std::mem::swap(a, b);
}

#[differentiable(order = 2)]
fn fields(x: f64, n: usize) -> f64 {
    let mut s = Lists { xs: vec![x], ys: vec![], k: x };
    let mut sum = 0.0;
    for _ in 0..n {
        sum += counted(&mut s.xs, s.k);
        both(&mut s.xs, &mut s.ys, s.k * x);
        s.k *= 1.1;
    }
    sum + s.xs.iter().sum::<f64>() * s.ys.iter().map(|y| y * y).sum::<f64>() + s.xs.len() as f64 * x
}

#[differentiable(order = 2)]
fn perhaps(out: &mut Vec<f64>, x: Option<f64>) -> Option<f64> {
    let Some(x) = x else {
        return None;
    };
    out.push(x);
    Some(x * x)
}

#[differentiable(order = 2)]
fn optional(x: f64) -> f64 {
    let mut v = vec![];
    let a = perhaps(&mut v, Some(x));
    let b = perhaps(&mut v, None);
    a.unwrap_or(1.0) * b.unwrap_or(3.0) + v[0]
}

#[differentiable(order = 2)]
fn jumps(x: f64, n: usize) -> f64 {
    let mut v = vec![];
    for i in 0..n {
        let r = match i % 3 {
            0 => perhaps(&mut v, Some(x)),
            1 => {
                if i > 3 {
                    continue;
                }
                perhaps(&mut v, None)
            }
            _ => {
                if i > 4 {
                    break;
                }
                Some(x)
            }
        };
        if let Some(r) = r {
            v.push(r * x);
        }
    }
    v.iter().map(|a| a * a).sum()
}

/// Closures and functions inside of the body are part of it.
#[differentiable(order = 2)]
fn inside(x: f64, n: usize) -> f64 {
    fn both(out: &mut Vec<f64>, x: f64) {
        out.push(x);
        out.push(2.0 * x);
    }
    let (mut v, mut w) = (Vec::new(), Vec::new());
    let more = |out: &mut Vec<f64>, x: f64| out.push(x * x);
    let mut add = |y: f64| {
        perhaps(&mut w, Some(y));
    };
    for i in 0..n {
        both(&mut v, x);
        more(&mut v, x * i as f64);
        add(x * i as f64);
    }
    v.iter().zip(&w).map(|(a, b)| a * a * b).sum()
}

#[differentiable(order = 2)]
fn applied(out: &mut Vec<f64>, g: impl Fn(f64) -> f64, x: f64) {
    out.push(g(x));
    out.push(x * x);
}

#[differentiable(order = 2)]
fn of_applied(x: f64, n: usize) -> f64 {
    let mut v = Vec::new();
    for _ in 0..n {
        applied(&mut v, |y| y.sin() * x, x);
    }
    v.iter().map(|a| a * a).sum()
}

mod elsewhere {
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone, Debug, Default)]
    pub struct Log {
        pub xs: Vec<f64>,
        #[no_diff]
        pub n: usize,
    }

    pub trait Record {
        fn enter(&mut self, x: f64);
    }

    #[differentiable(order = 2)]
    impl Record for Log {
        fn enter(&mut self, x: f64) {
            self.xs.push(x);
            self.n += 1;
        }
    }

    #[differentiable(order = 2)]
    pub fn more(out: &mut Vec<f64>, x: f64) -> f64 {
        super::fill(out, x);
        out[0]
    }
}

use elsewhere::{Log, Log_enter, Record, more as others};

#[differentiable(order = 2)]
fn of_another_module(x: f64, n: usize) -> f64 {
    let mut log = Log::default();
    let mut v = Vec::new();
    for _ in 0..n {
        log.enter(x);
        others(&mut v, x);
        elsewhere::more(&mut v, x * x);
    }
    log.xs.iter().sum::<f64>() * log.n as f64 + v.iter().map(|a| a * a).sum::<f64>()
}

#[test]
fn lists_get_longer_where_they_are_lent() {
    for n in 0..4 {
        check!(in_loop(x, n) by x = 0.3);
        check!(passive(x, n) by x = 0.3);
        check!(tree(x, n) by x = 0.3);
        check!(of_rows(x, n) by x = 0.3);
        check!(of_pairs(x, n) by x = 0.3);
        check!(taped(x, n) by x = 0.3);
        check!(fields(x, n) by x = 0.3);
        check!(inside(x, n) by x = 0.3);
        check!(of_applied(x, n) by x = 0.3);
        check!(of_another_module(x, n) by x = 0.3);
    }
    for n in 0..7 {
        check!(jumps(x, n) by x = 0.3);
    }
    check!(in_expressions(x) by x = 0.3);
    check!(optional(x) by x = 0.3);
}

/// A `Vec` that is another one after some iterations only, and then longer.
#[differentiable(order = 2)]
fn with_one(mut out: Vec<f64>, x: f64) -> Vec<f64> {
    out.push(x);
    out
}

#[differentiable(order = 2)]
fn sometimes(x: f64, n: usize) -> f64 {
    let mut v = vec![];
    for i in 0..n {
        if i % 3 == 0 {
            v = with_one(v, x);
        }
        v.push(x);
    }
    v.iter().map(|a| a * a).sum()
}

/// What is given to a function is read again, and what that returns.
#[differentiable(order = 2)]
fn handed_on(v: Vec<f64>, x: f64) -> (Vec<f64>, f64) {
    let w = with_one(v, x);
    let first = w[0];
    (w, first * x)
}

#[differentiable(order = 2)]
fn of_handed_on(x: f64) -> f64 {
    let (v, y) = handed_on(vec![x], x * x);
    v[0] * v[1] * y
}

#[test]
fn lists_are_sometimes_another() {
    for n in 0..6 {
        check!(sometimes(x, n) by x = 0.3);
    }
    check!(of_handed_on(x) by x = 0.3);
}

fn draw(log: &Cell<usize>) -> f64 {
    log.set(log.get() + 1);
    2.0
}

#[differentiable]
fn drawn(out: &mut Vec<f64>, x: f64, #[no_diff] log: &Cell<usize>) -> f64 {
    out.push(x * draw(log));
    x + out[0]
}

#[differentiable]
fn effects(x: f64, #[no_diff] log: &Cell<usize>) -> f64 {
    let mut v = Vec::new();
    let mut sum = x;
    for _ in 0..3 {
        sum += drawn(&mut v, sum, log);
    }
    sum + v.iter().sum::<f64>()
}

#[test]
fn effects_happen_once() {
    let log = Cell::new(0);
    // Each adds `s + 2 x` to the sum `s`, and `2 s` to the list: 15 x + 14 x + 2 (1 + 4 + 10) x
    let (value, slope) = effects::value_and_grad(0.5, &log);
    assert_eq!(log.get(), 3);
    assert_eq!(value, 0.5 * slope);
    assert_eq!(value, effects(0.5, &log));
}

/// The derivatives are those of functions that take the list and give it back.
#[test]
fn derivatives_of_the_function_itself() {
    let mut list = vec![1.0];
    fill(&mut list, 3.0);
    let (value, dot) = fill::jvp(vec![1.0], 3.0, &[0.5], 1.0);
    assert_eq!((value, dot), (list, vec![0.5, 1.0, 6.0]));
    let (_, pullback) = walk::vjp(vec![1.0], 3.0, 0);
    assert_eq!(pullback(&(vec![1.0, 10.0], 100.0)), (vec![1.0], 110.0));
    let tape = Tape { xs: vec![1.0], k: 2.0 };
    let (value, dot) = tape.record_jvp(3.0, &TapeTangent { xs: vec![0.5], k: 1.0 }, 1.0);
    assert_eq!((value.0.xs, value.1, dot.0.xs, dot.1), (vec![1.0, 6.0], 9.0, vec![0.5, 5.0], 6.0));
}
