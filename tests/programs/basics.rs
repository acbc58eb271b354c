//! Programs through every generated function.

use autodiff::prelude::*;

#[differentiable(order = 2)]
fn product(x: f64, y: f64) -> f64 {
    x * y.sin()
}

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
fn chain(a: &Tensor2<f64, 4, 3>, b: &Tensor2<f64, 1, 3>, c: &Tensor2<f64, 4, 1>) -> f64 {
    (a * b + c).sum()
}

#[derive(Differentiable, Clone)]
struct Mlp {
    w1: Tensor2<f32, 64, 128>,
    b1: Tensor1<f32, 128>,
    w2: Tensor2<f32, 128, 10>,
    b2: Tensor1<f32, 10>,
}

#[differentiable(order = 2)]
fn logits<const B: usize>(p: &Mlp, #[no_diff] x: &Tensor2<f32, B, 64>) -> Tensor2<f32, B, 10> {
    let h = (x.matmul(p.w1) + p.b1).relu();
    h.matmul(p.w2) + p.b2
}

#[differentiable(order = 2)]
fn loss<const B: usize>(p: &Mlp, #[no_diff] x: &Tensor2<f32, B, 64>, labels: &[usize; B]) -> f32 {
    logits(p, x).cross_entropy(labels)
}

#[test]
fn scalars() {
    let (y, (x_bar, y_bar)) = product::value_and_grad(2.0, 0.5);
    assert_eq!(y, 2.0 * 0.5_f64.sin());
    assert_eq!((x_bar, y_bar), (0.5_f64.sin(), 2.0 * 0.5_f64.cos()));
}

#[test]
fn rosenbrock_gradient() {
    let x = [0.5, -0.3, 0.8, 1.2];
    let (y, g) = rosenbrock::value_and_grad(&x);
    assert_eq!(y, rosenbrock(&x));
    for i in 0..4 {
        let (mut a, mut b) = (x, x);
        a[i] += 1e-6;
        b[i] -= 1e-6;
        let d = (rosenbrock(&a) - rosenbrock(&b)) / 2e-6;
        assert!((d - g[i]).abs() < 1e-6, "{d} {}", g[i]);
    }
}

#[test]
fn chains() {
    let a = Tensor2::from_fn(|[i, j]| (i * 3 + j) as f64);
    let b = Tensor2::from([[1.0, 2.0, 3.0]]);
    let c = Tensor2::from([[1.0], [2.0], [3.0], [4.0]]);
    let (y, (ga, gb, gc)) = chain::value_and_grad(&a, &b, &c);
    assert_eq!(y, chain(&a, &b, &c));
    assert_eq!(ga, Tensor2::from_fn(|[_, j]| b[[0, j]]));
    assert_eq!(gb, Tensor2::from([[18.0, 22.0, 26.0]]));
    assert_eq!(gc, Tensor2::full(3.0));
}

#[test]
fn mlp() {
    let p = Mlp { w1: Tensor2::full(0.01), b1: Tensor1::zeros(), w2: Tensor2::full(0.1), b2: Tensor1::zeros() };
    let x = Tensor2::from_fn(|[i, j]| ((i + j) % 7) as f32);
    let (y, g) = loss::value_and_grad(&p, &x, &[1, 2, 3]);
    assert!((y - 10_f32.ln()).abs() < 1e-5);
    assert!(g.b2[[0]] > 0.0);
}

/// Arrays whose size only rustc knows, in kernels that run once for each element of a batch.
mod batches {
    use crate::harness::check;
    use autodiff::prelude::*;

    const WIDTH: usize = 2;

    #[differentiable(order = 2)]
    fn layer<const B: usize>(
        x: &Tensor3<f64, B, 3, WIDTH>,
        w: &Tensor2<f64, WIDTH, WIDTH>,
    ) -> Tensor3<f64, B, 3, WIDTH> {
        let h = x.matmul(w * w).tanh();
        h.matmul(h.permute([0, 2, 1])).matmul(x) + h
    }

    #[differentiable(order = 2)]
    fn twice<const B: usize>(x: &Tensor3<f64, B, 3, WIDTH>, w: &Tensor2<f64, WIDTH, WIDTH>) -> f64 {
        let inner = layer(x, w);
        (layer(&inner, w) * inner.softmax(2)).sum()
    }

    #[test]
    fn of_a_generic_length() {
        let x = Tensor3::<f64, 2, 3, WIDTH>::from_fn(|[i, j, k]| (i + 2 * j) as f64 * 0.1 - k as f64 * 0.2);
        check!(twice(&x, &w) by x, w = Tensor2::<f64, WIDTH, WIDTH>::from([[0.5, 0.3], [-0.2, 0.4]]));
    }
}
