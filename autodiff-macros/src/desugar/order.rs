//! Effects in Rust's order of evaluation.
//!
//! Note [Order of evaluation]. After this step, an operand that changes something never stands beside another operand: it
//! is a `let` of its own before the statement, and so is every operand before it whose value it may change. What is
//! evaluated under a condition only becomes the branch of an `if`, and a `while` whose condition changes something a
//! `loop`. A name for a value means the same as the value; a place that is written to, or borrowed mutably, stays a place,
//! of which only the indices get names.
//!
//! ```text
//! a + { a *= y; a }               let value = a; let value_2 = { a *= y; a }; value + value_2
//! v[i] = { i += 1; x }            let value = { i += 1; x }; v[i] = value
//! b && { n += 1; n < 3 }          if b { let value = { n += 1; n < 3 }; value } else { false }
//! while step(&mut a) < c { … }    loop { let value = step(&mut a); if value < c { … } else { break } }
//! ```
//!
//! What changes nothing is not touched.

use super::build::{At, bare, is_assignment};
use super::effects::{Effects, Receiver, is_borrowing};
use super::exit::{branch_of, first_span};
use super::names::{self, Names};
use super::{jumps, macros};
use crate::diag::{Error, Errors};
use crate::fault::{self, Fault};
use crate::parse::ty::INTEGERS;
use std::collections::HashSet;
use syn::visit::Visit;
use syn::{BinOp, Block, Expr, Pat, Stmt};

pub fn function(body: &mut Block, effects: &mut Effects, names: &mut Names, errors: &mut Errors) {
    Order { effects, names, errors }.block(body);
}

struct Order<'o, 'k> {
    effects: &'o mut Effects<'k>,
    names: &'o mut Names,
    errors: &'o mut Errors,
}

/// How an operand is used.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Value,
    /// Written to, or borrowed mutably.
    Place,
}

type Part<'e> = (Use, &'e mut Expr);

impl Order<'_, '_> {
    fn block(&mut self, block: &mut Block) {
        block.stmts = self.list(std::mem::take(&mut block.stmts));
    }

    fn list(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for mut stmt in stmts {
            match &mut stmt {
                Stmt::Local(local) => {
                    if let Some(init) = &mut local.init {
                        self.root(&mut init.expr, &mut out);
                    }
                }
                Stmt::Expr(expr, _) => self.root(expr, &mut out),
                Stmt::Macro(call) => self.in_macro(&mut call.mac, &mut out),
                Stmt::Item(_) => {}
            }
            out.push(stmt);
        }
        out
    }

    /// An expression as statements, in a place of its own.
    fn branch(&mut self, expr: &mut Expr) {
        let mut before = Vec::new();
        self.root(expr, &mut before);
        if !before.is_empty() {
            let at = At(first_span(expr));
            before.push(Stmt::Expr(std::mem::replace(expr, at.unit()), None));
            *expr = at.block(None, before);
        }
    }

