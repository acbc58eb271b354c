//! Writes random programs: Rust functions with nested loops, branches, jumps and arrays that change, and what they call.
//!
//! A program is a function of a list of numbers, each of which decides one thing: proptest shrinks a program by shrinking
//! the list. Where the list is at its end every choice is the first, which is the simplest. What is written is accepted by
//! rustc, never panics for any `n`, and every loop ends.

mod call;
mod callee;
mod compact;
mod edit;
mod effect;
mod expression;
mod fallible;
mod higher_order;
mod integer;
mod iterate;
mod kernel;
mod kinds;
mod local;
mod operators;
mod option;
mod pattern;
mod records;
mod statement;
mod turn;

pub(super) use kinds::KINDS;

use callee::{Callee, Struct};
use integer::{Asked, Width};
use kinds::Drawn;
use records::Record;

use std::fmt::Write as _;

/// The length of something with elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Len {
    Constant(usize),
    /// The parameter `n`.
    N,
    /// `n + 1`
    More,
    /// The const parameter `N`.
    Size,
    /// Anything, 0 included.
    Any,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Number,
    /// An index below some length.
    Index(Len),
    Elements(Len),
    /// An array of arrays.
    Matrix(usize, usize),
    Struct(usize),
    Enum(usize),
    /// `Option<f64>`
    Option,
    /// A small integer, negative ones too if its type has them.
    Int(Width),
    /// The same without a type, and what its uses ask of it so far.
    Open(Asked),
    /// A `Vec` or a slice of pairs or structs, of any length.
    Records(Record),
    /// A struct with operators.
    Combined,
    /// Borrowed elsewhere.
    Hidden,
}

/// How a variable has what it is about; one of a number that it borrows is named `(*p)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Value,
    Ref,
    Mut,
}

/// What elements are in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Store {
    Array,
    Slice,
    Vec,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Kind,
    mutable: bool,
    by: By,
    store: Store,
}

/// What the function gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Output {
    Number,
    Pair,
    Array,
    Struct(usize),
    Bool,
    Index,
    Option,
    /// `Result<f64, usize>`
    Result,
    /// `Result<(), usize>`
    Done,
    Unit,
}

pub(super) struct Writer<'c> {
    drawn: Drawn,
    choices: &'c [u16],
    at: usize,
    text: String,
    depth: usize,
    variables: Vec<Variable>,
    /// Whether `n` is known not to be 0.
    nonempty: bool,
    /// The same for `N`.
    sized: bool,
    /// The labels of the `for` and `loop` loops around, innermost last; jumps do not leave closures.
    loops: Vec<Option<String>>,
    names: usize,
    output: Output,
    /// Jumps are written.
    jumps: bool,
    /// Expressions change nothing here.
    pure: bool,
    /// What cannot be changed or, if it is borrowed mutably, read: the first parts of places.
    borrowed: Vec<(String, bool)>,
    items: String,
    structs: Vec<Struct>,
    methods: Vec<String>,
    enums: Vec<String>,
    callees: Vec<Callee>,
    /// How many calls there are, and whether this is a callee.
    calls: usize,
    inside: bool,
    /// It calls itself: the macro refuses effects in it.
    recursive: bool,
    /// The struct that has the trait.
    moving: Option<usize>,
}

/// What is put aside while a callee is written.
struct Outside {
    text: String,
    variables: Vec<Variable>,
    output: Output,
    calls: usize,
}

/// A program for the compiler.
pub(super) fn program(choices: &[u16]) -> String {
    written(choices, kinds::DRAWN)
}

/// A program with everything that is known.
pub(super) fn any_program(choices: &[u16]) -> String {
    written(choices, kinds::ALL)
}

fn written(choices: &[u16], drawn: Drawn) -> String {
    let mut writer = Writer {
        drawn,
        choices,
        at: 0,
        text: String::new(),
        depth: 1,
        variables: Vec::new(),
        nonempty: false,
        sized: false,
        loops: Vec::new(),
        names: 0,
        output: Output::Number,
        jumps: true,
        pure: false,
        borrowed: Vec::new(),
        items: String::new(),
        structs: Vec::new(),
        methods: Vec::new(),
        enums: Vec::new(),
        callees: Vec::new(),
        calls: 0,
        inside: false,
        recursive: false,
        moving: None,
    };
    // The items have choices of their own, so that there are some left for the program.
    let (choices, others) = choices.split_at(choices.len().div_ceil(2));
    writer.choices = others;
    writer.items();
    (writer.choices, writer.at, writer.calls) = (choices, 0, 0);
    writer.output = [Output::Number, Output::Number, Output::Pair, Output::Array][writer.pick(4)];
    writer.jumps = writer.pick(2) == 0;
    let (array, slice) = (Kind::Elements(Len::Constant(3)), Kind::Elements(Len::N));
    for (name, kind, by, store) in [
        ("x", Kind::Number, By::Value, Store::Array),
        ("y", Kind::Number, By::Value, Store::Array),
        ("a", array, By::Ref, Store::Array),
        ("s", slice, By::Ref, Store::Slice),
    ] {
        writer.variables.push(Variable { name: name.to_owned(), kind, mutable: false, by, store });
    }
    let single = writer.pick(6) == 5;
    let result = match writer.output {
        Output::Pair => "(f64, f64)",
        Output::Array => "[f64; 2]",
        _ => "f64",
    };
    writer.statements(14);
    let tail = writer.result();
    writer.line(&tail);
    let Writer { items, text, .. } = writer;
    let source =
        format!("{items}fn program(x: f64, y: f64, a: &[f64; 3], s: &[f64], n: usize) -> {result} {{\n{text}}}\n");
    if single { source.replace("f64", "f32").replace("draw(", "draw_f32(") } else { source }
}

