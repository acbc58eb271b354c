//! Jacobians of few rows and more columns: all rows are computed by one function.

use super::jacobian::{assert_close, differences};
use autodiff::prelude::*;

#[differentiable]
fn rotate(axis: &[f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let squared = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    if squared == 0.0 {
        return [x[0], x[1], x[2]];
    }
    let angle = squared.sqrt();
    let a = axis.map(|part| part / angle);
    let along = (a[0] * x[0] + a[1] * x[1] + a[2] * x[2]) * (1.0 - angle.cos());
    let turned = [a[1] * x[2] - a[2] * x[1], a[2] * x[0] - a[0] * x[2], a[0] * x[1] - a[1] * x[0]];
    std::array::from_fn(|k| x[k] * angle.cos() + turned[k] * angle.sin() + a[k] * along)
}

/// A camera sees a point: calls, of which the rows share the forward sweep.
#[differentiable]
fn seen(camera: &[f64; 7], point: &[f64; 3], #[no_diff] at: &[f64; 2]) -> [f64; 2] {
    let moved = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let turned = rotate(&[camera[0], camera[1], camera[2]], &moved);
    [camera[6] * turned[0] / turned[2] - at[0], camera[6] * turned[1] / turned[2] - at[1]]
}

#[test]
fn calls() {
    let (camera, point, at) = ([0.2, -0.4, 0.3, 0.1, 0.2, -2.0, 1.3], [0.4, -0.3, 1.1], [0.1, 0.2]);
    let (value, (by_camera, by_point)) = seen::value_and_jacobian(&camera, &point, &at);
    assert_eq!(value, seen(&camera, &point, &at));
    let expected = differences(|x| seen(x.try_into().unwrap(), &point, &at).to_vec(), &camera);
    assert_close(by_camera.as_flattened(), &expected);
    let expected = differences(|x| seen(&camera, x.try_into().unwrap(), &at).to_vec(), &point);
    assert_close(by_point.as_flattened(), &expected);
    let mut into = ([[f64::NAN; 7]; 2], [[f64::NAN; 3]; 2]);
    seen::jacobian_into(&camera, &point, &at, &mut into);
    assert_eq!(into, (by_camera, by_point));
    let (_, pullback) = seen::vjp(&camera, &point, &at);
    for row in 0..2 {
        let (camera, point) = pullback(&std::array::from_fn(|k| f64::from(u8::from(k == row))));
        assert_close(&by_camera[row], &camera);
        assert_close(&by_point[row], &point);
    }
}

/// Values that change in a loop, and a loop that ends early.
#[differentiable]
fn walk(steps: &[f64; 9], #[no_diff] most: usize) -> [f64; 3] {
    let mut place = [1.0, 0.5, 0.0];
    for (k, step) in steps.iter().enumerate() {
        if k == most {
            break;
        }
        let turned = [place[0] * step.cos() - place[1] * step.sin(), place[0] * step.sin() + place[1] * step.cos()];
        place = [turned[0], turned[1], place[2] + turned[0] * turned[1]];
    }
    place
}

#[test]
fn loops() {
    let steps = std::array::from_fn(|k| 0.3 * (k as f64 + 1.0).sin());
    for most in [0, 4, 9] {
        let (value, jacobian) = walk::value_and_jacobian(&steps, most);
        assert_eq!(value, walk(&steps, most));
        let expected = differences(|x| walk(x.try_into().unwrap(), most).to_vec(), &steps);
        assert_close(jacobian.as_flattened(), &expected);
    }
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Pose {
    place: [f64; 2],
    heading: f64,
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Model {
    gains: [f64; 8],
    start: Pose,
}

/// The result is a struct, whose numbers are in flat order.
#[differentiable]
fn driven(model: &Model, time: f64) -> Pose {
    let mut pose = model.start;
    for gain in model.gains {
        pose.heading += gain * time;
        pose.place[0] += time * pose.heading.cos();
        pose.place[1] += time * pose.heading.sin() * gain.exp();
    }
    pose
}

#[test]
fn structs() {
    let start = Pose { place: [0.1, -0.2], heading: 0.4 };
    let model = Model { gains: std::array::from_fn(|k| 0.2 * (k as f64).cos()), start };
    let (value, (by_model, by_time)) = driven::value_and_jacobian(&model, 0.3);
    assert_eq!(value, driven(&model, 0.3));
    let numbers = |pose: Pose| vec![pose.place[0], pose.place[1], pose.heading];
    let mut flat = [0.0; 11];
    model.copy_to_flat(&mut flat);
    let expected = differences(
        |x| {
            let mut model = model;
            model.copy_from_flat(x);
            numbers(driven(&model, 0.3))
        },
        &flat,
    );
    assert_close(by_model.as_flattened(), &expected);
    assert_close(&by_time, &differences(|x| numbers(driven(&model, x[0])), &[0.3]));
}

/// A row that has nothing to do with what is not finite.
#[differentiable]
fn apart(x: &[f64; 5]) -> (f64, f64) {
    (x[0].sqrt() + x[1], x[2] * x[3] + x[4] * x[1])
}

#[test]
fn what_a_row_has_nothing_to_do_with() {
    let jacobian = apart::jacobian(&[0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(jacobian, [[f64::INFINITY, 1.0, 0.0, 0.0, 0.0], [0.0, 4.0, 3.0, 2.0, 1.0]]);
}

/// Columns that only run time counts are not computed so; single precision is.
#[differentiable]
fn ends(x: &[f32]) -> [f32; 2] {
    [x[0] * x[x.len() - 1], x.iter().map(|x| x * x).sum::<f32>()]
}

#[differentiable]
fn halves(x: &[f32; 6]) -> [f32; 2] {
    [x[..3].iter().product::<f32>(), x[3..].iter().map(|x| x.sin()).sum::<f32>()]
}

#[test]
fn slices_and_single_precision() {
    let x = [0.5, -1.5, 2.0, 0.25, -0.75, 1.0_f32];
    let jacobian = ends::jacobian(&x);
    assert_eq!(jacobian, [vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.5], x.map(|x| 2.0 * x).to_vec()]);
    let jacobian = halves::jacobian(&x);
    assert_eq!(jacobian[0], [-3.0, 1.0, -0.75, 0.0, 0.0, 0.0]);
    assert_eq!(jacobian[1], [0.0, 0.0, 0.0, x[3].cos(), x[4].cos(), x[5].cos()]);
}

/// Slices have their parts of all rows written in place.
#[differentiable]
fn missed(camera: &[f64], point: &[f64], weight: f64, #[no_diff] at: &[f64]) -> [f64; 2] {
    let depth = point[2] - camera[2];
    let scale = weight * camera[3];
    [scale * ((point[0] - camera[0]) / depth - at[0]), scale * (point[1] - camera[1]) / depth * depth.sin() - at[1]]
}

#[differentiable]
fn moments(x: &[f64]) -> (f64, f64, f64) {
    let (mut sum, mut squares, mut product) = (0.0, 0.0, 1.0);
    for x in x {
        sum += x;
        squares += x * x * sum;
        product *= x.cos();
    }
    (sum, squares, product)
}

#[test]
fn slices() {
    let (camera, point, weight, at) = ([0.2, -0.4, 0.3, 1.4, 9.0], [0.4, -0.3, 1.1], 0.7, [0.1, 0.2]);
    let (value, (by_camera, by_point, by_weight)) = missed::value_and_jacobian(&camera, &point, weight, &at);
    assert_eq!(value, missed(&camera, &point, weight, &at));
    let expected = differences(|x| missed(x, &point, weight, &at).to_vec(), &camera);
    assert_close(&by_camera.concat(), &expected);
    let expected = differences(|x| missed(&camera, x, weight, &at).to_vec(), &point);
    assert_close(&by_point.concat(), &expected);
    let expected = differences(|x| missed(&camera, &point, x[0], &at).to_vec(), &[weight]);
    assert_close(&by_weight, &expected);
    let mut into = ([f64::NAN; 10], [f64::NAN; 6], [f64::NAN; 2]);
    missed::jacobian_into(&camera, &point, weight, &at, (&mut into.0, &mut into.1, &mut into.2));
    assert_eq!(into, (by_camera.concat().try_into().unwrap(), by_point.concat().try_into().unwrap(), by_weight));

    // There may be fewer columns than rows, and none.
    for x in [&[0.3, 0.8, -0.4, 0.6, 1.3][..], &[0.3], &[]] {
        let (value, jacobian) = moments::value_and_jacobian(x);
        assert_eq!(value, moments(x));
        let expected = differences(|x| <[f64; 3]>::from(moments(x)).to_vec(), x);
        assert_close(&jacobian.concat(), &expected);
        assert_eq!(jacobian.len(), 3);
    }
}

/// What does not fit is refused, as everywhere.
#[test]
#[should_panic(expected = "a matrix of 2 × 5 numbers does not fit into a slice of 9")]
fn slices_that_are_too_short() {
    let mut j = ([0.0; 9], [0.0; 6], [0.0; 2]);
    missed::jacobian_into(&[0.0; 5], &[0.1; 3], 0.7, &[0.0; 2], (&mut j.0, &mut j.1, &mut j.2));
}
