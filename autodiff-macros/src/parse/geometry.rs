//! nalgebra's points, rotations and isometries.
//!
//! Note [Geometry]. They are structs here, of matrices: a point has its coordinates, a rotation its matrix, a unit quaternion its four
//! numbers, an isometry a rotation and a translation, a factorisation its matrix. Their methods are written with those of matrices (`lower/geometry/`). A
//! point changes by a vector, so that its tangent is one ([`Held::Wrapped`]). A rotation does not change by any change of its
//! numbers: inside a function it is computed with as it is, but a parameter or a result of a function has to be numbers whose
//! changes are free, such as an axis times an angle.

use super::ty::{Field, Held, StructArg, StructName, StructType, Surface};
use crate::ir::Elem;
use crate::ir::dim::Dim;
use crate::relay::{Knowledge, StructInfo};
use std::rc::Rc;
use syn::{GenericArgument, Member, Path, PathArguments, parse_quote};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Geometry {
    Point,
    Translation,
    /// Its numbers in the order `i, j, k, w`.
    Quaternion,
    UnitQuaternion,
    /// By its matrix.
    Rotation,
    /// With a unit quaternion.
    Isometry,
    /// A factorisation, by the matrix that it is of.
    Lu,
    Qr,
    /// By its factor.
    Cholesky,
}

impl Geometry {
    /// What a name means, with the dimension of the space.
    pub fn of(name: &str) -> Option<(Geometry, i64)> {
        let numbered = |prefix: &str| match name.strip_prefix(prefix)?.parse() {
            Ok(size @ 1..=6) => Some(size),
            _ => None,
        };
        match name {
            "Quaternion" => Some((Geometry::Quaternion, 3)),
            "UnitQuaternion" => Some((Geometry::UnitQuaternion, 3)),
            "Rotation2" | "Rotation3" => Some((Geometry::Rotation, numbered("Rotation")?)),
            "Isometry3" => Some((Geometry::Isometry, 3)),
            "LU" => Some((Geometry::Lu, 0)),
            "QR" => Some((Geometry::Qr, 0)),
            "Cholesky" => Some((Geometry::Cholesky, 0)),
            _ => numbered("Point")
                .map(|size| (Geometry::Point, size))
                .or_else(|| Some((Geometry::Translation, numbered("Translation")?))),
        }
    }

    /// Whether any change of its numbers gives another one.
    pub fn is_flat(self) -> bool {
        matches!(self, Geometry::Point | Geometry::Translation | Geometry::Quaternion)
    }

    /// What nalgebra calls it.
    pub fn name(self, size: i64) -> proc_macro2::Ident {
        let name = match self {
            Geometry::Quaternion => "Quaternion".to_owned(),
            Geometry::UnitQuaternion => "UnitQuaternion".to_owned(),
            Geometry::Point => format!("Point{size}"),
            Geometry::Translation => format!("Translation{size}"),
            Geometry::Rotation => format!("Rotation{size}"),
            Geometry::Isometry => format!("Isometry{size}"),
            Geometry::Lu => "LU".to_owned(),
            Geometry::Qr => "QR".to_owned(),
            Geometry::Cholesky => "Cholesky".to_owned(),
        };
        proc_macro2::Ident::new(&name, proc_macro2::Span::call_site())
    }

    /// Its type, of numbers and of a dimension. It is called as the path says.
    pub fn ty(self, elem: &Elem, size: i64, path: Path) -> StructType {
        let vector = |size| Surface::Matrix(elem.clone(), Dim::literal(size), Dim::literal(1));
        let field = |name: &str, ty, held| {
            let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
            Field { member: Member::Named(name), ty, active: true, held }
        };
        let inner = |geometry: Geometry, name: &str| {
            let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
            let number = crate::parse::tokens::elem_tokens(elem);
            Surface::Struct(Rc::new(geometry.ty(elem, size, parse_quote!(nalgebra::#name<#number>))))
        };
        let fields = match self {
            Geometry::Point => vec![field("coords", vector(size), Held::Wrapped)],
            Geometry::Translation => vec![field("vector", vector(size), Held::Wrapped)],
            Geometry::Quaternion => vec![field("coords", vector(4), Held::Wrapped)],
            Geometry::UnitQuaternion => vec![field("coords", vector(4), Held::Read("as_ref().coords"))],
            Geometry::Rotation => {
                let matrix = Surface::Matrix(elem.clone(), Dim::literal(size), Dim::literal(size));
                vec![field("matrix", matrix, Held::Read("matrix()"))]
            }
            Geometry::Lu | Geometry::Qr | Geometry::Cholesky => {
                let matrix = Surface::Matrix(elem.clone(), Dim::literal(size), Dim::literal(size));
                vec![field("matrix", matrix, Held::Directly)]
            }
            Geometry::Isometry => vec![
                field("rotation", inner(Geometry::UnitQuaternion, "UnitQuaternion"), Held::Directly),
                field("translation", inner(Geometry::Translation, "Translation3"), Held::Directly),
            ],
        };
        let info = StructInfo {
            generics: Vec::new(),
            fields: Vec::new(),
            variants: Vec::new(),
            nested: Knowledge::default(),
            home: None,
            failed: false,
        };
        StructType {
            info: Rc::new(info),
            path,
            name: StructName::Path,
            args: vec![StructArg::Elem(elem.clone())],
            fields,
            variants: Vec::new(),
            is_option: false,
            errors: None,
            geometry: Some(self),
        }
    }
}

/// The type that a path names, with the dimension of its space, if it has one generic argument or none.
pub fn named(path: &Path) -> Option<(Geometry, i64)> {
    let last = path.segments.last()?;
    let named = Geometry::of(&last.ident.to_string())?;
    match &last.arguments {
        PathArguments::None => Some(named),
        PathArguments::AngleBracketed(args) => match args.args.iter().collect::<Vec<_>>()[..] {
            [GenericArgument::Type(_)] => Some(named),
            _ => None,
        },
        PathArguments::Parenthesized(_) => None,
    }
}
