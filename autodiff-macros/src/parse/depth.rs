//! How deep tokens are nested. Parsers recurse, and a stack that overflows takes the compiler with it: what no one
//! writes by hand is refused before it is parsed.

use crate::diag::Error;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What a parser may have to recurse through, in tokens.
const MAX_TOKENS: usize = 1200;
/// A group, a `<`, or one of several operators or words in a row may be a level of its own, and costs more.
const LEVEL: usize = 8;

pub fn check(tokens: &TokenStream) -> Result<(), Error> {
    below(tokens.clone(), 0)
}

/// Counts the tokens since the last `;`, `,` or block, here and in the groups around: an upper bound for how deep
/// `- - x`, `if a {} else if b {}`, `A<B<C>>` or `f(g(x))` can be.
fn below(tokens: TokenStream, depth: usize) -> Result<(), Error> {
    let (mut run, mut ended, mut before) = (depth, false, None);
    for token in tokens {
        let goes_on = matches!(&token, TokenTree::Ident(ident) if ident == "else");
        if ended && !goes_on {
            run = depth;
        }
        let kind = match &token {
            TokenTree::Punct(punct) if punct.as_char() == ':' => None,
            TokenTree::Punct(punct) => Some(if punct.as_char() == '<' { Kind::Angle } else { Kind::Operator }),
            TokenTree::Ident(_) => Some(Kind::Word),
            TokenTree::Group(_) | TokenTree::Literal(_) => None,
        };
        let level = kind == Some(Kind::Angle) || kind.is_some() && kind == before;
        run += if level { LEVEL } else { 1 };
        before = kind;
        if run > MAX_TOKENS {
            let error = Error::new(&token, "an expression this long or nested this deep cannot be differentiated");
            return Err(error.help("name its parts with `let`"));
        }
        ended = match &token {
            TokenTree::Group(group) => {
                below(group.stream(), run + LEVEL)?;
                group.delimiter() == Delimiter::Brace
            }
            TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
            _ => false,
        };
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Operator,
    Angle,
    Word,
}
