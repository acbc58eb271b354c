//! Small functions that are given parts of arrays, and change them: they are taken into their callers, and compute, panic and have
//! derivatives as if they had been called.

use autodiff::check_grads;
use autodiff::prelude::*;
use std::panic::catch_unwind;

/// The lengths are those of what is given.
#[differentiable]
pub fn turned(axis: &[f64], x: &[f64]) -> [f64; 3] {
    let cross = [axis[1] * x[2] - axis[2] * x[1], axis[2] * x[0] - axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0]];
    let mut out = [0.0; 3];
    for k in 0..axis.len() {
        out[k] = x[k] + cross[k] * x[k].sin();
    }
    out
}

/// It calls another one, and changes what it is lent.
#[differentiable]
pub fn push_by(force: &[f64], place: &[f64], speed: &mut [f64]) -> f64 {
    let by = turned(force, place);
    for k in 0..3 {
        speed[k] += 0.1 * by[k];
    }
    by[0] * speed[2]
}

const WIDTH: usize = 3;

#[differentiable(order = 2)]
fn windows(x: &[f64], #[no_diff] at: &[usize]) -> f64 {
    let mut all = vec![0.5; x.len()];
    let mut sum = 0.0;
    for i in 0..at.len() {
        let (from, to) = (at[i] * WIDTH, 3 * i);
        sum += push_by(&x[from..from + WIDTH], &x[3..6], &mut all[to..to + 3]);
    }
    sum + all.iter().map(|a| a * a * a).sum::<f64>()
}

#[test]
fn windows_of_slices() {
    let x: Vec<f64> = (0..9).map(|k| (1.3 * f64::from(k) + 0.4).sin()).collect();
    check_grads!(windows, &x, &[0, 2, 1]);
    let by_hand = |x: &[f64], at: &[usize]| {
        let (mut all, mut sum) = (vec![0.5; x.len()], 0.0);
        for (i, at) in at.iter().enumerate() {
            sum += push_by(&x[3 * at..3 * at + 3], &x[3..6], &mut all[3 * i..3 * i + 3]);
        }
        sum + all.iter().map(|a| a * a * a).sum::<f64>()
    };
    let (value, _) = windows::value_and_grad(&x, &[0, 2, 1]);
    assert_eq!(value.to_bits(), by_hand(&x, &[0, 2, 1]).to_bits());
}

/// Rows of arrays, parts of rows, numbers in a struct, and one number.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Body {
    place: [f64; 4],
    speed: [f64; 4],
    energy: f64,
}

#[differentiable]
fn kick(speed: &mut [f64], energy: &mut f64, by: &[f64; 2]) {
    speed[0] += by[0] * by[1];
    *energy += speed[0] * speed[0] * by[0];
    speed[1] = speed[0] * *energy;
}

#[differentiable]
fn swap_first(a: &mut [f64; 2], b: &mut [f64; 2]) {
    std::mem::swap(&mut a[0], &mut b[0]);
    a[1] *= b[0];
}

#[differentiable(order = 2)]
fn rows(table: &[[f64; 2]], #[no_diff] start: usize) -> f64 {
    let mut body = Body { place: [0.1, 0.2, 0.3, 0.4], speed: [0.5; 4], energy: 1.0 };
    let mut grid = [[0.3, 0.7], [0.2, 0.9], [1.1, 0.4]];
    for row in table {
        kick(&mut body.speed[start..start + 2], &mut body.energy, row);
        let (first, others) = grid.split_at_mut(1);
        swap_first(&mut first[0], &mut others[1]);
        if body.energy > 1.2 {
            kick(&mut grid[1], &mut body.place[2], row);
        }
    }
    body.speed.iter().sum::<f64>() * body.energy + grid[1][0] * grid[2][1] + grid[0][1] * body.place[2]
}

#[test]
fn rows_of_arrays() {
    let table = [[0.4, 0.3], [0.8, -0.2], [0.5, 0.6]];
    check_grads!(rows, &table, 1);
    check_grads!(rows, &table, 2);
    let by_hand = |table: &[[f64; 2]], start: usize| {
        let (mut speed, mut energy, mut place) = ([0.5; 4], 1.0, [0.1, 0.2, 0.3, 0.4]);
        let mut grid: [[f64; 2]; 3] = [[0.3, 0.7], [0.2, 0.9], [1.1, 0.4]];
        for row in table {
            kick(&mut speed[start..start + 2], &mut energy, row);
            let (first, others) = grid.split_at_mut(1);
            swap_first(&mut first[0], &mut others[1]);
            if energy > 1.2 {
                kick(&mut grid[1], &mut place[2], row);
            }
        }
        speed.iter().sum::<f64>() * energy + grid[1][0] * grid[2][1] + grid[0][1] * place[2]
    };
    assert_eq!(rows::value_and_grad(&table, 1).0.to_bits(), by_hand(&table, 1).to_bits());
}

