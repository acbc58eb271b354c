//! Operators inside an expression.

use autodiff::prelude::*;

cases! {
    /// [1,3] * [4,3]
    seed_mul_broadcast(x: [1, 3], y: [4, 3]) -> [4, 3] { x * y }
    /// [3] * [1]: with a cotangent of ones the gradient of y is [6]
    seed_undo_broadcast(x: [3], y: [1]) -> [3] { x * y }
    seed_conv_a(x: [1, 1, 5, 5], w: [1, 1, 2, 2], b: []) -> [1, 1, 4, 4] {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [1, 1], groups: 1 }) + b
    }
    seed_conv_b(x: [1, 1, 5, 5], w: [1, 1, 2, 2], b: []) -> [1, 1, 2, 2] {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1], groups: 1 }) + b
    }
    seed_conv_c(x: [1, 1, 5, 5], w: [1, 1, 2, 2], b: []) -> [1, 1, 3, 3] {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [2, 2], groups: 1 }) + b
    }
    seed_conv_d(x: [1, 1, 5, 5], w: [1, 1, 2, 2], b: []) -> [1, 1, 3, 3] {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [1, 1], dilation: [1, 1], groups: 1 }) + b
    }
    seed_conv_e(x: [1, 1, 5, 5], w: [1, 1, 2, 2], b: []) -> [1, 1, 2, 3] {
        x.conv2d(w, Conv2d { stride: [2, 1], padding: [0, 0], dilation: [1, 2], groups: 1 }) + b
    }
}
