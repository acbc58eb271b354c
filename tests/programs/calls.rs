//! Calls of other differentiable functions: every way to pass an argument and to take a result, through every
//! generated function.

use crate::common::{assert_gradient, inner};
use autodiff::prelude::*;
use autodiff::{DifferentiableFn, Residuals};
use model_crate::{Affine, AffineTangent, Net, NetTangent, affine, predict};

/// Other values than in `model-crate`, whose shapes use constants of the same names.
const IN: usize = 7;
const HID: usize = 9;

fn net() -> Net {
    let wave = |k: usize| (0.3 * k as f64).sin();
    Net {
        hidden: Affine { w: Tensor2::from_fn(|[i, j]| wave(4 * i + j)), b: Tensor1::from_fn(|[j]| wave(j + 1) / 2.0) },
        output: Affine { w: Tensor2::from_fn(|[i, _]| wave(i + 5)), b: Tensor1::from([0.1]) },
    }
}

fn direction() -> NetTangent {
    let wave = |k: usize| (0.7 * k as f64).cos();
    NetTangent {
        hidden: AffineTangent { w: Tensor2::from_fn(|[i, j]| wave(4 * i + j)), b: Tensor1::from_fn(wave_at) },
        output: AffineTangent { w: Tensor2::from_fn(|[i, _]| wave(i)), b: Tensor1::from([-0.4]) },
    }
}

fn wave_at([j]: [usize; 1]) -> f64 {
    (0.2 * j as f64).cos()
}

fn inputs() -> Tensor2<f64, 2, 3> {
    Tensor2::from_fn(|[i, j]| 0.5 - (i * 3 + j) as f64 / 4.0)
}

fn targets() -> Tensor2<f64, 2, 1> {
    Tensor2::from([[0.3], [-0.2]])
}

// --- structs of another crate, with constants that mean something else here -----------------------------------

#[differentiable(order = 2)]
fn loss<const B: usize>(net: &Net, #[no_diff] x: &Tensor2<f64, B, 3>, #[no_diff] y: &Tensor2<f64, B, 1>) -> f64 {
    let d = predict(net, x) - y;
    (d * d).sum()
}

/// Calls `loss`, `affine` and the struct's own numbers, so that their cotangents meet.
#[differentiable(order = 2)]
fn regularised(net: &Net, #[no_diff] x: &Tensor2<f64, 2, 3>, #[no_diff] y: &Tensor2<f64, 2, 1>) -> f64 {
    let w = net.hidden.w;
    let h = affine(&net.hidden, x).sin();
    loss(net, x, y) + 0.5 * (w * w).sum() + loss(net, x, y) * net.output.b[[0]] + h.sum()
}

#[test]
fn shapes_mean_what_they_mean_where_they_are_written() {
    assert_eq!((IN, HID, model_crate::IN, model_crate::HID), (7, 9, 3, 4));
    let (net, x, y) = (net(), inputs(), targets());
    let g = loss::grad(&net, &x, &y);
    assert_gradient(&net, &g, |net| loss(net, &x, &y));
}

#[test]
fn every_generated_function_agrees() {
    let (net, x, y) = (net(), inputs(), targets());
    let (value, g) = regularised::value_and_grad(&net, &x, &y);
    assert_eq!(value, regularised(&net, &x, &y));
    assert_gradient(&net, &g, |net| regularised(net, &x, &y));
    assert_eq!(regularised::grad(&net, &x, &y), g);

    let mut into = direction();
    regularised::grad_into(&net, &x, &y, &mut into);
    assert_eq!(into, g);
    let mut into = direction();
    assert_eq!(regularised::value_and_grad_into(&net, &x, &y, &mut into), value);
    assert_eq!(into, g);

    // A second time on top of the first: twice the gradient, up to rounding.
    assert_eq!(regularised::accumulate_grad(&net, &x, &y, &mut into), value);
    let twice = inner(&into, &direction());
    assert!((twice - 2.0 * inner(&g, &direction())).abs() < 1e-12);

    let (by_jvp, dot) = regularised::jvp(&net, &x, &y, &direction());
    assert_eq!(by_jvp, value);
    assert!((dot - inner(&direction(), &g)).abs() < 1e-12, "⟨g, v⟩ = {}, jvp {dot}", inner(&direction(), &g));

    let (by_vjp, pullback) = regularised::vjp(&net, &x, &y);
    assert_eq!(by_vjp, value);
    assert_close(&pullback(1.0), &g);
    assert_close(&pullback(1.0), &pullback(1.0));
    assert!((inner(&direction(), &pullback(-2.0)) + 2.0 * dot).abs() < 1e-12);
}

