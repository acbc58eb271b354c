//! Products of matrices and vectors. Kernels: `autodiff_core::kernel::{matmul, …}`; all add into their result.

use super::batched::{Batch, Batched};
use super::convolve::convolve;
use super::view::reshape;
use super::{Class, Mismatch, NoTaylorRule, Operator, Typed, broadcast};
#[cfg(test)]
use super::{Sample, attributes, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison, Dim};
use crate::ir::{Ty, Var};
use std::rc::Rc;

/// `matmul`, `matmul_tn` (Aᵀ·B), `matmul_nt` (A·Bᵀ), `matmul_tt`: `[m, k] · [k, n] -> [m, n]`.
#[derive(Clone, Copy, Debug)]
pub struct MatMul {
    pub ta: bool,
    pub tb: bool,
}

impl MatMul {
    #[cfg(test)]
    pub fn named(name: &str) -> Option<MatMul> {
        let forms = [(false, false), (true, false), (false, true), (true, true)].map(|(ta, tb)| MatMul { ta, tb });
        forms.into_iter().find(|form| form.name() == name)
    }

    fn name(self) -> &'static str {
        match (self.ta, self.tb) {
            (false, false) => "matmul",
            (true, false) => "matmul_tn",
            (false, true) => "matmul_nt",
            (true, true) => "matmul_tt",
        }
    }
}

/// The inner dimensions of a product, which must agree.
fn inner(a: &[Dim], b: &[Dim], x: &Dim, y: &Dim) -> Result<Vec<(Dim, Dim, String)>, Mismatch> {
    let message = format!("cannot multiply {} by {}: inner dimensions {x} and {y} differ", dim::show(a), dim::show(b));
    match x.compare(y) {
        Comparison::Equal => Ok(Vec::new()),
        Comparison::Unknown => Ok(vec![(x.clone(), y.clone(), message)]),
        Comparison::Different => {
            Err(Mismatch { message, note: "`matmul` takes [m, k] and [k, n]".into(), help: transpose_help(a, b) })
        }
    }
}

/// The transpose that would make the operands fit.
fn transpose_help(a: &[Dim], b: &[Dim]) -> Option<String> {
    let equal = |x: &Dim, y: &Dim| x.compare(y) == Comparison::Equal;
    match (a, b) {
        ([k, m], [k2, n]) if equal(k, k2) => {
            let dims = dim::show(&[m.clone(), n.clone()]);
            Some(format!("to multiply by the transpose, write `{{0}}.t().matmul({{1}})`, which is {dims}"))
        }
        ([m, k], [n, k2]) if equal(k, k2) => {
            let dims = dim::show(&[m.clone(), n.clone()]);
            Some(format!("to multiply by the transpose, write `{{0}}.matmul({{1}}.t())`, which is {dims}"))
        }
        ([k, m], [k2]) if equal(k, k2) => {
            let dims = dim::show(std::slice::from_ref(m));
            Some(format!("to multiply by the transpose, write `{{0}}.t().matmul({{1}})`, which is {dims}"))
        }
        ([x, k], [y, n]) if equal(x, n) && !equal(k, y) => {
            let dims = dim::show(&[y.clone(), k.clone()]);
            Some(format!("the other order fits: `{{1}}.matmul({{0}})` is {dims}"))
        }
        _ => None,
    }
}

impl MatMul {
    /// Where the factors of a term of the element in a row and a column are.
    pub fn places(self, [i, j]: [Var; 2], term: Var) -> [Vec<Var>; 2] {
        let left = if self.ta { vec![term, i] } else { vec![i, term] };
        let right = if self.tb { vec![j, term] } else { vec![term, j] };
        [left, right]
    }

    fn terms(self, b: &Builder, args: &[Var]) -> Dim {
        b.ty(args[0]).dims[usize::from(!self.ta)].clone()
    }
}

impl Operator for MatMul {
    fn text(&self) -> String {
        self.name().into()
    }

