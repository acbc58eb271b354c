//! What a derivative has to satisfy, whichever rule it comes from; used by the tests of operators and passes.
//!
//! - values: the derivative bodies give the primal's results, bit for bit;
//! - tangent against central differences, for every input at once along random directions;
//! - dot products: ⟨ȳ, J·ẋ⟩ = ⟨Jᵀ·ȳ, ẋ⟩, for cotangents as values and for those added into an array;
//! - second order: the tangent of the adjoint against differences of the adjoint, and against the adjoint of
//!   the tangent by the dot product;
//! - single precision: the same numbers, rounded;
//! - the forward and the reverse sweep apart give what they give together;
//! - every pass keeps the numbers, and what the last one leaves may be updated in place.

use super::adjoint::{self, CallStrategy, Output, Seed};
use super::lengths::Lengths;
use super::split::{Halves, split};
use super::{PASSES, element_sums, tangent};
use crate::ir::eval::{Array, Machine};
use crate::ir::text::print;
use crate::ir::{Body, Elem, Var, verify};
use crate::lower::{self, Outcome as Lowered};
use crate::parse::attr::Attr;
use crate::parse::function::Function;
use crate::relay::Knowledge;

/// Differences of fourth order with this step are good to about 1e-11 for functions of ordinary size.
const STEP: f64 = 1e-3;
/// Derivative against differences, relative to the largest number (or 1).
pub const DIFFERENCE: f64 = 1e-8;
/// Two ways to the same derivative, relative to the largest number (or 1): rounding only.
pub const ROUNDING: f64 = 1e-12;
/// The same in single precision.
pub const SINGLE: f64 = 1e-5;

/// Whether two numbers agree up to a relative tolerance, absolute below `scale`. NaN never agrees.
pub fn agree(a: f64, b: f64, tolerance: f64, scale: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * scale
}

/// Whether arrays agree, relative to the largest of their numbers (or 1).
pub fn all_agree(a: &[Array], b: &[Array], tolerance: f64) -> Result<(), String> {
    if a.len() != b.len() {
        return Err(format!("{} arrays against {}", a.len(), b.len()));
    }
    let scale = a.iter().chain(b).flat_map(|array| &array.data).fold(1.0_f64, |max, x| max.max(x.abs()));
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        if a.dims != b.dims {
            return Err(format!("shape {:?} against {:?}", a.dims, b.dims));
        }
        for (n, (x, y)) in a.data.iter().zip(&b.data).enumerate() {
            if !agree(*x, *y, tolerance, scale) {
                return Err(format!(
                    "number {n} of array {k}: {x:e} against {y:e}, off by {:e}",
                    (x - y).abs() / scale
                ));
            }
        }
    }
    Ok(())
}

/// A fixed sequence of numbers that look random.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number that is the same in both precisions.
    pub fn within(&mut self, (lo, hi): (f64, f64)) -> f64 {
        let unit = (self.bits() >> 40) as f64 / (1_u64 << 24) as f64;
        f64::from((lo + (hi - lo) * unit) as f32)
    }

    pub fn array(&mut self, dims: &[usize], range: (f64, f64)) -> Array {
        let mut array = Array::from_fn(dims, |_| 0.0);
        array.data.iter_mut().for_each(|x| *x = self.within(range));
        array
    }

    /// An array like another one, with numbers in −1..1.
    pub fn like(&mut self, array: &Array) -> Array {
        self.array(&array.dims, (-1.0, 1.0))
    }
}

/// A function with its derivatives.
pub struct Derivatives {
    pub primal: Body,
    /// Positions of the inputs among the parameters, and of the results with a derivative.
    pub inputs: Vec<usize>,
    pub jvp: Body,
    pub vjp: Body,
    pub accumulating: Body,
    /// `accumulating`, cut into its two sweeps.
    halves: Halves,
}

/// How a check ended that found nothing wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Agrees,
    /// There is a kink too close to the point for differences to tell anything: take another point.
    Kink,
}

/// What the passes are tried on; they are most of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    None,
    /// The tangent alone: of an adjoint it is the product with the Hessian, as generated.
    OverTangent,
    OverAll,
}

