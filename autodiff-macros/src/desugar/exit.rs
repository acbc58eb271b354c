//! `return`, `break`, `continue`, labels and `loop`, rewritten into `if`, `while` and variables.
//!
//! ```text
//! if c { return a; } rest             if c { a } else { rest }
//!
//! while c {                           let mut done = false;
//!     first;                          while !done && c {
//!     if d { break; }                     first;
//!     rest                                if d { done = true; } else { rest }
//! }                                   }
//! ```
//!
//! Note [Jumps without flags]. A jump goes to the end of a region: a function, a loop's body, a labelled block. If
//! nothing follows it in its region, there is nothing to skip. So what follows a statement moves into the one branch
//! of it that does not jump, where there is just one; no name that this branch defines may occur in what moves.
//! Otherwise the jump sets a flag, and what follows is guarded by it.
//!
//! The value of a region is its last expression as long as every jump to it can be made without a flag. From the
//! first statement on for which that is not so, it is in a variable.

mod next;
mod repeat;

use super::build::{At, bare};
use super::jumps::{self, Jump};
use super::names::{self, Names};
use next::{Next, Use, declared, definitions, split_tail};
pub use next::{branch_of, first_span};
use proc_macro2::Ident;
use std::collections::{BTreeSet, VecDeque};
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Local, Stmt, Type};

/// A function's body without jumps.
pub fn function(body: &mut Block, result: Option<Type>, names: &mut Names) {
    let mut exits = Exits { names, regions: Vec::new() };
    exits.function(body, result);
}

struct Exits<'n> {
    names: &'n mut Names,
    /// What can be jumped to the end of, from the outside in.
    regions: Vec<Region>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Function,
    Block,
    Loop,
}

struct Region {
    kind: Kind,
    label: Option<String>,
    /// Where the value that a jump brings goes to.
    value: Option<Ident>,
    ty: Option<Type>,
    /// Set by `return` and `break`.
    left: Option<Ident>,
    /// Set by `continue`.
    skipped: Option<Ident>,
}

impl Region {
    fn new(kind: Kind, label: Option<String>) -> Region {
        Region { kind, label, value: None, ty: None, left: None, skipped: None }
    }
}

/// What becomes of a value.
#[derive(Clone)]
enum Dest {
    /// It is that of the block.
    Value,
    Var(Ident),
    Nothing,
}

/// A jump, resolved: the region it goes to, and whether it is a `continue`.
type Way = (usize, bool);

