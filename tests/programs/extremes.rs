//! Extremes of many numbers, where blocks of elements that change nothing are passed over: the same bits as of loops that are too short
//! for that.

use autodiff::prelude::*;

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 0..x.len() {
        largest = largest.max(x[i]);
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - largest).exp();
    }
    largest + sum.ln()
}

#[differentiable]
fn extremes(x: &[f64], w: &[f64]) -> f64 {
    let (mut smallest, mut largest, mut at) = (f64::INFINITY, x[0], 0);
    for i in 0..x.len() {
        smallest = smallest.min(x[i]);
    }
    for i in 0..x.len() {
        if x[i] > largest {
            largest = x[i];
            at = i;
        }
    }
    smallest * smallest + largest * w[at]
}

/// The same in parts of 100.
#[differentiable]
fn log_sum_exp_in_parts(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for k in 0..x.len() / 100 {
        for i in 0..100 {
            largest = largest.max(x[100 * k + i]);
        }
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] - largest).exp();
    }
    largest + sum.ln()
}

#[differentiable]
fn extremes_in_parts(x: &[f64], w: &[f64]) -> f64 {
    let (mut smallest, mut largest, mut at) = (f64::INFINITY, x[0], 0);
    for k in 0..x.len() / 100 {
        for i in 0..100 {
            smallest = smallest.min(x[100 * k + i]);
        }
    }
    for k in 0..x.len() / 100 {
        for i in 0..100 {
            if x[100 * k + i] > largest {
                largest = x[100 * k + i];
                at = 100 * k + i;
            }
        }
    }
    smallest * smallest + largest * w[at]
}

/// Numbers without an order, in order both ways, with ties, with NaN, and all the same.
fn lists() -> Vec<Vec<f64>> {
    let n = 600;
    let any: Vec<f64> = (0..n).map(|i| ((i * i * 7 + i) as f64 * 0.37).sin()).collect();
    let mut rising = any.clone();
    rising.sort_by(f64::total_cmp);
    let falling: Vec<f64> = rising.iter().rev().copied().collect();
    let rough: Vec<f64> = any.iter().map(|x| (x * 4.0).round()).collect();
    let mut holes = any.clone();
    holes[100..105].fill(f64::NAN);
    let mut first = any.clone();
    first[0] = f64::NAN;
    vec![any, rising, falling, rough, holes, first, vec![0.5; n]]
}

fn assert_same(a: &[f64], b: &[f64]) {
    let bits =
        |x: &[f64]| x.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect::<Vec<_>>();
    assert_eq!(bits(a), bits(b));
}

#[test]
fn skipped_blocks_change_nothing() {
    for x in lists() {
        let w: Vec<f64> = (0..x.len()).map(|i| (i as f64).cos()).collect();
        let ((y, g), (z, h)) = (log_sum_exp::value_and_grad(&x), log_sum_exp_in_parts::value_and_grad(&x));
        assert_same(&[y, log_sum_exp(&x)], &[z, z]);
        // A cotangent passes several loops in parts, whose products with 1 and sums with 0 are exact.
        assert_same(&g, &h);
        let ((y, (g, u)), (z, (h, v))) = (extremes::value_and_grad(&x, &w), extremes_in_parts::value_and_grad(&x, &w));
        assert_same(&[y, extremes(&x, &w)], &[z, z]);
        assert_same(&g, &h);
        assert_same(&u, &v);
    }
}

/// The initial value and the first number tie, and nothing is larger: each has half of the derivative.
#[test]
fn ties_with_the_initial_value() {
    #[differentiable]
    fn largest(start: f64, x: &[f64]) -> f64 {
        let mut largest = start;
        for i in 0..x.len() {
            largest = largest.max(x[i]);
        }
        largest
    }
    for at in [3.0, -3.0] {
        for n in [2, 200] {
            let mut x = vec![at - 1.0; n];
            x[0] = at;
            let (start_bar, x_bar) = largest::grad(at, &x);
            assert_eq!((start_bar, x_bar[0], x_bar[1]), (0.5, 0.5, 0.0));
            let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == 0))).collect();
            assert_eq!(largest::jvp(at, &x, 1.0, &vec![0.0; n]).1, 0.5);
            assert_eq!(largest::jvp(at, &x, 0.0, &unit).1, 0.5);
        }
    }
}

/// Looked for in a loop and one after the other: the same shares of the derivative, with ties and with NaN.
#[test]
fn a_search_and_the_same_without_a_loop() {
    #[differentiable(order = 2)]
    fn searched(x: &[f64; 4], start: f64) -> f64 {
        let (mut nearest, mut farthest) = (start, start);
        for i in 0..4 {
            let square = (x[i] - 1.0) * (x[i] - 1.0);
            nearest = nearest.min(square);
        }
        for i in 0..4 {
            farthest = farthest.max(x[i] * x[i] * x[i]);
        }
        nearest.sin() + farthest * farthest
    }
    #[differentiable(order = 2)]
    fn written_out(x: &[f64; 4], start: f64) -> f64 {
        let square = |i: usize| (x[i] - 1.0) * (x[i] - 1.0);
        let cube = |i: usize| x[i] * x[i] * x[i];
        let nearest = start.min(square(0)).min(square(1)).min(square(2)).min(square(3));
        let farthest = start.max(cube(0)).max(cube(1)).max(cube(2)).max(cube(3));
        nearest.sin() + farthest * farthest
    }
    let nan = f64::NAN;
    let points = [
        [0.5, 2.0, -1.0, 3.0],
        [0.5, 1.5, 0.5, 2.0],
        [2.0, 0.0, 2.0, 0.0],
        [3.0, 3.0, 3.0, 3.0],
        [1.0, 1.0, -0.0, 0.0],
        [nan, 0.5, nan, 1.5],
        [0.5, nan, 1.5, nan],
        [nan, nan, nan, nan],
    ];
    for x in points {
        for start in [0.25, 1.0, 8.0, f64::INFINITY, -0.0, nan] {
            let ((y, (g, s)), (z, (h, t))) =
                (searched::value_and_grad(&x, start), written_out::value_and_grad(&x, start));
            assert_same(&[y, s], &[z, t]);
            assert_same(&g, &h);
            let u = [0.3, -0.7, 1.1, 0.9];
            let ((a, b), (c, d)) = (searched::hvp(&x, start, &u, 0.2), written_out::hvp(&x, start, &u, 0.2));
            assert_same(&a, &c);
            assert_same(&[b], &[d]);
        }
    }
}

#[test]
fn an_index_out_of_range_is_not_passed_over() {
    #[differentiable]
    fn too_far(x: &[f64], n: usize) -> f64 {
        let mut largest = x[0];
        for i in 0..n {
            largest = largest.max(x[i]);
        }
        largest
    }
    let x: Vec<f64> = (0..500).map(|i| -(i as f64)).collect();
    assert_eq!(too_far::value_and_grad(&x, 500).0, 0.0);
    assert!(std::panic::catch_unwind(|| too_far::value_and_grad(&x, 501)).is_err());
    assert!(std::panic::catch_unwind(|| too_far::jvp(&x, 501, &x)).is_err());
}
