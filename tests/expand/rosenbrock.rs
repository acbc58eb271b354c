// A loop over a const generic range. Nothing is kept per iteration: the forward and the reverse of each
// iteration run together.

#[differentiable]
pub fn rosenbrock<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        s += a * a + 100.0 * b * b;
    }
    s
}
