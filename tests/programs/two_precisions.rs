//! Structs and functions with numbers of `f32` and of `f64`. The derivative passes through conversions, and each
//! gradient is of the type of its number. The numbers are such that nothing is rounded.

use autodiff::optim::Adam;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Model {
    gain: f64,
    weights: [f32; 4],
    table: Tensor1<f32, 2>,
    list: Vec<f32>,
    at: usize,
}

#[differentiable(order = 2)]
fn response(m: &Model, x: f64) -> f64 {
    let mut sum = 0.0;
    for w in &m.weights {
        sum += f64::from(*w) * x;
    }
    let mut single = 0.0;
    for w in &m.list {
        single += w * w;
    }
    let scaled = x as f32 * m.table[[1]];
    m.gain * sum + single as f64 + f64::from(scaled) + (m.gain * x) as f32 as f64
}

fn model() -> Model {
    let table = Tensor1::from([1.0, 0.5]);
    Model { gain: 0.5, weights: [1.0, 2.0, 3.0, 4.0], table, list: vec![1.5, 2.0, 0.25], at: 2 }
}

#[test]
fn each_field_in_its_type() {
    let m = model();
    let (value, (g, by_x)) = response::value_and_grad(&m, 2.0);
    assert_eq!(value, response(&m, 2.0));
    assert_eq!(value, 0.5 * 20.0 + (2.25 + 4.0 + 0.0625) + 1.0 + 1.0);
    let gain: f64 = g.gain;
    let weights: [f32; 4] = g.weights;
    let list: Vec<f32> = g.list;
    assert_eq!((gain, weights, list), (20.0 + 2.0, [1.0; 4], vec![3.0, 4.0, 0.5]));
    assert_eq!((g.table, by_x), (Tensor1::from([0.0, 2.0]), 0.5 * 10.0 + 0.5 + 0.5));
}

#[test]
fn in_every_mode() {
    let m = model();
    let (value, (g, by_x)) = response::value_and_grad(&m, 2.0);
    let (again, pullback) = response::vjp(&m, 2.0);
    assert_eq!((again, pullback(1.0)), (value, (g.clone(), by_x)));
    let (_, slope) = response::jvp(&m, 2.0, &g, 1.0);
    let squares = g.gain * g.gain + 4.0 + 9.0 + 16.0 + 0.25 + 4.0;
    assert_eq!(slope, squares + by_x);
    let mut along = m.zero_tangent();
    along.gain = 1.0;
    along.list = vec![1.0, 0.0, 0.0];
    let (second, by_x) = response::hvp(&m, 2.0, &along, 1.0);
    assert_eq!((second.gain, by_x), (10.0 + 1.0, 10.0 + 1.0));
    assert_eq!((second.weights, second.list), ([2.0 + 0.5; 4], vec![2.0, 0.0, 0.0]));
}

#[test]
fn leaves_are_doubles() {
    let mut m = model();
    let g = response::grad(&m, 2.0).0;
    let mut flat = vec![0.0_f64; m.flat_len()];
    m.copy_to_flat(&mut flat);
    assert_eq!(flat, [0.5, 1.0, 2.0, 3.0, 4.0, 1.0, 0.5, 1.5, 2.0, 0.25]);
    m.add_scaled(0.5, &g);
    assert_eq!((m.gain, m.weights, m.list[1]), (11.5, [1.5, 2.5, 3.5, 4.5], 4.0));
    assert_eq!(g.inner_product(&g), 22.0 * 22.0 + 4.0 + 4.0 + 9.0 + 16.0 + 0.25);
    m.copy_from_flat(&flat);
    assert_eq!(m, model());
    // What is stored is rounded to nearest.
    flat[1] = 0.1;
    m.copy_from_flat(&flat);
    assert_eq!(m.weights[0], 0.1_f32);
    let mut adam = Adam::new(&m, 0.125);
    let before = m.clone();
    adam.step(&mut m, &g);
    assert!(m.gain < before.gain && m.weights.iter().zip(before.weights).all(|(after, before)| *after < before));
}

#[derive(Differentiable, Clone, Debug)]
enum Layer {
    Fine(f64, usize),
    Coarse { w: [f32; 2], boxed: Box<f32> },
    Both(Box<Model>),
    Nothing,
}

