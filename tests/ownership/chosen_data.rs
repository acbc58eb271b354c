//! Lists of references to data without a derivative, which a function chooses itself.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Debug)]
struct Subject<const P: usize> {
    time: f64,
    event: bool,
    stratum: u8,
    covariates: [f64; P],
}

#[differentiable(order = 2)]
fn linear<const P: usize>(beta: &[f64; P], #[no_diff] x: &[f64; P]) -> f64 {
    beta.iter().zip(x).map(|(b, x)| b * x).sum()
}

/// A partial likelihood.
#[differentiable(order = 2)]
fn of_stratum<const P: usize>(beta: &[f64; P], #[no_diff] subjects: &[Subject<P>], #[no_diff] stratum: u8) -> f64 {
    let members: Vec<&Subject<P>> = subjects.iter().filter(|s| s.stratum == stratum).collect();
    let (mut total, mut at_risk) = (0.0, 0.0);
    let mut k = 0;
    while k < members.len() {
        let time = members[k].time;
        let (mut deaths, mut dying) = (0, 0.0);
        while k < members.len() && members[k].time == time {
            let x: [f64; P] = members[k].covariates;
            let eta = linear(beta, &x);
            at_risk += eta.exp();
            if members[k].event {
                deaths += 1;
                dying += eta.exp();
                total += eta;
            }
            k += 1;
        }
        for d in 0..deaths {
            let share = d as f64 / deaths as f64;
            total -= (at_risk - share * dying).ln();
        }
    }
    total
}

/// By a loop; and of those, others.
#[differentiable(order = 2)]
fn by_hand(x: f64, #[no_diff] subjects: &[Subject<2>]) -> f64 {
    let mut late: Vec<&Subject<2>> = Vec::with_capacity(subjects.len());
    for s in subjects {
        if s.time > 0.5 {
            late.push(s);
        }
    }
    let mut sum = x;
    for (k, s) in late.iter().enumerate() {
        sum += (x * s.time).sin() * (k as f64 + s.covariates[1]);
        if k == 1 {
            sum *= x;
        }
    }
    let events: Vec<&Subject<2>> = late.iter().copied().filter(|s| s.event).collect();
    for s in &events {
        sum *= 1.0 + 0.1 * x * s.covariates[usize::from(s.stratum)];
    }
    if late.is_empty() { sum } else { sum * late[late.len() - 1].time + events.len() as f64 * x }
}

#[test]
fn chosen_data_are_read() {
    let subject = |k: u8| {
        let t = f64::from(k);
        Subject {
            time: f64::from(k / 3) * 0.4,
            event: k % 3 != 1,
            stratum: k % 2,
            covariates: [(t * 0.7).sin(), 0.1 * t - 0.4],
        }
    };
    let subjects: Vec<Subject<2>> = (0..9).map(subject).collect();
    check!(of_stratum(&beta, &subjects, 0) by beta = [0.3, -0.5]);
    check!(of_stratum(&beta, &subjects, 1) by beta = [0.3, -0.5]);
    check!(by_hand(x, &subjects) by x = 0.7);
    check!(by_hand(x, &subjects[..0]) by x = 0.7);
}
