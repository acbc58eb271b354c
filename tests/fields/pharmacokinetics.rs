//! A two-compartment pharmacokinetic model with oral doses, infusions and resets, fitted to concentrations.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Clone, Debug, PartialEq)]
enum Event {
    Oral { time: f64, amount: f64 },
    Infusion { time: f64, rate: f64, duration: f64 },
    Washout { time: f64 },
}

impl Event {
    fn time(&self) -> f64 {
        match self {
            Event::Oral { time, .. } | Event::Infusion { time, .. } | Event::Washout { time } => *time,
        }
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pk {
    ka: f64,
    cl: f64,
    v1: f64,
    q: f64,
    v2: f64,
}

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Amounts {
    gut: f64,
    central: f64,
    peripheral: f64,
}

#[differentiable]
impl Amounts {
    fn slope(&self, pk: &Pk, #[no_diff] infusion: f64) -> Amounts {
        let absorbed = pk.ka * self.gut;
        let (k12, k21) = (pk.q / pk.v1, pk.q / pk.v2);
        Amounts {
            gut: -absorbed,
            central: infusion + absorbed - (pk.cl / pk.v1 + k12) * self.central + k21 * self.peripheral,
            peripheral: k12 * self.central - k21 * self.peripheral,
        }
    }

    fn step(&self, d: &Amounts, #[no_diff] h: f64) -> Amounts {
        Amounts {
            gut: self.gut + h * d.gut,
            central: self.central + h * d.central,
            peripheral: self.peripheral + h * d.peripheral,
        }
    }
}

struct Subject {
    name: String,
    weight: f64,
    events: Vec<Event>,
    samples: Vec<(f64, Option<f64>)>,
}

const STEP: f64 = 0.1;

#[differentiable]
fn advance(amounts: Amounts, pk: &Pk, #[no_diff] from: f64, #[no_diff] to: f64, #[no_diff] infusion: f64) -> Amounts {
    let mut t = from;
    let mut a = amounts;
    while t < to - 1e-9 {
        let h = STEP.min(to - t);
        let half = a.step(&a.slope(pk, infusion), 0.5 * h);
        a = a.step(&half.slope(pk, infusion), h);
        t += h;
    }
    a
}

/// The sum of squared log residuals.
#[differentiable]
fn objective(pk: &Pk, #[no_diff] subject: &Subject) -> f64 {
    // Allometric scaling.
    let pk = Pk { cl: pk.cl * (subject.weight / 70.0).powf(0.75), v1: pk.v1 * subject.weight / 70.0, ..*pk };
    let mut amounts = Amounts::default();
    let mut now = 0.0;
    let mut infusion: Option<(f64, f64)> = None;
    let mut events = subject.events.iter().peekable();
    let mut sse = 0.0;
    for &(time, sample) in &subject.samples {
        while let Some(event) = events.peek() {
            if event.time() > time {
                break;
            }
            let rate = infusion.map_or(0.0, |(rate, _)| rate);
            amounts = advance(amounts, &pk, now, event.time(), rate);
            now = event.time();
            match *event {
                Event::Oral { amount, .. } => amounts.gut += *amount,
                Event::Infusion { rate, duration, time } => infusion = Some((*rate, time + duration)),
                Event::Washout { .. } => {
                    amounts = Amounts::default();
                    infusion = None;
                }
            }
            events.next();
        }
        if let Some((rate, end)) = infusion {
            if end < time {
                amounts = advance(amounts, &pk, now, end, rate);
                now = end;
                infusion = None;
            }
        }
        amounts = advance(amounts, &pk, now, time, infusion.map_or(0.0, |(rate, _)| rate));
        now = time;
        let Some(measured) = sample else { continue };
        let predicted = amounts.central / pk.v1;
        sse += (predicted.max(1e-6) / measured).ln().powi(2);
    }
    sse
}

#[test]
fn gradient() {
    let subject = Subject {
        name: "subject 1".into(),
        weight: 82.0,
        events: vec![
            Event::Oral { time: 0.0, amount: 100.0 },
            Event::Infusion { time: 2.0, rate: 20.0, duration: 1.5 },
            Event::Oral { time: 4.0, amount: 50.0 },
            Event::Washout { time: 7.0 },
            Event::Oral { time: 7.0, amount: 80.0 },
        ],
        samples: vec![(0.5, Some(2.0)), (1.0, None), (3.0, Some(4.0)), (5.0, Some(3.5)), (8.0, Some(2.2))],
    };
    let pk = |p: &[f64]| Pk { ka: p[0], cl: p[1], v1: p[2], q: p[3], v2: p[4] };
    let at = [0.9, 5.0, 20.0, 3.0, 30.0];
    let g = objective::grad(&pk(&at), &subject);
    check(|p| objective(&pk(p), &subject), &at, &[g.ka, g.cl, g.v1, g.q, g.v2]);
    assert!(subject.name.ends_with('1'));
}
