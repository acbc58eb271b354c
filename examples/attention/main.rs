//! Learns to write sentences, a character at a time.
//!
//! ```text
//! cargo run --release --example attention -- --help
//! ```
//!
//! A transformer of one block reads a text that a small grammar made. Subject and verb agree in number, with an adverb in
//! between: whether an `s` follows `the dogs often see` is decided many letters before. In the end the model
//! writes sentences of its own, and the grammar says which of them are right.

#[path = "../common/mod.rs"]
mod common;
mod grammar;

use autodiff::optim::AdamW;
use autodiff::prelude::*;
use clap::Parser;
use comfy_table::{Table, presets};
use common::training::{cosine, progress};
use common::weights;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use std::process::ExitCode;
use std::time::Instant;

/// What texts are made of.
const ALPHABET: &[u8; LETTERS] = b" .abcdefghijklmnopqrstuvwxyz";
const LETTERS: usize = 28;

/// Letters in a piece of text, which is as long as the longest sentence, and how many pieces a step goes through.
const TIME: usize = 48;
const BATCH: usize = 8;
const TOKENS: usize = BATCH * TIME;

/// Numbers for each letter in the text, in 4 heads of 12.
const WIDTH: usize = 48;
const HEADS: usize = 4;
const PART: usize = WIDTH / HEADS;
const INNER: usize = 4 * WIDTH;

#[derive(Differentiable, Clone)]
struct Norm {
    scale: Tensor1<f32, WIDTH>,
    shift: Tensor1<f32, WIDTH>,
}

#[derive(Differentiable, Clone)]
struct Attention {
    query: Tensor2<f32, WIDTH, WIDTH>,
    key: Tensor2<f32, WIDTH, WIDTH>,
    value: Tensor2<f32, WIDTH, WIDTH>,
    out: Tensor2<f32, WIDTH, WIDTH>,
}

#[derive(Differentiable, Clone)]
struct Mlp {
    up: Tensor2<f32, WIDTH, INNER>,
    up_shift: Tensor1<f32, INNER>,
    down: Tensor2<f32, INNER, WIDTH>,
    down_shift: Tensor1<f32, WIDTH>,
}

#[derive(Differentiable, Clone)]
struct Model {
    letters: Tensor2<f32, LETTERS, WIDTH>,
    positions: Tensor2<f32, TIME, WIDTH>,
    first_norm: Norm,
    attention: Attention,
    second_norm: Norm,
    mlp: Mlp,
    last_norm: Norm,
    scores: Tensor2<f32, WIDTH, LETTERS>,
}

#[differentiable]
fn norm<const B: usize>(p: &Norm, x: &Tensor3<f32, B, TIME, WIDTH>) -> Tensor3<f32, B, TIME, WIDTH> {
    x.layer_norm(p.scale, p.shift, 1e-5)
}

/// Each letter looks at those before it, once for each head.
#[differentiable]
fn attend<const B: usize>(p: &Attention, x: &Tensor3<f32, B, TIME, WIDTH>) -> Tensor3<f32, B, TIME, WIDTH> {
    let q = x.matmul(p.query).reshape([B, TIME, HEADS, PART]).permute([0, 2, 1, 3]);
    let k = x.matmul(p.key).reshape([B, TIME, HEADS, PART]).permute([0, 2, 1, 3]);
    let v = x.matmul(p.value).reshape([B, TIME, HEADS, PART]).permute([0, 2, 1, 3]);
    let seen = attention_causal(q, k, v).permute([0, 2, 1, 3]).reshape([B, TIME, WIDTH]);
    seen.matmul(p.out)
}

#[differentiable]
fn mlp<const B: usize>(p: &Mlp, x: &Tensor3<f32, B, TIME, WIDTH>) -> Tensor3<f32, B, TIME, WIDTH> {
    (x.matmul(p.up) + p.up_shift).gelu_tanh().matmul(p.down) + p.down_shift
}

/// Scores of the letters that may follow each letter.
#[differentiable]
fn logits<const B: usize>(p: &Model, text: &[[usize; TIME]; B]) -> Tensor3<f32, B, TIME, LETTERS> {
    let x = p.letters.embedding(text) + p.positions;
    let x = x + attend(&p.attention, &norm(&p.first_norm, &x));
    let x = x + mlp(&p.mlp, &norm(&p.second_norm, &x));
    norm(&p.last_norm, &x).matmul(p.scores)
}

/// The mean cross entropy of the letter that follows.
#[differentiable]
fn loss(p: &Model, text: &[[usize; TIME]; BATCH], next: &[usize; TOKENS]) -> f32 {
    logits(p, text).reshape([TOKENS, LETTERS]).cross_entropy(next)
}

/// Trains a transformer on a text from a grammar.
#[derive(Parser)]
#[command(name = "attention")]
struct Options {
    /// Steps of the optimiser.
    #[arg(long, default_value_t = 3000)]
    steps: usize,
    /// Learning rate at the start; it falls to 0 along half a cosine.
    #[arg(long, default_value_t = 0.003)]
    learning_rate: f32,
    /// How strongly weights are drawn to 0.
    #[arg(long, default_value_t = 0.01)]
    weight_decay: f32,
    /// Seed of the text, the first weights and what is written.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many sentences the model writes.
    #[arg(long, default_value_t = 200)]
    sentences: usize,
}

/// The loss has to fall below this share of the entropy of single letters.
const SHARE: f64 = 0.2;

/// And this share of the sentences has to be right.
const RIGHT: f64 = 0.7;

