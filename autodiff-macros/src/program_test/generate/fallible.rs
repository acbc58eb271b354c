//! Calls of functions that may give nothing or an error, and `?`.

use super::{Kind, Output, Writer};

impl Writer<'_> {
    /// The number of a call that gives a `Result`.
    pub(super) fn number_of_result(&mut self, call: &str) -> String {
        let other = self.literal();
        match self.pick(4) {
            0 => format!("{call}.unwrap_or({other})"),
            1 => format!("{call}.map(|r| r * 0.7).unwrap_or({other})"),
            2 => format!("{call}.ok().unwrap_or({other})"),
            _ => format!("{call}.unwrap_or_else(|_| {other})"),
        }
    }

    /// A statement with a call of this kind; `false` if it is of another one.
    pub(super) fn fallible(&mut self, call: &str, output: Output) -> bool {
        let passes = match output {
            Output::Option => self.output == Output::Option,
            Output::Result | Output::Done => matches!(self.output, Output::Result | Output::Done),
            _ => return false,
        };
        let name = self.fresh("t");
        if passes && self.pick(3) > 0 {
            self.passed_on(call, output, &name);
            return true;
        }
        if output == Output::Done {
            self.line(&format!("if {call}.is_err() {{"));
            self.scoped(|writer| {
                writer.assign();
                writer.statements(1);
            });
            self.line("}");
            return true;
        }
        let some = if output == Output::Option { "Some" } else { "Ok" };
        let none = if output == Output::Option { "None" } else { "Err(_)" };
        match self.pick(4) {
            0 => {
                let (bound, other) = (self.atom(), self.number(1));
                self.line(&format!(
                    "let {name}: f64 = match {call} {{ {some}(z) if z > {bound} => z * {bound}, {some}(z) => z, {none} => {other} }};"
                ));
            }
            1 if self.jumps => {
                let jump = self.jump_out();
                self.line(&format!("let {some}({name}) = {call} else {{ {jump} }};"));
            }
            2 => {
                self.line(&format!("if let {some}({name}) = {call} {{"));
                self.scoped(|writer| {
                    writer.define(&name, Kind::Number, false);
                    writer.assign();
                    writer.statements(1);
                });
                self.line("}");
                return true;
            }
            _ if output == Output::Result => {
                let value = self.number_of_result(call);
                self.line(&format!("let {name}: f64 = {value};"));
            }
            _ => return false,
        }
        self.define(&name, Kind::Number, false);
        true
    }

    /// `let t = f(x)?;`
    fn passed_on(&mut self, call: &str, output: Output, name: &str) {
        if output == Output::Done {
            return self.line(&format!("{call}?;"));
        }
        let twice = if self.pick(3) == 2 { self.call(|callee| callee.output == output) } else { None };
        match twice {
            Some((other, _)) => self.line(&format!("let {name}: f64 = {call}? - 0.5 * {other}?;")),
            None => self.line(&format!("let {name}: f64 = {call}?;")),
        }
        self.define(name, Kind::Number, false);
    }

    /// An early end with nothing, or with an error.
    pub(super) fn failure(&mut self) -> Option<String> {
        match self.output {
            Output::Option => Some("return None;".to_owned()),
            Output::Result | Output::Done => Some(format!("return Err({});", 1 + self.pick(3))),
            _ => None,
        }
    }

    /// `o.ok_or(3)?`, or an end of the function.
    pub(super) fn fails(&mut self) {
        let option = self.find(|variable| variable.kind == Kind::Option);
        let name = self.fresh("t");
        match (self.output, option) {
            (Output::Result | Output::Done, Some(option)) if self.drawn.results && !self.pure => {
                self.line(&format!("let {name}: f64 = {}.ok_or(3_usize)?;", option.name));
                self.define(&name, Kind::Number, false);
            }
            _ => self.jump(),
        }
    }
}
