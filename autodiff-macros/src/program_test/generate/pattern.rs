//! Patterns that take arrays and slices apart.

use super::callee::{Callee, Param};
use super::{By, Kind, Len, Output, Store, Variable, Writer};
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn take_apart(&mut self) {
        if !self.drawn.patterns || self.pure {
            return self.assign();
        }
        let arrays = |v: &super::Variable| {
            v.kind == Kind::Elements(Len::Constant(3)) && v.store == Store::Array && v.name != "a"
        };
        match (self.pick(4), self.find(arrays)) {
            (0, Some(array)) => self.array_apart(&array.name),
            (1, _) => self.parts_of_slice(),
            _ => self.slice_apart(),
        }
    }

    fn array_apart(&mut self, name: &str) {
        let (p, q) = (self.fresh("t"), self.fresh("t"));
        let name = if self.borrowed_by_name(name) { format!("*{name}") } else { name.to_owned() };
        match self.pick(4) {
            0 => self.line(&format!("let [mut {p}, .., {q}] = {name};")),
            1 => self.line(&format!("let [_, mut {p}, {q}] = {name};")),
            2 => {
                let rest = self.fresh("r");
                self.line(&format!("let [mut {p}, {rest} @ ..] = {name};"));
                self.line(&format!("let {q}: f64 = {rest}[0] - 0.5 * {rest}[1];"));
            }
            _ => self.line(&format!("let [.., mut {p}, {q}] = {name};")),
        }
        self.define(&p, Kind::Number, true);
        self.define(&q, Kind::Number, false);
    }

    fn borrowed_by_name(&self, name: &str) -> bool {
        self.variables.iter().rev().find(|v| v.name == name).is_some_and(|v| v.by != super::By::Value)
    }

    /// A list of numbers as a slice.
    fn some_slice(&mut self) -> String {
        let Some(found) = self.find(|variable| matches!(variable.kind, Kind::Elements(_))) else {
            return "&a[..]".to_owned();
        };
        format!("&{}[..]", found.name)
    }

    /// A `match` by the length.
    fn slice_apart(&mut self) {
        let (of, name) = (self.some_slice(), self.fresh("t"));
        let (by, other, bound) = (self.atom(), self.number(1), self.literal());
        let text = match self.pick(6) {
            0 => format!("match {of} {{ [] => {other}, [p] => p * {by}, [p, .., q] => p - 0.5 * q * {by} }}"),
            1 => format!(
                "match {of} {{ [p, q] => p * q, [p, rest @ ..] => p + 0.3 * rest.iter().sum::<f64>(), _ => {other} }}"
            ),
            2 => format!("if let [p, mid @ .., q] = {of} {{ p * q + mid.len() as f64 * {by} }} else {{ {other} }}"),
            3 => format!("match {of} {{ [p, ..] if *p > {bound} => p * {by}, [.., q] => q.sin(), [] => {other} }}"),
            4 => format!("match {of} {{ [_, p, ..] => *p, [p] | [p, ..] => p * {by}, [] => {other} }}"),
            _ => format!("if matches!({of}, [_, _] | [_, _, _]) {{ {by} }} else {{ {other} }}"),
        };
        self.line(&format!("let {name}: f64 = {text};"));
        self.define(&name, Kind::Number, false);
    }

    /// `split_first`, `split_last` and `split_at`
    fn parts_of_slice(&mut self) {
        let Some(found) = self.find(|variable| matches!(variable.kind, Kind::Elements(_))) else {
            return self.assign();
        };
        let (list, name) = (found.name, self.fresh("t"));
        let (by, other) = (self.atom(), self.atom());
        let text = match self.pick(5) {
            0 => format!(
                "if let Some((p, rest)) = {list}.split_first() {{ p * {by} - 0.5 * rest.iter().sum::<f64>() }} else {{ {other} }}"
            ),
            1 => format!(
                "match {list}.split_last() {{ Some((p, rest)) => p + 0.2 * rest.len() as f64 * {by}, None => {other} }}"
            ),
            2 => format!(
                "if let Some((_, rest)) = {list}.split_first() {{ rest.len() as f64 * {by} }} else {{ {other} }}"
            ),
            3 => {
                let (l, r) = (self.fresh("r"), self.fresh("r"));
                self.line(&format!("let ({l}, {r}) = {list}.split_at({list}.len() / 2);"));
                format!("{l}.iter().sum::<f64>() * {by} - {r}.iter().map(|r| r * r).sum::<f64>()")
            }
            _ if self.jumps => {
                let (p, rest) = (self.fresh("r"), self.fresh("r"));
                let jump = self.jump_out();
                self.line(&format!("let Some(({p}, {rest})) = {list}.split_last() else {{ {jump} }};"));
                format!("{p} * {by} + {rest}.iter().sum::<f64>()")
            }
            _ => format!("if let Some((p, _)) = {list}.split_last() {{ p * {by} }} else {{ {other} }}"),
        };
        self.line(&format!("let {name}: f64 = {text};"));
        self.define(&name, Kind::Number, false);
    }

    /// Both parts of a list in a scope where they change.
    pub(super) fn both_parts(&mut self) {
        let elements = |variable: &Variable| variable.mutable && matches!(variable.kind, Kind::Elements(_));
        let Some(list) = self.find(elements).filter(|_| self.drawn.patterns) else { return self.assign() };
        let name = list.name;
        let at = match self.pick(3) {
            0 => format!("{name}.len() / 2"),
            1 => format!("n.min({name}.len())"),
            _ => format!("{name}.len() - {name}.len() / 3"),
        };
        self.borrowing_if(Some(&name), |writer| {
            writer.braces("", "", |writer| {
                let parts = [writer.fresh("r"), writer.fresh("r")];
                // A `Vec` cannot tell its length where it is borrowed.
                writer.line(&format!("let mid = {at};"));
                writer.line(&format!("let ({}, {}) = {name}.split_at_mut(mid);", parts[0], parts[1]));
                for name in parts {
                    let kind = Kind::Elements(Len::Any);
                    let store = Store::Slice;
                    writer.variables.push(Variable { name, kind, mutable: true, by: By::Mut, store });
                }
                writer.call_statement();
                writer.statements(3);
            });
        });
    }

    /// Functions that take a list apart and call themselves with the rest.
    pub(super) fn fixed_callees(&mut self) {
        if self.drawn.traits && !self.structs.is_empty() && self.pick(2) == 1 {
            self.trait_of_struct();
        }
        if !self.drawn.patterns || self.pick(4) != 3 {
            return;
        }
        let name = format!("h{}", self.callees.len() + 1);
        let (last, step) = (self.literal(), self.one_of(&["p + x", "p.sin() - 0.5 * x", "0.4 * p * p + x"]));
        let body = match self.pick(2) {
            0 => format!(
                "    match b0 {{\n        [p, rest @ ..] => {step} * {name}(rest, x),\n        [] => {last},\n    }}\n"
            ),
            _ => format!(
                "    let Some((p, rest)) = b0.split_last() else {{ return {last} * x }};\n    {step} * {name}(rest, 0.7 * x)\n"
            ),
        };
        let _ = write!(self.items, "#[differentiable]\nfn {name}(b0: &[f64], x: f64) -> f64 {{\n{body}}}\n\n");
        let params = vec![Param::Slice, Param::Number];
        self.callees.push(Callee { name, owner: None, params, output: Output::Number, special: false });
    }
}
