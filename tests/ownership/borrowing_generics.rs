//! `&mut self` in generic types, traits, closures, conditions and nested loops.

mod a_method_of_a_generic_struct {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct Arm<T: Real, const N: usize> {
        q: [T; N],
        k: T,
    }
    #[differentiable(order = 2)]
    impl<T: Real, const N: usize> Arm<T, N> {
        fn step(&mut self, h: T) {
            for i in 0..N {
                self.q[i] = self.q[i] * self.k + h;
            }
        }
        fn many(&mut self, h: T) -> T {
            for _ in 0..2 {
                self.step(h);
            }
            self.q[N - 1] * self.q[0]
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s: Arm<f64, 2> = Arm { q: [x, k], k };
        s.many(x) + s.q[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.7);
    }
}

mod methods_of_a_trait {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    trait Step {
        fn step(&mut self, k: f64);
        fn twice(&mut self, k: f64) -> f64;
    }
    #[differentiable(order = 2)]
    impl Step for S {
        fn step(&mut self, k: f64) {
            self.a = self.a * k + self.b;
        }
        fn twice(&mut self, k: f64) -> f64 {
            for _ in 0..2 {
                self.step(k);
            }
            self.a
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s = S { a: x, b: k };
        s.twice(x) + s.a
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.7);
    }
}

mod methods_of_tuple_structs {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct I(f64, [f64; 2]);
    #[derive(Differentiable, Clone)]
    struct O(I, f64);
    #[differentiable(order = 2)]
    impl I {
        fn step(&mut self, k: f64) {
            self.0 *= k;
            self.1[0] += self.0;
        }
    }
    #[differentiable(order = 2)]
    impl O {
        fn step(&mut self) {
            for _ in 0..2 {
                self.0.step(self.1);
                self.1 += self.0.1[0];
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s = O(I(x, [k, x]), k);
        s.step();
        s.0.0 * s.1 * s.0.1[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod a_method_with_another_of_the_type {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    impl S {
        fn merge(&mut self, o: &mut S, k: f64) {
            let t = self.a;
            self.a = o.a * k;
            o.a = t;
            self.v[0] += o.v[1];
            o.v[0] *= self.v[1];
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s = S { a: x, v: [k, x] };
        let mut o = S { a: k, v: [x, k] };
        for i in 0..3 {
            if i == 1 {
                o.merge(&mut s, x);
            } else {
                s.merge(&mut o, k);
            }
        }
        s.a * o.v[0] + s.v[0] * o.a
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod a_method_of_what_is_shadowed {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self, k: f64) {
            self.a *= k;
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s = S { a: x };
        for _ in 0..2 {
            let mut s = S { a: k };
            s.step(k);
            s.step(x);
        }
        {
            let s = &mut s;
            s.step(k);
        }
        s.a
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod a_method_in_loops_in_loops {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: [f64; 2],
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self, k: f64) -> f64 {
            self.a *= k;
            self.b[0] += self.a;
            self.a
        }
        fn all(&mut self, k: f64) -> f64 {
            let mut t = 0.0;
            for i in 0..2 {
                for j in 0..2 {
                    if (i + j) % 2 == 0 {
                        let mut m = 0;
                        while m < 2 {
                            t += self.step(k);
                            m += 1;
                        }
                    } else {
                        loop {
                            t -= self.step(1.1);
                            if t < 10.0 {
                                break;
                            }
                        }
                    }
                }
            }
            t
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s = S { a: x, b: [k, x] };
        s.all(k) * s.b[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod a_closure_that_calls_a_method {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    impl A {
        fn go(&mut self, x: f64) -> f64 {
            self.u[0] *= x;
            self.k += self.u[1];
            self.k
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut p = A { u: [x, k], k: x };
        let mut h = |y: f64| p.go(y) * y;
        let mut s = 0.0;
        for i in 0..3 {
            if i != 1 {
                s += h(k);
            } else {
                s *= h(x);
            }
        }
        s * p.k * p.u[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 0.7);
    }
}

mod a_method_in_conditions {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        u: [f64; 2],
        k: f64,
    }
    #[differentiable(order = 2)]
    impl A {
        fn go(&mut self, x: f64) -> f64 {
            self.u[0] *= x;
            self.k += self.u[1];
            self.k
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut p = A { u: [x, k], k: x };
        let mut n = 0;
        while p.go(k) < 4.0 && n < 20 {
            n += 1;
        }
        if p.go(x) > 4.5 || p.go(k) > 2.0 {
            p.k *= 2.0;
        }
        let y = match p.go(1.0) > 3.0 {
            true if p.go(x) > 1.0 => p.go(k),
            _ => 1.0,
        };
        y * p.k * p.u[0]
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.53, k = 0.7);
        check!(f(x, k) by x = 0.83, k = 1.7);
    }
}
