//! Parses the text form. Variables may also have names only: `%x` for `%0.x`.

use crate::ir::call::{CallArg, Origin, Part, Passed};
use crate::ir::dim::Dim;
use crate::ir::interface::Order as Differentiability;
use crate::ir::{
    Block, Body, Call, CallKind, Callee, Effect, EffectKind, Elem, Eqn, Evaluation, IntOp, Op, Opaque, Order,
    SavePolicy, Ty, Var, VarData,
};
use proc_macro2::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// An operator of the table, by its text.
pub type Find = fn(&str) -> Option<Op>;

/// Parses what [`print`](super::print) prints.
pub fn parse_with(text: &str, find: Find) -> Result<Body, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut parser = Parser { lines, at: 0, vars: HashMap::new(), body: Body::default(), find };
    let header = parser.next()?;
    let (name, rest) = header.strip_prefix("fn ").and_then(|rest| rest.split_once('(')).ok_or("no header")?;
    parser.body.name = name.into();
    let mut params = Vec::new();
    for part in split_top(rest.strip_suffix(") {").ok_or("header without body")?) {
        let (owned, part) = part.trim().strip_prefix("mut ").map_or((false, part), |part| (true, part));
        let param = parser.declaration(part)?;
        params.push(param);
        if owned {
            parser.body.owned.push(param);
        }
    }
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
    find: Find,
}

impl<'t> Parser<'t> {
    fn next(&mut self) -> Result<&'t str, String> {
        self.at += 1;
        self.lines.get(self.at - 1).copied().ok_or_else(|| "unexpected end".to_owned())
    }

    fn declarations(&mut self, text: &str) -> Result<Vec<Var>, String> {
        split_top(text).into_iter().map(|part| self.declaration(part)).collect()
    }

    /// `%3.h: f64[2, N]`. The number is kept, so that printing gives the same text again.
    fn declaration(&mut self, text: &str) -> Result<Var, String> {
        let (name, ty) = text.trim().split_once(": ").ok_or_else(|| format!("no type in `{text}`"))?;
        let bare = name.strip_prefix('%').ok_or_else(|| format!("`{name}` is no variable"))?;
        let (number, hint) = match bare.split_once('.') {
            Some((number, hint)) => (number, Some(hint)),
            None => (bare, None),
        };
        let ty = parse_ty(ty)?;
        let (var, hint) = match number.parse() {
            Ok(number) => (Var(number), hint),
            Err(_) if self.vars.contains_key(name) => return Err(format!("`{name}` is declared twice")),
            Err(_) => (Var(u32::try_from(self.body.vars.len()).map_err(|_| "too many variables")?), Some(bare)),
        };
        let data = VarData { ty, hint: hint.map(Rc::from) };
        let index = var.0 as usize;
        while self.body.vars.len() <= index {
            self.body.vars.push(VarData { hint: None, ..data.clone() });
        }
        self.body.vars[index] = data;
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
        let (outs, rest) = match line.strip_prefix("= ") {
            Some(rest) => ("", rest),
            None => line.split_once(" = ").ok_or_else(|| format!("no `=` in `{line}`"))?,
        };
        // The tokens of an opaque expression may look like anything.
        let op_end = match rest {
            tokens if ["opaque", "effect", "check[", "dim[", "zero["].iter().any(|op| tokens.starts_with(op)) => {
                closing(rest, ['[', ']']).ok_or("unclosed `[`")?
            }
            call if call.starts_with("call[") => {
                let callee = closing(rest, ['[', ']']).ok_or("unclosed `[`")?;
                callee + closing(&rest[callee..], ['(', ')']).ok_or("unclosed `(`")?
            }
            // Nor are the variables of a range arguments.
            range if range.starts_with("for") => rest.find("..").map_or(0, |at| at + 2),
            _ => 0,
        };
        let opening = rest[op_end..].find(" |").map(|at| at + op_end);
        let (head, mut opened) = match opening {
            Some(at) => (&rest[..at], Some(rest[at + 2..].to_owned())),
            None => (rest, None),
        };
        // What follows an operator belongs to a size.
        let is_arg = |at: &usize| !head[..*at].ends_with(['+', '-', '*']);
        let args_at = head.match_indices(" %").map(|(at, _)| at).filter(|at| *at >= op_end).find(is_arg);
        let args_at = args_at.unwrap_or(head.len());
        let args = self.uses(&head[args_at..])?;
        let op = parse_op(head[..args_at].trim(), self.find)?;
        let mut regions = Vec::new();
        while let Some(params) = opened.take() {
            let params = params.strip_suffix("| {").ok_or("region without body")?.to_owned();
            let params = self.declarations(&params)?;
            let mut region = self.block("yield")?;
            region.params = params;
            regions.push(region);
            let closing = self.lines.get(self.at - 1).ok_or("unclosed region")?;
            opened = closing.strip_prefix("} |").map(str::to_owned);
        }
        let outs = self.declarations(outs)?;
        // Without a shape of their own, zeros have that of their type.
        let (op, args) = match (&op, &outs[..]) {
            (Op::Zero(None), [out]) => Op::zeros(self.body.ty(*out)),
            _ => (op, args),
        };
        Ok(Eqn { outs, op, args, regions, span: Span::call_site() })
    }
}

