//! Constructs in each other: jumps with values in branches in iterators, generic code, closures with state, integers of
//! every type.
#![allow(clippy::all)]

use crate::harness::{check, twins};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn labels_with_values(x: &[f64], limit: f64) -> f64 {
    let mut total = 0.0;
    'rows: for (i, row) in x.chunks(3).enumerate() {
        let kind = i % 3;
        let v = 'value: {
            match kind {
                0 => {
                    for w in row.iter() {
                        if *w > limit {
                            break 'value w * w;
                        }
                        if *w < -limit {
                            continue 'rows;
                        }
                    }
                    row[0]
                }
                1 if row.len() > 1 => {
                    let mut k = 0;
                    let found = loop {
                        if k == row.len() {
                            break row[0] * 0.5;
                        }
                        if row[k] > 1.0 {
                            break 'value row[k].sin();
                        }
                        k += 1;
                    };
                    found + total
                }
                _ => break 'rows,
            }
        };
        total = total * 0.9 + v;
    }
    total
}

#[differentiable(order = 2)]
fn while_with_everything(x: f64, y: f64, n: u32) -> f64 {
    let (mut a, mut b) = (x, y);
    let mut k = 0u32;
    let mut sign = 1;
    let result = loop {
        k += 1;
        if k > n {
            break a * b;
        }
        sign = -sign;
        (a, b) = (b, a * 0.5 + b * f64::from(sign));
        if k % 3 == 0 {
            continue;
        }
        while b.abs() > 2.0 {
            b *= 0.5;
            if a > 10.0 {
                return a + b;
            }
        }
        a += f64::from(k) * 0.1;
    };
    result + sign as f64 * x
}

#[differentiable(order = 2)]
fn integers(x: &[f64], m: u32, shift: i64, mask: u8) -> f64 {
    let n = x.len() as u32;
    let mut index = 0usize;
    let mut s = 0.0;
    for step in 0..m {
        index = (index + step as usize * 2 + 1) % x.len();
        let k = ((index as i64 + shift).rem_euclid(n as i64)) as usize;
        let weight = (step as f64 + 1.0) / f64::from(n);
        if mask & (1 << (step % 8)) != 0 {
            s += x[k] * x[index] * weight;
        } else {
            s -= x[k] * f64::from(step.pow(2));
        }
    }
    let mut bits = u64::from(mask);
    let mut count = 0;
    while bits > 0 {
        count += bits & 1;
        bits >>= 1;
    }
    let mid = x.len() / 2;
    let far = i32::abs(mid as i32 - 5) as usize % x.len();
    s * count as f64 + x[mid] * x[far] + x[usize::min(7, x.len() - 1)]
}

