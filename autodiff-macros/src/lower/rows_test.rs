//! Every row of the tables of nalgebra has a line in `tests/nalgebra/rows`, where an oracle checks it. A new row without one fails
//! here.

use super::{geometry, matrix};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::visit::Visit;
use syn::{Arm, Lit, Pat, PatLit};

/// A row, under each of the names that its line may have: `Matrix.dot`.
pub(super) type Row = Vec<String>;

/// What a line cannot call.
const NOT_CALLED: &[&str] = &[
    // It needs types that lines do not write.
    "as_view",
    // Older names, and what changes nothing of the numbers.
    "fixed_slice",
    "into",
    "Matrix.into_inner",
    // An element of the slice is no place yet.
    "as_mut_slice",
    // The lines of `fixed_view_mut` and `column_mut` are about it.
    "put",
];

/// The names that a file compares with: the methods that are no rows of a table.
pub(super) fn names_in(source: &str) -> Vec<String> {
    #[derive(Default)]
    struct Names(Vec<String>);

    impl Names {
        fn literals(&mut self, pattern: &Pat) {
            match pattern {
                Pat::Lit(PatLit { lit: Lit::Str(name), .. }) => self.0.push(name.value()),
                Pat::Ident(at) => at.subpat.iter().for_each(|(_, pattern)| self.literals(pattern)),
                Pat::Or(or) => or.cases.iter().for_each(|pattern| self.literals(pattern)),
                Pat::Paren(paren) => self.literals(&paren.pat),
                Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pattern| self.literals(pattern)),
                _ => {}
            }
        }
    }

    impl<'ast> Visit<'ast> for Names {
        fn visit_arm(&mut self, arm: &'ast Arm) {
            self.literals(&arm.pat);
            syn::visit::visit_arm(self, arm);
        }
    }

    let mut names = Names::default();
    names.visit_file(&syn::parse_file(source).unwrap());
    names.0
}

/// Headings with what stands behind them.
fn lines() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/nalgebra/rows");
    let files = fs::read_dir(folder).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let text: String = files.collect();
    let lines = text.lines().filter_map(|line| line.trim().split_once(" => "));
    lines.filter(|(heading, _)| heading.contains('.')).map(|(of, body)| (of.to_owned(), body.to_owned())).collect()
}

#[test]
fn every_row_of_nalgebra_has_a_line() {
    let lines = lines();
    let mut missing = Vec::new();
    for row in matrix::rows().into_iter().chain(geometry::rows()) {
        let names: Vec<String> = row.iter().map(|name| name.replace(".__matrix_", ".").replace(".__", ".")).collect();
        let is_internal = row.iter().any(|name| name.contains(".__") && !name.contains(".__matrix_"));
        let is_operator = names.iter().any(|name| name.contains(' '));
        let is_axis = |name: &str| name.len() == 1 || name.ends_with("_axis") && name != "x_axis";
        let method = names[0].split('.').next_back().unwrap_or_default().to_owned();
        let not_called = NOT_CALLED.iter().any(|known| *known == method || names.iter().any(|name| name == known));
        if is_internal && !is_operator || not_called || is_axis(&method) {
            continue;
        }
        let line = names.iter().find_map(|name| lines.get(&name.replace(' ', "_")));
        let calls = [".", "::"].map(|before| format!("{before}{method}"));
        match line {
            Some(body) if is_operator || calls.iter().any(|call| body.contains(call)) => {}
            _ => missing.push(names.join(" or ")),
        }
    }
    assert!(missing.is_empty(), "rows without a line in tests/nalgebra/rows:\n{}", missing.join("\n"));
}
