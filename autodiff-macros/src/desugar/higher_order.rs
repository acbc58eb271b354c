//! Functions that take closures: they are expanded where they are called.
//!
//! Note [Higher-order functions]. The derivative of `integrate(|t| (a * t).sin(), 0.0, 1.0)` by `a` comes through a variable
//! that the closure captures, which no signature tells. So a function with a parameter like `f: impl Fn(f64) -> f64` has no
//! derivative of its own. Its relay hands on its source, and a caller has it as a closure at the head of its own body:
//!
//! ```text
//! let integrate = |f, a: f64, b: f64| -> f64 { … };
//! ```
//!
//! It is called with closures, of which the compiler knows the bodies. What the source names of its own module must mean the
//! same at the caller: where it names anything, a caller in another module is refused.

use super::generics::{self, is_number};
use super::given_iterators::{Given, Iterators};
use super::names::Names;
use super::objects::Objects;
use crate::diag::{Error, Errors};
use crate::parse::tokens::referent;
use crate::relay::{Knowledge, key};
use crate::tokens::{is_of_functions, mentions, spelled};
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::{BTreeMap, HashSet};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{
    Block, Expr, ExprCall, FnArg, GenericParam, Item, ItemFn, ParenthesizedGenericArguments, Path, PathArguments,
    Signature, Stmt, Type, TypeParamBound, WherePredicate,
};

/// Whether a function takes functions, by bounds like `Fn(f64) -> f64`, or objects, by bounds like `Potential`, and nothing else that
/// is generic but sizes and numbers. One that calls itself would have no end.
pub fn is_higher_order(item: &ItemFn) -> bool {
    let mut called = Paths(Vec::new());
    called.visit_block(&item.block);
    if called.0.iter().any(|path| path.is_ident(&item.sig.ident)) {
        return false;
    }
    let (generics, objects, iterators) = (Functions::of(item), Objects::of(item), Iterators::of(item));
    let all = item.sig.generics.params.iter().all(|param| match param {
        GenericParam::Type(param) => {
            let name = param.ident.to_string();
            generics.0.contains_key(&name)
                || objects.is_type(&name)
                || iterators.is_type(&name)
                || is_number(param, &item.sig.generics)
        }
        GenericParam::Lifetime(_) | GenericParam::Const(_) => true,
    });
    let is_given = |input: &FnArg| generics.is_one(input) || objects.is_one(input) || iterators.given(input).is_some();
    all && !objects.are_named(item) && !iterators.are_named(item) && item.sig.inputs.iter().any(is_given)
}

/// The type parameters that are functions, with what each takes and gives.
struct Functions(BTreeMap<String, ParenthesizedGenericArguments>);

