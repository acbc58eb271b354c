//! What type an integer is whose `let` does not say so.
//!
//! `let mut k = 0;` is of the type that its uses give it, which may come later. So names are put together that have to be
//! of one type, since they are added, compared or assigned, or count from one to the other; and one of them may have a
//! type: a parameter, an index, an exponent, a length. If nothing is beside it, an integer is an `i32`, as rustc has it; what
//! is beside something that is not understood here is taken for an index. Names that hide each other count as one.

use super::assign::unparen;
use crate::ir::Elem;
use crate::parse::ty::INTEGERS;
use std::collections::HashMap;
use syn::visit::Visit;
use syn::{BinOp, Expr, FnArg, ItemFn, Lit, Pat, RangeLimits, Type, UnOp};

/// The integers of a function.
pub struct Hints {
    groups: Groups,
}

impl Hints {
    pub fn of(function: &ItemFn, body: &syn::Block) -> Hints {
        let mut groups = Groups::default();
        for param in function.sig.generics.const_params() {
            groups.note(&param.ident.to_string(), integer(&param.ty).map_or(Kind::Vague, Kind::Known));
        }
        for input in &function.sig.inputs {
            if let FnArg::Typed(typed) = input {
                if let (Pat::Ident(name), Some(ty)) = (&*typed.pat, integer(&typed.ty)) {
                    groups.note(&name.ident.to_string(), Kind::Known(ty));
                }
            }
        }
        groups.visit_block(body);
        Hints { groups }
    }

    /// The type of a name, if it is that of an integer.
    pub fn of_name(&mut self, name: &str) -> Elem {
        let id = self.groups.id(name);
        let root = self.groups.root(id);
        match &self.groups.kinds[root] {
            Kind::Known(ty) => Elem::Int(ty.as_str().into()),
            Kind::Vague => Elem::usize(),
            Kind::Signed | Kind::Free => Elem::Int("i32".into()),
        }
    }
}

/// What is known of names that are of one type, from the least to the most.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    #[default]
    Free,
    /// Beside something that is not understood.
    Vague,
    /// It becomes negative.
    Signed,
    Known(String),
}

#[derive(Default)]
struct Groups {
    ids: HashMap<String, usize>,
    parents: Vec<usize>,
    kinds: Vec<Kind>,
}

impl Groups {
    fn id(&mut self, name: &str) -> usize {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.parents.len();
        self.ids.insert(name.to_owned(), id);
        self.parents.push(id);
        self.kinds.push(Kind::Free);
        id
    }

    fn root(&mut self, mut id: usize) -> usize {
        while self.parents[id] != id {
            self.parents[id] = self.parents[self.parents[id]];
            id = self.parents[id];
        }
        id
    }

    fn note(&mut self, name: &str, kind: Kind) {
        let id = self.id(name);
        let root = self.root(id);
        self.kinds[root] = std::mem::take(&mut self.kinds[root]).max(kind);
    }

    fn join(&mut self, a: &str, b: &str) {
        let (a, b) = (self.id(a), self.id(b));
        let (a, b) = (self.root(a), self.root(b));
        let kind = std::mem::take(&mut self.kinds[b]).max(std::mem::take(&mut self.kinds[a]));
        self.kinds[a] = kind;
        self.parents[b] = a;
    }

    /// These are of one type, and of this one if there is one.
    fn same(&mut self, exprs: &[&Expr], kind: Kind) {
        let mut found = Found { names: Vec::new(), kind };
        for expr in exprs {
            found.expr(expr);
        }
        if let Some((first, rest)) = found.names.split_first() {
            for other in rest {
                self.join(first, other);
            }
            self.note(first, found.kind);
        }
    }
}

/// What an integer is computed from.
struct Found {
    names: Vec<String>,
    kind: Kind,
}

