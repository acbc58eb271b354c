//! Recommendation and word vectors: matrix factorisation with biases, and skip-gram with negative sampling.

use crate::differences::check;
use autodiff::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug)]
struct Rating {
    user: usize,
    item: usize,
    stars: f32,
}

#[derive(Clone, Debug, Differentiable)]
struct Factors {
    bias: f64,
    vector: Vec<f64>,
}

#[derive(Clone, Debug, Differentiable)]
struct Recommender {
    mean: f64,
    users: Vec<Factors>,
    items: Vec<Factors>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Regularisation {
    bias: f64,
    factors: f64,
}

#[differentiable]
impl Recommender {
    fn predict(&self, #[no_diff] user: usize, #[no_diff] item: usize) -> f64 {
        let (u, i) = (&self.users[user], &self.items[item]);
        let interaction: f64 = u.vector.iter().zip(&i.vector).map(|(a, b)| a * b).sum();
        self.mean + u.bias + i.bias + interaction
    }

    fn loss(&self, #[no_diff] ratings: &[Rating], #[no_diff] reg: Regularisation) -> f64 {
        let error: f64 =
            ratings.iter().map(|r| (self.predict(r.user, r.item).clamp(0.5, 5.5) - f64::from(r.stars)).powi(2)).sum();
        let penalty: f64 = self
            .users
            .iter()
            .chain(self.items.iter())
            .map(|f| reg.bias * f.bias * f.bias + reg.factors * f.vector.iter().map(|v| v * v).sum::<f64>())
            .sum();
        error / ratings.len() as f64 + penalty
    }
}

struct Vocabulary {
    index: HashMap<String, usize>,
    words: Vec<String>,
}

impl Vocabulary {
    fn new(text: &str) -> Self {
        let mut v = Vocabulary { index: HashMap::new(), words: vec![] };
        for word in text.split_whitespace() {
            if !v.index.contains_key(word) {
                v.index.insert(word.to_string(), v.words.len());
                v.words.push(word.to_string());
            }
        }
        v
    }
}

#[derive(Clone, Debug, Differentiable)]
struct SkipGram {
    input: Vec<[f64; 3]>,
    output: Vec<[f64; 3]>,
}

#[differentiable]
fn log_sigmoid(x: f64) -> f64 {
    -((-x).exp() + 1.0).ln()
}

#[differentiable]
fn skip_gram_loss(
    model: &SkipGram,
    #[no_diff] text: &str,
    #[no_diff] vocabulary: &Vocabulary,
    #[no_diff] window: usize,
) -> f64 {
    let tokens: Vec<usize> = text.split_whitespace().filter_map(|w| vocabulary.index.get(w).copied()).collect();
    let mut loss = 0.0;
    for (position, &centre) in tokens.iter().enumerate() {
        let start = position.saturating_sub(window);
        let end = (position + window + 1).min(tokens.len());
        for context in start..end {
            if context == position {
                continue;
            }
            let v = &model.input[centre];
            let score = |word: usize| -> f64 { v.iter().zip(&model.output[word]).map(|(a, b)| a * b).sum() };
            loss -= log_sigmoid(score(tokens[context]));
            let negative = (centre * 7 + context * 3) % vocabulary.words.len();
            if negative != tokens[context] {
                loss -= log_sigmoid(-score(negative));
            }
        }
    }
    loss
}

#[test]
fn gradient() {
    let ratings: Vec<Rating> =
        (0..9).map(|i| Rating { user: i % 3, item: (i * 2) % 4, stars: 1.0 + (i % 5) as f32 }).collect();
    let reg = Regularisation { bias: 0.1, ..Default::default() };
    let factors =
        |p: &[f64]| -> Vec<Factors> { p.chunks(3).map(|c| Factors { bias: c[0], vector: c[1..].to_vec() }).collect() };
    let model = |p: &[f64]| Recommender { mean: p[0], users: factors(&p[1..10]), items: factors(&p[10..22]) };
    let mut at: Vec<f64> = (0..22).map(|i| 0.5 * (i as f64 * 1.1).sin()).collect();
    at[0] = 3.0;
    let g = model(&at).loss_grad(&ratings, reg);
    let mut gradient = vec![g.mean];
    for f in g.users.iter().chain(&g.items) {
        gradient.push(f.bias);
        gradient.extend(&f.vector);
    }
    check(|p| model(p).loss(&ratings, reg), &at, &gradient);

    let text = "the cat sat on the mat and the dog sat on the cat";
    let vocabulary = Vocabulary::new(text);
    let n = 3 * vocabulary.words.len();
    let rows = |p: &[f64]| -> Vec<[f64; 3]> { p.chunks(3).map(|c| [c[0], c[1], c[2]]).collect() };
    let model = |p: &[f64]| SkipGram { input: rows(&p[..n]), output: rows(&p[n..]) };
    let at: Vec<f64> = (0..2 * n).map(|i| 0.5 * (i as f64 * 1.7).cos()).collect();
    let g = skip_gram_loss::grad(&model(&at), text, &vocabulary, 2);
    check(|p| skip_gram_loss(&model(p), text, &vocabulary, 2), &at, &[g.input.concat(), g.output.concat()].concat());
}
