//! Where a nest of loops writes an array.

use super::uses::Uses;
use crate::ir::dim::Dim;
use crate::ir::{Eqn, Op, Var, VarData};

/// The one place at which a loop nest writes an array.
pub struct Write {
    /// The array just before the write.
    pub version: Var,
    pub at: Vec<Var>,
}

/// Follows a carried array to its only write, if that covers every element, each once. The write may be of a
/// sub-array, at indices of the first axes. `uses` are those of the body, if they have been counted.
pub fn only_write(vars: &[VarData], uses: Option<&Uses>, eqn: &Eqn, carried: usize) -> Option<Write> {
    let dims = &vars[eqn.outs[carried].0 as usize].ty.dims;
    let mut ranges: Vec<(Var, &Dim)> = Vec::new();
    let (mut eqn, mut carried) = (eqn, carried);
    loop {
        let (lo, hi, _, region) = eqn.as_for()?;
        if !lo.is(0) {
            return None;
        }
        ranges.push((region.params[0], hi));
        let version = region.params[carried + 1];
        // Most arrays that are read as well are read more than once.
        if uses.map_or_else(|| region.count_uses(version), |uses| uses.count(version)) != 1 {
            return None;
        }
        let only = region.eqns.iter().find(|other| other.args.contains(&version))?;
        match &only.op {
            Op::Set if only.args[0] == version && only.outs[0] == region.results[carried] => {
                let at = only.args[2..].to_vec();
                // As many loops as axes: `t[i][i]` is the diagonal only.
                let axes = dims.iter().take(at.len()).filter(|dim| !dim.is(1)).count();
                let covers = at.len() <= dims.len()
                    && ranges.len() == axes
                    && at
                        .iter()
                        .zip(dims)
                        .all(|(index, dim)| dim.is(1) || ranges.iter().any(|(range, hi)| range == index && *hi == dim))
                    && ranges.iter().all(|(range, _)| at.contains(range));
                return (covers && only.args[1] != version).then_some(Write { version, at });
            }
            Op::For { .. } => {
                let next = only.args.iter().position(|arg| *arg == version)?;
                if only.outs[next] != region.results[carried]
                    || only.args.iter().filter(|arg| **arg == version).count() != 1
                {
                    return None;
                }
                (eqn, carried) = (only, next);
            }
            _ => return None,
        }
    }
}
