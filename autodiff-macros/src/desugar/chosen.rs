//! A mutable borrow of one place or another, or several of them.
//!
//! What `r` is a borrow of is chosen once; what is done through it, is done to the one or to the other. The indices in
//! the places are those of the choice.
//!
//! ```text
//! let r = if c { &mut a } else { &mut v[i] };     let index; let place = if c { 0 } else { index = i; 1 };
//! *r *= x;                                        if place == 0 { let r = &mut a; *r *= x; }
//!                                                 else { let r = &mut v[index]; *r *= x; }
//! ```

use super::build::{At, bare};
use super::effects::{Effects, root};
use super::exit::{branch_of, first_span};
use super::jumps;
use super::names::{self, Names};
use crate::diag::{Error, Errors};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Block, Expr, Local, Pat, Stmt, Token, UnOp};

pub fn function(body: &mut Block, effects: &Effects, names: &mut Names, errors: &mut Errors) {
    Chosen { effects, names, errors }.visit_block_mut(body);
}

struct Chosen<'c> {
    effects: &'c Effects<'c>,
    names: &'c mut Names,
    errors: &'c mut Errors,
}

/// The places that borrows may be of.
#[derive(Default)]
struct Choice {
    /// How many borrows there are.
    count: usize,
    /// For each way to choose, the places in the order of the names.
    places: Vec<Vec<Expr>>,
    /// Variables for the indices in them.
    indices: Vec<Ident>,
    /// Names that are known to a branch only.
    bound: Vec<Ident>,
}

