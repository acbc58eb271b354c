//! Loop fusion.
//!
//! Note [When two loops may be one]. `p` before `q`, over the same range. Merged, iteration `i` of `q` runs
//! right after iteration `i` of `p`, before the later iterations of `p`. That is the same if
//! - `q` reads an array that `p` writes only at places that iteration `i` of `p` wrote: there is one axis at
//!   which every write of `p` and every read of `q` has the loop's index;
//! - where `q` goes on with a value that `p` carried, both only accumulate into it, or write it as above;
//! - nothing between the two both depends on `p` and is needed by `q`.
//!
//! A loop that runs from the end may run from the start if it is not ordered: see Note [Order of iterations] in
//! [`crate::analysis::accesses`]. What has an effect keeps its place among all that has one.
//!
//! A merged loop is a [`Group`] until all decisions of its block are made. The facts of a group follow from those of the
//! loops in it, so that no region is looked at twice, and the smaller group's tables go into those of the larger one.

mod group;
mod paths;

use super::simplify::Simplifier;
use crate::analysis::accesses::Scanner;
use crate::ir::dim::Dim;
use crate::ir::effect::is_ordered;
use crate::ir::var::HashMap;
use crate::ir::var::VarTable;
use crate::ir::{Block, Body, Eqn, Op, Order, Var, VarMap};
use group::{Carried, Group};
use paths::Paths;
use std::collections::BTreeSet;

pub fn run(mut body: Body) -> Body {
    if !has_loop(&body.block) {
        return body;
    }
    let mut simplifier = Simplifier::default();
    simplifier.block(&body.vars, &mut body.block);
    let mut pass = Fuse {
        simplifier,
        scanner: Scanner::new(&body.vars),
        makers: VarMap::default(),
        readers: VarMap::default(),
        blocks: 0,
    };
    pass.block(&mut body.block);
    pass.simplifier.block(&body.vars, &mut body.block);
    body
}

fn has_loop(block: &Block) -> bool {
    block.eqns.iter().any(|eqn| eqn.as_for().is_some() || eqn.regions.iter().any(has_loop))
}

/// How many loops over the same range are tried that have nothing to do with a loop.
const LOOK_BACK: usize = 64;

/// What makes a variable of a block.
#[derive(Clone, Copy)]
enum Maker {
    Node(usize),
    /// A constant, an array of zeros: it is where it is needed.
    Leaf(usize),
}

struct Fuse<'v> {
    simplifier: Simplifier,
    scanner: Scanner<'v>,
    /// What makes the variables of a block, with the number of the block.
    makers: VarMap<(u32, Maker)>,
    /// How many nodes of a block read its variables.
    readers: VarMap<u32>,
    blocks: u32,
}

/// An equation of the block, or several loops that have become one.
struct Node {
    /// The equation, unless it is a loop.
    eqn: Option<Eqn>,
    group: Option<Group>,
    /// The variables of the block that it reads, and whether it reads them in a region.
    uses: VarTable<bool>,
    leaves: Vec<usize>,
    /// Whether it has an effect that others see the order of.
    is_ordered: bool,
    /// Where its equations are among the paths.
    paths: Vec<usize>,
}

/// The block whose loops become one.
struct Fusion<'f, 'v> {
    pass: &'f mut Fuse<'v>,
    number: u32,
    nodes: Vec<Node>,
    leaves: Vec<Option<Eqn>>,
    /// What stands where; nothing where a loop was that has become one with an earlier one.
    slots: Vec<Option<Maker>>,
    /// The slots of the nodes.
    places: Vec<usize>,
    carried: Vec<Carried>,
    /// The loops over each range, by their slots.
    ranges: Vec<BTreeSet<usize>>,
    paths: Paths,
    any_ordered: bool,
    /// When a node was last seen by a search.
    seen: Vec<u32>,
    searches: u32,
}

