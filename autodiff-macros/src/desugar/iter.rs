//! Iterators as they are written: where the elements come from, and what is done to them on their way.

use super::build::{At, bare};
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, ExprMethodCall, Lit, Pat, RangeLimits, Token};

/// How elements are handed out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    Value,
    Ref,
    Mut,
}

#[derive(Clone, Debug)]
pub enum Iter {
    /// `a..b`, `a..=b`, `a..`
    Range {
        start: Expr,
        end: Option<Expr>,
        closed: bool,
        /// The type of the integers, if they are no indices.
        of: Option<Ident>,
    },
    Elements {
        of: Expr,
        by: By,
    },
    Windows {
        of: Expr,
        size: Expr,
    },
    Chunks {
        of: Expr,
        size: Expr,
        exact: bool,
        by: By,
    },
    Repeat(Expr),
    Once(Expr),
    /// The first element, and what makes the next one of each.
    Successors(Expr, Expr),
    Zip(Box<Iter>, Box<Iter>),
    Chain(Box<Iter>, Box<Iter>),
    Enumerate(Box<Iter>),
    Rev(Box<Iter>),
    Cycle(Box<Iter>),
    StepBy(Box<Iter>, Expr),
    Skip(Box<Iter>, Expr),
    Take(Box<Iter>, Expr),
    Map(Box<Iter>, Expr),
    Inspect(Box<Iter>, Expr),
    Filter(Box<Iter>, Expr),
    TakeWhile(Box<Iter>, Expr),
    SkipWhile(Box<Iter>, Expr),
    FilterMap(Box<Iter>, Expr),
    MapWhile(Box<Iter>, Expr),
    /// With what is carried from one element to the next.
    Scan(Box<Iter>, Expr, Expr),
    /// The second is made from each element of the first.
    FlatMap(Box<Iter>, Expr),
    Flatten(Box<Iter>),
    /// What is left of an iterator that is used up in parts: the variable says how many of its elements have been taken.
    Rest(Box<Iter>, Expr),
}

/// The method of an iterator that stands for its rest, see Note [Named iterators].
const REST: &str = "__autodiff_rest";

/// What is left of an iterator after so many elements.
pub fn rest(iter: Expr, taken: Expr, at: At) -> Expr {
    at.method(iter, REST, vec![taken])
}

/// The variable that taking elements of a rest changes.
pub fn taken_of(call: &ExprMethodCall) -> Option<&Expr> {
    call.args.first().filter(|_| call.method == REST)
}

/// The type of a range of integers that are no indices, by its start: `0_i32..n`, `(a as i64)..b`.
fn type_of_range(range: &syn::ExprRange) -> Option<Ident> {
    fn of(expr: &Expr) -> Option<Ident> {
        match expr {
            Expr::Paren(paren) => of(&paren.expr),
            Expr::Unary(unary) => of(&unary.expr),
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => {
                let is_type = crate::parse::ty::INTEGERS.contains(&int.suffix());
                is_type.then(|| Ident::new(int.suffix(), int.span()))
            }
            Expr::Cast(cast) => match &*cast.ty {
                syn::Type::Path(path) => path.path.get_ident().cloned(),
                _ => None,
            },
            _ => None,
        }
    }
    of(range.start.as_ref()?).filter(|ty| ty != "usize" && crate::parse::ty::INTEGERS.contains(&&ty.to_string()[..]))
}

