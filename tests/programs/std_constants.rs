//! Elementary functions of constants have no effect, so that what calls them may run again: of those of the standard library,
//! whichever way they are named, but not of what the user names in the same way.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;
use std::f64;
use std::f64::consts;
use std::f64::consts::TAU;

#[differentiable(order = 2)]
fn log_pdf(x: f64, m: f64) -> f64 {
    -0.5 * (x - m).powi(2) - 0.5 * std::f64::consts::TAU.ln() * m
}

#[differentiable(order = 2)]
fn imported(x: f64, m: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        sum += (x - m).powi(2 + i) * TAU.ln() + consts::PI.sqrt().sin() - x * f64::consts::E.powf(0.5);
        if sum > 0.1 {
            sum *= core::f64::consts::LN_2.exp() + f64::EPSILON.sqrt();
        }
    }
    sum
}

#[differentiable(order = 2)]
fn likelihood(m: f64, xs: &[f64]) -> f64 {
    xs.iter().map(|&x| log_pdf(x, m) * imported(x, m)).sum()
}

#[test]
fn of_the_standard_library() {
    let xs = [0.5, -1.2, 0.9];
    check!(likelihood(m, &xs) by [m = 0.3, xs]);
}

mod noisy {
    use autodiff::prelude::*;
    use std::cell::Cell;

    thread_local! {
        pub static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    pub mod units {
        pub struct Noisy;
        pub const TAU: Noisy = Noisy;

        impl Noisy {
            pub fn ln(&self) -> f64 {
                super::COUNT.with(|count| count.set(count.get() + 1));
                1.5
            }
        }
    }

    use units::TAU;

    #[differentiable]
    pub fn scaled(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum::<f64>() * TAU.ln()
    }
}

#[test]
fn of_the_users_own() {
    let (value, grad) = noisy::scaled::value_and_grad(&[1.0, 2.0]);
    assert_eq!((value, grad), (7.5, vec![3.0, 6.0]));
    assert_eq!(noisy::COUNT.with(std::cell::Cell::get), 1);
    let (_, pullback) = noisy::scaled::vjp(&[1.0, 2.0]);
    assert_eq!(pullback(1.0), [3.0, 6.0]);
    assert_eq!(noisy::COUNT.with(std::cell::Cell::get), 2);
}
