use autodiff::prelude::*;

#[derive(Differentiable)]
union Bits {
    float: f32,
    integer: u32,
}

fn main() {}
