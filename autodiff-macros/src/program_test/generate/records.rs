//! `Vec`s of pairs and of structs: made, grown, gone through, changed, and parts of them.

use super::callee::Field;
use super::{By, Kind, Store, Variable, Writer};

/// What the elements are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Record {
    Pair,
    Struct(usize),
}

impl Writer<'_> {
    pub(super) fn record_type(&self, record: Record) -> String {
        match record {
            Record::Pair => "(f64, f64)".into(),
            Record::Struct(k) => self.structs[k].name.clone(),
        }
    }

    fn record(&mut self) -> Record {
        match self.structs.len() {
            0 => Record::Pair,
            count => [Record::Pair, Record::Struct(self.pick(count))][self.pick(2)],
        }
    }

    fn record_value(&mut self, record: Record) -> String {
        match record {
            Record::Pair => format!("({}, 1.0 * {})", self.plain(1), self.atom()),
            Record::Struct(k) => {
                let pure = std::mem::replace(&mut self.pure, true);
                let value = self.struct_literal(k);
                self.pure = pure;
                value
            }
        }
    }

    /// A number in an element.
    fn record_field(&mut self, record: Record) -> String {
        match record {
            Record::Pair => self.one_of(&["0", "1"]).to_owned(),
            Record::Struct(k) => {
                let fields = &self.structs[k].fields;
                let numbers: Vec<String> =
                    fields.iter().filter(|(_, of)| *of == Field::Number).map(|(name, _)| name.clone()).collect();
                numbers[self.pick(numbers.len())].clone()
            }
        }
    }

    pub(super) fn define_records(&mut self, name: &str, record: Record, mutable: bool, by: By, store: Store) {
        let kind = Kind::Records(record);
        self.variables.push(Variable { name: name.to_owned(), kind, mutable, by, store });
    }

    /// A part of them, as an argument or a slice: what stands behind the name.
    pub(super) fn record_part(&mut self, name: &str) -> String {
        match self.pick(4) {
            0 => "[..]".into(),
            1 => format!("[..{name}.len() / 2]"),
            2 => format!("[{name}.len() / 2..]"),
            _ => format!("[..{name}.len().min(2)]"),
        }
    }

    /// Makes, grows, changes or reads one.
    pub(super) fn records(&mut self) {
        let found = self.find(|variable| matches!(variable.kind, Kind::Records(_)));
        let Some(Variable { name, kind: Kind::Records(record), mutable, store, .. }) = found else {
            return self.let_records();
        };
        let grows = mutable && store == Store::Vec;
        match self.pick(10) {
            0 => self.let_records(),
            1 | 2 if grows => {
                let value = self.record_value(record);
                self.line(&format!("{name}.push({value});"));
            }
            3 if grows => {
                let line = match self.pick(3) {
                    0 => format!("{name}.truncate(2);"),
                    1 => format!("{name}.clear();"),
                    _ => {
                        let value = self.record_value(record);
                        format!("{name}.extend_from_slice(&[{value}; 2]);")
                    }
                };
                self.line(&line);
            }
            4 | 5 if mutable => {
                let (field, value) = (self.record_field(record), self.number(1));
                let change = match self.pick(4) {
                    0 => format!("{name}.swap(0, 1);"),
                    1 => format!("{name}[1] = {name}[0];"),
                    2 => format!("{name}[1].{field} += 0.5 * ({value});"),
                    _ => format!("{name}[0].{field} *= 0.8 + 0.1 * ({value}).sin();"),
                };
                self.line(&format!("if {name}.len() > 1 {{ {change} }}"));
            }
            6 if mutable => {
                let (item, field) = (self.fresh("e"), self.record_field(record));
                let value = self.borrowing(|writer| {
                    writer.borrow(&name, true);
                    writer.number(1)
                });
                let change = format!("{item}.{field} = ({item}.{field} + {value}).sin();");
                self.line(&format!("for {item} in {name}.iter_mut() {{ {change} }}"));
            }
            7 => {
                let (part, condition) = (self.fresh("p"), self.condition());
                let (yes, no) = (self.record_part(&name), self.record_part(&name));
                self.line(&format!("let {part} = if {condition} {{ &{name}{yes} }} else {{ &{name}{no} }};"));
                self.over_records(&part, record);
            }
            8 => {
                let (part, range) = (self.fresh("p"), self.record_part(&name));
                self.line(&format!("let {part} = &{name}{range};"));
                self.over_records(&part, record);
            }
            _ => self.over_records(&name, record),
        }
    }

    fn let_records(&mut self) {
        let (record, name) = (self.record(), self.fresh("l"));
        let (first, second) = (self.record_value(record), self.record_value(record));
        let value = match self.pick(4) {
            0 => "Vec::new()".to_owned(),
            1 => format!("vec![{first}; n]"),
            2 => format!("vec![{first}; 2]"),
            _ => format!("vec![{first}, {second}]"),
        };
        let ty = self.record_type(record);
        self.line(&format!("let mut {name}: Vec<{ty}> = {value};"));
        self.define_records(&name, record, true, By::Value, Store::Vec);
    }

    /// A loop that reads all of them.
    fn over_records(&mut self, name: &str, record: Record) {
        let (sum, item) = (self.fresh("d"), self.fresh("e"));
        let (p, q) = (self.record_field(record), self.record_field(record));
        self.line(&format!("let mut {sum}: f64 = 0.1 * x;"));
        let line = match self.pick(3) {
            0 => format!("for {item} in {name}.iter() {{ {sum} = 0.5 * {sum} + {item}.{p} * {item}.{q}; }}"),
            1 => format!("for {item} in {name}.iter().rev() {{ {sum} += 0.3 * {item}.{p}.sin(); }}"),
            _ => format!(
                "for {item} in 0..{name}.len() {{ {sum} = ({sum} + {name}[{item}].{p}).tanh() + 0.1 * {name}[{item}].{q}; }}"
            ),
        };
        self.line(&line);
        self.define(&sum, Kind::Number, true);
    }
}
