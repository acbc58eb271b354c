//! `impl From` for several types, in both directions.

use crate::harness::check;
use autodiff::prelude::*;

mod geo {
    use autodiff::prelude::*;
    #[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
    pub struct V {
        pub x: f64,
        pub y: f64,
        pub z: f64,
    }
    #[differentiable(order = 2)]
    impl From<[f64; 3]> for V {
        fn from(a: [f64; 3]) -> Self {
            V { x: a[0], y: a[1] * a[1], z: a[2] }
        }
    }
    #[differentiable(order = 2)]
    impl From<(f64, f64, f64)> for V {
        fn from((a, b, c): (f64, f64, f64)) -> Self {
            V { x: a * 2.0, y: b, z: c }
        }
    }
    #[differentiable(order = 2)]
    impl From<f64> for V {
        fn from(a: f64) -> Self {
            V { x: a, y: a, z: a }
        }
    }
    #[differentiable(order = 2)]
    impl From<&[f64]> for V {
        fn from(a: &[f64]) -> Self {
            V { x: a[0], y: a[1], z: a[2] * 3.0 }
        }
    }
    #[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
    pub struct W {
        pub x: f64,
        pub y: f64,
    }
    #[differentiable(order = 2)]
    impl From<W> for V {
        fn from(a: W) -> Self {
            V { x: a.x, y: a.y, z: a.x * a.y }
        }
    }
    #[differentiable(order = 2)]
    impl From<&V> for W {
        fn from(a: &V) -> Self {
            W { x: a.x + a.z, y: a.y }
        }
    }
    #[differentiable(order = 2)]
    impl From<V> for [f64; 3] {
        fn from(a: V) -> Self {
            [a.x, a.y, a.z * 5.0]
        }
    }
    #[differentiable(order = 2)]
    impl From<V> for (f64, f64) {
        fn from(a: V) -> Self {
            (a.x, a.y * 7.0)
        }
    }
    #[differentiable(order = 2)]
    impl From<V> for f64 {
        fn from(a: V) -> Self {
            a.x * a.x + a.y
        }
    }
    #[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
    pub enum Shape {
        Round(f64),
        Flat { a: f64, b: f64 },
        None,
    }
    #[differentiable(order = 2)]
    impl From<Shape> for V {
        fn from(s: Shape) -> Self {
            match s {
                Shape::Round(r) => V { x: r * r, y: r, z: 1.0 },
                Shape::Flat { a, b } => V { x: a, y: b, z: a * b },
                Shape::None => V { x: 1.0, y: 2.0, z: 3.0 },
            }
        }
    }
    #[derive(Differentiable, Clone, Copy, Debug)]
    pub struct Km(pub f64);
    #[differentiable(order = 2)]
    impl From<Km> for f64 {
        fn from(k: Km) -> f64 {
            k.0 * 1000.0
        }
    }
    #[differentiable(order = 2)]
    impl From<f64> for Km {
        fn from(m: f64) -> Km {
            Km(m / 1000.0)
        }
    }
}
use geo::*;
#[differentiable(order = 2)]
fn arrays(x: f64) -> f64 {
    let a = V::from([x, 2.0 * x, 1.0]);
    let b: V = [x; 3].into();
    a.x * b.y + a.y * b.x
}
#[differentiable(order = 2)]
fn tuples(x: f64) -> f64 {
    let a = V::from((x, 2.0 * x, 1.0));
    let b: V = (x, 1.0, x * x).into();
    a.x * b.z + a.y * b.x
}
#[differentiable(order = 2)]
fn numbers(x: f64) -> f64 {
    let a = V::from(x * x);
    let b: V = x.into();
    let c = V::from(2.0);
    a.x * b.z + c.x * x
}
#[differentiable(order = 2)]
fn structs(x: f64) -> f64 {
    let w = W { x, y: x * x };
    let a = V::from(w);
    let v: V = w.into();
    let u = W::from(&v);
    let t: W = (&a).into();
    a.z * u.x + t.y + a.x
}
#[differentiable(order = 2)]
fn out(x: f64) -> f64 {
    let v = V { x, y: x * x, z: 2.0 * x };
    let a: [f64; 3] = v.into();
    let t: (f64, f64) = v.into();
    let n: f64 = v.into();
    let m = f64::from(v);
    a[2] * t.1 + n * m
}
#[differentiable(order = 2)]
fn shapes(x: f64) -> f64 {
    let a = V::from(Shape::Round(x));
    let b: V = Shape::Flat { a: x, b: 2.0 }.into();
    let c = V::from(Shape::None);
    let d = V::from(Shape::Round(3.0));
    a.x * b.z * c.y + d.x * x
}
#[differentiable(order = 2)]
fn lists(x: f64, v: &[f64]) -> f64 {
    let a = V::from(v);
    let b = V::from(&v[1..4]);
    let w = vec![x, x * x, x];
    let c = V::from(&w[..]);
    a.z * b.z * x + c.z * c.y
}
#[differentiable(order = 2)]
fn km(k: Km) -> f64 {
    let m: f64 = k.into();
    let b = Km::from(m * m);
    f64::from(k) * 2.0 + b.0
}
#[differentiable(order = 2)]
fn counted(x: f64) -> f64 {
    let mut n = 0.0;
    let v = V::from({
        n += x;
        [n, x, 1.0]
    });
    let w: V = {
        n += 1.0;
        (n, x, x)
    }
    .into();
    v.x * n + w.x * w.y
}

#[test]
fn types_are_converted() {
    check!(arrays(x) by x = 1.7);
    check!(tuples(x) by x = 1.7);
    check!(numbers(x) by x = 1.7);
    check!(structs(x) by x = 1.7);
    check!(out(x) by x = 1.7);
    check!(shapes(x) by x = 1.7);
    check!(counted(x) by x = 1.7);
    let v = vec![1.0, 2.0, 3.0, 4.0];
    assert_eq!(lists::value_and_grad(1.5, &v), (172.125, (128.25, vec![0.0, 0.0, 54.0, 40.5])));
    let (value, gradient) = km::value_and_grad(Km(2.0));
    assert_eq!((value, gradient.0), (8000.0, 6000.0));
}
