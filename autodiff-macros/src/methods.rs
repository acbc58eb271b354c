//! `#[differentiable] impl Robot { … }`: methods.
//!
//! A type cannot stand in an `impl` block, so that each method becomes a differentiable function beside it, which takes
//! `self` as its first parameter. The method calls it, and its derivatives are methods by suffix:
//!
//! ```text
//! impl Robot {
//!     fn energy(&self, q: &Vector) -> f64 { Robot_energy(self, q) }
//! }
//! #[differentiable(__method(…))]
//! fn Robot_energy(this: &Robot, q: &Vector) -> f64 { … }
//!     → impl Robot { fn energy_grad(&self, q: &Vector) -> … { Robot_energy::grad(self, q) } … }
//! ```
//!
//! The name is made of those of the type and of the method, so that a caller who has the type's path has the function's.
//!
//! Note [Operators]. A type may have an operator for several types on the other side, so that the name of its function says which one
//! it is: `impl Mul for Vec3` makes `Vec3_mul`, `impl Mul<f64> for Vec3` makes `Vec3_mul_number`, and `impl Mul<Vec3> for f64`
//! `Number_mul_Vec3`. All floats are numbers there: those of a struct are of one type, which may be a parameter. References are
//! left out, since an operand does not show them.
//!
//! Note [Conversions]. A type may be made from several others, and others from it: `impl From<[f64; 3]> for V` makes `V_from_array`,
//! `impl From<(f64, f64)> for V` makes `V_from_2`, and `impl From<V> for [f64; 3]` makes `V_into_array`. From a number it is `V_from`.

use crate::diag::{Error, Errors};
use crate::module::{is_candidate, is_discrete_candidate, is_marked};
use crate::parse::attr::Attr;
use crate::parse::attr::MethodOf;
use crate::parse::function::{Function, gives_place};
use crate::parse::tokens::own_arguments;
use crate::tokens::mentions;
use proc_macro2::{Group, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{BinOp, FnArg, GenericParam, ImplItem, ImplItemFn, ItemFn, ItemImpl, Meta, Pat, PathArguments, Type};

/// The function of a type's method: `Robot_energy`.
pub fn function_name(ty: &Ident, method: &Ident) -> Ident {
    let (ty, name) = (ty.to_string(), method.to_string());
    format_ident!("{}_{}", ty.trim_start_matches("r#"), name.trim_start_matches("r#"), span = method.span())
}

/// What floats are called in the names of operators.
pub const NUMBER: &str = "number";

/// The function of an operator, by the types on its sides: see Note [Operators].
pub fn operator_name(left: &str, method: &str, right: &str) -> String {
    let (left, right) = (left.trim_start_matches("r#"), right.trim_start_matches("r#"));
    if left == right {
        return format!("{left}_{method}");
    }
    // Like the names of all methods it begins with a capital.
    let (first, rest) = left.split_at(left.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}_{method}_{right}", first.to_uppercase())
}

/// The binary operators, with the methods that they call.
pub const SIGNS: &[(&str, &str)] = &[
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "div"),
    ("%", "rem"),
    ("^", "bitxor"),
    ("&", "bitand"),
    ("|", "bitor"),
    ("<<", "shl"),
    (">>", "shr"),
    ("+=", "add_assign"),
    ("-=", "sub_assign"),
    ("*=", "mul_assign"),
    ("/=", "div_assign"),
    ("%=", "rem_assign"),
];

/// The method that an operator calls.
pub fn operator_method(op: &BinOp) -> Option<&'static str> {
    let sign = op.to_token_stream().to_string().replace(' ', "");
    SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, method)| *method)
}

/// The operator that calls a method.
pub fn sign_of(method: &str) -> Option<&'static str> {
    SIGNS.iter().find(|(_, known)| *known == method).map(|(sign, _)| *sign)
}

/// The traits of binary operators, all of whose parameter is the type on the right.
const OPERATORS: &[&str] = &[
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "BitXor",
    "BitAnd",
    "BitOr",
    "Shl",
    "Shr",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
];

/// The types on both sides of a binary operator that a block implements, as they are called in names.
pub fn operator_sides(block: &ItemImpl) -> Option<(String, String)> {
    let (_, of, _) = block.trait_.as_ref()?;
    let of = of.segments.last()?;
    if !OPERATORS.iter().any(|name| of.ident == name) {
        return None;
    }
    let side = |ty: &Type| {
        let name = self_name(ty)?;
        let generic = block.generics.type_params().any(|param| param.ident == name);
        Some(if generic || name == "f32" || name == "f64" { NUMBER.to_owned() } else { name.to_string() })
    };
    let left = side(&block.self_ty)?;
    let right = match generic_types(&of.arguments).first() {
        Some(ty) => side(ty).filter(|name| name != "Self").unwrap_or_else(|| left.clone()),
        None => left.clone(),
    };
    Some((left, right))
}

