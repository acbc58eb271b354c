//! `#[derive(Differentiable)]`: the tangent type, the tree of leaves, and what functions see of it.

use crate::common::{assert_gradient, inner};
use autodiff::Path;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Named {
    scale: f64,
    bias: [f64; 2],
    w: Tensor2<f64, 2, 3>,
    matrix: [[f64; 2]; 2],
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Tuple(f64, [f64; 2]);

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Generic<T: Real, const N: usize> {
    x: [T; N],
    t: Tensor1<T, N>,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct WithWhere<T>
where
    T: Real,
{
    x: T,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Nested {
    first: Tuple,
    layers: [Generic<f64, 2>; 3],
    pair: (f64, Tuple),
}

/// Integers, truth values and what is marked carry no derivative.
#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Mixed {
    w: f64,
    steps: usize,
    on: bool,
    labels: [u8; 3],
    #[no_diff]
    name: String,
    #[no_diff]
    running_mean: Tensor1<f64, 2>,
    r#type: f64,
}

/// Its constants and its visibilities are its own.
mod private {
    use autodiff::prelude::*;

    const WIDTH: usize = 2;

    #[derive(Differentiable, Clone, Debug)]
    pub struct Sealed {
        pub shown: Tensor1<f64, { WIDTH + 1 }>,
        hidden: [f64; WIDTH],
    }

    impl Sealed {
        pub fn new(value: f64) -> Self {
            Sealed { shown: Tensor1::full(value), hidden: [value; WIDTH] }
        }

        pub fn hidden_gradient(g: &SealedTangent) -> [f64; WIDTH] {
            g.hidden
        }
    }

    #[differentiable]
    pub fn energy(s: &Sealed) -> f64 {
        s.hidden[0] * s.hidden[1] + s.shown.sum()
    }
}

fn named() -> Named {
    Named {
        scale: 2.0,
        bias: [3.0, 4.0],
        w: Tensor2::from([[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]),
        matrix: [[11.0, 12.0], [13.0, 14.0]],
    }
}

fn nested() -> Nested {
    let layer = |k: f64| Generic { x: [k, k + 1.0], t: Tensor1::from([k + 2.0, k + 3.0]) };
    Nested {
        first: Tuple(1.0, [2.0, 3.0]),
        layers: [layer(4.0), layer(8.0), layer(12.0)],
        pair: (16.0, Tuple(17.0, [18.0, 19.0])),
    }
}

fn mixed() -> Mixed {
    Mixed {
        w: 1.5,
        steps: 7,
        on: true,
        labels: [1, 2, 3],
        name: "mixed".into(),
        running_mean: Tensor1::zeros(),
        r#type: -2.0,
    }
}

fn flat<T: Differentiable<Scalar = f64>>(value: &T) -> Vec<f64> {
    let mut flat = vec![0.0; value.flat_len()];
    value.copy_to_flat(&mut flat);
    flat
}

fn paths<T: Differentiable<Scalar = f64>>(value: &T) -> Vec<String> {
    let mut paths = Vec::new();
    value.visit_leaves(&Path::ROOT, &mut |at, dims, _| paths.push(format!("{at} {dims:?}")));
    paths
}

#[test]
fn flat_views_in_order_of_declaration() {
    assert_eq!(flat(&named()), (2..15).map(f64::from).collect::<Vec<_>>());
    assert_eq!(flat(&nested()), (1..20).map(f64::from).collect::<Vec<_>>());
    assert_eq!(flat(&mixed()), [1.5, -2.0]);
    let mut copy = nested();
    copy.set_zero();
    assert_eq!(flat(&copy), [0.0; 19]);
    copy.copy_from_flat(&flat(&nested()));
    assert_eq!(copy, nested());
}

#[test]
fn leaves_have_names_and_shapes() {
    assert_eq!(paths(&named()), ["scale []", "bias [2]", "w [2, 3]", "matrix [2, 2]"]);
    assert_eq!(paths(&Tuple(0.0, [0.0; 2])), ["0 []", "1 [2]"]);
    assert_eq!(paths(&mixed()), ["w []", "type []"]);
    let expected = [
        "first.0 []",
        "first.1 [2]",
        "layers.0.x [2]",
        "layers.0.t [2]",
        "layers.1.x [2]",
        "layers.1.t [2]",
        "layers.2.x [2]",
        "layers.2.t [2]",
        "pair.0 []",
        "pair.1.0 []",
        "pair.1.1 [2]",
    ];
    assert_eq!(paths(&nested()), expected);
    assert_eq!(paths(&nested().zero_tangent()), expected);
}

#[test]
fn tangents_are_structs_of_the_same_shape() {
    let tangent = NamedTangent { scale: 1.0, bias: [0.0; 2], w: Tensor2::zeros(), matrix: [[0.0; 2]; 2] };
    let mut zero: NamedTangent = named().zero_tangent();
    assert_eq!(flat(&zero), [0.0; 13]);
    zero.scale = 1.0;
    assert_eq!(zero, tangent);

    let tangent = nested().zero_tangent();
    assert_eq!(tangent.layers[1], GenericTangent { x: [0.0; 2], t: Tensor1::zeros() });
    assert_eq!((tangent.first, tangent.pair.1), (TupleTangent(0.0, [0.0; 2]), TupleTangent(0.0, [0.0; 2])));
    let MixedTangent { w: 0.0, steps: (), on: (), labels: (), name: (), running_mean: (), r#type: 0.0 } =
        mixed().zero_tangent()
    else {
        panic!("inactive fields have no tangent");
    };
    // The tangent of a tangent is of its own type.
    let _: GenericTangent<f32, 4> = GenericTangent::<f32, 4> { x: [0.0; 4], t: Tensor1::zeros() }.zero_tangent();
}

#[test]
fn zip_map_and_update() {
    let (value, mut moved) = (nested(), nested());
    let mut ones = value.zero_tangent();
    ones.map_leaves(&mut |data| data.fill(1.0));
    assert_eq!(inner(&value, &ones), (1..20).map(f64::from).sum::<f64>());

    moved.add_scaled(-0.5, &ones);
    assert_eq!(flat(&moved), (1..20).map(|k| f64::from(k) - 0.5).collect::<Vec<_>>());
    moved.zip_leaves_mut(&ones, &mut |x, t| x.iter_mut().zip(t).for_each(|(x, t)| *x += t / 2.0));
    assert_eq!(moved, value);

    // What an optimiser does: two states beside each leaf and its gradient.
    let (mut first, mut second) = (value.zero_tangent(), ones.clone());
    moved.update_leaves(&ones, [&mut first, &mut second], &mut |x, g, [m, v]| {
        for (((x, g), m), v) in x.iter_mut().zip(g).zip(m.iter_mut()).zip(v.iter_mut()) {
            *m += g;
            *v += 2.0 * g;
            *x -= *m * *v;
        }
    });
    assert_eq!((flat(&first), flat(&second)), (vec![1.0; 19], vec![3.0; 19]));
    assert_eq!(flat(&moved), (1..20).map(|k| f64::from(k) - 3.0).collect::<Vec<_>>());
}

#[test]
fn optimisers_take_derived_structs() {
    let mut value = mixed();
    let sgd = autodiff::optim::Sgd::new(0.5);
    let gradient = MixedTangent { w: 1.0, r#type: -1.0, ..value.zero_tangent() };
    sgd.step(&mut value, &gradient);
    assert_eq!(value, Mixed { w: 1.0, r#type: -1.5, ..mixed() });
}

#[differentiable]
fn everything(named: &Named, nested: &Nested, mixed: &Mixed, other: WithWhere<f64>) -> f64 {
    let a = named.w.sum() * named.scale + named.bias[0] * named.matrix[1][0];
    let b = nested.layers[0].x[1] * nested.layers[2].t[[0]] + nested.first.1[1] * nested.pair.1.0;
    a * mixed.w + b * mixed.r#type * other.x + nested.pair.0 * mixed.running_mean[[1]]
}

#[test]
fn functions_of_derived_structs() {
    let (a, b, c, d) = (named(), nested(), mixed(), WithWhere { x: 0.3 });
    let (a_bar, b_bar, c_bar, d_bar) = everything::grad(&a, &b, &c, d.clone());
    let f = |a: &Named, b: &Nested, c: &Mixed, d: &WithWhere<f64>| everything(a, b, c, d.clone()) / 100.0;
    let scaled = |flat: Vec<f64>| flat.into_iter().map(|x| x / 100.0).collect::<Vec<_>>();
    let mut tangent = a.zero_tangent();
    tangent.copy_from_flat(&scaled(flat(&a_bar)));
    assert_gradient(&a, &tangent, |a| f(a, &b, &c, &d));
    let mut tangent = b.zero_tangent();
    tangent.copy_from_flat(&scaled(flat(&b_bar)));
    assert_gradient(&b, &tangent, |b| f(&a, b, &c, &d));
    let mut tangent = c.zero_tangent();
    tangent.copy_from_flat(&scaled(flat(&c_bar)));
    assert_gradient(&c, &tangent, |c| f(&a, &b, c, &d));
    assert_gradient(&d, &WithWhereTangent { x: d_bar.x / 100.0 }, |d| f(&a, &b, &c, d));
}

#[differentiable]
fn generic_norm<T: Real, const N: usize>(p: &Generic<T, N>) -> T {
    (p.t * p.t).sum() + p.x[0] * p.x[0]
}

#[test]
fn generic_structs() {
    let p = Generic { x: [3.0_f32, 1.0], t: Tensor1::from([2.0, -1.0]) };
    assert_eq!(
        generic_norm::value_and_grad(&p),
        (14.0, GenericTangent { x: [6.0, 0.0], t: Tensor1::from([4.0, -2.0]) })
    );
    let p = Generic { x: [3.0_f64], t: Tensor1::from([2.0]) };
    assert_eq!(generic_norm::grad(&p).t, Tensor1::from([4.0]));
}

#[test]
fn private_fields_and_constants_stay_private() {
    let s = private::Sealed::new(3.0);
    let g = private::energy::grad(&s);
    assert_eq!((private::Sealed::hidden_gradient(&g), g.shown), ([3.0, 3.0], Tensor1::ones()));
    assert_eq!(s.flat_len(), 5);
}