    fn class(&self) -> Class {
        Class::Kernel(self.name())
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let ([a0, a1], [b0, b1]) = (&args[0].dims[..], &args[1].dims[..]) else {
            return Err(rank_mismatch(args));
        };
        let (m, k) = if self.ta { (a1, a0) } else { (a0, a1) };
        let (k2, n) = if self.tb { (b1, b0) } else { (b0, b1) };
        let equal = inner(&[m.clone(), k.clone()], &[k2.clone(), n.clone()], k, k2)?;
        Ok(Typed { ty: Ty::tensor(args[0].elem.clone(), vec![m.clone(), n.clone()]), equal })
    }

    /// Ẏ = Ȧ·B + A·Ḃ
    fn tangent(&self, b: &mut Builder, args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        bilinear(b, args, dots, |b, x, y| b.apply(*self, &[x, y]))
    }

    fn taylor(
        &self,
        b: &mut Builder,
        args: &[Var],
        y: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, NoTaylorRule> {
        let terms = self.terms(b, args);
        Ok(convolve(b, args, y, tails, &[terms], &mut |_, at, term| self.places([at[0], at[1]], term[0])))
    }

    /// Ā = Ȳ·Bᵀ,  B̄ = Aᵀ·Ȳ; with a transposed operand, the transpose of that.
    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        let MatMul { ta, tb } = *self;
        let a_bar = wants[0].then(|| match ta {
            false => b.apply(MatMul { ta: false, tb: !tb }, &[y_bar, args[1]]),
            true => b.apply(MatMul { ta: tb, tb: true }, &[args[1], y_bar]),
        });
        let b_bar = wants[1].then(|| match tb {
            false => b.apply(MatMul { ta: !ta, tb: false }, &[args[0], y_bar]),
            true => b.apply(MatMul { ta: true, tb: ta }, &[y_bar, args[0]]),
        });
        vec![a_bar, b_bar]
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        let terms = self.terms(b, args);
        sums_of_terms(b, args, (None, ty), &terms, &|at, term| self.places([at[0], at[1]], term))
    }

    fn loops_into(&self, b: &mut Builder, acc: Var, args: &[Var]) -> Option<Var> {
        let (terms, ty) = (self.terms(b, args), b.ty(acc).clone());
        sums_of_terms(b, args, (Some(acc), &ty), &terms, &|at, term| self.places([at[0], at[1]], term))
    }

    fn is_written_out(&self, operands: &[&Ty]) -> bool {
        are_small(operands, OF_MATRICES)
    }

    fn sets(&self) -> bool {
        true
    }

    /// A transposed operand is read transposed.
    fn absorb(&self, sources: &[Option<(&dyn Operator, Var)>]) -> Option<(Rc<dyn Operator>, Vec<Option<Var>>)> {
        let transposed: Vec<Option<Var>> = sources.iter().map(|source| transposed(*source)).collect();
        let op = MatMul { ta: self.ta != transposed[0].is_some(), tb: self.tb != transposed[1].is_some() };
        transposed.iter().any(Option::is_some).then(|| (Rc::new(op) as Rc<dyn Operator>, transposed))
    }

    /// (A·B)ᵀ = Bᵀ·Aᵀ
    fn transpose(&self) -> Option<Rc<dyn Operator>> {
        Some(Rc::new(MatMul { ta: !self.tb, tb: !self.ta }))
    }

    #[cfg(test)]
    fn eval(&self, args: &[crate::ir::eval::Array], dims: &[usize]) -> Option<crate::ir::eval::Array> {
        let (a, b) = (&args[0], &args[1]);
        let inner = if self.ta { a.dims[0] } else { a.dims[1] };
        Some(crate::ir::eval::Array::from_fn(dims, |at| {
            (0..inner)
                .map(|k| {
                    let x = if self.ta { a.at(&[k, at[0]]) } else { a.at(&[at[0], k]) };
                    let y = if self.tb { b.at(&[at[1], k]) } else { b.at(&[k, at[1]]) };
                    x * y
                })
                .sum()
        }))
    }
}

/// What is transposed, if the operand is a transpose.
fn transposed(source: Option<(&dyn Operator, Var)>) -> Option<Var> {
    source.filter(|(op, _)| op.text() == "permute[1, 0]").map(|(_, x)| x)
}

/// `matvec` (A·x) and `matvec_t` (Aᵀ·x).
#[derive(Clone, Copy, Debug)]
pub struct MatVec {
    pub t: bool,
}

