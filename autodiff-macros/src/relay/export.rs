//! Types as another crate can name them: the constants in them become associated constants of the item.
//!
//! Note [Values of sizes]. `[Head; HEADS]` is an array for each leaf of a `Head`, as long as `HEADS`. In a slice there is no array of
//! such arrays, so that it is written out there, element by element, as `[Head; 2]` is. How many elements there are, the file
//! of the struct tells. That goes with the name of the associated constant, `AUTODIFF_HEADS_is_2`, through all types around the
//! struct. That it is so, is stated beside the struct.

use super::{FieldInfo, Generic, Info, Knowledge, StructInfo, owner};
use crate::ir::dim::Dim;
use crate::tokens::{INTEGERS, spelled, takes_types};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::rc::Rc;
use syn::visit_mut::VisitMut;
use syn::{Expr, GenericArgument, Path, Type};

fn names(generics: &[Generic]) -> Vec<String> {
    generics.iter().map(|generic| generic.name.clone()).collect()
}

/// Writes out what `__Self` stands for.
struct NameOwner<'n>(&'n str);

impl VisitMut for NameOwner<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr {
            if let (Some(first), Some(last)) = (path.path.segments.first(), path.path.segments.last()) {
                if first.ident == "__Self" {
                    if let Ok(named) = syn::parse_str(&format!("<{}>::{}", self.0, last.ident)) {
                        *expr = named;
                    }
                    return;
                }
            }
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }
}

/// What stands before the value in the name of a constant.
const IS: &str = "_is_";

/// Gives the values of constants.
pub type Sizes = Box<dyn Fn(&Expr) -> Option<i64>>;

/// Replaces the constants in exported types by associated constants of the item.
pub struct Exporter {
    own: Vec<String>,
    /// The expressions replaced, in order, and what is known of their values: see Note [Values of sizes].
    constants: Vec<(Expr, Option<i64>)>,
    /// What the file of a type says.
    sizes: Option<Sizes>,
}

impl Exporter {
    pub fn new(generics: &[Generic]) -> Exporter {
        Exporter { own: names(generics), constants: Vec::new(), sizes: None }
    }

    /// One for a type, in whose file the values of constants may be found.
    pub fn of_type(generics: &[Generic], sizes: Option<Sizes>) -> Exporter {
        Exporter { sizes, ..Exporter::new(generics) }
    }

    pub fn has_constants(&self) -> bool {
        !self.constants.is_empty()
    }

    pub fn export(&mut self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        self.visit_type_mut(&mut ty);
        ty
    }

    /// What is known of other structs, with their constants exported again.
    pub fn export_nested(&mut self, knowledge: &Knowledge) -> Knowledge {
        self.nested(knowledge, None)
    }

    fn nested(&mut self, knowledge: &Knowledge, this: Option<&str>) -> Knowledge {
        let mut exported = Knowledge::default();
        for (key, info) in &knowledge.0 {
            let (Info::Struct(info), Ok(path)) = (info, syn::parse_str::<Path>(key)) else { continue };
            let this = this.map_or_else(|| owner(&path, &info.generics), str::to_owned);
            let nested = self.nested(&info.nested, Some(&this));
            let around = std::mem::replace(&mut self.own, names(&info.generics));
            let fields = info.fields.iter().map(|field| {
                let mut ty = field.ty.clone();
                NameOwner(&this).visit_type_mut(&mut ty);
                FieldInfo { ty: self.export(&ty), ..field.clone() }
            });
            let (generics, variants) = (info.generics.clone(), info.variants.clone());
            let (home, failed) = (info.home.clone(), info.failed);
            let info = StructInfo { generics, fields: fields.collect(), variants, nested, home, failed };
            self.own = around;
            exported.insert(key.clone(), Info::Struct(Rc::new(info)));
        }
        exported
    }

    /// After the constant, for messages.
    fn name(&self, k: usize) -> Ident {
        let own = |(expr, value): &(Expr, Option<i64>)| match expr {
            Expr::Path(path) => {
                let name = path.path.segments.last()?.ident.to_string();
                let name = name.trim_start_matches("r#").trim_start_matches("AUTODIFF_");
                // A name of the user's may not say a value.
                let name = if value.is_some() { without_value(name).to_owned() } else { name.replace(IS, "_IS_") };
                Some((name, *value))
            }
            _ => None,
        };
        let (name, value) = own(&self.constants[k]).unwrap_or_else(|| (format!("SIZE_{k}"), None));
        let taken = self.constants[..k].iter().filter_map(own).any(|other| other == (name.clone(), value));
        let name = if taken { format!("AUTODIFF_{name}_{k}") } else { format!("AUTODIFF_{name}") };
        match value {
            Some(value) => format_ident!("{name}{IS}{value}"),
            None => format_ident!("{name}"),
        }
    }

