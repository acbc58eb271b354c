// f32 graphics: two-bone skinning and Blinn-Phong lighting.
use autodiff::check_grads;
use autodiff::prelude::*;
use nalgebra::{Matrix4, Point3, Unit, UnitQuaternion, Vector2, Vector3};

#[derive(Differentiable, Clone)]
struct Bone {
    axis: Vector3<f32>,
    angle: f32,
    offset: Vector3<f32>,
}

#[differentiable]
impl Bone {
    fn matrix(&self) -> Matrix4<f32> {
        let q = UnitQuaternion::from_axis_angle(&Unit::new_normalize(self.axis), self.angle);
        let mut m = q.to_homogeneous();
        m.fixed_view_mut::<3, 1>(0, 3).copy_from(&self.offset);
        m
    }
}

#[differentiable]
fn skin(bones: &[Bone; 2], v: &Point3<f32>, blend: f32) -> Vector3<f32> {
    let m = bones[0].matrix() * (1.0 - blend) + bones[1].matrix() * blend;
    (m * v.to_homogeneous()).xyz()
}

#[differentiable]
fn brightness(bones: &[Bone; 2], v: &Point3<f32>, weights: Vector2<f32>) -> f32 {
    let p = skin(bones, v, weights.y / (weights.x + weights.y));
    let n = p.normalize();
    let l = (Vector3::new(2.0, 3.0, 4.0) - p).normalize();
    let h = (l + (Vector3::new(0.0, 0.0, 5.0) - p).normalize()).normalize();
    let diffuse = n.dot(&l).max(0.0);
    let specular = n.dot(&h).max(0.0).powf(8.0);
    0.7 * diffuse + 0.3 * specular
}

#[test]
fn gradients() {
    let bones = [
        Bone { axis: Vector3::new(0.0, 0.2, 1.0), angle: 0.4, offset: Vector3::new(0.1, 0.0, 0.2) },
        Bone { axis: Vector3::new(1.0, 0.1, 0.0), angle: -0.3, offset: Vector3::new(0.0, 0.3, 0.1) },
    ];
    let v = Point3::new(0.5f32, 0.4, 0.8);
    check_grads!(skin, &bones, &v, 0.3);
    check_grads!(brightness, &bones, &v, Vector2::new(0.6, 0.4));
    let rest = Bone { axis: Vector3::z(), angle: 0.0, offset: Vector3::zeros() };
    let same = skin(&[rest.clone(), rest], &v, 0.25);
    assert!((same - v.coords).norm() < 1e-6);
}
