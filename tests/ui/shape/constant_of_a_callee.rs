use autodiff::prelude::*;

mod model {
    use autodiff::prelude::*;

    const WIDTH: usize = 3;

    #[derive(Differentiable)]
    pub struct Layer {
        pub w: Tensor1<f64, WIDTH>,
    }
}

#[differentiable]
fn f(layer: &model::Layer, x: &Tensor1<f64, 4>) -> f64 {
    (layer.w * x).sum()
}

fn main() {}
