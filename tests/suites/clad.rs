//! Clad: a plugin of Clang that differentiates C++ (github.com/vgvassilev/clad, `test/`: `Gradient`, `FirstDerivative`, `ForwardMode`, `Arrays`,
//! `Hessian`, `Jacobian`, and `demos/`).

#![allow(unused_assignments, reason = "an assignment that is never read is a case")]

use autodiff::prelude::*;

/// Assignments in expressions, and what is assigned more than once.
mod assignments {
    use super::*;

    #[differentiable]
    fn overwritten(mut x: f64, y: f64) -> f64 {
        x = y;
        x
    }

    #[differentiable]
    fn larger(mut x: f64, y: f64) -> f64 {
        if x < y {
            x = y;
        }
        x
    }

    #[differentiable]
    fn fourth_power(mut x: f64, mut y: f64) -> f64 {
        x = x * 1.0;
        x = x * x;
        y = x * x + 0.0 * y;
        x = y;
        x
    }

    #[differentiable]
    fn kept(mut x: f64, mut y: f64) -> f64 {
        let before = y;
        y = x;
        x = 0.0;
        y + x * before
    }

    #[differentiable]
    fn compound_sum(mut x: f64, y: f64) -> f64 {
        x += y;
        x += x;
        x -= y;
        x -= x;
        x
    }

    #[differentiable]
    fn compound_product(mut x: f64, y: f64) -> f64 {
        x *= y;
        x *= x;
        x /= y;
        x /= x;
        x
    }

    #[differentiable]
    fn chained(x: f64, mut y: f64) -> f64 {
        let x = {
            y += x;
            y
        };
        x + y
    }

    #[differentiable]
    fn product_of_assignments(mut i: f64, j: f64) -> f64 {
        let mut t = 1.0;
        t *= j;
        t *= {
            i *= i;
            i
        };
        t
    }

    #[differentiable]
    fn quotient_then_product(i: f64, j: f64) -> f64 {
        let mut t = i * i * j * j;
        t /= i * j;
        t *= j;
        t
    }

    #[differentiable]
    fn power_and_back(mut x: f64, y: f64) -> f64 {
        x /= 2.0_f64.powf(y);
        x *= 2.0_f64.powf(y);
        x
    }

    #[differentiable]
    fn elements(x: f64, y: f64) -> f64 {
        let mut t = [1.0, x, x * x];
        t[0] += 1.0;
        t[0] -= 1.0;
        t[0] = x;
        t[0] += t[1];
        t[0] *= t[1];
        t[0] /= t[1];
        t[0] -= t[1];
        let x = {
            t[0] += 1.0;
            t[0]
        };
        x * y + t[2]
    }

    #[differentiable]
    fn element_to_element(x: f64, mut y: f64) -> f64 {
        let mut t = [1.0, x, y, 1.0];
        t[1] = t[2];
        t[0] = t[1];
        y *= t[0];
        t[3] = y;
        t[3]
    }

    #[differentiable]
    fn chosen_target(x: f64, y: f64) -> f64 {
        let mut t = if x > y { x } else { y };
        *(if x > 0.0 { &mut t } else { &mut t }) *= y;
        t
    }

    #[differentiable]
    fn assigned_in_an_operand(x: f64, mut y: f64) -> f64 {
        let t = x * {
            y = x;
            y
        };
        t * y
    }

    #[differentiable]
    fn aliases_in_turn(mut i: f64, mut j: f64) -> f64 {
        let mut b = i * j;
        {
            let a = &mut b;
            *a *= i;
        }
        b += 2.0 * i;
        let c = &mut i;
        *c += 3.0 * *c;
        let d = &mut j;
        *d *= 3.0 * *d;
        b + *c + *d
    }

    #[differentiable]
    fn reborrowed(mut i: f64, j: f64) -> f64 {
        let a = &mut i;
        let b = &mut *a;
        let c = &mut *b;
        *c *= 4.0 * j;
        i
    }

    #[differentiable]
    fn fused(a: f64, b: f64) -> f64 {
        a.mul_add(b, b)
    }

    #[differentiable]
    fn constant_through_a_reference(mut x: f64, y: f64) -> f64 {
        let r = &mut x;
        *r = 3.0;
        x = *r * y;
        x
    }

    #[differentiable]
    fn cleared(x: f64, y: f64) -> f64 {
        let (x, y) = (0.0 * x, 0.0 * y);
        let t = x + y;
        t
    }

    #[differentiable]
    fn last_of_a_list(x: f64, y: f64) -> f64 {
        let list = &[1.0, x + y];
        let mut res = 5.0;
        if x > y {
            let reference = list;
            res = *reference.last().unwrap();
        }
        res
    }

    #[differentiable]
    fn shadowed(y: f64, x: f64) -> f64 {
        let z = y;
        let y = y * z;
        y * x
    }

