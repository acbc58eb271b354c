//! `Option`s and enums that change in place: methods, patterns that borrow what is inside, exchanges.

use super::{By, Kind, Output, Store, Variable, Writer};

/// The place that a borrow is of, or the variable itself.
fn whole(found: &Variable) -> String {
    if found.by == By::Value { found.name.clone() } else { format!("*{}", found.name) }
}

/// The same, as what a method or `?` can stand behind.
fn receiver(found: &Variable) -> String {
    if found.by == By::Value { found.name.clone() } else { format!("(*{})", found.name) }
}

/// A mutable borrow of it.
fn borrow(found: &Variable) -> String {
    if found.by == By::Value { format!("&mut {}", found.name) } else { found.name.clone() }
}

fn reborrow(found: &Variable) -> String {
    if found.by == By::Value { format!("&mut {}", found.name) } else { format!("&mut *{}", found.name) }
}

impl Writer<'_> {
    fn define_borrowed(&mut self, name: &str) {
        let (name, kind) = (format!("(*{name})"), Kind::Number);
        self.variables.push(Variable { name, kind, mutable: true, by: By::Mut, store: Store::Array });
    }

    /// An expression of the type `Option<f64>`.
    pub(super) fn option(&mut self) -> String {
        match self.pick(6) {
            0 | 1 => format!("Some({})", self.number(1)),
            2 => "None".to_owned(),
            3 => match self.find(|variable| variable.kind == Kind::Option) {
                Some(found) => whole(&found),
                None => format!("Some({})", self.atom()),
            },
            4 => match self.call(|callee| callee.output == Output::Option) {
                Some((call, _)) => call,
                None => format!("Some({})", self.number(1)),
            },
            _ => {
                let (condition, value) = (self.condition(), self.number(1));
                format!("if {condition} {{ Some({value}) }} else {{ None }}")
            }
        }
    }

    pub(super) fn let_option(&mut self) {
        let (name, value) = (self.fresh("o"), self.option());
        self.line(&format!("let mut {name}: Option<f64> = {value};"));
        self.define(&name, Kind::Option, true);
    }

    /// The number in an `Option`, or another one.
    pub(super) fn option_value(&mut self) -> Option<String> {
        let found = self.find(|variable| variable.kind == Kind::Option)?;
        let (name, other) = (found.name, self.atom());
        Some(match self.pick(4) {
            0 | 1 => format!("{name}.unwrap_or({other})"),
            2 => format!("{name}.map_or({other}, |r| r * {other})"),
            _ => format!("{name}.map(|r| r.sin()).unwrap_or({other})"),
        })
    }

    /// A number that is taken out of an `Option`, or put into it.
    pub(super) fn taken(&mut self) -> Option<String> {
        if self.pure || !self.drawn.options {
            return None;
        }
        let found = self.find(|variable| variable.mutable && variable.kind == Kind::Option)?;
        let (name, value) = (found.name.clone(), self.atom());
        Some(match self.pick(4) {
            0 | 1 => format!("{name}.take().unwrap_or({value})"),
            2 => format!("{name}.replace({value}).unwrap_or(0.3)"),
            _ => format!("{{ {} = None; {value} }}", whole(&found)),
        })
    }

    pub(super) fn option_condition(&mut self) -> Option<String> {
        let found = self.find(|variable| variable.kind == Kind::Option)?;
        let name = found.name;
        Some(match self.pick(3) {
            0 => format!("{name}.is_some()"),
            1 => format!("{name}.is_none()"),
            _ => format!("{name}.is_some_and(|r| r > 0.2)"),
        })
    }

    /// Makes or changes an `Option`.
    pub(super) fn options(&mut self) {
        if !self.drawn.options || self.pure {
            return self.assign();
        }
        let Some(found) = self.find(|variable| variable.mutable && variable.kind == Kind::Option) else {
            return self.let_option();
        };
        match self.pick(14) {
            0 => self.let_option(),
            1..=3 => self.inside_option(&found),
            4 => self.match_option(&found),
            5 => self.while_some(&found),
            6 => self.option_or_jump(&found),
            7 => self.exchange_options(&found),
            8 => {
                let value = self.option();
                self.line(&format!("{} = {value};", whole(&found)));
            }
            9 => self.option_by_closures(&found),
            _ => self.option_method(&found),
        }
    }

    /// `if let Some(z) = &mut o { … }`
    fn inside_option(&mut self, found: &Variable) {
        let item = self.fresh("z");
        let head = match self.pick(3) {
            0 => format!("if let Some({item}) = {}.as_mut()", found.name),
            _ => format!("if let Some({item}) = {}", borrow(found)),
        };
        self.line(&format!("{head} {{"));
        self.borrowing(|writer| {
            writer.borrow(&found.name, true);
            writer.scoped(|writer| {
                writer.define_borrowed(&item);
                writer.assign();
                writer.statements(2);
            });
        });
        if self.pick(3) == 2 {
            self.line("} else {");
            self.scoped(|writer| {
                let value = writer.number(1);
                writer.line(&format!("{} = Some({value});", whole(found)));
                writer.statements(1);
            });
        }
        self.line("}");
    }

    fn match_option(&mut self, found: &Variable) {
        let item = self.fresh("z");
        let (bound, value, other) = self.borrowing(|writer| {
            writer.borrow(&found.name, true);
            (writer.atom(), writer.number(1), writer.number(1))
        });
        let none = if self.pick(2) == 0 { "{}".to_owned() } else { format!("{} = Some({other})", whole(found)) };
        let first = match self.pick(2) {
            0 => format!("*{item} = 0.5 * *{item} - {bound}"),
            _ => format!("{} = None", whole(found)),
        };
        self.line(&format!(
            "match {} {{ Some({item}) if *{item} > {bound} => {first}, Some({item}) => *{item} += 0.5 * ({value}), None => {none} }}",
            borrow(found)
        ));
    }

    /// A loop that ends when there is nothing left.
    fn while_some(&mut self, found: &Variable) {
        let (item, sum) = (self.fresh("z"), self.fresh("t"));
        self.line(&format!("let mut {sum}: f64 = 0.2 * x;"));
        let again = format!("if {item} > 0.3 && {item} < 50.0 {{ {} = Some(0.4 * {item}); }}", whole(found));
        let (name, by) = (&found.name, self.one_of(&["", ".sin()"]));
        self.line(&format!("while let Some({item}) = {name}.take() {{ {sum} = 0.5 * {sum} + {item}{by}; {again} }}"));
        self.define(&sum, Kind::Number, true);
    }

    /// `let Some(z) = o else { continue };`
    fn option_or_jump(&mut self, found: &Variable) {
        let item = self.fresh("z");
        let question = self.output == Output::Option && self.pick(2) == 0;
        let from = match self.pick(3) {
            0 => format!("{}.take()", found.name),
            1 => format!("{}.filter(|r| *r > -0.4)", found.name),
            _ if question => receiver(found),
            _ => whole(found),
        };
        if question {
            self.line(&format!("let {item}: f64 = {from}?;"));
        } else if self.jumps {
            let jump = self.jump_out();
            self.line(&format!("let Some({item}) = {from} else {{ {jump} }};"));
        } else {
            return self.option_method(found);
        }
        self.define(&item, Kind::Number, false);
    }

    /// What leaves the loop or the function.
    pub(super) fn jump_out(&mut self) -> String {
        match (self.loops.is_empty(), self.pick(3)) {
            (false, 0) => "break;".to_owned(),
            (false, 1) => "continue;".to_owned(),
            _ if self.output == Output::Unit => "return;".to_owned(),
            _ => format!("return {};", self.result()),
        }
    }

    fn exchange_options(&mut self, found: &Variable) {
        let others = |variable: &Variable| {
            variable.mutable && variable.kind == Kind::Option && Self::base(&variable.name) != Self::base(&found.name)
        };
        match (self.find(others), self.pick(3)) {
            (Some(other), 0) => {
                self.line(&format!("std::mem::swap({}, {});", reborrow(found), reborrow(&other)));
            }
            (Some(other), 1) => {
                let name = self.fresh("o");
                self.line(&format!("let {name} = std::mem::take({});", reborrow(found)));
                self.line(&format!("{} = {}.or({name});", whole(found), whole(&other)));
            }
            _ => {
                let name = self.fresh("o");
                let value = self.borrowing(|writer| {
                    writer.borrow(&found.name, true);
                    writer.option()
                });
                self.line(&format!("let mut {name}: Option<f64> = std::mem::replace({}, {value});", reborrow(found)));
                self.define(&name, Kind::Option, true);
            }
        }
    }

    fn option_by_closures(&mut self, found: &Variable) {
        let (from, by) = (receiver(found), self.atom());
        let line = match self.pick(5) {
            0 => format!("{from}.filter(|r| *r > {by}).or(Some({by}));"),
            1 => {
                let body = self.closure_body(&["r"]);
                format!("{from}.map(|r: f64| {body});")
            }
            2 => format!("{from}.and_then(|r| if r > -0.2 {{ Some(r * {by}) }} else {{ None }});"),
            3 => format!("{from}.or_else(|| Some(0.5 * {by}));"),
            _ => match self.find(|variable| variable.kind == Kind::Option) {
                Some(other) => format!("{from}.zip({}).map(|(r, w)| 0.5 * r - w * {by});", whole(&other)),
                None => format!("{from}.or(Some({by}));"),
            },
        };
        self.line(&format!("{} = {line}", whole(found)));
    }

    fn option_method(&mut self, found: &Variable) {
        let (name, result) = (&found.name, self.fresh("t"));
        // It may be read before it changes.
        let value = self.borrowing(|writer| {
            writer.borrow(name, false);
            writer.number(1)
        });
        let other = self.atom();
        let line = match self.pick(6) {
            0 => format!("let {result}: f64 = {name}.take().unwrap_or({other});"),
            1 => format!("let {result}: f64 = {name}.replace({value}).unwrap_or({other});"),
            2 => format!("let {result}: f64 = *{name}.insert({value});"),
            3 => format!("let {result}: f64 = *{name}.get_or_insert({value});"),
            4 => {
                let by = self.borrowing(|writer| {
                    writer.borrow(name, true);
                    writer.atom()
                });
                self.line(&format!("*{name}.get_or_insert({value}) += 0.5 * {by};"));
                return;
            }
            _ => {
                let (value, by) = self.borrowing(|writer| {
                    writer.borrow(name, true);
                    let by = writer.atom();
                    (writer.closure_body(&[]), by)
                });
                self.line(&format!("*{name}.get_or_insert_with(|| {value}) *= 0.5 + 0.2 * {by};"));
                return;
            }
        };
        self.line(&line);
        self.define(&result, Kind::Number, false);
    }

    /// Changes an enum.
    pub(super) fn change_enum(&mut self) {
        let found = self.find(|variable| variable.mutable && matches!(variable.kind, Kind::Enum(_)));
        let Some(found) = found.filter(|_| self.drawn.options && !self.pure) else { return self.let_enum() };
        let name = &found.name;
        match self.pick(7) {
            0 => {
                let value = self.variant();
                self.line(&format!("{} = {value};", whole(&found)));
            }
            1 | 2 => {
                let by = self.number(1);
                self.line(&format!("{name}.turn({by});"));
            }
            3 => {
                let kept = self.fresh("o");
                let value = self.borrowing(|writer| {
                    writer.borrow(name, true);
                    writer.variant()
                });
                self.line(&format!("let mut {kept}: E1 = std::mem::replace({}, {value});", reborrow(&found)));
                let (kind, by, store) = (Kind::Enum(0), By::Value, Store::Array);
                self.variables.push(Variable { name: kept, kind, mutable: true, by, store });
            }
            4 => {
                let (item, value) = (self.fresh("z"), self.variant());
                self.line(&format!("if let E1::One({item}) = {} {{", borrow(&found)));
                self.borrowing(|writer| {
                    writer.borrow(name, true);
                    writer.scoped(|writer| {
                        writer.define_borrowed(&item);
                        writer.assign();
                        writer.statements(1);
                    });
                });
                self.line(&format!("}} else {{ {} = {value}; }}", whole(&found)));
            }
            5 => {
                let (pattern, value) =
                    (self.one_of(&["E1::Zero", "E1::One(_) | E1::Zero", "E1::Two { .. }"]), self.variant());
                self.line(&format!("if matches!({name}, {pattern}) {{ {} = {value}; }}", whole(&found)));
            }
            _ => self.match_in_place(&found),
        }
    }

    /// `match &mut o { E1::One(e0) => { *e0 *= … } … }`
    pub(super) fn match_in_place(&mut self, found: &Variable) {
        self.line(&format!("match {} {{", borrow(found)));
        self.depth += 1;
        let (p, q) = (self.fresh("z"), self.fresh("z"));
        let arms = [
            (format!("E1::One({p})"), vec![&p]),
            (format!("E1::Two {{ e0: {p}, e1: {q} }}"), vec![&p, &q]),
            ("E1::Zero".to_owned(), Vec::new()),
        ];
        for (head, fields) in &arms {
            let leaves = self.pick(3) == 2;
            self.line(&format!("{head} => {{"));
            self.borrowing(|writer| {
                writer.borrow(&found.name, true);
                writer.scoped(|writer| {
                    for field in fields {
                        writer.define_borrowed(field);
                    }
                    if !fields.is_empty() {
                        writer.assign();
                    }
                    if fields.len() == 2 && writer.pick(3) == 2 {
                        writer.line(&format!("std::mem::swap({p}, {q});"));
                    }
                    writer.statements(1);
                    if leaves || fields.is_empty() {
                        let value = writer.variant();
                        writer.line(&format!("{} = {value};", whole(found)));
                    }
                });
            });
            self.line("}");
        }
        self.depth -= 1;
        self.line("}");
    }

    /// An enum, and methods of it.
    pub(super) fn enumeration(&mut self) {
        self.enums.push("E1".to_owned());
        self.items.push_str(
            "#[derive(Differentiable, Clone, Copy)]\nenum E1 {\n    One(f64),\n    Two { e0: f64, e1: f64 },\n    Zero,\n}\n\n",
        );
        if !self.drawn.options {
            return;
        }
        let leave = |value: &str| format!("                *self = {value};\n");
        let indent = "                ";
        let one = match self.pick(3) {
            0 => leave("E1::Two { e0: 0.5 * r, e1: 0.7 }"),
            1 => {
                let steps = self.steps(&["*e0"], indent);
                format!("{steps}                if *e0 > 0.4 {{ *self = E1::Zero; }}\n")
            }
            _ => self.steps(&["*e0"], indent),
        };
        let two = match self.pick(3) {
            0 => format!("{indent}let w: f64 = *e0 * r;\n{}", leave("E1::One(w)")),
            _ => self.steps(&["*e0", "*e1"], indent),
        };
        let zero = leave(self.one_of(&["E1::One(r)", "E1::Two { e0: r, e1: 0.3 * r }"]));
        let sizes = self.one_of(&["e0 * e1", "e0.sin() - 0.5 * e1", "e1 - e0 * e0"]);
        self.items.push_str(&format!(
            "#[differentiable]\nimpl E1 {{\n    fn turn(&mut self, r: f64) {{\n        match self {{\n            \
             E1::One(e0) => {{\n{one}            }}\n            E1::Two {{ e0, e1 }} => {{\n{two}            }}\n            \
             E1::Zero => {{\n{zero}            }}\n        }}\n    }}\n    fn size(&self) -> f64 {{\n        match self {{ \
             E1::One(e0) => 0.8 * e0, E1::Two {{ e0, e1 }} => {sizes}, E1::Zero => 0.2 }}\n    }}\n}}\n\n"
        ));
    }
}
