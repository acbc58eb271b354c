//! Reductions and losses where numbers are extreme or no derivative exists, in both precisions.

use autodiff::prelude::*;

/// The functions, and further down the same for single precision.
mod double {
    use super::*;

    #[differentiable]
    pub fn logsumexp(x: &Tensor1<f64, 3>) -> f64 {
        x.logsumexp()
    }

    #[differentiable]
    pub fn softmax(x: &Tensor1<f64, 3>) -> f64 {
        x.softmax(0).square().sum()
    }

    #[differentiable]
    pub fn log_softmax(x: &Tensor1<f64, 3>) -> f64 {
        x.log_softmax(0).sum()
    }

    #[differentiable]
    pub fn cross_entropy(x: &Tensor2<f64, 2, 3>, labels: &[usize; 2]) -> f64 {
        x.cross_entropy(labels) + x.cross_entropy_soft(&Tensor2::<f64, 2, 3>::zeros()) + x.log_softmax(1).nll(labels)
    }

    #[differentiable]
    pub fn at_zero(x: &Tensor1<f64, 3>) -> f64 {
        x.norm() + x.norm_l1() + x.std(1) + x.cosine_similarity(x, 0) + x.prod()
    }

    #[differentiable]
    pub fn prod(x: &Tensor1<f64, 3>) -> f64 {
        x.prod()
    }

    #[differentiable]
    pub fn norm(x: &Tensor1<f64, 3>) -> f64 {
        x.norm()
    }

    #[differentiable]
    pub fn std(x: &Tensor1<f64, 3>) -> f64 {
        x.std(1)
    }

    #[differentiable]
    pub fn normalized(x: &Tensor1<f64, 3>, w: &Tensor1<f64, 3>) -> f64 {
        x.l2_normalize(0, 1e-12).sum() + x.cosine_similarity(w, 0)
    }

    #[differentiable]
    pub fn max(x: &Tensor1<f64, 3>) -> f64 {
        x.max()
    }

    #[differentiable]
    pub fn bce(x: &Tensor1<f64, 4>, y: &Tensor1<f64, 4>) -> f64 {
        x.bce(y)
    }

    #[differentiable]
    pub fn bce_with_logits(x: &Tensor1<f64, 4>, y: &Tensor1<f64, 4>) -> f64 {
        x.bce_with_logits(y)
    }

    #[differentiable]
    pub fn kl_div(x: &Tensor1<f64, 3>, y: &Tensor1<f64, 3>) -> f64 {
        x.kl_div(y)
    }
}

mod single {
    use super::*;

    #[differentiable]
    pub fn logsumexp(x: &Tensor1<f32, 3>) -> f32 {
        x.logsumexp()
    }

    #[differentiable]
    pub fn softmax(x: &Tensor1<f32, 3>) -> f32 {
        x.softmax(0).square().sum()
    }

    #[differentiable]
    pub fn log_softmax(x: &Tensor1<f32, 3>) -> f32 {
        x.log_softmax(0).sum()
    }

    #[differentiable]
    pub fn cross_entropy(x: &Tensor2<f32, 2, 3>, labels: &[usize; 2]) -> f32 {
        x.cross_entropy(labels) + x.cross_entropy_soft(&Tensor2::<f32, 2, 3>::zeros()) + x.log_softmax(1).nll(labels)
    }

    #[differentiable]
    pub fn at_zero(x: &Tensor1<f32, 3>) -> f32 {
        x.norm() + x.norm_l1() + x.std(1) + x.cosine_similarity(x, 0) + x.prod()
    }

    #[differentiable]
    pub fn bce(x: &Tensor1<f32, 4>, y: &Tensor1<f32, 4>) -> f32 {
        x.bce(y)
    }

    #[differentiable]
    pub fn bce_with_logits(x: &Tensor1<f32, 4>, y: &Tensor1<f32, 4>) -> f32 {
        x.bce_with_logits(y)
    }
}

const INF: f64 = f64::INFINITY;

