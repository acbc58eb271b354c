//! Rotations and isometries as parameters: derivatives by changes of them, in so(3) and se(3), against differences along
//! `r·exp(c)`, of first and second order.

use autodiff::Differentiable;
use autodiff::prelude::*;
use nalgebra::{
    Isometry3, Matrix3, Point3, Quaternion, Rotation2, Rotation3, Translation3, UnitQuaternion, Vector2, Vector3,
    Vector6,
};

/// A value and its derivatives as functions of a change of all parameters.
pub(crate) struct Case<'a> {
    pub(crate) n: usize,
    pub(crate) value: &'a dyn Fn(&[f64]) -> f64,
    pub(crate) grad: &'a dyn Fn() -> (f64, Vec<f64>),
    pub(crate) jvp: &'a dyn Fn(&[f64]) -> (f64, f64),
    pub(crate) hvp: &'a dyn Fn(&[f64]) -> Vec<f64>,
    pub(crate) hessian: &'a dyn Fn() -> Vec<f64>,
}

fn unit(n: usize, k: usize) -> Vec<f64> {
    (0..n).map(|j| f64::from(u8::from(j == k))).collect()
}

fn close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs())), "{what}: {a} and {b}");
}

impl Case<'_> {
    fn along(&self, changes: &[(usize, f64)]) -> f64 {
        let mut at = vec![0.0; self.n];
        for (k, h) in changes {
            at[*k] += h;
        }
        (self.value)(&at)
    }

    pub(crate) fn check(&self) {
        let (value, gradient) = (self.grad)();
        assert_eq!(gradient.len(), self.n);
        close(value, self.along(&[]), 1e-14, "value");
        let mut bits = value.to_bits();
        for (k, slope) in gradient.iter().enumerate() {
            let difference = (self.along(&[(k, 1e-5)]) - self.along(&[(k, -1e-5)])) / 2e-5;
            close(*slope, difference, 1e-8, &format!("gradient {k}"));
            let (again, dot) = (self.jvp)(&unit(self.n, k));
            close(again, value, 1e-14, "value by jvp");
            close(dot, *slope, 1e-12, &format!("jvp {k}"));
            bits = (bits ^ slope.to_bits()).wrapping_mul(0x0100_0000_01b3);
        }
        let hessian = (self.hessian)();
        for i in 0..self.n {
            let row = (self.hvp)(&unit(self.n, i));
            for j in 0..self.n {
                const H: f64 = 1e-4;
                let second = |a: f64, b: f64| self.along(&[(i, a), (j, b)]);
                let difference = (second(H, H) - second(H, -H) - second(-H, H) + second(-H, -H)) / (4.0 * H * H);
                close(row[j], difference, 2e-6, &format!("hvp {i} {j}"));
                close(hessian[i * self.n + j], row[j], 1e-12, &format!("hessian {i} {j}"));
                bits = (bits ^ row[j].to_bits()).wrapping_mul(0x0100_0000_01b3);
            }
        }
        println!("\nbits rotations {bits:016x}");
    }
}

pub(crate) fn q() -> UnitQuaternion<f64> {
    UnitQuaternion::new(Vector3::new(0.3, -0.5, 0.4))
}

pub(crate) fn p() -> UnitQuaternion<f64> {
    UnitQuaternion::new(Vector3::new(-0.7, 0.2, 0.9))
}

fn r() -> Rotation3<f64> {
    Rotation3::new(Vector3::new(0.3, -0.5, 0.4))
}

pub(crate) fn t() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, -0.5, 0.4))
}

pub(crate) fn s() -> Isometry3<f64> {
    Isometry3::new(Vector3::new(0.2, 0.4, -1.5), Vector3::new(-0.6, 0.1, 0.8))
}

pub(crate) const V: Vector3<f64> = Vector3::new(-0.2, 0.6, 0.9);