impl Derivatives {
    pub fn of(primal: &Body) -> Result<Derivatives, String> {
        let params = &primal.block.params;
        let inputs: Vec<usize> = (0..params.len()).filter(|k| primal.ty(params[*k]).is_float()).collect();
        Derivatives::with_inputs(primal, inputs)
    }

    pub fn with_inputs(primal: &Body, inputs: Vec<usize>) -> Result<Derivatives, String> {
        let vars: Vec<Var> = inputs.iter().map(|k| primal.block.params[*k]).collect();
        let unsupported = |unsupported: tangent::Unsupported| unsupported.message;
        let jvp = tangent::transform(primal, &vars).map_err(unsupported)?;
        let vjp = adjoint::transform(primal, &vars, Seed::Parameter, Output::Fresh, CallStrategy::Residuals)
            .map_err(unsupported)?
            .body;
        let accumulating =
            adjoint::transform(primal, &vars, Seed::Parameter, Output::Accumulate, CallStrategy::Residuals)
                .map_err(unsupported)?;
        let halves = split(&accumulating, primal, &[]);
        Ok(Derivatives { primal: primal.clone(), inputs, jvp, vjp, accumulating: accumulating.body, halves })
    }

    /// Everything above at points of the function's domain, as many as `points` says.
    pub fn check(
        &self,
        machine: &Machine,
        points: usize,
        numbers: &mut Numbers,
        passes: Passes,
        mut point: impl FnMut(&mut Numbers) -> Vec<Array>,
    ) -> Result<(), String> {
        let second = [
            ("vjp", Derivatives::of(&without_value(&self.primal, &self.vjp))?),
            ("jvp", Derivatives::of(&without_value(&self.primal, &self.jvp))?),
        ];
        for derivatives in [self, &second[0].1, &second[1].1] {
            for body in [&derivatives.primal, &derivatives.jvp, &derivatives.vjp, &derivatives.accumulating] {
                verify::verify(body).map_err(|problem| format!("{problem}\n{}", print(body)))?;
            }
        }
        let (mut agreed, mut tried) = (0, 0);
        while agreed < points {
            tried += 1;
            if tried > 10 * points {
                return Err("no point without a kink nearby".into());
            }
            // The passes do not know the numbers: once is enough.
            let passes = if agreed == 0 { passes } else { Passes::None };
            let x = point(numbers);
            let mut outcome = self.first_order(machine, &x, numbers, passes)?;
            for (name, over) in &second {
                // After the primal's parameters: cotangents, or tangents.
                let more: Vec<Array> = over.primal.block.params[x.len()..]
                    .iter()
                    .map(|param| numbers.array(&machine.dims(over.primal.ty(*param)), (-1.0, 1.0)))
                    .collect();
                let at = [&x[..], &more].concat();
                if outcome == Outcome::Agrees {
                    let generated = *name == "vjp" && passes == Passes::OverAll;
                    let passes = if generated { Passes::OverTangent } else { Passes::None };
                    outcome = over
                        .first_order(machine, &at, numbers, passes)
                        .map_err(|problem| format!("derivative of the {name}: {problem}"))?;
                }
            }
            agreed += usize::from(outcome == Outcome::Agrees);
        }
        Ok(())
    }

    /// The results that have a derivative.
    fn floats(&self, results: &[Array]) -> Vec<Array> {
        let is_float = |var: &Var| self.primal.ty(*var).is_float();
        self.primal.block.results.iter().zip(results).filter(|(var, _)| is_float(var)).map(|(_, y)| y.clone()).collect()
    }

    fn direction(&self, point: &[Array], numbers: &mut Numbers) -> Vec<Array> {
        self.inputs.iter().map(|k| numbers.like(&point[*k])).collect()
    }

