//! Iterators.
//!
//! An iterator is the list of what it gives: the closures of the programs change nothing but what is their own. A `for` loop
//! over one that is lent with `by_ref` takes its elements one by one, since it may end before they do.

use super::{Machine, Place, Run, Value, wrong};
use crate::program_test::number::Number;
use syn::Expr;

/// What a `for` loop goes over.
pub(super) enum Items {
    List(std::vec::IntoIter<Value>),
    /// An iterator that others use after the loop, and how many elements are taken of it at most.
    Lent(Place, usize),
}

impl Items {
    pub fn next(&mut self, machine: &mut Machine) -> Run<Option<Value>> {
        match self {
            Items::List(items) => Ok(items.next()),
            Items::Lent(_, 0) => Ok(None),
            Items::Lent(place, most) => {
                *most -= 1;
                let items = machine.grown(place)?;
                Ok(if items.is_empty() { None } else { Some(items.remove(0)) })
            }
        }
    }
}

impl Machine {
    pub(super) fn lazily(&mut self, expr: &Expr) -> Run<Items> {
        if let Expr::MethodCall(call) = expr {
            let (lent, most) = match &*call.receiver {
                Expr::MethodCall(inner) if call.method == "take" => (inner, self.index(&call.args[0])?),
                _ => (call, usize::MAX),
            };
            if lent.method == "by_ref" {
                let place = self.place(&lent.receiver)?;
                return Ok(Items::Lent(self.follow(place)?, most));
            }
        }
        Ok(Items::List(self.items(expr)?.into_iter()))
    }

    fn holds(&mut self, closure: &Value, part: &Value) -> Run<bool> {
        match self.invoke(closure, vec![part.clone()])? {
            Value::Bool(holds) => Ok(holds),
            _ => wrong("no truth value"),
        }
    }

    /// The position of the first element of which something holds.
    fn first_with(&mut self, closure: &Value, parts: &[Value]) -> Run<Option<usize>> {
        for (k, part) in parts.iter().enumerate() {
            if self.holds(closure, part)? {
                return Ok(Some(k));
            }
        }
        Ok(None)
    }

    fn first_without(&mut self, closure: &Value, parts: &[Value]) -> Run<usize> {
        for (k, part) in parts.iter().enumerate() {
            if !self.holds(closure, part)? {
                return Ok(k);
            }
        }
        Ok(parts.len())
    }

    /// The methods of iterators.
    pub(super) fn adapted(&mut self, name: &str, parts: Vec<Value>, mut args: Vec<Value>) -> Run<Value> {
        let option = |value: Option<Value>| Ok(Value::Option(value.map(Box::new)));
        match (name, &mut args[..]) {
            ("rev", []) => Ok(Value::Seq(parts.into_iter().rev().collect())),
            ("step_by", [Value::Int(k)]) => Ok(Value::Seq(parts.into_iter().step_by(*k as usize).collect())),
            ("skip", [Value::Int(k)]) => Ok(Value::Seq(parts.into_iter().skip(*k as usize).collect())),
            ("take", [Value::Int(k)]) => Ok(Value::Seq(parts.into_iter().take(*k as usize).collect())),
            ("enumerate", []) => {
                let pair = |(k, part)| Value::Tuple(vec![Value::Int(k as i64), part]);
                Ok(Value::Seq(parts.into_iter().enumerate().map(pair).collect()))
            }
            ("zip", [Value::Seq(others)]) => {
                let pairs = parts.into_iter().zip(others.iter().cloned());
                Ok(Value::Seq(pairs.map(|(a, b)| Value::Tuple(vec![a, b])).collect()))
            }
            ("chain", [Value::Seq(others)]) => Ok(Value::Seq([parts, others.clone()].concat())),
            ("map", [closure]) => {
                let mapped: Run<Vec<Value>> = parts.into_iter().map(|part| self.invoke(closure, vec![part])).collect();
                Ok(Value::Seq(mapped?))
            }
            ("flat_map", [closure]) => {
                let mut all = Vec::new();
                for part in parts {
                    match self.invoke(closure, vec![part])? {
                        Value::Seq(more) => all.extend(more),
                        _ => return wrong("no iterator"),
                    }
                }
                Ok(Value::Seq(all))
            }
            ("for_each", [closure]) => {
                parts.into_iter().try_for_each(|part| self.invoke(closure, vec![part]).map(|_| ()))?;
                Ok(Value::Unit)
            }
            ("filter", [closure]) => {
                let mut kept = Vec::new();
                for part in parts {
                    if self.holds(closure, &part)? {
                        kept.push(part);
                    }
                }
                Ok(Value::Seq(kept))
            }
            ("filter_map", [closure]) => {
                let mut kept = Vec::new();
                for part in parts {
                    match self.invoke(closure, vec![part])? {
                        Value::Option(part) => kept.extend(part.map(|part| *part)),
                        _ => return wrong("no option"),
                    }
                }
                Ok(Value::Seq(kept))
            }
            ("scan", [start, closure]) => {
                self.slots.push(start.clone());
                let state = Place { slot: self.slots.len() - 1, at: Vec::new(), range: None };
                let mut given = Vec::new();
                for part in parts {
                    match self.invoke(closure, vec![Value::Place(state.clone()), part])? {
                        Value::Option(Some(part)) => given.push(*part),
                        Value::Option(None) => break,
                        _ => return wrong("no option"),
                    }
                }
                Ok(Value::Seq(given))
            }
            ("take_while", [closure]) => {
                let count = self.first_without(closure, &parts)?;
                Ok(Value::Seq(parts[..count].to_vec()))
            }
            ("skip_while", [closure]) => {
                let count = self.first_without(closure, &parts)?;
                Ok(Value::Seq(parts[count..].to_vec()))
            }
            ("position", [closure]) => {
                let at = self.first_with(closure, &parts)?;
                option(at.map(|k| Value::Int(k as i64)))
            }
            ("find", [closure]) => {
                let at = self.first_with(closure, &parts)?;
                option(at.map(|k| parts[k].clone()))
            }
            ("any", [closure]) => Ok(Value::Bool(self.first_with(closure, &parts)?.is_some())),
            ("all", [closure]) => Ok(Value::Bool(self.first_without(closure, &parts)? == parts.len())),
            // The last of equal ones for `max_by`, the first for `min_by`.
            ("max_by" | "min_by", [closure]) => {
                let mut best: Option<Value> = None;
                for part in parts {
                    let better = match &best {
                        None => true,
                        Some(best) => match self.invoke(closure, vec![best.clone(), part.clone()])? {
                            Value::Int(order) => {
                                if name == "max_by" {
                                    order <= 0
                                } else {
                                    order > 0
                                }
                            }
                            _ => return wrong("no order"),
                        },
                    };
                    if better {
                        best = Some(part);
                    }
                }
                option(best)
            }
            ("nth", [Value::Int(k)]) => option(parts.into_iter().nth(*k as usize)),
            ("fold", [start, closure]) => {
                parts.into_iter().try_fold(start.clone(), |sum, part| self.invoke(closure, vec![sum, part]))
            }
            ("sum", []) => self.reduce("+", 0, parts),
            ("product", []) => self.reduce("*", 1, parts),
            _ => wrong(format!("the method `{name}`")),
        }
    }

    fn reduce(&mut self, op: &str, start: i64, parts: Vec<Value>) -> Run<Value> {
        let start = match parts.first() {
            Some(Value::Int(_)) => Value::Int(start),
            _ => Value::Number(Number::constant(start as f64)),
        };
        parts.into_iter().try_fold(start, |sum, part| {
            let part = self.load(part);
            self.combine(op, sum, part)
        })
    }
}
