//! Iterators, jumps and patterns through every generated function, against differences and against the function
//! itself, which rustc compiles as it is written.
#![allow(clippy::all)]

use autodiff::prelude::*;

/// Value, both gradients and a Hessian-vector product at one point.
macro_rules! check {
    ($f:ident, $n:literal, $x:expr $(, $arg:expr)*) => {{
        let x: [f64; $n] = $x;
        let (value, g) = $f::value_and_grad(&x $(, $arg)*);
        let plain = $f(&x $(, $arg)*);
        assert!((value - plain).abs() <= 1e-12 * (1.0 + plain.abs()), "{}: {value} is not {plain}", stringify!($f));
        let (again, pullback) = $f::vjp(&x $(, $arg)*);
        assert!((again - plain).abs() <= 1e-12 * (1.0 + plain.abs()), "{}: {again} is not {plain}", stringify!($f));
        assert_eq!(pullback(1.0), g, "{}: `vjp` against `grad`", stringify!($f));
        let h = 1e-5;
        for i in 0..$n {
            let at = |step: f64| {
                let mut moved = x;
                moved[i] += step;
                $f(&moved $(, $arg)*)
            };
            let difference = (at(h) - at(-h)) / (2.0 * h);
            assert!((g[i] - difference).abs() < 1e-7 * (1.0 + difference.abs()), "{}: component {i}: {} by differences, {} by `grad`", stringify!($f), difference, g[i]);
            let mut unit = [0.0; $n];
            unit[i] = 1.0;
            let (_, forward) = $f::jvp(&x $(, $arg)*, &unit);
            assert!((forward - g[i]).abs() <= 1e-12 * (1.0 + g[i].abs()), "{}: component {i}: {forward} by `jvp`, {} by `grad`", stringify!($f), g[i]);
            let second = $f::hvp(&x $(, $arg)*, &unit);
            for j in 0..$n {
                let slope = |step: f64| {
                    let mut moved = x;
                    moved[i] += step;
                    $f::grad(&moved $(, $arg)*)[j]
                };
                let difference = (slope(h) - slope(-h)) / (2.0 * h);
                assert!((second[j] - difference).abs() < 1e-6 * (1.0 + difference.abs()), "{}: [{i}, {j}]: {} by differences, {} by `hvp`", stringify!($f), difference, second[j]);
            }
        }
    }};
}

// --- iterators ----------------------------------------------------------------------------------------------

#[differentiable]
fn squares(x: &[f64; 4]) -> f64 {
    x.iter().map(|v| v * v * v).sum()
}

#[differentiable]
fn dot<const N: usize>(x: &[f64; N], #[no_diff] y: &[f64; N]) -> f64 {
    x.iter().zip(y.iter()).map(|(a, b)| a.sin() * b).sum::<f64>() / N as f64
}

#[differentiable]
fn references(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    for v in x.iter() {
        s *= 1.0 + *v * 0.1;
    }
    for &v in x.iter() {
        s += v.exp();
    }
    for v in *x {
        s -= v.cos();
    }
    s
}

#[differentiable]
fn numbered(x: &[f64; 4]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += v.powi(2) * i as f64;
    }
    for (i, (a, b)) in x.iter().zip(x.iter().skip(1)).enumerate() {
        s += a * b * b * (i + 1) as f64;
    }
    for (i, v) in x.iter().rev().enumerate() {
        s = s * 0.5 + v * (i as f64 + 1.0);
    }
    for (i, v) in x.iter().enumerate().rev() {
        s = s * 0.7 + v * v * i as f64;
    }
    s
}