fn assert_close(a: &NetTangent, b: &NetTangent) {
    let mut difference = a.clone();
    difference.add_scaled(-1.0, b);
    assert!(inner(&difference, &difference) < 1e-24);
}

/// Residuals are an ordinary type, to be kept as long as one likes.
struct Step {
    value: f64,
    residuals: Residuals<loss<2>>,
}

#[test]
fn residuals_in_a_struct() {
    let (net, x, y) = (net(), inputs(), targets());
    let steps = [1.0, -1.0].map(|sign| {
        let mut x = x;
        x.map_leaves(&mut |data| data.iter_mut().for_each(|x| *x *= sign));
        let (value, residuals) = loss::forward(&net, &x, &y);
        (Step { value, residuals }, x)
    });
    for (step, x) in &steps {
        assert_eq!(step.value, loss(&net, x, &y));
        let g = loss::<2>::pullback(&step.residuals, 1.0);
        assert_close(&g, &loss::grad(&net, x, &y));
    }
    assert_eq!(loss::<2>::RESIDUAL_BYTES, size_of::<Residuals<loss<2>>>());
}

// --- generic callees ------------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn dot<T: Real, const N: usize>(a: &[T; N], b: &[T; N]) -> T {
    let mut s = T::ZERO;
    for i in 0..N {
        s += a[i] * b[i];
    }
    s
}

#[differentiable(order = 2)]
fn norms<const N: usize>(x: &[f64; N], y: &[f32; 3]) -> f64 {
    dot(x, x) + dot(y, y) as f64
}

#[differentiable(order = 2)]
fn twice_generic<T: Real, const M: usize>(x: &[T; M], y: &[T; M]) -> T {
    dot(x, y) * dot(y, x)
}

#[test]
fn one_callee_at_several_types_and_sizes() {
    let (x, y) = ([1.0, -2.0, 0.5, 4.0], [3.0_f32, 0.0, -1.0]);
    let (value, (x_bar, y_bar)) = norms::value_and_grad(&x, &y);
    assert_eq!(value, 21.25 + 10.0);
    assert_eq!(x_bar, x.map(|x| 2.0 * x));
    assert_eq!(y_bar, y.map(|y| 2.0 * y));
    let (a, b) = ([1.0_f32, 2.0], [3.0, 5.0]);
    let (a_bar, b_bar) = twice_generic::grad(&a, &b);
    assert_eq!((a_bar, b_bar), (b.map(|b| 26.0 * b), a.map(|a| 26.0 * a)));
}

