//! Elements in other places.

use autodiff::prelude::*;

cases! {
    reshape(x: [4, 6]) -> [3, 8] { x.reshape([3, 8]) }
    flatten(x: [2, 3, 2]) -> [12] { x.flatten() }
    permute(x: [2, 3, 4]) -> [4, 2, 3] { x.permute([2, 0, 1]) }
    concat0(x: [2, 3], y: [4, 3]) -> [6, 3] { concat([x, y], 0) }
    concat1(x: [2, 3], y: [2, 2], z: [2, 1]) -> [2, 6] { concat([x, y, z], 1) }
    stack(x: [2, 3], y: [2, 3]) -> [2, 2, 3] { stack([x, y], 0) }
    slice(x: [4, 3]) -> [2, 2] { x.slice([1..3, 0..2]) }
    narrow(x: [4, 3]) -> [4, 2] { x.narrow(1, 1, 2) }
    pad(x: [2, 3]) -> [5, 4] { x.pad([(1, 2), (0, 1)], 0.5) }
    flip(x: [2, 3]) -> [2, 3] { x.flip(1) }
    broadcast_to(x: [2, 1]) -> [5, 2, 3] { x.broadcast_to([5, 2, 3]) }
    unsqueeze(x: [2, 3]) -> [2, 1, 3] { x.unsqueeze(1) }
    squeeze(x: [2, 1, 3]) -> [2, 3] { x.squeeze(1) }
    /// a row taken twice accumulates
    index_select(x: [4, 3], idx: &[usize; 4] = [2, 0, 2, 1]) -> [4, 3] { x.index_select(0, idx) }
    embedding(w: [5, 2], ids: &[usize; 3] = [3, 1, 3]) -> [3, 2] { w.embedding(ids) }
    gather(x: [3, 3], idx: &[[usize; 2]; 3] = [[0, 2], [1, 1], [2, 0]]) -> [3, 2] { x.gather(1, idx) }
    tril(x: [4, 4]) -> [4, 4] { x.tril() }
    triu(x: [4, 4]) -> [4, 4] { x.triu() }
    pad_edge(x: [3, 4]) -> [6, 5] { x.pad_edge([(1, 2), (0, 1)]) }
    pad_reflect(x: [3, 4]) -> [6, 5] { x.pad_reflect([(1, 2), (0, 1)]) }
    pad_wrap(x: [3, 4]) -> [6, 5] { x.pad_wrap([(1, 2), (0, 1)]) }
    repeat(x: [2, 3]) -> [4, 9] { x.repeat([2, 3]) }
    set_slice(x: [4, 3], y: [2, 2]) -> [4, 3] { x.set_slice([1..3, 0..2], y) }
    add_slice(x: [4, 3], y: [2, 2]) -> [4, 3] { x.add_slice([1..3, 0..2], y) }
    scatter_add(x: [4, 3], y: [3, 3], idx: &[usize; 3] = [2, 0, 2]) -> [4, 3] { x.scatter_add(0, idx, y) }
    masked_fill(x: [3, 4], y: [3, 4]) -> [3, 4] { x.masked_fill(y.lt(0.0), -7.5) }
}
