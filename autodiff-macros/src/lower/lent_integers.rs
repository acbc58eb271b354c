//! Functions without a derivative that change integers, as a generator of random numbers does its state.
//!
//! ```text
//! let u: f64 = next(&mut state);        let both = { let mut state = state; let u = next(&mut state); (u, state) };
//!                                       let u: f64 = both.0;
//!                                       state = both.1;
//! ```
//!
//! An integer, and an array of a known number of them, is a value of the body, and not a variable of the generated code. So the
//! call is given a copy, and what becomes of that is a second result. As every call of which nothing is known, it is made once,
//! in its place: see Note [Functions without a derivative] in [`crate::ir::effect`].

use super::Lower;
use super::assign::unparen;
use super::place::{Place, Projection};
use super::value::{Lowered, Untyped, Value};
use crate::ir::{Elem, Evaluation, Opaque, late};
use crate::layout::Form;
use crate::parse::ty::Surface;
use quote::{format_ident, quote};
use std::rc::Rc;
use syn::{Expr, ExprCall};

impl Lower<'_> {
    /// The integer that a parameter borrows and that is handed on by its name.
    pub(super) fn handed_on_integer(&mut self, arg: &Expr) -> Option<Value> {
        let Expr::Path(path) = unparen(arg) else { return None };
        let name = path.path.get_ident()?.to_string();
        let slot = self.env.slot(&name)?;
        let is_borrowed = self.borrowed_params.contains(&name) && self.env.is_first(&name, slot);
        let place = Place::of(slot);
        (is_borrowed && self.is_integer(&place)).then(|| Value::Borrow(Rc::new(place)))
    }

    /// Whether a place is that of an integer, or of an array of a known number of them: a variable, a field or an element.
    fn is_integer(&self, place: &Place) -> bool {
        let indices = place.path.iter().rev().take_while(|step| matches!(step, Projection::Index(_))).count();
        let array = Place { slot: place.slot, path: place.path[..place.path.len() - indices].to_vec() };
        let is_of = |value: Option<Value>, indices: usize| match value {
            Some(Value::Leaf(var, Form::Plain)) => {
                let ty = self.b.ty(var);
                let is_known = ty.rank() == indices || ty.rank() > indices && !ty.is_dynamic();
                matches!(ty.elem, Elem::Int(_) | Elem::Bool) && is_known
            }
            _ => false,
        };
        is_of(self.structure(place), 0) || is_of(self.structure(&array), indices)
    }

    /// Whether all that is lent are integers, and nothing has a derivative.
    pub(super) fn lends_integers(&self, values: &[Value]) -> bool {
        let fits = |value: &Value| match value {
            Value::Borrow(place) if self.borrows_numbers(value) => self.is_integer(place),
            value => !self.is_active(value),
        };
        values.iter().any(|value| matches!(value, Value::Borrow(_))) && values.iter().all(fits)
    }

    /// A call of a function without a derivative that changes integers.
    pub(super) fn call_with_lent_integers(
        &mut self,
        call: &ExprCall,
        values: &[Value],
        expected: Option<&Surface>,
    ) -> Lowered<Value> {
        let (mut names, mut before, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let mut lent = call.clone();
        let mut given = Vec::new();
        for (value, arg) in values.iter().zip(&mut lent.args) {
            match value {
                Value::Borrow(place) if self.borrows_numbers(value) => {
                    let Value::Leaf(old, _) = self.read(place, arg)? else {
                        return self.unsupported(arg, "this borrow", "lend a variable");
                    };
                    let name = format_ident!("__autodiff_lent_{}", names.len());
                    *arg = syn::parse_quote!(#name);
                    given.push(Value::Other(quote!(&mut #name)));
                    names.push(name);
                    let (tokens, is_array) = (late(old), !self.b.ty(old).is_scalar());
                    // An array is borrowed where it is.
                    before.push(if is_array { quote!(*#tokens) } else { quote!(#tokens) });
                    places.push((place.clone(), old));
                }
                value => given.push(value.clone()),
            }
        }
        let args = self.inactive_arguments(&lent, &given)?;
        let function = &call.func;
        let made = quote!({
            #(let mut #names = #before;)*
            let result = #function(#(#args),*);
            (result, #(#names),*)
        });
        let Value::Untyped(Untyped { tokens: both, .. }) = self.once(made) else { return Ok(Value::unit()) };
        for (k, (place, old)) in places.into_iter().enumerate() {
            let (member, ty) = (syn::Index::from(k + 1), self.b.ty(old).clone());
            let new = self.b.opaque(Opaque::pure(quote!(#both.#member)), Vec::new(), ty);
            self.put(call, &place, &Value::Leaf(new, Form::Plain))?;
        }
        self.evaluated(quote!(#both.0), Evaluation::Pure, expected, call)
    }
}
