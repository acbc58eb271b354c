//! What is said of functions without a derivative, and of which nothing is said.

use super::{Source, with_what_is_pure};
use quote::ToTokens;

/// What the attribute of the item named `f`, or of the first `impl` block that is marked, gets.
fn said(text: &str) -> String {
    let file = syn::parse_file(text).unwrap();
    let is_marked = |attrs: &[syn::Attribute]| attrs.iter().any(|attr| attr.path().is_ident("differentiable"));
    fn all(items: &[syn::Item]) -> Vec<&syn::Item> {
        let inner = items.iter().flat_map(|item| match item {
            syn::Item::Mod(module) => all(super::names::content(module)),
            other => vec![other],
        });
        inner.collect()
    }
    let marked = all(&file.items).into_iter().find(|item| match item {
        syn::Item::Fn(item) => is_marked(&item.attrs),
        syn::Item::Impl(item) => is_marked(&item.attrs),
        _ => false,
    });
    let item = marked.unwrap().to_token_stream();
    with_what_is_pure(proc_macro2::TokenStream::new(), item, Some(&Source::read(text))).0.to_string()
}

#[track_caller]
fn pure(text: &str, expected: &str) {
    assert_eq!(said(text), expected);
}

#[track_caller]
fn unknown(text: &str) {
    assert_eq!(said(text), "");
}

const CALL: &str = "#[differentiable] fn f(x: f64) -> f64 { x * h(3) }";

#[test]
fn functions_of_values() {
    let h = |body: &str| format!("{CALL} fn h(n: usize) -> f64 {{ {body} }}");
    let said = "__pure (h -> f64)";
    pure(&h("n as f64 * 2.0"), said);
    pure(&h("let mut s = 0.0; for k in 0..n { s += (k as f64).sqrt(); } s"), said);
    pure(&h("(0..n).map(|k| k as f64).sum()"), said);
    pure(&h("assert!(n > 0, \"{n}\"); let v = vec![1.0; n]; v[0]"), said);
    pure(&h("let k = |a: f64| a * a; k(2.0)"), said);
    pure(&h("f64::from(3u8).max(std::f64::consts::PI)"), said);
    pure(&format!("{} const K: f64 = 2.0;", h("K * K")), said);
    pure(&format!("{} use std::f64::consts::PI;", h("PI")), said);
    pure(&h("(0..n).map(|k| k as f64).fold(f64::EPSILON, f64::max)"), said);
    pure(&format!("{} fn g(a: &[f64]) -> f64 {{ a[0] }}", h("g(&[1.0, 2.0])")), said);
    pure(&h("if n == 0 { 1.0 } else { n as f64 * h(n - 1) }"), said);
    pure(&format!("{CALL} #[differentiable] fn h(n: usize) -> f64 {{ 1.0 }}"), said);
}

#[test]
fn functions_with_an_effect() {
    let h = |body: &str| format!("use std::cell::Cell; {CALL} fn h(n: usize) -> f64 {{ {body} }}");
    unknown(&h("println!(\"{n}\"); 1.0"));
    unknown(&h("COUNT.fetch_add(1, Ordering::SeqCst) as f64"));
    unknown(&h("COUNT.with(|count| { count.set(count.get() + 1); 1.0 })"));
    unknown(&h("unsafe { COUNT += 1.0; COUNT }"));
    unknown(&h("static K: Cell<f64> = Cell::new(0.0); 1.0"));
    unknown(&h("rand::random()"));
    unknown(&h("random()"));
    unknown(&h("std::time::Instant::now().elapsed().as_secs_f64()"));
    unknown(&h("std::env::args().count() as f64"));
    unknown(&h("(0..n).map(std::process::exit).count() as f64"));
    unknown(&h("(0..n).map(|k| k as f64).map(f64::noisy).sum()"));
    unknown(&h("my_macro!(n)"));
    unknown(&format!("{} macro_rules! assert {{ ($c:expr) => {{ tick(); }} }}", h("assert!(n > 0); 1.0")));
    unknown(&format!("{} use noisy::assert;", h("assert!(n > 0); 1.0")));
    unknown(&h("let c: Cell<f64> = Default::default(); 1.0"));
    unknown(&h("n.noisy()"));
    unknown(&format!("{} fn g() -> f64 {{ println!(); 1.0 }}", h("g()")));
    unknown(&format!("{} fn g() -> f64 {{ println!(); 1.0 }}", h("let g = g(); g")));
    unknown(&format!("{} trait N {{ fn abs(&self) -> f64 {{ println!(); 1.0 }} }}", h("n.abs()")));
    unknown(&format!("{} const T: Cell<f64> = Cell::new(0.0);", h("T.take()")));
}

#[test]
fn what_is_given_may_not_change() {
    let call = "#[differentiable] fn f(x: f64, #[no_diff] s: &S) -> f64 { x * h(s) }";
    let h = |fields: &str| format!("{call} struct S {{ {fields} }} fn h(s: &S) -> f64 {{ s.a }}");
    pure(&h("a: f64, b: Vec<Option<[usize; 3]>>"), "__pure (h -> f64)");
    pure(&h("a: f64, b: Box<S>, c: Option<Box<S>>"), "__pure (h -> f64)");
    unknown(&h("a: f64, b: Cell<f64>"));
    unknown(&h("a: f64, b: Rc<S>"));
    unknown(&h("a: f64, b: Mutex<S>"));
    unknown(&h("a: f64, b: Unseen"));
    unknown(&format!("{call} struct S {{ a: f64 }} fn h(s: &mut S) -> f64 {{ s.a += 1.0; s.a }}"));
    unknown(&format!("{call} struct S {{ a: f64 }} fn h(s: impl Fn() -> f64) -> f64 {{ s() }}"));
}

