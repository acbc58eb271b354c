//! Learns to read handwritten digits with convolutions.
//!
//! ```text
//! cargo run --release --example lenet -- --help
//! ```
//!
//! The network is the one of `LeCun` et al., 1998, in the size of these digits: two convolutions with pooling, two layers.
//! `features` and `logits` are functions like any other; `loss` calls them, and its gradient goes through them.

mod common;

use autodiff::DifferentiableFn;
use autodiff::prelude::*;
use clap::Parser;
use comfy_table::{Table, presets};
use common::training::{BATCH, Plan, fit};
use common::{digits, plot, weights};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// Filters are `[filters, channels, height, width]`, layers `[inputs, outputs]`.
#[derive(Differentiable, Clone)]
struct LeNet {
    k1: Tensor4<f32, 12, 1, 3, 3>,
    c1: Tensor1<f32, 12>,
    k2: Tensor4<f32, 24, 12, 3, 3>,
    c2: Tensor1<f32, 24>,
    w1: Tensor2<f32, 96, 48>,
    b1: Tensor1<f32, 48>,
    w2: Tensor2<f32, 48, 10>,
    b2: Tensor1<f32, 10>,
}

/// What the convolutions see: 24 features in 2 × 2 places of each digit.
#[differentiable]
fn features<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor2<f32, B, 64>) -> Tensor2<f32, B, 96> {
    let image = x.reshape([B, 1, 8, 8]);
    let h = image.conv2d(p.k1, Conv2d { padding: [1, 1], ..Default::default() }) + p.c1.reshape([12, 1, 1]);
    let h = h.relu().max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    let h = h.conv2d(p.k2, Conv2d { padding: [1, 1], ..Default::default() }) + p.c2.reshape([24, 1, 1]);
    let h = h.relu().max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    h.reshape([B, 96])
}

#[differentiable]
fn logits<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor2<f32, B, 64>) -> Tensor2<f32, B, 10> {
    let h = (features(p, x).matmul(p.w1) + p.b1).relu();
    h.matmul(p.w2) + p.b2
}

#[differentiable]
fn loss<const B: usize>(p: &LeNet, #[no_diff] x: &Tensor2<f32, B, 64>, labels: &[usize; B]) -> f32 {
    logits(p, x).cross_entropy(labels)
}

/// What the network has to reach on digits that it has not seen.
const ENOUGH: f64 = 0.98;

/// Trains a convolutional network on the UCI digits.
#[derive(Parser)]
#[command(name = "lenet")]
struct Options {
    /// Passes over the training data.
    #[arg(long, default_value_t = 80)]
    epochs: usize,
    /// Learning rate at the start; it falls to 0 along half a cosine.
    #[arg(long, default_value_t = 0.004)]
    learning_rate: f32,
    /// How strongly weights are drawn to 0.
    #[arg(long, default_value_t = 0.05)]
    weight_decay: f32,
    /// Seed of the split, the first weights and the order of the digits.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Draws the loss of every epoch.
    #[arg(long, value_name = "FILE", default_value = "lenet-loss.svg")]
    plot: PathBuf,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(accuracy) if accuracy >= ENOUGH => ExitCode::SUCCESS,
        Ok(_) => {
            eprintln!("error: fewer than {} % of the digits are read as they were meant", 100.0 * ENOUGH);
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Trains, reports, and gives the accuracy.
fn run(options: &Options) -> Result<f64, Box<dyn Error>> {
    let (mut train, test) = digits::split(options.seed)?;
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut params = LeNet {
        k1: Tensor::zeros(),
        c1: Tensor::zeros(),
        k2: Tensor::zeros(),
        c2: Tensor::zeros(),
        w1: Tensor::zeros(),
        b1: Tensor::zeros(),
        w2: Tensor::zeros(),
        b2: Tensor::zeros(),
    };
    weights::start(&mut params, &mut rng);
    let Options { epochs, learning_rate, weight_decay, .. } = *options;
    let plan = Plan { epochs, learning_rate, weight_decay };
    let history = fit(&mut params, &mut train, &plan, &mut rng, loss::value_and_grad_into);
    plot::loss(&history.loss, &options.plot).map_err(|error| format!("{}: {error}", options.plot.display()))?;
    println!("The loss of every epoch is in {}.", options.plot.display());

    let read = |x: &Tensor2<f32, 1, 64>| logits(&params, x);
    let accuracy = digits::accuracy(&test, read);
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.add_row(["parameters", &params.flat_len().to_string()]);
    table.add_row(["residuals", &format!("{} bytes", <loss<BATCH>>::RESIDUAL_BYTES)]);
    for (what, value) in history.rows() {
        table.add_row([what, &value]);
    }
    table.add_row(["training accuracy", &format!("{:.2} %", 100.0 * digits::accuracy(&train, read))]);
    table.add_row(["test accuracy", &format!("{:.2} %", 100.0 * accuracy)]);
    println!("{table}");
    Ok(accuracy)
}
