//! Operators and methods of `DVector` and `DMatrix`, in Rust: `this` is the value, or the left operand, `other` the right one, and
//! parameters have their names. `this[k]` is one of its numbers, column after column. See Note [Matrices of run time] in
//! [`crate::layout`].

use super::written::Side::{self, Number, Of};
use crate::parse::geometry::Geometry::{self, RunMatrix, RunVector};

/// How a value is made.
pub(super) enum Made {
    Expression(&'static str),
    /// `loops` fill `out`, which has so many numbers and is zero before.
    Vector {
        rows: &'static str,
        check: &'static str,
        loops: &'static str,
    },
    /// The same, column after column.
    Matrix {
        rows: &'static str,
        columns: &'static str,
        check: &'static str,
        loops: &'static str,
    },
}

pub(super) struct Operation {
    pub(super) left: Side,
    pub(super) op: &'static str,
    pub(super) right: Side,
    pub(super) made: Made,
}

/// A method or a function.
pub(super) struct Written {
    pub(super) of: &'static [Geometry],
    pub(super) name: &'static str,
    pub(super) params: &'static [&'static str],
    pub(super) made: Made,
}

macro_rules! made {
    ($body:literal) => {
        Made::Expression($body)
    };
    ([$rows:literal] $check:literal $loops:literal) => {
        Made::Vector { rows: $rows, check: $check, loops: $loops }
    };
    ([$rows:literal, $columns:literal] $check:literal $loops:literal) => {
        Made::Matrix { rows: $rows, columns: $columns, check: $check, loops: $loops }
    };
}

macro_rules! operations {
    ($($left:expr, $op:literal, $right:expr => $([$($size:literal),+] $check:literal)? $body:literal;)*) => {
        &[$(Operation { left: $left, op: $op, right: $right, made: made!($([$($size),+] $check)? $body) }),*]
    };
}

macro_rules! functions {
    ($($of:expr, $name:ident($($param:ident),*) => $([$($size:literal),+] $check:literal)? $body:literal;)*) => {
        &[$(Written {
            of: $of,
            name: stringify!($name),
            params: &[$(stringify!($param)),*],
            made: made!($([$($size),+] $check)? $body),
        }),*]
    };
}

const BOTH: &[Geometry] = &[RunVector, RunMatrix];
const VECTOR: &[Geometry] = &[RunVector];
const MATRIX: &[Geometry] = &[RunMatrix];

