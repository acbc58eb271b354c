//! Constants whose values are read: those that consist of functions, `const BASIS: [fn(f64) -> f64; 2] = [f64::sin, f64::cos];`,
//! and the options of convolution and pooling, `const HALF: Window2d = Window2d { stride: [2, 2], … };`.
//!
//! What the names in them mean is the same only in the module of the constant.

use super::Source;
use super::home::Place;
use proc_macro2::Ident;
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Expr, Path, Type};

/// Their modules and texts, by their names. None, if there are several.
#[derive(Default)]
pub struct Tables(HashMap<String, Option<(Place, String)>>);

impl Tables {
    pub fn collect(&mut self, name: &Ident, ty: &Type, value: &Expr, place: &Place) {
        let is_read = crate::tokens::is_of_functions(ty) || is_of_options(ty);
        let found = is_read.then(|| (place.clone(), value.to_token_stream().to_string()));
        let is_first = !self.0.contains_key(&name.to_string());
        self.0.insert(name.to_string(), found.filter(|_| is_first));
    }
}

impl Source {
    /// What a constant of functions or of options consists of, if it stands in the module of a function.
    pub fn value_of_constant(&self, path: &Path, function: &str) -> Option<&str> {
        let (place, text) = self.tables.0.get(&path.get_ident()?.to_string())?.as_ref()?;
        (self.module_of(function)?.place.path == place.path).then_some(text)
    }
}

/// Whether a type has the name of options of convolution or pooling.
fn is_of_options(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            name.starts_with("Conv") || name.starts_with("Window")
        }),
        _ => false,
    }
}
