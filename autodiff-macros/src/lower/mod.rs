//! From the user's body to IR: names are resolved, every shape is known.
//!
//! An expression whose lowering fails is reported at its token and poisons what depends on it, silently, so
//! that one build shows every mistake once.

mod argument;
mod arithmetic;
mod array;
mod array_map;
mod asked;
mod assign;
mod borrowing;
mod branch;
pub mod call;
pub mod call_site;
mod callee;
mod changing_chain;
mod choice;
mod closure;
mod coerce;
mod concat;
mod constructor;
mod conversion;
mod converted_slice;
mod data_chain;
mod data_type;
mod edit;
mod effect;
mod einsum;
mod elements;
mod env;
mod equality;
mod equations;
mod expr;
mod functions;
mod generic_closure;
mod geometry;
mod grown;
mod inactive;
mod infer;
mod inline;
mod integer;
mod learned;
mod lent_integers;
mod loops;
mod made;
mod matrix;
mod method;
mod nested;
mod object;
mod operand;
mod option;
mod option_place;
mod options;
mod ordering;
mod overloaded;
mod own_macros;
mod owned;
mod passive;
mod passive_pattern;
mod pattern;
mod place;
mod plain;
mod receiver;
mod result;
#[cfg(test)]
mod rows_test;
pub mod search;
mod sequence;
mod settle;
mod size;
mod slice;
mod slice_pattern;
mod sort;
mod stmt;
mod sum;
mod table_method;
mod taken_in;
pub mod value;
mod variant;
mod vec;

use crate::diag::{Error, Errors};
use crate::integers::{Claims, Inferred, Variables};
use crate::ir::builder::Builder;
use crate::ir::{Body, Effect, Elem, Var};
use crate::layout::{Access, Form, Kind, Layout, ParamLeaf};
use crate::op::Mismatch;
use crate::parse::function::{Function, Param};
use crate::parse::ty::Surface;
use crate::relay::Knowledge;
use crate::source::Source;
use call_site::CallSites;
use env::{Binding, Env};
pub use matrix::stated;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use syn::spanned::Spanned;
use value::{Binder, Lowered, Reported, Value};

/// A function in IR, with what emission needs to know of its signature.
#[derive(Clone)]
pub struct Primal {
    pub body: Body,
    pub leaves: Vec<ParamLeaf>,
    /// The structure of the result: the body's first results are its leaves.
    pub result: Layout,
    pub obligations: Vec<crate::ir::builder::Obligation>,
    /// How the calls of the body are written.
    pub sites: CallSites,
    /// The leaves of mutable borrows. What they hold at the end are further results of the body, after the own ones.
    pub inout: Vec<usize>,
    /// Whether tensors occur, so that the body is not plain Rust.
    pub has_tensors: bool,
    /// The body with what it prints, if it prints something.
    pub speaking: Option<Body>,
    /// The functions whose bodies have been taken in, and that name something of their module.
    pub inlined: Vec<syn::Path>,
    /// What is concluded of the types of literals.
    pub claims: Claims,
    /// Types that are taken for those of nalgebra by their names alone: see [`matrix::stated`].
    pub of_nalgebra: Vec<syn::Path>,
}

impl Primal {
    /// No body, where only the signature counts.
    pub fn nothing() -> Primal {
        Primal {
            body: Body::default(),
            leaves: Vec::new(),
            result: Layout::Parts(Kind::Tuple, Vec::new()),
            obligations: Vec::new(),
            sites: Vec::new(),
            inout: Vec::new(),
            has_tensors: false,
            speaking: None,
            inlined: Vec::new(),
            claims: Claims::default(),
            of_nalgebra: Vec::new(),
        }
    }
}

/// What lowering comes to.
pub enum Outcome {
    Done(Box<Primal>),
    /// Relays to ask first.
    Ask(Vec<syn::Path>),
    Failed(Errors),
}

