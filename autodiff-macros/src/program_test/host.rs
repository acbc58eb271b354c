//! Rust in a body that has no derivative, run as the source is: functions that are not pure leave a trace.

use super::interpret::{Event, Items, Machine, Value};
use super::number::Number;
use crate::ir::eval::Array;
use crate::ir::{Elem, Opaque, Ty, eval, hole};
use crate::parse::ty::ERRORS;
use proc_macro2::TokenStream;
use quote::quote;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use syn::ItemFn;

/// Larger than any number that a program computes with.
const FIRST: usize = 1 << 40;

pub struct Host {
    items: Rc<Items>,
    trace: RefCell<Vec<Event>>,
    /// Values that are no numbers; the numbers from [`FIRST`] on stand for them.
    values: RefCell<Vec<Value>>,
    /// Expressions as functions of what goes into them.
    functions: RefCell<HashMap<String, Rc<ItemFn>>>,
}

impl Host {
    pub fn new(items: Rc<Items>) -> Host {
        Host { items, trace: RefCell::default(), values: RefCell::default(), functions: RefCell::default() }
    }

    /// What was called since the last time, in order.
    pub fn take_trace(&self) -> Vec<Event> {
        self.trace.take()
    }

    fn arg(&self, (x, ty): (f64, &Ty)) -> Value {
        match ty.elem {
            Elem::Foreign if x >= FIRST as f64 => self.values.borrow()[x as usize - FIRST].clone(),
            Elem::Bool => Value::Bool(x != 0.0),
            ref elem if elem.is_float() => Value::Number(Number::constant(x)),
            Elem::Foreign if x.fract() != 0.0 => Value::Number(Number::constant(x)),
            _ => Value::Int(x as i64),
        }
    }

    /// Numbers in the shape of an array.
    fn list(&self, data: &[f64], dims: &[usize], ty: &Ty) -> Value {
        match dims {
            [] => self.arg((data[0], ty)),
            [count, rest @ ..] => {
                let size: usize = rest.iter().product();
                Value::Seq((0..*count).map(|k| self.list(&data[k * size..(k + 1) * size], rest, ty)).collect())
            }
        }
    }

    /// An expression as a function of what goes into it.
    fn function(&self, tokens: &TokenStream, is_call: bool, count: usize) -> Result<Rc<ItemFn>, String> {
        let holes = (0..count).map(hole).collect::<Vec<_>>();
        let key = format!("{is_call} {tokens}");
        if let Some(function) = self.functions.borrow().get(&key) {
            return Ok(function.clone());
        }
        let value = if is_call { quote!(#tokens(#(#holes),*)) } else { quote!(#tokens) };
        let function = quote!(fn opaque(#(#holes: f64),*) -> f64 { #value });
        let function: Rc<ItemFn> = Rc::new(syn::parse2(function).map_err(|error| format!("`{key}`: {error}"))?);
        self.functions.borrow_mut().insert(key, function.clone());
        Ok(function)
    }
}

/// The numbers that a value is made of as a parameter: of an enum the kind, then the fields of all variants.
fn leaves(items: &Items, value: &Value, into: &mut Vec<Array>) -> Option<()> {
    match value {
        Value::Number(x) => into.push(Array::scalar(x.x)),
        Value::Int(n) => into.push(Array::scalar(*n as f64)),
        Value::Option(inner) => {
            into.push(Array::scalar(f64::from(u8::from(inner.is_some()))));
            match inner {
                Some(inner) => leaves(items, inner, into)?,
                None => into.push(Array::scalar(0.0)),
            }
        }
        Value::Seq(parts) => {
            let number = |part: &Value| if let Value::Number(x) = part { Some(x.x) } else { None };
            let data = parts.iter().map(number).collect::<Option<Vec<f64>>>()?;
            into.push(Array { dims: vec![data.len()], data });
        }
        Value::Struct(name, fields) => match name.split_once("::").and_then(|(of, _)| items.variants.get(of)) {
            Some(variants) => {
                let kind = variants.iter().position(|variant| **variant == **name)?;
                into.push(Array::scalar(kind as f64));
                for variant in variants {
                    match **variant == **name {
                        true => fields.iter().try_for_each(|field| leaves(items, field, into))?,
                        // Nobody looks at them.
                        false => into.extend((0..items.fields.get(variant)?.1.len()).map(|_| Array::scalar(0.0))),
                    }
                }
            }
            None => fields.iter().try_for_each(|field| leaves(items, field, into))?,
        },
        _ => return None,
    }
    Some(())
}

impl eval::Host for Host {
    fn leaves(&self, tokens: &TokenStream, args: &[(f64, Ty)]) -> Option<Vec<Array>> {
        let function = self.function(tokens, false, args.len()).ok()?;
        let mut machine = Machine::of(self.items.clone());
        let value = machine.call(&function, args.iter().map(|(x, ty)| self.arg((*x, ty))).collect()).ok()?;
        let mut found = Vec::new();
        leaves(&self.items, &value, &mut found)?;
        Some(found)
    }

    fn opaque(&self, opaque: &Opaque, args: &[(Array, Ty)], ty: &Ty) -> Result<Option<Array>, String> {
        // What a foreign value is read as.
        if let ([(x, ty)], true) = (args, hole(0) == opaque.tokens.to_string()) {
            if ty.elem == Elem::Foreign {
                return Ok(Some(Array::scalar(x.data[0])));
            }
        }
        // The number that stands for an error, which nobody looks at.
        if opaque.tokens.to_string().starts_with(ERRORS) {
            return Ok(Some(Array::scalar(1.0)));
        }
        let function = self.function(&opaque.tokens, opaque.is_call, args.len())?;
        let mut machine = Machine::of(self.items.clone());
        machine.trace = self.trace.take();
        let args = args.iter().map(|(x, ty)| self.list(&x.data, &x.dims, ty));
        let result = machine.call(&function, args.collect());
        self.trace.replace(machine.trace);
        let number = match result? {
            Value::Number(x) => x.x,
            Value::Int(n) => n as f64,
            Value::Bool(x) => f64::from(u8::from(x)),
            Value::Unit => 0.0,
            Value::Seq(parts) if !ty.is_scalar() => {
                let number = |part| if let Value::Int(n) = part { Some(n as f64) } else { None };
                let data = parts.into_iter().map(number).collect::<Option<Vec<f64>>>();
                return Ok(data.map(|data| Array { dims: vec![data.len()], data }));
            }
            value @ (Value::Struct(..) | Value::Tuple(_) | Value::Seq(_) | Value::Option(_)) => {
                let mut values = self.values.borrow_mut();
                values.push(value);
                (FIRST + values.len() - 1) as f64
            }
            _ => return Ok(None),
        };
        Ok(Some(Array::scalar(number)))
    }
}
