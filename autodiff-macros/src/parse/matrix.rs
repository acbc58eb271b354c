//! The names of nalgebra's matrices of fixed size.

use super::ty::{generic_args, spelled};
use crate::diag::Error;
use crate::ir::dim::Dim;
use crate::tokens::takes_types;
use syn::{Expr, GenericArgument, Path, PathArguments, Type};

/// How many rows or columns a name means: a number, or the generic argument at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Literal(i64),
    Argument(usize),
}

/// A type of matrices, as its name tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    pub rows: Size,
    pub columns: Size,
}

impl Named {
    /// `Vector3`, `Matrix2x3`, `SMatrix`, …
    pub fn of(name: &str) -> Option<Named> {
        let named = |rows, columns| Some(Named { rows, columns });
        match name {
            "SMatrix" => return named(Size::Argument(1), Size::Argument(2)),
            "SVector" => return named(Size::Argument(1), Size::Literal(1)),
            "RowSVector" => return named(Size::Literal(1), Size::Argument(1)),
            "OMatrix" => return named(Size::Argument(1), Size::Argument(2)),
            "OVector" => return named(Size::Argument(1), Size::Literal(1)),
            _ => {}
        }
        if let Some(rows) = name.strip_prefix("Vector") {
            return named(size(rows)?, Size::Literal(1));
        }
        if let Some(columns) = name.strip_prefix("RowVector") {
            return named(Size::Literal(1), size(columns)?);
        }
        let sizes = name.strip_prefix("Matrix")?;
        match sizes.split_once('x') {
            Some((rows, columns)) => named(size(rows)?, size(columns)?),
            None => named(size(sizes)?, size(sizes)?),
        }
    }

    /// How many generic arguments it takes.
    pub fn arguments(self) -> usize {
        let last = |size| match size {
            Size::Literal(_) => 1,
            Size::Argument(at) => at + 1,
        };
        last(self.rows).max(last(self.columns))
    }
}

/// The type that a path names, if its last word is a name of nalgebra's with as many arguments as that takes, or with none.
pub fn named(path: &Path) -> Option<Named> {
    let last = path.segments.last()?;
    let named = Named::of(&last.ident.to_string())?;
    match &last.arguments {
        PathArguments::None => Some(named),
        PathArguments::AngleBracketed(args) => {
            let is_argument =
                |arg: &GenericArgument| matches!(arg, GenericArgument::Type(_) | GenericArgument::Const(_));
            (args.args.len() == named.arguments() && args.args.iter().all(is_argument)).then_some(named)
        }
        PathArguments::Parenthesized(_) => None,
    }
}

/// The generic arguments of a type of matrices. `OMatrix` has types for its sizes, `U3` or `Const<3>`: they are numbers here.
pub fn arguments(path: &Path) -> Vec<GenericArgument> {
    let args = generic_args(path);
    match path.segments.last().is_some_and(|last| takes_types(&last.ident)) {
        true => args.into_iter().map(|arg| size_of_type(&arg).map_or(arg, GenericArgument::Const)).collect(),
        false => args,
    }
}

