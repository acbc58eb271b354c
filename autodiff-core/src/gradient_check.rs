//! A gradient against central differences.
//!
//! `check_grads!` is made of these pieces. They work on flat slices of `f64`, which [`Differentiable::copy_to_flat`]
//! and [`copy_from_flat`](Differentiable::copy_from_flat) give for any parameters.
//!
//! ```
//! use autodiff_core::gradient_check::{Tolerance, central_difference, compare};
//!
//! let f = |x: &[f64]| x[0] * x[0] * x[1];
//! let mut expected = [0.0; 2];
//! central_difference(f, &mut [3.0, 5.0], &mut expected);
//!
//! assert!(compare(&[30.0, 9.0], &expected, Tolerance::default()).agrees());
//! let report = compare(&[30.0, -9.0], &expected, Tolerance::default());
//! assert!(report.to_string().starts_with("1 of 2 derivatives disagree"));
//! ```

#[cfg(feature = "alloc")]
mod function;

#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use function::{Checked, curved, numbers, numbers_from, owned, present, tolerance, with_numbers};

use crate::{Differentiable, Path, Real};
use core::fmt;

/// How far two numbers may be apart: `|a - b| <= absolute + relative·max(|a|, |b|)`.
///
/// ```
/// use autodiff_core::gradient_check::Tolerance;
///
/// let tolerance = Tolerance { relative: 1e-6, absolute: 1e-9 };
/// assert!(tolerance.agree(1e6, 1e6 + 0.5) && tolerance.agree(0.0, 0.0));
/// assert!(!tolerance.agree(1.0, -1.0) && !tolerance.agree(f64::NAN, f64::NAN));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// In proportion to the larger number.
    pub relative: f64,
    /// Whatever the numbers are.
    pub absolute: f64,
}

impl Default for Tolerance {
    /// What central differences of a function in `f64` can hold: 1e-6 relative, 1e-7 absolute.
    fn default() -> Self {
        Tolerance { relative: 1e-6, absolute: 1e-7 }
    }
}

impl Tolerance {
    /// Are the two numbers close enough? Two zeros are, equal infinities are, NaN never is.
    pub fn agree(&self, a: f64, b: f64) -> bool {
        // An infinite difference must not be compared with an infinite allowance.
        a == b || (a - b).is_finite() && Real::abs(a - b) <= self.absolute + self.relative * larger(a, b)
    }
}

fn larger(a: f64, b: f64) -> f64 {
    Real::max(Real::abs(a), Real::abs(b))
}

/// How often a difference is taken anew with a smaller step.
const STEPS: usize = 5;

/// One derivative that is not what it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mismatch {
    /// Which one, counted through all leaves: [`locate`] names it.
    pub index: usize,
    /// What was to be checked.
    pub computed: f64,
    /// What it was checked against.
    pub expected: f64,
}

impl Mismatch {
    /// `|computed - expected|`.
    pub fn absolute_error(&self) -> f64 {
        Real::abs(self.computed - self.expected)
    }

    /// The absolute error in proportion to the larger of the two numbers.
    pub fn relative_error(&self) -> f64 {
        self.absolute_error() / larger(self.computed, self.expected)
    }

    /// A guess at what is wrong, for the report.
    fn hint(&self) -> &'static str {
        let Mismatch { computed, expected, .. } = *self;
        let close = Tolerance { relative: 1e-4, absolute: 0.0 };
        if computed.is_nan() {
            "the derivative is NaN"
        } else if expected.is_nan() {
            "the difference quotient is NaN: is the function defined around this point?"
        } else if computed == 0.0 {
            "a missing term"
        } else if close.agree(computed, -expected) {
            "the wrong sign"
        } else if close.agree(computed, 2.0 * expected) || close.agree(2.0 * computed, expected) {
            "a factor 2"
        } else {
            ""
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { computed, expected, .. } = self;
        write!(f, "{computed:e}, expected {expected:e} (relative error {:.1e})", self.relative_error())?;
        match self.hint() {
            "" => Ok(()),
            hint => write!(f, ": {hint}"),
        }
    }
}

/// The outcome of a comparison. Its `Display` is for people.
///
/// ```
/// use autodiff_core::gradient_check::{Tolerance, compare};
///
/// let report = compare(&[1.0, 4.0, 3.0], &[1.0, 2.0, 3.0], Tolerance::default());
/// assert_eq!(
///     report.to_string(),
///     "1 of 3 derivatives disagree\n  [1]: 4e0, expected 2e0 (relative error 5.0e-1): a factor 2"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// How many derivatives were compared.
    pub compared: usize,
    /// How many of them disagree.
    pub failed: usize,
    first: [Option<Mismatch>; Self::SHOWN],
}

impl Report {
    const SHOWN: usize = 8;

    /// Do all derivatives agree, and was there any?
    pub fn agrees(&self) -> bool {
        self.failed == 0 && self.compared > 0
    }

    /// The first few that disagree.
    pub fn mismatches(&self) -> impl Iterator<Item = &Mismatch> {
        self.first.iter().flatten()
    }

