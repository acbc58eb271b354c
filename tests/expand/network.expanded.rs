// Two layers whose parameters are a struct. Bias and activation share the loop that follows the product;
// gradients of the weights are added to their place by the kernel.

#[derive(Clone)]
pub struct Network {
    pub w1: Tensor2<f32, 2, 8>,
    pub b1: Tensor1<f32, 8>,
    pub w2: Tensor2<f32, 8, 1>,
    pub b2: Tensor1<f32, 1>,
}
///A change of [`Network`]: its tangent, its gradient.
#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
pub struct NetworkTangent {
    #[allow(missing_docs)]
    pub w1: Tensor2<f32, 2, 8>,
    #[allow(missing_docs)]
    pub b1: Tensor1<f32, 8>,
    #[allow(missing_docs)]
    pub w2: Tensor2<f32, 8, 1>,
    #[allow(missing_docs)]
    pub b2: Tensor1<f32, 1>,
}
#[automatically_derived]
impl ::autodiff::Differentiable for NetworkTangent {
    type Scalar = <Tensor2<f32, 2, 8> as ::autodiff::Differentiable>::Scalar;
    type Tangent = NetworkTangent;
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        NetworkTangent {
            w1: ::autodiff::Differentiable::zero_tangent(&self.w1),
            b1: ::autodiff::Differentiable::zero_tangent(&self.b1),
            w2: ::autodiff::Differentiable::zero_tangent(&self.w2),
            b2: ::autodiff::Differentiable::zero_tangent(&self.b2),
        }
    }
    #[inline]
    fn visit_leaves(
        &self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(&::autodiff::Path<'_>, &[usize], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::visit_leaves(&self.w1, &at.field("w1"), f);
        ::autodiff::Differentiable::visit_leaves(&self.b1, &at.field("b1"), f);
        ::autodiff::Differentiable::visit_leaves(&self.w2, &at.field("w2"), f);
        ::autodiff::Differentiable::visit_leaves(&self.b2, &at.field("b2"), f);
    }
    #[inline]
    fn visit_leaves_mut(
        &mut self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(
            &::autodiff::Path<'_>,
            &[usize],
            &mut [Self::Scalar],
        ),
    ) {
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.w1, &at.field("w1"), f);
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.b1, &at.field("b1"), f);
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.w2, &at.field("w2"), f);
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.b2, &at.field("b2"), f);
    }
    #[inline]
    fn zip_leaves(
        &self,
        tangent: &Self::Tangent,
        f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::zip_leaves(&self.w1, &tangent.w1, f);
        ::autodiff::Differentiable::zip_leaves(&self.b1, &tangent.b1, f);
        ::autodiff::Differentiable::zip_leaves(&self.w2, &tangent.w2, f);
        ::autodiff::Differentiable::zip_leaves(&self.b2, &tangent.b2, f);
    }
    #[inline]
    fn update_leaves<const AUTODIFF_K: usize>(
        &mut self,
        tangent: &Self::Tangent,
        mut state: [&mut Self::Tangent; AUTODIFF_K],
        f: &mut impl ::core::ops::FnMut(
            &mut [Self::Scalar],
            &[Self::Scalar],
            [&mut [Self::Scalar]; AUTODIFF_K],
        ),
    ) {
        let part = state.each_mut().map(|state| &mut state.w1);
        ::autodiff::Differentiable::update_leaves(&mut self.w1, &tangent.w1, part, f);
        let part = state.each_mut().map(|state| &mut state.b1);
        ::autodiff::Differentiable::update_leaves(&mut self.b1, &tangent.b1, part, f);
        let part = state.each_mut().map(|state| &mut state.w2);
        ::autodiff::Differentiable::update_leaves(&mut self.w2, &tangent.w2, part, f);
        let part = state.each_mut().map(|state| &mut state.b2);
        ::autodiff::Differentiable::update_leaves(&mut self.b2, &tangent.b2, part, f);
    }
}
#[automatically_derived]
impl ::autodiff::__private::Zero for NetworkTangent {
    const ZERO: Self = Self {
        w1: <Tensor2<f32, 2, 8> as ::autodiff::__private::Zero>::ZERO,
        b1: <Tensor1<f32, 8> as ::autodiff::__private::Zero>::ZERO,
        w2: <Tensor2<f32, 8, 1> as ::autodiff::__private::Zero>::ZERO,
        b2: <Tensor1<f32, 1> as ::autodiff::__private::Zero>::ZERO,
    };
    #[inline]
    fn set_zero(&mut self) {
        ::autodiff::__private::Zero::set_zero(&mut self.w1);
        ::autodiff::__private::Zero::set_zero(&mut self.b1);
        ::autodiff::__private::Zero::set_zero(&mut self.w2);
        ::autodiff::__private::Zero::set_zero(&mut self.b2);
    }
}
#[automatically_derived]
impl ::autodiff::Differentiable for Network {
    type Scalar = <Tensor2<f32, 2, 8> as ::autodiff::Differentiable>::Scalar;
    type Tangent = NetworkTangent;
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        NetworkTangent {
            w1: ::autodiff::Differentiable::zero_tangent(&self.w1),
            b1: ::autodiff::Differentiable::zero_tangent(&self.b1),
            w2: ::autodiff::Differentiable::zero_tangent(&self.w2),
            b2: ::autodiff::Differentiable::zero_tangent(&self.b2),
        }
    }
    #[inline]
    fn visit_leaves(
        &self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(&::autodiff::Path<'_>, &[usize], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::visit_leaves(&self.w1, &at.field("w1"), f);
        ::autodiff::Differentiable::visit_leaves(&self.b1, &at.field("b1"), f);
        ::autodiff::Differentiable::visit_leaves(&self.w2, &at.field("w2"), f);
        ::autodiff::Differentiable::visit_leaves(&self.b2, &at.field("b2"), f);
    }
    #[inline]
    fn visit_leaves_mut(
        &mut self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(
            &::autodiff::Path<'_>,
            &[usize],
            &mut [Self::Scalar],
        ),
    ) {
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.w1, &at.field("w1"), f);
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.b1, &at.field("b1"), f);
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.w2, &at.field("w2"), f);
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.b2, &at.field("b2"), f);
    }
    #[inline]
    fn zip_leaves(
        &self,
        tangent: &Self::Tangent,
        f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::zip_leaves(&self.w1, &tangent.w1, f);
        ::autodiff::Differentiable::zip_leaves(&self.b1, &tangent.b1, f);
        ::autodiff::Differentiable::zip_leaves(&self.w2, &tangent.w2, f);
        ::autodiff::Differentiable::zip_leaves(&self.b2, &tangent.b2, f);
    }
    #[inline]
    fn update_leaves<const AUTODIFF_K: usize>(
        &mut self,
        tangent: &Self::Tangent,
        mut state: [&mut Self::Tangent; AUTODIFF_K],
        f: &mut impl ::core::ops::FnMut(
            &mut [Self::Scalar],
            &[Self::Scalar],
            [&mut [Self::Scalar]; AUTODIFF_K],
        ),
    ) {
        let part = state.each_mut().map(|state| &mut state.w1);
        ::autodiff::Differentiable::update_leaves(&mut self.w1, &tangent.w1, part, f);
        let part = state.each_mut().map(|state| &mut state.b1);
        ::autodiff::Differentiable::update_leaves(&mut self.b1, &tangent.b1, part, f);
        let part = state.each_mut().map(|state| &mut state.w2);
        ::autodiff::Differentiable::update_leaves(&mut self.w2, &tangent.w2, part, f);
        let part = state.each_mut().map(|state| &mut state.b2);
        ::autodiff::Differentiable::update_leaves(&mut self.b2, &tangent.b2, part, f);
    }
}
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_Network {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { struct {} { true false w1 :
        Tensor2 < f32, 2, 8 >, true false b1 : Tensor1 < f32, 8 >, true false w2 :
        Tensor2 < f32, 8, 1 >, true false b2 : Tensor1 < f32, 1 >, } {} {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_Network as Network;
#[inline]
#[allow(dead_code)]
pub fn network(p: &Network, x: &Tensor2<f32, 4, 2>, y: &Tensor2<f32, 4, 1>) -> f32 {
    <network>::__value(p, x, y)
}
#[doc(hidden)]
mod __autodiff_network {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct network {}
}
///The derivatives of the function [`network`](network()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_network::network;
#[doc(hidden)]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
trait __autodiff_network_pending {
    fn __value(p: &Network, x: &Tensor2<f32, 4, 2>, y: &Tensor2<f32, 4, 1>) -> f32 {
        ::core::unimplemented!()
    }
}
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl __autodiff_network_pending for network {}
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_network {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "network" {} { true & Network,
        false & Tensor2 < f32, 4, 2 >, false & Tensor2 < f32, 4, 1 >, } { f32 } {} {
        ".matmul" ".mse" ".sigmoid" ".tanh" } false body 1u8 1u8 false false "" {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_network as network;
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl network {
    #[doc(hidden)]
    #[inline]
    fn __value(p: &Network, x: &Tensor2<f32, 4, 2>, y: &Tensor2<f32, 4, 1>) -> f32 {
        ::autodiff::__private::vectorized::<network, 4, _, _>((p, x, y))
    }
}
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for network {}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl network {
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_accumulate_grad(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) -> f32 {
        let mut h = [[0.0_f32; 8]; 4];
        ::autodiff::kernel::set::matmul(&x.0, &p.w1.0, &mut h);
        for i in 0..4 {
            ::autodiff::__private::apart();
            for j in 0..8 {
                h[i][j] = ::autodiff::Real::tanh(h[i][j] + p.b1.0[j]);
            }
        }
        let mut product = [[0.0_f32; 1]; 4];
        ::autodiff::kernel::set::matmul(&h, &p.w2.0, &mut product);
        let t = 1.0_f32 / 4.0_f32;
        let mut sum = 0.0_f32;
        for i in 0..4 {
            let t_2 = ::autodiff::Real::sigmoid(product[i][0] + p.b2.0[0]);
            let t_3 = t_2 - y.0[i][0];
            let t_4 = t_2 * (1.0 - t_2) * (2.0 * t_3 * t);
            product[i][0] = t_4;
            p_bar.b2.0[0] += t_4;
            sum += ::autodiff::Real::square(t_3);
        }
        let mut h_bar = [[0.0_f32; 8]; 4];
        ::autodiff::kernel::set::matmul_nt(&product, &p.w2.0, &mut h_bar);
        ::autodiff::kernel::matmul_tn(&h, &product, &mut p_bar.w2.0);
        for i in 0..4 {
            for j in 0..8 {
                let t_5 = h[i][j];
                let t_6 = (1.0 - t_5 * t_5) * h_bar[i][j];
                h[i][j] = t_6;
                p_bar.b1.0[j] += t_6;
            }
        }
        ::autodiff::kernel::matmul_tn(&x.0, &h, &mut p_bar.w1.0);
        sum / 4.0
    }
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_set_grad(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) -> f32 {
        ::autodiff::__private::Zero::set_zero(&mut p_bar.b1);
        ::autodiff::__private::Zero::set_zero(&mut p_bar.b2);
        let mut h = [[0.0_f32; 8]; 4];
        ::autodiff::kernel::set::matmul(&x.0, &p.w1.0, &mut h);
        for i in 0..4 {
            ::autodiff::__private::apart();
            for j in 0..8 {
                h[i][j] = ::autodiff::Real::tanh(h[i][j] + p.b1.0[j]);
            }
        }
        let mut product = [[0.0_f32; 1]; 4];
        ::autodiff::kernel::set::matmul(&h, &p.w2.0, &mut product);
        let t = 1.0_f32 / 4.0_f32;
        let mut sum = 0.0_f32;
        for i in 0..4 {
            let t_2 = ::autodiff::Real::sigmoid(product[i][0] + p.b2.0[0]);
            let t_3 = t_2 - y.0[i][0];
            let t_4 = t_2 * (1.0 - t_2) * (2.0 * t_3 * t);
            product[i][0] = t_4;
            p_bar.b2.0[0] += t_4;
            sum += ::autodiff::Real::square(t_3);
        }
        let mut h_bar = [[0.0_f32; 8]; 4];
        ::autodiff::kernel::set::matmul_nt(&product, &p.w2.0, &mut h_bar);
        ::autodiff::kernel::set::matmul_tn(&h, &product, &mut p_bar.w2.0);
        for i in 0..4 {
            for j in 0..8 {
                let t_5 = h[i][j];
                let t_6 = (1.0 - t_5 * t_5) * h_bar[i][j];
                h[i][j] = t_6;
                p_bar.b1.0[j] += t_6;
            }
        }
        ::autodiff::kernel::set::matmul_tn(&x.0, &h, &mut p_bar.w1.0);
        sum / 4.0
    }
    #[doc(hidden)]
    #[inline]
    pub fn __accumulate(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) -> f32 {
        ::autodiff::__private::vectorized::<network, 0, _, _>((p, x, y, p_bar))
    }
    ///Adds the gradient of [`network`] to `g` and returns the value.
    #[inline]
    pub fn accumulate_grad(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) -> f32 {
        Self::__accumulate(p, x, y, p_bar)
    }
    ///The value of [`network`]; `g` becomes the gradient.
    #[inline]
    pub fn value_and_grad_into(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) -> f32 {
        ::autodiff::__private::vectorized::<network, 1, _, _>((p, x, y, p_bar))
    }
    ///`g` becomes the gradient of [`network`].
    #[inline]
    pub fn grad_into(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        g: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) {
        Self::value_and_grad_into(p, x, y, g);
    }
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_forward(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f32 {
        let (h, saved_2, saved_3) = saved;
        ::autodiff::kernel::set::matmul(&x.0, &p.w1.0, &mut *h);
        for i in 0..4 {
            ::autodiff::__private::apart();
            for j in 0..8 {
                h[i][j] = ::autodiff::Real::tanh(h[i][j] + p.b1.0[j]);
            }
        }
        ::autodiff::kernel::set::matmul(&*h, &p.w2.0, &mut *saved_2);
        let mut sum = 0.0_f32;
        for i in 0..4 {
            let t = ::autodiff::Real::sigmoid(saved_2[i][0] + p.b2.0[0]);
            saved_2[i][0] = t;
            let t_2 = t - y.0[i][0];
            saved_3[i][0] = t_2;
            sum += ::autodiff::Real::square(t_2);
        }
        sum / 4.0
    }
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f32 {
        ::autodiff::__private::vectorized::<network, 2, _, _>((p, x, y, saved))
    }
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_reverse(
        w2: &[[f32; 1]; 8],
        x: &[[f32; 2]; 4],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar_2: f32,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) -> () {
        let (h, saved_2, saved_3) = saved;
        let t = 1.0_f32 / 4.0_f32 * y_bar_2;
        let mut t_2 = [[0.0_f32; 1]; 4];
        for i in 0..4 {
            let t_3 = saved_2[i][0];
            let t_4 = t_3 * (1.0 - t_3) * (2.0 * saved_3[i][0] * t);
            t_2[i][0] = t_4;
            p_bar.b2.0[0] += t_4;
        }
        let mut h_bar = [[0.0_f32; 8]; 4];
        ::autodiff::kernel::set::matmul_nt(&t_2, w2, &mut h_bar);
        ::autodiff::kernel::matmul_tn(h, &t_2, &mut p_bar.w2.0);
        for i in 0..4 {
            for j in 0..8 {
                let h_at = h[i][j];
                let t_5 = (1.0 - h_at * h_at) * h_bar[i][j];
                h_bar[i][j] = t_5;
                p_bar.b1.0[j] += t_5;
            }
        }
        ::autodiff::kernel::matmul_tn(x, &h_bar, &mut p_bar.w1.0);
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar_2: f32,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) {
        Self::__reverse_leaves(&p.w2.0, &x.0, saved, y_bar_2, p_bar)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse_leaves(
        w2: &[[f32; 1]; 8],
        x: &[[f32; 2]; 4],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar_2: f32,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) {
        ::autodiff::__private::vectorized::<
            network,
            3,
            _,
            _,
        >((w2, x, saved, y_bar_2, p_bar))
    }
    ///The value and the gradient of [`network`].
    #[inline]
    pub fn value_and_grad(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> (f32, <Network as ::autodiff::Differentiable>::Tangent) {
        let mut g = <<Network as ::autodiff::Differentiable>::Tangent as ::autodiff::__private::Zero>::ZERO;
        let y = Self::value_and_grad_into(p, x, y, &mut g);
        (y, g)
    }
    ///The gradient of [`network`].
    #[inline]
    pub fn grad(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> <Network as ::autodiff::Differentiable>::Tangent {
        Self::value_and_grad(p, x, y).1
    }
    ///The value of [`network`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> (f32, ::autodiff::Residuals<network>) {
        Self::__keep(p, x, y)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> (f32, ::autodiff::Residuals<network>) {
        let inputs = (p.w2.0, x.0);
        let mut saved = <Self as ::autodiff::__private::Sweeps>::EMPTY;
        let value = Self::__forward(p, x, y, &mut saved);
        (value, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<network>,
        y_bar_2: f32,
        p_bar: &mut <Network as ::autodiff::Differentiable>::Tangent,
    ) {
        let (saved, (w2, x), ..) = residuals.data();
        Self::__reverse_leaves(w2, x, saved, y_bar_2, p_bar)
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(
        residuals: &::autodiff::Residuals<network>,
        seed: f32,
    ) -> <Network as ::autodiff::Differentiable>::Tangent {
        let mut p_bar = <<Network as ::autodiff::Differentiable>::Tangent as ::autodiff::__private::Zero>::ZERO;
        Self::__pullback(residuals, seed, &mut p_bar);
        p_bar
    }
    ///The value of [`network`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> (
        f32,
        impl ::core::ops::Fn(
            f32,
        ) -> <Network as ::autodiff::Differentiable>::Tangent + use<>,
    ) {
        let (y, residuals) = Self::forward(p, x, y);
        (y, move |seed: f32| Self::pullback(&residuals, seed))
    }
    ///The value of [`network`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_dot: &<Network as ::autodiff::Differentiable>::Tangent,
    ) -> (f32, f32) {
        let mut h = [[0.0_f32; 8]; 4];
        ::autodiff::kernel::set::matmul(&x.0, &p.w1.0, &mut h);
        let mut h_dot = [[0.0_f32; 8]; 4];
        ::autodiff::kernel::set::matmul(&x.0, &p_dot.w1.0, &mut h_dot);
        for i in 0..4 {
            ::autodiff::__private::apart();
            for j in 0..8 {
                let t = ::autodiff::Real::tanh(h[i][j] + p.b1.0[j]);
                h[i][j] = t;
                h_dot[i][j] = (1.0 - t * t) * (h_dot[i][j] + p_dot.b1.0[j]);
            }
        }
        let mut product = [[0.0_f32; 1]; 4];
        ::autodiff::kernel::set::matmul(&h, &p.w2.0, &mut product);
        let mut product_2 = [[0.0_f32; 1]; 4];
        ::autodiff::kernel::set::matmul(&h_dot, &p.w2.0, &mut product_2);
        let mut product_3 = [[0.0_f32; 1]; 4];
        ::autodiff::kernel::set::matmul(&h, &p_dot.w2.0, &mut product_3);
        let mut sum = 0.0_f32;
        let mut sum_2 = 0.0_f32;
        for i in 0..4 {
            let t_2 = ::autodiff::Real::sigmoid(product[i][0] + p.b2.0[0]);
            let t_3 = t_2 - y.0[i][0];
            sum
                += 2.0 * t_3
                    * (t_2 * (1.0 - t_2)
                        * (product_2[i][0] + product_3[i][0] + p_dot.b2.0[0]));
            sum_2 += ::autodiff::Real::square(t_3);
        }
        (sum_2 / 4.0, 1.0_f32 / 4.0_f32 * sum)
    }
    #[doc(hidden)]
    pub fn hvp(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_dot: &<Network as ::autodiff::Differentiable>::Tangent,
    ) -> <Network as ::autodiff::Differentiable>::Tangent
    where
        for<'of> network: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_value(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> f32 {
        let mut h = [[0.0_f32; 8]; 4];
        ::autodiff::kernel::set::matmul(&x.0, &p.w1.0, &mut h);
        for i in 0..4 {
            ::autodiff::__private::apart();
            for j in 0..8 {
                h[i][j] = ::autodiff::Real::tanh(h[i][j] + p.b1.0[j]);
            }
        }
        let mut product = [[0.0_f32; 1]; 4];
        ::autodiff::kernel::set::matmul(&h, &p.w2.0, &mut product);
        let mut sum = 0.0_f32;
        for i in 0..4 {
            sum
                += ::autodiff::Real::square(
                    ::autodiff::Real::sigmoid(product[i][0] + p.b2.0[0]) - y.0[i][0],
                );
        }
        sum / 4.0
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_wide<__Wide: ::autodiff::__private::Wide<f32>>(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_dot_0: &[[__Wide; 8]; 2],
        p_dot_1: &[__Wide; 8],
        p_dot_2: &[[__Wide; 1]; 8],
        p_dot_3: &[__Wide; 1],
    ) -> (f32, (__Wide,)) {
        let mut tangent_0: __Wide = ::autodiff::__private::lanes::Zeros::ZEROS;
        let (y, g) = Self::value_and_grad(p, x, y);
        ::autodiff::__private::lanes::WideLeaf::zip(
            p_dot_0,
            &g.w1.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            p_dot_1,
            &g.b1.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            p_dot_2,
            &g.w2.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            p_dot_3,
            &g.b2.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        (y, (tangent_0,))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jacobian(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        block_0: &mut (impl ::autodiff::__private::jacobian::Rows<
            f32,
        > + ?::core::marker::Sized),
    ) -> f32 {
        let (y, g) = Self::value_and_grad(p, x, y);
        ::autodiff::__private::jacobian::write_row(&g, 0, block_0);
        y
    }
    ///The value and the Jacobian of [`network`].
    #[inline]
    pub fn value_and_jacobian(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> (f32, [f32; 33]) {
        let mut block_0 = [<f32 as ::autodiff::Real>::ZERO; 33];
        let mut j = block_0;
        let y = Self::value_and_jacobian_into(p, x, y, &mut j);
        (y, j)
    }
    ///The Jacobian of [`network`]: a row for each number of the result, a column for each of the parameter.
    #[inline]
    pub fn jacobian(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> [f32; 33] {
        Self::value_and_jacobian(p, x, y).1
    }
    ///The value of [`network`]; `j` becomes the Jacobian.
    #[inline]
    pub fn value_and_jacobian_into(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        j: &mut [f32; 33],
    ) -> f32 {
        Self::__jacobian(p, x, y, &mut (*j)[..])
    }
    ///`j` becomes the Jacobian of [`network`].
    #[inline]
    pub fn jacobian_into(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        j: &mut [f32; 33],
    ) {
        Self::value_and_jacobian_into(p, x, y, j);
    }
    ///The value of [`network`] and its derivatives in the directions of `W` tangents.
    #[inline]
    pub fn jvp_many<const W: usize>(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_dot: &[<Network as ::autodiff::Differentiable>::Tangent; W],
    ) -> (f32, [f32; W]) {
        const { ::core::assert!(W > 0, "there is at least one direction") };
        ::autodiff::__private::runs_again::<Self>();
        let mut value = ::core::option::Option::None;
        let tangents = ::core::array::from_fn(|lane| {
            let (y, tangent) = Self::jvp(p, x, y, &p_dot[lane]);
            value = ::core::option::Option::Some(y);
            tangent
        });
        (value.expect("there is at least one direction"), tangents)
    }
    ///The value of [`network`] and the cotangents of its inputs, for each of `W` cotangents of the result.
    #[inline]
    pub fn vjp_many<const W: usize>(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        seeds: &[f32; W],
    ) -> (f32, [<Network as ::autodiff::Differentiable>::Tangent; W]) {
        let (y, pullback) = Self::vjp(p, x, y);
        let cotangents = seeds.each_ref().map(|seed| pullback(*seed));
        (y, cotangents)
    }
    #[doc(hidden)]
    pub fn hessian(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> [[f32; 33]; 33]
    where
        for<'of> network: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn value_grad_hessian(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> (f32, <Network as ::autodiff::Differentiable>::Tangent, [[f32; 33]; 33])
    where
        for<'of> network: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_into(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        h: &mut [[f32; 33]; 33],
    )
    where
        for<'of> network: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_diagonal(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
    ) -> <Network as ::autodiff::Differentiable>::Tangent
    where
        for<'of> network: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn taylor<const K: usize>(
        p: &Network,
        x: &Tensor2<f32, 4, 2>,
        y: &Tensor2<f32, 4, 1>,
        p_dot: &<Network as ::autodiff::Differentiable>::Tangent,
    ) -> [f32; K]
    where
        for<'of> network: ::autodiff::__private::Taylor<'of>,
    {
        ::core::unimplemented!()
    }
}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl ::autodiff::__private::Vectorized<
    0,
    (
        &Network,
        &Tensor2<f32, 4, 2>,
        &Tensor2<f32, 4, 1>,
        &mut <Network as ::autodiff::Differentiable>::Tangent,
    ),
    f32,
> for network {
    #[inline(always)]
    fn run(
        (
            p,
            x,
            y,
            p_bar,
        ): (
            &Network,
            &Tensor2<f32, 4, 2>,
            &Tensor2<f32, 4, 1>,
            &mut <Network as ::autodiff::Differentiable>::Tangent,
        ),
    ) -> f32 {
        Self::__vectorized_accumulate_grad(p, x, y, p_bar)
    }
}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl ::autodiff::__private::Vectorized<
    1,
    (
        &Network,
        &Tensor2<f32, 4, 2>,
        &Tensor2<f32, 4, 1>,
        &mut <Network as ::autodiff::Differentiable>::Tangent,
    ),
    f32,
> for network {
    #[inline(always)]
    fn run(
        (
            p,
            x,
            y,
            p_bar,
        ): (
            &Network,
            &Tensor2<f32, 4, 2>,
            &Tensor2<f32, 4, 1>,
            &mut <Network as ::autodiff::Differentiable>::Tangent,
        ),
    ) -> f32 {
        Self::__vectorized_set_grad(p, x, y, p_bar)
    }
}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl ::autodiff::__private::Vectorized<
    2,
    (
        &Network,
        &Tensor2<f32, 4, 2>,
        &Tensor2<f32, 4, 1>,
        &mut <network as ::autodiff::__private::Sweeps>::Saved,
    ),
    f32,
> for network {
    #[inline(always)]
    fn run(
        (
            p,
            x,
            y,
            saved,
        ): (
            &Network,
            &Tensor2<f32, 4, 2>,
            &Tensor2<f32, 4, 1>,
            &mut <network as ::autodiff::__private::Sweeps>::Saved,
        ),
    ) -> f32 {
        Self::__vectorized_forward(p, x, y, saved)
    }
}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl ::autodiff::__private::Vectorized<
    3,
    (
        &[[f32; 1]; 8],
        &[[f32; 2]; 4],
        &<network as ::autodiff::__private::Sweeps>::Saved,
        f32,
        &mut <Network as ::autodiff::Differentiable>::Tangent,
    ),
    (),
> for network {
    #[inline(always)]
    fn run(
        (
            w2,
            x,
            saved,
            y_bar_2,
            p_bar,
        ): (
            &[[f32; 1]; 8],
            &[[f32; 2]; 4],
            &<network as ::autodiff::__private::Sweeps>::Saved,
            f32,
            &mut <Network as ::autodiff::Differentiable>::Tangent,
        ),
    ) -> () {
        Self::__vectorized_reverse(w2, x, saved, y_bar_2, p_bar)
    }
}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl ::autodiff::__private::Vectorized<
    4,
    (&Network, &Tensor2<f32, 4, 2>, &Tensor2<f32, 4, 1>),
    f32,
> for network {
    #[inline(always)]
    fn run((p, x, y): (&Network, &Tensor2<f32, 4, 2>, &Tensor2<f32, 4, 1>)) -> f32 {
        Self::__vectorized_value(p, x, y)
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl network { #[doc(hidden)] pub fn
    hessian_sparsity(p : & Network, x : & Tensor2 < f32, 4, 2 >, y : & Tensor2 < f32, 4,
    1 >) -> ::autodiff::Sparsity where for < 'of > network :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_sparse(p : & Network, x : & Tensor2 < f32, 4, 2 >, y :
    & Tensor2 < f32, 4, 1 >, pattern : & ::autodiff::Sparsity, values : & mut [f32])
    where for < 'of > network : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } }
}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl ::autodiff::__private::Sweeps for network {
    type Saved = ([[f32; 8]; 4], [[f32; 1]; 4], [[f32; 1]; 4]);
    const EMPTY: Self::Saved = ([[0.0_f32; 8]; 4], [[0.0_f32; 1]; 4], [[0.0_f32; 1]; 4]);
    const EFFECTS: bool = false;
    const WORKSPACE_BYTES: usize = 2 * ::core::mem::size_of::<[[f32; 8]; 4]>()
        + 3 * ::core::mem::size_of::<[[f32; 1]; 4]>();
}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl ::autodiff::DifferentiableFn for network {
    type Residuals = ::autodiff::__private::Opaque<
        Self,
        (([[f32; 8]; 4], [[f32; 1]; 4], [[f32; 1]; 4]), ([[f32; 1]; 8], [[f32; 2]; 4])),
    >;
    const RESIDUAL_BYTES: usize = ::core::mem::size_of::<Self::Residuals>();
    const WORKSPACE_BYTES: usize = <Self as ::autodiff::__private::Sweeps>::WORKSPACE_BYTES;
}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl ::autodiff::Callable<
    (
        &'static Network,
        ::autodiff::NoDiff<&'static Tensor2<f32, 4, 2>>,
        ::autodiff::NoDiff<&'static Tensor2<f32, 4, 1>>,
    ),
> for network {
    type Output = f32;
    #[inline]
    fn call(args: (&Network, &Tensor2<f32, 4, 2>, &Tensor2<f32, 4, 1>)) -> f32 {
        network(args.0, args.1, args.2)
    }
    #[inline]
    fn jvp(
        (p, x, y): (&Network, &Tensor2<f32, 4, 2>, &Tensor2<f32, 4, 1>),
        (p_dot, _, _): (&<Network as ::autodiff::Differentiable>::Tangent, (), ()),
    ) -> (f32, f32) {
        Self::jvp(p, x, y, p_dot)
    }
    #[inline]
    fn __forward(
        (p, x, y): (&Network, &Tensor2<f32, 4, 2>, &Tensor2<f32, 4, 1>),
        saved: &mut Self::Saved,
    ) -> f32 {
        Self::__forward(p, x, y, saved)
    }
    #[inline]
    fn __reverse(
        (p, x, y): (&Network, &Tensor2<f32, 4, 2>, &Tensor2<f32, 4, 1>),
        saved: &Self::Saved,
        seed: &f32,
        (p_bar, _, _): (&mut <Network as ::autodiff::Differentiable>::Tangent, (), ()),
    ) {
        Self::__reverse(p, x, y, saved, *seed, p_bar)
    }
    #[inline]
    fn __keep(
        (p, x, y): (&Network, &Tensor2<f32, 4, 2>, &Tensor2<f32, 4, 1>),
    ) -> (f32, Self::Residuals) {
        Self::forward(p, x, y)
    }
    #[inline]
    fn __pullback(
        residuals: &Self::Residuals,
        seed: &f32,
        (p_bar, _, _): (&mut <Network as ::autodiff::Differentiable>::Tangent, (), ()),
    ) {
        Self::__pullback(residuals, *seed, p_bar)
    }
    #[inline]
    fn __accumulate(
        (p, x, y): (&Network, &Tensor2<f32, 4, 2>, &Tensor2<f32, 4, 1>),
        (p_bar, _, _): (&mut <Network as ::autodiff::Differentiable>::Tangent, (), ()),
    ) -> f32 {
        Self::__accumulate(p, x, y, p_bar)
    }
}
