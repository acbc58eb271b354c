//! The intermediate representation.
//!
//! A [`Body`] is a function in single-assignment form. It consists of a [`Block`] of equations; an equation
//! applies an [`Op`] to variables and defines new ones. Control flow is structured: `for`, `while` and `if`
//! are operations that own blocks ("regions"). What a loop changes is *carried*: the region takes the value
//! as a parameter and returns the next one. Arrays are values like any other; [`Op::Set`] and [`Op::Acc`]
//! yield the array with one element replaced or increased, and the memory plan turns that into an update in
//! place wherever the old value is not read again.
//!
//! ```text
//! fn sum_of_squares(x: f64[N]) -> (s: f64) {
//!     s0: f64 = const 0
//!     s: f64 = for i in 0..N carry (c: f64 = s0) {
//!         xi: f64 = get x i
//!         q: f64 = mul xi xi
//!         n: f64 = add c q
//!         yield n
//!     }
//!     return s
//! }
//! ```
//!
//! The text form ([`text`]) parses back; [`verify`] checks types and scopes after every pass; [`eval`] runs a
//! body on numbers, so that passes are tested without rustc. Tangent and adjoint transformations map a body to
//! a body: they compose.

pub mod builder;
pub mod call;
pub mod dim;
pub mod effect;
#[cfg(test)]
pub mod eval;
pub mod formula;
pub mod inline;
pub mod interface;
pub mod key;
pub mod operator;
pub mod text;
pub mod ty;
pub mod var;
pub mod verify;
#[cfg(test)]
pub mod work;

pub use call::{Call, CallKind, Callee};

use dim::Dim;
use operator::{Operator, Row};
use proc_macro2::Span;
use std::rc::Rc;
pub use ty::{Elem, Ty};
pub use var::{VarMap, VarSet};

/// A value of the function, assigned once. An index into [`Body::vars`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

/// What is known of a variable.
#[derive(Clone, Debug)]
pub struct VarData {
    pub ty: Ty,
    /// The name the user gave, or one derived from it (`h`, `h_bar`).
    pub hint: Option<Rc<str>>,
}

/// One equation: `outs = op args { regions }`.
#[derive(Clone, Debug)]
pub struct Eqn {
    pub outs: Vec<Var>,
    pub op: Op,
    pub args: Vec<Var>,
    pub regions: Vec<Block>,
    pub span: Span,
}

/// A list of equations with parameters and results. It sees the variables of the blocks around it.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub params: Vec<Var>,
    pub eqns: Vec<Eqn>,
    pub results: Vec<Var>,
}

/// A function. The parameters and results are those of its block.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub name: String,
    pub vars: Vec<VarData>,
    pub block: Block,
    /// Parameters that the body may update in place: the cotangents it adds into.
    pub owned: Vec<Var>,
}

/// Arithmetic on indices; inactive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    /// Of how many steps are to be reversed from a snapshot, and how many more snapshots there is room for: after how many
    /// steps the next one is taken.
    NextSnapshot,
}

impl IntOp {
    /// A sum, a difference or a product of sizes that are known, if that is one.
    pub fn of_sizes(self, a: usize, b: usize) -> Option<usize> {
        match self {
            IntOp::Add => a.checked_add(b),
            IntOp::Sub => a.checked_sub(b),
            IntOp::Mul => a.checked_mul(b),
            _ => None,
        }
    }
}

/// What a loop keeps of its iterations for the reverse sweep, as the user wants it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum SavePolicy {
    /// What the reverse code reads, of all iterations.
    #[default]
    All,
    /// The same, of no more iterations than that.
    AtMost(Dim),
    /// So many snapshots of what the loop carries: what is between them is computed again.
    Snapshots(Dim),
}

/// What is known of the order in which the iterations of a loop run; see `pass::order`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Order {
    /// They run in the order of the loop.
    #[default]
    Ordered,
    /// What they share is only accumulated: any order gives the same, up to rounding.
    Reduce,
    /// They share nothing that one of them changes.
    Independent,
}

