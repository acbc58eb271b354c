//! No generated function calls the allocator, whatever it differentiates.

use crate::counting::calls;
use autodiff::prelude::*;
use std::hint::black_box;

/// Every line is an expression; computing and dropping it has not moved the counter.
macro_rules! no_calls {
    ($($call:expr;)*) => {$({
        let before = calls();
        black_box($call);
        assert_eq!(calls(), before, "{} calls the allocator", stringify!($call));
    })*};
}

#[test]
fn the_counter_counts() {
    let before = calls();
    drop(black_box(vec![1]));
    assert_eq!(calls(), before + 2);
}

mod scalars {
    use super::*;

    #[differentiable(order = 2)]
    fn product(x: f64, y: f64) -> f64 {
        x * y.sin() + (x * y).exp() / (1.0 + x.powi(2)).sqrt()
    }

    #[test]
    fn every_function() {
        no_calls! {
            product(2.0, 0.5);
            product::grad(2.0, 0.5);
            product::value_and_grad(2.0, 0.5);
            product::value_and_grad_into(2.0, 0.5, &mut (0.0, 0.0));
            product::grad_into(2.0, 0.5, &mut (0.0, 0.0));
            product::accumulate_grad(2.0, 0.5, &mut (0.0, 0.0));
            product::jvp(2.0, 0.5, 1.0, -1.0);
            product::hvp(2.0, 0.5, 1.0, -1.0);
            product::pullback(&product::forward(2.0, 0.5).1, 1.0);
            product::vjp(2.0, 0.5).1(1.0);
        }
    }
}

mod arrays {
    use super::*;

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

    #[test]
    fn every_function() {
        let x = [0.5; 100];
        let mut g = [0.0; 100];
        no_calls! {
            rosenbrock(&x);
            rosenbrock::grad(&x);
            rosenbrock::value_and_grad(&x);
            rosenbrock::value_and_grad_into(&x, &mut g);
            rosenbrock::grad_into(&x, &mut g);
            rosenbrock::accumulate_grad(&x, &mut g);
            rosenbrock::jvp(&x, &g);
            rosenbrock::hvp(&x, &g);
            rosenbrock::pullback(&rosenbrock::forward(&x).1, 1.0);
            rosenbrock::vjp(&x).1(1.0);
        }
    }
}

mod tensors {
    use super::*;

    #[differentiable(order = 2)]
    fn squash(a: &Tensor2<f64, 40, 30>, b: &Tensor2<f64, 1, 30>, c: &Tensor2<f64, 40, 1>) -> Tensor2<f64, 40, 30> {
        (a * b + c).tanh().softmax(1)
    }

    #[differentiable(order = 2)]
    fn total(a: &Tensor2<f64, 40, 30>, b: &Tensor2<f64, 1, 30>, c: &Tensor2<f64, 40, 1>) -> f64 {
        (a * b + c).tanh().matmul(a.t()).mean()
    }

    #[test]
    fn every_function() {
        let (a, b, c) = (Tensor2::full(0.1), Tensor2::full(0.2), Tensor2::full(0.3));
        let mut g = (a, b, c);
        no_calls! {
            squash(&a, &b, &c);
            squash::jvp(&a, &b, &c, &a, &b, &c);
            squash::pullback(&squash::forward(&a, &b, &c).1, &a);
            squash::vjp(&a, &b, &c).1(&a);
            total(&a, &b, &c);
            total::grad(&a, &b, &c);
            total::value_and_grad(&a, &b, &c);
            total::value_and_grad_into(&a, &b, &c, &mut g);
            total::grad_into(&a, &b, &c, &mut g);
            total::accumulate_grad(&a, &b, &c, &mut g);
            total::jvp(&a, &b, &c, &a, &b, &c);
            total::hvp(&a, &b, &c, &a, &b, &c);
            total::pullback(&total::forward(&a, &b, &c).1, 1.0);
            total::vjp(&a, &b, &c).1(1.0);
        }
    }
}

/// A struct of parameters, and a function that calls another one.
mod calls_and_structs {
    use super::*;
    use autodiff::optim::{Adam, Sgd};

    #[derive(Differentiable, Clone)]
    struct Layer {
        w: Tensor2<f32, 20, 10>,
        b: Tensor1<f32, 10>,
    }

    #[differentiable(order = 2)]
    fn logits<const B: usize>(p: &Layer, #[no_diff] x: &Tensor2<f32, B, 20>) -> Tensor2<f32, B, 10> {
        (x.matmul(p.w) + p.b).relu()
    }

    #[differentiable(order = 2)]
    fn loss<const B: usize>(p: &Layer, #[no_diff] x: &Tensor2<f32, B, 20>, labels: &[usize; B]) -> f32 {
        logits(p, x).cross_entropy(labels)
    }

    #[test]
    fn every_function() {
        let mut p = Layer { w: Tensor::full(0.1), b: Tensor::zeros() };
        let (x, labels) = (Tensor2::full(0.2), [1, 2, 3, 4, 5, 6, 7, 8]);
        let mut g = p.zero_tangent();
        let dot = p.zero_tangent();
        no_calls! {
            loss(&p, &x, &labels);
            loss::grad(&p, &x, &labels);
            loss::value_and_grad(&p, &x, &labels);
            loss::value_and_grad_into(&p, &x, &labels, &mut g);
            loss::grad_into(&p, &x, &labels, &mut g);
            loss::accumulate_grad(&p, &x, &labels, &mut g);
            loss::jvp(&p, &x, &labels, &dot);
            loss::pullback(&loss::forward(&p, &x, &labels).1, 1.0);
            loss::vjp(&p, &x, &labels).1(1.0);
            Sgd::new(0.1).step(&mut p, &g);
            Adam::new(&p, 0.1).step(&mut p, &g);
        }
    }
}

/// Loops whose bounds are indices of the loops around them.
mod triangular {
    use super::{black_box, calls};
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    #[allow(clippy::needless_range_loop)]
    fn log_determinant<const N: usize>(a: &[[f64; N]; N]) -> f64 {
        let mut l = [[0.0; N]; N];
        for i in 0..N {
            for j in 0..=i {
                let mut s = a[i][j];
                for k in 0..j {
                    s -= l[i][k] * l[j][k];
                }
                l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
            }
        }
        let mut sum = 0.0;
        for i in 0..N {
            sum += 2.0 * l[i][i].ln();
        }
        sum
    }

    #[differentiable(order = 2)]
    fn pairs(x: &[f64; 6]) -> f64 {
        let mut energy = 1.0;
        for i in 0..6 {
            for j in i + 1..6 {
                energy = (energy * (x[i] - x[j])).sin() + energy;
            }
        }
        energy
    }

    #[test]
    fn places_are_on_the_stack() {
        let a: [[f64; 5]; 5] = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 3.0 } else { 0.5 }));
        let x = [0.1, 0.5, -0.3, 0.9, 0.2, -0.8];
        no_calls! {
            log_determinant(&a);
            log_determinant::grad(&a);
            log_determinant::vjp(&a).1(1.0);
            log_determinant::hvp(&a, &a);
            pairs::grad(&x);
            pairs::vjp(&x).1(1.0);
            pairs::hvp(&x, &x);
        }
    }
}
