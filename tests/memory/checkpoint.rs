//! `#[checkpoint(K)]`: the same derivatives to the last bit, and as few steps as published.
#![allow(clippy::all)]

use autodiff::prelude::*;
use std::cell::Cell;

// --- how many steps ------------------------------------------------------------------------------------------

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// What the body of a loop calls once in every step.
fn counted(i: usize) -> f64 {
    STEPS.with(|steps| steps.set(steps.get() + 1));
    (i as f64).cos()
}

fn steps<T>(f: impl FnOnce() -> T) -> (usize, T) {
    STEPS.with(|steps| steps.set(0));
    let value = f();
    (STEPS.with(Cell::get), value)
}

/// C(n, k)
fn choose(n: usize, k: usize) -> usize {
    (0..k.min(n - k)).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// t(l, c) = r·l - C(c + r, r - 1): the forward steps that revolve needs to reverse `l` steps with `c` snapshots, the
/// state at the beginning among them, beside the `l` steps that are reversed.
fn published(l: usize, c: usize) -> usize {
    let r = (0..).find(|r| choose(c + r, c) >= l).unwrap();
    if r == 0 { 0 } else { r * l - choose(c + r, r - 1) }
}

#[differentiable(pure(counted), order = 2)]
fn walk<const K: usize>(x0: f64, #[no_diff] n: usize) -> f64 {
    let mut x = x0;
    #[checkpoint(K)]
    for i in 0..n {
        let c: f64 = counted(i);
        x = x + 0.01 * x.sin() * c;
    }
    x
}

#[differentiable(pure(counted), order = 2)]
fn plain_walk(x0: f64, #[no_diff] n: usize) -> f64 {
    let mut x = x0;
    for i in 0..n {
        let c: f64 = counted(i);
        x = x + 0.01 * x.sin() * c;
    }
    x
}

fn as_published<const K: usize>() {
    for n in (0..40).chain([57, 100, 333]) {
        let (count, g) = steps(|| walk::<K>::value_and_grad(0.7, n));
        // Forward: the steps of the value, of which the first sweep of revolve has all but the last one. Then each step
        // once more where it is reversed.
        let first = if n == 0 { 0 } else { published(n, K) + 1 };
        assert_eq!(count, first + n, "{n} steps, {K} snapshots");
        assert_eq!(g, plain_walk::value_and_grad(0.7, n));
        let (count, pullback) = steps(|| walk::<K>::vjp(0.7, n).1);
        assert_eq!(count, n);
        let (count, g2) = steps(|| pullback(1.0));
        assert_eq!((count, g2), (first, g.1));
    }
}

#[test]
fn as_few_steps_as_published() {
    as_published::<1>();
    as_published::<2>();
    as_published::<3>();
    as_published::<5>();
    as_published::<8>();
    as_published::<40>();
    as_published::<1000>();
}

#[differentiable(pure(counted), order = 2)]
fn settle<const K: usize>(a: f64, #[no_diff] least: f64) -> f64 {
    let (mut x, mut i) = (a, 0);
    #[checkpoint(K)]
    while x > least {
        let c: f64 = counted(i);
        x = 0.9 * x + 0.01 * x.sin() * (1.0 + c * c);
        i += 1;
    }
    x
}

fn counts_first<const K: usize>() {
    for least in [2.0, 0.9, 0.5, 0.1, 0.01, 1e-3] {
        let (n, y) = steps(|| settle::<K>(1.0, least));
        let (count, pullback) = steps(|| {
            let (value, pullback) = settle::<K>::vjp(1.0, least);
            assert_eq!(value, y);
            pullback
        });
        // What the forward sweep finds out is how many there are.
        assert_eq!(count, n);
        let (count, g) = steps(|| pullback(1.0));
        let again = if n == 0 { 0 } else { published(n, K) };
        assert_eq!(count, again + n, "{n} steps, {K} snapshots");
        assert_eq!(steps(|| settle::<K>::grad(1.0, least)), (2 * n + again, g));
    }
}

#[test]
fn a_while_loop_counts_first() {
    counts_first::<1>();
    counts_first::<2>();
    counts_first::<4>();
    counts_first::<200>();
}

// --- the same bits -------------------------------------------------------------------------------------------

/// The same functions with and without the attribute.
macro_rules! programs {
    ($($keep:tt)*) => {
        #[differentiable(order = 2)]
        pub(crate) fn numbers(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let (mut a, mut b) = (x[0], x[1]);
            $($keep)*
            for i in 0..n {
                let c = a;
                a = a * 0.9 + 0.1 * b.sin();
                b = b - 0.05 * c * c + 0.001 * i as f64;
            }
            a * b
        }

        #[differentiable(order = 2)]
        pub(crate) fn backwards(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let mut s = x[0];
            $($keep)*
            for i in (2..n).rev() {
                s = s.sin() + x[1] * s * 0.1 * i as f64;
            }
            $($keep)*
            for i in (0..n).step_by(3) {
                s = s.cos() * x[0] + 0.01 * i as f64;
            }
            $($keep)*
            for i in 1..=n {
                s = s * s * 0.3 + x[1] / i as f64;
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn integers(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let (mut s, mut k, mut odd) = (x[0], 7_usize, false);
            $($keep)*
            for _ in 0..n {
                k = (k * 5 + 3) % 16;
                s = if odd { s * x[1] + 0.1 * k as f64 } else { s.sin() };
                odd = !odd;
                if k % 3 == 0 {
                    odd = true;
                }
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn arrays(x: &[f64; 5], #[no_diff] n: usize) -> f64 {
            let mut u = *x;
            $($keep)*
            for _ in 0..n {
                let old = u;
                for j in 1..4 {
                    u[j] = old[j] + 0.1 * (old[j - 1] - 2.0 * old[j] + old[j + 1]) - 0.05 * old[j] * old[j] * old[j];
                }
                u[0] = u[4].sin();
            }
            u[0] * u[1] + u[2] * u[3] + u[4]
        }

        #[differentiable(order = 2)]
        pub(crate) fn in_place(x: &[f64; 3], #[no_diff] n: usize) -> f64 {
            let mut m = [[0.0; 3]; 2];
            m[0] = *x;
            m[1] = *x;
            $($keep)*
            for i in 0..n {
                m[i % 2][i % 3] += 0.3 * m[(i + 1) % 2][(i + 2) % 3].sin() * x[0];
                m.swap(0, 1);
            }
            m[0][0] * m[1][2] + m[0][1]
        }

        #[differentiable(order = 2)]
        pub(crate) fn tensors(x: &[f64; 4], #[no_diff] n: usize) -> f64 {
            let w = Tensor2::from([[x[0], x[1]], [x[2], x[3]]]);
            let mut h = Tensor2::from([[1.0], [0.5]]);
            $($keep)*
            for _ in 0..n {
                h = (w.matmul(h) + h * 0.1).tanh();
            }
            h.sum()
        }

        #[differentiable(order = 2)]
        pub(crate) fn jumps(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let mut s = x[0];
            $($keep)*
            for i in 0..n {
                if i % 4 == 2 {
                    continue;
                }
                s = s * x[1] + s.sin();
                assert!(s.is_finite(), "{s} after {i} steps");
                if s > 3.0 {
                    break;
                }
                if s < -50.0 {
                    return s * 2.0;
                }
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn returns(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let mut s = x[0];
            $($keep)*
            for _ in 0..n {
                s = s * x[1] + s.sin();
                if s > 3.0 {
                    return s * s;
                }
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn newton(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let (mut y, mut i) = (x[0], 0);
            $($keep)*
            while i < n && (y * y - x[1]).abs() > 1e-9 {
                y = 0.5 * (y + x[1] / y);
                i += 1;
            }
            y
        }

        #[differentiable(order = 2)]
        pub(crate) fn forever(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let (mut s, mut i) = (x[0], 0);
            $($keep)*
            loop {
                if i == n {
                    break;
                }
                i += 1;
                if i % 3 == 0 {
                    continue;
                }
                s = s.sin() * x[1] + 0.2 * s;
                if s < 0.01 {
                    break;
                }
            }
            s * s
        }

        #[differentiable(order = 2)]
        pub(crate) fn elements(x: &[f64; 6], #[no_diff] n: usize) -> f64 {
            let mut s = 1.0;
            $($keep)*
            for v in x.iter().take(n) {
                s = s * 0.5 + (s * v).sin();
            }
            $($keep)*
            for (i, v) in x.iter().enumerate().rev() {
                s = s.cos() + v * s * i as f64;
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn slices(x: &[f64]) -> f64 {
            let mut s = 1.0;
            $($keep)*
            for v in x {
                s = s * 0.5 + (s * v).sin();
            }
            $($keep)*
            for w in x.windows(2) {
                s = s * (w[0] - w[1] * s);
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn histories_inside(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let mut s = x[0];
            $($keep)*
            for i in 0..n {
                let mut t = s;
                for _ in 0..4 {
                    t = t.sin() + 0.1 * x[1] * t;
                }
                let mut k = 0;
                #[max_iters(9)]
                while k < i % 5 {
                    t = t.cos() * 0.4 + s;
                    k += 1;
                }
                s = s * 0.6 + t;
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn nested(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let mut s = x[0];
            $($keep)*
            for i in 0..n {
                let mut t = s;
                $($keep)*
                for j in 0..i + 2 {
                    t = t.sin() + 0.1 * x[1] * t * j as f64;
                }
                s = s * 0.6 + t;
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn in_a_plain_loop(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let mut s = x[0];
            for i in 0..3 {
                let mut t = s;
                $($keep)*
                for j in 0..n {
                    t = t.sin() + 0.1 * x[1] * t * (i + j) as f64;
                }
                s = s * 0.6 + t * t;
            }
            s
        }

        #[differentiable(order = 2)]
        pub(crate) fn step(s: &[f64; 2], by: f64) -> [f64; 2] {
            [s[0] + by * s[1].sin(), s[1] - by * s[0] * s[1]]
        }

        #[differentiable(order = 2)]
        pub(crate) fn calls(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let mut s = *x;
            $($keep)*
            for _ in 0..n {
                s = step(&s, 0.1 * x[0]);
            }
            s[0] * s[1]
        }

        #[differentiable(order = 2)]
        pub(crate) fn called(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let mut s = 0.0;
            for i in 0..3 {
                s += calls(x, n + i) * numbers(x, n);
            }
            s
        }

        #[differentiable]
        pub(crate) fn inner_gradient(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let g = numbers::grad(x, n);
            g[0] * g[1] + x[0]
        }

        #[differentiable(order = 2)]
        pub(crate) fn accumulates(x: &[f64; 2], #[no_diff] n: usize) -> f64 {
            let (mut s, mut y) = (0.0, x[0]);
            $($keep)*
            for i in 0..n {
                s += y.sin() * x[1] * i as f64;
                y *= x[1];
            }
            s
        }
    };
}

mod everything {
    use super::*;
    programs!();
}
mod one {
    use super::*;
    programs!(#[checkpoint(1)]);
}
mod three {
    use super::*;
    programs!(#[checkpoint(3)]);
}

/// Every derivative, of one function with and without snapshots.
macro_rules! same {
    ($f:ident, $x:expr) => {
        for n in [0, 1, 2, 3, 4, 7, 12] {
            same!(@with one, $f, $x, n);
            same!(@with three, $f, $x, n);
        }
    };
    (@with $module:ident, $f:ident, $x:expr, $n:expr) => {{
        let (x, n) = ($x, $n);
        let y = everything::$f(&x, n);
        let g = everything::$f::grad(&x, n);
        let name = concat!(stringify!($f), " from ", stringify!($module));
        assert_eq!($module::$f::value_and_grad(&x, n), (y, g), "{name}, {n} steps");
        let (value, pullback) = $module::$f::vjp(&x, n);
        assert_eq!((value, pullback(1.0), pullback(1.0)), (y, g, g), "{name}, {n} steps: vjp");
        let (value, residuals) = $module::$f::forward(&x, n);
        assert_eq!((value, $module::$f::pullback(&residuals, 1.0)), (y, g), "{name}, {n} steps: pullback");
        let v = x.map(|x| (3.0 * x).cos());
        let tangent = everything::$f::jvp(&x, n, &v);
        assert_eq!($module::$f::jvp(&x, n, &v), tangent, "{name}, {n} steps: jvp");
        let dot: f64 = g.iter().zip(&v).map(|(g, v)| g * v).sum();
        assert!((dot - tangent.1).abs() <= 1e-10 * (1.0 + dot.abs()), "{name}, {n} steps: {dot}, {}", tangent.1);
        let second = everything::$f::hvp(&x, n, &v);
        assert_eq!($module::$f::hvp(&x, n, &v), second, "{name}, {n} steps: hvp");
        let mut sum = x;
        $module::$f::accumulate_grad(&x, n, &mut sum);
        let mut expected = x;
        everything::$f::accumulate_grad(&x, n, &mut expected);
        assert_eq!(sum, expected, "{name}, {n} steps: accumulate_grad");
    }};
}

#[test]
fn numbers_and_arrays() {
    same!(numbers, [0.4, -0.8]);
    same!(backwards, [0.4, -0.8]);
    same!(integers, [0.4, -0.8]);
    same!(arrays, [0.4, -0.8, 0.1, 0.7, 1.2]);
    same!(in_place, [0.4, -0.8, 0.3]);
    same!(tensors, [0.4, -0.8, 0.3, 0.9]);
    same!(accumulates, [0.4, 0.8]);
}

#[test]
fn jumps_and_elements() {
    same!(jumps, [0.4, 1.2]);
    same!(jumps, [-0.4, 1.9]);
    same!(returns, [0.4, 1.2]);
    same!(returns, [0.1, 0.2]);
    same!(newton, [1.3, 2.0]);
    same!(forever, [1.3, 0.9]);
    same!(elements, [0.4, -0.8, 0.3, 0.9, 0.1, -0.2]);
}

#[test]
#[should_panic(expected = "inf after 0 steps")]
fn assertions_hold() {
    three::jumps::grad(&[f64::MAX, 3.0], 9);
}

#[test]
fn loops_in_loops() {
    same!(histories_inside, [0.4, -0.8]);
    same!(nested, [0.4, -0.8]);
    same!(in_a_plain_loop, [0.4, -0.8]);
}

#[test]
fn a_call_in_a_loop() {
    same!(calls, [0.4, -0.8]);
    same!(called, [0.4, -0.8]);
}

#[test]
fn gradients_in_functions() {
    let x = [0.4, -0.8];
    for n in 0..9 {
        let g = everything::inner_gradient::value_and_grad(&x, n);
        assert_eq!(one::inner_gradient::value_and_grad(&x, n), g);
        assert_eq!(three::inner_gradient::value_and_grad(&x, n), g);
    }
}

#[test]
fn slices() {
    let x = [0.4, -0.8, 0.3, 0.9, 0.1, -0.2, 0.5];
    for n in 0..x.len() {
        let g = everything::slices::value_and_grad(&x[..n]);
        assert_eq!(one::slices::value_and_grad(&x[..n]), g);
        assert_eq!(three::slices::value_and_grad(&x[..n]), g);
        assert_eq!(three::slices::vjp(&x[..n]).1(1.0), g.1);
    }
}

#[differentiable(order = 2)]
fn vectors(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut u = x.to_vec();
    #[checkpoint(3)]
    for _ in 0..n {
        for j in 1..u.len() {
            u[j] = u[j].sin() + 0.1 * u[j - 1] * u[j];
        }
    }
    u.iter().map(|v| v * v).sum()
}

#[differentiable(order = 2)]
fn plain_vectors(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..n {
        for j in 1..u.len() {
            u[j] = u[j].sin() + 0.1 * u[j - 1] * u[j];
        }
    }
    u.iter().map(|v| v * v).sum()
}

#[differentiable(order = 2)]
fn growing(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut u = Vec::new();
    u.push(x[0]);
    #[checkpoint(2)]
    for i in 0..n {
        u.push(u[i] * x[i % 3].sin());
    }
    let mut s = 0.0;
    for v in &u {
        s += v * v;
    }
    s
}

#[differentiable(order = 2)]
fn plain_growing(x: &[f64], #[no_diff] n: usize) -> f64 {
    let mut u = Vec::new();
    u.push(x[0]);
    for i in 0..n {
        u.push(u[i] * x[i % 3].sin());
    }
    let mut s = 0.0;
    for v in &u {
        s += v * v;
    }
    s
}

#[test]
fn states_on_the_heap() {
    let x = [0.4, -0.8, 0.3, 0.9];
    for n in 0..12 {
        let g = plain_vectors::value_and_grad(&x, n);
        assert_eq!(vectors::value_and_grad(&x, n), g);
        let (y, pullback) = vectors::vjp(&x, n);
        assert_eq!((y, pullback(1.0)), g);
        assert_eq!(vectors::hvp(&x, n, &x), plain_vectors::hvp(&x, n, &x));
        let g = plain_growing::value_and_grad(&x, n);
        assert_eq!(growing::value_and_grad(&x, n), g);
    }
}

// --- memory --------------------------------------------------------------------------------------------------

#[differentiable(order = 2)]
fn field<const N: usize>(x: &[f64; 50], by: f64) -> f64 {
    let mut u = *x;
    #[checkpoint(4)]
    for _ in 0..N {
        for j in 1..49 {
            u[j] = u[j] + by * (u[j - 1] - 2.0 * u[j] + u[j + 1]) - 0.001 * u[j].sin();
        }
    }
    u[20] * u[21]
}

/// Four snapshots and the last state, whatever the number of steps: in a debug build too, on a stack where the states of
/// all steps have no room.
#[test]
fn memory_does_not_grow() {
    use autodiff::DifferentiableFn;
    assert_eq!(field::<100>::RESIDUAL_BYTES, field::<10_000>::RESIDUAL_BYTES);
    assert_eq!(field::<100>::WORKSPACE_BYTES, field::<10_000>::WORKSPACE_BYTES);
    assert!(field::<100>::RESIDUAL_BYTES < 50 * 8 * 8, "{}", field::<100>::RESIDUAL_BYTES);
    let thread = std::thread::Builder::new().stack_size(1 << 18).spawn(|| {
        let x = std::array::from_fn(|i| (i as f64).sin());
        let (_, (g, by)) = field::<2000>::value_and_grad(&x, 0.1);
        let (_, slope) = field::<2000>::jvp(&x, 0.1, &[0.0; 50], 1.0);
        assert!((slope - by).abs() <= 1e-10 * slope.abs(), "{slope}, {by}");
        assert!(g.iter().any(|g| *g != 0.0));
        assert_eq!(field::<2000>::vjp(&x, 0.1).1(1.0), (g, by));
    });
    thread.unwrap().join().unwrap();
}
