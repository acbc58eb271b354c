//! A glob import brings functions of names that the compiler knows.

mod helpers {
    pub fn stack(a: f64, b: f64) -> f64 {
        a * b
    }

    pub fn from_fn<T>(x: T) -> T {
        x
    }

    pub mod mem {
        pub fn swap(a: &mut f64, b: &mut f64) {
            *a = *b;
        }
    }
}

macro_rules! helper {
    ($name:ident) => {
        fn $name(x: f64) -> f64 {
            3.0 * x
        }
    };
}

mod user {
    use super::helpers::*;
    use autodiff::differentiable;

    #[differentiable]
    fn exchanged(x: f64) -> f64 {
        let (mut a, mut b) = (x, 2.0 * x);
        mem::swap(&mut a, &mut b);
        a
    }

    #[differentiable]
    fn made(x: f64) -> f64 {
        let a: [f64; 2] = from_fn(|k| x * k as f64);
        a[1]
    }

    helper!(stop_gradient);

    #[differentiable]
    fn of_a_macro(x: f64) -> f64 {
        x * stop_gradient(x)
    }
}

fn main() {
    use autodiff::differentiable;

    fn select(first: bool, x: f64, y: f64) -> f64 {
        if first { y } else { x }
    }

    #[differentiable]
    fn inside(x: f64) -> f64 {
        select(x > 1.0, x, 1.0)
    }
}
