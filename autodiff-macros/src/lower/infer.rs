//! What the generic parameters of a callee or of a struct are: from what is written, from arguments or fields, and from
//! the type that is expected of the result.

use super::Lower;
use super::value::{Lowered, Value};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Elem, Ty};
use crate::layout::{Form, Kind};
use crate::parse::ty::{Seq, StructArg, Substitution, Surface, generic_args, spelled};
use crate::relay::{Generic, GenericKind};
use syn::{GenericArgument, Type};

/// What is known of them so far. The first to say what a parameter is, is right; rustc finds who disagrees.
pub(super) struct Inference<'g> {
    generics: &'g [Generic],
    pub(super) known: Substitution,
}

impl Inference<'_> {
    pub(super) fn new(generics: &[Generic]) -> Inference<'_> {
        Inference { generics, known: Substitution::default() }
    }

    /// Compares a type as the callee writes it with what stands there.
    pub(super) fn unify(&mut self, ty: &Type, given: &Surface) {
        match (ty, given) {
            (Type::Reference(reference), _) => self.unify(&reference.elem, given),
            (Type::Paren(paren), _) => self.unify(&paren.elem, given),
            (Type::Group(group), _) => self.unify(&group.elem, given),
            (Type::Tuple(tuple), Surface::Tuple(parts)) => {
                for (ty, part) in tuple.elems.iter().zip(parts) {
                    self.unify(ty, part);
                }
            }
            (Type::Slice(slice), Surface::Seq(inner, _) | Surface::Array(inner, _)) => self.unify(&slice.elem, inner),
            (Type::Path(path), Surface::Seq(inner, _)) => {
                if let Some(GenericArgument::Type(elem)) = generic_args(&path.path).first() {
                    self.unify(elem, inner);
                }
            }
            (Type::Array(array), Surface::Array(inner, size)) => {
                self.dim(&crate::parse::ty::dim(&array.len), size);
                self.unify(&array.elem, inner);
            }
            (Type::Path(path), Surface::Tensor(elem, dims)) => {
                let args = generic_args(&path.path);
                match args.first() {
                    Some(GenericArgument::Type(array @ Type::Array(_))) => {
                        self.unify(array, &nested(&Ty::tensor(elem.clone(), dims.clone())));
                    }
                    Some(GenericArgument::Type(ty)) => self.elem(ty, elem),
                    _ => {}
                }
                for (arg, dim) in args.iter().skip(1).zip(dims) {
                    self.dim(&argument_dim(arg), dim);
                }
            }
            (Type::Path(path), Surface::Matrix(elem, rows, columns)) => {
                let args = crate::parse::matrix::arguments(&path.path);
                if let Some(GenericArgument::Type(ty)) = args.first() {
                    self.elem(ty, elem);
                }
                let Some(named) = crate::parse::matrix::named(&path.path) else { return };
                for (size, given) in [(named.rows, rows), (named.columns, columns)] {
                    if let crate::parse::matrix::Size::Argument(at) = size {
                        if let Some(arg) = args.get(at) {
                            self.dim(&argument_dim(arg), given);
                        }
                    }
                }
            }
            (Type::Path(path), Surface::Struct(given)) => {
                for (param, arg) in generic_args(&path.path).iter().zip(&given.args) {
                    match (param, arg) {
                        (param, StructArg::Size(size)) => self.dim(&argument_dim(param), size),
                        (GenericArgument::Type(param), StructArg::Elem(elem)) => self.elem(param, elem),
                        (GenericArgument::Type(param), StructArg::Marker(ty)) => {
                            self.known.markers.entry(spelled(param)).or_insert_with(|| ty.clone());
                        }
                        _ => {}
                    }
                }
            }
            (Type::Path(_), Surface::Scalar(elem)) => self.elem(ty, elem),
            _ => {}
        }
    }

    /// Those of which nothing is known.
    pub(super) fn unknown(&self) -> Vec<Generic> {
        let is_unknown = |generic: &&Generic| match generic.kind {
            GenericKind::Size => !self.known.dims.contains_key(&generic.name),
            GenericKind::Number => !self.known.elems.contains_key(&generic.name),
            GenericKind::Function => !self.known.functions.contains_key(&generic.name),
        };
        self.generics.iter().filter(is_unknown).cloned().collect()
    }

    fn find(&self, name: &str, kind: GenericKind) -> bool {
        self.generics.iter().any(|generic| generic.name == name && generic.kind == kind)
    }

    fn dim(&mut self, param: &Dim, given: &Dim) {
        if let Some(atom) = param.as_atom() {
            if self.find(atom, GenericKind::Size) {
                self.known.dims.entry(atom.to_string()).or_insert_with(|| given.clone());
            }
        }
    }

    fn elem(&mut self, param: &Type, given: &Elem) {
        if let Type::Path(path) = param {
            if let Some(name) = path.path.get_ident().map(ToString::to_string) {
                if self.find(&name, GenericKind::Number) {
                    self.known.elems.entry(name).or_insert_with(|| given.clone());
                }
            }
        }
    }
}

