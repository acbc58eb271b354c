//! Learning XOR and following a vehicle, each with derivatives written by hand and with generated ones.
//!
//! Learning XOR: two inputs, eight `tanh` units, one `sigmoid` unit, mean squared error, gradient
//! descent on all four samples.
//!
//! Free of any platform: the firmware and the host run the same code and have to agree on every bit.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "generated")]
mod filter;
#[cfg(feature = "generated")]
mod generated;
mod hand;
#[cfg(feature = "generated")]
pub mod simulated;

#[cfg(feature = "generated")]
pub use filter::Filter;
#[cfg(feature = "generated")]
pub use generated::Generated;
pub use hand::Hand;

pub const EPOCHS: u32 = 1000;
const RATE: f32 = 2.0;

const SAMPLES: usize = 4;
const INPUTS: usize = 2;
const HIDDEN: usize = 8;

const X: [[f32; INPUTS]; SAMPLES] = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
const Y: [[f32; 1]; SAMPLES] = [[0.0], [1.0], [1.0], [0.0]];

pub trait Model {
    /// The same start for every model.
    fn initial() -> Self;

    /// One step. Returns how far it is off: the loss before it, or the error after it.
    fn epoch(&mut self) -> f32;
}

/// Weights in [-1, 1), drawn unit by unit.
fn initial_weights() -> ([[f32; HIDDEN]; INPUTS], [[f32; 1]; HIDDEN]) {
    let mut state = 12345u32;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as f32 * (2.0 / 16_777_216.0) - 1.0
    };
    let (mut w1, mut w2) = ([[0.0; HIDDEN]; INPUTS], [[0.0]; HIDDEN]);
    for unit in 0..HIDDEN {
        for row in &mut w1 {
            row[unit] = draw();
        }
    }
    for [weight] in &mut w2 {
        *weight = draw();
    }
    (w1, w2)
}
