//! Elements by indices: index_select, gather, embedding, scatter_add, set_slice, add_slice. What is not used gets
//! a cotangent of exactly 0, and what is used repeatedly the sum.

use super::ParamKind::{Axis, Labels, Operand, Ranges};
use super::shape::{check_ranges, lengths, within};
use super::{Arg, Method, at_most, counted, require};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Dim};
use crate::ir::{Ty, Var};
use crate::op::Mismatch;
use crate::op::nest::{gather, generate, scatter};
use crate::op::page::Page;

pub static METHODS: &[Method] = &[
    Method {
        name: "index_select",
        page: Page {
            calls: &["x.index_select(axis, index)"],
            doc: "The places of an axis that a vector of indices names. Repeated indices add up, what no index names gets exactly 0.",
            shape: "[a…], [n] -> [a…] with n for the size of the axis",
            derivative: "x̄[index[i]] += ȳ[i] along the axis",
            example: "(x: &Tensor2<f64, 4, 3>, index: &[usize; 2]) -> Tensor2<f64, 2, 3> { x.index_select(0, index) }",
        },
        params: &[Axis, Labels],
        ranks: None,
        build: |b, a| index_select(b, a[0].var(), a[1].axis(), a[2].var()),
    },
    Method {
        name: "gather",
        page: Page {
            calls: &["x.gather(axis, index)"],
            doc: "y[i, j] = x[index[i, j], j] along axis 0, and so on. Repeated indices add up, what no index names gets exactly 0.",
            shape: "[a…], [b…] -> [b…], as many axes as x has, none longer but for the given one",
            derivative: "x̄[index[i, j], j] += ȳ[i, j]",
            example: "(x: &Tensor2<f64, 4, 3>, index: &[[usize; 3]; 2]) -> Tensor2<f64, 2, 3> { x.gather(0, index) }",
        },
        params: &[Axis, Labels],
        ranks: None,
        build: |b, a| take_along(b, a[0].var(), a[1].axis(), a[2].var()),
    },
    Method {
        name: "embedding",
        page: Page {
            calls: &["x.embedding(index)"],
            doc: "A row of the table x for each of the indices. Repeated indices add up, unused rows get exactly 0.",
            shape: "[n, w], [i…] -> [i…, w]",
            derivative: "x̄[index[i]] += ȳ[i]",
            example: "(x: &Tensor2<f64, 5, 2>, index: &[usize; 3]) -> Tensor2<f64, 3, 2> { x.embedding(index) }",
        },
        params: &[Labels],
        ranks: Some(&[2]),
        build: |b, a| Ok(embedding(b, a[0].var(), a[1].var())),
    },
    Method {
        name: "scatter_add",
        page: Page {
            calls: &["x.scatter_add(axis, index, v)"],
            doc: "x with v added at the places of an axis that the indices name: a vector of them, or one for each place of v. Repeated indices add up.",
            shape: "[a…], [n], [b…] -> [a…], where b… are a… with n for the size of the axis",
            derivative: "x̄ = ȳ, v̄ = ȳ at the indices",
            example: "(x: &Tensor2<f64, 4, 3>, index: &[usize; 2], v: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 4, 3> { x.scatter_add(0, index, v) }",
        },
        params: &[Axis, Labels, Operand],
        ranks: None,
        build: |b, a| scatter_add(b, a),
    },
    Method {
        name: "set_slice",
        page: Page {
            calls: &["x.set_slice([1..3, 0..2], v)"],
            doc: "x with a region replaced by v. What is replaced gets exactly 0.",
            shape: "[a…], [b…] -> [a…], b… the sizes of the ranges",
            derivative: "x̄ = ȳ with the region 0, v̄ = the region of ȳ",
            example: "(x: &Tensor2<f64, 4, 3>, v: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 4, 3> { x.set_slice([1..3, 0..2], v) }",
        },
        params: &[Ranges, Operand],
        ranks: None,
        build: |b, a| put(b, "set_slice", a),
    },
    Method {
        name: "add_slice",
        page: Page {
            calls: &["x.add_slice([1..3, 0..2], v)"],
            doc: "x with v added to a region.",
            shape: "[a…], [b…] -> [a…], b… the sizes of the ranges",
            derivative: "x̄ = ȳ, v̄ = the region of ȳ",
            example: "(x: &Tensor2<f64, 4, 3>, v: &Tensor2<f64, 2, 2>) -> Tensor2<f64, 4, 3> { x.add_slice([1..3, 0..2], v) }",
        },
        params: &[Ranges, Operand],
        ranks: None,
        build: |b, a| put(b, "add_slice", a),
    },
];

/// The places of an axis that a vector of indices names: `y[…, i, …] = x[…, index[i], …]`.
fn index_select(b: &mut Builder, x: Var, axis: usize, index: Var) -> Result<Var, Mismatch> {
    let (mut dims, count) = (b.ty(x).dims.clone(), b.ty(index).dims.clone());
    let [count] = &count[..] else {
        return Err(Mismatch {
            message: format!(
                "`index_select` of {} by {}: the indices have {} axes",
                dim::show(&dims),
                dim::show(&count),
                count.len()
            ),
            note: "`index_select` takes a vector of indices".into(),
            help: Some("for an index at each place, use `gather`".into()),
        });
    };
    dims[axis] = count.clone();
    Ok(gather(b, x, &dims, &mut |b, at| replaced(b, at, axis, index, &at[axis..=axis])))
}

