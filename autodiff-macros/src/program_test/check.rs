//! What has to hold of a program.
//!
//! - The body that it is lowered to gives what the source gives.
//! - Its tangent along a direction is that of the source; that one agrees with differences, where no decision flips.
//! - Its adjoint, number by number: `⟨ȳ, J·eₖ⟩ = x̄ₖ` with the source's tangent along each input. So do the sums into
//!   cotangents that are there, the gradient that overwrites, and the two sweeps apart.
//! - The tangent of the adjoint, number by number, against the source's second derivatives.
//! - All passes keep these numbers; every pass leaves a valid body, the last one a body that updates in place.
//! - Loops that run a constant number of times do what they do written out.

use super::host::Host;
use super::interpret::{Event, Items, Machine as Interpreter, Value};
use super::library::{Library, REFUSED, add_all};
use super::number::Number;
use super::unroll::unrolled;
use crate::ir::eval::{AGAIN, Array, Machine, Program, RAGGED};
use crate::ir::text::{parse, print};
use crate::ir::{Body, Var, verify};
use crate::pass::adjoint::{self, CallStrategy, Joint, Output, RECURSION, Seed};
use crate::pass::check::{Numbers, check_passes};
use crate::pass::lengths::Lengths;
use crate::pass::split::{Halves, split};
use crate::pass::tangent::{CALLS, HIGHEST, Unsupported};
use crate::pass::{BEFORE_LANES, PASSES, Pass, in_lanes, order, overwrite, simplify, tangent};
use quote::ToTokens;
use std::rc::Rc;
use syn::{File, Item, ItemFn};

/// Rounding, relative to the largest number that occurs.
const ROUNDING: f64 = 1e-11;
/// Differences of fourth order, likewise.
const DIFFERENCE: f64 = 1e-7;
/// The widest step of differences, and how often it is halved at most: the last one is far above rounding.
const STEP: f64 = 2e-3;
const HALVINGS: i32 = 9;
/// Larger numbers leave no digits to compare.
const LARGEST: f64 = 1e4;
/// The same three for programs in `f32`.
const SINGLE: (f64, f64, f64) = (1e-4, 1e-4, 1e2);
/// The number of inputs that are not in the slice: `x`, `y` and the three of `a`.
const FIXED: usize = 5;

/// What differences of the source say of its tangent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Differences {
    /// Nothing: a decision flips within every step.
    Flip,
    /// Nothing: those of one step and of half of it are not the same.
    Bend,
    Agree,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// At one point at least, and what differences say at the best one.
    Agrees(Differences),
    /// Numbers too large to compare, decisions that hang on rounding, or arrays that the evaluator does not have.
    Discarded,
    /// The macro says that it cannot.
    Refused(String),
}

/// A program with its bodies.
pub struct Case {
    source: Source,
    pub bodies: Bodies,
    /// What it calls.
    program: Rc<Program>,
    host: Rc<Host>,
}

/// A program as it is written.
#[derive(Clone)]
pub struct Source {
    file: File,
    items: Rc<Items>,
}

impl Source {
    pub fn of(file: File) -> Source {
        Source { items: Rc::new(Items::of(&file)), file }
    }

    /// Tolerances of rounding and of differences, and the largest number of use.
    fn limits(&self) -> (f64, f64, f64) {
        if self.items.single { SINGLE } else { (ROUNDING, DIFFERENCE, LARGEST) }
    }

    /// The last function is the program.
    fn function(&self) -> &ItemFn {
        let mut functions =
            self.file.items.iter().filter_map(|item| if let Item::Fn(item) = item { Some(item) } else { None });
        functions.next_back().expect("a program")
    }
}