#[test]
fn large_numbers() {
    let (y, x_bar) = double::logsumexp::value_and_grad(&Tensor1::from([1e4, -1e4, 1e4]));
    assert_eq!((y, x_bar), (1e4 + 2_f64.ln(), Tensor1::from([0.5, 0.0, 0.5])));
    assert_eq!(single::logsumexp::grad(&Tensor1::from([1e4, -1e4, 1e4])), Tensor1::from([0.5, 0.0, 0.5]));
    assert_eq!(double::softmax::value_and_grad(&Tensor1::from([1e4, -1e4, 0.0])), (1.0, Tensor1::zeros()));
    assert_eq!(single::softmax::value_and_grad(&Tensor1::from([1e4, -1e4, 0.0])), (1.0, Tensor1::zeros()));
    assert_eq!(
        double::log_softmax::value_and_grad(&Tensor1::from([1e4, -1e4, 0.0])),
        (-3e4, Tensor1::from([-2.0, 1.0, 1.0]))
    );
    assert_eq!(
        single::log_softmax::value_and_grad(&Tensor1::from([1e4, -1e4, 0.0])),
        (-3e4, Tensor1::from([-2.0, 1.0, 1.0]))
    );
}

/// The label has all of the probability, or none.
#[test]
fn cross_entropies() {
    let x = [[1e4, -1e4, 0.0], [-1e4, 1e4, 0.0]];
    let x_bar = [[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]];
    assert_eq!(double::cross_entropy::value_and_grad(&Tensor2::from(x), &[0, 0]), (2e4, Tensor2::from(x_bar)));
    let [x, x_bar] = [x, x_bar].map(|rows| Tensor2::from(rows.map(|row| row.map(|x| x as f32))));
    assert_eq!(single::cross_entropy::value_and_grad(&x, &[0, 0]), (2e4, x_bar));
}

#[test]
fn infinities() {
    assert_eq!(
        double::logsumexp::value_and_grad(&Tensor1::from([-INF, 1.0, -INF])),
        (1.0, Tensor1::from([0.0, 1.0, 0.0]))
    );
    assert_eq!(double::logsumexp::value_and_grad(&Tensor1::full(-INF)), (-INF, Tensor1::zeros()));
    assert_eq!(double::logsumexp(&Tensor1::from([INF, 0.0, 0.0])), INF);
    assert!(double::logsumexp(&Tensor1::from([f64::NAN, 0.0, 0.0])).is_nan());
    assert_eq!(double::max::value_and_grad(&Tensor1::from([INF, 2.0, INF])), (INF, Tensor1::from([0.5, 0.0, 0.5])));
}

#[test]
fn zeros() {
    assert_eq!(double::at_zero::value_and_grad(&Tensor1::zeros()), (0.0, Tensor1::zeros()));
    assert_eq!(single::at_zero::value_and_grad(&Tensor1::zeros()), (0.0, Tensor1::zeros()));
    assert_eq!(double::at_zero::jvp(&Tensor1::zeros(), &Tensor1::from([1.0, 2.0, 3.0])), (0.0, 0.0));
    assert_eq!(double::prod::grad(&Tensor1::from([0.0, 2.0, 3.0])), Tensor1::from([6.0, 0.0, 0.0]));
    assert_eq!(double::prod::grad(&Tensor1::from([0.0, 0.0, 3.0])), Tensor1::zeros());
    // 0.1 is not rounded by being divided among equals.
    assert_eq!(double::max::value_and_grad(&Tensor1::full(0.1)), (0.1, Tensor1::full(1.0 / 3.0)));
}

#[test]
fn probabilities_at_the_edge() {
    let (x, y) = ([0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]);
    let (loss, (x_bar, y_bar)) = double::bce::value_and_grad(&Tensor1::from(x), &Tensor1::from(y));
    assert_eq!(loss, 50.0);
    assert_eq!(x_bar, Tensor1::from([0.0, 0.0, -0.25e12, 0.25e12]));
    assert_eq!(y_bar, Tensor1::from([25.0, -25.0, 25.0, -25.0]));
    let [x, y] = [x, y].map(|x| Tensor1::from(x.map(|x| x as f32)));
    assert_eq!(single::bce::value_and_grad(&x, &y).1.0, Tensor1::from([0.0, 0.0, -0.25e12, 0.25e12]));

    let logits = Tensor1::from([1e4, -1e4, 1e4, -1e4]);
    let (loss, (x_bar, _)) = double::bce_with_logits::value_and_grad(&logits, &Tensor1::from([0.0, 1.0, 1.0, 0.0]));
    assert_eq!((loss, x_bar), (5000.0, Tensor1::from([0.25, -0.25, 0.0, 0.0])));
    let logits = Tensor1::from([1e4, -1e4, 1e4, -1e4]);
    assert_eq!(single::bce_with_logits::value_and_grad(&logits, &y).1.0, Tensor1::from([0.25, -0.25, 0.0, 0.0]));

    let (loss, (_, y_bar)) = double::kl_div::value_and_grad(&Tensor1::full(-1.0), &Tensor1::from([0.0, 0.5, 0.5]));
    assert!(loss.is_finite() && y_bar[[0]] == 1.0 / 3.0);
}

