//! Activations of the form `x · g(x)` as the gate `g(x)` and the product, for the reverse sweep.
//!
//! ```text
//!                                       g = normal_cdf(x)
//! y = gelu(x)                           y = gelu_of(x, g)
//! ```
//!
//! The derivative has the gate as a summand, and the gate is what takes time to compute. As a value of its own it is saved for
//! the reverse sweep, or computed once where value and derivative stand in one loop.

use crate::ir::builder::Builder;
use crate::ir::{Block, Body, Op};
use crate::op::elementwise::gate;

pub fn run(body: Body) -> Body {
    let Body { name, vars, block, owned } = body;
    let mut b = Builder::with_vars(vars);
    let block = self::block(&mut b, block);
    Body { name, vars: b.vars, block, owned }
}

fn block(b: &mut Builder, block: Block) -> Block {
    let Block { params, eqns, results } = block;
    b.open_block();
    for mut eqn in eqns {
        eqn.regions = std::mem::take(&mut eqn.regions).into_iter().map(|region| self::block(b, region)).collect();
        b.span = Some(eqn.span);
        if let Op::Map(row) = eqn.op {
            if let Some((gate, product)) = gate(row) {
                let ty = b.ty(eqn.outs[0]).clone();
                let gate = b.push(Op::Map(gate), eqn.args.clone(), ty);
                eqn.op = Op::Map(product);
                eqn.args.push(gate);
            }
        }
        b.push_eqn(eqn);
    }
    b.close_block(params, results)
}

#[cfg(test)]
mod tests {
    use crate::ir::text::{canonical, parse};

    #[test]
    fn the_gate_is_a_value() {
        let body = |text: &str| parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        let before = "fn f(%x: f64[3]) {
            %y: f64[3] = gelu %x
            return %y
        }";
        let after = "fn f(%x: f64[3]) {
            %g: f64[3] = normal_cdf %x
            %y: f64[3] = gelu_of %x %g
            return %y
        }";
        assert_eq!(canonical(&super::run(body(before))), canonical(&body(after)));
    }
}
