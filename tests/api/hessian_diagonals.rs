//! Diagonals of Hessians: all at once where there is nothing beside them, by the text or at run time, else column by column. See
//! Note [Diagonal Hessians] in `separate.rs` of the core crate.

use autodiff::prelude::*;

/// Each number has a term of its own.
#[differentiable(order = 2)]
fn apart(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i].sin() * x[i] + (0.1 * x[i]).exp() * i as f64;
    }
    sum
}

/// So do the numbers of k-means, where it is the data that decide which.
#[differentiable(wrt(centroids), order = 2)]
fn clusters(points: &[[f64; 3]], centroids: &[[f64; 3]]) -> f64 {
    let mut cost = 0.0;
    for i in 0..points.len() {
        let mut smallest = f64::INFINITY;
        for j in 0..centroids.len() {
            let mut square = 0.0;
            for k in 0..3 {
                square += (points[i][k] - centroids[j][k]).powi(2);
            }
            smallest = smallest.min(square);
        }
        cost += smallest * smallest.sqrt();
    }
    cost
}

#[differentiable(wrt(centroids), order = 2)]
fn squares(points: &[[f64; 3]], centroids: &[[f64; 3]]) -> f64 {
    let nearest = |p: &[f64; 3]| {
        centroids
            .iter()
            .map(|c| p.iter().zip(c).map(|(a, b)| (a - b) * (a - b)).sum::<f64>())
            .fold(f64::INFINITY, f64::min)
    };
    let mut sum = 0.0;
    for point in points {
        sum += nearest(point);
    }
    sum
}

/// The same with a function for the distance: what its cotangents depend on is found at run time.
#[differentiable(wrt(centroids), order = 2)]
fn squares_by_calls(points: &[[f64; 3]], centroids: &[[f64; 3]]) -> f64 {
    let mut sum = 0.0;
    for point in points {
        let mut nearest = f64::INFINITY;
        for centroid in centroids {
            nearest = nearest.min(square_of_distance(point, centroid));
        }
        sum += nearest;
    }
    sum
}

#[differentiable]
fn square_of_distance(a: &[f64], b: &[f64]) -> f64 {
    let mut square = 0.0;
    for i in 0..a.len() {
        square += (a[i] - b[i]) * (a[i] - b[i]);
    }
    square
}

/// Neighbours: nothing is apart.
#[differentiable(order = 2)]
fn chain(x: &[f64; 40]) -> f64 {
    let mut sum = 0.0;
    for i in 1..40 {
        sum += (x[i] * x[i - 1]).sin() + x[i] * x[i] * x[i];
    }
    sum
}

/// One pair among many numbers, whose terms are in the middle.
#[differentiable(order = 2)]
fn pair(x: &[f64; 40]) -> f64 {
    let mut sum = x[17] * x[21] * x[17];
    for i in 0..40 {
        sum += x[i].cos();
    }
    sum
}

/// What cancels is there all the same.
#[differentiable(order = 2)]
fn cancelling(x: &[f64; 40]) -> f64 {
    let mut sum = x[0].sin() * x[1] - x[1] * x[0].sin();
    for i in 0..40 {
        sum += x[i] * x[i] * (1.0 + x[39 - i] - x[39 - i]);
    }
    sum
}

#[derive(Differentiable, Clone, Copy)]
struct Spring {
    length: f64,
    stiffness: [f64; 2],
}

/// Several parameters, structs among them.
#[differentiable(order = 2)]
fn springs(all: &[Spring], shift: f64, x: &[f64; 20]) -> f64 {
    let mut energy = shift.exp();
    for spring in all {
        energy += spring.length.powi(3) + spring.stiffness[0].sin() + spring.stiffness[1].exp();
    }
    for i in 0..20 {
        energy += (x[i] * 0.3).tanh();
    }
    energy
}

