//! The file of an item in an editor, which expands macros without saying it.
//!
//! Note [Files that are searched for]. The package's files are searched for what the item begins with, `fn area(side: f64) -> f64`. Blanks
//! and line ends do not count. What is found may be another item that begins like it, so that rustc, whose code runs, never searches: where it does not say the file,
//! nothing is known.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many files are looked at.
const MOST_FILES: usize = 2000;

thread_local! {
    /// See [`keys`].
    static ITEM: RefCell<Vec<Vec<String>>> = const { RefCell::new(Vec::new()) };
    static TEXTS: RefCell<HashMap<PathBuf, (SystemTime, String)>> = RefCell::default();
}

/// Notes which item is expanded, if its file may be asked for.
pub fn note_item(item: &TokenStream) {
    let is_rustc = || std::env::args().any(|arg| arg == "--crate-name");
    ITEM.set(if crate::tells_files() || is_rustc() { Vec::new() } else { keys(item) });
}

/// The file that has the item which is expanded.
pub fn file_of_item() -> Option<PathBuf> {
    let keys = ITEM.with_borrow(Clone::clone);
    if keys.is_empty() {
        return None;
    }
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
    let mut files = Vec::new();
    collect(&root, &mut files);
    keys.iter().find_map(|key| files.iter().find(|file| has(file, key)).cloned())
}

/// Where the crates of the package may begin: in the places that cargo knows, the library first, then in any file.
pub fn roots() -> Vec<PathBuf> {
    let Some(root) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else { return Vec::new() };
    let mut files = Vec::new();
    collect(&root, &mut files);
    let known = ["src/lib.rs", "src/main.rs"].map(|name| root.join(name));
    let is_root = |file: &&PathBuf| !known.contains(file) && !file.starts_with(root.join("src"));
    let others: Vec<PathBuf> = files.iter().filter(is_root).cloned().collect();
    let rest = files.iter().filter(|file| !known.contains(file) && !others.contains(file)).cloned();
    known.iter().filter(|file| file.exists()).cloned().chain(others.iter().cloned()).chain(rest).collect()
}

/// What a file has that has the item, the surest first.
fn keys(item: &TokenStream) -> Vec<Vec<String>> {
    const KINDS: [&str; 6] = ["fn", "struct", "enum", "impl", "mod", "trait"];
    let is_kind = |tree: &TokenTree| matches!(tree, TokenTree::Ident(kind) if KINDS.iter().any(|known| kind == known));
    let is_body = |tree: &TokenTree| matches!(tree, TokenTree::Group(body) if body.delimiter() == Delimiter::Brace);
    let heading: TokenStream =
        item.clone().into_iter().skip_while(|tree| !is_kind(tree)).take_while(|tree| !is_body(tree)).collect();
    let mut keys = vec![vec![without_blanks(&heading.to_string())]];
    let mut trees = heading.into_iter();
    if let (Some(TokenTree::Ident(kind)), Some(TokenTree::Ident(name))) = (trees.next(), trees.next()) {
        let name = name.to_string();
        keys.extend(["(", "<"].map(|next| vec![format!("{kind}{name}{next}")]));
        // A method is a function under a name of its own.
        if let Some((owner, method)) = name.split_once('_').filter(|_| name.starts_with(char::is_uppercase)) {
            keys.extend(["(", "<"].map(|next| vec![format!("fn{method}{next}"), owner.to_owned()]));
        }
    }
    keys
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if files.len() >= MOST_FILES || name.starts_with('.') || name == "target" {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Whether a file has all texts of a key.
fn has(file: &Path, key: &[String]) -> bool {
    let Ok(time) = std::fs::metadata(file).and_then(|data| data.modified()) else { return false };
    TEXTS.with_borrow_mut(|texts| {
        let known = texts.get(file).is_some_and(|(read, _)| *read == time);
        if !known {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            texts.insert(file.to_owned(), (time, without_blanks(&text)));
        }
        texts.get(file).is_some_and(|(_, text)| key.iter().all(|part| text.contains(part)))
    })
}

#[cfg(test)]
mod tests {
    use super::{file_of_item, note_item};

    /// This very file has it.
    #[test]
    fn the_file_that_has_a_function() {
        let item = "pub fn has_two_lines(first: f64, second: f64) -> f64 { 1.0 }";
        let _ = "fn has_two_lines(first: f64,
            second: f64) -> f64";
        note_item(&item.parse().unwrap());
        assert!(file_of_item().unwrap().ends_with("src/source/searched.rs"));
        note_item(&format!("fn {}_else() {{}}", "nothing").parse().unwrap());
        assert_eq!(file_of_item(), None);
    }
}