impl Lower<'_> {
    /// `f::<f32, 4, _>`; what is `_` is told by the arguments. Of a method those of its type come first, which may be
    /// missing.
    pub(super) fn written_generics(&mut self, path: &syn::Path, inference: &mut Inference) -> Lowered<()> {
        let mut args = generic_args(path);
        args.retain(|arg| !matches!(arg, GenericArgument::Lifetime(_)));
        let inferred = inference.generics.len().saturating_sub(args.len());
        for (generic, arg) in inference.generics.iter().skip(inferred).zip(&args) {
            match arg {
                GenericArgument::Type(Type::Infer(_)) => {}
                arg if generic.kind == GenericKind::Size => {
                    inference.known.dims.insert(generic.name.clone(), argument_dim(arg));
                }
                GenericArgument::Type(ty) if generic.kind == GenericKind::Function => {
                    inference.known.functions.insert(generic.name.clone(), ty.clone());
                }
                GenericArgument::Type(ty) if inference.known.markers.contains_key(&generic.name) => {
                    inference.known.markers.insert(generic.name.clone(), ty.clone());
                }
                GenericArgument::Type(ty) => {
                    if let Surface::Scalar(elem) = self.resolve(ty)? {
                        inference.known.elems.insert(generic.name.clone(), elem);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Value {
    /// The type of a value, as far as it is visible.
    pub(super) fn surface(&self, b: &Builder) -> Surface {
        let all = |parts: &[Value]| parts.iter().map(|part| part.surface(b)).collect();
        match self {
            Value::Leaf(var, Form::Tensor) => Surface::Tensor(b.ty(*var).elem.clone(), b.ty(*var).dims.clone()),
            Value::Leaf(var, form @ (Form::Vector | Form::Matrix)) => {
                let (rows, columns) = form.sizes(b.ty(*var));
                Surface::Matrix(b.ty(*var).elem.clone(), rows, columns)
            }
            Value::Leaf(var, Form::Plain | Form::RunVector | Form::RunMatrix) => nested(b.ty(*var)),
            Value::Parts(Kind::Tuple, parts) => Surface::Tuple(all(parts)),
            Value::Parts(Kind::Struct(ty), _) => Surface::Struct(ty.clone()),
            Value::Parts(Kind::Array, parts) => {
                let count = i64::try_from(parts.len()).unwrap_or(i64::MAX);
                let inner = parts.first().map_or_else(unknown, |part| part.surface(b));
                Surface::Array(Box::new(inner), Dim::literal(count))
            }
            Value::Slice(slice) => {
                let item = element_surface(&slice.of, slice.at.len() + 1, b);
                match slice.len.is_dynamic() {
                    true => Surface::Seq(Box::new(item), Seq::Slice),
                    false => Surface::Array(Box::new(item), slice.len.clone()),
                }
            }
            Value::Untyped(_)
            | Value::Other(_)
            | Value::Borrow(_)
            | Value::Undefined
            | Value::Never
            | Value::Closure(_)
            | Value::Chosen(..) => unknown(),
        }
    }
}

/// What is in arrays behind their first axes.
fn element_surface(of: &Value, axes: usize, b: &Builder) -> Surface {
    match of {
        Value::Leaf(array, form) => {
            let ty = b.ty(*array);
            let dims = ty.dims[axes.min(ty.rank())..].to_vec();
            match form {
                Form::Tensor if !dims.is_empty() => Surface::Tensor(ty.elem.clone(), dims),
                Form::Vector | Form::Matrix => {
                    let (rows, columns) = form.sizes(&Ty::tensor(ty.elem.clone(), dims));
                    Surface::Matrix(ty.elem.clone(), rows, columns)
                }
                _ => nested(&Ty::tensor(ty.elem.clone(), dims)),
            }
        }
        Value::Parts(Kind::Tuple, parts) => {
            Surface::Tuple(parts.iter().map(|part| element_surface(part, axes, b)).collect())
        }
        other => other.surface(b),
    }
}

fn unknown() -> Surface {
    Surface::Other(syn::parse_quote!(_))
}

/// A number, or an array of arrays of numbers.
fn nested(ty: &Ty) -> Surface {
    let number = Surface::Scalar(ty.elem.clone());
    ty.dims.iter().rev().fold(number, |inner, dim| match dim.is_dynamic() {
        true => Surface::Seq(Box::new(inner), Seq::Slice),
        false => Surface::Array(Box::new(inner), dim.clone()),
    })
}

/// A lone name parses as a type.
fn argument_dim(arg: &GenericArgument) -> Dim {
    match arg {
        GenericArgument::Const(expr) => crate::parse::ty::dim(expr),
        other => Dim::atom(&spelled(other)),
    }
}
