//! Names that a macro has made.
use autodiff::prelude::*;

macro_rules! product {
    ($name:ident, $value:expr) => {
        #[differentiable]
        fn $name(x: f64) -> f64 {
            x * $value
        }
    };
}
// The macro's parameter is none of its caller's.
product!(foreign, x);

macro_rules! printed {
    ($name:ident, $x:ident) => {
        #[differentiable]
        fn $name($x: f64) -> f64 {
            let x = 3.0;
            println!("{x}");
            $x * x
        }
    };
}
printed!(captured, x);

macro_rules! labelled {
    ($name:ident, $step:block) => {
        #[differentiable]
        fn $name(x: f64) -> f64 {
            'a: for _ in 0..3 {
                $step;
                break 'a;
            }
            x * x
        }
    };
}
labelled!(label, {
    'a: for _ in 0..3 {
        break 'a;
    }
});

fn main() {}
