//! Constructs together that have tests alone: generic slices, a loop that skips, a `Vec` changed in place.

use autodiff::prelude::*;
#[differentiable(order = 2)]
fn norm<T: Real>(x: &[T]) -> T {
    let mut s = T::from_f64(0.0);
    for &v in x {
        s += v * v;
    }
    s.sqrt()
}
#[differentiable(order = 2)]
fn lines(a: &[[f64; 3]], #[no_diff] skip: Option<usize>) -> f64 {
    let mut sum = 0.0;
    for (i, row) in a.iter().enumerate() {
        if let Some(k) = skip {
            if k == i {
                continue;
            }
        }
        let [x, y, z] = *row;
        sum += x * y + z.powi(2) * (i as f64);
    }
    sum
}
#[differentiable(order = 2)]
#[allow(clippy::ptr_arg)]
fn relax(x: &mut Vec<f64>, w: f64) -> f64 {
    for v in x.iter_mut() {
        *v = v.tanh() * w;
    }
    x.iter().sum()
}
#[test]
fn constructs_together() {
    assert_eq!(norm::grad(&[3.0_f32, 4.0]), [0.6, 0.8]);
    assert_eq!(norm::grad(&[3.0_f64, 4.0]).len(), 2);
    let a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(lines::grad(&a, None), [[2.0, 1.0, 0.0], [5.0, 4.0, 12.0]]);
    assert_eq!(lines::grad(&a, Some(1)), [[2.0, 1.0, 0.0], [0.0; 3]]);
    let mut x = vec![0.0, 0.5];
    let (y, (gx, gw)) = relax::value_and_grad(&mut x, 2.0);
    assert!((y - 2.0 * 0.5_f64.tanh()).abs() < 1e-15 && gx[0] == 2.0 && (gw - 0.5_f64.tanh()).abs() < 1e-15);
}
