//! Bundle adjustment.

use crate::data::{Expected, Numbers, Random, assert_close, read, with_files};
use gradbench::evals::ba::{Problem, reprojection_error};
use std::path::Path;

#[test]
fn reference_values() {
    with_files(|directory| {
        let check = |problem: &Problem, count, name| {
            let (objective, gradient) = first(problem, count);
            Expected::read(directory, name).compare(&objective, &gradient);
        };
        check(&file(directory, "test.txt"), 10, "ba_test.txt");
        let mut problem = file(directory, "ba1_n49_m7776_p31843.txt");
        check(&problem, 20, "ba1_first20.txt");
        vary(&mut problem);
        check(&problem, 20, "ba1_varied_first20.txt");
    });
}

fn file(directory: &Path, name: &str) -> Problem {
    let text = read(&directory.join("inputs/ba").join(name));
    let mut numbers = Numbers::of(&text);
    let [n, m, p]: [usize; 3] = std::array::from_fn(|_| numbers.next());
    Problem {
        cameras: vec![numbers.array(); n],
        points: vec![numbers.array(); m],
        weights: vec![numbers.next(); p],
        observed: vec![numbers.array(); p],
    }
}

/// Makes all cameras, points and observations different.
fn vary(problem: &mut Problem) {
    let mut random = Random::new();
    problem.cameras.iter_mut().flatten().for_each(|x| *x *= 1.0 + 0.01 * random.next());
    problem.points.iter_mut().flatten().for_each(|x| *x += 0.01 * random.next());
    problem.weights.iter_mut().for_each(|x| *x *= 1.0 + 0.1 * random.next());
    problem.observed.iter_mut().flatten().for_each(|x| *x += random.next());
}

/// The errors and the elements of the Jacobian that belong to the first observations.
fn first(problem: &Problem, count: usize) -> (Vec<f64>, Vec<f64>) {
    let (errors, jacobian) = (problem.errors(), problem.jacobian());
    let objective = [errors.reprojection[..count].as_flattened(), &errors.weight[..count]].concat();
    let weights_at = jacobian.rows[2 * problem.weights.len()];
    let gradient = [&jacobian.values[..30 * count], &jacobian.values[weights_at..weights_at + count]].concat();
    (objective, gradient)
}

#[test]
fn made_up() {
    let mut random = Random::new();
    for turn in [0.0, 1e-9, 1.0] {
        let mut camera: [f64; 11] = random.array();
        camera[..3].iter_mut().for_each(|x| *x *= turn);
        camera[5] -= 4.0;
        let (point, observed) = (random.array(), random.array());
        let weight = 1.0 + random.next();
        let (_, pullback) = reprojection_error::vjp(&camera, &point, weight, &observed);
        let rows = [[1.0, 0.0], [0.0, 1.0]].map(|error| {
            let (by_camera, by_point, by_weight) = pullback(&error);
            [&by_camera[..], &by_point, &[by_weight]].concat()
        });
        let at = |i: usize, step: f64| {
            let (mut camera, mut point, mut weight) = (camera, point, weight);
            *camera.iter_mut().chain(&mut point).chain([&mut weight]).nth(i).unwrap() += step;
            reprojection_error(&camera, &point, weight, &observed)
        };
        // Without a rotation the errors depend on a rotation's square root: differences are of no use there.
        let from = if turn == 1.0 { 0 } else { 3 };
        for k in 0..2 {
            let by = |i: usize| (at(i, 1e-6)[k] - at(i, -1e-6)[k]) / 2e-6;
            let differences: Vec<f64> = (from..15).map(by).collect();
            assert_close(&rows[k][from..], &differences, 1e-8);
        }
    }
}
