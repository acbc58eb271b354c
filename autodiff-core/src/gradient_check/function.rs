//! What `check_grads!` does with a function: all its derivatives against differences of its values.

use super::{Report, Tolerance, central_difference, compare, refined};
use crate::{Differentiable, Real};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;

/// A derivative along a vector: of tangents of the arguments, or of cotangents of the result.
type Along<'f> = dyn Fn(&[f64], &[f64]) -> Vec<f64> + 'f;

/// A function of numbers in a row, with its derivatives.
pub struct Checked<'f> {
    /// What messages call it.
    pub name: &'f str,
    /// The arguments with a derivative, and how many numbers they have.
    pub arguments: &'f [(&'f str, usize)],
    /// Which numbers of the arguments there are: see [`present`].
    pub present: Vec<bool>,
    /// The same of the result.
    pub present_in_result: Vec<bool>,
    /// Which numbers of the arguments are changes of rotations: see [`curved`].
    pub curved: Vec<bool>,
    /// The numbers of the result.
    pub value: &'f dyn Fn(&[f64]) -> Vec<f64>,
    /// The tangent of the result.
    pub jvp: &'f Along<'f>,
    /// The cotangents of the arguments.
    pub vjp: &'f Along<'f>,
    /// Where there are second derivatives: of a function whose result is a number.
    pub hvp: Option<&'f Along<'f>>,
    /// How far a derivative may be from the difference.
    pub tolerance: Tolerance,
}

impl Checked<'_> {
    /// Panics, if a derivative is not what differences say.
    #[track_caller]
    pub fn check(&self, at: &[f64]) {
        let is_compared = at.is_empty() || self.present.contains(&true);
        assert!(
            is_compared,
            "there is nothing to compare: the arguments of `{}` have no numbers, pass values that have some",
            self.name
        );
        let mut point = at.to_vec();
        let weights: Vec<f64> = masked((0..(self.value)(at).len()).map(weight), &self.present_in_result);
        let weighted = |at: &[f64]| inner(&weights, &(self.value)(at));
        let mut expected = vec![0.0; at.len()];
        central_difference(weighted, &mut point, &mut expected);
        let mut problems = String::new();

        let reverse = masked((self.vjp)(at, &weights), &self.present);
        self.report(&compare(&reverse, &expected, self.tolerance), "vjp", &mut problems);
        let along = |k| inner(&weights, &(self.jvp)(at, &unit(at.len(), k)));
        let forward = masked((0..at.len()).map(along), &self.present);
        self.report(&compare(&forward, &expected, self.tolerance), "jvp", &mut problems);
        if let Some(hvp) = self.hvp {
            let direction = masked((0..at.len()).map(weight), &self.present);
            let along = |at: &[f64]| inner(&direction, &(self.vjp)(at, &[1.0]));
            let mut expected = vec![0.0; at.len()];
            central_difference(along, &mut point, &mut expected);
            let mut product = masked(hvp(at, &direction), &self.present);
            if let Some(first) = self.curved.iter().position(|is| *is) {
                self.contract(&direction, (&mut product, &mut expected), first, at);
            }
            self.report(&compare(&product, &expected, self.tolerance), "hvp", &mut problems);
        }
        assert!(problems.is_empty(), "the derivatives of `{}` are not those of its values{problems}", self.name);
    }

    /// Gradients at two rotations are by changes of either, so that their difference is not the Hessian's row. All numbers of
    /// rotations are replaced by their product with the direction, which is compared with second differences of values.
    fn contract(&self, direction: &[f64], (row, expected): (&mut [f64], &mut [f64]), first: usize, at: &[f64]) {
        let of_curved: Vec<f64> = masked(direction.iter().copied(), &self.curved);
        let product = inner(&of_curved, row);
        for (k, _) in self.curved.iter().enumerate().filter(|(_, is)| **is) {
            (row[k], expected[k]) = (0.0, 0.0);
        }
        let mut value = |s: f64, t: f64| {
            let moved = at.iter().zip(&of_curved).zip(direction).map(|((x, u), v)| x + s * u + t * v);
            (self.value)(&moved.collect::<Vec<f64>>())[0]
        };
        (row[first], expected[first]) = (product, mixed_difference(&mut value));
    }

    fn report(&self, report: &Report, by: &str, problems: &mut String) {
        if report.agrees() {
            return;
        }
        let _ = write!(problems, "\n  by `{by}`, {} of {}:", report.failed, report.compared);
        for mismatch in report.mismatches() {
            let _ = write!(problems, "\n    {}: {mismatch}", self.named(mismatch.index));
        }
    }

    /// `x[3]`
    fn named(&self, index: usize) -> String {
        let (mut place, mut before) = (String::new(), 0);
        for (name, count) in self.arguments {
            if let Some(own) = index.checked_sub(before).filter(|own| own < count) {
                let _ = if *count == 1 { write!(place, "{name}") } else { write!(place, "{name}[{own}]") };
            }
            before += count;
        }
        place
    }
}

