//! What a window moves over: convolution, pooling, upsampling.
use autodiff::prelude::*;

#[differentiable]
fn channels(x: &Tensor3<f64, 1, 3, 8>, w: &Tensor3<f64, 2, 2, 3>) -> Tensor3<f64, 1, 2, 6> {
    x.conv1d(w, Conv1d { ..Default::default() })
}

#[differentiable]
fn channels_of_groups(x: &Tensor4<f64, 1, 4, 8, 8>, w: &Tensor4<f64, 6, 2, 3, 3>) -> Tensor4<f64, 1, 6, 6, 6> {
    x.conv2d(w, Conv2d { ..Default::default() })
}

#[differentiable]
fn groups(x: &Tensor4<f64, 1, 4, 8, 8>, w: &Tensor4<f64, 5, 2, 3, 3>) -> Tensor4<f64, 1, 5, 6, 6> {
    x.conv2d(w, Conv2d { groups: 2, ..Default::default() })
}

#[differentiable]
fn no_groups(x: &Tensor3<f64, 1, 2, 8>, w: &Tensor3<f64, 2, 2, 3>) -> Tensor3<f64, 1, 2, 6> {
    x.conv1d(w, Conv1d { groups: 0, ..Default::default() })
}

#[differentiable]
fn rank(x: &Tensor4<f64, 1, 2, 8, 8>, w: &Tensor3<f64, 2, 2, 3>) -> Tensor4<f64, 1, 2, 6, 6> {
    x.conv2d(w, Conv2d { ..Default::default() })
}

#[differentiable]
fn rank_of_the_image(x: &Tensor3<f64, 2, 8, 8>, w: &Tensor4<f64, 2, 2, 3, 3>) -> Tensor4<f64, 1, 2, 6, 6> {
    x.conv2d(w, Conv2d { ..Default::default() })
}

#[differentiable]
fn larger_than_the_image(x: &Tensor4<f64, 1, 1, 4, 2>, w: &Tensor4<f64, 1, 1, 3, 3>) -> Tensor4<f64, 1, 1, 2, 1> {
    x.conv2d(w, Conv2d { ..Default::default() })
}

#[differentiable]
fn larger_in_depth(x: &Tensor5<f64, 1, 1, 2, 4, 4>, w: &Tensor5<f64, 1, 1, 3, 3, 3>) -> Tensor5<f64, 1, 1, 1, 2, 2> {
    x.conv3d(w, Conv3d { ..Default::default() })
}

#[differentiable]
fn stride(x: &Tensor4<f64, 1, 1, 4, 4>, w: &Tensor4<f64, 1, 1, 3, 3>) -> Tensor4<f64, 1, 1, 2, 2> {
    x.conv2d(w, Conv2d { stride: [1, 0], ..Default::default() })
}

#[differentiable]
fn dilation(x: &Tensor3<f64, 1, 1, 4>, w: &Tensor3<f64, 1, 1, 3>) -> Tensor3<f64, 1, 1, 2> {
    x.conv1d(w, Conv1d { dilation: 0, ..Default::default() })
}

#[differentiable]
fn one_stride(x: &Tensor4<f64, 1, 1, 4, 4>, w: &Tensor4<f64, 1, 1, 3, 3>) -> Tensor4<f64, 1, 1, 2, 2> {
    x.conv2d(w, Conv2d { stride: [2], ..Default::default() })
}

#[differentiable]
fn transposed_channels(x: &Tensor4<f64, 1, 3, 4, 4>, w: &Tensor4<f64, 2, 3, 3, 3>) -> Tensor4<f64, 1, 3, 6, 6> {
    x.conv_transpose2d(w, ConvTranspose2d { ..Default::default() })
}

#[differentiable]
fn output_padding(x: &Tensor4<f64, 1, 2, 4, 4>, w: &Tensor4<f64, 2, 1, 3, 3>) -> Tensor4<f64, 1, 1, 11, 9> {
    x.conv_transpose2d(w, ConvTranspose2d { stride: [2, 2], output_padding: [2, 0], ..Default::default() })
}

#[differentiable]
fn nothing_left(x: &Tensor3<f64, 1, 1, 2>, w: &Tensor3<f64, 1, 1, 2>) -> Tensor3<f64, 1, 1, 1> {
    x.conv_transpose1d(w, ConvTranspose1d { padding: 2, ..Default::default() })
}

#[differentiable]
fn columns(x: &Tensor4<f64, 1, 1, 3, 3>) -> Tensor3<f64, 1, 16, 1> {
    x.im2col([4, 4], Window2d { ..Default::default() })
}

#[differentiable]
fn sizes_of_columns(x: &Tensor4<f64, 1, 1, 3, 3>) -> Tensor3<f64, 1, 2, 6> {
    x.im2col([2], Window2d { ..Default::default() })
}

#[differentiable]
fn pool_larger_than_the_image(x: &Tensor4<f64, 1, 1, 3, 3>) -> Tensor4<f64, 1, 1, 1, 1> {
    x.max_pool2d([2, 4], Window2d { ..Default::default() })
}

#[differentiable]
fn pool_sizes(x: &Tensor4<f64, 1, 1, 4, 4>) -> Tensor4<f64, 1, 1, 2, 2> {
    x.avg_pool2d([2, 2, 2], Window2d { ..Default::default() })
}

#[differentiable]
fn pool_of_padding(x: &Tensor3<f64, 1, 1, 4>) -> Tensor3<f64, 1, 1, 7> {
    x.max_pool1d(2, Window1d { padding: 2, ..Default::default() })
}

#[differentiable]
fn pool_stride(x: &Tensor3<f64, 1, 1, 4>) -> Tensor3<f64, 1, 1, 2> {
    x.avg_pool1d(2, Window1d { stride: 0, ..Default::default() })
}

#[differentiable]
fn global(x: &Tensor3<f64, 2, 4, 4>) -> Tensor2<f64, 1, 2> {
    x.global_avg_pool2d()
}

#[differentiable]
fn upsampled_by_nothing(x: &Tensor4<f64, 1, 1, 2, 2>) -> Tensor4<f64, 1, 1, 4, 2> {
    x.upsample_nearest2d([2, 0])
}

#[differentiable]
fn upsampled_by_one(x: &Tensor4<f64, 1, 1, 2, 2>) -> Tensor4<f64, 1, 1, 4, 4> {
    x.upsample_nearest2d([2])
}

#[differentiable]
fn another_result(x: &Tensor4<f64, 1, 1, 4, 4>, w: &Tensor4<f64, 1, 1, 3, 3>) -> Tensor4<f64, 1, 1, 4, 4> {
    x.conv2d(w, Conv2d { ..Default::default() })
}

fn main() {}
