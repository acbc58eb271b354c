//! Programs of the kind that the documentation of nalgebra and of num-dual shows, with one attribute added. Each names the page that
//! shows its like.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{
    Isometry2, Isometry3, Matrix2, Matrix2x3, Matrix3, Matrix3x2, Matrix4, Point2, Point3, Quaternion, Rotation2,
    Rotation3, SMatrix, SVector, Similarity3, Translation3, Unit, UnitComplex, UnitQuaternion, Vector2, Vector3,
    Vector4, matrix, point, vector,
};

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} is not {b}");
}

/// nalgebra, "Points and transformations": the difference of points is a vector.
#[differentiable]
fn midpoint_to_origin(a: &Point3<f64>, b: &Point3<f64>) -> f64 {
    let half = (b - a) * 0.5;
    let middle = a + half;
    (middle - Point3::origin()).norm()
}

/// nalgebra, "Points and transformations": a direct isometry turns a point, then moves it.
#[differentiable]
fn moved_point(translation: &Vector3<f64>, axisangle: &Vector3<f64>, p: &Point3<f64>) -> Point3<f64> {
    let iso = Isometry3::new(*translation, *axisangle);
    iso * p
}

/// nalgebra, "Points and transformations": an isometry does not translate vectors.
#[differentiable]
fn turned_vector(translation: &Vector2<f64>, angle: f64, v: &Vector2<f64>) -> f64 {
    let iso = Isometry2::new(*translation, angle);
    let moved = iso * v;
    moved.x - 2.0 * moved.y
}

/// nalgebra, "Points and transformations": a similarity scales, turns and moves.
#[differentiable]
fn similar(scaling: f64, axisangle: &Vector3<f64>, p: &Point3<f64>) -> Point3<f64> {
    let sim = Similarity3::new(Vector3::new(1.0, 2.0, 3.0), *axisangle, scaling);
    sim * p
}

/// nalgebra, "Vectors and matrices": a matrix of its components, row by row, times a vector.
#[differentiable]
fn matrix_times_vector(a: f64, b: f64, v: &Vector3<f64>) -> Vector2<f64> {
    let m = Matrix2x3::new(a, 1.0, b, 0.0, a * b, 2.0);
    m * v
}

/// nalgebra, "Vectors and matrices": `from_fn`, `from_diagonal`, `transpose`.
#[differentiable]
fn built_matrices(d: &Vector3<f64>) -> f64 {
    let diagonal = Matrix3::from_diagonal(d);
    let counted = Matrix3::from_fn(|i, j| (i as f64) - (j as f64) * d[0]);
    (diagonal * counted.transpose()).trace() + counted.determinant()
}

/// nalgebra, `matrix!`, `vector!` and `point!`.
#[differentiable]
fn macros(x: f64, y: f64) -> f64 {
    let m = matrix![x, 1.0; y, 2.0];
    let v = vector![y, x];
    let p = point![1.0, x * y];
    (m * v).dot(&p.coords)
}

/// nalgebra, `Unit::new_normalize`.
#[differentiable]
fn along_axis(axis: &Vector3<f64>, v: &Vector3<f64>) -> f64 {
    let axis = Unit::new_normalize(*axis);
    axis.dot(v)
}

/// nalgebra, `Rotation3::from_axis_angle`.
#[differentiable]
fn about_axis(angle: f64, p: &Point3<f64>) -> Point3<f64> {
    let axis = Vector3::y_axis();
    let rotation = Rotation3::from_axis_angle(&axis, angle);
    rotation * p
}

/// nalgebra, `Rotation3::new` of a scaled axis, and `transform_vector`.
#[differentiable]
fn scaled_axis(axisangle: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    Rotation3::new(*axisangle).transform_vector(v)
}

/// nalgebra, `Rotation3::from_euler_angles` and `euler_angles`.
#[differentiable]
fn euler_angles(roll: f64, pitch: f64, yaw: f64) -> f64 {
    let rotation = Rotation3::from_euler_angles(roll, pitch, yaw);
    let (r, p, y) = rotation.euler_angles();
    r + 2.0 * p + 3.0 * y
}

/// nalgebra, `Rotation2::new`, `angle`, `inverse`.
#[differentiable]
fn planar_rotation(angle: f64, v: &Vector2<f64>) -> f64 {
    let rotation = Rotation2::new(angle);
    let back = rotation.inverse() * v;
    back.x * rotation.angle() + back.y
}

