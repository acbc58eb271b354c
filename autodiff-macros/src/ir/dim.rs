//! Symbolic dimensions: integer polynomials over names that rustc knows (const generics, constants).
//!
//! A [`Dim`] is kept in a normal form (a sum of coefficient × monomial), so that two dimensions that are
//! equal as polynomials are equal as values: `N + N` is `2 * N`. Forms that differ may still be equal at
//! run time of rustc (`A` against `B`); those comparisons are left to a `const` assertion.
//!
//! A size that is known at run time only is the value of an integer variable, written `%7`; the lengths of
//! the rows of a ragged array have no variable and are written `?`.

use super::Var;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// The name of an atom: Rust tokens that evaluate to a `usize` constant where the function stands.
pub type Atom = Rc<str>;

/// A product of atoms, sorted; empty for the constant term.
type Monomial = Vec<Atom>;

/// A length known at compile time. Most are literals, which are cheap to copy and to compare.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Dim {
    constant: i64,
    /// The terms with names and their coefficients; none where there are no such terms.
    terms: Option<Rc<BTreeMap<Monomial, i64>>>,
    /// Whether one of the names stands for what is known at run time only.
    dynamic: bool,
}

fn is_dynamic(monomial: &Monomial) -> bool {
    monomial.iter().any(|atom| matches!(atom.as_bytes().first(), Some(b'%' | b'?')))
}

fn variable(atom: &str) -> Option<Var> {
    atom.strip_prefix('%').and_then(|number| number.parse().ok()).map(Var)
}

/// What comparing two dimensions can tell at expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    Equal,
    Different,
    /// Only rustc can tell.
    Unknown,
}

/// Arrays of what is no leaf are written out, element by element, up to so many.
const MOST_PARTS: i64 = 64;

impl Dim {
    pub fn literal(value: i64) -> Dim {
        Dim { constant: value, terms: None, dynamic: false }
    }

    pub fn atom(name: &str) -> Dim {
        let mut dim = Dim::default();
        dim.add_term(vec![Rc::from(name)], 1);
        dim
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: i64) {
        if monomial.is_empty() {
            self.constant = self.constant.wrapping_add(coefficient);
            return;
        }
        let terms = Rc::make_mut(self.terms.get_or_insert_default());
        let sum = terms.get(&monomial).copied().unwrap_or(0).wrapping_add(coefficient);
        if sum == 0 {
            terms.remove(&monomial);
            self.dynamic = terms.keys().any(is_dynamic);
        } else {
            self.dynamic |= is_dynamic(&monomial);
            terms.insert(monomial, sum);
        }
        if terms.is_empty() {
            self.terms = None;
        }
    }

    /// How many elements an array of this size has of what is no leaf, if they are written out, one by one.
    pub fn written_out(&self) -> Option<usize> {
        self.as_literal().filter(|count| *count <= MOST_PARTS).and_then(|count| usize::try_from(count).ok())
    }

    /// The value, where no name is involved.
    pub fn as_literal(&self) -> Option<i64> {
        self.terms.is_none().then_some(self.constant)
    }

    /// The name, where the dimension is just one.
    pub fn as_atom(&self) -> Option<&Atom> {
        let terms = self.terms.as_ref().filter(|terms| self.constant == 0 && terms.len() == 1)?;
        match terms.iter().next() {
            Some((monomial, 1)) if monomial.len() == 1 => monomial.first(),
            _ => None,
        }
    }

    /// Whether it is written as a number or a name, not computed.
    pub fn is_simple(&self) -> bool {
        self.as_literal().is_some() || self.as_atom().is_some_and(|atom| !atom.contains('('))
    }

    pub fn is(&self, value: i64) -> bool {
        self.as_literal() == Some(value)
    }

    /// The value of an integer variable: a size that is known at run time only.
    pub fn of(var: Var) -> Dim {
        Dim::atom(&format!("%{}", var.0))
    }

    /// A size that no variable has: the rows of a ragged array differ in length.
    pub fn ragged() -> Dim {
        Dim::atom("?")
    }

    /// Whether the size is known at run time only.
    pub fn is_dynamic(&self) -> bool {
        self.dynamic
    }

    pub fn is_ragged(&self) -> bool {
        self.dynamic && self.atoms().any(|atom| &**atom == "?")
    }

