//! Which room of the compiler imports which. A room is a file or a folder beside this one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room with those that it may import, which stand above it.
const ROOMS: &[(&str, &[&str])] = &[
    ("fault", &[]),
    ("diag", &[]),
    ("ir", &["fault"]),
    ("op", &["ir"]),
    ("analysis", &["ir", "op"]),
    ("pass", &["ir", "op", "analysis"]),
    ("ad", &["ir", "pass"]),
    ("plan", &["ir", "analysis"]),
    ("trace", &["ir"]),
    ("tokens", &["ir"]),
    ("relay", &["diag", "ir", "tokens"]),
    ("parse", &["diag", "ir", "tokens", "relay"]),
    ("conditional", &["diag", "fault", "relay", "parse"]),
    ("hygiene", &["diag", "fault", "conditional"]),
    ("layout", &["ir", "parse"]),
    ("module", &["diag", "relay", "parse"]),
    ("methods", &["diag", "tokens", "parse", "module"]),
    ("source", &["diag", "op", "tokens", "relay", "parse", "module", "methods"]),
    ("alias", &["tokens", "source"]),
    ("desugar", &["fault", "diag", "tokens", "op", "relay", "parse", "source"]),
    ("integers", &["relay", "parse", "source", "desugar"]),
    (
        "lower",
        &[
            "fault", "diag", "ir", "tokens", "op", "analysis", "pass", "relay", "parse", "layout", "methods", "source",
            "desugar", "integers",
        ],
    ),
    (
        "emit",
        &["diag", "ir", "tokens", "op", "analysis", "pass", "ad", "plan", "trace", "relay", "parse", "layout", "lower"],
    ),
    ("derive", &["diag", "ir", "tokens", "relay", "parse", "source", "desugar"]),
    ("implicit", &["diag", "tokens", "parse", "source"]),
    ("check", &["diag", "ir", "tokens", "relay", "parse", "methods"]),
    ("rule", &["diag", "relay", "parse", "methods", "source"]),
    ("stage", &["diag", "tokens", "relay", "parse", "methods", "source", "desugar", "integers", "emit"]),
    (
        "expand",
        &[
            "diag",
            "tokens",
            "conditional",
            "implicit",
            "relay",
            "parse",
            "source",
            "lower",
            "integers",
            "trace",
            "emit",
            "stage",
        ],
    ),
];

fn files(at: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(at).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// Whether a file is compiled for tests only: its module is declared so.
fn is_test(path: &Path, source: &Path) -> bool {
    let mut at = path.to_owned();
    while at != source {
        let name = at.file_stem().unwrap().to_str().unwrap().to_owned();
        at.pop();
        let parents = [at.join("mod.rs"), at.with_extension("rs"), at.join("lib.rs")];
        let declared = parents.iter().filter_map(|parent| fs::read_to_string(parent).ok());
        let forms = ["", "pub "].map(|is_public| format!("#[cfg(test)]\n{is_public}mod {name};"));
        if declared.into_iter().any(|text| forms.iter().any(|form| text.contains(form))) {
            return true;
        }
    }
    false
}

/// The rooms that a file imports, tests at its end left out.
fn imports(text: &str) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = BTreeSet::new();
    let mut of_tests = false;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        for (at, _) in code.match_indices("crate::").filter(|_| !of_tests) {
            let is_path =
                !code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == '$');
            let name = code[at + "crate::".len()..].split(|c: char| !c.is_alphanumeric() && c != '_').next();
            found.extend(name.filter(|_| is_path).map(str::to_owned));
        }
        of_tests = line.trim() == "#[cfg(test)]";
    }
    found
}

#[test]
fn rooms_import_what_stands_above_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let is_room = |name: &str| ROOMS.iter().any(|(room, _)| *room == name);
    let (mut problems, mut used) = (BTreeSet::new(), BTreeSet::new());
    for path in all.iter().filter(|path| !is_test(path, &source)) {
        let inside = path.strip_prefix(&source).unwrap();
        let room = Path::new(inside.components().next().unwrap().as_os_str()).file_stem().unwrap().to_str().unwrap();
        if room == "lib" {
            continue;
        }
        let Some((_, may)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            problems.insert(format!("`{room}` has no line in ROOMS"));
            continue;
        };
        for import in imports(&fs::read_to_string(path).unwrap()) {
            if import == room || !is_room(&import) {
                continue;
            }
            if !may.contains(&&import[..]) {
                problems.insert(format!("{} imports `{import}`", inside.display()));
            }
            used.insert((room.to_owned(), import));
        }
    }
    for (at, (room, may)) in ROOMS.iter().enumerate() {
        for import in *may {
            if !used.contains(&((*room).to_owned(), (*import).to_owned())) {
                problems.insert(format!("`{room}` does not import `{import}`"));
            }
        }
        for import in *may {
            if !ROOMS[..at].iter().any(|(above, _)| above == import) {
                problems.insert(format!("`{import}` does not stand above `{room}`"));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.into_iter().collect::<Vec<_>>().join("\n"));
}
