//! ForwardDiff.jl and DiffTests.jl (github.com/JuliaDiff): the functions of `DiffTests.jl/src/DiffTests.jl`, and `ForwardDiff.jl/test`.

use autodiff::prelude::*;

mod numbers {
    use super::*;

    #[differentiable]
    fn num2num_1(x: f64) -> f64 {
        x.sin().powi(2) / x.cos().powi(2)
    }

    #[differentiable]
    fn num2num_2(x: f64) -> f64 {
        2.0 * x + (x * x * x).sqrt()
    }

    #[differentiable]
    fn num2num_3(x: f64) -> f64 {
        10.31_f64.powf(x + x) - x
    }

    #[differentiable]
    fn num2num_4(_x: f64) -> f64 {
        1.0
    }

    #[differentiable]
    fn num2num_5(x: f64) -> f64 {
        1.0 / (1.0 + (-x).exp())
    }

    #[differentiable]
    fn identity(x: f64) -> f64 {
        x
    }

    #[differentiable]
    fn num2arr(x: f64) -> [[[f64; 2]; 2]; 2] {
        let (a, b, c) = (num2num_1(x), num2num_2(x), num2num_3(x));
        [[[a, b], [c, a - b]], [[b, c], [b, c]]]
    }

    #[differentiable]
    fn of_the_array(x: f64) -> f64 {
        num2arr(x).iter().flatten().flatten().enumerate().map(|(i, v)| i as f64 * v).sum()
    }

    #[differentiable]
    fn num2arr_in_place(y: &mut [f64], x: f64) {
        y.fill(0.0);
        for i in 1..y.len() {
            y[i] = (x.sin() + y[i - 1]).powi(2);
        }
    }

    #[differentiable]
    fn last_in_place(x: f64) -> f64 {
        let mut y = [1.0; 6];
        num2arr_in_place(&mut y, x);
        y[5]
    }

    #[differentiable(order = 2)]
    fn inner(x: f64, y: f64) -> f64 {
        x + y
    }

    /// A derivative inside one: perturbations are not confused.
    #[differentiable]
    fn confusion(x: f64) -> f64 {
        let (_, dy) = inner::grad(x, 1.0);
        x * dy
    }

    #[differentiable(order = 2)]
    fn waves(x: f64) -> f64 {
        x.sin() / 3.0 * x.cos() / 2.0
    }

    #[differentiable]
    fn slope_times_value(x: &[f64; 2]) -> f64 {
        waves::grad(x[0]) * waves(x[1])
    }

    #[test]
    fn gradients() {
        gradient!(num2num_1(x) by x = 1.0);
        gradient!(num2num_2(x) by x = 1.0 => [3.5]);
        gradient!(num2num_3(x) by x = 1.0 => [2.0 * 10.31_f64.ln() * 10.31_f64.powi(2) - 1.0]);
        gradient!(num2num_4(x) by x = 1.0 => [0.0]);
        gradient!(num2num_5(x) by x = 1.0);
        gradient!(identity(x) by x = 1.0 => [1.0]);
        gradient!(of_the_array(x) by x = 0.8);
        gradient!(last_in_place(x) by x = 0.5);
        gradient!(confusion(x) by x = 1.0 => [1.0]);
        gradient!(slope_times_value(&x) by x = [0.4, 0.7]);
    }
}

mod vectors {
    use super::*;

    #[differentiable]
    fn vec2num_1(x: &[f64]) -> f64 {
        (x[0].exp() + x[2].ln() * x[3]) / x[4]
    }

    #[differentiable]
    fn vec2num_2(x: &[f64]) -> f64 {
        x[0] * x[1] + x[0].sin()
    }

    #[differentiable]
    fn vec2num_3(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for a in x {
            for b in x {
                s += (a * b).powi(2);
            }
        }
        s.sqrt()
    }

    #[differentiable]
    fn vec2num_4(x: &[f64]) -> f64 {
        let _unused = x.iter().sum::<f64>() + x.iter().product::<f64>();
        1.0
    }

    #[differentiable]
    fn vec2num_5(x: &[f64]) -> f64 {
        x.iter().map(|v| (-v).powi(3)).sum()
    }

    #[differentiable]
    fn vec2num_6(x: &[f64]) -> f64 {
        x.iter().map(|&v| if v > 0.0 { v } else { 0.0 }).collect::<Vec<_>>().iter().sum()
    }

    #[differentiable]
    fn vec2num_7(x: &[f64]) -> f64 {
        x.iter().map(|y| x[0] * y).sum()
    }

    #[differentiable]
    fn rosenbrock_1(x: &[f64]) -> f64 {
        let a = 1.0;
        let b = 100.0 * a;
        let mut result = 0.0;
        for i in 0..x.len() - 1 {
            result += (a - x[i]).powi(2) + b * (x[i + 1] - x[i].powi(2)).powi(2);
        }
        result
    }