/// What an equation does.
#[derive(Clone, Debug)]
pub enum Op {
    /// A number; the element type is that of the result.
    Const(f64),
    /// A symbolic dimension as an integer.
    Dim(Dim),
    /// Rust tokens without a derivative: a constant, or a call whose arguments are the equation's.
    Opaque(Rc<Opaque>),
    /// Rust tokens that panic or print. The result stands for nothing; see [`effect`].
    Effect(Rc<Effect>),
    /// Zeros of the result's type. Where run time tells a size, the equation has a shape of its own, as the type may mention
    /// variables that are not known here: in it, `%0` is the first argument.
    Zero(Option<Rc<[Dim]>>),
    /// Zeros of the shape of the argument, whose rows may differ in length.
    ZeroLike,
    /// `len t i…`: how many elements there are along the axis that follows the indices.
    Len,
    /// `push t v n`: one more element at the end of an array that grows, which has `n` so far.
    Push,
    /// A row of the element-wise table, with broadcasting.
    Map(&'static Row),
    /// A conversion between number types, as `as` does; inactive unless between floats.
    Cast,
    Int(IntOp),
    /// An array from its elements along a new first axis.
    Pack,
    /// `get t i…`: the element, or the sub-array where there are fewer indices than axes.
    Get,
    /// `set t v i…`: `t` with that element (or sub-array) replaced.
    Set,
    /// `acc t v i…`: `t` with `v` added there. Without indices, a whole array is added.
    Acc,
    /// An operator on whole arrays.
    Tensor(Rc<dyn Operator>),
    /// `into acc args…`: `acc` plus the kernel's result, in place.
    Into(Rc<dyn Operator>),
    /// `put t args…`: the kernel's result in the place of `t`, whatever is there.
    Put(Rc<dyn Operator>),
    /// The same array in a place of its own.
    Copy,
    /// `for i in lo..hi`, from the end where `reverse`. Arguments are the initial carried values; the
    /// region's parameters are the index and the carried values.
    For {
        lo: Dim,
        hi: Dim,
        reverse: bool,
        keep: SavePolicy,
        order: Order,
    },
    /// Regions: the condition (carried values to `bool`), and the step.
    While {
        keep: SavePolicy,
    },
    /// The first argument is the condition; regions: then, else.
    If,
    Call(Call),
}

impl Op {
    /// Zeros of a type, and the arguments for them.
    pub fn zeros(ty: &Ty) -> (Op, Vec<Var>) {
        let args = ty.size_vars();
        let position = |var: Var| args.iter().position(|arg| *arg == var).and_then(|at| u32::try_from(at).ok());
        let own = |dim: &Dim| dim.rename(&|var| position(var).map_or(var, Var));
        let shape = ty.is_dynamic().then(|| ty.dims.iter().map(own).collect());
        (Op::Zero(shape), args)
    }

    /// `for i in lo..hi`, about which nothing is said.
    pub fn range(lo: Dim, hi: Dim, reverse: bool) -> Op {
        Op::For { lo, hi, reverse, keep: SavePolicy::All, order: Order::Ordered }
    }

    /// Calls `f` with the variables of sizes and bounds.
    pub fn for_each_size(&self, f: &mut impl FnMut(Var)) {
        match self {
            Op::For { lo, hi, .. } => {
                for dim in [lo, hi] {
                    if dim.is_dynamic() {
                        dim.vars().for_each(&mut *f);
                    }
                }
            }
            Op::Dim(dim) if dim.is_dynamic() => dim.vars().for_each(f),
            _ => {}
        }
    }

    /// Replaces the variables of sizes and bounds.
    pub fn rename(&mut self, f: &dyn Fn(Var) -> Var) {
        match self {
            Op::For { lo, hi, .. } => {
                for dim in [lo, hi] {
                    if dim.is_dynamic() {
                        *dim = dim.rename(f);
                    }
                }
            }
            Op::Dim(dim) if dim.is_dynamic() => *dim = dim.rename(f),
            _ => {}
        }
    }
}

/// The type parameter that stands for wide numbers in a function of several directions.
pub fn wide() -> proc_macro2::Ident {
    proc_macro2::Ident::new("__Wide", Span::call_site())
}

/// What stands in an opaque expression for the `k`-th argument of its equation.
pub fn hole(k: usize) -> proc_macro2::Ident {
    quote::format_ident!("__autodiff_{k}")
}

/// Replaces the holes in an opaque expression.
pub fn fill_holes(tokens: proc_macro2::TokenStream, args: &[proc_macro2::TokenStream]) -> proc_macro2::TokenStream {
    use proc_macro2::{Group, TokenTree};
    let mut filled = proc_macro2::TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => match (0..args.len()).find(|k| ident == hole(*k)) {
                Some(k) => filled.extend(args[k].clone()),
                None => filled.extend([TokenTree::Ident(ident)]),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), fill_holes(group.stream(), args));
                inner.set_span(group.span());
                filled.extend([TokenTree::Group(inner)]);
            }
            other => filled.extend([other]),
        }
    }
    filled
}

