//! Networks against PyTorch in double precision: output, loss and every gradient, forward and reverse.
//! Of W2 and W6 also Hessian-vector products: `data/nn/hvp.py` has computed them.
//! Weights of layers are `[out, in]`; a layer is x·Wᵀ + b.

mod check;
mod cnn;
#[path = "../common/mod.rs"]
mod common;
mod convolution;
mod perceptron;
mod pooling;
mod recurrent;
mod training;
mod transformer;
