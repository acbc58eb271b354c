//! Methods that edit a `Vec` or lend parts of it, and those that take elements from an iterator.

use super::{Machine, Place, Run, Value, wrong};
use std::cmp::Ordering;
use syn::{Expr, ExprMethodCall};

impl Machine {
    fn order(&mut self, closure: &Value, a: &Value, b: &Value) -> Run<Ordering> {
        match self.invoke(closure, vec![a.clone(), b.clone()])? {
            Value::Int(order) => Ok(order.cmp(&0)),
            _ => wrong("no order"),
        }
    }

    /// A stable sort, by insertion. Of elements that are equal, `sort_unstable_by` may leave any first.
    pub(super) fn sort(&mut self, place: &Place, closure: &Value) -> Run<()> {
        let parts = self.elements(place)?.to_vec();
        let mut sorted: Vec<Value> = Vec::new();
        for part in parts {
            let mut at = sorted.len();
            while at > 0 && self.order(closure, &sorted[at - 1], &part)? == Ordering::Greater {
                at -= 1;
            }
            sorted.insert(at, part);
        }
        self.elements(place)?.clone_from_slice(&sorted);
        Ok(())
    }

    /// Sorts, keeps some, or takes elements out.
    fn edit_by(&mut self, name: &str, place: &Place, call: &ExprMethodCall) -> Run<Option<Value>> {
        match (name, call.args.first()) {
            ("sort_by" | "sort_unstable_by", Some(by)) => {
                let closure = self.value(by)?;
                self.sort(place, &closure)?;
                Ok(Some(Value::Unit))
            }
            ("retain", Some(by)) => {
                let closure = self.value(by)?;
                let mut kept = Vec::new();
                for part in self.grown(place)?.clone() {
                    if let Value::Bool(true) = self.invoke(&closure, vec![part.clone()])? {
                        kept.push(part);
                    }
                }
                *self.grown(place)? = kept;
                Ok(Some(Value::Unit))
            }
            ("dedup", None) => {
                let mut kept: Vec<Value> = Vec::new();
                for part in self.grown(place)?.clone() {
                    let same = match kept.last().cloned() {
                        Some(last) => matches!(self.combine("==", last, part.clone())?, Value::Bool(true)),
                        None => false,
                    };
                    if !same {
                        kept.push(part);
                    }
                }
                *self.grown(place)? = kept;
                Ok(Some(Value::Unit))
            }
            ("drain", Some(Expr::Range(range))) => {
                let len = self.grown(place)?.len();
                let (lo, hi) = self.bounds(range, len)?;
                if lo > hi || hi > len {
                    return wrong("a range out of bounds");
                }
                Ok(Some(Value::Seq(self.grown(place)?.drain(lo..hi).collect())))
            }
            ("copy_within", Some(Expr::Range(range))) => {
                let len = self.elements(place)?.len();
                let (lo, hi) = self.bounds(range, len)?;
                let Value::Int(to) = self.value(&call.args[1])? else { return wrong("no index") };
                let parts = self.elements(place)?;
                if lo > hi || hi > parts.len() || to as usize + (hi - lo) > parts.len() {
                    return wrong("a copy out of bounds");
                }
                let copies = parts[lo..hi].to_vec();
                parts[to as usize..][..hi - lo].clone_from_slice(&copies);
                Ok(Some(Value::Unit))
            }
            ("append", Some(other)) => {
                let other = self.place(other)?;
                let other = self.follow(other)?;
                let more = std::mem::take(self.grown(&other)?);
                self.grown(place)?.extend(more);
                Ok(Some(Value::Unit))
            }
            _ => Ok(None),
        }
    }

    /// A mutable borrow of a part.
    fn range(&mut self, place: &Place, lo: usize, hi: usize) -> Value {
        let start = place.range.map_or(0, |(lo, _)| lo);
        Value::Place(Place { range: Some((start + lo, start + hi)), ..place.clone() })
    }

    /// Edits; `None` if the method is another one.
    pub(super) fn edit(&mut self, name: &str, place: &Place, call: &ExprMethodCall) -> Run<Option<Value>> {
        if !matches!(self.at(place)?, Value::Seq(_)) {
            return Ok(None);
        }
        if let Some(done) = self.edit_by(name, place, call)? {
            return Ok(Some(done));
        }
        const EDITS: &[&str] = &[
            "insert",
            "remove",
            "swap_remove",
            "resize",
            "extend",
            "split_off",
            "rotate_left",
            "rotate_right",
            "last_mut",
            "first_mut",
            "get_mut",
            "split_at_mut",
            "chunks_mut",
            "next",
            "next_back",
        ];
        if !EDITS.contains(&name) {
            return Ok(None);
        }
        let args: Run<Vec<Value>> = call.args.iter().map(|arg| self.value(arg)).collect();
        let option = |value: Option<Value>| Value::Option(value.map(Box::new));
        let len = self.elements(place)?.len();
        let result = match (name, &args?[..]) {
            ("insert", [Value::Int(k), value]) if *k as usize <= len => {
                self.grown(place)?.insert(*k as usize, value.clone());
                Value::Unit
            }
            ("remove", [Value::Int(k)]) if (*k as usize) < len => self.grown(place)?.remove(*k as usize),
            ("swap_remove", [Value::Int(k)]) if (*k as usize) < len => self.grown(place)?.swap_remove(*k as usize),
            ("resize", [Value::Int(k), value]) => {
                self.grown(place)?.resize(*k as usize, value.clone());
                Value::Unit
            }
            ("extend", [Value::Seq(from)]) => {
                let from: Vec<Value> = from.iter().map(|part| self.load(part.clone())).collect();
                self.grown(place)?.extend(from);
                Value::Unit
            }
            ("extend", [Value::Option(from)]) => {
                self.grown(place)?.extend(from.clone().map(|part| *part));
                Value::Unit
            }
            ("split_off", [Value::Int(k)]) if *k as usize <= len => {
                Value::Seq(self.grown(place)?.split_off(*k as usize))
            }
            ("rotate_left", [Value::Int(k)]) if *k as usize <= len => {
                self.elements(place)?.rotate_left(*k as usize);
                Value::Unit
            }
            ("rotate_right", [Value::Int(k)]) if *k as usize <= len => {
                self.elements(place)?.rotate_right(*k as usize);
                Value::Unit
            }
            ("last_mut", []) => option(self.places(place.clone())?.pop()),
            ("first_mut", []) => option(self.places(place.clone())?.into_iter().next()),
            ("get_mut", [Value::Int(k)]) => option(self.places(place.clone())?.into_iter().nth(*k as usize)),
            ("split_at_mut", [Value::Int(k)]) if *k as usize <= len => {
                Value::Tuple(vec![self.range(place, 0, *k as usize), self.range(place, *k as usize, len)])
            }
            ("chunks_mut", [Value::Int(k)]) if *k > 0 => {
                let k = *k as usize;
                Value::Seq((0..len).step_by(k).map(|lo| self.range(place, lo, (lo + k).min(len))).collect())
            }
            ("next", []) => {
                let items = self.grown(place)?;
                option(if items.is_empty() { None } else { Some(items.remove(0)) })
            }
            ("next_back", []) => option(self.grown(place)?.pop()),
            _ => return wrong(format!("the arguments of `{name}`")),
        };
        Ok(Some(result))
    }
}
