//! Edits of `Vec`s of numbers: what stands in them changes its place, comes and goes.

use super::{By, Kind, Len, Store, Variable, Writer};

impl Writer<'_> {
    /// One that is a local: the length of another may not change.
    fn vec_to_edit(&mut self, but: &str) -> Option<Variable> {
        let but = Self::base(but).to_owned();
        self.find(|v| {
            v.mutable
                && v.by == By::Value
                && v.kind == Kind::Elements(Len::Any)
                && v.store == Store::Vec
                && Self::base(&v.name) != but
        })
    }

    fn let_grown(&mut self) {
        let name = self.fresh("g");
        let value = match self.pick(4) {
            0 | 1 => "Vec::new()".to_owned(),
            2 => "s.to_vec()".to_owned(),
            _ => format!("vec![{}, {}, {}]", self.atom(), self.plain(1), self.atom()),
        };
        self.line(&format!("let mut {name}: Vec<f64> = {value};"));
        self.define_in(&name, Kind::Elements(Len::Any), true, Store::Vec);
    }

    /// Makes a `Vec` or edits one.
    pub(super) fn edit(&mut self) {
        let found = self.vec_to_edit("");
        let Some(found) = found.filter(|_| self.drawn.edits && !self.pure) else { return self.let_grown() };
        match self.pick(20) {
            0 => self.let_grown(),
            1 | 2 => self.insertion(&found.name),
            3..=5 => self.removal(&found.name),
            6 | 7 => self.sort(&found.name),
            8 => self.retained(&found.name),
            9 => self.drained(&found.name),
            10 | 11 => self.emptied(&found.name),
            12..=14 => self.with_another(&found.name),
            15 => self.ends(&found.name),
            16 => self.extended(&found.name),
            _ => self.elements_in_place(&found.name),
        }
    }

    /// Numbers that do not depend on what is edited.
    fn apart(&mut self, name: &str, depth: usize) -> String {
        self.borrowing(|writer| {
            writer.borrow(name, true);
            writer.number(depth)
        })
    }

    fn insertion(&mut self, name: &str) {
        let value = self.apart(name, 1);
        let line = match self.pick(4) {
            0 => format!("{name}.insert(0, {value});"),
            1 => format!("{name}.insert({name}.len() / 2, {value});"),
            2 => format!("{name}.insert({name}.len(), {value});"),
            _ => {
                let (at, bound) = (self.fresh("j"), self.atom());
                self.line(&format!("let {at} = {name}.iter().position(|r| *r > {bound}).unwrap_or({name}.len());"));
                format!("{name}.insert({at}, {value});")
            }
        };
        self.line(&line);
    }

    fn removal(&mut self, name: &str) {
        let result = self.fresh("t");
        let other = self.atom();
        let value = match self.pick(6) {
            0 => format!("{name}.pop().unwrap_or({other})"),
            1 => format!("if {name}.len() > 1 {{ {name}.remove(0) }} else {{ {other} }}"),
            2 => format!("if {name}.len() > 2 {{ {name}.remove({name}.len() - 2) }} else {{ {other} }}"),
            3 => format!("if {name}.is_empty() {{ {other} }} else {{ {name}.swap_remove(0) }}"),
            4 => format!("if {name}.len() > 1 {{ {name}.remove(1) - 0.5 * {name}.remove(0) }} else {{ {other} }}"),
            _ => format!("match {name}.pop() {{ Some(r) if r > {other} => r, Some(r) => 0.5 * r, None => {other} }}"),
        };
        self.line(&format!("let mut {result}: f64 = {value};"));
        self.define(&result, Kind::Number, true);
    }

    fn sort(&mut self, name: &str) {
        let by = self.atom();
        let line = match self.pick(6) {
            0 => format!("{name}.sort_by(|p, q| p.partial_cmp(q).unwrap());"),
            1 => format!("{name}.sort_by(|p, q| q.total_cmp(p));"),
            2 => format!("{name}.sort_unstable_by(|p, q| p.total_cmp(q));"),
            3 => format!("{name}.sort_unstable_by(|p, q| q.partial_cmp(p).unwrap());"),
            4 => format!("{name}.sort_by(|p, q| (p - {by}).abs().total_cmp(&(q - {by}).abs()));"),
            _ => format!("{name}.sort_by(f64::total_cmp);"),
        };
        self.line(&line);
        if self.pick(2) == 0 {
            let result = self.fresh("t");
            let other = self.atom();
            let which = self.one_of(&["first", "last"]);
            self.line(&format!("let {result}: f64 = {name}.{which}().copied().unwrap_or({other});"));
            self.define(&result, Kind::Number, false);
        }
    }

    fn retained(&mut self, name: &str) {
        let bound = self.apart(name, 0);
        let line = match self.pick(3) {
            0 => format!("{name}.retain(|r| *r > {bound} - 0.4);"),
            1 => format!("{name}.retain(|&r| r * r < 0.9);"),
            _ => format!("{name}.dedup();"),
        };
        self.line(&line);
    }

    fn drained(&mut self, name: &str) {
        let (sum, start) = (self.fresh("t"), self.atom());
        self.line(&format!("let mut {sum}: f64 = {start};"));
        match self.pick(4) {
            0 => self.line(&format!("for r in {name}.drain(..) {{ {sum} = 0.5 * {sum} + r.sin(); }}")),
            1 => self.line(&format!("for r in {name}.drain(..{name}.len() / 2) {{ {sum} += 0.4 * r; }}")),
            2 => self
                .line(&format!("if {name}.len() > 2 {{ {sum} -= {name}.drain(1..3).map(|r| r * 0.6).sum::<f64>(); }}")),
            _ => self.line(&format!(
                "for (k, r) in {name}.drain({name}.len() / 2..).enumerate() {{ {sum} += k as f64 * r; }}"
            )),
        }
        self.define(&sum, Kind::Number, true);
    }

    /// `while let Some(r) = v.pop() { … }`
    fn emptied(&mut self, name: &str) {
        let (sum, start) = (self.fresh("t"), self.atom());
        self.line(&format!("let mut {sum}: f64 = {start};"));
        let change = self.one_of(&["{} = 0.5 * {} + r;", "{} += r * 0.3;", "{} = ({} - r).sin();"]).replace("{}", &sum);
        let (bound, head) = (self.atom(), format!("while let Some(r) = {name}.pop()"));
        let line = match self.pick(5) {
            0 => format!("{head} {{ {change} }}"),
            1 => format!("{head} {{ {change} if r > {bound} {{ break; }} }}"),
            2 => format!("{head} {{ if r > {bound} {{ continue; }} {change} }}"),
            3 => format!("while {name}.len() > 2 {{ let r: f64 = {name}.remove(0); {change} }}"),
            _ => format!(
                "{head} {{ {change} if r > 0.3 && r < 20.0 {{ {name}.push(0.5 * r); }} if {name}.len() > 9 {{ break; }} }}"
            ),
        };
        self.line(&line);
        self.define(&sum, Kind::Number, true);
    }

    fn with_another(&mut self, name: &str) {
        let other = self.fresh("g");
        let second = self.vec_to_edit(name);
        let defined = match (self.pick(9), second) {
            (0, _) => {
                self.line(&format!("let mut {other}: Vec<f64> = {name}.split_off({name}.len() / 2);"));
                true
            }
            (1, _) => {
                self.line(&format!("let mut {other}: Vec<f64> = std::mem::take(&mut {name});"));
                true
            }
            (2, _) => {
                let value = self.plain(1);
                self.line(&format!("let mut {other}: Vec<f64> = std::mem::replace(&mut {name}, vec![{value}, x]);"));
                true
            }
            (3, Some(second)) => {
                self.line(&format!("std::mem::swap(&mut {name}, &mut {});", second.name));
                false
            }
            (4 | 7 | 8, None) => {
                let value = self.apart(name, 1);
                self.line(&format!("let mut {other}: Vec<f64> = vec![0.5 * x, {value}];"));
                self.line(&format!("{name}.append(&mut {other});"));
                self.line(&format!("{other}.push({name}[0]);"));
                true
            }
            (4 | 7 | 8, Some(second)) => {
                self.line(&format!("if {}.len() < 5 {{ {name}.append(&mut {}); }}", second.name, second.name));
                false
            }
            (5, _) => {
                let body = self.closure_body(&["r"]);
                self.line(&format!("let mut {other}: Vec<f64> = {name}.iter().map(|&r| {body}).collect();"));
                true
            }
            _ => {
                self.line(&format!(
                    "let mut {other}: Vec<f64> = {name}.iter().copied().filter(|r| *r > -0.3).collect();"
                ));
                self.line(&format!("{other}.reverse();"));
                self.line(&format!("{name} = {other};"));
                false
            }
        };
        if defined {
            self.define_in(&other, Kind::Elements(Len::Any), true, Store::Vec);
        }
    }

    fn extended(&mut self, name: &str) {
        let (value, by) = (self.plain(1), self.atom());
        let line = match self.pick(6) {
            0 => format!("{name}.extend([{by}, {value}]);"),
            1 => format!("{name}.extend(s.iter());"),
            2 => format!("{name}.extend(a.iter().map(|r| r * {}));", self.apart(name, 0)),
            3 => format!("{name}.resize(4, {value});"),
            4 => format!("{name}.resize(n + 1, {by});"),
            _ => format!("{name}.extend(a.iter().rev().take(2));"),
        };
        self.line(&line);
    }

    fn ends(&mut self, name: &str) {
        let value = self.apart(name, 1);
        let line = match self.pick(4) {
            0 => format!("if let Some(r) = {name}.last_mut() {{ *r += 0.5 * ({value}); }}"),
            1 => format!("if let Some(r) = {name}.first_mut() {{ *r = (*r * 0.5 - {value}).sin(); }}"),
            2 => format!("if !{name}.is_empty() {{ *{name}.last_mut().unwrap() *= 0.4; {name}[0] = {value}; }}"),
            _ => format!("if !{name}.is_empty() {{ let j = {name}.len() - 1; {name}[j] -= 0.4 * ({value}); }}"),
        };
        self.line(&line);
    }

    /// Changes of elements of something with any length.
    pub(super) fn elements_in_place(&mut self, name: &str) {
        let by = self.apart(name, 0);
        let line = match self.pick(9) {
            0 => format!("if {name}.len() > 1 {{ {name}.rotate_left(1); }}"),
            1 => format!("if {name}.len() > 2 {{ {name}.rotate_right(2); {name}.swap(0, 1); }}"),
            2 => format!("if {name}.len() > 1 {{ let j = {name}.len() - 1; {name}.swap(0, j); {name}[0] *= 0.7; }}"),
            3 => format!("for (k, r) in {name}.iter_mut().enumerate() {{ *r += 0.2 * {by} * k as f64; }}"),
            4 => format!("for c in {name}.chunks_mut(2) {{ c[0] = 0.6 * c[0] + 0.3 * {by}; }}"),
            5 => format!(
                "if {name}.len() > 2 {{ let (l, r) = {name}.split_at_mut(1); l[0] += r[1] * {by}; r[0] = 0.5 * l[0]; }}"
            ),
            6 => format!("{name}.iter_mut().for_each(|r| *r = 0.8 * *r - 0.1 * {by});"),
            7 => format!("for (r, w) in {name}.iter_mut().rev().zip(a.iter()) {{ *r *= 0.5 + 0.3 * w; }}"),
            _ => format!("if {name}.len() > 1 {{ {name}[1] = {name}[0] * {by}; {name}[..2].reverse(); }}"),
        };
        self.line(&line);
    }
}