    /// The variables that the size is computed from.
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.atoms().filter_map(|atom| variable(atom))
    }

    /// The variable, where the size is just that.
    pub fn as_var(&self) -> Option<Var> {
        variable(self.as_atom()?)
    }

    /// The same size in other variables.
    pub fn rename(&self, f: &dyn Fn(Var) -> Var) -> Dim {
        self.replace(&|var| Some(Dim::of(f(var))))
    }

    /// The same size, where some variables are known to be other sizes.
    pub fn replace(&self, f: &dyn Fn(Var) -> Option<Dim>) -> Dim {
        self.substitute(&|atom| f(variable(atom)?))
    }

    /// What is added and what is taken away: `n + 1` and `m` of `n - m + 1`.
    pub fn signs(&self) -> (Dim, Dim) {
        let (mut plus, mut minus) = (Dim::default(), Dim::default());
        for (monomial, coefficient) in self.terms() {
            match coefficient > 0 {
                true => plus.add_term(monomial.to_vec(), coefficient),
                false => minus.add_term(monomial.to_vec(), -coefficient),
            }
        }
        (plus, minus)
    }

    /// Whether the two may be the same size, as far as can be seen.
    pub fn fits(&self, other: &Dim) -> bool {
        self == other || self.is_dynamic() || other.is_dynamic()
    }

    pub fn plus(&self, other: &Dim) -> Dim {
        let mut sum = self.clone();
        for (monomial, coefficient) in other.terms() {
            sum.add_term(monomial.to_vec(), coefficient);
        }
        sum
    }

    pub fn minus(&self, other: &Dim) -> Dim {
        self.plus(&other.times(&Dim::literal(-1)))
    }

    pub fn times(&self, other: &Dim) -> Dim {
        let mut product = Dim::default();
        for (a, x) in self.terms() {
            for (b, y) in other.terms() {
                let mut monomial: Monomial = a.iter().chain(b).cloned().collect();
                monomial.sort();
                product.add_term(monomial, x.wrapping_mul(y));
            }
        }
        product
    }

    /// The quotient rounded down; of names, a name of its own.
    pub fn over(&self, by: &Dim) -> Dim {
        match (self.as_literal(), by.as_literal()) {
            (_, Some(1)) => self.clone(),
            (Some(x), Some(y)) if y != 0 => Dim::literal(x.div_euclid(y)),
            _ => Dim::atom(&format!("(({self}) / ({by}))")),
        }
    }

    /// What is left over of the quotient; of names, a name of its own.
    pub fn modulo(&self, by: &Dim) -> Dim {
        match (self.as_literal(), by.as_literal()) {
            (Some(x), Some(y)) if y != 0 => Dim::literal(x.rem_euclid(y)),
            _ => Dim::atom(&format!("(({self}) % ({by}))")),
        }
    }

    pub fn product<'d>(dims: impl IntoIterator<Item = &'d Dim>) -> Dim {
        dims.into_iter().fold(Dim::literal(1), |product, dim| product.times(dim))
    }

    pub fn compare(&self, other: &Dim) -> Comparison {
        if self.is_ragged() || other.is_ragged() {
            return Comparison::Unknown;
        }
        // The difference is a number if the terms with names cancel out, and each has one form only.
        match (self.terms == other.terms, self.constant == other.constant) {
            (true, true) => Comparison::Equal,
            (true, false) => Comparison::Different,
            (false, _) => Comparison::Unknown,
        }
    }

    /// Whether the value is at least 0, where names stand for sizes; `None` where only rustc can tell.
    pub fn is_size(&self) -> Option<bool> {
        if self.terms().all(|(_, coefficient)| coefficient >= 0) {
            return Some(true);
        }
        (self.constant < 0 && self.terms().all(|(_, coefficient)| coefficient < 0)).then_some(false)
    }

    /// Replaces atoms by other dimensions (a callee's generics by the caller's).
    pub fn substitute(&self, of: &dyn Fn(&str) -> Option<Dim>) -> Dim {
        let mut result = Dim::literal(self.constant);
        for (monomial, coefficient) in self.terms.iter().flat_map(|terms| terms.iter()) {
            let term = monomial.iter().fold(Dim::literal(*coefficient), |product, atom| {
                product.times(&of(atom).unwrap_or_else(|| Dim::atom(atom)))
            });
            result = result.plus(&term);
        }
        result
    }

    /// The terms: what is multiplied, and the coefficient. The constant is the first, unless it is 0.
    pub fn terms(&self) -> impl Iterator<Item = (&[Atom], i64)> {
        let constant = (self.constant != 0).then_some((&[][..], self.constant));
        let named = self.terms.iter().flat_map(|terms| terms.iter());
        constant.into_iter().chain(named.map(|(monomial, coefficient)| (&monomial[..], *coefficient)))
    }

    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.terms.iter().flat_map(|terms| terms.keys()).flatten()
    }

    /// Parses what `Display` prints.
    pub fn parse(text: &str) -> Dim {
        let factor = |text: &str| text.parse().map_or_else(|_| Dim::atom(text), Dim::literal);
        let mut sum = Dim::default();
        for term in text.replace(" - ", " + -").split(" + ") {
            let (sign, term) = term.strip_prefix('-').map_or((1, term), |term| (-1, term));
            let product = term.split(" * ").fold(Dim::literal(sign), |product, text| product.times(&factor(text)));
            sum = sum.plus(&product);
        }
        sum
    }

    /// The value under an assignment of the atoms; used by the evaluator.
    #[cfg(test)]
    pub fn eval(&self, of: &dyn Fn(&str) -> i64) -> i64 {
        // The name of a quotient is that of `over`.
        let atom = |name: &str| {
            let quotient = name.strip_prefix("((").and_then(|rest| rest.strip_suffix("))")?.split_once(") / ("));
            let size = |text: &str| Dim::parse(text).eval(of);
            quotient.map_or_else(|| of(name), |(x, y)| size(x).div_euclid(size(y)))
        };
        self.terms().map(|(monomial, c)| c * monomial.iter().map(|a| atom(a)).product::<i64>()).sum()
    }
}

