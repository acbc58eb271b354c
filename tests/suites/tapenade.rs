//! Tapenade (tapenade.inria.fr: the tutorial and the FAQ), Adept (github.com/rjhogan/Adept-2, `test/`, `benchmark/`), CppAD
//! (github.com/coin-or/CppAD, `test_more/`, `example/`, `speed/`) and ADOL-C (`ADOL-C/examples`).

use autodiff::prelude::*;

/// Tapenade: Fortran's loops over arrays that are overwritten, `goto`s, and subroutines with arguments that are changed.
mod tapenade {
    use super::*;

    #[differentiable]
    fn head(i1: f64, i2: f64, o1: &mut f64) {
        let mut x = [0.0; 3];
        x[0] = i1 * i2;
        x[1] = i1.sin() + x[0];
        x[2] = x[1] * x[0];
        *o1 = x[0] + x[1] * x[2];
        if *o1 > 10.0 {
            *o1 /= x[0];
        }
    }

    #[differentiable]
    fn of_head(i1: f64, i2: f64) -> f64 {
        let mut o1 = 0.0;
        head(i1, i2, &mut o1);
        o1
    }

    #[differentiable]
    fn sub1(x: &mut [f64; 4], y: &mut f64) {
        for i in (0..4).rev() {
            x[i] = x[i] * *y;
            *y += x[i];
        }
    }

    #[differentiable]
    fn called_twice(x: &[f64; 4], y: f64) -> f64 {
        let mut x = *x;
        let mut y = y;
        sub1(&mut x, &mut y);
        sub1(&mut x, &mut y);
        y + x[0] * x[3]
    }

    #[differentiable]
    fn fixed_point(u: f64, z0: f64) -> f64 {
        let mut z = z0;
        let mut before = z + 1.0;
        let mut count = 0;
        while (z - before).abs() > 1e-13 && count < 200 {
            before = z;
            z = 0.5 * (z * u).cos() + 0.25 * u;
            count += 1;
        }
        z
    }

    #[differentiable]
    fn burgers(u0: &[f64], steps: usize, dt: f64) -> f64 {
        let n = u0.len();
        let mut u = u0.to_vec();
        for _ in 0..steps {
            let old = u.clone();
            for i in 1..n - 1 {
                let convection =
                    if old[i] > 0.0 { old[i] * (old[i] - old[i - 1]) } else { old[i] * (old[i + 1] - old[i]) };
                let diffusion = 0.1 * (old[i + 1] - 2.0 * old[i] + old[i - 1]);
                u[i] = old[i] + dt * (diffusion - convection);
            }
        }
        u.iter().map(|v| v * v).sum()
    }

    #[differentiable]
    fn gauss_seidel(a: &[[f64; 3]; 3], b: &[f64; 3], sweeps: usize) -> [f64; 3] {
        let mut x = [0.0; 3];
        for _ in 0..sweeps {
            for i in 0..3 {
                let mut s = b[i];
                for j in 0..3 {
                    if j != i {
                        s -= a[i][j] * x[j];
                    }
                }
                x[i] = s / a[i][i];
            }
        }
        x
    }

    #[differentiable]
    fn of_gauss_seidel(a: &[[f64; 3]; 3], b: &[f64; 3]) -> f64 {
        let [x, y, z] = gauss_seidel(a, b, 30);
        x + 2.0 * y + 3.0 * z
    }

    #[differentiable]
    fn multi_exit(t: &[f64], limit: f64) -> f64 {
        let mut sum = 0.0;
        let mut i = 0;
        let reached = loop {
            if i >= t.len() {
                break 0.0;
            }
            if t[i] < 0.0 {
                break sum * t[i];
            }
            sum += t[i];
            if sum > limit {
                break sum * sum;
            }
            i += 1;
        };
        reached + sum
    }

    #[differentiable]
    fn independent_minima(x: &[f64], y: &[f64]) -> f64 {
        let (mut lowest, mut where_) = (x[0], 0);
        for (i, &v) in x.iter().enumerate().skip(1) {
            if v < lowest {
                (lowest, where_) = (v, i);
            }
        }
        lowest * y[where_]
    }