/// `3` of `U3` and of `Const<3>`.
fn size_of_type(arg: &GenericArgument) -> Option<Expr> {
    let GenericArgument::Type(Type::Path(ty)) = arg else { return None };
    let last = ty.path.segments.last()?;
    if last.ident == "Const" {
        return match &generic_args(&ty.path)[..] {
            [GenericArgument::Const(size)] => Some(size.clone()),
            [GenericArgument::Type(size)] => Some(syn::parse_quote!(#size)),
            _ => None,
        };
    }
    let size: usize = last.ident.to_string().strip_prefix('U')?.parse().ok()?;
    let size = proc_macro2::Literal::usize_unsuffixed(size);
    last.arguments.is_none().then(|| syn::parse_quote!(#size))
}

/// The same, if all sizes are numbers: none is `Dyn`, or a parameter that stands for a type of sizes.
pub fn sized_arguments(path: &Path) -> Result<Vec<GenericArgument>, Error> {
    let args = arguments(path);
    let of_types = path.segments.last().is_some_and(|last| takes_types(&last.ident));
    let is_size = |arg: &&GenericArgument| match arg {
        GenericArgument::Type(ty) => matches!(ty, Type::Infer(_)),
        _ => true,
    };
    match args.iter().skip(1).find(|arg| of_types && !is_size(arg)) {
        None => Ok(args),
        Some(size) => Err(Error::new(size, format!("the size `{}` of this matrix is no number", spelled(size)))
            .note("a size is `U3`, or `Const<N>` of a number, a constant or a const parameter")
            .help(RUN_TIME_SIZES)),
    }
}

/// What to do about matrices whose sizes are known at run time only.
const RUN_TIME_SIZES: &str = "if a size is known at run time only, take a `DVector` or a `DMatrix`";

/// An error, if the type is one of nalgebra's whose size is known at run time only.
pub fn sized_at_run_time(path: &Path) -> Option<Error> {
    let name = &path.segments.last()?.ident;
    let message = format!("`{name}` is not supported: its size is known at run time only");
    is_sized_at_run_time(&name.to_string()).then(|| Error::new(path, message).help(RUN_TIME_SIZES))
}

/// `RowDVector`, `Matrix3xX`.
fn is_sized_at_run_time(name: &str) -> bool {
    name == "RowDVector"
        || name.strip_prefix("Matrix").and_then(|sizes| sizes.split_once('x')).is_some_and(|(rows, columns)| {
            (rows == "X" && size(columns).is_some()) || (columns == "X" && size(rows).is_some())
        })
}

/// Whether a path may be one of nalgebra: a name alone, or after the name of the crate.
pub fn is_of_nalgebra(path: &Path) -> bool {
    path.segments.len() == 1
        || path.segments.first().is_some_and(|first| first.ident == "nalgebra" || first.ident == "na")
}

/// The dimensions of the array that it is: see Note [Matrices of nalgebra] in `layout.rs`.
pub fn dims(rows: &Dim, columns: &Dim) -> Vec<Dim> {
    match columns.is(1) {
        true => vec![rows.clone()],
        false => vec![columns.clone(), rows.clone()],
    }
}

fn size(text: &str) -> Option<Size> {
    match text.parse() {
        Ok(size @ 1..=6) if text.len() == 1 => Some(Size::Literal(size)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Named, Size, arguments, is_sized_at_run_time, named, sized_arguments};

    #[test]
    fn names_tell_sizes() {
        let literals = |rows, columns| Some(Named { rows: Size::Literal(rows), columns: Size::Literal(columns) });
        assert_eq!(Named::of("Vector3"), literals(3, 1));
        assert_eq!(Named::of("RowVector6"), literals(1, 6));
        assert_eq!(Named::of("Matrix4"), literals(4, 4));
        assert_eq!(Named::of("Matrix2x3"), literals(2, 3));
        assert_eq!(Named::of("Matrix7"), None);
        assert_eq!(Named::of("Matrix3xX"), None);
        assert_eq!(Named::of("Vector03"), None);
        assert_eq!(Named::of("SMatrix").map(Named::arguments), Some(3));
        assert_eq!(Named::of("OVector").map(Named::arguments), Some(2));
    }

    #[test]
    fn types_tell_sizes() {
        let sizes = |path: syn::Path| quote::ToTokens::to_token_stream(&arguments(&path)[1]).to_string();
        assert_eq!(sizes(syn::parse_quote!(OVector<f64, U12>)), "12");
        assert_eq!(sizes(syn::parse_quote!(OMatrix<f64, nalgebra::Const<3>, U1>)), "3");
        assert_eq!(sizes(syn::parse_quote!(OVector<f64, Const<N>>)), "N");
        assert_eq!(sizes(syn::parse_quote!(SVector<f64, U3>)), "U3");
        assert!(sized_arguments(&syn::parse_quote!(OMatrix<f64, U2, _>)).is_ok());
        assert!(sized_arguments(&syn::parse_quote!(OMatrix<f64, U2, Dyn>)).is_err());
        assert!(sized_arguments(&syn::parse_quote!(SMatrix<f64, R, C>)).is_ok());
    }

    #[test]
    fn sizes_of_run_time() {
        assert!(["RowDVector", "Matrix3xX", "MatrixXx2"].into_iter().all(is_sized_at_run_time));
        assert!(
            !["DMatrix", "DVector", "Matrix3", "Matrix3x2", "MatrixXxY", "OMatrix"]
                .into_iter()
                .any(is_sized_at_run_time)
        );
    }

    #[test]
    fn other_counts_of_arguments_are_other_types() {
        assert!(named(&syn::parse_quote!(nalgebra::SMatrix<f64, 2, N>)).is_some());
        assert!(named(&syn::parse_quote!(Vector3::<f64>)).is_some());
        assert!(named(&syn::parse_quote!(Vector3<Metres, f64>)).is_none());
    }
}