/// What the compiler makes of a program.
pub struct Bodies {
    pub primal: Body,
    pub jvp: Body,
    /// Cotangents as values.
    pub vjp: Body,
    /// Cotangents are added to what is there.
    pub adding: Body,
    pub halves: Halves,
    /// The same, instead of what is there, and what must be zero before.
    pub overwriting: Option<(Body, Vec<Var>)>,
    /// The tangent of `vjp`, unless the program takes derivatives itself.
    pub hvp: Option<Body>,
}

impl Bodies {
    pub fn of(primal: &Body) -> Result<Bodies, String> {
        let inputs = inputs(primal);
        let text = |unsupported: Unsupported| unsupported.message;
        let reverse = |output: Output, calls: CallStrategy| {
            adjoint::transform(primal, &inputs, Seed::Parameter, output, calls).map_err(text)
        };
        let jvp = tangent::transform(primal, &inputs).map_err(text)?;
        let fresh = reverse(Output::Fresh, CallStrategy::Recompute)?.body;
        let mut gradient = fresh.clone();
        gradient.block.results.drain(..primal.block.results.len());
        let hvp = match tangent::transform(&simplify::run(gradient), &inputs) {
            Err(unsupported) if unsupported.help == CALLS => None,
            hvp => Some(hvp.map_err(text)?),
        };
        let adding: Joint = reverse(Output::Accumulate, CallStrategy::Residuals)?;
        for body in [primal, &jvp, &fresh, &adding.body].into_iter().chain(&hvp) {
            verify::verify(body).map_err(|problem| format!("{problem}\n{}", print(body)))?;
            let text = print(body);
            let again = parse(&text).map_err(|problem| format!("the text form: {problem}\n{text}"))?;
            if print(&again) != text {
                return Err(format!("the text form is read as another:\n{text}\n{}", print(&again)));
            }
        }
        let zeros: Vec<Var> = adding.accumulators.iter().copied().flatten().collect();
        let optimised = optimise_by(BEFORE_LANES, "the gradient", &adding.body)?;
        let overwriting = overwrite::run(&optimised, &zeros).map(|overwriting| {
            (
                in_lanes(overwriting.body, &mut |_, _| {}),
                zeros.iter().copied().filter(|zero| !overwriting.covered.contains(zero)).collect(),
            )
        });
        let halves = split(&adding, primal, &[]);
        Ok(Bodies { primal: primal.clone(), jvp, vjp: fresh, adding: adding.body, halves, overwriting, hvp })
    }
}

fn inputs(primal: &Body) -> Vec<Var> {
    primal.block.params.iter().copied().filter(|param| primal.ty(*param).is_float()).collect()
}

/// All passes; an invalid body names the guilty one.
fn optimise(what: &str, body: &Body) -> Result<Body, String> {
    optimise_by(PASSES, what, body)
}

fn optimise_by(passes: &[Pass], what: &str, body: &Body) -> Result<Body, String> {
    let mut body = body.clone();
    for pass in passes {
        let before = body.clone();
        body = pass.run(body, &Lengths::default());
        let ordered = order::verify_directions(&before, &body);
        let claims = if pass.name == "fuse" { order::verify(&body) } else { Ok(()) };
        verify::verify(&body).and(ordered).and(claims).map_err(|problem| {
            format!("pass `{}` on {what}: {problem}\nbefore: {}\nafter: {}", pass.name, print(&before), print(&body))
        })?;
    }
    Ok(body)
}

/// Where a function is looked at.
pub struct Point {
    pub numbers: Vec<f64>,
    n: usize,
}

impl Point {
    pub fn of(n: usize, numbers: &mut Numbers) -> Point {
        Point { numbers: numbers.array(&[FIXED + n], (-1.0, 1.0)).data, n }
    }

    /// The numbers of the parameters with a derivative, as arrays.
    fn parts(numbers: &[f64]) -> Vec<Array> {
        let array = |data: &[f64]| Array { dims: vec![data.len()], data: data.to_vec() };
        vec![Array::scalar(numbers[0]), Array::scalar(numbers[1]), array(&numbers[2..FIXED]), array(&numbers[FIXED..])]
    }

