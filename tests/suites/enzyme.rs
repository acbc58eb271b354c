//! Enzyme: a plugin of LLVM (github.com/EnzymeAD/Enzyme, `enzyme/test/Integration/{ForwardMode,ReverseMode}`, `enzyme/benchmarks`; `Enzyme.jl`, `test/`).

use autodiff::prelude::*;

/// Loops over memory that is read, written and read again.
mod memory {
    use super::*;

    #[differentiable]
    fn sum_until(x: &[f64], limit: f64) -> f64 {
        let mut res = 0.0;
        for i in 0..x.len() {
            if x[i] > limit {
                break;
            }
            res += x[i] * x[i];
        }
        res
    }

    #[differentiable]
    fn read_write_read(x: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
            x[i] = 0.0;
        }
        sum
    }

    #[differentiable]
    fn nested_sums(x: &[f64]) -> f64 {
        let n = x.len();
        let mut sum = 0.0;
        for i in 0..n {
            for j in 0..=i {
                for k in j..n {
                    sum += x[i] * x[j] * x[k];
                }
            }
        }
        sum
    }

    #[differentiable]
    fn insertion_sort_then_sum(array: &[f64]) -> f64 {
        let mut array = array.to_vec();
        let n = array.len();
        for i in 1..n {
            let mut j = i;
            while j > 0 && array[j - 1] < array[j] {
                let tmp = array[j];
                array[j] = array[j - 1];
                array[j - 1] = tmp;
                j -= 1;
            }
        }
        let mut sum = 0.0;
        for i in 0..n / 2 {
            sum += array[i];
        }
        sum
    }

    #[differentiable]
    fn smallest_first(array: &[f64]) -> f64 {
        let mut sorted = Vec::new();
        let mut used = vec![false; array.len()];
        for _ in 0..array.len() {
            let mut best = usize::MAX;
            for (i, &a) in array.iter().enumerate() {
                if !used[i] && (best == usize::MAX || a < array[best]) {
                    best = i;
                }
            }
            used[best] = true;
            sorted.push(array[best]);
        }
        sorted.iter().enumerate().map(|(i, s)| s * i as f64).sum()
    }

    #[differentiable]
    fn mean_of_the_largest(vec: &[f64]) -> f64 {
        let mut ret = f64::NEG_INFINITY;
        let mut maxes = Vec::new();
        for i in 0..vec.len() {
            if vec[i] > ret {
                maxes.clear();
                ret = vec[i];
            }
            if vec[i] == ret {
                maxes.push(vec[i]);
            }
        }
        let mut ret = 0.0;
        for a in &maxes {
            ret += *a;
        }
        ret /= maxes.len() as f64;
        ret
    }

    #[differentiable]
    fn tile(frame: &[f64], start: usize, end: usize) -> f64 {
        if end - start > 3 {
            let middle = start + (end - start) / 2;
            let sum1 = tile(frame, start, middle);
            let sum2 = tile(frame, middle, end);
            return sum1 + sum2 * sum2;
        }
        let mut sum = 0.0;
        let mut c = start;
        if c < end {
            loop {
                sum += frame[c];
                c += 1;
                if c >= end {
                    break;
                }
            }
        }
        sum
    }

    #[differentiable]
    fn bounds_from_metadata(a: &[f64], meta: &[usize; 2]) -> f64 {
        let size = meta[1] - meta[0];
        let mut a = a.to_vec();
        for i in 0..size {
            a[i] *= 2.0;
        }
        a[0] = 0.0;
        a.iter().product::<f64>() + a.iter().sum::<f64>()
    }

    #[differentiable]
    fn reallocated(x: f64, n: usize) -> f64 {
        let mut arr = Vec::with_capacity(1);
        for i in 0..n {
            arr.push(x * i as f64);
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += arr[i] * arr[i];
        }
        sum
    }

    #[differentiable]
    fn copied(src: &[f64; 6]) -> f64 {
        let mut dst = [0.0; 6];
        dst[..3].copy_from_slice(&src[3..]);
        dst[3..].copy_from_slice(&src[..3]);
        let mut s = 0.0;
        for i in 0..6 {
            s += dst[i] * (i + 1) as f64 * dst[i];
        }
        s
    }

    #[differentiable]
    fn stencil(u: &[f64], steps: usize, nu: f64) -> f64 {
        let n = u.len();
        let mut now = u.to_vec();
        let mut next = vec![0.0; n];
        for _ in 0..steps {
            for i in 1..n - 1 {
                next[i] = now[i] + nu * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
            }
            next[0] = now[0];
            next[n - 1] = now[n - 1];
            std::mem::swap(&mut now, &mut next);
        }
        now.iter().map(|v| v * v).sum()
    }

    #[differentiable]
    fn gemm(a: &[f64], b: &[f64], c: &mut [f64], alpha: f64, beta: f64) {
        let (m, n, k) = (2, 2, 3);
        for i in 0..m {
            for j in 0..n {
                let mut sum = 0.0;
                for l in 0..k {
                    sum += a[i * k + l] * b[l * n + j];
                }
                c[i * n + j] = alpha * sum + beta * c[i * n + j];
            }
        }
    }

    #[differentiable]
    fn sum_of_gemm(a: &[f64], b: &[f64], alpha: f64, beta: f64) -> f64 {
        let mut c = vec![1.0, 2.0, 3.0, 4.0];
        gemm(a, b, &mut c, alpha, beta);
        let mut s = 0.0;
        for (i, x) in c.iter().enumerate() {
            s += x * x * (i as f64 - 1.5);
        }
        s
    }

    #[differentiable]
    fn dot(x: &[f64], y: &[f64], incx: usize) -> f64 {
        let mut s = 0.0;
        for (a, b) in x.iter().step_by(incx).zip(y) {
            s += a * b;
        }
        s
    }

    #[test]
    fn gradients() {
        gradient!(sum_until(&x, l) by x = vec![1.0, 2.0, 3.0, 1.0], l = 2.5 => [2.0, 4.0, 0.0, 0.0, 0.0]);
        gradient!(read_write_read(&mut x) by x = [1.0, 2.0, 3.0] => [2.0, 4.0, 6.0]);
        gradient!(nested_sums(&x) by x = vec![1.0, 2.0, 3.0]);
        gradient!(insertion_sort_then_sum(&a) by a = vec![0.1, 1.0, 0.2, 1.1, 0.3, 1.2] => [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
        gradient!(smallest_first(&a) by a = vec![3.0, 1.0, 2.0] => [2.0, 0.0, 1.0]);
        assert_eq!(mean_of_the_largest::grad(&[-1.0, 2.0, -0.2, 2.0, 1.0]), [0.0, 0.5, 0.0, 0.5, 0.0]);
        gradient!(tile(&f, 0, 10) by f = vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
        gradient!(bounds_from_metadata(&a, &[198, 200]) by a = vec![1.0, 2.0, 3.0] => [0.0, 2.0, 1.0]);
        gradient!(reallocated(x, 5) by x = 2.0 => [120.0]);
        gradient!(copied(&s) by s = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] => [8.0, 20.0, 36.0, 8.0, 20.0, 36.0]);
        gradient!(stencil(&u, 4, nu) by u = vec![0.0, 1.0, 0.5, -1.0, 0.3], nu = 0.2);
        gradient!(sum_of_gemm(&a, &b, alpha, beta) by a = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], b = vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
            alpha = 0.5, beta = 2.0);
        gradient!(dot(&x, &y, 2) by x = vec![1.0, 2.0, 3.0, 4.0], y = vec![5.0, 6.0] => [5.0, 0.0, 6.0, 0.0, 1.0, 3.0]);
    }
}

