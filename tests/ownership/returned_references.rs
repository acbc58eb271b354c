//! Functions and methods that return references into their arguments, and indices into structs.

use crate::harness::check;
use autodiff::prelude::*;
use std::ops::{AddAssign, Index, IndexMut, Mul};

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct V {
    d: [f64; 3],
}

#[differentiable(order = 2)]
impl Index<usize> for V {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.d[i]
    }
}

#[differentiable(order = 2)]
impl IndexMut<usize> for V {
    fn index_mut(&mut self, i: usize) -> &mut Self::Output {
        &mut self.d[i]
    }
}

#[differentiable(order = 2)]
fn by_index(v: V, t: f64) -> f64 {
    let mut w = v;
    for i in 0..3 {
        if i != 1 {
            w[i] += v[2 - i] * t;
        } else {
            w[i] = w[i - 1] * v[i] - t;
        }
        w[0] *= 1.5;
    }
    w[0] * w[1] + w[2].sin()
}

#[test]
fn an_index_into_a_struct() {
    check!(by_index(v, t) by v = V { d: [0.5, -0.3, 1.2] }, t = 0.7);
}

/// Rows one after the other.
#[derive(Differentiable, Clone, Debug)]
struct FlatMatrix {
    data: Vec<f64>,
    #[no_diff]
    cols: usize,
}

#[differentiable(order = 2)]
impl Index<(usize, usize)> for FlatMatrix {
    type Output = f64;
    fn index(&self, at: (usize, usize)) -> &f64 {
        let (i, j) = at;
        debug_assert!(j < self.cols);
        &self.data[i * self.cols + j]
    }
}

#[differentiable(order = 2)]
impl IndexMut<(usize, usize)> for FlatMatrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}

#[differentiable(order = 2)]
impl Index<usize> for FlatMatrix {
    type Output = [f64];
    fn index(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }
}

#[differentiable(order = 2)]
fn product(a: &FlatMatrix, b: &FlatMatrix) -> f64 {
    let mut out = FlatMatrix { data: vec![0.0; 4], cols: 2 };
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..a.cols {
                out[(i, j)] += a[(i, k)] * b[(k, j)];
            }
        }
    }
    let mut sum = 0.0;
    for i in 0..2 {
        sum += a[i].iter().zip(&a[1 - i]).map(|(x, y)| x * y).sum::<f64>() * out[(i, i)];
    }
    sum + out[(0, 1)] * a[1][0]
}

#[test]
fn an_index_of_two_numbers() {
    let a = FlatMatrix { data: vec![0.1, 0.2, 0.3, -0.4, 0.5, 0.6], cols: 3 };
    let b = FlatMatrix { data: vec![0.9, -0.8, 0.7, 0.6, 0.5, -0.4], cols: 2 };
    check!(product(&a, &b) by [a = a.clone(), b = b.clone()]);
    // By the first element of `b`: both sums of products of rows times `a` above it.
    let g = product::grad(&a, &b).1.data;
    let rows = 0.1 * -0.4 + 0.2 * 0.5 + 0.3 * 0.6;
    assert!((g[0] - rows * 0.1).abs() < 1e-12, "{g:?}");
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Axis {
    X,
    Y,
    Z,
}

#[differentiable(order = 2)]
impl Index<usize> for Vec3 {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("index {i} out of range"),
        }
    }
}

#[differentiable(order = 2)]
impl IndexMut<usize> for Vec3 {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.x,
            1 => &mut self.y,
            2 => &mut self.z,
            _ => panic!("index {i} out of range"),
        }
    }
}

#[differentiable(order = 2)]
impl Index<Axis> for Vec3 {
    type Output = f64;
    fn index(&self, axis: Axis) -> &f64 {
        match axis {
            Axis::X => &self.x,
            Axis::Y => &self.y,
            Axis::Z => &self.z,
        }
    }
}

#[differentiable(order = 2)]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, k: f64) -> Vec3 {
        Vec3 { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

/// Not what `+` would be: the second operand counts twice.
#[differentiable(order = 2)]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        self.x += 2.0 * o.x;
        self.y += 2.0 * o.y;
        self.z += 2.0 * o.z;
    }
}

