//! `&mut` of arrays and their parts: iteration, recursion, generic sizes.

mod recursion_with_halves {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut [f64], k: f64) {
        if p.len() < 2 {
            return;
        }
        let h = p.len() / 2;
        g(&mut p[..h], k);
        g(&mut p[h..], k * k);
        p[0] = p[0] * k + p[h];
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64], k: f64) -> f64 {
        let mut a = x.to_vec();
        g(&mut a, k);
        let mut s = 0.0;
        for v in &a {
            s += v * v;
        }
        s
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by [x = vec![0.5, -0.3, 0.8, 0.1, 0.6], k = 1.2]);
    }
}

mod an_array_of_generic_size {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g<const N: usize>(p: &mut [f64; N], k: f64) {
        for i in 0..N {
            p[i] = p[i] * k + if i > 0 { p[i - 1] } else { 0.0 };
        }
    }
    #[differentiable(order = 2)]
    fn f<const N: usize>(x: &[f64; N], k: f64) -> f64 {
        let mut a = *x;
        g(&mut a, k);
        g::<N>(&mut a, k * k);
        a[N - 1] * a[0]
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by x = [0.5, -0.3, 0.8], k = 1.2);
        check!(f(&x, k) by x = [0.5], k = 1.2);
    }
}

mod while_let_of_a_call {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut [f64; 2], x: f64) -> Option<f64> {
        p[0] *= x;
        if p[0] > 2.0 { None } else { Some(p[0] + p[1]) }
    }
    #[differentiable(order = 2)]
    fn f(x: f64) -> f64 {
        let mut p = [x, 1.0];
        let mut s = 0.0;
        while let Some(v) = g(&mut p, 1.0 + x) {
            s += v;
            p[1] *= 0.5;
            if s > 100.0 {
                break;
            }
        }
        s * p[0]
    }
    #[test]
    fn holds() {
        check!(f(x) by x = 0.5);
    }
}

mod forms_of_iteration {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut f64, k: f64) {
        *p = p.sin() * k;
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64; 4], k: f64) -> f64 {
        let mut a = *x;
        for (i, p) in a.iter_mut().enumerate() {
            g(p, k);
            *p += i as f64 * k;
        }
        let b = a;
        for (p, q) in a.iter_mut().zip(b.iter()) {
            g(p, *q);
        }
        for p in a.iter_mut().rev().take(2) {
            g(p, k);
        }
        for p in a[1..].iter_mut() {
            *p *= k;
        }
        a.iter_mut().for_each(|p| *p += k);
        a[0] * a[1] + a[2] * a[3]
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by x = [0.5, 0.2, -0.6, 0.9], k = 0.7);
    }
}

mod rows_by_iteration {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut [f64; 2], k: f64) {
        p[0] *= k;
        p[1] += p[0];
    }
    #[differentiable(order = 2)]
    fn f(x: &[[f64; 2]; 3], k: f64) -> f64 {
        let mut a = *x;
        for r in a.iter_mut() {
            g(r, k);
        }
        for r in &mut a {
            g(r, k);
            r[0] += k;
        }
        a[0][0] * a[1][1] + a[2][1]
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by x = [[0.5, 0.2], [-0.6, 0.9], [0.3, 0.1]], k = 0.7);
    }
}

mod chunks {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut [f64], k: f64) {
        p[0] *= k;
        for i in 1..p.len() {
            p[i] += p[i - 1];
        }
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64], k: f64) -> f64 {
        let mut a = x.to_vec();
        for c in a.chunks_mut(2) {
            g(c, k);
        }
        for c in a.chunks_exact_mut(3) {
            g(c, k);
        }
        let mut s = 0.0;
        for v in &a {
            s += v * v;
        }
        s
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by [x = vec![0.5, 0.2, -0.6, 0.9, 0.4], k = 0.7]);
    }
}

mod a_tuple_as_result {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(s: &mut [f64], k: f64) -> (f64, [f64; 2]) {
        s[0] *= k;
        (s[1], [s[0], k])
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s = [x, k, x];
        let (a, [b, c]) = g(&mut s, k);
        let (d, e) = g(&mut s[1..], a);
        s[0] * s[1] * s[2] + a * b * c + d * e[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod an_array_replaced {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut [f64; 2], k: f64) {
        *a = [a[1] * k, a[0]];
        a.swap(0, 1);
        let b = *a;
        a.fill(k);
        a[0] += b[1];
        let c = [b[0], a[0]];
        a.copy_from_slice(&c);
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut a = [x, k];
        g(&mut a, k);
        g(&mut a, x);
        a[0] * a[1]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod a_vec_that_grew_as_a_vec {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(v: &mut Vec<f64>, k: f64) {
        for i in 0..v.len() {
            v[i] *= k;
        }
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64], k: f64) -> f64 {
        let mut v = x.to_vec();
        v.push(k);
        g(&mut v, k);
        let mut t = 0.0;
        for i in 0..v.len() {
            t += v[i] * v[i];
        }
        t * v.len() as f64
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by [x = vec![0.5, 0.2], k = 0.7]);
    }
}

mod a_closure_that_takes_borrows {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut a = [x, k];
        let mut b = x;
        let h = |v: &mut [f64; 2], s: &mut f64| {
            v[0] *= *s;
            *s += v[1];
        };
        h(&mut a, &mut b);
        for _ in 0..2 {
            h(&mut a, &mut b);
        }
        a[0] * b
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod parameters_with_other_names {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut f64, v: &mut [f64], k: f64) {
        let q = p;
        *q *= k;
        let w = v;
        w[0] *= *q;
        for i in 0..w.len() {
            let s = &mut *w;
            s[i] += k;
        }
        let r = &mut *q;
        *r += k;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut a = x;
        let mut b = [x, k];
        g(&mut a, &mut b, k);
        a * k + b[0] * b[1]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}
