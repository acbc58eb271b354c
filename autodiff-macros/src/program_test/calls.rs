//! Calls, one kind of argument after the other: derivatives of first order against differences, those of second order
//! against differences of the gradient.

use super::library::{Library, add_all};
use crate::ir::eval::{Array, Machine, Program};
use crate::pass::check::{Derivatives, Numbers, Outcome, Passes, check_passes};
use crate::pass::{adjoint, simplify, tangent};
use std::rc::Rc;

const SOURCES: &[(&str, &str)] = &[
    (
        "numbers and arrays",
        "#[differentiable]
        fn inner(u: f64, w: &[f64; 3], k: usize) -> f64 { u * w[0] + (w[1] * u).sin() * w[2] + k as f64 * u }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            let mut t = y;
            for i in 0..n { t += inner(t * s[i], a, i) * x; }
            t + inner(x, &[x, t, 2.0], 3)
        }",
    ),
    (
        "a slice, and several results",
        "#[differentiable]
        fn inner(w: &[f64], u: f64) -> (f64, [f64; 2]) {
            let mut p = u;
            for e in w { p = p * e + u.sin(); }
            (p, [u * p, u])
        }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            let (p, q) = inner(s, x);
            let (u, v) = inner(&a[1..], y * q[0]);
            let m = [[x, y, a[0]], [y, y, x]];
            let (k, l) = inner(&m[1], p);
            p + u * v[1] + q[1] + k * l[0] + if n > 0 { inner(&s[..n - 1], 0.5).0 } else { 0.0 }
        }",
    ),
    (
        "an array that is changed",
        "#[differentiable]
        fn step(v: &mut [f64; 3], u: f64) -> f64 { v[0] = v[0] * v[1] + u; v[1] += v[2] * v[0]; v[0] * u }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            let mut v = *a;
            let mut t = x;
            t += step(&mut v, y);
            let mut w = [v, [x, y, t]];
            t = step(&mut w[1], t) + w[1][0];
            t + v[0] + v[1] * w[0][0] + s.iter().sum::<f64>()
        }",
    ),
    (
        "a part of an array that is changed",
        "#[differentiable]
        fn step(v: &mut [f64], u: f64) { for i in 0..v.len() { v[i] = v[i] * u + v[0]; } }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            let mut v = [x, y, a[0], a[1] * y];
            step(&mut v[1..3], x);
            let mut w = s.to_vec();
            step(&mut w, y);
            step(&mut v, a[2]);
            v[0] + v[1] * v[2] + v[3] + w.iter().sum::<f64>()
        }",
    ),
    (
        "numbers that are changed",
        "#[differentiable]
        fn step(p: &mut f64, q: f64) { *p = *p * q + q.sin(); }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            let mut t = x;
            step(&mut t, y);
            let mut v = *a;
            step(&mut v[1], t);
            t * v[1] + s.iter().sum::<f64>() + y
        }",
    ),
    (
        "structs and methods",
        "#[derive(Clone, Debug, Differentiable)]
        struct P { a: f64, v: [f64; 2], #[no_diff] k: usize }
        #[derive(Clone, Debug, Differentiable)]
        struct Q { p: P, c: f64 }
        #[differentiable]
        impl P {
            fn norm(&self, u: f64) -> f64 { self.a * self.v[0] + u * self.v[1] + self.k as f64 }
            fn twice(&self) -> P { P { a: 2.0 * self.a, v: [self.v[1] * self.a, self.v[0]], k: self.k } }
        }
        #[differentiable]
        fn of(q: &Q) -> f64 { q.p.norm(q.c) * q.c }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            let p = P { a: x, v: [y, a[0]], k: 2 };
            let q = Q { p: p.twice(), c: a[1] };
            p.norm(y) + of(&q) * q.c + q.p.v[0] + s.iter().sum::<f64>() * a[2]
        }",
    ),
    (
        "a function that calls itself",
        "#[differentiable]
        fn power(x: f64, k: usize) -> f64 { if k == 0 { x.sin() } else { x * power(x * 0.5, k - 1) } }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            power(x * y, n) + power(a[0] + a[1] * a[2], 2) + s.iter().sum::<f64>()
        }",
    ),
    (
        "calls of calls, in loops that keep their data",
        "#[differentiable]
        fn one(u: f64, v: f64) -> f64 { let t = (u * v).sin(); t * t + u }
        #[differentiable]
        fn two(u: f64, w: &[f64; 3]) -> f64 { let mut p = u; for i in 0..3 { p = one(p, w[i]); } p }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            let mut p = x;
            for e in s { p = two(p, a) * e + y; }
            let mut k = 0;
            while k < 2 { p = two(p, a); k += 1; }
            p
        }",
    ),
    (
        "const parameters",
        "#[differentiable]
        fn dot<const N: usize>(u: &[f64; N], v: &[f64; N]) -> f64 {
            let mut t = 0.0; for i in 0..N { t += u[i] * v[i]; } t
        }
        fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> f64 {
            dot(a, &[x, y, 1.0]) * dot(&[x, y], &[y, y]) + s.iter().sum::<f64>()
        }",
    ),
];

