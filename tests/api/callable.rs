//! Differentiable functions as generic parameters: `F: Callable<(f64,), Output = f64>`.

use crate::common::{assert_gradient, inner};
use autodiff::prelude::*;

/// Value, both modes and second order of a function of an array, against each other and against differences.
macro_rules! check {
    ($f:ident, $at:expr) => {{
        use $f as f;
        let x = $at;
        let (value, g) = f::value_and_grad(&x);
        assert_eq!(value, f(&x));
        assert_gradient(&x, &g, |x| f(x));
        let mut v = x;
        v.iter_mut().enumerate().for_each(|(k, v)| *v = (1.0 + k as f64).sin());
        let (by_jvp, dot) = f::jvp(&x, &v);
        close(by_jvp, value);
        close(dot, inner(&v, &g));
        let (by_vjp, pullback) = f::vjp(&x);
        close(by_vjp, value);
        close(inner(&v, &pullback(2.0)), 2.0 * dot);
        close(inner(&v, &pullback(1.0)), dot);
        assert_gradient(&x, &f::hvp(&x, &v), |x| inner(&v, &f::grad(x)));
    }};
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{a} and {b}");
}

#[differentiable(order = 2)]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable(order = 2)]
fn wave(x: f64) -> f64 {
    (2.0 * x).sin() + x
}

// --- quadrature -----------------------------------------------------------------------------------------------

/// The trapezoidal rule on `[0, a]`.
#[differentiable(order = 2)]
fn integrate<F: Callable<(f64,), Output = f64>>(a: f64, n: usize) -> f64 {
    let h = a / n as f64;
    let mut sum = 0.5 * (F::call(0.0) + F::call(a));
    for k in 1..n {
        sum += F::call(h * k as f64);
    }
    sum * h
}

#[test]
fn quadrature() {
    assert!((integrate::<square>(0.5, 100) - 0.125 / 3.0).abs() < 1e-4);
    assert!((integrate::<square>::grad(0.5, 100) - 0.25).abs() < 1e-4);
    let (value, dot) = integrate::<wave>::jvp(0.7, 50, 2.0);
    assert_eq!(value, integrate::<wave>(0.7, 50));
    close(dot, 2.0 * integrate::<wave>::grad(0.7, 50));
    let (_, pullback) = integrate::<wave>::vjp(0.7, 50);
    close(pullback(3.0), 1.5 * dot);
    let second = (integrate::<wave>::grad(0.7 + 1e-6, 50) - integrate::<wave>::grad(0.7 - 1e-6, 50)) / 2e-6;
    assert!((integrate::<wave>::hvp(0.7, 50, 1.0) - second).abs() < 1e-7);
}

#[differentiable(order = 2)]
fn both(x: &[f64; 2]) -> f64 {
    integrate::<wave>(x[0], 7) * integrate::<square>(x[1] * x[0], 5) + model_crate::simpson::<square>(x[1], x[0])
}

#[test]
fn called_by_a_differentiable_function() {
    check!(both, [0.8, -0.3]);
}

// --- functions of functions -----------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn compose<F, G>(x: f64) -> f64
where
    F: Callable<(f64,), Output = f64>,
    G: Callable<(f64,), Output = f64>,
{
    F::call(G::call(x))
}

/// Hands its parameter on.
#[differentiable(order = 2)]
fn thrice<F: Callable<(f64,), Output = f64>>(x: f64) -> f64 {
    compose::<F, F>(x) + F::call(x) * model_crate::simpson::<F>(0.0, x)
}

#[differentiable(order = 2)]
fn tower(x: &[f64; 1]) -> f64 {
    compose::<compose<wave, square>, thrice<wave>>(x[0]) + integrate::<thrice<model_crate::square>>(x[0], 3)
}

#[test]
fn composition() {
    assert_eq!(compose::<square, wave>(0.3), square(wave(0.3)));
    assert_eq!(compose::<wave, square>(0.3), wave(square(0.3)));
    close(compose::<square, wave>::grad(0.3), 2.0 * wave(0.3) * wave::grad(0.3));
    check!(tower, [0.4]);
}

