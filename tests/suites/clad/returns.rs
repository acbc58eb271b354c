//! Early returns, and what is declared after them.

use autodiff::prelude::*;

#[differentiable]
fn several(x: f64, y: f64) -> f64 {
    if x > 10.0 {
        return x;
    }
    if y > 10.0 {
        return y * y;
    }
    x * y
}

#[differentiable]
fn in_a_loop(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    for _ in 0..5 {
        s += x * y;
        if s > 20.0 {
            return s;
        }
    }
    s
}

#[differentiable]
fn recursive(x: f64, y: f64) -> f64 {
    if x > y {
        return recursive(x - 1.0, y);
    }
    x * y
}

#[differentiable]
fn power(x: f64, p: u32) -> f64 {
    if p == 0 { 1.0 } else { x * power(x, p - 1) }
}

#[differentiable]
fn after_an_assignment(mut x: f64, y: f64) -> f64 {
    if x > 0.0 {
        x = x * y;
    }
    if x < 0.0 {
        return 0.0;
    }
    x
}

#[differentiable]
fn declared_after(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 1.0;
    }
    let n = y;
    let mut a = n + x;
    let (b, c) = (n, 2.0 * x);
    a *= b;
    a + c
}

#[differentiable]
fn reference_after(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 1.0;
    }
    let a = x * y;
    let r = &a;
    let c = r * r;
    let d = c * c;
    d
}

#[derive(Differentiable, Clone, Default)]
struct Seeded {
    a: f64,
    b: f64,
}

#[differentiable]
fn struct_after(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 1.0;
    }
    let mut s = Seeded::default();
    s.a = x * y;
    s.b = x + y;
    let r = &s;
    r.a * r.b
}

#[test]
fn gradients() {
    gradient!(several(x, y) by x = 12.0, y = 3.0 => [1.0, 0.0]);
    gradient!(several(x, y) by x = 2.0, y = 13.0 => [0.0, 26.0]);
    gradient!(several(x, y) by x = 2.0, y = 3.0 => [3.0, 2.0]);
    gradient!(in_a_loop(x, y) by x = 2.0, y = 3.0 => [12.0, 8.0]);
    gradient!(in_a_loop(x, y) by x = 1.0, y = 3.0 => [15.0, 5.0]);
    gradient!(recursive(x, y) by x = 4.5, y = 2.0 => [2.0, 1.5]);
    gradient!(power(x, 4) by x = 3.0 => [108.0]);
    gradient!(after_an_assignment(x, y) by x = 2.0, y = 3.0 => [3.0, 2.0]);
    gradient!(after_an_assignment(x, y) by x = 2.0, y = -3.0 => [0.0, 0.0]);
    gradient!(declared_after(x, y) by x = 2.0, y = 3.0 => [5.0, 8.0]);
    gradient!(reference_after(x, y) by x = 2.0, y = 3.0 => [4.0 * 8.0 * 81.0, 4.0 * 16.0 * 27.0]);
    gradient!(struct_after(x, y) by x = 2.0, y = 3.0 => [21.0, 16.0]);
}
