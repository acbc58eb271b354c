//! Reads of a view become reads of what it is a view of.
//!
//! ```text
//! v = for i … { for j … {                   for i … { for j … {
//!     set v (get x j i) i j }}                  get x j i
//! for i … { for j … {                       }}
//!     get v i j }}
//! ```
//!
//! A view here is an array each of whose elements is one of another array's, at indices that are computed from its
//! own by integer arithmetic. It stays where it is needed as a whole, and where the other array changes afterwards.

use crate::analysis::updates::{is_updated, updated};
use crate::analysis::uses::Uses;
use crate::analysis::writes::only_write;
use crate::ir::var::{HashMap, HashSet};
use crate::ir::{Block, Body, Eqn, Op, Var, VarData, VarMap, VarSet};

pub fn run(mut body: Body) -> Body {
    let Body { vars, block, .. } = &mut body;
    let mut seen = Seen { whole: VarSet::default(), updated: VarSet::default() };
    seen.block(vars, block);
    let uses = Uses::of(block);
    let mut pass = ComposeViews { vars, uses, seen, views: VarMap::default(), any: false };
    pass.block(block);
    if pass.any {
        super::simplify::remove_dead(&mut body.block);
    }
    body
}

/// How arrays are used in a body.
struct Seen {
    /// Those that are used in another way than by their elements.
    whole: VarSet,
    /// Those that are updated in place.
    updated: VarSet,
}

impl Seen {
    fn block(&mut self, vars: &[VarData], block: &Block) {
        for eqn in &block.eqns {
            if matches!(eqn.op, Op::Map(_) | Op::Const(_))
                && eqn.args.iter().all(|arg| vars[arg.0 as usize].ty.is_scalar())
            {
                continue;
            }
            let element = matches!(eqn.op, Op::Get) && vars[eqn.args[0].0 as usize].ty.rank() + 1 == eqn.args.len();
            self.whole.extend(&eqn.args[usize::from(element)..]);
            self.updated.extend(updated(eqn).into_iter().map(|at| eqn.args[at]));
            eqn.regions.iter().for_each(|region| self.block(vars, region));
        }
        self.whole.extend(&block.results);
    }
}

struct ComposeViews<'v> {
    vars: &'v mut Vec<VarData>,
    uses: Uses,
    seen: Seen,
    /// The views whose reads are redirected.
    views: VarMap<View>,
    any: bool,
}

impl ComposeViews<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut eqns = Vec::with_capacity(block.eqns.len());
        let mut rest = std::mem::take(&mut block.eqns).into_iter();
        while let Some(mut eqn) = rest.next() {
            if let (Op::Get, Some(view)) = (&eqn.op, eqn.args.first().and_then(|array| self.views.get(*array))) {
                eqns.extend(view.read(self.vars, &eqn.args[1..], &eqn));
                continue;
            }
            eqn.regions.iter_mut().for_each(|region| self.block(region));
            if eqn.as_for().is_some() {
                for (carried, array) in eqn.outs.iter().enumerate() {
                    let rank = self.vars[array.0 as usize].ty.rank();
                    if rank == 0 || self.seen.whole.contains(*array) || self.uses.count(*array) == 0 {
                        continue;
                    }
                    let Some(view) = View::find(self.vars, &self.uses, &eqn, carried) else { continue };
                    let changed = |later: &Eqn| is_updated(later, view.source);
                    if !self.seen.updated.contains(view.source) || !rest.as_slice().iter().any(changed) {
                        self.views.insert(*array, view);
                        self.any = true;
                    }
                }
            }
            eqns.push(eqn);
        }
        block.eqns = eqns;
    }
}

/// How the elements of an array are found in another.
struct View {
    source: Var,
    /// The loop index of each axis; none for an axis of size 1.
    axes: Vec<Option<Var>>,
    /// What computes the indices, in order.
    steps: Vec<Eqn>,
    at: Vec<Var>,
}