impl Iter {
    /// An expression that is an iterator, as far as its words tell.
    pub fn parse(expr: &Expr) -> Option<Iter> {
        match expr {
            Expr::Paren(paren) => Iter::parse(&paren.expr),
            Expr::Group(group) => Iter::parse(&group.expr),
            Expr::Range(range) => Some(Iter::Range {
                start: (**range.start.as_ref()?).clone(),
                end: range.end.as_ref().map(|end| (**end).clone()),
                closed: matches!(range.limits, RangeLimits::Closed(_)),
                of: type_of_range(range),
            }),
            Expr::MethodCall(call) => Iter::parse_method(call),
            Expr::Call(call) => {
                let Expr::Path(function) = bare((*call.func).clone()) else { return None };
                let words: Vec<String> = function.path.segments.iter().map(|part| part.ident.to_string()).collect();
                let args: Vec<&Expr> = call.args.iter().collect();
                let [.., module, name] = &words[..] else { return None };
                if !crate::source::may_be_of_library(&function.path) {
                    return None;
                }
                match (&module[..], &name[..], &args[..]) {
                    ("iter", "zip", [left, right]) => {
                        Some(Iter::Zip(Box::new(Iter::from(left)), Box::new(Iter::from(right))))
                    }
                    ("iter", "repeat", [value]) => Some(Iter::Repeat((*value).clone())),
                    ("iter", "repeat_n", [value, count]) => {
                        Some(Iter::Take(Box::new(Iter::Repeat((*value).clone())), (*count).clone()))
                    }
                    ("iter", "once", [value]) => Some(Iter::Once((*value).clone())),
                    ("iter", "repeat_with", [Expr::Closure(closure)]) => {
                        Some(Iter::Map(Box::new(Iter::count_from_zero(closure)), with_number(closure)))
                    }
                    ("iter", "from_fn", [Expr::Closure(closure)]) => {
                        Some(Iter::MapWhile(Box::new(Iter::count_from_zero(closure)), with_number(closure)))
                    }
                    ("iter", "successors", [first, next]) => {
                        Some(Iter::Successors(in_some(first)?.clone(), (*next).clone()))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `0..`
    fn count_from_zero(at: &ExprClosure) -> Iter {
        Iter::Range { start: At(at.span()).count(0), end: None, closed: false, of: None }
    }

    fn parse_method(call: &ExprMethodCall) -> Option<Iter> {
        let args: Vec<Expr> = call.args.iter().cloned().collect();
        let name = call.method.to_string();
        let of = || (*call.receiver).clone();
        match (&name[..], &args[..]) {
            ("iter", []) => return Some(Iter::Elements { of: of(), by: By::Ref }),
            ("iter_mut", []) => return Some(Iter::Elements { of: of(), by: By::Mut }),
            ("into_iter", []) => return Some(Iter::from(&call.receiver)),
            ("drain", [_]) => return Some(Iter::Elements { of: Expr::MethodCall(call.clone()), by: By::Value }),
            ("windows", [size]) => return Some(Iter::Windows { of: of(), size: size.clone() }),
            ("chunks" | "chunks_exact" | "chunks_mut" | "chunks_exact_mut", [size]) => {
                let by = if name.ends_with("mut") { By::Mut } else { By::Ref };
                let exact = name.starts_with("chunks_exact");
                return Some(Iter::Chunks { of: of(), size: size.clone(), exact, by });
            }
            _ => {}
        }
        let inner = Box::new(Iter::parse(&call.receiver)?);
        Some(match (&name[..], &args[..]) {
            // A copy of what is left goes on by itself.
            ("clone", []) => match *inner {
                Iter::Rest(inner, taken) => Iter::Skip(inner, taken),
                inner => inner,
            },
            ("copied" | "cloned" | "by_ref" | "fuse" | "peekable", []) => *inner,
            (REST, [taken]) => Iter::Rest(inner, taken.clone()),
            ("enumerate", []) => Iter::Enumerate(inner),
            ("rev", []) => Iter::Rev(inner),
            ("cycle", []) => Iter::Cycle(inner),
            ("flatten", []) => Iter::Flatten(inner),
            ("zip", [other]) => Iter::Zip(inner, Box::new(Iter::from(other))),
            ("chain", [other]) => Iter::Chain(inner, Box::new(Iter::from(other))),
            ("step_by", [step]) => Iter::StepBy(inner, step.clone()),
            ("skip", [count]) => Iter::Skip(inner, count.clone()),
            ("take", [count]) => Iter::Take(inner, count.clone()),
            ("map", [function]) => Iter::Map(inner, function.clone()),
            ("inspect", [function]) => Iter::Inspect(inner, function.clone()),
            ("filter", [function]) => Iter::Filter(inner, function.clone()),
            ("take_while", [function]) => Iter::TakeWhile(inner, function.clone()),
            ("skip_while", [function]) => Iter::SkipWhile(inner, function.clone()),
            ("filter_map", [function]) => Iter::FilterMap(inner, function.clone()),
            ("map_while", [function]) => Iter::MapWhile(inner, function.clone()),
            ("scan", [start, function]) => Iter::Scan(inner, start.clone(), function.clone()),
            ("flat_map", [function]) => Iter::FlatMap(inner, function.clone()),
            _ => return None,
        })
    }

    /// What `for` and `zip` take: an iterator, or something that has elements.
    pub fn from(expr: &Expr) -> Iter {
        if let Some(iter) = Iter::parse(expr) {
            return iter;
        }
        match bare(expr.clone()) {
            Expr::Reference(reference) => {
                if let Some(iter @ Iter::Rest(..)) = Iter::parse(&reference.expr) {
                    return iter;
                }
                let by = if reference.mutability.is_some() { By::Mut } else { By::Ref };
                Iter::Elements { of: bare(*reference.expr), by }
            }
            Expr::MethodCall(call) if is_of_text(&call) => Iter::Elements { of: collected(call), by: By::Value },
            other => Iter::Elements { of: other, by: By::Value },
        }
    }

    /// Every expression in it, in the order in which they are evaluated.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Iter::Range { start, end, .. } => std::iter::once(start).chain(end).collect(),
            Iter::Elements { of, .. } => vec![of],
            Iter::Windows { of, size } | Iter::Chunks { of, size, .. } => vec![of, size],
            Iter::Repeat(value) | Iter::Once(value) => vec![value],
            Iter::Successors(first, next) => vec![first, next],
            Iter::Zip(left, right) | Iter::Chain(left, right) => [left.exprs(), right.exprs()].concat(),
            Iter::Enumerate(inner)
            | Iter::Rev(inner)
            | Iter::Cycle(inner)
            | Iter::Flatten(inner)
            | Iter::Rest(inner, _) => inner.exprs(),
            Iter::StepBy(inner, arg)
            | Iter::Skip(inner, arg)
            | Iter::Take(inner, arg)
            | Iter::Map(inner, arg)
            | Iter::Inspect(inner, arg)
            | Iter::Filter(inner, arg)
            | Iter::TakeWhile(inner, arg)
            | Iter::SkipWhile(inner, arg)
            | Iter::FilterMap(inner, arg)
            | Iter::MapWhile(inner, arg)
            | Iter::FlatMap(inner, arg) => {
                let mut all = inner.exprs();
                all.push(arg);
                all
            }
            Iter::Scan(inner, start, function) => {
                let mut all = inner.exprs();
                all.extend([start, function]);
                all
            }
        }
    }

    /// The expressions that are evaluated once, before the first element: all but closures.
    pub fn once_exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Iter::Range { start, end, .. } => std::iter::once(start).chain(end).collect(),
            Iter::Elements { of, .. } => vec![of],
            Iter::Windows { of, size } | Iter::Chunks { of, size, .. } => vec![of, size],
            Iter::Repeat(value) | Iter::Once(value) | Iter::Successors(value, _) => vec![value],
            Iter::Zip(left, right) | Iter::Chain(left, right) => {
                let mut all = left.once_exprs_mut();
                all.extend(right.once_exprs_mut());
                all
            }
            Iter::StepBy(inner, arg) | Iter::Skip(inner, arg) | Iter::Take(inner, arg) | Iter::Scan(inner, arg, _) => {
                let mut all = inner.once_exprs_mut();
                all.push(arg);
                all
            }
            Iter::Enumerate(inner)
            | Iter::Rev(inner)
            | Iter::Cycle(inner)
            | Iter::Flatten(inner)
            | Iter::Rest(inner, _)
            | Iter::Map(inner, _)
            | Iter::Inspect(inner, _)
            | Iter::Filter(inner, _)
            | Iter::TakeWhile(inner, _)
            | Iter::SkipWhile(inner, _)
            | Iter::FilterMap(inner, _)
            | Iter::MapWhile(inner, _)
            | Iter::FlatMap(inner, _) => inner.once_exprs_mut(),
        }
    }
}

/// `x` of `Some(x)`
pub(super) fn in_some(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let is_some = matches!(&*call.func, Expr::Path(path) if path.path.segments.last()?.ident == "Some");
    call.args.first().filter(|_| is_some)
}

/// A closure without parameters as one of the number of an element.
fn with_number(closure: &ExprClosure) -> Expr {
    let mut closure = closure.clone();
    closure.inputs.push(Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Token![_](closure.span()) }));
    Expr::Closure(closure)
}

