//! Every operator on operands of random ranks and sizes, along random axes and with random options, by the shape
//! rule that the reference states; and with one variable for all operands. What the rule says of the result has to
//! hold, and so have the derivatives of first and second order.

use super::{body, machine, point};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::text::print;
use crate::ir::{Body, Elem, Ty, Var};
use crate::op::method::{self, Arg, Method, ParamKind};
use crate::op::page::Page;
use crate::op::{Mismatch, RowKind, elementwise};
use crate::pass::check::{Derivatives, Numbers, Passes};
use proptest::prelude::{ProptestConfig, any};
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::collections::HashMap;

/// Operand lists of each operator; `PROPTEST_CASES` looks further.
const CASES: u32 = 4;
/// Most of the sizes drawn independently do not fit; refusing them costs nothing.
const ATTEMPTS: usize = 3000;
/// No operand is larger.
const ELEMENTS: usize = 64;
const MOST_AXES: usize = 6;

/// A size or several axes in a shape rule.
#[derive(Clone, PartialEq, Debug)]
enum Item {
    /// `n`, `2·h`, `g·c`
    Size(Vec<String>),
    /// `a…`, or `~a…`
    Axes(String, bool),
}

/// The shapes that a text starts with, `[n, c], [c]`, and what follows.
fn shapes(text: &str) -> (Vec<Vec<Item>>, &str) {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while let Some((inner, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let items =
            inner.split(',').map(str::trim).filter(|item| !item.is_empty()).map(|item| match item.strip_suffix('…') {
                Some(name) => Item::Axes(name.trim_start_matches('~').to_owned(), name.starts_with('~')),
                None => Item::Size(item.split('·').map(str::to_owned).collect()),
            });
        found.push(items.collect());
        rest = after;
        match rest.strip_prefix(", [") {
            Some(_) => rest = &rest[2..],
            None => break,
        }
    }
    (found, rest.trim())
}

/// What the names of a rule stand for.
struct Sizes<'n> {
    numbers: &'n mut Numbers,
    one: HashMap<String, usize>,
    several: HashMap<String, Vec<usize>>,
    /// All sizes are this.
    uniform: Option<usize>,
    /// Windows move over images, and indices go up to 1.
    options: bool,
    labels: bool,
}

impl Sizes<'_> {
    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.numbers.bits() % count as u64).expect("small")
    }

    fn any(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    fn size(&mut self, name: &str) -> usize {
        if let Ok(literal) = name.parse() {
            return literal;
        }
        if let Some(known) = self.one.get(name) {
            return *known;
        }
        let size = match self.uniform {
            Some(_) if name == "g" => 1,
            Some(size) => size,
            None if self.options && matches!(name, "d" | "h" | "l") => self.any(2, 5),
            None if name == "g" => self.any(1, 2),
            None if self.labels => self.any(2, 3),
            None => self.any(1, 3),
        };
        self.one.insert(name.to_owned(), size);
        size
    }

    fn axes(&mut self, name: &str, others: usize) -> Vec<usize> {
        if let Some(known) = self.several.get(name) {
            return known.clone();
        }
        let rank = if self.uniform.is_some() { self.below(2) } else { self.below(MOST_AXES + 1 - others) };
        let mut sizes = Vec::new();
        for _ in 0..rank {
            let room = ELEMENTS / 4 / sizes.iter().product::<usize>().max(1);
            let least = if self.labels { 2 } else { 1 };
            let size = if room < 3 && !self.labels { 1 } else { self.any(least, 3) };
            sizes.push(self.uniform.unwrap_or(size));
        }
        self.several.insert(name.to_owned(), sizes.clone());
        sizes
    }

    /// The shape, with axes of 1 and fewer axes where it is stretched.
    fn shape(&mut self, items: &[Item]) -> Vec<usize> {
        let mut dims = Vec::new();
        for item in items {
            match item {
                Item::Size(factors) => {
                    let sizes: Vec<usize> = factors.iter().map(|factor| self.size(factor)).collect();
                    dims.push(sizes.iter().product());
                }
                Item::Axes(name, stretched) => {
                    let whole = self.axes(name, items.len() - 1);
                    if *stretched && self.uniform.is_none() {
                        let dropped = self.below(whole.len() + 1);
                        for size in &whole[dropped..] {
                            dims.push(if self.below(3) == 0 { 1 } else { *size });
                        }
                    } else {
                        dims.extend(whole);
                    }
                }
            }
        }
        dims
    }

    /// Whether a shape may be what a rule says; what only stands on the right may be anything.
    fn fits(&self, items: &[Item], dims: &[Dim]) -> bool {
        let mut wanted: Vec<Option<usize>> = Vec::new();
        for item in items {
            match item {
                Item::Size(factors) => {
                    let known = |factor: &String| factor.parse().ok().or_else(|| self.one.get(factor).copied());
                    wanted.push(factors.iter().map(known).product());
                }
                Item::Axes(name, false) if self.several.contains_key(name) => {
                    wanted.extend(self.several[name].iter().map(|size| Some(*size)));
                }
                Item::Axes(..) => return true,
            }
        }
        let fits = |(wanted, dim): (&Option<usize>, &Dim)| {
            wanted.is_none_or(|wanted| dim.as_literal() == i64::try_from(wanted).ok())
        };
        wanted.len() == dims.len() && wanted.iter().zip(dims).all(fits)
    }
}

