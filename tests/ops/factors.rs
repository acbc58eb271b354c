//! Solutions, inverses, determinants and the Cholesky factor, against closed forms and numbers of 60 digits.

#![allow(clippy::unreadable_literal, clippy::excessive_precision, reason = "numbers as they have been printed")]

use crate::matrices::{A, H, V, W, close, single, single1};
use autodiff::prelude::*;

const B: Tensor1<f64, 4> = Tensor([1.0, -2.0, 0.5, 3.0]);

#[differentiable(order = 2)]
fn solution<T: Real, const N: usize>(a: &Tensor2<T, N, N>, b: &Tensor1<T, N>, v: &Tensor1<T, N>) -> T {
    a.solve(b).dot(v)
}

#[differentiable(order = 2)]
fn solutions<T: Real, const N: usize, const K: usize>(
    a: &Tensor2<T, N, N>,
    b: &Tensor2<T, N, K>,
    #[no_diff] w: &Tensor2<T, N, K>,
) -> T {
    (a.solve(b) * w).sum()
}

#[differentiable(order = 2)]
fn lower<T: Real, const N: usize>(a: &Tensor2<T, N, N>, b: &Tensor1<T, N>, v: &Tensor1<T, N>) -> T {
    a.solve_triangular(b).dot(v)
}

/// The same, written with the transpose.
#[differentiable(order = 2)]
fn upper<T: Real, const N: usize>(a: &Tensor2<T, N, N>, b: &Tensor1<T, N>, v: &Tensor1<T, N>) -> T {
    a.t().solve_triangular_upper(v).dot(b)
}

#[differentiable(order = 2)]
fn inverse<T: Real, const N: usize>(a: &Tensor2<T, N, N>, #[no_diff] w: &Tensor2<T, N, N>) -> T {
    (a.inverse() * w).sum()
}

#[differentiable(order = 2)]
fn det<T: Real, const N: usize>(a: &Tensor2<T, N, N>) -> T {
    a.det()
}

#[differentiable(order = 2)]
fn ln_det<T: Real, const N: usize>(a: &Tensor2<T, N, N>) -> T {
    a.ln_det()
}

#[differentiable(order = 2)]
fn cholesky<T: Real, const N: usize>(a: &Tensor2<T, N, N>, #[no_diff] w: &Tensor2<T, N, N>) -> T {
    (a.cholesky() * w).sum()
}

const ZERO: Tensor1<f64, 4> = Tensor([0.0; 4]);

