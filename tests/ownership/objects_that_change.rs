//! Objects without a derivative that a function makes, changes and lends: each is one object, whatever it is made by, and each look
//! at it sees what it is by then.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::{HashMap, VecDeque};

#[derive(Clone)]
struct Source {
    at: usize,
    weights: Vec<f64>,
    spare: Option<f64>,
}

impl Source {
    fn new(at: usize) -> Source {
        Source { at, weights: vec![1.25, 0.75, 0.5], spare: None }
    }

    fn next(&mut self) -> f64 {
        self.at += 1;
        self.weights[self.at % 3]
    }

    fn peek(&self) -> f64 {
        self.weights[self.at % 3]
    }

    fn below(&mut self, n: usize) -> usize {
        self.at += 1;
        self.at % n
    }
}

#[derive(Clone, Copy)]
struct Count {
    n: u32,
}

impl Count {
    fn new(n: u32) -> Count {
        Count { n }
    }

    fn next(&mut self) -> f64 {
        self.n += 1;
        f64::from(self.n) * 0.25
    }
}

fn source(at: usize) -> Source {
    Source::new(at)
}

fn look(source: &Source) -> f64 {
    source.weights[source.at % 3] * 1.5
}

fn turn(source: &mut Source) {
    source.at += 1;
}

fn turned(source: &mut Source, by: usize) -> f64 {
    source.at += by;
    source.at as f64 * 0.1
}

fn consume(source: Source) -> f64 {
    source.at as f64
}

macro_rules! programs {
    ($($name:ident($x:ident) $body:block)*) => {
        $(
            #[differentiable(order = 2)]
            fn $name($x: f64) -> f64 $body
        )*

        #[test]
        fn objects_change_in_their_order() {
            $( check!($name(x) by x = 0.7); )*
        }
    };
}