    #[test]
    fn gradients() {
        gradient!(overwritten(x, y) by x = 3.0, y = 4.0 => [0.0, 1.0]);
        gradient!(larger(x, y) by x = 3.0, y = 4.0 => [0.0, 1.0]);
        gradient!(larger(x, y) by x = 4.0, y = 3.0 => [1.0, 0.0]);
        gradient!(fourth_power(x, y) by x = 3.0, y = 4.0 => [108.0, 0.0]);
        gradient!(kept(x, y) by x = 3.0, y = 4.0 => [1.0, 0.0]);
        gradient!(compound_sum(x, y) by x = 3.0, y = 4.0 => [0.0, 0.0]);
        gradient!(compound_product(x, y) by x = 3.0, y = 4.0 => [0.0, 0.0]);
        gradient!(chained(x, y) by x = 3.0, y = 4.0 => [2.0, 2.0]);
        gradient!(product_of_assignments(i, j) by i = 5.0, j = 7.0 => [70.0, 25.0]);
        gradient!(quotient_then_product(i, j) by i = 5.0, j = 7.0 => [49.0, 70.0]);
        gradient!(power_and_back(x, y) by x = 3.0, y = 4.0 => [1.0, 0.0]);
        gradient!(elements(x, y) by x = 3.0, y = 4.0 => [10.0, 4.0]);
        gradient!(element_to_element(x, y) by x = 3.0, y = 4.0 => [0.0, 8.0]);
        gradient!(chosen_target(x, y) by x = 3.0, y = 2.0 => [2.0, 3.0]);
        gradient!(assigned_in_an_operand(x, y) by x = 3.0, y = 4.0 => [27.0, 0.0]);
        gradient!(aliases_in_turn(i, j) by i = 3.0, j = 4.0 => [2.0 * 3.0 * 4.0 + 2.0 + 4.0, 9.0 + 24.0]);
        gradient!(reborrowed(i, j) by i = 3.0, j = 4.0 => [16.0, 12.0]);
        gradient!(fused(a, b) by a = 3.0, b = 4.0 => [4.0, 4.0]);
        gradient!(constant_through_a_reference(x, y) by x = 3.0, y = 4.0 => [0.0, 3.0]);
        gradient!(cleared(x, y) by x = 3.0, y = 4.0 => [0.0, 0.0]);
        gradient!(last_of_a_list(x, y) by x = 4.0, y = 3.0 => [1.0, 1.0]);
        gradient!(last_of_a_list(x, y) by x = 3.0, y = 4.0 => [0.0, 0.0]);
        gradient!(shadowed(y, x) by y = 3.0, x = 4.0 => [24.0, 9.0]);
    }
}

/// What C++ says with a comma or an assignment in a condition: blocks with a value.
mod blocks {
    use super::*;

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
}

mod loops {
    use super::*;

    #[differentiable]
    fn ninth_power(x: f64) -> f64 {
        let mut t = 1.0;
        for _ in 0..3 {
            for _ in 0..3 {
                t *= x;
            }
        }
        t
    }

    #[differentiable]
    fn returns_inside(x: f64) -> f64 {
        let mut t = 1.0;
        for i in 0..3 {
            t *= x;
            if i == 1 {
                return t;
            }
        }
        t
    }

    #[differentiable]
    fn local_of_an_iteration(x: f64) -> f64 {
        let mut res = 0.0;
        for i in 0..3 {
            let n = x + i as f64;
            res += x * n;
        }
        res
    }

    #[differentiable]
    fn repeated_squares(mut x: f64, n: usize) -> f64 {
        let mut i = 0;
        while i < n {
            x = x * x;
            i = i + 1;
        }
        x
    }

    #[differentiable]
    fn counts_down(i: f64, j: f64) -> f64 {
        let mut a = 0.0;
        let mut counter = 3;
        while counter != 0 {
            counter -= 1;
            a += i * i + j;
        }
        a
    }

    #[differentiable]
    fn runs_once(i: f64, j: f64) -> f64 {
        let mut a = 0.0;
        let mut counter = 3;
        loop {
            let mut again = 3;
            loop {
                a += i * i + j;
                again -= 1;
                loop {
                    a += j;
                    break;
                }
                if again == 0 {
                    break;
                }
            }
            counter -= 1;
            if counter == 0 {
                break;
            }
        }
        a
    }

    #[differentiable]
    fn kinds_of_iterations(i: f64, j: f64) -> f64 {
        let mut choice = 5;
        let mut res = 0.0;
        while choice > 0 {
            choice -= 1;
            if choice > 3 {
                res += i;
                continue;
            }
            if choice > 1 {
                res += j;
                continue;
            }
            if choice > 0 {
                res += i * j;
                continue;
            }
        }
        res
    }

    #[differentiable]
    fn continue_and_break(i: f64, j: f64) -> f64 {
        let counter = 5;
        let mut res = 0.0;
        for ii in 0..counter {
            if ii == 4 {
                res += i * j;
                break;
            }
            if ii > 2 {
                res += 2.0 * i;
                continue;
            }
            res += i + j;
        }
        res
    }

    #[differentiable]
    fn inner_break(i: f64, j: f64) -> f64 {
        let mut res = 0.0;
        for ii in 0..5 {
            let mut jj = ii;
            if ii < 2 {
                continue;
            }
            while jj > 0 {
                jj -= 1;
                if jj < 3 {
                    res += i * j;
                    break;
                } else {
                    continue;
                }
            }
        }
        res
    }

    #[differentiable]
    fn integrates(lower: f64, upper: f64) -> f64 {
        let points = 100;
        let interval = (upper - lower) / points as f64;
        let mut sum = 0.0;
        let mut x = lower;
        while x <= upper - 0.5 * interval {
            sum += x * x * interval;
            x += interval;
        }
        sum
    }

    #[differentiable]
    fn elements_are_scaled(arr: &mut [f64]) -> f64 {
        let mut res = 0.0;
        for i in 0..arr.len() {
            res += {
                arr[i] *= 5.0;
                arr[i]
            };
        }
        res
    }

    #[differentiable]
    fn array_in_an_iteration(x: f64) -> f64 {
        let mut res = 0.0;
        for _ in 0..5 {
            let arr = [1.0, x, 2.0];
            res += arr[0] + arr[1];
        }
        res
    }

    #[differentiable]
    fn over_an_array(x: f64, y: f64) -> f64 {
        let mut res = 0.0;
        let f = [x * x, 2.0 * x * y, y * y, x, y];
        for i in f {
            if i == x {
                break;
            }
            res += i;
        }
        res
    }

