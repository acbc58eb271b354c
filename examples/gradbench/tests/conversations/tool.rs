//! Talks to the tool as an eval does, and checks what it says.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running tool.
pub struct Tool {
    process: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    messages: u64,
}

/// What was asked, and the answer.
pub struct Evaluation {
    pub input: Value,
    pub output: Value,
}

impl Tool {
    pub fn start() -> Tool {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gradbench"));
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        Tool { process, to, from, messages: 0 }
    }

    /// Sends one message, and reads the answer to it.
    pub fn ask(&mut self, mut message: Value) -> Value {
        message["id"] = json!(self.messages);
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        let response: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(response["id"], json!(self.messages), "the answer to {message}");
        self.messages += 1;
        response
    }

    /// What a function gives at an input.
    pub fn evaluate(&mut self, module: &str, function: &str, input: &Value) -> Value {
        let message = json!({"kind": "evaluate", "module": module, "function": function, "input": input});
        let mut response = self.ask(message);
        assert_eq!(response["success"], json!(true), "{module}::{function}: {response}");
        let runs = input.get("min_runs").map_or(1, |runs| runs.as_u64().unwrap());
        let timings = response["timings"].as_array().unwrap();
        assert!(timings.len() as u64 >= runs);
        assert!(timings.iter().all(|timing| timing["name"] == "evaluate" && timing["nanoseconds"].is_u64()));
        response["output"].take()
    }

    /// The derivative of a function by the numbers of `input` at `path`, by central differences: for each of these
    /// numbers what [`numbers`] finds in the output.
    pub fn differences(&mut self, module: &str, function: &str, input: &Value, path: &str) -> Vec<Vec<f64>> {
        const STEP: f64 = 1e-6;
        let count = numbers(input.pointer(path).unwrap()).len();
        let mut at = |i: usize, step: f64| {
            let mut moved = input.clone();
            let mut skip = i;
            change(moved.pointer_mut(path).unwrap(), &mut skip, step);
            numbers(&self.evaluate(module, function, &moved))
        };
        (0..count)
            .map(|i| {
                let (above, below) = (at(i, STEP), at(i, -STEP));
                above.iter().zip(&below).map(|(above, below)| (above - below) / (2.0 * STEP)).collect()
            })
            .collect()
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        drop(self.to.take());
        let status = self.process.wait();
        if !std::thread::panicking() {
            assert!(status.unwrap().success());
        }
    }
}

/// Holds the conversation in `text`, one message a line, and gives its `N` evaluations.
pub fn hold<const N: usize>(text: &str) -> [Evaluation; N] {
    let mut tool = Tool::start();
    let mut evaluations = Vec::new();
    for line in text.lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let name = |key: &str| message[key].as_str().unwrap().to_string();
        match message["kind"].as_str() {
            Some("evaluate") => {
                let (module, function, input) = (name("module"), name("function"), message["input"].clone());
                let output = tool.evaluate(&module, &function, &input);
                evaluations.push(Evaluation { input, output });
            }
            Some("define") => assert_eq!(tool.ask(message.clone())["success"], json!(true)),
            Some("start") => assert_eq!(tool.ask(message.clone())["tool"], json!("autodiff")),
            _ => assert_eq!(tool.ask(message.clone()).as_object().unwrap().len(), 1, "only acknowledged"),
        }
    }
    let count = evaluations.len();
    evaluations.try_into().unwrap_or_else(|_| panic!("{count} evaluations"))
}

/// All numbers in a value, in order.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        Value::Object(values) => values.values().flat_map(numbers).collect(),
        Value::Number(number) => vec![number.as_f64().unwrap()],
        _ => Vec::new(),
    }
}

/// Adds `step` to one of the numbers in a value, after so many others.
fn change(value: &mut Value, skip: &mut usize, step: f64) -> bool {
    match value {
        Value::Array(values) => values.iter_mut().any(|value| change(value, skip, step)),
        Value::Number(number) if *skip == 0 => {
            *value = json!(number.as_f64().unwrap() + step);
            true
        }
        Value::Number(_) => {
            *skip -= 1;
            false
        }
        _ => false,
    }
}

/// The numbers are the same, up to `tolerance` of the larger of them and 1.
#[track_caller]
pub fn assert_close(got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len());
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        let scale = got.abs().max(expected.abs()).max(1.0);
        assert!((got - expected).abs() <= tolerance * scale, "number {i}: {got}, expected {expected}");
    }
}
