//! Random bodies that are well typed and stay of ordinary size, from a list of choices: a shorter list and
//! smaller numbers give a simpler body, so that failures shrink.

use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
use crate::ir::eval::{Array, Machine};
use crate::ir::{Body, Elem, IntOp, Op, Order, SavePolicy, Ty, Var};
use crate::op::elementwise::{self as rows, find};
use crate::op::linalg::{MatMul, MatVec, Outer};
use crate::op::reduce::{Reduce, SumTo};
use crate::op::view::{BroadcastTo, Permute, Reshape};
use crate::op::{Operator, Row};
use crate::pass::check::Numbers;
use std::collections::HashMap;
use std::rc::Rc;

/// What `N` and `M` stand for. No other dimension of a random body has these sizes by accident.
pub fn machine() -> Machine {
    Machine::new(&[("N", 3), ("M", 2)])
}

/// Values stay below this; what would exceed it goes through a bounded function.
const LARGEST: f64 = 6.0;
const ELEMENTS: usize = 40;

/// What a random body may contain besides straight lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    None,
    /// `for` and `if`.
    Differentiable,
    /// `while` too, and operators without a derivative.
    All,
}

pub fn body(choices: &[u16], control: Control) -> Body {
    let mut random = Random {
        choices: choices.iter(),
        b: Builder::new(),
        control,
        floats: Vec::new(),
        indices: Vec::new(),
        bounds: HashMap::new(),
        depth: 0,
    };
    let shapes: [&[Dim]; 7] =
        [&[], &[], &[n(3)], &[n(2), n(3)], &[Dim::atom("N")], &[Dim::atom("N"), Dim::atom("M")], &[n(3), n(3)]];
    let params: Vec<Var> = shapes.iter().map(|dims| random.b.var(Ty::tensor(Elem::F64, dims.to_vec()), None)).collect();
    params.iter().for_each(|param| random.push(*param, 1.0));
    let first = random.b.map(&rows::sin, &params[..1]);
    random.push(first, 1.0);
    random.statements(12);
    let last = random.floats[random.floats.len() - 1];
    let other = random.float();
    random.b.finish("random".into(), params, vec![last, other])
}

/// Numbers for the parameters.
pub fn point(body: &Body, numbers: &mut Numbers) -> Vec<Array> {
    body.block.params.iter().map(|param| numbers.array(&machine().dims(body.ty(*param)), (-1.0, 1.0))).collect()
}

fn n(value: i64) -> Dim {
    Dim::literal(value)
}

struct Random<'c> {
    choices: std::slice::Iter<'c, u16>,
    b: Builder,
    control: Control,
    /// Visible numbers and arrays.
    floats: Vec<Var>,
    /// Visible indices, and the size they are below.
    indices: Vec<(Var, Dim)>,
    /// No element of a float is larger.
    bounds: HashMap<Var, f64>,
    depth: usize,
}