    fn args(&self) -> Vec<Array> {
        [Point::parts(&self.numbers), vec![Array::scalar(self.n as f64)]].concat()
    }
}

/// What of a callee is refused once something calls it.
fn refusal(problem: &str) -> Option<&'static str> {
    [AGAIN, RECURSION].into_iter().find(|refusal| problem.contains(refusal))
}

fn numbers_of(value: &Value, into: &mut Vec<Number>) -> Result<(), String> {
    match value {
        Value::Number(x) => into.push(*x),
        Value::Seq(parts) | Value::Tuple(parts) => parts.iter().try_for_each(|part| numbers_of(part, into))?,
        other => return Err(format!("the result is {other:?}")),
    }
    Ok(())
}

/// What the source itself gives.
struct Reference {
    results: Vec<Number>,
    decisions: Vec<bool>,
    largest: f64,
    trace: Vec<Event>,
}

/// Runs the source at a point that is moved, along two directions.
fn reference(source: &Source, point: &Point, a: &[f64], b: &[f64], single: bool) -> Result<Reference, String> {
    let number = |k: usize| Value::Number(Number::along(point.numbers[k], a[k], b[k]));
    let seq = |range: std::ops::Range<usize>| Value::Seq(range.map(number).collect());
    let args = vec![number(0), number(1), seq(2..FIXED), seq(FIXED..point.numbers.len()), Value::Int(point.n as i64)];
    let mut run = Interpreter::of(source.items.clone());
    run.single &= single;
    let result = run.call(source.function(), args).map_err(|problem| format!("the program is wrong: {problem}"))?;
    let mut results = Vec::new();
    numbers_of(&result, &mut results)?;
    Ok(Reference { results, decisions: run.decisions, largest: run.largest, trace: run.trace })
}

/// Compares lists of numbers. NaN never agrees.
fn same(what: &str, given: &[f64], expected: &[f64], tolerance: f64) -> Result<(), String> {
    if given.len() != expected.len() {
        return Err(format!("{what}: {} numbers instead of {}", given.len(), expected.len()));
    }
    match given.iter().zip(expected).position(|(x, y)| (x - y).is_nan() || (x - y).abs() > tolerance) {
        Some(k) => Err(format!("{what}: number {k} is {:e} instead of {:e}", given[k], expected[k])),
        None => Ok(()),
    }
}

fn flat(arrays: &[Array]) -> Vec<f64> {
    arrays.iter().flat_map(|array| array.data.iter().copied()).collect()
}

/// The numbers in arrays of the shapes of others.
fn shaped(numbers: &[f64], like: &[Array]) -> Vec<Array> {
    let mut rest = numbers.iter().copied();
    let mut part =
        |like: &Array| Array { dims: like.dims.clone(), data: rest.by_ref().take(like.data.len()).collect() };
    like.iter().map(&mut part).collect()
}

fn unit(k: usize, count: usize) -> Vec<f64> {
    (0..count).map(|at| f64::from(u8::from(at == k))).collect()
}

impl Case {
    pub fn of(source: &str) -> Result<Case, String> {
        Case::of_file(syn::parse_str(source).map_err(|error| format!("no Rust: {error}"))?)
    }

    fn of_file(file: File) -> Result<Case, String> {
        let compiled = Library::of(&file)?.compile()?;
        let primal = &compiled.get("program").ok_or("no program")?.primal.body;
        let (bodies, source) = (Bodies::of(primal)?, Source::of(file));
        let host = Rc::new(Host::new(source.items.clone()));
        let program = Rc::new(Program::new(Some(host.clone())));
        add_all(&program, &compiled);
        Ok(Case { source, bodies, program, host })
    }

