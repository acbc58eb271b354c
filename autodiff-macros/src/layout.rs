//! The one walk from a type to the numbers and arrays that it consists of, its leaves, and back.
//!
//! Note [Leaves]. The body of a function computes with numbers and arrays only. Structs, enums, `Option`s, tuples and
//! arrays of them are taken apart into leaves where they enter it, and put together where they leave it. A [`Layout`] says
//! which leaves a type has, in the order of declaration, and an [`Access`] where one of them is found. Of a slice of
//! structs, and of an array of many, each leaf is one array with an axis for the slice in front: a struct of arrays.
//!
//! Note [Boxes]. A field that is a `Box<T>` is its contents: its layout and its value are those of the `T`. Only two places of
//! generated code know of the box: where the contents are read or written in a value, and where a value is put together.
//! A tangent has no box. Its zero is a constant, and a box of zeros is none. So the accesses of a tangent are
//! those of the value without the boxes ([`Access::of_tangent`]).

use crate::ir::dim::Dim;
use crate::ir::{Ty, Var};
use crate::parse::tokens::cloned;
use crate::parse::ty::{Geometry, Held, StructType, Surface, Variant, variant_field};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::Member;

/// What type an array is of. Plain ones have no arithmetic.
///
/// Note [Matrices of nalgebra]. A matrix of `R` rows and `C` columns is an array of `C` columns, since its numbers lie column after
/// column: `[C, R]`. So an operation of matrices is one of the transposed arrays, `A·B` is `Bᵀ·Aᵀ` there. What has one column is
/// an array of `R` numbers. Only reading a leaf, putting a value together and passing an array on know how `nalgebra` wraps it.
///
/// Note [Matrices of run time]. A `DVector` is a struct of its numbers here, as a `Vec` has them, and a `DMatrix` one of its numbers,
/// column after column, its rows and its columns ([`Held::Whole`], `parse/geometry.rs`). In the body they are an array and
/// integers like any others. Their tangents are of the same types. Only a leaf of a parameter, of a result or of a tangent has one of
/// the forms of nalgebra, and is seen as a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Plain,
    Tensor,
    /// `SVector`, or an `SMatrix` of one column: see Note [Matrices of nalgebra].
    Vector,
    /// Any other `SMatrix`.
    Matrix,
    /// The numbers of a `DVector`: see Note [Matrices of run time].
    RunVector,
    /// Those of a `DMatrix`.
    RunMatrix,
}

impl Form {
    pub fn of(surface: &Surface) -> Form {
        match surface {
            Surface::Tensor(..) => Form::Tensor,
            Surface::Matrix(_, _, columns) if columns.is(1) => Form::Vector,
            Surface::Matrix(..) => Form::Matrix,
            _ => Form::Plain,
        }
    }

    /// What the array is in the body of the function.
    pub fn inside(self) -> Form {
        if self.is_of_run_time() { Form::Plain } else { self }
    }

    /// Whether the array is seen as a slice of what holds it: see Note [Matrices of run time].
    pub fn is_of_run_time(self) -> bool {
        matches!(self, Form::RunVector | Form::RunMatrix)
    }

    /// Whether it is a matrix of nalgebra of fixed size.
    pub fn is_matrix(self) -> bool {
        matches!(self, Form::Vector | Form::Matrix)
    }

    /// How many rows and columns a matrix has that is such an array.
    pub fn sizes(self, array: &Ty) -> (Dim, Dim) {
        match &array.dims[..] {
            [columns, rows] => (rows.clone(), columns.clone()),
            dims => (dims.first().cloned().unwrap_or_else(|| Dim::literal(1)), Dim::literal(1)),
        }
    }

