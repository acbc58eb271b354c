//! `check_grads!` on functions of all kinds, and on wrong rules.

use autodiff::check_grads;
use autodiff::derivative;
use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Net {
    weights: Tensor2<f64, 2, 3>,
    bias: [f64; 2],
    #[no_diff]
    name: String,
}

#[differentiable(order = 2)]
impl Net {
    fn sum(&self, x: f64) -> f64 {
        self.bias[0] * x.sin() * self.weights.sum()
    }
}

#[differentiable(order = 2)]
fn energy(x: &[f64; 2], k: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for _ in 0..n {
        sum += k * (x[0] - x[1]).powi(2);
    }
    sum
}

#[differentiable]
fn folded(values: &[f64], net: &Net, #[no_diff] table: &[f64]) -> [f64; 2] {
    let mut out = net.bias;
    for (k, x) in values.iter().enumerate() {
        out[k % 2] += x * x * net.weights[[k % 2, k % 3]] * table[k % 2];
    }
    out
}

#[derive(Differentiable, Clone, Copy)]
enum Shape {
    Disc { radius: f64 },
    Box(f64, f64),
}

/// Of the fields of the variant that it is not, nothing is said.
#[differentiable]
fn grown(shape: Shape, by: f64) -> Option<(Shape, f64)> {
    match shape {
        Shape::Disc { radius } if radius < 0.0 => None,
        Shape::Disc { radius } => Some((shape, radius * radius * by)),
        Shape::Box(w, h) => Some((Shape::Box(w + by, h * by), w * h)),
    }
}

#[derive(Differentiable, Clone, Copy)]
enum Source {
    Dark,
    Lamp(f64),
}

#[differentiable]
fn brightness(source: Source) -> f64 {
    match source {
        Source::Dark => 0.0,
        Source::Lamp(power) => power.sqrt(),
    }
}

/// It changes fast.
#[differentiable]
fn shrill(x: f64, k: f64) -> f64 {
    (k * x).sin() * (-x / 1e-3).exp()
}

#[differentiable]
fn running(values: Vec<f64>) -> Vec<f64> {
    let mut sum = 1.0;
    values
        .iter()
        .map(|x| {
            sum *= x.cos();
            sum
        })
        .collect()
}

#[differentiable]
fn single(x: f32, y: Tensor1<f32, 2>) -> f32 {
    x.sin() * y.sum()
}

#[differentiable]
fn squares<T: Real, const N: usize>(x: &[T; N]) -> T {
    x.iter().fold(T::ZERO, |sum, x| sum + *x * *x)
}

mod inner {
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    pub fn cube(x: f64) -> f64 {
        x * x * x
    }
}

#[test]
fn right_derivatives_pass() {
    let net = Net { weights: Tensor2::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), bias: [0.1, 0.2], name: "net".into() };
    let values = vec![1.0, 0.5, -0.3];
    check_grads!(grown, Shape::Disc { radius: 0.7 }, 1.3);
    check_grads!(grown, Shape::Box(0.7, 0.2), 1.3);
    check_grads!(grown, Shape::Disc { radius: -0.7 }, 1.3);
    check_grads!(shrill, 2e-3, 900.0);
    check_grads!(energy, &[0.3, 1.2], 2.0, 3);
    check_grads!(energy, &[0.3, 1.2], 2.0, 3; tolerance = 1e-4);
    check_grads!(folded, &values, &net, &[0.5, 0.25]);
    check_grads!(running, values);
    check_grads!(single, 0.5, Tensor1::from([1.0, 2.0]));
    check_grads!(squares, &[0.5, 2.0]);
    check_grads!(squares::<f32, 2>, &[0.5, 2.0]);
    check_grads!(inner::cube, 0.7);
    check_grads!(Net::sum, &net, 1.5);
    assert_eq!(net.name, "net");
}

mod opaque {
    pub fn exp(x: f64) -> f64 {
        x.exp()
    }

    pub fn pair(x: &[f64; 2]) -> [f64; 2] {
        [x[0] * x[1], x[1]]
    }

    pub fn square(x: f64) -> f64 {
        x * x
    }
}

use opaque::{exp, pair, square};

#[derivative(of = exp)]
fn negated(x: f64, y_bar: f64) -> f64 {
    -x.exp() * y_bar
}

#[derivative(of = pair, forward)]
fn without_one(x: &[f64; 2], x_dot: &[f64; 2]) -> [f64; 2] {
    [x_dot[0] * x[1], x_dot[1]]
}

/// The value is right, and so is the first derivative, but not the second.
#[derivative(of = square, order = 2)]
fn constant_slope(x: f64, y_bar: f64) -> f64 {
    2.0 * stop_gradient(x) * y_bar
}

fn report(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(check).expect_err("a wrong derivative is found");
    *payload.downcast::<String>().expect("a report")
}

/// A check that compares nothing would pass with any derivative.
#[test]
fn there_is_something_to_compare() {
    check_grads!(brightness, Source::Lamp(2.0));
    let nothing = report(|| check_grads!(brightness, Source::Dark));
    assert_eq!(
        nothing,
        "there is nothing to compare: the arguments of `brightness` have no numbers, pass values that have some"
    );
}

#[test]
fn wrong_rules_are_reported() {
    let x = 0.0;
    let sign = report(move || check_grads!(exp, x));
    assert!(
        sign.starts_with("the derivatives of `exp` are not those of its values\n  by `vjp`, 1 of 1:\n    x: -1e0"),
        "{sign}"
    );
    assert!(sign.contains("the wrong sign"), "{sign}");
    let at = [2.0, 3.0];
    let missing = report(move || check_grads!(pair, &at));
    assert!(missing.contains("by `vjp`, 1 of 2:") && missing.contains("by `jvp`, 1 of 2:"), "{missing}");
    assert!(missing.contains("at[1]: ") && !missing.contains("at[0]"), "{missing}");
    let second = report(|| check_grads!(square, 3.0));
    assert!(second.contains("by `hvp`, 1 of 1:") && !second.contains("`jvp`"), "{second}");
    assert!(second.contains("argument 1: 0e0") && second.contains("a missing term"), "{second}");
}