fn literals(sizes: &[usize]) -> Vec<Dim> {
    sizes.iter().map(|size| Dim::literal(i64::try_from(*size).expect("small"))).collect()
}

/// An operator, whatever kind it is.
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) page: &'static Page,
    /// A method's receiver comes first.
    pub(super) params: Vec<ParamKind>,
    pub(super) ranks: Option<&'static [usize]>,
    pub(super) build: Box<dyn Fn(&mut Builder, &[Arg]) -> Result<Vec<Var>, Mismatch>>,
}

impl From<&'static Method> for Subject {
    fn from(method: &'static Method) -> Subject {
        let params = [&[ParamKind::Operand], method.params].concat();
        let build = Box::new(|b: &mut Builder, args: &[Arg]| Ok(vec![(method.build)(b, args)?]));
        Subject { name: method.name, page: &method.page, params, ranks: method.ranks, build }
    }
}

fn subjects() -> Vec<Subject> {
    let functions = method::functions().map(|function| Subject {
        name: function.name,
        page: &function.page,
        params: function.params.to_vec(),
        ranks: None,
        build: Box::new(|b: &mut Builder, args: &[Arg]| Ok(vec![(function.build)(b, args)?])),
    });
    let several = method::several().map(|function| Subject {
        name: function.name,
        page: &function.page,
        params: function.params.to_vec(),
        ranks: None,
        build: Box::new(function.build),
    });
    method::all().map(Subject::from).chain(functions).chain(several).collect()
}

/// How the operands of a body are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Random,
    /// Operands of one type are one variable.
    OneVariable,
}

