//! Elements of a slice of structs that hold data without a derivative, handed to functions and methods.

use crate::harness::{check, twins};
use autodiff::prelude::*;

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Round,
    Square(f64),
}

#[derive(Clone, Debug, Differentiable)]
struct Law {
    scale: f64,
    power: f64,
    #[no_diff]
    label: &'static str,
}

#[derive(Clone, Debug, Differentiable)]
struct Reaction {
    forward: Law,
    reverse: Option<f64>,
    #[no_diff]
    terms: Vec<(usize, i32)>,
    #[no_diff]
    name: String,
    #[no_diff]
    shape: Shape,
    heat: [f64; 2],
    at: usize,
}

#[differentiable(order = 2)]
fn of_law(law: &Law, x: f64) -> f64 {
    law.scale * x.powf(law.power) + law.label.len() as f64 * x
}

#[differentiable(order = 2)]
impl Reaction {
    fn rate(&self, c: &[f64; 3]) -> f64 {
        let product: f64 = self.terms.iter().map(|&(s, nu)| c[s].powi(nu)).product();
        let mut rate = of_law(&self.forward, product) * self.heat[0];
        if let Some(reverse) = self.reverse {
            rate -= reverse * c[self.at];
        }
        match self.shape {
            Shape::Round => rate,
            Shape::Square(k) => rate * k * rate,
        }
    }

    fn slow(&self) -> bool {
        self.name.starts_with("slow")
    }
}

#[differentiable(order = 2)]
fn total(reactions: &[Reaction], c: &[f64; 3]) -> f64 {
    let mut total = 0.0;
    for reaction in reactions {
        total += reaction.rate(c) * reaction.heat[1];
    }
    total
}

/// The same with a loop of another kind, a branch, and numbers that change beside it.
#[differentiable(order = 2)]
fn in_a_while_loop(reactions: &[Reaction], c: &[f64; 3]) -> f64 {
    let (mut total, mut c, mut i) = (0.0, *c, 0);
    while i < reactions.len() {
        let r = &reactions[i];
        let rate = if r.slow() { 0.5 * r.rate(&c) } else { r.rate(&c) };
        for &(s, nu) in &r.terms {
            c[s] += 0.01 * f64::from(nu) * rate;
        }
        total += rate;
        i += 1;
    }
    total * c[0]
}

#[differentiable(order = 2)]
fn twice(reactions: &[Reaction], c: &[f64; 3]) -> f64 {
    let rates: Vec<f64> = reactions.iter().map(|r| r.rate(c)).collect();
    let last = &reactions[reactions.len() - 1];
    rates.iter().zip(reactions).map(|(rate, r)| rate * of_law(&r.forward, r.heat[0])).sum::<f64>() + last.rate(c)
}

/// A callee that changes something, and one that calls itself.
#[differentiable(order = 2)]
fn moved(c: &mut [f64; 3], reaction: &Reaction, depth: usize) {
    if depth > 0 {
        let rate = reaction.rate(c);
        c[reaction.at] += 0.1 * rate;
        moved(c, reaction, depth - 1);
    }
}

#[differentiable(order = 2)]
fn changed(reactions: &[Reaction], c: &[f64; 3]) -> f64 {
    let mut c = *c;
    for k in [1, 0] {
        moved(&mut c, &reactions[k], 2);
    }
    c.iter().map(|c| c * c).sum()
}

#[differentiable(order = 2)]
fn one_by_one(reactions: &[Reaction], c: &[f64; 3]) -> f64 {
    let mut total = 0.0;
    for r in reactions {
        let product: f64 = r.terms.iter().map(|&(s, nu)| c[s].powi(nu)).product();
        let mut rate =
            (r.forward.scale * product.powf(r.forward.power) + r.forward.label.len() as f64 * product) * r.heat[0];
        if let Some(reverse) = r.reverse {
            rate -= reverse * c[r.at];
        }
        let rate = if let Shape::Square(k) = r.shape { rate * k * rate } else { rate };
        total += rate * r.heat[1];
    }
    total
}

#[test]
fn elements_are_handed_on() {
    let law = |scale, label| Law { scale, power: 1.2, label };
    let reactions = vec![
        Reaction {
            forward: law(0.7, "a"),
            reverse: Some(0.3),
            terms: vec![(0, 1), (1, 2)],
            name: "slow one".into(),
            shape: Shape::Round,
            heat: [0.8, 1.5],
            at: 2,
        },
        Reaction {
            forward: law(0.4, "bc"),
            reverse: None,
            terms: vec![(2, 1)],
            name: "other".into(),
            shape: Shape::Square(0.6),
            heat: [1.1, -0.5],
            at: 1,
        },
    ];
    let c = [0.9, 1.2, 0.6];
    let by_calls = check!(total(&reactions, &c) by [reactions, c]);
    twins(&by_calls, &check!(one_by_one(&reactions, &c) by [reactions, c]));
    check!(in_a_while_loop(&reactions, &c) by [reactions, c]);
    check!(twice(&reactions, &c) by [reactions, c]);
    check!(changed(&reactions, &c) by [reactions, c]);
}

/// A list of integers, an enum with data, and text in a variant.
#[derive(Clone, Debug, Differentiable)]
struct Group {
    weight: f64,
    #[no_diff]
    members: Vec<usize>,
}

#[derive(Clone, Debug, Differentiable)]
enum Term {
    Named(f64, #[no_diff] String),
    Plain(f64),
}

#[differentiable(order = 2)]
fn of_group(group: &Group, x: &[f64; 3]) -> f64 {
    group.weight * group.weight * group.members.iter().map(|&i| x[i]).product::<f64>()
}

#[differentiable(order = 2)]
fn of_term(term: &Term) -> f64 {
    match term {
        Term::Named(x, _) => x * x,
        Term::Plain(x) => x.sin(),
    }
}

#[differentiable(order = 2)]
fn of_lists(groups: &[Group], terms: &[Term], x: &[f64; 3]) -> f64 {
    let mut total = of_group(&groups[0], x);
    for (group, term) in groups.iter().zip(terms) {
        total += of_group(group, x) * of_term(term);
    }
    total * of_term(&terms[1])
}

#[test]
fn lists_and_variants_are_handed_on() {
    let groups = vec![Group { weight: 0.6, members: vec![0, 2, 2] }, Group { weight: 1.3, members: vec![1] }];
    let terms = vec![Term::Named(0.4, "abc".into()), Term::Plain(0.9)];
    let x = [0.5, -0.8, 1.2];
    check!(of_lists(&groups, &terms, &x) by [groups, terms, x]);
}