/// What the function of a method is called.
pub fn relay_name(block: &ItemImpl, owner: &Ident, method: &ImplItemFn) -> Ident {
    let name = &method.sig.ident;
    if let Some((left, right)) = operator_sides(block) {
        return Ident::new(&operator_name(&left, &name.to_string(), &right), name.span());
    }
    if let Some(named) = converted(block).and_then(|from| conversion_name(block, from)) {
        return Ident::new(&named, name.span());
    }
    let of = block.trait_.as_ref().and_then(|(_, of, _)| of.segments.last());
    let function = function_name(owner, name);
    match of.filter(|of| of.ident == "Index" || of.ident == "IndexMut") {
        Some(of) => {
            let by = generic_types(&of.arguments).first().map_or_else(String::new, |ty| index_suffix(ty));
            Ident::new(&format!("{function}{by}"), name.span())
        }
        None => function,
    }
}

/// The function of `V::from`, by what is converted: see Note [Conversions].
fn conversion_name(block: &ItemImpl, from: &Type) -> Option<String> {
    let is_generic =
        |ty: &Type| self_name(ty).is_some_and(|name| block.generics.type_params().any(|it| it.ident == name));
    let suffix = |ty: &Type| if is_generic(ty) { String::new() } else { conversion_suffix(ty) };
    let owner = self_name(&block.self_ty).filter(|ty| !is_foreign(ty));
    match (owner, self_name(from)) {
        (Some(owner), _) => Some(format!("{}_from{}", owner.to_string().trim_start_matches("r#"), suffix(from))),
        (None, Some(from)) => {
            let to = Some(suffix(&block.self_ty)).filter(|to| !to.is_empty()).unwrap_or_else(|| format!("_{NUMBER}"));
            Some(format!("{}_into{to}", from.to_string().trim_start_matches("r#")))
        }
        (None, None) => None,
    }
}

/// What is converted, if a block implements `From`.
fn converted(block: &ItemImpl) -> Option<&Type> {
    let of = block.trait_.as_ref().and_then(|(_, of, _)| of.segments.last())?;
    generic_types(&of.arguments).first().copied().filter(|_| of.ident == "From")
}

fn conversion_suffix(ty: &Type) -> String {
    match ty {
        Type::Reference(reference) => conversion_suffix(&reference.elem),
        Type::Group(group) => conversion_suffix(&group.elem),
        Type::Paren(paren) => conversion_suffix(&paren.elem),
        Type::Tuple(tuple) => format!("_{}", tuple.elems.len()),
        Type::Array(_) => "_array".to_owned(),
        Type::Slice(_) => "_slice".to_owned(),
        ty => match self_name(ty) {
            Some(name) if name == "f32" || name == "f64" => String::new(),
            Some(name) if name == "Vec" => "_slice".to_owned(),
            Some(name) => format!("_{name}"),
            None => String::new(),
        },
    }
}

/// What follows the name of the function of an index, by its type: there may be several. By an integer it is nothing.
fn index_suffix(ty: &Type) -> String {
    match ty {
        Type::Tuple(tuple) => format!("_{}", tuple.elems.len()),
        Type::Array(_) => "_array".to_owned(),
        ty => match self_name(ty) {
            Some(name) if name == "usize" || name == "Self" => String::new(),
            Some(name) => format!("_{name}"),
            None => String::new(),
        },
    }
}

/// A block without its content.
fn owner_with_trait(block: &ItemImpl) -> ItemImpl {
    let mut owner = block.clone();
    (owner.items, owner.attrs) = (Vec::new(), Vec::new());
    owner
}

/// A function that gives a place, as if it returned the value itself; its parameters may be patterns.
fn owned(function: &ItemFn) -> ItemFn {
    let mut owned = function.clone();
    if !gives_place(function) {
        return owned;
    }
    if let syn::ReturnType::Type(_, ty) = &mut owned.sig.output {
        if let Type::Reference(reference) = &**ty {
            **ty = (*reference.elem).clone();
        }
    }
    for (k, input) in owned.sig.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(typed) = input {
            let name = format_ident!("parameter_{k}");
            *typed.pat = syn::parse_quote!(#name);
        }
    }
    owned
}

/// What a function takes that is differentiated where it is called.
const TAKEN: &[&str] = &["Fn", "FnMut", "FnOnce", "Iterator", "IntoIterator"];

