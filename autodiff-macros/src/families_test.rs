//! Note [Derivatives that are named]: each family has the functions of its names, and calls none that may be missing.

use crate::expand;
use crate::parse::families::{self, Families, Family};
use quote::quote;
use std::collections::BTreeSet;
use syn::visit::Visit;
use syn::{ExprPath, File, ImplItemFn, Visibility};

const FUNCTIONS: [&str; 6] = [
    "fn number(x: &[f64; 3], s: f64) -> f64 { let mut y = s; for k in 0..3 { y = y * x[k].sin(); } y }",
    "fn few_rows(x: &[f64; 8]) -> [f64; 2] { [x[0] * x[1], x[6].sin() * x[7]] }",
    "fn many_rows(x: &[f64; 2], s: f64) -> [f64; 8] { std::array::from_fn(|k| x[0] * x[1].sin() + s * k as f64) }",
    "fn list(x: &[f64]) -> Vec<f64> { let mut y = vec![0.0; x.len()]; for k in 1..x.len() { y[k] = x[k] * x[k - 1]; } y }",
    "fn tensor(x: &Tensor1<f64, 4>) -> f64 { (*x * x.exp()).sum() }",
    "fn changes(x: &mut [f64; 2], s: f64) -> f64 { x[0] *= s; x[0] + x[1] }",
];

/// The functions that are made, and which of their type they call.
#[derive(Default)]
struct Made {
    hidden: BTreeSet<String>,
    public: BTreeSet<String>,
    called: BTreeSet<String>,
}

impl<'f> Visit<'f> for Made {
    fn visit_impl_item_fn(&mut self, function: &'f ImplItemFn) {
        let name = function.sig.ident.to_string();
        let is_user_visible = matches!(function.vis, Visibility::Restricted(_));
        if is_user_visible {
            self.public.insert(name)
        } else {
            self.hidden.insert(name)
        };
        syn::visit::visit_impl_item_fn(self, function);
    }

    fn visit_expr_path(&mut self, path: &'f ExprPath) {
        if let [first, last] = &path.path.segments.iter().collect::<Vec<_>>()[..] {
            if first.ident == "Self" {
                self.called.insert(last.ident.to_string());
            }
        }
    }
}

/// What there is of a function with these families. Whatever is as visible as the function is for users.
fn made(function: &str, families: Families) -> Made {
    let families = families.literal();
    let item = format!("pub(crate) {function}").parse().unwrap();
    let expanded = expand::differentiable(quote!(order = 2, __families = #families), item);
    assert!(!expanded.to_string().contains("compile_error"), "{function}\n{expanded}");
    // What is there with a heap alone stands in a macro.
    let mut made = Made::default();
    for item in items(&syn::parse2(expanded).unwrap()) {
        made.visit_item(&item);
    }
    made
}

fn items(file: &File) -> Vec<syn::Item> {
    let each = file.items.iter().flat_map(|item| {
        let syn::Item::Macro(one) = item else { return vec![item.clone()] };
        // The other one begins with a message.
        let before = match &one.mac.path.segments.last().unwrap().ident.to_string()[..] {
            "__if_alloc" => 0,
            "__with_alloc" => 1,
            _ => return Vec::new(),
        };
        items(&syn::parse2(one.mac.tokens.clone().into_iter().skip(before).collect()).unwrap())
    });
    each.collect()
}

fn with_directions(family: Family) -> Families {
    Families::of(family).and(Families::of(Family::Directions))
}

#[test]
fn the_names_are_those_of_what_is_made() {
    let mut found = BTreeSet::new();
    for function in FUNCTIONS {
        let (all, none) = (made(function, Families::ALL), made(function, Families::NONE));
        assert!(none.public.is_subset(&all.public), "{function}");
        found.extend(all.public.difference(&none.public).cloned());
    }
    assert_eq!(found, families::names().map(str::to_owned).collect());
}

#[test]
fn what_a_family_calls_is_there() {
    let families =
        [Family::Jacobian, Family::GaussNewton, Family::Many, Family::Sparse, Family::Hessian, Family::Directions];
    for function in FUNCTIONS {
        let all = made(function, Families::ALL);
        for families in families.map(with_directions).into_iter().chain([Families::NONE]) {
            let Made { hidden, public, called } = made(function, families);
            let is_missing = |name: &&String| !hidden.contains(*name) && !public.contains(*name);
            let missing: Vec<&String> = called.iter().filter(is_missing).collect();
            assert!(missing.is_empty(), "{function} {families:?} lacks {missing:?}");
            // By itself a family has what it has beside the others.
            let named = |made: &BTreeSet<String>| -> BTreeSet<String> {
                made.iter().filter(|name| families.and(Families::named(name)) == families).cloned().collect()
            };
            assert_eq!(named(&public), named(&all.public), "{function} {families:?}");
        }
    }
}
