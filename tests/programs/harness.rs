//! One function through everything that is generated for it.
//!
//! `check!(f(&x, y, n) by x, y)` calls `f` with the variables of the test, of which `x` and `y` are those it is
//! differentiated by; `by x = 2.0` defines one first, and `by [x, y]` is for several with a slice among them. The value is compared with that of the function itself,
//! which rustc compiles as it stands; the gradient with differences, and with forward mode; the second derivative with
//! differences of the gradient. What comes out is kept, so that two programs can be compared ([`twins`]), and its bits
//! are printed, so that `.ci/run` can compare those of debug and release.

use autodiff::Differentiable;

/// Everything that was computed.
pub type Outcome = Vec<f64>;

/// The functions that belong to one, over flat points.
pub struct Program<'a> {
    pub name: &'a str,
    pub value: &'a dyn Fn(&[f64]) -> f64,
    pub value_and_grad: &'a dyn Fn(&[f64]) -> (f64, Vec<f64>),
    pub grad: &'a dyn Fn(&[f64]) -> Vec<f64>,
    /// With a gradient to start from.
    pub accumulate_grad: &'a dyn Fn(&[f64], &[f64]) -> (f64, Vec<f64>),
    /// With what is there before.
    pub value_and_grad_into: &'a dyn Fn(&[f64], f64) -> (f64, Vec<f64>),
    /// With the two seeds of one pullback.
    pub vjp: &'a dyn Fn(&[f64], [f64; 2]) -> (f64, [Vec<f64>; 2]),
    pub jvp: &'a dyn Fn(&[f64], &[f64]) -> (f64, f64),
    pub hvp: &'a dyn Fn(&[f64], &[f64]) -> Vec<f64>,
}

/// Far from a kink, differences of double precision agree to this, relative to the largest number around.
const DIFFERENCES: f64 = 1e-6;
/// Two ways to compute the same thing.
const ROUNDING: f64 = 1e-11;
const STEP: f64 = 1e-5;

/// NaN agrees with nothing, and neither does infinity.
fn agree(a: f64, b: f64, tolerance: f64, scale: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()).max(scale))
}

impl Program<'_> {
    #[track_caller]
    pub fn check(&self, at: &[f64]) -> Outcome {
        let name = self.name;
        let (value, gradient) = (self.value_and_grad)(at);
        let plain = (self.value)(at);
        assert!(agree(value, plain, ROUNDING, 0.0), "{name}{at:?}: {value} instead of {plain}");
        let scale = gradient.iter().fold(value.abs(), |most, g| most.max(g.abs()));
        let rounded = |a: &[f64], b: &[f64], what: &str| {
            assert_eq!(a.len(), b.len(), "{name}: {what}");
            for (k, (a, b)) in a.iter().zip(b).enumerate() {
                assert!(
                    agree(*a, *b, ROUNDING, scale),
                    "{name}{at:?}: number {k}: {a} by {what}, {b} by `value_and_grad`"
                );
            }
        };
        rounded(&(self.grad)(at), &gradient, "`grad`");
        let (_, into) = (self.value_and_grad_into)(at, f64::NAN);
        rounded(&into, &gradient, "`value_and_grad_into`");
        let start: Vec<f64> = (0..at.len()).map(|k| 0.5 - k as f64).collect();
        let (again, sum) = (self.accumulate_grad)(at, &start);
        rounded(&[again], &[value], "`accumulate_grad`");
        rounded(&minus(&sum, &start), &gradient, "`accumulate_grad`");
        let (again, [once, twice]) = (self.vjp)(at, [1.0, -2.0]);
        rounded(&[again], &[value], "`vjp`");
        rounded(&once, &gradient, "the pullback");
        rounded(&twice.iter().map(|g| g / -2.0).collect::<Vec<_>>(), &gradient, "the second pullback");

        let mut outcome = vec![value];
        outcome.extend(&gradient);
        let mut hessian = Vec::new();
        for k in 0..at.len() {
            let difference = (self.value_at(at, k, STEP) - self.value_at(at, k, -STEP)) / (2.0 * STEP);
            let g = gradient[k];
            assert!(
                agree(g, difference, DIFFERENCES, value.abs()),
                "{name}{at:?}: number {k}: {g} by `grad`, {difference} by differences"
            );
            let unit: Vec<f64> = (0..at.len()).map(|j| f64::from(u8::from(j == k))).collect();
            let (again, dot) = (self.jvp)(at, &unit);
            rounded(&[again], &[value], "`jvp`");
            assert!(agree(dot, g, ROUNDING, scale), "{name}{at:?}: number {k}: {dot} by `jvp`, {g} by `grad`");
            let row = (self.hvp)(at, &unit);
            let slopes = minus(&self.gradient_at(at, k, STEP), &self.gradient_at(at, k, -STEP));
            for (j, slope) in slopes.iter().enumerate() {
                let (h, difference) = (row[j], slope / (2.0 * STEP));
                assert!(
                    agree(h, difference, 10.0 * DIFFERENCES, scale),
                    "{name}{at:?}: [{k}, {j}]: {h} by `hvp`, {difference} by differences"
                );
            }
            outcome.push(dot);
            outcome.extend(&row);
            hessian.push(row);
        }
        for (k, row) in hessian.iter().enumerate() {
            for (j, h) in row.iter().enumerate() {
                assert!(
                    agree(*h, hessian[j][k], 100.0 * ROUNDING, scale),
                    "{name}{at:?}: [{k}, {j}]: {h} and {}",
                    hessian[j][k]
                );
            }
        }
        // One direction through all of them, ⟨g, v⟩ = ẏ.
        let v: Vec<f64> = (0..at.len()).map(|k| 0.7 - 0.3 * k as f64).collect();
        let inner: f64 = v.iter().zip(&gradient).map(|(v, g)| v * g).sum();
        let (_, dot) = (self.jvp)(at, &v);
        assert!(agree(dot, inner, 100.0 * ROUNDING, scale), "{name}{at:?}: {dot} by `jvp`, {inner} by `grad`");

        let folded = outcome
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, x| (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3));
        println!("\nbits {name} {folded:016x}");
        outcome
    }

    fn value_at(&self, at: &[f64], k: usize, by: f64) -> f64 {
        (self.value)(&moved(at, k, by))
    }

    fn gradient_at(&self, at: &[f64], k: usize, by: f64) -> Vec<f64> {
        (self.grad)(&moved(at, k, by))
    }
}

