//! `nalgebra`'s rotations and isometries: derivatives by changes of them.
//!
//! A change `c` of a rotation `r` is a vector of so(3), an axis times an angle, and leads to `r·exp(c)`; one of an isometry is a vector
//! of se(3), three numbers for the translation and then three for the rotation. Tangents, cotangents and gradients are such
//! vectors. One of a similarity is that of its isometry, and then the logarithm of a factor to its own. A unit vector `u` changes by
//! what of a vector `c` is orthogonal to it, to `(u + c)/|u + c|`. The numbers of a rotation that are visited are those of a change from itself, zeros, and what is written to them is
//! a step: so the optimisers, [`add_scaled`](Differentiable::add_scaled) and `copy_from_flat` go from rotation to rotation.

use crate::{Argument, Differentiable, Path, Real};
use nalgebra::{
    Complex, Isometry, Matrix2, Matrix3, Quaternion, RealField, Rotation, SVector, Similarity, Unit, UnitComplex,
    UnitQuaternion, Vector2, Vector3, Vector4,
};

/// What changes by a vector of `$n` numbers: `$step(value, change)` is the changed value, and `$change(origin, value)` the change.
macro_rules! by_change {
    ($([$($generics:tt)*] $ty:ty, $t:ty, $n:tt, $step:expr, $change:expr;)*) => {$(
        impl<$($generics)*> Differentiable for $ty {
            type Scalar = $t;
            type Tangent = SVector<$t, $n>;

            #[inline]
            fn zero_tangent(&self) -> SVector<$t, $n> {
                crate::__private::Zero::ZERO
            }
            #[inline]
            fn visit_leaves(&self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &[$t])) {
                f(at, &[$n], &[<$t as Real>::ZERO; $n]);
            }
            #[inline]
            fn visit_leaves_mut(&mut self, at: &Path<'_>, f: &mut impl FnMut(&Path<'_>, &[usize], &mut [$t])) {
                let mut change = [<$t as Real>::ZERO; $n];
                f(at, &[$n], &mut change);
                *self = ($step)(self, &change);
            }
            fn visit_from(&self, origin: &Self, f: &mut impl FnMut(&[$t])) {
                f(&($change)(origin, self));
            }
            #[inline]
            fn zip_leaves(&self, tangent: &SVector<$t, $n>, f: &mut impl FnMut(&[$t], &[$t])) {
                f(&[<$t as Real>::ZERO; $n], tangent.data.0.as_flattened());
            }
            #[inline]
            fn update_leaves<const K: usize>(
                &mut self,
                tangent: &SVector<$t, $n>,
                state: [&mut SVector<$t, $n>; K],
                f: &mut impl FnMut(&mut [$t], &[$t], [&mut [$t]; K]),
            ) {
                let mut change = [<$t as Real>::ZERO; $n];
                let state = state.map(|state| state.data.0.as_flattened_mut());
                f(&mut change, tangent.data.0.as_flattened(), state);
                *self = ($step)(self, &change);
            }
        }

        impl<$($generics)*> Argument for $ty {
            type Given<'a> = Self;
            type Dot<'a> = &'a SVector<$t, $n>;
            type Bar<'a> = &'a mut SVector<$t, $n>;
        }
    )*};
}
by_change! {
    [T: Real] UnitQuaternion<T>, T, 3, turned, turn_between;
    [T: Real] Rotation<T, 3>, T, 3, turned_in_space, turn_in_space;
    [T: Real] Rotation<T, 2>, T, 1, turned_in_plane, turn_in_plane;
    [T: Real] Isometry<T, UnitQuaternion<T>, 3>, T, 6, moved, move_between;
    [T: Real] UnitComplex<T>, T, 1, turned_by_angle, angle_between;
    [T: Real] Isometry<T, UnitComplex<T>, 2>, T, 3, moved_in_plane, move_in_plane;
    [T: Real + RealField] Similarity<T, UnitQuaternion<T>, 3>, T, 7, scaled, scale_between;
    [T: Real + RealField] Similarity<T, UnitComplex<T>, 2>, T, 4, scaled_in_plane, scale_in_plane;
    [T: Real, const N: usize] Unit<SVector<T, N>>, T, N, tilted, tilt_between;
}

