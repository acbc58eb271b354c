//! Programs through every generated function.

#![allow(missing_docs, clippy::assertions_on_constants)]
use autodiff::prelude::*;
use autodiff::{DifferentiableFn, Residuals};

const SCALE: f64 = 2.5;
const ROWS: usize = 3;
fn helper(i: usize) -> f64 {
    (i as f64).sqrt()
}

#[differentiable(order = 2)]
fn consts(x: f64) -> f64 {
    let k: f64 = helper(4);
    x * SCALE + std::f64::consts::PI * x.powi(3) - k * f64::sin(x) / 3.0_f64
}

#[differentiable(order = 2)]
fn scalar_generic<T: Real>(x: T, y: T) -> T {
    let two = T::from_f64(2.0);
    (x * x + y / two).sqrt() + x.tanh() * y.sigmoid() - T::ONE
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Layer<T: Real, const I: usize, const O: usize> {
    pub w: Tensor2<T, I, O>,
    pub b: Tensor1<T, O>,
}
#[derive(Differentiable, Clone, Debug)]
pub struct Net {
    first: Layer<f64, 2, 4>,
    hidden: [Layer<f64, 4, 4>; 2],
    out: Layer<f64, 4, 1>,
    #[no_diff]
    name: &'static str,
    steps: u32,
    gain: f64,
}

#[differentiable(order = 2)]
fn dense<T: Real, const B: usize, const I: usize, const O: usize>(
    l: &Layer<T, I, O>,
    x: &Tensor2<T, B, I>,
) -> Tensor2<T, B, O> {
    x.matmul(l.w) + l.b
}

#[differentiable(order = 2)]
fn net<const B: usize>(n: &Net, x: &Tensor2<f64, B, 2>, #[no_diff] y: &Tensor2<f64, B, 1>) -> f64 {
    let h = dense(&n.first, x).tanh();
    let h = dense(&n.hidden[0], &h).sigmoid();
    let h = dense(&n.hidden[1], &h).relu() * n.gain;
    dense(&n.out, &h).mse(y)
}

#[differentiable(order = 2)]
fn tuple_arg(p: (f64, [f64; 2]), q: &[[f64; ROWS]; 2]) -> f64 {
    let (a, v) = p;
    let mut s = a;
    for i in 0..2 {
        for j in 0..ROWS {
            s += v[i] * q[i][j];
        }
    }
    s / v.len() as f64
}

#[differentiable(order = 2)]
fn by_value(t: Tensor1<f32, 3>, s: f32) -> Tensor1<f32, 3> {
    s * t + t / 2.0 - 1.0
}

#[differentiable(order = 2)]
fn f32_lit(x: f32) -> f32 {
    let mut a = 0.1;
    a += x;
    a *= 0.3;
    -a
}

#[differentiable(order = 2)]
fn polynomial(x: f64, c: &[f64; 4]) -> f64 {
    let mut y = 0.0;
    for i in (0..4).rev() {
        y = y * x + c[i];
    }
    y
}

struct Holder {
    r: Residuals<net<3>>,
}

#[test]
fn more() {
    let d = |f: &dyn Fn(f64) -> f64, x: f64| (f(x + 1e-6) - f(x - 1e-6)) / 2e-6;
    assert!((consts::grad(0.7) - d(&consts, 0.7)).abs() < 1e-7);
    let (gx, gy) = scalar_generic::grad(0.5, 0.8);
    assert!((gx - d(&|x| scalar_generic(x, 0.8), 0.5)).abs() < 1e-7);
    assert!((gy - d(&|y| scalar_generic(0.5, y), 0.8)).abs() < 1e-7);
    let (gx, _) = scalar_generic::grad(0.5_f32, 0.8);
    assert!((gx - 1.7).abs() < 1.0);
    let net0 = Net {
        first: Layer { w: Tensor2::full(0.3), b: Tensor1::full(0.1) },
        hidden: [
            Layer { w: Tensor2::full(0.2), b: Tensor1::zeros() },
            Layer { w: Tensor2::full(-0.1), b: Tensor1::full(0.5) },
        ],
        out: Layer { w: Tensor2::full(0.7), b: Tensor1::zeros() },
        name: "n",
        steps: 3,
        gain: 1.5,
    };
    let x = Tensor2::from([[1.0, 2.0], [0.5, -1.0], [0.0, 0.3]]);
    let y = Tensor2::from([[1.0], [0.0], [0.5]]);
    let (v, (gn, gx)) = net::value_and_grad(&net0, &x, &y);
    assert_eq!(v, net(&net0, &x, &y));
    let f = |g: f64| net(&Net { gain: g, ..net0.clone() }, &x, &y);
    assert!((gn.gain - d(&f, 1.5)).abs() < 1e-7);
    let f = |w: f64| {
        let mut n = net0.clone();
        n.hidden[0].w[[1, 2]] = w;
        net(&n, &x, &y)
    };
    assert!((gn.hidden[0].w[[1, 2]] - d(&f, 0.2)).abs() < 1e-7);
    let f = |w: f64| {
        let mut z = x;
        z[[1, 0]] = w;
        net(&net0, &z, &y)
    };
    assert!((gx[[1, 0]] - d(&f, 0.5)).abs() < 1e-7);
    let (_, r) = net::forward(&net0, &x, &y);
    let h = Holder { r };
    let (gn2, gx2) = net::pullback(&h.r, 1.0);
    assert_eq!((gn2.hidden[1].w, gx2), (gn.hidden[1].w, gx));
    let (_, dv) = net::jvp(&net0, &x, &y, &gn, &gx);
    let norm = autodiff::Differentiable::inner_product(&gn, &gn) + autodiff::Differentiable::inner_product(&gx, &gx);
    assert!((dv - norm).abs() < 1e-9 * norm.abs().max(1.0), "{dv} {norm}");
    assert!(<net<3> as DifferentiableFn>::RESIDUAL_BYTES > 0);
    let ((ga, gv), gq) = tuple_arg::grad((1.0, [2.0, 3.0]), &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!((ga, gv, gq), (0.5, [3.0, 7.5], [[1.0; 3], [1.5; 3]]));
    let (t, pull) = by_value::vjp(Tensor1::from([1.0, 2.0, 3.0]), 2.0);
    assert_eq!(t, Tensor1::from([1.5, 4.0, 6.5]));
    assert_eq!(pull(&Tensor1::from([1.0, 0.0, 2.0])), (Tensor1::from([2.5, 0.0, 5.0]), 7.0));
    assert!((f32_lit::grad(1.0) + 0.3).abs() < 1e-7);
    let c = [1.0, 2.0, 3.0, 4.0];
    let (gx, gc) = polynomial::grad(2.0, &c);
    assert_eq!((gx, gc), (2.0 + 12.0 + 48.0, [1.0, 2.0, 4.0, 8.0]));
    let mut acc = (1.0, [0.0; 4]);
    let v = polynomial::accumulate_grad(2.0, &c, &mut acc);
    assert_eq!((v, acc.0), (49.0, 63.0));
    polynomial::grad_into(2.0, &c, &mut acc);
    assert_eq!(acc.0, 62.0);
    let (h, _) = polynomial::hvp(2.0, &c, 1.0, &[0.0; 4]);
    assert_eq!(h, 6.0 + 48.0);
    println!("{}", net0.name.len() + net0.steps as usize);
    fn inner() {
        #[differentiable(order = 2)]
        fn local(x: f64) -> f64 {
            caller_later(x) * 2.0
        }
        #[differentiable(order = 2)]
        fn caller_later(x: f64) -> f64 {
            x * x
        }
        assert_eq!(local::grad(3.0), 12.0);
    }
    inner();
}
