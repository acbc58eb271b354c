//! Ratings of players: Bradley–Terry with ties and home advantage, teams as maps of names.
use autodiff::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Home,
    Draw,
    Away,
}

#[derive(Clone, Debug)]
pub struct Game {
    home: String,
    away: String,
    outcome: Outcome,
}

#[differentiable]
fn log_likelihood(
    ratings: &[f64],
    home_advantage: f64,
    log_tie: f64,
    #[no_diff] index: &HashMap<String, usize>,
    #[no_diff] games: &[Game],
) -> f64 {
    let nu = log_tie.exp();
    let mut total = 0.0;
    for game in games {
        let (i, j) = (index[&game.home], index[&game.away]);
        let a = (ratings[i] + home_advantage).exp();
        let b = ratings[j].exp();
        let tie = nu * (a * b).sqrt();
        let z = a + b + tie;
        let p = match game.outcome {
            Outcome::Home => a / z,
            Outcome::Away => b / z,
            Outcome::Draw => tie / z,
        };
        total += p.ln();
    }
    let prior: f64 = ratings.iter().map(|r| -0.5 * r * r).sum();
    total + prior
}

#[test]
fn the_derivatives_agree_with_differences() {
    let names = ["a", "b", "c"];
    let index: HashMap<String, usize> = names.iter().enumerate().map(|(k, n)| (n.to_string(), k)).collect();
    let g = |h: &str, a: &str, o| Game { home: h.into(), away: a.into(), outcome: o };
    let games = vec![g("a", "b", Outcome::Home), g("b", "c", Outcome::Draw), g("c", "a", Outcome::Away)];
    autodiff::check_grads!(log_likelihood, &[0.3, -0.2, 0.1], 0.25, -0.4, &index, &games);
}