    #[differentiable]
    fn pairs_of_elements(x: f64, y: f64) -> f64 {
        let mut r = 0.0;
        let a = [x, x * y, 0.0];
        for i in &a {
            for j in &a {
                if r <= x * x {
                    r += i * j;
                } else if r > x * x {
                    break;
                }
            }
        }
        r
    }

    #[differentiable]
    fn odd_coefficients(x: f64, y: f64) -> f64 {
        let coefficients = [4, 7, 3];
        let mut res = 0.0;
        for &i in coefficients.iter() {
            if i % 2 == 0 {
                continue;
            }
            res += x * y * i as f64;
        }
        res
    }

    #[differentiable]
    fn references_to_elements(x: f64, y: f64) -> f64 {
        let mut a = [y, x * y, x * x + y];
        let mut r = 0.0;
        for i in &mut a {
            *i *= 2.0;
            r += *i * *i;
        }
        r
    }

    #[differentiable]
    fn log_likelihood(x: &[f64], p: &[f64], sigma: f64) -> f64 {
        let mut power = 0.0;
        for i in 0..x.len() {
            power += square(x[i] - p[i]);
        }
        power = -power / (2.0 * square(sigma));
        let gauss = 1.0 / (std::f64::consts::TAU.powi(x.len() as i32) * sigma).sqrt() * power.exp();
        gauss.ln()
    }

    #[differentiable]
    fn square(x: f64) -> f64 {
        x * x
    }

    #[differentiable]
    fn checkpointed(x: f64, y: f64) -> f64 {
        let mut sum = 0.0;
        #[checkpoint(4)]
        for _ in 0..100 {
            let t1 = x;
            let t2 = y / t1;
            sum += t2.powi(2);
        }
        sum
    }

    #[test]
    fn gradients() {
        gradient!(ninth_power(x) by x = 1.5 => [9.0 * 1.5_f64.powi(8)]);
        gradient!(returns_inside(x) by x = 3.0 => [6.0]);
        gradient!(local_of_an_iteration(x) by x = 3.0 => [6.0 * 3.0 + 3.0]);
        gradient!(repeated_squares(x, 3) by x = 1.2 => [8.0 * 1.2_f64.powi(7)]);
        gradient!(counts_down(i, j) by i = 3.0, j = 5.0 => [18.0, 3.0]);
        gradient!(runs_once(i, j) by i = 3.0, j = 5.0 => [54.0, 18.0]);
        gradient!(kinds_of_iterations(i, j) by i = 3.0, j = 5.0 => [6.0, 5.0]);
        gradient!(continue_and_break(i, j) by i = 3.0, j = 5.0 => [10.0, 6.0]);
        gradient!(inner_break(i, j) by i = 3.0, j = 5.0 => [15.0, 9.0]);
        gradient!(integrates(a, b) by a = 1.0, b = 4.0);
        gradient!(elements_are_scaled(&mut a) by a = [1.0, 2.0, 3.0] => [5.0; 3]);
        gradient!(array_in_an_iteration(x) by x = 3.0 => [5.0]);
        gradient!(over_an_array(x, y) by x = 3.0, y = 5.0 => [6.0 + 10.0, 6.0 + 10.0]);
        gradient!(pairs_of_elements(x, y) by x = 3.0, y = 5.0);
        gradient!(odd_coefficients(x, y) by x = 3.0, y = 5.0 => [50.0, 30.0]);
        gradient!(references_to_elements(x, y) by x = 3.0, y = 5.0);
        gradient!(log_likelihood(&x, &p, sigma) by x = vec![1.0, 2.0, 3.0], p = vec![0.5, 1.0, 2.5], sigma = 0.8);
        gradient!(square(x) by x = 3.0 => [6.0]);
        gradient!(checkpointed(x, y) by x = 2.0, y = 3.0 => [-225.0, 150.0]);
    }
}

/// `switch` is `match`; falling through is a range, an or-pattern or a chain of conditions.
mod choices {
    use super::*;

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
}

/// Pointers are references, slices that are advanced, and boxes.
mod pointers {
    use super::*;

    #[differentiable]
    fn minimal(mut x: f64) -> f64 {
        let p = &mut x;
        *p = (*p) * (*p);
        *p
    }

    #[differentiable]
    fn advanced(arr: &[f64]) -> f64 {
        let mut p = arr;
        p = &p[1..];
        let mut sum = p[0];
        p = &p[1..];
        sum += p[0] * 2.0;
        p = &p[1..];
        sum += p[0] * 4.0;
        sum + 5.0 * arr[0]
    }

    #[differentiable]
    fn advanced_in_a_loop(arr: &[f64]) -> f64 {
        let mut rest = arr;
        let mut sum = 0.0;
        let mut i = 0;
        while !rest.is_empty() {
            sum += rest[0] * i as f64;
            rest = &rest[1..];
            i += 1;
        }
        sum
    }

    #[differentiable]
    fn address_of_address(i: f64, j: f64) -> f64 {
        *(&i) * **(&&j)
    }

    #[differentiable]
    fn boxed(i: f64, j: f64) -> f64 {
        let p = 7.0 * i + j;
        let q = p + 9.0 * i;
        q
    }

    #[differentiable]
    fn heap_array(i: f64, j: f64) -> f64 {
        let mut r = vec![0.0; 2];
        r[0] = i + j;
        r[1] = i * j;
        r[0] + r[1]
    }

    #[derive(Differentiable, Clone, Copy)]
    struct Pair {
        x: f64,
        #[no_diff]
        y: i32,
    }

    #[differentiable]
    fn boxed_struct(x: f64) -> f64 {
        let t = Pair { x, y: 2 };
        t.x * f64::from(t.y)
    }

    #[differentiable]
    fn grown(x: f64) -> f64 {
        let mut p = vec![x];
        let mut res = p[0];
        p.push(0.0);
        p[1] = 2.0 * x;
        res += p[1];
        res
    }

