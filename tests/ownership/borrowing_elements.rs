//! `&mut self` of the elements of arrays and slices, and of fields that are `Vec`s, structs, integers and truth values.

mod methods_of_particles_of_an_array {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        pos: [f64; 2],
        vel: [f64; 2],
        m: f64,
    }
    #[derive(Differentiable, Clone)]
    struct W {
        ps: [P; 3],
        g: f64,
    }
    #[differentiable(order = 2)]
    impl P {
        fn kick(&mut self, f: &[f64; 2], dt: f64) {
            for i in 0..2 {
                self.vel[i] += f[i] * dt / self.m;
            }
        }
        fn drift(&mut self, dt: f64) {
            for i in 0..2 {
                self.pos[i] += dt * self.vel[i];
            }
        }
        fn ke(&self) -> f64 {
            0.5 * self.m * (self.vel[0] * self.vel[0] + self.vel[1] * self.vel[1])
        }
    }
    #[differentiable(order = 2)]
    impl W {
        fn step(&mut self, dt: f64) {
            for i in 0..3 {
                let f = [-self.g * self.ps[i].pos[0], -self.g * self.ps[i].pos[1] * self.ps[i].m];
                self.ps[i].kick(&f, dt);
            }
            for p in self.ps.iter_mut() {
                p.drift(dt);
            }
        }
        fn energy(&self) -> f64 {
            let mut e = 0.0;
            for p in &self.ps {
                e += p.ke();
            }
            e
        }
        fn run(&mut self, dt: f64, n: usize) -> f64 {
            let mut s = 0.0;
            for _ in 0..n {
                self.step(dt);
                s += self.energy();
            }
            s
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, g: f64, n: usize) -> f64 {
        let p = P { pos: [x, g], vel: [0.1, -x], m: 1.0 + x * x };
        let mut w = W { ps: [p.clone(), P { pos: [0.3, x], vel: [0.0, 1.0], m: 2.0 }, p], g };
        w.run(0.1, n) + w.ps[2].pos[0]
    }
    #[test]
    fn holds() {
        for n in 0..3 {
            check!(f(x, g, n) by x = 0.5, g = 1.2);
        }
    }
}

mod methods_of_particles_of_a_slice {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        pos: [f64; 2],
        vel: [f64; 2],
        m: f64,
    }
    #[differentiable(order = 2)]
    impl P {
        fn kick(&mut self, f: &[f64; 2], dt: f64) {
            for i in 0..2 {
                self.vel[i] += f[i] * dt / self.m;
            }
        }
        fn drift(&mut self, dt: f64) {
            for i in 0..2 {
                self.pos[i] += dt * self.vel[i];
            }
        }
    }
    #[differentiable(order = 2)]
    fn forces(ps: &[P], i: usize) -> [f64; 2] {
        let mut f = [0.0; 2];
        for j in 0..ps.len() {
            if j != i {
                for k in 0..2 {
                    f[k] += ps[j].m * (ps[j].pos[k] - ps[i].pos[k]);
                }
            }
        }
        f
    }
    #[differentiable(order = 2)]
    fn step(ps: &mut [P], dt: f64) {
        for i in 0..ps.len() {
            let f = forces(ps, i);
            ps[i].kick(&f, dt);
        }
        for p in ps.iter_mut() {
            p.drift(dt);
        }
    }
    #[differentiable(order = 2)]
    fn f(ps: &[P], dt: f64, n: usize) -> f64 {
        let mut w = ps.to_vec();
        for _ in 0..n {
            step(&mut w, dt);
        }
        let mut s = 0.0;
        for p in &w {
            s += p.pos[0] * p.pos[1] + p.vel[0];
        }
        s
    }
    #[test]
    fn holds() {
        for n in 0..3 {
            check!(f(&ps, dt, n) by [ps = vec![P { pos: [0.1, 0.2], vel: [0.5, -0.3], m: 1.0 }, P { pos: [-0.4, 0.7], vel: [0.2, 0.3], m: 2.0 }], dt = 0.1]);
        }
    }
}