/// As an isometry, and then by a factor with this logarithm.
fn scaled<T: Real + RealField>(
    similarity: &Similarity<T, UnitQuaternion<T>, 3>,
    [u, v, w, x, y, z, factor]: &[T; 7],
) -> Similarity<T, UnitQuaternion<T>, 3> {
    let mut next = *similarity;
    next.isometry = moved(&similarity.isometry, &[*u, *v, *w, *x, *y, *z]);
    next.set_scaling(similarity.scaling() * Real::exp(*factor));
    next
}

fn scale_between<T: Real + RealField>(
    origin: &Similarity<T, UnitQuaternion<T>, 3>,
    similarity: &Similarity<T, UnitQuaternion<T>, 3>,
) -> [T; 7] {
    let [u, v, w, x, y, z] = move_between(&origin.isometry, &similarity.isometry);
    [u, v, w, x, y, z, Real::ln(similarity.scaling() / origin.scaling())]
}

fn scaled_in_plane<T: Real + RealField>(
    similarity: &Similarity<T, UnitComplex<T>, 2>,
    [u, v, angle, factor]: &[T; 4],
) -> Similarity<T, UnitComplex<T>, 2> {
    let mut next = *similarity;
    next.isometry = moved_in_plane(&similarity.isometry, &[*u, *v, *angle]);
    next.set_scaling(similarity.scaling() * Real::exp(*factor));
    next
}

fn scale_in_plane<T: Real + RealField>(
    origin: &Similarity<T, UnitComplex<T>, 2>,
    similarity: &Similarity<T, UnitComplex<T>, 2>,
) -> [T; 4] {
    let [u, v, angle] = move_in_plane(&origin.isometry, &similarity.isometry);
    [u, v, angle, Real::ln(similarity.scaling() / origin.scaling())]
}

/// `(u + d)/|u + d|`, where `d` is what of the change is orthogonal to `u`.
fn tilted<T: Real, const N: usize>(unit: &Unit<SVector<T, N>>, change: &[T; N]) -> Unit<SVector<T, N>> {
    let old = unit.as_ref().data.0[0];
    let along = old.iter().zip(change).fold(T::ZERO, |sum, (x, c)| sum + *x * *c);
    let new: [T; N] = core::array::from_fn(|k| old[k] + (change[k] - old[k] * along));
    let norm = new.iter().fold(T::ZERO, |sum, x| sum + *x * *x).sqrt();
    Unit::new_unchecked(SVector::from(new.map(|x| x / norm)))
}

/// The change that is orthogonal to the vector: what is apart by a right angle or more cannot be reached.
fn tilt_between<T: Real, const N: usize>(origin: &Unit<SVector<T, N>>, unit: &Unit<SVector<T, N>>) -> [T; N] {
    let (a, b) = (origin.as_ref().data.0[0], unit.as_ref().data.0[0]);
    let cosine = a.iter().zip(b).fold(T::ZERO, |sum, (x, y)| sum + *x * y);
    core::array::from_fn(|k| b[k] / cosine - a[k])
}

/// `sin x / x` and `(1 - cos x) / x²`, of `x²`.
fn ratios<T: Real>(square: T) -> (T, T) {
    let number = T::from_f64;
    if square < number(1e-4) {
        let a = T::ONE - square / number(6.0) * (T::ONE - square / number(20.0));
        let b = (T::ONE - square / number(12.0) * (T::ONE - square / number(30.0))) / number(2.0);
        return (a, b);
    }
    let angle = square.sqrt();
    (angle.sin() / angle, (T::ONE - angle.cos()) / square)
}

