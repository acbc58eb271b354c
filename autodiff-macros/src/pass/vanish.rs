//! What a vanishing number is a factor of is zero.
//!
//! ```text
//! d = vanishing(x)                     d = zero
//! p = mul(q, d)                        p = zero
//! y = add(c, p)                        y = add(c, p)      which is c: `simplify` says so
//! ```
//!
//! The change of a rotation has the value zero, see Note [Changes of rotations] in `parse/geometry.rs`. What is computed of
//! it is there for the sake of its derivatives. When these have been taken, nothing of it is left. A zero of the user's is
//! another thing, since times infinity it is not zero: only what is made of `vanishing` counts.

use crate::ir::{Block, Body, Op, VarSet};
use crate::op::elementwise as rows;

pub fn run(mut body: Body) -> Body {
    let mut vanished = VarSet::default();
    block(&mut body.block, &mut vanished);
    body
}

fn block(block: &mut Block, vanished: &mut VarSet) {
    for eqn in &mut block.eqns {
        let is = |k: usize| eqn.args.get(k).is_some_and(|arg| vanished.contains(*arg));
        let vanishes = match &eqn.op {
            Op::Map(row) if std::ptr::eq(*row, &rows::vanishing) => true,
            Op::Map(row) if std::ptr::eq(*row, &rows::mul) => is(0) || is(1),
            Op::Map(row) if std::ptr::eq(*row, &rows::add) || std::ptr::eq(*row, &rows::sub) => is(0) && is(1),
            Op::Map(row) if std::ptr::eq(*row, &rows::neg) || std::ptr::eq(*row, &rows::stop_gradient) => is(0),
            Op::Map(row) if std::ptr::eq(*row, &rows::div) => is(0),
            Op::Get => is(0),
            Op::Pack => !eqn.args.is_empty() && (0..eqn.args.len()).all(is),
            _ => false,
        };
        if vanishes {
            // Sizes that are known at run time only are arguments of zeros: changes have none.
            eqn.op = Op::Zero;
            eqn.args.clear();
            vanished.extend(&eqn.outs);
        }
        for region in &mut eqn.regions {
            self::block(region, vanished);
        }
    }
}
