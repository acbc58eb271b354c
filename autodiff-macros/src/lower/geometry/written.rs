//! Points, rotations and isometries in Rust, with matrices: `this` is the value, or the left operand, `other` the right one, and
//! parameters have their names. `__of` puts a value together from its parts. See Note [Geometry] in [`crate::parse::geometry`].

use crate::parse::geometry::Geometry::{
    self, Cholesky, Isometry, Lu, Point, Qr, Quaternion, Rotation, Similarity, SymmetricEigen, Translation,
    UnitComplex, UnitQuaternion,
};

/// What stands on a side of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Of(Geometry),
    Vector,
    Matrix,
    Number,
}

use Side::{Matrix, Number, Of, Vector};

pub(super) struct Operation {
    pub(super) left: Side,
    pub(super) op: &'static str,
    pub(super) right: Side,
    pub(super) body: &'static str,
}

pub(super) struct Function {
    pub(super) of: Geometry,
    /// The dimensions of the spaces that it is for; none, if for all.
    pub(super) sizes: &'static [i64],
    pub(super) name: &'static str,
    pub(super) params: &'static [&'static str],
    pub(super) body: &'static str,
}

macro_rules! operations {
    ($($left:expr, $op:literal, $right:expr => $body:expr;)*) => {
        &[$(Operation { left: $left, op: $op, right: $right, body: $body }),*]
    };
}

macro_rules! functions {
    ($($of:ident $sizes:expr, $name:ident($($param:ident),*) => $body:literal;)*) => {
        &[$(Function { of: $of, sizes: &$sizes, name: stringify!($name), params: &[$(stringify!($param)),*], body: $body }),*]
    };
}

const ANY: [i64; 0] = [];

/// The product of unit quaternions, and of quaternions: Hamilton's.
macro_rules! hamilton {
    ($ty:literal) => {
        concat!(
            "{ let (a, b) = (this.coords, other.coords); nalgebra::",
            $ty,
            "::__of(nalgebra::Vector4::new(a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], ",
            "a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0], ",
            "a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], ",
            "a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2])) }"
        )
    };
}