/// As a plain function has it.
fn midpoint<F: Callable<(f64,), Output = f64>>(a: f64, b: f64) -> (f64, f64) {
    let (value, slope) = F::jvp((0.5 * (a + b),), (1.0,));
    ((b - a) * value, F::call((b,)) - slope)
}

#[test]
fn in_plain_functions() {
    assert_eq!(midpoint::<square>(1.0, 3.0), (8.0, 5.0));
}

// --- derivatives of the parameter -----------------------------------------------------------------------------

/// A root of `F(·, p)` by Newton's method.
#[differentiable]
fn newton<F: Callable<(f64, f64), Output = f64>>(start: f64, p: f64) -> f64 {
    let mut x = start;
    #[max_iters(30)]
    while F::call(x, p).abs() > 1e-13 {
        let (value, (slope, _)) = F::value_and_grad(x, p);
        x -= value / slope;
    }
    x
}

#[differentiable(order = 2)]
fn cube_minus(x: f64, p: f64) -> f64 {
    x * x * x - p
}

#[test]
fn root_finder() {
    let root = newton::<cube_minus>(1.0, 2.0);
    close(root, 2.0_f64.cbrt());
    let (by_start, by_p) = newton::<cube_minus>::grad(1.0, 2.0);
    assert!(by_start.abs() < 1e-9, "{by_start}");
    assert!((by_p - 1.0 / (3.0 * root * root)).abs() < 1e-9, "{by_p}");
    let (value, dot) = newton::<cube_minus>::jvp(1.0, 2.0, 0.0, 1.0);
    assert_eq!(value, root);
    assert!((dot - by_p).abs() < 1e-9);
}

#[differentiable]
fn by_all_means<F: Callable<(f64, f64), Output = f64>>(x: &[f64; 2]) -> f64 {
    let (gx, gy) = F::grad(x[0], x[1]);
    let (value, dot) = F::jvp(x[0], x[1], x[1], 2.0);
    gx * gy + value * dot + F::call(gy, gx)
}

#[differentiable(order = 2)]
fn product_wave(x: f64, y: f64) -> f64 {
    (x * y).sin() + x * x * y
}

#[test]
fn derivatives_inside() {
    let (x, y) = (0.7_f64, -0.4_f64);
    let gradient = |x: f64, y: f64| (y * (x * y).cos() + 2.0 * x * y, x * (x * y).cos() + x * x);
    let (gx, gy) = gradient(x, y);
    let expected = gx * gy + product_wave(x, y) * (gx * y + gy * 2.0) + product_wave(gy, gx);
    close(by_all_means::<product_wave>(&[x, y]), expected);
    let at = [x, y];
    let g = by_all_means::<product_wave>::grad(&at);
    assert_gradient(&at, &g, by_all_means::<product_wave>);
    let (_, dot) = by_all_means::<product_wave>::jvp(&at, &[0.3, 0.9]);
    close(dot, 0.3 * g[0] + 0.9 * g[1]);
}

// --- arrays and structs ---------------------------------------------------------------------------------------