    /// Puts before a statement what its expression changes, but for what the expression itself does.
    fn root(&mut self, expr: &mut Expr, out: &mut Vec<Stmt>) {
        if !self.effects.occur_in(expr) {
            return;
        }
        let at = At(first_span(expr));
        match expr {
            Expr::Paren(inner) => self.root(&mut inner.expr, out),
            Expr::Group(inner) => self.root(&mut inner.expr, out),
            Expr::Block(block) => self.block(&mut block.block),
            Expr::Loop(repeat) => self.block(&mut repeat.body),
            Expr::Closure(closure) => self.branch(&mut closure.body),
            Expr::ForLoop(repeat) => {
                self.root(&mut repeat.expr, out);
                self.block(&mut repeat.body);
            }
            Expr::While(repeat) => {
                if self.changes(&repeat.cond) && !fault::is(Fault::ConditionsChangeNothing) {
                    *expr = self.conditional_loop(repeat.clone());
                } else {
                    self.branch(&mut repeat.cond);
                    self.block(&mut repeat.body);
                }
            }
            Expr::If(choice) => {
                self.operands(vec![(Use::Value, &mut choice.cond)], out);
                self.block(&mut choice.then_branch);
                if let Some((_, other)) = &mut choice.else_branch {
                    self.branch(other);
                }
            }
            Expr::Match(choice) => {
                if !self.pops(&choice.expr) {
                    self.operands(vec![(Use::Value, &mut choice.expr)], out);
                }
                let guards =
                    choice.arms.iter().any(|arm| arm.guard.as_ref().is_some_and(|(_, guard)| self.changes(guard)));
                if guards {
                    *expr = self.guarded(choice.clone());
                    return self.root(expr, out);
                }
                for arm in &mut choice.arms {
                    if let Some((_, guard)) = &mut arm.guard {
                        self.branch(guard);
                    }
                    self.branch(&mut arm.body);
                }
            }
            Expr::Assign(assign) => {
                self.root(&mut assign.right, out);
                self.assigned(&mut assign.left, &mut assign.right, out);
            }
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                // Of numbers, the value comes first; of everything else, the place.
                let matters = self.changes_inside(&binary.left)
                    || !names::idents(&indices(&binary.left)).is_disjoint(&self.effects.changed(&binary.right));
                if matters {
                    binary.attrs.push(syn::parse_quote_spanned!(at.0=> #[value_first]));
                }
                self.root(&mut binary.right, out);
                self.assigned(&mut binary.left, &mut binary.right, out);
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                if !self.changes(&binary.right) {
                    self.operands(vec![(Use::Value, &mut binary.left)], out);
                    return self.branch(&mut binary.right);
                }
                let is_and = matches!(binary.op, BinOp::And(_));
                let (left, right) = (binary.left.clone(), branch_of((*binary.right).clone()));
                let short = vec![Stmt::Expr(at.truth(!is_and), None)];
                let (yes, no) = if is_and { (right, short) } else { (short, right) };
                *expr = at.choose(*left, yes, Some(no));
                self.root(expr, out);
            }
            Expr::Return(jump) => {
                if let Some(value) = &mut jump.expr {
                    self.root(value, out);
                }
            }
            Expr::Break(jump) => {
                if let Some(value) = &mut jump.expr {
                    self.root(value, out);
                }
            }
            Expr::Macro(call) => self.in_macro(&mut call.mac, out),
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.operands(vec![(Use::Place, &mut reference.expr)], out);
            }
            Expr::MethodCall(call) => {
                let receiver = match self.effects.receiver(call) {
                    _ if is_borrowing(&call.method) => Use::Place,
                    Receiver::Read => Use::Value,
                    Receiver::Changed => Use::Place,
                    Receiver::Unknown => {
                        self.known_receiver(call);
                        Use::Place
                    }
                };
                let args = call.args.iter_mut().map(|arg| (Use::Value, arg));
                self.operands(std::iter::once((receiver, &mut *call.receiver)).chain(args).collect(), out);
            }
            Expr::Call(call) => {
                if let Expr::Closure(closure) = inside(&mut call.func) {
                    self.branch(&mut closure.body);
                }
                self.operands(call.args.iter_mut().map(|arg| (Use::Value, arg)).collect(), out);
            }
            Expr::Index(index) => {
                let mut parts = vec![(Use::Place, &mut *index.expr)];
                parts.extend(index_parts(&mut index.index));
                self.operands(parts, out);
            }
            Expr::Field(field) => self.operands(vec![(Use::Place, &mut field.base)], out),
            Expr::Struct(literal) if fault::is(Fault::FieldsAsDeclared) => {
                literal.fields.iter_mut().for_each(|field| self.branch(&mut field.expr));
            }
            Expr::Struct(literal) => {
                let fields = literal.fields.iter_mut().map(|field| (Use::Value, &mut field.expr));
                let parts = fields.chain(literal.rest.iter_mut().map(|rest| (Use::Value, &mut **rest)));
                self.operands(parts.collect(), out);
            }
            other => {
                if let Some(parts) = jumps::operands(other) {
                    self.operands(parts.into_iter().map(|part| (Use::Value, part)).collect(), out);
                }
            }
        }
    }

