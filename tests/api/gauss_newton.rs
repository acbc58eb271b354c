//! `gauss_newton`: against `JᵀJ` and `Jᵀr` by the Jacobian.

use autodiff::prelude::*;

/// All blocks of a Jacobian side by side: rows of numbers.
fn beside(blocks: &[Vec<Vec<f64>>]) -> Vec<Vec<f64>> {
    (0..blocks[0].len()).map(|row| blocks.iter().flat_map(|block| block[row].clone()).collect()).collect()
}

fn rows<const N: usize>(block: impl AsRef<[[f64; N]]>) -> Vec<Vec<f64>> {
    block.as_ref().iter().map(|row| row.to_vec()).collect()
}

/// A block with one column.
fn column(block: &[f64]) -> Vec<Vec<f64>> {
    block.iter().map(|value| vec![*value]).collect()
}

#[track_caller]
fn assert_close(computed: &[f64], expected: &[f64]) {
    assert_eq!(computed.len(), expected.len());
    for (k, (a, b)) in computed.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "number {k}: {a} and {b} in\n{computed:?}\n{expected:?}");
    }
}

/// `computed` is `JᵀJ` and `Jᵀr` in rows.
#[track_caller]
fn check(computed: (&[Vec<f64>], &[f64]), jacobian: &[Vec<f64>], residuals: &[f64]) {
    let size = computed.1.len();
    let dot = |i: usize, of: &dyn Fn(usize) -> f64| -> f64 {
        jacobian.iter().enumerate().map(|(row, values)| values[i] * of(row)).sum()
    };
    let product: Vec<f64> =
        (0..size).flat_map(|i| (0..size).map(move |j| (i, j))).map(|(i, j)| dot(i, &|row| jacobian[row][j])).collect();
    let gradient: Vec<f64> = (0..size).map(|i| dot(i, &|row| residuals[row])).collect();
    assert_close(&computed.0.concat(), &product);
    assert_close(computed.1, &gradient);
}

/// More residuals than parameters, and the other way round.
#[differentiable]
fn decay<const M: usize>(p: &[f64; 3], #[no_diff] t: &[f64; M], #[no_diff] y: &[f64; M]) -> [f64; M] {
    let mut r = *y;
    for i in 0..M {
        r[i] = p[0] * (-p[1] * t[i]).exp() + p[2] - y[i];
    }
    r
}

#[differentiable]
fn wide<const N: usize>(x: &[f64; N]) -> [f64; 2] {
    let mut r = [1.0, 0.5];
    for i in 0..N {
        r[i % 2] += x[i] * x[(i + 1) % N].sin();
    }
    r
}

/// Columns in several goes.
#[differentiable]
fn tall(x: &[f64; 18]) -> [f64; 36] {
    let mut r = [0.5; 36];
    for i in 0..36 {
        r[i] += x[i % 18].sin() * x[(i * 5 + 1) % 18] - x[i / 2];
    }
    r
}

#[differentiable(width = 2)]
fn narrow(x: &[f64; 3]) -> [f64; 4] {
    [x[0] * x[1], x[1] * x[2], x[2].exp(), x[0] - x[2]]
}

#[test]
fn of_arrays() {
    let x = [0.3, 0.5, -0.4];
    let (h, g) = narrow::gauss_newton(&x);
    check((&rows(h), &g), &rows(narrow::jacobian(&x)), &narrow(&x));
    let p = [2.0, 0.7, 0.3];
    let (t, y) = ([0.0, 0.5, 1.0, 1.5, 2.0, 2.5], [2.2, 1.7, 1.4, 0.9, 0.8, 0.6]);
    let (h, g): ([[f64; 3]; 3], [f64; 3]) = decay::gauss_newton(&p, &t, &y);
    check((&rows(h), &g), &rows(decay::jacobian(&p, &t, &y)), &decay(&p, &t, &y));
    let (t, y) = ([0.5, 1.0], [1.7, 1.4]);
    let (h, g) = decay::gauss_newton(&p, &t, &y);
    check((&rows(h), &g), &rows(decay::jacobian(&p, &t, &y)), &decay(&p, &t, &y));
    let x = [0.1, 0.2, -0.3, 0.4, 0.5, 0.6, 0.7, -0.8, 0.9, 1.1, 1.2, 0.3, 0.2, 0.1, -0.4, 0.3, -0.7, 0.4];
    let (h, g) = wide::gauss_newton(&x);
    check((&rows(h), &g), &rows(wide::jacobian(&x)), &wide(&x));
    let (h, g) = tall::gauss_newton(&x);
    check((&rows(h), &g), &rows(tall::jacobian(&x)), &tall(&x));
    let x = [0.1, 0.2, -0.3, 0.4, 0.5, 0.6, 0.7, -0.8, 0.9, 1.1, 1.2, 0.3];
    let (h, g) = wide::gauss_newton(&x);
    check((&rows(h), &g), &rows(wide::jacobian(&x)), &wide(&x));
    assert_eq!(decay::gauss_newton(&p, &[0.0; 0], &[]), ([[0.0; 3]; 3], [0.0; 3]));
}

