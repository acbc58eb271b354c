//! What is added to zeros is set, where it is the first thing that happens to an element.
//!
//! ```text
//! for i in 0..N - 1 {                       for i in 0..N - 1 {
//!     x_bar[i + 1] += q;                        x_bar[i + 1] = q;
//!     x_bar[i] += p;                            x_bar[i] += p;
//! }                                         }
//! ```
//!
//! Iteration `i` is the first to touch `x_bar[i + 1]`. That saves reading it, and often lets the additions of
//! neighbouring iterations meet in a register. A kernel that adds to zeros sets them, if there is one that does.

use crate::analysis::integers::{Affine, Integers};
use crate::ir::dim::Dim;
use crate::ir::{Block, Body, Eqn, Op, Ty, Var, VarData};

/// How many equations after the zeros are looked at, so that the work is linear in the body.
const FARTHEST: usize = 512;

/// A body for parameters that are known to be zeros.
pub struct Overwriting {
    pub body: Body,
    /// Those of them that need not be zeros: every element is set before anything else happens to it.
    pub covered: Vec<Var>,
}

/// The body for parameters that are known to be zeros, if it differs.
pub fn run(body: &Body, zeros: &[Var]) -> Option<Overwriting> {
    let integers = Integers::of(&body.block);
    let mut result = Overwriting { body: body.clone(), covered: Vec::new() };
    let mut changed = false;
    for zero in zeros {
        let ty = result.body.ty(*zero).clone();
        let (sets, covers) = array(&mut result.body.block, 0, &integers, *zero, &ty);
        changed |= sets;
        if covers {
            result.covered.push(*zero);
        }
    }
    if changed {
        super::check("overwrite", &result.body);
    }
    changed.then_some(result)
}

/// The body without additions to the zeros that it makes itself.
pub fn own_zeros(mut body: Body) -> Body {
    let integers = Integers::of(&body.block);
    let mut block = std::mem::take(&mut body.block);
    zeros_of(&mut block, &integers, &body.vars);
    body.block = block;
    body
}

fn zeros_of(block: &mut Block, integers: &Integers, vars: &[VarData]) {
    for k in 0..block.eqns.len() {
        if let (Op::Zero(_), [zero]) = (&block.eqns[k].op, &block.eqns[k].outs[..]) {
            let (zero, ty) = (*zero, &vars[zero.0 as usize].ty);
            if !ty.is_scalar() && ty.is_float() && !ty.is_dynamic() {
                array(block, k + 1, integers, zero, ty);
            }
        }
        for region in &mut block.eqns[k].regions {
            zeros_of(region, integers, vars);
        }
    }
}

/// An element that is written, and where the equation is: its place in the block, in that equation's region, …
struct Write {
    at: Vec<Option<Affine>>,
    /// The loops around it, outermost first.
    loops: Vec<Range>,
    path: Vec<usize>,
    adds: bool,
}

#[derive(Clone)]
struct Range {
    index: Var,
    lo: Dim,
    hi: Dim,
}

/// Follows one array from equation `start` of a block, until something other than element updates and one nest of loops
/// happens. Returns whether elements are set now, and whether every one is.
fn array(block: &mut Block, start: usize, integers: &Integers, zero: Var, ty: &Ty) -> (bool, bool) {
    let rank = ty.rank();
    let mut writes: Vec<Write> = Vec::new();
    let mut read = false;
    let mut version = zero;
    let mut outer = None;
    let eqns = block.eqns.iter().enumerate().skip(start).take(FARTHEST);
    for (k, eqn) in eqns.filter(|(_, eqn)| !matches!(eqn.op, Op::Get)) {
        if !eqn.uses(version) {
            continue;
        }
        if let (Op::Into(op), true) = (&eqn.op, writes.is_empty()) {
            let whole = op.sets() && eqn.args[0] == zero && !eqn.args[1..].contains(&zero);
            let is_first = whole && !block.eqns[start..k].iter().any(|eqn| eqn.uses(zero));
            if is_first {
                let op = op.clone();
                block.eqns[k].op = Op::Put(op);
            }
            return (is_first, is_first);
        }
        if let (Op::For { reverse, .. }, true, Some(carried)) =
            (&eqn.op, writes.is_empty(), eqn.args.iter().position(|arg| *arg == version))
        {
            let mut nest = Nest { rank, integers, loops: Vec::new(), path: vec![k], writes: Vec::new(), read: false };
            if nest.collect(eqn, carried) {
                (writes, read) = (nest.writes, nest.read);
                outer = Some((eqn.regions[0].params[0], *reverse));
            }
            break;
        }
        let Some(write) = element(eqn, version, rank, integers, &[], &[k]) else { break };
        writes.push(write);
        version = eqn.outs[0];
    }
    let firsts: Vec<&Write> = writes.iter().filter(|write| is_first(write, &writes, outer)).collect();
    let covers = !read && firsts.iter().any(|write| write.covers(&ty.dims));
    let added: Vec<&Write> = firsts.into_iter().filter(|write| write.adds).collect();
    for write in &added {
        if let Some(eqn) = equation(block, &write.path) {
            eqn.op = Op::Set;
        }
    }
    (!added.is_empty(), covers)
}