    fn in_macro(&mut self, mac: &mut syn::Macro, out: &mut Vec<Stmt>) {
        if macros::parts(mac).is_some_and(|parts| parts.iter().any(|part| self.effects.occur_in(part))) {
            macros::rewrite(mac, |parts| {
                self.operands(parts.into_iter().map(|part| (Use::Value, part)).collect(), out)
            });
        }
    }

    // --- what is changed --------------------------------------------------------------------------------

    fn changes(&self, expr: &Expr) -> bool {
        !self.effects.changed(expr).is_empty()
    }

    /// What evaluating an operand changes, a mutable borrow itself not counted.
    fn changed(&self, (used, part): (Use, &Expr)) -> HashSet<String> {
        match part {
            Expr::Paren(inner) => self.changed((used, &inner.expr)),
            Expr::Group(inner) => self.changed((used, &inner.expr)),
            Expr::Reference(reference) if reference.mutability.is_some() => self.changed((Use::Place, &reference.expr)),
            Expr::Closure(_) => HashSet::new(),
            Expr::Path(_) => HashSet::new(),
            Expr::Unary(unary) if used == Use::Place => self.changed((used, &unary.expr)),
            Expr::Field(field) if used == Use::Place => self.changed((used, &field.base)),
            Expr::Reference(reference) if used == Use::Place => self.changed((used, &reference.expr)),
            Expr::Index(index) if used == Use::Place => {
                let mut changed = self.changed((used, &index.expr));
                changed.extend(self.effects.changed(&index.index));
                changed
            }
            Expr::MethodCall(call) if is_borrowing(&call.method) => {
                let mut changed = self.changed((Use::Place, &call.receiver));
                changed.extend(call.args.iter().flat_map(|arg| self.effects.changed(arg)));
                changed
            }
            other => self.effects.changed(other),
        }
    }

    /// Whether finding a place changes something.
    fn changes_inside(&self, place: &Expr) -> bool {
        match place {
            Expr::Tuple(parts) => parts.elems.iter().any(|part| self.changes_inside(part)),
            Expr::Infer(_) => false,
            place => !self.changed((Use::Place, place)).is_empty(),
        }
    }

