//! What an expression changes, happens in Rust's order of evaluation.
#![allow(unused_assignments, unused_parens)]

use crate::harness::check;
use autodiff::prelude::*;

#[track_caller]
pub fn close(found: (f64, f64), wanted: (f64, f64)) {
    assert!((found.0 - wanted.0).abs() < 1e-12 && (found.1 - wanted.1).abs() < 1e-12, "{found:?} and {wanted:?}");
}

#[differentiable(order = 2)]
pub fn grow(a: &mut f64) -> f64 {
    *a *= 1.5;
    *a
}

#[derive(Differentiable, Clone)]
struct Parts {
    first: f64,
    second: f64,
    rest: [f64; 2],
}

#[derive(Differentiable, Clone)]
enum Shape {
    Round { radius: f64, depth: f64 },
    Flat(f64, f64),
}

#[differentiable(order = 2)]
fn product(a: f64, b: f64) -> f64 {
    a * a * b + a
}

#[differentiable(order = 2)]
fn scaled(a: &mut f64, b: f64) -> f64 {
    *a *= b;
    *a + b
}

#[differentiable(order = 2)]
fn fields(x: f64, y: f64) -> f64 {
    let mut a = x;
    let p = Parts {
        rest: [a, {
            a *= 2.0;
            a
        }],
        second: a,
        first: {
            a = a * y;
            a
        },
    };
    let shape = Shape::Round {
        depth: {
            a += 1.0;
            a
        },
        radius: a * y,
    };
    let area = match shape {
        Shape::Round { radius, depth } => radius * radius + depth,
        Shape::Flat(width, height) => width * height,
    };
    p.first * 3.0 + p.second + p.rest[0] * p.rest[1] + area
}

#[differentiable(order = 2)]
fn variant(x: f64, y: f64) -> f64 {
    let mut a = x;
    let shape = Shape::Flat(a, grow(&mut a));
    match shape {
        Shape::Round { radius, depth } => radius * depth,
        Shape::Flat(width, height) => width * height * height * y,
    }
}

#[differentiable(order = 2)]
fn lists(x: f64, y: f64) -> f64 {
    let mut a = x;
    let (p, q, r) = (
        a,
        {
            a = a * y;
            a
        },
        a + 1.0,
    );
    let v = [a, grow(&mut a), a + 1.0];
    let w = vec![a, grow(&mut a), a + 1.0];
    let mut n = 1;
    let u = vec![
        grow(&mut a);
        {
            n += 1;
            n
        }
    ];
    p * 3.0 + q * r + v[0] * 3.0 + v[1] * v[2] - w[0] * w[1] * w[2] + u.len() as f64 * u[1]
}

#[differentiable(order = 2)]
fn sums(x: f64, y: f64) -> f64 {
    let mut a = x;
    let s = a + {
        a *= y;
        a
    } * a;
    a += {
        a *= 2.0;
        a * y
    };
    s - a * grow(&mut a) / (a + 1.0) + -grow(&mut a)
}

#[differentiable(order = 2)]
fn arguments(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut b = y;
    let s = product(a, grow(&mut a)) + product(grow(&mut a), a);
    let t = a
        + scaled(&mut a, {
            b += 1.0;
            b
        }) * a
        + b;
    s + t + a.max(grow(&mut a) - 0.1) * grow(&mut a).sin().powi(2) + f64::hypot(a, grow(&mut a))
}

#[differentiable(order = 2)]
fn places(x: f64, y: f64) -> f64 {
    let mut v = [x, y, x * y, 1.0];
    let mut i = 0;
    v[i] += {
        i += 1;
        v[i] * y
    };
    v[{
        i += 1;
        i
    }] = v[i] * y;
    v[{
        i -= 1;
        i
    }] *= v[i] + {
        i += 2;
        1.0
    };
    let s = v[i]
        - 2.0
            * v[{
                i -= 1;
                i
            }];
    let t = v[{
        v[1] = x * x;
        1
    }];
    let r = &mut v[i];
    i += 1;
    *r *= x;
    scaled(&mut v[i], {
        i -= 1;
        x
    });
    s + t * v[2] + v[0] * v[3] + v[i]
}

#[differentiable(order = 2)]
fn sequences(x: f64, y: f64) -> f64 {
    let mut v = vec![x];
    let mut a = y;
    v.push({
        a *= x;
        a
    });
    v.push(a + grow(&mut a));
    let s =
        v[0] + {
            v.push(x * y);
            v[3]
        } + v[0];
    let t = v[0]
        + {
            v.swap(0, 1);
            v[0]
        } * 2.0
        + v[1] * 3.0;
    let u = std::mem::replace(&mut a, y) * 2.0 + std::mem::replace(&mut a, x * y) + a * a;
    s + v[1] * v[2] + t * u + v.pop().unwrap() * v.pop().unwrap_or(a) + v.len() as f64 * a
}

#[differentiable(order = 2)]
fn ranges(x: f64, y: f64) -> f64 {
    let mut s = x;
    let mut n = 1;
    for i in ({
        n += 1;
        n
    })..({
        n += 3;
        n
    }) {
        s = s * y + i as f64;
    }
    let v = [x, y, x + y, x * y, 2.0];
    let mut k = 1;
    for w in &v[k..{
        k += 2;
        k
    }] {
        s += w * w;
    }
    s + n as f64 * v[k]
}