/// Whether a function is generic over functions and iterators, and over nothing else but sizes: it is differentiated where it is called.
fn takes_functions(function: &ItemFn) -> bool {
    let generics = &function.sig.generics;
    let clause = generics.where_clause.to_token_stream();
    let is_trait = |bounds: &TokenStream| TAKEN.iter().any(|name| mentions(bounds, name));
    let is_given = |param: &syn::TypeParam| {
        let bounds = param.bounds.to_token_stream();
        let required = mentions(&clause, &param.ident.to_string());
        is_trait(&bounds) || required && is_trait(&clause)
    };
    let mut inputs = function.sig.inputs.iter();
    let is_written = |input: &FnArg| matches!(input, FnArg::Typed(typed) if matches!(&*typed.ty, Type::ImplTrait(ty) if is_trait(&ty.bounds.to_token_stream())));
    (generics.type_params().next().is_some() || inputs.any(is_written)) && generics.type_params().all(is_given)
}

/// Takes off what only we understand.
fn strip_parameters(method: &mut ImplItemFn) {
    for input in &mut method.sig.inputs {
        match input {
            FnArg::Receiver(receiver) => receiver.attrs.retain(|attr| !attr.path().is_ident("no_diff")),
            FnArg::Typed(typed) => typed.attrs.retain(|attr| !attr.path().is_ident("no_diff")),
        }
    }
}

