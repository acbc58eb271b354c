//! Hand tracking: how far points are from a hand of 22 bones that is posed by 26 angles and lengths. Only the data tell which bone a
//! vertex follows, and so which angles it depends on.

use crate::compare::{Suite, assert_close_in_size, way};
use autodiff::prelude::*;
use std::hint::black_box;

const BONES: usize = 22;
const THETA: usize = 26;

type Matrix = [[f64; 4]; 4];

/// What does not change while a hand is tracked.
struct Hand {
    parents: Vec<usize>,
    /// Where each bone is at rest, relative to its parent, and what undoes where it is absolutely.
    relatives: Vec<Matrix>,
    inverses: Vec<Matrix>,
    vertices: Vec<[f64; 4]>,
    /// How much of the motion of each bone every vertex follows.
    weights: Vec<[f64; BONES]>,
    seen: Vec<usize>,
    points: Vec<[f64; 3]>,
}

/// The differences of points and vertices: `theta` has the rotation and the translation of the hand, and four angles for each finger.
#[differentiable(wrt(theta))]
fn distances(theta: &[f64; THETA], #[no_diff] hand: &Hand) -> Vec<[f64; 3]> {
    let mut absolutes = vec![[[0.0; 4]; 4]; BONES];
    let mut moves = vec![[[0.0; 4]; 4]; BONES];
    for bone in 0..BONES {
        let bent = product(&hand.relatives[bone], &bend(theta, bone));
        let parent = hand.parents[bone];
        absolutes[bone] = if parent == bone { bent } else { product(&absolutes[parent], &bent) };
        moves[bone] = product(&absolutes[bone], &hand.inverses[bone]);
    }
    let turn = rotation(&[theta[0], theta[1], theta[2]]);
    let mut skin = vec![[0.0; 3]; hand.vertices.len()];
    for i in 0..hand.vertices.len() {
        let mut at = [0.0; 3];
        for bone in 0..BONES {
            let weight = hand.weights[i][bone];
            if weight != 0.0 {
                for k in 0..3 {
                    for j in 0..4 {
                        at[k] += weight * moves[bone][k][j] * hand.vertices[i][j];
                    }
                }
            }
        }
        for k in 0..3 {
            skin[i][k] = theta[3 + k] + turn[k][0] * at[0] + turn[k][1] * at[1] + turn[k][2] * at[2];
        }
    }
    let mut errors = vec![[0.0; 3]; hand.points.len()];
    for i in 0..hand.points.len() {
        for k in 0..3 {
            errors[i][k] = hand.points[i][k] - skin[hand.seen[i]][k];
        }
    }
    errors
}

/// The angles of a bone, and where they are in `theta`: the second bone of a finger has two, the third and the fourth one.
fn angles(bone: usize) -> (Option<usize>, Option<usize>) {
    match (bone / 4, bone % 4) {
        (finger, 2) if finger < 5 => (Some(6 + 4 * finger), Some(7 + 4 * finger)),
        (finger, 3) if finger < 5 => (Some(8 + 4 * finger), None),
        (finger @ 1..=5, 0) => (Some(5 + 4 * finger), None),
        _ => (None, None),
    }
}

#[differentiable]
fn bend(theta: &[f64; THETA], bone: usize) -> Matrix {
    let (mut x, mut z) = (0.0, 0.0);
    let (finger, joint) = (bone / 4, bone % 4);
    if joint == 2 && finger < 5 {
        x = theta[6 + 4 * finger];
        z = theta[7 + 4 * finger];
    } else if joint == 3 && finger < 5 {
        x = theta[8 + 4 * finger];
    } else if joint == 0 && finger > 0 {
        x = theta[5 + 4 * finger];
    }
    bent(x.sin_cos(), z.sin_cos())
}

