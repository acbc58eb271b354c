//! Learns to read handwritten digits, on several ranks of MPI with several threads each.
//!
//! ```text
//! cargo build --release --manifest-path examples/distributed/Cargo.toml
//! RAYON_NUM_THREADS=1 mpirun -n 2 examples/distributed/target/release/distributed
//! ```
//!
//! Each rank computes the gradient of its share of a batch. Afterwards the first rank does the same work alone, and compares.

mod all_reduce;

use all_reduce::sum_over_ranks;
use autodiff::{optim::Adam, parallel, prelude::*};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::time::{Duration, Instant};

/// Digits in a chunk, which is one product of matrices.
const CHUNK: usize = 32;
/// Chunks in a batch.
const CHUNKS: usize = 32;
const STEPS: usize = 200;

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

/// The part of a chunk in the mean over a batch.
#[differentiable]
fn loss(p: &Mlp, #[no_diff] x: &Tensor2<f32, CHUNK, 64>, labels: &[usize; CHUNK], #[no_diff] share: f32) -> f32 {
    let h = (x.matmul(p.w1) + p.b1).relu();
    let h = (h.matmul(p.w2) + p.b2).relu();
    (h.matmul(p.w3) + p.b3).cross_entropy(labels) * share
}

struct Chunk {
    x: Tensor2<f32, CHUNK, 64>,
    labels: [usize; CHUNK],
}

/// The UCI digits, in chunks.
fn digits() -> Vec<Chunk> {
    let digits: Vec<Vec<u8>> = include_str!("../../data/digits.csv")
        .lines()
        .map(|line| line.split(',').map(|number| number.parse().expect("a number below 256")).collect())
        .collect();
    let (chunks, _) = digits.as_chunks::<CHUNK>();
    let chunk = |chunk: &[Vec<u8>; CHUNK]| Chunk {
        x: Tensor2::from_fn(|[i, j]| f32::from(chunk[i][j]) / 16.0),
        labels: chunk.each_ref().map(|digit| usize::from(digit[64])),
    };
    chunks.iter().map(chunk).collect()
}

/// Weights without a generator of random numbers: the same on every rank.
fn start<const I: usize, const O: usize>() -> Tensor2<f32, I, O> {
    Tensor2::from_fn(|[i, j]| ((i * O + j + 1) as f32 * 12.9898).sin() * (3.0 / I as f32).sqrt())
}

struct Trained {
    params: Mlp,
    loss: f32,
    gradients: Duration,
    messages: Duration,
}

/// Trains on all ranks, or without others.
fn train(digits: &[Chunk], world: Option<&SimpleCommunicator>) -> Trained {
    let (rank, ranks) = world.map_or((0, 1), |world| (world.rank() as usize, world.size() as usize));
    assert!(CHUNKS.is_multiple_of(ranks), "{ranks} ranks do not share {CHUNKS} chunks equally");
    let mine = rank * CHUNKS / ranks..(rank + 1) * CHUNKS / ranks;
    let mut params =
        Mlp { w1: start(), b1: Tensor1::zeros(), w2: start(), b2: Tensor1::zeros(), w3: start(), b3: Tensor1::zeros() };
    let mut adam = Adam::new(&params, 0.003);
    let mut gradient = params.zero_tangent();
    // The gradient, and behind it the value.
    let mut flat = vec![0.0; params.flat_len() + 1];
    let mut trained =
        Trained { params: params.clone(), loss: 0.0, gradients: Duration::ZERO, messages: Duration::ZERO };
    for step in 0..STEPS {
        // Batches overlap, and go around.
        let batch: Vec<&Chunk> = mine.clone().map(|i| &digits[(step * 7 + i) % digits.len()]).collect();
        let start = Instant::now();
        let gradient_of = |p: &Mlp, chunk: &[&Chunk], gradient: &mut MlpTangent| {
            loss::value_and_grad_into(p, &chunk[0].x, &chunk[0].labels, 1.0 / CHUNKS as f32, gradient)
        };
        trained.loss = parallel::value_and_grad_into(&params, &batch, 1, gradient_of, &mut gradient);
        let computed = Instant::now();
        if let Some(world) = world {
            let (value, numbers) = flat.split_last_mut().expect("at least the value");
            *value = trained.loss;
            gradient.copy_to_flat(numbers);
            sum_over_ranks(world, &mut flat);
            let (value, numbers) = flat.split_last().expect("at least the value");
            trained.loss = *value;
            gradient.copy_from_flat(numbers);
        }
        trained.gradients += computed - start;
        trained.messages += computed.elapsed();
        adam.step(&mut params, &gradient);
    }
    trained.params = params;
    trained
}

fn flat(params: &Mlp) -> Vec<f32> {
    let mut flat = vec![0.0; params.flat_len()];
    params.copy_to_flat(&mut flat);
    flat
}

fn main() {
    let universe = mpi::initialize().expect("MPI, which is not initialised yet");
    let world = universe.world();
    let digits = digits();
    let together = train(&digits, Some(&world));
    if world.rank() == 0 {
        let per_step = |time: Duration| time / STEPS as u32;
        println!(
            "{} ranks, {} parameters: loss {:.5}, a step takes {:.0?} for gradients and {:.0?} for messages",
            world.size(),
            together.params.flat_len(),
            together.loss,
            per_step(together.gradients),
            per_step(together.messages),
        );
        let alone = train(&digits, None);
        println!("one process: loss {:.5}, {:.0?} for gradients", alone.loss, per_step(alone.gradients));
        assert!(together.loss < 0.1, "nothing was learnt: the loss is {}", together.loss);
        let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&flat(&together.params)), bits(&flat(&alone.params)), "other weights than one process");
        println!("the weights have the bits of one process");
    }
}
