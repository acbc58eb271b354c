//! Rotations and isometries that come into loops, branches, closures and other functions, and out of them, in whatever holds
//! them: wherever a derivative could be left behind. Against differences along `r·exp(c)`, as in `rotations`.
// A variable that gets its first value in a branch is one of the cases.
#![allow(clippy::needless_late_init)]

use crate::rotations::{Case, Dense, V, p, q, s, t};
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{
    Isometry2, Isometry3, Point3, Rotation3, Translation3, Unit, UnitComplex, UnitQuaternion, Vector2, Vector3,
};

const POINT: Point3<f64> = Point3::new(0.3, -0.2, 0.7);

#[differentiable(order = 2)]
fn seen(pose: &Isometry3<f64>) -> f64 {
    (pose * POINT).coords.map(|x| x.sin()).sum() + pose.rotation.coords[0] * pose.translation.y
}

#[differentiable(order = 3)]
fn reach(pose: &Isometry3<f64>, v: &Vector3<f64>) -> f64 {
    (pose * v).map(|x| x.exp()).sum() * pose.translation.x
}

#[differentiable(order = 2)]
fn onward(pose: &Isometry3<f64>, by: &Vector3<f64>) -> Isometry3<f64> {
    pose * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), by.x) * Translation3::new(by.y, 0.2, by.z)
}

