//! Arrays, slices and `Vec`: what reads them, and what changes elements in place.

use super::{Machine, Place, Run, Value, wrong};
use syn::{Expr, ExprMethodCall, Pat, Type};

impl Machine {
    /// What a `for` loop goes over.
    pub(super) fn items(&mut self, expr: &Expr) -> Run<Vec<Value>> {
        match expr {
            Expr::Paren(paren) => self.items(&paren.expr),
            Expr::Range(range) => {
                let (lo, hi) = self.bounds(range, 0)?;
                Ok((lo..hi).map(|k| Value::Int(k as i64)).collect())
            }
            other => match self.expr(other)? {
                Value::Seq(items) => Ok(items),
                Value::Place(place) => self.places(place),
                _ => wrong("nothing to go over"),
            },
        }
    }

    /// `let b: [f64; 3] = std::array::from_fn(|k| …)`
    pub(super) fn made_by_index(&mut self, pattern: &Pat, made: &Expr) -> Run<Option<Value>> {
        let (Pat::Type(typed), Expr::Call(call)) = (pattern, made) else { return Ok(None) };
        let (Type::Array(array), Expr::Path(function)) = (&*typed.ty, &*call.func) else { return Ok(None) };
        if function.path.segments.last().is_none_or(|last| last.ident != "from_fn") {
            return Ok(None);
        }
        let (count, closure) = (self.index(&array.len)?, self.expr(&call.args[0])?);
        let parts: Run<Vec<Value>> = (0..count).map(|k| self.invoke(&closure, vec![Value::Int(k as i64)])).collect();
        Ok(Some(Value::Seq(parts?)))
    }

    /// A borrow of each element.
    pub(super) fn places(&mut self, place: Place) -> Run<Vec<Value>> {
        let place = self.follow(place)?;
        let count = self.elements(&place)?.len();
        let start = place.range.map_or(0, |(lo, _)| lo);
        let at = |k: usize| [&place.at[..], &[start + k]].concat();
        Ok((0..count).map(|k| Value::Place(Place { slot: place.slot, at: at(k), range: None })).collect())
    }

    /// Methods that change their receiver; `None` if it is another one.
    pub(super) fn mutate(&mut self, name: &str, place: &Place, call: &ExprMethodCall) -> Run<Option<Value>> {
        if name == "iter_mut" {
            return Ok(Some(Value::Seq(self.places(place.clone())?)));
        }
        let changing =
            ["swap", "fill", "copy_from_slice", "reverse", "push", "pop", "clear", "truncate", "extend_from_slice"];
        if !changing.contains(&name) || !matches!(self.at(place)?, Value::Seq(_)) {
            return Ok(None);
        }
        let args: Run<Vec<Value>> = call.args.iter().map(|arg| self.value(arg)).collect();
        match (name, &args?[..]) {
            ("swap", [Value::Int(i), Value::Int(j)]) => {
                let (parts, i, j) = (self.elements(place)?, *i as usize, *j as usize);
                if i.max(j) >= parts.len() {
                    return wrong("a swap out of bounds");
                }
                parts.swap(i, j);
            }
            ("fill", [value]) => self.elements(place)?.fill(value.clone()),
            ("copy_from_slice", [Value::Seq(from)]) => {
                let parts = self.elements(place)?;
                if parts.len() != from.len() {
                    return wrong("lengths differ");
                }
                parts.clone_from_slice(from);
            }
            ("reverse", []) => self.elements(place)?.reverse(),
            ("push", [value]) => self.grown(place)?.push(value.clone()),
            ("pop", []) => {
                let last = self.grown(place)?.pop();
                return Ok(Some(Value::Option(last.map(Box::new))));
            }
            ("clear", []) => self.grown(place)?.clear(),
            ("truncate", [Value::Int(len)]) => self.grown(place)?.truncate(*len as usize),
            ("extend_from_slice", [Value::Seq(from)]) => self.grown(place)?.extend(from.iter().cloned()),
            _ => return wrong(format!("the arguments of `{name}`")),
        }
        Ok(Some(Value::Unit))
    }

