// Second derivatives, which a function has if it asks for them.

#[allow(dead_code)]
pub fn potential(x: &[f64; 2], w: f64) -> f64 {
    (x[0] * x[0] + w * x[1] * x[1]).sqrt() * x[1].sin()
}
#[doc(hidden)]
mod __autodiff_potential {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct potential {}
}
///The derivatives of the function [`potential`](potential()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_potential::potential;
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_potential {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "potential" {} { true & [f64;
        2], true f64, } { f64 } {} { ".sin" ".sqrt" } false body 2u8 2u8 false false "" {
        "fn potential(%0.x: f64[2], %1.w: f64) {\n    %2: usize = dim[0]\n    %3: f64 = get %0.x %2\n    %4: usize = dim[0]\n    %5: f64 = get %0.x %4\n    %6: f64 = mul %3 %5\n    %7: usize = dim[1]\n    %8: f64 = get %0.x %7\n    %9: f64 = mul %1.w %8\n    %10: usize = dim[1]\n    %11: f64 = get %0.x %10\n    %12: f64 = mul %9 %11\n    %13: f64 = add %6 %12\n    %14: f64 = sqrt %13\n    %15: usize = dim[1]\n    %16: f64 = get %0.x %15\n    %17: f64 = sin %16\n    %18: f64 = mul %14 %17\n    return %18\n}\n"
        } } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_potential as potential;
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for potential {}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl potential {
    #[doc(hidden)]
    #[inline]
    pub fn __accumulate(
        x: &[f64; 2],
        w: f64,
        x_bar: &mut [f64; 2],
        w_bar: &mut f64,
    ) -> f64 {
        let x_at = x[0];
        let x_at_2 = x[1];
        let t = w * x_at_2;
        let t_2 = ::autodiff::Real::sqrt(x_at * x_at + t * x_at_2);
        let t_3 = ::autodiff::Real::sin(x_at_2);
        let t_4 = 0.5 * (1.0 / t_2) * t_3;
        let t_5 = x_at_2 * t_4;
        x_bar[1] += ::autodiff::Real::cos(x_at_2) * t_2 + t * t_4 + w * t_5;
        let t_6 = x_at * t_4;
        x_bar[0] += 2.0 * t_6;
        *w_bar += x_at_2 * t_5;
        t_2 * t_3
    }
    ///Adds the gradient of [`potential`] to `g` and returns the value.
    #[inline]
    pub fn accumulate_grad(
        x: &[f64; 2],
        w: f64,
        (x_bar, w_bar): &mut ([f64; 2], f64),
    ) -> f64 {
        Self::__accumulate(x, w, x_bar, w_bar)
    }
    ///The value of [`potential`]; `g` becomes the gradient.
    #[inline]
    pub fn value_and_grad_into(
        x: &[f64; 2],
        w: f64,
        (x_bar, w_bar): &mut ([f64; 2], f64),
    ) -> f64 {
        ::autodiff::__private::Zero::set_zero(x_bar);
        ::autodiff::__private::Zero::set_zero(w_bar);
        let x_at = x[0];
        let x_at_2 = x[1];
        let t = w * x_at_2;
        let t_2 = ::autodiff::Real::sqrt(x_at * x_at + t * x_at_2);
        let t_3 = ::autodiff::Real::sin(x_at_2);
        let t_4 = 0.5 * (1.0 / t_2) * t_3;
        let t_5 = x_at_2 * t_4;
        x_bar[1] = ::autodiff::Real::cos(x_at_2) * t_2 + t * t_4 + w * t_5;
        let t_6 = x_at * t_4;
        x_bar[0] = 2.0 * t_6;
        *w_bar += x_at_2 * t_5;
        t_2 * t_3
    }
    ///`g` becomes the gradient of [`potential`].
    #[inline]
    pub fn grad_into(x: &[f64; 2], w: f64, g: &mut ([f64; 2], f64)) {
        Self::value_and_grad_into(x, w, g);
    }
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        x: &[f64; 2],
        w: f64,
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f64 {
        let ([x_at, x_at_2, saved_2, saved_3],) = saved;
        let x_at_3 = x[0];
        let x_at_4 = x[1];
        let t = ::autodiff::Real::sqrt(x_at_3 * x_at_3 + w * x_at_4 * x_at_4);
        let t_2 = ::autodiff::Real::sin(x_at_4);
        *x_at = x_at_3;
        *x_at_2 = x_at_4;
        *saved_2 = t;
        *saved_3 = t_2;
        t * t_2
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        x: &[f64; 2],
        w: f64,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        x_bar: &mut [f64; 2],
        w_bar: &mut f64,
    ) {
        Self::__reverse_leaves(w, saved, y_bar, x_bar, w_bar)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse_leaves(
        w: f64,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        x_bar: &mut [f64; 2],
        w_bar: &mut f64,
    ) {
        let ([saved_2, saved_3, saved_4, saved_5],) = saved;
        let t = 0.5 * (1.0 / *saved_4) * (*saved_5 * y_bar);
        let t_2 = *saved_3 * t;
        x_bar[1]
            += ::autodiff::Real::cos(*saved_3) * (*saved_4 * y_bar) + w * *saved_3 * t
                + w * t_2;
        let t_3 = *saved_2 * t;
        x_bar[0] += 2.0 * t_3;
        *w_bar += *saved_3 * t_2;
    }
    ///The value and the gradient of [`potential`].
    #[inline]
    pub fn value_and_grad(x: &[f64; 2], w: f64) -> (f64, ([f64; 2], f64)) {
        let mut g = <([f64; 2], f64) as ::autodiff::__private::Zero>::ZERO;
        let y = Self::value_and_grad_into(x, w, &mut g);
        (y, g)
    }
    ///The gradient of [`potential`].
    #[inline]
    pub fn grad(x: &[f64; 2], w: f64) -> ([f64; 2], f64) {
        Self::value_and_grad(x, w).1
    }
    ///The value of [`potential`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(x: &[f64; 2], w: f64) -> (f64, ::autodiff::Residuals<potential>) {
        Self::__keep(x, w)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(x: &[f64; 2], w: f64) -> (f64, ::autodiff::Residuals<potential>) {
        let inputs = (w,);
        let mut saved = <Self as ::autodiff::__private::Sweeps>::EMPTY;
        let value = Self::__forward(x, w, &mut saved);
        (value, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<potential>,
        y_bar: f64,
        x_bar: &mut [f64; 2],
        w_bar: &mut f64,
    ) {
        let (saved, (w,), ..) = residuals.data();
        Self::__reverse_leaves(*w, saved, y_bar, x_bar, w_bar)
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(
        residuals: &::autodiff::Residuals<potential>,
        seed: f64,
    ) -> ([f64; 2], f64) {
        let (mut x_bar, mut w_bar) = <(
            [f64; 2],
            f64,
        ) as ::autodiff::__private::Zero>::ZERO;
        Self::__pullback(residuals, seed, &mut x_bar, &mut w_bar);
        (x_bar, w_bar)
    }
    ///The value of [`potential`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(
        x: &[f64; 2],
        w: f64,
    ) -> (f64, impl ::core::ops::Fn(f64) -> ([f64; 2], f64) + use<>) {
        let (y, residuals) = Self::forward(x, w);
        (y, move |seed: f64| Self::pullback(&residuals, seed))
    }
    ///The value of [`potential`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(x: &[f64; 2], w: f64, x_dot: &[f64; 2], w_dot: f64) -> (f64, f64) {
        let x_at = x[0];
        let t = x_at * x_dot[0];
        let x_at_2 = x[1];
        let x_dot_at = x_dot[1];
        let t_2 = w * x_at_2;
        let t_3 = ::autodiff::Real::sqrt(x_at * x_at + t_2 * x_at_2);
        let t_4 = ::autodiff::Real::sin(x_at_2);
        let t_5 = t_4
            * (0.5 * (1.0 / t_3)
                * (2.0 * t
                    + (x_at_2 * (x_at_2 * w_dot + w * x_dot_at) + t_2 * x_dot_at)))
            + t_3 * (::autodiff::Real::cos(x_at_2) * x_dot_at);
        (t_3 * t_4, t_5)
    }
    ///The Hessian of [`potential`] times the given tangents (forward over reverse).
    #[inline]
    pub fn hvp(x: &[f64; 2], w: f64, x_dot: &[f64; 2], w_dot: f64) -> ([f64; 2], f64) {
        let (mut x_bar, mut w_bar) = <(
            [f64; 2],
            f64,
        ) as ::autodiff::__private::Zero>::ZERO;
        let x_at = x[0];
        let x_dot_at = x_dot[0];
        let t = x_at * x_dot_at;
        let x_at_2 = x[1];
        let x_dot_at_2 = x_dot[1];
        let t_2 = w * x_at_2;
        let t_3 = x_at_2 * w_dot + w * x_dot_at_2;
        let t_4 = ::autodiff::Real::sqrt(x_at * x_at + t_2 * x_at_2);
        let t_5 = 1.0 / t_4;
        let t_6 = 0.5 * t_5;
        let t_7 = t_6 * (2.0 * t + (x_at_2 * t_3 + t_2 * x_dot_at_2));
        let t_8 = ::autodiff::Real::sin(x_at_2);
        let t_9 = ::autodiff::Real::cos(x_at_2);
        let t_10 = t_6 * t_8;
        let t_11 = t_8 * (0.5 * (-t_5 / t_4 * t_7)) + t_6 * (t_9 * x_dot_at_2);
        let t_12 = x_at_2 * t_10;
        let t_13 = t_10 * x_dot_at_2 + x_at_2 * t_11;
        let t_14 = t_10 * x_dot_at + x_at * t_11;
        let mut x_bar_dot_2 = [
            2.0 * t_14,
            t_4 * (-t_8 * x_dot_at_2) + t_9 * t_7 + (t_10 * t_3 + t_2 * t_11)
                + (t_12 * w_dot + w * t_13),
        ];
        x_bar = x_bar_dot_2;
        w_bar = t_12 * x_dot_at_2 + x_at_2 * t_13;
        (x_bar, w_bar)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __joint_jvp(
        x: &[f64; 2],
        w: f64,
        x_dot: &[f64; 2],
        w_dot: f64,
        y_bar: f64,
        y_bar_dot: f64,
        x_bar: &mut [f64; 2],
        w_bar: &mut f64,
        x_bar_dot: &mut [f64; 2],
        w_bar_dot: &mut f64,
    ) -> (f64, f64) {
        let x_at = x[0];
        let x_dot_at = x_dot[0];
        let t = x_at * x_dot_at;
        let x_at_2 = x[1];
        let x_dot_at_2 = x_dot[1];
        let t_2 = w * x_at_2;
        let t_3 = x_at_2 * w_dot + w * x_dot_at_2;
        let t_4 = ::autodiff::Real::sqrt(x_at * x_at + t_2 * x_at_2);
        let t_5 = 1.0 / t_4;
        let t_6 = 0.5 * t_5;
        let t_7 = t_6 * (2.0 * t + (x_at_2 * t_3 + t_2 * x_dot_at_2));
        let t_8 = ::autodiff::Real::sin(x_at_2);
        let t_9 = ::autodiff::Real::cos(x_at_2);
        let t_10 = t_9 * x_dot_at_2;
        let t_11 = t_8 * y_bar;
        let t_12 = t_4 * y_bar;
        let t_13 = t_6 * t_11;
        let t_14 = t_11 * (0.5 * (-t_5 / t_4 * t_7))
            + t_6 * (y_bar * t_10 + t_8 * y_bar_dot);
        let t_15 = x_at_2 * t_13;
        let t_16 = t_13 * x_dot_at_2 + x_at_2 * t_14;
        let t_17 = t_12 * (-t_8 * x_dot_at_2) + t_9 * (y_bar * t_7 + t_4 * y_bar_dot)
            + (t_13 * t_3 + t_2 * t_14) + (t_15 * w_dot + w * t_16);
        x_bar[1] += t_9 * t_12 + t_2 * t_13 + w * t_15;
        x_bar_dot[1] += t_17;
        let t_18 = x_at * t_13;
        let t_19 = t_13 * x_dot_at + x_at * t_14;
        x_bar[0] += 2.0 * t_18;
        x_bar_dot[0] += 2.0 * t_19;
        *w_bar += x_at_2 * t_15;
        *w_bar_dot += t_15 * x_dot_at_2 + x_at_2 * t_16;
        (t_4 * t_8, t_8 * t_7 + t_4 * t_10)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_jvp(
        x: &[f64; 2],
        w: f64,
        x_dot: &[f64; 2],
        w_dot: f64,
        x_dot_2: &[f64; 2],
        w_dot_2: f64,
        x_dot_dot: &[f64; 2],
        w_dot_dot: f64,
    ) -> (f64, f64, f64, f64) {
        let x_at = x[0];
        let x_dot_at = x_dot_2[0];
        let x_dot_at_2 = x_dot[0];
        let t = x_at * x_dot_at;
        let t_2 = x_at * x_dot_at_2;
        let t_3 = x_dot_at_2 * x_dot_at + x_at * x_dot_dot[0];
        let x_at_2 = x[1];
        let x_dot_at_3 = x_dot_2[1];
        let x_dot_at_4 = x_dot[1];
        let x_dot_dot_at = x_dot_dot[1];
        let t_4 = w * x_at_2;
        let t_5 = x_at_2 * w_dot_2 + w * x_dot_at_3;
        let t_6 = x_at_2 * w_dot + w * x_dot_at_4;
        let t_7 = t_6 * x_dot_at_3
            + x_at_2
                * (w_dot * x_dot_at_3 + x_at_2 * w_dot_dot
                    + (x_dot_at_4 * w_dot_2 + w * x_dot_dot_at))
            + (x_dot_at_4 * t_5 + t_4 * x_dot_dot_at);
        let t_8 = 2.0 * t_2 + (x_at_2 * t_6 + t_4 * x_dot_at_4);
        let t_9 = ::autodiff::Real::sqrt(x_at * x_at + t_4 * x_at_2);
        let t_10 = 1.0 / t_9;
        let t_11 = 0.5 * t_10;
        let t_12 = t_11 * (2.0 * t + (x_at_2 * t_5 + t_4 * x_dot_at_3));
        let t_13 = t_11 * t_8;
        let t_14 = ::autodiff::Real::sin(x_at_2);
        let t_15 = ::autodiff::Real::cos(x_at_2);
        let t_16 = t_15 * x_dot_at_3;
        let t_17 = t_15 * x_dot_at_4;
        let t_18 = t_13 * t_16
            + t_14 * (t_8 * (0.5 * (-t_10 / t_9 * t_12)) + t_11 * (2.0 * t_3 + t_7))
            + (t_17 * t_12
                + t_9 * (x_dot_at_4 * (-t_14 * x_dot_at_3) + t_15 * x_dot_dot_at));
        (t_9 * t_14, t_14 * t_13 + t_9 * t_17, t_14 * t_12 + t_9 * t_16, t_18)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        x: &[f64; 2],
        w: f64,
        x_dot_0: &[__Wide; 2],
        w_dot_0: __Wide,
    ) -> (f64, (__Wide,)) {
        let mut tangent_0: __Wide = ::autodiff::__private::lanes::Zeros::ZEROS;
        let (y, g) = Self::value_and_grad(x, w);
        ::autodiff::__private::lanes::WideLeaf::zip(
            x_dot_0,
            &g.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            &w_dot_0,
            &g.1,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        (y, (tangent_0,))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jacobian(
        x: &[f64; 2],
        w: f64,
        block_0: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
        block_1: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
    ) -> f64 {
        let (y, g) = Self::value_and_grad(x, w);
        ::autodiff::__private::jacobian::write_row(&g.0, 0, block_0);
        ::autodiff::__private::jacobian::write_row(&g.1, 0, block_1);
        y
    }
    ///The value and the Jacobian of [`potential`].
    #[inline]
    pub fn value_and_jacobian(x: &[f64; 2], w: f64) -> (f64, ([f64; 2], f64)) {
        let mut block_0 = [<f64 as ::autodiff::Real>::ZERO; 2];
        let mut block_1 = <f64 as ::autodiff::Real>::ZERO;
        let mut j = (block_0, block_1);
        let y = Self::value_and_jacobian_into(x, w, &mut j);
        (y, j)
    }
    ///The Jacobian of [`potential`]: a row for each number of the result, a column for each of the parameter.
    #[inline]
    pub fn jacobian(x: &[f64; 2], w: f64) -> ([f64; 2], f64) {
        Self::value_and_jacobian(x, w).1
    }
    ///The value of [`potential`]; `j` becomes the Jacobian.
    #[inline]
    pub fn value_and_jacobian_into(
        x: &[f64; 2],
        w: f64,
        j: &mut ([f64; 2], f64),
    ) -> f64 {
        Self::__jacobian(
            x,
            w,
            &mut (*(&mut j.0))[..],
            ::core::slice::from_mut((&mut j.1)),
        )
    }
    ///`j` becomes the Jacobian of [`potential`].
    #[inline]
    pub fn jacobian_into(x: &[f64; 2], w: f64, j: &mut ([f64; 2], f64)) {
        Self::value_and_jacobian_into(x, w, j);
    }
    ///The value of [`potential`] and its derivatives in the directions of `W` tangents.
    #[inline]
    pub fn jvp_many<const W: usize>(
        x: &[f64; 2],
        w: f64,
        x_dot: &[[f64; 2]; W],
        w_dot: &[f64; W],
    ) -> (f64, [f64; W]) {
        const { ::core::assert!(W > 0, "there is at least one direction") };
        ::autodiff::__private::runs_again::<Self>();
        let mut value = ::core::option::Option::None;
        let tangents = ::core::array::from_fn(|lane| {
            let (y, tangent) = Self::jvp(x, w, &x_dot[lane], w_dot[lane]);
            value = ::core::option::Option::Some(y);
            tangent
        });
        (value.expect("there is at least one direction"), tangents)
    }
    ///The value of [`potential`] and the cotangents of its inputs, for each of `W` cotangents of the result.
    #[inline]
    pub fn vjp_many<const W: usize>(
        x: &[f64; 2],
        w: f64,
        seeds: &[f64; W],
    ) -> (f64, [([f64; 2], f64); W]) {
        let (y, pullback) = Self::vjp(x, w);
        let cotangents = seeds.each_ref().map(|seed| pullback(*seed));
        (y, cotangents)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __hvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        x: &[f64; 2],
        w: f64,
        x_dot_0: &[__Wide; 2],
        w_dot_0: __Wide,
    ) -> ([__Wide; 2], __Wide) {
        let x_at = x[0];
        let x_dot_at = x_dot_0[0];
        let t = x_dot_at * x_at;
        let x_at_2 = x[1];
        let x_dot_at_2 = x_dot_0[1];
        let t_2 = w * x_at_2;
        let t_3 = w_dot_0 * x_at_2 + x_dot_at_2 * w;
        let t_4 = ::autodiff::Real::sqrt(x_at * x_at + t_2 * x_at_2);
        let t_5 = 1.0 / t_4;
        let t_6 = 0.5 * t_5;
        let t_7 = (t + t + (t_3 * x_at_2 + x_dot_at_2 * t_2)) * t_6;
        let t_8 = ::autodiff::Real::sin(x_at_2);
        let t_9 = ::autodiff::Real::cos(x_at_2);
        let t_10 = t_6 * t_8;
        let t_11 = t_7 * (-t_5 / t_4) * 0.5 * t_8 + x_dot_at_2 * t_9 * t_6;
        let t_12 = x_at_2 * t_10;
        let t_13 = x_dot_at_2 * t_10 + t_11 * x_at_2;
        let t_14 = x_dot_at * t_10 + t_11 * x_at;
        let mut x_bar_dot = [
            t_14 + t_14,
            x_dot_at_2 * -t_8 * t_4 + t_7 * t_9 + (t_3 * t_10 + t_11 * t_2)
                + (w_dot_0 * t_12 + t_13 * w),
        ];
        (x_bar_dot, x_dot_at_2 * t_12 + t_13 * x_at_2)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __hessian(
        x: &[f64; 2],
        w: f64,
        block_0: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
        block_1: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
        block_2: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
        block_3: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
    ) {
        ::autodiff::__private::runs_again::<Self>();
        let mut x_dot_0: [::autodiff::__private::lanes::Lanes<f64, 3>; 2] = [<::autodiff::__private::lanes::Lanes<
            f64,
            3,
        > as ::autodiff::__private::Zero>::ZERO; 2];
        let mut w_dot_0: ::autodiff::__private::lanes::Lanes<f64, 3> = <::autodiff::__private::lanes::Lanes<
            f64,
            3,
        > as ::autodiff::__private::Zero>::ZERO;
        let columns: usize = 2;
        let mut first = 0;
        while first < columns {
            ::autodiff::__private::lanes::set_units(
                &mut x_dot_0,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                first,
            );
            let (bar_0, bar_1) = Self::__hvp_wide(x, w, &x_dot_0, w_dot_0);
            ::autodiff::__private::lanes::write_columns(
                &bar_0,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                (first, columns),
                block_0,
            );
            ::autodiff::__private::lanes::write_columns(
                &bar_1,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                (first, columns),
                block_2,
            );
            first += 3;
        }
        ::autodiff::__private::Zero::set_zero(&mut x_dot_0);
        let columns: usize = 1;
        let mut first = 0;
        while first < columns {
            ::autodiff::__private::lanes::set_units(
                &mut w_dot_0,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                first,
            );
            let (bar_0, bar_1) = Self::__hvp_wide(x, w, &x_dot_0, w_dot_0);
            ::autodiff::__private::lanes::write_columns(
                &bar_0,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                (first, columns),
                block_1,
            );
            ::autodiff::__private::lanes::write_columns(
                &bar_1,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                (first, columns),
                block_3,
            );
            first += 3;
        }
        ::autodiff::__private::Zero::set_zero(&mut w_dot_0);
        ::autodiff::__private::jacobian::Rows::finish(block_0, 2, 2);
        ::autodiff::__private::jacobian::Rows::finish(block_1, 2, 1);
        ::autodiff::__private::jacobian::Rows::finish(block_2, 1, 2);
        ::autodiff::__private::jacobian::Rows::finish(block_3, 1, 1);
    }
    ///The Hessian of [`potential`]: a row and a column for each number of the parameter, of several parameters a block for each two of them.
    #[inline]
    pub fn hessian(
        x: &[f64; 2],
        w: f64,
    ) -> (([[f64; 2]; 2], [f64; 2]), ([f64; 2], f64)) {
        let mut x_dot = <[f64; 2] as ::autodiff::__private::Zero>::ZERO;
        let mut w_dot = <f64 as ::autodiff::__private::Zero>::ZERO;
        let mut block_0 = [[<f64 as ::autodiff::Real>::ZERO; 2]; 2];
        let mut block_1 = [<f64 as ::autodiff::Real>::ZERO; 2];
        let mut block_2 = [<f64 as ::autodiff::Real>::ZERO; 2];
        let mut block_3 = <f64 as ::autodiff::Real>::ZERO;
        Self::__hessian(
            x,
            w,
            <[_]>::as_flattened_mut(&mut (*(&mut block_0))[..]),
            &mut (*(&mut block_1))[..],
            &mut (*(&mut block_2))[..],
            ::core::slice::from_mut((&mut block_3)),
        );
        ((block_0, block_1), (block_2, block_3))
    }
    ///The value, the gradient and the Hessian of [`potential`].
    #[inline]
    pub fn value_grad_hessian(
        x: &[f64; 2],
        w: f64,
    ) -> (f64, ([f64; 2], f64), (([[f64; 2]; 2], [f64; 2]), ([f64; 2], f64))) {
        let h = Self::hessian(x, w);
        let (y, g) = Self::value_and_grad(x, w);
        (y, g, h)
    }
    ///`h` becomes the Hessian of [`potential`].
    #[inline]
    pub fn hessian_into(
        x: &[f64; 2],
        w: f64,
        h: &mut (([[f64; 2]; 2], [f64; 2]), ([f64; 2], f64)),
    ) {
        Self::__hessian(
            x,
            w,
            <[_]>::as_flattened_mut(&mut (*(&mut h.0.0))[..]),
            &mut (*(&mut h.0.1))[..],
            &mut (*(&mut h.1.0))[..],
            ::core::slice::from_mut((&mut h.1.1)),
        );
    }
    ///The diagonal of the Hessian of [`potential`], in the form of a gradient.
    #[inline]
    pub fn hessian_diagonal(x: &[f64; 2], w: f64) -> ([f64; 2], f64) {
        ::autodiff::__private::runs_again::<Self>();
        let mut x_dot_0: [::autodiff::__private::lanes::Lanes<f64, 3>; 2] = [<::autodiff::__private::lanes::Lanes<
            f64,
            3,
        > as ::autodiff::__private::Zero>::ZERO; 2];
        let mut w_dot_0: ::autodiff::__private::lanes::Lanes<f64, 3> = <::autodiff::__private::lanes::Lanes<
            f64,
            3,
        > as ::autodiff::__private::Zero>::ZERO;
        let mut diagonal = <([f64; 2], f64) as ::autodiff::__private::Zero>::ZERO;
        let columns: usize = 2;
        let mut first = 0;
        while first < columns {
            ::autodiff::__private::lanes::set_units(
                &mut x_dot_0,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                first,
            );
            let (bar_0, bar_1) = Self::__hvp_wide(x, w, &x_dot_0, w_dot_0);
            ::autodiff::__private::lanes::read_places(
                &bar_0,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                |place, lanes| {
                    if let ::core::option::Option::Some(value) = lanes
                        .0
                        .get(place.wrapping_sub(first))
                    {
                        ::autodiff::__private::jacobian::set_number(
                            &mut diagonal.0,
                            place,
                            *value,
                        );
                    }
                },
            );
            first += 3;
        }
        ::autodiff::__private::Zero::set_zero(&mut x_dot_0);
        let columns: usize = 1;
        let mut first = 0;
        while first < columns {
            ::autodiff::__private::lanes::set_units(
                &mut w_dot_0,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                first,
            );
            let (bar_0, bar_1) = Self::__hvp_wide(x, w, &x_dot_0, w_dot_0);
            ::autodiff::__private::lanes::read_places(
                &bar_1,
                ::autodiff::__private::lanes::Flat {
                    start: 0,
                    group: 0,
                    stride: 0,
                },
                |place, lanes| {
                    if let ::core::option::Option::Some(value) = lanes
                        .0
                        .get(place.wrapping_sub(first))
                    {
                        ::autodiff::__private::jacobian::set_number(
                            &mut diagonal.1,
                            place,
                            *value,
                        );
                    }
                },
            );
            first += 3;
        }
        ::autodiff::__private::Zero::set_zero(&mut w_dot_0);
        diagonal
    }
    #[doc(hidden)]
    #[inline]
    pub fn __joint_jvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        x: &[f64; 2],
        w: f64,
        x_dot_0: &[__Wide; 2],
        w_dot_0: __Wide,
        bar_of_result_0: f64,
        dot_of_bar_0: __Wide,
        x_bar: &mut [f64; 2],
        w_bar: &mut f64,
        x_bar_dot_0: &mut [__Wide; 2],
        w_bar_dot_0: &mut __Wide,
    ) -> (f64, (__Wide,)) {
        let x_at = x[0];
        let x_dot_at = x_dot_0[0];
        let t = x_dot_at * x_at;
        let x_at_2 = x[1];
        let x_dot_at_2 = x_dot_0[1];
        let t_2 = w * x_at_2;
        let t_3 = w_dot_0 * x_at_2 + x_dot_at_2 * w;
        let t_4 = ::autodiff::Real::sqrt(x_at * x_at + t_2 * x_at_2);
        let t_5 = 1.0 / t_4;
        let t_6 = 0.5 * t_5;
        let t_7 = (t + t + (t_3 * x_at_2 + x_dot_at_2 * t_2)) * t_6;
        let t_8 = ::autodiff::Real::sin(x_at_2);
        let t_9 = ::autodiff::Real::cos(x_at_2);
        let t_10 = x_dot_at_2 * t_9;
        let t_11 = t_8 * bar_of_result_0;
        let t_12 = t_4 * bar_of_result_0;
        let t_13 = t_6 * t_11;
        let t_14 = t_7 * (-t_5 / t_4) * 0.5 * t_11
            + (t_10 * bar_of_result_0 + dot_of_bar_0 * t_8) * t_6;
        let t_15 = x_at_2 * t_13;
        let t_16 = x_dot_at_2 * t_13 + t_14 * x_at_2;
        let t_17 = x_dot_at_2 * -t_8 * t_12
            + (t_7 * bar_of_result_0 + dot_of_bar_0 * t_4) * t_9
            + (t_3 * t_13 + t_14 * t_2) + (w_dot_0 * t_15 + t_16 * w);
        x_bar[1] += t_9 * t_12 + t_2 * t_13 + w * t_15;
        x_bar_dot_0[1] += t_17;
        let t_18 = x_at * t_13;
        let t_19 = x_dot_at * t_13 + t_14 * x_at;
        x_bar[0] += 2.0 * t_18;
        x_bar_dot_0[0] += t_19 + t_19;
        *w_bar += x_at_2 * t_15;
        *w_bar_dot_0 += x_dot_at_2 * t_15 + t_16 * x_at_2;
        (t_4 * t_8, (t_7 * t_8 + t_10 * t_4,))
    }
    #[doc(hidden)]
    pub fn taylor<const K: usize>(
        x: &[f64; 2],
        w: f64,
        x_dot: &[f64; 2],
        w_dot: f64,
    ) -> [f64; K]
    where
        for<'of> potential: ::autodiff::__private::Taylor<'of>,
    {
        ::core::unimplemented!()
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl potential { #[doc(hidden)] #[inline] pub
    fn __along_hvp < __Wide : ::autodiff::__private::Wide < f64 > > (x : & [f64; 2], w :
    f64, along : & mut impl ::autodiff::__private::sparse::Along < __Wide >) { let mut
    x_dot_0 : [__Wide; 2] = [< __Wide as ::autodiff::__private::Wide < f64 >> ::ZERO; 2];
    let mut w_dot_0 : __Wide = < __Wide as ::autodiff::__private::Wide < f64 >> ::ZERO;
    let mut before = 0_usize; let mut count = 0_usize;
    ::autodiff::__private::lanes::visit_places(& mut x_dot_0,
    ::autodiff::__private::lanes::Flat { start : 0, group : 0, stride : 0 }, | place,
    tangent | { count += 1; ::autodiff::__private::sparse::Along::set(along, before +
    place, tangent); }); before += count; let mut count = 0_usize;
    ::autodiff::__private::lanes::visit_places(& mut w_dot_0,
    ::autodiff::__private::lanes::Flat { start : 0, group : 0, stride : 0 }, | place,
    tangent | { count += 1; ::autodiff::__private::sparse::Along::set(along, before +
    place, tangent); }); before += count; let (bar_0, bar_1,) = Self::__hvp_wide(x, w, &
    x_dot_0, w_dot_0); let mut before = 0_usize; let mut count = 0_usize;
    ::autodiff::__private::lanes::read_places(& bar_0, ::autodiff::__private::lanes::Flat
    { start : 0, group : 0, stride : 0 }, | place, tangent | { count += 1;
    ::autodiff::__private::sparse::Along::read(along, before + place, tangent); });
    before += count; let mut count = 0_usize; ::autodiff::__private::lanes::read_places(&
    bar_1, ::autodiff::__private::lanes::Flat { start : 0, group : 0, stride : 0 }, |
    place, tangent | { count += 1; ::autodiff::__private::sparse::Along::read(along,
    before + place, tangent); }); before += count; } #[doc(hidden)] #[inline] pub fn
    __hessian_columns < const W : usize > (x : & [f64; 2], w : f64, mut values :
    ::autodiff::__private::sparse::ValuesByColumns < '_, f64, { W } >) -> () { loop { let
    y = Self::__along_hvp(x, w, & mut values); if values.is_finished() { return y; } } }
    #[doc =
    "The pattern of the Hessian of [`potential`]: which numbers of it can differ from 0, whatever the numbers are that it is differentiated by."]
    #[inline] pub fn hessian_sparsity(x : & [f64; 2], w : f64) -> ::autodiff::Sparsity {
    ::autodiff::__private::runs_again:: < Self > (); let mut sets =
    ::autodiff::__private::sparse::ByShortSets::new(); Self::__along_hvp(x, w, & mut
    sets); if let ::core::option::Option::Some(pattern) = sets.finish() { return pattern;
    } let mut sets = ::autodiff::__private::sparse::ByRanges::new(); loop {
    Self::__along_hvp(x, w, & mut sets); if sets.is_finished() { return sets.finish(); }
    } } #[doc =
    "`values` become those of the Hessian of [`potential`], in the order of the pattern."]
    #[inline] pub fn hessian_sparse(x : & [f64; 2], w : f64, pattern : &
    ::autodiff::Sparsity, values : & mut [f64]) { ::autodiff::__private::runs_again:: <
    Self > (); let y = match pattern.width() { 4 => Self::__hessian_columns(x, w,
    ::autodiff::__private::sparse::ValuesByColumns:: < f64, 4 > ::new(pattern, values)),
    8 => Self::__hessian_columns(x, w, ::autodiff::__private::sparse::ValuesByColumns:: <
    f64, 8 > ::new(pattern, values)), _ => Self::__hessian_columns(x, w,
    ::autodiff::__private::sparse::ValuesByColumns:: < f64, 16 > ::new(pattern, values)),
    }; if ::autodiff::__private::sparse::CHECKED { let mut check =
    ::autodiff::__private::sparse::Check::new(pattern, values); Self::__along_hvp(x, w, &
    mut check); check.finish(); } y } }
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
impl ::autodiff::__private::Sweeps for potential {
    type Saved = ([f64; 4],);
    const EMPTY: Self::Saved = ([0.0_f64; 4],);
    const EFFECTS: bool = false;
    const WORKSPACE_BYTES: usize = ::core::mem::size_of::<[f64; 2]>();
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
impl ::autodiff::DifferentiableFn for potential {
    type Residuals = ::autodiff::__private::Opaque<Self, (([f64; 4],), (f64,))>;
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
impl ::autodiff::Callable<(&'static [f64; 2], f64)> for potential {
    type Output = f64;
    #[inline]
    fn call(args: (&[f64; 2], f64)) -> f64 {
        potential(args.0, args.1)
    }
    #[inline]
    fn jvp((x, w): (&[f64; 2], f64), (x_dot, w_dot): (&[f64; 2], f64)) -> (f64, f64) {
        Self::jvp(x, w, x_dot, w_dot)
    }
    #[inline]
    fn __forward((x, w): (&[f64; 2], f64), saved: &mut Self::Saved) -> f64 {
        Self::__forward(x, w, saved)
    }
    #[inline]
    fn __reverse(
        (x, w): (&[f64; 2], f64),
        saved: &Self::Saved,
        seed: &f64,
        (x_bar, w_bar): (&mut [f64; 2], &mut f64),
    ) {
        Self::__reverse(x, w, saved, *seed, x_bar, w_bar)
    }
    #[inline]
    fn __keep((x, w): (&[f64; 2], f64)) -> (f64, Self::Residuals) {
        Self::forward(x, w)
    }
    #[inline]
    fn __pullback(
        residuals: &Self::Residuals,
        seed: &f64,
        (x_bar, w_bar): (&mut [f64; 2], &mut f64),
    ) {
        Self::__pullback(residuals, *seed, x_bar, w_bar)
    }
    #[inline]
    fn __accumulate(
        (x, w): (&[f64; 2], f64),
        (x_bar, w_bar): (&mut [f64; 2], &mut f64),
    ) -> f64 {
        Self::__accumulate(x, w, x_bar, w_bar)
    }
    #[inline]
    fn __joint_jvp(
        (x, w): (&[f64; 2], f64),
        (x_dot, w_dot): (&[f64; 2], f64),
        seed: &f64,
        seed_tangent: &f64,
        (x_bar, w_bar): (&mut [f64; 2], &mut f64),
        (x_bar_dot, w_bar_dot): (&mut [f64; 2], &mut f64),
    ) -> (f64, f64) {
        Self::__joint_jvp(
            x,
            w,
            x_dot,
            w_dot,
            *seed,
            *seed_tangent,
            x_bar,
            w_bar,
            x_bar_dot,
            w_bar_dot,
        )
    }
    #[inline]
    fn __jvp_jvp(
        (x, w): (&[f64; 2], f64),
        (x_dot, w_dot): (&[f64; 2], f64),
        (x_dot_2, w_dot_2): (&[f64; 2], f64),
        (x_dot_dot, w_dot_dot): (&[f64; 2], f64),
    ) -> (f64, f64, f64, f64) {
        Self::__jvp_jvp(x, w, x_dot, w_dot, x_dot_2, w_dot_2, x_dot_dot, w_dot_dot)
    }
}