/// Numbers: what is called, approximated, iterated.
mod numbers {
    use super::*;

    #[differentiable]
    fn integrate_exp(t: f64) -> f64 {
        let h = t / 1000.0;
        let mut y = 1.0;
        let mut s = 0.0;
        for _ in 0..1000 {
            let k1 = y;
            let k2 = y + 0.5 * h * k1;
            let k3 = y + 0.5 * h * k2;
            let k4 = y + h * k3;
            y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
            s += h;
        }
        y * s / t
    }

    #[differentiable]
    fn taylor_of_the_exponential(x: f64, terms: usize) -> f64 {
        let mut result = 0.0;
        for i in 0..terms {
            let mut factorial = 1.0;
            for j in 1..=i {
                factorial *= j as f64;
            }
            result += x.powi(i as i32) / factorial;
        }
        result
    }

    #[differentiable]
    fn my_cos(x: f64) -> f64 {
        let mut term = 1.0;
        let mut sum = term;
        let mut n = 0;
        while n < 20 {
            n += 1;
            term *= -x * x / ((2 * n - 1) * (2 * n)) as f64;
            sum += term;
        }
        sum
    }

    #[differentiable]
    fn square_root_by_newton(x: f64) -> f64 {
        let mut y = x;
        while (y * y - x).abs() > 1e-14 * x {
            y = 0.5 * (y + x / y);
        }
        y
    }

