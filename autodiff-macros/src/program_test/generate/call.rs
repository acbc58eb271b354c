//! Calls of functions and methods: every way to hand something over and to use what comes back.

use super::callee::{Callee, Field, Param};
use super::{By, Kind, Len, Output, Store, Variable, Writer};

/// How many calls a program has, at most.
const CALLS: usize = 8;

impl Writer<'_> {
    /// The first part of a place: what is borrowed if the place is.
    pub(super) fn base(name: &str) -> &str {
        name.trim_start_matches(['(', '*']).split(['.', '[', ')']).next().unwrap_or(name)
    }

    /// What holds while something is borrowed.
    pub(super) fn borrowing<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let count = self.borrowed.len();
        let result = run(self);
        self.borrowed.truncate(count);
        result
    }

    pub(super) fn borrow(&mut self, name: &str, mutable: bool) {
        self.borrowed.push((Self::base(name).to_owned(), mutable));
    }

    /// Borrows a variable, if there is one, for a borrow that stays.
    pub(super) fn borrowing_if<T>(&mut self, name: Option<&str>, run: impl FnOnce(&mut Self) -> T) -> T {
        let Some(name) = name else { return run(self) };
        let at = self.borrowed.len();
        self.borrow(name, true);
        let result = run(self);
        self.borrowed.remove(at);
        result
    }

    /// A variable to hand over, by what is wanted of it.
    fn handed(&mut self, mutable: bool, wanted: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let found = self.find(|variable| (variable.mutable || !mutable) && wanted(variable))?;
        self.borrow(&found.name, mutable);
        Some(found)
    }

    fn by_ref(&mut self, variable: &Variable) -> String {
        let name = &variable.name;
        match variable.by {
            By::Value => format!("&{name}"),
            By::Ref => name.trim_start_matches("(*").trim_end_matches(')').to_owned(),
            By::Mut if name.starts_with('(') || self.pick(2) == 0 => {
                format!("&*{}", name.trim_start_matches("(*").trim_end_matches(')'))
            }
            By::Mut => name.clone(),
        }
    }

    fn by_mut(&mut self, variable: &Variable) -> String {
        let name = variable.name.trim_start_matches("(*").trim_end_matches(')');
        match variable.by {
            By::Mut if self.pick(2) == 0 => format!("&mut *{name}"),
            By::Mut => name.to_owned(),
            _ => format!("&mut {name}"),
        }
    }

    /// A part of an array, as a range: nothing for the whole. Where a window begins, an index may say, and where a part ends,
    /// the length.
    fn range_in(&mut self, Variable { name, kind, .. }: &Variable) -> String {
        if self.pick(4) == 3 {
            return match self.pick(5) {
                0 => format!("[..{name}.len() / 2]"),
                1 => format!("[{name}.len() / 2..]"),
                2 => format!("[{name}.len() / 3..{name}.len() - {name}.len() / 3]"),
                3 => format!("[n.min({name}.len())..]"),
                _ => format!("[..n.min({name}.len())]"),
            };
        }
        match kind {
            Kind::Elements(Len::Constant(count)) if *count > 2 && self.pick(5) == 0 => {
                let from = self.index(Len::Constant(*count - 1));
                format!("[{from}..{from} + 2]")
            }
            Kind::Elements(Len::Constant(_)) => self.one_of(&["", "[1..]", "[..]", "[..2]"]).to_owned(),
            _ => self.one_of(&["", "[..]"]).to_owned(),
        }
    }

    /// An argument; `None` if there is nothing to hand over.
    fn argument(&mut self, param: Param) -> Option<String> {
        let three =
            |variable: &Variable| variable.kind == Kind::Elements(Len::Constant(3)) && variable.store == Store::Array;
        let elements = |variable: &Variable| matches!(variable.kind, Kind::Elements(_));
        let constant = |variable: &Variable| {
            matches!(variable.kind, Kind::Elements(Len::Constant(_) | Len::Size)) && variable.store == Store::Array
        };
        Some(match param {
            Param::Number => self.number(1),
            Param::Ref => {
                let number = |variable: &Variable| variable.kind == Kind::Number;
                match self.pick(3) {
                    0 => format!("&({})", self.number(1)),
                    _ => {
                        let found = self.handed(false, number)?;
                        self.by_ref(&found)
                    }
                }
            }
            Param::MutNumber => {
                if self.pick(4) == 3 {
                    if let Some(place) = self.target() {
                        self.borrow(&place, true);
                        return Some(format!("&mut {place}"));
                    }
                }
                let found = self.handed(true, |variable| variable.kind == Kind::Number)?;
                self.by_mut(&found)
            }
            Param::Array => match self.handed(false, three) {
                Some(found) if self.pick(4) > 0 => self.by_ref(&found),
                _ if self.pick(4) == 3 => format!("&[0.5, {}, -0.3]", self.literal()),
                _ => format!("&[{}, {}, {}]", self.number(1), self.atom(), self.number(0)),
            },
            Param::Sized => match (self.pick(5), self.handed(false, constant)) {
                (0, _) => "&[0.0; 0]".to_owned(),
                (1, _) => format!("&[{}]", self.number(1)),
                (2, Some(found)) => self.by_ref(&found),
                (3, Some(found)) => self.by_ref(&found),
                _ => format!("&[{}, {}]", self.number(1), self.atom()),
            },
            Param::MutSized => {
                let found = self.handed(true, constant)?;
                self.by_mut(&found)
            }
            Param::MutArray => {
                let found = self.handed(true, three)?;
                self.by_mut(&found)
            }
            Param::Slice => {
                let found = self.handed(false, elements)?;
                let part = self.range_in(&found);
                if part.is_empty() { self.by_ref(&found) } else { format!("&{}{part}", found.name) }
            }
            Param::MutSlice => {
                let found = self.handed(true, elements)?;
                let part = self.range_in(&found);
                if part.is_empty() { self.by_mut(&found) } else { format!("&mut {}{part}", found.name) }
            }
            Param::MutVec => {
                let found = self.handed(true, |v| v.kind == Kind::Elements(Len::Any) && v.store == Store::Vec)?;
                self.by_mut(&found)
            }
            Param::Struct(k) => match self.find(|variable| variable.kind == Kind::Struct(k)) {
                Some(found) if self.pick(3) > 0 => match found.by {
                    By::Value => found.name,
                    _ => format!("*{}", found.name),
                },
                _ => self.struct_literal(k),
            },
            Param::RefStruct(k) => {
                let found = self.handed(false, |variable| variable.kind == Kind::Struct(k))?;
                self.by_ref(&found)
            }
            Param::MutStruct(k) => {
                let found = self.handed(true, |variable| variable.kind == Kind::Struct(k))?;
                self.by_mut(&found)
            }
            Param::Enum(k) => match self.find(|v| v.kind == Kind::Enum(k) && v.by == By::Value) {
                Some(found) if self.pick(2) == 0 => found.name,
                _ => self.variant(),
            },
            Param::RefEnum(k) => match self.handed(false, |variable| variable.kind == Kind::Enum(k)) {
                Some(found) => self.by_ref(&found),
                None => format!("&{}", self.variant()),
            },
            Param::MutEnum(k) => {
                let found = self.handed(true, |variable| variable.kind == Kind::Enum(k))?;
                self.by_mut(&found)
            }
            Param::Option => self.option(),
            Param::MutOption => {
                let found = self.handed(true, |variable| variable.kind == Kind::Option)?;
                self.by_mut(&found)
            }
            Param::Int(width) => self.int_argument(width),
            Param::Records(record) => {
                let found = self.handed(false, |variable| variable.kind == Kind::Records(record))?;
                if self.pick(2) == 0 {
                    return Some(if found.by == By::Value { format!("&{}", found.name) } else { self.by_ref(&found) });
                }
                format!("&{}{}", found.name, self.record_part(&found.name))
            }
            Param::MutRecords(record) => {
                let found = self.handed(true, |variable| variable.kind == Kind::Records(record))?;
                if self.pick(2) == 0 {
                    return Some(self.by_mut(&found));
                }
                format!("&mut {}{}", found.name, self.record_part(&found.name))
            }
            Param::Count => match self.find(|variable| matches!(variable.kind, Kind::Index(_)) && !variable.mutable) {
                Some(index) if self.pick(2) == 0 => index.name,
                _ => self.one_of(&["2", "1", "0", "3", "n"]).to_owned(),
            },
            // Both, one after the other.
            Param::Length => return None,
        })
    }

    /// The fields of a struct, not always in the order of the declaration; one may change what the next ones read.
    pub(super) fn struct_literal(&mut self, of: usize) -> String {
        let mut fields = self.structs[of].fields.clone();
        let by = self.pick(fields.len());
        fields.rotate_left(by);
        let mut change = if self.pick(2) == 1 { self.change() } else { None };
        let mut read = None;
        let parts: Vec<String> = fields
            .into_iter()
            .map(|(name, field)| match field {
                Field::Number => match (change.take(), read.take()) {
                    (Some((change, place)), _) => {
                        let value = format!("{name}: ({{ {change} {place} }})");
                        read = Some(place);
                        value
                    }
                    (None, Some(place)) => format!("{name}: {place}"),
                    (None, None) => format!("{name}: {}", self.number(1)),
                },
                Field::Pair => format!("{name}: [{}, {}]", self.number(1), self.number(0)),
                Field::Option => format!("{name}: {}", self.option()),
                Field::Enum => format!("{name}: {}", self.variant()),
                Field::Struct(part) => match self.find(|v| v.kind == Kind::Struct(part) && v.by == By::Value) {
                    Some(found) if self.pick(2) == 0 => format!("{name}: {}", found.name),
                    _ => format!("{name}: {}", self.struct_literal(part)),
                },
            })
            .collect();
        format!("{} {{ {} }}", self.structs[of].name, parts.join(", "))
    }

    /// A value of the enum.
    pub(super) fn variant(&mut self) -> String {
        match self.pick(7) {
            3 | 4 => "E1::Zero".to_owned(),
            5 => "E1::One(0.5)".to_owned(),
            6 => format!("E1::Two {{ e0: {}, e1: 0.8 }}", self.literal()),
            0 => format!("E1::One({} + {})", self.atom(), self.factor(1)),
            1 => format!("E1::Two {{ e1: {}, e0: {} }}", self.number(1), self.atom()),
            _ => "(if n > 1 { E1::Zero } else { E1::One(x) })".to_owned(),
        }
    }

    /// A call, and what it gives; `None` if nothing can be called here.
    pub(super) fn call(&mut self, wanted: impl Fn(&Callee) -> bool) -> Option<(String, Output)> {
        if !self.drawn.items || self.calls >= if self.inside { 2 } else { CALLS } {
            return None;
        }
        let effects = !self.pure;
        let callees: Vec<Callee> =
            self.callees.iter().filter(|callee| wanted(callee) && (effects || !callee.changes())).cloned().collect();
        if callees.is_empty() {
            return None;
        }
        let callee = callees[self.pick(callees.len())].clone();
        self.calls += 1;
        self.borrowing(|writer| {
            let mut params = &callee.params[..];
            let mut receiver = String::new();
            let mut changed = None;
            if let Some(of) = callee.owner {
                let mutable = matches!(params[0], Param::MutStruct(_));
                let found = writer.find(|v| v.kind == Kind::Struct(of) && (v.mutable || !mutable))?;
                // While the arguments are computed the receiver can be read.
                writer.borrow(&found.name, false);
                receiver = format!("{}.", found.name);
                changed = mutable.then_some(found.name);
                params = &params[1..];
            }
            let args = writer.arguments(params, changed.as_deref())?;
            let text = format!("{receiver}{}({})", callee.name, args.join(", "));
            Some((text, callee.output))
        })
    }

    /// `changed` is borrowed while borrows are made.
    fn arguments(&mut self, params: &[Param], changed: Option<&str>) -> Option<Vec<String>> {
        let mut args = Vec::new();
        for param in params {
            args.push(match param {
                Param::Length if args.last().is_some_and(|last| last == "s") => "n".to_owned(),
                Param::Length => "s".to_owned(),
                // It cannot be borrowed for longer.
                param if param.borrows() => self.borrowing_if(changed, |writer| writer.argument(*param))?,
                param => self.argument(*param)?,
            });
        }
        Some(args)
    }

    /// The arguments of a function whose gradient can be taken, in parentheses, and the parts of the gradient as suffixes.
    fn derived(&mut self) -> Option<(String, String, Vec<&'static str>)> {
        if self.calls >= if self.inside { 2 } else { CALLS } {
            return None;
        }
        let callees: Vec<Callee> = self.callees.iter().filter(|callee| callee.has_gradient()).cloned().collect();
        if callees.is_empty() {
            return None;
        }
        let callee = callees[self.pick(callees.len())].clone();
        self.calls += 1;
        let args = self.borrowing(|writer| writer.arguments(&callee.params, None))?;
        let numbers = callee.params.iter().zip(&args).filter_map(|(param, arg)| match param {
            Param::Count => None,
            Param::Length if arg == "n" => None,
            Param::Array => Some("[1]"),
            Param::Slice | Param::Length | Param::Sized => Some(".iter().sum::<f64>()"),
            _ => Some(""),
        });
        Some((callee.name, format!("({})", args.join(", ")), numbers.collect()))
    }

    /// A number of a gradient.
    pub(super) fn gradient(&mut self, depth: usize) -> String {
        let Some((name, args, parts)) = self.derived() else { return self.called(depth) };
        let (k, valued) = (self.pick(parts.len()), self.pick(3) == 2);
        let function = if valued { "value_and_grad" } else { "grad" };
        let field = if parts.len() > 1 { format!(".{k}") } else { String::new() };
        format!("{name}::{function}{args}{}{field}{}", if valued { ".1" } else { "" }, parts[k])
    }

    /// A value with its gradient.
    pub(super) fn gradient_statement(&mut self) {
        let Some((name, args, parts)) = self.derived() else { return self.call_statement() };
        let (value, slope, given) = (self.fresh("t"), self.fresh("t"), self.fresh("d"));
        self.line(&format!("let ({value}, {given}) = {name}::value_and_grad{args};"));
        let k = self.pick(parts.len());
        let field = if parts.len() > 1 { format!(".{k}") } else { String::new() };
        self.line(&format!("let mut {slope}: f64 = {given}{field}{};", parts[k]));
        self.define(&value, Kind::Number, false);
        self.define(&slope, Kind::Number, true);
    }

    /// A call as a number.
    pub(super) fn called(&mut self, depth: usize) -> String {
        let Some((call, output)) = self.call(|callee| !matches!(callee.output, Output::Unit | Output::Done)) else {
            return self.number(depth);
        };
        match output {
            Output::Number => call,
            Output::Pair => format!("{call}.{}", self.pick(2)),
            Output::Array => format!("{call}[{}]", self.pick(2)),
            Output::Struct(_) => format!("{call}.{}", self.one_of(&["u0", "u1"])),
            Output::Bool => format!("(if {call} {{ {} }} else {{ {} }})", self.number(0), self.number(0)),
            Output::Index => match self.find(|variable| {
                variable.kind == Kind::Elements(Len::Constant(3)) || variable.kind == Kind::Elements(Len::Constant(2))
            }) {
                // What holds the elements may be changed by the call.
                Some(array) if array.store == Store::Array && !array.mutable => format!("{}[{call} % 2]", array.name),
                _ => format!("({call} as f64)"),
            },
            Output::Option => format!("{call}.unwrap_or({})", self.literal()),
            Output::Result => self.number_of_result(&call),
            Output::Unit | Output::Done => call,
        }
    }

    /// A loop of nothing but calls that change something.
    pub(super) fn loop_of_calls(&mut self) {
        if !self.drawn.items || self.pure || !self.callees.iter().any(Callee::changes) {
            return self.call_statement();
        }
        let name = self.fresh("k");
        let head = match self.pick(5) {
            0 => {
                self.line(&format!("let mut {name} = 0;"));
                format!("while {name} < 3")
            }
            kind => ["for _ in 0..3", "for _ in 0..2", "for _ in 0..n", "for _ in (0..3).rev()"][kind - 1].to_owned(),
        };
        self.braces(&head, "", |writer| {
            if head.starts_with("while") {
                writer.line(&format!("{name} += 1;"));
            }
            for _ in 0..=writer.pick(2) {
                let arrays = |callee: &Callee| callee.params.contains(&Param::MutArray);
                let of_arrays = writer.pick(3) > 0 && writer.callees.iter().any(arrays);
                match writer.call(if of_arrays { arrays } else { Callee::changes }) {
                    Some((call, Output::Unit)) => writer.line(&format!("{call};")),
                    Some((call, _)) => writer.line(&format!("let _ = {call};")),
                    None => {}
                }
            }
        });
    }

    /// A call as a statement.
    pub(super) fn call_statement(&mut self) {
        let Some((call, output)) = self.call(|_| true) else { return self.assign() };
        if self.fallible(&call, output) {
            return;
        }
        match output {
            Output::Result | Output::Done => self.line(&format!("let _ = {call};")),
            Output::Unit => self.line(&format!("{call};")),
            Output::Number => {
                let name = self.name();
                self.line(&format!("let {name}: f64 = {call};"));
                self.define(&name, Kind::Number, false);
            }
            Output::Pair => {
                let (p, q) = (self.fresh("t"), self.fresh("t"));
                self.line(&format!("let (mut {p}, {q}) = {call};"));
                self.define(&p, Kind::Number, true);
                self.define(&q, Kind::Number, false);
            }
            Output::Array => {
                let name = self.name();
                self.line(&format!("let mut {name}: [f64; 2] = {call};"));
                self.define(&name, Kind::Elements(Len::Constant(2)), true);
            }
            Output::Struct(k) => {
                let name = self.fresh("q");
                self.line(&format!("let mut {name} = {call};"));
                self.define_struct(&name, k, true, By::Value);
            }
            Output::Option => {
                let (name, item) = (self.name(), self.fresh("e"));
                self.line(&format!("let {name}: f64 = if let Some({item}) = {call} {{ {item} }} else {{ 0.3 }};"));
                self.define(&name, Kind::Number, false);
            }
            Output::Bool => {
                let target = self.find(|variable| variable.mutable && variable.kind == Kind::Number);
                match target {
                    Some(target) => self.line(&format!("if {call} {{ {} *= 0.7; }}", target.name)),
                    None => self.line(&format!("let _ = {call};")),
                }
            }
            Output::Index => {
                let name = self.fresh("k");
                self.line(&format!("let {name}: usize = {call};"));
                self.define(&name, Kind::Index(Len::Any), false);
            }
        }
    }

    /// A struct or an array of two.
    pub(super) fn let_struct(&mut self) {
        if self.structs.is_empty() {
            return self.let_array();
        }
        let (of, name) = (self.pick(self.structs.len()), self.fresh("q"));
        let literal = self.struct_literal(of);
        if self.pick(4) == 3 {
            let other = self.struct_literal(of);
            self.line(&format!("let mut {name} = [{literal}, {other}];"));
            let mutable = self.drawn.element_structs;
            self.define_struct(&format!("{name}[0]"), of, mutable, By::Value);
            self.define_struct(&format!("{name}[1]"), of, mutable, By::Value);
            return self.over_structs(&name, of);
        }
        self.line(&format!("let mut {name} = {literal};"));
        self.define_struct(&name, of, true, By::Value);
    }

    fn over_structs(&mut self, name: &str, of: usize) {
        let item = self.fresh("z");
        match self.pick(3) {
            0 => {}
            1 if self.drawn.element_structs => self.borrowing(|writer| {
                writer.borrow(name, true);
                writer.loops.push(None);
                writer.braces(&format!("for {item} in {name}.iter_mut()"), "", |writer| {
                    writer.define_struct(&item, of, true, By::Mut);
                    writer.repeated();
                });
                writer.loops.pop();
            }),
            _ => {
                let index = self.fresh("i");
                self.loops.push(None);
                self.braces(&format!("for {index} in 0..2"), "", |writer| {
                    writer.define(&index, Kind::Index(Len::Constant(2)), false);
                    let mutable = writer.drawn.element_structs;
                    writer.define_struct(&format!("{name}[{index}]"), of, mutable, By::Value);
                    writer.repeated();
                });
                self.loops.pop();
            }
        }
    }

    /// A value of the enum, by a condition.
    pub(super) fn let_enum(&mut self) {
        if self.enums.is_empty() {
            return self.let_number();
        }
        let name = self.fresh("o");
        let (condition, yes, no) = (self.condition(), self.variant(), self.variant());
        let text = match self.pick(2) {
            0 => format!("let mut {name}: E1 = if {condition} {{ {yes} }} else {{ {no} }};"),
            _ => format!("let mut {name} = {yes};"),
        };
        self.line(&text);
        let kind = Kind::Enum(0);
        self.variables.push(Variable { name, kind, mutable: true, by: By::Value, store: Store::Array });
        self.match_enum();
    }

    pub(super) fn match_enum(&mut self) {
        let Some(found) = self.find(|variable| matches!(variable.kind, Kind::Enum(_))) else { return self.let_enum() };
        if found.mutable && self.drawn.options && self.pick(2) == 1 {
            return self.match_in_place(&found);
        }
        let (name, by) = (found.name, found.by);
        let whole = if by == By::Mut { "*" } else { "" };
        self.line(&format!("match {whole}{name} {{"));
        self.depth += 1;
        for (head, fields) in [("E1::One(e0)", &["e0"][..]), ("E1::Two { e0, e1 }", &["e0", "e1"]), ("E1::Zero", &[])] {
            self.braces(&format!("{head} =>"), "", |writer| {
                for field in fields {
                    let name = if by != By::Ref { (*field).to_owned() } else { format!("(*{field})") };
                    writer.define(&name, Kind::Number, false);
                }
                if !fields.is_empty() {
                    writer.assign();
                }
                writer.statements(1);
            });
        }
        self.depth -= 1;
        self.line("}");
    }
}
