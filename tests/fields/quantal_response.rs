//! Game theory: a logit quantal response equilibrium, by a damped fixed point (McKelvey and Palfrey 1995).

use crate::differences::check;
use autodiff::prelude::*;
#[derive(Differentiable, Clone, Debug)]
struct Game<const R: usize, const C: usize> {
    row: [[f64; C]; R],
    column: [[f64; C]; R],
}
#[differentiable]
fn logit<const N: usize>(payoff: &[f64; N], lambda: f64) -> [f64; N] {
    let most = payoff.iter().fold(f64::MIN, |m, &p| m.max(p));
    let e = payoff.map(|p| (lambda * (p - most)).exp());
    let sum: f64 = e.iter().sum();
    e.map(|x| x / sum)
}
#[differentiable]
fn equilibrium(game: &Game<3, 2>, lambda: f64) -> ([f64; 3], [f64; 2]) {
    let mut p = [1.0 / 3.0; 3];
    let mut q = [0.5; 2];
    let mut change = f64::INFINITY;
    let mut count = 0;
    while change > 1e-13 && count < 500 {
        let mut u = [0.0; 3];
        let mut w = [0.0; 2];
        for i in 0..3 {
            for j in 0..2 {
                u[i] += game.row[i][j] * q[j];
                w[j] += game.column[i][j] * p[i];
            }
        }
        let (p_new, q_new) = (logit(&u, lambda), logit(&w, lambda));
        change = p.iter().zip(&p_new).map(|(a, b)| (a - b).abs()).sum::<f64>() + (q[0] - q_new[0]).abs();
        for (a, b) in p.iter_mut().zip(p_new) {
            *a = 0.5 * (*a + b);
        }
        for (a, b) in q.iter_mut().zip(q_new) {
            *a = 0.5 * (*a + b);
        }
        count += 1;
    }
    (p, q)
}
#[differentiable]
fn welfare(game: &Game<3, 2>, lambda: f64) -> f64 {
    let (p, q) = equilibrium(game, lambda);
    (0..3)
        .flat_map(|i| (0..2).map(move |j| (i, j)))
        .map(|(i, j)| p[i] * q[j] * (game.row[i][j] + game.column[i][j]))
        .sum()
}
#[test]
fn gradient() {
    let game = |p: &[f64]| Game {
        row: [[p[0], p[1]], [p[2], p[3]], [p[4], p[5]]],
        column: [[p[6], p[7]], [p[8], p[9]], [p[10], p[11]]],
    };
    let at = [1.0, 0.2, 0.4, 0.9, 0.6, 0.5, 0.1, 0.8, 0.9, 0.3, 0.5, 0.6, 1.5];
    let (g, l) = welfare::grad(&game(&at), 1.5);
    check(|p| welfare(&game(p), p[12]), &at, &[&g.row.concat()[..], &g.column.concat(), &[l]].concat());
}