/// What is read and what is changed are parts of one array.
#[differentiable]
fn relax(to: &mut [f64], from: &[f64], by: f64) {
    to[0] += by * (from[1] - to[0]);
    to[1] += by * (from[0] * to[0] - to[1]);
}

#[differentiable(order = 2)]
fn halves(x: &[f64], by: f64) -> f64 {
    let mut state = x.to_vec();
    for _ in 0..3 {
        let (left, right) = state.split_at_mut(2);
        relax(left, right, by);
        relax(right, left, by * by);
    }
    state[0] * state[1] - state[2] * state[3]
}

/// What is read has been copied, and overlaps with what is changed.
#[differentiable(order = 2)]
fn copied(x: &[f64; 4]) -> f64 {
    let mut state = *x;
    let before = state;
    relax(&mut state[1..3], &before[0..2], 0.3);
    relax(&mut state[..2], &before[1..], x[3]);
    state[0] * state[1] * state[2]
}

#[test]
fn parts_of_one_array() {
    check_grads!(halves, &[0.3, 0.8, -0.4, 0.6], 0.2);
    check_grads!(copied, &[0.3, 0.8, -0.4, 0.6]);
    let x = [0.3, 0.8, -0.4, 0.6];
    let mut state = x;
    relax(&mut state[1..3], &x[0..2], 0.3);
    relax(&mut state[..2], &x[1..], x[3]);
    assert_eq!(copied::value_and_grad(&x).0, state[0] * state[1] * state[2]);
}

/// An index is beyond the part, and not beyond the array.
#[differentiable]
fn third(x: &[f64]) -> f64 {
    x[2] * x[0]
}

#[differentiable]
fn set_third(x: &mut [f64], to: f64) {
    x[2] = to;
}

#[differentiable]
fn reads_behind(x: &[f64], #[no_diff] len: usize) -> f64 {
    third(&x[1..1 + len])
}

#[differentiable]
fn writes_behind(x: &[f64], #[no_diff] len: usize) -> f64 {
    let mut state = x.to_vec();
    set_third(&mut state[1..1 + len], x[0]);
    state.iter().sum()
}

#[differentiable]
fn reads_behind_by_two(x: &[f64]) -> f64 {
    third(&x[1..3])
}

#[differentiable]
fn reads_behind_an_array(x: f64) -> f64 {
    let pair = [x, 2.0 * x];
    third(&pair)
}

#[test]
fn indices_beyond_a_part() {
    let x = [0.1, 0.2, 0.3, 0.4, 0.5];
    assert_eq!(reads_behind::grad(&x, 3), [0.0, 0.4, 0.0, 0.2, 0.0]);
    assert_eq!(writes_behind::grad(&x, 3), [2.0, 1.0, 1.0, 0.0, 1.0]);
    let message = |run: &(dyn Fn() + std::panic::RefUnwindSafe)| {
        let panic = catch_unwind(run).unwrap_err();
        let fixed = panic.downcast_ref::<&str>().map(ToString::to_string);
        panic.downcast_ref::<String>().cloned().or(fixed).unwrap_or_default()
    };
    let expected = "index out of bounds: the len is 2 but the index is 2";
    let (reads, writes) = (|| drop(reads_behind::grad(&x, 2)), || drop(writes_behind::grad(&x, 2)));
    assert_eq!([message(&reads), message(&writes)], [expected; 2]);
    assert_eq!(message(&|| drop(reads_behind_by_two::grad(&x))), expected);
    assert_eq!(message(&|| _ = reads_behind_by_two::jvp(&x, &x)), expected);
    assert_eq!(message(&|| _ = reads_behind_an_array::grad(0.4)), expected);
}

/// In single precision, with a number that counts, along several directions.
#[differentiable(order = 2)]
fn blend(x: &[f32], #[no_diff] at: usize) -> f32 {
    let mut out = [0.0_f32; 6];
    for k in 0..2 {
        mix(&x[at..], k, &mut out[3 * k..3 * k + 3]);
    }
    out.iter().product()
}

#[differentiable]
fn mix(x: &[f32], #[no_diff] k: usize, out: &mut [f32]) {
    out[0] = x[k].cos();
    out[1] = x[k + 1] * out[0];
    out[2] = out[1] + x[0];
}

