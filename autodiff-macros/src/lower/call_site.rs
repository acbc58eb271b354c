//! How calls are written in Rust: what belongs to the callees of the IR and is no business of passes. Lowering writes it,
//! and emission reads it.

use crate::ir::call::{Part, Passed};
use crate::layout::{Access, Form, Layout, Step};
use proc_macro2::TokenStream;
use std::rc::Rc;

/// The calls of a function, by [`Callee::site`](crate::ir::Callee::site).
pub type CallSites = Vec<Rc<CallSite>>;

#[derive(Debug)]
pub struct CallSite {
    /// The path as the user wrote it.
    pub path: TokenStream,
    /// Generic arguments, all of them known: `<f32, { B }>`.
    pub generics: TokenStream,
    /// Whether what is called is the function of the type: see Note [Vecs that a callee makes longer] in `source/grown.rs`.
    pub by_value: bool,
    /// One for each of the callee's.
    pub args: Vec<Argument>,
    /// The layout of the result.
    pub results: Layout,
}

impl CallSite {
    /// Whether the callee is given something without a derivative as it is written.
    pub fn passes_on(&self) -> bool {
        self.args.iter().any(|arg| match &arg.passing {
            ArgPassing::Tokens(_) => true,
            ArgPassing::Place(_, layout) | ArgPassing::Built(layout) => !layout.passive().is_empty(),
            ArgPassing::Leaf(_) | ArgPassing::View(_) => false,
        })
    }
}

/// How an argument is written.
#[derive(Debug)]
pub struct Argument {
    pub passing: ArgPassing,
    pub by_ref: bool,
}

#[derive(Debug)]
pub enum ArgPassing {
    /// A parameter of the caller, or a part of it, with its structure.
    Place(Access, Layout),
    /// What is put together for the call. What is only passed on in it has holes for the operands behind the leaves.
    Built(Layout),
    /// One leaf: a number, an array or a tensor.
    Leaf(Form),
    /// A part of an array.
    View(Part),
    /// Tokens that carry no derivative, with holes for the leaves.
    Tokens(TokenStream),
}

impl ArgPassing {
    /// Whether both are parts of one parameter, and rustc does not know them apart: one is inside the other, or both are
    /// elements of one array.
    pub(super) fn overlaps(&self, other: &ArgPassing) -> bool {
        match (self, other) {
            (ArgPassing::Place(a, _), ArgPassing::Place(b, _)) => {
                let apart = a.path.iter().zip(&b.path).find(|(step, other)| step != other);
                a.root == b.root && apart.is_none_or(|steps| matches!(steps, (Step::Index(_), Step::Index(_))))
            }
            _ => false,
        }
    }

    /// What the IR knows of it.
    pub(super) fn passed(&self) -> Passed {
        match self {
            ArgPassing::Place(..) | ArgPassing::Built(_) | ArgPassing::Leaf(_) => Passed::Whole,
            ArgPassing::View(part) => Passed::Part(*part),
            ArgPassing::Tokens(tokens) => Passed::Opaque(tokens.clone()),
        }
    }

    /// What tells it from others besides the operands.
    pub(super) fn key(&self) -> String {
        match self {
            ArgPassing::Place(access, layout) => format!("{access:?} {layout:?}"),
            ArgPassing::Built(layout) => format!("{layout:?}"),
            ArgPassing::Leaf(form) => format!("{form:?}"),
            ArgPassing::View(part) => format!("{part:?}"),
            ArgPassing::Tokens(tokens) => tokens.to_string(),
        }
    }
}
