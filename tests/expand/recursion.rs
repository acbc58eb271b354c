// A function that calls itself keeps nothing of the inner call, whose reverse sweep runs both sweeps.

#[differentiable]
pub fn product(x: &[f64]) -> f64 {
    if x.len() == 1 {
        x[0]
    } else {
        let half = x.len() / 2;
        product(&x[..half]) * product(&x[half..])
    }
}
