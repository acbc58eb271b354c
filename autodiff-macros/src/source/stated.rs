//! What an attribute is told of the functions that the body calls: see Note [Functions without an effect].

use super::Source;
use super::names::{Module, This, bound, last_name, methods_in};
use crate::module::is_marked;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, FnArg, GenericArgument, Item, Macro, PathArguments, Token, Type};

/// The attribute of a function or an `impl` block with what is known of the functions that it calls.
pub fn with_what_is_pure(attr: TokenStream, item: TokenStream, source: Option<&Source>) -> (TokenStream, TokenStream) {
    let Some(source) = source else { return (attr, item) };
    let modules = &source.modules;
    match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(function)) => {
            let name = function.sig.ident.to_string();
            let Some(module) = modules.iter().find(|module| module.functions.contains(&name)) else {
                return (attr, item);
            };
            let mut calls = Calls::of(source, module, None);
            calls.look(&function.sig, &function.block);
            (joined(attr, &calls.stated()), item)
        }
        Ok(Item::Impl(mut block)) => {
            let own: Vec<String> = methods_in(&block).map(|method| method.sig.ident.to_string()).collect();
            let key = (block.self_ty.to_token_stream().to_string(), own);
            let same = modules
                .iter()
                .flat_map(|module| module.impls.iter().filter(|other| **other == key).map(move |_| module));
            let [module] = same.collect::<Vec<_>>()[..] else { return (attr, item) };
            let mut calls = Calls::of(source, module, Some(&block.self_ty));
            methods_in(&block).for_each(|method| calls.look(&method.sig, &method.block));
            let stated = calls.stated();
            for item in &mut block.items {
                let syn::ImplItem::Fn(method) = item else { continue };
                for own in method.attrs.iter_mut().filter(|attr| is_marked(std::slice::from_ref(attr))) {
                    let args = match &own.meta {
                        syn::Meta::List(list) => list.tokens.clone(),
                        _ => TokenStream::new(),
                    };
                    let (path, args) = (own.path().clone(), joined(args, &stated));
                    own.meta = if args.is_empty() { syn::parse_quote!(#path) } else { syn::parse_quote!(#path(#args)) };
                }
            }
            (joined(attr, &stated), block.into_token_stream())
        }
        _ => (attr, item),
    }
}

