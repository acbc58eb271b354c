//! Ecology: a food web with Holling responses, integrated with an adaptive Bogacki–Shampine scheme.
use crate::differences::check;
use autodiff::prelude::*;
use std::fmt;

const SPECIES: usize = 3;
type Densities = [f64; SPECIES];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Response {
    Linear,
    Holling2 { handling: f64 },
    Holling3 { handling: f64 },
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Web {
    growth: Densities,
    capacity: f64,
    attack: [[f64; SPECIES]; SPECIES],
    conversion: f64,
}

#[derive(Debug)]
struct StepTooSmall {
    at: usize,
}

impl fmt::Display for StepTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} too small", self.at)
    }
}

#[differentiable]
fn eaten(prey: f64, attack: f64, #[no_diff] response: &Response) -> f64 {
    match *response {
        Response::Linear => attack * prey,
        Response::Holling2 { handling } => attack * prey / (1.0 + attack * handling * prey),
        Response::Holling3 { handling } => {
            let squared = prey * prey;
            attack * squared / (1.0 + attack * handling * squared)
        }
    }
}

#[differentiable]
impl Web {
    fn rate(&self, n: &Densities, #[no_diff] response: &Response) -> Densities {
        let mut change = [0.0; SPECIES];
        for (i, d) in change.iter_mut().enumerate() {
            *d = self.growth[i] * n[i];
        }
        change[0] -= self.growth[0] * n[0] * n[0] / self.capacity;
        for predator in 1..SPECIES {
            for prey in 0..predator {
                let flow = n[predator] * eaten(n[prey], self.attack[predator][prey], response);
                change[prey] -= flow;
                change[predator] += self.conversion * flow;
            }
        }
        change
    }
}

#[differentiable]
fn combine(n: &Densities, terms: &[(f64, Densities)]) -> Densities {
    let mut sum = *n;
    for (weight, k) in terms {
        for (s, k) in sum.iter_mut().zip(k) {
            *s += weight * k;
        }
    }
    sum
}

#[differentiable]
fn integrate(
    web: &Web,
    start: &Densities,
    #[no_diff] response: &Response,
    #[no_diff] until: f64,
) -> Result<Densities, StepTooSmall> {
    let (mut n, mut t, mut h) = (*start, 0.0, 0.2);
    let mut steps = 0;
    let mut k1 = web.rate(&n, response);
    while t < until {
        if h < 1e-8 {
            return Err(StepTooSmall { at: steps });
        }
        if t + h > until {
            h = until - t;
        }
        let k2 = web.rate(&combine(&n, &[(0.5 * h, k1)]), response);
        let k3 = web.rate(&combine(&n, &[(0.75 * h, k2)]), response);
        let next = combine(&n, &[(2.0 / 9.0 * h, k1), (h / 3.0, k2), (4.0 / 9.0 * h, k3)]);
        let k4 = web.rate(&next, response);
        let mut error: f64 = 0.0;
        for i in 0..SPECIES {
            let e = h * (-5.0 / 72.0 * k1[i] + k2[i] / 12.0 + k3[i] / 9.0 - k4[i] / 8.0);
            error = error.max(e.abs());
        }
        let error = stop_gradient(error);
        if error < 1e-3 {
            t += h;
            n = next;
            k1 = k4;
            steps += 1;
        }
        h *= if error < 1e-4 {
            1.5
        } else if error < 1e-3 {
            1.0
        } else {
            0.5
        };
    }
    Ok(n)
}

#[differentiable]
fn fit(web: &Web, start: &Densities, #[no_diff] response: &Response, #[no_diff] observed: &[(f64, Densities)]) -> f64 {
    observed
        .iter()
        .filter_map(|(t, wanted)| {
            let n = integrate(web, start, response, *t).ok()?;
            Some(n.iter().zip(wanted).map(|(n, w)| (n.ln() - w.ln()).powi(2)).sum::<f64>())
        })
        .sum()
}

fn web(p: &[f64]) -> (Web, Densities) {
    let web = Web {
        growth: [p[0], p[1], p[2]],
        capacity: p[3],
        attack: [[0.0; 3], [p[4], 0.0, 0.0], [p[5], p[6], 0.0]],
        conversion: p[7],
    };
    (web, [p[8], p[9], p[10]])
}

#[test]
fn gradient_against_differences() {
    let observed = [(1.0, [0.9, 0.4, 0.2]), (2.5, [0.7, 0.5, 0.2])];
    let at = [1.1, -0.3, -0.2, 2.0, 0.8, 0.1, 0.6, 0.5, 1.0, 0.5, 0.25];
    for response in [Response::Linear, Response::Holling2 { handling: 0.4 }, Response::Holling3 { handling: 0.3 }] {
        let (w, s) = web(&at);
        let (gw, gs) = fit::grad(&w, &s, &response, &observed);
        let mut g = gw.growth.to_vec();
        g.extend([gw.capacity, gw.attack[1][0], gw.attack[2][0], gw.attack[2][1], gw.conversion]);
        g.extend(gs);
        check(
            |p| {
                let (w, s) = web(p);
                fit(&w, &s, &response, &observed)
            },
            &at,
            &g,
        );
    }
    println!("{}", StepTooSmall { at: 1 });
}
