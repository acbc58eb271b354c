//! Types as another crate can name them: the constants in them become associated constants of the item.

use super::{FieldInfo, Generic, Info, Knowledge, StructInfo, owner};
use crate::tokens::spelled;
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

/// Replaces the constants in exported types by associated constants of the item.
pub struct Exporter {
    own: Vec<String>,
    /// The expressions replaced, in order.
    pub constants: Vec<Expr>,
}

impl Exporter {
    pub fn new(generics: &[Generic]) -> Exporter {
        Exporter { own: names(generics), constants: Vec::new() }
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
        let own = |expr: &Expr| match expr {
            Expr::Path(path) => {
                path.path.segments.last().map(|last| last.ident.to_string().trim_start_matches("r#").to_owned())
            }
            _ => None,
        };
        let name = own(&self.constants[k]).unwrap_or_else(|| format!("SIZE_{k}"));
        let name = name.trim_start_matches("AUTODIFF_");
        let taken =
            self.constants[..k].iter().filter_map(own).any(|other| other.trim_start_matches("AUTODIFF_") == name);
        if taken { format_ident!("AUTODIFF_{name}_{k}") } else { format_ident!("AUTODIFF_{name}") }
    }

    /// `pub const AUTODIFF_IN: usize = IN;` …
    pub fn definitions(&self) -> TokenStream {
        let constants = self.constants.iter().enumerate().map(|(k, expr)| {
            let name = self.name(k);
            quote!(#[doc(hidden)] pub const #name: usize = #expr;)
        });
        quote!(#(#constants)*)
    }

    fn constant(&mut self, expr: &Expr) -> Option<Expr> {
        let dim = crate::tokens::dim(expr);
        let foreign = dim.atoms().any(|atom| !self.own.contains(&atom.to_string()));
        if !foreign {
            return None;
        }
        let known = self.constants.iter().position(|other| spelled(other) == spelled(expr));
        let k = known.unwrap_or_else(|| {
            self.constants.push(expr.clone());
            self.constants.len() - 1
        });
        let name = self.name(k);
        Some(syn::parse_quote!(__Self::#name))
    }
}

impl VisitMut for Exporter {
    fn visit_type_array_mut(&mut self, array: &mut syn::TypeArray) {
        if let Some(constant) = self.constant(&array.len) {
            array.len = constant;
        }
        self.visit_type_mut(&mut array.elem);
    }

    fn visit_path_segment_mut(&mut self, segment: &mut syn::PathSegment) {
        let tensor = segment.ident.to_string().starts_with("Tensor");
        let syn::PathArguments::AngleBracketed(args) = &mut segment.arguments else { return };
        for (k, arg) in args.args.iter_mut().enumerate() {
            let expr: Option<Expr> = match &*arg {
                GenericArgument::Const(expr) => Some(expr.clone()),
                GenericArgument::Type(Type::Path(path)) => {
                    let last = path.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
                    // A lone name parses as a type; constants are written in capitals.
                    let constant = last.len() > 1
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
                    if let Some(constant) = self.constant(&expr) {
                        *arg = GenericArgument::Const(constant);
                    }
                }
                (None, GenericArgument::Type(ty)) => self.visit_type_mut(ty),
                (None, _) => {}
            }
        }
    }
}
