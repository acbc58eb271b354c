//! What waits until more is known of a type.

use super::Inference;
use super::types::{Id, Shape};

/// What is decided once more is known of a type.
pub enum Pending {
    /// `left + right`
    Operator { left: Id, right: Id, result: Id },
    /// `items.collect()`, `items.sum()`: what comes of items, if it holds them or is like one.
    Made { result: Id, item: Id },
}

impl Inference<'_> {
    pub fn settle_last(&mut self) {
        if let Some(last) = self.pending.pop() {
            if let Some(last) = self.settle_one(last, false) {
                self.pending.push(last);
            }
        }
    }

    pub fn settle_pending(&mut self, is_end: bool) {
        loop {
            let before = self.pending.len();
            for pending in std::mem::take(&mut self.pending) {
                let left = self.settle_one(pending, false);
                self.pending.extend(left);
            }
            if self.pending.len() == before {
                break;
            }
        }
        if is_end {
            for pending in std::mem::take(&mut self.pending) {
                self.settle_one(pending, true);
            }
        }
    }

    /// Nothing, if it is settled.
    fn settle_one(&mut self, pending: Pending, is_end: bool) -> Option<Pending> {
        match pending {
            Pending::Operator { left, right, result } => self.operator(left, right, result, is_end),
            Pending::Made { result, item } => {
                match self.types.shape(result) {
                    Shape::Seq(elem) => self.types.unify(elem, item),
                    Shape::Integer | Shape::Is(_) => self.types.unify(result, item),
                    // A `Vec` in it, or nothing.
                    Shape::Option(inner) | Shape::Result(inner, _) => {
                        if let (Shape::Seq(elem), Shape::Option(item) | Shape::Result(item, _)) =
                            (self.types.shape(inner), self.types.shape(item))
                        {
                            self.types.unify(elem, item);
                        }
                    }
                    Shape::Float | Shape::Plain => {}
                    Shape::Open if !is_end => return Some(Pending::Made { result, item }),
                    _ => self.types.doubt(item),
                }
                None
            }
        }
    }

    fn operator(&mut self, left: Id, right: Id, result: Id, is_end: bool) -> Option<Pending> {
        match (self.types.shape(left), self.types.shape(right)) {
            (Shape::Integer | Shape::Is(_), Shape::Integer | Shape::Is(_)) => {
                self.types.unify(left, right);
                self.types.unify(result, left);
            }
            (Shape::Float, Shape::Float) => self.types.unify(result, left),
            // Of one's own type, with operators that mostly give the same.
            (Shape::Named(..), Shape::Named(..) | Shape::Float) => {
                self.types.unify(result, left);
                self.types.note_inferred(result);
            }
            (Shape::Float, Shape::Named(..)) => {
                self.types.unify(result, right);
                self.types.note_inferred(result);
            }
            (Shape::Named(..), Shape::Integer | Shape::Is(_)) => {
                self.types.doubt(right);
                self.types.unify(result, left);
            }
            (Shape::Integer | Shape::Is(_), Shape::Named(..)) => {
                self.types.doubt(left);
                self.types.unify(result, right);
            }
            (Shape::Open, _) | (_, Shape::Open) if !is_end => return Some(Pending::Operator { left, right, result }),
            // Most likely they are of one type.
            (Shape::Open, _) | (_, Shape::Open) => {
                self.types.doubt(left);
                self.types.doubt(right);
                self.types.unify(left, right);
                self.types.unify(result, left);
                self.types.note_inferred(result);
            }
            _ => {
                self.types.doubt(left);
                self.types.doubt(right);
                self.types.doubt(result);
            }
        }
        None
    }
}
