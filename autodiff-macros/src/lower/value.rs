//! What an expression of the user's evaluates to while it is lowered.

use super::place::Place;
use super::slice::Slice;
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Ty, Var};
use crate::layout::{Access, Form, Kind, Layout, ParamLeaf, Step};
use crate::parse::tokens::cloned;
use crate::parse::ty::spelled;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use std::rc::Rc;
use syn::Member;

#[derive(Clone, Debug)]
pub enum Value {
    /// A number, an array of numbers, a tensor.
    Leaf(Var, Form),
    /// Rust tokens whose type follows from their use: a literal or a named constant.
    Untyped(Untyped),
    /// A tuple, a struct, an enum, an array of what is not a leaf.
    Parts(Kind, Vec<Value>),
    /// Something inactive that is only passed on.
    Other(TokenStream),
    /// A slice, a row or a `Vec`: a part of arrays, looked at where it is.
    Slice(Rc<Slice>),
    /// A mutable borrow.
    Borrow(Rc<Place>),
    /// A variable that has no value yet.
    Undefined,
    /// Of what does not come to an end: it panics.
    Never,
    /// A closure, which is lowered where it is called.
    Closure(Rc<super::closure::Closure>),
    /// One of several functions: see Note [Chosen functions] in `functions.rs`.
    Chosen(Var, super::functions::FunctionList),
}

#[derive(Clone, Debug)]
pub struct Untyped {
    pub tokens: TokenStream,
    /// The number, for a literal.
    pub number: Option<f64>,
    pub integer: bool,
}

/// A failure that has been reported already.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

pub type Lowered<T> = Result<T, Reported>;

impl Value {
    pub fn unit() -> Value {
        Value::tuple(Vec::new())
    }

    pub fn tuple(parts: Vec<Value>) -> Value {
        Value::Parts(Kind::Tuple, parts)
    }

    pub fn leaf(b: &Builder, var: Var) -> Value {
        let form = if b.ty(var).is_scalar() { Form::Plain } else { Form::Tensor };
        Value::Leaf(var, form)
    }

    /// The IR variables, in the order of declaration.
    pub fn leaves(&self) -> Vec<Var> {
        match self {
            Value::Leaf(var, _) | Value::Chosen(var, _) => vec![*var],
            Value::Parts(_, parts) => parts.iter().flat_map(Value::leaves).collect(),
            Value::Slice(slice) => slice.of.leaves().into_iter().chain(slice.count).collect(),
            Value::Untyped(_)
            | Value::Other(_)
            | Value::Borrow(_)
            | Value::Undefined
            | Value::Never
            | Value::Closure(_) => Vec::new(),
        }
    }

    /// The number or the array that it is, also as a `Vec` that changes its length.
    pub fn array(&self) -> Option<Var> {
        match self {
            Value::Leaf(var, _) => Some(*var),
            Value::Slice(slice) if slice.count.is_some() => slice.array().map(|(array, _)| array),
            _ => None,
        }
    }

    /// The same structure with other variables.
    pub fn rebuild(&self, vars: &mut impl Iterator<Item = Var>) -> Value {
        let mut all = |parts: &[Value]| parts.iter().map(|part| part.rebuild(vars)).collect();
        match self {
            Value::Parts(kind, parts) => Value::Parts(kind.clone(), all(parts)),
            Value::Leaf(_, form) => vars.next().map_or_else(|| self.clone(), |var| Value::Leaf(var, *form)),
            Value::Chosen(_, list) => vars.next().map_or_else(|| self.clone(), |var| Value::Chosen(var, list.clone())),
            Value::Slice(slice) => {
                let of = slice.of.rebuild(vars);
                let count = if slice.count.is_some() { vars.next() } else { None };
                let len = count.map_or_else(|| slice.len.clone(), Dim::of);
                Value::Slice(Rc::new(Slice { of, len, count, ..(**slice).clone() }))
            }
            other => other.clone(),
        }
    }

    /// The leaves that a callee knows of: a `Vec` is an array to it, as long as it is.
    pub fn contents(&self) -> Vec<Var> {
        match self {
            Value::Parts(_, parts) => parts.iter().flat_map(Value::contents).collect(),
            Value::Slice(slice) => slice.of.contents(),
            other => other.leaves(),
        }
    }

    /// The same structure with other [`contents`](Value::contents), as long as before.
    pub fn with_contents(&self, vars: &mut impl Iterator<Item = Var>) -> Value {
        match self {
            Value::Parts(kind, parts) => {
                Value::Parts(kind.clone(), parts.iter().map(|part| part.with_contents(vars)).collect())
            }
            Value::Slice(slice) => {
                Value::Slice(Rc::new(Slice { of: slice.of.with_contents(vars), ..(**slice).clone() }))
            }
            other => other.rebuild(vars),
        }
    }

    /// The parts that carry no derivative and are no numbers, as they are written.
    pub fn passive(&self) -> Vec<String> {
        match self {
            Value::Parts(_, parts) => parts.iter().flat_map(Value::passive).collect(),
            Value::Slice(slice) => slice.of.passive(),
            Value::Untyped(Untyped { tokens, .. }) | Value::Other(tokens) => vec![tokens.to_string()],
            Value::Leaf(..)
            | Value::Borrow(_)
            | Value::Undefined
            | Value::Never
            | Value::Closure(_)
            | Value::Chosen(..) => Vec::new(),
        }
    }