impl MatVec {
    /// Where the factors of a term of the element in a row are.
    fn places(self, i: Var, term: Var) -> [Vec<Var>; 2] {
        [if self.t { vec![term, i] } else { vec![i, term] }, vec![term]]
    }
}

impl Operator for MatVec {
    fn text(&self) -> String {
        if self.t { "matvec_t" } else { "matvec" }.into()
    }

    fn class(&self) -> Class {
        Class::Kernel(if self.t { "matvec_t" } else { "matvec" })
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let ([a0, a1], [k2]) = (&args[0].dims[..], &args[1].dims[..]) else {
            return Err(rank_mismatch(args));
        };
        let (m, k) = if self.t { (a1, a0) } else { (a0, a1) };
        // `x.matmul(a)` with a vector `x` is `matvec_t a x`: the user's order has the vector first.
        let equal = if self.t {
            inner(&args[1].dims, &args[0].dims, k2, k)?
        } else {
            inner(&args[0].dims, &args[1].dims, k, k2)?
        };
        Ok(Typed { ty: Ty::tensor(args[0].elem.clone(), vec![m.clone()]), equal })
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        bilinear(b, args, dots, |b, x, y| b.apply(*self, &[x, y]))
    }

    fn taylor(
        &self,
        b: &mut Builder,
        args: &[Var],
        y: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, NoTaylorRule> {
        let terms = b.ty(args[1]).dims.clone();
        Ok(convolve(b, args, y, tails, &terms, &mut |_, at, term| self.places(at[0], term[0])))
    }

    /// Ā = ȳ·xᵀ (or x·ȳᵀ),  x̄ = Aᵀ·ȳ (or A·ȳ)
    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        let (a, x) = (args[0], args[1]);
        let pair = if self.t { [x, y_bar] } else { [y_bar, x] };
        vec![wants[0].then(|| b.apply(Outer, &pair)), wants[1].then(|| b.apply(MatVec { t: !self.t }, &[a, y_bar]))]
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        let terms = b.ty(args[1]).dims[0].clone();
        sums_of_terms(b, args, (None, ty), &terms, &|at, term| self.places(at[0], term))
    }

    fn loops_into(&self, b: &mut Builder, acc: Var, args: &[Var]) -> Option<Var> {
        let (terms, ty) = (b.ty(args[1]).dims[0].clone(), b.ty(acc).clone());
        sums_of_terms(b, args, (Some(acc), &ty), &terms, &|at, term| self.places(at[0], term))
    }

    fn is_written_out(&self, operands: &[&Ty]) -> bool {
        are_small(operands, WITH_VECTORS)
    }

    fn sets(&self) -> bool {
        true
    }

    fn absorb(&self, sources: &[Option<(&dyn Operator, Var)>]) -> Option<(Rc<dyn Operator>, Vec<Option<Var>>)> {
        let a = transposed(sources[0])?;
        Some((Rc::new(MatVec { t: !self.t }), vec![Some(a), None]))
    }

    #[cfg(test)]
    fn eval(&self, args: &[crate::ir::eval::Array], dims: &[usize]) -> Option<crate::ir::eval::Array> {
        let (a, x) = (&args[0], &args[1]);
        Some(crate::ir::eval::Array::from_fn(dims, |at| {
            (0..x.dims[0]).map(|k| if self.t { a.at(&[k, at[0]]) } else { a.at(&[at[0], k]) } * x.at(&[k])).sum()
        }))
    }
}

/// `outer`: x·yᵀ, `[m], [n] -> [m, n]`.
#[derive(Clone, Copy, Debug)]
pub struct Outer;

impl Operator for Outer {
    fn text(&self) -> String {
        "outer".into()
    }

    fn class(&self) -> Class {
        Class::Kernel("outer")
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let ([m], [n]) = (&args[0].dims[..], &args[1].dims[..]) else {
            return Err(rank_mismatch(args));
        };
        Ok(Ty::tensor(args[0].elem.clone(), vec![m.clone(), n.clone()]).into())
    }

    fn tangent(&self, b: &mut Builder, args: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        bilinear(b, args, dots, |b, x, y| b.apply(Outer, &[x, y]))
    }