#[differentiable]
fn steps(x: &[f64; 7]) -> f64 {
    let mut s = 1.0;
    for i in (0..7).step_by(3) {
        s *= x[i];
    }
    for i in (1..6).rev().step_by(2) {
        s += x[i] * x[i - 1];
    }
    for i in 2..=4 {
        s *= 1.0 + x[i] * 0.1;
    }
    for v in x.iter().skip(1).step_by(2).take(2) {
        s += v.sin();
    }
    s + x.iter().step_by(4).map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn folds(x: &[f64; 4]) -> f64 {
    let product: f64 = x.iter().product();
    let horner = x.iter().fold(0.0, |acc, v| acc * 0.3 + v * v);
    let (sum, squares) = x.iter().fold((0.0, 0.0), |(a, b), v| (a + v, b + v * v));
    let largest = x.iter().fold(f64::NEG_INFINITY, |m, &v| m.max(v));
    let smallest = x.iter().copied().fold(f64::INFINITY, f64::min);
    product * horner + sum * squares + largest * smallest
}

#[differentiable]
fn chosen(x: &[f64; 5]) -> f64 {
    let largest = x.iter().max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let smallest = x.iter().copied().min_by(|a, b| a.total_cmp(b)).unwrap();
    let steepest = x.iter().map(|v| v * v).max_by(|a, b| b.partial_cmp(a).unwrap().reverse()).unwrap();
    let last = x.iter().last().unwrap();
    largest * largest * smallest + steepest * last
}

#[differentiable]
fn filtered(x: &[f64; 6]) -> f64 {
    let positive: f64 = x.iter().filter(|v| **v > 0.0).map(|v| v.ln()).sum();
    let even = x.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, v)| v * v).sum::<f64>();
    let head: f64 = x.iter().take_while(|v| **v > 0.0).map(|v| v * v * v).sum();
    let tail: f64 = x.iter().skip_while(|v| **v > 0.0).map(|v| v.sin()).sum();
    positive + even * head + tail
}

#[differentiable]
fn pushed(x: &[f64; 6]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().filter(|v| **v > 0.0).enumerate() {
        s += v * v * (i + 1) as f64;
    }
    for (v, w) in x.iter().filter(|v| **v > 0.0).zip(x) {
        s += v * w;
    }
    for v in x.iter().filter(|v| **v > 0.0).skip(1).take(2) {
        s *= v;
    }
    for v in x.iter().filter(|v| **v > 0.0).step_by(2) {
        s += v.cos();
    }
    s
}