impl View {
    /// The view that a loop nest makes, if it does nothing else to the carried array.
    fn find(vars: &[VarData], uses: &Uses, eqn: &Eqn, carried: usize) -> Option<View> {
        let write = only_write(vars, Some(uses), eqn, carried)?;
        let mut inside = Inside::default();
        inside.collect(&eqn.regions[0]);
        let set = inside.eqns.iter().find(|eqn| matches!(eqn.op, Op::Set) && eqn.args[0] == write.version)?;
        let get = inside.eqns.iter().find(|eqn| eqn.outs == [set.args[1]])?;
        // Whole rows are views of rows, of which elements are read.
        let rank = vars[eqn.outs[carried].0 as usize].ty.rank();
        if !matches!(get.op, Op::Get) || inside.arrays.contains(&get.args[0]) || set.args.len() != rank + 2 {
            return None;
        }
        let axes = set.args[2..].iter().map(|at| inside.indices.contains(at).then_some(*at)).collect();
        let at = get.args[1..].to_vec();
        let mut needed: HashSet<Var> = at.iter().copied().collect();
        let mut steps = Vec::new();
        for eqn in inside.eqns.iter().rev() {
            if eqn.outs.iter().any(|out| needed.contains(out)) {
                if !matches!(eqn.op, Op::Dim(_) | Op::Int(_)) {
                    return None;
                }
                needed.extend(eqn.own_uses());
                steps.push((*eqn).clone());
            }
        }
        steps.reverse();
        // An index that no axis stands for is not known to whoever reads the view.
        let known = |index: &Var| set.args[2..].contains(index);
        inside.indices.iter().filter(|index| needed.contains(index)).all(known).then_some(View {
            source: get.args[0],
            axes,
            steps,
            at,
        })
    }

    /// The equations of `get view at`, for the given result.
    fn read(&self, vars: &mut Vec<VarData>, at: &[Var], get: &Eqn) -> Vec<Eqn> {
        let pairs = self.axes.iter().zip(at).filter_map(|(axis, at)| Some(((*axis)?, *at)));
        let mut names: HashMap<Var, Var> = pairs.collect();
        let mut eqns = Vec::new();
        for step in &self.steps {
            let mut copy = step.clone();
            copy.rename_uses(&|var| *names.get(&var).unwrap_or(&var));
            vars.push(vars[step.outs[0].0 as usize].clone());
            copy.outs = vec![Var(u32::try_from(vars.len() - 1).unwrap_or(u32::MAX))];
            names.insert(step.outs[0], copy.outs[0]);
            eqns.push(copy);
        }
        let at = self.at.iter().map(|var| *names.get(var).unwrap_or(var));
        eqns.push(Eqn { args: std::iter::once(self.source).chain(at).collect(), ..get.clone() });
        eqns
    }
}

/// What a loop nest defines.
#[derive(Default)]
struct Inside<'b> {
    eqns: Vec<&'b Eqn>,
    indices: HashSet<Var>,
    /// Carried values and their later versions.
    arrays: HashSet<Var>,
}

impl<'b> Inside<'b> {
    fn collect(&mut self, region: &'b Block) {
        self.indices.extend(region.params.first());
        self.arrays.extend(&region.params[1..]);
        for eqn in &region.eqns {
            if let Op::For { .. } = eqn.op {
                self.collect(&eqn.regions[0]);
            }
            if !matches!(eqn.op, Op::Get | Op::Dim(_) | Op::Int(_)) {
                self.arrays.extend(&eqn.outs);
            }
            self.eqns.push(eqn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::{parse, print};

    fn reads(text: &str) -> (String, bool) {
        let body = run(parse(text).expect(text));
        crate::ir::verify::verify(&body).expect(text);
        let printed = print(&body);
        let gone = !printed.contains("set ");
        (printed, gone)
    }

    const FLIP: &str = "
        %z: f64[3] = zero
        %v: f64[3] = for 0..3 %z |%i: usize, %t: f64[3]| {
            %last: usize = dim[2]
            %from: usize = isub %last %i
            %e: f64 = get %x %from
            %u: f64[3] = set %t %e %i
            yield %u
        }";

    #[test]
    fn an_element_of_a_view_is_read_from_its_source() {
        let (printed, gone) = reads(&format!(
            "fn f(%x: f64[3]) {{ {FLIP}
            %k: usize = dim[1]
            %y: f64 = get %v %k
            return %y
        }}"
        ));
        assert!(gone && printed.contains("isub"), "{printed}");
    }

    #[test]
    fn a_view_that_is_a_result_stays() {
        let (printed, gone) = reads(&format!(
            "fn f(%x: f64[3]) {{ {FLIP}
            return %v
        }}"
        ));
        assert!(!gone, "{printed}");
    }

    #[test]
    fn a_view_of_what_changes_stays() {
        let (printed, _) = reads(&format!(
            "fn f(%x: f64[3]) {{ {FLIP}
            %k: usize = dim[1]
            %one: f64 = const 1
            %w: f64[3] = set %x %one %k
            %y: f64 = get %v %k
            return %w %y
        }}"
        ));
        assert!(printed.contains("for"), "{printed}");
    }
}
