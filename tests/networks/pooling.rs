//! Pooling whose windows overlap, and pooling that halves large images, against loops written by definition. The numbers have many
//! ties: of equal elements the first of a window gets the cotangent.

use autodiff::prelude::*;

type Image = Tensor4<f64, 2, 3, 7, 6>;
/// Places of windows of 3 × 2 with strides of 2 and 1, and dilations of 1 and 2.
type Pooled = Tensor4<f64, 2, 3, 3, 4>;

#[differentiable(order = 2)]
fn weighted(x: &Image, #[no_diff] weights: &Pooled) -> f64 {
    let y = x.max_pool2d([3, 2], Window2d { stride: [2, 1], dilation: [1, 2], ..Default::default() });
    (y * y * weights).sum()
}

fn image() -> Image {
    Tensor4::from_fn(|[n, c, i, j]| (((n * 126 + c * 42 + i * 6 + j) * 31) % 5) as f64 - 2.0)
}

fn weights() -> Pooled {
    Tensor4::from_fn(|[n, c, i, j]| (n * 36 + c * 12 + i * 4 + j) as f64 * 0.25 - 3.0)
}

/// Calls a closure with every window's place and that of its first largest element.
fn for_each_window(x: &Image, mut visit: impl FnMut([usize; 4], [usize; 4])) {
    for (n, c) in (0..2).flat_map(|n| (0..3).map(move |c| (n, c))) {
        for (i, j) in (0..3).flat_map(|i| (0..4).map(move |j| (i, j))) {
            let mut best = [n, c, 2 * i, j];
            for (u, v) in (0..3).flat_map(|u| (0..2).map(move |v| (u, v))) {
                let at = [n, c, 2 * i + u, j + 2 * v];
                if x[at] > x[best] {
                    best = at;
                }
            }
            visit([n, c, i, j], best);
        }
    }
}

#[test]
fn overlapping_windows_are_those_of_the_definition() {
    let (x, weights) = (image(), weights());
    let (mut value, mut gradient) = (0.0, Image::zeros());
    for_each_window(&x, |place, best| {
        value += weights[place] * x[best] * x[best];
        gradient[best] += 2.0 * weights[place] * x[best];
    });
    // Small integers and quarters: there is no rounding.
    assert_eq!(weighted(&x, &weights), value);
    assert_eq!(weighted::value_and_grad(&x, &weights), (value, gradient));
}

#[test]
fn tangents_follow_the_largest_element() {
    let (x, weights) = (image(), weights());
    let direction = Image::from_fn(|[n, c, i, j]| (n + 2 * c) as f64 - 0.5 * (i * j) as f64);
    let (mut slope, mut product) = (0.0, Image::zeros());
    for_each_window(&x, |place, best| {
        slope += 2.0 * weights[place] * x[best] * direction[best];
        product[best] += 2.0 * weights[place] * direction[best];
    });
    assert_eq!(weighted::jvp(&x, &weights, &direction).1, slope);
    assert_eq!(weighted::hvp(&x, &weights, &direction), product);
}

type Large = Tensor4<f64, 2, 3, 10, 12>;
type Halved = Tensor4<f64, 2, 3, 5, 6>;

#[differentiable(order = 2)]
fn halved(x: &Large, #[no_diff] weights: &Halved) -> f64 {
    let y = x.max_pool2d([2, 2], Window2d { stride: [2, 2], ..Default::default() });
    (y * y * weights).sum()
}

/// Calls a closure with every window's place and that of its first largest element.
fn for_each_half(x: &Large, mut visit: impl FnMut([usize; 4], [usize; 4])) {
    for (n, c) in (0..2).flat_map(|n| (0..3).map(move |c| (n, c))) {
        for (i, j) in (0..5).flat_map(|i| (0..6).map(move |j| (i, j))) {
            let places = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[u, v]| [n, c, 2 * i + u, 2 * j + v]);
            let best = places.into_iter().reduce(|best, at| if x[at] > x[best] { at } else { best });
            visit([n, c, i, j], best.expect("a window has four elements"));
        }
    }
}

#[test]
fn halves_of_large_images_are_those_of_the_definition() {
    let x = Large::from_fn(|[n, c, i, j]| (((n * 360 + c * 120 + i * 12 + j) * 31) % 7) as f64 - 3.0);
    let weights = Halved::from_fn(|[n, c, i, j]| (n * 90 + c * 30 + i * 6 + j) as f64 * 0.25 - 3.0);
    let direction = Large::from_fn(|[n, c, i, j]| (n + 2 * c) as f64 - 0.5 * (i * j) as f64);
    let (mut value, mut gradient, mut slope, mut product) = (0.0, Large::zeros(), 0.0, Large::zeros());
    for_each_half(&x, |place, best| {
        value += weights[place] * x[best] * x[best];
        gradient[best] += 2.0 * weights[place] * x[best];
        slope += 2.0 * weights[place] * x[best] * direction[best];
        product[best] += 2.0 * weights[place] * direction[best];
    });
    // Small integers and quarters: there is no rounding.
    assert_eq!(halved(&x, &weights), value);
    assert_eq!(halved::value_and_grad(&x, &weights), (value, gradient));
    assert_eq!(halved::jvp(&x, &weights, &direction).1, slope);
    assert_eq!(halved::hvp(&x, &weights, &direction), product);
}
