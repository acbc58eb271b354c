//! `Vec`s of structs and of tuples that grow.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Part {
    a: f64,
    b: [f64; 2],
    kind: usize,
}

#[differentiable(order = 2)]
fn collected(x: f64, y: f64, n: usize) -> f64 {
    let mut parts: Vec<Part> = Vec::new();
    for k in 0..n {
        if k % 3 != 1 {
            parts.push(Part { a: x * k as f64 + y, b: [x, y * k as f64], kind: k });
        }
    }
    parts.push(Part { a: x, b: [y, 1.0], kind: 1 });
    let more = vec![Part { a: y, b: [x, x * y], kind: 2 }; 2];
    parts.extend_from_slice(&more);
    parts[1].b[0] *= y;
    parts.swap(0, 2);
    parts.truncate(n);
    let mut pairs: Vec<(f64, f64)> = Vec::with_capacity(4);
    for part in &parts {
        pairs.push((part.a * part.b[0], part.b[1] + part.kind as f64));
    }
    let mut sum = parts.len() as f64;
    for (i, (a, b)) in pairs.iter().enumerate() {
        sum += a * b * (i + 1) as f64;
    }
    sum
}

#[differentiable(order = 2)]
fn total(parts: &[Part]) -> f64 {
    let mut sum = 0.0;
    for part in parts {
        sum += part.a * part.b[0] * part.b[1];
    }
    sum
}

#[differentiable(order = 2)]
fn listed(x: f64, y: f64) -> f64 {
    let mut parts = vec![Part { a: x, b: [1.0, y], kind: 0 }, Part { a: x * y, b: [y, 2.0], kind: 1 }];
    let before = total(&parts);
    parts.push(Part { a: before, b: [x, x], kind: 2 });
    let after = total(&parts[1..]);
    parts.clear();
    parts.push(Part { a: after, b: [y, y], kind: 2 });
    let last = total(&parts);
    let pairs = vec![(x, 2.0), (y, x * x)];
    let mut sum = before * after + last;
    for pair in &pairs {
        sum += pair.0 * pair.1;
    }
    sum
}

#[differentiable(order = 2)]
fn rows_of_other_lengths(x: f64, y: f64, n: usize) -> f64 {
    let mut rows = vec![vec![x; 3]; 2];
    rows[1][2] *= y;
    rows.push(vec![x, y]);
    for k in 0..n {
        rows.push(vec![y; k]);
    }
    let mut sum = x;
    for row in &rows {
        for v in row {
            sum = sum * 0.5 + v * v;
        }
        sum += row.len() as f64 * x;
    }
    sum
}

#[differentiable(order = 2)]
fn best(x: f64, y: f64) -> f64 {
    let mut best: Option<Part> = None;
    for kind in 0..3 {
        let part = Part { a: x * kind as f64, b: [y - kind as f64, x], kind };
        best = match best {
            Some(best) if best.a * best.b[0] > part.a * part.b[0] => Some(best),
            _ => Some(part),
        };
    }
    match best {
        Some(part) => part.a * part.b[0] * part.b[1] + part.kind as f64 * x,
        None => 0.0,
    }
}

#[test]
fn structs_are_pushed() {
    for n in [0, 1, 4, 6] {
        check!(collected(x, y, n) by x = 0.7, y = 1.3);
    }
}

#[test]
fn structs_are_listed() {
    check!(listed(x, y) by x = 0.7, y = 1.3);
    check!(best(x, y) by x = 0.7, y = 1.3);
    check!(best(x, y) by x = 0.7, y = 4.3);
}

#[test]
fn rows_differ() {
    for n in [0, 1, 3] {
        check!(rows_of_other_lengths(x, y, n) by x = 0.7, y = 1.3);
    }
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Atom {
    at: [f64; 2],
    force: [f64; 2],
}

#[differentiable(order = 2)]
fn forces(atoms: &mut [Atom], k: f64) -> f64 {
    let mut energy = 0.0;
    for i in 0..atoms.len() {
        let d = atoms[i].at[0] * k;
        atoms[i].force[0] += d.sin();
        atoms[i].force[1] -= d * atoms[i].at[1];
        energy += d * d;
    }
    energy
}

/// The atoms are lent before the loop and in it.
#[differentiable(order = 2)]
fn moved_atoms(v: f64) -> f64 {
    let mut atoms: Vec<Atom> = Vec::new();
    for i in 0..3 {
        atoms.push(Atom { at: [v, 0.1 * i as f64], force: [0.0, 0.0] });
    }
    let mut energy = forces(&mut atoms, v);
    for _ in 0..3 {
        for atom in &mut atoms {
            for k in 0..2 {
                atom.at[k] += 0.1 * atom.force[k];
            }
        }
        energy = forces(&mut atoms, v);
    }
    energy
}

#[test]
fn structs_that_are_lent_before_a_loop_and_in_it() {
    check!(moved_atoms(v) by v = 0.7);
}
