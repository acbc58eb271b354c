//! European options by Black and Scholes, and the Greeks of a book of them.

use crate::differences::check;
use autodiff::prelude::*;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Call,
    Put,
}

#[derive(Clone, Debug)]
struct Position {
    ticker: String,
    kind: Kind,
    strike: f64,
    expiry: f64,
    quantity: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Market {
    spot: f64,
    vol: f64,
    rate: f64,
    dividend: f64,
}

/// The normal distribution function, Abramowitz and Stegun 26.2.17.
#[differentiable]
fn norm_cdf(x: f64) -> f64 {
    const A: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
    if x < 0.0 {
        return 1.0 - norm_cdf(-x);
    }
    let k = 1.0 / (1.0 + 0.2316419 * x);
    let poly = A.iter().rev().fold(0.0, |acc, a| (acc + a) * k);
    let pdf = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
    1.0 - pdf * poly
}

#[differentiable]
fn price(market: &Market, #[no_diff] kind: Kind, #[no_diff] strike: f64, #[no_diff] expiry: f64) -> f64 {
    let Market { spot, vol, rate, dividend } = *market;
    if expiry <= 0.0 {
        return match kind {
            Kind::Call => (spot - strike).max(0.0),
            Kind::Put => (strike - spot).max(0.0),
        };
    }
    let sd = vol * expiry.sqrt();
    let d1 = ((spot / strike).ln() + (rate - dividend + 0.5 * vol.powi(2)) * expiry) / sd;
    let d2 = d1 - sd;
    let df = (-rate * expiry).exp();
    let qf = (-dividend * expiry).exp();
    match kind {
        Kind::Call => spot * qf * norm_cdf(d1) - strike * df * norm_cdf(d2),
        Kind::Put => strike * df * norm_cdf(-d2) - spot * qf * norm_cdf(-d1),
    }
}

#[differentiable]
fn book_value(market: &Market, #[no_diff] book: &[Position]) -> f64 {
    book.iter().map(|p| p.quantity * price(market, p.kind, p.strike, p.expiry)).sum()
}

fn position(kind: Kind, strike: f64, expiry: f64, quantity: f64) -> Position {
    Position { ticker: "ACME".to_string(), kind, strike, expiry, quantity }
}

#[test]
fn gradient() {
    let book = vec![
        position(Kind::Call, 100.0, 1.0, 10.0),
        position(Kind::Put, 95.0, 0.5, -5.0),
        position(Kind::Call, 90.0, 0.0, 2.0),
    ];
    let market = |p: &[f64]| Market { spot: p[0], vol: p[1], rate: p[2], dividend: p[3] };
    let at = [102.0, 0.2, 0.03, 0.01];
    let g = book_value::grad(&market(&at), &book);
    check(|p| book_value(&market(p), &book), &at, &[g.spot, g.vol, g.rate, g.dividend]);
    let delta = price::grad(&market(&at), Kind::Call, 100.0, 1.0).spot;
    assert!(delta > 0.5 && delta < 0.7 && FRAC_1_SQRT_2 < 1.0);
}
