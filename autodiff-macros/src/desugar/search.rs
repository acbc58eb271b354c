//! What `binary_search` gives, in two forms: whether the element was found, and the place where it is or would be.
//!
//! See Note [Searches] in `lower/search.rs`.

use super::Desugar;
use super::build::{At, bare};
use super::{jumps, names};
use syn::{Arm, Expr, ExprMethodCall, Pat, Stmt, parse_quote};

/// Whether a method searches in a sorted list.
pub fn is_search(call: &ExprMethodCall) -> bool {
    let known = ["partition_point", "binary_search", "binary_search_by", "binary_search_by_key"];
    known.iter().any(|name| call.method == name)
}

impl Desugar<'_> {
    /// A use of what a search gives.
    pub(super) fn of_search(&mut self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::MethodCall(call) => {
                let search = search(&call.receiver)?;
                let at = At(call.method.span());
                let args: Vec<&Expr> = call.args.iter().collect();
                Some(match (&call.method.to_string()[..], &args[..]) {
                    ("is_err", []) => at.not(found(&search, at)),
                    ("ok", []) => {
                        let (found, place) = (found(&search, at), place(&search, at));
                        parse_quote!(if #found { Some(#place) } else { None })
                    }
                    ("unwrap_or", [other]) if !names::has_effects(other) => {
                        let name = self.names.fresh("other", at.0);
                        let (found, place) = (found(&search, at), place(&search, at));
                        parse_quote!({ let #name = #other; if #found { #place } else { #name } })
                    }
                    ("unwrap_or_else", [Expr::Closure(closure)]) if !is_identity(closure) => {
                        let (found, place, name) = (
                            found(&search, at),
                            place(&search, at),
                            closure.inputs.first().filter(|_| closure.inputs.len() == 1)?,
                        );
                        let body = &closure.body;
                        if jumps::of_expr(body).contains(&jumps::Jump::Return) {
                            return None;
                        }
                        parse_quote!(if #found { #place } else { let #name = #place; #body })
                    }
                    ("unwrap_or_default", []) => {
                        let (found, place) = (found(&search, at), place(&search, at));
                        parse_quote!(if #found { #place } else { 0usize })
                    }
                    ("unwrap", []) => {
                        let (found, place) = (found(&search, at), place(&search, at));
                        parse_quote!(if #found { #place } else { panic!("called `Result::unwrap()` on an `Err` value") })
                    }
                    ("expect", [text]) => {
                        let (found, place) = (found(&search, at), place(&search, at));
                        parse_quote!(if #found { #place } else { panic!("{}", #text) })
                    }
                    _ => return None,
                })
            }
            Expr::Match(choice) => {
                let search = search(&choice.expr)?;
                let at = At(choice.match_token.span);
                let arms: Vec<(&str, &Pat, &Expr)> = choice.arms.iter().map(arm).collect::<Option<_>>()?;
                let bound = |pat: &Pat, body: &Expr| {
                    vec![at.bind(pat.clone(), Some(place(&search, at))), Stmt::Expr(body.clone(), None)]
                };
                match &arms[..] {
                    [("", pat, body)] => Some(at.block(None, bound(pat, body))),
                    [("Ok", a, yes), ("Err", b, no)] | [("Err", b, no), ("Ok", a, yes)] => {
                        Some(at.choose(found(&search, at), bound(a, yes), Some(bound(b, no))))
                    }
                    _ => None,
                }
            }
            Expr::If(choice) => {
                let Expr::Let(fits) = bare((*choice.cond).clone()) else { return None };
                let search = search(&fits.expr)?;
                let at = At(choice.if_token.span);
                let (name, pat) = variant(&fits.pat)?;
                let mut body = vec![at.bind(pat.clone(), Some(place(&search, at)))];
                body.extend(choice.then_branch.stmts.iter().cloned());
                let fits = match name {
                    "Ok" => found(&search, at),
                    _ => at.not(found(&search, at)),
                };
                let other = choice.else_branch.as_ref().map(|(_, other)| vec![Stmt::Expr((**other).clone(), None)]);
                Some(at.choose(fits, body, other))
            }
            _ => None,
        }
    }
}

/// A search that may be written twice.
fn search(expr: &Expr) -> Option<ExprMethodCall> {
    let Expr::MethodCall(call) = bare(expr.clone()) else { return None };
    let is_plain = |arg: &Expr| matches!(arg, Expr::Closure(_)) || jumps::is_simple(arg);
    let may = is_search(&call)
        && call.method != "partition_point"
        && jumps::is_simple(&call.receiver)
        && call.args.iter().all(is_plain)
        && !call.args.iter().any(names::has_effects);
    may.then_some(call)
}

fn found(search: &ExprMethodCall, at: At) -> Expr {
    at.method(Expr::MethodCall(search.clone()), "is_ok", Vec::new())
}

fn place(search: &ExprMethodCall, at: At) -> Expr {
    at.method(Expr::MethodCall(search.clone()), "unwrap_or_else", vec![parse_quote!(|place| place)])
}

/// `|i| i`
fn is_identity(closure: &syn::ExprClosure) -> bool {
    let [Pat::Ident(name)] = &closure.inputs.iter().collect::<Vec<_>>()[..] else { return false };
    matches!(&*closure.body, Expr::Path(path) if path.path.is_ident(&name.ident))
}

/// An arm without a guard; no name of a variant, if it is for both.
fn arm(arm: &Arm) -> Option<(&'static str, &Pat, &Expr)> {
    if arm.guard.is_some() {
        return None;
    }
    let (name, pat) = match &arm.pat {
        Pat::Or(or) => match &or.cases.iter().map(variant).collect::<Option<Vec<_>>>()?[..] {
            [(a, pat), (b, _)] if a != b => ("", *pat),
            _ => return None,
        },
        pat => variant(pat)?,
    };
    Some((name, pat, &arm.body))
}

/// `Ok(i)` and `Err(_)`
fn variant(pat: &Pat) -> Option<(&'static str, &Pat)> {
    let Pat::TupleStruct(tuple) = pat else { return None };
    let ([inner @ (Pat::Ident(_) | Pat::Wild(_))], Some(name)) =
        (&tuple.elems.iter().collect::<Vec<_>>()[..], tuple.path.get_ident())
    else {
        return None;
    };
    match &name.to_string()[..] {
        "Ok" => Some(("Ok", inner)),
        "Err" => Some(("Err", inner)),
        _ => None,
    }
}