/// NaN among the elements: the rest of PyTorch's rule is that it wins, and has the derivative.
mod nan {
    use super::*;

    #[differentiable]
    pub fn max(x: &Tensor1<f64, 4>) -> f64 {
        x.max()
    }

    #[differentiable]
    pub fn min(x: &Tensor1<f64, 4>) -> f64 {
        x.min()
    }

    #[differentiable]
    pub fn rows(x: &Tensor2<f32, 2, 3>) -> Tensor1<f32, 2> {
        x.max_axis(1)
    }

    #[differentiable]
    pub fn columns(x: &Tensor2<f32, 2, 3>) -> Tensor1<f32, 3> {
        x.min_axis(0)
    }

    #[differentiable]
    pub fn pairs(x: &Tensor1<f64, 4>, y: &Tensor1<f64, 4>) -> Tensor1<f64, 4> {
        x.maximum(y) + x.minimum(y)
    }

    #[differentiable]
    pub fn pooled(x: &Tensor3<f64, 1, 1, 4>) -> Tensor3<f64, 1, 1, 2> {
        x.max_pool1d(2, Window1d { stride: 2, ..Default::default() })
    }

    #[differentiable]
    pub fn number(x: f64, y: f64) -> f64 {
        x.max(y)
    }
}

#[test]
fn nan_is_the_largest_and_the_smallest() {
    let n = f64::NAN;
    for at in 0..4 {
        let mut x = [1.0, 2.0, 3.0, 4.0];
        x[at] = n;
        let (y, g) = nan::max::value_and_grad(&Tensor1::from(x));
        let (z, h) = nan::min::value_and_grad(&Tensor1::from(x));
        let mut unit = [0.0; 4];
        unit[at] = 1.0;
        assert!(y.is_nan() && z.is_nan() && g == Tensor1::from(unit) && h == g, "{at}: {y} {g:?} {z} {h:?}");
        assert!(nan::pairs(&Tensor1::from(x), &Tensor1::ones())[[at]].is_nan());
        assert!(nan::pairs(&Tensor1::ones(), &Tensor1::from(x))[[at]].is_nan());
        let pooled = nan::pooled(&Tensor3::from([[x]]));
        assert_eq!([pooled[[0, 0, 0]].is_nan(), pooled[[0, 0, 1]].is_nan()], [at < 2, at >= 2]);
        assert!(double::logsumexp(&Tensor1::from([x[0], x[1], x[2]])).is_nan() == (at < 3));
        assert!(double::softmax(&Tensor1::from([x[0], x[1], x[2]])).is_nan() == (at < 3));
        let logits = Tensor2::from([[x[0], x[1], x[2]], [0.0; 3]]);
        assert!(double::cross_entropy(&logits, &[0, 0]).is_nan() == (at < 3));
    }
    let x = Tensor2::from([[1.0, f32::NAN, 3.0], [4.0, 0.0, -1.0]]);
    let (rows, columns) = (nan::rows(&x), nan::columns(&x));
    assert!(rows[[0]].is_nan() && rows[[1]] == 4.0);
    assert!(columns[[0]] == 1.0 && columns[[1]].is_nan() && columns[[2]] == -1.0);
    // A number is a number of Rust's.
    assert_eq!((nan::number(1.0, n), nan::number(n, 1.0)), (1.0, 1.0));
}

/// Squares of finite numbers may overflow: then the norm is ∞ and constant, as in PyTorch, and what is divided by it is 0.
#[test]
fn squares_that_overflow() {
    for x in [Tensor1::from([1e200, 2e200, -1e200]), Tensor1::from([1e200, 1.0, 2.0])] {
        assert_eq!(double::norm::value_and_grad(&x), (INF, Tensor1::zeros()));
        assert_eq!(double::std::value_and_grad(&x), (INF, Tensor1::zeros()));
        let w = Tensor1::from([1.0, 2.0, 3.0]);
        assert_eq!(double::normalized::value_and_grad(&x, &w), (0.0, (Tensor1::zeros(), Tensor1::zeros())));
    }
}

/// A product is made from the first to the last.
#[test]
fn products_that_overflow() {
    assert!(double::prod(&Tensor1::from([1e200, 1e200, 0.0])).is_nan());
    assert_eq!(double::prod(&Tensor1::from([0.0, 1e200, 1e200])), 0.0);
    assert_eq!(double::prod::grad(&Tensor1::from([1e200, 0.0, 1e200])), Tensor1::from([0.0, INF, 0.0]));
}
