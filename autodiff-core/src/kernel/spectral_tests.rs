//! Exponentials, eigenvalues and singular values, put into what defines them.

#![allow(clippy::needless_range_loop, reason = "products as in a book")]

use super::factor_tests::{close, numbers, transposed};
use super::*;
#[cfg(feature = "alloc")]
use std::vec;

fn product<T: Real, const M: usize, const K: usize, const N: usize>(a: &[[T; K]; M], b: &[[T; N]; K]) -> [[T; N]; M] {
    let mut c = [[T::ZERO; N]; M];
    matmul(a, b, &mut c);
    c
}

fn diagonal<T: Real, const N: usize>(values: &[T; N]) -> [[T; N]; N] {
    core::array::from_fn(|i| core::array::from_fn(|j| if i == j { values[i] } else { T::ZERO }))
}

fn symmetric<T: Real, const N: usize>(a: &[[T; N]; N]) -> [[T; N]; N] {
    core::array::from_fn(|i| core::array::from_fn(|j| T::from_f64(0.5) * (a[i][j] + a[j][i])))
}

fn eigen<T: Real, const N: usize>() {
    let a = numbers::<T, N, N>(3);
    let (mut values, mut vectors) = ([T::ZERO; N], [[T::ZERO; N]; N]);
    eigvalsh(&a, &mut values);
    eigvecsh(&a, &mut vectors);
    assert!(values.is_sorted());
    let back = transposed(&vectors);
    close(&product(&back, &vectors), &diagonal(&[T::ONE; N]), "orthonormal");
    close(&product(&product(&vectors, &diagonal(&values)), &back), &symmetric(&a), "eigen");
    // The same for the matrix that is of another size.
    for scale in [1e-30, 1e30] {
        let scale = T::from_f64(scale);
        let mut scaled = [T::ZERO; N];
        eigvalsh(&a.map(|row| row.map(|x| x * scale)), &mut scaled);
        close(&[scaled.map(|x| x / scale)], &[values], "scaled");
    }
}

#[test]
fn eigenvectors_of_many_sizes() {
    eigen::<f64, 0>();
    eigen::<f64, 1>();
    eigen::<f64, 2>();
    eigen::<f64, 3>();
    eigen::<f32, 1>();
    // The same code for longer.
    if !cfg!(miri) {
        eigen::<f64, 8>();
        eigen::<f64, 13>();
        eigen::<f32, 6>();
    }
}

fn singular<T: Real, const M: usize, const N: usize, const K: usize>(a: &[[T; N]; M]) {
    let (mut values, mut left, mut right) = ([T::ZERO; K], [[T::ZERO; K]; M], [[T::ZERO; K]; N]);
    singular_values(a, &mut values);
    singular_left(a, &mut left);
    singular_right(a, &mut right);
    assert!(values.is_sorted_by(|x, y| x >= y));
    let mut ones = [[T::ZERO; K]; K];
    matmul_tn(&left, &left, &mut ones);
    close(&ones, &diagonal(&[T::ONE; K]), "left");
    ones = [[T::ZERO; K]; K];
    matmul_tn(&right, &right, &mut ones);
    close(&ones, &diagonal(&[T::ONE; K]), "right");
    let mut back = [[T::ZERO; N]; M];
    matmul_nt(&product(&left, &diagonal(&values)), &right, &mut back);
    close(&back, a, "singular");
}

#[test]
fn singular_vectors_of_many_sizes() {
    singular::<f64, 0, 3, 0>(&numbers(4));
    singular::<f64, 3, 0, 0>(&numbers(4));
    singular::<f64, 1, 1, 1>(&numbers(4));
    singular::<f64, 3, 5, 3>(&numbers(4));
    singular::<f64, 5, 3, 3>(&numbers(5));
    singular::<f64, 7, 7, 7>(&numbers(6));
    singular::<f32, 4, 2, 2>(&numbers(7));
    // Of less than full rank.
    singular::<f64, 3, 3, 3>(&[[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.5, 1.0, 0.0]]);
    singular::<f64, 4, 3, 3>(&[[0.0; 3]; 4]);
    singular::<f64, 2, 4, 2>(&[[0.0, 1.0, 0.0, 0.0], [0.0; 4]]);
}

/// Columns of lengths that are far apart: the small values have all digits, too. The product of them is the determinant.
#[test]
fn small_singular_values_are_accurate() {
    for d in [1e-3, 1e-8, 1e-60, 1e-150, 1e-290] {
        let mut values = [0.0; 2];
        singular_values(&[[1.0, d], [1.0, 2.0 * d]], &mut values);
        let expected = d / values[0];
        assert!((values[1] - expected).abs() <= 1e-15 * expected, "{d}: {values:?} against {expected}");
    }
    let mut values = [0.0; 3];
    singular_values(&[[1e-150, 2e-150, 0.0], [1e-150, -2e-150, 0.0], [0.0, 0.0, 1e100]], &mut values);
    let expected = [1e100, 8.0_f64.sqrt() * 1e-150, 2.0_f64.sqrt() * 1e-150];
    assert!(values.iter().zip(expected).all(|(x, y)| (x - y).abs() <= 1e-15 * y), "{values:?}");
}

