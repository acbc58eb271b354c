//! Functions of types that are known by a trait only: `p: &P` with `P: Potential`, `&impl Potential`, `&dyn Potential`.

use crate::harness::check;
use autodiff::prelude::*;

trait Potential {
    fn value(&self, x: f64) -> f64;
}
trait System<const N: usize> {
    fn rhs(&self, t: f64, x: &[f64; N]) -> [f64; N];
}
trait Stateful {
    fn step(&mut self, u: f64) -> f64;
    fn reset(&mut self);
}
#[derive(Differentiable, Clone, Copy, Debug)]
struct H {
    k: f64,
}
#[derive(Differentiable, Clone, Copy, Debug)]
struct Lj {
    e: f64,
    s: f64,
}
#[differentiable(order = 2)]
impl Potential for H {
    fn value(&self, x: f64) -> f64 {
        0.5 * self.k * x * x
    }
}
#[differentiable(order = 2)]
impl Potential for Lj {
    fn value(&self, x: f64) -> f64 {
        let r = self.s / x;
        4.0 * self.e * (r.powi(12) - r.powi(6))
    }
}
#[differentiable(order = 2)]
impl Stateful for H {
    fn step(&mut self, u: f64) -> f64 {
        self.k = self.k * 0.9 + u;
        self.k * u
    }
    fn reset(&mut self) {
        self.k = 1.0;
    }
}
#[differentiable(order = 2)]
impl System<2> for H {
    fn rhs(&self, t: f64, x: &[f64; 2]) -> [f64; 2] {
        [x[1], -self.k * x[0] + 0.1 * t]
    }
}
#[differentiable]
fn energy<P: Potential>(p: &P, x: f64) -> f64 {
    p.value(x) * 2.0
}
#[differentiable]
fn force<P>(p: P, x: f64) -> f64
where
    P: Potential + Clone,
{
    let q = p.clone();
    (q.value(x + 0.1) - p.value(x - 0.1)) / 0.2
}
#[differentiable]
fn by_impl(p: &impl Potential, xs: &[f64]) -> f64 {
    let mut s = 0.0;
    for x in xs {
        s += p.value(*x);
    }
    s + xs.iter().map(|x| p.value(x * 2.0)).sum::<f64>()
}
#[differentiable]
fn by_dyn(p: &dyn Potential, x: f64) -> f64 {
    energy_of(p, x) + p.value(x)
}
#[differentiable]
fn energy_of(p: &dyn Potential, x: f64) -> f64 {
    p.value(x * x)
}
#[differentiable]
fn several<P: Potential>(ps: &[P], x: f64) -> f64 {
    let mut s = 0.0;
    for (i, p) in ps.iter().enumerate() {
        if i % 2 == 0 {
            s += p.value(x);
        } else {
            s -= ps[i].value(x * 2.0);
        }
    }
    s + ps.iter().map(|p| p.value(1.0)).sum::<f64>()
}
#[differentiable]
fn simulate<S: Stateful>(s: &mut S, us: &[f64]) -> f64 {
    let mut t = 0.0;
    for u in us {
        t += s.step(*u);
        if t > 100.0 {
            s.reset();
            break;
        }
    }
    t
}
#[differentiable]
fn rk<S>(s: &S, x0: [f64; 2], h: f64, n: usize) -> [f64; 2]
where
    S: System<2>,
{
    let mut x = x0;
    for i in 0..n {
        let t = i as f64 * h;
        let k1 = s.rhs(t, &x);
        let y = [x[0] + h * 0.5 * k1[0], x[1] + h * 0.5 * k1[1]];
        let k2 = s.rhs(t + h * 0.5, &y);
        for j in 0..2 {
            x[j] += h * k2[j];
        }
    }
    x
}
#[differentiable]
fn two<A: Potential, B: Potential>(a: &A, b: &B, x: f64) -> f64 {
    a.value(x) * b.value(x)
}
#[differentiable(order = 2)]
fn f1(k: f64, x: f64) -> f64 {
    energy(&H { k }, x) + energy(&Lj { e: k, s: 1.0 }, x) + force(H { k }, x)
}
#[differentiable(order = 2)]
fn f2(k: f64, x: f64) -> f64 {
    let h = H { k };
    let l = Lj { e: k, s: x };
    by_impl(&h, &[x, 1.5]) + by_dyn(&l, x + 1.0) * by_dyn(&h, x) + two(&h, &l, 1.3)
}
#[differentiable(order = 2)]
fn f3(k: f64, x: f64) -> f64 {
    let hs = vec![H { k }, H { k: k * x }, H { k: 2.0 }];
    let arr = [Lj { e: k, s: 1.0 }, Lj { e: x, s: 1.2 }];
    several(&hs, x) + several(&arr, x)
}
#[differentiable(order = 2)]
fn f4(k: f64, x: f64) -> f64 {
    let mut h = H { k };
    let a = simulate(&mut h, &[x, 2.0, x * k]);
    let b = simulate(&mut h, &[1.0]);
    a * b + h.k
}
#[differentiable(order = 2)]
fn f5(k: f64, x: f64) -> f64 {
    let h = H { k };
    let r = rk(&h, [x, 1.0], 0.1, 5);
    r[0] * r[1]
}
#[differentiable(order = 2)]
fn f6(h: &H, x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        if i > 0 {
            s += energy(h, x * i as f64);
        }
    }
    s
}
#[differentiable(order = 2)]
fn f7(k: f64, x: f64) -> f64 {
    f6(&H { k }, x) + {
        let mut n = 0.0;
        energy(
            &H {
                k: {
                    n += k;
                    n
                },
            },
            {
                n *= x;
                n
            },
        ) + n
    }
}