    /// `stack.pop()`, of which lowering sees whether there is something
    fn pops(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::MethodCall(call) if call.method == "pop")
    }

    // --- operands ---------------------------------------------------------------------------------------

    /// Operands in the order in which they are evaluated.
    fn operands(&mut self, mut parts: Vec<Part>, out: &mut Vec<Stmt>) {
        let changed: Vec<HashSet<String>> = parts.iter().map(|(used, part)| self.changed((*used, part))).collect();
        let last = changed.iter().rposition(|changed| !changed.is_empty());
        for (k, (used, part)) in parts.iter_mut().enumerate() {
            let later: HashSet<String> = changed[k + 1..].iter().flatten().cloned().collect();
            let before = last.is_some_and(|last| k < last);
            self.operand(*used, part, !changed[k].is_empty(), before.then_some(&later), out);
        }
    }

    /// One of them. `later` is what those behind it change, if they do.
    fn operand(
        &mut self,
        used: Use,
        part: &mut Expr,
        effect: bool,
        later: Option<&HashSet<String>>,
        out: &mut Vec<Stmt>,
    ) {
        if !effect && later.is_none() {
            // What it does, it does to variables of its own.
            return self.branch(part);
        }
        match part {
            Expr::Paren(inner) => return self.operand(used, &mut inner.expr, effect, later, out),
            Expr::Group(inner) => return self.operand(used, &mut inner.expr, effect, later, out),
            Expr::Reference(reference) if reference.mutability.is_some() || used == Use::Place => {
                return self.operand(Use::Place, &mut reference.expr, effect, later, out);
            }
            Expr::Closure(closure) => return self.branch(&mut closure.body),
            Expr::Lit(_) => return,
            // What is handed on under the name of a borrow cannot be changed before the call.
            Expr::Path(path) => {
                let changes = |name| later.is_some_and(|later| later.contains(&ToString::to_string(name)));
                if used == Use::Place || !path.path.get_ident().is_some_and(changes) {
                    return;
                }
            }
            Expr::Unary(unary) if used == Use::Place && matches!(unary.op, syn::UnOp::Deref(_)) => {
                return self.operand(used, &mut unary.expr, effect, later, out);
            }
            Expr::Field(field) if used == Use::Place => {
                return self.operand(used, &mut field.base, effect, later, out);
            }
            Expr::Index(index) if used == Use::Place => {
                let mut parts = vec![(Use::Place, &mut *index.expr)];
                parts.extend(index_parts(&mut index.index));
                return self.pinned(parts, later, out);
            }
            Expr::MethodCall(call) if is_borrowing(&call.method) => {
                let args = call.args.iter_mut().map(|arg| (Use::Value, arg));
                let parts = std::iter::once((Use::Place, &mut *call.receiver)).chain(args).collect();
                return self.pinned(parts, later, out);
            }
            _ => {}
        }
        self.root(part, out);
        let changes = !matches!(part, Expr::Path(_)) && self.changes(part);
        if !changes && later.is_none_or(|later| self.is_stable(part, later)) {
            return;
        }
        let at = At(first_span(part));
        let name = self.names.fresh("value", at.0);
        if self.effects.hands_on(part) {
            self.effects.borrowed([name.to_string()]);
        }
        let value = std::mem::replace(part, at.path(&name));
        out.push(at.define(&name, false, value));
    }

    /// Whether a value stays what it is when these change, and is not the result of a call. What a borrow is of may be among
    /// them, if it is read for the last time here.
    fn is_stable(&self, expr: &Expr, later: &HashSet<String>) -> bool {
        let read = names::idents(expr);
        let borrows = read.iter().any(|name| self.effects.is_borrow(name));
        (later.is_empty() || !borrows) && read.is_disjoint(later) && !has_calls(expr)
    }

    /// The parts of a place that is used after what changes these.
    fn pinned(&mut self, mut parts: Vec<Part>, later: Option<&HashSet<String>>, out: &mut Vec<Stmt>) {
        let changed: Vec<HashSet<String>> = parts.iter().map(|(used, part)| self.changed((*used, part))).collect();
        for (k, (used, part)) in parts.iter_mut().enumerate() {
            let mut own: HashSet<String> = changed[k + 1..].iter().flatten().cloned().collect();
            let is_last = own.is_empty() && later.is_none();
            own.extend(later.into_iter().flatten().cloned());
            self.operand(*used, part, !changed[k].is_empty(), (!is_last).then_some(&own), out);
        }
    }

    /// What is assigned to: the value comes first.
    fn assigned(&mut self, place: &mut Expr, value: &mut Expr, out: &mut Vec<Stmt>) {
        if !self.changes_inside(place) {
            return;
        }
        let at = At(first_span(place));
        if let Expr::Tuple(_) = place {
            return self.refuse(at, "an effect in one of several places", "assign to one after the other");
        }
        if !matches!(value, Expr::Lit(_)) {
            let at = At(first_span(value));
            let name = self.names.fresh("value", at.0);
            let value = std::mem::replace(value, at.path(&name));
            out.push(at.define(&name, false, value));
        }
        self.operand(Use::Place, place, true, None, out);
    }

    /// A method that may change its receiver or copy it.
    fn known_receiver(&mut self, call: &syn::ExprMethodCall) {
        let Some(root) = super::effects::root(&call.receiver) else { return };
        if call.args.iter().any(|arg| self.effects.changed(arg).contains(&root.to_string())) {
            let at = At(call.method.span());
            self.refuse(
                at,
                "a method whose arguments change its receiver",
                "name the arguments with `let` before the call",
            );
        }
    }

    fn refuse(&mut self, at: At, what: &str, help: &str) {
        let error = Error::at(at.0, format!("{what} cannot be differentiated yet"));
        self.errors.push(error.help(help).plain_rust());
    }

    // --- conditions -------------------------------------------------------------------------------------

    fn conditional_loop(&mut self, repeat: syn::ExprWhile) -> Expr {
        let mut forever = super::conditional_loop(repeat);
        if let Expr::Loop(forever) = &mut forever {
            self.block(&mut forever.body);
        }
        forever
    }

    /// A `match` whose guards change something: the arms behind such a guard are a `match` of their own.
    fn guarded(&mut self, choice: syn::ExprMatch) -> Expr {
        let at = At(choice.match_token.span);
        let label = syn::Lifetime { apostrophe: at.0, ident: self.names.fresh("choice", at.0) };
        let leave = |body: Expr| at.break_to(Some(label.clone()), Some(body));
        let mut stmts = Vec::new();
        let mut subject = (*choice.expr).clone();
        if !jumps::is_place(&subject) {
            let name = self.names.fresh("value", at.0);
            stmts.push(at.define(&name, false, std::mem::replace(&mut subject, at.path(&name))));
        }
        let mut arms: Vec<(Pat, Option<Expr>, Expr)> = Vec::new();
        for arm in choice.arms {
            let body = *arm.body;
            match arm.guard {
                Some((_, guard)) if self.changes(&guard) => {
                    let guarded = at.choose(*guard, vec![at.statement(leave(body))], None);
                    let before = std::mem::take(&mut arms).into_iter();
                    let mut before: Vec<_> = before.map(|(pat, guard, body)| (pat, guard, leave(body))).collect();
                    before.push((arm.pat, None, at.block(None, vec![at.statement(guarded)])));
                    before.push((at.wild(), None, at.block(None, Vec::new())));
                    stmts.push(at.statement(at.select(subject.clone(), before)));
                }
                guard => arms.push((arm.pat, guard.map(|(_, guard)| *guard), body)),
            }
        }
        if !arms.is_empty() {
            stmts.push(Stmt::Expr(at.select(subject, arms), None));
        }
        at.block(Some(label), stmts)
    }
}

