//! Eigenvalues and eigenvectors of symmetric matrices, and singular values and vectors, by Jacobi's rotations.
//!
//! A rotation of two rows makes one element of a symmetric matrix 0. In cyclic order over all pairs, a few sweeps make all of them
//! vanish that are not on the diagonal. The one-sided method (Hestenes; Demmel and Veselić, Jacobi's method is more accurate than
//! QR, 1992) does so with `a·aᵀ` without computing it: it makes the rows of `a` orthogonal. What only differs in the lengths of
//! these rows (of a matrix with no fewer rows than columns it is the columns) has small singular values that are as accurate as
//! the large ones.
//!
//! A matrix is scaled by a power of two before, so that no square leaves the range of the type. A number that is not finite makes
//! all results NaN.

use super::workspace;
use crate::Real;

/// More sweeps than any matrix takes: convergence is quadratic.
const SWEEPS: usize = 50;

/// What is written where there is no value.
fn nan<T: Real>() -> T {
    T::from_f64(f64::NAN)
}

/// A power of two that brings numbers of this size near 1; 1 for 0.
fn scale_of<T: Real>(largest: T) -> T {
    let mut scale = T::ONE;
    let mut size = largest;
    let (half, two) = (T::from_f64(0.5), T::from_f64(2.0));
    while size > two {
        size *= half;
        scale *= half;
    }
    while size > T::ZERO && size < half && scale < T::MAX * half {
        size *= two;
        scale *= two;
    }
    scale
}

/// The largest magnitude; NaN or infinite if there is such a number.
fn largest<T: Real>(numbers: &[T]) -> T {
    numbers.iter().fold(T::ZERO, |most, x| most.maximum(x.abs()))
}

/// Sine and cosine of the angle that makes `[p, off; off, q]` diagonal, where `ratio` is `(q − p)/(2·off)`, and the tangent.
fn angle<T: Real>(ratio: T) -> (T, T, T) {
    let size = ratio.abs();
    // The square of a large ratio would be infinite.
    let tangent = if size > T::ONE / T::EPSILON {
        T::from_f64(0.5) / size
    } else {
        T::ONE / (size + (size * size + T::ONE).sqrt())
    };
    let tangent = if ratio < T::ZERO { -tangent } else { tangent };
    let cosine = T::ONE / (tangent * tangent + T::ONE).sqrt();
    (tangent * cosine, cosine, tangent)
}