#[test]
fn operators_may_have_an_effect() {
    let call = "#[differentiable] fn f(x: f64) -> f64 { x * h(3.0) } struct P(f64);";
    let add = |body: &str| {
        format!(
            "{call} impl Add for P {{ type Output = P; fn add(self, o: P) -> P {{ {body} }} }} fn h(a: f64) -> f64 {{ (P(a) + P(a)).0 }}"
        )
    };
    pure(&add("P(self.0 + o.0)"), "__pure (h -> f64)");
    unknown(&add("COUNT.fetch_add(1, Relaxed); P(self.0 + o.0)"));
    let one = "const ONE: P = P(1.0); fn h(a: f64) -> f64 { (ONE + ONE).0 }";
    unknown(&format!("{call} impl Add for P {{ type Output = P; fn add(self, o: P) -> P {{ tick(); self }} }} {one}"));
    let left = "impl Mul<P> for f64 { type Output = P; fn mul(self, o: P) -> P { tick(); o } }";
    unknown(&format!("{call} {left} fn h(a: f64) -> f64 {{ (a * P(a)).0 }}"));
}

#[test]
fn methods() {
    let grid =
        "struct Grid { cells: usize } impl Grid { fn at(&self, i: usize) -> f64 { i as f64 / self.cells as f64 } }";
    let f = |params: &str, body: &str| format!("{grid} #[differentiable] fn f(x: f64, {params}) -> f64 {{ {body} }}");
    pure(&f("#[no_diff] g: &Grid", "x * g.at(2)"), "__pure (. at -> f64)");
    pure(&f("#[no_diff] g: &[Grid]", "x * g[1].at(2)"), "__pure (. at -> f64)");
    pure(&f("#[no_diff] g: &Grid", "x * Grid::at(g, 2)"), "__pure (Grid :: at -> f64)");
    unknown(&f("#[no_diff] g: &Other", "x * g.at(2)"));
    unknown(&f("#[no_diff] g: &Grid, #[no_diff] h: &Other", "x * g.at(2) * h.at(2)"));
    unknown(&f("#[no_diff] g: &Grid", "let g = other(g); x * g.at(2)"));
    unknown(&f("#[no_diff] g: &Grid", "x * g.unseen(2)"));
    let base = "#[derive(Clone, Copy)] enum B { A, C } impl B { fn index(self) -> usize { match self { B::A => 0, B::C => 1 } } }";
    pure(
        &format!("{base} #[differentiable] fn f(x: f64, b: &[B]) -> f64 {{ x * b[0].index() as f64 }}"),
        "__pure (. index -> usize)",
    );
    unknown(&format!("{base} #[differentiable] fn f(x: f64, b: &B) -> f64 {{ x * b.index() as f64 }}"));
    let own = "struct S { a: f64 } impl S { fn own(&self) -> f64 { 2.0 } fn new() -> Self { S { a: 1.0 } } }";
    pure(
        &format!("{own} #[differentiable] impl S {{ fn f(&self, x: f64) -> f64 {{ x * self.own() }} }}"),
        "__pure (. own -> f64)",
    );
    pure(
        &format!("{own} #[differentiable] impl S {{ fn f(&self, x: f64) -> f64 {{ x * Self::new().a }} }}"),
        "__pure (Self :: new -> S)",
    );
    let other = "fn g(&self, o: &Other) -> f64 { o.own() }";
    unknown(&format!("{own} #[differentiable] impl S {{ fn f(&self, x: f64) -> f64 {{ x * self.own() }} {other} }}"));
}

#[test]
fn which_function_a_name_means() {
    let h = "fn h(n: usize) -> f64 { 1.0 }";
    pure(&format!("mod m {{ {CALL} {h} }}"), "__pure (h -> f64)");
    // In another module; under a condition; of a place that is not certain; bound in the body.
    unknown(&format!("mod m {{ {CALL} use super::*; }} {h}"));
    unknown(&format!("{CALL} #[cfg(a)] {h} #[cfg(not(a))] {h}"));
    unknown(&format!("{CALL} #[cfg(a)] {h}"));
    unknown(&format!("mod m {{ {CALL} {h} }} mod n {{ fn f() {{ fn f() {{}} }} }}"));
    unknown(&format!("macro_rules! m {{ () => {{ fn f() {{}} }} }} {CALL} {h}"));
    unknown(&format!("{h} #[differentiable] fn f(x: f64) -> f64 {{ let h = |n| x; h(3) }}"));
    unknown(&format!("{h} #[differentiable] fn f(x: f64) -> f64 {{ use other::h; x * h(3) }}"));
    unknown(&format!("{h} #[differentiable] fn f(x: f64) -> f64 {{ fn h(n: usize) -> f64 {{ 1.0 }} x * h(3) }}"));
}

#[test]
fn defaults_that_are_derived() {
    let f =
        |rest: &str| format!("#[differentiable] fn f(n: usize) -> f64 {{ let v = vec![C::default(); n]; 1.0 }} {rest}");
    let said = "__pure (C :: default -> C)";
    pure(&f("#[derive(Clone, Default)] struct C { re: f64, im: [f64; 2] }"), said);
    unknown(&f("#[derive(Clone)] struct C { re: f64 }"));
    unknown(&f("#[derive(Clone, Default)] struct C { re: Noisy }"));
    unknown(&f(
        "#[derive(Clone)] struct C { re: f64 } impl Default for C { fn default() -> C { println!(); C { re: 0.0 } } }",
    ));
    unknown(&f("#[derive(Default)] struct C { re: f64 } impl C { fn default() -> C { println!(); C { re: 0.0 } } }"));
}
