//! The gradient of a sum over examples, on all cores. `docs/parallel.md` of `autodiff` is the user's view.

// Note [Order of the sum]
//
// The examples are cut into chunks, and the chunks are the leaves of a binary tree: node `i` of level `l` is the sum of the nodes
// `2i` and `2i + 1` of the level below, in this order. Where the second of them is beyond the last chunk, the node is the first.
//
//     level 2              0
//                     ┌────┴────┐
//     level 1         0         1
//                   ┌─┴─┐     ┌─┴─┐
//     level 0       0   1     2   3
//
// The tree depends on the number of chunks only, so that each number of the gradient is the same sum, whichever thread computes
// a part of it and whenever.
//
// Note [Memory of the sum]
//
// Threads take chunks in order. A sum whose sibling is not there yet waits for it, and the thread that brings the sibling
// adds the two. A waiting sum thus has a sibling with a chunk that is in work or not yet begun. Those not yet begun are the last
// ones, so that the siblings lie on the ways from `T` chunks in work, and from the first one not yet begun, to the root: at
// most `(T + 1) · depth` sums wait. Threads that are about equally fast work on neighbours, whose ways to the root are nearly
// the same; then it is `T + depth`. Buffers that are free are used again.

use crate::{Differentiable, Real};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The value of a sum over examples and its gradient, computed on the threads of rayon.
///
/// `gradient_of(params, chunk, gradient)` is what is generated as `f::value_and_grad_into` for a function of the parameters and of a
/// slice of examples: it writes the gradient of a chunk, and returns its value. `params` is of any type `P` with derivatives, the
/// result is a number and a `P::Tangent`. Every chunk has `chunk_len` examples, the last one what remains. Of no examples both
/// are 0.
///
/// The order of the sum depends on the number of examples and on `chunk_len`, not on the number of threads, and so do its bits.
///
/// ```
/// use autodiff_core::parallel;
///
/// // Σ (a·x + b − y)²
/// let examples: Vec<[f64; 2]> = (0..1000).map(f64::from).map(|x| [x, 3.0 * x + 1.0]).collect();
/// let gradient_of = |[a, b]: &[f64; 2], chunk: &[[f64; 2]], gradient: &mut [f64; 2]| {
///     *gradient = [0.0; 2];
///     let mut value = 0.0;
///     for [x, y] in chunk {
///         let residual = a * x + b - y;
///         value += residual * residual;
///         gradient[0] += 2.0 * residual * x;
///         gradient[1] += 2.0 * residual;
///     }
///     value
/// };
/// let (value, gradient) = parallel::value_and_grad(&[3.0, 1.5], &examples, 64, gradient_of);
/// assert_eq!((value, gradient), (250.0, [499_500.0, 1000.0]));
/// ```
///
/// # Panics
///
/// If `chunk_len` is 0, and where `gradient_of` does.
#[track_caller]
pub fn value_and_grad<P, E, F>(params: &P, examples: &[E], chunk_len: usize, gradient_of: F) -> (P::Scalar, P::Tangent)
where
    P: Differentiable<Tangent: Send> + Sync,
    E: Sync,
    F: Fn(&P, &[E], &mut P::Tangent) -> P::Scalar + Sync,
{
    match sum(params, examples, chunk_len, &gradient_of) {
        Some(sum) => (sum.value, sum.gradient),
        None => (P::Scalar::ZERO, params.zero_tangent()),
    }
}

/// [`value_and_grad`], which overwrites a gradient.
///
/// ```
/// use autodiff_core::parallel;
///
/// let square = |x: &f64, chunk: &[f64], gradient: &mut f64| {
///     *gradient = chunk.iter().map(|a| 2.0 * a * x).sum();
///     chunk.iter().map(|a| a * x * x).sum()
/// };
/// let mut gradient = f64::NAN;
/// assert_eq!(parallel::value_and_grad_into(&3.0, &[1.0, 2.0, 3.0], 2, square, &mut gradient), 54.0);
/// assert_eq!(gradient, 36.0);
/// ```
///
/// # Panics
///
/// If `chunk_len` is 0, and where `gradient_of` does.
#[track_caller]
pub fn value_and_grad_into<P, E, F>(
    params: &P,
    examples: &[E],
    chunk_len: usize,
    gradient_of: F,
    gradient: &mut P::Tangent,
) -> P::Scalar
where
    P: Differentiable<Tangent: Send> + Sync,
    E: Sync,
    F: Fn(&P, &[E], &mut P::Tangent) -> P::Scalar + Sync,
{
    let (value, sum) = value_and_grad(params, examples, chunk_len, gradient_of);
    *gradient = sum;
    value
}