#[derive(Differentiable, Clone, Copy)]
struct Camera {
    focal: f64,
    centre: [f64; 2],
    #[no_diff]
    id: usize,
}

#[derive(Differentiable, Clone, Copy)]
struct Pixel {
    u: f64,
    v: f64,
}

/// Several parameters, a struct among them, and a list of structs as the result.
#[differentiable]
fn seen(camera: &Camera, points: &[[f64; 3]], scale: f64) -> Vec<Pixel> {
    points
        .iter()
        .map(|p| {
            let f = camera.focal * scale / p[2];
            Pixel { u: f * p[0] + camera.centre[0], v: f * p[1] + camera.centre[1] * camera.id as f64 }
        })
        .collect()
}

#[test]
fn of_structs_and_lists() {
    let camera = Camera { focal: 1.5, centre: [0.1, 0.2], id: 3 };
    for points in [&[[0.3, 0.4, 2.0], [0.5, -0.1, 1.7], [0.2, 0.2, 3.0], [0.1, 0.0, 1.0]][..], &[[0.3, 0.4, 2.0]], &[]]
    {
        let (h, (by_camera, by_points, by_scale)) = seen::gauss_newton(&camera, points, 1.1);
        let (a, b, c) = seen::jacobian(&camera, points, 1.1);
        let residuals: Vec<f64> = seen(&camera, points, 1.1).iter().flat_map(|p| [p.u, p.v]).collect();
        let gradient = [&[by_camera.focal][..], &by_camera.centre, by_points.as_flattened(), &[by_scale]].concat();
        let ((h00, h01, h02), (h10, h11, h12), (h20, h21, h22)) = h;
        let top = beside(&[rows(h00), h01.to_vec(), column(&h02)]);
        let middle = if points.is_empty() { vec![] } else { beside(&[rows(&h10[..]), h11, column(&h12)]) };
        let bottom = vec![[&h20[..], &h21, &[h22]].concat()];
        let jacobian = if points.is_empty() { vec![] } else { beside(&[rows(&a[..]), b, column(&c)]) };
        check((&[top, middle, bottom].concat(), &gradient), &jacobian, &residuals);
    }
}

/// Several parameters at once.
#[differentiable]
fn projected(camera: &Camera, point: &[f64; 3], scale: f64, k: usize) -> ([Pixel; 2], f64) {
    let f = camera.focal * scale / point[2];
    let u = f * point[0] + camera.centre[0] * k as f64;
    let first = Pixel { u, v: f * point[1] + camera.centre[1] };
    ([first, Pixel { u: u.sin(), v: point[1] * scale }], u * point[2])
}

#[test]
fn of_several_parameters() {
    let (camera, point) = (Camera { focal: 1.5, centre: [0.1, 0.2], id: 3 }, [0.3, 0.4, 2.0]);
    let (h, (by_camera, by_point, by_scale)) = projected::gauss_newton(&camera, &point, 1.1, 2);
    let (a, b, c) = projected::jacobian(&camera, &point, 1.1, 2);
    let ([p, q], last) = projected(&camera, &point, 1.1, 2);
    let gradient = [&[by_camera.focal][..], &by_camera.centre, &by_point, &[by_scale]].concat();
    let ((h00, h01, h02), (h10, h11, h12), (h20, h21, h22)) = h;
    let top = beside(&[rows(h00), rows(h01), column(&h02)]);
    let middle = beside(&[rows(h10), rows(h11), column(&h12)]);
    let bottom = vec![[&h20[..], &h21, &[h22]].concat()];
    let jacobian = beside(&[rows(a), rows(b), column(&c)]);
    check((&[top, middle, bottom].concat(), &gradient), &jacobian, &[p.u, p.v, q.u, q.v, last]);
}

