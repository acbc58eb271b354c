//! Parameters of a type that is only known by a trait of the user's: `p: &P` with `P: Potential`, `p: &impl Potential`,
//! `p: &dyn Potential`.
//!
//! Note [Objects]. Which derivatives `p.energy(r)` has, no bound says: the type has them. So a function of such parameters is expanded
//! where it is called, like one that takes closures (Note [Higher-order functions]): there the type is known. The bound says
//! one thing more, namely that the method is the trait's. So the calls in the body are marked, `#[of_trait(Potential)] p.energy(r)`, and
//! the relay of the method says which trait it is of.

use super::build::bare;
use super::names;
use crate::tokens::mentions;
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, FnArg, GenericParam, ItemFn, Pat, Token, Type, TypeParam, TypeParamBound, WherePredicate};

const NAME: &str = "of_trait";

/// Traits that say nothing of methods with a derivative; a type parameter with the last of them is a number or a function.
const NOT_OF_USERS: &str = "Add AddAssign Any AsMut AsRef Borrow Clone Copy Debug Default Deref DerefMut Display Div DivAssign \
    DoubleEndedIterator Eq Error ExactSizeIterator Extend Fn FnMut FnOnce From FromIterator Hash Index IndexMut Into \
    IntoIterator Iterator Mul MulAssign Neg Not Ord PartialEq PartialOrd Product Rem RemAssign Send Sized Sub SubAssign Sum \
    Sync ToOwned ToString TryFrom TryInto Unpin Write";
const OF_OTHER_PARAMETERS: &str = "Callable Differentiable DifferentiableFn Float Fn FnMut FnOnce Num Real";

/// The type parameters of a function that are objects, with their traits.
pub(super) struct Objects(BTreeMap<String, Vec<String>>);

impl Objects {
    pub(super) fn of(item: &ItemFn) -> Objects {
        let generics = &item.sig.generics;
        Objects(
            generics
                .type_params()
                .filter_map(|param| Some((param.ident.to_string(), traits_of(&bounds_of(param, generics))?)))
                .collect(),
        )
    }

    pub(super) fn is_type(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether the types are named where no value is.
    pub(super) fn are_named(&self, item: &ItemFn) -> bool {
        let (body, result) = (item.block.to_token_stream(), item.sig.output.to_token_stream());
        self.0.keys().any(|name| mentions(&body, name) || mentions(&result, name))
    }

    /// Whether a parameter is an object, or several, and a derivative by it is wanted.
    pub(super) fn is_one(&self, input: &FnArg) -> bool {
        !self.traits(input).is_empty()
    }

    fn traits(&self, input: &FnArg) -> Vec<String> {
        let FnArg::Typed(input) = input else { return Vec::new() };
        if input.attrs.iter().any(|attr| attr.path().is_ident("no_diff")) {
            return Vec::new();
        }
        let mut found = InType { objects: self, traits: Vec::new() };
        found.visit_type(&input.ty);
        found.traits
    }

    /// The function with `_` for the types of its objects.
    pub(super) fn untyped(&self, item: &ItemFn) -> ItemFn {
        let mut item = item.clone();
        let given: Vec<bool> = item.sig.inputs.iter().map(|input| self.is_one(input)).collect();
        for (input, is_one) in item.sig.inputs.iter_mut().zip(given) {
            if let (FnArg::Typed(input), true) = (input, is_one) {
                *input.ty = match &*input.ty {
                    Type::Reference(reference) if reference.mutability.is_some() => syn::parse_quote!(&mut _),
                    _ => syn::parse_quote!(_),
                };
            }
        }
        let generics = &mut item.sig.generics;
        let is_other = |param: &GenericParam| !matches!(param, GenericParam::Type(param) if self.is_type(&param.ident.to_string()));
        generics.params = std::mem::take(&mut generics.params).into_iter().filter(is_other).collect();
        if let Some(clause) = &mut generics.where_clause {
            let is_other =
                |predicate: &WherePredicate| !self.0.keys().any(|name| mentions(&predicate.to_token_stream(), name));
            clause.predicates = std::mem::take(&mut clause.predicates).into_iter().filter(is_other).collect();
        }
        item
    }

    /// Writes on the calls of methods of objects which traits they are of.
    pub(super) fn mark(&self, item: &mut ItemFn) {
        let (mut names, mut traits) = (HashSet::new(), Vec::new());
        for input in &item.sig.inputs {
            let found = self.traits(input);
            if let (FnArg::Typed(typed), false) = (input, found.is_empty()) {
                names.extend(names_of(&typed.pat));
                traits.extend(found);
            }
        }
        if names.is_empty() {
            return;
        }
        let traits: Vec<Ident> = traits.iter().map(|name| Ident::new(name, proc_macro2::Span::call_site())).collect();
        // What is bound to an object, or to one of several, is one too; also what stands before its definition.
        loop {
            let mut more = Aliases { names: &names, found: HashSet::new() };
            more.visit_block(&item.block);
            let found = more.found;
            if found.is_subset(&names) {
                break;
            }
            names.extend(found);
        }
        Mark { names: &names, traits: &traits }.visit_block_mut(&mut item.block);
    }
}

/// The traits that a marked call or a function may be of.
pub fn traits_of_method(attrs: &[Attribute]) -> Option<Vec<String>> {
    let attr = attrs.iter().find(|attr| attr.path().is_ident(NAME))?;
    let syn::Meta::List(list) = &attr.meta else { return None };
    let names = list.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated).ok()?;
    Some(names.iter().map(ToString::to_string).collect())
}

