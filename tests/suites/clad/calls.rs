use autodiff::prelude::*;

#[differentiable]
fn modify(i: &mut f64, j: &mut f64) -> f64 {
    *i += *j;
    *j += *j;
    let res = *i + *j;
    res
}

#[differentiable]
fn modified_twice(i: f64, j: f64) -> f64 {
    let (mut i, mut j) = (i, j);
    let mut temp = modify(&mut i, &mut j);
    temp = 0.0 * temp + modify(&mut i, &mut j);
    i + temp
}

#[differentiable]
fn twice(d: &mut f64) {
    *d = 2.0 * *d;
}

#[differentiable]
fn sum_and_grow(arr: &mut [f64]) -> f64 {
    let mut res = 0.0;
    for i in 0..arr.len() {
        res += arr[i];
    }
    arr[0] += 10.0 * arr[0];
    res
}

#[differentiable]
fn elements_by_reference(arr: &[f64]) -> f64 {
    let mut arr = arr.to_vec();
    let mut res = 0.0;
    res += sum_and_grow(&mut arr);
    for i in 0..arr.len() {
        twice(&mut arr[i]);
        res += arr[i];
    }
    res
}

#[differentiable]
fn custom_max(a: &f64, b: &f64) -> f64 {
    if a > b { *a } else { *b }
}

#[differentiable]
fn of_temporaries(x: f64, y: f64) -> f64 {
    custom_max(&(x * y), &y)
}

#[differentiable]
fn clamped(x: f64, y: f64) -> f64 {
    let mut out = x;
    out = out.max(0.0);
    out = f64::min(out, 10.0);
    out = out.clamp(3.0, 7.0);
    out * y
}

fn check_and_return(x: f64, c: char, s: &str) -> bool {
    c == 'a' && s.starts_with('a') && x.is_finite()
}

#[differentiable]
fn with_text(x: f64, y: f64) -> f64 {
    let ok = check_and_return(1.0, 'a', "aa");
    let r = if ok { x } else { 1.0 };
    r * y * 1.0_f64.tanh() * 1.0_f64.max(2.0)
}

#[differentiable]
fn add(a: f64, b: &f64) -> f64 {
    a + b
}

#[differentiable]
fn argument_twice(mut x: f64, y: &f64) -> f64 {
    x = add(x, y);
    x = add(x, &x);
    x
}

#[differentiable]
fn constant<T: Real>(_i: T) -> T {
    T::from_f64(3.0)
}

#[differentiable]
fn effect_in_an_argument(x: f64, mut y: f64) -> f64 {
    constant::<f64>({
        y += x;
        y
    }) * y
}

#[differentiable]
fn sq(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn one(x: f64) -> f64 {
    sq(x.sin()) + sq(x.cos())
}

#[differentiable]
fn times_one(x: f64, y: f64) -> f64 {
    let t = one(x);
    t * y
}

#[differentiable]
fn sum_of_powers(x: f64, y: f64, z: f64, p: f64) -> f64 {
    x.powf(p) + y.powf(p) + z.powf(p)
}

#[differentiable]
fn norm(x: f64, y: f64, z: f64, d: f64) -> f64 {
    sum_of_powers(x, y, z, d).powf(1.0 / d)
}

const GLOBAL: f64 = 7.0;
static COEFFICIENTS: [f64; 2] = [4.0, 5.0];

#[differentiable]
fn of_globals(x: f64) -> f64 {
    COEFFICIENTS[0] * COEFFICIENTS[1] * x * GLOBAL
}

#[differentiable]
fn non_type_parameter<const N: usize>(x: f64) -> f64 {
    const MAX_N: usize = 53;
    let m = if MAX_N < N { MAX_N } else { N };
    x * m as f64
}

#[differentiable]
fn sq_in_place(elem: &mut f64) -> f64 {
    *elem = *elem * *elem;
    *elem
}

#[differentiable]
fn squares_in_place(arr: &mut [f64]) -> f64 {
    let mut res = 0.0;
    for i in 0..arr.len() {
        res += sq_in_place(&mut arr[i]);
    }
    res
}

#[test]
fn gradients() {
    gradient!(modified_twice(i, j) by i = 3.0, j = 5.0);
    gradient!(elements_by_reference(&a) by a = vec![1.0, 2.0, 3.0] => [23.0, 3.0, 3.0]);
    gradient!(of_temporaries(x, y) by x = 3.0, y = 5.0 => [5.0, 3.0]);
    gradient!(of_temporaries(x, y) by x = 0.5, y = 5.0 => [0.0, 1.0]);
    gradient!(clamped(x, y) by x = 5.0, y = 2.0 => [2.0, 5.0]);
    gradient!(clamped(x, y) by x = 8.0, y = 2.0 => [0.0, 7.0]);
    gradient!(with_text(x, y) by x = 3.0, y = 5.0 => [10.0 * 1.0_f64.tanh(), 6.0 * 1.0_f64.tanh()]);
    gradient!(argument_twice(x, &y) by x = 3.0, y = 5.0 => [2.0, 2.0]);
    gradient!(effect_in_an_argument(x, y) by x = 3.0, y = 5.0 => [3.0, 3.0]);
    gradient!(times_one(x, y) by x = 3.0, y = 5.0 => [0.0, 1.0]);
    gradient!(norm(x, y, z, d) by x = 1.0, y = 2.0, z = 3.0, d = 2.5);
    gradient!(of_globals(x) by x = 3.0 => [140.0]);
    assert_eq!(non_type_parameter::<15>::grad(5.0), 15.0);
    gradient!(squares_in_place(&mut a) by a = [1.0, 2.0, 3.0] => [2.0, 4.0, 6.0]);
}