    #[differentiable]
    fn second(x: &[f64]) -> f64 {
        x[1]
    }

    #[differentiable]
    fn offset_by_a_function(x: f64, y: f64) -> f64 {
        let arr = [x, y];
        second(&arr)
    }

    #[derive(Differentiable, Clone)]
    struct Node {
        value: f64,
    }

    #[differentiable]
    fn reference_in_a_struct(x: f64) -> f64 {
        let s = (&x,);
        *s.0 * 3.0
    }

    #[differentiable]
    fn linked(x: f64) -> f64 {
        let node = Node { value: x };
        let previous = Some(&node);
        match previous {
            Some(n) => n.value,
            None => 0.0,
        }
    }

    #[differentiable]
    fn two_arrays(a: &[f64; 3], b: &[f64; 3]) -> f64 {
        let mut sum = b[2];
        let (mut p, mut q) = (&a[1..], &a[..]);
        q = &q[1..];
        sum += p[0] + q[0];
        p = &p[1..];
        q = &q[1..];
        sum += p[0] + q[0];
        sum + 2.0 * a[0]
    }

    #[test]
    fn gradients() {
        gradient!(minimal(x) by x = 5.0 => [10.0]);
        gradient!(advanced(&a) by a = vec![1.0, 2.0, 3.0, 4.0] => [5.0, 1.0, 2.0, 4.0]);
        gradient!(advanced_in_a_loop(&a) by a = vec![1.0, 2.0, 3.0, 4.0] => [0.0, 1.0, 2.0, 3.0]);
        gradient!(address_of_address(i, j) by i = 5.0, j = 7.0 => [7.0, 5.0]);
        gradient!(boxed(i, j) by i = 5.0, j = 7.0 => [16.0, 1.0]);
        gradient!(heap_array(i, j) by i = 5.0, j = 7.0 => [8.0, 6.0]);
        gradient!(boxed_struct(x) by x = 5.0 => [2.0]);
        gradient!(grown(x) by x = 5.0 => [3.0]);
        gradient!(second(&x) by x = vec![5.0, 6.0] => [0.0, 1.0]);
        gradient!(offset_by_a_function(x, y) by x = 5.0, y = 6.0 => [0.0, 1.0]);
        gradient!(reference_in_a_struct(x) by x = 5.0 => [3.0]);
        gradient!(linked(x) by x = 5.0 => [1.0]);
        gradient!(two_arrays(&a, &b) by a = [1.0, 2.0, 3.0], b = [4.0, 5.0, 6.0] => [2.0, 2.0, 2.0, 0.0, 0.0, 1.0]);
    }
}

/// Lambdas are closures.
mod lambdas {
    use super::*;

    #[differentiable]
    fn one_argument(i: f64, j: f64) -> f64 {
        let f = |t: f64| t * t + 1.0;
        i + f(j)
    }

    #[differentiable]
    fn with_a_body(i: f64, j: f64) -> f64 {
        let f = |t: f64, k: f64| {
            let a = t * k;
            a
        };
        let x = f(i + j, i);
        x
    }

    #[differentiable]
    fn captures(i: f64, j: f64) -> f64 {
        let c = 3.0 * i;
        let f = move |t: f64| t * c;
        i + f(j)
    }

    #[differentiable]
    fn captures_a_place(i: f64, j: f64) -> f64 {
        let mut total = 0.0;
        let mut add = |t: f64| total += t * j;
        add(i);
        add(2.0);
        total
    }

    #[differentiable]
    fn nested(i: f64) -> f64 {
        let outer = |x: f64| {
            let inner = |y: f64| y * y;
            inner(x) + 2.0 * x
        };
        outer(i)
    }

    #[differentiable]
    fn unnamed_parameter(i: f64, j: f64) -> f64 {
        let f = |t: f64, _: f64| t * t;
        f(i, j)
    }

    #[differentiable]
    fn returns_inside(i: f64, j: f64) -> f64 {
        let f = |t: f64| {
            if t > 0.0 {
                return t * i;
            }
            -t
        };
        f(j) + f(-j)
    }

    #[test]
    fn gradients() {
        gradient!(one_argument(i, j) by i = 3.0, j = 5.0 => [1.0, 10.0]);
        gradient!(with_a_body(i, j) by i = 3.0, j = 5.0 => [11.0, 3.0]);
        gradient!(captures(i, j) by i = 3.0, j = 5.0 => [16.0, 9.0]);
        gradient!(captures_a_place(i, j) by i = 3.0, j = 5.0 => [5.0, 5.0]);
        gradient!(nested(i) by i = 3.0 => [8.0]);
        gradient!(unnamed_parameter(i, j) by i = 3.0, j = 5.0 => [6.0, 0.0]);
        gradient!(returns_inside(i, j) by i = 3.0, j = 5.0 => [5.0, 4.0]);
    }
}

/// Early returns, and what is declared after them.
mod returns {
    use super::*;

    #[differentiable]
    fn several(x: f64, y: f64) -> f64 {
        if x > 10.0 {
            return x;
        }
        if y > 10.0 {
            return y * y;
        }
        x * y
    }

    #[differentiable]
    fn in_a_loop(x: f64, y: f64) -> f64 {
        let mut s = 0.0;
        for _ in 0..5 {
            s += x * y;
            if s > 20.0 {
                return s;
            }
        }
        s
    }

    #[differentiable]
    fn recursive(x: f64, y: f64) -> f64 {
        if x > y {
            return recursive(x - 1.0, y);
        }
        x * y
    }

    #[differentiable]
    fn power(x: f64, p: u32) -> f64 {
        if p == 0 { 1.0 } else { x * power(x, p - 1) }
    }

