use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Layer {
    w: f64,
}

#[differentiable]
fn no_snapshots(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(0)]
    for _ in 0..9 {
        y = y.sin();
    }
    y
}

#[differentiable]
fn no_number(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint]
    while y > 1.0 {
        y = y * y.sin();
    }
    #[checkpoint("many")]
    while y > 0.5 {
        y = y * y.sin();
    }
    #[max_iters]
    while y > 0.1 {
        y = y * y.sin();
    }
    y
}

#[differentiable]
fn known_at_run_time(x: f64, #[no_diff] k: usize) -> f64 {
    let mut y = x;
    #[checkpoint(k)]
    for _ in 0..9 {
        y = y.sin();
    }
    y
}

#[differentiable]
fn two(x: f64, #[no_diff] n: usize) -> f64 {
    let mut y = x;
    #[max_iters(10)]
    #[checkpoint(2)]
    for _ in 0..n {
        y = y.sin();
    }
    y
}

#[differentiable]
fn no_loop(x: f64) -> f64 {
    #[checkpoint(2)]
    let y = x.sin();
    #[max_iters(3)]
    {
        y * y
    }
}

#[differentiable]
fn block(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(2)]
    {
        y = y.sin() * y;
    }
    for _ in 0..3 {
        #[checkpoint]
        {
            y = y.sin() * y;
            if y > 1.0 {
                break;
            }
        }
    }
    y
}

#[differentiable]
fn parts(x: f64, layers: &[Layer; 3]) -> f64 {
    let mut y = x;
    #[checkpoint(1)]
    for i in 0..3 {
        y = (y * layers[i].w).sin();
    }
    y
}

fn main() {}
