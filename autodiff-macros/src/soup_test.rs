//! The macros return for whatever tokens they are given: real inputs, with tokens deleted, doubled, exchanged,
//! replaced and nested. What would be a panic for a user fails here: nothing is caught.

use crate::expand::unguarded;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use proptest::prelude::*;
use quote::quote;
use std::str::FromStr;

const FUNCTIONS: &[&str] = &[
    "fn rosenbrock<const N: usize>(x: &[f64; N]) -> f64 { let mut s = 0.0; for i in 0..N - 1 { let a = 1.0 - x[i]; let b = x[i + 1] - x[i] * x[i]; s += a * a + 100.0 * b * b; } s }",
    "pub fn logits<const B: usize>(w: &Tensor2<f32, 64, 10>, b: &Tensor1<f32, 10>, #[no_diff] x: &Tensor2<f32, B, 64>) -> Tensor2<f32, B, 10> { let h = x.matmul(w) + b; (h.tanh() * h.softmax(1)).reshape([B, 10]) }",
    "fn loss<const B: usize>(x: &Tensor2<f64, B, 3>, labels: &[usize; B]) -> f64 { x.t().t().sum_axis(-1).mean() + x.cross_entropy(labels) + x[[0, 2]] }",
    "fn generic<T: Real, const N: usize>(x: &[T; N], y: T) -> (T, [T; N]) where T: Copy { let mut out = [T::ZERO; N]; for i in 0..N { out[i] = x[i] * y; out[i] += T::from_f64(2.0); } (y.powi(3), out) }",
    "fn scalars(x: f64, (n): usize, ok: bool) -> f64 { let (a, mut b) = (x.sin(), stop_gradient(x)); b *= { let c = -a; c / 2.0 }; b += n as f64; f64::exp(a) * b }",
    "fn calls(p: &model::Net, x: f64) -> (Net, f64) { let Net { a, b: [c, _] } = p; let y = square(x) + m::f::<3>(&p.b, c); (Net { a: *a, b: [y; 2] }, deep(Pair(y, x)).0) }",
    "fn control(x: f64) -> f64 { if x > 0.0 { return x; } while x < 1.0 { break; } match x { _ if true => loop { continue; }, _ => (|v: f64| v)(x)? } }",
];

const STRUCTS: &[&str] = &[
    "pub struct Net<T: Real, const N: usize> where T: Copy { pub w: Tensor2<T, N, { IN + 1 }>, b: [[T; HID]; 2], #[no_diff] name: String, steps: usize }",
    "struct Pair(pub f64, pub(crate) [f32; 4]);",
    "struct Nested { layers: [m::Layer<f64, 3>; 2], pair: (f64, Pair) }",
    "enum Shape { Circle(f64), Square { side: f64 } }",
];

const MODULES: &[&str] = &[
    "mod m { use autodiff::prelude::*; #[derive(Differentiable)] struct S { x: f64 } fn f(s: &S) -> f64 { s.x } const N: usize = 3; }",
];

const STATES: &[&str] = &[
    r#"=> { function true { wrt(p) } { fn f(p: &m::Net<f64, 3>, x: f64) -> f64 { g(p, x) + p.w.sum() * x } } { } { "m::Net" "g" } { struct { type T, const N, } { true false w: Tensor2<T, N, __Self::AUTODIFF_IN>, true true b: Inner, false false n: usize, } { ("Inner" struct { } { true false 0: f64, } { }) } } { fn "g" { } { true &Net<f64, 3>, true f64, } { f64 } { } } }"#,
    r#"=> { derive true { } { struct Outer { inner: Inner, many: [Inner; 2] } } { } { "Inner" } { struct { const N, } { true false x: [f64; N], } { } } }"#,
];

const ATTRIBUTES: &[&str] = &["", "wrt(x)", "crate = ::other::path", "wrt(a, b), crate = x", "budget = \"1 KiB\""];

const BLOCKS: &[&str] = &[
    "impl<T: Real, const N: usize> Arm<T, N> where T: Copy { const K: usize = 2; fn reach(&self, q: &[T; N]) -> T { let Self { links } = self; links[0] * q[0] + Self::unit(q[1]) } #[differentiable(wrt(self))] pub fn grow<const M: usize>(&mut self, #[no_diff] by: f64) -> [f64; Self::K] { self.x += by; self.other::<M>(by).sin() } }",
    "impl Potential for Spring { type Output = f64; fn potential(#[no_diff] self, x: f64) -> f64 { 0.5 * self.k * x * this } }",
];

/// What tokens are replaced with.
const WORDS: &str = "x y N Tensor1 Tensor2 Tensor f64 f32 usize bool self Self fn let mut for in if else match while loop return break struct impl where \
    const unsafe async move ref crate super dyn as _ r#type sum matmul softmax reshape stop_gradient grad __Self T 0 1 2 -1 1.0 1e999 0x10 3f32 \
    18446744073709551615 9223372036854775807 99999999999999999999999999 \"text\" 'c' b\"b\" 'life + - * / % & | ^ ! = < > . , ; : :: -> => .. ..= # $ ? @ += == && \
    () [] {} (x) [0] [[0, 1]] {x} (x, y) #[no_diff]";

#[derive(Clone, Debug)]
enum Change {
    Delete,
    Double,
    Replace(usize),
    /// With the token that stands at another place.
    Copy(usize),
    Wrap(usize, usize),
    /// Many of the same in a row.
    Repeat(usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => Just(Change::Delete),
        2 => Just(Change::Double),
        4 => any::<usize>().prop_map(Change::Replace),
        4 => any::<usize>().prop_map(Change::Copy),
        1 => (0_usize..3, 1_usize..400).prop_map(|(delimiter, times)| Change::Wrap(delimiter, times)),
        1 => (2_usize..3000).prop_map(Change::Repeat),
    ]
}

