//! Jacobians, Hessians and derivatives in several directions, against differences and against derivatives in one direction.

use autodiff::prelude::*;

/// A Jacobian by differences, all rows one after the other.
pub(super) fn differences(mut f: impl FnMut(&[f64]) -> Vec<f64>, x: &[f64]) -> Vec<f64> {
    const STEP: f64 = 1e-5;
    let columns = x.len();
    let mut jacobian = vec![0.0; f(x).len() * columns];
    for column in 0..columns {
        let mut moved = |by: f64| {
            let mut x = x.to_vec();
            x[column] += by;
            f(&x)
        };
        let (after, before) = (moved(STEP), moved(-STEP));
        for (row, (a, b)) in after.iter().zip(before).enumerate() {
            jacobian[row * columns + column] = (a - b) / (2.0 * STEP);
        }
    }
    jacobian
}

#[track_caller]
pub(super) fn assert_close(computed: &[f64], expected: &[f64]) {
    assert_eq!(computed.len(), expected.len());
    for (k, (a, b)) in computed.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-6 * (1.0 + a.abs()), "number {k}: {a} and {b} in\n{computed:?}\n{expected:?}");
    }
}

fn flat<T: Differentiable<Scalar = f64>>(value: &T) -> Vec<f64> {
    let mut flat = vec![0.0; value.flat_len()];
    value.copy_to_flat(&mut flat);
    flat
}

/// A function of an array to an array: its Jacobian, and its derivatives in several directions.
macro_rules! check {
    ($f:ident, $x:expr $(, $passive:expr)*) => {{
        let x = $x;
        let (value, jacobian) = $f::value_and_jacobian(&x $(, $passive)*);
        assert_eq!(value, $f(&x $(, $passive)*));
        assert_eq!(jacobian, $f::jacobian(&x $(, $passive)*));
        let expected = differences(
            |numbers| {
                let mut x = x;
                x.copy_from_slice(numbers);
                $f(&x $(, $passive)*).to_vec()
            },
            &x,
        );
        assert_close(jacobian.as_flattened(), &expected);
        let mut into = jacobian.map(|row| row.map(|_| f64::NAN));
        $f::jacobian_into(&x $(, $passive)*, &mut into);
        assert_eq!(into, jacobian);
        // Directions that are no unit vectors.
        let mut directions = [x; 3];
        directions[1].iter_mut().enumerate().for_each(|(k, d)| *d = (k as f64 * 1.7).sin());
        directions[2].reverse();
        let (value, tangents) = $f::jvp_many::<3>(&x $(, $passive)*, &directions);
        for (direction, tangent) in directions.iter().zip(tangents) {
            let one = $f::jvp(&x $(, $passive)*, direction);
            assert_eq!(one.0, value);
            assert_close(&tangent, &one.1);
        }
        let mut seeds = [value; 2];
        seeds[1].iter_mut().enumerate().for_each(|(k, d)| *d = (k as f64 + 0.3).cos());
        let (value, cotangents) = $f::vjp_many(&x $(, $passive)*, &seeds);
        let (again, pullback) = $f::vjp(&x $(, $passive)*);
        assert_eq!(value, again);
        assert_eq!(cotangents, [pullback(&seeds[0]), pullback(&seeds[1])]);
    }};
}

// --- arrays ---------------------------------------------------------------------------------------------------

#[differentiable]
fn products<const N: usize>(x: &[f64; N]) -> [f64; N] {
    let mut y = [0.0; N];
    for i in 0..N {
        y[i] = x[i] * x[N - 1 - i].exp() - x[(i + 1) % N] / (1.0 + x[i] * x[i]);
    }
    y
}

#[differentiable]
fn norms<const N: usize>(x: &[f64; N]) -> [f64; 2] {
    let (mut squares, mut product) = (0.0, 1.0);
    for v in x {
        squares += v * v;
        product *= v.sin();
    }
    [squares.sqrt(), product]
}

#[differentiable]
fn branches(x: &[f64; 3], n: usize) -> [f64; 3] {
    let mut y = *x;
    let mut i = 0;
    while i < n && y[0] < 10.0 {
        if y[1] > 0.5 {
            y[0] = y[0] * y[1] + 1.0;
            y[1] *= 0.5;
        } else if i > 3 {
            y = [y[2], y[0], 1.0];
        } else {
            y[2] += y[0].sin();
        }
        i += 1;
    }
    y
}

