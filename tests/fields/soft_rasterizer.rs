//! Graphics: a soft rasteriser, silhouettes and colours of triangles (Liu et al. 2019).

use crate::differences::check;
use autodiff::prelude::*;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Vertex {
    pos: [f64; 3],
    colour: [f64; 3],
}

#[derive(Differentiable, Clone, Debug)]
struct Mesh {
    vertices: Vec<Vertex>,
    #[no_diff]
    faces: Vec<[usize; 3]>,
}

#[derive(Clone, Debug)]
struct RasterConfig {
    width: usize,
    height: usize,
    sigma: f64,
    gamma: f64,
    background: [f64; 3],
}

#[differentiable]
fn edge(a: &[f64; 2], b: &[f64; 2], p: &[f64; 2]) -> f64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// The squared distance from a point to a segment.
#[differentiable]
fn segment_distance2(a: &[f64; 2], b: &[f64; 2], p: &[f64; 2]) -> f64 {
    let ab = [b[0] - a[0], b[1] - a[1]];
    let ap = [p[0] - a[0], p[1] - a[1]];
    let t = ((ap[0] * ab[0] + ap[1] * ab[1]) / (ab[0] * ab[0] + ab[1] * ab[1])).clamp(0.0, 1.0);
    let d = [ap[0] - t * ab[0], ap[1] - t * ab[1]];
    d[0] * d[0] + d[1] * d[1]
}

struct Fragment {
    coverage: f64,
    depth: f64,
    colour: [f64; 3],
}

#[derive(Differentiable, Clone)]
struct Sample {
    coverage: f64,
    depth: f64,
    colour: [f64; 3],
}

#[differentiable]
fn shade_face(v: &[Vertex; 3], p: &[f64; 2], #[no_diff] cfg: &RasterConfig) -> Option<Sample> {
    let [a, b, c] = [[v[0].pos[0], v[0].pos[1]], [v[1].pos[0], v[1].pos[1]], [v[2].pos[0], v[2].pos[1]]];
    let area = edge(&a, &b, &c);
    if area <= 1e-9 {
        return None; // Seen from behind.
    }
    let w = [edge(&b, &c, p) / area, edge(&c, &a, p) / area, edge(&a, &b, p) / area];
    let inside = w.iter().all(|&w| w >= 0.0);
    let d2 = segment_distance2(&a, &b, p).min(segment_distance2(&b, &c, p)).min(segment_distance2(&c, &a, p));
    let sign = if inside { 1.0 } else { -1.0 };
    let coverage = (sign * d2 / cfg.sigma).sigmoid();

    // Barycentric coordinates, clipped to the triangle.
    let clipped = w.map(|w| w.clamp(0.0, 1.0));
    let total = clipped.iter().sum::<f64>().max(1e-6);
    let mut depth = 0.0;
    let mut colour = [0.0; 3];
    for (k, vertex) in v.iter().enumerate() {
        let weight = clipped[k] / total;
        depth += weight * vertex.pos[2];
        for ch in 0..3 {
            colour[ch] += weight * vertex.colour[ch];
        }
    }
    Some(Sample { coverage, depth, colour })
}

#[differentiable]
fn render_pixel(mesh: &Mesh, p: &[f64; 2], #[no_diff] cfg: &RasterConfig) -> ([f64; 3], f64) {
    let mut samples = Vec::new();
    for face in &mesh.faces {
        let corners = face.map(|i| mesh.vertices[i]);
        if let Some(sample) = shade_face(&corners, p, cfg) {
            samples.push(sample);
        }
    }
    // Softmax over the depth, with the background as the last.
    let nearest = samples.iter().map(|s| s.depth).fold(f64::INFINITY, f64::min).min(10.0);
    let background = ((nearest - 10.0) / cfg.gamma).exp();
    let mut norm = background;
    let mut colour = cfg.background.map(|c| c * background);
    let mut transparency = 1.0;
    for Sample { coverage, depth, colour: c } in &samples {
        let w = coverage * ((nearest - depth) / cfg.gamma).exp();
        norm += w;
        for ch in 0..3 {
            colour[ch] += w * c[ch];
        }
        transparency *= 1.0 - coverage;
    }
    (colour.map(|c| c / norm), 1.0 - transparency)
}

#[differentiable]
fn image_loss(mesh: &Mesh, #[no_diff] target: &[([f64; 3], f64)], #[no_diff] cfg: &RasterConfig) -> f64 {
    let mut loss = 0.0;
    for row in 0..cfg.height {
        for col in 0..cfg.width {
            let p =
                [2.0 * (col as f64 + 0.5) / cfg.width as f64 - 1.0, 1.0 - 2.0 * (row as f64 + 0.5) / cfg.height as f64];
            let (colour, alpha) = render_pixel(mesh, &p, cfg);
            let (wanted, mask) = &target[row * cfg.width + col];
            loss += colour.iter().zip(wanted).map(|(a, b)| (a - b).powi(2)).sum::<f64>() + (alpha - mask).powi(2);
        }
    }
    loss / (cfg.width * cfg.height) as f64
}

fn mesh(p: &[f64]) -> Mesh {
    Mesh {
        vertices: p.chunks(6).map(|c| Vertex { pos: [c[0], c[1], c[2]], colour: [c[3], c[4], c[5]] }).collect(),
        faces: vec![[0, 1, 2], [1, 3, 2], [0, 2, 1]],
    }
}

#[test]
fn the_gradient_agrees_with_differences() {
    let cfg = RasterConfig { width: 5, height: 4, sigma: 0.05, gamma: 0.5, background: [0.1, 0.1, 0.2] };
    let target: Vec<([f64; 3], f64)> =
        (0..20).map(|k| ([0.05 * k as f64, 0.5, 0.3], if k % 3 == 0 { 1.0 } else { 0.0 })).collect();
    let at = [
        -0.71, -0.52, 2.0, 1.0, 0.0, 0.1, 0.63, -0.47, 2.5, 0.0, 1.0, 0.2, 0.04, 0.58, 3.0, 0.3, 0.0, 1.0, 0.93, 0.71,
        2.2, 0.5, 0.5, 0.5,
    ];
    let g = image_loss::grad(&mesh(&at), &target, &cfg);
    let flat: Vec<f64> = g.vertices.iter().flat_map(|v| [v.pos, v.colour].concat()).collect();
    check(|p| image_loss(&mesh(p), &target, &cfg), &at, &flat);
}
