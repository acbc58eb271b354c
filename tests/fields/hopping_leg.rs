//! A spring-loaded inverted pendulum: flight and stance with events.
use autodiff::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Flight,
    Stance,
}

#[differentiable]
fn apex_height(height: f64, speed: f64, angle: f64, stiffness: f64) -> f64 {
    let (m, g, l0) = (1.0, 9.81, 1.0);
    let (mut x, mut y, mut vx, mut vy) = (0.0, height, speed, 0.0);
    let mut phase = Phase::Flight;
    let mut foot = 0.0;
    let dt = 1e-3;
    let mut touched = false;
    let mut steps = 0;
    loop {
        match phase {
            Phase::Flight => {
                vy -= g * dt;
                x += vx * dt;
                y += vy * dt;
                if !touched && y <= l0 * angle.cos() {
                    phase = Phase::Stance;
                    foot = x + l0 * angle.sin();
                    touched = true;
                }
                if touched && vy <= 0.0 && phase == Phase::Flight {
                    break;
                }
            }
            Phase::Stance => {
                let (dx, dy) = (x - foot, y);
                let l = (dx * dx + dy * dy).sqrt();
                let force = stiffness * (l0 - l);
                vx += dt * force * dx / (l * m);
                vy += dt * (force * dy / (l * m) - g);
                x += vx * dt;
                y += vy * dt;
                if l > l0 && vy > 0.0 {
                    phase = Phase::Flight;
                }
            }
        }
        steps += 1;
        if steps > 2000 {
            break;
        }
    }
    y + 0.1 * vx
}

#[test]
fn the_derivatives_agree_with_differences() {
    let (value, g) = apex_height::value_and_grad(1.1, 2.0, 0.35, 180.0);
    let (v2, d) = apex_height::jvp(1.1, 2.0, 0.35, 180.0, 1.0, 0.5, -0.3, 2.0);
    assert_eq!(value, v2);
    assert!((g.0 + 0.5 * g.1 - 0.3 * g.2 + 2.0 * g.3 - d).abs() < 1e-8 * (1.0 + d.abs()));
    let e = 1e-7;
    let diff = (apex_height(1.1, 2.0, 0.35, 180.0 + e) - apex_height(1.1, 2.0, 0.35, 180.0 - e)) / (2.0 * e);
    assert!((diff - g.3).abs() < 1e-5, "{diff} {}", g.3);
}
