//! Methods: `#[differentiable(order = 2)]` on `impl` blocks, derivatives by suffix, and calls of methods in differentiable functions.

use crate::common::{STEP, TOLERANCE, assert_gradient, inner};
use autodiff::prelude::*;
use autodiff::{DifferentiableFn, Residuals};

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Robot {
    mass: f64,
    lengths: [f64; 2],
}

#[differentiable(order = 2)]
impl Robot {
    /// Of a falling body on the moon.
    const GRAVITY: f64 = 1.62;
    const JOINTS: usize = 2;

    /// Not a number, and left alone.
    fn name(&self) -> &'static str {
        if self.mass > 1.0 { "heavy" } else { "light" }
    }

    fn height(&self, q: &[f64; Self::JOINTS]) -> f64 {
        self.lengths[0] * q[0].sin() + self.lengths[1] * (q[0] + q[1]).sin()
    }

    /// Calls another method, and a constant of the type.
    pub fn energy(&self, q: &[f64; 2], v: f64) -> f64 {
        0.5 * self.mass * v * v + self.mass * Self::GRAVITY * self.height(q)
    }

    /// Of no robot in particular.
    fn spring(x: f64, stiffness: f64) -> f64 {
        0.5 * stiffness * x * x
    }

    fn held(&self, q: &[f64; 2], x: f64) -> f64 {
        Self::spring(x, self.mass) + Robot::energy(self, q, x) * Self::spring(q[0], 3.0)
    }

    fn positions(&self, q: &[f64; 2]) -> [f64; 2] {
        [self.lengths[0] * q[0].cos(), self.lengths[1] * q[1].cos()]
    }

    /// Uses itself up.
    fn consumed(mut self, by: f64) -> f64 {
        self.mass *= by;
        self.mass * self.lengths[0]
    }

    /// Adds to what it has, and says what it had.
    fn grow(&mut self, by: f64) -> f64 {
        let before = self.mass;
        self.mass += by * by * self.lengths[0];
        before * by
    }

    /// Of as many as there are.
    fn total(&self, x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += (self.mass * x[i]).sin() * x[i];
        }
        s
    }

    fn chained(&self, x: f64) -> f64 {
        self.height(&self.positions(&[x, 0.3])).exp().sin()
    }
}

fn robot() -> Robot {
    Robot { mass: 1.3, lengths: [0.7, 0.4] }
}

const Q: [f64; 2] = [0.4, -0.9];

fn assert_close(a: f64, b: f64) {
    assert!((a - b).abs() <= TOLERANCE * (1.0 + b.abs()), "{a} instead of {b}");
}

