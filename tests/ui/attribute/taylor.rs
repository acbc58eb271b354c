use autodiff::{derivative, prelude::*};

/// What is asked of functions that a macro makes is not found out.
macro_rules! items {
    ($($item:item)*) => { $($item)* };
}

items! {
    #[differentiable]
    fn cube(x: f64) -> f64 {
        x.powi(3)
    }

    /// It needs the series of what it calls.
    #[differentiable(taylor)]
    fn shifted(x: f64) -> f64 {
        cube(x + 1.0)
    }
}

/// A recurrence for solutions of linear equations is not there yet.
#[differentiable]
fn solution(a: &Tensor2<f64, 2, 2>, b: &Tensor1<f64, 2>) -> Tensor1<f64, 2> {
    a.solve(b)
}

/// Nor is one of a derivative.
#[differentiable(taylor)]
fn slope(x: f64) -> f64 {
    curved::grad(x)
}

/// And wide numbers are of one precision.
#[differentiable(taylor)]
fn rounded(x: f64) -> f32 {
    x as f32 * 2.0
}

#[differentiable(taylor)]
fn doubled(x: &mut [f64]) {
    for x in x.iter_mut() {
        *x *= 2.0;
    }
}

/// What changes its arguments, and is called.
#[differentiable(taylor)]
fn by_doubling(x: f64, #[no_diff] count: usize) -> f64 {
    let mut y = vec![x; count];
    doubled(&mut y);
    y.iter().sum()
}

/// A rotation is known up to the fourth order of its change.
#[differentiable(taylor)]
fn turned(angle: f64) -> f64 {
    let turn = nalgebra::UnitQuaternion::from_axis_angle(&nalgebra::Vector3::z_axis(), angle);
    (turn * nalgebra::Vector3::new(1.0, 2.0, 3.0)).x
}

/// An inverse is known up to the order of the function.
#[differentiable(taylor)]
fn solved(a: &nalgebra::DMatrix<f64>, b: &nalgebra::DVector<f64>) -> f64 {
    a.clone().lu().solve(b).unwrap().sum()
}

fn table(x: f64) -> f64 {
    x.sqrt()
}

#[derivative(of = table)]
fn table_rule(x: f64, y_bar: f64) -> f64 {
    0.5 * y_bar / table(x)
}

/// What is differentiated by a rule.
#[differentiable(taylor)]
fn of_table(x: f64) -> f64 {
    2.0 * table(x)
}

/// The series is not differentiated.
#[differentiable]
fn loss(x: f64) -> f64 {
    curved::taylor::<3>(x, 1.0)[2]
}

#[differentiable]
fn curved(x: f64) -> f64 {
    x.sin()
}

fn main() {
    cube::taylor::<3>(1.0, 1.0);
    solution::taylor::<3>(&Tensor2::eye(), &Tensor1::ones(), &Tensor2::eye(), &Tensor1::ones());
}