/// Rotates two rows.
fn rotate<T: Real, const L: usize>(rows: &mut [[T; L]], p: usize, q: usize, (sine, cosine): (T, T)) {
    if let Ok([p, q]) = rows.get_disjoint_mut([p, q]) {
        for (x, y) in p.iter_mut().zip(q) {
            (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
        }
    }
}

fn set_one<T: Real, const N: usize>(a: &mut [[T; N]; N]) {
    for (i, row) in a.iter_mut().enumerate() {
        row[i] = T::ONE;
    }
}

/// Turns the vector such that its first element of the largest magnitude is positive. Magnitudes that differ by less than a
/// thousandth count as equal, lest rounding decides.
fn is_turned<T: Real>(vector: &[T]) -> bool {
    let least = largest(vector) * T::from_f64(0.999);
    vector.iter().find(|x| x.abs() >= least).is_some_and(|x| *x < T::ZERO)
}

fn negate<T: Real>(vector: &mut [T]) {
    for x in vector {
        *x = -*x;
    }
}

/// Makes a symmetric matrix diagonal. The rows of `vectors` are rotated likewise.
fn diagonalise<T: Real, const N: usize>(a: &mut [[T; N]; N], mut vectors: Option<&mut [[T; N]; N]>) {
    for _ in 0..SWEEPS {
        let mut is_diagonal = true;
        for p in 0..N {
            for q in p + 1..N {
                let off = a[p][q];
                let negligible = T::from_f64(0.5) * T::EPSILON * a[p][p].abs().sqrt() * a[q][q].abs().sqrt();
                if off.abs() <= negligible {
                    continue;
                }
                is_diagonal = false;
                let (sine, cosine, tangent) = angle((a[q][q] - a[p][p]) / (off + off));
                let (at_p, at_q) = (a[p][p] - tangent * off, a[q][q] + tangent * off);
                rotate(a, p, q, (sine, cosine));
                for k in 0..N {
                    a[k][p] = a[p][k];
                    a[k][q] = a[q][k];
                }
                (a[p][p], a[q][q]) = (at_p, at_q);
                (a[p][q], a[q][p]) = (T::ZERO, T::ZERO);
                if let Some(vectors) = &mut vectors {
                    rotate(&mut vectors[..], p, q, (sine, cosine));
                }
            }
        }
        if is_diagonal {
            return;
        }
    }
}

/// The eigenvalues of `(a + aᵀ)/2`, ascending; the rows of `vectors`, which start as those of 1, become their eigenvectors.
fn eigen<T: Real, const N: usize, const N2: usize>(a: &[[T; N2]; N], mut vectors: Option<&mut [[T; N]; N]>) -> [T; N] {
    let most = largest(a.as_flattened());
    if !most.is_finite() {
        if let Some(vectors) = vectors {
            vectors.as_flattened_mut().fill(nan());
        }
        return [nan(); N];
    }
    let scale = scale_of(most);
    let half = T::from_f64(0.5);
    workspace!(mean: [[T; N]; N] = [T::ZERO; N]);
    for i in 0..N {
        for j in 0..N {
            mean[i][j] = half * (scale * a[i][j]) + half * (scale * a[j][i]);
        }
    }
    diagonalise(mean, vectors.as_deref_mut());
    let mut values: [T; N] = core::array::from_fn(|k| mean[k][k]);
    for k in 1..N {
        for j in (1..=k).rev() {
            if values[j - 1] <= values[j] {
                break;
            }
            values.swap(j - 1, j);
            if let Some(vectors) = &mut vectors {
                vectors.swap(j - 1, j);
            }
        }
    }
    if let Some(vectors) = vectors {
        for vector in vectors {
            if is_turned(vector) {
                negate(vector);
            }
        }
    }
    values.map(|value| value / scale)
}

/// `y +=` the eigenvalues of `(a + aᵀ)/2`, ascending.
///
/// ```
/// let mut y = [0.0; 2];
/// autodiff_core::kernel::eigvalsh(&[[3.0, 0.0], [0.0, -5.0]], &mut y);
/// assert_eq!(y, [-5.0, 3.0]);
/// ```
#[inline]
pub fn eigvalsh<T: Real, const N: usize, const N2: usize, const M: usize>(a: &[[T; N2]; N], y: &mut [T; M]) {
    const { assert!(N == N2, "eigvalsh: the matrix is not square") };
    const { assert!(M == N, "eigvalsh: the result is not [n]") };
    for (y, value) in y.iter_mut().zip(eigen(a, None)) {
        *y += value;
    }
}

/// `y +=` the eigenvectors of `(a + aᵀ)/2` in its columns, in the order of the eigenvalues. They are orthonormal. The first
/// element of the largest magnitude is positive.
///
/// ```
/// let mut y = [[0.0; 2]; 2];
/// autodiff_core::kernel::eigvecsh(&[[3.0, 0.0], [0.0, -5.0]], &mut y);
/// assert_eq!(y, [[0.0, 1.0], [1.0, 0.0]]);
/// ```
#[inline]
pub fn eigvecsh<T: Real, const N: usize, const N2: usize, const M2: usize, const K2: usize>(
    a: &[[T; N2]; N],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2, "eigvecsh: the matrix is not square") };
    const { assert!(M2 == N && K2 == N, "eigvecsh: the result is not [n, n]") };
    workspace!(vectors: [[T; N]; N] = [T::ZERO; N]);
    set_one(vectors);
    eigen(a, Some(vectors));
    add_transposed(vectors, y);
}

/// `to += fromᵀ`.
fn add_transposed<T: Real, const L: usize, const K2: usize>(from: &[[T; L]], to: &mut [[T; K2]]) {
    for (i, row) in to.iter_mut().enumerate() {
        for (x, vector) in row.iter_mut().zip(from) {
            if let Some(from) = vector.get(i) {
                *x += *from;
            }
        }
    }
}

/// `y += s[i][j] / (values[j] − values[i])` where `i ≠ j`: how eigenvectors turn.
///
/// Values that differ by no more than rounding count as equal; there the quotient is NaN. A column of zeros stays one: what does
/// not depend on a vector does not depend on its eigenvalue, either.
///
/// ```
/// let mut y = [[0.0; 2]; 2];
/// autodiff_core::kernel::gap_quotients(&[[1.0, 6.0], [4.0, 1.0]], &[3.0, 5.0], &mut y);
/// assert_eq!(y, [[0.0, 3.0], [-2.0, 0.0]]);
/// ```
#[inline]
pub fn gap_quotients<T: Real, const N: usize, const N2: usize, const M: usize, const M2: usize, const K2: usize>(
    s: &[[T; N2]; N],
    values: &[T; M],
    y: &mut [[T; K2]; M2],
) {
    const { assert!(N == N2 && M == N, "gap_quotients: the operands are not [n, n] and [n]") };
    const { assert!(M2 == N && K2 == N, "gap_quotients: the result is not [n, n]") };
    let rounding = T::from_usize(N) * T::EPSILON * largest(values);
    for (j, value) in values.iter().enumerate() {
        if s.iter().all(|row| row[j] == T::ZERO) {
            continue;
        }
        for i in (0..N).filter(|i| *i != j) {
            let gap = *value - values[i];
            y[i][j] += if gap.abs() > rounding { s[i][j] / gap } else { nan() };
        }
    }
}

