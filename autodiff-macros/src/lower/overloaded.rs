//! Operators on structs: `a + b`, `2.0 * v`, `-v`, `sum += v`. What is called is the function that stands for the operator's
//! method, see Note [Operators] in [`crate::methods`].

use super::Lower;
use super::value::{Lowered, Reported, Untyped, Value};
use crate::ir::Elem;
use crate::layout::Kind;
use crate::methods::{NUMBER, operator_method, operator_name};
use crate::parse::ty::{StructType, Surface};
use crate::relay::without_arguments;
use proc_macro2::Span;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprCall, Path};

/// What stands on one side of an operator, as far as its function's name goes.
enum Side {
    Struct(Rc<StructType>),
    /// A float: the functions of `f32`, `f64` and of type parameters have one name.
    Number,
    Integer(String),
    /// Named, of a type that is not visible.
    Unknown,
}

impl Lower<'_> {
    /// A binary operator of which one side is a struct.
    pub(super) fn overloaded(
        &mut self,
        op: &BinOp,
        (left_expr, left): (&Expr, &Value),
        (right_expr, right): (&Expr, &Value),
    ) -> Option<Lowered<Value>> {
        let method = operator_method(op).filter(|method| !method.ends_with("_assign"))?;
        let (mut first, mut second) = (self.side(left)?, self.side(right)?);
        let unknown = match (&first, &second) {
            (Side::Unknown, Side::Unknown) => None,
            (Side::Unknown, _) => Some((&mut first, left)),
            (_, Side::Unknown) => Some((&mut second, right)),
            _ => None,
        };
        if let Some((side, value)) = unknown {
            match self.visible_side(value) {
                Ok(visible) => *side = visible,
                Err(reported) => return Some(Err(reported)),
            }
        }
        let sum = matches!(method, "add" | "sub");
        // What is added to a struct is one, what it is multiplied by a number; rustc checks it.
        let (first, second) = match (first, second) {
            (Side::Struct(ty), Side::Unknown) if sum => (Side::Struct(ty.clone()), Side::Struct(ty)),
            (Side::Unknown, Side::Struct(ty)) if sum => (Side::Struct(ty.clone()), Side::Struct(ty)),
            (Side::Struct(ty), Side::Number) if sum && self.is_guess(right_expr) => {
                self.learn_place(right_expr, Surface::Struct(ty));
                return Some(Err(Reported));
            }
            (Side::Number, Side::Struct(ty)) if sum && self.is_guess(left_expr) => {
                self.learn_place(left_expr, Surface::Struct(ty));
                return Some(Err(Reported));
            }
            // `let mut m = M::identity();`
            (Side::Number, Side::Struct(_)) if self.is_guess(left_expr) && self.learn_makers(left_expr) => {
                return Some(Err(Reported));
            }
            (Side::Struct(_), Side::Number) if self.is_guess(right_expr) && self.learn_makers(right_expr) => {
                return Some(Err(Reported));
            }
            // `V::new(2.0, 3.0) * v`
            (Side::Struct(_), Side::Unknown) if self.learn_makers(right_expr) => return Some(Err(Reported)),
            (Side::Unknown, Side::Struct(_)) if self.learn_makers(left_expr) => return Some(Err(Reported)),
            (Side::Struct(ty), Side::Unknown) => {
                let name = name_of(&ty);
                let found = self.source.as_ref().and_then(|source| Some(source.right_of(&name, method)?.to_owned()));
                let other = if found == Some(name) { Side::Struct(ty.clone()) } else { Side::Number };
                (Side::Struct(ty), other)
            }
            (Side::Unknown, Side::Struct(ty)) => {
                let name = name_of(&ty);
                let found = self.source.as_ref().and_then(|source| Some(source.left_of(method, &name)?.to_owned()));
                let other = if found == Some(name) { Side::Struct(ty.clone()) } else { Side::Number };
                (other, Side::Struct(ty))
            }
            sides @ ((Side::Struct(_), _) | (_, Side::Struct(_))) => sides,
            _ => return None,
        };
        let owner = match (&first, &second) {
            (Side::Struct(ty), _) | (_, Side::Struct(ty)) => ty.path.clone(),
            _ => return None,
        };
        let path = operator_path(&owner, &operator_name(&first.name(), method, &second.name()), op.span())?;
        let elem = self.number_of([left, right]);
        let values = [(left, &first, left_expr), (right, &second, right_expr)];
        let values = values.into_iter().map(|(value, side, at)| self.sided(value.clone(), side, &elem, at));
        let values = match values.collect::<Lowered<Vec<Value>>>() {
            Ok(values) => values,
            Err(reported) => return Some(Err(reported)),
        };
        let call: ExprCall = syn::parse_quote!(#path(#left_expr, #right_expr));
        Some(self.call_operator(&call, &path, values))
    }

    /// `place += value` of a struct: its function takes the place by `&mut`.
    pub(super) fn overloaded_assign(&mut self, binary: &ExprBinary, value: &Value) -> Option<Lowered<Value>> {
        let (mut place, op) = (&*binary.left, &binary.op);
        let name: Expr = syn::parse_quote!(__autodiff_place);
        if self.is_given(place) {
            match self.borrow_mut(place) {
                Ok(given) => self.define("__autodiff_place", Some(given), true),
                Err(reported) => return Some(Err(reported)),
            }
            place = &name;
        }
        let old = self.named(place)?;
        if matches!(&old, Value::Parts(Kind::Struct(ty), _) if ty.geometry.is_some()) {
            return None;
        }
        let Some(Side::Struct(_)) = self.side(&old) else { return None };
        if binary.attrs.iter().any(|attr| attr.path().is_ident("value_first")) {
            let help = "name what is added with `let` before";
            return Some(self.unsupported(place, "a place whose index is changed by what is added to it", help));
        }
        let method = operator_method(op)?;
        let (first, second) = (self.side(&old)?, self.side(value)?);
        let second = match (&first, second) {
            (Side::Struct(ty), Side::Unknown) if matches!(method, "add_assign" | "sub_assign") => {
                Side::Struct(ty.clone())
            }
            (_, Side::Unknown) => Side::Number,
            (_, second) => second,
        };
        let Side::Struct(ty) = &first else { return None };
        let path = operator_path(&ty.path, &operator_name(&first.name(), method, &second.name()), op.span())?;
        let elem = self.number_of([&old, value]);
        let right = &*binary.right;
        let values =
            self.sided(value.clone(), &second, &elem, right).and_then(|value| Ok(vec![self.borrow_mut(place)?, value]));
        let call: ExprCall = syn::parse_quote!(#path(#place, #right));
        Some(values.and_then(|values| self.call_operator(&call, &path, values)))
    }

    /// `-v`
    pub(super) fn overloaded_negation(&mut self, unary: &syn::ExprUnary, value: &Value) -> Option<Lowered<Value>> {
        let Some(Side::Struct(ty)) = self.side(value) else { return None };
        let first = Side::Struct(ty.clone()).name();
        let path = operator_path(&ty.path, &operator_name(&first, "neg", &first), unary.op.span())?;
        let operand = &unary.expr;
        let call: ExprCall = syn::parse_quote!(#path(#operand));
        Some(self.call_operator(&call, &path, vec![value.clone()]))
    }

    fn call_operator(&mut self, call: &ExprCall, path: &Path, values: Vec<Value>) -> Lowered<Value> {
        match self.knowledge.find_fn(path) {
            Some(info) => self.differentiable_call(call, path, &info, values, None),
            None => self.ask_for(path.clone()),
        }
    }

    /// What data without a derivative are, as far as the file tells.
    fn visible_side(&mut self, value: &Value) -> Lowered<Side> {
        let surface = match self.data_struct(value)? {
            Some(surface) => Some(surface),
            None => self.constant_surface(value)?,
        };
        Ok(surface.as_ref().map_or(Side::Unknown, Side::of))
    }

    fn side(&self, value: &Value) -> Option<Side> {
        Some(match value {
            Value::Parts(Kind::Struct(ty), _) if !ty.is_option => Side::Struct(ty.clone()),
            Value::Leaf(var, _) if self.b.ty(*var).is_scalar() => match &self.b.ty(*var).elem {
                Elem::Int(name) => Side::Integer(name.to_string()),
                elem if elem.is_float() => Side::Number,
                _ => return None,
            },
            Value::Untyped(Untyped { number: Some(_), integer, .. }) => match integer {
                true => Side::Integer("i32".to_owned()),
                false => Side::Number,
            },
            Value::Untyped(_) | Value::Other(_) => Side::Unknown,
            _ => return None,
        })
    }

    /// The float type of a struct.
    fn number_of(&self, values: [&Value; 2]) -> Elem {
        let leaves = values.into_iter().flat_map(Value::leaves);
        let mut elems = leaves.map(|var| &self.b.ty(var).elem).filter(|elem| elem.is_float());
        elems.next().cloned().or_else(|| self.default_elem()).unwrap_or(Elem::F64)
    }

    fn sided(&mut self, value: Value, side: &Side, elem: &Elem, at: &Expr) -> Lowered<Value> {
        let surface = match (side, &value) {
            (Side::Number, Value::Untyped(_) | Value::Other(_)) => Surface::Scalar(elem.clone()),
            (Side::Integer(name), Value::Untyped(_)) => Surface::Scalar(Elem::Int(Rc::from(&name[..]))),
            (Side::Struct(ty), Value::Untyped(_) | Value::Other(_)) => Surface::Struct(ty.clone()),
            _ => return Ok(value),
        };
        self.coerce(value, &surface, at, "the operand")
    }
}

impl Side {
    fn of(surface: &Surface) -> Side {
        match surface {
            Surface::Struct(ty) if !ty.is_option => Side::Struct(ty.clone()),
            Surface::Scalar(Elem::Int(name)) => Side::Integer(name.to_string()),
            Surface::Scalar(elem) if elem.is_float() => Side::Number,
            _ => Side::Unknown,
        }
    }

    fn name(&self) -> String {
        match self {
            Side::Struct(ty) => name_of(ty),
            Side::Integer(name) => name.clone(),
            Side::Number | Side::Unknown => NUMBER.to_owned(),
        }
    }
}

/// What a type is called in the names of operators.
fn name_of(ty: &StructType) -> String {
    ty.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
}

/// A function beside a type.
fn operator_path(owner: &Path, name: &str, span: Span) -> Option<Path> {
    let mut path = without_arguments(owner);
    let last = path.segments.last_mut()?;
    last.ident = syn::Ident::new(name, span);
    Some(path)
}
