//! Methods of iterators, by what they give.

use super::Inference;
use super::types::{Id, Shape};
use syn::{Expr, ExprMethodCall};

impl Inference<'_> {
    /// What a loop over a value gives.
    pub fn item_of(&mut self, ty: Id) -> Id {
        match self.types.shape(ty) {
            Shape::Seq(item) | Shape::Iter(item) | Shape::Option(item) => item,
            _ => {
                self.types.doubt(ty);
                self.types.unknown()
            }
        }
    }

    pub fn iterator_method(
        &mut self,
        name: &str,
        receiver: Id,
        item: Id,
        args: &[&Expr],
        call: &ExprMethodCall,
    ) -> Option<Id> {
        let usize = self.types.usize();
        Some(match (name, args) {
            ("iter" | "into_iter" | "rev" | "copied" | "cloned" | "by_ref" | "peekable" | "fuse" | "cycle", []) => {
                receiver
            }
            ("skip" | "take" | "step_by", [count]) => {
                self.in_place(count, usize);
                receiver
            }
            ("filter" | "skip_while" | "take_while" | "inspect", [function]) => {
                self.given(function, &[item]);
                receiver
            }
            ("chain", [other]) => {
                let other = self.expr(other);
                let other = self.item_of(other);
                self.types.unify(item, other);
                receiver
            }
            ("enumerate", []) => {
                let pair = self.types.of(Shape::Tuple(vec![usize, item]));
                self.types.of(Shape::Iter(pair))
            }
            ("zip", [other]) => {
                let other = self.expr(other);
                let other = self.item_of(other);
                let pair = self.types.of(Shape::Tuple(vec![item, other]));
                self.types.of(Shape::Iter(pair))
            }
            ("map", [function]) => {
                let value = self.given(function, &[item]);
                self.types.of(Shape::Iter(value))
            }
            ("flat_map", [function]) => {
                let value = self.given(function, &[item]);
                let item = self.item_of(value);
                self.types.of(Shape::Iter(item))
            }
            ("flatten", []) => {
                let item = self.item_of(item);
                self.types.of(Shape::Iter(item))
            }
            ("filter_map" | "map_while", [function]) => {
                let value = self.given(function, &[item]);
                let inner = self.types.open();
                let option = self.types.of(Shape::Option(inner));
                self.types.unify(option, value);
                self.types.of(Shape::Iter(inner))
            }
            ("find_map", [function]) => self.given(function, &[item]),
            ("scan", [state, function]) => {
                let state = self.expr(state);
                let value = self.given(function, &[state, item]);
                let inner = self.types.open();
                let option = self.types.of(Shape::Option(inner));
                self.types.unify(option, value);
                self.types.of(Shape::Iter(inner))
            }
            ("fold", [state, function]) => {
                let state = self.expr(state);
                let value = self.given(function, &[state, item]);
                self.types.unify(state, value);
                state
            }
            ("try_fold", [state, function]) => {
                let state = self.expr(state);
                self.given(function, &[state, item])
            }
            ("for_each", [function]) => {
                self.given(function, &[item]);
                self.types.plain()
            }
            ("all" | "any", [function]) => {
                self.given(function, &[item]);
                self.types.plain()
            }
            ("position" | "rposition", [function]) => {
                self.given(function, &[item]);
                self.types.of(Shape::Option(usize))
            }
            ("find", [function]) => {
                self.given(function, &[item]);
                self.types.of(Shape::Option(item))
            }
            ("reduce", [function]) => {
                let value = self.given(function, &[item, item]);
                self.types.unify(value, item);
                self.types.of(Shape::Option(item))
            }
            ("max_by" | "min_by", [function]) => {
                self.given(function, &[item, item]);
                self.types.of(Shape::Option(item))
            }
            ("max_by_key" | "min_by_key", [function]) => {
                self.given(function, &[item]);
                self.types.of(Shape::Option(item))
            }
            ("max" | "min" | "last" | "next" | "next_back" | "peek", []) => self.types.of(Shape::Option(item)),
            ("nth" | "nth_back", [at]) => {
                self.in_place(at, usize);
                self.types.of(Shape::Option(item))
            }
            ("count" | "len", []) => usize,
            ("collect" | "sum" | "product", []) => self.made(item, call),
            ("unzip", []) => {
                let Shape::Tuple(parts) = self.types.shape(item) else { return None };
                let lists = parts.into_iter().map(|part| self.types.of(Shape::Seq(part))).collect();
                self.types.of(Shape::Tuple(lists))
            }
            ("partition", [function]) => {
                self.given(function, &[item]);
                let list = self.types.of(Shape::Seq(item));
                self.types.of(Shape::Tuple(vec![list, list]))
            }
            ("contains", [value]) => {
                let value = self.expr(value);
                self.types.unify(value, item);
                self.types.plain()
            }
            ("is_empty", []) => self.types.plain(),
            ("remainder", []) => item,
            ("eq" | "ne" | "lt" | "gt", [other]) => {
                let other = self.expr(other);
                let other = self.item_of(other);
                self.types.unify(item, other);
                self.types.plain()
            }
            _ => return None,
        })
    }
}
