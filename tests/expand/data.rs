// An enum, a slice of structs, an `Option`, and a call: structs are their numbers, a slice of them is an array for each
// field, and what the callee hands to its reverse sweep is kept for each iteration.

#[derive(Differentiable, Clone)]
pub struct Sample {
    pub at: f64,
    pub value: f64,
}

#[derive(Differentiable, Clone)]
pub enum Model {
    Line { slope: f64, offset: f64 },
    Decay(f64),
}

#[differentiable]
pub fn predict(model: &Model, at: f64) -> f64 {
    match model {
        Model::Line { slope, offset } => slope * at + offset,
        Model::Decay(rate) => (-rate * at).exp(),
    }
}

#[differentiable]
pub fn worst(model: &Model, samples: &[Sample]) -> f64 {
    let mut worst: Option<f64> = None;
    for sample in samples {
        let error = (predict(model, sample.at) - sample.value).abs();
        worst = match worst {
            Some(least) => Some(least.max(error)),
            None => Some(error),
        };
    }
    worst.unwrap_or(0.0)
}
