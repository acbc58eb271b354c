//! What an operator is to the rest of the compiler. The table of them is in [`crate::op`], which the IR does not know.

use super::builder::Builder;
use super::dim::{self, Comparison, Dim};
use super::formula::{E, Scope};
use super::{Elem, Ty, Var};
use std::fmt;
use std::rc::Rc;

/// Why a shape rule refuses its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// "cannot multiply [4, 3] by [4, 1]: inner dimensions 3 and 4 differ"
    pub message: String,
    /// The rule; what the operands are is added by the front end, which knows their names.
    pub note: String,
    /// An edit that compiles; `{0}` and `{1}` stand for the operands' text.
    pub help: Option<String>,
}

/// A result type, with the equalities that hold only if rustc says so.
#[derive(Clone, Debug)]
pub struct Typed {
    pub ty: Ty,
    pub equal: Vec<(Dim, Dim, String)>,
}

impl From<Ty> for Typed {
    fn from(ty: Ty) -> Typed {
        Typed { ty, equal: Vec::new() }
    }
}

/// What passes need to know of an operator besides its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Elements are moved, not computed: cheaper to do again than to keep.
    View,
    /// Elements are combined along axes.
    Reduction,
    /// Done by a kernel that adds into its result.
    Kernel(&'static str),
}

/// An operator on whole arrays. (Element-wise operators are [`Row`]s.)
pub trait Operator: fmt::Debug {
    /// The name and the attributes, as the text form prints them: `sum[0, 2]`.
    fn text(&self) -> String;
    fn class(&self) -> Class;
    /// What its result is called in generated code, if it is a kernel.
    fn noun(&self) -> &'static str {
        "product"
    }
    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch>;
    /// The derivative of the result in the direction of the given tangents (`None`: zero).
    fn tangent(&self, b: &mut Builder, args: &[Var], y: Var, dots: &[Option<Var>]) -> Option<Var>;
    /// The cotangents of the arguments that `wants` asks for (`None`: zero).
    fn adjoint(&self, b: &mut Builder, args: &[Var], y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>>;
    /// Whether its tangent rule holds for every coefficient of a Taylor series: it moves, adds up or chooses elements, in loops.
    fn is_linear(&self) -> bool {
        false
    }
    /// The tail of the result from those of the arguments (`None`: zero): see Note [Taylor rules].
    fn taylor(
        &self,
        b: &mut Builder,
        args: &[Var],
        y: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, NoTaylorRule> {
        if self.is_linear() { Ok(self.tangent(b, args, y, tails)) } else { Err(NoTaylorRule) }
    }
    /// Whether a kernel is written as loops nevertheless, for operands so small that a call would take longer. Of loops it is also
    /// known which element depends on which: the Jacobian of residuals that rotate their points has a pattern.
    fn is_written_out(&self, _operands: &[&Ty]) -> bool {
        false
    }
    /// Writes the operator as loops; kernels have none, unless they are [written out](Self::is_written_out).
    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var>;
    /// Adds the result to `acc`, where that saves an array.
    fn loops_into(&self, _b: &mut Builder, _acc: Var, _args: &[Var]) -> Option<Var> {
        None
    }
    /// The operator that does the work of the views its operands come from, with the operands to use instead.
    fn absorb(&self, _sources: &[Option<(&dyn Operator, Var)>]) -> Option<(Rc<dyn Operator>, Vec<Option<Var>>)> {
        None
    }
    /// The operator whose result is the transpose of this one's, for the operands in the other order.
    fn transpose(&self) -> Option<Rc<dyn Operator>> {
        None
    }
    /// Whether there is a kernel of the same name that sets its result.
    fn sets(&self) -> bool {
        false
    }
    /// Whether its kernel only moves elements: it is cheaper to do again than to keep its result.
    fn moves(&self) -> bool {
        false
    }
    /// The numbers that its kernel takes before the operands.
    fn sizes(&self) -> Vec<[i64; 2]> {
        Vec::new()
    }
    /// The loops around a kernel.
    fn batch(&self) -> Option<&Batch> {
        None
    }
    /// Whether the registry-wide checks keep square operands away from singular and indefinite matrices.
    #[cfg(test)]
    fn is_tried_far_from_singular(&self) -> bool {
        false
    }
    /// For the evaluator: the value of a kernel.
    #[cfg(test)]
    fn eval(&self, _args: &[super::eval::Array], _dims: &[usize]) -> Option<super::eval::Array> {
        None
    }
}

/// What an operator says that has no Taylor rule yet.
#[derive(Clone, Copy, Debug)]
pub struct NoTaylorRule;

/// The axes before the matrix of an operand or of the result: the loop each of them follows, or `None` for an axis
/// of size 1 that follows none.
pub type Follows = Vec<Option<usize>>;

/// Loops around a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// How often each loop runs.
    pub dims: Vec<Dim>,
    /// For the two operands and the result. A loop that the result does not follow is a sum.
    pub axes: [Follows; 3],
}

