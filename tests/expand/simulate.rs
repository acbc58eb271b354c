// Snapshots: no array is as long as the loop, which runs as often as the caller says. What is between them is
// computed again.

#[differentiable]
pub fn simulate(x0: f64, #[no_diff] n: usize) -> f64 {
    let mut x = x0;
    #[checkpoint(8)]
    for i in 0..n {
        x = x + 0.01 * x.sin() * (i as f64).cos();
    }
    x
}