    /// "a tuple", "[4, 3]", …: for messages.
    pub fn describe(&self, b: &Builder) -> String {
        match self {
            Value::Leaf(var, Form::Tensor) => format!("a tensor {}", crate::ir::dim::show(&b.ty(*var).dims)),
            Value::Leaf(var, form @ (Form::Vector | Form::Matrix)) => {
                let (rows, columns) = form.sizes(b.ty(*var));
                format!("a {rows}×{columns} matrix")
            }
            Value::Leaf(var, _) if b.ty(*var).is_scalar() => format!("`{}`", b.ty(*var).elem),
            Value::Leaf(var, _) if b.ty(*var).is_dynamic() => "a slice".into(),
            Value::Leaf(var, _) => format!("an array {}", crate::ir::dim::show(&b.ty(*var).dims)),
            // It has a name of ours.
            Value::Untyped(Untyped { tokens, .. }) | Value::Other(tokens) if crate::ir::mentions_late(tokens) => {
                "what a function without a derivative returns".into()
            }
            Value::Untyped(untyped) => format!("`{}`", untyped.tokens),
            Value::Parts(Kind::Tuple, parts) if parts.is_empty() => "nothing".into(),
            Value::Parts(Kind::Tuple, _) => "a tuple".into(),
            Value::Parts(Kind::Struct(ty), _) => format!("`{}`", spelled(&ty.path)),
            Value::Parts(Kind::Array, _) => "an array".into(),
            Value::Other(tokens) => format!("`{tokens}`"),
            Value::Slice(slice) if slice.count.is_some() => "a `Vec`".into(),
            Value::Slice(_) => "a slice".into(),
            Value::Borrow(_) => "a mutable borrow".into(),
            Value::Undefined => "a field without a derivative of a list that is copied or changed".into(),
            Value::Never => "a panic".into(),
            Value::Closure(_) => "a closure".into(),
            Value::Chosen(..) => "one of several functions".into(),
        }
    }

    /// Where a number is expected: one out of what is only passed on has the type that its use tells.
    pub fn expected_number(self) -> Value {
        match self {
            Value::Other(tokens) => Value::Untyped(Untyped { tokens, number: None, integer: false }),
            other => other,
        }
    }

