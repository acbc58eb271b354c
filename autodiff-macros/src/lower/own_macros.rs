//! Macros of the user's that have the names of those that the compiler knows: see Note [Names of the user's].

use crate::diag::{Error, Errors};
use crate::source::Source;
use syn::visit::Visit;
use syn::{Block, Macro};

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
