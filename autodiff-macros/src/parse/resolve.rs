//! From the types that users write to resolved ones, by what the relays of their structs told ([`crate::relay`]).

use super::geometry::Geometry;
use super::ty::{
    Field, Held, INTEGERS, Seq, StructArg, StructName, StructType, Surface, Variant, contents, dim, generic_args,
    spelled,
};
use crate::diag::Error;
use crate::ir::Elem;
use crate::ir::dim::Dim;
use crate::relay::{GenericKind, Knowledge};
use std::rc::Rc;
use syn::{Expr, GenericArgument, Type};

/// Why a type cannot be resolved here.
pub enum Unresolved {
    /// Its relay has to be asked first.
    Ask(syn::Path),
    Error(Error),
}

impl From<Error> for Unresolved {
    fn from(error: Error) -> Unresolved {
        Unresolved::Error(error)
    }
}

/// The names a type can refer to.
#[derive(Clone)]
pub struct TypeScope<'k> {
    pub knowledge: &'k Knowledge,
    /// Type parameters bound by `Real`.
    pub reals: &'k [String],
    /// Replaces generic parameters and exported constants of another item.
    pub substitution: Option<&'k Substitution>,
}

/// What the generics and exported constants of another item mean here.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    pub elems: std::collections::HashMap<String, Elem>,
    pub dims: std::collections::HashMap<String, Dim>,
    /// The types that no number is of: see [`super::marker`].
    pub markers: std::collections::HashMap<String, Type>,
    /// Those that stand for functions, by their types.
    pub functions: std::collections::HashMap<String, Type>,
    /// What `__Self` stands for.
    pub this: String,
}

impl Substitution {
    pub fn dim(&self, atom: &str) -> Option<Dim> {
        if let Some(dim) = self.dims.get(atom) {
            return Some(dim.clone());
        }
        let constant = atom.strip_prefix("__Self :: ").or_else(|| atom.strip_prefix("__Self::"))?;
        Some(Dim::atom(&format!("<{}>::{constant}", self.this)))
    }
}

