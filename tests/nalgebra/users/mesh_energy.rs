// Mesh energies over a vertex slice and index triples.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix2, Matrix3x2, Point3, Vector3};

#[differentiable]
fn surface_area(verts: &[Point3<f64>], #[no_diff] faces: &[[usize; 3]]) -> f64 {
    let mut total = 0.0;
    for &[i, j, k] in faces {
        let n = (verts[j] - verts[i]).cross(&(verts[k] - verts[i]));
        total += 0.5 * n.norm();
    }
    total
}

#[differentiable]
fn volume(verts: &[Point3<f64>], #[no_diff] faces: &[[usize; 3]]) -> f64 {
    faces
        .iter()
        .map(|f| {
            let (a, b, c) = (verts[f[0]].coords, verts[f[1]].coords, verts[f[2]].coords);
            a.dot(&b.cross(&c)) / 6.0
        })
        .sum()
}

#[differentiable]
fn stretch(verts: &[Vector3<f64>], #[no_diff] faces: &[[usize; 3]], rest_inv: &[Matrix2<f64>], mu: f64) -> f64 {
    let mut e = 0.0;
    for (f, dm) in faces.iter().zip(rest_inv) {
        let ds = Matrix3x2::from_columns(&[verts[f[1]] - verts[f[0]], verts[f[2]] - verts[f[0]]]);
        let def = ds * dm;
        let green = (def.transpose() * def - Matrix2::identity()) * 0.5;
        e += mu * green.norm_squared() + 0.5 * green.trace().powi(2);
    }
    e
}

#[test]
fn gradients() {
    let verts = vec![
        Point3::new(0.0, 0.0, 0.0),
        Point3::new(1.0, 0.0, 0.0),
        Point3::new(0.0, 1.0, 0.0),
        Point3::new(0.0, 0.0, 1.0),
    ];
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    check_grads!(surface_area, &verts, &faces);
    check_grads!(volume, &verts, &faces);
    let v: Vec<Vector3<f64>> = verts.iter().map(|p| p.coords * 1.1 + Vector3::new(0.1, 0.0, 0.2)).collect();
    let rest = vec![Matrix2::identity(), Matrix2::new(1.0, 0.1, 0.0, 0.9), Matrix2::identity(), Matrix2::identity()];
    check_grads!(stretch, &v, &faces, &rest, 0.7);
    assert!((volume(&verts, &faces) - 1.0 / 6.0).abs() < 1e-12);
}