#[differentiable(order = 2)]
fn moved_on(pose: &mut Isometry3<f64>, by: &Vector3<f64>) {
    for k in 0..2 {
        *pose = *pose * Isometry3::new(by * (0.1 * (k + 1) as f64), *by);
    }
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Body {
    pose: Isometry3<f64>,
    head: UnitQuaternion<f64>,
    speed: f64,
}

#[differentiable(order = 2)]
impl Body {
    fn stepped(self, w: &Vector3<f64>) -> Body {
        Body {
            pose: self.pose * UnitQuaternion::from_scaled_axis(w * self.speed),
            head: self.head * self.pose.rotation,
            ..self
        }
    }

    fn step(&mut self, w: &Vector3<f64>) {
        self.head = UnitQuaternion::from_scaled_axis(*w) * self.head;
        self.pose = self.pose * self.head;
    }
}

#[derive(Differentiable, Clone, Copy, Debug)]
enum Joint {
    Turning(UnitQuaternion<f64>),
    Fixed(Isometry3<f64>),
}

cases! {
    chains(a: [f64; 3] = [0.3, -0.8, 0.5], b: Isometry3<f64> = s()) => {
        let mut pose = Isometry3::identity();
        for angle in a.iter() {
            let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), *angle);
            pose = pose * turn * Isometry3::from_parts(Translation3::new(0.4, 0.0, 0.1), UnitQuaternion::new(V));
        }
        seen(&(b.inv_mul(&pose))) + (pose.inverse() * b).rotation.angle()
    };
    axes_that_change(a: Vector3<f64> = V, b: [f64; 1] = [0.6]) => {
        let mut turn = UnitQuaternion::identity();
        for k in 0..3 {
            turn = turn * UnitQuaternion::from_axis_angle(&Unit::new_normalize(a + Vector3::x() * k as f64), b[0]);
        }
        (turn * Vector3::new(1.0, 2.0, 3.0)).map(|x| x.sin()).sum()
    };
    powers(a: Isometry3<f64> = t(), b: UnitQuaternion<f64> = q()) => {
        let mut pose = *a;
        for _ in 0..2 {
            pose = pose * pose;
            pose = pose * b;
        }
        seen(&pose) * 0.1
    };
    early_exits(a: Isometry3<f64> = t(), b: Isometry3<f64> = s()) => {
        let mut pose = *a;
        let mut sum = 0.0;
        for k in 0..6 {
            if k == 1 {
                continue;
            }
            if k == 4 {
                break;
            }
            pose = pose * b;
            sum += pose.translation.x;
        }
        sum + seen(&pose)
    };
    conditions(a: UnitQuaternion<f64> = q(), w: Vector3<f64> = V) => {
        let mut r = *a;
        let mut count = 0;
        while r.angle() < 2.0 && count < 5 {
            r = r * UnitQuaternion::from_scaled_axis(w * 0.3);
            count += 1;
        }
        (r * w).map(|x| x.exp()).sum()
    };
    nested(a: Isometry3<f64> = t(), w: Vector3<f64> = V) => {
        let mut pose = *a;
        for i in 0..2 {
            for j in 0..2 {
                if (i + j) % 2 == 0 {
                    pose = pose * UnitQuaternion::from_scaled_axis(w * 0.2);
                } else {
                    pose = Isometry3::from_parts(pose.translation, pose.rotation.inverse());
                }
            }
        }
        seen(&pose)
    };
    first_values(a: Isometry3<f64> = t(), b: Isometry3<f64> = s()) => {
        let pose;
        if a.translation.x > 0.0 {
            pose = a * b;
        } else {
            pose = *b;
        }
        let other = match b.translation.y > 5.0 {
            true => *a,
            false => pose * b,
        };
        seen(&other) + seen(&pose)
    };
    tuples(a: Isometry3<f64> = t(), b: UnitQuaternion<f64> = q()) => {
        let mut both = (*a, *b, 0.5);
        for _ in 0..2 {
            both = (both.0 * both.1, both.1 * both.0.rotation, both.2 * 1.5);
            if both.2 > 1.0 {
                both.0 = both.0.inverse();
            }
        }
        seen(&both.0) + (both.1 * V).x.sin() + both.2
    };
    arrays(a: Isometry3<f64> = t(), b: UnitQuaternion<f64> = q()) => {
        let mut poses = [*a; 3];
        for k in 1..3 {
            poses[k] = poses[k - 1] * b;
        }
        seen(&poses[0]) * seen(&poses[1]) + seen(&poses[2])
    };
    vectors(a: Isometry3<f64> = t(), b: UnitQuaternion<f64> = q()) => {
        let mut poses = Vec::new();
        let mut pose = *a;
        for _ in 0..3 {
            poses.push(pose);
            pose = pose * b;
        }
        poses.iter().map(|pose| seen(pose)).sum::<f64>() + seen(&pose)
    };
    options(a: Isometry3<f64> = t(), b: UnitQuaternion<f64> = q()) => {
        let mut last: Option<Isometry3<f64>> = None;
        for k in 0..3 {
            last = match last {
                Some(pose) => Some(pose * b),
                None if k > 0 => Some(a.inverse()),
                None => None,
            };
        }
        last.map_or(0.0, |pose| seen(&pose))
    };
    enums(a: Joint = Joint::Turning(q()), b: Joint = Joint::Fixed(s())) => {
        let mut pose = Isometry3::identity();
        for joint in [a, b, a] {
            pose = match joint {
                Joint::Turning(turn) => pose * *turn,
                Joint::Fixed(by) => pose * *by,
            };
        }
        seen(&pose)
    };
    closures(a: Isometry3<f64> = t(), b: UnitQuaternion<f64> = q()) => {
        let mut pose = *a;
        let turned = |by: f64, pose: Isometry3<f64>| pose * UnitQuaternion::new(b.scaled_axis() * by);
        for k in 0..3 {
            pose = turned(0.1 * k as f64, pose);
        }
        let mut go_on = || pose = pose * b;
        go_on();
        go_on();
        seen(&pose)
    };
    callees(a: Isometry3<f64> = t(), w: Vector3<f64> = V) => {
        let mut pose = *a;
        for _ in 0..2 {
            pose = onward(&pose, w);
            moved_on(&mut pose, w);
        }
        seen(&pose)
    };
    fields(a: Body = Body { pose: t(), head: q(), speed: 0.4 }, w: Vector3<f64> = V) => {
        let mut body = *a;
        for k in 0..3 {
            if k == 1 {
                body = body.stepped(w);
            } else {
                body.step(w);
            }
        }
        seen(&body.pose) + (body.head * V).y
    };
    folds(a: [UnitQuaternion<f64>; 2] = [q(), p()], w: Vector3<f64> = V) => {
        let all = a.iter().fold(UnitQuaternion::new(*w), |all, r| all * r);
        (all * V).map(|x| x.sin()).sum() + all.i
    };
    parts(a: Isometry3<f64> = t(), b: Isometry3<f64> = s()) => {
        let mut pose = *a;
        for _ in 0..2 {
            pose.rotation = pose.rotation * b.rotation;
            pose.translation.vector += b.rotation * pose.translation.vector;
            pose = Translation3::new(0.1, 0.2, 0.3) * (b.rotation * pose);
        }
        seen(&pose)
    };
    kinds(a: Rotation3<f64> = Rotation3::new(V), w: Vector3<f64> = V) => {
        let mut r = *a;
        for _ in 0..3 {
            r = r * Rotation3::new(w * 0.5);
            r = if r.angle() > 0.2 { r.inverse() } else { r };
        }
        (UnitQuaternion::from_rotation_matrix(&r) * V).map(|x| x.sin()).sum()
    };
    in_the_plane(a: Isometry2<f64> = Isometry2::new(Vector2::new(0.3, 0.4), 0.5), b: UnitComplex<f64> = UnitComplex::new(0.7)) => {
        let mut pose = *a;
        for k in 0..3 {
            pose = pose * Isometry2::new(Vector2::new(0.1, 0.2 * k as f64), 0.3) * b;
        }
        pose.translation.x * pose.rotation.angle() + pose.translation.y.sin()
    };
    locals_called_as_parameters(a: Body = Body { pose: t(), head: q(), speed: 0.4 }, w: Vector3<f64> = V) => {
        let (b, speed) = ((a.pose * a.head).rotation, a.speed);
        let a = b * w;
        (a * speed).norm_squared()
    };
    derivatives_inside(a: Isometry3<f64> = t(), b: UnitQuaternion<f64> = q()) => {
        let mut pose = *a;
        for _ in 0..2 {
            pose = pose * b;
        }
        let (_, slope) = reach::grad(&pose, &Vector3::new(0.5, 0.1, 0.2));
        slope.map(|x| x.sin()).sum() + seen(&pose)
    };
}

