//! Expressions.

use super::declared::Names;
use super::pending::Pending;
use super::types::{Id, Shape};
use super::{Inference, marks};
use crate::desugar::macros;
use syn::{BinOp, Block, Expr, ExprClosure, Lit, ReturnType, Stmt, Type, UnOp};

/// Deeper expressions are not written by hand.
const DEEPEST: usize = 400;

impl Inference<'_> {
    pub fn expr(&mut self, expr: &Expr) -> Id {
        if self.depth > DEEPEST {
            return self.types.unknown();
        }
        self.depth += 1;
        let ty = self.expr_within(expr);
        self.depth -= 1;
        ty
    }

    fn expr_within(&mut self, expr: &Expr) -> Id {
        match expr {
            Expr::Lit(lit) => self.literal(&lit.lit),
            Expr::Path(path) => self.path(path),
            Expr::Paren(paren) => self.expr(&paren.expr),
            Expr::Group(group) => self.expr(&group.expr),
            Expr::Reference(reference) => self.expr(&reference.expr),
            Expr::Unary(unary) => {
                let value = self.expr(&unary.expr);
                if matches!(unary.op, UnOp::Neg(_)) {
                    self.types.note_signed(value);
                }
                value
            }
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                let value = self.expr(&assign.right);
                if !matches!(*assign.left, Expr::Infer(_)) {
                    self.assigned(&assign.left, value);
                }
                self.types.plain()
            }
            Expr::Cast(cast) if marks::start(cast).is_some() => {
                let start = self.expr(&cast.expr);
                if let Some(range) = marks::start(cast).and_then(|range| self.starts.get_mut(range)) {
                    *range = Some(start);
                }
                start
            }
            Expr::Cast(cast) => {
                let ty = self.declared(&cast.ty, &Names::new());
                let value = self.expr(&cast.expr);
                // A literal is of the integer type that it is cast to.
                if is_literal(&cast.expr) && self.types.is_integer(ty) {
                    self.types.unify(value, ty);
                }
                ty
            }
            Expr::Index(index) => self.index(index),
            Expr::Field(field) => {
                let base = self.expr(&field.base);
                self.field(base, &field.member).unwrap_or_else(|| self.types.unknown())
            }
            Expr::Tuple(tuple) if tuple.elems.is_empty() => self.types.plain(),
            Expr::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|part| self.expr(part)).collect();
                self.types.of(Shape::Tuple(parts))
            }
            Expr::Array(array) => self.list(array.elems.iter()),
            Expr::Repeat(repeat) => self.list(std::iter::once(&*repeat.expr)),
            Expr::Range(range) => {
                let elem = self.types.open();
                for end in range.start.iter().chain(&range.end) {
                    let end = self.expr(end);
                    self.types.unify(elem, end);
                }
                self.types.of(Shape::Iter(elem))
            }
            Expr::Block(block) => self.labelled(block.label.as_ref(), |this| this.block(&block.block)),
            Expr::Unsafe(block) => self.block(&block.block),
            Expr::If(branch) => self.scoped(|this| {
                this.expr(&branch.cond);
                let value = this.block(&branch.then_branch);
                match &branch.else_branch {
                    Some((_, other)) => {
                        let other = this.expr(other);
                        this.joined(value, other, &branch.then_branch)
                    }
                    None => this.types.plain(),
                }
            }),
            Expr::Let(condition) => {
                let value = self.expr(&condition.expr);
                self.pattern(&condition.pat, value);
                self.types.plain()
            }
            Expr::Match(choice) => {
                let matched = self.expr(&choice.expr);
                let result = self.types.open();
                for arm in &choice.arms {
                    self.scoped(|this| {
                        this.pattern(&arm.pat, matched);
                        if let Some((_, guard)) = &arm.guard {
                            this.expr(guard);
                        }
                        let value = this.expr(&arm.body);
                        if !leaves(&arm.body) {
                            this.types.unify(result, value);
                        }
                    });
                }
                result
            }
            Expr::While(repeat) => self.labelled(repeat.label.as_ref(), |this| {
                this.scoped(|this| {
                    this.expr(&repeat.cond);
                    this.block(&repeat.body);
                });
                this.types.plain()
            }),
            Expr::Loop(repeat) => {
                let result = self.types.open();
                let label = repeat.label.as_ref().map(|label| label.name.ident.to_string());
                self.breaks.push((label, result));
                self.block(&repeat.body);
                self.breaks.pop();
                result
            }
            Expr::ForLoop(repeat) => {
                let items = self.expr(&repeat.expr);
                let item = self.item_of(items);
                self.labelled(repeat.label.as_ref(), |this| {
                    this.scoped(|this| {
                        this.pattern(&repeat.pat, item);
                        this.block(&repeat.body);
                    });
                    this.types.plain()
                })
            }
            Expr::Break(jump) => {
                if let Some(value) = &jump.expr {
                    let value = self.expr(value);
                    let label = jump.label.as_ref().map(|label| label.ident.to_string());
                    let target = self.breaks.iter().rev().find(|(name, _)| label.is_none() || *name == label);
                    if let Some((_, target)) = target.cloned() {
                        self.types.unify(target, value);
                    }
                }
                self.types.open()
            }
            Expr::Return(jump) => {
                if let Some(value) = &jump.expr {
                    let value = self.expr(value);
                    self.types.unify(value, self.result);
                }
                self.types.open()
            }
            Expr::Continue(_) => self.types.open(),
            Expr::Closure(closure) => {
                let params: Vec<Id> = closure.inputs.iter().map(|_| self.types.open()).collect();
                let result = self.closure(closure, &params);
                self.types.of(Shape::Callable(params, result))
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Struct(literal) => self.struct_literal(literal),
            Expr::Try(attempt) => {
                let value = self.expr(&attempt.expr);
                match self.types.shape(value) {
                    Shape::Option(inner) | Shape::Result(inner, _) => inner,
                    _ => self.types.unknown(),
                }
            }
            Expr::Macro(call) => self.macro_call(&call.mac),
            _ => self.types.unknown(),
        }
    }

    /// The type of an `if` whose first branch may leave.
    fn joined(&mut self, value: Id, other: Id, first: &Block) -> Id {
        let leaves = first.stmts.last().is_some_and(|last| matches!(last, Stmt::Expr(expr, _) if leaves(expr)));
        if leaves {
            return other;
        }
        self.types.unify(value, other);
        value
    }

    fn labelled(&mut self, label: Option<&syn::Label>, run: impl FnOnce(&mut Self) -> Id) -> Id {
        let Some(label) = label else { return run(self) };
        let result = self.types.open();
        self.breaks.push((Some(label.name.ident.to_string()), result));
        let value = run(self);
        self.breaks.pop();
        self.types.unify(result, value);
        result
    }

    fn literal(&mut self, literal: &Lit) -> Id {
        match literal {
            Lit::Int(int) => match marks::number(int) {
                Some(number) => {
                    let ty = self.types.of(Shape::Integer);
                    self.literals[number] = Some(ty);
                    ty
                }
                None if int.suffix().starts_with('f') => self.types.float(),
                None => self.types.integer(int.suffix()),
            },
            Lit::Float(_) => self.types.float(),
            _ => self.types.plain(),
        }
    }

    /// That an expression is of a type which the place where it stands says. A literal there needs no suffix.
    pub fn in_place(&mut self, expr: &Expr, ty: Id) {
        let found = self.expr(expr);
        self.types.unify(found, ty);
        if let Some(number) = marked(expr) {
            self.in_place.insert(number);
        }
    }

    /// An argument of something that is not known. A literal there stays as it is, and means the same in what is emitted.
    pub fn passed_on(&mut self, arg: &Expr) {
        let ty = self.expr(arg);
        self.types.doubt(ty);
        self.leave(arg);
    }

    /// That a literal, with or without a sign, keeps the form in which it is written.
    pub fn leave(&mut self, literal: &Expr) {
        match bare(literal) {
            Expr::Unary(unary) => self.leave(&unary.expr),
            other => self.in_place.extend(marked(other)),
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Id {
        if path.qself.is_some() {
            return self.types.unknown();
        }
        if let Some(found) = path.path.get_ident().and_then(|name| self.lookup(&name.to_string())) {
            return found;
        }
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match &names[..] {
            [name] if name == "None" => {
                let inner = self.types.open();
                return self.types.of(Shape::Option(inner));
            }
            [.., owner, name] if crate::parse::ty::INTEGERS.contains(&&owner[..]) => match &name[..] {
                "MAX" | "MIN" => return self.types.integer(owner),
                "BITS" => return self.types.integer("u32"),
                _ => {}
            },
            [.., owner, _] if owner == "f32" || owner == "f64" || owner == "consts" => return self.types.float(),
            _ => {}
        }
        let constant = self.source.as_ref().and_then(|source| source.constant_type(&path.path));
        match constant {
            Some(ty) => {
                let ty = self.declared(&ty, &Names::new());
                self.types.note_inferred(ty);
                ty
            }
            None => self.value_of_type(&path.path),
        }
    }

    fn list<'e>(&mut self, elems: impl Iterator<Item = &'e Expr>) -> Id {
        let elem = self.types.open();
        for value in elems {
            let value = self.expr(value);
            self.types.unify(elem, value);
        }
        self.types.of(Shape::Seq(elem))
    }

    fn assigned(&mut self, place: &Expr, value: Id) {
        match (place, self.types.shape(value)) {
            (Expr::Tuple(places), Shape::Tuple(parts)) if places.elems.len() == parts.len() => {
                places.elems.iter().zip(parts).for_each(|(place, part)| self.assigned(place, part));
            }
            (Expr::Array(places), Shape::Seq(elem)) => {
                places.elems.iter().for_each(|place| self.assigned(place, elem));
            }
            (Expr::Infer(_), _) => {}
            _ => {
                let place = self.expr(place);
                self.types.unify(place, value);
            }
        }
    }

    fn index(&mut self, index: &syn::ExprIndex) -> Id {
        let base = self.expr(&index.expr);
        let at = bare(&index.index);
        match self.types.shape(base) {
            Shape::Seq(elem) => match at {
                Expr::Range(range) => {
                    let usize = self.types.usize();
                    range.start.iter().chain(&range.end).for_each(|end| self.in_place(end, usize));
                    base
                }
                at => {
                    let usize = self.types.usize();
                    self.in_place(at, usize);
                    elem
                }
            },
            // `t[[i, j]]` of a tensor.
            Shape::Named(path, _) if super::types::last(&path).starts_with("Tensor") => {
                let usize = self.types.usize();
                match at {
                    Expr::Array(list) => list.elems.iter().for_each(|at| self.in_place(at, usize)),
                    at => {
                        self.expr(at);
                    }
                }
                self.types.float()
            }
            _ => {
                let at = self.expr(at);
                self.types.doubt(at);
                self.types.unknown()
            }
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Id {
        let left = self.expr(&binary.left);
        match binary.op {
            BinOp::And(_) | BinOp::Or(_) => {
                self.expr(&binary.right);
                self.types.plain()
            }
            BinOp::Shl(_) | BinOp::Shr(_) => {
                self.shifted_by(&binary.right);
                left
            }
            BinOp::ShlAssign(_) | BinOp::ShrAssign(_) => {
                self.shifted_by(&binary.right);
                self.types.plain()
            }
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_) => {
                let right = self.expr(&binary.right);
                self.types.unify(left, right);
                self.types.plain()
            }
            op => {
                let right = self.expr(&binary.right);
                self.beside_float(&binary.left, right);
                self.beside_float(&binary.right, left);
                let result = self.types.open();
                self.pending.push(Pending::Operator { left, right, result });
                self.settle_last();
                if crate::desugar::is_assignment(&op) { self.types.plain() } else { result }
            }
        }
    }

    /// An integer beside a float is a mistake, which is told of the literal as it is written.
    fn beside_float(&mut self, literal: &Expr, other: Id) {
        if matches!(self.types.shape(other), Shape::Float) {
            self.leave(literal);
        }
    }

    /// By how much it is shifted says nothing of what is shifted.
    fn shifted_by(&mut self, by: &Expr) {
        let ty = self.expr(by);
        if let (Some(number), Shape::Integer) = (marked(by), self.types.shape(ty)) {
            self.in_place.insert(number);
        }
    }

    pub fn closure(&mut self, closure: &ExprClosure, params: &[Id]) -> Id {
        let result = match &closure.output {
            ReturnType::Type(_, ty) => self.declared(ty, &Names::new()),
            ReturnType::Default => self.types.open(),
        };
        let around = std::mem::replace(&mut self.result, result);
        let breaks = std::mem::take(&mut self.breaks);
        self.scoped(|this| {
            for (k, input) in closure.inputs.iter().enumerate() {
                let ty = params.get(k).copied().unwrap_or_else(|| this.types.unknown());
                this.pattern(input, ty);
            }
            let value = this.expr(&closure.body);
            if !leaves(&closure.body) {
                this.types.unify(value, result);
            }
            this.settle_pending(false);
        });
        (self.result, self.breaks) = (around, breaks);
        result
    }

    pub fn macro_call(&mut self, mac: &syn::Macro) -> Id {
        let name = super::types::last(&mac.path);
        if name == "vec" {
            if let Ok(repeat) = mac.parse_body::<crate::desugar::VecRepeat>() {
                let usize = self.types.usize();
                let value = self.expr(&repeat.value);
                self.in_place(&repeat.count, usize);
                return self.types.of(Shape::Seq(value));
            }
            let elems = macros::parts(mac).unwrap_or_default();
            return self.list(elems.iter());
        }
        if matches!(&name[..], "panic" | "unreachable" | "todo" | "unimplemented") {
            return self.types.open();
        }
        if marks::is_read(mac) {
            let parts = macros::parts(mac).unwrap_or_default();
            let is_comparison = name.ends_with("_eq") || name.ends_with("_ne");
            let (tested, shown) = parts.split_at(parts.len().min(1 + usize::from(is_comparison)));
            let types: Vec<Id> = tested.iter().map(|part| self.expr(part)).collect();
            if let [left, right] = &types[..] {
                self.types.unify(*left, *right);
            }
            for part in shown {
                self.expr(part);
                self.leave(part);
            }
            return self.types.plain();
        }
        // What formats takes any type.
        if !matches!(
            &name[..],
            "print" | "println" | "eprint" | "eprintln" | "format" | "write" | "writeln" | "matches"
        ) {
            for name in crate::desugar::idents(&mac.tokens) {
                if let Some(ty) = self.lookup(&name) {
                    self.types.doubt(ty);
                }
            }
            return self.types.unknown();
        }
        self.types.plain()
    }
}

pub fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => bare(&paren.expr),
        Expr::Group(group) => bare(&group.expr),
        other => other,
    }
}

/// The number of the literal that an expression is.
fn marked(expr: &Expr) -> Option<usize> {
    match bare(expr) {
        Expr::Lit(syn::ExprLit { lit: Lit::Int(int), .. }) => marks::number(int),
        _ => None,
    }
}

fn is_literal(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_literal(&unary.expr),
        other => marked(other).is_some(),
    }
}

/// Whether nothing comes of an expression, since it leaves.
pub fn leaves(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Block(block) => match block.block.stmts.last() {
            Some(Stmt::Expr(last, _)) => leaves(last),
            Some(Stmt::Macro(mac)) => diverges(&mac.mac),
            _ => false,
        },
        Expr::Macro(call) => diverges(&call.mac),
        _ => false,
    }
}

fn diverges(mac: &syn::Macro) -> bool {
    let name = super::types::last(&mac.path);
    matches!(&name[..], "panic" | "unreachable" | "todo" | "unimplemented")
}

/// A type among generic arguments.
pub fn turbofish(args: Option<&syn::AngleBracketedGenericArguments>, k: usize) -> Option<&Type> {
    let mut types = args?.args.iter().filter_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.nth(k)
}
