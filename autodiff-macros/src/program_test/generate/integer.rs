//! Integers as numbers and as indices: of several widths, below zero, in lists, in tuples and in calls.

use super::{Kind, Len, Variable, Writer};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    I32,
    I64,
    U8,
    Usize,
}

impl Width {
    pub fn name(self) -> &'static str {
        match self {
            Width::I32 => "i32",
            Width::I64 => "i64",
            Width::U8 => "u8",
            Width::Usize => "usize",
        }
    }

    fn is_signed(self) -> bool {
        matches!(self, Width::I32 | Width::I64)
    }
}

/// What an integer without a type can be. rustc knows no methods of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    Anything,
    /// It may be below zero.
    Signed,
    Width(Width),
}

impl Asked {
    fn is_signed(self) -> bool {
        match self {
            Asked::Anything => false,
            Asked::Signed => true,
            Asked::Width(width) => width.is_signed(),
        }
    }

    fn can_be(self, width: Width) -> bool {
        match self {
            Asked::Anything => true,
            Asked::Signed => width.is_signed(),
            Asked::Width(own) => own == width,
        }
    }
}

fn is_signed(kind: &Kind) -> bool {
    match kind {
        Kind::Int(width) => width.is_signed(),
        Kind::Open(asked) => asked.is_signed(),
        _ => false,
    }
}

fn is_int(variable: &Variable) -> bool {
    matches!(variable.kind, Kind::Int(_) | Kind::Open(_))
}

