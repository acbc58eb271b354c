//! What the evaluator computes with.

/// A row-major array; a scalar has no dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub dims: Vec<usize>,
    pub data: Vec<f64>,
}

impl Array {
    pub fn scalar(value: f64) -> Array {
        Array { dims: Vec::new(), data: vec![value] }
    }

    pub fn filled(dims: &[usize], value: f64) -> Array {
        Array { dims: dims.to_vec(), data: vec![value; dims.iter().product()] }
    }

    pub fn from_fn(dims: &[usize], f: impl Fn(&[usize]) -> f64) -> Array {
        let mut data = Vec::with_capacity(dims.iter().product());
        let mut walk = Walk::over(dims);
        while let Some(at) = walk.next() {
            data.push(f(at));
        }
        Array { dims: dims.to_vec(), data }
    }

    pub fn at(&self, at: &[usize]) -> f64 {
        assert_eq!(at.len(), self.dims.len(), "rank");
        self.data[self.offset(at)]
    }

    pub fn at_mut(&mut self, at: &[usize]) -> &mut f64 {
        let offset = self.offset(at);
        &mut self.data[offset]
    }

    /// The element under `at`, where this array is stretched as NumPy does.
    pub fn broadcast_at(&self, at: &[usize]) -> f64 {
        let skipped = at.len() - self.dims.len();
        let mut offset = 0;
        for (axis, dim) in self.dims.iter().enumerate() {
            let at = at[skipped + axis];
            assert!(*dim == 1 || at < *dim, "index {at} of axis {axis}, which has {dim}");
            offset = offset * dim + if *dim == 1 { 0 } else { at };
        }
        self.data[offset]
    }

    /// Where the sub-array under the first indices begins.
    pub fn offset(&self, at: &[usize]) -> usize {
        let mut offset = 0;
        for (axis, dim) in self.dims.iter().enumerate() {
            // What has no elements begins where it would, had it any.
            if let Some(at) = at.get(axis) {
                assert!(at < dim, "index {at} of axis {axis}, which has {dim}");
            }
            offset = offset * dim + at.get(axis).unwrap_or(&0);
        }
        offset
    }

    pub fn map(&self, f: impl Fn(f64) -> f64) -> Array {
        Array { dims: self.dims.clone(), data: self.data.iter().map(|x| f(*x)).collect() }
    }

    /// Element by element; the shapes are the same.
    pub fn zip(&self, other: &Array, f: impl Fn(f64, f64) -> f64) -> Array {
        assert_eq!(self.dims, other.dims, "shapes");
        Array { dims: self.dims.clone(), data: self.data.iter().zip(&other.data).map(|(x, y)| f(*x, *y)).collect() }
    }

    /// Σ xᵢ·yᵢ
    pub fn dot(&self, other: &Array) -> f64 {
        self.zip(other, |x, y| x * y).data.iter().sum()
    }
}

/// Every index of a shape, in row-major order.
pub fn indices(dims: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let mut walk = Walk::over(dims);
    std::iter::from_fn(move || walk.next().map(<[usize]>::to_vec))
}

/// The same, without a new list for each.
struct Walk {
    dims: Vec<usize>,
    at: Vec<usize>,
    left: usize,
    begun: bool,
}

impl Walk {
    fn over(dims: &[usize]) -> Walk {
        Walk { dims: dims.to_vec(), at: vec![0; dims.len()], left: dims.iter().product(), begun: false }
    }

    fn next(&mut self) -> Option<&[usize]> {
        self.left = self.left.checked_sub(1)?;
        if self.begun {
            for (at, dim) in self.at.iter_mut().zip(&self.dims).rev() {
                *at += 1;
                if *at < *dim {
                    break;
                }
                *at = 0;
            }
        }
        self.begun = true;
        Some(&self.at)
    }
}
