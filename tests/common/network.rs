//! Networks from PyTorch in double precision: parameters, inputs, loss and every gradient.

use autodiff::{Differentiable, Shape, Tensor};
use serde_json::Value as Json;

/// Relative to the largest number of the array.
pub const TOLERANCE: f64 = 1e-10;

/// A file of `tests/data/nn/`.
pub fn read(name: &str) -> Json {
    let path = format!("{}/tests/data/nn/{name}.json", env!("CARGO_MANIFEST_DIR"));
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
    let scale = expected.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
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

/// The gradient as the file lists it, under these names in the order of the leaves.
#[track_caller]
pub fn same_gradient(given: &[f64], names: &[&str], expected: &Json) {
    let mut start = 0;
    for name in names {
        let expected = numbers(&expected[*name]);
        close(name, &given[start..start + expected.len()], &expected);
        start += expected.len();
    }
    assert_eq!(start, given.len());
}
