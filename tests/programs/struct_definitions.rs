//! Structs as they are defined: generic parameters without a bound and with defaults, conversions, data without a derivative.

use crate::harness::check;
use autodiff::prelude::*;
use std::ops::{Add, Mul};

/// The parameter is bound where it is used, as with other derives.
#[derive(Differentiable, Clone, Copy, Debug, Default, PartialEq)]
struct V<T = f64> {
    x: T,
    y: T,
}

#[derive(Differentiable, Clone, Debug)]
struct Polygon<T, const N: usize = 3> {
    corners: [V<T>; N],
    weights: [T; N],
}

/// Fields with defaults in them.
#[derive(Differentiable, Clone, Debug)]
struct Body {
    position: V,
    triangle: Polygon<f64>,
    pair: Polygon<f64, 2>,
}

type V64 = V<f64>;

#[differentiable(order = 2)]
impl<T: Real> Add for V<T> {
    type Output = V<T>;
    fn add(self, o: V<T>) -> V<T> {
        V { x: self.x + o.x, y: self.y + o.y }
    }
}

#[differentiable(order = 2)]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V { x: self.x * k, y: self.y * k }
    }
}

#[differentiable(order = 2)]
impl<T: Real> V<T> {
    fn dot(self, o: V<T>) -> T {
        self.x * o.x + self.y * o.y
    }
}

#[differentiable(order = 2)]
fn moment(b: &Body, t: f64) -> f64 {
    let mut sum = V { x: 0.0, y: 0.0 };
    for k in 0..3 {
        sum = sum + b.triangle.corners[k] * b.triangle.weights[k];
    }
    let across: V64 = b.pair.corners[0] + b.pair.corners[1] * t;
    sum.dot(across) + b.position.dot(V { x: t, ..b.position }) * b.pair.weights[1]
}

#[test]
fn parameters_with_defaults() {
    let v = |x, y| V { x, y };
    let body = Body {
        position: v(0.3, -0.2),
        triangle: Polygon { corners: [v(0.1, 0.2), v(-0.5, 0.7), v(0.9, 0.4)], weights: [0.5, 1.5, -0.3] },
        pair: Polygon { corners: [v(0.6, -0.1), v(0.8, 0.3)], weights: [0.2, 1.1] },
    };
    check!(moment(&b, t) by b = body.clone(), t = 0.7);
    // By a weight: the corner times what is across.
    let g = moment::grad(&body, 0.7).0;
    let across = [0.6 + 0.7 * 0.8, -0.1 + 0.7 * 0.3];
    assert!((g.triangle.weights[1] - (-0.5 * across[0] + 0.7 * across[1])).abs() < 1e-12);
}

/// A struct of numbers of another type.
#[differentiable]
fn single(v: V<f32>) -> f32 {
    v.dot(v)
}

#[test]
fn parameters_that_are_given() {
    assert_eq!(single::grad(V { x: 1.0, y: -2.0 }), VTangent { x: 2.0, y: -4.0 });
}

#[differentiable(order = 2)]
impl From<[f64; 2]> for V {
    fn from(a: [f64; 2]) -> V {
        V { x: a[0], y: a[1] }
    }
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Polar {
    r: f64,
    angle: f64,
}

#[differentiable(order = 2)]
impl From<V> for Polar {
    fn from(v: V) -> Polar {
        Polar { r: (v.x * v.x + v.y * v.y).sqrt(), angle: v.y.atan2(v.x) }
    }
}

#[differentiable(order = 2)]
fn converted(x: f64, y: f64) -> f64 {
    let v: V = [x, y].into();
    let w = V::from([y, 2.0 * x]);
    let mut sum = 0.0;
    for k in 0..2 {
        let p: Polar = if k == 0 { v.into() } else { (v + w).into() };
        sum += p.r * p.angle;
    }
    sum + Polar::from(w).angle
}

#[test]
fn conversions() {
    check!(converted(x, y) by x = 0.7, y = 0.4);
}

#[derive(Differentiable, Clone, Debug, Default)]
struct Settings {
    gain: f64,
    offset: f64,
    limits: [f64; 2],
    #[no_diff]
    name: String,
}

#[differentiable(order = 2)]
fn with_defaults(gain: f64, x: f64) -> f64 {
    let v = V { x: gain, ..Default::default() };
    let w = V { y: x, ..V::default() };
    let s = Settings { gain, limits: [x, gain * x], ..Default::default() };
    v.dot(w) + (v + w).dot(v) * x + s.limits[1] * (s.offset + s.limits[0])
}

#[test]
fn the_rest_by_default() {
    check!(with_defaults(gain, x) by gain = 0.7, x = 0.4);
    assert!(Settings::default().name.is_empty());
    // v = (g, 0), w = (0, x): g² x + g x²
    let g = with_defaults::grad(0.7, 0.4);
    assert!((g.0 - 2.0 * 0.7 * 0.4 - 0.16).abs() < 1e-12 && (g.1 - 0.49 - 2.0 * 0.7 * 0.4).abs() < 1e-12);
}
