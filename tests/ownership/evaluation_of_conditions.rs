//! What a condition changes, happens in Rust's order of evaluation, as often as the condition is evaluated.
#![allow(unused_assignments, unused_parens)]

use super::evaluation_order::{close, grow};
use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn block_in_while(x: f64, y: f64) -> f64 {
    let mut z = y;
    let mut n = 0;
    while {
        z *= x;
        n < 2
    } {
        n += 1;
    }
    z
}

#[differentiable(order = 2)]
fn counting_condition(x: f64, y: f64) -> f64 {
    let mut s = y;
    let mut n = 0;
    while {
        n += 1;
        n < 4
    } {
        if n == 2 {
            continue;
        }
        s = s * x + 1.0;
        if s > 40.0 {
            break;
        }
    }
    s * n as f64
}

#[differentiable(order = 2)]
fn square(a: &f64) -> f64 {
    *a * *a
}

#[differentiable(order = 2)]
fn called_in_while(x: f64, y: f64) -> f64 {
    let mut a = x;
    while grow(&mut a) < 3.0 {}
    a * y
}

#[differentiable(order = 2)]
fn at_most(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut s = y;
    #[max_iters(3)]
    while grow(&mut a) < 4.0 {
        s *= a;
    }
    #[checkpoint(2)]
    while {
        s += a;
        grow(&mut a) < 20.0
    } {
        s *= a;
    }
    s
}

#[differentiable(order = 2)]
fn until(v: &mut f64, most: f64) {
    while square(v) < most {
        *v *= 1.5;
    }
    while square(v) > most && grow(v) < 50.0 {
        *v += most;
    }
}

#[differentiable(order = 2)]
fn borrow_in_while(x: f64, y: f64) -> f64 {
    let mut a = x;
    until(&mut a, 10.0);
    a * y
}

#[differentiable(order = 2)]
fn closure_in_while(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut s = y;
    let mut next = || {
        a = a * 1.5;
        a
    };
    while next() < 3.0 {
        s *= 1.3;
    }
    s * a
}

#[differentiable(order = 2)]
fn and_in_while(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut n = 0;
    while n < 3 && {
        a *= y + 1.0;
        a < 100.0
    } {
        n += 1;
        a += x;
    }
    a
}

#[differentiable(order = 2)]
fn pops(x: f64, y: f64) -> f64 {
    let mut stack = vec![x, y, x * y];
    let mut s = 1.0;
    while let Some(t) = stack.pop() {
        s = s * t + x;
        if s > 100.0 {
            stack.push(s);
        }
    }
    s
}

#[differentiable(order = 2)]
fn in_if(x: f64, y: f64) -> f64 {
    let mut a = x;
    let s = if {
        a *= y;
        a > 1.0
    } {
        a * 2.0
    } else if {
        a += 1.0;
        a > 1.5
    } {
        a * 3.0
    } else {
        a
    };
    s + a
}

#[differentiable(order = 2)]
fn connectives(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut n = 0;
    let b = (a > 1.0 || {
        a *= y;
        n += 1;
        a > 1.0
    }) && {
        a += 1.0;
        n < 1
    } || {
        n += 2;
        false
    };
    if a > 1.2 && grow(&mut a) > 2.0 || a > 10.0 {
        a *= y;
    }
    let _ = a > 1.0
        && {
            a *= y;
            true
        }
        && {
            a += x;
            true
        };
    if b { a * 2.0 } else { a + n as f64 * x }
}

#[differentiable(order = 2)]
fn guards(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut s = 0.0;
    for k in 0..4 {
        s += match k {
            0 => a,
            1 if {
                a *= y;
                a > 1.0
            } =>
            {
                a * 2.0
            }
            n if n > 2 && grow(&mut a) > 2.0 => a * a,
            _ => x,
        };
    }
    s + a
}

#[differentiable(order = 2)]
fn in_match(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut n = 0;
    let r = match {
        n += 1;
        a *= y;
        n
    } {
        1 => a * 2.0,
        _ => a,
    };
    r + a
}

#[test]
fn conditions() {
    close(block_in_while::grad(1.3, 0.7), (3.0 * 0.7 * 1.3 * 1.3, 1.3 * 1.3 * 1.3));
    close(called_in_while::grad(1.3, 0.7), (0.7 * 1.5 * 1.5 * 1.5, 1.3 * 1.5 * 1.5 * 1.5));
    for (x, y) in [(1.3, 0.7), (0.4, 1.9), (2.2, 1.1), (0.9, 0.3)] {
        check!(block_in_while(x, y) by x, y);
        check!(counting_condition(x, y) by x, y);
        check!(called_in_while(x, y) by x, y);
        check!(borrow_in_while(x, y) by x, y);
        check!(closure_in_while(x, y) by x, y);
        check!(and_in_while(x, y) by x, y);
        check!(pops(x, y) by x, y);
        check!(in_if(x, y) by x, y);
        check!(connectives(x, y) by x, y);
        check!(guards(x, y) by x, y);
        check!(in_match(x, y) by x, y);
    }
    check!(at_most(x, y) by x = 1.2, y = 0.7);
}