pub(super) static OPERATIONS: &[Operation] = operations! {
    Of(Point), "-", Of(Point) => "this.coords - other.coords";
    Of(Point), "-", Vector => "nalgebra::Point3::__of(this.coords - other)";
    Of(Point), "+", Vector => "nalgebra::Point3::__of(this.coords + other)";
    Of(Point), "*", Number => "nalgebra::Point3::__of(this.coords * other)";
    Number, "*", Of(Point) => "nalgebra::Point3::__of(other.coords * this)";
    Of(Point), "/", Number => "nalgebra::Point3::__of(this.coords / other)";
    Matrix, "*", Of(Point) => "nalgebra::Point3::__of(this * other.coords)";
    Of(Translation), "*", Of(Point) => "nalgebra::Point3::__of(this.vector + other.coords)";
    Of(Translation), "*", Of(Translation) => "nalgebra::Translation3::__of(this.vector + other.vector)";
    Of(Translation), "*", Of(UnitQuaternion) => "nalgebra::Isometry3::__of(other, this)";
    Of(Translation), "*", Of(Isometry) => "nalgebra::Isometry3::__of(other.rotation, nalgebra::Translation3::__of(this.vector + other.translation.vector))";
    Of(Quaternion), "+", Of(Quaternion) => "nalgebra::Quaternion::__of(this.coords + other.coords)";
    Of(Quaternion), "-", Of(Quaternion) => "nalgebra::Quaternion::__of(this.coords - other.coords)";
    Of(Quaternion), "*", Number => "nalgebra::Quaternion::__of(this.coords * other)";
    Number, "*", Of(Quaternion) => "nalgebra::Quaternion::__of(other.coords * this)";
    Of(Quaternion), "/", Number => "nalgebra::Quaternion::__of(this.coords / other)";
    Of(Quaternion), "*", Of(Quaternion) => hamilton!("Quaternion");
    Of(UnitQuaternion), "*", Of(Quaternion) => hamilton!("Quaternion");
    Of(Quaternion), "*", Of(UnitQuaternion) => hamilton!("Quaternion");
    Of(UnitQuaternion), "*", Of(UnitQuaternion) => hamilton!("UnitQuaternion");
    Of(UnitQuaternion), "/", Of(UnitQuaternion) => "this * other.inverse()";
    Of(UnitQuaternion), "*", Vector => "{ \
        let axis = nalgebra::Vector3::new(this.coords[0], this.coords[1], this.coords[2]); \
        let twice = axis.cross(other) * 2.0; \
        twice * this.coords[3] + axis.cross(twice) + other \
    }";
    Of(UnitQuaternion), "*", Of(Point) => "nalgebra::Point3::__of(this * other.coords)";
    Of(UnitQuaternion), "*", Of(Translation) => "nalgebra::Isometry3::__of(this, nalgebra::Translation3::__of(this * other.vector))";
    Of(UnitQuaternion), "*", Of(Isometry) => "nalgebra::Isometry3::__of(this * other.rotation, nalgebra::Translation3::__of(this * other.translation.vector))";
    Of(UnitComplex), "*", Of(UnitComplex) => "nalgebra::UnitComplex::__of(this.re * other.re - this.im * other.im, this.re * other.im + this.im * other.re)";
    Of(UnitComplex), "/", Of(UnitComplex) => "this * other.inverse()";
    Of(UnitComplex), "*", Vector => "nalgebra::Vector2::new(this.re * other[0] - this.im * other[1], this.im * other[0] + this.re * other[1])";
    Of(UnitComplex), "*", Of(Point) => "nalgebra::Point2::__of(this * other.coords)";
    Of(UnitComplex), "*", Of(Translation) => "nalgebra::Isometry2::__of(this, nalgebra::Translation2::__of(this * other.vector))";
    Of(UnitComplex), "*", Of(Isometry) => "nalgebra::Isometry2::__of(this * other.rotation, nalgebra::Translation2::__of(this * other.translation.vector))";
    Of(Translation), "*", Of(UnitComplex) => "nalgebra::Isometry2::__of(other, this)";
    Of(Isometry), "*", Of(UnitComplex) => "nalgebra::Isometry2::__of(this.rotation * other, this.translation)";
    Of(Rotation), "*", Of(Rotation) => "nalgebra::Rotation3::__of(this.matrix * other.matrix)";
    Of(Rotation), "/", Of(Rotation) => "nalgebra::Rotation3::__of(this.matrix * other.matrix.transpose())";
    Of(Rotation), "*", Vector => "this.matrix * other";
    Of(Rotation), "*", Matrix => "this.matrix * other";
    Matrix, "*", Of(Rotation) => "this * other.matrix";
    Of(Rotation), "*", Of(Point) => "nalgebra::Point3::__of(this.matrix * other.coords)";
    Of(Isometry), "*", Of(Isometry) => "nalgebra::Isometry3::__of(this.rotation * other.rotation, \
        nalgebra::Translation3::__of(this.translation.vector + this.rotation * other.translation.vector))";
    Of(Isometry), "*", Of(Translation) => "nalgebra::Isometry3::__of(this.rotation, \
        nalgebra::Translation3::__of(this.translation.vector + this.rotation * other.vector))";
    Of(Isometry), "*", Of(UnitQuaternion) => "nalgebra::Isometry3::__of(this.rotation * other, this.translation)";
    Of(Isometry), "*", Of(Point) => "nalgebra::Point3::__of(this.rotation * other.coords + this.translation.vector)";
    Of(Isometry), "*", Vector => "this.rotation * other";
    Of(Isometry), "*", Of(Similarity) => "nalgebra::Similarity3::__of(this * other.isometry, other.__scaling)";
    Of(Similarity), "*", Of(Similarity) => "nalgebra::Similarity3::__of((this * other.isometry).isometry, this.__scaling * other.__scaling)";
    Of(Similarity), "*", Of(Isometry) => "nalgebra::Similarity3::__of(nalgebra::Isometry3::__of(this.isometry.rotation * other.rotation, \
        nalgebra::Translation3::__of(this.isometry.translation.vector + this.isometry.rotation * (other.translation.vector * this.__scaling))), \
        this.__scaling)";
    Of(Similarity), "*", Of(Point) => "this.isometry * nalgebra::Point3::__of(other.coords * this.__scaling)";
    Of(Similarity), "*", Vector => "this.isometry.rotation * other * this.__scaling";
};

