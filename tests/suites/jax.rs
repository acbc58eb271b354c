//! JAX (github.com/jax-ml/jax: the autodiff cookbook and the guides of `docs/`, `tests/{lax_control_flow,lax_numpy,nn,api,lax_autodiff}_test.py`).

use autodiff::prelude::*;

/// The cookbook: logistic regression, products with Hessians and Jacobians.
mod cookbook {
    use super::*;

    const INPUTS: [[f64; 3]; 4] = [[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]];
    const TARGETS: [bool; 4] = [true, true, false, true];

    #[differentiable]
    fn sigmoid(x: f64) -> f64 {
        0.5 * ((x / 2.0).tanh() + 1.0)
    }

    #[differentiable]
    fn predict(w: &[f64; 3], b: f64, inputs: &[f64; 3]) -> f64 {
        let dot: f64 = inputs.iter().zip(w).map(|(x, w)| x * w).sum();
        sigmoid(dot + b)
    }

    #[differentiable]
    fn loss(w: &[f64; 3], b: f64) -> f64 {
        let mut total = 0.0;
        for (row, target) in INPUTS.iter().zip(TARGETS) {
            let p = predict(w, b, row);
            let label = if target { p } else { 1.0 - p };
            total -= label.ln();
        }
        total
    }

    #[derive(Differentiable, Clone)]
    struct Params {
        w: [f64; 3],
        b: f64,
    }

    #[differentiable]
    fn loss_of_params(params: &Params) -> f64 {
        let preds = INPUTS.iter().map(|row| predict(&params.w, params.b, row));
        preds.zip(TARGETS.iter()).map(|(p, &t)| -(if t { p } else { 1.0 - p }).ln()).sum()
    }

    #[differentiable(order = 2)]
    fn squares_of_tanh(x: &Tensor2<f64, 3, 4>) -> f64 {
        x.tanh().powi(2).sum()
    }

    #[differentiable(order = 2)]
    fn tanh(x: f64) -> f64 {
        x.tanh()
    }

    #[differentiable]
    fn slope_of_tanh(x: f64) -> f64 {
        tanh::grad(x)
    }

    #[differentiable(order = 2)]
    fn polynomial(x: f64) -> f64 {
        x.powi(3) + 2.0 * x.powi(2) - 3.0 * x + 1.0
    }

    #[differentiable]
    fn directional(x: &[f64; 2], v: &[f64; 2]) -> f64 {
        let (_, d) = quadratic::jvp(x, v);
        d
    }

    #[differentiable(order = 2)]
    fn quadratic(x: &[f64; 2]) -> f64 {
        3.0 * x[0] * x[0] + x[0] * x[1].sin()
    }

    #[differentiable]
    fn gradient_norm(x: &[f64; 2]) -> f64 {
        let g = quadratic::grad(x);
        g[0] * g[0] + g[1] * g[1]
    }

    #[differentiable]
    fn newton_step(x: f64) -> f64 {
        let (y, dy) = polynomial::value_and_grad(x);
        x - y / dy
    }

    #[test]
    fn gradients() {
        let w = [0.3, -0.2, 0.5];
        gradient!(loss(&w, b) by w = w, b = 0.1);
        gradient!(loss_of_params(&p) by p = Params { w, b: 0.1 });
        let x = Tensor2::from_fn(|[i, j]| 0.3 * i as f64 - 0.2 * j as f64);
        gradient!(squares_of_tanh(&x) by x = x);
        let v = Tensor2::from_fn(|[i, j]| (i + j) as f64);
        let slope = |x: f64| 2.0 * (1.0 - x.tanh().powi(2)) * (1.0 - 3.0 * x.tanh().powi(2));
        let h = squares_of_tanh::hvp(&x, &v);
        assert!((0..3).all(|i| (0..4).all(|j| (h[[i, j]] - v[[i, j]] * slope(x[[i, j]])).abs() < 1e-12)));
        gradient!(tanh(x) by x = 2.0 => [1.0 - 2.0_f64.tanh().powi(2)]);
        gradient!(slope_of_tanh(x) by x = 2.0);
        gradient!(polynomial(x) by x = 1.0 => [4.0]);
        assert_eq!(polynomial::hvp(1.0, 1.0), 10.0);
        gradient!(directional(&x, &v) by x = [1.0, 2.0], v = [0.5, -0.5]);
        gradient!(gradient_norm(&x) by x = [1.0, 2.0]);
        gradient!(newton_step(x) by x = 2.0);
    }
}

/// `cond`, `switch`, `while_loop`, `scan`, `fori_loop`, `map`, `linear_solve`, `custom_root`.
mod control_flow {
    use super::*;

