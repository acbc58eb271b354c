//! Vision: the photometric residual of a patch under an affine warp (Lucas-Kanade; Baker and Matthews).
use crate::differences::check;
use autodiff::prelude::*;

#[derive(Clone)]
struct Image {
    width: usize,
    height: usize,
    data: Vec<f64>,
}

impl Image {
    fn from_fn(width: usize, height: usize, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut data = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                data.push(f(x as f64, y as f64));
            }
        }
        Image { width, height, data }
    }

    fn get(&self, x: usize, y: usize) -> f64 {
        self.data[y * self.width + x]
    }
}

/// Bilinear interpolation; `None` outside of the image.
#[differentiable]
fn sample(#[no_diff] image: &Image, x: f64, y: f64) -> Option<f64> {
    if x < 0.0 || y < 0.0 {
        return None;
    }
    let x0 = stop_gradient(x).floor() as usize;
    let y0 = stop_gradient(y).floor() as usize;
    if x0 + 1 >= image.width || y0 + 1 >= image.height {
        return None;
    }
    let fx = x - x0 as f64;
    let fy = y - y0 as f64;
    let top = image.get(x0, y0) * (1.0 - fx) + image.get(x0 + 1, y0) * fx;
    let bottom = image.get(x0, y0 + 1) * (1.0 - fx) + image.get(x0 + 1, y0 + 1) * fx;
    Some(top * (1.0 - fy) + bottom * fy)
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Warp {
    dx: f64,
    dy: f64,
    /// Rows of the linear part, less the identity.
    a: [[f64; 2]; 2],
    gain: f64,
    offset: f64,
}

#[derive(Clone, Copy)]
struct Patch {
    cx: usize,
    cy: usize,
    half: usize,
}

impl Patch {
    fn pixels(self) -> Vec<(usize, usize)> {
        let Patch { cx, cy, half } = self;
        (cy - half..=cy + half).flat_map(|y| (cx - half..=cx + half).map(move |x| (x, y))).collect()
    }
}

#[differentiable]
impl Warp {
    fn apply(&self, u: f64, v: f64) -> (f64, f64) {
        let [[a, b], [c, d]] = self.a;
        ((1.0 + a) * u + b * v + self.dx, c * u + (1.0 + d) * v + self.dy)
    }
}

#[differentiable]
fn photometric_error(
    warp: &Warp,
    #[no_diff] reference: &Image,
    #[no_diff] current: &Image,
    #[no_diff] patch: &Patch,
) -> f64 {
    let mut error = 0.0;
    let mut count = 0usize;
    for (x, y) in patch.pixels() {
        let u = x as f64 - patch.cx as f64;
        let v = y as f64 - patch.cy as f64;
        let (wx, wy) = warp.apply(u, v);
        if let Some(value) = sample(current, patch.cx as f64 + wx, patch.cy as f64 + wy) {
            let r = warp.gain * value + warp.offset - reference.get(x, y);
            // Tukey's weight.
            let w = if r.abs() < 2.0 { (1.0 - (r / 2.0).powi(2)).powi(2) } else { 0.0 };
            error += w * r * r;
            count += 1;
        }
    }
    error / count.max(1) as f64
}

fn warp(p: &[f64]) -> Warp {
    Warp { dx: p[0], dy: p[1], a: [[p[2], p[3]], [p[4], p[5]]], gain: p[6], offset: p[7] }
}

#[test]
fn the_gradient_agrees_with_differences() {
    let pattern = |x: f64, y: f64| (0.6 * x).sin() + (0.4 * y).cos() + 0.02 * x * y;
    let reference = Image::from_fn(20, 16, pattern);
    let current = Image::from_fn(20, 16, |x, y| pattern(x - 0.6, y + 0.3));
    let patch = Patch { cx: 9, cy: 7, half: 3 };
    let at = [0.413, -0.217, 0.0131, -0.0172, 0.0113, 0.0217, 1.02, -0.03];
    let g = photometric_error::grad(&warp(&at), &reference, &current, &patch);
    let [[a, b], [c, d]] = g.a;
    check(
        |p| photometric_error(&warp(p), &reference, &current, &patch),
        &at,
        &[g.dx, g.dy, a, b, c, d, g.gain, g.offset],
    );
}