fn square<T: Real>([x, y, z]: [T; 3]) -> T {
    x * x + y * y + z * z
}

/// Hamilton's product, of unit length.
fn turned<T: Real>(rotation: &UnitQuaternion<T>, change: &[T; 3]) -> UnitQuaternion<T> {
    let half = change.map(|x| x / T::from_f64(2.0));
    let (ratio, _) = ratios(square(half));
    let ([x, y, z], w) = (half.map(|x| x * ratio), half_cosine(square(half)));
    let [i, j, k, c] = rotation.as_ref().coords.data.0[0];
    let product = [
        c * x + i * w + j * z - k * y,
        c * y - i * z + j * w + k * x,
        c * z + i * y - j * x + k * w,
        c * w - i * x - j * y - k * z,
    ];
    let norm = (square([product[0], product[1], product[2]]) + product[3] * product[3]).sqrt();
    Unit::new_unchecked(Quaternion { coords: Vector4::from(product.map(|x| x / norm)) })
}

/// The cosine of an angle with a given square.
fn half_cosine<T: Real>(square: T) -> T {
    let (_, b) = ratios(square);
    T::ONE - b * square
}

/// Rodrigues' formula.
fn turned_in_space<T: Real>(rotation: &Rotation<T, 3>, change: &[T; 3]) -> Rotation<T, 3> {
    let ([x, y, z], (a, b)) = (*change, ratios(square(*change)));
    let turn: [[T; 3]; 3] = [
        [T::ONE - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y],
        [b * x * y + a * z, T::ONE - b * (x * x + z * z), b * y * z - a * x],
        [b * x * z - a * y, b * y * z + a * x, T::ONE - b * (x * x + y * y)],
    ];
    let old = rotation.matrix();
    let entry = |i, j| old[(i, 0)] * turn[0][j] + old[(i, 1)] * turn[1][j] + old[(i, 2)] * turn[2][j];
    Rotation::from_matrix_unchecked(Matrix3::from_fn(entry))
}

fn turned_in_plane<T: Real>(rotation: &Rotation<T, 2>, [angle]: &[T; 1]) -> Rotation<T, 2> {
    let (sin, cos) = angle.sin_cos();
    let old = rotation.matrix();
    let entry =
        |i, j| if j == 0 { old[(i, 0)] * cos + old[(i, 1)] * sin } else { old[(i, 1)] * cos - old[(i, 0)] * sin };
    Rotation::from_matrix_unchecked(Matrix2::from_fn(entry))
}

/// The translation is moved by `r·V·ρ`, where `V` is the left Jacobian of SO(3).
fn moved<T: Real>(isometry: &Isometry<T, UnitQuaternion<T>, 3>, change: &[T; 6]) -> Isometry<T, UnitQuaternion<T>, 3> {
    let [a, b, c, x, y, z] = *change;
    let (step, turn) = ([a, b, c], [x, y, z]);
    let once = cross(turn, step);
    let twice = cross(turn, once);
    let (first, second) = left_jacobian(square(turn));
    let step: [T; 3] = core::array::from_fn(|k| step[k] + first * once[k] + second * twice[k]);
    let [i, j, k, w] = isometry.rotation.as_ref().coords.data.0[0];
    let axis = [i, j, k];
    let side = cross(axis, step);
    let around = cross(axis, side);
    let two = T::from_f64(2.0);
    let old = isometry.translation.vector.data.0[0];
    let new: [T; 3] = core::array::from_fn(|k| old[k] + (step[k] + two * (w * side[k] + around[k])));
    let mut next = *isometry;
    next.rotation = turned(&isometry.rotation, &turn);
    next.translation.vector = Vector3::from(new);
    next
}

/// `(1 - cos x) / x²` and `(x - sin x) / x³`, of `x²`.
fn left_jacobian<T: Real>(square: T) -> (T, T) {
    let (a, b) = ratios(square);
    if square < T::from_f64(1e-4) {
        let sixth = T::ONE / T::from_f64(6.0);
        return (b, sixth * (T::ONE - square / T::from_f64(20.0) * (T::ONE - square / T::from_f64(42.0))));
    }
    (b, (T::ONE - a) / square)
}