impl Exits<'_> {
    fn function(&mut self, body: &mut Block, result: Option<Type>) {
        let outer = std::mem::take(&mut self.regions);
        self.regions.push(Region { ty: result, ..Region::new(Kind::Function, None) });
        body.stmts = self.list(std::mem::take(&mut body.stmts), &Dest::Value, Some(0));
        self.regions = outer;
    }

    fn resolve(&self, jump: &Jump) -> Option<Way> {
        let labelled = |label: &String| self.regions.iter().rposition(|region| region.label.as_ref() == Some(label));
        let innermost = |kind: Kind| self.regions.iter().rposition(|region| region.kind == kind);
        match jump {
            Jump::Return => innermost(Kind::Function).map(|region| (region, false)),
            Jump::Break(Some(label)) => labelled(label).map(|region| (region, false)),
            Jump::Break(None) => innermost(Kind::Loop).map(|region| (region, false)),
            Jump::Continue(Some(label)) => labelled(label).map(|region| (region, true)),
            Jump::Continue(None) => innermost(Kind::Loop).map(|region| (region, true)),
        }
    }

    /// Jumps to nowhere are left to rustc.
    fn ways(&self, jumps: &BTreeSet<Jump>) -> BTreeSet<Way> {
        jumps.iter().filter_map(|jump| self.resolve(jump)).collect()
    }

    fn flag(&mut self, (region, skips): Way, at: At) -> Ident {
        let region = &mut self.regions[region];
        let (slot, hint) = match (skips, region.kind) {
            (true, _) => (&mut region.skipped, "skipped"),
            (false, Kind::Function) => (&mut region.left, "returned"),
            (false, Kind::Block) => (&mut region.left, "left"),
            (false, Kind::Loop) => (&mut region.left, "done"),
        };
        slot.get_or_insert_with(|| self.names.fresh(hint, at.0)).clone()
    }

    /// `!done && !returned`, if there is any.
    fn none_of(&mut self, ways: &BTreeSet<Way>, at: At) -> Option<Expr> {
        let flags: Vec<Ident> = ways.iter().map(|way| self.flag(*way, at)).collect();
        flags.iter().map(|flag| at.not(at.path(flag))).reduce(|all, one| at.and(all, one))
    }

    fn clear(out: &mut Vec<Stmt>, flag: Option<Ident>, at: At) {
        out.extend(flag.map(|flag| at.define(&flag, true, at.truth(false))));
    }

    // --- lists of statements ----------------------------------------------------------------------------

    /// Statements without jumps in them. `tail` is the region that ends where they end.
    fn list(&mut self, stmts: Vec<Stmt>, dest: &Dest, tail: Option<usize>) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut rest: VecDeque<Stmt> = stmts.into();
        while let Some(stmt) = rest.pop_front() {
            let ways = self.ways(&jumps::of_stmt(&stmt));
            if ways.is_empty() {
                self.plain(stmt, rest.is_empty(), dest, &mut out);
                continue;
            }
            let (expr, used) = match stmt {
                Stmt::Expr(expr, None) if rest.is_empty() => (expr, Use::Tail),
                Stmt::Expr(expr, _) => (expr, Use::Statement),
                Stmt::Local(mut local) => match local.init.take() {
                    Some(init) if init.diverge.is_none() => (*init.expr, Use::Bind(Box::new(local))),
                    init => {
                        out.push(Stmt::Local(Local { init, ..local }));
                        continue;
                    }
                },
                other => {
                    out.push(other);
                    continue;
                }
            };
            let at = At(first_span(&expr));
            match bare(expr) {
                Expr::Return(mut jump) => {
                    if let Some(before) = self.value_with_jumps(jump.expr.as_deref_mut()) {
                        rest.push_front(at.statement(Expr::Return(jump)));
                        rest.push_front(before);
                        continue;
                    }
                    let value = jump.expr.take().map(|value| *value);
                    out.extend(self.jump(&Jump::Return, value, dest, tail, at));
                    return out;
                }
                Expr::Break(mut jump) => {
                    if let Some(before) = self.value_with_jumps(jump.expr.as_deref_mut()) {
                        rest.push_front(at.statement(Expr::Break(jump)));
                        rest.push_front(before);
                        continue;
                    }
                    let value = jump.expr.take().map(|value| *value);
                    let label = jump.label.as_ref().map(|label| label.ident.to_string());
                    out.extend(self.jump(&Jump::Break(label), value, dest, tail, at));
                    return out;
                }
                Expr::Continue(jump) => {
                    let label = jump.label.as_ref().map(|label| label.ident.to_string());
                    out.extend(self.jump(&Jump::Continue(label), None, dest, tail, at));
                    return out;
                }
                expr => {
                    let next = Next { used, rest: std::mem::take(&mut rest), dest, tail, ways, at };
                    match self.step(expr, next, &mut out) {
                        Some(more) => rest = more,
                        None => return out,
                    }
                }
            }
        }
        out
    }

    /// The value of a jump that has jumps in it is computed before.
    fn value_with_jumps(&mut self, value: Option<&mut Expr>) -> Option<Stmt> {
        let value = value.filter(|value| !jumps::of_expr(value).is_empty())?;
        let at = At(first_span(value));
        let name = self.names.fresh("value", at.0);
        Some(at.define(&name, false, std::mem::replace(value, at.path(&name))))
    }

    /// A statement that no jump leaves.
    fn plain(&mut self, stmt: Stmt, last: bool, dest: &Dest, out: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Expr(expr, semi) => {
                let is_value = last && semi.is_none();
                let at = At(first_span(&expr));
                if matches!(expr, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)) {
                    let target = match dest {
                        Dest::Var(name) if is_value => Some(name.clone()),
                        Dest::Value if is_value => self.loop_value(&expr, None, at, out),
                        _ => None,
                    };
                    self.repeat(expr, target.clone(), at, out);
                    if let (Dest::Value, Some(name)) = (dest, target) {
                        out.push(Stmt::Expr(at.path(&name), None));
                    }
                    return;
                }
                let mut expr = expr;
                self.visit_expr_mut(&mut expr);
                match dest {
                    Dest::Var(name) if is_value => out.push(at.assign(at.path(name), expr)),
                    Dest::Nothing if is_value => out.push(at.statement(expr)),
                    _ => out.push(Stmt::Expr(expr, semi)),
                }
            }
            mut other => {
                self.visit_stmt_mut(&mut other);
                out.push(other);
            }
        }
    }

    /// A jump: what it brings along, and the flag that lets everything in between be skipped.
    fn jump(&mut self, jump: &Jump, value: Option<Expr>, dest: &Dest, tail: Option<usize>, at: At) -> Vec<Stmt> {
        let Some(way @ (region, skips)) = self.resolve(jump) else { return Vec::new() };
        let kind = self.regions[region].kind;
        let here = tail == Some(region);
        let value = value.map(|mut value| {
            self.visit_expr_mut(&mut value);
            value
        });
        let mut out = Vec::new();
        if here && kind != Kind::Loop && matches!(dest, Dest::Value) {
            out.extend(value.map(|value| Stmt::Expr(value, None)));
            return out;
        }
        if let Some(value) = value {
            out.push(match &self.regions[region].value {
                Some(name) => at.assign(at.path(name), value),
                None => at.statement(value),
            });
        }
        let ends_anyway = here && (skips || kind != Kind::Loop);
        if !ends_anyway {
            let flag = self.flag(way, at);
            out.push(at.assign(at.path(&flag), at.truth(true)));
        }
        out
    }

    // --- statements with jumps in them ------------------------------------------------------------------

    /// Rewrites one statement with a jump somewhere inside. What is still to be done after it, if that is not in it.
    fn step(&mut self, expr: Expr, mut next: Next, out: &mut Vec<Stmt>) -> Option<VecDeque<Stmt>> {
        let at = next.at;
        match expr {
            Expr::If(mut choice) if jumps::of_expr(&choice.cond).is_empty() => {
                self.visit_expr_mut(&mut choice.cond);
                let no = match choice.else_branch.take() {
                    Some((_, other)) => branch_of(*other),
                    None => Vec::new(),
                };
                let yes = std::mem::take(&mut choice.then_branch.stmts);
                let cond = *choice.cond;
                self.branches(vec![(BTreeSet::new(), yes), (BTreeSet::new(), no)], next, out, |mut lists| {
                    let no = lists.pop().filter(|no| !no.is_empty());
                    at.choose(cond, lists.pop().unwrap_or_default(), no)
                });
                None
            }
            Expr::Match(mut choice) if jumps::of_expr(&choice.expr).is_empty() => {
                self.visit_expr_mut(&mut choice.expr);
                for (_, guard) in choice.arms.iter_mut().filter_map(|arm| arm.guard.as_mut()) {
                    self.visit_expr_mut(guard);
                }
                let lists = choice.arms.iter_mut().map(|arm| {
                    let bound = names::bound(&arm.pat).iter().map(ToString::to_string).collect();
                    (bound, branch_of(std::mem::replace(&mut *arm.body, at.unit())))
                });
                let lists = lists.collect();
                self.branches(lists, next, out, |lists| {
                    for (arm, list) in choice.arms.iter_mut().zip(lists) {
                        *arm.body = at.block(None, list);
                        arm.comma = None;
                    }
                    Expr::Match(choice)
                });
                None
            }
            Expr::Block(block) if block.label.is_none() => {
                if matches!(next.used, Use::Tail) {
                    out.extend(self.list(block.block.stmts, next.dest, next.tail));
                    return None;
                }
                let defined = definitions(&block.block.stmts);
                if defined.is_disjoint(&next.idents()) {
                    let (mut stmts, value) = split_tail(block.block.stmts);
                    stmts.extend(next.consume(value));
                    return Some(stmts.into());
                }
                self.branches(vec![(BTreeSet::new(), block.block.stmts)], next, out, |mut lists| {
                    at.block(None, lists.pop().unwrap_or_default())
                });
                None
            }
            expr @ (Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Block(_)) => {
                if let Dest::Value = next.dest {
                    self.in_variable(expr, next, out);
                    return None;
                }
                let target = match (&next.used, next.dest) {
                    (Use::Tail, Dest::Var(name)) => Some(name.clone()),
                    (Use::Bind(local), _) => {
                        let ty = declared(local);
                        let name = self.names.fresh("value", at.0);
                        out.push(at.bind(at.typed(at.name(&name, false), ty), None));
                        Some(name)
                    }
                    _ => None,
                };
                match expr {
                    Expr::Block(block) => self.labelled(block, target.clone(), at, out),
                    expr => self.repeat(expr, target.clone(), at, out),
                }
                if let Use::Tail = next.used {
                    return None;
                }
                let rest = next.consume(target.map(|name| at.path(&name)));
                self.guarded(rest, &next, out);
                None
            }
            Expr::Binary(binary)
                if matches!(binary.op, syn::BinOp::And(_) | syn::BinOp::Or(_))
                    && jumps::of_expr(&binary.left).is_empty() =>
            {
                let is_and = matches!(binary.op, syn::BinOp::And(_));
                let right = vec![Stmt::Expr(*binary.right, None)];
                let short = vec![Stmt::Expr(at.truth(!is_and), None)];
                let (yes, no) = if is_and { (right, short) } else { (short, right) };
                let choice = at.choose(*binary.left, yes, Some(no));
                Some(next.again(choice, Vec::new()))
            }
            mut expr => match self.hoist(&mut expr) {
                Some(before) => Some(next.again(expr, before)),
                None => {
                    // Lowering says what is wrong with it.
                    let mut stmts = next.again(expr, Vec::new());
                    out.extend(stmts.pop_front());
                    Some(stmts)
                }
            },
        }
    }

    /// Branches, at least one of which jumps.
    fn branches(
        &mut self,
        lists: Vec<(BTreeSet<String>, Vec<Stmt>)>,
        mut next: Next,
        out: &mut Vec<Stmt>,
        rebuild: impl FnOnce(Vec<Vec<Stmt>>) -> Expr,
    ) {
        let at = next.at;
        let completing: Vec<usize> =
            lists.iter().enumerate().filter(|(_, (_, list))| !jumps::stmts_diverge(list)).map(|(k, _)| k).collect();
        let after = next.idents();
        let moves = match completing[..] {
            [] => true,
            [only] => {
                let (bound, list) = &lists[only];
                let mut defined = definitions(list);
                defined.extend(bound.iter().cloned());
                defined.is_disjoint(&after)
            }
            _ => false,
        };
        if matches!(next.used, Use::Tail) || moves {
            let is_tail = matches!(next.used, Use::Tail);
            let mut moved = Vec::new();
            for (k, (_, list)) in lists.into_iter().enumerate() {
                let list = if !is_tail && completing.contains(&k) {
                    let (mut stmts, value) = split_tail(list);
                    stmts.extend(next.consume(value));
                    stmts
                } else {
                    list
                };
                moved.push(self.list(list, next.dest, next.tail));
            }
            out.push(Stmt::Expr(rebuild(moved), None));
            return;
        }
        if let Dest::Value = next.dest {
            let lists = lists.into_iter().map(|(_, list)| list).collect();
            self.in_variable(rebuild(lists), next, out);
            return;
        }
        let (dest, value) = match &next.used {
            Use::Bind(local) => {
                let name = self.names.fresh("value", at.0);
                out.push(at.bind(at.typed(at.name(&name, false), declared(local)), None));
                (Dest::Var(name.clone()), Some(at.path(&name)))
            }
            _ => (Dest::Nothing, None),
        };
        let lists = lists.into_iter().map(|(_, list)| self.list(list, &dest, None)).collect();
        out.push(Stmt::Expr(rebuild(lists), None));
        let rest = next.consume(value);
        self.guarded(rest, &next, out);
    }

    /// What follows a statement that may have jumped.
    fn guarded(&mut self, rest: Vec<Stmt>, next: &Next, out: &mut Vec<Stmt>) {
        if rest.is_empty() {
            return;
        }
        let rest = self.list(rest, next.dest, next.tail);
        match self.none_of(&next.ways, next.at) {
            Some(cond) => out.push(Stmt::Expr(next.at.choose(cond, rest, None), None)),
            None => out.extend(rest),
        }
    }

    /// From here on, the value of the region is in a variable.
    fn in_variable(&mut self, expr: Expr, mut next: Next, out: &mut Vec<Stmt>) {
        let at = next.at;
        // Nothing to jump to the end of: lowering says what is wrong.
        let Some(region) = next.tail else { return out.extend(next.again(expr, Vec::new())) };
        let hint = if self.regions[region].kind == Kind::Function { "result" } else { "value" };
        let name = self.names.fresh(hint, at.0);
        let ty = self.regions[region].ty.clone();
        let left = self.regions[region].left.take();
        let value = self.regions[region].value.replace(name.clone());
        let stmts = next.again(expr, Vec::new());
        let body = self.list(stmts.into(), &Dest::Var(name.clone()), next.tail);
        out.push(at.bind(at.typed(at.name(&name, false), ty), None));
        Self::clear(out, self.regions[region].left.take(), at);
        out.extend(body);
        out.push(Stmt::Expr(at.path(&name), None));
        self.regions[region].left = left;
        self.regions[region].value = value;
    }

    /// The operands of an expression that come before a jump in it, as statements.
    fn hoist(&mut self, expr: &mut Expr) -> Option<Vec<Stmt>> {
        let mut parts = jumps::operands(expr)?;
        let last = parts.iter().rposition(|part| !jumps::of_expr(part).is_empty())?;
        let mut before = Vec::new();
        for k in 0..=last {
            let changed: BTreeSet<String> =
                parts[k + 1..=last].iter().flat_map(|later| names::changed(later)).collect();
            let part = &mut *parts[k];
            let jumps = !jumps::of_expr(part).is_empty();
            let stays = jumps::is_simple(part) && names::idents(part).iter().all(|name| !changed.contains(name));
            if stays && !jumps {
                continue;
            }
            let at = At(first_span(part));
            let name = self.names.fresh("value", at.0);
            let value = std::mem::replace(part, at.path(&name));
            before.push(at.define(&name, false, value));
        }
        Some(before)
    }
}

