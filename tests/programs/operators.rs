//! Operators of structs: `a + b`, `2.0 * v`, `-v`, `sum += v`.

use crate::harness::check;
use autodiff::prelude::*;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct V {
    x: f64,
    y: f64,
}

const ORIGIN: V = V { x: 0.5, y: -0.25 };
const SCALE: f64 = 1.5;

impl V {
    const UNIT: V = V { x: 1.0, y: 1.0 };
}

#[differentiable(order = 2)]
impl Add for V {
    type Output = V;
    fn add(self, other: V) -> V {
        V { x: self.x + other.x, y: self.y + other.y }
    }
}

#[differentiable(order = 2)]
impl Sub<V> for V {
    type Output = Self;
    fn sub(self, other: Self) -> Self::Output {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

#[differentiable(order = 2)]
impl Neg for V {
    type Output = V;
    fn neg(self) -> Self::Output {
        Self::Output { x: -self.x, y: -self.y }
    }
}

/// The product of complex numbers.
#[differentiable(order = 2)]
impl Mul for V {
    type Output = V;
    fn mul(self, other: V) -> V {
        V { x: self.x * other.x - self.y * other.y, y: self.x * other.y + self.y * other.x }
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
impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, v: V) -> V {
        v * self
    }
}

#[differentiable(order = 2)]
impl Div<f64> for V {
    type Output = V;
    fn div(self, k: f64) -> V {
        self * (1.0 / k)
    }
}

/// Into so many parts.
#[differentiable(order = 2)]
impl Div<i32> for V {
    type Output = V;
    fn div(self, parts: i32) -> V {
        self / f64::from(parts)
    }
}

#[differentiable(order = 2)]
impl AddAssign for V {
    fn add_assign(&mut self, other: V) {
        self.x += other.x;
        self.y += other.y;
    }
}

#[differentiable(order = 2)]
impl SubAssign for V {
    fn sub_assign(&mut self, other: V) {
        *self = *self - other;
    }
}

#[differentiable(order = 2)]
impl MulAssign<f64> for V {
    fn mul_assign(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
    }
}

#[differentiable(order = 2)]
fn length2(v: V) -> f64 {
    v.x * v.x + v.y * v.y
}

#[differentiable(order = 2)]
fn expression(a: V, b: V, t: f64) -> f64 {
    let c = (1.0 - t) * a + t * b - -a * b / 2.0;
    length2(c * t + a / 3 - b * 2.0) + c.x
}

#[test]
fn operators_call_their_functions() {
    let (a, b) = (V { x: 0.3, y: -0.4 }, V { x: 1.2, y: 0.7 });
    check!(expression(a, b, t) by a = a, b = b, t = 0.3);
}

#[differentiable(order = 2)]
fn with_constants(a: V) -> f64 {
    let c = a - ORIGIN + V::UNIT * SCALE;
    length2(c * SCALE - V::UNIT) * c.y
}

#[test]
fn constants_are_operands() {
    check!(with_constants(a) by a = V { x: 0.3, y: -0.4 });
}

#[derive(Clone)]
struct Target {
    at: V,
    weight: f64,
}

#[differentiable(order = 2)]
fn pulled(a: V, #[no_diff] target: &Target) -> f64 {
    length2((target.at - a) * target.weight + target.at)
}

#[test]
fn what_carries_no_derivative_is_an_operand() {
    let target = Target { at: V { x: 2.0, y: 0.5 }, weight: 0.7 };
    check!(pulled(a, &target) by a = V { x: 0.3, y: -0.4 });
}

#[differentiable(order = 2)]
fn assigned(a: V, n: usize) -> f64 {
    let mut sum = V { x: 0.0, y: 0.0 };
    let mut pair = (a, [a, a]);
    for k in 0..n {
        sum += a * (k as f64);
        sum -= pair.0 * 0.5;
        pair.0 *= 0.5;
        pair.1[1] += sum;
        if sum.x > 0.5 {
            sum *= 0.25;
        }
    }
    length2(sum) + length2(pair.1[1] - pair.1[0])
}

#[test]
fn assignments_change_their_place() {
    for n in [0, 1, 4] {
        check!(assigned(a, n) by a = V { x: 0.3, y: -0.4 });
    }
}

#[differentiable(order = 2)]
fn of_slices(vs: &[V], w: f64) -> f64 {
    let mut moved = vs.to_vec();
    for v in &mut moved {
        *v += V { x: w, y: 1.0 };
        v.x *= 2.0;
    }
    let second = moved[1];
    moved[0] -= second * w;
    moved.iter().zip(vs).map(|(a, b)| length2(*a * *b - -*b)).sum()
}

#[test]
fn elements_are_operands() {
    let vs = [V { x: 0.3, y: -0.4 }, V { x: 1.3, y: 0.4 }, V { x: -0.2, y: 0.1 }];
    let g = of_slices::grad(&vs, 0.7);
    let step = 1e-6;
    for (k, by) in g.0.iter().enumerate() {
        let moved = |dx: f64, dy: f64| {
            let mut vs = vs;
            vs[k] += V { x: dx, y: dy };
            of_slices(&vs, 0.7)
        };
        assert!((by.x - (moved(step, 0.0) - moved(-step, 0.0)) / (2.0 * step)).abs() < 1e-6);
        assert!((by.y - (moved(0.0, step) - moved(0.0, -step)) / (2.0 * step)).abs() < 1e-6);
    }
    let slope = (of_slices(&vs, 0.7 + step) - of_slices(&vs, 0.7 - step)) / (2.0 * step);
    assert!((g.1 - slope).abs() < 1e-6);
}

mod generic {
    use autodiff::prelude::*;
    use std::ops::{Add, Mul};

    #[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
    pub struct Complex<T: Real> {
        pub re: T,
        pub im: T,
    }

    #[differentiable(order = 2)]
    impl<T: Real> Add for Complex<T> {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            Complex { re: self.re + other.re, im: self.im + other.im }
        }
    }

    #[differentiable(order = 2)]
    impl<T: Real> Mul for Complex<T> {
        type Output = Self;
        fn mul(self, other: Self) -> Self {
            Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
        }
    }

    #[differentiable(order = 2)]
    impl<T: Real> Mul<T> for Complex<T> {
        type Output = Self;
        fn mul(self, k: T) -> Self {
            Complex { re: self.re * k, im: self.im * k }
        }
    }
}

use generic::{Complex, Complex_add, Complex_mul, Complex_mul_number};

/// The functions of operators are imported with the type.
#[differentiable(order = 2)]
fn mandelbrot(c: Complex<f64>) -> f64 {
    let mut z = c;
    for _ in 0..3 {
        z = z * z + c * 0.5;
    }
    z.re * z.re + z.im * z.im
}

#[test]
fn operators_of_generic_types() {
    check!(mandelbrot(c) by c = Complex { re: 0.1, im: 0.6 });
}

/// A product of matrices, where a size of the other operand is a parameter of the `impl` block.
#[derive(Differentiable, Clone, Copy)]
struct Sheet<const R: usize, const C: usize>([[f64; C]; R]);

#[differentiable(order = 2)]
impl<const R: usize, const K: usize, const C: usize> Mul<Sheet<K, C>> for Sheet<R, K>
where
    [f64; C]: Copy,
{
    type Output = Sheet<R, C>;
    fn mul(self, other: Sheet<K, C>) -> Sheet<R, C> {
        let mut product = Sheet([[0.0; C]; R]);
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    product.0[i][j] += self.0[i][k] * other.0[k][j];
                }
            }
        }
        product
    }
}

#[differentiable(order = 2)]
fn quadratic(a: Sheet<2, 3>, x: Sheet<3, 1>) -> f64 {
    let y = a * x;
    y.0[0][0] * y.0[1][0]
}

#[test]
fn sizes_of_the_other_operand() {
    check!(quadratic(a, x) by a = Sheet([[0.1, 0.6, -0.3], [0.5, 0.2, 0.9]]), x = Sheet([[0.4], [-0.8], [1.2]]));
}
