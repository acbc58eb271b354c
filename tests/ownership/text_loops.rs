//! Loops over the parts of a text.

use crate::harness::check;
use autodiff::prelude::*;

fn token(c: char) -> usize {
    c as usize % 3
}

/// The previous character decides about the next one.
#[differentiable(order = 2)]
fn markov(w: &[f64; 3], h: f64, #[no_diff] text: &str) -> f64 {
    let mut h = h;
    let mut previous: Option<usize> = None;
    for c in text.chars() {
        let next = token(c);
        if let Some(k) = previous {
            h = (w[k] * h + w[next]).tanh();
        }
        previous = Some(next);
    }
    h * text.len() as f64
}

struct Config {
    text: String,
}

#[differentiable(order = 2)]
fn configured(x: f64, #[no_diff] config: &Config, #[no_diff] line: &str) -> f64 {
    let mut y = x;
    for (k, c) in line.chars().rev().enumerate() {
        match c {
            's' => y = y.sin(),
            '0'..='9' => y = y * x + k as f64,
            _ => {}
        }
    }
    for word in config.text.split_whitespace() {
        let size = word.len() as f64;
        if size > 3.0 {
            break;
        }
        y *= 1.0 + 0.1 * size * x;
    }
    for part in line.split(',').skip(1) {
        y += part.len() as f64 * x;
    }
    for byte in line.bytes() {
        y += x * x * f64::from(byte) * 1e-3;
    }
    y
}

#[test]
fn the_parts_of_a_text_are_taken_in_turn() {
    for text in ["abcacb", "c", ""] {
        check!(markov(&w, h, text) by w = [0.4, -0.7, 1.1], h = 0.3);
    }
    let config = Config { text: "a bcd ef long ghi".into() };
    for line in ["s1,x,3s", "", "7"] {
        check!(configured(x, &config, line) by x = 0.7);
    }
}