    /// The same program without its loops over constant ranges.
    fn twin(&self) -> Result<Option<Case>, String> {
        let Some(twin) = unrolled(self.source.function()) else { return Ok(None) };
        let mut file = self.source.file.clone();
        file.items.pop();
        file.items.push(Item::Fn(twin));
        let text = file.to_token_stream().to_string();
        // What is written out is read by nobody else: the source is interpreted as it was.
        let twin = Case::of_file(file).map_err(|problem| format!("{problem}\n{text}"))?;
        Ok(Some(Case { source: self.source.clone(), ..twin }))
    }

    pub fn check(&self) -> Result<Outcome, String> {
        let mut numbers = Numbers(1);
        let outcome = self.check_for(&[2, 0, 1, 3], &mut numbers, Some(3))?;
        let twin = match self.twin() {
            // With its iterations side by side, a program may be what the macro does not do.
            Err(problem) if problem.starts_with(REFUSED) => None,
            twin => twin.map_err(|problem| format!("written out: {problem}"))?,
        };
        if let Some(twin) = twin {
            let outcome = twin.check_at(&Point::of(3, &mut numbers), &mut numbers, false);
            // The history of a `Vec` that grows in two loops; generated code has them.
            let other = |problem: &String| problem.contains(RAGGED) || refusal(problem).is_some();
            if !outcome.as_ref().is_err_and(other) {
                outcome.map_err(|problem| format!("written out: {problem}"))?;
            }
        }
        Ok(outcome)
    }

    /// Without the passes.
    pub fn check_as_built(&self) -> Result<Outcome, String> {
        self.check_for(&[2, 0, 1], &mut Numbers(1), None)
    }

    /// For several lengths, one of them with the passes.
    fn check_for(&self, lengths: &[usize], numbers: &mut Numbers, passes: Option<usize>) -> Result<Outcome, String> {
        let mut best = None;
        for n in lengths {
            let outcome = self.check_at(&Point::of(*n, numbers), numbers, passes == Some(*n));
            // The history of a `Vec` that grows; generated code has them.
            if outcome.as_ref().is_err_and(|problem| problem.contains(RAGGED)) {
                return Ok(Outcome::Discarded);
            }
            // rustc says so, or the macro of a callee.
            if let Some(refusal) = outcome.as_ref().err().and_then(|problem| refusal(problem)) {
                return Ok(Outcome::Refused(refusal.into()));
            }
            if let Outcome::Agrees(differences) = outcome.map_err(|problem| format!("n = {n}: {problem}"))? {
                best = best.max(Some(differences));
            }
        }
        Ok(best.map_or(Outcome::Discarded, Outcome::Agrees))
    }

    /// Whether second derivatives can be had.
    pub fn has_second(&self) -> Result<bool, String> {
        let mut agree = self.bodies.hvp.is_some();
        for n in [2, 0, 3, 1] {
            let point = Point::of(n, &mut Numbers(3));
            let machine = Machine { program: self.program.clone(), ..Machine::default() };
            let once = |body: &Body, args: &[Array]| match machine.run(body, args) {
                Err(problem) if refusal(&problem).is_some() => Ok(false),
                result => result.map(|_| true),
            };
            let args = point.args();
            let seeds = shaped(&[1.0, 1.0], &machine.run(&self.bodies.primal, &args)?);
            let like = Point::parts(&point.numbers).into_iter().filter(|part| !part.dims.is_empty());
            let adding = [&args[..], &seeds, &like.collect::<Vec<_>>()].concat();
            if !once(&self.bodies.adding, &adding)? {
                return Err(format!("{REFUSED}{AGAIN}"));
            }
            agree &= once(&self.bodies.vjp, &[&args[..], &seeds].concat())?;
        }
        Ok(agree)
    }

    /// At one point, before the passes.
    pub fn first(&self) -> Result<Outcome, String> {
        let mut numbers = Numbers(2);
        self.check_at(&Point::of(3, &mut numbers), &mut numbers, false)
    }

