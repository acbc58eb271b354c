//! Jacobians and Hessians: several columns at once, against evaluations of the function and of its gradient.

use crate::compare::{Suite, assert_close, way};
use autodiff::prelude::*;
use nalgebra::{Const, SVector};
use num_dual::{DualNum, DualSVec64};
use std::hint::black_box;

/// Sixteen springs, each of which pulls at all masses.
#[differentiable]
fn springs(x: &[f64; 16]) -> [f64; 16] {
    let mut y = [0.0; 16];
    for i in 0..16 {
        let mut s = 0.0;
        for j in 0..16 {
            s += x[j] * x[(i + j) % 16];
        }
        y[i] = (s + x[i]).sin();
    }
    y
}

fn dual(x: &SVector<f64, 16>) -> (SVector<f64, 16>, nalgebra::SMatrix<f64, 16, 16>) {
    let f = |x: SVector<DualSVec64<16>, 16>| {
        let mut y = SVector::<DualSVec64<16>, 16>::from_element(DualSVec64::from_re(0.0));
        for i in 0..16 {
            let mut s = DualSVec64::<16>::from_re(0.0);
            for j in 0..16 {
                s += &x[j] * &x[(i + j) % 16];
            }
            y[i] = (s + &x[i]).sin();
        }
        y
    };
    num_dual::jacobian::<_, _, Const<16>, Const<16>, _>(f, x)
}

/// The log-likelihood of a mixture of Gaussians, up to a constant.
macro_rules! mixture {
    ($name:ident, $($argument:tt)*) => {
        #[differentiable($($argument)*)]
        fn $name<const K: usize, const D: usize>(
            a: &[f64; K],
            mean: &[[f64; D]; K],
            scale: &[[f64; D]; K],
            #[no_diff] x: &[[f64; D]],
        ) -> f64 {
            let mut total = 0.0;
            for p in x {
                let mut largest = f64::NEG_INFINITY;
                let mut l = [0.0; K];
                for k in 0..K {
                    let (mut s, mut w) = (0.0, 0.0);
                    for d in 0..D {
                        s += ((p[d] - mean[k][d]) * scale[k][d].exp()).powi(2);
                        w += scale[k][d];
                    }
                    l[k] = a[k] + w - 0.5 * s;
                    largest = largest.max(l[k]);
                }
                let mut s = 0.0;
                for k in 0..K {
                    s += (l[k] - largest).exp();
                }
                total += largest + s.ln();
            }
            total
        }
    };
}
mixture!(mixture, order = 2);
mixture!(by_ones, order = 2, width = 1);

/// k-means: the squares of the distances to the nearest of the centroids.
#[differentiable(wrt(centroids), order = 2)]
fn clusters(points: &[[f64; 16]], centroids: &[[f64; 16]]) -> f64 {
    let mut cost = 0.0;
    for point in points {
        let mut nearest = f64::INFINITY;
        for centroid in centroids {
            let mut square = 0.0;
            for k in 0..16 {
                square += (point[k] - centroid[k]) * (point[k] - centroid[k]);
            }
            nearest = nearest.min(square);
        }
        cost += nearest;
    }
    cost
}

/// The same with a function for the distance.
#[differentiable(wrt(centroids), order = 2)]
fn clusters_by_calls(points: &[[f64; 16]], centroids: &[[f64; 16]]) -> f64 {
    let mut cost = 0.0;
    for point in points {
        let mut nearest = f64::INFINITY;
        for centroid in centroids {
            nearest = nearest.min(square_of_distance(point, centroid));
        }
        cost += nearest;
    }
    cost
}

#[differentiable]
fn square_of_distance(a: &[f64], b: &[f64]) -> f64 {
    let mut square = 0.0;
    for i in 0..a.len() {
        square += (a[i] - b[i]) * (a[i] - b[i]);
    }
    square
}

/// Four peaks, fitted to 200 points.
#[differentiable]
fn misfit(p: &[f64; 12], #[no_diff] data: &[[f64; 2]; 200]) -> [f64; 200] {
    let mut r = [0.0; 200];
    for i in 0..200 {
        let mut y = -data[i][1];
        for k in 0..4 {
            let t = (data[i][0] - p[3 * k + 1]) / p[3 * k + 2];
            y += p[3 * k] * (-t * t).exp();
        }
        r[i] = y;
    }
    r
}

