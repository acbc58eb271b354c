//! Several ways to compute the same, measured in turns.

use autodiff::Differentiable;
use comfy_table::{CellAlignment, Table, presets};
use criterion::Criterion;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// One way to compute something: runs it so many times, and says how long that took.
pub struct Way<'a> {
    name: &'static str,
    run: Box<dyn FnMut(u64) -> Duration + 'a>,
}

/// `compute` by name. What it returns counts as used.
pub fn way<'a, R>(name: &'static str, mut compute: impl FnMut() -> R + 'a) -> Way<'a> {
    let run = move |times| {
        let start = Instant::now();
        for _ in 0..times {
            black_box(compute());
        }
        start.elapsed()
    };
    Way { name, run: Box::new(run) }
}

/// How often every way has its turn.
const ROUNDS: usize = 301;
/// How long a turn takes.
const TURN: Duration = Duration::from_micros(200);

/// All comparisons of a run.
pub struct Suite {
    criterion: Criterion,
    table: Table,
}

impl Suite {
    pub fn new() -> Self {
        let criterion = Criterion::default()
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .sample_size(50)
            .configure_from_args();
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(["", "way", "median", "gradient / way"]);
        Suite { criterion, table }
    }

    /// Measures all of them; the first is the gradient that the others are compared with.
    pub fn compare(&mut self, case: &str, ways: &mut [Way]) {
        let mut selected = false;
        let mut group = self.criterion.benchmark_group(case);
        for way in ways.iter_mut() {
            group.bench_function(way.name, |bencher| {
                selected = true;
                bencher.iter_custom(|times| (way.run)(times));
            });
        }
        group.finish();
        // Without `--bench`, cargo only wants to know that everything runs.
        if selected && std::env::args().any(|arg| arg == "--bench") {
            self.measure_in_turns(case, ways);
        }
    }

    /// What else the machine does slows down neighbours in time alike, so that ratios of medians can be
    /// trusted further than the medians themselves.
    fn measure_in_turns(&mut self, case: &str, ways: &mut [Way]) {
        let times: Vec<u64> = ways
            .iter_mut()
            .map(|way| {
                let mut times = 1;
                while (way.run)(times) < TURN {
                    times *= 2;
                }
                times
            })
            .collect();
        let mut nanoseconds = vec![Vec::with_capacity(ROUNDS); ways.len()];
        for round in 0..ROUNDS {
            for turn in 0..ways.len() {
                let k = (round + turn) % ways.len();
                let time = (ways[k].run)(times[k]);
                nanoseconds[k].push(time.as_nanos() as f64 / times[k] as f64);
            }
        }
        let medians: Vec<f64> = nanoseconds
            .into_iter()
            .map(|mut samples| {
                samples.sort_by(f64::total_cmp);
                samples[ROUNDS / 2]
            })
            .collect();
        for (k, (way, median)) in ways.iter().zip(&medians).enumerate() {
            let (case, ratio) = match k {
                0 => (case, String::new()),
                _ => ("", format!("{:.2}", medians[0] / median)),
            };
            self.table.add_row([case, way.name, &format!("{median:.1} ns"), &ratio]);
        }
    }

    /// Prints what has been measured.
    pub fn finish(mut self) {
        self.criterion.final_summary();
        for column in [2, 3] {
            if let Some(column) = self.table.column_mut(column) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        if !self.table.is_empty() {
            println!("{}", self.table);
        }
    }
}

/// Two gradients are the same but for rounding.
#[track_caller]
pub fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        let scale = 1.0_f64.max(a.abs()).max(b.abs());
        assert!((a - b).abs() <= 1e-12 * scale, "{a} is not {b}");
    }
}

/// The same beside the largest of them: some are small differences of numbers of that size.
#[track_caller]
pub fn assert_close_in_size(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(1.0_f64, |most, b| most.max(b.abs()));
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= 1e-12 * scale, "{a} is not {b}");
    }
}

/// The same for gradients in single precision.
#[track_caller]
pub fn assert_similar<G: Differentiable<Scalar = f32, Tangent = G>>(a: &G, b: &G) {
    a.zip_leaves(b, &mut |a, b| {
        let scale = a.iter().fold(0.0_f32, |max, a| max.max(a.abs())).max(0.1);
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-4 * scale, "{a} is not {b}");
        }
    });
}

/// Numbers between -1 and 1 without a pattern.
pub fn numbers() -> impl FnMut() -> f32 {
    let mut state = 1_u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / f32::from(1_u16 << 15) / 256.0 - 1.0
    }
}