/// The derivatives along directions are blocks of the exponential of a larger matrix.
#[test]
#[cfg_attr(miri, ignore = "millions of multiplications")]
fn exponentials_of_blocks() {
    let [a, h, k, l] = [8, 9, 10, 11].map(numbers::<f64, 3, 3>);
    for scale in [0.1, 1.0, 6.0] {
        let a = a.map(|row| row.map(|x| x * scale));
        let mut large = [[0.0; 24]; 24];
        for block in 0..8 {
            for (bit, direction) in [(1, &h), (2, &k), (4, &l)] {
                for i in 0..3 {
                    for j in 0..3 {
                        large[3 * block + i][3 * block + j] = a[i][j];
                        if block & bit == 0 {
                            large[3 * block + i][3 * (block | bit) + j] = direction[i][j];
                        }
                    }
                }
            }
        }
        let mut whole = [[0.0; 24]; 24];
        expm(&large, &mut whole);
        let block =
            |n: usize| -> [[f64; 3]; 3] { core::array::from_fn(|i| core::array::from_fn(|j| whole[i][3 * n + j])) };
        let mut y = [[[0.0; 3]; 3]; 4];
        expm(&a, &mut y[0]);
        expm_along(&a, &h, &mut y[1]);
        expm_along2(&a, &h, &k, &mut y[2]);
        expm_along3(&a, &h, &k, &l, &mut y[3]);
        for (y, n) in y.iter().zip([0, 1, 3, 7]) {
            close(y, &block(n), "block");
        }
    }
}

fn exponential<T: Real, const N: usize>() {
    // exp(a)·exp(−a) = 1, and exp of what is similar to a diagonal matrix.
    let a = numbers::<T, N, N>(12).map(|row| row.map(|x| x * T::from_f64(2.0)));
    let (mut y, mut back) = ([[T::ZERO; N]; N], [[T::ZERO; N]; N]);
    expm(&a, &mut y);
    expm(&a.map(|row| row.map(|x| -x)), &mut back);
    close(&product(&y, &back), &diagonal(&[T::ONE; N]), "inverse");
    let s = symmetric(&a);
    let (mut values, mut vectors, mut y) = ([T::ZERO; N], [[T::ZERO; N]; N], [[T::ZERO; N]; N]);
    eigvalsh(&s, &mut values);
    eigvecsh(&s, &mut vectors);
    expm(&s, &mut y);
    let expected = product(&product(&vectors, &diagonal(&values.map(Real::exp))), &transposed(&vectors));
    let scale = values.last().map_or(T::ONE, |x| x.exp());
    close(&y.map(|row| row.map(|x| x / scale)), &expected.map(|row| row.map(|x| x / scale)), "by eigenvalues");
}

#[test]
fn exponentials_of_many_sizes() {
    exponential::<f64, 0>();
    exponential::<f64, 1>();
    exponential::<f64, 2>();
    exponential::<f64, 5>();
    exponential::<f32, 1>();
    exponential::<f32, 3>();
}

#[test]
fn numbers_that_are_none() {
    for wrong in [f64::NAN, f64::INFINITY] {
        let a = [[1.0, wrong], [0.0, 2.0]];
        let (mut y, mut values, mut vectors) = ([[0.0; 2]; 2], [0.0; 2], [[0.0; 2]; 2]);
        expm(&a, &mut y);
        eigvalsh(&a, &mut values);
        eigvecsh(&a, &mut vectors);
        assert!(y.as_flattened().iter().chain(&values).chain(vectors.as_flattened()).all(|x| x.is_nan()));
        let (mut values, mut vectors) = ([0.0; 2], [[0.0; 2]; 2]);
        singular_values(&a, &mut values);
        singular_left(&a, &mut vectors);
        assert!(values.iter().chain(vectors.as_flattened()).all(|x| x.is_nan()));
    }
    // The sign is that of the first of the largest elements, whatever rounding makes of them.
    let mut vectors = [[0.0; 2]; 2];
    eigvecsh(&[[1.0, 1.0], [1.0, 1.0]], &mut vectors);
    assert!(vectors[0][0] > 0.0 && vectors[0][1] > 0.0 && vectors[1][0] < 0.0);
    // Equal values have no quotient, but where nothing depends on the vector.
    let mut y = [[0.0; 3]; 3];
    gap_quotients(&[[0.0, 1.0, 1.0], [0.0, 0.0, 2.0], [0.0, 0.0, 3.0]], &[1.0, 1.0, 2.0], &mut y);
    assert!(y[0][1].is_nan() && y[1][0] == 0.0);
    assert_eq!([y[0][2], y[1][2]], [1.0, 2.0]);
}

/// Copies of the matrix are not on the stack of a thread.
#[cfg(feature = "alloc")]
#[test]
#[cfg_attr(miri, ignore = "millions of multiplications")]
fn large_matrices_need_no_stack() {
    const N: usize = 184;
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(|| {
        let zero = || -> std::boxed::Box<[[f64; N]; N]> { vec![[0.0; N]; N].try_into().expect("N rows") };
        let (mut a, mut y) = (zero(), zero());
        for i in 0..N {
            a[i][i] = 1.0;
        }
        let mut values = [0.0; N];
        eigvalsh(&a, &mut values);
        singular_values(&a, &mut values);
        eigvecsh(&a, &mut y);
        singular_left(&a, &mut y);
        expm_along(&a, &a, &mut y);
        (values[0], y[0][0] - core::f64::consts::E, y[0][1])
    });
    let (value, first, second) = thread.expect("a thread").join().expect("no overflow");
    assert!((first - 2.0).abs() < 1e-14);
    assert_eq!((value, second), (2.0, 0.0));
}