/// A variable within tokens that are not an expression of the body yet. [`Builder::opaque`](builder::Builder::opaque)
/// makes an argument of it.
pub fn late(var: Var) -> proc_macro2::Ident {
    quote::format_ident!("__autodiff_variable_{}", var.0)
}

/// Puts holes in the place of variables.
pub fn placed(tokens: proc_macro2::TokenStream, args: &mut Vec<Var>) -> proc_macro2::TokenStream {
    use proc_macro2::{Group, TokenTree};
    let replace = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), placed(group.stream(), args));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        TokenTree::Ident(ident) => {
            let number = ident.to_string().strip_prefix("__autodiff_variable_").and_then(|k| k.parse().ok());
            match number {
                Some(number) => {
                    args.push(Var(number));
                    TokenTree::Ident(hole(args.len() - 1))
                }
                None => TokenTree::Ident(ident),
            }
        }
        other => other,
    };
    tokens.into_iter().map(replace).collect()
}

/// Whether a name occurs in tokens.
pub fn mentions(tokens: &proc_macro2::TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == name,
        proc_macro2::TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// Whether tokens name a variable of the body.
pub fn mentions_late(tokens: &proc_macro2::TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident.to_string().starts_with("__autodiff_variable_"),
        proc_macro2::TokenTree::Group(group) => mentions_late(&group.stream()),
        _ => false,
    })
}

/// See [`Op::Opaque`].
#[derive(Clone, Debug)]
pub struct Opaque {
    /// The expression, with [`hole`]s for the arguments, or the function called.
    pub tokens: proc_macro2::TokenStream,
    pub is_call: bool,
    pub evaluation: Evaluation,
}

/// How often an opaque expression is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// It has no effect and always the same result: it may be removed, merged, moved and repeated.
    Pure,
    /// It may have an effect, or another result the next time: it is evaluated once, in its place among the effects.
    Once,
    /// In a reverse sweep that is being made: what a `Once` of the forward sweep has given, and has to save.
    Saved,
}

impl Opaque {
    pub fn pure(tokens: proc_macro2::TokenStream) -> Opaque {
        Opaque { tokens, is_call: false, evaluation: Evaluation::Pure }
    }

    /// An expression whose value is computed once.
    pub fn once(tokens: proc_macro2::TokenStream) -> Opaque {
        Opaque { tokens, is_call: false, evaluation: Evaluation::Once }
    }
}

/// See [`Op::Effect`].
#[derive(Clone, Debug)]
pub struct Effect {
    /// A macro call, with [`hole`]s for the arguments.
    pub tokens: proc_macro2::TokenStream,
    pub kind: EffectKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffectKind {
    /// It panics as the user says.
    Panics,
    /// It only says something.
    Prints,
    /// It panics because something is out of range: in any order with others.
    Checks,
    /// It only has its arguments computed, which may panic: in any order with others.
    Computes,
    /// It hands on rows of a Jacobian: see [`crate::pass::iterations`].
    Writes,
}

impl Effect {
    /// Whether others see when it happens.
    pub fn is_ordered(&self) -> bool {
        matches!(self.kind, EffectKind::Panics | EffectKind::Prints | EffectKind::Writes)
    }

    pub fn prints(&self) -> bool {
        self.kind == EffectKind::Prints
    }
}

impl Body {
    pub fn ty(&self, var: Var) -> &Ty {
        &self.vars[var.0 as usize].ty
    }

