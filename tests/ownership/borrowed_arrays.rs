//! `&mut` of arrays, slices, `Vec`s and tensors: in calls, loops, branches and returns.

mod an_array_handed_on {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn d(x: &[f64; 2]) -> f64 {
        x[0] * x[1]
    }
    #[differentiable(order = 2)]
    fn g(a: &mut [f64; 2], x: f64) -> f64 {
        let r = d(a) * x;
        a[0] *= x;
        r + d(a)
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = [x, x * y];
        let r = g(&mut a, y);
        r * a[0]
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod slices_handed_on {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn d(x: &[f64]) -> f64 {
        x[0] * x[1]
    }
    #[differentiable(order = 2)]
    fn g(a: &mut [f64], x: f64) -> f64 {
        let r = d(a) * x;
        a[0] *= x;
        r + d(a) + d(&a[1..])
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = [x, x * y, y];
        let r = g(&mut a, y);
        r * a[0]
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod an_out_parameter {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn inner(p: &[f64; 2], out: &mut f64) {
        *out += p[0] * p[1];
    }
    #[differentiable(order = 2)]
    fn f(p: &[f64; 2]) -> f64 {
        let mut out = 0.0;
        inner(p, &mut out);
        inner(p, &mut out);
        out * p[0]
    }
    #[test]
    fn holds() {
        check!(f(&p) by p = [0.6, 1.5]);
    }
}

mod an_array_as_out_parameter {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn inner(p: &[f64; 2], out: &mut [f64; 2]) {
        out[0] += p[0] * p[1];
        out[1] = p[0];
    }
    #[differentiable(order = 2)]
    fn f(p: &[f64; 2]) -> f64 {
        let mut out = [0.0, 1.0];
        inner(p, &mut out);
        inner(p, &mut out);
        out[0] * out[1]
    }
    #[test]
    fn holds() {
        check!(f(&p) by p = [0.6, 1.5]);
    }
}

mod an_out_parameter_in_a_loop {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn inner(p: &[f64; 2], out: &mut f64) {
        *out = *out * p[0] + p[1];
    }
    #[differentiable(order = 2)]
    fn f(p: &[f64; 2]) -> f64 {
        let mut out = 0.0;
        for _ in 0..3 {
            inner(p, &mut out);
        }
        out
    }
    #[test]
    fn holds() {
        check!(f(&p) by p = [0.6, 1.5]);
    }
}

mod return_with_an_array {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64; 2], x: f64) {
        for _ in 0..5 {
            a[0] *= x;
            if a[0] > 1.0 {
                return;
            }
            a[1] += a[0];
        }
        a[0] = 0.0;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = [x, y];
        g(&mut a, y);
        a[0] * a[1]
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod branches_in_an_endless_loop {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64; 2], x: f64) {
        let mut n = 0;
        loop {
            if n % 2 == 0 {
                a[0] *= x;
            } else {
                a[1] = a[0] * a[1];
            }
            n += 1;
            if n > 4 {
                break;
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = [x, y];
        g(&mut a, y);
        a[0] * a[1]
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod two_halves {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64], b: &mut [f64]) {
        for i in 0..a.len() {
            let t = a[i];
            a[i] += b[i] * t;
            b[i] = t - b[i];
        }
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64; 4]) -> f64 {
        let mut v = *x;
        let (l, r) = v.split_at_mut(2);
        g(l, r);
        v[0] * v[1] + v[2] * v[3]
    }
    #[test]
    fn holds() {
        check!(f(&x) by x = [0.6, 1.5, -0.4, 0.9]);
    }
}

mod two_parts_of_a_vec {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64], b: &mut [f64]) {
        for i in 0..a.len() {
            let t = a[i];
            a[i] += b[i] * t;
            b[i] = t - b[i];
        }
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64], k: usize) -> f64 {
        let mut v = x.to_vec();
        {
            let (l, r) = v.split_at_mut(k);
            g(l, r);
        }
        let mut s = 0.0;
        for i in 0..v.len() {
            s += v[i] * v[i] * v[0];
        }
        s
    }
    #[test]
    fn holds() {
        check!(f(&x, 2) by x = vec![0.6, 1.5, -0.4, 0.9]);
        check!(f(&x, 1) by x = vec![0.6, 1.5, -0.4, 0.9]);
    }
}

mod one_part_changes {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64], b: &[f64]) {
        for i in 0..a.len() {
            a[i] += b[i] * a[i];
        }
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64; 4]) -> f64 {
        let mut v = *x;
        let (l, r) = v.split_at_mut(2);
        g(l, r);
        g(r, l);
        v[0] * v[1] + v[2] * v[3]
    }
    #[test]
    fn holds() {
        check!(f(&x) by x = [0.6, 1.5, -0.4, 0.9]);
    }
}

mod an_element_chosen_at_run_time {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut f64, k: f64) {
        *a = *a * *a * k;
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64; 3], y: f64, n: usize) -> f64 {
        let mut v = *x;
        for i in 0..n {
            g(&mut v[(i * 2) % 3], y);
        }
        v[0] * v[1] * v[2]
    }
    #[test]
    fn holds() {
        for n in 0..5 {
            check!(f(&x, y, n) by x = [0.6, -0.4, 0.9], y = 1.5);
        }
    }
}

