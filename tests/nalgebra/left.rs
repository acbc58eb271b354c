//! Changes of rotations and isometries on the left: derivatives of first and second order against differences along `exp(c)·r`.

use autodiff::prelude::*;
use autodiff::{Differentiable, RetractLeft};
use nalgebra::{
    Isometry2, Isometry3, Matrix3, Matrix6, Point2, Point3, Rotation3, SMatrix, SVector, UnitComplex, UnitQuaternion,
    Vector2, Vector3, Vector6,
};

fn turn() -> UnitQuaternion<f64> {
    UnitQuaternion::new(Vector3::new(0.3, -0.5, 0.4))
}

fn pose() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, -0.5, 0.4))
}

fn plane() -> Isometry2<f64> {
    Isometry2::new(Vector2::new(0.3, -0.8), 0.6)
}

/// Another function, whose changes are on the right: the boundary between the two is inside of the first.
#[differentiable(order = 2)]
fn sight(camera: &Isometry3<f64>, p: &Point3<f64>) -> Point2<f64> {
    let q = camera.inverse() * p;
    Point2::new(q.x / (2.0 + q.z * q.z), q.y + q.z)
}

#[differentiable(order = 2, left)]
fn reprojection(camera: &Isometry3<f64>, #[no_diff] p: &Point3<f64>) -> f64 {
    let q = sight(camera, p);
    let far = camera.rotation * Vector3::new(0.2, 0.4, -0.1);
    q.coords.norm_squared() + far.x * far.y + camera.translation.vector.dot(&far)
}

#[differentiable(order = 2, left)]
fn of_quaternion(r: &UnitQuaternion<f64>, #[no_diff] w: &Vector3<f64>) -> f64 {
    let v = (r * r) * w;
    v.x * v.y + r.scaled_axis().z
}

#[differentiable(order = 2, left)]
fn of_rotation(r: &Rotation3<f64>, #[no_diff] w: &Vector3<f64>) -> f64 {
    let v = r * w;
    v.x * v.y + (r.matrix() * v).z
}

#[differentiable(order = 2, left)]
fn of_plane(pose: &Isometry2<f64>, #[no_diff] p: &Point2<f64>) -> f64 {
    let q = pose * (pose * p);
    q.x * q.y + pose.rotation.angle()
}

/// Differences of `f(retract_left(x, c))` by `c`, once and twice.
fn check<X, const N: usize>(
    x: &X,
    f: &dyn Fn(&X) -> f64,
    (value, gradient, hessian): (f64, SVector<f64, N>, SMatrix<f64, N, N>),
) where
    X: RetractLeft + Differentiable<Tangent = SVector<f64, N>>,
{
    assert!((f(x) - value).abs() < 1e-14);
    let along = |changes: &[(usize, f64)]| {
        let mut c = SVector::<f64, N>::zeros();
        changes.iter().for_each(|(k, h)| c[*k] += h);
        f(&x.retract_left(&c))
    };
    for i in 0..N {
        let difference = (along(&[(i, 1e-5)]) - along(&[(i, -1e-5)])) / 2e-5;
        assert!((gradient[i] - difference).abs() < 1e-8, "{i}: {} and {difference}", gradient[i]);
        for j in 0..N {
            const H: f64 = 2e-4;
            let second = |a: f64, b: f64| along(&[(i, a), (j, b)]);
            let difference = (second(H, H) - second(H, -H) - second(-H, H) + second(-H, -H)) / (4.0 * H * H);
            let error = (hessian[(i, j)] - difference).abs();
            assert!(error < 2e-6 && (hessian[(i, j)] - hessian[(j, i)]).abs() < 1e-12, "{i} {j}: {error}");
        }
    }
}

#[test]
fn isometries() {
    let p = Point3::new(0.3, 1.2, -0.4);
    let (value, gradient): (f64, Vector6<f64>) = reprojection::value_and_grad(&pose(), &p);
    let hessian: Matrix6<f64> = reprojection::hessian(&pose(), &p);
    check(&pose(), &|x| reprojection(x, &p), (value, gradient, hessian));
    let along = Vector6::new(0.1, -0.2, 0.3, 0.4, 0.5, -0.6);
    let (_, slope) = reprojection::jvp(&pose(), &p, &along);
    assert!((slope - gradient.dot(&along)).abs() < 1e-13);
}

