//! An expression as one writes it, for the message of an assertion.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The text of an expression on one line, with spaces where a formatter puts them.
pub(super) fn written(tokens: TokenStream) -> String {
    let mut text = String::new();
    write(tokens, &mut text);
    text
}

/// What stands before a token decides whether there is a space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The beginning, or something that nothing is separated from: `(`, `.`, a unary operator.
    Open,
    /// A name, a literal or a group: an operand is complete.
    Operand,
    /// A word that an operand follows: `as`, `if`.
    Keyword,
    /// A binary operator, or a comma.
    Operator,
}

const KEYWORDS: [&str; 8] = ["as", "if", "else", "in", "match", "move", "mut", "return"];

fn write(tokens: TokenStream, text: &mut String) {
    let mut before = Before::Open;
    // Whether the parameters of a closure have begun.
    let mut closure = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                let spaced = matches!(before, Before::Keyword | Before::Operator)
                    || before == Before::Operand && group.delimiter() == Delimiter::Brace;
                text.push_str(if spaced { " " } else { "" });
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
                before = Before::Operand;
            }
            TokenTree::Punct(punct) => {
                let mut operator = punct.as_char().to_string();
                let mut last = punct;
                while last.spacing() == Spacing::Joint
                    && let Some(TokenTree::Punct(next)) = tokens.next_if(|next| matches!(next, TokenTree::Punct(_)))
                {
                    operator.push(next.as_char());
                    last = next;
                }
                before = punctuation(&operator, before, &mut closure, text);
            }
            token => {
                let word = token.to_string();
                text.push_str(if before == Before::Open { "" } else { " " });
                text.push_str(&word);
                before = if KEYWORDS.contains(&&*word) { Before::Keyword } else { Before::Operand };
            }
        }
    }
}

fn punctuation(operator: &str, before: Before, closure: &mut bool, text: &mut String) -> Before {
    let space = if matches!(before, Before::Open) { "" } else { " " };
    match operator {
        "," | ";" => {
            text.push_str(operator);
            Before::Operator
        }
        "." | "::" | ".." | "..=" | "'" => {
            text.push_str(if before == Before::Operator || before == Before::Keyword { " " } else { "" });
            text.push_str(operator);
            Before::Open
        }
        "?" => {
            text.push('?');
            Before::Operand
        }
        ":" => {
            text.push(':');
            Before::Operator
        }
        "|" if *closure => {
            *closure = false;
            text.push('|');
            Before::Operator
        }
        "|" if before != Before::Operand => {
            *closure = true;
            text.push_str(&format!("{space}|"));
            Before::Open
        }
        // Of a macro.
        "!" if before == Before::Operand => {
            text.push('!');
            Before::Open
        }
        "!" | "*" | "-" | "&" | "&&" | "||" if before != Before::Operand => {
            text.push_str(&format!("{space}{operator}"));
            if operator == "||" { Before::Operator } else { Before::Open }
        }
        _ => {
            text.push_str(&format!(" {operator}"));
            Before::Operator
        }
    }
}

#[cfg(test)]
mod tests {
    use super::written;
    use std::str::FromStr;

    #[test]
    fn as_a_formatter_writes_them() {
        for text in [
            "p.iter().all(|p| *p > 0.0) && p.len() < 10 && !(k == 3) && p[0] <= f64::MAX as f64",
            "x > -1.0 || -x >= y.powi(2) * (1 - k)",
            "matches!(shape, Shape::Circle { r }) && (0..3).contains(&k)",
            "a.iter().zip(b).fold(0.0, |s, (a, b)| s + a * b) != 0.0",
            "[1, 2, 3][k] == 2 && is_ok(&mut x, &[y, z])?",
            "if x > 0.0 { a } else { b }",
            "r == 'x' && s == \"a  b\"",
        ] {
            let tokens = proc_macro2::TokenStream::from_str(text).expect("an expression");
            assert_eq!(written(tokens), text);
        }
    }
}