#[differentiable(order = 2)]
fn springs_pulled(all: &[Spring], shift: f64, x: &[f64; 20]) -> f64 {
    let mut energy = 0.0;
    for i in 0..all.len() {
        energy += all[i].stiffness[0] * (all[i].length - x[i] * shift).powi(2) + all[i].stiffness[1].exp();
    }
    energy
}

fn numbers<const N: usize>() -> [f64; N] {
    std::array::from_fn(|k| (k as f64 * 1.7).sin() + 0.2)
}

fn assert_diagonal(diagonal: &[f64], hessian: impl Fn(usize) -> f64) {
    for (k, own) in diagonal.iter().enumerate() {
        let expected = hessian(k);
        assert!((own - expected).abs() <= 1e-13 * expected.abs().max(1.0), "{k}: {own} {expected}");
    }
}

#[test]
fn separate_numbers() {
    let x = numbers::<50>();
    let hessian = apart::hessian(&x);
    assert_diagonal(&apart::hessian_diagonal(&x), |k| hessian[k][k]);
    // At once or not, the bits are those of a column.
    let mut unit = vec![0.0; 50];
    unit[7] = 1.0;
    assert_eq!(apart::hessian_diagonal(&x)[7].to_bits(), apart::hvp(&x, &unit)[7].to_bits());
}

#[test]
fn centroids() {
    let points: Vec<[f64; 3]> = numbers::<300>().chunks(3).map(|p| [p[0], p[1], p[2]]).collect();
    let centroids: Vec<[f64; 3]> = numbers::<40>().windows(3).step_by(3).map(|p| [p[2], p[0], p[1]]).collect();
    let hessian = squares::hessian(&points, &centroids);
    let diagonal = squares::hessian_diagonal(&points, &centroids);
    assert_diagonal(diagonal.as_flattened(), |k| hessian[k][k]);
    assert!(diagonal.as_flattened().iter().all(|number| number % 2.0 == 0.0));
    assert_eq!(squares_by_calls::hessian_diagonal(&points, &centroids), diagonal);
    // The coordinates of a point are not apart here.
    let hessian = clusters::hessian(&points, &centroids);
    assert_diagonal(clusters::hessian_diagonal(&points, &centroids).as_flattened(), |k| hessian[k][k]);
}

#[test]
fn numbers_together() {
    let x = numbers::<40>();
    let hessian = chain::hessian(&x);
    assert_diagonal(&chain::hessian_diagonal(&x), |k| hessian[k][k]);
    let hessian = pair::hessian(&x);
    assert_diagonal(&pair::hessian_diagonal(&x), |k| hessian[k][k]);
    let hessian = cancelling::hessian(&x);
    assert_diagonal(&cancelling::hessian_diagonal(&x), |k| hessian[k][k]);
}

#[test]
fn several_parameters() {
    let all: Vec<Spring> =
        numbers::<33>().chunks(3).map(|s| Spring { length: s[0], stiffness: [s[1], s[2]] }).collect();
    let x = numbers::<20>();
    let (h, d) = (springs::hessian(&all, 0.4, &x), springs::hessian_diagonal(&all, 0.4, &x));
    assert_diagonal(&d.0.iter().flat_map(|s| [s.length, s.stiffness[0], s.stiffness[1]]).collect::<Vec<_>>(), |k| {
        h.0.0[k][k]
    });
    assert_diagonal(&[d.1], |_| h.1.1);
    assert_diagonal(&d.2, |k| h.2.2[k][k]);
    let (h, d) = (springs_pulled::hessian(&all, 0.4, &x), springs_pulled::hessian_diagonal(&all, 0.4, &x));
    assert_diagonal(&d.0.iter().flat_map(|s| [s.length, s.stiffness[0], s.stiffness[1]]).collect::<Vec<_>>(), |k| {
        h.0.0[k][k]
    });
    assert_diagonal(&[d.1], |_| h.1.1);
    assert_diagonal(&d.2, |k| h.2.2[k][k]);
}
