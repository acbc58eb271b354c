//! Hand tracking: the pose of a skinned model of a hand, fitted to points on its surface.

use crate::protocol::{Error, Evaluation, Job};
use autodiff::prelude::*;
use serde::Deserialize;

/// A matrix that moves points of the space: their homogeneous coordinates have a fourth component, 1.
pub type Transform = [[f64; 4]; 4];

/// The number of pose parameters: rotation and translation of the hand, four angles for each of five fingers.
pub const THETA: usize = 26;

/// How many columns of a Jacobian are computed at once: a divisor of `2 + THETA`.
const COLUMNS: usize = 7;

/// A model of a hand.
pub struct Hand {
    /// The parent of each bone, which comes before it. A bone that is its own parent has none.
    pub parents: Vec<usize>,
    /// Where each bone is at rest, relative to its parent.
    pub relatives: Vec<Transform>,
    /// Undoes where each bone is at rest, absolutely.
    pub inverses: Vec<Transform>,
    /// The vertices of the skin at rest.
    pub vertices: Vec<[f64; 4]>,
    /// How much of each bone's motion every vertex follows, vertex by vertex.
    pub weights: Vec<f64>,
    /// 1, or -1 for the other hand.
    pub side: f64,
}

/// The differences between `points` and the vertices `seen` there, three coordinates for each.
#[differentiable(wrt(theta))]
pub fn vertex_errors(
    theta: &[f64; THETA],
    parents: &[usize],
    relatives: &[[[f64; 4]; 4]],
    inverses: &[[[f64; 4]; 4]],
    vertices: &[[f64; 4]],
    weights: &[f64],
    side: f64,
    seen: &[usize],
    points: &[[f64; 3]],
) -> Vec<f64> {
    let skin = skin(theta, parents, relatives, inverses, vertices, weights, side);
    let mut errors = vec![0.0; 3 * points.len()];
    for i in 0..points.len() {
        for k in 0..3 {
            errors[3 * i + k] = points[i][k] - skin[seen[i]][k];
        }
    }
    errors
}

/// The same for points within triangles: `seen` has the three corners, `us` two barycentric coordinates.
#[differentiable(wrt(theta, us))]
pub fn surface_errors(
    theta: &[f64; THETA],
    us: &[[f64; 2]],
    parents: &[usize],
    relatives: &[[[f64; 4]; 4]],
    inverses: &[[[f64; 4]; 4]],
    vertices: &[[f64; 4]],
    weights: &[f64],
    side: f64,
    seen: &[[usize; 3]],
    points: &[[f64; 3]],
) -> Vec<f64> {
    let skin = skin(theta, parents, relatives, inverses, vertices, weights, side);
    let mut errors = vec![0.0; 3 * points.len()];
    for i in 0..points.len() {
        let [a, b, c] = seen[i];
        let [u, v] = us[i];
        for k in 0..3 {
            let on_skin = u * skin[a][k] + v * skin[b][k] + (1.0 - u - v) * skin[c][k];
            errors[3 * i + k] = points[i][k] - on_skin;
        }
    }
    errors
}

/// Where the vertices are when the bones are posed.
#[differentiable(wrt(theta))]
pub fn skin(
    theta: &[f64; THETA],
    parents: &[usize],
    relatives: &[[[f64; 4]; 4]],
    inverses: &[[[f64; 4]; 4]],
    vertices: &[[f64; 4]],
    weights: &[f64],
    side: f64,
) -> Vec<[f64; 3]> {
    let bones = parents.len();
    let mut absolutes = vec![[[0.0; 4]; 4]; bones];
    let mut transforms = vec![[[0.0; 4]; 4]; bones];
    for bone in 0..bones {
        let posed = product(&relatives[bone], &bend(theta, bone));
        if parents[bone] == bone {
            absolutes[bone] = posed;
        } else {
            absolutes[bone] = product(&absolutes[parents[bone]], &posed);
        }
        transforms[bone] = product(&absolutes[bone], &inverses[bone]);
    }
    let rotation = rotation(&[theta[0], theta[1], theta[2]]);
    let mut skin = vec![[0.0; 3]; vertices.len()];
    for i in 0..vertices.len() {
        let mut position = [0.0; 3];
        for bone in 0..bones {
            let weight = weights[i * bones + bone];
            if weight != 0.0 {
                for k in 0..3 {
                    for j in 0..4 {
                        position[k] += weight * transforms[bone][k][j] * vertices[i][j];
                    }
                }
            }
        }
        position[0] *= side;
        for k in 0..3 {
            skin[i][k] = theta[3 + k];
            for j in 0..3 {
                skin[i][k] += rotation[k][j] * position[j];
            }
        }
    }
    skin
}