#[differentiable(width = 3)]
fn in_threes(x: &[f64; 7]) -> [f64; 7] {
    let mut y = *x;
    for i in 1..7 {
        y[i] += y[i - 1].sin() * x[i];
    }
    y
}

/// A constant number among the results, and one that is a parameter.
#[differentiable]
fn with_constants(x: &[f64; 3]) -> [f64; 4] {
    [1.0, x[1], x[0].max(x[2]), 0.0]
}

#[test]
fn of_arrays() {
    check!(products, [0.3, 0.5, -0.2]);
    check!(products, [0.3, 0.5, -0.2, 0.9, 1.1, 0.2, 0.4, 0.8, -0.3, -0.6, 0.7]);
    check!(norms, [0.3, 0.5, -0.2, 0.9, 0.4]);
    check!(branches, [0.3, 0.9, 0.8], 7);
    check!(branches, [0.3, 0.4, 0.8], 9);
    check!(in_threes, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
    check!(with_constants, [0.3, 0.9, 0.8]);
    assert_eq!(products::jacobian(&[]), [[]; 0]);
}

#[differentiable]
fn single(x: &[f32; 2]) -> [f32; 2] {
    [x[0] * x[1], x[1].exp()]
}

#[differentiable]
fn generic<T: Real>(x: &[T; 2], k: T) -> [T; 2] {
    [x[0] * x[1] * k, x[1].exp() - k]
}

#[test]
fn of_any_number() {
    assert_eq!(single::jacobian(&[2.0, 0.0]), [[0.0, 2.0], [0.0, 1.0]]);
    assert_eq!(generic::jacobian(&[2.0_f32, 0.0], 3.0), ([[0.0, 6.0], [0.0, 1.0]], [0.0, -1.0]));
    assert_eq!(generic::jacobian(&[2.0_f64, 0.0], 3.0), ([[0.0, 6.0], [0.0, 1.0]], [0.0, -1.0]));
}

// --- numbers --------------------------------------------------------------------------------------------------

#[differentiable]
fn square(t: f64) -> f64 {
    t * t
}

#[differentiable]
fn curve(t: f64) -> [f64; 3] {
    [t, t * t, 5.0]
}

#[differentiable]
fn sum_of_squares(x: &[f64; 3], k: f64) -> f64 {
    k * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
}

#[differentiable]
fn pair(x: &[f64; 2]) -> (f64, [f64; 2]) {
    (x[0] * x[1], [x[0], 3.0])
}

#[test]
fn of_numbers() {
    assert_eq!(square::jacobian(3.0), 6.0);
    assert_eq!(square::value_and_jacobian(3.0), (9.0, 6.0));
    assert_eq!(curve::jacobian(3.0), [1.0, 6.0, 0.0]);
    assert_eq!(sum_of_squares::jacobian(&[1.0, 2.0, 3.0], 2.0), ([4.0, 8.0, 12.0], 14.0));
    assert_eq!(pair::jacobian(&[2.0, 5.0]), [[5.0, 2.0], [1.0, 0.0], [0.0, 0.0]]);
    assert_eq!(square::jvp_many(3.0, &[1.0, 2.0]), (9.0, [6.0, 12.0]));
    assert_eq!(square::vjp_many(3.0, &[1.0, 2.0]), (9.0, [6.0, 12.0]));
    let mut jacobian = 0.0;
    square::jacobian_into(4.0, &mut jacobian);
    assert_eq!(jacobian, 8.0);
    let mut both = ([0.0; 3], 0.0);
    assert_eq!(sum_of_squares::value_and_jacobian_into(&[1.0, 2.0, 3.0], 2.0, &mut both), 28.0);
    assert_eq!(both, ([4.0, 8.0, 12.0], 14.0));
}

// --- structs, enums, tensors ----------------------------------------------------------------------------------

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Body {
    x: f64,
    v: [f64; 2],
    #[no_diff]
    count: usize,
}

fn bodies(numbers: &[f64]) -> Vec<Body> {
    numbers.chunks(3).map(|c| Body { x: c[0], v: [c[1], c[2]], count: 2 }).collect()
}

#[differentiable]
fn moved(b: Body, dt: f64) -> Body {
    Body { x: b.x + dt * b.v[0], v: [b.v[0] * b.v[1], b.v[1] + dt * b.x * b.count as f64], count: b.count }
}

#[differentiable]
impl Body {
    fn reach(&self, d: &[f64; 2]) -> [f64; 2] {
        [self.x * d[0], self.v[1] * d[1]]
    }
}

#[derive(Differentiable, Clone, Copy)]
enum Shape {
    Circle(f64),
    Rectangle { w: f64, h: f64 },
}

#[differentiable]
fn area(shape: &Shape, k: f64) -> [f64; 2] {
    match shape {
        Shape::Circle(r) => [r * r * k, *r],
        Shape::Rectangle { w, h } => [w * h, k * w],
    }
}

#[differentiable]
fn layer(x: &Tensor2<f64, 2, 2>, w: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 3> {
    x.matmul(w).tanh()
}

#[test]
fn of_structs() {
    let body = Body { x: 1.0, v: [2.0, 3.0], count: 2 };
    let (by_body, by_dt) = moved::jacobian(body, 0.5);
    assert_eq!(by_body, [[1.0, 0.5, 0.0], [0.0, 3.0, 2.0], [1.0, 0.0, 1.0]]);
    assert_eq!(by_dt, [2.0, 0.0, 2.0]);
    let (by_body, by_d) = body.reach_jacobian(&[5.0, 7.0]);
    assert_eq!(by_body, [[5.0, 0.0, 0.0], [0.0, 0.0, 7.0]]);
    assert_eq!(by_d, [[1.0, 0.0], [0.0, 3.0]]);
    // All fields of all variants have a column.
    let (by_shape, by_k) = area::jacobian(&Shape::Rectangle { w: 2.0, h: 3.0 }, 5.0);
    assert_eq!((by_shape, by_k), ([[0.0, 3.0, 2.0], [0.0, 5.0, 0.0]], [0.0, 2.0]));
    let (by_shape, _) = area::jacobian(&Shape::Circle(2.0), 5.0);
    assert_eq!(by_shape, [[20.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
}

#[test]
fn of_tensors() {
    let (x, w) = (Tensor2::from([[0.1, 0.2], [0.3, 0.4]]), Tensor2::from([[0.5, 0.6, 0.7], [0.8, 0.9, 1.0]]));
    let (by_x, by_w): ([[f64; 4]; 6], [[f64; 6]; 6]) = layer::jacobian(&x, &w);
    let of_x = |n: &[f64]| layer(&Tensor2::from([[n[0], n[1]], [n[2], n[3]]]), &w).as_slice().to_vec();
    let of_w = |n: &[f64]| {
        let mut w = w;
        w.as_mut_slice().copy_from_slice(n);
        layer(&x, &w).as_slice().to_vec()
    };
    assert_close(by_x.as_flattened(), &differences(of_x, x.as_slice()));
    assert_close(by_w.as_flattened(), &differences(of_w, w.as_slice()));
}

// --- lengths that run time tells ------------------------------------------------------------------------------

#[differentiable]
fn neighbours(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| w[0] * w[1]).collect()
}

#[differentiable]
fn moments(bodies: &[Body], weights: &[f64]) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for (b, w) in bodies.iter().zip(weights) {
        sums[0] += b.x * w;
        sums[1] += b.v[0] * b.v[1].sin();
        sums[2] += w * w * b.count as f64;
    }
    sums
}

#[test]
fn of_slices() {
    let j: Vec<Vec<f64>> = neighbours::jacobian(&[1.0, 2.0, 3.0]);
    assert_eq!(j, [[2.0, 1.0, 0.0], [0.0, 3.0, 2.0]]);
    let mut flat_j = [0.0; 6];
    neighbours::jacobian_into(&[1.0, 2.0, 3.0], &mut flat_j);
    assert_eq!(flat_j, [2.0, 1.0, 0.0, 0.0, 3.0, 2.0]);
    let directions: [&[f64]; 2] = [&[1.0, 0.0, 0.0], &[0.0, 1.0, 2.0]];
    assert_eq!(neighbours::jvp_many(&[1.0, 2.0, 3.0], &directions), (vec![2.0, 6.0], [vec![2.0, 0.0], vec![1.0, 7.0]]));
    let numbers: Vec<f64> = (1..13).map(|k| f64::from(k) * 0.1).collect();
    let weights = [0.3, 0.2, 0.1, 0.5];
    let (by_bodies, by_weights): ([Vec<f64>; 3], [Vec<f64>; 3]) = moments::jacobian(&bodies(&numbers), &weights);
    assert_close(&by_bodies.concat(), &differences(|n| moments(&bodies(n), &weights).to_vec(), &numbers));
    assert_close(&by_weights.concat(), &differences(|w| moments(&bodies(&numbers), w).to_vec(), &weights));
}

#[test]
#[should_panic(expected = "a matrix of 2 × 3 numbers does not fit into a slice of 7")]
fn places_have_the_right_length() {
    neighbours::jacobian_into(&[1.0, 2.0, 3.0], &mut [0.0; 7]);
}

// --- calls ----------------------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn soft(x: f64, k: f64) -> f64 {
    (x * k).exp().ln_1p() / k
}

#[differentiable]
fn rotated(v: &[f64; 2], a: f64) -> [f64; 2] {
    [v[0] * a.cos() - v[1] * a.sin(), v[0] * a.sin() + v[1] * a.cos()]
}

#[differentiable]
fn energy(b: &Body) -> f64 {
    b.x * b.x + 0.5 * (b.v[0] * b.v[0] + b.v[1].powi(2)) * b.count as f64
}

/// A kernel is written for plain numbers: the rows of the callee are computed.
#[differentiable]
fn mixed(x: &[f64; 4]) -> [f64; 4] {
    let a = Tensor2::from([[x[0], x[1]], [x[2], x[3]]]);
    let b = a.matmul(a).tanh();
    [b[[0, 0]], b[[0, 1]], b[[1, 0]], b[[1, 1]]]
}

#[differentiable]
fn simulated(x: &[f64; 4], k: f64) -> [f64; 6] {
    let mut b = Body { x: x[0], v: [x[1], x[2]], count: 3 };
    for _ in 0..5 {
        b = moved(b, 0.1 * k);
    }
    let r = rotated(&[x[3], b.x], b.v[0]);
    let mut s = 0.0;
    for v in x {
        s += soft(*v, 2.0) * soft(k, *v + 1.0);
    }
    let c = curve(s);
    let m = mixed(x);
    [energy(&b), r[0], r[1], s, c[0] * c[1], m[2] * m[3]]
}

#[differentiable]
fn recursive(x: &[f64; 3], n: usize) -> [f64; 3] {
    if n == 0 {
        return [x[0] * x[1], x[1], x[2] * x[2]];
    }
    let y = recursive(&[x[0].sin(), x[2], x[1] * x[0]], n - 1);
    [y[0] + x[1], y[1] * y[2], y[2]]
}

#[differentiable]
fn with_gradient(x: &[f64; 2]) -> [f64; 2] {
    let g = soft::grad(x[0], x[1]);
    [g.0, g.1 * x[0]]
}

#[differentiable]
fn twice(x: &[f64; 3], f: impl Fn(f64, &[f64; 3]) -> [f64; 3]) -> [f64; 3] {
    f(0.5, &f(x[0], x))
}

#[differentiable]
fn with_closure(x: &[f64; 3]) -> [f64; 3] {
    let c = x[1];
    twice(x, |t, y| [y[0] * t, y[1] * c, y[2] + t])
}

#[differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[differentiable]
fn stretched(x: &[f64; 2], k: f64) -> [f64; 2] {
    [x[0] * k, x[1] + k]
}

#[differentiable]
fn applied<F, G>(x: &[f64; 2]) -> [f64; 2]
where
    F: Callable<(f64,), Output = f64>,
    G: for<'a> Callable<(&'a [f64; 2], f64), Output = [f64; 2]>,
{
    let y = G::call(x, x[0]);
    [F::call(y[0] * x[1]), F::call(x[1]) + y[1]]
}

#[test]
fn of_calls() {
    let x = [0.3, 0.7, -0.2, 0.9];
    let (by_x, by_k) = simulated::jacobian(&x, 1.3);
    let of_x = |n: &[f64]| simulated(&[n[0], n[1], n[2], n[3]], 1.3).to_vec();
    assert_close(by_x.as_flattened(), &differences(of_x, &x));
    assert_close(&by_k, &differences(|k| simulated(&x, k[0]).to_vec(), &[1.3]));
    check!(recursive, [0.3, 0.5, 0.8], 3);
    check!(with_gradient, [0.3, 0.9]);
    check!(with_closure, [0.3, 0.9, 0.5]);
    check!(mixed, [0.3, 0.9, 0.5, 0.2]);
    let x = [0.4, 0.6];
    let jacobian = applied::<cube, stretched>::jacobian(&x);
    let plain = |x: &[f64]| vec![(x[0] * x[0] * x[1]).powi(3), x[1].powi(3) + x[1] + x[0]];
    assert_close(jacobian.as_flattened(), &differences(plain, &x));
}

// --- Hessians -------------------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn rosenbrock<const N: usize>(x: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N - 1 {
        sum += (1.0 - x[i]).powi(2) + 100.0 * (x[i + 1] - x[i] * x[i]).powi(2);
    }
    sum
}

