//! What evaluating an expression changes, as far as its syntax and the signatures of the functions it calls tell.
//!
//! Changed are the variables that are assigned to, borrowed mutably, handed on as a mutable borrow that has a name, or
//! receivers of methods that change them; and what a closure has captured and changes, wherever it is called. Names that
//! are borrows or closures anywhere in the function count as such everywhere.

use super::build::{bare, is_assignment};
use super::names;
use crate::op::{elementwise, method};
use crate::relay::Knowledge;
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::{Block, Expr, ExprClosure, ExprMethodCall, FnArg, Ident, ItemFn, Local, Pat, Stmt, Type};

/// Methods that change their receiver.
const MUTATING: &[&str] = &[
    "swap",
    "fill",
    "copy_from_slice",
    "clone_from_slice",
    "push",
    "pop",
    "clear",
    "truncate",
    "extend_from_slice",
    "reverse",
    "iter_mut",
    "split_at_mut",
    "as_mut_slice",
    "chunks_mut",
    "chunks_exact_mut",
];

/// Methods of the same kind that have their names in common with methods of other types.
const EDITING: &[&str] = &[
    "append",
    "copy_within",
    "dedup",
    "drain",
    "extend",
    "get_or_insert",
    "get_or_insert_with",
    "insert",
    "pop",
    "pop_back",
    "pop_front",
    "push_back",
    "push_front",
    "remove",
    "replace",
    "resize",
    "retain",
    "rotate_left",
    "rotate_right",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "split_off",
    "swap_remove",
    "take",
];

/// Methods whose closures are given shared references.
const SHARING: &[&str] = &["retain", "sort_by", "sort_by_key", "sort_unstable_by", "sort_unstable_by_key"];

/// Methods that hand out a mutable borrow of their receiver.
const BORROWING: &[&str] =
    &["iter_mut", "split_at_mut", "as_mut_slice", "chunks_mut", "chunks_exact_mut", "as_mut", "as_deref_mut"];

/// Methods that only look at their receiver, beside those that have a derivative; the last lines are of integers.
const LOOKING: &str = "and_then as_ref as_slice borrow chunks chunks_exact clone cloned cmp contains copied eq expect \
    first ge get gt into into_boxed_slice into_iter is_empty is_eq is_ge is_gt is_le is_lt is_ne is_none is_some \
    is_some_and iter last le len lt map map_or map_or_else ne ok ok_or or_else partial_cmp rev reverse sin_cos split_at \
    split_first split_last then then_some to_bits to_owned to_vec total_cmp try_into unwrap unwrap_or \
    unwrap_or_default unwrap_or_else windows zip \
    abs_diff checked_add checked_div checked_mul checked_sub clamp count_ones count_zeros div_ceil div_euclid ilog \
    ilog10 ilog2 is_multiple_of is_negative is_positive is_power_of_two isqrt leading_zeros next_multiple_of \
    next_power_of_two pow rem_euclid reverse_bits rotate_left rotate_right saturating_add saturating_mul \
    saturating_sub swap_bytes trailing_zeros wrapping_add wrapping_mul wrapping_sub";

/// What is known of the names of a function.
pub struct Effects<'k> {
    knowledge: &'k Knowledge,
    /// Closures that change what they have captured, with what they change.
    closures: HashMap<String, HashSet<String>>,
    /// Names that may be mutable borrows.
    borrows: HashSet<String>,
    /// Names of what a method may change.
    mutable: HashSet<String>,
}

/// What a method does to its receiver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Receiver {
    Read,
    Changed,
    /// It cannot be told.
    Unknown,
}

