//! Arrays and tensors that a function of the index makes.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy)]
struct Pair {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
fn neighbours(x: &[f64; 3]) -> f64 {
    let y: [f64; 3] = std::array::from_fn(|i| x[i] * x[(i + 1) % 3]);
    let z = core::array::from_fn::<f64, 2, _>(|i| y[i] + y[i + 1]);
    z[0] * z[1]
}

#[differentiable(order = 2)]
fn scaled<const N: usize>(x: &[f64; N], k: f64) -> [f64; N] {
    std::array::from_fn(|i| x[i] * k + i as f64)
}

#[differentiable(order = 2)]
fn running(x: &[f64; 4], k: f64) -> f64 {
    let y = scaled(x, k);
    let mut total = 0.0;
    let sums: [f64; 4] = std::array::from_fn(|i| {
        total += y[i];
        total * y[i]
    });
    sums.iter().sum()
}

#[differentiable(order = 2)]
fn elements_of_all_kinds(x: &[f64; 4]) -> f64 {
    let rows: [[f64; 2]; 3] = std::array::from_fn(|i| [x[i], x[i + 1] * 2.0]);
    let pairs: [Pair; 2] = std::array::from_fn(|i| Pair { x: x[i], y: x[i + 2] });
    let table: Tensor2<f64, 2, 2> = Tensor2::from_fn(|[i, j]| x[i] * x[j + 2]);
    let odd: [usize; 2] = std::array::from_fn(|i| 2 * i + 1);
    let mut s = 0.0;
    for row in rows {
        s += row[0] * row[1];
    }
    for pair in pairs {
        s += pair.x * pair.y;
    }
    s + table.sum() + x[odd[1]]
}

#[differentiable(order = 2)]
fn in_a_branch(x: &[f64; 3]) -> [f64; 3] {
    if x[0] > 0.0 {
        let scale = x[1];
        std::array::from_fn(|i| scale * x[i].sin())
    } else {
        [x[0]; 3]
    }
}

#[differentiable(order = 2)]
fn of_the_branch(x: &[f64; 3]) -> f64 {
    let [a, b, c] = in_a_branch(x);
    a * b + c
}

#[test]
fn gradients() {
    check!(neighbours(&x) by x = [1.0, 2.0, 3.0]);
    assert_eq!(neighbours::grad(&[1.0, 2.0, 3.0]), [42.0, 60.0, 42.0]);
    check!(running(&x, k) by x = [1.0, 2.0, 3.0, 4.0], k = 0.5);
    assert_eq!(running::grad(&[1.0, 2.0, 3.0, 4.0], 0.5), ([5.75, 6.5, 7.25, 8.0], 145.0));
    check!(elements_of_all_kinds(&x) by x = [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(elements_of_all_kinds::grad(&[1.0, 2.0, 3.0, 4.0]), [14.0, 19.0, 16.0, 12.0]);
    check!(of_the_branch(&x) by x = [0.3, 0.4, 0.5]);
    check!(of_the_branch(&x) by x = [-0.3, 0.4, 0.5]);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Square {
    m: [[f64; 2]; 2],
}

#[differentiable(order = 2)]
fn transposed(a: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

/// Sizes come from the result, a field, and what is assigned to.
#[differentiable(order = 2)]
fn nested_makers(a: &[[f64; 3]; 3], x: f64) -> f64 {
    let t = transposed(a);
    let mut square = Square { m: std::array::from_fn(|i| std::array::from_fn(|j| t[i][j] * x)) };
    square.m = std::array::from_fn(|i| std::array::from_fn(|j| square.m[j][i] + if i == j { x } else { 0.0 }));
    square = Square { m: core::array::from_fn(|i| square.m[i].map(|v| v * v)) };
    square.m[0][1] * square.m[1][0] + square.m[1][1]
}

#[test]
fn sizes_of_nested_arrays_come_from_where_they_go() {
    let (a, x) = ([[0.5, 0.25, 1.0], [-1.0, 0.75, 2.0], [0.1, 0.2, 0.3]], 0.6);
    check!(nested_makers(&a, x) by a, x);
    // (x·a₀₁)²·(x·a₁₀)² + (x·a₁₁ + x)²
    let expected = 4.0 * (x * x * x) * (0.25_f64).powi(2) + 2.0 * x * 1.75_f64.powi(2);
    assert!((nested_makers::grad(&a, x).1 - expected).abs() < 1e-12);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Ball {
    centre: [f64; 3],
    radius: f64,
}

#[differentiable(order = 2)]
impl Ball {
    fn distance(&self, p: &[f64; 3]) -> f64 {
        let d: f64 = p.iter().zip(&self.centre).map(|(a, b)| (a - b).powi(2)).sum();
        d.sqrt() - self.radius
    }

    fn moved(&self, by: &[f64; 3]) -> Ball {
        let centre = std::array::from_fn(|i| self.centre[i] + by[i]);
        Ball { centre, ..*self }
    }
}

#[differentiable(order = 2)]
fn turned(p: &mut [f64; 3], angle: f64) {
    let (s, c) = angle.sin_cos();
    (p[0], p[1]) = (c * p[0] - s * p[1], s * p[0] + c * p[1]);
}

#[differentiable(order = 2)]
fn ahead(direction: &[f64; 3], t: f64) -> [f64; 3] {
    let p = core::array::from_fn(|i| t * direction[i]);
    if t > 100.0 {
        return *direction;
    }
    p
}

/// What a later call, a field or the result takes tells how many there are.
#[differentiable(order = 2)]
fn sizes_by_use(ball: &Ball, direction: &[f64; 3]) -> f64 {
    let mut t = 0.2;
    for turn in 0..4 {
        let p = std::array::from_fn(|i| t * direction[i]);
        let d = ball.distance(&p);
        if turn % 2 == 1 {
            let mut calls = 0.0;
            let mut q = std::array::from_fn(|i| {
                calls += 1.0;
                p[i] * calls
            });
            turned(&mut q, t);
            t += 0.1 * q[0] * calls;
        }
        t += d;
    }
    let end = ahead(direction, t);
    let away = ball.moved(&std::array::from_fn(|i| end[i] * 0.5));
    away.distance(&std::array::from_fn(|i| if i == 0 { t } else { end[i] })) + away.centre[1]
}

#[test]
fn sizes_come_from_later_uses() {
    let (ball, direction) = (Ball { centre: [0.5, 0.25, 2.0], radius: 0.7 }, [0.3, 0.4, 0.8]);
    check!(sizes_by_use(&ball, &direction) by ball, direction);
}