/// How a bone is bent: the second of each finger's four by two angles, the third and fourth by one.
#[differentiable]
pub fn bend(theta: &[f64; THETA], bone: usize) -> [[f64; 4]; 4] {
    let (mut x, mut z) = (0.0, 0.0);
    if bone >= 2 {
        let (finger, joint) = ((bone - 2) / 4, (bone - 2) % 4);
        if finger < 5 && joint == 0 {
            x = theta[6 + 4 * finger];
            z = theta[7 + 4 * finger];
        } else if finger < 5 && joint < 3 {
            x = theta[7 + 4 * finger + joint];
        }
    }
    [
        [z.cos(), -z.sin() * x.cos(), z.sin() * x.sin(), 0.0],
        [z.sin(), z.cos() * x.cos(), -z.cos() * x.sin(), 0.0],
        [0.0, x.sin(), x.cos(), 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
}

/// The rotation about an axis by the angle that is its length.
#[differentiable]
pub fn rotation(axis: &[f64; 3]) -> [[f64; 3]; 3] {
    let angle = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
    if angle < 1e-4 {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    } else {
        let (x, y, z) = (axis[0] / angle, axis[1] / angle, axis[2] / angle);
        let (s, c) = (angle.sin(), angle.cos());
        let rest = 1.0 - c;
        [
            [x * x * rest + c, x * y * rest - z * s, x * z * rest + y * s],
            [x * y * rest + z * s, y * y * rest + c, y * z * rest - x * s],
            [x * z * rest - y * s, y * z * rest + x * s, z * z * rest + c],
        ]
    }
}

/// a · b
#[differentiable]
pub fn product(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let mut product = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..4 {
            for k in 0..4 {
                product[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    product
}

#[derive(Deserialize)]
struct Input {
    theta: [f64; THETA],
    data: Data,
    us: Vec<[f64; 2]>,
}

#[derive(Deserialize)]
struct Data {
    model: Model,
    correspondences: Vec<usize>,
    points: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct Model {
    parents: Vec<isize>,
    base_relatives: Vec<Transform>,
    inverse_base_absolutes: Vec<Transform>,
    base_positions: Vec<[f64; 4]>,
    weights: Vec<Vec<f64>>,
    triangles: Vec<[usize; 3]>,
    is_mirrored: bool,
}

/// A hand and where it was seen.
pub struct Problem {
    /// The pose.
    pub theta: [f64; THETA],
    /// The hand.
    pub hand: Hand,
    /// Points on its surface.
    pub points: Vec<[f64; 3]>,
    /// What they are on the model.
    pub seen: Seen,
}

/// What the points of a problem are on the model.
pub enum Seen {
    /// Vertices.
    Vertices(Vec<usize>),
    /// Anywhere on the surface: points of triangles, given by their corners and two barycentric coordinates.
    Surface {
        /// Three vertices for each point.
        corners: Vec<[usize; 3]>,
        /// Two coordinates for each point.
        us: Vec<[f64; 2]>,
    },
}

impl From<Input> for Problem {
    fn from(input: Input) -> Problem {
        let Data { model, correspondences, points } = input.data;
        let parents = model.parents.iter().enumerate();
        let hand = Hand {
            parents: parents.map(|(bone, parent)| usize::try_from(*parent).unwrap_or(bone)).collect(),
            relatives: model.base_relatives,
            inverses: model.inverse_base_absolutes,
            vertices: model.base_positions,
            weights: model.weights.concat(),
            side: if model.is_mirrored { -1.0 } else { 1.0 },
        };
        let seen = if input.us.is_empty() {
            Seen::Vertices(correspondences)
        } else {
            let corners = correspondences.iter().map(|triangle| model.triangles[*triangle]).collect();
            Seen::Surface { corners, us: input.us }
        };
        Problem { theta: input.theta, hand, points, seen }
    }
}

impl Problem {
    /// Three errors for each point.
    pub fn errors(&self) -> Vec<f64> {
        let Hand { parents, relatives, inverses, vertices, weights, side } = &self.hand;
        match &self.seen {
            Seen::Vertices(seen) => {
                vertex_errors(&self.theta, parents, relatives, inverses, vertices, weights, *side, seen, &self.points)
            }
            Seen::Surface { corners, us } => surface_errors(
                &self.theta,
                us,
                parents,
                relatives,
                inverses,
                vertices,
                weights,
                *side,
                corners,
                &self.points,
            ),
        }
    }

    /// The derivatives of the errors, one row for each: by the point's own barycentric coordinates, if it has any,
    /// and by all of `theta`.
    pub fn jacobian(&self) -> Vec<Vec<f64>> {
        let Hand { parents, relatives, inverses, vertices, weights, side } = &self.hand;
        match &self.seen {
            Seen::Vertices(seen) => {
                let rows = vertex_errors::jacobian(
                    &self.theta,
                    parents,
                    relatives,
                    inverses,
                    vertices,
                    weights,
                    *side,
                    seen,
                    &self.points,
                );
                rows.iter().map(|row| row.to_vec()).collect()
            }
            // A point depends on its own two coordinates only, so that two directions are enough for those of all points.
            Seen::Surface { corners, us } => {
                let columns = (0..2 + THETA).step_by(COLUMNS).flat_map(|first| {
                    let unit = |column: usize| move |at: usize| f64::from(u8::from(at == column));
                    let theta_dots: [[f64; THETA]; COLUMNS] =
                        std::array::from_fn(|k| std::array::from_fn(|i| unit(first + k)(2 + i)));
                    let us_dots: [Vec<[f64; 2]>; COLUMNS] =
                        std::array::from_fn(|k| vec![[0, 1].map(unit(first + k)); us.len()]);
                    surface_errors::jvp_many(
                        &self.theta,
                        us,
                        parents,
                        relatives,
                        inverses,
                        vertices,
                        weights,
                        *side,
                        corners,
                        &self.points,
                        &theta_dots,
                        &us_dots,
                    )
                    .1
                });
                let columns: Vec<Vec<f64>> = columns.collect();
                (0..3 * self.points.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
            }
        }
    }
}

pub(super) fn evaluate(function: &str, input: &str) -> Result<Evaluation, Error> {
    let job = Job::<Input>::read(input)?.prepare(Problem::from);
    match function {
        "objective" => job.run(Problem::errors),
        "jacobian" => job.run(Problem::jacobian),
        unknown => Error::unknown(unknown),
    }
}
