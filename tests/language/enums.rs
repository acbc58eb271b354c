//! Enums: as parameters, in structs and slices, matched on and made.

use crate::common::{STEP, assert_gradient, inner};
use autodiff::optim::{Adam, Sgd};
use autodiff::prelude::*;
use std::f64::consts::PI;

/// All derivatives of a function of one borrowed parameter: against differences, and against each other.
macro_rules! check {
    ($f:ident, $at:expr) => {{
        let at = $at;
        let gradient = $f::grad(&at);
        assert_gradient(&at, &gradient, |at| $f(at));
        // A direction in which every number moves differently.
        let mut direction = gradient.clone();
        let mut next = 0.0;
        direction.map_leaves(&mut |data| {
            data.iter_mut().for_each(|x| {
                next += 1.0;
                *x = 0.3 + f64::sin(next);
            });
        });
        let close = |a: f64, b: f64, tolerance: f64| {
            assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{a} instead of {b}");
        };
        let (value, slope) = $f::jvp(&at, &direction);
        close(value, $f(&at), 1e-14);
        close(slope, inner(&gradient, &direction), 1e-12);
        let (value, pullback) = $f::vjp(&at);
        close(value, $f(&at), 1e-14);
        let mut twice = gradient.clone();
        assert_eq!($f::accumulate_grad(&at, &mut twice), $f::value_and_grad(&at).0);
        twice.add_scaled(-1.0, &pullback(1.0));
        twice.add_scaled(-1.0, &gradient);
        close(inner(&twice, &twice), 0.0, 1e-20);
        // The Hessian times the direction, against a difference of gradients.
        let (mut ahead, mut behind) = (at.clone(), at.clone());
        ahead.add_scaled(STEP, &direction);
        behind.add_scaled(-STEP, &direction);
        let mut expected = $f::grad(&ahead);
        expected.add_scaled(-1.0, &$f::grad(&behind));
        let mut error = $f::hvp(&at, &direction);
        error.add_scaled(-0.5 / STEP, &expected);
        close(inner(&error, &error).sqrt(), 0.0, 1e-6 * (1.0 + inner(&expected, &expected).sqrt() / STEP));
    }};
}

pub(crate) use check;

#[derive(Differentiable, Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Circle {
        r: f64,
    },
    Rectangle(f64, f64),
    Polygon {
        corners: [[f64; 2]; 3],
        #[no_diff]
        name: &'static str,
        times: usize,
    },
    Empty,
}

pub(crate) fn shapes() -> [Shape; 4] {
    [
        Shape::Circle { r: 1.5 },
        Shape::Rectangle(2.0, 3.0),
        Shape::Polygon { corners: [[0.0, 0.5], [2.0, 0.25], [1.0, 3.0]], name: "triangle", times: 2 },
        Shape::Empty,
    ]
}

#[differentiable(order = 2)]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle { r } => PI * r * r,
        Shape::Rectangle(a, b) => a * b,
        Shape::Polygon { corners, times, .. } => {
            let mut twice = 0.0;
            for i in 0..3 {
                let (p, q) = (corners[i], corners[(i + 1) % 3]);
                twice += p[0] * q[1] - p[1] * q[0];
            }
            0.5 * twice * *times as f64
        }
        Shape::Empty => 0.0,
    }
}

#[test]
fn a_gradient_has_a_part_for_each_variant() {
    let g: ShapeTangent = area::grad(&Shape::Rectangle(2.0, 3.0));
    assert_eq!((g.rectangle.0, g.rectangle.1), (3.0, 2.0));
    assert_eq!((g.circle.r, g.polygon.corners), (0.0, [[0.0; 2]; 3]));
    assert_eq!((g.polygon.name, g.polygon.times), ((), ()));
    for shape in shapes() {
        check!(area, shape);
    }
}