fn generic_types(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

pub fn expand(attr: &TokenStream, mut block: ItemImpl) -> TokenStream {
    let parsed = match Attr::parse(attr.clone()) {
        Ok(parsed) => parsed,
        Err(errors) => {
            let errors = errors.render();
            return quote!(#block #errors);
        }
    };
    // `impl From<V> for [f64; 3]` is a function of `V`.
    let of_converted = || converted(&block).and_then(self_name);
    let Some(ty) = self_name(&block.self_ty).or_else(of_converted) else {
        let error = Error::new(&block.self_ty, "methods are differentiated of types that have a name")
            .help("write a function with `#[differentiable]`, and call it from the method");
        let errors = Errors::from(error).render();
        return quote!(#block #errors);
    };
    let krate = crate::parse::tokens::crate_path(&parsed);
    let explicit = block.items.iter().any(|item| matches!(item, ImplItem::Fn(method) if is_marked(&method.attrs)));
    let (mut functions, mut errors) = (TokenStream::new(), Errors::default());
    let mut owner = block.clone();
    (owner.items, owner.attrs, owner.trait_) = (Vec::new(), Vec::new(), None);
    let of_trait = block.trait_.is_some();
    let trait_name = block.trait_.as_ref().and_then(|(_, of, _)| of.segments.last());
    let trait_name = trait_name.map_or_else(String::new, |of| of.ident.to_string());
    let sides = operator_sides(&block);
    let is_conversion = converted(&block).is_some();
    let associated = Associated::of(&block);
    let mut found = false;
    let block_type = owner_with_trait(&block);
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        if explicit != is_marked(&method.attrs) {
            continue;
        }
        if let Err(error) = check_receiver(method) {
            // Without a word of ours on it, it need not be differentiated.
            if explicit {
                errors.push(error);
                take_attribute(method);
                found = true;
            }
            continue;
        }
        let named = relay_name(&block_type, &ty, method);
        let mut written = method.clone();
        associated.clone().visit_impl_item_fn_mut(&mut written);
        let (function, this) = function_of(&written, &owner, named, of_trait);
        let is_place = gives_place(&function);
        let is_one = takes_functions(&function)
            || is_candidate(&owned(&function))
            || !is_place && is_discrete_candidate(&function);
        if !explicit && !is_one {
            continue;
        }
        found = true;
        let own = take_attribute(method).map_or_else(|| attr.clone(), |own| parsed.pass_order_on(own));
        let own = rename_self(own, &this, &TokenStream::new());
        let this = method.sig.receiver().is_some().then_some(this);
        let name = method.sig.ident.clone();
        // Operators for different types have methods of one name.
        let is_alone = sides.as_ref().is_none_or(|(left, right)| left == right);
        let is_alone = is_alone && (!is_conversion || function.sig.ident == function_name(&ty, &method.sig.ident));
        let is_named = self_name(&owner.self_ty).is_some() && !matches!(&*owner.self_ty, Type::Reference(_));
        let inherent = is_alone && is_named && !is_foreign(&ty);
        let method_of = MethodOf { name, this, inherent, of_trait: trait_name.clone(), owner: owner.clone() };
        let comma = (!own.is_empty()).then(|| quote!(,));
        functions.extend(quote!(#[#krate::differentiable(#own #comma __method(#method_of))] #function));
        // What gives a place stays as it is: it is differentiated where it is called.
        match is_place {
            true => strip_parameters(method),
            false => delegate(method, &function),
        }
    }
    if !found {
        errors.push(
            Error::new(&block.self_ty, "no method here takes and returns something differentiable").help(
                "take `#[differentiable]` off, or give a method a float, an array or a tensor, and such a result",
            ),
        );
    }
    let errors = errors.render();
    quote!(#block #functions #errors)
}

/// Errors with the names that stand in the method.
pub fn in_its_words(errors: &Errors, function: &Function) -> Errors {
    let Some(method) = &function.attr.method else { return errors.clone() };
    let errors = errors.renamed(function.name(), &method.name.to_string());
    method.this.iter().fold(errors, |errors, this| errors.renamed(this, "self"))
}

pub fn self_name(ty: &Type) -> Option<Ident> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last().map(|last| last.ident.clone()),
        Type::Group(group) => self_name(&group.elem),
        Type::Paren(paren) => self_name(&paren.elem),
        Type::Reference(reference) => self_name(&reference.elem),
        _ => None,
    }
}

/// Whether a type certainly belongs to another crate, which may have its trait implemented, but has no methods of ours.
fn is_foreign(ty: &Ident) -> bool {
    let name = ty.to_string();
    name == "f32"
        || name == "f64"
        || name.strip_prefix("Tensor").is_some_and(|rank| rank.is_empty() || rank.parse::<u8>().is_ok())
}

fn check_receiver(method: &ImplItemFn) -> Result<(), Error> {
    let Some(receiver) = method.sig.receiver() else { return Ok(()) };
    let ty = if let Type::Reference(reference) = &*receiver.ty { &reference.elem } else { &receiver.ty };
    match &**ty {
        Type::Path(path) if path.path.is_ident("Self") => Ok(()),
        other => Err(Error::new(other, "this receiver cannot be differentiated").help("write `&self`").plain_rust()),
    }
}

/// The arguments of a method's own attribute, which is taken off.
fn take_attribute(method: &mut ImplItemFn) -> Option<TokenStream> {
    let at = method.attrs.iter().position(|attr| is_marked(std::slice::from_ref(attr)))?;
    Some(match method.attrs.remove(at).meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    })
}

/// The method as a function that stands beside the block, and what it calls `self`.
fn function_of(method: &ImplItemFn, owner: &ItemImpl, name: Ident, of_trait: bool) -> (ItemFn, Ident) {
    let mut this = "this".to_owned();
    while mentions(&method.to_token_stream(), &this) {
        this.push('_');
    }
    let this = Ident::new(&this, method.sig.receiver().map_or_else(Span::call_site, |it| it.self_token.span));
    let self_ty = turbofish(&owner.self_ty);
    let mut sig = method.sig.clone();
    sig.ident = name;
    for input in &mut sig.inputs {
        if let FnArg::Receiver(receiver) = input {
            let (attrs, ty) = (&receiver.attrs, &receiver.ty);
            let mutability = receiver.mutability.filter(|_| receiver.reference.is_none());
            *input = syn::parse_quote!(#(#attrs)* #mutability #this: #ty);
        }
    }
    // Lifetimes come first.
    let (own, outer) = (std::mem::take(&mut sig.generics), &owner.generics);
    let all = || outer.params.iter().chain(&own.params).cloned();
    let lifetimes = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    sig.generics.params = all().filter(lifetimes).chain(all().filter(|param| !lifetimes(param))).collect();
    let clauses = [&outer.where_clause, &own.where_clause].into_iter().flatten();
    let predicates: Vec<_> = clauses.flat_map(|clause| clause.predicates.iter().cloned()).collect();
    if !predicates.is_empty() {
        sig.generics.where_clause = Some(syn::parse_quote!(where #(#predicates),*));
    }
    let ty = self_name(&owner.self_ty).map_or_else(String::new, |ty| ty.to_string());
    let doc = format!("The method [`{ty}::{}`] as a function, with its derivatives.", method.sig.ident);
    let attrs = method.attrs.iter().filter(|attr| {
        let passed_on = ["cfg", "allow", "expect", "warn", "deny"];
        passed_on.iter().any(|name| attr.path().is_ident(name))
    });
    let (vis, block) = (&method.vis, &method.block);
    let vis = if of_trait { quote!(pub) } else { quote!(#vis) };
    let tokens = quote! {
        #[doc = #doc]
        #[allow(non_snake_case, private_interfaces)]
        #(#attrs)*
        #vis #sig #block
    };
    let mut function: ItemFn = match syn::parse2(rename_self(tokens, &this, &self_ty)) {
        Ok(function) => function,
        // It was parsed before; names do not change what it is.
        Err(_) => syn::parse_quote!(#vis #sig {}),
    };
    PlainTypes.visit_item_fn_mut(&mut function);
    (function, this)
}

/// Writes `Self::Output` as what the block says it is: outside of it there is no such name.
#[derive(Clone)]
struct Associated(Vec<(Ident, Type)>);

impl Associated {
    fn of(block: &ItemImpl) -> Associated {
        let types = block.items.iter().filter_map(|item| match item {
            ImplItem::Type(ty) => Some((ty.ident.clone(), ty.ty.clone())),
            _ => None,
        });
        Associated(types.collect())
    }

    fn find(&self, path: &syn::Path) -> Option<&Type> {
        let (first, second) = (path.segments.first()?, path.segments.get(1)?);
        let is_one = first.ident == "Self" && path.segments.len() == 2;
        self.0.iter().find(|(name, _)| is_one && second.ident == *name).map(|(_, ty)| ty)
    }
}

impl VisitMut for Associated {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let found = match &*ty {
            Type::Path(path) if path.qself.is_none() => self.find(&path.path).cloned(),
            _ => None,
        };
        match found {
            Some(found) => *ty = found,
            None => syn::visit_mut::visit_type_mut(self, ty),
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        match self.find(path).cloned() {
            Some(Type::Path(found)) if found.qself.is_none() => *path = found.path,
            _ => syn::visit_mut::visit_path_mut(self, path),
        }
    }
}

/// `Arm::<N>`, which is a type, and an expression's and a pattern's path.
fn turbofish(ty: &Type) -> TokenStream {
    let mut ty = ty.clone();
    if let Type::Path(path) = &mut ty {
        for segment in &mut path.path.segments {
            if let PathArguments::AngleBracketed(args) = &mut segment.arguments {
                args.colon2_token = Some(<syn::Token![::]>::default());
            }
        }
    }
    ty.to_token_stream()
}

/// Types are written without the `::` that only expressions need.
struct PlainTypes;

impl VisitMut for PlainTypes {
    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        for segment in &mut path.path.segments {
            if let PathArguments::AngleBracketed(args) = &mut segment.arguments {
                args.colon2_token = None;
            }
        }
        syn::visit_mut::visit_type_path_mut(self, path);
    }
}

/// Writes `self` and `Self` as what they are outside the block.
fn rename_self(tokens: TokenStream, this: &Ident, self_ty: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == "self" => {
                // In front of `::` it is a module.
                let is_module = matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint);
                let mut renamed = if is_module { ident.clone() } else { this.clone() };
                renamed.set_span(ident.span());
                out.extend([TokenTree::Ident(renamed)]);
            }
            TokenTree::Ident(ident) if ident == "Self" => {
                out.extend(self_ty.clone().into_iter().map(|mut token| {
                    token.set_span(ident.span());
                    token
                }));
            }
            TokenTree::Group(group) => {
                let mut renamed = Group::new(group.delimiter(), rename_self(group.stream(), this, self_ty));
                renamed.set_span(group.span());
                out.extend([TokenTree::Group(renamed)]);
            }
            token => out.extend([token]),
        }
    }
    out
}

/// The method calls the function.
fn delegate(method: &mut ImplItemFn, function: &ItemFn) {
    let mut args: Vec<Ident> = Vec::new();
    for (k, input) in method.sig.inputs.iter_mut().enumerate() {
        match input {
            FnArg::Receiver(receiver) => {
                receiver.attrs.retain(|attr| !attr.path().is_ident("no_diff"));
                if receiver.reference.is_none() {
                    receiver.mutability = None;
                }
                args.push(Ident::new("self", receiver.self_token.span));
            }
            FnArg::Typed(typed) => {
                typed.attrs.retain(|attr| !attr.path().is_ident("no_diff"));
                let name = match &*typed.pat {
                    Pat::Ident(pat) => pat.ident.clone(),
                    _ => format_ident!("parameter_{k}"),
                };
                *typed.pat = syn::parse_quote!(#name);
                args.push(name);
            }
        }
    }
    crate::parse::callable::name_lifetimes(&mut method.sig.generics);
    let (name, generics) = (&function.sig.ident, own_arguments(function));
    method.block = syn::parse_quote!({ #name #generics(#(#args),*) });
    method.attrs.retain(|attr| !attr.path().is_ident("expect"));
    method.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    if !method.attrs.iter().any(|attr| attr.path().is_ident("inline")) {
        method.attrs.push(syn::parse_quote!(#[inline]));
    }
}
