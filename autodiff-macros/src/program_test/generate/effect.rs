//! Expressions that change something, borrows that are chosen, closures that change what they capture, `cfg`, and functions
//! that are not pure.

use super::{Kind, Len, Writer};

impl Writer<'_> {
    /// An assignment, and the place that it changes; `None` where expressions change nothing.
    pub(super) fn change(&mut self) -> Option<(String, String)> {
        if self.pure || !self.drawn.effects {
            return None;
        }
        let place = match self.pick(3) {
            2 => self.target(),
            _ => None,
        };
        let name = match place {
            Some(place) => place,
            None => self.find(|variable| variable.mutable && variable.kind == Kind::Number)?.name,
        };
        let by = self.atom();
        let text = match self.pick(4) {
            0 => format!("{name} *= 0.6 + 0.4 * {by}.sin();"),
            1 => format!("{name} += 0.5 * {by};"),
            2 => format!("{name} = 0.7 * {name} - 0.4 * {by};"),
            _ => format!("{name} = ({name} + {by}).sin();"),
        };
        Some((text, name))
    }

    /// `{ p *= x; p }`
    pub(super) fn changing(&mut self, depth: usize) -> String {
        let Some((change, name)) = self.change() else { return self.number(depth) };
        let result = match self.pick(3) {
            0 => self.number(depth.min(1)),
            _ => name,
        };
        format!("({{ {change} {result} }})")
    }

    /// A condition that changes something.
    pub(super) fn changing_condition(&mut self) -> Option<String> {
        let kind = self.pick(4);
        let (change, name) = self.change()?;
        Some(match kind {
            0 if self.drawn.effects_behind_and => format!("{} > 0.1 && {{ {change} {name} < 0.6 }}", self.atom()),
            1 if self.drawn.effects_behind_and => format!("n > 2 || {{ {change} {name} > 0.1 }}"),
            2 => format!("({{ {change} {name} }}) > {}", self.atom()),
            _ => format!("{{ {change} {name} > {} }}", self.atom()),
        })
    }

    /// An index below a constant, which changes something.
    pub(super) fn changing_index(&mut self, count: usize) -> Option<String> {
        if !self.drawn.effects_in_index {
            return None;
        }
        let (change, _) = self.change()?;
        Some(format!("{{ {change} {} }}", self.pick(count)))
    }

    /// An element by an index that changes something: another variable than the one with the elements.
    pub(super) fn element_by_change(&mut self, mutable: bool) -> Option<String> {
        let array = self.find(|variable| {
            matches!(variable.kind, Kind::Elements(Len::Constant(_))) && (variable.mutable || !mutable)
        })?;
        let Kind::Elements(Len::Constant(count)) = array.kind else { return None };
        let index = self.borrowing(|writer| {
            writer.borrow(&array.name, true);
            writer.changing_index(count)
        })?;
        Some(format!("{}[{index}]", array.name))
    }

    /// `let r = if c { &mut p } else { &mut q };`
    pub(super) fn choice_of_borrows(&mut self) {
        if !self.drawn.choices_of_borrows {
            return self.assign();
        }
        let numbers = self.visible(|variable| variable.mutable && variable.kind == Kind::Number);
        let chosen = (numbers.len() > 1).then(|| {
            let (i, by) = (self.pick(numbers.len()), 1 + self.pick(numbers.len() - 1));
            (numbers[i].name.clone(), numbers[(i + by) % numbers.len()].name.clone())
        });
        let (p, q) = match chosen.filter(|(p, q)| Self::base(p) != Self::base(q)) {
            Some(chosen) => chosen,
            None => (self.mutable_number(), self.mutable_number()),
        };
        let (condition, name) = (self.condition(), self.fresh("r"));
        let text = match self.pick(3) {
            0 => format!("let {name} = match n {{ 2 => &mut {p}, _ => &mut {q} }};"),
            _ => format!("let {name} = if {condition} {{ &mut {p} }} else {{ &mut {q} }};"),
        };
        self.line(&text);
        self.borrowing(|writer| {
            writer.borrow(&p, true);
            writer.borrow(&q, true);
            let by = writer.number(1);
            writer.line(&format!("*{name} = 0.5 * *{name} + 0.5 * ({by});"));
            if writer.pick(3) == 2 {
                let by = writer.atom();
                writer
                    .braces("for _ in 0..2", "", |writer| writer.line(&format!("*{name} *= 0.7 + 0.3 * {by}.cos();")));
            }
        });
    }

    /// A new variable.
    fn mutable_number(&mut self) -> String {
        let (value, name) = (self.number(1), self.fresh("p"));
        self.line(&format!("let mut {name}: f64 = {value};"));
        self.define(&name, Kind::Number, true);
        name
    }

    /// A closure that changes what it captured, and calls of it.
    pub(super) fn changing_closure(&mut self) {
        let Some(captured) = self.find(|variable| variable.mutable && variable.kind == Kind::Number) else {
            return self.let_number();
        };
        if !self.drawn.changing_closures || self.pure {
            return self.assign();
        }
        let (function, name, captured) = (self.fresh("f"), self.fresh("c"), captured.name);
        let calls = self.borrowing(|writer| {
            writer.borrow(&captured, true);
            let (loops, nonempty) = (std::mem::take(&mut writer.loops), writer.nonempty);
            let pure = std::mem::replace(&mut writer.pure, true);
            writer.nonempty = false;
            let body = writer.scoped(|writer| {
                writer.define("u", Kind::Number, false);
                writer.number(1)
            });
            (writer.loops, writer.nonempty) = (loops, nonempty);
            let change = writer.one_of(&["= 0.5 * {} + 0.5 * (", "*= 0.6 + 0.4 * (", "+= 0.3 * ("]).replace("{}", &captured);
            writer.line(&format!("let mut {function} = |u: f64| {{ {captured} {change}{body}); {captured} * u }};"));
            let (first, second) = (writer.number(0), writer.atom());
            writer.pure = pure;

            match writer.pick(5) {
                0 => format!("let {name}: f64 = {function}({first}) - 0.5 * {function}({second});"),
                1 => format!("let {name}: f64 = if {function}({first}) > {second} {{ {function}(0.5) }} else {{ {second} }};"),
                2 => format!("let mut {name}: f64 = {first}; for _ in 0..2 {{ {name} = ({name} + {function}({second})).sin(); }}"),
                3 => format!("let mut {name}: f64 = {first}; let mut {function}k = 0; while {function}({second}) < 0.9 && {function}k < 2 {{ {function}k += 1; {name} += 0.3 * {function}({name}); }}"),
                _ => format!("let {name} = {function}({first}); let {name}: f64 = {function}({name});"),
            }
        });
        self.line(&calls);
        self.define(&name, Kind::Number, false);
    }

    /// Something that is left out, and something that is not.
    pub(super) fn configured(&mut self) {
        if !self.drawn.cfg {
            return self.assign();
        }
        let Some(target) = self.find(|variable| variable.mutable && variable.kind == Kind::Number) else {
            return self.let_number();
        };
        let name = target.name;
        let by = self.atom();
        let out = self.pick(2) == 0;
        let cfg = match (out, self.pick(2)) {
            (true, 0) => "#[cfg(any())]",
            (true, _) => "#[cfg(not(all()))]",
            (false, 0) => "#[cfg(not(target_os = \"none\"))]",
            (false, _) => "#[cfg(not(any()))]",
        };
        let plain = if name.contains(['.', '*', '[']) {
            "let fixed: f64 =".to_owned()
        } else {
            format!("let mut {name}: f64 =")
        };
        let text = match self.pick(6) {
            0 => format!("{cfg} {plain} 0.5 * {by};"),
            1 => format!("{cfg} {{ {name} = 0.5 * {by}; }}"),
            2 => format!("{cfg} if {name} > -0.1 {{ {name} = 0.5 * {by}; }}"),
            3 => format!(
                "match n {{ {cfg} 0 | 2 => {{ {name} = 0.5 * {by}; }} 2 | 3 => {{ {name} *= 0.3; }} _ => {{}} }}"
            ),
            4 => format!("{cfg} for _ in 0..2 {{ {name} *= 0.5 + 0.2 * {by}; }}"),
            _ => format!("let {plain_name} = {{ {cfg} {{ {name} *= 0.4; }} {by} }};", plain_name = "fixed"),
        };
        self.line(&text);
        if text.contains("let fixed: f64") && !out || text.starts_with("let fixed") {
            self.define("fixed", Kind::Number, false);
        }
    }

    /// What a function gives that changes an integer.
    fn rolled(&mut self, state: &str, value: &str, start: &str) {
        const ROLL: &str = "fn roll(state: &mut usize) -> f64 {\n    *state = (5 * *state + 3) % 8;\n    0.1 * *state as f64 - 0.3\n}\n\n";
        if !self.items.contains(ROLL) {
            self.items.insert_str(0, ROLL);
        }
        let by = self.atom();
        self.line(&format!("let mut {state}: usize = {start};"));
        self.line(&format!("let mut {value}: f64 = roll(&mut {state});"));
        match self.pick(4) {
            0 => self.line(&format!("for _ in 0..n {{ {value} = 0.5 * {value} + {by} * roll(&mut {state}); }}")),
            1 => self.line(&format!("while {state} != 6 {{ {value} += 0.2 * {by} * roll(&mut {state}); }}")),
            2 => self.line(&format!("if {by} > 0.0 {{ {value} -= roll(&mut {state}); }}")),
            _ => self.line(&format!("{value} += roll(&mut {state}) * {by} - 0.5 * roll(&mut {state});")),
        }
        self.line(&format!("{value} *= 0.5 + 0.1 * {state} as f64;"));
        self.define(value, Kind::Number, true);
        self.define(state, Kind::Index(Len::Any), false);
    }

    /// What another call would change.
    pub(super) fn unpure(&mut self) {
        // A callee of this kind has no second derivative.
        if !self.drawn.impure || self.pure || self.recursive || self.inside && self.pick(2) == 0 {
            return self.assign();
        }
        let (name, value) = (self.fresh("k"), self.fresh("d"));
        let arg = self.find(|variable| matches!(variable.kind, Kind::Index(_)));
        let arg = arg.map_or_else(|| "1".to_owned(), |index| index.name);
        match self.pick(5) {
            4 => self.rolled(&name, &value, &arg),
            0 => {
                self.line(&format!("let {name}: usize = tick();"));
                self.define(&name, Kind::Index(Len::Any), false);
            }
            1 => {
                self.line(&format!("let {value}: f64 = draw({arg});"));
                self.define(&value, Kind::Number, false);
            }
            2 => self.line(&format!("let _: usize = log({arg});")),
            _ => {
                self.line(&format!("let {name}: usize = tick();"));
                self.braces(&format!("if {name} % 2 == 0"), "", |writer| writer.statements(2));
                self.define(&name, Kind::Index(Len::Any), false);
            }
        }
    }
}