impl Fuse<'_> {
    fn block(&mut self, block: &mut Block) {
        if block.eqns.iter().any(|eqn| eqn.as_for().is_some()) {
            self.blocks += 1;
            let number = self.blocks;
            Fusion::new(self, number, block).run(block);
        }
        for region in block.eqns.iter_mut().flat_map(|eqn| &mut eqn.regions) {
            self.block(region);
        }
    }

    fn maker(&self, var: Var, block: u32) -> Option<Maker> {
        self.makers.get(var).filter(|(number, _)| *number == block).map(|(_, maker)| *maker)
    }
}

impl<'f, 'v> Fusion<'f, 'v> {
    fn new(pass: &'f mut Fuse<'v>, number: u32, block: &mut Block) -> Fusion<'f, 'v> {
        let mut fusion = Fusion {
            pass,
            number,
            nodes: Vec::new(),
            leaves: Vec::new(),
            slots: Vec::new(),
            places: Vec::new(),
            carried: Vec::new(),
            ranges: Vec::new(),
            paths: Paths::default(),
            any_ordered: false,
            seen: Vec::new(),
            searches: 0,
        };
        let mut ranges = HashMap::default();
        for eqn in std::mem::take(&mut block.eqns) {
            fusion.add(eqn, &mut ranges);
        }
        for result in &block.results {
            if fusion.pass.maker(*result, number).is_some() {
                *fusion.pass.readers.entry(*result) += 1;
            }
        }
        fusion
    }

    fn add(&mut self, eqn: Eqn, ranges: &mut HashMap<(Dim, Dim), usize>) {
        let slot = self.slots.len();
        let free = matches!(eqn.op, Op::Const(_) | Op::Dim(_) | Op::Zero(_));
        let mut alone = free;
        eqn.for_each_own_use(&mut |var| alone &= self.pass.maker(var, self.number).is_none());
        let maker = if alone { Maker::Leaf(self.leaves.len()) } else { Maker::Node(self.nodes.len()) };
        let mut uses = VarTable::default();
        let mut leaves = Vec::new();
        let mut latest: Option<usize> = None;
        if !alone {
            let (pass, nodes, block) = (&*self.pass, &self.nodes, self.number);
            let mut note = |var: Var, inside: bool| match pass.maker(var, block) {
                Some(Maker::Node(node)) => {
                    latest = latest.max(Some(nodes[node].paths[0]));
                    *uses.entry(var).or_insert(false) |= inside;
                }
                Some(Maker::Leaf(leaf)) => leaves.push(leaf),
                None => {}
            };
            eqn.for_each_own_use(&mut |var| note(var, false));
            for region in &eqn.regions {
                region.for_each_use(&mut |var| note(var, true));
            }
            leaves.sort_unstable();
            leaves.dedup();
        }
        for var in uses.keys() {
            *self.pass.readers.entry(*var) += 1;
        }
        for out in &eqn.outs {
            self.pass.makers.insert(*out, (self.number, maker));
            self.pass.readers.insert(*out, 0);
        }
        self.slots.push(Some(maker));
        if alone {
            self.leaves.push(Some(eqn));
            return;
        }
        let path = self.paths.add(latest);
        let is_ordered = is_ordered(&eqn);
        self.any_ordered |= is_ordered;
        let (mut eqn, mut group) = (Some(eqn), None);
        if let Some(one) = eqn.take_if(|eqn| eqn.as_for().is_some()) {
            if let Op::For { lo, hi, .. } = &one.op {
                let next = ranges.len();
                let range = *ranges.entry((lo.clone(), hi.clone())).or_insert(next);
                if range == self.ranges.len() {
                    self.ranges.push(BTreeSet::new());
                }
                self.ranges[range].insert(slot);
                let facts = self.pass.scanner.facts(&one.regions[0]);
                group = Some(Group::new(one, facts, range, &mut self.carried));
            }
        }
        self.nodes.push(Node { eqn, group, uses, leaves, is_ordered, paths: vec![path] });
        self.places.push(slot);
        self.seen.push(0);
    }

