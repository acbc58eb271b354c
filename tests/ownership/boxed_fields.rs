//! Fields that are boxes are their contents; the tangent has no box.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Differentiable, Clone, Debug)]
struct Model {
    weights: Box<[f64; 4]>,
    point: Box<Point>,
    gain: Box<f64>,
    table: Box<Tensor1<f64, 3>>,
    list: Box<Vec<f64>>,
    path: Box<Vec<Point>>,
    at: usize,
}

#[differentiable(order = 2)]
fn area(p: &Point) -> f64 {
    p.x * p.y
}

#[differentiable(order = 2)]
fn response(m: &Model, x: f64) -> f64 {
    let mut sum = 0.0;
    for w in m.weights.iter() {
        sum += w * x * w;
    }
    let Point { x: a, y: b } = &*m.point;
    let along: f64 = m.path.iter().map(|p| p.x * p.x * p.y).sum();
    sum + a * b
        + *m.gain * x
        + m.table.sum() * x
        + m.list[0] * m.weights[m.at]
        + along
        + area(&m.point) * area(&m.path[1])
}

#[differentiable(order = 2)]
fn made(x: f64, n: usize) -> Model {
    let mut list: Box<Vec<f64>> = Box::new(Vec::new());
    for i in 0..n {
        list.push(x * i as f64);
    }
    Model {
        weights: Box::new([x, 0.5, x * x, 1.0]),
        point: Box::new(Point { x, y: 2.0 * x }),
        gain: Box::new(x * 3.0),
        table: Box::new(Tensor1::from([x, x, 1.0])),
        list,
        path: Box::new(vec![Point { x, y: x }, Point { x: 1.0, y: x * x }]),
        at: n % 4,
    }
}

#[differentiable(order = 2)]
fn change(m: &mut Model, x: f64) {
    m.weights[1] *= x;
    *m.gain += x;
    m.point.x = x * m.point.y;
    std::mem::swap(&mut m.point.x, &mut m.point.y);
    m.list[1] = x * m.weights[0];
    m.path[0].x *= x;
    *m.weights = [m.weights[1], x, m.weights[2], m.weights[3] * x];
    if x > 0.5 {
        m.point = Box::new(Point { y: x * x, ..*m.point });
    }
}

#[differentiable(order = 2)]
fn together(x: f64, n: usize) -> f64 {
    let mut m = made(x, n);
    for _ in 0..2 {
        change(&mut m, x);
    }
    response(&m, x * 2.0)
}

#[differentiable(order = 2)]
fn owned(m: Model, x: f64) -> f64 {
    let before = m.clone();
    let mut m = m;
    m.list.push(x);
    change(&mut m, x);
    let point = m.point;
    point.x * before.point.y + m.list.len() as f64 * x + *before.gain * m.weights[0]
}

#[derive(Differentiable, Clone, Debug)]
struct Short {
    weights: Box<[f64; 3]>,
    point: Box<Point>,
    at: usize,
}

#[differentiable(order = 2)]
fn of_list(shorts: &[Short], x: f64) -> f64 {
    let mut sum = x;
    for s in shorts {
        sum += s.point.x * x + s.weights[s.at] * s.point.y + area(&s.point);
    }
    sum
}

#[differentiable(order = 2)]
fn of_array(shorts: &[Short; 2], x: f64) -> f64 {
    of_list(shorts, x) + area(&shorts[1].point) * x
}

#[differentiable(order = 2)]
fn shorts(x: f64, n: usize) -> f64 {
    let mut list = Vec::new();
    for i in 0..n {
        let weights = Box::new([x, x * x, 1.0]);
        list.push(Short { weights, point: Box::new(Point { x, y: i as f64 }), at: i % 3 });
    }
    list[0].point.x *= x;
    of_list(&list, x)
}

#[differentiable(order = 2)]
fn optional(short: &Option<Short>, x: f64) -> f64 {
    match short {
        Some(s) => s.point.x * x + s.weights.iter().sum::<f64>() * x,
        None => x,
    }
}

#[derive(Differentiable, Clone, Debug)]
enum Act {
    Linear(Box<Line>),
    Scale { k: Box<f64>, v: Box<[f64; 2]> },
    Inner(Box<Mode>),
    Nothing,
}

#[derive(Differentiable, Clone, Debug)]
struct Line {
    w: Box<[f64; 2]>,
    n: usize,
}

#[derive(Differentiable, Clone, Debug)]
enum Mode {
    One(f64),
    Three(Box<[f64; 3]>),
}