impl Write {
    /// Whether the loops visit every element: each axis by an index of its own, not a diagonal.
    fn covers(&self, dims: &[Dim]) -> bool {
        let indices: Vec<Var> = self.at.iter().flatten().filter_map(|at| at.index).collect();
        let is_diagonal = (1..indices.len()).any(|k| indices[..k].contains(&indices[k]));
        !is_diagonal
            && self.at.iter().zip(dims).all(|(form, dim)| match form {
                Some(Affine { index: None, offset: 0 }) => dim.is(1),
                Some(Affine { index: Some(index), offset: 0 }) => {
                    self.loops.iter().any(|range| range.index == *index && range.lo.is(0) && range.hi == *dim)
                }
                _ => false,
            })
    }
}

fn equation<'b>(block: &'b mut Block, path: &[usize]) -> Option<&'b mut Eqn> {
    let (first, rest) = path.split_first()?;
    let eqn = block.eqns.get_mut(*first)?;
    if rest.is_empty() { Some(eqn) } else { equation(eqn.regions.first_mut()?, rest) }
}

/// The write, if the equation only updates one element of the array.
fn element(eqn: &Eqn, array: Var, rank: usize, integers: &Integers, loops: &[Range], path: &[usize]) -> Option<Write> {
    let only = eqn.args.first() == Some(&array) && !eqn.args[1..].contains(&array);
    let adds = match eqn.op {
        Op::Acc => true,
        Op::Set => false,
        _ => return None,
    };
    if !only || eqn.args.len() != rank + 2 {
        return None;
    }
    let at = eqn.args[2..].iter().map(|index| integers.affine(*index)).collect();
    Some(Write { at, loops: loops.to_vec(), path: path.to_vec(), adds })
}

/// The writes of a nest of loops to one array that it carries.
struct Nest<'f> {
    rank: usize,
    integers: &'f Integers,
    loops: Vec<Range>,
    path: Vec<usize>,
    writes: Vec<Write>,
    read: bool,
}

impl Nest<'_> {
    /// `false` if there is any other use than element updates and reads.
    fn collect(&mut self, eqn: &Eqn, carried: usize) -> bool {
        let Some((lo, hi, _, region)) = eqn.as_for() else { return false };
        self.loops.push(Range { index: region.params[0], lo: lo.clone(), hi: hi.clone() });
        let mut version = region.params[carried + 1];
        for (k, inner) in region.eqns.iter().enumerate() {
            if !inner.uses(version) {
                continue;
            }
            self.path.push(k);
            match (&inner.op, inner.args.iter().position(|arg| *arg == version)) {
                (Op::Get, Some(0)) => self.read = true,
                (Op::For { .. }, Some(position)) => {
                    if !self.collect(inner, position) {
                        return false;
                    }
                    version = inner.outs[position];
                }
                _ => match element(inner, version, self.rank, self.integers, &self.loops, &self.path) {
                    Some(write) => {
                        self.writes.push(write);
                        version = inner.outs[0];
                    }
                    None => return false,
                },
            }
            self.path.pop();
        }
        self.loops.pop();
        region.results[carried] == version
    }
}

