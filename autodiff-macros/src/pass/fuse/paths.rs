//! Whether one equation leads to another by way of what each reads last.
//!
//! An equation has a path to the last equation that it reads from, and so on: a tree. That finds most of the paths at once,
//! and never one that is not there.

#[derive(Default)]
pub(super) struct Paths {
    nodes: Vec<Path>,
}

struct Path {
    depth: u32,
    parent: usize,
    /// Somewhere further up, so that any height is reached in a logarithm of steps.
    jump: usize,
}

impl Paths {
    /// An equation that reads from `parent`.
    pub fn add(&mut self, parent: Option<usize>) -> usize {
        let own = self.nodes.len();
        let path = match parent {
            Some(parent) => {
                let (up, over) = (&self.nodes[parent], self.nodes[parent].jump);
                let further = &self.nodes[over];
                let balanced = up.depth - further.depth == further.depth - self.nodes[further.jump].depth;
                Path { depth: up.depth + 1, parent, jump: if balanced { further.jump } else { parent } }
            }
            None => Path { depth: 0, parent: own, jump: own },
        };
        self.nodes.push(path);
        own
    }

    /// Whether there is a path from one to the other, which may be the same.
    pub fn leads(&self, from: usize, to: usize) -> bool {
        let mut at = to;
        while self.nodes[at].depth > self.nodes[from].depth {
            let path = &self.nodes[at];
            at = if self.nodes[path.jump].depth >= self.nodes[from].depth { path.jump } else { path.parent };
        }
        at == from
    }
}