    #[differentiable]
    fn after_an_assignment(mut x: f64, y: f64) -> f64 {
        if x > 0.0 {
            x = x * y;
        }
        if x < 0.0 {
            return 0.0;
        }
        x
    }

    #[differentiable]
    fn declared_after(x: f64, y: f64) -> f64 {
        if y == 0.0 {
            return 1.0;
        }
        let n = y;
        let mut a = n + x;
        let (b, c) = (n, 2.0 * x);
        a *= b;
        a + c
    }

    #[differentiable]
    fn reference_after(x: f64, y: f64) -> f64 {
        if y == 0.0 {
            return 1.0;
        }
        let a = x * y;
        let r = &a;
        let c = r * r;
        let d = c * c;
        d
    }

    #[derive(Differentiable, Clone, Default)]
    struct Seeded {
        a: f64,
        b: f64,
    }

    #[differentiable]
    fn struct_after(x: f64, y: f64) -> f64 {
        if y == 0.0 {
            return 1.0;
        }
        let mut s = Seeded::default();
        s.a = x * y;
        s.b = x + y;
        let r = &s;
        r.a * r.b
    }

    #[test]
    fn gradients() {
        gradient!(several(x, y) by x = 12.0, y = 3.0 => [1.0, 0.0]);
        gradient!(several(x, y) by x = 2.0, y = 13.0 => [0.0, 26.0]);
        gradient!(several(x, y) by x = 2.0, y = 3.0 => [3.0, 2.0]);
        gradient!(in_a_loop(x, y) by x = 2.0, y = 3.0 => [12.0, 8.0]);
        gradient!(in_a_loop(x, y) by x = 1.0, y = 3.0 => [15.0, 5.0]);
        gradient!(recursive(x, y) by x = 4.5, y = 2.0 => [2.0, 1.5]);
        gradient!(power(x, 4) by x = 3.0 => [108.0]);
        gradient!(after_an_assignment(x, y) by x = 2.0, y = 3.0 => [3.0, 2.0]);
        gradient!(after_an_assignment(x, y) by x = 2.0, y = -3.0 => [0.0, 0.0]);
        gradient!(declared_after(x, y) by x = 2.0, y = 3.0 => [5.0, 8.0]);
        gradient!(reference_after(x, y) by x = 2.0, y = 3.0 => [4.0 * 8.0 * 81.0, 4.0 * 16.0 * 27.0]);
        gradient!(struct_after(x, y) by x = 2.0, y = 3.0 => [21.0, 16.0]);
    }
}

/// Structs, members and operators of types of the user's.
mod types {
    use super::*;
    use std::ops::{Add, AddAssign, Index, IndexMut, Mul};

    #[differentiable]
    fn pair(p: (f64, f64), i: f64) -> f64 {
        p.0 + 2.0 * p.1 + 3.0 * i
    }

    #[derive(Differentiable, Clone, Default)]
    struct Tangent {
        data: [f64; 5],
    }

    #[differentiable]
    impl Tangent {
        fn update_to(&mut self, d: f64) {
            for i in 0..5 {
                self.data[i] = d;
            }
        }

        fn weighted(&self, i: f64, j: f64) -> f64 {
            self.data[0] * i + self.data[1] * j + 3.0 * self.data[2] + self.data[3] * self.data[4]
        }

        fn sum(&self) -> f64 {
            self.data.iter().sum()
        }
    }

    #[differentiable]
    fn sum_of_slice(data: &[f64]) -> f64 {
        let mut res = 0.0;
        for x in data {
            res += x;
        }
        res
    }

    #[differentiable]
    fn by_struct_and_by_field(t: &Tangent, i: f64) -> f64 {
        let mut res = t.sum();
        res += sum_of_slice(&t.data) + i + 2.0 * t.data[0];
        res
    }

    #[differentiable]
    fn made_and_filled(i: f64, j: f64) -> f64 {
        let mut t = Tangent { data: [0.0; 5] };
        t.data[0] = 2.0 * i;
        t.data[1] = 5.0 * i + 3.0 * j;
        t.sum()
    }

    #[differentiable]
    fn method_of_the_argument(t: &Tangent, i: f64) -> f64 {
        t.weighted(i, i)
    }

    #[differentiable]
    fn updated_by_a_method(mut t: Tangent, c: f64) -> f64 {
        let before = t.sum();
        t.update_to(c * c);
        3.0 * before + t.sum()
    }

    #[derive(Differentiable, Clone, Copy)]
    struct Complex {
        re: f64,
        im: f64,
    }

    #[differentiable]
    fn parts_of_a_complex_number(mut c: Complex, i: f64) -> f64 {
        c.re = 5.0 * i;
        let mut res = c.re + 3.0 * c.im + 6.0 * i;
        res += 4.0 * c.re;
        res
    }

    #[derive(Differentiable, Clone, Copy)]
    struct Simple {
        x: f64,
        y: f64,
    }

    #[differentiable]
    impl Simple {
        fn new(x: f64, y: f64) -> Self {
            Self { x, y }
        }

        fn mem_fn(&self, i: f64, j: f64) -> f64 {
            (self.x + self.y) * i + i * j * j
        }

        fn static_fn(u: f64, v: f64) -> f64 {
            u + v
        }
    }

    #[differentiable]
    impl Add for Simple {
        type Output = Simple;
        fn add(self, other: Simple) -> Simple {
            Simple { x: self.x + other.x, y: self.y + other.y }
        }
    }

    #[differentiable]
    impl Mul for Simple {
        type Output = Simple;
        fn mul(self, other: Simple) -> Simple {
            Simple { x: self.x * other.x, y: self.y * other.y }
        }
    }

    #[differentiable]
    impl AddAssign<f64> for Simple {
        fn add_assign(&mut self, value: f64) {
            self.x += value;
        }
    }