/// nalgebra, `UnitComplex::new`: a quarter turn and some.
#[differentiable]
fn complex_rotation(angle: f64, p: &Point2<f64>) -> Point2<f64> {
    let rotation = UnitComplex::new(angle);
    rotation * rotation * p
}

/// nalgebra, `UnitQuaternion::from_axis_angle` and `transform_point`.
#[differentiable]
fn quaternion_of_axis(angle: f64, p: &Point3<f64>) -> Point3<f64> {
    let q = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
    q.transform_point(p)
}

/// nalgebra, `UnitQuaternion::slerp`.
#[differentiable]
fn between_rotations(t: f64, v: &Vector3<f64>) -> Vector3<f64> {
    let q1 = UnitQuaternion::from_euler_angles(std::f64::consts::FRAC_PI_4, 0.0, 0.0);
    let q2 = UnitQuaternion::from_euler_angles(-std::f64::consts::PI * 0.7, 0.2, 0.0);
    q1.slerp(&q2, t) * v
}

/// nalgebra, `UnitQuaternion::rotation_between`.
#[differentiable]
fn rotation_between(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    let q = UnitQuaternion::rotation_between(a, b).unwrap();
    q.angle()
}

/// nalgebra, `UnitQuaternion::angle_to` and `rotation_to`.
#[differentiable]
fn angle_between(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    let (q1, q2) = (UnitQuaternion::from_scaled_axis(*a), UnitQuaternion::from_scaled_axis(*b));
    q1.angle_to(&q2) + q1.rotation_to(&q2).scaled_axis().x
}

/// nalgebra, `UnitQuaternion::powf`.
#[differentiable]
fn part_of_a_rotation(axisangle: &Vector3<f64>, n: f64, v: &Vector3<f64>) -> Vector3<f64> {
    UnitQuaternion::from_scaled_axis(*axisangle).powf(n) * v
}

/// nalgebra, `UnitQuaternion::nlerp`.
#[differentiable]
fn blended(a: &Vector3<f64>, b: &Vector3<f64>, t: f64, v: &Vector3<f64>) -> Vector3<f64> {
    let (q1, q2) = (UnitQuaternion::from_scaled_axis(*a), UnitQuaternion::from_scaled_axis(*b));
    q1.nlerp(&q2, t) * v
}

/// nalgebra, `Quaternion::new`, `conjugate`, `norm` and products.
#[differentiable]
fn quaternions(w: f64, v: &Vector3<f64>) -> f64 {
    let q = Quaternion::new(w, v.x, v.y, v.z);
    let r = q * q.conjugate();
    r.w + q.norm() + (q + q * 2.0).i
}

/// nalgebra, `Isometry3::inverse` and `inverse_transform_point`.
#[differentiable]
fn there_and_back(translation: &Vector3<f64>, axisangle: &Vector3<f64>, p: &Point3<f64>) -> f64 {
    let iso = Isometry3::new(*translation, *axisangle);
    let back = iso.inverse_transform_point(p);
    let other = iso.inverse() * p;
    back.x * other.y + back.z
}

/// nalgebra, `Isometry3::from_parts` of a translation and a rotation.
#[differentiable]
fn of_parts(t: &Vector3<f64>, angle: f64) -> Point3<f64> {
    let translation = Translation3::from(*t);
    let rotation = UnitQuaternion::from_scaled_axis(Vector3::y() * angle);
    Isometry3::from_parts(translation, rotation) * Point3::new(1.0, 2.0, 3.0)
}

/// nalgebra, `Isometry3::lerp_slerp`.
#[differentiable]
fn between_poses(t: f64, p: &Point3<f64>) -> Point3<f64> {
    let from = Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, 0.0, 0.0));
    let to = Isometry3::new(Vector3::new(3.0, 6.0, 9.0), Vector3::new(-0.5, 0.4, 0.0));
    from.lerp_slerp(&to, t) * p
}

/// nalgebra, "Homogeneous coordinates": a matrix of four rows moves a point.
#[differentiable]
fn homogeneous(shift: &Vector3<f64>, scale: f64, p: &Point3<f64>) -> Point3<f64> {
    let m = Matrix4::new_translation(shift) * Matrix4::new_scaling(scale);
    m.transform_point(p)
}

/// nalgebra, `Point3::to_homogeneous` and `from_homogeneous`.
#[differentiable]
fn perspective_division(p: &Point3<f64>, w: f64) -> f64 {
    let h = p.to_homogeneous() * w + Vector4::new(0.0, 0.0, 0.0, 0.5);
    let q = h.xyz() / h.w;
    q.norm()
}

/// nalgebra, `dot`, `cross` and `angle`.
#[differentiable]
fn products(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    a.cross(b).norm() + a.dot(b) + a.angle(b)
}