impl TypeScope<'_> {
    pub fn resolve(&self, ty: &Type) -> Result<Surface, Unresolved> {
        match ty {
            Type::Reference(reference) => self.resolve(&reference.elem),
            Type::Paren(paren) => self.resolve(&paren.elem),
            Type::Group(group) => self.resolve(&group.elem),
            Type::Array(array) => {
                let (elem, len) = (self.resolve(&array.elem)?, self.dim(&array.len));
                let elem = if len.written_out().is_some() { elem } else { elem.written_out() };
                Ok(Surface::Array(Box::new(elem), len))
            }
            Type::Slice(slice) => self.sequence(ty, &slice.elem, Seq::Slice),
            Type::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|elem| self.resolve(elem)).collect::<Result<_, _>>()?;
                Ok(Surface::Tuple(parts))
            }
            Type::Path(path) if path.qself.is_none() => self.path(ty, &path.path),
            _ => Ok(Surface::Other(ty.clone())),
        }
    }

    fn sequence(&self, ty: &Type, elem: &Type, kind: Seq) -> Result<Surface, Unresolved> {
        match self.resolve(elem)? {
            Surface::Other(_) => Ok(Surface::Other(ty.clone())),
            elem => Ok(Surface::Seq(Box::new(elem.written_out()), kind)),
        }
    }

    pub fn dim(&self, expr: &Expr) -> Dim {
        let dim = dim(expr);
        match self.substitution {
            Some(substitution) => dim.substitute(&|atom| substitution.dim(atom)),
            None => dim,
        }
    }

    fn path(&self, ty: &Type, path: &syn::Path) -> Result<Surface, Unresolved> {
        let Some(last) = path.segments.last() else { return Ok(Surface::Other(ty.clone())) };
        let name = last.ident.to_string();
        if path.segments.len() == 1 && last.arguments.is_none() {
            if let Some(elem) = self.substitution.and_then(|substitution| substitution.elems.get(&name)) {
                return Ok(Surface::Scalar(elem.clone()));
            }
            if self.reals.contains(&name) {
                return Ok(Surface::Scalar(Elem::Real(Rc::from(name))));
            }
        }
        match &name[..] {
            "f32" => Ok(Surface::Scalar(Elem::F32)),
            "f64" => Ok(Surface::Scalar(Elem::F64)),
            "bool" => Ok(Surface::Scalar(Elem::Bool)),
            _ if INTEGERS.contains(&&name[..]) => Ok(Surface::Scalar(Elem::Int(Rc::from(name)))),
            "Tensor" => self.tensor_of_array(path),
            _ if name.strip_prefix("Tensor").is_some_and(|rank| matches!(rank, "1" | "2" | "3" | "4" | "5" | "6")) => {
                self.tensor(path, &name)
            }
            "Vec" => match &generic_args(path)[..] {
                [GenericArgument::Type(elem)] => self.sequence(ty, elem, Seq::Vec),
                _ => Ok(Surface::Other(ty.clone())),
            },
            "Option" => Ok(match self.option(path)? {
                Some(option) if option.is_differentiable() => option,
                _ => Surface::Other(ty.clone()),
            }),
            "Result" => Ok(match self.result(path)? {
                Some(result) if result.is_differentiable() => result,
                _ => Surface::Other(ty.clone()),
            }),
            "VecDeque" if !last.arguments.is_none() => Ok(Surface::Other(ty.clone())),
            // Without what it is of, it is a type of the user's.
            "Box" | "Rc" | "Arc" if !last.arguments.is_none() => Ok(Surface::Other(ty.clone())),
            "String" | "str" | "char" => Ok(Surface::Other(ty.clone())),
            _ => match super::matrix::named(path).filter(|_| self.is_of_nalgebra(path)) {
                Some(named) if !generic_args(path).is_empty() => self.matrix(path, named),
                _ => match super::geometry::named(path).filter(|_| self.is_of_nalgebra(path)) {
                    Some((geometry, size)) if !generic_args(path).is_empty() => {
                        let [GenericArgument::Type(ty)] = &generic_args(path)[..] else {
                            return self.user_type(path);
                        };
                        let elem = self.elem(ty)?;
                        Ok(Surface::Struct(Rc::new(geometry.ty(&elem, size, path.clone()))))
                    }
                    _ => match super::geometry::of_unit(path).filter(|_| self.is_of_nalgebra(path)) {
                        Some(vector) => self.unit(path, vector),
                        None => self.user_type(path),
                    },
                },
            },
        }
    }

    /// `Unit<Vector3<f64>>`, `Unit<Quaternion<f64>>`
    fn unit(&self, path: &syn::Path, ty: &syn::Type) -> Result<Surface, Unresolved> {
        let (of, elem, size) = match self.resolve(ty)? {
            Surface::Matrix(elem, rows, columns) if columns.is(1) => match rows.as_literal() {
                Some(size) => (Geometry::UnitVector, elem, size),
                None => return self.user_type(path),
            },
            Surface::Struct(inner) if inner.geometry == Some(Geometry::Quaternion) => match inner.args.first() {
                Some(super::ty::StructArg::Elem(elem)) => (Geometry::UnitQuaternion, elem.clone(), 3),
                _ => return self.user_type(path),
            },
            _ => return self.user_type(path),
        };
        Ok(Surface::Struct(Rc::new(of.ty(&elem, size, path.clone()))))
    }

    /// Whether a path with a name of nalgebra's is not one of the user's own types.
    pub fn is_of_nalgebra(&self, path: &syn::Path) -> bool {
        super::matrix::is_of_nalgebra(path)
            && !(path.segments.len() == 1 && self.knowledge.is_own(&path.segments[0].ident.to_string()))
            && self.knowledge.find_struct(path).is_none()
    }

    fn matrix(&self, path: &syn::Path, named: super::matrix::Named) -> Result<Surface, Unresolved> {
        use super::matrix::Size;
        let args = super::matrix::sized_arguments(path)?;
        let elem = match &args[..] {
            [GenericArgument::Type(ty), ..] => match self.resolve(ty)? {
                Surface::Scalar(elem) => elem,
                _ => return Ok(Surface::Other(syn::parse_quote!(#path))),
            },
            _ => return Ok(Surface::Other(syn::parse_quote!(#path))),
        };
        let size = |size| match size {
            Size::Literal(size) => Ok(Dim::literal(size)),
            Size::Argument(at) => self.size(&args[at]),
        };
        Ok(Surface::Matrix(elem, size(named.rows)?, size(named.columns)?))
    }

    /// The type of a result, which is looked into also where it carries no derivative.
    pub fn resolve_result(&self, ty: &Type) -> Result<Surface, Unresolved> {
        if let Type::Tuple(tuple) = ty {
            return Ok(Surface::Tuple(
                tuple.elems.iter().map(|part| self.resolve_result(part)).collect::<Result<_, _>>()?,
            ));
        }
        let surface = self.resolve(ty)?;
        let (Surface::Other(_), Type::Path(path)) = (&surface, ty) else { return Ok(surface) };
        let inner = match path.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("Option") => self.option(&path.path)?,
            Some("Result") => self.result(&path.path)?,
            _ => None,
        };
        Ok(inner.unwrap_or(surface))
    }

    /// `Option<T>` of what is looked into.
    pub fn option(&self, path: &syn::Path) -> Result<Option<Surface>, Unresolved> {
        match &generic_args(path)[..] {
            [GenericArgument::Type(Type::Reference(_))] => Ok(None),
            [GenericArgument::Type(inner)] => match self.resolve(inner) {
                Ok(Surface::Other(_)) | Err(Unresolved::Error(_)) => Ok(None),
                Ok(inner) => Ok(Some(Surface::Struct(Rc::new(StructType::option(inner, path.clone()))))),
                Err(ask) => Err(ask),
            },
            _ => Ok(None),
        }
    }

    /// `Result<T, E>` of what is looked into. An alias may say what `E` is.
    pub fn result(&self, path: &syn::Path) -> Result<Option<Surface>, Unresolved> {
        let args = generic_args(path);
        let (inner, error) = match &args[..] {
            [GenericArgument::Type(Type::Reference(_)), ..] => return Ok(None),
            [GenericArgument::Type(inner), error] => (inner, spelled(error)),
            [GenericArgument::Type(inner)] => (inner, spelled(&crate::relay::without_arguments(path))),
            _ => return Ok(None),
        };
        match self.resolve(inner) {
            Ok(Surface::Other(_)) | Err(Unresolved::Error(_)) => Ok(None),
            Ok(inner) => Ok(Some(Surface::Struct(Rc::new(StructType::result(inner, path.clone(), &error))))),
            Err(ask) => Err(ask),
        }
    }

    fn tensor(&self, path: &syn::Path, name: &str) -> Result<Surface, Unresolved> {
        let rank: usize = name["Tensor".len()..].parse().unwrap_or(0);
        let args = generic_args(path);
        if args.len() != rank + 1 {
            let message =
                format!("`{name}` takes an element type and {rank} sizes, {} arguments are given", args.len());
            return Err(Error::new(path, message)
                .help(format!("for example `{name}<f32{}>`", ", 4".repeat(rank)))
                .left_to_rustc()
                .into());
        }
        let elem = match &args[0] {
            GenericArgument::Type(ty) => self.elem(ty)?,
            other => {
                return Err(Error::new(
                    other,
                    "the element type of a tensor is `f32`, `f64` or a type parameter bound by `Real`",
                )
                .into());
            }
        };
        let dims = args[1..].iter().map(|arg| self.size(arg)).collect::<Result<_, Error>>()?;
        Ok(Surface::Tensor(elem, dims))
    }

    fn tensor_of_array(&self, path: &syn::Path) -> Result<Surface, Unresolved> {
        let args = generic_args(path);
        let [GenericArgument::Type(array)] = &args[..] else {
            return Err(Error::new(path, "`Tensor` takes a nested array")
                .help("for example `Tensor<[[f32; 3]; 4]>`, or its alias `Tensor2<f32, 4, 3>`")
                .into());
        };
        let mut dims = Vec::new();
        let mut surface = self.resolve(array)?;
        loop {
            match surface {
                Surface::Array(inner, dim) => {
                    dims.push(dim);
                    surface = *inner;
                }
                Surface::Scalar(elem) if !dims.is_empty() => return Ok(Surface::Tensor(elem, dims)),
                _ => return Err(Error::new(path, "`Tensor` takes a nested array of numbers").into()),
            }
        }
    }

    fn elem(&self, ty: &Type) -> Result<Elem, Unresolved> {
        match self.resolve(ty)? {
            Surface::Scalar(elem) => Ok(elem),
            _ => {
                Err(Error::new(ty, "the element type of a tensor is `f32`, `f64` or a type parameter bound by `Real`")
                    .into())
            }
        }
    }

    fn size(&self, arg: &GenericArgument) -> Result<Dim, Error> {
        match arg {
            GenericArgument::Const(expr) => Ok(self.dim(expr)),
            // A lone name parses as a type.
            GenericArgument::Type(Type::Path(path)) => {
                let expr =
                    Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: path.qself.clone(), path: path.path.clone() });
                Ok(self.dim(&expr))
            }
            _ => Err(Error::new(arg, "a size is a number, a constant or a const parameter")),
        }
    }

    /// A struct that derives `Differentiable`.
    fn user_type(&self, path: &syn::Path) -> Result<Surface, Unresolved> {
        let Some(info) = self.knowledge.find_struct(path) else {
            if self.knowledge.is_unknown(path) {
                let error = super::matrix::sized_at_run_time(path);
                return Err(error.unwrap_or_else(|| crate::relay::type_without_relay(path)).into());
            }
            return Err(Unresolved::Ask(path.clone()));
        };
        let mut args = generic_args(path);
        let missing = info.generics.iter().skip(args.len()).map(|generic| syn::parse2(generic.default.clone()?).ok());
        args.extend(missing.collect::<Option<Vec<GenericArgument>>>().unwrap_or_default());
        // What a nested struct exports has been exported again by the one around it.
        let this =
            self.substitution.map_or_else(|| crate::relay::owner(path, &info.generics), |outer| outer.this.clone());
        let mut substitution = Substitution { this, ..Substitution::default() };
        let mut resolved = Vec::new();
        for (generic, arg) in info.generics.iter().zip(&args) {
            if generic.kind == GenericKind::Size {
                let size = self.size(arg)?;
                substitution.dims.insert(generic.name.clone(), size.clone());
                resolved.push(StructArg::Size(size));
            } else if let (GenericArgument::Type(ty), true) = (arg, super::marker::is_marker(&generic.name, &info)) {
                let known = self.substitution.and_then(|outer| outer.markers.get(&spelled(ty)));
                let ty = known.unwrap_or(ty).clone();
                substitution.markers.insert(generic.name.clone(), ty.clone());
                resolved.push(StructArg::Marker(ty));
            } else if let GenericArgument::Type(ty) = arg {
                let elem = self.elem(ty)?;
                substitution.elems.insert(generic.name.clone(), elem.clone());
                resolved.push(StructArg::Elem(elem));
            }
        }
        if info.generics.len() != args.len() {
            let message =
                format!("`{}` has {} generic parameters, {} are given", spelled(path), info.generics.len(), args.len());
            return Err(Error::new(path, message).help("write all of them that have no default").into());
        }
        let inner = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(&substitution) };
        let mut fields = Vec::new();
        if !info.variants.is_empty() {
            let member = syn::parse_quote!(kind);
            fields.push(Field { member, ty: Surface::Scalar(Elem::usize()), active: false, held: Held::Directly });
        }
        for field in &info.fields {
            let contents = contents(&field.ty).filter(|_| field.active);
            let ty = if field.active {
                inner.resolve(contents.unwrap_or(&field.ty))?
            } else {
                inner.resolve(&field.ty).unwrap_or_else(|_| Surface::Other(field.ty.clone()))
            };
            let held = if contents.is_some() { Held::Boxed } else { Held::Directly };
            fields.push(Field { member: field.member.clone(), ty, active: field.active, held });
        }
        let mut start = 1;
        let variants = info.variants.iter().map(|variant| {
            let fields = start..start + variant.count;
            start = fields.end;
            Variant { name: variant.name.clone(), fields }
        });
        let variants = variants.collect();
        let path = match self.substitution {
            // The names that its arguments have where it is written mean nothing here.
            Some(_) if !resolved.is_empty() => {
                let bare = crate::relay::without_arguments(path);
                let args = resolved.iter().map(|arg| match arg {
                    StructArg::Elem(elem) => crate::parse::tokens::elem_tokens(elem),
                    StructArg::Size(size) => crate::parse::tokens::dim_argument(size),
                    StructArg::Marker(ty) => quote::quote!(#ty),
                });
                syn::parse_quote!(#bare<#(#args),*>)
            }
            _ => path.clone(),
        };
        let alias = info.home.as_ref().and_then(|home| home.alias.clone()).filter(|_| self.substitution.is_some());
        let name = alias.map_or(StructName::Path, StructName::Imported);
        let mut ty = StructType {
            info,
            path,
            name,
            args: resolved,
            fields,
            variants,
            is_option: false,
            errors: None,
            geometry: None,
        };
        let plain = Rc::new(ty.clone());
        let first = ty.first_field();
        for (k, (field, info)) in ty.fields[first..].iter_mut().zip(&plain.info.fields).enumerate() {
            if info.projected {
                if let Some(inner) = inner_struct(&mut field.ty) {
                    Rc::make_mut(inner).name = StructName::Field(plain.clone(), k);
                }
            }
        }
        Ok(Surface::Struct(Rc::new(ty)))
    }
}

/// The struct that a field is, or is an array of.
fn inner_struct(surface: &mut Surface) -> Option<&mut Rc<StructType>> {
    match surface {
        Surface::Struct(ty) => Some(ty),
        Surface::Array(inner, _) => inner_struct(inner),
        _ => None,
    }
}
