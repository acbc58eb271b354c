//! What tells one computation from another, as a key of tables: equal keys are equal values.

use super::dim::Dim;
use super::var::VarHasher;
use super::{Elem, IntOp, Op, Ty};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

/// An operation without its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpKey {
    Const(u64),
    Dim(Dim),
    /// Tokens, as text.
    Opaque(Rc<str>, bool),
    Zero(Option<Rc<[Dim]>>),
    ZeroLike,
    Len,
    Push,
    /// A row of the element-wise table, by its place in memory.
    Row(usize),
    Cast,
    Int(IntOp),
    Pack,
    Get,
    Set,
    Acc,
    /// An operator on arrays, by its text.
    Tensor(Rc<str>),
    Into(Rc<str>),
    /// What another function computes, by what says that another one is the same.
    Call(Rc<str>),
}

impl OpKey {
    /// The key of an operation that has no regions, makes no copy, and is no black box and no effect.
    pub fn of(op: &Op) -> Option<OpKey> {
        Some(match op {
            Op::Const(value) => OpKey::Const(value.to_bits()),
            Op::Dim(dim) => OpKey::Dim(dim.clone()),
            Op::Opaque(opaque) => OpKey::Opaque(opaque.tokens.to_string().into(), opaque.is_call),
            Op::Zero(shape) => OpKey::Zero(shape.clone()),
            Op::ZeroLike => OpKey::ZeroLike,
            Op::Len => OpKey::Len,
            Op::Push => OpKey::Push,
            Op::Map(row) => OpKey::Row(std::ptr::from_ref(*row).addr()),
            Op::Cast => OpKey::Cast,
            Op::Int(op) => OpKey::Int(*op),
            Op::Pack => OpKey::Pack,
            Op::Get => OpKey::Get,
            Op::Set => OpKey::Set,
            Op::Acc => OpKey::Acc,
            Op::Tensor(op) => OpKey::Tensor(op.text().into()),
            Op::Into(op) => OpKey::Into(op.text().into()),
            _ => return None,
        })
    }

    /// Not all of it, but what tells most of them apart.
    fn number(&self) -> u64 {
        match self {
            OpKey::Const(bits) => *bits,
            OpKey::Dim(dim) => dim.as_literal().map_or(1, i64::cast_unsigned),
            OpKey::Row(at) => *at as u64,
            OpKey::Int(op) => 20 + *op as u64,
            OpKey::Opaque(text, _) | OpKey::Tensor(text) | OpKey::Into(text) | OpKey::Call(text) => text.len() as u64,
            OpKey::Zero(_) => 2,
            OpKey::ZeroLike => 3,
            OpKey::Len => 4,
            OpKey::Push => 5,
            OpKey::Cast => 6,
            OpKey::Pack => 7,
            OpKey::Get => 8,
            OpKey::Set => 9,
            OpKey::Acc => 10,
        }
    }
}

/// A computation: an operation on arguments, which are given by numbers, that has a result of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    pub op: OpKey,
    pub args: Vec<u32>,
    pub elem: Elem,
    pub dims: Vec<Dim>,
}

impl Key {
    pub fn new(op: OpKey, args: Vec<u32>, ty: &Ty) -> Key {
        Key { op, args, elem: ty.elem.clone(), dims: ty.dims.clone() }
    }
}

/// The type is left to the comparison: it seldom decides.
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.op.number());
        for arg in &self.args {
            state.write_u32(*arg);
        }
    }
}

pub type KeyTable<T> = HashMap<Key, T, BuildHasherDefault<VarHasher>>;
