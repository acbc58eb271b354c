//! Tables and sets of variables. A variable is a number, so that they are lists with a place for each.

use super::Var;
use std::hash::{BuildHasherDefault, Hasher};

/// A value for some of the variables. Clearing it takes no time.
#[derive(Clone, Debug)]
pub struct VarMap<T> {
    /// The values, with the time of their entry.
    places: Vec<Option<(u32, T)>>,
    /// What was entered before this time is not there any more.
    now: u32,
}

impl<T> Default for VarMap<T> {
    fn default() -> VarMap<T> {
        VarMap { places: Vec::new(), now: 0 }
    }
}

impl<T> VarMap<T> {
    pub fn get(&self, var: Var) -> Option<&T> {
        match self.places.get(var.0 as usize) {
            Some(Some((time, value))) if *time == self.now => Some(value),
            _ => None,
        }
    }

    pub fn contains(&self, var: Var) -> bool {
        self.get(var).is_some()
    }

    fn place(&mut self, var: Var) -> &mut Option<(u32, T)> {
        let at = var.0 as usize;
        if at >= self.places.len() {
            self.places.resize_with((at + 1).next_power_of_two(), || None);
        }
        &mut self.places[at]
    }

    pub fn insert(&mut self, var: Var, value: T) {
        let now = self.now;
        *self.place(var) = Some((now, value));
    }

    pub fn clear(&mut self) {
        self.now += 1;
    }
}

impl<T: Default> VarMap<T> {
    /// The value of a variable, which is the default if it has none yet.
    pub fn entry(&mut self, var: Var) -> &mut T {
        let now = self.now;
        let place = self.place(var);
        if place.as_ref().is_none_or(|(time, _)| *time != now) {
            *place = None;
        }
        &mut place.get_or_insert_with(|| (now, T::default())).1
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

/// Some of the variables. Clearing it takes no time.
#[derive(Clone, Debug, Default)]
pub struct VarSet {
    /// When each variable was entered; 0 if it was not.
    times: Vec<u32>,
    /// How often the set has been cleared.
    cleared: u32,
}

impl VarSet {
    pub fn contains(&self, var: Var) -> bool {
        match self.times.get(var.0 as usize) {
            Some(time) => *time == self.cleared + 1,
            None => false,
        }
    }

    /// Says whether it was not there before.
    pub fn insert(&mut self, var: Var) -> bool {
        let (at, now) = (var.0 as usize, self.cleared + 1);
        if at >= self.times.len() {
            self.times.resize((at + 1).next_power_of_two(), 0);
        }
        std::mem::replace(&mut self.times[at], now) != now
    }

    pub fn remove(&mut self, var: Var) {
        if let Some(time) = self.times.get_mut(var.0 as usize) {
            *time = 0;
        }
    }

    pub fn clear(&mut self) {
        self.cleared += 1;
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

/// A table whose keys are variables or other small numbers. Its hash is fast, and the same on every run.
pub type HashMap<K, T> = std::collections::HashMap<K, T, BuildHasherDefault<VarHasher>>;

/// A set of them.
pub type HashSet<K> = std::collections::HashSet<K, BuildHasherDefault<VarHasher>>;

/// A table of few variables, where a [`VarMap`] would have too many empty places.
pub type VarTable<T> = HashMap<Var, T>;

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
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
