//! `#[implicit(residual = r)] fn solve(a, …) -> X`: a solver that is differentiated by the equation that it solves.
//!
//! Note [Implicit functions]. A solution `x` of `r(x, a) = 0` changes with `a` such that the residual stays zero:
//! `∂r/∂x · ẋ = −∂r/∂a · ȧ`, the implicit function theorem. So what the solver gives is a constant `x₀`, and the function that is
//! differentiated takes one step of Newton's method from there, in which only the residual depends on `a`:
//!
//! ```text
//! x(a) = x₀ − J⁻¹ · (r(x₀, a) − r₀),   J = ∂r/∂x at x₀,   r₀ = r(x₀, a) as a constant
//! ```
//!
//! Its value is `x₀`, and its first derivative the right one, in both directions and by one linear equation with `J`. Second
//! derivatives would need those of `J`.

use crate::diag::{Error, Errors};
use crate::parse::rule;
use crate::source::Source;
use crate::tokens::spelled;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{FnArg, ItemFn, Pat, Path, ReturnType, Type};

struct Arguments {
    residual: Path,
    krate: Option<Path>,
}

impl Arguments {
    fn parse(attr: &TokenStream, solver: &Ident) -> Result<Arguments, Errors> {
        let (mut residual, mut krate) = (None, None);
        for part in crate::parse::attr::split_commas(attr.clone()) {
            let mut tokens = part.clone().into_iter();
            let name = tokens.next().map(|token| token.to_string()).unwrap_or_default();
            let value = tokens.skip(1).collect::<TokenStream>();
            match &name[..] {
                "residual" => residual = Some(syn::parse2(value)?),
                "crate" => krate = Some(syn::parse2(value)?),
                "order" => {
                    let error = Error::new(&part, "an implicit function has first derivatives");
                    return Err(error.help(format!("leave it out; for second ones differentiate the iterations of `{solver}`: `#[differentiable(order = 2)]`")).into());
                }
                _ => {
                    return Err(Error::new(&part, "unknown argument of `#[implicit]`")
                        .help("write `residual = r` for the function that is zero at the solution")
                        .into());
                }
            }
        }
        match residual {
            Some(residual) => Ok(Arguments { residual, krate }),
            None => Err(Error::new(solver, format!("which equation `{solver}` solves is not said"))
                .help("write `#[implicit(residual = r)]`, where `r(x, arguments…)` is zero at the solution `x`")
                .into()),
        }
    }
}

/// What a solution is, by the type that the solver returns.
enum Unknown<'t> {
    Number,
    /// The element, and how many there are.
    Array(&'t Type, &'t syn::Expr),
    /// The same of a tensor of one axis.
    Vector(TokenStream, TokenStream),
}