/// nalgebra, `lerp` of vectors.
#[differentiable]
fn lerp(x: &Vector3<f64>, y: &Vector3<f64>, t: f64) -> Vector3<f64> {
    x.lerp(y, t)
}

/// nalgebra, `cap_magnitude` and `try_normalize`.
#[differentiable]
fn capped(v: &Vector3<f64>, max: f64) -> f64 {
    let capped = v.cap_magnitude(max);
    match capped.try_normalize(1e-9) {
        Some(direction) => direction.x + capped.y,
        None => 0.0,
    }
}

/// nalgebra, `component_mul`, `component_div`, `map`, `zip_map`.
#[differentiable]
fn componentwise(a: &Matrix2<f64>, b: &Matrix2<f64>) -> f64 {
    let c = a.component_mul(b) + a.component_div(b).map(|x| x.sin());
    c.zip_map(a, |x, y| x * y - 1.0).sum()
}

/// nalgebra, `fold` and `iter`.
#[differentiable]
fn folded(v: &Vector4<f64>) -> f64 {
    let squares = v.iter().map(|x| x * x).sum::<f64>();
    v.fold(1.0, |acc, x| acc * x) + squares.sqrt()
}

/// nalgebra, `mean`, `variance`, `row_sum`, `column_mean`.
#[differentiable]
fn statistics(m: &Matrix2x3<f64>) -> f64 {
    let rows = m.row_sum();
    let columns = m.column_mean();
    m.mean() + m.variance() + rows[0] * rows[2] + columns[1]
}

/// nalgebra, `axpy`, `gemv` and `gemm`: sums of products in place.
#[differentiable]
fn blas(a: &Matrix3<f64>, x: &Vector3<f64>, y: &Vector3<f64>) -> f64 {
    let mut r = *y;
    r.axpy(2.0, x, 0.5);
    r.gemv(10.0, a, x, 5.0);
    let mut m = *a;
    m.gemm(1.5, a, &a.transpose(), 0.5);
    m.ger(1.0, x, y, 1.0);
    r.norm() + m.trace()
}

/// nalgebra, `fixed_view`, `column`, `row`, and a view that is assigned.
#[differentiable]
fn views(m: &Matrix3<f64>) -> f64 {
    let corner = m.fixed_view::<2, 2>(0, 1).into_owned();
    let mut n = Matrix3::identity();
    n.fixed_view_mut::<2, 2>(1, 0).copy_from(&corner);
    n.set_column(2, &m.column(0));
    (n * m).determinant() + m.row(1).norm()
}

/// nalgebra, `determinant` and `try_inverse`.
#[differentiable]
fn inverse(m: &Matrix3<f64>) -> f64 {
    match m.try_inverse() {
        Some(inverse) => inverse.trace() * m.determinant(),
        None => 0.0,
    }
}

/// nalgebra, `kronecker` and `cross_matrix`.
#[differentiable]
fn kronecker(a: &Vector2<f64>, b: &Vector3<f64>) -> f64 {
    let k = a.kronecker(b);
    k.norm_squared() + (b.cross_matrix() * Vector3::new(1.0, 2.0, 3.0)).x
}

/// nalgebra, "Matrix decompositions": Cholesky and a system of equations.
#[differentiable]
fn cholesky(m: &Matrix3<f64>, b: &Vector3<f64>) -> f64 {
    let spd = m * m.transpose() + Matrix3::identity();
    let cholesky = spd.cholesky().expect("positive definite");
    let x = cholesky.solve(b);
    x.norm_squared() + cholesky.l().trace() + cholesky.ln_determinant()
}

/// nalgebra, "Matrix decompositions": LU and QR.
#[differentiable]
fn solved(m: &Matrix3<f64>, b: &Vector3<f64>) -> f64 {
    let x = m.lu().solve(b).unwrap();
    let y = m.qr().solve(b).unwrap();
    x.dot(&y)
}

/// nalgebra, "Matrix decompositions": eigenvalues of a symmetric matrix, and singular values.
#[differentiable]
fn spectrum(m: &Matrix3<f64>) -> f64 {
    let eigenvalues = (m + m.transpose()).symmetric_eigenvalues();
    let singular = Matrix3x2::from_columns(&[m.column(0).into_owned(), m.column(1).into_owned()]).singular_values();
    eigenvalues.norm_squared() + singular[0]
}