impl Functions {
    /// The signatures of the parameters that are functions, as far as they mention generics.
    fn signatures(&self, item: &ItemFn, kept: &syn::Generics) -> BTreeMap<String, syn::TypeBareFn> {
        let names: Vec<String> = crate::relay::generics(kept).into_iter().map(|generic| generic.name).collect();
        let typed = item.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some((typed, self.signature(input)?)),
            FnArg::Receiver(_) => None,
        });
        let telling = typed.filter(|(_, signature)| {
            let tokens = signature.to_token_stream();
            names.iter().any(|name| mentions(&tokens, name))
        });
        let written = telling.map(|(typed, signature)| {
            let (inputs, output) = (&signature.inputs, &signature.output);
            (typed.pat.to_token_stream().to_string(), syn::parse_quote!(fn(#inputs) #output))
        });
        written.collect()
    }

    fn of(item: &ItemFn) -> Functions {
        let declared = item.sig.generics.type_params().map(|param| (param.ident.to_string(), &param.bounds));
        let predicates = item.sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let required = predicates.filter_map(|predicate| match predicate {
            WherePredicate::Type(predicate) => {
                Some((predicate.bounded_ty.to_token_stream().to_string(), &predicate.bounds))
            }
            _ => None,
        });
        let functions = declared.chain(required);
        Functions(
            functions.filter_map(|(name, bounds)| Some((name, bounds.iter().find_map(signature_of_bound)?))).collect(),
        )
    }

    /// Whether a parameter is a function, or has functions in it.
    fn is_one(&self, input: &FnArg) -> bool {
        let FnArg::Typed(typed) = input else { return false };
        let is_passive = typed.attrs.iter().any(|attr| attr.path().is_ident("no_diff"));
        self.arity(input).is_some() || !is_passive && is_of_functions(&typed.ty)
    }

    /// How many arguments a parameter takes, if it is a function.
    fn arity(&self, input: &FnArg) -> Option<usize> {
        Some(self.signature(input)?.inputs.len())
    }

    fn signature(&self, input: &FnArg) -> Option<ParenthesizedGenericArguments> {
        let FnArg::Typed(input) = input else { return None };
        match referent(&input.ty) {
            Type::ImplTrait(ty) => ty.bounds.iter().find_map(signature_of_bound),
            Type::TraitObject(ty) => ty.bounds.iter().find_map(signature_of_bound),
            Type::BareFn(ty) => {
                let (inputs, output) = (ty.inputs.iter().map(|input| &input.ty), &ty.output);
                Some(syn::parse_quote!((#(#inputs),*) #output))
            }
            Type::Path(path) => self.0.get(&path.path.get_ident()?.to_string()).cloned(),
            _ => None,
        }
    }
}

fn signature_of_bound(bound: &TypeParamBound) -> Option<ParenthesizedGenericArguments> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    match &last.arguments {
        PathArguments::Parenthesized(args) if last.ident.to_string().starts_with("Fn") => Some(args.clone()),
        _ => None,
    }
}

/// Puts the higher-order functions that a body calls at its head. There they see the parameters, the generics and the items of the
/// function, which must not be what they name of their module.
pub fn take_in(function: &ItemFn, body: &mut Block, knowledge: &Knowledge, names: &mut Names) -> Errors {
    knowledge.sources().for_each(|source| names.avoid(source.clone()));
    let seen = seen_at_head(function, body);
    let bound = bound_in(None, body);
    let around = seen.union(&bound).cloned().collect();
    let (called, inside, errors) = (Vec::new(), Vec::new(), Errors::default());
    let mut calls = Calls { knowledge, names, bound, around, called, inside, errors };
    calls.visit_block_mut(body);
    let mut items = Vec::new();
    // Those that they call in turn come behind them.
    let mut next = 0;
    while let Some((path, name)) = calls.called.get(next).cloned() {
        if let Some(mut item) = source(knowledge, &path) {
            if let Some(hidden) = named_elsewhere(&item).intersection(&seen).min() {
                let what = format!("`{}` names `{hidden}`, which is something else in this function", spelled(&path));
                calls.errors.push(Error::new(&path, what).help(format!("give `{hidden}` another name here")));
            }
            calls.bound = bound_in(Some(&item.sig), &item.block);
            calls.around = seen.union(&calls.bound).cloned().collect();
            calls.visit_block_mut(&mut item.block);
            items.push(Stmt::Item(Item::Fn(as_called(item, name))));
        }
        next += 1;
    }
    let errors = calls.errors;
    body.stmts.splice(0..0, items);
    errors
}

/// What has a name before the first statement.
fn seen_at_head(function: &ItemFn, body: &Block) -> HashSet<String> {
    let mut seen = Bound(HashSet::new());
    function.sig.inputs.iter().for_each(|input| seen.visit_fn_arg(input));
    for param in &function.sig.generics.params {
        seen.0.extend(match param {
            GenericParam::Type(param) => Some(param.ident.to_string()),
            GenericParam::Const(param) => Some(param.ident.to_string()),
            GenericParam::Lifetime(_) => None,
        });
    }
    for stmt in &body.stmts {
        match stmt {
            Stmt::Item(Item::Fn(item)) => drop(seen.0.insert(item.sig.ident.to_string())),
            Stmt::Item(Item::Const(item)) => drop(seen.0.insert(item.ident.to_string())),
            _ => {}
        }
    }
    seen.0
}

/// The higher-order functions that a body calls and that name anything of the module where they stand.
pub fn bound_to_their_module(body: &Block, knowledge: &Knowledge) -> Vec<Path> {
    let mut called: Vec<Path> = Vec::new();
    let mut open = vec![body.clone()];
    while let Some(block) = open.pop() {
        let mut found = Paths(Vec::new());
        found.visit_block(&block);
        for path in found.0 {
            let item = source(knowledge, &path);
            if let (Some(item), false) = (item, called.iter().any(|other| key(other) == key(&path))) {
                open.push(*item.block);
                called.push(path);
            }
        }
    }
    called.retain(|path| source(knowledge, path).is_some_and(|item| !named_elsewhere(&item).is_empty()));
    called
}

fn source(knowledge: &Knowledge, path: &Path) -> Option<ItemFn> {
    syn::parse2(knowledge.find_higher_order(path)?).ok().filter(is_higher_order)
}

/// A function that is differentiated where it is called, as one inside of a body.
pub struct TakenIn {
    pub item: ItemFn,
    /// Which parameters are iterators.
    pub given: Vec<Option<Given>>,
}

pub fn taken_in_place(source: proc_macro2::TokenStream) -> Option<TakenIn> {
    let item: ItemFn = syn::parse2(source).ok().filter(is_higher_order)?;
    let (name, iterators) = (item.sig.ident.clone(), Iterators::of(&item));
    let given = item.sig.inputs.iter().map(|input| iterators.given(input)).collect();
    Some(TakenIn { item: as_called(iterators.untyped(&item), name), given })
}

/// The names that patterns and items bind.
struct Bound(HashSet<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.insert(pat.ident.to_string());
        syn::visit::visit_pat_ident(self, pat);
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.0.insert(item.sig.ident.to_string());
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.0.insert(item.ident.to_string());
        syn::visit::visit_item_const(self, item);
    }
}

/// The names that are bound anywhere in a function.
fn bound_in(signature: Option<&Signature>, block: &Block) -> HashSet<String> {
    let mut bound = Bound(HashSet::new());
    signature.iter().flat_map(|signature| &signature.inputs).for_each(|input| bound.visit_fn_arg(input));
    bound.visit_block(block);
    bound.0
}

/// All paths of expressions.
struct Paths(Vec<Path>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.0.push(path.path.clone());
    }
}

/// What means the same in every module.
const EVERYWHERE: &[&str] = &[
    "std",
    "core",
    "alloc",
    "Some",
    "None",
    "Ok",
    "Err",
    "Vec",
    "Box",
    "Option",
    "Result",
    "String",
    "Default",
    "Iterator",
    "IntoIterator",
    "Fn",
    "FnMut",
    "FnOnce",
    "Copy",
    "Clone",
    "Send",
    "Sync",
    "bool",
    "char",
    "str",
    "f32",
    "f64",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "panic",
    "unreachable",
    "stop_gradient",
];

/// What the body of a function names of the module where that stands.
pub fn names_of_module(item: &ItemFn) -> HashSet<String> {
    let mut item = item.clone();
    item.sig.output = syn::ReturnType::Default;
    for input in &mut item.sig.inputs {
        if let FnArg::Typed(input) = input {
            input.attrs.clear();
            *input.ty = syn::parse_quote!(_);
        }
    }
    free_names(&item)
}

/// What a function names of the module where it stands, without its own generics.
fn named_elsewhere(item: &ItemFn) -> HashSet<String> {
    let mut names = free_names(item);
    for param in &item.sig.generics.params {
        match param {
            GenericParam::Type(param) => names.remove(&param.ident.to_string()),
            GenericParam::Const(param) => names.remove(&param.ident.to_string()),
            GenericParam::Lifetime(_) => false,
        };
    }
    names
}

/// What a function names of the module where it stands: constants, other functions, types, macros.
fn free_names(item: &ItemFn) -> HashSet<String> {
    struct Free {
        own: HashSet<String>,
        found: HashSet<String>,
    }
    impl Free {
        fn note(&mut self, name: String) {
            if !self.own.contains(&name) && !EVERYWHERE.contains(&&name[..]) {
                self.found.insert(name);
            }
        }
    }
    impl<'ast> Visit<'ast> for Free {
        fn visit_path(&mut self, path: &'ast Path) {
            self.note(path.segments[0].ident.to_string());
            syn::visit::visit_path(self, path);
        }

        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            self.visit_path(&mac.path);
            super::names::idents(&mac.tokens).into_iter().for_each(|name| self.note(name));
        }
    }
    let item = &Iterators::of(item).untyped(&Objects::of(item).untyped(item));
    let mut own = bound_in(Some(&item.sig), &item.block);
    own.extend(Functions::of(item).0.into_keys());
    if item.sig.generics.type_params().any(|param| is_number(param, &item.sig.generics)) {
        own.insert("Real".to_owned());
    }
    let mut free = Free { own, found: HashSet::new() };
    free.visit_signature(&item.sig);
    free.visit_block(&item.block);
    free.found
}

