//! Functions of two numbers, element by element: operands of equal shapes, and of shapes that are broadcast.

use autodiff::prelude::*;

cases! {
    add_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x + y }
    sub_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x - y }
    mul_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x * y }
    div_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x / y }
    pow_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x.pow(y) }
    maximum_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x.maximum(y) }
    minimum_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x.minimum(y) }
    atan2_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x.atan2(y) }
    hypot_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { x.hypot(y) }
    where_b0(x: [4, 3], y: [4, 3]) -> [4, 3] { select(x.gt(y), x * 2.0, y) }
    add_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x + y }
    sub_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x - y }
    mul_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x * y }
    div_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x / y }
    pow_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x.pow(y) }
    maximum_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x.maximum(y) }
    minimum_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x.minimum(y) }
    atan2_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x.atan2(y) }
    hypot_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { x.hypot(y) }
    where_b1(x: [1, 3], y: [4, 3]) -> [4, 3] { select(x.gt(y), x * 2.0, y) }
    add_b2(x: [4, 3], y: [1, 3]) -> [4, 3] { x + y }
    sub_b2(x: [4, 3], y: [1, 3]) -> [4, 3] { x - y }
    mul_b2(x: [4, 3], y: [1, 3]) -> [4, 3] { x * y }
    div_b2(x: [4, 3], y: [1, 3]) -> [4, 3] { x / y }
    add_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x + y }
    sub_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x - y }
    mul_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x * y }
    div_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x / y }
    pow_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x.pow(y) }
    maximum_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x.maximum(y) }
    minimum_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x.minimum(y) }
    atan2_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x.atan2(y) }
    hypot_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { x.hypot(y) }
    where_b3(x: [4, 1], y: [1, 3]) -> [4, 3] { select(x.gt(y), x * 2.0, y) }
    add_b4(x: [3], y: [4, 3]) -> [4, 3] { x + y }
    sub_b4(x: [3], y: [4, 3]) -> [4, 3] { x - y }
    mul_b4(x: [3], y: [4, 3]) -> [4, 3] { x * y }
    div_b4(x: [3], y: [4, 3]) -> [4, 3] { x / y }
    add_b5(x: [4, 3], y: [3]) -> [4, 3] { x + y }
    sub_b5(x: [4, 3], y: [3]) -> [4, 3] { x - y }
    mul_b5(x: [4, 3], y: [3]) -> [4, 3] { x * y }
    div_b5(x: [4, 3], y: [3]) -> [4, 3] { x / y }
    add_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x + y }
    sub_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x - y }
    mul_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x * y }
    div_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x / y }
    pow_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x.pow(y) }
    maximum_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x.maximum(y) }
    minimum_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x.minimum(y) }
    atan2_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x.atan2(y) }
    hypot_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { x.hypot(y) }
    where_b6(x: [2, 1, 4], y: [3, 1]) -> [2, 3, 4] { select(x.gt(y), x * 2.0, y) }
    add_b7(x: [2, 3, 4, 5], y: [3, 1, 5]) -> [2, 3, 4, 5] { x + y }
    sub_b7(x: [2, 3, 4, 5], y: [3, 1, 5]) -> [2, 3, 4, 5] { x - y }
    mul_b7(x: [2, 3, 4, 5], y: [3, 1, 5]) -> [2, 3, 4, 5] { x * y }
    div_b7(x: [2, 3, 4, 5], y: [3, 1, 5]) -> [2, 3, 4, 5] { x / y }
    add_b8(x: [2, 1, 1, 5], y: [1, 3, 4, 1]) -> [2, 3, 4, 5] { x + y }
    sub_b8(x: [2, 1, 1, 5], y: [1, 3, 4, 1]) -> [2, 3, 4, 5] { x - y }
    mul_b8(x: [2, 1, 1, 5], y: [1, 3, 4, 1]) -> [2, 3, 4, 5] { x * y }
    div_b8(x: [2, 1, 1, 5], y: [1, 3, 4, 1]) -> [2, 3, 4, 5] { x / y }
    add_b9(x: [], y: [4, 3]) -> [4, 3] { x + y }
    sub_b9(x: [], y: [4, 3]) -> [4, 3] { x - y }
    mul_b9(x: [], y: [4, 3]) -> [4, 3] { x * y }
    div_b9(x: [], y: [4, 3]) -> [4, 3] { x / y }
    add_b10(x: [5], y: []) -> [5] { x + y }
    sub_b10(x: [5], y: []) -> [5] { x - y }
    mul_b10(x: [5], y: []) -> [5] { x * y }
    div_b10(x: [5], y: []) -> [5] { x / y }
    /// each input used several times: cotangents accumulate
    reuse(x: [1, 3], y: [4, 3]) -> [4, 3] { x * y + x / y - y }
    prelu(x: [4, 3], w: [3]) -> [4, 3] { x.prelu(w) }
}