fn agrees(source: &str) -> Result<(), String> {
    let file = syn::parse_str(source).map_err(|error| error.to_string())?;
    let compiled = Library::of(&file)?.compile()?;
    let program = Rc::new(Program::default());
    add_all(&program, &compiled);
    let machine = Machine { program, ..Machine::default() };
    let primal = &compiled["program"].primal.body;
    let derivatives = Derivatives::of(primal)?;
    let mut numbers = Numbers(3);
    for n in [2, 0, 1, 3] {
        let point = vec![
            Array::scalar(numbers.within((-1.0, 1.0))),
            Array::scalar(numbers.within((-1.0, 1.0))),
            numbers.array(&[3], (-1.0, 1.0)),
            numbers.array(&[n], (-1.0, 1.0)),
            Array::scalar(n as f64),
        ];
        let outcome = derivatives.first_order(&machine, &point, &mut numbers, Passes::OverAll)?;
        assert_eq!(outcome, Outcome::Agrees);
        second_order(&machine, &derivatives, &point, &mut numbers)?;
    }
    Ok(())
}

/// The product with the Hessian is the tangent of the gradient, and its own tangent is that of the tangent.
fn second_order(
    machine: &Machine,
    derivatives: &Derivatives,
    point: &[Array],
    numbers: &mut Numbers,
) -> Result<(), String> {
    let text = |unsupported: tangent::Unsupported| unsupported.message;
    let primal = &derivatives.primal;
    let inputs: Vec<_> = derivatives.inputs.iter().map(|k| primal.block.params[*k]).collect();
    let joint = adjoint::transform(
        primal,
        &inputs,
        adjoint::Seed::Parameter,
        adjoint::Output::Fresh,
        adjoint::CallStrategy::Recompute,
    )
    .map_err(text)?;
    let mut gradient = joint.body;
    gradient.block.results.drain(..primal.block.results.len());
    for first in [gradient, derivatives.jvp.clone()] {
        let first = simplify::run(first);
        let own = first.block.params.len();
        let inputs: Vec<_> = first.block.params.iter().copied().filter(|param| first.ty(*param).is_float()).collect();
        let second = tangent::transform(&first, &inputs).map_err(text)?;
        let more: Vec<Array> = second.block.params[point.len()..]
            .iter()
            .map(|param| match machine.dims(second.ty(*param))[..] {
                [] => Array::scalar(numbers.within((-1.0, 1.0))),
                [3] => numbers.array(&[3], (-1.0, 1.0)),
                _ => numbers.like(&point[3]),
            })
            .collect();
        let args = [point, &more].concat();
        let values = machine.run(&second, &args)?;
        let at = |step: f64| {
            let mut args = args[..own].to_vec();
            let dots = &more[own - point.len()..];
            let floats = (0..own).filter(|k| first.ty(first.block.params[*k]).is_float());
            for (k, dot) in floats.zip(dots) {
                args[k] = args[k].zip(dot, |x, dot| x + step * dot);
            }
            machine.run(&first, &args)
        };
        let (right, left) = (at(1e-5)?, at(-1e-5)?);
        let floats = (0..right.len()).filter(|k| first.ty(first.block.results[*k]).is_float());
        for (dot, k) in values[right.len()..].iter().zip(floats) {
            for (k, (dot, slope)) in dot.data.iter().zip(right[k].zip(&left[k], |r, l| (r - l) / 2e-5).data).enumerate()
            {
                if (dot - slope).abs() > 1e-6 * slope.abs().max(1.0) {
                    return Err(format!("second derivative {k}: {dot} against {slope}"));
                }
            }
        }
        check_passes(machine, &second, &args)?;
    }
    Ok(())
}

#[test]
fn calls_are_evaluated() {
    let failed: Vec<String> = SOURCES
        .iter()
        .filter_map(|(name, source)| super::caught(|| agrees(source)).err().map(|problem| format!("{name}: {problem}")))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
