//! Taylor series: derivatives along a line, of orders up to eight, against closed forms and against derivatives of derivatives.

mod rows;

use autodiff::prelude::*;

/// Agreement up to rounding, relative to the larger of 1 and the number.
#[track_caller]
fn close(given: &[f64], expected: &[f64]) {
    assert_eq!(given.len(), expected.len());
    for (k, (a, b)) in given.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-10 * b.abs().max(1.0), "number {k}: {a} and {b} in\n{given:?}\n{expected:?}");
    }
}

/// Each derivative is that of the one before, by differences of fourth order. `along` gives all of them at a place of the line.
#[track_caller]
fn consistent<const K: usize>(along: impl Fn(f64) -> [f64; K]) {
    const STEP: f64 = 5e-4;
    let [far_before, before, here, after, far_after] = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|steps| along(steps * STEP));
    for k in 0..K - 1 {
        let slope = (8.0 * (after[k] - before[k]) - (far_after[k] - far_before[k])) / (12.0 * STEP);
        let error = (slope - here[k + 1]).abs();
        assert!(error <= 1e-7 * here[k + 1].abs().max(1.0), "derivative {}: {} and {slope}", k + 1, here[k + 1]);
    }
}

// --- closed forms -------------------------------------------------------------------------------------------

#[differentiable]
fn exponential(x: f64) -> f64 {
    x.exp()
}

#[differentiable]
fn sine(x: f64) -> f64 {
    x.sin()
}

#[differentiable]
fn reciprocal(x: f64) -> f64 {
    1.0 / x
}

#[differentiable]
fn polynomial(x: f64) -> f64 {
    3.0 * x.powi(5) - x * x + 2.0
}

#[differentiable]
fn composite(x: f64) -> f64 {
    x.sin().exp()
}

fn factorial(k: usize) -> f64 {
    (1..=k).map(|k| k as f64).product()
}

#[test]
fn closed_forms() {
    close(&exponential::taylor::<9>(0.5, 1.0), &[0.5_f64.exp(); 9]);
    close(
        &exponential::taylor::<9>(0.5, -2.0),
        &std::array::from_fn::<_, 9, _>(|k| 0.5_f64.exp() * (-2.0_f64).powi(k as i32)),
    );
    let quarters: [f64; 9] = std::array::from_fn(|k| (0.3 + k as f64 * std::f64::consts::FRAC_PI_2).sin());
    close(&sine::taylor::<9>(0.3, 1.0), &quarters);
    let powers: [f64; 9] =
        std::array::from_fn(|k| (-1.0_f64).powi(k as i32) * factorial(k) * 2.0_f64.powi(-(k as i32) - 1));
    close(&reciprocal::taylor::<9>(2.0, 1.0), &powers);
    close(&polynomial::taylor::<9>(2.0, 1.0), &[94.0, 236.0, 478.0, 720.0, 720.0, 360.0, 0.0, 0.0, 0.0]);
    // All but one vanish at 0.
    close(&polynomial::taylor::<7>(0.0, 1.0), &[2.0, 0.0, -2.0, 0.0, 0.0, 360.0, 0.0]);
    close(&composite::taylor::<9>(0.0, 1.0), &[1.0, 1.0, 1.0, 0.0, -3.0, -8.0, -3.0, 56.0, 217.0]);
}

/// One number is the value alone, and no order changes those below it.
#[test]
fn any_number_of_derivatives() {
    assert_eq!(composite::taylor::<1>(0.7, 1.0), [composite(0.7)]);
    let all = composite::taylor::<8>(0.7, 1.0);
    assert_eq!(composite::taylor::<2>(0.7, 1.0), [all[0], all[1]]);
    assert_eq!(composite::taylor::<4>(0.7, 1.0), [all[0], all[1], all[2], all[3]]);
}

#[differentiable]
fn rational(x: f64, y: f64) -> f64 {
    let mut s = x;
    for k in 0..5 {
        s = (s * y + k as f64) / (1.0 + x * x);
    }
    s
}

/// Nothing but sums, products and quotients: the same bits everywhere.
#[test]
fn the_same_bits() {
    let bits = rational::taylor::<6>(0.3, 1.7, 1.0, -0.25).map(f64::to_bits);
    assert_eq!(bits, RATIONAL, "{bits:#x?}");
}

const RATIONAL: [u64; 6] = [
    0x4032_ACA7_C8FF_0AED,
    0xC039_AFAD_EB02_3CDA,
    0xC050_1441_1B14_20D7,
    0x4083_4C49_CA14_5BC6,
    0xC071_32D5_8E19_574C,
    0xC0DA_3E4C_60AC_189E,
];

