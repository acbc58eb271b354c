//! Assignments in expressions, and what is assigned more than once.

use autodiff::prelude::*;

#[differentiable]
fn overwritten(mut x: f64, y: f64) -> f64 {
    x = y;
    x
}

#[differentiable]
fn larger(mut x: f64, y: f64) -> f64 {
    if x < y {
        x = y;
    }
    x
}

#[differentiable]
fn fourth_power(mut x: f64, mut y: f64) -> f64 {
    x = x * 1.0;
    x = x * x;
    y = x * x + 0.0 * y;
    x = y;
    x
}

#[differentiable]
fn kept(mut x: f64, mut y: f64) -> f64 {
    let before = y;
    y = x;
    x = 0.0;
    y + x * before
}

#[differentiable]
fn compound_sum(mut x: f64, y: f64) -> f64 {
    x += y;
    x += x;
    x -= y;
    x -= x;
    x
}

#[differentiable]
fn compound_product(mut x: f64, y: f64) -> f64 {
    x *= y;
    x *= x;
    x /= y;
    x /= x;
    x
}

#[differentiable]
fn chained(x: f64, mut y: f64) -> f64 {
    let x = {
        y += x;
        y
    };
    x + y
}

#[differentiable]
fn product_of_assignments(mut i: f64, j: f64) -> f64 {
    let mut t = 1.0;
    t *= j;
    t *= {
        i *= i;
        i
    };
    t
}

#[differentiable]
fn quotient_then_product(i: f64, j: f64) -> f64 {
    let mut t = i * i * j * j;
    t /= i * j;
    t *= j;
    t
}

#[differentiable]
fn power_and_back(mut x: f64, y: f64) -> f64 {
    x /= 2.0_f64.powf(y);
    x *= 2.0_f64.powf(y);
    x
}

#[differentiable]
fn elements(x: f64, y: f64) -> f64 {
    let mut t = [1.0, x, x * x];
    t[0] += 1.0;
    t[0] -= 1.0;
    t[0] = x;
    t[0] += t[1];
    t[0] *= t[1];
    t[0] /= t[1];
    t[0] -= t[1];
    let x = {
        t[0] += 1.0;
        t[0]
    };
    x * y + t[2]
}

#[differentiable]
fn element_to_element(x: f64, mut y: f64) -> f64 {
    let mut t = [1.0, x, y, 1.0];
    t[1] = t[2];
    t[0] = t[1];
    y *= t[0];
    t[3] = y;
    t[3]
}

#[differentiable]
fn chosen_target(x: f64, y: f64) -> f64 {
    let mut t = if x > y { x } else { y };
    *(if x > 0.0 { &mut t } else { &mut t }) *= y;
    t
}

#[differentiable]
fn assigned_in_an_operand(x: f64, mut y: f64) -> f64 {
    let t = x * {
        y = x;
        y
    };
    t * y
}

#[differentiable]
fn aliases_in_turn(mut i: f64, mut j: f64) -> f64 {
    let mut b = i * j;
    {
        let a = &mut b;
        *a *= i;
    }
    b += 2.0 * i;
    let c = &mut i;
    *c += 3.0 * *c;
    let d = &mut j;
    *d *= 3.0 * *d;
    b + *c + *d
}

#[differentiable]
fn reborrowed(mut i: f64, j: f64) -> f64 {
    let a = &mut i;
    let b = &mut *a;
    let c = &mut *b;
    *c *= 4.0 * j;
    i
}

#[differentiable]
fn fused(a: f64, b: f64) -> f64 {
    a.mul_add(b, b)
}

#[differentiable]
fn constant_through_a_reference(mut x: f64, y: f64) -> f64 {
    let r = &mut x;
    *r = 3.0;
    x = *r * y;
    x
}

#[differentiable]
fn cleared(x: f64, y: f64) -> f64 {
    let (x, y) = (0.0 * x, 0.0 * y);
    let t = x + y;
    t
}

#[differentiable]
fn last_of_a_list(x: f64, y: f64) -> f64 {
    let list = &[1.0, x + y];
    let mut res = 5.0;
    if x > y {
        let reference = list;
        res = *reference.last().unwrap();
    }
    res
}

#[differentiable]
fn shadowed(y: f64, x: f64) -> f64 {
    let z = y;
    let y = y * z;
    y * x
}

#[test]
fn gradients() {
    gradient!(overwritten(x, y) by x = 3.0, y = 4.0 => [0.0, 1.0]);
    gradient!(larger(x, y) by x = 3.0, y = 4.0 => [0.0, 1.0]);
    gradient!(larger(x, y) by x = 4.0, y = 3.0 => [1.0, 0.0]);
    gradient!(fourth_power(x, y) by x = 3.0, y = 4.0 => [108.0, 0.0]);
    gradient!(kept(x, y) by x = 3.0, y = 4.0 => [1.0, 0.0]);
    gradient!(compound_sum(x, y) by x = 3.0, y = 4.0 => [0.0, 0.0]);
    gradient!(compound_product(x, y) by x = 3.0, y = 4.0 => [0.0, 0.0]);
    gradient!(chained(x, y) by x = 3.0, y = 4.0 => [2.0, 2.0]);
    gradient!(product_of_assignments(i, j) by i = 5.0, j = 7.0 => [70.0, 25.0]);
    gradient!(quotient_then_product(i, j) by i = 5.0, j = 7.0 => [49.0, 70.0]);
    gradient!(power_and_back(x, y) by x = 3.0, y = 4.0 => [1.0, 0.0]);
    gradient!(elements(x, y) by x = 3.0, y = 4.0 => [10.0, 4.0]);
    gradient!(element_to_element(x, y) by x = 3.0, y = 4.0 => [0.0, 8.0]);
    gradient!(chosen_target(x, y) by x = 3.0, y = 2.0 => [2.0, 3.0]);
    gradient!(assigned_in_an_operand(x, y) by x = 3.0, y = 4.0 => [27.0, 0.0]);
    gradient!(aliases_in_turn(i, j) by i = 3.0, j = 4.0 => [2.0 * 3.0 * 4.0 + 2.0 + 4.0, 9.0 + 24.0]);
    gradient!(reborrowed(i, j) by i = 3.0, j = 4.0 => [16.0, 12.0]);
    gradient!(fused(a, b) by a = 3.0, b = 4.0 => [4.0, 4.0]);
    gradient!(constant_through_a_reference(x, y) by x = 3.0, y = 4.0 => [0.0, 3.0]);
    gradient!(cleared(x, y) by x = 3.0, y = 4.0 => [0.0, 0.0]);
    gradient!(last_of_a_list(x, y) by x = 4.0, y = 3.0 => [1.0, 1.0]);
    gradient!(last_of_a_list(x, y) by x = 3.0, y = 4.0 => [0.0, 0.0]);
    gradient!(shadowed(y, x) by y = 3.0, x = 4.0 => [24.0, 9.0]);
}
