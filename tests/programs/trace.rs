//! Functions without a derivative that leave a trace of their calls. `traced!(f(n) at 0.7)` compares the derivatives of `f(x, n)`
//! with differences, and the calls that each of them makes with those of the function.
#![allow(dead_code, unused_macros, unused_imports, reason = "each half of the corpus uses a part of it")]

use std::cell::{Cell, RefCell};

thread_local! {
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static STATE: Cell<usize> = const { Cell::new(0) };
}

pub fn note(call: String) -> usize {
    CALLS.with_borrow_mut(|calls| calls.push(call));
    STATE.set(STATE.get() + 1);
    STATE.get() - 1
}

pub fn tick() -> usize {
    note("tick".into())
}

/// Another number each time.
pub fn noise(k: usize) -> f64 {
    0.5 + 0.25 * note(format!("noise {k}")) as f64 + k as f64
}

pub fn log(k: usize) {
    note(format!("log {k}"));
}

/// How many calls there have been.
pub fn calls() -> usize {
    CALLS.with_borrow(Vec::len)
}

/// What comes out of a fresh start, and which functions were called on the way.
pub fn with_calls<T>(run: impl FnOnce() -> T) -> (T, Vec<String>) {
    STATE.set(0);
    CALLS.take();
    let result = run();
    (result, CALLS.take())
}

pub fn agree(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// Value, derivatives and calls of a function of one number.
pub struct Traced<'a> {
    pub name: &'a str,
    pub value: &'a dyn Fn(f64) -> f64,
    pub grad: &'a dyn Fn(f64) -> (f64, f64),
    /// With the number of calls before the pullback.
    pub vjp: &'a dyn Fn(f64) -> (f64, f64, usize),
    pub jvp: &'a dyn Fn(f64) -> (f64, f64),
    pub hvp: Option<&'a dyn Fn(f64) -> f64>,
}

pub const STEP: f64 = 1e-5;

impl Traced<'_> {
    pub fn check(&self, at: f64) {
        let name = self.name;
        let (value, calls) = with_calls(|| (self.value)(at));
        assert!(!calls.is_empty(), "{name} calls nothing");
        let same = |what: &str, (y, other): (f64, Vec<String>)| {
            assert_eq!(other, calls, "{name}: {what}");
            assert!(agree(y, value, 1e-12), "{name}: {y} by {what} instead of {value}");
        };
        let ((y, g), other) = with_calls(|| (self.grad)(at));
        same("`value_and_grad`", (y, other));
        let ((y, pulled, before), other) = with_calls(|| (self.vjp)(at));
        assert_eq!(before, other.len(), "{name}: the pullback calls");
        same("`vjp`", (y, other));
        let ((y, dot), other) = with_calls(|| (self.jvp)(at));
        same("`jvp`", (y, other));
        let values = [STEP, -STEP].map(|by| with_calls(|| (self.value)(at + by)).0);
        let slope = (values[0] - values[1]) / (2.0 * STEP);
        assert!(agree(g, slope, 1e-7), "{name}: {g}, {slope} by differences");
        assert!(agree(g, pulled, 1e-12) && agree(g, dot, 1e-12), "{name}: {g}, {pulled}, {dot}");
        if let Some(hvp) = self.hvp {
            let (h, other) = with_calls(|| hvp(at));
            assert_eq!(other, calls, "{name}: `hvp`");
            let slopes = [STEP, -STEP].map(|by| with_calls(|| (self.grad)(at + by)).0.1);
            let slope = (slopes[0] - slopes[1]) / (2.0 * STEP);
            assert!(agree(h, slope, 1e-6), "{name}: {h}, {slope} by differences");
        }
    }
}

macro_rules! traced {
    ($f:ident($($n:expr),*) at $($at:expr),+) => {
        $crate::trace::traced!(@ $f($($n),*) at [$($at),+], ::std::option::Option::Some(&|x| $f::hvp(x $(, $n)*, 1.0)))
    };
    ($f:ident($($n:expr),*) at $($at:expr),+; first order) => { $crate::trace::traced!(@ $f($($n),*) at [$($at),+], ::std::option::Option::None) };
    (@ $f:ident($($n:expr),*) at [$($at:expr),+], $hvp:expr) => {
        for at in [$($at),+] {
            let program = $crate::trace::Traced {
                name: ::std::stringify!($f),
                value: &|x| $f(x $(, $n)*),
                grad: &|x| $f::value_and_grad(x $(, $n)*),
                vjp: &|x| {
                    let (y, pullback) = $f::vjp(x $(, $n)*);
                    let before = $crate::trace::calls();
                    (y, pullback(1.0), before)
                },
                jvp: &|x| $f::jvp(x $(, $n)*, 1.0),
                hvp: $hvp,
            };
            program.check(at);
        }
    };
}

pub(crate) use traced;
