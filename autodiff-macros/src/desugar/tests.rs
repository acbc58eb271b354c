//! Source in, core out.

use super::desugar;
use syn::visit_mut::VisitMut;

/// Takes off what says that a loop is a sum.
struct Unmarked;

impl VisitMut for Unmarked {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        local.attrs.retain(|attr| !attr.path().is_ident("sum"));
        syn::visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_binary_mut(&mut self, binary: &mut syn::ExprBinary) {
        binary.attrs.retain(|attr| !attr.path().is_ident("sum"));
        syn::visit_mut::visit_expr_binary_mut(self, binary);
    }
}

/// The core form of a function, as text.
fn core(source: &str) -> String {
    let mut function: syn::ItemFn = syn::parse_str(source).unwrap();
    let (block, errors) = desugar(&function, &function.block, &crate::relay::Knowledge::default(), &|_, _| None);
    assert!(errors.is_empty(), "{:?}", errors.texts());
    *function.block = block;
    Unmarked.visit_block_mut(&mut function.block);
    let file = syn::File { shebang: None, attrs: Vec::new(), items: vec![syn::Item::Fn(function)] };
    prettyplease::unparse(&file)
}

#[track_caller]
fn check(body: &str, wanted: &str) {
    let found = core(&format!("fn f(x: &[f64]) -> f64 {{ {body} }}"));
    let wanted = format!("fn f(x: &[f64]) -> f64 {{ {wanted} }}");
    let wanted = prettyplease::unparse(&syn::parse_file(&wanted).unwrap());
    assert!(found == wanted, "found:\n{found}\nwanted:\n{wanted}");
}

#[test]
fn what_follows_a_return_moves_into_the_other_branch() {
    check("if c { return a; } b", "if c { a } else { b }");
    check("let y = if c { return a; } else { b }; y * y", "if c { a } else { let y = b; y * y }");
    check("let Some(k) = n else { return 0.0; }; x[k]", "match n { Some(k) => { let k = k; x[k] } _ => 0.0 }");
    check(
        "let y = g(a, if c { return b; } else { d }); y",
        "if c { b } else { let value = d; let y = g(a, value); y }",
    );
}

/// The `y` of the block is not that of `y * z`.
#[test]
fn no_name_is_captured_by_what_moves() {
    check(
        "let z = { let y = a; if y > b { return y; } y }; y * z",
        "let result: f64;
        let mut returned = false;
        let value;
        {
            let y = a;
            if y > b {
                result = y;
                returned = true;
            } else {
                value = y;
            }
        }
        if !returned {
            let z = value;
            result = y * z;
        }
        result",
    );
}

#[test]
fn a_loop_that_is_left_runs_under_a_flag() {
    check(
        "for i in 0..4 { if x[i] > b { break; } s += x[i]; } s",
        "let mut done = false;
        for i in 0..4 {
            if !done {
                if x[i] > b { done = true; } else { s += x[i]; }
            }
        }
        s",
    );
    check(
        "while s < b { s += a; if c { continue; } if d { break; } s *= a; } s",
        "let mut done = false;
        while !done && (s < b) {
            s += a;
            if c {} else if d { done = true; } else { s *= a; }
        }
        s",
    );
    check(
        "for v in x { if *v < 0.0 { return b; } s += v; } s.sqrt()",
        "let result: f64;
        let mut returned = false;
        for i in 0_usize..x.len() {
            if !returned {
                let v = &x[i];
                if *v < 0.0 { result = b; returned = true; } else { s += v; }
            }
        }
        if !returned { result = s.sqrt(); }
        result",
    );
    check(
        "let y = loop { if c { break a; } s += b; }; y",
        "let y = {
            let value;
            let mut done = false;
            while !done {
                if c { value = a; done = true; } else { s += b; }
            }
            value
        };
        y",
    );
}

#[test]
fn labels_become_flags() {
    check(
        "'a: for i in 0..3 { for j in 0..4 { if c { continue 'a; } if d { break 'a; } s += b; } s *= a; } s",
        "let mut done = false;
        for i in 0..3 {
            if !done {
                let mut skipped = false;
                for j in 0..4 {
                    if !done && !skipped {
                        if c { skipped = true; } else if d { done = true; } else { s += b; }
                    }
                }
                if !done && !skipped { s *= a; }
            }
        }
        s",
    );
    check("let y = 'a: { if c { break 'a a; } b }; y", "let y = { if c { a } else { b } }; y");
}

#[test]
fn iterators_become_loops_over_an_index() {
    check(
        "x.iter().zip(y).map(|(a, b)| a * b).sum()",
        "{
            let mut sum: f64 = 0.0;
            for i in 0_usize..x.len().min(y.len()) {
                sum += { let a = &x[i]; let b = y[i]; a * b };
            }
            sum
        }",
    );
    check(
        "for (k, v) in x.iter().enumerate().skip(1).rev() { s += v; } s",
        "for i in (0_usize..x.len().saturating_sub(1)).rev() { let k = i + 1; let v = &x[i + 1]; s += v; } s",
    );
    check(
        "for (k, w) in x.windows(3).enumerate() { s += w[0]; } for c in x.chunks(2) { s += c[0]; } s",
        "for k in 0_usize..(x.len() + 1_usize).saturating_sub(3) { let w = &x[k..(k + 3)]; s += w[0]; }
        for i in 0_usize..x.len().div_ceil(2) { let c = &x[(i * 2)..((i * 2) + 2).min(x.len())]; s += c[0]; }
        s",
    );
    check(
        "*x.iter().max_by(|a, b| a.total_cmp(b)).unwrap()",
        "*{
            let mut largest = &x[0_usize];
            for i in 0_usize..x.len().saturating_sub(1_usize) {
                let item = &x[i + 1_usize];
                if !({ let a = largest; let b = item; a.total_cmp(b).is_gt() }) { largest = item; }
            }
            largest
        }",
    );
}

