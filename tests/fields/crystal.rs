//! Structure factors of a crystal, and the R factor.
use autodiff::prelude::*;
use std::f64::consts::TAU;

#[derive(Clone, Debug, Differentiable)]
pub struct Atom {
    position: [f64; 3],
    b_factor: f64,
    #[no_diff]
    element: Element,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Element {
    Carbon,
    Oxygen,
}

impl Element {
    fn scattering(self, s2: f64) -> f64 {
        let (a, b) = match self {
            Element::Carbon => ([2.31, 1.02, 1.5886, 0.865], [20.8439, 10.2075, 0.5687, 51.6512]),
            Element::Oxygen => ([3.0485, 2.2868, 1.5463, 0.867], [13.2771, 5.7011, 0.3239, 32.9089]),
        };
        a.iter().zip(&b).map(|(a, b): (&f64, &f64)| a * (-b * s2).exp()).sum()
    }
}

#[differentiable]
fn r_factor(atoms: &[Atom], scale: f64, #[no_diff] hkl: &[[i32; 3]], #[no_diff] observed: &[f64]) -> f64 {
    let mut num = 0.0;
    let mut den = 0.0;
    for (h, fo) in hkl.iter().zip(observed) {
        let s2 = h.iter().map(|h| f64::from(h * h)).sum::<f64>() / 400.0;
        let (mut re, mut im) = (0.0, 0.0);
        for atom in atoms {
            let f: f64 = atom.element.scattering(s2);
            let w = f * (-atom.b_factor * s2).exp();
            let phase = TAU * (0..3).map(|k| h[k] as f64 * atom.position[k]).sum::<f64>();
            re += w * phase.cos();
            im += w * phase.sin();
        }
        let fc = scale * re.hypot(im);
        num += (fc - fo).abs();
        den += fo;
    }
    num / den
}

#[test]
fn the_derivatives_agree_with_differences() {
    let atoms = vec![
        Atom { position: [0.1, 0.2, 0.3], b_factor: 1.5, element: Element::Carbon },
        Atom { position: [0.4, 0.15, 0.8], b_factor: 2.5, element: Element::Oxygen },
    ];
    autodiff::check_grads!(r_factor, &atoms, 1.1, &[[1, 0, 0], [1, 1, 0], [0, 2, 1]], &[5.0, 3.0, 4.0]);
}
