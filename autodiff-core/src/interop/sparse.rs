//! Sparse matrices of `nalgebra-sparse` and `faer`, of a pattern and its values.

use crate::Sparsity;
#[cfg(any(feature = "nalgebra-sparse", feature = "faer"))]
use alloc::vec::Vec;

impl Sparsity {
    /// The matrix of `values` that stand in the order of the pattern.
    ///
    /// # Panics
    ///
    /// If there are not as many values as the pattern has entries.
    ///
    /// ```
    /// use autodiff_core::Sparsity;
    ///
    /// let pattern = Sparsity::of_blocks(3, 1, [[0..2], [1..3]]);
    /// let matrix = pattern.to_nalgebra(vec![1.0, 2.0, 3.0, 4.0]);
    /// assert_eq!(matrix.get_entry(1, 2).unwrap().into_value(), 4.0);
    /// ```
    #[cfg(feature = "nalgebra-sparse")]
    #[must_use]
    #[track_caller]
    pub fn to_nalgebra<T>(&self, values: Vec<T>) -> nalgebra_sparse::CsrMatrix<T> {
        self.assert_room(values.len());
        let (offsets, indices) = (self.row_offsets().to_vec(), self.column_indices().to_vec());
        match nalgebra_sparse::CsrMatrix::try_from_csr_data(self.rows(), self.columns(), offsets, indices, values) {
            Ok(matrix) => matrix,
            Err(error) => panic!("the pattern is no pattern of `nalgebra-sparse`: {error}"),
        }
    }

    /// The matrix of `values` that stand in the order of the pattern.
    ///
    /// # Panics
    ///
    /// If there are not as many values as the pattern has entries.
    ///
    /// ```
    /// use autodiff_core::Sparsity;
    ///
    /// let pattern = Sparsity::of_blocks(3, 1, [[0..2], [1..3]]);
    /// let matrix = pattern.to_faer(vec![1.0, 2.0, 3.0, 4.0]);
    /// assert_eq!(matrix.get(1, 2), Some(&4.0));
    /// ```
    #[cfg(feature = "faer")]
    #[must_use]
    #[track_caller]
    pub fn to_faer<T>(&self, values: Vec<T>) -> faer::sparse::SparseRowMat<usize, T> {
        self.assert_room(values.len());
        let (offsets, indices) = (self.row_offsets().to_vec(), self.column_indices().to_vec());
        let symbolic =
            faer::sparse::SymbolicSparseRowMat::new_checked(self.rows(), self.columns(), offsets, None, indices);
        faer::sparse::SparseRowMat::new(symbolic, values)
    }
}