impl Subject {
    /// A body with this operator alone; `None` if the operands do not fit or are not worth trying. Wrong results are
    /// an error.
    fn draw(&self, numbers: &mut Numbers, choice: Choice) -> Result<Option<Body>, String> {
        let (operands, behind) = shapes(self.page.shape);
        let Some(rule) = behind.strip_prefix("->") else {
            return Err(format!("the shapes of `{}` cannot be read: {}", self.name, self.page.shape));
        };
        let uniform = (choice == Choice::OneVariable).then(|| 2 + usize::from(numbers.bits().is_multiple_of(2)));
        let mut sizes = Sizes {
            numbers,
            one: HashMap::new(),
            several: HashMap::new(),
            uniform,
            options: self.params.iter().any(|kind| matches!(kind, ParamKind::Options(..))),
            labels: self.params.contains(&ParamKind::Labels),
        };
        let mut shapes_left: Vec<Vec<usize>> = operands.iter().map(|items| sizes.shape(items)).collect();
        let small = |dims: &Vec<usize>| dims.len() <= MOST_AXES && dims.iter().product::<usize>() <= 2 * ELEMENTS;
        if !shapes_left.iter().all(small) {
            return Ok(None);
        }
        let Some(first) = shapes_left.first().cloned() else { return Ok(None) };
        let method = self.page.calls[0].starts_with("x.");
        if method && (first.is_empty() || self.ranks.is_some_and(|ranks| !ranks.contains(&first.len()))) {
            return Ok(None);
        }
        // What is put together along an axis need not be equally long there.
        if self.params.contains(&ParamKind::Operands) && choice == Choice::Random && !first.is_empty() {
            let axis = sizes.below(first.len());
            shapes_left[1][axis] = sizes.any(1, 3);
        }

        let mut next = shapes_left.iter();
        let (mut types, mut plan) = (Vec::new(), Vec::new());
        for kind in &self.params {
            let Some(arg) = argument(*kind, &mut sizes, &first, &mut next, &mut types) else { return Ok(None) };
            plan.push(arg);
        }
        // The variable of each operand.
        let mut places: Vec<usize> = (0..types.len()).collect();
        if choice == Choice::OneVariable {
            for k in 1..types.len() {
                if let Some(same) = (0..k).find(|other| types[*other] == types[k] && types[k].is_float()) {
                    places[k] = same;
                }
            }
            if places.iter().enumerate().all(|(k, place)| k == *place) {
                return Ok(None);
            }
        }
        let mut b = Builder::new();
        let params: Vec<Var> = types.iter().map(|ty| b.var(ty.clone(), None)).collect();
        let args: Vec<Arg> = plan
            .into_iter()
            .map(|arg| match arg {
                Planned::Operand(k) => Arg::Operand(params[places[k]]),
                Planned::Operands(all) => Arg::Operands(all.into_iter().map(|k| params[places[k]]).collect()),
                Planned::Number(value) => Arg::Operand(b.constant(&Elem::F64, value)),
                Planned::Fixed(arg) => arg,
            })
            .collect();
        let Ok(results) = (self.build)(&mut b, &args) else { return Ok(None) };
        let (wanted, words) = shapes(rule);
        let stated = !wanted.is_empty() && (words.is_empty() || words.starts_with(','));
        for (items, result) in wanted.iter().zip(&results).filter(|_| stated) {
            let given = b.ty(*result).clone();
            if !sizes.fits(items, &given.dims) {
                let operands: Vec<String> = types.iter().map(Ty::to_string).collect();
                return Err(format!(
                    "`{}` of {} gives {given}, against {}",
                    self.name,
                    operands.join(", "),
                    self.page.shape
                ));
            }
        }
        let used = params.iter().enumerate().filter(|(k, _)| places.contains(k)).map(|(_, param)| *param).collect();
        Ok(Some(b.finish(self.name.into(), used, results)))
    }

    /// Draws until something fits.
    fn case(&self, seed: u64, choice: Choice) -> Result<Option<Body>, String> {
        let mut numbers = Numbers(seed);
        for _ in 0..ATTEMPTS {
            if let Some(body) = self.draw(&mut numbers, choice)? {
                return Ok(Some(body));
            }
        }
        Ok(None)
    }

    /// Checks random operands, and one variable for those that may be one. Gives the numbers of bodies.
    pub(super) fn check(&self) -> Result<[u32; 2], String> {
        let mut tried = [0, 0];
        for (k, choice) in [Choice::Random, Choice::OneVariable].into_iter().enumerate() {
            let count = std::cell::Cell::new(0);
            for_seeds(if k == 0 { CASES } else { 1 }, |seed| {
                if let Some(case) = self.case(seed, choice)? {
                    count.set(count.get() + 1);
                    derivatives_hold(&case)?;
                }
                Ok(())
            })?;
            tried[k] = count.get();
        }
        Ok(tried)
    }
}