#[differentiable(order = 2)]
fn chosen(v: Vec3, t: f64, #[no_diff] order: &[usize]) -> f64 {
    let mut w = v;
    for (k, &i) in order.iter().enumerate() {
        w[i] += v[(i + k) % 3] * t;
        w[(i + 1) % 3] = w[i] * v[i].sin();
        if k % 2 == 1 {
            w[k % 3] *= w[2];
        }
    }
    w[0] * v[Axis::Y] + w[1] * w[Axis::Z]
}

#[test]
fn an_index_that_chooses_a_field() {
    let order = [2, 0, 1, 1];
    let order = &order[..];
    check!(chosen(v, t, order) by v = Vec3 { x: 0.5, y: -0.3, z: 1.2 }, t = 0.7);
}

#[test]
#[should_panic(expected = "index 3 out of range")]
fn an_index_out_of_range() {
    let _ = chosen::grad(Vec3 { x: 0.5, y: -0.3, z: 1.2 }, 0.7, &[3]);
}

#[derive(Differentiable, Clone, Debug)]
struct Body {
    position: Vec3,
    velocity: Vec3,
    forces: Vec<Vec3>,
    weights: [[f64; 2]; 2],
}

#[differentiable(order = 2)]
impl Body {
    fn position(&self) -> &Vec3 {
        &self.position
    }

    fn position_mut(&mut self) -> &mut Vec3 {
        &mut self.position
    }

    fn row(&self, i: usize) -> &[f64; 2] {
        &self.weights[i]
    }

    fn force(&self, i: usize) -> &Vec3 {
        &self.forces[i % self.forces.len()]
    }

    fn force_mut(&mut self, i: usize) -> &mut Vec3 {
        let last = self.forces.len() - 1;
        &mut self.forces[last - i]
    }

    fn faster<'a>(&'a self, other: &'a Body) -> &'a Body {
        if self.velocity.x > other.velocity.x { self } else { other }
    }

    fn step(&mut self, dt: f64) {
        let by = self.velocity * dt;
        *self.position_mut() += by;
    }
}

#[differentiable(order = 2)]
impl Vec3 {
    fn norm2(&self) -> f64 {
        self.x * self.x + self.y * self.y + self.z * self.z
    }

    fn first(&self) -> &f64 {
        &self.x
    }

    fn largest_mut(&mut self, #[no_diff] by: Axis) -> &mut f64 {
        if by == Axis::X { &mut self.x } else { &mut self.z }
    }
}

#[differentiable(order = 2)]
fn pick<'a>(p: &'a Vec3, q: &'a Vec3) -> &'a Vec3 {
    if p.x > q.x { p } else { q }
}

#[differentiable(order = 2)]
fn pick_row(rows: &[[f64; 2]], i: usize) -> &[f64] {
    &rows[i]
}

#[differentiable(order = 2)]
fn last(values: &mut [f64]) -> &mut f64 {
    let end = values.len() - 1;
    &mut values[end]
}

#[differentiable(order = 2)]
fn bump(v: &mut Vec3, by: f64) {
    v.x += by * v.y;
    v[2] *= by;
}

#[differentiable(order = 2)]
fn looked_at(a: &Body, b: &Body, t: f64) -> f64 {
    let near = pick(a.position(), &b.velocity);
    let mut sum = near.norm2() * *near.first();
    for i in 0..4 {
        sum += a.force(i).norm2() * t + a.force(i)[1];
    }
    let row = a.row(1);
    sum += row[0] * row[1] + a.row(0).iter().sum::<f64>() * pick_row(&b.weights, 1)[0];
    let faster = a.faster(b);
    sum * faster.position().x + faster.velocity.norm2()
}

#[test]
fn parts_that_are_looked_at() {
    check!(looked_at(&a, &b, t) by [a = body(0.3), b = body(0.9), t = 0.7]);
    check!(looked_at(&a, &b, t) by [a = body(1.3), b = body(0.2), t = 0.7]);
}