impl<'k> Effects<'k> {
    pub fn of(function: &ItemFn, body: &Block, knowledge: &'k Knowledge) -> Effects<'k> {
        let (closures, borrows, mutable) = Default::default();
        let mut effects = Effects { knowledge, closures, borrows, mutable };
        for input in &function.sig.inputs {
            match input {
                FnArg::Receiver(this) if this.mutability.is_some() => effects.borrowed(["self".to_owned()]),
                FnArg::Typed(typed) if is_mutable(&typed.ty) => effects.borrowed(names_of(&typed.pat)),
                FnArg::Typed(typed) => effects.mutable.extend(mutable_in(&typed.pat)),
                FnArg::Receiver(_) => {}
            }
        }
        Survey { effects: &mut effects }.visit_block(body);
        effects
    }

    /// These names may be mutable borrows.
    pub fn borrowed(&mut self, names: impl IntoIterator<Item = String>) {
        for name in names {
            self.mutable.insert(name.clone());
            self.borrows.insert(name);
        }
    }

    /// Whether a name may be a mutable borrow.
    pub fn is_borrow(&self, name: &str) -> bool {
        self.borrows.contains(name)
    }

    /// The variables from around an expression that evaluating it changes.
    pub fn changed(&self, expr: &Expr) -> HashSet<String> {
        let mut changed = Changed { effects: self, bound: Vec::new(), found: HashSet::new(), everything: false };
        changed.visit_expr(expr);
        changed.found
    }

    /// Whether anything is changed anywhere in it, also what is its own, and in closures that it only makes.
    pub fn occur_in(&self, expr: &Expr) -> bool {
        let mut changed = Changed { effects: self, bound: Vec::new(), found: HashSet::new(), everything: true };
        changed.visit_expr(expr);
        !changed.found.is_empty()
    }

    pub fn receiver(&self, call: &ExprMethodCall) -> Receiver {
        let name = call.method.to_string();
        let root = root(&call.receiver).map(ToString::to_string);
        if root.is_some() && (is_mutating(&call.method) || is_borrowing(&call.method)) {
            return Receiver::Changed;
        }
        let edits = |root: &String| self.mutable.contains(root) || self.borrows.contains(root);
        if is_editing(&call.method) && root.as_ref().is_some_and(edits) {
            return Receiver::Changed;
        }
        if root.is_none_or(|root| !self.mutable.contains(&root)) {
            return Receiver::Read;
        }
        // A method of the user's may have the name of one that is known.
        let has_derivative = elementwise::find_method(&name, true).is_some() || method::is_method(&name);
        let looks = has_derivative || LOOKING.split(' ').any(|looking| looking == name);
        match self.knowledge.method_changes(&call.method) {
            Some(true) => Receiver::Changed,
            Some(false) => Receiver::Read,
            None if looks => Receiver::Read,
            None => Receiver::Unknown,
        }
    }

    /// Whether the closures of a method are given what an `iter()` or a range hands out, and nothing that can be changed.
    fn gives_shared(&self, call: &ExprMethodCall) -> bool {
        fn begins_shared(expr: &Expr) -> bool {
            match bare(expr.clone()) {
                Expr::Range(_) => true,
                Expr::MethodCall(call) => call.method == "iter" || begins_shared(&call.receiver),
                _ => false,
            }
        }
        let mut given = Given { effects: self, any: false };
        given.visit_expr(&call.receiver);
        call.args.iter().filter(|arg| !matches!(arg, Expr::Closure(_))).for_each(|arg| given.visit_expr(arg));
        // The state of a `scan` is lent.
        call.method != "scan" && begins_shared(&call.receiver) && !given.any
    }

    /// Whether the value may be a mutable borrow.
    pub fn hands_on(&self, expr: &Expr) -> bool {
        let tail = |block: &Block| matches!(block.stmts.last(), Some(Stmt::Expr(tail, None)) if self.hands_on(tail));
        match expr {
            Expr::Reference(reference) => reference.mutability.is_some(),
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| self.borrows.contains(&name.to_string())),
            Expr::Paren(paren) => self.hands_on(&paren.expr),
            Expr::Group(group) => self.hands_on(&group.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().any(|part| self.hands_on(part)),
            Expr::MethodCall(call) => {
                let passes = call.method == "unwrap" || call.method == "expect";
                is_borrowing(&call.method) || is_filling(call) || passes && self.hands_on(&call.receiver)
            }
            Expr::Block(block) => tail(&block.block),
            Expr::If(choice) => {
                tail(&choice.then_branch) || choice.else_branch.as_ref().is_some_and(|(_, other)| self.hands_on(other))
            }
            Expr::Match(choice) => choice.arms.iter().any(|arm| self.hands_on(&arm.body)),
            _ => false,
        }
    }
}

impl Effects<'_> {
    /// What the closures change that are the value of an expression, or parts of it.
    fn of_closures_in(&self, expr: &Expr) -> HashSet<String> {
        let all = |parts: &mut dyn Iterator<Item = &Expr>| parts.flat_map(|part| self.of_closures_in(part)).collect();
        let tail = |block: &Block| match block.stmts.last() {
            Some(Stmt::Expr(tail, None)) => self.of_closures_in(tail),
            _ => HashSet::new(),
        };
        match expr {
            Expr::Paren(paren) => self.of_closures_in(&paren.expr),
            Expr::Group(group) => self.of_closures_in(&group.expr),
            Expr::Reference(reference) => self.of_closures_in(&reference.expr),
            Expr::Closure(closure) => {
                let mut changed =
                    Changed { effects: self, bound: Vec::new(), found: HashSet::new(), everything: false };
                changed.body_of(closure);
                changed.found
            }
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                name.and_then(|name| self.closures.get(&name)).cloned().unwrap_or_default()
            }
            Expr::Tuple(tuple) => all(&mut tuple.elems.iter()),
            Expr::Array(array) => all(&mut array.elems.iter()),
            Expr::Block(block) => tail(&block.block),
            Expr::If(choice) => {
                let mut found = tail(&choice.then_branch);
                found.extend(choice.else_branch.iter().flat_map(|(_, other)| self.of_closures_in(other)));
                found
            }
            Expr::Match(choice) => all(&mut choice.arms.iter().map(|arm| &*arm.body)),
            _ => HashSet::new(),
        }
    }
}

