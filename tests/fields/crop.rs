//! Agriculture: a crop with a daily balance of water and stages of growth.

use crate::differences::check;
use autodiff::prelude::*;
#[derive(Clone, Debug)]
struct Weather {
    tmin: f64,
    tmax: f64,
    rain: f64,
    radiation: f64,
}
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Sown,
    Emerged,
    Flowering,
    Mature,
}
impl Stage {
    fn number(self) -> usize {
        match self {
            Stage::Sown => 0,
            Stage::Emerged => 1,
            Stage::Flowering => 2,
            Stage::Mature => 3,
        }
    }
    fn advance(&mut self) {
        *self = match self {
            Stage::Sown => Stage::Emerged,
            Stage::Emerged => Stage::Flowering,
            _ => Stage::Mature,
        };
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Crop {
    base_temperature: f64,
    thermal_time: [f64; 3],
    rue: f64,
    extinction: f64,
    field_capacity: f64,
}
#[derive(Clone, Debug, Differentiable)]
struct State {
    biomass: f64,
    lai: f64,
    water: f64,
    heat: f64,
    stage: Stage,
}
#[differentiable]
impl State {
    fn new(crop: &Crop) -> Self {
        State { biomass: 0.0, lai: 0.05, water: 0.8 * crop.field_capacity, heat: 0.0, stage: Stage::Sown }
    }
    fn advance(&mut self, crop: &Crop, #[no_diff] day: &Weather) {
        let mean = 0.5 * (day.tmin + day.tmax);
        let effective = (mean - crop.base_temperature).max(0.0);
        self.heat += effective;
        let k = self.stage.number();
        if k < 3 && self.heat > crop.thermal_time[k] {
            self.heat -= crop.thermal_time[k];
            self.stage.advance();
        }
        let intercepted = 1.0 - (-crop.extinction * self.lai).exp();
        let demand = 0.2 * day.radiation * intercepted;
        let supply = 0.1 * self.water;
        let stress = (supply / demand.max(1e-3)).min(1.0);
        self.water = (self.water + day.rain - demand * stress).min(crop.field_capacity);
        if self.stage != Stage::Sown && self.stage != Stage::Mature {
            let growth = crop.rue * day.radiation * intercepted * stress;
            self.biomass += growth;
            if self.stage == Stage::Emerged {
                self.lai += 0.02 * growth;
            } else {
                self.lai *= 0.99;
            }
        }
    }
}
#[differentiable]
fn crop_yield(crop: &Crop, #[no_diff] season: &[Weather]) -> f64 {
    let mut state = State::new(crop);
    for day in season {
        state.advance(crop, day);
    }
    0.45 * state.biomass
}
#[test]
fn gradient() {
    let crop = |p: &[f64]| Crop {
        base_temperature: p[0],
        thermal_time: [p[1], p[2], p[3]],
        rue: p[4],
        extinction: p[5],
        field_capacity: p[6],
    };
    let season: Vec<Weather> = (0..60)
        .map(|d| Weather {
            tmin: 8.0 + (d as f64 * 0.3).sin(),
            tmax: 20.0 + (d as f64 * 0.2).cos(),
            rain: if d % 7 == 0 { 6.0 } else { 0.0 },
            radiation: 15.0 + (d as f64 * 0.1).sin(),
        })
        .collect();
    let at = [5.0, 60.3, 200.7, 150.2, 1.3, 0.6, 90.0];
    let g = crop_yield::grad(&crop(&at), &season);
    check(
        |p| crop_yield(&crop(p), &season),
        &at,
        &[
            g.base_temperature,
            g.thermal_time[0],
            g.thermal_time[1],
            g.thermal_time[2],
            g.rue,
            g.extinction,
            g.field_capacity,
        ],
    );
}
