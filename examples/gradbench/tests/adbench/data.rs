//! Instances of ADBench: its files, the reference values for them, and instances made up here.

use std::path::{Path, PathBuf};

/// Where ADBench's files are: `inputs` as it has them, and `expected`, derivatives that others computed. They are not
/// part of this repository.
pub fn directory() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/adbench");
    let directory = std::env::var_os("ADBENCH_DATA").map_or_else(beside, PathBuf::from);
    directory.join("expected").is_dir().then_some(directory)
}

/// Runs `check` on ADBench's own instances, if they are here.
pub fn with_files(check: impl FnOnce(&Path)) {
    match directory() {
        Some(directory) => check(&directory),
        // A test's output is shown only if it fails, but standard error itself is not captured.
        None => {
            use std::io::Write;
            let text =
                "\nWARNING: ADBench's files are not here (set ADBENCH_DATA): only made-up instances were tested\n";
            std::io::stderr().write_all(text.as_bytes()).unwrap();
        }
    }
}

/// Reference values of one instance.
pub struct Expected {
    pub objective: Vec<f64>,
    pub gradient: Vec<f64>,
}

impl Expected {
    pub fn read(directory: &Path, name: &str) -> Expected {
        let text = read(&directory.join("expected").join(name));
        let mut expected = Expected { objective: Vec::new(), gradient: Vec::new() };
        let mut section = &mut expected.objective;
        for line in text.lines() {
            if line.starts_with("# gradient") {
                section = &mut expected.gradient;
            } else if !line.starts_with('#') {
                section.push(line.parse().unwrap());
            }
        }
        assert!(!expected.objective.is_empty() && !expected.gradient.is_empty(), "{name}");
        expected
    }

    #[track_caller]
    pub fn compare(&self, objective: &[f64], gradient: &[f64]) {
        assert_close(objective, &self.objective, 1e-10);
        assert_close(gradient, &self.gradient, 1e-10);
    }
}

/// Every number agrees, up to `tolerance` of the largest.
#[track_caller]
pub fn assert_close(got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len());
    let scale = expected.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        let apart = (got - expected).abs();
        assert!(apart <= tolerance * scale, "number {i}: {got}, expected {expected}; the largest is {scale}");
    }
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The numbers in a text, one after another.
pub struct Numbers<'a>(std::str::SplitWhitespace<'a>);

impl Numbers<'_> {
    pub fn of(text: &str) -> Numbers<'_> {
        Numbers(text.split_whitespace())
    }

    pub fn next<T: std::str::FromStr<Err: std::fmt::Debug>>(&mut self) -> T {
        self.0.next().expect("a number").parse().unwrap()
    }

    pub fn next_or_zero(&mut self) -> f64 {
        self.0.next().map_or(0.0, |number| number.parse().unwrap())
    }

    pub fn take(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }

    pub fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.next())
    }
}

/// Uniform numbers from -0.5 to 0.5: the generator that the reference of the varied bundle adjustment used.
pub struct Random(u64);

impl Random {
    pub fn new() -> Random {
        Random(88_172_645_463_325_252)
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }

    pub fn take(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }

    pub fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.next())
    }
}