// --- every row ----------------------------------------------------------------------------------------------

const COUNT: usize = rows::NAMES.len();

use rows::rows as all_rows;

#[differentiable(wrt(u, v, w))]
fn first(u: f64, v: f64, w: f64, du: f64, dv: f64, dw: f64) -> [f64; COUNT] {
    all_rows::jvp(u, v, w, du, dv, dw).1
}

#[differentiable(wrt(u, v, w))]
fn second(u: f64, v: f64, w: f64, du: f64, dv: f64, dw: f64) -> [f64; COUNT] {
    first::jvp(u, v, w, du, dv, dw, du, dv, dw).1
}

#[test]
fn every_row() {
    for (u, v, w) in [(0.31, 0.72, 0.55), (0.8, 0.2, 0.45), (0.62, 0.35, 0.9)] {
        let (du, dv, dw) = (1.0, -0.6, 0.3);
        let (below, last) = second::jvp(u, v, w, du, dv, dw, du, dv, dw);
        let expected = [all_rows(u, v, w), first(u, v, w, du, dv, dw), below, last];
        let given = all_rows::taylor::<4>(u, v, w, du, dv, dw);
        for (order, (given, expected)) in given.iter().zip(&expected).enumerate() {
            for (k, name) in rows::NAMES.iter().enumerate() {
                let (a, b) = (given[k], expected[k]);
                assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{name}, derivative {order}: {a} and {b}");
            }
        }
    }
}

// --- constructs ---------------------------------------------------------------------------------------------

#[differentiable]
fn iterated(x: f64, rate: f64, steps: usize) -> f64 {
    let mut x = x;
    for _ in 0..steps {
        x = if x > 0.5 { rate * x * (1.0 - x) } else { smooth(x, rate) };
    }
    x
}

#[differentiable]
fn smooth(x: f64, rate: f64) -> f64 {
    (rate * x).sin() + (x * x + 0.1).sqrt()
}

/// The number of iterations depends on the numbers.
#[differentiable]
fn halved(x: f64) -> f64 {
    let mut y = x * x;
    while y > 1.0 {
        y = (y * 0.5).tanh() + 0.3 * y;
    }
    y.ln()
}

#[differentiable]
fn power_by_recursion(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power_by_recursion(x, n - 1) }
}

#[test]
fn loops_branches_and_calls() {
    for steps in [0, 1, 3] {
        consistent(|s| iterated::taylor::<5>(0.3 + s, 1.6 - 0.5 * s, steps, 1.0, -0.5));
        let (value, slope) = iterated::jvp(0.3, 1.6, steps, 1.0, -0.5);
        close(&iterated::taylor::<2>(0.3, 1.6, steps, 1.0, -0.5), &[value, slope]);
    }
    consistent(|s| halved::taylor::<5>(2.7 + s, 1.0));
    close(&power_by_recursion::taylor::<6>(2.0, 4, 1.0), &[16.0, 32.0, 48.0, 48.0, 24.0, 0.0]);
}

#[derive(Differentiable, Clone, Debug)]
struct Spring {
    stiffness: f64,
    rest: [f64; 2],
}

#[differentiable]
impl Spring {
    fn energy(&self, x: &[f64; 2]) -> f64 {
        let mut sum = 0.0;
        for k in 0..2 {
            sum += self.pull(x[k] - self.rest[k]);
        }
        sum
    }

    fn pull(&self, by: f64) -> f64 {
        0.5 * self.stiffness * by * by + by.cosh()
    }
}

/// A struct comes out, and its parts go on.
#[differentiable]
fn stretched(spring: &Spring, by: f64) -> Spring {
    Spring { stiffness: spring.stiffness * by.exp(), rest: [spring.rest[0] * by, spring.rest[1] / by] }
}

#[differentiable]
fn energy_when_stretched(spring: &Spring, by: f64, x: &[f64; 2]) -> f64 {
    let other = stretched(spring, by);
    other.energy(x)
}

#[test]
fn structs_and_methods() {
    let spring = Spring { stiffness: 2.0, rest: [0.5, -0.25] };
    let dot = SpringTangent { stiffness: 0.4, rest: [1.0, 0.3] };
    let moved = |s: f64| Spring {
        stiffness: spring.stiffness + s * dot.stiffness,
        rest: [spring.rest[0] + s * dot.rest[0], spring.rest[1] + s * dot.rest[1]],
    };
    let place = |s: f64| [1.0 + s, 2.0 - 0.7 * s];
    consistent(|s| moved(s).energy_taylor::<5>(&place(s), &dot, &[1.0, -0.7]));
    consistent(|s| {
        let (spring, x) = (moved(s), place(s));
        energy_when_stretched::taylor::<5>(&spring, 1.2 + 0.5 * s, &x, &dot, 0.5, &[1.0, -0.7])
    });
}

