//! `std::autodiff`: Enzyme in rustc (github.com/rust-lang/rust, `tests/{codegen,codegen-llvm,ui,pretty}/autodiff`; github.com/EnzymeAD/rustbook).

use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy)]
struct Input {
    x: f64,
    y: f64,
}

#[derive(Differentiable, Clone, Copy)]
struct Wrapper {
    z: f64,
}

#[derive(Differentiable, Clone, Copy)]
struct NestedInput {
    x: f64,
    y: Wrapper,
}

#[differentiable]
fn array_by_reference(x: &[f64; 2]) -> f64 {
    x[0] + x[1]
}

#[differentiable]
fn square_by_value(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn function_as_argument<F: Callable<(f64,), Output = f64>>(x: f64) -> f64 {
    F::call(x) * x
}

#[differentiable]
fn two_references<'a>(x: &'a f64, y: &'a f64) -> f64 {
    *x * *y
}

#[differentiable]
fn pair(x: (f64, f64)) -> f64 {
    x.0 * x.1
}

#[differentiable]
fn struct_by_value(i: Input) -> f64 {
    i.x + i.y
}

#[differentiable]
fn nested_struct(i: NestedInput) -> f64 {
    i.x + i.y.z * i.y.z
}

#[differentiable]
fn square(x: &f64) -> f64 {
    x * x
}

#[differentiable]
fn single(x: &f32) -> f32 {
    x * x
}

#[differentiable]
fn widened(x: f32, y: f32) -> f64 {
    (x * x * y) as f64
}

#[differentiable]
fn generic<T: Real>(x: &T) -> T {
    *x * *x
}

#[differentiable]
fn generic_by_operators<T: std::ops::Mul<Output = T> + Copy + Real>(x: T) -> T {
    x * x
}

trait Function {
    fn f(&self, x: f64) -> f64;
}

#[derive(Differentiable)]
struct Foo {
    a: f64,
}

#[differentiable]
impl Function for Foo {
    fn f(&self, x: f64) -> f64 {
        self.a * 0.25 * (x * x - 1.0 - 2.0 * x.ln())
    }
}

#[differentiable]
fn rosenbrock(x: &[f64; 2]) -> f64 {
    (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0].powi(2)).powi(2)
}

#[differentiable]
fn rosenbrock_into(x: &[f64; 2], y: &mut f64) {
    *y = (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0].powi(2)).powi(2);
}

#[differentiable]
fn several_outputs(x: &[f64; 2], y: &mut [f64; 3]) {
    y[0] = x[0] * x[1];
    y[1] = x[0].sin();
    y[2] = y[0] + y[1];
}

#[differentiable]
fn slices(x: &[f32], y: &mut f32) {
    *y = x.iter().map(|v| v * v).sum();
}

#[differentiable]
fn with_a_size(x: &[f64], n: usize) -> f64 {
    x[..n].iter().sum::<f64>() * n as f64
}

/// A parameter that is no number, and a string.
#[differentiable]
fn labelled(x: f64, #[no_diff] _label: &str, verbose: bool) -> f64 {
    if verbose { x.exp() } else { x }
}

#[differentiable]
#[inline(never)]
fn loss(images: &[f64], weights: &[f64]) -> f64 {
    let mut loss = 0.0;
    for i in 0..images.len() {
        let r = images[i] * weights[i] - 1.0;
        loss += r * r;
    }
    loss / images.len() as f64
}

#[differentiable]
fn ends_early(x: &[f64]) -> f64 {
    assert!(!x.is_empty());
    let first = x[0];
    first * first
}

#[differentiable]
fn unsafe_free_indices(x: &[f64], at: &[usize]) -> f64 {
    at.iter().map(|&i| x[i].powi(i as i32 + 1)).sum()
}

mod inner {
    use autodiff::prelude::*;

    #[differentiable]
    pub fn squared(x: f64) -> f64 {
        x * x
    }
}

#[differentiable]
fn in_a_module(x: f64) -> f64 {
    inner::squared(x) + self::inner::squared(2.0 * x)
}

#[test]
fn gradients() {
    gradient!(array_by_reference(&x) by x = [3.0, 4.0] => [1.0, 1.0]);
    gradient!(square_by_value(x) by x = 3.0 => [6.0]);
    assert_eq!(function_as_argument::<square_by_value>::grad(3.0), 27.0);
    gradient!(two_references(&x, &y) by x = 3.0, y = 3.2 => [3.2, 3.0]);
    gradient!(pair(x) by x = (3.0, 4.0) => [4.0, 3.0]);
    gradient!(struct_by_value(i) by i = Input { x: 3.0, y: 4.0 } => [1.0, 1.0]);
    gradient!(nested_struct(i) by i = NestedInput { x: 3.0, y: Wrapper { z: 4.0 } } => [1.0, 8.0]);
    gradient!(square(&x) by x = 3.0 => [6.0]);
    assert_eq!(single::value_and_grad(&3.0), (9.0, 6.0));
    assert_eq!(widened::value_and_grad(3.0, 2.5), (22.5, (15.0, 9.0)));
    assert_eq!((generic::grad(&3.0_f32), generic::grad(&3.0_f64)), (6.0, 6.0));
    assert_eq!((generic_by_operators::grad(3.0_f32), generic_by_operators::grad(3.0_f64)), (6.0, 6.0));
    let foo = Foo { a: 3.0 };
    assert_eq!((foo.f(1.0), foo.f_grad(2.0).1), (0.0, 3.0 * 0.25 * (4.0 - 1.0)));
    gradient!(rosenbrock(&x) by x = [3.0, 1.0] => [9604.0, -1600.0]);
    gradient!(with_a_size(&x, 2) by x = vec![1.0, 2.0, 3.0] => [2.0, 2.0, 0.0]);
    gradient!(labelled(x, "first", true) by x = 1.0 => [1.0_f64.exp()]);
    gradient!(loss(&images, &weights) by images = vec![1.0, 2.0], weights = vec![3.0, 4.0] => [6.0, 28.0, 2.0, 14.0]);
    gradient!(ends_early(&x) by x = vec![3.0, 4.0] => [6.0, 0.0]);
    gradient!(unsafe_free_indices(&x, &[1, 1, 0]) by x = vec![3.0, 4.0] => [1.0, 16.0]);
    gradient!(in_a_module(x) by x = 3.0 => [30.0]);
}

#[test]
fn outputs() {
    let (mut y, mut y_dot) = (0.0, 0.0);
    rosenbrock_into::jvp(&[3.0, 1.0], &mut y, &[1.0, 0.0], &mut y_dot);
    assert_eq!((y, y_dot), (6404.0, 9604.0));
    let (mut y, mut y_dot) = ([0.0; 3], [0.0; 3]);
    several_outputs::jvp(&[0.5, 2.0], &mut y, &[0.0, 1.0], &mut y_dot);
    assert_eq!((y, y_dot), ([1.0, 0.5_f64.sin(), 1.0 + 0.5_f64.sin()], [0.5, 0.0, 0.5]));
    let mut y = 0.0;
    let ((), pullback) = slices::vjp(&[1.0, 2.0], &mut y);
    assert_eq!((pullback((), (vec![0.0; 2], 1.0)), y), ((vec![2.0, 4.0], 0.0), 5.0));
}