impl Found {
    fn expr(&mut self, expr: &Expr) {
        match unparen(expr) {
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) => self.names.push(name.to_string()),
                None => self.kind(Kind::Vague),
            },
            Expr::Lit(lit) => {
                if let Lit::Int(int) = &lit.lit {
                    if INTEGERS.contains(&int.suffix()) {
                        self.kind(Kind::Known(int.suffix().to_owned()));
                    }
                }
            }
            Expr::Reference(reference) => self.expr(&reference.expr),
            Expr::Unary(unary) => {
                if matches!(unary.op, UnOp::Neg(_)) {
                    self.kind(Kind::Signed);
                }
                self.expr(&unary.expr);
            }
            Expr::Binary(binary) if !is_condition(&binary.op) => {
                self.expr(&binary.left);
                if !is_shift(&binary.op) {
                    self.expr(&binary.right);
                }
            }
            Expr::Cast(cast) => self.kind(integer(&cast.ty).map_or(Kind::Vague, Kind::Known)),
            Expr::If(choice) => {
                self.tail(&choice.then_branch);
                if let Some((_, other)) = &choice.else_branch {
                    self.expr(other);
                }
            }
            Expr::Block(block) => self.tail(&block.block),
            Expr::MethodCall(call) => match &call.method.to_string()[..] {
                "len" | "count" => self.kind(Kind::Known("usize".to_owned())),
                "count_ones" | "leading_zeros" | "trailing_zeros" | "ilog2" => {
                    self.kind(Kind::Known("u32".to_owned()));
                }
                "pow" | "abs" | "signum" | "clone" | "unwrap" | "expect" => self.expr(&call.receiver),
                "min" | "max" | "clamp" | "saturating_sub" | "saturating_add" | "wrapping_add" | "wrapping_sub"
                | "rem_euclid" | "div_euclid" | "div_ceil" | "abs_diff" => {
                    self.expr(&call.receiver);
                    call.args.iter().for_each(|arg| self.expr(arg));
                }
                _ => self.kind(Kind::Vague),
            },
            // `u64::from(byte)`
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if path.path.segments.len() == 2 => {
                    let ty = path.path.segments[0].ident.to_string();
                    self.kind(if INTEGERS.contains(&&ty[..]) { Kind::Known(ty) } else { Kind::Vague });
                }
                _ => self.kind(Kind::Vague),
            },
            _ => self.kind(Kind::Vague),
        }
    }

    fn tail(&mut self, block: &syn::Block) {
        match block.stmts.last() {
            Some(syn::Stmt::Expr(tail, None)) => self.expr(tail),
            _ => {}
        }
    }

    fn kind(&mut self, kind: Kind) {
        self.kind = std::mem::take(&mut self.kind).max(kind);
    }
}

