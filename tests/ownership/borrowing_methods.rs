//! `&mut self`: methods that call methods, in loops and branches, and of fields.

mod a_method_in_a_for_loop {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self) {
            self.a = self.a * self.b;
        }
        fn many(&mut self) {
            for _ in 0..3 {
                self.step();
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { a: x, b: y };
        s.many();
        s.a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_method_in_a_while_loop {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self, by: f64) {
            self.a = self.a * self.b + by;
        }
        fn many(&mut self, by: f64) {
            let mut n = 0;
            while n < 3 {
                self.step(by * by);
                n += 1;
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { a: x, b: y };
        s.many(x);
        s.a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_method_in_an_endless_loop {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self, by: f64) -> f64 {
            self.a = self.a * self.b + by;
            self.a * by
        }
        fn many(&mut self, by: f64) -> f64 {
            let mut n = 0;
            let mut t = 0.0;
            loop {
                t += self.step(by * by);
                n += 1;
                if n > 3 {
                    break;
                }
            }
            t
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { a: x, b: y };
        let t = s.many(x);
        s.a * t
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_method_in_branches {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self) {
            self.a = self.a * self.b;
        }
        fn many(&mut self) {
            if self.a > 0.0 {
                self.step();
            } else {
                self.a = 2.0;
            }
            if self.b > 0.0 {
                self.step();
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { a: x, b: y };
        s.many();
        s.a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_method_in_a_match {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self) {
            self.a = self.a * self.b;
        }
        fn many(&mut self, k: usize) {
            match k {
                0 => {}
                1 => self.step(),
                _ => {
                    self.step();
                    self.step();
                }
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64, k: usize) -> f64 {
        let mut s = S { a: x, b: y };
        s.many(k);
        s.a
    }
    #[test]
    fn holds() {
        for k in 0..3 {
            check!(f(x, y, k) by x = 0.6, y = 1.5);
        }
    }
}

mod a_method_of_a_field {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct I {
        a: f64,
        b: f64,
    }
    #[derive(Differentiable, Clone)]
    struct S {
        i: I,
        c: f64,
    }
    #[differentiable(order = 2)]
    impl I {
        fn step(&mut self, c: f64) -> f64 {
            self.a = self.a * self.b + c;
            self.a * c
        }
    }
    #[differentiable(order = 2)]
    impl S {
        fn many(&mut self) -> f64 {
            let mut t = 0.0;
            for _ in 0..3 {
                t += self.i.step(self.c);
                self.c *= 1.5;
            }
            t
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { i: I { a: x, b: y }, c: x * y };
        let t = s.many();
        s.i.a * t
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_method_of_a_local_variable {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self) {
            self.a = self.a * self.b;
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { a: x, b: y };
        for _ in 0..3 {
            s.step();
        }
        s.a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_method_that_changes_its_argument {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&self, v: &mut f64) {
            *v = *v * self.b + self.a;
        }
        fn many(&self, v: &mut f64) {
            for _ in 0..3 {
                self.step(v);
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let s = S { a: x, b: y };
        let mut v = x * y;
        s.many(&mut v);
        v
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod methods_by_their_path {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self) {
            self.a = self.a * self.b;
        }
        fn many(&mut self) {
            for _ in 0..3 {
                Self::step(self);
            }
            for _ in 0..2 {
                S::step(&mut *self);
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { a: x, b: y };
        s.many();
        s.a
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod a_method_that_changes_an_array {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: [f64; 2],
        b: f64,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self) {
            for i in 0..2 {
                self.a[i] = self.a[i] * self.b;
            }
        }
        fn many(&mut self) {
            self.step();
            if self.b > 0.0 {
                self.step();
                self.b += self.a[0];
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { a: [x, x * y], b: y };
        s.many();
        s.a[0] * s.a[1] + s.b
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod methods_of_elements {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        b: f64,
    }
    #[derive(Differentiable, Clone)]
    struct S {
        p: [P; 2],
        c: f64,
    }
    #[differentiable(order = 2)]
    impl P {
        fn step(&mut self, c: f64) {
            self.a = self.a * self.b * c;
        }
    }
    #[differentiable(order = 2)]
    impl S {
        fn many(&mut self) {
            for _ in 0..2 {
                self.p[0].step(self.c);
                self.p[1].step(self.c);
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { p: [P { a: x, b: y }, P { a: y, b: x }], c: x };
        s.many();
        s.p[0].a + s.p[1].a * y
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.5);
    }
}

mod methods_of_such_a_struct {
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
    impl S {
        fn d(&self) -> f64 {
            let mut t = 0.0;
            for p in &self.l {
                t += p.a * p.b * self.c;
            }
            t
        }
        fn e(&self, x: f64) -> f64 {
            self.d() * x
        }
    }
    #[differentiable(order = 2)]
    fn f(s: &S, x: f64) -> f64 {
        s.e(x) * s.d()
    }
    #[test]
    fn holds() {
        check!(f(&s, x) by [s = S { l: vec![P { a: 0.5, b: 2.0 }, P { a: 1.5, b: -0.3 }], c: 0.7 }, x = 2.0]);
    }
}

mod a_method_several_times {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        n: usize,
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self, k: f64) -> f64 {
            self.a *= k;
            self.n += 1;
            self.a * self.n as f64
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, y: f64) -> f64 {
        let mut s = S { a: x, n: 0 };
        let a = s.step(y) + s.step(x) * s.step(y);
        a * s.a * s.n as f64
    }
    #[test]
    fn holds() {
        check!(f(x, y) by x = 0.6, y = 1.1);
    }
}

mod methods_in_a_condition {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct S {
        a: f64,
        v: [f64; 2],
    }
    #[differentiable(order = 2)]
    impl S {
        fn step(&mut self, k: f64) -> f64 {
            self.a *= k;
            self.v[0] += self.a;
            self.v[0]
        }
        fn far(&self) -> f64 {
            self.a * self.v[0]
        }
        fn go(&mut self, k: f64) -> f64 {
            let mut t = 0.0;
            while self.far() < 5.0 {
                t += self.step(k);
                match self.a > 2.0 {
                    true => {
                        self.step(1.1);
                    }
                    false => self.v[1] *= 2.0,
                }
            }
            t
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64) -> f64 {
        let mut s = S { a: x, v: [k, x] };
        s.go(k) * s.v[1] + s.a
    }
    #[test]
    fn holds() {
        check!(f(x, k) by x = 0.5, k = 1.7);
    }
}
