//! Exponentials, eigenvalues and singular values, against closed forms and numbers of 100 digits: differences of values with a step
//! of 1e-25, by mpmath.

#![allow(clippy::unreadable_literal, clippy::excessive_precision, reason = "numbers as they have been printed")]

use crate::matrices::{A, H, V, W, close, single, single1};
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn expm<T: Real, const N: usize>(a: &Tensor2<T, N, N>, #[no_diff] w: &Tensor2<T, N, N>) -> T {
    (a.expm() * w).sum()
}

#[differentiable(order = 2)]
fn values<T: Real, const N: usize>(a: &Tensor2<T, N, N>, #[no_diff] v: &Tensor1<T, N>) -> T {
    a.eigvalsh().dot(v)
}

#[differentiable(order = 2)]
fn eigh<T: Real, const N: usize>(
    a: &Tensor2<T, N, N>,
    #[no_diff] v: &Tensor1<T, N>,
    #[no_diff] w: &Tensor2<T, N, N>,
) -> T {
    let (values, vectors) = a.eigh();
    values.dot(v) + (vectors * w).sum()
}

#[differentiable(order = 2)]
fn tall<T: Real>(a: &Tensor2<T, 4, 3>, #[no_diff] v: &Tensor1<T, 3>) -> T {
    a.singular_values().dot(v)
}

#[differentiable(order = 2)]
fn wide<T: Real>(a: &Tensor2<T, 3, 4>, #[no_diff] v: &Tensor1<T, 3>) -> T {
    a.singular_values().dot(v)
}

/// Only rustc knows that there are no more columns than rows.
#[differentiable(order = 2)]
fn singular<T: Real, const M: usize, const N: usize>(a: &Tensor2<T, M, N>, #[no_diff] v: &Tensor1<T, N>) -> T {
    a.singular_values().dot(v)
}

fn turned<const M: usize, const N: usize>(x: &Tensor2<f64, M, N>) -> Tensor2<f64, N, M> {
    Tensor2::from_fn(|[i, j]| x[[j, i]])
}

fn diagonal<const N: usize>(x: [f64; N]) -> Tensor2<f64, N, N> {
    Tensor2::from_fn(|[i, j]| if i == j { x[i] } else { 0.0 })
}

fn scaled<const M: usize, const N: usize>(x: &Tensor2<f64, M, N>, by: f64) -> Tensor2<f64, M, N> {
    Tensor2::from_fn(|at| x[at] * by)
}

