//! Functions that take iterators.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Component {
    logit: f64,
    mean: Vec<f64>,
    log_std: Vec<f64>,
}

#[differentiable]
fn log_sum_exp(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let max = values.clone().fold(f64::NEG_INFINITY, f64::max);
    max + values.map(|v| (v - max).exp()).sum::<f64>().ln()
}

#[differentiable(order = 2)]
impl Component {
    fn log_density(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.mean).zip(&self.log_std).map(|((x, m), s)| -0.5 * ((x - m) * (-s).exp()).powi(2) - s).sum()
    }
}

#[differentiable(order = 2)]
fn likelihood(parameters: &[f64], #[no_diff] data: &[Vec<f64>]) -> f64 {
    let components: Vec<Component> = parameters
        .chunks_exact(5)
        .map(|c| Component { logit: c[0], mean: c[1..3].to_vec(), log_std: c[3..].to_vec() })
        .collect();
    let norm = log_sum_exp(components.iter().map(|c| c.logit));
    data.iter().map(|x| log_sum_exp(components.iter().map(|c| c.logit - norm + c.log_density(x)))).sum()
}

/// By a type parameter, with an early return, and a closure beside it.
#[differentiable]
fn weighted<I, F>(f: F, items: I, limit: f64) -> f64
where
    I: IntoIterator<Item = (f64, f64)>,
    F: Fn(f64) -> f64,
{
    let mut sum = 0.0;
    for (w, x) in items {
        sum += w * f(x);
        if sum > limit {
            return sum * limit;
        }
    }
    sum
}

/// What is in the closures of the caller has the names of variables here.
#[differentiable(order = 2)]
fn pairs(x: &[f64], y: &[f64], #[no_diff] limit: f64) -> f64 {
    let (sum, w, f) = (x[0], y[0], 0.5);
    let zipped = weighted(|t| t * sum, x.iter().copied().zip(y.iter().map(|v| v * sum + w * f)), limit);
    let listed = weighted(f64::sin, [(sum, w), (w * w, f)], limit);
    let kept: Vec<(f64, f64)> = x.iter().map(|v| (*v, v * w)).collect();
    zipped + listed + weighted(|t| t * t + f, kept, 100.0)
}

#[differentiable]
fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    sum / f64::from(count)
}

/// An iterator that is handed on, and one that has a name.
#[differentiable]
fn spread(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let center = mean(values.clone());
    let squares = values.map(|value| (value - center).powi(2));
    mean(squares).sqrt()
}

#[differentiable(order = 2)]
fn statistics(x: &[f64], #[no_diff] n: usize) -> f64 {
    let center = 2.0;
    let scaled = x.iter().map(|v| v * center);
    let mut total = spread(scaled);
    for k in 0..n {
        let tail = x.iter().skip(k).copied();
        total += mean(tail.clone()) * mean(tail.chain([center, x[k]]));
    }
    total + mean(x.to_vec()) + mean([x[0], x[1] * x[0]]) + mean((0..n).map(|k| x[k] * k as f64))
}

#[differentiable]
fn lengths<'a>(points: impl ExactSizeIterator<Item = &'a [f64; 2]>, power: i32) -> f64 {
    let n = points.len() as f64;
    points.map(|[x, y]| x.hypot(*y).powi(power)).sum::<f64>() / n
}

#[differentiable(order = 2)]
fn of_points(points: &[[f64; 2]]) -> f64 {
    lengths(points.iter(), 2) + lengths(points[1..].iter(), 3)
}

/// Some elements are taken of an iterator that is lent, the rest later.
#[differentiable]
fn take_two(items: &mut impl Iterator<Item = f64>) -> f64 {
    let first = items.next().unwrap_or(1.0);
    let second = items.next().unwrap_or(2.0);
    first * second
}

#[differentiable]
fn horner(mut coefficients: impl Iterator<Item = f64>, x: f64) -> f64 {
    let Some(mut value) = coefficients.next() else { return 0.0 };
    for c in coefficients {
        value = value * x + c;
    }
    value
}

#[differentiable(order = 2)]
fn in_parts(x: &[f64]) -> f64 {
    let mut values = x.iter().copied();
    let first = take_two(&mut values);
    let second = take_two(&mut values);
    first * second + horner(values, x[0]) * horner(x.iter().rev().copied(), 0.5) + horner(x[..0].iter().copied(), x[1])
}

/// Elements that are changed.
#[differentiable]
fn scale<'a>(values: impl Iterator<Item = &'a mut f64>, by: f64) {
    for value in values {
        *value *= by;
    }
}

#[differentiable(order = 2)]
fn changed(x: &[f64]) -> f64 {
    let mut own = x.to_vec();
    scale(own.iter_mut().skip(1), x[0]);
    scale(own.iter_mut(), x[1]);
    own.iter().sum()
}

