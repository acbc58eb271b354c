//! Networks from PyTorch in double precision: parameters, inputs, loss and every gradient.

use autodiff::{Differentiable, Shape, Tensor};
use serde_json::Value as Json;

/// Relative to the largest number of the array.
pub const TOLERANCE: f64 = 1e-10;

/// What is smaller than this next to the largest number of a gradient is 0 but for rounding, as is the gradient by
/// a bias of the keys, which moves all scores of a query alike.
const ZERO: f64 = 1e-14;

/// A file of `tests/data/nn/`.
pub fn read(name: &str) -> Json {
    let path = format!("{}/data/nn/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(&path).expect(&path)).expect("JSON")
}

/// The numbers of an array.
pub fn numbers(json: &Json) -> Vec<f64> {
    json["data"].as_array().expect("data").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// An array as a tensor.
pub fn tensor<A: Shape<Elem = f64>>(json: &Json) -> Tensor<A> {
    Tensor::from_slice(&numbers(json))
}

/// Fails where two arrays are further apart than [`TOLERANCE`].
#[track_caller]
pub fn close(what: &str, given: &[f64], expected: &[f64]) {
    assert_eq!(given.len(), expected.len(), "{what}");
    let scale = largest(expected);
    for (given, expected) in given.iter().zip(expected) {
        // NaN is never close.
        assert!((given - expected).abs() <= TOLERANCE * scale, "{what}: {given:e} instead of {expected:e}");
    }
}

/// All leaves of the tree, in order.
pub fn flat<P: Differentiable<Scalar = f64>>(tree: &P) -> Vec<f64> {
    let mut flat = vec![0.0; tree.flat_len()];
    tree.copy_to_flat(&mut flat);
    flat
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |max, x| max.max(x.abs()))
}

/// The gradient as the file lists it, under these names in the order of the leaves.
#[track_caller]
pub fn same_gradient(given: &[f64], names: &[&str], expected: &Json) {
    let all: Vec<Vec<f64>> = names.iter().map(|name| numbers(&expected[*name])).collect();
    let zero = ZERO * largest(&all.concat());
    let mut start = 0;
    for (name, expected) in names.iter().zip(all) {
        let given = &given[start..start + expected.len()];
        start += expected.len();
        if largest(&expected) > zero {
            close(name, given, &expected);
        } else {
            assert!(given.iter().all(|g| g.abs() <= zero), "{name}: {given:?} instead of 0");
        }
    }
    assert_eq!(start, given.len());
}

/// Runs a test on the stack of a main thread, which is larger than that of a test.
pub fn on_a_main_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(test);
    thread.expect("a thread").join().expect("no failure in the thread");
}

/// Numbers without a pattern, one for each of the tree: a direction to differentiate in.
pub fn direction<P: Differentiable<Scalar = f64>>(tree: &P) -> P::Tangent {
    let mut direction = tree.zero_tangent();
    let mut k = 0.0;
    direction.map_leaves(&mut |data| {
        for x in data {
            k += 1.0;
            *x = (1.7_f64 * k * k).sin();
        }
    });
    direction
}

/// A tangent as a file lists it.
pub fn listed<P: Differentiable<Scalar = f64>>(tree: &P, names: &[&str], json: &Json) -> P::Tangent {
    let mut tangent = tree.zero_tangent();
    let all: Vec<f64> = names.iter().flat_map(|name| numbers(&json[*name])).collect();
    assert_eq!(all.len(), tree.flat_len());
    tangent.copy_from_flat(&all);
    tangent
}

/// The Hessian of `f(p, others…)` times a direction is that of `hvp.json`. Its product with the direction is the slope
/// of the slope, which central differences of `jvp` give.
macro_rules! assert_curves {
    ($f:ident $(::<$($generic:tt),*>)?, $names:expr, $case:expr, $p:expr $(, $other:expr)*) => {{
        let (p, file) = ($p, &$crate::check::read("hvp")["cases"][$case]);
        let direction = $crate::check::listed(p, $names, &file["direction"]);
        let product = $crate::check::flat(&$f $(::<$($generic),*>)? ::hvp(p $(, $other)*, &direction));
        $crate::check::same_gradient(&product, $names, &file["hvp"]);
        let slope = |by: f64| {
            let mut moved = p.clone();
            moved.add_scaled(by, &direction);
            $f $(::<$($generic),*>)? ::jvp(&moved $(, $other)*, &direction).1
        };
        let along: f64 = product.iter().zip($crate::check::flat(&direction)).map(|(h, d)| h * d).sum();
        let differences = (slope(1e-5) - slope(-1e-5)) / 2e-5;
        assert!((along - differences).abs() <= 1e-5 * along.abs(), "{along:e} and by differences {differences:e}");
    }};
}

pub(crate) use assert_curves;