    #[differentiable]
    fn cond(x: f64) -> f64 {
        if x < 3.0 { x * x } else { 2.0 * x.sin() }
    }

    #[differentiable]
    fn cond_with_an_operand(x: f64, c: &[f64; 2]) -> f64 {
        let [a, b] = *c;
        let y = if x < 3.0 { (2.0 * x + a, 1.0) } else { (x, b) };
        y.0 * y.1
    }

    #[differentiable]
    fn switch(index: usize, x: f64) -> f64 {
        match index {
            0 => x,
            1 => x.sin(),
            2 => x.exp() * 2.0,
            _ => x * x * x,
        }
    }

    #[differentiable]
    fn doubles_until(x: f64) -> f64 {
        let mut state = (0, x);
        while state.1 < 100.0 {
            state = (state.0 + 1, state.1 * 2.0);
        }
        state.1
    }

    #[differentiable]
    fn fori(x: f64, n: usize) -> f64 {
        (0..n).fold(x, |y, i| y * (1.0 + 0.1 * i as f64))
    }

    #[differentiable]
    fn cumulative(xs: &[f64]) -> f64 {
        let ys: Vec<f64> = xs
            .iter()
            .scan(1.0, |carry, x| {
                *carry = *carry * x.cos();
                Some(*carry)
            })
            .collect();
        ys.iter().map(|y| y * y).sum()
    }

    #[differentiable]
    fn scan_with_pairs(c: f64, xs: &[f64], us: &[f64]) -> f64 {
        let mut carry = (c, 0.0);
        let mut ys = Vec::with_capacity(xs.len());
        for (&x, &u) in xs.iter().zip(us) {
            let new = ((carry.0 * x).sin() + u, carry.1 + carry.0 * carry.0);
            ys.push(carry.0 * carry.1.cos());
            carry = new;
        }
        ys.iter().sum::<f64>() + carry.0 * carry.1
    }

    #[derive(Differentiable, Clone)]
    struct Recurrent {
        w: Tensor2<f64, 3, 3>,
        u: Tensor2<f64, 3, 2>,
        b: Tensor1<f64, 3>,
    }

    #[differentiable]
    impl Recurrent {
        fn step(&self, h: &Tensor1<f64, 3>, #[no_diff] x: &Tensor1<f64, 2>) -> Tensor1<f64, 3> {
            (self.w.matmul(h) + self.u.matmul(x) + self.b).tanh()
        }
    }

    #[differentiable]
    fn recurrent_loss(p: &Recurrent, #[no_diff] inputs: &[Tensor1<f64, 2>]) -> f64 {
        let mut h = Tensor1::<f64, 3>::zeros();
        let mut loss = 0.0;
        for x in inputs {
            h = p.step(&h, x);
            loss += (h * h).sum();
        }
        loss
    }

    #[differentiable]
    fn babylonian(x: f64) -> f64 {
        let mut y = x / 2.0;
        for _ in 0..20 {
            y = (y + x / y) / 2.0;
        }
        y
    }

    #[differentiable]
    fn nested_loops(x: f64) -> f64 {
        let mut total = x;
        let mut i = 0;
        'outer: loop {
            let mut j = 0;
            while j < i {
                total = total.sin() + j as f64 * x;
                j += 1;
                if total > 10.0 {
                    break 'outer;
                }
            }
            i += 1;
            if i >= 4 {
                break;
            }
        }
        total
    }

    #[differentiable]
    fn associative(xs: &[f64; 8]) -> f64 {
        let mut level = xs.to_vec();
        while level.len() > 1 {
            level = level.chunks(2).map(|p| p[0] * p[1] + p[0]).collect();
        }
        level[0]
    }

    #[test]
    fn gradients() {
        gradient!(cond(x) by x = 1.4 => [2.8]);
        gradient!(cond(x) by x = 3.4 => [2.0 * 3.4_f64.cos()]);
        gradient!(cond_with_an_operand(x, &c) by x = 1.4, c = [0.5, 0.7] => [2.0, 1.0, 0.0]);
        gradient!(cond_with_an_operand(x, &c) by x = 3.4, c = [0.5, 0.7] => [0.7, 0.0, 3.4]);
        for index in 0..4 {
            gradient!(switch(index, x) by x = 0.7);
        }
        gradient!(doubles_until(x) by x = 3.0 => [64.0]);
        gradient!(fori(x, 4) by x = 3.0 => [1.1 * 1.2 * 1.3]);
        gradient!(cumulative(&xs) by xs = vec![0.1, 0.5, -0.3]);
        gradient!(scan_with_pairs(c, &xs, &us) by c = 0.4, xs = vec![0.1, 0.5, -0.3], us = vec![1.0, 0.3, 0.2]);
        let p = Recurrent {
            w: Tensor2::from_fn(|[i, j]| 0.1 * i as f64 - 0.2 * j as f64),
            u: Tensor2::full(0.3),
            b: Tensor1::from([0.1, 0.2, 0.3]),
        };
        gradient!(recurrent_loss(&p, &[Tensor1::from([1.0, -1.0]), Tensor1::from([0.5, 0.2])]) by p = p);
        gradient!(babylonian(x) by x = 2.0 => [0.5 / 2.0_f64.sqrt()]);
        gradient!(nested_loops(x) by x = 0.7);
        gradient!(associative(&x) by x = [1.0, 2.0, 0.5, 0.4, 1.5, -0.3, 0.8, 1.1]);
    }
}

