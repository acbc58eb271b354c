//! The loop around a gradient.

use super::digits::{Digit, moved};
use autodiff::optim::AdamW;
use autodiff::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::f32::consts::PI;
use std::time::{Duration, Instant};

/// Digits per step.
pub const BATCH: usize = 32;

/// How to train.
pub struct Plan {
    /// Passes over the training data.
    pub epochs: usize,
    /// At the start; it falls to 0 along half a cosine.
    pub learning_rate: f32,
    /// How strongly weights are drawn to 0.
    pub weight_decay: f32,
}

/// What happened in training.
pub struct History {
    /// The mean loss in each epoch.
    pub loss: Vec<f32>,
    pub steps: u32,
    /// In gradients and optimiser steps.
    pub time: Duration,
}

impl History {
    /// Rows of a table: how many steps, and how long they took.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let Some(step) = self.time.checked_div(self.steps) else { return Vec::new() };
        vec![
            ("steps", self.steps.to_string()),
            ("time per step", format!("{step:.1?}")),
            ("training time", format!("{:.2?}", self.time)),
        ]
    }
}

/// A bar with the number of steps and a message.
pub fn progress(steps: usize, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {what} {{pos}}/{{len}}, loss {{msg}}"));
    ProgressBar::new(steps as u64).with_style(style.expect("a valid template"))
}

/// From 1 to 0 along half a cosine; `done` is the share of the training that is over.
pub fn cosine(done: f32) -> f32 {
    0.5 * (1.0 + (PI * done).cos())
}

/// Fits the parameters to digits. `gradient_of` is what is generated for the loss: it writes the gradient and returns the
/// value.
pub fn fit<P: Differentiable<Scalar = f32>>(
    params: &mut P,
    train: &mut [Digit],
    plan: &Plan,
    rng: &mut ChaCha8Rng,
    gradient_of: impl Fn(&P, &Tensor2<f32, BATCH, 64>, &[usize; BATCH], &mut P::Tangent) -> f32,
) -> History {
    let bar = progress(plan.epochs, "epoch");
    let mut adam = AdamW::new(params, plan.learning_rate, plan.weight_decay);
    let mut gradient = params.zero_tangent();
    let mut history = History { loss: Vec::new(), steps: 0, time: Duration::ZERO };
    for epoch in 0..plan.epochs {
        train.shuffle(rng);
        // What does not fill a batch has its chance in another epoch.
        let batches = train.as_chunks::<BATCH>().0;
        let mut sum = 0.0;
        for (i, batch) in batches.iter().enumerate() {
            let x = Tensor(batch.each_ref().map(|digit| moved(&digit.pixels, rng)));
            let labels = batch.each_ref().map(|digit| digit.label);
            let done = (epoch as f32 + i as f32 / batches.len() as f32) / plan.epochs as f32;

            let start = Instant::now();
            sum += gradient_of(params, &x, &labels, &mut gradient);
            adam.adam.learning_rate = plan.learning_rate * cosine(done);
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