impl Writer<'_> {
    pub(super) fn width(&mut self) -> Width {
        [Width::I32, Width::I64, Width::I32, Width::U8, Width::Usize][self.pick(5)]
    }

    /// The type of a name or a literal, which may be missing where integers without a type are drawn.
    fn perhaps(&mut self, ty: &str) -> String {
        let untyped = self.drawn.untyped_integers && self.pick(3) > 0;
        if untyped { String::new() } else { ty.to_owned() }
    }

    fn typed(&mut self, before: &str, width: Width) -> String {
        self.perhaps(&format!("{before}{}", width.name()))
    }

    /// An integer with the type that is written behind its name, if one is.
    fn define_int(&mut self, name: &str, ty: &str, asked: Asked, width: Width) {
        let kind = if ty.is_empty() { Kind::Open(asked) } else { Kind::Int(width) };
        self.define(name, kind, true);
    }

    /// A use that asks for a type.
    fn ask(&mut self, name: &str, asked: Asked) {
        let found = self.variables.iter_mut().rev().find(|variable| variable.name == name);
        if let Some(variable) = found.filter(|variable| matches!(variable.kind, Kind::Open(_))) {
            variable.kind = Kind::Open(asked);
        }
    }

    /// An integer for a parameter.
    pub(super) fn int_argument(&mut self, width: Width) -> String {
        let literals: &[&str] =
            if width.is_signed() { &["-2", "1", "0", "-1", "3"] } else { &["2", "1", "0", "3", "4"] };
        match (self.pick(3), self.find(|variable| is_int(variable) || matches!(variable.kind, Kind::Index(_)))) {
            (0, _) | (_, None) => self.one_of(literals).to_owned(),
            (_, Some(found)) => match found.kind {
                Kind::Int(own) if own == width => found.name,
                Kind::Open(asked) if asked.can_be(width) => {
                    self.ask(&found.name, Asked::Width(width));
                    found.name
                }
                Kind::Open(asked) if asked.is_signed() && !width.is_signed() => {
                    format!("({0} * {0}) as {1}", found.name, width.name())
                }
                Kind::Int(own) if own.is_signed() && !width.is_signed() => {
                    format!("{}.abs() as {}", found.name, width.name())
                }
                _ => format!("{} as {}", found.name, width.name()),
            },
        }
    }

    /// An integer as a number.
    pub(super) fn whole_number(&mut self) -> Option<String> {
        let found = self.find(is_int)?;
        let name = &found.name;
        let choice = (self.pick(5), is_signed(&found.kind));
        if let Kind::Open(_) = found.kind {
            return Some(match choice {
                (0 | 2, true) => format!("({name} - 2) as f64"),
                (1, true) => format!("(2 * {name} - 5) as f64"),
                (0 | 2, false) => format!("({name} % 3) as f64"),
                _ => format!("{name} as f64"),
            });
        }
        Some(match choice {
            (0, true) => format!("({name} - 2) as f64"),
            (1, true) => format!("(2 * {name} - 5).abs() as f64"),
            (2, true) => format!("({name}.rem_euclid(3) as f64)"),
            (0, false) => format!("({name} % 3) as f64"),
            (3, _) => format!("{name}.min(2) as f64"),
            _ => format!("{name} as f64"),
        })
    }

    /// Makes, changes or uses integers.
    pub(super) fn integers(&mut self) {
        if !self.drawn.integers || self.pure {
            return self.assign();
        }
        match self.pick(13) {
            0 | 1 => self.let_int(),
            2..=4 => self.change_int(),
            5 => self.count_down(),
            6 => self.match_int(),
            7 => self.list_of_indices(),
            8 => self.lists_of_lists(),
            9 => self.pairs_with_integers(),
            10 => self.zipped_range(),
            11 => self.index_by_int(),
            _ => self.closure_of_integer(),
        }
    }

    fn let_int(&mut self) {
        let (width, name) = (self.width(), self.fresh("c"));
        let (value, asked) = match self.pick(5) {
            3 => match self.find(|variable| matches!(variable.kind, Kind::Index(_))) {
                Some(index) if width == Width::Usize => (format!("{} % 5", index.name), Asked::Width(width)),
                Some(index) => (format!("{} as {}", index.name, width.name()), Asked::Width(width)),
                None => ("2".to_owned(), Asked::Anything),
            },
            4 if width.is_signed() => ("-3".to_owned(), Asked::Signed),
            _ => (self.one_of(&["0", "3", "2"]).to_owned(), Asked::Anything),
        };
        let ty = self.typed(": ", width);
        self.line(&format!("let mut {name}{ty} = {value};"));
        self.define_int(&name, &ty, asked, width);
    }

    fn change_int(&mut self) {
        let Some(found) = self.find(|v| v.mutable && is_int(v)) else { return self.let_int() };
        let name = &found.name;
        let line = match (self.pick(6), is_signed(&found.kind)) {
            (0, true) => format!("{name} = ({name} - 4) % 6;"),
            (1, true) => format!("{name} = 3 - {name};"),
            (2, true) => format!("{name} -= 1;\n    {name} %= 7;"),
            (3, true) => format!("if {name} > -3 {{ {name} -= 2; }} else {{ {name} += 5; }}"),
            (4, true) => format!("{name} = -{name};"),
            (1, false) if found.kind == Kind::Open(Asked::Anything) => {
                self.ask(name, Asked::Signed);
                format!("{name} = 1 - {name};")
            }
            (0 | 1, false) => format!("{name} = ({name} + 3) % 5;"),
            (2 | 3, false) => format!("if {name} > 1 {{ {name} -= 2; }} else {{ {name} += 3; }}"),
            _ => format!("{name} = ({name} % 4 + 1) * 2 % 5;"),
        };
        for line in line.split("\n    ") {
            self.line(line);
        }
    }

    fn count_down(&mut self) {
        let (name, sum, by) = (self.fresh("c"), self.fresh("t"), self.atom());
        self.line(&format!("let mut {sum}: f64 = 0.4 * {by};"));
        if self.pick(2) == 0 {
            let ty = self.typed(": ", Width::I32);
            self.line(&format!("let mut {name}{ty} = 2;"));
            let element = if self.inside { "x".to_owned() } else { format!("a[{name} as usize]") };
            self.line(&format!(
                "while {name} >= 0 {{ {sum} = 0.5 * {sum} + {element} * ({name} - 1) as f64; {name} -= 1; }}"
            ));
            self.define_int(&name, &ty, Asked::Signed, Width::I32);
        } else {
            let ty = self.typed(": ", Width::Usize);
            self.line(&format!("let mut {name}{ty} = 3;"));
            let element = if self.inside { "x".to_owned() } else { format!("a[{name}]") };
            self.line(&format!("while {name} > 0 {{ {name} -= 1; {sum} = 0.5 * {sum} - {element} * {name} as f64; }}"));
            self.define_int(&name, &ty, Asked::Width(Width::Usize), Width::Usize);
        }
        self.define(&sum, Kind::Number, true);
    }

    fn match_int(&mut self) {
        let Some(found) = self.find(is_int) else { return self.let_int() };
        let name = &found.name;
        let (result, p, q) = (self.fresh("t"), self.number(1), self.atom());
        let low = if is_signed(&found.kind) { "-1" } else { "4" };
        self.line(&format!(
            "let {result}: f64 = match {name} {{ {low} => {p}, 0 => {q}, k if k > 2 => 0.3 * {q}, _ => x }};"
        ));
        self.define(&result, Kind::Number, false);
    }

    /// `a[c % 3]`, where `c` may have no type but this.
    fn index_by_int(&mut self) {
        let Some(list) = self.find(|v| v.kind == Kind::Elements(Len::Constant(3))) else { return self.let_int() };
        let wanted = |kind: &Kind| match kind {
            Kind::Int(width) => *width == Width::Usize,
            Kind::Open(asked) => asked.can_be(Width::Usize),
            _ => false,
        };
        let name = match self.find(|v| wanted(&v.kind)) {
            Some(found) => found.name,
            None => {
                let (name, ty) = (self.fresh("c"), self.typed(": ", Width::Usize));
                self.line(&format!("let mut {name}{ty} = 4;"));
                self.define_int(&name, &ty, Asked::Anything, Width::Usize);
                name
            }
        };
        let (list, sum) = (list.name, self.fresh("t"));
        self.ask(&name, Asked::Width(Width::Usize));
        let other = self.int_argument(Width::Usize);
        self.line(&format!("let {sum}: f64 = {list}[{name} % 3] * ({name} + {other}) as f64;"));
        self.define(&sum, Kind::Number, false);
    }

    fn list_of_indices(&mut self) {
        let Some(list) = self.find(|v| v.kind == Kind::Elements(Len::Constant(3))) else { return self.let_int() };
        let (list, name, sum) = (list.name, self.fresh("ks"), self.fresh("t"));
        let start = self.atom();
        self.line(&format!("let mut {sum}: f64 = 0.5 * {start};"));
        match self.pick(4) {
            0 => {
                let ty = self.perhaps(": [usize; 3]");
                self.line(&format!("let {name}{ty} = [2, 0, 1];"));
                self.line(&format!("for k in {name} {{ {sum} = 0.5 * {sum} + {list}[k] * (k + 1) as f64; }}"));
            }
            1 => {
                self.line(&format!("let mut {name}: Vec<usize> = Vec::new();"));
                self.line(&format!("for k in 0..3 {{ if {list}[k] > 0.0 {{ {name}.push(k); }} }}"));
                self.line(&format!("if let Some(k) = {name}.pop() {{ {sum} += {list}[k] * x; }}"));
                self.line(&format!("{sum} += {name}.iter().rev().map(|&k| {list}[k] * k as f64).sum::<f64>();"));
            }
            2 => {
                let ty = self.perhaps(": [usize; 3]");
                self.line(&format!("let mut {name}{ty} = [0; 3];"));
                self.line(&format!(
                    "for k in 0..3 {{ {name}[k] += k + n; if {list}[k] > 0.1 {{ {name}[2 - k] += 1; }} }}"
                ));
                self.line(&format!("for k in 0..3 {{ {sum} += 0.2 * {list}[k] * {name}[k] as f64; }}"));
            }
            _ => {
                let ty = self.perhaps(": [i32; 3]");
                self.line(&format!("let {name}{ty} = [-2, 3, 1];"));
                self.line(&format!(
                    "for (k, r) in {name}.iter().zip({list}.iter()) {{ {sum} += 0.3 * r * (k - 1) as f64; }}"
                ));
            }
        }
        self.define(&sum, Kind::Number, true);
    }

    fn lists_of_lists(&mut self) {
        let Some(list) = self.find(|v| v.kind == Kind::Elements(Len::Constant(3))) else { return self.let_int() };
        let (list, name, sum) = (list.name, self.fresh("ks"), self.fresh("t"));
        self.line(&format!("let mut {sum}: f64 = 0.2 * x;"));
        let ty = self.perhaps(": [[usize; 2]; 2]");
        self.line(&format!("let {name}{ty} = [[0, 1], [2, 0]];"));
        let line = match self.pick(3) {
            0 => format!("for [p, q] in {name} {{ {sum} = 0.5 * {sum} + {list}[p] * {list}[q]; }}"),
            1 => format!("for e in &{name} {{ {sum} -= {list}[e[0]] * 0.3 + {list}[e[1]]; }}"),
            _ => {
                format!("for (k, e) in {name}.iter().enumerate() {{ {sum} += {list}[e[1 - k]] * (e[k] + k) as f64; }}")
            }
        };
        self.line(&line);
        self.define(&sum, Kind::Number, true);
    }

    fn pairs_with_integers(&mut self) {
        let (sum, value) = (self.fresh("t"), self.atom());
        self.line(&format!("let mut {sum}: f64 = 0.2 * x;"));
        match self.pick(3) {
            0 => {
                let suffix = self.typed("_", Width::I32);
                self.line(&format!(
                    "for (k, w) in [(1{suffix}, 0.5 * {value}), (-2, x), (3, {value})] {{ {sum} = 0.5 * {sum} + (k - 1) as f64 * w; }}"
                ));
            }
            1 => {
                let (name, suffix) = (self.fresh("l"), self.typed("_", Width::Usize));
                self.line(&format!("let mut {name}: Vec<(usize, f64)> = Vec::new();"));
                self.line(&format!("for k in 0..3{suffix} {{ {name}.push((k * 2, {value} * k as f64 - x)); }}"));
                self.line(&format!("{name}.sort_by(|p, q| q.1.total_cmp(&p.1));"));
                self.line(&format!(
                    "for (j, (k, w)) in {name}.iter().enumerate() {{ {sum} += 0.1 * (*k + j) as f64 * w; }}"
                ));
            }
            _ => {
                let name = self.fresh("q");
                self.line(&format!("let mut {name}: (i32, f64) = (1, {value});"));
                self.line(&format!(
                    "for _ in 0..n {{ {name}.0 -= 2; {name}.1 = 0.5 * {name}.1 + 0.1 * x * {name}.0 as f64; }}"
                ));
                self.line(&format!("{sum} += {name}.1 + 0.1 * ({name}.0 + 1) as f64;"));
            }
        }
        self.define(&sum, Kind::Number, true);
    }

    fn zipped_range(&mut self) {
        let Some(list) = self.find(|v| matches!(v.kind, Kind::Elements(_))) else { return self.let_int() };
        let (list, sum, width) = (list.name, self.fresh("t"), self.width());
        let suffix = self.typed("_", width);
        self.line(&format!("let mut {sum}: f64 = 0.2 * x;"));
        let line = match self.pick(3) {
            0 => format!("for (k, r) in (0..3{suffix}).zip({list}.iter()) {{ {sum} += 0.4 * r * k as f64; }}"),
            1 => format!(
                "for (r, k) in {list}.iter().zip((0..4{suffix}).rev()) {{ {sum} = 0.5 * {sum} + r * k as f64; }}"
            ),
            _ => format!("{sum} += (1..4{suffix}).zip({list}.iter()).map(|(k, r)| r * (k * k) as f64).sum::<f64>();"),
        };
        self.line(&line);
        self.define(&sum, Kind::Number, true);
    }

    fn closure_of_integer(&mut self) {
        let (width, function, name) = (self.width(), self.fresh("f"), self.fresh("t"));
        let (by, value) = (self.closure_body(&["r"]), self.atom());
        let whole = if width.is_signed() { "(k - 3)" } else { "(k + 1)" };
        let ty = self.typed(": ", width);
        self.line(&format!("let {function} = |k{ty}, r: f64| 0.3 * {whole} as f64 * ({by});"));
        let (first, second) = (self.int_argument(width), self.int_argument(width));
        self.line(&format!("let {name}: f64 = {function}({first}, {value}) - {function}({second}, 0.5);"));
        self.define(&name, Kind::Number, false);
    }
}
