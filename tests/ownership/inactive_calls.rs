//! Functions without a derivative that count, draw and log. A derivative calls each of them as often as the function does,
//! in the same order, and its reverse sweep calls none.

use crate::harness::check;
use crate::trace::{STEP, agree, log, noise, note, tick, traced, with_calls};
use autodiff::prelude::*;
use std::fmt::Debug;

fn find(k: usize) -> Option<usize> {
    note(format!("find {k}"));
    (k % 2 == 0).then_some(k + 1)
}

#[differentiable(order = 2)]
fn twice_the_same_call(x: f64) -> f64 {
    let k: f64 = noise(1);
    let l: f64 = noise(1);
    x * k + x * x * l
}

#[differentiable(order = 2)]
fn types_from_their_use(x: f64) -> f64 {
    let k = noise(1);
    log(3);
    let l = noise(1);
    x * k + x * x * l
}

#[differentiable(order = 2)]
fn operands(x: f64) -> f64 {
    x * x * (noise(1) + noise(2)) * noise(tick())
}

#[differentiable(order = 2)]
fn loop_with_a_state(x: f64, n: usize) -> f64 {
    let mut s = x;
    for i in 0..n {
        s = s * noise(i) + s * s * 0.1;
    }
    s
}

#[differentiable(order = 2)]
fn loop_that_sums(x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x * x * noise(i);
        log(i);
    }
    s
}

#[differentiable(order = 2)]
fn two_loops(x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x * x * noise(i);
    }
    for i in (0..n).rev() {
        s += x * noise(i);
    }
    s
}

#[differentiable(order = 2)]
fn loops_in_loops(x: f64, n: usize) -> f64 {
    let mut s = 1.0;
    for i in 0..n {
        for j in 0..i {
            let k = tick();
            s = s * x * (1.0 + 0.1 * k as f64) + noise(j);
        }
        if i > 1 {
            s *= x * noise(i);
        }
    }
    s
}

#[differentiable(order = 2)]
fn condition_of_a_loop(x: f64) -> f64 {
    let mut s = x;
    let mut i = 0;
    while noise(i) < 3.0 {
        s *= x;
        i += 1;
    }
    s
}

#[differentiable(order = 2)]
fn left_in_the_middle(x: f64) -> f64 {
    let mut s = x;
    let mut i = 0;
    loop {
        if tick() > 3 {
            break;
        }
        i += 1;
        s = s.sin() * x + noise(i);
    }
    s
}

#[differentiable(order = 2)]
fn branches(x: f64) -> f64 {
    if x > 0.0 {
        let k = noise(2);
        x * x * k
    } else {
        log(1);
        x * x
    }
}

#[differentiable(order = 2)]
fn loop_in_a_branch(x: f64) -> f64 {
    let mut s = x;
    if x > 0.5 {
        for i in 0..3 {
            s = s * s + noise(i);
        }
    }
    s * x
}

#[differentiable(order = 2)]
fn an_option(x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        let found: Option<usize> = find(i);
        if let Some(k) = found {
            s += x * x * k as f64;
        }
    }
    s
}

#[differentiable(order = 2)]
fn scaled(x: f64) -> f64 {
    x * x * noise(1)
}

#[differentiable(order = 2)]
fn calls_one_that_calls(x: f64) -> f64 {
    let mut s = x;
    for i in 0..3 {
        s += scaled(s) * noise(i);
    }
    s
}

#[test]
fn calls_in_their_order() {
    traced!(twice_the_same_call() at 0.7);
    traced!(types_from_their_use() at 0.7);
    traced!(operands() at 0.7);
}

#[test]
fn calls_in_loops() {
    traced!(loop_with_a_state(3) at 0.7);
    traced!(loop_with_a_state(1) at 0.7);
    traced!(loop_that_sums(3) at 0.7);
    traced!(two_loops(3) at 0.7);
    traced!(loops_in_loops(4) at 0.4);
    traced!(condition_of_a_loop() at 0.7);
    traced!(left_in_the_middle() at 0.7);
}

#[test]
fn calls_in_branches() {
    traced!(branches() at 0.7, -0.7);
    traced!(loop_in_a_branch() at 0.7);
    traced!(an_option() at 0.7);
}

#[differentiable(order = 2)]
fn two_of_the_same(x: f64) -> f64 {
    let _ = scaled(x);
    scaled(x) + scaled(x) * x
}

