//! `&mut` of `Option`s and enums, and of structs with such fields.

use crate::harness::check;
use autodiff::OptionTangent;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Pid {
    kp: f64,
    ki: f64,
    last: Option<f64>,
    sum: f64,
}

#[differentiable(order = 2)]
impl Pid {
    fn update(&mut self, e: f64) -> f64 {
        let slope = match self.last {
            Some(last) => (e - last) * 2.0,
            None => 0.0,
        };
        self.last = Some(e * self.kp);
        self.sum += e * self.ki;
        self.kp * e + self.sum + slope
    }

    fn twice(&mut self, e: f64) -> bool {
        let a = self.update(e);
        self.update(a) > 10.0
    }

    fn reset(&mut self) {
        self.last = None;
    }

    fn shift(&mut self, by: f64) {
        if let Some(last) = &mut self.last {
            *last += by * by;
        }
        match self.last {
            Some(ref mut last) => {
                if by < 0.0 {
                    *last = by;
                }
            }
            None => self.last = Some(by),
        }
    }
}

#[differentiable(order = 2)]
fn controlled(kp: f64, ki: f64) -> f64 {
    let mut pid = Pid { kp, ki, last: None, sum: 0.0 };
    let mut y = 1.0;
    for k in 0..5 {
        let u = pid.update(1.0 - y * 0.3);
        y += 0.1 * u;
        if k == 2 {
            pid.reset();
        }
        if pid.twice(y) {
            break;
        }
    }
    y * y + pid.last.unwrap_or(0.0)
}

#[test]
fn a_field_of_what_is_borrowed() {
    check!(controlled(kp, ki) by kp = 0.8, ki = 0.3);
    check!(controlled(kp, ki) by kp = 0.2, ki = 0.1);
    let mut pid = Pid { kp: 0.5, ki: 0.2, last: Some(1.0), sum: 0.0 };
    let mut dot = PidTangent { kp: 0.0, ki: 0.0, last: OptionTangent { some: 1.0 }, sum: 0.0 };
    assert_eq!(Pid_update::jvp(&mut pid, 2.0, &mut dot, 1.0), (3.4, 0.7));
    assert_eq!(pid, Pid { kp: 0.5, ki: 0.2, last: Some(1.0), sum: 0.4 });
    assert_eq!(dot.last.some, 0.5);
}

#[differentiable(order = 2)]
fn set(o: &mut Option<f64>, x: f64) {
    match o {
        Some(v) => *v *= x,
        None => *o = Some(x),
    }
}

#[differentiable(order = 2)]
fn power(x: f64, y: f64) -> f64 {
    let mut o = None;
    for k in 0..4 {
        set(&mut o, if k == 1 { y } else { x });
        if let Some(v) = &mut o {
            *v += y;
        }
    }
    o.unwrap_or(0.0)
}

#[test]
fn options() {
    check!(power(x, y) by x = 1.3, y = 0.7);
    let (mut none, mut dot) = (None, OptionTangent { some: 0.0 });
    set::jvp(&mut none, 3.0, &mut dot, 1.0);
    assert_eq!((none, dot.some), (Some(3.0), 1.0));
    set::jvp(&mut none, 2.0, &mut dot, 1.0);
    assert_eq!((none, dot.some), (Some(6.0), 5.0));
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Differentiable, Clone, Copy, Debug)]
enum Shape {
    Empty,
    Circle(f64),
    Square { side: f64, turn: f64 },
    At(Point),
}

#[differentiable(order = 2)]
fn grow(shape: &mut Shape, by: f64) -> usize {
    match shape {
        Shape::Circle(r) => {
            *r *= by;
            if *r > 3.0 {
                *shape = Shape::Square { side: by, turn: 0.5 };
                return 1;
            }
            0
        }
        Shape::Square { side, turn: t } => {
            *side += by * *t;
            *t *= *side;
            2
        }
        Shape::At(p) => {
            p.x *= by;
            p.y += p.x;
            3
        }
        Shape::Empty => {
            *shape = Shape::At(Point { x: by, y: 1.0 });
            4
        }
    }
}

#[differentiable(order = 2)]
fn size(shape: &Shape) -> f64 {
    match shape {
        Shape::Empty => 0.0,
        Shape::Circle(r) => 3.0 * r * r,
        Shape::Square { side, turn } => side * side + turn,
        Shape::At(p) => p.x * p.y,
    }
}

#[differentiable(order = 2)]
fn grown(by: f64, first: f64) -> f64 {
    let mut circle = Shape::Circle(first);
    let mut empty = Shape::Empty;
    let mut sum = 0.0;
    for k in 0..4 {
        let how = grow(&mut circle, by) + grow(&mut empty, by * first);
        sum += how as f64 * size(&circle) + size(&empty);
        if k == 2 {
            empty = Shape::Circle(by);
        }
    }
    sum
}

#[test]
fn enums() {
    check!(grown(by, first) by by = 1.4, first = 1.1);
    check!(grown(by, first) by by = 0.6, first = 1.1);
    check!(grown(by, first) by by = 1.9, first = 0.5);
}