fn for_seeds(cases: u32, holds: impl Fn(u64) -> Result<(), String>) -> Result<(), String> {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { cases };
    let config = ProptestConfig { cases, max_shrink_iters: 0, ..default };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&any::<u64>(), |seed| holds(seed).map_err(TestCaseError::fail));
    result.map_err(|error| error.to_string())
}

/// At a point of the first range in which the function has a value.
fn derivatives_hold(case: &Body) -> Result<(), String> {
    let derivatives = Derivatives::of(case)?;
    let mut outcome = Err("no value anywhere".to_owned());
    for domain in super::methods::DOMAINS {
        let values = machine().run(case, &point(case, domain, &mut Numbers(7)))?;
        if values.iter().flat_map(|value| &value.data).all(|x| x.is_finite()) {
            let at = |numbers: &mut Numbers| point(case, domain, numbers);
            outcome = derivatives.check(&machine(), 1, &mut Numbers(7), Passes::None, at);
            break;
        }
    }
    outcome.map_err(|problem| format!("{problem}\n{}", print(case)))
}

/// An argument before there are variables.
enum Planned {
    Operand(usize),
    Operands(Vec<usize>),
    Number(f64),
    Fixed(Arg),
}

fn argument<'s>(
    kind: ParamKind,
    sizes: &mut Sizes<'_>,
    first: &[usize],
    shapes: &mut impl Iterator<Item = &'s Vec<usize>>,
    types: &mut Vec<Ty>,
) -> Option<Planned> {
    let rank = first.len();
    let mut operand = |elem: Elem, dims: &[usize]| {
        types.push(Ty::tensor(elem, literals(dims)));
        types.len() - 1
    };
    Some(match kind {
        ParamKind::Operand => Planned::Operand(operand(Elem::F64, shapes.next()?)),
        ParamKind::Mask => Planned::Operand(operand(Elem::Bool, shapes.next()?)),
        ParamKind::Labels => Planned::Operand(operand(Elem::usize(), shapes.next()?)),
        ParamKind::Operands => Planned::Operands(shapes.map(|dims| operand(Elem::F64, dims)).collect()),
        ParamKind::Number => Planned::Number(sizes.numbers.within((0.05, 0.95))),
        ParamKind::Axis if rank == 0 => return None,
        ParamKind::Axis => Planned::Fixed(Arg::Axis(sizes.below(rank))),
        ParamKind::NewAxis => Planned::Fixed(Arg::Axis(sizes.below(rank + 1))),
        ParamKind::Axes => {
            let mut axes: Vec<usize> = (0..rank).collect();
            for k in (1..rank).rev() {
                axes.swap(k, sizes.below(k + 1));
            }
            if sizes.below(2) == 0 && rank > 0 {
                axes.truncate(1 + sizes.below(rank));
            }
            Planned::Fixed(Arg::Axes(axes))
        }
        ParamKind::Size | ParamKind::Place => {
            let size = sizes.one.get("g").copied().unwrap_or_else(|| sizes.below(4));
            Planned::Fixed(Arg::Dims(literals(&[size])))
        }
        ParamKind::Dims => Planned::Fixed(Arg::Dims(literals(&some_sizes(sizes, first)))),
        ParamKind::Ranges => {
            let mut ranges = Vec::new();
            for size in first {
                let low = sizes.below(*size);
                ranges.push((low, low + 1 + sizes.below(size - low)));
            }
            Planned::Fixed(pairs(&ranges))
        }
        ParamKind::Pairs => {
            let amounts: Vec<(usize, usize)> = first.iter().map(|_| (sizes.below(3), sizes.below(3))).collect();
            Planned::Fixed(pairs(&amounts))
        }
        ParamKind::Options(_, fields) => {
            let mut options = Vec::new();
            for field in fields {
                let (least, most) = match *field {
                    "groups" => (1, 1),
                    "stride" | "dilation" => (1, 2),
                    _ => (0, 1),
                };
                let axes = if *field == "groups" { 1 } else { rank.saturating_sub(2) };
                let mut values: Vec<usize> = (0..axes).map(|_| sizes.any(least, most)).collect();
                if *field == "groups" {
                    values[0] = sizes.one.get("g").copied().unwrap_or(1);
                }
                options.push(literals(&values));
            }
            Planned::Fixed(Arg::Options(options))
        }
    })
}