/// What makes a value: associated functions.
pub(super) static MAKERS: &[Function] = functions! {
    Rotation [3], new(axis_angle) => "nalgebra::Rotation3::from_scaled_axis(axis_angle)";
    // Rodrigues' formula. Near 0 by its series, whose derivative is that of the exponential.
    Rotation [3], from_scaled_axis(axis_angle) => "{ \
        let square = axis_angle.dot(axis_angle); \
        let (a, b) = if square < 1e-6 { \
            (1.0 - square / 6.0 + square * square / 120.0, 0.5 - square / 24.0 + square * square / 720.0) \
        } else { \
            let angle = square.sqrt(); (angle.sin() / angle, (1.0 - angle.cos()) / square) \
        }; \
        let (x, y, z) = (axis_angle[0], axis_angle[1], axis_angle[2]); \
        nalgebra::Rotation3::__of(nalgebra::Matrix3::new( \
            1.0 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y, \
            b * x * y + a * z, 1.0 - b * (x * x + z * z), b * y * z - a * x, \
            b * x * z - a * y, b * y * z + a * x, 1.0 - b * (x * x + y * y))) \
    }";
    Rotation [3], from_axis_angle(axis, angle) => "{ \
        let (sin, cos) = angle.sin_cos(); let rest = 1.0 - cos; \
        let (x, y, z) = (axis[0], axis[1], axis[2]); \
        nalgebra::Rotation3::__of(nalgebra::Matrix3::new( \
            x * x + (1.0 - x * x) * cos, x * y * rest - z * sin, x * z * rest + y * sin, \
            x * y * rest + z * sin, y * y + (1.0 - y * y) * cos, y * z * rest - x * sin, \
            x * z * rest - y * sin, y * z * rest + x * sin, z * z + (1.0 - z * z) * cos)) \
    }";
    Rotation [3], from_euler_angles(roll, pitch, yaw) => "{ \
        let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos()); \
        nalgebra::Rotation3::__of(nalgebra::Matrix3::new( \
            cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, \
            sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr, \
            -sp, cp * sr, cp * cr)) \
    }";
    Rotation [2], new(angle) => "{ let (sin, cos) = angle.sin_cos(); nalgebra::Rotation2::__of(nalgebra::Matrix2::new(cos, -sin, sin, cos)) }";
    Rotation [2, 3], from_matrix_unchecked(matrix) => "nalgebra::Rotation3::__of(matrix)";
    UnitComplex [2], new(angle) => "nalgebra::UnitComplex::__of(angle.cos(), angle.sin())";
    UnitComplex [2], from_angle(angle) => "nalgebra::UnitComplex::__of(angle.cos(), angle.sin())";
    UnitComplex [2], from_cos_sin_unchecked(cos, sin) => "nalgebra::UnitComplex::__of(cos, sin)";
    UnitComplex [2], from_rotation_matrix(rotation) => "nalgebra::UnitComplex::__of(rotation.matrix[(0, 0)], rotation.matrix[(1, 0)])";
    UnitComplex [2], from(rotation) => "nalgebra::UnitComplex::__of(rotation.matrix[(0, 0)], rotation.matrix[(1, 0)])";
    Isometry [2], new(translation, angle) =>
        "nalgebra::Isometry2::__of(nalgebra::UnitComplex::new(angle), nalgebra::Translation2::__of(translation))";
    Rotation [2, 3], from(quaternion) => "quaternion.to_rotation_matrix()";
    Quaternion [3], new(w, i, j, k) => "nalgebra::Quaternion::__of(nalgebra::Vector4::new(i, j, k, w))";
    Quaternion [3], from_parts(w, axis) => "nalgebra::Quaternion::__of(nalgebra::Vector4::new(axis[0], axis[1], axis[2], w))";
    Quaternion [3], from_imag(axis) => "nalgebra::Quaternion::__of(nalgebra::Vector4::new(axis[0], axis[1], axis[2], 0.0))";
    Quaternion [3], from(coords) => "nalgebra::Quaternion::__of(coords)";
    UnitQuaternion [3], new(axis_angle) => "nalgebra::UnitQuaternion::from_scaled_axis(axis_angle)";
    UnitQuaternion [3], from_scaled_axis(axis_angle) => "{ \
        let half = axis_angle * 0.5; \
        let square = half.dot(half); \
        let (sin, cos) = if square < 1e-6 { \
            (1.0 - square / 6.0 + square * square / 120.0, 1.0 - square / 2.0 + square * square / 24.0) \
        } else { \
            let angle = square.sqrt(); (angle.sin() / angle, angle.cos()) \
        }; \
        nalgebra::UnitQuaternion::__of(nalgebra::Vector4::new(half[0] * sin, half[1] * sin, half[2] * sin, cos)) \
    }";
    UnitQuaternion [3], from_axis_angle(axis, angle) => "{ \
        let (sin, cos) = (angle * 0.5).sin_cos(); \
        nalgebra::UnitQuaternion::__of(nalgebra::Vector4::new(axis[0] * sin, axis[1] * sin, axis[2] * sin, cos)) \
    }";
    UnitQuaternion [3], from_euler_angles(roll, pitch, yaw) => "{ \
        let ((sr, cr), (sp, cp), (sy, cy)) = ((roll * 0.5).sin_cos(), (pitch * 0.5).sin_cos(), (yaw * 0.5).sin_cos()); \
        nalgebra::UnitQuaternion::__of(nalgebra::Vector4::new( \
            sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy, \
            cr * cp * cy + sr * sp * sy)) \
    }";
    // By half of the angle, whose derivative is there where the vectors are parallel, too. nalgebra finds no axis where their product
    // is not above the precision of the numbers.
    UnitQuaternion [3], rotation_between(a, b) => "{ \
        let (of_a, of_b) = (a.norm(), b.norm()); \
        if of_a > 0.0 && of_b > 0.0 { \
            let (u, v) = (a / of_a, b / of_b); let (cos, axis) = (u.dot(v), u.cross(v)); \
            if cos >= 0.0 || 1.0 + axis.norm() * 0.5 > 1.0 { \
                let twice = nalgebra::Vector4::new(axis[0], axis[1], axis[2], 1.0 + cos); \
                Some(nalgebra::UnitQuaternion::__of(twice / twice.norm())) \
            } else { None } \
        } else { Some(nalgebra::UnitQuaternion::__of(nalgebra::Vector4::new(0.0, 0.0, 0.0, 1.0))) } \
    }";
    UnitQuaternion [3], new_normalize(quaternion) => "nalgebra::UnitQuaternion::__of(quaternion.coords / quaternion.coords.norm())";
    UnitQuaternion [3], from_quaternion(quaternion) => "nalgebra::UnitQuaternion::__of(quaternion.coords / quaternion.coords.norm())";
    UnitQuaternion [3], new_unchecked(quaternion) => "nalgebra::UnitQuaternion::__of(quaternion.coords)";
    Isometry [3], new(translation, axis_angle) =>
        "nalgebra::Isometry3::__of(nalgebra::UnitQuaternion::from_scaled_axis(axis_angle), nalgebra::Translation3::__of(translation))";
    Isometry [2, 3], from_parts(translation, rotation) => "nalgebra::Isometry3::__of(rotation, translation)";
    Similarity [2], new(translation, angle, scaling) => "nalgebra::Similarity2::__of(nalgebra::Isometry2::new(translation, angle), scaling)";
    Similarity [3], new(translation, axis_angle, scaling) => "nalgebra::Similarity3::__of(nalgebra::Isometry3::new(translation, axis_angle), scaling)";
    Similarity [2, 3], from_parts(translation, rotation, scaling) =>
        "nalgebra::Similarity3::__of(nalgebra::Isometry3::__of(rotation, translation), scaling)";
    Similarity [2, 3], from_isometry(isometry, scaling) => "nalgebra::Similarity3::__of(isometry, scaling)";
    Rotation [3], face_towards(dir, up) => "{ \
        let z = dir.normalize(); let x = up.cross(z).normalize(); let y = z.cross(x).normalize(); \
        nalgebra::Rotation3::__of(nalgebra::Matrix3::from_columns([x, y, z])) \
    }";
    Rotation [3], look_at_rh(dir, up) => "nalgebra::Rotation3::face_towards(-dir, up).inverse()";
    Rotation [3], look_at_lh(dir, up) => "nalgebra::Rotation3::face_towards(dir, up).inverse()";
    UnitQuaternion [3], face_towards(dir, up) => "nalgebra::UnitQuaternion::from_rotation_matrix(nalgebra::Rotation3::face_towards(dir, up))";
    UnitQuaternion [3], look_at_rh(dir, up) => "nalgebra::UnitQuaternion::face_towards(-dir, up).inverse()";
    UnitQuaternion [3], look_at_lh(dir, up) => "nalgebra::UnitQuaternion::face_towards(dir, up).inverse()";
    UnitQuaternion [3], from_rotation_matrix(rotation) => "{ \
        let m = rotation.matrix; let trace = m.trace(); \
        nalgebra::UnitQuaternion::__of(if trace > 0.0 { \
            let d = (trace + 1.0).sqrt() * 2.0; \
            nalgebra::Vector4::new((m[(2, 1)] - m[(1, 2)]) / d, (m[(0, 2)] - m[(2, 0)]) / d, (m[(1, 0)] - m[(0, 1)]) / d, 0.25 * d) \
        } else if m[(0, 0)] > m[(1, 1)] && m[(0, 0)] > m[(2, 2)] { \
            let d = (1.0 + m[(0, 0)] - m[(1, 1)] - m[(2, 2)]).sqrt() * 2.0; \
            nalgebra::Vector4::new(0.25 * d, (m[(0, 1)] + m[(1, 0)]) / d, (m[(0, 2)] + m[(2, 0)]) / d, (m[(2, 1)] - m[(1, 2)]) / d) \
        } else if m[(1, 1)] > m[(2, 2)] { \
            let d = (1.0 + m[(1, 1)] - m[(0, 0)] - m[(2, 2)]).sqrt() * 2.0; \
            nalgebra::Vector4::new((m[(0, 1)] + m[(1, 0)]) / d, 0.25 * d, (m[(1, 2)] + m[(2, 1)]) / d, (m[(0, 2)] - m[(2, 0)]) / d) \
        } else { \
            let d = (1.0 + m[(2, 2)] - m[(0, 0)] - m[(1, 1)]).sqrt() * 2.0; \
            nalgebra::Vector4::new((m[(0, 2)] + m[(2, 0)]) / d, (m[(1, 2)] + m[(2, 1)]) / d, 0.25 * d, (m[(1, 0)] - m[(0, 1)]) / d) \
        }) \
    }";
    Isometry [3], face_towards(eye, target, up) => "nalgebra::Isometry3::__of( \
        nalgebra::UnitQuaternion::face_towards(target - eye, up), nalgebra::Translation3::__of(eye.coords))";
    Isometry [3], look_at_rh(eye, target, up) => "{ \
        let rotation = nalgebra::UnitQuaternion::look_at_rh(target - eye, up); \
        nalgebra::Isometry3::__of(rotation, nalgebra::Translation3::__of(rotation * (-eye.coords))) }";
    Isometry [3], look_at_lh(eye, target, up) => "{ \
        let rotation = nalgebra::UnitQuaternion::look_at_lh(target - eye, up); \
        nalgebra::Isometry3::__of(rotation, nalgebra::Translation3::__of(rotation * (-eye.coords))) }";
    Point ANY, from_homogeneous(vector) => "{ let w = vector.__last(); \
        if w != 0.0 { Some(nalgebra::Point3::__of(vector.__front() / w)) } else { None } }";
    Translation ANY, from(vector) => "nalgebra::Translation3::__of(vector)";
    Lu ANY, new(matrix) => "matrix.lu()";
    Qr ANY, new(matrix) => "matrix.qr()";
    Cholesky ANY, new(matrix) => "matrix.cholesky()";
    SymmetricEigen ANY, new(matrix) => "matrix.symmetric_eigen()";
};

