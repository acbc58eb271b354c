//! What is known of a call: the callee, how its arguments are passed, which results it has.

use crate::ir::Var;
use crate::ir::builder::Builder;
use crate::layout::{Access, Form, Layout};
use crate::parse::attr::Order;
use proc_macro2::TokenStream;
use quote::quote;

/// A callee with the way its arguments are passed.
#[derive(Debug)]
pub struct Target {
    /// The path as the user wrote it.
    pub path: TokenStream,
    /// Generic arguments, all of them known: `<f32, { B }>`.
    pub generics: TokenStream,
    pub args: Vec<CallArg>,
    /// The result's leaves.
    pub results: Layout,
    /// Whether it is the function that is being differentiated.
    pub is_self: bool,
    /// Whether the caller keeps nothing of it for the reverse sweep: see Note [Cycles of calls].
    pub recursive: bool,
    /// How many times the callee can be differentiated.
    pub order: Order,
    pub name: String,
}

/// One argument of a call.
#[derive(Debug)]
pub struct CallArg {
    pub pass: Pass,
    /// How many of the equation's arguments belong to it.
    pub leaves: usize,
    pub by_ref: bool,
    /// Whether the callee is differentiated by it.
    pub active: bool,
    /// Whether the callee is, but the caller is not: its cotangent is thrown away.
    pub constant: bool,
    /// Whether it is a mutable borrow: what it holds afterwards is a result.
    pub mutable: bool,
}

impl CallArg {
    /// Whether both are parts of one parameter, one inside the other.
    pub(super) fn overlaps(&self, pass: &Pass) -> bool {
        match (&self.pass, pass) {
            (Pass::Place(a, _), Pass::Place(b, _)) => {
                a.root == b.root && a.path.iter().zip(&b.path).all(|(step, other)| step == other)
            }
            _ => false,
        }
    }
}

/// How an argument is written.
#[derive(Debug)]
pub enum Pass {
    /// A parameter of the caller, or a part of it, with its structure.
    Place(Access, Layout),
    /// What is put together for the call.
    Built(Layout),
    /// One leaf: a number, an array or a tensor.
    Leaf(Form),
    /// A part of an array: the array, `indices` of the first axes; of a sub-slice also where it begins, if `start`, and
    /// its length.
    View { indices: usize, start: bool, ranged: bool },
    /// Tokens that carry no derivative, with holes for the leaves.
    Tokens(TokenStream),
}

impl PartialEq for Target {
    fn eq(&self, other: &Target) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Target {
    /// The positions of the equation's arguments that both the callee and the caller are differentiated by.
    pub fn active_args(&self) -> impl Iterator<Item = usize> + '_ {
        let mut start = 0;
        self.args.iter().flat_map(move |arg| {
            let range = start..start + arg.leaves;
            start = range.end;
            // After a view's array come the indices that say what it looks at.
            let last = if let Pass::View { .. } = arg.pass { range.start + 1 } else { range.end };
            (range.start..last).filter(|_| arg.active && !arg.constant)
        })
    }

    /// How many of an equation's arguments are the callee's own.
    pub fn own_args(&self) -> usize {
        self.args.iter().map(|arg| arg.leaves).sum()
    }

    /// The positions of what the callee changes.
    pub fn changed_args(&self) -> Vec<usize> {
        let mut start = 0;
        let mut changed = Vec::new();
        for arg in &self.args {
            if arg.mutable {
                let count = if let Pass::View { .. } = arg.pass { 1 } else { arg.leaves };
                changed.extend(start..start + count);
            }
            start += arg.leaves;
        }
        changed
    }

    /// Those of the arguments that are still what they were after the call.
    pub fn unchanged_args(&self, args: &[Var]) -> Vec<Var> {
        let changed = self.changed_args();
        let own = args.iter().enumerate().filter(|(k, _)| !changed.contains(k));
        own.map(|(_, arg)| *arg).collect()
    }

    /// Those of a call's results that have tangents: of what is returned, and of what is changed.
    pub fn with_tangents(&self, returned: &[Var], changed: &[Var], b: &Builder) -> Vec<Var> {
        let floats = returned.iter().copied().filter(|out| b.ty(*out).is_float());
        floats.chain(self.moved(changed)).collect()
    }

    /// What is left of the differentiable arguments that the callee changes.
    pub fn moved<'a>(&self, changed: &'a [Var]) -> impl Iterator<Item = Var> + use<'a> {
        let active: Vec<usize> = self.active_args().collect();
        let pairs = self.changed_args().into_iter().zip(changed);
        pairs.filter(move |(at, _)| active.contains(at)).map(|(_, out)| *out)
    }

    /// How many results the callee has, number by number and array by array.
    pub fn count_results(&self) -> usize {
        self.results.types().len()
    }

    /// How many of them carry a derivative.
    pub fn float_count(&self) -> usize {
        self.results.types().iter().filter(|ty| ty.is_float()).count()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type that the callee's forward sweep hands to its reverse sweep.
    pub fn data_type(&self) -> String {
        let (path, generics) = (&self.path, &self.generics);
        quote!(#path #generics).to_string()
    }
}