/// nalgebra, "Generic programming": a function for any size.
#[differentiable]
fn quadratic_form<const N: usize>(m: &SMatrix<f64, N, N>, x: &SVector<f64, N>) -> f64 {
    (x.transpose() * m * x)[(0, 0)]
}

/// num-dual, the first example: a derivative of a power.
#[differentiable]
fn power(x: f64) -> f64 {
    x.powi(3)
}

/// num-dual, `gradient`.
#[differentiable(order = 2)]
fn sine_of_product(v: &SVector<f64, 2>) -> f64 {
    let [x, y] = [v[0], v[1]];
    x.powi(2) * y.powi(3) + (x * y).sin()
}

/// num-dual, `jacobian`.
#[differentiable]
fn several(v: &SVector<f64, 2>) -> SVector<f64, 3> {
    let (x, y) = (v[0], v[1]);
    SVector::from([x * x * y, x / y, (x - y).exp()])
}

/// num-dual, `hessian`: of a distance.
#[differentiable(order = 2)]
fn distance(v: &SVector<f64, 2>) -> f64 {
    (v[0].powi(2) + v[1].powi(2)).sqrt()
}

/// num-dual, `second_partial_derivative`.
#[differentiable(order = 2)]
fn of_two(x: f64, y: f64) -> f64 {
    (x / y.powi(2)).ln() * x
}

/// num-dual, the trait for generic functions: the Bessel-like series of its page, for any number type.
#[differentiable]
fn generic<T: Real>(x: T) -> T {
    let two = T::from_f64(2.0);
    (x.powi(2) + two).sqrt() / x.exp() - x.sin_cos().0
}

/// num-dual, `implicit_derivative`: the root of a polynomial as a function of its coefficient.
#[implicit(residual = off_root)]
fn root(c: f64) -> f64 {
    let mut x = 1.0;
    for _ in 0..50 {
        x -= (x * x * x + x - c) / (3.0 * x * x + 1.0);
    }
    x
}

#[differentiable]
fn off_root(x: f64, c: f64) -> f64 {
    x * x * x + x - c
}

#[differentiable]
fn of_root(c: f64) -> f64 {
    root(c) * 2.0
}

const A: [f64; 3] = [0.3, -0.7, 1.1];
const B: [f64; 3] = [0.9, 0.4, -0.2];

fn a() -> Vector3<f64> {
    Vector3::from(A)
}

fn b() -> Vector3<f64> {
    Vector3::from(B)
}

fn p() -> Point3<f64> {
    Point3::new(0.5, 1.5, -0.6)
}

fn m() -> Matrix3<f64> {
    Matrix3::new(1.3, 0.2, -0.4, 0.7, 2.1, 0.3, -0.5, 0.6, 1.7)
}

#[test]
fn points_and_transformations() {
    check_grads!(midpoint_to_origin, &p(), &Point3::from(b()));
    check_grads!(moved_point, &a(), &b(), &p());
    check_grads!(turned_vector, &Vector2::new(1.0, 2.0), 0.7, &Vector2::new(0.4, -1.3));
    check_grads!(similar, 1.4, &a(), &p());
    check_grads!(there_and_back, &a(), &b(), &p());
    check_grads!(of_parts, &a(), 0.6);
    check_grads!(between_poses, 0.3, &p());
    check_grads!(homogeneous, &a(), 1.6, &p());
    check_grads!(perspective_division, &p(), 1.2);
    // A rotation keeps what is along its axis.
    close(about_axis::jacobian(0.4, &p()).1[(1, 1)], 1.0);
}

#[test]
fn rotations() {
    check_grads!(along_axis, &a(), &b());
    check_grads!(about_axis, 0.4, &p());
    check_grads!(scaled_axis, &a(), &b());
    check_grads!(euler_angles, 0.3, -0.4, 0.5);
    let (by_roll, by_pitch, by_yaw) = euler_angles::grad(0.3, -0.4, 0.5);
    close(by_roll, 1.0);
    close(by_pitch, 2.0);
    close(by_yaw, 3.0);
    check_grads!(planar_rotation, 0.8, &Vector2::new(0.4, -1.3));
    check_grads!(complex_rotation, 0.8, &Point2::new(0.4, -1.3));
    check_grads!(quaternion_of_axis, 0.8, &p());
    check_grads!(between_rotations, 0.35, &a());
    check_grads!(rotation_between, &a(), &b());
    check_grads!(angle_between, &a(), &b());
    check_grads!(part_of_a_rotation, &a(), 0.6, &b());
    check_grads!(blended, &a(), &b(), 0.4, &a());
    check_grads!(quaternions, 0.4, &a());
}

