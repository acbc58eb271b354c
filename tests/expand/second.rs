// Second derivatives, which a function has if it asks for them.

#[differentiable(order = 2)]
pub fn potential(x: &[f64; 2], w: f64) -> f64 {
    (x[0] * x[0] + w * x[1] * x[1]).sqrt() * x[1].sin()
}
