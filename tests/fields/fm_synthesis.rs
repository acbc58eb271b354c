//! Audio: FM voices with envelopes as state machines, mixed from a score, fitted to a spectrum.
use autodiff::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    #[default]
    Idle,
    Attack,
    Decay,
    Sustain,
    Release,
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Adsr {
    attack: f64,
    decay: f64,
    sustain: f64,
    release: f64,
}

#[derive(Debug, Clone, Copy, Differentiable)]
struct Envelope {
    shape: Adsr,
    level: f64,
    #[no_diff]
    stage: Stage,
}

#[derive(Debug, Clone, Differentiable)]
struct Patch {
    envelope: Adsr,
    ratios: Vec<f64>,
    depths: Vec<f64>,
    gain: f64,
}

#[derive(Debug, Clone, Copy)]
struct Note {
    pitch: u8,
    start: usize,
    stop: usize,
}

#[differentiable]
impl Envelope {
    fn new(shape: Adsr) -> Self {
        Envelope { shape, level: 0.0, stage: Stage::default() }
    }

    fn trigger(&mut self) -> &mut Self {
        self.stage = Stage::Attack;
        self
    }

    fn release(&mut self) -> &mut Self {
        if self.stage != Stage::Idle {
            self.stage = Stage::Release;
        }
        self
    }

    fn next(&mut self) -> f64 {
        match self.stage {
            Stage::Idle => {}
            Stage::Attack => {
                self.level += self.shape.attack;
                if self.level >= 1.0 {
                    self.level = 1.0;
                    self.stage = Stage::Decay;
                }
            }
            Stage::Decay => {
                self.level -= self.shape.decay;
                if self.level <= self.shape.sustain {
                    self.level = self.shape.sustain;
                    self.stage = Stage::Sustain;
                }
            }
            Stage::Sustain => self.level = self.shape.sustain,
            Stage::Release => {
                self.level -= self.shape.release;
                if self.level <= 0.0 {
                    self.level = 0.0;
                    self.stage = Stage::Idle;
                }
            }
        }
        self.level
    }
}

fn frequency(pitch: u8) -> f64 {
    440.0 * 2f64.powf((f64::from(pitch) - 69.0) / 12.0)
}

#[differentiable]
fn voice(patch: &Patch, #[no_diff] note: &Note, #[no_diff] samples: usize, #[no_diff] rate: f64) -> Vec<f64> {
    let w = 2.0 * std::f64::consts::PI * frequency(note.pitch) / rate;
    let mut envelope = Envelope::new(patch.envelope);
    let mut out = vec![0.0; samples];
    for (t, out) in out.iter_mut().enumerate() {
        if t == note.start {
            envelope.trigger();
        } else if t == note.stop {
            envelope.release();
        }
        let amplitude = envelope.next();
        if amplitude == 0.0 {
            continue;
        }
        let phase = w * (t - note.start) as f64;
        // The operators are a chain: each modulates the next.
        let modulation = patch
            .ratios
            .iter()
            .zip(patch.depths.iter())
            .fold(0.0, |m, (ratio, depth)| depth * (ratio * phase + m).sin());
        *out = patch.gain * amplitude * (phase + modulation).sin();
    }
    out
}

#[differentiable]
fn goertzel(signal: &[f64], #[no_diff] bin: f64) -> f64 {
    let w = 2.0 * std::f64::consts::PI * bin / signal.len() as f64;
    let coefficient = 2.0 * w.cos();
    let (mut s1, mut s2) = (0.0, 0.0);
    for x in signal.iter() {
        let s0 = x + coefficient * s1 - s2;
        s2 = s1;
        s1 = s0;
    }
    s1 * s1 + s2 * s2 - coefficient * s1 * s2
}

#[differentiable]
fn distance(patch: &Patch, #[no_diff] score: &[Note], #[no_diff] spectrum: &[(f64, f64)]) -> f64 {
    let samples = 96;
    let mut mix = vec![0.0; samples];
    for note in score {
        let v = voice(patch, note, samples, 8000.0);
        for (m, v) in mix.iter_mut().zip(v) {
            *m += v;
        }
    }
    spectrum
        .iter()
        .map(|&(bin, wanted)| {
            let power = goertzel(&mix, bin) + 1e-2;
            (power.ln() - wanted).powi(2)
        })
        .sum::<f64>()
        / spectrum.len() as f64
}

fn patch(p: &[f64]) -> Patch {
    Patch {
        envelope: Adsr { attack: p[0], decay: p[1], sustain: p[2], release: p[3] },
        ratios: p[4..6].to_vec(),
        depths: p[6..8].to_vec(),
        gain: p[8],
    }
}

#[test]
fn gradient_against_differences() {
    let score = [Note { pitch: 69, start: 3, stop: 60 }, Note { pitch: 76, start: 20, stop: 50 }];
    let spectrum = [(5.3, 1.0), (8.1, 0.5), (11.0, -0.5)];
    let at = [0.073, 0.031, 0.613, 0.047, 1.0, 2.01, 0.4, 0.3, 0.8];
    let g = distance::grad(&patch(&at), &score, &spectrum);
    let mut flat = [g.envelope.attack, g.envelope.decay, g.envelope.sustain, g.envelope.release].to_vec();
    flat.extend(g.ratios);
    flat.extend(g.depths);
    flat.push(g.gain);
    let h = 1e-6;
    for k in 0..at.len() {
        let (mut up, mut down) = (at, at);
        up[k] += h;
        down[k] -= h;
        let d = (distance(&patch(&up), &score, &spectrum) - distance(&patch(&down), &score, &spectrum)) / (2.0 * h);
        assert!((flat[k] - d).abs() < 1e-5 * (1.0 + d.abs()), "{k}: {} {d}", flat[k]);
    }
}
