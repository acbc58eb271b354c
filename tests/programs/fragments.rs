//! What `macro_rules!` inserts into a function as one piece, beside the same written by hand.
#![allow(clippy::all)]

/// Blocks and `let`s as statements, and in the places of blocks.
mod statements {
    use crate::harness::{check, twins};
    use autodiff::prelude::*;

    macro_rules! with_pieces {
        ($name:ident, $x:ident, $z:ident, $declared:stmt, $first:block, $second:block, $last:expr) => {
            #[differentiable(order = 2)]
            fn $name($x: f64) -> f64 {
                let mut y = $x;
                $declared;
                $first
                y *= 2.0;
                if y > 100.0 { return y; }
                $first
                let w = $last;
                match $x > 0.0 {
                    true => $second
                    false => y = 1.0,
                }
                for _ in 0..2 $first
                if $x > 0.0 $second else { y = 2.0; }
                y * w + $z * $last
            }
        };
    }
    with_pieces!(pieces, x, z, let mut z = x * x, { z *= x.sin(); }, { z += x; }, x + 1.0);

    #[differentiable(order = 2)]
    fn written(x: f64) -> f64 {
        let mut y = x;
        let mut z = x * x;
        z *= x.sin();
        y *= 2.0;
        if y > 100.0 {
            return y;
        }
        z *= x.sin();
        let w = x + 1.0;
        match x > 0.0 {
            true => z += x,
            false => y = 1.0,
        }
        for _ in 0..2 {
            z *= x.sin();
        }
        if x > 0.0 {
            z += x;
        } else {
            y = 2.0;
        }
        y * w + z * (x + 1.0)
    }

    #[test]
    fn hold() {
        for x in [0.7, -0.4, 60.0] {
            twins(&check!(pieces(x) by x), &check!(written(x) by x));
        }
    }
}

/// Operands, types, patterns, paths, attributes.
mod operands {
    use crate::harness::{check, twins};
    use autodiff::prelude::*;

    const K: f64 = 0.5;

    macro_rules! with_pieces {
    ($(#[$m:meta])* $vis:vis $name:ident, $t:ty, $r:ty, $p:pat, $q:pat, $l:literal, $e:expr, $n:expr, $path:path, $range:expr) => {
        $(#[$m])*
        #[differentiable(order = 2)]
        $vis fn $name(x: $t, n: usize) -> $r {
            let a = 2.0 * x[0] * $e;
            assert!(2.0 * $e > 0.0 || $e <= 0.0, "{}", $e * 2.0);
            let b = match n { $p => -$e, $q => $e - $l.abs(), _ => $path(x[1]) };
            let mut s = $l * b;
            for i in $range { s += x[i % 3] * $e; }
            for i in ($range).rev() { s *= x[i % 3] * $e; }
            for (i, v) in x.iter().enumerate().skip($n) { s += v * $e * i as f64; }
            if n > $n { return s * $e; }
            if $n > n && $e > 0.5 { s = -s; }
            s + a + x[$n % 3] + ($n * n) as f64 + $e.powi(2)
        }
    };
}

    with_pieces!(#[doc = "Of pieces."] #[inline] pub pieces, &[f64; 3], f64, 1 | 2, 3..=4, -1.5, K + 0.25, 1 + 2, f64::sin, 1..1 + 2);

    #[differentiable(order = 2)]
    fn written(x: &[f64; 3], n: usize) -> f64 {
        let a = 2.0 * x[0] * (K + 0.25);
        let b = match n {
            1 | 2 => -(K + 0.25),
            3..=4 => (K + 0.25) - (-1.5f64).abs(),
            _ => f64::sin(x[1]),
        };
        let mut s = -1.5 * b;
        for i in 1..3 {
            s += x[i % 3] * (K + 0.25);
        }
        for i in (1..3).rev() {
            s *= x[i % 3] * (K + 0.25);
        }
        for (i, v) in x.iter().enumerate().skip(3) {
            s += v * (K + 0.25) * i as f64;
        }
        if n > 3 {
            return s * (K + 0.25);
        }
        if 3 > n && (K + 0.25) > 0.5 {
            s = -s;
        }
        s + a + x[0] + (3 * n) as f64 + (K + 0.25).powi(2)
    }

    #[test]
    fn hold() {
        let x = [0.1, 0.2, 0.3];
        for n in [1, 2, 3, 4, 7] {
            twins(&check!(pieces(&x, n) by x), &check!(written(&x, n) by x));
        }
    }
}
