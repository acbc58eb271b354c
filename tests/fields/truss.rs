//! A plane truss: stiffness by elements, displacement by conjugate gradients, compliance.
use autodiff::prelude::*;

#[differentiable]
fn compliance(
    areas: &[f64],
    nodes: &[[f64; 2]],
    #[no_diff] bars: &[(usize, usize)],
    #[no_diff] fixed: &[bool],
    #[no_diff] load: &[f64],
) -> f64 {
    let n = 2 * nodes.len();
    let mut k = vec![vec![0.0; n]; n];
    for (area, &(i, j)) in areas.iter().zip(bars) {
        let d = [nodes[j][0] - nodes[i][0], nodes[j][1] - nodes[i][1]];
        let len = d[0].hypot(d[1]);
        let c = [d[0] / len, d[1] / len];
        let s = area / len;
        let dofs = [2 * i, 2 * i + 1, 2 * j, 2 * j + 1];
        let e = [-c[0], -c[1], c[0], c[1]];
        for a in 0..4 {
            for b in 0..4 {
                k[dofs[a]][dofs[b]] += s * e[a] * e[b];
            }
        }
    }
    for d in 0..n {
        if fixed[d] {
            for e in 0..n {
                k[d][e] = 0.0;
                k[e][d] = 0.0;
            }
            k[d][d] = 1.0;
        }
    }
    // Cholesky in place.
    for i in 0..n {
        for j in 0..=i {
            let mut sum = k[i][j];
            for m in 0..j {
                sum -= k[i][m] * k[j][m];
            }
            k[i][j] = if i == j { sum.sqrt() } else { sum / k[j][j] };
        }
    }
    let mut y = load.to_vec();
    for i in 0..n {
        for j in 0..i {
            y[i] -= k[i][j] * y[j];
        }
        y[i] /= k[i][i];
    }
    y.iter().map(|v| v * v).sum()
}

#[test]
fn the_derivatives_agree_with_differences() {
    let nodes = [[0.0, 0.0], [1.0, 0.1], [0.5, 0.8], [1.6, 0.9]];
    let bars = [(0, 1), (1, 2), (0, 2), (2, 3), (1, 3)];
    let fixed = [true, true, false, true, false, false, false, false];
    let load = [0.0, 0.0, 0.0, 0.0, 0.3, -0.2, 0.1, -1.0];
    autodiff::check_grads!(compliance, &[1.0, 0.8, 1.2, 0.9, 1.1], &nodes, &bars, &fixed, &load);
}
