//! Rows, structs and tuples, whole and in parts.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Body {
    at: Vec3,
    v: Vec3,
    mass: f64,
    neighbours: [usize; 2],
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct World {
    sun: Body,
    planets: Vec<Body>,
    g: f64,
    #[no_diff]
    name: String,
}

#[differentiable(order = 2)]
impl Vec3 {
    fn dot(self, other: Vec3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn plus(self, by: f64, other: Vec3) -> Vec3 {
        Vec3 { x: self.x + by * other.x, y: self.y + by * other.y, z: self.z + by * other.z }
    }

    fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
}

#[differentiable(order = 2)]
fn energy(world: &World) -> f64 {
    let World { sun, planets, g, .. } = world;
    let mut e = 0.0;
    for (k, p) in planets.iter().enumerate() {
        let d = p.at.plus(-1.0, sun.at);
        e += 0.5 * p.mass * p.v.dot(p.v) - g * sun.mass * p.mass / d.norm();
        for q in &planets[..k] {
            let Vec3 { x, y, z } = q.at.plus(-1.0, p.at);
            e -= g * p.mass * q.mass / (x * x + y * y + z * z).sqrt();
        }
    }
    e
}

fn body(k: f64) -> Body {
    let at = Vec3 { x: k, y: 0.5 - k * k, z: 0.2 * k };
    Body { at, v: Vec3 { x: 0.1, y: k, z: -0.3 }, mass: 1.0 + 0.3 * k, neighbours: [0, 1] }
}

#[differentiable(order = 2)]
fn moved(bodies: &[Body], h: f64) -> f64 {
    let mut bodies = bodies.to_vec();
    for b in bodies.iter_mut() {
        b.v = b.v.plus(-h, b.at);
        b.at = b.at.plus(h, b.v);
    }
    for i in 1..bodies.len() {
        let before = bodies[i - 1].at;
        bodies[i].at.x += before.y * h;
        bodies[i].v.z *= bodies[i].neighbours[1] as f64;
    }
    bodies.swap(0, 1);
    bodies.iter().enumerate().map(|(i, b)| b.mass * b.at.dot(b.v) * (i + 1) as f64).sum()
}

/// Which of some constants is known at run time.
#[differentiable(order = 2)]
fn looked_up(x: &[f64; 4], kinds: &[usize]) -> f64 {
    const WEIGHTS: [f64; 3] = [0.5, -1.0, 2.0];
    const POINTS: [(f64, f64); 3] = [(0.1, 0.2), (0.3, -0.4), (0.5, 0.6)];
    let rows = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let pairs = [(x[0], x[1]), (x[2], x[3]), (x[1], x[2])];
    let mut s = 0.0;
    for (i, &k) in kinds.iter().enumerate() {
        let (a, b) = pairs[k];
        let (c, d) = POINTS[(k + 1) % 3];
        s += WEIGHTS[k] * x[i % 4] * rows[k][i % 2] + a * b * c + d * a;
    }
    s
}

struct Options {
    scale: f64,
    first: [usize; 3],
}

/// What is not differentiated decides what is: by itself, also in loops; of a struct, once.
#[differentiable(order = 2)]
fn chosen(x: &[f64], list: &[usize], nested: &[Vec<usize>], #[no_diff] o: &Options, i: usize) -> f64 {
    let mut s = x[list[i]] * o.scale + x[o.first[i]];
    let scale: f64 = o.scale;
    for j in 0..list.len() {
        if list[j] % 2 == 0 {
            s *= x[list[j]] + s;
        } else if nested[j].len() > 1 {
            s += x[nested[j][1]] * x[j];
        }
    }
    for &k in list {
        s += x[k] * x[k] * scale;
    }
    for row in nested.iter() {
        for k in row {
            s += x[*k].sin();
        }
    }
    s
}

#[differentiable(order = 2)]
fn swapped(x: &[f64; 4], i: usize, j: usize) -> f64 {
    let mut y = *x;
    y.swap(i, j);
    let (mut a, mut b) = (y[0], y[1]);
    (a, b) = (b, a * b);
    (y[i], y[j]) = (y[j] * a, y[i] + b);
    let k = i;
    y[k] += y[j] * y[i];
    y[k] *= {
        y[j] += 1.0;
        y[j]
    };
    a - b + y.iter().enumerate().map(|(i, v)| v * i as f64).sum::<f64>()
}

/// A borrow under several names, in branches and loops.
#[differentiable(order = 2)]
fn borrowed_again(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    let first = &mut y[0];
    if n > 1 {
        let again = first;
        *again *= 3.0;
    }
    let (a, b) = y.split_at_mut(2);
    for i in 0..n {
        let (left, right) = (&mut *a, &mut *b);
        if i % 2 == 0 {
            let r = right;
            r[0] += left[1];
        } else {
            left[0] *= 2.0;
        }
    }
    for (i, v) in y.iter_mut().enumerate().filter(|(i, _)| i % 2 == 1) {
        *v *= i as f64;
    }
    y.iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum()
}

#[differentiable(order = 2)]
fn parts_of_parts(x: &[f64]) -> f64 {
    let inner = &x[1..x.len() - 1];
    let (left, right) = inner.split_at(inner.len() / 2);
    let tail = &right[1..];
    let (first, rest) = x.split_first().unwrap();
    let (last, _) = x.split_last().unwrap();
    let mut y = vec![0.0; x.len()];
    y[..left.len()].copy_from_slice(left);
    y[left.len()..].fill(*last);
    {
        let (a, b) = y.split_at_mut(2);
        a[0] = b[0] * first;
        b[0] += a[1];
        let b = &mut b[1..];
        b[0] *= 3.0;
    }
    let s = y.iter().sum::<f64>() + tail.iter().product::<f64>();
    s * rest.first().copied().unwrap_or(1.0) * *x.last().unwrap()
}

#[differentiable(order = 2)]
fn stacked(x: &[f64], n: usize) -> f64 {
    let mut stack = Vec::new();
    for v in x {
        stack.push(v * v);
        if stack.len() > n {
            let top = stack.pop().unwrap();
            stack[0] += top.sin();
        }
    }
    let mut s = 1.0;
    while let Some(v) = stack.pop() {
        s = s * 0.5 + v * s;
    }
    stack.clear();
    stack.extend_from_slice(&x[1..]);
    stack.push(s);
    stack.truncate(3);
    stack.reverse();
    s + stack.iter().enumerate().map(|(i, v)| v * (i + 1) as f64).sum::<f64>() + stack.len() as f64
}

#[differentiable(order = 2)]
fn grid(a: &[[f64; 3]; 2], v: &mut [[f64; 2]; 2]) -> f64 {
    for (i, row) in v.iter_mut().enumerate() {
        for (j, w) in row.iter_mut().enumerate() {
            *w += a[i][j] * a[j][i + 1];
        }
    }
    let [[p, q], [r, s]] = *v;
    v[0] = v[1];
    v[1][0] *= p;
    p * s - q * r + v[0][1] * v[1][0]
}

#[test]
fn structures() {
    let world = World { sun: body(0.1), planets: vec![body(1.2), body(-0.8), body(2.0)], g: 0.7, name: "small".into() };
    check!(energy(&world) by world);
    let bodies = vec![body(0.6), body(1.1), body(-0.4)];
    check!(moved(&bodies, h) by [bodies, h = 0.1]);
    check!(looked_up(&x, &[2, 0, 1, 1, 2]) by x = [0.3, 1.2, -0.7, 0.9]);
    let o = Options { scale: 0.7, first: [2, 0, 1] };
    let nested = [vec![2, 0], vec![], vec![1]];
    for i in 0..3 {
        check!(chosen(&x, &[1, 0, 2], &nested, &o, i) by x = vec![0.3, 1.2, -0.7]);
    }
    for (i, j) in [(0, 1), (2, 2), (3, 0), (1, 3)] {
        check!(swapped(&x, i, j) by x = [0.3, 1.2, -0.7, 0.9]);
    }
    for n in 0..4 {
        check!(borrowed_again(&x, n) by x = vec![0.3, 1.2, -0.7, 0.9]);
    }
    check!(parts_of_parts(&x) by x = vec![0.3, 1.2, -0.7, 0.9, 1.4, -0.2, 0.8]);
    check!(stacked(&x, 2) by x = vec![0.3, 1.2, -0.7, 0.9, 1.4]);
    check!(stacked(&x, 9) by x = vec![0.3, 1.2, -0.7, 0.9, 1.4]);
}

#[test]
fn grids() {
    let (a, v) = ([[0.3, 1.2, -0.7], [0.9, 1.4, -0.2]], [[0.5, -0.6], [0.8, 1.1]]);
    let at = |a: &[[f64; 3]; 2], v: &[[f64; 2]; 2]| grid(a, &mut v.clone());
    let (value, (by_a, by_v)) = grid::value_and_grad(&a, &mut v.clone());
    assert_eq!(value, at(&a, &v));
    crate::common::assert_gradient(&a, &by_a, |a| at(a, &v));
    crate::common::assert_gradient(&v, &by_v, |v| at(&a, v));
}