fn bounds_of(param: &TypeParam, generics: &syn::Generics) -> Vec<TypeParamBound> {
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let required = predicates.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) => {
            let is_it = matches!(&predicate.bounded_ty, Type::Path(path) if path.path.is_ident(&param.ident));
            is_it.then(|| predicate.bounds.iter().cloned())
        }
        _ => None,
    });
    param.bounds.iter().cloned().chain(required.flatten()).collect()
}

/// The names of the user's traits among bounds, if there are any, and it is no number or function.
fn traits_of<'b>(bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Option<Vec<String>> {
    let traits = bounds.into_iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    });
    let is_in = |list: &str, name: &String| list.split_whitespace().any(|known| known == name);
    let traits: Vec<String> = traits.collect();
    if traits.iter().any(|name| is_in(OF_OTHER_PARAMETERS, name)) {
        return None;
    }
    let traits: Vec<String> = traits.into_iter().filter(|name| !is_in(NOT_OF_USERS, name)).collect();
    (!traits.is_empty()).then_some(traits)
}

fn names_of(pat: &Pat) -> impl Iterator<Item = String> {
    names::bound(pat).into_iter().map(|name| name.to_string())
}

/// The traits of the objects in a type.
struct InType<'o> {
    objects: &'o Objects,
    traits: Vec<String>,
}

impl<'a> Visit<'a> for InType<'_> {
    fn visit_type_path(&mut self, path: &'a syn::TypePath) {
        if let Some(name) = path.path.get_ident() {
            self.traits.extend(self.objects.0.get(&name.to_string()).into_iter().flatten().cloned());
        }
        syn::visit::visit_type_path(self, path);
    }

    fn visit_type_impl_trait(&mut self, ty: &'a syn::TypeImplTrait) {
        self.traits.extend(traits_of(&ty.bounds).into_iter().flatten());
    }

    fn visit_type_trait_object(&mut self, ty: &'a syn::TypeTraitObject) {
        self.traits.extend(traits_of(&ty.bounds).into_iter().flatten());
    }
}

/// Whether an expression is an object, or goes through several, as far as its names tell.
fn is_object(expr: &Expr, names: &HashSet<String>) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| names.contains(&name.to_string())),
        Expr::Reference(reference) => is_object(&reference.expr, names),
        Expr::Unary(unary) => is_object(&unary.expr, names),
        Expr::Paren(inner) => is_object(&inner.expr, names),
        Expr::Index(index) => is_object(&index.expr, names),
        Expr::Block(block) => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(tail, None)) => is_object(tail, names),
            _ => false,
        },
        Expr::If(choice) => {
            let (then, other) = (choice.then_branch.clone(), choice.else_branch.as_ref());
            is_object(&Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: then }), names)
                || other.is_some_and(|(_, other)| is_object(other, names))
        }
        Expr::Match(choice) => choice.arms.iter().any(|arm| is_object(&arm.body, names)),
        Expr::Tuple(parts) => parts.elems.iter().any(|part| is_object(part, names)),
        Expr::Array(parts) => parts.elems.iter().any(|part| is_object(part, names)),
        Expr::MethodCall(call) => {
            HANDING_ON.split_whitespace().any(|name| call.method == name)
                && (is_object(&call.receiver, names) || call.args.iter().any(|arg| is_object(arg, names)))
        }
        _ => false,
    }
}

/// Methods that give an object of several, or the same one.
const HANDING_ON: &str = "as_ref as_mut as_slice borrow chain clone cloned copied cycle enumerate expect filter first get inspect into_iter \
    iter iter_mut last next nth rev skip skip_while step_by take take_while to_owned unwrap zip";

struct Aliases<'n> {
    names: &'n HashSet<String>,
    found: HashSet<String>,
}

impl<'a> Visit<'a> for Aliases<'_> {
    fn visit_local(&mut self, local: &'a syn::Local) {
        if local.init.as_ref().is_some_and(|init| is_object(&init.expr, self.names)) {
            self.found.extend(names_of(&local.pat));
        }
        syn::visit::visit_local(self, local);
    }

    fn visit_expr_for_loop(&mut self, repeat: &'a syn::ExprForLoop) {
        if is_object(&repeat.expr, self.names) {
            self.found.extend(names_of(&repeat.pat));
        }
        syn::visit::visit_expr_for_loop(self, repeat);
    }

    fn visit_expr_let(&mut self, fits: &'a syn::ExprLet) {
        if is_object(&fits.expr, self.names) {
            self.found.extend(names_of(&fits.pat));
        }
        syn::visit::visit_expr_let(self, fits);
    }

    fn visit_expr_match(&mut self, choice: &'a syn::ExprMatch) {
        if is_object(&choice.expr, self.names) {
            choice.arms.iter().for_each(|arm| self.found.extend(names_of(&arm.pat)));
        }
        syn::visit::visit_expr_match(self, choice);
    }

    /// `ps.iter().map(|p| p.energy(r))`
    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        if is_object(&call.receiver, self.names) {
            for arg in &call.args {
                if let Expr::Closure(closure) = bare(arg.clone()) {
                    closure.inputs.iter().for_each(|input| self.found.extend(names_of(input)));
                }
            }
        }
        syn::visit::visit_expr_method_call(self, call);
    }
}

struct Mark<'m> {
    names: &'m HashSet<String>,
    traits: &'m [Ident],
}

impl VisitMut for Mark<'_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        syn::visit_mut::visit_expr_method_call_mut(self, call);
        if is_object(&call.receiver, self.names) {
            let (name, traits) = (Ident::new(NAME, call.method.span()), self.traits);
            if let Ok(attr) = syn::parse::Parser::parse2(Attribute::parse_outer, quote!(#[#name(#(#traits),*)])) {
                call.attrs.extend(attr);
            }
        }
    }
}
