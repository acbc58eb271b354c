//! Calls of methods that take functions, objects or iterators: their bodies, see Note [Higher-order functions] in
//! `desugar/higher_order.rs`.
//!
//! Of which type a method is, only lowering knows. An iterator that it is given goes into its body with the variables that it names,
//! under names that nothing has there:
//!
//! ```text
//! m.mean(x.iter().map(|v| v * a))     fn mean(this, x_given, a_given) { let values = x_given.iter().map(|v| v * a_given); … }
//! ```

use super::Lower;
use super::assign::unparen;
use super::borrowing::PlaceFunction;
use super::call::is_mutable;
use super::value::{Lowered, Value};
use crate::desugar::{Given, Substitute, TakenIn, handed_over, has_effects, idents};
use crate::diag::{Error, are, counted};
use crate::tokens::spelled;
use proc_macro2::Ident;
use quote::{ToTokens, format_ident};
use syn::visit_mut::VisitMut;
use syn::{Expr, FnArg, Pat, Path, Type};

impl Lower<'_> {
    /// A call of a method that takes functions or objects: its body.
    pub(super) fn taken_in_place(
        &mut self,
        at: &impl ToTokens,
        (path, TakenIn { item, given }): (&Path, TakenIn),
        receiver: Option<Value>,
        args: &[&Expr],
    ) -> Lowered<Value> {
        let mut function = PlaceFunction { path: path.clone(), item, refused: None };
        if function.params().any(|(_, ty)| is_mutable(ty)) {
            let what = format!("`{}`, which takes functions and changes what it is given,", function.name());
            return self.unsupported(at, &what, "make it a function beside the `impl` block");
        }
        let own = usize::from(receiver.is_some());
        for (((_, ty), given), arg) in function.params().zip(&given).zip(args).skip(own) {
            let is_variable = |path: &syn::ExprPath| self.env.slot(&spelled(path)).is_some();
            let is_name = matches!((ty, unparen(arg)), (Type::Infer(_) | Type::BareFn(_), Expr::Path(path)) if !is_variable(path));
            if is_name && given.is_none() && !self.names_function(arg) {
                let help = "write it as a closure: `|x| …`";
                return self.unsupported(arg, "a function that is given to a method by this name", help);
            }
        }
        let args = self.without_iterators(&mut function, &given, args, at)?;
        let values = self.arguments(&function, &args.iter().collect::<Vec<_>>(), receiver, at)?;
        self.taken_in(&function, values, at, |lower, body| lower.block_value(body, None))
    }

    /// Puts the iterators among the arguments into the function.
    fn without_iterators(
        &mut self,
        function: &mut PlaceFunction,
        given: &[Option<Given>],
        args: &[&Expr],
        at: &impl ToTokens,
    ) -> Lowered<Vec<Expr>> {
        if given.iter().all(Option::is_none) {
            return Ok(args.iter().map(|arg| (*arg).clone()).collect());
        }
        if given.len() != args.len() {
            let (name, count) = (function.name(), given.len());
            let message = format!("`{name}` takes {}, {} given", counted(count, "argument"), are(args.len()));
            return self.fail(Error::new(at, message));
        }
        let (mut inputs, mut rest) = (syn::punctuated::Punctuated::new(), Vec::new());
        let (mut variables, mut lets) = (Vec::<(String, Ident)>::new(), Vec::new());
        let taken = idents(&function.item);
        let parts = std::mem::take(&mut function.item.sig.inputs).into_iter().zip(given).zip(args);
        for ((input, given), arg) in parts {
            let (Some(given), FnArg::Typed(typed)) = (given, &input) else {
                inputs.push(input);
                rest.push((*arg).clone());
                continue;
            };
            let handed_over = handed_over(*given, arg).filter(|arg| !has_effects(arg) && !is_changing(arg));
            let Some(mut iterator) = handed_over else {
                let what = "an iterator that changes something, and is handed to a method,";
                return self.unsupported(arg, what, "make it a function beside the `impl` block");
            };
            let mut names: Vec<String> = idents(&iterator).into_iter().collect();
            names.retain(|name| self.env.slot(name).is_some() && Substitute::is_free_in(name, &iterator));
            names.sort();
            for name in names {
                let known = variables.iter().find(|(known, _)| *known == name).map(|(_, own)| own.clone());
                let own = known.unwrap_or_else(|| {
                    let mut own = format_ident!("{name}_given");
                    while taken.contains(&own.to_string()) || self.env.slot(&own.to_string()).is_some() {
                        own = format_ident!("{own}_");
                    }
                    variables.push((name.clone(), own.clone()));
                    own
                });
                let with = |used: &Ident| -> Expr {
                    let own = Ident::new(&own.to_string(), used.span());
                    syn::parse_quote!(#own)
                };
                Substitute::new(&Ident::new(&name, own.span()), &with).visit_expr_mut(&mut iterator);
            }
            let pat: &Pat = &typed.pat;
            lets.push(syn::parse_quote!(let #pat = #iterator;));
        }
        for (name, own) in variables {
            inputs.push(syn::parse_quote!(#own: _));
            let name = Ident::new(&name, own.span());
            rest.push(syn::parse_quote!(#name));
        }
        function.item.sig.inputs = inputs;
        function.item.block.stmts.splice(0..0, lets);
        Ok(rest)
    }
}

/// Whether an iterator hands out places.
fn is_changing(arg: &Expr) -> bool {
    idents(arg).iter().any(|name| name.ends_with("_mut"))
}
