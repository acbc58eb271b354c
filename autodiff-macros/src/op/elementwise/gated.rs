//! Activations of the form `x · g(x)`, as two rows: see [`gates`](crate::pass::gates).

use super::activation::{GELU_CUBIC, GELU_RATE, normal_density};
use super::arithmetic::bounded;
use super::{gelu, gelu_tanh, numbers, sigmoid, silu};
use crate::op::expr::{E, FLAT, IntoPartial};
use crate::op::{Row, RowKind, Spelling};
use std::f64::consts::FRAC_1_SQRT_2;

elementwise! {
    Function;
    /// The normal distribution.
    normal_cdf(x), in -3.0..3.0 => y = 0.5 * (1.0 + numbers::erf(x * FRAC_1_SQRT_2)); dx: normal_density(bounded(x, 40.0));
    /// The normal distribution, approximated by tanh.
    normal_cdf_tanh(x), series As(|args| gate_angle(args[0]).sigmoid()), in -3.0..3.0 => y = 0.5 * (1.0 + (GELU_RATE * (x + GELU_CUBIC * x * x * x)).tanh());
        dx: 2.0 * y * (1.0 - y) * inner_slope(bounded(x, 40.0));
}

/// The products of `x` and a gate, which follow from the gate. They say all of the derivative by `x`, and so none by the gate.
pub mod products {
    use super::{E, FLAT, IntoPartial, Row, RowKind, Spelling, bounded, inner_slope, normal_density};

    elementwise! {
        Arithmetic;
        /// x · Φ(x).
        gelu_of(x, gate) as Spelling::Infix("*"), in -3.0..3.0 => y = x * gate; dx: gate + normal_slope(x), dgate: FLAT;
        /// GELU by tanh.
        gelu_tanh_of(x, gate) as Spelling::Infix("*"), in -3.0..3.0 => y = x * gate; dx: gate + tanh_slope(x, gate), dgate: FLAT;
        /// x · sigmoid(x).
        silu_of(x, gate) as Spelling::Infix("*"), in -3.0..3.0 => y = x * gate;
            dx: gate + bounded(x, 800.0) * (gate * (1.0 - gate)), dgate: FLAT;
    }

    fn normal_slope(x: E) -> E {
        let x = bounded(x, 40.0);
        x * normal_density(x)
    }

    fn tanh_slope<'s>(x: E<'s>, gate: E<'s>) -> E<'s> {
        let x = bounded(x, 40.0);
        x * (2.0 * gate * (1.0 - gate) * inner_slope(x))
    }
}

/// The number whose sigmoid is (1 + tanh(√(2/π)(x + 0.044715x³))) / 2.
fn gate_angle(x: E) -> E {
    2.0 * GELU_RATE * (x + GELU_CUBIC * x * x * x)
}

/// The derivative of √(2/π)(x + 0.044715x³).
fn inner_slope(x: E) -> E {
    GELU_RATE * (1.0 + 3.0 * GELU_CUBIC * x * x)
}

/// The gate of an activation, and the product.
pub fn gate(row: &'static Row) -> Option<(&'static Row, &'static Row)> {
    let all: [(&Row, &Row, &Row); 3] = [
        (&gelu, &normal_cdf, &products::gelu_of),
        (&gelu_tanh, &normal_cdf_tanh, &products::gelu_tanh_of),
        (&silu, &sigmoid, &products::silu_of),
    ];
    all.into_iter().find(|(activation, ..)| std::ptr::eq(*activation, row)).map(|(_, gate, product)| (gate, product))
}
