//! Rust in a body that has no derivative, run as the source is: functions that are not pure leave a trace.

use super::interpret::{Event, Items, Machine, Value};
use super::number::Number;
use crate::ir::{Elem, Opaque, Ty, eval, hole};
use quote::quote;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use syn::ItemFn;

pub struct Host {
    items: Rc<Items>,
    trace: RefCell<Vec<Event>>,
    /// Expressions as functions of what goes into them.
    functions: RefCell<HashMap<String, Rc<ItemFn>>>,
}

impl Host {
    pub fn new(items: Rc<Items>) -> Host {
        Host { items, trace: RefCell::default(), functions: RefCell::default() }
    }

    /// What was called since the last time, in order.
    pub fn take_trace(&self) -> Vec<Event> {
        self.trace.take()
    }

    fn function(&self, opaque: &Opaque, count: usize) -> Result<Rc<ItemFn>, String> {
        let (tokens, holes) = (&opaque.tokens, (0..count).map(hole).collect::<Vec<_>>());
        let key = tokens.to_string();
        if let Some(function) = self.functions.borrow().get(&key) {
            return Ok(function.clone());
        }
        let value = if opaque.is_call { quote!(#tokens(#(#holes),*)) } else { quote!(#tokens) };
        let function = quote!(fn opaque(#(#holes: f64),*) -> f64 { #value });
        let function: Rc<ItemFn> = Rc::new(syn::parse2(function).map_err(|error| format!("`{key}`: {error}"))?);
        self.functions.borrow_mut().insert(key, function.clone());
        Ok(function)
    }
}

impl eval::Host for Host {
    fn opaque(&self, opaque: &Opaque, args: &[(f64, Ty)]) -> Result<Option<f64>, String> {
        // What a foreign value is read as.
        if let ([(x, ty)], true) = (args, hole(0) == opaque.tokens.to_string()) {
            if ty.elem == Elem::Foreign {
                return Ok(Some(*x));
            }
        }
        let function = self.function(opaque, args.len())?;
        let arg = |(x, ty): &(f64, Ty)| match ty.elem {
            Elem::Bool => Value::Bool(*x != 0.0),
            ref elem if elem.is_float() => Value::Number(Number::constant(*x)),
            Elem::Foreign if x.fract() != 0.0 => Value::Number(Number::constant(*x)),
            _ => Value::Int(*x as i64),
        };
        let mut machine = Machine::of(self.items.clone());
        machine.trace = self.trace.take();
        let result = machine.call(&function, args.iter().map(arg).collect());
        self.trace.replace(machine.trace);
        match result? {
            Value::Number(x) => Ok(Some(x.x)),
            Value::Int(n) => Ok(Some(n as f64)),
            Value::Bool(x) => Ok(Some(f64::from(u8::from(x)))),
            Value::Unit => Ok(Some(0.0)),
            _ => Ok(None),
        }
    }
}
