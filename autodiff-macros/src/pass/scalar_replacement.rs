//! The elements of a small array are variables, wherever it is read and changed at constant indices only.
//!
//! ```text
//! t: f64[2] = zero                       e = add y w
//! a = set t x 0                          p = mul x e
//! b = set a y 1                  ->
//! c = acc b w 1
//! q = get c 0
//! r = get c 1
//! p = mul q r
//! ```
//!
//! Branches return the elements of such an array, and loops carry them. An array that is needed as a whole stays; its elements are
//! known all the same, and where all of them are it is made of them at once.

use super::simplify;
use crate::analysis::elements::{Elements, size};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::{Block, Body, Eqn, Op, Ty, Var, VarMap, VarSet};
use std::rc::Rc;

pub fn run(body: Body) -> Body {
    let Body { name, vars, block, owned } = body;
    let of = Elements::of(&vars, &block, &|_| false);
    let all = || (0..vars.len()).filter_map(|k| u32::try_from(k).ok()).map(Var);
    let apart: VarSet = all().filter(|var| !of.is_whole(*var)).collect();
    let whole: VarSet = all().filter(|var| of.is_whole_itself(*var)).collect();
    let (elements, renamed, literals) = Default::default();
    let mut pass = Replace { b: Builder::with_vars(vars), elements, renamed, literals, apart, whole };
    let block = pass.block(block, &[]);
    simplify::run(Body { name, vars: pass.b.vars, block, owned })
}

struct Replace {
    b: Builder,
    /// The elements of arrays, row after row.
    elements: VarMap<Rc<[Var]>>,
    /// What stands for an element that was read.
    renamed: VarMap<Var>,
    /// Indices that are constants.
    literals: VarMap<usize>,
    /// Arrays that are nothing but their elements. No equation makes them any more.
    apart: VarSet,
    /// Those that are needed as a whole, by something other than what changes an element.
    whole: VarSet,
}

impl Replace {
    /// Where the element with these indices is among all of them.
    fn place(&self, array: Var, at: &[Var]) -> Option<usize> {
        let ty = self.b.ty(array);
        if at.len() != ty.rank() {
            return None;
        }
        let indices = ty.dims.iter().zip(at);
        indices.into_iter().try_fold(0, |place, (dim, at)| {
            let (len, at) = (dim.written_out()?, *self.literals.get(*at)?);
            (at < len).then_some(place * len + at)
        })
    }

    /// A block; of its results that are `apart`, the elements.
    fn block(&mut self, block: Block, apart: &[bool]) -> Block {
        self.b.open_block();
        let Block { params, eqns, results } = block;
        for mut eqn in eqns {
            self.b.span = Some(eqn.span);
            eqn.rename_own(&|var| self.renamed.last(var));
            match eqn.op {
                Op::If | Op::For { .. } => self.control(eqn),
                _ => {
                    let regions = std::mem::take(&mut eqn.regions);
                    eqn.regions = regions.into_iter().map(|region| self.block(region, &[])).collect();
                    self.eqn(eqn);
                }
            }
        }
        let results: Vec<Var> = results.iter().map(|result| self.renamed.last(*result)).collect();
        let results = if apart.is_empty() { results } else { self.spread(&results, apart, Replace::read) };
        self.b.close_block(params, results)
    }

