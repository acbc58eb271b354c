//! Methods of types that are imported: from another file, from another crate, through names that lead to them.

use crate::elsewhere::{Gains, Plate};
use crate::harness::check;
use autodiff::prelude::*;

#[differentiable(order = 2)]
fn made(x: f64, y: f64) -> f64 {
    let mut plate = Plate::new(x, y) * x;
    for _ in 0..2 {
        plate.widen(y);
    }
    plate.area()
}

#[test]
fn of_another_file() {
    check!(made(x, y) by x = 0.7, y = 1.3);
}

#[differentiable(order = 2)]
fn plate_of(x: f64) -> Plate {
    Plate::new(x, x * x)
}

#[differentiable(order = 2)]
fn of_a_result(x: f64) -> f64 {
    plate_of(x).area()
}

#[test]
fn of_what_a_function_gives() {
    check!(of_a_result(x) by x = 0.7);
}

#[differentiable(order = 2)]
fn configured(#[no_diff] gains: &Gains, x: f64) -> f64 {
    gains.applied(x) + gains.applied(2.0 * x)
}

#[test]
fn of_data_without_a_derivative() {
    let gains = Gains { first: 1.5 };
    check!(configured(&gains, x) by x = 0.7);
}

mod renamed {
    use crate::elsewhere::Plate as Board;
    use crate::elsewhere::inner::Cube;
    use autodiff::prelude::*;

    #[differentiable(order = 2)]
    pub fn volume(x: f64) -> f64 {
        Cube { side: x }.volume() * Board::new(x, 2.0).area()
    }
}

#[differentiable(order = 2)]
fn by_path(x: f64) -> f64 {
    let cube = crate::elsewhere::inner::Cube { side: x };
    cube.volume() + crate::elsewhere::Plate::new(x, x).area()
}

#[test]
fn by_other_names() {
    use renamed::volume;
    check!(volume(x) by x = 0.7);
    check!(by_path(x) by x = 0.7);
}

mod apart {
    use crate::elsewhere::framed;
    use autodiff::prelude::*;

    /// Neither `Frame` nor `Plate` has a name here.
    #[differentiable(order = 2)]
    pub fn filled(x: f64, y: f64) -> f64 {
        let frame = framed(x, y);
        let mut plate = frame.plate;
        plate.widen(x);
        plate.area() * frame.depth + (frame.plate * y).area()
    }
}

#[test]
fn of_a_field() {
    use apart::filled;
    check!(filled(x, y) by x = 0.7, y = 1.3);
}

fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    Plate::new(f(x), f(f(x))).area()
}

#[differentiable(order = 2)]
fn in_a_closure(x: f64) -> f64 {
    let area = |t: f64| Plate::new(t, x).area();
    area(x) + area(2.0 * x)
}

#[test]
fn with_functions() {
    let _ = twice(|t| t, 1.0);
    check!(in_a_closure(x) by x = 0.7);
}

#[differentiable(order = 2)]
fn of_a_library(x: f64, y: f64) -> f64 {
    let mut link = model_crate::Link::new(x, y);
    link.bend(y);
    link.reach()
}

mod library {
    use autodiff::prelude::*;
    use model_crate::Link;

    #[differentiable(order = 2)]
    pub fn reached(x: f64, y: f64) -> f64 {
        Link::new(x, y).reach() * x
    }
}

#[test]
fn of_another_crate() {
    use library::reached;
    check!(of_a_library(x, y) by x = 0.7, y = 1.3);
    check!(reached(x, y) by x = 0.7, y = 1.3);
}

#[differentiable(order = 2)]
fn of_a_third_file(x: f64, y: f64) -> f64 {
    let plate = Plate::new(x, y);
    (plate + plate * x).around()
}

#[test]
fn in_blocks_of_another_file_than_the_type() {
    check!(of_a_third_file(x, y) by x = 0.7, y = 1.3);
}
