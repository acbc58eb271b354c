//! Expressions that are not written down yet.

use crate::ir::Var;
use crate::ir::var::VarTable;

/// Variables in the order in which they were entered.
#[derive(Default)]
pub(super) struct Pending {
    /// Also those that have been removed since.
    all: Vec<Var>,
    present: VarTable<()>,
}

impl Pending {
    pub fn push(&mut self, var: Var) {
        self.present.insert(var, ());
        self.all.push(var);
    }

    pub fn remove(&mut self, var: Var) {
        if self.present.remove(&var).is_some() && self.present.is_empty() {
            self.all.clear();
        }
    }

    pub fn contains(&self, var: Var) -> bool {
        self.present.contains_key(&var)
    }

    pub fn append(&mut self, other: Pending) {
        other.all.into_iter().filter(|var| other.present.contains_key(var)).for_each(|var| self.push(var));
    }

    pub fn list(&mut self) -> Vec<Var> {
        self.all.retain(|var| self.present.contains_key(var));
        self.all.clone()
    }
}
