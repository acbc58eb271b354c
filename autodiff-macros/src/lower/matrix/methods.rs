//! The methods of matrices that are said with others, in Rust: `this` is the matrix, and the parameters have their names.
//! They are lowered as if the user had written them in place of the call.

/// A method that is written out.
pub(super) struct Written {
    pub(super) name: &'static str,
    pub(super) params: &'static [&'static str],
    pub(super) body: &'static str,
}

macro_rules! written {
    ($($name:ident($($param:ident),*) => $body:literal;)*) => {
        &[$(Written { name: stringify!($name), params: &[$(stringify!($param)),*], body: $body }),*]
    };
}

macro_rules! made {
    ($($size:literal, $name:ident($($param:ident),*) => $body:literal;)*) => {
        &[$(($size, Written { name: stringify!($name), params: &[$(stringify!($param)),*], body: $body })),*]
    };
}

/// As nalgebra defines them, with its `Option`s.
pub(super) static WRITTEN: &[Written] = written! {
    norm_squared() => "this.dot(this)";
    magnitude_squared() => "this.dot(this)";
    magnitude() => "this.norm()";
    normalize() => "this / this.norm()";
    try_normalize(min_norm) => "{ let norm = this.norm(); if norm <= min_norm { None } else { Some(this / norm) } }";
    cap_magnitude(max) => "{ let norm = this.norm(); if norm > max { this * (max / norm) } else { this } }";
    metric_distance(other) => "(this - other).norm()";
    lerp(other, t) => "this * (1.0 - t) + other * t";
    scale(factor) => "this * factor";
    unscale(divisor) => "this / divisor";
    tr_mul(other) => "this.transpose() * other";
    tr_dot(other) => "this.transpose().dot(other)";
    ad_mul(other) => "this.transpose() * other";
    adjoint() => "this.transpose()";
    angle(other) => "{ \
        let (product, norm, other_norm) = (this.dot(other), this.norm(), other.norm()); \
        if norm == 0.0 || other_norm == 0.0 { 0.0 } else { (product / (norm * other_norm)).clamp(-1.0, 1.0).acos() } \
    }";
    perp(other) => "this[0] * other[1] - this[1] * other[0]";
    inf(other) => "this.zip_map(other, |a, b| a.min(b))";
    sup(other) => "this.zip_map(other, |a, b| a.max(b))";
    abs() => "this.map(|a| a.abs())";
    amax() => "this.map(|a| a.abs()).max()";
    amin() => "this.map(|a| a.abs()).min()";
    add_scalar(number) => "this.map(|a| a + number)";
    __is_invertible() => "this.determinant() != 0.0";
    try_inverse() => "{ if this.__is_invertible() { Some(this.__inverse()) } else { None } }";
    mean() => "this.sum() / this.__count()";
    variance() => "{ let mean = this.mean(); this.map(|a| (a - mean) * (a - mean)).sum() / this.__count() }";
    cross_matrix() => "nalgebra::Matrix3::new(0.0, -this[2], this[1], this[2], 0.0, -this[0], -this[1], this[0], 0.0)";
    lu() => "nalgebra::LU::__of(this)";
    // See Note [Orthogonal factors].
    qr() => "nalgebra::QR::__of(this)";
    // Only the lower triangle is read.
    cholesky() => "{ let factor = this.__lower_half().__cholesky(); \
        if factor.trace() > 0.0 { Some(nalgebra::Cholesky::__of(factor)) } else { None } }";
    solve_lower_triangular(b) => "{ if this.diagonal().product() != 0.0 { Some(this.__solve_lower(b)) } else { None } }";
    solve_upper_triangular(b) => "{ if this.diagonal().product() != 0.0 { Some(this.__solve_upper(b)) } else { None } }";
    into_scalar() => "this[0]";
    to_scalar() => "this[0]";
    column_mean() => "this.column_sum() / this.__column_count()";
    row_mean() => "this.row_sum() / this.__row_count()";
    __matrix_axpy(a, x, b) => "x * a + this * b";
    __matrix_ger(alpha, x, y, beta) => "x * y.transpose() * alpha + this * beta";
    __matrix_gemm(alpha, a, b, beta) => "a * b * alpha + this * beta";
    __matrix_gemv(alpha, a, x, beta) => "a * x * alpha + this * beta";
    __matrix_component_mul_assign(other) => "this.component_mul(other)";
    __matrix_component_div_assign(other) => "this.component_div(other)";
    __matrix_normalize_mut() => "this.normalize()";
    __matrix_scale_mut(factor) => "this * factor";
    __matrix_unscale_mut(divisor) => "this / divisor";
    __matrix_neg_mut() => "-this";
    __matrix_transpose_mut() => "this.transpose()";
    __matrix_copy_from(other) => "other";
    __matrix_fill(number) => "this.map(|_| number)";
    __matrix_set_row(i, row) => "this.__matrix_put(i, 0, row)";
    __matrix_set_column(j, column) => "this.__matrix_put(0, j, column)";
    __factor() => "this.__lower_half().__cholesky()";
    symmetric_eigenvalues() => "this.__lower_half().__eigenvalues()";
    symmetric_eigen() => "{ let half = this.__lower_half(); \
        nalgebra::SymmetricEigen::__of(half.__eigenvalues(), half.__eigenvectors()) }";
    // The upper triangular factor, by Gram and Schmidt's method, and what of a row is zero below the diagonal.
    __triangular() => "{ let (mut q, mut r) = (this, this.tr_mul(this)); let rows = this.nrows(); \
        for j in 0..this.ncols() { \
            for i in 0..this.ncols() { \
                let mut sum = 0.0; \
                if i <= j { for k in 0..rows { sum += q[(k, i)] * q[(k, j)]; } } \
                if i < j { for k in 0..rows { q[(k, j)] -= sum * q[(k, i)]; } } \
                if i == j { sum = sum.sqrt(); for k in 0..rows { q[(k, j)] /= sum; } } \
                r[(i, j)] = sum; \
            } \
        } r }";
    // Of a matrix of homogeneous coordinates.
    transform_point(point) => "{ let moved = this * point.coords.__matrix_push(1.0); let w = moved.__last(); \
        nalgebra::Point3::__of(if w != 0.0 { moved.__front() / w } else { moved.__front() }) }";
    transform_vector(vector) => "{ let moved = this * vector.__matrix_push(0.0); let w = moved.__last(); \
        if w != 0.0 { moved.__front() / w } else { moved.__front() } }";
    symmetric_part() => "(this + this.transpose()) * 0.5";
};