#[test]
fn exponential_of_four() {
    let value = 667.882875057893768;
    let gradient = [
        [157.773062639078798, -148.691443681943738, -82.5346524029844017, 236.72698686436472],
        [-397.942323010003037, 129.799330450818272, 449.925068049401434, -87.123876425204514],
        [-886.202769803471312, 193.059291528974176, 565.299401067232426, -537.708687971716466],
        [-43.308485705072279, 142.776417363128969, -60.3661608819711765, -184.988919099235728],
    ];
    let second = [
        [-77.2423615362566907, -13.4451420422435828, 163.169774203152691, -30.3980499654866751],
        [53.8213451814908248, 182.864796578384074, 62.1539464666681775, -4.32461465996672833],
        [81.9769584020080806, 282.52679396450025, -183.149663556140731, -114.909669250794006],
        [-195.583299808754704, -37.9512508507319254, 52.4608845551712496, -21.802872798244326],
    ];
    let (given, a_bar) = expm::value_and_grad(&A, &W);
    close(&[given], &[value]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(expm::hvp(&A, &W, &H).as_slice(), second.as_flattened());
    let slope: f64 = gradient.as_flattened().iter().zip(H.as_slice()).map(|(g, h)| g * h).sum();
    close(&[expm::jvp(&A, &W, &H).1], &[slope]);
    close(expm::grad(&single(&A), &single(&W)).as_slice(), gradient.as_flattened());
    close(expm::hvp(&single(&A), &single(&W), &single(&H)).as_slice(), second.as_flattened());
}

#[test]
fn eigenvalues_of_four() {
    let value = 18.5586010275005825;
    let gradient = [
        [0.225711342853027227, 0.652650444421002044, -0.471793660971523353, -0.921555727821077253],
        [0.652650444421002044, 1.64526074755722007, 0.210869061721113243, -0.0956920135574519211],
        [-0.471793660971523353, 0.210869061721113243, 1.27230408806123991, -0.0036482810472963053],
        [-0.921555727821077253, -0.0956920135574519211, -0.0036482810472963053, -0.143276178471487203],
    ];
    let second = [
        [-0.00557279996373158439, 0.0914925127367106813, -0.0611894951497779032, 0.0490651401390599691],
        [0.0914925127367106813, -0.0000865481458104070309, -0.175125221504557731, 0.187610073415285342],
        [-0.0611894951497779032, -0.175125221504557731, 0.0184341077312558187, 0.116724212872332195],
        [0.0490651401390599691, 0.187610073415285342, 0.116724212872332195, -0.0127747596217138272],
    ];
    let (given, a_bar) = values::value_and_grad(&A, &V);
    close(&[given], &[value]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(values::hvp(&A, &V, &H).as_slice(), second.as_flattened());
    close(values::grad(&single(&A), &single1(&V)).as_slice(), gradient.as_flattened());
    close(values::hvp(&single(&A), &single1(&V), &single(&H)).as_slice(), second.as_flattened());
}

#[test]
fn eigenvectors_of_four() {
    let value = 18.6712490050049865;
    let gradient = [
        [-0.0486740724799871567, 0.564406346157925472, -0.249227442399602057, -1.01152926864665216],
        [0.564406346157925472, 1.76506838900421117, 0.844398315524286216, -0.220880506931640798],
        [-0.249227442399602057, 0.844398315524286216, 1.09902258744374344, -0.069468039143340188],
        [-1.01152926864665216, -0.220880506931640798, -0.069468039143340188, 0.184583096032032543],
    ];
    let second = [
        [0.0345498605422715802, 0.260639358575685448, 0.136259421334589349, -0.0255191673544390768],
        [0.260639358575685448, 0.42377379366118667, -0.221396019261369385, 0.00857349782722016457],
        [0.136259421334589349, -0.221396019261369385, -0.417180135459838272, 0.203375272175238113],
        [-0.0255191673544390768, 0.00857349782722016457, 0.203375272175238113, -0.0411435187436199778],
    ];
    let (given, a_bar) = eigh::value_and_grad(&A, &V, &W);
    close(&[given], &[value]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(eigh::hvp(&A, &V, &W, &H).as_slice(), second.as_flattened());
    let slope: f64 = gradient.as_flattened().iter().zip(H.as_slice()).map(|(g, h)| g * h).sum();
    close(&[eigh::jvp(&A, &V, &W, &H).1], &[slope]);
    close(eigh::grad(&single(&A), &single1(&V), &single(&W)).as_slice(), gradient.as_flattened());
    let hvp = eigh::hvp(&single(&A), &single1(&V), &single(&W), &single(&H));
    close(hvp.as_slice(), second.as_flattened());
}

#[test]
fn singular_values_of_three_columns() {
    let value = 3.48990651001392471;
    let gradient = [
        [0.795355759625890597, -1.09774021045182829, 0.535908540565330577],
        [-1.12084575211167947, -0.275613234616973396, -0.0998140427858865354],
        [0.44565557955800408, -0.130667602013031828, 0.713669826678274107],
        [0.864641140370268907, -0.328395343700683708, 0.450001823521907553],
    ];
    let second = [
        [-0.296455051750829881, 0.00239359288128535504, 0.213592467882049753],
        [-0.110999347865789667, 0.274991794500978074, 0.263974399841467566],
        [0.366718756623651107, 0.290849191362106565, -0.00156846948761155339],
        [-0.073907200106938655, -0.143594223396403949, -0.0130743072044265804],
    ];
    let [a, h] = [A, H].map(|x| Tensor2::<f64, 4, 3>::from_fn(|at| x[at]));
    let v = Tensor([0.5, -1.0, 2.0]);
    let (given, a_bar) = tall::value_and_grad(&a, &v);
    close(&[given], &[value]);
    close(a_bar.as_slice(), gradient.as_flattened());
    close(tall::hvp(&a, &v, &h).as_slice(), second.as_flattened());
    close(tall::grad(&single(&a), &single1(&v)).as_slice(), gradient.as_flattened());
    close(tall::hvp(&single(&a), &single1(&v), &single(&h)).as_slice(), second.as_flattened());

    let (given, a_bar) = wide::value_and_grad(&turned(&a), &v);
    close(&[given], &[value]);
    close(turned(&a_bar).as_slice(), gradient.as_flattened());
    close(turned(&wide::hvp(&turned(&a), &v, &turned(&h))).as_slice(), second.as_flattened());

    assert_eq!(singular::value_and_grad(&a, &v), tall::value_and_grad(&a, &v));
    assert_eq!(singular::hvp(&a, &v, &h), tall::hvp(&a, &v, &h));
}

#[test]
fn closed_forms_of_exponentials() {
    // exp 0 = 1, with derivative ȳ; and one number.
    let zero = Tensor2::<f64, 4, 4>::zeros();
    assert_eq!(expm::value_and_grad(&zero, &W), (W.as_slice().iter().step_by(5).sum(), W));
    let (value, gradient) = expm::value_and_grad(&Tensor([[-2.0]]), &Tensor([[3.0]]));
    let expected = 3.0 * (-2.0_f64).exp();
    close(&[value, gradient[[0, 0]]], &[expected; 2]);
    close(expm::hvp(&Tensor([[-2.0]]), &Tensor([[3.0]]), &Tensor([[0.5]])).as_slice(), &[0.5 * expected]);
    assert_eq!(expm(&Tensor2::<f64, 0, 0>::zeros(), &Tensor2::zeros()), 0.0);
    // Of [0, −t; t, 0], cosines and sines.
    for t in [0.5, 3.0, 200.0] {
        let (sin, cos) = f64::sin_cos(t);
        let pick = |i: usize, j: usize| Tensor2::from_fn(|at| if at == [i, j] { 1.0 } else { 0.0 });
        let rotation = Tensor([[0.0, -t], [t, 0.0]]);
        assert!((expm(&rotation, &pick(0, 0)) - cos).abs() < 1e-13);
        assert!((expm(&rotation, &pick(1, 0)) - sin).abs() < 1e-13);
        let slope = expm::jvp(&rotation, &pick(1, 0), &Tensor([[0.0, -1.0], [1.0, 0.0]])).1;
        assert!((slope - cos).abs() < 1e-13);
    }
    // Of a diagonal matrix the derivative off the diagonal is a difference quotient.
    let (value, gradient) = expm::value_and_grad(&diagonal([3.0, -1.0]), &Tensor([[0.0, 1.0], [0.0, 0.0]]));
    assert_eq!(value, 0.0);
    close(gradient.as_slice(), &[0.0, (3.0_f64.exp() - (-1.0_f64).exp()) / 4.0, 0.0, 0.0]);
    // Far below what `f64` can hold, and far above.
    assert_eq!(expm::value_and_grad(&Tensor([[-1e6]]), &Tensor([[1.0]])), (0.0, Tensor([[0.0]])));
    assert_eq!(expm(&Tensor([[1e6]]), &Tensor([[1.0]])), f64::INFINITY);
}

/// det exp a = exp tr a
#[differentiable(order = 2)]
fn volume(a: &Tensor2<f64, 4, 4>) -> f64 {
    a.expm().ln_det()
}

#[test]
fn the_determinant_of_an_exponential() {
    let a = scaled(&A, 0.25);
    let (value, gradient) = volume::value_and_grad(&a);
    close(&[value], &[4.5]);
    for (given, expected) in gradient.iter().zip(diagonal([1.0; 4]).iter()) {
        assert!((given - expected).abs() < 1e-12);
    }
    assert!(volume::hvp(&a, &H).iter().all(|x| x.abs() < 1e-11));
}

/// The mean of the diagonal, and half the distance of the eigenvalues.
#[differentiable(order = 2)]
fn of_two(a: &Tensor2<f64, 2, 2>, #[no_diff] v: &Tensor1<f64, 2>) -> f64 {
    let (mean, off) = ((a[[0, 0]] + a[[1, 1]]) / 2.0, (a[[0, 1]] + a[[1, 0]]) / 2.0);
    let apart = ((a[[0, 0]] - a[[1, 1]]).powi(2) / 4.0 + off * off).sqrt();
    (mean - apart) * v[[0]] + (mean + apart) * v[[1]]
}

#[test]
fn closed_forms_of_eigenvalues() {
    let (v, h) = (Tensor([0.5, -2.0]), Tensor([[0.5, -1.0], [2.0, 0.25]]));
    for a in
        [[[3.0, 5.0], [2.0, -7.0]], [[1.0, 2.0], [2.0, 1.0]], [[0.0, 0.0], [1e-3, 0.0]], [[-2.0, 0.0], [0.0, -5.0]]]
    {
        let a = Tensor(a);
        let (value, gradient) = values::value_and_grad(&a, &v);
        let (expected, by) = of_two::value_and_grad(&a, &v);
        close(&[value], &[expected]);
        close(gradient.as_slice(), by.as_slice());
        close(values::hvp(&a, &v, &h).as_slice(), of_two::hvp(&a, &v, &h).as_slice());
    }
    let one = Tensor([[-9.0]]);
    assert_eq!(values::value_and_grad(&one, &Tensor([2.0])), (-18.0, Tensor([[2.0]])));
    assert_eq!(values::hvp(&one, &Tensor([2.0]), &Tensor([[1.0]])), Tensor([[0.0]]));
    assert_eq!(eigh::value_and_grad(&one, &Tensor([2.0]), &Tensor([[5.0]])), (-13.0, Tensor([[2.0]])));
    assert_eq!(values(&Tensor2::<f64, 0, 0>::zeros(), &Tensor1::zeros()), 0.0);
}

#[differentiable(order = 2)]
fn squares(a: &Tensor2<f64, 3, 3>) -> f64 {
    let w = a.eigvalsh();
    w.dot(w)
}

/// The direction of the largest eigenvalue.
#[differentiable(order = 2)]
fn principal(a: &Tensor2<f64, 3, 3>, #[no_diff] w: &Tensor1<f64, 3>) -> f64 {
    let (_, v) = a.eigh();
    v[[0, 2]] * w[[0]] + v[[1, 2]] * w[[1]] + v[[2, 2]] * w[[2]]
}

#[test]
fn equal_eigenvalues() {
    // The sum of all, and that of the squares, have derivatives where values are equal.
    for x in [[2.0; 3], [0.0; 3], [1.0, -3.0, 1.0]] {
        let a = diagonal(x);
        assert_eq!(values::grad(&a, &Tensor([1.0; 3])), diagonal([1.0; 3]));
        assert_eq!(squares::grad(&a), scaled(&a, 2.0));
    }
    // The second derivative has a value only where they are not.
    let h = Tensor([[1.0, 0.5, 0.0], [0.5, -1.0, 2.0], [0.0, 2.0, 3.0]]);
    close(squares::hvp(&diagonal([1.0, -3.0, 2.0]), &h).as_slice(), scaled(&h, 2.0).as_slice());
    assert!(squares::hvp(&diagonal([1.0, -3.0, 1.0]), &h).iter().any(|x| x.is_nan()));
    // Equal up to rounding only: no number instead of a wrong one.
    let q = scaled(&Tensor([[2.0, -1.0, 2.0], [2.0, 2.0, -1.0], [-1.0, 2.0, 2.0]]), 1.0 / 3.0);
    let rounded = Tensor2::from_fn(|[i, j]| (0..3).map(|k| q[[i, k]] * [1.0, 1.0, 2.0][k] * q[[j, k]]).sum());
    assert!(squares::hvp(&rounded, &h).iter().any(|x| x.is_nan()));
    assert!(eigh::grad(&rounded, &Tensor([0.0; 3]), &Tensor2::ones()).iter().any(|x| x.is_nan()));
    // A vector whose value is apart from the others has a derivative.
    let gradient = principal::grad(&diagonal([0.0, 0.0, 2.0]), &Tensor([3.0, 5.0, 7.0]));
    assert_eq!(gradient, Tensor([[0.0, 0.0, 0.75], [0.0, 0.0, 1.25], [0.75, 1.25, 0.0]]));
}

/// Of a positive definite matrix.
#[differentiable(order = 2)]
fn ln_det(a: &Tensor2<f64, 4, 4>) -> f64 {
    a.eigvalsh().ln().sum()
}

#[differentiable(order = 2)]
fn ln_det_by_elimination(a: &Tensor2<f64, 4, 4>) -> f64 {
    ((a + a.t()) * 0.5).ln_det()
}

/// The matrix from its parts.
#[differentiable(order = 2)]
fn again(a: &Tensor2<f64, 4, 4>, #[no_diff] w: &Tensor2<f64, 4, 4>) -> f64 {
    let (values, vectors) = a.eigh();
    ((vectors * values).matmul(vectors.t()) * w).sum()
}

#[test]
fn functions_of_eigenvalues() {
    close(&[ln_det(&A)], &[ln_det_by_elimination(&A)]);
    close(ln_det::grad(&A).as_slice(), ln_det_by_elimination::grad(&A).as_slice());
    close(ln_det::hvp(&A, &H).as_slice(), ln_det_by_elimination::hvp(&A, &H).as_slice());
    let mean = |x: &Tensor2<f64, 4, 4>| Tensor2::<f64, 4, 4>::from_fn(|[i, j]| (x[[i, j]] + x[[j, i]]) / 2.0);
    close(again::grad(&A, &W).as_slice(), mean(&W).as_slice());
    assert!(again::hvp(&A, &W, &H).iter().all(|x| x.abs() < 1e-13));
}

/// ‖a‖², of the singular values.
#[differentiable(order = 2)]
fn frobenius<const M: usize, const N: usize>(a: &Tensor2<f64, M, N>) -> f64 {
    let s = a.singular_values();
    s.dot(s)
}

/// The same of a matrix that is seen to be square.
#[differentiable(order = 2)]
fn square<const N: usize>(a: &Tensor2<f64, N, N>) -> f64 {
    let s = a.singular_values();
    s.dot(s)
}

#[test]
fn closed_forms_of_singular_values() {
    // One column, one number.
    let column = Tensor([[3.0], [0.0], [-4.0]]);
    let (value, gradient) = singular::value_and_grad(&column, &Tensor([1.0]));
    close(&[value], &[5.0]);
    close(gradient.as_slice(), &[0.6, 0.0, -0.8]);
    // The Hessian of a length is (1 − uuᵀ)/|x|.
    let h = Tensor([[1.0], [2.0], [3.0]]);
    close(singular::hvp(&column, &Tensor([1.0]), &h).as_slice(), &[0.2 + 0.216, 0.4, 0.6 - 0.288]);
    assert_eq!(singular::value_and_grad(&Tensor([[-2.0]]), &Tensor([3.0])), (6.0, Tensor([[-3.0]])));
    assert_eq!(singular(&Tensor2::<f64, 3, 0>::zeros(), &Tensor1::zeros()), 0.0);
    // The nuclear norm where values are equal: the orthogonal factor.
    let rotation = Tensor([[0.0, -2.0], [2.0, 0.0]]);
    close(singular::grad(&rotation, &Tensor([1.0; 2])).as_slice(), &[0.0, -1.0, 1.0, 0.0]);
    // Of rank 1: ‖a‖² does not know.
    for a in [[[1.0, 2.0], [2.0, 4.0]], [[3.0, 0.0], [0.0, 0.0]], [[3.0, 0.0], [0.0, -1.0]]] {
        let (a, h) = (Tensor(a), Tensor([[1.0, 0.5], [-0.5, 2.0]]));
        let (value, gradient) = square::value_and_grad(&a);
        close(&[value], &[a.iter().map(|x| x * x).sum()]);
        close(gradient.as_slice(), scaled(&a, 2.0).as_slice());
        close(square::hvp(&a, &h).as_slice(), scaled(&h, 2.0).as_slice());
    }
    let zero = Tensor2::<f64, 3, 2>::zeros();
    assert_eq!(frobenius::value_and_grad(&zero), (0.0, zero));
    assert!(singular::grad(&zero, &Tensor([1.0; 2])).iter().all(|x| x.is_finite()));
    // A column in what the others span has no second derivative, and no number for one.
    let of_rank_1 = Tensor([[1.0, 0.0], [2.0, 0.0], [2.0, 0.0]]);
    let second = frobenius::hvp(&of_rank_1, &Tensor2::ones());
    assert!(second.iter().any(|x| !x.is_finite()));
}

#[track_caller]
fn differs_little<const M: usize, const N: usize>(
    at: &Tensor2<f64, M, N>,
    along: &Tensor2<f64, M, N>,
    slope: f64,
    f: impl Fn(&Tensor2<f64, M, N>) -> f64,
) {
    let step = 1e-4;
    let moved = |k: f64| f(&Tensor2::from_fn(|i| at[i] + k * step * along[i]));
    let difference = (8.0 * (moved(1.0) - moved(-1.0)) - (moved(2.0) - moved(-2.0))) / (12.0 * step);
    assert!((difference - slope).abs() <= 1e-8 * (1.0 + slope.abs()), "{slope} against {difference}");
}

/// Numbers between -1 and 1 that look random.
fn random<const M: usize, const N: usize>(seed: usize) -> Tensor2<f64, M, N> {
    Tensor2::from_fn(|[i, j]| {
        let mixed = ((1 + i * N + j + 100 * seed) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f64 / f64::from(1 << 23) - 1.0
    })
}

fn inner<const M: usize, const N: usize>(x: &Tensor2<f64, M, N>, y: &Tensor2<f64, M, N>) -> f64 {
    x.iter().zip(y.iter()).map(|(x, y)| x * y).sum()
}

#[test]
fn random_matrices() {
    let v = Tensor([0.5, -1.0, 2.0, 1.5, -0.75]);
    for seed in 0..5 {
        let (a, h, w) = (random::<5, 5>(seed), random(seed + 5), random(seed + 10));
        let second = random(seed + 15);
        differs_little(&a, &h, inner(&expm::grad(&a, &w), &h), |a| expm(a, &w));
        differs_little(&a, &h, inner(&values::grad(&a, &v), &h), |a| values(a, &v));
        differs_little(&a, &h, inner(&eigh::grad(&a, &v, &w), &h), |a| eigh(a, &v, &w));
        differs_little(&a, &h, inner(&singular::grad(&a, &v), &h), |a| singular(a, &v));
        differs_little(&a, &h, inner(&expm::hvp(&a, &w, &second), &h), |a| inner(&expm::grad(a, &w), &second));
        differs_little(&a, &h, inner(&values::hvp(&a, &v, &second), &h), |a| inner(&values::grad(a, &v), &second));
        differs_little(&a, &h, inner(&singular::hvp(&a, &v, &second), &h), |a| inner(&singular::grad(a, &v), &second));
        let hessian = expm::hessian(&a, &w);
        for (row, expected) in hessian.iter().zip(expm::hvp(&a, &w, &h).iter()) {
            let product: f64 = row.iter().zip(h.iter()).map(|(x, y)| x * y).sum();
            assert!((product - expected).abs() < 1e-12);
        }
        let hessian = eigh::hessian(&a, &v, &w);
        for (row, expected) in hessian.iter().zip(eigh::hvp(&a, &v, &w, &h).iter()) {
            let product: f64 = row.iter().zip(h.iter()).map(|(x, y)| x * y).sum();
            assert!((product - expected).abs() < 1e-9 * (1.0 + expected.abs()));
        }
        let (a, h, second) = (random::<5, 2>(seed), random(seed + 5), random(seed + 15));
        let v = Tensor([1.0, -2.0]);
        differs_little(&a, &h, inner(&singular::grad(&a, &v), &h), |a| singular(a, &v));
        differs_little(&a, &h, inner(&singular::hvp(&a, &v, &second), &h), |a| inner(&singular::grad(a, &v), &second));
    }
}