    /// The array in a value.
    pub fn array_in(self, value: TokenStream) -> TokenStream {
        match self {
            Form::Plain => value,
            Form::Tensor => quote!(#value.0),
            Form::Vector => quote!(#value.data.0[0]),
            Form::Matrix => quote!(#value.data.0),
            Form::RunVector | Form::RunMatrix => quote!(#value.as_slice()),
        }
    }

    /// The same, to be changed.
    pub fn mutable_array_in(self, value: TokenStream) -> TokenStream {
        if self.is_of_run_time() { quote!(#value.as_mut_slice()) } else { self.array_in(value) }
    }

    /// The value of an array.
    pub fn value_of(self, array: TokenStream, krate: &TokenStream) -> TokenStream {
        match self {
            Form::Plain | Form::RunVector | Form::RunMatrix => array,
            Form::Tensor => quote!(#krate::Tensor(#array)),
            Form::Vector => quote!(#krate::__private::vector(#array)),
            Form::Matrix => quote!(#krate::__private::matrix(#array)),
        }
    }

    /// A borrow of the value, of a borrow of the array.
    pub fn borrow_of(self, borrow: TokenStream, krate: &TokenStream) -> TokenStream {
        match self {
            Form::Plain | Form::RunVector | Form::RunMatrix => borrow,
            Form::Tensor => quote!(#krate::Tensor::from_ref(#borrow)),
            Form::Vector => quote!(#krate::__private::vector_ref(#borrow)),
            Form::Matrix => quote!(#krate::__private::matrix_ref(#borrow)),
        }
    }

    /// The same, to be changed.
    pub fn mutable_borrow_of(self, borrow: TokenStream, krate: &TokenStream) -> TokenStream {
        match self {
            Form::Plain | Form::RunVector | Form::RunMatrix => borrow,
            Form::Tensor => quote!(#krate::Tensor::from_mut(#borrow)),
            Form::Vector => quote!(#krate::__private::vector_mut(#borrow)),
            Form::Matrix => quote!(#krate::__private::matrix_mut(#borrow)),
        }
    }
}

/// Which leaves a value has.
#[derive(Clone, Debug)]
pub enum Layout {
    /// A number, an array of numbers, a tensor.
    Leaf(Form, Ty),
    Parts(Kind, Vec<Layout>),
    /// A slice or a `Vec` of what is no leaf, or an array of many: then also how many.
    Each(Box<Layout>, Option<Dim>),
    /// What carries no derivative and is only passed on, as an expression; of a type, nothing.
    Passive(TokenStream),
}

/// What has parts.
#[derive(Clone, Debug)]
pub enum Kind {
    Tuple,
    /// An array of what is no leaf.
    Array,
    /// A struct, or an enum, see Note [Enums] in [`crate::parse::ty`].
    Struct(Rc<StructType>),
}

/// One leaf of a value.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub access: Access,
    pub form: Form,
    pub ty: Ty,
    /// Whether no field on the way to it says that it carries no derivative.
    pub active: bool,
}

/// Where a leaf is found below a root: `p.layers[0].w`, and `.0` for the array in a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The parameter's place in the signature.
    pub root: usize,
    pub path: Vec<Step>,
}

#[derive(Clone, Debug)]
pub enum Step {
    Field(String),
    /// What is in the box that a field is: see Note [Boxes].
    Boxed(String),
    /// The field that a tangent of the whole is.
    Wrapped(String),
    /// The numbers of what holds nothing else: see Note [Matrices of run time].
    Whole,
    /// What a method or several give, as tokens after the dot.
    Read(&'static str),
    /// The change of a rotation, which a tangent is and a value does not have, of so many numbers: see Note [Changes of
    /// rotations] in [`crate::parse::geometry`].
    Change(Surface),
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
impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        match (self, other) {
            (Step::Field(own) | Step::Boxed(own), Step::Field(name) | Step::Boxed(name))
            | (Step::Wrapped(own), Step::Wrapped(name)) => own == name,
            (Step::Read(own), Step::Read(other)) => own == other,
            (Step::Index(own), Step::Index(index)) => own == index,
            (Step::Part(own), Step::Part(part)) => own.field == part.field,
            (Step::Each, Step::Each) | (Step::Change(_), Step::Change(_)) | (Step::Whole, Step::Whole) => true,
            _ => false,
        }
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

impl Layout {
    /// Whether all of its numbers are leaves.
    pub fn is_known(&self) -> bool {
        match self {
            Layout::Leaf(..) => true,
            Layout::Parts(_, parts) => parts.iter().all(Layout::is_known),
            Layout::Each(item, _) => item.is_known(),
            Layout::Passive(_) => false,
        }
    }

    pub fn of(surface: &Surface) -> Layout {
        if let Some(ty) = surface.leaf() {
            return Layout::Leaf(Form::of(surface), ty);
        }
        match surface {
            Surface::Tuple(parts) => Layout::Parts(Kind::Tuple, parts.iter().map(Layout::of).collect()),
            Surface::Struct(ty) => {
                let parts = ty.fields.iter().map(|field| Layout::of(&field.ty)).collect();
                Layout::of_parts(Kind::Struct(ty.clone()), parts)
            }
            Surface::Array(inner, count) => match count.written_out() {
                Some(count) => Layout::Parts(Kind::Array, vec![Layout::of(inner); count]),
                None => {
                    Layout::Each(Box::new(Layout::of(inner)), Some(count.clone()).filter(|count| !count.is_dynamic()))
                }
            },
            Surface::Seq(inner, _) => Layout::Each(Box::new(Layout::of(inner)), None),
            // There is one value of it.
            Surface::Other(ty) if is_phantom(ty) => Layout::Passive(quote!(::core::marker::PhantomData)),
            Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) | Surface::Other(_) => {
                Layout::Passive(TokenStream::new())
            }
        }
    }

    /// The layout of what has parts of these layouts.
    pub fn of_parts(kind: Kind, mut parts: Vec<Layout>) -> Layout {
        if let (Some(held), Some(Layout::Leaf(form, _))) = (kind.form_of_numbers(), parts.first_mut()) {
            *form = held;
        }
        Layout::Parts(kind, parts)
    }

    /// Whether a matrix is in it whose sizes run time tells.
    pub fn has_matrices_of_run_time(&self) -> bool {
        match self {
            Layout::Leaf(form, _) => form.is_of_run_time(),
            Layout::Parts(_, parts) => parts.iter().any(Layout::has_matrices_of_run_time),
            Layout::Each(item, _) => item.has_matrices_of_run_time(),
            Layout::Passive(_) => false,
        }
    }

    /// The layout of an element, where this is that of the arrays of a slice.
    pub fn of_element(self) -> Layout {
        match self {
            Layout::Leaf(form, ty) => Layout::Leaf(form, Ty::tensor(ty.elem, ty.dims.into_iter().skip(1).collect())),
            Layout::Parts(kind, parts) => Layout::Parts(kind, parts.into_iter().map(Layout::of_element).collect()),
            other => other,
        }
    }

    /// Its leaves in order of declaration.
    pub fn leaves(&self, at: &Access) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.visit(at.clone(), true, &mut leaves);
        leaves
    }

    fn visit(&self, access: Access, active: bool, leaves: &mut Vec<Leaf>) {
        match self {
            Layout::Leaf(form, ty) => leaves.push(Leaf { access, form: *form, ty: ty.clone(), active }),
            Layout::Parts(kind, parts) => {
                for (k, part) in parts.iter().enumerate() {
                    part.visit(access.then(kind.step(k)), active && kind.is_active(k), leaves);
                }
            }
            Layout::Each(item, count) => {
                let first = leaves.len();
                item.visit(access.then(Step::Each), active, leaves);
                for leaf in &mut leaves[first..] {
                    leaf.ty.dims.insert(0, count.clone().unwrap_or_else(Dim::ragged));
                }
            }
            Layout::Passive(_) => {}
        }
    }

    /// The types of its leaves.
    pub fn types(&self) -> Vec<Ty> {
        self.leaves(&Access::root(0)).into_iter().map(|leaf| leaf.ty).collect()
    }

    /// The leaves of the value as a whole that are floats. The bodies of its derivatives have a tangent and a cotangent for each of them,
    /// also where a field says that it carries no derivative: it is zero there, and a tangent of the value has no place for it.
    pub fn float_leaves(&self) -> impl Iterator<Item = Leaf> + use<> {
        self.leaves(&Access::root(0)).into_iter().filter(|leaf| leaf.ty.is_float())
    }

    /// Whether a slice of what is no leaf is in it.
    pub fn has_slices(&self) -> bool {
        match self {
            Layout::Each(..) => true,
            Layout::Parts(_, parts) => parts.iter().any(Layout::has_slices),
            Layout::Leaf(..) | Layout::Passive(_) => false,
        }
    }

    /// Whether slices of structs are in slices of structs: there is no array for the inner ones.
    pub fn has_slices_in_slices(&self) -> bool {
        match self {
            Layout::Each(item, _) => item.has_active_slices(),
            Layout::Parts(kind, parts) => {
                parts.iter().enumerate().any(|(k, part)| kind.is_active(k) && part.has_slices_in_slices())
            }
            Layout::Leaf(..) | Layout::Passive(_) => false,
        }
    }

    /// Whether slices of structs are in enums.
    pub fn has_slices_in_enums(&self) -> bool {
        match self {
            Layout::Parts(Kind::Struct(ty), _) if ty.is_enum() && self.has_slices() => true,
            Layout::Parts(_, parts) => parts.iter().any(Layout::has_slices_in_enums),
            Layout::Each(item, _) => item.has_slices_in_enums(),
            Layout::Leaf(..) | Layout::Passive(_) => false,
        }
    }

    fn has_active_slices(&self) -> bool {
        match self {
            Layout::Each(..) => true,
            Layout::Parts(kind, parts) => {
                parts.iter().enumerate().any(|(k, part)| kind.is_active(k) && part.has_active_slices())
            }
            Layout::Leaf(..) | Layout::Passive(_) => false,
        }
    }

    /// The expressions in it that are only passed on.
    pub fn passive(&self) -> Vec<&TokenStream> {
        match self {
            Layout::Passive(tokens) => vec![tokens],
            Layout::Each(item, _) => item.passive(),
            Layout::Parts(_, parts) => parts.iter().flat_map(Layout::passive).collect(),
            Layout::Leaf(..) => Vec::new(),
        }
    }
}

impl ParamLeaf {
    /// Whether it is a field of a struct, or of a field.
    pub fn is_field(&self) -> bool {
        self.access.path.iter().all(|step| matches!(step, Step::Field(_)))
    }

    /// The same leaf of a tangent.
    pub fn of_tangent(&self) -> ParamLeaf {
        ParamLeaf { access: self.access.of_tangent(), ..self.clone() }
    }
}

/// Whether an expression without a derivative is the one value of its type, which is at hand everywhere.
pub fn is_phantom_value(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().last().is_some_and(|last| last.to_string() == "PhantomData")
}

/// `PhantomData<T>`
fn is_phantom(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"))
}

impl Leaf {
    /// The same leaf of a tangent.
    pub fn of_tangent(self) -> Leaf {
        Leaf { access: self.access.of_tangent(), ..self }
    }

    pub fn is_differentiable(&self) -> bool {
        self.active && self.ty.is_float()
    }
}

impl Kind {
    /// The form of the numbers that are the first part, of a matrix whose sizes run time tells.
    fn form_of_numbers(&self) -> Option<Form> {
        let Kind::Struct(ty) = self else { return None };
        match ty.geometry {
            Some(Geometry::RunVector) => Some(Form::RunVector),
            Some(Geometry::RunMatrix) => Some(Form::RunMatrix),
            _ => None,
        }
    }

    /// How a part is found.
    pub fn step(&self, part: usize) -> Step {
        match self {
            Kind::Tuple => Step::Field(part.to_string()),
            Kind::Array => Step::Index(part),
            Kind::Struct(ty) if ty.is_enum() => Step::Part(Part { ty: ty.clone(), field: part }),
            Kind::Struct(ty) => {
                let name = ty.fields[part].member.to_token_stream().to_string();
                match ty.fields[part].held {
                    Held::Directly => Step::Field(name),
                    Held::Boxed => Step::Boxed(name),
                    Held::Wrapped => Step::Wrapped(name),
                    Held::Whole => Step::Whole,
                    Held::Read(tokens) => Step::Read(tokens),
                    Held::Change => Step::Change(ty.fields[part].ty.clone()),
                }
            }
        }
    }

    /// Whether a part carries a derivative where the whole does.
    pub fn is_active(&self, part: usize) -> bool {
        match self {
            Kind::Tuple | Kind::Array => true,
            Kind::Struct(ty) => ty.fields[part].active,
        }
    }

    /// Which part a member is. What is in an enum is found by a pattern only.
    pub fn position(&self, member: &Member) -> Option<usize> {
        match (self, member) {
            (Kind::Tuple | Kind::Array, Member::Unnamed(index)) => Some(index.index as usize),
            // The content of an `Option` is a place when that is borrowed.
            (Kind::Struct(ty), Member::Unnamed(index)) if ty.is_option && index.index == 0 => Some(1),
            // All parts of an enum are counted, whichever variant they are of: the source has no names for them.
            (Kind::Struct(ty), Member::Unnamed(index)) if ty.is_enum() => Some(index.index as usize),
            (Kind::Struct(ty), member) if !ty.is_enum() => ty.fields.iter().position(|field| field.member == *member),
            _ => None,
        }
    }

    /// What the leaves of a part are called in generated code.
    pub fn part_name(&self, whole: &str, part: usize) -> String {
        match self {
            Kind::Tuple | Kind::Array => format!("{whole}_{part}"),
            Kind::Struct(ty) if ty.is_enum() && part == 0 => format!("{whole}_kind"),
            Kind::Struct(ty) if ty.geometry.is_some_and(Geometry::is_of_run_time) => {
                ["", "_rows", "_columns"].get(part).map_or_else(String::new, |what| format!("{whole}{what}"))
            }
            // Named fields speak for themselves; others need what they belong to.
            Kind::Struct(ty) => match &ty.fields[part].member {
                Member::Named(ident) => ident.to_string(),
                Member::Unnamed(index) => format!("{whole}_{}", index.index),
            },
        }
    }

    /// A part of what is only passed on.
    pub fn passive_part(&self, whole: &TokenStream, part: usize) -> TokenStream {
        let index = proc_macro2::Literal::usize_unsuffixed(part);
        match self {
            Kind::Tuple => quote!(#whole.#index),
            Kind::Array => quote!(#whole[#index]),
            Kind::Struct(ty) => {
                let member = &ty.fields[part].member;
                match ty.variant_of(part) {
                    Some(variant) => passive_field(ty, variant, member, whole),
                    None => quote!(#whole.#member),
                }
            }
        }
    }
}

/// A field of a variant that is only passed on; see Note [Patterns of what carries no derivative].
fn passive_field(ty: &StructType, variant: &Variant, member: &Member, tokens: &TokenStream) -> TokenStream {
    let (path, name) = (ty.path_without_arguments(), &variant.name);
    let field = cloned(&quote!(field));
    quote! {
        (match &#tokens {
            #path::#name { #member: field, .. } => ::core::option::Option::Some(#field),
            #[allow(unreachable_patterns)]
            _ => ::core::option::Option::None,
        }).unwrap_or_default()
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

    /// The same place of a tangent, which has no boxes, and of a point is a vector.
    pub fn of_tangent(&self) -> Access {
        let path = self.path.iter().filter_map(|step| match step {
            Step::Boxed(name) => Some(Step::Field(name.clone())),
            Step::Wrapped(_) | Step::Change(_) => None,
            step => Some(step.clone()),
        });
        Access { root: self.root, path: path.collect() }
    }

    /// Of which type the change of a rotation is, which is zero.
    pub fn change(&self) -> Option<Ty> {
        match self.path.last() {
            Some(Step::Change(surface)) => surface.leaf(),
            _ => None,
        }
    }

    /// Whether the root is the leaf, or is nothing but its numbers.
    pub fn is_root(&self) -> bool {
        matches!(self.path[..], [] | [Step::Whole])
    }

    /// Whether it is read of a rotation, which changes as a whole.
    pub fn is_in_rotation(&self) -> bool {
        matches!(self.path.last(), Some(Step::Read(_) | Step::Change(_)))
    }

    /// Whether it is read with a `match`.
    pub fn is_in_enum(&self) -> bool {
        self.path.iter().any(|step| matches!(step, Step::Part(_)))
    }

    /// The access applied to an expression for the root: a tangent, or a value without enums.
    pub fn apply(&self, root: TokenStream) -> TokenStream {
        self.path.iter().fold(root, |tokens, step| match step {
            Step::Read(read) => {
                let read: TokenStream = read.parse().unwrap_or_default();
                quote!(#tokens.#read)
            }
            Step::Field(name) | Step::Boxed(name) | Step::Wrapped(name) => {
                let member: Member = syn::parse_str(name).unwrap_or(Member::Unnamed(0.into()));
                if matches!(step, Step::Boxed(_)) { quote!((*#tokens.#member)) } else { quote!(#tokens.#member) }
            }
            Step::Index(index) => {
                let index = proc_macro2::Literal::usize_unsuffixed(*index);
                quote!(#tokens[#index])
            }
            Step::Each | Step::Change(_) | Step::Whole => tokens,
            Step::Part(Part { ty, field: 1 }) if ty.has_optional_value() => quote!(#tokens.some),
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
