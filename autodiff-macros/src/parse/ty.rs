//! Types as the user writes them, resolved as far as a macro can: scalars, arrays, tensors, tuples, and derived
//! structs through what their relay told ([`crate::relay`]).

use crate::ir::dim::Dim;
use crate::ir::{Elem, Ty};
use crate::relay::{FieldInfo, Knowledge, StructInfo, VariantInfo};
pub use crate::tokens::INTEGERS;
use proc_macro2::{Ident, Span};
use std::ops::Range;
use std::rc::Rc;
use syn::{GenericArgument, PathArguments, Type};

pub use super::geometry::Geometry;
pub use super::resolve::{Substitution, TypeScope, Unresolved};
pub use crate::tokens::{dim, spelled};

/// A resolved type; references are looked through.
#[derive(Clone, Debug)]
pub enum Surface {
    Scalar(Elem),
    /// `Tensor2<T, M, N>` and the like.
    Tensor(Elem, Vec<Dim>),
    /// A matrix of nalgebra, with its rows and its columns: see Note [Matrices of nalgebra] in [`crate::layout`].
    Matrix(Elem, Dim, Dim),
    Array(Box<Surface>, Dim),
    /// A slice or a `Vec`.
    Seq(Box<Surface>, Seq),
    Tuple(Vec<Surface>),
    Struct(Rc<StructType>),
    /// A type without a derivative that is not looked into.
    Other(Type),
}

/// What holds as many values as run time tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seq {
    Slice,
    Vec,
}

/// A derived struct or enum with its generic arguments.
///
/// Note [Enums]. An enum is a product here: its fields are the *kind*, an integer that says which variant it is, and then
/// the fields of all variants, zero in those that it is not. So it is made of leaves like a struct, and what is done to
/// leaves needs to know nothing of enums. Its tangent is that product without the kind, as a type: gradients of
/// values of different variants add up, zero needs no value, and no derivative has to ask which variant it has. Only
/// where leaves are read out of a value, or a value is put together, there is a `match`.
#[derive(Clone, Debug)]
pub struct StructType {
    pub info: Rc<StructInfo>,
    /// The path as written where the type was found, with its generic arguments.
    pub path: syn::Path,
    pub name: StructName,
    pub args: Vec<StructArg>,
    /// Of an enum, see Note [Enums].
    pub fields: Vec<Field>,
    /// None, if it is a struct.
    pub variants: Vec<Variant>,
    /// Whether it is `Option`.
    pub is_option: bool,
    /// Of a `Result`, where its errors are: see Note [Errors] in [`crate::lower::result`].
    pub errors: Option<Ident>,
    /// A type of nalgebra that is no matrix.
    pub geometry: Option<Geometry>,
}

/// A variant of an enum.
#[derive(Clone, Debug)]
pub struct Variant {
    pub name: Ident,
    /// Where its fields are among all fields.
    pub fields: Range<usize>,
}

impl StructType {
    /// `Option<T>`
    pub fn option(inner: Surface, path: syn::Path) -> StructType {
        let member: syn::Member = syn::parse_quote!(0);
        let variant = |name: &str, count| VariantInfo { name: Ident::new(name, Span::call_site()), count };
        let field = FieldInfo { member: member.clone(), ty: syn::parse_quote!(_), active: true, projected: false };
        let info = StructInfo {
            generics: Vec::new(),
            fields: vec![field],
            variants: vec![variant("None", 0), variant("Some", 1)],
            nested: Knowledge::default(),
            home: None,
            failed: false,
        };
        let variants = vec![
            Variant { name: info.variants[0].name.clone(), fields: 1..1 },
            Variant { name: info.variants[1].name.clone(), fields: 1..2 },
        ];
        let active = inner.is_result() && !inner.is_discrete();
        let kind = Field {
            member: syn::parse_quote!(kind),
            ty: Surface::Scalar(Elem::usize()),
            active: false,
            held: Held::Directly,
        };
        StructType {
            info: Rc::new(info),
            path,
            name: StructName::Path,
            args: Vec::new(),
            fields: vec![kind, Field { member, ty: inner, active, held: Held::Directly }],
            variants,
            is_option: true,
            errors: None,
            geometry: None,
        }
    }

