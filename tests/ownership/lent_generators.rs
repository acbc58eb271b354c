//! A generator that a function lends to those that it calls: it draws once, in order. And type parameters that only stand for
//! what carries no derivative.

use crate::harness::check;
use autodiff::prelude::*;

trait Source {
    fn next(&mut self) -> f64;
}

struct Lcg {
    state: u64,
    drawn: usize,
}

impl Lcg {
    fn new() -> Lcg {
        Lcg { state: 7, drawn: 0 }
    }
}

impl Source for Lcg {
    fn next(&mut self) -> f64 {
        self.drawn += 1;
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

struct Simulation {
    generator: Lcg,
    scale: f64,
}

#[differentiable]
fn step<R>(x: f64, #[no_diff] rng: &mut R) -> f64
where
    R: Source + ?Sized,
{
    let (a, b) = (rng.next(), rng.next());
    (x * a).sin() * b * x
}

#[differentiable]
fn steps<R: Source>(x: f64, #[no_diff] rng: &mut R) -> f64 {
    let a = step(x, rng);
    let b = step(x, rng);
    a * b + step(a, rng) - a * rng.next()
}

/// The same with what is drawn given.
fn with_numbers(x: f64) -> f64 {
    let mut rng = Lcg::new();
    let mut step = |x: f64| {
        let (a, b) = (rng.next(), rng.next());
        (x * a).sin() * b * x
    };
    let (a, b) = (step(x), step(x));
    a * b + step(a) - a * rng.next()
}

#[test]
fn a_generator_is_lent() {
    let (f, h) = (|x| steps(x, &mut Lcg::new()), 1e-6);
    let expected = (f(0.7 + h) - f(0.7 - h)) / (2.0 * h);
    let (value, gradient) = steps::value_and_grad(0.7, &mut Lcg::new());
    assert!((gradient - expected).abs() < 1e-8 && value == f(0.7), "{gradient} {expected}");
    let (value, tangent) = steps::jvp(0.7, &mut Lcg::new(), 2.0);
    assert!((tangent - 2.0 * expected).abs() < 1e-8 && value == f(0.7), "{tangent} {expected}");
    let mut rng = Lcg::new();
    let (value, pullback) = steps::vjp(0.7, &mut rng);
    assert!((pullback(1.0) - expected).abs() < 1e-8 && value == f(0.7));
    assert_eq!(steps(0.7, &mut Lcg::new()), with_numbers(0.7));
    let mut rng = Lcg::new();
    let _ = steps::grad(0.7, &mut rng);
    assert_eq!(rng.drawn, 7);
}

#[differentiable]
fn simulated(x: f64, #[no_diff] simulation: &mut Simulation) -> f64 {
    let a = step(x, &mut simulation.generator);
    let scale = simulation.scale;
    a + step(a, &mut simulation.generator) * scale
}

#[test]
fn a_field_is_lent() {
    let new = || Simulation { generator: Lcg::new(), scale: 0.5 };
    let f = |x| simulated(x, &mut new());
    let g = simulated::grad(0.7, &mut new());
    let h = 1e-6;
    assert!((g - (f(0.7 + h) - f(0.7 - h)) / (2.0 * h)).abs() < 1e-8);
    let mut once = new();
    let _ = simulated::value_and_grad(0.7, &mut once);
    assert_eq!(once.generator.drawn, 4);
}

trait Table {
    fn at(&self, k: usize) -> f64;
}

impl Table for [f64; 3] {
    fn at(&self, k: usize) -> f64 {
        self[k]
    }
}

#[differentiable(order = 2, pure(at))]
fn weighted<T: Table>(x: f64, #[no_diff] table: &T, #[no_diff] n: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..n {
        sum += table.at(k) * x.powi(k as i32 + 1);
    }
    sum
}

#[differentiable(order = 2)]
fn twice_weighted<T: Table>(x: f64, #[no_diff] table: &T) -> f64 {
    weighted(x, table, 3) * x + weighted(x * x, table, 2)
}

#[test]
fn data_of_any_type() {
    check!(twice_weighted(x, &[0.5, -1.0, 2.0]) by x = 0.7);
    // 0.5 x² − x³ + 2 x⁴ + 0.5 x² − x⁴
    let expected = 2.0 * 0.7 - 3.0 * 0.7_f64.powi(2) + 4.0 * 0.7_f64.powi(3);
    assert!((twice_weighted::grad(0.7, &[0.5, -1.0, 2.0]) - expected).abs() < 1e-12);
}

struct Seeded(u32);

impl Seeded {
    fn of(seed: u32) -> Seeded {
        Seeded(seed)
    }
}

impl Source for Seeded {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as f64 / u32::MAX as f64
    }
}

#[differentiable]
fn scattered(x: f64, #[no_diff] rng: &mut Seeded) -> f64 {
    x * x * rng.next() + rng.next()
}

/// What is lent twice is no number that the first call would change.
#[differentiable]
fn lends_its_own(x: f64) -> f64 {
    let mut rng = Seeded(2_463_534_242);
    let mut other = Seeded::of(7);
    let sum = scattered(x, &mut rng) + scattered(x, &mut other) * 0.5;
    scattered(x, &mut rng) * scattered(x * sum, &mut other) - scattered(x, &mut rng)
}

#[differentiable]
fn lends_it_in_a_loop(x: f64, n: usize) -> f64 {
    let mut rng = Seeded(2_463_534_242);
    let mut sum = 0.0;
    for k in 0..n {
        sum += scattered(x, &mut rng) * (k + 1) as f64;
    }
    sum * scattered(x, &mut rng)
}

#[test]
fn a_generator_of_its_own_is_lent() {
    let h = 1e-6;
    let close = |gradient: f64, up: f64, down: f64| {
        let slope = (up - down) / (2.0 * h);
        assert!((gradient - slope).abs() < 1e-8, "{gradient} {slope}");
    };
    let (value, gradient) = lends_its_own::value_and_grad(0.7);
    assert_eq!(value, lends_its_own(0.7));
    close(gradient, lends_its_own(0.7 + h), lends_its_own(0.7 - h));
    assert!((lends_its_own::jvp(0.7, 2.0).1 - 2.0 * gradient).abs() < 1e-12);
    for n in 0..4 {
        let (value, gradient) = lends_it_in_a_loop::value_and_grad(0.7, n);
        assert_eq!(value, lends_it_in_a_loop(0.7, n));
        close(gradient, lends_it_in_a_loop(0.7 + h, n), lends_it_in_a_loop(0.7 - h, n));
        assert!((lends_it_in_a_loop::jvp(0.7, n, 2.0).1 - 2.0 * gradient).abs() < 1e-12);
    }
}
