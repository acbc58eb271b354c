//! `check_grads!(f, x, &y)`: the derivatives of a function against differences of its values. What `f` is differentiated by, its
//! relay tells; the numbers are compared by `autodiff_core::gradient_check`.

use crate::diag::{Error, Errors};
use crate::ir::call::Origin;
use crate::ir::interface::Order;
use crate::methods::function_name;
use crate::parse::tokens::referent;
use crate::relay::{FnInfo, GenericKind, Knowledge, ParamInfo, State};
use crate::tokens::spelled;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Path, Token, Type, bracketed};

/// `[crate] f, arguments; tolerance = 1e-4`
struct Question {
    krate: TokenStream,
    function: Path,
    arguments: Vec<Expr>,
    tolerance: Option<Expr>,
}

impl Parse for Question {
    fn parse(input: ParseStream) -> syn::Result<Question> {
        let krate;
        bracketed!(krate in input);
        let (krate, function) = (krate.parse()?, input.parse()?);
        let mut arguments = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() {
            if input.is_empty() || input.peek(Token![;]) {
                break;
            }
            arguments.push(input.parse()?);
        }
        let mut tolerance = None;
        if input.parse::<Option<Token![;]>>()?.is_some() {
            let name: Ident = input.parse()?;
            if name != "tolerance" {
                return Err(syn::Error::new(name.span(), "write `tolerance = 1e-4`"));
            }
            input.parse::<Token![=]>()?;
            tolerance = Some(input.parse()?);
        }
        Ok(Question { krate, function, arguments, tolerance })
    }
}

/// Asks the function.
pub fn expand(input: TokenStream) -> TokenStream {
    let question = match syn::parse2::<Question>(input.clone()) {
        Ok(question) => question,
        Err(error) => return Errors::from(error).render(),
    };
    let asked = beside(&question.function);
    let state = State {
        task: Ident::new("check", Span::call_site()),
        attr: TokenStream::new(),
        item: input,
        knowledge: Knowledge::default(),
        asked: vec![asked],
        relay_done: true,
    };
    state.ask_in_place(&question.krate)
}

/// The function of a method, `Robot_energy` of `Robot::energy`.
fn beside(function: &Path) -> Path {
    let mut path = crate::relay::without_arguments(function);
    let words: Vec<Ident> = path.segments.iter().map(|segment| segment.ident.clone()).collect();
    if let [.., owner, method] = &words[..] {
        if owner.to_string().starts_with(char::is_uppercase) {
            let name = function_name(owner, method);
            path.segments.pop();
            path.segments.pop_punct();
            if let Some(last) = path.segments.last_mut() {
                last.ident = name;
            }
        }
    }
    path
}

/// The comparison, once the function has answered.
pub fn answered(state: State) -> TokenStream {
    let question = match syn::parse2::<Question>(state.item) {
        Ok(question) => question,
        Err(error) => return Errors::from(error).render(),
    };
    let name = spelled(&question.function);
    let function = beside(&question.function);
    let Some(info) = state.knowledge.find_fn(&function) else {
        let error = Error::new(&question.function, format!("`{name}` has no derivatives to check"));
        let error = match state.knowledge.find_higher_order(&function) {
            Some(_) => error
                .note("it takes functions, or values of any type of a trait: it is differentiated where it is called")
                .help("check a function that hands over yours, with `#[differentiable]`"),
            None => error.help(format!("write `#[differentiable]` on `{name}`")),
        };
        return Errors::from(error).render();
    };
    if info.left {
        let message = format!("differences change rotations on the right, `{name}` on the left");
        let error = Error::new(&question.function, message);
        return Errors::from(error.help("check it without `left`")).render();
    }
    if info.params.len() != question.arguments.len() {
        let (takes, given) = (info.params.len(), question.arguments.len());
        let error = Error::new(&question.function, format!("`{name}` takes {takes} arguments, {given} given"));
        return Errors::from(error).render();
    }
    if let Some((_, given)) = info.params.iter().zip(&question.arguments).find(|(param, _)| param.is_mutable()) {
        let error = Error::new(given, format!("`{name}` changes this, of which there are no differences"));
        return Errors::from(error.help("check a function that makes it, and returns what it is afterwards")).render();
    }
    Comparison { question: &question, function, name, info: &info }.code()
}

struct Comparison<'c> {
    question: &'c Question,
    function: Path,
    name: String,
    info: &'c FnInfo,
}