#[test]
fn derivatives_by_suffix() {
    let robot = robot();
    assert_eq!(robot.name(), "heavy");
    let (value, (by_robot, by_q, by_v)) = robot.energy_value_and_grad(&Q, 2.0);
    assert_eq!(value, robot.energy(&Q, 2.0));
    assert_gradient(&robot, &by_robot, |robot| robot.energy(&Q, 2.0));
    assert_gradient(&Q, &by_q, |q| robot.energy(q, 2.0));
    assert_gradient(&2.0, &by_v, |v| robot.energy(&Q, *v));
    assert_eq!(robot.energy_grad(&Q, 2.0), (by_robot.clone(), by_q, by_v));

    let mut g = (by_robot.clone(), by_q, by_v);
    assert_eq!(robot.energy_accumulate_grad(&Q, 2.0, &mut g), value);
    assert_close(g.0.mass, 2.0 * by_robot.mass);
    assert_close(g.2, 2.0 * by_v);
    robot.energy_grad_into(&Q, 2.0, &mut g);
    assert_eq!(g, (by_robot.clone(), by_q, by_v));
    assert_eq!(robot.energy_value_and_grad_into(&Q, 2.0, &mut g), value);

    let direction = (RobotTangent { mass: 0.3, lengths: [-1.0, 0.2] }, [0.5, 1.5], -0.7);
    let (by_jvp, dot) = robot.energy_jvp(&Q, 2.0, &direction.0, &direction.1, direction.2);
    assert_eq!(by_jvp, value);
    assert_close(dot, inner(&direction.0, &by_robot) + inner(&direction.1, &by_q) + direction.2 * by_v);

    let (by_vjp, pullback) = robot.energy_vjp(&Q, 2.0);
    assert_eq!(by_vjp, value);
    assert_close(pullback(-2.0).2, -2.0 * by_v);
    let (_, residuals) = robot.energy_forward(&Q, 2.0);
    assert_close(Robot::energy_pullback(&residuals, 1.0).0.mass, by_robot.mass);

    // The Hessian against the change of the gradient.
    let hvp = robot.energy_hvp(&Q, 2.0, &direction.0, &direction.1, direction.2);
    let moved = |by: f64| {
        let robot = Robot {
            mass: robot.mass + by * direction.0.mass,
            lengths: [0, 1].map(|k| robot.lengths[k] + by * direction.0.lengths[k]),
        };
        robot.energy_grad(&[0, 1].map(|k| Q[k] + by * direction.1[k]), 2.0 + by * direction.2)
    };
    let (after, before) = (moved(STEP), moved(-STEP));
    assert_close(hvp.0.mass, (after.0.mass - before.0.mass) / (2.0 * STEP));
    assert_close(hvp.0.lengths[1], (after.0.lengths[1] - before.0.lengths[1]) / (2.0 * STEP));
    assert_close(hvp.1[0], (after.1[0] - before.1[0]) / (2.0 * STEP));
    assert_close(hvp.2, (after.2 - before.2) / (2.0 * STEP));
}

#[test]
fn every_kind_of_receiver() {
    let robot = robot();
    let (by_robot, by_q, by_x) = robot.held_grad(&Q, 0.8);
    assert_gradient(&robot, &by_robot, |robot| robot.held(&Q, 0.8));
    assert_gradient(&Q, &by_q, |q| robot.held(q, 0.8));
    assert_gradient(&0.8, &by_x, |x| robot.held(&Q, *x));

    assert_eq!(Robot::spring_grad(2.0, 3.0), (6.0, 2.0));

    let (by_robot, by) = robot.clone().consumed_grad(1.5);
    assert_gradient(&robot, &by_robot, |robot| robot.clone().consumed(1.5));
    assert_gradient(&1.5, &by, |by| robot.clone().consumed(*by));

    let (value, by_x) = robot.chained_value_and_grad(0.2);
    assert_eq!(value, robot.chained(0.2));
    assert_gradient(&0.2, &by_x.1, |x| robot.chained(*x));
    assert_gradient(&robot, &by_x.0, |robot| robot.chained(0.2));

    let (positions, pullback) = robot.positions_vjp(&Q);
    assert_eq!(positions, robot.positions(&Q));
    let (by_robot, by_q) = pullback(&[2.0, -1.0]);
    let weighted = |robot: &Robot, q: &[f64; 2]| {
        let [a, b] = robot.positions(q);
        2.0 * a - b
    };
    assert_gradient(&robot, &by_robot, |robot| weighted(robot, &Q));
    assert_gradient(&Q, &by_q, |q| weighted(&robot, q));
}

#[test]
fn slices() {
    let x = [0.3, -1.0, 2.0];
    let (by_robot, by_x) = robot().total_grad(&x);
    assert_gradient(&robot(), &by_robot, |robot| robot.total(&x));
    assert_gradient(&x, &[by_x[0], by_x[1], by_x[2]], |x| robot().total(x));
    let (_, pullback) = robot().total_vjp(&x);
    assert_eq!(pullback(1.0).1.len(), 3);
}