#[differentiable(order = 2)]
fn both(a: f64, v: &[f64; 2]) -> f64 {
    a * a * v[0] + v[1].sin() * a
}

#[differentiable(order = 2)]
fn pairs(bodies: &[Body], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..bodies.len() {
        for j in 0..i {
            let d = bodies[i].x - bodies[j].x;
            sum += k * (d * d + 1.0).sqrt() * bodies[i].v[0];
        }
        sum += (bodies[i].v[1] * k).sin() * bodies[i].count as f64;
    }
    sum
}

#[differentiable(order = 2)]
fn of_soft(x: &[f64; 3]) -> f64 {
    soft(x[0] * x[1], 2.0) * soft(x[2], x[0]) + x[1]
}

#[differentiable(order = 2)]
fn owned(b: Body) -> f64 {
    b.x * b.x * b.v[0] + b.v[1]
}

#[test]
fn hessians() {
    for x in [[1.0, 1.2, 0.9], [-0.3, 0.4, 2.0]] {
        let h: [[f64; 3]; 3] = rosenbrock::hessian(&x);
        let of_gradient = |n: &[f64]| rosenbrock::grad(&[n[0], n[1], n[2]]).to_vec();
        assert_close(h.as_flattened(), &differences(of_gradient, &x));
        let (value, gradient, again) = rosenbrock::value_grad_hessian(&x);
        assert_eq!((value, gradient, again), (rosenbrock(&x), rosenbrock::grad(&x), h));
        assert_eq!(rosenbrock::hessian_diagonal(&x), [h[0][0], h[1][1], h[2][2]]);
        let mut into = [[f64::NAN; 3]; 3];
        rosenbrock::hessian_into(&x, &mut into);
        assert_eq!(into, h);
        let v = [0.3, 0.2, 0.1];
        assert_close(&rosenbrock::hvp(&x, &v), &h.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]));
    }
    // More columns than are computed at once.
    let x: [f64; 19] = std::array::from_fn(|k| (k as f64).cos());
    let of_gradient = |n: &[f64]| rosenbrock::grad(<&[f64; 19]>::try_from(n).unwrap()).to_vec();
    assert_close(rosenbrock::hessian(&x).as_flattened(), &differences(of_gradient, &x));
    let x = [0.3, 0.5, 0.2];
    let of_gradient = |n: &[f64]| of_soft::grad(&[n[0], n[1], n[2]]).to_vec();
    assert_close(of_soft::hessian(&x).as_flattened(), &differences(of_gradient, &x));
}

