//! What the reference, `docs/operators.md`, says of an operator. It stands in the operator's own entry of the table,
//! and the registry's test checks it: the shape rule on operands of random sizes, the example as every other body.

/// An entry of the reference.
#[cfg_attr(not(test), expect(dead_code, reason = "the reference is written by a test"))]
pub struct Page {
    /// How it is called: `x.matmul(w)`. Several where an operator has several names.
    pub calls: &'static [&'static str],
    /// What it is, in one sentence. What follows is what holds where there is no derivative, or an extreme.
    pub doc: &'static str,
    /// The operands' shapes and that of the result: `[m, k], [k, n] -> [m, n]`. `a…` are any number of axes, `~a…`
    /// what is stretched to them; a name that stands only on the right is explained behind it.
    pub shape: &'static str,
    /// The derivative of the result `y` as what the operands' cotangents `x̄` are for the result's `ȳ`.
    pub derivative: &'static str,
    /// A function that uses it: what follows its name.
    pub example: &'static str,
}
