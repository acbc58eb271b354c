//! Linear algebra: solutions of linear equations, inverses, determinants, the Cholesky factor, the exponential, eigenvalues and
//! singular values.

use super::ParamKind::Operand;
use super::{Method, Tuple};
use crate::op::exponential::Expm;
use crate::op::page::Page;
use crate::op::solve::{Part, Solve, Square, number};
use crate::op::spectral::{Order, Singular, Symmetric};
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
    Method {
        name: "expm",
        page: Page {
            calls: &["x.expm()"],
            doc: "The exponential of a matrix, 1 + x + x²/2 + x³/6 + …, by a Padé approximant with scaling and squaring (Higham 2005). `exp` is that of each element. Its derivative along a matrix is an exponential, too, with no more error (Al-Mohy and Higham 2009); so is the second one.",
            shape: "[n, n] -> [n, n]",
            derivative: "x̄ = the upper right block of the exponential of [xᵀ, ȳ; 0, xᵀ]",
            example: "(x: &Tensor2<f64, 3, 3>) -> Tensor2<f64, 3, 3> { x.expm() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Expm { directions: 0 }), &[a[0].var()]),
    },
    Method {
        name: "eigvalsh",
        page: Page {
            calls: &["x.eigvalsh()"],
            doc: "The eigenvalues w of (x + xᵀ)/2, which is x where that is symmetric, ascending, by Jacobi's rotations. Where eigenvalues are equal, their sum and other symmetric functions of them have a derivative, and this is it; each by itself has none there. Their second derivatives need eigenvalues that differ by more than rounding; else there are NaN.",
            shape: "[n, n] -> [n]",
            derivative: "x̄ = v·diag(ȳ)·vᵀ, where v are the eigenvectors (Giles 2008)",
            example: "(x: &Tensor2<f64, 3, 3>) -> Tensor1<f64, 3> { x.eigvalsh() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Symmetric::Values(Order::Ascending)), &[a[0].var()]),
    },
    Method {
        name: "eigvecsh",
        page: Page {
            calls: &["x.eigvecsh()"],
            doc: "The orthonormal eigenvectors of (x + xᵀ)/2, in columns, in the order of the eigenvalues w. Of each the first element of the largest magnitude is positive (to a thousandth, so that rounding does not decide). Where wᵢ and wⱼ are equal up to rounding, any rotation of the two vectors is as good: the derivatives of both are NaN. What depends on neither of the two has its first derivative all the same.",
            shape: "[n, n] -> [n, n]",
            derivative: "x̄ = (z + zᵀ)/2 with z = y·(f ∘ yᵀ·ȳ)·yᵀ, where fᵢⱼ = 1/(wⱼ − wᵢ), and 0 on the diagonal (Giles 2008)",
            example: "(x: &Tensor2<f64, 3, 3>) -> Tensor2<f64, 3, 3> { x.eigvecsh() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Symmetric::Vectors(Order::Ascending)), &[a[0].var()]),
    },
    Method {
        name: "singular_values",
        page: Page {
            calls: &["x.singular_values()"],
            doc: "The singular values s of a matrix, descending, by one-sided rotations of Jacobi. There are as many as the smaller of the sizes; where only rustc knows which that is, it has to be the number of columns, and otherwise `x.t().singular_values()` are the same. Where a value is 0, it has no derivative, and one of its directional ones is taken; where values are equal, symmetric functions of them have one, and this is it. Second derivatives need values that differ by more than rounding, and none that is 0 unless the two sizes are written alike; else there are NaN and infinities.",
            shape: "[m, n] -> [k], where k is the smaller of m and n",
            derivative: "x̄ = u·diag(ȳ)·vᵀ, where u and v are the singular vectors (Townsend 2016)",
            example: "(x: &Tensor2<f64, 3, 2>) -> Tensor1<f64, 2> { x.singular_values() }",
        },
        params: &[],
        ranks: Some(&[2]),
        build: |b, a| b.tensor(Rc::new(Singular::Values), &[a[0].var()]),
    },
];

pub static TUPLES: &[Tuple] = &[Tuple {
    name: "eigh",
    page: Page {
        calls: &["x.eigh()"],
        doc: "Eigenvalues and eigenvectors of (x + xᵀ)/2: `(x.eigvalsh(), x.eigvecsh())`.",
        shape: "[n, n] -> [n], [n, n]",
        derivative: "the sum of those of `eigvalsh` and `eigvecsh`",
        example: "(x: &Tensor2<f64, 3, 3>) -> Tensor1<f64, 3> {\n    let (w, v) = x.eigh();\n    v.matmul(w)\n}",
    },
    parts: &["eigvalsh", "eigvecsh"],
}];
