//! `Option` and `Result`: their methods, what changes them in place, and `?`.

use super::{Flow, Machine, Place, Run, Value, wrong};
use crate::program_test::number::Number;
use syn::ExprMethodCall;

fn some(value: Value) -> Value {
    Value::Option(Some(Box::new(value)))
}

impl Machine {
    /// `e?`
    pub(super) fn question(&mut self, value: Value) -> Run<Value> {
        match value {
            Value::Option(Some(inner)) => Ok(*inner),
            Value::Option(None) => Err(Flow::Return(Value::Option(None))),
            Value::Struct(name, mut parts) if &*name == "Ok" => Ok(parts.pop().unwrap_or(Value::Unit)),
            Value::Struct(name, parts) if &*name == "Err" => Err(Flow::Return(Value::Struct(name, parts))),
            _ => wrong("`?` of something else"),
        }
    }

    /// Methods that change an `Option`; `None` if it is another one.
    pub(super) fn change_option(&mut self, name: &str, place: &Place, call: &ExprMethodCall) -> Run<Option<Value>> {
        let Value::Option(before) = self.at(place)? else { return Ok(None) };
        let before = before.clone().map(|inner| *inner);
        let inner = Value::Place(Place { at: [&place.at[..], &[0]].concat(), ..place.clone() });
        let result = match (name, call.args.len()) {
            ("take", 0) => {
                *self.at(place)? = Value::Option(None);
                Value::Option(before.map(Box::new))
            }
            ("replace", 1) => {
                let value = self.value(&call.args[0])?;
                // The argument may have changed it.
                std::mem::replace(self.at(place)?, some(value))
            }
            ("insert", 1) => {
                let value = self.value(&call.args[0])?;
                *self.at(place)? = some(value);
                inner
            }
            ("get_or_insert", 1) => {
                let value = self.value(&call.args[0])?;
                if let Value::Option(None) = self.at(place)? {
                    *self.at(place)? = some(value);
                }
                inner
            }
            ("get_or_insert_with", 1) => {
                let closure = self.value(&call.args[0])?;
                if let Value::Option(None) = self.at(place)? {
                    let value = self.invoke(&closure, Vec::new())?;
                    *self.at(place)? = some(value);
                }
                inner
            }
            ("as_mut", 0) => Value::Option(before.map(|_| Box::new(inner))),
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    pub(super) fn of_option(&mut self, name: &str, option: Option<Value>, mut args: Vec<Value>) -> Run<Value> {
        let last = args.pop();
        Ok(match (name, option, last) {
            ("copied" | "cloned" | "as_ref" | "clone", option, _) => Value::Option(option.map(Box::new)),
            ("unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else", Some(value), _) => value,
            ("unwrap_or_default", None, _) => Value::Number(Number::constant(0.0)),
            ("unwrap_or", None, Some(other)) => other,
            ("unwrap_or_else", None, Some(closure)) => self.invoke(&closure, Vec::new())?,
            ("is_some", option, _) => Value::Bool(option.is_some()),
            ("is_none", option, _) => Value::Bool(option.is_none()),
            ("is_some_and", Some(value), Some(closure)) => self.invoke(&closure, vec![value])?,
            ("is_some_and", None, _) => Value::Bool(false),
            ("map", Some(value), Some(closure)) => some(self.invoke(&closure, vec![value])?),
            ("and_then", Some(value), Some(closure)) => self.invoke(&closure, vec![value])?,
            ("filter", Some(value), Some(closure)) => match self.invoke(&closure, vec![value.clone()])? {
                Value::Bool(true) => some(value),
                _ => Value::Option(None),
            },
            ("zip", Some(value), Some(Value::Option(Some(other)))) => some(Value::Tuple(vec![value, *other])),
            ("map" | "and_then" | "filter" | "zip", _, _) => Value::Option(None),
            ("map_or", Some(value), Some(closure)) => self.invoke(&closure, vec![value])?,
            ("map_or", None, _) => args.pop().unwrap_or(Value::Unit),
            ("or" | "or_else", Some(value), _) => some(value),
            ("or", None, Some(other)) => other,
            ("or_else", None, Some(closure)) => self.invoke(&closure, Vec::new())?,
            ("ok_or", Some(value), _) => Value::Struct("Ok".into(), vec![value]),
            ("ok_or", None, Some(error)) => Value::Struct("Err".into(), vec![error]),
            _ => return wrong(format!("`{name}` of an option")),
        })
    }

    pub(super) fn of_result(&mut self, name: &str, variant: &str, inner: Value, args: Vec<Value>) -> Run<Value> {
        let is_ok = variant == "Ok";
        match (name, is_ok, &args[..]) {
            ("ok", _, []) => Ok(Value::Option(is_ok.then(|| Box::new(inner)))),
            ("err", _, []) => Ok(Value::Option((!is_ok).then(|| Box::new(inner)))),
            ("is_ok", _, []) => Ok(Value::Bool(is_ok)),
            ("is_err", _, []) => Ok(Value::Bool(!is_ok)),
            ("clone", _, []) => Ok(Value::Struct(variant.into(), vec![inner])),
            ("map", true, [closure]) | ("map_err", false, [closure]) => {
                let inner = self.invoke(closure, vec![inner])?;
                Ok(Value::Struct(variant.into(), vec![inner]))
            }
            ("and_then", true, [closure]) | ("or_else" | "unwrap_or_else", false, [closure]) => {
                self.invoke(closure, vec![inner])
            }
            ("map" | "and_then", false, _) | ("map_err" | "or_else", true, _) => {
                Ok(Value::Struct(variant.into(), vec![inner]))
            }
            ("unwrap_or" | "unwrap_or_else", true, _) => Ok(inner),
            ("unwrap_or", false, [other]) => Ok(other.clone()),
            ("map_or", true, [_, closure]) => self.invoke(closure, vec![inner]),
            ("map_or", false, [other, _]) => Ok(other.clone()),
            _ => wrong(format!("`{name}` of a result")),
        }
    }
}
