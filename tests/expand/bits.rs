//! The same input gives the same bits: on every run, and in debug and in release. `.ci/run` compares what this
//! prints in both.

use autodiff::{Tensor1, Tensor2};

mod network {
    use autodiff::prelude::*;
    include!("network.rs");
}
mod cross_entropy {
    use autodiff::prelude::*;
    include!("cross_entropy.rs");
}
mod rosenbrock {
    use autodiff::prelude::*;
    include!("rosenbrock.rs");
}
mod second {
    use autodiff::prelude::*;
    include!("second.rs");
}

/// Numbers without a pattern, between -1 and 1, that do not depend on any library. They are hidden from the optimiser:
/// what it computes at compile time, such as the `tanh` of a constant, it may round in another way than the program would.
fn number(k: usize) -> f64 {
    ((std::hint::black_box(k) * 7919 + 104_729) % 1_000_003) as f64 / 500_001.5 - 1.0
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

fn steady(name: &str, numbers: impl Fn() -> Vec<f64>) {
    let first = bits(&numbers());
    for _ in 0..3 {
        assert_eq!(bits(&numbers()), first, "{name}");
    }
    let folded =
        first.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, bits| (hash ^ bits).wrapping_mul(0x0100_0000_01b3));
    println!("\nbits {name} {folded:016x}");
}

#[test]
fn loops() {
    let x: [f64; 64] = std::array::from_fn(number);
    steady("rosenbrock", || {
        let (y, g) = rosenbrock::rosenbrock::value_and_grad(&x);
        [&[y], &g[..]].concat()
    });
    let (x, v) = ([number(70), number(71)], [number(72), number(73)]);
    steady("second", || {
        let (by_x, by_w) = second::potential::hvp(&x, 0.7, &v, 1.0);
        vec![by_x[0], by_x[1], by_w]
    });
}

#[test]
fn kernels_and_fused_loops() {
    let p = network::Network {
        w1: Tensor2::from_fn(|[i, j]| number(8 * i + j) as f32),
        b1: Tensor1::from_fn(|[j]| number(40 + j) as f32),
        w2: Tensor2::from_fn(|[i, _]| number(50 + i) as f32),
        b2: Tensor1::from([0.1]),
    };
    let x = Tensor2::from_fn(|[i, j]| number(60 + 2 * i + j) as f32);
    let y = Tensor2::from([[0.0], [1.0], [1.0], [0.0]]);
    steady("network", || {
        let (value, g) = network::network::value_and_grad(&p, &x, &y);
        let leaves = [g.w1.as_slice(), g.b1.as_slice(), g.w2.as_slice(), g.b2.as_slice(), &[value]].concat();
        leaves.into_iter().map(f64::from).collect()
    });
}

#[test]
fn softmax() {
    let logits = Tensor2::<f64, 5, 10>::from_fn(|[i, j]| 5.0 * number(10 * i + j));
    steady("cross_entropy", || {
        let (y, g) = cross_entropy::cross_entropy::value_and_grad(&logits, &[3, 0, 9, 9, 5]);
        [&[y], g.as_slice()].concat()
    });
}
