//! Note [Bounds that never hold]. `forward` has a bound that only rustc can decide, and that may never hold: see Note [Pullbacks that
//! borrow]. rustc evaluates the length of `[x; N]` under the bounds of the function around it, and has nothing to evaluate where they never
//! hold. So such a function makes its arrays by calls.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::visit_mut::VisitMut;
use syn::{Expr, Ident, ItemImpl, Macro, Token, Type};

/// Methods whose bounds may never hold.
pub(super) fn under_bounds(methods: &TokenStream, krate: &TokenStream) -> TokenStream {
    let Ok(mut block) = syn::parse2::<ItemImpl>(quote!(impl Bounded { #methods })) else { return methods.clone() };
    Repeats { krate }.visit_item_impl_mut(&mut block);
    let items = block.items;
    quote!(#(#items)*)
}

struct Repeats<'k> {
    krate: &'k TokenStream,
}

impl Repeats<'_> {
    fn made(&self, repeat: &syn::ExprRepeat) -> Expr {
        let (krate, value, len) = (self.krate, &repeat.expr, &repeat.len);
        match (&**len, &**value) {
            (Expr::Lit(_), _) => Expr::Repeat(repeat.clone()),
            (_, Expr::Const(value)) => {
                let value = &value.block;
                syn::parse_quote!(::core::array::from_fn::<_, { #len }, _>(|_| #value))
            }
            _ => syn::parse_quote!(#krate::__private::repeated::<_, { #len }>(#value)),
        }
    }
}

impl VisitMut for Repeats<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        syn::visit_mut::visit_expr_mut(self, expr);
        if let Expr::Repeat(repeat) = expr {
            *expr = self.made(repeat);
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if mac.path.segments.last().is_none_or(|last| last.ident != "__array") {
            return;
        }
        let Ok(Array { name, ty, mut repeat }) = mac.parse_body::<Array>() else { return };
        self.visit_expr_mut(&mut repeat.expr);
        let made = self.made(&repeat);
        mac.tokens = quote!(#name: #ty = #repeat, a copy of #made);
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}
}

/// What `__array!` makes of nothing but a value.
struct Array {
    name: Ident,
    ty: Type,
    repeat: syn::ExprRepeat,
}

impl Parse for Array {
    fn parse(input: ParseStream<'_>) -> syn::Result<Array> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<Token![=]>()?;
        let array = Array { name, ty, repeat: input.parse()? };
        input.is_empty().then_some(array).ok_or_else(|| input.error("a copy"))
    }
}
