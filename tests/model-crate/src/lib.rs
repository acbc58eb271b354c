//! A library of models, as another crate would publish it: for the tests of the relay.
//!
//! Its shapes are written with constants, `IN` and `HID`, that mean something else in the crate that uses it.

use autodiff::prelude::*;

/// The width of the input.
pub const IN: usize = 3;
/// The width of the hidden layer.
pub const HID: usize = 4;

/// An affine layer of any size and precision.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Affine<T: Real, const I: usize, const O: usize> {
    /// The weights.
    pub w: Tensor2<T, I, O>,
    /// The bias.
    pub b: Tensor1<T, O>,
}

/// Two layers: a struct of generic structs, with sizes by name.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Net {
    /// From the input to the hidden layer.
    pub hidden: Affine<f64, IN, HID>,
    /// From the hidden layer to the output.
    pub output: Affine<f64, HID, 1>,
}

/// A number and its square, as a result.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Powers(pub f64, pub f64);

/// `x·w + b`
#[differentiable(order = 2)]
pub fn affine<T: Real, const B: usize, const I: usize, const O: usize>(
    layer: &Affine<T, I, O>,
    x: &Tensor2<T, B, I>,
) -> Tensor2<T, B, O> {
    x.matmul(layer.w) + layer.b
}

/// The network, for a batch of any size.
///
/// ```
/// use autodiff::prelude::*;
/// use model_crate::{Affine, Net, predict};
///
/// #[differentiable(order = 2)]
/// fn total(net: &Net, #[no_diff] x: &Tensor2<f64, 2, 3>) -> f64 {
///     predict(net, x).sum()
/// }
///
/// let net = Net {
///     hidden: Affine { w: Tensor2::zeros(), b: Tensor1::zeros() },
///     output: Affine { w: Tensor2::ones(), b: Tensor1::zeros() },
/// };
/// assert_eq!(total::grad(&net, &Tensor2::ones()).output.b, Tensor1::from([2.0]));
/// ```
#[differentiable(order = 2)]
pub fn predict<const B: usize>(net: &Net, #[no_diff] x: &Tensor2<f64, B, IN>) -> Tensor2<f64, B, 1> {
    let h = affine(&net.hidden, x).tanh();
    affine(&net.output, h)
}

/// `x²`
#[differentiable(order = 2)]
pub fn square(x: f64) -> f64 {
    x * x
}

/// `(x, x²)` as a struct.
#[differentiable(order = 2)]
pub fn powers(x: f64) -> Powers {
    Powers(x, x * x)
}

/// The square of the sum of [`IN`] numbers.
#[differentiable(order = 2)]
pub fn sum_squared(x: &[f64; IN]) -> f64 {
    let mut s = 0.0;
    for i in 0..IN {
        s += x[i];
    }
    s * s
}

/// Items further down the module tree.
pub mod deep {
    /// And further.
    pub mod down {
        use autodiff::prelude::*;

        /// `x³`
        #[differentiable(order = 2)]
        pub fn cube(x: f64) -> f64 {
            x * x * x
        }
    }
}

pub use deep::down::cube as third_power;
pub use square as second_power;

/// A weight on a rod.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Pendulum {
    /// Of the rod.
    pub length: f64,
    /// Of the weight.
    pub mass: f64,
}

#[differentiable(order = 2)]
impl Pendulum {
    const GRAVITY: f64 = 9.81;

    /// What it has at an angle and an angular velocity.
    pub fn energy(&self, angle: f64, velocity: f64) -> f64 {
        let v = self.length * velocity;
        self.mass * (0.5 * v * v - Self::GRAVITY * self.length * angle.cos())
    }
}

/// A layer of a network, whichever it is.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub enum Activation {
    /// A slope on each side of zero.
    Leaky {
        /// Below zero.
        below: f64,
        /// For each input.
        scale: Tensor1<f64, IN>,
    },
    /// An affine layer of [`IN`] inputs.
    Affine(Affine<f64, IN, IN>),
    /// None.
    Linear,
}

/// The activation of some inputs.
#[differentiable(order = 2)]
pub fn activate(by: &Activation, x: &Tensor1<f64, IN>) -> Tensor1<f64, IN> {
    match by {
        Activation::Leaky { below, scale } => x.leaky_relu(*below) * scale,
        Activation::Affine(layer) => x.matmul(layer.w) + layer.b,
        Activation::Linear => x.clone(),
    }
}

/// Simpson's rule on `[a, b]`, for whoever's function.
#[differentiable(order = 2)]
pub fn simpson<F: Callable<(f64,), Output = f64>>(a: f64, b: f64) -> f64 {
    (b - a) / 6.0 * (F::call(a) + 4.0 * F::call(0.5 * (a + b)) + F::call(b))
}

/// Types with methods.
pub mod parts {
    use autodiff::prelude::*;

    /// A link of an arm.
    #[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
    pub struct Link {
        /// In metres.
        pub length: f64,
        /// In radians.
        pub angle: f64,
    }

    #[differentiable(order = 2)]
    impl Link {
        /// A link that points somewhere.
        pub fn new(length: f64, angle: f64) -> Link {
            Link { length, angle }
        }
        /// How far it reaches.
        pub fn reach(&self) -> f64 {
            self.length * self.angle.cos()
        }
        /// Turns it.
        pub fn bend(&mut self, by: f64) {
            self.angle += by;
        }
    }
}

pub use parts::Link;