/// `name(a: Type = at, …) => body;`: of functions of two parameters.
macro_rules! cases {
    ($($name:ident($a:ident: $s:ty = $x:expr, $b:ident: $t:ty = $y:expr) => $body:expr;)+) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[differentiable(order = 2)]
            fn f($a: &$s, $b: &$t) -> f64 {
                $body
            }

            #[test]
            fn derivatives() {
                let point: ($s, $t) = ($x, $y);
                let n = point.flat_len();
                let start = crate::harness::flat(&point);
                let dots = |v: &[f64]| crate::harness::tangent(&point, v);
                Case {
                    n,
                    value: &|c| {
                        let mut at = point.clone();
                        at.copy_from_flat(&start.iter().zip(c).map(|(x, c)| x + c).collect::<Vec<_>>());
                        f(&at.0, &at.1)
                    },
                    grad: &|| {
                        let (value, g) = f::value_and_grad(&point.0, &point.1);
                        (value, crate::harness::flat(&g))
                    },
                    jvp: &|v| f::jvp(&point.0, &point.1, &dots(v).0, &dots(v).1),
                    hvp: &|v| crate::harness::flat(&f::hvp(&point.0, &point.1, &dots(v).0, &dots(v).1)),
                    hessian: &|| {
                        let ((aa, ab), (ba, bb)) = f::hessian(&point.0, &point.1);
                        let rows = |left: nalgebra::DMatrix<f64>, right: nalgebra::DMatrix<f64>| {
                            let rows = left.row_iter().zip(right.row_iter());
                            rows.flat_map(|(l, r)| l.iter().chain(r.iter()).copied().collect::<Vec<_>>()).collect::<Vec<_>>()
                        };
                        let mut all = rows(aa.dense(), ab.dense());
                        all.extend(rows(ba.dense(), bb.dense()));
                        all
                    },
                }
                .check();
            }
        }
    )+};
}

/// A block of a Hessian, by rows.
pub(crate) trait Dense {
    fn dense(&self) -> nalgebra::DMatrix<f64>;
}

/// Both sides of it are structs.
impl<const R: usize, const C: usize> Dense for [[f64; C]; R] {
    fn dense(&self) -> nalgebra::DMatrix<f64> {
        nalgebra::DMatrix::from_fn(R, C, |i, j| self[i][j])
    }
}

impl<const R: usize, const C: usize> Dense for nalgebra::SMatrix<f64, R, C> {
    fn dense(&self) -> nalgebra::DMatrix<f64> {
        nalgebra::DMatrix::from_fn(R, C, |i, j| self[(i, j)])
    }
}

