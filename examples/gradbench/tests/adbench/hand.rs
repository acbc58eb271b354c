//! Hand tracking.

use crate::data::{Expected, Numbers, Random, assert_close, read, with_files};
use gradbench::evals::ht::{Hand, Problem, Seen, THETA};
use std::path::Path;

#[test]
fn reference_values() {
    with_files(|directory| {
        let check = |problem: &Problem, name| {
            Expected::read(directory, name).compare(&problem.errors(), &columns(&problem.jacobian()));
        };
        check(&file(directory, "hand1_t26_c100.txt", false), "hand1_small.txt");
        check(&file(directory, "test_complicated.txt", true), "hand_test_complicated.txt");
    });
}

/// A matrix column by column.
fn columns(rows: &[Vec<f64>]) -> Vec<f64> {
    (0..rows[0].len()).flat_map(|column| rows.iter().map(move |row| row[column])).collect()
}

fn file(directory: &Path, name: &str, surface: bool) -> Problem {
    let (hand, triangles) = model(&directory.join("inputs/hand/model"));
    let text = read(&directory.join("inputs/hand").join(name));
    let mut numbers = Numbers::of(&text);
    let [count, thetas]: [usize; 2] = std::array::from_fn(|_| numbers.next());
    assert_eq!(thetas, THETA);
    let (found, points): (Vec<usize>, Vec<[f64; 3]>) =
        (0..count).map(|_| (numbers.next::<usize>(), numbers.array())).unzip();
    let seen = if surface {
        let us = (0..count).map(|_| numbers.array()).collect();
        Seen::Surface { corners: found.iter().map(|triangle| triangles[*triangle]).collect(), us }
    } else {
        Seen::Vertices(found)
    };
    // The complicated test file has only 26 of 30 numbers. ADBench reads zeros for the others.
    let theta = std::array::from_fn(|_| numbers.next_or_zero());
    Problem { theta, hand, points, seen }
}

/// A model, and the triangles of its skin.
fn model(directory: &Path) -> (Hand, Vec<[usize; 3]>) {
    let rows = |name: &str| -> Vec<Vec<String>> {
        let text = read(&directory.join(name));
        text.lines().map(|line| line.split(':').map(str::to_string).collect()).collect()
    };
    let number = |field: &String| field.parse::<f64>().unwrap();
    let index = |field: &String| field.parse::<usize>().unwrap();
    let bones = rows("bones.txt");
    let matrix = |fields: &[String]| std::array::from_fn(|i| std::array::from_fn(|j| number(&fields[4 * i + j])));
    let vertices = rows("vertices.txt");
    let weights = vertices.iter().flat_map(|fields| {
        let mut weights = vec![0.0; bones.len()];
        for pair in fields[9..].chunks_exact(2).take(index(&fields[8])) {
            weights[index(&pair[0])] = number(&pair[1]);
        }
        weights
    });
    let hand = Hand {
        parents: bones.iter().enumerate().map(|(bone, fields)| fields[1].parse().unwrap_or(bone)).collect(),
        relatives: bones.iter().map(|fields| matrix(&fields[2..18])).collect(),
        inverses: bones.iter().map(|fields| matrix(&fields[18..34])).collect(),
        weights: weights.collect(),
        vertices: vertices.iter().map(|f| [number(&f[0]), number(&f[1]), number(&f[2]), 1.0]).collect(),
        side: 1.0,
    };
    let triangles = rows("triangles.txt").iter().map(|f| [index(&f[0]), index(&f[1]), index(&f[2])]).collect();
    (hand, triangles)
}

#[test]
fn made_up() {
    let mut random = Random::new();
    let (bones, vertices) = (22, 12);
    let hand = Hand {
        parents: (0..bones).map(|bone: usize| bone.saturating_sub(if bone % 4 == 1 { bone } else { 1 })).collect(),
        relatives: (0..bones).map(|_| [random.array(), random.array(), random.array(), [0.0, 0.0, 0.0, 1.0]]).collect(),
        inverses: (0..bones).map(|_| [random.array(), random.array(), random.array(), [0.0, 0.0, 0.0, 1.0]]).collect(),
        vertices: (0..vertices).map(|_| [random.next(), random.next(), random.next(), 1.0]).collect(),
        weights: (0..vertices * bones).map(|i| if i % 3 == 0 { random.next() } else { 0.0 }).collect(),
        side: -1.0,
    };
    let seen = Seen::Surface { corners: vec![[0, 5, 7], [11, 2, 3]], us: vec![random.array(), random.array()] };
    let mut problem = Problem { theta: random.array(), hand, points: vec![random.array(), random.array()], seen };
    let jacobian = problem.jacobian();
    for i in 0..THETA {
        let mut moved = |step: f64| {
            problem.theta[i] += step;
            let errors = problem.errors();
            problem.theta[i] -= step;
            errors
        };
        let (above, below) = (moved(1e-5), moved(-1e-5));
        let differences: Vec<f64> = above.iter().zip(&below).map(|(a, b)| (a - b) / 2e-5).collect();
        let column: Vec<f64> = jacobian.iter().map(|row| row[i + 2]).collect();
        assert_close(&column, &differences, 1e-7);
    }
}