trait Kernel {
    const ORDER: usize;
    const SCALE: f64;
    fn weight(&self, r: f64) -> f64;
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Gauss {
    width: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Poly<const N: usize> {
    c: [f64; N],
}

#[differentiable(order = 2)]
impl Kernel for Gauss {
    const ORDER: usize = 2;
    const SCALE: f64 = 0.5;

    fn weight(&self, r: f64) -> f64 {
        (-Self::SCALE * (r / self.width).powi(2)).exp()
    }
}

#[differentiable(order = 2)]
impl<const N: usize> Kernel for Poly<N> {
    const ORDER: usize = N;
    const SCALE: f64 = 2.0;

    fn weight(&self, r: f64) -> f64 {
        let mut s = 0.0;
        for k in (0..N).rev() {
            s = s * r + self.c[k];
        }
        s * Self::SCALE + N as f64
    }
}

#[differentiable(order = 2)]
fn smoothed(g: &Gauss, p: &Poly<3>, x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, a) in x.iter().enumerate() {
        for b in &x[..i] {
            let r = (a - b).abs();
            s += if r < 1.0 { p.weight(r) } else { g.weight(r) };
        }
    }
    s
}

#[differentiable(order = 2)]
fn sized<T: Real, const R: usize, const C: usize>(a: &[[T; C]; R], x: &[T; C]) -> T {
    let mut y = [T::ZERO; R];
    for i in 0..R {
        for j in 0..C {
            y[i] += a[i][j] * x[j];
        }
    }
    let scale = T::from_usize(R * C);
    let mut s = T::ZERO;
    for (i, v) in y.iter().enumerate() {
        s += v.powi(i as i32 + 1) / scale;
    }
    s
}

#[differentiable(order = 2)]
fn sized_twice(a: &[[f64; 3]; 2], x: &[f64; 3]) -> f64 {
    let b = [[x[0], a[0][1]], [a[1][2], x[1]], [1.0, 2.0]];
    sized(a, x) * sized(&b, &[x[2], a[0][0]])
}

#[differentiable(order = 2)]
fn state_in_closures(x: &[f64], rate: f64) -> f64 {
    let mut velocity = 0.0;
    let mut trace = Vec::with_capacity(x.len());
    let mut step = |force: f64, h: f64| -> f64 {
        velocity = velocity * (1.0 - rate * h) + force * h;
        trace.push(velocity * h);
        velocity
    };
    let mut s = 0.0;
    for (i, f) in x.iter().enumerate() {
        s += if i % 2 == 0 { step(*f, 0.1) } else { step(-f, 0.2) * step(s, 0.1) };
    }
    let norm = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    s + norm(&trace) * velocity
}

#[differentiable(order = 2)]
fn simpson(a: f64, b: f64, w: f64, n: usize) -> f64 {
    let f = |x: f64| (w * x).sin() * x.exp();
    let h = (b - a) / n as f64;
    let mut sum = f(a) + f(b);
    for i in 1..n {
        let x = a + i as f64 * h;
        sum += match i % 2 {
            0 => 2.0,
            _ => 4.0,
        } * f(x);
    }
    sum * h / 3.0
}

#[differentiable(order = 2)]
fn golden_section(x: f64, y: f64) -> f64 {
    const PHI: f64 = 0.618_033_988_749_894_8;
    let f = |t: f64| (t - x).powi(2) * y + t * t * t * t;
    let (mut lo, mut hi) = (-2.0, 3.0);
    let (mut c, mut d) = (hi - PHI * (hi - lo), lo + PHI * (hi - lo));
    let (mut fc, mut fd) = (f(c), f(d));
    for _ in 0..8 {
        if fc < fd {
            hi = d;
            d = c;
            fd = fc;
            c = hi - PHI * (hi - lo);
            fc = f(c);
        } else {
            lo = c;
            c = d;
            fc = fd;
            d = lo + PHI * (hi - lo);
            fd = f(d);
        }
    }
    f(0.5 * (lo + hi)) + fc * fd
}

#[differentiable(order = 2)]
fn thomas(lower: &[f64], diagonal: &[f64], upper: &[f64], rhs: &[f64]) -> f64 {
    let n = diagonal.len();
    let mut c = vec![0.0; n];
    let mut d = vec![0.0; n];
    c[0] = upper[0] / diagonal[0];
    d[0] = rhs[0] / diagonal[0];
    for i in 1..n {
        let m = 1.0 / (diagonal[i] - lower[i - 1] * c[i - 1]);
        if i < n - 1 {
            c[i] = upper[i] * m;
        }
        d[i] = (rhs[i] - lower[i - 1] * d[i - 1]) * m;
    }
    for i in (0..n - 1).rev() {
        let next = d[i + 1];
        d[i] -= c[i] * next;
    }
    d.iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum()
}

#[differentiable(order = 2)]
fn sorted(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        let mut j = i;
        while j > 0 && y[j - 1] > y[j] {
            y.swap(j - 1, j);
            j -= 1;
        }
    }
    let median = if y.len() % 2 == 1 { y[y.len() / 2] } else { 0.5 * (y[y.len() / 2 - 1] + y[y.len() / 2]) };
    let spread: f64 = y.iter().map(|v| (v - median).abs()).sum();
    median * spread + y[0] * y[y.len() - 1]
}

#[differentiable(order = 2)]
fn returned_early(x: &[f64], n: usize) -> f64 {
    let (a, b) = if n == 0 {
        return 1.0;
    } else if n == 1 {
        (x[0], 2.0)
    } else {
        (3.0, x[1])
    };
    for (i, v) in x.iter().enumerate() {
        let (c, d) = match i {
            0 => (a, 0.5),
            1 if n > 5 => return a * v,
            _ => (0.25, b * v),
        };
        if c * d > 1.5 {
            return c + d * v;
        }
    }
    a * b
}