fn pairs(pairs: &[(usize, usize)]) -> Arg {
    let dim = |size: usize| Dim::literal(i64::try_from(size).expect("small"));
    Arg::Pairs(pairs.iter().map(|(one, other)| (dim(*one), dim(*other))).collect())
}

/// Sizes for who takes a list of them: a window, another shape of the same elements, what stretches to a shape or is
/// stretched to it, or counts.
fn some_sizes(sizes: &mut Sizes<'_>, first: &[usize]) -> Vec<usize> {
    let whole = sizes.several.get("a").cloned().unwrap_or_default();
    match sizes.below(4) {
        0 => (0..2).map(|_| sizes.any(1, 3)).collect(),
        1 => {
            // The factors in another order, some joined.
            let mut factors = first.to_vec();
            if let Some(joined) = factors.pop() {
                let at = sizes.below(factors.len() + 1);
                match factors.get_mut(at) {
                    Some(factor) => *factor *= joined,
                    None => factors.insert(0, joined),
                }
            }
            factors
        }
        2 if whole != first => whole,
        2 => sizes.shape(&[Item::Axes("a".into(), true)]),
        _ => {
            let more = sizes.below(2);
            first.iter().chain(&[1][..more]).map(|_| sizes.any(1, 2)).collect()
        }
    }
}

#[test]
fn methods_and_functions() {
    for subject in subjects() {
        let tried = subject.check().unwrap_or_else(|problem| panic!("`{}`: {problem}", subject.name));
        assert!(tried[0] >= CASES, "`{}` is tried {tried:?} times", subject.name);
        let (operands, _) = shapes(subject.page.shape);
        let alike = |k: usize| subject.params.get(k) == Some(&ParamKind::Operand);
        if operands.len() == 2
            && alike(0)
            && alike(1)
            && !matches!(subject.name, "rms_norm" | "set_slice" | "add_slice")
        {
            assert!(tried[1] > 0, "`{}` is not tried with one variable for both operands", subject.name);
        }
    }
}

#[test]
fn rows() {
    let float_rows = elementwise::all().filter(|row| row.kind == RowKind::Float);
    for row in float_rows.filter(|row| !super::WITHOUT_DERIVATIVE.contains(&row.name)) {
        let result = for_seeds(2, |seed| {
            let mut numbers = Numbers(seed);
            let mut sizes = Sizes {
                numbers: &mut numbers,
                one: HashMap::new(),
                several: HashMap::new(),
                uniform: None,
                options: false,
                labels: false,
            };
            let operand = [Item::Axes("a".into(), true)];
            let types: Vec<Ty> =
                (0..row.arity()).map(|_| Ty::tensor(Elem::F64, literals(&sizes.shape(&operand)))).collect();
            let case = body(row.name, &types, |b, x| b.map(row, x));
            let derivatives = Derivatives::of(&case)?;
            let at = |numbers: &mut Numbers| point(&case, row.domain, numbers);
            let result = derivatives.check(&machine(), 1, &mut Numbers(seed), Passes::None, at);
            result.map_err(|problem| format!("{problem}\n{}", print(&case)))
        });
        result.unwrap_or_else(|problem| panic!("`{}`: {problem}", row.name));
    }
}

#[test]
fn shape_rules_are_read() {
    let (left, right) = shapes("[b…, 2·m], [~b…] -> [m], the rest");
    let size = |factors: &[&str]| Item::Size(factors.iter().map(|factor| (*factor).to_owned()).collect());
    let axes = |stretched| Item::Axes("b".into(), stretched);
    assert_eq!(left, [vec![axes(false), size(&["2", "m"])], vec![axes(true)]]);
    assert_eq!(shapes(right.strip_prefix("->").unwrap()), (vec![vec![size(&["m"])]], ", the rest"));
}