cases! {
    turns(a: UnitQuaternion<f64> = q(), v: Vector3<f64> = V) => (a * v).map(|x| x.sin()).sum();
    turns_back(a: UnitQuaternion<f64> = q(), v: Vector3<f64> = V) => a.inverse_transform_vector(v).map(|x| x.exp()).sum();
    products(a: UnitQuaternion<f64> = q(), b: UnitQuaternion<f64> = p()) => {
        let c = a * b.inverse() * a;
        (c * Vector3::new(1.0, 2.0, 3.0)).map(|x| x.sin()).sum()
    };
    angles(a: UnitQuaternion<f64> = q(), b: UnitQuaternion<f64> = p()) => a.angle_to(b).powi(2) + a.angle().exp();
    logarithms(a: UnitQuaternion<f64> = q(), b: UnitQuaternion<f64> = p()) => {
        (a.inverse() * b).scaled_axis().norm_squared() + a.scaled_axis().x * b.scaled_axis().y
    };
    eulers(a: UnitQuaternion<f64> = q(), b: Rotation3<f64> = r()) => {
        let (roll, pitch, yaw) = a.euler_angles();
        let (x, y, z) = b.euler_angles();
        roll * x + pitch.sin() * y + yaw * z.exp()
    };
    components(a: UnitQuaternion<f64> = q(), v: Vector3<f64> = V) => a.i * v.x + a.w * a.j + a.coords[2] * v.z + a.as_ref().k;
    slerps(a: UnitQuaternion<f64> = q(), b: UnitQuaternion<f64> = p()) => {
        (a.slerp(b, 0.3) * Vector3::new(1.0, 2.0, 3.0)).map(|x| x.sin()).sum()
    };
    matrices(a: Rotation3<f64> = r(), v: Vector3<f64> = V) => {
        (a * v).map(|x| x.sin()).sum() + a.matrix()[(0, 1)] * a[(1, 2)] + (a.matrix() * Matrix3::from_diagonal(v)).trace()
    };
    matrix_products(a: Rotation3<f64> = r(), b: Rotation3<f64> = Rotation3::new(V)) => {
        let c = a * b / a.inverse();
        c.scaled_axis().map(|x| x.sin()).sum() + (a.transpose() * b.matrix()).trace() + a.angle_to(b)
    };
    conversions(a: UnitQuaternion<f64> = q(), b: Rotation3<f64> = r()) => {
        let c = a.to_rotation_matrix() * b;
        let d = UnitQuaternion::from_rotation_matrix(&c) * a;
        (d * Vector3::new(1.0, 2.0, 3.0)).map(|x| x.sin()).sum()
    };
    plane(a: Rotation2<f64> = Rotation2::new(0.4), b: Rotation2<f64> = Rotation2::new(-1.1)) => {
        let v = a * b.inverse() * Vector2::new(0.3, 0.8);
        v.x.sin() + v.y.exp() + a.angle() * b.angle()
    };
    poses(a: Isometry3<f64> = t(), x: Point3<f64> = Point3::new(0.5, -0.6, 2.0)) => (a * x).coords.map(|x| x.sin()).sum();
    poses_back(a: Isometry3<f64> = t(), x: Point3<f64> = Point3::new(0.5, -0.6, 2.0)) => {
        a.inverse_transform_point(x).coords.map(|x| x.sin()).sum() + a.inverse().translation.vector.norm()
    };
    pose_products(a: Isometry3<f64> = t(), b: Isometry3<f64> = s()) => {
        let c = a * b.inverse();
        (c * Point3::new(1.0, 2.0, 3.0)).coords.map(|x| x.sin()).sum() + a.inv_mul(b).rotation.angle()
    };
    pose_graph(a: Isometry3<f64> = t(), b: Isometry3<f64> = s()) => {
        let measured = Isometry3::new(Vector3::new(0.1, 0.2, 0.3), Vector3::new(-0.3, 0.2, 0.1));
        let e = measured.inv_mul(&a.inv_mul(b));
        e.translation.vector.norm_squared() + e.rotation.scaled_axis().norm_squared()
    };
    pose_parts(a: Isometry3<f64> = t(), b: UnitQuaternion<f64> = q()) => {
        let moved = Isometry3::from_parts(Translation3::from(a.translation.vector * 2.0), a.rotation * b);
        moved.translation.x * moved.translation.y + (moved * Point3::new(1.0, 0.5, 0.2)).z.exp() + a.translation.z
    };
    loops(a: Isometry3<f64> = t(), b: Isometry3<f64> = s()) => {
        let mut pose = *a;
        let mut sum = 0.0;
        for i in 0..4 {
            pose = pose * b;
            if i % 2 == 0 {
                pose = pose.inverse();
            }
            sum += (pose * Point3::new(0.1 * i as f64, 0.2, 0.3)).x.sin();
        }
        sum + pose.rotation.angle()
    };
    integrates(a: UnitQuaternion<f64> = q(), w: Vector3<f64> = V) => {
        let mut attitude = *a;
        for _ in 0..5 {
            attitude *= UnitQuaternion::from_scaled_axis(w * 0.1);
        }
        (attitude * Vector3::z()).dot(&Vector3::new(0.3, 0.2, 0.1))
    };
    branches(a: UnitQuaternion<f64> = q(), b: UnitQuaternion<f64> = p()) => {
        let c = if a.angle() > 0.1 { a * b } else { b.inverse() };
        let d = if a.angle() > 3.0 { a.inverse() } else { *b };
        (c * d * Vector3::x()).map(|x| x.sin()).sum()
    };
    calls(a: UnitQuaternion<f64> = q(), v: Vector3<f64> = V) => {
        let b = composed(a, v);
        turned(&b, v) + turned(a, &(v * 2.0))
    };
    made(v: Vector3<f64> = V, w: Vector3<f64> = Vector3::new(0.1, 0.2, -0.4)) => {
        let a = composed(&UnitQuaternion::new(*w), v);
        turned(&a, w) + a.angle()
    };
    lists(a: [UnitQuaternion<f64>; 2] = [q(), p()], v: Vector3<f64> = V) => {
        let mut at = *v;
        for r in a {
            at = r * at + v;
        }
        at.norm() + (a[0] * a[1]).angle()
    };
    structs(a: Robot = Robot { base: t(), tool: q(), reach: 0.7 }, v: Vector3<f64> = V) => {
        let grip = a.base * a.tool;
        (grip * Point3::from(v * a.reach)).coords.map(|x| x.sin()).sum() + grip.translation.vector.norm()
    };
    raw(a: UnitQuaternion<f64> = q(), b: Quaternion<f64> = Quaternion::new(0.3, 0.2, 0.5, -0.4)) => {
        let c = a.into_inner() * b;
        c.norm() + UnitQuaternion::from_quaternion(*b).angle_to(a)
    };
    changed(a: UnitQuaternion<f64> = q(), v: Vector3<f64> = V) => {
        let mut pose = Isometry3::from_parts(Translation3::from(*v), *a);
        pose.translation.vector += v;
        pose.rotation = pose.rotation * a;
        pose.translation.x *= 2.0;
        (pose * Point3::new(0.1, 0.2, 0.3)).coords.map(|x| x.sin()).sum()
    };
    exponentials(a: Isometry3<f64> = t(), c: Vector6<f64> = Vector6::new(0.1, 0.2, 0.3, -0.2, 0.3, 0.1)) => {
        let step = Isometry3::new(Vector3::new(c[0], c[1], c[2]), Vector3::new(c[3], c[4], c[5]));
        ((a * step) * Point3::new(0.1, 0.2, 0.3)).coords.map(|x| x.sin()).sum()
    };
}