    /// States the values that have been read, beside the item.
    pub fn claims(&self) -> TokenStream {
        let read = self.constants.iter().filter_map(|(expr, value)| Some((expr, (*value)?)));
        let claims = read.map(|(expr, value)| {
            let value = proc_macro2::Literal::i64_unsuffixed(value);
            quote!(
                const _: () = ::core::assert!(#expr == #value, "the value of a constant is not what the file says");
            )
        });
        quote!(#(#claims)*)
    }

    /// `pub const AUTODIFF_IN: usize = IN;` …
    pub fn definitions(&self) -> TokenStream {
        let constants = self.constants.iter().enumerate().map(|(k, (expr, _))| {
            let name = self.name(k);
            quote!(#[doc(hidden)] pub const #name: usize = #expr;)
        });
        quote!(#(#constants)*)
    }

    /// `has_parts` says whether it is the length of an array of what are no numbers.
    fn constant(&mut self, expr: &Expr, has_parts: bool) -> Option<Expr> {
        let dim = crate::tokens::dim(expr);
        let foreign = dim.atoms().any(|atom| !self.own.contains(&atom.to_string()));
        if !foreign {
            return None;
        }
        let value = self.value(expr).filter(|_| has_parts);
        let known = self.constants.iter().position(|(other, of)| spelled(other) == spelled(expr) && *of == value);
        let k = known.unwrap_or_else(|| {
            self.constants.push((expr.clone(), value));
            self.constants.len() - 1
        });
        let name = self.name(k);
        Some(syn::parse_quote!(__Self::#name))
    }
}

impl Exporter {
    /// The value of a constant of this file, or of one that says it.
    fn value(&self, expr: &Expr) -> Option<i64> {
        let Expr::Path(path) = expr else { return None };
        let name = path.path.segments.last()?.ident.to_string();
        let read = || self.sizes.as_ref().and_then(|sizes| sizes(expr));
        let told = || name.strip_prefix("AUTODIFF_").and_then(value_of);
        let value = if path.qself.is_some() { told() } else { read() }?;
        Dim::literal(value).written_out().is_some().then_some(value)
    }
}

/// The size that a dimension is, if it is a constant whose name says its value.
pub fn known_size(dim: &Dim) -> Option<Dim> {
    let (_, name) = dim.as_atom()?.rsplit_once("AUTODIFF_")?;
    value_of(name).map(Dim::literal)
}

fn value_of(name: &str) -> Option<i64> {
    name.rsplit_once(IS)?.1.parse().ok()
}

fn without_value(name: &str) -> &str {
    name.rsplit_once(IS).map_or(name, |(name, _)| name)
}

/// Whether a type is a number or an array of numbers, as far as it shows.
fn is_of_numbers(ty: &Type, own: &[String]) -> bool {
    match ty {
        Type::Array(array) => is_of_numbers(&array.elem, own),
        Type::Path(path) => path.path.get_ident().is_some_and(|name| {
            let name = name.to_string();
            matches!(&name[..], "f32" | "f64" | "bool") || INTEGERS.contains(&&name[..]) || own.contains(&name)
        }),
        _ => false,
    }
}

impl VisitMut for Exporter {
    fn visit_type_array_mut(&mut self, array: &mut syn::TypeArray) {
        let has_parts = !is_of_numbers(&array.elem, &self.own);
        if let Some(constant) = self.constant(&array.len, has_parts) {
            array.len = constant;
        }
        self.visit_type_mut(&mut array.elem);
    }

    fn visit_path_segment_mut(&mut self, segment: &mut syn::PathSegment) {
        let tensor = segment.ident.to_string().starts_with("Tensor");
        let of_types = takes_types(&segment.ident);
        let syn::PathArguments::AngleBracketed(args) = &mut segment.arguments else { return };
        for (k, arg) in args.args.iter_mut().enumerate() {
            let expr: Option<Expr> = match &*arg {
                GenericArgument::Const(expr) => Some(expr.clone()),
                GenericArgument::Type(Type::Path(path)) => {
                    let last = path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
                    // A lone name parses as a type; constants are written in capitals.
                    let constant = !of_types
                        && last.len() > 1
                        && last.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit());
                    ((tensor && k > 0) || constant).then(|| {
                        Expr::Path(syn::ExprPath {
                            attrs: Vec::new(),
                            qself: path.qself.clone(),
                            path: path.path.clone(),
                        })
                    })
                }
                _ => None,
            };
            match (expr, &mut *arg) {
                (Some(expr), arg) => {
                    if let Some(constant) = self.constant(&expr, false) {
                        *arg = GenericArgument::Const(constant);
                    }
                }
                (None, GenericArgument::Type(ty)) => self.visit_type_mut(ty),
                (None, _) => {}
            }
        }
    }
}