/// `at` with another index along one axis: `index[by…]`.
fn replaced(b: &mut Builder, at: &[Var], axis: usize, index: Var, by: &[Var]) -> Vec<Var> {
    let mut to = at.to_vec();
    to[axis] = b.get(index, by);
    to
}

/// Checks that there is an index for places of `dims`, but for the axis it replaces.
fn check_index(b: &mut Builder, name: &str, dims: &[Dim], axis: usize, index: &[Dim]) -> Result<(), Mismatch> {
    let message = format!("`{name}` of {} by {}", dim::show(dims), dim::show(index));
    let note = format!("`{name}` takes as many axes of indices as the tensor has, none longer but for the given one");
    let refuse = |what: String| Mismatch { message: format!("{message}: {what}"), note: note.clone(), help: None };
    if index.len() != dims.len() {
        return Err(refuse(format!("{} and {} differ", counted(dims.len(), "axis"), index.len())));
    }
    for (k, (size, count)) in dims.iter().zip(index).enumerate().filter(|(k, _)| *k != axis) {
        at_most(b, count, size, refuse(format!("{count} indices for size {size} of axis {k}")))?;
    }
    Ok(())
}

/// `y[i, j] = x[index[i, j], j]` along axis 0, and so on.
fn take_along(b: &mut Builder, x: Var, axis: usize, index: Var) -> Result<Var, Mismatch> {
    let (dims, shape) = (b.ty(x).dims.clone(), b.ty(index).dims.clone());
    check_index(b, "gather", &dims, axis, &shape)?;
    Ok(gather(b, x, &shape, &mut |b, at| replaced(b, at, axis, index, at)))
}

/// A row of the table for each of the indices.
fn embedding(b: &mut Builder, table: Var, index: Var) -> Var {
    let (width, shape) = (b.ty(table).dims[1].clone(), b.ty(index).dims.clone());
    let dims = [&shape[..], &[width]].concat();
    let ty = Ty::tensor(b.ty(table).elem.clone(), dims);
    generate(b, ty, &mut |b, at| {
        let (place, column) = at.split_at(shape.len());
        let row = b.get(index, place);
        b.get(table, &[&[row], column].concat())
    })
}

/// `x` with `y` added at the places of an axis that the indices name: a vector of them for that axis, or an index
/// for each place of `y`.
fn scatter_add(b: &mut Builder, args: &[Arg]) -> Result<Var, Mismatch> {
    let (x, axis, index, y) = (args[0].var(), args[1].axis(), args[2].var(), args[3].var());
    let (dims, shape, part) = (b.ty(x).dims.clone(), b.ty(index).dims.clone(), b.ty(y).dims.clone());
    let along = shape.len() == 1;
    let expected = if along {
        let mut expected = dims.clone();
        expected[axis] = shape[0].clone();
        expected
    } else {
        check_index(b, "scatter_add", &dims, axis, &shape)?;
        shape
    };
    let message = format!("`scatter_add` of {} into {}", dim::show(&part), dim::show(&dims));
    let note = "`scatter_add` takes an axis, indices, and for each of them what is added there";
    same(b, &part, &expected, &message, note)?;
    Ok(scatter(b, x, &expected, &mut |b, at| {
        let by = if along { &at[axis..=axis] } else { at };
        (replaced(b, at, axis, index, by), b.get(y, at))
    }))
}

/// `x` with a region replaced by `y`, or increased by it.
fn put(b: &mut Builder, name: &str, args: &[Arg]) -> Result<Var, Mismatch> {
    let (x, ranges, y) = (args[0].var(), args[1].pairs(), args[2].var());
    let (dims, part) = (b.ty(x).dims.clone(), b.ty(y).dims.clone());
    check_ranges(b, name, &dims, ranges)?;
    let region = lengths(ranges);
    let message = format!("`{name}` of {} into a region {}", dim::show(&part), dim::show(&region));
    let note = format!("`{name}` takes a tensor as large as the region");
    same(b, &part, &region, &message, &note)?;
    Ok(b.nest(&region, &[x], &mut |b, at, t| {
        let v = b.get(y, at);
        let to = within(b, ranges, at);
        vec![if name == "set_slice" { b.set(t[0], v, &to) } else { b.acc(t[0], v, &to) }]
    })[0])
}

/// Two shapes that must be the same; `message` begins the refusal.
fn same(b: &mut Builder, given: &[Dim], expected: &[Dim], message: &str, note: &str) -> Result<(), Mismatch> {
    let refuse = |what: String| Mismatch { message: format!("{message}: {what}"), note: note.into(), help: None };
    if given.len() != expected.len() {
        return Err(refuse(format!("{} and {} differ", counted(given.len(), "axis"), expected.len())));
    }
    for (axis, (left, right)) in given.iter().zip(expected).enumerate() {
        require(b, (left, right), refuse(format!("sizes {left} and {right} of axis {axis} differ")))?;
    }
    Ok(())
}
