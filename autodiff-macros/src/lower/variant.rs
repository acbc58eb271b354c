//! Enums that derive `Differentiable`: patterns of their variants, and values of them. What they are made of says
//! Note [Enums] in [`crate::parse::ty`].

use super::Lower;
use super::call::strip_borrow;
use super::place::Place;
use super::slice::Slice;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::diag::{Error, are, counted};
use crate::ir::dim::Dim;
use crate::ir::{Elem, Opaque, Ty, Var};
use crate::layout::{Form, Kind, Layout};
use crate::op::elementwise as rows;
use crate::parse::tokens::referent;
use crate::parse::ty::{StructType, Surface, Variant, generic_args, spelled};
use crate::relay::StructInfo;
use quote::{ToTokens, quote};
use std::rc::Rc;
use syn::{Expr, Ident, Pat, Path, Type};

/// A variant that a path in an expression means.
pub(super) struct Named {
    /// The path of the enum.
    pub(super) owner: Path,
    pub(super) info: Rc<StructInfo>,
    pub(super) name: Ident,
}

impl Lower<'_> {
    // --- patterns ---------------------------------------------------------------------------------------

    /// The variant that a pattern is of.
    fn pattern_variant<'t>(&mut self, pat: &Pat, ty: &'t StructType) -> Lowered<(usize, &'t Variant)> {
        let name = match pat {
            Pat::Path(path) => path.path.segments.last().map(|last| &last.ident),
            Pat::TupleStruct(tuple) => tuple.path.segments.last().map(|last| &last.ident),
            Pat::Struct(fields) => fields.path.segments.last().map(|last| &last.ident),
            Pat::Ident(ident) => Some(&ident.ident),
            _ => None,
        };
        let Some(name) = name else {
            let what = format!("this pattern for `{}`", spelled(&ty.path));
            return self.unsupported(pat, &what, "use its variants in the pattern");
        };
        match ty.variants.iter().position(|variant| variant.name == *name) {
            Some(at) => Ok((at, &ty.variants[at])),
            None => self.fail(Error::new(name, format!("`{}` has no variant `{name}`", spelled(&ty.path)))),
        }
    }

    /// The patterns inside a variant's pattern, beside the fields that they are for.
    fn inside<'p>(
        &mut self,
        pat: &'p Pat,
        ty: &StructType,
        variant: &Variant,
        parts: &[Value],
    ) -> Lowered<Vec<(&'p Pat, Value)>> {
        if let (Some(_), "Err", Pat::TupleStruct(tuple)) = (&ty.errors, &variant.name.to_string()[..], pat) {
            if let Some(read) = tuple.elems.iter().find(|pat| super::pattern::looks_inside(pat)) {
                return self.unsupported(
                    read,
                    "reading the error of a `Result`",
                    "match `Err(_)`, or return what is read as a number",
                );
            }
        }
        let own: Vec<Value> = match (variant.name == "Err" && ty.errors.is_some(), &parts[variant.fields.clone()]) {
            (true, own) => own.iter().map(|error| Self::bound_error(ty, error.clone())).collect(),
            (false, own) => own.to_vec(),
        };
        let own = &own;
        match pat {
            Pat::TupleStruct(tuple) => {
                let pats: Vec<&Pat> = tuple.elems.iter().collect();
                let open = pats.iter().any(|pat| matches!(pat, Pat::Rest(_)));
                if !open && pats.len() != own.len() {
                    let message =
                        format!("`{}` has {}, the pattern {}", variant.name, counted(own.len(), "field"), pats.len());
                    return self.fail(Error::new(pat, message));
                }
                Ok(super::pattern::aligned(&pats, own).into_iter().map(|(pat, part)| (pat, part.clone())).collect())
            }
            Pat::Struct(fields) => {
                let mut pairs = Vec::new();
                for field in &fields.fields {
                    let at = ty.fields[variant.fields.clone()].iter().position(|own| own.member == field.member);
                    let Some(at) = at else {
                        let message = format!("`{}` has no field `{}`", variant.name, field.member.to_token_stream());
                        return self.fail(Error::new(&field.member, message));
                    };
                    pairs.push((&*field.pat, own[at].clone()));
                }
                Ok(pairs)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Whether a value is of the variant in a pattern, and its fields fit.
    pub(super) fn variant_fits(&mut self, pat: &Pat, ty: &StructType, parts: &[Value]) -> Lowered<Option<Var>> {
        let (at, variant) = self.pattern_variant(pat, ty)?;
        let mut all = match ty.variants.len() {
            1 => None,
            _ => Some(self.is_variant(parts, at)),
        };
        for (pat, part) in self.inside(pat, ty, variant, parts)? {
            let fits = self.fits_value(pat, part)?;
            all = self.all(all, fits)?;
        }
        Ok(all)
    }

    pub(super) fn is_variant(&mut self, parts: &[Value], at: usize) -> Var {
        let kind = parts[0].leaves()[0];
        let at = self.kind(at);
        self.b.map(&rows::eq, &[kind, at])
    }

    fn kind(&mut self, at: usize) -> Var {
        self.b.dim(Dim::literal(i64::try_from(at).unwrap_or(i64::MAX)))
    }

    /// The names in a variant's pattern that fits.
    pub(super) fn bind_variant(&mut self, pat: &Pat, ty: &StructType, parts: &[Value]) -> Lowered<()> {
        let (_, variant) = self.pattern_variant(pat, ty)?;
        for (pat, part) in self.inside(pat, ty, variant, parts)? {
            self.bind_fitting(pat, part)?;
        }
        Ok(())
    }

    /// The patterns inside a variant's pattern, beside the places of the fields in what is borrowed mutably.
    pub(super) fn variant_places<'p>(
        &mut self,
        pat: &'p Pat,
        ty: &StructType,
        place: &Place,
    ) -> Lowered<Vec<(Place, &'p Pat)>> {
        let (_, variant) = self.pattern_variant(pat, ty)?;
        if ty.errors.is_some() {
            return self.unsupported(pat, "a mutable borrow of a `Result`", "match the value, and assign the new one");
        }
        let fields = variant.fields.clone();
        let place = |k: usize| place.field(syn::Member::Unnamed(k.into()));
        match pat {
            Pat::TupleStruct(tuple) if tuple.elems.iter().any(|pat| matches!(pat, Pat::Rest(_))) => {
                self.unsupported(pat, "`..` in this pattern for a mutable borrow", "write `_` for each field")
            }
            Pat::TupleStruct(tuple) => Ok(fields.map(place).zip(&tuple.elems).collect()),
            Pat::Struct(named) => {
                let at = |field: &syn::FieldPat| fields.clone().find(|k| ty.fields[*k].member == field.member);
                Ok(named.fields.iter().filter_map(|field| Some((place(at(field)?), &*field.pat))).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    // --- values -----------------------------------------------------------------------------------------

    /// The variant that a path means, if it means one: `Shape::Circle`, or `Circle` where only one enum has it.
    pub(super) fn named_variant(&self, path: &Path) -> Option<Named> {
        let mut owner = path.clone();
        let name = owner.segments.pop()?.into_value().ident;
        owner.segments.pop_punct();
        if owner.segments.is_empty() {
            let with: Vec<_> = self.knowledge.with_variant(&name).collect();
            // `Shape::Circle(Circle { … })`: the inner one is a struct.
            let is_struct = |knowledge: &crate::relay::Knowledge| knowledge.find_struct(path).is_some();
            let [(key, info)] = with[..] else { return None };
            if is_struct(self.knowledge) || is_struct(&info.nested) {
                return None;
            }
            return Some(Named { owner: syn::parse_str(key).ok()?, info: info.clone(), name });
        }
        let info = self.knowledge.find_struct(&owner)?;
        info.variant(&name)?;
        Some(Named { owner, info, name })
    }

    /// The enum of a variant that is passed on, `evaluate(Shape::Circle(0.5))`, if nothing is known of it yet. It looks like a
    /// function without a derivative, but the callee says that it takes an enum of that name.
    pub(super) fn enum_of_constant(&self, arg: &Expr, param: &Type) -> Option<Path> {
        let variant = match strip_borrow(arg) {
            Expr::Call(call) => match &*call.func {
                Expr::Path(variant) => &variant.path,
                _ => return None,
            },
            Expr::Struct(literal) => &literal.path,
            _ => return None,
        };
        let Type::Path(param) = referent(param) else { return None };
        let owner = Self::enum_to_ask(variant)?;
        let same = owner.segments.last()?.ident == param.path.segments.last()?.ident;
        let is_open = self.knowledge.find_struct(&owner).is_none() && !self.knowledge.is_unknown(&owner);
        (same && is_open).then_some(owner)
    }

    /// The enum that an expression of constants looks like a value of, if nothing is known of it yet.
    pub(super) fn enum_of_constants(&self, expr: &Expr) -> Option<Path> {
        let path = match super::assign::unparen(expr) {
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => &path.path,
                _ => return None,
            },
            Expr::Struct(literal) => &literal.path,
            // `T::ZERO` and `Vec3::ZERO` are no variants.
            Expr::Path(variant) => Some(&variant.path).filter(|path| is_variant_name(path))?,
            _ => return None,
        };
        let owner = Self::enum_to_ask(path)?;
        if owner.get_ident().is_some_and(|owner| self.function.reals.iter().any(|real| owner == real)) {
            return None;
        }
        (self.knowledge.find_struct(&owner).is_none() && !self.knowledge.is_unknown(&owner)).then_some(owner)
    }

    /// The enum of a field that gets one of its variants, if nothing is known of it yet.
    pub(super) fn enum_of_field(&self, expr: &Expr, field: &Surface) -> Option<Path> {
        let Surface::Struct(ty) = field else { return None };
        let variant = match super::assign::unparen(expr) {
            Expr::Call(call) => match &*call.func {
                Expr::Path(variant) => &variant.path,
                _ => return None,
            },
            Expr::Struct(literal) => &literal.path,
            Expr::Path(variant) => &variant.path,
            _ => return None,
        };
        let owner = Self::enum_to_ask(variant).filter(|_| ty.is_enum() && !ty.is_option && !ty.is_plain())?;
        let same = owner.segments.last()?.ident == ty.path.segments.last()?.ident;
        (same && self.knowledge.find_struct(&owner).is_none() && !self.knowledge.is_unknown(&owner)).then_some(owner)
    }

    /// The enum of what looks like one of its variants, `Shape::Circle`: types and variants are written in capitals.
    pub(super) fn enum_to_ask(path: &Path) -> Option<Path> {
        let mut owner = path.clone();
        let name = owner.segments.pop()?.into_value().ident.to_string();
        owner.segments.pop_punct();
        let ty = owner.segments.last()?.ident.to_string();
        let upper = |name: &str| name.trim_start_matches("r#").starts_with(char::is_uppercase);
        (upper(&name) && upper(&ty)).then_some(owner)
    }

    /// The types that the fields of a variant have, as far as they are known before the values are.
    pub(super) fn variant_fields(
        &mut self,
        named: &Named,
        expected: Option<&Surface>,
    ) -> Lowered<Option<Rc<StructType>>> {
        if let Some(Surface::Struct(ty)) = expected {
            if ty.is_enum() && ty.info.variant(&named.name).is_some() {
                return Ok(Some(ty.clone()));
            }
        }
        if named.info.generics.is_empty() || !generic_args(&named.owner).is_empty() {
            return self.enum_type(&named.owner).map(Some);
        }
        Ok(None)
    }

    fn enum_type(&mut self, path: &Path) -> Lowered<Rc<StructType>> {
        match self.resolve(&Type::Path(syn::TypePath { qself: None, path: path.clone() }))? {
            Surface::Struct(ty) => Ok(ty),
            _ => Err(Reported),
        }
    }

    /// A variant made of its fields, in their order.
    pub(super) fn variant(
        &mut self,
        named: &Named,
        known: Option<Rc<StructType>>,
        values: Vec<(Value, &Expr)>,
        at: &impl ToTokens,
    ) -> Lowered<Value> {
        let Some((kind, fields)) = named.info.variant(&named.name) else { return Err(Reported) };
        if values.len() != fields.len() {
            let message =
                format!("`{}` has {}, {} given", named.name, counted(fields.len(), "field"), are(values.len()));
            return self.fail(Error::new(at, message));
        }
        let ty = match known {
            Some(ty) => ty,
            None => {
                let infos = &named.info.fields[fields];
                let given: Vec<&Value> = values.iter().map(|(value, _)| value).collect();
                let path = match self.inferred_generics(&named.info, infos, &given) {
                    Ok(args) => {
                        let bare = crate::relay::without_arguments(&named.owner);
                        syn::parse_quote!(#bare<#(#args),*>)
                    }
                    Err(name) => match self.only_instance(&named.info) {
                        Some(ty) => ty.path.clone(),
                        None => {
                            let message =
                                format!("`{name}` of `{}` cannot be told from these fields", spelled(&named.owner));
                            let help = format!("write it: `{}::<…>::{}`", spelled(&named.owner), named.name);
                            return self.fail(Error::new(at, message).help(help));
                        }
                    },
                };
                self.enum_type(&path)?
            }
        };
        let range = ty.variants[kind].fields.clone();
        let mut given = Vec::new();
        for ((value, expr), field) in values.into_iter().zip(&ty.fields[range.clone()]) {
            given.push(self.field_value(value, field, expr)?);
        }
        let mut given = given.into_iter();
        let mut parts = vec![Value::Leaf(self.kind(kind), Form::Plain)];
        for (k, field) in ty.fields.iter().enumerate().skip(1) {
            let part = if range.contains(&k) { given.next() } else { self.nothing(&field.ty) };
            match part {
                Some(part) => parts.push(part),
                None => {
                    let what = format!(
                        "making a `{}`, whose field `{}` has no size here,",
                        spelled(&ty.path),
                        field.member.to_token_stream()
                    );
                    return self.unsupported(at, &what, "make it outside the function");
                }
            }
        }
        Ok(Value::Parts(Kind::Struct(ty), parts))
    }

    /// The one type of an enum's that the function's signature has.
    fn only_instance(&self, info: &Rc<StructInfo>) -> Option<Rc<StructType>> {
        fn find(value: &Value, info: &Rc<StructInfo>) -> Option<Rc<StructType>> {
            match value {
                Value::Parts(Kind::Struct(ty), _) if Rc::ptr_eq(&ty.info, info) => Some(ty.clone()),
                Value::Parts(_, parts) => parts.iter().find_map(|part| find(part, info)),
                Value::Slice(slice) => find(&slice.of, info),
                _ => None,
            }
        }
        self.function.params.iter().find_map(|param| find(&self.env.first(&param.name.to_string())?, info))
    }

    /// The fields of a variant that a value is not.
    pub(super) fn nothing(&mut self, surface: &Surface) -> Option<Value> {
        Some(match surface {
            Surface::Scalar(Elem::Bool) => {
                let opaque = Opaque::pure(quote!(false));
                Value::Leaf(self.b.opaque(opaque, Vec::new(), Ty::scalar(Elem::Bool)), Form::Plain)
            }
            Surface::Scalar(elem) => Value::Leaf(self.b.constant(elem, 0.0), Form::Plain),
            Surface::Tuple(parts) => {
                Value::Parts(Kind::Tuple, parts.iter().map(|part| self.nothing(part)).collect::<Option<_>>()?)
            }
            Surface::Struct(ty) => {
                let parts = ty.fields.iter().map(|field| self.nothing(&field.ty)).collect::<Option<_>>()?;
                Value::Parts(Kind::Struct(ty.clone()), parts)
            }
            // Nothing reads it.
            Surface::Other(_) => {
                let tokens = quote!(::core::default::Default::default());
                Value::Untyped(Untyped { tokens, number: None, integer: false })
            }
            surface => match (surface.leaf(), surface) {
                (Some(ty), _) => {
                    let ty = Ty::tensor(
                        ty.elem,
                        ty.dims.into_iter().map(|dim| if dim.is_dynamic() { Dim::ragged() } else { dim }).collect(),
                    );
                    Value::Leaf(self.b.zero(ty), Form::of(surface))
                }
                (None, Surface::Array(inner, dim)) => {
                    let Some(count) = dim.written_out() else {
                        let of = self.zeros_of_each(&Layout::of(inner), Some(dim).filter(|dim| !dim.is_dynamic())?)?;
                        return Some(Value::Slice(Rc::new(Slice::all(of, dim.clone()))));
                    };
                    Value::Parts(Kind::Array, (0..count).map(|_| self.nothing(inner)).collect::<Option<_>>()?)
                }
                _ => return None,
            },
        })
    }

    /// `Shape::Circle { r }`, if it is a variant.
    pub(super) fn variant_literal(
        &mut self,
        literal: &syn::ExprStruct,
        named: &Named,
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        let Some((_, range)) = named.info.variant(&named.name) else { return Err(Reported) };
        let known = self.variant_fields(named, expected)?;
        let fields = &named.info.fields[range.clone()];
        let missing = fields.iter().find(|field| !literal.fields.iter().any(|given| given.member == field.member));
        if let Some(field) = missing {
            let message = format!("field `{}` is missing", field.member.to_token_stream());
            return self.fail(Error::new(&literal.path, message));
        }
        // They are evaluated as they are written, and kept as they are declared.
        let mut given = Vec::new();
        for field in &literal.fields {
            let at = fields.iter().position(|known| known.member == field.member);
            let ty = known.as_ref().zip(at).map(|(ty, at)| &ty.fields[range.start + at + 1].ty);
            let value = self.expr_expecting(&field.expr, ty);
            given.extend(at.map(|at| (at, value, &field.expr)));
        }
        given.sort_by_key(|(at, ..)| *at);
        let given = given.into_iter().map(|(_, value, expr)| (value, expr));
        let values = given.map(|(value, expr)| Ok((value?, expr))).collect::<Lowered<Vec<_>>>()?;
        self.variant(named, known, values, &literal.path)
    }

    /// `Shape::Square(s)`, if it is a variant.
    pub(super) fn variant_call(
        &mut self,
        call: &syn::ExprCall,
        named: &Named,
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        let known = self.variant_fields(named, expected)?;
        let first = named.info.variant(&named.name).map_or(0, |(_, range)| range.start);
        let values: Vec<Lowered<Value>> = call
            .args
            .iter()
            .enumerate()
            .map(|(k, arg)| {
                let ty = known.as_ref().and_then(|ty| ty.fields.get(first + k + 1)).map(|field| &field.ty);
                self.expr_expecting(arg, ty)
            })
            .collect();
        let values =
            values.into_iter().zip(&call.args).map(|(value, arg)| Ok((value?, arg))).collect::<Lowered<Vec<_>>>()?;
        self.variant(named, known, values, call)
    }
}

/// Whether a name is written as that of a variant, and not of a constant.
fn is_variant_name(path: &Path) -> bool {
    let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    name.len() == 1 || name.contains(char::is_lowercase)
}