fn turned_by_angle<T: Real>(rotation: &UnitComplex<T>, [angle]: &[T; 1]) -> UnitComplex<T> {
    let ((sin, cos), Complex { re, im }) = (angle.sin_cos(), *rotation.as_ref());
    let (re, im) = (re * cos - im * sin, re * sin + im * cos);
    let norm = (re * re + im * im).sqrt();
    Unit::new_unchecked(Complex { re: re / norm, im: im / norm })
}

fn angle_between<T: Real>(origin: &UnitComplex<T>, rotation: &UnitComplex<T>) -> [T; 1] {
    let (a, b) = (origin.as_ref(), rotation.as_ref());
    [(a.re * b.im - a.im * b.re).atan2(a.re * b.re + a.im * b.im)]
}

/// The translation is moved by `r·V·ρ`, as in space.
fn moved_in_plane<T: Real>(
    isometry: &Isometry<T, UnitComplex<T>, 2>,
    change: &[T; 3],
) -> Isometry<T, UnitComplex<T>, 2> {
    let [u, v, angle] = *change;
    let (a, b) = ratios(angle * angle);
    let (g, h) = (a * u - b * angle * v, b * angle * u + a * v);
    let (Complex { re, im }, [x, y]) = (*isometry.rotation.as_ref(), isometry.translation.vector.data.0[0]);
    let mut next = *isometry;
    next.rotation = turned_by_angle(&isometry.rotation, &[angle]);
    next.translation.vector = Vector2::from([x + (re * g - im * h), y + (im * g + re * h)]);
    next
}

fn move_in_plane<T: Real>(
    origin: &Isometry<T, UnitComplex<T>, 2>,
    isometry: &Isometry<T, UnitComplex<T>, 2>,
) -> [T; 3] {
    let [angle] = angle_between(&origin.rotation, &isometry.rotation);
    let (from, to) = (origin.translation.vector.data.0[0], isometry.translation.vector.data.0[0]);
    let (Complex { re, im }, [x, y]) = (*origin.rotation.as_ref(), [to[0] - from[0], to[1] - from[1]]);
    let (x, y) = (re * x + im * y, re * y - im * x);
    // `x/2·cot(x/2)`
    let (p, q) = (T::ONE - angle * angle * inverse_left_jacobian(angle * angle), angle / T::from_f64(2.0));
    [p * x + q * y, p * y - q * x, angle]
}

/// The axis times the angle of a quaternion that is given by its parts, which need no length of 1.
fn axis_and_angle<T: Real>([x, y, z]: [T; 3], w: T) -> [T; 3] {
    let (vector, w) = if w < T::ZERO { ([-x, -y, -z], -w) } else { ([x, y, z], w) };
    let sine = square(vector).sqrt();
    // Of small angles the ratio is that of the tangent.
    let ratio = if sine < T::from_f64(1e-8) { T::from_f64(2.0) / w } else { T::from_f64(2.0) * sine.atan2(w) / sine };
    vector.map(|x| x * ratio)
}

fn turn_between<T: Real>(origin: &UnitQuaternion<T>, rotation: &UnitQuaternion<T>) -> [T; 3] {
    let [i, j, k, c] = origin.as_ref().coords.data.0[0];
    let [x, y, z, w] = rotation.as_ref().coords.data.0[0];
    let vector = [c * x - i * w - j * z + k * y, c * y + i * z - j * w - k * x, c * z - i * y + j * x - k * w];
    axis_and_angle(vector, c * w + i * x + j * y + k * z)
}

