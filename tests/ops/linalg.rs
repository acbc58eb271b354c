//! Products of matrices and vectors, and `einsum!`.

use autodiff::prelude::*;

cases! {
    matmul(x: [4, 3], y: [3, 5]) -> [4, 5] { x.matmul(y) }
    matvec(x: [4, 3], y: [3]) -> [4] { x.matmul(y) }
    vecmat(x: [3], y: [3, 4]) -> [4] { x.matmul(y) }
    dot(x: [6], y: [6]) -> [] { x.dot(y) }
    outer(x: [4], y: [3]) -> [4, 3] { x.outer(y) }
    bmm(x: [2, 4, 3], y: [2, 3, 5]) -> [2, 4, 5] { x.matmul(y) }
    bmm_broadcast(x: [2, 1, 4, 3], y: [5, 3, 2]) -> [2, 5, 4, 2] { x.matmul(y) }
    bmm_shared(x: [2, 4, 3], y: [3, 5]) -> [2, 4, 5] { x.matmul(y) }
    transpose(x: [4, 3]) -> [3, 4] { x.t() }
    matmul_tn(x: [3, 4], y: [3, 5]) -> [4, 5] { x.t().matmul(y) }
    matmul_nt(x: [4, 3], y: [5, 3]) -> [4, 5] { x.matmul(y.t()) }
    /// one input on both sides
    gram(x: [4, 3]) -> [3, 3] { x.t().matmul(x) }
    trace(x: [4, 4]) -> [] { x.trace() }
    quadratic_form(x: [4], a: [4, 4]) -> [] { x.dot(a.matmul(x)) }
    linear(x: [4, 3], w: [3, 5], b: [5]) -> [4, 5] { x.matmul(w) + b }
    einsum_ij_jk(x: [4, 3], y: [3, 5]) -> [4, 5] { einsum!("ij,jk->ik", x, y) }
    einsum_bhqd(x: [2, 4, 2, 3], y: [2, 5, 2, 3]) -> [2, 2, 4, 5] { einsum!("bqhd,bkhd->bhqk", x, y) }
    einsum_bilinear(x: [2, 3], w: [3, 4, 2], y: [2, 4]) -> [2, 2] { einsum!("bi,ijk,bj->bk", x, w, y) }
    einsum_trace(x: [4, 4]) -> [] { einsum!("ii->", x) }
}