#[differentiable]
fn chained(x: &[f64; 3]) -> f64 {
    let y = [x[0] * x[1], x[2]];
    let both: f64 = x.iter().chain(y.iter()).map(|v| v * v).sum();
    let round: f64 = x.iter().cycle().take(5).enumerate().map(|(i, v)| v * i as f64).sum();
    let weights = x.iter().zip(std::iter::repeat(2.0)).map(|(v, w)| v.exp() * w).sum::<f64>();
    both * round + weights + std::iter::once(x[0]).map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn nested(x: &[[f64; 3]; 2], #[no_diff] scale: f64) -> f64 {
    let mut s = 0.0;
    for row in x.iter() {
        let norm: f64 = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        for v in row {
            s += v.sin() * norm;
        }
    }
    let flat: f64 = x.iter().flatten().map(|v| v * v * v).sum();
    let flat_map: f64 = x.iter().flat_map(|row| row.iter().map(|v| v * row[0])).sum();
    s * scale + flat * flat_map
}

#[differentiable]
fn conditions(x: &[f64; 4]) -> f64 {
    let any = x.iter().any(|v| *v < 0.0);
    let all = x.iter().all(|v| *v < 10.0);
    let at = x.iter().position(|v| *v > 1.0).unwrap_or(0);
    let count = x.iter().filter(|v| **v > 0.0).count();
    let scale = if any && all { 2.0 } else { 3.0 };
    scale * x[at] * x[at] * count as f64 + x.iter().map(|v| v * v).sum::<f64>()
}

/// Names of the adapters' closures hide those around; what is generated hides none of the user's.
#[differentiable]
fn shadowed(x: &[f64; 3]) -> f64 {
    let sum = 2.0;
    let i = 1;
    let acc = x.iter().map(|x| x * sum).sum::<f64>();
    let s = x.iter().zip(x.iter().map(|x| x * x)).map(|(x, v)| x * v * x * i as f64).sum::<f64>();
    let (mut a, mut b) = (0.0, 0.0);
    for (x, y) in x.iter().zip(x.iter().rev()) {
        a += x * y;
        b += x;
    }
    acc * s + a * b * x[i] * sum
}

/// Closures with statements, captured changes and their own `return`.
#[differentiable]
fn closures(x: &[f64; 4]) -> f64 {
    let mut seen = 0.0;
    let clipped: f64 = x
        .iter()
        .map(|v| {
            if *v < 0.0 {
                return 0.1 * v;
            }
            let square = v * v;
            square + 1.0
        })
        .sum();
    x.iter().for_each(|v| seen += v * clipped);
    seen
}

/// An array is copied when it is iterated by value.
#[differentiable]
fn by_value(x: &[f64; 3]) -> f64 {
    let mut y = *x;
    let mut s = 0.0;
    for v in y {
        y[0] += v * v;
        s += v * y[0];
    }
    s + y[0]
}

#[test]
fn iterators() {
    check!(squares, 4, [1.0, -2.0, 0.5, 3.0]);
    check!(references, 4, [1.0, -2.0, 0.5, 3.0]);
    check!(numbered, 4, [1.0, -2.0, 0.5, 3.0]);
    check!(steps, 7, [1.0, -2.0, 0.5, 3.0, 0.7, -0.4, 1.2]);
    check!(folds, 4, [1.0, -2.0, 0.5, 3.0]);
    check!(chosen, 5, [1.0, -2.0, 0.5, 3.0, 1.5]);
    check!(filtered, 6, [1.0, 2.0, -0.5, 3.0, 1.5, -1.0]);
    check!(pushed, 6, [1.0, 2.0, -0.5, 3.0, 1.5, -1.0]);
    check!(chained, 3, [1.0, -2.0, 0.5]);
    check!(conditions, 4, [0.5, -2.0, 1.5, 3.0]);
    check!(conditions, 4, [0.5, 0.2, 0.5, 0.3]);
    check!(shadowed, 3, [1.0, -2.0, 0.5]);
    check!(closures, 4, [1.0, -2.0, 0.5, 3.0]);
    check!(by_value, 3, [1.0, -2.0, 0.5]);
    let (x, y) = ([0.3, -0.7, 1.1], [2.0, 0.5, -1.0]);
    let g = dot::grad(&x, &y);
    assert_eq!(dot(&x, &y), dot::value_and_grad(&x, &y).0);
    for i in 0..3 {
        assert!((g[i] - x[i].cos() * y[i] / 3.0).abs() < 1e-15);
    }
}

#[test]
fn nested_iterators() {
    let x = [[1.0, -2.0, 0.5], [0.7, 1.2, -0.4]];
    let g = nested::grad(&x, 1.5);
    assert_eq!(nested(&x, 1.5), nested::value_and_grad(&x, 1.5).0);
    for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)] {
        let at = |step: f64| {
            let mut moved = x;
            moved[i][j] += step;
            nested(&moved, 1.5)
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((g[i][j] - difference).abs() < 1e-7 * (1.0 + difference.abs()), "[{i}, {j}]");
    }
}

// --- jumps --------------------------------------------------------------------------------------------------

#[differentiable]
fn guards(x: &[f64; 3]) -> f64 {
    if x[0] < 0.0 {
        return x[1] * x[1];
    }
    let y = if x[1] > 1.0 {
        return x[0].exp() * x[2];
    } else {
        x[1] * x[2]
    };
    let z = y * x[0];
    if z > 5.0 {
        let w = z.ln();
        return w * x[0];
    } else if z < -5.0 {
        return z * z;
    }
    z.sin()
}