/// Renames the calls of higher-order functions, and makes closures of the functions that they are given.
pub(super) struct Calls<'k> {
    knowledge: &'k Knowledge,
    pub(super) names: &'k mut Names,
    /// The variables, which are no functions of the module.
    bound: HashSet<String>,
    /// What has a name in what is around, too.
    around: HashSet<String>,
    called: Vec<(Path, Ident)>,
    /// The functions that take iterators of which a call is expanded.
    pub(super) inside: Vec<String>,
    pub(super) errors: Errors,
}

impl Calls<'_> {
    /// The function that a call is of.
    pub(super) fn callee(&self, path: &Path) -> Option<ItemFn> {
        if path.get_ident().is_some_and(|name| self.bound.contains(&name.to_string())) {
            return None;
        }
        source(self.knowledge, path)
    }

    /// What a function names of its module that is something else here.
    pub(super) fn hidden(&self, item: &ItemFn) -> Option<String> {
        named_elsewhere(item).intersection(&self.around).min().cloned()
    }

    /// Goes on in the body of a function that is called.
    pub(super) fn expand(&mut self, path: &Path, called: &mut ItemFn, item: &ItemFn) {
        let own = bound_in(Some(&item.sig), &called.block);
        let around = self.around.union(&own).cloned().collect();
        let (bound, around) = (std::mem::replace(&mut self.bound, own), std::mem::replace(&mut self.around, around));
        self.inside.push(key(path));
        self.visit_block_mut(&mut called.block);
        self.inside.pop();
        (self.bound, self.around) = (bound, around);
    }
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        syn::visit_mut::visit_expr_mut(self, expr);
        if let Expr::Call(call) = expr {
            if let Some(expanded) = self.with_iterators(call) {
                *expr = expanded;
            }
        }
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        syn::visit_mut::visit_expr_call_mut(self, call);
        let Expr::Path(function) = &mut *call.func else { return };
        if function.path.get_ident().is_some_and(|name| self.bound.contains(&name.to_string())) {
            return;
        }
        let Some(item) = source(self.knowledge, &function.path) else { return };
        let functions = Functions::of(&item);
        for (arg, input) in call.args.iter_mut().zip(&item.sig.inputs) {
            if let Some(arity) = functions.arity(input) {
                as_closure(arg, arity, &self.bound, self.names);
            }
        }
        call.attrs.extend(generics::arguments(&item, &function.path));
        let iterators = Iterators::of(&item);
        // Each call of one that takes iterators is expanded by itself.
        if item.sig.inputs.iter().any(|input| iterators.given(input).is_some()) {
            return;
        }
        let known = self.called.iter().find(|(path, _)| key(path) == key(&function.path)).map(|(_, name)| name.clone());
        let name = known.unwrap_or_else(|| {
            let name = self.names.fresh(&item.sig.ident.to_string(), item.sig.ident.span());
            self.called.push((function.path.clone(), name.clone()));
            name
        });
        function.path = Path::from(Ident::new(&name.to_string(), function.path.span()));
    }
}

