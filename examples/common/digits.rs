//! The handwritten digits of `examples/data`.

use autodiff::prelude::*;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::error::Error;

/// A handwritten digit.
pub struct Digit {
    /// From 0 (paper) to 1 (ink), row by row.
    pub pixels: [f32; 64],
    pub label: usize,
}

/// The UCI digits, which are compiled into the program, so that it runs anywhere.
pub fn read() -> Result<Vec<Digit>, Box<dyn Error>> {
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
    include_str!("../data/digits.csv").lines().map(digit).collect()
}

/// The digits to learn from, and a fifth of all that are kept to test with; which ones, the seed decides.
pub fn split(seed: u64) -> Result<(Vec<Digit>, Vec<Digit>), Box<dyn Error>> {
    let mut digits = read()?;
    digits.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let test = digits.split_off(digits.len() * 4 / 5);
    Ok((digits, test))
}

/// The same digit, drawn a fraction of a pixel elsewhere: a perceptron has no other way to learn that
/// this changes nothing.
pub fn moved(pixels: &[f32; 64], rng: &mut ChaCha8Rng) -> [f32; 64] {
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

/// The share of digits that a model reads as they were meant; `logits` gives a score for each of the ten.
pub fn accuracy(digits: &[Digit], logits: impl Fn(&Tensor2<f32, 1, 64>) -> Tensor2<f32, 1, 10>) -> f64 {
    let right = digits.iter().filter(|digit| {
        let scores = logits(&Tensor([digit.pixels])).into_inner()[0];
        let best = (0..10).max_by(|i, j| scores[*i].total_cmp(&scores[*j]));
        best == Some(digit.label)
    });
    right.count() as f64 / digits.len() as f64
}
