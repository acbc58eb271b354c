//! Arrays of structs whose size is a name or a large number: made, changed, passed on, returned, in fields.

use crate::harness::check;
use autodiff::check_grads;
use autodiff::prelude::*;

const JOINTS: usize = 3;
const TWO: usize = 2;
const MANY: usize = 70;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Chain<const N: usize> {
    points: [Point; N],
    pair: ([Point; N], f64),
    rows: [[f64; 2]; N],
}

#[derive(Differentiable, Clone, Debug)]
struct Arm {
    points: [Point; JOINTS],
    ends: [Point; TWO],
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Number<T: Real> {
    value: T,
    slope: T,
}

#[differentiable(order = 2)]
impl Point {
    const ZERO: Point = Point { x: 0.0, y: 0.0 };

    fn times(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y * other.x
    }
}

#[differentiable(order = 2)]
fn turned(points: &[Point; JOINTS]) -> [Point; JOINTS] {
    let mut out = [Point::ZERO; JOINTS];
    for i in 0..JOINTS {
        out[i] = Point { x: points[i].x * points[i].y, y: points[i].x.sin() };
    }
    out
}

#[differentiable(order = 2)]
fn scaled<const N: usize>(points: &[Point; N], by: f64) -> [Point; N] {
    let mut out = [Point::ZERO; N];
    for (to, from) in out.iter_mut().zip(points) {
        to.x = from.x * from.y * by;
        to.y += from.x.sin();
    }
    out
}

#[differentiable(order = 2)]
fn total<const N: usize>(points: &[Point; N]) -> f64 {
    points.iter().map(|point| point.times(*point)).sum()
}

#[differentiable(order = 2)]
fn last<const N: usize>(points: [Point; N]) -> f64 {
    let mut points = points;
    for i in 1..N {
        points[i].x += points[i - 1].x * points[i].y;
    }
    points[N - 1].x
}

#[differentiable(order = 2)]
fn change<const N: usize>(points: &mut [Point; N], others: &[Point; N], by: f64) {
    for (point, other) in points.iter_mut().zip(others) {
        point.x += other.x * by;
        point.y *= other.y;
    }
}

#[differentiable(order = 2)]
fn of_slice(points: &[Point]) -> f64 {
    points.iter().map(|point| point.x * point.y).sum()
}

#[differentiable(order = 2)]
fn calls<const N: usize>(points: &[Point; N], by: f64) -> f64 {
    let mut own = *points;
    own[0].x *= by;
    let made = scaled(&own, by);
    change(&mut own, &made, by);
    let mut sum = 0.0;
    for k in 0..3 {
        own[k % N].y = made[0].x;
        sum += total(&own) + last(made) + of_slice(&own) + of_slice(&made[1..]);
    }
    sum
}

#[differentiable(order = 2)]
fn calls_by_name(points: &[Point; JOINTS], by: f64) -> f64 {
    let mut own = *points;
    own[0].x *= by;
    let made = turned(&own);
    let again = scaled(&made, by);
    change(&mut own, points, by);
    total(&own) + last(again) + of_slice(&own) + of_slice(&made[1..]) + total(&made)
}

#[differentiable(order = 2)]
fn many(points: &[Point; MANY], start: f64) -> [Point; MANY] {
    let mut out = [Point { x: start, y: 1.0 }; MANY];
    for i in 1..MANY {
        out[i].x = out[i - 1].x * 0.5 + points[i].x * points[i].y;
    }
    out
}

#[differentiable(order = 2)]
fn large_number(points: &[Point; 70], start: f64) -> f64 {
    let mut out = [Point { x: start, y: 1.0 }; 70];
    for i in 1..70 {
        out[i].x = out[i - 1].x * 0.5 + points[i].x * points[i].y;
    }
    out = many(&out, out[69].x);
    out[69].x
}

#[differentiable(order = 2)]
fn made<const N: usize>(s: f64) -> [Point; N] {
    core::array::from_fn(|k| Point { x: s * k as f64, y: s.sin() })
}

#[differentiable(order = 2)]
fn mapped<const N: usize>(points: &[Point; N], s: f64) -> [Point; N] {
    points.map(|point| Point { x: point.x * point.y, y: point.y * s })
}

#[differentiable(order = 2)]
fn mapped_to_tuples<const N: usize>(points: &[Point; N], s: f64) -> f64 {
    let mut sum = 0.0;
    for (a, b) in points.map(|point| (point.x * point.y, [point.y * s, point.x])) {
        sum += a * b[0] + b[1];
    }
    sum
}

#[differentiable(order = 2)]
fn chosen<const N: usize>(points: &[Point; N], s: f64) -> [Point; N] {
    let mut own = if s > 0.0 { [Point { x: s, y: 2.0 }; N] } else { *points };
    if s < 1.0 {
        own = mapped(points, s);
    }
    for i in 0..N {
        if i % 2 == 0 {
            own[i] = Point { x: own[i].y * s, ..points[i] };
        } else {
            own.swap(i, i - 1);
        }
    }
    own
}

#[differentiable(order = 2)]
fn steps<const N: usize>(points: [Point; N], s: f64) -> ([Point; N], f64) {
    let mut state = points;
    let mut energy = 0.0;
    let mut t = 0.0;
    while t < 1.0 {
        state = mapped(&state, s);
        state = chosen(&state, s * 0.5);
        energy += state.iter().map(|point| point.x * point.x).sum::<f64>();
        t += 0.3;
    }
    (state, energy)
}

#[differentiable(order = 2)]
fn moved<const N: usize>(chain: &Chain<N>, s: f64) -> Chain<N> {
    let (points, weight) = chain.pair;
    let all = mapped(&points, s);
    let mut rows = chain.rows;
    for (row, point) in rows.iter_mut().zip(&all) {
        row[0] *= point.x;
    }
    let (points, energy) = steps(chain.points, s);
    Chain { points, pair: (all, weight * energy), rows }
}

#[differentiable(order = 2)]
fn written_out(arm: &Arm, s: f64) -> Arm {
    let [a, b] = arm.ends;
    let mut points = arm.points;
    for point in &mut points {
        point.x += a.x * b.y;
    }
    let ends = [Point { x: a.y * points[2].x, y: s }, b];
    let named: [Point; TWO] = [Point { x: s, y: s }; 2];
    let mut other: [Point; 2] = ends;
    other[1].x *= named[0].x + named[1].y;
    let mut last = [Point::ZERO; TWO];
    if s > 0.5 {
        last = [other[1], other[0]];
    }
    let last = if s > 0.6 { last } else { [b, a] };
    Arm { points: mapped(&points, s), ends: if s > 0.1 { other } else { last } }
}

#[differentiable(order = 2)]
fn of_arms(arm: &Arm, s: f64) -> f64 {
    let first = written_out(arm, s);
    let second = written_out(&first, s * s);
    second.points.iter().zip(&second.ends).map(|(a, b)| a.x * b.y + a.y * b.x).sum()
}

#[differentiable(order = 2)]
fn generic<T: Real, const N: usize>(numbers: &[Number<T>; N], s: T) -> [Number<T>; N] {
    let mut out = [Number { value: s, slope: s * s }; N];
    for (to, from) in out.iter_mut().zip(numbers) {
        *to = Number { value: to.value * from.slope, slope: from.value };
    }
    out
}

#[differentiable(order = 2)]
fn rest<const N: usize>(points: &[Point; N], s: f64) -> Vec<Point> {
    let mut own = *points;
    own[0].x *= s;
    own[1..].to_vec()
}

#[differentiable(order = 2)]
fn to_vecs<const N: usize>(points: &[Point; N], s: f64) -> f64 {
    let mut own = points.to_vec();
    own.push(Point { x: s, y: s });
    let mut made = [Point { x: s, y: 0.4 }; N];
    made[1].x *= s;
    own.extend_from_slice(&made);
    own.extend(made);
    let list: Vec<Point> = made.iter().map(|point| Point { x: point.y, y: point.x }).collect();
    let slice: &[Point] = &made;
    of_slice(&own) * s + of_slice(&list) + of_slice(slice) * of_slice(&rest(&made, s))
}

#[differentiable(order = 2)]
fn methods(points: &[Point; JOINTS], s: f64) -> f64 {
    let mut a = *points;
    let mut b = [Point { x: s, y: s }; JOINTS];
    core::mem::swap(&mut a, &mut b);
    let c = core::mem::replace(&mut a, b);
    a.reverse();
    a.rotate_left(1);
    let (left, right) = a.split_at(1);
    let most = a.iter().map(|point| point.x).fold(0.0, f64::max);
    let mut sum = of_slice(left) * of_slice(right) + most;
    for (p, q) in a.iter().zip(c) {
        sum += p.x * q.y;
    }
    for pair in a.windows(2) {
        sum += pair[0].x * pair[1].y;
    }
    let d = if s > 0.2 { a } else { panic!("no") };
    let e: Option<[Point; JOINTS]> = if s > 0.5 { Some(d) } else { None };
    let mut f = c;
    f.copy_from_slice(&e.unwrap_or(c));
    sum + a.len() as f64 * d[1].x * f[2].y
}

#[differentiable(order = 2)]
fn of_numbers(x: f64, y: f64) -> f64 {
    let points = made::<JOINTS>(x);
    let arm = Arm { points, ends: [points[1], Point { x, y }] };
    let chain = Chain { points, pair: (turned(&points), y), rows: [[x, y]; JOINTS] };
    let chain = moved(&chain, y);
    let wide = generic(&points.map(|point| Number { value: point.x, slope: y }), x);
    of_arms(&arm, y) + calls(&points, y) + calls_by_name(&chain.points, x) + chain.rows[1][0] + wide[1].value
}

#[differentiable(order = 2)]
fn of_many(x: f64, y: f64) -> f64 {
    let mut points = [Point { x, y }; MANY];
    for i in 1..MANY {
        points[i].x = points[i - 1].x * 0.5 + y;
    }
    large_number(&points, x)
}

fn points<const N: usize>() -> [Point; N] {
    core::array::from_fn(|k| Point { x: 0.3 + 0.1 * k as f64, y: 0.9 - 0.007 * k as f64 })
}

#[test]
fn inside() {
    for (x, y) in [(0.7, 0.8), (0.3, 0.55), (0.4, 0.2), (0.4, -0.3)] {
        check!(of_numbers(x, y) by x, y);
        check!(of_many(x, y) by x, y);
    }
}

#[test]
fn as_parameters_and_results() {
    check_grads!(turned, &points());
    check_grads!(scaled::<4>, &points(), 0.7);
    check_grads!(total::<4>, &points());
    check_grads!(last::<4>, points());
    check_grads!(of_slice, &points::<4>());
    check_grads!(calls::<4>, &points(), 0.7);
    check_grads!(calls_by_name, &points(), 0.7);
    check_grads!(many, &points(), 0.7);
    check_grads!(large_number, &points(), 0.7);
    check_grads!(made::<4>, 0.7);
    check_grads!(mapped::<4>, &points(), 0.7);
    check_grads!(mapped_to_tuples::<4>, &points(), 0.7);
    for s in [0.7, -0.7, 1.7] {
        check_grads!(chosen::<4>, &points(), s);
    }
    check_grads!(steps::<4>, points(), 0.7);
    let chain = Chain { points: points(), pair: (points(), 0.3), rows: [[0.4, 0.5]; 3] };
    check_grads!(moved::<3>, &chain, 0.7);
    for s in [0.7, 0.55, 0.05] {
        let arm = Arm { points: points(), ends: points() };
        check_grads!(written_out, &arm, s);
        check_grads!(of_arms, &arm, s);
    }
    check_grads!(rest::<3>, &points(), 0.7);
    check_grads!(to_vecs::<3>, &points(), 0.7);
    check_grads!(methods, &points(), 0.7);
    check_grads!(methods, &points(), 0.4);
    check_grads!(generic::<f64, 3>, &points::<3>().map(|point| Number { value: point.x, slope: point.y }), 0.7);
}
