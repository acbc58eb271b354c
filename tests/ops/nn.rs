//! Layers and losses.

use autodiff::prelude::*;

cases! {
    conv2d(x: [2, 2, 5, 6], w: [3, 2, 3, 3]) -> [2, 3, 3, 4] {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [0, 0], dilation: [1, 1], groups: 1 })
    }
    conv2d_stride_pad(x: [1, 2, 6, 7], w: [2, 2, 3, 2]) -> [1, 2, 3, 8] {
        x.conv2d(w, Conv2d { stride: [2, 1], padding: [1, 1], dilation: [1, 1], groups: 1 })
    }
    conv2d_dilated(x: [1, 1, 8, 9], w: [2, 1, 3, 3]) -> [1, 2, 8, 3] {
        x.conv2d(w, Conv2d { stride: [1, 2], padding: [2, 1], dilation: [2, 3], groups: 1 })
    }
    conv2d_groups(x: [2, 4, 5, 5], w: [6, 2, 3, 3]) -> [2, 6, 5, 5] {
        x.conv2d(w, Conv2d { stride: [1, 1], padding: [1, 1], dilation: [1, 1], groups: 2 })
    }
    conv2d_depthwise(x: [1, 3, 6, 6], w: [3, 1, 3, 3]) -> [1, 3, 3, 3] {
        x.conv2d(w, Conv2d { stride: [2, 2], padding: [1, 1], dilation: [1, 1], groups: 3 })
    }
    conv2d_untouched_edge(x: [1, 1, 6, 6], w: [1, 1, 2, 2]) -> [1, 1, 2, 2] {
        x.conv2d(w, Conv2d { stride: [3, 3], padding: [0, 0], dilation: [1, 1], groups: 1 })
    }
    conv1d(x: [2, 3, 7], w: [2, 3, 3]) -> [2, 2, 4] {
        x.conv1d(w, Conv1d { stride: 2, padding: 1, dilation: 1, groups: 1 })
    }
    conv_transpose2d(x: [1, 2, 3, 4], w: [2, 3, 3, 3]) -> [1, 3, 6, 9] {
        x.conv_transpose2d(w, ConvTranspose2d { stride: [2, 2], padding: [1, 0], output_padding: [1, 0], dilation: [1, 1], groups: 1 })
    }
    im2col(x: [1, 2, 4, 5]) -> [1, 12, 9] {
        x.im2col([2, 3], Window2d { stride: [1, 2], padding: [0, 1], dilation: [1, 1] })
    }
    max_pool2d(x: [2, 2, 4, 6]) -> [2, 2, 2, 3] {
        x.max_pool2d([2, 2], Window2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1] })
    }
    max_pool2d_overlap(x: [1, 2, 5, 6]) -> [1, 2, 5, 4] {
        x.max_pool2d([3, 2], Window2d { stride: [1, 2], padding: [1, 1], dilation: [1, 1] })
    }
    avg_pool2d(x: [2, 2, 4, 6]) -> [2, 2, 2, 3] {
        x.avg_pool2d([2, 2], Window2d { stride: [2, 2], padding: [0, 0], dilation: [1, 1] })
    }
    global_avg_pool2d(x: [2, 3, 4, 4]) -> [2, 3] { x.global_avg_pool2d() }
    upsample_nearest2d(x: [1, 2, 3, 2]) -> [1, 2, 6, 6] { x.upsample_nearest2d([2, 3]) }
    layer_norm(x: [3, 5], gamma: [5], beta: [5]) -> [3, 5] { x.layer_norm(gamma, beta, 1e-5) }
    rms_norm(x: [3, 5], gamma: [5]) -> [3, 5] { x.rms_norm(gamma, 1e-6) }
    batch_norm2d(x: [3, 2, 2, 3], gamma: [2], beta: [2]) -> [3, 2, 2, 3] { x.batch_norm2d(gamma, beta, 1e-5) }
    group_norm(x: [2, 4, 2, 3], gamma: [4], beta: [4]) -> [2, 4, 2, 3] { x.group_norm(2, gamma, beta, 1e-5) }
    cross_entropy(logits: [3, 5], labels: &[usize; 3] = [1, 4, 2]) -> [] { logits.cross_entropy(labels) }
    cross_entropy_soft(logits: [3, 5], target: [3, 5]) -> [] { logits.cross_entropy_soft(target) }
    nll(logp: [3, 5], labels: &[usize; 3] = [1, 4, 2]) -> [] { logp.nll(labels) }
    mse(x: [4, 3], y: [4, 3]) -> [] { x.mse(y) }
    l1_loss(x: [4, 3], y: [4, 3]) -> [] { x.l1_loss(y) }
    huber(x: [4, 3], y: [4, 3]) -> [] { x.huber(y, 0.8) }
    smooth_l1(x: [4, 3], y: [4, 3]) -> [] { x.smooth_l1(y, 0.8) }
    bce(x: [4, 3], y: [4, 3]) -> [] { x.bce(y) }
    bce_with_logits(x: [4, 3], y: [4, 3]) -> [] { x.bce_with_logits(y) }
    kl_div(x: [4, 3], y: [4, 3]) -> [] { x.kl_div(y) }
    cosine_similarity(x: [4, 3], y: [4, 3]) -> [4] { x.cosine_similarity(y, 1) }
    attention(q: [2, 2, 4, 3], k: [2, 2, 4, 3], v: [2, 2, 4, 3]) -> [2, 2, 4, 3] { attention(q, k, v) }
    attention_causal(q: [1, 2, 4, 3], k: [1, 2, 4, 3], v: [1, 2, 4, 3]) -> [1, 2, 4, 3] { attention_causal(q, k, v) }
    conv3d(x: [1, 2, 3, 4, 5], w: [2, 2, 2, 3, 2]) -> [1, 2, 2, 2, 3] {
        x.conv3d(w, Conv3d { stride: [1, 2, 1], padding: [0, 1, 0], dilation: [1, 1, 2], groups: 1 })
    }
    max_pool1d(x: [2, 2, 8]) -> [2, 2, 4] { x.max_pool1d(2, Window1d { stride: 2, padding: 0, dilation: 1 }) }
    instance_norm(x: [2, 2, 3, 3], gamma: [2], beta: [2]) -> [2, 2, 3, 3] { x.instance_norm(gamma, beta, 1e-5) }
    swiglu(x: [3, 4], y: [3, 4]) -> [3, 4] { swiglu(x, y) }
    geglu(x: [3, 4], y: [3, 4]) -> [3, 4] { geglu(x, y) }
    /// adjacent pairs; rows are positions 0, 1, …
    rope(x: [3, 4]) -> [3, 4] { x.rope(10000.0) }
    distillation(student: [3, 4], teacher: [3, 4]) -> [] { student.distillation(teacher, 2.0) }
}