/// How a row is written in Rust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `Real::name(x, …)`
    Method,
    /// The same under another name.
    Named(&'static str),
    /// `a + b`
    Infix(&'static str),
    /// `-a`
    Prefix(&'static str),
    /// `if c { a } else { b }`
    Select,
    /// `series::name(x, …)`
    Series(&'static str),
}

/// The type of what a row computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    /// Floats to a float.
    Float,
    /// Floats to a truth value; no derivative flows.
    Predicate,
    /// The first argument is a truth value, the result that of the others.
    Select,
    /// The last argument is an integer.
    IntExponent,
}

/// How a row is linear in some of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linear {
    /// In these together.
    Alike(&'static [usize]),
    /// In the first of two, with the second as a factor or a divisor.
    Scaled,
    /// In the second of two, with the first as a factor.
    ScaledBy,
    /// Not at all: from this one on the operands are wide numbers as they are.
    Series(usize),
}

/// What a row is to passes that rewrite arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algebra {
    Sum,
    Difference,
    Product,
    Quotient,
    Negation,
    /// The larger of two, without a derivative.
    Maximum,
    /// The larger of two, which has the derivative, or half of it at a tie.
    Larger,
    /// The smaller of two, likewise.
    Smaller,
    /// One of two, by a truth value.
    Choice,
    /// Whether the first is at most the second.
    AtMost,
    /// Any other comparison of two.
    Comparison,
    /// Zero, with the derivative of its operand.
    Vanishing,
    /// The tail of a Taylor series, from so many numbers and then from tails.
    Series(usize),
    /// Nothing that these passes know.
    Other,
}

/// How a value goes on that is combined with one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accumulation {
    Plus,
    Minus,
    Maximum,
}

/// How the tail of a row's Taylor series follows from those of its arguments, where a partial derivative is not constant.
///
/// Note [Taylor rules]. A tail holds the coefficients of a Taylor series behind the value: see Note [Tails] in `series.rs` of
/// `autodiff-core`. A row needs no rule of its own if none of its partial derivatives reads the result: their formulas are
/// rows, of which the tails are computed in turn, and [`Taylor::Integral`] holds. A partial derivative that reads the result
/// is a differential equation, and the row names the recurrence that solves it. The walk over the table in `registry_test.rs`
/// tells where one is missing.
///
/// Of operators on whole arrays, those that are linear in tangents are linear in tails, and products are loop nests over pairs of elements
/// (`op/convolve.rs`), since kernels are written for plain numbers. Any other operator is an error in a function with `taylor`.
#[derive(Clone, Copy)]
pub enum Taylor {
    /// y′ = Σ ∂ᵢ·xᵢ′, where no ∂ᵢ reads y.
    Integral,
    /// y is this formula, too.
    As(for<'s> fn(&[E<'s>]) -> E<'s>),
    /// y = a·b.
    Product,
    /// y = a / b.
    Quotient,
    /// y + offset = exp(rate·x + …).
    Exponential { rate: f64, offset: f64 },
    /// y′ = (a + b·y + c·y²)·x′.
    Riccati(f64, f64, f64),
    /// y′ = ∂·x′ and ∂′ = sign·y·x′.
    Wave(f64),
    /// y = xᵖ with this p.
    Root(f64),
    /// y = xᵖ.
    Power,
    /// y = √(a² + b²).
    Hypot,
    /// One of two, by a truth value.
    Choice,
    /// There is none, since the formulas that read it end with a derivative of some order.
    Missing,
}

