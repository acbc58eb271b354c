//! Where a leaf is in a tree of parameters.

use core::fmt;

/// The way from a value to one of its leaves, such as `layers.0.w`.
///
/// A list on the stack: each step borrows the one before, so that naming leaves needs no heap.
///
/// ```
/// use autodiff_core::Path;
///
/// let layers = Path::ROOT.field("layers");
/// let first = layers.index(0);
/// assert_eq!(first.field("w").to_string(), "layers.0.w");
/// assert_eq!(Path::ROOT.to_string(), "");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    segment: Segment,
}

#[derive(Clone, Copy, Debug)]
enum Segment {
    Root,
    Field(&'static str),
    Index(usize),
}

impl Path<'static> {
    /// The value itself.
    pub const ROOT: Self = Path { parent: None, segment: Segment::Root };
}

impl Path<'_> {
    /// The field `name` of what is here.
    #[inline]
    pub const fn field<'a>(&'a self, name: &'static str) -> Path<'a> {
        Path { parent: Some(self), segment: Segment::Field(name) }
    }

    /// The element `index` of what is here.
    #[inline]
    pub const fn index(&self, index: usize) -> Path<'_> {
        Path { parent: Some(self), segment: Segment::Index(index) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
            if !matches!(parent.segment, Segment::Root) {
                f.write_str(".")?;
            }
        }
        match self.segment {
            Segment::Root => Ok(()),
            Segment::Field(name) => f.write_str(name),
            Segment::Index(index) => write!(f, "{index}"),
        }
    }
}