fn moved(at: &[f64], k: usize, by: f64) -> Vec<f64> {
    let mut at = at.to_vec();
    at[k] += by;
    at
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// A loop and the same without it: all numbers are the same, up to the order of sums.
#[track_caller]
pub fn twins(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let scale = a.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert!(agree(*a, *b, ROUNDING, scale), "number {k}: {a} and {b}");
    }
}

pub fn flat<T: Differentiable<Scalar = f64>>(value: &T) -> Vec<f64> {
    let mut flat = vec![0.0; value.flat_len()];
    value.copy_to_flat(&mut flat);
    flat
}

/// `like`, with other numbers.
pub fn at<T: Differentiable<Scalar = f64> + Clone>(like: &T, flat: &[f64]) -> T {
    let mut value = like.clone();
    value.copy_from_flat(flat);
    value
}

pub fn tangent<T: Differentiable<Scalar = f64>>(like: &T, flat: &[f64]) -> T::Tangent {
    let mut tangent = like.zero_tangent();
    tangent.copy_from_flat(flat);
    tangent
}

/// The optimiser must not know the numbers: what it computes at compile time it may round in another way.
pub fn hidden<T: Differentiable<Scalar = f64>>(mut value: T) -> T {
    value.map_leaves(&mut |data| data.iter_mut().for_each(|x| *x = std::hint::black_box(*x)));
    value
}

/// A tangent in the way functions take it: a number by value, all else by reference.
pub struct Pass<'t, T>(pub &'t T);

pub trait ByValue {
    fn pass(&self) -> f64;
}

impl ByValue for Pass<'_, f64> {
    fn pass(&self) -> f64 {
        *self.0
    }
}

pub trait ByReference<'t, T> {
    fn pass(&self) -> &'t T;
}

impl<'t, T> ByReference<'t, T> for &Pass<'t, T> {
    fn pass(&self) -> &'t T {
        self.0
    }
}