impl Unknown<'_> {
    fn of(ty: &Type) -> Option<Unknown<'_>> {
        match ty {
            Type::Array(array) if matches!(&*array.elem, Type::Path(_)) => {
                Some(Unknown::Array(&array.elem, &array.len))
            }
            Type::Path(path) => {
                let args = crate::parse::ty::generic_args(&path.path);
                match (&path.path.segments.last()?.ident.to_string()[..], &args[..]) {
                    ("Tensor1", [elem, count]) => {
                        Some(Unknown::Vector(elem.to_token_stream(), count.to_token_stream()))
                    }
                    (_, []) if path.path.get_ident().is_some() => Some(Unknown::Number),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

pub fn expand(attr: &TokenStream, item: &TokenStream) -> TokenStream {
    let Ok(solver) = syn::parse2::<ItemFn>(item.clone()) else {
        let at = item.clone().into_iter().take(1).collect::<TokenStream>();
        let error = Error::new(&at, "`#[implicit]` stands on a function, which solves an equation");
        let errors = Errors::from(error).render();
        return quote!(#item #errors);
    };
    match Arguments::parse(attr, &solver.sig.ident).and_then(|arguments| code(&arguments, &solver)) {
        Ok(code) => code,
        Err(errors) => {
            let (own, errors) = (rule::own(solver), errors.render());
            quote!(#[allow(dead_code)] #own #errors)
        }
    }
}

fn code(arguments: &Arguments, solver: &ItemFn) -> Result<TokenStream, Errors> {
    let (name, residual) = (&solver.sig.ident, &arguments.residual);
    let krate = arguments.krate.as_ref().map_or_else(|| quote!(::autodiff), ToTokens::to_token_stream);
    let ReturnType::Type(_, solution) = &solver.sig.output else {
        return Err(Error::new(name, "a solver returns the solution").help("write `-> f64`, or `-> [f64; 3]`").into());
    };
    let Some(unknown) = Unknown::of(solution) else {
        let error =
            Error::new(solution, format!("a solution of type `{}` cannot be differentiated yet", spelled(&**solution)));
        return Err(error.help("return a number, an array of numbers, `[f64; 3]`, or a `Tensor1`").into());
    };
    let params = params(solver)?;
    let by_ref = by_ref(residual, &unknown);
    let inputs: Vec<&FnArg> = solver.sig.inputs.iter().collect();
    let names: Vec<&Ident> = params.iter().map(|param| param.name).collect();
    let (generics, vis) = (&solver.sig.generics, &solver.vis);
    let where_clause = &generics.where_clause;
    let hidden = |what: &str| {
        let text = format!("__autodiff_{what}_{}", name.to_string().trim_start_matches("r#"));
        Ident::new(&text, Span::call_site().located_at(name.span()))
    };
    let (solved, jacobian) = (hidden("solved"), hidden("jacobian"));
    let at = Ident::new("__autodiff_at", Span::call_site());
    let given = if by_ref { quote!(&#at) } else { quote!(#at) };
    let again: Vec<TokenStream> = params.iter().map(Param::again).collect();
    let zeros: Vec<TokenStream> =
        params.iter().filter(|param| param.is_active).map(|param| param.zero(&krate)).collect();
    let ours = |name: &str| Ident::new(&format!("__autodiff_{name}"), Span::call_site());
    let [off, step, out, j, k, unit, column] = ["residual", "step", "out", "j", "k", "unit", "column"].map(ours);
    let generic_args = crate::parse::tokens::own_arguments(&rule::own(solver.clone()));
    let one = |elem: &TokenStream| quote!(<#elem as #krate::Real>::ONE);
    let zero = |elem: &TokenStream| quote!(<#elem as #krate::Real>::ZERO);
    let (matrix, jacobian_body, body) = match &unknown {
        Unknown::Number => {
            let elem = solution.to_token_stream();
            let unit = one(&elem);
            let jacobian_body = quote!(#residual::jvp(#given, #(#again,)* #unit, #(#zeros),*).1);
            let body = quote! {
                let #off = #residual(#given, #(#again),*);
                #at - (#off - #krate::stop_gradient(#off)) / #j
            };
            (elem, jacobian_body, body)
        }
        Unknown::Array(elem, count) => {
            let elem = elem.to_token_stream();
            let (one, zero) = (one(&elem), zero(&elem));
            let jacobian_body = quote! {
                let mut #j = [[#zero; #count]; #count];
                for #k in 0..#count {
                    let mut #unit = [#zero; #count];
                    #unit[#k] = #one;
                    let #column = #residual::jvp(#given, #(#again,)* &#unit, #(#zeros),*).1;
                    for (row, value) in #j.iter_mut().zip(#column) { row[#k] = value; }
                }
                #j
            };
            let body = quote! {
                let #off = #residual(#given, #(#again),*);
                let #off = #krate::Tensor1::<#elem, #count>::from(#off);
                let #step = #krate::Tensor2::<#elem, #count, #count>::from(#j).solve(#off - #krate::stop_gradient(#off));
                let mut #out = #at;
                for #k in 0..#count { #out[#k] -= #step[[#k]]; }
                #out
            };
            (quote!([[#elem; #count]; #count]), jacobian_body, body)
        }
        Unknown::Vector(elem, count) => {
            let one = one(elem);
            let jacobian_body = quote! {
                let mut #j = #krate::Tensor2::<#elem, #count, #count>::zeros();
                for #k in 0..#count {
                    let mut #unit = #krate::Tensor1::<#elem, #count>::zeros();
                    #unit[[#k]] = #one;
                    let #column = #residual::jvp(#given, #(#again,)* &#unit, #(#zeros),*).1;
                    for row in 0..#count { #j[[row, #k]] = #column[[row]]; }
                }
                #j
            };
            let body = quote! {
                let #off = #residual(#given, #(#again),*);
                #at - #j.solve(#off - #krate::stop_gradient(#off))
            };
            (quote!(#krate::Tensor2<#elem, #count, #count>), jacobian_body, body)
        }
    };
    let own = rule::own(solver.clone());
    let also: Vec<TokenStream> = arguments.krate.iter().map(|path| quote!(crate = #path)).collect();
    let quiet = quote! {
        #[doc(hidden)]
        #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
    };
    Ok(quote! {
        #[allow(dead_code)]
        #own
        #quiet
        #[#krate::differentiable(recursive, __rule(), #(#also),*)]
        fn #solved #generics (#(#inputs),*) -> #solution #where_clause { #name #generic_args (#(#names),*) }
        #quiet
        #[#krate::differentiable(recursive, __rule(), #(#also),*)]
        fn #jacobian #generics (#[no_diff] #at: #solution, #(#inputs),*) -> #matrix #where_clause { #jacobian_body }
        #[#krate::differentiable(__implicit, #(#also),*)]
        #vis fn #name #generics (#(#inputs),*) -> #solution #where_clause {
            let #at: #solution = #solved #generic_args (#(#again),*);
            let #j: #matrix = #jacobian #generic_args (#at, #(#again),*);
            #body
        }
    })
}

struct Param<'s> {
    name: &'s Ident,
    ty: &'s Type,
    is_active: bool,
}

impl Param<'_> {
    /// It is handed on more than once.
    fn again(&self) -> TokenStream {
        let name = self.name;
        match self.ty {
            Type::Path(path) if path.path.get_ident().is_none() || spelled(path) == "String" => quote!(#name.clone()),
            _ => name.to_token_stream(),
        }
    }

    fn zero(&self, krate: &TokenStream) -> TokenStream {
        let name = self.name;
        match self.ty {
            Type::Reference(reference) if matches!(&*reference.elem, Type::Slice(_)) => {
                quote!(&#krate::__private::zeros(#name))
            }
            Type::Reference(_) => quote!(&#krate::Differentiable::zero_tangent(#name)),
            Type::Path(path) if path.path.get_ident().is_some() => quote!(#krate::Differentiable::zero_tangent(&#name)),
            _ => quote!(&#krate::Differentiable::zero_tangent(&#name)),
        }
    }
}

fn params(solver: &ItemFn) -> Result<Vec<Param<'_>>, Errors> {
    let mut params = Vec::new();
    for input in &solver.sig.inputs {
        let FnArg::Typed(typed) = input else {
            return Err(Error::new(input, "a solver is a function by itself")
                .help("take what the method is called on as a parameter")
                .into());
        };
        let Pat::Ident(pattern) = &*typed.pat else {
            return Err(Error::new(&typed.pat, "a parameter of a solver has a name").help("write `a: f64`").into());
        };
        if matches!(&*typed.ty, Type::Reference(reference) if reference.mutability.is_some()) {
            let error =
                Error::new(&typed.ty, "a solver that changes an argument cannot be differentiated by its equation");
            return Err(error.help("take the first guess by value, as `#[no_diff]`, and return the solution").into());
        }
        let no_diff = typed.attrs.iter().any(|attr| attr.path().is_ident("no_diff"));
        params.push(Param {
            name: &pattern.ident,
            ty: &typed.ty,
            is_active: !no_diff && !rule::is_discrete(&typed.ty),
        });
    }
    Ok(params)
}

/// Whether the residual takes the solution by reference: as its file says, else as one usually does.
fn by_ref(residual: &Path, unknown: &Unknown) -> bool {
    let last = residual.segments.last().map(|last| &last.ident);
    let source = last.and_then(|last| Source::of(&crate::file_of(last.span())?));
    let signature = last.and_then(|last| source?.signature(&last.to_string()));
    let first = signature.and_then(|signature| signature.inputs.into_iter().next());
    match first {
        Some(FnArg::Typed(typed)) => matches!(&*typed.ty, Type::Reference(_)),
        _ => !matches!(unknown, Unknown::Number),
    }
}