/// What would run `scaled` again, such as a second derivative, is a compile error where it is used.
#[test]
fn calls_in_a_callee() {
    let functions: [(fn(f64) -> f64, fn(f64) -> (f64, f64)); 2] = [
        (calls_one_that_calls, calls_one_that_calls::value_and_grad),
        (two_of_the_same, two_of_the_same::value_and_grad),
    ];
    for (value, gradient) in functions {
        let value = |x: f64| with_calls(|| value(x));
        let ((y, g), calls) = with_calls(|| gradient(0.3));
        sees((y.to_bits(), calls), (value(0.3).0.to_bits(), value(0.3).1));
        assert!(agree(g, (value(0.3 + STEP).0 - value(0.3 - STEP).0) / (2.0 * STEP), 1e-7));
    }
}

#[differentiable(order = 2)]
fn of_a_tensor(t: &Tensor1<f64, 2>) -> f64 {
    let k: f64 = noise(0);
    let l: f64 = noise(0);
    (t * k + t * t * l).sum()
}

fn sees<T: PartialEq + Debug>(one: (T, Vec<String>), other: (T, Vec<String>)) {
    assert_eq!(one, other);
}

#[test]
fn tensors() {
    let t = Tensor1::from([0.25, 0.5]);
    sees(with_calls(|| of_a_tensor(&t)), with_calls(|| of_a_tensor::value_and_grad(&t).0));
    assert_eq!(with_calls(|| of_a_tensor::grad(&t)).0.0, [0.5 + 2.0 * 0.25 * 0.75, 0.5 + 2.0 * 0.5 * 0.75]);
}

/// A generator of random numbers, of which the compiler knows nothing.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / 16_777_216.0
    }
}

fn draw(random: &mut Random) -> f64 {
    random.next()
}

#[differentiable(order = 2)]
fn drawn(x: f64, #[no_diff] random: &mut Random) -> f64 {
    let mut s = x;
    for _ in 0..3 {
        s = s * x + draw(random);
    }
    for _ in 0..2 {
        s *= x * random.next();
    }
    s
}

const MOST: usize = 50;

/// Operands of methods whose receiver or argument has no type of its own.
#[differentiable(order = 2)]
fn operands_of_methods(x: f64) -> f64 {
    let k: usize = MOST.min(tick());
    let m: usize = tick();
    let n: usize = MOST.saturating_sub(m + tick());
    let power = std::f64::consts::E.powf(0.1 * noise(1));
    let from = u32::try_from(tick()).unwrap();
    x * x * k as f64 + n as f64 * x + power * x + x * f64::from(from)
}

/// Comparisons of what is evaluated once, the left side first.
#[differentiable(order = 2)]
fn compared(x: f64) -> f64 {
    let by = match tick().cmp(&1) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 2.0,
        std::cmp::Ordering::Greater => 3.0,
    };
    let first = tick().cmp(&tick()).is_lt();
    let second = tick().cmp(&tick()) == std::cmp::Ordering::Less;
    let mut s = by * x * x;
    if first {
        s += x * x * x;
    }
    if second {
        s *= x;
    }
    s
}

/// Each branch saves values that the others do not have.
#[differentiable(order = 2)]
fn drawn_in_branches(x: f64, n: usize) -> f64 {
    let mut s = x;
    for i in 0..n {
        if i % 3 == 0 {
            let d: f64 = noise(i);
            s /= 1.0 + d * d;
        } else if i % 3 == 1 {
            let d: f64 = noise(i);
            s += d / (1.0 + x * x);
            let e: f64 = noise(i + 1);
            s = (s + (0.5 + e * e).ln()).tanh() * e;
        } else {
            s = 0.5 * s + x.powi(3) * 0.5;
        }
    }
    s
}

#[test]
fn branches_save_what_they_draw() {
    for n in 1..6 {
        traced!(drawn_in_branches(n) at 0.7, -1.2);
    }
}

#[test]
fn operands_are_evaluated_once() {
    traced!(operands_of_methods() at 0.7, -1.2);
    traced!(compared() at 0.7, -1.2);
}

struct Counter {
    n: usize,
}

fn bump(counter: &mut Counter) {
    counter.n += 1;
}

#[differentiable(order = 2)]
fn read_before_and_after(x: f64, #[no_diff] counter: &mut Counter) -> f64 {
    let before = counter.n;
    bump(counter);
    let after = counter.n;
    x * before as f64 + x * x * after as f64
}

#[test]
fn states_of_their_own() {
    let value = |x: f64| drawn(x, &mut Random(7));
    let (y, g) = drawn::value_and_grad(0.3, &mut Random(7));
    assert_eq!(y.to_bits(), value(0.3).to_bits());
    assert!(agree(g, (value(0.3 + STEP) - value(0.3 - STEP)) / (2.0 * STEP), 1e-8));
    let (y, g) = read_before_and_after::value_and_grad(0.5, &mut Counter { n: 3 });
    assert_eq!((y, g), (0.5 * 3.0 + 0.25 * 4.0, 3.0 + 2.0 * 0.5 * 4.0));
}

