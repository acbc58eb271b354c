//! Functions that make a `Vec` longer or shorter which they are lent.
//!
//! Note [Vecs that a callee makes longer]. `fn fill(out: &mut Vec<f64>, x: f64) { out.push(x); }` gives `out` back with another
//! length, and with the cotangents of more elements than it was given. So its derivatives are those of a function that takes the
//! `Vec` and returns it,
//!
//! ```text
//! fn fill(mut out: Vec<f64>, x: f64) -> Vec<f64> { out.push(x); out }
//! ```
//!
//! and a call `fill(&mut v, x)` is `v = fill(v, x)` to a caller. `fill` itself stays as it is; the other function is
//! `fill::__value`, and `fill::jvp` and the others take what it takes. A struct whose field gets longer is the same:
//! `fn record(&mut self, x: f64) { self.xs.push(x); }`. What it gives besides stands behind what has changed: `(Vec<f64>, f64)`.
//!
//! Which parameters these are is decided here, once for a function, by its body and by the functions of its file that it hands
//! them on to; the relay tells callers. A struct has the fields that the file says; what it does not say changes no length, and
//! lowering refuses it then.

use super::Source;
use super::names::last_name;
use crate::methods::{function_name, self_name};
use crate::parse::ty::generic_args;
use std::collections::{BTreeSet, HashMap, HashSet};
use syn::visit::Visit;
use syn::{Attribute, Block, Expr, FnArg, GenericArgument, Ident, Pat, Signature, Type, UnOp};

/// The methods that change how long a `Vec` is.
const GROWING: &[&str] = &[
    "append",
    "clear",
    "dedup",
    "drain",
    "extend",
    "extend_from_slice",
    "insert",
    "pop",
    "pop_back",
    "pop_front",
    "push",
    "push_back",
    "push_front",
    "remove",
    "resize",
    "retain",
    "split_off",
    "swap_remove",
    "truncate",
];

/// Whether a method changes the length of its receiver.
pub fn is_growing(method: &Ident) -> bool {
    GROWING.iter().any(|name| method == name)
}

/// The parameters that functions make longer or shorter, by the names of the functions, and of methods by those of their relays.
pub type Grown = HashMap<String, BTreeSet<usize>>;

impl Source {
    /// Finds out of all functions of a file what they make longer, until nothing is new.
    pub(super) fn collect_grown(&mut self, file: &syn::File) {
        let mut functions = Functions { owner: None, found: Vec::new() };
        functions.visit_file(file);
        loop {
            let count = |grown: &Grown| grown.values().map(BTreeSet::len).sum::<usize>();
            let before = count(&self.grown);
            for (name, sig, block, owner) in &functions.found {
                let grown = self.grown_by(sig, block, *owner);
                if !grown.is_empty() {
                    self.grown.entry(name.clone()).or_default().extend(grown);
                }
            }
            if before == count(&self.grown) {
                return;
            }
        }
    }

    /// The parameters of a function that it makes longer or shorter.
    pub fn grown_by(&self, sig: &Signature, block: &Block, owner: Option<&Type>) -> BTreeSet<usize> {
        let mut lent = HashMap::new();
        for (k, input) in sig.inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(this) if this.reference.is_some() && this.mutability.is_some() => {
                    lent.extend(owner.map(|owner| ("self".to_owned(), (k, owner.clone()))));
                }
                FnArg::Typed(input) => {
                    let (Pat::Ident(name), Type::Reference(to)) = (&*input.pat, &*input.ty) else { continue };
                    let is_passive = input.attrs.iter().any(|attr: &Attribute| attr.path().is_ident("no_diff"));
                    if to.mutability.is_some() && !is_passive && can_grow(&to.elem) {
                        lent.insert(name.ident.to_string(), (k, (*to.elem).clone()));
                    }
                }
                FnArg::Receiver(_) => {}
            }
        }
        if lent.is_empty() {
            return BTreeSet::new();
        }
        let mut bound = Bound(HashSet::new());
        bound.visit_block(block);
        lent.retain(|name, _| !bound.0.contains(name));
        let mut body = Body { source: self, lent, grown: BTreeSet::new() };
        body.visit_block(block);
        body.grown
    }
}

