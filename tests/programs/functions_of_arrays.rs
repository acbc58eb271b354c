//! Functions with const parameters, or over any number, that take closures.

use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn axpy<const N: usize>(y: [f64; N], h: f64, k: [f64; N]) -> [f64; N] {
    std::array::from_fn(|i| y[i] + h * k[i])
}

#[differentiable]
fn step<const N: usize>(f: impl Fn(f64, [f64; N]) -> [f64; N], t: f64, y: [f64; N], h: f64) -> [f64; N] {
    let k1 = f(t, y);
    let k2 = f(t + 0.5 * h, axpy(y, 0.5 * h, k1));
    let k3 = f(t + 0.5 * h, axpy::<N>(y, 0.5 * h, k2));
    let k4 = f(t + h, axpy(y, h, k3));
    std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

#[differentiable]
fn integrate<const N: usize, F>(f: F, y0: [f64; N], t_end: f64, #[no_diff] steps: usize) -> [f64; N]
where
    F: Fn(f64, [f64; N]) -> [f64; N],
{
    let h = t_end / steps as f64;
    let mut y = y0;
    for i in 0..steps {
        y = step(&f, i as f64 * h, y, h);
    }
    y
}

#[differentiable(order = 2)]
fn van_der_pol(mu: f64, forcing: f64, x0: f64) -> f64 {
    let rhs = |t: f64, [x, v]: [f64; 2]| [v, mu * (1.0 - x * x) * v - x + forcing * (1.2 * t).cos()];
    let [x, v] = integrate(rhs, [x0, 0.0], 1.0, 5);
    x * x + 0.5 * v * v
}

/// A function of another size in the same one.
#[differentiable(order = 2)]
fn chain(rates: &[f64; 3]) -> f64 {
    let start = 0.3;
    let end = integrate(
        |_t, n: [f64; 3]| {
            [-rates[0] * n[0], rates[0].mul_add(n[0], -rates[1] * n[1]), rates[1] * n[1] - rates[2] * n[2] * n[0]]
        },
        [1.0, 0.0, start],
        2.0,
        4,
    );
    let [single] = integrate(|t, [y]| [t * y.sin() * rates[1]], [end[1]], 1.0, 2);
    end[2] * single
}

/// By reference, with the size in expressions.
#[differentiable]
fn mean_field<const N: usize, F>(f: &F, y: &[f64; N], out: &mut [f64; N])
where
    F: Fn(usize, &[f64; N]) -> f64,
{
    let mut buffer = [0.0; N];
    for i in 0..N {
        buffer[i] = f(i, y) / N as f64;
    }
    let last: [f64; N] = buffer;
    assert!(N > 0, "there are {N}");
    for (i, out) in out.iter_mut().enumerate() {
        *out += last[(i + 1) % N];
    }
}

#[differentiable(order = 2)]
fn neighbours(x: &[f64; 4], a: f64) -> f64 {
    let mut out = [a; 4];
    for _ in 0..2 {
        mean_field(&|i, y: &[f64; 4]| y[i] * a.sin() + y[0], x, &mut out);
    }
    let mut two = [0.5, a];
    mean_field(&|i, y: &[f64; 2]| y[1 - i] * x[i], &[a, x[1]], &mut two);
    out.iter().map(|v| v * v).sum::<f64>() + two[0] * two[1]
}

/// The size of the caller has the name of another one here.
#[differentiable]
fn table<const N: usize, const M: usize>(f: impl Fn(usize, usize) -> f64) -> [[f64; M]; N] {
    let mut rows = [[0.0; M]; N];
    for i in 0..N {
        for j in 0..M {
            rows[i][j] = f(i, j) * (N * 10 + M) as f64;
        }
    }
    rows
}

#[differentiable(order = 2)]
fn transposed<const M: usize, const N: usize>(x: &[f64; M], y: &[f64; N]) -> f64 {
    let rows: [[f64; N]; M] = table(|i, j| x[i] * y[j]);
    let turned = table::<N, M>(|j, i| rows[i][j] * x[i]);
    let mut sum = 0.0;
    for row in turned {
        sum += row[0] * row[M - 1];
    }
    sum * 1e-6
}

#[differentiable(order = 2)]
fn outer(x: &[f64; 2], y: &[f64; 3]) -> f64 {
    transposed(x, y)
}

#[differentiable]
fn bisect<T: Real>(f: impl Fn(T) -> T, mut low: T, mut high: T) -> T {
    let two = T::ONE + T::ONE;
    for _ in 0..4 {
        let middle: T = (low + high) / two;
        if f(middle) > T::ZERO {
            high = middle;
        } else {
            low = middle;
        }
    }
    let slope = (f(high) - f(low)) / (high - low);
    low - f(low) / slope
}

#[differentiable(order = 2)]
fn root(a: f64, high: f64) -> f64 {
    bisect(|x| x * x - a, 0.0, high) + bisect::<f64>(|x: f64| x.exp() - 2.0 * a, 0.0, 2.0)
}

#[differentiable(order = 2)]
fn narrow(a: f32) -> f32 {
    bisect(|x| x * x - a, 0.0, 2.0)
}

#[differentiable(order = 2)]
fn of_any<T: Real>(a: T) -> T {
    bisect(|x| x * x - a, T::ZERO, T::ONE + T::ONE)
}

/// A function in a function has a size, too.
#[differentiable(order = 2)]
fn inside(x: &[f64; 3]) -> f64 {
    fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
        (0..N).map(|i| a[i] * b[i]).sum()
    }
    let short = [x[0], x[1] * x[2]];
    dot(x, x) * dot(&short, &[x[2], 2.0])
}

#[derive(Differentiable, Clone)]
struct Solver {
    h: f64,
    gain: f64,
}

#[differentiable(order = 2)]
impl Solver {
    fn run<const N: usize>(&self, f: impl Fn(f64, &[f64; N]) -> [f64; N], y: [f64; N]) -> [f64; N] {
        let mut y = y;
        let mut next = [0.0; N];
        for k in 0..3 {
            let slope = f(k as f64 * self.h, &y);
            for i in 0..N {
                next[i] = y[i] + self.h * slope[i] * self.gain;
            }
            y = next;
        }
        y
    }

    fn mean<const N: usize, F>(&self, y: &[f64; N], f: F) -> f64
    where
        F: Fn(f64) -> f64,
    {
        self.gain * y.iter().map(|v| f(*v)).sum::<f64>() / N as f64
    }
}

#[differentiable(order = 2)]
fn solved(h: f64, k: f64) -> f64 {
    let solver = Solver { h, gain: 2.0 };
    let y = solver.run(|t, y: &[f64; 2]| [y[1], -k * y[0] + t], [1.0, k]);
    y[0] * y[1] + solver.mean(&y, |v| v * k) + solver.mean(&[h, k, h], |v| v.sin())
}

#[derive(Differentiable, Clone)]
struct Grid<const N: usize> {
    cells: [f64; N],
}

#[differentiable(order = 2)]
impl<const N: usize> Grid<N> {
    fn weighted(&self, f: impl Fn(f64) -> f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            sum += f(self.cells[i]) * self.cells[N - 1 - i];
        }
        sum
    }

    fn wrapped(&self, i: usize) -> &f64 {
        &self.cells[i % N]
    }
}

