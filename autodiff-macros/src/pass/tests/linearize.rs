//! Arrays of arrays of run-time sizes in one piece.

use super::gives;
use crate::pass::linearize::run;

#[test]
fn elements_by_one_index() {
    gives(
        run,
        "
        fn f(%0: f64[%1], %2: f64[%3]) {
            %1: usize = len %0
            %3: usize = len %2
            %4: f64[%1, %3, 3] = zero %1 %3
            %5: usize = dim[2]
            %6: f64[%1, %3, 3] = for 0..%1 %4 |%7: usize, %8: f64[%1, %3, 3]| {
                %9: f64 = get %0 %7
                %10: f64[%1, %3, 3] = set %8 %9 %7 %5 %5
                yield %10
            }
            %11: f64 = get %6 %5 %5 %5
            return %11
        }",
        "
        fn f(%0: f64[%1], %2: f64[%3]) {
            %1: usize = len %0
            %3: usize = len %2
            %4: f64[%1 * %3, 3] = zero %1 %3
            %5: usize = dim[2]
            %6: f64[%1 * %3, 3] = for 0..%1 %4 |%7: usize, %8: f64[%1 * %3, 3]| {
                %9: f64 = get %0 %7
                %10: usize = imul %7 %3
                %11: usize = iadd %10 %5
                %12: f64[%1 * %3, 3] = set %8 %9 %11 %5
                yield %12
            }
            %13: usize = imul %5 %3
            %14: usize = iadd %13 %5
            %15: f64 = get %6 %14 %5
            return %15
        }",
    );
}

/// A row of it is needed, or it is a result.
#[test]
fn arrays_of_arrays() {
    let text = |result: &str| {
        format!(
            "
            fn f(%0: f64[%1]) {{
                %1: usize = len %0
                %2: f64[%1, %1] = zero %1
                %3: usize = dim[0]
                %4: f64 = get %0 %3
                %5: f64[%1, %1] = set %2 %4 %3 %3
                %6: f64 = get %5 %3 %3
                {result}
            }}"
        )
    };
    for same in [text("return %5"), text("%7: f64[%1] = get %5 %3\nreturn %7")] {
        gives(run, &same, &same);
    }
}
