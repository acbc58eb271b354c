// What changes: an array by `&mut`, whose cotangent is in-out, and a `Vec` that grows. A small function is taken into its caller, and
// one whose loop has a length of run time is called.

#[differentiable]
pub fn step(state: &mut [f64; 2], rate: f64) {
    let force = -state[0].sin();
    state[1] += rate * force;
    state[0] += rate * state[1];
}

#[differentiable]
pub fn damp(state: &mut [f64], by: f64) {
    for x in state.iter_mut() {
        *x *= by;
    }
}

#[differentiable]
pub fn energies(start: f64, rate: f64, #[no_diff] steps: usize) -> f64 {
    let mut state = [start, 0.0];
    let mut energies = Vec::new();
    for _ in 0..steps {
        step(&mut state, rate);
        damp(&mut state, 1.0 - rate);
        energies.push(0.5 * state[1] * state[1] - state[0].cos());
    }
    energies.iter().sum::<f64>() / steps as f64
}