/// Rotations and isometries of the plane.
mod in_the_plane {
    use super::*;
    use nalgebra::{Isometry2, Point2, Translation2, UnitComplex, Vector1};

    fn c() -> UnitComplex<f64> {
        UnitComplex::new(0.7)
    }

    fn m() -> Isometry2<f64> {
        Isometry2::new(Vector2::new(1.0, -2.0), 0.4)
    }

    fn n() -> Isometry2<f64> {
        Isometry2::new(Vector2::new(-0.3, 0.8), -1.9)
    }

    cases! {
        turns(a: UnitComplex<f64> = c(), b: UnitComplex<f64> = UnitComplex::new(-1.2)) => {
            let d = a * b.inverse() * a;
            let v = d * Vector2::new(0.3, 0.8);
            v.x.sin() + v.y.exp() + a.angle() * b.angle() + a.angle_to(b).powi(3) + d.re * a.im
        };
        makes(x: Vector2<f64> = Vector2::new(0.4, 0.9), b: UnitComplex<f64> = c()) => {
            let a = UnitComplex::new(x.x) * UnitComplex::from_angle(x.y) / b;
            let r = a.to_rotation_matrix() * Rotation2::new(x.x);
            (a.powf(0.3) * x).x.sin() + (UnitComplex::from_rotation_matrix(&r) * x).y.exp() + a.to_homogeneous()[(0, 1)]
        };
        poses(a: Isometry2<f64> = m(), p: Point2<f64> = Point2::new(0.5, -0.6)) => {
            let q = a * p;
            let back = a.inverse_transform_point(p);
            q.x.sin() + q.y.exp() + back.coords.norm() + a.inverse().translation.vector.norm() + a.rotation.angle()
        };
        pose_graph(a: Isometry2<f64> = m(), b: Isometry2<f64> = n()) => {
            let measured = Isometry2::new(Vector2::new(0.1, 0.2), 0.3);
            let e = measured.inv_mul(&a.inv_mul(b));
            e.translation.vector.norm_squared() + e.rotation.angle().powi(2) + (a * b).to_homogeneous().map(|x| x.sin()).sum()
        };
        parts(a: Isometry2<f64> = m(), b: UnitComplex<f64> = c()) => {
            let mut moved = Isometry2::from_parts(Translation2::from(a.translation.vector * 2.0), a.rotation * b);
            moved.translation.x += 0.3 * moved.translation.y;
            moved.rotation = moved.rotation * b;
            let other = Isometry2::translation(0.1, 0.2) * Isometry2::rotation(0.3) * moved * Isometry2::identity();
            (other * Point2::new(1.0, 0.5)).y.exp() + a.translation.y + (b * a).translation.vector.x + (a * b).rotation.im
        };
        loops(a: Isometry2<f64> = m(), u: Vector2<f64> = Vector2::new(0.3, 0.2)) => {
            let mut pose = *a;
            let mut sum = 0.0;
            for i in 0..4 {
                drive(&mut pose, u.x, u.y * i as f64);
                sum += pose.translation.vector.norm_squared();
            }
            sum + pose.rotation.angle()
        };
    }

    #[differentiable(order = 2)]
    fn drive(pose: &mut Isometry2<f64>, speed: f64, turn: f64) {
        *pose *= Isometry2::new(Vector2::new(speed, 0.0), turn);
    }