    #[differentiable]
    fn sum_of_objects(i: f64, j: f64) -> f64 {
        let a = Simple::new(2.0, 3.0);
        let b = Simple::new(3.0, 5.0);
        (a + b).mem_fn(i, j)
    }

    #[differentiable]
    fn product_of_objects(i: f64, j: f64) -> f64 {
        let a = Simple::new(3.0 * i, 5.0 * j);
        let b = Simple::new(i, j);
        (a * b).mem_fn(i, j)
    }

    #[differentiable]
    fn grown_object(v: Simple, value: f64) -> f64 {
        let mut v = v;
        v += value;
        v.x * v.y
    }

    #[differentiable]
    fn associated(u: f64, v: f64) -> f64 {
        Simple::static_fn(u, v) * u
    }

    #[differentiable]
    fn reassigned_whole(mut s: Simple) -> f64 {
        s = Simple { x: 2.0 * s.x, y: 2.0 * s.y + 2.0 };
        s.x * s.y
    }

    #[derive(Differentiable, Clone)]
    struct Array<const N: usize> {
        elements: [f64; N],
    }

    #[differentiable]
    impl<const N: usize> Array<N> {
        fn sum(&self) -> f64 {
            let mut res = 0.0;
            for i in 0..N {
                res += self.elements[i];
            }
            res
        }
    }

    impl<const N: usize> Index<usize> for Array<N> {
        type Output = f64;
        fn index(&self, i: usize) -> &f64 {
            &self.elements[i]
        }
    }

    impl<const N: usize> IndexMut<usize> for Array<N> {
        fn index_mut(&mut self, i: usize) -> &mut f64 {
            &mut self.elements[i]
        }
    }

    #[differentiable]
    fn template_struct(i: f64, j: f64) -> f64 {
        let mut t = Array::<5> { elements: [0.0; 5] };
        for l in 0..5 {
            t.elements[l] = (l as f64 + 1.0) * i * j;
        }
        t.sum()
    }

    #[derive(Differentiable, Clone, Copy)]
    struct Experiment<T: Real> {
        x: T,
        y: T,
    }

    #[differentiable]
    impl<T: Real> Experiment<T> {
        fn call(&self, i: T, j: T) -> T {
            self.x * i * i + self.y * j
        }
    }

    #[differentiable]
    fn template_functor(e: &Experiment<f64>, i: f64, j: f64) -> f64 {
        e.call(i, j)
    }

    #[derive(Differentiable, Clone)]
    struct Cell {
        z: f64,
    }

    #[differentiable]
    impl Cell {
        fn forward(&self, x: f64) -> f64 {
            x * self.z + self.z
        }
    }

    #[derive(Differentiable, Clone)]
    struct Layer {
        w: Vec<Cell>,
    }

    #[differentiable]
    impl Layer {
        fn forward(&self, inp: f64) -> f64 {
            let mut x = inp;
            for i in 0..self.w.len() {
                x = self.w[i].forward(x);
            }
            x
        }
    }

    #[differentiable]
    fn layers(l: &Layer, x: f64) -> f64 {
        l.forward(x)
    }

    #[test]
    fn gradients() {
        gradient!(pair(p, i) by p = (1.0, 2.0), i = 3.0 => [1.0, 2.0, 3.0]);
        let t = Tangent { data: [1.0, 2.0, 3.0, 4.0, 5.0] };
        gradient!(sum_of_slice(&x) by x = vec![1.0, 2.0] => [1.0, 1.0]);
        gradient!(by_struct_and_by_field(&t, i) by t = t.clone(), i = 5.0 => [4.0, 2.0, 2.0, 2.0, 2.0, 1.0]);
        gradient!(made_and_filled(i, j) by i = 3.0, j = 5.0 => [7.0, 3.0]);
        gradient!(method_of_the_argument(&t, i) by t = t.clone(), i = 3.0 => [3.0, 3.0, 3.0, 5.0, 4.0, 3.0]);
        gradient!(updated_by_a_method(t.clone(), c) by t = t.clone(), c = 2.0 => [3.0, 3.0, 3.0, 3.0, 3.0, 20.0]);
        gradient!(parts_of_a_complex_number(c, i) by c = Complex { re: 1.0, im: 2.0 }, i = 3.0 => [0.0, 3.0, 31.0]);
        gradient!(sum_of_objects(i, j) by i = 3.0, j = 5.0 => [13.0 + 25.0, 30.0]);
        gradient!(product_of_objects(i, j) by i = 3.0, j = 5.0);
        gradient!(grown_object(v, a) by v = Simple { x: 2.0, y: 3.0 }, a = 5.0 => [3.0, 7.0, 3.0]);
        gradient!(associated(u, v) by u = 3.0, v = 5.0 => [11.0, 3.0]);
        gradient!(reassigned_whole(s) by s = Simple { x: 2.0, y: 3.0 } => [16.0, 8.0]);
        gradient!(template_struct(i, j) by i = 3.0, j = 5.0 => [75.0, 45.0]);
        gradient!(template_functor(&e, i, j) by e = Experiment { x: 2.0, y: 3.0 }, i = 5.0, j = 7.0 => [25.0, 7.0, 20.0, 3.0]);
        gradient!(layers(&l, x) by l = Layer { w: vec![Cell { z: 2.0 }, Cell { z: 3.0 }] }, x = 0.5 => [4.5, 4.0, 6.0]);
    }
}

mod calls {
    use super::*;

    #[differentiable]
    fn modify(i: &mut f64, j: &mut f64) -> f64 {
        *i += *j;
        *j += *j;
        let res = *i + *j;
        res
    }

    #[differentiable]
    fn modified_twice(i: f64, j: f64) -> f64 {
        let (mut i, mut j) = (i, j);
        let mut temp = modify(&mut i, &mut j);
        temp = 0.0 * temp + modify(&mut i, &mut j);
        i + temp
    }