/// Constructs that no jump leaves, wherever they stand.
impl VisitMut for Exits<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts = self.list(std::mem::take(&mut block.stmts), &Dest::Value, None);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let at = At(first_span(expr));
        match expr {
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                let mut out = Vec::new();
                let value = self.loop_value(expr, None, at, &mut out);
                let taken = std::mem::replace(expr, at.unit());
                self.repeat(taken, value.clone(), at, &mut out);
                out.extend(value.map(|value| Stmt::Expr(at.path(&value), None)));
                *expr = match &mut out[..] {
                    [Stmt::Expr(_, None)] => match out.pop() {
                        Some(Stmt::Expr(only, _)) => only,
                        _ => at.unit(),
                    },
                    _ => at.block(None, out),
                };
            }
            Expr::Block(block) if block.label.is_some() => {
                let region = self.regions.len();
                self.regions.push(Region::new(Kind::Block, jumps::label_of(block.label.as_ref())));
                let stmts = std::mem::take(&mut block.block.stmts);
                block.block.stmts = self.list(stmts, &Dest::Value, Some(region));
                block.label = None;
                self.regions.pop();
            }
            Expr::Closure(closure) => {
                if jumps::of_expr(&closure.body).contains(&Jump::Return) {
                    let mut body = at.stmts(branch_of(std::mem::replace(&mut *closure.body, at.unit())));
                    let ty = match &closure.output {
                        syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
                        syn::ReturnType::Default => None,
                    };
                    self.function(&mut body, ty);
                    *closure.body = at.block(None, body.stmts);
                } else {
                    syn::visit_mut::visit_expr_closure_mut(self, closure);
                }
            }
            other => syn::visit_mut::visit_expr_mut(self, other),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
