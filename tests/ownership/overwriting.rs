//! `value_and_grad_into` and `grad_into` leave nothing of what was there before, and `accumulate_grad` all of it:
//! where a gradient is set rather than added to, and where it is not.

use autodiff::prelude::*;

#[differentiable(order = 2)]
fn rosenbrock<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        s += a * a + 100.0 * b * b;
    }
    s
}

#[differentiable(order = 2)]
fn chain<const M: usize, const N: usize>(
    a: &Tensor2<f64, M, N>,
    b: &Tensor2<f64, 1, N>,
    c: &Tensor2<f64, M, 1>,
) -> f64 {
    (a * b + c).sum()
}

/// Reads behind and ahead, and one element in every iteration.
#[differentiable(order = 2)]
fn stencil<const N: usize>(x: &[f64; N], scale: f64) -> f64 {
    let mut s = 0.0;
    for i in 1..N - 1 {
        s += scale * (x[i - 1] - 2.0 * x[i] + x[i + 1]).powi(2) * x[0];
    }
    s
}

/// Elements by number, one of them twice.
#[differentiable(order = 2)]
fn polynomial(x: &[f64; 4]) -> f64 {
    x[0] * x[1] + x[2] * x[0].powi(2)
}

#[differentiable(order = 2)]
fn loss<const B: usize>(logits: &Tensor2<f64, B, 3>, labels: &[usize; B]) -> f64 {
    logits.cross_entropy(labels)
}

fn wave(k: usize) -> f64 {
    (0.7 * k as f64 + 0.3).sin()
}

/// `$name::…(args…)` with a gradient that is zeros, ones or NaN at first.
macro_rules! overwrites {
    ($name:ident($($arg:expr),*)) => {{
        let (value, gradient) = $name::value_and_grad($($arg),*);
        let (zero, mut nan, mut sum) = (gradient.zero_tangent(), gradient, gradient);
        nan.map_leaves(&mut |data| data.fill(f64::NAN));
        let mut from_zero = zero;
        assert_eq!($name::accumulate_grad($($arg,)* &mut from_zero), value);
        assert_eq!(from_zero, gradient);
        let mut into = nan;
        assert_eq!($name::value_and_grad_into($($arg,)* &mut into), value);
        assert_eq!(into, gradient);
        $name::grad_into($($arg,)* &mut nan);
        assert_eq!(nan, gradient);
        $name::accumulate_grad($($arg,)* &mut sum);
        sum.add_scaled(-2.0, &gradient);
        assert!(sum.inner_product(&sum) <= 1e-20, "{sum:?}");
    }};
}

#[test]
fn neighbours() {
    overwrites!(rosenbrock(&[1.5]));
    overwrites!(rosenbrock(&[1.5, -0.5]));
    overwrites!(rosenbrock(&std::array::from_fn::<_, 17, _>(wave)));
    overwrites!(stencil(&std::array::from_fn::<_, 9, _>(wave), 0.5));
    overwrites!(stencil(&[0.5, 0.25, -1.0], 0.5));
}

#[test]
fn broadcasts() {
    let tensors = || {
        let a = Tensor2::<f64, 5, 3>::from_fn(|[i, j]| wave(3 * i + j));
        (a, Tensor2::from_fn(|[_, j]| wave(j)), Tensor2::from_fn(|[i, _]| wave(i)))
    };
    let (a, b, c) = tensors();
    overwrites!(chain(&a, &b, &c));
    overwrites!(chain(&Tensor2::from([[0.5], [0.25]]), &Tensor2::from([[2.0]]), &Tensor2::from([[1.0], [2.0]])));
}

#[test]
fn chosen_elements() {
    overwrites!(polynomial(&[0.5, 1.5, -2.0, 3.0]));
    overwrites!(loss(&Tensor2::<f64, 4, 3>::from_fn(|[i, j]| wave(3 * i + j)), &[2, 0, 0, 1]));
}
