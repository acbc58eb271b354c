//! Numbers that carry three directions and the mixed derivatives along them.

/// `x + a·ε₁ + b·ε₂ + ab·ε₁ε₂ + ε₃·(…)`, where `ε₁² = ε₂² = ε₃² = 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    pub x: f64,
    pub a: f64,
    pub b: f64,
    pub ab: f64,
    /// The same four along the third direction, which is that of a gradient inside the program.
    pub inner: [f64; 4],
}

impl Number {
    pub fn constant(x: f64) -> Number {
        Number::along(x, 0.0, 0.0)
    }

    /// A number with its first derivatives.
    pub fn along(x: f64, a: f64, b: f64) -> Number {
        Number { x, a, b, ab: 0.0, inner: [0.0; 4] }
    }

    fn outer(&self) -> [f64; 4] {
        [self.x, self.a, self.b, self.ab]
    }

    fn of([x, a, b, ab]: [f64; 4], inner: [f64; 4]) -> Number {
        Number { x, a, b, ab, inner }
    }

    /// The derivative along the third direction.
    pub fn slope(self) -> Number {
        Number::of(self.inner, [0.0; 4])
    }

    /// The number without it.
    pub fn flat(self) -> Number {
        Number { inner: [0.0; 4], ..self }
    }

    /// The number, moving along the third direction; `None` if it does so already.
    pub fn moving(self) -> Option<Number> {
        (self.inner == [0.0; 4]).then_some(Number { inner: [1.0, 0.0, 0.0, 0.0], ..self })
    }

    /// The largest of its parts; NaN if one of them is.
    pub fn size(&self) -> f64 {
        let larger = |max: f64, part: f64| if part.is_nan() || part.abs() > max { part.abs() } else { max };
        self.outer().into_iter().chain(self.inner).fold(0.0, larger)
    }

    /// A function by its first derivatives at `x`, the function itself first: Taylor's formula, which ends there.
    fn with(self, [value, first, second, third]: [f64; 4]) -> Number {
        let h = Number { x: 0.0, ..self };
        let square = h.mul(h);
        let cube = square.mul(h);
        let term = |scale: f64, power: Number| power.map(|part| scale * part);
        let sum = term(first, h).add(term(second / 2.0, square)).add(term(third / 6.0, cube));
        Number { x: value, ..sum }
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Number {
        Number::of(self.outer().map(&f), self.inner.map(&f))
    }

    pub fn add(self, other: Number) -> Number {
        let sum = |p: [f64; 4], q: [f64; 4]| [p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3]];
        Number::of(sum(self.outer(), other.outer()), sum(self.inner, other.inner))
    }

    pub fn neg(self) -> Number {
        let less = |p: [f64; 4]| p.map(|part| -part);
        Number::of(less(self.outer()), less(self.inner))
    }

    pub fn sub(self, other: Number) -> Number {
        Number { x: self.x - other.x, ..self.add(other.neg()) }
    }

    pub fn mul(self, other: Number) -> Number {
        let product = |p: [f64; 4], q: [f64; 4]| {
            let both = p[3] * q[0] + p[1] * q[2] + p[2] * q[1] + p[0] * q[3];
            [p[0] * q[0], p[1] * q[0] + p[0] * q[1], p[2] * q[0] + p[0] * q[2], both]
        };
        let outer = product(self.outer(), other.outer());
        let inner = [product(self.inner, other.outer()), product(self.outer(), other.inner)];
        Number::of(outer, std::array::from_fn(|k| inner[0][k] + inner[1][k]))
    }

    pub fn div(self, other: Number) -> Number {
        let quotient = self.mul(other.with(reciprocal(other.x)));
        Number { x: self.x / other.x, ..quotient }
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
        Some(self.with(match name {
            "sin" => [x.sin(), x.cos(), -x.sin(), -x.cos()],
            "cos" => [x.cos(), -x.sin(), -x.cos(), x.sin()],
            "exp" => [x.exp(); 4],
            "ln" => {
                let [first, second, third, _] = reciprocal(x);
                [x.ln(), first, second, third]
            }
            "sqrt" => {
                let y = x.sqrt();
                [y, 0.5 / y, -0.25 / (x * y), 0.375 / (x * x * y)]
            }
            "recip" => reciprocal(x),
            "tanh" => {
                let y = x.tanh();
                let slope = 1.0 - y * y;
                [y, slope, -2.0 * y * slope, slope * (6.0 * y * y - 2.0)]
            }
            "atan" => {
                let slope = 1.0 / (1.0 + x * x);
                [x.atan(), slope, -2.0 * x * slope * slope, (6.0 * x * x - 2.0) * slope.powi(3)]
            }
            "abs" => [x.abs(), if x == 0.0 { 0.0 } else { x.signum() }, 0.0, 0.0],
            "signum" => [x.signum(), 0.0, 0.0, 0.0],
            "floor" => [x.floor(), 0.0, 0.0, 0.0],
            _ => return None,
        }))
    }

    pub fn powi(self, n: i32) -> Number {
        let (x, k) = (self.x, f64::from(n));
        let slopes = [k, k * (k - 1.0), k * (k - 1.0) * (k - 2.0)];
        let slope = |order: i32| match slopes[order as usize - 1] {
            0.0 => 0.0,
            scale => scale * x.powi(n - order),
        };
        self.with([x.powi(n), slope(1), slope(2), slope(3)])
    }
}

/// `1/x` and its derivatives.
fn reciprocal(x: f64) -> [f64; 4] {
    [1.0 / x, -1.0 / (x * x), 2.0 / (x * x * x), -6.0 / (x * x * x * x)]
}