/// The names that patterns bind: another variable may have the name of a parameter.
struct Bound(HashSet<String>);

impl<'a> Visit<'a> for Bound {
    fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
        self.0.insert(pat.ident.to_string());
        syn::visit::visit_pat_ident(self, pat);
    }
}

/// Whether it is a `Vec` of what may have a derivative, or a type of the user's.
fn can_grow(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    match &generic_args(&path.path)[..] {
        [GenericArgument::Type(inner)] if is_list(ty) => !is_discrete(inner),
        _ => path.qself.is_none() && path.path.get_ident().is_some_and(|name| !is_number(name)),
    }
}

fn is_number(name: &Ident) -> bool {
    crate::tokens::PRIMITIVES.iter().any(|number| name == number)
}

fn is_discrete(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.get_ident().is_some_and(|name| is_number(name) && name != "f64" && name != "f32"),
        Type::Array(array) => is_discrete(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_discrete),
        _ => false,
    }
}

fn is_list(ty: &Type) -> bool {
    last_name(ty).is_some_and(|name| name == "Vec" || name == "VecDeque")
}

/// All functions of a file, with the types that they belong to.
struct Functions<'a> {
    owner: Option<&'a Type>,
    found: Vec<(String, &'a Signature, &'a Block, Option<&'a Type>)>,
}

impl<'a> Visit<'a> for Functions<'a> {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.found.push((item.sig.ident.to_string(), &item.sig, &item.block, None));
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        let before = self.owner.replace(&block.self_ty);
        syn::visit::visit_item_impl(self, block);
        self.owner = before;
    }

    fn visit_impl_item_fn(&mut self, method: &'a syn::ImplItemFn) {
        let owner = self.owner;
        if let Some(name) = owner.and_then(self_name) {
            let name = function_name(&name, &method.sig.ident).to_string();
            self.found.push((name, &method.sig, &method.block, owner));
        }
        syn::visit::visit_impl_item_fn(self, method);
    }
}

/// What a body does with what it is lent.
struct Body<'s> {
    source: &'s Source,
    /// Its parameters by their names, with their types.
    lent: HashMap<String, (usize, Type)>,
    grown: BTreeSet<usize>,
}

impl Body<'_> {
    /// The parameter that a place is, or a field of, and its type.
    fn place(&self, expr: &Expr) -> Option<(usize, Type)> {
        match expr {
            Expr::Path(path) => self.lent.get(&path.path.get_ident()?.to_string()).cloned(),
            Expr::Paren(inner) => self.place(&inner.expr),
            Expr::Group(inner) => self.place(&inner.expr),
            Expr::Unary(deref) if matches!(deref.op, UnOp::Deref(_)) => self.place(&deref.expr),
            Expr::Reference(borrow) if borrow.mutability.is_some() => self.place(&borrow.expr),
            Expr::Field(field) => {
                let (root, ty) = self.place(&field.base)?;
                Some((root, self.source.type_of_field(&ty, &field.member)?))
            }
            _ => None,
        }
    }

    fn is_list(&self, expr: &Expr) -> Option<usize> {
        self.place(expr).filter(|(_, ty)| is_list(ty)).map(|(root, _)| root)
    }

    /// What a function is handed.
    fn argument(&mut self, function: &str, k: usize, arg: &Expr) {
        if let (true, Some((root, _))) =
            (self.source.grown.get(function).is_some_and(|grown| grown.contains(&k)), self.place(arg))
        {
            self.grown.insert(root);
        }
    }
}

