//! `autodiff::parallel`: gradients of sums over examples on several threads.

use autodiff::parallel;
use autodiff::prelude::*;
use rayon::ThreadPoolBuilder;

#[derive(Differentiable, Clone)]
struct Mlp {
    w1: Tensor2<f32, 2, 8>,
    b1: Tensor1<f32, 8>,
    w2: Vec<f32>,
    b2: f32,
    #[no_diff]
    name: &'static str,
}

#[derive(Differentiable, Clone)]
struct Example {
    x: [f32; 2],
    y: f32,
}

#[differentiable]
fn loss(p: &Mlp, #[no_diff] examples: &[Example]) -> f32 {
    let mut sum = 0.0;
    for example in examples {
        let mut y = p.b2;
        for j in 0..8 {
            let h = example.x[0] * p.w1[[0, j]] + example.x[1] * p.w1[[1, j]] + p.b1[j];
            y += h.tanh() * p.w2[j];
        }
        sum += (y - example.y) * (y - example.y);
    }
    sum
}

fn model() -> Mlp {
    Mlp {
        w1: Tensor2::from_fn(|[i, j]| ((3 * i + j) as f32).sin()),
        b1: Tensor1::from_fn(|[i]| 0.1 * i as f32),
        w2: (0..8).map(|i| (i as f32).cos()).collect(),
        b2: 0.25,
        name: "small",
    }
}

fn examples(n: usize) -> Vec<Example> {
    (0..n).map(|i| i as f32).map(|t| Example { x: [t.sin(), (0.7 * t).cos()], y: (0.3 * t).sin() }).collect()
}

fn flat(value: f32, gradient: &MlpTangent) -> Vec<f32> {
    let mut flat = vec![value; 1 + gradient.flat_len()];
    gradient.copy_to_flat(&mut flat[1..]);
    flat
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn a_struct_of_parameters_in_a_line() {
    let (p, examples) = (model(), examples(203));
    assert_eq!(p.name, "small");
    let (value, gradient) = loss::value_and_grad(&p, &examples);
    let serial = flat(value, &gradient);

    let mut found = Vec::new();
    for threads in [1, 2, 4] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
        let (value, gradient) = pool.install(|| parallel::value_and_grad(&p, &examples, 8, loss::value_and_grad_into));
        found.push(flat(value, &gradient));

        let mut into = p.zero_tangent();
        let value =
            pool.install(|| parallel::value_and_grad_into(&p, &examples, 8, loss::value_and_grad_into, &mut into));
        found.push(flat(value, &into));
    }
    assert!(found.windows(2).all(|pair| bits(&pair[0]) == bits(&pair[1])), "{found:?}");
    for (a, b) in serial.iter().zip(&found[0]) {
        assert!((a - b).abs() <= 1e-5 * (1.0 + a.abs()), "{serial:?} {found:?}");
    }
}

/// Indices of examples in the order of an epoch, by a closure.
#[test]
fn a_closure_over_indices() {
    let (p, examples) = (model(), examples(50));
    let order: Vec<usize> = (0..50).map(|i| (i * 7) % 50).collect();
    let (value, gradient) = parallel::value_and_grad(&p, &order, 4, |p, chunk, gradient| {
        let chosen: Vec<Example> = chunk.iter().map(|&i| examples[i].clone()).collect();
        loss::value_and_grad_into(p, &chosen, gradient)
    });
    let (expected, by_all) = loss::value_and_grad(&p, &examples);
    for (a, b) in flat(expected, &by_all).iter().zip(flat(value, &gradient)) {
        assert!((a - b).abs() <= 1e-5 * (1.0 + a.abs()), "{a} {b}");
    }
}

#[test]
fn no_examples() {
    let p = model();
    let (value, gradient) = parallel::value_and_grad(&p, &[], 8, loss::value_and_grad_into);
    assert!(flat(value, &gradient).iter().all(|x| *x == 0.0));
}
