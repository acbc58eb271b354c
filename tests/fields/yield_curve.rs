//! Bootstrapping a yield curve from deposits and swaps, and the sensitivity of a bond to the quotes.
use crate::differences::check;
use autodiff::prelude::*;

enum Instrument {
    Deposit { maturity: f64 },
    Swap { maturity: f64, payments_per_year: usize },
}

/// Discount factors, log-linear between the pillars.
#[derive(Clone, Differentiable)]
struct Curve {
    pillars: Vec<Pillar>,
}

#[derive(Clone, Copy, Differentiable)]
struct Pillar {
    #[no_diff]
    time: f64,
    discount: f64,
}

#[differentiable]
impl Curve {
    fn discount(&self, #[no_diff] t: f64) -> f64 {
        let first = self.pillars.first().unwrap();
        if t <= first.time {
            return first.discount.powf(t / first.time);
        }
        for pair in self.pillars.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            if t <= b.time {
                let w = (t - a.time) / (b.time - a.time);
                return ((1.0 - w) * a.discount.ln() + w * b.discount.ln()).exp();
            }
        }
        let last = self.pillars.last().unwrap();
        last.discount.powf(t / last.time)
    }
}

#[differentiable]
fn bootstrap(quotes: &[f64], #[no_diff] instruments: &[Instrument]) -> Curve {
    let mut curve = Curve { pillars: Vec::with_capacity(quotes.len()) };
    for (quote, instrument) in quotes.iter().zip(instruments) {
        let pillar = match instrument {
            Instrument::Deposit { maturity } => Pillar { time: *maturity, discount: 1.0 / (1.0 + quote * maturity) },
            Instrument::Swap { maturity, payments_per_year } => {
                let accrual = 1.0 / *payments_per_year as f64;
                let n = (*maturity * *payments_per_year as f64).round() as usize;
                let annuity: f64 = (1..n).map(|k| accrual * curve.discount(k as f64 * accrual)).sum();
                Pillar { time: *maturity, discount: (1.0 - quote * annuity) / (1.0 + quote * accrual) }
            }
        };
        curve.pillars.push(pillar);
    }
    curve
}

/// The price of a bond on the curve of the quotes.
#[differentiable]
fn bond_price(quotes: &[f64], #[no_diff] instruments: &[Instrument], #[no_diff] cashflows: &[(f64, f64)]) -> f64 {
    let curve = bootstrap(quotes, instruments);
    cashflows.iter().map(|&(t, amount)| amount * curve.discount(t)).sum()
}

#[test]
fn the_gradient_agrees_with_differences() {
    let instruments = [
        Instrument::Deposit { maturity: 0.5 },
        Instrument::Deposit { maturity: 1.0 },
        Instrument::Swap { maturity: 2.0, payments_per_year: 1 },
        Instrument::Swap { maturity: 3.0, payments_per_year: 1 },
    ];
    let cashflows = [(0.25, 2.0), (1.25, 2.0), (2.25, 2.0), (3.25, 102.0)];
    let quotes = [0.02, 0.022, 0.025, 0.027];
    let g = bond_price::grad(&quotes, &instruments, &cashflows);
    check(|q| bond_price(q, &instruments, &cashflows), &quotes, &g);
}