/// Prints as a Rust expression: `2 * N + 1`.
impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_none() {
            return write!(f, "{}", self.constant);
        }
        // Positive terms first, names before numbers: `N - 1`, never `-1 + N`.
        let mut terms: Vec<_> = self.terms().collect();
        terms.sort_by_key(|(monomial, coefficient)| (*coefficient < 0, monomial.is_empty()));
        for (at, (monomial, coefficient)) in terms.into_iter().enumerate() {
            match (at, coefficient < 0) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            let magnitude = coefficient.unsigned_abs();
            if monomial.is_empty() {
                write!(f, "{magnitude}")?;
            } else {
                if magnitude != 1 {
                    write!(f, "{magnitude} * ")?;
                }
                f.write_str(&monomial.join(" * "))?;
            }
        }
        Ok(())
    }
}

/// `[4, N]`, as messages show a shape.
pub fn show(dims: &[Dim]) -> String {
    let dims: Vec<_> = dims.iter().map(Dim::to_string).collect();
    format!("[{}]", dims.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_polynomials_are_equal_values() {
        let n = Dim::atom("N");
        let m = Dim::atom("M");
        let one = Dim::literal(1);
        assert_eq!(n.plus(&n), n.times(&Dim::literal(2)));
        assert_eq!(n.plus(&one).times(&m), m.plus(&m.times(&n)));
        assert_eq!(n.minus(&n).as_literal(), Some(0));
    }

    #[test]
    fn what_is_a_size() {
        let (n, one) = (Dim::atom("N"), Dim::literal(1));
        assert_eq!(n.plus(&one).is_size(), Some(true));
        assert_eq!(Dim::literal(0).is_size(), Some(true));
        assert_eq!(n.minus(&one).is_size(), None);
        assert_eq!(Dim::literal(-1).minus(&n).is_size(), Some(false));
        assert_eq!(Dim::literal(0).minus(&n).is_size(), None);
    }

    #[test]
    fn what_cannot_be_decided_is_unknown() {
        let n = Dim::atom("N");
        assert_eq!(n.compare(&Dim::atom("M")), Comparison::Unknown);
        assert_eq!(n.compare(&n.plus(&Dim::literal(1))), Comparison::Different);
        assert_eq!(n.compare(&n), Comparison::Equal);
        assert_eq!(n.compare(&Dim::literal(3)), Comparison::Unknown);
    }

    #[test]
    fn prints_as_rust() {
        let n = Dim::atom("N");
        assert_eq!(n.minus(&Dim::literal(1)).to_string(), "N - 1");
        assert_eq!(n.times(&n).plus(&Dim::literal(3)).to_string(), "N * N + 3");
        assert_eq!(Dim::literal(0).minus(&n).to_string(), "-N");
        assert_eq!(Dim::literal(0).to_string(), "0");
    }

    #[test]
    fn what_is_printed_parses_back() {
        let (n, m) = (Dim::atom("N"), Dim::atom("M"));
        let sums = [
            n.minus(&Dim::literal(1)),
            Dim::literal(-3),
            Dim::literal(2).minus(&n.times(&m)),
            n.times(&n).plus(&m.times(&Dim::literal(3))),
        ];
        for dim in sums {
            assert_eq!(Dim::parse(&dim.to_string()), dim);
        }
    }
}
