//! A conversation with each eval. What the tool says is compared with closed forms, and its derivatives with
//! differences of its values.

mod tool;

use serde_json::{Value, json};
use std::f64::consts::PI;
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

/// The gradient of a determinant has the cofactors: with it, A⁻¹ = gradientᵀ / det A.
#[test]
fn det() {
    let [value, gradient] = hold(include_str!("det.jsonl"));
    let (a, cofactors) = (numbers(&value.input["A"]), numbers(&gradient.output));
    let determinant = value.output.as_f64().unwrap();
    for i in 0..4 {
        for j in 0..4 {
            let product: f64 = (0..4).map(|k| a[4 * i + k] * cofactors[4 * j + k]).sum();
            let expected = if i == j { determinant } else { 0.0 };
            assert_close(&[product], &[expected], EXACT);
        }
    }
    assert_gradient("det", "primal", &value, &cofactors, &["/A"]);
}

/// The densities as they are defined, with determinants and products of matrices.
#[test]
fn gmm() {
    let [value, gradient] = hold(include_str!("gmm.jsonl"));
    let input = &value.input;
    let (d, k, gamma, m) = (3, 2, 1.5_f64, 2.0);
    let alpha = numbers(&input["alpha"]).iter().map(|alpha| alpha.exp()).collect::<Vec<f64>>();
    let factor = |c: usize| {
        let (q, l) = (numbers(&input["q"][c]), numbers(&input["l"][c]));
        [[q[0].exp(), 0.0, 0.0], [l[0], q[1].exp(), 0.0], [l[1], l[2], q[2].exp()]]
    };
    let mut log = 0.0;
    for x in input["x"].as_array().unwrap() {
        let mut density = 0.0;
        for c in 0..k {
            let (q, mu, x) = (factor(c), numbers(&input["mu"][c]), numbers(x));
            let y = q.map(|row| (0..d).map(|i| row[i] * (x[i] - mu[i])).sum::<f64>());
            let squared: f64 = y.iter().map(|y| y * y).sum();
            let root = q[0][0] * q[1][1] * q[2][2] / (2.0 * PI).powi(3).sqrt();
            density += alpha[c] / alpha.iter().sum::<f64>() * root * (-squared / 2.0).exp();
        }
        log += density.ln();
    }
    // n = d + m + 1 = 6, and Γ₃(3) = π^(3/2) Γ(3) Γ(5/2) Γ(2).
    let multivariate_gamma = PI.powf(1.5) * 2.0 * (0.75 * PI.sqrt());
    for c in 0..k {
        let q = factor(c);
        let determinant = (q[0][0] * q[1][1] * q[2][2]).powi(2);
        let trace = gamma * gamma * q.iter().flatten().map(|q| q * q).sum::<f64>();
        let scale = 2.0_f64.powi(9) * gamma.powi(-18) * multivariate_gamma;
        log += (determinant.powf(m / 2.0) * (-trace / 2.0).exp() / scale).ln();
    }
    assert_close(&numbers(&value.output), &[log], EXACT);
    let by = ["alpha", "mu", "q", "l"].map(|part| numbers(&gradient.output[part])).concat();
    assert_gradient("gmm", "objective", &value, &by, &["/alpha", "/mu", "/q", "/l"]);
}

/// Newton's step leads to the means of the points that are nearest to each centroid, since the cost is quadratic.
#[test]
fn kmeans() {
    let [value, direction] = hold(include_str!("kmeans.jsonl"));
    let read = |what: &str| serde_json::from_value::<Vec<[f64; 2]>>(value.input[what].clone()).unwrap();
    let (points, centroids) = (read("points"), read("centroids"));
    let distance = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
    let nearest = |point| {
        let mut order: Vec<usize> = (0..centroids.len()).collect();
        order.sort_by(|a, b| distance(point, &centroids[*a]).total_cmp(&distance(point, &centroids[*b])));
        order[0]
    };
    let cost: f64 = points.iter().map(|point| distance(point, &centroids[nearest(point)])).sum();
    assert_close(&numbers(&value.output), &[cost], EXACT);
    let mut steps = Vec::new();
    for (j, centroid) in centroids.iter().enumerate() {
        let own: Vec<&[f64; 2]> = points.iter().filter(|point| nearest(point) == j).collect();
        steps.extend((0..2).map(|k| centroid[k] - own.iter().map(|point| point[k]).sum::<f64>() / own.len() as f64));
    }
    assert_close(&numbers(&direction.output), &steps, EXACT);
}