/// What the tests of `jax.numpy`, `lax`, `jax.nn` and `jax.scipy` differentiate, where there are kinks and singular points.
mod functions {
    use super::*;

    #[differentiable]
    fn softplus(x: f64) -> f64 {
        if x > 20.0 { x } else { x.exp().ln_1p() }
    }

    #[differentiable]
    fn selu(x: f64) -> f64 {
        let (alpha, scale) = (1.673_263_242_354_377_2, 1.050_700_987_355_480_5);
        scale * if x > 0.0 { x } else { alpha * x.exp_m1() }
    }

    #[differentiable]
    fn swish(x: f64) -> f64 {
        x / (1.0 + (-x).exp())
    }

    #[differentiable]
    fn relu6(x: f64) -> f64 {
        x.max(0.0).min(6.0)
    }

    #[differentiable]
    fn safe_where(x: f64) -> f64 {
        let safe = if x > 0.0 { x } else { 1.0 };
        if x > 0.0 { safe.ln() } else { 0.0 }
    }

    #[differentiable]
    fn logsumexp(x: &Tensor1<f64, 4>) -> f64 {
        let m = stop_gradient(x.max());
        (x - m).exp().sum().ln() + m
    }

    #[differentiable]
    fn hypotenuse(x: f64, y: f64) -> f64 {
        x.hypot(y) + y.atan2(x)
    }

    #[differentiable]
    fn straight_through(x: f64) -> f64 {
        let rounded = stop_gradient(x.round());
        (x + stop_gradient(rounded - x)) * x
    }

    #[differentiable]
    fn attention(q: &Tensor2<f64, 2, 3>, k: &Tensor2<f64, 4, 3>, v: &Tensor2<f64, 4, 3>) -> f64 {
        let scores = q.matmul(k.t()) / 3.0_f64.sqrt();
        let out = scores.softmax(1).matmul(v);
        (out * out).sum()
    }

    #[differentiable]
    fn layer_norm(x: &Tensor2<f64, 2, 4>, gain: &Tensor1<f64, 4>) -> f64 {
        let mu = x.mean_axis(1);
        let centred = x - mu.reshape([2, 1]);
        let var = (centred * centred).mean_axis(1).reshape([2, 1]);
        let y = centred / (var + 1e-5).sqrt() * gain;
        (y * y * y).sum()
    }

    #[differentiable]
    fn bilinear(a: &[[f64; 2]; 2], x: &[f64; 2], y: &[f64; 2]) -> f64 {
        let mut s = 0.0;
        for (row, xi) in a.iter().zip(x) {
            for (aij, yj) in row.iter().zip(y) {
                s += xi * aij * yj;
            }
        }
        s
    }

    #[differentiable]
    fn cumulative_maximum(x: &[f64]) -> f64 {
        let mut best = f64::NEG_INFINITY;
        let mut s = 0.0;
        for (i, &v) in x.iter().enumerate() {
            if v > best {
                best = v;
            }
            s += best * (i + 1) as f64;
        }
        s
    }

    #[differentiable]
    fn sort_and_weigh(x: &[f64; 4]) -> f64 {
        let mut y = *x;
        for i in 0..4 {
            for j in 0..3 - i {
                if y[j] > y[j + 1] {
                    y.swap(j, j + 1);
                }
            }
        }
        y.iter().enumerate().map(|(i, v)| i as f64 * v).sum()
    }

    #[differentiable]
    fn gather_and_scatter(x: &[f64], at: &[usize]) -> f64 {
        let mut y = vec![0.0; x.len()];
        for (i, &j) in at.iter().enumerate() {
            y[j] += x[i % x.len()] * x[j];
        }
        y.iter().map(|v| v.powi(2)).sum()
    }