impl Comparison<'_> {
    fn code(&self) -> TokenStream {
        let krate = &self.question.krate;
        let check = quote!(#krate::gradient_check);
        let ours = |name: &str| Ident::new(name, Span::mixed_site());
        let [point, row, direction, dots, value, weights, tolerance, present, curved, origin] =
            ["point", "row", "direction", "dots", "value", "weights", "tolerance", "present", "curved", "origin"]
                .map(ours);
        let given = |k: usize| format_ident!("given_{k}", span = Span::mixed_site());
        let dot = |k: usize| format_ident!("dot_{k}", span = Span::mixed_site());
        let params: Vec<(usize, &ParamInfo)> = self.info.params.iter().enumerate().collect();
        let active: Vec<usize> = params.iter().filter(|(_, param)| param.active).map(|(k, _)| *k).collect();
        let bound = params.iter().zip(&self.question.arguments).map(|((k, param), argument)| {
            let name = given(*k);
            match (param.active, &param.ty) {
                (true, Type::Reference(_)) => quote!(let #name = #check::owned(#argument);),
                _ => quote!(let #name = #argument;),
            }
        });
        let args: Vec<TokenStream> = params
            .iter()
            .map(|(k, param)| {
                let name = given(*k);
                match (param.active, &param.ty) {
                    (true, Type::Reference(_)) => quote!(&#name),
                    (true, _) => name.to_token_stream(),
                    (false, Type::Reference(_)) => name.to_token_stream(),
                    (false, _) => quote!(::core::clone::Clone::clone(&#name)),
                }
            })
            .collect();
        let moved: Vec<TokenStream> = active
            .iter()
            .map(|k| {
                let name = given(*k);
                quote!(let #name = #check::with_numbers(::core::clone::Clone::clone(&#name), &mut #row);)
            })
            .collect();
        let at = quote!(let mut #row = #point; #(#moved)*);
        let tangents: Vec<TokenStream> = active
            .iter()
            .map(|k| {
                let (name, dot) = (given(*k), dot(*k));
                quote!(let #dot = #check::with_numbers(#krate::Differentiable::zero_tangent(&#name), &mut #dots);)
            })
            .collect();
        let given_dots: Vec<TokenStream> = active
            .iter()
            .map(|k| {
                let dot = dot(*k);
                if self.is_number(&self.info.params[*k].ty) { dot.to_token_stream() } else { quote!(&#dot) }
            })
            .collect();
        let lengths = active.iter().map(|k| {
            let (name, shown) = (given(*k), self.shown(*k));
            quote!((#shown, #krate::Differentiable::flat_len(&#name)))
        });
        let starts = active.iter().map(|k| {
            let name = given(*k);
            quote! {
                ::core::iter::Extend::extend(&mut #point, #check::numbers(&#name));
                ::core::iter::Extend::extend(&mut #present, #check::present(::core::clone::Clone::clone(&#name), &#name));
                ::core::iter::Extend::extend(&mut #curved, #check::curved(::core::clone::Clone::clone(&#name), &#name));
            }
        });
        let is_scalar = self.is_number(&self.info.result);
        let seed = if is_scalar { quote!(#value) } else { quote!(&#value) };
        let (function, shown) = (self.qualified(), &self.name);
        let list = quote!(#krate::__private::Vec<f64>);
        let plain = match self.info.origin {
            // What is called so need not be in scope.
            Origin::Hidden => quote!(#function::__value),
            _ => self.question.function.to_token_stream(),
        };
        let hvp = match is_scalar && self.info.order == Order::Second {
            true => quote! {
                ::core::option::Option::Some(&|#point: &[f64], #direction: &[f64]| -> #list {
                    #at
                    let mut #dots = #direction;
                    #(#tangents)*
                    #check::numbers(&#function::hvp(#(#args,)* #(#given_dots),*))
                })
            },
            false => quote!(::core::option::Option::None),
        };
        let wanted = match &self.question.tolerance {
            Some(tolerance) => quote!(#check::Tolerance { relative: #tolerance, absolute: #tolerance }),
            None => tolerance.to_token_stream(),
        };
        let value_of = quote!(#plain(#(#args),*));
        let copied = active.iter().map(|k| {
            let name = given(*k);
            quote!(let #name = ::core::clone::Clone::clone(&#name);)
        });
        let copied: TokenStream = copied.collect();
        quote! {{
            #[allow(clippy::all, clippy::pedantic, unused)]
            {
                #(#bound)*
                let #origin = { #copied #value_of };
                let #tolerance = #check::tolerance(&#origin);
                let mut #point = <#list>::new();
                let (mut #present, mut #curved) = (#krate::__private::Vec::new(), #krate::__private::Vec::new());
                #(#starts)*
                #check::Checked {
                    name: #shown,
                    arguments: &[#(#lengths),*],
                    present: #present,
                    present_in_result: { #copied #check::present(#value_of, &#origin) },
                    curved: #curved,
                    value: &|#point: &[f64]| -> #list { #at #check::numbers_from(&#value_of, &#origin) },
                    jvp: &|#point: &[f64], #direction: &[f64]| -> #list {
                        #at
                        let mut #dots = #direction;
                        #(#tangents)*
                        #check::numbers(&#function::jvp(#(#args,)* #(#given_dots),*).1)
                    },
                    vjp: &|#point: &[f64], #weights: &[f64]| -> #list {
                        #at
                        let (#value, #direction) = #function::vjp(#(#args),*);
                        let mut #weights = #weights;
                        let #value = #check::with_numbers(#krate::Differentiable::zero_tangent(&#value), &mut #weights);
                        #check::numbers(&#direction(#seed))
                    },
                    hvp: #hvp,
                    tolerance: #wanted,
                }
                .check(&#point);
            }
        }}
    }

    /// The type beside the function, with the generic arguments that are given.
    fn qualified(&self) -> TokenStream {
        let mut path = self.function.clone();
        if let (Some(to), Some(from)) = (path.segments.last_mut(), self.question.function.segments.last()) {
            to.arguments = from.arguments.clone();
        }
        quote!(#path)
    }

    /// Whether a type is one number.
    fn is_number(&self, ty: &Type) -> bool {
        let Type::Path(path) = referent(ty) else { return false };
        path.path.get_ident().is_some_and(|name| {
            let is_generic =
                |generic: &crate::relay::Generic| generic.kind == GenericKind::Number && *name == generic.name;
            name == "f32" || name == "f64" || self.info.generics.iter().any(is_generic)
        })
    }

    /// What messages call an argument: what is given, if that is a name, else its place.
    fn shown(&self, k: usize) -> String {
        let mut given = &self.question.arguments[k];
        while let Expr::Reference(reference) = given {
            given = &reference.expr;
        }
        match given {
            Expr::Path(path) => spelled(path),
            _ => format!("argument {}", k + 1),
        }
    }
}