    #[differentiable]
    fn rosenbrock_2(x: &[f64]) -> f64 {
        let a = x[0];
        let b = 100.0 * a;
        let v: Vec<f64> =
            x[1..].iter().zip(&x[..x.len() - 1]).map(|(i, j)| (a - j).powi(2) + b * (i - j.powi(2)).powi(2)).collect();
        v.iter().sum()
    }

    #[differentiable]
    fn rosenbrock_3(x: &[f64]) -> f64 {
        x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0].powi(2)).powi(2)).sum()
    }

    #[differentiable]
    fn rosenbrock_4(x: &[f64]) -> f64 {
        let n = x.len();
        let t1: Vec<f64> = x[..n - 1].iter().map(|v| (1.0 + v).powi(2)).collect();
        let t2: Vec<f64> = x[1..].iter().zip(x).map(|(a, b)| a + b.powi(2)).collect();
        t1.iter().zip(&t2).map(|(a, b)| a + 100.0 * b.abs().powi(2)).sum()
    }

    #[differentiable]
    fn ackley(x: &[f64]) -> f64 {
        let (a, b, c) = (20.0, -0.2, 2.0 * std::f64::consts::PI);
        let len_recip = 1.0 / x.len() as f64;
        let mut sum_sqrs = 0.0;
        let mut sum_cos = sum_sqrs;
        for i in x {
            sum_cos += (c * i).cos();
            sum_sqrs += i.powi(2);
        }
        -a * (b * (len_recip * sum_sqrs).sqrt()).exp() - (len_recip * sum_cos).exp() + a + 1.0_f64.exp()
    }

    #[differentiable]
    fn self_weighted_logit(x: &[f64]) -> f64 {
        let dot: f64 = x.iter().zip(x.iter()).map(|(a, b)| a * b).sum();
        (1.0 + (-dot).exp()).recip()
    }

    #[differentiable]
    fn nested_array_mul(x: &[f64]) -> f64 {
        let nested = vec![vec![x[1], x[2]]];
        nested.iter().map(|row| row.iter().map(|v| x[0] * v).sum::<f64>()).sum()
    }

    #[differentiable]
    fn first(x: &[f64]) -> f64 {
        x[0]
    }

    #[differentiable]
    fn readme(x: &[f64]) -> f64 {
        let sum_of_sines: f64 = x.iter().map(|v| v.sin()).sum();
        let product: f64 = x.iter().map(|v| v.tan()).product();
        let roots: f64 = x.iter().copied().map(f64::sqrt).sum();
        sum_of_sines + product * roots
    }

    #[differentiable(order = 2)]
    fn hypotenuses(x: &[f64; 3], y: &[f64; 3]) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            s += x[i].hypot(y[i]);
        }
        s
    }

    #[differentiable]
    fn range_sum(p: &[f64; 2]) -> f64 {
        let mut s = 0.0;
        let mut k = 0;
        while k as f64 * p[0] <= p[1] {
            s += k as f64 * p[0];
            k += 1;
        }
        s
    }

    #[test]
    fn gradients() {
        let x = vec![0.6, 0.9, 0.4, 0.7, 0.5];
        gradient!(vec2num_1(&x) by x = x.clone());
        gradient!(vec2num_2(&x) by x = x.clone() => [0.9 + 0.6_f64.cos(), 0.6, 0.0, 0.0, 0.0]);
        gradient!(vec2num_3(&x) by x = x.clone() => [1.2, 1.8, 0.8, 1.4, 1.0]);
        gradient!(vec2num_4(&x) by x = x.clone() => [0.0; 5]);
        gradient!(vec2num_5(&x) by x = x.clone());
        gradient!(vec2num_6(&x) by x = vec![0.6, -0.9, 0.4] => [1.0, 0.0, 1.0]);
        gradient!(vec2num_7(&x) by x = x.clone() => [0.6 + 3.1, 0.6, 0.6, 0.6, 0.6]);
        gradient!(rosenbrock_1(&x) by x = x.clone());
        gradient!(rosenbrock_2(&x) by x = x.clone());
        gradient!(rosenbrock_3(&x) by x = x.clone());
        gradient!(rosenbrock_4(&x) by x = x.clone());
        gradient!(ackley(&x) by x = x.clone());
        gradient!(self_weighted_logit(&x) by x = x.clone());
        gradient!(nested_array_mul(&x) by x = x.clone() => [1.3, 0.6, 0.6, 0.0, 0.0]);
        gradient!(first(&x) by x = x.clone() => [1.0, 0.0, 0.0, 0.0, 0.0]);
        gradient!(readme(&x) by x = x.clone());
        gradient!(hypotenuses(&x, &y) by x = [3.0, 5.0, 8.0], y = [4.0, 12.0, 15.0]);
        assert!(
            (hypotenuses::hvp(&[3.0, 5.0, 8.0], &[4.0, 12.0, 15.0], &[0.0; 3], &[1.0, 0.0, 0.0]).1[0] - 9.0 / 125.0)
                .abs()
                < 1e-15
        );
        assert_eq!(range_sum::grad(&[0.3, 25.0]), [3486.0, 0.0]);
    }
}

