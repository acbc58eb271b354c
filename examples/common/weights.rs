//! Parameters: at the start, and in files.

use autodiff::{Differentiable, Path};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::error::Error;
use std::path;

/// Weights after He et al., 2015: uniform, of variance 2 / inputs. The weights of a layer are `[inputs, outputs]`, those
/// of a convolution `[outputs, channels, height, width]`; biases stay as they are.
pub fn start(params: &mut impl Differentiable<Scalar = f32>, rng: &mut ChaCha8Rng) {
    params.visit_leaves_mut(&Path::ROOT, &mut |_, dims, data| {
        let inputs = match dims {
            [inputs, _] => *inputs,
            [_, window @ ..] if window.len() > 1 => window.iter().product(),
            _ => return,
        };
        let bound = (6.0 / inputs as f32).sqrt();
        data.fill_with(|| rng.random_range(-bound..bound));
    });
}

/// Every leaf of the parameters becomes a tensor with the leaf's name and shape.
pub fn save(params: &impl Differentiable<Scalar = f32>, file: &path::Path) -> Result<(), Box<dyn Error>> {
    let mut leaves = Vec::new();
    params.visit_leaves(&Path::ROOT, &mut |at, dims, data| {
        let bytes: Vec<u8> = data.iter().flat_map(|x| x.to_le_bytes()).collect();
        leaves.push((at.to_string(), dims.to_vec(), bytes));
    });
    let views = leaves
        .iter()
        .map(|(name, dims, bytes)| TensorView::new(Dtype::F32, dims.clone(), bytes).map(|view| (name, view)));
    let views: Vec<_> = views.collect::<Result<_, _>>()?;
    safetensors::serialize_to_file(views, None, file)?;
    Ok(())
}

/// The reverse of [`save`]; a file with other names, shapes or numbers is an error.
pub fn load(params: &mut impl Differentiable<Scalar = f32>, file: &path::Path) -> Result<(), Box<dyn Error>> {
    let bytes = std::fs::read(file)?;
    let file = SafeTensors::deserialize(&bytes)?;
    let mut result = Ok(());
    params.visit_leaves_mut(&Path::ROOT, &mut |at, dims, data| {
        let mut read = || -> Result<(), Box<dyn Error>> {
            let tensor = file.tensor(&at.to_string())?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != dims {
                let (dtype, shape) = (tensor.dtype(), tensor.shape());
                return Err(format!("{at} is {dtype:?} of {shape:?}, not F32 of {dims:?}").into());
            }
            for (x, bytes) in data.iter_mut().zip(tensor.data().as_chunks().0) {
                *x = f32::from_le_bytes(*bytes);
            }
            Ok(())
        };
        if result.is_ok() {
            result = read();
        }
    });
    result
}
