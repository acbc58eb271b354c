//! Gradient descent, as two of the evals use it.

/// How near to its end the descent stops: the length of the gradient, or of a step.
pub const TOLERANCE: f64 = 1e-5;

/// How far a descent goes at first, for each unit of the gradient.
pub const FIRST_RATE: f64 = 1e-5;

/// Where `f` is smallest, by descent along `gradient` from `start`. The rate doubles after ten steps down in a row,
/// and halves after a step that does not go down.
pub fn minimum<const N: usize>(
    f: impl Fn(&[f64; N]) -> f64,
    gradient: impl Fn(&[f64; N]) -> [f64; N],
    start: [f64; N],
) -> [f64; N] {
    let mut x = start;
    let mut value = f(&x);
    let mut slope = gradient(&x);
    let mut rate = FIRST_RATE;
    let mut successes = 0;
    while norm(&slope) > TOLERANCE && rate * norm(&slope) > TOLERANCE {
        let next = std::array::from_fn(|i| x[i] - rate * slope[i]);
        let there = f(&next);
        if there < value {
            (x, value, slope) = (next, there, gradient(&next));
            successes += 1;
        } else {
            rate /= 2.0;
            successes = 0;
        }
        if successes == 10 {
            rate *= 2.0;
            successes = 0;
        }
    }
    x
}

fn norm<const N: usize>(x: &[f64; N]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