    fn eqn(&mut self, mut eqn: Eqn) {
        let [out] = eqn.outs[..] else { return self.b.push_eqn(eqn) };
        let known = eqn.args.first().and_then(|array| self.elements.get(*array)).cloned();
        let made: Option<Rc<[Var]>> = match (&eqn.op, known) {
            (Op::Dim(dim), _) => {
                if let Some(number) = dim.as_literal().and_then(|number| usize::try_from(number).ok()) {
                    self.literals.insert(out, number);
                }
                None
            }
            (Op::Int(op), _) => {
                let number = |k: usize| eqn.args.get(k).and_then(|arg| self.literals.get(*arg)).copied();
                if let Some(number) = number(0).zip(number(1)).and_then(|(a, b)| op.of_sizes(a, b)) {
                    self.literals.insert(out, number);
                }
                None
            }
            (Op::Get, Some(known)) => match self.place(eqn.args[0], &eqn.args[1..]) {
                Some(place) => {
                    if let Some(hint) = self.b.data(out).hint.clone() {
                        self.b.name(known[place], &hint);
                    }
                    self.renamed.insert(out, known[place]);
                    return;
                }
                None => None,
            },
            (Op::Set | Op::Acc, Some(mut known)) if self.b.ty(eqn.args[1]).is_scalar() => {
                self.place(eqn.args[0], &eqn.args[2..]).map(|place| {
                    let is_sum = matches!(eqn.op, Op::Acc);
                    let value = if is_sum { self.b.add(known[place], eqn.args[1]) } else { eqn.args[1] };
                    Rc::make_mut(&mut known)[place] = value;
                    (eqn.op, eqn.args[1]) = (Op::Set, value);
                    known
                })
            }
            (Op::Copy, known) => known,
            (Op::Zero(_), _) => size(self.b.ty(out)).filter(|_| eqn.args.is_empty()).map(|size| {
                let zero = self.b.zero(Ty::scalar(self.b.ty(out).elem.clone()));
                vec![zero; size].into()
            }),
            (Op::Pack, _) => (size(self.b.ty(out)) == Some(eqn.args.len())).then(|| eqn.args[..].into()),
            _ => None,
        };
        match made {
            Some(elements) => {
                if matches!(eqn.op, Op::Set) && self.whole.contains(out) && self.is_made_of(out, &elements) {
                    (eqn.op, eqn.args) = (Op::Pack, elements.to_vec());
                }
                self.elements.insert(out, elements);
                if !self.apart.contains(out) {
                    self.b.push_eqn(eqn);
                }
            }
            None => {
                self.b.push_eqn(eqn);
                if self.apart.contains(out) {
                    let elements = self.read(out);
                    self.elements.insert(out, elements);
                }
            }
        }
    }

    /// Whether a vector is made at once of elements all of which have been computed.
    fn is_made_of(&self, array: Var, elements: &[Var]) -> bool {
        self.b.ty(array).rank() == 1 && elements.iter().all(|element| !self.b.is_zero(*element))
    }

    /// A branch or a loop returns and carries elements.
    fn control(&mut self, mut eqn: Eqn) {
        let apart: Vec<bool> = eqn.outs.iter().map(|out| self.apart.contains(*out)).collect();
        if let Op::For { .. } = eqn.op {
            eqn.args = self.spread(&eqn.args, &apart, Replace::read);
            for region in &mut eqn.regions {
                let carried = region.params.split_off(1);
                region.params.extend(self.spread(&carried, &apart, Replace::fresh));
            }
        }
        let regions = std::mem::take(&mut eqn.regions);
        eqn.regions = regions.into_iter().map(|region| self.block(region, &apart)).collect();
        eqn.outs = self.spread(&eqn.outs, &apart, Replace::fresh);
        self.b.push_eqn(eqn);
    }

    /// A list with the elements of those arrays that are `apart`.
    fn spread(&mut self, vars: &[Var], apart: &[bool], of: fn(&mut Replace, Var) -> Rc<[Var]>) -> Vec<Var> {
        let mut spread = Vec::new();
        for (var, apart) in vars.iter().zip(apart) {
            match apart {
                true => spread.extend(of(self, *var).iter()),
                false => spread.push(*var),
            }
        }
        spread
    }

    /// The elements of an array. Those that are not known are read here; in another block they may have to be read again.
    fn read(&mut self, array: Var) -> Rc<[Var]> {
        if let Some(known) = self.elements.get(array) {
            return known.clone();
        }
        let dims: Vec<usize> = self.b.ty(array).dims.iter().filter_map(Dim::written_out).collect();
        let mut places: Vec<Vec<Var>> = vec![Vec::new()];
        for len in dims {
            let indices: Vec<Var> = (0..len).map(|k| self.literal(k)).collect();
            places = places.iter().flat_map(|at| indices.iter().map(move |k| [&at[..], &[*k]].concat())).collect();
        }
        places.iter().map(|at| self.b.get(array, at)).collect()
    }

    fn literal(&mut self, number: usize) -> Var {
        let var = self.b.dim_var(Dim::literal(i64::try_from(number).unwrap_or(i64::MAX)));
        self.literals.insert(var, number);
        var
    }

    /// Variables for the elements of an array.
    fn fresh(&mut self, array: Var) -> Rc<[Var]> {
        let (ty, size) = (Ty::scalar(self.b.ty(array).elem.clone()), size(self.b.ty(array)).unwrap_or(0));
        let elements: Rc<[Var]> = (0..size).map(|_| self.b.var_like(array, ty.clone(), "")).collect();
        self.elements.insert(array, elements.clone());
        elements
    }
}