    #[differentiable]
    fn energy(t: f64, y: &[f64; 2]) -> f64 {
        let a = [718.0, 650.0];
        let b = [0.05, 0.11];
        let mut e = 0.0;
        for s in 0..2 {
            e += y[s] * (a[s] * t + b[s] * t * t);
        }
        e
    }

    #[differentiable]
    fn heat_capacity(t: f64, y: &[f64; 2]) -> f64 {
        y[0] * (718.0 + 0.1 * t) + y[1] * (650.0 + 0.22 * t)
    }

    #[differentiable]
    fn temperature(x: &[f64; 4]) -> f64 {
        const MAX_STEPS: usize = 50;
        let y = [x[1], x[2]];
        let mut t = x[3];
        for _ in 0..MAX_STEPS {
            let cv = heat_capacity(t, &y);
            if cv <= 0.0 {
                break;
            }
            let step = (energy(t, &y) - x[0]) / cv;
            t = (t - step).clamp(50.0, 30_000.0);
            if step.abs() < 1e-10 * t {
                break;
            }
        }
        t
    }

    #[differentiable]
    fn manhattan(x: &[f64]) -> f64 {
        x.iter().fold(0.0, |acc, v| acc + v.abs())
    }

    #[differentiable]
    fn largest(x: &[f64]) -> f64 {
        let mut m = x[0];
        for &v in &x[1..] {
            m = if v > m { v } else { m };
        }
        m
    }

    #[differentiable]
    fn many_quotients(x: f64, n: usize) -> f64 {
        let mut y = 1.0;
        for i in 0..n {
            y = y / (x + i as f64);
        }
        y
    }

    #[differentiable]
    fn log1p_like(x: f64) -> f64 {
        f64::ln_1p(x) * f64::exp_m1(x)
    }

    #[differentiable]
    fn guarded_norm(v: &[f64; 3]) -> f64 {
        let n = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        let inv = if n > 1e-12 { 1.0 / n } else { 0.0 };
        let u = [v[0] * inv, v[1] * inv, v[2] * inv];
        u[0] + 2.0 * u[1] - u[2]
    }

    #[differentiable]
    fn flux(left: f64, right: f64) -> f64 {
        let speed = left.abs().max(right.abs());
        0.5 * (left * left / 2.0 + right * right / 2.0) - 0.5 * speed * (right - left)
    }

    #[differentiable(order = 2)]
    fn entropy(u: &[f64; 3]) -> f64 {
        let (rho, m, e) = (u[0], u[1], u[2]);
        let p = 0.4 * (e - 0.5 * m * m / rho);
        -rho * (p / rho.powf(1.4)).ln() / 0.4
    }

    #[differentiable]
    fn logarithm_of_a_sum(x: &[f64]) -> f64 {
        let mut m = f64::MIN;
        for &v in x {
            m = m.max(v);
        }
        let mut s = 0.0;
        for &v in x {
            s += (v - m).exp();
        }
        s.ln() + m
    }

