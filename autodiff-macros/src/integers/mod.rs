//! The types of integers that a function does not write.
//!
//! Note [Types of integers]. `let mut k = 0;` is of the type that its uses give it, which may come later, and what no use tells is an `i32`.
//! The compiler has to know: an `i32` may become negative where a `usize` panics. rustc finds out by unification, and so does this,
//! on the function as it is written, before anything is rewritten. Then literals say their types: `0` becomes `0_i32`.
//!
//! There are calls and methods that nothing is known of. A literal that meets them, and that nothing else gives a type, is *doubtful*: it
//! keeps its number, as a mark, and lowering takes it for what its context asks for. Each such conclusion is recorded.
//!
//! rustc is the judge. Beside the derivatives stands a copy of the function, which is never called. In it each literal that was given a type
//! goes through `integer::<usize, _>(0)`, which asks that the type of the literal is `usize`, and yet does not make it one: rustc infers
//! the types in the copy as in the function itself, and then compares. So a wrong conclusion does not compile. A function over
//! tensors is no Rust that rustc could check; there a doubtful literal that needs a type is an error.

mod call;
mod declared;
mod expr;
mod iterator;
mod judge;
mod marks;
mod method;
mod pattern;
mod pending;
mod stmt;
#[cfg(test)]
mod tests;
mod types;

pub use judge::Claims;
pub use marks::{number as mark_of, unmarked};

use crate::relay::Knowledge;
use crate::source::Source;
use declared::Names;
use marks::Marked;
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use syn::{Block, FnArg, GenericParam, ItemFn, Type};
use types::{Id, Shape, Types};

/// A body whose literals say their types, and how that is checked.
#[derive(Clone)]
pub struct Inferred {
    pub body: Block,
    /// The variables that are integers.
    pub variables: Variables,
    /// The types of all that has one type by its name, as far as they are numbers and lists.
    pub names: Rc<HashMap<String, Type>>,
    /// The same body with all literals marked, and what is concluded of them.
    pub claims: Claims,
}

/// Finds the types of the integers in the body of a function.
pub fn infer(function: &ItemFn, body: &Block, knowledge: &Knowledge, source: Option<Arc<Source>>) -> Inferred {
    let mut marked = body.clone();
    let (count, starts) = marks::mark(&mut marked);
    let mut inference = Inference::new(knowledge, source, count, starts);
    inference.function(function, &marked);
    let found: Vec<Conclusion> = (0..count).map(|literal| inference.conclusion(literal)).collect();
    let starts: Vec<Option<Ident>> = (0..starts).map(|range| inference.type_of_range(range)).collect();
    let mut body = marked.clone();
    marks::each(&mut body, |expr, marked| match marked {
        Marked::Literal(literal) => {
            let Some(found) = marks::number(&literal).and_then(|literal| found.get(literal)) else { return };
            match found {
                Conclusion::Is(name, _) => *expr = marks::literal_of(marks::with_suffix(&literal, name)),
                Conclusion::InPlace => *expr = marks::literal_of(marks::with_suffix(&literal, "")),
                Conclusion::Doubtful => {}
            }
        }
        Marked::Start(range) => marks::cast_to(expr, starts.get(range).cloned().flatten()),
        Marked::Range => {}
    });
    marks::each(&mut marked, |expr, marked| {
        if let Marked::Start(_) = marked {
            marks::cast_to(expr, None);
        }
    });
    let names = inference.types_of_names();
    Inferred { body, variables: inference.counted(), names, claims: Claims::new(marked, &found) }
}

impl Inferred {
    /// What is doubtful is taken for an index, which rustc confirms.
    pub fn settled(mut self) -> Inferred {
        let claims = &mut self.claims;
        marks::each(&mut self.body, |expr, marked| {
            let Marked::Literal(literal) = marked else { return };
            if let Some(number) = marks::number(&literal) {
                claims.claim(number, "usize");
                *expr = marks::literal_of(marks::with_suffix(&literal, "usize"));
            }
        });
        self
    }
}

/// A variable, by its name and where it is bound: the tree may have been copied.
pub type Origin = String;

pub fn origin(name: &Ident) -> Origin {
    format!("{name} {:?}", name.span())
}

/// The integer types of variables.
pub type Variables = Rc<HashMap<Origin, String>>;

/// What is concluded of a literal.
enum Conclusion {
    /// Its type, and whether that follows from declarations at once.
    Is(&'static str, bool),
    /// What it stands in says its type.
    InPlace,
    Doubtful,
}

struct Inference<'k> {
    types: Types,
    knowledge: &'k Knowledge,
    source: Option<Arc<Source>>,
    /// The type parameters of the function.
    names: Names,
    /// What names mean here, the innermost scope last.
    scopes: Vec<HashMap<String, Id>>,
    /// The type of each literal, once it is met.
    literals: Vec<Option<Id>>,
    /// The types of ranges, if their starts do not say them.
    starts: Vec<Option<Id>>,
    /// The variables that patterns bind.
    variables: Vec<(Ident, Id)>,
    /// The literals whose type is that of the place they stand in.
    in_place: HashSet<usize>,
    /// What the function, or a function in it, returns.
    result: Id,
    /// What the loops and blocks around give, with their labels.
    breaks: Vec<(Option<String>, Id)>,
    /// Operators and conversions of what has no type yet.
    pending: Vec<pending::Pending>,
    /// How deep expressions are nested.
    depth: usize,
}

