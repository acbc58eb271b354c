//! Lists that a loop fills are parts of one array.

use super::gives;
use crate::pass::stack::run;

fn text(result: &str) -> String {
    format!(
        "
        fn f(%0: f64[%1], %2: f64) {{
            %1: usize = len %0
            %3: f64[%1] = zero %1
            %4: f64[%1] = zero %1
            %5: f64, %6: f64[%1], %7: f64[%1] = for 0..%1 %2 %3 %4 |%8: usize, %9: f64, %10: f64[%1], %11: f64[%1]| {{
                %12: f64 = get %0 %8
                %13: f64 = exp %12
                %14: f64[%1] = set %11 %9 %8
                %15: f64[%1] = set %10 %13 %8
                %16: f64 = mul %9 %13
                yield %16 %15 %14
            }}
            %17: f64 = for 0..%1 rev %5 |%18: usize, %19: f64| {{
                %20: f64 = get %7 %18
                %21: f64 = get %6 %18
                %22: f64 = mul %20 %21
                %23: f64 = add %19 %22
                yield %23
            }}
            return {result}
        }}"
    )
}

#[test]
fn two_lists() {
    gives(
        run,
        &text("%17"),
        "
        fn f(%0: f64[%1], %2: f64) {
            %1: usize = len %0
            %3: f64[%1] = zero %1
            %4: f64[%1] = zero %1
            %5: f64[2 * %1] = zero %1
            %6: f64, %7: f64[2 * %1] = for 0..%1 %2 %5 |%8: usize, %9: f64, %10: f64[2 * %1]| {
                %12: f64 = get %0 %8
                %13: f64 = exp %12
                %11: usize = iadd %1 %8
                %14: f64[2 * %1] = set %10 %9 %11
                %15: f64[2 * %1] = set %14 %13 %8
                %16: f64 = mul %9 %13
                yield %16 %15
            }
            %17: f64 = for 0..%1 rev %6 |%18: usize, %19: f64| {
                %24: usize = iadd %1 %18
                %20: f64 = get %7 %24
                %21: f64 = get %7 %18
                %22: f64 = mul %20 %21
                %23: f64 = add %19 %22
                yield %23
            }
            return %17
        }",
    );
}

/// One of them is a result.
#[test]
fn lists_that_are_needed() {
    gives(run, &text("%6 %17"), &text("%6 %17"));
}

/// What is read may be behind the end, where the next list would be.
#[test]
fn reads_that_may_be_out_of_range() {
    let behind = text("%17").replace(
        "%20: f64 = get %7 %18",
        "%30: usize = dim[1]
                %31: usize = iadd %18 %30
                %20: f64 = get %7 %31",
    );
    gives(run, &behind, &behind);
}