#[differentiable]
fn leaves(x: &[f64; 5]) -> f64 {
    let mut s = 0.0;
    for i in 0..5 {
        if i == 1 {
            continue;
        }
        if x[i] < 0.0 {
            break;
        }
        s += x[i] * x[i];
    }
    let mut p = 1.0;
    for v in x.iter() {
        p *= v;
        if p > 10.0 {
            p = p.sqrt();
            if s > 1.0 {
                continue;
            }
            p += s;
        }
        p += 0.1 * s;
    }
    s * p
}

#[differentiable]
fn labelled(x: &[f64; 4]) -> f64 {
    let mut s = 1.0;
    'rows: for i in 0..4 {
        for j in 0..4 {
            if i == j {
                continue 'rows;
            }
            if x[i] * x[j] > 5.0 {
                break 'rows;
            }
            if x[j] > 2.0 {
                break;
            }
            s += x[i] * x[j] * x[j];
        }
        s *= 1.1;
    }
    'all: for v in x.iter().filter(|v| **v > 0.0).flat_map(|v| x.iter().map(move |w| w * v)) {
        if v < 0.0 {
            continue;
        }
        s += v;
        for k in 0..3 {
            if s > 20.0 {
                break 'all;
            }
            if k == 1 {
                continue 'all;
            }
            s += 0.1 * v;
        }
    }
    s
}

#[test]
fn jumps() {
    check!(guards, 3, [-1.0, 2.0, 3.0]);
    check!(guards, 3, [1.0, 2.0, 3.0]);
    check!(guards, 3, [1.0, 0.5, 3.0]);
    check!(guards, 3, [10.0, 0.5, 3.0]);
    check!(guards, 3, [10.0, 0.5, -3.0]);
    check!(leaves, 5, [1.0, 2.0, 3.0, 2.5, 0.3]);
    check!(leaves, 5, [1.0, 2.0, -3.0, 2.5, 0.3]);
    check!(leaves, 5, [-1.0, 2.0, 3.0, 2.5, 0.3]);
    check!(labelled, 4, [1.0, 0.5, -1.0, 0.7]);
    check!(labelled, 4, [1.0, 2.5, 3.0, 0.7]);
}

// --- bounds and conditions at run time ----------------------------------------------------------------------

#[differentiable]
fn first_few(x: &[f64; 4], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i] * x[i];
    }
    s
}

#[differentiable]
fn found(x: &[f64; 5], #[no_diff] limit: f64) -> f64 {
    let mut s = 1.0;
    for (i, v) in x.iter().enumerate() {
        s *= v;
        if s > limit {
            return s * v + i as f64;
        }
        for w in x.iter().skip(i + 1) {
            if *w < 0.0 {
                return w * s;
            }
            s += 0.1 * w;
        }
    }
    s.sqrt()
}

/// Newton's method, with every way out there is.
#[differentiable]
fn newton(x: &[f64; 2], most: usize) -> f64 {
    let mut y = x[0];
    let mut steps = 0;
    let root = loop {
        if steps == most {
            break y;
        }
        let step = 0.5 * (x[1] / y - y);
        y += step;
        steps += 1;
        if step.abs() > 4.0 {
            continue;
        }
        if y < 0.0 {
            return x[0] * x[1];
        }
        if step.abs() < 1e-12 {
            break y + 0.0 * x[0];
        }
    };
    root * root * root
}

#[differentiable]
fn whiles(x: &[f64; 3]) -> f64 {
    let (mut s, mut k) = (x[0], 0);
    while s < 10.0 {
        k += 1;
        if k == 3 {
            s += x[2];
            continue;
        }
        if k > 20 {
            break;
        }
        s = s * x[1] + 0.5;
    }
    'outer: while k > 0 {
        k -= 1;
        let mut j = 0;
        while j < 3 {
            if j == k {
                continue 'outer;
            }
            if s > 1000.0 {
                break 'outer;
            }
            s += x[j] * 0.1;
            j += 1;
        }
        s *= 1.01;
    }
    s
}