fn turn_in_space<T: Real>(origin: &Rotation<T, 3>, rotation: &Rotation<T, 3>) -> [T; 3] {
    let (a, b) = (origin.matrix(), rotation.matrix());
    let between = |i: usize, j: usize| a[(0, i)] * b[(0, j)] + a[(1, i)] * b[(1, j)] + a[(2, i)] * b[(2, j)];
    // 4·w·(x, y, z) and 4·w², of the quaternion.
    let vector = [between(2, 1) - between(1, 2), between(0, 2) - between(2, 0), between(1, 0) - between(0, 1)];
    axis_and_angle(vector, T::ONE + between(0, 0) + between(1, 1) + between(2, 2))
}

fn turn_in_plane<T: Real>(origin: &Rotation<T, 2>, rotation: &Rotation<T, 2>) -> [T; 1] {
    let (a, b) = (origin.matrix(), rotation.matrix());
    let sine = a[(0, 0)] * b[(1, 0)] - a[(1, 0)] * b[(0, 0)];
    [sine.atan2(a[(0, 0)] * b[(0, 0)] + a[(1, 0)] * b[(1, 0)])]
}

/// The logarithm of `origin⁻¹·isometry`: the translation is multiplied by the inverse of the left Jacobian.
fn move_between<T: Real>(
    origin: &Isometry<T, UnitQuaternion<T>, 3>,
    isometry: &Isometry<T, UnitQuaternion<T>, 3>,
) -> [T; 6] {
    let turn = turn_between(&origin.rotation, &isometry.rotation);
    let [i, j, k, w] = origin.rotation.as_ref().coords.data.0[0];
    let (from, to) = (origin.translation.vector.data.0[0], isometry.translation.vector.data.0[0]);
    let (back, apart) = ([-i, -j, -k], core::array::from_fn(|k| to[k] - from[k]));
    let two = T::from_f64(2.0);
    let side = cross(back, apart);
    let around = cross(back, side);
    let step: [T; 3] = core::array::from_fn(|k| apart[k] + two * (w * side[k] + around[k]));
    let once = cross(turn, step);
    let twice = cross(turn, once);
    let factor = inverse_left_jacobian(square(turn));
    let [a, b, c]: [T; 3] = core::array::from_fn(|k| step[k] - once[k] / two + factor * twice[k]);
    let [x, y, z] = turn;
    [a, b, c, x, y, z]
}

/// `1/x² - (1 + cos x) / (2x·sin x)`, of `x²`.
fn inverse_left_jacobian<T: Real>(square: T) -> T {
    let number = T::from_f64;
    if square < number(1e-4) {
        return (T::ONE + square / number(60.0)) / number(12.0);
    }
    let (a, b) = ratios(square);
    (T::ONE - a / (number(2.0) * b)) / square
}