/// Matrices of homogeneous coordinates, by how many rows they have.
pub(super) static MADE: &[(i64, Written)] = made! {
    3, new_scaling(scaling) => "nalgebra::Matrix3::from_diagonal(nalgebra::Vector3::new(scaling, scaling, 1.0))";
    4, new_scaling(scaling) => "nalgebra::Matrix4::from_diagonal(nalgebra::Vector4::new(scaling, scaling, scaling, 1.0))";
    3, new_nonuniform_scaling(scaling) => "nalgebra::Matrix3::from_diagonal(scaling.__matrix_push(1.0))";
    4, new_nonuniform_scaling(scaling) => "nalgebra::Matrix4::from_diagonal(scaling.__matrix_push(1.0))";
    3, new_translation(translation) => "nalgebra::Matrix3::new(1.0, 0.0, translation[0], 0.0, 1.0, translation[1], 0.0, 0.0, 1.0)";
    4, new_translation(translation) => "nalgebra::Matrix4::new(1.0, 0.0, 0.0, translation[0], 0.0, 1.0, 0.0, translation[1], \
        0.0, 0.0, 1.0, translation[2], 0.0, 0.0, 0.0, 1.0)";
    3, new_rotation(angle) => "nalgebra::Rotation2::new(angle).to_homogeneous()";
    4, new_rotation(axis_angle) => "nalgebra::Rotation3::from_scaled_axis(axis_angle).to_homogeneous()";
    4, from_scaled_axis(axis_angle) => "nalgebra::Rotation3::from_scaled_axis(axis_angle).to_homogeneous()";
    4, from_axis_angle(axis, angle) => "nalgebra::Rotation3::from_axis_angle(axis, angle).to_homogeneous()";
    4, from_euler_angles(roll, pitch, yaw) => "nalgebra::Rotation3::from_euler_angles(roll, pitch, yaw).to_homogeneous()";
};

/// The cross product of two columns, and of two rows.
pub(super) const CROSS: [&str; 2] = [
    "nalgebra::Vector3::new(this[1] * other[2] - this[2] * other[1], this[2] * other[0] - this[0] * other[2], this[0] * other[1] - this[1] * other[0])",
    "nalgebra::RowVector3::new(this[1] * other[2] - this[2] * other[1], this[2] * other[0] - this[0] * other[2], this[0] * other[1] - this[1] * other[0])",
];