#[differentiable]
fn blocks(x: &[f64; 3]) -> f64 {
    let scale = 'scale: {
        if x[0] > 2.0 {
            break 'scale x[1] * x[1];
        }
        for v in x {
            if *v < 0.0 {
                break 'scale v * x[2];
            }
        }
        x[0] + x[1]
    };
    let mut s = scale;
    'done: {
        if s > 3.0 {
            s = s.sqrt();
            if x[2] > 1.0 {
                break 'done;
            }
            s += x[2];
        }
        s *= x[0];
    }
    s * scale
}

/// Jumps in the middle of expressions: what comes before them is evaluated before.
#[differentiable]
fn amid(x: &[f64; 3]) -> f64 {
    let mut s = x[0];
    let y = s * {
        s = s * x[1];
        if s > 5.0 {
            return s * x[2];
        }
        s
    } + (if x[2] < 0.0 { return x[2] * s } else { x[2].sin() });
    let positive = y > 0.0 && (if x[1] > 3.0 { return y * y } else { x[1] > 0.0 });
    y * if positive { s } else { 2.0 }
}

#[differentiable]
fn collected(x: &[f64], n: usize) -> f64 {
    let y: Vec<f64> = x.iter().map(|v| v.sin()).collect();
    let z: Vec<f64> = x.iter().zip(&y).filter(|(v, _)| **v > 0.0).map(|(v, w)| v * w).collect();
    let mut s = 0.0;
    for (k, w) in x.windows(2).enumerate() {
        s += (w[1] - w[0]) * (w[1] - w[0]) * y[k];
    }
    for c in x.chunks(n) {
        s += c.iter().product::<f64>();
    }
    for c in x.chunks_exact(n).rev().step_by(2) {
        s *= 1.0 + 0.1 * c.iter().sum::<f64>();
    }
    s + z.iter().sum::<f64>()
}

#[differentiable]
fn in_place(x: &[f64; 4]) -> f64 {
    let mut y = *x;
    for v in y.iter_mut() {
        *v = *v * *v;
    }
    for (i, v) in y.iter_mut().enumerate().skip(1) {
        *v += x[i - 1] * i as f64;
    }
    for (v, w) in y.iter_mut().zip(x.iter().rev()) {
        if *w < 0.0 {
            continue;
        }
        *v *= w;
    }
    for v in &mut y {
        *v = v.sin();
    }
    y.iter().sum()
}

#[test]
fn at_run_time() {
    check!(first_few, 4, [1.0, -2.0, 0.5, 3.0], 3);
    check!(found, 5, [1.0, 2.0, 0.5, 3.0, 0.7], 100.0);
    check!(found, 5, [1.0, 2.0, 0.5, 3.0, 0.7], 1.8);
    check!(found, 5, [1.0, 2.0, 0.5, -3.0, 0.7], 100.0);
    check!(newton, 2, [1.0, 2.0], 40);
    check!(newton, 2, [1.0, 2.0], 3);
    check!(newton, 2, [-1.0, 2.0], 3);
    check!(newton, 2, [0.2, 2.0], 5);
    check!(whiles, 3, [1.0, 2.0, 0.5]);
    check!(whiles, 3, [1.0, 0.5, 0.5]);
    check!(whiles, 3, [20.0, 0.5, 0.5]);
    check!(blocks, 3, [1.0, 2.1, 0.5]);
    check!(blocks, 3, [0.5, 2.0, 0.5]);
    check!(blocks, 3, [2.5, 2.0, 0.5]);
    check!(blocks, 3, [2.5, 2.0, 1.5]);
    check!(blocks, 3, [1.0, -2.0, 0.5]);
    check!(amid, 3, [1.0, 2.0, 0.5]);
    check!(amid, 3, [3.0, 2.0, 0.5]);
    check!(amid, 3, [1.0, 2.0, -0.5]);
    check!(amid, 3, [1.0, 3.5, 0.5]);
    check!(in_place, 4, [1.0, -2.0, 0.5, 3.0]);
    let x = [0.4, -0.7, 1.1, 0.3, 2.0];
    let g = collected::grad(&x, 2);
    for i in 0..5 {
        let at = |step: f64| {
            let mut moved = x;
            moved[i] += step;
            collected(&moved, 2)
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((g[i] - difference).abs() < 1e-7, "{i}: {} is not {difference}", g[i]);
    }
}

// --- patterns -----------------------------------------------------------------------------------------------

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Scaled(f64),
    Shifted { by: f64, twice: bool },
}

