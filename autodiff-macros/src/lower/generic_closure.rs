//! Calls of closures with generics: see Note [Generic closures] in `desugar/generics.rs`.

use super::Lower;
use super::assign::unparen;
use super::closure::Closure;
use super::infer::Inference;
use super::value::{Lowered, Value};
use crate::desugar::{of_call, of_closure};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::parse::tokens::{dim_tokens, elem_tokens};
use crate::parse::ty::{Substitution, Surface};
use crate::relay::{Generic, GenericKind};
use crate::tokens::{mentions, placed};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprCall, ExprClosure, GenericArgument, Macro, Pat, ReturnType, Type};

impl Lower<'_> {
    /// What a call writes behind the name of a closure, and what its arguments tell before they are evaluated.
    pub(super) fn told(&mut self, closure: &ExprClosure, call: &ExprCall, inference: &mut Inference) -> Lowered<()> {
        if let Some(args) = of_call(&call.attrs) {
            self.written_generics(&syn::parse_quote!(f::#args), inference)?;
        }
        for (pat, arg) in closure.inputs.iter().zip(&call.args) {
            if let Pat::Type(typed) = pat {
                self.unify_literal(&typed.ty, arg, inference);
            }
        }
        Ok(())
    }

    /// How many elements a literal has, and what a variable is.
    fn unify_literal(&self, ty: &Type, arg: &Expr, inference: &mut Inference) {
        match (ty, unparen(arg)) {
            (Type::Reference(reference), Expr::Reference(arg)) => {
                self.unify_literal(&reference.elem, &arg.expr, inference);
            }
            (Type::Tuple(types), Expr::Tuple(args)) => {
                for (ty, arg) in types.elems.iter().zip(&args.elems) {
                    self.unify_literal(ty, arg, inference);
                }
            }
            (Type::Array(array), Expr::Array(args)) => {
                let count = i64::try_from(args.elems.len()).unwrap_or(i64::MAX);
                inference.unify(ty, &array_of(Dim::literal(count)));
                args.elems.iter().for_each(|element| self.unify_literal(&array.elem, element, inference));
            }
            (Type::Array(array), Expr::Repeat(repeat)) => {
                inference.unify(ty, &array_of(crate::parse::ty::dim(&repeat.len)));
                self.unify_literal(&array.elem, &repeat.expr, inference);
            }
            (_, Expr::Path(path)) => {
                let binding = path.path.get_ident().and_then(|name| self.lookup(&name.to_string()));
                if let Some(value) = binding.and_then(|binding| binding.value.as_ref()) {
                    inference.unify(ty, &value.surface(&self.b));
                }
            }
            _ => {}
        }
    }

    /// What the functions among the arguments take and give.
    pub(super) fn told_by_functions(
        &mut self,
        closure: &ExprClosure,
        values: &[(Value, Option<Surface>)],
        inference: &mut Inference,
    ) {
        for (pat, (value, _)) in closure.inputs.iter().zip(values) {
            let (Pat::Type(typed), Value::Closure(function)) = (pat, value) else { continue };
            let Type::BareFn(signature) = &*typed.ty else { continue };
            let inputs: Vec<&Type> = signature.inputs.iter().map(|input| &input.ty).collect();
            for (ty, declared) in inputs.iter().zip(function.declared_inputs()) {
                if let Some(Ok(surface)) = declared.map(|declared| self.resolve(&declared)) {
                    inference.unify(ty, &surface);
                }
            }
            let ReturnType::Type(_, output) = &signature.output else { continue };
            let inputs: Option<Vec<Type>> = inputs.iter().map(|ty| inference.type_here(ty)).collect();
            let surface = inputs.and_then(|inputs| self.given_by(function, &inputs));
            if let Some(surface) = surface {
                inference.unify(output, &surface);
            }
        }
    }

    /// What a function gives for arguments of some types, of which nothing else remains.
    fn given_by(&mut self, function: &Closure, inputs: &[Type]) -> Option<Surface> {
        let errors = self.errors.len();
        let surface = self.tried_out(|lower| {
            let mut names = Vec::new();
            for (k, ty) in inputs.iter().enumerate() {
                let surface = lower.resolve(ty).ok()?;
                let name = format_ident!("__autodiff_argument_{k}");
                let value = lower.nothing(&surface)?;
                lower.define(&name.to_string(), Some(value), false);
                names.push(name);
            }
            let call: ExprCall = syn::parse_quote!(f(#(#names),*));
            let value = lower.call_closure(function, &call, None).ok()?;
            Some(value.surface(&lower.b))
        });
        self.errors.truncate(errors);
        surface
    }

    /// What is found out by lowering something, of which nothing but errors remains.
    pub(super) fn tried_out<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (env, missed) = (self.env.clone(), self.missed.clone());
        let (sites, obligations) = (self.sites.len(), self.b.obligations.len());
        self.b.open_block();
        let found = self.scoped(run);
        self.b.close_block(Vec::new(), Vec::new());
        (self.env, self.missed) = (env, missed);
        self.sites.truncate(sites);
        self.b.obligations.truncate(obligations);
        found
    }

    /// The closure with what its generics are in the places of these.
    pub(super) fn instance(
        &mut self,
        closure: &ExprClosure,
        call: &ExprCall,
        mut inference: Inference,
        expected: Option<&Surface>,
    ) -> Lowered<ExprClosure> {
        if let (ReturnType::Type(_, ty), Some(expected)) = (&closure.output, expected) {
            inference.unify(ty, expected);
        }
        for generic in inference.unknown() {
            // Literals only: they are of the type that the function has.
            match self.default_elem().filter(|_| generic.kind == GenericKind::Number) {
                Some(elem) => drop(inference.known.elems.insert(generic.name.clone(), elem)),
                None => {
                    let message = format!("`{}` cannot be told from these arguments", generic.name);
                    let help = "write it behind the name of what is called, or give an argument a name and a type: `let y: [f64; 2] = …`";
                    return self.fail(Error::new(call, message).help(help));
                }
            }
        }
        let known = inference.known;
        let mut bound = Bound(Vec::new());
        bound.visit_expr_closure(closure);
        self.has_its_own(&bound, &known, call)?;
        let mut instance = closure.clone();
        instance.attrs.clear();
        Write { known: &known }.visit_expr_closure_mut(&mut instance);
        Ok(instance)
    }

    /// Writes what is known in a body.
    pub(super) fn write_in(&mut self, inference: &Inference, body: &mut syn::Block, at: &impl ToTokens) -> Lowered<()> {
        let mut bound = Bound(Vec::new());
        bound.visit_block(body);
        self.has_its_own(&bound, &inference.known, at)?;
        Write { known: &inference.known }.visit_block_mut(body);
        Ok(())
    }

    /// The names of a body must be others than those of the sizes that are written in it.
    fn has_its_own(&mut self, bound: &Bound, known: &Substitution, at: &impl ToTokens) -> Lowered<()> {
        let is_size = |name: &&String| known.dims.values().any(|dim| mentions(&dim_tokens(dim), name));
        let Some(name) = bound.0.iter().find(is_size) else { return Ok(()) };
        let message = format!("`{name}` is a size here, and a variable in what is called");
        self.fail(Error::new(at, message).help(format!("give the size `{name}` another name")))
    }
}

impl Inference<'_> {
    /// A type of the closure as it is here, if all in it is known.
    pub(super) fn type_here(&self, ty: &Type) -> Option<Type> {
        let tokens = ty.to_token_stream();
        if self.unknown().iter().any(|generic| mentions(&tokens, &generic.name)) {
            return None;
        }
        let mut ty = ty.clone();
        Write { known: &self.known }.visit_type_mut(&mut ty);
        Some(ty)
    }

    /// Whether a name is one of the generics, and it is known what it is.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.known.dims.contains_key(name) || self.known.elems.contains_key(name)
    }
}