#[test]
fn rotations() {
    let w = Vector3::new(0.7, -0.2, 0.9);
    let (value, gradient) = of_quaternion::value_and_grad(&turn(), &w);
    check(&turn(), &|x| of_quaternion(x, &w), (value, gradient, of_quaternion::hessian(&turn(), &w)));
    let r = turn().to_rotation_matrix();
    let (value, gradient) = of_rotation::value_and_grad(&r, &w);
    check(&r, &|x| of_rotation(x, &w), (value, gradient, of_rotation::hessian(&r, &w)));
}

#[test]
fn isometries_of_the_plane() {
    let p = Point2::new(0.5, -0.3);
    let (value, gradient) = of_plane::value_and_grad(&plane(), &p);
    check(&plane(), &|x| of_plane(x, &p), (value, gradient, of_plane::hessian(&plane(), &p)));
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Rig {
    body: Isometry3<f64>,
    mount: UnitQuaternion<f64>,
}

#[differentiable(left)]
fn camera(rig: &Rig, offset: &Vector3<f64>) -> Isometry3<f64> {
    rig.body * Isometry3::from_parts((*offset).into(), rig.mount)
}

#[differentiable(left)]
fn unchanged(r: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    *r
}

/// A change of a result is on the left, too.
#[test]
fn results() {
    let rig = Rig { body: pose(), mount: turn() };
    let offset = Vector3::new(0.2, 0.1, 0.5);
    let dot = RigTangent { body: Vector6::new(0.1, -0.2, 0.3, 0.4, 0.5, -0.6), mount: Vector3::new(0.3, 0.1, -0.2) };
    let (made, tangent) = camera::jvp(&rig, &offset, &dot, &Vector3::zeros());
    let h = 1e-6;
    let at = |h: f64| {
        let moved =
            Rig { body: rig.body.retract_left(&(dot.body * h)), mount: rig.mount.retract_left(&(dot.mount * h)) };
        camera(&moved, &offset)
    };
    let reached = made.retract_left(&(tangent * h));
    assert!((at(h).inverse() * reached).translation.vector.norm() < 1e-11);
    assert!(at(h).rotation.angle_to(&reached.rotation) < 1e-11);
    // The identity has the identity as its derivative, on both sides.
    let (_, tangent) = unchanged::jvp(&turn(), &dot.mount);
    assert!((tangent - dot.mount).norm() < 1e-15);
    let jacobian: Matrix3<f64> = unchanged::jacobian(&turn());
    assert!((jacobian - Matrix3::identity()).norm() < 1e-15);
}

#[differentiable(left)]
fn similar(r: &UnitComplex<f64>, p: &Vector2<f64>) -> f64 {
    (r * p).x
}

#[test]
fn where_both_sides_are_the_same() {
    let (r, p) = (UnitComplex::new(0.4), Vector2::new(0.3, 0.9));
    let (by_r, by_p) = similar::grad(&r, &p);
    assert!((by_r[0] + (r * p).y).abs() < 1e-15);
    assert!((by_p - Vector2::new(r.re, -r.im)).norm() < 1e-15);
}

#[derive(Differentiable)]
struct Arm {
    length: f64,
}

/// For all methods of a block.
#[differentiable(left)]
impl Arm {
    fn tip(&self, r: &UnitQuaternion<f64>) -> f64 {
        (r * Vector3::new(self.length, 0.2, -0.3)).z * self.length
    }
}

#[test]
fn methods() {
    let (arm, r) = (Arm { length: 1.5 }, turn());
    let (_, by_r) = Arm_tip::grad(&arm, &r);
    let h = 1e-6;
    for k in 0..3 {
        let step = Vector3::ith(k, h);
        let difference = (arm.tip(&r.retract_left(&step)) - arm.tip(&r.retract_left(&-step))) / (2.0 * h);
        assert!((by_r[k] - difference).abs() < 1e-8);
    }
}