mod sub_slices {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64], k: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..a.len() {
            a[i] = a[i] * k + s;
            s += a[i];
        }
        s
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64; 4], y: f64) -> f64 {
        let mut v = *x;
        let s = g(&mut v[1..3], y);
        let t = g(&mut v[..2], s);
        g(&mut v[2..], t) * v[0] * v[3]
    }
    #[test]
    fn holds() {
        check!(f(&x, y) by x = [0.6, 1.5, -0.4, 0.9], y = 0.7);
    }
}

mod early_returns {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64; 2], k: f64) -> f64 {
        if a[0] > k {
            a[0] *= k;
            return a[1];
        }
        a[1] += a[0] * k;
        if a[1] > 2.0 {
            a[0] = 1.0;
            return k;
        }
        a[0] * a[1]
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = [x, y];
        let r = g(&mut a, y);
        let s = g(&mut a, 0.1 * x);
        let t = g(&mut a, 3.0 * y);
        r * s * t + a[0] * a[1]
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.1);
        check!(f(x, y) by x = 1.6, y = 1.1);
        check!(f(x, y) by x = 1.6, y = 2.1);
    }
}

mod early_returns_of_nothing {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64; 2], k: f64) {
        if a[0] > k {
            a[0] *= k;
            return;
        }
        a[1] += a[0] * k;
        while a[1] < 5.0 {
            a[1] *= 1.0 + k * k;
            if a[1] > 4.0 {
                return;
            }
            a[0] += a[1];
        }
        a[0] *= 2.0;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = [x, y];
        g(&mut a, y);
        g(&mut a, 0.1 * x);
        a[0] * a[1]
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.1);
        check!(f(x, y) by x = 1.6, y = 1.1);
    }
}

mod a_vec {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(v: &mut Vec<f64>, k: f64) {
        for i in 0..v.len() {
            v[i] *= k;
        }
        v[0] += k;
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64], k: f64) -> f64 {
        let mut v = x.to_vec();
        g(&mut v, k);
        let t = v[0];
        g(&mut v, t);
        let mut s = 0.0;
        for a in &v {
            s += a * a;
        }
        s
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by [x = vec![0.5, 0.7], k = 1.2]);
    }
}

mod tensors {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(w: &mut Tensor2<f64, 2, 2>, x: &Tensor1<f64, 2>) -> f64 {
        let y = w.matmul(x).tanh();
        w[[0, 1]] *= y[0];
        *w = &*w * 0.5;
        y.sum()
    }
    #[differentiable(order = 2)]
    fn f(w: &Tensor2<f64, 2, 2>, x: &Tensor1<f64, 2>) -> f64 {
        let mut v = w.clone();
        let a = g(&mut v, x);
        let b = g(&mut v, x);
        a * b + v.sum()
    }
    #[test]
    fn holds() {
        check!(f(&w, &x) by w = Tensor2::from([[0.5, 0.7], [-0.3, 0.2]]), x = Tensor1::from([0.4, 1.3]));
    }
}

mod a_vec_that_grows {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(v: &mut [f64], k: f64) {
        for i in 0..v.len() {
            v[i] *= k;
        }
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64], k: f64) -> f64 {
        let mut v = x.to_vec();
        v.push(k);
        g(&mut v, k);
        v.push(k * v[0]);
        g(&mut v[1..], k);
        let mut s = 0.0;
        for a in &v {
            s += a * a;
        }
        s * v.len() as f64
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by [x = vec![0.5, 0.7], k = 1.2]);
    }
}

mod rows_of_an_array {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(r: &mut [f64; 2], k: f64) {
        r[0] *= k;
        r[1] += r[0];
    }
    #[differentiable(order = 2)]
    fn f(x: &[[f64; 2]; 3], k: f64) -> f64 {
        let mut m = *x;
        g(&mut m[0], k);
        let t = m[0][1];
        g(&mut m[2], t);
        for i in 0..3 {
            g(&mut m[i], k);
        }
        m[0][0] * m[1][1] * m[2][1]
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by x = [[0.5, 0.7], [1.1, 0.3], [-0.2, 0.6]], k = 1.2);
    }
}

mod a_tuple {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(t: &mut (f64, [f64; 2]), k: f64) {
        t.0 *= k;
        t.1[0] += t.0;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut t = (x, [k, x]);
        g(&mut t, k);
        g(&mut t, x);
        t.0 * t.1[0] * t.1[1]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod a_choice_of_slices {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn f(v: &[f64], k: usize, x: f64) -> f64 {
        let s = if x > 1.0 { &v[..k] } else { &v[k..] };
        let mut t = 0.0;
        for i in 0..s.len() {
            t = t * x + s[i] * (i as f64 + 1.0);
        }
        t
    }
    #[test]
    fn holds() {
        check!(f(&v, 1, x) by [v = vec![0.5, 0.7, 1.1], x = 1.2]);
        check!(f(&v, 1, x) by [v = vec![0.5, 0.7, 1.1], x = 0.2]);
    }
}

mod rows_of_different_lengths {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(r: &mut [f64], k: f64) {
        for i in 0..r.len() {
            r[i] *= k;
        }
    }
    #[differentiable(order = 2)]
    fn f(x: &[Vec<f64>], k: f64) -> f64 {
        let mut m = x.to_vec();
        for i in 0..m.len() {
            g(&mut m[i], k);
        }
        let mut s = 0.0;
        for i in 0..m.len() {
            for j in 0..m[i].len() {
                s += m[i][j] * m[i][j];
            }
        }
        s
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by [x = vec![vec![0.5], vec![0.7, 0.3]], k = 1.2]);
    }
}