const LIMIT: usize = 7;

#[differentiable]
fn numbers(x: &[f64; 3], n: usize, k: i32, #[no_diff] level: f64) -> f64 {
    let a = match n {
        0 => x[0] * x[1],
        1 | 2 => x[1].sin(),
        m @ 3..=5 => x[2] * m as f64,
        LIMIT => 3.0 * x[0],
        m if m % 2 == 0 => x[0].exp(),
        _ => x[0] + x[1] * x[2],
    };
    let b = match (k, n > 2) {
        (-1, _) => x[0],
        (0, true) => x[1] * a,
        (0, false) => x[2] * a,
        (i, deep) => {
            let mut s = x[0];
            if deep {
                s *= i as f64;
            }
            s
        }
    };
    let mut c = 1.0;
    match level {
        ..0.0 => c = x[0] * b,
        0.0..1.0 => c += x[1] * b,
        1.0 => {
            c = b;
            c *= c;
        }
        _ => {}
    }
    a * b + c * x[1]
}

#[differentiable]
fn inactive(x: &[f64; 3], #[no_diff] kind: Kind, #[no_diff] at: Option<usize>, #[no_diff] pair: &(usize, Kind)) -> f64 {
    let y = match kind {
        Kind::Plain => x[0] * x[0],
        Kind::Scaled(s) if s > 10.0 => x[0],
        Kind::Scaled(s) => x[1] * x[1] * s,
        Kind::Shifted { by, twice: true } => (x[2] + 2.0 * by) * x[2],
        Kind::Shifted { by, .. } => (x[2] + by) * x[2],
    };
    let z = if let Some(k) = at { x[k] * y } else { y * y };
    let Some(k) = at else {
        return z * x[0];
    };
    let w = match pair {
        (n, Kind::Plain | Kind::Shifted { .. }) => x[*n],
        (_, Kind::Scaled(s)) => x[0] * *s,
    };
    let far = matches!(kind, Kind::Scaled(s) if s > 1.0) || k > 1;
    z * w + if far { x[1] * k as f64 } else { x[2] }
}

#[differentiable]
fn orders(x: &[f64; 3], n: usize) -> f64 {
    use std::cmp::Ordering;
    let mut s = 0.0;
    for i in 0..3 {
        s += match i.cmp(&n) {
            Ordering::Less => x[i],
            Ordering::Equal => x[i] * x[i],
            Ordering::Greater => x[i].sin(),
        };
    }
    match x[0].partial_cmp(&x[1]) {
        Some(Ordering::Less) => s * x[2],
        Some(Ordering::Equal | Ordering::Greater) => s * s,
        None => 0.0,
    }
}

#[test]
fn patterns() {
    let x = [1.0, -2.0, 0.5];
    for n in 0..10 {
        for k in -1..3 {
            for level in [-0.5, 0.5, 1.0, 2.0] {
                check!(numbers, 3, x, n, k, level);
            }
        }
    }
    for kind in [
        Kind::Plain,
        Kind::Scaled(0.5),
        Kind::Scaled(11.0),
        Kind::Shifted { by: 0.3, twice: true },
        Kind::Shifted { by: 0.3, twice: false },
    ] {
        for at in [None, Some(0), Some(2)] {
            check!(inactive, 3, x, kind, at, &(1, kind));
        }
    }
    for n in 0..4 {
        check!(orders, 3, x, n);
        check!(orders, 3, [-1.0, 2.0, 0.5], n);
    }
}

