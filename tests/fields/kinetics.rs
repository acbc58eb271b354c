//! Chemical kinetics: a mechanism of elementary reactions with Arrhenius rates in a batch reactor.

use crate::differences::check;
use autodiff::prelude::*;
use std::collections::HashMap;

const R: f64 = 8.314;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Arrhenius {
    ln_a: f64,
    b: f64,
    ea: f64,
}

#[differentiable]
impl Arrhenius {
    fn rate(&self, temperature: f64) -> f64 {
        (self.ln_a + self.b * (temperature / 298.15).ln() - self.ea / (R * temperature)).exp()
    }
}

#[derive(Clone, Debug)]
struct Reaction {
    equation: String,
    reactants: Vec<(usize, i32)>,
    products: Vec<(usize, i32)>,
    heat: f64,
}

#[derive(Clone, Debug)]
struct Mechanism {
    species: HashMap<String, usize>,
    reactions: Vec<Reaction>,
}

#[derive(Clone, Debug, Differentiable)]
struct Reactor {
    concentrations: Vec<f64>,
    temperature: f64,
}

/// The rates of change of the concentrations and the temperature.
#[differentiable]
fn derivatives(rates: &[Arrhenius], #[no_diff] mechanism: &Mechanism, reactor: &Reactor) -> Reactor {
    let mut dc = vec![0.0; reactor.concentrations.len()];
    let mut dt = 0.0;
    for (reaction, arrhenius) in mechanism.reactions.iter().zip(rates) {
        let mut rate = arrhenius.rate(reactor.temperature);
        for &(species, order) in &reaction.reactants {
            rate *= reactor.concentrations[species].powi(order);
        }
        for (species, n) in &reaction.reactants {
            dc[*species] -= *n as f64 * rate;
        }
        for (species, n) in &reaction.products {
            dc[*species] += *n as f64 * rate;
        }
        dt += reaction.heat * rate;
    }
    Reactor { concentrations: dc, temperature: dt }
}

#[differentiable]
fn advance(reactor: &mut Reactor, by: &Reactor, #[no_diff] step: f64) {
    for (c, dc) in reactor.concentrations.iter_mut().zip(&by.concentrations) {
        *c = (*c + step * dc).max(0.0);
    }
    reactor.temperature += step * by.temperature;
}

/// Heun's method.
#[differentiable]
fn integrate(
    rates: &[Arrhenius],
    #[no_diff] mechanism: &Mechanism,
    initial: &Reactor,
    #[no_diff] time: f64,
    #[no_diff] steps: usize,
) -> Reactor {
    let step = time / steps as f64;
    let mut reactor = initial.clone();
    for _ in 0..steps {
        let k1 = derivatives(rates, mechanism, &reactor);
        let mut predictor = reactor.clone();
        advance(&mut predictor, &k1, step);
        let k2 = derivatives(rates, mechanism, &predictor);
        advance(&mut reactor, &k1, 0.5 * step);
        advance(&mut reactor, &k2, 0.5 * step);
    }
    reactor
}

#[differentiable]
fn yield_of(
    rates: &[Arrhenius],
    #[no_diff] mechanism: &Mechanism,
    initial: &Reactor,
    #[no_diff] species: usize,
) -> f64 {
    let end = integrate(rates, mechanism, initial, 2.0, 20);
    end.concentrations[species] / initial.concentrations.iter().sum::<f64>()
}

#[test]
fn gradient() {
    let species: HashMap<String, usize> = ["A", "B", "C"].iter().zip(0..).map(|(s, i)| (s.to_string(), i)).collect();
    let reaction =
        |equation: &str, reactants, products, heat| Reaction { equation: equation.into(), reactants, products, heat };
    let mechanism = Mechanism {
        reactions: vec![
            reaction("A -> B", vec![(0, 1)], vec![(1, 1)], 5.0),
            reaction("2 B -> C", vec![(1, 2)], vec![(2, 1)], 8.0),
            reaction("C -> A", vec![(2, 1)], vec![(0, 1)], -2.0),
        ],
        species,
    };
    let unpack = |p: &[f64]| {
        let rates: Vec<Arrhenius> = p[..9].chunks(3).map(|c| Arrhenius { ln_a: c[0], b: c[1], ea: c[2] }).collect();
        (rates, Reactor { concentrations: p[9..12].to_vec(), temperature: p[12] })
    };
    let at = [4.0, 0.5, 10_000.0, 3.5, 0.1, 9000.0, 2.0, 0.0, 8000.0, 1.0, 0.2, 0.1, 320.0];
    let (rates, initial) = unpack(&at);
    let target = mechanism.species["C"];
    let (by_rates, by_initial) = yield_of::grad(&rates, &mechanism, &initial, target);
    let mut gradient: Vec<f64> = by_rates.iter().flat_map(|r| [r.ln_a, r.b, r.ea]).collect();
    gradient.extend(by_initial.concentrations);
    gradient.push(by_initial.temperature);
    let value = |p: &[f64]| {
        let (rates, initial) = unpack(p);
        yield_of(&rates, &mechanism, &initial, target)
    };
    check(value, &at, &gradient);
    assert_eq!(mechanism.reactions[0].equation, "A -> B");
}
