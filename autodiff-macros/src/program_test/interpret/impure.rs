//! Functions without a derivative that are not pure: what they give depends on how often they were called before.

use super::{Machine, Run, Value};
use crate::program_test::number::Number;

/// A call: the function, and its argument if it has one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    pub name: String,
    pub arg: usize,
}

/// What the call of a function gives that is the `count`-th of all, from 1; `None` if there is no such function.
pub fn impure(name: &str, arg: usize, count: usize) -> Option<f64> {
    match name {
        // `fn tick() -> usize`
        "tick" => Some((count % 5) as f64),
        // `fn draw(i: usize) -> f64`
        "draw" | "draw_f32" => Some(((7 * count + 3 * arg) % 11) as f64 / 10.0 - 0.5),
        // `fn log(k: usize) -> usize`
        "log" => Some(arg as f64),
        _ => None,
    }
}

/// The same functions as Rust: `EVENTS` has what was called, and is emptied before a run.
pub const IMPURE: &str = r#"
thread_local! {
    pub static EVENTS: std::cell::RefCell<Vec<(&'static str, usize)>> = const { std::cell::RefCell::new(Vec::new()) };
}

fn called(name: &'static str, arg: usize) -> usize {
    EVENTS.with_borrow_mut(|events| {
        events.push((name, arg));
        events.len()
    })
}

pub fn tick() -> usize {
    called("tick", 0) % 5
}

pub fn draw(i: usize) -> f64 {
    ((7 * called("draw", i) + 3 * i) % 11) as f64 / 10.0 - 0.5
}

pub fn draw_f32(i: usize) -> f32 {
    draw(i) as f32
}

pub fn log(k: usize) -> usize {
    called("log", k);
    k
}
"#;

impl Machine {
    /// Calls it, if it is one of these functions.
    pub(super) fn impure(&mut self, name: &str, args: &[Value]) -> Run<Option<Value>> {
        let arg = match args {
            [Value::Int(arg)] => *arg as usize,
            _ => 0,
        };
        let Some(result) = impure(name, arg, self.trace.len() + 1) else { return Ok(None) };
        self.trace.push(Event { name: name.trim_end_matches("_f32").to_owned(), arg });
        Ok(Some(match name {
            "tick" | "log" => Value::Int(result as i64),
            _ => self.number(Number::constant(result))?,
        }))
    }
}
