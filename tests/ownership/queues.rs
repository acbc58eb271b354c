//! A `VecDeque` as a variable: delay lines and moving windows.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::VecDeque;

#[differentiable(order = 2)]
fn delayed(x: &[f64], k: f64) -> f64 {
    let mut line: VecDeque<f64> = VecDeque::with_capacity(4);
    for _ in 0..3 {
        line.push_back(0.0);
    }
    let mut sum = 0.0;
    for v in x {
        line.push_back(v * k);
        let old = line.pop_front().unwrap();
        sum += old * v + line[1] * line.len() as f64;
    }
    sum + line.iter().sum::<f64>() + *line.front().unwrap() * *line.back().unwrap()
}

#[differentiable(order = 2)]
fn window(x: &[f64]) -> f64 {
    let mut queue = VecDeque::new();
    let mut sum = 0.0;
    for &v in x {
        if queue.len() == 3 {
            queue.pop_front();
        }
        queue.push_back(v);
        let mean: f64 = queue.iter().sum::<f64>() / queue.len() as f64;
        sum += mean * mean;
    }
    queue.push_front(x[0] * 2.0);
    let last = queue.pop_back().unwrap_or(0.0);
    queue.extend([last, last * last]);
    for v in queue.iter_mut() {
        *v *= 2.0;
    }
    queue[0] = queue[1] * queue[0];
    queue.truncate(4);
    queue.rotate_left(1);
    queue.swap(0, 1);
    for v in &queue {
        sum += v * v;
    }
    sum + queue.iter().rev().take(2).product::<f64>()
}

#[test]
fn variables() {
    let x = vec![1.0, 2.0, 0.5, 0.3, -0.7, 1.3];
    check!(delayed(&x, k) by [x, k = 0.7]);
    check!(window(&x) by [x]);
}