    #[differentiable]
    fn twice(d: &mut f64) {
        *d = 2.0 * *d;
    }

    #[differentiable]
    fn sum_and_grow(arr: &mut [f64]) -> f64 {
        let mut res = 0.0;
        for i in 0..arr.len() {
            res += arr[i];
        }
        arr[0] += 10.0 * arr[0];
        res
    }

    #[differentiable]
    fn elements_by_reference(arr: &[f64]) -> f64 {
        let mut arr = arr.to_vec();
        let mut res = 0.0;
        res += sum_and_grow(&mut arr);
        for i in 0..arr.len() {
            twice(&mut arr[i]);
            res += arr[i];
        }
        res
    }

    #[differentiable]
    fn custom_max(a: &f64, b: &f64) -> f64 {
        if a > b { *a } else { *b }
    }

    #[differentiable]
    fn of_temporaries(x: f64, y: f64) -> f64 {
        custom_max(&(x * y), &y)
    }

    #[differentiable]
    fn clamped(x: f64, y: f64) -> f64 {
        let mut out = x;
        out = out.max(0.0);
        out = f64::min(out, 10.0);
        out = out.clamp(3.0, 7.0);
        out * y
    }

    fn check_and_return(x: f64, c: char, s: &str) -> bool {
        c == 'a' && s.starts_with('a') && x.is_finite()
    }

    #[differentiable]
    fn with_text(x: f64, y: f64) -> f64 {
        let ok = check_and_return(1.0, 'a', "aa");
        let r = if ok { x } else { 1.0 };
        r * y * 1.0_f64.tanh() * 1.0_f64.max(2.0)
    }

    #[differentiable]
    fn add(a: f64, b: &f64) -> f64 {
        a + b
    }

    #[differentiable]
    fn argument_twice(mut x: f64, y: &f64) -> f64 {
        x = add(x, y);
        x = add(x, &x);
        x
    }

    #[differentiable]
    fn constant<T: Real>(_i: T) -> T {
        T::from_f64(3.0)
    }

    #[differentiable]
    fn effect_in_an_argument(x: f64, mut y: f64) -> f64 {
        constant::<f64>({
            y += x;
            y
        }) * y
    }

    #[differentiable]
    fn sq(x: f64) -> f64 {
        x * x
    }

    #[differentiable]
    fn one(x: f64) -> f64 {
        sq(x.sin()) + sq(x.cos())
    }

    #[differentiable]
    fn times_one(x: f64, y: f64) -> f64 {
        let t = one(x);
        t * y
    }

    #[differentiable]
    fn sum_of_powers(x: f64, y: f64, z: f64, p: f64) -> f64 {
        x.powf(p) + y.powf(p) + z.powf(p)
    }

    #[differentiable]
    fn norm(x: f64, y: f64, z: f64, d: f64) -> f64 {
        sum_of_powers(x, y, z, d).powf(1.0 / d)
    }

    const GLOBAL: f64 = 7.0;
    static COEFFICIENTS: [f64; 2] = [4.0, 5.0];

    #[differentiable]
    fn of_globals(x: f64) -> f64 {
        COEFFICIENTS[0] * COEFFICIENTS[1] * x * GLOBAL
    }

    #[differentiable]
    fn non_type_parameter<const N: usize>(x: f64) -> f64 {
        const MAX_N: usize = 53;
        let m = if MAX_N < N { MAX_N } else { N };
        x * m as f64
    }

    #[differentiable]
    fn sq_in_place(elem: &mut f64) -> f64 {
        *elem = *elem * *elem;
        *elem
    }

    #[differentiable]
    fn squares_in_place(arr: &mut [f64]) -> f64 {
        let mut res = 0.0;
        for i in 0..arr.len() {
            res += sq_in_place(&mut arr[i]);
        }
        res
    }

    #[test]
    fn gradients() {
        gradient!(modified_twice(i, j) by i = 3.0, j = 5.0);
        gradient!(elements_by_reference(&a) by a = vec![1.0, 2.0, 3.0] => [23.0, 3.0, 3.0]);
        gradient!(of_temporaries(x, y) by x = 3.0, y = 5.0 => [5.0, 3.0]);
        gradient!(of_temporaries(x, y) by x = 0.5, y = 5.0 => [0.0, 1.0]);
        gradient!(clamped(x, y) by x = 5.0, y = 2.0 => [2.0, 5.0]);
        gradient!(clamped(x, y) by x = 8.0, y = 2.0 => [0.0, 7.0]);
        gradient!(with_text(x, y) by x = 3.0, y = 5.0 => [10.0 * 1.0_f64.tanh(), 6.0 * 1.0_f64.tanh()]);
        gradient!(argument_twice(x, &y) by x = 3.0, y = 5.0 => [2.0, 2.0]);
        gradient!(effect_in_an_argument(x, y) by x = 3.0, y = 5.0 => [3.0, 3.0]);
        gradient!(times_one(x, y) by x = 3.0, y = 5.0 => [0.0, 1.0]);
        gradient!(norm(x, y, z, d) by x = 1.0, y = 2.0, z = 3.0, d = 2.5);
        gradient!(of_globals(x) by x = 3.0 => [140.0]);
        assert_eq!(non_type_parameter::<15>::grad(5.0), 15.0);
        gradient!(squares_in_place(&mut a) by a = [1.0, 2.0, 3.0] => [2.0, 4.0, 6.0]);
    }
}

mod arrays {
    use super::*;

