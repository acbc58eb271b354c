//! num-dual: generalised dual numbers in Rust (github.com/itt-ustutt/num-dual, `tests/`, `benches/` and the documentation).

use autodiff::prelude::*;

macro_rules! elementary {
    ($($name:ident: $x:ident => $value:expr, $at:expr, $slope:expr;)+) => {
        $(#[differentiable]
        fn $name($x: f64) -> f64 {
            $value
        })+

        #[test]
        fn elementary() {
            $(gradient!($name($x) by $x = $at => [$slope]);)+
        }
    };
}

// The slopes are those of the originals' tests, at 1.2.
elementary! {
    recip: x => x.recip(), 1.2, -1.0 / 1.44;
    exp: x => x.exp(), 1.2, 1.2_f64.exp();
    exp_m1: x => x.exp_m1(), 1.2, 1.2_f64.exp();
    exp2: x => x.exp2(), 1.2, 1.2_f64.exp2() * 2.0_f64.ln();
    ln: x => x.ln(), 1.2, 1.0 / 1.2;
    log: x => x.log(4.2), 1.2, 1.0 / (1.2 * 4.2_f64.ln());
    ln_1p: x => x.ln_1p(), 1.2, 1.0 / 2.2;
    log2: x => x.log2(), 1.2, 1.0 / (1.2 * 2.0_f64.ln());
    log10: x => x.log10(), 1.2, 1.0 / (1.2 * 10.0_f64.ln());
    sqrt: x => x.sqrt(), 1.2, 0.5 / 1.2_f64.sqrt();
    cbrt: x => x.cbrt(), 1.2, 1.0 / (3.0 * 1.2_f64.cbrt().powi(2));
    powf: x => x.powf(4.2), 1.2, 4.2 * 1.2_f64.powf(3.2);
    powf_0: x => x.powf(0.0), 0.0, 0.0;
    powf_1: x => x.powf(1.0), 1.2, 1.0;
    powf_2: x => x.powf(2.0), 1.2, 2.4;
    powi: x => x.powi(6), 1.2, 6.0 * 1.2_f64.powi(5);
    powi_0: x => x.powi(0), 0.0, 0.0;
    powi_1: x => x.powi(1), 0.0, 1.0;
    powi_2: x => x.powi(2), 0.0, 0.0;
    powi_negative: x => x.powi(-2), 1.2, -2.0 * 1.2_f64.powi(-3);
    sin: x => x.sin(), 1.2, 1.2_f64.cos();
    cos: x => x.cos(), 1.2, -1.2_f64.sin();
    tan: x => x.tan(), 1.2, 1.0 + 1.2_f64.tan().powi(2);
    asin: x => x.asin(), 0.2, 1.0 / (1.0_f64 - 0.04).sqrt();
    acos: x => x.acos(), 0.2, -1.0 / (1.0_f64 - 0.04).sqrt();
    atan: x => x.atan(), 0.2, 1.0 / 1.04;
    sinh: x => x.sinh(), 1.2, 1.2_f64.cosh();
    cosh: x => x.cosh(), 1.2, 1.2_f64.sinh();
    tanh: x => x.tanh(), 1.2, 1.0 - 1.2_f64.tanh().powi(2);
    asinh: x => x.asinh(), 1.2, 1.0 / 2.44_f64.sqrt();
    acosh: x => x.acosh(), 1.2, 1.0 / 0.44_f64.sqrt();
    atanh: x => x.atanh(), 0.2, 1.0 / 0.96;
    sin_cos: x => { let (s, c) = x.sin_cos(); s * c }, 1.2, 2.4_f64.cos();
    abs: x => x.abs(), -1.2, -1.0;
    signum: x => x * x.signum(), -1.2, -1.0;
    mul_add: x => x.mul_add(x, x), 1.2, 3.4;
    rem: x => x % 1.0, 1.2, 1.0;
    fract: x => x.fract() * x, 1.2, 1.4;
    to_degrees: x => x.to_degrees(), 1.2, 180.0 / std::f64::consts::PI;
}

/// At singular points.
mod singular {
    use super::*;

    #[differentiable]
    fn power(x: f64, n: f64) -> f64 {
        x.powf(n)
    }

    #[differentiable]
    fn whole_power(x: f64, n: i32) -> f64 {
        x.powi(n)
    }

