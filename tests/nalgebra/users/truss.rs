// Plane truss: assemble stiffness in an SMatrix, solve, compliance against bar areas.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix4, SMatrix, SVector, Vector2};

const DOF: usize = 8;

#[differentiable]
fn bar(a: &Vector2<f64>, b: &Vector2<f64>, ea: f64) -> Matrix4<f64> {
    let d = b - a;
    let len = d.norm();
    let n = d / len;
    let k: Matrix2<f64> = n * n.transpose() * (ea / len);
    let mut out = Matrix4::zeros();
    out.fixed_view_mut::<2, 2>(0, 0).copy_from(&k);
    out.fixed_view_mut::<2, 2>(2, 2).copy_from(&k);
    out.fixed_view_mut::<2, 2>(0, 2).copy_from(&(-k));
    out.fixed_view_mut::<2, 2>(2, 0).copy_from(&(-k));
    out
}

#[differentiable]
fn assemble(nodes: &[Vector2<f64>; 4], #[no_diff] bars: &[(usize, usize)], areas: &[f64]) -> SMatrix<f64, DOF, DOF> {
    let mut k = SMatrix::<f64, DOF, DOF>::zeros();
    for (&(i, j), area) in bars.iter().zip(areas) {
        let ke = bar(&nodes[i], &nodes[j], 100.0 * area);
        let dofs = [2 * i, 2 * i + 1, 2 * j, 2 * j + 1];
        for r in 0..4 {
            for c in 0..4 {
                k[(dofs[r], dofs[c])] += ke[(r, c)];
            }
        }
    }
    k
}

#[differentiable]
fn compliance(
    nodes: &[Vector2<f64>; 4],
    #[no_diff] bars: &[(usize, usize)],
    areas: &[f64],
    load: &Vector2<f64>,
) -> f64 {
    let mut k = assemble(nodes, bars, areas);
    for d in 0..4 {
        k[(d, d)] += 1e3; // nodes 0 and 1 are held by stiff supports
    }
    let mut f = SVector::<f64, DOF>::zeros();
    f[6] = load.x;
    f[7] = load.y;
    let u = k.lu().solve(&f).unwrap();
    f.dot(&u)
}

#[test]
fn gradients() {
    let nodes = [Vector2::new(0.0, 0.0), Vector2::new(0.0, 1.0), Vector2::new(1.0, 0.1), Vector2::new(2.0, 0.6)];
    let bars = [(0, 2), (1, 2), (2, 3), (1, 3), (0, 3)];
    let areas = [1.0, 0.8, 1.2, 0.9, 0.7];
    check_grads!(bar, &nodes[1], &nodes[2], 3.0);
    check_grads!(assemble, &nodes, &bars, &areas);
    check_grads!(compliance, &nodes, &bars, &areas, &Vector2::new(0.3, -1.0));
    // a rigid translation costs nothing
    let shift = SVector::<f64, DOF>::from_fn(|i, _| if i % 2 == 0 { 1.0 } else { 0.5 });
    assert!((assemble(&nodes, &bars, &areas) * shift).norm() < 1e-10);
}