/// The derivative in a direction, by forward mode, is the inner product with the gradient.
#[track_caller]
pub fn same_slope(slope: f64, gradient: &[f64], direction: &[f64]) {
    assert_eq!(gradient.len(), direction.len());
    let terms = gradient.iter().zip(direction).map(|(g, d)| g * d);
    let (sum, scale) = terms.fold((0.0, 0.0), |(sum, scale), term| (sum + term, scale + term.abs()));
    assert!((slope - sum).abs() <= TOLERANCE * scale && scale > 0.0, "forward {slope:e}, reverse {sum:e}");
}

/// Loss and gradient of `f(p, others…)` are those of the file, whichever of the generated functions gives them.
macro_rules! assert_agrees {
    ($f:ident $(::<$($generic:tt),*>)?, $names:expr, $file:expr, $p:expr $(, $other:expr)*) => {{
        let (p, file) = ($p, &$file);
        let expected = file["loss"].as_f64().expect("a loss");
        $crate::check::close("loss", &[$f $(::<$($generic),*>)?(p $(, $other)*)], &[expected]);
        let (loss, gradient) = $f $(::<$($generic),*>)? ::value_and_grad(p $(, $other)*);
        $crate::check::close("loss", &[loss], &[expected]);
        let gradient = $crate::check::flat(&gradient);
        $crate::check::same_gradient(&gradient, $names, &file["grads"]);
        let (loss, pullback) = $f $(::<$($generic),*>)? ::vjp(p $(, $other)*);
        $crate::check::close("loss", &[loss], &[expected]);
        $crate::check::same_gradient(&$crate::check::flat(&pullback(1.0)), $names, &file["grads"]);
        let direction = $crate::check::direction(p);
        let (loss, slope) = $f $(::<$($generic),*>)? ::jvp(p $(, $other)*, &direction);
        $crate::check::close("loss", &[loss], &[expected]);
        $crate::check::same_slope(slope, &gradient, &$crate::check::flat(&direction));
    }};
}

pub(crate) use assert_agrees;

/// A case of `full_size_checksums.json`, which has formulas for the inputs and sums over the gradients.
pub struct Full(Json);

impl Full {
    pub fn read(case: &str) -> Full {
        Full(read("full_size_checksums")["cases"][case].clone())
    }

    pub fn loss(&self) -> f64 {
        self.0["loss"].as_f64().expect("a loss")
    }

    /// The numbers of a tensor: tensor `k` of the case has at `i` the value
    /// `((7919 i + 104729 k) mod 10007 / 10007 − ½) · 2 · scale`; scales of norms are around 1.
    pub fn fill(&self, name: &str, data: &mut [f64]) {
        let order = self.0["order"].as_array().expect("an order");
        let k = order.iter().position(|other| other == name).expect(name);
        let scale = self.0["scale"][name].as_f64().expect(name);
        let offset = if matches!(name, "ln1g" | "ln2g") { 1.0 } else { 0.0 };
        for (i, x) in data.iter_mut().enumerate() {
            let step = (i * 7919 + k * 104_729) % 10_007;
            *x = (step as f64 / 10_007.0 - 0.5) * 2.0 * scale + offset;
        }
    }

    pub fn fill_all(&self, tree: &mut impl Differentiable<Scalar = f64>) {
        tree.visit_leaves_mut(&autodiff::Path::ROOT, &mut |at, _, data| self.fill(&at.to_string(), data));
    }

    #[track_caller]
    pub fn same_gradient(&self, gradient: &impl Differentiable<Scalar = f64>) {
        let zero = ZERO * largest(&flat(gradient));
        gradient.visit_leaves(&autodiff::Path::ROOT, &mut |at, _, g| {
            let expected = &self.0["grads"][at.to_string()];
            let expected = |what: &str| expected[what].as_f64().expect(what);
            let abs_sum: f64 = g.iter().map(|g| g.abs()).sum();
            if expected("abs_sum") <= zero * g.len() as f64 {
                assert!(g.iter().all(|g| g.abs() <= zero), "{at}: {g:?} instead of 0");
                return;
            }
            let l2 = g.iter().map(|g| g * g).sum::<f64>().sqrt();
            close(&format!("{at}: sizes"), &[abs_sum, l2], &[expected("abs_sum"), expected("l2")]);
            // A sum may cancel.
            let error = g.iter().sum::<f64>() - expected("sum");
            assert!(error.abs() <= TOLERANCE * abs_sum, "{at}: a sum is off by {error:e}");
            let some = [g[0], g[g.len() / 2], g[g.len() - 1]];
            for (given, what) in some.into_iter().zip(["first", "mid", "last"]) {
                assert!((given - expected(what)).abs() <= TOLERANCE * largest(g), "{at}: {what} is {given:e}");
            }
        });
    }
}
