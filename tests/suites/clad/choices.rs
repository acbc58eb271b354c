//! `switch` is `match`; falling through is a range, an or-pattern or a chain of conditions.

use autodiff::prelude::*;

#[derive(Clone, Copy)]
enum Op {
    Add,
    Sub,
    Mul,
    Div,
}

#[differentiable]
fn by_a_number(i: f64, j: f64, choice: i32) -> f64 {
    let (mut a, mut b) = (0.0, 0.0);
    let c = i + j;
    match choice {
        1 => {
            a = i * i;
            b = a / (a * j);
        }
        2 => {
            a = i * j;
            b = a / (a + i);
        }
        3 => {
            a = j * j;
            b = a / (a * i);
        }
        _ => {
            a = i * i;
            b = j * j;
        }
    }
    a + b + c
}

#[differentiable]
fn nested(i: f64, j: f64, choice: i32) -> f64 {
    let (a, b);
    match choice {
        0 => {
            a = i + j;
            match 0 {
                0 => b = i * i,
                1 => b = i * j,
                _ => b = j * j,
            }
        }
        1 => {
            a = i * i;
            b = i * i / j;
        }
        _ => {
            a = i * j;
            b = match 1 {
                0 => i * i,
                1 => i * j,
                _ => j * j,
            };
        }
    }
    a + b
}

#[differentiable]
fn fallthrough(i: f64, j: f64) -> f64 {
    let mut res = 0.0;
    let mut counter = 2;
    while counter > 0 {
        counter -= 1;
        let reached = counter;
        if reached == 0 {
            res += i * i * j * j;
        }
        if matches!(reached, 0 | 1) {
            res += i * i;
            continue;
        }
        res += i + j;
    }
    res
}

#[differentiable]
fn ranges_in_a_loop(u: f64, v: f64) -> f64 {
    let mut res = 0.0;
    for i in 0..5 {
        match i {
            0..=2 => res += u,
            3 | _ => res += v,
        }
    }
    res
}

#[differentiable]
fn by_an_operator(x: f64, y: f64, #[no_diff] op: Op) -> f64 {
    match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::Div => x / y,
    }
}

#[differentiable]
fn returns_from_arms(x: f64, y: f64, k: usize) -> f64 {
    match k {
        0 => return x * x,
        1 => return x * y,
        _ => {}
    }
    y * y
}

#[differentiable]
fn ternaries(x: f64, y: f64) -> f64 {
    if x > y {
        x
    } else if y > 0.0 {
        y
    } else {
        -y
    }
}

#[differentiable]
fn ternary_in_a_product(mut i: f64, j: f64) -> f64 {
    i = (i + j) * if i < 10.0 { i } else { j };
    i
}

#[differentiable]
fn below_infinity(x: f64, y: f64) -> f64 {
    const INF: f64 = f64::INFINITY;
    if x < INF {
        return y;
    }
    x + y
}

#[test]
fn gradients() {
    for choice in 0..5 {
        gradient!(by_a_number(i, j, choice) by i = 2.0, j = 3.0);
    }
    for choice in 0..3 {
        gradient!(nested(i, j, choice) by i = 2.0, j = 3.0);
    }
    gradient!(fallthrough(i, j) by i = 2.0, j = 3.0 => [2.0 * 2.0 * 9.0 + 8.0, 24.0]);
    gradient!(ranges_in_a_loop(u, v) by u = 2.0, v = 3.0 => [3.0, 2.0]);
    gradient!(by_an_operator(x, y, Op::Add) by x = 2.0, y = 3.0 => [1.0, 1.0]);
    gradient!(by_an_operator(x, y, Op::Sub) by x = 2.0, y = 3.0 => [1.0, -1.0]);
    gradient!(by_an_operator(x, y, Op::Mul) by x = 2.0, y = 3.0 => [3.0, 2.0]);
    gradient!(by_an_operator(x, y, Op::Div) by x = 2.0, y = 4.0 => [0.25, -0.125]);
    gradient!(returns_from_arms(x, y, 0) by x = 2.0, y = 3.0 => [4.0, 0.0]);
    gradient!(returns_from_arms(x, y, 1) by x = 2.0, y = 3.0 => [3.0, 2.0]);
    gradient!(returns_from_arms(x, y, 9) by x = 2.0, y = 3.0 => [0.0, 6.0]);
    gradient!(ternaries(x, y) by x = 2.0, y = 3.0 => [0.0, 1.0]);
    gradient!(ternaries(x, y) by x = -5.0, y = -3.0 => [0.0, -1.0]);
    gradient!(ternary_in_a_product(i, j) by i = 2.0, j = 3.0 => [7.0, 2.0]);
    gradient!(below_infinity(x, y) by x = 2.0, y = 3.0 => [0.0, 1.0]);
}
