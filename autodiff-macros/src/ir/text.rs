//! The text form: prints, and parses back.
//!
//! ```text
//! fn sum(%0.x: f64[N], mut %1.x_bar: f64[N]) {
//!     %2: f64 = const 0.0
//!     %3: f64 = for 0..N %2 |%4: usize, %5: f64| {
//!         %6: f64 = get %0.x %4
//!         %7: f64 = add %5 %6
//!         yield %7
//!     }
//!     return %3 %1.x_bar
//! }
//! ```
//!
//! `mut` stands before a parameter that the body may update in place.

use super::dim::show;
use super::{Block, Body, EffectKind, Evaluation, IntOp, Op, Order, SavePolicy, Var};
use std::fmt::Write;

/// Prints a body. Variables are `%n`, with the user's name where there is one: `%3.h`.
pub fn print(body: &Body) -> String {
    let mut out = String::new();
    let owned = |param: &Var| if body.owned.contains(param) { "mut " } else { "" };
    let params: Vec<_> =
        body.block.params.iter().map(|param| format!("{}{}", owned(param), declare(body, *param))).collect();
    let _ = writeln!(out, "fn {}({}) {{", body.name, params.join(", "));
    print_block(body, &body.block, 1, &mut out);
    let _ = writeln!(out, "    return {}\n}}", names(body, &body.block.results));
    out
}

fn print_block(body: &Body, block: &Block, depth: usize, out: &mut String) {
    for eqn in &block.eqns {
        let outs: Vec<_> = eqn.outs.iter().map(|out| declare(body, *out)).collect();
        let pad = "    ".repeat(depth);
        // Zeros of the shape that their type has are written without one.
        let (op, args) = match &eqn.op {
            Op::Zero(_) if eqn.shape(&body.vars) == body.ty(eqn.outs[0]).dims => {
                ("zero".to_owned(), body.ty(eqn.outs[0]).size_vars())
            }
            op => (op_text(op), eqn.args.clone()),
        };
        let _ = write!(out, "{pad}{} = {op}", outs.join(", "));
        for arg in &args {
            let _ = write!(out, " {}", name(body, *arg));
        }
        for region in &eqn.regions {
            let params: Vec<_> = region.params.iter().map(|param| declare(body, *param)).collect();
            let _ = writeln!(out, " |{}| {{", params.join(", "));
            print_block(body, region, depth + 1, out);
            let _ = write!(out, "{pad}    yield {}\n{pad}}}", names(body, &region.results));
        }
        out.push('\n');
    }
}

fn name(body: &Body, var: Var) -> String {
    match body.vars.get(var.0 as usize).and_then(|data| data.hint.as_ref()) {
        Some(hint) => format!("%{}.{hint}", var.0),
        None => format!("%{}", var.0),
    }
}

fn names(body: &Body, vars: &[Var]) -> String {
    vars.iter().map(|var| name(body, *var)).collect::<Vec<_>>().join(" ")
}

fn declare(body: &Body, var: Var) -> String {
    let ty = body.vars.get(var.0 as usize).map_or_else(|| "?".to_owned(), |data| data.ty.to_string());
    format!("{}: {ty}", name(body, var))
}

fn keep_text(keep: &SavePolicy) -> String {
    match keep {
        SavePolicy::All => String::new(),
        SavePolicy::AtMost(limit) => format!("[at most {limit}]"),
        SavePolicy::Snapshots(snapshots) => format!("[snapshots {snapshots}]"),
    }
}

/// An operation with its attributes: `const 2`, `sum[0, keep]`, `for 0..N`.
pub fn op_text(op: &Op) -> String {
    match op {
        Op::Const(value) => format!("const {value:?}"),
        Op::Dim(dim) => format!("dim[{dim}]"),
        Op::Opaque(opaque) => {
            let evaluation = match opaque.evaluation {
                Evaluation::Pure => "",
                Evaluation::Once => " once",
                Evaluation::Saved => " saved",
            };
            format!("opaque{evaluation}{}[{}]", if opaque.is_call { " call" } else { "" }, opaque.tokens)
        }
        Op::Effect(effect) if effect.kind == EffectKind::Checks => {
            format!("check[{}]", effect.tokens.to_string().replace('\n', " "))
        }
        Op::Effect(effect) => format!("effect[{}]", effect.tokens),
        Op::Zero(None) => "zero".into(),
        Op::Zero(Some(shape)) => format!("zero{}", show(shape).replace('%', "#")),
        Op::ZeroLike => "zero_like".into(),
        Op::Len => "len".into(),
        Op::Push => "push".into(),
        Op::Map(row) => row.name.into(),
        Op::Cast => "cast".into(),
        Op::Int(op) => match op {
            IntOp::Add => "iadd",
            IntOp::Sub => "isub",
            IntOp::Mul => "imul",
            IntOp::Div => "idiv",
            IntOp::Rem => "irem",
            IntOp::Min => "imin",
            IntOp::Max => "imax",
            IntOp::And => "iand",
            IntOp::Or => "ior",
            IntOp::Xor => "ixor",
            IntOp::Shl => "ishl",
            IntOp::Shr => "ishr",
            IntOp::NextSnapshot => "next_snapshot",
        }
        .into(),
        Op::Pack => "pack".into(),
        Op::Get => "get".into(),
        Op::Set => "set".into(),
        Op::Acc => "acc".into(),
        Op::Tensor(op) => op.text(),
        Op::Into(op) => format!("into {}", op.text()),
        Op::Put(op) => format!("put {}", op.text()),
        Op::Copy => "copy".into(),
        Op::For { lo, hi, reverse, keep, order } => {
            let order = match order {
                Order::Ordered => "",
                Order::Reduce => " reduce",
                Order::Independent => " independent",
            };
            format!("for{} {lo}..{hi}{}{order}", keep_text(keep), if *reverse { " rev" } else { "" })
        }
        Op::While { keep } => format!("while{}", keep_text(keep)),
        Op::If => "if".into(),
        Op::Call(call) => call.text(),
    }
}

#[cfg(test)]
mod canonical;
mod parser;
#[cfg(test)]
pub use canonical::{canonical, parse};
#[cfg(test)]
pub use parser::parse_ty;
pub use parser::{Find, parse_with};