pub fn lower(function: &Function, params: &[Param], result: &Surface, knowledge: &Knowledge) -> Outcome {
    let source = crate::file_of(function.name().span()).and_then(|file| Source::of(&file));
    let integers = crate::integers::infer(&function.item, &function.body, knowledge, source.clone());
    let type_of_field = |owner: &syn::Type, member: &syn::Member| source.as_ref()?.type_of_field(owner, member);
    let (block, mut errors) = crate::desugar::desugar(&function.item, &integers.body, knowledge, &type_of_field);
    own_macros::refuse(&function.body, source.as_deref(), &mut errors);
    let active = params.iter().filter(|param| param.active);
    let mut types = active.map(|param| (&param.ty, &param.surface)).chain([(&function.result, result)]);
    if let Some((ty, _)) = types.find(|(_, surface)| Layout::of(surface).has_slices_in_slices()) {
        let what = "a slice of what holds slices of structs cannot be differentiated yet";
        let help = "keep the inner ones in one slice, with where each begins";
        errors.push(Error::new(ty, what).help(help).plain_rust());
        return Outcome::Failed(errors);
    }
    if Layout::of(result).has_slices_in_enums() {
        let what = "a `Vec` of structs in an enum or an `Option` that is returned cannot be differentiated yet";
        let help = "return the `Vec`, which may be empty, and what else there is beside it";
        errors.push(Error::new(&function.result, what).help(help).plain_rust());
        return Outcome::Failed(errors);
    }
    let mut learned = learned::Learned::default();
    loop {
        match attempt(function, params, result, knowledge, (&block, &integers), errors.clone(), learned.clone()) {
            Ok(outcome) => return outcome,
            Err(news) => learned.extend(*news),
        }
    }
}