mod matrices {
    use super::*;

    type Matrix = [[f64; 3]; 3];

    #[differentiable]
    fn det(a: &[[f64; 3]; 3]) -> f64 {
        a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0])
            + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0])
    }

    #[differentiable]
    fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        let mut c = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                for k in 0..3 {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        c
    }

    #[differentiable]
    fn inverse(a: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        let d = det(a);
        let mut inv = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                let (r, s) = ((j + 1) % 3, (j + 2) % 3);
                let (t, u) = ((i + 1) % 3, (i + 2) % 3);
                inv[i][j] = (a[r][t] * a[s][u] - a[r][u] * a[s][t]) / d;
            }
        }
        inv
    }

    #[differentiable]
    fn mat2num_1(x: &[[f64; 3]; 3]) -> f64 {
        let mut m = inverse(&product(x, x));
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] = m[i][j] * x[0][0] + x[i][j];
            }
        }
        det(&m)
    }

    #[differentiable]
    fn mat2num_2(x: &Tensor2<f64, 2, 2>) -> f64 {
        let a = x.reshape([4, 1]);
        let b = x.reshape([1, 4]);
        let m = (a.matmul(b) + 1.0 + a - b).ln();
        let mut trace = 0.0;
        for i in 0..4 {
            trace += m[[i, i]];
        }
        trace
    }

    #[differentiable]
    fn mat2num_3(x: &[f64; 9]) -> f64 {
        let mut s = 0.0;
        for row in x.chunks_exact(3) {
            for n in row {
                s += (n.abs() + n.powi(2)).sqrt() * 0.5;
            }
        }
        s
    }

    #[differentiable]
    fn mat2num_4(x: &Tensor2<f64, 3, 3>) -> f64 {
        x.sin().matmul(x).sum_axis(1).mean()
    }

    #[differentiable]
    fn softmax(x: &Tensor2<f64, 3, 3>) -> f64 {
        let e = x.exp();
        (e / e.sum_axis(1).reshape([3, 1]) * x).sum()
    }

    #[differentiable]
    fn neural_step(x1: &Tensor1<f64, 3>, w1: &Tensor2<f64, 3, 3>, w2: &Tensor1<f64, 3>) -> f64 {
        let hidden = (w1.matmul(x1).exp() + 1.0).ln();
        let n = (w2 * hidden).sum();
        1.0 / (1.0 + (-n).exp())
    }

    #[differentiable]
    fn lehmer_solve(x: &[f64; 3]) -> [f64; 3] {
        let mut a: Matrix = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                a[i][j] = (i.min(j) + 1) as f64 / (i.max(j) + 1) as f64;
            }
        }
        let mut y = *x;
        for k in 0..3 {
            for i in k + 1..3 {
                let factor = a[i][k] / a[k][k];
                for j in k..3 {
                    a[i][j] -= factor * a[k][j];
                }
                y[i] -= factor * y[k];
            }
        }
        for i in (0..3).rev() {
            for j in i + 1..3 {
                y[i] = y[i] - a[i][j] * y[j];
            }
            y[i] /= a[i][i];
        }
        y
    }

    #[differentiable]
    fn of_the_solution(x: &[f64; 3]) -> f64 {
        let y = lehmer_solve(x);
        y[0] * y[1] + y[2] * y[2]
    }

    #[differentiable]
    fn quotients(a: &Tensor2<f64, 2, 2>, b: &Tensor2<f64, 2, 2>) -> f64 {
        let c = a / b - a * b + a.pow(b);
        c.matmul(b.t()).sum()
    }

    #[test]
    fn gradients() {
        gradient!(det(&a) by a = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, std::f64::consts::PI, 3.0]]
            => [6.0, 0.0, 0.0, 0.0, 3.0, -std::f64::consts::PI, 0.0, 0.0, 2.0]);
        let a = [[2.0, 0.3, 0.1], [0.4, 1.5, 0.2], [0.6, 0.5, 1.8]];
        gradient!(mat2num_1(&x) by x = a);
        gradient!(mat2num_2(&x) by x = Tensor2::from([[0.1, 0.2], [0.3, 0.4]]));
        gradient!(mat2num_3(&x) by x = [0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
        gradient!(mat2num_4(&x) by x = Tensor2::from(a));
        gradient!(softmax(&x) by x = Tensor2::from(a));
        gradient!(neural_step(&x, &w, &v) by x = Tensor1::from([0.1, 0.2, 0.3]), w = Tensor2::from(a), v = Tensor1::from([0.4, -0.5, 0.6]));
        gradient!(of_the_solution(&x) by x = [1.0, 2.0, 3.0]);
        gradient!(quotients(&a, &b) by a = Tensor2::from([[1.0, 2.0], [3.0, 4.0]]), b = Tensor2::from([[0.5, 1.5], [2.0, 0.7]]));
    }
}