/// The derivative of `f` by both of its variables at 0, from values near it, to the fourth order of the step.
fn mixed_difference(f: &mut impl FnMut(f64, f64) -> f64) -> f64 {
    let mut quotient = |h: f64| (f(h, h) - f(h, -h) - f(-h, h) + f(-h, -h)) / (4.0 * h * h);
    // A second difference loses as many digits again to rounding as a first one.
    refined(&mut |h| (4.0 * quotient(h) - quotient(2.0 * h)) / 3.0, 4.0).0
}

/// Zeros in the places of numbers that are not there.
fn masked(numbers: impl IntoIterator<Item = f64>, present: &[bool]) -> Vec<f64> {
    numbers.into_iter().zip(present).map(|(x, is_there)| if *is_there { x } else { 0.0 }).collect()
}

/// Numbers of several sizes and signs, the first of which is 1.
fn weight(k: usize) -> f64 {
    let size = 0.5 + Real::fract(0.5 + 0.618_033_988_749_894_9 * k as f64);
    if k % 3 == 1 { -size } else { size }
}

fn unit(count: usize, k: usize) -> Vec<f64> {
    let mut unit = vec![0.0; count];
    unit[k] = 1.0;
    unit
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// What is behind a reference, as a value: a `Vec` for a slice.
pub fn owned<T: ToOwned + ?Sized>(value: &T) -> T::Owned {
    value.to_owned()
}

/// All numbers of a value.
pub fn numbers<X: Differentiable>(value: &X) -> Vec<f64> {
    let mut flat = vec![X::Scalar::ZERO; value.flat_len()];
    value.copy_to_flat(&mut flat);
    flat.into_iter().map(Real::to_f64).collect()
}

/// A value with other numbers, which are taken from the front of a row.
pub fn with_numbers<X: Differentiable>(mut value: X, row: &mut &[f64]) -> X {
    let (own, rest) = row.split_at(value.flat_len());
    *row = rest;
    let flat: Vec<X::Scalar> = own.iter().map(|x| Real::from_f64(*x)).collect();
    value.copy_from_flat(&flat);
    value
}

/// All numbers of a value; those of a rotation are the change that leads from an origin to it.
pub fn numbers_from<X: Differentiable>(value: &X, origin: &X) -> Vec<f64> {
    let mut flat = Vec::new();
    value.visit_from(origin, &mut |data| flat.extend(data.iter().map(|x| x.to_f64())));
    flat
}

/// Which numbers of a value there are: an enum has places for those of all its variants, and a value of it has those of one.
/// `value` and `origin` are the same.
pub fn present<X: Differentiable>(value: X, origin: &X) -> Vec<bool> {
    let before = numbers(origin);
    let moved: Vec<f64> = before.iter().map(|x| if *x == 0.0 || x.is_infinite() { 1.0 } else { 2.0 * x }).collect();
    let after = numbers_from(&with_numbers(value, &mut &moved[..]), origin);
    before.iter().zip(after).map(|(before, after)| *before != after).collect()
}

/// Which numbers of a value are changes of rotations, which are zero wherever it is. `value` and `origin` are the same.
pub fn curved<X: Differentiable>(value: X, origin: &X) -> Vec<bool> {
    let moved: Vec<f64> = numbers(origin).iter().map(|x| if *x == 0.0 { 1.0 } else { *x }).collect();
    let moved = with_numbers(value, &mut &moved[..]);
    let (after, from) = (numbers(&moved), numbers_from(&moved, origin));
    after.iter().zip(from).map(|(after, from)| *after != from).collect()
}

/// What differences can hold, by the numbers of the result.
pub fn tolerance<X: Differentiable>(_: &X) -> Tolerance {
    let is_single = X::Scalar::EPSILON.to_f64() > 1e-10;
    if is_single { Tolerance { relative: 1e-2, absolute: 1e-2 } } else { Tolerance::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `f(x) = x₀²·x₁ + x₁³`, as if its numbers were changes of rotations, with a Hessian of which an element may be wrong.
    fn check_hessian(wrong: f64) {
        let value = |x: &[f64]| vec![x[0] * x[0] * x[1] + x[1] * x[1] * x[1]];
        let gradient = |x: &[f64]| [2.0 * x[0] * x[1], x[0] * x[0] + 3.0 * x[1] * x[1]];
        Checked {
            name: "f",
            arguments: &[("x", 2)],
            present: vec![true; 2],
            present_in_result: vec![true],
            curved: vec![true; 2],
            value: &value,
            jvp: &|x, dot| vec![inner(&gradient(x), dot)],
            vjp: &|x, seed| gradient(x).map(|g| g * seed[0]).to_vec(),
            hvp: Some(&|x, v| {
                let mixed = 2.0 * x[0] + wrong;
                vec![2.0 * x[1] * v[0] + mixed * v[1], mixed * v[0] + 6.0 * x[1] * v[1]]
            }),
            tolerance: Tolerance::default(),
        }
        .check(&[0.7, 1.3]);
    }

    #[test]
    fn second_derivatives_by_rotations() {
        check_hessian(0.0);
    }

    #[test]
    #[should_panic(expected = "by `hvp`")]
    fn wrong_second_derivatives_by_rotations() {
        check_hessian(1e-4);
    }
}
