//! Recurrent networks: an LSTM over characters.

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Linear {
    weights: Vec<Vec<f64>>,
    bias: Vec<f64>,
}

#[differentiable]
impl Linear {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.weights
            .iter()
            .zip(&self.bias)
            .map(|(row, b)| row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b)
            .collect()
    }
}

#[derive(Clone, Debug, Differentiable)]
struct LstmCell {
    forget: Linear,
    input: Linear,
    candidate: Linear,
    output: Linear,
}

#[derive(Clone, Debug, Differentiable)]
struct LstmState {
    h: Vec<f64>,
    c: Vec<f64>,
}

#[differentiable]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[differentiable]
impl LstmCell {
    fn step(&self, x: &[f64], state: &LstmState) -> LstmState {
        let mut input = x.to_vec();
        input.extend_from_slice(&state.h);
        let f: Vec<f64> = self.forget.forward(&input).into_iter().map(sigmoid).collect();
        let i: Vec<f64> = self.input.forward(&input).into_iter().map(sigmoid).collect();
        let g: Vec<f64> = self.candidate.forward(&input).into_iter().map(f64::tanh).collect();
        let o: Vec<f64> = self.output.forward(&input).into_iter().map(sigmoid).collect();
        let c: Vec<f64> = (0..state.c.len()).map(|k| f[k] * state.c[k] + i[k] * g[k]).collect();
        let h = o.iter().zip(&c).map(|(o, c)| o * c.tanh()).collect();
        LstmState { h, c }
    }
}

#[derive(Clone, Debug, Differentiable)]
struct CharModel {
    embedding: Vec<Vec<f64>>,
    cell: LstmCell,
    head: Linear,
}

struct Text {
    vocabulary: Vec<char>,
    content: String,
}

impl Text {
    fn indices(&self) -> Vec<usize> {
        self.content.chars().filter_map(|c| self.vocabulary.iter().position(|v| *v == c)).collect()
    }
}

#[differentiable]
fn cross_entropy(logits: &[f64], #[no_diff] target: usize) -> f64 {
    let max = logits.iter().fold(f64::MIN, |m, &l| m.max(l));
    let total: f64 = logits.iter().map(|l| (l - max).exp()).sum();
    max + total.ln() - logits[target]
}

#[differentiable]
fn loss(model: &CharModel, #[no_diff] text: &[usize], #[no_diff] hidden: usize) -> f64 {
    let mut state = LstmState { h: vec![0.0; hidden], c: vec![0.0; hidden] };
    let mut loss = 0.0;
    for pair in text.windows(2) {
        let (current, next) = (pair[0], pair[1]);
        state = model.cell.step(&model.embedding[current], &state);
        loss += cross_entropy(&model.head.forward(&state.h), next);
    }
    loss / (text.len() - 1) as f64
}

fn linear(p: &mut impl Iterator<Item = f64>, outputs: usize, inputs: usize) -> Linear {
    Linear {
        weights: (0..outputs).map(|_| p.by_ref().take(inputs).collect()).collect(),
        bias: p.by_ref().take(outputs).collect(),
    }
}

fn model(p: &[f64]) -> CharModel {
    let mut p = p.iter().copied();
    CharModel {
        embedding: (0..3).map(|_| p.by_ref().take(2).collect()).collect(),
        cell: LstmCell {
            forget: linear(&mut p, 2, 4),
            input: linear(&mut p, 2, 4),
            candidate: linear(&mut p, 2, 4),
            output: linear(&mut p, 2, 4),
        },
        head: linear(&mut p, 3, 2),
    }
}

#[test]
fn gradient() {
    let text = Text { vocabulary: vec!['a', 'b', 'c'], content: "abacab, abc".to_string() }.indices();
    let at: Vec<f64> = (0..6 + 40 + 9).map(|i| (i as f64 * 1.9).sin()).collect();
    let g = loss::grad(&model(&at), &text, 2);
    let flat = |l: &LinearTangent| [l.weights.concat(), l.bias.clone()].concat();
    let c = &g.cell;
    let gradient =
        [g.embedding.concat(), flat(&c.forget), flat(&c.input), flat(&c.candidate), flat(&c.output), flat(&g.head)]
            .concat();
    check(|p| loss(&model(p), &text, 2), &at, &gradient);
}
