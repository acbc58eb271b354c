//! The options of convolution and pooling as constants: of the file, of a module, of a type, and by other constants.

use crate::harness::{check, twins};
use autodiff::prelude::*;

const STEP: usize = 2;
const SAME: Conv2d = Conv2d { stride: [1, 1], padding: [1, 1], dilation: [1, 1], groups: 1 };
const HALF: Window2d = Window2d { stride: [STEP, STEP], padding: [0, 0], dilation: [1, 1] };

mod settings {
    use autodiff::prelude::*;

    pub const WIDE: Conv1d = Conv1d { stride: 1, padding: 1, dilation: 2, groups: 1 };
    const fn pairs(stride: usize) -> Window1d {
        Window1d { stride, padding: 0, dilation: 1 }
    }
    pub const PAIRS: Window1d = pairs(2);
}

struct Net;

impl Net {
    const UP: ConvTranspose2d =
        ConvTranspose2d { stride: [2, 1], padding: [0, 0], output_padding: [1, 0], dilation: [1, 1], groups: 1 };
}

#[differentiable(order = 2)]
fn by_name(x: &Tensor4<f64, 1, 1, 4, 4>, w: &Tensor4<f64, 2, 1, 3, 3>) -> f64 {
    let y = x.conv2d(w, SAME).tanh().avg_pool2d([2, 2], HALF);
    y.square().sum() + x.max_pool2d([2, 2], HALF).sum()
}

#[differentiable(order = 2)]
fn written_out(x: &Tensor4<f64, 1, 1, 4, 4>, w: &Tensor4<f64, 2, 1, 3, 3>) -> f64 {
    let y = x.conv2d(w, Conv2d { padding: [1, 1], ..Default::default() });
    let y = y.tanh().avg_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    y.square().sum() + x.max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() }).sum()
}

/// What the file does not show is read from the constant.
#[differentiable(order = 2)]
fn of_a_module(x: &Tensor3<f64, 1, 1, 6>, w: &Tensor3<f64, 1, 1, 3>) -> Tensor3<f64, 1, 1, 2> {
    x.conv1d(w, settings::WIDE).sin().avg_pool1d(2, settings::PAIRS)
}

#[differentiable(order = 2)]
fn generic<const C: usize>(x: &Tensor4<f64, 1, C, 2, 2>, w: &Tensor4<f64, C, 1, 2, 2>) -> f64 {
    let mut total = 0.0;
    for turn in 0..2 {
        if turn > 0 || x.sum() > 0.0 {
            total += x.conv_transpose2d(w, Net::UP).square().sum();
        }
    }
    total
}

#[differentiable(order = 2)]
fn generic_of_two(x: &Tensor4<f64, 1, 2, 2, 2>, w: &Tensor4<f64, 2, 1, 2, 2>) -> f64 {
    generic(x, w)
}

#[differentiable(order = 2)]
fn all_of_a_module(x: &Tensor3<f64, 1, 1, 6>, w: &Tensor3<f64, 1, 1, 3>) -> f64 {
    of_a_module(x, w).square().sum()
}

fn waves<const N: usize>(phase: f64) -> [f64; N] {
    std::array::from_fn(|k| (1.7 * k as f64 + phase).sin())
}

#[test]
fn options_are_constants() {
    let (pixels, weights) = (waves::<16>(0.3), waves::<18>(1.1));
    let x = Tensor4::from_fn(|[_, _, i, j]| pixels[4 * i + j]);
    let w = Tensor4::from_fn(|[o, _, i, j]| weights[9 * o + 3 * i + j]);
    twins(&check!(by_name(&x, &w) by x, w), &check!(written_out(&x, &w) by x, w));
    let (x, w) = (Tensor3::from_fn(|[_, _, i]| pixels[i]), Tensor3::from_fn(|[_, _, i]| weights[i]));
    check!(all_of_a_module(&x, &w) by x, w);
    let x = Tensor4::from_fn(|[_, c, i, j]| pixels[4 * c + 2 * i + j]);
    let w = Tensor4::from_fn(|[c, _, i, j]| weights[4 * c + 2 * i + j]);
    check!(generic_of_two(&x, &w) by x, w);
}
