//! Patterns for arrays and slices.
#![allow(clippy::all)]

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn product(a: &[f64]) -> f64 {
    match a {
        [] => 0.0,
        [x] => *x,
        [first, rest @ ..] => {
            let mut s = *first;
            for r in rest {
                s *= r;
            }
            s
        }
    }
}

/// A function that calls itself with what is left.
#[differentiable(order = 2)]
fn horner(a: &[f64], x: f64) -> f64 {
    match a {
        [first, rest @ ..] => first + x * horner(rest, x),
        [] => 0.0,
    }
}

#[test]
fn lists_are_taken_apart() {
    for n in 0..4 {
        check!(product(&a) by a = [1.5, 2.0, 3.0, 4.0][..n].to_vec());
        let (a, x) = ([1.5, 2.0, 3.0, 4.0][..n].to_vec(), 0.7);
        check!(horner(&a, x) by [a, x]);
    }
    assert_eq!(product::grad(&[1.5, 2.0, 3.0]), [6.0, 4.5, 3.0]);
    assert_eq!(horner::grad(&[1.0, 2.0, 4.0], 0.5), (vec![1.0, 0.5, 0.25], 2.0 + 4.0));
}

#[differentiable(order = 2)]
fn ends(a: &[f64]) -> f64 {
    let [p, q] = a[..2] else { return 1.0 };
    let mut s = p * q;
    if let [x, .., y] = a[1..] {
        s += x * y * y;
    }
    if let [x, mid @ .., y] = &a[..] {
        s += x * y * mid.len() as f64 + mid.iter().map(|v| v * v).sum::<f64>();
    }
    if let &[x, _, y] = a {
        s *= x + y;
    }
    let Some((last, others)) = a.split_last() else { return s };
    let [.., before] = others else { return s };
    s + last * before.sin()
}

#[test]
fn both_ends_of_a_slice() {
    for n in 2..6 {
        check!(ends(&a) by a = [1.5, 2.0, 3.0, 4.0, 0.5][..n].to_vec());
    }
    // p·q + sin p · q
    assert_eq!(ends::grad(&[0.0, 2.0]), [2.0 + 2.0, 0.0]);
}

#[differentiable(order = 2)]
fn arrays(a: [f64; 4]) -> f64 {
    let [p, .., q] = a;
    let [x, rest @ ..] = a;
    let [y, z, ..] = &a;
    let [[m, n], ..] = [[p, q], [q, p]];
    let chosen = match a {
        [v, tail @ .., w] if v > 0.0 => v * w * tail[1] + tail.iter().sum::<f64>(),
        [_, b, ..] => b,
    };
    chosen + p * q + x * rest[2] + y * z + m * n * n
}

#[test]
fn arrays_are_taken_apart() {
    check!(arrays(a) by a = [1.5, 2.0, 3.0, 4.0]);
    check!(arrays(a) by a = [-1.5, 2.0, 3.0, 4.0]);
}

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Circle(f64),
    Square { side: f64 },
}

#[derive(Clone, Debug, Differentiable)]
struct Piece {
    shape: Shape,
    weight: f64,
}

/// Patterns in the elements, alternatives, and effects in guards.
#[differentiable(order = 2)]
fn pieces(all: &[Piece], scale: f64) -> f64 {
    let mut asked = 0.0;
    let s = match all {
        [] => 1.0,
        [Piece { shape: Shape::Circle(r), weight }] => r * r * weight,
        [Piece { shape: Shape::Circle(r), .. }, .., Piece { shape: Shape::Square { side }, weight: w }]
            if {
                asked += 1.0;
                *r > scale
            } =>
        {
            r * side * w
        }
        [Piece { weight: a, .. }, Piece { weight: b, .. }] | [_, Piece { weight: a, .. }, Piece { weight: b, .. }] => {
            a * b * scale
        }
        [first, others @ ..] => first.weight * others.iter().map(|p| p.weight).sum::<f64>(),
    };
    s * (asked + scale)
}

fn of_pieces(x: &[f64], kinds: &str) -> Vec<Piece> {
    let kinds = kinds.chars().zip(x.chunks(2));
    kinds
        .map(|(kind, x)| Piece {
            shape: if kind == 'c' { Shape::Circle(x[0]) } else { Shape::Square { side: x[0] } },
            weight: x[1],
        })
        .collect()
}

