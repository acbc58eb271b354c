//! Syntax trees, made directly: what is written here is not parsed again.

use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::token::{Brace, Bracket, Paren};
use syn::{BinOp, Block, Expr, Lifetime, Local, LocalInit, Pat, PatType, Path, RangeLimits, Stmt, Token, Type, UnOp};

pub fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Without the parentheses around it.
pub fn bare(expr: Expr) -> Expr {
    match expr {
        Expr::Paren(paren) => bare(*paren.expr),
        Expr::Group(group) => bare(*group.expr),
        other => other,
    }
}

/// Makes nodes at one place of the user's source.
#[derive(Clone, Copy)]
pub struct At(pub Span);

impl At {
    pub fn path(self, ident: &Ident) -> Expr {
        Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: Path::from(ident.clone()) })
    }

    /// `0`, of the type that its place has.
    pub fn integer(self, value: usize) -> Expr {
        self.literal(syn::Lit::Int(syn::LitInt::new(&value.to_string(), self.0)))
    }

    /// `0_usize`
    pub fn count(self, value: usize) -> Expr {
        self.literal(syn::Lit::Int(syn::LitInt::new(&format!("{value}_usize"), self.0)))
    }

    /// `1_i64`
    pub fn typed_integer(self, value: usize, of: &Ident) -> Expr {
        self.literal(syn::Lit::Int(syn::LitInt::new(&format!("{value}_{of}"), self.0)))
    }

    pub fn cast(self, value: Expr, ty: &Ident) -> Expr {
        let cast = Expr::Cast(syn::ExprCast {
            attrs: Vec::new(),
            expr: Box::new(self.operand(value)),
            as_token: Token![as](self.0),
            ty: Box::new(syn::parse_quote!(#ty)),
        });
        Expr::Paren(syn::ExprParen { attrs: Vec::new(), paren_token: Paren(self.0), expr: Box::new(cast) })
    }

    pub fn float(self, text: &str) -> Expr {
        self.literal(syn::Lit::Float(syn::LitFloat::new(text, self.0)))
    }

    pub fn truth(self, value: bool) -> Expr {
        self.literal(syn::Lit::Bool(syn::LitBool::new(value, self.0)))
    }

    fn literal(self, lit: syn::Lit) -> Expr {
        Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit })
    }

    pub fn unit(self) -> Expr {
        self.tuple(Vec::new())
    }

    pub fn tuple(self, parts: Vec<Expr>) -> Expr {
        let mut elems: Punctuated<Expr, Token![,]> = Punctuated::new();
        let single = parts.len() == 1;
        elems.extend(parts);
        if single {
            elems.push_punct(Token![,](self.0));
        }
        Expr::Tuple(syn::ExprTuple { attrs: Vec::new(), paren_token: Paren(self.0), elems })
    }

    pub fn not(self, expr: Expr) -> Expr {
        let expr = Box::new(self.operand(expr));
        Expr::Unary(syn::ExprUnary { attrs: Vec::new(), op: UnOp::Not(Token![!](self.0)), expr })
    }

    /// In parentheses, if it is not atomic.
    fn operand(self, expr: Expr) -> Expr {
        match expr {
            Expr::Path(_)
            | Expr::Lit(_)
            | Expr::Paren(_)
            | Expr::MethodCall(_)
            | Expr::Call(_)
            | Expr::Index(_)
            | Expr::Field(_)
            | Expr::Tuple(_)
            | Expr::Macro(_)
            | Expr::Array(_) => expr,
            other => {
                Expr::Paren(syn::ExprParen { attrs: Vec::new(), paren_token: Paren(self.0), expr: Box::new(other) })
            }
        }
    }

    pub fn refer(self, mutable: bool, expr: Expr) -> Expr {
        Expr::Reference(syn::ExprReference {
            attrs: Vec::new(),
            and_token: Token![&](self.0),
            mutability: mutable.then(|| Token![mut](self.0)),
            expr: Box::new(self.operand(expr)),
        })
    }

    pub fn index(self, base: Expr, index: Expr) -> Expr {
        Expr::Index(syn::ExprIndex {
            attrs: Vec::new(),
            expr: Box::new(self.operand(base)),
            bracket_token: Bracket(self.0),
            index: Box::new(bare(index)),
        })
    }

    pub fn binary(self, left: Expr, op: BinOp, right: Expr) -> Expr {
        let operand = |side: Expr| match side {
            Expr::Unary(_) | Expr::Reference(_) => side,
            Expr::Binary(inner) if matches!((&inner.op, &op), (BinOp::And(_), BinOp::And(_))) => Expr::Binary(inner),
            side => self.operand(side),
        };
        let (left, right) = (Box::new(operand(left)), Box::new(operand(right)));
        Expr::Binary(syn::ExprBinary { attrs: Vec::new(), left, op, right })
    }

    pub fn add(self, left: Expr, right: Expr) -> Expr {
        self.binary(left, BinOp::Add(Token![+](self.0)), right)
    }

    pub fn sub(self, left: Expr, right: Expr) -> Expr {
        self.binary(left, BinOp::Sub(Token![-](self.0)), right)
    }

    pub fn mul(self, left: Expr, right: Expr) -> Expr {
        self.binary(left, BinOp::Mul(Token![*](self.0)), right)
    }

    pub fn lt(self, left: Expr, right: Expr) -> Expr {
        self.binary(left, BinOp::Lt(Token![<](self.0)), right)
    }

    pub fn and(self, left: Expr, right: Expr) -> Expr {
        self.binary(left, BinOp::And(Token![&&](self.0)), right)
    }

    pub fn method(self, receiver: Expr, name: &str, args: Vec<Expr>) -> Expr {
        Expr::MethodCall(syn::ExprMethodCall {
            attrs: Vec::new(),
            receiver: Box::new(self.operand(receiver)),
            dot_token: Token![.](self.0),
            method: Ident::new(name, self.0),
            turbofish: None,
            paren_token: Paren(self.0),
            args: args.into_iter().collect(),
        })
    }

    pub fn call(self, function: Expr, args: Vec<Expr>) -> Expr {
        Expr::Call(syn::ExprCall {
            attrs: Vec::new(),
            func: Box::new(self.operand(function)),
            paren_token: Paren(self.0),
            args: args.into_iter().collect(),
        })
    }

    pub fn range(self, start: Expr, end: Expr) -> Expr {
        Expr::Range(syn::ExprRange {
            attrs: Vec::new(),
            start: Some(Box::new(self.operand(start))),
            limits: RangeLimits::HalfOpen(Token![..](self.0)),
            end: Some(Box::new(self.operand(end))),
        })
    }

    // --- statements -------------------------------------------------------------------------------------

    pub fn name(self, ident: &Ident, mutable: bool) -> Pat {
        Pat::Ident(syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: mutable.then(|| Token![mut](self.0)),
            ident: ident.clone(),
            subpat: None,
        })
    }

    pub fn typed(self, pat: Pat, ty: Option<Type>) -> Pat {
        match ty {
            Some(ty) => Pat::Type(PatType {
                attrs: Vec::new(),
                pat: Box::new(pat),
                colon_token: Token![:](self.0),
                ty: Box::new(ty),
            }),
            None => pat,
        }
    }

    pub fn bind(self, pat: Pat, value: Option<Expr>) -> Stmt {
        Stmt::Local(Local {
            attrs: Vec::new(),
            let_token: Token![let](self.0),
            pat,
            init: value.map(|value| LocalInit {
                eq_token: Token![=](self.0),
                expr: Box::new(bare(value)),
                diverge: None,
            }),
            semi_token: Token![;](self.0),
        })
    }

    pub fn define(self, ident: &Ident, mutable: bool, value: Expr) -> Stmt {
        self.bind(self.name(ident, mutable), Some(value))
    }

    pub fn statement(self, expr: Expr) -> Stmt {
        match &expr {
            Expr::If(_) | Expr::Match(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Block(_) => {
                Stmt::Expr(expr, None)
            }
            _ => Stmt::Expr(expr, Some(Token![;](self.0))),
        }
    }

    pub fn assign(self, place: Expr, value: Expr) -> Stmt {
        self.statement(Expr::Assign(syn::ExprAssign {
            attrs: Vec::new(),
            left: Box::new(place),
            eq_token: Token![=](self.0),
            right: Box::new(bare(value)),
        }))
    }

    /// `place += value`
    pub fn increase(self, place: Expr, value: Expr) -> Stmt {
        self.change(place, BinOp::AddAssign(Token![+=](self.0)), value)
    }

    pub fn change(self, place: Expr, op: BinOp, value: Expr) -> Stmt {
        let (left, right) = (Box::new(place), Box::new(bare(value)));
        self.statement(Expr::Binary(syn::ExprBinary { attrs: Vec::new(), left, op, right }))
    }

    // --- control flow -----------------------------------------------------------------------------------

    pub fn stmts(self, stmts: Vec<Stmt>) -> Block {
        Block { brace_token: Brace(self.0), stmts }
    }

    pub fn block(self, label: Option<Lifetime>, stmts: Vec<Stmt>) -> Expr {
        Expr::Block(syn::ExprBlock {
            attrs: Vec::new(),
            label: label.map(|name| self.label(name)),
            block: self.stmts(stmts),
        })
    }

    pub fn label(self, name: Lifetime) -> syn::Label {
        syn::Label { name, colon_token: Token![:](self.0) }
    }

    pub fn choose(self, cond: Expr, yes: Vec<Stmt>, no: Option<Vec<Stmt>>) -> Expr {
        let no = no.map(|mut no| match &no[..] {
            [Stmt::Expr(Expr::If(_), None)] => match no.pop() {
                Some(Stmt::Expr(other, None)) => other,
                _ => self.block(None, Vec::new()),
            },
            _ => self.block(None, no),
        });
        Expr::If(syn::ExprIf {
            attrs: Vec::new(),
            if_token: Token![if](self.0),
            cond: Box::new(bare(cond)),
            then_branch: self.stmts(yes),
            else_branch: no.map(|no| (Token![else](self.0), Box::new(no))),
        })
    }

    pub fn for_loop(self, label: Option<Lifetime>, index: Pat, range: Expr, body: Vec<Stmt>) -> Expr {
        Expr::ForLoop(syn::ExprForLoop {
            attrs: Vec::new(),
            label: label.map(|name| self.label(name)),
            for_token: Token![for](self.0),
            pat: Box::new(index),
            in_token: Token![in](self.0),
            expr: Box::new(range),
            body: self.stmts(body),
        })
    }

    pub fn while_loop(self, cond: Expr, body: Vec<Stmt>) -> Expr {
        Expr::While(syn::ExprWhile {
            attrs: Vec::new(),
            label: None,
            while_token: Token![while](self.0),
            cond: Box::new(bare(cond)),
            body: self.stmts(body),
        })
    }

    pub fn forever(self, label: Option<Lifetime>, body: Vec<Stmt>) -> Expr {
        Expr::Loop(syn::ExprLoop {
            attrs: Vec::new(),
            label: label.map(|name| self.label(name)),
            loop_token: Token![loop](self.0),
            body: self.stmts(body),
        })
    }

    pub fn break_to(self, label: Option<Lifetime>, value: Option<Expr>) -> Expr {
        let expr = value.map(Box::new);
        Expr::Break(syn::ExprBreak { attrs: Vec::new(), break_token: Token![break](self.0), label, expr })
    }

    /// `if cond { break 'label; }`
    pub fn leave_if(self, cond: Expr, label: Lifetime) -> Stmt {
        self.statement(self.choose(cond, vec![self.statement(self.break_to(Some(label), None))], None))
    }

    /// `match value { pat if guard => yes, _ => no }`
    pub fn select(self, value: Expr, arms: Vec<(Pat, Option<Expr>, Expr)>) -> Expr {
        let arms = arms.into_iter().map(|(pat, guard, body)| syn::Arm {
            attrs: Vec::new(),
            pat,
            guard: guard.map(|guard| (Token![if](self.0), Box::new(guard))),
            fat_arrow_token: Token![=>](self.0),
            body: Box::new(body),
            comma: Some(Token![,](self.0)),
        });
        Expr::Match(syn::ExprMatch {
            attrs: Vec::new(),
            match_token: Token![match](self.0),
            expr: Box::new(bare(value)),
            brace_token: Brace(self.0),
            arms: arms.collect(),
        })
    }

    pub fn wild(self) -> Pat {
        Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Token![_](self.0) })
    }
}
