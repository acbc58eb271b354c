//! `AUTODIFF_EMIT=dir`: the code as Rust, and the IR after every pass. The feature `emit` brings what formats the code.
//!
//! There is a directory for each crate. Functions of one name, of several modules, are told apart by a number, in the
//! order in which rustc expands them.

use crate::ir::Body;
use crate::ir::text::print;
use proc_macro2::TokenStream;
#[cfg(not(feature = "emit"))]
use quote::quote;
use std::env;
#[cfg(feature = "emit")]
use std::{
    collections::HashMap,
    fs,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

const VARIABLE: &str = "AUTODIFF_EMIT";

/// What the passes leave of a function; empty where nobody wants to see it.
pub struct Trace {
    wanted: bool,
    text: String,
}

impl Trace {
    pub fn new() -> Trace {
        Trace { wanted: env::var_os(VARIABLE).is_some(), text: String::new() }
    }

    pub fn body(&mut self, pass: &str, body: &Body) {
        if self.wanted {
            self.text.push_str(&format!("// {pass}\n{}\n", print(body)));
        }
    }

    /// Writes the files of a function.
    #[cfg(feature = "emit")]
    pub fn write(&self, name: &str, code: &TokenStream) -> TokenStream {
        let Some(dir) = env::var_os(VARIABLE) else { return TokenStream::new() };
        let mut dir = PathBuf::from(dir);
        dir.extend(env::var_os("CARGO_CRATE_NAME"));
        let pretty = match syn::parse2::<syn::File>(code.clone()) {
            Ok(file) => prettyplease::unparse(&file),
            Err(_) => code.to_string(),
        };
        let name = own_name(name, &pretty);
        // A directory that cannot be written to must not break the build.
        let _ = fs::create_dir_all(&dir);
        let _ = fs::write(dir.join(format!("{name}.rs")), pretty);
        let _ = fs::write(dir.join(format!("{name}.ir")), &self.text);
        TokenStream::new()
    }

    /// Says what is missing, where files are wanted.
    #[cfg(not(feature = "emit"))]
    pub fn write(&self, _name: &str, _code: &TokenStream) -> TokenStream {
        if self.wanted {
            quote!(::core::compile_error!("`AUTODIFF_EMIT` needs the feature `emit` of `autodiff`");)
        } else {
            TokenStream::new()
        }
    }
}

/// The name itself, or with a number if another function of the crate has it.
#[cfg(feature = "emit")]
fn own_name(name: &str, code: &str) -> String {
    static WRITTEN: Mutex<Option<HashMap<String, Vec<String>>>> = Mutex::new(None);
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    // An editor expands the same function again.
    let of_name = written.get_or_insert_default().entry(name.to_owned()).or_default();
    let at = of_name.iter().position(|other| other == code).unwrap_or_else(|| {
        of_name.push(code.to_owned());
        of_name.len() - 1
    });
    if at == 0 { name.to_owned() } else { format!("{name}.{}", at + 1) }
}

#[cfg(all(test, feature = "emit"))]
mod tests {
    use super::own_name;

    #[test]
    fn functions_of_one_name_have_files_of_their_own() {
        let name = |code| own_name("functions_of_one_name", code);
        assert_eq!(name("fn a() {}"), "functions_of_one_name");
        assert_eq!(name("fn b() {}"), "functions_of_one_name.2");
        assert_eq!(name("fn a() {}"), "functions_of_one_name");
        assert_eq!(name("fn c() {}"), "functions_of_one_name.3");
    }
}
