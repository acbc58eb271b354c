//! Gompertz–Makeham mortality: annuities, premiums, and reserves as a closure over ages.
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
pub struct Makeham {
    pub a: f64,
    pub b: f64,
    pub c: f64,
}

#[differentiable]
impl Makeham {
    pub fn survival(&self, age: f64, years: f64) -> f64 {
        let Makeham { a, b, c } = *self;
        (-a * years - b / c.ln() * c.powf(age) * (c.powf(years) - 1.0)).exp()
    }
}

#[differentiable]
pub fn premium(law: &Makeham, rate: f64, #[no_diff] age: u32, #[no_diff] term: u32) -> f64 {
    let v = 1.0 / (1.0 + rate);
    let alive = |t: u32| law.survival(f64::from(age), f64::from(t));
    let annuity: f64 = (0..term).map(|t| v.powi(t as i32) * alive(t)).sum();
    let benefit: f64 = (0..term).map(|t| v.powi(t as i32 + 1) * (alive(t) - alive(t + 1))).sum();
    benefit / annuity
}

#[differentiable]
pub fn portfolio(law: &Makeham, rate: f64, #[no_diff] policies: &[(u32, u32, f64)]) -> f64 {
    policies.iter().map(|&(age, term, sum)| sum * premium(law, rate, age, term)).sum()
}

#[test]
fn the_derivatives_agree_with_differences() {
    let law = Makeham { a: 0.0005, b: 7.5e-5, c: 1.09 };
    let p = vec![(30, 20, 1.0), (45, 10, 2.5)];
    let (by_law, by_rate) = portfolio::grad(&law, 0.03, &p);
    let e = 1e-6;
    let d = (portfolio(&law, 0.03 + e, &p) - portfolio(&law, 0.03 - e, &p)) / (2.0 * e);
    assert!((d - by_rate).abs() < 1e-7);
    let d = (portfolio(&Makeham { c: 1.09 + e, ..law }, 0.03, &p)
        - portfolio(&Makeham { c: 1.09 - e, ..law }, 0.03, &p))
        / (2.0 * e);
    assert!((d - by_law.c).abs() < 1e-7 * d.abs());
}