/// The partial derivatives of a row, given arguments and result; `None` where no derivative flows.
pub type Partials = for<'s> fn(&[E<'s>], E<'s>) -> Vec<Option<E<'s>>>;

/// How long a row takes, which decides what the reverse sweep computes again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// About as long as loading a number.
    Arithmetic,
    /// A division or a root: longer than that. Of a branch they are kept.
    Division,
    /// Much longer: a loop keeps it, too.
    Function,
}

/// A row of the element-wise table.
pub struct Row {
    pub name: &'static str,
    pub doc: &'static str,
    /// The names of its arguments.
    pub args: &'static [&'static str],
    pub spelling: Spelling,
    pub kind: RowKind,
    pub algebra: Algebra,
    /// Used by the evaluator.
    pub eval: fn(&[f64]) -> f64,
    pub partials: Partials,
    pub taylor: Taylor,
    /// Where the gradient check draws its arguments.
    pub domain: (f64, f64),
    /// Whether `core` has it as a `const fn` of numbers that is the same as that of `Real`; operators need not say it.
    pub is_const: bool,
    pub cost: Cost,
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Row {
    pub fn arity(&self) -> usize {
        self.args.len()
    }

    pub fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let mut typed = Typed::from(Ty::scalar(Elem::Bool));
        for arg in args.iter().filter(|arg| !arg.is_scalar()) {
            let (dims, equal) = broadcast(&self.verb(), &typed.ty.dims, &arg.dims)?;
            typed.ty.dims = dims;
            typed.equal.extend(equal);
        }
        typed.ty.elem = match self.kind {
            RowKind::Predicate => Elem::Bool,
            RowKind::Select => args[1].elem.clone(),
            // Behind the numbers there are tails.
            RowKind::Float if matches!(self.algebra, Algebra::Series(_)) => args[self.arity() - 1].elem.clone(),
            RowKind::Float | RowKind::IntExponent => args[0].elem.clone(),
        };
        Ok(typed)
    }

    /// Whether its derivative is zero wherever it has one: it is constant between its jumps.
    pub fn is_flat(&self) -> bool {
        if self.kind != RowKind::Float {
            return false;
        }
        let mut b = Builder::new();
        let number = |b: &mut Builder| b.var(Ty::scalar(Elem::F64), None);
        let args: Vec<Var> = self.args.iter().map(|_| number(&mut b)).collect();
        let out = number(&mut b);
        let scope = Scope::new(&mut b);
        let args: Vec<E> = args.into_iter().map(|arg| scope.var(arg)).collect();
        (self.partials)(&args, scope.var(out)).iter().all(Option::is_none)
    }

    /// Whether users write it as a method under this name.
    pub fn is_method(&self) -> bool {
        match self.kind {
            RowKind::Predicate => matches!(self.spelling, Spelling::Method | Spelling::Infix(_)),
            _ => self.spelling == Spelling::Method && self.name != "sign",
        }
    }

    /// The operand that leaves the other one as it is, if it stands at `k`.
    pub fn neutral(&self, k: usize) -> Option<f64> {
        match (self.algebra, k) {
            (Algebra::Sum, _) | (Algebra::Difference, 1) => Some(0.0),
            (Algebra::Product, _) | (Algebra::Quotient, 1) => Some(1.0),
            _ => None,
        }
    }

    /// Whether zero at `k` makes the result zero, up to infinities.
    pub fn vanishes_with(&self, k: usize) -> bool {
        matches!((self.algebra, k), (Algebra::Product, _) | (Algebra::Quotient, 0))
    }

    /// The number at `k` with which the result is the negative of the other operand.
    pub fn negates(&self, k: usize) -> Option<f64> {
        match (self.algebra, k) {
            (Algebra::Product, _) => Some(-1.0),
            (Algebra::Difference, 0) => Some(0.0),
            _ => None,
        }
    }

    /// How the operand at `k` goes on in the result, if the order of many such steps does not matter, up to rounding.
    pub fn accumulation(&self, k: usize) -> Option<Accumulation> {
        match (self.algebra, k) {
            (Algebra::Sum, _) => Some(Accumulation::Plus),
            (Algebra::Difference, 0) => Some(Accumulation::Minus),
            (Algebra::Maximum, _) => Some(Accumulation::Maximum),
            _ => None,
        }
    }

    /// What it does to operands of which some are tangents, if it is linear in these: see [`crate::pass::widen`].
    pub fn linear(&self, is_tangent: &[bool]) -> Option<Linear> {
        match (self.algebra, is_tangent) {
            (Algebra::Sum | Algebra::Difference, _) => Some(Linear::Alike(&[0, 1])),
            (Algebra::Choice, [false, ..]) => Some(Linear::Alike(&[1, 2])),
            (Algebra::Product | Algebra::Quotient, [true, false]) => Some(Linear::Scaled),
            (Algebra::Product, [false, true]) => Some(Linear::ScaledBy),
            (Algebra::Negation, _) => Some(Linear::Alike(&[0])),
            (Algebra::Series(plain), _) if !is_tangent[..plain].contains(&true) => Some(Linear::Series(plain)),
            _ => None,
        }
    }

    /// Whether the result is zero because some operands vanish, whatever the others are: see [`crate::pass::vanish`].
    pub fn vanishes(&self, vanished: &[bool]) -> bool {
        match (self.algebra, vanished) {
            (Algebra::Vanishing, _) => true,
            (Algebra::Product, operands) => operands.contains(&true),
            (Algebra::Sum | Algebra::Difference | Algebra::Negation, operands) => !operands.contains(&false),
            (Algebra::Quotient, [dividend, ..]) => *dividend,
            _ => false,
        }
    }

    /// For messages: "cannot {verb} [4, 3] and [4]".
    fn verb(&self) -> String {
        match self.algebra {
            Algebra::Sum => "add".into(),
            Algebra::Difference => "subtract".into(),
            Algebra::Product => "multiply".into(),
            Algebra::Quotient => "divide".into(),
            Algebra::Choice => "select from".into(),
            Algebra::AtMost | Algebra::Comparison => "compare".into(),
            _ => format!("take `{}` of", self.name),
        }
    }
}

