//! Structs with operators: sums, differences, multiples, negation, and those that assign.

use super::{By, Kind, Store, Variable, Writer};

const ITEMS: &str = "#[derive(Differentiable, Clone, Copy)]
struct W {
    a: f64,
    b: f64,
}

#[differentiable]
impl std::ops::Add for W {
    type Output = W;
    fn add(self, other: W) -> W {
        W { a: self.a + other.a, b: 0.5 * (self.b + other.b) }
    }
}

#[differentiable]
impl std::ops::Sub for W {
    type Output = W;
    fn sub(self, other: W) -> W {
        W { b: self.b - 0.3 * other.a, a: self.a - other.a }
    }
}

#[differentiable]
impl std::ops::Mul<f64> for W {
    type Output = W;
    fn mul(self, by: f64) -> W {
        let by = by.sin();
        W { a: self.a * by, b: self.b * by + 0.1 }
    }
}

#[differentiable]
impl std::ops::Mul<W> for f64 {
    type Output = W;
    fn mul(self, w: W) -> W {
        W { a: self * w.b, b: w.a }
    }
}

#[differentiable]
impl std::ops::Neg for W {
    type Output = W;
    fn neg(self) -> W {
        W { a: -self.a, b: self.b }
    }
}

#[differentiable]
impl std::ops::AddAssign for W {
    fn add_assign(&mut self, other: W) {
        self.a = 0.5 * self.a + other.b;
        self.b *= other.a.cos();
    }
}

#[differentiable]
impl std::ops::MulAssign<f64> for W {
    fn mul_assign(&mut self, by: f64) {
        self.b = (self.a * by).sin();
        self.a = 0.9 * self.b + by.cos();
    }
}

";

impl Writer<'_> {
    /// A value with operators.
    fn combination(&mut self, depth: usize) -> String {
        let known = self.find(|variable| variable.kind == Kind::Combined);
        match (known, self.pick(if depth > 0 { 8 } else { 3 })) {
            (Some(found), 0..=1) => found.name,
            (_, 0..=2) => format!("W {{ a: {}, b: 1.0 * {} }}", self.plain(1), self.atom()),
            (_, 3) => format!("{} + {}", self.combination(depth - 1), self.operand(depth)),
            (_, 4) => format!("{} - {}", self.combination(depth - 1), self.operand(depth)),
            (_, 5) => format!("{} * (1.0 * {})", self.operand(depth), self.atom()),
            (_, 6) => format!("(1.0 * {}) * {}", self.atom(), self.operand(depth)),
            _ => format!("-{}", self.operand(depth)),
        }
    }

    fn operand(&mut self, depth: usize) -> String {
        format!("({})", self.combination(depth - 1))
    }

    /// Makes, changes or reads one.
    pub(super) fn combined(&mut self) {
        if !self.drawn.items || self.inside {
            return self.let_number();
        }
        if !self.items.contains(ITEMS) {
            self.items.push_str(ITEMS);
        }
        let target = self.find(|variable| variable.mutable && variable.kind == Kind::Combined);
        let Some(Variable { name, .. }) = target.filter(|_| self.pick(4) > 0) else {
            let (value, name) = (self.combination(2), self.fresh("w"));
            self.line(&format!("let mut {name} = {value};"));
            let kind = Kind::Combined;
            return self.variables.push(Variable { name, kind, mutable: true, by: By::Value, store: Store::Array });
        };
        let line = match self.pick(5) {
            0 => format!("{name} = {};", self.combination(2)),
            1 => format!("{name} += {};", self.combination(1)),
            2 => format!("{name} *= {};", self.number(1)),
            3 => format!("{name}.a = ({name}.b + {}).tanh();", self.number(1)),
            _ => {
                let (item, change) = (self.fresh("i"), self.combination(1));
                format!("for {item} in 0..2 {{ {name} = {name} * (0.5 * {item} as f64) + ({change}); }}")
            }
        };
        self.line(&line);
    }
}
