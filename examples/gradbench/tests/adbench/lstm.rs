//! A recurrent network.

use crate::data::{Expected, Numbers, Random, assert_close, read, with_files};
use gradbench::evals::lstm::loss;

#[test]
fn reference_values() {
    with_files(|directory| {
        for name in ["lstm_l2_c1024.txt", "lstm_l4_c1024.txt"] {
            let text = read(&directory.join("inputs/lstm").join(name));
            let mut numbers = Numbers::of(&text);
            let [layers, characters, bits]: [usize; 3] = std::array::from_fn(|_| numbers.next());
            let main = numbers.take(8 * layers * bits);
            let extra = numbers.take(3 * bits);
            let state = numbers.take(2 * layers * bits);
            let sequence = numbers.take(characters * bits);
            let value = loss(&main, &extra, &state, &sequence, bits);
            let (by_main, by_extra) = loss::grad(&main, &extra, &state, &sequence, bits);
            Expected::read(directory, name).compare(&[value], &[by_main, by_extra].concat());
        }
    });
}

#[test]
fn made_up() {
    let mut random = Random::new();
    for (layers, characters, bits) in [(1, 2, 1), (2, 4, 5), (3, 20, 4)] {
        let [main, extra, state, sequence] =
            [8 * layers, 3, 2 * layers, characters].map(|rows| random.take(rows * bits));
        let moved = |i: usize, step: f64| {
            let (mut main, mut extra) = (main.clone(), extra.clone());
            *main.iter_mut().chain(&mut extra).nth(i).unwrap() += step;
            loss(&main, &extra, &state, &sequence, bits)
        };
        let count = main.len() + extra.len();
        let differences: Vec<f64> = (0..count).map(|i| (moved(i, 1e-5) - moved(i, -1e-5)) / 2e-5).collect();
        let (by_main, by_extra) = loss::grad(&main, &extra, &state, &sequence, bits);
        assert_close(&[by_main, by_extra].concat(), &differences, 1e-8);
    }
}