pub(super) static OPERATIONS: &[Operation] = operations! {
    Of(RunVector), "+", Of(RunVector) => "{ this.__same(other); this.__like(|k| this[k] + other[k]) }";
    Of(RunVector), "-", Of(RunVector) => "{ this.__same(other); this.__like(|k| this[k] - other[k]) }";
    Of(RunMatrix), "+", Of(RunMatrix) => "{ this.__same(other); this.__like(|k| this[k] + other[k]) }";
    Of(RunMatrix), "-", Of(RunMatrix) => "{ this.__same(other); this.__like(|k| this[k] - other[k]) }";
    Of(RunVector), "*", Number => "this.__like(|k| this[k] * other)";
    Of(RunMatrix), "*", Number => "this.__like(|k| this[k] * other)";
    Number, "*", Of(RunVector) => "other.__like(|k| this * other[k])";
    Number, "*", Of(RunMatrix) => "other.__like(|k| this * other[k])";
    Of(RunVector), "/", Number => "this.__like(|k| this[k] / other)";
    Of(RunMatrix), "/", Number => "this.__like(|k| this[k] / other)";
    Of(RunMatrix), "*", Of(RunVector) => ["this.nrows()"]
        "this.__agree(this.ncols(), other.nrows(), \"cannot multiply a matrix of {} columns by a vector of {} rows\")"
        "for j in 0..other.len() { let x = other[j]; for i in 0..rows { out[i] += this[i + j * rows] * x; } }";
    Of(RunMatrix), "*", Of(RunMatrix) => ["this.nrows()", "other.ncols()"]
        "this.__agree(this.ncols(), other.nrows(), \"cannot multiply a matrix of {} columns by one of {} rows\")"
        "{ let inner = this.ncols(); for j in 0..columns { for k in 0..inner { let x = other[k + j * inner]; \
            for i in 0..rows { out[i + j * rows] += this[i + k * rows] * x; } } } }";
    Of(RunVector), "*", Of(RunMatrix) => ["this.nrows()", "other.ncols()"]
        "this.__agree(1, other.nrows(), \"cannot multiply a matrix of {} columns by one of {} rows\")"
        "for j in 0..columns { for i in 0..rows { out[i + j * rows] += this[i] * other[j]; } }";
    Of(RunMatrix), "tr_mul", Of(RunVector) => ["this.ncols()"]
        "this.__agree(this.nrows(), other.nrows(), \"cannot multiply the transpose of {} rows by a vector of {} rows\")"
        "{ let inner = other.len(); for j in 0..rows { \
            let mut sum = this.__zero(); for i in 0..inner { sum += this[i + j * inner] * other[i]; } out[j] = sum; } }";
    Of(RunMatrix), "tr_mul", Of(RunMatrix) => ["this.ncols()", "other.ncols()"]
        "this.__agree(this.nrows(), other.nrows(), \"cannot multiply the transpose of {} rows by a matrix of {} rows\")"
        "{ let inner = this.nrows(); for j in 0..columns { for i in 0..rows { \
            let mut sum = this.__zero(); for k in 0..inner { sum += this[k + i * inner] * other[k + j * inner]; } \
            out[i + j * rows] = sum; } } }";
    Of(RunVector), "tr_mul", Of(RunMatrix) => ["1", "other.ncols()"]
        "this.__agree(this.nrows(), other.nrows(), \"cannot multiply the transpose of {} rows by a matrix of {} rows\")"
        "{ let inner = this.len(); for j in 0..columns { \
            let mut sum = this.__zero(); for k in 0..inner { sum += this[k] * other[k + j * inner]; } out[j] = sum; } }";
    Of(RunMatrix), "__solve_lower", Of(RunVector) => ["this.nrows()"]
        "this.__agree(this.nrows(), other.nrows(), \"a system of {} equations has a right side of {} rows\")"
        "for i in 0..rows { let mut sum = other[i]; \
            for k in 0..i { sum -= this[i + k * rows] * out[k]; } out[i] = sum / this[i + i * rows]; }";
    Of(RunMatrix), "__solve_upper", Of(RunVector) => ["this.nrows()"]
        "this.__agree(this.nrows(), other.nrows(), \"a system of {} equations has a right side of {} rows\")"
        "for back in 0..rows { let i = rows - 1 - back; let mut sum = other[i]; \
            for k in i + 1..rows { sum -= this[i + k * rows] * out[k]; } out[i] = sum / this[i + i * rows]; }";
    Of(RunMatrix), "__solve_lower", Of(RunMatrix) => ["this.nrows()", "other.ncols()"]
        "this.__agree(this.nrows(), other.nrows(), \"a system of {} equations has a right side of {} rows\")"
        "for c in 0..columns { for i in 0..rows { let mut sum = other[i + c * rows]; \
            for k in 0..i { sum -= this[i + k * rows] * out[k + c * rows]; } \
            out[i + c * rows] = sum / this[i + i * rows]; } }";
    Of(RunMatrix), "__solve_upper", Of(RunMatrix) => ["this.nrows()", "other.ncols()"]
        "this.__agree(this.nrows(), other.nrows(), \"a system of {} equations has a right side of {} rows\")"
        "for c in 0..columns { for back in 0..rows { let i = rows - 1 - back; let mut sum = other[i + c * rows]; \
            for k in i + 1..rows { sum -= this[i + k * rows] * out[k + c * rows]; } \
            out[i + c * rows] = sum / this[i + i * rows]; } }";
};

/// What makes a value: associated functions.
pub(super) static MAKERS: &[Written] = functions! {
    MATRIX, identity(r, c) => ["r", "c"] "" "for k in 0..(if rows < columns { rows } else { columns }) { out[k + k * rows] += 1.0; }";
    MATRIX, from_diagonal_element(r, c, number) => ["r", "c"] ""
        "for k in 0..(if rows < columns { rows } else { columns }) { out[k + k * rows] += number; }";
    MATRIX, from_diagonal(diagonal) => ["diagonal.len()", "diagonal.len()"] ""
        "for k in 0..rows { out[k + k * rows] += diagonal[k]; }";
};

