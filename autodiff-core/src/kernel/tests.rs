//! Every kernel against the definition, at sizes that leave every kind of remainder.

#![allow(
    clippy::unnecessary_box_returns,
    clippy::needless_range_loop,
    reason = "matrices too large to return by value, and the definition of a product as in a book"
)]

use super::gemm::{Matrix, Product};
use super::*;
use std::boxed::Box;
use std::vec::Vec;

/// Small integers: all sums are exact, whatever the order of additions.
fn numbers<T: Real, const M: usize, const N: usize>(seed: usize) -> Box<[[T; N]; M]> {
    let number = |i: usize| T::from_f64(((i * 7 + seed * 5 + i / 3) % 9) as f64 - 4.0);
    let rows: Vec<[T; N]> = (0..M).map(|i| core::array::from_fn(|j| number(i * N + j))).collect();
    rows.try_into().expect("M rows")
}

fn transposed<T: Real, const M: usize, const N: usize>(a: &[[T; N]; M]) -> Box<[[T; M]; N]> {
    let rows: Vec<[T; M]> = (0..N).map(|j| core::array::from_fn(|i| a[i][j])).collect();
    rows.try_into().expect("N rows")
}

fn products<T: Real, const M: usize, const K: usize, const N: usize>() {
    let (a, b, c) = (numbers::<T, M, K>(1), numbers::<T, K, N>(2), numbers::<T, M, N>(3));
    let (at, bt) = (transposed(&a), transposed(&b));
    let mut expected = c.clone();
    for i in 0..M {
        for j in 0..N {
            for k in 0..K {
                expected[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    let check = |name: &str, kernel: &dyn Fn(&mut [[T; N]; M])| {
        let mut found = c.clone();
        kernel(&mut found);
        assert!(found == expected, "{name} {M}x{K}x{N}");
    };
    check("set::matmul", &|c: &mut [[T; N]; M]| {
        let mut product = *c;
        set::matmul(&a, &b, &mut product);
        let mut again = *c;
        set::matmul_nt(&a, &bt, &mut again);
        assert!(product == again);
        set::matmul_tn(&at, &b, &mut again);
        assert!(product == again);
        set::matmul_tt(&at, &bt, &mut again);
        assert!(product == again);
        for (c, product) in c.as_flattened_mut().iter_mut().zip(product.as_flattened()) {
            *c += *product;
        }
    });
    check("matmul", &|c| matmul(&a, &b, c));
    check("matmul_tn", &|c| matmul_tn(&at, &b, c));
    check("matmul_nt", &|c| matmul_nt(&a, &bt, c));
    check("matmul_tt", &|c| matmul_tt(&at, &bt, c));
    if M * K * N > 0 {
        check("gemm for all CPUs", &|c| {
            let (a, b) = (Matrix::rows(a.as_flattened(), K), Matrix::columns(bt.as_flattened(), K));
            let mut product = Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: true };
            gemm::multiply::<T, _, 4, 2, 8>(gemm::Portable, &mut product, &mut [[T::ZERO; 8]; 16]);
        });
        check("gemm without AVX-512", &|c| {
            let (a, b) = (Matrix::columns(at.as_flattened(), M), Matrix::rows(b.as_flattened(), N));
            T::gemm_without_avx512(Product { m: M, k: K, n: N, a, b, c: c.as_flattened_mut(), adds: true });
        });
    }
}

macro_rules! sizes {
    ($(#[$attr:meta])* $name:ident: $($m:literal $k:literal $n:literal),*) => {
        #[test]
        $(#[$attr])*
        fn $name() {
            $(
                products::<f32, $m, $k, $n>();
                products::<f64, $m, $k, $n>();
            )*
        }
    };
}
sizes!(products_of_small_sizes: 0 3 2, 1 0 1, 1 1 1, 2 3 4, 4 2 8, 5 7 3, 6 9 17, 0 1 8, 3 1 0, 9 0 1);
sizes!(products_for_vectors: 1 16 16, 19 1 10, 2 1 40, 70 3 1);
sizes!(
    #[cfg_attr(miri, ignore = "the same code for longer")]
    products_for_long_vectors: 1 10 70, 2 40 9, 3 5 33, 7 9 16, 32 16 1, 9 100 1
);
sizes!(
    #[cfg_attr(miri, ignore = "millions of multiplications")]
    products_of_many_sizes: 3 65 3, 1 300 70, 4 64 64, 5 100 33, 7 70 41, 8 63 32, 9 64 48, 16 65 65,
    17 257 8, 13 31 127, 31 129 17, 32 10 128, 33 300 9, 67 20 15, 33 520 16
);

/// What the CPU has for small products adds in the order of the loops.
fn same_bits_as_loops<T: Real, const M: usize, const K: usize, const N: usize>() {
    let thirds = |x: T| x / T::from_f64(3.0) + T::from_f64(0.1);
    let a = numbers::<T, M, K>(1).map(|row| row.map(thirds));
    let b = numbers::<T, K, N>(2).map(|row| row.map(thirds));
    let (at, bt) = (transposed(&a), transposed(&b));
    let check = |name: &str, found: Option<[[T; N]; M]>, expected: [[T; N]; M]| {
        assert!(found.is_none_or(|found| found == expected), "{name} {M}x{K}x{N}");
    };
    macro_rules! both {
        ($adds:literal) => {
            let run = |f: &dyn Fn(&mut [[T; N]; M]) -> bool| {
                let mut c = [[T::ONE; N]; M];
                f(&mut c).then_some(c)
            };
            let of = |f: &dyn Fn(&mut [[T; N]; M])| {
                let mut c = [[T::ONE; N]; M];
                f(&mut c);
                c
            };
            let found = run(&|c| {
                T::combine::<$adds, M, K, N>((a.as_flattened(), K, 1), b.as_flattened(), c.as_flattened_mut())
            });
            check("combine", found, of(&|c| loops::matmul::<$adds, T, _, _, _>(&a, &b, c)));
            let found = run(&|c| {
                T::combine::<$adds, M, K, N>((at.as_flattened(), 1, M), b.as_flattened(), c.as_flattened_mut())
            });
            check("combine", found, of(&|c| loops::matmul_tn::<$adds, T, _, _, _>(&*at, &b, c)));
            let found = run(&|c| T::dots::<$adds, M, K, N>(a.as_flattened(), bt.as_flattened(), c.as_flattened_mut()));
            check("dots", found, of(&|c| loops::matmul_nt::<$adds, T, _, _, _>(&a, &*bt, c)));
            let (x, y) = (a.map(|row| row[0]), &b[0]);
            let found = run(&|c| T::outer::<$adds, N>(&x, y, c.as_flattened_mut()));
            check("outer", found, of(&|c| loops::outer::<$adds, T, _, _>(&x, y, c)));
        };
    }
    both!(true);
    both!(false);
}

#[test]
fn vectors_of_the_cpu_give_the_same_bits() {
    macro_rules! sizes {
        ($($m:literal $k:literal $n:literal),*) => {
            $(
                same_bits_as_loops::<f32, $m, $k, $n>();
                same_bits_as_loops::<f64, $m, $k, $n>();
            )*
        };
    }
    sizes!(1 1 1, 1 16 16, 3 15 9);
    // The same code for longer.
    if !cfg!(miri) {
        sizes!(4 17 70, 1 33 8, 7 100 19, 2 64 17, 5 8 48, 11 1 33);
    }
}

fn vectors<T: Real, const M: usize, const K: usize>() {
    let (a, x, y) = (numbers::<T, M, K>(1), numbers::<T, 1, K>(2), numbers::<T, 1, M>(3));
    let (x, y) = (&x[0], &y[0]);
    let (mut product, mut expected) = (*y, *y);
    matvec(&a, x, &mut product);
    for i in 0..M {
        for k in 0..K {
            expected[i] += a[i][k] * x[k];
        }
    }
    assert!(product == expected, "matvec {M}x{K}");

    let mut product = *y;
    matvec_t(&transposed(&a), x, &mut product);
    assert!(product == expected, "matvec_t {K}x{M}");

    let (mut product, mut expected) = (a.clone(), a);
    outer(y, x, &mut product);
    for i in 0..M {
        for k in 0..K {
            expected[i][k] += y[i] * x[k];
        }
    }
    assert!(product == expected, "outer {M}x{K}");

    let ones = [[T::ONE; K]; M];
    let zeros = || ([T::ZERO; M], [[T::ZERO; K]; M]);
    let ((mut vector, mut matrix), (mut set_vector, mut set_matrix)) = (zeros(), (*y, product));
    matvec(&ones, x, &mut vector);
    set::matvec(&ones, x, &mut set_vector);
    assert!(vector == set_vector, "set::matvec {M}x{K}");
    outer(y, x, &mut matrix);
    set::outer(y, x, &mut set_matrix);
    assert!(matrix == *set_matrix, "set::outer {M}x{K}");
    let (mut vector, mut set_vector) = ([T::ZERO; K], *x);
    matvec_t(&matrix, y, &mut vector);
    set::matvec_t(&matrix, y, &mut set_vector);
    assert!(vector == set_vector, "set::matvec_t {M}x{K}");
}

macro_rules! vector_sizes {
    ($($m:literal $k:literal),*) => {
        #[test]
        fn vectors_of_many_sizes() {
            $(
                vectors::<f32, $m, $k>();
                vectors::<f64, $m, $k>();
            )*
        }
    };
}
vector_sizes!(0 1, 1 0, 1 1, 3 2, 4 4, 5 7, 8 63, 6 64, 3 65, 9 100, 2 300);

/// The order of additions is the source's, so that debug and release agree: these bits are of both.
#[test]
fn same_bits_in_debug_and_release() {
    let a: Box<[[f32; 33]; 5]> = numbers(1);
    let a = a.map(|row| row.map(|x| x / 3.0));
    let (mut c, mut d) = ([[0.0; 5]; 5], [[0.0; 5]; 5]);
    matmul_nt(&a, &a, &mut c);
    matmul(&c, &c, &mut d);
    let bits = d.as_flattened().iter().fold(0_u32, |bits, x| bits.rotate_left(5) ^ x.to_bits());
    assert_eq!(bits, 0xc1d3_69c3, "{bits:#010x}");
}

/// Large products of all shapes add in one order: along k, each term rounded once.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[test]
fn order_of_additions_in_large_products() {
    const K: usize = 300;
    if !std::is_x86_feature_detected!("fma") || !std::is_x86_feature_detected!("avx2") {
        return;
    }
    let (a, b) = (numbers::<f32, 9, K>(1), numbers::<f32, K, 37>(2));
    let (a, b) = (a.map(|row| row.map(|x| x / 3.0)), b.map(|row| row.map(|x| x / 7.0)));
    let mut expected = [[0.0_f32; 37]; 9];
    for i in 0..9 {
        for j in 0..37 {
            expected[i][j] = (0..K).fold(0.0, |sum, k| a[i][k].mul_add(b[k][j], sum));
        }
    }
    let (at, bt) = (transposed(&a), transposed(&b));
    let mut c = [[[0.0; 37]; 9]; 4];
    let [nn, tn, nt, tt] = &mut c;
    matmul(&a, &b, nn);
    matmul_tn(&at, &b, tn);
    matmul_nt(&a, &bt, nt);
    matmul_tt(&at, &bt, tt);
    assert!(c.iter().all(|c| *c == expected));
}