    /// The report with the names of leaves, as `layers.0.w[3]`, instead of flat indices.
    pub fn with_names<'a, P: Differentiable>(&'a self, params: &'a P) -> impl fmt::Display + 'a {
        Named { report: self, params }
    }

    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        name: impl Fn(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
    ) -> fmt::Result {
        match (self.failed, self.compared) {
            (_, 0) => return f.write_str("there are no derivatives to compare"),
            (0, n) => return write!(f, "all {n} derivatives agree"),
            (failed, n) => write!(f, "{failed} of {n} derivatives disagree")?,
        }
        for mismatch in self.mismatches() {
            f.write_str("\n  ")?;
            name(f, mismatch.index)?;
            write!(f, ": {mismatch}")?;
        }
        let more = self.failed.saturating_sub(Self::SHOWN);
        if more > 0 { write!(f, "\n  and {more} more") } else { Ok(()) }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |f, index| write!(f, "[{index}]"))
    }
}

struct Named<'a, P> {
    report: &'a Report,
    params: &'a P,
}

impl<P: Differentiable> fmt::Display for Named<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.write(f, |f, index| {
            let mut result = Ok(());
            locate(self.params, index, |path, i| {
                result = write!(f, "{path}[{i}]");
            });
            result
        })
    }
}

/// Calls `f` with the path of the leaf that holds number `index` of `params`, and its index in there.
///
/// ```
/// use autodiff_core::gradient_check::locate;
/// let params = ([1.0, 2.0], [3.0, 4.0, 5.0]);
/// locate(&params, 3, |path, i| assert_eq!((path.to_string().as_str(), i), ("1", 1)));
/// ```
pub fn locate<P: Differentiable>(params: &P, index: usize, f: impl FnOnce(&Path<'_>, usize)) {
    let (mut before, mut f) = (0, Some(f));
    params.visit_leaves(&Path::ROOT, &mut |path, _, data| {
        if let Some(i) = index.checked_sub(before).filter(|i| *i < data.len())
            && let Some(f) = f.take()
        {
            f(path, i);
        }
        before += data.len();
    });
}

/// Compares derivatives one by one.
///
/// # Panics
///
/// When the slices differ in length.
#[track_caller]
pub fn compare(computed: &[f64], expected: &[f64], tolerance: Tolerance) -> Report {
    let (n, m) = (computed.len(), expected.len());
    assert!(n == m, "{n} derivatives cannot be compared with {m}");
    let mut report = Report { compared: n, failed: 0, first: [None; Report::SHOWN] };
    for (index, (&computed, &expected)) in computed.iter().zip(expected).enumerate() {
        if !tolerance.agree(computed, expected) {
            if let Some(place) = report.first.get_mut(report.failed) {
                *place = Some(Mismatch { index, computed, expected });
            }
            report.failed += 1;
        }
    }
    report
}

/// Writes the gradient of `f` at `x` into `gradient`, by differences of fourth order:
///
/// ```text
/// ∂f/∂xᵢ ≈ (8·(f(xᵢ + h) - f(xᵢ - h)) - (f(xᵢ + 2h) - f(xᵢ - 2h))) / 12h
/// ```
///
/// The step `h` is about 0.001·max(|x|, 1) at first, and gets smaller as long as that makes the differences agree better:
/// functions that change fast need it. Where they do not agree, and `x` is small, `h` is about 0.001·|x|.
///
/// `x` is changed and restored, so that no copy of it is needed.
///
/// # Panics
///
/// When `gradient` and `x` differ in length.
#[track_caller]
pub fn central_difference(mut f: impl FnMut(&[f64]) -> f64, x: &mut [f64], gradient: &mut [f64]) {
    let (n, m) = (x.len(), gradient.len());
    assert!(n == m, "a gradient of {m} numbers cannot be that of {n} variables");
    for (i, derivative) in gradient.iter_mut().enumerate() {
        let center = x[i];
        let mut quotient = |h: f64| {
            let mut at = |step: f64| {
                x[i] = center + step;
                f(x)
            };
            let near = at(h) - at(-h);
            let far = at(2.0 * h) - at(-2.0 * h);
            (8.0 * near - far) / (12.0 * h)
        };
        let size = Real::abs(center);
        let (value, change) = refined(&mut quotient, Real::max(size, 1.0));
        *derivative = value;
        // A saturation current of 1e-12 has a scale of its own, which 0.1 + 0.2 - 0.3 has not.
        let is_settled = change <= 1e-4 * Real::abs(value);
        if size > 0.0 && size < 1.0 && !is_settled {
            let (value, change) = refined(&mut quotient, size);
            if change <= 1e-6 * Real::abs(value) && value != 0.0 {
                *derivative = value;
            }
        }
        x[i] = center;
    }
}

/// The quotient at the step where it changes least, and that change.
fn refined(quotient: &mut impl FnMut(f64) -> f64, scale: f64) -> (f64, f64) {
    // A power of two near ε^⅕·scale, which balances rounding against the error of the formula: adding it is exact or nearly so.
    let mut step = Real::exp2(Real::floor(Real::log2(scale))) / 1024.0;
    let (mut best, mut smallest) = (quotient(step), f64::INFINITY);
    let mut value = best;
    for _ in 0..STEPS {
        step /= 8.0;
        let next = quotient(step);
        // Where the step is too large, a smaller one helps by a factor of 4096. What helps less is rounding.
        let change = Real::abs(next - best);
        if smallest.is_finite() && (change.is_nan() || 8.0 * change >= smallest) {
            break;
        }
        value = best;
        (best, smallest) = (next, change);
        if change <= 1e-9 * larger(best, next) {
            break;
        }
    }
    (value, smallest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    /// sin(x)·y + exp(z/w), and its gradient.
    fn f(x: &[f64]) -> f64 {
        x[0].sin() * x[1] + (x[2] / x[3]).exp()
    }
    const AT: [f64; 4] = [0.7, -300.0, 2.0, 1.5];
    fn gradient() -> [f64; 4] {
        let [x, y, z, w] = AT;
        let e = (z / w).exp();
        [x.cos() * y, x.sin(), e / w, -e * z / (w * w)]
    }

    #[test]
    fn steps_are_as_small_as_the_function_asks_for() {
        let at = |f: fn(f64) -> f64, x: f64| {
            let mut gradient = [0.0];
            central_difference(|x| f(x[0]), &mut [x], &mut gradient);
            gradient[0]
        };
        let agrees = |a: f64, b: f64| assert!((a - b).abs() <= 1e-7 * b.abs(), "{a} is not {b}");
        agrees(at(|x| (1000.0 * x).sin(), 0.3), 1000.0 * 300.0_f64.cos());
        agrees(at(|x| (x - 1e-4).max(0.0).powi(2), 3e-4), 4e-4);
        agrees(at(|x| (x / 1e-3).exp(), 2e-3), 1e3 * 2.0_f64.exp());
        agrees(at(|x| x.sqrt(), 1e-4), 50.0);
        // The logarithm of a current in units that make it small.
        agrees(at(|x| x.max(1e-30).ln(), 1e-12), 1e12);
        // Rounded to `f32`.
        let rounded = at(|x| f64::from((x as f32).sin()), 0.7);
        assert!((rounded - 0.7_f64.cos()).abs() < 1e-3, "{rounded}");
    }

    fn check(change: impl Fn(&mut [f64; 4])) -> Report {
        let (mut x, mut computed, mut expected) = (AT, gradient(), [0.0; 4]);
        change(&mut computed);
        central_difference(f, &mut x, &mut expected);
        assert_eq!(x, AT, "restored");
        compare(&computed, &expected, Tolerance::default())
    }

    #[test]
    fn right_gradients_pass() {
        let report = check(|_| ());
        assert!(report.agrees(), "{report}");
        assert_eq!(report.to_string(), "all 4 derivatives agree");
    }

    #[test]
    fn wrong_gradients_are_caught() {
        for i in 0..4 {
            for (wrong, hint) in [
                ((|x| 2.0 * x) as fn(f64) -> f64, "a factor 2"),
                (|x| x / 2.0, "a factor 2"),
                (|x| -x, "the wrong sign"),
                (|_| 0.0, "a missing term"),
                (|_| f64::NAN, "the derivative is NaN"),
                (|_| f64::INFINITY, ""),
                (|x| x * 1.00001, ""),
            ] {
                let report = check(|g| g[i] = wrong(g[i]));
                assert_eq!(report.mismatches().map(|m| m.index).collect::<std::vec::Vec<_>>(), [i], "{report}");
                assert!(!report.agrees() && report.to_string().ends_with(hint), "{report}");
            }
        }
    }

    #[test]
    fn nan_never_agrees() {
        let nan = [f64::NAN];
        for (a, b) in [(nan, nan), (nan, [0.0]), ([0.0], nan)] {
            assert!(!compare(&a, &b, Tolerance { relative: f64::INFINITY, absolute: f64::INFINITY }).agrees());
        }
        assert!(compare(&[0.0], &[-0.0], Tolerance { relative: 0.0, absolute: 0.0 }).agrees());
        assert!(!compare(&[f64::INFINITY], &[f64::MAX], Tolerance::default()).agrees());
    }

    #[test]
    fn nothing_compared_is_not_agreement() {
        assert!(!compare(&[], &[], Tolerance::default()).agrees());
    }

    #[test]
    fn report_of_many_with_names() {
        let report = compare(&[1.0; 12], &[3.0; 12], Tolerance::default());
        assert_eq!(report.mismatches().count(), 8);
        assert!(report.to_string().ends_with("\n  and 4 more"));
        let params = ([[0.0; 2]; 2], ([0.0; 1], [0.0; 7]));
        let named = report.with_names(&params).to_string();
        assert!(named.contains("\n  0[3]: 1e0, expected 3e0 (relative error 6.7e-1)\n  1.0[0]: "), "{named}");
    }
}
