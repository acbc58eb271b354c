// Two layers whose parameters are a struct. Bias and activation share the loop that follows the product;
// gradients of the weights are added to their place by the kernel.

#[derive(Differentiable, Clone)]
pub struct Network {
    pub w1: Tensor2<f32, 2, 8>,
    pub b1: Tensor1<f32, 8>,
    pub w2: Tensor2<f32, 8, 1>,
    pub b2: Tensor1<f32, 1>,
}

#[differentiable]
pub fn network(p: &Network, #[no_diff] x: &Tensor2<f32, 4, 2>, #[no_diff] y: &Tensor2<f32, 4, 1>) -> f32 {
    let h = (x.matmul(p.w1) + p.b1).tanh();
    (h.matmul(p.w2) + p.b2).sigmoid().mse(y)
}