/// `JᵀJ` and `Jᵀr` by way of the Jacobian.
fn by_jacobian(p: &[f64; 12], data: &[[f64; 2]; 200]) -> ([[f64; 12]; 12], [f64; 12]) {
    let (r, jacobian) = misfit::value_and_jacobian(p, data);
    let (mut h, mut g) = ([[0.0; 12]; 12], [0.0; 12]);
    for (row, r) in jacobian.iter().zip(&r) {
        for i in 0..12 {
            for j in 0..12 {
                h[i][j] += row[i] * row[j];
            }
            g[i] += row[i] * r;
        }
    }
    (h, g)
}

pub fn bench(suite: &mut Suite) {
    let x: [f64; 16] = std::array::from_fn(|i| 0.1 + 0.05 * i as f64);
    let vector = SVector::from(x);
    let (value, jacobian) = springs::value_and_jacobian(&x);
    let (other, matrix) = dual(&vector);
    assert_close(&value, other.as_slice());
    // nalgebra's matrices are in column-major order.
    assert_close(jacobian.as_flattened(), matrix.transpose().as_slice());
    suite.compare(
        "Jacobian of 16 by 16",
        &mut [
            way("Jacobian", || springs::value_and_jacobian(black_box(&x))),
            way("value alone", || springs(black_box(&x))),
            way("num-dual", || dual(black_box(&vector))),
        ],
    );

    let points: Vec<[f64; 4]> =
        (0..100).map(|i| std::array::from_fn(|d| (f64::from(i) * 0.37 + d as f64 * 1.3).sin())).collect();
    let a = [0.1, 0.2, 0.3, 0.4, 0.5];
    let mean: [[f64; 4]; 5] = std::array::from_fn(|k| std::array::from_fn(|d| (k as f64 * 0.9 + d as f64 * 0.3).cos()));
    let scale = mean.map(|row| row.map(|s| 0.3 * s));
    let columns = mixture::hessian(&a, &mean, &scale, &points);
    assert_close(&columns.0.1.concat(), &by_ones::hessian(&a, &mean, &scale, &points).0.1.concat());
    suite.compare(
        "Hessian of 45 by 45",
        &mut [
            way("Hessian", || mixture::hessian(black_box(&a), &mean, &scale, &points)),
            way("gradient", || mixture::value_and_grad(black_box(&a), &mean, &scale, &points)),
            way("column by column", || by_ones::hessian(black_box(&a), &mean, &scale, &points)),
        ],
    );

    let point = |i: usize| std::array::from_fn(|d| ((16 * i + d) as f64 * 1.37).sin());
    let (points, centroids): (Vec<_>, Vec<_>) = ((0..1000).map(point).collect(), (2000..2010).map(point).collect());
    let ones = vec![[1.0; 16]; 10];
    let (diagonal, product) =
        (clusters::hessian_diagonal(&points, &centroids), clusters::hvp(&points, &centroids, &ones));
    assert_close(diagonal.as_flattened(), product.as_flattened());
    suite.compare(
        "diagonal of k-means, 160",
        &mut [
            way("diagonal", || clusters::hessian_diagonal(&points, black_box(&centroids))),
            way("gradient", || clusters::value_and_grad(&points, black_box(&centroids))),
            way("product with ones", || clusters::hvp(&points, black_box(&centroids), &ones)),
        ],
    );
    suite.compare(
        "the same with calls",
        &mut [
            way("diagonal", || clusters_by_calls::hessian_diagonal(&points, black_box(&centroids))),
            way("gradient", || clusters_by_calls::value_and_grad(&points, black_box(&centroids))),
        ],
    );

    let p = [1.0, 0.2, 0.1, 0.7, 0.4, 0.2, 0.5, 0.6, 0.15, 1.2, 0.9, 0.1];
    let data: [[f64; 2]; 200] = std::array::from_fn(|i| [i as f64 / 200.0, (i as f64 * 0.03).sin()]);
    let ((h, g), (by_hand, gradient)) = (misfit::gauss_newton(&p, &data), by_jacobian(&p, &data));
    assert_close(h.as_flattened(), by_hand.as_flattened());
    assert_close(&g, &gradient);
    suite.compare(
        "Gauss-Newton, 200 by 12",
        &mut [
            way("Gauss-Newton", || misfit::gauss_newton(black_box(&p), &data)),
            way("value alone", || misfit(black_box(&p), &data)),
            way("by the Jacobian", || by_jacobian(black_box(&p), &data)),
        ],
    );
}
