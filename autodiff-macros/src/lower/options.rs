//! The options of convolution and pooling.

use super::Lower;
use super::assign::unparen;
use super::value::Lowered;
use crate::diag::Error;
use crate::ir::Ty;
use crate::ir::dim::Dim;
use crate::op::Typed;
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Expr, Path};

impl Lower<'_> {
    /// `Conv2d { stride: [1, 1], … }`: every field is a size or a list of sizes.
    pub(super) fn options(&mut self, arg: &Expr, name: &str, fields: &[&str]) -> Lowered<Vec<Vec<Dim>>> {
        let example =
            format!("write `{name} {{ {}: … }}`, or some of them and `..Default::default()`", fields.join(": …, "));
        if is_default(arg) {
            return Ok(vec![Vec::new(); fields.len()]);
        }
        if let Expr::Path(path) = unparen(arg) {
            let local = path.path.get_ident().is_some_and(|name| self.lookup(&name.to_string()).is_some());
            if !local {
                return self.constant_options(&path.path, name, fields);
            }
        }
        let Expr::Struct(literal) = unparen(arg) else {
            return self.fail(Error::new(arg, format!("`{name}` is written out here, or a constant")).help(example));
        };
        if literal.path.segments.last().is_none_or(|last| last.ident != name) {
            return self.fail(Error::new(&literal.path, format!("`{name}` is expected here")).help(example));
        }
        if let Some(unknown) =
            literal.fields.iter().find(|given| !fields.contains(&&given.member.to_token_stream().to_string()[..]))
        {
            return self.fail(
                Error::new(&unknown.member, format!("`{name}` has no field `{}`", unknown.member.to_token_stream()))
                    .help(example),
            );
        }
        if let Some(rest) = literal.rest.as_ref().filter(|rest| !is_default(rest)) {
            return self.fail(
                Error::new(rest, "the sizes are needed here, written out")
                    .help("write the fields that differ from the default, and `..Default::default()`"),
            );
        }
        let mut values = Vec::new();
        for field in fields {
            let Some(given) = literal.fields.iter().find(|given| given.member.to_token_stream().to_string() == *field)
            else {
                if literal.rest.is_some() {
                    // The operator knows its defaults.
                    values.push(Vec::new());
                    continue;
                }
                return self.fail(Error::new(&literal.path, format!("field `{field}` is missing")).help(example));
            };
            values.push(match unparen(&given.expr) {
                Expr::Array(array) => array.elems.iter().map(|elem| self.size(elem)).collect::<Lowered<_>>()?,
                single => vec![self.size(single)?],
            });
        }
        Ok(values)
    }

    /// A constant: by the sizes that its value is written with, where the file shows it, and else by its fields. That the file shows
    /// what the name means here, rustc checks.
    fn constant_options(&mut self, path: &Path, name: &str, fields: &[&str]) -> Lowered<Vec<Vec<Dim>>> {
        let constant = crate::parse::ty::spelled(path);
        let axes: usize = name.chars().rev().nth(1).and_then(|axes| axes.to_digit(10)).map_or(1, |axes| axes as usize);
        let projections = fields.iter().map(|field| match *field {
            "groups" => vec![Dim::atom(&format!("{constant}.{field}"))],
            _ if axes == 1 => vec![Dim::atom(&format!("{constant}.{field}"))],
            _ => (0..axes).map(|axis| Dim::atom(&format!("{constant}.{field}[{axis}]"))).collect(),
        });
        let projections: Vec<Vec<Dim>> = projections.collect();
        let Some(written @ Expr::Struct(_)) = self.value_of_constant(path) else { return Ok(projections) };
        let outer = self.env.enter(vec![HashMap::new()]);
        let values = self.options(&written, name, fields);
        self.env.enter(outer);
        let mut values = values?;
        let mut typed = Typed::from(Ty::index());
        for (k, (sizes, projections)) in values.iter_mut().zip(&projections).enumerate() {
            if sizes.len() != projections.len() {
                sizes.clone_from(projections);
                continue;
            }
            for (size, projection) in sizes.iter().zip(projections) {
                let message =
                    format!("`{}` of `{constant}` is not what the constant of that name in this file has", fields[k]);
                typed.equal.push((projection.clone(), size.clone(), message));
            }
        }
        self.at(path);
        self.b.oblige(&typed);
        Ok(values)
    }
}

/// `Default::default()`, `Conv2d::default()`
pub(super) fn is_default(expr: &Expr) -> bool {
    match unparen(expr) {
        Expr::Call(call) if call.args.is_empty() => {
            matches!(unparen(&call.func), Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "default"))
        }
        _ => false,
    }
}