/// `&mut self` is in-out: what is there afterwards, and its tangent.
#[test]
fn a_receiver_that_is_changed() {
    let (mut moved, mut dot) = (robot(), RobotTangent { mass: 0.5, lengths: [1.0, 0.0] });
    let (value, value_dot) = moved.grow_jvp(2.0, &mut dot, 0.1);
    assert_close(value, 2.6);
    assert_close(moved.mass, 1.3 + 4.0 * 0.7);
    assert_close(value_dot, 0.5 * 2.0 + 1.3 * 0.1);
    assert_close(dot.mass, 0.5 + 2.0 * 2.0 * 0.1 * 0.7 + 4.0);
}

/// The function that stands for a method is the place of its type and sizes.
struct Kept {
    residuals: Residuals<Robot_energy>,
}

#[test]
fn the_function_of_a_method() {
    let (value, residuals) = Robot_energy::forward(&robot(), &Q, 2.0);
    assert_eq!(value, robot().energy(&Q, 2.0));
    let kept = Kept { residuals };
    assert_eq!(Robot::energy_pullback(&kept.residuals, 1.0), robot().energy_grad(&Q, 2.0));
    assert_eq!(Robot_energy::RESIDUAL_BYTES, size_of::<Residuals<Robot_energy>>());
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct State {
    x: f64,
    v: f64,
}

#[differentiable(order = 2)]
impl State {
    fn kicked(&self, by: f64) -> State {
        Self { x: self.x, v: self.v + by }
    }

    fn drifted(&self, h: f64) -> Self {
        State { x: self.x + h * self.v, v: self.v }
    }

    fn energy(&self) -> f64 {
        0.5 * self.v * self.v + self.x.cos()
    }

    /// One call on the result of another.
    fn after(&self, h: f64) -> f64 {
        self.kicked(h * self.x.sin()).drifted(h).energy()
    }
}

#[test]
fn chains_of_calls() {
    let state = State { x: 0.4, v: -0.3 };
    let (by_state, by_h) = state.after_grad(0.1);
    assert_gradient(&state, &by_state, |state| state.after(0.1));
    assert_gradient(&0.1, &by_h, |h| state.after(*h));
    let hvp = state.after_hvp(0.1, &StateTangent { x: 1.0, v: 0.5 }, 0.0);
    let moved = |by: f64| State { x: 0.4 + by, v: -0.3 + 0.5 * by }.after_grad(0.1);
    assert_close(hvp.0.x, (moved(STEP).0.x - moved(-STEP).0.x) / (2.0 * STEP));
    assert_close(hvp.1, (moved(STEP).1 - moved(-STEP).1) / (2.0 * STEP));
}

// --- generic types ---------------------------------------------------------------------------------------------

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Arm<T: Real, const N: usize> {
    links: [T; N],
}

#[differentiable(order = 2)]
impl<T: Real, const N: usize> Arm<T, N> {
    fn reach(&self, q: &[T; N]) -> T {
        let mut x = T::ZERO;
        for i in 0..N {
            x += self.links[i] * q[i].cos();
        }
        x
    }

    /// With a parameter of its own.
    fn along<const M: usize>(&self, q: &[T; N], weights: &[T; M]) -> T {
        let mut s = T::ZERO;
        for k in 0..M {
            s += weights[k] * weights[k];
        }
        s * self.reach(q)
    }

    fn unit(x: T) -> T {
        x * x
    }

    fn scaled(&self, x: T) -> T {
        Self::unit(x) * self.links[0]
    }
}

#[differentiable(order = 2)]
fn two_arms(a: &Arm<f64, 3>, b: &Arm<f64, 2>, x: f64) -> f64 {
    a.reach(&[x, 2.0 * x, 0.1]) * b.along(&[x, x], &[x]) + Arm::<f64, 3>::unit(x) + Arm::scaled(b, x)
}

#[test]
fn methods_of_generic_types() {
    let (a, b) = (Arm { links: [0.5, -1.0, 2.0] }, Arm { links: [1.5, 0.7] });
    let (by_a, by_b, by_x) = two_arms::grad(&a, &b, 0.6);
    assert_gradient(&a, &by_a, |a| two_arms(a, &b, 0.6));
    assert_gradient(&b, &by_b, |b| two_arms(&a, b, 0.6));
    assert_gradient(&0.6, &by_x, |x| two_arms(&a, &b, *x));
    let (by_self, by_q, by_weights) = b.along_grad(&[0.3, 0.4], &[2.0, 1.0, -1.0]);
    assert_gradient(&b, &by_self, |b| b.along(&[0.3, 0.4], &[2.0, 1.0, -1.0]));
    assert_gradient(&[0.3, 0.4], &by_q, |q| b.along(q, &[2.0, 1.0, -1.0]));
    assert_gradient(&[2.0, 1.0, -1.0], &by_weights, |weights| b.along(&[0.3, 0.4], weights));
    assert_eq!(Arm { links: [1.0_f32, 2.0] }.reach_grad(&[0.0, 0.0]).0.links, [1.0, 1.0]);
}

// --- types without a derivative, and choices --------------------------------------------------------------------

struct Config {
    gain: f64,
    steps: usize,
}

impl Config {
    fn half(&self) -> f64 {
        self.gain / 2.0
    }
}

#[differentiable(order = 2)]
impl Config {
    #[differentiable(order = 2)]
    fn damped(#[no_diff] &self, x: f64) -> f64 {
        let gain: f64 = self.gain;
        let mut y = x;
        for _ in 0..3 {
            y = y - gain * y.sin();
        }
        y
    }

    /// Would take and give numbers, but does not say that it is differentiated.
    fn plain(&self, x: f64) -> f64 {
        x + self.steps as f64
    }
}

#[differentiable(order = 2)]
fn settled(#[no_diff] config: &Config, x: f64) -> f64 {
    let half: f64 = config.half();
    config.damped(x * half) + config.damped(x)
}

#[test]
fn a_receiver_without_a_derivative() {
    let config = Config { gain: 0.3, steps: 2 };
    assert_eq!(config.plain(1.0), 3.0);
    assert_gradient(&0.7, &config.damped_grad(0.7), |x| config.damped(*x));
    assert_gradient(&0.7, &settled::grad(&config, 0.7), |x| settled(&config, *x));
    let (_, pullback) = config.damped_vjp(0.7);
    assert_gradient(&0.7, &pullback(1.0), |x| config.damped(*x));
    let (_, pullback) = settled::vjp(&config, 0.7);
    assert_gradient(&0.7, &pullback(1.0), |x| settled(&config, *x));
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Layer {
    w: Tensor2<f64, 3, 2>,
    b: Tensor1<f64, 2>,
}

#[differentiable(wrt(self), order = 2)]
impl Layer {
    fn apply<const B: usize>(&self, x: &Tensor2<f64, B, 3>) -> Tensor2<f64, B, 2> {
        (x.matmul(self.w) + self.b).tanh()
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Net {
    layer: Layer,
    scale: f64,
}

#[differentiable(order = 2)]
impl Net {
    #[differentiable(order = 2)]
    fn loss<const B: usize>(&self, #[no_diff] x: &Tensor2<f64, B, 3>) -> f64 {
        self.layer.apply(x).square().mean() * self.scale
    }
}

#[test]
fn tensors_and_fields() {
    let net = Net {
        layer: Layer { w: Tensor2::from_fn(|[i, j]| (i as f64 - j as f64) / 3.0), b: Tensor1::from([0.1, -0.2]) },
        scale: 1.5,
    };
    let x = Tensor2::<f64, 4, 3>::from_fn(|[i, j]| ((3 * i + j) as f64).sin());
    assert_gradient(&net, &net.loss_grad(&x), |net| net.loss(&x));
    let (_, pullback) = net.layer.apply_vjp(&x);
    let by_layer = pullback(&Tensor2::ones());
    let total = |layer: &Layer| layer.apply(&x).as_slice().iter().sum();
    assert_gradient(&net.layer, &by_layer, total);
}

// --- traits ----------------------------------------------------------------------------------------------------

trait Potential {
    fn potential(&self, x: f64) -> f64;
    fn twice(&self, x: f64) -> f64 {
        2.0 * self.potential(x)
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Spring {
    k: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Morse(f64, f64);

#[differentiable(order = 2)]
impl Potential for Spring {
    fn potential(&self, x: f64) -> f64 {
        0.5 * self.k * x * x
    }
}

#[differentiable(order = 2)]
impl Potential for Morse {
    fn potential(&self, x: f64) -> f64 {
        let e = 1.0 - (-self.0 * x).exp();
        self.1 * e * e
    }
}

#[differentiable(order = 2)]
fn molecule(spring: &Spring, bond: &Morse, x: f64) -> f64 {
    spring.potential(x) + bond.potential(0.5 * x) * spring.k
}

#[test]
fn methods_of_traits() {
    let (spring, bond) = (Spring { k: 3.0 }, Morse(0.8, 1.9));
    assert_eq!(spring.twice(2.0), 12.0);
    assert_eq!(spring.potential_grad(2.0), (SpringTangent { k: 2.0 }, 6.0));
    let (by_spring, by_bond, by_x) = molecule::grad(&spring, &bond, 0.6);
    assert_gradient(&spring, &by_spring, |spring| molecule(spring, &bond, 0.6));
    assert_gradient(&bond, &by_bond, |bond| molecule(&spring, bond, 0.6));
    assert_gradient(&0.6, &by_x, |x| molecule(&spring, &bond, *x));
}

// --- other modules and crates -----------------------------------------------------------------------------------

mod parts {
    use autodiff::prelude::*;

    const SIZE: usize = 2;

    #[derive(Differentiable, Clone, Debug, PartialEq)]
    pub struct Wheel {
        pub radius: f64,
    }

    #[differentiable(order = 2)]
    impl Wheel {
        pub fn rolled(&self, turns: &[f64; SIZE]) -> f64 {
            (turns[0] + turns[1] * turns[1]) * self.radius
        }
    }
}

/// By the path of the type.
#[differentiable(order = 2)]
fn by_path(wheel: &parts::Wheel, x: f64) -> f64 {
    wheel.rolled(&[x, x]) + parts::Wheel::rolled(wheel, &[x, 1.0])
}

mod elsewhere {
    use super::parts::{Wheel, Wheel_rolled};
    use autodiff::prelude::*;
    use model_crate::{Pendulum, Pendulum_energy};

    /// By an import of the type and of the method.
    #[differentiable(order = 2)]
    pub fn imported(wheel: &Wheel, pendulum: &Pendulum, x: f64) -> f64 {
        wheel.rolled(&[x, x]) * pendulum.energy(x, 0.5)
    }
}

#[test]
fn methods_of_other_modules_and_crates() {
    let (wheel, pendulum) = (parts::Wheel { radius: 0.4 }, model_crate::Pendulum { length: 0.9, mass: 2.0 });
    let (by_wheel, by_x) = by_path::grad(&wheel, 0.7);
    assert_gradient(&wheel, &by_wheel, |wheel| by_path(wheel, 0.7));
    assert_gradient(&0.7, &by_x, |x| by_path(&wheel, *x));
    let (by_wheel, by_pendulum, by_x) = elsewhere::imported::grad(&wheel, &pendulum, 0.7);
    assert_gradient(&wheel, &by_wheel, |wheel| elsewhere::imported(wheel, &pendulum, 0.7));
    assert_gradient(&pendulum, &by_pendulum, |pendulum| elsewhere::imported(&wheel, pendulum, 0.7));
    assert_gradient(&0.7, &by_x, |x| elsewhere::imported(&wheel, &pendulum, *x));
    assert_gradient(&pendulum, &pendulum.energy_grad(0.3, 0.2).0, |pendulum| pendulum.energy(0.3, 0.2));
}
