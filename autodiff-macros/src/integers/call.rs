//! Calls of functions, and values of structs and enums.

use super::Inference;
use super::declared::{Callee, Names};
use super::expr::{bare, turbofish};
use super::types::{Id, Shape, last};
use crate::parse::ty::INTEGERS;
use quote::ToTokens;
use std::rc::Rc;
use syn::{Expr, ExprCall, Path, PathArguments};

impl Inference<'_> {
    pub fn call(&mut self, call: &ExprCall) -> Id {
        let function = bare(&call.func);
        let Expr::Path(syn::ExprPath { path, qself: None, .. }) = function else {
            let ty = self.expr(function);
            let Shape::Callable(params, result) = self.types.shape(ty) else { return self.unknown_call(call) };
            return self.called(call, &Callee { params, result });
        };
        if let Some(ty) = path.get_ident().and_then(|name| self.lookup(&name.to_string())) {
            return match self.types.shape(ty) {
                Shape::Callable(params, result) => self.called(call, &Callee { params, result }),
                _ => self.unknown_call(call),
            };
        }
        if let Some(result) = self.variant_of_std(path, call) {
            return result;
        }
        if let Some(callee) = self.known_callee(path) {
            // The parameter says the type of a literal.
            call.args.iter().for_each(|arg| self.leave(arg));
            return self.called(call, &callee);
        }
        if let Some(result) = self.function_of_std(path, call) {
            return result;
        }
        if let Some(result) = self.constructor(path, call) {
            return result;
        }
        self.unknown_call(call)
    }

    fn called(&mut self, call: &ExprCall, callee: &Callee) -> Id {
        for (k, arg) in call.args.iter().enumerate() {
            match callee.params.get(k) {
                Some(param) => self.argument(arg, *param),
                None => {
                    self.expr(arg);
                }
            }
        }
        callee.result
    }

    /// An argument for a parameter of a known type; a closure learns its parameters from it.
    pub fn argument(&mut self, arg: &Expr, param: Id) {
        match (bare(arg), self.types.shape(param)) {
            (Expr::Closure(closure), Shape::Callable(params, result)) => {
                let value = self.closure(closure, &params);
                self.types.unify(value, result);
            }
            _ => {
                let value = self.expr(arg);
                self.types.unify(value, param);
            }
        }
    }

    fn unknown_call(&mut self, call: &ExprCall) -> Id {
        call.args.iter().for_each(|arg| self.passed_on(arg));
        self.types.unknown()
    }

    /// What is known of a function by its relay, or by the file.
    fn known_callee(&mut self, path: &Path) -> Option<Callee> {
        if let Some(info) = self.knowledge.find_fn(path) {
            let mut names = Names::new();
            for generic in &info.generics {
                let ty = match generic.kind {
                    crate::relay::GenericKind::Number => self.types.float(),
                    _ => self.types.unknown(),
                };
                names.insert(generic.name.clone(), ty);
            }
            let params = info.params.iter().map(|param| self.declared(&param.ty, &names)).collect();
            let result = self.declared(&info.result, &names);
            return Some(Callee { params, result });
        }
        if let Some(source) = self.knowledge.find_higher_order(path) {
            let item: syn::ItemFn = syn::parse2(source).ok()?;
            return Some(self.signature(&item.sig, None));
        }
        let source = self.source.clone()?;
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let is_upper = |name: &String| name.starts_with(char::is_uppercase);
        let (key, this) = match &names[..] {
            [name] => (name.clone(), None),
            [.., owner, name] if is_upper(owner) => {
                let owner_path = self.owner(path)?;
                let this = self.named(owner_path);
                (format!("{owner}::{name}"), Some(this))
            }
            [.., module, name] if matches!(&module[..], "self" | "super" | "crate") => (name.clone(), None),
            _ => return None,
        };
        let sig = source.signature(&key)?;
        let callee = self.signature(&sig, this);
        callee.params.iter().chain([&callee.result]).for_each(|ty| self.types.note_inferred(*ty));
        Some(callee)
    }

    /// `Vec3` of `geometry::Vec3::new`
    fn owner(&self, path: &Path) -> Option<Path> {
        let mut owner = path.clone();
        owner.segments.pop()?;
        owner.segments.pop_punct();
        Some(owner)
    }

    /// The type of a path, with new variables where it has arguments that are not written.
    pub fn named(&mut self, path: Path) -> Id {
        if let Some(known) = path.get_ident().and_then(|name| self.names.get(&name.to_string())) {
            return *known;
        }
        let written = match path.segments.last().map(|last| last.arguments.clone()) {
            Some(PathArguments::AngleBracketed(args)) => args.args.len(),
            _ => 0,
        };
        if written > 0 {
            return self.declared(&syn::Type::Path(syn::TypePath { qself: None, path }), &Names::new());
        }
        let count = match self.knowledge.find_struct(&path) {
            Some(info) => info.generics.iter().filter(|param| param.kind != crate::relay::GenericKind::Size).count(),
            None => 0,
        };
        let args = (0..count).map(|_| self.types.open()).collect();
        self.types.of(Shape::Named(Rc::new(path), args))
    }

    /// `Some(x)`, `Ok(x)`, `Err(x)`
    fn variant_of_std(&mut self, path: &Path, call: &ExprCall) -> Option<Id> {
        let (name, [arg]) = (last(path), &call.args.iter().collect::<Vec<_>>()[..]) else { return None };
        let shape = match &name[..] {
            "Some" | "Ok" | "Err" => {
                let value = self.expr(arg);
                let other = self.types.open();
                match &name[..] {
                    "Some" => Shape::Option(value),
                    "Ok" => Shape::Result(value, other),
                    _ => Shape::Result(other, value),
                }
            }
            _ => return None,
        };
        Some(self.types.of(shape))
    }

    fn function_of_std(&mut self, path: &Path, call: &ExprCall) -> Option<Id> {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let args: Vec<&Expr> = call.args.iter().collect();
        let (owner, name) = match &names[..] {
            [.., owner, name] => (&owner[..], &name[..]),
            [name] => ("", &name[..]),
            [] => return None,
        };
        if INTEGERS.contains(&owner) {
            let this = self.types.integer(owner);
            return Some(match name {
                // Without loss, from a smaller one.
                "from" => {
                    args.iter().for_each(|arg| {
                        self.expr(arg);
                    });
                    this
                }
                "try_from" => {
                    args.iter().for_each(|arg| {
                        self.expr(arg);
                    });
                    let error = self.types.open();
                    self.types.of(Shape::Result(this, error))
                }
                _ => {
                    let (receiver, rest) = args.split_first()?;
                    self.in_place(receiver, this);
                    self.integer_method(name, this, rest).unwrap_or_else(|| self.unknown_args(rest))
                }
            });
        }
        if owner == "f32" || owner == "f64" {
            for (k, arg) in args.iter().enumerate() {
                match (name, k) {
                    ("powi", 1) => {
                        let i32 = self.types.integer("i32");
                        self.in_place(arg, i32);
                    }
                    ("from", _) => {
                        let value = self.expr(arg);
                        self.types.note_signed(value);
                    }
                    _ => {
                        self.expr(arg);
                    }
                }
            }
            return Some(self.types.float());
        }
        Some(match (owner, name, &args[..]) {
            ("" | "cmp", "max" | "min", [left, right]) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.types.unify(left, right);
                left
            }
            ("mem", "swap", [left, right]) | ("" | "mem", "swap" | "replace", [left, right]) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.types.unify(left, right);
                if name == "swap" { self.types.plain() } else { left }
            }
            ("" | "mem", "take", [place]) => self.expr(place),
            ("Box" | "Rc" | "Arc", "new", [value]) => self.expr(value),
            ("Vec" | "VecDeque", "new", []) => {
                let elem = self.element_of_turbofish(path);
                self.types.of(Shape::Seq(elem))
            }
            ("Vec" | "VecDeque", "with_capacity", [count]) => {
                let usize = self.types.usize();
                self.in_place(count, usize);
                let elem = self.element_of_turbofish(path);
                self.types.of(Shape::Seq(elem))
            }
            ("Vec" | "VecDeque", "from", [values]) => self.expr(values),
            ("array" | "", "from_fn", [function]) if owner == "array" => {
                let usize = self.types.usize();
                let elem = self.given(function, &[usize]);
                self.types.of(Shape::Seq(elem))
            }
            ("iter", "repeat" | "once", [value]) => {
                let value = self.expr(value);
                self.types.of(Shape::Iter(value))
            }
            ("iter", "from_fn", [function]) => {
                let value = self.given(function, &[]);
                match self.types.shape(value) {
                    Shape::Option(item) => self.types.of(Shape::Iter(item)),
                    _ => self.types.unknown(),
                }
            }
            ("iter", "successors", [first, function]) => {
                let first = self.expr(first);
                let item = self.types.open();
                let option = self.types.of(Shape::Option(item));
                self.types.unify(option, first);
                let next = self.given(function, &[item]);
                self.types.unify(next, first);
                self.types.of(Shape::Iter(item))
            }
            ("", "stop_gradient", [value]) | (_, "identity" | "black_box", [value])
                if !owner.is_empty() || name == "stop_gradient" =>
            {
                self.expr(value)
            }
            ("Cell" | "RefCell", "new", [value]) => {
                let value = self.expr(value);
                let path: Path = syn::parse_str(owner).ok()?;
                self.types.of(Shape::Named(Rc::new(path), vec![value]))
            }
            (_, "default", []) if matches!(owner, "Default") => self.types.open(),
            _ => return None,
        })
    }

    pub fn unknown_args(&mut self, args: &[&Expr]) -> Id {
        args.iter().for_each(|arg| self.passed_on(arg));
        self.types.unknown()
    }

    /// `f64` of `Vec::<f64>::new`
    fn element_of_turbofish(&mut self, path: &Path) -> Id {
        let args = path.segments.iter().find_map(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(args) => Some(args.clone()),
            _ => None,
        });
        match turbofish(args.as_ref(), 0) {
            Some(ty) => self.declared(ty, &Names::new()),
            None => self.types.open(),
        }
    }

    /// `P(1, 2.0)` of a tuple struct, or of a variant.
    fn constructor(&mut self, path: &Path, call: &ExprCall) -> Option<Id> {
        let is_upper = last(path).starts_with(char::is_uppercase);
        if !is_upper {
            return None;
        }
        let this = self.value_of_type(path);
        let args = match self.types.shape(this) {
            Shape::Named(_, args) => args,
            _ => Vec::new(),
        };
        for (k, arg) in call.args.iter().enumerate() {
            let member = syn::Member::Unnamed(k.into());
            let field = self
                .variant_field(path, &args, &member, None)
                .or_else(|| self.field_of(path, &args, &member, Some(this)));
            match field {
                Some(field) => self.argument(arg, field),
                None => {
                    let arg = self.expr(arg);
                    self.types.doubt(arg);
                }
            }
        }
        call.args.iter().for_each(|arg| self.leave(arg));
        Some(this)
    }

    /// The type of a struct or of an enum's variant, by the path of a value.
    pub fn value_of_type(&mut self, path: &Path) -> Id {
        let mut words = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (name, owner) = (words.next().unwrap_or_default(), words.next());
        if !name.starts_with(char::is_uppercase) {
            return self.types.unknown();
        }
        if name == "Self" {
            return self.named(path.clone());
        }
        let is_variant = owner.is_some_and(|owner| owner.starts_with(char::is_uppercase));
        match self.owner(path) {
            Some(owner) if is_variant => self.named(owner),
            _ => self.named(path.clone()),
        }
    }

    pub fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Id {
        let this = self.value_of_type(&literal.path);
        let args = match self.types.shape(this) {
            Shape::Named(_, args) => args,
            _ => Vec::new(),
        };
        for field in &literal.fields {
            let ty = self
                .variant_field(&literal.path, &args, &field.member, None)
                .or_else(|| self.field(this, &field.member));
            match ty {
                Some(ty) => self.argument(&field.expr, ty),
                None => {
                    let value = self.expr(&field.expr);
                    self.types.doubt(value);
                }
            }
        }
        if let Some(rest) = &literal.rest {
            let rest = self.expr(rest);
            self.types.unify(rest, this);
        }
        this
    }

    /// What a function gives for arguments of these types.
    pub fn given(&mut self, function: &Expr, params: &[Id]) -> Id {
        match bare(function) {
            Expr::Closure(closure) => self.closure(closure, params),
            Expr::Path(path) => {
                let local = path.path.get_ident().and_then(|name| self.lookup(&name.to_string()));
                let callee = match local.map(|local| self.types.shape(local)) {
                    Some(Shape::Callable(params, result)) => Some(Callee { params, result }),
                    Some(_) => None,
                    None => self.known_callee(&path.path),
                };
                if let Some(callee) = callee {
                    callee.params.iter().zip(params).for_each(|(own, given)| self.types.unify(*own, *given));
                    return callee.result;
                }
                match (&path.path.to_token_stream().to_string()[..], params) {
                    ("Some", [inner]) => self.types.of(Shape::Option(*inner)),
                    (name, _) if name.starts_with("f64 ::") || name.starts_with("f32 ::") => self.types.float(),
                    (_, params) => {
                        params.iter().for_each(|param| self.types.doubt(*param));
                        self.types.unknown()
                    }
                }
            }
            other => {
                let ty = self.expr(other);
                let Shape::Callable(own, result) = self.types.shape(ty) else {
                    params.iter().for_each(|param| self.types.doubt(*param));
                    return self.types.unknown();
                };
                own.iter().zip(params).for_each(|(own, given)| self.types.unify(*own, *given));
                result
            }
        }
    }
}
