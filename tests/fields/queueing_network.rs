//! A network of queues: Jackson's traffic equations by iteration, mean time in the system.
use autodiff::prelude::*;

#[differentiable]
fn mean_time<const N: usize>(
    arrivals: &[f64; N],
    service: &[f64; N],
    routing: &[[f64; N]; N],
    #[no_diff] servers: &[u32; N],
) -> f64 {
    let mut lambda = *arrivals;
    for _ in 0..50 {
        let mut next = *arrivals;
        for i in 0..N {
            for j in 0..N {
                next[j] += lambda[i] * routing[i][j];
            }
        }
        lambda = next;
    }
    let mut jobs = 0.0;
    for k in 0..N {
        let c = servers[k];
        let a = lambda[k] / service[k];
        let rho = a / f64::from(c);
        // Erlang C
        let mut term = 1.0;
        let mut sum = 1.0;
        for n in 1..c {
            term *= a / n as f64;
            sum += term;
        }
        let last = term * a / c as f64 / (1.0 - rho);
        let wait = last / (sum + last);
        jobs += wait * rho / (1.0 - rho) + a;
    }
    jobs / arrivals.iter().sum::<f64>()
}

#[test]
fn the_derivatives_agree_with_differences() {
    let routing = [[0.0, 0.4, 0.3], [0.1, 0.0, 0.5], [0.2, 0.1, 0.0]];
    autodiff::check_grads!(mean_time, &[0.5, 0.2, 0.3], &[2.0, 1.5, 0.7], &routing, &[1, 2, 3]);
}
