// An element-wise chain with its broadcasts and its sum: one loop nest forward, one forward and reverse
// together, no temporary arrays.

#[differentiable]
pub fn chain(a: &Tensor2<f64, 4, 3>, b: &Tensor1<f64, 3>, c: &Tensor2<f64, 4, 1>) -> f64 {
    (a * b + c).sum()
}