/// The length of a vector whose squares may leave the range of the type.
fn length<T: Real>(vector: &[T]) -> T {
    let most = largest(vector);
    if most == T::ZERO {
        return most;
    }
    most * vector.iter().fold(T::ZERO, |sum, x| sum + (*x / most) * (*x / most)).sqrt()
}

/// Makes the rows orthogonal. The rows of `rotations` are rotated likewise.
fn orthogonalise<T: Real, const L: usize, const K: usize>(
    rows: &mut [[T; L]; K],
    mut rotations: Option<&mut [[T; K]; K]>,
) {
    let negligible = T::EPSILON * T::from_usize(L).sqrt();
    for _ in 0..SWEEPS {
        let mut is_orthogonal = true;
        for p in 0..K {
            for q in p + 1..K {
                let (at_p, at_q) = (length(&rows[p]), length(&rows[q]));
                if at_p == T::ZERO || at_q == T::ZERO {
                    continue;
                }
                let pairs = rows[p].iter().zip(&rows[q]);
                let cosine = pairs.fold(T::ZERO, |sum, (x, y)| sum + (*x / at_p) * (*y / at_q));
                if cosine.abs() <= negligible {
                    continue;
                }
                is_orthogonal = false;
                let (sine, cosine, _) = angle((at_q / at_p - at_p / at_q) / (cosine + cosine));
                rotate(rows, p, q, (sine, cosine));
                if let Some(rotations) = &mut rotations {
                    rotate(&mut rotations[..], p, q, (sine, cosine));
                }
            }
        }
        if is_orthogonal {
            return;
        }
    }
}

/// Makes the rows those of length 1 that are orthogonal to each other. The first ones have a length in `values`; for the others
/// any that fit are taken.
fn normalise<T: Real, const L: usize, const K: usize>(rows: &mut [[T; L]; K], values: &[T; K]) {
    for k in 0..K {
        let (known, rest) = rows.split_at_mut(k);
        let Some(row) = rest.first_mut() else { return };
        if values[k] == T::ZERO {
            // The axis that is the farthest from what the rows before span.
            let part = |i: usize| known.iter().fold(T::ZERO, |sum, known| sum + known[i] * known[i]);
            let mut axis = 0;
            for i in 1..L {
                if part(i) < part(axis) {
                    axis = i;
                }
            }
            *row = [T::ZERO; L];
            if let Some(x) = row.get_mut(axis) {
                *x = T::ONE;
            }
            // Once more for the rounding of the first time.
            for known in known.iter().chain(known.iter()) {
                let along = known.iter().zip(&*row).fold(T::ZERO, |sum, (x, y)| sum + *x * *y);
                for (x, known) in row.iter_mut().zip(known) {
                    *x -= along * *known;
                }
            }
        }
        let size = length(row);
        for x in row {
            *x /= size;
        }
    }
}

/// The singular values of the matrix with these rows, descending. With `rotations`, which start as 1, the rows become the
/// singular vectors on their side, and the rotations those of the other side, one in each row.
fn singular<T: Real, const L: usize, const K: usize>(
    rows: &mut [[T; L]; K],
    mut rotations: Option<&mut [[T; K]; K]>,
) -> [T; K] {
    let most = largest(rows.as_flattened());
    if !most.is_finite() {
        rows.as_flattened_mut().fill(nan());
        if let Some(rotations) = rotations {
            rotations.as_flattened_mut().fill(nan());
        }
        return [nan(); K];
    }
    let scale = scale_of(most);
    for x in rows.as_flattened_mut() {
        *x *= scale;
    }
    orthogonalise(rows, rotations.as_deref_mut());
    let mut values: [T; K] = core::array::from_fn(|k| length(&rows[k]));
    for k in 1..K {
        for j in (1..=k).rev() {
            if values[j - 1] >= values[j] {
                break;
            }
            values.swap(j - 1, j);
            rows.swap(j - 1, j);
            if let Some(rotations) = &mut rotations {
                rotations.swap(j - 1, j);
            }
        }
    }
    if rotations.is_some() {
        normalise(rows, &values);
    }
    values.map(|value| value / scale)
}