/// The charge is where the particle, at its end, is in the origin; however the derivatives are computed.
#[test]
fn particle() {
    let talk: [Evaluation; 4] = hold(include_str!("particle.jsonl"));
    for evaluation in talk {
        let w = evaluation.output.as_f64().unwrap();
        assert!((w - 0.207_19).abs() < 1e-4, "{w}");
        assert!(gradbench::evals::particle::miss(w, false) < 1e-6);
    }
}

#[test]
fn saddle() {
    let talk: [Evaluation; 4] = hold(include_str!("saddle.jsonl"));
    for evaluation in talk {
        // The saddle point of x² - y² is the origin.
        let point = numbers(&evaluation.output);
        assert!(point.len() == 4 && point.iter().all(|x| x.abs() < 2e-5), "{point:?}");
    }
}

/// The first elements of the solution are polynomials of time, up to the fourth degree, which the method has exactly.
#[test]
fn ode() {
    let [value, gradient] = hold(include_str!("ode.jsonl"));
    let x = numbers(&value.input["x"]);
    let mut y = 1.0;
    let exact: Vec<f64> = (0..4)
        .map(|i| {
            y *= x[i] * 2.0 / (i + 1) as f64;
            y
        })
        .collect();
    assert_close(&numbers(&value.output), &exact, EXACT);
    // The last one is the product of all x, up to a factor.
    let by: Vec<f64> = x.iter().map(|x| exact[3] / x).collect();
    assert_close(&numbers(&gradient.output), &by, EXACT);
}

/// The rows of a Jacobian, and the derivatives of all errors by one input after another.
#[test]
fn ht() {
    let [simple, simple_jacobian, surface, surface_jacobian] = hold(include_str!("ht.jsonl"));
    let mut tool = Tool::start();
    let by = |tool: &mut Tool, value: &Evaluation, path| tool.differences("ht", "objective", &value.input, path);
    let by_theta = by(&mut tool, &simple, "/theta");
    let columns = |jacobian: &Evaluation, column: usize| -> Vec<f64> {
        jacobian.output.as_array().unwrap().iter().map(|row| numbers(row)[column]).collect()
    };
    for i in 0..26 {
        assert_close(&columns(&simple_jacobian, i), &by_theta[i], DIFFERENCES);
    }
    // A point has two coordinates on the surface, which the other points' errors do not depend on.
    let (by_us, by_theta) = (by(&mut tool, &surface, "/us"), by(&mut tool, &surface, "/theta"));
    for i in 0..2 {
        let sum: Vec<f64> = by_us[i].iter().zip(&by_us[i + 2]).map(|(first, second)| first + second).collect();
        assert_close(&columns(&surface_jacobian, i), &sum, DIFFERENCES);
    }
    for i in 0..26 {
        assert_close(&columns(&surface_jacobian, i + 2), &by_theta[i], DIFFERENCES);
    }
    // A translation moves every vertex by as much.
    let mut moved = simple.input.clone();
    moved["theta"][4] = json!(moved["theta"][4].as_f64().unwrap() + 0.5);
    let moved = numbers(&tool.evaluate("ht", "objective", &moved));
    let expected: Vec<f64> = numbers(&simple.output).chunks(3).flat_map(|e| [e[0], e[1] - 0.5, e[2]]).collect();
    assert_close(&moved, &expected, EXACT);
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
