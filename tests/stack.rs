//! A layer of 784 × 512 differentiates on half the stack that a thread gets, in a debug build too. Its weights
//! alone are 1.6 MB: they are read where they are, and their gradient is made where it is to be.

use autodiff::prelude::*;
use std::sync::Mutex;

/// The optimiser removes copies that it finds useless; only a debug build shows that there are none.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(test);
    thread.expect("a thread").join().expect("no failure in the thread");
}

fn input() -> Tensor2<f32, 8, 784> {
    Tensor2::from_fn(|[i, j]| ((5 * i + j) % 7) as f32 / 7.0 - 0.4)
}

fn fill_with_waves(weights: &mut [f32]) {
    for (k, w) in weights.iter_mut().enumerate() {
        *w = (k as f32).sin() / 20.0;
    }
}

const LABELS: [usize; 8] = [0, 1, 2, 3, 100, 200, 300, 511];

/// The derivative along the gradient is the square of its norm.
#[track_caller]
fn assert_slope(slope: f32, gradient: &impl Differentiable<Scalar = f32>) {
    let mut norm = 0.0;
    gradient.visit_leaves(&autodiff::Path::ROOT, &mut |_, _, g| {
        norm += g.iter().map(|g| f64::from(g * g)).sum::<f64>();
    });
    let slope = f64::from(slope);
    assert!(norm > 0.1 && (slope - norm).abs() < 1e-4 * norm, "{slope} is not {norm}");
}

/// All in one function, weights and gradient in boxes.
mod one_function {
    use super::*;

    #[differentiable]
    fn loss(w: &Tensor2<f32, 784, 512>, #[no_diff] x: &Tensor2<f32, 8, 784>, labels: &[usize; 8]) -> f32 {
        x.matmul(w).tanh().cross_entropy(labels)
    }

    #[test]
    fn boxes() {
        on_a_small_stack(|| {
            let (mut w, mut g) = (Tensor2::boxed_zeros(), Tensor2::boxed_zeros());
            fill_with_waves(w.as_mut_slice());
            let x = input();
            let value = loss(&w, &x, &LABELS);
            assert_eq!(loss::accumulate_grad(&w, &x, &LABELS, &mut g), value);
            assert_eq!(loss::value_and_grad_into(&w, &x, &LABELS, &mut g), value);
            loss::grad_into(&w, &x, &LABELS, &mut g);
            let (y, slope) = loss::jvp(&w, &x, &LABELS, &g);
            assert_eq!(y, value);
            assert_slope(slope, &*g);
        });
    }
}

/// Two functions and a struct of parameters, in statics.
mod calls {
    use super::*;

    #[derive(Differentiable)]
    struct Layer {
        w: Tensor2<f32, 784, 512>,
        b: Tensor1<f32, 512>,
    }

    static LAYER: Mutex<Layer> = Mutex::new(Layer { w: Tensor::zeros(), b: Tensor::zeros() });
    static GRADIENT: Mutex<LayerTangent> = Mutex::new(LayerTangent { w: Tensor::zeros(), b: Tensor::zeros() });

    #[differentiable]
    fn layer<const B: usize>(p: &Layer, #[no_diff] x: &Tensor2<f32, B, 784>) -> Tensor2<f32, B, 512> {
        (x.matmul(p.w) + p.b).relu()
    }

    #[differentiable]
    fn loss<const B: usize>(p: &Layer, #[no_diff] x: &Tensor2<f32, B, 784>, labels: &[usize; B]) -> f32 {
        layer(p, x).cross_entropy(labels)
    }

    #[test]
    fn statics() {
        on_a_small_stack(|| {
            let (mut p, mut g) = (LAYER.lock().expect("alone"), GRADIENT.lock().expect("alone"));
            fill_with_waves(p.w.as_mut_slice());
            let x = input();
            let value = loss(&p, &x, &LABELS);
            assert_eq!(loss::accumulate_grad(&p, &x, &LABELS, &mut g), value);
            assert_eq!(loss::value_and_grad_into(&p, &x, &LABELS, &mut g), value);
            loss::grad_into(&p, &x, &LABELS, &mut g);
            let (y, slope) = loss::jvp(&p, &x, &LABELS, &g);
            assert_eq!(y, value);
            assert_slope(slope, &*g);
        });
    }
}

/// What a long loop keeps of its iterations is not on the stack, nor is what a callee keeps.
mod histories {
    use super::*;

    #[differentiable]
    fn long(x: f64) -> f64 {
        let mut s = x;
        for _ in 0..300_000 {
            s = (s * 0.9).sin() + x;
        }
        s
    }

    #[differentiable]
    fn nested(x: f64) -> f64 {
        let mut s = x;
        for _ in 0..3 {
            for _ in 0..100_000 {
                s = (s * 0.9).sin() + x;
            }
        }
        s
    }

    #[differentiable]
    fn twice(x: f64) -> f64 {
        long(x) + long(2.0 * x)
    }

    #[test]
    fn are_on_the_heap() {
        on_a_small_stack(|| {
            let (x, step) = (0.3, 1e-5);
            for (value, gradient, pulled, hessian, there, back) in [
                (
                    long::jvp(x, 1.0),
                    long::grad(x),
                    long::vjp(x).1(1.0),
                    long::hvp(x, 1.0),
                    long::grad(x + step),
                    long::grad(x - step),
                ),
                (
                    nested::jvp(x, 1.0),
                    nested::grad(x),
                    nested::vjp(x).1(1.0),
                    nested::hvp(x, 1.0),
                    nested::grad(x + step),
                    nested::grad(x - step),
                ),
                (
                    twice::jvp(x, 1.0),
                    twice::grad(x),
                    twice::vjp(x).1(1.0),
                    twice::hvp(x, 1.0),
                    twice::grad(x + step),
                    twice::grad(x - step),
                ),
            ] {
                let slope = (there - back) / (2.0 * step);
                assert!(
                    (value.1 - gradient).abs() < 1e-9 && (pulled - gradient).abs() < 1e-9,
                    "{value:?} {gradient} {pulled}"
                );
                assert!((slope - hessian).abs() < 1e-6 * hessian.abs(), "{slope} {hessian}");
            }
        });
    }
}

/// `grad` gives an array by value; `grad_into` makes it where it is to be.
mod arrays {
    use super::*;

    #[differentiable]
    fn squares(x: &[f64; 1_000_000]) -> f64 {
        let mut s = 0.0;
        for i in 0..1_000_000 {
            s += x[i] * x[i];
        }
        s
    }

    #[test]
    fn into_a_box() {
        on_a_small_stack(|| {
            let [x, mut g] = [0.5, 0.0].map(|v| {
                let array: Box<[f64; 1_000_000]> =
                    vec![v; 1_000_000].into_boxed_slice().try_into().expect("the length");
                array
            });
            squares::grad_into(&x, &mut g);
            assert!(g.iter().all(|g| *g == 1.0));
        });
    }
}