    /// What the body gives there, and its adjoint.
    pub fn numbers(&self) -> Result<(Vec<f64>, Vec<f64>), String> {
        let machine = Machine { program: self.program.clone(), ..Machine::default() };
        let args = Point::of(3, &mut Numbers(2)).args();
        self.host.take_trace();
        let values = machine.run(&self.bodies.primal, &args)?;
        let seeds = shaped(&[1.0, 0.7], &values);
        self.host.take_trace();
        Ok((flat(&values), flat(&machine.run(&self.bodies.vjp, &[&args[..], &seeds].concat())?)))
    }

    /// What differences say of a tangent that is off by a few times what they are allowed to be.
    pub fn with_wrong_tangent(&self) -> Result<Differences, String> {
        let numbers = &mut Numbers(2);
        let point = Point::of(3, numbers);
        let v = numbers.array(&[point.numbers.len()], (-1.0, 1.0)).data;
        let mut expected = Expected::of(&self.source, &point, &v, &mut |count| vec![1.0; count])?;
        expected.y_dot[0] += 3.0 * self.source.limits().1 * expected.largest;
        self.differences(&point, &v, &expected)
    }

    fn check_at(&self, point: &Point, numbers: &mut Numbers, passes: bool) -> Result<Outcome, String> {
        let count = point.numbers.len();
        let v = numbers.array(&[count], (-1.0, 1.0)).data;
        let expected = Expected::of(&self.source, point, &v, &mut |count| numbers.array(&[count], (-1.0, 1.0)).data)?;
        let largest = expected.largest;
        if !expected.is_of_use(&self.source) {
            return Ok(Outcome::Discarded);
        }
        let differences = self.differences(point, &v, &expected)?;
        let y_bar = &expected.y_bar;
        let machine = Machine { program: self.program.clone(), ..Machine::default() };
        let tolerance = self.source.limits().0 * largest;
        let run = Run { machine, host: self.host.clone(), trace: expected.trace.clone(), tolerance };
        self.bodies.check(&run, &point.args(), &Point::parts(&v), y_bar, &expected, numbers, passes)?;
        Ok(Outcome::Agrees(differences))
    }

    /// The source's tangent against differences of it: of fourth order, by steps within which no decision flips, and which
    /// are halved until this changes nothing.
    fn differences(&self, point: &Point, v: &[f64], expected: &Expected) -> Result<Differences, String> {
        let tolerance = self.source.limits().1 * expected.largest;
        let fourth_order = |wide: &[f64], half: &[f64]| -> Vec<f64> {
            wide.iter().zip(half).map(|(wide, half)| (4.0 * half - wide) / 3.0).collect()
        };
        let mut slopes: Vec<Vec<f64>> = Vec::new();
        for halvings in 0..=HALVINGS {
            let Some(slope) = self.slope(point, v, STEP * 0.5_f64.powi(halvings), &expected.decisions)? else {
                slopes.clear();
                continue;
            };
            slopes.push(slope);
            if let [.., wide, half, quarter] = &slopes[..] {
                let (before, after) = (fourth_order(wide, half), fourth_order(half, quarter));
                if same("", &before, &after, tolerance).is_ok() {
                    same("the rules of calculus against differences", &expected.y_dot, &after, tolerance)?;
                    return Ok(Differences::Agree);
                }
            }
        }
        Ok(if slopes.len() < 3 { Differences::Flip } else { Differences::Bend })
    }

    /// Central differences, if no decision flips.
    fn slope(&self, point: &Point, v: &[f64], step: f64, decisions: &[bool]) -> Result<Option<Vec<f64>>, String> {
        let still = vec![0.0; v.len()];
        let run = |step: f64| {
            let numbers = point.numbers.iter().zip(v).map(|(x, v)| x + step * v).collect();
            reference(&self.source, &Point { numbers, n: point.n }, &still, &still, false)
        };
        let (before, after) = (run(-step)?, run(step)?);
        if before.decisions != decisions || after.decisions != decisions {
            return Ok(None);
        }
        let slope = |(after, before): (&Number, &Number)| (after.x - before.x) / (2.0 * step);
        Ok(Some(after.results.iter().zip(&before.results).map(slope).collect()))
    }
}

