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

    #[differentiable(order = 2)]
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

    #[differentiable(order = 2)]
    fn layer<const B: usize>(p: &Layer, #[no_diff] x: &Tensor2<f32, B, 784>) -> Tensor2<f32, B, 512> {
        (x.matmul(p.w) + p.b).relu()
    }

    #[differentiable(order = 2)]
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

    #[differentiable(order = 2)]
    fn long(x: f64) -> f64 {
        let mut s = x;
        for _ in 0..300_000 {
            s = (s * 0.9).sin() + x;
        }
        s
    }

    #[differentiable(order = 2)]
    fn nested(x: f64) -> f64 {
        let mut s = x;
        for _ in 0..3 {
            for _ in 0..100_000 {
                s = (s * 0.9).sin() + x;
            }
        }
        s
    }

    #[differentiable(order = 2)]
    fn twice(x: f64) -> f64 {
        long(x) + long(2.0 * x)
    }

    const STEPS: usize = 300_000;

    /// Only rustc knows how long these are.
    #[differentiable(order = 2)]
    fn constant(x: f64) -> f64 {
        let mut s = x;
        for _ in 0..STEPS {
            s = (s * 0.9).sin() + x;
        }
        s
    }

    #[differentiable(order = 2)]
    fn generic<const N: usize>(x: f64) -> f64 {
        let mut s = x;
        for _ in 0..N {
            s = (s * 0.9).sin() + x;
        }
        s
    }

    #[differentiable(order = 2)]
    fn times_a_thousand<const N: usize>(x: f64) -> f64 {
        let mut s = x;
        for _ in 0..N * 1000 {
            s = (s * 0.9).sin() + x;
        }
        s
    }

    #[differentiable(order = 2)]
    fn small(x: f64) -> f64 {
        generic::<10>(x) * x
    }

    #[test]
    fn of_a_length_that_rustc_knows() {
        on_a_small_stack(|| {
            let x = 0.3;
            let (gradient, hessian) = (long::grad(x), long::hvp(x, 1.0));
            assert_eq!([constant::grad(x), generic::<STEPS>::grad(x), times_a_thousand::<300>::grad(x)], [gradient; 3]);
            assert_eq!(
                [constant::hvp(x, 1.0), generic::<STEPS>::hvp(x, 1.0), times_a_thousand::<300>::hvp(x, 1.0)],
                [hessian; 3]
            );
            let slope = (small(x + 1e-6) - small(x - 1e-6)) / 2e-6;
            assert!((small::grad(x) - slope).abs() < 1e-8);
        });
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

    #[differentiable(order = 2)]
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

/// Local arrays, their copies, and their tangents and cotangents. (What the user wrote is on the stack, as rustc makes it.)
mod locals {
    use super::*;

    const N: usize = 300_000;

    #[differentiable(order = 2)]
    fn literal(x: f64, y: f64) -> f64 {
        let mut a = [0.0; 300_000];
        a[0] = x;
        for i in 1..300_000 {
            a[i] = (a[i - 1] * y).sin() + x;
        }
        let mut s = 0.0;
        for i in 0..300_000 {
            s += a[i] * a[i] * 1e-5;
        }
        s
    }

    /// Arrays that are chosen, copied and changed.
    #[differentiable(order = 2)]
    fn generic<const N: usize>(x: f64, c: bool) -> f64 {
        let mut a = [x; N];
        let b = if c {
            for i in 0..N {
                a[i] = a[i].sin() + 1.0;
            }
            a
        } else {
            [x * x; N]
        };
        let mut d = b;
        d[7] = b[5] * b[8];
        let mut s = 0.0;
        for i in 0..N {
            s += d[i] * b[i] / N as f64;
        }
        s
    }

    #[differentiable(order = 2)]
    fn swept<const N: usize>(x: &[f64; N]) -> f64 {
        let mut y = *x;
        for i in 1..N {
            y[i] = y[i - 1] * 0.5 + x[i];
        }
        let mut s = 0.0;
        for i in 0..N {
            s += y[i] * y[i];
        }
        s
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{a} and {b}");
    }

    #[test]
    fn are_on_the_heap() {
        on_a_small_stack(|| {
            let (x, y) = (0.3, 0.4);
            let ((dx, dy), step) = (literal::grad(x, y), 1e-4);
            let value = |x, y| literal::value_and_grad(x, y).0;
            close(dx, (value(x + step, y) - value(x - step, y)) / (2.0 * step));
            close(literal::jvp(x, y, 0.0, 1.0).1, dy);
            let slope = (literal::grad(x + step, y).1 - literal::grad(x - step, y).1) / (2.0 * step);
            close(literal::hvp(x, y, 1.0, 0.0).1, slope);
            for c in [true, false] {
                // All elements are alike but one, so that few of them tell about many.
                close(generic::<N>::grad(x, c), generic::<N>::jvp(x, c, 1.0).1);
                let slope = (generic::<N>::grad(x + step, c) - generic::<N>::grad(x - step, c)) / (2.0 * step);
                close(generic::<N>::hvp(x, c, 1.0), slope);
                let slope = (generic::<9>(x + step, c) - generic::<9>(x - step, c)) / (2.0 * step);
                close(generic::<9>::grad(x, c), slope);
            }
        });
    }

    #[test]
    fn copies_of_parameters() {
        on_a_small_stack(|| {
            let [x, mut g] = [0.5, 0.0].map(|v| {
                let array: Box<[f64; N]> = vec![v; N].into_boxed_slice().try_into().expect("the length");
                array
            });
            let y = swept::value_and_grad_into(&x, &mut g);
            // But for the first few, yᵢ is 1; and x̄ᵢ = Σ 2yⱼ/2ʲ⁻ⁱ.
            assert!((y - N as f64).abs() < 2.0, "{y}");
            close(g[N / 2], 4.0);
            let small = swept::grad(&[1.0, 2.0, 3.0]);
            assert_eq!(small, [2.0 + 2.5 + 2.125, 5.0 + 4.25, 8.5]);
        });
    }
}