#[test]
fn elements_have_patterns() {
    let x = [1.5, 0.5, 2.0, 0.7, 1.2, 0.4, 0.9, 1.1];
    for kinds in ["", "c", "s", "cs", "sc", "ccs", "scs", "cscs", "sscc"] {
        for scale in [0.8, 1.7] {
            let f = |x: &[f64], scale: f64| pieces(&of_pieces(x, kinds), scale);
            let (by_pieces, by_scale) = pieces::grad(&of_pieces(&x, kinds), scale);
            let difference = (f(&x, scale + 1e-5) - f(&x, scale - 1e-5)) / 2e-5;
            assert!((by_scale - difference).abs() < 1e-8, "{kinds} {scale}: {by_scale} {difference}");
            for (k, piece) in by_pieces.iter().enumerate() {
                let step = |h: f64| {
                    let mut x = x;
                    x[2 * k + 1] += h;
                    f(&x, scale)
                };
                let difference = (step(1e-5) - step(-1e-5)) / 2e-5;
                assert!((piece.weight - difference).abs() < 1e-8, "{kinds} {scale} {k}: {piece:?} {difference}");
            }
        }
    }
}

#[differentiable(order = 2)]
fn growing(w: f64, #[no_diff] n: usize) -> f64 {
    let mut s = vec![w];
    for i in 0..n {
        s.push(w * i as f64);
    }
    let mut t = 0.0;
    match s.as_slice() {
        [a, b] => t += a * b,
        [a, .., z] => t += a * z * z,
        _ => t += 1.0,
    }
    match &s[..] {
        [a] => t += a,
        [.., y, z] => t += y * z,
        [] => {}
    }
    for pair in s.windows(2) {
        if let [a, b] = pair {
            t += (a - b).sin();
        }
    }
    for row in s.chunks(3) {
        let [a, _, c] = row else { continue };
        t *= a + c;
    }
    t
}

#[test]
fn lists_that_grow() {
    for n in 0..5 {
        check!(growing(w, n) by w = 0.7);
    }
}

#[differentiable(order = 2)]
fn references(a: [f64; 3]) -> f64 {
    let b = a.map(|v| v * v);
    let [p, .., q] = b;
    p + q * b.each_ref().iter().map(|v| **v).sum::<f64>() + b.each_ref().map(|v| v.sin())[1]
}

#[test]
fn an_array_of_references() {
    check!(references(a) by a = [1.0, 2.0, 3.0]);
}

#[differentiable(order = 2)]
fn slices_of_arrays(a: [f64; 3]) -> f64 {
    let v: &[f64] = &a;
    let mut t = match v {
        [] => 0.5,
        [p] => *p,
        [p, q] => p * q,
        [_, _, _, _, ..] => 7.0,
        [p, .., r] => p * r.sin(),
    };
    if let [p, q] = v {
        t += p * q;
    }
    t *= match v {
        [p, _, _, _] | [_, p, _] => *p,
        _ => 3.0,
    };
    if matches!(v, [_, _]) {
        t += 1.0;
    }
    t
}

#[differentiable(order = 2)]
fn other_lengths(a: [f64; 3]) -> f64 {
    let area = |v: &[f64]| match v {
        [r] => r * r * 3.0,
        [w, h] => w * h,
        [a, rest @ ..] => a * rest[0] * rest[1].sin(),
        [] => 0.0,
    };
    let v: &[f64] = &a;
    let [p, q] = v else { return area(&[a[0]]) + area(&[a[1], a[2]]) + area(&a) * of_borders_twice(&a) };
    p * q
}

#[differentiable(order = 2)]
fn of_borders_twice(a: &[f64]) -> f64 {
    fn border(v: &[f64]) -> f64 {
        match v {
            [] => 0.0,
            [p] => *p,
            [p, middle @ .., q] => p * q + border_of_middle(middle),
        }
    }
    fn border_of_middle(v: &[f64]) -> f64 {
        v.iter().map(|v| v * v).sum()
    }
    border(a) * border(&a[..1])
}

#[test]
fn the_length_of_an_array_decides() {
    check!(slices_of_arrays(a) by a = [0.5, 1.25, 2.0]);
    check!(other_lengths(a) by a = [0.5, 1.25, 2.0]);
    assert_eq!(slices_of_arrays::value_and_grad([2.0, 3.0, 0.0]), (0.0, [0.0, 0.0, 6.0]));
}

#[derive(Differentiable, Clone, Copy)]
struct Side {
    length: f64,
    angle: f64,
}

#[differentiable(order = 2)]
fn slices_of_structs(x: f64, y: f64) -> f64 {
    let sides = [Side { length: x, angle: 1.0 }, Side { length: 2.0, angle: y * x }];
    let v: &[Side] = &sides;
    let mut t = match v {
        [p] => p.length,
        [p, q, r] => p.angle * q.length * r.angle,
        [p, q] => p.length * q.angle.sin() * q.length,
        _ => 0.0,
    };
    for k in 0..v.len() {
        t += v[k].length * v[k].angle;
    }
    t
}

#[test]
fn structs_of_a_slice() {
    check!(slices_of_structs(x, y) by x = 0.75, y = 1.25);
}