/// The classical Runge-Kutta method, for any right-hand side.
#[differentiable(order = 2)]
fn rk4<F, const N: usize>(start: &[f64; N], p: f64, h: f64, steps: usize) -> [f64; N]
where
    F: Callable<(f64, &[f64; N], f64), Output = [f64; N]>,
{
    let mut y = *start;
    let mut t = 0.0;
    for _ in 0..steps {
        let k1 = F::call(t, &y, p);
        let mut z = y;
        for i in 0..N {
            z[i] = y[i] + 0.5 * h * k1[i];
        }
        let k2 = F::call(t + 0.5 * h, &z, p);
        for i in 0..N {
            z[i] = y[i] + 0.5 * h * k2[i];
        }
        let k3 = F::call(t + 0.5 * h, &z, p);
        for i in 0..N {
            z[i] = y[i] + h * k3[i];
        }
        let k4 = F::call(t + h, &z, p);
        for i in 0..N {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        t += h;
    }
    y
}

#[differentiable(order = 2)]
fn pendulum(t: f64, y: &[f64; 2], p: f64) -> [f64; 2] {
    [y[1], -p * y[0].sin() + 0.1 * t]
}

#[differentiable(order = 2)]
fn decay(_t: f64, y: &[f64; 1], p: f64) -> [f64; 1] {
    [-p * y[0]]
}

#[differentiable(order = 2)]
fn final_energy(x: &[f64; 3]) -> f64 {
    let end = rk4::<pendulum, 2>(&[x[0], x[1]], x[2], 0.05, 20);
    let rest = rk4::<decay, _>(&[x[0]], x[2], 0.1, 4);
    0.5 * end[1] * end[1] + x[2] * (1.0 - end[0].cos()) + rest[0]
}

#[test]
fn integrator() {
    let end = rk4::<decay, 1>(&[2.0], 0.3, 0.1, 10);
    assert!((end[0] - 2.0 * (-0.3_f64).exp()).abs() < 1e-6);
    check!(final_energy, [0.5, -0.2, 1.3]);
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct State {
    at: [f64; 2],
    speed: f64,
}

#[differentiable(order = 2)]
fn drift(state: &State, h: f64) -> State {
    State { at: [state.at[0] + h * state.speed, state.at[1] - h * state.at[0]], speed: state.speed * (1.0 - h) }
}

#[differentiable(order = 2)]
fn steps<F: Callable<(&State, f64), Output = State>>(state: &State, h: f64) -> State {
    let once = F::call(state, h);
    F::call(&once, 0.5 * h)
}

#[differentiable(order = 2)]
fn where_it_ends(x: &[f64; 4]) -> f64 {
    let end = steps::<drift>(&State { at: [x[0], x[1]], speed: x[2] }, x[3]);
    end.at[0] * end.at[1] + end.speed
}

#[test]
fn structs() {
    check!(where_it_ends, [0.3, 0.7, -0.6, 0.2]);
}

#[differentiable(order = 2)]
fn fit<F>(p: (f64, f64), points: &[[f64; 2]], #[no_diff] weights: &[f64]) -> f64
where
    F: Callable<((f64, f64), &f64, NoDiff<&[f64]>, usize), Output = (f64, [f64; 2])>,
{
    let mut sum = 0.0;
    for (k, point) in points.iter().enumerate() {
        let (y, pair) = F::call(p, &point[0], weights, k);
        sum += (y - point[1]) * (y - point[1]) + pair[0] * pair[1];
    }
    sum
}

#[differentiable(order = 2)]
fn line(p: (f64, f64), x: &f64, #[no_diff] weights: &[f64], k: usize) -> (f64, [f64; 2]) {
    (weights[k] * (p.0 * *x + p.1), [p.0 * *x, *x * *x])
}

#[differentiable(order = 2)]
fn fitted(x: &[f64; 4]) -> f64 {
    fit::<line>((x[0], x[1]), &[[x[2], 1.0], [0.5, x[3]], [x[3], x[2]]], &[1.0, 0.5, 2.0])
}

#[test]
fn every_kind_of_parameter() {
    check!(fitted, [0.3, 0.7, -0.6, 0.2]);
}

#[differentiable(order = 2)]
fn slices<F: Callable<(&[f64], Vec<f64>), Output = f64>>(x: &[f64], n: usize) -> f64 {
    let copy = x.to_vec();
    F::call(&x[1..n], copy) * F::call(x, vec![x[0], x[1]])
}

#[differentiable(order = 2)]
fn dot(x: &[f64], y: Vec<f64>) -> f64 {
    x.iter().zip(y.iter()).map(|(x, y)| x * y).sum::<f64>()
}

#[differentiable(order = 2)]
fn sliced(x: &[f64; 3]) -> f64 {
    slices::<dot>(x, 3)
}

#[test]
fn slices_and_vecs() {
    check!(sliced, [0.3, -0.7, 0.6]);
}

// --- generic functions and methods ----------------------------------------------------------------------------

#[differentiable(order = 2)]
fn generic_square<T: Real>(x: T) -> T {
    x * x
}

#[differentiable]
fn sum_of<T: Real, F: Callable<(T,), Output = T>, const N: usize>(x: &[T; N]) -> T {
    let mut sum = T::ZERO;
    for i in 0..N {
        sum += F::call(x[i]) * F::grad(x[i]);
    }
    sum
}

#[differentiable]
fn sums(x: &[f64; 3]) -> f64 {
    sum_of::<f64, generic_square<f64>, 3>(x) + sum_of::<_, wave, _>(&[x[0], x[1]])
}

#[differentiable(order = 2)]
fn layer<F: Callable<(&Tensor1<f64, N>,), Output = Tensor1<f64, N>>, const N: usize>(
    w: &Tensor2<f64, N, N>,
    x: &Tensor1<f64, N>,
) -> f64 {
    F::call(&w.matmul(x)).sum()
}

#[differentiable(order = 2)]
fn activation<const N: usize>(x: &Tensor1<f64, N>) -> Tensor1<f64, N> {
    x.tanh() * 2.0
}

#[test]
fn generic_functions() {
    let x = [0.3, -0.7, 0.6];
    let g = sums::grad(&x);
    assert_gradient(&x, &g, sums);
    let (w, x) = (Tensor2::from_fn(|[i, j]| 0.3 * i as f64 - 0.2 * j as f64), Tensor1::from([0.4, -0.9]));
    let (by_w, by_x) = layer::<activation<2>, 2>::grad(&w, &x);
    assert_gradient(&w, &by_w, |w| layer::<activation<2>, 2>(w, &x));
    assert_gradient(&x, &by_x, |x| layer::<activation<2>, 2>(&w, x));
    assert_eq!(sum_of::<f32, generic_square<f32>, 2>(&[1.0, 2.0]), 18.0);
}

#[derive(Differentiable, Clone, Debug)]
struct Spring {
    stiffness: f64,
}

#[differentiable(order = 2)]
impl Spring {
    fn energy<F: Callable<(&[f64; 2],), Output = f64>>(&self, x: &[f64; 2]) -> f64 {
        self.stiffness * F::call(x)
    }

    fn total(&self, x: &[f64; 2]) -> f64 {
        self.energy::<length>(x) + Spring::energy::<length>(self, &[x[1], self.stiffness])
    }
}

#[differentiable(order = 2)]
fn length(x: &[f64; 2]) -> f64 {
    (x[0] * x[0] + x[1] * x[1]).sqrt()
}

#[test]
fn methods() {
    let (spring, x) = (Spring { stiffness: 1.5 }, [3.0, 4.0]);
    assert_eq!(spring.energy::<length>(&x), 7.5);
    let (by_spring, by_x) = spring.energy_grad::<length>(&x);
    assert_eq!(by_spring.stiffness, 5.0);
    close(by_x[0], 0.9);
    close(by_x[1], 1.2);
    let (by_spring, by_x) = spring.total_grad(&x);
    assert_gradient(&spring, &by_spring, |spring| spring.total(&x));
    assert_gradient(&x, &by_x, |x| spring.total(x));
}

/// Calls itself, and its parameter.
#[differentiable(order = 2)]
fn repeated<F: Callable<(f64,), Output = f64>>(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { F::call(x) * 0.5 + repeated::<F>(0.9 * x, n - 1) }
}

#[differentiable(order = 2)]
fn unrolled(x: &[f64; 1]) -> f64 {
    repeated::<wave>(x[0], 4) * x[0]
}

#[test]
fn recursion() {
    check!(unrolled, [0.4]);
}

// --- where calls may stand ------------------------------------------------------------------------------------

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum Motion {
    Rest,
    Line { speed: f64 },
}

#[differentiable(order = 2)]
fn faster(motion: &Motion, by: f64) -> Motion {
    match motion {
        Motion::Rest => Motion::Line { speed: by * by },
        Motion::Line { speed } => Motion::Line { speed: speed * by },
    }
}

#[differentiable(order = 2)]
fn changed_twice<F: Callable<(&Motion, f64), Output = Motion>>(start: &Motion, by: f64) -> f64 {
    let next = F::call(start, by);
    match F::call(&next, by.sin()) {
        Motion::Rest => by,
        Motion::Line { speed } => speed * by,
    }
}

#[differentiable(order = 2)]
fn motions(x: &[f64; 2]) -> f64 {
    changed_twice::<faster>(&Motion::Rest, x[0]) + changed_twice::<faster>(&Motion::Line { speed: x[1] }, x[0])
}

#[test]
fn enums() {
    check!(motions, [0.7, -0.4]);
}

#[differentiable(order = 2)]
fn anywhere<F: Callable<(f64,), Output = f64> + Copy, G>(x: &[f64; 3]) -> f64
where
    G: Callable<(f64,), Output = f64>,
{
    let twice = |y: f64| F::call(y) + G::call(F::call(y));
    let list = [F::call(x[0]), twice(x[1])];
    let mut sum = list.iter().sum::<f64>() + x.iter().map(|x| G::call(*x)).sum::<f64>();
    if F::call(x[2]) > 0.0 {
        sum *= G::call(sum);
    }
    assert!(F::call(x[0]).is_finite());
    sum
}

#[differentiable]
fn bent<F: Callable<(&[f64; 2],), Output = f64>>(x: &[f64; 2]) -> f64 {
    let g = F::grad(x);
    let (_, dot) = F::jvp(x, &g);
    dot + g[1]
}

#[differentiable(order = 2)]
fn valley(x: &[f64; 2]) -> f64 {
    (x[0] * x[1]).sin() + x[0] * x[0] * x[1]
}

impl Clone for wave {
    fn clone(&self) -> Self {
        *self
    }
}

impl Copy for wave {}

#[differentiable(order = 2)]
fn everywhere(x: &[f64; 3]) -> f64 {
    anywhere::<wave, square>(x)
}

#[test]
fn wherever_calls_stand() {
    check!(everywhere, [0.3, -0.7, 0.6]);
    let x = [0.3, -0.7];
    let (value, g) = (bent::<valley>(&x), valley::grad(&x));
    close(value, g[0] * g[0] + g[1] * g[1] + g[1]);
    assert_gradient(&x, &bent::<valley>::grad(&x), bent::<valley>);
}

/// A parameter may have the function's name.
#[differentiable(order = 2)]
fn scale(x: f64, scale: f64) -> f64 {
    x * scale
}

#[differentiable(order = 2)]
fn halved<F: Callable<(f64, f64), Output = f64>>(x: &[f64; 1]) -> f64 {
    F::call(x[0], 0.5) * x[0]
}

#[differentiable(order = 2)]
fn scaled(x: &[f64; 1]) -> f64 {
    halved::<scale>(x)
}

#[test]
fn a_parameter_of_the_functions_name() {
    check!(scaled, [0.7]);
}

// --- arrays whose size only rustc knows ------------------------------------------------------------------------

#[differentiable]
fn twice_of_a_local<F: Callable<(&[f64; N],), Output = f64>, const N: usize>(x: &[f64; N]) -> f64 {
    let mut y = *x;
    for i in 0..N {
        y[i] *= x[0];
    }
    let first = F::call(&y);
    y[0] *= first;
    first * F::call(&y)
}

#[differentiable]
fn product_of_three(x: &[f64; 3]) -> f64 {
    x[0] * x[1] * x[2]
}

#[test]
fn local_arrays_of_generic_functions() {
    let x = [0.3, -0.7, 0.6];
    let g = twice_of_a_local::<product_of_three, 3>::grad(&x);
    assert_gradient(&x, &g, twice_of_a_local::<product_of_three, 3>);
}