/// Whether a method of slices or `Vec` changes its receiver.
pub fn is_mutating(name: &Ident) -> bool {
    MUTATING.iter().any(|known| name == known)
}

/// Whether a method changes its receiver, if that is a slice or a `Vec`.
pub fn is_editing(name: &Ident) -> bool {
    EDITING.iter().any(|known| name == known)
}

pub fn is_borrowing(method: &Ident) -> bool {
    BORROWING.iter().any(|name| method == name)
}

/// Whether it puts something into an `Option`, and hands out a mutable borrow of that.
fn is_filling(call: &ExprMethodCall) -> bool {
    matches!((&call.method.to_string()[..], call.args.len()), ("insert" | "get_or_insert" | "get_or_insert_with", 1))
}

fn is_mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
}

fn names_of(pat: &Pat) -> Vec<String> {
    names::bound(pat).iter().map(ToString::to_string).collect()
}

fn mutable_in(pat: &Pat) -> Vec<String> {
    struct Muts(Vec<String>);
    impl<'a> Visit<'a> for Muts {
        fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
            if pat.mutability.is_some() {
                self.0.push(pat.ident.to_string());
            }
            syn::visit::visit_pat_ident(self, pat);
        }
    }
    let mut muts = Muts(Vec::new());
    muts.visit_pat(pat);
    muts.0
}

/// The variable that a place belongs to.
pub fn root(place: &Expr) -> Option<&Ident> {
    match place {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => root(&unary.expr),
        Expr::Reference(reference) => root(&reference.expr),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Group(group) => root(&group.expr),
        Expr::MethodCall(call) if is_borrowing(&call.method) || is_filling(call) => root(&call.receiver),
        _ => None,
    }
}

/// Finds what may hand out mutable borrows.
struct Given<'e, 'k> {
    effects: &'e Effects<'k>,
    any: bool,
}