mod pot {
    use super::Potential;
    use autodiff::prelude::*;
    #[derive(Differentiable, Clone, Copy, Debug)]
    pub struct Spring {
        pub k: f64,
    }
    #[differentiable]
    impl Potential for Spring {
        fn value(&self, x: f64) -> f64 {
            0.5 * self.k * x * x
        }
    }
    #[differentiable]
    pub fn sum_of<P: Potential>(p: &P, x: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            s += p.value(x + i as f64);
        }
        s
    }
}
use pot::*;
#[derive(Differentiable, Clone, Copy, Debug)]
struct Sim {
    pot: Spring,
    x: f64,
}
#[differentiable]
impl Sim {
    fn run(&self) -> f64 {
        pot::sum_of(&self.pot, self.x)
    }
}
#[differentiable]
fn of_data(x: f64, #[no_diff] h: &Spring, #[no_diff] p: &H) -> f64 {
    sum_of(h, x) + energy(p, x)
}
#[differentiable]
fn of_constants(x: f64) -> f64 {
    let p = &Spring { k: 2.0 };
    sum_of(&Spring { k: 2.0 }, x) + p.value(x)
}
#[differentiable]
fn in_field(s: &Sim) -> f64 {
    s.run() + sum_of(&s.pot, 2.0)
}

trait Parts {
    fn parts(&self) -> &[f64];
    fn of(&self, x: f64) -> f64;
}
#[derive(Differentiable, Clone, Debug)]
struct List {
    k: Vec<f64>,
}
#[differentiable]
impl Parts for List {
    fn of(&self, x: f64) -> f64 {
        0.5 * self.k[0] * x * x
    }
    fn parts(&self) -> &[f64] {
        &self.k
    }
}
#[differentiable]
fn through<P: Parts>(p: &P, x: f64) -> f64 {
    let mut s = 0.0;
    for k in p.parts() {
        s += k * x;
    }
    s + p.of(x)
}
#[differentiable]
fn lists(s: &List, x: f64) -> f64 {
    through(s, x)
}

#[test]
fn types_are_known_by_their_traits() {
    check!(f1(k, x) by k = 1.7, x = 1.2);
    check!(f2(k, x) by k = 1.7, x = 1.2);
    check!(f3(k, x) by k = 1.7, x = 1.2);
    check!(f4(k, x) by k = 1.7, x = 1.2);
    check!(f5(k, x) by k = 1.7, x = 1.2);
    check!(f7(k, x) by k = 1.7, x = 1.2);
    assert_eq!(of_data::value_and_grad(2.0, &Spring { k: 3.0 }, &H { k: 1.0 }), (43.5 + 4.0, 27.0 + 4.0));
    assert_eq!(of_constants::grad(2.0), 22.0);
    let gradient = in_field::grad(&Sim { pot: Spring { k: 2.0 }, x: 1.0 });
    assert_eq!((gradient.pot.k, gradient.x), (21.5, 12.0));
    let (gradient, slope) = lists::grad(&List { k: vec![2.0, 3.0] }, 1.5);
    assert_eq!((gradient.k, slope), (vec![2.625, 1.5], 8.0));
}
