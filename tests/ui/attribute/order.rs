use autodiff::prelude::*;

/// What is asked of functions that a macro makes is not found out.
macro_rules! items {
    ($($item:item)*) => { $($item)* };
}

items! {
    #[differentiable]
    fn cube(x: f64) -> f64 {
        x.powi(3)
    }

    #[differentiable]
    fn generic<T: Real, const N: usize>(x: &[T; N]) -> T {
        x[0] * x[N - 1]
    }

    /// Its derivative is a second derivative of what it calls.
    #[differentiable]
    fn slope(x: f64) -> f64 {
        cube::grad(x) * x
    }

    /// So is its second derivative.
    #[differentiable(order = 2)]
    fn twice(x: f64) -> f64 {
        cube(x) * x
    }

    /// Its second derivative is a third one.
    #[differentiable(order = 2)]
    fn curvature(x: f64) -> f64 {
        smooth::grad(x) * x
    }

    #[differentiable(order = 2)]
    fn smooth(x: f64) -> f64 {
        x.sin()
    }

    #[differentiable(order = 2)]
    fn of_curvature(x: f64) -> f64 {
        curvature(x) * x
    }
}

#[differentiable(order = 5)]
fn fifth(x: f64) -> f64 {
    x.sin()
}

#[differentiable(order = second)]
fn named(x: f64) -> f64 {
    x.sin()
}

#[derive(Differentiable)]
struct Spring {
    stiffness: f64,
}

items! {
    #[differentiable]
    impl Spring {
        fn energy(&self, x: f64) -> f64 {
            self.stiffness * x * x
        }
    }
}

fn main() {
    cube::hvp(1.0, 1.0);
    cube::hessian(1.0);
    curvature::hvp(1.0, 1.0);
    generic::<f64, 2>::hvp(&[1.0, 2.0], &[1.0, 0.0]);
    let spring = Spring { stiffness: 1.0 };
    spring.energy_hvp(1.0, &SpringTangent { stiffness: 0.0 }, 1.0);
}
