//! Slices of structs.

use crate::common::{close, numeric};
use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Particle {
    position: [f64; 2],
    velocity: [f64; 2],
    mass: f64,
    kind: usize,
}

#[differentiable(order = 2)]
fn kinetic(p: &Particle) -> f64 {
    0.5 * p.mass * (p.velocity[0] * p.velocity[0] + p.velocity[1] * p.velocity[1])
}

#[differentiable(order = 2)]
fn energy(particles: &[Particle], charges: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..particles.len() {
        sum += kinetic(&particles[i]) * charges[particles[i].kind];
        for j in 0..i {
            let (a, b) = (&particles[i], &particles[j]);
            let (x, y) = (a.position[0] - b.position[0], a.position[1] - b.position[1]);
            sum += a.mass * b.mass / (x * x + y * y).sqrt();
        }
    }
    sum
}

#[differentiable(order = 2)]
fn advance(particles: &mut [Particle], h: f64) {
    for i in 0..particles.len() {
        for k in 0..2 {
            particles[i].velocity[k] -= h * particles[i].position[k] / particles[i].mass;
            particles[i].position[k] += h * particles[i].velocity[k];
        }
    }
}

#[differentiable(order = 2)]
fn after(particles: &[Particle], h: f64) -> f64 {
    let mut moved = particles.to_vec();
    for _ in 0..3 {
        for i in 0..moved.len() {
            for k in 0..2 {
                moved[i].velocity[k] -= h * moved[i].position[k] / moved[i].mass;
                moved[i].position[k] += h * moved[i].velocity[k];
            }
        }
    }
    let mut sum = 0.0;
    for p in &moved {
        sum += p.position[0] * p.position[1] + kinetic(p);
    }
    sum
}

fn particles() -> Vec<Particle> {
    let make = |x: f64, kind| Particle { position: [x, 1.0 - x * x], velocity: [0.5 * x, -x], mass: 1.0 + x, kind };
    vec![make(0.3, 0), make(0.9, 1), make(1.7, 0)]
}

fn flat(p: &[Particle]) -> Vec<f64> {
    p.iter().flat_map(|p| [p.position[0], p.position[1], p.velocity[0], p.velocity[1], p.mass]).collect()
}

fn from_flat(x: &[f64]) -> Vec<Particle> {
    let rows = x.chunks(5).zip(particles());
    rows.map(|(x, p)| Particle { position: [x[0], x[1]], velocity: [x[2], x[3]], mass: x[4], kind: p.kind }).collect()
}

fn flat_tangent(p: &[ParticleTangent]) -> Vec<f64> {
    p.iter().flat_map(|p| [p.position[0], p.position[1], p.velocity[0], p.velocity[1], p.mass]).collect()
}

#[test]
fn slices_of_structs() {
    let (p, charges) = (particles(), [1.5, -0.5]);
    let (g, gc) = energy::grad(&p, &charges);
    let expected = numeric(|x| energy(&from_flat(x), &charges), &flat(&p));
    close(&flat_tangent(&g), &expected);
    close(&gc, &numeric(|c| energy(&p, c), &charges));
    let (_, y_dot) = energy::jvp(&p, &charges, &g, &[0.0, 0.0]);
    close(&[y_dot], &[expected.iter().map(|g| g * g).sum()]);
    let (_, pullback) = energy::vjp(&p, &charges);
    close(&flat_tangent(&pullback(2.0).0), &expected.iter().map(|g| 2.0 * g).collect::<Vec<_>>());
    let (h, _) = energy::hvp(&p, &charges, &g, &[0.0, 0.0]);
    let direction = flat_tangent(&g);
    let along = |s: f64| {
        let moved: Vec<f64> = flat(&p).iter().zip(&direction).map(|(x, d)| x + s * d).collect();
        flat_tangent(&energy::grad(&from_flat(&moved), &charges).0)
    };
    close(&flat_tangent(&h), &along(1e-6).iter().zip(along(-1e-6)).map(|(a, b)| (a - b) / 2e-6).collect::<Vec<_>>());
}

#[test]
fn changed_in_place() {
    let p = particles();
    let (g, gh) = after::grad(&p, 0.1);
    close(&flat_tangent(&g), &numeric(|x| after(&from_flat(x), 0.1), &flat(&p)));
    close(&[gh], &numeric(|h| after(&p, h[0]), &[0.1]));
    let mut q = p.clone();
    let ((), pullback) = advance::vjp(&mut q, 0.1);
    let seed = particles().into_iter().map(|_| ParticleTangent {
        position: [1.0, 2.0],
        velocity: [0.5, 0.0],
        mass: 0.0,
        kind: (),
    });
    let (g, gh) = pullback((), (seed.collect(), 0.0));
    let weighted = |x: &[f64], h: f64| {
        let mut p = from_flat(x);
        advance(&mut p, h);
        p.iter().map(|p| p.position[0] + 2.0 * p.position[1] + 0.5 * p.velocity[0]).sum::<f64>()
    };
    close(&flat_tangent(&g), &numeric(|x| weighted(x, 0.1), &flat(&p)));
    close(&[gh], &numeric(|h| weighted(&flat(&p), h[0]), &[0.1]));
}

