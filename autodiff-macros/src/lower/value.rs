//! What an expression of the user's evaluates to while it is lowered.

use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Elem, Ty, Var};
use crate::parse::ty::{StructType, Surface, Variant, variant_field};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::Member;

/// Whether an array is a plain one or a tensor: only tensors have arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Plain,
    Tensor,
}

#[derive(Clone, Debug)]
pub enum Value {
    /// A number, an array of numbers, a tensor.
    Leaf(Var, Form),
    /// Rust tokens whose type follows from their use: a literal or a named constant.
    Untyped(Untyped),
    Tuple(Vec<Value>),
    Struct(Rc<StructType>, Vec<Value>),
    /// An array of what is not a leaf.
    List(Vec<Value>),
    /// Something inactive that is only passed on.
    Other(TokenStream),
    /// A part of an array, looked at where it is.
    View(Rc<View>),
    /// A slice of what is not a number: each of its parts is an array along the slice.
    Rows(Box<Value>, Rows),
    /// A mutable borrow.
    Alias(Rc<Alias>),
    /// A `Vec` that changes its length: the array, and how many elements there are.
    Grown(Var, Var),
    /// A variable that has no value yet.
    Undefined,
    /// Of what does not come to an end: it panics.
    Never,
    /// A closure, which is lowered where it is called.
    Closure(Rc<super::closure::Closure>),
}

/// A row or a sub-slice of an array.
#[derive(Clone, Debug)]
pub struct View {
    pub array: Var,
    pub form: Form,
    /// Indices of the first axes.
    pub at: Vec<Var>,
    /// Where it begins along the next axis, if not at the first element.
    pub start: Option<Var>,
    /// How long it is along that axis.
    pub len: Dim,
}

/// Which part of a slice of structs is looked at.
#[derive(Clone, Debug)]
pub struct Rows {
    pub start: Option<Var>,
    pub len: Dim,
}

/// A variable, a field, an element or a sub-slice that can be assigned to.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    pub slot: usize,
    /// Fields, and elements of arrays of structs whose indices are constants.
    pub members: Vec<Member>,
    /// Indices that are values. Of an array or a slice of structs the first chooses the struct; the others are of the array
    /// that `inner` leads to.
    pub at: Vec<Var>,
    /// Beginning and length, along the axis after those indices.
    pub range: Option<(Dim, Dim)>,
    /// Fields of an element of an array or a slice of structs.
    pub inner: Vec<Member>,
}

impl Alias {
    pub fn of(slot: usize) -> Alias {
        Alias { slot, members: Vec::new(), at: Vec::new(), range: None, inner: Vec::new() }
    }