fn main() -> ExitCode {
    let options = Options::parse();
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let text = Text::new(5000, &mut rng);
    let entropy = text.entropy();
    let mut model = start(&mut rng);

    let begin = Instant::now();
    let last = fit(&mut model, &text, &options, &mut rng);
    let time = begin.elapsed();

    let written: Vec<String> = (0..options.sentences).map(|_| write(&model, &mut rng)).collect();
    let right = written.iter().filter(|sentence| grammar::accepts(sentence)).count();
    for sentence in written.iter().take(12) {
        println!("{} {sentence}", if grammar::accepts(sentence) { ' ' } else { '!' });
    }

    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.add_row(["parameters", &model.flat_len().to_string()]);
    table.add_row(["training time", &format!("{time:.1?} for {} steps", options.steps)]);
    table.add_row(["entropy of single letters", &format!("{entropy:.3}")]);
    table.add_row(["loss of the last steps", &format!("{last:.3}")]);
    table.add_row(["sentences that are right", &format!("{right} of {}", written.len())]);
    println!("{table}");

    // Not a number is not enough.
    let learnt = last <= SHARE * entropy && right as f64 >= RIGHT * written.len() as f64;
    if !learnt {
        eprintln!("error: the model has not learnt the language");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Sentences of the grammar.
struct Text {
    /// Places in the alphabet.
    letters: Vec<usize>,
    /// Where the sentences begin, each with a blank.
    starts: Vec<usize>,
}

impl Text {
    fn new(sentences: usize, rng: &mut ChaCha8Rng) -> Text {
        let mut text = Text { letters: Vec::new(), starts: Vec::new() };
        for _ in 0..sentences {
            text.starts.push(text.letters.len());
            text.letters.push(0);
            let sentence = grammar::sentence(rng);
            let places = sentence.bytes().map(|letter| ALPHABET.iter().position(|other| *other == letter));
            text.letters.extend(places.map(|place| place.expect("a letter of the alphabet")));
        }
        text
    }

    /// A piece from the beginning of a sentence, and the letters that follow each of its letters.
    fn piece(&self, rng: &mut ChaCha8Rng) -> ([usize; TIME], [usize; TIME]) {
        loop {
            let start = *self.starts.choose(rng).expect("some sentences");
            if let Some(piece) = self.letters[start..].first_chunk() {
                if let Some(next) = self.letters[start + 1..].first_chunk() {
                    return (*piece, *next);
                }
            }
        }
    }

    /// What a model would lose that knows how frequent letters are, and nothing else.
    fn entropy(&self) -> f64 {
        let count = |letter| self.letters.iter().filter(|other| **other == letter).count();
        let shares = (0..LETTERS).map(|letter| count(letter) as f64 / self.letters.len() as f64);
        shares.filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum()
    }
}

fn start(rng: &mut ChaCha8Rng) -> Model {
    let norm = Norm { scale: Tensor::ones(), shift: Tensor::zeros() };
    let attention =
        Attention { query: Tensor::zeros(), key: Tensor::zeros(), value: Tensor::zeros(), out: Tensor::zeros() };
    let mlp =
        Mlp { up: Tensor::zeros(), up_shift: Tensor::zeros(), down: Tensor::zeros(), down_shift: Tensor::zeros() };
    let mut model = Model {
        letters: Tensor::zeros(),
        positions: Tensor::zeros(),
        first_norm: norm.clone(),
        attention,
        second_norm: norm.clone(),
        mlp,
        last_norm: norm,
        scores: Tensor::zeros(),
    };
    weights::start(&mut model, rng);
    model
}

/// Trains on pieces of the text, and gives the mean loss of the last tenth of the steps.
fn fit(model: &mut Model, text: &Text, options: &Options, rng: &mut ChaCha8Rng) -> f64 {
    let bar = progress(options.steps, "step");
    let mut adam = AdamW::new(model, options.learning_rate, options.weight_decay);
    let mut gradient = model.zero_tangent();
    let mut last = Vec::new();
    for step in 0..options.steps {
        let mut pieces = [[0; TIME]; BATCH];
        let mut next = [[0; TIME]; BATCH];
        for (piece, next) in pieces.iter_mut().zip(&mut next) {
            (*piece, *next) = text.piece(rng);
        }
        let next = *next.as_flattened().first_chunk().expect("as many as there are tokens");
        let value = loss::value_and_grad_into(model, &pieces, &next, &mut gradient);
        adam.adam.learning_rate = options.learning_rate * cosine(step as f32 / options.steps as f32);
        adam.step(model, &gradient);

        if step + options.steps.div_ceil(10) >= options.steps {
            last.push(f64::from(value));
        }
        bar.set_message(format!("{value:.3}"));
        bar.inc(1);
    }
    bar.finish();
    last.iter().sum::<f64>() / last.len() as f64
}

/// Writes a sentence: each letter is drawn as the model thinks it likely. What stands behind a letter does not matter
/// to its scores.
fn write(model: &Model, rng: &mut ChaCha8Rng) -> String {
    let mut text = [0; TIME];
    let mut sentence = String::new();
    for now in 0..TIME - 1 {
        let scores = logits(model, &[text]).into_inner()[0][now];
        let highest = scores.iter().fold(f32::MIN, |max, score| max.max(*score));
        let weights = scores.map(|score| (score - highest).exp());
        let mut drawn = rng.random_range(0.0..weights.iter().sum());
        let letter = weights.iter().position(|weight| {
            drawn -= weight;
            drawn < 0.0
        });
        text[now + 1] = letter.unwrap_or(0);
        sentence.push(char::from(ALPHABET[text[now + 1]]));
        if sentence.ends_with('.') {
            break;
        }
    }
    sentence
}
