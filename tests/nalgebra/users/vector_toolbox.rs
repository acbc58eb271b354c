// A mixed bag of everyday vector calls: swizzles, push, angle, lerp, zip_map, iter, row_iter.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2x3, Vector3, Vector4};

#[differentiable]
fn swizzle_mix(v: &Vector4<f64>, t: f64) -> Vector3<f64> {
    let a = v.xyz();
    let b = v.zyx();
    let c = v.xy().push(v.w);
    a.lerp(&b, t) + c.cross(&a) * a.angle(&c)
}

#[differentiable]
fn elementwise(a: &Vector3<f64>, b: &Vector3<f64>) -> f64 {
    let m = a.zip_map(b, |x, y| x * y.exp());
    let d = a.component_div(b);
    let s: f64 = m.iter().map(|v| v * v).sum();
    let peak = d.iter().fold(0.0, |acc: f64, v| acc + v.abs());
    s + peak + a.sup(b).sum() - a.inf(b).sum()
}

#[differentiable]
fn rows_and_columns(m: &Matrix2x3<f64>) -> Vector3<f64> {
    let mut out = Vector3::zeros();
    for (i, r) in m.row_iter().enumerate() {
        out += r.transpose() * (i as f64 + 1.0);
    }
    for (j, c) in m.column_iter().enumerate() {
        out[j] += c.norm();
    }
    out
}

#[test]
fn gradients() {
    check_grads!(swizzle_mix, &Vector4::new(0.3, -0.4, 0.8, 1.1), 0.35);
    check_grads!(elementwise, &Vector3::new(0.5, -0.7, 1.1), &Vector3::new(0.9, 0.4, -0.6));
    check_grads!(rows_and_columns, &Matrix2x3::new(1.0, 0.2, -0.3, 0.4, 0.9, 1.3));
    let flat = Vector4::new(1.0, 0.0, 1.0, 0.0);
    assert!((swizzle_mix(&flat, 0.0) - Vector3::new(1.0, -std::f64::consts::FRAC_PI_4, 1.0)).norm() < 1e-12);
}
