//! The functions, types and constants of a source.

use super::is_in;
use std::collections::HashMap;
use std::rc::Rc;
use syn::{Block, Expr, Fields, File, FnArg, ImplItem, Item, ItemFn, Signature, TraitItem, Type};

/// A function or a method.
#[derive(Debug)]
pub struct Function {
    pub signature: Signature,
    pub body: Block,
}

/// What a source defines. Methods and variants are named with their type, `S::m`.
#[derive(Clone, Default, Debug)]
pub struct Items {
    pub(super) functions: HashMap<String, Rc<Function>>,
    /// The fields of structs and variants, in order; of unnamed ones the positions.
    pub fields: HashMap<String, (Rc<str>, Vec<String>)>,
    pub(super) constants: HashMap<String, Rc<Expr>>,
    /// The variants of an enum, in order.
    pub variants: HashMap<String, Vec<String>>,
    /// The methods of a trait that have a body.
    defaults: HashMap<String, Vec<(Signature, Block)>>,
    /// Whether numbers are `f32`.
    pub single: bool,
}

fn names(fields: &Fields) -> Vec<String> {
    let kept = fields.iter().filter(|field| is_in(&field.attrs)).enumerate();
    kept.map(|(k, field)| field.ident.as_ref().map_or_else(|| k.to_string(), ToString::to_string)).collect()
}

impl Items {
    pub fn of(file: &File) -> Items {
        let mut items = Items::default();
        for item in &file.items {
            items.insert(item);
        }
        let first = items.functions.get("program").and_then(|program| program.signature.inputs.first().cloned());
        items.single = matches!(first, Some(FnArg::Typed(typed)) if typed.ty == syn::parse_quote!(f32));
        items
    }

    fn define(&mut self, name: &str, signature: &Signature, body: &Block) {
        let function = Function { signature: signature.clone(), body: body.clone() };
        self.functions.insert(name.to_owned(), Rc::new(function));
    }

    fn fields(&mut self, name: &str, fields: &Fields) {
        self.fields.insert(name.to_owned(), (name.into(), names(fields)));
    }

    pub(super) fn insert(&mut self, item: &Item) {
        match item {
            Item::Fn(ItemFn { attrs, sig, block, .. }) if is_in(attrs) => {
                self.define(&sig.ident.to_string(), sig, block);
            }
            Item::Struct(item) => self.fields(&item.ident.to_string(), &item.fields),
            Item::Enum(item) => {
                for variant in &item.variants {
                    let name = format!("{}::{}", item.ident, variant.ident);
                    self.fields(&name, &variant.fields);
                    self.variants.entry(item.ident.to_string()).or_default().push(name);
                }
            }
            Item::Const(item) => {
                self.constants.insert(item.ident.to_string(), Rc::new((*item.expr).clone()));
            }
            Item::Trait(item) => {
                let bodies = item.items.iter().filter_map(|member| match member {
                    TraitItem::Fn(method) => Some((method.sig.clone(), method.default.clone()?)),
                    _ => None,
                });
                self.defaults.insert(item.ident.to_string(), bodies.collect());
            }
            Item::Impl(item) => {
                let Type::Path(path) = &*item.self_ty else { return };
                let Some(owner) = path.path.get_ident() else { return };
                let of = item.trait_.as_ref().and_then(|(_, of, _)| of.get_ident()).map(ToString::to_string);
                for (signature, body) in of.and_then(|of| self.defaults.get(&of).cloned()).unwrap_or_default() {
                    self.define(&format!("{owner}::{}", signature.ident), &signature, &body);
                }
                for member in &item.items {
                    match member {
                        ImplItem::Fn(method) if is_in(&method.attrs) => {
                            self.define(&format!("{owner}::{}", method.sig.ident), &method.sig, &method.block);
                        }
                        ImplItem::Const(item) => {
                            self.constants.insert(format!("{owner}::{}", item.ident), Rc::new(item.expr.clone()));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}
