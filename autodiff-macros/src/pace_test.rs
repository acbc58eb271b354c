//! How long expansion takes: it grows with the function as the function does.
//!
//! The work is counted in visits of equations, which is the same on every run, and measured as time, which also sees what
//! is done without looking at equations. Times are compared with each other, so that they say the same on any machine,
//! and judged only where nothing else runs beside them.
//! `AUTODIFF_PACE=10000 cargo test -p autodiff-macros pace` tries functions up to that size.

use crate::expand;
use crate::ir::work;
use proc_macro2::TokenStream;
use std::fmt::Write as _;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The time that this thread has had; where the system does not say, the time of day.
fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.as_deref().and_then(|text| text.split(' ').next()?.parse().ok());
    spent.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

/// What it takes to expand a function.
struct Cost {
    visits: u64,
    time: Duration,
}

fn cost(source: &str) -> Cost {
    let item: TokenStream = source.parse().unwrap();
    let (visits, start) = (work::visits(), now());
    let expanded = expand::differentiable(TokenStream::new(), item);
    let cost = Cost { visits: work::visits() - visits, time: now() - start };
    let expanded = expanded.to_string();
    assert!(!expanded.contains("compile_error"), "{source}\n{expanded}");
    cost
}

/// A statement in loops that are nested so deep.
fn nested(depth: usize) -> String {
    let mut text = String::from("fn nested(x: f64, a: &[f64; 3]) -> f64 { let mut y = x; let mut z = 0.5;");
    for k in 0..depth {
        let _ = write!(text, "for i{k} in 0..3 {{ z = 0.5 * z + y * a[i{k}];");
    }
    text.push_str("y = (y * z).sin();");
    text.push_str(&"}".repeat(depth));
    text.push_str("y + z }");
    text
}

/// So many statements, one after the other.
fn statements(count: usize) -> String {
    let mut text = String::from("fn straight(x: f64, a: &[f64; 3]) -> f64 { let mut y = x; let mut z = 0.5;");
    for k in 0..count {
        let _ = match k % 3 {
            0 => write!(text, "let v{k} = (y * z + a[{}]).sin();", k % 2),
            1 => write!(text, "y = 0.5 * y + v{} * z;", k - 1),
            _ => write!(text, "z = z - y * v{};", k - 2),
        };
    }
    text.push_str("y + z }");
    text
}

/// So many loops and branches, one after the other.
fn blocks(count: usize) -> String {
    let mut text = String::from("fn blocks(x: f64, a: &[f64; 3]) -> f64 { let mut y = x; let mut z = 0.5;");
    for k in 0..count {
        let _ = match k % 2 {
            0 => write!(text, "for i in 0..3 {{ y = 0.5 * y + a[i] * z; }}"),
            _ => write!(text, "if y > 0.{k} {{ z = z * y; }} else {{ y = y.sin(); }}"),
        };
    }
    text.push_str("y + z }");
    text
}

/// So many matrix products, one after the other.
fn tensors(count: usize) -> String {
    let lines = "h = (h.matmul(x) + x).tanh();".repeat(count);
    format!("fn recurrent(x: &Tensor2<f64, 8, 8>) -> f64 {{ let mut h = x.tanh(); {lines} h.sum() }}")
}

/// So many operations on all elements of an array, one after the other, which become one loop.
fn elements(count: usize) -> String {
    let lines = "h = (h * x + x).tanh();".repeat(count);
    format!("fn fused(x: &Tensor2<f64, 8, 8>) -> f64 {{ let mut h = x.tanh(); {lines} h.sum() }}")
}

/// Twice the function may take little more than twice the work. Time is told and not judged, as below.
fn twice_takes_at_most(times: f64, source: fn(usize) -> String, size: usize) {
    let (small, large) = (cost(&source(size)), cost(&source(2 * size)));
    let visits = large.visits as f64 / small.visits as f64;
    let time = large.time.as_secs_f64() / small.time.as_secs_f64();
    println!("{size} to {}: {visits:.2} times the visits, {time:.2} times the time ({:?})", 2 * size, large.time);
    assert!(visits < times, "{} visits after {} are {visits:.1} times as many", large.visits, small.visits);
}

/// From 10 on, ten times the function is ten times the work, up to 1.3 of that in visits. Time is told, and counts where
/// `AUTODIFF_PACE` asks for it: elsewhere other tests run beside this one.
fn is_linear(source: fn(usize) -> String, largest: usize) {
    let chosen = std::env::var("AUTODIFF_PACE").ok().and_then(|size| size.parse().ok());
    let largest: usize = chosen.unwrap_or(largest);
    let mut size = 10;
    let mut before = cost(&source(size));
    while size < largest {
        let next = (10 * size).min(largest);
        let now = cost(&source(next));
        let growth = next as f64 / size as f64;
        let visits = now.visits as f64 / before.visits as f64 / growth;
        let time = now.time.as_secs_f64() / before.time.as_secs_f64() / growth;
        println!("{size} to {next}: {visits:.2} of linear in visits, {time:.2} in time ({:?})", now.time);
        assert!(visits < 1.3, "from {size} to {next}: {visits:.2} times the visits for each");
        assert!(chosen.is_none() || time < 2.5, "from {size} to {next}: {time:.2} times the time for each");
        (size, before) = (next, now);
    }
}

/// Each of the loops has to be run again in the reverse sweep of those around it.
#[test]
fn nested_loops() {
    twice_takes_at_most(4.5, nested, 3);
}

#[test]
fn many_statements() {
    is_linear(statements, 2000);
}

#[test]
fn many_loops_and_branches() {
    is_linear(blocks, 200);
}

#[test]
fn many_products() {
    is_linear(tensors, 100);
}

#[test]
fn many_operations_on_elements() {
    is_linear(elements, 100);
}
