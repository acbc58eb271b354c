//! Functions without a derivative that change integers: generators of random numbers, counters and flags.

use autodiff::check_grads;
use autodiff::prelude::*;

/// The upper bits of a linear congruential generator.
fn next(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) as f64) / ((1_u64 << 31) as f64)
}

fn flip(on: &mut bool, count: &mut usize) {
    *on = !*on;
    *count += 1;
}

mod elsewhere {
    pub fn advance(count: &mut u32, by: u32) -> u32 {
        *count += by;
        *count
    }
}

/// The payoff of an option on the mean of a path, by Monte Carlo.
#[differentiable(order = 2)]
fn asian(spot: f64, vol: f64, #[no_diff] seed: u64) -> f64 {
    let mut state = seed;
    let mut sum = 0.0;
    for _ in 0..20 {
        let (mut price, mut mean) = (spot, 0.0);
        for _ in 0..5 {
            let u = next(&mut state) + next(&mut state) + next(&mut state) - 1.5;
            price *= (0.2 * vol * u - 0.02 * vol * vol).exp();
            mean += price / 5.0;
        }
        sum += (mean - 1.0).max(0.0) * mean;
    }
    sum / 20.0
}

#[test]
fn a_state_in_loops() {
    check_grads!(asian, 1.1, 0.7, 42);
    let (value, gradient) = asian::value_and_grad(1.1, 0.7, 42);
    assert_eq!(value.to_bits(), asian(1.1, 0.7, 42).to_bits());
    let second = asian::hvp(1.1, 0.7, 42, 1.0, 0.0);
    let (ahead, behind) = (asian::grad(1.1 + 1e-5, 0.7, 42), asian::grad(1.1 - 1e-5, 0.7, 42));
    assert!((second.0 - (ahead.0 - behind.0) / 2e-5).abs() < 1e-7);
    assert!((second.1 - (ahead.1 - behind.1) / 2e-5).abs() < 1e-7);
    assert!((asian::jvp(1.1, 0.7, 42, 0.3, -0.2).1 - (0.3 * gradient.0 - 0.2 * gradient.1)).abs() < 1e-12);
}

/// What is borrowed is handed on by its name, and read in between.
#[differentiable]
fn scattered(x: f64, #[no_diff] state: &mut u64) -> f64 {
    let first: f64 = next(state);
    let odd = *state % 2 == 1;
    let second: f64 = next(state);
    if odd { x * first - x.sin() * second } else { x * x * first + second }
}

#[test]
fn a_state_that_is_lent() {
    for seed in 0..4 {
        let (mut state, mut other) = (seed, seed);
        let value = scattered(0.4, &mut state);
        let (same, gradient) = scattered::value_and_grad(0.4, &mut other);
        assert_eq!((value.to_bits(), state), (same.to_bits(), other));
        let at = |x: f64| scattered(x, &mut seed.clone());
        assert!((gradient - (at(0.4 + 1e-6) - at(0.4 - 1e-6)) / 2e-6).abs() < 1e-8);
    }
}

#[derive(Differentiable, Clone)]
struct Counter {
    #[no_diff]
    n: u32,
    x: f64,
}

/// Variables, fields and elements, in a loop that they end.
#[differentiable]
fn counted(counter: &Counter, y: &[f64]) -> f64 {
    let mut counter = counter.clone();
    let mut counts = [1_u32, 2, 3];
    let (mut on, mut steps) = (false, 0_usize);
    let all = elsewhere::advance(&mut counter.n, 2) + elsewhere::advance(&mut counts[1], counter.n);
    let mut sum = 0.0;
    while steps < y.len() {
        flip(&mut on, &mut steps);
        elsewhere::advance(&mut counts[steps % 3], all);
        if on {
            sum += counter.x * y[steps - 1];
        }
        sum *= 1.0 + counter.x.sin() / f64::from(counts[steps % 3]);
    }
    sum * f64::from(counter.n)
}

#[test]
fn fields_and_elements() {
    let counter = Counter { n: 3, x: 0.7 };
    check_grads!(counted, &counter, &[0.5, -0.3, 0.9, 0.4]);
    let value = counted::value_and_grad(&counter, &[0.5, -0.3, 0.9, 0.4]).0;
    assert_eq!(value.to_bits(), counted(&counter, &[0.5, -0.3, 0.9, 0.4]).to_bits());
}

