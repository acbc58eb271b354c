//! Leaves of every kind of tree.

use super::*;
use std::format;
use std::string::String;
use std::vec::Vec;

fn leaves(x: &impl Differentiable) -> Vec<String> {
    let mut leaves = Vec::new();
    let root = Path::ROOT;
    x.visit_leaves(&root.field("x"), &mut |at, dims, data| {
        leaves.push(format!("{at} {dims:?} {}", data.len()));
    });
    leaves
}

#[test]
fn arrays_are_one_leaf_or_many() {
    assert_eq!(leaves(&1.0), ["x [] 1"]);
    assert_eq!(leaves(&[1.0_f32; 3]), ["x [3] 3"]);
    assert_eq!(leaves(&[[[1.0; 2]; 3]; 4]), ["x [4, 3, 2] 24"]);
    assert_eq!(leaves(&[Tensor([1.0; 2]); 2]), ["x.0 [2] 2", "x.1 [2] 2"]);
    assert_eq!(leaves(&[[(1.0, [2.0; 5])]; 2]), ["x.0.0.0 [] 1", "x.0.0.1 [5] 5", "x.1.0.0 [] 1", "x.1.0.1 [5] 5"]);
    assert_eq!(leaves(&[[1.0; 0]; 2]), ["x [2, 0] 0"]);
}

#[test]
fn flat_views_and_sums() {
    let mut x = [[(1.0_f64, [2.0, 3.0])]; 2];
    assert_eq!(x.flat_len(), 6);
    x.copy_from_flat(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(x, [[(1.0, [2.0, 3.0])], [(4.0, [5.0, 6.0])]]);
    assert_eq!(x.inner_product(&x), 91.0);
    let mut y = x.zero_tangent();
    y.add_scaled(2.0, &x);
    let mut flat = [0.0; 6];
    y.copy_to_flat(&mut flat);
    assert_eq!(flat, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    y.set_zero();
    assert_eq!(y, x.zero_tangent());
}

#[test]
fn update_zips_all_states() {
    let mut x = ([(1.0, [2.0, 3.0]); 2], Tensor([[4.0]]));
    let (mut m, mut v) = (x.zero_tangent(), x.zero_tangent());
    let g = x;
    for _ in 0..2 {
        x.update_leaves(&g, [&mut m, &mut v], &mut |x, g, [m, v]| {
            for (((x, g), m), v) in x.iter_mut().zip(g).zip(m).zip(v) {
                *m += *g;
                *v += *m;
                *x += *v;
            }
        });
    }
    assert_eq!(m, ([(2.0, [4.0, 6.0]); 2], Tensor([[8.0]])));
    assert_eq!(v, ([(3.0, [6.0, 9.0]); 2], Tensor([[12.0]])));
    assert_eq!(x, ([(5.0, [10.0, 15.0]); 2], Tensor([[20.0]])));
}

#[test]
fn generic_over_the_number() {
    fn norm2<T: Real, const N: usize>(x: &Tensor<[T; N]>, y: T) -> T {
        (*x, y, [y]).inner_product(&(*x, y, [y]))
    }
    assert_eq!(norm2(&Tensor([3.0_f32, 4.0]), 1.0), 27.0);
}

#[test]
#[should_panic(expected = "the value has 2 numbers, the slice has 3")]
fn flat_of_wrong_length() {
    [1.0, 2.0].copy_to_flat(&mut [0.0; 3]);
}
