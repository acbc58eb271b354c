//! Loops that evaluate elementary functions, which run in lanes: every length, what is left over, sums in order, several parts of
//! one array; and loops that look like these and are none.

use autodiff::prelude::*;
use autodiff::{Real, check_grads};

/// Lengths around the number of lanes.
const LENGTHS: [usize; 9] = [0, 1, 3, 4, 5, 7, 8, 9, 17];

fn numbers(n: usize, from: f64) -> Vec<f64> {
    (0..n).map(|i| from + 0.37 * (i as f64 * 1.7).sin()).collect()
}

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = -1e300;
    for v in x {
        largest = v.max(largest);
    }
    let mut sum = 0.5;
    for v in x {
        sum += (*v - largest).exp();
    }
    sum.ln() + 0.1 * largest
}

/// The terms are added one after the other, as they stand: the same bits.
#[test]
fn sums_in_order() {
    for n in LENGTHS.into_iter().filter(|n| *n > 0) {
        let x = numbers(n, 0.2);
        let largest = x.iter().fold(-1e300, |largest: f64, v| v.max(largest));
        let mut sum = 0.5;
        for v in &x {
            sum += Real::exp(*v - largest);
        }
        let (value, _) = log_sum_exp::value_and_grad(&x);
        assert_eq!(value.to_bits(), (Real::ln(sum) + 0.1 * largest).to_bits(), "{n}");
        check_grads!(log_sum_exp, &x);
    }
}

#[differentiable]
fn alternating(x: &[f32], w: &[f32]) -> f32 {
    let mut sum = 1.0;
    for i in (0..x.len()).rev() {
        sum -= (x[i] * w[i]).tanh();
    }
    let mut y = vec![0.0; x.len()];
    for i in (0..x.len()).rev() {
        y[i] = (x[i] + w[i]).sin();
    }
    for i in 0..x.len() {
        sum += y[i] * w[i];
    }
    sum
}

#[test]
fn backwards_in_single_precision() {
    for n in LENGTHS {
        let x: Vec<f32> = numbers(n, 0.3).into_iter().map(|x| x as f32).collect();
        let w: Vec<f32> = numbers(n, -0.4).into_iter().map(|x| x as f32).collect();
        match n {
            0 => assert_eq!(alternating::value_and_grad(&x, &w), (1.0, (vec![], vec![]))),
            _ => check_grads!(alternating, &x, &w),
        }
    }
}

#[differentiable]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A cell with its state in two halves of one array, and its weights in four parts of another.
#[differentiable(wrt(w, state))]
fn recurrent(w: &[f64], state: &[f64], input: &[f64], n: usize) -> f64 {
    let mut state = state.to_vec();
    for t in 0..input.len() {
        for j in 0..n {
            let (hidden, cell) = (state[j], state[n + j]);
            let forget = sigmoid(input[t] * w[j] + w[n + j]);
            let change = (hidden * w[2 * n + j] + w[3 * n + j]).tanh();
            state[n + j] = cell * forget + change;
            state[j] = state[n + j].tanh() * forget;
        }
    }
    let mut sum = 0.0;
    for j in 0..2 * n {
        sum += state[j] * state[j];
    }
    sum
}

#[test]
fn parts_of_one_array() {
    for n in LENGTHS {
        let (w, state, input) = (numbers(4 * n, 0.2), numbers(2 * n, 0.1), numbers(3, 0.5));
        match n {
            0 => assert_eq!(recurrent::value_and_grad(&w, &state, &input, n), (0.0, (vec![], vec![]))),
            _ => check_grads!(recurrent, &w, &state, &input, n),
        }
    }
}

/// The parts overlap, or may: each element is read after the one before has changed.
#[differentiable(wrt(x))]
fn overlapping(x: &[f64], shift: usize) -> f64 {
    let mut y = x.to_vec();
    for i in 0..x.len() - 1 {
        y[i + 1] = (y[i] + 0.3 * y[i + 1]).sin();
    }
    for i in 0..x.len() - shift {
        y[i + shift] += y[i].tanh();
    }
    for i in 2..x.len() - 2 {
        y[i + 2] += (y[i] * y[i - 2]).cos();
    }
    let mut sum = 0.0;
    for v in &y {
        sum += v * v;
    }
    sum
}

