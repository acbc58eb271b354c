//! Sizes that are constants of a block.

use crate::harness::check;
use autodiff::prelude::*;

const WIDTH: usize = 2;

#[differentiable(order = 2)]
fn triangle(x: &[f64]) -> f64 {
    const DEGREE: usize = 3;
    let mut d: [[f64; WIDTH]; DEGREE + 1] = std::array::from_fn(|j| [x[j], x[j] * x[0]]);
    for r in 1..=DEGREE {
        for j in (r..=DEGREE).rev() {
            for c in 0..WIDTH {
                d[j][c] = 0.3 * d[j - 1][c] * d[j][c] + 0.5 * d[j][c];
            }
        }
    }
    d[DEGREE][0] * d[DEGREE][1]
}

#[differentiable(order = 2)]
fn norm<const N: usize>(x: &[f64; N]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable(order = 2)]
fn of_other_constants(x: &[f64]) -> f64 {
    const BOTH: usize = HALF + WIDTH;
    const HALF: usize = 1 + 1;
    const POWER: usize = WIDTH.pow(2);
    fn last<const HALF: usize>(c: [f64; HALF]) -> f64 {
        c[HALF - 1]
    }
    fn ends(c: &[f64; BOTH]) -> f64 {
        c[BOTH - 1] * c[0]
    }
    let a: [f64; BOTH] = std::array::from_fn(|i| x[i] * x[0]);
    let mut b = [0.0; BOTH];
    for i in 0..BOTH {
        b[i] = a[i] * a[BOTH - 1 - i];
    }
    let inner = {
        const HALF: usize = 3;
        let c: [f64; HALF] = [x[0], x[1] * x[1], x[2]];
        c[0] * c[1] * c[2]
    };
    let power: [f64; POWER] = std::array::from_fn(|i| x[i] * b[1]);
    let sum = Tensor1::<f64, HALF>::from([x[0], x[1]]).sum();
    b[0] * b[1] + inner + sum * last([x[0], x[1]]) + ends(&b) + norm(&power) + norm::<BOTH>(&b)
}

#[test]
fn are_written_out() {
    check!(triangle(&x) by x = vec![0.7, 0.3, 0.4, 0.9]);
    check!(of_other_constants(&x) by x = vec![0.7, 0.3, 0.4, 0.9]);
}
