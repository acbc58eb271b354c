//! `#[no_diff]` data of the user's own: structs, enums, trees and slices of them, read in loops, branches and recursions.

use crate::harness::check;
use autodiff::prelude::*;

enum Kind {
    Linear,
    Power { exponent: f64 },
    Shifted(f64, bool),
}

struct Term {
    kind: Kind,
    weight: f64,
    factors: Vec<(usize, f64)>,
}

struct Config {
    terms: Vec<Term>,
    window: Option<(f64, f64)>,
    steps: usize,
    label: String,
}

fn config() -> Config {
    let term = |kind, weight, factors| Term { kind, weight, factors };
    Config {
        terms: vec![
            term(Kind::Linear, 0.5, vec![(0, 1.0), (1, 0.5)]),
            term(Kind::Power { exponent: 3.0 }, -0.7, vec![(1, 1.5)]),
            term(Kind::Shifted(0.3, true), 1.2, vec![]),
            term(Kind::Shifted(0.4, false), 0.2, vec![(0, 0.3), (1, 0.1), (0, 2.0)]),
        ],
        window: Some((0.5, 2.5)),
        steps: 3,
        label: "a".into(),
    }
}

#[differentiable(order = 2)]
fn factor(x: f64, #[no_diff] term: &Term) -> f64 {
    match &term.kind {
        Kind::Linear => x,
        Kind::Power { exponent } => x.powf(*exponent),
        Kind::Shifted(by, true) => (x - by).sin(),
        Kind::Shifted(by, false) => (x + by).cos(),
    }
}

/// Calls in a loop.
#[differentiable(order = 2)]
fn combined(x: f64, #[no_diff] config: &Config) -> f64 {
    let mut product = 1.0;
    for term in &config.terms {
        product *= 1.0 + term.weight * factor(x, term);
    }
    product
}

/// Loops over what is in the elements.
#[differentiable(order = 2)]
fn nested(x: &[f64; 2], #[no_diff] terms: &[Term]) -> f64 {
    let mut sum = 0.0;
    for term in terms {
        let mut product = term.weight;
        for &(at, power) in &term.factors {
            product *= x[at].powf(power);
        }
        for (at, power) in &term.factors {
            product += x[*at] * power;
        }
        sum += product * product;
    }
    sum
}

/// A step that depends on the time, in a loop whose length the configuration tells.
#[differentiable(order = 2)]
fn simulated(x: &[f64; 2], #[no_diff] config: &Config) -> f64 {
    let [mut state, rate] = *x;
    for step in 0..config.steps {
        let t = step as f64;
        let force = match config.window {
            Some((from, to)) if t >= from && t < to => rate * state,
            Some(_) => rate,
            None => 0.0,
        };
        state += 0.1 * (force - state.sin());
    }
    state
}

enum Tree {
    Leaf(f64),
    Node { left: Box<Tree>, right: Box<Tree>, weight: f64 },
}

/// A recursion over boxes.
#[differentiable(order = 2)]
fn grown(x: f64, #[no_diff] tree: &Tree) -> f64 {
    match tree {
        Tree::Leaf(k) => (x * k).sin(),
        Tree::Node { left, right, weight } => weight * grown(x, left) * grown(x * x, right),
    }
}

#[differentiable(order = 2)]
fn forest(x: f64, #[no_diff] trees: &[Tree]) -> f64 {
    trees.iter().map(|tree| grown(x, tree).exp()).sum()
}

/// A number by value beside it, and a `&mut` that changes.
#[differentiable]
fn advanced(state: &mut [f64; 2], #[no_diff] kind: Shape, #[no_diff] terms: &[Term]) {
    for term in terms {
        let [a, b] = *state;
        let pull = match kind {
            Shape::Round => a * b,
            Shape::Flat => a.sin(),
        };
        *state = [a + term.weight * pull, b * a];
    }
}

#[derive(Clone, Copy)]
enum Shape {
    Round,
    Flat,
}

#[test]
fn configurations() {
    let config = config();
    check!(combined(x, &config) by x = 0.8);
    check!(nested(&x, &config.terms) by x = [0.8, 1.3]);
    check!(simulated(&x, &config) by x = [0.8, 0.4]);
    let without = Config { window: None, ..config };
    check!(simulated(&x, &without) by x = [0.8, 0.4]);
    assert_eq!(without.label, "a");
}

fn trees() -> Vec<Tree> {
    let leaf = |k| Box::new(Tree::Leaf(k));
    let node = |left, right, weight| Tree::Node { left, right, weight };
    vec![Tree::Leaf(0.3), node(leaf(1.0), Box::new(node(leaf(2.0), leaf(0.4), 3.0)), 2.0)]
}

#[test]
fn recursions_over_boxes() {
    let trees = trees();
    check!(grown(x, &trees[1]) by x = 0.7);
    check!(forest(x, &trees) by x = 0.7);
}

/// A pullback borrows what it reads, and may be called many times.
#[test]
fn pullbacks_that_borrow() {
    let trees = trees();
    let (value, pullback) = forest::vjp(0.7, &trees);
    assert_eq!(value, forest(0.7, &trees));
    let slope = forest::grad(0.7, &trees);
    assert_eq!((pullback(1.0), pullback(1.0)), (slope, slope));

    let terms = config().terms;
    for shape in [Shape::Round, Shape::Flat] {
        let mut state = [0.4, 0.9];
        let ((), pullback) = advanced::vjp(&mut state, shape, &terms);
        for k in 0..2 {
            let mut seed = [0.0; 2];
            seed[k] = 1.0;
            let by_vjp = pullback((), seed);
            let by_jvp: Vec<f64> = (0..2)
                .map(|j| {
                    let (mut at, mut dot) = ([0.4, 0.9], [0.0; 2]);
                    dot[j] = 1.0;
                    advanced::jvp(&mut at, shape, &terms, &mut dot);
                    dot[k]
                })
                .collect();
            assert!(by_vjp.iter().zip(&by_jvp).all(|(a, b)| (a - b).abs() < 1e-14), "{by_vjp:?}, {by_jvp:?}");
        }
    }
}
