//! Whether each number of an array is computed of the number in the same place of another array, and of no other one.
//!
//! ```text
//! y = zero[N, 3]
//! y = for i in 0..N, k in 0..3 {           y[i][k] has x[i][k] in it: separable
//!     v = get x i k                        with `acc y v k i`, or `get x i 0`, it is not
//!     acc y v i k
//! }
//! ```
//!
//! Two indices are the same if they are the same variable, or the same size. So this is decided by the text of a body, and what is
//! not seen in it counts as not separable.

use crate::ir::dim::Dim;
use crate::ir::var::HashMap;
use crate::ir::{Block, Body, Eqn, Op, Var, VarSet};

/// Whether each of some results has nothing of the inputs in its numbers but those in the same places of the input beside it.
pub fn is_separable(body: &Body, pairs: &[(Var, Var)]) -> bool {
    let inputs = pairs.iter().enumerate().map(|(k, (input, _))| (*input, Of::Own(k, Vec::new())));
    let mut values = Values { body, of: inputs.collect(), sizes: HashMap::default() };
    values.block(&body.block);
    pairs.iter().enumerate().all(|(k, (_, result))| {
        let own = Of::Own(k, Vec::new());
        values.of.get(result).is_none_or(|of| *of == own)
    })
}

/// What a value is computed of, if anything of the inputs is in it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Of {
    /// Each of its numbers, of the one in the same place of the part with these indices of the input with that number.
    Own(usize, Vec<Dim>),
    Any,
}

struct Values<'b> {
    body: &'b Body,
    of: HashMap<Var, Of>,
    /// Variables that stand for sizes.
    sizes: HashMap<Var, Dim>,
}

impl Values<'_> {
    fn block(&mut self, block: &Block) {
        block.eqns.iter().for_each(|eqn| self.eqn(eqn));
    }

    fn eqn(&mut self, eqn: &Eqn) {
        match &eqn.op {
            Op::For { .. } | Op::While { .. } => return self.looped(eqn),
            Op::If => return self.branch(eqn),
            Op::Dim(dim) => drop(self.sizes.insert(eqn.outs[0], dim.clone())),
            _ => {}
        }
        if !eqn.own_uses().iter().any(|var| self.of.contains_key(var)) {
            return;
        }
        let of = match &eqn.op {
            Op::Map(_) | Op::Cast | Op::Copy => self.map(eqn),
            Op::Get => self.get(eqn),
            Op::Set | Op::Acc => self.set(eqn),
            Op::Pack => self.pack(eqn),
            Op::Len | Op::ZeroLike => return,
            _ => Of::Any,
        };
        self.of.extend(eqn.outs.iter().map(|out| (*out, of.clone())));
    }

    fn known(&self, args: &[Var]) -> Vec<&Of> {
        args.iter().filter_map(|arg| self.of.get(arg)).collect()
    }

    fn index(&self, var: Var) -> Dim {
        self.sizes.get(&var).cloned().unwrap_or_else(|| Dim::of(var))
    }

    /// Number by number, where nothing is broadcast.
    fn map(&self, eqn: &Eqn) -> Of {
        let dims = |var: Var| &self.body.ty(var).dims;
        let is_like_result = |arg: &&Var| dims(**arg) == dims(eqn.outs[0]);
        let known = self.known(&eqn.args);
        let first = known[0];
        let are_equal = known.iter().all(|of| *of == first);
        let are_in_place = eqn.args.iter().filter(|arg| self.of.contains_key(arg)).all(|arg| is_like_result(&arg));
        if are_equal && are_in_place { first.clone() } else { Of::Any }
    }

    fn get(&self, eqn: &Eqn) -> Of {
        match (self.of.get(&eqn.args[0]), self.known(&eqn.args[1..]).is_empty()) {
            (Some(Of::Own(k, at)), true) => {
                let indices = eqn.args[1..].iter().map(|var| self.index(*var));
                Of::Own(*k, at.iter().cloned().chain(indices).collect())
            }
            _ => Of::Any,
        }
    }

    fn set(&self, eqn: &Eqn) -> Of {
        let [array, value, indices @ ..] = &eqn.args[..] else { return Of::Any };
        let indices: Vec<Dim> = indices.iter().map(|var| self.index(*var)).collect();
        let whole = match self.of.get(value) {
            None => return self.of.get(array).cloned().unwrap_or(Of::Any),
            Some(Of::Own(k, at)) => at.strip_suffix(&indices[..]).map(|at| Of::Own(*k, at.to_vec())),
            Some(Of::Any) => None,
        };
        match (whole, self.of.get(array)) {
            (Some(whole), None) => whole,
            (Some(whole), Some(array)) if whole == *array => whole,
            _ => Of::Any,
        }
    }

    /// An array that is made of its elements, in order.
    fn pack(&self, eqn: &Eqn) -> Of {
        let wholes = eqn.args.iter().enumerate().filter_map(|(place, arg)| {
            let whole = match self.of.get(arg)? {
                Of::Own(k, at) => {
                    let place = i64::try_from(place).ok().map(Dim::literal);
                    let is_here = at.last().is_some_and(|last| Some(last) == place.as_ref());
                    is_here.then(|| Of::Own(*k, at[..at.len() - 1].to_vec()))
                }
                Of::Any => None,
            };
            Some(whole.unwrap_or(Of::Any))
        });
        wholes.reduce(joined).unwrap_or(Of::Any)
    }

    fn branch(&mut self, eqn: &Eqn) {
        let is_known = self.of.contains_key(&eqn.args[0]);
        for region in &eqn.regions {
            self.block(region);
            self.hand_out(region, region.results.iter().copied().zip(eqn.outs.iter().copied()), is_known);
        }
    }

    fn looped(&mut self, eqn: &Eqn) {
        for (init, param) in eqn.args.iter().zip(eqn.carried()) {
            if let Some(of) = self.of.get(init).cloned() {
                self.of.insert(*param, of);
            }
        }
        // Each time, what is carried is known to be made of more.
        loop {
            let before: Vec<Option<Of>> = eqn.carried().iter().map(|param| self.of.get(param).cloned()).collect();
            let mut is_known = false;
            for region in &eqn.regions {
                if region.params.len() == eqn.args.len() {
                    for (param, carried) in region.params.iter().zip(eqn.carried()) {
                        if let Some(of) = self.of.get(carried).cloned() {
                            self.of.insert(*param, of);
                        }
                    }
                }
                self.block(region);
                is_known |= eqn.regions.len() > 1 && self.of.contains_key(&eqn.regions[0].results[0]);
            }
            let step = eqn.step();
            self.hand_out(step, step.results.iter().copied().zip(eqn.carried().iter().copied()), is_known);
            if eqn.carried().iter().map(|param| self.of.get(param)).eq(before.iter().map(Option::as_ref)) {
                break;
            }
        }
        for (out, param) in eqn.outs.iter().zip(eqn.carried()) {
            if let Some(of) = self.of.get(param).cloned() {
                self.of.insert(*out, of);
            }
        }
    }

    /// What leaves a region is joined with what is known of where it goes. Indices of the region have no meaning outside.
    fn hand_out(&mut self, region: &Block, pairs: impl Iterator<Item = (Var, Var)>, by_condition: bool) {
        let mut inside = VarSet::default();
        note(region, &mut inside);
        for (from, to) in pairs {
            let of = match self.of.get(&from) {
                _ if by_condition => Some(Of::Any),
                Some(Of::Own(_, at)) if at.iter().any(|index| index.vars().any(|var| inside.contains(var))) => {
                    Some(Of::Any)
                }
                of => of.cloned(),
            };
            if let Some(of) = of {
                let both = self.of.remove(&to).into_iter().chain([of]).reduce(joined).unwrap_or(Of::Any);
                self.of.insert(to, both);
            }
        }
    }
}

