//! The text form: prints, and (for tests) parses back.

use super::{Block, Body, CallKind, Eqn, IntOp, Op, Var};
use std::fmt::Write;

/// Prints a body. Variables are `%n`, with the user's name where there is one: `%3.h`.
pub fn print(body: &Body) -> String {
    let mut out = String::new();
    let params: Vec<_> = body.block.params.iter().map(|param| declare(body, *param)).collect();
    let _ = writeln!(out, "fn {}({}) {{", body.name, params.join(", "));
    print_block(body, &body.block, 1, &mut out);
    let _ = writeln!(out, "    return {}\n}}", names(body, &body.block.results));
    out
}

fn print_block(body: &Body, block: &Block, depth: usize, out: &mut String) {
    for eqn in &block.eqns {
        let outs: Vec<_> = eqn.outs.iter().map(|out| declare(body, *out)).collect();
        let pad = "    ".repeat(depth);
        let _ = write!(out, "{pad}{} = {}", outs.join(", "), op_text(&eqn.op));
        for arg in &eqn.args {
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

/// An operation with its attributes: `const 2`, `sum[0, keep]`, `for 0..N`.
pub fn op_text(op: &Op) -> String {
    match op {
        Op::Const(value) => format!("const {value:?}"),
        Op::Dim(dim) => format!("dim[{dim}]"),
        Op::Opaque(opaque) => format!("opaque[{}]", opaque.tokens),
        Op::Zero => "zero".into(),
        Op::Map(row) => row.name.into(),
        Op::Cast => "cast".into(),
        Op::Int(op) => match op {
            IntOp::Add => "iadd",
            IntOp::Sub => "isub",
            IntOp::Mul => "imul",
            IntOp::Div => "idiv",
            IntOp::Rem => "irem",
        }
        .into(),
        Op::Pack => "pack".into(),
        Op::Get => "get".into(),
        Op::Set => "set".into(),
        Op::Acc => "acc".into(),
        Op::Tensor(op) => op.text(),
        Op::Into(op) => format!("into {}", op.text()),
        Op::Copy => "copy".into(),
        Op::For { lo, hi, reverse } => format!("for {lo}..{hi}{}", if *reverse { " rev" } else { "" }),
        Op::While => "while".into(),
        Op::If => "if".into(),
        Op::Call(call) => {
            let kind = match call.kind {
                CallKind::Value => "",
                CallKind::Forward => " forward",
                CallKind::Reverse => " reverse",
                CallKind::Jvp => " jvp",
            };
            format!("call[{}{kind}]", call.target.name())
        }
    }
}

#[cfg(test)]
pub use parser::parse;

#[cfg(test)]
mod parser {
    use super::*;
    use crate::ir::dim::Dim;
    use crate::ir::{Elem, Ty, VarData};
    use proc_macro2::Span;
    use std::collections::HashMap;
    use std::rc::Rc;

    /// Parses what [`print`] prints.
    pub fn parse(text: &str) -> Result<Body, String> {
        let mut parser = Parser { lines: text.lines().map(str::trim).filter(|l| !l.is_empty()).collect(), at: 0, vars: HashMap::new(), body: Body::default() };
        let header = parser.next()?;
        let (name, rest) = header.strip_prefix("fn ").and_then(|rest| rest.split_once('(')).ok_or("no header")?;
        parser.body.name = name.into();
        let params = rest.strip_suffix(") {").ok_or("header without body")?;
        let params = parser.declarations(params)?;
        let mut block = parser.block("return")?;
        block.params = params;
        parser.body.block = block;
        Ok(parser.body)
    }

    struct Parser<'t> {
        lines: Vec<&'t str>,
        at: usize,
        vars: HashMap<String, Var>,
        body: Body,
    }

    impl<'t> Parser<'t> {
        fn next(&mut self) -> Result<&'t str, String> {
            self.at += 1;
            self.lines.get(self.at - 1).copied().ok_or_else(|| "unexpected end".to_owned())
        }

        fn declarations(&mut self, text: &str) -> Result<Vec<Var>, String> {
            split_top(text, ',').into_iter().map(|part| self.declaration(part)).collect()
        }

        fn declaration(&mut self, text: &str) -> Result<Var, String> {
            let (name, ty) = text.trim().split_once(": ").ok_or_else(|| format!("no type in `{text}`"))?;
            let hint = name.split_once('.').map(|(_, hint)| Rc::from(hint));
            let (elem, dims) = match ty.split_once('[') {
                Some((elem, dims)) => {
                    let dims = dims.strip_suffix(']').ok_or("unclosed shape")?;
                    (elem, dims.split(',').map(|dim| parse_dim(dim.trim())).collect())
                }
                None => (ty, Vec::new()),
            };
            let elem = match elem {
                "f32" => Elem::F32,
                "f64" => Elem::F64,
                "bool" => Elem::Bool,
                "usize" | "i32" => Elem::Int(Rc::from(elem)),
                other => Elem::Real(Rc::from(other)),
            };
            let var = Var(self.body.vars.len() as u32);
            self.body.vars.push(VarData { ty: Ty { elem, dims }, span: Span::call_site(), hint });
            self.vars.insert(name.into(), var);
            Ok(var)
        }

        fn uses(&self, text: &str) -> Result<Vec<Var>, String> {
            let find = |name: &str| self.vars.get(name).copied().ok_or_else(|| format!("unknown `{name}`"));
            text.split_whitespace().map(find).collect()
        }

        fn block(&mut self, end: &str) -> Result<Block, String> {
            let mut block = Block::default();
            loop {
                let line = self.next()?;
                if let Some(results) = line.strip_prefix(end) {
                    block.results = self.uses(results)?;
                    self.at += 1;
                    return Ok(block);
                }
                let eqn = self.eqn(line)?;
                block.eqns.push(eqn);
            }
        }

        fn eqn(&mut self, line: &str) -> Result<Eqn, String> {
            let (outs, rest) = line.split_once(" = ").ok_or_else(|| format!("no `=` in `{line}`"))?;
            let (mut head, mut opened) = match rest.split_once(" |") {
                Some((head, params)) => (head.to_owned(), Some(params.to_owned())),
                None => (rest.to_owned(), None),
            };
            let args_at = head.find(" %").unwrap_or(head.len());
            let args = self.uses(&head.split_off(args_at))?;
            let op = parse_op(head.trim())?;
            let mut regions = Vec::new();
            while let Some(params) = opened.take() {
                let params = params.strip_suffix("| {").ok_or("region without body")?.to_owned();
                let params = self.declarations(&params)?;
                let mut region = self.block("yield")?;
                region.params = params;
                regions.push(region);
                let closing = self.lines[self.at - 1];
                opened = closing.strip_prefix("} |").map(str::to_owned);
            }
            let outs = self.declarations(outs)?;
            Ok(Eqn { outs, op, args, regions, span: Span::call_site() })
        }
    }

    fn split_top(text: &str, at: char) -> Vec<&str> {
        let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
        for (k, c) in text.char_indices() {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                c if c == at && depth == 0 => {
                    parts.push(&text[start..k]);
                    start = k + 1;
                }
                _ => {}
            }
        }
        parts.push(&text[start..]);
        parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
    }

    /// A number, a name, or a name minus a number.
    fn parse_dim(text: &str) -> Dim {
        if let Ok(value) = text.parse() {
            return Dim::literal(value);
        }
        match text.split_once(" - ") {
            Some((name, offset)) => Dim::atom(name).minus(&Dim::literal(offset.parse().unwrap_or(0))),
            None => Dim::atom(text),
        }
    }

    fn parse_op(text: &str) -> Result<Op, String> {
        if let Some(value) = text.strip_prefix("const ") {
            return value.parse().map(Op::Const).map_err(|error| format!("{error}"));
        }
        if let Some(dim) = text.strip_prefix("dim[").and_then(|rest| rest.strip_suffix(']')) {
            return Ok(Op::Dim(parse_dim(dim)));
        }
        if let Some(range) = text.strip_prefix("for ") {
            let (range, reverse) = range.strip_suffix(" rev").map_or((range, false), |range| (range, true));
            let (lo, hi) = range.split_once("..").ok_or("no range")?;
            return Ok(Op::For { lo: parse_dim(lo), hi: parse_dim(hi), reverse });
        }
        if let Some(op) = text.strip_prefix("into ") {
            return crate::op::parse(op).map(Op::Into).ok_or_else(|| format!("unknown kernel `{op}`"));
        }
        Ok(match text {
            "zero" => Op::Zero,
            "cast" => Op::Cast,
            "iadd" => Op::Int(IntOp::Add),
            "isub" => Op::Int(IntOp::Sub),
            "imul" => Op::Int(IntOp::Mul),
            "idiv" => Op::Int(IntOp::Div),
            "irem" => Op::Int(IntOp::Rem),
            "pack" => Op::Pack,
            "get" => Op::Get,
            "set" => Op::Set,
            "acc" => Op::Acc,
            "copy" => Op::Copy,
            "while" => Op::While,
            "if" => Op::If,
            _ => match crate::op::elementwise::find(text) {
                Some(row) => Op::Map(row),
                None => Op::Tensor(crate::op::parse(text).ok_or_else(|| format!("unknown operator `{text}`"))?),
            },
        })
    }
}
