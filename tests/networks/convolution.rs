//! Convolutions that become products: every option, against loops written by definition.
//!
//! A convolution is linear in the image and in the filters. So its derivative in a direction is the convolution of the
//! direction, and the gradient has to have the same inner product with it.

use crate::check::close;
use autodiff::prelude::*;

/// The sizes of one axis.
struct Axis {
    input: usize,
    window: usize,
    stride: usize,
    padding: usize,
    dilation: usize,
    output: usize,
}

/// By definition, with any number of axes; `x` and `w` are flat.
fn by_definition([batch, channels, filters]: [usize; 3], axes: &[Axis], x: &[f64], w: &[f64]) -> Vec<f64> {
    let count = |size: fn(&Axis) -> usize| axes.iter().map(size).product::<usize>();
    let (inputs, windows, outputs) = (count(|a| a.input), count(|a| a.window), count(|a| a.output));
    let mut y = vec![0.0; batch * filters * outputs];
    for (to, y) in y.iter_mut().enumerate() {
        let (n, filter, place) = (to / outputs / filters, to / outputs % filters, to % outputs);
        for k in 0..channels * windows {
            let (channel, offset) = (k / windows, k % windows);
            // Where in the plane the element stands, from the last axis to the first.
            let (mut place, mut offset, mut step) = (place, offset, 1);
            let mut from = Some(0);
            for axis in axes.iter().rev() {
                let at = place % axis.output * axis.stride + offset % axis.window * axis.dilation;
                let at = at.checked_sub(axis.padding).filter(|at| *at < axis.input);
                from = at.and_then(|at| Some(from? + at * step));
                (place, offset, step) = (place / axis.output, offset / axis.window, step * axis.input);
            }
            if let Some(from) = from {
                *y += w[(filter * channels + channel) * windows + k % windows]
                    * x[(n * channels + channel) * inputs + from];
            }
        }
    }
    y
}

fn wave(k: usize) -> f64 {
    (1.3 * (k * k) as f64).sin()
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

macro_rules! agrees {
    ($name:ident: $X:ty, $W:ty, $Y:ty, |$x:ident, $w:ident| $conv:expr, $sizes:expr, $axes:expr) => {
        #[test]
        fn $name() {
            #[differentiable]
            fn convolved($x: &$X, $w: &$W) -> $Y {
                $conv
            }
            crate::check::on_a_main_stack(|| {
                let (mut x, mut w, mut seed) = (<$X>::zeros(), <$W>::zeros(), <$Y>::zeros());
                let fill = |to: &mut [f64], from: usize| to.iter_mut().zip(from..).for_each(|(to, k)| *to = wave(k));
                fill(x.as_mut_slice(), 0);
                fill(w.as_mut_slice(), 7);
                fill(seed.as_mut_slice(), 3);
                let of = |x: &[f64], w: &[f64]| by_definition($sizes, &$axes, x, w);
                close("value", convolved(&x, &w).as_slice(), &of(x.as_slice(), w.as_slice()));
                let (y, pullback) = convolved::vjp(&x, &w);
                close("value", y.as_slice(), &of(x.as_slice(), w.as_slice()));
                let (x_bar, w_bar) = pullback(&seed);
                let (mut x_dot, mut w_dot) = (<$X>::zeros(), <$W>::zeros());
                fill(x_dot.as_mut_slice(), 11);
                fill(w_dot.as_mut_slice(), 5);
                let slope = inner(seed.as_slice(), &of(x_dot.as_slice(), w.as_slice()));
                close("by the image", &[inner(x_bar.as_slice(), x_dot.as_slice())], &[slope]);
                let slope = inner(seed.as_slice(), &of(x.as_slice(), w_dot.as_slice()));
                close("by the filters", &[inner(w_bar.as_slice(), w_dot.as_slice())], &[slope]);
            });
        }
    };
}

const fn axis(input: usize, window: usize, [stride, padding, dilation]: [usize; 3]) -> Axis {
    let output = (input + 2 * padding - dilation * (window - 1) - 1) / stride + 1;
    Axis { input, window, stride, padding, dilation, output }
}

agrees!(
    all_options: Tensor4<f64, 2, 3, 12, 15>, Tensor4<f64, 5, 3, 3, 2>, Tensor4<f64, 2, 5, 10, 9>,
    |x, w| x.conv2d(w, Conv2d { stride: [1, 2], padding: [1, 2], dilation: [2, 1], ..Default::default() }),
    [2, 3, 5], [axis(12, 3, [1, 1, 2]), axis(15, 2, [2, 2, 1])]
);

agrees!(
    one_channel: Tensor4<f64, 3, 1, 14, 14>, Tensor4<f64, 6, 1, 5, 5>, Tensor4<f64, 3, 6, 10, 10>,
    |x, w| x.conv2d(w, Conv2d::default()),
    [3, 1, 6], [axis(14, 5, [1, 0, 1]), axis(14, 5, [1, 0, 1])]
);

// 36 · 1024 windows: a row at a time.
agrees!(
    by_rows: Tensor4<f64, 2, 4, 32, 32>, Tensor4<f64, 4, 4, 3, 3>, Tensor4<f64, 2, 4, 32, 32>,
    |x, w| x.conv2d(w, Conv2d { padding: [1, 1], ..Default::default() }),
    [2, 4, 4], [axis(32, 3, [1, 1, 1]), axis(32, 3, [1, 1, 1])]
);

agrees!(
    one_axis: Tensor3<f64, 2, 8, 60>, Tensor3<f64, 8, 8, 4>, Tensor3<f64, 2, 8, 29>,
    |x, w| x.conv1d(w, Conv1d { stride: 2, ..Default::default() }),
    [2, 8, 8], [axis(60, 4, [2, 0, 1])]
);

agrees!(
    three_axes: Tensor5<f64, 1, 2, 4, 8, 6>, Tensor5<f64, 4, 2, 2, 3, 3>, Tensor5<f64, 1, 4, 3, 8, 6>,
    |x, w| x.conv3d(w, Conv3d { padding: [0, 1, 1], ..Default::default() }),
    [1, 2, 4], [axis(4, 2, [1, 0, 1]), axis(8, 3, [1, 1, 1]), axis(6, 3, [1, 1, 1])]
);