#[differentiable(order = 2)]
fn pair_before_the_end(x: f64, y: f64) -> (f64, f64) {
    if x > y {
        return (x, 0.0);
    }
    if y > 10.0 {
        return (1.0, y * y);
    }
    (x * y, x)
}

#[differentiable(order = 2)]
fn of_pairs(x: f64, y: f64) -> f64 {
    let (a, b) = pair_before_the_end(x, y);
    let (c, _) = pair_before_the_end(b, a * 20.0);
    a * a + b + c
}

#[differentiable(order = 2)]
fn trapezoid_by_hand(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        s += 0.5 * (y[i] + y[i - 1]) * (x[i] - x[i - 1]);
    }
    s
}

#[differentiable(order = 2)]
fn trapezoid_by_windows(x: &[f64], y: &[f64]) -> f64 {
    x.windows(2).zip(y.windows(2)).map(|(x, y)| 0.5 * (y[1] + y[0]) * (x[1] - x[0])).sum()
}

#[test]
fn jumps_and_integers() {
    let x = vec![0.3, 1.2, -0.7, 0.9, 1.4, -0.2, 0.8, -1.6, 0.5];
    for limit in [0.25, 0.6, 1.0, 5.0] {
        check!(labels_with_values(&x, limit) by [x, limit]);
    }
    for n in [0, 1, 3, 8] {
        check!(while_with_everything(x, y, n) by x = 1.3, y = -2.7);
    }
    for (m, shift, mask) in [(0, 0, 0), (5, -3, 0b1011), (9, 1 << 33, 0xff)] {
        check!(integers(&x, m, shift, mask) by x);
    }
}

#[test]
fn generic_code_and_closures() {
    let (g, p) = (Gauss { width: 0.7 }, Poly { c: [0.2, -0.4, 1.1] });
    assert_eq!((Gauss::ORDER, Poly::<3>::ORDER), (2, 3));
    check!(smoothed(&g, &p, &x) by [g, p, x = vec![0.3, 1.2, -0.8, 0.95]]);
    let a = [[0.3, 1.2, -0.7], [0.9, 1.4, -0.2]];
    check!(sized(&a, &x) by a, x = [0.5, -0.6, 0.8]);
    check!(sized_twice(&a, &x) by a, x = [0.5, -0.6, 0.8]);
    check!(state_in_closures(&x, rate) by [x = vec![0.3, 1.2, -0.7, 0.9], rate = 0.4]);
}

#[test]
fn numerical_methods() {
    check!(simpson(a, b, w, 6) by a = 0.1, b = 1.3, w = 2.0);
    check!(golden_section(x, y) by x = 0.8, y = 1.7);
    let (lower, diagonal) = (vec![0.3, -0.2], vec![2.0, 3.0, 2.5]);
    check!(thomas(&lower, &diagonal, &upper, &rhs) by [lower, diagonal, upper = vec![0.4, 0.7], rhs = vec![1.0, -2.0, 0.5]]);
    check!(sorted(&x) by x = vec![0.3, 1.2, -0.7, 0.9, -1.4]);
    check!(sorted(&x) by x = vec![0.3, 1.2, -0.7, 0.9]);
    let (x, y) = (vec![0.3, 1.2, 1.7, 2.9], vec![0.4, -0.6, 1.1, 0.2]);
    twins(&check!(trapezoid_by_hand(&x, &y) by [x, y]), &check!(trapezoid_by_windows(&x, &y) by [x, y]));
}

#[test]
fn early_returns() {
    for n in [0, 1, 2, 7] {
        check!(returned_early(&x, n) by x = vec![0.3, 1.2, -0.7, 0.9]);
        check!(returned_early(&x, n) by x = vec![3.3, 1.2, 2.7]);
    }
    for (x, y) in [(2.0, 1.0), (0.5, 1.5), (0.5, 11.5)] {
        check!(of_pairs(x, y) by x, y);
    }
}
