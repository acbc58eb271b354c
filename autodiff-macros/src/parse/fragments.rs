//! What `macro_rules!` hands on as one piece: `$x` of `$x:expr` is a group without delimiters.
//!
//! Note [Fragments]. rustc knows such a group for what it is as long as no procedural macro has touched it. In what a procedural
//! macro gives back the group is nothing: with `1.0 + y` for `$x`, the function `{ 2.0 * $x }` comes out as `2.0 * 1.0 + y`. So an operand
//! that binds less tightly than what stands beside it gets parentheses, before anything else happens.
//!
//! And `syn` takes a block or a `let` for an expression, and misses the semicolon after it: it is opened where a
//! statement begins.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use syn::Expr;
use syn::visit_mut::{self, VisitMut};

/// The same tokens, in which what a macro has inserted stands as if it were written there.
pub fn open(tokens: TokenStream) -> TokenStream {
    opened(tokens, Delimiter::None)
}

fn opened(tokens: TokenStream, around: Delimiter) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::new();
    for (k, token) in tokens.iter().enumerate() {
        match token {
            // An attribute has no operators.
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && ends_with(&out, "#") => {
                out.push(token.clone());
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                let (inner, after) = (opened(group.stream(), Delimiter::None), &tokens[k + 1..]);
                let statement = around == Delimiter::Brace && begins_statement(&out) && is_statement(&inner);
                match binding(&inner) {
                    Some(binding) if binding.splits(&out, after) => {
                        out.push(with(Delimiter::Parenthesis, group, inner));
                    }
                    // It may also be a type, such as `&[f64]`, or a number with a sign, in a pattern.
                    Some(Binding::Prefix) => out.extend(inner),
                    _ if statement => out.extend(inner),
                    _ => out.push(with(Delimiter::None, group, inner)),
                }
            }
            TokenTree::Group(group) => {
                out.push(with(group.delimiter(), group, opened(group.stream(), group.delimiter())));
            }
            other => out.push(other.clone()),
        }
    }
    out.into_iter().collect()
}

fn with(delimiter: Delimiter, group: &Group, stream: TokenStream) -> TokenTree {
    let mut inner = Group::new(delimiter, stream);
    inner.set_span(group.span());
    TokenTree::Group(inner)
}

/// How an expression holds together beside other tokens; nothing takes apart what is not listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    /// `-x`
    Prefix,
    /// `x + y`
    Infix,
    /// `0..n`, `|x| x`
    Loose,
}

fn binding(tokens: &TokenStream) -> Option<Binding> {
    binding_of(&syn::parse2::<Expr>(tokens.clone()).ok()?)
}

fn binding_of(expr: &Expr) -> Option<Binding> {
    match expr {
        Expr::Group(group) => binding_of(&group.expr),
        Expr::Unary(_) | Expr::Reference(_) | Expr::RawAddr(_) => Some(Binding::Prefix),
        Expr::Binary(_) | Expr::Cast(_) => Some(Binding::Infix),
        Expr::Range(_) | Expr::Assign(_) | Expr::Closure(_) | Expr::Return(_) | Expr::Break(_) | Expr::Let(_) => {
            Some(Binding::Loose)
        }
        _ => None,
    }
}

/// Gives what the compiler works on parentheses in place of groups: parts of it will stand elsewhere.
pub struct Parenthesize;

