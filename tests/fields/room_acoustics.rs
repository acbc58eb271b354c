//! Acoustics: a room by image sources with absorbing walls.

use crate::differences::check;
use autodiff::prelude::*;
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Wall {
    Left,
    Right,
    Front,
    Back,
}
#[derive(Debug, Clone, Differentiable)]
struct Room {
    width: f64,
    depth: f64,
    absorption: [f64; 4],
}
#[differentiable]
impl Room {
    fn image(&self, source: [f64; 2], order: (i32, i32)) -> ([f64; 2], f64) {
        let (nx, ny) = order;
        let x = if nx % 2 == 0 { source[0] } else { self.width - source[0] } + nx as f64 * self.width;
        let y = if ny % 2 == 0 { source[1] } else { self.depth - source[1] } + ny as f64 * self.depth;
        let hits = |n: i32| -> (i32, i32) { (n.abs() / 2, (n.abs() + 1) / 2) };
        let (l, r) = hits(nx);
        let (f, b) = hits(ny);
        let gain = self.absorption[0].powi(l)
            * self.absorption[1].powi(r)
            * self.absorption[2].powi(f)
            * self.absorption[3].powi(b);
        ([x, y], gain)
    }
}
#[differentiable]
fn energy(room: &Room, source: [f64; 2], mic: [f64; 2], max_order: i32, band: &[f64]) -> f64 {
    let mut total = 0.0;
    for nx in -max_order..=max_order {
        for ny in -max_order..=max_order {
            if nx.abs() + ny.abs() > max_order {
                continue;
            }
            let (at, gain) = room.image(source, (nx, ny));
            let d = ((at[0] - mic[0]).powi(2) + (at[1] - mic[1]).powi(2)).sqrt();
            for w in band {
                total += gain / d * (w * d).cos();
            }
        }
    }
    total
}
#[test]
fn gradient() {
    let room = |p: &[f64]| Room { width: p[0], depth: p[1], absorption: [p[2], p[3], p[4], p[5]] };
    let at = [5.0, 4.0, 0.8, 0.7, 0.9, 0.6, 1.0, 1.5, 3.0, 2.5, 0.4, 0.9];
    let (g, s, m, b) = energy::grad(&room(&at), [at[6], at[7]], [at[8], at[9]], 3, &at[10..]);
    let flat = [&[g.width, g.depth][..], &g.absorption, &s, &m, &b].concat();
    check(|p| energy(&room(p), [p[6], p[7]], [p[8], p[9]], 3, &p[10..]), &at, &flat);
}