impl Chosen<'_> {
    fn list(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut rest = stmts.into_iter();
        while let Some(stmt) = rest.next() {
            let Some((names, value)) = self.choice(&stmt) else {
                out.push(stmt);
                continue;
            };
            let (mut choice, mut which) = (Choice { count: names.len(), ..Choice::default() }, value);
            if self.leaves(&mut which, &mut choice).is_none() {
                out.push(stmt);
                continue;
            }
            let at = At(names[0].span());
            let place = self.names.fresh("place", at.0);
            out.extend(choice.indices.iter().map(|index| at.bind(at.name(index, false), None)));
            out.push(at.define(&place, false, which));
            let mut own: HashSet<String> = names.iter().map(ToString::to_string).collect();
            let mut through = Vec::new();
            for stmt in rest {
                // From here on a name may mean something else.
                let hidden = match &stmt {
                    Stmt::Local(local) => names::bound(&local.pat),
                    _ => Vec::new(),
                };
                through.push(self.through(stmt, &names, &own, &place, &choice.places));
                own.retain(|name| !hidden.iter().any(|hidden| hidden == name));
            }
            out.extend(self.list(through));
            return out;
        }
        out
    }

    /// `let r = if …` of mutable borrows, or of tuples of them.
    fn choice(&self, stmt: &Stmt) -> Option<(Vec<Ident>, Expr)> {
        let Stmt::Local(Local { pat, init: Some(init), .. }) = stmt else { return None };
        let value = bare((*init.expr).clone());
        let chooses = matches!(value, Expr::If(_) | Expr::Match(_) | Expr::Block(_)) && self.effects.hands_on(&value);
        chooses.then(|| Some((borrows_in(pat)?, value)))?
    }

    /// Puts numbers where the borrows are; nothing, if there is something else.
    fn leaves(&mut self, expr: &mut Expr, choice: &mut Choice) -> Option<()> {
        let at = At(first_span(expr));
        match expr {
            Expr::Paren(inner) => self.leaves(&mut inner.expr, choice),
            Expr::Group(inner) => self.leaves(&mut inner.expr, choice),
            Expr::If(branch) => {
                self.tail(&mut branch.then_branch, choice)?;
                self.leaves(&mut branch.else_branch.as_mut()?.1, choice)
            }
            Expr::Match(arms) => {
                for arm in &mut arms.arms {
                    choice.bound.extend(names::bound(&arm.pat));
                    self.leaves(&mut arm.body, choice)?;
                }
                Some(())
            }
            Expr::Block(block) if block.label.is_none() => self.tail(&mut block.block, choice),
            other if jumps::diverges(other) => Some(()),
            other => {
                let parts: Vec<Expr> = match bare(other.clone()) {
                    Expr::Tuple(tuple) => tuple.elems.into_iter().collect(),
                    single => vec![single],
                };
                if parts.len() != choice.count {
                    return None;
                }
                let (mut stmts, mut places) = (Vec::new(), Vec::new());
                for part in parts {
                    let mut place = self.borrowed(part, at)?;
                    let root = root(&place)?;
                    if choice.bound.iter().any(|bound| bound == root) {
                        return None;
                    }
                    self.pin(&mut place, choice, &mut stmts)?;
                    places.push(place);
                }
                let which = at.count(choice.places.len());
                choice.places.push(places);
                *other = match stmts[..] {
                    [] => which,
                    _ => {
                        stmts.push(Stmt::Expr(which, None));
                        at.block(None, stmts)
                    }
                };
                Some(())
            }
        }
    }

    /// What is borrowed.
    fn borrowed(&self, expr: Expr, at: At) -> Option<Expr> {
        match bare(expr) {
            Expr::Reference(reference) if reference.mutability.is_some() => Some(*reference.expr),
            path @ Expr::Path(_) if self.effects.hands_on(&path) => Some(dereferenced(path, at)),
            _ => None,
        }
    }

    fn tail(&mut self, block: &mut Block, choice: &mut Choice) -> Option<()> {
        for stmt in &block.stmts {
            if let Stmt::Local(local) = stmt {
                choice.bound.extend(names::bound(&local.pat));
            }
        }
        if jumps::block_diverges(block) {
            return Some(());
        }
        match block.stmts.last_mut() {
            Some(Stmt::Expr(tail, None)) => self.leaves(tail, choice),
            _ => None,
        }
    }

    /// Gives the indices in a place names of their own.
    fn pin(&mut self, place: &mut Expr, choice: &mut Choice, stmts: &mut Vec<Stmt>) -> Option<()> {
        match place {
            Expr::Path(_) => Some(()),
            Expr::Field(field) => self.pin(&mut field.base, choice, stmts),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.pin(&mut unary.expr, choice, stmts),
            Expr::Reference(reference) => self.pin(&mut reference.expr, choice, stmts),
            Expr::Paren(inner) => self.pin(&mut inner.expr, choice, stmts),
            Expr::Group(inner) => self.pin(&mut inner.expr, choice, stmts),
            Expr::Index(index) => {
                self.pin(&mut index.expr, choice, stmts)?;
                let ends = match &mut *index.index {
                    Expr::Range(range) => {
                        [&mut range.start, &mut range.end].into_iter().flatten().map(|end| &mut **end).collect()
                    }
                    other => vec![other],
                };
                for end in ends.into_iter().filter(|end| !matches!(end, Expr::Lit(_))) {
                    let at = At(first_span(end));
                    let name = self.names.fresh("index", at.0);
                    let value = std::mem::replace(end, at.path(&name));
                    stmts.push(at.assign(at.path(&name), value));
                    choice.indices.push(name);
                }
                Some(())
            }
            _ => None,
        }
    }

    /// A statement in which names are borrows of one or the other of these places.
    fn through(
        &mut self,
        stmt: Stmt,
        names: &[Ident],
        own: &HashSet<String>,
        place: &Ident,
        places: &[Vec<Expr>],
    ) -> Stmt {
        let at = At(place.span());
        let mut mentioned = names::idents(&stmt);
        mentioned.retain(|name| own.contains(name));
        if !names.iter().any(|name| mentioned.contains(&name.to_string())) {
            return stmt;
        }
        let either = |last: &dyn Fn(&[Expr]) -> Vec<Stmt>| {
            let mut whole: Option<Expr> = None;
            for (k, targets) in places.iter().enumerate().rev() {
                whole = Some(match whole {
                    None => at.block(None, last(targets)),
                    Some(other) => {
                        let is_it = at.binary(at.path(place), BinOp::Eq(Token![==](at.0)), at.count(k));
                        at.choose(is_it, last(targets), Some(branch_of(other)))
                    }
                });
            }
            whole.unwrap_or_else(|| at.unit())
        };
        let with_names = |targets: &[Expr], last: Stmt| {
            let pairs = names.iter().zip(targets).filter(|(name, _)| mentioned.contains(&name.to_string()));
            let borrows = pairs.map(|(name, target)| at.define(name, false, at.refer(true, target.clone())));
            borrows.chain([last]).collect()
        };
        match stmt {
            Stmt::Local(Local { init: Some(mut init), attrs, let_token, pat, semi_token }) => {
                let value = (*init.expr).clone();
                let hides = |closure: &syn::ExprClosure| {
                    let own: Vec<Ident> = closure.inputs.iter().flat_map(names::bound).collect();
                    names.iter().all(|name| own.contains(name))
                };
                if matches!(&value, Expr::Closure(closure) if hides(closure)) {
                    return Stmt::Local(Local { init: Some(init), attrs, let_token, pat, semi_token });
                }
                if let Expr::Closure(closure) = &value {
                    let error = Error::at(
                        closure.or1_token.span,
                        "a closure over one of several borrows cannot be differentiated yet",
                    );
                    self.errors.push(error.help("give it the borrow as a parameter: `|r: &mut f64| …`").plain_rust());
                    *init.expr = super::Desugar::reported();
                    return Stmt::Local(Local { init: Some(init), attrs, let_token, pat, semi_token });
                }
                // What is borrowed once more is a choice, too.
                let again = self.effects.hands_on(&value);
                *init.expr = either(&|targets| match again {
                    true => {
                        let mut value = value.clone();
                        Instead { names, own, targets, at }.visit_expr_mut(&mut value);
                        vec![Stmt::Expr(value, None)]
                    }
                    false => with_names(targets, Stmt::Expr(value.clone(), None)),
                });
                Stmt::Local(Local { init: Some(init), attrs, let_token, pat, semi_token })
            }
            Stmt::Expr(expr, semi) => {
                Stmt::Expr(either(&|targets| with_names(targets, Stmt::Expr(expr.clone(), semi))), None)
            }
            other => other,
        }
    }
}

