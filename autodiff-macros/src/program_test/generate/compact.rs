//! What says in few words what loops and branches say in more: closures over arrays, options of elements and of conditions, copies
//! of closures, functions of the body.

use super::{Kind, Len, Writer};

impl Writer<'_> {
    pub(super) fn compact(&mut self) {
        if self.pure {
            return self.let_number();
        }
        match self.pick(7) {
            0 => self.mapped(),
            1 => self.made_by_index(),
            2 => self.if_so(),
            3 | 4 => self.element_if_any(),
            5 => self.copies(),
            _ => self.function_inside(),
        }
    }

    /// `[p, q, r].map(|u| …)`
    fn mapped(&mut self) {
        let array =
            match self.find(|variable| variable.kind == Kind::Elements(Len::Constant(3)) && variable.name != "a") {
                Some(found) if self.pick(2) == 0 => found.name,
                _ => format!("[1.0 * {}, {}, 0.5]", self.atom(), self.plain(1)),
            };
        let (name, body) = (self.fresh("z"), self.closure_body(&["u"]));
        self.line(&format!("let mut {name}: [f64; 3] = {array}.map(|u: f64| {body});"));
        self.define(&name, Kind::Elements(Len::Constant(3)), true);
    }

    /// `std::array::from_fn(|k| …)`
    fn made_by_index(&mut self) {
        let (name, body) = (self.fresh("z"), self.closure_body(&[]));
        let forms = ["k as f64", "a[k]", "a[2 - k] * k as f64"];
        let by_index = self.one_of(if self.inside { &forms[..1] } else { &forms });
        let count = 2 + self.pick(2);
        self.line(&format!("let mut {name}: [f64; {count}] = std::array::from_fn(|k| {body} + {by_index});"));
        self.define(&name, Kind::Elements(Len::Constant(count)), true);
    }

    /// `c.then_some(x)`
    fn if_so(&mut self) {
        let (name, condition) = (self.fresh("o"), self.plain_condition());
        let (value, other) = (self.plain(1), self.atom());
        let line = match self.pick(3) {
            0 => format!("let {name}: f64 = ({condition}).then_some(1.0 * {value}).unwrap_or({other});"),
            1 => format!("let {name}: f64 = ({condition}).then(|| 1.0 * {value}).unwrap_or({other});"),
            _ => format!(
                "let {name}: f64 = if let Some(u) = ({condition}).then_some(1.0 * {value}) {{ u * {other} }} else {{ {other} }};"
            ),
        };
        self.line(&line);
        self.define(&name, Kind::Number, false);
    }

    fn plain_condition(&mut self) -> String {
        let pure = std::mem::replace(&mut self.pure, true);
        let condition = self.condition();
        self.pure = pure;
        condition
    }

    /// `if let Some(u) = v.get(k)`
    fn element_if_any(&mut self) {
        let Some(list) = self.find(|variable| matches!(variable.kind, Kind::Elements(_))) else { return self.mapped() };
        let (list, name) = (list.name, self.fresh("g"));
        let at = self.find(|variable| matches!(variable.kind, Kind::Index(_)));
        let at = at.map_or_else(|| "1".to_owned(), |index| index.name);
        let which = match self.pick(4) {
            0 => "first()".to_owned(),
            1 => "last()".to_owned(),
            2 => format!("get({at})"),
            _ => format!("get({at} + 1)"),
        };
        let other = self.atom();
        let line = match self.pick(3) {
            0 => format!("let {name}: f64 = if let Some(u) = {list}.{which} {{ *u * {other} }} else {{ {other} }};"),
            1 => format!("let {name}: f64 = match {list}.{which} {{ Some(&u) => u.sin(), None => {other} }};"),
            _ => format!("let {name}: f64 = {list}.{which}.copied().unwrap_or({other});"),
        };
        self.line(&line);
        self.define(&name, Kind::Number, false);
    }

    /// A closure that owns a variable, and a copy of it.
    fn copies(&mut self) {
        let (owned, closure, copy) = (self.fresh("p"), self.fresh("f"), self.fresh("f"));
        let (start, name, read) = (self.atom(), self.fresh("r"), self.fresh("t"));
        self.line(&format!("let mut {owned}: f64 = 0.5 * {start};"));
        // What it owns is numbers: of nothing else that the programs have are there copies.
        let value = self.plain(1);
        self.line(&format!("let {read}: f64 = {value};"));
        let change = format!("{owned} = 0.6 * {owned} + 0.3 * (0.5 * u + {read}).sin();");
        self.line(&format!("let mut {closure} = move |u: f64| {{ {change} {owned} * u }};"));
        let (early, at) = (self.pick(2) == 0, self.atom());
        if early {
            self.line(&format!("{owned} += {closure}({at});"));
        }
        self.line(&format!("let mut {copy} = {closure};"));
        let (first, second) = (self.atom(), self.atom());
        let sum = match self.pick(2) {
            0 => format!("{closure}({first}) + {copy}({second}) * {closure}(0.5) - {owned}"),
            _ => format!("{copy}({first}) * {copy}({second}) + {closure}({first}) + {owned}"),
        };
        self.line(&format!("let {name}: f64 = ({sum}).sin();"));
        self.define(&name, Kind::Number, false);
    }

    /// `fn` in a body.
    fn function_inside(&mut self) {
        let (function, name) = (self.fresh("k"), self.fresh("r"));
        let body = self.one_of(&["u * w.sin()", "(u - w).tanh() + u * u", "if u > 0.3 { u * w } else { w - 0.5 * u }"]);
        let early = self.one_of(&["", "if u > w { return u - w; } "]);
        self.line(&format!("fn {function}(u: f64, w: f64) -> f64 {{ {early}{body} }}"));
        let (first, second) = (self.plain(1), self.atom());
        let call = match self.pick(2) {
            0 => format!("{function}(1.0 * {first}, {second})"),
            _ => format!("{function}(1.0 * {first}, {function}({second}, 0.5))"),
        };
        self.line(&format!("let {name}: f64 = {call};"));
        self.define(&name, Kind::Number, false);
    }
}