#[differentiable]
fn bent((sx, cx): (f64, f64), (sz, cz): (f64, f64)) -> Matrix {
    [[cz, -sz * cx, sz * sx, 0.0], [sz, cz * cx, -cz * sx, 0.0], [0.0, sx, cx, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

/// A rotation about an axis, by the angle that is its length.
#[differentiable]
fn rotation(axis: &[f64; 3]) -> [[f64; 3]; 3] {
    let [x, y, z] = *axis;
    let square = x * x + y * y + z * z;
    let angle = square.sqrt();
    let (s, t) = (angle.sin() / angle, (1.0 - angle.cos()) / square);
    let c = angle.cos();
    [
        [c + t * x * x, t * x * y - s * z, t * x * z + s * y],
        [t * x * y + s * z, c + t * y * y, t * y * z - s * x],
        [t * x * z - s * y, t * y * z + s * x, c + t * z * z],
    ]
}

#[differentiable]
fn product(a: &Matrix, b: &Matrix) -> Matrix {
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

// --- by hand --------------------------------------------------------------------------------------------------------

/// `at += weight · m · q`
fn follow(weight: f64, m: &Matrix, q: &[f64; 4], at: &mut [f64; 3]) {
    for (at, row) in at.iter_mut().zip(m) {
        *at += weight * (row[0] * q[0] + row[1] * q[1] + row[2] * q[2] + row[3] * q[3]);
    }
}

fn turned(turn: &[[f64; 3]; 3], p: &[f64; 3]) -> [f64; 3] {
    turn.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2])
}

/// Derivatives of each bone by its own angles and those of its parents only; the Jacobian is column by column.
/// Vertices follow bones that they have no weight of, unless it `skips` these.
fn by_hand(theta: &[f64; THETA], hand: &Hand, skips: bool, jacobian: &mut [f64]) {
    let (vertices, rows) = (hand.vertices.len(), 3 * hand.points.len());
    let mut absolutes = [[[0.0; 4]; 4]; BONES];
    let mut tangents: Vec<Vec<(usize, Matrix)>> = vec![Vec::new(); BONES];
    let mut skin = vec![[0.0; 3]; vertices];
    let mut columns = vec![[0.0; 3]; THETA * vertices];
    for bone in 0..BONES {
        let (x, z) = angles(bone);
        let [of_x, of_z] = [x, z].map(|at| at.map_or(0.0, |at| theta[at]).sin_cos());
        let one = hand.relatives[bone];
        let bent_bone = product(&one, &bent(of_x, of_z));
        let mut own = Vec::new();
        if let Some(at) = x {
            let mut by_x = bent((of_x.1, -of_x.0), of_z);
            (by_x[0][0], by_x[1][0], by_x[3][3]) = (0.0, 0.0, 0.0);
            own.push((at, product(&one, &by_x)));
        }
        if let Some(at) = z {
            let mut by_z = bent(of_x, (of_z.1, -of_z.0));
            (by_z[2][1], by_z[2][2], by_z[3][3]) = (0.0, 0.0, 0.0);
            own.push((at, product(&one, &by_z)));
        }
        let parent = hand.parents[bone];
        if parent == bone {
            absolutes[bone] = bent_bone;
            tangents[bone] = own;
        } else {
            absolutes[bone] = product(&absolutes[parent], &bent_bone);
            let inherited = tangents[parent].iter().map(|(at, by)| (*at, product(by, &bent_bone)));
            let of_own = own.iter().map(|(at, by)| (*at, product(&absolutes[parent], by)));
            tangents[bone] = inherited.chain(of_own).collect();
        }
        let add = |m: &Matrix, to: &mut [[f64; 3]]| {
            let m = product(m, &hand.inverses[bone]);
            for (i, at) in to.iter_mut().enumerate() {
                let weight = hand.weights[i][bone];
                if !skips || weight != 0.0 {
                    follow(weight, &m, &hand.vertices[i], at);
                }
            }
        };
        add(&absolutes[bone], &mut skin);
        for (at, by) in &tangents[bone] {
            add(by, &mut columns[at * vertices..][..vertices]);
        }
    }
    let axis = [theta[0], theta[1], theta[2]];
    let turn = rotation(&axis);
    let by_axis = rotation_by_hand(&axis);
    for (i, seen) in hand.seen.iter().enumerate() {
        for column in 0..THETA {
            let change = match column {
                0..3 => turned(&by_axis[column], &skin[*seen]),
                3..6 => std::array::from_fn(|k| f64::from(u8::from(k + 3 == column))),
                _ => turned(&turn, &columns[column * vertices + seen]),
            };
            for k in 0..3 {
                jacobian[column * rows + 3 * i + k] = -change[k];
            }
        }
    }
}

/// The derivatives of a rotation by its axis.
fn rotation_by_hand(axis: &[f64; 3]) -> [[[f64; 3]; 3]; 3] {
    let [x, y, z] = *axis;
    let square = x * x + y * y + z * z;
    let angle = square.sqrt();
    let (sine, c) = angle.sin_cos();
    let (s, t) = (sine / angle, (1.0 - c) / square);
    let (by_s, by_t) = ((c - s) / square, (s - 2.0 * t) / square);
    let cross = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    std::array::from_fn(|d| {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let one = |a: usize, b: usize| f64::from(u8::from(a == b));
                let sign = [[0.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
                let generator = sign[(i + 3 - d) % 3][(j + 3 - d) % 3];
                -s * axis[d] * one(i, j)
                    + by_s * axis[d] * cross[i][j]
                    + s * generator
                    + by_t * axis[d] * axis[i] * axis[j]
                    + t * (one(i, d) * axis[j] + axis[i] * one(j, d))
            })
        })
    })
}