    #[differentiable]
    fn step(pose: &Isometry2<f64>, turn: &UnitComplex<f64>, v: &Vector2<f64>) -> (Isometry2<f64>, UnitComplex<f64>) {
        (pose * Isometry2::new(*v, v.x), turn * UnitComplex::new(v.y))
    }

    #[test]
    fn checks() {
        autodiff::check_grads!(step, &m(), &c(), &Vector2::new(0.3, 0.2));
        let ((_, by_turn, _), _): ((_, Vector1<f64>, _), ()) = (energy::grad(&m(), &c(), &Vector2::new(0.3, 0.2)), ());
        assert!((by_turn.x + 0.7_f64.sin()).abs() < 1e-15);
    }

    #[differentiable]
    fn energy(pose: &Isometry2<f64>, turn: &UnitComplex<f64>, v: &Vector2<f64>) -> f64 {
        turn.angle().cos() + (pose * turn * v).norm_squared()
    }
}

#[derive(Differentiable, Clone, Debug)]
struct Robot {
    base: Isometry3<f64>,
    tool: UnitQuaternion<f64>,
    reach: f64,
}

#[differentiable(order = 2)]
fn turned(a: &UnitQuaternion<f64>, v: &Vector3<f64>) -> f64 {
    (a * v).map(|x| x.sin()).sum()
}

#[differentiable(order = 2)]
fn composed(a: &UnitQuaternion<f64>, v: &Vector3<f64>) -> UnitQuaternion<f64> {
    a * UnitQuaternion::new(*v) * a
}

#[differentiable(order = 2)]
fn aligned(a: &UnitQuaternion<f64>, b: &Isometry3<f64>, v: &Vector3<f64>) -> f64 {
    (a * v).dot(&(b * v)) + (b.rotation * a).angle()
}

#[differentiable]
fn stepped(a: &Isometry3<f64>, w: &Vector3<f64>, r: &Rotation3<f64>) -> (Isometry3<f64>, Rotation3<f64>, f64) {
    let next = a * Isometry3::new(*w, w * 0.5);
    (next, Rotation3::new(*w) * r, next.translation.x)
}

#[differentiable]
fn moved(robots: &[Robot], v: &Vector3<f64>) -> Vec<Robot> {
    let mut all = Vec::new();
    for robot in robots {
        let mut next = robot.clone();
        next.tool = next.tool * UnitQuaternion::new(*v);
        next.base = next.base.inverse();
        next.reach *= 2.0;
        all.push(next);
    }
    all
}

#[differentiable]
fn single(a: &UnitQuaternion<f32>, t: &Isometry3<f32>, v: &Vector3<f32>) -> f32 {
    (a * (t * v)).map(|x| x.sin()).sum() + a.angle() + t.translation.vector.norm()
}

/// Also where rotations are results.
#[test]
fn checks() {
    autodiff::check_grads!(aligned, &q(), &t(), &V);
    autodiff::check_grads!(stepped, &t(), &V, &r());
    let robot = Robot { base: t(), tool: q(), reach: 0.7 };
    autodiff::check_grads!(moved, &[robot.clone(), Robot { base: s(), ..robot }], &V);
    autodiff::check_grads!(single, &q().cast(), &t().cast(), &V.cast());
}

/// A derivative that is wrong by a sign is found.
#[test]
#[should_panic(expected = "the derivatives of `wrong` are not those of its values")]
fn wrong_ones_are_found() {
    autodiff::check_grads!(wrong, &q());
}

fn opaque(q: &UnitQuaternion<f64>) -> f64 {
    q.angle()
}

#[autodiff::derivative(of = opaque)]
fn opaque_rule(q: &UnitQuaternion<f64>, y_bar: f64) -> Vector3<f64> {
    -q.scaled_axis().normalize() * y_bar
}

#[differentiable]
fn wrong(q: &UnitQuaternion<f64>) -> f64 {
    opaque(q)
}

/// Gradient descent on rotations: to the rotation that maps one frame to another.
#[differentiable]
fn misfit(r: &UnitQuaternion<f64>, from: &[Vector3<f64>; 3], #[no_diff] to: &[Vector3<f64>; 3]) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += (r * from[i] - to[i]).norm_squared();
    }
    sum
}

#[test]
fn descent() {
    let (wanted, from) = (q() * p(), [Vector3::x(), Vector3::y(), V]);
    let to = from.map(|v| wanted * v);
    let mut r = UnitQuaternion::identity();
    for _ in 0..300 {
        let (gradient, _) = misfit::grad(&r, &from, &to);
        r = r.retract(&(gradient * -0.1));
    }
    assert!(r.angle_to(&wanted) < 1e-8, "{}", r.angle_to(&wanted));
}

