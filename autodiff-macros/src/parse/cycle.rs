//! Functions that call each other.
//!
//! Note [Cycles of calls]. What a function keeps for its reverse sweep contains what its callees keep. In a cycle of calls
//! that would contain itself, so that somewhere a caller has to keep nothing of its callee: it runs both sweeps of it
//! together, when its own reverse sweep comes to the call (`CallKind::Joint`). That costs a second evaluation, and is right
//! wherever it is done.
//!
//! A function that is expanded knows what its callees call by name, since their relays say so, and keeps nothing of one that
//! names it: that is, or looks like, a cycle of two. Longer ones are seen by `#[differentiable]` on a module, and within a file
//! (`source/circle.rs`). Otherwise the user says so: `#[differentiable(recursive)]` on a function tells its callers to keep
//! nothing of it.

use super::function::Function;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;

/// The names of what is called in a body: `f` for `f(x)` and `m::f(x)`, `Robot_energy` for `Robot::energy(…)`, `.energy` for
/// a method of what is not known here. A function that is handed on, `integrate::<f>`, is called by somebody, too.
pub fn calls(body: &impl ToTokens) -> Vec<String> {
    let names: BTreeSet<String> = all_calls(body).into_iter().collect();
    names.into_iter().collect()
}

/// The same for every call.
pub fn all_calls(body: &impl ToTokens) -> Vec<String> {
    let mut names = Vec::new();
    note(body.to_token_stream(), &mut names);
    names
}

fn note(tokens: TokenStream, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let punct = |at: Option<usize>, c: char| {
        at.and_then(|at| tokens.get(at)).is_some_and(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == c))
    };
    // How many `<` of a `::<` are open.
    let mut depth = 0_usize;
    for (k, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => note(group.stream(), names),
            TokenTree::Punct(p) if p.as_char() == '<' && (depth > 0 || punct(k.checked_sub(1), ':')) => depth += 1,
            TokenTree::Punct(p) if p.as_char() == '>' => depth = depth.saturating_sub(1),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            TokenTree::Ident(ident) => {
                let name = bare(&ident.to_string());
                let called = matches!(tokens.get(k + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                let generic = punct(Some(k + 1), ':') && punct(Some(k + 2), ':') && punct(Some(k + 3), '<');
                if !(called || generic || depth > 0) {
                    continue;
                }
                if punct(k.checked_sub(1), '.') {
                    names.push(format!(".{name}"));
                    continue;
                }
                let owner = k.checked_sub(3).filter(|at| punct(Some(at + 1), ':') && punct(Some(at + 2), ':'));
                if let Some(TokenTree::Ident(owner)) = owner.map(|at| &tokens[at]) {
                    names.push(format!("{}_{name}", bare(&owner.to_string())));
                }
                names.push(name);
            }
        }
    }
}

fn bare(name: &str) -> String {
    name.trim_start_matches("r#").to_owned()
}

impl Function {
    /// Whether one of these names may be the function's.
    pub fn is_among(&self, calls: &[String]) -> bool {
        let name = bare(&self.name().to_string());
        let method = self.attr.method.as_ref().map(|method| format!(".{}", bare(&method.name.to_string())));
        calls.iter().any(|call| *call == name || Some(call) == method.as_ref())
    }
}

/// Whether a type mentions the name of a function.
pub fn mentions(ty: &impl ToTokens, name: &Ident) -> bool {
    ty.to_token_stream().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// Which of some functions call themselves by way of others, given what each of them calls.
pub fn in_cycles(functions: &[(String, Vec<String>)]) -> Vec<bool> {
    let next = |at: usize| {
        let calls = &functions[at].1;
        functions.iter().enumerate().filter(|(_, (name, _))| calls.contains(name)).map(|(k, _)| k)
    };
    let reaches_itself = |start: usize| {
        let (mut seen, mut left) = (BTreeSet::new(), vec![start]);
        while let Some(at) = left.pop() {
            for called in next(at) {
                if called == start {
                    return true;
                }
                if seen.insert(called) {
                    left.push(called);
                }
            }
        }
        false
    };
    (0..functions.len()).map(reaches_itself).collect()
}

#[cfg(test)]
mod tests {
    use super::{calls, in_cycles};
    use quote::quote;

    #[test]
    fn names_of_calls() {
        let body = quote! {{
            let y = f(x) + m::g(x) - robot.energy(&[h(y)]);
            Robot::power::<3>(&robot) * integrate::<k>(a < b, vec![last(x)]) + size
        }};
        let found = calls(&body);
        for name in ["f", "g", "m_g", ".energy", "h", "Robot_power", "integrate", "k", "last"] {
            assert!(found.iter().any(|found| found == name), "{name} in {found:?}");
        }
        assert!(!found.iter().any(|found| found == "size" || found == "y"), "{found:?}");
    }

    #[test]
    fn cycles() {
        let of = |name: &str, calls: &[&str]| (name.to_owned(), calls.iter().map(|name| (*name).to_owned()).collect());
        let functions = [of("a", &["b"]), of("b", &["c", "sin"]), of("c", &["a"]), of("d", &["a"]), of("e", &["e"])];
        assert_eq!(in_cycles(&functions), [true, true, true, false, true]);
    }
}
