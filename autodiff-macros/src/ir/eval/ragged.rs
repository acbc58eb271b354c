//! Arrays whose rows differ in length, as what a loop saves of a `Vec` that grows. The last dimension is [`ANY`], and the
//! data are the lengths of the rows, then their elements.

use super::{ANY, Array, Frame, Value};
use crate::ir::{Eqn, Op, Var};

/// What is said of such arrays where there are none: of rank 3, or as an operand of other operators.
pub const RAGGED: &str = "rows of different lengths";

impl Array {
    pub fn is_ragged(&self) -> bool {
        self.dims.contains(&ANY)
    }

    /// The rows of a matrix, or of a ragged array.
    fn rows(&self) -> Result<Vec<Vec<f64>>, String> {
        let [count, length] = self.dims[..] else { return Err(RAGGED.to_owned()) };
        let (lengths, mut rest) = match length {
            ANY => self.data.split_at(count),
            _ => (&vec![length as f64; count][..], &self.data[..]),
        };
        let mut rows = Vec::with_capacity(count + 1);
        for length in lengths {
            let (row, after) = rest.split_at(*length as usize);
            rows.push(row.to_vec());
            rest = after;
        }
        Ok(rows)
    }

    fn of_rows(rows: &[Vec<f64>]) -> Array {
        let first = rows.first().map_or(0, Vec::len);
        if rows.iter().all(|row| row.len() == first) {
            return Array { dims: vec![rows.len(), first], data: rows.concat() };
        }
        let lengths = rows.iter().map(|row| row.len() as f64);
        Array { dims: vec![rows.len(), ANY], data: lengths.chain(rows.iter().flatten().copied()).collect() }
    }

    /// The array with a row in a place, which may be the one after the last.
    pub(super) fn with_row(&self, at: usize, row: Vec<f64>) -> Result<Array, String> {
        // What is empty has any rank.
        let mut rows = if self.data.is_empty() && self.dims.len() < 2 { Vec::new() } else { self.rows()? };
        rows.resize(rows.len().max(at + 1), Vec::new());
        rows[at] = row;
        Ok(Array::of_rows(&rows))
    }

    pub(super) fn zeros(&self) -> Array {
        let lengths = if self.is_ragged() { self.dims[0] } else { 0 };
        let (lengths, elements) = self.data.split_at(lengths);
        Array { dims: self.dims.clone(), data: [lengths, &vec![0.0; elements.len()]].concat() }
    }
}

impl Frame<'_> {
    fn row(&self, array: &Array, at: Var) -> Result<(usize, Vec<f64>), String> {
        let (at, mut rows) = (self.number(at)? as usize, array.rows()?);
        if at < rows.len() { Ok((at, rows.swap_remove(at))) } else { Err(format!("row {at} of {}", rows.len())) }
    }

    /// A row, or an element of one.
    pub(super) fn part_of_ragged(&self, array: &Array, at: &[Var]) -> Result<Value, String> {
        let [first, rest @ ..] = at else { return Ok(Value::Array(array.clone())) };
        let (_, row) = self.row(array, *first)?;
        Ok(match rest {
            [] => Value::Array(Array { dims: vec![row.len()], data: row }),
            [second] => {
                let k = self.number(*second)?;
                Value::Number(*row.get(k as usize).ok_or_else(|| format!("index {k} into a row of {}", row.len()))?)
            }
            _ => return Err(format!("{} indices into rows", at.len())),
        })
    }

    pub(super) fn length_of_ragged(&self, array: &Array, at: &[Var]) -> Result<f64, String> {
        match at {
            [] => Ok(array.dims[0] as f64),
            [at] => Ok(self.row(array, *at)?.1.len() as f64),
            _ => Err(RAGGED.to_owned()),
        }
    }

    /// `set` and `acc` where rows may differ; only `set` gives a row another length.
    pub(super) fn update_ragged(&self, eqn: &Eqn, array: &Array, part: &Value) -> Result<Value, String> {
        let replace = matches!(eqn.op, Op::Set);
        let sum = |old: f64, new: f64| if replace { new } else { old + new };
        let at = &eqn.args[2..];
        let Some(first) = at.first() else {
            return if replace { Ok(part.clone()) } else { Err(RAGGED.to_owned()) };
        };
        let (k, mut row) = self.row(array, *first)?;
        match (part, &at[1..]) {
            (Value::Array(part), []) if replace && part.dims.len() == 1 => row.clone_from(&part.data),
            (Value::Array(part), []) if part.dims == [row.len()] => {
                row.iter_mut().zip(&part.data).for_each(|(old, new)| *old = sum(*old, *new));
            }
            (Value::Number(new), [second]) => {
                let (j, len) = (self.number(*second)?, row.len());
                let old = row.get_mut(j as usize).ok_or_else(|| format!("index {j} into a row of {len}"))?;
                *old = sum(*old, *new);
            }
            _ => return Err(format!("{RAGGED}: {part:?}")),
        }
        Ok(Value::Array(array.with_row(k, row)?))
    }
}
