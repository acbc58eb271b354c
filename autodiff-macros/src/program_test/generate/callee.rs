//! Functions, methods and types that a program uses.

use super::{By, Kind, Len, Output, Record, Store, Variable, Width, Writer};
use std::fmt::Write as _;

/// A parameter, as its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Param {
    Number,
    Ref,
    MutNumber,
    Array,
    MutArray,
    /// Arrays of the length `N`.
    Sized,
    MutSized,
    Slice,
    MutSlice,
    MutVec,
    Struct(usize),
    RefStruct(usize),
    MutStruct(usize),
    Enum(usize),
    RefEnum(usize),
    MutEnum(usize),
    Option,
    MutOption,
    Int(Width),
    Records(Record),
    MutRecords(Record),
    Count,
    /// The slice `s`, which has `n` elements, and `n`.
    Length,
}

impl Param {
    pub fn borrows(self) -> bool {
        let reads = matches!(
            self,
            Param::Ref
                | Param::Array
                | Param::Sized
                | Param::Slice
                | Param::Length
                | Param::RefStruct(_)
                | Param::RefEnum(_)
                | Param::Records(_)
        );
        reads || self.changes()
    }

    pub fn changes(self) -> bool {
        matches!(
            self,
            Param::MutNumber
                | Param::MutArray
                | Param::MutSized
                | Param::MutSlice
                | Param::MutVec
                | Param::MutStruct(_)
                | Param::MutEnum(_)
                | Param::MutOption
                | Param::MutRecords(_)
        )
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Number,
    Pair,
    Struct(usize),
    Option,
    Enum,
}

#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub name: String,
    pub fields: Vec<(String, Field)>,
}

/// Something to call.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    pub name: String,
    /// The struct whose method this is; the first parameter is `self` then.
    pub owner: Option<usize>,
    pub params: Vec<Param>,
    pub output: Output,
    /// Whether it takes derivatives, or calls what is not pure.
    pub special: bool,
}

impl Callee {
    /// Whether its gradient can be taken inside a function.
    pub fn has_gradient(&self) -> bool {
        let known = |param: &Param| {
            matches!(
                param,
                Param::Number | Param::Ref | Param::Array | Param::Sized | Param::Slice | Param::Length | Param::Count
            )
        };
        let derived = |param: &Param| *param != Param::Count;
        let params = &self.params;
        self.output == Output::Number && !self.special && params.iter().all(known) && params.iter().any(derived)
    }

    /// Whether a call changes variables.
    pub fn changes(&self) -> bool {
        self.params.iter().any(|param| param.changes())
    }
}

/// Whether an identifier occurs in a text.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