fn cross<T: Real>([a, b, c]: [T; 3], [x, y, z]: [T; 3]) -> [T; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Isometry2, Isometry3, Rotation2, Rotation3, Translation3, Vector6};

    const TURN: Vector3<f64> = Vector3::new(0.3, -0.7, 0.4);
    const START: Vector3<f64> = Vector3::new(-0.2, 0.5, 1.1);

    #[test]
    fn steps_are_products_with_exponentials() {
        for scale in [1.0, 1e-3, 0.0] {
            let turn = TURN * scale;
            let mut r = UnitQuaternion::new(START);
            let expected = r * UnitQuaternion::new(turn);
            r.add_scaled(1.0, &turn);
            assert!(r.angle_to(&expected) < 1e-15, "{scale}");
            let mut r = Rotation3::new(START);
            let expected = r * Rotation3::new(turn);
            r.add_scaled(1.0, &turn);
            assert!((r.matrix() - expected.matrix()).norm() < 1e-15, "{scale}");
        }
        let mut r = Rotation2::new(0.4);
        r.add_scaled(2.0, &SVector::<f64, 1>::new(0.3));
        assert!((r.angle() - 1.0).abs() < 1e-15);
    }

    /// The exponential of a 4×4 matrix.
    #[test]
    fn isometries_step_along_screws() {
        for scale in [1.0, 1e-3] {
            let change = Vector6::new(0.5, -1.0, 2.0, TURN.x, TURN.y, TURN.z) * scale;
            let mut pose = Isometry3::from_parts(Translation3::new(1.0, 2.0, 3.0), UnitQuaternion::new(START));
            let mut screw = nalgebra::Matrix4::zeros();
            screw.fixed_view_mut::<3, 3>(0, 0).copy_from(&(TURN * scale).cross_matrix());
            screw.fixed_view_mut::<3, 1>(0, 3).copy_from(&change.fixed_rows::<3>(0));
            let expected = pose.to_homogeneous() * screw.exp();
            pose.add_scaled(1.0, &change);
            assert!((pose.to_homogeneous() - expected).norm() < 1e-14, "{scale}");
        }
    }

    /// The change from one to the other leads there.
    #[test]
    fn changes_lead_there() {
        fn between<X: Differentiable<Scalar = f64> + Copy>(a: X, b: X) -> X {
            let mut row = std::vec::Vec::new();
            b.visit_from(&a, &mut |data| row.extend_from_slice(data));
            let mut to = a;
            to.copy_from_flat(&row);
            to
        }
        for scale in [1.0, 1e-3, 1e-9, 0.0] {
            let (start, turn) = (UnitQuaternion::new(START), UnitQuaternion::new(TURN * scale));
            let end = start * turn;
            assert!(between(start, end).angle_to(&end) < 1e-15, "{scale}");
            assert!(between(start, UnitQuaternion::new_unchecked(-end.into_inner())).angle_to(&end) < 1e-15, "{scale}");
            let (from, to) = (start.to_rotation_matrix(), end.to_rotation_matrix());
            assert!((between(from, to).matrix() - to.matrix()).norm() < 1e-14, "{scale}");
            let (from, to) = (Rotation2::new(0.3), Rotation2::new(0.3 + 2.0 * scale));
            assert!((between(from, to).matrix() - to.matrix()).norm() < 1e-15, "{scale}");
            let (from, to) = (UnitComplex::new(0.3), UnitComplex::new(0.3 + 2.0 * scale));
            assert!(between(from, to).angle_to(&to).abs() < 1e-15, "{scale}");
            let (from, step) = (Isometry2::new(Vector2::new(1.0, 2.0), 0.4), Vector3::new(0.5, -0.7, 1.1) * scale);
            let screw = nalgebra::Matrix3::new(0.0, -step.z, step.x, step.z, 0.0, step.y, 0.0, 0.0, 0.0);
            let to = from.retract(&step);
            assert!((to.to_homogeneous() - from.to_homogeneous() * screw.exp()).norm() < 1e-14, "{scale}");
            assert!((between(from, to).to_homogeneous() - to.to_homogeneous()).norm() < 1e-14, "{scale}");
            let from = Isometry3::from_parts(Translation3::new(1.0, 2.0, 3.0), start);
            let to = Isometry3::from_parts(Translation3::from(from.translation.vector + START * scale), end);
            assert!((between(from, to).to_homogeneous() - to.to_homogeneous()).norm() < 1e-14, "{scale}");
        }
    }

    #[test]
    fn numbers_of_a_rotation_are_those_of_a_change() {
        let mut r = UnitQuaternion::new(START);
        let mut flat = [7.0; 3];
        r.copy_to_flat(&mut flat);
        assert_eq!((flat, r.flat_len()), ([0.0; 3], 3));
        r.copy_from_flat(TURN.as_slice());
        assert!(r.angle_to(&(UnitQuaternion::new(START) * UnitQuaternion::new(TURN))) < 1e-15);
        let mut single = UnitQuaternion::<f32>::identity();
        single.add_scaled(0.5, &SVector::<f32, 3>::new(0.2, 0.0, 0.0));
        assert!((single.angle() - 0.1).abs() < 1e-7);
    }
}
