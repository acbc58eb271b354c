//! Iterators that have a name, and more of their methods.

use super::{Kind, Writer};

impl Writer<'_> {
    /// Takes elements from a local iterator.
    pub(super) fn iterate(&mut self) {
        let Some(list) = self.find(|variable| matches!(variable.kind, Kind::Elements(_))) else { return self.assign() };
        if !self.drawn.iterators || self.pure {
            return self.assign();
        }
        let (list, it, sum) = (list.name, self.fresh("it"), self.fresh("t"));
        let (start, by) = (self.atom(), self.atom());
        let after = self.one_of(&["", ".rev()", ".skip(1)", ".copied()", ".take(2)"]);
        let (deref, copied) = if after == ".copied()" { ("", "") } else { ("*", ".copied()") };
        self.line(&format!("let mut {sum}: f64 = 0.5 * {start};"));
        self.line(&format!("let mut {it} = {list}.iter(){after};"));
        let first = format!("if let Some(r) = {it}.next() {{ {sum} += {deref}r * {by}; }}");
        let rest = match self.pick(3) {
            0 => format!("for r in {it} {{ {sum} = 0.6 * {sum} - {deref}r * {by}; }}"),
            1 => format!("{sum} += {it}.map(|r| r * 0.3).sum::<f64>();"),
            _ => format!("{sum} -= {it}.next(){copied}.unwrap_or({by});"),
        };
        let lines = match self.pick(6) {
            0 => vec![first, rest],
            1 => vec![
                format!("let {it}f: f64 = {it}.next(){copied}.unwrap_or({by});"),
                format!("{sum} *= 0.5 + {it}f;"),
                rest,
            ],
            2 => vec![format!("for r in {it}.by_ref().take(2) {{ {sum} = ({sum} + {deref}r).sin(); }}"), rest],
            3 => vec![
                format!("for r in {it}.by_ref() {{ {sum} += 0.4 * {deref}r; if {deref}r > 0.2 {{ break; }} }}"),
                rest,
            ],
            4 => vec![format!(
                "while let Some(r) = {it}.next() {{ {sum} += {deref}r * {by}; if let Some(w) = {it}.next() {{ {sum} -= 0.3 * {deref}w * {sum}; }} else {{ break; }} }}"
            )],
            _ => vec![first.clone(), first, rest],
        };
        for line in lines {
            self.line(&line);
        }
        self.define(&sum, Kind::Number, true);
    }

    /// A loop over parts of a list, or over its elements in another way.
    pub(super) fn over_parts(&mut self) {
        let Some(list) = self.find(|variable| matches!(variable.kind, Kind::Elements(_))) else { return self.assign() };
        let (list, sum) = (list.name, self.fresh("t"));
        let (start, by) = (self.atom(), self.atom());
        self.line(&format!("let mut {sum}: f64 = 0.5 * {start};"));
        let line = match self.pick(9) {
            0 => format!("for w in {list}.windows(2) {{ {sum} = 0.7 * {sum} + w[0] * w[1] - {by}; }}"),
            1 => format!("for w in {list}.windows(2) {{ if let [p, q] = w {{ {sum} += 0.5 * p - q * {by}; }} }}"),
            2 => format!(
                "for c in {list}.chunks(2) {{ match c {{ [p, q] => {sum} += p * q, [p] => {sum} -= p * {by}, _ => {{}} }} }}"
            ),
            3 => format!("for c in {list}.chunks_exact(2) {{ {sum} = ({sum} + c[0] * {by} - c[1]).sin(); }}"),
            4 => format!("for (k, r) in {list}.iter().rev().enumerate() {{ {sum} += 0.3 * r * k as f64; }}"),
            5 => format!("for (r, w) in {list}.iter().zip(s.iter().rev()) {{ {sum} = 0.5 * {sum} + r * w; }}"),
            6 => format!("for (k, r) in {list}.iter().enumerate().rev() {{ {sum} = 0.5 * {sum} - r * k as f64; }}"),
            7 => format!("for r in {list}.iter().chain(a.iter()) {{ {sum} = 0.5 * {sum} + {by} * r; }}"),
            _ => format!("for (r, w) in {list}.iter().zip({list}.iter().skip(1)) {{ {sum} += 0.5 * (r - w) * {by}; }}"),
        };
        self.line(&line);
        self.define(&sum, Kind::Number, true);
    }

    /// What is made of the elements of a list with closures, as a number.
    pub(super) fn by_closures(&mut self, list: &str, item: &str, value: &str) -> String {
        match self.pick(13) {
            0 => format!(
                "{list}.iter().scan(0.5 * x, |acc, &{item}| {{ *acc = 0.5 * *acc + {value}; Some(*acc) }}).sum::<f64>()"
            ),
            1 => format!(
                "{list}.iter().scan(0.1, |acc, r| {{ *acc += r * r; if *acc > 0.7 {{ None }} else {{ Some(*acc * x) }} }}).sum::<f64>()"
            ),
            2 => format!("{list}.iter().take_while(|r| **r > -0.5).map(|&{item}| {value}).sum::<f64>()"),
            3 => format!("{list}.iter().skip_while(|r| **r > 0.2).map(|&{item}| {value}).sum::<f64>()"),
            4 => format!(
                "{list}.iter().filter_map(|&{item}| if {item} > 0.0 {{ Some({value}) }} else {{ None }}).sum::<f64>()"
            ),
            5 => format!("{list}.iter().find(|r| **r > 0.1).map(|&{item}| {value}).unwrap_or(x)"),
            6 => format!("{list}.iter().map(|&{item}| 0.2 * x + {value}).max_by(|p, q| p.total_cmp(q)).unwrap_or(0.3)"),
            7 => format!("{list}.iter().copied().min_by(|p, q| p.partial_cmp(q).unwrap()).unwrap_or(0.3 * x)"),
            8 => format!("{list}.iter().nth(1).map_or(x, |&{item}| {value})"),
            9 => format!("({list}.iter().position(|r| *r > 0.1).unwrap_or(2) as f64) * x"),
            10 => format!("{list}.iter().flat_map(|{item}| a.iter().map(move |r| r * {item})).sum::<f64>()"),
            11 => format!("{list}.iter().step_by(2).map(|&{item}| {value}).fold(0.2, |p, q| 0.5 * p + q)"),
            _ => format!("{list}.iter().map(|&{item}| a.iter().map(|r| r * {item}).sum::<f64>()).sum::<f64>()"),
        }
    }

    /// Whether something holds of the elements of a list.
    pub(super) fn holds_of_elements(&mut self) -> Option<String> {
        let list = self.find(|variable| matches!(variable.kind, Kind::Elements(_)))?.name;
        Some(match self.pick(3) {
            0 => format!("{list}.iter().any(|r| *r > 0.4)"),
            1 => format!("{list}.iter().all(|&r| r < 0.6)"),
            _ => format!("{list}.iter().position(|r| *r > 0.1).is_some()"),
        })
    }
}
