//! Expressions.

use super::{Kind, Len, Output, Writer};

const LITERALS: &[&str] = &["0.5", "1.0", "-0.3", "0.8", "1.5", "0.0"];

impl Writer<'_> {
    pub(super) fn literal(&mut self) -> String {
        self.one_of(LITERALS).to_owned()
    }

    /// A variable or an element: something whose type is known.
    pub(super) fn atom(&mut self) -> String {
        if self.pick(3) == 2 {
            if let Some(element) = self.element() {
                return element;
            }
        }
        let number = self.find(|variable| variable.kind == Kind::Number);
        number.map_or_else(|| "x".to_owned(), |variable| variable.name)
    }

    /// An element that can be read.
    fn element(&mut self) -> Option<String> {
        let (nonempty, sized) = (self.nonempty, self.sized);
        let array = self.find(|variable| match variable.kind {
            Kind::Elements(Len::N) => nonempty,
            Kind::Elements(Len::Size) => sized,
            Kind::Elements(Len::Any) => false,
            Kind::Elements(_) | Kind::Matrix(..) => true,
            _ => false,
        })?;
        let name = &array.name;
        Some(match array.kind {
            Kind::Matrix(rows, columns) => {
                let (i, j) = (self.index(Len::Constant(rows)), self.index(Len::Constant(columns)));
                format!("{name}[{i}][{j}]")
            }
            Kind::Elements(len) => format!("{name}[{}]", self.index(len)),
            _ => return None,
        })
    }

    /// An index into something that has at least one element.
    pub(super) fn index(&mut self, len: Len) -> String {
        let fits = |bound: Len| match (bound, len) {
            (Len::Constant(bound), Len::Constant(len)) => bound <= len,
            (Len::N, Len::More) => true,
            (bound, len) => bound == len && bound != Len::Any,
        };
        let count = match len {
            Len::Constant(count) => count.to_string(),
            Len::N => "n".to_owned(),
            Len::Size => "N".to_owned(),
            Len::More | Len::Any => "(n + 1)".to_owned(),
        };
        match self.pick(5) {
            1 | 2 => {
                if let Some(index) = self.find(|v| matches!(v.kind, Kind::Index(bound) if fits(bound))) {
                    let name = index.name;
                    return match self.pick(3) {
                        1 => format!("{count} - 1 - {name}"),
                        2 if len == Len::More && index.kind == Kind::Index(Len::N) => format!("{name} + 1"),
                        _ => name,
                    };
                }
            }
            3 => {
                if let Some(index) = self.find(|variable| matches!(variable.kind, Kind::Index(_))) {
                    let by = self.pick(3);
                    return format!("({} + {by}) % {count}", index.name);
                }
            }
            4 => return if let Len::Constant(count) = len { (count - 1).to_string() } else { format!("{count} - 1") },
            _ => {}
        }
        match len {
            Len::Constant(count) => self.pick(count).to_string(),
            _ => "0".to_owned(),
        }
    }

    /// An expression of numbers.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.pick(4) == 3 { self.literal() } else { self.atom() };
        }
        let inner = depth - 1;
        match self.pick(31) {
            25 => self.option_value().unwrap_or_else(|| self.atom()),
            26 | 27 => match self.taken() {
                Some(taken) => format!("({taken})"),
                None => self.number(inner),
            },
            28 => match self.whole_number() {
                Some(whole) => format!("({whole}) * {}", self.factor(inner)),
                None => self.number(inner),
            },
            29 | 30 => self.iterated(inner),
            0 | 1 => self.number(inner),
            2 => format!("{} + {}", self.number(inner), self.factor(inner)),
            3 => format!("{} - {}", self.number(inner), self.factor(inner)),
            4 => format!("{} * {}", self.factor(inner), self.factor(inner)),
            5 => format!("0.5 * {}", self.factor(inner)),
            6 => {
                let by = self.atom();
                format!("{} / (1.0 + {by} * {by})", self.factor(inner))
            }
            7 | 8 => {
                let function = self.one_of(&["sin", "tanh", "cos", "atan", "abs"]);
                format!("{}.{function}()", self.receiver(inner))
            }
            9 => {
                let (function, of) = (self.one_of(&["sqrt", "ln", "recip"]), self.atom());
                format!("(0.5 + {of} * {of}).{function}()")
            }
            10 => {
                let function = self.one_of(&["max", "min"]);
                format!("{}.{function}({})", self.receiver(inner), self.number(inner))
            }
            11 => {
                let (condition, yes, no) = (self.condition(), self.number(inner), self.number(inner));
                format!("(if {condition} {{ {yes} }} else {{ {no} }})")
            }
            12 => {
                let (value, name) = (self.number(inner), self.name());
                let text = self.scoped(|writer| {
                    writer.define(&name, Kind::Number, false);
                    writer.number(inner)
                });
                format!("({{ let {name}: f64 = {value}; {text} }})")
            }
            13 => match self.find(|variable| matches!(variable.kind, Kind::Index(_))) {
                Some(index) => format!("({} as f64) * {}", index.name, self.factor(inner)),
                None => format!("-{}", self.factor(inner)),
            },
            14 => format!("{}.powi({})", self.receiver(0), 2 + self.pick(2)),
            15 => self.iterated(inner),
            17 | 18 => self.changing(inner),
            19 | 20 => self.called(inner),
            23 | 24 => self.gradient(inner),
            21 => match self.element_by_change(false) {
                Some(element) => element,
                None => self.number(inner),
            },
            22 if !self.structs.is_empty() => {
                let of = self.pick(self.structs.len());
                format!("({}).{}", self.struct_literal(of), self.one_of(&["u1", "u0"]))
            }
            _ => {
                let of = self.atom();
                format!("(-({of} * {of})).exp()")
            }
        }
    }

    /// A number without an iterator: inside of macros these are not known yet.
    pub(super) fn plain(&mut self, depth: usize) -> String {
        let text = self.number(depth);
        if ["iter", "windows", "chunks"].iter().any(|over| text.contains(over)) { self.atom() } else { text }
    }

    /// An expression in parentheses, where it needs some.
    pub(super) fn factor(&mut self, depth: usize) -> String {
        let text = self.number(depth);
        if text.contains(' ') || text.starts_with('-') { format!("({text})") } else { text }
    }

    /// What a method can be called on: its type is known.
    fn receiver(&mut self, depth: usize) -> String {
        let atom = self.atom();
        if depth == 0 { atom } else { format!("({atom} + {})", self.factor(depth - 1)) }
    }

    /// A sum, a product or a fold.
    fn iterated(&mut self, depth: usize) -> String {
        let Some(elements) = self.find(|variable| matches!(variable.kind, Kind::Elements(_))) else {
            return self.atom();
        };
        let (name, item) = (elements.name, self.fresh("e"));
        let (loops, nonempty) = (std::mem::take(&mut self.loops), self.nonempty);
        let pure = std::mem::replace(&mut self.pure, true);
        self.nonempty = false;
        let text = self.scoped(|writer| {
            let kind = writer.pick(16);
            if kind == 4 {
                writer.define("sum", Kind::Number, false);
            }
            writer.define(&item, Kind::Number, false);
            let value = writer.number(depth);
            match kind {
                0 => format!("{name}.iter().map(|&{item}| {value}).sum::<f64>()"),
                1 => format!("{name}.iter().map(|&{item}| 1.0 + 0.3 * ({value})).product::<f64>()"),
                2 => format!("{name}.iter().enumerate().map(|(k, &{item})| (k as f64) * ({value})).sum::<f64>()"),
                3 => format!("{name}.windows(2).map(|w| w[0] * w[1]).sum::<f64>()"),
                4 => format!("{name}.iter().rev().fold(0.0, |sum: f64, &{item}| 0.5 * sum + 0.5 * ({value}))"),
                6 => format!("{name}.chunks(2).map(|c| {{ let {item}: f64 = c[0]; {value} }}).sum::<f64>()"),
                7 => {
                    format!("{name}.iter().skip(1).zip({name}.iter()).map(|(&{item}, &p)| p * ({value})).sum::<f64>()")
                }
                8 => format!(
                    "{name}.iter().enumerate().filter(|(k, _)| k % 2 == 0).map(|(_, &{item})| {value}).sum::<f64>()"
                ),
                9 => format!("{name}.iter().map(|&{item}| {value}).last().unwrap_or(0.3)"),
                11..=15 if writer.drawn.iterators => writer.by_closures(&name, &item, &value),
                _ => format!("{name}.iter().zip(a.iter()).map(|(&{item}, &p)| p * ({value})).sum::<f64>()"),
            }
        });
        (self.loops, self.nonempty, self.pure) = (loops, nonempty, pure);
        format!("({text})")
    }

    /// A condition, of numbers or of indices.
    pub(super) fn condition(&mut self) -> String {
        match self.pick(14) {
            11 | 12 => self.option_condition().unwrap_or_else(|| "n > 1".to_owned()),
            13 => self.holds_of_elements().unwrap_or_else(|| "n > 1".to_owned()),
            8 | 9 => self.changing_condition().unwrap_or_else(|| "n > 1".to_owned()),
            10 => match self.call(|callee| callee.output == Output::Bool) {
                Some((call, _)) => call,
                None => "n == 1".to_owned(),
            },
            0 | 1 => {
                let compare = self.one_of(&[">", "<", ">=", "<="]);
                format!("{} {compare} {}", self.atom(), self.number(1))
            }
            2 => {
                let index = self.find(|variable| matches!(variable.kind, Kind::Index(_)));
                format!("{} % 2 == 0", index.map_or_else(|| "n".to_owned(), |index| index.name))
            }
            3 => {
                let index = self.find(|variable| matches!(variable.kind, Kind::Index(_)));
                let compare = self.one_of(&["==", ">", "!=", "<"]);
                format!("{} {compare} 1", index.map_or_else(|| "n".to_owned(), |index| index.name))
            }
            4 => format!("{} > 0.0 && {} < 0.9", self.atom(), self.atom()),
            5 => format!("{} < -0.5 || n > 1", self.atom()),
            6 => format!("!({} > 0.2)", self.atom()),
            _ => "n > 2".to_owned(),
        }
    }
}