    /// All other methods.
    pub(super) fn pure(&mut self, name: &str, receiver: Value, mut args: Vec<Value>) -> Run<Value> {
        let parts = match receiver {
            Value::Number(x) => return self.numeric(name, x, &args),
            Value::Int(n) => {
                return match (name, &args[..]) {
                    ("min", [Value::Int(m)]) => Ok(Value::Int(n.min(*m))),
                    ("max", [Value::Int(m)]) => Ok(Value::Int(n.max(*m))),
                    ("div_ceil", [Value::Int(m)]) if *m > 0 => Ok(Value::Int((n + m - 1) / m)),
                    ("div_euclid", [Value::Int(m)]) if *m != 0 => Ok(Value::Int(n.div_euclid(*m))),
                    ("rem_euclid", [Value::Int(m)]) if *m != 0 => Ok(Value::Int(n.rem_euclid(*m))),
                    ("abs_diff", [Value::Int(m)]) => Ok(Value::Int((n - m).abs())),
                    ("pow", [Value::Int(m)]) => Ok(Value::Int(n.pow(*m as u32))),
                    ("abs", []) => Ok(Value::Int(n.abs())),
                    ("signum", []) => Ok(Value::Int(n.signum())),
                    ("cmp", [Value::Int(m)]) => Ok(Value::Int(n.cmp(m) as i64)),
                    ("reverse", []) => Ok(Value::Int(-n)),
                    // As a number that is not below 0.
                    ("wrapping_sub" | "saturating_sub", [Value::Int(m)]) if n >= *m => Ok(Value::Int(n - m)),
                    _ => wrong(format!("`{name}` of an integer")),
                };
            }
            Value::Bool(x) => {
                return match (name, args.pop()) {
                    ("then_some", Some(value)) => Ok(Value::Option(x.then(|| Box::new(value)))),
                    ("then", Some(closure)) if x => Ok(Value::Option(Some(Box::new(self.invoke(&closure, vec![])?)))),
                    ("then", _) => Ok(Value::Option(None)),
                    _ => wrong(format!("`{name}` of a truth value")),
                };
            }
            Value::Option(option) => return self.of_option(name, option.map(|inner| *inner), args),
            Value::Struct(variant, mut inner) if matches!(&*variant, "Ok" | "Err") => {
                let inner = inner.pop().unwrap_or(Value::Unit);
                return self.of_result(name, &variant, inner, args);
            }
            Value::Seq(parts) => parts,
            other => return wrong(format!("`{name}` of {other:?}")),
        };
        match (name, &args[..]) {
            ("iter" | "into_iter" | "to_vec" | "clone" | "copied" | "cloned" | "as_slice" | "collect", []) => {
                Ok(Value::Seq(parts))
            }
            ("len" | "count", []) => Ok(Value::Int(parts.len() as i64)),
            ("is_empty", []) => Ok(Value::Bool(parts.is_empty())),
            ("split_at", [Value::Int(k)]) if *k as usize <= parts.len() => {
                let (head, tail) = parts.split_at(*k as usize);
                Ok(Value::Tuple(vec![Value::Seq(head.to_vec()), Value::Seq(tail.to_vec())]))
            }
            ("first", []) => Ok(Value::Option(parts.into_iter().next().map(Box::new))),
            ("get", [Value::Int(k)]) => Ok(Value::Option(parts.into_iter().nth(*k as usize).map(Box::new))),
            ("split_first", []) => Ok(Value::Option(
                parts
                    .split_first()
                    .map(|(first, rest)| Box::new(Value::Tuple(vec![first.clone(), Value::Seq(rest.to_vec())]))),
            )),
            ("split_last", []) => Ok(Value::Option(
                parts
                    .split_last()
                    .map(|(last, rest)| Box::new(Value::Tuple(vec![last.clone(), Value::Seq(rest.to_vec())]))),
            )),
            ("last", []) => Ok(Value::Option(parts.into_iter().last().map(Box::new))),
            ("windows", [Value::Int(k)]) => {
                Ok(Value::Seq(parts.windows(*k as usize).map(|part| Value::Seq(part.to_vec())).collect()))
            }
            ("chunks", [Value::Int(k)]) => {
                Ok(Value::Seq(parts.chunks(*k as usize).map(|part| Value::Seq(part.to_vec())).collect()))
            }
            ("chunks_exact", [Value::Int(k)]) => {
                Ok(Value::Seq(parts.chunks_exact(*k as usize).map(|part| Value::Seq(part.to_vec())).collect()))
            }
            _ => self.adapted(name, parts, args),
        }
    }
}
