//! `&mut` of arrays and slices of structs, and of their elements.

mod elements_by_iter_mut {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut l = [P { a: x, b: y }, P { a: y, b: x }, P { a: x * y, b: x }];
        for p in l.iter_mut() {
            p.a += p.b * p.b;
        }
        l[0].a * l[1].a + l[2].a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod elements_of_a_parameter {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    fn g(l: &mut [P; 3]) {
        for p in l.iter_mut() {
            p.a += p.b;
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut l = [P { a: x, b: y }, P { a: y, b: x }, P { a: x * y, b: x }];
        g(&mut l);
        l[0].a * l[1].a + l[2].a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_slice_of_structs_handed_on {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    fn d(l: &[P]) -> f64 {
        let mut s = 0.0;
        for p in l {
            s += p.a * p.b;
        }
        s
    }
    #[differentiable(order = 2)]
    fn f(l: &[P], x: f64) -> f64 {
        d(l) * x + d(l)
    }
    #[test]
    fn holds() {
        let l = vec![P { a: 0.5, b: 2.0 }, P { a: 1.5, b: -0.3 }];
        let (g, gx) = f::grad(&l, 2.0);
        assert!((g[0].a - 6.0).abs() < 1e-12);
        assert!((gx - 0.55).abs() < 1e-12);
        check!(f(&l, x) by [l = l, x = 2.0]);
    }
}

mod a_vec_of_structs_in_a_struct {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        b: f64,
    }
    #[derive(Differentiable, Clone)]
    struct S {
        l: Vec<P>,
        c: f64,
    }
    #[differentiable(order = 2)]
    fn d(s: &S) -> f64 {
        let mut t = 0.0;
        for p in &s.l {
            t += p.a * p.b * s.c;
        }
        t
    }
    #[differentiable(order = 2)]
    fn f(s: &S, x: f64) -> f64 {
        d(s) * x
    }
    #[test]
    fn holds() {
        let s = S { l: vec![P { a: 0.5, b: 2.0 }, P { a: 1.5, b: -0.3 }], c: 0.7 };
        check!(f(&s, x) by [s = s, x = 2.0]);
    }
}

mod elements_with_known_indices {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn g(a: &mut A, k: f64) {
        a.a *= k;
        a.v[0] += a.a * a.v[1];
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut l = [A { a: x, v: [y, x] }, A { a: y, v: [x, x * y] }];
        g(&mut l[0], y);
        let t = l[0].a;
        g(&mut l[1], t);
        let t = l[1].a;
        g(&mut l[0], t);
        l[0].v[0] *= y;
        l[1].a += x;
        l[0].a * l[1].v[0] + l[0].v[0] * l[1].a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.1);
    }
}

mod structs_chosen_at_run_time {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn g(a: &mut A, k: f64) {
        a.a *= k;
        a.v[0] += a.a * a.v[1];
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64, n: usize) -> f64 {
        let mut l = [A { a: x, v: [y, x] }, A { a: y, v: [x, x * y] }, A { a: x, v: [x, y] }];
        for i in 0..n {
            g(&mut l[i % 3], y);
            l[(i + 1) % 3].a *= x;
            l[(i + 2) % 3].v[i % 2] += y;
        }
        l[0].a * l[1].v[0] + l[2].v[0] * l[1].a
    }
    #[test]
    fn holds() {
        for n in 0..5 {
            check!(f(x, y, n) by x = 0.6, y = 1.1);
        }
    }
}

mod elements_of_a_slice_of_structs {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn g(a: &mut A, k: f64) {
        a.a *= k;
        a.v[0] += a.a * a.v[1];
    }
    #[differentiable(order = 2)]
    fn h(l: &mut [A], k: f64) {
        for i in 0..l.len() {
            g(&mut l[i], k);
        }
        l[0].a += k;
    }
    #[differentiable(order = 2)]
    fn f(l: &[A], k: f64) -> f64 {
        let mut m = l.to_vec();
        h(&mut m, k);
        h(&mut m[1..], k * k);
        let mut s = 0.0;
        for a in &m {
            s += a.a * a.v[0];
        }
        s * m[0].a
    }
    #[test]
    fn holds() {
        check!(f(&l, k) by [l = vec![A { a: 0.5, v: [1.0, 0.3] }, A { a: -0.5, v: [0.7, 0.9] }, A { a: 0.2, v: [-0.7, 0.4] }], k = 1.2]);
    }
}

mod a_mutable_slice_of_structs {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn e(l: &[A]) -> f64 {
        let mut s = 0.0;
        for a in l {
            s += a.a * a.v[0];
        }
        s
    }
    #[differentiable(order = 2)]
    fn h(l: &mut [A], k: f64) {
        for a in l.iter_mut() {
            a.a *= k;
            a.v[0] += a.a * a.v[1];
        }
        l[0].a *= e(l);
    }
    #[differentiable(order = 2)]
    fn h2(l: &mut [A], k: f64) -> f64 {
        let before = e(l);
        h(l, k);
        let mid = e(&l[1..]);
        l[1].a *= mid;
        h(l, before);
        e(l) * mid
    }
    #[differentiable(order = 2)]
    fn f(l: &[A], k: f64) -> f64 {
        let mut m = l.to_vec();
        h2(&mut m, k) * e(&m)
    }
    #[test]
    fn holds() {
        check!(f(&l, k) by [l = vec![A { a: 0.5, v: [1.0, 0.3] }, A { a: -0.5, v: [0.7, 0.9] }, A { a: 0.2, v: [-0.7, 0.4] }], k = 1.2]);
    }
}

mod an_array_of_structs_as_a_slice {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn h(l: &mut [P], k: f64) {
        for p in l {
            p.a *= k;
            p.v[0] += p.a;
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut l = [P { a: x, v: [k, x] }, P { a: k, v: [x, x] }];
        h(&mut l, k);
        l[0].a * l[1].v[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod structs_swapped {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64, n: usize) -> f64 {
        let mut l = [A { u: [x, k], k: x }, A { u: [k, k * x], k }, A { u: [x, x], k: x * k }];
        for i in 0..n {
            l.swap(i % 3, (i + 1) % 3);
            l[0].k *= l[1].k;
        }
        l[0].u[0] * l[1].k + l[2].u[1] * l[0].k
    }
    #[test]
    fn holds() {
        for n in 0..4 {
            check!(f(x, k, n) by x = 0.5, k = 1.2);
        }
    }
}
