//! Types as far as they decide what integers are: with variables, which are unified.
//!
//! References and boxes are looked through: `&i32` and `i32` are one type here.

use crate::parse::ty::INTEGERS;
use std::rc::Rc;
use syn::Path;

/// A type, or a variable that stands for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Id(usize);

#[derive(Clone, Debug)]
pub enum Shape {
    /// Nothing is known yet.
    Open,
    /// An integer of any type.
    Integer,
    /// An integer of this type.
    Is(&'static str),
    /// `f32`, `f64`, or a type parameter that stands for one.
    Float,
    /// What has no integers in it, such as a truth value or a text.
    Plain,
    /// An array, a slice or a `Vec`.
    Seq(Id),
    /// A range or another iterator, by what it gives.
    Iter(Id),
    Tuple(Vec<Id>),
    Option(Id),
    Result(Id, Id),
    /// A closure or a function.
    Callable(Vec<Id>, Id),
    /// A struct, an enum or a trait, with its generic arguments.
    Named(Rc<Path>, Vec<Id>),
}

struct Node {
    shape: Shape,
    parent: usize,
    /// Whether it met something that is not understood: as long as no type is found it may be any.
    doubtful: bool,
    /// Whether it is negated or converted without loss: then it is no index.
    signed: bool,
    /// Whether it follows from more than what is declared.
    inferred: bool,
}

#[derive(Default)]
pub struct Types {
    nodes: Vec<Node>,
}

/// What is nested deeper is taken for unknown, so that a type that contains itself comes to an end.
const DEEPEST: usize = 24;

impl Types {
    pub fn of(&mut self, shape: Shape) -> Id {
        let parent = self.nodes.len();
        self.nodes.push(Node { shape, parent, doubtful: false, signed: false, inferred: false });
        Id(parent)
    }

    pub fn open(&mut self) -> Id {
        self.of(Shape::Open)
    }

    /// Something that is not understood.
    pub fn unknown(&mut self) -> Id {
        let id = self.open();
        self.nodes[id.0].doubtful = true;
        id
    }

    pub fn plain(&mut self) -> Id {
        self.of(Shape::Plain)
    }

    pub fn float(&mut self) -> Id {
        self.of(Shape::Float)
    }

    pub fn usize(&mut self) -> Id {
        self.integer("usize")
    }

    /// The integer type of this name.
    pub fn integer(&mut self, name: &str) -> Id {
        let known = INTEGERS.iter().find(|known| **known == name);
        self.of(known.map_or(Shape::Plain, |name| Shape::Is(name)))
    }

    fn root(&mut self, id: Id) -> usize {
        let mut at = id.0;
        while self.nodes[at].parent != at {
            self.nodes[at].parent = self.nodes[self.nodes[at].parent].parent;
            at = self.nodes[at].parent;
        }
        at
    }

    pub fn shape(&mut self, id: Id) -> Shape {
        let root = self.root(id);
        self.nodes[root].shape.clone()
    }

    pub fn is_integer(&mut self, id: Id) -> bool {
        matches!(self.shape(id), Shape::Integer | Shape::Is(_))
    }

    pub fn is_doubtful(&mut self, id: Id) -> bool {
        let root = self.root(id);
        self.nodes[root].doubtful
    }

    pub fn is_signed(&mut self, id: Id) -> bool {
        let root = self.root(id);
        self.nodes[root].signed
    }

    pub fn is_inferred(&mut self, id: Id) -> bool {
        let root = self.root(id);
        self.nodes[root].inferred
    }

    pub fn note_signed(&mut self, id: Id) {
        let root = self.root(id);
        self.nodes[root].signed = true;
    }

    /// That a type was concluded, not declared.
    pub fn note_inferred(&mut self, id: Id) {
        let root = self.root(id);
        self.nodes[root].inferred = true;
    }

    /// That a type meets something that is not understood.
    pub fn doubt(&mut self, id: Id) {
        self.doubt_within(id, 0);
    }

    fn doubt_within(&mut self, id: Id, depth: usize) {
        let root = self.root(id);
        if depth > DEEPEST {
            return;
        }
        self.nodes[root].doubtful = true;
        for part in parts(&self.nodes[root].shape.clone()) {
            self.doubt_within(part, depth + 1);
        }
    }

    /// Makes two types one.
    pub fn unify(&mut self, a: Id, b: Id) {
        self.unify_within(a, b, 0);
    }

    fn unify_within(&mut self, a: Id, b: Id, depth: usize) {
        let (x, y) = (self.root(a), self.root(b));
        if x == y {
            return;
        }
        if depth > DEEPEST {
            self.nodes[x].doubtful = true;
            self.nodes[y].doubtful = true;
            return;
        }
        let (left, right) = (self.nodes[x].shape.clone(), self.nodes[y].shape.clone());
        match (&left, &right) {
            (Shape::Open, _) => self.link(x, y, depth),
            (_, Shape::Open) => self.link(y, x, depth),
            (Shape::Integer, Shape::Integer | Shape::Is(_)) => self.link(x, y, depth),
            (Shape::Is(_), Shape::Integer) => self.link(y, x, depth),
            (Shape::Is(a), Shape::Is(b)) if a == b => self.link(x, y, depth),
            (Shape::Seq(a) | Shape::Iter(a), Shape::Seq(b) | Shape::Iter(b)) | (Shape::Option(a), Shape::Option(b)) => {
                self.unify_within(*a, *b, depth + 1);
            }
            (Shape::Tuple(a), Shape::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b).for_each(|(a, b)| self.unify_within(*a, *b, depth + 1));
            }
            (Shape::Result(a, c), Shape::Result(b, d)) => {
                self.unify_within(*a, *b, depth + 1);
                self.unify_within(*c, *d, depth + 1);
            }
            (Shape::Callable(a, c), Shape::Callable(b, d)) if a.len() == b.len() => {
                a.iter().zip(b).for_each(|(a, b)| self.unify_within(*a, *b, depth + 1));
                self.unify_within(*c, *d, depth + 1);
            }
            (Shape::Named(p, a), Shape::Named(q, b)) if last(p) == last(q) && a.len() == b.len() => {
                a.iter().zip(b).for_each(|(a, b)| self.unify_within(*a, *b, depth + 1));
            }
            (Shape::Float, Shape::Float) | (Shape::Plain, Shape::Plain) => {}
            _ => {
                self.doubt(Id(x));
                self.doubt(Id(y));
            }
        }
    }

    /// Makes one node another one, which keeps its shape.
    fn link(&mut self, from: usize, to: usize, depth: usize) {
        let (doubtful, signed, inferred) =
            (self.nodes[from].doubtful, self.nodes[from].signed, self.nodes[from].inferred);
        self.nodes[from].parent = to;
        if doubtful {
            self.doubt_within(Id(to), depth);
        }
        self.nodes[to].signed |= signed;
        self.nodes[to].inferred |= inferred;
    }
}

fn parts(shape: &Shape) -> Vec<Id> {
    match shape {
        Shape::Open | Shape::Integer | Shape::Is(_) | Shape::Float | Shape::Plain => Vec::new(),
        Shape::Seq(inner) | Shape::Iter(inner) | Shape::Option(inner) => vec![*inner],
        Shape::Result(value, error) => vec![*value, *error],
        Shape::Tuple(parts) | Shape::Named(_, parts) => parts.clone(),
        Shape::Callable(params, result) => params.iter().chain([result]).copied().collect(),
    }
}

pub fn last(path: &Path) -> String {
    path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
}