/// The shape of two operands side by side, after NumPy: aligned at the last axis, 1 stretches.
pub fn broadcast(verb: &str, a: &[Dim], b: &[Dim]) -> Result<(Vec<Dim>, Vec<(Dim, Dim, String)>), Mismatch> {
    let rank = a.len().max(b.len());
    let at = |dims: &[Dim], k: usize| {
        (k + dims.len()).checked_sub(rank).map_or_else(|| Dim::literal(1), |k| dims[k].clone())
    };
    let mut dims = Vec::with_capacity(rank);
    let mut equal = Vec::new();
    for k in 0..rank {
        let (x, y) = (at(a, k), at(b, k));
        dims.push(match (x.is(1), y.is(1), x.compare(&y)) {
            (_, true, _) | (_, _, Comparison::Equal) => x,
            (true, _, _) => y,
            (_, _, Comparison::Unknown) => {
                let message = format!(
                    "cannot {verb} {} and {}: sizes {x} and {y} of axis {k} differ",
                    dim::show(a),
                    dim::show(b)
                );
                equal.push((x.clone(), y.clone(), message));
                // Prefer the literal: more is known of it.
                if y.as_literal().is_some() { y } else { x }
            }
            (_, _, Comparison::Different) => {
                return Err(Mismatch {
                    message: format!(
                        "cannot {verb} {} and {}: sizes {x} and {y} of axis {k} differ",
                        dim::show(a),
                        dim::show(b)
                    ),
                    note: "shapes are aligned at the last axis; sizes must be equal, or one of them 1".into(),
                    help: stretch_help(a, b),
                });
            }
        });
    }
    Ok((dims, equal))
}

/// Suggests the `reshape` that adds the missing axes behind, where that would make the shapes fit.
fn stretch_help(a: &[Dim], b: &[Dim]) -> Option<String> {
    let (short, long, name) = if a.len() < b.len() { (a, b, "{0}") } else { (b, a, "{1}") };
    let [size] = short else { return None };
    let (_, before_last) = long.split_last()?;
    let fit = before_last.iter().position(|dim| dim.compare(size) == Comparison::Equal)?;
    let mut dims = vec![size.clone()];
    dims.extend(long[fit + 1..].iter().map(|_| Dim::literal(1)));
    Some(format!("to pair it with axis {fit}, write `{name}.reshape({})`", dim::show(&dims)))
}
