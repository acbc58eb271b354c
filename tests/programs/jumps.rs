//! Ways out of loops, blocks and functions, and bounds and conditions at run time.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
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

#[differentiable(order = 2)]
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

#[differentiable(order = 2)]
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
    check!(guards(&x) by x = [-1.0, 2.0, 3.0]);
    check!(guards(&x) by x = [1.0, 2.0, 3.0]);
    check!(guards(&x) by x = [1.0, 0.5, 3.0]);
    check!(guards(&x) by x = [10.0, 0.5, 3.0]);
    check!(guards(&x) by x = [10.0, 0.5, -3.0]);
    check!(leaves(&x) by x = [1.0, 2.0, 3.0, 2.5, 0.3]);
    check!(leaves(&x) by x = [1.0, 2.0, -3.0, 2.5, 0.3]);
    check!(leaves(&x) by x = [-1.0, 2.0, 3.0, 2.5, 0.3]);
    check!(labelled(&x) by x = [1.0, 0.5, -1.0, 0.7]);
    check!(labelled(&x) by x = [1.0, 2.5, 3.0, 0.7]);
}

#[differentiable(order = 2)]
fn first_few(x: &[f64; 4], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i] * x[i];
    }
    s
}

#[differentiable(order = 2)]
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
#[differentiable(order = 2)]
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

#[differentiable(order = 2)]
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

#[differentiable(order = 2)]
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
#[differentiable(order = 2)]
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

#[differentiable(order = 2)]
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

#[differentiable(order = 2)]
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
    check!(first_few(&x, 3) by x = [1.0, -2.0, 0.5, 3.0]);
    check!(found(&x, 100.0) by x = [1.0, 2.0, 0.5, 3.0, 0.7]);
    check!(found(&x, 1.8) by x = [1.0, 2.0, 0.5, 3.0, 0.7]);
    check!(found(&x, 100.0) by x = [1.0, 2.0, 0.5, -3.0, 0.7]);
    check!(newton(&x, 40) by x = [1.0, 2.0]);
    check!(newton(&x, 3) by x = [1.0, 2.0]);
    check!(newton(&x, 3) by x = [-1.0, 2.0]);
    check!(newton(&x, 5) by x = [0.2, 2.0]);
    check!(whiles(&x) by x = [1.0, 2.0, 0.5]);
    check!(whiles(&x) by x = [1.0, 0.5, 0.5]);
    check!(whiles(&x) by x = [20.0, 0.5, 0.5]);
    check!(blocks(&x) by x = [1.0, 2.1, 0.5]);
    check!(blocks(&x) by x = [0.5, 2.0, 0.5]);
    check!(blocks(&x) by x = [2.5, 2.0, 0.5]);
    check!(blocks(&x) by x = [2.5, 2.0, 1.5]);
    check!(blocks(&x) by x = [1.0, -2.0, 0.5]);
    check!(amid(&x) by x = [1.0, 2.0, 0.5]);
    check!(amid(&x) by x = [3.0, 2.0, 0.5]);
    check!(amid(&x) by x = [1.0, 2.0, -0.5]);
    check!(amid(&x) by x = [1.0, 3.5, 0.5]);
    check!(in_place(&x) by x = [1.0, -2.0, 0.5, 3.0]);
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