    #[test]
    fn at_zero() {
        assert_eq!(power::grad(0.0, 1.0).0, 1.0);
        for n in [2.0, 3.0, 4.0] {
            assert_eq!(power::value_and_grad(0.0, n), (0.0, (0.0, 0.0)));
        }
        assert_eq!([0, 1, 2, 3].map(|n| whole_power::grad(0.0, n)), [0.0, 1.0, 0.0, 0.0]);
    }
}

/// Bessel functions of the first kind, by their integral: no library function has a derivative here.
mod bessel {
    use super::*;

    #[differentiable(order = 2)]
    fn bessel<const N: usize>(x: f64) -> f64 {
        const STEPS: usize = 64;
        let h = std::f64::consts::PI / STEPS as f64;
        let mut s = 0.0;
        for k in 0..STEPS {
            let t = (k as f64 + 0.5) * h;
            s += (N as f64 * t - x * t.sin()).cos();
        }
        s / STEPS as f64
    }

    #[differentiable]
    fn spherical_j0(x: f64) -> f64 {
        if x.abs() < 1e-8 { 1.0 - x * x / 6.0 } else { x.sin() / x }
    }

    #[differentiable]
    fn spherical_j1(x: f64) -> f64 {
        if x.abs() < f64::EPSILON { x / 3.0 } else { (x.sin() - x * x.cos()) / (x * x) }
    }

    #[test]
    fn gradients() {
        assert!((bessel::<0>::grad(1.2) + bessel::<1>(1.2)).abs() < 1e-12);
        assert!((bessel::<1>::hvp(0.0, 1.0)).abs() < 1e-12);
        gradient!(spherical_j0(x) by x = 1.2 => [(1.2 * 1.2_f64.cos() - 1.2_f64.sin()) / 1.44]);
        gradient!(spherical_j0(x) by x = 0.0 => [0.0]);
        gradient!(spherical_j1(x) by x = 1.2);
        assert_eq!(spherical_j1::grad(0.0), 1.0 / 3.0);
    }
}

/// The documentation.
mod documentation {
    use super::*;

    #[differentiable(order = 2)]
    fn powers(x: f64, y: f64) -> f64 {
        x.powi(3) * y.powi(2)
    }

    #[differentiable]
    fn on_the_circle(t: f64) -> f64 {
        powers(t.cos(), t.sin())
    }

    #[differentiable(order = 2)]
    fn norm<T: Real, const N: usize>(x: &[T; N]) -> T {
        let mut s = T::from_f64(0.0);
        for v in x {
            s += *v * *v;
        }
        s.sqrt()
    }

