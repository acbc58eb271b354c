//! `&mut` of structs, of their fields, of arrays and slices of them, and what is handed on by `&`.

mod a_struct_handed_on {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    fn d(x: &P) -> f64 {
        x.a * x.b
    }
    #[differentiable(order = 2)]
    fn g(a: &mut P, x: f64) -> f64 {
        let r = d(a) * x;
        a.a *= x;
        r + d(a)
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = P { a: x, b: x * y };
        let r = g(&mut a, y);
        r * a.a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_mutable_struct_handed_on {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    fn d(x: &mut P) {
        x.a *= x.b;
    }
    #[differentiable(order = 2)]
    fn g(a: &mut P, x: f64) {
        d(a);
        a.b *= x;
        d(a);
        d(&mut *a);
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = P { a: x, b: x * y };
        g(&mut a, y);
        a.a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_mutable_struct_in_a_loop {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    fn d(x: &mut P) {
        x.a *= x.b;
    }
    #[differentiable(order = 2)]
    fn g(a: &mut P, x: f64) {
        for _ in 0..3 {
            d(a);
            a.b *= x;
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = P { a: x, b: x * y };
        g(&mut a, y);
        a.a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod fields_of_a_local_struct {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        v: [f64; 2],
        k: f64,
        t: Tensor1<f64, 2>,
    }
    #[differentiable(order = 2)]
    fn g(a: &mut [f64; 2], k: &mut f64) {
        a[0] *= *k;
        *k += a[1];
    }
    #[differentiable(order = 2)]
    fn h(t: &mut Tensor1<f64, 2>, k: f64) {
        *t = &*t * k;
        t[[0]] += k;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { v: [x, y], k: x * y, t: Tensor1::from([y, x]) };
        g(&mut s.v, &mut s.k);
        h(&mut s.t, s.k);
        g(&mut s.v, &mut s.k);
        s.v[0] * s.k * s.t[[0]] * s.t[[1]]
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod fields_of_a_parameter {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        v: [f64; 2],
        k: f64,
        t: Tensor1<f64, 2>,
    }
    #[differentiable(order = 2)]
    fn g(a: &mut [f64; 2], k: &mut f64) {
        a[0] *= *k;
        *k += a[1];
    }
    #[differentiable(order = 2)]
    fn h(t: &mut Tensor1<f64, 2>, k: f64) {
        *t = &*t * k;
        t[[0]] += k;
    }
    #[differentiable(order = 2)]
    fn all(s: &mut S) {
        g(&mut s.v, &mut s.k);
        h(&mut s.t, s.k);
        g(&mut s.v, &mut s.k);
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { v: [x, y], k: x * y, t: Tensor1::from([y, x]) };
        all(&mut s);
        all(&mut s);
        s.v[0] * s.k * s.t[[0]] * s.t[[1]]
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod structs_in_structs {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        a: f64,
        v: [f64; 2],
    }
    #[derive(Differentiable, Clone)]
    struct B {
        p: A,
        q: A,
        k: f64,
    }
    #[differentiable(order = 2)]
    fn g(a: &mut A, k: f64) {
        a.a *= k;
        a.v[0] += a.a * a.v[1];
    }
    #[differentiable(order = 2)]
    fn h(b: &mut B) {
        g(&mut b.p, b.k);
        b.k += b.p.a;
        g(&mut b.q, b.k);
        let t = b.q.v[0];
        b.p.v[1] *= t;
        g(&mut b.p, t);
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let a = A { a: x, v: [y, x * y] };
        let mut b = B { p: a.clone(), q: A { a: y, v: [x, x] }, k: y };
        h(&mut b);
        h(&mut b);
        b.p.a * b.q.a + b.p.v[0] * b.q.v[0] * b.k
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.1);
    }
}

mod a_vec_in_a_struct {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        v: Vec<f64>,
        k: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self) {
            for i in 0..self.v.len() {
                self.v[i] *= self.k;
            }
            self.k += self.v[0];
        }
        fn many(&mut self) -> f64 {
            self.step();
            if self.k > 0.0 {
                self.step();
            }
            self.k * self.v[1]
        }
    }
    #[differentiable(order = 2)]
    fn f(x: &[f64], k: f64) -> f64 {
        let mut s = S { v: x.to_vec(), k };
        let r = s.many();
        s.step();
        r * s.v[0] + s.k
    }
    #[test]
    fn holds() {
        check!(f(&x, k) by [x = vec![0.5, 0.7], k = 1.2]);
    }
}

mod a_struct_replaced {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A, k: f64) {
        *p = A { a: p.v[0] * k, v: [p.a, k] };
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut p = A { a: x, v: [k, x] };
        g(&mut p, k);
        let q = p.clone();
        g(&mut p, x);
        p.a * p.v[0] * p.v[1] + q.a * q.v[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod a_parameter_that_is_shadowed {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A, k: f64) {
        p.a *= k;
        p.v[0] += p.a;
    }
    #[differentiable(order = 2)]
    fn h(p: &mut A, k: f64) -> f64 {
        g(p, k);
        let r = p.a;
        let mut p = A { a: r, v: [k, k] };
        g(&mut p, k);
        g(&mut p, r);
        p.v[0] * p.a
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut p = A { a: x, v: [k, x] };
        let r = h(&mut p, k);
        r * p.a * p.v[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod a_struct_of_arrays {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A, k: f64) {
        p.u[0] *= k;
        p.v[0] += p.u[0] * p.u[1];
    }
    #[differentiable(order = 2)]
    fn h(p: &mut A, k: f64) -> f64 {
        g(p, k);
        let r = p.u[0] * p.v[0];
        p.u[1] = p.u[1] * r;
        g(p, r);
        p.v[1] *= p.v[0];
        r
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut p = A { u: [x, k], v: [k, x] };
        let r = h(&mut p, k);
        h(&mut p, x) * r * p.u[0] * p.v[0] * p.v[1]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod the_gradient_by_a_struct_that_changes {
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A) -> f64 {
        p.u[0] *= p.k;
        p.k += p.u[1];
        p.k * p.u[0]
    }
    #[test]
    fn holds() {
        let mut a = A { u: [0.5, 2.0], k: 3.0 };
        let (v, g) = g::value_and_grad(&mut a);
        // v = (k + u1) * u0 k
        assert!((v - 7.5).abs() < 1e-12);
        assert!(
            (g.u[0] - 15.0).abs() < 1e-12 && (g.u[1] - 1.5).abs() < 1e-12 && (g.k - (0.5 * 5.0 + 1.5)).abs() < 1e-12
        );
    }
}
