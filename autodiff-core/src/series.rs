//! Truncated Taylor series. Only generated code uses this.
//!
//! Note \[Tails\]. Along `x + t·direction` every number is a series Σ xₖ·tᵏ. Its value x₀ is a plain number, on which loops
//! and branches decide; its *tail* x₁, x₂ … is a wide number whose lane `k` is the coefficient xₖ. Lane 0 is 0 and is not
//! read. Coefficients are normalised: xₖ is the derivative of order `k` divided by `k!`, so that a product is a sum of
//! products without binomials. [`derivatives`] multiplies by `k!` at the end.
//!
//! An operation that is linear does the same to every lane. Any other one is a recurrence of this file: coefficient `k` of the
//! result from those of the arguments up to `k` and those of the result below `k`. Most of them solve a differential equation
//! y′ = p·x′ order by order: if p is a series, then k·yₖ = Σ j·xⱼ·pₖ₋ⱼ over 0 < j ≤ k. So a result costs K² products.

use crate::Real;
use crate::lanes::{Lanes, Wide, WideLeaf};
use core::ops::{Index, IndexMut};

/// A tail: see Note \[Tails\].
pub trait Series<T>: Wide<T> + Index<usize, Output = T> + IndexMut<usize> {}

impl<T: Real, const K: usize> Series<T> for Lanes<T, K> {}

impl<T, const K: usize> Index<usize> for Lanes<T, K> {
    type Output = T;
    #[inline(always)]
    fn index(&self, k: usize) -> &T {
        &self.0[k]
    }
}

impl<T, const K: usize> IndexMut<usize> for Lanes<T, K> {
    #[inline(always)]
    fn index_mut(&mut self, k: usize) -> &mut T {
        &mut self.0[k]
    }
}

/// Coefficient after coefficient, each from those below it.
#[inline(always)]
fn each<T: Real, S: Series<T>>(mut coefficient: impl FnMut(&S, usize) -> T) -> S {
    let mut y = S::ZERO;
    for k in 1..S::LANES {
        y[k] = coefficient(&y, k);
    }
    y
}

/// Σ aⱼ·bₖ₋ⱼ over 0 < j < k.
#[inline(always)]
fn inner<T: Real, S: Series<T>>(a: &S, b: &S, k: usize) -> T {
    let mut sum = T::ZERO;
    for j in 1..k {
        sum += a[j] * b[k - j];
    }
    sum
}

/// Coefficient `k` of ∫ p·x′, where `p` is the value and `tail` the tail of p: p·xₖ + Σ j·xⱼ·pₖ₋ⱼ / k over 0 < j < k.
#[inline(always)]
fn integrated<T: Real, S: Series<T>>(p: T, tail: &S, x: &S, k: usize) -> T {
    let mut sum = T::ZERO;
    for j in 1..k {
        sum += T::from_usize(j) * x[j] * tail[k - j];
    }
    p * x[k] + sum / T::from_usize(k)
}

/// a·b, from the two values and the two tails.
#[inline]
pub fn product<T: Real, S: Series<T>>(a: T, b: T, a_tail: S, b_tail: S) -> S {
    each(|_, k| a * b_tail[k] + a_tail[k] * b + inner(&a_tail, &b_tail, k))
}

/// y = a / b, since a = y·b.
#[inline]
pub fn quotient<T: Real, S: Series<T>>(y: T, b: T, a_tail: S, b_tail: S) -> S {
    each(|tail, k| (a_tail[k] - y * b_tail[k] - inner(tail, &b_tail, k)) / b)
}

/// y′ = p·x′, where p is a series that does not depend on y.
#[inline]
pub fn integral<T: Real, S: Series<T>>(p: T, p_tail: S, x_tail: S) -> S {
    each(|_, k| integrated(p, &p_tail, &x_tail, k))
}

/// y′ = y·x′.
#[inline]
pub fn exponential<T: Real, S: Series<T>>(y: T, x_tail: S) -> S {
    each(|tail, k| integrated(y, tail, &x_tail, k))
}