    pub fn first_order(
        &self,
        machine: &Machine,
        point: &[Array],
        numbers: &mut Numbers,
        passes: Passes,
    ) -> Result<Outcome, String> {
        let y = machine.run(&self.primal, point)?;
        let x_dot = self.direction(point, numbers);
        let y_bar: Vec<Array> = self.floats(&y).iter().map(|y| numbers.like(y)).collect();
        let (jvp_args, vjp_args) = ([point, &x_dot].concat(), [point, &y_bar].concat());

        let forward = machine.run(&self.jvp, &jvp_args)?;
        let (value, y_dot) = forward.split_at(y.len());
        named("value of the jvp", all_agree(value, &y, 0.0))?;
        let difference = |step| difference(machine, &self.primal, &self.inputs, point, &x_dot, step);
        let (wide, narrow) = (self.floats(&difference(STEP)?), self.floats(&difference(STEP / 2.0)?));
        let kink = all_agree(&wide, &narrow, DIFFERENCE / 4.0).is_err() && !has_nan(&wide);
        if kink {
            return Ok(Outcome::Kink);
        }
        named("tangent against differences", all_agree(y_dot, &wide, DIFFERENCE))?;

        let backward = machine.run(&self.vjp, &vjp_args)?;
        let (value, x_bar) = backward.split_at(y.len());
        named("value of the vjp", all_agree(value, &y, 0.0))?;
        named("dot products", same_products(&y_bar, y_dot, x_bar, &x_dot))?;

        let start: Vec<Array> =
            self.inputs.iter().filter(|k| !point[**k].dims.is_empty()).map(|k| numbers.like(&point[*k])).collect();
        let args = [&vjp_args[..], &start].concat();
        let accumulated = machine.run(&self.accumulating, &args)?;
        let mut start = start.iter();
        let expected: Vec<Array> = x_bar
            .iter()
            .map(|bar| {
                if bar.dims.is_empty() {
                    bar.clone()
                } else {
                    bar.zip(start.next().expect("one for each"), |x, y| x + y)
                }
            })
            .collect();
        named("accumulated cotangents", all_agree(&accumulated[y.len()..], &expected, ROUNDING))?;

        let single = Machine { single: true, ..machine.clone() };
        named("jvp in single precision", all_agree(&single.run(&self.jvp, &jvp_args)?, &forward, SINGLE))?;
        named("vjp in single precision", all_agree(&single.run(&self.vjp, &vjp_args)?, &backward, SINGLE))?;

        if passes != Passes::None {
            check_passes(machine, &self.jvp, &jvp_args)?;
        }
        if passes == Passes::OverAll {
            check_passes(machine, &self.primal, point)?;
            check_passes(machine, &self.vjp, &vjp_args)?;
            check_passes(machine, &self.accumulating, &args)?;
            let results = machine.run(&self.accumulating, &args)?;
            self.two_sweeps(machine, point, &args[point.len()..], &results)?;
        }
        Ok(Outcome::Agrees)
    }

    /// The forward sweep, then the reverse sweep on what it left, give what both together give.
    fn two_sweeps(
        &self,
        machine: &Machine,
        point: &[Array],
        seeds: &[Array],
        expected: &[Array],
    ) -> Result<(), String> {
        let Halves { forward, reverse, residuals } = &self.halves;
        for body in [forward, reverse] {
            verify::verify(body).map_err(|problem| format!("{problem}\n{}", print(body)))?;
        }
        let mut results = machine.run(forward, point)?;
        let saved = results.split_off(results.len() - residuals.len());
        let args = [point, &saved, seeds].concat();
        results.extend(machine.run(reverse, &args)?);
        named("two sweeps", all_agree(&results, expected, 0.0))?;
        check_passes(machine, forward, point)?;
        check_passes(machine, reverse, &args)
    }
}

/// The derivative alone.
fn without_value(primal: &Body, derivative: &Body) -> Body {
    let mut derivative = derivative.clone();
    derivative.block.results.drain(..primal.block.results.len());
    derivative
}