fn words() -> Vec<TokenTree> {
    TokenStream::from_str(WORDS).map(|words| words.into_iter().collect()).unwrap_or_default()
}

fn count(tokens: &TokenStream) -> usize {
    tokens
        .clone()
        .into_iter()
        .map(|token| if let TokenTree::Group(group) = &token { 1 + count(&group.stream()) } else { 1 })
        .sum()
}

/// The token at a place, counted from the first into every group.
fn token_at(tokens: &TokenStream, place: &mut usize) -> Option<TokenTree> {
    for token in tokens.clone() {
        if *place == 0 {
            return Some(token);
        }
        *place -= 1;
        if let TokenTree::Group(group) = &token {
            if let Some(found) = token_at(&group.stream(), place) {
                return Some(found);
            }
        }
    }
    None
}

/// The tokens with what `change` makes of the one at a place.
fn changed(
    tokens: &TokenStream,
    place: &mut Option<usize>,
    change: &dyn Fn(TokenTree) -> Vec<TokenTree>,
) -> TokenStream {
    let mut out = Vec::new();
    for token in tokens.clone() {
        match (*place, token) {
            (Some(0), token) => {
                *place = None;
                out.extend(change(token));
            }
            (Some(k), TokenTree::Group(group)) => {
                *place = Some(k - 1);
                let mut inner = Group::new(group.delimiter(), changed(&group.stream(), place, change));
                inner.set_span(Span::call_site());
                out.push(inner.into());
            }
            (Some(k), token) => {
                *place = Some(k - 1);
                out.push(token);
            }
            (None, token) => out.push(token),
        }
    }
    out.into_iter().collect()
}

fn apply(tokens: &TokenStream, place: usize, change: &Change) -> TokenStream {
    let size = count(tokens).max(1);
    let (words, other) =
        (words(), if let Change::Copy(other) = change { token_at(tokens, &mut (other % size)) } else { None });
    changed(tokens, &mut Some(place % size), &|token| match change {
        Change::Delete => Vec::new(),
        Change::Double => vec![token.clone(), token],
        Change::Replace(word) => vec![words[word % words.len()].clone()],
        Change::Copy(_) => other.clone().into_iter().collect(),
        Change::Wrap(delimiter, times) => {
            let delimiter = [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace][*delimiter];
            vec![(0..*times).fold(token, |token, _| Group::new(delimiter, token.into()).into())]
        }
        Change::Repeat(times) => vec![token; *times],
    })
}

fn soup(sources: &'static [&'static str]) -> impl Strategy<Value = TokenStream> {
    let changes = prop::collection::vec((any::<usize>(), change()), 0..6);
    (prop::sample::select(sources), changes).prop_map(|(source, changes)| {
        let tokens = TokenStream::from_str(source).expect("the sources are tokens");
        changes.iter().fold(tokens, |tokens, (place, change)| apply(&tokens, *place, change))
    })
}

/// Tokens that are items, or say what is wrong.
fn assert_sound(output: &TokenStream) {
    let complains = || output.to_string().contains("compile_error");
    assert!(complains() || syn::parse2::<syn::File>(output.clone()).is_ok(), "neither items nor an error: {output}");
}

/// As much stack as rustc has; tests have a quarter of it.
fn on_a_stack_like_rustcs(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

fn check(cases: u32, sources: &'static [&'static str], expand: fn(&TokenStream, TokenStream) -> TokenStream) {
    on_a_stack_like_rustcs(move || {
        let config = ProptestConfig {
            cases,
            failure_persistence: None,
            rng_seed: proptest::test_runner::RngSeed::Fixed(7),
            ..ProptestConfig::default()
        };
        let mut runner = proptest::test_runner::TestRunner::new(config);
        let result = runner.run(&(soup(ATTRIBUTES), soup(sources)), |(attr, item)| {
            assert_sound(&expand(&attr, item));
            Ok(())
        });
        if let Err(failure) = result {
            panic!("{failure}");
        }
    });
}

#[test]
fn functions() {
    check(1000, FUNCTIONS, |attr, item| unguarded::differentiable(attr, &item));
}

#[test]
fn modules() {
    check(250, MODULES, |attr, item| unguarded::differentiable(attr, &item));
}

#[test]
fn blocks() {
    check(250, BLOCKS, |attr, item| unguarded::differentiable(attr, &item));
}

#[test]
fn structs() {
    check(500, STRUCTS, |_, item| unguarded::derive(&item));
}

#[test]
fn states_of_the_relay() {
    check(500, STATES, |_, state| unguarded::resume(state));
}

#[test]
fn the_unchanged_sources_are_read() {
    for source in FUNCTIONS.iter().take(5) {
        let output = unguarded::differentiable(&quote!(), &TokenStream::from_str(source).expect("tokens"));
        assert!(
            !output.to_string().contains("this is a bug") && syn::parse2::<syn::File>(output.clone()).is_ok(),
            "{output}"
        );
    }
}

#[test]
fn raw_names() {
    let function = quote!(
        fn r#type(x: &[f64; r#const::r#N], r#in: f64) -> f64 {
            x[0] * r#in
        }
    );
    let output = unguarded::differentiable(&quote!(), &function);
    assert!(
        syn::parse2::<syn::File>(output.clone()).is_ok() && !output.to_string().contains("compile_error"),
        "{output}"
    );
}

#[test]
fn long_sums_are_not_too_deep() {
    let terms = vec![quote!(x[0] * x[1]); 150];
    let output = unguarded::differentiable(&quote!(), &quote!(fn f(x: &[f64; 2]) -> f64 { #(#terms)+* }));
    assert!(!output.to_string().contains("compile_error"), "{output}");
}