    #[differentiable]
    fn norm_of_any_length(v: &[f64]) -> f64 {
        v.iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    #[differentiable]
    fn vector_function(x: &[f64; 3]) -> [f64; 2] {
        [x[0] * x[1].powi(3) * x[2], x[0].powi(2) * x[1] * x[2].powi(2)]
    }

    #[differentiable(order = 2)]
    fn over_the_norm(x: &[f64; 2], y: &[f64; 1]) -> f64 {
        y[0] / (x[0].powi(2) + x[1].powi(2)).sqrt()
    }

    #[differentiable(order = 2)]
    fn cube_of_squares(x: f64, y: f64, z: f64) -> f64 {
        (x.powi(2) + y.powi(2) + z.powi(2)).powi(3)
    }

    #[differentiable]
    fn fallible(x: f64) -> Option<f64> {
        if x <= 0.0 {
            return None;
        }
        Some(x.ln())
    }

    #[differentiable]
    fn of_the_fallible(x: f64) -> f64 {
        match fallible(x) {
            Some(y) => y * y,
            None => -x,
        }
    }

    /// The implicit function x² = y: one step of Newton's method from the solution has its derivative.
    #[differentiable]
    fn implicit_root(y: f64) -> f64 {
        let x0 = stop_gradient(y.sqrt());
        x0 - (x0 * x0 - y) / (2.0 * x0)
    }

    #[differentiable]
    fn implicit_pair(a: f64) -> [f64; 2] {
        let (mut x, mut y) = (1.5, 3.0);
        for _ in 0..30 {
            let (f, g) = (x * y - a, x + y - a - 1.0);
            let det = y - x;
            let (dx, dy) = ((f - x * g) / det, (y * g - f) / det);
            x -= dx;
            y -= dy;
        }
        [x, y]
    }

    #[differentiable]
    fn smallest_eigenvalue(a: f64, b: f64, c: f64) -> f64 {
        let mean = (a + c) / 2.0;
        let radius = ((a - c).powi(2) / 4.0 + b * b).sqrt();
        mean - radius
    }

    #[differentiable]
    fn unit_circle(t: f64) -> (f64, f64) {
        let theta = t * std::f64::consts::TAU;
        (theta.cos(), theta.sin())
    }

    #[test]
    fn gradients() {
        gradient!(powers(x, y) by x = 5.0, y = 4.0 => [1200.0, 1000.0]);
        assert_eq!(powers::hvp(5.0, 4.0, 1.0, 0.0), (480.0, 600.0));
        assert_eq!(powers::hvp(5.0, 4.0, 0.0, 1.0), (600.0, 250.0));
        gradient!(on_the_circle(t) by t = 1.0);
        crate::gradient::close(&norm::grad(&[4.0, 3.0]), &[0.8, 0.6]);
        assert_eq!(norm::grad(&[4.0_f32, 3.0]), [0.8, 0.6]);
        gradient!(norm_of_any_length(&v) by v = vec![2.0; 4] => [0.5; 4]);
        let (y, pullback) = vector_function::vjp(&[5.0, 3.0, 2.0]);
        assert_eq!(y, [270.0, 300.0]);
        assert_eq!((pullback(&[1.0, 0.0]), pullback(&[0.0, 1.0])), ([54.0, 270.0, 135.0], [120.0, 100.0, 300.0]));
        gradient!(over_the_norm(&x, &y) by x = [4.0, 3.0], y = [5.0] => [-0.16, -0.12, 0.2]);
        gradient!(cube_of_squares(x, y, z) by x = 1.0, y = 2.0, z = 3.0 => [1176.0, 2352.0, 3528.0]);
        assert_eq!(cube_of_squares::hvp(1.0, 2.0, 3.0, 0.0, 1.0, 0.0).0, 672.0);
        gradient!(of_the_fallible(x) by x = 2.0 => [2.0_f64.ln()]);
        gradient!(of_the_fallible(x) by x = -2.0 => [-1.0]);
        assert_eq!(implicit_root::value_and_grad(25.0), (5.0, 0.1));
        let (xy, slopes) = implicit_pair::jvp(4.0, 1.0);
        assert!((xy[0] - 1.0).abs() + (xy[1] - 4.0).abs() + slopes[0].abs() + (slopes[1] - 1.0).abs() < 1e-12);
        let (_, g) = smallest_eigenvalue::value_and_grad(1.0, 2.0, 4.0);
        assert!((g.0 - 0.8).abs() < 1e-12 && (g.2 - 0.2).abs() < 1e-12);
        let ((x, _), (dx, dy)) = unit_circle::jvp(0.25, 1.0);
        assert!(x.abs() < 1e-15 && (dx + std::f64::consts::TAU).abs() < 1e-12 && dy.abs() < 1e-12);
    }
}

/// The benchmark: the Helmholtz energy of hard spheres, behind a trait, with parameters that have no derivative.
mod hard_spheres {
    use super::*;

    struct Parameters<const N: usize> {
        m: [f64; N],
        sigma: [f64; N],
        epsilon_k: [f64; N],
    }

    #[differentiable]
    fn helmholtz_energy<const N: usize>(
        #[no_diff] p: &Parameters<N>,
        temperature: f64,
        volume: f64,
        moles: &[f64; N],
    ) -> f64 {
        let ti = -3.0 / temperature;
        let mut zeta = [0.0; 4];
        let mut m_rho = 0.0;
        for i in 0..N {
            let d = -((ti * p.epsilon_k[i]).exp() * 0.12 - 1.0) * p.sigma[i];
            let density = moles[i] / volume;
            for (k, z) in zeta.iter_mut().enumerate() {
                *z += density * d.powi(k as i32) * (std::f64::consts::FRAC_PI_6 * p.m[i]);
            }
            m_rho += density * p.m[i];
        }
        let frac_1mz3 = -1.0 / (zeta[3] - 1.0);
        let frac_z3 = zeta[3].recip();
        volume * m_rho / zeta[0]
            * (zeta[1] * zeta[2] * frac_1mz3 * 3.0
                + zeta[2].powi(3) * frac_1mz3.powi(2) * frac_z3
                + (zeta[2].powi(3) * frac_z3.powi(2) - zeta[0]) * (-zeta[3]).ln_1p())
    }

    #[test]
    fn gradients() {
        let p = Parameters { m: [1.0, 2.5], sigma: [3.2, 3.5], epsilon_k: [150.0, 220.0] };
        gradient!(helmholtz_energy(&p, t, v, &n) by t = 300.0, v = 1000.0, n = [1.0, 5.0]);
    }
}
