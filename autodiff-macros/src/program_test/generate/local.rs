//! Blocks with values, closures in closures, names that shadow others, and traits.

use super::{By, Kind, Writer};
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn local(&mut self) {
        if !self.drawn.blocks || self.pure {
            return self.assign();
        }
        match self.pick(9) {
            7 | 8 if self.moving.is_some() => self.use_trait(),
            0 | 1 => self.block_with_value(),
            2 => self.search(),
            3 => self.closures_in_closures(),
            4 => self.shadowing(),
            5 => self.element_or_jump(),
            _ => self.use_trait(),
        }
    }

    /// `'b: { if c { break 'b x; } … y }`
    fn block_with_value(&mut self) {
        let (label, name, inner) = (self.fresh("'b"), self.fresh("t"), self.fresh("w"));
        let (condition, early, start) = (self.condition(), self.number(1), self.number(1));
        self.line(&format!("let mut {name}: f64 = {label}: {{"));
        let loops = std::mem::take(&mut self.loops);
        self.scoped(|writer| {
            writer.line(&format!("if {condition} {{ break {label} {early}; }}"));
            writer.line(&format!("let mut {inner}: f64 = {start};"));
            writer.define(&inner, Kind::Number, true);
            // A jump would need its value.
            let jumps = std::mem::replace(&mut writer.jumps, false);
            writer.statements(2);
            writer.jumps = jumps;
            let (other, value) = (writer.condition(), writer.number(1));
            writer.line(&format!("if {other} {{ {inner} *= 0.6; break {label} {inner}; }}"));
            writer.line(&format!("{inner} - 0.5 * ({value})"));
        });
        self.loops = loops;
        self.line("};");
        self.define(&name, Kind::Number, true);
    }

    /// A value from the inner of two loops.
    fn search(&mut self) {
        let (label, name, index) = (self.fresh("'b"), self.fresh("t"), self.fresh("c"));
        let Some(list) = self.find(|v| matches!(v.kind, Kind::Elements(_))) else { return self.block_with_value() };
        let (by, bound) = (self.atom(), self.atom());
        self.line(&format!("let mut {index}: usize = 0;"));
        self.line(&format!("let {name}: f64 = {label}: loop {{"));
        self.line(&format!(
            "    for r in {}.iter() {{ if r * {by} > {bound} {{ break {label} r * {by}; }} }}",
            list.name
        ));
        self.line(&format!("    {index} += 1;"));
        self.line(&format!("    if {index} > n {{ break {by} * {index} as f64; }}"));
        self.line("};");
        self.define(&name, Kind::Number, false);
        self.define(&index, Kind::Index(super::Len::Any), false);
    }

    fn closures_in_closures(&mut self) {
        let (function, inner, name) = (self.fresh("f"), self.fresh("f"), self.fresh("t"));
        let (body, by, at) = (self.closure_body(&["r", "w"]), self.closure_body(&["r"]), self.atom());
        let text = match self.pick(4) {
            0 => format!("|r: f64| {{ let {inner} = |w: f64| {body}; {inner}(r) + {inner}(0.5) * r }}"),
            1 => format!("|r: f64| -> f64 {{ if r > 0.2 {{ return {by}; }} let w: f64 = r * r; {body} }}"),
            2 => format!(
                "|r: f64| {{ let mut w: f64 = {by}; for k in 0..2 {{ w = 0.5 * w + 0.3 * ({body}) - k as f64; }} w }}"
            ),
            _ => {
                self.line(&format!("let {inner} = |r: f64, w: f64| {body};"));
                format!("|r: f64| {inner}(r, 0.3) * r - {inner}({by}, r)")
            }
        };
        self.line(&format!("let {function} = {text};"));
        self.line(&format!("let {name}: f64 = 0.5 * {function}({at}) - 0.2 * {function}(0.4);"));
        self.define(&name, Kind::Number, false);
    }

    fn shadowing(&mut self) {
        let (name, value, by) = (self.name(), self.number(1), self.atom());
        self.line(&format!("let {name}: f64 = {value};"));
        self.line(&format!("let {name}: f64 = {name} - 0.5 * {name}.sin();"));
        let text = match self.pick(3) {
            0 => format!("{{ let {name}: f64 = 0.5 * {name}; {name} * {by} }}"),
            1 => format!("if {name} > 0.2 {{ let {name}: f64 = {name} * {name}; {name} }} else {{ {name} - {by} }}"),
            _ => format!("match {name} {{ {name} if {name} > 0.1 => {name} * {by}, {name} => 0.5 * {name} }}"),
        };
        self.define(&name, Kind::Number, false);
        let result = self.fresh("t");
        self.line(&format!("let {result}: f64 = {text};"));
        self.define(&result, Kind::Number, false);
    }

    fn element_or_jump(&mut self) {
        let Some(list) = self.find(|v| matches!(v.kind, Kind::Elements(_))) else { return self.shadowing() };
        if !self.jumps {
            return self.shadowing();
        }
        let (name, index) = (self.fresh("z"), self.find(|v| matches!(v.kind, Kind::Index(_))));
        let at = index.map_or_else(|| "1".to_owned(), |index| index.name);
        let which = match self.pick(3) {
            0 => format!("get({at})"),
            1 => "first()".to_owned(),
            _ => "last()".to_owned(),
        };
        let jump = self.jump_out();
        self.line(&format!("let Some(&{name}) = {}.{which} else {{ {jump} }};", list.name));
        self.define(&name, Kind::Number, false);
    }

    /// A trait, and what it is for a struct.
    pub(super) fn trait_of_struct(&mut self) {
        let of = self.pick(self.structs.len());
        let name = self.structs[of].name.clone();
        let steps = self.steps(&["self.u0", "self.u1", "r"], "        ").replace("        r ", "        self.u0 ");
        let energy =
            self.one_of(&["self.u0 * self.u1 + r", "(self.u0 - r).sin() * self.u1", "0.5 * self.u1 * self.u1 - r"]);
        let twice = "fn twice(&self, r: f64) -> f64 { self.energy(r) - 0.5 * self.energy(0.3) }";
        // The trait provides it, or the block has it.
        let (provided, own) = match self.pick(2) {
            0 => (twice, String::new()),
            _ => ("fn twice(&self, r: f64) -> f64;", format!("    {twice}\n")),
        };
        let _ = write!(
            self.items,
            "trait Moves {{\n    fn energy(&self, r: f64) -> f64;\n    fn push(&mut self, r: f64);\n    {provided}\n}}\n\n\
             #[differentiable]\nimpl Moves for {name} {{\n    fn energy(&self, r: f64) -> f64 {{ {energy} }}\n    \
             fn push(&mut self, r: f64) {{\n{steps}    }}\n{own}}}\n\n\
             #[differentiable]\nimpl {name} {{\n    fn kick(&mut self, r: f64) -> &mut Self {{\n        self.u0 += r * self.u1;\n        self\n    }}\n}}\n\n"
        );
        self.moving = Some(of);
    }

    fn use_trait(&mut self) {
        let Some(of) = self.moving.filter(|_| !self.inside) else { return self.shadowing() };
        let found = self.find(|v| v.mutable && v.kind == Kind::Struct(of));
        let name = match found {
            Some(found) => found.name,
            None => {
                let (name, literal) = (self.fresh("q"), self.struct_literal(of));
                self.line(&format!("let mut {name} = {literal};"));
                self.define_struct(&name, of, true, By::Value);
                name
            }
        };
        let (result, by) = (self.fresh("t"), self.fresh("w"));
        // An argument that changes the struct is a statement of its own: the receiver is borrowed by then.
        let given = self.number(1);
        self.line(&format!("let {by}: f64 = {given};"));
        match self.pick(4) {
            0 => self.line(&format!("{name}.push({by});")),
            1 => self.line(&format!("{name}.kick({by}).kick(0.5 * x);")),
            2 => self.line(&format!("for _ in 0..2 {{ {name}.push(0.5 * {name}.energy(0.2)); }}")),
            _ => self.line(&format!("for k in 0..n {{ {name}.push(s[k] * {name}.twice(0.1)); }}")),
        }
        let method = self.one_of(&["energy", "twice"]);
        self.line(&format!("let {result}: f64 = {name}.{method}({by});"));
        self.define(&result, Kind::Number, false);
    }
}