#[differentiable]
fn results(
    a: &Isometry3<f64>,
    b: &UnitQuaternion<f64>,
) -> (Isometry3<f64>, [UnitQuaternion<f64>; 2], Option<Isometry3<f64>>) {
    let (mut pose, mut turn) = (*a, *b);
    for _ in 0..2 {
        pose = pose * turn;
        turn = turn * b;
    }
    let other = if pose.translation.x > -10.0 { Some(pose.inverse()) } else { None };
    (pose, [turn, pose.rotation], other)
}

#[differentiable]
fn body_after(body: &Body, w: &Vector3<f64>) -> Body {
    let mut body = *body;
    for _ in 0..2 {
        body.step(w);
    }
    body
}

#[differentiable]
fn path(a: &Isometry3<f64>, w: &Vector3<f64>) -> Vec<Isometry3<f64>> {
    let mut pose = *a;
    let mut path = Vec::new();
    for _ in 0..3 {
        pose = onward(&pose, w);
        path.push(pose);
    }
    path
}

#[test]
fn what_leaves_a_function() {
    check_grads!(results, &t(), &q());
    check_grads!(body_after, &Body { pose: t(), head: q(), speed: 0.4 }, &V);
    check_grads!(path, &t(), &V);
}

/// Of a function with first derivatives only, logarithms and exponentials change by the Jacobians of SO(3).
#[differentiable]
fn logarithms(a: &Isometry3<f64>, b: &UnitQuaternion<f64>, w: &Vector3<f64>) -> [Vector3<f64>; 6] {
    let mut pose = *a;
    for k in 0..2 {
        pose = pose * UnitQuaternion::new(w * k as f64) * b;
    }
    let short = UnitQuaternion::new(w * 1e-4);
    let point = pose * (UnitQuaternion::new(w * 2.0) * Point3::from(*w));
    [
        pose.rotation.scaled_axis(),
        (b * UnitQuaternion::new(Vector3::new(-0.2, 0.6, 0.9))).scaled_axis(),
        b.inverse().scaled_axis(),
        short.scaled_axis(),
        (UnitQuaternion::new(w * 5.0).inverse() * a.rotation).scaled_axis(),
        pose.inverse_transform_point(&point).coords - pose.translation.vector,
    ]
}

/// Of every kind of a factor in a product: changed on the left, on the right, not at all.
#[differentiable]
fn products(a: &Isometry3<f64>, b: &UnitQuaternion<f64>, by: &Vector3<f64>) -> [Isometry3<f64>; 8] {
    let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), by.x);
    let step = Translation3::from(*by);
    let still = UnitQuaternion::new(Vector3::new(-0.2, 0.6, 0.9));
    let own = Isometry3::from_parts(step, turn);
    [
        a * turn * step,
        step * (turn * a),
        (still * a) * (turn * still),
        step * b * still,
        a.inverse() * own * b,
        Isometry3::from_parts(Translation3::from(a.translation.vector * 2.0), *b) * Translation3::new(1.0, 2.0, 3.0),
        Translation3::new(1.0, 2.0, 3.0) * own.inverse() * own,
        still * step * a.inverse() * turn,
    ]
}

#[differentiable]
fn in_single_precision(a: &Isometry3<f32>, w: &Vector3<f32>) -> f32 {
    let mut pose = *a;
    for _ in 0..2 {
        pose = pose * UnitQuaternion::new(*w) * UnitQuaternion::from_axis_angle(&Vector3::z_axis(), w.x);
    }
    pose.rotation.scaled_axis().x + (pose * Point3::from(*w)).y
}

#[differentiable]
fn in_double_precision(a: &Isometry3<f64>, w: &Vector3<f64>) -> f64 {
    let mut pose = *a;
    for _ in 0..2 {
        pose = pose * UnitQuaternion::new(*w) * UnitQuaternion::from_axis_angle(&Vector3::z_axis(), w.x);
    }
    pose.rotation.scaled_axis().x + (pose * Point3::from(*w)).y
}

#[test]
fn first_derivatives() {
    for scale in [1.0, 0.3, 3.7] {
        check_grads!(logarithms, &t(), &q(), &(V * scale));
        check_grads!(products, &t(), &p(), &(V * scale));
    }
    check_grads!(in_double_precision, &t(), &V);
    let (value, (pose, w)) = in_single_precision::value_and_grad(&t().cast(), &V.cast());
    let (expected, (expected_pose, expected_w)) = in_double_precision::value_and_grad(&t(), &V);
    assert!((f64::from(value) - expected).abs() < 1e-5);
    assert!((pose.cast() - expected_pose).norm() < 1e-4 && (w.cast() - expected_w).norm() < 1e-4);
}