fn inside(expr: &mut Expr) -> &mut Expr {
    match expr {
        Expr::Paren(inner) => inside(&mut inner.expr),
        Expr::Group(inner) => inside(&mut inner.expr),
        other => other,
    }
}

/// The operands in an index: `i`, `i..j`, `[i, j]`.
fn index_parts(index: &mut Expr) -> Vec<Part<'_>> {
    let ends = match inside(index) {
        Expr::Range(range) => [&mut range.start, &mut range.end].into_iter().flatten().map(|end| &mut **end).collect(),
        Expr::Array(list) => list.elems.iter_mut().collect(),
        other => vec![other],
    };
    ends.into_iter().map(|part| (Use::Value, part)).collect()
}

/// The indices in a place.
fn indices(place: &Expr) -> Expr {
    struct Indices(Vec<Expr>);
    impl<'a> Visit<'a> for Indices {
        fn visit_expr_index(&mut self, index: &'a syn::ExprIndex) {
            self.visit_expr(&index.expr);
            self.0.push((*index.index).clone());
        }
    }
    let mut found = Indices(Vec::new());
    found.visit_expr(place);
    At(first_span(place)).tuple(found.0)
}

/// Whether functions are called that may do more than give a value: those that are not of a type.
fn has_calls(expr: &Expr) -> bool {
    struct Calls(bool);
    impl<'a> Visit<'a> for Calls {
        fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
            let of_type = match bare((*call.func).clone()) {
                Expr::Path(path) => {
                    let words: Vec<String> = path.path.segments.iter().map(|part| part.ident.to_string()).collect();
                    let is_type = |word: &String| {
                        word.starts_with(char::is_uppercase)
                            || matches!(&word[..], "f32" | "f64")
                            || INTEGERS.contains(&&word[..])
                    };
                    words.iter().any(is_type)
                }
                _ => false,
            };
            self.0 |= !of_type;
            syn::visit::visit_expr_call(self, call);
        }
        fn visit_macro(&mut self, mac: &'a syn::Macro) {
            self.0 |= !mac.path.is_ident("vec");
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut calls = Calls(false);
    calls.visit_expr(expr);
    calls.0
}
