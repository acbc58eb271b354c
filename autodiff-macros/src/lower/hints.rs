//! What type an integer is whose `let` does not say so.
//!
//! `let mut k = 0;` is of the type that its uses give it, which may come later, and so is the index of `for k in 0..3`. So
//! variables are put together that have to be of one type, since they are added, compared or assigned, or count from one
//! to the other; and one of them may have a type: a parameter, an index, an exponent, a length. If nothing is beside it,
//! an integer is an `i32`, as rustc has it; what is beside something that is not understood here is taken for an index.
//!
//! A variable is known by the place of its pattern in the syntax tree. Where the tree has been copied or parsed anew, all
//! variables of one name count as one.

mod groups;

use self::groups::{Groups, Kind};
use super::assign::unparen;
use crate::ir::Elem;
use crate::parse::ty::INTEGERS;
use crate::relay::Knowledge;
use std::collections::HashMap;
use syn::visit::Visit;
use syn::{BinOp, Expr, FnArg, ItemFn, Lit, Pat, PatIdent, RangeLimits, Type, UnOp};

/// The integers of a function.
pub struct Hints {
    groups: Vec<Kind>,
    /// The group of the variable that a pattern binds.
    places: HashMap<usize, usize>,
    /// All variables of one name.
    names: HashMap<String, Vec<usize>>,
}

impl Hints {
    pub fn of(function: &ItemFn, body: &syn::Block, knowledge: &Knowledge) -> Hints {
        let mut groups = Groups::new(knowledge);
        for param in function.sig.generics.const_params() {
            let id = groups.bind(&param.ident.to_string(), None);
            groups.note(id, integer(&param.ty).map_or(Kind::Vague, Kind::Known));
        }
        for input in &function.sig.inputs {
            if let FnArg::Typed(typed) = input {
                if let Pat::Ident(name) = &*typed.pat {
                    let id = groups.bind(&name.ident.to_string(), None);
                    groups.note(id, integer(&typed.ty).map_or(Kind::Vague, Kind::Known));
                }
            }
        }
        groups.scoped(|groups| {
            syn::visit::visit_block(groups, body);
            if let (syn::ReturnType::Type(_, ty), Some(syn::Stmt::Expr(tail, None))) =
                (&function.sig.output, body.stmts.last())
            {
                groups.same(&[tail], integer(ty).map_or(Kind::Free, Kind::Known));
            }
        });
        let kinds = (0..groups.parents.len()).map(|id| groups.kind_of(id)).collect();
        Hints { groups: kinds, places: groups.places, names: groups.names }
    }

    /// The type of a variable, if it is that of an integer.
    pub fn of_pattern(&self, pattern: &PatIdent) -> Elem {
        elem_of(self.kind(pattern))
    }

    /// The type of a variable that is an integer for sure.
    pub fn known(&self, pattern: &PatIdent) -> Option<Elem> {
        match self.kind(pattern) {
            Kind::Known(ty) => Some(Elem::Int(ty.as_str().into())),
            _ => None,
        }
    }

    /// The type of all variables of a name, and whether it is known.
    pub fn of_name(&self, name: &str) -> (Elem, bool) {
        let kind = self.kind_of_name(name);
        let known = matches!(kind, Kind::Known(_));
        (elem_of(kind), known)
    }

    fn kind(&self, pattern: &PatIdent) -> Kind {
        match self.places.get(&place(pattern)) {
            Some(id) => self.groups[*id].clone(),
            None => self.kind_of_name(&pattern.ident.to_string()),
        }
    }

    fn kind_of_name(&self, name: &str) -> Kind {
        let all = self.names.get(name);
        all.into_iter().flatten().map(|id| self.groups[*id].clone()).max().unwrap_or_default()
    }

    /// What is known of a part of the tree holds for a copy of it.
    pub fn copied(&mut self, from: &syn::ExprClosure, to: &syn::ExprClosure) {
        #[derive(Default)]
        struct Patterns(Vec<usize>);
        impl<'a> Visit<'a> for Patterns {
            fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
                self.0.push(place(pattern));
                syn::visit::visit_pat_ident(self, pattern);
            }
        }
        let [mut old, mut new] = [Patterns::default(), Patterns::default()];
        old.visit_expr_closure(from);
        new.visit_expr_closure(to);
        for (old, new) in old.0.iter().zip(new.0) {
            if let Some(id) = self.places.get(old) {
                self.places.insert(new, *id);
            }
        }
    }
}