/// The columns of a matrix as rows.
fn columns<T: Real, const N: usize, const M: usize, const K: usize>(a: &[[T; N]; M], to: &mut [[T; M]; K]) {
    for (j, row) in to.iter_mut().enumerate() {
        for (x, from) in row.iter_mut().zip(a) {
            if let Some(from) = from.get(j) {
                *x = *from;
            }
        }
    }
}

/// The rows of a matrix.
fn rows<T: Real, const N: usize, const M: usize, const K: usize>(a: &[[T; N]; M], to: &mut [[T; N]; K]) {
    for (to, from) in to.iter_mut().zip(a) {
        *to = *from;
    }
}

/// `y +=` the singular values of `a`, descending: as many as the smaller of its sizes.
///
/// ```
/// let mut y = [0.0; 2];
/// autodiff_core::kernel::singular_values(&[[3.0, 0.0], [0.0, -5.0], [4.0, 0.0]], &mut y);
/// assert_eq!(y, [5.0, 5.0]);
/// ```
#[inline]
pub fn singular_values<T: Real, const M: usize, const N: usize, const K: usize>(a: &[[T; N]; M], y: &mut [T; K]) {
    const { assert!(K == if M < N { M } else { N }, "singular_values: the result is not as long as the smaller size") };
    let values = if const { M < N } {
        workspace!(vectors: [[T; N]; K] = [T::ZERO; N]);
        rows(a, vectors);
        singular(vectors, None)
    } else {
        workspace!(vectors: [[T; M]; K] = [T::ZERO; M]);
        columns(a, vectors);
        singular(vectors, None)
    };
    for (y, value) in y.iter_mut().zip(values) {
        *y += value;
    }
}

/// `y +=` the left or the right singular vectors in its columns.
fn singular_vectors<T: Real, const M: usize, const N: usize, const K: usize, const R: usize>(
    a: &[[T; N]; M],
    left: bool,
    y: &mut [[T; K]; R],
) {
    workspace!(rotations: [[T; K]; K] = [T::ZERO; K]);
    set_one(rotations);
    if const { M < N } {
        workspace!(vectors: [[T; N]; K] = [T::ZERO; N]);
        rows(a, vectors);
        singular(vectors, Some(rotations));
        turn(vectors, rotations);
        if left { add_transposed(rotations, y) } else { add_transposed(vectors, y) }
    } else {
        workspace!(vectors: [[T; M]; K] = [T::ZERO; M]);
        columns(a, vectors);
        singular(vectors, Some(rotations));
        turn(rotations, vectors);
        if left { add_transposed(vectors, y) } else { add_transposed(rotations, y) }
    }
}

/// Gives the right vectors their signs, and the left ones with them.
fn turn<T: Real, const L: usize, const R: usize>(right: &mut [[T; R]], left: &mut [[T; L]]) {
    for (right, left) in right.iter_mut().zip(left) {
        if is_turned(right) {
            negate(right);
            negate(left);
        }
    }
}

/// `y +=` the left singular vectors of `a` in its columns, in the order of the singular values. They are orthonormal. Their
/// signs are those with which `a·v = s·u` for the right ones.
#[inline]
pub fn singular_left<T: Real, const M: usize, const N: usize, const K: usize, const M2: usize>(
    a: &[[T; N]; M],
    y: &mut [[T; K]; M2],
) {
    const { assert!(K == if M < N { M } else { N }, "singular_left: there are not as many as the smaller size") };
    const { assert!(M2 == M, "singular_left: the result is not [m, k]") };
    singular_vectors(a, true, y);
}

/// `y +=` the right singular vectors of `a` in its columns, in the order of the singular values. They are orthonormal. The first
/// element of the largest magnitude is positive.
///
/// ```
/// let mut y = [[0.0; 2]; 2];
/// autodiff_core::kernel::singular_right(&[[3.0, 0.0], [0.0, -5.0]], &mut y);
/// assert_eq!(y, [[0.0, 1.0], [1.0, 0.0]]);
/// ```
#[inline]
pub fn singular_right<T: Real, const M: usize, const N: usize, const K: usize, const N2: usize>(
    a: &[[T; N]; M],
    y: &mut [[T; K]; N2],
) {
    const { assert!(K == if M < N { M } else { N }, "singular_right: there are not as many as the smaller size") };
    const { assert!(N2 == N, "singular_right: the result is not [n, k]") };
    singular_vectors(a, false, y);
}