programs! {
    methods(x) { let mut s = Source::new(1); let a = s.next(); let b = s.next(); x * a + x * x * b }
    functions(x) { let mut s = Source::new(1); let a = look(&s); turn(&mut s); let b = look(&s); x * a + x * x * b }
    in_a_loop(x) {
        let mut s = Source::new(1);
        let mut y = x;
        for _ in 0..3 {
            y = y * x + look(&s);
            turn(&mut s);
            y *= look(&s);
        }
        y
    }
    made_by_a_function(x) { let mut s = source(2); x * s.next() + x * x * s.next() }
    with_a_type(x) { let mut s: Source = Source::new(1); let a = s.next(); x * a + x * x * s.next() }
    with_a_literal(x) {
        let mut s = Source { at: 1, weights: vec![0.5, 1.5], spare: Some(0.25) };
        turn(&mut s);
        s.weights.push(0.75);
        x * s.at as f64 + x * x * s.next()
    }
    copies(x) {
        let mut c = Count::new(1);
        let before = c;
        let mut other = c;
        let t = (c, 2.0);
        let a = c.next();
        x * a + x * x * before.n as f64 + x * other.next() * other.next() + t.0.n as f64 * x
    }
    clones(x) {
        let mut s = Source::new(1);
        let before = s.clone();
        let a = s.next();
        x * a + x * x * before.peek()
    }
    assigned(x) {
        let mut s = Source::new(1);
        let a = s.next();
        s = Source::new(5);
        let mut c = Count::new(1);
        let mut d = Count::new(9);
        let e = d;
        d = c;
        x * a + x * x * s.at as f64 + x * c.next() + d.n as f64 * x * e.n as f64
    }
    fields(x) {
        let mut s = Source::new(1);
        s.at += 2;
        let a = s.at;
        s.at = 7;
        s.weights[1] = 4.0;
        s.spare = Some(3.0);
        let taken = s.spare.take().unwrap();
        let is_gone = s.spare.is_none();
        let y = x * a as f64 + x * x * s.at as f64 + s.next() * x;
        if is_gone { y * taken } else { x }
    }
    in_operands(x) {
        let mut s = Source::new(1);
        let y = x * s.next() + s.next() * x * x - s.peek();
        let a = [s.next(), s.peek(), s.next(), s.peek()];
        let t = (s.at, s.next(), s.at);
        y * a[0] + x * a[1] + a[2] * x * x + a[3] + x * t.0 as f64 + x * x * t.1 + t.2 as f64
    }
    given_away(x) { let mut s = Source::new(1); let a = s.next(); let b = consume(s); x * a + x * x * b }
    lent_to_functions(x) {
        let mut s = Source::new(1);
        let a = turned(&mut s, 3);
        let at = s.at;
        let b = turned(&mut s, at);
        x * a + x * x * b
    }
    counts(x) {
        let mut s = Source::new(1);
        let mut y = 0.0;
        for k in 0..s.below(5) {
            y += x * x * s.next() + k as f64;
        }
        y
    }
    conditions(x) {
        let mut s = Source::new(1);
        let mut y = x;
        while s.next() < 1.0 {
            y *= x;
        }
        if s.next() > 0.6 { y *= s.next(); } else { y += x * x * s.next(); turn(&mut s); }
        loop {
            let z = s.next();
            if z > 1.0 { break; }
            y = y * x * z;
        }
        match s.below(3) {
            0 => y * s.next(),
            1 => y * x * s.next(),
            _ => { turn(&mut s); y * x * x * s.next() }
        }
    }
    in_each_iteration(x) {
        let mut y = 0.0;
        for k in 0..3usize {
            let mut s = Source::new(k);
            y += x * x * s.next() * s.next();
        }
        y
    }
    in_closures(x) {
        let mut s = Source::new(1);
        let mut draw = |y: f64| y * s.next();
        let a = draw(x);
        let b = draw(x * x);
        let c: f64 = (0..4).map(|_| x * s.next()).sum();
        a + b * c
    }
    borrowed(x) {
        let mut s = Source::new(1);
        let p = &mut s;
        let a = p.next();
        let b = p.next();
        let weights = &s.weights;
        if weights[0] > 1.0 { turn(&mut s); }
        x * a + x * x * b * s.at as f64
    }
    exchanged(x) {
        let mut s = Source::new(1);
        let mut t = Source::new(2);
        let a = s.next() * t.next();
        std::mem::swap(&mut s, &mut t);
        x * a + x * x * s.next() + t.at as f64 * x
    }
    two_at_once(x) {
        let (mut s, mut t) = (Source::new(1), Source::new(2));
        let (a, b) = (s.next(), t.next());
        x * a * s.next() + x * x * b
    }
    of_one_name(x) {
        let s = Source::new(1);
        let y = { let mut s = Source::new(2); x * s.next() * s.next() };
        let mut s = s;
        let a = s.next();
        let s = s;
        y * s.peek() + x * a
    }
    lists(x) {
        let mut sources = vec![Source::new(1), Source::new(2)];
        let mut pair = [Source::new(0), Source::new(1)];
        let mut y = x;
        for k in 0..2 {
            y += x * x * sources[k].next() * sources[k].peek() + pair[1 - k].next() * x;
        }
        for s in sources.iter_mut() {
            y = y * x + s.next();
        }
        y * sources[0].next()
    }
    collections(x) {
        let mut queue = VecDeque::new();
        queue.push_back(2usize);
        queue.push_back(3);
        let a = queue.pop_front().unwrap();
        let mut names = String::new();
        names.push_str("ab");
        let b = names.len();
        names.push('c');
        let mut table = HashMap::new();
        table.insert("k", 2.5_f64);
        let c = table["k"];
        table.insert("k", 1.5);
        x * a as f64 + x * x * b as f64 + x * x * x * names.len() as f64 + c * table["k"] * x
    }
}

#[test]
fn closed_forms() {
    let x = 0.7;
    assert!((methods::grad(x) - (0.5 + 2.0 * x * 1.25)).abs() < 1e-14);
    // 1 / 4 · 2 = 0.5 of the object, of the copy 0.5 · 0.75.
    assert!((copies::grad(x) - (0.5 + 2.0 * x + 0.5 * 0.75 + 1.0)).abs() < 1e-14);
    assert!((assigned::grad(x) - (0.5 + 2.0 * x * 5.0 + 0.5 + 9.0)).abs() < 1e-14);
    assert!((exchanged::grad(x) - (0.5 * 1.25 + 2.0 * x * 0.75 + 2.0)).abs() < 1e-14);
}

#[differentiable]
fn drawn(x: f64, #[no_diff] source: &mut Source) -> f64 {
    let a = source.next();
    x * x * a * source.next()
}