    #[test]
    fn gradients() {
        gradient!(of_head(a, b) by a = 1.0, b = 2.0);
        gradient!(of_head(a, b) by a = 2.0, b = 2.0);
        gradient!(called_twice(&x, y) by x = [0.5, 0.4, 0.3, 0.2], y = 1.5);
        gradient!(fixed_point(u, z) by u = 0.8, z = 1.0);
        gradient!(burgers(&u, 5, dt) by u = vec![0.0, 1.0, 0.5, -0.5, -1.0, 0.0], dt = 0.1);
        gradient!(of_gauss_seidel(&a, &b) by a = [[4.0, 1.0, 0.5], [1.0, 5.0, 1.0], [0.2, 1.0, 3.0]], b = [1.0, 2.0, 3.0]);
        gradient!(multi_exit(&t, l) by t = vec![1.0, 2.0, -1.5], l = 10.0 => [-0.5, -0.5, 3.0, 0.0]);
        gradient!(multi_exit(&t, l) by t = vec![1.0, 2.0, 1.5], l = 2.5 => [7.0, 7.0, 0.0, 0.0]);
        gradient!(multi_exit(&t, l) by t = vec![1.0, 2.0], l = 9.0 => [1.0, 1.0, 0.0]);
        gradient!(independent_minima(&x, &y) by x = vec![2.0, 1.0, 3.0], y = vec![4.0, 5.0, 6.0] => [0.0, 5.0, 0.0, 0.0, 1.0, 0.0]);
    }
}

/// Adept: schemes of advection, and the algorithm of its documentation.
mod adept {
    use super::*;

    const NX: usize = 12;

    #[differentiable]
    fn algorithm(x: &[f64; 2]) -> f64 {
        let mut y = 4.0;
        let s = 2.0 * x[0] + 3.0 * x[1] * x[1];
        y *= s.sin();
        y
    }

    #[differentiable]
    fn lax_wendroff(nt: usize, c: f64, q_init: &[f64; NX]) -> [f64; NX] {
        let mut q = *q_init;
        let mut flux = [0.0; NX - 1];
        for _ in 0..nt {
            for i in 0..NX - 1 {
                flux[i] = 0.5 * c * (q[i] + q[i + 1] + c * (q[i] - q[i + 1]));
            }
            for i in 1..NX - 1 {
                q[i] += flux[i - 1] - flux[i];
            }
            q[0] = q[NX - 2];
            q[NX - 1] = q[1];
        }
        q
    }

    #[differentiable]
    fn toon(nt: usize, c: f64, q_init: &[f64; NX]) -> [f64; NX] {
        let mut q = *q_init;
        for _ in 0..nt {
            let flux: [f64; NX - 1] = {
                let mut flux = [0.0; NX - 1];
                for (i, f) in flux.iter_mut().enumerate() {
                    *f = ((c * (q[i] / q[i + 1]).ln()).exp() - 1.0) * q[i] * q[i + 1] / (q[i] - q[i + 1]);
                }
                flux
            };
            for i in 1..NX - 1 {
                q[i] += flux[i - 1] - flux[i];
            }
            q[0] = q[NX - 2];
            q[NX - 1] = q[1];
        }
        q
    }

    #[differentiable]
    fn advected(c: f64, q: &[f64; NX]) -> f64 {
        let a = lax_wendroff(5, c, q);
        let b = toon(2, c, q);
        a.iter().zip(b.iter()).enumerate().map(|(i, (a, b))| (i as f64 + 1.0) * a * b).sum()
    }

    #[differentiable]
    fn maxima(x: f64, y: f64) -> f64 {
        f64::max(x, y) + f64::min(x * x, 3.0) - x.max(2.0).min(y)
    }

    #[differentiable]
    fn minimised(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() - 1 {
            let a = x[i + 1] - x[i] * x[i];
            sum += (1.0 - x[i]).powi(2) + 100.0 * a * a;
        }
        sum
    }

    #[test]
    fn gradients() {
        gradient!(algorithm(&x) by x = [2.0, 3.0] => [8.0 * 31.0_f64.cos(), 72.0 * 31.0_f64.cos()]);
        let q: [f64; NX] = std::array::from_fn(|i| 1.5 + (0.5 * i as f64).sin());
        gradient!(advected(c, &q) by c = 0.125, q = q);
        gradient!(maxima(x, y) by x = 1.5, y = 4.0 => [3.0, 1.0]);
        gradient!(minimised(&x) by x = vec![-1.2, 1.0, 0.4]);
    }
}

/// CppAD and ADOL-C: conditional expressions, determinants by minors, differential equations, polynomials, what is sparse.
mod cppad {
    use super::*;

    #[differentiable]
    fn det_by_minor(a: &[f64], n: usize, row: usize, skipped: &[bool]) -> f64 {
        if row == n {
            return 1.0;
        }
        let mut det = 0.0;
        let mut sign = 1.0;
        let mut skipped = skipped.to_vec();
        for j in 0..n {
            if skipped[j] {
                continue;
            }
            skipped[j] = true;
            det += sign * a[row * n + j] * det_by_minor(a, n, row + 1, &skipped);
            skipped[j] = false;
            sign = -sign;
        }
        det
    }