/// Lowers the body with some types known, or finds more of them: see Note [Types by later use] in `learned.rs`.
fn attempt(
    function: &Function,
    params: &[Param],
    result: &Surface,
    knowledge: &Knowledge,
    (block, integers): (&syn::Block, &Inferred),
    errors: Errors,
    learned: learned::Learned,
) -> Result<Outcome, Box<learned::Learned>> {
    let mut b = Builder::new();
    b.changing = params.iter().filter(|param| param.is_mut).map(|param| param.name.to_string()).collect();
    let mut env = Env::default();
    env.open();
    let mut binder = Binder { b: &mut b, leaves: Vec::new(), along: None };
    for (k, param) in params.iter().enumerate() {
        let name = &param.name;
        let value =
            binder.bind(&Layout::of(&param.surface), Access::root(k), &name.to_string(), param.active, &quote!(#name));
        env.define(&name.to_string(), Some(value), param.mutable);
    }
    let leaves = binder.leaves;
    let active: HashSet<Var> = leaves.iter().filter(|leaf| leaf.active).map(|leaf| leaf.var).collect();
    let mut lower = Lower {
        b,
        function,
        knowledge,
        leaves: leaves.clone(),
        active,
        is_discrete: result.is_discrete() && !params.iter().any(|param| param.is_mut),
        env,
        first_values: HashMap::new(),
        missed: BTreeSet::new(),
        borrowed_params: params.iter().filter(|param| param.is_mut).map(|param| param.name.to_string()).collect(),
        called: HashMap::new(),
        unseen: HashMap::new(),
        growing: sequence::growing_names(block).into_iter().chain(learned.growing()).collect(),
        lent: sequence::lent_names(block),
        claims: integers.claims.clone(),
        counted: integers.variables.clone(),
        names: integers.names.clone(),
        guesses: Vec::new(),
        source: crate::file_of(function.name().span()).and_then(|file| Source::of(&file)),
        integers: None,
        learned,
        news: learned::Learned::default(),
        fallible: None,
        guessed: false,
        errors,
        ask: Vec::new(),
        sites: Vec::new(),
        may_inline: crate::ir::inline::MOST_IN_ALL,
        left_out: None,
        has_matrices: false,
        of_nalgebra: Vec::new(),
        numbers_of: HashMap::new(),
        left_of: HashMap::new(),
        frozen: 0,
        depth: 0,
        inlined: Vec::new(),
        inside: Vec::new(),
    };
    for param in params.iter().filter(|param| param.mutable && !param.is_mut) {
        let name = param.name.to_string();
        if let Some(slot) = lower.env.slot(&name) {
            if let Some(value) = lower.env.get(slot).value.clone() {
                let value = match value {
                    // The object is the function's own.
                    Value::Other(tokens) => lower.new_object(tokens),
                    value => lower.grown_under(&name, value),
                };
                lower.env.set(slot, Some(value));
                lower.begin_object(&param.name);
            }
        }
    }
    let lowered = lower.in_changes_on_right(params).and_then(|()| lower.body(block, result));
    let lowered = lowered.and_then(|value| lower.in_changes_of_interface(value));
    let changed = lower.changed(params);
    lower.check_kept_out(&changed, params);
    let Lower { b, errors, ask, left_out, has_matrices, of_nalgebra, sites, news, inlined, claims, guesses, .. } =
        lower;
    if !news.is_empty() {
        return Err(Box::new(news));
    }
    if !ask.is_empty() {
        return Ok(Outcome::Ask(ask));
    }
    let Ok(value) = lowered else {
        let mut errors = errors;
        // Never without a word: what stands in for the derivatives panics.
        if errors.is_empty() {
            let what = format!("`{}` cannot be differentiated, for a reason that is said elsewhere", function.name());
            let help =
                "mend the functions that it calls; if they are right, this is a bug in `autodiff`, please report it";
            errors.push(Error::new(&function.name(), what).help(help));
        }
        return Ok(Outcome::Failed(errors));
    };
    if !errors.is_empty() {
        return Ok(Outcome::Failed(errors));
    }
    if let Some(undecided) = undecided_size(&b.obligations) {
        return Ok(Outcome::Failed(undecided.into()));
    }
    let (layout, obligations) = (value.layout(&b), b.obligations.clone());
    let own = leaves.iter().map(|leaf| leaf.var).collect();
    let (inout, finals): (Vec<usize>, Vec<Var>) = changed.into_iter().unzip();
    let mut body = b.finish(function.name().to_string(), own, [value.leaves(), finals].concat());
    let lengths = crate::pass::simplify::lengths_of_params(&body);
    body.block.eqns.retain(|eqn| !lengths.iter().any(|length| length.outs == eqn.outs));
    crate::pass::checks::run(&mut body);
    crate::pass::simplify::remove_dead(&mut body.block);
    body.block.eqns.splice(0..0, lengths);
    let tensors = |value: &Value| contains_tensor(value);
    let has_tensors = tensors(&value)
        || leaves.iter().any(|leaf| leaf.form == Form::Tensor)
        || !has_matrices && body.block.eqns.iter().any(|eqn| matches!(eqn.op, crate::ir::Op::Tensor(_)));
    if let (true, Some(path)) = (has_tensors, left_out) {
        let name = crate::parse::ty::spelled(&path);
        let error = Error::new(&path, format!("`{name}!` cannot be kept in a function with tensors yet"));
        return Ok(Outcome::Failed(error.help("leave it out, or call it outside the function").plain_rust().into()));
    }
    if let (true, Some(guess)) = (has_tensors, guesses.first()) {
        return Ok(Outcome::Failed(integer::type_not_visible(guess).into()));
    }
    let speaking = crate::ir::effect::prints(&body.block).then(|| body.clone());
    if speaking.is_some() {
        crate::ir::effect::remove(&mut body.block.eqns, Effect::prints);
        crate::pass::simplify::remove_dead(&mut body.block);
    }
    let claims = if has_tensors { Claims::default() } else { claims };
    let primal = Primal {
        body,
        leaves,
        result: layout,
        obligations,
        sites,
        inout,
        has_tensors,
        speaking,
        inlined,
        claims,
        of_nalgebra,
    };
    Ok(Outcome::Done(Box::new(primal)))
}

/// A size that has to be a constant and is the length of a slice, which rustc cannot compare.
fn undecided_size(obligations: &[crate::ir::builder::Obligation]) -> Option<Error> {
    let undecided = obligations.iter().find(|o| o.left.is_dynamic() || o.right.is_dynamic())?;
    let message = "the length of this is known at run time only, and a constant size is needed here";
    let help = "make an array of it first: `let a: [f64; 3] = v.try_into().unwrap();`";
    Some(Error::at(undecided.span, message).help(help))
}

fn contains_tensor(value: &Value) -> bool {
    match value {
        Value::Leaf(_, form) => *form == Form::Tensor,
        Value::Parts(_, parts) => parts.iter().any(contains_tensor),
        _ => false,
    }
}

struct Lower<'f> {
    b: Builder,
    function: &'f Function,
    knowledge: &'f Knowledge,
    leaves: Vec<ParamLeaf>,
    /// Variables that depend on a differentiable input, so far.
    active: HashSet<Var>,
    /// Whether no derivative flows out of the function: it gives integers and truth values.
    is_discrete: bool,
    env: Env,
    /// The first values of variables that were defined without one.
    first_values: HashMap<usize, Value>,
    /// Variables that a branch has changed and that do not come out of the choice between the branches yet.
    missed: BTreeSet<usize>,
    /// The parameters that are mutable borrows.
    borrowed_params: HashSet<String>,
    /// The names of what changes its length.
    growing: HashSet<String>,
    /// The names of what changes places with something else.
    lent: HashSet<String>,
    /// What calls of data give, as they give it, and its type as far as the file tells.
    called: HashMap<Var, Option<syn::Type>>,
    /// The functions of calls without a derivative whose types are not visible.
    unseen: HashMap<Var, syn::Path>,
    /// What literals are taken for, and the integer types of variables: see Note [Types of integers].
    claims: Claims,
    counted: Variables,
    /// The types of numbers and lists, by the names of variables.
    names: Rc<HashMap<String, syn::Type>>,
    /// Integers whose type nothing tells.
    guesses: Vec<TokenStream>,
    /// What is known of the file around the function.
    source: Option<Arc<Source>>,
    /// What the integers are that a `let` chooses between, and whether that is sure.
    integers: Option<(Elem, bool)>,
    /// The types of variables that were found in an earlier attempt, and those that are found in this one.
    learned: learned::Learned,
    news: learned::Learned,
    /// The `Result` that `Ok` and `Err` make here, unless they say otherwise.
    fallible: Option<Rc<crate::parse::ty::StructType>>,
    /// Whether the `Vec` that was made last is of numbers only because nothing says what it is of.
    guessed: bool,
    errors: Errors,
    ask: Vec<syn::Path>,
    sites: CallSites,
    /// How many operations of small functions may still be taken over.
    may_inline: usize,
    /// A macro that only the function as it is written does.
    left_out: Option<syn::Path>,
    /// Whether there are matrices of nalgebra, which the function as it is written computes with.
    has_matrices: bool,
    of_nalgebra: Vec<syn::Path>,
    /// The numbers that changes of rotations are of, with the block that defines them: see Note [Changes of rotations] in
    /// [`crate::parse::geometry`].
    numbers_of: HashMap<Var, (u32, Vec<Value>)>,
    /// The changes on the left that belong to changes of rotations.
    left_of: HashMap<Var, geometry::Left>,
    /// How many variables an operand may not change: those that were there before it.
    frozen: usize,
    /// The functions whose bodies have been taken in, and that name something of their module.
    inlined: Vec<syn::Path>,
    /// Those whose bodies are lowered now.
    inside: Vec<String>,
    /// How deep expressions are nested, against stack overflow on generated code.
    depth: usize,
}

/// Deeper expressions than this are not written by hand.
const MAX_DEPTH: usize = 200;

impl Lower<'_> {
    fn body(&mut self, block: &syn::Block, result: &Surface) -> Lowered<Value> {
        let value = self.block_value(block, expr::sized(Some(result)))?;
        if matches!(result, Surface::Tuple(parts) if parts.is_empty()) {
            return Ok(Value::unit());
        }
        let tail: &dyn ToTokens = match block.stmts.last() {
            Some(syn::Stmt::Expr(expr, None)) => expr,
            _ => &self.function.result,
        };
        self.coerce(value, result, tail, "the result")
    }

    /// The leaves of mutable borrows, with what they are at the end.
    fn changed(&mut self, params: &[Param]) -> Vec<(usize, Var)> {
        let mut changed = Vec::new();
        for (root, param) in params.iter().enumerate().filter(|(_, param)| param.is_mut) {
            let value = match self.env.first(&param.name.to_string()) {
                Some(Value::Slice(slice)) if slice.count.is_some() => self.copy(&slice),
                Some(value) => value,
                None => continue,
            };
            let leaves = (0..self.leaves.len()).filter(|k| self.leaves[*k].access.root == root);
            let pairs: Vec<(usize, Var)> = leaves.zip(value.leaves()).collect();
            // Whoever has lent it knows no length but the one that it had.
            let len = |var: Var, lower: &Self| lower.b.ty(var).dims.first().filter(|dim| dim.is_dynamic()).cloned();
            if pairs.iter().any(|(leaf, last)| len(self.leaves[*leaf].var, self) != len(*last, self)) {
                let _: Lowered<()> = self.unsupported(
                    &param.name,
                    "a mutable borrow that may be longer or shorter at the end",
                    "return the new `Vec`, or take a slice",
                );
            }
            changed.extend(pairs);
        }
        changed
    }

    /// What is built now comes from these tokens.
    fn at(&mut self, tokens: &impl ToTokens) {
        let tokens = tokens.to_token_stream();
        self.b.span = Some(tokens.span());
        self.b.end = tokens.into_iter().last().map(|token| token.span());
    }

    // --- reporting ------------------------------------------------------------------------------------

    fn fail<T>(&mut self, error: Error) -> Lowered<T> {
        self.errors.push(error);
        Err(Reported)
    }

    /// A construct that is fine Rust, but not handled.
    fn unsupported<T>(&mut self, at: &impl ToTokens, what: &str, help: &str) -> Lowered<T> {
        self.fail(Error::new(at, format!("{what} cannot be differentiated yet")).help(help).plain_rust())
    }

    /// A shape rule refused its operands: adds their names and shapes to the rule.
    fn mismatch<T>(&mut self, at: &impl ToTokens, mismatch: Mismatch, operands: &[(&dyn ToTokens, Var)]) -> Lowered<T> {
        let text = |tokens: &dyn ToTokens| crate::parse::ty::spelled(&tokens.to_token_stream());
        let mut note = mismatch.note;
        let mut lead = "; ";
        for (tokens, var) in operands {
            let (text, dims) = (text(*tokens), &self.b.ty(*var).dims);
            // Numbers fit everywhere, and what is long says nothing.
            if text.len() <= 40 && !dims.is_empty() {
                note.push_str(&format!("{lead}`{text}` is {}", crate::ir::dim::show(dims)));
                lead = ", ";
            }
        }
        let mut error = Error::new(at, mismatch.message).note(note);
        if let Some(mut help) = mismatch.help {
            for (k, (tokens, _)) in operands.iter().enumerate() {
                help = help.replace(&format!("{{{k}}}"), &text(*tokens));
            }
            error = error.help(help);
        }
        self.fail(error)
    }

    /// Whether a size involves a const parameter.
    fn is_generic(&self, dim: &crate::ir::dim::Dim) -> bool {
        let mut own = self.function.item.sig.generics.const_params();
        own.any(|param| dim.atoms().any(|atom| param.ident == **atom))
    }

    // --- names ----------------------------------------------------------------------------------------

    fn lookup(&self, name: &str) -> Option<&Binding> {
        self.env.lookup(name)
    }

    fn define(&mut self, name: &str, value: Option<Value>, mutable: bool) {
        let value = value.map(|value| self.read_now(value));
        if let Some(var) = value.as_ref().and_then(Value::array) {
            self.b.name(var, name);
        }
        let slot = self.env.define(name, value, mutable);
        self.first_values.remove(&slot);
    }

    /// Gives a variable another value.
    fn rebind(&mut self, slot: usize, value: Value) {
        if let Some(var) = value.array() {
            let name = self.env.get(slot).name.clone();
            self.b.name(var, &name);
        }
        if let (Some(Value::Undefined), false) = (&self.env.get(slot).value, matches!(value, Value::Undefined)) {
            self.first_values.insert(slot, value.clone());
        }
        self.env.set(slot, Some(value));
    }

    fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.env.open();
        let result = run(self);
        self.env.close();
        result
    }

    /// The float type of literals that nothing else decides: that of the function's numbers, and of `f32` and `f64` together that
    /// which Rust takes, until a later use says another: see Note [Types by later use] in `learned.rs`.
    fn default_elem(&self) -> Option<Elem> {
        let mut elems: Vec<&Elem> = Vec::new();
        for leaf in &self.leaves {
            let elem = &self.b.ty(leaf.var).elem;
            if elem.is_float() && !elems.contains(&elem) {
                elems.push(elem);
            }
        }
        match elems[..] {
            [elem] => Some(elem.clone()),
            [_, _] if self.has_both_floats() => Some(Elem::F64),
            _ => None,
        }
    }

    /// Whether the function computes with `f32` and with `f64`.
    fn has_both_floats(&self) -> bool {
        let has = |elem| self.leaves.iter().any(|leaf| self.b.ty(leaf.var).elem == elem);
        has(Elem::F32) && has(Elem::F64)
    }

    fn is_active(&self, value: &Value) -> bool {
        value.leaves().iter().any(|var| self.active.contains(var))
    }
}
