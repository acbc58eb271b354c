//! Tables and sets of variables. A variable is a number, so that they are lists with a place for each.

use super::Var;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A value for some of the variables.
#[derive(Clone, Debug)]
pub struct VarMap<T>(Vec<Option<T>>);

impl<T> Default for VarMap<T> {
    fn default() -> VarMap<T> {
        VarMap(Vec::new())
    }
}

impl<T> VarMap<T> {
    pub fn get(&self, var: Var) -> Option<&T> {
        match self.0.get(var.0 as usize) {
            Some(Some(value)) => Some(value),
            _ => None,
        }
    }

    pub fn get_mut(&mut self, var: Var) -> Option<&mut T> {
        match self.0.get_mut(var.0 as usize) {
            Some(Some(value)) => Some(value),
            _ => None,
        }
    }

    pub fn contains(&self, var: Var) -> bool {
        self.get(var).is_some()
    }

    fn place(&mut self, var: Var) -> &mut Option<T> {
        let at = var.0 as usize;
        if at >= self.0.len() {
            self.0.resize_with((at + 1).next_power_of_two(), || None);
        }
        &mut self.0[at]
    }

    pub fn insert(&mut self, var: Var, value: T) -> Option<T> {
        self.place(var).replace(value)
    }

    pub fn remove(&mut self, var: Var) -> Option<T> {
        self.0.get_mut(var.0 as usize)?.take()
    }
}

impl<T: Default> VarMap<T> {
    /// The value of a variable, which is the default if it has none yet.
    pub fn entry(&mut self, var: Var) -> &mut T {
        self.place(var).get_or_insert_default()
    }
}

impl VarMap<Var> {
    /// What a variable is called now, where names may have been renamed in turn.
    pub fn last(&self, mut var: Var) -> Var {
        while let Some(other) = self.get(var) {
            var = *other;
        }
        var
    }
}

impl<T> Extend<(Var, T)> for VarMap<T> {
    fn extend<I: IntoIterator<Item = (Var, T)>>(&mut self, pairs: I) {
        for (var, value) in pairs {
            self.insert(var, value);
        }
    }
}

impl<T> FromIterator<(Var, T)> for VarMap<T> {
    fn from_iter<I: IntoIterator<Item = (Var, T)>>(pairs: I) -> VarMap<T> {
        let mut map = VarMap::default();
        map.extend(pairs);
        map
    }
}

/// Some of the variables.
#[derive(Clone, Debug, Default)]
pub struct VarSet(Vec<bool>);

impl VarSet {
    pub fn contains(&self, var: Var) -> bool {
        match self.0.get(var.0 as usize) {
            Some(present) => *present,
            None => false,
        }
    }

    /// Says whether it was not there before.
    pub fn insert(&mut self, var: Var) -> bool {
        let at = var.0 as usize;
        if at >= self.0.len() {
            self.0.resize((at + 1).next_power_of_two(), false);
        }
        !std::mem::replace(&mut self.0[at], true)
    }

    pub fn remove(&mut self, var: Var) {
        if let Some(present) = self.0.get_mut(var.0 as usize) {
            *present = false;
        }
    }
}

impl Extend<Var> for VarSet {
    fn extend<I: IntoIterator<Item = Var>>(&mut self, vars: I) {
        for var in vars {
            self.insert(var);
        }
    }
}

impl<'v> Extend<&'v Var> for VarSet {
    fn extend<I: IntoIterator<Item = &'v Var>>(&mut self, vars: I) {
        for var in vars {
            self.insert(*var);
        }
    }
}

impl FromIterator<Var> for VarSet {
    fn from_iter<I: IntoIterator<Item = Var>>(vars: I) -> VarSet {
        let mut set = VarSet::default();
        set.extend(vars);
        set
    }
}

/// A table of few variables, where a [`VarMap`] would have too many empty places.
pub type VarTable<T> = HashMap<Var, T, BuildHasherDefault<VarHasher>>;

/// The hash of a number that is spread already.
#[derive(Default)]
pub struct VarHasher(u64);

impl Hasher for VarHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}
