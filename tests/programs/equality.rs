//! `==` and `!=` of tuples, structs and arrays.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, PartialEq)]
struct Point {
    at: [f64; 2],
    id: u32,
}

/// Equal are those of the same number.
#[derive(Differentiable, Clone, Copy)]
struct Named {
    x: f64,
    id: u32,
}

impl PartialEq for Named {
    fn eq(&self, other: &Named) -> bool {
        self.id == other.id
    }
}

const ORIGIN: Point = Point { at: [0.0, 0.0], id: 0 };

#[differentiable(order = 2)]
fn compared(x: f64, y: f64, list: &[f64], #[no_diff] wanted: (usize, bool)) -> f64 {
    let (p, q) = (Point { at: [x, y], id: 1 }, Point { at: [y, x], id: 1 });
    let mut sum = x;
    for k in 0..3_usize {
        if (k, k == 1) == wanted {
            sum *= y + k as f64;
        }
        let moved = Point { at: [y, x], id: k as u32 };
        if moved == q && moved != ORIGIN {
            sum += x * x * y;
        }
    }
    if p != q && p.at != q.at {
        sum = sum.sin();
    }
    if (Named { x, id: 3 }) == (Named { x: y, id: 3 }) {
        sum *= x;
    }
    let mut mirrored = list.to_vec();
    mirrored.reverse();
    if mirrored == list { sum * list[0] } else { sum * list[1] }
}

#[test]
fn the_type_says_what_is_equal() {
    for wanted in [(1, true), (2, true), (0, false)] {
        let list = vec![0.5, 0.7];
        check!(compared(x, y, &list, wanted) by [x = 0.4, y = 1.3, list]);
    }
    let list = vec![0.5, 0.7, 0.5];
    let by_list = compared::grad(0.4, 1.3, &list, (1, true)).2;
    assert!(by_list[0] != 0.0 && by_list[1] == 0.0);
    let equal = compared::grad(0.4, 0.4, &[1.0, 2.0], (7, true));
    assert_eq!(
        compared::value_and_grad(0.4, 0.4, &[1.0, 2.0], (7, true)).0,
        compared(0.4, 0.4, &[1.0, 2.0], (7, true))
    );
    assert!(equal.0.is_finite());
}