    #[differentiable]
    fn det_by_lu(a: &[f64], n: usize) -> f64 {
        let mut a = a.to_vec();
        let mut det = 1.0;
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if a[i * n + k].abs() > a[pivot * n + k].abs() {
                    pivot = i;
                }
            }
            if pivot != k {
                for j in 0..n {
                    a.swap(k * n + j, pivot * n + j);
                }
                det = -det;
            }
            det *= a[k * n + k];
            for i in k + 1..n {
                let f = a[i * n + k] / a[k * n + k];
                for j in k..n {
                    a[i * n + j] -= f * a[k * n + j];
                }
            }
        }
        det
    }

    #[differentiable]
    fn exp_eps(x: f64, #[no_diff] epsilon: f64) -> f64 {
        let mut k = 0.0;
        let mut term = 1.0;
        let mut sum = term;
        while term > epsilon {
            k += 1.0;
            let temp = term * x;
            term = temp / k;
            sum += term;
        }
        sum
    }

    #[differentiable]
    fn ode(x: &[f64; 2], steps: usize) -> f64 {
        let h = 1.0 / steps as f64;
        let derivative = |y: [f64; 2]| [x[0], x[1] * y[0] + y[1]];
        let mut y = [0.0, 1.0];
        for _ in 0..steps {
            let k1 = derivative(y);
            let mid = [y[0] + 0.5 * h * k1[0], y[1] + 0.5 * h * k1[1]];
            let k2 = derivative(mid);
            y = [y[0] + h * k2[0], y[1] + h * k2[1]];
        }
        y[0] * y[1]
    }

    #[differentiable]
    fn polynomial(a: &[f64], z: f64) -> f64 {
        a.iter().rev().fold(0.0, |p, c| p * z + c)
    }

    #[differentiable]
    fn sparse_quadratic(x: &[f64], row: &[usize], col: &[usize]) -> f64 {
        let mut f = 0.0;
        for (&i, &j) in row.iter().zip(col) {
            f += x[i] * x[j] + if i == j { x[i].exp() } else { 0.0 };
        }
        f
    }

    #[differentiable]
    fn speelpenning(x: &[f64]) -> f64 {
        let mut y = 1.0;
        for v in x {
            y *= v;
        }
        y
    }

    #[differentiable]
    fn interpolate(x: f64, table: &[(f64, f64)]) -> f64 {
        let mut k = 0;
        while k + 2 < table.len() && table[k + 1].0 < x {
            k += 1;
        }
        let ((x0, y0), (x1, y1)) = (table[k], table[k + 1]);
        y0 + (x - x0) / (x1 - x0) * (y1 - y0)
    }

    #[differentiable]
    fn error_function(x: f64) -> f64 {
        let t = 1.0 / (1.0 + 0.5 * x.abs());
        let coefficients = [
            -1.265_512_23,
            1.000_023_68,
            0.374_091_96,
            0.096_784_18,
            -0.186_288_06,
            0.278_868_07,
            -1.135_203_98,
            1.488_515_87,
            -0.822_152_23,
            0.170_872_77,
        ];
        let series = coefficients.iter().rev().fold(0.0, |s, c| s * t + c);
        let tau = t * (-x * x + series).exp();
        if x >= 0.0 { 1.0 - tau } else { tau - 1.0 }
    }

    #[differentiable]
    fn base_changes<T: Real>(x: T, y: T) -> T {
        let two = T::from_f64(2.0);
        (x / y).abs().sqrt() + two * x.max(y) - (x * y).tanh()
    }

    #[differentiable]
    fn compound_in_place(x: f64, y: f64) -> f64 {
        let mut z = x;
        z += y;
        z -= x * y;
        z *= z;
        z /= 1.0 + y * y;
        -(-z)
    }

    #[test]
    fn gradients() {
        let a = vec![1.0, 2.0, 0.5, 3.0, -1.0, 2.0, 0.4, 1.5, 2.5];
        gradient!(det_by_minor(&a, 3, 0, &[false; 3]) by a = a.clone());
        gradient!(det_by_lu(&a, 3) by a = a.clone());
        gradient!(exp_eps(x, 1e-14) by x = 0.5 => [0.5_f64.exp()]);
        gradient!(ode(&x, 20) by x = [0.5, 1.5]);
        gradient!(polynomial(&a, z) by a = vec![1.0, 2.0, 3.0], z = 2.0 => [1.0, 2.0, 4.0, 14.0]);
        gradient!(sparse_quadratic(&x, &[0, 1, 2, 0], &[0, 2, 2, 1]) by x = vec![0.1, 0.2, 0.3]);
        gradient!(speelpenning(&x) by x = vec![2.0, 3.0, 5.0] => [15.0, 10.0, 6.0]);
        let table = vec![(0.0, 1.0), (1.0, 3.0), (2.0, -1.0)];
        gradient!(interpolate(x, &t) by x = 1.5, t = table => [-4.0, 0.0, 0.0, 2.0, 0.5, 2.0, 0.5]);
        gradient!(error_function(x) by x = 0.7);
        gradient!(error_function(x) by x = -0.7);
        gradient!(base_changes(x, y) by x = 0.7, y = 1.3);
        gradient!(compound_in_place(x, y) by x = 0.7, y = 1.3);
    }
}
