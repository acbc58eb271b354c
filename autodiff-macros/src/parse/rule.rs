//! `#[derivative(of = libm::erf)]`: derivatives that the user writes.
//!
//! Note [Rules]. A function that the macro cannot look into gets its derivative from a rule, which is a function of its own. The
//! function that is called has a type beside it like any other; it stands beside the rule, since that may be all that
//! is in this crate. It is made of two functions:
//!
//! ```text
//! #[derivative(of = libm::erf)]
//! fn erf_rule(x: f64, y_bar: f64) -> f64 { … }
//!
//!     → fn erf_rule(x: f64, y_bar: f64) -> f64 { … }
//!       #[differentiable(recursive, __rule(reverse(erf_rule, false)))]
//!       fn __autodiff_rule_erf(x: f64) -> f64 { libm::erf(x) }
//!       #[differentiable(__of)]
//!       fn erf(x: f64) -> f64 { __autodiff_rule_erf(x) }
//! ```
//!
//! The first has what other functions call of a callee, and all of it calls the rule (`emit/rule.rs`). It keeps nothing, so that
//! it is `recursive`: its callers keep its arguments. The second has everything that users call, made by the macro as
//! usual. There is only its type: the function is the user's.

use crate::diag::{Error, Errors};
use crate::parse::ty::{INTEGERS, generic_args};
use crate::tokens::{PRIMITIVES, spelled};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{FnArg, GenericArgument, ItemFn, LitBool, Pat, Path, ReturnType, Token, Type, parenthesized};

/// The functions that the derivatives of a function are made of: the argument `__rule(…)` of `#[differentiable]`.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The cotangents of the arguments, from that of the result.
    pub reverse: Option<Reverse>,
    /// The tangent of the result, from those of the arguments.
    pub forward: Option<Forward>,
}

#[derive(Clone, Debug)]
pub struct Reverse {
    pub name: Ident,
    /// Whether it takes the cotangent by reference.
    pub by_ref: bool,
}

#[derive(Clone, Debug)]
pub struct Forward {
    pub name: Ident,
    /// The same of each tangent.
    pub by_ref: Vec<bool>,
}