/// The names in a pattern that is one of them or a tuple.
fn borrows_in(pat: &Pat) -> Option<Vec<Ident>> {
    match pat {
        Pat::Ident(name) => Some(vec![name.ident.clone()]),
        Pat::Type(typed) => borrows_in(&typed.pat),
        Pat::Tuple(tuple) => {
            let names: Option<Vec<Ident>> = tuple
                .elems
                .iter()
                .map(|pat| match pat {
                    Pat::Ident(name) => Some(name.ident.clone()),
                    _ => None,
                })
                .collect();
            names.filter(|names| !names.is_empty())
        }
        _ => None,
    }
}

fn dereferenced(expr: Expr, at: At) -> Expr {
    Expr::Unary(syn::ExprUnary { attrs: Vec::new(), op: UnOp::Deref(Token![*](at.0)), expr: Box::new(expr) })
}

/// Writes borrows instead of the names that they have.
struct Instead<'i> {
    names: &'i [Ident],
    own: &'i HashSet<String>,
    targets: &'i [Expr],
    at: At,
}

impl VisitMut for Instead<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let known = match expr {
            Expr::Path(path) => {
                self.names.iter().position(|name| path.path.is_ident(name) && self.own.contains(&name.to_string()))
            }
            _ => None,
        };
        match known {
            Some(k) => *expr = self.at.refer(true, self.targets[k].clone()),
            None => syn::visit_mut::visit_expr_mut(self, expr),
        }
    }
}

impl VisitMut for Chosen<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        syn::visit_mut::visit_block_mut(self, block);
        block.stmts = self.list(std::mem::take(&mut block.stmts));
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
