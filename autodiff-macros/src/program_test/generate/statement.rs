//! Statements.

use super::{By, Kind, Len, Output, Store, Variable, Writer};

/// How deep loops and branches are nested.
const DEPTH: usize = 4;

impl Writer<'_> {
    /// At most so many statements.
    pub(super) fn statements(&mut self, most: usize) {
        for _ in 0..most {
            if self.pick(9) == 0 {
                return;
            }
            self.statement();
        }
    }

    fn statement(&mut self) {
        let deep = self.depth > DEPTH;
        match self.pick(127) {
            0 | 1 => self.let_number(),
            2..=4 => self.assign(),
            5 | 6 if !deep => self.branch(),
            7..=10 if !deep => self.for_loop(),
            11 => self.let_array(),
            12..=14 => self.update(),
            15 | 58 if !deep => self.while_loop(),
            16 => self.let_vec(),
            17 => self.exchange(),
            18 => self.deferred(),
            19 | 43 => self.rearrange(),
            20 | 26 => self.grow(),
            21 => self.part(),
            22 if !deep => self.over_elements(),
            23 => self.closure(),
            24 if !deep && self.jumps => self.loop_with_value(),
            25 => self.pair(),
            27 | 28 if !deep => self.matched(),
            29 => self.match_value(),
            30..=32 => self.call_statement(),
            33 => self.gradient_statement(),
            34 | 35 | 61 => self.let_struct(),
            36 => self.let_enum(),
            37 => self.match_enum(),
            38 | 56 | 57 => self.choice_of_borrows(),
            39 => self.changing_closure(),
            40 | 59 => self.configured(),
            41 | 42 | 60 => self.unpure(),
            44..=49 if !deep => self.loop_of_calls(),
            50..=55 if !deep => self.turned(),
            62..=65 => self.records(),
            66 | 67 => self.higher_order(),
            68 | 69 => self.combined(),
            70 | 71 => self.compact(),
            72..=78 => self.options(),
            79 | 80 => self.change_enum(),
            81..=89 => self.edit(),
            90..=93 => self.take_apart(),
            94 | 95 => self.iterate(),
            96 | 97 => self.over_parts(),
            98..=102 => self.integers(),
            103..=107 if !deep => self.local(),
            108 | 109 => self.fails(),
            110..=113 => self.elements_changed(),
            114..=123 if !deep => self.kernel(),
            124..=126 if !deep => self.both_parts(),
            _ => self.jump(),
        }
    }

    fn mutable(&mut self, wanted: impl Fn(&Kind) -> bool) -> Option<Variable> {
        self.find(|variable| variable.mutable && wanted(&variable.kind))
    }

    pub(super) fn let_number(&mut self) {
        let (value, name) = (self.number(2), self.name());
        let mutable = self.pick(3) > 0;
        self.line(&format!("let {}{name}: f64 = {value};", if mutable { "mut " } else { "" }));
        self.define(&name, Kind::Number, mutable);
    }

    /// Numbers stay of ordinary size, however often this is repeated.
    pub(super) fn assign(&mut self) {
        let Some(target) = self.mutable(|kind| *kind == Kind::Number) else { return self.let_number() };
        let (name, value) = (target.name, self.number(2));
        let line = match self.pick(7) {
            0 => format!("{name} = {value};"),
            1 => format!("{name} = 0.5 * {name} + 0.5 * ({value});"),
            2 => format!("{name} += {value};"),
            3 => format!("{name} -= 0.3 * ({value});"),
            4 => {
                let by = self.atom();
                format!("{name} *= 0.6 + 0.4 * {by}.sin();")
            }
            5 => {
                let by = self.atom();
                format!("{name} /= 1.0 + {by} * {by};")
            }
            _ => format!("{name} = ({name} + {value}).tanh();"),
        };
        self.line(&line);
    }

    fn branch(&mut self) {
        let condition = self.condition();
        let known = condition == "n > 2";
        let chain = self.pick(4);
        let inside = |writer: &mut Self| {
            writer.nonempty |= known;
            writer.statements(3);
        };
        match chain {
            0 => self.braces(&format!("if {condition}"), "", inside),
            1 | 2 => {
                self.braces(&format!("if {condition}"), " else {", inside);
                self.scoped(|writer| writer.statements(3));
                self.line("}");
            }
            _ => {
                let other = self.condition();
                self.braces(&format!("if {condition}"), &format!(" else if {other} {{"), inside);
                self.scoped(|writer| writer.statements(2));
                self.line("} else {");
                self.scoped(|writer| writer.statements(2));
                self.line("}");
            }
        }
    }

    /// A range, what its numbers are below, and whether there is one only where `n` is not 0.
    fn range(&mut self) -> (String, Len, bool) {
        let outer = self.find(|variable| matches!(variable.kind, Kind::Index(_)));
        let sized = !self.visible(|variable| variable.kind == Kind::Elements(Len::Size)).is_empty();
        let (text, below, nonempty) = match (self.pick(14), outer) {
            (1..=6, _) if sized => (self.one_of(&["0..N", "1..N", "2..N"]).to_owned(), Len::Size, false),
            (0, _) => ("0..3".to_owned(), Len::Constant(3), false),
            (1, _) => ("1..3".to_owned(), Len::Constant(3), false),
            (2 | 3, _) => ("0..n".to_owned(), Len::N, true),
            (4, _) => ("0..=n".to_owned(), Len::More, false),
            (5, _) => ("1..n".to_owned(), Len::N, true),
            (6, _) => ("2..2".to_owned(), Len::Constant(2), false),
            (7, _) => ("0..s.len()".to_owned(), Len::N, true),
            (8, _) => ("0..=2".to_owned(), Len::Constant(3), false),
            (9 | 10, Some(Variable { name, kind: Kind::Index(len), .. })) if len != Len::Any => {
                (format!("0..{name}"), len, false)
            }
            (11, Some(Variable { name, kind: Kind::Index(len), .. })) if len != Len::Any => {
                (format!("0..={name}"), len, false)
            }
            (12, Some(Variable { name, kind: Kind::Index(Len::N), .. })) => (format!("{name}..n"), Len::N, true),
            (12, Some(Variable { name, kind: Kind::Index(Len::Constant(count)), .. })) => {
                (format!("{name}..{count}"), Len::Constant(count), false)
            }
            _ => ("0..2".to_owned(), Len::Constant(2), false),
        };
        let text = match self.pick(6) {
            4 => format!("({text}).rev()"),
            5 => format!("({text}).step_by(2)"),
            _ => text,
        };
        (text, below, nonempty)
    }

    fn for_loop(&mut self) {
        let (range, below, nonempty) = self.range();
        let index = self.fresh("i");
        let label = self.label();
        let head =
            format!("{}for {index} in {range}", label.as_ref().map_or(String::new(), |label| format!("{label}: ")));
        self.loops.push(label);
        self.braces(&head, "", |writer| {
            writer.define(&index, Kind::Index(below), false);
            writer.nonempty |= nonempty;
            writer.sized |= below == Len::Size;
            writer.repeated();
        });
        self.loops.pop();
    }

    fn label(&mut self) -> Option<String> {
        if self.jumps && self.pick(3) == 2 { Some(self.fresh("'l")) } else { None }
    }

    /// The body of a loop: something changes.
    pub(super) fn repeated(&mut self) {
        match self.pick(5) {
            0 => self.assign(),
            1 => self.update(),
            2 | 3 => self.call_statement(),
            _ => {}
        }
        self.statements(4);
    }

    fn while_loop(&mut self) {
        let counter = self.fresh("k");
        self.line(&format!("let mut {counter} = 0;"));
        let more = match self.pick(4) {
            0 => format!("{counter} < n"),
            1 => format!("{counter} < 3"),
            2 => format!("{counter} < 4 && {} < 0.8", self.atom()),
            _ => format!("{counter} < 2 + n"),
        };
        let first = self.pick(2) == 0;
        // Jumps would miss a counter that is advanced at the end.
        let loops = std::mem::take(&mut self.loops);
        if first {
            self.loops = loops.clone();
            self.loops.push(None);
        }
        let (nonempty, below) =
            (more.ends_with("< n"), if more.ends_with("< 3") { Len::Constant(3) } else { Len::Any });
        let (more, counted) = self.loop_condition(&counter, more);
        let nonempty = nonempty && !counted;
        self.braces(&format!("while {more}"), "", |writer| {
            if first && !counted {
                writer.line(&format!("{counter} += 1;"));
            }
            writer.nonempty |= nonempty;
            writer.define(&counter, Kind::Index(if first || counted { Len::Any } else { below }), false);
            writer.repeated();
            if !first && !counted {
                writer.line(&format!("{counter} += 1;"));
            }
        });
        self.loops = loops;
        self.define(&counter, Kind::Index(Len::Any), false);
    }

    /// The condition with an effect, and whether it counts.
    fn loop_condition(&mut self, counter: &str, more: String) -> (String, bool) {
        if !self.drawn.effects_in_while {
            return (more, false);
        }
        match self.pick(8) {
            4 | 6 => (format!("{{ {counter} += 1; {counter} < 3 }}"), true),
            5 | 7 => match self.changing_condition() {
                Some(condition) if condition.starts_with('{') => (
                    format!(
                        "{} {more} }}",
                        condition.rsplit_once("; ").map_or("{", |(change, _)| change).to_owned() + ";"
                    ),
                    false,
                ),
                Some(condition) if !condition.contains("||") => (format!("{more} && {condition}"), false),
                _ => (more, false),
            },
            3 => match self.call(|callee| callee.output == Output::Number) {
                Some((call, _)) => (format!("{more} && {call} < 0.8"), false),
                None => (more, false),
            },
            _ => (more, false),
        }
    }

    pub(super) fn let_array(&mut self) {
        let name = self.name();
        let (value, kind) = match self.pick(5) {
            0 => (format!("[{}, {}, {}]", self.number(1), self.number(1), self.atom()), Len::Constant(3)),
            1 => (format!("[{}; 3]", self.number(1)), Len::Constant(3)),
            2 => (format!("[{}, {}]", self.atom(), self.number(1)), Len::Constant(2)),
            3 => ("*a".to_owned(), Len::Constant(3)),
            _ => {
                let rows = [self.number(1), self.atom(), self.literal(), self.number(1)];
                let [p, q, r, s] = rows;
                self.line(&format!("let mut {name} = [[{p}, {q}, {r}], [{s}, {q}, 0.2]];"));
                return self.define(&name, Kind::Matrix(2, 3), true);
            }
        };
        self.line(&format!("let mut {name}: [f64; {}] = {value};", if kind == Len::Constant(2) { 2 } else { 3 }));
        self.define(&name, Kind::Elements(kind), true);
    }

    fn let_vec(&mut self) {
        let name = self.name();
        let (value, len) = match self.pick(4) {
            0 => (format!("vec![{}; n]", self.plain(1)), Len::N),
            1 => ("s.to_vec()".to_owned(), Len::N),
            2 => (format!("vec![{}; n + 1]", self.plain(1)), Len::More),
            _ => (format!("vec![{}, {}, {}]", self.atom(), self.plain(1), self.atom()), Len::Constant(3)),
        };
        self.line(&format!("let mut {name}: Vec<f64> = {value};"));
        self.define_in(&name, Kind::Elements(len), true, Store::Vec);
    }

    /// An element or a row that can be changed, as a place.
    pub(super) fn target(&mut self) -> Option<String> {
        let (nonempty, sized) = (self.nonempty, self.sized);
        let array = self.mutable(|kind| match kind {
            Kind::Elements(Len::N) => nonempty,
            Kind::Elements(Len::Size) => sized,
            Kind::Elements(Len::Any) => false,
            Kind::Elements(_) | Kind::Matrix(..) => true,
            _ => false,
        })?;
        let name = array.name;
        Some(match array.kind {
            Kind::Matrix(rows, columns) => {
                let (i, j) = (self.index(Len::Constant(rows)), self.index(Len::Constant(columns)));
                format!("{name}[{i}][{j}]")
            }
            Kind::Elements(len) => format!("{name}[{}]", self.index(len)),
            _ => return None,
        })
    }

    fn update(&mut self) {
        let by_change = if self.pick(8) == 7 { self.element_by_change(true) } else { None };
        let Some(place) = by_change.or_else(|| self.target()) else { return self.assign() };
        let value = self.number(2);
        let line = match self.pick(5) {
            0 => format!("{place} = {value};"),
            1 => format!("{place} += {value};"),
            2 => format!("{place} -= 0.4 * ({value});"),
            3 => {
                let by = self.atom();
                format!("{place} *= 0.7 + 0.3 * {by}.cos();")
            }
            _ => format!("{place} = ({place} + {value}).sin();"),
        };
        // Once is enough for an index that changes something.
        let line = if place.contains('{') { format!("{place} = {value};") } else { line };
        self.line(&line);
    }

    fn exchange(&mut self) {
        let numbers = self.visible(|variable| variable.mutable && variable.kind == Kind::Number);
        if numbers.len() < 2 {
            return self.let_number();
        }
        let (i, by) = (self.pick(numbers.len()), 1 + self.pick(numbers.len() - 1));
        let (p, q) = (&numbers[i].name, &numbers[(i + by) % numbers.len()].name);
        match self.pick(2) {
            0 => {
                self.line(&format!("let kept: f64 = {p};"));
                self.line(&format!("{p} = {q};"));
                self.line(&format!("{q} = kept;"));
                self.define("kept", Kind::Number, false);
            }
            _ => self.line(&format!("({p}, {q}) = ({q}, {p} + 0.1 * {q});")),
        }
    }

    /// A variable that gets its value later.
    fn deferred(&mut self) {
        let (name, condition, yes, no) = (self.fresh("d"), self.condition(), self.number(2), self.number(1));
        self.line(&format!("let {name}: f64;"));
        self.line(&format!("if {condition} {{ {name} = {yes}; }} else {{ {name} = {no}; }}"));
        self.define(&name, Kind::Number, false);
    }

    fn rearrange(&mut self) {
        let Some(array) = self.mutable(|kind| matches!(kind, Kind::Elements(_))) else { return self.let_array() };
        let (name, Kind::Elements(len)) = (array.name, array.kind) else { return };
        let constant = matches!(len, Len::Constant(_) | Len::More) || (len == Len::N && self.nonempty);
        let borrowed = self.borrowed.len();
        self.borrow(&name, true);
        let line = match (self.pick(6), len) {
            (0, _) if constant => format!("{name}.swap({}, {});", self.index(len), self.index(len)),
            (1, _) => format!("{name}.fill({});", self.number(1)),
            (2 | 5, Len::Constant(3)) => format!("{name}.copy_from_slice(&a[..]);"),
            (2 | 5, Len::N) => format!("{name}.copy_from_slice(s);"),
            (3, Len::Constant(3)) => format!("{name}[1..].fill({});", self.number(1)),
            (3, Len::Constant(_) | Len::More) => format!("{name}[..1].fill({});", self.atom()),
            _ => format!("{name}.reverse();"),
        };
        self.borrowed.truncate(borrowed);
        self.line(&line);
    }

    /// Something whole to decide on.
    fn whole(&mut self) -> String {
        self.find(|variable| matches!(variable.kind, Kind::Index(_))).map_or_else(|| "n".to_owned(), |index| index.name)
    }

    /// A branch by an integer, or by two.
    fn matched(&mut self) {
        let (by, pairs) = (self.whole(), self.pick(3) == 2);
        let guard = self.condition();
        let heads: [String; 3] = if pairs {
            self.line(&format!("match ({by} % 2, n) {{"));
            ["(0, 0..=1)".into(), format!("(_, m) if m > 2 && {guard}"), "(1, _) | (0, _)".into()]
        } else {
            self.line(&format!("match {by} {{"));
            ["0".into(), format!("1 | 2 if {guard}"), "1..=3".into()]
        };
        self.depth += 1;
        for head in heads.iter().map(String::as_str).chain(["_"]) {
            self.braces(&format!("{head} =>"), "", |writer| writer.statements(2));
        }
        self.depth -= 1;
        self.line("}");
    }

    fn match_value(&mut self) {
        let (by, name) = (self.whole(), self.name());
        let [zero, one, many] = [self.number(1), self.number(2), self.atom()];
        self.line(&format!(
            "let mut {name}: f64 = match {by} % 3 {{ 0 => {zero}, 1 if n > 1 => {one}, _ => {many} }};"
        ));
        self.define(&name, Kind::Number, true);
    }

    fn grow(&mut self) {
        let grown = self
            .find(|v| v.mutable && v.kind == Kind::Elements(Len::Any) && v.store == Store::Vec && v.by == By::Value);
        let Some(grown) = grown else {
            let name = self.fresh("g");
            self.line(&format!("let mut {name}: Vec<f64> = Vec::new();"));
            return self.define_in(&name, Kind::Elements(Len::Any), true, Store::Vec);
        };
        let name = grown.name;
        if self.pick(2) == 1 {
            return self.edit();
        }
        let line = match self.pick(6) {
            3 => format!("{name}.truncate(2);"),
            4 => format!("{name}.clear();"),
            5 => format!("{name}.extend_from_slice({});", self.one_of(&["&a[1..]", "s", "&a[..]"])),
            _ => format!("{name}.push({});", self.number(2)),
        };
        self.line(&line);
    }

    /// Part of what does not change while it is borrowed.
    fn part(&mut self) {
        let name = self.fresh("p");
        match self.pick(4) {
            0 => self.line(&format!("let {name} = &a[1..];")),
            1 => {
                self.line(&format!("let ({name}, _) = a.split_at(2);"));
            }
            2 if self.nonempty => {
                self.line(&format!("let {name} = &s[..n - 1];"));
                return self.slice(&name, Len::Any);
            }
            _ => {
                self.line(&format!("let {name} = &s[n / 2..];"));
                return self.slice(&name, Len::Any);
            }
        }
        self.slice(&name, Len::Constant(2));
    }

    fn slice(&mut self, name: &str, len: Len) {
        let kind = Kind::Elements(len);
        self.variables.push(Variable { name: name.to_owned(), kind, mutable: false, by: By::Ref, store: Store::Slice });
    }

    fn over_elements(&mut self) {
        let changed = self.mutable(|kind| matches!(kind, Kind::Elements(_)));
        let item = self.fresh("e");
        let (head, item_text, hidden, mutable) = match (self.pick(6), changed) {
            (0 | 1, Some(array)) => {
                (format!("for {item} in {}.iter_mut()", array.name), format!("*{item}"), Some(array), true)
            }
            (2, Some(array)) => (
                format!("for (p, {item}) in a.iter().zip({}.iter_mut())", array.name),
                format!("*{item}"),
                Some(array),
                true,
            ),
            (3, _) => (format!("for (j, &{item}) in s.iter().enumerate()"), item.clone(), None, false),
            (4, _) => (format!("for &{item} in a.iter().rev()"), item.clone(), None, false),
            (5, Some(array)) => (format!("for &{item} in {}.iter()", array.name), item.clone(), Some(array), false),
            _ => (format!("for {item} in s"), format!("*{item}"), None, false),
        };
        self.loops.push(None);
        self.braces(&head, "", |writer| {
            if head.contains("(j,") {
                writer.define("j", Kind::Index(Len::N), false);
                writer.nonempty = true;
            }
            if let Some(hidden) = hidden {
                writer.define(&hidden.name, Kind::Hidden, false);
            }
            if mutable {
                let value = writer.number(2);
                let line = match writer.pick(3) {
                    0 => format!("{item_text} = ({item_text} + {value}).sin();"),
                    1 => format!("{item_text} += 0.5 * ({value});"),
                    _ => format!("{item_text} *= 0.8 + 0.1 * ({value}).sin();"),
                };
                let line = if head.contains("(p,") { line.replace("0.5 *", "0.5 * *p *") } else { line };
                writer.line(&line);
            } else {
                writer.line(&format!("let u: f64 = {item_text};"));
                writer.define("u", Kind::Number, false);
                writer.assign();
            }
            writer.statements(3);
        });
        self.loops.pop();
    }

    fn closure(&mut self) {
        let (function, name) = (self.fresh("f"), self.name());
        let (loops, nonempty) = (std::mem::take(&mut self.loops), self.nonempty);
        let pure = std::mem::replace(&mut self.pure, true);
        let body = self.scoped(|writer| {
            writer.define("u", Kind::Number, false);
            writer.number(2)
        });
        (self.loops, self.nonempty) = (loops, nonempty);
        self.line(&format!("let {function} = |u: f64| {body};"));
        // What it captured is borrowed until it is called.
        let (first, second) = (self.number(1), self.atom());
        self.pure = pure;
        self.line(&format!("let {name}: f64 = {function}({first}) - 0.5 * {function}({second});"));
        self.define(&name, Kind::Number, false);
    }

    fn loop_with_value(&mut self) {
        let (counter, name, start) = (self.fresh("k"), self.name(), self.number(1));
        let (inner, value) = (self.fresh("w"), self.one_of(&["", " * 0.5"]));
        self.line(&format!("let mut {counter} = 0;"));
        self.line(&format!("let mut {inner}: f64 = {start};"));
        self.loops.push(None);
        let condition = self.condition();
        self.braces(&format!("let {name}: f64 = loop"), ";", |writer| {
            writer.line(&format!("{counter} += 1;"));
            writer.line(&format!("if {counter} > 3 || {condition} {{ break {inner}{value}; }}"));
            writer.define(&inner, Kind::Number, true);
            let jumps = std::mem::replace(&mut writer.jumps, false);
            let loops = std::mem::take(&mut writer.loops);
            writer.assign();
            writer.statements(2);
            (writer.jumps, writer.loops) = (jumps, loops);
        });
        self.loops.pop();
        self.define(&name, Kind::Number, false);
    }

    fn pair(&mut self) {
        let (p, q) = (self.fresh("t"), self.fresh("t"));
        let (first, second) = (self.number(2), self.number(1));
        if self.pick(2) == 0 {
            self.line(&format!("let (mut {p}, {q}): (f64, f64) = ({first}, {second});"));
            self.define(&p, Kind::Number, true);
            return self.define(&q, Kind::Number, false);
        }
        self.line(&format!("let mut {p}: (f64, f64) = ({first}, {second});"));
        self.define(&format!("{p}.0"), Kind::Number, true);
        self.define(&format!("{p}.1"), Kind::Number, true);
    }

    /// Changes of elements, of a list of any kind.
    fn elements_changed(&mut self) {
        match self.mutable(|kind| matches!(kind, Kind::Elements(_))) {
            Some(found) => self.elements_in_place(&found.name),
            None => self.assign(),
        }
    }

    /// Out of a loop, to its next iteration, or out of the function.
    pub(super) fn jump(&mut self) {
        if !self.jumps {
            return self.assign();
        }
        let condition = self.condition();
        let target = if self.loops.is_empty() { 0 } else { self.pick(6) };
        let labels: Vec<String> = self.loops.iter().flatten().cloned().collect();
        let line = match target {
            0 if self.output == Output::Unit => "return;".to_owned(),
            0 => match self.failure() {
                Some(failure) if self.pick(2) == 0 => failure,
                _ => format!("return {};", self.result()),
            },
            1 | 2 => "break;".to_owned(),
            3 | 4 if !labels.is_empty() => {
                let label = labels[self.pick(labels.len())].clone();
                format!("{} {label};", self.one_of(&["break", "continue"]))
            }
            _ => "continue;".to_owned(),
        };
        self.line(&format!("if {condition} {{ {line} }}"));
    }
}
