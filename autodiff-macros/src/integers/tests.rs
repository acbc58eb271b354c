use super::*;
use quote::ToTokens;

/// The body with the types that are found, and the literals that are left open.
fn typed(function: &str) -> String {
    let item: ItemFn = syn::parse_str(function).unwrap();
    let source = Source::read(&format!(
        "{function} {}",
        "fn of_file(k: i64, l: u8) -> u16 { 0 } struct Cfg { n: i16, ws: Vec<u32> } impl Cfg { fn at(&self, k: u64) -> i8 { 0 } }"
    ));
    let inferred = infer(&item, &item.block, &Knowledge::default(), Some(Arc::new(source)));
    crate::tokens::spelled(&inferred.body.to_token_stream())
}

#[track_caller]
fn finds(body: &str, expected: &str) {
    let found = typed(&format!("fn f(x: f64, n: usize, a: &[f64], cfg: &Cfg) -> f64 {{ {body} }}"));
    let expected: syn::Block = syn::parse_str(&format!("{{ {expected} }}")).unwrap();
    assert_eq!(found, crate::tokens::spelled(&expected.to_token_stream()));
}

#[test]
fn ranges_keep_their_starts() {
    finds("let r = &a[n..]; r[0] + a[n - 1..n][0]", "let r = &a[n..]; r[0] + a[n - 1_usize..n][0]");
    finds("let lo = 3i64; for k in lo..5 { } x", "let lo = 3i64; for k in ((lo) as i64)..5_i64 { } x");
}
#[test]
fn types_by_use() {
    finds("let mut k = 0; k -= 3; x * (k - 2) as f64", "let mut k = 0_i32; k -= 3_i32; x * (k - 2_i32) as f64");
    finds(
        "let mut k = 0; while k < n { k += 2; } a[k + 1]",
        "let mut k = 0_usize; while k < n { k += 2_usize; } a[k + 1_usize]",
    );
    finds(
        "let t = [(0, 1, 0.5)]; t.iter().map(|&(i, j, w)| a[i] * (j - 2) as f64).sum()",
        "let t = [(0_usize, 1_i32, 0.5)]; t.iter().map(|&(i, j, w)| a[i] * (j - 2_i32) as f64).sum()",
    );
    finds(
        "let mut o = Some(2); if let Some(k) = o.as_mut() { *k -= cfg.n; } x",
        "let mut o = Some(2_i16); if let Some(k) = o.as_mut() { *k -= cfg.n; } x",
    );
    finds(
        "let (p, q) = (1, 2); let r = of_file(p, 3); let s = r + 1; cfg.at(q); x",
        "let (p, q) = (1_i64, 2_u64); let r = of_file(p, 3); let s = r + 1_u16; cfg.at(q); x",
    );
    finds("let f = |k, y: f64| cfg.ws[k] + 1; f(2, x); x", "let f = |k, y: f64| cfg.ws[k] + 1_u32; f(2_usize, x); x");
    finds(
        "let v: Vec<u8> = (0..3).map(|k| k + 1).collect(); x",
        "let v: Vec<u8> = (0_u8..3_u8).map(|k| k + 1_u8).collect(); x",
    );
    finds(
        "let s: i64 = (0..3).zip([4, 5]).map(|(k, l)| k * l).sum(); x",
        "let s: i64 = (0_i64..3_i64).zip([4_i64, 5_i64]).map(|(k, l)| k * l).sum(); x",
    );
}

#[test]
fn what_places_say_is_left_alone() {
    finds("x.powi(2) + a[3] + vec![1.0; 4][0] + [0.0; 3][1]", "x.powi(2) + a[3] + vec![1.0; 4][0] + [0.0; 3][1]");
    finds("(1 << 3) as f64 + 2u8.pow(2) as f64", "(1_i32 << 3) as f64 + 2u8.pow(2) as f64");
}

#[test]
fn what_nothing_tells_keeps_its_mark() {
    finds("let k = 3; unknown(k); x", "let k = 3_t0; unknown(k); x");
    finds("let k = 3; unknown(k); a[k]", "let k = 3_usize; unknown(k); a[k]");
}