/// Functions of arrays into arrays, weighed by their indices.
mod arrays {
    use super::*;

    #[differentiable]
    fn weigh(y: &[f64]) -> f64 {
        y.iter().enumerate().map(|(i, v)| (i + 1) as f64 * v).sum()
    }

    #[differentiable]
    fn chebyquad(y: &mut [f64], x: &[f64]) {
        let tk = 1.0 / x.len() as f64;
        for j in 0..x.len() {
            let mut temp1 = 1.0;
            let mut temp2 = 2.0 * x[j] - 1.0;
            let temp = 2.0 * temp2;
            for i in 0..y.len() {
                y[i] += temp2;
                let ti = temp * temp2 - temp1;
                temp1 = temp2;
                temp2 = ti;
            }
        }
        let mut iev = -1.0;
        for k in 0..y.len() {
            y[k] *= tk;
            if iev > 0.0 {
                y[k] += 1.0 / ((k + 1).pow(2) as f64 - 1.0);
            }
            iev = -iev;
        }
    }

    #[differentiable]
    fn of_chebyquad(x: &[f64]) -> f64 {
        let mut y = vec![0.0; x.len()];
        chebyquad(&mut y, x);
        weigh(&y)
    }

    #[differentiable]
    fn brown_almost_linear(y: &mut [f64], x: &[f64]) {
        let c = x.iter().sum::<f64>() - (x.len() + 1) as f64;
        for i in 0..x.len() - 1 {
            for j in 0..y.len() - 1 {
                y[j] += x[i] + c;
            }
        }
        let last = y.len() - 1;
        y[last] = x.iter().product::<f64>() - 1.0;
    }

    #[differentiable]
    fn of_brown(x: &[f64]) -> f64 {
        let mut y = vec![0.0; x.len()];
        brown_almost_linear(&mut y, x);
        weigh(&y)
    }

    #[differentiable]
    fn trigonometric(y: &mut [f64], x: &[f64]) {
        for i in x {
            for j in y.iter_mut() {
                *j = i.cos();
            }
        }
        let c = y.iter().sum::<f64>();
        let n = x.len() as f64;
        for i in x {
            for j in 0..y.len() {
                y[j] = i.sin() * y[j] + n - c;
            }
        }
    }

    #[differentiable]
    fn of_trigonometric(x: &[f64]) -> f64 {
        let mut y = vec![1.0; x.len()];
        trigonometric(&mut y, x);
        weigh(&y)
    }

    #[differentiable]
    fn mutation_1(y: &mut [f64], x: &[f64]) {
        y[0] = x[0];
        y[0] = y[0] * x[1];
        y[1] = y[1] * x[2];
        y[2] = y.iter().sum();
    }

    #[differentiable]
    fn of_mutation_1(x: &[f64]) -> f64 {
        let mut y = [0.5; 4];
        mutation_1(&mut y, x);
        weigh(&y)
    }

    #[differentiable]
    fn mutation_2(y: &mut [f64], x: &[f64]) {
        y[0] *= x[0];
        y[1] *= x[0];
        y[0] *= x[1];
        y[1] *= x[1];
    }

    #[differentiable]
    fn of_mutation_2(x: &[f64]) -> f64 {
        let mut y = [1.0; 4];
        mutation_2(&mut y, x);
        weigh(&y)
    }

    /// Broyden's tridiagonal function.
    #[differentiable]
    fn broyden(x: &[f64]) -> f64 {
        let n = x.len();
        let mut s = 0.0;
        for i in 0..n {
            let before = if i == 0 { 0.0 } else { x[i - 1] };
            let after = if i + 1 == n { 0.0 } else { x[i + 1] };
            s += ((3.0 - 2.0 * x[i]) * x[i] - before - 2.0 * after + 1.0).powi(2);
        }
        s
    }

    #[test]
    fn gradients() {
        let x = vec![0.6, 0.9, 0.4, 0.7, 0.5];
        gradient!(of_chebyquad(&x) by x = x.clone());
        gradient!(of_brown(&x) by x = x.clone());
        gradient!(of_trigonometric(&x) by x = x.clone());
        gradient!(of_mutation_1(&x) by x = vec![0.6, 0.9, 0.4] => [4.0 * 0.9, 4.0 * 0.6, 2.5]);
        gradient!(of_mutation_2(&x) by x = vec![0.6, 0.9] => [2.7, 1.8]);
        gradient!(broyden(&x) by x = x.clone());
    }
}
