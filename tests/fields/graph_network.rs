//! A graph convolutional network for two classes of nodes, with tensors for weights and lists for the graph.
use autodiff::prelude::*;

pub struct Graph {
    pub neighbours: Vec<Vec<usize>>,
}

impl Graph {
    pub fn degree(&self, node: usize) -> f64 {
        (self.neighbours[node].len() + 1) as f64
    }
}

#[derive(Clone, Debug, Differentiable)]
pub struct Gcn {
    pub w1: Tensor2<f64, 3, 4>,
    pub b1: Tensor1<f64, 4>,
    pub w2: Tensor2<f64, 4, 2>,
}

#[differentiable]
fn propagate<const N: usize, const F: usize>(x: &Tensor2<f64, N, F>, #[no_diff] graph: &Graph) -> Tensor2<f64, N, F> {
    let mut y = Tensor2::<f64, N, F>::zeros();
    for i in 0..N {
        let di = graph.degree(i);
        for f in 0..F {
            let mut sum = x[[i, f]] / di;
            for &j in &graph.neighbours[i] {
                sum += x[[j, f]] / (di * graph.degree(j)).sqrt();
            }
            y[[i, f]] = sum;
        }
    }
    y
}

#[differentiable]
pub fn loss(
    model: &Gcn,
    x: &Tensor2<f64, 5, 3>,
    #[no_diff] graph: &Graph,
    #[no_diff] labels: &[Option<usize>; 5],
) -> f64 {
    let h = (propagate(x, graph).matmul(&model.w1) + &model.b1).relu();
    let logits = propagate(&h, graph).matmul(&model.w2);
    let p = logits.log_softmax(1);
    let mut total = 0.0;
    let mut count = 0;
    for (node, label) in labels.iter().enumerate() {
        if let Some(class) = label {
            total -= p[[node, *class]];
            count += 1;
        }
    }
    total / count as f64
}

#[test]
fn gradient() {
    let model = Gcn {
        w1: Tensor2::from_fn(|[i, j]| ((i * 4 + j) as f64 * 0.7).sin()),
        b1: Tensor1::from_fn(|[i]| 0.1 * i as f64 + 0.05),
        w2: Tensor2::from_fn(|[i, j]| ((i + 3 * j) as f64 * 1.3).cos()),
    };
    let x = Tensor2::from_fn(|[i, j]| ((i * 3 + j) as f64 * 0.9).cos());
    let graph = Graph { neighbours: vec![vec![1, 2], vec![0], vec![0, 3], vec![2, 4], vec![3]] };
    autodiff::check_grads!(loss, &model, &x, &graph, &[Some(0), None, Some(1), None, Some(1)]);
}