// --- ways to pass a struct ------------------------------------------------------------------------------------

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Pair {
    a: [f64; 2],
    scale: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Both {
    left: Pair,
    right: Pair,
    many: [Pair; 2],
}

#[differentiable(order = 2)]
fn weigh(pair: &Pair, x: f64) -> f64 {
    pair.scale * pair.scale * (pair.a[0] * x + pair.a[1])
}

#[differentiable(order = 2)]
fn product(left: &Pair, right: &Pair) -> f64 {
    left.scale * right.a[0] + left.a[1] * right.scale
}

#[differentiable(order = 2)]
fn by_value(pair: Pair, x: f64) -> f64 {
    pair.scale * x * pair.a[1]
}

#[differentiable(order = 2)]
fn whole_and_parts(both: &Both, x: f64) -> f64 {
    let first = weigh(&both.left, x);
    let rest = weigh(&both.right, first) + product(&both.left, &both.right) + dot(&both.left.a, &both.right.a);
    rest + weigh(&both.many[1], both.left.scale) * weigh(&both.many[0], x * x)
}

/// The same array, the same number and overlapping parts in one call.
#[differentiable(order = 2)]
fn same_twice(pair: &Pair, x: f64) -> f64 {
    dot(&pair.a, &pair.a) + three(x, x, pair.scale)
}

#[differentiable(order = 2)]
fn three(a: f64, b: f64, c: f64) -> f64 {
    a * b * b * c
}

fn both() -> Both {
    let pair = |k: f64| Pair { a: [k, 0.5 - k], scale: 1.0 + k / 4.0 };
    Both { left: pair(0.3), right: pair(-0.8), many: [pair(1.2), pair(0.1)] }
}

#[test]
fn structs_whole_by_part_and_twice() {
    let both = both();
    let (g, x_bar) = whole_and_parts::grad(&both, 0.6);
    assert_gradient(&both, &g, |both| whole_and_parts(both, 0.6));
    assert_gradient(&0.6, &x_bar, |x| whole_and_parts(&both, *x));
    let (_, dot) = whole_and_parts::jvp(&both, 0.6, &g, x_bar);
    assert!((dot - (inner(&g, &g) + x_bar * x_bar)).abs() < 1e-9);

    let pair = both.left;
    let (g, x_bar) = same_twice::grad(&pair, 1.7);
    assert_gradient(&pair, &g, |pair| same_twice(pair, 1.7));
    assert!((x_bar - 3.0 * 1.7 * 1.7 * pair.scale).abs() < 1e-12);
    let (_, pullback) = same_twice::vjp(&pair, 1.7);
    assert_eq!(pullback(1.0).0.scale, g.scale);
}

#[differentiable(order = 2)]
fn calls_by_value(pair: &Pair) -> f64 {
    by_value(pair.clone(), 2.0)
}

#[test]
fn a_struct_by_value() {
    let pair = both().right;
    let (g, _) = by_value::grad(pair.clone(), 2.0);
    assert_gradient(&pair, &g, |pair| by_value(pair.clone(), 2.0));
    assert_gradient(&pair, &calls_by_value::grad(&pair), calls_by_value);
}

// --- calls in loops -------------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn in_a_loop(pair: &Pair, xs: &[f64; 5]) -> f64 {
    let mut s = 0.0;
    for i in 0..5 {
        s += weigh(pair, xs[i]) * three(xs[i], pair.scale, s);
    }
    s
}

#[differentiable(order = 2)]
fn recurrence(pair: &Pair, x: f64) -> f64 {
    let mut h = x;
    for _ in 0..4 {
        h = weigh(pair, h) + dot(&pair.a, &[h, 1.0]);
    }
    h
}

#[test]
fn loops_that_call() {
    let (pair, xs) = (both().left, [0.1, 0.7, -0.3, 0.9, 0.4]);
    let (g, xs_bar) = in_a_loop::grad(&pair, &xs);
    assert_gradient(&pair, &g, |pair| in_a_loop(pair, &xs));
    assert_gradient(&xs, &xs_bar, |xs| in_a_loop(&pair, xs));
    let (y, pullback) = recurrence::vjp(&pair, 0.3);
    assert_eq!(y, recurrence(&pair, 0.3));
    let (g, x_bar) = pullback(1.0);
    assert_gradient(&pair, &g, |pair| recurrence(pair, 0.3));
    assert_gradient(&0.3, &x_bar, |x| recurrence(&pair, *x));
    let (_, y_dot) = recurrence::jvp(&pair, 0.3, &g, x_bar);
    assert!((y_dot - (inner(&g, &g) + x_bar * x_bar)).abs() < 1e-9);
}

// --- results of several parts ---------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn polar(x: f64, y: f64) -> (f64, [f64; 2]) {
    let r = (x * x + y * y).sqrt();
    (r, [x / r, y / r])
}

#[differentiable(order = 2)]
fn split(both: &Both, x: f64) -> Pair {
    let (r, unit) = polar(both.left.scale, x);
    Pair { a: [unit[1] * r, both.left.a[0]], scale: unit[0] }
}

#[differentiable(order = 2)]
fn reads_parts(both: &Both, x: f64) -> f64 {
    let Pair { a: [first, second], scale } = split(both, x);
    let (r, [c, _]) = polar(first, second);
    r * scale + c
}

#[differentiable(order = 2)]
fn rebuilt(net: &Net) -> Net {
    let Net { hidden, output } = net;
    Net { hidden: Affine { w: hidden.w * 2.0, b: hidden.b }, output: Affine { w: output.w, b: output.b.tanh() } }
}

#[differentiable(order = 2)]
fn unchanged(net: &Net, x: f64) -> (Net, f64) {
    (net.clone(), x * net.output.b[[0]])
}

