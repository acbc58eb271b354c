//! Emission tomography: rays through a grid by stepping, Poisson likelihood with total variation.
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug)]
struct Ray {
    origin: [f64; 2],
    direction: [f64; 2],
}

#[differentiable]
fn bilinear<const N: usize>(image: &[[f64; N]; N], x: f64, y: f64) -> f64 {
    let (i, j) = (x.floor() as usize, y.floor() as usize);
    let (u, v) = (x - x.floor(), y - y.floor());
    (1.0 - u) * (1.0 - v) * image[i][j]
        + u * (1.0 - v) * image[i + 1][j]
        + (1.0 - u) * v * image[i][j + 1]
        + u * v * image[i + 1][j + 1]
}

#[differentiable]
fn negative_log_posterior(
    image: &[[f64; 6]; 6],
    shift: [f64; 2],
    weight: f64,
    #[no_diff] rays: &[Ray],
    #[no_diff] counts: &[u32],
) -> f64 {
    let mut total = 0.0;
    for (ray, &count) in rays.iter().zip(counts) {
        let mut expected = 0.1;
        let mut t = 0.0;
        while t < 6.0 {
            let x = ray.origin[0] + t * ray.direction[0] + shift[0];
            let y = ray.origin[1] + t * ray.direction[1] + shift[1];
            if (0.0..5.0).contains(&x) && y >= 0.0 && y < 5.0 {
                expected += 0.25 * bilinear(image, x, y).max(0.0);
            }
            t += 0.25;
        }
        total += expected - f64::from(count) * expected.ln();
    }
    let tv: f64 = image
        .windows(2)
        .map(|pair| pair[0].iter().zip(&pair[1]).map(|(a, b)| ((a - b).powi(2) + 1e-4).sqrt()).sum::<f64>())
        .sum();
    total + weight * tv
}

#[test]
fn the_derivatives_agree_with_differences() {
    let mut image = [[0.0; 6]; 6];
    for i in 0..6 {
        for j in 0..6 {
            image[i][j] = 0.5 + 0.3 * ((i * 3 + j) as f64).sin();
        }
    }
    let rays = [Ray { origin: [0.1, 0.2], direction: [0.7, 0.6] }, Ray { origin: [4.5, 0.3], direction: [-0.5, 0.8] }];
    autodiff::check_grads!(negative_log_posterior, &image, [0.03, 0.07], 0.2, &rays, &[3, 5]);
}
