//! Lists inside of a function of structs without a derivative, of constants and of variants.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Copy)]
struct Term {
    at: usize,
    weight: f64,
}

impl Term {
    fn new(at: usize) -> Term {
        Term { at, weight: 0.3 * at as f64 }
    }

    fn value(&self) -> f64 {
        self.weight * self.weight
    }
}

const LEFT: usize = 2;
const RIGHT: usize = 0;

struct Side;

impl Side {
    const A: usize = 1;
    const B: usize = 2;
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Idle,
    Heating,
}

const FIRST: Mode = Mode::Heating;
const SECOND: Mode = Mode::Idle;

mod bare {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Turn {
        Back,
        Forth,
    }
}

use bare::Turn::{self, *};

#[differentiable(order = 2)]
fn structs(x: &[f64]) -> f64 {
    let terms = [Term { at: 0, weight: 0.5 }, Term { at: 1, weight: 2.0 }];
    let mut s = 0.0;
    for term in &terms {
        s += term.weight * x[term.at] * x[0];
        if term.weight > 1.0 {
            s *= x[1];
        }
    }
    for k in 0..terms.len() {
        s += terms[k].weight * x[terms[k].at].sin() + terms[k].value() * x[2];
    }
    s + terms.iter().map(|t| t.weight * x[t.at]).sum::<f64>()
}

#[differentiable(order = 2)]
fn made(x: &[f64], n: usize) -> f64 {
    let terms = [Term::new(n), Term { at: n - 1, weight: 0.1 }, Term::new(0)];
    let more = vec![Term { at: 1, weight: 0.7 }, Term { at: n, weight: 0.2 }];
    let mut s = 0.0;
    for (k, Term { at, weight }) in terms.iter().enumerate() {
        s += weight * x[*at] * x[k];
    }
    for term in more.iter().rev() {
        s = s * x[term.at] + term.weight;
    }
    for term in more {
        s += term.value() * x[term.at];
    }
    s
}

#[differentiable(order = 2)]
fn constants(x: &[f64]) -> f64 {
    let sides = [LEFT, RIGHT];
    let own = [Side::A, Side::B];
    let mut s = 0.0;
    for i in &sides {
        s += x[*i] * x[0];
    }
    for (k, &i) in own.iter().enumerate() {
        s += x[i] * x[k].sin();
    }
    s + sides.iter().zip(x).map(|(i, v)| v * x[*i]).sum::<f64>() * x[sides[1]]
}

#[differentiable(order = 2)]
fn variants(x: f64) -> f64 {
    let modes = [FIRST, SECOND, FIRST];
    let turns = [Back, Forth];
    let mut s = x;
    for mode in &modes {
        s = match mode {
            Mode::Idle => s * x,
            Mode::Heating => s + x.sin(),
        };
    }
    for turn in turns {
        s += if turn == Back { s * x } else { x };
    }
    for k in 0..2 {
        if turns[k] == Turn::Forth {
            s *= x;
        }
    }
    s
}

#[test]
fn lists_are_of_what_they_hold() {
    let x = [0.7, -0.4, 1.2];
    check!(structs(&x) by x = x.to_vec());
    check!(made(&x, 2) by x = x.to_vec());
    check!(constants(&x) by x = x.to_vec());
    check!(variants(x) by x = 0.8);
}