impl<'a> Visit<'a> for Groups {
    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        if !matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            let both: &[&Expr] = &[&binary.left, &binary.right];
            self.same(if is_shift(&binary.op) { &both[..1] } else { both }, Kind::Free);
        }
        syn::visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'a syn::ExprUnary) {
        if matches!(unary.op, UnOp::Neg(_)) {
            self.same(&[&unary.expr], Kind::Signed);
        }
        syn::visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        match (&*assign.left, &*assign.right) {
            (Expr::Tuple(left), Expr::Tuple(right)) => {
                for (left, right) in left.elems.iter().zip(&right.elems) {
                    self.same(&[left, right], Kind::Free);
                }
            }
            (left, right) => self.same(&[left, right], Kind::Free),
        }
        syn::visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_index(&mut self, index: &'a syn::ExprIndex) {
        let usize = Kind::Known("usize".to_owned());
        match unparen(&index.index) {
            Expr::Range(range) => {
                let ends: Vec<&Expr> = range.start.iter().chain(&range.end).map(|end| &**end).collect();
                self.same(&ends, usize);
            }
            other => self.same(&[other], usize),
        }
        syn::visit::visit_expr_index(self, index);
    }

    fn visit_expr_range(&mut self, range: &'a syn::ExprRange) {
        let ends: Vec<&Expr> = range.start.iter().chain(&range.end).map(|end| &**end).collect();
        self.same(&ends, Kind::Free);
        syn::visit::visit_expr_range(self, range);
    }

    fn visit_expr_for_loop(&mut self, repeat: &'a syn::ExprForLoop) {
        if let (Pat::Ident(name), Some(range)) = (&*repeat.pat, range_of(&repeat.expr)) {
            let name: Expr = syn::parse_quote!(#name);
            let ends = range.start.iter().chain(&range.end).map(|end| &**end);
            self.same(&ends.chain(std::iter::once(&name)).collect::<Vec<_>>(), Kind::Free);
        }
        syn::visit::visit_expr_for_loop(self, repeat);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let i32 = Kind::Known("i32".to_owned());
        let usize = Kind::Known("usize".to_owned());
        match &call.method.to_string()[..] {
            "powi" => call.args.iter().for_each(|arg| self.same(&[arg], i32.clone())),
            "swap" | "split_at" | "split_at_mut" | "truncate" | "resize" | "remove" | "insert" | "chunks"
            | "windows" => {
                call.args.iter().for_each(|arg| self.same(&[arg], usize.clone()));
            }
            "min" | "max" | "saturating_sub" | "rem_euclid" | "div_euclid" | "div_ceil" | "abs_diff" | "clamp" => {
                let all: Vec<&Expr> = std::iter::once(&*call.receiver).chain(&call.args).collect();
                self.same(&all, Kind::Free);
            }
            _ => call.args.iter().for_each(|arg| self.same(&[arg], Kind::Vague)),
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        call.args.iter().for_each(|arg| self.same(&[arg], Kind::Vague));
        syn::visit::visit_expr_call(self, call);
    }

    /// `vec![a + b; n]` and others that take expressions.
    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        let repeat = mac.parse_body::<super::sequence::VecRepeat>();
        let list = mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        match (repeat, list) {
            (Ok(repeat), _) => {
                self.same(&[&repeat.count], Kind::Known("usize".to_owned()));
                Groups::visit(self, &[repeat.value, repeat.count]);
            }
            (_, Ok(list)) => Groups::visit(self, &list.into_iter().collect::<Vec<_>>()),
            _ => {}
        }
    }

    fn visit_expr_match(&mut self, choice: &'a syn::ExprMatch) {
        self.same(&[&choice.expr], Kind::Free);
        syn::visit::visit_expr_match(self, choice);
    }

    fn visit_expr_struct(&mut self, literal: &'a syn::ExprStruct) {
        literal.fields.iter().for_each(|field| self.same(&[&field.expr], Kind::Vague));
        syn::visit::visit_expr_struct(self, literal);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        if let Some(init) = &local.init {
            let (pat, ty) = match &local.pat {
                Pat::Type(typed) => (&*typed.pat, integer(&typed.ty)),
                pat => (pat, None),
            };
            let kind = ty.map_or(Kind::Free, Kind::Known);
            self.bound(pat, &init.expr, &kind);
        }
        syn::visit::visit_local(self, local);
    }
}

impl Groups {
    fn visit(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| Visit::visit_expr(self, expr));
    }

    fn bound(&mut self, pat: &Pat, value: &Expr, kind: &Kind) {
        match (pat, unparen(value)) {
            (Pat::Ident(name), value) => {
                let name = &name.ident;
                let name: Expr = syn::parse_quote!(#name);
                self.same(&[&name, value], kind.clone());
            }
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                for (pat, value) in pats.elems.iter().zip(&values.elems) {
                    self.bound(pat, value, &Kind::Free);
                }
            }
            _ => {}
        }
    }
}

fn integer(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(reference) => integer(&reference.elem),
        Type::Path(path) => path.path.get_ident().map(ToString::to_string).filter(|ty| INTEGERS.contains(&&ty[..])),
        _ => None,
    }
}

/// `a..b`, `(a..b).rev()`
fn range_of(expr: &Expr) -> Option<&syn::ExprRange> {
    match unparen(expr) {
        Expr::Range(range) if matches!(range.limits, RangeLimits::HalfOpen(_) | RangeLimits::Closed(_)) => Some(range),
        Expr::MethodCall(call) if call.args.is_empty() => range_of(&call.receiver),
        _ => None,
    }
}

fn is_condition(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::And(_)
            | BinOp::Or(_)
    )
}

fn is_shift(op: &BinOp) -> bool {
    matches!(op, BinOp::Shl(_) | BinOp::Shr(_) | BinOp::ShlAssign(_) | BinOp::ShrAssign(_))
}