fn joined(a: Of, b: Of) -> Of {
    if a == b { a } else { Of::Any }
}

/// All variables that a region defines.
fn note(region: &Block, found: &mut VarSet) {
    found.extend(&region.params);
    for eqn in &region.eqns {
        found.extend(&eqn.outs);
        eqn.regions.iter().for_each(|region| note(region, found));
    }
}

#[cfg(test)]
mod tests {
    use super::is_separable;
    use crate::ir::text::parse;

    fn holds(text: &str) -> bool {
        let body = parse(text).unwrap_or_else(|problem| panic!("{problem}"));
        let inputs = body.block.params.iter().copied();
        is_separable(&body, &inputs.zip(body.block.results.iter().copied()).collect::<Vec<_>>())
    }

    /// `acc y v AT` of `get x OF`, in two loops.
    fn nested(of: &str, at: &str) -> bool {
        holds(&format!(
            "fn f(%x: f64[N, 3], %q: f64) {{
                %z: f64[N, 3] = zero
                %one: usize = dim[1]
                %y: f64[N, 3] = for 0..N %z |%i: usize, %a: f64[N, 3]| {{
                    %b: f64[N, 3] = for 0..3 %a |%k: usize, %c: f64[N, 3]| {{
                        %g: f64 = get %x {of}
                        %v: f64 = mul %g %q
                        %d: f64[N, 3] = acc %c %v {at}
                        yield %d
                    }}
                    yield %b
                }}
                return %y
            }}"
        ))
    }

    #[test]
    fn same_and_other_places() {
        assert!(nested("%i %k", "%i %k"));
        assert!(nested("%i %one", "%i %one"));
        assert!(!nested("%i %k", "%i %one"));
        assert!(!nested("%i %one", "%i %k"));
        assert!(!nested("%k %k", "%i %k"));
    }

    #[test]
    fn what_a_loop_carries_is_of_another_iteration() {
        let carried = |next: &str| {
            holds(&format!(
                "fn f(%x: f64[N]) {{
                    %z: f64[N] = zero
                    %s: f64 = zero
                    %y: f64[N], %t: f64 = for 0..N %z %s |%i: usize, %a: f64[N], %l: f64| {{
                        %g: f64 = get %x %i
                        %v: f64 = add %g %l
                        %b: f64[N] = set %a %v %i
                        yield %b {next}
                    }}
                    return %y
                }}"
            ))
        };
        assert!(carried("%l"));
        assert!(!carried("%v"));
    }

    #[test]
    fn branches() {
        let of_branch = |other: &str| {
            holds(&format!(
                "fn f(%x: f64[2], %w: f64) {{
                    %first: usize = dim[0]
                    %second: usize = dim[1]
                    %n: f64 = const 1.0
                    %a: f64 = get %x %first
                    %b: f64 = get %x %second
                    %c: bool = lt %n %n
                    %u: f64 = if %c || {{
                        yield %a
                    }} || {{
                        yield {other}
                    }}
                    %y: f64[2] = pack %u %b
                    return %y %w
                }}"
            ))
        };
        assert!(of_branch("%n"));
        assert!(of_branch("%a"));
        assert!(!of_branch("%b"));
        // Of another input.
        assert!(!of_branch("%w"));
    }
}
