//! The order of the sum, its memory and its limits.

use super::*;
use rayon::ThreadPoolBuilder;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::string::String;
use std::thread;
use std::time::Duration;
use std::vec;

type Params = (f32, Vec<f32>);

fn examples(n: usize) -> Vec<f32> {
    (0..n).map(|i| ((7 * i + 3) as f32).sin()).collect()
}

fn params() -> Params {
    (0.3, vec![0.5, -0.25, 0.125])
}

/// Σ (p₀·x + p₁[i mod 3])³, in `f32`, where an order of summation is seen.
fn cubes(params: &Params, chunk: &[f32], gradient: &mut Params) -> f32 {
    *gradient = params.zero_tangent();
    let mut value = 0.0;
    for x in chunk {
        for i in 0..3 {
            let at = params.0 * x + params.1[i];
            value += at * at * at;
            gradient.0 += 3.0 * at * at * x;
            gradient.1[i] += 3.0 * at * at;
        }
    }
    value
}

fn bits((value, gradient): &(f32, Params)) -> Vec<u32> {
    [*value, gradient.0].iter().chain(&gradient.1).map(|x| x.to_bits()).collect()
}

fn on<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads").install(run)
}

/// The tree, by its definition.
fn by_recursion(chunks: &[&[f32]]) -> (f32, Params) {
    if let [chunk] = chunks {
        let mut gradient = params().zero_tangent();
        return (cubes(&params(), chunk, &mut gradient), gradient);
    }
    let (first, second) = chunks.split_at(chunks.len().next_power_of_two() / 2);
    let (mut sum, other) = (by_recursion(first), by_recursion(second));
    sum.0 += other.0;
    sum.1.add_scaled(1.0, &other.1);
    sum
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    for n in [1, 2, 7, 64, 100, 1000, 1001] {
        let examples = examples(n);
        for chunk_len in [1, 3, 16, 2000] {
            let expected = by_recursion(&examples.chunks(chunk_len).collect::<Vec<_>>());
            for threads in [1, 2, 3, 4] {
                let found = on(threads, || value_and_grad(&params(), &examples, chunk_len, cubes));
                assert_eq!(bits(&found), bits(&expected), "{n} examples in chunks of {chunk_len}, {threads} threads");
            }
        }
    }
}

/// Some chunks take much longer than others, so that sums come in another order every time.
#[test]
fn the_same_bits_when_threads_overtake_each_other() {
    let examples = examples(64);
    let slowly = |p: &Params, chunk: &[f32], gradient: &mut Params| {
        let value = cubes(p, chunk, gradient);
        thread::sleep(Duration::from_micros(u64::from(value.to_bits() % 5) * 300));
        value
    };
    let expected = bits(&by_recursion(&examples.chunks(2).collect::<Vec<_>>()));
    for threads in [2, 4, 8] {
        assert_eq!(bits(&on(threads, || value_and_grad(&params(), &examples, 2, slowly))), expected);
    }
}

/// The order is one of the tree, not of the examples: of `f32` the bits differ, and rounding is all that differs.
#[test]
fn one_sum_after_the_other_to_rounding() {
    let examples = examples(1000);
    let mut gradient = params().zero_tangent();
    let value = cubes(&params(), &examples, &mut gradient);
    let serial = (value, gradient);
    let tree = value_and_grad(&params(), &examples, 7, cubes);
    assert_ne!(bits(&serial), bits(&tree));
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-5 * a.abs().max(1.0);
    assert!(near(serial.0, tree.0) && near(serial.1.0, tree.1.0), "{serial:?} {tree:?}");
    assert!(serial.1.1.iter().zip(&tree.1.1).all(|(a, b)| near(*a, *b)), "{serial:?} {tree:?}");
}

#[test]
fn nothing_and_less_than_a_chunk() {
    let none: (f32, Params) = value_and_grad(&params(), &[], 4, |_, _: &[f32], _| panic!("there is no chunk"));
    assert_eq!(none, (0.0, params().zero_tangent()));
    let mut gradient = (7.0, vec![7.0; 3]);
    let value = value_and_grad_into(&params(), &[], 4, |_, _: &[f32], _| panic!("there is no chunk"), &mut gradient);
    assert_eq!((value, gradient), none);

    let lengths = Mutex::new(Vec::new());
    value_and_grad(&0.0_f64, &[(); 10], 4, |_, chunk, _| {
        lengths.lock().expect("no panic").push(chunk.len());
        0.0
    });
    let mut lengths = lengths.into_inner().expect("no panic");
    lengths.sort_unstable();
    assert_eq!(lengths, [2, 4, 4]);
    assert_eq!(value_and_grad(&1.0_f64, &[(); 3], usize::MAX, |_, chunk, _| chunk.len() as f64).0, 3.0);
}

#[test]
#[should_panic(expected = "a chunk has at least one example, not 0")]
fn chunks_of_nothing() {
    value_and_grad(&0.0_f64, &[1.0], 0, |_, _, _| 0.0);
}

#[test]
fn a_panic_reaches_the_caller() {
    let message = catch_unwind(AssertUnwindSafe(|| {
        value_and_grad(&0.0_f64, &[1, 2, 3], 1, |_, chunk, _| if chunk[0] == 2 { panic!("two") } else { 0.0 })
    }));
    assert_eq!(
        message.expect_err("a panic").downcast_ref::<&str>().map(|text| String::from(*text)).as_deref(),
        Some("two")
    );
}

/// How many gradients there were at the same time: as many as places that one was written to.
fn places(threads: usize, chunks: usize) -> usize {
    let places = Mutex::new(BTreeSet::new());
    let examples = vec![1.0; chunks];
    on(threads, || {
        value_and_grad(&0.0_f64, &examples, 1, |_, chunk, gradient| {
            places.lock().expect("no panic").insert(std::ptr::from_mut(gradient) as usize);
            *gradient = chunk[0];
            chunk[0]
        })
    });
    places.into_inner().expect("no panic").len()
}

#[test]
fn the_memory_grows_with_the_depth_of_the_tree() {
    // One for each level below the root that waits, and one in work.
    for depth in [1, 2, 5, 10] {
        assert_eq!(places(1, 1 << depth), depth + 1, "{depth} levels");
    }
    for threads in [2, 4] {
        assert!(places(threads, 4096) <= (threads + 1) * 12 + threads);
    }
}
