//! How long expansion takes: it grows with the function as the function does.
//!
//! Times are compared with each other, so that they say the same on any machine.

use crate::expand;
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

/// The shortest of some times that a function takes to expand.
fn time(source: &str) -> Duration {
    let item: TokenStream = source.parse().unwrap();
    let once = || {
        let start = now();
        let expanded = expand::differentiable(TokenStream::new(), item.clone()).to_string();
        assert!(!expanded.contains("compile_error"), "{source}\n{expanded}");
        now() - start
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
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

/// Twice the function may take little more than twice the time.
fn twice_takes_at_most(times: f64, source: fn(usize) -> String, size: usize) {
    let (small, large) = (time(&source(size)), time(&source(2 * size)));
    let ratio = large.as_secs_f64() / small.as_secs_f64();
    assert!(ratio < times, "{large:?} after {small:?} is {ratio:.1} times as long");
}

/// Each of the loops has to be run again in the reverse sweep of those around it.
#[test]
fn nested_loops() {
    twice_takes_at_most(6.0, nested, 3);
}

#[test]
fn many_statements() {
    twice_takes_at_most(3.0, statements, 60);
}

#[test]
fn many_loops_and_branches() {
    twice_takes_at_most(4.0, blocks, 12);
}