#[differentiable(order = 2)]
fn on_a_grid<const N: usize>(x: &[f64; N], a: f64) -> f64 {
    let (grid, small) = (Grid { cells: *x }, Grid { cells: [a, x[0]] });
    grid.weighted(f64::sin) + *grid.wrapped(N + 1) * small.wrapped(3) + small.weighted(sine)
}

#[differentiable(order = 2)]
fn sine(x: f64) -> f64 {
    x.sin()
}

#[test]
fn functions_of_arrays() {
    let (mu, forcing, x0) = (0.9, 0.5, 1.1);
    check!(van_der_pol(mu, forcing, x0) by mu, forcing, x0);
    check!(chain(&rates) by rates = [0.3, 0.7, 0.4]);
    let (x, a) = ([0.3, 0.7, 0.4, -0.2], 0.6);
    check!(neighbours(&x, a) by x, a);
    let (x, y) = ([0.3, 0.7], [0.4, -0.2, 1.1]);
    check!(outer(&x, &y) by x, y);
    let (a, high) = (1.1, 2.3);
    check!(root(a, high) by a, high);
    check!(inside(&x) by x = [0.3, 0.7, 0.4]);
    let (value, slope) = narrow::value_and_grad(2.0);
    assert!((value - 2.0_f32.sqrt()).abs() < 1e-2 && (slope - 0.36).abs() < 0.1, "{value} {slope}");
    check!(of_any(a) by a = 1.9);
    let (h, k) = (0.3, 0.7);
    check!(solved(h, k) by h, k);
    let (x, a) = ([0.3, 0.7, 0.4], 0.9);
    check!(on_a_grid(&x, a) by x, a);
}
