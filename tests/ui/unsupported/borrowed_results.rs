//! Results that borrow, and signatures that generated code cannot follow.
use autodiff::prelude::*;
use std::ops::{Index, IndexMut};

#[differentiable]
fn borrows_inside(x: &[f64; 2]) -> (f64, Option<&f64>) {
    (x[1], Some(&x[0]))
}

#[derive(Clone, Copy, Differentiable)]
struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl Index<usize> for V {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        if i == 0 { &self.x } else { &self.y }
    }
}

#[differentiable]
impl IndexMut<usize> for V {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.x,
            _ => &mut self.y,
        }
    }
}

#[differentiable]
fn double(x: &mut f64) {
    *x *= 2.0;
}

#[differentiable]
fn chosen_by_index(v: V, #[no_diff] i: usize) -> f64 {
    let mut w = v;
    double(&mut w[i]);
    w.x
}

#[differentiable]
impl V {
    fn counted(&mut self) -> &mut f64 {
        self.x += 1.0;
        &mut self.x
    }

    fn searched<'a>(&'a self, #[no_diff] steps: usize) -> &'a f64 {
        if steps == 0 { &self.x } else { self.searched(steps - 1) }
    }
}

#[differentiable]
fn with_an_effect(v: V) -> f64 {
    let mut w = v;
    *w.counted() *= 2.0;
    w.x
}

#[differentiable]
fn without_end(v: V) -> f64 {
    *v.searched(2)
}

#[derive(Clone, Differentiable)]
struct L {
    data: Vec<f64>,
}

impl Index<std::ops::Range<usize>> for L {
    type Output = [f64];
    fn index(&self, range: std::ops::Range<usize>) -> &[f64] {
        &self.data[range]
    }
}

#[differentiable]
fn a_range(l: &L) -> f64 {
    l[1..2].iter().sum()
}

#[target_feature(enable = "avx2")]
#[differentiable]
fn special(x: f64) -> f64 {
    x * x
}

fn main() {}