mod a_method_that_changes_a_vec_of_structs {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct P {
        a: f64,
        v: [f64; 2],
    }
    #[derive(Differentiable, Clone)]
    struct W {
        ps: Vec<P>,
        k: f64,
    }
    #[differentiable(order = 2)]
    impl P {
        fn grow(&mut self, k: f64) {
            self.a *= k;
            self.v[0] += self.a;
        }
    }
    #[differentiable(order = 2)]
    impl W {
        fn step(&mut self) {
            for i in 0..self.ps.len() {
                self.ps[i].grow(self.k);
            }
            self.k *= 1.1;
        }
        fn twice(&mut self) -> f64 {
            self.step();
            self.step();
            self.k
        }
    }
    #[differentiable(order = 2)]
    fn f(w: &W, x: f64) -> f64 {
        let mut u = w.clone();
        let k = u.twice();
        let mut s = k * x;
        for p in &u.ps {
            s += p.a * p.v[0] * x;
        }
        s
    }
    #[test]
    fn holds() {
        check!(f(&w, x) by [w = W { ps: vec![P { a: 0.5, v: [1.0, 0.3] }, P { a: -0.5, v: [0.7, 0.9] }], k: 1.3 }, x = 0.7]);
    }
}

mod a_method_of_nested_structs_with_vecs {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct L {
        w: Vec<f64>,
        b: f64,
    }
    #[derive(Differentiable, Clone)]
    struct N {
        l: L,
        m: L,
    }
    #[differentiable(order = 2)]
    fn scale(w: &mut [f64], k: f64) {
        for x in w.iter_mut() {
            *x *= k;
        }
    }
    #[differentiable(order = 2)]
    impl L {
        fn up(&mut self, k: f64) {
            scale(&mut self.w, k);
            self.b += self.w[0];
            scale(&mut self.w[1..], self.b);
        }
    }
    #[differentiable(order = 2)]
    impl N {
        fn up(&mut self, k: f64) {
            self.l.up(k);
            self.m.up(self.l.b);
        }
    }
    #[differentiable(order = 2)]
    fn f(n: &N, k: f64) -> f64 {
        let mut n = n.clone();
        n.up(k);
        n.up(k * k);
        n.l.w[0] * n.m.w[1] + n.m.b
    }
    #[test]
    fn holds() {
        check!(f(&n, k) by [n = N { l: L { w: vec![0.5, 0.3], b: 0.1 }, m: L { w: vec![-0.5, 0.9], b: 0.7 } }, k = 1.2]);
    }
}

mod a_method_that_changes_integers_and_truth_values {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone)]
    struct A {
        k: f64,
        n: i32,
        on: bool,
    }
    #[differentiable(order = 2)]
    impl A {
        fn tick(&mut self, x: f64) {
            self.n += 1;
            self.on = !self.on;
            if self.on {
                self.k *= x;
            } else {
                self.k += x * f64::from(self.n);
            }
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64) -> f64 {
        let mut p = A { k: x, n: 0, on: false };
        for _ in 0..4 {
            p.tick(x);
        }
        p.k * f64::from(p.n) + if p.on { x } else { 0.0 }
    }
    #[test]
    fn holds() {
        check!(f(x) by x = 0.5);
    }
}

mod methods_in_loops_with_snapshots {
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
            self.a = (self.a * k).sin();
            self.v[0] += self.a * self.v[1];
            self.v[1] *= 1.0 + self.a;
            self.v[0]
        }
        fn go(&mut self, k: f64, n: usize) -> f64 {
            let mut t = 0.0;
            #[checkpoint(3)]
            for _ in 0..n {
                t += self.step(k);
            }
            t
        }
        fn go2(&mut self, k: f64) -> f64 {
            let mut t = 0.0;
            let mut n = 0;
            #[max_iters(9)]
            while self.a > 0.1 && n < 7 {
                t += self.step(k);
                n += 1;
            }
            t
        }
    }
    #[differentiable(order = 2)]
    fn f(x: f64, k: f64, n: usize) -> f64 {
        let mut s = S { a: x, v: [k, x] };
        s.go(k, n) * s.v[1] + s.a + s.go2(x)
    }
    #[test]
    fn holds() {
        for n in [0, 1, 5, 8] {
            check!(f(x, k, n) by x = 0.5, k = 1.7);
        }
    }
}
