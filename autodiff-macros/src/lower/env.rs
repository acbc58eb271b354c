//! The user's names. A name stands for a slot, which holds the value the variable has at this point of the program.

use super::value::Value;
use std::collections::HashMap;

/// A variable of the user's. Without a value if its definition failed.
#[derive(Clone)]
pub(super) struct Binding {
    pub(super) value: Option<Value>,
    pub(super) mutable: bool,
    pub(super) name: String,
}

/// What names mean, innermost scope last. A branch or an iteration is lowered on a copy.
#[derive(Clone, Default)]
pub(super) struct Env {
    scopes: Vec<HashMap<String, usize>>,
    slots: Vec<Binding>,
}

impl Env {
    pub(super) fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn define(&mut self, name: &str, value: Option<Value>, mutable: bool) -> usize {
        self.slots.push(Binding { value, mutable, name: name.to_owned() });
        let slot = self.slots.len() - 1;
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), slot);
        }
        slot
    }

    /// The value of a parameter, whatever its name stands for by now.
    pub(super) fn first(&self, name: &str) -> Option<Value> {
        let slot = self.scopes.first()?.get(name)?;
        self.slots[*slot].value.clone()
    }

    /// The slot of a name.
    pub(super) fn slot(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Binding> {
        self.slot(name).map(|slot| &self.slots[slot])
    }

    pub(super) fn get(&self, slot: usize) -> &Binding {
        &self.slots[slot]
    }

    pub(super) fn set(&mut self, slot: usize, value: Option<Value>) {
        self.slots[slot].value = value;
    }

    /// The variable that changes when the name is assigned to: that which a mutable borrow is of.
    pub(super) fn owner(&self, name: &str) -> Option<usize> {
        let mut slot = self.slot(name)?;
        while let Some(Value::Alias(alias)) = &self.slots[slot].value {
            slot = alias.slot;
        }
        Some(slot)
    }
}
