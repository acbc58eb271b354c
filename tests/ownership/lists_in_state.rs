//! Structs with a `Vec` of which only run time knows the length, before other fields, lent by `&mut`.

use crate::harness::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone)]
struct Filter {
    buffer: Vec<f64>,
    rate: f64,
    last: f64,
}

trait Reset {
    fn reset(&mut self, to: f64);
}

#[differentiable(order = 2)]
impl Filter {
    fn double(&mut self) {
        self.rate *= 2.0;
        self.last += self.rate;
    }
    fn scale(&mut self, by: f64) {
        for b in self.buffer.iter_mut() {
            *b *= by;
        }
        self.last *= self.buffer[0];
    }
}

#[differentiable(order = 2)]
impl Reset for Filter {
    fn reset(&mut self, to: f64) {
        self.last = to * self.rate;
    }
}

#[differentiable(order = 2)]
fn collected(x: &[f64]) -> f64 {
    let mut f = Filter { buffer: x.iter().map(|x| x * x).collect(), rate: x[0], last: x[1] };
    f.double();
    f.scale(x[1]);
    f.reset(x[2]);
    f.rate * f.last + f.buffer[1]
}

#[test]
fn a_list_that_is_collected() {
    check!(collected(&x) by x = [0.7, 1.3, 0.4]);
}

#[derive(Differentiable, Clone)]
struct Simulation {
    log: Vec<f64>,
    speeds: Vec<f64>,
    position: f64,
    speed: f64,
}

#[differentiable(order = 2)]
impl Simulation {
    fn step(&mut self, force: f64) {
        self.speed += 0.1 * (force - self.position);
        self.position += 0.1 * self.speed;
    }
}

#[differentiable(order = 2)]
fn simulated(x: &[f64]) -> f64 {
    let mut s = Simulation { log: Vec::new(), speeds: vec![0.5], position: x[0], speed: 0.0 };
    for force in x {
        s.step(*force);
        s.log.push(s.position);
        s.speeds.push(s.speed * s.speed);
    }
    s.log.iter().map(|v| v * v).sum::<f64>() + s.speed + s.speeds[2]
}

#[test]
fn a_list_that_grows_between_steps() {
    check!(simulated(&x) by x = [0.7, 1.3, 0.4]);
}

#[derive(Differentiable, Clone)]
struct Body {
    mass: f64,
    speed: f64,
}

#[derive(Differentiable, Clone)]
struct World {
    bodies: Vec<Body>,
    time: f64,
}

#[derive(Differentiable, Clone)]
struct Universe {
    world: World,
    age: f64,
}

#[differentiable(order = 2)]
impl Universe {
    fn tick(&mut self, dt: f64) {
        for b in self.world.bodies.iter_mut() {
            b.speed *= dt;
        }
        self.world.time += dt;
        self.age *= self.world.time;
    }
}

#[differentiable(order = 2)]
fn ticked(x: &[f64]) -> f64 {
    let bodies = x.iter().map(|x| Body { mass: *x, speed: x * x }).collect();
    let mut u = Universe { world: World { bodies, time: x[0] }, age: x[1] };
    for _ in 0..2 {
        u.tick(x[2]);
    }
    u.age + u.world.time * u.world.bodies[0].speed * u.world.bodies[1].mass
}

#[test]
fn a_list_of_structs_inside_of_a_struct() {
    check!(ticked(&x) by x = [0.7, 1.3, 0.4]);
}

#[differentiable(order = 2)]
fn bump(pair: &mut (Vec<f64>, f64)) {
    pair.1 *= pair.0[0];
}

#[differentiable(order = 2)]
fn bumped(x: &[f64]) -> f64 {
    let mut pair = (x.iter().map(|x| x * x).collect::<Vec<f64>>(), x[1]);
    bump(&mut pair);
    bump(&mut pair);
    pair.1
}

#[test]
fn a_list_in_a_tuple() {
    check!(bumped(&x) by x = [0.7, 1.3, 0.4]);
}
