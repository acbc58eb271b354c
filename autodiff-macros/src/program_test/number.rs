//! Numbers that carry two directions and the second derivative along both.

/// `x + a·ε₁ + b·ε₂ + ab·ε₁ε₂`, where `ε₁² = ε₂² = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    pub x: f64,
    pub a: f64,
    pub b: f64,
    pub ab: f64,
}

impl Number {
    pub fn constant(x: f64) -> Number {
        Number { x, a: 0.0, b: 0.0, ab: 0.0 }
    }

    /// The largest of its parts; NaN if one of them is.
    pub fn size(&self) -> f64 {
        let larger = |max: f64, part: f64| if part.is_nan() || part.abs() > max { part.abs() } else { max };
        [self.x, self.a, self.b, self.ab].into_iter().fold(0.0, larger)
    }

    /// A function with its first and second derivative at `x`.
    fn with(self, x: f64, first: f64, second: f64) -> Number {
        Number { x, a: first * self.a, b: first * self.b, ab: first * self.ab + second * self.a * self.b }
    }

    pub fn add(self, other: Number) -> Number {
        Number { x: self.x + other.x, a: self.a + other.a, b: self.b + other.b, ab: self.ab + other.ab }
    }

    pub fn neg(self) -> Number {
        self.with(-self.x, -1.0, 0.0)
    }

    pub fn sub(self, other: Number) -> Number {
        Number { x: self.x - other.x, ..self.add(other.neg()) }
    }

    pub fn mul(self, other: Number) -> Number {
        Number {
            x: self.x * other.x,
            a: self.a * other.x + self.x * other.a,
            b: self.b * other.x + self.x * other.b,
            ab: self.ab * other.x + self.a * other.b + self.b * other.a + self.x * other.ab,
        }
    }

    pub fn div(self, other: Number) -> Number {
        let x = other.x;
        let quotient = self.mul(other.with(1.0 / x, -1.0 / (x * x), 2.0 / (x * x * x)));
        Number { x: self.x / x, ..quotient }
    }

    /// Half of each, as at a tie of `max` or `min`.
    fn between(self, other: Number) -> Number {
        let half = Number::constant(0.5);
        Number { x: self.x, ..self.mul(half).add(other.mul(half)) }
    }

    pub fn max(self, other: Number) -> Number {
        match self.x.partial_cmp(&other.x) {
            Some(std::cmp::Ordering::Equal) => self.between(other),
            Some(std::cmp::Ordering::Less) => other,
            _ => self,
        }
    }

    pub fn min(self, other: Number) -> Number {
        self.neg().max(other.neg()).neg()
    }

    /// A function of one number by name.
    pub fn apply(self, name: &str) -> Option<Number> {
        let x = self.x;
        Some(match name {
            "sin" => self.with(x.sin(), x.cos(), -x.sin()),
            "cos" => self.with(x.cos(), -x.sin(), -x.cos()),
            "exp" => self.with(x.exp(), x.exp(), x.exp()),
            "ln" => self.with(x.ln(), 1.0 / x, -1.0 / (x * x)),
            "sqrt" => self.with(x.sqrt(), 0.5 / x.sqrt(), -0.25 / (x * x.sqrt())),
            "recip" => self.with(1.0 / x, -1.0 / (x * x), 2.0 / (x * x * x)),
            "tanh" => {
                let y = x.tanh();
                self.with(y, 1.0 - y * y, -2.0 * y * (1.0 - y * y))
            }
            "atan" => {
                let slope = 1.0 / (1.0 + x * x);
                self.with(x.atan(), slope, -2.0 * x * slope * slope)
            }
            "abs" => self.with(x.abs(), if x == 0.0 { 0.0 } else { x.signum() }, 0.0),
            "signum" | "floor" => self.with(if name == "floor" { x.floor() } else { x.signum() }, 0.0, 0.0),
            _ => return None,
        })
    }

    pub fn powi(self, n: i32) -> Number {
        let k = f64::from(n);
        self.with(self.x.powi(n), k * self.x.powi(n - 1), k * (k - 1.0) * self.x.powi(n - 2))
    }
}