    /// `Result<T, E>`; `error` are the tokens that say which type of errors it has.
    pub fn result(inner: Surface, path: syn::Path, error: &str) -> StructType {
        let name: String =
            error.chars().filter(|c| !c.is_whitespace()).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let mut ty = StructType::option(inner, path);
        let member = ty.fields[1].member.clone();
        ty.fields.push(Field { member, ty: Surface::Scalar(Elem::usize()), active: false, held: Held::Directly });
        let variant = |name: &str, fields| Variant { name: Ident::new(name, Span::call_site()), fields };
        ty.variants = vec![variant("Ok", 1..2), variant("Err", 2..3)];
        ty.is_option = false;
        ty.errors = Some(quote::format_ident!("{ERRORS}{name}"));
        ty
    }

    /// What it is called here, as far as it has a path.
    pub fn path_without_arguments(&self) -> syn::Path {
        match &self.name {
            StructName::Imported(name) => name.clone().into(),
            _ => crate::relay::without_arguments(&self.path),
        }
    }

    /// Whether its tangent is that of the value that there may be.
    pub fn has_optional_value(&self) -> bool {
        self.is_option || self.errors.is_some()
    }

    pub fn is_enum(&self) -> bool {
        !self.variants.is_empty()
    }

    /// Whether it cannot be changed a part at a time: an enum, or a rotation.
    pub fn changes_as_a_whole(&self) -> bool {
        self.is_enum() || self.geometry.is_some_and(Geometry::is_curved)
    }

    /// Whether it is an enum without a derivative: see Note [Enums that change] in `lower/plain.rs`.
    pub fn is_plain(&self) -> bool {
        self.is_enum() && !self.has_optional_value() && !self.fields.iter().any(|field| field.active)
    }

    /// Where the fields begin: the first one of an enum is its kind.
    pub fn first_field(&self) -> usize {
        usize::from(self.is_enum())
    }

    /// The variant that a field belongs to.
    pub fn variant_of(&self, field: usize) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.fields.contains(&field))
    }
}

/// What a field of a variant is found under in the tangent of its enum: `half_plane` of `HalfPlane`.
pub fn variant_field(name: &Ident) -> Ident {
    let text = name.to_string();
    let text = text.trim_start_matches("r#");
    let mut snake = String::new();
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_word = before.is_some_and(|before: char| before.is_lowercase() || before.is_ascii_digit())
            || before.is_some_and(char::is_uppercase) && letters.peek().is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && ends_word {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
        before = Some(letter);
    }
    match syn::parse_str::<Ident>(&snake) {
        Ok(_) => Ident::new(&snake, name.span()),
        // A keyword.
        Err(_) => Ident::new(&format!("{snake}_"), name.span()),
    }
}

/// How a struct is named here.
#[derive(Clone, Debug)]
pub enum StructName {
    /// By its path.
    Path,
    /// By the name that it is imported under.
    Imported(Ident),
    /// By the field of another struct: its own path may mean nothing here.
    Field(Rc<StructType>, usize),
}

/// A generic argument of a struct.
#[derive(Clone, Debug)]
pub enum StructArg {
    Elem(Elem),
    Size(Dim),
    /// Of a parameter that no number is of: see [`super::marker`].
    Marker(Type),
}

#[derive(Clone, Debug)]
pub struct Field {
    pub member: syn::Member,
    pub ty: Surface,
    /// Integers and `#[no_diff]` carry no derivative.
    pub active: bool,
    pub held: Held,
}

/// How a struct has what a field's type says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    Directly,
    /// In a `Box`: see Note [Boxes] in [`crate::layout`].
    Boxed,
    /// The struct has nothing else, and its tangent is that of the field: a point and its coordinates.
    Wrapped,
    /// The struct is its numbers: see Note [Matrices of run time] in [`crate::layout`].
    Whole,
    /// It is read by these tokens: see Note [Geometry] in [`super::geometry`].
    Read(&'static str),
    /// It is not held, and its value is zero: see Note [Changes of rotations] in [`super::geometry`].
    Change,
}

/// What the names of lists of errors begin with.
pub const ERRORS: &str = "__autodiff_errors_";

impl Surface {
    /// The IR type, for what is one value there: scalars, tensors, arrays of them.
    pub fn leaf(&self) -> Option<Ty> {
        match self {
            Surface::Scalar(elem) => Some(Ty::scalar(elem.clone())),
            Surface::Tensor(elem, dims) => Some(Ty::tensor(elem.clone(), dims.clone())),
            Surface::Matrix(elem, rows, columns) => Some(Ty::tensor(elem.clone(), super::matrix::dims(rows, columns))),
            Surface::Seq(inner, _) => match &**inner {
                Surface::Tensor(..) | Surface::Matrix(..) => None,
                inner => {
                    let ty = inner.leaf()?;
                    Some(Ty::tensor(ty.elem, [vec![Dim::ragged()], ty.dims].concat()))
                }
            },
            Surface::Array(inner, dim) => match &**inner {
                Surface::Tensor(..) | Surface::Matrix(..) => None,
                inner => {
                    let ty = inner.leaf()?;
                    Some(Ty::tensor(ty.elem, [vec![dim.clone()], ty.dims].concat()))
                }
            },
            _ => None,
        }
    }