#[differentiable(order = 2)]
fn advance(pose: &mut Isometry3<f64>, spin: &mut Rotation3<f64>, w: &Vector3<f64>) {
    *spin = *spin * Rotation3::new(*w);
    *pose = *pose * Isometry3::new(*w, w * 0.5);
    pose.translation.vector.x += w.y;
    pose.rotation *= UnitQuaternion::new(w * 0.1);
}

#[derive(Differentiable, Clone, Debug)]
struct Vehicle {
    pose: Isometry3<f64>,
    speed: f64,
    attitude: UnitQuaternion<f64>,
}

#[differentiable(order = 2)]
impl Vehicle {
    fn drive(&mut self, turn: &Vector3<f64>, dt: f64) {
        let forward = self.pose.rotation * Vector3::x();
        self.pose.translation.vector += forward * self.speed * dt;
        self.pose.rotation = self.pose.rotation * UnitQuaternion::from_scaled_axis(turn * dt);
        self.attitude *= UnitQuaternion::new(turn * self.speed);
        self.speed *= 0.9;
    }
}

/// State that changes by `&mut`: in calls, in loops, in fields.
mod changing {
    use super::*;

    cases! {
        calls(a: Isometry3<f64> = t(), w: Vector3<f64> = V) => {
            let mut pose = *a;
            let mut spin = Rotation3::new(*w);
            advance(&mut pose, &mut spin, w);
            let middle = pose.translation.x;
            advance(&mut pose, &mut spin, &(w * 0.3));
            (pose * Point3::from(spin * w)).coords.map(|x| x.sin()).sum() + middle
        };
        loops(a: Vehicle = Vehicle { pose: t(), speed: 1.2, attitude: q() }, w: Vector3<f64> = V) => {
            let mut car = a.clone();
            let mut sum = 0.0;
            for i in 0..3 {
                car.drive(&(w * (0.1 * (i + 1) as f64)), 0.1);
                if i > 0 {
                    let mut spin = Rotation3::new(*w);
                    advance(&mut car.pose, &mut spin, w);
                }
                sum += car.pose.translation.vector.norm() + car.attitude.angle();
            }
            sum * car.speed + (car.pose.rotation * Vector3::x()).dot(w)
        };
        while_loops(a: UnitQuaternion<f64> = q(), w: Vector3<f64> = V) => {
            let mut r = *a;
            let mut angle = r.angle();
            while angle < 2.5 {
                r = r * UnitQuaternion::new(w * 0.3);
                angle = angle + 0.4;
            }
            (r * w).map(|x| x.sin()).sum() * angle
        };
    }

    /// The cotangent of what is lent is in-out.
    #[test]
    fn lent() {
        let (pose, spin) = (t(), r());
        let (mut p, mut s) = (pose, spin);
        let ((), pullback) = advance::vjp(&mut p, &mut s, &V);
        let (mut expected, mut turned) = (pose, spin);
        advance(&mut expected, &mut turned, &V);
        assert!((p.to_homogeneous() - expected.to_homogeneous()).norm() < 1e-15);
        assert!((s.matrix() - turned.matrix()).norm() < 1e-15);
        let bar = (Vector6::new(0.1, -0.2, 0.3, 0.4, 0.5, -0.6), Vector3::new(0.2, 0.3, -0.1));
        let (pose_bar, spin_bar, w_bar) = pullback((), (bar.0, bar.1, Vector3::zeros()));
        let dot =
            (Vector6::new(0.3, 0.1, -0.2, 0.5, -0.4, 0.2), Vector3::new(-0.3, 0.2, 0.6), Vector3::new(0.4, -0.1, 0.7));
        let (mut pose_dot, mut spin_dot) = (dot.0, dot.1);
        let (mut p, mut s) = (pose, spin);
        advance::jvp(&mut p, &mut s, &V, &mut pose_dot, &mut spin_dot, &dot.2);
        let left = bar.0.dot(&pose_dot) + bar.1.dot(&spin_dot);
        let right = pose_bar.dot(&dot.0) + spin_bar.dot(&dot.1) + w_bar.dot(&dot.2);
        assert!((left - right).abs() < 1e-13, "{left} {right}");
    }
}
