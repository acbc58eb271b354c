//! Adapters of iterators whose elements cannot be had by their number: they are pushed, see Note [Iterators] in `drive.rs`.

use super::Desugar;
use super::build::At;
use super::drive::{Item, Sink, is_finite, shared};
use super::indexed::Indexed;
use super::iter::Iter;
use syn::{Expr, Lifetime, Stmt, Token};

impl Desugar<'_> {
    /// A loop for each of both iterators; what is done with an element is written twice.
    pub(super) fn one_after_the_other(
        &mut self,
        left: Iter,
        right: Iter,
        label: Option<Lifetime>,
        at: At,
        sink: Sink<'_>,
    ) -> Vec<Stmt> {
        if !is_finite(&left) {
            return self.out_of_reach("`chain` of an iterator without an end", at);
        }
        let item = self.names.fresh("item", at.0);
        let body = sink(self, Item::Value(at.path(&item)));
        let mut stmts = Vec::new();
        for iter in [left, right] {
            let (name, body) = (item.clone(), body.clone());
            let each: Sink<'_> =
                Box::new(move |_, item| std::iter::once(at.define(&name, false, item.expr(at))).chain(body).collect());
            stmts.extend(self.drive(iter, None, None, at, each));
        }
        // Who leaves the loop leaves both.
        if label.is_some() { vec![at.statement(at.block(label, stmts))] } else { stmts }
    }

    /// Elements chosen by how many there have been before.
    pub(super) fn counted(
        &mut self,
        inner: Iter,
        label: Option<Lifetime>,
        at: At,
        sink: Sink<'_>,
        chosen: impl FnOnce(Expr) -> Expr,
    ) -> Vec<Stmt> {
        let seen = self.names.fresh("seen", at.0);
        let mut stmts = vec![at.define(&seen, true, at.count(0))];
        let cond = chosen(at.path(&seen));
        stmts.extend(self.drive(
            inner,
            label,
            None,
            at,
            shared(at, move |this, item, stmts| {
                let body = sink(this, item);
                stmts.push(at.statement(at.choose(cond, body, None)));
                stmts.push(at.increase(at.path(&seen), at.count(1)));
            }),
        ));
        stmts
    }

    pub(super) fn take_pushed(
        &mut self,
        inner: Iter,
        count: Expr,
        label: Option<Lifetime>,
        at: At,
        sink: Sink<'_>,
    ) -> Vec<Stmt> {
        let label = self.label_of_loop(label, at);
        let out = label.clone();
        let taken = self.names.fresh("taken", at.0);
        let any = at.lt(at.count(0), count.clone());
        let enough = at.binary(at.path(&taken), syn::BinOp::Eq(Token![==](at.0)), count);
        let name = taken.clone();
        let repeat = self.drive(
            inner,
            Some(label),
            None,
            at,
            Box::new(move |this, item| {
                let mut stmts = sink(this, item);
                stmts.push(at.increase(at.path(&taken), at.count(1)));
                stmts.push(at.leave_if(enough, out));
                stmts
            }),
        );
        vec![at.define(&name, true, at.count(0)), at.statement(at.choose(any, repeat, None))]
    }

    pub(super) fn zip_pushed(
        &mut self,
        left: Iter,
        right: Iter,
        label: Option<Lifetime>,
        at: At,
        sink: Sink<'_>,
    ) -> Vec<Stmt> {
        let label = self.label_of_loop(label, at);
        let out = label.clone();
        let place = self.names.fresh("place", at.0);
        let Indexed { len, get } = self.indexed(right, at);
        let name = place.clone();
        let mut stmts = vec![at.define(&name, true, at.count(0))];
        stmts.extend(self.drive(
            left,
            Some(label),
            None,
            at,
            shared(at, move |this, item, stmts| {
                if let Some(len) = len {
                    let full = at.binary(at.path(&place), syn::BinOp::Ge(Token![>=](at.0)), len);
                    stmts.push(at.leave_if(full, out));
                }
                let other = get(this, at.path(&place));
                let other = this.share(other, stmts, at);
                stmts.push(at.increase(at.path(&place), at.count(1)));
                stmts.extend(sink(this, Item::Tuple(vec![item, other])));
            }),
        ));
        stmts
    }
}
