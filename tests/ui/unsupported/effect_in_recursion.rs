use autodiff::differentiable;
use std::sync::atomic::{AtomicUsize, Ordering};

static DRAWN: AtomicUsize = AtomicUsize::new(0);

fn noise(n: usize) -> f64 {
    (n + DRAWN.fetch_add(1, Ordering::Relaxed)) as f64
}

#[differentiable]
fn product(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * product(x, n - 1) * noise(n) }
}

#[differentiable]
fn snapshots(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(2)]
    for i in 0..8 {
        s *= x * noise(i);
    }
    s
}

fn main() {}
