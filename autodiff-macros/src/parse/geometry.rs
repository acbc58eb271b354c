//! nalgebra's points, rotations and isometries.
//!
//! Note [Geometry]. They are structs here, of matrices: a point has its coordinates, a rotation its matrix, a unit quaternion its four
//! numbers, a unit complex number its two, an isometry one of these and a translation, a factorisation its matrix. Their methods are written with those of matrices
//! (`lower/geometry/`). A point changes by a vector, so that its tangent is one ([`Held::Wrapped`]).
//!
//! Note [Changes of rotations]. A rotation does not change by any change of its numbers. It is numbers without a derivative here, and a
//! *change* `c` beside them, a vector of so(3) or se(3) whose value is zero ([`Held::Change`]): what is meant is `r·exp(c)`, and all
//! derivatives are those by `c` at 0, of any order. So the tangent of a rotation is a vector, a Hessian by it is symmetric, and a rotation
//! can be wherever a struct can: in parameters, results, fields, lists, loops and calls. Whatever is computed of a rotation is computed
//! of the numbers of `r·exp(c)`, and a rotation that is made has the change `log(r⁻¹·m)` of its numbers `m`, where `r` are the same
//! numbers without their derivative (`lower/geometry/change.rs` has both, as polynomials that agree to the fourth order). Of all this the
//! derivatives are left: `c` is the result of `vanishing`, which is zero and has the derivative of its operand, and `pass/vanish.rs`
//! removes what is computed of it. In space a product is made by changes on the left: see Note [Changes on the left] in
//! `lower/geometry/left.rs`, and for loops and choices Note [Rotations across blocks] in `crossing.rs` beside it.
//!
//! A similarity changes by that of its isometry, and then by the logarithm of a factor to its own.
//!
//! Note [Unit vectors]. A unit vector `u` changes by a vector `c` of as many numbers, of which the part along `u` does nothing: with
//! `d = c - u·(u·c)` to `(u + d)/|u + d|`. So its cotangent is orthogonal to `u`, and a Hessian by it is that of the sphere. Within a function it is a vector: wherever it is read of a parameter, of a field or of a list, it is
//! the vector of its numbers, and a vector that goes where a unit vector is declared is taken for one (`lower/coerce.rs`).

