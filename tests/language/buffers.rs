//! Arrays and `Vec`s that change places, are copied into one another and are taken; and constructs that users wrote beside them.

use autodiff::check_grads;
use autodiff::prelude::*;

/// Two arrays in turn, one of which is what a closure takes by value: they stay arrays.
#[differentiable]
fn in_turn(p: &[f64; 4]) -> f64 {
    let mut s = [[p[2], p[1]], [p[0], 0.1]];
    let scaled = |x: [[f64; 2]; 2]| {
        let mut z = [[0.0; 2]; 2];
        for i in 0..2 {
            for k in 0..2 {
                z[i][k] += x[k][i] * p[3];
            }
        }
        z
    };
    for it in [11, 8, 5, 2] {
        let mut next = scaled(s);
        next[1][1] += 0.001 * it as f64;
        std::mem::swap(&mut s, &mut next);
    }
    s[0][0] + s[1][1] * s[0][1]
}

/// What is taken of an array leaves zeros, and of a `Vec` nothing.
#[differentiable]
fn taken(x: &[f64; 4], d: f64) -> f64 {
    let mut array = *x;
    array[0] *= d;
    let of_array = std::mem::take(&mut array);
    array[1] += d;
    let mut list = x.to_vec();
    let of_list = std::mem::take(&mut list);
    array[1] * of_array[0] + of_list[3] * d + array.len() as f64 * d + list.len() as f64
}

/// `Vec`s of different lengths that are copies of arrays.
#[differentiable]
fn exchanged(x: &[f64; 4], d: f64) -> f64 {
    let (mut u, mut v) = (x.to_vec(), x[1..].to_vec());
    std::mem::swap(&mut u, &mut v);
    let mut w = v.clone();
    w = std::mem::replace(&mut u, w);
    u[3] * v[3] * d + u.len() as f64 * d + w.len() as f64 * w[0]
}

#[allow(clippy::vec_init_then_push, reason = "pushes are what is tested")]
#[differentiable]
fn as_lists(x: &[f64; 3]) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    rows.push(x.to_vec());
    rows.push(Vec::from(*x));
    rows.push(vec![x[0] * x[1]]);
    rows
}

#[differentiable]
fn levels(x: &[f64; 3]) -> f64 {
    let mut levels: Vec<Vec<f64>> = vec![x.to_vec()];
    while levels.last().unwrap().len() > 1 {
        let last = &levels[levels.len() - 1];
        let next: Vec<f64> = last.windows(2).map(|w| w[0] * w[1] + 0.5).collect();
        levels.push(next);
    }
    levels.iter().map(|level| level.iter().sum::<f64>()).product()
}

#[differentiable]
fn copied_within(x: &[f64; 6]) -> f64 {
    let mut y = *x;
    y.copy_within(1..4, 2);
    y.copy_within(..2, 4);
    y[2..].copy_within(1.., 0);
    y.iter().enumerate().map(|(i, v)| v * v * i as f64).sum()
}

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Stack {
    n: usize,
    sum: f64,
}

#[differentiable]
impl Stack {
    fn push(&mut self, x: f64) -> f64 {
        self.sum = 0.5 * self.sum + x;
        self.n += 1;
        self.sum
    }
    fn insert(&mut self, x: f64) {
        self.sum += 2.0 * x;
    }
}

/// `push` is a method of the struct, and not that of a `Vec`.
#[differentiable]
fn own_methods(x: &[f64; 3]) -> f64 {
    let mut stack = Stack::default();
    let y = stack.push(x[0]) * stack.push(x[1]);
    stack.insert(x[2]);
    let other = Stack { sum: x[1], ..Default::default() };
    y * stack.sum + other.sum * (stack.n + other.n) as f64
}

#[differentiable]
fn ends(all: &[Stack; 3], #[no_diff] k: usize) -> f64 {
    all.last().map_or(0.0, |last| last.sum) * all.first().unwrap().sum + all.get(k).map_or(2.0, |other| other.sum)
}

