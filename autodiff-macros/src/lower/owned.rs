//! Calls of the methods of structs: `robot.energy(q)`, `Robot::energy(&robot, q)`. What is called is the function that
//! stands for the method, see [`crate::methods`], at the path of the type as it is written here.

use super::Lower;
use super::assign::unparen;
use super::call::{integer, strip_borrow};
use super::conversion::is_into;
use super::passive_pattern::bound_choice;
use super::plain::changes;
use super::value::{Lowered, Reported, Untyped, Value, dereferenced};
use crate::diag::Error;
use crate::ir::mentions_late;
use crate::layout::Kind;
use crate::methods::function_name;
use crate::op::elementwise;
use crate::parse::tokens::referent;
use crate::parse::ty::{StructType, Surface, generic_args};
use crate::relay::{ParamInfo, without_arguments};
use crate::tokens::spelled;
use quote::quote;
use syn::{Expr, ExprCall, ExprMethodCall, Ident, Path, Type};

/// Types whose associated functions are not the user's.
const FOREIGN: &[&str] = &["Box", "Rc", "Arc", "Option", "Some", "Result", "Vec", "String", "Default", "Self"];

impl Lower<'_> {
    /// A call of a method, if the receiver is a struct or a parameter that is only passed on.
    pub(super) fn owned_method(&mut self, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        if matches!(&call.method.to_string()[..], "clone" | "to_owned" | "as_ref") {
            return None;
        }
        match receiver {
            Value::Parts(Kind::Struct(ty), _) if ty.is_plain() => self.method_of_plain(ty, call, receiver),
            Value::Parts(Kind::Struct(ty), _) => self.method_of(&ty.path, call, receiver),
            Value::Other(tokens) | Value::Untyped(Untyped { tokens, number: None, .. })
                if matches!(receiver, Value::Other(_))
                    || bound_choice(tokens).is_some()
                    || self.is_called(tokens)
                    || self.is_of_users(tokens) =>
            {
                // It may have another name here.
                let written: Option<Expr> = syn::parse2(tokens.clone()).ok();
                let owner = written.and_then(|written| self.passive_owner(&written));
                let owner = owner.or_else(|| self.passive_owner(&call.receiver));
                let owner = owner.or_else(|| self.owner_by_method(&call.method))?;
                Some(self.method_of_passive(&owner, call, &Value::Other(tokens.clone())))
            }
            _ => None,
        }
    }

    /// A method of a type of the user's.
    fn method_of(&mut self, owner: &Path, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        let mut path = function_path(owner, &call.method)?;
        if let (Some(turbofish), Some(last)) = (&call.turbofish, path.segments.last_mut()) {
            last.arguments = syn::PathArguments::AngleBracketed(turbofish.clone());
        }
        Some(self.call_owned(call, &path, receiver.clone()))
    }

    fn method_of_plain(&mut self, ty: &StructType, call: &ExprMethodCall, receiver: &Value) -> Option<Lowered<Value>> {
        match self.method_of_enum(ty, &call.method) {
            Some(sig) if changes(&sig) => Some(self.changed_plain(call, receiver, &sig)),
            Some(_) => Some(self.method_of_passive(&ty.path, call, receiver)),
            None if self.learn_object(&call.receiver) => Some(Err(Reported)),
            // Behind a reference, so that rustc refuses a method that would change it.
            None => {
                let tokens = self.passive_tokens(receiver)?;
                Some(self.method_of_passive(&ty.path, call, &Value::Other(quote!((&#tokens)))))
            }
        }
    }

    /// A method of what is only passed on: what only inactive values go into stays as it is.
    fn method_of_passive(&mut self, owner: &Path, call: &ExprMethodCall, receiver: &Value) -> Lowered<Value> {
        self.scoped(|lower| {
            let mut call = call.clone();
            for (k, arg) in call.args.iter_mut().enumerate() {
                *arg = lower.named_once(arg, &format!("__autodiff_arg_{k}"))?;
            }
            let args: Vec<&Expr> = call.args.iter().collect();
            let active = args.iter().any(|arg| matches!(lower.expr(arg), Ok(value) if lower.is_active(&value)));
            match if active { lower.method_of(owner, &call, receiver) } else { None } {
                Some(value) => value,
                None => lower.method(&call, &call.method, (&call.receiver, receiver.clone()), &args),
            }
        })
    }

    /// Whether a method is one of the user's that takes `&mut self`.
    pub(super) fn changes_receiver(&self, receiver: &Expr, method: &Ident) -> bool {
        let Some(Value::Parts(Kind::Struct(ty), _)) = self.named(receiver) else { return false };
        if ty.is_plain() {
            return self.method_of_enum(&ty, method).is_some_and(|sig| changes(&sig));
        }
        let path = function_path(&ty.path, method);
        if path.as_ref().and_then(|path| self.place_function(path)).is_some_and(|function| function.is_mutable()) {
            return true;
        }
        let info = path.and_then(|path| self.knowledge.find_fn(&path));
        info.is_some_and(|info| info.params.first().is_some_and(ParamInfo::is_mutable))
    }

    /// `<Square as Shape>::area(&square)`, `Shape::area(&square)`: the function that stands for the method, which is the trait's.
    pub(super) fn trait_call(
        &mut self,
        call: &ExprCall,
        function: &syn::ExprPath,
        expected: Option<&Surface>,
    ) -> Option<Lowered<Value>> {
        let [.., of, method] = &function.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let of = of.ident.to_string();
        let owner = match &function.qself {
            Some(qself) => match &*qself.ty {
                Type::Path(ty) if ty.qself.is_none() && qself.position + 1 == function.path.segments.len() => {
                    ty.path.clone()
                }
                _ => return None,
            },
            None if self.source.as_ref().is_some_and(|source| source.defines_trait(&of)) => {
                match self.expr(strip_borrow(call.args.first()?)) {
                    Ok(Value::Parts(Kind::Struct(ty), _)) if !ty.has_optional_value() => without_arguments(&ty.path),
                    _ => return None,
                }
            }
            None => return None,
        };
        let beside = function_path(&owner, &method.ident)?;
        if let Err(reported) = self.is_of_trait(&method.ident, &beside, &[of]) {
            return Some(Err(reported));
        }
        let (args, method) = (&call.args, &method.ident);
        Some(self.call(&syn::parse_quote!(#owner::#method(#args)), expected))
    }

    fn call_owned(&mut self, call: &ExprMethodCall, path: &Path, receiver: Value) -> Lowered<Value> {
        if let Some(traits) = crate::desugar::traits_of_method(&call.attrs) {
            self.is_of_trait(&call.method, path, &traits)?;
        }
        if let Some(function) = self.place_function(path) {
            let args: Vec<&Expr> = std::iter::once(&*call.receiver).chain(&call.args).collect();
            return self.borrowed(&function, &args, Some(receiver), call);
        }
        if let Some(function) = self.knowledge.find_higher_order(path).and_then(crate::desugar::taken_in_place) {
            let args: Vec<&Expr> = std::iter::once(&*call.receiver).chain(&call.args).collect();
            return self.taken_in_place(&call.method, (path, function), Some(receiver), &args);
        }
        let Some(info) = self.knowledge.find_fn(path) else {
            // What is wrong with the arguments is said, too, and what they ask is asked.
            let is_value = |arg: &&Expr| !is_into(strip_borrow(arg)) && !crate::desugar::is_iterator(strip_borrow(arg));
            call.args.iter().filter(is_value).for_each(|arg| drop(self.expr(arg)));
            return self.ask_for(path.clone());
        };
        let receiver = match info.params.first() {
            Some(this) => {
                let owner = owner(path, &call.method).filter(|_| info.generics.is_empty());
                self.lent_receiver(receiver, this, owner)?
            }
            None => receiver,
        };
        let (object, args) = (&call.receiver, &call.args);
        let written: ExprCall = syn::parse_quote!(#path(#object, #args));
        let mut values = vec![receiver];
        if info.params.first().is_some_and(ParamInfo::is_mutable) {
            values[0] = self.borrow_mut(strip_borrow(object))?;
        }
        for (k, arg) in args.iter().enumerate() {
            values.push(match info.params.get(k + 1) {
                Some(param) if param.is_mutable() => {
                    self.size_told_by(arg, param, &info)?;
                    self.borrow_mut(strip_borrow(arg))?
                }
                Some(param) => {
                    let expected = match integer(&param.ty) {
                        None => self.type_of_argument(arg, param, &info)?,
                        integer => integer,
                    };
                    self.expr_expecting(arg, expected.as_ref())?
                }
                None => self.expr(arg)?,
            });
        }
        self.differentiable_call(&written, path, &info, values, None)
    }

    /// What is only passed on, as a method takes it: by value or by reference. If its type has a derivative, a part of it is taken apart.
    fn lent_receiver(&mut self, receiver: Value, this: &ParamInfo, owner: Option<Path>) -> Lowered<Value> {
        let Value::Other(tokens) = &receiver else { return Ok(receiver) };
        let is_name = syn::parse2::<Ident>(tokens.clone()).is_ok() && !mentions_late(tokens);
        if this.active && !is_name {
            let (tokens, surface) = match (self.data_struct(&receiver)?, &owner) {
                (Some(surface), _) => (tokens.clone(), Some(surface)),
                // By the name of the method, which rustc confirms.
                (None, Some(owner)) if self.is_called(tokens) && !self.knowledge.is_unknown(owner) => {
                    let surface = self.resolve(&syn::parse_quote!(#owner))?;
                    (quote!((*::core::borrow::Borrow::<#owner>::borrow(&#tokens))), Some(surface))
                }
                (None, _) => (tokens.clone(), None),
            };
            if let Some(parts) = surface.and_then(|surface| self.passive_struct(&tokens, &surface)) {
                return Ok(parts);
            }
        }
        // A struct without fields is its own value, which is borrowed here.
        let is_unit = is_name
            && self
                .source
                .as_ref()
                .zip(syn::parse2::<Path>(tokens.clone()).ok())
                .is_some_and(|(source, path)| source.is_unit_struct(&path));
        Ok(match &this.ty {
            Type::Reference(_) if is_unit => Value::Other(quote!((&#tokens))),
            Type::Reference(_) if is_name || dereferenced(tokens.clone()).to_string() != tokens.to_string() => receiver,
            Type::Reference(_) => match owner {
                // It may be one that is behind a reference.
                Some(owner) => Value::Other(quote!(::core::borrow::Borrow::<#owner>::borrow(&#tokens))),
                None => receiver,
            },
            _ if self.is_lent_data(tokens) => Value::Other(quote!((*#tokens))),
            _ => receiver.dereferenced(),
        })
    }

    /// In a function that is generic, the method that is called is one of the trait, whatever else the type has.
    fn is_of_trait(&mut self, method: &Ident, path: &Path, traits: &[String]) -> Lowered<()> {
        let place = || self.place_function(path).map(|function| function.of_trait());
        let found = self.knowledge.find_fn(path).map(|info| info.of_trait.clone()).or_else(place);
        if found.is_none_or(|of| traits.contains(&of)) {
            return Ok(());
        }
        let of = traits.join("` or `");
        let message = format!("the method `{method}` of `{of}` has no derivative for this type");
        let note = format!("another method of that name has one: `{}`", spelled(path).replacen('_', "::", 1));
        let help = format!("write `#[differentiable]` on the `impl` block of `{of}`");
        self.fail(Error::new(method, message).note(note).help(help))
    }

    /// The type of a parameter that is only passed on, or of a field of one.
    fn passive_owner(&self, receiver: &Expr) -> Option<Path> {
        let source = self.source.clone().unwrap_or_default();
        match referent(&self.data_type(&source, receiver)?) {
            Type::Path(path) if path.qself.is_none() => {
                let is_param = matches!(unparen(receiver), Expr::Path(name) if name.path.get_ident().is_some());
                (is_param || source.defines_one_type(&path.path)).then(|| path.path.clone())
            }
            _ => None,
        }
    }

    /// The one type of the file that has a method of that name with a derivative.
    fn owner_by_method(&self, method: &Ident) -> Option<Path> {
        let name = method.to_string();
        // Numbers may have a method of that name.
        if elementwise::find_method(&name, true).is_some() || crate::op::method::is_method(&name) {
            return None;
        }
        let owner = self.source.as_ref()?.owner_of(&name)?;
        Some(Ident::new(owner, method.span()).into())
    }
}

/// The function that stands for a method of a type.
pub(super) fn function_path(owner: &Path, method: &Ident) -> Option<Path> {
    let mut path = without_arguments(owner);
    let last = path.segments.last_mut()?;
    last.ident = function_name(&last.ident, method);
    Some(path)
}

/// `Robot` of `Robot_energy`.
fn owner(function: &Path, method: &Ident) -> Option<Path> {
    let mut owner = without_arguments(function);
    let last = owner.segments.last_mut()?;
    let name = last.ident.to_string();
    last.ident = Ident::new(name.strip_suffix(&format!("_{method}"))?, last.ident.span());
    Some(owner)
}

/// Whether a call makes a tuple struct of the user's, by the case of its name.
pub(super) fn is_constructor(path: &Path) -> bool {
    let Some(last) = path.segments.last().map(|last| last.ident.to_string()) else { return false };
    let is_upper = last.trim_start_matches("r#").starts_with(|c: char| c.is_uppercase());
    is_upper && !FOREIGN.contains(&&last[..]) && !matches!(&last[..], "Ok" | "Err")
}

/// `Robot_energy` for `Robot::energy`; types are written in capitals, modules and functions are not.
pub(super) fn associated_function(path: &Path) -> Option<Path> {
    let mut owner = path.clone();
    let method = owner.segments.pop()?.into_value();
    owner.segments.pop_punct();
    let ty = owner.segments.last()?.ident.to_string();
    let starts_upper = |name: &str| name.trim_start_matches("r#").starts_with(|c: char| c.is_uppercase());
    let is_foreign = FOREIGN.contains(&&ty[..]) && crate::source::may_be_of_library(path);
    if !starts_upper(&ty) || starts_upper(&method.ident.to_string()) || is_foreign {
        return None;
    }
    let mut function = function_path(&owner, &method.ident)?;
    // The type's parameters come before the method's.
    let all: Vec<_> = generic_args(&owner).into_iter().chain(generic_args(path)).collect();
    if !all.is_empty() {
        let last = function.segments.last_mut()?;
        last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(::<#(#all),*>));
    }
    Some(function)
}