    /// A field of it.
    pub fn field(&self, member: Member) -> Alias {
        let mut alias = self.clone();
        let path = if alias.at.is_empty() && alias.range.is_none() { &mut alias.members } else { &mut alias.inner };
        path.push(member);
        alias
    }
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
        Value::Tuple(Vec::new())
    }

    pub fn leaf(b: &Builder, var: Var) -> Value {
        let form = if b.ty(var).is_scalar() { Form::Plain } else { Form::Tensor };
        Value::Leaf(var, form)
    }

    /// The IR variables, in the order of declaration.
    pub fn leaves(&self) -> Vec<Var> {
        match self {
            Value::Leaf(var, _) => vec![*var],
            Value::Tuple(parts) | Value::Struct(_, parts) | Value::List(parts) => {
                parts.iter().flat_map(Value::leaves).collect()
            }
            Value::Grown(array, len) => vec![*array, *len],
            Value::Rows(item, _) => item.leaves(),
            // A view is of something that has a name of its own.
            Value::View(view) => vec![view.array],
            Value::Untyped(_)
            | Value::Other(_)
            | Value::Alias(_)
            | Value::Undefined
            | Value::Never
            | Value::Closure(_) => Vec::new(),
        }
    }

    /// The same structure with other variables.
    pub fn rebuild(&self, vars: &mut impl Iterator<Item = Var>) -> Value {
        let mut all = |parts: &[Value]| parts.iter().map(|part| part.rebuild(vars)).collect();
        match self {
            Value::Tuple(parts) => Value::Tuple(all(parts)),
            Value::Struct(ty, parts) => Value::Struct(ty.clone(), all(parts)),
            Value::List(parts) => Value::List(all(parts)),
            Value::Leaf(_, form) => vars.next().map_or_else(|| self.clone(), |var| Value::Leaf(var, *form)),
            Value::Grown(..) => match (vars.next(), vars.next()) {
                (Some(array), Some(len)) => Value::Grown(array, len),
                _ => self.clone(),
            },
            Value::Rows(item, rows) => Value::Rows(Box::new(item.rebuild(vars)), rows.clone()),
            Value::View(view) => match vars.next() {
                Some(array) => Value::View(Rc::new(View { array, ..(**view).clone() })),
                None => self.clone(),
            },
            other => other.clone(),
        }
    }

    /// "a tuple", "[4, 3]", …: for messages.
    pub fn describe(&self, b: &Builder) -> String {
        match self {
            Value::Leaf(var, Form::Tensor) => format!("a tensor {}", crate::ir::dim::show(&b.ty(*var).dims)),
            Value::Leaf(var, Form::Plain) if b.ty(*var).is_scalar() => format!("`{}`", b.ty(*var).elem),
            Value::Leaf(var, Form::Plain) if b.ty(*var).is_dynamic() => "a slice".into(),
            Value::Leaf(var, Form::Plain) => format!("an array {}", crate::ir::dim::show(&b.ty(*var).dims)),
            // It has a name of ours.
            Value::Untyped(Untyped { tokens, .. }) | Value::Other(tokens) if crate::ir::mentions_late(tokens) => {
                "what a function without a derivative returns".into()
            }
            Value::Untyped(untyped) => format!("`{}`", untyped.tokens),
            Value::Tuple(parts) if parts.is_empty() => "nothing".into(),
            Value::Tuple(_) => "a tuple".into(),
            Value::Struct(ty, _) => format!("`{}`", crate::parse::ty::spelled(&ty.path)),
            Value::List(_) => "an array".into(),
            Value::Other(tokens) => format!("`{tokens}`"),
            Value::View(_) | Value::Rows(..) => "a slice".into(),
            Value::Alias(_) => "a mutable borrow".into(),
            Value::Grown(..) => "a `Vec`".into(),
            Value::Undefined => "a variable without a value yet".into(),
            Value::Never => "a panic".into(),
            Value::Closure(_) => "a closure".into(),
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
        match (self, member) {
            (Value::Tuple(parts), Member::Unnamed(index)) => parts.get(index.index as usize).cloned(),
            (Value::Struct(ty, parts), member) if !ty.is_enum() => {
                let at = ty.fields.iter().position(|field| field.member == *member)?;
                parts.get(at).cloned()
            }
            // An element at a place that is known.
            (Value::List(parts), Member::Unnamed(index)) => parts.get(index.index as usize).cloned(),
            (Value::Other(tokens), member) => Some(Value::Other(quote!(#tokens.#member))),
            (Value::Untyped(untyped), member) if untyped.number.is_none() => {
                let tokens = &untyped.tokens;
                Some(Value::Untyped(Untyped { tokens: quote!(#tokens.#member), ..untyped.clone() }))
            }
            _ => None,
        }
    }

    /// One of the elements of what is not numbers: all have the same structure.
    pub fn some_element(&self) -> Option<Value> {
        match self {
            Value::List(parts) => parts.first().cloned(),
            Value::Rows(item, _) => Some((**item).clone()),
            _ => None,
        }
    }

    pub fn member_mut(&mut self, member: &Member) -> Option<&mut Value> {
        match (self, member) {
            (Value::Tuple(parts), Member::Unnamed(index)) => parts.get_mut(index.index as usize),
            (Value::Struct(ty, parts), member) if !ty.is_enum() => {
                let at = ty.fields.iter().position(|field| field.member == *member)?;
                parts.get_mut(at)
            }
            (Value::List(parts), Member::Unnamed(index)) => parts.get_mut(index.index as usize),
            _ => None,
        }
    }
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

/// A field of a variant that is only passed on; see Note [Patterns of what carries no derivative].
fn passive_field(ty: &StructType, variant: &Variant, member: &Member, tokens: &TokenStream) -> TokenStream {
    let (path, name) = (crate::relay::without_arguments(&ty.path), &variant.name);
    let field = crate::emit::cloned(&quote!(field));
    quote! {
        (match &#tokens {
            #path::#name { #member: field, .. } => ::core::option::Option::Some(#field),
            #[allow(unreachable_patterns)]
            _ => ::core::option::Option::None,
        }).unwrap_or_default()
    }
}

/// Where a leaf of a parameter is found: `p.layers[0].w`, and `.0` for the array in a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The parameter's place in the signature.
    pub root: usize,
    pub path: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Field(String),
    Index(usize),
    /// An element of a slice: which one is told by the first index.
    Each,
    /// The kind of an enum, or a field of one of its variants.
    Part(Part),
}

/// See Note [Enums] in [`crate::parse::ty`].
#[derive(Clone, Debug)]
pub struct Part {
    pub ty: Rc<StructType>,
    /// Which of its fields.
    pub field: usize,
}

/// In one place of a value there is one type.
impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        self.field == other.field
    }
}

impl StructType {
    /// Where a field is.
    pub fn step(self: &Rc<StructType>, field: usize) -> Step {
        match self.is_enum() {
            true => Step::Part(Part { ty: self.clone(), field }),
            false => Step::Field(self.fields[field].member.to_token_stream().to_string()),
        }
    }
}

impl Access {
    pub fn root(root: usize) -> Access {
        Access { root, path: Vec::new() }
    }

    pub fn then(&self, step: Step) -> Access {
        let mut path = self.path.clone();
        path.push(step);
        Access { root: self.root, path }
    }

    /// Whether it is read with a `match`.
    pub fn is_in_enum(&self) -> bool {
        self.path.iter().any(|step| matches!(step, Step::Part(_)))
    }

    /// The access applied to an expression for the root: a tangent, or a value without enums.
    pub fn apply(&self, root: TokenStream) -> TokenStream {
        self.path.iter().fold(root, |tokens, step| match step {
            Step::Field(name) => {
                let member: Member = syn::parse_str(name).unwrap_or(Member::Unnamed(0.into()));
                quote!(#tokens.#member)
            }
            Step::Index(index) => {
                let index = proc_macro2::Literal::usize_unsuffixed(*index);
                quote!(#tokens[#index])
            }
            Step::Each => tokens,
            Step::Part(Part { ty, field: 1 }) if ty.is_option => quote!(#tokens.some),
            Step::Part(Part { ty, field }) => match ty.variant_of(*field) {
                Some(variant) => {
                    let (variant, member) = (variant_field(&variant.name), &ty.fields[*field].member);
                    quote!(#tokens.#variant.#member)
                }
                None => tokens,
            },
        })
    }

    /// What stands before the index of a slice, and what stands after it.
    pub fn around_each(&self) -> Option<(Access, Access)> {
        let at = self.path.iter().position(|step| *step == Step::Each)?;
        let part = |path: &[Step]| Access { root: self.root, path: path.to_vec() };
        Some((part(&self.path[..at]), part(&self.path[at + 1..])))
    }
}

/// A leaf of a parameter.
#[derive(Clone, Debug)]
pub struct ParamLeaf {
    pub var: Var,
    pub access: Access,
    pub form: Form,
    pub active: bool,
}

/// Takes a parameter apart into its leaves.
pub struct Binder<'b> {
    pub b: &'b mut Builder,
    pub leaves: Vec<ParamLeaf>,
    /// The axis that what is bound has in addition.
    pub along: Option<Dim>,
}

impl Binder<'_> {
    /// A slice of what is not a number: each of its parts is an array.
    fn rows(&mut self, inner: &Surface, access: Access, name: &str, active: bool, tokens: &TokenStream) -> Value {
        let (first, around) = (self.leaves.len(), self.along.replace(Dim::ragged()));
        let item = self.bind(inner, access.then(Step::Each), name, active, tokens);
        self.along = around;
        let Some(leaf) = self.leaves.get(first) else { return Value::Other(tokens.clone()) };
        let len = self.b.own_len(leaf.var);
        self.b.name(len, &format!("{name}_len"));
        for leaf in &self.leaves[first..] {
            self.b.vars[leaf.var.0 as usize].ty.dims[0] = Dim::of(len);
        }
        Value::Rows(Box::new(item), Rows { start: None, len: Dim::of(len) })
    }

    pub fn bind(&mut self, surface: &Surface, access: Access, name: &str, active: bool, tokens: &TokenStream) -> Value {
        match surface {
            Surface::Scalar(_) | Surface::Tensor(..) => self.leaf(surface, access, name, active),
            Surface::Seq(inner, _) if surface.leaf().is_none() && self.along.is_none() => {
                self.rows(inner, access, name, active, tokens)
            }
            Surface::Seq(..) if surface.leaf().is_none() => Value::Other(tokens.clone()),
            Surface::Seq(..) => self.leaf(surface, access, name, active),
            Surface::Array(inner, dim) => {
                if surface.leaf().is_some() {
                    return self.leaf(surface, access, name, active);
                }
                let Some(count) = dim.as_literal().and_then(|count| usize::try_from(count).ok()) else {
                    return Value::Other(tokens.clone());
                };
                Value::List(
                    (0..count)
                        .map(|k| {
                            let index = proc_macro2::Literal::usize_unsuffixed(k);
                            let part = quote!(#tokens[#index]);
                            self.bind(inner, access.then(Step::Index(k)), &format!("{name}_{k}"), active, &part)
                        })
                        .collect(),
                )
            }
            Surface::Tuple(parts) => Value::Tuple(
                parts
                    .iter()
                    .enumerate()
                    .map(|(k, part)| {
                        let index = proc_macro2::Literal::usize_unsuffixed(k);
                        let inner = quote!(#tokens.#index);
                        self.bind(part, access.then(Step::Field(k.to_string())), &format!("{name}_{k}"), active, &inner)
                    })
                    .collect(),
            ),
            Surface::Struct(ty) => {
                let parts = ty.fields.iter().enumerate().map(|(k, field)| {
                    let (member, step) = (&field.member, ty.step(k));
                    let inner = match ty.variant_of(k) {
                        Some(variant) => passive_field(ty, variant, member, tokens),
                        None => quote!(#tokens.#member),
                    };
                    // Named fields speak for themselves; others need what they belong to.
                    let name = match member {
                        Member::Named(_) if ty.is_enum() && k == 0 => format!("{name}_kind"),
                        Member::Named(ident) => ident.to_string(),
                        Member::Unnamed(index) => format!("{name}_{}", index.index),
                    };
                    self.bind(&field.ty, access.then(step), &name, active && field.active, &inner)
                });
                let parts = parts.collect();
                Value::Struct(ty.clone(), parts)
            }
            Surface::Other(_) => Value::Other(tokens.clone()),
        }
    }

    fn leaf(&mut self, surface: &Surface, access: Access, name: &str, active: bool) -> Value {
        let ty = surface.leaf().unwrap_or_else(|| Ty::scalar(Elem::Bool));
        let form = if matches!(surface, Surface::Tensor(..)) { Form::Tensor } else { Form::Plain };
        let active = active && ty.is_float();
        let along = self.along.clone().into_iter();
        let ty = Ty::tensor(ty.elem.clone(), along.chain(ty.dims).collect());
        let measured = self.along.is_none() && ty.dims.first().is_some_and(Dim::is_ragged);
        let var = self.b.var(ty, Some(name));
        if measured {
            let len = self.b.own_len(var);
            self.b.name(len, &format!("{name}_len"));
            self.b.vars[var.0 as usize].ty.dims[0] = Dim::of(len);
        }
        self.leaves.push(ParamLeaf { var, access, form, active });
        Value::Leaf(var, form)
    }
}
