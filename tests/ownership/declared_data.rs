//! A `let` that says the type of data without a derivative, which a call gives.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::{BTreeMap, HashSet};

fn parse(line: &str) -> Option<(f64, f64)> {
    let (a, b) = line.split_once(',')?;
    Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
}

fn load(text: &str) -> Vec<(f64, f64)> {
    text.lines().filter_map(parse).collect()
}

struct Reader {
    text: String,
}

impl Reader {
    fn corners(&self) -> [f64; 2] {
        [self.text.len() as f64, 0.5]
    }

    fn first<T: std::str::FromStr + Default>(&self) -> T {
        self.text.split(',').next().and_then(|word| word.trim().parse().ok()).unwrap_or_default()
    }

    fn values(&self) -> Vec<f64> {
        self.text.bytes().map(|b| b as f64 * 0.01).collect()
    }

    fn range(&self) -> (f64, usize) {
        (0.25, self.text.len())
    }
}

#[differentiable(order = 2)]
fn characters(x: f64, #[no_diff] text: &str) -> f64 {
    let characters: Vec<char> = text.chars().collect();
    let mut s = x * characters.len() as f64;
    for c in &characters {
        if c.is_alphabetic() {
            s = s * x + 1.0;
        }
    }
    for (k, &c) in characters.iter().enumerate() {
        s += match c {
            'a' => x.sin(),
            'b' if k > 1 => s * 0.25,
            _ => 0.5,
        };
    }
    s
}

#[differentiable(order = 2)]
fn table(x: f64, #[no_diff] text: &str) -> f64 {
    let rows: Vec<(f64, f64)> = text.lines().filter_map(parse).collect();
    let same: Vec<(f64, f64)> = load(text);
    let inline: Vec<(f64, usize)> = text.lines().filter_map(|l| Some((parse(l)?.0, l.len()))).collect();
    let mut s: f64 = rows.iter().map(|r| r.0 * x * r.1).sum();
    for (a, b) in &same {
        s += (a * x).sin() * b;
    }
    for k in 0..inline.len() {
        s += inline[k].0 * x * x * inline[k].1 as f64;
    }
    s
}

#[differentiable(order = 2)]
fn collections(x: f64, #[no_diff] text: &str) -> f64 {
    let words: Vec<&str> = text.split_whitespace().collect();
    let known: HashSet<&str> = text.split_whitespace().collect();
    let lengths: BTreeMap<&str, usize> = text.split_whitespace().map(|w| (w, w.len())).collect();
    let upper: String = text.to_uppercase();
    let mut s = x * known.len() as f64 + upper.len() as f64;
    for w in &words {
        s = s * x + lengths[w] as f64;
    }
    s
}

#[differentiable(order = 2)]
fn dot(a: &[f64], x: f64) -> f64 {
    a.iter().map(|a| (a * x).sin()).sum()
}

#[differentiable(order = 2)]
fn lists(x: f64, #[no_diff] reader: &Reader) -> f64 {
    let values: Vec<f64> = reader.values();
    let squares: Vec<f64> = values.iter().map(|v| v * v).collect();
    let read: Vec<f64> = reader.text.split(',').filter_map(|w| w.trim().parse().ok()).collect();
    let mut s = dot(&values, x) * dot(&squares, x) + dot(&read, x);
    for k in 0..values.len() {
        s += values[k] * x * x + squares[k];
        let again: Vec<f64> = reader.values();
        s += again[k] * x.sin();
    }
    for v in &values {
        s += v * x;
    }
    s
}

#[differentiable(order = 2)]
fn numbers(x: f64, #[no_diff] reader: &Reader) -> f64 {
    let corners: [f64; 2] = reader.corners();
    let (low, count): (f64, usize) = reader.range();
    let first: f64 = reader.first();
    let mut s = x;
    for k in 0..count {
        let again: (f64, usize) = reader.range();
        s += corners[k % 2] * x * x * low * first * again.0;
    }
    s
}

#[test]
fn the_declaration_is_taken() {
    for text in ["ab, 1b a", "", "1.5, 2\nx, 3\n0.25, -1", "ab ab c ab"] {
        check!(characters(x, text) by x = 0.7);
        check!(table(x, text) by x = 0.7);
        check!(collections(x, text) by x = 0.7);
        let reader = Reader { text: text.into() };
        check!(numbers(x, &reader) by x = 0.7);
        check!(lists(x, &reader) by x = 0.7);
    }
}
