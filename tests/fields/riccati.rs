//! Control: the cost of a finite-horizon LQR by weights, with small matrices of const size.
use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Debug, Clone, Copy, Differentiable)]
struct Matrix<const R: usize, const C: usize> {
    at: [[f64; C]; R],
}

#[differentiable]
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn transpose(&self) -> Matrix<C, R> {
        let mut at = [[0.0; R]; C];
        for i in 0..R {
            for j in 0..C {
                at[j][i] = self.at[i][j];
            }
        }
        Matrix { at }
    }
}

#[differentiable]
impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, other: Matrix<K, C>) -> Matrix<R, C> {
        let mut at = [[0.0; C]; R];
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    at[i][j] += self.at[i][k] * other.at[k][j];
                }
            }
        }
        Matrix { at }
    }
}

#[differentiable]
impl<const R: usize, const C: usize> Add for Matrix<R, C> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let mut sum = self;
        for i in 0..R {
            for j in 0..C {
                sum.at[i][j] += other.at[i][j];
            }
        }
        sum
    }
}

#[differentiable]
impl<const R: usize, const C: usize> Sub for Matrix<R, C> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Matrix { at: std::array::from_fn(|i| std::array::from_fn(|j| self.at[i][j] - other.at[i][j])) }
    }
}

type Column = Matrix<2, 1>;
type Square = Matrix<2, 2>;

#[derive(Debug, Clone)]
struct Plant {
    a: Square,
    b: Column,
    horizon: usize,
}

#[differentiable]
fn diagonal(a: f64, b: f64) -> Square {
    Matrix { at: [[a, 0.0], [0.0, b]] }
}

#[differentiable]
fn gains(q: [f64; 2], r: f64, #[no_diff] plant: &Plant) -> Vec<Matrix<1, 2>> {
    let q = diagonal(q[0], q[1]);
    let mut p = q;
    let mut gains = vec![];
    for _ in 0..plant.horizon {
        let bt_p = plant.b.transpose() * p;
        let s = r + (bt_p * plant.b).at[0][0];
        let mut k = bt_p * plant.a;
        k.at[0].iter_mut().for_each(|x| *x /= s);
        p = q + plant.a.transpose() * p * (plant.a - plant.b * k);
        gains.push(k);
    }
    gains.reverse();
    gains
}

#[differentiable]
fn closed_loop(q: [f64; 2], r: f64, x0: [f64; 2], #[no_diff] plant: &Plant) -> f64 {
    let mut x = Matrix { at: [[x0[0]], [x0[1]]] };
    let mut cost = 0.0;
    for k in gains(q, r, plant).iter() {
        let u = (*k * x).at[0][0];
        cost += x.at[0][0].powi(2) + 0.3 * u.powi(2);
        x = plant.a * x - plant.b * Matrix { at: [[u]] };
    }
    cost
}

#[test]
fn gradient_against_differences() {
    let plant = Plant { a: Matrix { at: [[1.0, 0.1], [0.05, 0.98]] }, b: Matrix { at: [[0.0], [0.1]] }, horizon: 12 };
    let at = [1.0, 0.2, 0.4, 0.8, -0.5];
    let (q, r, x0) = closed_loop::grad([at[0], at[1]], at[2], [at[3], at[4]], &plant);
    let g = [q[0], q[1], r, x0[0], x0[1]];
    check(|p| closed_loop([p[0], p[1]], p[2], [p[3], p[4]], &plant), &at, &g);
}
