//! Macros of the user's, which nobody can expand here; and those that have the names of macros that the compiler knows: see Note [Names
//! of the user's].

use super::Lower;
use super::value::{Lowered, Reported, Value};
use crate::diag::{Error, Errors};
use crate::source::Source;
use syn::visit::Visit;
use syn::{Block, ItemMacro, Macro};

/// The macros that are known by their names.
const KNOWN: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "einsum",
    "eprint",
    "eprintln",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
];

/// Refuses what would be taken for a macro of the standard library.
pub(super) fn refuse(block: &Block, source: Option<&Source>, errors: &mut Errors) {
    let Some(source) = source else { return };
    Refuse { source, errors }.visit_block(block);
}

struct Refuse<'s> {
    source: &'s Source,
    errors: &'s mut Errors,
}

impl<'ast> Visit<'ast> for Refuse<'_> {
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let Some(name) = mac.path.get_ident().map(ToString::to_string) else { return };
        if KNOWN.contains(&&name[..]) && self.source.defines_macro(&name) {
            let message = format!("`{name}!` may be a macro of this file, which cannot be differentiated yet");
            let help = format!("give that macro another name, or write `::core::{name}!` if it is not meant");
            let note = format!("this file defines a macro `{name}!`");
            self.errors.push(Error::new(&mac.path, message).note(note).help(help).plain_rust());
        }
    }
}

impl Lower<'_> {
    /// `macro_rules! square { … }` in a body.
    pub(super) fn own_macro(&mut self, item: &ItemMacro) -> Lowered<Value> {
        let name = item.ident.as_ref().map_or_else(|| "value".to_owned(), ToString::to_string);
        self.unsupported(
            &item.mac.path,
            "a macro that is defined inside the body",
            &format!("write a closure, `let {name} = |x: f64| …;`, and call that: `{name}(x)`"),
        )
    }

    /// A call of a macro that is not known.
    pub(super) fn unknown_macro(&mut self, mac: &Macro) -> Lowered<Value> {
        let name = crate::parse::ty::spelled(&mac.path);
        // It is said where it is defined.
        let mut defined = Defined { name: &name, found: false };
        defined.visit_block(&self.function.body);
        if defined.found {
            return Err(Reported);
        }
        let of_file = self.source.as_ref().is_some_and(|source| source.defines_macro(&name));
        let help = match of_file {
            true => format!(
                "write a function in place of the macro, `#[differentiable] fn {name}(…) -> f64`, or a closure: `let {name} = |x: f64| …;`"
            ),
            false => "write out what it stands for, or make it a function with `#[differentiable]`".to_owned(),
        };
        self.unsupported(&mac.path, &format!("the macro `{name}!`"), &help)
    }
}

/// Whether a body defines a macro of a name.
struct Defined<'n> {
    name: &'n str,
    found: bool,
}

impl<'ast> Visit<'ast> for Defined<'_> {
    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        self.found |= item.ident.as_ref().is_some_and(|name| name == self.name);
    }
}