impl Random<'_> {
    fn done(&self) -> bool {
        self.choices.as_slice().is_empty()
    }

    /// A number below `n`; 0 when the choices are used up.
    fn choose(&mut self, n: usize) -> usize {
        self.choices.next().map_or(0, |choice| usize::from(*choice) % n)
    }

    /// A visible float, rather a late one.
    fn float(&mut self) -> Var {
        let count = self.floats.len();
        let back = self.choose(count).min(self.choose(count));
        self.floats[count - 1 - back]
    }

    fn scalar(&mut self) -> Var {
        let scalars: Vec<Var> = self.floats.iter().copied().filter(|var| self.b.ty(*var).is_scalar()).collect();
        let back = self.choose(scalars.len());
        scalars[scalars.len() - 1 - back]
    }

    /// The latest or another visible float of a type.
    fn of_type(&mut self, ty: &Ty) -> Option<Var> {
        let fitting: Vec<Var> = self.floats.iter().copied().filter(|var| self.b.ty(*var) == ty).collect();
        if fitting.is_empty() {
            return None;
        }
        let back = self.choose(fitting.len());
        Some(fitting[fitting.len() - 1 - back])
    }

    fn push(&mut self, var: Var, bound: f64) {
        let (var, bound) = if bound > LARGEST { (self.b.map(&rows::tanh, &[var]), 1.0) } else { (var, bound) };
        self.bounds.insert(var, bound);
        self.floats.push(var);
    }

    fn bound(&self, var: Var) -> f64 {
        self.bounds[&var]
    }

    fn small(&self, dims: &[Dim]) -> bool {
        dims.len() <= 4 && machine().dims(&Ty::tensor(Elem::F64, dims.to_vec())).iter().product::<usize>() <= ELEMENTS
    }

    fn statements(&mut self, most: usize) {
        for _ in 0..=self.choose(most) {
            if !self.done() {
                self.statement();
            }
        }
    }

    /// One more float, where the choices fit.
    fn statement(&mut self) {
        match self.choose(13) {
            0 | 1 => self.unary(),
            2 | 3 => self.binary(),
            4 => self.reduce(),
            5 => self.view(),
            6 => self.product(),
            7 => self.get(),
            8 => self.update(),
            9 => self.constant(),
            10 | 11 if self.control != Control::None && self.depth < 3 => self.for_loop(),
            12 if self.control != Control::None && self.depth < 3 => match self.choose(2) {
                1 if self.control == Control::All => self.while_loop(),
                _ => self.branch(),
            },
            _ => self.pack(),
        }
    }

    fn unary(&mut self) {
        let names =
            ["sin", "cos", "tanh", "sigmoid", "neg", "square", "relu", "exp", "ln", "sqrt", "recip", "stop_gradient"];
        // The last one has no derivative.
        let count = if self.control == Control::All { names.len() } else { names.len() - 1 };
        let name = names[self.choose(count)];
        let row: &'static Row = find(name).expect(name);
        let x = self.float();
        let (arg, bound) = match name {
            "neg" | "relu" | "stop_gradient" => (x, self.bound(x)),
            "square" => (x, self.bound(x) * self.bound(x)),
            "sin" | "cos" | "tanh" | "sigmoid" => (x, 1.0),
            "exp" => (self.b.map(&rows::sin, &[x]), 3.0),
            // 1.5 + sin x keeps away from the pole at 0.
            _ => (self.away_from_zero(x), 2.0),
        };
        let y = self.b.map(row, &[arg]);
        self.push(y, bound);
    }

    fn away_from_zero(&mut self, x: Var) -> Var {
        let sin = self.b.map(&rows::sin, &[x]);
        let offset = self.b.constant(&Elem::F64, 1.5);
        self.b.map(&rows::add, &[sin, offset])
    }

    fn binary(&mut self) {
        let (x, mut y) = (self.float(), self.float());
        let tys = [self.b.ty(x).clone(), self.b.ty(y).clone()];
        match rows::mul.result(&tys) {
            Ok(typed) if typed.equal.is_empty() && self.small(&typed.ty.dims) => {}
            _ => y = x,
        }
        let (a, b) = (self.bound(x), self.bound(y));
        let (result, bound) = match self.choose(6) {
            0 => (self.b.map(&rows::add, &[x, y]), a + b),
            1 => (self.b.map(&rows::sub, &[x, y]), a + b),
            2 | 3 => (self.b.map(&rows::mul, &[x, y]), a * b),
            4 => {
                let divisor = self.away_from_zero(y);
                (self.b.map(&rows::div, &[x, divisor]), 2.0 * a)
            }
            _ => {
                let above = self.b.map(&rows::gt, &[x, y]);
                (self.b.map(&rows::select, &[above, x, y]), a.max(b))
            }
        };
        self.push(result, bound);
    }

    /// Some of the axes of a shape.
    fn axes(&mut self, rank: usize) -> Vec<usize> {
        let mask = 1 + self.choose((1 << rank) - 1);
        (0..rank).filter(|axis| mask >> axis & 1 == 1).collect()
    }

    fn reduce(&mut self) {
        let x = self.float();
        let ty = self.b.ty(x).clone();
        if ty.is_scalar() {
            return;
        }
        let axes = self.axes(ty.rank());
        let keep = self.choose(2) == 1;
        let count: usize = axes.iter().map(|axis| machine().size(&ty.dims[*axis]) as usize).product();
        let bound = self.bound(x);
        match self.choose(4) {
            0 if self.control == Control::All => {
                let y = self.b.apply(Reduce::max(axes, keep), &[x]);
                self.push(y, bound);
            }
            _ => {
                let y = self.b.apply(Reduce::sum(axes, keep), &[x]);
                self.push(y, bound * count as f64);
            }
        }
    }

    fn view(&mut self) {
        let x = self.float();
        let ty = self.b.ty(x).clone();
        let (bound, rank) = (self.bound(x), ty.rank());
        let op: Rc<dyn Operator> = match self.choose(4) {
            0 => {
                let shift = self.choose(rank.max(1));
                Rc::new(Permute { axes: (0..rank).map(|axis| (axis + shift) % rank).collect() })
            }
            1 => {
                let dims = [
                    &[n(2)],
                    &ty.dims.iter().map(|dim| if dim.is(1) { n(3) } else { dim.clone() }).collect::<Vec<_>>()[..],
                ]
                .concat();
                Rc::new(BroadcastTo { dims })
            }
            2 if rank > 0 => {
                let axes = self.axes(rank);
                let dims = ty
                    .dims
                    .iter()
                    .enumerate()
                    .map(|(axis, dim)| if axes.contains(&axis) { n(1) } else { dim.clone() })
                    .collect();
                let y = self.b.apply(SumTo { dims }, &[x]);
                self.push(y, bound * ELEMENTS as f64);
                return;
            }
            _ => {
                let all = Dim::product(&ty.dims);
                let dims = match self.choose(4) {
                    0 => vec![all],
                    1 => vec![n(1), all],
                    2 if all.is(6) => vec![n(3), n(2)],
                    _ => ty.dims.iter().rev().cloned().collect(),
                };
                Rc::new(Reshape { dims })
            }
        };
        if let Ok(typed) = op.result(&[ty]) {
            if self.small(&typed.ty.dims) {
                let y = self.b.tensor(op, &[x]).expect("a view that fits");
                self.push(y, bound);
            }
        }
    }

    fn product(&mut self) {
        let (x, y) = (self.float(), self.float());
        let (ta, tb) = (self.choose(2) == 1, self.choose(2) == 1);
        let tys = [self.b.ty(x).clone(), self.b.ty(y).clone()];
        let op: Rc<dyn Operator> = match (tys[0].rank(), tys[1].rank()) {
            (2, 2) => Rc::new(MatMul { ta, tb }),
            (2, 1) => Rc::new(MatVec { t: ta }),
            (1, 1) => Rc::new(Outer),
            _ => return,
        };
        match op.result(&tys) {
            Ok(typed) if typed.equal.is_empty() && self.small(&typed.ty.dims) => {}
            _ => return,
        }
        let bound = 4.0 * self.bound(x) * self.bound(y);
        let product = self.b.tensor(op, &[x, y]).expect("a product that fits");
        self.push(product, bound);
    }

    /// Indices into the first axes of a shape.
    fn place(&mut self, dims: &[Dim], count: usize) -> Option<Vec<Var>> {
        dims[..count]
            .iter()
            .map(|dim| {
                let fitting: Vec<Var> =
                    self.indices.iter().filter(|(_, below)| below == dim).map(|(index, _)| *index).collect();
                let chosen = self.choose(2 * fitting.len() + 1).div_ceil(2);
                let chosen = chosen.checked_sub(1).unwrap_or(fitting.len());
                match (fitting.get(chosen), dim.as_literal()) {
                    (Some(index), Some(size)) if self.choose(2) == 1 => Some(self.shifted(*index, size)),
                    (Some(index), _) => Some(*index),
                    (None, Some(size)) => {
                        let at = self.choose(usize::try_from(size).ok()?);
                        Some(self.b.dim(n(i64::try_from(at).ok()?)))
                    }
                    (None, None) => Some(self.b.dim(n(0))),
                }
            })
            .collect()
    }

    /// (i + 1) mod size
    fn shifted(&mut self, index: Var, size: i64) -> Var {
        let (one, size) = (self.b.dim(n(1)), self.b.dim(n(size)));
        let next = self.b.int(IntOp::Add, index, one);
        self.b.int(IntOp::Rem, next, size)
    }

    fn get(&mut self) {
        let x = self.float();
        let dims = self.b.ty(x).dims.clone();
        if dims.is_empty() {
            return;
        }
        let count = 1 + self.choose(dims.len());
        if let Some(at) = self.place(&dims, count) {
            let y = self.b.get(x, &at);
            let bound = self.bound(x);
            self.push(y, bound);
        }
    }

    fn update(&mut self) {
        let t = self.float();
        let ty = self.b.ty(t).clone();
        if ty.is_scalar() {
            return;
        }
        let count = self.choose(ty.rank() + 1);
        let Some(at) = self.place(&ty.dims, count) else { return };
        let Some(v) = self.of_type(&Ty::tensor(Elem::F64, ty.dims[count..].to_vec())) else { return };
        let (a, b) = (self.bound(t), self.bound(v));
        if self.choose(2) == 0 && count > 0 {
            let y = self.b.set(t, v, &at);
            self.push(y, a.max(b));
        } else {
            let y = self.b.acc(t, v, &at);
            self.push(y, a + b);
        }
    }

    fn constant(&mut self) {
        match self.choose(4) {
            0 => {
                let like = self.float();
                let ty = self.b.ty(like).clone();
                let zero = self.b.zero(ty);
                self.push(zero, 0.0);
            }
            k => {
                let constant = self.b.constant(&Elem::F64, [0.0, 1.0, -0.5, 2.0][k]);
                self.push(constant, 2.0);
            }
        }
    }

    fn pack(&mut self) {
        let x = self.float();
        let ty = self.b.ty(x).clone();
        let y = self.of_type(&ty).unwrap_or(x);
        if self.small(&[&[n(2)], &ty.dims[..]].concat()) {
            let packed = self.b.pack(&[x, y]);
            let bound = self.bound(x).max(self.bound(y));
            self.push(packed, bound);
        }
    }

    // --- control --------------------------------------------------------------------------------------

    /// Runs `f` in a block of its own; what is defined there is visible only there.
    fn inside<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let (floats, indices) = (self.floats.len(), self.indices.len());
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        self.floats.truncate(floats);
        self.indices.truncate(indices);
        result
    }

    /// Some visible floats, to be carried; none twice, as a loop would not carry one twice either.
    fn carried(&mut self) -> Vec<Var> {
        let mut carried = Vec::new();
        for _ in 0..=self.choose(3) {
            let var = self.float();
            if !carried.contains(&var) {
                carried.push(var);
            }
        }
        carried
    }

    /// Parameters like `inits`, visible and bounded whatever the loop does.
    fn params(&mut self, inits: &[Var]) -> Vec<Var> {
        let params: Vec<Var> = inits.iter().map(|init| self.b.var(self.b.ty(*init).clone(), None)).collect();
        params.iter().for_each(|param| self.push(*param, LARGEST));
        params
    }

    /// For each parameter the next value.
    fn next(&mut self, params: &[Var]) -> Vec<Var> {
        params
            .iter()
            .map(|param| {
                let ty = self.b.ty(*param).clone();
                self.of_type(&ty).unwrap_or(*param)
            })
            .collect()
    }

    fn for_loop(&mut self) {
        let (lo, hi, size) = match self.choose(7) {
            0 => (n(0), n(3), Some(n(3))),
            1 => (n(0), n(2), Some(n(2))),
            2 => (n(1), n(3), Some(n(3))),
            3 => (n(0), Dim::atom("N"), Some(Dim::atom("N"))),
            4 => (n(0), Dim::atom("M"), Some(Dim::atom("M"))),
            5 => (n(0), n(1), Some(n(1))),
            _ => (n(2), n(2), None),
        };
        let kind = self.choose(8);
        let (reverse, keep) = (kind % 4 == 1, few(kind));
        let inits = self.carried();
        let region = self.inside(|random| {
            random.b.open_block();
            let index = random.b.var(Ty::index(), None);
            random.indices.extend(size.map(|size| (index, size)));
            let params = random.params(&inits);
            random.statements(5);
            let results = random.next(&params);
            random.b.close_block([vec![index], params].concat(), results)
        });
        let tys = inits.iter().map(|init| self.b.ty(*init).clone()).collect();
        let op = Op::For { lo, hi, reverse, keep, order: Order::Ordered };
        let outs = self.b.push_multi(op, inits, vec![region], tys);
        outs.iter().for_each(|out| self.push(*out, LARGEST));
    }

    /// Counts down from 2.5 to something below 1.
    fn while_loop(&mut self) {
        let keep = few(self.choose(8));
        let counter = self.b.constant(&Elem::F64, 2.5);
        let one = self.b.constant(&Elem::F64, 1.0);
        let inits = [vec![counter], self.carried()].concat();
        let cond = self.inside(|random| {
            random.b.open_block();
            let params = random.params(&inits);
            let more = random.b.map(&rows::gt, &[params[0], one]);
            random.b.close_block(params, vec![more])
        });
        let step = self.inside(|random| {
            random.b.open_block();
            let params = random.params(&inits);
            let fewer = random.b.map(&rows::sub, &[params[0], one]);
            random.statements(4);
            let mut results = random.next(&params);
            results[0] = fewer;
            random.b.close_block(params, results)
        });
        let tys = inits.iter().map(|init| self.b.ty(*init).clone()).collect();
        let op = Op::While { keep };
        let outs = self.b.push_multi(op, inits, vec![cond, step], tys);
        outs.iter().for_each(|out| self.push(*out, LARGEST));
    }

    fn branch(&mut self) {
        let (x, y) = (self.scalar(), self.scalar());
        let cond = self.b.map(&rows::gt, &[x, y]);
        let like = self.carried();
        let region = |random: &mut Self| {
            random.inside(|random| {
                random.b.open_block();
                random.statements(4);
                let results = random.next(&like);
                random.b.close_block(Vec::new(), results)
            })
        };
        let regions = vec![region(self), region(self)];
        let tys = like.iter().map(|var| self.b.ty(*var).clone()).collect();
        let outs = self.b.push_multi(Op::If, vec![cond], regions, tys);
        outs.iter().for_each(|out| self.push(*out, LARGEST));
    }
}

/// Snapshots for some loops, too few of them for every iteration.
fn few(choice: usize) -> SavePolicy {
    match choice {
        4 | 5 => SavePolicy::Snapshots(n(1)),
        6 => SavePolicy::Snapshots(n(2)),
        _ => SavePolicy::All,
    }
}
