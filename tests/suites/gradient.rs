//! The gradient of one function.

use autodiff::Differentiable;

/// `gradient!(f(x, &a, 3) by x = 2.0, a = [1.0, 2.0] => [12.0, 0.5, 0.0])`: the value is that of the function itself, the gradient agrees with
/// differences, and with the closed form, where there is one.
macro_rules! gradient {
    ($f:ident($($arg:expr),* $(,)?) by $($x:ident = $at:expr),+ $(=> $closed:expr)?) => {{
        $(let $x = $at;)+
        let function = |point: &[f64]| {
            let mut point = point;
            $(#[allow(unused_mut)] let mut $x = $crate::gradient::take(&$x, &mut point);)+
            $f($($arg),*)
        };
        let at = [$($crate::gradient::flat(&$x)),+].concat();
        let (value, gradient) = {
            $(#[allow(unused_mut)] let mut $x = $x.clone();)+
            $f::value_and_grad($($arg),*)
        };
        let (expected, gradient) = (function(&at), $crate::gradient::flat(&gradient));
        assert!((value - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "the value: {value}, {expected} by the function itself");
        $crate::differences::check(function, &at, &gradient);
        $($crate::gradient::close(&gradient, &$closed);)?
    }};
}

pub fn flat<T: Differentiable<Scalar = f64>>(value: &T) -> Vec<f64> {
    let mut flat = vec![0.0; value.flat_len()];
    value.copy_to_flat(&mut flat);
    flat
}

/// `like`, with the first of these numbers.
pub fn take<T: Differentiable<Scalar = f64> + Clone>(like: &T, point: &mut &[f64]) -> T {
    let mut value = like.clone();
    let (of_it, rest) = point.split_at(value.flat_len());
    value.copy_from_flat(of_it);
    *point = rest;
    value
}

/// A gradient against its closed form.
#[track_caller]
pub fn close(gradient: &[f64], closed: &[f64]) {
    assert_eq!(gradient.len(), closed.len(), "{gradient:?}, {closed:?} in closed form");
    for (k, (g, c)) in gradient.iter().zip(closed).enumerate() {
        assert!((g - c).abs() <= 1e-10 * (1.0 + c.abs()), "derivative {k}: {g}, {c} in closed form");
    }
}