impl Writer<'_> {
    /// A choice of so many.
    fn pick(&mut self, count: usize) -> usize {
        let choice = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(choice) % count
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.pick(texts.len())]
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 4 * self.depth);
    }

    fn define(&mut self, name: &str, kind: Kind, mutable: bool) {
        self.define_in(name, kind, mutable, Store::Array);
    }

    fn define_in(&mut self, name: &str, kind: Kind, mutable: bool, store: Store) {
        self.variables.push(Variable { name: name.to_owned(), kind, mutable, by: By::Value, store });
    }

    /// Another function than the one that is being written.
    fn begin(&mut self, output: Output) -> Outside {
        let text = std::mem::take(&mut self.text);
        let variables = std::mem::take(&mut self.variables);
        self.inside = true;
        Outside {
            text,
            variables,
            output: std::mem::replace(&mut self.output, output),
            calls: std::mem::take(&mut self.calls),
        }
    }

    /// Its text.
    fn end(&mut self, outside: Outside) -> String {
        (self.inside, self.recursive) = (false, false);
        (self.variables, self.output, self.calls) = (outside.variables, outside.output, outside.calls);
        std::mem::replace(&mut self.text, outside.text)
    }

    /// A name that was not used before.
    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A name of a few, so that some shadow others. Where a program is made by a macro, those with a bar at their end are
    /// given to the macro without it.
    fn name(&mut self) -> String {
        match self.pick(9) {
            6 => "x_".to_owned(),
            7 => "v0_".to_owned(),
            8 => "v1_".to_owned(),
            k => format!("v{k}"),
        }
    }

    /// What can be seen and is wanted.
    fn visible(&self, wanted: impl Fn(&Variable) -> bool) -> Vec<Variable> {
        let mut seen: Vec<&str> = Vec::new();
        let mut found = Vec::new();
        for variable in self.variables.iter().rev() {
            if !seen.contains(&&variable.name[..]) {
                seen.push(&variable.name);
                let borrows = || self.borrowed.iter().filter(|(base, _)| base == Writer::base(&variable.name));
                let mutable = variable.mutable && borrows().next().is_none();
                let variable = Variable { mutable, ..variable.clone() };
                if wanted(&variable) && !borrows().any(|(_, mutable)| *mutable) {
                    found.push(variable);
                }
            }
        }
        found
    }

    fn find(&mut self, wanted: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let found = self.visible(wanted);
        if found.is_empty() { None } else { Some(found[self.pick(found.len())].clone()) }
    }

    /// A scope: what is defined in it is forgotten.
    fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let (count, nonempty, sized) = (self.variables.len(), self.nonempty, self.sized);
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        self.variables.truncate(count);
        (self.nonempty, self.sized) = (nonempty, sized);
        result
    }

    /// `head { statements }`, in which `define` holds.
    fn braces(&mut self, head: &str, tail: &str, inside: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.scoped(inside);
        self.line(&format!("}}{tail}"));
    }

    /// A number that depends on all that can be seen.
    fn sum(&mut self) -> String {
        let mut terms = vec![String::from("0.1 * x")];
        for variable in self.visible(|_| true) {
            let name = &variable.name;
            let weight = ["1.0", "0.5", "-0.7", "0.3"][terms.len() % 4];
            match variable.kind {
                Kind::Number => terms.push(format!("{weight} * {name}")),
                Kind::Elements(Len::Constant(count)) => {
                    terms.extend((0..count).map(|k| format!("{weight} * {name}[{k}]")));
                }
                Kind::Elements(_) => terms.push(format!("{weight} * {name}.iter().sum::<f64>()")),
                Kind::Matrix(rows, columns) => {
                    terms.push(format!("{weight} * {name}[0][{}] * {name}[{}][0]", columns - 1, rows - 1));
                }
                Kind::Combined => terms.push(format!("{weight} * {name}.a * {name}.b")),
                Kind::Option => terms.push(format!("{weight} * {name}.unwrap_or(0.3)")),
                Kind::Enum(_) if self.drawn.options => terms.push(format!("{weight} * {name}.size()")),
                Kind::Int(_) | Kind::Open(_) => terms.push(format!("0.1 * ({name} as f64)")),
                Kind::Index(_) | Kind::Struct(_) | Kind::Enum(_) | Kind::Records(_) | Kind::Hidden => {}
            }
        }
        terms.join(" + ")
    }

    fn result(&mut self) -> String {
        let sum = if self.inside { format!("0.4 * ({})", self.sum()) } else { self.sum() };
        match self.output {
            Output::Number => sum,
            // Literals alone have no type where they stand in a tuple.
            Output::Pair => {
                let other = self.number(1);
                format!("({sum}, 1.0 * x + {other})")
            }
            Output::Array => {
                let other = self.number(1);
                format!("[{sum}, 1.0 * x + {other}]")
            }
            Output::Struct(k) => self.struct_literal(k),
            Output::Bool => format!("{sum} > 0.1"),
            Output::Index => format!("if {sum} > 0.1 {{ 1 }} else {{ 0 }}"),
            Output::Option => format!("if x > 0.0 {{ Some({sum}) }} else {{ None }}"),
            Output::Result => format!("if x > -0.2 {{ Ok({sum}) }} else {{ Err(1) }}"),
            Output::Done => format!("if {sum} > -0.3 {{ Ok(()) }} else {{ Err(2) }}"),
            Output::Unit => String::new(),
        }
    }
}