#[differentiable(order = 2)]
fn closures(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut next = |t: f64| {
        a = a * t;
        a
    };
    let z = next(y) * 10.0 + next(x).max(next(2.0)) - next(0.5);
    let mut outer = || {
        let mut inner = |t: f64| {
            a *= t;
            a
        };
        inner(y) - inner(2.0) * 0.3
    };
    let w = outer() + outer() * 2.0;
    let mut count = 0.0;
    let mut counted = move |t: f64| {
        count += 1.0;
        t * count
    };
    z * w + a + counted(x) * counted(y) - count
}

#[differentiable(order = 2)]
fn macros(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut n = 1;
    for _ in 0..2 {
        assert!(grow(&mut a) > 0.0, "no");
        assert_eq!(2, {
            n = 2;
            a *= y;
            n
        });
        assert!(n == 2, "n {}", {
            n += 1;
            n
        });
        print!("{}", {
            a *= 2.0;
            n += 1;
            n
        });
    }
    a * n as f64
}

#[differentiable(order = 2)]
fn leaving(x: f64, y: f64) -> f64 {
    let mut a = x;
    if x > 2.0 {
        return {
            a *= y;
            a
        } + a;
    }
    let r = loop {
        a *= 1.5;
        if a > 3.0 {
            break a + grow(&mut a);
        }
    };
    let s = 'b: {
        if grow(&mut a) > 6.0 {
            break 'b grow(&mut a) - a * 2.0;
        }
        a
    };
    r * s + a * product(a, if grow(&mut a) > 20.0 { return a * y } else { a })
}

#[differentiable(order = 2)]
fn arrays_as_values(x: f64, y: f64) -> f64 {
    let mut v = [x, y];
    let (old, new) = (v, {
        v[0] *= y;
        v
    });
    let mut t = Tensor1::from([x, y, x * y]);
    let s = t.sum() + {
        t = &t * 2.0;
        t.sum()
    } * t.sum();
    t *= {
        v[1] += 1.0;
        v[1]
    };
    old[0] * new[0] + s * v[1] + t.sum()
}

#[differentiable(order = 2)]
fn through_borrow(v: &mut [f64; 2]) -> f64 {
    v[0] + {
        v[0] *= v[1];
        v[0]
    } * v[1]
}

#[differentiable(order = 2)]
fn borrows(x: f64, y: f64) -> f64 {
    let mut v = [x, y];
    through_borrow(&mut v) * v[0] + through_borrow(&mut v)
}

#[differentiable(order = 2)]
fn in_loop(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut s = 0.0;
    for i in 0..3 {
        s += a * scaled(&mut a, y) + if scaled(&mut a, 0.9) > 1.5 { a } else { a * a };
        if s > 50.0 {
            return s + scaled(&mut a, i as f64);
        }
    }
    s + a
}

#[differentiable(order = 2)]
fn base(x: f64, y: f64) -> f64 {
    let mut a = x;
    let parts = Parts {
        second: {
            a *= y;
            a
        },
        ..Parts { first: a, second: 0.0, rest: [grow(&mut a), a] }
    };
    parts.first * parts.second + parts.rest[0] * parts.rest[1] * a
}

#[test]
fn operands() {
    close(base::grad(1.0, 2.0), (4.0 * 2.0 + 3.0 * 27.0, 2.0 * 2.0 + 1.5 * 27.0));
    for (x, y) in [(1.3, 0.7), (0.4, 1.9), (2.2, 1.1), (0.9, 0.3)] {
        check!(base(x, y) by x, y);
        check!(fields(x, y) by x, y);
        check!(variant(x, y) by x, y);
        check!(lists(x, y) by x, y);
        check!(sums(x, y) by x, y);
        check!(arguments(x, y) by x, y);
        check!(places(x, y) by x, y);
        check!(sequences(x, y) by x, y);
        check!(ranges(x, y) by x, y);
        check!(closures(x, y) by x, y);
        check!(macros(x, y) by x, y);
        check!(leaving(x, y) by x, y);
        check!(arrays_as_values(x, y) by x, y);
        check!(borrows(x, y) by x, y);
        check!(in_loop(x, y) by x, y);
    }
}

// --- borrows that are read for the last time ----------------------------------------------------------------

#[differentiable(order = 2)]
fn read_before_a_change(x: f64) -> f64 {
    let mut a = x;
    let r = &mut a;
    *r *= x;
    let s = *r + {
        a = 3.0 * x;
        1.0
    };
    s + a
}

#[differentiable(order = 2)]
fn asked_before_a_change(x: f64) -> f64 {
    let mut a = x;
    let r = &mut a;
    *r *= x;
    let s = r.sin() * {
        a = 3.0 * x;
        x
    };
    s + a
}

#[test]
fn what_is_read_through_a_borrow_is_read_before_later_operands_change_it() {
    assert_eq!(read_before_a_change::value_and_grad(2.0), (11.0, 7.0));
    check!(read_before_a_change(x) by x = 2.0);
    check!(asked_before_a_change(x) by x = 2.0);
}
