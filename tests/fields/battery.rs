//! Energy: an equivalent-circuit model of a battery with two RC pairs and lookup tables (Plett, "Battery Management Systems").

use crate::differences::check;
use autodiff::prelude::*;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
enum SimulationError {
    OutOfCharge { at: usize },
    OverVoltage(usize),
    EmptyTable,
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulationError::OutOfCharge { at } => write!(f, "out of charge at sample {at}"),
            SimulationError::OverVoltage(at) => write!(f, "over voltage at sample {at}"),
            SimulationError::EmptyTable => write!(f, "empty table"),
        }
    }
}

impl std::error::Error for SimulationError {}

#[derive(Debug, Clone, Differentiable)]
struct Table {
    #[no_diff]
    x: Vec<f64>,
    y: Vec<f64>,
}

#[differentiable]
impl Table {
    /// Linear interpolation, clamped at the ends.
    fn lookup(&self, x: f64) -> Result<f64, SimulationError> {
        let n = self.x.len();
        if n == 0 {
            return Err(SimulationError::EmptyTable);
        }
        if x <= self.x[0] {
            return Ok(self.y[0]);
        }
        for i in 1..n {
            if x <= self.x[i] {
                let t = (x - self.x[i - 1]) / (self.x[i] - self.x[i - 1]);
                return Ok(self.y[i - 1] + t * (self.y[i] - self.y[i - 1]));
            }
        }
        Ok(self.y[n - 1])
    }
}

#[derive(Debug, Clone, Differentiable)]
struct RcPair {
    r: f64,
    tau: f64,
}

#[derive(Debug, Clone, Differentiable)]
struct Cell {
    ocv: Table,
    r0: Table,
    rc: [RcPair; 2],
    capacity: f64,
    efficiency: f64,
    #[no_diff]
    v_max: f64,
}

#[derive(Debug, Clone, Copy)]
struct Sample {
    /// Positive: discharge.
    current: f64,
    dt: f64,
    voltage: f64,
}

#[derive(Debug, Clone, Differentiable)]
struct State {
    soc: f64,
    i_rc: [f64; 2],
}

#[differentiable]
impl Cell {
    fn advance(&self, state: &State, #[no_diff] sample: &Sample) -> State {
        let eta = if sample.current < 0.0 { self.efficiency } else { 1.0 };
        let mut next = state.clone();
        next.soc -= eta * sample.current * sample.dt / (3600.0 * self.capacity);
        for (i, pair) in next.i_rc.iter_mut().zip(&self.rc) {
            let decay = (-sample.dt / pair.tau).exp();
            *i = decay * *i + (1.0 - decay) * sample.current;
        }
        next
    }

    fn terminal_voltage(&self, state: &State, current: f64) -> Result<f64, SimulationError> {
        let ocv = self.ocv.lookup(state.soc)?;
        let r0 = self.r0.lookup(state.soc)?;
        let polarisation: f64 = self.rc.iter().zip(state.i_rc.iter()).map(|(pair, i)| pair.r * i).sum();
        Ok(ocv - r0 * current - polarisation)
    }
}

#[differentiable]
fn simulate(cell: &Cell, start: f64, #[no_diff] profile: &[Sample]) -> Result<f64, SimulationError> {
    let mut state = State { soc: start, i_rc: [0.0; 2] };
    let mut error = 0.0;
    for (k, sample) in profile.iter().enumerate() {
        state = cell.advance(&state, sample);
        if state.soc < 0.0 {
            return Err(SimulationError::OutOfCharge { at: k });
        }
        let v = cell.terminal_voltage(&state, sample.current)?;
        if v > cell.v_max {
            return Err(SimulationError::OverVoltage(k));
        }
        error += (v - sample.voltage).powi(2);
    }
    Ok((error / profile.len() as f64).sqrt())
}

#[differentiable]
fn rmse(cell: &Cell, start: f64, #[no_diff] profile: &[Sample]) -> f64 {
    match simulate(cell, start, profile) {
        Ok(error) => error,
        Err(_) => 1e3,
    }
}

fn cell(p: &[f64]) -> Cell {
    Cell {
        ocv: Table { x: vec![0.0, 0.2, 0.5, 0.8, 1.0], y: p[..5].to_vec() },
        r0: Table { x: vec![0.0, 0.3, 1.0], y: p[5..8].to_vec() },
        rc: [RcPair { r: p[8], tau: p[9] }, RcPair { r: p[10], tau: p[11] }],
        capacity: p[12],
        efficiency: p[13],
        v_max: 4.5,
    }
}

#[test]
fn the_gradient_agrees_with_differences() {
    let profile: Vec<Sample> = (0..40)
        .map(|k| Sample { current: if k % 10 < 6 { 2.0 } else { -1.0 }, dt: 60.0, voltage: 3.7 - 0.004 * k as f64 })
        .collect();
    let at = [3.0, 3.5, 3.7, 3.95, 4.15, 0.05, 0.03, 0.02, 0.015, 30.0, 0.02, 400.0, 2.3, 0.98, 0.7313];
    let (g, s) = rmse::grad(&cell(&at), at[14], &profile);
    let flat =
        [&g.ocv.y[..], &g.r0.y[..], &[g.rc[0].r, g.rc[0].tau, g.rc[1].r, g.rc[1].tau, g.capacity, g.efficiency, s]]
            .concat();
    check(|p| rmse(&cell(p), p[14], &profile), &at, &flat);
    assert_eq!(simulate(&cell(&at), 0.01, &profile), Err(SimulationError::OutOfCharge { at: 0 }));
    assert_eq!(rmse::grad(&cell(&at), 0.01, &profile).1, 0.0);
}