#[test]
fn systems_of_four() {
    let value = 1.64648596007141698;
    let gradient = [
        [-0.0675918472984861315, 0.0884531979504356943, 0.00289220265777991371, -0.284560605940457066],
        [0.0880389629347719018, -0.115211051732785892, -0.00376711885774776759, 0.370642638726183133],
        [-0.091829159979546825, 0.120171044141221538, 0.00392929844603449172, -0.38659930821817138],
        [-0.0158922297140562572, 0.0207971611511599911, 0.000680016168430299436, -0.0669060352383366834],
    ];
    let second = [
        [0.141878705381147288, -0.0669028249556515684, 0.103260475223284702, -0.0147404619720984065],
        [-0.171277579320822594, 0.0694478739197796683, -0.135076196200344835, 0.0761213249351952097],
        [0.164533315132458475, -0.0539623651004044549, 0.141495508206317933, -0.138834994388075589],
        [0.0764084924755679278, -0.0720669203122922494, 0.0224365840237268687, 0.177773606263917901],
    ];
    let (given, (a_bar, ..)) = solution::value_and_grad(&A, &B, &V);
    close(&[given], &[value]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(solution::hvp(&A, &B, &V, &H, &ZERO, &ZERO).0.as_slice(), second.as_flattened());
    let slope: f64 = gradient.as_flattened().iter().zip(H.as_slice()).map(|(g, h)| g * h).sum();
    close(&[solution::jvp(&A, &B, &V, &H, &ZERO, &ZERO).1], &[slope]);

    let (given, (a_bar, ..)) = solution::value_and_grad(&single(&A), &single1(&B), &single1(&V));
    close(&[given], &[value]);
    close(a_bar.as_slice(), gradient.as_flattened());
    let zero = Tensor1::zeros();
    let hvp = solution::hvp(&single(&A), &single1(&B), &single1(&V), &single(&H), &zero, &zero);
    close(hvp.0.as_slice(), second.as_flattened());

    // A matrix of one column is a vector.
    let [b, v] = [B, V].map(|x| Tensor2::<f64, 4, 1>::from_fn(|[i, _]| x[[i]]));
    let (given, (a_bar, b_bar)) = solutions::value_and_grad(&A, &b, &v);
    close(&[given], &[value]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(b_bar.as_slice(), solution::grad(&A, &B, &V).1.as_slice());
}

#[test]
fn triangles_of_four() {
    let gradient = [
        [-0.0359375, 0.0, 0.0, 0.0],
        [0.05, -0.09, 0.0, 0.0],
        [-0.0625, 0.1125, -0.06875, 0.0],
        [-0.125, 0.225, -0.1375, -0.347916666666666667],
    ];
    let second = [
        [0.0304878472222222222, 0.0, 0.0, 0.0],
        [0.0107222222222222222, -0.0091, 0.0, 0.0],
        [-0.00920138888888888889, 0.0038125, -0.000663194444444444444, 0.0],
        [0.0114583333333333333, -0.046125, 0.0315208333333333333, 0.00528125],
    ];
    let (value, (a_bar, b_bar, v_bar)) = lower::value_and_grad(&A, &B, &V);
    close(&[value], &[2.16875]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(lower::hvp(&A, &B, &V, &H, &ZERO, &ZERO).0.as_slice(), second.as_flattened());

    let (value, transposed) = upper::value_and_grad(&A, &B, &V);
    close(&[value], &[2.16875]);
    close(transposed.0.as_slice(), gradient.as_flattened());
    close(transposed.1.as_slice(), b_bar.as_slice());
    close(transposed.2.as_slice(), v_bar.as_slice());
    close(upper::hvp(&A, &B, &V, &H, &ZERO, &ZERO).0.as_slice(), second.as_flattened());

    // What is in the other triangle is not read.
    let with_nan = Tensor2::from_fn(|[i, j]| if j > i { f64::NAN } else { A[[i, j]] });
    assert_eq!(lower::grad(&with_nan, &B, &V), lower::grad(&A, &B, &V));
    let hvp = lower::hvp(&with_nan, &B, &V, &H, &ZERO, &ZERO);
    assert_eq!(hvp, lower::hvp(&A, &B, &V, &H, &ZERO, &ZERO));
}

#[test]
fn inverses_of_four() {
    let gradient = [
        [-0.0137348934363396773, 0.128508895416058219, -0.132430145476091802, -0.0363787837589945983],
        [0.0342145187561773997, -0.182948902812669851, 0.238559693509030697, -0.24427913214741134],
        [0.0456643028473556284, 0.0851479326278169977, -0.138160912448287144, 0.0888277047628609586],
        [0.090899709707494254, -0.251794322455120764, 0.351811470391120736, -0.275217233314753988],
    ];
    let second = [
        [0.0530398327180658166, -0.00962796965418899602, 0.022073658289987626, -0.0672016417355121283],
        [0.00180197402445566512, 0.042331040160669368, -0.0328989318683028464, 0.108905356402068507],
        [0.00675163968058133198, 0.00846306798380992763, -0.0122254982498586721, -0.0445995517994001685],
        [-0.0223163926781131815, -0.0164943856724227422, 0.04279573161653634, 0.10345219745285449],
    ];
    let (value, a_bar) = inverse::value_and_grad(&A, &W);
    close(&[value], &[0.981334198993669859]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(inverse::hvp(&A, &W, &H).as_slice(), second.as_flattened());
    close(inverse::grad(&single(&A), &single(&W)).as_slice(), gradient.as_flattened());
    close(inverse::hvp(&single(&A), &single(&W), &single(&H)).as_slice(), second.as_flattened());
}

#[test]
fn determinants_of_four() {
    let gradient = [
        [72.625, -23.03125, 28.625, -35.375],
        [-35.5, 55.0, -33.875, 38.5],
        [32.375, -14.90625, 49.875, -29.6875],
        [-40.125, 29.625, -41.0, 97.75],
    ];
    let second = [
        [10.0125, 1.40625, 5.925, -13.3625],
        [2.4, -3.3375, 0.9875, -8.825],
        [6.7375, -3.46875, 9.325, -3.46875],
        [-27.0375, 6.425, -23.1, 16.4],
    ];
    let (value, a_bar) = det::value_and_grad(&A);
    close(&[value], &[192.53125]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(det::hvp(&A, &H).as_slice(), second.as_flattened());
    close(det::grad(&single(&A)).as_slice(), gradient.as_flattened());
    close(det::hvp(&single(&A), &single(&H)).as_slice(), second.as_flattened());

    let second = [
        [0.0166222170070905622, 0.0185246526014952189, 0.0168283505305783212, -0.0521698962385215987],
        [0.0297608291033642227, -0.0441304148348904567, 0.0216326705564301059, -0.0645936114362006286],
        [0.0192214742214148135, -0.0107543482162787577, 0.0241349888472553594, -0.00355303969361230295],
        [-0.12088316428078345, 0.018938139420227994, -0.100005645725433698, 0.0375579473912704545],
    ];
    let (value, a_bar) = ln_det::value_and_grad(&A);
    close(&[value], &[5.26025847821484415]);
    close(a_bar.as_slice(), &gradient.as_flattened().iter().map(|x| x / 192.53125).collect::<Vec<f64>>());
    close(ln_det::hvp(&A, &H).as_slice(), second.as_flattened());
    close(ln_det::hvp(&single(&A), &single(&H)).as_slice(), second.as_flattened());
}

#[test]
fn cholesky_of_four() {
    let gradient = [
        [0.033555550961748833, 0.0472235937315242853, -0.26232935159928548, -0.11990371996391654],
        [0.0472235937315242853, 0.317217821336992705, -0.175844186256035081, 0.368194438964572052],
        [-0.26232935159928548, -0.175844186256035081, 0.362333785795929305, -0.370140365844686466],
        [-0.11990371996391654, 0.368194438964572052, -0.370140365844686466, 0.089935827398503057],
    ];
    let second = [
        [0.0439811660587261409, 0.00966195993373041832, 0.0287181090688028417, 0.0556552795260206189],
        [0.00966195993373041832, -0.0635209324433594806, 0.0333712338926195675, -0.0361441119206535307],
        [0.0287181090688028417, 0.0333712338926195675, 0.0197433859255260693, -0.00113840429999166629],
        [0.0556552795260206189, -0.0361441119206535307, -0.00113840429999166629, 0.00386680937775736649],
    ];
    let (value, a_bar) = cholesky::value_and_grad(&A, &W);
    close(&[value], &[5.67657577638422798]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(cholesky::hvp(&A, &W, &H).as_slice(), second.as_flattened());
    close(cholesky::grad(&single(&A), &single(&W)).as_slice(), gradient.as_flattened());
    close(cholesky::hvp(&single(&A), &single(&W), &single(&H)).as_slice(), second.as_flattened());
    // Where it is not positive definite.
    assert!(cholesky(&Tensor([[1.0, 2.0], [2.0, 1.0]]), &Tensor2::ones()).is_nan());
}

/// [a, b; c, d]: (ad − bc), and its inverse [d, −b; −c, a]/(ad − bc).
#[test]
fn closed_forms_of_two() {
    let x = Tensor([[3.0, 5.0], [2.0, 7.0]]);
    let h = Tensor([[0.5, -1.0], [2.0, 0.25]]);
    let [[a, b], [c, d]] = x.0;
    let [[p, q], [r, s]] = h.0;
    close(det::grad(&x).as_slice(), &[d, -c, -b, a]);
    close(det::hvp(&x, &h).as_slice(), &[s, -r, -q, p]);
    let y = a * d - b * c;
    close(&[det(&x), ln_det(&x)], &[y, y.ln()]);
    let y_dot = d * p - c * q - b * r + a * s;
    let second = [(s, d), (-r, -c), (-q, -b), (p, a)].map(|(z_dot, z)| z_dot / y - z * y_dot / (y * y));
    close(ln_det::hvp(&x, &h).as_slice(), &second);
    // The sum of all elements of the inverse is (a + d − b − c)/(ad − bc).
    let total = a + d - b - c;
    let (value, gradient) = inverse::value_and_grad(&x, &Tensor2::ones());
    close(&[value], &[total / y]);
    let expected = [(1.0, d), (-1.0, -c), (-1.0, -b), (1.0, a)].map(|(one, dy)| one / y - total * dy / (y * y));
    close(gradient.as_slice(), &expected);
    // The Cholesky factor of [a, b; b, d] is [√a, 0; b/√a, √(d − b²/a)].
    let x = Tensor([[4.0, 2.0], [2.0, 10.0]]);
    let (value, gradient) = cholesky::value_and_grad(&x, &Tensor([[0.0, 0.0], [1.0, 0.0]]));
    close(&[value], &[1.0]);
    close(gradient.as_slice(), &[-0.125, 0.25, 0.25, 0.0]);
    let of_one = Tensor([[9.0]]);
    assert_eq!(cholesky::value_and_grad(&of_one, &Tensor([[1.0]])), (3.0, Tensor([[1.0 / 6.0]])));
    assert_eq!(det::value_and_grad(&of_one), (9.0, Tensor([[1.0]])));
    assert_eq!(det::hvp(&of_one, &Tensor([[1.0]])), Tensor([[0.0]]));
}

/// The determinant is a polynomial: gradient and Hessian have values where it is 0.
#[test]
fn singular_matrices() {
    let of_rank_2 = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]]);
    let (value, gradient) = det::value_and_grad(&of_rank_2);
    assert!(value.abs() < 1e-14);
    close(gradient.as_slice(), &[3.0, -6.0, 3.0, 3.0, -6.0, 3.0, -3.0, 6.0, -3.0]);
    let h = Tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
    close(det::hvp(&of_rank_2, &h).as_slice(), &[0.0, 0.0, 0.0, 0.0, 9.0, -7.0, 0.0, -6.0, 5.0]);

    let of_rank_1 = Tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 0.0, 0.0]]);
    assert_eq!(det::value_and_grad(&of_rank_1), (0.0, Tensor2::zeros()));
    close(det::hvp(&of_rank_1, &h).as_slice(), &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -6.0, 4.0]);

    let zero = Tensor2::<f64, 3, 3>::zeros();
    assert_eq!(det::value_and_grad(&zero), (0.0, zero));
    assert_eq!(det::hvp(&zero, &h), zero);
    assert_eq!(det::value_and_grad(&Tensor([[0.0_f32]])), (0.0, Tensor([[1.0]])));
    assert_eq!(det::grad(&Tensor([[1.0, 2.0], [2.0, 4.0]])), Tensor([[4.0, -2.0], [-2.0, 1.0]]));

    // Nothing is lost of what is no number.
    let nan = Tensor([[0.0, 0.0], [0.0, f64::NAN]]);
    assert!(det(&nan).is_nan() && det::grad(&nan).iter().any(|x| x.is_nan()));
    // What has no value has infinities, as a quotient has.
    let singular = Tensor([[1.0, 2.0], [2.0, 4.0]]);
    assert_eq!(ln_det(&singular), f64::NEG_INFINITY);
    assert!(singular_solution(&singular).iter().all(|x| !x.is_finite()));
}

