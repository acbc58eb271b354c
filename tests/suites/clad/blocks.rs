//! What C++ says with a comma or an assignment in a condition: blocks with a value.

use autodiff::prelude::*;

#[differentiable]
fn side_effect(mut a: f64, b: f64, c: f64) -> f64 {
    ({
        a += 1.0;
        b
    }) * c
        + a
}

#[differentiable]
fn last_of_the_chain(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let t = {
        let _ = a;
        let _ = b;
        c
    };
    t * d
}

#[differentiable]
fn in_the_condition(x: f64) -> f64 {
    let mut x = x;
    if {
        x += x;
        x != 0.0
    } {
        return x;
    }
    x * x
}

#[differentiable]
fn chain_of_conditions(i: f64, j: f64) -> f64 {
    let mut res = 0.0;
    if {
        res = 2.0 * i * j;
        res != 0.0
    } && {
        res += 3.0 * i * j;
        res != 0.0
    } && {
        res += 5.0 * i * j;
        res != 0.0
    } {
        res += 6.0 * i * j;
    }
    res
}

#[differentiable]
fn short_circuit(i: f64, j: f64) -> f64 {
    let mut res = 0.0;
    if i * j != 0.0 && res > 0.0 {
        res = 6.0 * i * j;
    }
    res
}

#[differentiable]
fn empty_branch(x: f64) -> f64 {
    let mut res = 0.0;
    if x > 0.0 {
    } else {
        res = 5.0 * x;
    }
    res
}

#[differentiable]
fn in_a_loop_condition(i: f64, j: f64) -> f64 {
    let mut res = 0.0;
    let mut c = 0;
    while {
        res += i * j;
        res != 0.0
    } {
        if c == 2 {
            break;
        }
        res = f64::from(c) * i * j;
        c += 1;
    }
    res
}

#[differentiable]
fn two_steps_in_a_condition(i: f64, j: f64) -> f64 {
    let mut res = 0.0;
    let mut c = 0;
    while {
        res = i * j;
        res *= 2.0;
        c < 3
    } {
        c += 1;
    }
    res
}

#[test]
fn gradients() {
    gradient!(side_effect(a, b, c) by a = 2.0, b = 3.0, c = 5.0 => [1.0, 5.0, 3.0]);
    gradient!(last_of_the_chain(a, b, c, d) by a = 2.0, b = 3.0, c = 5.0, d = 7.0 => [0.0, 0.0, 7.0, 5.0]);
    gradient!(in_the_condition(x) by x = 3.0 => [2.0]);
    gradient!(chain_of_conditions(i, j) by i = 3.0, j = 5.0 => [80.0, 48.0]);
    gradient!(short_circuit(i, j) by i = 3.0, j = 5.0 => [0.0, 0.0]);
    gradient!(empty_branch(x) by x = 3.0 => [0.0]);
    gradient!(empty_branch(x) by x = -3.0 => [5.0]);
    gradient!(in_a_loop_condition(i, j) by i = 3.0, j = 5.0 => [10.0, 6.0]);
    gradient!(two_steps_in_a_condition(i, j) by i = 3.0, j = 5.0 => [10.0, 6.0]);
}