/// y′ = (a + b·y + c·y²)·x′.
#[inline]
pub fn riccati<T: Real, S: Series<T>>(y: T, a: T, b: T, c: T, x_tail: S) -> S {
    let (p, mut p_tail) = (a + (b + c * y) * y, S::ZERO);
    let slope = b + c * (y + y);
    each(|tail, k| {
        let coefficient = integrated(p, &p_tail, &x_tail, k);
        p_tail[k] = slope * coefficient + c * inner(tail, tail, k);
        coefficient
    })
}

/// y′ = p·x′ with p′ = sign·y·x′: sine and cosine, and the hyperbolic ones.
#[inline]
pub fn wave<T: Real, S: Series<T>>(y: T, p: T, sign: T, x_tail: S) -> S {
    let mut p_tail = S::ZERO;
    each(|tail, k| {
        let coefficient = integrated(p, &p_tail, &x_tail, k);
        p_tail[k] = sign * integrated(y, tail, &x_tail, k);
        coefficient
    })
}

/// y = xᵖ, since x·y′ = p·y·x′.
///
/// That recurrence divides by x. It is accurate where all coefficients are as large as those powers of x, which fails in two
/// cases: of a polynomial the higher ones vanish, and y may be too small or too large to tell anything of them. Then the
/// powers of the tail are added up.
#[inline]
pub fn power<T: Real, S: Series<T>>(x: T, p: T, y: T, x_tail: S) -> S {
    let is_polynomial = p >= T::ZERO && p < T::from_usize(S::LANES) && p == p.trunc();
    if is_polynomial || !y.is_normal() {
        return powers(x, p, x_tail);
    }
    each(|tail: &S, k| {
        let mut sum = T::ZERO;
        for j in 1..k {
            sum += (p * T::from_usize(j) - T::from_usize(k - j)) * x_tail[j] * tail[k - j];
        }
        p * y / x * x_tail[k] + sum / x / T::from_usize(k)
    })
}

/// Σ (p over m)·xᵖ⁻ᵐ·(x₁·t + x₂·t² + …)ᵐ over m > 0.
fn powers<T: Real, S: Series<T>>(x: T, p: T, x_tail: S) -> S {
    let (mut y, mut power, mut binomial) = (S::ZERO, x_tail, p);
    for m in 1..S::LANES {
        if binomial == T::ZERO {
            break;
        }
        let rest = p - T::from_usize(m);
        let factor = binomial * x.powf(rest);
        // The power begins with tᵐ. Before that there is no zero, which an infinite factor would make NaN.
        for k in m..S::LANES {
            y[k] += factor * power[k];
        }
        power = each(|_, k| inner(&power, &x_tail, k));
        binomial = binomial * rest / T::from_usize(m + 1);
    }
    y
}

/// y = √(a² + b²), since y² = a² + b²; 0 at the origin, where there is no derivative.
#[inline]
pub fn hypot<T: Real, S: Series<T>>(a: T, b: T, y: T, a_tail: S, b_tail: S) -> S {
    if y == T::ZERO {
        return S::ZERO;
    }
    let (by_a, by_b) = (a / y, b / y);
    each(|tail, k| {
        let squares = inner(&a_tail, &a_tail, k) + inner(&b_tail, &b_tail, k) - inner(tail, tail, k);
        by_a * a_tail[k] + by_b * b_tail[k] + squares / (y + y)
    })
}

/// Makes derivatives of the coefficients of all numbers of a leaf: `k!` times as large.
#[inline]
pub fn derivatives<T: Real, const K: usize>(leaf: &mut (impl WideLeaf<T, Lanes<T, K>> + ?Sized)) {
    leaf.visit_mut(&mut |tail| {
        let mut factorial = T::ONE;
        for k in 2..K {
            factorial *= T::from_usize(k);
            tail[k] *= factorial;
        }
    });
}

#[cfg(test)]
mod tests;
