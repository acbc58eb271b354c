//! The messages between an eval and a tool, and the repeated evaluation that they ask for.

use crate::evals;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// What an eval sends. A message of any other kind is only acknowledged.
#[derive(Deserialize)]
struct Message<'a> {
    id: u64,
    kind: String,
    #[serde(default)]
    module: String,
    #[serde(default)]
    function: String,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

#[derive(Serialize, Default)]
struct Response {
    id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timings: Vec<Timing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct Timing {
    name: &'static str,
    nanoseconds: u128,
}

/// The answer to one line of an eval, as a line.
///
/// # Errors
///
/// If the line is not a message. A message that asks for something unknown has an answer that says so.
pub fn respond(line: &str) -> serde_json::Result<String> {
    let message: Message = serde_json::from_str(line)?;
    let mut response = Response { id: message.id, ..Response::default() };
    match message.kind.as_str() {
        "start" => response.tool = Some("autodiff"),
        "define" => {
            let known = evals::NAMES.contains(&message.module.as_str());
            response.success = Some(known);
            response.error = (!known).then(|| Error::Unknown(message.module).to_string());
        }
        "evaluate" => {
            let input = message.input.map_or("null", RawValue::get);
            let evaluated = evals::evaluate(&message.module, &message.function, input);
            response.success = Some(evaluated.is_ok());
            match evaluated {
                Ok(Evaluation { output, times }) => {
                    response.output = Some(output);
                    response.timings = times.iter().map(Timing::evaluate).collect();
                }
                Err(error) => response.error = Some(error.to_string()),
            }
        }
        _ => {}
    }
    serde_json::to_string(&response)
}

impl Timing {
    fn evaluate(time: &Duration) -> Timing {
        Timing { name: "evaluate", nanoseconds: time.as_nanos() }
    }
}

/// What a function gave, and how long each of its runs took.
pub struct Evaluation {
    output: Box<RawValue>,
    times: Vec<Duration>,
}

/// Why there is no evaluation.
#[derive(Debug)]
pub enum Error {
    /// The input is not what the function takes.
    Input(serde_json::Error),
    /// There is no module or function of this name.
    Unknown(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Input(error) => write!(f, "cannot read the input: {error}"),
            Error::Unknown(name) => write!(f, "there is no `{name}`"),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Nothing is called `name`.
    pub fn unknown<T>(name: &str) -> Result<T, Error> {
        Err(Error::Unknown(name.to_string()))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        Error::Input(error)
    }
}

/// How often the input of an eval wants a function to run.
#[derive(Deserialize)]
struct Runs {
    #[serde(default)]
    min_runs: usize,
    #[serde(default)]
    min_seconds: f64,
}

/// An input, and the numbers of runs that came with it.
pub struct Job<I> {
    /// The input.
    pub input: I,
    runs: Runs,
}

impl<I: DeserializeOwned> Job<I> {
    /// Reads an input, and the runs it asks for.
    ///
    /// # Errors
    ///
    /// If the input does not have the form of `I`.
    pub fn read(input: &str) -> Result<Job<I>, Error> {
        Ok(Job { input: serde_json::from_str(input)?, runs: serde_json::from_str(input)? })
    }
}

impl<I> Job<I> {
    /// Brings the input into the form that is computed on, which is not measured.
    pub fn prepare<J>(self, prepare: impl FnOnce(I) -> J) -> Job<J> {
        Job { input: prepare(self.input), runs: self.runs }
    }

    /// Runs `function` as often as the input asks, and keeps the last result.
    ///
    /// # Errors
    ///
    /// If the result cannot be written as JSON.
    pub fn run<O: Serialize>(self, function: impl FnMut(&I) -> O) -> Result<Evaluation, Error> {
        let (output, times) = self.repeat(function);
        Ok(Evaluation { output: to_raw_value(&output)?, times })
    }

    /// The same for a function that writes its result over that of the run before, and needs no memory of its own.
    ///
    /// # Errors
    ///
    /// If the result cannot be written as JSON.
    pub fn run_into<O: Serialize>(
        self,
        mut output: O,
        mut function: impl FnMut(&I, &mut O),
    ) -> Result<Evaluation, Error> {
        let ((), times) = self.repeat(|input| function(input, black_box(&mut output)));
        Ok(Evaluation { output: to_raw_value(&output)?, times })
    }

    /// The last result, and how long each run took.
    fn repeat<O>(&self, mut function: impl FnMut(&I) -> O) -> (O, Vec<Duration>) {
        let mut times = Vec::new();
        let mut elapsed = Duration::ZERO;
        loop {
            let start = Instant::now();
            let output = black_box(function(black_box(&self.input)));
            let time = start.elapsed();
            times.push(time);
            elapsed += time;
            if times.len() >= self.runs.min_runs && elapsed.as_secs_f64() >= self.runs.min_seconds {
                return (output, times);
            }
        }
    }
}

/// Runs `function` once, on an input that says nothing of runs.
///
/// # Errors
///
/// If the input does not have the form of `I`.
pub fn run_once<I: DeserializeOwned, O: Serialize>(
    input: &str,
    function: impl FnMut(&I) -> O,
) -> Result<Evaluation, Error> {
    let runs = Runs { min_runs: 1, min_seconds: 0.0 };
    Job { input: serde_json::from_str(input)?, runs }.run(function)
}
