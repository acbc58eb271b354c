//! Learns to read handwritten digits.
//!
//! ```text
//! cargo run --release --example digits -- --help
//! ```
//!
//! The first part is all there is to differentiation: the model is a struct, its loss a function. The rest
//! is what every training program has: data, a loop, a table, a plot, and a file of weights.

use autodiff::optim::AdamW;
use autodiff::prelude::*;
use autodiff::{DifferentiableFn, Path};
use clap::Parser;
use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use plotters::prelude::*;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::error::Error;
use std::f32::consts::PI;
use std::path::{self, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

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

/// Digits per step.
const BATCH: usize = 32;

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
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut digits = read_digits()?;
    digits.shuffle(&mut rng);
    let count = digits.len() * 4 / 5;
    let (train, test) = digits.split_at_mut(count);

    let mut params = initial(&mut rng);
    if let Some(file) = &options.load {
        load(&mut params, file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let history = fit(&mut params, train, options, &mut rng);
    if let Some(file) = &options.save {
        save(&params, file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if !history.loss.is_empty() {
        plot(&history.loss, &options.plot).map_err(|error| format!("{}: {error}", options.plot.display()))?;
        println!("The loss of every epoch is in {}.", options.plot.display());
    }
    println!("{}", report(&params, &history, train, test));
    Ok(())
}

struct Digit {
    /// From 0 (paper) to 1 (ink), row by row.
    pixels: [f32; 64],
    label: usize,
}

/// The UCI digits, which are compiled into the program, so that it runs anywhere.
fn read_digits() -> Result<Vec<Digit>, Box<dyn Error>> {
    let digit = |line: &str| {
        let mut numbers = line.split(',').map(str::parse::<u8>);
        let mut next = || numbers.next().ok_or("a line with fewer than 65 numbers");
        let mut pixels = [0.0; 64];
        for pixel in &mut pixels {
            *pixel = f32::from(next()??) / 16.0;
        }
        let label = usize::from(next()??);
        Ok(Digit { pixels, label })
    };
    include_str!("data/digits.csv").lines().map(digit).collect()
}

/// Weights after He et al., 2015: uniform, of variance 2 / inputs. Biases are 0.
fn initial(rng: &mut ChaCha8Rng) -> Mlp {
    let mut params = Mlp {
        w1: Tensor::zeros(),
        b1: Tensor::zeros(),
        w2: Tensor::zeros(),
        b2: Tensor::zeros(),
        w3: Tensor::zeros(),
        b3: Tensor::zeros(),
    };
    params.visit_leaves_mut(&Path::ROOT, &mut |_, dims, data| {
        if let [inputs, _] = dims {
            let bound = (6.0 / *inputs as f32).sqrt();
            data.fill_with(|| rng.random_range(-bound..bound));
        }
    });
    params
}

/// What happened in training.
struct History {
    /// The mean loss in each epoch.
    loss: Vec<f32>,
    steps: u32,
    /// In gradients and optimiser steps.
    time: Duration,
}

fn fit(params: &mut Mlp, train: &mut [Digit], options: &Options, rng: &mut ChaCha8Rng) -> History {
    let style = ProgressStyle::with_template("{bar:40} epoch {pos}/{len}, loss {msg}");
    let bar = ProgressBar::new(options.epochs as u64).with_style(style.expect("a valid template"));
    let mut adam = AdamW::new(params, options.learning_rate, options.weight_decay);
    let mut gradient = params.zero_tangent();
    let mut history = History { loss: Vec::new(), steps: 0, time: Duration::ZERO };
    for epoch in 0..options.epochs {
        train.shuffle(rng);
        // What does not fill a batch has its chance in another epoch.
        let batches = train.as_chunks::<BATCH>().0;
        let mut sum = 0.0;
        for (i, batch) in batches.iter().enumerate() {
            let x = Tensor(batch.each_ref().map(|digit| moved(&digit.pixels, rng)));
            let labels = batch.each_ref().map(|digit| digit.label);
            let done = (epoch as f32 + i as f32 / batches.len() as f32) / options.epochs as f32;

            let start = Instant::now();
            sum += loss::value_and_grad_into(params, &x, &labels, &mut gradient);
            adam.adam.learning_rate = options.learning_rate * 0.5 * (1.0 + (PI * done).cos());
            adam.step(params, &gradient);
            history.time += start.elapsed();
            history.steps += 1;
        }
        history.loss.push(sum / batches.len() as f32);
        bar.set_message(format!("{:.5}", history.loss[epoch]));
        bar.inc(1);
    }
    bar.finish();
    history
}

/// The same digit, drawn a fraction of a pixel elsewhere: a perceptron has no other way to learn that
/// this changes nothing.
fn moved(pixels: &[f32; 64], rng: &mut ChaCha8Rng) -> [f32; 64] {
    let mut image = *pixels;
    for stride in [1, 8] {
        let far: f32 = rng.random_range(-0.6..0.6);
        let whole = image;
        for (i, ink) in image.iter_mut().enumerate() {
            // Where ink comes from: the pixel before, or the one behind.
            let (edge, from) = if far > 0.0 { (0, i.wrapping_sub(stride)) } else { (7, i + stride) };
            let inside = i / stride % 8 != edge;
            *ink -= far.abs() * (*ink - if inside { whole[from] } else { 0.0 });
        }
    }
    image
}

/// The share of digits that the model reads as they were meant.
fn accuracy(params: &Mlp, digits: &[Digit]) -> f64 {
    let right = digits.iter().filter(|digit| {
        let scores = logits(params, &Tensor([digit.pixels])).into_inner()[0];
        let best = (0..10).max_by(|i, j| scores[*i].total_cmp(&scores[*j]));
        best == Some(digit.label)
    });
    right.count() as f64 / digits.len() as f64
}

fn report(params: &Mlp, history: &History, train: &[Digit], test: &[Digit]) -> Table {
    // What the generated code needs in memory is known at compile time.
    type Loss = loss<BATCH>;
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let mut row = |what: &str, value: String| {
        table.add_row([what, &value]);
    };
    row("parameters", params.flat_len().to_string());
    row("residuals", format!("{} bytes", Loss::RESIDUAL_BYTES));
    row("workspace", format!("{} bytes", Loss::WORKSPACE_BYTES));
    if let Some(step) = history.time.checked_div(history.steps) {
        row("steps", history.steps.to_string());
        row("time per step", format!("{step:.1?}"));
        row("training time", format!("{:.2?}", history.time));
    }
    for (what, digits) in [("training accuracy", train), ("test accuracy", test)] {
        let share = 100.0 * accuracy(params, digits);
        row(what, format!("{share:.2} % of {}", digits.len()));
    }
    table
}

/// The loss over the epochs, on a logarithmic axis.
fn plot(loss: &[f32], file: &path::Path) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, (720, 440)).into_drawing_area();
    area.fill(&WHITE)?;
    let range = loss.iter().fold(f32::MAX..f32::MIN, |r, y| r.start.min(*y)..r.end.max(*y));
    let mut chart = ChartBuilder::on(&area)
        .caption("Training loss of the digits", ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(64)
        .build_cartesian_2d(1..loss.len().max(2), (range.start / 1.5..range.end * 1.5).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .y_labels(4)
        .x_desc("epoch")
        .y_desc("mean cross entropy")
        .y_label_formatter(&|y| format!("{y}"))
        .draw()?;
    let points = loss.iter().enumerate().map(|(epoch, loss)| (epoch + 1, *loss));
    chart.draw_series(LineSeries::new(points, BLUE.stroke_width(2)))?;
    area.present()?;
    Ok(())
}

/// Every leaf of the parameters becomes a tensor with the leaf's name and shape.
fn save(params: &Mlp, file: &path::Path) -> Result<(), Box<dyn Error>> {
    let mut leaves = Vec::new();
    params.visit_leaves(&Path::ROOT, &mut |at, dims, data| {
        let bytes: Vec<u8> = data.iter().flat_map(|x| x.to_le_bytes()).collect();
        leaves.push((at.to_string(), dims.to_vec(), bytes));
    });
    let views = leaves
        .iter()
        .map(|(name, dims, bytes)| TensorView::new(Dtype::F32, dims.clone(), bytes).map(|view| (name, view)));
    let views: Vec<_> = views.collect::<Result<_, _>>()?;
    safetensors::serialize_to_file(views, None, file)?;
    Ok(())
}

/// The reverse of [`save`]; a file with other names, shapes or numbers is an error.
fn load(params: &mut Mlp, file: &path::Path) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let file = SafeTensors::deserialize(&bytes)?;
    let mut result = Ok(());
    params.visit_leaves_mut(&Path::ROOT, &mut |at, dims, data| {
        let mut read = || -> Result<(), Box<dyn Error>> {
            let tensor = file.tensor(&at.to_string())?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != dims {
                let (dtype, shape) = (tensor.dtype(), tensor.shape());
                return Err(format!("{at} is {dtype:?} of {shape:?}, not F32 of {dims:?}").into());
            }
            for (x, bytes) in data.iter_mut().zip(tensor.data().as_chunks().0) {
                *x = f32::from_le_bytes(*bytes);
            }
            Ok(())
        };
        if result.is_ok() {
            result = read();
        }
    });
    result
}
