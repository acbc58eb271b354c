use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
enum Shape {
    Circle { r: f64 },
    Rectangle(f64, f64),
    Polygon(Vec<f64>),
}

#[differentiable]
fn misspelt(shape: &Shape) -> f64 {
    match shape {
        Shape::Square(a) => a * a,
        _ => 0.0,
    }
}

#[differentiable]
fn other_fields(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle { d } => *d,
        Shape::Rectangle(a) => *a,
        Shape::Polygon(_) => 0.0,
    }
}

#[differentiable]
fn changed(shape: &mut [Shape]) {
    shape[0] = Shape::Circle { r: 1.0 };
}

#[differentiable]
fn incomplete(x: f64) -> Shape {
    if x > 0.0 { Shape::Circle {} } else { Shape::Rectangle(x) }
}

#[differentiable]
fn field(shape: &Shape) -> f64 {
    shape.r
}

#[differentiable]
fn referenced(mut shape: Shape) -> f64 {
    if let Shape::Circle { ref mut r } = shape {
        *r += 1.0;
    }
    0.0
}

#[derive(Differentiable)]
enum Labelled {
    Point(f64),
    Text(f64, #[no_diff] &'static str),
}

#[differentiable]
fn value(of: &Labelled) -> f64 {
    match of {
        Labelled::Point(x) | Labelled::Text(x, _) => *x,
    }
}

#[differentiable]
fn values(all: &[Labelled]) -> f64 {
    value(&all[0])
}

fn main() {}