#[test]
fn hessians_in_blocks() {
    let ((aa, av), (va, vv)) = both::hessian(0.5, &[1.0, 2.0]);
    assert_eq!((aa, av, va), (2.0, [1.0, 2.0_f64.cos()], [1.0, 2.0_f64.cos()]));
    assert_eq!(vv, [[0.0, 0.0], [0.0, -0.5 * 2.0_f64.sin()]]);
    let mut into = ((0.0, [0.0; 2]), ([0.0; 2], [[0.0; 2]; 2]));
    both::hessian_into(0.5, &[1.0, 2.0], &mut into);
    assert_eq!(into, ((aa, av), (va, vv)));
    assert_eq!(both::hessian_diagonal(0.5, &[1.0, 2.0]), (2.0, [0.0, -0.5 * 2.0_f64.sin()]));
    assert_eq!(
        owned::hessian(Body { x: 2.0, v: [3.0, 1.0], count: 0 }),
        [[6.0, 4.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    );
    let numbers: Vec<f64> = (1..13).map(|k| f64::from(k) * 0.1).collect();
    let ((bb, bk), (kb, kk)) = pairs::hessian(&bodies(&numbers), 0.7);
    let of_bodies = |n: &[f64]| flat(&pairs::grad(&bodies(n), 0.7).0);
    assert_close(&bb.concat(), &differences(of_bodies, &numbers));
    assert_close(&bk, &differences(|k| flat(&pairs::grad(&bodies(&numbers), k[0]).0), &[0.7]));
    assert_close(&kb, &bk);
    assert_close(&[kk], &differences(|k| vec![pairs::grad(&bodies(&numbers), k[0]).1], &[0.7]));
    let (diagonal, by_k) = pairs::hessian_diagonal(&bodies(&numbers), 0.7);
    assert_eq!(by_k, kk);
    assert_eq!(flat(&diagonal), (0..12).map(|k| bb[k][k]).collect::<Vec<_>>());
}

// --- effects --------------------------------------------------------------------------------------------------

thread_local!(static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) });