    fn taylor(
        &self,
        b: &mut Builder,
        args: &[Var],
        y: Var,
        tails: &[Option<Var>],
    ) -> Result<Option<Var>, NoTaylorRule> {
        Ok(convolve(b, args, y, tails, &[], &mut |_, at, _| [vec![at[0]], vec![at[1]]]))
    }

    /// x̄ = Ȳ·y,  ȳ = Ȳᵀ·x
    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, wants: &[bool]) -> Vec<Option<Var>> {
        vec![
            wants[0].then(|| b.apply(MatVec { t: false }, &[y_bar, args[1]])),
            wants[1].then(|| b.apply(MatVec { t: true }, &[y_bar, args[0]])),
        ]
    }

    fn loops(&self, b: &mut Builder, args: &[Var], ty: &Ty) -> Option<Var> {
        sums_of_terms(b, args, (None, ty), &Dim::literal(1), &|at, _| [vec![at[0]], vec![at[1]]])
    }

    fn loops_into(&self, b: &mut Builder, acc: Var, args: &[Var]) -> Option<Var> {
        let ty = b.ty(acc).clone();
        sums_of_terms(b, args, (Some(acc), &ty), &Dim::literal(1), &|at, _| [vec![at[0]], vec![at[1]]])
    }

    fn is_written_out(&self, operands: &[&Ty]) -> bool {
        are_small(operands, WITH_VECTORS)
    }

    fn sets(&self) -> bool {
        true
    }

    #[cfg(test)]
    fn eval(&self, args: &[crate::ir::eval::Array], dims: &[usize]) -> Option<crate::ir::eval::Array> {
        Some(crate::ir::eval::Array::from_fn(dims, |at| args[0].at(&at[..1]) * args[1].at(&at[1..])))
    }
}

/// The most rows and columns of the matrices of geometry, whose products are written out: those of homogeneous transformations.
const OF_MATRICES: i64 = 4;

/// The same for a matrix and a vector: an element of SE(3) has six numbers.
const WITH_VECTORS: i64 = 6;

fn are_small(operands: &[&Ty], most: i64) -> bool {
    let mut dims = operands.iter().flat_map(|operand| &operand.dims);
    dims.all(|dim| dim.as_literal().is_some_and(|size| (1..=most).contains(&size)))
}

/// A product as loops over its elements, each of which is the sum of its terms, added to `acc` if there is one.
fn sums_of_terms(
    b: &mut Builder,
    args: &[Var],
    (acc, ty): (Option<Var>, &Ty),
    terms: &Dim,
    places: &dyn Fn(&[Var], Var) -> [Vec<Var>; 2],
) -> Option<Var> {
    let terms = terms.as_literal()?;
    let into = acc.unwrap_or_else(|| b.zero(ty.clone()));
    let product = b.nest(&ty.dims, &[into], &mut |b, at, into| {
        let mut sum = None;
        for term in 0..terms {
            let term = b.dim(Dim::literal(term));
            let [left, right] = places(at, term);
            let (left, right) = (b.get(args[0], &left), b.get(args[1], &right));
            let product = b.mul(left, right);
            sum = Some(sum.map_or(product, |sum| b.add(sum, product)));
        }
        match sum {
            Some(sum) if acc.is_some() => vec![b.acc(into[0], sum, at)],
            Some(sum) => vec![b.set(into[0], sum, at)],
            None => into.to_vec(),
        }
    });
    Some(product[0])
}

/// The product rule.
pub fn bilinear(
    b: &mut Builder,
    args: &[Var],
    dots: &[Option<Var>],
    apply: impl Fn(&mut Builder, Var, Var) -> Var,
) -> Option<Var> {
    let left = dots[0].map(|dot| apply(b, dot, args[1]));
    let right = dots[1].map(|dot| apply(b, args[0], dot));
    match (left, right) {
        (Some(left), Some(right)) => Some(b.add(left, right)),
        (left, right) => left.or(right),
    }
}