#[differentiable(order = 2)]
fn run(layer: &Layer, x: f64) -> f64 {
    match layer {
        Layer::Fine(w, n) => w * x * *n as f64,
        Layer::Coarse { w, boxed } => f64::from(w[0] * w[1]) * x + f64::from(**boxed),
        Layer::Both(m) => m.gain * f64::from(m.weights[m.at]) * x,
        Layer::Nothing => x,
    }
}

#[derive(Differentiable, Clone, Debug)]
struct Net {
    layers: [Layer; 2],
    models: Vec<Model2>,
    bias: f64,
}

#[derive(Differentiable, Clone, Debug)]
struct Model2 {
    w: f32,
    gain: f64,
}

#[differentiable(order = 2)]
fn all(net: &Net, x: f64) -> f64 {
    let mut y = net.bias;
    for layer in &net.layers {
        y += run(layer, x);
    }
    for m in &net.models {
        y += f64::from(m.w) * m.gain * x;
    }
    y
}

#[test]
fn enums_and_nodes() {
    let coarse = Layer::Coarse { w: [2.0, 3.0], boxed: Box::new(0.5) };
    let net =
        Net { layers: [coarse, Layer::Both(Box::new(model()))], models: vec![Model2 { w: 0.5, gain: 4.0 }], bias: 1.0 };
    let (g, by_x) = all::grad(&net, 2.0);
    assert_eq!((g.layers[0].coarse.w, g.layers[0].coarse.boxed), ([6.0_f32, 4.0], 1.0_f32));
    assert_eq!((g.layers[1].both.0.gain, g.layers[1].both.0.weights[2]), (6.0_f64, 1.0_f32));
    assert_eq!((g.models[0].w, g.models[0].gain, by_x), (8.0_f32, 1.0_f64, 6.0 + 1.5 + 2.0));
    let mut names = Vec::new();
    net.layers[0].visit_leaves(&autodiff::Path::ROOT, &mut |at, _, data| names.push(format!("{at} {data:?}")));
    assert!(names.contains(&"coarse.w [2.0, 3.0]".to_owned()), "{names:?}");
    assert_eq!(run::grad(&Layer::Fine(2.0, 3), 0.5).0.fine.0, 1.5);
    assert_eq!(run::grad(&Layer::Nothing, 0.5).1, 1.0);
}

#[differentiable(order = 2)]
fn converted(x: f64, w: f32) -> f64 {
    let into: f64 = w.into();
    let narrow = (x * x) as f32;
    into * x + f64::from(narrow * w)
}

#[differentiable(order = 2)]
fn narrowed(x: f64, w: f32) -> f32 {
    converted(x, w) as f32 + w
}

/// Variables of which only a later use tells the type.
#[differentiable]
fn guessed(x: f64, w: &[f32; 3]) -> f64 {
    let mut sum = 0.0;
    let mut most = 0.5;
    let mut double = 1.0;
    let mut each = [0.0; 3];
    let mut list = Vec::new();
    for i in 0..3 {
        sum += w[i];
        if w[i] > most {
            most = w[i];
        }
        double *= x;
        each[i] = w[i] * 2.0;
        list.push(f64::from(w[i]) * x);
    }
    let product = w.iter().fold(1.0, |a, b| a * b);
    let last: f32 = each.iter().sum();
    f64::from(sum) + f64::from(most) * double + f64::from(product) + f64::from(last) + list.iter().sum::<f64>()
}

#[test]
fn functions() {
    let (by_x, by_w): (f64, f32) = converted::grad(2.0, 3.0);
    assert_eq!((by_x, by_w), (3.0 + 12.0, 2.0 + 4.0));
    let (by_x, by_w): (f64, f32) = converted::hvp(2.0, 3.0, 1.0, 0.0);
    assert_eq!((by_x, by_w), (6.0, 1.0 + 4.0));
    let (by_x, by_w): (f64, f32) = narrowed::grad(2.0, 3.0);
    assert_eq!((by_x, by_w), (15.0, 7.0));
    assert_eq!(narrowed::jvp(2.0, 3.0, 1.0, 1.0).1, 22.0);
    let (by_x, by_w) = guessed::grad(2.0, &[1.0, 2.0, 4.0]);
    assert_eq!((by_x, by_w), (4.0 * 12.0 + 7.0, [1.0 + 8.0 + 2.0 + 2.0, 1.0 + 4.0 + 4.0, 1.0 + 8.0 + 2.0 + 4.0]));
}