/// Methods.
pub(super) static METHODS: &[Function] = functions! {
    Point ANY, lerp(other, t) => "nalgebra::Point3::__of(this.coords * (1.0 - t) + other.coords * t)";
    Point ANY, to_homogeneous() => "this.coords.__matrix_push(1.0)";
    Point ANY, xy() => "nalgebra::Point2::__of(this.coords.xy())";
    Point ANY, xyz() => "nalgebra::Point3::__of(this.coords.xyz())";
    Lu ANY, solve(b) => "{ if this.matrix.__is_invertible() { Some(this.matrix.__solve(b)) } else { None } }";
    Lu ANY, try_inverse() => "this.matrix.try_inverse()";
    Lu ANY, determinant() => "this.matrix.determinant()";
    Qr ANY, solve(b) => "{ if this.matrix.__is_invertible() { Some(this.matrix.__solve(b)) } else { None } }";
    Qr ANY, try_inverse() => "this.matrix.try_inverse()";
    // Note [Orthogonal factors]. R₀ is the upper triangular factor without a derivative. Of A·R₀⁻¹, whose columns are orthonormal up to
    // rounding, the factors are made by Cholesky's, L·Lᵀ = (A·R₀⁻¹)ᵀ·(A·R₀⁻¹). So R = Lᵀ·R₀ and Q = A·R₀⁻¹·L⁻ᵀ are differentiated by the
    // identities of Cholesky's factor and of solutions, also where A is far from orthogonal. The diagonal of R is positive.
    Qr ANY, __rows() => "this.matrix.__still().__triangular().transpose().__solve_lower(this.matrix.transpose())";
    Qr ANY, r() => "{ let rows = this.__rows(); \
        (rows * rows.transpose()).__factor().transpose() * this.matrix.__still().__triangular() }";
    Qr ANY, q() => "{ let rows = this.__rows(); (rows * rows.transpose()).__factor().__solve_lower(rows).transpose() }";
    Qr ANY, unpack() => "(this.q(), this.r())";
    Qr ANY, unpack_r() => "this.r()";
    SymmetricEigen ANY, recompose() => "{ let mut scaled = this.eigenvectors; \
        for j in 0..scaled.ncols() { for i in 0..scaled.nrows() { scaled[(i, j)] *= this.eigenvalues[j]; } } \
        scaled * this.eigenvectors.transpose() }";
    Cholesky ANY, solve(b) => "this.matrix.transpose().__solve_upper(this.matrix.__solve_lower(b))";
    Cholesky ANY, l() => "this.matrix";
    Cholesky ANY, l_dirty() => "this.matrix";
    Cholesky ANY, unpack() => "this.matrix";
    Cholesky ANY, inverse() => "{ let inverse = this.matrix.__inverse(); inverse.transpose() * inverse }";
    Cholesky ANY, determinant() => "{ let root = this.matrix.diagonal().product(); root * root }";
    Cholesky ANY, ln_determinant() => "this.matrix.diagonal().map(|d| d.ln()).sum() * 2.0";
    Translation ANY, inverse() => "nalgebra::Translation3::__of(-this.vector)";
    Translation ANY, transform_point(point) => "this * point";
    Translation ANY, inverse_transform_point(point) => "nalgebra::Point3::__of(point.coords - this.vector)";
    Rotation [2, 3], inverse() => "nalgebra::Rotation3::__of(this.matrix.transpose())";
    Rotation [2, 3], transpose() => "nalgebra::Rotation3::__of(this.matrix.transpose())";
    Rotation [2, 3], matrix() => "this.matrix";
    Rotation [2, 3], into_inner() => "this.matrix";
    Rotation [2, 3], transform_vector(vector) => "this * vector";
    Rotation [2, 3], transform_point(point) => "this * point";
    Rotation [2, 3], inverse_transform_vector(vector) => "this.matrix.transpose() * vector";
    Rotation [2, 3], inverse_transform_point(point) => "nalgebra::Point3::__of(this.matrix.transpose() * point.coords)";
    Rotation [2, 3], rotation_to(other) => "other / this";
    Rotation [2, 3], angle_to(other) => "(other / this).angle()";
    Rotation [3], to_homogeneous() => "{ let m = this.matrix; \
        nalgebra::Matrix4::new(m[(0, 0)], m[(0, 1)], m[(0, 2)], 0.0, m[(1, 0)], m[(1, 1)], m[(1, 2)], 0.0, \
            m[(2, 0)], m[(2, 1)], m[(2, 2)], 0.0, 0.0, 0.0, 0.0, 1.0) }";
    Rotation [2], to_homogeneous() => "{ let m = this.matrix; \
        nalgebra::Matrix3::new(m[(0, 0)], m[(0, 1)], 0.0, m[(1, 0)], m[(1, 1)], 0.0, 0.0, 0.0, 1.0) }";
    Rotation [2], angle() => "this.matrix[(1, 0)].atan2(this.matrix[(0, 0)])";
    // By the sine and the cosine, which has a derivative where the cosine is 1 or -1 and the sine is not 0.
    Rotation [3], angle() => "{ let half = this.__half_axis(); half.norm().atan2((this.matrix.trace() - 1.0) * 0.5) }";
    Rotation [3], __half_axis() => "nalgebra::Vector3::new(this.matrix[(2, 1)] - this.matrix[(1, 2)], \
        this.matrix[(0, 2)] - this.matrix[(2, 0)], this.matrix[(1, 0)] - this.matrix[(0, 1)]) * 0.5";
    Rotation [3], scaled_axis() => "{ \
        let (half, cos) = (this.__half_axis(), (this.matrix.trace() - 1.0) * 0.5); \
        let square = half.dot(half); \
        if square < 1e-6 && cos > 0.0 { \
            half * (1.0 + square / 6.0 + square * square * 0.075) \
        } else { \
            let sin = square.sqrt(); half * (sin.atan2(cos) / sin) \
        } \
    }";
    Rotation [3], euler_angles() => "{ \
        let m = this.matrix; let sin = m[(2, 0)]; \
        if sin.abs() < 1.0 { \
            (m[(2, 1)].atan2(m[(2, 2)]), -sin.asin(), m[(1, 0)].atan2(m[(0, 0)])) \
        } else if sin <= -1.0 { \
            (m[(0, 1)].atan2(m[(0, 2)]), 1.5707963267948966, 0.0) \
        } else { \
            (-m[(0, 1)].atan2(-m[(0, 2)]), -1.5707963267948966, 0.0) \
        } \
    }";
    Quaternion [3], norm() => "this.coords.norm()";
    Quaternion [3], norm_squared() => "this.coords.norm_squared()";
    Quaternion [3], normalize() => "nalgebra::Quaternion::__of(this.coords / this.coords.norm())";
    Quaternion [3], dot(other) => "this.coords.dot(other.coords)";
    Quaternion [3], scalar() => "this.coords[3]";
    Quaternion [3], vector() => "nalgebra::Vector3::new(this.coords[0], this.coords[1], this.coords[2])";
    Quaternion [3], imag() => "nalgebra::Vector3::new(this.coords[0], this.coords[1], this.coords[2])";
    Quaternion [3], conjugate() => "nalgebra::Quaternion::__of(nalgebra::Vector4::new(-this.coords[0], -this.coords[1], -this.coords[2], this.coords[3]))";
    UnitQuaternion [3], quaternion() => "nalgebra::Quaternion::__of(this.coords)";
    UnitQuaternion [3], into_inner() => "nalgebra::Quaternion::__of(this.coords)";
    UnitQuaternion [3], scalar() => "this.coords[3]";
    UnitQuaternion [3], vector() => "nalgebra::Vector3::new(this.coords[0], this.coords[1], this.coords[2])";
    UnitQuaternion [3], imag() => "nalgebra::Vector3::new(this.coords[0], this.coords[1], this.coords[2])";
    UnitQuaternion [3], dot(other) => "this.coords.dot(other.coords)";
    UnitQuaternion [3], conjugate() => "this.inverse()";
    UnitQuaternion [3], inverse() => "nalgebra::UnitQuaternion::__of(nalgebra::Vector4::new(-this.coords[0], -this.coords[1], -this.coords[2], this.coords[3]))";
    UnitQuaternion [3], transform_vector(vector) => "this * vector";
    UnitQuaternion [3], transform_point(point) => "this * point";
    UnitQuaternion [3], inverse_transform_vector(vector) => "this.inverse() * vector";
    UnitQuaternion [3], inverse_transform_point(point) => "this.inverse() * point";
    UnitQuaternion [3], rotation_to(other) => "other / this";
    UnitQuaternion [3], angle_to(other) => "(other / this).angle()";
    UnitQuaternion [3], angle() => "this.imag().norm().atan2(this.coords[3].abs()) * 2.0";
    UnitQuaternion [3], scaled_axis() => "{ let (axis, _, _, ratio) = this.__half_turn(); axis * ratio }";
    // Sine and cosine of half the angle, which is not above π: the axis times the sine, the cosine, the square of the sine, and the
    // angle by the sine.
    UnitQuaternion [3], __half_turn() => "{ \
        let (axis, cos) = if this.coords[3] >= 0.0 { (this.imag(), this.coords[3]) } else { (-this.imag(), -this.coords[3]) }; \
        let square = axis.dot(axis); \
        let ratio = if square < 1e-6 { \
            let ratio = square / (cos * cos); 2.0 / cos * (1.0 - ratio / 3.0 + ratio * ratio / 5.0) \
        } else { \
            let sin = square.sqrt(); 2.0 * sin.atan2(cos) / sin \
        }; \
        (axis, cos, square, ratio) \
    }";
    UnitQuaternion [3], euler_angles() => "this.to_rotation_matrix().euler_angles()";
    UnitQuaternion [3], to_homogeneous() => "this.to_rotation_matrix().to_homogeneous()";
    UnitQuaternion [3], to_rotation_matrix() => "{ \
        let (i, j, k, w) = (this.coords[0], this.coords[1], this.coords[2], this.coords[3]); \
        nalgebra::Rotation3::__of(nalgebra::Matrix3::new( \
            w * w + i * i - j * j - k * k, 2.0 * (i * j - w * k), 2.0 * (w * j + i * k), \
            2.0 * (w * k + i * j), w * w - i * i + j * j - k * k, 2.0 * (j * k - w * i), \
            2.0 * (i * k - w * j), 2.0 * (w * i + j * k), w * w - i * i - j * j + k * k)) \
    }";
    UnitQuaternion [3], slerp(other, t) => "{ \
        let to = if this.coords.dot(other.coords) < 0.0 { -other.coords } else { other.coords }; \
        let cos = this.coords.dot(to); \
        if cos >= 1.0 { this } else { \
            let (angle, sin) = (cos.acos(), (1.0 - cos * cos).sqrt()); \
            nalgebra::UnitQuaternion::__of(this.coords * (((1.0 - t) * angle).sin() / sin) + to * ((t * angle).sin() / sin)) \
        } \
    }";
    UnitQuaternion [3], lerp(other, t) => "nalgebra::Quaternion::__of(this.coords * (1.0 - t) + other.coords * t)";
    UnitQuaternion [3], nlerp(other, t) => "{ let sum = this.coords * (1.0 - t) + other.coords * t; \
        nalgebra::UnitQuaternion::__of(sum / sum.norm()) }";
    UnitQuaternion [3], powf(n) => "nalgebra::UnitQuaternion::from_scaled_axis(this.scaled_axis() * n)";
    UnitQuaternion [3], axis() => "{ let axis = if this.coords[3] >= 0.0 { this.imag() } else { -this.imag() }; axis.try_normalize(0.0) }";
    Rotation [2], powf(n) => "nalgebra::Rotation2::new(this.angle() * n)";
    Rotation [3], powf(n) => "nalgebra::Rotation3::from_scaled_axis(this.scaled_axis() * n)";
    Rotation [2], slerp(other, t) => "nalgebra::Rotation2::new(this.angle() + (other / this).angle() * t)";
    Rotation [3], slerp(other, t) => "nalgebra::UnitQuaternion::from_rotation_matrix(this) \
        .slerp(nalgebra::UnitQuaternion::from_rotation_matrix(other), t).to_rotation_matrix()";
    UnitComplex [2], slerp(other, t) => "this * nalgebra::UnitComplex::new((other / this).angle() * t)";
    UnitComplex [2], angle() => "this.im.atan2(this.re)";
    UnitComplex [2], cos_angle() => "this.re";
    UnitComplex [2], sin_angle() => "this.im";
    UnitComplex [2], inverse() => "nalgebra::UnitComplex::__of(this.re, -this.im)";
    UnitComplex [2], conjugate() => "this.inverse()";
    UnitComplex [2], transform_vector(vector) => "this * vector";
    UnitComplex [2], transform_point(point) => "this * point";
    UnitComplex [2], inverse_transform_vector(vector) => "this.inverse() * vector";
    UnitComplex [2], inverse_transform_point(point) => "this.inverse() * point";
    UnitComplex [2], rotation_to(other) => "other / this";
    UnitComplex [2], angle_to(other) => "(other / this).angle()";
    UnitComplex [2], powf(n) => "nalgebra::UnitComplex::new(this.angle() * n)";
    UnitComplex [2], to_rotation_matrix() => "nalgebra::Rotation2::__of(nalgebra::Matrix2::new(this.re, -this.im, this.im, this.re))";
    UnitComplex [2], to_homogeneous() => "this.to_rotation_matrix().to_homogeneous()";
    Isometry [2], to_homogeneous() => "{ let (r, t) = (this.rotation, this.translation.vector); \
        nalgebra::Matrix3::new(r.re, -r.im, t[0], r.im, r.re, t[1], 0.0, 0.0, 1.0) }";
    Isometry [2, 3], inverse() => "{ let back = this.rotation.inverse(); \
        nalgebra::Isometry3::__of(back, nalgebra::Translation3::__of(-(back * this.translation.vector))) }";
    Isometry [2, 3], lerp_slerp(other, t) => "nalgebra::Isometry3::__of(this.rotation.slerp(other.rotation, t), \
        nalgebra::Translation3::__of(this.translation.vector.lerp(other.translation.vector, t)))";
    Isometry [2, 3], inv_mul(other) => "this.inverse() * other";
    Isometry [2, 3], transform_point(point) => "this * point";
    Isometry [2, 3], transform_vector(vector) => "this * vector";
    Isometry [2, 3], inverse_transform_vector(vector) => "this.rotation.inverse() * vector";
    Isometry [2, 3], inverse_transform_point(point) => "nalgebra::Point3::__of(this.rotation.inverse() * (point.coords - this.translation.vector))";
    Isometry [3], to_homogeneous() => "{ let (m, t) = (this.rotation.to_rotation_matrix().matrix(), this.translation.vector); \
        nalgebra::Matrix4::new(m[(0, 0)], m[(0, 1)], m[(0, 2)], t[0], m[(1, 0)], m[(1, 1)], m[(1, 2)], t[1], \
            m[(2, 0)], m[(2, 1)], m[(2, 2)], t[2], 0.0, 0.0, 0.0, 1.0) }";
    Similarity [2, 3], scaling() => "this.__scaling";
    Similarity [2, 3], inverse() => "{ let (back, scaling) = (this.isometry.inverse(), 1.0 / this.__scaling); \
        nalgebra::Similarity3::__of(nalgebra::Isometry3::__of(back.rotation, \
            nalgebra::Translation3::__of(back.translation.vector * scaling)), scaling) }";
    Similarity [2, 3], transform_point(point) => "this * point";
    Similarity [2, 3], transform_vector(vector) => "this * vector";
    Similarity [2, 3], inverse_transform_point(point) =>
        "nalgebra::Point3::__of(this.isometry.inverse_transform_point(point).coords / this.__scaling)";
    Similarity [2, 3], inverse_transform_vector(vector) => "this.isometry.inverse_transform_vector(vector) / this.__scaling";
    Similarity [2], to_homogeneous() => "{ let (m, t) = (this.isometry.rotation.to_rotation_matrix().matrix() * this.__scaling, \
            this.isometry.translation.vector); \
        nalgebra::Matrix3::new(m[(0, 0)], m[(0, 1)], t[0], m[(1, 0)], m[(1, 1)], t[1], 0.0, 0.0, 1.0) }";
    Similarity [3], to_homogeneous() => "{ let (m, t) = (this.isometry.rotation.to_rotation_matrix().matrix() * this.__scaling, \
            this.isometry.translation.vector); \
        nalgebra::Matrix4::new(m[(0, 0)], m[(0, 1)], m[(0, 2)], t[0], m[(1, 0)], m[(1, 1)], m[(1, 2)], t[1], \
            m[(2, 0)], m[(2, 1)], m[(2, 2)], t[2], 0.0, 0.0, 0.0, 1.0) }";
};