fn singular_solution(a: &Tensor2<f64, 2, 2>) -> Tensor1<f64, 2> {
    solve_two(a, &Tensor([1.0, 3.0]))
}

#[differentiable]
fn solve_two(a: &Tensor2<f64, 2, 2>, b: &Tensor1<f64, 2>) -> Tensor1<f64, 2> {
    a.solve(b)
}

/// Products that leave the range of `f64` on the way in any fixed order, and the logarithm of a determinant that is no `f64`.
#[test]
fn determinants_of_large_numbers() {
    for diagonal in [[1e200, 1e200, 1e-200, 1e-200], [1e-200, 1e-200, 1e200, 1e200]] {
        let a = Tensor2::<f64, 4, 4>::from_fn(|[i, j]| if i == j { diagonal[i] } else { 0.0 });
        close(&[det(&a)], &[1.0]);
        let gradient = det::grad(&a);
        for k in 0..4 {
            close(&[gradient[[k, k]] * diagonal[k]], &[1.0]);
        }
    }
    let a = Tensor2::<f64, 100, 100>::from_fn(|[i, j]| if i == j { 1e10 } else { 1.0 });
    assert_eq!(det(&a), f64::INFINITY);
    let expected = 99.0 * (1e10_f64 - 1.0).ln() + (1e10_f64 + 99.0).ln();
    assert!((ln_det(&a) - expected).abs() < 1e-9);
}

