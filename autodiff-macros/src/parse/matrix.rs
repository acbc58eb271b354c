//! The names of nalgebra's matrices of fixed size.

use crate::ir::dim::Dim;
use syn::{GenericArgument, Path, PathArguments};

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
    use super::{Named, Size, named};

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
    }

    #[test]
    fn other_counts_of_arguments_are_other_types() {
        assert!(named(&syn::parse_quote!(nalgebra::SMatrix<f64, 2, N>)).is_some());
        assert!(named(&syn::parse_quote!(Vector3::<f64>)).is_some());
        assert!(named(&syn::parse_quote!(Vector3<Metres, f64>)).is_none());
    }
}