    /// A borrow of it. Only what is passed on as it is written has to show it.
    pub fn borrowed(self) -> Value {
        let borrow = |tokens: TokenStream| quote!((&#tokens));
        match self {
            Value::Untyped(untyped) if untyped.number.is_none() && untyped.tokens.to_string() != "None" => {
                Value::Untyped(Untyped { tokens: borrow(untyped.tokens), ..untyped })
            }
            Value::Other(tokens) => Value::Other(borrow(tokens)),
            other => other,
        }
    }

    pub fn dereferenced(self) -> Value {
        match self {
            Value::Untyped(untyped) => Value::Untyped(Untyped { tokens: dereferenced(untyped.tokens), ..untyped }),
            Value::Other(tokens) => Value::Other(dereferenced(tokens)),
            other => other,
        }
    }

    pub fn member(&self, member: &Member) -> Option<Value> {
        match self {
            Value::Parts(kind, parts) => parts.get(kind.position(member)?).cloned(),
            Value::Other(tokens) => Some(Value::Other(field_of_tokens(tokens, member))),
            Value::Untyped(untyped) if untyped.number.is_none() => {
                let tokens = field_of_tokens(&untyped.tokens, member);
                Some(Value::Untyped(Untyped { tokens, ..untyped.clone() }))
            }
            _ => None,
        }
    }

    /// One of the elements of what is not numbers: all have the same structure.
    pub fn some_element(&self) -> Option<Value> {
        match self {
            Value::Parts(Kind::Array, parts) => parts.first().cloned(),
            Value::Slice(slice) if slice.array().is_none() => Some(slice.of.clone()),
            _ => None,
        }
    }

    pub fn member_mut(&mut self, member: &Member) -> Option<&mut Value> {
        match self {
            Value::Parts(kind, parts) => parts.get_mut(kind.position(member)?),
            _ => None,
        }
    }

    /// Its structure, for emission: by now it consists of leaves, and of what is only passed on.
    pub fn layout(&self, b: &Builder) -> Layout {
        match self {
            Value::Leaf(var, form) => Layout::Leaf(*form, b.ty(*var).clone()),
            Value::Parts(kind, parts) => {
                Layout::of_parts(kind.clone(), parts.iter().map(|part| part.layout(b)).collect())
            }
            Value::Slice(slice) if slice.array().is_none() => {
                Layout::Each(Box::new(slice.of.layout(b).of_element()), slice.constant_length(b))
            }
            Value::Untyped(untyped) => Layout::Passive(untyped.tokens.clone()),
            Value::Other(tokens) => Layout::Passive(cloned(tokens)),
            // Lowering makes arrays of these before.
            Value::Slice(_)
            | Value::Borrow(_)
            | Value::Undefined
            | Value::Never
            | Value::Closure(_)
            | Value::Chosen(..) => Layout::Passive(TokenStream::new()),
        }
    }

    /// The value with that structure and these leaves.
    pub fn of_layout(layout: &Layout, vars: &mut impl Iterator<Item = Var>, b: &mut Builder) -> Value {
        match layout {
            Layout::Leaf(form, _) => vars.next().map_or(Value::Undefined, |var| Value::Leaf(var, form.inside())),
            Layout::Parts(kind, parts) => {
                Value::Parts(kind.clone(), parts.iter().map(|part| Value::of_layout(part, vars, b)).collect())
            }
            Layout::Each(item, count) => {
                let of = Value::of_layout(item, vars, b);
                match (of.leaves().first(), count) {
                    (Some(_), Some(count)) => Value::Slice(Rc::new(Slice::all(of, count.clone()))),
                    (Some(array), None) => {
                        let len = Dim::of(b.len(*array, &[]));
                        Value::Slice(Rc::new(Slice::all(of, len)))
                    }
                    (None, _) => Value::unit(),
                }
            }
            Layout::Passive(known) if !known.is_empty() => Value::Other(known.clone()),
            Layout::Passive(_) => Value::unit(),
        }
    }
}

/// A field of what is only passed on.
fn field_of_tokens(tokens: &TokenStream, member: &Member) -> TokenStream {
    super::passive_pattern::field_of_bound(tokens, member).unwrap_or_else(|| quote!(#tokens.#member))
}

/// `x` of `(&x)`
pub(super) fn dereferenced(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    let (Some(TokenTree::Group(group)), None) = (trees.next(), trees.next()) else { return tokens };
    let mut inside = group.stream().into_iter();
    match inside.next() {
        Some(TokenTree::Punct(borrow)) if borrow.as_char() == '&' => inside.collect(),
        _ => tokens,
    }
}

/// Takes a parameter apart into its leaves.
pub struct Binder<'b> {
    pub b: &'b mut Builder,
    pub leaves: Vec<ParamLeaf>,
    /// The axis that what is bound has in addition.
    pub along: Option<Dim>,
}

impl Binder<'_> {
    /// `tokens` is the parameter, or the part of it, as an expression.
    pub fn bind(&mut self, layout: &Layout, access: Access, name: &str, active: bool, tokens: &TokenStream) -> Value {
        match layout {
            Layout::Leaf(form, ty) => self.leaf(*form, ty, access, name, active),
            Layout::Parts(kind, parts) => {
                let parts = parts.iter().enumerate().map(|(k, part)| {
                    let (access, active) = (access.then(kind.step(k)), active && kind.is_active(k));
                    self.bind(part, access, &kind.part_name(name, k), active, &kind.passive_part(tokens, k))
                });
                let parts = parts.collect();
                Value::Parts(kind.clone(), parts)
            }
            Layout::Each(item, count) if self.along.is_none() => {
                self.rows((item, count.as_ref()), &access, name, active, tokens)
            }
            Layout::Passive(known) if !known.is_empty() => Value::Other(known.clone()),
            Layout::Each(..) | Layout::Passive(_) => Value::Other(tokens.clone()),
        }
    }

    /// A slice of what is not a number: each of its parts is an array.
    fn rows(
        &mut self,
        (item, count): (&Layout, Option<&Dim>),
        access: &Access,
        name: &str,
        active: bool,
        tokens: &TokenStream,
    ) -> Value {
        let along = count.cloned().unwrap_or_else(Dim::ragged);
        let (first, around) = (self.leaves.len(), self.along.replace(along));
        let item = self.bind(item, access.then(Step::Each), name, active, &super::elements::any_element(tokens));
        self.along = around;
        let Some(leaf) = self.leaves.get(first) else { return Value::Other(tokens.clone()) };
        if let Some(count) = count {
            return Value::Slice(Rc::new(Slice::all(item, count.clone())));
        }
        let len = self.b.own_len(leaf.var);
        self.b.name(len, &format!("{name}_len"));
        for leaf in &self.leaves[first..] {
            self.b.vars[leaf.var.0 as usize].ty.dims[0] = Dim::of(len);
        }
        Value::Slice(Rc::new(Slice::all(item, Dim::of(len))))
    }

    fn leaf(&mut self, form: Form, ty: &Ty, access: Access, name: &str, active: bool) -> Value {
        let active = active && ty.is_float();
        let along = self.along.clone().into_iter();
        let ty = Ty::tensor(ty.elem.clone(), along.chain(ty.dims.clone()).collect());
        let measured = self.along.is_none() && ty.dims.first().is_some_and(Dim::is_ragged);
        let var = self.b.var(ty, Some(name));
        if measured {
            let len = self.b.own_len(var);
            self.b.name(len, &format!("{name}_len"));
            self.b.vars[var.0 as usize].ty.dims[0] = Dim::of(len);
        }
        self.leaves.push(ParamLeaf { var, access, form, active });
        Value::Leaf(var, form.inside())
    }
}
