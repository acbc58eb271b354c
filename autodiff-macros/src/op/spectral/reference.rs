//! What the operators give, for the evaluator: by Jacobi's rotations of the symmetric matrix alone.

use crate::ir::eval::Array;

/// The first element of the largest magnitude is positive.
fn sign(vectors: &Array, k: usize) -> f64 {
    let column = || (0..vectors.dims[0]).map(|i| vectors.at(&[i, k]));
    let most = column().fold(0.0_f64, |most, x| most.max(x.abs()));
    column().find(|x| x.abs() >= 0.999 * most).map_or(1.0, f64::signum)
}

/// Eigenvalues, ascending, and eigenvectors of the symmetric part.
pub(super) fn eigen(a: &Array) -> (Array, Array) {
    let n = a.dims[0];
    let mut s = Array::from_fn(&a.dims, |at| 0.5 * (a.at(at) + a.at(&[at[1], at[0]])));
    let mut v = Array::from_fn(&a.dims, |at| if at[0] == at[1] { 1.0 } else { 0.0 });
    for _ in 0..20 {
        for p in 0..n {
            for q in p + 1..n {
                let angle = 0.5 * (2.0 * s.at(&[p, q])).atan2(s.at(&[q, q]) - s.at(&[p, p]));
                let (sine, cosine) = angle.sin_cos();
                let rotate = |x: &mut Array, by_rows: bool| {
                    for k in 0..n {
                        let (at_p, at_q) = if by_rows { ([p, k], [q, k]) } else { ([k, p], [k, q]) };
                        let (x_p, x_q) = (x.at(&at_p), x.at(&at_q));
                        *x.at_mut(&at_p) = cosine * x_p - sine * x_q;
                        *x.at_mut(&at_q) = sine * x_p + cosine * x_q;
                    }
                };
                rotate(&mut s, true);
                rotate(&mut s, false);
                rotate(&mut v, false);
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| s.at(&[*i, *i]).total_cmp(&s.at(&[*j, *j])));
    let values = Array::from_fn(&[n], |at| s.at(&[order[at[0]], order[at[0]]]));
    let vectors = Array::from_fn(&a.dims, |at| v.at(&[at[0], order[at[1]]]) * sign(&v, order[at[1]]));
    (values, vectors)
}

/// Singular values, descending, left and right vectors: the eigenvectors of AᵀA or of AAᵀ, whichever is smaller.
pub(super) fn singular(a: &Array) -> (Array, Array, Array) {
    let (m, n) = (a.dims[0], a.dims[1]);
    let transposed = |x: &Array| Array::from_fn(&[x.dims[1], x.dims[0]], |at| x.at(&[at[1], at[0]]));
    let product = |x: &Array, y: &Array| {
        Array::from_fn(&[x.dims[0], y.dims[1]], |at| {
            (0..x.dims[1]).map(|k| x.at(&[at[0], k]) * y.at(&[k, at[1]])).sum()
        })
    };
    let tall = if m < n { transposed(a) } else { a.clone() };
    let k = m.min(n);
    let (_, ascending) = eigen(&product(&transposed(&tall), &tall));
    let small = Array::from_fn(&[k, k], |at| ascending.at(&[at[0], k - 1 - at[1]]));
    let long = product(&tall, &small);
    let values = Array::from_fn(&[k], |at| (0..long.dims[0]).map(|i| long.at(&[i, at[0]]).powi(2)).sum::<f64>().sqrt());
    let long = Array::from_fn(&long.dims.clone(), |at| long.at(at) / values.at(&at[1..]));
    let (left, right) = if m < n { (small, long) } else { (long, small) };
    let signs: Vec<f64> = (0..k).map(|k| sign(&right, k)).collect();
    let [left, right] = [left, right].map(|x| Array::from_fn(&x.dims.clone(), |at| x.at(at) * signs[at[1]]));
    (values, left, right)
}
