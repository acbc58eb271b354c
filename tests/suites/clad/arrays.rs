use autodiff::prelude::*;

#[differentiable]
fn scaled_in_place(a: &mut [f64; 3], b: &[f64; 3]) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        a[i] *= b[i];
        sum += a[i];
    }
    sum
}

#[differentiable]
fn running_sum(p: &mut [f64]) -> f64 {
    let n = p.len();
    for i in 1..n {
        p[i] += p[i - 1];
    }
    p[n - 1]
}

#[differentiable]
fn made_in_every_iteration(x: &[f64; 4], y: f64) -> f64 {
    let mut prod = 0.0;
    for i in 0..2 {
        let arr = [1.0 + i as f64, 0.0, y, 0.0];
        prod += arr[0] * x[0] + arr[1] * x[1] + arr[2] * x[2] + arr[3] * x[3];
    }
    prod
}

#[differentiable]
fn constant_matrix_product(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let x = [[a, b], [c, d]];
    let y = [[1.0, 2.0], [3.0, 4.0]];
    let z = [
        [x[0][0] * y[0][0] + x[0][1] * y[1][0], x[0][0] * y[0][1] + x[0][1] * y[1][1]],
        [x[1][0] * y[0][0] + x[1][1] * y[1][0], x[1][0] * y[0][1] + x[1][1] * y[1][1]],
    ];
    z[0][0] + z[0][1] + z[1][0] + z[1][1]
}

#[differentiable]
fn uninitialised(x: f64, y: f64, z: f64) -> f64 {
    let vars = [x, y, z];
    let squares: [f64; 3];
    squares = [vars[0] * vars[0], vars[1] * vars[1], vars[2] * vars[2]];
    let mut s = 0.0;
    for i in 0..3 {
        s = s + squares[i];
    }
    s
}

#[differentiable]
fn three_outputs(a: f64, b: f64, c: f64, out: &mut [f64; 3]) {
    out[0] = a * a * a;
    out[1] = a * a * a + b * b * b;
    out[2] = c * c * 10.0 - a * a;
}

#[differentiable]
fn output_of_output(a: f64) -> [f64; 2] {
    let mut out = [0.0; 2];
    out[0] = a * a;
    out[1] = out[0] * 3.0;
    out
}

#[test]
fn gradients() {
    gradient!(scaled_in_place(&mut a, &b) by a = [1.0, 2.0, 3.0], b = [2.0, 5.0, 2.0] => [2.0, 5.0, 2.0, 1.0, 2.0, 3.0]);
    gradient!(running_sum(&mut p) by p = [1.0, 2.0, 3.0, 4.0] => [1.0; 4]);
    gradient!(made_in_every_iteration(&x, y) by x = [1.0, 2.0, 3.0, 4.0], y = 5.0 => [3.0, 0.0, 10.0, 0.0, 6.0]);
    gradient!(constant_matrix_product(a, b, c, d) by a = 11.0, b = 12.0, c = 13.0, d = 14.0 => [3.0, 7.0, 3.0, 7.0]);
    gradient!(uninitialised(x, y, z) by x = 1.0, y = 2.0, z = 3.0 => [2.0, 4.0, 6.0]);
    let mut out = [0.0; 3];
    let mut column = [0.0; 3];
    three_outputs::jvp(1.0, 2.0, 3.0, &mut out, 1.0, 0.0, 0.0, &mut column);
    assert_eq!((out, column), ([1.0, 9.0, 89.0], [3.0, 3.0, -2.0]));
    let (y, pullback) = output_of_output::vjp(3.0);
    assert_eq!((y, pullback(&[1.0, 0.0]), pullback(&[0.0, 1.0])), ([9.0, 27.0], 6.0, 18.0));
}
