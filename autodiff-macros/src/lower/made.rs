//! Arrays and tensors that a function of the index makes: `std::array::from_fn(|i| …)`, `Tensor2::from_fn(|[i, j]| …)`.

use super::Lower;
use super::assign::unparen;
use super::call::strip_borrow;
use super::slice::Slice;
use super::value::{Lowered, Value};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::layout::{Form, Layout};
use crate::parse::tokens::referent;
use crate::parse::ty::{Surface, generic_args};
use crate::relay::{FnInfo, ParamInfo};
use quote::{ToTokens, format_ident};
use std::rc::Rc;
use syn::{Expr, ExprCall, GenericArgument, Ident, Path, Type};

/// So many elements that are no numbers are made one by one.
const ONE_BY_ONE: i64 = 16;

impl Lower<'_> {
    /// `None`, if it is no such function. The elements are made in the order of their indices.
    pub(super) fn made_by_index(
        &mut self,
        call: &ExprCall,
        path: &Path,
        expected: Option<&Surface>,
    ) -> Option<Lowered<Value>> {
        let maker = call.args.first().filter(|_| call.args.len() == 1)?;
        let owner = path.segments.iter().rev().nth(1).map(|owner| owner.ident.to_string());
        let surface = match owner.as_deref() {
            Some("array") => self.type_of_array(path, expected),
            None if matches!(maker, Expr::Closure(_)) && self.knowledge.find_fn(path).is_none() => {
                self.type_of_array(path, expected)
            }
            Some(tensor) if tensor.starts_with("Tensor") => self.type_of_tensor(path, expected),
            _ => return None,
        };
        let surface = match surface {
            Ok(Some(surface)) => surface,
            Ok(None) => {
                let error = Error::new(call, "the size of what this makes is not visible");
                return Some(self.fail(error.help("write its type: `let a: [f64; 3] = …`")));
            }
            Err(reported) => return Some(Err(reported)),
        };
        Some(match (surface.leaf(), &surface) {
            (Some(ty), _) => {
                let (axes, form) = match &surface {
                    Surface::Tensor(..) => (ty.rank(), Form::Tensor),
                    _ => (1, Form::Plain),
                };
                let zero = self.b.zero(ty.clone());
                self.filled(Value::Leaf(zero, form), &ty.dims[..axes], maker)
            }
            (None, Surface::Array(_, len)) if len.as_literal().is_some_and(|len| len <= ONE_BY_ONE) => {
                let all = (0..len.as_literal().unwrap_or(0)).map(|k| {
                    let index = proc_macro2::Literal::i64_suffixed(k).to_string().replace("i64", "usize");
                    let index: Expr = syn::parse_str(&index).unwrap_or_else(|_| syn::parse_quote!(0_usize));
                    syn::parse_quote!((#maker)(#index))
                });
                let all: Vec<Expr> = all.collect();
                self.expr_expecting(&syn::parse_quote!([#(#all),*]), Some(&surface))
            }
            (None, Surface::Array(inner, len)) if !len.is_dynamic() => {
                match self.zeros_of_each(&Layout::of(inner), len) {
                    Some(Value::Leaf(_, form)) if !form.is_matrix() => self.no_array(call),
                    None => self.no_array(call),
                    Some(of) => {
                        let zero = Value::Slice(Rc::new(Slice::all(of, len.clone())));
                        self.filled(zero, std::slice::from_ref(len), maker)
                    }
                }
            }
            _ => self.no_array(call),
        })
    }

    fn no_array(&mut self, call: &ExprCall) -> Lowered<Value> {
        self.unsupported(call, "an array of this", "fill a `Vec` in a loop")
    }

    /// The size of an array that is lent to a function, `f(&std::array::from_fn(…))`, or that a `let` made before: the parameter's.
    pub(super) fn size_told_by(&mut self, arg: &Expr, param: &ParamInfo, info: &FnInfo) -> Lowered<Option<Surface>> {
        let ty = referent(&param.ty);
        let is_generic = info.generics.iter().any(|own| crate::ir::mentions(&ty.to_token_stream(), &own.name));
        if !self.lacks_size(arg) || is_generic || self.is_foreign(ty) {
            return Ok(None);
        }
        let surface = self.type_of_parameter(ty, info)?;
        if !matches!(surface, Surface::Array(..)) {
            return Ok(None);
        }
        self.learn_named(strip_borrow(arg), surface.clone());
        Ok(Some(surface))
    }

    /// The sizes of arrays that become fields of a tuple struct: the fields' types.
    pub(super) fn sizes_told_by_fields(&mut self, call: &ExprCall, path: &Path) -> Lowered<Vec<Option<Surface>>> {
        let info = self.knowledge.find_struct(path).filter(|info| info.generics.is_empty() && info.variants.is_empty());
        if info.is_none() || !call.args.iter().any(|arg| self.lacks_size(arg)) {
            return Ok(Vec::new());
        }
        match self.resolve(&Type::Path(syn::TypePath { qself: None, path: path.clone() }))? {
            Surface::Struct(ty) => {
                let fields = ty.fields.iter().zip(&call.args);
                Ok(fields.map(|(field, arg)| self.lacks_size(arg).then(|| field.ty.clone())).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Whether an argument is such an array, or a variable of which nothing says yet what it is.
    pub(super) fn lacks_size(&self, arg: &Expr) -> bool {
        match unparen(strip_borrow(arg)) {
            Expr::Path(path) => {
                let binding = path.path.get_ident().and_then(|name| self.lookup(&name.to_string()));
                binding.is_some_and(|binding| binding.value.is_none() && binding.origin.is_some())
            }
            Expr::Call(call) => match unparen(&call.func) {
                Expr::Path(function) => function.path.segments.last().is_some_and(|last| last.ident == "from_fn"),
                _ => false,
            },
            _ => false,
        }
    }

    /// A loop over the indices.
    pub(super) fn filled(&mut self, zero: Value, sizes: &[Dim], maker: &Expr) -> Lowered<Value> {
        let is_tensor = matches!(zero, Value::Leaf(_, Form::Tensor));
        self.scoped(|lower| {
            let items = format_ident!("__autodiff_items");
            lower.define(&items.to_string(), Some(zero), true);
            let indices: Vec<Ident> = (0..sizes.len()).map(|axis| format_ident!("__autodiff_at_{axis}")).collect();
            let at: Expr = match &indices[..] {
                [index] if !is_tensor => syn::parse_quote!(#index),
                indices => syn::parse_quote!([#(#indices),*]),
            };
            let mut body: Expr = syn::parse_quote!({ #items[#at] = (#maker)(#at); });
            for (index, size) in indices.iter().zip(sizes).rev() {
                let end = format_ident!("{index}_end");
                let count = lower.b.dim(size.clone());
                lower.define(&end.to_string(), Some(Value::Leaf(count, Form::Plain)), false);
                body = syn::parse_quote!({ for #index in 0..#end #body });
            }
            lower.root(&syn::parse_quote!({ #body #items }), None)
        })
    }

    /// `from_fn::<f64, 3, _>`, or what is expected here.
    fn type_of_array(&mut self, path: &Path, expected: Option<&Surface>) -> Lowered<Option<Surface>> {
        let expected = expected.filter(|surface| matches!(surface, Surface::Array(..)));
        let args = generic_args(path);
        // What is declared says it better: of a field, a constant is the number that it stands for.
        let [GenericArgument::Type(ty), len, ..] = (if expected.is_some() { &[] } else { &args[..] }) else {
            return Ok(expected.cloned());
        };
        let len: Expr = match len {
            GenericArgument::Const(len) => len.clone(),
            GenericArgument::Type(Type::Infer(_)) => return Ok(expected.cloned()),
            GenericArgument::Type(len) => syn::parse_quote!(#len),
            _ => return Ok(None),
        };
        let inner = match (ty, expected) {
            (Type::Infer(_), Some(Surface::Array(inner, _))) => (**inner).clone(),
            (Type::Infer(_), _) => match self.default_elem() {
                Some(elem) => Surface::Scalar(elem),
                None => return Ok(None),
            },
            (ty, _) => self.resolve(ty)?,
        };
        Ok(Some(Surface::Array(Box::new(inner), self.size(&len)?)))
    }

    fn type_of_tensor(&mut self, path: &Path, expected: Option<&Surface>) -> Lowered<Option<Surface>> {
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        if generic_args(&owner).is_empty() {
            return Ok(expected.filter(|surface| matches!(surface, Surface::Tensor(..))).cloned());
        }
        self.resolve(&Type::Path(syn::TypePath { qself: None, path: owner })).map(Some)
    }
}
