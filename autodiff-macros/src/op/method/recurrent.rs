//! The cells of recurrent networks, for one step of a vector `[size]` or of a batch `[batch, size]`.
//! Weights are `[gates · hidden, size]`, gate by gate, as PyTorch keeps them.

use super::ParamKind::Operand;
use super::{Arg, Several, require};
use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::op::Mismatch;
use crate::op::elementwise as rows;
use crate::op::linalg::{MatMul, MatVec};
use crate::op::nest::affine;
use crate::op::page::Page;

pub static SEVERAL: &[Several] = &[
    // `let (h, c) = lstm_cell(x, h, c, w_ih, w_hh, b);`
    Several {
        name: "lstm_cell",
        page: Page {
            calls: &["lstm_cell(x, h, c, w_ih, w_hh, b)"],
            doc: "A step of a long short-term memory, for a vector or a batch: i, f, o = σ(…), g = tanh(…), c′ = f·c + i·g, h′ = o·tanh(c′). Gates in PyTorch's order i, f, g, o.",
            shape: "[n, s], [n, h], [n, h], [4·h, s], [4·h, h], [4·h] -> [n, h], [n, h]",
            derivative: "that of its formulas",
            example: "(x: &Tensor2<f64, 2, 3>, h: &Tensor2<f64, 2, 2>, c: &Tensor2<f64, 2, 2>, w_ih: &Tensor2<f64, 8, 3>, w_hh: &Tensor2<f64, 8, 2>, b: &Tensor1<f64, 8>) -> Tensor2<f64, 2, 2> {\n    let (h, c) = lstm_cell(x, h, c, w_ih, w_hh, b);\n    h + c\n}",
        },
        params: &[Operand, Operand, Operand, Operand, Operand, Operand],
        build: lstm,
    },
    // `let h = gru_cell(x, h, w_ih, w_hh, b_ih, b_hh);`
    Several {
        name: "gru_cell",
        page: Page {
            calls: &["gru_cell(x, h, w_ih, w_hh, b_ih, b_hh)"],
            doc: "A step of a gated recurrent unit, for a vector or a batch: r, z = σ(…), n = tanh(Wx + b + r·(Uh + b)), h′ = (1 − z)·n + z·h. Gates in PyTorch's order r, z, n.",
            shape: "[n, s], [n, h], [3·h, s], [3·h, h], [3·h], [3·h] -> [n, h]",
            derivative: "that of its formulas",
            example: "(x: &Tensor2<f64, 2, 3>, h: &Tensor2<f64, 2, 2>, w_ih: &Tensor2<f64, 6, 3>, w_hh: &Tensor2<f64, 6, 2>, b_ih: &Tensor1<f64, 6>, b_hh: &Tensor1<f64, 6>) -> Tensor2<f64, 2, 2> {\n    let h = gru_cell(x, h, w_ih, w_hh, b_ih, b_hh);\n    h\n}",
        },
        params: &[Operand, Operand, Operand, Operand, Operand, Operand],
        build: gru,
    },
];

/// The shapes of a cell are right: the input, states, weights of input and state, biases.
fn check(
    b: &mut Builder,
    operator: &str,
    gates: i64,
    x: Var,
    states: &[Var],
    weights: [Var; 2],
    biases: &[Var],
) -> Result<(), Mismatch> {
    let xd = b.ty(x).dims.clone();
    let hd = b.ty(states[0]).dims.clone();
    let note = match gates {
        4 => {
            "`lstm_cell(x, h, c, w_ih, w_hh, b)` takes x [batch, size], h and c [batch, hidden], weights [4 * hidden, size] and [4 * hidden, hidden], a bias [4 * hidden]; or the vectors of one step without `batch`"
        }
        _ => {
            "`gru_cell(x, h, w_ih, w_hh, b_ih, b_hh)` takes x [batch, size], h [batch, hidden], weights [3 * hidden, size] and [3 * hidden, hidden], biases [3 * hidden]; or the vectors of one step without `batch`"
        }
    };
    let refuse = |message: String| Mismatch { message, note: note.into(), help: None };
    let (Some((size, batch)), Some((hidden, _))) = (xd.split_last(), hd.split_last()) else {
        return Err(refuse(format!("`{operator}` of numbers: vectors or matrices are needed")));
    };
    if batch.len() > 1 {
        return Err(refuse(format!("`{operator}` of an input {}: 1 or 2 axes are needed", dim::show(&xd))));
    }
    let all = hidden.times(&Dim::literal(gates));
    let state = [batch, std::slice::from_ref(hidden)].concat();
    let mut expected: Vec<(&str, Var, Vec<Dim>)> = states.iter().map(|var| ("a state", *var, state.clone())).collect();
    // The operands follow the input.
    expected.push(("input weights", weights[0], vec![all.clone(), size.clone()]));
    expected.push(("state weights", weights[1], vec![all.clone(), hidden.clone()]));
    expected.extend(biases.iter().map(|var| ("a bias", *var, vec![all.clone()])));
    for (k, (what, var, dims)) in expected.into_iter().enumerate() {
        let refuse = |message: String| Mismatch {
            help: Some(format!("make `{{{}}}` a tensor {}", k + 1, dim::show(&dims))),
            ..refuse(message)
        };
        let given = b.ty(var).dims.clone();
        let message = format!("`{operator}` with {what} {}: {} is needed", dim::show(&given), dim::show(&dims));
        if given.len() != dims.len() {
            return Err(refuse(message));
        }
        for (given, wanted) in given.iter().zip(&dims) {
            require(b, (given, wanted), refuse(message.clone()))?;
        }
    }
    Ok(())
}

