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

struct Switches {
    on: bool,
    k: f64,
    n: usize,
}

struct Settings {
    rate: f64,
    time: f64,
    n: usize,
    cap: f64,
    flag: bool,
    inner: Switches,
    table: Vec<f64>,
    order: i32,
    pair: (f64, usize),
}

#[derive(Differentiable, Clone)]
struct Start {
    a: f64,
    b: [f64; 2],
}

fn plain(settings: &Settings, (by, n): (f64, usize)) -> f64 {
    settings.rate * by + n as f64
}

/// The type of a field follows from its use.
#[differentiable(order = 2)]
fn used(x: f64, #[no_diff] c: &Settings) -> f64 {
    let d = (-c.rate * c.time).exp();
    let h = c.time / c.n as f64;
    let mut s = x.min(c.cap).max(c.inner.k);
    let mut arr = [0.0; 3];
    arr[0] = c.rate;
    arr[1] = x;
    let start = Start { a: c.rate, b: [c.cap, x] };
    let mut t = c.time;
    t += x;
    if c.flag {
        s += x;
    }
    if !c.inner.on {
        s += x * x;
    } else {
        s -= 1.0;
    }
    if c.flag && !c.inner.on || s > c.cap {
        s *= 1.5;
    }
    let (p, q) = c.pair;
    s += p * x + q as f64;
    for k in 0..c.inner.n {
        s += c.table[k] * x.powi(c.order) * k as f64;
    }
    for w in c.table.windows(2) {
        s += (w[1] - w[0]) * x;
    }
    let m = if s > 0.0 { c.rate } else { x };
    let chosen = if c.flag { c.cap } else { c.time };
    let Settings { rate, cap, .. } = c;
    let Switches { k, .. } = c.inner;
    s * d
        + h
        + arr[0] * arr[1]
        + start.a * start.b[0] * start.b[1]
        + t * m
        + c.rate / 2.0 * x
        + rate * x
        + cap * x * k
        + x.powf(c.rate)
        + x.atan2(c.cap)
        + c.rate.sqrt() * x
        + f64::max(x, c.cap)
        + c.inner.k.mul_add(x, c.rate)
        + chosen * x
        + plain(c, (0.5, c.n)) * x
}

#[differentiable(order = 2)]
fn returned(x: f64, #[no_diff] c: &Settings) -> f64 {
    if x > 1.0 {
        return c.rate;
    }
    match c.n {
        0 => x,
        1 | 2 => c.cap,
        n if n > 5 => x * x,
        _ => c.inner.k * x,
    }
}

#[test]
fn fields_in_use() {
    for (flag, on) in [(false, false), (false, true), (true, false), (true, true)] {
        let inner = Switches { on, k: 0.2, n: 2 };
        let table = vec![1.0, 2.0, 4.0];
        let c = Settings { rate: 0.3, time: 1.2, n: 4, cap: 2.0, flag, inner, table, order: 3, pair: (0.5, 3) };
        check!(used(x, &c) by x = 0.9);
        check!(returned(x, &c) by x = 0.9);
        check!(returned(x, &c) by x = 1.9);
    }
}

struct Sample {
    covariates: Vec<f64>,
    pair: [f64; 2],
    weight: f64,
    rows: Vec<Vec<f64>>,
}

#[differentiable(order = 2)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable(order = 2)]
fn with_pair(a: &[f64], b: &[f64; 2], c: f64) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) * c
}

/// Arguments without a derivative for parameters that have one.
#[differentiable(order = 2)]
fn scored(a: &[f64; 2], #[no_diff] samples: &[Sample]) -> f64 {
    let mut sum = 0.0;
    for sample in samples {
        sum += dot(a, &sample.covariates) + with_pair(a, &sample.pair, sample.weight) * sum;
        for row in &sample.rows {
            sum += dot(a, row).sin();
        }
    }
    sum
}

#[derive(Differentiable, Clone)]
struct Line {
    slopes: Vec<f64>,
    offset: f64,
}

#[differentiable(order = 2)]
fn line(line: &Line, x: &[f64]) -> f64 {
    dot(&line.slopes, x) * dot(x, x) + line.offset
}

#[differentiable(order = 2)]
fn along(#[no_diff] by: &Line, x: &[f64; 2]) -> f64 {
    line(by, x)
}

#[differentiable(order = 2)]
fn along_all(#[no_diff] by: &[Line], x: &[f64; 2]) -> f64 {
    by.iter().map(|by| line(by, x)).sum()
}

#[differentiable(order = 2)]
fn slopes(a: &[f64; 2], #[no_diff] x: &[f64]) -> f64 {
    dot(a, x) + dot(a, &x[1..])
}

#[test]
fn constant_arguments() {
    let sample = |weight, rows| Sample { covariates: vec![1.0, weight], pair: [3.0, 4.0], weight, rows };
    let samples = [sample(0.5, vec![vec![0.3, 0.2], vec![0.1, 0.3]]), sample(0.25, vec![])];
    check!(scored(&a, &samples) by a = [0.3, 0.4]);
    let lines = [Line { slopes: vec![1.0, 2.0], offset: 0.5 }, Line { slopes: vec![0.3, 0.1], offset: 0.1 }];
    check!(along(&lines[0], &x) by x = [0.3, 0.4]);
    check!(along_all(&lines, &x) by x = [0.3, 0.4]);
    check!(slopes(&a, &[0.7, -0.3, 0.2]) by a = [0.3, 0.4]);
}

/// It has no default.
struct Place {
    at: [f64; 2],
    spread: (f64, f64),
}

struct Reading {
    place: Place,
    weight: f64,
}

struct Moment {
    dt: f64,
    reading: Option<Reading>,
}

const START: [f64; 2] = [0.5, -0.25];

#[differentiable(order = 2)]
fn read_now_and_then(v: f64, #[no_diff] moments: &[Moment]) -> f64 {
    let mut x: [f64; 2] = START;
    let mut cost = 0.0;
    for moment in moments {
        x[0] += v * moment.dt;
        x[1] += v * v * moment.dt;
        if let Some(reading) = &moment.reading {
            let spread = reading.place.spread;
            for k in 0..2 {
                cost += reading.weight * (x[k] - reading.place.at[k]).powi(2) / spread.0;
            }
            cost += spread.1 * v;
        }
    }
    cost
}

#[test]
fn an_optional_struct_needs_no_default() {
    let moment = |k: usize| Moment {
        dt: 0.1,
        reading: (k % 2 == 0)
            .then_some(Reading { place: Place { at: [0.3, k as f64], spread: (2.0, 0.5) }, weight: 1.5 }),
    };
    let moments: Vec<Moment> = (0..5).map(moment).collect();
    check!(read_now_and_then(v, &moments) by v = 0.7);
}

#[derive(Differentiable, Clone, Copy)]
struct Pair {
    x: f64,
    y: f64,
}

#[differentiable(order = 2)]
fn double(x: f64) -> f64 {
    2.0 * x
}

#[differentiable(order = 2)]
fn squares(x: &[f64; 3]) -> f64 {
    let [a, b, c] = x.map(|v| v.sin() * x[0]);
    let d = [a, b].map(f64::exp);
    let e = x.map(double);
    let both = x.map(|v| Pair { x: v, y: v * v });
    a + b * c + d[0] * d[1] + e[0] * e[2] + both[1].x * both[2].y
}

#[test]
fn arrays_are_mapped() {
    check!(squares(&x) by x = [0.3, 0.7, 1.2]);
}