impl Writer<'_> {
    /// The items before the program.
    pub(super) fn items(&mut self) {
        if !self.drawn.items || self.pick(4) == 0 {
            return;
        }
        if self.drawn.enums && self.pick(2) == 1 {
            self.enumeration();
        }
        if self.drawn.structs {
            for _ in 0..self.pick(3) {
                self.structure();
            }
        }
        self.fixed_callees();
        for _ in 0..1 + self.pick(3) {
            self.callee();
        }
        self.turns();
        for (k, of) in self.structs.clone().iter().enumerate() {
            if !self.methods[k].is_empty() {
                let _ = write!(self.items, "#[differentiable]\nimpl {} {{\n{}}}\n\n", of.name, self.methods[k]);
            }
        }
    }

    fn structure(&mut self) {
        let name = format!("S{}", self.structs.len() + 1);
        let mut fields = vec![("u0".to_owned(), Field::Number), ("u1".to_owned(), Field::Number)];
        if self.pick(3) == 2 {
            fields.push(("w".to_owned(), Field::Pair));
        }
        if !self.structs.is_empty() && self.pick(2) == 1 {
            fields.insert(1, ("part".to_owned(), Field::Struct(0)));
        }
        if self.drawn.options && self.pick(3) == 2 {
            fields.push(("last".to_owned(), Field::Option));
        }
        if self.drawn.options && !self.enums.is_empty() && self.pick(3) == 2 {
            fields.push(("mode".to_owned(), Field::Enum));
        }
        let _ = writeln!(self.items, "#[derive(Differentiable, Clone, Copy)]\nstruct {name} {{");
        for (field, of) in &fields {
            let ty = match of {
                Field::Number => "f64".to_owned(),
                Field::Pair => "[f64; 2]".to_owned(),
                Field::Struct(k) => self.structs[*k].name.clone(),
                Field::Option => "Option<f64>".to_owned(),
                Field::Enum => "E1".to_owned(),
            };
            let _ = writeln!(self.items, "    {field}: {ty},");
        }
        self.items.push_str("}\n\n");
        self.structs.push(Struct { name, fields });
        self.methods.push(String::new());
    }

    /// A variable of a struct, and its fields.
    pub(super) fn define_struct(&mut self, name: &str, of: usize, mutable: bool, by: By) {
        self.variables.push(Variable {
            name: name.to_owned(),
            kind: Kind::Struct(of),
            mutable,
            by,
            store: Store::Array,
        });
        for (field, kind) in self.structs[of].fields.clone() {
            let field = format!("{name}.{field}");
            match kind {
                Field::Number => self.define(&field, Kind::Number, mutable),
                Field::Pair => self.define(&field, Kind::Elements(Len::Constant(2)), mutable),
                Field::Struct(part) => self.define_struct(&field, part, mutable, By::Value),
                Field::Option => self.define(&field, Kind::Option, mutable),
                Field::Enum => self.define(&field, Kind::Enum(0), mutable),
            }
        }
    }

    fn define_enum(&mut self, name: &str, of: usize, by: By) {
        let kind = Kind::Enum(of);
        let mutable = by == By::Mut;
        self.variables.push(Variable { name: name.to_owned(), kind, mutable, by, store: Store::Array });
    }

    /// Whether a struct has an enum in it: the macro takes no mutable slices of these.
    fn has_choices(&self, of: usize) -> bool {
        self.structs[of].fields.iter().any(|(_, field)| match field {
            Field::Option | Field::Enum => true,
            Field::Struct(part) => self.has_choices(*part),
            Field::Number | Field::Pair => false,
        })
    }

    fn param(&mut self) -> Param {
        let structs = self.structs.len();
        match self.pick(30) {
            22..=24 if self.drawn.options => Param::MutOption,
            25 if self.drawn.options => Param::Option,
            26 | 27 if self.drawn.options && !self.enums.is_empty() => Param::MutEnum(0),
            28 | 29 if self.drawn.integers => Param::Int(self.width()),
            17 | 18 if !self.enums.is_empty() => Param::Enum(0),
            19 if structs > 0 => match self.pick(structs) {
                of if self.has_choices(of) => Param::MutStruct(of),
                of => Param::MutRecords(Record::Struct(of)),
            },
            20 if structs > 0 => Param::Records(Record::Struct(self.pick(structs))),
            21 => Param::Records(Record::Pair),
            14 => Param::Sized,
            15 | 16 => Param::MutSized,
            0 => Param::Number,
            1 => Param::Ref,
            2 | 3 => Param::MutNumber,
            4 => Param::Array,
            5 | 6 => Param::MutArray,
            7 => Param::Slice,
            8 => Param::MutSlice,
            9 => Param::MutVec,
            10 if structs > 0 => Param::Struct(self.pick(structs)),
            11 if structs > 0 => Param::RefStruct(self.pick(structs)),
            12 if structs > 0 => Param::MutStruct(self.pick(structs)),
            13 if !self.enums.is_empty() => [Param::Enum(0), Param::RefEnum(0)][self.pick(2)],
            _ => Param::MutNumber,
        }
    }

    fn param_type(&self, param: Param) -> String {
        match param {
            Param::Number => "f64".into(),
            Param::Ref => "&f64".into(),
            Param::MutNumber => "&mut f64".into(),
            Param::Array => "&[f64; 3]".into(),
            Param::MutArray => "&mut [f64; 3]".into(),
            Param::Sized => "&[f64; N]".into(),
            Param::MutSized => "&mut [f64; N]".into(),
            Param::Slice | Param::Length => "&[f64]".into(),
            Param::MutSlice => "&mut [f64]".into(),
            Param::MutVec => "&mut Vec<f64>".into(),
            Param::Struct(k) => self.structs[k].name.clone(),
            Param::RefStruct(k) => format!("&{}", self.structs[k].name),
            Param::MutStruct(k) => format!("&mut {}", self.structs[k].name),
            Param::Enum(k) => self.enums[k].clone(),
            Param::RefEnum(k) => format!("&{}", self.enums[k]),
            Param::MutEnum(k) => format!("&mut {}", self.enums[k]),
            Param::Option => "Option<f64>".into(),
            Param::MutOption => "&mut Option<f64>".into(),
            Param::Int(width) => width.name().into(),
            Param::Records(record) => format!("&[{}]", self.record_type(record)),
            Param::MutRecords(record) => format!("&mut [{}]", self.record_type(record)),
            Param::Count => "usize".into(),
        }
    }

    fn define_param(&mut self, name: &str, param: Param) {
        let elements = |len: Len, by: By, store: Store| (Kind::Elements(len), by, store);
        let three = Len::Constant(3);
        let (kind, by, store) = match param {
            Param::Number => (Kind::Number, By::Value, Store::Array),
            Param::Ref => (Kind::Number, By::Ref, Store::Array),
            Param::MutNumber => (Kind::Number, By::Mut, Store::Array),
            Param::Array => elements(three, By::Ref, Store::Array),
            Param::MutArray => elements(three, By::Mut, Store::Array),
            Param::Sized => elements(Len::Size, By::Ref, Store::Array),
            Param::MutSized => elements(Len::Size, By::Mut, Store::Array),
            Param::Slice => elements(Len::Any, By::Ref, Store::Slice),
            Param::MutSlice => elements(Len::Any, By::Mut, Store::Slice),
            Param::MutVec => elements(Len::Any, By::Mut, Store::Vec),
            Param::Length => elements(Len::N, By::Ref, Store::Slice),
            Param::Count => (Kind::Index(Len::Any), By::Value, Store::Array),
            Param::Struct(k) => return self.define_struct(name, k, false, By::Value),
            Param::RefStruct(k) => return self.define_struct(name, k, false, By::Ref),
            Param::MutStruct(k) => return self.define_struct(name, k, true, By::Mut),
            Param::Enum(k) => return self.define_enum(name, k, By::Value),
            Param::RefEnum(k) => return self.define_enum(name, k, By::Ref),
            Param::MutEnum(k) => return self.define_enum(name, k, By::Mut),
            Param::Option => (Kind::Option, By::Value, Store::Array),
            Param::MutOption => (Kind::Option, By::Mut, Store::Array),
            Param::Int(width) => (Kind::Int(width), By::Value, Store::Array),
            Param::Records(record) => return self.define_records(name, record, false, By::Ref, Store::Slice),
            Param::MutRecords(record) => return self.define_records(name, record, true, By::Mut, Store::Slice),
        };
        let name = if kind == Kind::Number && by != By::Value { format!("(*{name})") } else { name.to_owned() };
        self.variables.push(Variable { name, kind, mutable: by == By::Mut, by, store });
    }

    fn output(&mut self) -> Output {
        match self.pick(16) {
            12 | 13 if self.drawn.results => Output::Result,
            14 if self.drawn.results => Output::Done,
            15 if self.drawn.results => Output::Option,
            0..=4 => Output::Number,
            5 => Output::Pair,
            6 => Output::Array,
            7 if self.drawn.whole_results => [Output::Bool, Output::Index][self.pick(2)],
            8 => Output::Option,
            9 if !self.structs.is_empty() => Output::Struct(self.pick(self.structs.len())),
            _ => Output::Unit,
        }
    }

    fn output_type(&self, output: Output) -> String {
        match output {
            Output::Number => " -> f64".into(),
            Output::Pair => " -> (f64, f64)".into(),
            Output::Array => " -> [f64; 2]".into(),
            Output::Bool => " -> bool".into(),
            Output::Index => " -> usize".into(),
            Output::Option => " -> Option<f64>".into(),
            Output::Result => " -> Result<f64, usize>".into(),
            Output::Done => " -> Result<(), usize>".into(),
            Output::Struct(k) => format!(" -> {}", self.structs[k].name),
            Output::Unit => String::new(),
        }
    }

    /// A function or a method. What it mentions of `x`, `a`, `s` and `n` is a parameter, too.
    fn callee(&mut self) {
        let owner = (self.drawn.methods && !self.structs.is_empty() && self.pick(3) == 1)
            .then(|| self.pick(self.structs.len()));
        let mut params: Vec<Param> = match owner {
            Some(k) => {
                vec![[Param::MutStruct(k), Param::RefStruct(k), Param::Struct(k), Param::MutStruct(k)][self.pick(4)]]
            }
            None => Vec::new(),
        };
        // One whose gradient is taken.
        let plain = owner.is_none() && self.pick(4) == 3;
        for _ in 0..self.pick(3) + usize::from(owner.is_none()) {
            let param = if plain {
                [Param::Number, Param::Number, Param::Array, Param::Sized, Param::Slice][self.pick(5)]
            } else {
                self.param()
            };
            // A length of its own has one array.
            let sized = |param: &Param| matches!(param, Param::Sized | Param::MutSized);
            let twice = sized(&param) && (owner.is_some() || params.iter().any(sized));
            params.push(match param {
                _ if !twice => param,
                Param::Sized => Param::Number,
                _ => Param::MutNumber,
            });
        }
        let mut output = if plain { Output::Number } else { self.output() };
        let recursive = self.drawn.recursion && !plain && self.pick(5) == 4;
        if recursive {
            output = Output::Number;
        }
        // Nobody would see what it does.
        let bare = !params.iter().any(|param| param.changes());
        if bare && matches!(output, Output::Unit | Output::Done | Output::Bool | Output::Index) {
            output = Output::Number;
        }
        let number = self.callees.len() + 1;
        let name = format!("{}{number}", if owner.is_some() { "m" } else { "h" });
        let names: Vec<String> = (0..params.len())
            .map(|k| if k == 0 && owner.is_some() { "self".into() } else { format!("b{k}") })
            .collect();

        let outside = self.begin(output);
        self.recursive = recursive;
        self.define("x", Kind::Number, false);
        for (name, param) in names.iter().zip(&params) {
            self.define_param(name, *param);
        }
        if recursive {
            let base = self.result();
            self.line(&format!("if m == 0 {{ return {base}; }}"));
            self.define("m", Kind::Index(Len::Any), false);
        }
        self.statements(5);
        let tail = self.result();
        let text = self.text.clone() + &tail;
        let mut names = names;
        for (name, param) in [("x", Param::Number), ("a", Param::Array), ("s", Param::Length), ("n", Param::Count)] {
            let whole = name == "n" && mentions(&text, "s");
            if whole || mentions(&text, name) {
                params.push(if whole { Param::Length } else { param });
                names.push(name.to_owned());
            }
        }
        if recursive {
            params.push(Param::Count);
            names.push("m".to_owned());
            let again = self.again(&name, owner.is_some(), &names, &params);
            self.line(&format!("0.5 * ({tail}) + 0.5 * {again}"));
        } else if output != Output::Unit {
            self.line(&tail);
        }
        let text = self.end(outside);

        let list: Vec<String> = names
            .iter()
            .zip(&params)
            .map(|(name, param)| match (&name[..], param) {
                ("self", Param::MutStruct(_)) => "&mut self".to_owned(),
                ("self", Param::RefStruct(_)) => "&self".to_owned(),
                ("self", _) => "self".to_owned(),
                ("n", _) => "n: usize".to_owned(),
                _ => format!("{name}: {}", self.param_type(*param)),
            })
            .collect();
        let generics = if list.iter().any(|param| param.contains("; N]")) { "<const N: usize>" } else { "" };
        let head = format!("fn {name}{generics}({}){}", list.join(", "), self.output_type(output));
        let called = |callee: &Callee| callee.special && mentions(&text, &callee.name);
        let special = ["grad", "value_and_grad", "tick", "draw", "log"].iter().any(|name| mentions(&text, name))
            || self.callees.iter().any(called);
        match owner {
            Some(k) => {
                let _ = writeln!(self.methods[k], "    {head} {{");
                for line in text.lines() {
                    let _ = writeln!(self.methods[k], "    {line}");
                }
                self.methods[k].push_str("    }\n");
            }
            None => {
                let _ = write!(self.items, "#[differentiable]\n{head} {{\n{text}}}\n\n");
            }
        }
        self.callees.push(Callee { name, owner, params, output, special });
    }

    /// A call of the function itself, with what it has.
    fn again(&mut self, name: &str, method: bool, names: &[String], params: &[Param]) -> String {
        let skip = usize::from(method);
        let args: Vec<String> = names
            .iter()
            .zip(params)
            .skip(skip)
            .map(|(name, param)| match (&name[..], param) {
                ("m", _) => "m - 1".to_owned(),
                ("x", _) => "0.7 * x".to_owned(),
                _ => name.clone(),
            })
            .collect();
        format!("{}{name}({})", if method { "self." } else { "" }, args.join(", "))
    }
}