#[test]
fn tuples_and_structs_as_results() {
    let both = both();
    let (g, x_bar) = reads_parts::grad(&both, 0.4);
    assert_gradient(&both, &g, |both| reads_parts(both, 0.4));
    assert_gradient(&0.4, &x_bar, |x| reads_parts(&both, *x));

    let (y, pullback) = split::vjp(&both, 0.4);
    assert_eq!(y, split(&both, 0.4));
    let seed = PairTangent { a: [0.0, 1.0], scale: 0.0 };
    assert_eq!(pullback(&seed).0.left.a, [1.0, 0.0]);
    let seed = PairTangent { a: [1.0, 0.0], scale: 0.0 };
    assert!((pullback(&seed).1 - 1.0).abs() < 1e-15);

    let ((r, unit), (r_dot, unit_dot)) = polar::jvp(3.0, 4.0, 3.0, 4.0);
    assert_eq!((r, unit, r_dot), (5.0, [0.6, 0.8], 5.0));
    assert!(unit_dot.iter().all(|dot| dot.abs() < 1e-15));
}

#[test]
fn structs_of_another_crate_as_results() {
    let net = net();
    let (y, pullback) = rebuilt::vjp(&net);
    assert_eq!(y.hidden.w, Tensor2::from_fn(|at| 2.0 * net.hidden.w[at]));
    let g = pullback(&direction());
    assert_eq!(g.hidden.w, Tensor2::from_fn(|at| 2.0 * direction().hidden.w[at]));
    assert_eq!(g.hidden.b, direction().hidden.b);
    let (_, dot) = rebuilt::jvp(&net, &direction());
    assert!((inner(&dot, &direction()) - inner(&g, &direction())).abs() < 1e-12);

    let ((same, _), pullback) = unchanged::vjp(&net, 2.0);
    assert_eq!(same, net);
    let (g, x_bar) = pullback(&(direction(), 1.0));
    assert_eq!((g.hidden, x_bar), (direction().hidden, 0.1));
    assert_eq!(g.output.b[[0]], direction().output.b[[0]] + 2.0);
}

// --- what is not differentiated -------------------------------------------------------------------------------

#[differentiable(wrt(a, c), order = 2)]
fn chosen(a: f64, b: f64, c: &[f64; 2]) -> f64 {
    a * b * c[0] + c[1] * c[1]
}

#[differentiable(order = 2)]
fn calls_chosen(a: f64, #[no_diff] b: f64, c: &[f64; 2]) -> f64 {
    chosen(a, b, c) * b
}

#[differentiable(order = 2)]
fn stops(a: f64, c: &[f64; 2]) -> f64 {
    chosen(a, stop_gradient(a * a), c)
}

#[derive(Differentiable, Clone)]
struct Model {
    w: f64,
    #[no_diff]
    table: [f64; 3],
    steps: usize,
}

#[differentiable(order = 2)]
fn looked_up(model: &Model, #[no_diff] at: usize) -> f64 {
    model.w * model.table[at]
}

#[differentiable(order = 2)]
fn sums_up(model: &Model) -> f64 {
    looked_up(model, 0) * looked_up(model, 2) + model.w
}

#[test]
fn inactive_parts() {
    let (a, b, c) = (2.0, 3.0, [5.0, 7.0]);
    assert_eq!(chosen::grad(a, b, &c), (15.0, [6.0, 14.0]));
    assert_eq!(calls_chosen::grad(a, b, &c), (45.0, [18.0, 42.0]));
    assert_eq!(chosen::jvp(a, b, &c, 1.0, &[0.0; 2]), (79.0, 15.0));
    // The cut leaves a·stop(a²)·c₀: its derivative is a²·c₀.
    assert_eq!(stops::grad(a, &c), (20.0, [8.0, 14.0]));
    assert_eq!(stop_gradient(4.0), 4.0);

    let model = Model { w: 1.5, table: [2.0, 0.0, 4.0], steps: 3 };
    let g: ModelTangent = sums_up::grad(&model);
    assert_eq!((g.w, g.table, g.steps), (2.0 * 1.5 * 8.0 + 1.0, (), ()));
    assert_eq!(model.steps, 3);
}

// --- second derivatives (of functions without calls) ----------------------------------------------------------