/// The type of which a path is the largest or the smallest number.
fn limit_of(path: &syn::Path) -> Option<String> {
    let mut segments = path.segments.iter().rev();
    let (limit, ty) = (segments.next()?, segments.next()?.ident.to_string());
    (matches!(&limit.ident.to_string()[..], "MAX" | "MIN") && INTEGERS.contains(&&ty[..])).then_some(ty)
}

fn elem_of(kind: Kind) -> Elem {
    match kind {
        Kind::Known(ty) => Elem::Int(ty.as_str().into()),
        Kind::Vague => Elem::usize(),
        Kind::Signed | Kind::Free => Elem::Int("i32".into()),
    }
}

/// `value` in `Some(value)`.
pub fn some_of(call: &syn::ExprCall) -> Option<&Expr> {
    let Expr::Path(path) = unparen(&call.func) else { return None };
    (path.path.segments.last()?.ident == "Some" && call.args.len() == 1).then(|| &call.args[0])
}

/// `name` in the pattern `Some(name)`.
fn some_bound(pat: &Pat) -> Option<&PatIdent> {
    match pat {
        Pat::Reference(reference) => some_bound(&reference.pat),
        Pat::TupleStruct(tuple) if tuple.path.segments.last()?.ident == "Some" && tuple.elems.len() == 1 => {
            match &tuple.elems[0] {
                Pat::Ident(name) => Some(name),
                Pat::Reference(reference) => match &*reference.pat {
                    Pat::Ident(name) => Some(name),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}

/// Where a pattern stands in the syntax tree.
fn place(pattern: &PatIdent) -> usize {
    std::ptr::from_ref(pattern) as usize
}

/// What an integer is computed from.
struct Found<'g, 'k> {
    groups: &'g mut Groups<'k>,
    ids: Vec<usize>,
    kind: Kind,
}

impl Found<'_, '_> {
    fn expr(&mut self, expr: &Expr) {
        match unparen(expr) {
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) if name == "None" => {}
                Some(name) => {
                    let id = self.groups.id(&name.to_string());
                    self.ids.push(id);
                }
                // `usize::MAX`
                None => self.kind(limit_of(&path.path).map_or(Kind::Vague, Kind::Known)),
            },
            Expr::Lit(lit) => {
                if let Lit::Int(int) = &lit.lit {
                    if INTEGERS.contains(&int.suffix()) {
                        self.kind(Kind::Known(int.suffix().to_owned()));
                    }
                }
            }
            Expr::Field(field) => match part_of_tuple(field) {
                None => match field.member {
                    // Of a struct, it is not known here.
                    syn::Member::Named(_) => self.kind(Kind::Vague),
                    syn::Member::Unnamed(_) => {}
                },
                Some(part) => {
                    // It may be of a struct.
                    if !self.groups.names.contains_key(&part) {
                        self.kind(Kind::Vague);
                    }
                    let id = self.groups.id(&part);
                    self.ids.push(id);
                }
            },
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
            Expr::Match(choice) => {
                for arm in &choice.arms {
                    self.groups.scopes.push(HashMap::new());
                    self.groups.bind_all(&arm.pat);
                    self.expr(&arm.body);
                    self.groups.scopes.pop();
                }
            }
            // An array is of one type with its elements.
            Expr::Array(list) => list.elems.iter().for_each(|elem| self.expr(elem)),
            Expr::Repeat(repeat) => self.expr(&repeat.expr),
            Expr::Macro(call) if call.mac.path.is_ident("vec") => match crate::desugar::elements(&call.mac) {
                Some(elements) => elements.iter().for_each(|element| self.expr(element)),
                None => self.kind(Kind::Vague),
            },
            Expr::Index(index) => self.expr(&index.expr),
            Expr::MethodCall(call) => match &call.method.to_string()[..] {
                "len" | "count" => self.kind(Kind::Known("usize".to_owned())),
                "count_ones" | "leading_zeros" | "trailing_zeros" | "ilog2" => {
                    self.kind(Kind::Known("u32".to_owned()));
                }
                "pow" | "abs" | "signum" | "clone" | "unwrap" | "expect" | "iter" | "into_iter" | "rev" | "to_vec" => {
                    self.expr(&call.receiver)
                }
                "min" | "max" | "clamp" | "saturating_sub" | "saturating_add" | "wrapping_add" | "wrapping_sub"
                | "rem_euclid" | "div_euclid" | "div_ceil" | "abs_diff" => {
                    self.expr(&call.receiver);
                    call.args.iter().for_each(|arg| self.expr(arg));
                }
                _ => self.kind(Kind::Vague),
            },
            // An `Option` is of one type with what is in it.
            Expr::Call(call) if some_of(call).is_some() => self.expr(&call.args[0]),
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
        let Some(syn::Stmt::Expr(tail, None)) = block.stmts.last() else { return };
        self.groups.scopes.push(HashMap::new());
        for stmt in &block.stmts {
            if let syn::Stmt::Local(local) = stmt {
                self.groups.bind_all(&local.pat);
            }
        }
        self.expr(tail);
        self.groups.scopes.pop();
    }

    fn kind(&mut self, kind: Kind) {
        self.kind = std::mem::take(&mut self.kind).max(kind);
    }
}

impl<'a> Visit<'a> for Groups<'_> {
    fn visit_block(&mut self, block: &'a syn::Block) {
        self.scoped(|groups| syn::visit::visit_block(groups, block));
    }

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
            (left, right) => {
                if let (Expr::Path(path), false) = (left, matches!(right, Expr::Path(_))) {
                    path.path.get_ident().into_iter().for_each(|name| self.parts_of(&name.to_string(), right));
                }
                self.same(&[left, right], Kind::Free);
            }
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
            Expr::Array(list) => list.elems.iter().for_each(|elem| self.same(&[elem], usize.clone())),
            // Of a struct.
            Expr::Tuple(list) => list.elems.iter().for_each(|elem| self.same(&[elem], Kind::Vague)),
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
        self.visit_expr(&repeat.expr);
        self.scoped(|groups| {
            groups.bind_all(&repeat.pat);
            if let (Pat::Ident(name), Some(range)) = (&*repeat.pat, range_of(&repeat.expr)) {
                let index = groups.bind(&name.ident.to_string(), Some(place(name)));
                let ends: Vec<&Expr> = range.start.iter().chain(&range.end).map(|end| &**end).collect();
                // The ends mean what they mean outside.
                let inner = groups.scopes.pop();
                groups.same_as(Some(index), &ends, Kind::Free);
                groups.scopes.extend(inner);
            }
            groups.visit_block(&repeat.body);
        });
    }

    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.scoped(|groups| {
            for input in &closure.inputs {
                groups.bind_all(input);
                if let Pat::Type(typed) = input {
                    if let (Pat::Ident(name), Some(ty)) = (&*typed.pat, integer(&typed.ty)) {
                        let id = groups.bind(&name.ident.to_string(), Some(place(name)));
                        groups.note(id, Kind::Known(ty));
                    }
                }
            }
            groups.visit_expr(&closure.body);
        });
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.scoped(|groups| {
            groups.bind_all(&arm.pat);
            syn::visit::visit_arm(groups, arm);
        });
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let i32 = Kind::Known("i32".to_owned());
        let usize = Kind::Known("usize".to_owned());
        match &call.method.to_string()[..] {
            "powi" => call.args.iter().for_each(|arg| self.same(&[arg], i32.clone())),
            "pow" => call.args.iter().for_each(|arg| self.same(&[arg], Kind::Known("u32".to_owned()))),
            "swap" | "split_at" | "split_at_mut" | "truncate" | "remove" | "swap_remove" | "chunks" | "windows"
            | "nth" | "skip" | "take" | "step_by" | "rotate_left" | "rotate_right" | "split_off" => {
                call.args.iter().for_each(|arg| self.same(&[arg], usize.clone()));
            }
            "resize" | "insert" => {
                let mut args = call.args.iter();
                args.next().into_iter().for_each(|arg| self.same(&[arg], usize.clone()));
                args.for_each(|arg| self.same(&[arg], Kind::Vague));
            }
            "min" | "max" | "saturating_sub" | "rem_euclid" | "div_euclid" | "div_ceil" | "abs_diff" | "clamp" => {
                let all: Vec<&Expr> = std::iter::once(&*call.receiver).chain(&call.args).collect();
                self.same(&all, Kind::Free);
            }
            _ => call.args.iter().for_each(|arg| self.same(&[arg], Kind::Vague)),
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_let(&mut self, condition: &'a syn::ExprLet) {
        if let Some(name) = some_bound(&condition.pat) {
            let id = self.id(&name.ident.to_string());
            self.same_as(Some(id), &[&condition.expr], Kind::Free);
        }
        syn::visit::visit_expr_let(self, condition);
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        if let Some(inner) = some_of(call) {
            return self.visit_expr(inner);
        }
        let (mut info, mut kind, mut params) = (None, Kind::Vague, None);
        if let Expr::Path(function) = unparen(&call.func) {
            if let Some(name) = function.path.get_ident() {
                let id = self.id(&name.to_string());
                params = self.closures.get(&id).cloned();
            }
            info = self.knowledge.find_fn(&function.path);
            // What becomes a float without loss has at most 32 bits.
            let last = function.path.segments.last().map(|last| last.ident.to_string());
            if function.path.segments.len() == 2 && last.as_deref() == Some("from") {
                kind = Kind::Signed;
            }
        }
        for (k, arg) in call.args.iter().enumerate() {
            if let Some(Some(param)) = params.as_ref().and_then(|params| params.get(k)) {
                self.same_as(Some(*param), &[arg], Kind::Free);
                continue;
            }
            let param = info.as_ref().and_then(|info| info.params.get(k));
            let known = param.and_then(|param| integer(&param.ty)).map(Kind::Known);
            self.same(&[arg], known.unwrap_or_else(|| kind.clone()));
        }
        syn::visit::visit_expr_call(self, call);
    }

    /// `vec![a + b; n]` and others that take expressions.
    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        let repeat = mac.parse_body::<crate::desugar::VecRepeat>();
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
        for name in choice.arms.iter().filter_map(|arm| some_bound(&arm.pat)) {
            self.scopes.push(HashMap::new());
            let id = self.bind(&name.ident.to_string(), Some(place(name)));
            self.scopes.pop();
            self.same_as(Some(id), &[&choice.expr], Kind::Free);
        }
        syn::visit::visit_expr_match(self, choice);
    }

    fn visit_expr_struct(&mut self, literal: &'a syn::ExprStruct) {
        literal.fields.iter().for_each(|field| self.same(&[&field.expr], Kind::Vague));
        syn::visit::visit_expr_struct(self, literal);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        let Some(init) = &local.init else {
            self.bind_all(&local.pat);
            return self.declare(&local.pat);
        };
        self.visit_expr(&init.expr);
        if let Some((_, diverge)) = &init.diverge {
            self.visit_expr(diverge);
        }
        // The value does not see the new names.
        self.bound(&local.pat, &init.expr);
        if let (Pat::Ident(name), Expr::Closure(closure)) = (&local.pat, unparen(&init.expr)) {
            let params = closure.inputs.iter().map(|input| self.parameter(input)).collect();
            let id = self.bind(&name.ident.to_string(), Some(place(name)));
            self.closures.insert(id, params);
        }
        self.bind_all(&local.pat);
        self.declare(&local.pat);
    }
}

impl Groups<'_> {
    /// These are of one type, and of this one if there is one.
    fn same(&mut self, exprs: &[&Expr], kind: Kind) {
        self.same_as(None, exprs, kind);
    }

    fn same_as(&mut self, variable: Option<usize>, exprs: &[&Expr], kind: Kind) {
        let mut found = Found { groups: self, ids: variable.into_iter().collect(), kind };
        for expr in exprs {
            found.expr(expr);
        }
        let Found { ids, kind, .. } = found;
        if let Some((first, rest)) = ids.split_first() {
            for other in rest {
                self.join(*first, *other);
            }
            self.note(*first, kind);
        }
    }

    fn visit(&mut self, exprs: &[Expr]) {
        let before = std::mem::replace(&mut self.passing, true);
        exprs.iter().for_each(|expr| Visit::visit_expr(self, expr));
        self.passing = before;
    }

    /// The variable that a closure's parameter is.
    fn parameter(&mut self, input: &Pat) -> Option<usize> {
        match input {
            Pat::Type(typed) => self.parameter(&typed.pat),
            Pat::Reference(reference) => self.parameter(&reference.pat),
            Pat::Ident(name) => self.places.get(&place(name)).copied(),
            _ => None,
        }
    }

    fn declare(&mut self, pat: &Pat) {
        if let Pat::Type(typed) = pat {
            if let (Pat::Ident(name), Some(ty)) = (&*typed.pat, integer(&typed.ty)) {
                let id = self.bind(&name.ident.to_string(), Some(place(name)));
                self.note(id, Kind::Known(ty));
            }
        }
    }

    /// The parts of the tuples that an expression ends with.
    fn parts_of(&mut self, name: &str, expr: &Expr) {
        match unparen(expr) {
            Expr::Tuple(values) => self.parts(name, values),
            Expr::If(choice) => {
                self.parts_of_block(name, &choice.then_branch);
                choice.else_branch.iter().for_each(|(_, other)| self.parts_of(name, other));
            }
            Expr::Block(block) => self.parts_of_block(name, &block.block),
            Expr::Match(choice) => {
                for arm in &choice.arms {
                    self.scopes.push(HashMap::new());
                    self.bind_all(&arm.pat);
                    self.parts_of(name, &arm.body);
                    self.scopes.pop();
                }
            }
            _ => {}
        }
    }

    fn parts_of_block(&mut self, name: &str, block: &syn::Block) {
        self.scopes.push(HashMap::new());
        for stmt in &block.stmts {
            match stmt {
                syn::Stmt::Local(local) => self.bind_all(&local.pat),
                syn::Stmt::Expr(value, None) => self.parts_of(name, value),
                _ => {}
            }
        }
        self.scopes.pop();
    }

    /// The parts of a tuple that a variable of this name is.
    fn parts(&mut self, name: &str, values: &syn::ExprTuple) {
        for (k, value) in values.elems.iter().enumerate() {
            let id = self.id(&part(name, k));
            self.same_as(Some(id), &[value], Kind::Free);
        }
    }

    fn bound(&mut self, pat: &Pat, value: &Expr) {
        match (pat, unparen(value)) {
            (Pat::Type(typed), value) => self.bound(&typed.pat, value),
            (Pat::Reference(reference), value) => self.bound(&reference.pat, value),
            (Pat::Ident(name), value) => {
                self.scopes.push(HashMap::new());
                let id = self.bind(&name.ident.to_string(), Some(place(name)));
                self.scopes.pop();
                match value {
                    Expr::Tuple(values) => self.parts(&name.ident.to_string(), values),
                    value => self.same_as(Some(id), &[value], Kind::Free),
                }
            }
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                for (pat, value) in pats.elems.iter().zip(&values.elems) {
                    self.bound(pat, value);
                }
            }
            _ => {}
        }
    }
}

/// What a part of a tuple is called here, `best.0`. All variables of one name are one.
pub fn part(name: &str, k: usize) -> String {
    format!("{name}.{k}")
}

fn part_of_tuple(field: &syn::ExprField) -> Option<String> {
    match (unparen(&field.base), &field.member) {
        (Expr::Path(path), syn::Member::Unnamed(index)) => {
            Some(part(&path.path.get_ident()?.to_string(), index.index as usize))
        }
        _ => None,
    }
}

/// The type of an integer, or of the integers in an array.
fn integer(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(reference) => integer(&reference.elem),
        Type::Array(array) => integer(&array.elem),
        Type::Slice(slice) => integer(&slice.elem),
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
