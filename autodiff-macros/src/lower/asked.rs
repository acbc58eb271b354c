//! Types and functions that a body names. What is not known yet is asked of its relay.

use super::value::{Lowered, Reported};
use super::{Lower, sequence};
use crate::diag::Error;
use crate::parse::ty::{Seq, Surface, TypeScope, Unresolved, contents};

impl Lower<'_> {
    pub(super) fn resolve(&mut self, ty: &syn::Type) -> Lowered<Surface> {
        let ty = &sequence::without_queue(ty);
        if let Some(option) =
            self.plain_surface(ty).filter(|surface| matches!(surface, Surface::Struct(ty) if ty.is_option))
        {
            return Ok(option);
        }
        let scope = TypeScope { knowledge: self.knowledge, reals: &self.function.reals, substitution: None };
        if let Some(inner) = contents(ty) {
            // See Note [Boxes] in `layout.rs`.
            return match scope.resolve(inner) {
                Err(Unresolved::Ask(path)) => self.ask_for(path),
                Ok(Surface::Other(_) | Surface::Seq(_, Seq::Slice)) | Err(Unresolved::Error(_)) => {
                    Ok(Surface::Other(ty.clone()))
                }
                Ok(surface) => Ok(surface),
            };
        }
        match scope.resolve(ty) {
            // What is computed here is looked into, also where it carries no derivative.
            Ok(Surface::Other(syn::Type::Path(path)))
                if path.path.segments.last().is_some_and(|last| last.ident == "Option") =>
            {
                Ok(scope.option(&path.path).ok().flatten().unwrap_or(Surface::Other(ty.clone())))
            }
            Ok(Surface::Other(syn::Type::Path(path)))
                if path.path.segments.last().is_some_and(|last| last.ident == "Result") =>
            {
                Ok(scope.result(&path.path).ok().flatten().unwrap_or(Surface::Other(ty.clone())))
            }
            Ok(surface) => Ok(surface),
            Err(Unresolved::Ask(path)) => self.ask_for(path),
            Err(Unresolved::Error(error)) => self.fail(error),
        }
    }

    /// The type of a method of which nothing is known, since it tells where the method is: see Note [Homes].
    fn owner_to_ask(&self, method: &syn::Path) -> Option<syn::Path> {
        let mut owner = crate::relay::without_arguments(method);
        let last = owner.segments.last_mut()?;
        let relay = last.ident.to_string();
        let (name, _) = relay.split_once('_').filter(|_| crate::relay::is_method(method))?;
        let is_here = method.segments.len() == 1 && self.source.as_ref()?.has_function(&relay);
        let is_known = !self.knowledge.homes(&relay).is_empty();
        let is_parameter = self.function.item.sig.generics.type_params().any(|param| param.ident == name);
        last.ident = syn::Ident::new(name, last.ident.span());
        let is_asked = self.knowledge.find_struct(&owner).is_some() || self.knowledge.is_unknown(&owner);
        (!is_here && !is_known && !is_asked && !is_parameter && name != "Self").then_some(owner)
    }

    pub(super) fn ask_for<T>(&mut self, path: syn::Path) -> Lowered<T> {
        if self.knowledge.is_unknown(&path) {
            return self.fail(crate::relay::function_without_relay(&path));
        }
        let here = match path.segments.iter().map(|segment| &segment.ident).collect::<Vec<_>>()[..] {
            [name] => Some(name.clone()),
            [of, name] if of == "self" => Some(name.clone()),
            _ => None,
        };
        let unmarked = self.source.as_ref().zip(here);
        if let Some((name, block)) = unmarked.and_then(|(source, relay)| source.unmarked(&relay.to_string())) {
            let error = Error::new(&path, format!("`{name}` has no derivative"));
            return self.fail(error.help(format!("write `#[differentiable]` on `{block}`")));
        }
        let relay = path.get_ident().map(ToString::to_string).unwrap_or_default();
        if let Some((name, of)) = self.source.as_ref().and_then(|source| source.provided(&relay)) {
            let (owner, method) = name.split_once("::").unwrap_or_default();
            let error = Error::new(&path, format!("`{name}` has no derivative: `{of}` provides it"));
            return self
                .fail(error.help(format!("write `{method}` in `#[differentiable] impl {of} for {owner}`, too")));
        }
        let path = self.owner_to_ask(&path).unwrap_or(path);
        let key = crate::relay::key(&path);
        if !self.ask.iter().any(|other| crate::relay::key(other) == key) {
            self.ask.push(path);
        }
        Err(Reported)
    }
}