    #[differentiable]
    fn tridiagonal_solve(lower: &[f64], diagonal: &[f64], upper: &[f64], rhs: &[f64]) -> Vec<f64> {
        let n = diagonal.len();
        let mut c = vec![0.0; n];
        let mut d = vec![0.0; n];
        c[0] = upper[0] / diagonal[0];
        d[0] = rhs[0] / diagonal[0];
        for i in 1..n {
            let m = diagonal[i] - lower[i] * c[i - 1];
            c[i] = upper[i] / m;
            d[i] = (rhs[i] - lower[i] * d[i - 1]) / m;
        }
        let mut x = d.clone();
        for i in (0..n - 1).rev() {
            x[i] = d[i] - c[i] * x[i + 1];
        }
        x
    }

    #[differentiable]
    fn of_the_solution(lower: &[f64], diagonal: &[f64], upper: &[f64], rhs: &[f64]) -> f64 {
        tridiagonal_solve(lower, diagonal, upper, rhs).into_iter().map(|x| x * x).sum()
    }

    #[differentiable]
    fn cholesky_log_det<const N: usize>(a: &[[f64; N]; N]) -> f64 {
        let mut l = [[0.0; N]; N];
        for i in 0..N {
            for j in 0..=i {
                let mut s = a[i][j];
                for k in 0..j {
                    s -= l[i][k] * l[j][k];
                }
                l[i][j] = if i == j { s.sqrt() } else { s / l[j][j] };
            }
        }
        (0..N).map(|i| 2.0 * l[i][i].ln()).sum()
    }

    #[differentiable]
    fn lorenz(x: &[f64; 3], sigma: f64, rho: f64, beta: f64) -> [f64; 3] {
        let [x, y, z] = *x;
        [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
    }

    #[differentiable]
    fn integrated(start: &[f64; 3], rho: f64) -> f64 {
        let mut x = *start;
        for _ in 0..20 {
            let d = lorenz(&x, 10.0, rho, 8.0 / 3.0);
            for (x, d) in x.iter_mut().zip(d) {
                *x += 0.01 * d;
            }
        }
        x[0] + x[1] * x[2]
    }

    #[test]
    fn gradients() {
        gradient!(softplus(x) by x = 0.7 => [1.0 / (1.0 + (-0.7_f64).exp())]);
        gradient!(softplus(x) by x = 30.0 => [1.0]);
        gradient!(selu(x) by x = -0.5);
        gradient!(swish(x) by x = 0.7);
        gradient!(relu6(x) by x = 3.0 => [1.0]);
        assert_eq!((relu6::grad(-1.0), relu6::grad(7.0)), (0.0, 0.0));
        gradient!(safe_where(x) by x = 2.0 => [0.5]);
        assert_eq!(safe_where::grad(0.0), 0.0);
        gradient!(logsumexp(&x) by x = Tensor1::from([1.0, 2.0, 3.0, 0.5]));
        gradient!(hypotenuse(x, y) by x = 3.0, y = 4.0 => [0.6 - 4.0 / 25.0, 0.8 + 3.0 / 25.0]);
        assert_eq!(straight_through::value_and_grad(1.4), (1.0 * 1.4, 1.0 + 1.4));
        let m = |k: f64| Tensor2::from_fn(move |[i, j]| k * i as f64 - 0.3 * j as f64);
        gradient!(attention(&q, &k, &v) by q = m(0.2), k = Tensor2::from_fn(|[i, j]| 0.1 * (i * j) as f64), v = Tensor2::from_fn(|[i, j]| (i + j) as f64));
        gradient!(layer_norm(&x, &g) by x = Tensor2::from([[1.0, 2.0, 4.0, 3.0], [0.5, -1.0, 2.0, 1.0]]), g = Tensor1::from([1.0, 0.5, 2.0, 1.5]));
        gradient!(bilinear(&a, &x, &y) by a = [[1.0, 2.0], [3.0, 4.0]], x = [0.5, -0.5], y = [2.0, 1.0] => [1.0, 0.5, -1.0, -0.5, 4.0, 10.0, -1.0, -1.0]);
        gradient!(cumulative_maximum(&x) by x = vec![1.0, 3.0, 2.0, 5.0] => [1.0, 5.0, 0.0, 4.0]);
        gradient!(sort_and_weigh(&x) by x = [3.0, 1.0, 4.0, 2.0] => [2.0, 0.0, 3.0, 1.0]);
        gradient!(gather_and_scatter(&x, &[0, 2, 2, 1]) by x = vec![1.0, 2.0, 3.0]);
        gradient!(of_the_solution(&l, &d, &u, &r) by l = vec![0.0, 1.0, 0.5], d = vec![4.0, 5.0, 6.0], u = vec![1.0, 2.0, 0.0], r = vec![1.0, 2.0, 3.0]);
        gradient!(cholesky_log_det(&a) by a = [[4.0, 1.0], [1.0, 3.0]]);
        gradient!(integrated(&x, rho) by x = [1.0, 1.0, 1.0], rho = 28.0);
    }
}
