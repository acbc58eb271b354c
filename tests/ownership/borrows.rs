//! `&mut` of numbers: in calls, loops, branches and returns.

mod handed_on_by_reference {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn d(x: &f64) -> f64 {
        *x * *x
    }
    #[differentiable(order = 2)]
    fn g(a: &mut f64, x: f64) -> f64 {
        let r = d(a) * x;
        *a *= x;
        r + d(a)
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = x;
        let r = g(&mut a, y);
        r * a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod handed_on_by_value {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn d(x: f64) -> f64 {
        x * x
    }
    #[differentiable(order = 2)]
    fn g(a: &mut f64, x: f64) -> f64 {
        let r = d(*a) * x;
        *a *= x;
        r + d(*a)
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = x;
        let r = g(&mut a, y);
        r * a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod return_in_a_for_loop {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut f64, x: f64) {
        for i in 0..5 {
            *a *= x;
            if i == 2 {
                return;
            }
        }
        *a = 0.0;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = x;
        g(&mut a, y);
        a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod return_in_an_endless_loop {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut f64, x: f64) {
        loop {
            *a *= x;
            if *a > 3.0 {
                return;
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = x;
        g(&mut a, y);
        a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod nine_parameters {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn f(a: f64, b: f64, c: f64, d: f64, e: f64, g: f64, h: f64, i: f64, j: f64) -> f64 {
        a * b * c + d * e * g + h * i * j
    }
    #[differentiable(order = 2)]
    fn k(a: f64) -> f64 {
        f(a, a, a, a, a, a, a, a, a)
    }
    #[test]
    fn holds() {
        check!(k(x) by x = 0.5);
        let g = f::grad(1., 2., 3., 4., 5., 6., 7., 8., 9.);
        assert_eq!((g.0, g.3, g.8), (6.0, 30.0, 56.0));
        let (_, p) = f::vjp(1., 2., 3., 4., 5., 6., 7., 8., 9.);
        assert_eq!(p(1.0), g);
    }
}

mod nine_parameters_one_changes {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn f(a: &mut f64, b: f64, c: f64, d: f64, e: f64, g: f64, h: f64, i: f64, j: f64) -> f64 {
        *a *= b;
        *a * b * c + d * e * g + h * i * j
    }
    #[differentiable(order = 2)]
    fn k(a: f64) -> f64 {
        let mut b = a;
        let r = f(&mut b, a, a, a, a, a, a, a, a);
        r * b
    }
    #[test]
    fn holds() {
        check!(k(x) by x = 0.5);
    }
}

mod two_of_one_value {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut f64, b: &mut f64) {
        *a *= *b;
        *b += *a * *a;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = x;
        let mut b = x;
        g(&mut a, &mut b);
        g(&mut b, &mut a);
        a * y + b
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod reborrows {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut f64, k: f64) {
        *a = *a * *a * k;
    }
    #[differentiable(order = 2)]
    fn h(v: &mut f64, k: f64) {
        g(&mut *v, k);
        let w = &mut *v;
        *w += k;
        g(w, k);
        *v *= k;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = x;
        h(&mut a, y);
        a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod several_times_in_an_expression {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut f64) -> f64 {
        *a *= *a + 1.0;
        *a * 2.0
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = x;
        g(&mut a) * y + g(&mut a) * g(&mut a) - a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.1);
    }
}

mod calls_in_calls {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(a: &mut f64, k: f64) -> f64 {
        *a *= k;
        *a + k
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut a = x;
        let mut b = y;
        g(&mut a, g(&mut b, y)) * g(&mut b, x * a) + a * b
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.1);
    }
}

mod a_closure_that_lends {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut f64, k: f64) {
        *p = p.sin() * k;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut a = x;
        let mut h = |k: f64| {
            g(&mut a, k);
            a * k
        };
        let r = h(k) * h(x);
        let s = h(r);
        s + a
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod recursion {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut f64, k: f64, n: usize) {
        if n == 0 {
            return;
        }
        *p = p.sin() * k;
        g(p, k * k, n - 1);
        *p += k;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64, n: usize) -> f64 {
        let mut a = x;
        g(&mut a, k, n);
        a * a
    }
    #[test]
    fn holds() {
        for n in 0..4 {
            check!(f(x, k, n) by x = 0.5, k = 1.2);
        }
    }
}

mod a_generic_number {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g<T: Real>(p: &mut T, k: T) {
        *p = *p * k + p.sin();
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut a = x;
        g(&mut a, k);
        g(&mut a, k);
        a
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.2);
    }
}

mod a_counter {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(#[no_diff] count: &mut usize, x: &mut f64) {
        *count += 1;
        *x *= 2.0;
    }
    #[differentiable(order = 2)]
    fn f(x: f64) -> f64 {
        let mut n = 0;
        let mut a = x;
        for _ in 0..3 {
            g(&mut n, &mut a);
        }
        a * n as f64
    }
    #[test]
    fn holds() {
        check!(f(x) by x = 0.5);
    }
}

mod a_tuple_of_borrows {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn g(p: &mut f64, k: f64) {
        *p = p.sin() * k;
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let (mut a, mut b) = (x, k);
        let (p, q) = (&mut a, &mut b);
        g(p, k);
        *q *= *p;
        g(q, *p);
        a * b
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}
