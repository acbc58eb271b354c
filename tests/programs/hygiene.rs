//! Functions that a `macro_rules!` makes: a local that stands in the macro is not the one that it is given, if both have
//! the same name.

use crate::harness::check;
use autodiff::prelude::*;

macro_rules! beside_a_parameter {
    ($name:ident, $x:ident) => {
        #[differentiable(order = 2)]
        fn $name($x: f64) -> f64 {
            let x = 3.0;
            $x * x
        }
    };
}
beside_a_parameter!(same_name, x);
beside_a_parameter!(other_name, z);

#[test]
fn a_local_beside_a_parameter() {
    check!(same_name(x) by x = 0.7);
    assert_eq!((same_name(2.0), same_name::grad(2.0)), (6.0, 3.0));
    assert_eq!((other_name(2.0), other_name::grad(2.0)), (6.0, 3.0));
}

macro_rules! two_parameters {
    ($name:ident, $x:ident) => {
        #[differentiable(wrt($x), order = 2)]
        fn $name(x: f64, $x: f64) -> f64 {
            let x_2 = x;
            x_2 * $x * $x
        }
    };
}
two_parameters!(second, x);

#[test]
fn parameters_of_the_same_name() {
    assert_eq!((second(2.0, 3.0), second::grad(2.0, 3.0)), (18.0, 12.0));
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

macro_rules! fields {
    ($name:ident, $x:ident, $value:expr) => {
        #[differentiable(order = 2)]
        fn $name($x: f64) -> Point {
            let Point { x, y } = Point { $x, y: 2.0 };
            let x = x * x;
            assert!(x > 0.0 || $x < 9.0);
            let point = Point { x, y: $value * y };
            Point { x: point.x, y: point.y }
        }
    };
}
fields!(point, x, x * 5.0);

#[test]
fn fields_keep_their_names() {
    assert_eq!(point::jvp(2.0, 1.0), (Point { x: 4.0, y: 20.0 }, PointTangent { x: 4.0, y: 10.0 }));
}

macro_rules! repeated {
    ($name:ident, $sum:ident, $step:expr) => {
        #[differentiable(order = 2)]
        fn $name($sum: f64) -> f64 {
            let (mut sum, mut i) = (0.0, 0);
            while i < 3 {
                let t = $step;
                sum += t;
                i += 1;
            }
            sum
        }
    };
}
repeated!(summed, sum, {
    let t = sum * 2.0;
    let i = 4.0;
    t * i * sum
});

macro_rules! indices {
    ($name:ident, $i:ident, $factor:expr) => {
        #[differentiable(order = 2)]
        fn $name(x: f64) -> f64 {
            let mut s = x;
            for $i in 0..3 {
                for i in 0..2 {
                    s += s * (i as f64) * 0.1;
                    s *= $factor;
                }
            }
            s
        }
    };
}
indices!(nested, i, 1.0 + i as f64);

#[test]
fn loops() {
    check!(summed(x) by x = 0.7);
    assert_eq!(summed::grad(2.0), 96.0);
    check!(nested(x) by x = 0.7);
    assert!((nested::grad(2.0) - 1.1_f64.powi(3) * 36.0).abs() < 1e-12);
}

macro_rules! patterns {
    ($name:ident, $x:ident) => {
        #[differentiable(order = 2)]
        fn $name($x: f64) -> f64 {
            let f = |x: f64| x * $x;
            let row = vec![$x; 2];
            let larger = matches!($x, x if x > $x);
            let arm = match 3.0 {
                x => x * $x,
            };
            f(2.0) * row[1] + arm + if larger { 100.0 } else { 0.0 }
        }
    };
}
patterns!(bound, x);

#[test]
fn closures_and_patterns() {
    check!(bound(x) by x = 0.7);
    assert_eq!(bound::grad(2.0), 11.0);
}

/// Whatever has no local of the same name stays as it is: functions, constants, types, fields and methods.
macro_rules! unaffected {
    ($name:ident, $k:ident, $value:expr) => {
        #[differentiable(order = 2)]
        fn $name(x: f64, y: f64) -> f64 {
            let point = Point { x: x * $k, y };
            same_name(point.x) * point.y.sin().abs().max(0.1) + $value
        }
    };
}
const K: f64 = 2.0;
unaffected!(plain, K, K * 3.0);

#[test]
fn other_names() {
    check!(plain(x, y) by x = 0.7, y = 1.2);
}

/// Functions that are called like macros of the prelude.
mod like_macros {
    use crate::harness::check;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    fn line(x: f64, slope: f64) -> f64 {
        slope * x.sin()
    }

    #[differentiable(order = 2)]
    fn column(x: f64) -> f64 {
        line(x, 2.0) * x
    }

    #[differentiable(order = 2)]
    fn file(x: f64) -> f64 {
        column(x) * line(x, x)
    }

    #[test]
    fn hold() {
        check!(file(x) by x = 0.7);
    }
}