impl VisitMut for Parenthesize {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Group(group) = expr {
            let inner = std::mem::replace(&mut *group.expr, Expr::Verbatim(TokenStream::new()));
            *expr = match binding_of(&inner) {
                Some(_) => syn::parse_quote!((#inner)),
                None => inner,
            };
        }
    }
}

impl Binding {
    /// Whether a part of the expression could belong to what is before or after it.
    fn splits(self, before: &[TokenTree], after: &[TokenTree]) -> bool {
        let range = after.len() > 1 && is(&after[0], '.') && is(&after[1], '.');
        let postfix = match after.first() {
            Some(TokenTree::Punct(punct)) => punct.as_char() == '?' || punct.as_char() == '.' && !range,
            Some(TokenTree::Group(group)) => matches!(group.delimiter(), Delimiter::Bracket | Delimiter::Parenthesis),
            _ => false,
        };
        if self == Binding::Prefix {
            return postfix;
        }
        let ranges = self == Binding::Loose && (range || ends_with(before, ".."));
        let infix = match after {
            [TokenTree::Ident(word), ..] => word == "as",
            [equals, ..] if is(equals, '=') => after.get(1).is_some_and(|next| is_joint(equals) && is(next, '=')),
            [TokenTree::Punct(punct), ..] => !matches!(punct.as_char(), ',' | ';' | ':' | '.' | '#'),
            _ => false,
        };
        let operators = ["+", "-", "*", "/", "%", "^", "!", "&", "|", "<", ">", "==", "!=", "<=", ">="];
        let arrow = ends_with(before, "=>") || ends_with(before, "->");
        let operand = !arrow && operators.iter().any(|operator| ends_with(before, operator));
        postfix || infix || operand || ranges
    }
}

fn is(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

fn is_joint(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint)
}

/// Whether the last tokens are this operator.
fn ends_with(tokens: &[TokenTree], operator: &str) -> bool {
    let Some(start) = tokens.len().checked_sub(operator.len()) else { return false };
    let last = &tokens[start..];
    last.iter().zip(operator.chars()).all(|(token, char)| is(token, char))
        && last.split_last().is_some_and(|(_, others)| others.iter().all(is_joint))
}

/// Whether a statement, or what follows `=>` of a `match`, may begin after these tokens.
fn begins_statement(before: &[TokenTree]) -> bool {
    match before {
        [] => true,
        [.., pound, TokenTree::Group(group)] if is(pound, '#') && group.delimiter() == Delimiter::Bracket => true,
        [.., TokenTree::Group(group)] => group.delimiter() == Delimiter::Brace,
        [.., last] => is(last, ';') || ends_with(before, "=>"),
    }
}

/// A block, or `let …`.
fn is_statement(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(block)), None) => block.delimiter() == Delimiter::Brace,
        (Some(TokenTree::Ident(word)), Some(_)) => word == "let",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn fragment(tokens: TokenStream) -> TokenTree {
        TokenTree::Group(Group::new(Delimiter::None, tokens))
    }

    fn groups_without_delimiters(tokens: TokenStream) -> usize {
        let groups = tokens.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group),
            _ => None,
        });
        groups
            .map(|group| usize::from(group.delimiter() == Delimiter::None) + groups_without_delimiters(group.stream()))
            .sum()
    }

    #[test]
    fn statements_are_opened_and_expressions_are_not() {
        let (block, declared) = (
            fragment(quote!({
                y *= x;
            })),
            fragment(quote!(let z = x)),
        );
        for statements in [
            quote!({ #block y }),
            quote!({ f(x); #block y }),
            quote!({ if x > y { 1.0 } else { 2.0 } #block y }),
            quote!({ #declared; #block #block y }),
            quote!({ match x { 1 => #block 2 => #block } }),
            quote!({ #[checkpoint] #block y }),
        ] {
            assert_eq!(groups_without_delimiters(open(statements)), 0);
        }
        let sum = fragment(quote!(x + y));
        for expressions in [quote!({ let y = #block; #sum }), quote!(#block)] {
            let open = open(expressions.clone());
            assert_eq!(open.to_string(), expressions.to_string());
            assert!(groups_without_delimiters(open) > 0);
        }
    }

    #[test]
    fn operands_stay_in_one_piece() {
        let [sum, negative, range] = [quote!(x + y), quote!(-x), quote!(0..n)].map(fragment);
        let twice = fragment(quote!(#sum));
        for (tokens, expected) in [
            (quote!(2.0 * #sum), quote!(2.0 * (x + y))),
            (quote!(2.0 * #twice), quote!(2.0 * (x + y))),
            (quote!(#sum * 2.0), quote!((x + y) * 2.0)),
            (quote!(-#sum), quote!(-(x + y))),
            (quote!(&#sum), quote!(&(x + y))),
            (quote!(#sum.sin()), quote!((x + y).sin())),
            (quote!(#sum as f32), quote!((x + y) as f32)),
            (quote!(1.0 == #sum), quote!(1.0 == (x + y))),
            (quote!(#sum == 1.0), quote!((x + y) == 1.0)),
            (quote!(print!("{}", #sum * 2.0)), quote!(print!("{}", (x + y) * 2.0))),
            (quote!(#negative.abs()), quote!((-x).abs())),
            (quote!(#range.map(f)), quote!((0..n).map(f))),
            // Nothing can come between.
            (quote!(#negative * 2.0), quote!(-x * 2.0)),
            (quote!(y += #sum;), quote!(y += x + y;)),
            (quote!(y = #sum;), quote!(y = x + y;)),
            (quote!(f(#sum, #negative)), quote!(f(x + y, -x))),
            (quote!(0..#sum), quote!(0..x + y)),
            (quote!(for i in #range {}), quote!(for i in 0..n {})),
            (quote!(1 => #sum,), quote!(1 => x + y,)),
        ] {
            // A group without delimiters is nothing in text.
            let text = |tokens: TokenStream| tokens.to_string().replace([' ', '\u{a0}'], "");
            assert_eq!(text(open(tokens)), text(expected));
        }
    }
}
