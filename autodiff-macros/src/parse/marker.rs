//! Type parameters of structs that no number is of: `Unit` of `struct Length<Unit> { value: f64, unit: PhantomData<Unit> }`.

use super::ty::generic_args;
use crate::relay::{GenericKind, Knowledge, StructInfo};
use syn::visit::Visit;
use syn::{GenericArgument, Ident, Signature, Type};

/// Whether a type parameter of a struct is of none of its numbers, also not of those in the structs that it holds.
pub fn is_marker(name: &str, info: &StructInfo) -> bool {
    let mut active = info.fields.iter().filter(|field| field.active);
    !active.any(|field| has_number(&field.ty, name, &info.nested))
}

/// Whether a type has numbers of a type parameter, or what is not known to have none.
pub fn has_number(ty: &Type, name: &str, knowledge: &Knowledge) -> bool {
    match ty {
        Type::Array(array) => has_number(&array.elem, name, knowledge),
        Type::Tuple(tuple) => tuple.elems.iter().any(|elem| has_number(elem, name, knowledge)),
        Type::Path(path) => {
            let args = generic_args(&path.path);
            let Some(info) = knowledge.find_struct(&path.path) else {
                return path.path.is_ident(name)
                    || args
                        .iter()
                        .any(|arg| matches!(arg, GenericArgument::Type(ty) if has_number(ty, name, knowledge)));
            };
            info.generics.iter().zip(&args).any(|(generic, arg)| match arg {
                GenericArgument::Type(ty) if generic.kind == GenericKind::Number => {
                    has_number(ty, name, knowledge) && !is_marker(&generic.name, &info)
                }
                _ => false,
            })
        }
        ty => crate::tokens::mentions(&quote::quote!(#ty), name),
    }
}

/// Whether a signature names a type parameter as an argument of other types only, `Length<Unit>`, which then may have no number of it.
pub fn may_be_marker(name: &Ident, sig: &Signature) -> bool {
    struct Uses<'n> {
        name: &'n Ident,
        as_argument: bool,
        alone: bool,
    }
    impl<'ast> Visit<'ast> for Uses<'_> {
        fn visit_type(&mut self, ty: &'ast Type) {
            self.alone |= matches!(ty, Type::Path(path) if path.path.is_ident(self.name));
            syn::visit::visit_type(self, ty);
        }

        fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
            let is_list = matches!(&segment.ident.to_string()[..], "Vec" | "Option" | "Result" | "Box" | "VecDeque")
                || segment.ident.to_string().starts_with("Tensor");
            if let (syn::PathArguments::AngleBracketed(args), false) = (&segment.arguments, is_list) {
                for arg in &args.args {
                    match arg {
                        GenericArgument::Type(Type::Path(path)) if path.path.is_ident(self.name) => {
                            self.as_argument = true
                        }
                        arg => self.visit_generic_argument(arg),
                    }
                }
                return;
            }
            syn::visit::visit_path_segment(self, segment);
        }
    }
    let mut uses = Uses { name, as_argument: false, alone: false };
    sig.inputs.iter().for_each(|input| uses.visit_fn_arg(input));
    uses.visit_return_type(&sig.output);
    uses.as_argument && !uses.alone
}
