//! Functions that only change what they are given, in steps that do not commute, and methods that run others in a loop.

use super::callee::{Callee, Param};
use super::{By, Kind, Len, Output, Writer};
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn turns(&mut self) {
        if self.pick(2) == 1 {
            self.turn_of_array();
        }
        if self.drawn.methods && !self.structs.is_empty() && self.pick(3) == 2 {
            self.turn_of_struct();
        }
    }

    /// A struct or an array, and what changes it.
    pub(super) fn turned(&mut self) {
        let turns = |callee: &&Callee| match callee.params[..] {
            [Param::MutStruct(of)] => callee.owner == Some(of),
            [Param::MutArray] => true,
            _ => false,
        };
        let turns: Vec<Callee> = self.callees.iter().filter(turns).cloned().collect();
        if turns.is_empty() || self.pure || self.inside {
            return self.call_statement();
        }
        let turn = turns[turns.len() - 1 - self.pick(turns.len())].clone();
        let name = self.fresh("q");
        let call = match turn.owner {
            Some(of) => {
                let literal = self.struct_literal(of);
                self.line(&format!("let mut {name} = {literal};"));
                self.define_struct(&name, of, true, By::Value);
                format!("{name}.{}();", turn.name)
            }
            None => {
                let (first, second, third) = (self.number(1), self.atom(), self.number(0));
                self.line(&format!("let mut {name}: [f64; 3] = [{first}, {second}, {third}];"));
                self.define(&name, Kind::Elements(Len::Constant(3)), true);
                format!("{}(&mut {name});", turn.name)
            }
        };
        match self.pick(3) {
            0 => self.line(&call),
            kind => self.braces(["for _ in 0..2", "for _ in 0..n"][kind - 1], "", |writer| writer.line(&call)),
        }
    }

    /// A change of one of some places by others.
    fn step(&mut self, places: &[&str]) -> String {
        let (p, q, r) = (self.one_of(places), self.one_of(places), self.one_of(places));
        match self.pick(4) {
            0 => format!("{p} = 0.7 * {p} * {q} + 0.3 * {r};"),
            1 => format!("{p} += 0.5 * ({q} * {r}).sin();"),
            2 => format!("{p} *= {q};"),
            _ => format!("{p} = 0.6 * {q} - 0.5 * {r} * {r};"),
        }
    }

    pub(super) fn steps(&mut self, places: &[&str], indent: &str) -> String {
        (0..=self.pick(3)).map(|_| format!("{indent}{}\n", self.step(places))).collect()
    }

    fn turn_of_array(&mut self) {
        let name = format!("h{}", self.callees.len() + 1);
        let body = self.steps(&["b0[0]", "b0[1]", "b0[2]"], "    ");
        let _ = write!(self.items, "#[differentiable]\nfn {name}(b0: &mut [f64; 3]) {{\n{body}}}\n\n");
        self.callees.push(Callee {
            name,
            owner: None,
            params: vec![Param::MutArray],
            output: Output::Unit,
            special: false,
        });
    }

    /// A method, and another that runs it in a loop.
    fn turn_of_struct(&mut self) {
        let of = self.pick(self.structs.len());
        let body = self.steps(&["self.u0", "self.u1"], "        ");
        let own = self.steps(&["self.u1", "self.u0"], "        ");
        let names = [1, 2].map(|k| format!("m{}", self.callees.len() + k));
        let head = self.one_of(&["for _ in 0..2", "for _ in 0..3", "if self.u0 > -2.0"]);
        let _ = write!(
            self.methods[of],
            "    fn {}(&mut self) {{\n{body}    }}\n    fn {}(&mut self) {{\n{own}        {head} {{\n            self.{}();\n        }}\n    }}\n",
            names[0], names[1], names[0],
        );
        for name in names {
            let (params, owner) = (vec![Param::MutStruct(of)], Some(of));
            self.callees.push(Callee { name, owner, params, output: Output::Unit, special: false });
        }
    }
}