impl<'a> Visit<'a> for Given<'_, '_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        // What the parameters of closures are is not asked.
        if let Expr::Closure(closure) = expr {
            let mut inner = Given { effects: self.effects, any: false };
            inner.visit_expr(&closure.body);
            self.any |= inner.any;
            return;
        }
        self.any |= self.effects.hands_on(expr);
        syn::visit::visit_expr(self, expr);
    }
}

/// Finds the names that are borrows or closures, in the order of their definitions.
struct Survey<'e, 'k> {
    effects: &'e mut Effects<'k>,
}

impl<'a> Visit<'a> for Survey<'_, '_> {
    fn visit_local(&mut self, local: &'a Local) {
        syn::visit::visit_local(self, local);
        self.effects.mutable.extend(mutable_in(&local.pat));
        let Some(init) = &local.init else { return };
        if self.effects.hands_on(&init.expr) {
            self.effects.borrowed(names_of(&local.pat));
        }
        let found = self.effects.of_closures_in(&init.expr);
        if !found.is_empty() {
            for name in names_of(&local.pat) {
                self.effects.closures.entry(name.clone()).or_default().extend(found.iter().cloned().chain([name]));
            }
        }
    }

    /// What patterns take from a mutable borrow is borrowed.
    fn visit_expr_match(&mut self, choice: &'a syn::ExprMatch) {
        if self.effects.hands_on(&choice.expr) {
            for arm in &choice.arms {
                self.effects.borrowed(names_of(&arm.pat));
            }
        }
        syn::visit::visit_expr_match(self, choice);
    }

    fn visit_expr_closure(&mut self, closure: &'a ExprClosure) {
        for input in &closure.inputs {
            match input {
                Pat::Type(typed) if is_mutable(&typed.ty) => self.effects.borrowed(names_of(&typed.pat)),
                Pat::Type(typed) => self.effects.mutable.extend(mutable_in(&typed.pat)),
                // What it is, the call says.
                pat => self.effects.borrows.extend(names_of(pat)),
            }
        }
        syn::visit::visit_expr_closure(self, closure);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let is_shared = SHARING.iter().any(|name| call.method == name) || self.effects.gives_shared(call);
        if !is_shared {
            return syn::visit::visit_expr_method_call(self, call);
        }
        self.visit_expr(&call.receiver);
        for arg in &call.args {
            match arg {
                Expr::Closure(closure) => {
                    self.effects.mutable.extend(closure.inputs.iter().flat_map(mutable_in));
                    self.visit_expr(&closure.body);
                }
                other => self.visit_expr(other),
            }
        }
    }

    fn visit_item(&mut self, _: &'a syn::Item) {}
}

struct Changed<'e, 'k> {
    effects: &'e Effects<'k>,
    /// Names of variables that are defined within.
    bound: Vec<String>,
    found: HashSet<String>,
    /// Whether these count, too, and what closures would do.
    everything: bool,
}

impl Changed<'_, '_> {
    fn note(&mut self, name: &str) {
        if self.everything || !self.bound.iter().any(|bound| bound == name) {
            self.found.insert(name.to_owned());
        }
    }

    /// What is assigned to or borrowed mutably.
    fn change(&mut self, place: &Expr) {
        if let Expr::Tuple(parts) = place {
            parts.elems.iter().for_each(|part| self.change(part));
            return;
        }
        if let Some(name) = root(place) {
            self.note(&name.to_string());
        }
        self.read(place);
    }

    /// A place that is looked at, and so not handed on.
    fn read(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(_) | Expr::Infer(_) => {}
            Expr::Paren(paren) => self.read(&paren.expr),
            Expr::Group(group) => self.read(&group.expr),
            other => self.visit_expr(other),
        }
    }

    fn scoped(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = self.bound.len();
        visit(self);
        self.bound.truncate(outer);
    }

