//! Operators on arrays as loops.

use super::gives;
use crate::pass::scalarize::run;

/// The smaller operand is read along its own axes.
#[test]
fn broadcast() {
    gives(
        run,
        "
        fn f(%a: f64[4, 3], %b: f64[3]) {
            %y: f64[4, 3] = add %a %b
            return %y
        }",
        "
        fn f(%0: f64[4, 3], %1: f64[3]) {
            %2: f64[4, 3] = zero
            %12: f64[4, 3] = for 0..4 %2 |%3: usize, %4: f64[4, 3]| {
                %11: f64[4, 3] = for 0..3 %4 |%5: usize, %6: f64[4, 3]| {
                    %7: f64 = get %0 %3 %5
                    %8: f64 = get %1 %5
                    %9: f64 = add %7 %8
                    %10: f64[4, 3] = set %6 %9 %3 %5
                    yield %10
                }
                yield %11
            }
            return %12
        }",
    );
}

/// In a register, since the axis is the innermost.
#[test]
fn sum_along_the_last_axis() {
    gives(
        run,
        "
        fn f(%a: f64[N, 3]) {
            %y: f64[N] = sum[1] %a
            return %y
        }",
        "
        fn f(%0: f64[N, 3]) {
            %1: f64[N] = zero
            %11: f64[N] = for 0..N %1 |%2: usize, %3: f64[N]| {
                %4: f64 = const 0.0
                %9: f64 = for 0..3 %4 |%5: usize, %6: f64| {
                    %7: f64 = get %0 %2 %5
                    %8: f64 = add_in_lanes %6 %7
                    yield %8
                }
                %10: f64[N] = set %3 %9 %2
                yield %10
            }
            return %11
        }",
    );
}

/// The kernel reads its operand transposed and adds into the accumulator; the array in between is dead.
#[test]
fn product_with_a_transpose() {
    gives(
        run,
        "
        fn f(%a: f64[3, 5], %b: f64[3, 2], mut %acc: f64[5, 2]) {
            %t: f64[5, 3] = permute[1, 0] %a
            %p: f64[5, 2] = matmul %t %b
            %y: f64[5, 2] = acc %acc %p
            return %y
        }",
        "
        fn f(%0: f64[3, 5], %1: f64[3, 2], mut %2: f64[5, 2]) {
            %3: f64[5, 3] = zero
            %11: f64[5, 3] = for 0..5 %3 |%4: usize, %5: f64[5, 3]| {
                %10: f64[5, 3] = for 0..3 %5 |%6: usize, %7: f64[5, 3]| {
                    %8: f64 = get %0 %6 %4
                    %9: f64[5, 3] = set %7 %8 %4 %6
                    yield %9
                }
                yield %10
            }
            %12: f64[5, 2] = zero
            %13: f64[5, 2] = into matmul_tn %12 %0 %1
            %14: f64[5, 2] = into matmul_tn %2 %0 %1
            return %14
        }",
    );
}

/// The product of a matrix of geometry and a vector is its sums, of which each reads what it needs.
#[test]
fn small_product() {
    gives(
        run,
        "
        fn f(%a: f64[2, 2], %x: f64[2]) {
            %y: f64[2] = matvec %a %x
            return %y
        }",
        "
        fn f(%0: f64[2, 2], %1: f64[2]) {
            %2: f64[2] = zero
            %14: f64[2] = for 0..2 %2 |%3: usize, %4: f64[2]| {
                %5: usize = dim[0]
                %6: f64 = get %0 %3 %5
                %7: f64 = get %1 %5
                %8: f64 = mul %6 %7
                %9: usize = dim[1]
                %10: f64 = get %0 %3 %9
                %11: f64 = get %1 %9
                %12: f64 = mul %10 %11
                %13: f64 = add %8 %12
                %15: f64[2] = set %4 %13 %3
                yield %15
            }
            return %14
        }",
    );
}

/// A sub-array is copied element by element.
#[test]
fn row() {
    gives(
        run,
        "
        fn f(%a: f64[2, 3], %i: usize) {
            %r: f64[3] = get %a %i
            return %r
        }",
        "
        fn f(%0: f64[2, 3], %1: usize) {
            %2: f64[3] = zero
            %7: f64[3] = for 0..3 %2 |%3: usize, %4: f64[3]| {
                %5: f64 = get %0 %1 %3
                %6: f64[3] = set %4 %5 %3
                yield %6
            }
            return %7
        }",
    );
}

/// The transpose of a product is the product the other way round, added where it is wanted.
#[test]
fn transposed_product() {
    gives(
        |body| crate::pass::simplify::run(run(body)),
        "
        fn f(%x: f64[5, 3], %y: f64[5, 4], mut %w_bar: f64[4, 3]) {
            %p: f64[3, 4] = matmul_tn %x %y
            %t: f64[4, 3] = permute[1, 0] %p
            %w: f64[4, 3] = acc %w_bar %t
            return %w
        }",
        "
        fn f(%x: f64[5, 3], %y: f64[5, 4], mut %w_bar: f64[4, 3]) {
            %w: f64[4, 3] = into matmul_tn %w_bar %y %x
            return %w
        }",
    );
}