// --- a hand ---------------------------------------------------------------------------------------------------------

/// A hand of as many vertices as that of ADBench, of which each follows one bone or two neighbours.
fn hand() -> Hand {
    let number = |k: usize| (k as f64 * 1.37).sin();
    let shift =
        |x: f64, y: f64, z: f64| [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z], [0.0, 0.0, 0.0, 1.0]];
    let parents: Vec<usize> = (0..BONES).map(|bone| if bone == 0 || bone % 4 == 1 { 0 } else { bone - 1 }).collect();
    let relatives: Vec<Matrix> =
        (0..BONES).map(|k| shift(0.1 * number(k), 0.3 + 0.05 * number(k + 3), 0.02 * number(k + 5))).collect();
    let mut inverses: Vec<Matrix> = Vec::new();
    for bone in 0..BONES {
        let own = relatives[bone];
        let undo = shift(-own[0][3], -own[1][3], -own[2][3]);
        inverses.push(if parents[bone] == bone { undo } else { product(&undo, &inverses[parents[bone]]) });
    }
    let vertices = (0..544).map(|k| [number(3 * k), number(3 * k + 1), number(3 * k + 2), 1.0]).collect();
    let weights = (0..544).map(|k| {
        let (bone, share) = (k % BONES, if k % 3 == 0 { 1.0 } else { 0.6 });
        let mut weights = [0.0; BONES];
        weights[bone] = share;
        weights[parents[bone]] += 1.0 - share;
        weights
    });
    let weights = weights.collect();
    let seen = (0..100).map(|k| 37 * k % 544).collect();
    let points = (0..100).map(|k| [number(k), number(k + 50), number(k + 100)]).collect();
    Hand { parents, relatives, inverses, vertices, weights, seen, points }
}

pub(crate) fn bench(suite: &mut Suite) {
    let hand = hand();
    let theta: [f64; THETA] = std::array::from_fn(|k| 0.3 * (k as f64 * 0.7).cos() + 0.1);
    let rows = 3 * hand.points.len();
    let pattern = distances::sparsity(&theta, &hand);
    let mut values = vec![0.0; pattern.len()];
    let mut dense = vec![0.0; rows * THETA];
    let mut columns = vec![0.0; rows * THETA];
    let [mut every, mut nonzero] = [columns.clone(), columns.clone()];
    by_hand(&theta, &hand, true, &mut columns);
    let expected: Vec<f64> = (0..rows * THETA).map(|k| columns[k % THETA * rows + k / THETA]).collect();
    distances::jacobian_into(&theta, &hand, &mut dense);
    assert_close_in_size(&dense, &expected);
    distances::jacobian_sparse(&theta, &hand, &pattern, &mut values);
    let at = (0..rows).flat_map(|row| pattern.row(row).iter().map(move |column| row * THETA + column));
    let among: Vec<f64> = at.map(|at| expected[at]).collect();
    assert_close_in_size(&values, &among);
    by_hand(&theta, &hand, false, &mut columns);
    assert_close_in_size(
        &(0..rows * THETA).map(|k| columns[k % THETA * rows + k / THETA]).collect::<Vec<_>>(),
        &expected,
    );
    suite.compare(
        "hand of 300 by 26",
        &mut [
            way("sparse", || distances::jacobian_sparse(black_box(&theta), &hand, &pattern, &mut values)),
            way("dense", || distances::jacobian_into(black_box(&theta), &hand, &mut dense)),
            way("by hand, all weights", || by_hand(black_box(&theta), &hand, false, &mut every)),
            way("by hand, weights not 0", || by_hand(black_box(&theta), &hand, true, &mut nonzero)),
            way("value alone", || distances(black_box(&theta), &hand)),
        ],
    );
}
