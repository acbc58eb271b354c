//! Linear algebra: solutions of linear equations, inverses, determinants, the Cholesky factor.

use super::Method;
use super::ParamKind::Operand;
use crate::op::page::Page;
use crate::op::solve::{Part, Solve, Square, number};
use std::rc::Rc;

pub static METHODS: &[Method] = &[
    Method {
        name: "solve",
        page: Page {
            calls: &["x.solve(b)"],
            doc: "The solution y of x·y = b, for a vector or for each column of a matrix, by Gaussian elimination with partial pivoting. Where x is singular there are infinities and NaN, as where a number is divided by 0.",
            shape: "[n, n], [n, k] -> [n, k], or [n, n], [n] -> [n]",
            derivative: "b̄ = x⁻ᵀ·ȳ, x̄ = −b̄·yᵀ",
            example: "(x: &Tensor2<f64, 3, 3>, b: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { x.solve(b) }",
        },
        params: &[Operand],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Solve { part: Part::Whole, t: false }), &[a[0].var(), a[1].var()]),
    },
    Method {
        name: "solve_triangular",
        page: Page {
            calls: &["x.solve_triangular(b)"],
            doc: "The solution y of x·y = b, where x is lower triangular: what is above its diagonal is not read, and its derivative is 0.",
            shape: "[n, n], [n, k] -> [n, k], or [n, n], [n] -> [n]",
            derivative: "b̄ = x⁻ᵀ·ȳ, x̄ = the lower triangle of −b̄·yᵀ",
            example: "(x: &Tensor2<f64, 3, 3>, b: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { x.solve_triangular(b) }",
        },
        params: &[Operand],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Solve { part: Part::Lower, t: false }), &[a[0].var(), a[1].var()]),
    },
    Method {
        name: "solve_triangular_upper",
        page: Page {
            calls: &["x.solve_triangular_upper(b)"],
            doc: "The same, where x is upper triangular. With a lower triangular `l`, `l.t().solve_triangular_upper(b)` solves lᵀ·y = b without a transpose.",
            shape: "[n, n], [n, k] -> [n, k], or [n, n], [n] -> [n]",
            derivative: "b̄ = x⁻ᵀ·ȳ, x̄ = the upper triangle of −b̄·yᵀ",
            example: "(x: &Tensor2<f64, 3, 3>, b: &Tensor1<f64, 3>) -> Tensor1<f64, 3> { x.t().solve_triangular_upper(b) }",
        },
        params: &[Operand],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Solve { part: Part::Upper, t: false }), &[a[0].var(), a[1].var()]),
    },
    Method {
        name: "inverse",
        page: Page {
            calls: &["x.inverse()"],
            doc: "The inverse matrix. `solve` is faster and more exact where a product with it is wanted. Where x is singular there are infinities and NaN.",
            shape: "[n, n] -> [n, n]",
            derivative: "x̄ = −yᵀ·ȳ·yᵀ",
            example: "(x: &Tensor2<f64, 3, 3>) -> Tensor2<f64, 3, 3> { x.inverse() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Square::Inverse), &[a[0].var()]),
    },
    Method {
        name: "det",
        page: Page {
            calls: &["x.det()"],
            doc: "The determinant. Its first and second derivatives have values where x is singular, too; the third has none there. `ln_det` is what does not overflow.",
            shape: "[n, n] -> []",
            derivative: "x̄ = ȳ · the cofactors of x, which are y·x⁻ᵀ where x is regular",
            example: "(x: &Tensor2<f64, 3, 3>) -> f64 { x.det() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| number(b, Square::Det, a[0].var()),
    },
    Method {
        name: "ln_det",
        page: Page {
            calls: &["x.ln_det()"],
            doc: "The logarithm of the magnitude of the determinant, ln |det x|. Where x is singular it is −∞, and has no derivative.",
            shape: "[n, n] -> []",
            derivative: "x̄ = ȳ·x⁻ᵀ",
            example: "(x: &Tensor2<f64, 3, 3>) -> f64 { x.ln_det() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| number(b, Square::LnDet, a[0].var()),
    },
    Method {
        name: "cholesky",
        page: Page {
            calls: &["x.cholesky()"],
            doc: "The lower triangular y with y·yᵀ = (x + xᵀ)/2, which is x where that is symmetric. NaN where it is not positive definite.",
            shape: "[n, n] -> [n, n]",
            derivative: "x̄ = (z + zᵀ)/2 with z = y⁻ᵀ·Φ(yᵀ·ȳ)·y⁻¹, where Φ takes the lower triangle with half of its diagonal",
            example: "(x: &Tensor2<f64, 3, 3>) -> Tensor2<f64, 3, 3> { x.cholesky() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Square::Cholesky), &[a[0].var()]),
    },
];