/// Whether a call gives parts of a text one after the other, such as `text.chars().rev()`.
///
/// They are collected before the loop. Nothing is called in between that could have an effect, so that it does not matter when.
fn is_of_text(call: &ExprMethodCall) -> bool {
    let args: Vec<Expr> = call.args.iter().cloned().map(bare).collect();
    let is_text = |arg: &Expr| matches!(arg, Expr::Lit(lit) if matches!(lit.lit, Lit::Str(_) | Lit::Char(_)));
    let is_number = |arg: &Expr| matches!(arg, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_)));
    match (&call.method.to_string()[..], &args[..]) {
        ("chars" | "char_indices" | "bytes" | "lines" | "split_whitespace" | "split_ascii_whitespace", []) => true,
        ("split" | "rsplit" | "split_terminator" | "split_inclusive" | "matches", [pattern]) => is_text(pattern),
        ("splitn" | "rsplitn", [count, pattern]) => is_number(count) && is_text(pattern),
        ("rev" | "enumerate" | "peekable", []) | ("skip" | "take" | "step_by", [_]) => {
            let inner = bare((*call.receiver).clone());
            args.iter().all(is_number) && matches!(inner, Expr::MethodCall(inner) if is_of_text(&inner))
        }
        _ => false,
    }
}

/// What [`collected`] collects into, which need not be in scope: lowering knows its path.
pub const LIST: &str = "__autodiff_list";

/// Whether a call collects into such a list, which rustc does.
pub fn is_list(call: &ExprMethodCall) -> bool {
    let first = call.turbofish.as_ref().and_then(|turbofish| turbofish.args.first());
    matches!(first, Some(syn::GenericArgument::Type(syn::Type::Path(ty))) if ty.path.segments.first().is_some_and(|first| first.ident == LIST))
}

/// `call.collect::<Vec<_>>()`
fn collected(call: ExprMethodCall) -> Expr {
    let list = proc_macro2::Ident::new(LIST, call.method.span());
    syn::parse_quote_spanned!(call.method.span()=> #call.collect::<#list<_>>())
}