/// ⟨a, b⟩ = ⟨c, d⟩ up to the rounding of their terms.
fn same_products(a: &[Array], b: &[Array], c: &[Array], d: &[Array]) -> Result<(), String> {
    let sum = |x: &[Array], y: &[Array]| x.iter().zip(y).map(|(x, y)| x.dot(y)).sum::<f64>();
    let size = |x: &[Array], y: &[Array]| {
        x.iter().zip(y).map(|(x, y)| x.zip(y, |x, y| (x * y).abs()).data.iter().sum::<f64>()).sum::<f64>()
    };
    let (left, right) = (sum(a, b), sum(c, d));
    let scale = 1.0 + size(a, b).max(size(c, d));
    if agree(left, right, ROUNDING, scale) {
        Ok(())
    } else {
        Err(format!("⟨ȳ, J·ẋ⟩ = {left:e}, ⟨Jᵀ·ȳ, ẋ⟩ = {right:e}"))
    }
}

fn has_nan(arrays: &[Array]) -> bool {
    arrays.iter().flat_map(|array| &array.data).any(|x| x.is_nan())
}

fn named(what: &str, result: Result<(), String>) -> Result<(), String> {
    result.map_err(|problem| format!("{what}: {problem}"))
}

/// The derivative along `x_dot` by differences of fourth order.
fn difference(
    machine: &Machine,
    f: &Body,
    inputs: &[usize],
    x: &[Array],
    x_dot: &[Array],
    h: f64,
) -> Result<Vec<Array>, String> {
    let at = |steps: f64| {
        let mut x = x.to_vec();
        for (k, dot) in inputs.iter().zip(x_dot) {
            x[*k] = x[*k].zip(dot, |x, dot| x + steps * h * dot);
        }
        machine.run(f, &x)
    };
    let (far, near) = ((at(-2.0)?, at(2.0)?), (at(-1.0)?, at(1.0)?));
    let slope = |k: usize| {
        let near = near.1[k].zip(&near.0[k], |right, left| 8.0 * (right - left));
        let far = far.1[k].zip(&far.0[k], |right, left| right - left);
        near.zip(&far, |near, far| (near - far) / (12.0 * h))
    };
    Ok((0..near.0.len()).map(slope).collect())
}

/// Runs a body before and after each pass.
pub fn check_passes(machine: &Machine, body: &Body, args: &[Array]) -> Result<(), String> {
    let expected = machine.run(body, args)?;
    let mut body = body.clone();
    let mut machine = machine.clone();
    for pass in PASSES.iter().chain([&super::pass("element_sums", element_sums::everywhere)]) {
        let before = body.clone();
        body = pass.run(body, &Lengths::default());
        // What the memory plan relies on.
        machine.in_place |= pass.name == "inplace";
        let result = verify::verify(&body).and_then(|()| machine.run(&body, args));
        // What a callee's forward sweep hands over is nobody else's business.
        let given = |results: &[Array]| {
            let own = results.iter().zip(&body.block.results);
            own.filter(|(_, var)| !matches!(body.ty(**var).elem, Elem::Data(_)))
                .map(|(y, _)| y.clone())
                .collect::<Vec<_>>()
        };
        let result = result.and_then(|result| all_agree(&given(&result), &given(&expected), ROUNDING));
        result.map_err(|problem| {
            format!("pass `{}`: {problem}\nbefore: {}\nafter: {}", pass.name, print(&before), print(&body))
        })?;
    }
    Ok(())
}

/// The body of a function given as Rust.
pub fn lowered(source: &str) -> Result<Body, String> {
    let texts = |errors: crate::diag::Errors| errors.texts().join("\n");
    let item = syn::parse_str(source).map_err(|error| error.to_string())?;
    let attr = Attr::parse(proc_macro2::TokenStream::new()).map_err(texts)?;
    let (function, errors) = Function::parse(attr, item);
    if !errors.is_empty() {
        return Err(texts(errors));
    }
    let (mut errors, knowledge) = (crate::diag::Errors::default(), Knowledge::default());
    let resolved = function.resolve(&knowledge, &mut errors, &mut Vec::new());
    let (params, result) = resolved.ok_or_else(|| texts(errors))?;
    match lower::lower(&function, &params, &result, &knowledge) {
        Lowered::Done(primal) => Ok(primal.body),
        Lowered::Failed(errors) => Err(texts(errors)),
        Lowered::Ask(_) => Err("calls another function".into()),
    }
}
