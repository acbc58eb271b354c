//! Tokens as text, and as sizes.

use crate::ir::dim::Dim;
pub use crate::ir::mentions;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Lit};

/// The language's own types that are `Copy`: numbers, truth values and characters.
pub const PRIMITIVES: [&str; 16] = [
    "f32", "f64", "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize",
];

pub const INTEGERS: &[&str] = &["usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];

/// A path as text without the blanks that tokens print with.
pub fn spelled(path: &impl ToTokens) -> String {
    let text = path.to_token_stream().to_string();
    text.replace(" :: ", "::")
        .replace(":: ", "::")
        .replace(" <", "<")
        .replace("< ", "<")
        .replace(" >", ">")
        .replace(" ,", ",")
}

/// A size as a polynomial; what is not arithmetic is an atom.
pub fn dim(expr: &Expr) -> Dim {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => int.base10_parse().map_or_else(|_| Dim::atom(&spelled(expr)), Dim::literal),
            _ => Dim::atom(&spelled(expr)),
        },
        Expr::Paren(paren) => dim(&paren.expr),
        Expr::Group(group) => dim(&group.expr),
        Expr::Block(block) => match &block.block.stmts[..] {
            [syn::Stmt::Expr(inner, None)] => dim(inner),
            _ => Dim::atom(&format!("({})", spelled(expr))),
        },
        Expr::Binary(binary) => {
            let (left, right) = (dim(&binary.left), dim(&binary.right));
            match binary.op {
                syn::BinOp::Add(_) => left.plus(&right),
                syn::BinOp::Sub(_) => left.minus(&right),
                syn::BinOp::Mul(_) => left.times(&right),
                syn::BinOp::Div(_) => left.over(&right),
                syn::BinOp::Rem(_) => left.modulo(&right),
                _ => Dim::atom(&format!("({})", spelled(expr))),
            }
        }
        Expr::Path(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Field(_) | Expr::Index(_) | Expr::Macro(_) => {
            Dim::atom(&spelled(expr))
        }
        // In parentheses: `0..{ … }` ends before the brace, and `2 * N as usize` is another product.
        _ => Dim::atom(&format!("({})", spelled(expr))),
    }
}

/// Whether a type is one of functions: `[fn(f64) -> f64; 2]`, `Vec<Box<dyn Fn(f64) -> f64>>`.
pub fn is_of_functions(ty: &syn::Type) -> bool {
    struct Functions(bool);
    impl<'a> syn::visit::Visit<'a> for Functions {
        fn visit_type_bare_fn(&mut self, _: &'a syn::TypeBareFn) {
            self.0 = true;
        }

        fn visit_parenthesized_generic_arguments(&mut self, _: &'a syn::ParenthesizedGenericArguments) {
            self.0 = true;
        }

        fn visit_type_path(&mut self, path: &'a syn::TypePath) {
            let last = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            if matches!(&last[..], "Vec" | "Box" | "Rc" | "Arc") {
                syn::visit::visit_type_path(self, path);
            }
        }
    }
    let mut functions = Functions(false);
    syn::visit::Visit::visit_type(&mut functions, ty);
    functions.0
}

/// Tokens where something else stands.
pub fn placed(tokens: TokenStream, span: Span) -> TokenStream {
    let place = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            let mut placed = proc_macro2::Group::new(group.delimiter(), self::placed(group.stream(), span));
            placed.set_span(span);
            return TokenTree::Group(placed);
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(place).collect()
}

/// Whether the sizes of a matrix of nalgebra's are types, `U3` and `Const<3>`.
pub fn takes_types(name: &Ident) -> bool {
    name == "OMatrix" || name == "OVector"
}