#[differentiable(order = 2)]
fn quartic(pair: &Pair, x: f64) -> f64 {
    let s = pair.a[0] * x + pair.scale;
    s * s * s * pair.a[1]
}

#[test]
fn hessian_times_vector() {
    let (pair, x) = (both().left, 0.9);
    let v = PairTangent { a: [0.2, -1.0], scale: 0.5 };
    let (hv, x_bar) = quartic::hvp(&pair, x, &v, 0.3);
    let gradient = |by: f64| {
        let mut moved = pair.clone();
        moved.add_scaled(by, &v);
        quartic::grad(&moved, x + 0.3 * by)
    };
    let (step, mut difference) = (1e-5, gradient(1e-5));
    difference.0.add_scaled(-1.0, &gradient(-step).0);
    let expected = [difference.0.a[0], difference.0.a[1], difference.0.scale, difference.1 - gradient(-step).1];
    for (given, expected) in [hv.a[0], hv.a[1], hv.scale, x_bar].into_iter().zip(expected) {
        assert!((given - expected / (2.0 * step)).abs() < 1e-7);
    }
}

// --- structs put together for a call, from parameters as they stand -------------------------------------------------

#[differentiable(order = 2)]
fn moved(pair: &Pair, by: f64) -> Pair {
    Pair { a: [pair.a[0] + by * pair.scale, pair.a[1] * pair.a[0]], scale: pair.scale * by }
}

#[differentiable(order = 2)]
fn put_together(a: &[f64; 2], x: &[f64; 2]) -> f64 {
    let end = moved(&Pair { a: *a, scale: x[0] }, x[1]);
    end.a[0] * end.a[1] + end.scale
}

#[differentiable(order = 2)]
fn moved_twice(pair: &Pair, by: f64) -> Pair {
    let once = moved(pair, by);
    moved(&once, 0.5 * by)
}

#[differentiable(order = 2)]
fn moved_far(x: &[f64; 4]) -> f64 {
    let end = moved_twice(&Pair { a: [x[0], x[1]], scale: x[2] }, x[3]);
    end.a[0] * end.a[1] + end.scale
}

#[test]
fn structs_put_together() {
    let (a, x) = ([0.3, 0.7], [-0.6, 0.2]);
    let (by_a, by_x) = put_together::grad(&a, &x);
    assert_gradient(&a, &by_a, |a| put_together(a, &x));
    assert_gradient(&x, &by_x, |x| put_together(&a, x));
    let (x, v) = ([0.3, 0.7, -0.6, 0.2], [0.4, -1.0, 0.2, 0.7]);
    assert_gradient(&x, &moved_far::grad(&x), moved_far);
    assert_gradient(&x, &moved_far::hvp(&x, &v), |x| inner(&v, &moved_far::grad(x)));
}

// --- generic parameters that no argument tells ---------------------------------------------------------------------

/// The vector as a matrix.
#[differentiable(order = 2)]
fn folded<T: Real, const N: usize, const R: usize, const C: usize>(x: &Tensor1<T, N>) -> Tensor2<T, R, C> {
    x.reshape([R, C])
}

#[differentiable(order = 2)]
fn by_what_is_expected(x: &Tensor1<f64, 6>) -> f64 {
    let matrix: Tensor2<f64, 2, 3> = folded(x);
    matrix.sum_axis(0).powi(3).sum()
}

#[differentiable(order = 2)]
fn by_what_is_written<const R: usize>(x: &Tensor1<f64, 6>, w: &Tensor2<f64, R, 3>) -> f64 {
    (folded::<f64, 6, R, 3>(x).sum_axis(0).powi(3) + folded::<_, _, 3, 2>(x).sum_axis(1).powi(3) * w.sum_axis(0)).sum()
}

#[test]
fn generic_parameters_of_a_result() {
    let x = Tensor1::from([0.5, -1.0, 2.0, 0.25, 1.5, -0.5]);
    assert_gradient(&x, &by_what_is_expected::grad(&x), by_what_is_expected);
    let w = Tensor2::from_fn(|[i, j]| 0.3 * i as f64 - 0.2 * j as f64);
    let (by_x, by_w) = by_what_is_written::<2>::grad(&x, &w);
    assert_gradient(&x, &by_x, |x| by_what_is_written(x, &w));
    assert_gradient(&w, &by_w, |w| by_what_is_written(&x, w));
}