fn rank_mismatch(args: &[Ty]) -> Mismatch {
    Mismatch {
        message: format!(
            "cannot multiply {} by {}: wrong number of axes",
            dim::show(&args[0].dims),
            dim::show(&args[1].dims)
        ),
        note: "`matmul` takes matrices [m, k] and [k, n], stacks of them, or vectors in their place".into(),
        help: None,
    }
}

/// The product, after NumPy: of the last two axes, and the axes before them are broadcast; a vector is a row on the
/// left and a column on the right.
pub fn product(b: &mut Builder, x: Var, y: Var) -> Result<Var, Mismatch> {
    let (left, right) = (b.ty(x).dims.clone(), b.ty(y).dims.clone());
    let (op, args): (Rc<dyn Operator>, [Var; 2]) = match (left.len(), right.len()) {
        (0, _) | (_, 0) => return Err(rank_mismatch(&[b.ty(x).clone(), b.ty(y).clone()])),
        (1, 1) => {
            let equal = inner(&left, &right, &left[0], &right[0])?;
            b.oblige(&Typed { ty: Ty::index(), equal });
            return Ok(super::composite::dot(b, x, y));
        }
        (2, 1) => (Rc::new(MatVec { t: false }), [x, y]),
        (1, 2) => (Rc::new(MatVec { t: true }), [y, x]),
        (2, 2) => (Rc::new(MatMul { ta: false, tb: false }), [x, y]),
        (1, _) => {
            let row = reshape(b, x, vec![Dim::literal(1), left[0].clone()]);
            let product = product(b, row, y)?;
            let mut dims = b.ty(product).dims.clone();
            dims.remove(dims.len() - 2);
            return Ok(reshape(b, product, dims));
        }
        (_, 1) => {
            let column = reshape(b, y, vec![right[0].clone(), Dim::literal(1)]);
            let product = product(b, x, column)?;
            let mut dims = b.ty(product).dims.clone();
            dims.pop();
            return Ok(reshape(b, product, dims));
        }
        (m, n) => {
            let (outer, equal) =
                broadcast("multiply", &left[..m - 2], &right[..n - 2]).map_err(|mismatch| Mismatch {
                    message: format!(
                        "cannot multiply {} by {}: before the matrices, {}",
                        dim::show(&left),
                        dim::show(&right),
                        mismatch.message.rsplit(": ").next().unwrap_or_default()
                    ),
                    note: "`matmul` multiplies the last two axes and broadcasts those before them".into(),
                    help: None,
                })?;
            b.oblige(&Typed { ty: Ty::index(), equal });
            let follows = |own: &[Dim]| {
                let offset = outer.len() - own.len();
                own.iter()
                    .enumerate()
                    .map(|(k, dim)| (!dim.is(1) || outer[k + offset].is(1)).then_some(k + offset))
                    .collect()
            };
            let axes = [follows(&left[..m - 2]), follows(&right[..n - 2]), follows(&outer)];
            (Rc::new(Batched { op: MatMul { ta: false, tb: false }, batch: Batch { dims: outer, axes } }), [x, y])
        }
    };
    b.tensor(op, &args)
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    if let Some(form) = MatMul::named(text) {
        return Some(Rc::new(form));
    }
    for t in [false, true] {
        if text == (MatVec { t }).text() {
            return Some(Rc::new(MatVec { t }));
        }
    }
    attributes(text, "outer").map(|_| Rc::new(Outer) as Rc<dyn Operator>)
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    vec![
        sample("matmul", &["f64[2, 3]", "f64[3, 4]"]),
        sample("matmul", &["f64[3, 3]", "f64[3, 3]"]),
        sample("matmul", &["f64[1, N]", "f64[N, M]"]),
        sample("matmul_tn", &["f64[3, 2]", "f64[3, 4]"]),
        sample("matmul_nt", &["f64[2, 3]", "f64[4, 3]"]),
        sample("matmul_tt", &["f64[3, 2]", "f64[4, 3]"]),
        sample("matvec", &["f64[2, 3]", "f64[3]"]),
        sample("matvec", &["f64[N, M]", "f64[M]"]),
        sample("matvec_t", &["f64[2, 3]", "f64[2]"]),
        sample("outer", &["f64[2]", "f64[3]"]),
        sample("outer", &["f64[3]", "f64[3]"]),
    ]
}
