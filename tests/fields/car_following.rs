//! Traffic: the intelligent driver model on a ring (Treiber 2000), with limits of speed in a map.

use crate::differences::check;
use autodiff::prelude::*;
use std::collections::BTreeMap;
#[derive(Clone, Debug, Differentiable)]
struct Driver {
    desired: f64,
    headway: f64,
    accel: f64,
    brake: f64,
    gap: f64,
}
#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Car {
    x: f64,
    v: f64,
}
fn limit(limits: &BTreeMap<i64, f64>, x: f64) -> f64 {
    limits.range(..=x.floor() as i64).next_back().map(|(_, v)| *v).unwrap_or(30.0)
}
#[differentiable]
impl Driver {
    fn acceleration(&self, v: f64, lead: f64, gap: f64, #[no_diff] cap: f64) -> f64 {
        let wanted = self.gap + (v * self.headway + v * (v - lead) / (2.0 * (self.accel * self.brake).sqrt())).max(0.0);
        let free = v / self.desired.min(cap);
        self.accel * (1.0 - free.powi(4) - (wanted / gap).powi(2))
    }
}
#[differentiable]
fn flow(
    driver: &Driver,
    start: &[Car],
    #[no_diff] length: f64,
    #[no_diff] limits: &BTreeMap<i64, f64>,
    #[no_diff] steps: usize,
) -> f64 {
    let mut cars = start.to_vec();
    let n = cars.len();
    let mean_limit = limits.values().sum::<f64>() / limits.len() as f64;
    for _ in 0..steps {
        let accelerations: Vec<f64> = (0..n)
            .map(|i| {
                let lead = &cars[(i + 1) % n];
                let mut gap = lead.x - cars[i].x;
                if gap < 0.0 {
                    gap += length;
                }
                driver.acceleration(cars[i].v, lead.v, gap - 4.0, mean_limit)
            })
            .collect();
        for (car, a) in cars.iter_mut().zip(&accelerations) {
            car.v = (car.v + a * 0.2).max(0.0);
            car.x += car.v * 0.2;
            if car.x > length {
                car.x -= length;
            }
        }
    }
    cars.iter().map(|c| c.v).sum::<f64>() / length
}
#[test]
fn gradient() {
    let limits = BTreeMap::from([(0, 25.0), (50, 20.0)]);
    assert_eq!(limit(&limits, 60.0), 20.0);
    let driver = |p: &[f64]| Driver { desired: p[0], headway: p[1], accel: p[2], brake: p[3], gap: p[4] };
    let cars = |p: &[f64]| p.chunks(2).map(|c| Car { x: c[0], v: c[1] }).collect::<Vec<_>>();
    let at = [30.0, 1.2, 1.5, 2.0, 2.0, 0.0, 10.0, 30.0, 9.0, 70.0, 12.0];
    let (d, c) = flow::grad(&driver(&at), &cars(&at[5..]), 120.0, &limits, 30);
    let mut flat = vec![d.desired, d.headway, d.accel, d.brake, d.gap];
    flat.extend(c.iter().flat_map(|c| [c.x, c.v]));
    check(|p| flow(&driver(p), &cars(&p[5..]), 120.0, &limits, 30), &at, &flat);
}