impl ToTokens for Rules {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let reverse = self.reverse.iter().map(|Reverse { name, by_ref }| quote!(reverse(#name, #by_ref)));
        let forward = self.forward.iter().map(|Forward { name, by_ref }| quote!(forward(#name, #(#by_ref),*)));
        let both = reverse.chain(forward);
        tokens.extend(quote!(#(#both),*));
    }
}

impl Parse for Rules {
    fn parse(input: ParseStream) -> syn::Result<Rules> {
        let mut rules = Rules::default();
        while !input.is_empty() {
            let mode: Ident = input.parse()?;
            let content;
            parenthesized!(content in input);
            let name = content.parse()?;
            content.parse::<Token![,]>()?;
            let by_ref = Punctuated::<LitBool, Token![,]>::parse_terminated(&content)?;
            let by_ref = by_ref.into_iter().map(|flag| flag.value).collect::<Vec<_>>();
            if mode == "reverse" {
                rules.reverse = Some(Reverse { name, by_ref: by_ref.first().copied().unwrap_or_default() });
            } else {
                rules.forward = Some(Forward { name, by_ref });
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(rules)
    }
}

/// The arguments of `#[derivative(…)]`.
#[derive(Clone)]
pub struct RuleAttr {
    /// The function that it is a derivative of.
    pub of: Path,
    pub form: RuleForm,
    /// What the functions beside it are told in turn: `order = 2`, `crate = path`.
    pub rest: Vec<TokenStream>,
    pub is_second: bool,
    pub krate: Option<Path>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleForm {
    /// The cotangents of the arguments, from that of the result.
    Reverse,
    /// The tangent of the result, from those of the arguments.
    Forward,
    /// A function whose derivatives it has.
    Like,
}

impl RuleAttr {
    /// Where the library is.
    pub fn krate(&self) -> TokenStream {
        self.krate.as_ref().map_or_else(|| quote!(::autodiff), ToTokens::to_token_stream)
    }

    pub fn parse(attr: &TokenStream, rule: &Ident) -> Result<RuleAttr, Errors> {
        let mut found = RuleAttr {
            of: syn::parse_quote!(_f),
            form: RuleForm::Reverse,
            rest: Vec::new(),
            is_second: false,
            krate: None,
        };
        let mut of = None;
        for part in super::attr::split_commas(attr.clone()) {
            let mut tokens = part.clone().into_iter();
            let name = tokens.next().map(|token| token.to_string()).unwrap_or_default();
            let value: TokenStream = tokens.skip(1).collect();
            match &name[..] {
                "of" => of = Some(syn::parse2::<Path>(value)?),
                "forward" if value.is_empty() => found.form = RuleForm::Forward,
                "like" if value.is_empty() || *rule == value.to_string() => found.form = RuleForm::Like,
                "like" => {
                    let message = format!("`like` stands on the function that it names, `{value}`");
                    return Err(Error::new(&value, message)
                        .help(format!("write the attribute on `fn {value}`, or give it the body of this function"))
                        .into());
                }
                "order" => {
                    found.is_second = value.to_string() == "2";
                    found.rest.push(part);
                }
                "crate" => {
                    found.krate = Some(syn::parse2(value)?);
                    found.rest.push(part);
                }
                _ => {
                    return Err(Error::new(&part, "unknown argument of `#[derivative]`")
                        .help("write `of = path` for the function that this is a derivative of, `forward` for a rule that takes tangents, `like` for a function whose derivatives it has, `order = 2` for second derivatives")
                        .into());
                }
            }
        }
        match of {
            Some(of) => Ok(RuleAttr { of, ..found }),
            None => Err(Error::new(rule, format!("which function `{rule}` is a derivative of is not said"))
                .help("write `#[derivative(of = path::of::the_function)]`")
                .into()),
        }
    }
}

/// The signature of the function that a rule is for, as the rule tells.
pub struct Differentiated {
    /// Its parameters, with their attributes.
    pub inputs: Vec<FnArg>,
    pub result: Type,
    pub rules: Rules,
}

/// A parameter of a rule.
struct Parameter<'r> {
    input: &'r FnArg,
    name: &'r Ident,
    ty: &'r Type,
    is_active: bool,
}

/// What a rule says of the function that it is for. A rule of the wrong form is an error that shows the right one.
pub fn differentiated(attr: &RuleAttr, rule: &ItemFn) -> Result<Differentiated, Errors> {
    let name = &rule.sig.ident;
    let params = parameters(rule)?;
    let given = match &rule.sig.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    let of = spelled(&attr.of);
    let owned = |inputs: &[Parameter]| inputs.iter().map(|param| param.input.clone()).collect::<Vec<_>>();
    if attr.form == RuleForm::Forward {
        // `n` parameters of the function, and a tangent for each of them that has one.
        let count = (0..=params.len())
            .find(|count| count + params[..*count].iter().filter(|param| param.is_active).count() == params.len());
        let split =
            count.map(|count| params.split_at(count)).filter(|(own, _)| own.iter().any(|param| param.is_active));
        let Some((own, tangents)) = split else {
            return Err(Error::new(
                name,
                format!("a forward rule takes the arguments of `{of}`, then a tangent for each that has one"),
            )
            .help(format!("for example `fn {name}(x: f64, n: usize, x_dot: f64) -> f64`"))
            .into());
        };
        let wanted = own.iter().filter(|param| param.is_active);
        for (param, tangent) in wanted.zip(tangents) {
            // Which type a struct's tangent is, rustc knows.
            let (have, want) = (tangent_type(tangent.ty), tangent_type(param.ty));
            if have != want && is_of_floats(&want) {
                let (have, want) = (shown(tangent.ty), shown(param.ty));
                let message = format!("the tangent `{}` of `{}` is declared as `{have}`", tangent.name, param.name);
                return Err(Error::new(tangent.ty, message).help(format!("write `{}: {want}`", tangent.name)).into());
            }
        }
        let Some(result) = given else {
            return Err(Error::new(name, "a forward rule returns the tangent of the result")
                .help(format!("write `-> f64`, if `{of}` returns that"))
                .into());
        };
        let by_ref = tangents.iter().map(|param| matches!(param.ty, Type::Reference(_))).collect();
        let forward = Some(Forward { name: name.clone(), by_ref });
        let rules = Rules { forward, reverse: None };
        return Ok(Differentiated { inputs: owned(own), result: result.clone(), rules });
    }
    let Some((seed, own)) = params.split_last().filter(|(_, own)| own.iter().any(|param| param.is_active)) else {
        return Err(Error::new(
            name,
            format!(
                "a rule takes the arguments of `{of}`, of which one is differentiable, then the cotangent of its result"
            ),
        )
        .help(format!("for example `fn {name}(x: f64, y_bar: f64) -> f64`"))
        .into());
    };
    let wanted: Vec<String> = own.iter().filter(|param| param.is_active).map(|param| tangent_type(param.ty)).collect();
    let right = match &wanted[..] {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    };
    let have = match given {
        Some(Type::Tuple(parts)) if wanted.len() != 1 => parts.elems.iter().map(tangent_type).collect(),
        Some(ty) => vec![tangent_type(ty)],
        None => Vec::new(),
    };
    // Which type a struct's cotangent is, rustc knows.
    let fits = |(have, want): (&String, &String)| have == want || !is_of_floats(want);
    if have.len() != wanted.len() || !have.iter().zip(&wanted).all(fits) {
        let at = given.map_or_else(|| name.to_token_stream(), ToTokens::to_token_stream);
        let names: Vec<String> =
            own.iter().filter(|param| param.is_active).map(|param| format!("`{}`", param.name)).collect();
        let arguments: Vec<String> = params.iter().map(Parameter::shown).collect();
        let what = if names.len() == 1 { "cotangent" } else { "cotangents" };
        return Err(Error::new(&at, format!("the rule returns the {what} of {}", names.join(" and of ")))
            .help(format!(
                "write `fn {name}({}) -> {right}`, and `#[no_diff]` before a parameter that has no derivative",
                arguments.join(", ")
            ))
            .into());
    }
    let (result, by_ref) = match seed.ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => {
                let elem = &slice.elem;
                let krate = attr.krate();
                (syn::parse_quote!(#krate::__private::Vec<#elem>), true)
            }
            elem => (elem.clone(), true),
        },
        ty => (ty.clone(), false),
    };
    let rules = Rules { reverse: Some(Reverse { name: name.clone(), by_ref }), forward: None };
    Ok(Differentiated { inputs: owned(own), result, rules })
}

impl Parameter<'_> {
    fn shown(&self) -> String {
        let no_diff = if self.is_active || is_discrete(self.ty) { "" } else { "#[no_diff] " };
        format!("{no_diff}{}: {}", self.name, shown(self.ty))
    }
}

fn parameters(rule: &ItemFn) -> Result<Vec<Parameter<'_>>, Errors> {
    let mut params = Vec::new();
    for input in &rule.sig.inputs {
        let FnArg::Typed(typed) = input else {
            return Err(Error::new(input, "a rule is a function by itself")
                .help("take what the method is called on as the first parameter, for example `table: &Table`")
                .into());
        };
        let Pat::Ident(pattern) = &*typed.pat else {
            return Err(Error::new(&typed.pat, "a parameter of a rule has a name").help("write `x: f64`").into());
        };
        if matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_some()) {
            return Err(Error::new(&typed.ty, "a rule is for a function that changes no argument")
                .help("let the function return the new value")
                .into());
        }
        let says = typed.attrs.iter().any(|attr| attr.path().is_ident("no_diff"));
        let is_active = !says && !is_discrete(&typed.ty);
        params.push(Parameter { input, name: &pattern.ident, ty: &typed.ty, is_active });
    }
    Ok(params)
}

/// Whether a type has no floats in it, as far as its name tells.
pub fn is_discrete(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => is_discrete(&reference.elem),
        Type::Array(array) => is_discrete(&array.elem),
        Type::Slice(slice) => is_discrete(&slice.elem),
        Type::Paren(inner) => is_discrete(&inner.elem),
        Type::Group(inner) => is_discrete(&inner.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_discrete),
        Type::Path(path) => path.path.get_ident().is_some_and(|name| {
            INTEGERS.iter().any(|integer| name == integer)
                || ["bool", "char", "str", "String"].iter().any(|ty| name == ty)
        }),
        _ => false,
    }
}

/// A type as one writes it.
fn shown(ty: &Type) -> String {
    spelled(ty).replace("& ", "&")
}

/// The tangent of a type: `Vec<f64>` of `&[f64]`.
fn tangent_type(ty: &Type) -> String {
    match ty {
        Type::Reference(reference) => tangent_type(&reference.elem),
        Type::Paren(inner) => tangent_type(&inner.elem),
        Type::Group(inner) => tangent_type(&inner.elem),
        Type::Slice(slice) => format!("Vec<{}>", spelled(&slice.elem)),
        ty if is_of_floats(&spelled(ty)) || !matches!(ty, Type::Path(_)) => spelled(ty),
        ty => format!("<{} as Differentiable>::Tangent", spelled(ty)),
    }
}

/// Whether a type, as text, is of nothing but numbers and what the library has.
fn is_of_floats(text: &str) -> bool {
    fn within(ty: &Type) -> bool {
        match ty {
            Type::Array(array) => within(&array.elem),
            Type::Path(path) => path.path.segments.last().is_some_and(|last| {
                let name = last.ident.to_string();
                PRIMITIVES.contains(&&name[..])
                    || name.starts_with("Tensor")
                    || name == "Vec"
                        && generic_args(&path.path).iter().all(|arg| match arg {
                            GenericArgument::Type(ty) => within(ty),
                            _ => false,
                        })
            }),
            _ => false,
        }
    }
    syn::parse_str::<Type>(text).is_ok_and(|ty| within(&ty))
}

/// Without `#[no_diff]`, which is ours.
pub fn own(mut rule: ItemFn) -> ItemFn {
    for input in &mut rule.sig.inputs {
        if let FnArg::Typed(typed) = input {
            typed.attrs.retain(|attr| !attr.path().is_ident("no_diff"));
        }
    }
    rule
}

/// The names of the parameters, as they are handed on.
pub fn names(inputs: &[FnArg]) -> Vec<&Ident> {
    let typed = inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.pat),
        FnArg::Receiver(_) => None,
    });
    typed.filter_map(|pat| if let Pat::Ident(pattern) = pat { Some(&pattern.ident) } else { None }).collect()
}
