//! Chemistry: the highest level of a ring of orbitals after Hueckel, by power iteration.

use crate::differences::check;
use autodiff::prelude::*;
use std::ops::{Index, IndexMut};
#[derive(Clone, Debug, Differentiable)]
struct Matrix {
    data: Vec<f64>,
    n: usize,
}
#[differentiable]
impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.n + j]
    }
}
#[differentiable]
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.n + j]
    }
}
#[differentiable]
impl Matrix {
    fn zeros(n: usize) -> Matrix {
        Matrix { data: vec![0.0; n * n], n }
    }
    fn times(&self, v: &[f64]) -> Vec<f64> {
        (0..self.n).map(|i| (0..self.n).map(|j| self[(i, j)] * v[j]).sum()).collect()
    }
}
#[differentiable]
fn hamiltonian(alpha: &[f64], beta: &[f64], bonds: &[(usize, usize)]) -> Matrix {
    let mut h = Matrix::zeros(alpha.len());
    for (i, a) in alpha.iter().enumerate() {
        h[(i, i)] = *a;
    }
    for (&(i, j), b) in bonds.iter().zip(beta) {
        h[(i, j)] += b;
        h[(j, i)] += b;
    }
    h
}
#[differentiable]
fn normalise(v: &mut [f64]) -> f64 {
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.iter_mut().for_each(|x| *x /= norm);
    norm
}
#[differentiable]
fn ground_energy(alpha: &[f64], beta: &[f64], bonds: &[(usize, usize)], sweeps: usize) -> f64 {
    let h = hamiltonian(alpha, beta, bonds);
    let mut v = vec![1.0; alpha.len()];
    for _ in 0..sweeps {
        v = h.times(&v);
        let _ = normalise(&mut v);
    }
    let hv = h.times(&v);
    v.iter().zip(&hv).map(|(a, b)| a * b).sum()
}
#[test]
fn gradient() {
    let bonds = [(0, 1), (1, 2), (2, 3), (3, 0)];
    let at = [1.0, 1.1, 0.9, 1.2, 0.5, 0.6, 0.4, 0.7];
    let (a, b) = ground_energy::grad(&at[..4], &at[4..], &bonds, 12);
    check(|p| ground_energy(&p[..4], &p[4..], &bonds, 12), &at, &[a, b].concat());
}