pub(super) static METHODS: &[Written] = functions! {
    BOTH, __same(other) => "{ \
        this.__agree(this.nrows(), other.nrows(), \"the matrices have {} and {} rows\"); \
        this.__agree(this.ncols(), other.ncols(), \"the matrices have {} and {} columns\"); \
    }";
    BOTH, dot(other) => "{ this.__same(other); \
        let mut sum = this.__zero(); for k in 0..this.len() { sum += this[k] * other[k]; } sum }";
    BOTH, sum() => "{ let mut sum = this.__zero(); for k in 0..this.len() { sum += this[k]; } sum }";
    BOTH, product() => "{ let mut product = this.__zero() + 1.0; for k in 0..this.len() { product *= this[k]; } product }";
    BOTH, max() => "{ let mut most = if this.len() == 0 { this.__zero() } else { this[0] }; \
        for k in 1..this.len() { most = most.max(this[k]); } most }";
    BOTH, min() => "{ let mut least = if this.len() == 0 { this.__zero() } else { this[0] }; \
        for k in 1..this.len() { least = least.min(this[k]); } least }";
    // Its derivative at zero is zero.
    BOTH, norm() => "{ let square = this.norm_squared(); if square > 0.0 { square.sqrt() } else { square } }";
    BOTH, norm_squared() => "{ let mut sum = this.__zero(); for k in 0..this.len() { sum += this[k] * this[k]; } sum }";
    BOTH, magnitude_squared() => "this.norm_squared()";
    BOTH, magnitude() => "this.norm()";
    BOTH, normalize() => "this / this.norm()";
    BOTH, metric_distance(other) => "(this - other).norm()";
    BOTH, lerp(other, t) => "this * (1.0 - t) + other * t";
    BOTH, scale(factor) => "this * factor";
    BOTH, unscale(divisor) => "this / divisor";
    BOTH, abs() => "this.__like(|k| this[k].abs())";
    BOTH, add_scalar(number) => "this.__like(|k| this[k] + number)";
    BOTH, mean() => "this.sum() / this.__count()";
    BOTH, variance() => "{ let mean = this.mean(); \
        let mut sum = this.__zero(); for k in 0..this.len() { sum += (this[k] - mean) * (this[k] - mean); } sum / this.__count() }";
    BOTH, component_mul(other) => "{ this.__same(other); this.__like(|k| this[k] * other[k]) }";
    BOTH, component_div(other) => "{ this.__same(other); this.__like(|k| this[k] / other[k]) }";
    BOTH, inf(other) => "{ this.__same(other); this.__like(|k| this[k].min(other[k])) }";
    BOTH, sup(other) => "{ this.__same(other); this.__like(|k| this[k].max(other[k])) }";
    BOTH, amax() => "this.abs().max()";
    BOTH, amin() => "this.abs().min()";
    BOTH, transpose() => ["this.ncols()", "this.nrows()"] ""
        "for j in 0..columns { for i in 0..rows { out[i + j * rows] = this[j + i * columns]; } }";
    VECTOR, rows(first, count) => ["count"]
        "this.__at_most(first + count, this.len(), \"rows up to {} of a vector of {} rows\")"
        "for i in 0..rows { out[i] = this[first + i]; }";
    MATRIX, rows(first, count) => ["count", "this.ncols()"]
        "this.__at_most(first + count, this.nrows(), \"rows up to {} of a matrix of {} rows\")"
        "{ let all = this.nrows(); for j in 0..columns { for i in 0..rows { out[i + j * rows] = this[first + i + j * all]; } } }";
    MATRIX, columns(first, count) => ["this.nrows()", "count"]
        "this.__at_most(first + count, this.ncols(), \"columns up to {} of a matrix of {} columns\")"
        "for k in 0..rows * columns { out[k] = this[first * rows + k]; }";
    MATRIX, column(j) => ["this.nrows()"] "" "for i in 0..rows { out[i] = this[i + j * rows]; }";
    MATRIX, row(i) => ["1", "this.ncols()"]
        "this.__at_most(i + 1, this.nrows(), \"rows up to {} of a matrix of {} rows\")"
        "{ let all = this.nrows(); for j in 0..columns { out[j] = this[i + j * all]; } }";
    MATRIX, diagonal() => ["(if this.nrows() < this.ncols() { this.nrows() } else { this.ncols() })"] ""
        "{ let all = this.nrows(); for k in 0..rows { out[k] = this[k + k * all]; } }";
    MATRIX, trace() => "{ this.__agree(this.nrows(), this.ncols(), \"the trace of a matrix of {} rows and {} columns\"); \
        let rows = this.nrows(); let mut sum = this.__zero(); for k in 0..rows { sum += this[k + k * rows]; } sum }";
    BOTH, __matrix_axpy(a, x, b) => "x * a + this * b";
    BOTH, __matrix_gemv(alpha, a, x, beta) => "a * x * alpha + this * beta";
    BOTH, __matrix_gemm(alpha, a, b, beta) => "a * b * alpha + this * beta";
    BOTH, __matrix_ger(alpha, x, y, beta) => "x * y.transpose() * alpha + this * beta";
    BOTH, __matrix_component_mul_assign(other) => "this.component_mul(other)";
    BOTH, __matrix_component_div_assign(other) => "this.component_div(other)";
    BOTH, __matrix_normalize_mut() => "this.normalize()";
    BOTH, __matrix_scale_mut(factor) => "this * factor";
    BOTH, __matrix_unscale_mut(divisor) => "this / divisor";
    BOTH, __matrix_neg_mut() => "-this";
    BOTH, __matrix_fill(number) => "this.__like(|_| number)";
    BOTH, __matrix_copy_from(other) => "{ this.__same(other); other }";
    MATRIX, __matrix_set_row(i, row) => "this.__matrix_put(i, 0, row)";
    MATRIX, __matrix_set_column(j, column) => "this.__matrix_put(0, j, column)";
    MATRIX, __matrix_put(i, j, part) => ["this.nrows()", "this.ncols()"]
        "this.__put_fits(i, j, part)"
        "{ for k in 0..this.len() { out[k] = this[k]; } let height = part.nrows(); \
            for c in 0..part.ncols() { for r in 0..height { out[i + r + (j + c) * rows] = part[r + c * height]; } } }";
    MATRIX, __put_fits(i, j, part) => "{ \
        this.__at_most(i + part.nrows(), this.nrows(), \"rows up to {} of a matrix of {} rows\"); \
        this.__at_most(j + part.ncols(), this.ncols(), \"columns up to {} of a matrix of {} columns\"); \
    }";
    MATRIX, __matrix_fill_diagonal(number) => ["this.nrows()", "this.ncols()"] ""
        "{ for k in 0..this.len() { out[k] = this[k]; } \
            for k in 0..(if rows < columns { rows } else { columns }) { out[k + k * rows] = number; } }";
    MATRIX, column_sum() => ["this.nrows()"] ""
        "for j in 0..this.ncols() { for i in 0..rows { out[i] += this[i + j * rows]; } }";
    MATRIX, column_mean() => "{ let count = this.__column_count(); this.column_sum() / count }";
    // The factorisations: see Note [Derivatives of solutions].
    MATRIX, lu() => "{ this.__square(); nalgebra::LU::__of(this) }";
    MATRIX, qr() => "nalgebra::QR::__of(this)";
    // As the method of matrices of fixed size.
    MATRIX, __triangular() => ["this.ncols()", "this.ncols()"] ""
        "{ let mut q = this; let inner = this.nrows(); for j in 0..columns { for i in 0..j + 1 { \
            let mut sum = this.__zero(); for k in 0..inner { sum += q[k + i * inner] * q[k + j * inner]; } \
            if i < j { for k in 0..inner { q[k + j * inner] -= sum * q[k + i * inner]; } } \
            else { sum = sum.sqrt(); for k in 0..inner { q[k + j * inner] /= sum; } } \
            out[i + j * rows] = sum; } } }";
    // See Note [Derivatives of solutions]: E = A⁻¹·A - 1 is zero, and has the derivative. Of det(1 + E) there are as many terms as the
    // order needs. Where there is no inverse, the derivative is NaN.
    MATRIX, determinant() => "{ this.__square(); \
        let x = this.__inverse_now(); \
        let x = if this.__is_invertible() { x } else { x.__like(|k| (x[k] - 1.0).sqrt()) }; \
        let e = (x * this).__vanishing(); this.__determinant_now() * e.__determinant_near_one() }";
    // Perturbation theory: E = Vᵀ·A·V without its value, where V are the eigenvectors without a derivative, and w the eigenvalues. To the
    // second order the eigenvalues are wᵢ + Eᵢᵢ + Σ Eᵢⱼ·Eⱼᵢ/(wᵢ - wⱼ), and the eigenvectors are V times what `__eigen_turn` says.
    MATRIX, __lower_half() => ["this.nrows()", "this.ncols()"] ""
        "for j in 0..columns { for i in 0..rows { out[i + j * rows] = if i < j { this[j + i * rows] } else { this[i + j * rows] }; } }";
    MATRIX, __eigen_change() => "{ let v = this.__eigenvectors_now(); (v.tr_mul(this.__lower_half()) * v).__vanishing() }";
    MATRIX, __eigen_turn(w) => ["this.nrows()", "this.ncols()"] ""
        "for i in 0..columns { for k in 0..rows { \
            if k == i { \
                let mut square = this.__zero(); \
                for m in 0..rows { if m != i { let x = this[m + i * rows] / (w[i] - w[m]); square += x * x; } } \
                out[k + i * rows] = 1.0 - square * 0.5; \
            } else { \
                let gap = w[i] - w[k]; \
                let mut sum = this[k + i * rows] - this[i + i * rows] * this[k + i * rows] / gap; \
                for m in 0..rows { if m != i { sum += this[k + m * rows] * this[m + i * rows] / (w[i] - w[m]); } } \
                out[k + i * rows] = sum / gap; \
            } \
        } }";
    MATRIX, __eigenvectors() =>
        "{ let v = this.__eigenvectors_now(); v * this.__eigen_change().__eigen_turn(this.__eigenvalues_now()) }";
    MATRIX, symmetric_eigenvalues() => ["this.nrows()"] "this.__square()"
        "{ let w = this.__eigenvalues_now(); let e = this.__eigen_change(); \
            for i in 0..rows { \
                let mut sum = w[i] + e[i + i * rows]; \
                for j in 0..rows { if j != i { sum += e[i + j * rows] * e[j + i * rows] / (w[i] - w[j]); } } \
                out[i] = sum; \
            } }";
    MATRIX, symmetric_eigen() => "{ this.__square(); \
        nalgebra::SymmetricEigen::__of(this.symmetric_eigenvalues(), this.__eigenvectors()) }";
    MATRIX, __square() => "this.__agree(this.nrows(), this.ncols(), \"a matrix of {} rows and {} columns is not square\")";
    MATRIX, cholesky() => "{ this.__square(); let factor = this.__factor(); \
        if factor.trace() >= 0.0 { Some(nalgebra::Cholesky::__of(factor)) } else { None } }";
    // Only the lower triangle is read. What has no factor gets one of NaN.
    MATRIX, __factor() => ["this.nrows()", "this.ncols()"] ""
        "for j in 0..columns { \
            let mut square = this[j + j * rows]; \
            for k in 0..j { square -= out[j + k * rows] * out[j + k * rows]; } \
            let root = if square > 0.0 { square.sqrt() } else { (this.__zero() - 1.0).sqrt() }; \
            out[j + j * rows] = root; \
            for i in j + 1..rows { \
                let mut sum = this[i + j * rows]; \
                for k in 0..j { sum -= out[i + k * rows] * out[j + k * rows]; } \
                out[i + j * rows] = sum / root; \
            } \
        }";
    MATRIX, solve_lower_triangular(b) => "{ this.__square(); \
        if this.diagonal().product() != 0.0 { Some(this.__solve_lower(b)) } else { None } }";
    MATRIX, solve_upper_triangular(b) => "{ this.__square(); \
        if this.diagonal().product() != 0.0 { Some(this.__solve_upper(b)) } else { None } }";
    MATRIX, try_inverse() => "{ this.__square(); if this.__is_invertible() { Some(this.__inverse()) } else { None } }";
};