fn joined(attr: TokenStream, stated: &[TokenStream]) -> TokenStream {
    match (stated.is_empty(), attr.is_empty()) {
        (true, _) => attr,
        (false, true) => quote!(__pure(#(#stated),*)),
        (false, false) => quote!(#attr, __pure(#(#stated),*)),
    }
}

/// The functions that bodies call, with what is to be said of each: a method is one by its name alone, so that one call of
/// that name of which nothing is known is enough for nothing to be said.
struct Calls<'m> {
    source: &'m Source,
    module: &'m Module,
    owner: Option<&'m Type>,
    /// The types of what has one type throughout the body that is looked at.
    types: HashMap<String, Type>,
    /// What the body gives a name to.
    bound: HashSet<String>,
    /// By name, or by `Type::name`; nothing, if it is not certain.
    found: BTreeMap<String, Option<TokenStream>>,
}

impl<'m> Calls<'m> {
    fn of(source: &'m Source, module: &'m Module, owner: Option<&'m Type>) -> Calls<'m> {
        Calls { source, module, owner, types: HashMap::new(), bound: HashSet::new(), found: BTreeMap::new() }
    }

    fn look(&mut self, sig: &syn::Signature, block: &syn::Block) {
        self.bound = bound(None, block);
        self.types.clear();
        for input in &sig.inputs {
            let (name, ty) = match input {
                FnArg::Receiver(_) => ("self".to_owned(), self.owner.cloned()),
                FnArg::Typed(typed) => match &*typed.pat {
                    syn::Pat::Ident(name) => (name.ident.to_string(), Some((*typed.ty).clone())),
                    _ => continue,
                },
            };
            self.types.extend(ty.filter(|_| !self.bound.contains(&name)).map(|ty| (name, ty)));
        }
        self.bound = bound(Some(sig), block);
        self.visit_block(block);
    }

    /// The type of a result, which is kept as text, without aliases.
    fn result(&self, text: &str) -> Option<Type> {
        Some(self.source.unaliased(syn::parse_str(text).ok()?))
    }

    fn stated(self) -> Vec<TokenStream> {
        self.found.into_values().flatten().collect()
    }

    fn note(&mut self, name: String, what: Option<TokenStream>) {
        let known = self.found.entry(name).or_insert_with(|| what.clone());
        if known.as_ref().map(ToString::to_string) != what.map(|what| what.to_string()) {
            *known = None;
        }
    }

    /// The type of an expression, as far as fields and elements of what has one go.
    fn type_of(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Path(path) => self.types.get(&path.path.get_ident()?.to_string()).cloned(),
            Expr::Paren(paren) => self.type_of(&paren.expr),
            Expr::Reference(reference) => self.type_of(&reference.expr),
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => self.type_of(expr),
            Expr::Field(field) => {
                let syn::Member::Named(member) = &field.member else { return None };
                let fields = self.module.fields.get(&last_name(&self.type_of(&field.base)?)?)?;
                syn::parse_str(fields.get(&member.to_string())?).ok()
            }
            Expr::Index(index) if !matches!(*index.index, Expr::Range(_)) => element(&self.type_of(&index.expr)?),
            _ => None,
        }
    }
}

/// The type of an element of a list.
fn element(ty: &Type) -> Option<Type> {
    match ty {
        Type::Reference(reference) => element(&reference.elem),
        Type::Slice(slice) => Some((*slice.elem).clone()),
        Type::Array(array) => Some((*array.elem).clone()),
        Type::Path(path) => match &path.path.segments.last()?.arguments {
            PathArguments::AngleBracketed(args)
                if path.path.is_ident("Vec") || path.path.segments[0].ident == "Vec" =>
            {
                match args.args.first()? {
                    GenericArgument::Type(ty) => Some(ty.clone()),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Calls<'_> {
    /// `vec![Complex::default(); n]`
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let repeated = mac.parse_body_with(Punctuated::<Expr, Token![;]>::parse_terminated);
        let listed = || mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).into_iter().flatten();
        let parts: Vec<Expr> = match repeated {
            Ok(parts) => parts.into_iter().collect(),
            Err(_) => listed().collect(),
        };
        for part in parts.iter().filter(|_| mac.path.is_ident("vec")) {
            Calls::visit_expr(self, part);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(syn::ExprPath { path, qself: None, .. }) = &*call.func {
            let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let result = match &words[..] {
                [name] if !self.bound.contains(name) => self.module.pure_functions.get(name),
                [owner, name] if !self.bound.contains(owner) => {
                    let own = self.owner.and_then(last_name).filter(|_| owner == "Self");
                    self.module
                        .pure_methods
                        .get(&(own.unwrap_or_else(|| owner.clone()), name.clone()))
                        .map(|(_, result)| result)
                }
                _ => None,
            };
            if let Some(result) = result.and_then(|result| self.result(result)) {
                let name = path.to_token_stream().to_string();
                self.note(name, Some(quote!(#path -> #result)));
            }
        }
        syn::visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let receiver = self.type_of(&call.receiver);
        let owner = receiver.as_ref().and_then(last_name);
        let known = owner.and_then(|owner| self.module.pure_methods.get(&(owner, name.clone())));
        let result = known.filter(|(this, _)| match this {
            This::None => false,
            This::Reference => true,
            // A trait may have a method of that name for references.
            This::Value => !matches!(receiver, Some(Type::Reference(_))),
        });
        let result = result.and_then(|(_, result)| self.result(result));
        let method = &call.method;
        self.note(format!(".{name}"), result.map(|result| quote!(.#method -> #result)));
        syn::visit::visit_expr_method_call(self, call);
    }
}
