// Softmax cross-entropy over the rows. The maximum is subtracted first and carries no derivative.

#[differentiable]
pub fn cross_entropy<const B: usize>(logits: &Tensor2<f64, B, 10>, labels: &[usize; B]) -> f64 {
    logits.cross_entropy(labels)
}