/// The end of the first bracketed part.
fn closing(text: &str, [open, close]: [char; 2]) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            c if c == open => depth += 1,
            c if c == close && depth == 1 => return Some(at + 1),
            c if c == close => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits at the commas outside brackets.
fn split_top(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (k, c) in text.char_indices() {
        match c {
            '[' | '(' | '<' => depth += 1,
            ']' | ')' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..k]);
                start = k + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

/// A type: `f64[2, N]`.
pub fn parse_ty(text: &str) -> Result<Ty, String> {
    if let Some((owner, dims)) = text.strip_prefix("residuals<").and_then(|rest| rest.rsplit_once('>')) {
        let dims = dims.strip_prefix('[').and_then(|dims| dims.strip_suffix(']')).unwrap_or_default();
        let dims = split_top(dims).into_iter().map(|dim| Dim::parse(dim.trim())).collect();
        return Ok(Ty { elem: Elem::Data(owner.into()), dims });
    }
    let (elem, dims) = match text.split_once('[') {
        Some((elem, dims)) => {
            let dims = dims.strip_suffix(']').ok_or("unclosed shape")?;
            (elem, split_top(dims).into_iter().map(|dim| Dim::parse(dim.trim())).collect())
        }
        None => (text, Vec::new()),
    };
    let elem = match elem {
        "f32" => Elem::F32,
        "f64" => Elem::F64,
        "bool" => Elem::Bool,
        "usize" | "u8" | "u16" | "u32" | "u64" | "isize" | "i8" | "i16" | "i32" | "i64" => Elem::Int(Rc::from(elem)),
        other => Elem::Real(Rc::from(other)),
    };
    Ok(Ty { elem, dims })
}

/// `call[f jvp](diff, const) -> f64`
fn parse_call(text: &str) -> Result<Call, String> {
    let end = closing(text, ['[', ']']).ok_or("unclosed `[`")?;
    let (head, rest) = (&text["call[".len()..end - 1], &text[end..]);
    let (given, results) = rest.split_once(" -> ").unwrap_or((rest, ""));
    let (head, of) = head.split_once(" of ").map_or((head, None), |(head, of)| (head, Some(of)));
    let (is_self, head) = head.strip_prefix("self ").map_or((false, head), |head| (true, head));
    let (recursive, head) = head.strip_prefix("recursive ").map_or((is_self, head), |head| (true, head));
    let (once, head) = head.strip_prefix("once ").map_or((false, head), |head| (true, head));
    let (name, kind) = head.split_once(' ').unwrap_or((head, ""));
    let kind = match kind {
        "" => CallKind::Value,
        "forward" => CallKind::Forward,
        "reverse" => CallKind::Reverse,
        "joint" => CallKind::Joint,
        "gradient" => CallKind::Gradient,
        "jvp" => CallKind::Tangent(1),
        "joint jvp" => CallKind::JointTangent(1),
        "jvp jvp" => CallKind::Tangent(2),
        "joint jvp jvp" => CallKind::JointTangent(2),
        "jvp jvp jvp" => CallKind::Tangent(3),
        "taylor" => CallKind::Taylor,
        "jacobian" => CallKind::Jacobian,
        other => return Err(format!("unknown call `{other}`")),
    };
    let mut args: Vec<CallArg> = Vec::new();
    let inside = given.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or("no arguments")?;
    for arg in split_top(inside) {
        let start = args.last().map_or(0, |arg| arg.operands.end);
        args.push(parse_call_arg(arg.trim(), start)?);
    }
    let ty: Rc<str> = of.unwrap_or(name).into();
    // What is a size stands in braces, or is a number.
    let is_size = |arg: &str| arg.starts_with(|first: char| first == '{' || first.is_ascii_digit());
    let size = |arg: &str| is_size(arg).then(|| Dim::parse(arg.trim_matches(['{', '}', ' '])));
    let generics = ty.split_once('<').map_or("", |(_, generics)| generics.trim_end().trim_end_matches('>'));
    let sizes = split_top(generics).into_iter().map(|arg| size(arg.trim())).collect();
    let results: Vec<Ty> = split_top(results).into_iter().map(|ty| parse_ty(ty.trim())).collect::<Result<_, _>>()?;
    let (name, key, order) = (name.to_owned(), ty.clone(), Differentiability::Second);
    let is_number = matches!(&results[..], [ty] if ty.is_float() && ty.is_scalar());
    let callee = Callee {
        name,
        ty,
        key,
        site: 0,
        is_self,
        recursive,
        once,
        origin: Origin::Body,
        order,
        has_taylor: true,
        has_gradient: is_number && !args.iter().any(|arg| arg.mutable),
        sizes,
        args,
        results,
    };
    Ok(Call::new(Rc::new(callee), kind))
}

/// `mut diff part(1, len)`, `const *2`
fn parse_call_arg(text: &str, start: usize) -> Result<CallArg, String> {
    let (mutable, text) = text.strip_prefix("mut ").map_or((false, text), |text| (true, text));
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (active, constant) = match kind {
        "diff" => (true, false),
        "const" => (true, true),
        "plain" => (false, false),
        other => return Err(format!("unknown argument `{other}`")),
    };
    let (rest, tokens) = rest.split_once("opaque[").map_or((rest, None), |(rest, tokens)| (rest, Some(tokens)));
    let number = |text: &str| text.parse::<usize>().map_err(|error| format!("`{text}`: {error}"));
    let (count, passed) = match (rest.trim(), tokens) {
        (part, None) if part.starts_with("part(") => {
            let given: Vec<&str> = part["part(".len()..].trim_end_matches(')').split(", ").collect();
            let (start, ranged) = (given.contains(&"start"), given.contains(&"len"));
            let part = Part { indices: number(given[0])?, start, ranged };
            (1 + part.indices + usize::from(start) + usize::from(ranged), Passed::Part(part))
        }
        ("slice", None) => (1, Passed::Whole),
        (rest, tokens) => {
            let count = rest.strip_prefix('*').map_or(Ok(1), number)?;
            let tokens = tokens.and_then(|tokens| tokens.strip_suffix(']')).map(str::parse).transpose();
            let tokens = tokens.map_err(|error| format!("{error}"))?;
            (count, tokens.map_or(Passed::Whole, Passed::Opaque))
        }
    };
    let slice = rest.trim() == "slice";
    Ok(CallArg { operands: start..start + count, passed, active, constant, mutable, in_lanes: !mutable, slice })
}

fn parse_op(text: &str, find: Find) -> Result<Op, String> {
    if text.starts_with("call[") {
        return parse_call(text).map(Op::Call);
    }
    if let Some(value) = text.strip_prefix("const ") {
        return value.parse().map(Op::Const).map_err(|error| format!("{error}"));
    }
    let bracketed = |prefix: &str| text.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(']'));
    if let Some(shape) = bracketed("zero[") {
        let dims = shape.replace('#', "%");
        return Ok(Op::Zero(Some(dims.split(", ").map(Dim::parse).collect())));
    }
    if let Some(dim) = bracketed("dim[") {
        return Ok(Op::Dim(Dim::parse(dim)));
    }
    for (evaluation, said) in [(Evaluation::Pure, ""), (Evaluation::Once, " once"), (Evaluation::Saved, " saved")] {
        for (is_call, call) in [(false, ""), (true, " call")] {
            if let Some(tokens) = bracketed(&format!("opaque{said}{call}[")) {
                let tokens = tokens.parse().map_err(|error| format!("{error}"))?;
                return Ok(Op::Opaque(Rc::new(Opaque { tokens, is_call, evaluation })));
            }
        }
    }
    for (prefix, kind) in [("effect[", EffectKind::Panics), ("check[", EffectKind::Checks)] {
        if let Some(tokens) = bracketed(prefix) {
            let tokens = tokens.parse().map_err(|error| format!("{error}"))?;
            return Ok(Op::Effect(Rc::new(Effect { tokens, kind })));
        }
    }
    let (text, keep) = parse_keep(text);
    let text = &*text;
    if let Some(range) = text.strip_prefix("for ") {
        let orders = [(" reduce", Order::Reduce), (" independent", Order::Independent)];
        let said = orders.iter().find_map(|(said, order)| Some((range.strip_suffix(said)?, *order)));
        let (range, order) = said.unwrap_or((range, Order::Ordered));
        let (range, reverse) = range.strip_suffix(" rev").map_or((range, false), |range| (range, true));
        let (lo, hi) = range.split_once("..").ok_or("no range")?;
        return Ok(Op::For { lo: Dim::parse(lo), hi: Dim::parse(hi), reverse, keep, order });
    }
    let kernel = |op: &str| match find(op) {
        Some(Op::Tensor(kernel)) => Ok(kernel),
        _ => Err(format!("unknown kernel `{op}`")),
    };
    if let Some(op) = text.strip_prefix("put ") {
        return kernel(op).map(Op::Put);
    }
    if let Some(op) = text.strip_prefix("into ") {
        return kernel(op).map(Op::Into);
    }
    Ok(match text {
        "zero" => Op::Zero(None),
        "zero_like" => Op::ZeroLike,
        "push" => Op::Push,
        "cast" => Op::Cast,
        "iadd" => Op::Int(IntOp::Add),
        "isub" => Op::Int(IntOp::Sub),
        "imul" => Op::Int(IntOp::Mul),
        "idiv" => Op::Int(IntOp::Div),
        "irem" => Op::Int(IntOp::Rem),
        "imin" => Op::Int(IntOp::Min),
        "imax" => Op::Int(IntOp::Max),
        "iand" => Op::Int(IntOp::And),
        "ior" => Op::Int(IntOp::Or),
        "ixor" => Op::Int(IntOp::Xor),
        "ishl" => Op::Int(IntOp::Shl),
        "ishr" => Op::Int(IntOp::Shr),
        "pack" => Op::Pack,
        "len" => Op::Len,
        "get" => Op::Get,
        "set" => Op::Set,
        "acc" => Op::Acc,
        "copy" => Op::Copy,
        "next_snapshot" => Op::Int(IntOp::NextSnapshot),
        "while" => Op::While { keep },
        "if" => Op::If,
        _ => return find(text).ok_or_else(|| format!("unknown operator `{text}`")),
    })
}

/// What is said of a loop, `for[snapshots 3] 0..N`, and the text without it.
fn parse_keep(text: &str) -> (String, SavePolicy) {
    for (said, keep) in
        [("[at most ", SavePolicy::AtMost as fn(Dim) -> SavePolicy), ("[snapshots ", SavePolicy::Snapshots)]
    {
        let parts = text.split_once(said).and_then(|(head, rest)| Some((head, rest.split_once(']')?)));
        if let Some((head, (dim, tail))) = parts {
            return (format!("{head}{tail}"), keep(Dim::parse(dim)));
        }
    }
    (text.into(), SavePolicy::All)
}