#[test]
fn vectors_and_matrices() {
    check_grads!(matrix_times_vector, 0.3, 0.8, &a());
    check_grads!(built_matrices, &a());
    check_grads!(macros, 0.3, 0.8);
    check_grads!(products, &a(), &b());
    check_grads!(lerp, &a(), &b(), 0.3);
    check_grads!(capped, &a(), 0.5);
    check_grads!(capped, &a(), 5.0);
    check_grads!(componentwise, &Matrix2::new(0.3, 0.8, -0.5, 1.2), &Matrix2::new(1.3, 0.7, 0.9, -0.8));
    check_grads!(folded, &Vector4::new(0.3, 0.8, -0.5, 1.2));
    check_grads!(statistics, &Matrix2x3::new(0.3, 0.8, -0.5, 1.2, 0.1, 0.6));
    check_grads!(blas, &m(), &a(), &b());
    check_grads!(views, &m());
    check_grads!(kronecker, &Vector2::new(0.4, -1.3), &a());
    check_grads!(quadratic_form::<3>, &m(), &a());
}

#[test]
fn decompositions() {
    check_grads!(inverse, &m());
    check_grads!(cholesky, &m(), &a());
    check_grads!(solved, &m(), &a());
    check_grads!(spectrum, &m());
    // tr(A⁻¹) · det A of a diagonal matrix is the sum of the products of pairs.
    let (value, by_m) = inverse::value_and_grad(&Matrix3::from_diagonal(&Vector3::new(2.0, 3.0, 5.0)));
    close(value, 31.0);
    close(by_m[(0, 0)], 8.0);
}

/// What num-dual gives.
#[test]
fn derivatives_of_num_dual() {
    let (value, derivative) = num_dual::first_derivative(|x| num_dual::DualNum::powi(&x, 3), 5.0);
    assert_eq!((value, derivative), (power(5.0), power::grad(5.0)));
    let at = SVector::from([3.0, 4.0]);
    let (f, g) = num_dual::gradient(
        |v| {
            use num_dual::DualNum;
            let (x, y) = (v[0], v[1]);
            x.powi(2) * y.powi(3) + (x * y).sin()
        },
        &at,
    );
    let (value, gradient) = sine_of_product::value_and_grad(&at);
    close(value, f);
    (0..2).for_each(|k| close(gradient[k], g[k]));
    let (f, jacobian) = num_dual::jacobian(
        |v| {
            use num_dual::DualNum;
            let (x, y) = (v[0], v[1]);
            SVector::from([x * x * y, x / y, (x - y).exp()])
        },
        &at,
    );
    let (value, own) = several::value_and_jacobian(&at);
    (0..3).for_each(|i| close(value[i], f[i]));
    (0..3).for_each(|i| (0..2).for_each(|j| close(own[(i, j)], jacobian[(i, j)])));
    let (f, g, h) = num_dual::hessian(
        |v| {
            use num_dual::DualNum;
            (v[0].powi(2) + v[1].powi(2)).sqrt()
        },
        &at,
    );
    let (value, gradient, hessian) = distance::value_grad_hessian(&at);
    close(value, f);
    (0..2).for_each(|i| close(gradient[i], g[i]));
    (0..2).for_each(|i| (0..2).for_each(|j| close(hessian[(i, j)], h[(i, j)])));
    // The mixed derivative of (ln x − 2 ln y) · x is −2 / y.
    close(of_two::hvp(1.5, 0.8, 0.0, 1.0).0, -2.5);
    close(
        generic::grad(0.7_f64),
        num_dual::first_derivative(
            |x| {
                use num_dual::DualNum;
                (x.powi(2) + 2.0).sqrt() / x.exp() - x.sin_cos().0
            },
            0.7,
        )
        .1,
    );
    // The residual x³ + x − c gives 1 / (3x² + 1).
    let x = root(10.0);
    close(x, 2.0);
    close(of_root::grad(10.0), 2.0 / 13.0);
}

/// A similarity goes through loops and choices as its parts do.
#[differentiable]
fn repeated(x: &Vector3<f64>, n: usize) -> f64 {
    let mut s = Similarity3::new(*x, *x, 1.0 + 0.1 * x.x);
    for _ in 0..n {
        s = s * s;
    }
    let t = if x.y > 0.0 { s } else { s.inverse() };
    (t * Point3::new(1.0, 2.0, 3.0)).coords.norm()
}

#[test]
fn similarities_in_loops() {
    for n in [0, 1, 2] {
        check_grads!(repeated, &a(), n);
        check_grads!(repeated, &b(), n);
    }
}
