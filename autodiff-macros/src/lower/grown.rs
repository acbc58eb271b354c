//! Calls of functions that make longer what they are lent: see Note [Vecs that a callee makes longer] in `source/grown.rs`.

use super::Lower;
use super::call::strip_borrow;
use super::infer::Inference;
use super::place::{Place, Projection, Stored};
use super::value::{Lowered, Reported, Value};
use crate::layout::Kind;
use crate::parse::ty::{Surface, TypeScope};
use crate::relay::FnInfo;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, Token};

impl Lower<'_> {
    /// What is lent to such a function is handed over by value; the places are for what comes back.
    pub(super) fn taken_for_call(
        &mut self,
        info: &Rc<FnInfo>,
        values: Vec<Value>,
        args: &Punctuated<Expr, Token![,]>,
    ) -> Lowered<(Vec<Value>, Vec<Rc<Place>>)> {
        if !info.params.iter().any(|param| param.grown) {
            return Ok((values, Vec::new()));
        }
        let mut inference = Inference::new(&info.generics);
        for (param, value) in info.params.iter().zip(&values).filter(|(param, _)| !param.grown) {
            inference.unify(&param.ty, &value.surface(&self.b));
        }
        let (mut taken, mut places) = (Vec::new(), Vec::new());
        for (k, value) in values.into_iter().enumerate() {
            let param = info.params.get(k).filter(|param| param.grown);
            match (value, param, args.get(k)) {
                (Value::Borrow(place), Some(param), Some(arg)) => {
                    let value = self.read(&place, arg)?;
                    // `let mut v = Vec::new();` is of the type that it is passed as.
                    let scope = TypeScope { knowledge: &info.nested, reals: &[], substitution: Some(&inference.known) };
                    if let (true, Ok(surface)) = (self.is_guess(strip_borrow(arg)), scope.resolve(&param.ty)) {
                        let is_numbers =
                            matches!(&surface, Surface::Seq(inner, _) if matches!(**inner, Surface::Scalar(_)));
                        if place.path.is_empty() && !is_numbers {
                            self.learn_slot(place.slot, surface);
                            return Err(Reported);
                        }
                    }
                    taken.push(value);
                    places.push(place);
                }
                (value, ..) => taken.push(value),
            }
        }
        Ok((taken, places))
    }

    /// Puts what comes back where it was taken from; what is left is the value of the call.
    pub(super) fn given_back(&mut self, call: &ExprCall, places: &[Rc<Place>], value: Value) -> Lowered<Value> {
        if places.is_empty() {
            return Ok(value);
        }
        let (mut parts, is_alone) = match value {
            Value::Parts(Kind::Tuple, parts) if parts.len() >= places.len() => (parts, false),
            value => (vec![value], true),
        };
        let rest = parts.split_off(places.len().min(parts.len()));
        if is_alone && places.len() > 1 || rest.len() > 1 {
            return Err(Reported);
        }
        for (place, new) in places.iter().zip(parts) {
            let stored = self.store_at(call, place, &mut |lower, old| match old {
                Stored::Whole(old) => lower.like(new.clone(), old, &Expr::Call(call.clone())),
                Stored::Element(..) | Stored::Range(..) => lower.unsupported(
                    call,
                    "a call that makes an element of a list longer",
                    "give the element a name, and put it back with an assignment",
                ),
            });
            stored.inspect_err(|Reported| self.learn_longer(place))?;
        }
        Ok(rest.into_iter().next().unwrap_or_else(Value::unit))
    }

    /// That a variable, or a field of one, gets another length.
    pub(super) fn learn_longer(&mut self, place: &Place) {
        let mut name = self.env.get(place.slot).name.clone();
        for step in &place.path {
            let Projection::Field(member) = step else { return };
            name = format!("{name}.{}", quote::quote!(#member));
        }
        self.learn_growing_name(name);
    }
}