impl<'k> Inference<'k> {
    fn new(knowledge: &'k Knowledge, source: Option<Arc<Source>>, count: usize, starts: usize) -> Inference<'k> {
        let mut types = Types::default();
        let result = types.open();
        Inference {
            types,
            knowledge,
            source,
            names: Names::new(),
            scopes: vec![HashMap::new()],
            literals: vec![None; count],
            starts: vec![None; starts],
            variables: Vec::new(),
            in_place: HashSet::new(),
            result,
            breaks: Vec::new(),
            pending: Vec::new(),
            depth: 0,
        }
    }

    fn function(&mut self, function: &ItemFn, body: &Block) {
        self.names = self.generic_names(&function.sig.generics, Names::new());
        let sig = syn::Signature { generics: syn::Generics::default(), ..function.sig.clone() };
        let callee = self.signature(&sig, None);
        self.result = callee.result;
        for param in function.sig.generics.params.iter() {
            if let GenericParam::Const(param) = param {
                let ty = self.declared(&param.ty, &Names::new());
                self.bind(&param.ident.to_string(), ty);
            }
        }
        for (input, ty) in function.sig.inputs.iter().zip(callee.params) {
            match input {
                FnArg::Receiver(_) => self.bind("self", ty),
                FnArg::Typed(typed) => self.pattern(&typed.pat, ty),
            }
        }
        let value = self.block(body);
        self.types.unify(value, self.result);
        self.settle_pending(true);
    }

    fn conclusion(&mut self, literal: usize) -> Conclusion {
        if self.in_place.contains(&literal) {
            return Conclusion::InPlace;
        }
        let Some(id) = self.literals[literal] else { return Conclusion::Doubtful };
        match (self.integer_type(id), self.types.shape(id)) {
            (Some(name), Shape::Is(_)) => Conclusion::Is(name, !self.types.is_inferred(id)),
            (Some(name), _) => Conclusion::Is(name, false),
            (None, _) => Conclusion::Doubtful,
        }
    }

    /// The type of an integer, if there is no doubt.
    fn integer_type(&mut self, id: Id) -> Option<&'static str> {
        match self.types.shape(id) {
            Shape::Is(name) => Some(name),
            // What nothing tells is an `i32`, and so is most likely what is no index.
            Shape::Integer if self.types.is_signed(id) || !self.types.is_doubtful(id) => Some("i32"),
            _ => None,
        }
    }

    /// The integers that a range is of, unless they are indices.
    fn type_of_range(&mut self, range: usize) -> Option<Ident> {
        let name = self.integer_type(self.starts[range]?).filter(|name| *name != "usize")?;
        Some(Ident::new(name, Span::mixed_site()))
    }

    fn counted(&mut self) -> Variables {
        let variables = std::mem::take(&mut self.variables);
        let mut found: HashMap<Origin, Option<String>> = HashMap::new();
        for (name, ty) in variables {
            let Some(ty) = self.integer_type(ty) else { continue };
            let known = found.entry(origin(&name)).or_insert_with(|| Some(ty.to_owned()));
            if known.as_deref() != Some(ty) {
                *known = None;
            }
        }
        Rc::new(found.into_iter().filter_map(|(name, ty)| Some((name, ty?))).collect())
    }

    fn types_of_names(&mut self) -> Rc<HashMap<String, Type>> {
        let mut found: HashMap<String, Option<Type>> = HashMap::new();
        for (name, ty) in self.variables.clone() {
            let ty = self.written(ty, 0);
            let known = found.entry(name.to_string()).or_insert_with(|| ty.clone());
            if *known != ty {
                *known = None;
            }
        }
        Rc::new(found.into_iter().filter_map(|(name, ty)| Some((name, ty?))).collect())
    }

    /// The type of a number, a list or an `Option`.
    fn written(&mut self, ty: Id, depth: usize) -> Option<Type> {
        let inner = |this: &mut Self, ty| match depth {
            0..4 => this.written(ty, depth + 1),
            _ => None,
        };
        Some(match self.types.shape(ty) {
            Shape::Float => syn::parse_quote!(f64),
            Shape::Is(name) => {
                let name = Ident::new(name, Span::mixed_site());
                syn::parse_quote!(#name)
            }
            Shape::Seq(elem) => {
                let elem = inner(self, elem).unwrap_or_else(|| syn::parse_quote!(_));
                syn::parse_quote!([#elem])
            }
            Shape::Option(value) => {
                let value = inner(self, value).unwrap_or_else(|| syn::parse_quote!(_));
                syn::parse_quote!(Option<#value>)
            }
            _ => return None,
        })
    }

    fn alias(&self, name: &syn::Ident) -> Option<syn::Type> {
        self.source.as_ref()?.alias(name)
    }

    fn bind(&mut self, name: &str, ty: Id) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), ty);
        }
    }

    fn lookup(&self, name: &str) -> Option<Id> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let value = run(self);
        self.scopes.pop();
        value
    }

    /// A name that a pattern binds, not a constant or a variant.
    fn is_variable(pat: &syn::PatIdent) -> bool {
        pat.by_ref.is_some() || pat.mutability.is_some() || !pat.ident.to_string().starts_with(char::is_uppercase)
    }
}