/// Gradients of values of different variants are of one type, and add up.
#[test]
fn gradients_add_up() {
    let mut g = area::grad(&Shape::Empty);
    for shape in shapes() {
        area::accumulate_grad(&shape, &mut g);
    }
    area::accumulate_grad(&Shape::Circle { r: 0.5 }, &mut g);
    assert_eq!(g.circle.r, 2.0 * PI * 1.5 + 2.0 * PI * 0.5);
    assert_eq!((g.rectangle.0, g.rectangle.1), (3.0, 2.0));
}

#[test]
fn the_numbers_of_all_variants_have_a_place() {
    let mut seen = Vec::new();
    let shape = Shape::Rectangle(2.0, 3.0);
    shape.visit_leaves(&autodiff::Path::ROOT, &mut |at, dims, data| seen.push(format!("{at} {dims:?} {data:?}")));
    assert_eq!(
        seen,
        [
            "circle.r [] [0.0]",
            "rectangle.0 [] [2.0]",
            "rectangle.1 [] [3.0]",
            "polygon.corners [3, 2] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]"
        ]
    );
    assert_eq!(shape.flat_len(), shape.zero_tangent().flat_len());
    let mut other = Shape::Circle { r: 1.0 };
    other.copy_from_flat(&[7.0, 8.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(other, Shape::Circle { r: 7.0 });
}

#[test]
fn optimisers_take_them() {
    let mut shape = Shape::Rectangle(2.0, 3.0);
    Sgd::new(0.5).step(&mut shape, &area::grad(&Shape::Rectangle(2.0, 3.0)));
    assert_eq!(shape, Shape::Rectangle(0.5, 2.0));
    let mut adam = Adam::new(&shape, 0.01);
    for _ in 0..10 {
        let gradient = area::grad(&shape);
        adam.step(&mut shape, &gradient);
    }
    assert!(area(&shape) < 1.0);
}

// --- patterns -----------------------------------------------------------------------------------------------

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Force {
    Spring { k: f64, rest: f64 },
    Drag(f64),
    Gravity(f64),
    Off,
}

pub(crate) fn forces() -> [Force; 4] {
    [Force::Spring { k: 2.0, rest: 0.5 }, Force::Drag(0.3), Force::Gravity(9.81), Force::Off]
}

/// Guards, ranges in patterns, alternatives with names, `@`, `..`, by value.
#[differentiable(order = 2)]
fn guarded(force: Force, x: f64) -> f64 {
    match force {
        Force::Spring { k, .. } if k > 5.0 => k * k * x,
        Force::Spring { k, rest: gap } if x > gap => k * (x - gap) * (x - gap),
        Force::Spring { rest, .. } => rest.sin() * x,
        Force::Drag(c) | Force::Gravity(c) if c > 1.0 => c * x,
        Force::Drag(c @ 0.0..=0.5) => c * x * x,
        Force::Drag(_) => x,
        Force::Gravity(c) | Force::Spring { k: c, .. } => c.exp() * x,
        Force::Off => 0.25 * x,
    }
}

#[test]
fn guards_and_alternatives() {
    for (force, x) in [
        (Force::Spring { k: 6.0, rest: 0.0 }, 0.7),
        (Force::Spring { k: 2.0, rest: 0.5 }, 0.7),
        (Force::Spring { k: 2.0, rest: 0.5 }, 0.2),
        (Force::Drag(2.0), 0.7),
        (Force::Gravity(9.81), 0.7),
        (Force::Drag(0.25), 0.7),
        (Force::Drag(0.75), 0.7),
        (Force::Gravity(0.5), 0.7),
        (Force::Off, 0.7),
    ] {
        let (by_force, by_x) = guarded::grad(force, x);
        assert_gradient(&force, &by_force, |force| guarded(*force, x));
        assert_gradient(&x, &by_x, |x| guarded(force, *x));
        let (value, slope) = guarded::jvp(force, x, &by_force, by_x);
        assert_eq!(value, guarded(force, x));
        assert!((slope - inner(&by_force, &by_force) - by_x * by_x).abs() < 1e-12 * slope.abs());
        let (value, pullback) = guarded::vjp(force, x);
        assert_eq!((value, pullback(1.0)), (value, (by_force, by_x)));
    }
}

/// Tuples of enums, nested patterns, `if let`, `let else`, `matches!`.
#[differentiable(order = 2)]
fn paired(both: &(Force, Force)) -> f64 {
    let mut total = match both {
        (Force::Spring { k, .. }, Force::Spring { k: other, rest }) => k * other * rest,
        (Force::Drag(c), _) | (_, Force::Drag(c)) => c.cos(),
        (Force::Off, Force::Off) => 1.0,
        _ => 0.5,
    };
    if let (Force::Gravity(g), Force::Spring { ref k, .. }) = *both {
        total += g * k;
    } else if let Force::Spring { k, rest } = &both.0 {
        total += k / (1.0 + rest * rest);
    }
    if matches!(both.1, Force::Spring { k, .. } if k > 1.0) {
        total *= 2.0;
    }
    let Force::Gravity(g) = both.1 else {
        return total;
    };
    total + g * g
}

#[test]
fn tuples_of_enums() {
    for first in forces() {
        for second in forces() {
            check!(paired, (first, second));
        }
    }
}

/// Alternatives of tuples, elements of arrays.
#[differentiable(order = 2)]
fn of_numbers(x: &[f64; 3], n: usize, m: usize) -> f64 {
    let first = match (n, m) {
        (0, k) | (k, 0) => x[0] * k as f64,
        _ => x[0],
    };
    match x {
        [a, b, 1.0] => first * a * b,
        [a, .., c] => first * a + c,
    }
}

#[test]
fn alternatives_and_arrays() {
    assert_eq!(of_numbers::grad(&[3.0, 2.0, 1.0], 0, 5), [60.0, 45.0, 0.0]);
    assert_eq!(of_numbers::grad(&[3.0, 2.0, 4.0], 5, 0), [30.0, 0.0, 1.0]);
    assert_eq!(of_numbers::grad(&[3.0, 2.0, 4.0], 5, 5), [6.0, 0.0, 1.0]);
}

// --- in structs, arrays and slices --------------------------------------------------------------------------

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Body {
    mass: f64,
    force: Force,
    others: [Force; 2],
}

#[differentiable(order = 2)]
fn pull(force: &Force, x: f64) -> f64 {
    match *force {
        Force::Spring { k, rest } => k * (x - rest),
        Force::Drag(c) => -c * x,
        Force::Gravity(g) => g,
        Force::Off => 0.0,
    }
}

/// Passed on whole, and in parts.
#[differentiable(order = 2)]
fn acceleration(body: &Body) -> f64 {
    let mut sum = pull(&body.force, 2.0 * body.mass);
    for other in &body.others {
        sum += pull(other, sum);
    }
    sum / body.mass
}

#[test]
fn in_structs_and_arrays() {
    for force in forces() {
        for other in forces() {
            check!(acceleration, Body { mass: 1.5, force, others: [other, Force::Drag(0.2)] });
        }
    }
}

#[differentiable(order = 2)]
fn total(forces: &[Force], x: f64) -> f64 {
    let mut x = x;
    for force in forces {
        match force {
            Force::Spring { k, rest } => x += 0.1 * k * (rest - x),
            Force::Drag(c) => x *= 1.0 - c,
            Force::Gravity(g) => x -= 0.01 * g,
            Force::Off => {}
        }
    }
    x * x
}

#[differentiable(order = 2)]
fn called(forces: &[Force], x: f64) -> f64 {
    forces.iter().map(|force| pull(force, x)).sum()
}

#[differentiable(order = 2)]
fn areas(shapes: &[Shape]) -> f64 {
    let mut sum = 0.0;
    for shape in shapes {
        if let Shape::Polygon { corners, .. } = shape {
            for c in corners {
                sum += c[0] * c[1];
            }
        } else if let Shape::Circle { r } = shape {
            sum += r.powi(3);
        }
    }
    sum
}

#[test]
fn slices() {
    let forces = [forces(), forces()].concat();
    let (by_forces, by_x) = total::grad(&forces, 0.7);
    assert_gradient(&forces, &by_forces, |forces| total(forces, 0.7));
    assert_gradient(&0.7, &by_x, |x| total(&forces, *x));
    let (value, pullback) = total::vjp(&forces, 0.7);
    assert_eq!((value, pullback(1.0)), (total(&forces, 0.7), (by_forces.clone(), by_x)));
    let (value, slope) = total::jvp(&forces, 0.7, &by_forces, by_x);
    assert_eq!(value, total(&forces, 0.7));
    assert!((slope - inner(&by_forces, &by_forces) - by_x * by_x).abs() < 1e-12 * slope);
    let (by_forces, _) = called::grad(&forces, 0.7);
    assert_gradient(&forces, &by_forces, |forces| called(forces, 0.7));
    let all = shapes().to_vec();
    assert_gradient(&all, &areas::grad(&all), |all| areas(all));
}

// --- generic ------------------------------------------------------------------------------------------------

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Layer<T: Real, const N: usize> {
    Scale(Tensor1<T, N>),
    Affine { w: Tensor2<T, N, N>, b: Tensor1<T, N> },
    Shift(T),
}

#[differentiable(order = 2)]
fn apply<T: Real, const N: usize>(layer: &Layer<T, N>, x: &Tensor1<T, N>) -> Tensor1<T, N> {
    match layer {
        Layer::Scale(s) => x * s,
        Layer::Affine { w, b } => x.matmul(w) + b,
        Layer::Shift(by) => x + by,
    }
}

#[differentiable(order = 2)]
fn network(layers: &[Layer<f64, 2>; 3]) -> f64 {
    let mut x = Tensor1::<f64, 2>::full(0.5);
    for layer in layers {
        x = apply(layer, &x).tanh();
    }
    x.sum()
}

#[test]
fn generic_enums() {
    let affine = Layer::Affine { w: Tensor2::from([[0.3, -0.2], [0.7, 1.1]]), b: Tensor1::from([0.1, -0.4]) };
    let (scale, shift) = (Layer::Scale(Tensor1::from([1.5, -0.5])), Layer::Shift(0.25));
    check!(network, [affine.clone(), scale.clone(), shift.clone()]);
    check!(network, [shift.clone(), affine, scale]);
    let (by_layer, by_x) = apply::<f32, 2>::vjp(&Layer::Shift(2.0), &Tensor1::full(1.0)).1(&Tensor1::from([1.0, 2.0]));
    assert_eq!((by_layer.shift.0, by_x), (3.0, Tensor1::from([1.0, 2.0])));
}

// --- values made in the body --------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn made(x: &[f64; 3]) -> f64 {
    let shape = if x[0] > 0.0 {
        Shape::Circle { r: x[0] * x[1] }
    } else if x[1] > 0.0 {
        Shape::Rectangle(x[1], x[2].exp())
    } else {
        Shape::Empty
    };
    let mut force = Force::Off;
    for i in 0..3 {
        force = match force {
            Force::Off => Force::Drag(x[i]),
            Force::Drag(c) => Force::Spring { k: c * x[i], rest: c },
            Force::Spring { k, rest } => Force::Spring { rest: k, k: rest + x[i] },
            Force::Gravity(_) => Force::Off,
        };
    }
    area(&shape) + pull(&force, x[2])
}

#[test]
fn values_are_made() {
    check!(made, [0.5, 1.5, 2.0]);
    check!(made, [-0.5, 1.5, 0.3]);
    check!(made, [-0.5, -1.5, 0.3]);
}

/// An enum is a result like any other, with its tangent as its tangent.
#[differentiable(order = 2)]
fn scaled(force: &Force, by: f64) -> Force {
    match force {
        Force::Spring { k, rest } => Force::Spring { rest: *rest, k: by * k },
        Force::Drag(c) if *c > 0.1 => Force::Gravity(c * by),
        Force::Drag(_) => Force::Off,
        other => *other,
    }
}

#[differentiable(order = 2)]
fn scaled_pull(force: &Force) -> f64 {
    let stronger = scaled(force, 3.0);
    pull(&stronger, 0.25) + pull(&scaled(&stronger, 0.5), 2.0)
}

#[test]
fn results() {
    let (value, pullback) = scaled::vjp(&Force::Spring { k: 2.0, rest: 0.5 }, 3.0);
    assert_eq!(value, Force::Spring { k: 6.0, rest: 0.5 });
    let mut seed = value.zero_tangent();
    seed.spring.k = 1.0;
    seed.drag.0 = 5.0;
    let (by_force, by_factor) = pullback(&seed);
    assert_eq!((by_force.spring.k, by_force.spring.rest, by_force.drag.0, by_factor), (3.0, 0.0, 0.0, 2.0));
    let (value, tangent) = scaled::jvp(&Force::Drag(2.0), 0.5, &seed, 1.0);
    assert_eq!(value, Force::Gravity(1.0));
    assert_eq!((tangent.gravity.0, tangent.drag.0, tangent.spring.k), (0.5 * 5.0 + 2.0, 0.0, 0.0));
    for force in forces() {
        check!(scaled_pull, force);
    }
    check!(scaled_pull, Force::Drag(0.01));
}

/// Enums in enums, structs in enums, and names that are only short here.
mod nested {
    use super::*;
    use Node::{Leaf, Twice};

    #[derive(Differentiable, Clone, Debug, PartialEq)]
    pub struct Point {
        pub at: [f64; 2],
    }

    #[derive(Differentiable, Clone, Debug, PartialEq)]
    pub(super) enum Node {
        Leaf(Force),
        Twice(Force, Point),
        Never { r#type: f64 },
    }

    #[differentiable(order = 2)]
    pub(super) fn weight(node: &Node) -> f64 {
        match node {
            Leaf(Force::Spring { k, rest }) => k * rest,
            Leaf(force) => pull(force, 3.0),
            Twice(Force::Off, point) => point.at[0] * point.at[1],
            Twice(force, Point { at: [x, y] }) => pull(force, *x) * y,
            Node::Never { r#type } => r#type * r#type,
        }
    }

    #[differentiable(order = 2)]
    pub fn grown(x: &[f64; 2]) -> f64 {
        let node = Node::Twice(Force::Drag(x[0]), Point { at: [x[0] * x[1], 2.0] });
        weight(&node) + weight(&Node::Leaf(Force::Gravity(x[1])))
    }
}

#[test]
fn nested_enums() {
    use nested::{Node, Point, grown, weight};
    for force in forces() {
        check!(weight, Node::Leaf(force));
        check!(weight, Node::Twice(force, Point { at: [0.5, 0.25] }));
    }
    check!(weight, Node::Never { r#type: 3.0 });
    check!(grown, [0.7, 1.2]);
}

// --- whose lengths are known at run time --------------------------------------------------------------------

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Curve {
    Line { slope: f64 },
    Polynomial(Vec<f64>),
}

#[differentiable(order = 2)]
fn at(curve: &Curve, x: f64) -> f64 {
    match curve {
        Curve::Line { slope } => slope * x,
        Curve::Polynomial(c) => {
            let mut y = 0.0;
            for c in c.iter().rev() {
                y = y * x + c;
            }
            y
        }
    }
}

#[test]
fn vectors_in_variants() {
    for curve in [Curve::Line { slope: 2.0 }, Curve::Polynomial(vec![1.0, -0.5, 0.25])] {
        let (by_curve, by_x) = at::grad(&curve, 0.7);
        assert_gradient(&curve, &by_curve, |curve| at(curve, 0.7));
        assert_gradient(&0.7, &by_x, |x| at(&curve, *x));
        assert_eq!(at::vjp(&curve, 0.7).1(1.0), (by_curve.clone(), by_x));
        let (_, slope) = at::jvp(&curve, 0.7, &by_curve, by_x);
        assert!((slope - inner(&by_curve, &by_curve) - by_x * by_x).abs() < 1e-12);
    }
}