    /// Whether a slice of what is no leaf is in it, or an array of such that is not written out.
    fn has_slices(&self) -> bool {
        match self {
            _ if self.leaf().is_some() => false,
            Surface::Tuple(parts) => parts.iter().any(Surface::has_slices),
            Surface::Struct(ty) => ty.fields.iter().any(|field| field.ty.has_slices()),
            Surface::Array(inner, count) => count.written_out().is_none() || inner.has_slices(),
            Surface::Seq(..) => true,
            Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) | Surface::Other(_) => false,
        }
    }

    /// The element of a slice, in which arrays of structs are written out whose sizes are known: see Note [Values of sizes] in
    /// `relay/export.rs`.
    pub fn written_out(self) -> Surface {
        match self {
            Surface::Array(inner, size) if inner.leaf().is_none() => {
                let size = crate::relay::known_size(&size).unwrap_or(size);
                Surface::Array(Box::new(inner.written_out()), size)
            }
            Surface::Tuple(parts) => Surface::Tuple(parts.into_iter().map(Surface::written_out).collect()),
            Surface::Struct(mut ty) if ty.fields.iter().any(|field| field.ty.has_slices()) => {
                for field in Rc::make_mut(&mut ty).fields.iter_mut() {
                    field.ty = field.ty.clone().written_out();
                }
                Surface::Struct(ty)
            }
            other => other,
        }
    }

    /// Whether part of it is as long as run time tells.
    pub fn is_dynamic(&self) -> bool {
        match self {
            Surface::Seq(..) => true,
            Surface::Array(inner, _) => inner.is_dynamic(),
            Surface::Tuple(parts) => parts.iter().any(Surface::is_dynamic),
            Surface::Struct(ty) => ty.fields.iter().any(|field| field.active && field.ty.is_dynamic()),
            _ => false,
        }
    }

    /// Whether there is an enum in it.
    pub fn has_enum(&self) -> bool {
        match self {
            Surface::Struct(ty) => ty.is_enum() || ty.fields.iter().any(|field| field.ty.has_enum()),
            Surface::Array(inner, _) | Surface::Seq(inner, _) => inner.has_enum(),
            Surface::Tuple(parts) => parts.iter().any(Surface::has_enum),
            Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) | Surface::Other(_) => false,
        }
    }

    /// Whether a mutable borrow of it can be given with tangents in several directions, leaf by leaf: it consists of numbers and
    /// arrays of these, or is a slice of them. Callers ask this of the signature: see Note [Wide by others] in `emit/wide.rs`.
    pub fn changes_in_lanes(&self) -> bool {
        match self {
            Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) => !self.is_dynamic(),
            Surface::Seq(item, Seq::Slice) => {
                matches!(**item, Surface::Scalar(_) | Surface::Array(..)) && item.changes_in_lanes()
            }
            Surface::Array(item, _) => {
                matches!(**item, Surface::Scalar(_) | Surface::Array(..)) && item.changes_in_lanes()
            }
            Surface::Tuple(parts) => parts.iter().all(|part| !part.is_dynamic() && part.changes_in_lanes()),
            Surface::Struct(ty) => {
                let is_plain = |field: &Field| !field.ty.is_dynamic() && field.ty.changes_in_lanes();
                !ty.changes_as_a_whole() && ty.fields.iter().all(is_plain)
            }
            Surface::Seq(_, Seq::Vec) | Surface::Other(_) => false,
        }
    }

    /// Whether an array of structs or tuples is in it. Which leaves it has depends on what is known of its length, and a caller may
    /// know more than the callee.
    pub fn has_arrays_of_parts(&self) -> bool {
        match self {
            Surface::Array(item, _) => {
                matches!(**item, Surface::Struct(_) | Surface::Tuple(_)) || item.has_arrays_of_parts()
            }
            Surface::Seq(item, _) => item.has_arrays_of_parts(),
            Surface::Tuple(parts) => parts.iter().any(Surface::has_arrays_of_parts),
            Surface::Struct(ty) => ty.fields.iter().any(|field| field.ty.has_arrays_of_parts()),
            Surface::Scalar(_) | Surface::Tensor(..) | Surface::Matrix(..) | Surface::Other(_) => false,
        }
    }

    /// Whether it consists of integers and truth values only, or of nothing.
    pub fn is_discrete(&self) -> bool {
        match self {
            Surface::Scalar(elem) | Surface::Tensor(elem, _) | Surface::Matrix(elem, ..) => !elem.is_float(),
            Surface::Array(inner, _) | Surface::Seq(inner, _) => inner.is_discrete(),
            Surface::Tuple(parts) => parts.iter().all(Surface::is_discrete),
            Surface::Struct(ty) => {
                (ty.has_optional_value() || ty.is_plain()) && ty.fields.iter().all(|field| field.ty.is_discrete())
            }
            Surface::Other(_) => false,
        }
    }

    /// Whether a function can return it: what has derivatives, integers and truth values, and tuples of both.
    pub fn is_result(&self) -> bool {
        match self {
            Surface::Array(inner, _) | Surface::Seq(inner, _) => inner.is_result(),
            Surface::Tuple(parts) => parts.iter().all(Surface::is_result),
            Surface::Struct(ty) if ty.has_optional_value() => ty.fields[1].ty.is_result(),
            _ => self.is_differentiable() || self.is_discrete(),
        }
    }

    /// Whether a matrix is in it whose sizes run time tells.
    pub fn has_matrices_of_run_time(&self) -> bool {
        match self {
            Surface::Array(inner, _) | Surface::Seq(inner, _) => inner.has_matrices_of_run_time(),
            Surface::Tuple(parts) => parts.iter().any(Surface::has_matrices_of_run_time),
            Surface::Struct(ty) => match ty.geometry {
                Some(geometry) => geometry.is_of_run_time(),
                None => ty.fields.iter().any(|field| field.active && field.ty.has_matrices_of_run_time()),
            },
            _ => false,
        }
    }

    /// Whether a list of them is in it.
    pub fn has_lists_of_run_time(&self) -> bool {
        match self {
            Surface::Seq(inner, _) => inner.has_matrices_of_run_time(),
            Surface::Array(inner, count) => match count.written_out() {
                Some(_) => inner.has_lists_of_run_time(),
                None => inner.has_matrices_of_run_time(),
            },
            Surface::Tuple(parts) => parts.iter().any(Surface::has_lists_of_run_time),
            Surface::Struct(ty) => ty.fields.iter().any(|field| field.active && field.ty.has_lists_of_run_time()),
            _ => false,
        }
    }

    pub fn is_unit_vector(&self) -> bool {
        matches!(self, Surface::Struct(ty) if ty.geometry == Some(Geometry::UnitVector))
    }

    /// Whether there is a rotation in it.
    pub fn has_rotation(&self) -> bool {
        match self {
            Surface::Array(inner, _) | Surface::Seq(inner, _) => inner.has_rotation(),
            Surface::Tuple(parts) => parts.iter().any(Surface::has_rotation),
            Surface::Struct(ty) => match ty.geometry {
                Some(geometry) => geometry.is_curved(),
                None => ty.fields.iter().any(|field| field.active && field.ty.has_rotation()),
            },
            _ => false,
        }
    }

    /// Whether a derivative can flow into or out of it.
    pub fn is_differentiable(&self) -> bool {
        match self {
            Surface::Scalar(elem) | Surface::Tensor(elem, _) | Surface::Matrix(elem, ..) => elem.is_float(),
            Surface::Array(inner, _) | Surface::Seq(inner, _) => inner.is_differentiable(),
            Surface::Tuple(parts) => !parts.is_empty() && parts.iter().all(Surface::is_differentiable),
            Surface::Struct(ty) if ty.has_optional_value() => ty.fields[1].ty.is_differentiable(),
            Surface::Struct(ty) => !ty.is_plain() && ty.geometry.is_none_or(Geometry::has_tangents),
            Surface::Other(_) => false,
        }
    }
}

/// `T` of `Box<T>`.
pub fn contents(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Box")?;
    let PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match (args.args.first()?, args.args.len()) {
        (GenericArgument::Type(ty), 1) => Some(ty),
        _ => None,
    }
}

pub fn generic_args(path: &syn::Path) -> Vec<GenericArgument> {
    match path.segments.last().map(|segment| &segment.arguments) {
        Some(PathArguments::AngleBracketed(args)) => args.args.iter().cloned().collect(),
        _ => Vec::new(),
    }
}