fn drawn() -> f64 {
    CALLS.set(CALLS.get() + 1);
    CALLS.get() as f64
}

#[differentiable]
fn noisy(x: &[f64; 3]) -> [f64; 3] {
    let noise: f64 = drawn();
    [x[0] * noise, x[1] * x[2], x[0] + noise]
}

/// A function with effects runs once.
#[test]
fn effects_are_not_repeated() {
    let before = CALLS.get();
    let (value, jacobian) = noisy::value_and_jacobian(&[1.0, 2.0, 3.0]);
    assert_eq!(CALLS.get(), before + 1);
    let noise = (before + 1) as f64;
    assert_eq!(value, [noise, 6.0, 1.0 + noise]);
    assert_eq!(jacobian, [[noise, 0.0, 0.0], [0.0, 3.0, 2.0], [1.0, 0.0, 0.0]]);
    let (value, tangents) = noisy::jvp_many(&[1.0, 2.0, 3.0], &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!((CALLS.get(), value[0]), (before + 2, (before + 2) as f64));
    assert_eq!(tangents, [[value[0], 0.0, 1.0], [0.0, 3.0, 0.0]]);
}

// --- names ----------------------------------------------------------------------------------------------------

struct Table(Vec<f64>);

impl Table {
    fn at(&self, i: usize) -> f64 {
        self.0[i]
    }
}

/// Its pullback reads `table`, so it borrows the arguments. Generated code has variables of these names, too.
#[differentiable]
fn named(
    x: &[f64; 3],
    #[no_diff] table: &Table,
    #[no_diff] seed: f64,
    #[no_diff] residuals: f64,
    #[no_diff] [y, g, value]: [f64; 3],
    #[no_diff] (row, column): (usize, usize),
) -> f64 {
    let mut s = y;
    for i in 0..3 {
        let t: f64 = table.at(i);
        s = (s + x[i] * t).sin() * seed + residuals;
    }
    s * g + value * x[row] * column as f64
}

#[differentiable]
fn named_too(
    x: &[f64],
    #[no_diff] table: &Table,
    #[no_diff] seed: f64,
    residuals: f64,
    #[no_diff] lane: f64,
) -> [f64; 2] {
    let mut s = [0.0; 2];
    for i in 0..x.len() {
        let t: f64 = table.at(i);
        s[0] = (s[0] + x[i] * t).sin() * seed + residuals;
        s[1] += s[0] * lane;
    }
    s
}

#[test]
fn parameters_may_have_any_name() {
    let (table, x) = (Table(vec![0.3, 0.5, 0.7]), [0.2, 0.4, 0.6]);
    let (rest, at) = ([0.1, 0.8, 1.2], (1, 2));
    let expected = differences(|x| vec![named(&[x[0], x[1], x[2]], &table, 0.9, 0.3, rest, at)], &x);
    let (_, pullback) = named::vjp(&x, &table, 0.9, 0.3, rest, at);
    assert_close(&pullback(1.0), &expected);
    assert_close(&named::grad(&x, &table, 0.9, 0.3, rest, at), &expected);
    assert_close(&named::jacobian(&x, &table, 0.9, 0.3, rest, at), &expected);
    let (by_x, by_residuals) = named_too::jacobian(&x, &table, 0.9, 0.3, 1.1);
    assert_close(&by_x.concat(), &differences(|x| named_too(x, &table, 0.9, 0.3, 1.1).to_vec(), &x));
    assert_close(&by_residuals, &differences(|r| named_too(&x, &table, 0.9, r[0], 1.1).to_vec(), &[0.3]));
    let (_, pullback) = named_too::vjp(&x, &table, 0.9, 0.3, 1.1);
    let (first, _) = pullback(&[1.0, 0.0]);
    assert_close(&first, &by_x[0]);
}
