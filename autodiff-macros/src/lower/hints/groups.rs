//! Variables that have to be of one type.

use super::place;
use crate::relay::Knowledge;
use std::collections::HashMap;
use syn::visit::Visit;
use syn::{Pat, PatIdent};

/// What is known of names that are of one type, from the least to the most.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    #[default]
    Free,
    /// Beside something that is not understood.
    Vague,
    /// It becomes negative, or is converted without loss: no index.
    Signed,
    Known(String),
}

pub struct Groups<'k> {
    pub knowledge: &'k Knowledge,
    /// What names mean here, innermost scope last.
    pub scopes: Vec<HashMap<String, usize>>,
    pub places: HashMap<usize, usize>,
    pub names: HashMap<String, Vec<usize>>,
    pub parents: Vec<usize>,
    pub kinds: Vec<Kind>,
    /// The parameters of closures, by their variables.
    pub closures: HashMap<usize, Vec<Option<usize>>>,
    /// Whether what is visited is gone afterwards, so that places in it mean nothing.
    pub passing: bool,
}

impl Groups<'_> {
    pub fn new(knowledge: &Knowledge) -> Groups<'_> {
        Groups {
            knowledge,
            scopes: vec![HashMap::new()],
            places: HashMap::new(),
            names: HashMap::new(),
            parents: Vec::new(),
            kinds: Vec::new(),
            closures: HashMap::new(),
            passing: false,
        }
    }

    /// A new variable, or the one that is at this place already.
    pub fn bind(&mut self, name: &str, place: Option<usize>) -> usize {
        let place = place.filter(|_| !self.passing);
        let id = match place.and_then(|place| self.places.get(&place)) {
            Some(id) => *id,
            None => {
                let id = self.parents.len();
                self.parents.push(id);
                self.kinds.push(Kind::Free);
                self.names.entry(name.to_owned()).or_default().push(id);
                place.map(|place| self.places.insert(place, id));
                id
            }
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), id);
        }
        id
    }

    pub fn bind_all(&mut self, pat: &Pat) {
        struct Bound<'g, 'k>(&'g mut Groups<'k>);
        impl<'a> Visit<'a> for Bound<'_, '_> {
            fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
                self.0.bind(&pattern.ident.to_string(), Some(place(pattern)));
                syn::visit::visit_pat_ident(self, pattern);
            }
        }
        Bound(self).visit_pat(pat);
    }

    pub fn scoped(&mut self, run: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        run(self);
        self.scopes.pop();
    }

    /// The variable of a name; what is none has a group, too.
    pub fn id(&mut self, name: &str) -> usize {
        match self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            Some(id) => *id,
            None => {
                let inner = self.scopes.split_off(1);
                let id = self.bind(name, None);
                self.scopes.extend(inner);
                id
            }
        }
    }

    pub fn root(&mut self, mut id: usize) -> usize {
        while self.parents[id] != id {
            self.parents[id] = self.parents[self.parents[id]];
            id = self.parents[id];
        }
        id
    }

    pub fn kind_of(&mut self, id: usize) -> Kind {
        let root = self.root(id);
        self.kinds[root].clone()
    }

    pub fn note(&mut self, id: usize, kind: Kind) {
        let root = self.root(id);
        self.kinds[root] = std::mem::take(&mut self.kinds[root]).max(kind);
    }

    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let kind = std::mem::take(&mut self.kinds[b]).max(std::mem::take(&mut self.kinds[a]));
        self.kinds[a] = kind;
        self.parents[b] = a;
    }
}