#[differentiable(order = 2)]
fn run(act: &Act, x: f64) -> f64 {
    match act {
        Act::Linear(line) => line.w[0] * x * x + line.w[1] * line.n as f64,
        Act::Scale { k, v } => **k * x * v[0] + v[1] * x,
        Act::Inner(mode) => match &**mode {
            Mode::One(a) => a * a * x,
            Mode::Three(w) => w[0] * x + w.iter().sum::<f64>(),
        },
        Act::Nothing => x,
    }
}

#[differentiable(order = 2)]
fn act(x: f64, n: usize) -> Act {
    match n {
        0 => Act::Scale { k: Box::new(x), v: Box::new([x, x * x]) },
        1 => Act::Inner(Box::new(Mode::Three(Box::new([x, 1.0, x])))),
        2 => Act::Inner(Box::new(Mode::One(x))),
        3 => Act::Linear(Box::new(Line { w: Box::new([x, x * x]), n })),
        _ => Act::Nothing,
    }
}

#[derive(Differentiable, Clone, Debug)]
struct Holder {
    act: Box<Act>,
    gain: f64,
}

#[differentiable(order = 2)]
fn held(h: &Holder, x: f64) -> f64 {
    let first = match &*h.act {
        Act::Scale { k, .. } => **k,
        _ => 0.0,
    };
    run(&h.act, x) * h.gain + first
}

#[differentiable(order = 2)]
fn acts(x: f64) -> f64 {
    let mut sum = 0.0;
    for n in 0..5 {
        sum += held(&Holder { act: Box::new(act(x, n)), gain: x }, x * 0.5);
    }
    sum
}

#[derive(Differentiable, Clone, Debug)]
struct Generic<T: Real, const N: usize> {
    inner: Box<Inner<T, N>>,
    #[no_diff]
    label: Box<str>,
}

#[derive(Differentiable, Clone, Debug)]
struct Inner<T: Real, const N: usize> {
    w: [T; N],
    t: Tensor1<T, N>,
}

#[differentiable(order = 2)]
fn generic<T: Real, const N: usize>(g: &Generic<T, N>, x: T) -> T {
    let mut sum = g.inner.t.sum() * x;
    for w in g.inner.w {
        sum += w * x * x;
    }
    if g.label.len() > 1 { sum } else { -sum }
}

#[test]
fn structs() {
    let m = made(1.3, 3);
    check!(response(&m, x) by [m, x = 0.7]);
    check!(together(x, 3) by x = 0.8);
    check!(together(x, 2) by x = 0.3);
    check!(owned(m.clone(), x) by [m, x = 0.7]);
}

#[test]
fn lists() {
    let short = |x: f64, at| Short { weights: Box::new([x, 2.0, x]), point: Box::new(Point { x, y: 0.3 }), at };
    let list = vec![short(1.3, 0), short(0.4, 1)];
    check!(of_list(&list, x) by [list, x = 0.7]);
    let array = [short(1.3, 0), short(0.4, 1)];
    check!(of_array(&array, x) by array, x = 0.7);
    check!(shorts(x, 4) by x = 0.7);
    for some in [Some(short(0.2, 2)), None] {
        check!(optional(&some, x) by some, x = 0.7);
    }
}

#[test]
fn enums() {
    check!(acts(x) by x = 0.8);
    for n in 0..4 {
        let a = act(0.7, n);
        check!(run(&a, x) by a, x = 0.9);
        let h = Holder { act: Box::new(a), gain: 2.0 };
        check!(held(&h, x) by h, x = 0.9);
    }
}

#[test]
fn generics() {
    let inner = Inner { w: [1.0, 2.0], t: Tensor1::from([3.0, 4.0]) };
    let g = Generic { inner: Box::new(inner), label: "two".into() };
    check!(generic(&g, x) by g, x = 0.9);
}

#[test]
fn tangents_have_no_boxes() {
    let m = made(1.5, 2);
    let (gradient, _) = response::grad(&m, 2.0);
    let (gain, weights): (f64, [f64; 4]) = (gradient.gain, gradient.weights);
    assert_eq!((gain, weights[3]), (2.0, 4.0));
    let mut moved = m.clone();
    moved.add_scaled(0.5, &gradient);
    assert_eq!(*moved.gain, *m.gain + 1.0);

    let (y, pullback) = made::vjp(1.5, 2);
    let mut seed = y.zero_tangent();
    seed.gain = 2.0;
    seed.path[1].y = 1.0;
    assert_eq!(pullback(&seed), 2.0 * 3.0 + 2.0 * 1.5);

    let mut changed = m.clone();
    let ((), pullback) = change::vjp(&mut changed, 2.0);
    let mut seed = m.zero_tangent();
    seed.gain = 1.0;
    seed.weights[3] = 1.0;
    let (by_model, by_x) = pullback((), (seed, 0.0));
    assert_eq!((by_model.gain, by_model.weights[3], by_x), (1.0, 2.0, 1.0 + m.weights[3]));
}
