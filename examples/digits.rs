//! Learns to read handwritten digits.
//!
//! ```text
//! cargo run --release --example digits -- --help
//! ```
//!
//! The first part is all there is to differentiation: the model is a struct, its loss a function. The rest
//! is what every training program has: a command line, a table, and in `common` data, a loop, a plot and a file of weights.

mod common;

use autodiff::DifferentiableFn;
use autodiff::prelude::*;
use clap::Parser;
use comfy_table::{Table, presets};
use common::training::{BATCH, History, Plan, fit};
use common::{digits, plot, weights};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// A perceptron of three layers: 64 pixels, 128 and 64 hidden units, 10 digits.
#[derive(Differentiable, Clone)]
struct Mlp {
    w1: Tensor2<f32, 64, 128>,
    b1: Tensor1<f32, 128>,
    w2: Tensor2<f32, 128, 64>,
    b2: Tensor1<f32, 64>,
    w3: Tensor2<f32, 64, 10>,
    b3: Tensor1<f32, 10>,
}

#[differentiable]
fn logits<const B: usize>(p: &Mlp, #[no_diff] x: &Tensor2<f32, B, 64>) -> Tensor2<f32, B, 10> {
    let h = (x.matmul(p.w1) + p.b1).relu();
    let h = (h.matmul(p.w2) + p.b2).relu();
    h.matmul(p.w3) + p.b3
}

#[differentiable]
fn loss<const B: usize>(p: &Mlp, #[no_diff] x: &Tensor2<f32, B, 64>, labels: &[usize; B]) -> f32 {
    logits(p, x).cross_entropy(labels)
}

/// Trains a multilayer perceptron on the UCI digits.
#[derive(Parser)]
#[command(name = "digits")]
struct Options {
    /// Passes over the training data; 0 only measures the accuracy.
    #[arg(long, default_value_t = 120)]
    epochs: usize,
    /// Learning rate at the start; it falls to 0 along half a cosine.
    #[arg(long, default_value_t = 0.004)]
    learning_rate: f32,
    /// How strongly weights are drawn to 0.
    #[arg(long, default_value_t = 0.1)]
    weight_decay: f32,
    /// Seed of the split, the first weights and the order of the digits.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Starts from the weights in this file.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Writes the trained weights to this file, as safetensors.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Draws the loss of every epoch.
    #[arg(long, value_name = "FILE", default_value = "digits-loss.svg")]
    plot: PathBuf,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn Error>> {
    let (mut train, test) = digits::split(options.seed)?;
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut params = Mlp {
        w1: Tensor::zeros(),
        b1: Tensor::zeros(),
        w2: Tensor::zeros(),
        b2: Tensor::zeros(),
        w3: Tensor::zeros(),
        b3: Tensor::zeros(),
    };
    weights::start(&mut params, &mut rng);
    if let Some(file) = &options.load {
        weights::load(&mut params, file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let Options { epochs, learning_rate, weight_decay, .. } = *options;
    let plan = Plan { epochs, learning_rate, weight_decay };
    let history = fit(&mut params, &mut train, &plan, &mut rng, loss::value_and_grad_into);
    if let Some(file) = &options.save {
        weights::save(&params, file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if !history.loss.is_empty() {
        plot::loss(&history.loss, &options.plot).map_err(|error| format!("{}: {error}", options.plot.display()))?;
        println!("The loss of every epoch is in {}.", options.plot.display());
    }
    let read = |x: &Tensor2<f32, 1, 64>| logits(&params, x);
    let accuracies = [digits::accuracy(&train, read), digits::accuracy(&test, read)];
    println!("{}", report(&params, &history, accuracies));
    Ok(())
}

fn report(params: &Mlp, history: &History, [training, test]: [f64; 2]) -> Table {
    // What the generated code needs in memory is known at compile time.
    type Loss = loss<BATCH>;
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.add_row(["parameters", &params.flat_len().to_string()]);
    table.add_row(["residuals", &format!("{} bytes", Loss::RESIDUAL_BYTES)]);
    table.add_row(["workspace", &format!("{} bytes", Loss::WORKSPACE_BYTES)]);
    for (what, value) in history.rows() {
        table.add_row([what, &value]);
    }
    table.add_row(["training accuracy", &format!("{:.2} %", 100.0 * training)]);
    table.add_row(["test accuracy", &format!("{:.2} %", 100.0 * test)]);
    table
}