#[differentiable]
fn distances(points: &[[f64; 2]], from: &[f64; 2]) -> Vec<f64> {
    points.iter().map(|p| (p[0] - from[0]).hypot(p[1] - from[1])).collect()
}

#[differentiable]
fn polar(x: &[f64; 2], scale: f64) -> (f64, [f64; 2]) {
    let r = x[0].hypot(x[1]);
    (scale * r, [x[1].atan2(x[0]), r.ln()])
}

#[differentiable]
fn total(values: &[f64], factor: f64) -> f64 {
    let squares: Vec<f64> = values.iter().map(|v| (factor * v).exp()).collect();
    squares.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn slices_lists_and_tuples() {
    let (points, dots) = ([[0.0, 1.0], [2.0, -1.0], [0.5, 0.5]], [[1.0, 0.0], [0.0, 0.3], [-0.2, 0.4]]);
    let moved = |s: f64| -> Vec<[f64; 2]> {
        points.iter().zip(&dots).map(|(p, d)| [p[0] + s * d[0], p[1] + s * d[1]]).collect()
    };
    for k in 0..3 {
        consistent(|s| distances::taylor::<4>(&moved(s), &[0.3 - s, 2.0], &dots, &[-1.0, 0.0]).map(|all| all[k]));
    }
    assert_eq!(distances::taylor::<2>(&points, &[0.3, 2.0], &dots, &[-1.0, 0.0])[0], distances(&points, &[0.3, 2.0]));
    let parts: [fn((f64, [f64; 2])) -> f64; 3] = [|y| y.0, |y| y.1[0], |y| y.1[1]];
    for part in parts {
        consistent(|s| polar::taylor::<5>(&[3.0 + s, 4.0 - s], 2.0 + s, &[1.0, -1.0], 1.0).map(part));
    }
    consistent(|s| total::taylor::<5>(&[0.5 + s, 1.0 - s, 0.2], 0.7, &[1.0, -1.0, 0.0], 0.0));
}

#[test]
#[should_panic(expected = "the derivative by `values` is as long as `values`")]
fn directions_of_slices_are_as_long_as_they() {
    let _ = total::taylor::<2>(&[0.5, 1.0], 0.7, &[1.0], 0.0);
}

/// One precision or the other, and any size.
#[differentiable]
fn generic<T: Real, const N: usize>(x: &[T; N]) -> T {
    let mut product = T::ONE;
    for v in x {
        product *= *v;
    }
    product.sqrt()
}

#[test]
fn generic_functions() {
    consistent(|s| generic::taylor::<4>(&[1.0 + s, 2.0, 3.0 - s], &[1.0, 0.0, -1.0]));
    let (single, double) =
        (generic::taylor::<4>(&[1.5_f32, 2.0], &[1.0, 0.5]), generic::taylor(&[1.5, 2.0], &[1.0, 0.5]));
    for (single, double) in single.iter().zip::<[f64; 4]>(double) {
        assert!((f64::from(*single) - double).abs() < 1e-5, "{single} and {double}");
    }
}

// --- tensors ------------------------------------------------------------------------------------------------

/// A network of two layers at a time and a place.
#[differentiable(wrt(t, x))]
fn u(w: &Tensor2<f64, 8, 2>, v: &Tensor2<f64, 8, 8>, out: &Tensor1<f64, 8>, t: f64, x: f64) -> f64 {
    let inputs = Tensor1::from([t, x]);
    let hidden = v.matmul(w.matmul(&inputs).tanh()).sigmoid();
    hidden.dot(out)
}

#[differentiable(wrt(t, x))]
fn u_x(w: &Tensor2<f64, 8, 2>, v: &Tensor2<f64, 8, 8>, out: &Tensor1<f64, 8>, t: f64, x: f64) -> f64 {
    u::jvp(w, v, out, t, x, 0.0, 1.0).1
}

/// Numbers that look random.
fn number(k: usize) -> f64 {
    (k as f64 * 1.37).sin()
}

#[test]
fn a_network_at_a_place() {
    let w = Tensor(std::array::from_fn(|i| std::array::from_fn(|j| number(2 * i + j))));
    let v = Tensor(std::array::from_fn(|i| std::array::from_fn(|j| number(8 * i + j))));
    let out = Tensor(std::array::from_fn(|k| 1.0 - 0.2 * k as f64));
    let (t, x) = (0.4, -0.3);
    let u_xx = u::taylor::<3>(&w, &v, &out, t, x, 0.0, 1.0)[2];
    close(&[u_xx], &[u_x::jvp(&w, &v, &out, t, x, 0.0, 1.0).1]);
    consistent(|s| u::taylor::<5>(&w, &v, &out, t + 0.5 * s, x + s, 0.5, 1.0));
}

/// Stacks of products, reductions, broadcasts and softmax, along directions of all parameters.
#[differentiable]
fn attended(q: &Tensor3<f64, 2, 3, 4>, k: &Tensor3<f64, 2, 5, 4>, bias: &Tensor1<f64, 5>) -> Tensor2<f64, 2, 3> {
    let scores = (q.matmul(k.transpose(-2, -1)) + bias).softmax(2);
    let largest = scores.max_axis(2);
    (scores * scores).sum_axis(2) - largest.mean_axis(1).reshape([2, 1])
}

/// The same at a place of a line.
#[differentiable]
fn attended_at(
    s: f64,
    q: &Tensor3<f64, 2, 3, 4>,
    k: &Tensor3<f64, 2, 5, 4>,
    bias: &Tensor1<f64, 5>,
    q_dot: &Tensor3<f64, 2, 3, 4>,
    k_dot: &Tensor3<f64, 2, 5, 4>,
    bias_dot: &Tensor1<f64, 5>,
) -> Tensor2<f64, 2, 3> {
    attended(&(q + s * q_dot), &(k + s * k_dot), &(bias + s * bias_dot))
}

fn tensor3<const B: usize, const N: usize, const M: usize>(from: usize) -> Tensor3<f64, B, N, M> {
    let place = |b: usize, n: usize, m: usize| from + (b * N + n) * M + m;
    Tensor(std::array::from_fn(|b| std::array::from_fn(|n| std::array::from_fn(|m| number(place(b, n, m))))))
}

#[test]
fn tensors_of_several_axes() {
    let (q, k, bias) = (tensor3(0), tensor3(30), Tensor(std::array::from_fn(|n| number(90 + n))));
    let (q_dot, k_dot, bias_dot) = (tensor3(5), tensor3(44), Tensor(std::array::from_fn(|n| number(80 + n))));
    let (zero_q, zero_k, zero_bias) = (Tensor3::zeros(), Tensor3::zeros(), Tensor1::zeros());
    let along = |s: f64| {
        attended_at::taylor::<4>(
            s, &q, &k, &bias, &q_dot, &k_dot, &bias_dot, 1.0, &zero_q, &zero_k, &zero_bias, &zero_q, &zero_k,
            &zero_bias,
        )
    };
    for [row, column] in [[0, 0], [1, 2]] {
        consistent(|s| along(s).map(|y| y.0[row][column]));
        // The same line, of the function itself.
        let own = attended::taylor::<4>(&q, &k, &bias, &q_dot, &k_dot, &bias_dot);
        close(&own.map(|y| y.0[row][column]), &along(0.0).map(|y| y.0[row][column]));
    }
}

/// A sum of so many elements is one in lanes, and its tail is not.
#[differentiable]
fn long_sum(x: &Tensor1<f64, 40>) -> f64 {
    (x * x).exp().sum()
}

#[test]
fn sums_in_lanes() {
    let x = |s: f64| Tensor(std::array::from_fn(|k| 0.02 * k as f64 + s * (1.0 - 0.04 * k as f64)));
    let dot = Tensor(std::array::from_fn(|k| 1.0 - 0.04 * k as f64));
    let all = long_sum::taylor::<4>(&x(0.0), &dot);
    assert_eq!(all[0], long_sum(&x(0.0)));
    close(&all[1..2], &[long_sum::jvp(&x(0.0), &dot).1]);
    consistent(|s| long_sum::taylor::<4>(&x(s), &dot));
}

/// An image that kernels pool: its tail is chosen by loops.
#[differentiable]
fn pooled(x: &Tensor4<f64, 1, 1, 16, 16>) -> f64 {
    let y = x.max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    (&y * &y).exp().sum()
}

#[test]
fn pooled_images() {
    let number = |i: usize, j: usize| ((7 * i + 5 * j) % 23) as f64 / 23.0;
    let x =
        |s: f64| Tensor([[std::array::from_fn(|i| std::array::from_fn(|j| number(i, j) + s * (0.3 - number(j, i))))]]);
    let dot = Tensor([[std::array::from_fn(|i| std::array::from_fn(|j| 0.3 - number(j, i)))]]);
    let all = pooled::taylor::<4>(&x(0.0), &dot);
    assert_eq!(all[0], pooled(&x(0.0)));
    close(&all[1..2], &[pooled::jvp(&x(0.0), &dot).1]);
    consistent(|s| pooled::taylor::<4>(&x(s), &dot));
}
