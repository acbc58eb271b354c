//! Pointers are references, slices that are advanced, and boxes.

use autodiff::prelude::*;

#[differentiable]
fn minimal(mut x: f64) -> f64 {
    let p = &mut x;
    *p = (*p) * (*p);
    *p
}

#[differentiable]
fn advanced(arr: &[f64]) -> f64 {
    let mut p = arr;
    p = &p[1..];
    let mut sum = p[0];
    p = &p[1..];
    sum += p[0] * 2.0;
    p = &p[1..];
    sum += p[0] * 4.0;
    sum + 5.0 * arr[0]
}

#[differentiable]
fn advanced_in_a_loop(arr: &[f64]) -> f64 {
    let mut rest = arr;
    let mut sum = 0.0;
    let mut i = 0;
    while !rest.is_empty() {
        sum += rest[0] * i as f64;
        rest = &rest[1..];
        i += 1;
    }
    sum
}

#[differentiable]
fn address_of_address(i: f64, j: f64) -> f64 {
    *(&i) * **(&&j)
}

#[differentiable]
fn boxed(i: f64, j: f64) -> f64 {
    let p = 7.0 * i + j;
    let q = p + 9.0 * i;
    q
}

#[differentiable]
fn heap_array(i: f64, j: f64) -> f64 {
    let mut r = vec![0.0; 2];
    r[0] = i + j;
    r[1] = i * j;
    r[0] + r[1]
}

#[derive(Differentiable, Clone, Copy)]
struct Pair {
    x: f64,
    #[no_diff]
    y: i32,
}

#[differentiable]
fn boxed_struct(x: f64) -> f64 {
    let t = Pair { x, y: 2 };
    t.x * f64::from(t.y)
}

#[differentiable]
fn grown(x: f64) -> f64 {
    let mut p = vec![x];
    let mut res = p[0];
    p.push(0.0);
    p[1] = 2.0 * x;
    res += p[1];
    res
}

#[differentiable]
fn second(x: &[f64]) -> f64 {
    x[1]
}

#[differentiable]
fn offset_by_a_function(x: f64, y: f64) -> f64 {
    let arr = [x, y];
    second(&arr)
}

#[derive(Differentiable, Clone)]
struct Node {
    value: f64,
}

#[differentiable]
fn reference_in_a_struct(x: f64) -> f64 {
    let s = (&x,);
    *s.0 * 3.0
}

#[differentiable]
fn linked(x: f64) -> f64 {
    let node = Node { value: x };
    let previous = Some(&node);
    match previous {
        Some(n) => n.value,
        None => 0.0,
    }
}

#[differentiable]
fn two_arrays(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    let mut sum = b[2];
    let (mut p, mut q) = (&a[1..], &a[..]);
    q = &q[1..];
    sum += p[0] + q[0];
    p = &p[1..];
    q = &q[1..];
    sum += p[0] + q[0];
    sum + 2.0 * a[0]
}

#[test]
fn gradients() {
    gradient!(minimal(x) by x = 5.0 => [10.0]);
    gradient!(advanced(&a) by a = vec![1.0, 2.0, 3.0, 4.0] => [5.0, 1.0, 2.0, 4.0]);
    gradient!(advanced_in_a_loop(&a) by a = vec![1.0, 2.0, 3.0, 4.0] => [0.0, 1.0, 2.0, 3.0]);
    gradient!(address_of_address(i, j) by i = 5.0, j = 7.0 => [7.0, 5.0]);
    gradient!(boxed(i, j) by i = 5.0, j = 7.0 => [16.0, 1.0]);
    gradient!(heap_array(i, j) by i = 5.0, j = 7.0 => [8.0, 6.0]);
    gradient!(boxed_struct(x) by x = 5.0 => [2.0]);
    gradient!(grown(x) by x = 5.0 => [3.0]);
    gradient!(second(&x) by x = vec![5.0, 6.0] => [0.0, 1.0]);
    gradient!(offset_by_a_function(x, y) by x = 5.0, y = 6.0 => [0.0, 1.0]);
    gradient!(reference_in_a_struct(x) by x = 5.0 => [3.0]);
    gradient!(linked(x) by x = 5.0 => [1.0]);
    gradient!(two_arrays(&a, &b) by a = [1.0, 2.0, 3.0], b = [4.0, 5.0, 6.0] => [2.0, 2.0, 2.0, 0.0, 0.0, 1.0]);
}