/// The numbers of the source.
pub struct Expected {
    pub values: Vec<f64>,
    pub y_dot: Vec<f64>,
    pub y_bar: Vec<f64>,
    pub x_bar: Vec<f64>,
    pub x_bar_dot: Vec<f64>,
    decisions: Vec<bool>,
    /// What is called that is not pure.
    pub trace: Vec<Event>,
    /// The largest number that occurs.
    largest: f64,
}

impl Expected {
    /// Tangents are along `v`, cotangents those of the results that `bars` gives for so many.
    pub fn of(
        source: &Source,
        point: &Point,
        v: &[f64],
        bars: &mut dyn FnMut(usize) -> Vec<f64>,
    ) -> Result<Expected, String> {
        let count = point.numbers.len();
        let along: Vec<Reference> =
            (0..count).map(|k| reference(source, point, &unit(k, count), v, true)).collect::<Result<_, _>>()?;
        let larger = |max: f64, run: &Reference| if run.largest.is_nan() { f64::NAN } else { max.max(run.largest) };
        let largest = along.iter().fold(1.0_f64, |max, run| if max.is_nan() { max } else { larger(max, run) });
        let y_bar = bars(along[0].results.len());
        let product = |run: &Reference, part: fn(&Number) -> f64| {
            run.results.iter().zip(&y_bar).map(|(y, bar)| part(y) * bar).sum::<f64>()
        };
        Ok(Expected {
            values: along[0].results.iter().map(|y| y.x).collect(),
            y_dot: along[0].results.iter().map(|y| y.b).collect(),
            x_bar: along.iter().map(|run| product(run, |y| y.a)).collect(),
            x_bar_dot: along.iter().map(|run| product(run, |y| y.ab)).collect(),
            y_bar,
            decisions: along[0].decisions.clone(),
            trace: along[0].trace.clone(),
            largest,
        })
    }

    /// Whether there are digits to compare.
    pub fn is_of_use(&self, source: &Source) -> bool {
        !self.largest.is_nan() && self.largest <= source.limits().2
    }
}

/// Runs bodies, which have to call what the source calls.
#[derive(Clone)]
struct Run {
    machine: Machine,
    host: Rc<Host>,
    /// The calls of functions that are not pure.
    trace: Vec<Event>,
    tolerance: f64,
}

impl Run {
    /// What computes values for the first time.
    fn first(&self, body: &Body, args: &[Array]) -> Result<Vec<Array>, String> {
        self.tracing(body, args, &self.trace)
    }

    /// The reverse sweep alone, which calls nothing again.
    fn again(&self, body: &Body, args: &[Array]) -> Result<Vec<Array>, String> {
        self.tracing(body, args, &[])
    }

    fn tracing(&self, body: &Body, args: &[Array], trace: &[Event]) -> Result<Vec<Array>, String> {
        self.host.take_trace();
        let results = self.machine.run(body, args)?;
        let given = self.host.take_trace();
        if given == trace { Ok(results) } else { Err(format!("calls {given:?} instead of {trace:?}")) }
    }
}

