//! Types of IR values: an element and a shape. A scalar is the shape `[]`.

use super::Var;
use super::dim::{self, Dim};
use std::fmt;
use std::rc::Rc;

/// How many bytes of an array are on the stack; what is larger is on the heap, if there is one. (A thread of the standard
/// library has a stack of 2 MiB.) Of a size that only rustc knows, rustc decides.
pub const LARGEST_ON_STACK: i64 = 1 << 18;

/// How many lanes a wide number has, unless something else is asked for.
pub const WIDTH: i64 = 8;

/// The type of one element.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Elem {
    F32,
    F64,
    /// A type parameter bound by `Real`.
    Real(Rc<str>),
    /// As many of such numbers as there are directions: see [`crate::pass::widen`].
    Wide(Rc<Elem>),
    /// An integer type, by its name.
    Int(Rc<str>),
    Bool,
    /// The residuals of another function, by the type beside it: only calls of that function understand them.
    Data(Rc<str>),
    /// What a function without a derivative returns, whose type only rustc knows.
    Foreign,
}

impl Elem {
    pub fn is_float(&self) -> bool {
        matches!(self, Elem::F32 | Elem::F64 | Elem::Real(_) | Elem::Wide(_))
    }

    pub fn usize() -> Elem {
        Elem::Int(Rc::from("usize"))
    }
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Elem::F32 => f.write_str("f32"),
            Elem::F64 => f.write_str("f64"),
            Elem::Bool => f.write_str("bool"),
            Elem::Foreign => f.write_str("_"),
            Elem::Real(name) | Elem::Int(name) => f.write_str(name),
            Elem::Data(owner) => write!(f, "residuals<{owner}>"),
            Elem::Wide(elem) => write!(f, "wide {elem}"),
        }
    }
}

/// Element and shape. Prints as `f32[4, 3]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ty {
    pub elem: Elem,
    pub dims: Vec<Dim>,
}

impl Ty {
    pub fn scalar(elem: Elem) -> Ty {
        Ty { elem, dims: Vec::new() }
    }

    pub fn tensor(elem: Elem, dims: Vec<Dim>) -> Ty {
        Ty { elem, dims }
    }

    pub fn index() -> Ty {
        Ty::scalar(Elem::usize())
    }

    pub fn is_scalar(&self) -> bool {
        self.dims.is_empty()
    }

    pub fn is_float(&self) -> bool {
        self.elem.is_float()
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The type of what an array has at each of its first indices.
    pub fn row(&self) -> Ty {
        Ty::tensor(self.elem.clone(), self.dims.iter().skip(1).cloned().collect())
    }

    /// Whether a size is known at run time only.
    pub fn is_dynamic(&self) -> bool {
        self.dims.iter().any(Dim::is_dynamic)
    }

    pub fn is_ragged(&self) -> bool {
        self.dims.iter().any(Dim::is_ragged)
    }

    /// How large an array is, if it is known here.
    pub fn bytes(&self) -> Option<i64> {
        let each = match self.elem {
            Elem::F32 => 4,
            Elem::Wide(_) => 8 * WIDTH,
            _ => 8,
        };
        self.dims.iter().try_fold(each, |bytes: i64, dim| bytes.checked_mul(dim.as_literal()?))
    }

    /// Whether an array of constant size is more than the stack has room for, as far as is known here.
    pub fn may_be_large(&self) -> bool {
        !self.is_scalar() && !self.is_dynamic() && self.bytes().is_none_or(|bytes| bytes > LARGEST_ON_STACK)
    }

    /// The variables that the sizes are computed from, each once.
    pub fn size_vars(&self) -> Vec<Var> {
        let mut vars = Vec::new();
        for var in self.dims.iter().flat_map(Dim::vars) {
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
        vars
    }

    /// The same type, its sizes in other variables.
    pub fn rename(&mut self, f: &dyn Fn(Var) -> Var) {
        for dim in self.dims.iter_mut().filter(|dim| dim.is_dynamic()) {
            *dim = dim.rename(f);
        }
    }

    /// Whether a value of one type may be one of the other, as far as can be seen.
    /// The type in one lane.
    pub fn in_one_lane(&self) -> Ty {
        match &self.elem {
            Elem::Wide(elem) => self.with_elem((**elem).clone()),
            _ => self.clone(),
        }
    }

    pub fn fits(&self, other: &Ty) -> bool {
        self.elem == other.elem
            && self.rank() == other.rank()
            && self.dims.iter().zip(&other.dims).all(|(a, b)| a.fits(b))
    }

    /// The same shape with another element.
    pub fn with_elem(&self, elem: Elem) -> Ty {
        Ty { elem, dims: self.dims.clone() }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.elem)?;
        if self.dims.is_empty() { Ok(()) } else { f.write_str(&dim::show(&self.dims)) }
    }
}