/// What a node of the tree is the sum of.
struct Sum<P: Differentiable> {
    value: P::Scalar,
    gradient: P::Tangent,
}

impl<P: Differentiable> Sum<P> {
    fn add(&mut self, other: &Self) {
        self.value += other.value;
        self.gradient.add_scaled(P::Scalar::ONE, &other.gradient);
    }
}

/// A place in the tree: see Note [Order of the sum].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    level: u32,
    index: usize,
}

impl Node {
    fn parent(self) -> Node {
        Node { level: self.level + 1, index: self.index / 2 }
    }

    fn sibling(self) -> Node {
        Node { index: self.index ^ 1, ..self }
    }

    /// Whether it is the second summand of its parent.
    fn is_second(self) -> bool {
        self.index % 2 == 1
    }

    /// Whether one of the chunks belongs to it.
    fn exists(self, chunks: usize) -> bool {
        self.index <= (chunks - 1) >> self.level
    }

    /// Whether all chunks belong to it.
    fn is_root(self, chunks: usize) -> bool {
        (chunks - 1) >> self.level == 0
    }
}

/// What the threads share.
struct State<P: Differentiable> {
    /// The first chunk that nobody has begun.
    next: usize,
    /// Sums whose siblings are not there yet.
    waiting: BTreeMap<Node, Box<Sum<P>>>,
    /// Sums that have been added to others, to be overwritten.
    free: Vec<Box<Sum<P>>>,
    root: Option<Box<Sum<P>>>,
}

struct Work<'a, P: Differentiable, E, F> {
    params: &'a P,
    examples: &'a [E],
    chunk_len: usize,
    chunks: usize,
    gradient_of: &'a F,
    state: Mutex<State<P>>,
}

/// The sum of all chunks, if there are any.
#[track_caller]
fn sum<P, E, F>(params: &P, examples: &[E], chunk_len: usize, gradient_of: &F) -> Option<Box<Sum<P>>>
where
    P: Differentiable<Tangent: Send> + Sync,
    E: Sync,
    F: Fn(&P, &[E], &mut P::Tangent) -> P::Scalar + Sync,
{
    assert!(chunk_len > 0, "a chunk has at least one example, not 0");
    let chunks = examples.len().div_ceil(chunk_len);
    let state = Mutex::new(State { next: 0, waiting: BTreeMap::new(), free: Vec::new(), root: None });
    let work = Work { params, examples, chunk_len, chunks, gradient_of, state };
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads().min(chunks) {
            scope.spawn(|_| work.run());
        }
    });
    work.state.into_inner().unwrap_or_else(PoisonError::into_inner).root
}

impl<P, E, F> Work<'_, P, E, F>
where
    P: Differentiable<Tangent: Send> + Sync,
    F: Fn(&P, &[E], &mut P::Tangent) -> P::Scalar,
{
    /// What a thread does: one chunk after the other.
    fn run(&self) {
        while let Some((chunk, buffer)) = self.begin() {
            let mut sum = buffer.unwrap_or_else(|| self.zero());
            let start = chunk * self.chunk_len;
            let end = self.examples.len().min(start.saturating_add(self.chunk_len));
            sum.value = (self.gradient_of)(self.params, &self.examples[start..end], &mut sum.gradient);
            self.finish(Node { level: 0, index: chunk }, sum);
        }
    }

    /// The next chunk, and a place for its sum if one is free.
    fn begin(&self) -> Option<(usize, Option<Box<Sum<P>>>)> {
        let mut state = self.state();
        let chunk = state.next;
        (chunk < self.chunks).then(|| {
            state.next += 1;
            (chunk, state.free.pop())
        })
    }

    /// Adds the sum of a node to that of its sibling, and so on upwards, as far as the siblings are there.
    fn finish(&self, mut node: Node, mut sum: Box<Sum<P>>) {
        while !node.is_root(self.chunks) {
            if node.sibling().exists(self.chunks) {
                let mut state = self.state();
                let Some(mut other) = state.waiting.remove(&node.sibling()) else {
                    state.waiting.insert(node, sum);
                    return;
                };
                drop(state);
                if node.is_second() {
                    core::mem::swap(&mut sum, &mut other);
                }
                sum.add(&other);
                self.state().free.push(other);
            }
            node = node.parent();
        }
        self.state().root = Some(sum);
    }

    fn zero(&self) -> Box<Sum<P>> {
        Box::new(Sum { value: P::Scalar::ZERO, gradient: self.params.zero_tangent() })
    }

    /// No thread panics while it holds the lock.
    fn state(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
