//! What patterns lend, and macros change.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy)]
enum Shape {
    Disc(f64),
    Plate(f64, f64),
    Cube(f64),
}

#[differentiable(order = 2)]
fn bump(z: &mut f64, y: f64) {
    *z *= y;
}

#[differentiable(order = 2)]
fn changed(x: f64, y: f64, #[no_diff] k: usize) -> f64 {
    let mut o = match k {
        0 => Shape::Disc(x),
        1 => Shape::Plate(x, y),
        _ => Shape::Cube(x * y),
    };
    match &mut o {
        Shape::Disc(z) => {
            *z *= y;
            let l = vec![
                if {
                    *z = 0.7 * *z;
                    *z > y
                } {
                    y
                } else {
                    1.0
                };
                2
            ];
            *z += l[1];
        }
        Shape::Plate(w, v) => {
            bump(w, y);
            let l = vec![
                {
                    *v += 2.0;
                    y
                },
                y,
            ];
            *w *= l[0];
        }
        Shape::Cube(z) => {
            assert!({
                *z *= y;
                true
            });
        }
    }
    match o {
        Shape::Disc(v) => v * v,
        Shape::Plate(a, b) => a * b,
        Shape::Cube(z) => z * z * z,
    }
}

#[differentiable(order = 2)]
fn of_an_option(x: f64, y: f64) -> f64 {
    let mut o = Some(x);
    if let Some(z) = &mut o {
        *z *= y;
        let l = vec![
            {
                *z = 0.7 * *z;
                y
            },
            y,
        ];
        *z *= l[1];
    }
    o.unwrap_or(0.0)
}

#[test]
fn what_a_macro_changes_is_changed() {
    for k in 0..3 {
        check!(changed(x, y, k) by x = 0.7, y = 1.3);
    }
    check!(of_an_option(x, y) by x = 0.7, y = 1.3);
}