/// It lends to another what it is lent. So callers run it once, and keep what its reverse sweep reads.
#[differentiable]
fn step(x: f64, #[no_diff] state: &mut u64) -> f64 {
    let u = next(state);
    x * u - x * x * next(&mut *state)
}

#[differentiable]
fn accepted(x: f64, #[no_diff] state: &mut u64) -> Option<f64> {
    let u = next(state);
    if u > 0.8 {
        return None;
    }
    Some(x.sin() * u + step(x, state))
}

#[differentiable]
fn chain(x: f64, #[no_diff] seed: u64) -> f64 {
    let (mut state, mut y, mut sum) = (seed, x, 0.0);
    for k in 0..6 {
        sum += step(x, &mut state);
        if k % 2 == 0 {
            y = step(y, &mut state).sin();
        }
    }
    y * sum
}

#[differentiable]
fn sampled(x: f64, #[no_diff] seed: u64) -> f64 {
    let mut state = seed;
    let mut sum = 0.0;
    for _ in 0..8 {
        if let Some(y) = accepted(x, &mut state) {
            sum += y * y;
        }
    }
    sum * x
}

#[differentiable(order = 2)]
fn add_one(x: f64, #[no_diff] count: &mut usize) -> f64 {
    *count += 1;
    x.powi(*count as i32)
}

#[differentiable(order = 2)]
fn add_two(x: f64, #[no_diff] count: &mut usize) -> f64 {
    add_one(x, count) * add_one(x, count)
}

/// Nothing has an effect here, and saying so allows second derivatives.
#[differentiable(order = 2, pure(add_two))]
fn counting(x: f64) -> f64 {
    let (mut count, mut sum) = (0, 0.0);
    for _ in 0..3 {
        sum += add_two(x, &mut count);
    }
    sum
}

/// Of x³ + x⁷ + x¹¹.
fn counting_twice(x: f64) -> f64 {
    6.0 * x + 42.0 * x.powi(5) + 110.0 * x.powi(9)
}

#[test]
fn callees_with_a_state_in_loops() {
    for seed in 0..5 {
        check_grads!(chain, 0.4, seed);
        check_grads!(sampled, 0.4, seed);
        assert_eq!(chain::value_and_grad(0.4, seed).0.to_bits(), chain(0.4, seed).to_bits());
        assert_eq!(sampled::value_and_grad(0.4, seed).0.to_bits(), sampled(0.4, seed).to_bits());
        assert!((counting::hvp(0.4, 1.0) - counting_twice(0.4)).abs() < 1e-12);
    }
}

/// xoshiro256+, whose state is an array.
fn uniform(state: &mut [u64; 4]) -> f64 {
    let sum = state[0].wrapping_add(state[3]);
    let shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = state[3].rotate_left(45);
    (sum >> 11) as f64 / (1_u64 << 53) as f64
}

#[differentiable]
fn scaled(x: f64, #[no_diff] state: &mut [u64; 4]) -> f64 {
    let u: f64 = uniform(state);
    x * u - x.sin() * uniform(&mut *state)
}

/// What is dropped is drawn, and so is what the rest is multiplied by.
#[differentiable]
fn dropout(x: &[f64], #[no_diff] seed: [u64; 4], #[no_diff] keep: f64) -> f64 {
    let mut state = seed;
    let mut sum = 0.0;
    for x in x {
        if uniform(&mut state) < keep {
            sum += x * x / keep;
        }
        sum += scaled(*x, &mut state);
    }
    sum.tanh()
}

#[test]
fn a_state_that_is_an_array() {
    let seed = [0x9E37_79B9_7F4A_7C15, 0xBF58_476D_1CE4_E5B9, 3 << 60, 0x94D0_49BB_1331_11EB];
    let x = [0.3, -0.7, 0.5, 0.9];
    check_grads!(dropout, &x, seed, 0.6);
    assert_eq!(dropout::value_and_grad(&x, seed, 0.6).0.to_bits(), dropout(&x, seed, 0.6).to_bits());
    let (mut state, mut other) = (seed, seed);
    let (first, second) = (uniform(&mut other), uniform(&mut other));
    let (_, gradient) = scaled::value_and_grad(0.4, &mut state);
    assert_eq!((gradient, state), (first - 0.4_f64.cos() * second, other));
}