impl Bodies {
    #[expect(clippy::too_many_arguments, reason = "what is given and what is expected")]
    fn check(
        &self,
        run: &Run,
        args: &[Array],
        v: &[Array],
        y_bar: &[f64],
        expected: &Expected,
        numbers: &mut Numbers,
        passes: bool,
    ) -> Result<(), String> {
        let tolerance = run.tolerance;
        let value = run.first(&self.primal, args)?;
        same("value", &flat(&value), &expected.values, tolerance)?;
        let seeds = shaped(y_bar, &value);
        let with_v = [args, v].concat();
        let with_seeds = [args, &seeds].concat();
        let values_and = |more: &[f64]| [&expected.values[..], more].concat();

        let tangents = values_and(&expected.y_dot);
        same("tangent", &flat(&run.first(&self.jvp, &with_v)?), &tangents, tolerance)?;
        let cotangents = values_and(&expected.x_bar);
        // What only second derivatives are made of runs calls again: of some they are refused.
        let second_order = run.first(&self.vjp, &with_seeds);
        let has_second = !second_order.as_ref().is_err_and(|problem| problem.contains(AGAIN));
        if has_second {
            same("adjoint", &flat(&second_order?), &cotangents, tolerance)?;
        }

        // Arrays are added to, numbers are given.
        let start: Vec<Array> = v.iter().filter(|part| !part.dims.is_empty()).map(|part| numbers.like(part)).collect();
        let zero: Vec<Array> = start.iter().map(|part| part.clone().map(|_| 0.0)).collect();
        let numeric = FIXED - 3;
        let sums: Vec<f64> =
            expected.x_bar.iter().zip([vec![0.0; numeric], flat(&start)].concat()).map(|(x, y)| x + y).collect();
        let sums = values_and(&sums);
        let with_start = [&with_seeds[..], &start].concat();
        same("adjoint added", &flat(&run.first(&self.adding, &with_start)?), &sums, tolerance)?;

        let Halves { forward, reverse, residuals } = &self.halves;
        let mut results = run.first(forward, args)?;
        let saved = results.split_off(results.len() - residuals.len());
        let with_saved = [args, &saved, &with_start[args.len()..]].concat();
        results.extend(run.again(reverse, &with_saved)?);
        same("two sweeps", &flat(&results), &sums, tolerance)?;

        let with_both = [&with_seeds[..], v].concat();
        let second = [&expected.x_bar[..], &expected.x_bar_dot].concat();
        let mut hvp = self.hvp.as_ref().filter(|_| has_second);
        match hvp.map(|hvp| run.first(hvp, &with_both)) {
            // What it calls takes a derivative of a derivative of a derivative.
            Some(Err(problem)) if problem.contains(HIGHEST) => hvp = None,
            Some(product) => same("tangent of the adjoint", &flat(&product?), &second, tolerance)?,
            None => {}
        }

        let machine = Machine { in_place: true, ..run.machine.clone() };
        let in_place = Run { machine, ..run.clone() };
        if let Some((body, zeros)) = &self.overwriting {
            let own = self.primal.block.params.len() + seeds.len();
            let arrays = body.block.params[own..].iter().zip(start.iter().zip(&zero));
            let at = arrays.map(|(param, (start, zero))| if zeros.contains(param) { zero } else { start }.clone());
            let args = [&with_seeds[..], &at.collect::<Vec<_>>()].concat();
            same("overwriting", &flat(&in_place.first(body, &args)?), &cotangents, tolerance)?;
        }
        if !passes {
            return Ok(());
        }
        let hvp = hvp.map(|hvp| ("tangent of the adjoint", hvp, &with_both[..], &second));
        let all = [
            ("value", &self.primal, args, &expected.values),
            ("tangent", &self.jvp, &with_v[..], &tangents),
            ("adjoint", &self.adding, &with_start[..], &sums),
        ];
        for (what, body, args, expected) in all.into_iter().chain(hvp) {
            let result = optimise(what, body).and_then(|body| in_place.first(&body, args));
            let result = result.and_then(|result| same(what, &flat(&result), expected, tolerance));
            if let Err(problem) = result {
                check_passes(&run.machine, body, args)?;
                return Err(format!("after the passes, {problem}"));
            }
        }
        let forward = optimise("the forward sweep", forward)?;
        let mut results = in_place.first(&forward, args)?;
        results.truncate(results.len() - residuals.len());
        results.extend(in_place.again(&optimise("the reverse sweep", reverse)?, &with_saved)?);
        same("two sweeps after the passes", &flat(&results), &sums, tolerance)
    }
}