/// x·Wᵀ + bias
fn layer(b: &mut Builder, x: Var, w: Var, bias: Var) -> Var {
    let product = match b.ty(x).rank() {
        1 => b.apply(MatVec { t: false }, &[w, x]),
        _ => b.apply(MatMul { ta: false, tb: true }, &[x, w]),
    };
    b.add(product, bias)
}

/// The element of a gate: gates stand behind each other on the last axis.
fn gate(b: &mut Builder, gates: Var, number: i64, hidden: &Dim, at: &[Var]) -> Var {
    let mut from = at.to_vec();
    if let Some(last) = from.last_mut() {
        *last = affine(b, *last, &Dim::literal(1), &hidden.times(&Dim::literal(number)));
    }
    b.get(gates, &from)
}

/// i, f, o = σ(…), g = tanh(…);  c' = f·c + i·g,  h' = o·tanh(c')
fn lstm(b: &mut Builder, a: &[Arg]) -> Result<Vec<Var>, Mismatch> {
    let [x, h, c, w_ih, w_hh, bias] = [0, 1, 2, 3, 4, 5].map(|k: usize| a[k].var());
    check(b, "lstm_cell", 4, x, &[h, c], [w_ih, w_hh], &[bias])?;
    let ty = b.ty(h).clone();
    let hidden = ty.dims.last().cloned().unwrap_or_default();
    let input = layer(b, x, w_ih, bias);
    let gates = layer(b, h, w_hh, input);
    b.name(gates, "gates");
    let (h_next, c_next) = (b.zero(ty.clone()), b.zero(ty.clone()));
    Ok(b.nest(&ty.dims, &[h_next, c_next], &mut |b, at, next| {
        let [i, f, g, o] = [0, 1, 2, 3].map(|number| gate(b, gates, number, &hidden, at));
        let [i, f, o] = [i, f, o].map(|x| b.map(&rows::sigmoid, &[x]));
        let g = b.map(&rows::tanh, &[g]);
        let old = b.get(c, at);
        let (kept, added) = (b.mul(f, old), b.mul(i, g));
        let c = b.add(kept, added);
        let squashed = b.map(&rows::tanh, &[c]);
        let h = b.mul(o, squashed);
        vec![b.set(next[0], h, at), b.set(next[1], c, at)]
    }))
}

/// r, z = σ(…), n = tanh(Wx + bₓ + r·(Uh + bₕ));  h' = (1 − z)·n + z·h
fn gru(b: &mut Builder, a: &[Arg]) -> Result<Vec<Var>, Mismatch> {
    let [x, h, w_ih, w_hh, b_ih, b_hh] = [0, 1, 2, 3, 4, 5].map(|k: usize| a[k].var());
    check(b, "gru_cell", 3, x, &[h], [w_ih, w_hh], &[b_ih, b_hh])?;
    let ty = b.ty(h).clone();
    let hidden = ty.dims.last().cloned().unwrap_or_default();
    let input = layer(b, x, w_ih, b_ih);
    let state = layer(b, h, w_hh, b_hh);
    let next = b.zero(ty.clone());
    Ok(b.nest(&ty.dims, &[next], &mut |b, at, next| {
        let [xr, xz, xn] = [0, 1, 2].map(|number| gate(b, input, number, &hidden, at));
        let [hr, hz, hn] = [0, 1, 2].map(|number| gate(b, state, number, &hidden, at));
        let (r, z) = (b.add(xr, hr), b.add(xz, hz));
        let [r, z] = [r, z].map(|x| b.map(&rows::sigmoid, &[x]));
        let reset = b.mul(r, hn);
        let n = b.add(xn, reset);
        let n = b.map(&rows::tanh, &[n]);
        // (1 − z)·n + z·h = n + z·(h − n)
        let old = b.get(h, at);
        let step = b.map(&rows::sub, &[old, n]);
        let moved = b.mul(z, step);
        let h = b.add(n, moved);
        vec![b.set(next[0], h, at)]
    }))
}
