//! Kernels: loops over arrays as they are written for stencils, pooling, recurrences, tables and searches.

use super::{By, Kind, Len, Store, Variable, Writer};

const THREE: Kind = Kind::Elements(Len::Constant(3));

impl Writer<'_> {
    pub(super) fn kernel(&mut self) {
        if self.pure {
            return self.let_number();
        }
        match self.pick(12) {
            0 | 1 => self.ping_pong(),
            2 => self.pooling(),
            3 => self.rows(),
            4 => self.recurrence(),
            5 => self.nest_with_jumps(),
            6 => self.ordering(),
            7 => self.table(),
            8 => self.stack(),
            9 => self.scatter(),
            10 => self.parts_lent(),
            _ => self.root_finding(),
        }
    }

    /// An array of three, which is new or was there.
    fn three(&mut self) -> String {
        self.three_that(|_| true)
    }

    fn three_that(&mut self, fits: impl Fn(&Variable) -> bool) -> String {
        let found = self.find(|v| v.mutable && v.kind == THREE && v.store == Store::Array && fits(v));
        if let Some(found) = found.filter(|_| self.pick(2) == 0) {
            return found.name;
        }
        let (name, first, second) = (self.fresh("z"), self.atom(), self.plain(1));
        self.line(&format!("let mut {name}: [f64; 3] = [1.0 * {first}, {second}, 0.4];"));
        self.define(&name, THREE, true);
        name
    }

    fn lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(line));
    }

    /// Two arrays that change places after every step.
    fn ping_pong(&mut self) {
        let (u, w) = (self.three_that(|v| v.by == By::Value), self.fresh("z"));
        let (by, bound) = (self.atom(), self.atom());
        let start = self.one_of(&["[0.0; 3]", "*a", "[0.2, x, 0.1]"]);
        self.line(&format!("let mut {w}: [f64; 3] = {start};"));
        let count = self.one_of(&["0..2", "0..3", "0..n"]);
        let leave = match self.pick(3) {
            0 => format!("if {u}[1] * {by} > {bound} {{ break; }}"),
            1 => format!("if {u}[1] > {bound} {{ continue; }}"),
            _ => String::new(),
        };
        let exchange = match self.pick(5) {
            0 | 1 => format!("std::mem::swap(&mut {u}, &mut {w});"),
            2 => format!("{u} = {w};"),
            3 => format!("let old = std::mem::replace(&mut {u}, {w}); {w}[1] += 0.2 * old[0];"),
            _ => format!("{w} = std::mem::replace(&mut {u}, {w});"),
        };
        let at = self.one_of(&["(i + 1) % 3", "2 - i", "(i + 2) % 3"]);
        self.lines(&format!(
            "for _ in {count} {{\n    for i in 0..3 {{ {w}[i] = 0.5 * {u}[i] + 0.3 * ({u}[{at}] * {by}).sin(); }}\n    {leave}\n    {exchange}\n}}"
        ));
        self.define(&w, THREE, true);
    }

    /// The largest of overlapping windows, or their sums.
    fn pooling(&mut self) {
        let Some(list) = self.find(|v| matches!(v.kind, Kind::Elements(_))) else { return self.recurrence() };
        let (list, sum) = (list.name, self.fresh("t"));
        let (start, by, step) = (self.atom(), self.atom(), self.one_of(&["", ".step_by(2)"]));
        let each = match self.pick(3) {
            0 => format!("if {list}[i + k] > m {{ m = {list}[i + k]; }}"),
            1 => format!("m += 0.5 * {list}[i + k] * k as f64;"),
            _ => format!("m = m.max({list}[i + k] * {by});"),
        };
        self.line(&format!("let mut {sum}: f64 = 0.5 * {start};"));
        self.lines(&format!(
            "for i in (0..{list}.len()){step} {{\n    let mut m: f64 = {list}[i];\n    for k in 1..3 {{\n        if i + k >= {list}.len() {{ break; }}\n        {each}\n    }}\n    {sum} = 0.6 * {sum} + m * {by};\n}}"
        ));
        self.define(&sum, Kind::Number, true);
    }

    /// Rows that are copied or lent and of which some elements are read.
    fn rows(&mut self) {
        let (m, sum) = (self.fresh("z"), self.fresh("t"));
        let (p, q, by) = (self.atom(), self.plain(1), self.atom());
        self.line(&format!("let mut {m}: [[f64; 3]; 2] = [[1.0 * {p}, {q}, 0.3], [0.5, {p}, -0.2]];"));
        self.line(&format!("let mut {sum}: f64 = 0.1 * {by};"));
        let body = match self.pick(6) {
            0 => format!(
                "for i in 0..2 {{\n    let row = {m}[i];\n    let p = row[i] * {by};\n    if p > 0.3 {{ continue; }}\n    {m}[1 - i][0] += 0.4 * p;\n    {sum} += p - {m}[1 - i][2];\n}}"
            ),
            1 => format!(
                "for row in {m}.iter_mut() {{\n    let r: f64 = row.iter().map(|v| v * v).sum();\n    for v in row.iter_mut() {{ *v /= 1.0 + r; }}\n    {sum} = 0.5 * {sum} + r;\n}}"
            ),
            2 => format!(
                "for (i, row) in {m}.iter().enumerate() {{\n    for (j, v) in row.iter().enumerate() {{ {sum} = 0.7 * {sum} + v * {by} * (i + 2 * j) as f64; }}\n}}"
            ),
            3 => format!("let old = {m};\n{m}[0] = old[1];\n{m}[1][2] = old[0][0] * {by};\n{sum} += {m}[0][1];"),
            4 => format!(
                "for i in 0..n {{\n    {m}.swap(0, i % 2);\n    {m}[0][1] = 0.5 * {m}[0][1] + {by} * {m}[1][i % 3];\n}}"
            ),
            _ => format!(
                "for j in 0..3 {{\n    for i in 0..2 {{ {m}[i][j] = 0.5 * {m}[i][j] + 0.3 * {m}[1 - i][2 - j] * {by}; }}\n    {sum} += {m}[j % 2][j];\n}}"
            ),
        };
        self.lines(&body);
        self.define(&m, Kind::Matrix(2, 3), true);
        self.define(&sum, Kind::Number, true);
    }

    /// Forwards and backwards, as tridiagonal systems are solved.
    fn recurrence(&mut self) {
        let (z, by) = (self.three(), self.atom());
        let forwards = match self.pick(3) {
            0 => format!("for i in 1..3 {{ {z}[i] = 0.5 * {z}[i - 1] * {by} + 0.4 * a[i]; }}"),
            1 => format!("for i in 1..3 {{ let m = {z}[i] / (2.0 + {z}[i - 1].sin()); {z}[i] -= m * {by}; }}"),
            _ => format!("for i in 0..3 {{ let old = {z}[i]; {z}[i] = 0.6 * {z}[(i + 2) % 3] * old; }}"),
        };
        let backwards = match self.pick(3) {
            0 => format!("for i in (0..2).rev() {{ {z}[i] -= 0.4 * {z}[i + 1] * {by}; }}"),
            1 => format!(
                "for i in (0..2).rev() {{ {z}[i] = ({z}[i] - 0.3 * {z}[i + 1]) / (1.5 + {z}[i + 1] * {z}[i + 1]); }}"
            ),
            _ => format!("{z}.copy_within(0..2, 1);"),
        };
        self.line(&forwards);
        self.line(&backwards);
    }

    /// Two loops that are left from the inside.
    fn nest_with_jumps(&mut self) {
        let (z, by, bound, label) = (self.three(), self.atom(), self.atom(), self.fresh("'l"));
        let jump = match self.pick(5) {
            0 => format!("break {label};"),
            1 => format!("continue {label};"),
            2 if self.jumps => format!("return {};", self.result()),
            3 => "break;".to_owned(),
            _ => "continue;".to_owned(),
        };
        let outer = self.one_of(&["0..3", "0..n", "0..2"]);
        self.lines(&format!(
            "{label}: for i in {outer} {{\n    for j in 0..3 {{\n        if {z}[i % 3] * {z}[j] > {bound} {{ {jump} }}\n        {z}[j] = 0.7 * {z}[j] + 0.3 * {z}[i % 3] * {by};\n    }}\n    {z}[i % 3] *= 0.8;\n    if {by} > 0.6 {{ continue {label}; }}\n    {z}[0] += 0.1;\n}}"
        ));
    }

    /// Elements change places by what they are.
    fn ordering(&mut self) {
        let (z, by) = (self.three(), self.atom());
        match self.pick(3) {
            0 => self.lines(&format!(
                "for i in 0..2 {{\n    for j in 0..2 - i {{ if {z}[j] > {z}[j + 1] {{ {z}.swap(j, j + 1); }} }}\n}}"
            )),
            1 => {
                let at = self.fresh("j");
                self.line(&format!("let mut {at}: usize = 0;"));
                self.line(&format!("for i in 1..3 {{ if {z}[i] > {z}[{at}] {{ {at} = i; }} }}"));
                self.line(&format!("{z}[{at}] *= 0.5;"));
                self.line(&format!("{z}[({at} + 1) % 3] += {z}[{at}] * {by};"));
                self.define(&at, Kind::Index(Len::Constant(3)), false);
            }
            _ => {
                let (i, j) = (self.fresh("j"), self.fresh("j"));
                self.line(
                    &format!("let ({i}, {j}): (usize, usize) = (0, 2);")
                        .replace("let (", "let (mut ")
                        .replace(", j", ", mut j"),
                );
                self.lines(&format!(
                    "while {i} < {j} {{\n    if {z}[{i}] < {by} {{ {i} += 1; }} else {{ {z}.swap({i}, {j}); {z}[{j}] *= 0.9; {j} -= 1; }}\n}}"
                ));
                self.define(&i, Kind::Index(Len::Constant(3)), false);
            }
        }
    }

    /// A table of which every entry is made of others.
    fn table(&mut self) {
        let (t, by, first) = (self.fresh("z"), self.atom(), self.plain(1));
        self.line(&format!("let mut {t}: [[f64; 3]; 3] = [[{first}; 3]; 3];"));
        let entry = match self.pick(3) {
            0 => format!("{t}[i - 1][j].min({t}[i][j - 1]).min({t}[i - 1][j - 1] + 0.2)"),
            1 => format!("0.5 * {t}[i - 1][j] + 0.3 * {t}[i][j - 1] * {t}[i - 1][j - 1]"),
            _ => format!("if {t}[i - 1][j] > {t}[i][j - 1] {{ {t}[i - 1][j] }} else {{ {t}[i][j - 1] * {by} }}"),
        };
        self.lines(&format!(
            "for i in 0..3 {{ {t}[i][0] = 0.4 * a[i]; {t}[0][i] = 0.3 * {by} * i as f64; }}\nfor i in 1..3 {{\n    for j in 1..3 {{ {t}[i][j] = 0.3 * (a[i] - {by}) * a[j] + ({entry}); }}\n}}"
        ));
        self.define(&t, Kind::Matrix(3, 3), true);
    }

    /// An array with a number of elements that are in use.
    fn stack(&mut self) {
        let (st, top, by) = (self.fresh("z"), self.fresh("k"), self.atom());
        let bound = self.atom();
        self.line(&format!("let mut {st}: [f64; 3] = [0.0; 3];"));
        self.line(&format!("let mut {top}: usize = 0;"));
        let count = self.one_of(&["0..3", "0..n", "0..5"]);
        self.lines(&format!(
            "for i in {count} {{\n    if {top} > 1 && a[i % 3] * {by} < {bound} {{\n        {top} -= 1;\n        {st}[{top} - 1] = 0.5 * {st}[{top} - 1] * {st}[{top}] + {by};\n    }} else if {top} < 3 {{\n        {st}[{top}] = a[i % 3] * {by} + 0.2 * i as f64;\n        {top} += 1;\n    }}\n}}"
        ));
        self.define(&st, THREE, true);
        self.define(&top, Kind::Index(Len::Any), false);
    }

    /// Elements that are added to at computed places.
    fn scatter(&mut self) {
        let (z, by) = (self.three(), self.atom());
        let at = self.one_of(&["(2 * i + 1) % 3", "i * i % 3", "i / 2", "(i + n) % 3"]);
        let line = match self.pick(4) {
            0 => format!("{z}[{at}] += 0.4 * a[i] * {by};"),
            1 => format!("{z}[{at}] = 0.5 * {z}[{at}] + 0.3 * {z}[i] * {by};"),
            2 => format!("{z}[{at}] -= 0.3 * {z}[2 - i]; {z}[i] *= 0.8;"),
            _ => format!("let k = {at}; {z}[k] *= 0.6 + 0.2 * {z}[i]; {z}[i] += {by} * a[k];"),
        };
        self.lines(&format!("for i in 0..3 {{\n    {line}\n}}"));
    }

    /// Parts of an array that are lent at the same time.
    fn parts_lent(&mut self) {
        let (z, by, at) = (self.three(), self.atom(), self.pick(4));
        let line = match self.pick(4) {
            0 => format!(
                "{{ let (p, q) = {z}.split_at_mut({at}); for v in p.iter_mut() {{ *v = 0.5 * *v + {by}; }} for v in q.iter_mut() {{ *v *= 0.7; }} }}"
            ),
            1 => format!(
                "{{ let (p, q) = {z}.split_at_mut({at}); for (v, w) in p.iter_mut().zip(q.iter_mut()) {{ std::mem::swap(v, w); *v += 0.3 * *w * {by}; }} }}"
            ),
            2 => format!(
                "for c in {z}.chunks_mut(2) {{ let r: f64 = c[0] * {by}; for v in c.iter_mut() {{ *v = 0.6 * *v - r; }} }}"
            ),
            _ => format!("for k in 0..{at} {{ {z}[k..].rotate_left(1); {z}[k] = 0.5 * {z}[k] + {by}; }}")
                .replace("0..3 {", "0..2 {"),
        };
        self.lines(&line);
    }

    fn root_finding(&mut self) {
        let (r, by, start) = (self.fresh("t"), self.atom(), self.atom());
        self.line(&format!("let mut {r}: f64 = 0.5 * {start};"));
        let step = format!("({r} * {r} * {r} + {r} - {by}) / (3.0 * {r} * {r} + 1.0)");
        let line = match self.pick(3) {
            0 => format!("for _ in 0..3 {{ {r} -= {step}; }}"),
            1 => format!(
                "for k in 0..4 {{ let step = {step}; if step.abs() < 0.05 {{ break; }} {r} -= step * (1.0 - 0.1 * k as f64); }}"
            ),
            _ => format!(
                "{{ let (mut lo, mut hi): (f64, f64) = (-1.0 - {by} * {by}, 2.0 + {by} * {by}); for _ in 0..4 {{ let mid = 0.5 * (lo + hi); if mid * mid * mid > {by} {{ hi = mid; }} else {{ lo = mid; }} }} {r} += 0.5 * (lo + hi); }}"
            ),
        };
        self.line(&line);
        self.define(&r, Kind::Number, true);
    }
}
