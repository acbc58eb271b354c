//! The likelihood of a phylogenetic tree by Felsenstein's pruning, under the model of Hasegawa, Kishino and Yano.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Clone, Debug)]
enum Tree {
    Leaf { taxon: usize },
    Node { left: Box<Tree>, left_edge: usize, right: Box<Tree>, right_edge: usize },
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Base {
    A,
    C,
    G,
    T,
    Gap,
}

impl Base {
    fn index(self) -> Option<usize> {
        match self {
            Base::A => Some(0),
            Base::C => Some(1),
            Base::G => Some(2),
            Base::T => Some(3),
            Base::Gap => None,
        }
    }
}

#[derive(Clone, Differentiable)]
struct Hky {
    log_kappa: f64,
    log_lengths: Vec<f64>,
}

type Partial = [f64; 4];

/// The transition probabilities of Kimura's model, the case of equal frequencies.
#[differentiable]
fn transition(kappa: f64, t: f64) -> [[f64; 4]; 4] {
    let beta = 1.0 / (kappa + 2.0);
    let e1 = (-4.0 * beta * t).exp();
    let e2 = (-2.0 * beta * (kappa + 1.0) * t).exp();
    let same = 0.25 + 0.25 * e1 + 0.5 * e2;
    let transition = 0.25 + 0.25 * e1 - 0.5 * e2;
    let transversion = 0.25 - 0.25 * e1;
    let mut p = [[transversion; 4]; 4];
    for i in 0..4 {
        p[i][i] = same;
        p[i][(i + 2) % 4] = transition;
    }
    p
}

#[differentiable]
fn partial(model: &Hky, #[no_diff] tree: &Tree, #[no_diff] site: &[Base]) -> Partial {
    match tree {
        Tree::Leaf { taxon } => match site[*taxon].index() {
            Some(base) => {
                let mut p = [0.0; 4];
                p[base] = 1.0;
                p
            }
            None => [1.0; 4],
        },
        Tree::Node { left, left_edge, right, right_edge } => {
            let kappa = model.log_kappa.exp();
            let (l, r) = (partial(model, left, site), partial(model, right, site));
            let pl = transition(kappa, model.log_lengths[*left_edge].exp());
            let pr = transition(kappa, model.log_lengths[*right_edge].exp());
            let mut out = [0.0; 4];
            for s in 0..4 {
                let from_left: f64 = pl[s].iter().zip(l.iter()).map(|(p, l)| p * l).sum();
                let from_right: f64 = pr[s].iter().zip(r.iter()).map(|(p, r)| p * r).sum();
                out[s] = from_left * from_right;
            }
            out
        }
    }
}

#[differentiable]
fn log_likelihood(model: &Hky, #[no_diff] tree: &Tree, #[no_diff] sites: &[Vec<Base>]) -> f64 {
    sites.iter().map(|site| (0.25 * partial(model, tree, site).iter().sum::<f64>()).ln()).sum()
}

#[test]
fn gradient() {
    use Base::*;
    let leaf = |taxon| Box::new(Tree::Leaf { taxon });
    let node = |left, left_edge, right, right_edge| Box::new(Tree::Node { left, left_edge, right, right_edge });
    let tree = node(node(leaf(0), 0, leaf(1), 1), 2, node(leaf(2), 3, leaf(3), 4), 5);
    let sites = vec![vec![A, A, G, G], vec![C, T, C, C], vec![G, G, Gap, A], vec![T, T, T, T], vec![A, C, G, T]];
    let model = |p: &[f64]| Hky { log_kappa: p[0], log_lengths: p[1..].to_vec() };
    let at = [0.7, -1.0, -1.5, -2.0, -0.8, -1.2, -2.2];
    let g = log_likelihood::grad(&model(&at), &tree, &sites);
    let gradient = [vec![g.log_kappa], g.log_lengths].concat();
    check(|p| log_likelihood(&model(p), &tree, &sites), &at, &gradient);
}