// --- closures -----------------------------------------------------------------------------------------------

#[differentiable]
fn called(x: &[f64; 3]) -> f64 {
    let scale = x[0];
    let f = |a: f64, b| a * b * scale;
    let clamp = |v: f64| -> f64 {
        if v > 4.0 {
            return 4.0;
        }
        v
    };
    let scale = 2.0;
    let twice = |v| f(v, scale);
    f(x[1], x[2]) + clamp(twice(x[1])) + (|v: f64| v * v)(x[2]) + x.iter().map(|v| twice(*v)).sum::<f64>()
}

#[differentiable]
fn counters(x: &[f64; 3], n: usize) -> f64 {
    let mut s = 0.0;
    let mut calls = 0;
    let mut add = |v: f64| {
        calls += 1;
        s += v * calls as f64;
    };
    add(x[0]);
    for i in 0..n {
        if i % 2 == 0 {
            add(x[i % 3] * x[0]);
        }
    }
    add(x[2]);
    let mut k = x[1];
    let next = move || {
        k *= 2.0;
        k
    };
    let mut next = next;
    let a = next() * next();
    k += 1.0;
    a * k + s * calls as f64
}

#[differentiable]
fn root(x: &[f64; 2]) -> f64 {
    let f = |y: f64| y * y * y - x[0] * y - x[1];
    let slope = |y: f64| 3.0 * y * y - x[0];
    let mut y = 2.0;
    for _ in 0..30 {
        let step = f(y) / slope(y);
        y -= step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    y
}

#[test]
fn closures_of_the_function() {
    check!(called, 3, [1.0, -2.0, 0.5]);
    check!(called, 3, [1.0, 2.5, 0.5]);
    for n in [0, 1, 5] {
        check!(counters, 3, [1.0, -2.0, 0.5], n);
    }
    check!(root, 2, [1.0, 2.0]);
}

/// What a pattern binds may come out of branches that jump.
#[differentiable]
fn taken_out(x: &[f64; 3], #[no_diff] at: Option<usize>, #[no_diff] scale: Result<f64, u8>) -> f64 {
    let mut s = 0.0;
    for v in x {
        let k = match at {
            Some(k) => k,
            None => continue,
        };
        let Ok(scale) = scale else { break };
        s += v * x[k] * scale;
    }
    s + x[0] * x[1]
}

#[test]
fn taken_out_of_branches() {
    for at in [None, Some(1), Some(2)] {
        for scale in [Ok(1.5), Err(3)] {
            check!(taken_out, 3, [1.0, -2.0, 0.5], at, scale);
        }
    }
}

// --- what has no derivative ---------------------------------------------------------------------------------

#[differentiable]
fn spoken(x: &[f64; 3], n: usize) -> f64 {
    use std::f64::consts::PI as HALF_TURN;
    const THREE: usize = 3;
    assert!(x[0] > -5.0, "{} is too small", x[0]);
    debug_assert_eq!(x.len(), THREE);
    let scale = match n % THREE {
        0 => HALF_TURN,
        1 => 0.5,
        2 => x[0],
        _ => unreachable!("remainders are less than {THREE}"),
    };
    let mut y = [0.0; THREE];
    for (v, w) in y.iter_mut().zip(x) {
        *v = w * scale;
    }
    let product = dbg!(y[0] * y[1]);
    if product > -100.0 { product * y[2] } else { unreachable!() }
}

#[test]
fn without_derivative() {
    for n in 0..3 {
        check!(spoken, 3, [1.0, -2.0, 0.5], n);
    }
    assert!(std::panic::catch_unwind(|| spoken(&[-6.0, 0.0, 0.0], 0)).is_err());
}