impl<'a> Visit<'a> for Body<'_> {
    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        syn::visit::visit_expr_method_call(self, call);
        let method = call.method.to_string();
        if is_growing(&call.method) {
            self.grown.extend(self.is_list(&call.receiver));
            let others = call.args.iter().filter(|_| method == "append");
            let others: Vec<usize> = others.filter_map(|arg| self.is_list(arg)).collect();
            self.grown.extend(others);
        }
        if let Some(owner) = self.place(&call.receiver).and_then(|(_, ty)| self_name(&ty)) {
            let function = function_name(&owner, &call.method).to_string();
            self.argument(&function, 0, &call.receiver);
            call.args.iter().enumerate().for_each(|(k, arg)| self.argument(&function, k + 1, arg));
        }
    }

    fn visit_expr_call(&mut self, call: &'a syn::ExprCall) {
        syn::visit::visit_expr_call(self, call);
        let Expr::Path(function) = &*call.func else { return };
        let names: Vec<&Ident> = function.path.segments.iter().map(|segment| &segment.ident).collect();
        let name = match &names[..] {
            [.., of, _] if *of == "mem" => {
                let taken: Vec<usize> = call.args.iter().filter_map(|arg| self.is_list(arg)).collect();
                return self.grown.extend(taken);
            }
            [.., owner, name] if owner.to_string().starts_with(char::is_uppercase) => {
                function_name(owner, name).to_string()
            }
            [.., name] => name.to_string(),
            [] => return,
        };
        call.args.iter().enumerate().for_each(|(k, arg)| self.argument(&name, k, arg));
    }

    /// `*out = vec![…]`
    fn visit_expr_assign(&mut self, assign: &'a syn::ExprAssign) {
        syn::visit::visit_expr_assign(self, assign);
        let is_new = match &*assign.right {
            Expr::Macro(made) => made.mac.path.is_ident("vec"),
            Expr::Call(call) => matches!(&*call.func, Expr::Path(path)
                if path.path.segments.len() > 1 && path.path.segments.first().is_some_and(|first| first.ident == "Vec")),
            _ => false,
        };
        if is_new {
            self.grown.extend(self.is_list(&assign.left));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(text: &str) -> Vec<(String, Vec<usize>)> {
        let source = Source::read(text);
        let mut all: Vec<_> =
            source.grown.iter().map(|(name, at)| (name.clone(), at.iter().copied().collect())).collect();
        all.sort();
        all
    }

    #[test]
    fn parameters_that_get_longer() {
        let text = "struct C { xs: Vec<f64>, s: Stack } struct Stack { n: usize } struct D { c: C }
            impl Stack { fn push(&mut self, x: f64) { self.n += 1; } }
            impl C { fn a(&mut self, x: f64) { self.xs.push(x); } fn b(&mut self) { self.s.push(1.0); self.xs[0] = 1.0; } }
            impl D { fn c(&mut self) { self.c.a(1.0); } fn d(&mut self) { self.c.b(); } }
            fn f(x: f64, out: &mut Vec<f64>) { out.push(x); }
            fn g(out: &mut Vec<f64>, n: usize) { if n > 0 { f(1.0, out); } }
            fn h(out: &mut Vec<f64>, v: &mut Vec<usize>) { out[0] = 1.0; v.push(1); for o in out.iter_mut() {} }
            fn i(c: &mut C) { f(1.0, &mut c.xs); }
            fn j(out: &mut Vec<f64>) { let out = vec![1.0]; out.push(1.0); }
            fn k(a: &mut Vec<f64>, b: &mut Vec<f64>, c: &mut Vec<f64>) { a.append(b); *c = vec![0.0; 3]; }
            fn l(#[no_diff] out: &mut Vec<f64>) { out.push(1.0); }";
        let expected =
            [("C_a", vec![0]), ("D_c", vec![0]), ("f", vec![1]), ("g", vec![0]), ("i", vec![0]), ("k", vec![0, 1, 2])];
        assert_eq!(grown(text), expected.map(|(name, at)| (name.to_owned(), at)));
    }
}