#[differentiable]
fn single(x: &[f32; 2]) -> [f32; 3] {
    [x[0] * x[1], x[1], 2.0]
}

#[differentiable]
fn generic<T: Real>(t: T, #[no_diff] k: T) -> (T, [T; 2]) {
    (t * k, [t, k])
}

#[differentiable]
fn layer(x: &Tensor2<f64, 2, 2>, w: &Tensor2<f64, 2, 3>) -> Tensor2<f64, 2, 3> {
    x.matmul(w).tanh()
}

#[differentiable]
impl Camera {
    fn offset(&self, x: f64) -> [f64; 2] {
        [self.focal * x, self.centre[1]]
    }
}

#[test]
fn of_other_forms() {
    assert_eq!(single::gauss_newton(&[2.0, 3.0]), ([[9.0, 6.0], [6.0, 5.0]], [18.0, 15.0]));
    assert_eq!(generic::gauss_newton(2.0, 3.0), (10.0, 20.0));
    assert_eq!(generic::gauss_newton(2.0_f32, 3.0), (10.0, 20.0));
    let (x, w) = (Tensor2::from([[0.1, 0.2], [0.3, 0.4]]), Tensor2::from([[0.5, 0.6, 0.7], [0.8, 0.9, 1.0]]));
    let (((xx, xw), (wx, ww)), (gx, gw)) = layer::gauss_newton(&x, &w);
    let (by_x, by_w) = layer::jacobian(&x, &w);
    let product = [beside(&[rows(xx), rows(xw)]), beside(&[rows(wx), rows(ww)])].concat();
    let gradient = [gx.as_slice(), gw.as_slice()].concat();
    check((&product, &gradient), &beside(&[rows(by_x), rows(by_w)]), layer(&x, &w).as_slice());
    let camera = Camera { focal: 2.0, centre: [0.0, 5.0], id: 0 };
    let (((of_camera, _), _), (by_camera, by_x)) = camera.offset_gauss_newton(3.0);
    assert_eq!(of_camera, [[9.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!((by_camera.focal, by_camera.centre, by_x), (18.0, [0.0, 5.0], 12.0));
}

thread_local! {
    static COUNT: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Counts its calls.
fn reading() -> f64 {
    COUNT.set(COUNT.get() + 1);
    2.0
}

#[differentiable]
fn measured(x: &[f64; 2]) -> [f64; 3] {
    let k = reading();
    [k * x[0], x[1] * x[0], x[1]]
}

#[test]
fn effects_happen_once() {
    let (h, g) = measured::gauss_newton(&[2.0, 3.0]);
    assert_eq!(COUNT.get(), 1);
    assert_eq!((h, g), ([[13.0, 6.0], [6.0, 5.0]], [26.0, 15.0]));
}

#[derive(Differentiable)]
struct Once {
    x: f64,
}

#[differentiable]
fn taken(once: Once) -> [f64; 2] {
    [once.x, once.x * once.x]
}

#[test]
fn arguments_by_value_are_taken_once() {
    let (h, g) = taken::gauss_newton(Once { x: 3.0 });
    assert_eq!((h, g.x), ([[37.0]], 57.0));
}

/// By Cramer's rule.
fn solved(h: [[f64; 3]; 3], g: [f64; 3]) -> [f64; 3] {
    let det = |m: [[f64; 3]; 3]| {
        let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
        m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
    };
    core::array::from_fn(|k| {
        let mut replaced = h;
        replaced[k] = g;
        det(replaced) / det(h)
    })
}

/// The steps of Gauss and Newton find the parameters of exact data.
#[test]
fn fits() {
    let truth = [2.0, 0.7, 0.3];
    let t: [f64; 8] = core::array::from_fn(|i| i as f64 * 0.4);
    let y = decay(&truth, &t, &[0.0; 8]);
    let mut p = [1.5, 1.0, 0.1];
    for _ in 0..20 {
        let (h, g) = decay::gauss_newton(&p, &t, &y);
        for (value, change) in p.iter_mut().zip(solved(h, g)) {
            *value -= change;
        }
    }
    assert_close(&p, &truth);
}