/// The parameters of a closure.
pub(super) fn generics_of(closure: &ExprClosure) -> Vec<Generic> {
    of_closure(&closure.attrs).map_or_else(Vec::new, |generics| crate::relay::generics(&generics))
}

/// An array of so many elements of an unknown type.
fn array_of(count: Dim) -> Surface {
    Surface::Array(Box::new(Surface::Other(syn::parse_quote!(_))), count)
}

/// Writes what generics are in their places.
struct Write<'s> {
    known: &'s Substitution,
}

impl Write<'_> {
    fn size(&self, path: &syn::Path) -> Option<Expr> {
        let name = path.get_ident()?;
        let dim = self.known.dims.get(&name.to_string())?;
        let size = match dim.as_literal() {
            Some(value) => {
                let literal = proc_macro2::Literal::usize_suffixed(usize::try_from(value).ok()?);
                quote!(#literal)
            }
            None => dim_tokens(dim),
        };
        let size = if dim.is_simple() { size } else { quote!((#size)) };
        syn::parse2(placed(size, name.span())).ok()
    }

    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut before = None;
        let tree = tokens.into_iter().map(|token| {
            let is_field = before.replace(matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.'));
            match token {
                TokenTree::Ident(name) if is_field != Some(true) => match self.size(&name.clone().into()) {
                    Some(size) => size.into_token_stream(),
                    None => match self.known.elems.get(&name.to_string()) {
                        Some(elem) => placed(elem_tokens(elem), name.span()),
                        None => TokenTree::Ident(name).into(),
                    },
                },
                TokenTree::Group(group) => {
                    let mut inside = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inside.set_span(group.span());
                    TokenTree::Group(inside).into()
                }
                other => other.into(),
            }
        });
        tree.collect()
    }
}

impl VisitMut for Write<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr {
            if let Some(size) = self.size(&path.path) {
                *expr = size;
                return;
            }
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_generic_argument_mut(&mut self, arg: &mut GenericArgument) {
        if let GenericArgument::Type(Type::Path(path)) = arg {
            if let Some(size) = self.size(&path.path) {
                let is_simple = matches!(size, Expr::Lit(_) | Expr::Path(_));
                *arg = GenericArgument::Const(if is_simple { size } else { syn::parse_quote!({ #size }) });
                return;
            }
        }
        syn::visit_mut::visit_generic_argument_mut(self, arg);
    }

    /// `T`, `T::ZERO`
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        let elem = path.segments.first().and_then(|first| self.known.elems.get(&first.ident.to_string()));
        if let Some(elem) = elem.filter(|_| path.leading_colon.is_none()) {
            let span = path.segments[0].ident.span();
            if let Ok(number) = syn::parse2::<syn::Path>(placed(elem_tokens(elem), span)) {
                let rest = std::mem::take(&mut path.segments).into_iter().skip(1);
                path.segments = number.segments.into_iter().chain(rest).collect();
            }
        }
        syn::visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let texts = texts_of(&mac.tokens);
        let ends_in_comma =
            matches!(mac.tokens.clone().into_iter().last(), Some(TokenTree::Punct(last)) if last.as_char() == ',');
        let mut comma = (!ends_in_comma).then(|| quote!(,));
        mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
        // What a text names, `"{N}"`, is given beside it.
        let mut named: Vec<&String> = self.known.dims.keys().collect();
        named.retain(|name| texts.iter().any(|text| text.contains(&format!("{{{name}"))));
        named.sort();
        for name in named {
            let name = proc_macro2::Ident::new(name, mac.path.span());
            if let Some(size) = self.size(&name.clone().into()) {
                let before = comma.replace(quote!(,));
                mac.tokens.extend(quote!(#before #name = #size));
            }
        }
    }
}

/// The texts among tokens.
fn texts_of(tokens: &TokenStream) -> Vec<String> {
    let literals = tokens.clone().into_iter().filter_map(|token| match token {
        TokenTree::Literal(literal) => Some(literal.to_string()).filter(|text| text.contains('"')),
        _ => None,
    });
    literals.collect()
}

/// The names of variables that a closure binds.
struct Bound(Vec<String>);

impl<'a> Visit<'a> for Bound {
    fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
        self.0.push(pat.ident.to_string());
        syn::visit::visit_pat_ident(self, pat);
    }
}