#[test]
fn numbers_that_count() {
    let x = [0.3, 0.7, 0.5, 0.9];
    let (value, gradient) = blend::value_and_grad(&x, 1);
    let direct = |x: &[f32]| {
        let mut out = [0.0_f32; 6];
        for k in 0..2 {
            mix(&x[1..], k, &mut out[3 * k..3 * k + 3]);
        }
        out.iter().product::<f32>()
    };
    assert_eq!(value.to_bits(), direct(&x).to_bits());
    for k in 0..4 {
        let unit: [f32; 4] = std::array::from_fn(|i| f32::from(u8::from(i == k)));
        assert!((blend::jvp(&x, 1, &unit).1 - gradient[k]).abs() < 1e-6);
    }
    let along = blend::hvp(&x, 1, &[0.0, 1.0, 0.0, 0.0]);
    let shifted: [f32; 4] = std::array::from_fn(|i| x[i] + if i == 1 { 1e-2 } else { 0.0 });
    let other: [f32; 4] = std::array::from_fn(|i| x[i] - if i == 1 { 1e-2 } else { 0.0 });
    for k in 0..4 {
        let expected = (blend::grad(&shifted, 1)[k] - blend::grad(&other, 1)[k]) / 2e-2;
        assert!((along[k] - expected).abs() < 1e-3, "{} {expected}", along[k]);
    }
}

/// A function with a loop whose length run time tells is called, with parts of one array, of which one may change.
#[differentiable]
fn layer(weight: &[f64], bias: &[f64], state: &mut [f64], input: &[f64]) {
    for i in 0..state.len() {
        state[i] = (state[i] * weight[i] + bias[i] * input[i]).tanh();
    }
}

/// The same with what is read in front of what changes.
#[differentiable]
fn spread(from: &[f64], to: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (to, from) in to.iter_mut().zip(from) {
        *to += 0.1 * from * from;
        sum += *to;
    }
    sum
}

#[differentiable(order = 2)]
fn network(params: &[f64], #[no_diff] layers: usize, #[no_diff] width: usize) -> f64 {
    let mut state = vec![0.3; layers * width];
    let mut sum = 0.0;
    for _ in 0..3 {
        for k in 0..layers {
            let (weight, bias) = params[2 * width * k..2 * width * (k + 1)].split_at(width);
            let (before, from) = state.split_at_mut(width * k);
            if k == 0 {
                layer(weight, bias, &mut from[..width], &params[1..width + 1]);
            } else {
                let previous = width * (k - 1);
                layer(weight, bias, &mut from[..width], &before[previous..previous + width]);
            }
        }
        let (left, right) = state.split_at_mut(width);
        sum += spread(left, &mut right[..width]) * spread(right, &mut left[1..]);
    }
    sum + state.iter().map(|s| s * s).sum::<f64>()
}

#[test]
fn parts_in_calls() {
    let params: Vec<f64> = (0..12).map(|k| (0.7 * f64::from(k) + 0.2).cos()).collect();
    check_grads!(network, &params, 2, 3);
    check_grads!(network, &params, 3, 2);
    let (value, gradient) = network::value_and_grad(&params, 3, 2);
    assert_eq!(value.to_bits(), network(&params, 3, 2).to_bits());
    let direction: Vec<f64> = (0..12).map(|k| (1.9 * f64::from(k)).sin()).collect();
    let along: f64 = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
    assert!((network::jvp(&params, 3, 2, &direction).1 - along).abs() < 1e-12);
    let moved = |by: f64| params.iter().zip(&direction).map(|(p, d)| p + by * d).collect::<Vec<f64>>();
    let (ahead, behind) = (network::grad(&moved(1e-5), 3, 2), network::grad(&moved(-1e-5), 3, 2));
    let second = network::hvp(&params, 3, 2, &direction);
    for k in 0..12 {
        assert!((second[k] - (ahead[k] - behind[k]) / 2e-5).abs() < 1e-7);
    }
}

/// Parts of one array that overlap, in a function that is small and has a loop of run-time length.
#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

#[differentiable(order = 2)]
fn correlation(x: &[f64], #[no_diff] lag: usize) -> f64 {
    dot(&x[..x.len() - lag], &x[lag..])
}

#[test]
fn parts_that_overlap() {
    let x = [0.5, -1.25, 2.0, 0.75, 1.5, -0.25];
    for lag in 0..6 {
        let neighbours = |k: usize| {
            let before = k.checked_sub(lag).map_or(0.0, |at| x[at]);
            before + x.get(k + lag).copied().unwrap_or(0.0)
        };
        let expected: [f64; 6] = std::array::from_fn(neighbours);
        assert_eq!(correlation::grad(&x, lag), expected);
        // The Hessian has ones where two elements are so far apart, and twos on its diagonal without a lag.
        let first = correlation::hvp(&x, lag, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let expected: [f64; 6] = std::array::from_fn(|k| if k == lag { if lag == 0 { 2.0 } else { 1.0 } } else { 0.0 });
        assert_eq!(first, expected);
    }
}