/// The density of a normal distribution, as one writes it.
#[differentiable(order = 2)]
fn log_density<const N: usize>(x: &Tensor1<f64, N>, covariance: &Tensor2<f64, N, N>) -> f64 {
    let l = (covariance + Tensor2::<f64, N, N>::eye() * 1e-3).cholesky();
    let z = l.solve_triangular(x);
    -0.5 * z.dot(z) - 0.5 * covariance.ln_det()
}

/// The same without the Cholesky factor.
#[differentiable(order = 2)]
fn log_density_by_solve<const N: usize>(x: &Tensor1<f64, N>, covariance: &Tensor2<f64, N, N>) -> f64 {
    let moved = covariance + Tensor2::<f64, N, N>::eye() * 1e-3;
    -0.5 * x.dot(moved.solve(x)) - 0.5 * covariance.det().ln()
}

#[test]
fn densities() {
    let covariance = Tensor2::<f64, 3, 3>::from([[2.0, 0.5, 0.25], [0.5, 1.5, -0.125], [0.25, -0.125, 1.0]]);
    let x = Tensor1::from([0.5, -1.0, 2.0]);
    let (value, (x_bar, c_bar)) = log_density::value_and_grad(&x, &covariance);
    let (expected, (x_expected, c_expected)) = log_density_by_solve::value_and_grad(&x, &covariance);
    close(&[value], &[expected]);
    close(x_bar.as_slice(), x_expected.as_slice());
    close(c_bar.as_slice(), c_expected.as_slice());
    let (dx, dc) =
        (Tensor1::from([1.0, 0.5, -1.0]), Tensor2::from([[0.5, 1.0, 0.0], [1.0, -1.0, 0.25], [0.0, 0.25, 1.0]]));
    let (given, expected) =
        (log_density::hvp(&x, &covariance, &dx, &dc), log_density_by_solve::hvp(&x, &covariance, &dx, &dc));
    close(given.0.as_slice(), expected.0.as_slice());
    close(given.1.as_slice(), expected.1.as_slice());
}