use super::ty::{Field, Held, Seq, StructArg, StructName, StructType, Surface};
use crate::ir::Elem;
use crate::ir::dim::Dim;
use crate::relay::{Knowledge, StructInfo};
use std::rc::Rc;
use syn::{GenericArgument, Member, Path, PathArguments};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Geometry {
    Point,
    Translation,
    /// Its numbers in the order `i, j, k, w`.
    Quaternion,
    UnitQuaternion,
    /// A rotation of the plane, by its cosine and its sine.
    UnitComplex,
    /// By its matrix.
    Rotation,
    /// With a unit quaternion, in the plane with a unit complex number.
    Isometry,
    /// As an isometry, with a factor.
    Similarity,
    /// `Unit<Vector3<f64>>`: see Note [Unit vectors].
    UnitVector,
    /// A factorisation, by the matrix that it is of.
    Lu,
    Qr,
    /// By its factor.
    Cholesky,
    /// By its eigenvalues and its eigenvectors.
    SymmetricEigen,
    /// A `DVector`: see Note [Matrices of run time] in [`crate::layout`].
    RunVector,
    /// A `DMatrix`.
    RunMatrix,
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
            "UnitComplex" => Some((Geometry::UnitComplex, 2)),
            "Isometry2" | "Isometry3" => Some((Geometry::Isometry, numbered("Isometry")?)),
            "Similarity2" | "Similarity3" => Some((Geometry::Similarity, numbered("Similarity")?)),
            "LU" => Some((Geometry::Lu, 0)),
            "QR" => Some((Geometry::Qr, 0)),
            "Cholesky" => Some((Geometry::Cholesky, 0)),
            "SymmetricEigen" => Some((Geometry::SymmetricEigen, 0)),
            "DVector" => Some((Geometry::RunVector, 0)),
            "DMatrix" => Some((Geometry::RunMatrix, 0)),
            _ if name.starts_with("UnitVector") => Some((Geometry::UnitVector, numbered("UnitVector")?)),
            _ => numbered("Point")
                .map(|size| (Geometry::Point, size))
                .or_else(|| Some((Geometry::Translation, numbered("Translation")?))),
        }
    }

    /// Whether any change of its numbers gives another one.
    pub fn is_flat(self) -> bool {
        matches!(self, Geometry::Point | Geometry::Translation | Geometry::Quaternion)
    }

    /// Whether it changes as Note [Changes of rotations] says.
    pub fn is_curved(self) -> bool {
        let is_rotation = matches!(self, Geometry::UnitQuaternion | Geometry::UnitComplex | Geometry::Rotation);
        is_rotation || matches!(self, Geometry::Isometry | Geometry::Similarity | Geometry::UnitVector)
    }

    /// Whether it can be differentiated by.
    pub fn has_tangents(self) -> bool {
        self.is_flat() || self.is_curved() || self.is_of_run_time()
    }

    /// Whether it is a factorisation, whose parts tell their sizes.
    pub fn is_factorisation(self) -> bool {
        matches!(self, Geometry::Lu | Geometry::Qr | Geometry::Cholesky | Geometry::SymmetricEigen)
    }

    /// Whether run time tells its sizes.
    pub fn is_of_run_time(self) -> bool {
        matches!(self, Geometry::RunVector | Geometry::RunMatrix)
    }

    /// Of how many numbers a change is.
    pub fn degrees_of_freedom(self, size: i64) -> i64 {
        match self {
            Geometry::Isometry => size * (size + 1) / 2,
            Geometry::Similarity => size * (size + 1) / 2 + 1,
            Geometry::UnitVector => size,
            _ => size * (size - 1) / 2,
        }
    }

    /// What nalgebra calls it.
    pub fn name(self, size: i64) -> proc_macro2::Ident {
        let name = match self {
            Geometry::Quaternion => "Quaternion".to_owned(),
            Geometry::UnitQuaternion => "UnitQuaternion".to_owned(),
            Geometry::UnitComplex => "UnitComplex".to_owned(),
            Geometry::Point => format!("Point{size}"),
            Geometry::Translation => format!("Translation{size}"),
            Geometry::Rotation => format!("Rotation{size}"),
            Geometry::Isometry => format!("Isometry{size}"),
            Geometry::Similarity => format!("Similarity{size}"),
            Geometry::UnitVector => format!("UnitVector{size}"),
            Geometry::Lu => "LU".to_owned(),
            Geometry::Qr => "QR".to_owned(),
            Geometry::Cholesky => "Cholesky".to_owned(),
            Geometry::SymmetricEigen => "SymmetricEigen".to_owned(),
            Geometry::RunVector => "DVector".to_owned(),
            Geometry::RunMatrix => "DMatrix".to_owned(),
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
        let held = |name: &str, ty, read| Field { active: false, ..field(name, ty, Held::Read(read)) };
        // Names that no source has: what is read of a rotation is computed.
        let change = || field("__change", vector(self.degrees_of_freedom(size)), Held::Change);
        let number = || Surface::Scalar(elem.clone());
        let square = || Surface::Matrix(elem.clone(), Dim::literal(size), Dim::literal(size));
        let numbers = || field("__numbers", Surface::Seq(Box::new(number()), Seq::Vec), Held::Whole);
        let count = |name, read| held(name, Surface::Scalar(Elem::usize()), read);
        let fields = match self {
            Geometry::Point => vec![field("coords", vector(size), Held::Wrapped)],
            Geometry::Translation => vec![field("vector", vector(size), Held::Wrapped)],
            Geometry::Quaternion => vec![field("coords", vector(4), Held::Wrapped)],
            Geometry::UnitQuaternion => vec![held("__numbers", vector(4), "as_ref().coords"), change()],
            Geometry::UnitComplex => vec![held("__re", number(), "re"), held("__im", number(), "im"), change()],
            Geometry::Isometry if size == 2 => vec![
                held("__re", number(), "rotation.re"),
                held("__im", number(), "rotation.im"),
                held("__translation", vector(2), "translation.vector"),
                change(),
            ],
            Geometry::Rotation => vec![held("__numbers", square(), "matrix()"), change()],
            Geometry::RunVector => vec![numbers()],
            Geometry::RunMatrix => vec![numbers(), count("__rows", "nrows()"), count("__columns", "ncols()")],
            Geometry::UnitVector => vec![held("__numbers", vector(size), "as_ref()"), change()],
            Geometry::Similarity if size == 2 => vec![
                held("__re", number(), "isometry.rotation.re"),
                held("__im", number(), "isometry.rotation.im"),
                held("__translation", vector(2), "isometry.translation.vector"),
                held("__factor", number(), "scaling()"),
                change(),
            ],
            Geometry::Similarity => vec![
                held("__numbers", vector(4), "isometry.rotation.as_ref().coords"),
                held("__translation", vector(size), "isometry.translation.vector"),
                held("__factor", number(), "scaling()"),
                change(),
            ],
            Geometry::Lu | Geometry::Qr | Geometry::Cholesky => vec![field("matrix", square(), Held::Directly)],
            Geometry::SymmetricEigen => {
                vec![
                    field("eigenvalues", vector(size), Held::Directly),
                    field("eigenvectors", square(), Held::Directly),
                ]
            }
            Geometry::Isometry => vec![
                held("__numbers", vector(4), "rotation.as_ref().coords"),
                held("__translation", vector(size), "translation.vector"),
                change(),
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

/// Of `Unit<Vector3<f64>>` the vector.
pub fn of_unit(path: &Path) -> Option<&syn::Type> {
    let last = path.segments.last().filter(|last| last.ident == "Unit")?;
    let PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.iter().collect::<Vec<_>>()[..] {
        [GenericArgument::Type(ty)] => Some(ty),
        _ => None,
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