fn body(t: f64) -> Body {
    Body {
        position: Vec3 { x: t, y: -0.3, z: 0.6 },
        velocity: Vec3 { x: t * t, y: 0.8, z: t },
        forces: vec![Vec3 { x: 0.1, y: t, z: 0.3 }, Vec3 { x: -0.4, y: 0.2, z: 0.9 }, Vec3 { x: 0.7, y: 0.5, z: t }],
        weights: [[0.3, t], [0.5, -0.7]],
    }
}

#[differentiable(order = 2)]
fn changed(start: &Body, u: f64) -> f64 {
    let mut b = start.clone();
    for k in 0..3 {
        let by = b.position * u;
        *b.force_mut(k) += by;
        b.force_mut(k).y *= 1.0 + u;
        b.position_mut().z += u * b.force(k).x;
        bump(b.position_mut(), u);
        if k > 0 {
            b.step(0.1 * u);
            let p = b.position_mut();
            p.x *= 0.9;
            p[1] += u;
        }
        let p = b.position_mut();
        *p.largest_mut(if k == 1 { Axis::X } else { Axis::Z }) += u * u;
    }
    let mut list = [u, 2.0 * u, u * u];
    *last(&mut list) += b.position.x;
    *last(&mut list[..2]) *= b.position.z;
    b.forces.iter().map(|f| f.norm2()).sum::<f64>() + b.position.norm2() + list[1] * list[2]
}

#[test]
fn parts_that_are_changed() {
    check!(changed(&b, u) by [b = body(0.3), u = 0.7]);
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Grid<const R: usize, const C: usize> {
    d: [[f64; C]; R],
}

#[differentiable(order = 2)]
impl<const R: usize, const C: usize> Index<(usize, usize)> for Grid<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.d[i][j]
    }
}

#[differentiable(order = 2)]
impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Grid<R, C> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.d[i][j]
    }
}

#[differentiable(order = 2)]
impl<const R: usize, const C: usize> Grid<R, C> {
    fn transposed(&self) -> Grid<C, R> {
        let mut t = Grid::<C, R> { d: [[0.0; R]; C] };
        for i in 0..R {
            for j in 0..C {
                t[(j, i)] = self[(i, j)];
            }
        }
        t
    }

    fn dot(&self, o: &Self) -> f64 {
        let mut sum = 0.0;
        for i in 0..R {
            for j in 0..C {
                sum += self[(i, j)] * o[(i, j)];
            }
        }
        sum
    }
}

#[differentiable(order = 2)]
fn against_its_transpose(g: Grid<2, 3>, w: Grid<3, 2>) -> f64 {
    g.transposed().dot(&w)
}

#[test]
fn an_index_of_a_generic_struct() {
    let w = Grid { d: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] };
    let g = Grid { d: [[0.3, 0.1, -0.2], [0.7, -0.9, 0.4]] };
    check!(against_its_transpose(g, w) by g = g, w = w);
    assert_eq!(against_its_transpose::grad(g, w).0.d, [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]);
}

mod elsewhere {
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone, Copy, Debug)]
    pub struct Pair {
        pub a: f64,
        pub b: f64,
    }

    #[differentiable(order = 2)]
    impl Pair {
        pub fn larger(&self) -> &f64 {
            if self.a > self.b { &self.a } else { &self.b }
        }
    }

    #[differentiable(order = 2)]
    pub fn other<'a>(p: &'a Pair, q: &'a Pair, #[no_diff] first: bool) -> &'a Pair {
        if first { q } else { p }
    }
}

#[differentiable(order = 2)]
fn from_elsewhere(p: elsewhere::Pair, q: elsewhere::Pair) -> f64 {
    // Names of the functions that are called mean nothing here.
    let first = p.a * q.a;
    let this = q.b;
    *elsewhere::other(&p, &q, first > 0.0).larger() * first + this * elsewhere::other(&p, &q, true).b
}

#[test]
fn functions_of_another_module() {
    let pair = |a, b| elsewhere::Pair { a, b };
    check!(from_elsewhere(p, q) by p = pair(0.4, 0.9), q = pair(1.1, -0.2));
    check!(from_elsewhere(p, q) by p = pair(-0.4, 0.9), q = pair(1.1, -0.2));
}