    #[test]
    fn gradients() {
        assert!((integrate_exp::grad(1.0) - 1.0_f64.exp()).abs() < 1e-8);
        gradient!(taylor_of_the_exponential(x, 10) by x = 0.5);
        gradient!(my_cos(x) by x = 0.7 => [-0.7_f64.sin()]);
        gradient!(square_root_by_newton(x) by x = 2.0 => [0.5 / 2.0_f64.sqrt()]);
        let y = [0.767, 0.233];
        gradient!(temperature(&x) by x = [energy(1000.0, &y), 0.767, 0.233, 500.0]);
        gradient!(manhattan(&x) by x = vec![1.0, -2.0, 3.0] => [1.0, -1.0, 1.0]);
        gradient!(largest(&x) by x = vec![1.0, 4.0, 3.0] => [0.0, 1.0, 0.0]);
        gradient!(many_quotients(x, 5) by x = 1.5);
        gradient!(log1p_like(x) by x = 0.5);
        gradient!(guarded_norm(&v) by v = [1.0, 2.0, 3.0]);
        assert_eq!(guarded_norm::grad(&[0.0; 3]), [0.0; 3]);
        gradient!(flux(l, r) by l = 2.0, r = 1.0 => [2.5, -0.5]);
        gradient!(entropy(&u) by u = [1.0, 0.3, 2.5]);
        gradient!(logarithm_of_a_sum(&x) by x = vec![1.0, 2.0, 3.0]);
    }
}

/// Structs, pointers to them, and what is global.
mod structs {
    use super::*;

    #[derive(Differentiable, Clone)]
    struct Vector {
        x: f64,
        y: f64,
        z: f64,
    }

    #[differentiable]
    fn fields_of_many(points: &[Vector]) -> f64 {
        points.iter().map(|p| p.x * p.y + p.z).sum()
    }

    #[derive(Differentiable, Clone, Default)]
    struct Inner {
        value: f64,
        scale: f64,
    }

    #[derive(Differentiable, Clone, Default)]
    struct Outer {
        a: Inner,
        b: [Inner; 2],
    }

    #[differentiable]
    fn nested(o: &Outer) -> f64 {
        let mut s = o.a.value * o.a.scale;
        for inner in o.b.iter() {
            s += inner.value * inner.value * inner.scale;
        }
        s
    }

    #[differentiable]
    fn returns_a_struct(x: f64, y: f64) -> Vector {
        Vector { x: x * y, y: x + y, z: x.sin() }
    }

    #[differentiable]
    fn uses_a_struct(x: f64, y: f64) -> f64 {
        let Vector { x: a, y: b, z } = returns_a_struct(x, y);
        a * b + z
    }

    #[derive(Differentiable, Clone)]
    struct Neuron {
        weights: Vec<f64>,
        bias: f64,
    }

    #[differentiable]
    impl Neuron {
        fn activate(&self, input: &[f64]) -> f64 {
            let mut sum = self.bias;
            for (w, x) in self.weights.iter().zip(input.iter()) {
                sum += w * x;
            }
            1.0 / (1.0 + (-sum).exp())
        }
    }

    #[differentiable]
    fn two_neurons(a: &Neuron, b: &Neuron, input: &[f64]) -> f64 {
        let h = [a.activate(input), b.activate(input)];
        a.activate(&h) - b.activate(&h)
    }

    static TABLE: [f64; 4] = [0.5, 1.5, -2.0, 3.0];

    #[differentiable]
    fn global_table(x: f64, index: usize) -> f64 {
        TABLE[index] * x + TABLE[(index + 1) % TABLE.len()] * x * x
    }

    #[differentiable]
    fn last_by_option(x: &[f64]) -> f64 {
        if x.is_empty() { 0.0 } else { x[x.len() - 1] * x[x.len() - 1] }
    }

    #[differentiable]
    fn by_callback(x: f64) -> f64 {
        let apply = |x: f64| x * x * x;
        apply(x)
    }

    #[differentiable]
    fn sum_list(head: &[f64], at: usize) -> f64 {
        if at == head.len() { 0.0 } else { head[at] + sum_list(head, at + 1) * head[at] }
    }

    #[differentiable]
    fn even(x: f64, n: u32) -> f64 {
        if n == 0 { 1.0 } else { x * odd(x, n - 1) }
    }

    #[differentiable]
    fn odd(x: f64, n: u32) -> f64 {
        if n == 0 { x } else { x + even(x, n - 1) }
    }

    #[differentiable]
    fn complex_power(re: f64, im: f64, n: usize) -> f64 {
        let (mut a, mut b) = (1.0, 0.0);
        for _ in 0..n {
            (a, b) = (a * re - b * im, a * im + b * re);
        }
        a * a + b
    }