#[derive(Clone, Debug, Differentiable)]
struct Mixed {
    b: f64,
    v: [f64; 2],
    w: Vec<f64>,
}

/// A choice between elements, and one of them beside a number: each branch looks at its own element.
#[differentiable]
fn one_or_other(a: &[Mixed], #[no_diff] i: usize, #[no_diff] j: usize, #[no_diff] first: bool) -> f64 {
    let p = if first { &a[i] } else { &a[j] };
    let (q, k) = if first { (&a[j], 2.0) } else { (&a[i], 3.0) };
    let mut sum = q.w[0] * q.v[1] * k;
    for x in &p.v {
        sum += x * x * p.b;
    }
    for x in &p.w {
        sum += x.sin() * k;
    }
    sum
}

#[differentiable]
fn in_a_chain(a: &[Mixed], b: &[Mixed]) -> f64 {
    a.iter().chain(b.iter()).map(|m| m.b * m.v[0] + m.w.iter().map(|w| w * w).sum::<f64>()).sum()
}

#[test]
fn elements_are_chosen() {
    let numbers = [1.0, 1.5, 2.0, 0.3, 2.0, 3.0, 4.0, 0.4];
    let mixed = |x: &[f64]| -> Vec<Mixed> {
        x.chunks(4).map(|x| Mixed { b: x[0], v: [x[1], x[2]], w: vec![x[3], 0.5 * x[3]] }).collect()
    };
    // Of what `w` depends on, both elements.
    let flat = |g: &[MixedTangent]| -> Vec<f64> {
        g.iter().flat_map(|g| [g.b, g.v[0], g.v[1], g.w[0] + 0.5 * g.w[1]]).collect()
    };
    for first in [true, false] {
        let g = one_or_other::grad(&mixed(&numbers), 0, 1, first);
        close(&flat(&g), &numeric(|x| one_or_other(&mixed(x), 0, 1, first), &numbers));
    }
    let (a, b) = in_a_chain::grad(&mixed(&numbers), &mixed(&numbers[..4]));
    close(&flat(&a), &numeric(|x| in_a_chain(&mixed(x), &mixed(&numbers[..4])), &numbers));
    close(&flat(&b), &numeric(|x| in_a_chain(&mixed(&numbers), &mixed(x)), &numbers[..4]));
}

#[derive(Differentiable, Clone, Copy)]
struct Input {
    a: f64,
    b: f64,
}

#[differentiable(order = 2)]
fn driven(state: f64, input: &Input) -> f64 {
    state * input.a + input.b.sin()
}

/// A name of an element that a closure has for its argument, too.
#[differentiable(order = 2)]
fn simulated(a: &[f64; 4], start: f64) -> f64 {
    fn all(inputs: &[Input], start: f64) -> f64 {
        inputs.iter().map(|u| u.a * start).sum()
    }
    let inputs = [Input { a: a[0], b: a[1] }, Input { a: a[2], b: a[3] }];
    let mut state = start;
    for u in &inputs {
        state = driven(state, u);
    }
    state + inputs.iter().map(|u| u.a * u.b).sum::<f64>() + all(&inputs, start)
}

#[differentiable(order = 2)]
fn of_slices(inputs: &[f64], start: f64) -> f64 {
    let mut state = start;
    for u in inputs {
        state = scaled(state, u);
    }
    state + inputs.iter().map(|u| u * u).sum::<f64>()
}

#[differentiable(order = 2)]
fn scaled(state: f64, by: &f64) -> f64 {
    state * by
}

/// A parameter's name that stands for something else.
#[differentiable(order = 2)]
fn renamed(inputs: &[f64], by: f64) -> f64 {
    let mut own = inputs.to_vec();
    {
        let inputs = &mut own;
        for u in inputs {
            *u = *u * *u * by;
        }
    }
    let inputs = &mut own[1..];
    for u in inputs {
        *u *= by;
    }
    own.iter().sum()
}

#[test]
fn elements_under_the_name_of_an_argument() {
    check!(simulated(&a, start) by a = [0.5, -0.3, 0.8, 1.2], start = 0.7);
    check!(of_slices(&a, start) by [a = vec![0.5, -0.3, 0.8], start = 0.7]);
    check!(renamed(&a, by) by [a = vec![0.5, -0.3, 0.8], by = 0.7]);
}
