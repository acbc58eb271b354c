//! Reductions, and what is made of them along an axis.

use autodiff::prelude::*;

cases! {
    sum(x: [2, 3, 4]) -> [] { x.sum() }
    mean(x: [2, 3, 4]) -> [] { x.mean() }
    prod(x: [2, 3, 4]) -> [] { x.prod() }
    max(x: [2, 3, 4]) -> [] { x.max() }
    min(x: [2, 3, 4]) -> [] { x.min() }
    norm(x: [2, 3, 4]) -> [] { x.norm() }
    var(x: [2, 3, 4]) -> [] { x.var(1) }
    std(x: [2, 3, 4]) -> [] { x.std(0) }
    logsumexp(x: [2, 3, 4]) -> [] { x.logsumexp() }
    norm_l1(x: [2, 3, 4]) -> [] { x.norm_l1() }
    sum_axis_0(x: [2, 3, 4]) -> [3, 4] { x.sum_axis(0) }
    sum_keepdim_0(x: [2, 3, 4]) -> [1, 3, 4] { x.sum_keepdim(0) }
    mean_axis_0(x: [2, 3, 4]) -> [3, 4] { x.mean_axis(0) }
    mean_keepdim_0(x: [2, 3, 4]) -> [1, 3, 4] { x.mean_keepdim(0) }
    max_axis_0(x: [2, 3, 4]) -> [3, 4] { x.max_axis(0) }
    min_axis_0(x: [2, 3, 4]) -> [3, 4] { x.min_axis(0) }
    var_axis_0(x: [2, 3, 4]) -> [3, 4] { x.var_axis(0, 1) }
    logsumexp_axis_0(x: [2, 3, 4]) -> [3, 4] { x.logsumexp_axis(0) }
    softmax_0(x: [2, 3, 4]) -> [2, 3, 4] { x.softmax(0) }
    log_softmax_0(x: [2, 3, 4]) -> [2, 3, 4] { x.log_softmax(0) }
    cumsum_0(x: [2, 3, 4]) -> [2, 3, 4] { x.cumsum(0) }
    prod_axis_0(x: [2, 3, 4]) -> [3, 4] { x.prod_axis(0) }
    norm_axis_0(x: [2, 3, 4]) -> [3, 4] { x.norm_axis(0) }
    sum_axis_1(x: [2, 3, 4]) -> [2, 4] { x.sum_axis(1) }
    sum_keepdim_1(x: [2, 3, 4]) -> [2, 1, 4] { x.sum_keepdim(1) }
    mean_axis_1(x: [2, 3, 4]) -> [2, 4] { x.mean_axis(1) }
    mean_keepdim_1(x: [2, 3, 4]) -> [2, 1, 4] { x.mean_keepdim(1) }
    max_axis_1(x: [2, 3, 4]) -> [2, 4] { x.max_axis(1) }
    min_axis_1(x: [2, 3, 4]) -> [2, 4] { x.min_axis(1) }
    var_axis_1(x: [2, 3, 4]) -> [2, 4] { x.var_axis(1, 1) }
    logsumexp_axis_1(x: [2, 3, 4]) -> [2, 4] { x.logsumexp_axis(1) }
    softmax_1(x: [2, 3, 4]) -> [2, 3, 4] { x.softmax(1) }
    log_softmax_1(x: [2, 3, 4]) -> [2, 3, 4] { x.log_softmax(1) }
    cumsum_1(x: [2, 3, 4]) -> [2, 3, 4] { x.cumsum(1) }
    prod_axis_1(x: [2, 3, 4]) -> [2, 4] { x.prod_axis(1) }
    norm_axis_1(x: [2, 3, 4]) -> [2, 4] { x.norm_axis(1) }
    sum_axis_2(x: [2, 3, 4]) -> [2, 3] { x.sum_axis(2) }
    sum_keepdim_2(x: [2, 3, 4]) -> [2, 3, 1] { x.sum_keepdim(2) }
    mean_axis_2(x: [2, 3, 4]) -> [2, 3] { x.mean_axis(2) }
    mean_keepdim_2(x: [2, 3, 4]) -> [2, 3, 1] { x.mean_keepdim(2) }
    max_axis_2(x: [2, 3, 4]) -> [2, 3] { x.max_axis(2) }
    min_axis_2(x: [2, 3, 4]) -> [2, 3] { x.min_axis(2) }
    var_axis_2(x: [2, 3, 4]) -> [2, 3] { x.var_axis(2, 1) }
    logsumexp_axis_2(x: [2, 3, 4]) -> [2, 3] { x.logsumexp_axis(2) }
    softmax_2(x: [2, 3, 4]) -> [2, 3, 4] { x.softmax(2) }
    log_softmax_2(x: [2, 3, 4]) -> [2, 3, 4] { x.log_softmax(2) }
    cumsum_2(x: [2, 3, 4]) -> [2, 3, 4] { x.cumsum(2) }
    prod_axis_2(x: [2, 3, 4]) -> [2, 3] { x.prod_axis(2) }
    norm_axis_2(x: [2, 3, 4]) -> [2, 3] { x.norm_axis(2) }
    softmax_last(x: [2, 3, 4]) -> [2, 3, 4] { x.softmax(-1) }
    /// no overflow
    softmax_large(x: [2, 5]) -> [2, 5] { x.softmax(-1) }
    logsumexp_large(x: [2, 5]) -> [2] { x.logsumexp_axis(-1) }
    l2_normalize(x: [3, 4]) -> [3, 4] { x.l2_normalize(1, 1e-12) }
}