/// Whether nothing has been written to the element before: not by this write in another iteration, and not by
/// another write. `outer` is the index of the outermost loop, and whether it runs from the end.
fn is_first(write: &Write, writes: &[Write], outer: Option<(Var, bool)>) -> bool {
    let moves_with = |range: &Range| write.at.iter().flatten().any(|at| at.index == Some(range.index));
    write.loops.iter().all(moves_with)
        && writes.iter().filter(|other| other.path != write.path).all(|other| {
            let axes = || write.at.iter().zip(&other.at);
            let literal = |at: &Option<Affine>| at.filter(|at| at.index.is_none()).map(|at| at.offset);
            let apart = axes().any(|(a, b)| literal(a).zip(literal(b)).is_some_and(|(a, b)| a != b));
            let offsets = axes().find_map(|pair| match (pair, outer) {
                ((Some(a), Some(b)), Some((index, reverse))) if a.index == Some(index) && b.index == Some(index) => {
                    Some(if reverse { (b.offset, a.offset) } else { (a.offset, b.offset) })
                }
                _ => None,
            });
            let earlier = match offsets {
                // The other write comes to the element in a later iteration, or later in the same one.
                Some((mine, its)) => mine > its || (mine == its && write.path[1] < other.path[1]),
                // Outside of loops, the order is that of the equations.
                None => outer.is_none() && write.path < other.path,
            };
            apart || earlier
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::{canonical, parse};

    #[track_caller]
    fn overwrites(before: &str, after: &str) {
        let body = |text: &str| parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        let before = body(before);
        let zeros = before.owned.clone();
        let result = run(&before, &zeros).map_or(before, |overwriting| overwriting.body);
        assert_eq!(canonical(&result), canonical(&body(after)));
    }

    fn covered(text: &str) -> usize {
        let body = parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        run(&body, &body.owned).map_or(0, |overwriting| overwriting.covered.len())
    }

    fn neighbours(direction: &str, first: &str, second: &str) -> String {
        format!(
            "fn f(mut %x_bar: f64[N], %p: f64) {{
                %one: usize = dim[1]
                %y: f64[N] = for 0..N - 1{direction} %x_bar |%i: usize, %a: f64[N]| {{
                    %j: usize = iadd %i %one
                    %b: f64[N] = {first} %a %p %j
                    %c: f64[N] = {second} %b %p %i
                    yield %c
                }}
                return %y
            }}"
        )
    }

    #[test]
    fn the_element_ahead() {
        overwrites(&neighbours("", "acc", "acc"), &neighbours("", "set", "acc"));
        overwrites(&neighbours(" rev", "acc", "acc"), &neighbours(" rev", "acc", "set"));
        // The first element is only added to.
        assert_eq!(covered(&neighbours("", "acc", "acc")), 0);
    }

    #[test]
    fn an_axis_that_is_summed_over() {
        let text = |kind: &str| {
            format!(
                "fn f(mut %a_bar: f64[M, N], mut %b_bar: f64[1, N], %p: f64) {{
                    %zero: usize = dim[0]
                    %y: f64[M, N], %z: f64[1, N] = for 0..M %a_bar %b_bar |%i: usize, %a: f64[M, N], %b: f64[1, N]| {{
                        %c: f64[M, N], %d: f64[1, N] = for 0..N %a %b |%j: usize, %e: f64[M, N], %g: f64[1, N]| {{
                            %h: f64[M, N] = {kind} %e %p %i %j
                            %k: f64[1, N] = acc %g %p %zero %j
                            yield %h %k
                        }}
                        yield %c %d
                    }}
                    return %y %z
                }}"
            )
        };
        overwrites(&text("acc"), &text("set"));
        assert_eq!(covered(&text("acc")), 1);
    }

    #[test]
    fn a_diagonal_is_not_the_whole() {
        let text = "fn f(mut %x_bar: f64[N, N], %p: f64) {
                %y: f64[N, N] = for 0..N %x_bar |%i: usize, %a: f64[N, N]| {
                    %b: f64[N, N] = acc %a %p %i %i
                    yield %b
                }
                return %y
            }";
        assert_eq!(covered(text), 0);
    }

    #[test]
    fn straight_lines() {
        let text = |kind: &str| {
            format!(
                "fn f(mut %x_bar: f64[3], %p: f64) {{
                    %zero: usize = dim[0]
                    %one: usize = dim[1]
                    %a: f64[3] = {kind} %x_bar %p %zero
                    %b: f64[3] = {kind} %a %p %one
                    %c: f64[3] = acc %b %p %zero
                    return %c
                }}"
            )
        };
        overwrites(&text("acc"), &text("set"));
    }

    #[test]
    fn a_kernel_comes_first() {
        let text = |first: &str, second: &str| {
            format!(
                "fn f(mut %w_bar: f64[2, 3], %a: f64[4, 2], %b: f64[4, 3]) {{
                    %c: f64[2, 3] = {first} %w_bar %a %b
                    %d: f64[2, 3] = {second} %c %a %b
                    return %d
                }}"
            )
        };
        let before = text("into matmul_tn", "into matmul_tn");
        overwrites(&before, &text("put matmul_tn", "into matmul_tn"));
        assert_eq!(covered(&before), 1);
    }

    /// What is read before is zero, and a sum over a batch has to start there.
    #[test]
    fn not_by_any_kernel() {
        let read = "fn f(mut %w_bar: f64[2, 2], %a: f64[2, 2]) {
            %c: f64[2, 2] = into matmul %w_bar %a %w_bar
            return %c
        }";
        overwrites(read, read);
        let batch = "fn f(mut %w_bar: f64[2, 2], %a: f64[3, 2, 2]) {
            %c: f64[2, 2] = into batched[matmul| 3| 0| 0| ] %w_bar %a %a
            return %c
        }";
        overwrites(batch, batch);
    }

    #[test]
    fn zeros_of_the_body() {
        let body = |product: &str, kind: &str| {
            let text = format!(
                "fn f(%a: f64[2, 2], %x: f64[2]) {{
                    %zero: f64[2, 2] = zero
                    %b: f64[2, 2] = {product} %zero %a %a
                    %y: f64[2, 2] = for 0..2 %b |%i: usize, %c: f64[2, 2]| {{
                        %zeros: f64[2] = zero
                        %d: f64[2] = for 0..2 %zeros |%j: usize, %e: f64[2]| {{
                            %v: f64 = get %x %j
                            %g: f64[2] = {kind} %e %v %j
                            yield %g
                        }}
                        %w: f64 = get %d %i
                        %h: f64[2, 2] = acc %c %w %i %i
                        yield %h
                    }}
                    return %y
                }}"
            );
            parse(&text).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
        };
        let result = own_zeros(body("into matmul", "acc"));
        assert_eq!(canonical(&result), canonical(&body("put matmul", "set")));
    }

    /// Elements of sums in lanes have two indices. Before there are lanes, they have one.
    #[test]
    fn beside_a_sum_in_lanes() {
        let text = "fn f(mut %x_bar: f64[40], %p: f64[40], %start: f64) {
            %y: f64, %z: f64[40] = for 0..40 %start %x_bar |%i: usize, %sum: f64, %a: f64[40]| {
                %v: f64 = get %p %i
                %next: f64 = add_in_lanes %sum %v
                %b: f64[40] = acc %a %v %i
                yield %next %b
            }
            return %y %z
        }";
        let before = parse(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        let zeros = before.owned.clone();
        let before = crate::pass::run(crate::pass::BEFORE_LANES, before);
        let Overwriting { body, covered } = run(&before, &zeros).expect("the cotangent is set");
        assert_eq!(covered, zeros);
        let lanes = canonical(&crate::pass::in_lanes(body, &mut |_, _| {}));
        let count = |what: &str| lanes.lines().filter(|line| line.contains(what)).count();
        assert_eq!((count(" = acc "), count(" = set "), count("lane_total")), (1, 2, 1), "{lanes}");
    }

    /// The index comes from data: it may be the same again.
    #[test]
    fn not_where_the_place_is_unknown() {
        let text = "fn f(mut %x_bar: f64[N], %at: usize[M], %p: f64) {
            %y: f64[N] = for 0..M %x_bar |%i: usize, %a: f64[N]| {
                %j: usize = get %at %i
                %b: f64[N] = acc %a %p %j
                yield %b
            }
            return %y
        }";
        overwrites(text, text);
    }
}
