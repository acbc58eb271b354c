//! Arrays whose rows differ in length, as what a loop saves of a `Vec` that grows, or of the steps that an inner loop of another
//! length each time runs again. A dimension that is not the same in all rows is [`ANY`]. The data are the rows, one after the
//! other: the dimensions of each, how many data it has, and these.

use super::{ANY, Array, Frame, Value};
use crate::ir::{Eqn, Op, Var};

/// What is said of such arrays as an operand of other operators.
pub const RAGGED: &str = "rows of different lengths";

impl Array {
    pub fn is_ragged(&self) -> bool {
        self.dims.contains(&ANY)
    }

    /// The rows of an array, ragged or not.
    fn rows(&self) -> Result<Vec<Array>, String> {
        let [count, dims @ ..] = &self.dims[..] else { return Err(RAGGED.to_owned()) };
        if !self.is_ragged() {
            let size: usize = dims.iter().product();
            let row = |k: usize| Array { dims: dims.to_vec(), data: self.data[k * size..(k + 1) * size].to_vec() };
            return Ok((0..*count).map(row).collect());
        }
        let (mut rows, mut rest) = (Vec::with_capacity(count + 1), &self.data[..]);
        for _ in 0..*count {
            let (known, after) = rest.split_at(dims.len());
            let (data, after) = after[1..].split_at(after[0] as usize);
            let dims = known.iter().map(|dim| if *dim < 0.0 { ANY } else { *dim as usize }).collect();
            rows.push(Array { dims, data: data.to_vec() });
            rest = after;
        }
        Ok(rows)
    }

    fn of_rows(rows: &[Array]) -> Array {
        let mut dims = rows.iter().max_by_key(|row| row.data.len()).map_or_else(Vec::new, |row| row.dims.clone());
        let widest = dims.clone();
        for row in rows.iter().filter(|row| row.dims != widest) {
            // Rows without elements count as shorter ones.
            let known = if row.data.is_empty() { 0 } else { dims.len() };
            let differ =
                (0..dims.len()).filter(|axis| if known == 0 { *axis == 0 } else { row.dims[*axis] != widest[*axis] });
            differ.collect::<Vec<usize>>().into_iter().for_each(|axis| dims[axis] = ANY);
        }
        let ragged = dims.contains(&ANY);
        let mut data = Vec::new();
        for row in rows {
            if ragged {
                data.extend(row.dims.iter().map(|dim| if *dim == ANY { -1.0 } else { *dim as f64 }));
                data.push(row.data.len() as f64);
            }
            data.extend(&row.data);
        }
        Array { dims: [&[rows.len()], &dims[..]].concat(), data }
    }

    /// The array with a row in a place, which may be the one after the last.
    pub(super) fn with_row(&self, at: usize, row: Array) -> Result<Array, String> {
        // What is empty has any rank.
        let mut rows = if self.data.is_empty() && self.dims.len() < 2 { Vec::new() } else { self.rows()? };
        let empty = Array { dims: [&[0], &row.dims[1..]].concat(), data: Vec::new() };
        rows.resize(rows.len().max(at + 1), empty);
        rows[at] = row;
        Ok(Array::of_rows(&rows))
    }

    pub(super) fn zeros(&self) -> Array {
        match self.rows() {
            Ok(rows) if self.is_ragged() => Array::of_rows(&rows.iter().map(Array::zeros).collect::<Vec<Array>>()),
            _ => Array { dims: self.dims.clone(), data: vec![0.0; self.data.len()] },
        }
    }
}

impl Frame<'_> {
    fn row(&self, array: &Array, at: Var) -> Result<(usize, Array), String> {
        let (at, mut rows) = (self.number(at)? as usize, array.rows()?);
        if at < rows.len() { Ok((at, rows.swap_remove(at))) } else { Err(format!("row {at} of {}", rows.len())) }
    }

    /// A row, or a part of one.
    pub(super) fn part_of_ragged(&self, array: &Array, at: &[Var]) -> Result<Value, String> {
        let [first, rest @ ..] = at else { return Ok(Value::Array(array.clone())) };
        let (_, row) = self.row(array, *first)?;
        if row.is_ragged() {
            return self.part_of_ragged(&row, rest);
        }
        let (start, size) = self.place(&row.dims, rest)?;
        let dims = row.dims[rest.len()..].to_vec();
        Ok(Value::of(Array { dims, data: row.data[start..start + size].to_vec() }))
    }

    pub(super) fn length_of_ragged(&self, array: &Array, at: &[Var]) -> Result<f64, String> {
        match at {
            [] => Ok(array.dims[0] as f64),
            [first, rest @ ..] => self.length_of_ragged(&self.row(array, *first)?.1, rest),
        }
    }

    /// `set` and `acc` where rows may differ; only `set` gives a row another length.
    pub(super) fn update_ragged(&self, eqn: &Eqn, array: &Array, part: &Value) -> Result<Value, String> {
        Ok(Value::Array(self.updated(matches!(eqn.op, Op::Set), array, &eqn.args[2..], &part.clone().into_array())?))
    }

    fn updated(&self, replace: bool, array: &Array, at: &[Var], part: &Array) -> Result<Array, String> {
        match at {
            [] if replace && part.dims.len() == array.dims.len() => Ok(part.clone()),
            [] if part.dims == array.dims && !array.is_ragged() => {
                let data = array.data.iter().zip(&part.data).map(|(old, new)| old + new).collect();
                Ok(Array { dims: part.dims.clone(), data })
            }
            [] => Err(format!("{RAGGED}: {part:?} into {:?}", array.dims)),
            [first, rest @ ..] => {
                let (k, row) = self.row(array, *first)?;
                array.with_row(k, self.updated(replace, &row, rest, part)?)
            }
        }
    }
}
