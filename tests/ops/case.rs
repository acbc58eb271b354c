//! A case of the file: its numbers, and what is compared with them.

use autodiff::{Real, Shape, Tensor};
pub(crate) use serde_json::Value as Json;
use std::sync::LazyLock;

/// Relative to the largest number of the array.
const DOUBLE: f64 = 1e-12;
/// The same for cases with large values.
const DOUBLE_LARGE: f64 = 1e-10;
const SINGLE: f64 = 1e-5;

static CASES: LazyLock<Json> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/ops.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect(path)).expect("JSON")
});

/// A case and how exactly it has to be met.
pub(crate) struct Case {
    json: &'static Json,
    tolerance: f64,
    /// How many inputs and tangents have been taken.
    inputs: usize,
    tangents: usize,
}

impl Case {
    pub(crate) fn double(name: &str) -> Case {
        let json = find(name);
        let large = json.get("note").and_then(Json::as_str).is_some_and(|note| note.contains("large values"));
        let tolerance = if large { DOUBLE_LARGE } else { DOUBLE };
        Case { json, tolerance, inputs: 0, tangents: 0 }
    }

    /// Rounding an input to `f32` alone moves its exponential by |x|·ε.
    pub(crate) fn single(name: &str) -> Case {
        let json = find(name);
        let inputs = json["inputs"].as_array().expect("inputs").iter().flat_map(|input| numbers(&input["data"]));
        let largest = inputs.fold(0.0_f64, |max, x| max.max(x.abs()));
        let tolerance = SINGLE.max(largest * f64::from(f32::EPSILON));
        Case { json, tolerance, inputs: 0, tangents: 0 }
    }

    /// The next one.
    pub(crate) fn input<V: Value>(&mut self) -> V {
        self.inputs += 1;
        V::from_flat(&numbers(&self.json["inputs"][self.inputs - 1]["data"]))
    }

    /// That of the next input.
    pub(crate) fn tangent<V: Value>(&mut self) -> V {
        self.tangents += 1;
        V::from_flat(&self.tangent_numbers(self.tangents - 1))
    }

    /// Those of the file, or fixed ones where it has none.
    fn tangent_numbers(&self, k: usize) -> Vec<f64> {
        match &self.json["tangents"] {
            Json::Null => (0..numbers(&self.json["grads"][k]).len()).map(|n| 0.75 - 0.5 * n as f64).collect(),
            tangents => numbers(&tangents[k]),
        }
    }

    pub(crate) fn cotangent<V: Value>(&self) -> V {
        V::from_flat(&numbers(&self.json["cotangent"]))
    }

    /// The value, however it was computed, the tangent of the result, and the gradients.
    #[track_caller]
    pub(crate) fn check<V: Value>(&self, values: [&V; 3], tangent: &V, gradients: &impl Gradients) {
        let expected = numbers(&self.json["output"]["data"]);
        for (value, from) in values.into_iter().zip(["vjp", "jvp", "the function"]) {
            self.same(from, &value.flat(), &expected);
        }
        let gradients = gradients.flat();
        let expected = self.json["grads"].as_array().expect("gradients");
        assert_eq!(gradients.len(), expected.len());
        for (k, (gradient, expected)) in gradients.iter().zip(expected).enumerate() {
            self.same(&format!("gradient {k}"), gradient, &numbers(expected));
        }
        match &self.json["output_tangent"] {
            Json::Null => self.consistent(&tangent.flat()),
            expected => self.same("tangent", &tangent.flat(), &numbers(expected)),
        }
    }

    /// Where forward mode has no numbers of its own it agrees with the pullback: ⟨ȳ, ẏ⟩ = ⟨x̄, ẋ⟩.
    #[track_caller]
    fn consistent(&self, tangent: &[f64]) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let forward = dot(&numbers(&self.json["cotangent"]), tangent);
        let gradients = self.json["grads"].as_array().expect("gradients").iter().enumerate();
        let backward = gradients.map(|(k, gradient)| dot(&numbers(gradient), &self.tangent_numbers(k))).sum();
        self.same("⟨ȳ, ẏ⟩", &[forward], &[backward]);
    }

    #[track_caller]
    fn same(&self, what: &str, given: &[f64], expected: &[f64]) {
        assert_eq!(given.len(), expected.len(), "{what}");
        let scale = expected.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
        for (k, (given, expected)) in given.iter().zip(expected).enumerate() {
            // NaN is never close.
            let close = given == expected || (given - expected).abs() <= self.tolerance * scale;
            assert!(close, "{what}, number {k}: {given:e} instead of {expected:e}");
        }
    }
}

pub(crate) fn all() -> impl Iterator<Item = &'static Json> {
    CASES["cases"].as_array().expect("a list of cases").iter()
}

fn find(name: &str) -> &'static Json {
    all().find(|case| case["name"] == name).unwrap_or_else(|| panic!("no case `{name}`"))
}

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().expect("numbers").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// A scalar or a tensor.
pub(crate) trait Value {
    fn from_flat(data: &[f64]) -> Self;
    fn flat(&self) -> Vec<f64>;
}

macro_rules! scalar {
    ($($float:ident)*) => {$(
        impl Value for $float {
            fn from_flat(data: &[f64]) -> $float {
                assert_eq!(data.len(), 1);
                data[0] as $float
            }
            fn flat(&self) -> Vec<f64> {
                vec![f64::from(*self)]
            }
        }
    )*};
}
scalar! { f32 f64 }

impl<A: Shape> Value for Tensor<A> {
    fn from_flat(data: &[f64]) -> Tensor<A> {
        Tensor::from_slice(&data.iter().map(|x| A::Elem::from_f64(*x)).collect::<Vec<_>>())
    }
    fn flat(&self) -> Vec<f64> {
        self.iter().map(|x| x.to_f64()).collect()
    }
}

/// What a pullback gives: one gradient, or a tuple of them.
pub(crate) trait Gradients {
    fn flat(&self) -> Vec<Vec<f64>>;
}

impl<V: Value> Gradients for V {
    fn flat(&self) -> Vec<Vec<f64>> {
        vec![Value::flat(self)]
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Value),*> Gradients for ($($name,)*) {
            fn flat(&self) -> Vec<Vec<f64>> {
                #[allow(non_snake_case)]
                let ($($name,)*) = self;
                vec![$($name.flat()),*]
            }
        }
    )*};
}
tuples! { (A B) (A B C) (A B C D) }
