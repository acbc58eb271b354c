//! A crate that knows `autodiff` by another name.

use calculus::prelude::*;

pub use model_crate::second_power as re_exported_twice;

/// A position on a line.
#[derive(Differentiable, Clone, Debug, PartialEq)]
pub struct Point {
    /// Along the line.
    pub x: f64,
}

/// The fourth power of the position, through a function of another crate.
#[differentiable(order = 2)]
pub fn fourth_power(point: &Point) -> f64 {
    model_crate::square(model_crate::square(point.x))
}

/// `x⁴` by a path given in the attribute.
#[differentiable(crate = ::calculus)]
pub fn by_path(x: f64) -> f64 {
    re_exported_twice(x) * re_exported_twice(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_macros_find_the_crate_by_its_name_here() {
        assert_eq!(fourth_power::value_and_grad(&Point { x: 2.0 }), (16.0, PointTangent { x: 32.0 }));
        assert_eq!(by_path::grad(2.0), 32.0);
    }
}