#[differentiable(order = 2)]
fn shifted(x: f64, y: f64) -> f64 {
    let mut pid = Pid { kp: x, ki: y, last: None, sum: 0.0 };
    pid.shift(x);
    pid.shift(y);
    let a = pid.last.unwrap_or(0.0);
    pid.shift(-y);
    a * pid.last.unwrap_or(0.0) + pid.update(x)
}

#[test]
fn patterns_that_borrow() {
    check!(shifted(x, y) by x = 0.8, y = 0.3);
}

#[derive(Differentiable, Clone, Copy, Debug)]
enum Stage {
    Grown(f64),
    Cut { left: f64 },
    Bare,
}

#[derive(Differentiable, Clone, Copy, Debug)]
struct Plant {
    stage: Stage,
    height: f64,
}

#[differentiable(order = 2)]
fn tend(plant: &mut Plant, x: f64) -> f64 {
    match &mut plant.stage {
        Stage::Grown(by) => *by *= x,
        Stage::Cut { left } => *left += x,
        Stage::Bare => plant.stage = Stage::Grown(x),
    }
    plant.height += x;
    match &plant.stage {
        Stage::Grown(by) => by * plant.height,
        Stage::Cut { left } => left * left,
        Stage::Bare => 1.0,
    }
}

/// What is lent may change a field that was a constant.
#[differentiable(order = 2)]
fn from_constants(x: f64, n: usize) -> f64 {
    let mut bare = Plant { stage: Stage::Bare, height: x };
    let mut sum = tend(&mut bare, x) + tend(&mut bare, x);
    let mut cut = Plant { stage: Stage::Cut { left: 0.5 }, height: 1.0 };
    let mut plants = vec![Plant { stage: Stage::Grown(2.0), height: x }; 2];
    for k in 0..n {
        sum += tend(&mut cut, x) * tend(&mut plants[k % 2], x);
    }
    sum
}

#[test]
fn fields_that_were_constants() {
    // x * 2x, then x * x * 3x.
    assert_eq!(from_constants::value_and_grad(2.0, 0), (8.0 + 24.0, 8.0 + 36.0));
    for n in 0..4 {
        check!(from_constants(x, n) by x = 0.9);
    }
}

#[differentiable(order = 2)]
fn bump(v: &mut f64, by: f64) -> f64 {
    *v = *v * by + 1.0;
    *v * 0.5
}

#[differentiable(order = 2)]
impl Point {
    fn turn(&mut self, by: f64) -> f64 {
        let before = self.x;
        self.x = self.y * by;
        self.y += before;
        before
    }
}

/// What a pattern has borrowed is changed directly, by functions and methods, and through other names.
#[differentiable(order = 2)]
fn pass_on(shape: &mut Shape, by: f64, n: usize) -> f64 {
    match shape {
        Shape::Circle(r) => {
            *r += 1.0;
            let a = bump(r, by) + *r;
            let s = &mut *r;
            *s *= a;
            a + bump(s, 0.5)
        }
        Shape::Square { side, turn } => {
            *side += by;
            std::mem::swap(side, turn);
            let chosen = if n % 2 == 0 { side } else { &mut *turn };
            *chosen *= by;
            bump(chosen, by)
        }
        Shape::At(p) => {
            p.x += by;
            for k in 0..n {
                p.y += p.turn(by) + k as f64;
            }
            bump(&mut p.x, p.y)
        }
        Shape::Empty => {
            *shape = Shape::Square { side: by, turn: 0.5 };
            1.0
        }
    }
}

#[differentiable(order = 2)]
fn passed_on(x: f64, y: f64, n: usize) -> f64 {
    let mut shapes = (Shape::Circle(x), Shape::At(Point { x: y, y: x }));
    let mut empty = if n > 1 { Shape::Empty } else { Shape::Circle(y) };
    let (mut sum, mut last) = (0.0, Some(y));
    for k in 0..3 {
        sum = 0.3 * sum + pass_on(&mut shapes.0, y, n) + pass_on(&mut empty, x, k);
        sum += 0.1 * pass_on(&mut shapes.1, x * y, n);
        let Some(value) = &mut last else { return sum };
        *value *= y;
        sum += bump(value, x) * *value;
        (*value, sum) = (0.3 * sum, *value);
        if k == n {
            last = None;
        }
    }
    sum + size(&empty) * 0.1 + size(&shapes.0) + last.unwrap_or(0.5)
}

#[differentiable(order = 2)]
fn bumped(x: f64, y: f64) -> f64 {
    let mut value = Some(x);
    if let Some(v) = &mut value {
        *v += 1.0;
        bump(v, y);
    }
    value.unwrap_or(0.0)
}

#[test]
fn what_is_borrowed_is_passed_on() {
    for n in 0..3 {
        check!(passed_on(x, y, n) by x = 0.2, y = 0.3);
    }
    // (x + 1) y + 1
    assert_eq!(bumped::value_and_grad(2.0, 5.0), (16.0, (5.0, 3.0)));
}