/// What the arguments do is done in their order.
#[differentiable(order = 2)]
fn in_order(x: f64) -> f64 {
    let mut level = x;
    let mut next = || {
        level *= 1.5;
        level
    };
    let value = horner([next(), 2.0].into_iter(), next()) + horner(vec![next(); 2].into_iter(), next());
    value * level
}

#[differentiable]
fn sum_of<T: Real>(values: impl Iterator<Item = T>) -> T {
    let mut sum = T::ZERO;
    for value in values {
        sum += value;
    }
    sum
}

#[differentiable(order = 2)]
fn sums(x: &[f64]) -> f64 {
    sum_of::<f64>(x.iter().map(|v| v * v)) * sum_of(x.iter().map(|v| v.sin()))
}

#[derive(Differentiable, Clone)]
struct Temperature {
    t: f64,
    scale: [f64; 2],
}

#[differentiable(order = 2)]
impl Temperature {
    fn log_sum_exp(&self, values: impl Iterator<Item = f64> + Clone) -> f64 {
        let (max, shift) = (values.clone().fold(f64::NEG_INFINITY, f64::max), self.scale[0]);
        max + values.map(|v| ((v - max) / self.t + shift).exp()).sum::<f64>().ln()
    }

    fn fit<I, F>(&self, data: I, f: F) -> f64
    where
        I: IntoIterator<Item = (f64, f64)>,
        F: Fn(f64) -> f64,
    {
        let mut sum = 0.0;
        for (x, y) in data {
            let error = f(x) * self.scale[1] - y;
            if error > 10.0 {
                return 1.0;
            }
            sum += error * error;
        }
        sum
    }

    fn warmed(values: impl IntoIterator<Item = f64>) -> f64 {
        values.into_iter().map(|v| v * v).sum()
    }
}

/// The variables of the caller have the names of those of the methods.
#[differentiable(order = 2)]
fn tempered(x: &[f64], t: f64) -> f64 {
    let shift = 0.3 * t;
    let this = Temperature { t, scale: [shift, x[0]] };
    let max = [shift, 2.0];
    let inner = this.log_sum_exp(x.iter().zip(max).map(|(v, m)| v * m + this.fit([(m, t)], |v| v * t)));
    let sum = |v: f64| v * t + shift;
    inner * this.fit(x.iter().map(|v| (*v, v * v + shift)), sum) + this.fit([(t, x[1])], |v| v * v)
        - Temperature::warmed(x.to_vec())
}

mod elsewhere {
    use autodiff::prelude::*;

    #[differentiable]
    pub fn dot<'a, I>(a: I, b: &[f64]) -> f64
    where
        I: IntoIterator<Item = &'a f64>,
        I::IntoIter: DoubleEndedIterator,
    {
        a.into_iter().rev().zip(b).map(|(x, y)| x * y).sum()
    }

    #[differentiable]
    pub fn boxed(values: Box<dyn Iterator<Item = f64> + '_>) -> f64 {
        values.map(|v| v * v).sum()
    }
}

#[differentiable(order = 2)]
fn of_another_module(x: &[f64], t: f64) -> f64 {
    let w = [t, t * t, 1.0];
    let reversed = elsewhere::dot(w.iter().rev(), x);
    elsewhere::dot(x, &w) + elsewhere::dot(&w, x) * reversed + elsewhere::boxed(Box::new(x.iter().map(|v| v * t)))
}

#[test]
fn iterators_as_parameters() {
    let data = vec![vec![0.1, 0.3], vec![1.2, -0.2], vec![0.9, 2.0]];
    check!(likelihood(&p, &data) by [p = vec![0.2, 0.1, 0.2, -0.3, 0.1, -0.4, 1.0, 1.5, 0.2, 0.0]]);
    for limit in [0.3, 50.0] {
        check!(pairs(&x, &y, limit) by [x = vec![0.3, 0.9, 0.4], y = vec![0.7, 1.3]]);
    }
    for n in [1, 3] {
        check!(statistics(&x, n) by [x = vec![0.3, 0.9, 0.4]]);
    }
    check!(of_points(&points) by [points = vec![[0.3, 0.9], [0.4, 1.1], [0.5, 0.2]]]);
    check!(in_parts(&x) by [x = vec![0.3, 0.9, 0.4, 1.1, 0.2, 0.6]]);
    check!(in_parts(&x) by [x = vec![0.3, 0.9, 0.4]]);
    check!(changed(&x) by [x = vec![0.3, 0.9, 0.4]]);
    check!(in_order(x) by x = 1.1);
    check!(tempered(&x, t) by [x = vec![0.3, 0.9], t = 1.1]);
    check!(of_another_module(&x, t) by [x = vec![0.3, 0.9, 0.4], t = 1.1]);
    check!(sums(&x) by [x = vec![0.3, 0.9, 0.4]]);
}
