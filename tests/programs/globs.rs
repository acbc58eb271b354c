//! Functions that are known by their names, where a glob import might bring others.

use crate::harness::check;

mod others {
    pub fn weight(k: usize) -> f64 {
        1.0 + k as f64
    }

    /// An operator is no item, so that a module of its name hides nothing.
    pub mod select {}
}

mod beside_a_glob {
    use super::others::*;
    use autodiff::prelude::*;
    use std::array::*;
    use std::collections::*;
    use std::mem;

    #[differentiable(order = 2)]
    pub fn joined(x: f64, y: f64) -> f64 {
        let a = stack([&Tensor1::from([x, y]), &Tensor1::from([y, x * y])], 0);
        (a * weight(2)).square().sum() + x * stop_gradient(2.0)
    }

    #[differentiable(order = 2)]
    pub fn exchanged(x: f64, y: f64) -> f64 {
        let (mut a, mut b) = (x, y * weight(0));
        mem::swap(&mut a, &mut b);
        let made: [f64; 3] = from_fn(|k| a * weight(k));
        made[0] * made[2] - mem::replace(&mut b, x) * *Box::new(b)
    }

    #[differentiable(order = 2)]
    pub fn collected(x: f64) -> f64 {
        let (mut queue, mut list) = (VecDeque::new(), Vec::new());
        queue.push_back(x);
        list.push(x * x);
        for v in std::iter::repeat_n(weight(1), 2) {
            queue.push_back(v * x);
        }
        queue[1] * queue[2] + list[0]
    }
}
use beside_a_glob::{collected, exchanged, joined};

mod of_one_name {
    use super::others::*;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    pub fn first(x: f64, y: f64) -> f64 {
        let a = Tensor1::from([x, y, x * y]);
        select(a.gt(1.0), a, 2.0 * a).sum() * y * weight(1)
    }
}
use of_one_name::first;

#[test]
fn what_no_glob_brings_is_of_the_library() {
    check!(joined(x, y) by x = 0.7, y = 1.3);
    check!(exchanged(x, y) by x = 0.7, y = 1.3);
    check!(collected(x) by x = 0.7);
    check!(first(x, y) by x = 0.7, y = 1.3);
}

#[test]
fn in_a_function() {
    use autodiff::prelude::*;
    use others::*;

    #[differentiable(order = 2)]
    fn inside(x: f64, y: f64) -> f64 {
        let a = concat([&Tensor1::from([x, y]), &Tensor1::from([x * y])], 0);
        a.sum() * stop_gradient(2.0) * weight(1)
    }
    check!(inside(x, y) by x = 0.7, y = 1.3);
}