#[differentiable]
fn left_with(x: f64) -> f64 {
    let mut t = 0.0;
    let mut n = 0;
    let hit = loop {
        t += x;
        n += 1;
        if t < 0.0 {
            break None;
        }
        if t > 2.0 {
            break Some((t * x, n));
        }
    };
    match hit {
        Some((a, n)) => a * n as f64,
        None => 0.0,
    }
}

#[differentiable]
fn power(x: f64, #[no_diff] text: &str) -> Result<f64, std::num::ParseIntError> {
    let n: u32 = text.trim().parse()?;
    Ok(x.powi(n as i32))
}

#[test]
fn arrays_that_change_places() {
    check_grads!(in_turn, &[1.0, 0.7, 0.3, 1.2]);
    let x = [1.0, 2.0, 3.0, 4.0];
    check_grads!(exchanged, &x, 2.0);
    assert_eq!(taken::value_and_grad(&x, 2.0).0, taken(&x, 2.0));
    check_grads!(taken, &x, 2.0);
}

#[test]
fn copies_of_arrays_are_lists() {
    let x = [0.7, 0.3, 1.2];
    check_grads!(as_lists, &x);
    check_grads!(levels, &x);
    check_grads!(copied_within, &[0.7, 0.3, 1.2, 0.5, 0.4, 0.2]);
}

#[test]
fn methods_and_defaults_of_structs() {
    check_grads!(own_methods, &[0.7, 0.3, 1.2]);
    let all = [0.5, 0.6, 0.7].map(|sum| Stack { n: 1, sum });
    check_grads!(ends, &all, 1);
    check_grads!(ends, &all, 3);
}

#[test]
fn values_of_loops_and_errors() {
    check_grads!(left_with, 0.9);
    assert_eq!((power::grad(2.0, " 3 "), power::grad(2.0, "y")), (12.0, 0.0));
}

#[derive(Clone, PartialEq, Debug, Differentiable)]
struct Group {
    samples: Vec<f64>,
    weight: f64,
}

#[derive(Clone, PartialEq, Debug, Differentiable)]
struct Study {
    scale: f64,
    groups: Vec<Group>,
}

#[differentiable]
fn spread(groups: &[Group], k: f64) -> f64 {
    let mut sum = 0.0;
    for group in groups {
        for sample in &group.samples {
            sum += group.weight * sample * sample * k;
        }
    }
    sum
}

#[differentiable]
fn scaled(study: &Study) -> f64 {
    study.scale * spread(&study.groups, 2.0)
}

/// The cotangents of a pullback have `Vec`s as long as those of the arguments.
#[test]
fn pullbacks_to_elements_with_lists() {
    let group = |samples: &[f64], weight| Group { samples: samples.to_vec(), weight };
    let groups = vec![group(&[1.0, 2.0, 3.0], 0.5), group(&[], 3.0), group(&[4.0], -1.0)];
    let expected = (vec![(vec![3.0, 6.0, 9.0], 42.0), (vec![], 0.0), (vec![-24.0], 48.0)], -9.0);
    let plain = |bar: &[GroupTangent]| -> Vec<(Vec<f64>, f64)> {
        bar.iter().map(|group| (group.samples.clone(), group.weight)).collect()
    };

    let (value, pullback) = spread::vjp(&groups, 3.0);
    assert_eq!(value, -27.0);
    for _ in 0..2 {
        let (bar, k_bar) = pullback(1.0);
        assert_eq!((plain(&bar), k_bar), expected);
    }
    let (bar, k_bar) = spread::grad(&groups, 3.0);
    assert_eq!((plain(&bar), k_bar), expected);
    let (_, kept) = spread::forward(&groups, 3.0);
    let (bar, k_bar) = spread::pullback(&kept, 1.0);
    assert_eq!((plain(&bar), k_bar), expected);

    let study = Study { scale: 1.5, groups };
    let (_, pullback) = scaled::vjp(&study);
    let bar = pullback(1.0);
    assert_eq!((plain(&bar.groups), bar.scale), (expected.0, -18.0));
}