    pub fn data(&self, var: Var) -> &VarData {
        &self.vars[var.0 as usize]
    }
}

impl Block {
    /// Whether the block, or one inside it, reads a variable.
    pub fn uses(&self, var: Var) -> bool {
        self.results.contains(&var) || self.eqns.iter().any(|eqn| eqn.uses(var))
    }

    /// How often the block, or one inside it, reads a variable.
    pub fn count_uses(&self, var: Var) -> usize {
        let mut count = 0;
        self.for_each_use(&mut |used| count += usize::from(used == var));
        count
    }

    /// Calls `f` with every variable used in the block and the blocks inside it.
    pub fn for_each_use(&self, f: &mut impl FnMut(Var)) {
        for eqn in &self.eqns {
            eqn.for_each_use(f);
        }
        self.results.iter().copied().for_each(f);
    }

    /// Replaces every use of a variable, here and inside.
    pub fn rename_uses(&mut self, f: &impl Fn(Var) -> Var) {
        for eqn in &mut self.eqns {
            eqn.rename_uses(f);
        }
        for result in &mut self.results {
            *result = f(*result);
        }
    }
}

/// Lets types mention other variables as sizes.
pub fn rename_sizes(vars: &mut [VarData], f: &dyn Fn(Var) -> Var) {
    vars.iter_mut().filter(|data| data.ty.is_dynamic()).for_each(|data| data.ty.rename(f));
}

impl Eqn {
    pub fn for_each_use(&self, f: &mut impl FnMut(Var)) {
        self.for_each_own_use(f);
        for region in &self.regions {
            region.for_each_use(f);
        }
    }

    /// What the equation itself reads: its arguments, and the variables of its sizes and bounds.
    pub fn own_uses(&self) -> Vec<Var> {
        let mut uses = Vec::new();
        self.for_each_own_use(&mut |var| uses.push(var));
        uses
    }

    pub fn for_each_own_use(&self, f: &mut impl FnMut(Var)) {
        #[cfg(test)]
        work::visited();
        for arg in &self.args {
            f(*arg);
        }
        self.op.for_each_size(f);
    }

    pub fn uses(&self, var: Var) -> bool {
        #[cfg(test)]
        work::visited();
        let mut sized = false;
        self.op.for_each_size(&mut |used| sized |= used == var);
        sized || self.args.contains(&var) || self.regions.iter().any(|region| region.uses(var))
    }

    /// How often the equation, or one inside it, reads a variable.
    pub fn count_uses(&self, var: Var) -> usize {
        let mut count = 0;
        self.for_each_use(&mut |used| count += usize::from(used == var));
        count
    }

    pub fn rename_uses(&mut self, f: &impl Fn(Var) -> Var) {
        self.rename_own(f);
        for region in &mut self.regions {
            region.rename_uses(f);
        }
    }

    /// Replaces what the equation itself reads.
    pub fn rename_own(&mut self, f: &dyn Fn(Var) -> Var) {
        #[cfg(test)]
        work::visited();
        for arg in &mut self.args {
            *arg = f(*arg);
        }
        self.op.rename(f);
    }

    /// The shape of the first result, in variables that are known here if the equation makes zeros.
    pub fn shape(&self, vars: &[VarData]) -> Vec<Dim> {
        match &self.op {
            Op::Zero(Some(shape)) => shape.iter().map(|dim| dim.rename(&|Var(k)| self.args[k as usize])).collect(),
            _ => vars[self.outs[0].0 as usize].ty.dims.clone(),
        }
    }

    /// Where the carried values begin among the parameters of a loop's regions.
    pub fn first_carried(&self) -> usize {
        usize::from(matches!(self.op, Op::For { .. }))
    }

    /// The region that a loop repeats.
    pub fn step(&self) -> &Block {
        &self.regions[self.regions.len() - 1]
    }

    /// What a loop carries, inside it.
    pub fn carried(&self) -> &[Var] {
        &self.step().params[self.first_carried()..]
    }

    /// The region and its carried values, for a `for` loop.
    pub fn as_for(&self) -> Option<(&Dim, &Dim, bool, &Block)> {
        match &self.op {
            Op::For { lo, hi, reverse, .. } => Some((lo, hi, *reverse, &self.regions[0])),
            _ => None,
        }
    }
}