macro_rules! check {
    ($f:ident($($arg:expr),* $(,)?) by [$($x:ident $(= $at:expr)?),+ $(,)?]) => {{
        $($(let $x = $at;)?)+
        $crate::harness::check!(@numbered $f, parts, [$($arg),*], [$($x),+])
    }};
    ($f:ident($($arg:expr),* $(,)?) by $($x:ident $(= $at:expr)?),+ $(,)?) => {{
        $($(let $x = $at;)?)+
        $crate::harness::check!(@numbered $f, whole, [$($arg),*], [$($x),+])
    }};
    (@numbered $f:ident, $form:ident, $args:tt, [$a:ident]) => {
        $crate::harness::check!(@ $f, $form, $args, [$a 0])
    };
    (@numbered $f:ident, $form:ident, $args:tt, [$a:ident, $b:ident]) => {
        $crate::harness::check!(@ $f, $form, $args, [$a 0, $b 1])
    };
    (@numbered $f:ident, $form:ident, $args:tt, [$a:ident, $b:ident, $c:ident]) => {
        $crate::harness::check!(@ $f, $form, $args, [$a 0, $b 1, $c 2])
    };
    (@numbered $f:ident, $form:ident, $args:tt, [$a:ident, $b:ident, $c:ident, $d:ident]) => {
        $crate::harness::check!(@ $f, $form, $args, [$a 0, $b 1, $c 2, $d 3])
    };
    (@ $f:ident, $form:ident, [$($arg:expr),*], [$($x:ident $k:tt),+]) => {{
        #[allow(unused_imports)]
        use $crate::harness::{ByReference as _, ByValue as _};
        #[allow(unused_parens)]
        let point = ($(::std::clone::Clone::clone(&$x)),+);
        // With the number of parameters that it has: a tangent of one is no tuple.
        let parts = ($(::std::clone::Clone::clone(&$x),)+);
        let program = $crate::harness::Program {
            name: ::std::stringify!($f),
            value: &|x| $crate::harness::check!(@at x, point, [$($x),+], $f($($arg),*)),
            value_and_grad: &|x| {
                let (y, g) = $crate::harness::check!(@at x, point, [$($x),+], $f::value_and_grad($($arg),*));
                (y, $crate::harness::flat(&g))
            },
            grad: &|x| $crate::harness::flat(&$crate::harness::check!(@at x, point, [$($x),+], $f::grad($($arg),*))),
            accumulate_grad: &|x, start| {
                let mut g = $crate::harness::tangent(&point, start);
                let y = $crate::harness::check!(@$form x, point, [$($x),+], g, $f::accumulate_grad, [$($arg),*]);
                (y, $crate::harness::flat(&g))
            },
            value_and_grad_into: &|x, before| {
                let mut g = $crate::harness::tangent(&point, &::std::vec![before; x.len()]);
                let y = $crate::harness::check!(@$form x, point, [$($x),+], g, $f::value_and_grad_into, [$($arg),*]);
                (y, $crate::harness::flat(&g))
            },
            vjp: &|x, seeds| $crate::harness::check!(@at x, point, [$($x),+], {
                let (y, pullback) = $f::vjp($($arg),*);
                (y, seeds.map(|seed| $crate::harness::flat(&pullback(seed))))
            }),
            jvp: &|x, v| {
                let v = $crate::harness::tangent(&parts, v);
                $crate::harness::check!(@at x, point, [$($x),+], $f::jvp($($arg,)* $((&$crate::harness::Pass(&v.$k)).pass()),+))
            },
            hvp: &|x, v| {
                let v = $crate::harness::tangent(&parts, v);
                $crate::harness::flat(&$crate::harness::check!(@at x, point, [$($x),+], $f::hvp($($arg,)* $((&$crate::harness::Pass(&v.$k)).pass()),+)))
            },
        };
        program.check(&$crate::harness::flat(&point))
    }};
    (@at $flat:ident, $point:ident, [$($x:ident),+], $call:expr) => {{
        #[allow(unused_mut, unused_parens)]
        let ($(mut $x),+) = $crate::harness::hidden($crate::harness::at(&$point, $flat));
        $call
    }};
    (@whole $flat:ident, $point:ident, [$($x:ident),+], $g:ident, $f:path, [$($arg:expr),*]) => {
        $crate::harness::check!(@at $flat, $point, [$($x),+], $f($($arg,)* &mut $g))
    };
    (@parts $flat:ident, $point:ident, [$($x:ident),+], $g:ident, $f:path, [$($arg:expr),*]) => {
        $crate::harness::check!(@at $flat, $point, [$($x),+], {
            let call = |g| $f($($arg,)* g);
            #[allow(unused_parens)]
            let ($($x),+) = &mut $g;
            call(($($x),+))
        })
    };
}

pub(crate) use check;