#[differentiable]
fn lent_in_loops(x: f64) -> f64 {
    let mut s = Source::new(1);
    let mut y = drawn(x, &mut s) + x * s.next();
    for i in 0..3 {
        for _ in 0..s.below(3) {
            y = y * x + drawn(y, &mut s) * 0.1;
        }
        if s.next() > 0.6 {
            y += drawn(x, &mut s) * i as f64;
        }
    }
    let mut k = 0;
    while k < 4 {
        let z = s.next();
        if z > 1.0 {
            y = y * x + z;
        } else if z > 0.6 {
            y += drawn(x, &mut s);
        }
        k += 1;
    }
    y * s.next()
}

/// The same with a generator of the caller's.
#[differentiable]
fn path(x: f64, #[no_diff] source: &mut Source, n: usize) -> f64 {
    let mut y = 0.0;
    for k in 0..n {
        y += drawn(x, source) * x;
        if k % 2 == 0 {
            let weight = source.weights[k % 3];
            y *= drawn(y, source) + weight;
        }
    }
    y
}

fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
}

#[test]
fn data_are_lent_once() {
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-7 * (1.0 + b.abs()), "{a}, {b} by differences");
    for x in [0.7, 1.3] {
        let expected = slope(lent_in_loops, x);
        let (value, gradient) = lent_in_loops::value_and_grad(x);
        assert_eq!(value.to_bits(), lent_in_loops(x).to_bits());
        close(gradient, expected);
        close(lent_in_loops::jvp(x, 1.0).1, expected);
        close(lent_in_loops::vjp(x).1(1.0), expected);
        let f = |x| path(x, &mut Source::new(0), 3);
        let expected = slope(f, x);
        let mut once = Source::new(0);
        let (value, gradient) = path::value_and_grad(x, &mut once, 3);
        assert_eq!((value.to_bits(), once.at), (f(x).to_bits(), 10));
        close(gradient, expected);
        close(path::jvp(x, &mut Source::new(0), 3, 1.0).1, expected);
        close(path::vjp(x, &mut Source::new(0), 3).1(1.0), expected);
    }
}

#[differentiable(order = 2)]
fn a_parameter_that_changes(x: f64, #[no_diff] mut count: Count) -> f64 {
    let before = count.n;
    let a = count.next();
    count.n += 3;
    x * before as f64 + x * x * a + x * x * x * count.n as f64
}

#[differentiable(order = 2)]
fn what_is_read_is_kept(x: f64, #[no_diff] count: &mut Count) -> f64 {
    let pair = (count.n, 1.0);
    let old = *count;
    let mut own = *count;
    let a = count.next();
    let y = x * count.n as f64 + count.next() * count.n as f64;
    let all = [count.n as f64, count.next(), count.n as f64];
    count.n += 5;
    let copy = {
        let mut copy = *count;
        copy.next();
        x * copy.next()
    };
    let z = y * x * pair.0 as f64 + x * x * a * old.n as f64 + x * own.next() * own.next();
    z + all[0] * x + all[1] * x * x + all[2] * copy + count.next()
}

#[differentiable(order = 2)]
fn what_is_cloned_is_another(x: f64, #[no_diff] fixed: &Source, #[no_diff] source: &mut Source) -> f64 {
    let mut own = source.clone();
    let mut other = fixed.clone();
    let a = own.next() * other.next();
    let b = own.next() * other.next();
    x * a + x * x * b + x * x * x * source.next() + x * fixed.peek()
}

#[test]
fn parameters_change_in_their_order() {
    check!(a_parameter_that_changes(x, Count { n: 1 }) by x = 0.7);
    check!(what_is_read_is_kept(x, &mut Count { n: 1 }) by x = 0.7);
    check!(what_is_cloned_is_another(x, &Source::new(1), &mut Source::new(2)) by x = 0.7);
    let x = 0.7;
    let expected = 0.5 * 1.25 + 2.0 * x * 1.25 * 0.75 + 3.0 * x * x * 1.25 + 0.75;
    assert!((what_is_cloned_is_another::grad(x, &Source::new(1), &mut Source::new(2)) - expected).abs() < 1e-14);
    let mut count = Count { n: 1 };
    let _ = what_is_read_is_kept::grad(x, &mut count);
    assert_eq!(count.n, 10);
}