    fn run(mut self, block: &mut Block) {
        // First what hands arrays on, from the end: a cheap value that is needed late joins the loop that needs it.
        let mut at = self.slots.len();
        while at > 0 {
            at -= 1;
            if let Some(merged) = self.loop_at(at).and_then(|node| self.fuse_related(node)) {
                at = merged + 1;
            }
        }
        // Then what merely runs over the same range.
        let mut open: BTreeSet<usize> = self.ranges.iter().filter(|range| range.len() > 1).flatten().copied().collect();
        while let Some(at) = open.pop_first() {
            let Some(node) = self.loop_at(at) else { continue };
            if let Some((merged, range)) = self.fuse_unrelated(node, at) {
                // The merged loop may fit an earlier one in turn, and what is after it may fit the merged loop.
                open.extend(self.ranges[range].range(merged..at));
            }
        }
        self.finish(block);
    }

    fn loop_at(&self, slot: usize) -> Option<usize> {
        match self.slots[slot] {
            Some(Maker::Node(node)) if self.nodes[node].group.is_some() => Some(node),
            _ => None,
        }
    }

    fn group(&self, node: usize) -> &Group {
        match &self.nodes[node].group {
            Some(group) => group,
            None => unreachable!("only loops are in groups"),
        }
    }

    /// Merges a loop into the last one that makes something it reads. Returns the slot of the merged loop.
    fn fuse_related(&mut self, q: usize) -> Option<usize> {
        let range = self.group(q).range;
        let mut found: Vec<usize> = Vec::new();
        for var in self.nodes[q].uses.keys() {
            if let Some(Maker::Node(p)) = self.pass.maker(*var, self.number) {
                if self.nodes[p].group.as_ref().is_some_and(|group| group.range == range) {
                    found.push(self.places[p]);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found.into_iter().rev().find_map(|slot| self.try_merge(self.loop_at(slot)?, q))
    }

    fn fuse_unrelated(&mut self, q: usize, at: usize) -> Option<(usize, usize)> {
        let range = self.group(q).range;
        let before: Vec<usize> = self.ranges[range].range(..at).rev().take(LOOK_BACK).copied().collect();
        let merged = before.into_iter().find_map(|slot| self.try_merge(self.loop_at(slot)?, q))?;
        Some((merged, range))
    }

    /// See Note [When two loops may be one]. Returns the slot of the merged loop.
    fn try_merge(&mut self, p: usize, q: usize) -> Option<usize> {
        let (first, second) = (self.group(p), self.group(q));
        if first.reverse != second.reverse && (first.order == Order::Ordered || second.order == Order::Ordered) {
            return None;
        }
        if self.has_path(p, q) || first.clashes_with(second) {
            return None;
        }
        let chained = self.chained(p, q)?;
        let before = self.needed_before(p, q)?;
        Some(self.merge(p, q, &chained, before))
    }

    /// Whether something on the way from `p` to `q` is seen at once.
    fn has_path(&self, p: usize, q: usize) -> bool {
        self.nodes[q].uses.keys().any(|var| match self.pass.maker(*var, self.number) {
            Some(Maker::Node(node)) if node != p => {
                let pairs =
                    self.nodes[p].paths.iter().flat_map(|from| self.nodes[node].paths.iter().map(move |to| (from, to)));
                pairs.into_iter().any(|(from, to)| self.paths.leads(*from, *to))
            }
            _ => false,
        })
    }

    /// The carried values of `p` that `q` goes on with, and its own for them; `None` if one enters `q` in a way that cannot be.
    fn chained(&self, p: usize, q: usize) -> Option<Vec<(usize, usize)>> {
        let (first, second) = (self.group(p), self.group(q));
        let uses = &self.nodes[q].uses;
        let entering: Vec<Var> = match first.outs.len() < uses.len() {
            true => first.outs.keys().copied().filter(|out| uses.contains_key(out)).collect(),
            false => uses.keys().copied().filter(|var| first.outs.contains_key(var)).collect(),
        };
        let mut chained = Vec::new();
        for out in entering {
            let k = first.outs[&out];
            let own = &self.carried[k];
            let starts = second.starts.get(&out).map_or(&[][..], |starts| starts);
            let read = uses[&out];
            let array = self.pass.scanner.is_array(out);
            match (starts, read) {
                ([], false) => {}
                ([], true) if array => {
                    let reads = second.arrays.get(&out).copied().flatten()?;
                    if !first.arrays[&own.param]?.and(reads).is_aligned() {
                        return None;
                    }
                }
                // Nothing else may read it.
                ([n], false) if self.pass.readers.get(out) == Some(&1) => {
                    let other = &self.carried[*n];
                    let continues = match array {
                        true => {
                            let accesses = first.arrays[&own.param]?.and(second.arrays[&other.param]?);
                            accesses.is_aligned() || accesses.only_adds()
                        }
                        false => own.combining.is_some() && own.combining == other.combining,
                    };
                    if !continues {
                        return None;
                    }
                    chained.push((k, *n));
                }
                _ => return None,
            }
        }
        Some(chained)
    }

    /// What stands between `p` and `q` and `q` needs, none of which may depend on `p`.
    fn needed_before(&mut self, p: usize, q: usize) -> Option<Vec<usize>> {
        self.searches += 1;
        let mut before = Vec::new();
        let mut open = vec![q];
        while let Some(node) = open.pop() {
            for var in self.nodes[node].uses.keys() {
                let Some(Maker::Node(maker)) = self.pass.maker(*var, self.number) else { continue };
                if maker == p && node != q {
                    return None;
                }
                if self.places[maker] > self.places[p] && self.seen[maker] != self.searches {
                    self.seen[maker] = self.searches;
                    before.push(maker);
                    open.push(maker);
                }
            }
        }
        before.sort_unstable_by_key(|node| self.places[*node]);
        if self.any_ordered {
            // Effects stay in their order: none moves past another.
            let [first, second] = [p, q].map(|node| self.nodes[node].is_ordered);
            let moves = before.iter().any(|node| self.nodes[*node].is_ordered);
            let between = &self.slots[self.places[p] + 1..self.places[q]];
            let stays = between.iter().any(|maker| match maker {
                Some(Maker::Node(node)) => self.nodes[*node].is_ordered && self.seen[*node] != self.searches,
                _ => false,
            });
            if (first || stays) && (second || moves) {
                return None;
            }
        }
        Some(before)
    }

    /// Makes one loop of two, which is the node of the larger one.
    fn merge(&mut self, p: usize, q: usize, chained: &[(usize, usize)], before: Vec<usize>) -> usize {
        let (from, to) = (self.places[p], self.places[q]);
        let range = self.group(p).range;
        let keeps_first =
            self.nodes[p].uses.len() + self.group(p).outs.len() >= self.nodes[q].uses.len() + self.group(q).outs.len();
        let (node, gone) = if keeps_first { (p, q) } else { (q, p) };

        // What q reads of p is read inside now, and what both read is read by one.
        let outs: Vec<Var> = match self.group(p).outs.len() < self.nodes[q].uses.len() {
            true => self.group(p).outs.keys().copied().filter(|out| self.nodes[q].uses.contains_key(out)).collect(),
            false => self.nodes[q].uses.keys().copied().filter(|var| self.group(p).outs.contains_key(var)).collect(),
        };
        for out in &outs {
            self.nodes[q].uses.remove(out);
            *self.pass.readers.entry(*out) -= 1;
        }
        let small = std::mem::take(&mut self.nodes[gone].uses);
        for (var, inside) in small {
            match self.nodes[node].uses.get_mut(&var) {
                Some(known) => {
                    *known |= inside;
                    *self.pass.readers.entry(var) -= 1;
                }
                None => drop(self.nodes[node].uses.insert(var, inside)),
            }
        }
        let (leaves, paths) =
            (std::mem::take(&mut self.nodes[gone].leaves), std::mem::take(&mut self.nodes[gone].paths));
        self.nodes[node].leaves.extend(leaves);
        self.nodes[node].paths.extend(paths);
        let too_many = self.nodes[node].paths.len().saturating_sub(MAX_PATHS);
        self.nodes[node].paths.drain(..too_many);
        self.nodes[node].is_ordered |= self.nodes[gone].is_ordered;

        if let (Some(first), Some(second)) = (self.nodes[p].group.take(), self.nodes[q].group.take()) {
            for out in if keeps_first { second.outs.keys() } else { first.outs.keys() } {
                self.pass.makers.insert(*out, (self.number, Maker::Node(node)));
            }
            let merged = first.merge(second, chained, &mut self.carried);
            self.nodes[node].group = Some(merged);
        }

        self.ranges[range].remove(&from);
        self.ranges[range].remove(&to);
        self.slots[to] = None;
        self.slots[from] = None;
        let at = self.arrange(from, to, before);
        self.slots[at] = Some(Maker::Node(node));
        self.places[node] = at;
        self.ranges[range].insert(at);
        at
    }

    /// Puts some nodes between two slots before the others there. Returns the slot after them.
    fn arrange(&mut self, from: usize, to: usize, before: Vec<usize>) -> usize {
        if before.is_empty() {
            return from;
        }
        let at = from + before.len();
        let mut others: Vec<Maker> = Vec::new();
        for slot in from + 1..to {
            match self.slots[slot].take() {
                Some(Maker::Node(node)) => {
                    if let Some(group) = &self.nodes[node].group {
                        self.ranges[group.range].remove(&slot);
                    }
                    if self.seen[node] != self.searches {
                        others.push(Maker::Node(node));
                    }
                }
                Some(leaf) => others.push(leaf),
                None => {}
            }
        }
        let moved = before.into_iter().map(Maker::Node).zip(from..).chain(others.into_iter().zip(at + 1..));
        for (maker, slot) in moved {
            self.slots[slot] = Some(maker);
            if let Maker::Node(node) = maker {
                self.places[node] = slot;
                if let Some(group) = &self.nodes[node].group {
                    self.ranges[group.range].insert(slot);
                }
            }
        }
        at
    }

    /// The equations, in order.
    fn finish(mut self, block: &mut Block) {
        let vars = self.pass.scanner.vars();
        for slot in std::mem::take(&mut self.slots) {
            match slot {
                Some(Maker::Leaf(leaf)) => block.eqns.extend(self.leaves[leaf].take()),
                Some(Maker::Node(node)) => {
                    let Node { eqn, group, mut leaves, .. } = std::mem::replace(&mut self.nodes[node], Node::gone());
                    leaves.sort_unstable();
                    for leaf in leaves {
                        block.eqns.extend(self.leaves[leaf].take());
                    }
                    block.eqns.extend(eqn);
                    if let Some(group) = group {
                        let is_merged = group.is_merged();
                        let mut eqn = group.build(&self.carried);
                        if is_merged {
                            // Results stay: whether they are used outside is not known here.
                            self.pass.simplifier.block(vars, &mut eqn.regions[0]);
                            let known = self.pass.scanner.facts(&eqn.regions[0]).order();
                            if let Op::For { order, .. } = &mut eqn.op {
                                *order = known;
                            }
                        }
                        straighten(&mut eqn);
                        block.eqns.push(eqn);
                    }
                }
                None => {}
            }
        }
    }
}

/// How many paths to a merged loop are remembered.
const MAX_PATHS: usize = 4;

impl Node {
    fn gone() -> Node {
        let (uses, leaves, paths) = Default::default();
        Node { eqn: None, group: None, uses, leaves, is_ordered: false, paths }
    }
}

/// Lets a loop run forwards where the order does not matter.
fn straighten(eqn: &mut Eqn) {
    if let Op::For { reverse, order: Order::Reduce | Order::Independent, .. } = &mut eqn.op {
        *reverse = false;
    }
}