    #[differentiable]
    fn prints(x: f64) -> f64 {
        println!("x is {x}");
        let y = x * x;
        eprintln!("y is {:.3}", y);
        y
    }

    #[test]
    fn gradients() {
        let p = Vector { x: 1.0, y: 2.0, z: 3.0 };
        gradient!(fields_of_many(&p) by p = vec![p.clone(), Vector { x: 4.0, ..p.clone() }] => [2.0, 1.0, 1.0, 2.0, 4.0, 1.0]);
        let inner = Inner { value: 2.0, scale: 3.0 };
        gradient!(nested(&o) by o = Outer { a: inner.clone(), b: [inner.clone(), inner.clone()] } => [3.0, 2.0, 12.0, 4.0, 12.0, 4.0]);
        gradient!(uses_a_struct(x, y) by x = 2.0, y = 3.0 => [2.0 * 2.0 * 3.0 + 9.0 + 2.0_f64.cos(), 4.0 + 12.0]);
        let neuron = Neuron { weights: vec![0.5, -0.3], bias: 0.1 };
        gradient!(two_neurons(&a, &b, &x) by a = neuron.clone(), b = Neuron { bias: 0.7, ..neuron.clone() }, x = vec![1.0, 2.0]);
        gradient!(global_table(x, 3) by x = 2.0 => [3.0 + 2.0]);
        gradient!(last_by_option(&x) by x = vec![1.0, 2.0] => [0.0, 4.0]);
        assert!(last_by_option::grad(&[]).is_empty());
        gradient!(by_callback(x) by x = 2.0 => [12.0]);
        gradient!(sum_list(&x, 0) by x = vec![2.0, 3.0, 5.0] => [1.0 + 18.0, 2.0 * 6.0, 6.0]);
        gradient!(even(x, 4) by x = 1.5);
        gradient!(complex_power(re, im, 5) by re = 0.8, im = 0.4);
        gradient!(prints(x) by x = 2.0 => [4.0]);
    }
}

/// The benchmarks: a Fourier transform, a mixture of Gaussians, a projection of a camera, an equation of reaction and diffusion.
mod benchmarks {
    use super::*;
    use std::f64::consts::PI;

    #[differentiable]
    fn fft(data: &mut [f64]) {
        let n = data.len() / 2;
        if n < 2 {
            return;
        }
        let mut even = vec![0.0; n];
        let mut odd = vec![0.0; n];
        for i in 0..n / 2 {
            even[2 * i] = data[4 * i];
            even[2 * i + 1] = data[4 * i + 1];
            odd[2 * i] = data[4 * i + 2];
            odd[2 * i + 1] = data[4 * i + 3];
        }
        fft(&mut even);
        fft(&mut odd);
        for k in 0..n / 2 {
            let angle = -2.0 * PI * k as f64 / n as f64;
            let (s, c) = angle.sin_cos();
            let re = c * odd[2 * k] - s * odd[2 * k + 1];
            let im = s * odd[2 * k] + c * odd[2 * k + 1];
            data[2 * k] = even[2 * k] + re;
            data[2 * k + 1] = even[2 * k + 1] + im;
            data[2 * k + n] = even[2 * k] - re;
            data[2 * k + 1 + n] = even[2 * k + 1] - im;
        }
    }

    #[differentiable]
    fn spectrum(signal: &[f64]) -> f64 {
        let mut data = signal.to_vec();
        fft(&mut data);
        let mut s = 0.0;
        for (i, pair) in data.chunks(2).enumerate() {
            s += (pair[0] * pair[0] + pair[1] * pair[1]) * i as f64;
        }
        s
    }

    #[differentiable]
    fn log_sum_exp(x: &[f64]) -> f64 {
        let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let s: f64 = x.iter().map(|v| (v - m).exp()).sum();
        m + s.ln()
    }

