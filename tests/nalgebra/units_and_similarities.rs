//! Unit vectors and similarities as parameters, results, fields and elements, by `&mut` and through calls, with second derivatives: by
//! changes of them, as for rotations.

use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{
    Isometry3, Point2, Point3, SMatrix, SVector, Similarity2, Similarity3, Unit, UnitQuaternion, UnitVector3, Vector2,
    Vector3,
};

fn u(a: f64) -> Unit<Vector3<f64>> {
    Unit::new_normalize(Vector3::new(a.sin(), 0.4, a.cos()))
}

fn s3(a: f64) -> Similarity3<f64> {
    Similarity3::new(Vector3::new(a, 0.2, -0.4), Vector3::new(0.3, a, 0.1), 1.0 + a)
}

fn v3() -> Vector3<f64> {
    Vector3::new(0.3, -0.7, 1.1)
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Joint {
    axis: Unit<Vector3<f64>>,
    offset: Vector3<f64>,
}

#[differentiable(order = 2)]
fn joint(j: &Joint, a: f64, p: &Vector3<f64>) -> Vector3<f64> {
    UnitQuaternion::from_axis_angle(&j.axis, a) * p + j.offset
}

#[differentiable(order = 2)]
fn sim(s: &Similarity3<f64>, p: &Point3<f64>) -> f64 {
    (s * p).coords.norm_squared()
}

#[differentiable(order = 2)]
fn chain(js: &[Joint], q: &[f64]) -> f64 {
    let mut p = Vector3::new(0.1, 0.2, 0.3);
    for (j, a) in js.iter().zip(q) {
        p = joint(j, *a, &p);
    }
    p.norm_squared() + js[0].axis.dot(&js[1].axis)
}

#[differentiable(order = 2)]
fn turned(u: &UnitVector3<f64>, n: &Unit<Vector3<f64>>, #[no_diff] k: usize) -> Unit<Vector3<f64>> {
    let mut d = *u;
    for i in 0..k {
        d = Unit::new_normalize(d.into_inner() + n.into_inner() * (0.3 * i as f64));
    }
    if d.x > 10.0 {
        return *n;
    }
    d
}

#[differentiable(order = 2)]
fn mirrored(u: Unit<Vector3<f64>>, n: Unit<Vector3<f64>>) -> f64 {
    let t = turned(&u, &n, 3);
    let r = t.into_inner() - n.into_inner() * (2.0 * t.dot(&n));
    r.x * r.y + r.angle(&n) + t.as_ref().z
}

#[differentiable(order = 2)]
fn choose(u: &[Unit<Vector3<f64>>], w: &Vector3<f64>) -> f64 {
    let mut best = u[0];
    for v in u.iter() {
        if v.dot(w) > best.dot(w) {
            best = *v;
        }
    }
    let s: f64 = u.iter().map(|a| a.dot(w).powi(3)).sum();
    best.dot(w) * 2.0 + s
}

#[differentiable(order = 2)]
fn settle(u: &mut Unit<Vector3<f64>>, w: &Vector3<f64>) -> f64 {
    *u = Unit::new_normalize(u.into_inner() + w * 0.1);
    u.dot(w)
}

#[differentiable(order = 2)]
fn settled(u: &Unit<Vector3<f64>>, w: &Vector3<f64>) -> f64 {
    let mut v = *u;
    let a = settle(&mut v, w);
    let b = settle(&mut v, w);
    a * b + v.y
}

#[differentiable(order = 2)]
fn products(u: &Unit<Vector3<f64>>, w: &Vector3<f64>) -> f64 {
    u.dot(w) + u.cross(w).norm()
}

#[differentiable(order = 2)]
fn sims(a: &Similarity3<f64>, b: &Similarity3<f64>, p: &Point3<f64>) -> Point3<f64> {
    let c = a * b;
    let d = if c.scaling() > 0.5 { c } else { *a };
    d.inverse() * (a * p)
}

#[differentiable(order = 2)]
fn simres(a: &Similarity3<f64>, iso: &Isometry3<f64>, s: f64) -> Similarity3<f64> {
    Similarity3::from_isometry(*iso, s) * a
}

#[differentiable(order = 2)]
fn simcall(a: &Similarity3<f64>, iso: &Isometry3<f64>, s: f64) -> f64 {
    let r = simres(a, iso, s);
    r.scaling() + r.isometry.translation.vector.norm() + (r.isometry.rotation * Vector3::x()).y
}

#[differentiable(order = 2)]
fn simloop(a: &Similarity3<f64>, p: &[Point3<f64>]) -> f64 {
    let mut t = *a;
    let mut sum = 0.0;
    for q in p {
        t = t * a;
        sum += (t * q).coords.norm();
    }
    sum
}

#[differentiable(order = 2)]
fn align(s: &Similarity3<f64>, #[no_diff] pairs: &[(Point3<f64>, Point3<f64>)]) -> f64 {
    pairs.iter().map(|(p, q)| (s * p - q).norm_squared()).sum()
}

#[differentiable(order = 2)]
fn sim2(s: &Similarity2<f64>, p: &Point2<f64>) -> Point2<f64> {
    s.inverse_transform_point(&(s * (s * p)))
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Frame {
    s: Similarity2<f64>,
    w: f64,
}

#[differentiable(order = 2)]
fn frames(f: &[Frame], p: &Point2<f64>) -> f64 {
    f.iter().map(|f| (f.s * p).coords.norm_squared() * f.w).sum()
}

#[test]
fn a_similarity() {
    check_grads!(sim, &Similarity3::new(v3(), v3() * 0.3, 1.4), &Point3::new(1.0, 2.0, 0.3));
}

#[test]
fn axes_of_joints() {
    check_grads!(
        chain,
        &[Joint { axis: u(0.1), offset: v3() }, Joint { axis: u(0.9), offset: v3() * 0.4 }],
        &[0.3, 0.8]
    );
}

#[test]
fn a_unit_vector_in_a_loop() {
    check_grads!(turned, &u(0.3), &u(1.2), 3);
}

#[test]
fn a_mirror() {
    check_grads!(mirrored, u(0.3), u(1.4));
}

#[test]
fn the_best_of_a_list() {
    check_grads!(choose, &[u(0.1), u(0.9), u(1.8)], &v3());
}

#[test]
fn a_unit_vector_that_changes() {
    check_grads!(settled, &u(0.3), &v3());
}

#[test]
fn products_of_a_unit_vector() {
    check_grads!(products, &Unit::new_normalize(v3()), &Vector3::new(0.2, 0.5, 0.9));
}

#[test]
fn products_of_similarities() {
    check_grads!(sims, &s3(0.2), &s3(0.9), &Point3::new(0.2, 0.5, -0.8));
}

#[test]
fn a_similarity_as_result() {
    check_grads!(simres, &s3(0.2), &Isometry3::new(v3(), v3()), 1.3);
}

#[test]
fn a_similarity_of_a_call() {
    check_grads!(simcall, &s3(0.2), &Isometry3::new(v3(), v3()), 1.3);
}

#[test]
fn powers_of_a_similarity() {
    check_grads!(simloop, &s3(0.1), &[Point3::new(0.2, 0.5, -0.8), Point3::new(0.9, 0.1, 0.8)]);
}

#[test]
fn points_that_are_aligned() {
    check_grads!(align, &s3(0.1), &[(Point3::new(0.2, 0.5, -0.8), Point3::new(0.9, 0.1, 0.8))]);
}

#[test]
fn a_similarity_of_the_plane() {
    check_grads!(sim2, &Similarity2::new(Vector2::new(0.3, 0.4), 0.5, 1.2), &Point2::new(0.3, 0.9));
}

#[test]
fn similarities_in_structs() {
    check_grads!(
        frames,
        &[
            Frame { s: Similarity2::new(Vector2::new(0.3, 0.4), 0.5, 1.2), w: 0.3 },
            Frame { s: Similarity2::new(Vector2::new(-0.3, 0.1), -0.5, 0.7), w: 1.3 }
        ],
        &Point2::new(0.3, 0.9)
    );
}

#[differentiable(order = 2)]
fn in_single_precision(s: Similarity3<f32>, u: Unit<Vector3<f32>>, p: Point3<f32>) -> f32 {
    let q = s * (s * p);
    q.coords.dot(&u) + u.x * s.scaling()
}

#[test]
fn single_precision_by_value() {
    let u = Unit::new_normalize(Vector3::new(0.3, -0.7, 1.1));
    let s = Similarity3::new(Vector3::new(0.3, 0.2, -0.4), Vector3::new(0.3, 0.1, 0.1), 1.3);
    check_grads!(in_single_precision, s, u, Point3::new(0.2, 0.5, -0.8));
}

#[test]
fn steps_stay_on_the_sphere() {
    let (u, w) = (Unit::new_normalize(Vector3::new(0.3, -0.7, 1.1)), Vector3::new(0.2, 0.5, 0.9));
    let (value, (by_u, _)) = products::value_and_grad(&u, &w);
    // The derivative is orthogonal to the vector, and a step is a unit vector again.
    assert!(by_u.dot(&u).abs() < 1e-15);
    let next = u.retract(&(by_u * 0.1));
    assert!((next.norm() - 1.0).abs() < 1e-15 && products(&next, &w) > value);
    // What is along the vector changes nothing.
    assert!((u.retract(&(u.into_inner() * 0.3)).into_inner() - u.into_inner()).norm() < 1e-15);
}

#[derive(Clone, Copy, Differentiable)]
enum Constraint {
    Along(Unit<Vector3<f64>>, f64),
    Turned(UnitQuaternion<f64>, f64),
    Free(f64),
}

/// In the variants of an enum, in a list and alone.
#[differentiable(order = 2)]
fn constrained(cs: &[Constraint], x: &Vector3<f64>) -> f64 {
    let mut sum = 0.0;
    for c in cs {
        match c {
            Constraint::Along(u, w) => sum += w * u.dot(x).powi(2),
            Constraint::Turned(r, w) => sum += w * (r * x).x.powi(2),
            Constraint::Free(w) => sum += w * x.norm_squared(),
        }
    }
    sum
}

#[differentiable(order = 2)]
fn one_constraint(c: &Constraint, x: &Vector3<f64>) -> f64 {
    match c {
        Constraint::Along(u, w) => w * u.dot(x).powi(2),
        Constraint::Turned(r, w) => w * (r * x).x.powi(2),
        Constraint::Free(w) => w * x.norm_squared(),
    }
}

#[differentiable(order = 2)]
fn mirrored_if_any(u: Option<Unit<Vector3<f64>>>, x: &Vector3<f64>) -> f64 {
    let y = u.map_or(*x, |u| x - u.into_inner() * (2.0 * u.dot(x)));
    y.x * y.y
}

#[test]
fn variants_and_options() {
    let (x, r) = (v3(), UnitQuaternion::new(Vector3::new(0.3, -0.2, 0.9)));
    let all = [Constraint::Along(u(0.4), 0.7), Constraint::Free(0.3), Constraint::Turned(r, 0.2)];
    check_grads!(constrained, &all, &x);
    for c in &all {
        check_grads!(one_constraint, c, &x);
    }
    check_grads!(mirrored_if_any, Some(u(0.9)), &x);
    check_grads!(mirrored_if_any, None, &x);
}

#[differentiable]
fn alignment(s: &Similarity3<f64>, #[no_diff] pairs: &[(Point3<f64>, Point3<f64>)]) -> Vec<f64> {
    let mut r = Vec::new();
    for (p, q) in pairs {
        let d = s * p - q;
        r.extend_from_slice(d.as_slice());
    }
    r
}

/// A similarity is found again by steps of Gauss and Newton.
#[test]
fn a_fit_of_a_similarity() {
    let truth = Similarity3::new(Vector3::new(0.5, -1.0, 2.0), Vector3::new(0.3, -0.5, 0.4), 1.7);
    let at = |k: u8| f64::from(k);
    let pairs: Vec<_> =
        (0..6).map(|k| Point3::new(at(k).sin(), (1.3 * at(k)).cos(), 0.2 * at(k))).map(|p| (p, truth * p)).collect();
    let mut s = Similarity3::identity();
    for _ in 0..12 {
        let (matrix, gradient): (SMatrix<f64, 7, 7>, SVector<f64, 7>) = alignment::gauss_newton(&s, &pairs);
        s = s.retract(&-matrix.cholesky().expect("positive definite").solve(&gradient));
    }
    assert!((s.to_homogeneous() - truth.to_homogeneous()).norm() < 1e-13);
}
