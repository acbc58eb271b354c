//! Types of one's own that are called as nalgebra's are, and aliases.

use autodiff::check_grads;
use autodiff::prelude::*;

mod generic {
    use autodiff::check_grads;
    use autodiff::prelude::*;

    #[derive(Differentiable, Clone, Copy, Debug)]
    pub struct Vector3<T: Real> {
        pub x: T,
        pub y: T,
        pub z: T,
    }

    #[differentiable]
    impl<T: Real> Vector3<T> {
        pub fn new(x: T, y: T, z: T) -> Self {
            Vector3 { x, y, z }
        }

        /// Not a norm.
        pub fn norm(&self) -> T {
            self.x + self.y * self.z
        }
    }

    #[differentiable]
    pub fn own(v: &Vector3<f64>, t: f64) -> f64 {
        Vector3::new(v.x, t, v.z).norm()
    }

    #[test]
    fn types_of_the_same_module() {
        check_grads!(own, &Vector3::new(1.0, 2.0, 3.0), 0.5);
        assert_eq!(own::value_and_grad(&Vector3::new(1.0, 2.0, 3.0), 0.5).0, 2.5);
    }
}

type Force = nalgebra::Vector3<f64>;
type Vector2 = nalgebra::Vector2<f64>;

#[differentiable]
fn alias(v: &Force, t: f64) -> Force {
    let w = Force::new(t, v.x, 1.0);
    w + v * t
}

#[differentiable]
fn alias_of_its_own_name(v: &Vector2, t: f64) -> Vector2 {
    let w = Vector2::new(t, v.x);
    w + v * t
}

#[test]
fn aliases() {
    check_grads!(alias, &Force::new(2.0, 3.0, 4.0), 0.5);
    check_grads!(alias_of_its_own_name, &Vector2::new(2.0, 3.0), 0.5);
}

#[derive(Differentiable, Clone, Default)]
struct Arena {
    total: f64,
}

#[differentiable]
impl Arena {
    /// Changes it, and gives a value.
    fn push(&mut self, x: f64) -> f64 {
        self.total += x;
        self.total * 2.0
    }
}

#[differentiable]
fn arena(x: f64, steps: &[f64]) -> f64 {
    let mut arena = Arena { total: x };
    let mut sum = 0.0;
    for step in steps {
        let id = arena.push(*step * x);
        sum += id * arena.total;
    }
    sum + arena.push(x).sin()
}

#[test]
fn methods_of_the_users_own() {
    check_grads!(arena, 0.5, &[1.0, 2.0, 3.0]);
    assert_eq!(arena::value_and_grad(0.5, &[1.0, 2.0, 3.0]).0, arena(0.5, &[1.0, 2.0, 3.0]));
}

/// Methods of one's own that are called as those that lend a part of a matrix.
mod parts {
    use autodiff::check_grads;
    use autodiff::prelude::*;
    use nalgebra::Matrix3;

    #[derive(Clone, Debug, Differentiable)]
    struct Grid {
        cells: [[f64; 3]; 2],
    }
    #[differentiable(order = 2)]
    impl Grid {
        fn row_mut(&mut self, i: usize) -> &mut [f64; 3] {
            &mut self.cells[1 - i]
        }
        fn column_mut(&mut self, i: usize) -> &mut f64 {
            &mut self.cells[0][i]
        }
    }
    #[differentiable(order = 2)]
    fn filled(g: &Grid, m: &Matrix3<f64>, x: f64) -> f64 {
        let mut g = g.clone();
        g.row_mut(0)[1] = x * x;
        g.row_mut(1)[2] *= x;
        g.row_mut(0).fill(x);
        *g.column_mut(1) += m[(0, 1)];
        let mut s = 0.0;
        for r in &g.cells {
            for c in r {
                s += c * c * c;
            }
        }
        s * m.trace()
    }

    #[test]
    fn that_are_no_matrices() {
        let m = Matrix3::new(1.0, 2.0, 3.0, 0.5, 0.3, 0.2, 0.7, 0.9, 1.3);
        check_grads!(filled, &Grid { cells: [[0.2, 0.5, 0.8], [1.1, -0.3, 0.4]] }, &m, 0.7);
    }
}