#[test]
fn parts_that_overlap() {
    for n in LENGTHS.into_iter().filter(|n| *n > 4) {
        for shift in [0, 1, 2, n - 1] {
            check_grads!(overlapping, &numbers(n, 0.3), shift);
        }
    }
}

/// A part that begins where the loop does not, and one that is a loop's length behind it.
#[differentiable(wrt(x))]
fn from_two_on(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    for i in 2..n {
        let v = y[i].exp();
        y[n - 2 + i] *= v;
        y[i] = (v + 1.0).ln();
    }
    for i in 0..n {
        y[n + i] += 0.5 * y[i];
    }
    y.iter().map(|v| v.sin()).sum()
}

#[test]
fn parts_behind_one_another() {
    for n in [2, 3, 6, 7, 10] {
        check_grads!(from_two_on, &numbers(2 * n, 0.2), n);
    }
}

/// A part that is not there as a whole is found before the loop.
#[test]
#[should_panic(expected = "x_len <= y.len()")]
fn a_part_that_is_not_there() {
    let _ = log_of_ratios::grad(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 2.0, 3.0]);
}

#[differentiable]
fn log_of_ratios(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] / y[i]).ln();
    }
    sum
}

/// An angle: a struct of one number is none.
#[derive(Clone, Copy, Differentiable)]
struct Angle(f64);

#[differentiable]
impl Angle {
    fn turned(self, by: f64) -> Angle {
        Angle(self.0.sin() + by)
    }
}

#[differentiable]
fn turned(x: f64) -> f64 {
    let angle = Angle(x).turned(0.5);
    angle.0 * angle.turned(x).0
}

#[test]
fn structs_of_one_number() {
    check_grads!(turned, 0.7);
}

mod elsewhere {
    use autodiff::prelude::*;

    const RATE: f64 = 1.5;

    /// With a constant of its module, and another function's name.
    #[differentiable]
    pub fn softened(x: f64, y: f64) -> f64 {
        let exp = x - y;
        RATE * (exp * exp + 0.1).sqrt() - (-exp).exp() * 0.2 + if x > y { x.sin() } else { -1.0 }
    }
}

/// Small functions that are taken over: called of numbers, of each other's results, of constants, in second order.
#[differentiable(order = 2)]
fn nested(x: f64, y: f64) -> f64 {
    let exp = 3.0;
    let stopped = sigmoid(stop_gradient(x));
    sigmoid(sigmoid(x) * exp) * elsewhere::softened(y, x) + sigmoid(0.5) * elsewhere::softened(x, 2.0) * stopped
}

#[test]
fn small_functions() {
    let by_hand = |x: f64, y: f64, held: f64| {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let softened = |x: f64, y: f64| {
            1.5 * ((x - y) * (x - y) + 0.1).sqrt() - (y - x).exp() * 0.2 + if x > y { x.sin() } else { -1.0 }
        };
        sigmoid(sigmoid(x) * 3.0) * softened(y, x) + sigmoid(0.5) * softened(x, 2.0) * sigmoid(held)
    };
    for (x, y) in [(0.3, 0.8), (2.5, -0.4)] {
        assert!((nested(x, y) - by_hand(x, y, x)).abs() < 1e-14);
        let h = 1e-5;
        let (by_x, by_y) = nested::grad(x, y);
        let along_x = (by_hand(x + h, y, x) - by_hand(x - h, y, x)) / (2.0 * h);
        let along_y = (by_hand(x, y + h, x) - by_hand(x, y - h, x)) / (2.0 * h);
        assert!((by_x - along_x).abs() < 1e-8 && (by_y - along_y).abs() < 1e-8, "{by_x} {along_x} {by_y} {along_y}");
        let (above, below) = (nested::grad(x, y + h), nested::grad(x, y - h));
        let second = nested::hvp(x, y, 0.0, 1.0);
        assert!((second.0 - (above.0 - below.0) / (2.0 * h)).abs() < 1e-6, "{second:?}");
        assert!((second.1 - (above.1 - below.1) / (2.0 * h)).abs() < 1e-6, "{second:?}");
    }
}
