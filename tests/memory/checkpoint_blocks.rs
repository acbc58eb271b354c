//! `#[checkpoint]` on a block: the reverse sweep computes it again, with the same derivatives to the last bit.
#![allow(clippy::all)]

use autodiff::prelude::*;

#[differentiable(order = 2)]
fn layers(x: &[f64; 40], w: f64) -> f64 {
    let mut y = *x;
    let mut scale = w;
    #[checkpoint]
    {
        let mut inner = [0.0; 40];
        for j in 0..40 {
            inner[j] = (w * y[j]).sin();
        }
        for j in 1..40 {
            inner[j] = inner[j] * inner[j - 1].exp() + inner[j];
        }
        for j in 0..40 {
            y[j] = inner[j].cos() * inner[39 - j];
        }
        scale *= inner[3];
    }
    let mut s = scale;
    for j in 0..40 {
        s += y[j] * y[j];
    }
    #[checkpoint]
    {
        let t = s.sin();
        t * t.exp() * s
    }
}

#[differentiable(order = 2)]
fn plain_layers(x: &[f64; 40], w: f64) -> f64 {
    let mut y = *x;
    let mut scale = w;
    {
        let mut inner = [0.0; 40];
        for j in 0..40 {
            inner[j] = (w * y[j]).sin();
        }
        for j in 1..40 {
            inner[j] = inner[j] * inner[j - 1].exp() + inner[j];
        }
        for j in 0..40 {
            y[j] = inner[j].cos() * inner[39 - j];
        }
        scale *= inner[3];
    }
    let mut s = scale;
    for j in 0..40 {
        s += y[j] * y[j];
    }
    {
        let t = s.sin();
        t * t.exp() * s
    }
}

#[differentiable(order = 2)]
fn left(x: f64, #[no_diff] n: usize) -> f64 {
    let mut s = x;
    'outer: for i in 0..n {
        #[checkpoint]
        {
            let t = s.sin() * x;
            if t > 0.9 {
                break 'outer;
            }
            if i % 5 == 3 {
                continue 'outer;
            }
            s += t.cos();
            if s > 100.0 {
                return t;
            }
        }
        s *= 0.9;
    }
    s
}

#[differentiable(order = 2)]
fn plain_left(x: f64, #[no_diff] n: usize) -> f64 {
    let mut s = x;
    for i in 0..n {
        let t = s.sin() * x;
        if t > 0.9 {
            break;
        }
        if i % 5 == 3 {
            continue;
        }
        s += t.cos();
        if s > 100.0 {
            return t;
        }
        s *= 0.9;
    }
    s
}

#[test]
fn blocks_are_computed_again() {
    use autodiff::DifferentiableFn;
    let x = std::array::from_fn(|i| 0.3 + (i as f64).sin() * 0.5);
    let g = plain_layers::value_and_grad(&x, 0.8);
    assert_eq!(layers::value_and_grad(&x, 0.8), g);
    assert_eq!(layers::vjp(&x, 0.8).1(1.0), g.1);
    assert_eq!(layers::jvp(&x, 0.8, &x, 1.0), plain_layers::jvp(&x, 0.8, &x, 1.0));
    assert_eq!(layers::hvp(&x, 0.8, &x, 1.0), plain_layers::hvp(&x, 0.8, &x, 1.0));
    let (kept, all) = (layers::RESIDUAL_BYTES, plain_layers::RESIDUAL_BYTES);
    assert!(kept + 40 * 8 <= all, "{kept} bytes instead of {all}");
    for n in [0, 1, 2, 5, 9] {
        for x in [0.2, 0.7, 1.1] {
            assert_eq!(left::value_and_grad(x, n), plain_left::value_and_grad(x, n));
            assert_eq!(left::hvp(x, n, 1.0), plain_left::hvp(x, n, 1.0));
        }
    }
}