fn weight(name: &str, k: usize) -> f64 {
    name.len() as f64 + k as f64
}

#[differentiable]
fn texts(x: f64, #[no_diff] name: &str) -> f64 {
    let label = "gain";
    let gain: f64 = weight(label, 2);
    let offset: f64 = weight("offset", 1);
    let starts: bool = name.starts_with("ab");
    let has: bool = name.contains('q');
    assert!(gain > 0.0, "no {}", "gain");
    let s = if starts { x * gain } else { x * x * offset };
    if has { s * 2.0 } else { s }
}

#[test]
fn texts_are_passed_on() {
    assert_eq!(texts::value_and_grad(0.5, "abc"), (3.0, 6.0));
    assert_eq!(texts::value_and_grad(0.5, "q"), (3.5, 14.0));
    assert_eq!(texts::vjp(0.5, "abq").1(1.0), 12.0);
}

fn table(k: usize) -> f64 {
    note("table".into());
    [0.5, 1.5, 2.5][k]
}

/// What is declared to have no effect may be called again.
#[differentiable(pure(table), order = 2)]
fn declared(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(2)]
    for i in 0..3 {
        s *= x * table(i);
    }
    s
}

#[test]
fn declared_pure() {
    let (_, calls) = with_calls(|| assert!(agree(declared::grad(0.5), 4.0 * 0.125 * 0.5 * 1.5 * 2.5, 1e-14)));
    assert!(calls.len() > 3);
}

struct Sample {
    at: [f64; 2],
    weights: Vec<f64>,
}

#[differentiable(order = 2)]
fn weighted(xs: &[f64], w: f64) -> f64 {
    xs.iter().map(|x| x * w * w).sum()
}

#[differentiable(order = 2)]
fn of_samples(w: f64, #[no_diff] samples: &[Sample]) -> f64 {
    let mut sum = w;
    for sample in samples {
        sum += weighted(&sample.at, w) + weighted(&sample.weights, w);
    }
    sum
}

/// What carries no derivative is an argument where one could be taken.
#[test]
fn constant_slices_are_arguments() {
    let samples = [Sample { at: [1.0, 2.0], weights: vec![2.0] }, Sample { at: [0.5, -1.0], weights: Vec::new() }];
    check!(of_samples(w, &samples) by w = 1.5);
    assert_eq!(of_samples::grad(1.5, &samples), 2.0 * 1.5 * 4.5 + 1.0);
}

#[derive(Differentiable, Clone)]
struct Table {
    values: Vec<f64>,
    #[no_diff]
    knots: Vec<f64>,
}

/// How many knots are below.
fn below(knots: &[f64], at: f64) -> usize {
    knots.iter().filter(|knot| **knot < at).count()
}

#[differentiable(order = 2, pure(below))]
fn looked_up(table: &Table, x: f64, #[no_diff] at: f64) -> f64 {
    let k = below(&table.knots, at);
    table.values[k] * x * x
}

/// A field that carries no derivative is an argument of a function without one.
#[test]
fn fields_without_a_derivative_are_arguments() {
    let table = Table { values: vec![1.0, 2.0, 3.0], knots: vec![0.5, 1.5] };
    let (by_table, by_x) = looked_up::grad(&table, 2.0, 1.0);
    assert_eq!((by_table.values, by_x), (vec![0.0, 4.0, 0.0], 8.0));
    let (value, pullback) = looked_up::vjp(&table, 2.0, 2.0);
    assert_eq!((value, pullback(1.0).1), (12.0, 12.0));
}

fn weight_of(place: Option<usize>, offset: &Option<i32>) -> f64 {
    place.map_or(0.5, |place| place as f64) + offset.map_or(0.0, f64::from)
}

/// An `Option` of an integer is an argument like an integer.
#[differentiable(order = 2)]
fn by_place(x: f64, y: f64, #[no_diff] ids: &[usize]) -> f64 {
    let place = ids.iter().position(|id| *id == 3);
    let mut offset: Option<i32> = None;
    let mut sum = x;
    for k in 0..3_i32 {
        let weight: f64 = weight_of(place, &offset);
        sum += weight * (x * y + sum).sin();
        if k == 0 || x > y {
            offset = Some(k);
        }
    }
    sum
}

#[test]
fn an_option_without_a_derivative_is_an_argument() {
    for ids in [&[1, 3][..], &[4]] {
        check!(by_place(x, y, ids) by x = 0.4, y = 1.3);
        check!(by_place(x, y, ids) by x = 1.4, y = 1.3);
    }
}
