//! A conversation with each eval. What the tool says is compared with closed forms, and its derivatives with
//! differences of its values.

mod tool;

use serde_json::{Value, json};
use tool::{Evaluation, Tool, assert_close, hold, numbers};

/// Rounding, and the error of central differences.
const EXACT: f64 = 1e-12;
const DIFFERENCES: f64 = 1e-7;

/// `derivative` has what differences of `value` have, by the numbers at `paths` of the input, in order.
#[track_caller]
fn assert_gradient(module: &str, function: &str, value: &Evaluation, derivative: &[f64], paths: &[&str]) {
    let mut tool = Tool::start();
    let by = |path: &&str| tool.differences(module, function, &value.input, path).concat();
    let differences: Vec<f64> = paths.iter().flat_map(by).collect();
    assert!(!differences.is_empty());
    assert_close(derivative, &differences, DIFFERENCES);
}

#[test]
fn hello() {
    let talk: [_; 4] = hold(include_str!("hello.jsonl"));
    assert_eq!(talk.map(|evaluation| evaluation.output.as_f64().unwrap()), [2.25, 3.0, 16.0, -8.0]);
}

#[test]
fn ba() {
    let [value, jacobian] = hold(include_str!("ba.jsonl"));
    let (reprojection, weight) = (&value.output["reproj_error"], &value.output["w_err"]);
    assert_eq!((&reprojection["repeated"], &weight["repeated"]), (&json!(4), &json!(4)));
    assert_close(&numbers(&weight["element"]), &[1.0 - 0.8 * 0.8], EXACT);

    // Two cameras and three points are 22 and 9 columns. The first rows are of camera 0, point 0 and weight 0.
    let columns: Vec<f64> = (0..11).chain(22..25).chain(31..32).map(f64::from).collect();
    let [rows, cols, vals] = ["rows", "cols", "vals"].map(|part| numbers(&jacobian.output[part]));
    assert_eq!(cols, [&columns[..], &columns[..], &[34.0]].concat());
    assert_eq!(rows, [0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0, 105.0, 120.0, 121.0, 122.0, 123.0, 124.0, 124.0]);
    let mut tool = Tool::start();
    let mut by = |path| tool.differences("ba", "objective", &value.input, path);
    // By one input: the repetitions and the error of a weight come in between.
    let by_all: Vec<Vec<f64>> = ["/cam", "/x", "/w"].iter().flat_map(|path| by(path)).collect();
    let row = |i: usize| by_all.iter().map(|by_one| by_one[i]).collect::<Vec<f64>>();
    assert_close(&vals, &[row(0), row(1), vec![-2.0 * 0.8]].concat(), DIFFERENCES);
}

/// A camera that is not turned and does not distort is a division by the distance.
#[test]
fn ba_of_a_simple_camera() {
    let mut tool = Tool::start();
    let mut input = json!({"n": 1, "m": 1, "p": 1, "x": [2.0, -3.0, 9.0], "w": 0.5, "feat": [1.0, 4.0]});
    input["cam"] = json!([0.0, 0.0, 0.0, 0.0, 1.0, 5.0, 100.0, 7.0, -2.0, 0.0, 0.0]);
    let output = tool.evaluate("ba", "objective", &input);
    assert_close(&numbers(&output["reproj_error"]["elements"]), &[0.5 * 56.0, 0.5 * -106.0], EXACT);
    let vals = numbers(&tool.evaluate("ba", "jacobian", &input)["vals"]);
    // By the centre and by the point, by the focal length, the principal point and the weight.
    assert_close(&vals[3..9], &[-12.5, 0.0, 6.25, 0.25, 0.5, 0.0], EXACT);
    assert_close(&vals[11..15], &[12.5, 0.0, -6.25, 56.0], EXACT);
}

#[test]
fn llsq() {
    let [value, gradient] = hold(include_str!("llsq.jsonl"));
    let x = numbers(&value.input["x"]);
    let at = |t: f64| x.iter().rev().fold(0.0, |sum, x| sum * t + x);
    let error = |i: i32| f64::from(i.signum()) - at(f64::from(i) / 3.0);
    let sum: f64 = (-3..=3).map(|i| error(i).powi(2)).sum();
    assert_close(&numbers(&value.output), &[sum / 2.0], EXACT);
    assert_gradient("llsq", "primal", &value, &numbers(&gradient.output), &["/x"]);
}

/// The numbers are too large for their exponentials.
#[test]
fn lse() {
    let [value, gradient] = hold(include_str!("lse.jsonl"));
    let x = numbers(&value.input["x"]);
    assert_eq!(x[2..4], [710.5, 711.0]);
    let log = 711.0 + (-0.5_f64).exp().ln_1p();
    assert_close(&numbers(&value.output), &[log], EXACT);
    let softmax: Vec<f64> = x.iter().map(|x| (x - log).exp()).collect();
    assert_close(&numbers(&gradient.output), &softmax, EXACT);
}

#[test]
fn lstm() {
    let [value, gradient] = hold(include_str!("lstm.jsonl"));
    let by = numbers(&gradient.output);
    assert_gradient("lstm", "objective", &value, &by, &["/main_params", "/extra_params"]);
    // If all parameters are zero, so is the prediction, and each of the three bits costs log(2 + 3).
    let mut input = value.input.clone();
    for part in ["main_params", "extra_params"] {
        input[part].as_array_mut().unwrap().iter_mut().for_each(|row| *row = json!(vec![0; numbers(row).len()]));
    }
    let ones = numbers(&input["sequence"])[3..].iter().sum::<f64>();
    let loss = Tool::start().evaluate("lstm", "objective", &input);
    assert_close(&numbers(&loss), &[ones * 5.0_f64.ln() / 12.0], EXACT);
}

#[test]
fn what_is_unknown_is_refused() {
    let mut tool = Tool::start();
    let refused = |response: Value| response["success"] == json!(false) && response["error"].is_string();
    assert!(refused(tool.ask(json!({"kind": "define", "module": "weather"}))));
    assert!(refused(tool.ask(json!({"kind": "evaluate", "module": "weather", "function": "rain", "input": 1}))));
    assert!(refused(tool.ask(json!({"kind": "evaluate", "module": "hello", "function": "rain", "input": 1}))));
    assert!(refused(tool.ask(json!({"kind": "evaluate", "module": "hello", "function": "square", "input": []}))));
    assert_eq!(tool.evaluate("hello", "square", &json!(3)), json!(9.0));
}
