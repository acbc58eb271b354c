//! What the yardstick is made of: loops for the CPU's vectors, products by the crate `gemm`, and elementary functions that
//! vectorise. These are less exact than those of `autodiff`: about 10⁻⁷ of the largest value.

/// A function of a body that is inlined, compiled for AVX-512 where the CPU has it, and else as it is.
macro_rules! vectorized {
    ($(#[$doc:meta])* fn $name:ident $([$($generic:tt)*])? ($($arg:ident: $ty:ty),* $(,)?) -> $result:ty = $body:expr;) => {
        $(#[$doc])*
        fn $name $(<$($generic)*>)? ($($arg: $ty),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]
                fn wide $(<$($generic)*>)? ($($arg: $ty),*) -> $result {
                    $body($($arg),*)
                }
                if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
                    // SAFETY: the CPU has the features: what has `avx512bw` has `avx512f` and `fma`.
                    return unsafe { wide($($arg),*) };
                }
            }
            $body($($arg),*)
        }
    };
}
pub(crate) use vectorized;

/// A matrix by rows, or its transpose.
#[derive(Clone, Copy)]
pub struct Matrix<'a> {
    data: &'a [f32],
    rows: usize,
    columns: usize,
    /// From one row to the next, and from one column to the next.
    steps: (usize, usize),
}

impl<'a> Matrix<'a> {
    pub fn new<const R: usize, const C: usize>(data: &'a [[f32; C]; R]) -> Self {
        Matrix { data: data.as_flattened(), rows: R, columns: C, steps: (C, 1) }
    }

    pub fn t(self) -> Self {
        Matrix { rows: self.columns, columns: self.rows, steps: (self.steps.1, self.steps.0), ..self }
    }
}

/// `y = a·b`, or `y += a·b`.
pub fn product<const R: usize, const C: usize>(a: Matrix, b: Matrix, y: &mut [[f32; C]; R], adds: bool) {
    assert!(a.columns == b.rows && a.rows == R && b.columns == C && R * C * a.columns > 0);
    let step = |step: usize| step as isize;
    // SAFETY: the matrices are slices of as many numbers as their rows and columns need, and `y` is borrowed alone.
    unsafe {
        gemm::gemm(
            R,
            C,
            a.columns,
            y.as_flattened_mut().as_mut_ptr(),
            1,
            step(C),
            adds,
            a.data.as_ptr(),
            step(a.steps.1),
            step(a.steps.0),
            b.data.as_ptr(),
            step(b.steps.1),
            step(b.steps.0),
            1.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// `eˣ`: a power of 2 and a polynomial of degree 6.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * std::f32::consts::LOG2_E + 12_582_912.0;
    let n = shifted - 12_582_912.0;
    let r = (x - n * 0.693_359_4) + n * 2.121_944_4e-4;
    let mut p = 1.0 / 720.0;
    for c in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p * r + c;
    }
    p * f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000))
}

#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let e = exp(2.0 * x.clamp(-9.0, 9.0));
    (e - 1.0) / (e + 1.0)
}

#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// GELU and its derivative, which have an exponential in common (the error function by Abramowitz and Stegun, 7.1.26).
#[inline(always)]
pub fn gelu(x: f32) -> (f32, f32) {
    let bell = exp(-0.5 * x * x);
    let t = 1.0 / (1.0 + 0.327_591_1 * std::f32::consts::FRAC_1_SQRT_2 * x.abs());
    let mut p = 1.061_405_4;
    for c in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        p = p * t + c;
    }
    let tail = 0.5 * p * t * bell;
    let cdf = if x < 0.0 { tail } else { 1.0 - tail };
    (x * cdf, cdf + x * 0.398_942_3 * bell)
}

/// The mean cross entropy. Outputs are replaced by their cotangents.
#[inline(always)]
pub fn cross_entropy<const N: usize, const O: usize>(y: &mut [[f32; O]; N], labels: &[usize; N]) -> f32 {
    let mut value = 0.0;
    for (y, label) in y.iter_mut().zip(labels) {
        let max = y.iter().fold(f32::MIN, |max, y| max.max(*y));
        value += max - y[*label];
        y.iter_mut().for_each(|y| *y = exp(*y - max));
        let sum: f32 = y.iter().sum();
        value += sum.ln();
        y.iter_mut().for_each(|y| *y /= sum * N as f32);
        y[*label] -= 1.0 / N as f32;
    }
    value / N as f32
}
