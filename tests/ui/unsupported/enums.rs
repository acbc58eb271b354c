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

fn main() {}