    /// What a call of a closure does.
    fn body_of(&mut self, closure: &ExprClosure) {
        self.scoped(|changed| {
            closure.inputs.iter().for_each(|pat| changed.bound.extend(names_of(pat)));
            changed.visit_expr(&closure.body);
        });
    }

    fn call_of(&mut self, name: &str) {
        if let Some(changed) = self.effects.closures.get(name) {
            changed.iter().for_each(|name| self.note(name));
        }
    }

    fn argument(&mut self, arg: &Expr, borrows: bool) {
        match arg {
            Expr::Closure(closure) => self.body_of(closure),
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident() {
                    self.call_of(&name.to_string());
                }
                if borrows {
                    self.visit_expr(arg);
                }
            }
            arg => self.visit_expr(arg),
        }
    }
}

impl<'a> Visit<'a> for Changed<'_, '_> {
    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        self.change(&assign.left);
        self.visit_expr(&assign.right);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        if is_assignment(&binary.op) {
            self.change(&binary.left);
        } else {
            self.read(&binary.left);
        }
        self.read(&binary.right);
    }

    fn visit_expr_reference(&mut self, reference: &'a syn::ExprReference) {
        match reference.mutability {
            Some(_) => self.change(&reference.expr),
            None => self.read(&reference.expr),
        }
    }

    fn visit_expr_unary(&mut self, unary: &'a syn::ExprUnary) {
        self.read(&unary.expr);
    }

    fn visit_expr_cast(&mut self, cast: &'a syn::ExprCast) {
        self.read(&cast.expr);
    }

    fn visit_expr_field(&mut self, field: &'a syn::ExprField) {
        self.read(&field.base);
    }

    fn visit_expr_index(&mut self, index: &'a syn::ExprIndex) {
        self.read(&index.expr);
        self.read(&index.index);
    }

    /// A borrow that is moved somewhere.
    fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
        if let Some(name) = path.path.get_ident().map(ToString::to_string) {
            if self.effects.borrows.contains(&name) {
                self.note(&name);
            }
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        let mut borrows = None;
        match bare((*call.func).clone()) {
            Expr::Closure(closure) => self.body_of(&closure),
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident() {
                    self.call_of(&name.to_string());
                }
                borrows = self.effects.knowledge.mutable_params(&path.path);
            }
            function => self.visit_expr(&function),
        }
        for (k, arg) in call.args.iter().enumerate() {
            let borrows = borrows.as_ref().is_none_or(|borrows| borrows.get(k).is_none_or(|borrows| *borrows));
            self.argument(arg, borrows);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        match self.effects.receiver(call) {
            Receiver::Read => self.read(&call.receiver),
            Receiver::Changed | Receiver::Unknown => self.change(&call.receiver),
        }
        call.args.iter().for_each(|arg| self.argument(arg, true));
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        for part in super::macros::parts(mac).iter().flatten() {
            self.visit_expr(part);
        }
    }

    // --- what has a scope -------------------------------------------------------------------------------

    fn visit_block(&mut self, block: &'a Block) {
        self.scoped(|changed| syn::visit::visit_block(changed, block));
    }

    fn visit_local(&mut self, local: &'a Local) {
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, other)) = &init.diverge {
                self.visit_expr(other);
            }
        }
        self.bound.extend(names_of(&local.pat));
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.scoped(|changed| {
            changed.bound.extend(names_of(&arm.pat));
            syn::visit::visit_arm(changed, arm);
        });
    }

    fn visit_expr_for_loop(&mut self, repeat: &'a syn::ExprForLoop) {
        self.visit_expr(&repeat.expr);
        self.scoped(|changed| {
            changed.bound.extend(names_of(&repeat.pat));
            changed.visit_block(&repeat.body);
        });
    }

    /// Nothing happens when it is made.
    fn visit_expr_closure(&mut self, closure: &'a ExprClosure) {
        if self.everything {
            self.body_of(closure);
        }
    }

    fn visit_pat(&mut self, _: &'a Pat) {}
    fn visit_type(&mut self, _: &'a Type) {}
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