/// `&f` or `f64::sin`, which are called like closures, as closures. A variable that is handed over by value is one already.
fn as_closure(arg: &mut Expr, arity: usize, bound: &HashSet<String>, names: &mut Names) {
    let mut is_borrowed = false;
    while let Expr::Reference(syn::ExprReference { expr, .. }) | Expr::Paren(syn::ExprParen { expr, .. }) = arg {
        let inner = (**expr).clone();
        is_borrowed |= matches!(arg, Expr::Reference(_));
        *arg = inner;
    }
    if let Expr::Path(path) = arg {
        let is_variable = path.path.get_ident().is_some_and(|name| bound.contains(&name.to_string()));
        if is_variable && !is_borrowed {
            return;
        }
        let at = path.span();
        let inputs: Vec<Ident> = (0..arity).map(|_| names.fresh("argument", at)).collect();
        *arg = syn::parse_quote_spanned!(at=> |#(#inputs),*| #path(#(#inputs),*));
    }
}

/// The function as one inside of a body: functions among its parameters have no type, and nothing else is generic but sizes and numbers.
pub(super) fn as_called(mut item: ItemFn, name: Ident) -> ItemFn {
    let (functions, objects, kept) = (Functions::of(&item), Objects::of(&item), generics::kept(&item.sig.generics));
    let mut signatures = functions.signatures(&item, &kept);
    objects.mark(&mut item);
    item = objects.untyped(&item);
    item.attrs.clear();
    item.sig.ident = name;
    item.sig.generics = kept;
    for input in &mut item.sig.inputs {
        let is_function = functions.is_one(input);
        if let FnArg::Typed(input) = input {
            // Data without a derivative is handed on as it is.
            let is_number = matches!(&*input.ty, Type::Path(path) if path.path.get_ident().is_some_and(|name| EVERYWHERE.contains(&&name.to_string()[..])));
            let is_passive = input.attrs.iter().any(|attr| attr.path().is_ident("no_diff")) && !is_number;
            input.attrs.clear();
            // What it takes and gives may tell a size.
            let tells = signatures.remove(&input.pat.to_token_stream().to_string());
            if is_function || is_passive {
                *input.ty = tells.map_or_else(|| syn::parse_quote!(_), Type::BareFn);
            }
            WithoutLifetimes.visit_type_mut(&mut input.ty);
        }
    }
    item
}

struct WithoutLifetimes;

impl VisitMut for WithoutLifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        reference.lifetime = None;
        syn::visit_mut::visit_type_reference_mut(self, reference);
    }
}