    #[differentiable]
    fn mixture(alphas: &[f64], means: &[f64], x: &[f64]) -> f64 {
        let k = alphas.len();
        let d = means.len() / k;
        let mut total = 0.0;
        for point in x.chunks(d) {
            let mut main_term = vec![0.0; k];
            for c in 0..k {
                let mean = &means[c * d..(c + 1) * d];
                let mut sq = 0.0;
                for (a, b) in point.iter().zip(mean) {
                    sq += (a - b) * (a - b);
                }
                main_term[c] = alphas[c] - 0.5 * sq;
            }
            total += log_sum_exp(&main_term);
        }
        total - (x.len() / d) as f64 * log_sum_exp(alphas)
    }

    #[differentiable]
    fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    #[differentiable]
    fn rodrigues(rot: &[f64; 3], pt: &[f64; 3]) -> [f64; 3] {
        let theta2 = rot.iter().map(|r| r * r).sum::<f64>();
        if theta2 != 0.0 {
            let theta = theta2.sqrt();
            let (sin, cos) = (theta.sin(), theta.cos());
            let w = [rot[0] / theta, rot[1] / theta, rot[2] / theta];
            let w_cross = cross(&w, pt);
            let tmp = (w[0] * pt[0] + w[1] * pt[1] + w[2] * pt[2]) * (1.0 - cos);
            std::array::from_fn(|i| pt[i] * cos + w_cross[i] * sin + w[i] * tmp)
        } else {
            let c = cross(rot, pt);
            [pt[0] + c[0], pt[1] + c[1], pt[2] + c[2]]
        }
    }

    #[differentiable]
    fn reprojection(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [f64; 2] {
        let rot = [camera[0], camera[1], camera[2]];
        let mut xo = [0.0; 3];
        for i in 0..3 {
            xo[i] = point[i] - camera[3 + i];
        }
        let xcam = rodrigues(&rot, &xo);
        let mut proj = [xcam[0] / xcam[2], xcam[1] / xcam[2]];
        let rsq = proj[0] * proj[0] + proj[1] * proj[1];
        let l = 1.0 + camera[9] * rsq + camera[10] * rsq * rsq;
        for (i, p) in proj.iter_mut().enumerate() {
            *p = *p * l * camera[6] + camera[7 + i];
        }
        [weight * (proj[0] - feature[0]), weight * (proj[1] - feature[1])]
    }

    #[differentiable]
    fn reprojection_error(camera: &[f64; 11], point: &[f64; 3], weight: f64) -> f64 {
        let err = reprojection(camera, point, weight, &[0.3, -0.2]);
        let w_err = 1.0 - weight * weight;
        err[0] * err[0] + err[1] * err[1] + w_err * w_err
    }

    #[differentiable]
    fn brusselator(p: &[f64; 3], u: &[f64], steps: usize) -> f64 {
        const N: usize = 4;
        let [a, b, alpha] = *p;
        let mut u = u.to_vec();
        let mut du = vec![0.0; u.len()];
        for _ in 0..steps {
            for i in 0..N {
                let (left, right) = ((i + N - 1) % N, (i + 1) % N);
                let (x, y) = (u[i], u[N + i]);
                du[i] = a + x * x * y - (b + 1.0) * x + alpha * (u[left] + u[right] - 2.0 * x);
                du[N + i] = b * x - x * x * y + alpha * (u[N + left] + u[N + right] - 2.0 * y);
            }
            u.iter_mut().zip(du.iter()).for_each(|(u, d)| *u += 0.01 * d);
        }
        u.iter().map(|x| x.powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn gradients() {
        gradient!(spectrum(&s) by s = vec![1.0, 0.0, 0.5, 0.2, -0.3, 0.1, 0.7, -0.4]);
        gradient!(mixture(&a, &m, &x) by a = vec![0.2, -0.1], m = vec![0.0, 1.0, -1.0, 0.5], x = vec![0.3, 0.4, -0.6, 1.0]);
        let camera = [0.1, -0.2, 0.3, 0.5, 0.4, -2.0, 1.2, 0.1, -0.1, 0.01, 0.002];
        gradient!(reprojection_error(&c, &p, w) by c = camera, p = [0.7, 0.2, 1.5], w = 0.9);
        gradient!(brusselator(&p, &u, 10) by p = [1.0, 3.4, 0.2], u = vec![1.0, 1.1, 0.9, 1.2, 3.0, 2.9, 3.1, 3.3]);
    }
}