#[test]
fn what_is_iterated_is_evaluated_once() {
    check(
        "for v in g(x).iter() { s += v; } for v in y[k].iter() { k += 1; } for v in 0..n { n += 1; } s",
        "{ let items = g(x); for i in 0_usize..items.len() { let v = &items[i]; s += v; } }
        { let items_2 = &y[k]; for i_2 in 0_usize..items_2.len() { let v = &items_2[i_2]; k += 1; } }
        { let end = n; for v in 0..end { n += 1; } }
        s",
    );
}

#[test]
fn names_of_the_user_are_not_taken() {
    check(
        "let sum = b; x.iter().zip(x.iter().skip(i)).map(|(x, w)| x * w * sum).sum()",
        "let sum = b;
        {
            let mut sum_2: f64 = 0.0;
            for i_2 in 0_usize..x.len().min(x.len().saturating_sub(i)) {
                sum_2 += { let item = &x[i_2]; let item_2 = &x[i_2 + i]; let x = item; let w = item_2; x * w * sum };
            }
            sum_2
        }",
    );
}

#[test]
fn effects_are_statements_in_the_order_of_evaluation() {
    check(
        "let mut a = b; let s = a + { a *= c; a } * a; s",
        "let mut a = b;
        let value = a;
        let value_2 = { a *= c; a };
        let s = value + value_2 * a;
        s",
    );
    check(
        "let mut i = 0; let mut v = w; v[{ i += 1; i }] = v[i] + g(&mut v, i); v[i]",
        "let mut i = 0;
        let mut v = w;
        let value = v[i];
        let value_2 = g(&mut v, i);
        let value_3 = value + value_2;
        let value_4 = { i += 1; i };
        v[value_4] = value_3;
        v[i]",
    );
    check(
        "let mut a = b; let mut next = || { a *= 2.0; a }; if c && next() > d { next() } else { b }",
        "let mut a = b;
        let mut next = || { a *= 2.0; a };
        let value_2 = if c {
            let value = next();
            value > d
        } else {
            false
        };
        if value_2 { next() } else { b }",
    );
}

#[test]
fn a_condition_with_effects_is_part_of_the_loop() {
    check(
        "let mut s = b; #[max_iters(4)] while step(&mut s) < c { n += s; } s",
        "let mut s = b;
        let mut done = false;
        #[max_iters(4 + 1)]
        while !done {
            let value = step(&mut s);
            if value < c { n += s; } else { done = true; }
        }
        s",
    );
    check("let mut s = b; while step(s) < c { s += a; } s", "let mut s = b; while step(s) < c { s += a; } s");
}

#[test]
fn what_is_done_through_a_choice_is_done_to_either() {
    check(
        "let mut v = w; let r = if c { &mut v[i] } else { &mut v[0] }; *r *= a; v[0]",
        "let mut v = w;
        let index;
        let place = if c { { index = i; 0_usize } } else { 1_usize };
        if place == 0_usize { let r = &mut v[index]; *r *= a; } else { let r = &mut v[0]; *r *= a; }
        v[0]",
    );
}

#[test]
fn effects_of_borrows_and_closures_in_closures_are_statements() {
    check(
        "let u = scaled(if c { &mut a } else { &mut b }, y) * 2.0; u",
        "let place = if c { 0_usize } else { 1_usize };
        let value_2 = if place == 0_usize {
            let value = &mut a;
            scaled(value, y)
        } else {
            let value = &mut b;
            scaled(value, y)
        };
        let u = value_2 * 2.0;
        u",
    );
    check(
        "let mut outer = || { let mut inner = |t: f64| { a *= t; a }; inner(2.0) }; outer() + a",
        "let mut outer = || { let mut inner = |t: f64| { a *= t; a }; inner(2.0) };
        let value = outer();
        value + a",
    );
}

#[test]
fn constants_of_a_block_are_written_out_in_sizes() {
    check(
        "const B: usize = A + N; const A: usize = 2; let y: [f64; B] = g::<A>([x[0]; A]); { const A: usize = 3; let z: [f64; A] = y; } B",
        "let B: usize = 2 + N;
        let A: usize = 2;
        let y: [f64; (2 + N)] = g::<2>([x[0]; 2]);
        { let A: usize = 3; let z: [f64; 3] = y; }
        B",
    );
}

#[test]
fn a_declared_type_tells_sizes() {
    check(
        "let y: Option<([f64; 3], f64)> = if c { None } else { Some((std::array::from_fn(|i| x[i]), a)) }; y",
        "let y: Option<([f64; 3], f64)> = if c {
            None
        } else {
            Some((std::array::from_fn::<f64, { 3 }, _>(|i| x[i]), a))
        };
        y",
    );
    check(
        "let y = |i: usize| -> Option<[f64; N]> { if i > 2 { return None; } Some(from_fn(|k| x[k])) }; y",
        "let y = |i: usize| -> Option<[f64; N]> { if i > 2 { None } else { Some(from_fn::<f64, { N }, _>(|k| x[k])) } }; y",
    );
}
