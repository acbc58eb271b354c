//! What the kernels of linear equations give, put into the equations.

#![allow(clippy::needless_range_loop, reason = "products as in a book")]

use super::*;
use std::vec;

/// Numbers between -1 and 1 that look random; pivots are far from where they stand.
pub(super) fn numbers<T: Real, const M: usize, const N: usize>(seed: usize) -> [[T; N]; M] {
    let number = |k: usize| {
        let mixed = (k as u64 + 1 + 1000 * seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    core::array::from_fn(|i| core::array::from_fn(|j| T::from_f64(number(i * N + j))))
}

pub(super) fn transposed<T: Real, const N: usize>(a: &[[T; N]; N]) -> [[T; N]; N] {
    core::array::from_fn(|i| core::array::from_fn(|j| a[j][i]))
}

pub(super) fn close<T: Real, const M: usize, const N: usize>(a: &[[T; N]; M], b: &[[T; N]; M], what: &str) {
    let tolerance = T::EPSILON * T::from_f64(3e4);
    for (x, y) in a.as_flattened().iter().zip(b.as_flattened()) {
        assert!((*x - *y).abs() <= tolerance, "{what} {N}: {x} against {y}");
    }
}

fn equations<T: Real, const N: usize>() {
    let (a, b) = (numbers::<T, N, N>(1), numbers::<T, N, 3>(2));
    let at = transposed(&a);
    let part = |keep: fn(usize, usize) -> bool| {
        let zero = T::ZERO;
        let mut part: [[T; N]; N] =
            core::array::from_fn(|i| core::array::from_fn(|j| if keep(i, j) { a[i][j] } else { zero }));
        for (i, row) in part.iter_mut().enumerate() {
            row[i] += T::from_usize(N);
        }
        part
    };
    let (l, u) = (part(|i, j| i >= j), part(|i, j| i <= j));
    let of = |m: &[[T; N]; N], solve: &dyn Fn(&mut [[T; 3]; N]), what: &str| {
        // The result is added to what is there.
        let mut x = [[T::ONE; 3]; N];
        solve(&mut x);
        x.as_flattened_mut().iter_mut().for_each(|x| *x -= T::ONE);
        let mut product = [[T::ZERO; 3]; N];
        matmul(m, &x, &mut product);
        close(&product, &b, what);
    };
    of(&a, &|x| solve(&a, &b, x), "solve");
    of(&at, &|x| solve_t(&a, &b, x), "solve_t");
    of(&l, &|x| solve_lower(&l, &b, x), "solve_lower");
    of(&transposed(&l), &|x| solve_lower_t(&l, &b, x), "solve_lower_t");
    of(&u, &|x| solve_upper(&u, &b, x), "solve_upper");
    of(&transposed(&u), &|x| solve_upper_t(&u, &b, x), "solve_upper_t");

    let first: [T; N] = core::array::from_fn(|i| b[i][0]);
    let (mut one, mut all) = ([T::ZERO; N], [[T::ZERO; 3]; N]);
    solve(&a, &first, &mut one);
    solve(&a, &b, &mut all);
    assert!((0..N).all(|i| one[i] == all[i][0]), "a column alone");

    let (mut y, mut product) = ([[T::ZERO; N]; N], [[T::ZERO; N]; N]);
    inverse(&a, &mut y);
    matmul(&a, &y, &mut product);
    let one: [[T; N]; N] = core::array::from_fn(|i| core::array::from_fn(|j| if i == j { T::ONE } else { T::ZERO }));
    close(&product, &one, "inverse");

    // a·(cof a)ᵀ = det a
    let (mut d, mut log, mut cof, mut product) = ([T::ZERO], [T::ZERO], [[T::ZERO; N]; N], [[T::ZERO; N]; N]);
    det(&a, &mut d);
    ln_det(&a, &mut log);
    cofactors(&a, &mut cof);
    matmul_nt(&a, &cof, &mut product);
    let scaled = product.map(|row| row.map(|x| x / d[0]));
    close(&scaled, &one, "cofactors");
    close(&[[log[0]]], &[[d[0].abs().ln()]], "ln_det");

    let (mut spd, mut factor, mut product) = (one, [[T::ZERO; N]; N], [[T::ZERO; N]; N]);
    matmul_nt(&a, &a, &mut spd);
    cholesky(&spd, &mut factor);
    matmul_nt(&factor, &factor, &mut product);
    close(&product, &spd, "cholesky");
    assert!((0..N).all(|i| factor[i][i + 1..].iter().all(|x| *x == T::ZERO)));
}

#[test]
fn equations_of_many_sizes() {
    equations::<f64, 0>();
    equations::<f64, 1>();
    equations::<f64, 2>();
    equations::<f64, 3>();
    equations::<f32, 1>();
    equations::<f32, 3>();
    // The same code for longer.
    if !cfg!(miri) {
        equations::<f64, 5>();
        equations::<f64, 8>();
        equations::<f64, 13>();
        equations::<f32, 6>();
    }
}

/// The copy of the matrix is not on the stack of a thread.
#[cfg(feature = "alloc")]
#[test]
#[cfg_attr(miri, ignore = "millions of multiplications")]
fn a_large_matrix_needs_no_stack() {
    const N: usize = 400;
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(|| {
        let mut a: std::boxed::Box<[[f64; N]; N]> = vec![[0.0; N]; N].try_into().expect("N rows");
        for i in 0..N {
            a[i][(i + 1) % N] = 2.0;
        }
        let mut x = [0.0; N];
        solve(&a, &[1.0; N], &mut x);
        x
    });
    assert_eq!(thread.expect("a thread").join().expect("no overflow"), [0.5; N]);
}

/// A matrix with a column that has no pivot is singular, and has no more and no fewer infinities for it.
#[test]
fn without_a_pivot() {
    let mut y = [0.0];
    det(&[[0.0, 1.0, 2.0], [0.0, 3.0, 4.0], [0.0, 5.0, 7.0]], &mut y);
    assert_eq!(y, [0.0]);
    let mut x = [0.0; 2];
    solve(&[[0.0, 0.0], [0.0, 2.0]], &[1.0, 2.0], &mut x);
    assert_eq!(x, [f64::INFINITY, 1.0]);
}

/// The determinant of 1 + t·h is a polynomial, so that its differences are exact.
#[test]
fn cofactors_change_as_they_should() {
    let a: [[f64; 4]; 4] =
        core::array::from_fn(|i| core::array::from_fn(|j| ((i * 5 + j * 3 + i * j) % 7) as f64 - 3.0));
    let h: [[f64; 4]; 4] = core::array::from_fn(|i| core::array::from_fn(|j| ((i * 2 + j * 5) % 5) as f64 - 2.0));
    for rank in [4, 3, 2, 1, 0] {
        let mut a = a;
        for i in rank..4 {
            a[i] = core::array::from_fn(|j| if i > 0 && rank > 0 { a[0][j] * i as f64 } else { 0.0 });
        }
        let at = |t: f64| {
            let moved: [[f64; 4]; 4] = core::array::from_fn(|i| core::array::from_fn(|j| a[i][j] + t * h[i][j]));
            let mut y = [[0.0; 4]; 4];
            cofactors(&moved, &mut y);
            y
        };
        let (ahead, behind, far, near) = (at(2.0), at(-2.0), at(1.0), at(-1.0));
        // Of a polynomial of degree 3.
        let slope: [[f64; 4]; 4] = core::array::from_fn(|i| {
            core::array::from_fn(|j| (8.0 * (far[i][j] - near[i][j]) - (ahead[i][j] - behind[i][j])) / 12.0)
        });
        let mut y = [[0.0; 4]; 4];
        cofactors_along(&a, &h, &mut y);
        close(&y, &slope, "cofactors_along");
    }
}
