//! `&mut` of structs and their fields by other names, in closures, and as they are put together.

mod swap_and_replace_of_borrows {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A, q: &mut A) {
        std::mem::swap(p, q);
        p.k *= 2.0;
        let old = std::mem::replace(&mut q.k, p.k);
        p.u[0] *= old;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut p = A { u: [x, k], k: x };
        let mut q = A { u: [k, k * x], k };
        g(&mut p, &mut q);
        g(&mut q, &mut p);
        p.u[0] * q.u[0] * p.k + q.k * p.u[1]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod borrows_of_fields_with_names {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[derive(Differentiable, Clone)]
    struct B {
        a: A,
        c: f64,
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A) {
        p.u[0] *= p.k;
        p.k += p.u[1];
    }
    #[differentiable(order = 2)]
    fn h(b: &mut B) -> f64 {
        let a = &mut b.a;
        g(a);
        a.k *= 2.0;
        g(a);
        let u = &mut a.u;
        u[1] *= 3.0;
        let k = &mut b.a.k;
        *k += b.c;
        g(&mut b.a);
        b.a.k
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut b = B { a: A { u: [x, k], k: x }, c: k };
        h(&mut b) * h(&mut b) + b.a.u[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod borrows_with_names_in_loops {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 3],
        k: f64,
    }
    #[differentiable(order = 2)]
    fn g(p: &mut f64, k: f64) {
        *p = p.sin() * k;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut a = A { u: [x, k, x * k], k };
        for i in 0..3 {
            let p = &mut a.u[i];
            g(p, k);
            *p += x;
            let q = &mut a.k;
            g(q, x);
        }
        for u in a.u.iter_mut() {
            g(u, a.k);
        }
        for u in &mut a.u {
            *u *= k;
            g(u, 2.0);
        }
        a.u[0] * a.u[1] * a.u[2] + a.k
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod a_struct_that_starts_as_constants {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A, x: f64) {
        p.u[0] += x;
        p.k = p.k * p.u[0] + x;
    }
    #[differentiable(order = 2)]
    fn f(x: f64) -> f64 {
        let mut p = A { u: [0.0; 2], k: 1.0 };
        g(&mut p, x);
        g(&mut p, x * x);
        p.k
    }
    #[test]
    fn holds() {
        check!(f(x) by x = 0.5);
    }
}

mod a_struct_that_stays_inactive {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A, x: f64) -> f64 {
        p.u[0] += 1.0;
        p.k = p.k * p.u[0];
        x * p.k
    }
    #[differentiable(order = 2)]
    fn f(x: f64) -> f64 {
        let mut p = A { u: [0.0; 2], k: 1.0 };
        let mut s = 0.0;
        for _ in 0..3 {
            s += g(&mut p, x);
        }
        s * x
    }
    #[test]
    fn holds() {
        check!(f(x) by x = 0.5);
    }
}

mod rows_in_a_struct {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        rows: [[f64; 2]; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    fn r(p: &mut [f64; 2], k: f64) {
        p[0] *= k;
        p[1] += p[0];
    }
    #[differentiable(order = 2)]
    fn g(a: &mut A) {
        r(&mut a.rows[0], a.k);
        for i in 0..2 {
            r(&mut a.rows[i], a.k);
            a.rows[i][0] += a.k;
        }
        a.k *= a.rows[1][1];
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut a = A { rows: [[x, k], [k, x]], k };
        g(&mut a);
        g(&mut a);
        a.k * a.rows[0][1]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod two_fields_at_once {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[derive(Differentiable, Clone)]
    struct B {
        a: A,
        b: A,
        c: f64,
    }
    #[differentiable(order = 2)]
    fn g(p: &mut A, q: &A, c: &mut f64) {
        p.u[0] += q.u[1] * *c;
        p.k *= q.k;
        *c += p.k;
    }
    #[differentiable(order = 2)]
    fn h(b: &mut B) {
        g(&mut b.a, &b.b, &mut b.c);
        g(&mut b.b, &b.a, &mut b.c);
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut b = B { a: A { u: [x, k], k }, b: A { u: [k, k], k: x }, c: x };
        for _ in 0..2 {
            h(&mut b);
        }
        g(&mut b.a, &b.b, &mut b.c);
        b.c * b.a.u[0] * b.b.k
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod every_derivative_by_a_struct_that_changes {
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone, Debug, PartialEq)]
    struct S {
        a: f64,
        v: [f64; 2],
        n: usize,
    }
    #[differentiable(order = 2)]
    fn g(s: &mut S, k: f64) -> f64 {
        s.a *= k;
        s.v[0] += s.a * s.a;
        s.n += 1;
        s.v[1] *= s.v[0];
        s.v[1] * k
    }
    #[differentiable(order = 2)]
    fn h(a: f64, v0: f64, v1: f64, k: f64) -> f64 {
        let mut s = S { a, v: [v0, v1], n: 0 };
        g(&mut s, k)
    }
    #[differentiable(order = 2)]
    fn h2(a: f64, v0: f64, v1: f64, k: f64) -> f64 {
        let mut s = S { a, v: [v0, v1], n: 0 };
        g(&mut s, k);
        s.a + 2.0 * s.v[0] + 3.0 * s.v[1]
    }
    #[test]
    fn holds() {
        let s0 = S { a: 0.5, v: [1.0, 2.0], n: 0 };
        let (ga, gv0, gv1, gk) = h::grad(0.5, 1.0, 2.0, 1.3);
        let mut s = s0.clone();
        let (v, (gs, k2)) = g::value_and_grad(&mut s, 1.3);
        assert!((v - h(0.5, 1.0, 2.0, 1.3)).abs() < 1e-12);
        assert!(
            (gs.a - ga).abs() < 1e-12
                && (gs.v[0] - gv0).abs() < 1e-12
                && (gs.v[1] - gv1).abs() < 1e-12
                && (gk - k2).abs() < 1e-12,
            "{gs:?}"
        );
        let mut s = s0.clone();
        let mut d = gs.clone();
        d.a = 0.3;
        d.v = [0.1, -0.7];
        let (_, dot) = g::jvp(&mut s, 1.3, &mut d, 0.2);
        assert!((dot - (0.3 * ga + 0.1 * gv0 - 0.7 * gv1 + 0.2 * gk)).abs() < 1e-12);
        // the tangents of what is left
        let (ga2, gv2, gw2, gk2) = h2::grad(0.5, 1.0, 2.0, 1.3);
        assert!((d.a + 2.0 * d.v[0] + 3.0 * d.v[1] - (0.3 * ga2 + 0.1 * gv2 - 0.7 * gw2 + 0.2 * gk2)).abs() < 1e-12);
        let mut s = s0.clone();
        let (_, p) = g::vjp(&mut s, 1.3);
        let mut b = gs.clone();
        b.a = 1.0;
        b.v = [2.0, 3.0];
        let (bs, bk) = p(0.0, (b, 0.0));
        assert!(
            (bs.a - ga2).abs() < 1e-12
                && (bs.v[0] - gv2).abs() < 1e-12
                && (bs.v[1] - gw2).abs() < 1e-12
                && (bk - gk2).abs() < 1e-12,
            "{bs:?}"
        );
    }
}

mod the_struct_from_before {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    fn g(s: &mut S, k: f64) -> S {
        let old = s.clone();
        s.a *= k;
        s.v[1] += s.a;
        old
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s = S { a: x, v: [k, x] };
        let o = g(&mut s, k);
        let p = g(&mut s, o.a);
        s.a * o.v[1] + p.v[1] * p.a
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod calls_in_a_struct_literal {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    fn g(p: &mut f64, k: f64) -> f64 {
        *p *= k;
        *p + 1.0
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut a = x;
        let p = A { k: g(&mut a, k), u: [g(&mut a, x), a] };
        let t = (g(&mut a, k), a, [a, g(&mut a, 2.0)]);
        p.k * p.u[0] + p.u[1] * t.0 + t.1 * t.2[0] * t.2[1]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod a_struct_taken_apart {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[derive(Differentiable, Clone)]
    struct B {
        a: A,
        t: (f64, f64),
    }
    #[differentiable(order = 2)]
    fn h(p: &mut f64, k: f64) {
        *p = p.sin() * k;
    }
    #[differentiable(order = 2)]
    fn g(p: &mut B, x: f64) -> f64 {
        let B { a: A { u, k }, t } = p;
        u[0] *= *k;
        *k += u[1];
        h(k, x);
        let (v, w) = &mut *t;
        for _ in 0..2 {
            *v *= x;
            h(w, *v);
        }
        let a = &mut p.a;
        let A { u: [_, _], .. } = a.clone();
        a.u[0]
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut p = B { a: A { u: [x, k], k: x }, t: (k, x) };
        g(&mut p, k) * p.a.u[0] + p.a.k * p.t.0 * p.t.1
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.53, k = 0.7);
    }
}