    #[differentiable]
    fn scaled_in_place(a: &mut [f64; 3], b: &[f64; 3]) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            a[i] *= b[i];
            sum += a[i];
        }
        sum
    }

    #[differentiable]
    fn running_sum(p: &mut [f64]) -> f64 {
        let n = p.len();
        for i in 1..n {
            p[i] += p[i - 1];
        }
        p[n - 1]
    }

    #[differentiable]
    fn made_in_every_iteration(x: &[f64; 4], y: f64) -> f64 {
        let mut prod = 0.0;
        for i in 0..2 {
            let arr = [1.0 + i as f64, 0.0, y, 0.0];
            prod += arr[0] * x[0] + arr[1] * x[1] + arr[2] * x[2] + arr[3] * x[3];
        }
        prod
    }

    #[differentiable]
    fn constant_matrix_product(a: f64, b: f64, c: f64, d: f64) -> f64 {
        let x = [[a, b], [c, d]];
        let y = [[1.0, 2.0], [3.0, 4.0]];
        let z = [
            [x[0][0] * y[0][0] + x[0][1] * y[1][0], x[0][0] * y[0][1] + x[0][1] * y[1][1]],
            [x[1][0] * y[0][0] + x[1][1] * y[1][0], x[1][0] * y[0][1] + x[1][1] * y[1][1]],
        ];
        z[0][0] + z[0][1] + z[1][0] + z[1][1]
    }

    #[differentiable]
    fn uninitialised(x: f64, y: f64, z: f64) -> f64 {
        let vars = [x, y, z];
        let squares: [f64; 3];
        squares = [vars[0] * vars[0], vars[1] * vars[1], vars[2] * vars[2]];
        let mut s = 0.0;
        for i in 0..3 {
            s = s + squares[i];
        }
        s
    }

    #[differentiable]
    fn three_outputs(a: f64, b: f64, c: f64, out: &mut [f64; 3]) {
        out[0] = a * a * a;
        out[1] = a * a * a + b * b * b;
        out[2] = c * c * 10.0 - a * a;
    }

    #[differentiable]
    fn output_of_output(a: f64) -> [f64; 2] {
        let mut out = [0.0; 2];
        out[0] = a * a;
        out[1] = out[0] * 3.0;
        out
    }

    #[test]
    fn gradients() {
        gradient!(scaled_in_place(&mut a, &b) by a = [1.0, 2.0, 3.0], b = [2.0, 5.0, 2.0] => [2.0, 5.0, 2.0, 1.0, 2.0, 3.0]);
        gradient!(running_sum(&mut p) by p = [1.0, 2.0, 3.0, 4.0] => [1.0; 4]);
        gradient!(made_in_every_iteration(&x, y) by x = [1.0, 2.0, 3.0, 4.0], y = 5.0 => [3.0, 0.0, 10.0, 0.0, 6.0]);
        gradient!(constant_matrix_product(a, b, c, d) by a = 11.0, b = 12.0, c = 13.0, d = 14.0 => [3.0, 7.0, 3.0, 7.0]);
        gradient!(uninitialised(x, y, z) by x = 1.0, y = 2.0, z = 3.0 => [2.0, 4.0, 6.0]);
        let mut out = [0.0; 3];
        let mut column = [0.0; 3];
        three_outputs::jvp(1.0, 2.0, 3.0, &mut out, 1.0, 0.0, 0.0, &mut column);
        assert_eq!((out, column), ([1.0, 9.0, 89.0], [3.0, 3.0, -2.0]));
        let (y, pullback) = output_of_output::vjp(3.0);
        assert_eq!((y, pullback(&[1.0, 0.0]), pullback(&[0.0, 1.0])), ([9.0, 27.0], 6.0, 18.0));
    }
}

/// Hessians, as products with vectors.
mod hessians {
    use super::*;

    #[differentiable(order = 2)]
    fn sum_of_cubes(a: f64, b: f64) -> f64 {
        a * a * a + b * b * b
    }

    #[differentiable(order = 2)]
    fn falling(u: f64, t: f64) -> f64 {
        (u * t) + ((0.5) * (9.81) * (t * t))
    }

    #[differentiable(order = 2)]
    fn sign_of_the_other(x: f64, c: f64) -> f64 {
        if c > 0.0 { (x * x * x) + (c * c * c) } else { (x * x * x) - (c * c * c) }
    }

    #[differentiable(order = 2)]
    fn tenth_power(x: f64) -> f64 {
        x * x * x * x * x * x * x * x * x * x
    }

    #[derive(Differentiable, Clone)]
    struct Widget {
        x: f64,
        y: f64,
    }

    #[differentiable(order = 2)]
    impl Widget {
        fn product(&self, i: f64, j: f64) -> f64 {
            let a = self.x * i * j;
            let b = 4.0 * a;
            b * self.y * self.y * i
        }
    }

    #[differentiable(order = 2)]
    fn of_a_widget(i: f64, j: f64) -> f64 {
        let w = Widget { x: 3.0, y: 5.0 };
        w.product(i, j)
    }

    #[test]
    fn products() {
        assert_eq!(sum_of_cubes::hvp(1.0, 2.0, 1.0, 0.0), (6.0, 0.0));
        assert_eq!(sum_of_cubes::hvp(1.0, 2.0, 0.0, 1.0), (0.0, 12.0));
        assert_eq!(falling::hvp(1.0, 2.0, 0.0, 1.0), (1.0, 9.81));
        assert_eq!(sign_of_the_other::hvp(5.0, -2.0, 1.0, 1.0), (30.0, 12.0));
        assert_eq!(tenth_power::hvp(2.0, 1.0), 90.0 * 256.0);
        gradient!(of_a_widget(i, j) by i = 7.0, j = 9.0 => [600.0 * 63.0, 300.0 * 49.0]);
        assert_eq!(of_a_widget::hvp(7.0, 9.0, 1.0, 0.0), (600.0 * 9.0, 600.0 * 7.0));
    }
}
