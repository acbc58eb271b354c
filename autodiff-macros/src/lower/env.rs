//! The user's names. A name stands for a slot, which holds the value the variable has at this point of the program.

use super::value::Value;
use std::collections::{HashMap, HashSet};

/// A variable of the user's. Without a value if its definition failed.
#[derive(Clone)]
pub(super) struct Binding {
    pub(super) value: Option<Value>,
    pub(super) mutable: bool,
    pub(super) name: String,
    /// Its `let`, if neither that nor its value says of what type it is: see Note [Types by later use].
    pub(super) origin: Option<String>,
    /// The call of an associated function that has made it, and its type.
    pub(super) maker: Option<(String, syn::Path)>,
    /// How often it has been given another value.
    changes: usize,
}

/// Names and their slots, innermost scope last.
pub(super) type Scopes = Vec<HashMap<String, usize>>;

/// What names mean, innermost scope last. A branch or an iteration is lowered on a copy.
#[derive(Clone, Default)]
pub(super) struct Env {
    scopes: Scopes,
    slots: Vec<Binding>,
}

impl Env {
    pub(super) fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    /// How many variables there have been.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn define(&mut self, name: &str, value: Option<Value>, mutable: bool) -> usize {
        self.slots.push(Binding { value, mutable, name: name.to_owned(), origin: None, maker: None, changes: 0 });
        let slot = self.slots.len() - 1;
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), slot);
        }
        slot
    }

    /// Says which `let` the variable is of that a name stands for.
    pub(super) fn set_origin(&mut self, name: &str, origin: String) {
        if let Some(slot) = self.slot(name) {
            self.slots[slot].origin = Some(origin);
        }
    }

    /// Says what has made the variable that a name stands for.
    pub(super) fn set_maker(&mut self, name: &str, maker: (String, syn::Path)) {
        if let Some(slot) = self.slot(name) {
            self.slots[slot].maker = Some(maker);
        }
    }

    /// The value of a parameter, whatever its name stands for by now.
    pub(super) fn first(&self, name: &str) -> Option<Value> {
        let slot = self.scopes.first()?.get(name)?;
        self.slots[*slot].value.clone()
    }

    /// Whether a variable is the parameter of that name.
    pub(super) fn is_first(&self, name: &str, slot: usize) -> bool {
        self.scopes.first().and_then(|scope| scope.get(name)) == Some(&slot)
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
        self.slots[slot].changes += 1;
    }

    /// The variables of `before` that have been given another value since.
    pub(super) fn changed_since(&self, before: &Env) -> Vec<usize> {
        let slots = before.slots.iter().zip(&self.slots).enumerate();
        slots.filter(|(_, (before, now))| before.changes != now.changes).map(|(slot, _)| slot).collect()
    }

    /// The variable that changes when the name is assigned to: that which a mutable borrow is of.
    pub(super) fn owner(&self, name: &str) -> Option<usize> {
        self.slot(name).map(|slot| self.owner_of(slot))
    }

    pub(super) fn owner_of(&self, mut slot: usize) -> usize {
        while let Some(Value::Borrow(place)) = &self.slots[slot].value {
            slot = place.slot;
        }
        slot
    }

    // --- closures ---------------------------------------------------------------------------------------

    pub(super) fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Names mean something else from here on; what they meant until now.
    pub(super) fn enter(&mut self, scopes: Scopes) -> Scopes {
        std::mem::replace(&mut self.scopes, scopes)
    }

    pub(super) fn slot_in(&self, scopes: &Scopes, name: &str) -> Option<usize> {
        scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Variables of their own for some names, with the values of now.
    pub(super) fn copies(&mut self, names: &HashSet<String>) -> HashMap<String, usize> {
        let named = names.iter().filter_map(|name| Some((name.clone(), self.slot(name)?))).collect();
        self.again(&named)
    }

    /// The same variables with values of their own.
    pub(super) fn again(&mut self, variables: &HashMap<String, usize>) -> HashMap<String, usize> {
        let mut again = HashMap::new();
        for (name, slot) in variables {
            self.slots.push(self.slots[*slot].clone());
            again.insert(name.clone(), self.slots.len() - 1);
        }
        again
    }
}
