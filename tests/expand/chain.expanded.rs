// An element-wise chain with its broadcasts and its sum: one loop nest forward, one forward and reverse
// together, no temporary arrays.

#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
#[allow(dead_code)]
pub fn chain(
    a: &Tensor2<f64, 4, 3>,
    b: &Tensor1<f64, 3>,
    c: &Tensor2<f64, 4, 1>,
) -> f64 {
    let mut sum = 0.0_f64;
    for i in 0..4 {
        for j in 0..3 {
            sum += a.0[i][j] * b.0[j] + c.0[i][0];
        }
    }
    sum
}
#[doc(hidden)]
mod __autodiff_chain {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct chain {}
}
///The derivatives of the function [`chain`](chain()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_chain::chain;
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_chain {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "chain" {} { true & Tensor2 <
        f64, 4, 3 >, true & Tensor1 < f64, 3 >, true & Tensor2 < f64, 4, 1 >, } { f64 }
        {} { ".sum" } false body 1u8 1u8 false false "" {
        "fn chain(%0.a: f64[4, 3], %1.b: f64[3], %2.c: f64[4, 1]) {\n    %53: usize = dim[0]\n    %55: f64 = get %0.a %53 %53\n    %56: f64 = get %1.b %53\n    %57: f64 = mul %55 %56\n    %59: usize = dim[1]\n    %60: f64 = get %0.a %53 %59\n    %61: f64 = get %1.b %59\n    %62: f64 = mul %60 %61\n    %64: usize = dim[2]\n    %65: f64 = get %0.a %53 %64\n    %66: f64 = get %1.b %64\n    %67: f64 = mul %65 %66\n    %71: f64 = get %0.a %59 %53\n    %73: f64 = mul %71 %56\n    %76: f64 = get %0.a %59 %59\n    %78: f64 = mul %76 %61\n    %81: f64 = get %0.a %59 %64\n    %83: f64 = mul %81 %66\n    %87: f64 = get %0.a %64 %53\n    %89: f64 = mul %87 %56\n    %92: f64 = get %0.a %64 %59\n    %94: f64 = mul %92 %61\n    %97: f64 = get %0.a %64 %64\n    %99: f64 = mul %97 %66\n    %101: usize = dim[3]\n    %103: f64 = get %0.a %101 %53\n    %105: f64 = mul %103 %56\n    %108: f64 = get %0.a %101 %59\n    %110: f64 = mul %108 %61\n    %113: f64 = get %0.a %101 %64\n    %115: f64 = mul %113 %66\n    %139: f64 = get %2.c %53 %53\n    %140: f64 = add %57 %139\n    %146: f64 = add %62 %139\n    %152: f64 = add %67 %139\n    %158: f64 = get %2.c %59 %53\n    %159: f64 = add %73 %158\n    %165: f64 = add %78 %158\n    %171: f64 = add %83 %158\n    %177: f64 = get %2.c %64 %53\n    %178: f64 = add %89 %177\n    %184: f64 = add %94 %177\n    %190: f64 = add %99 %177\n    %196: f64 = get %2.c %101 %53\n    %197: f64 = add %105 %196\n    %203: f64 = add %110 %196\n    %209: f64 = add %115 %196\n    %29.sum: f64 = const 0.0\n    %223: f64 = add_in_lanes %29.sum %140\n    %226: f64 = add_in_lanes %223 %146\n    %229.sum: f64 = add_in_lanes %226 %152\n    %233: f64 = add_in_lanes %229.sum %159\n    %236: f64 = add_in_lanes %233 %165\n    %239.sum: f64 = add_in_lanes %236 %171\n    %243: f64 = add_in_lanes %239.sum %178\n    %246: f64 = add_in_lanes %243 %184\n    %249.sum: f64 = add_in_lanes %246 %190\n    %253: f64 = add_in_lanes %249.sum %197\n    %256: f64 = add_in_lanes %253 %203\n    %259.sum: f64 = add_in_lanes %256 %209\n    return %259.sum\n}\n"
        } } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_chain as chain;
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for chain {}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl chain {
    #[doc(hidden)]
    #[inline]
    pub fn __accumulate(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        a_bar: &mut Tensor2<f64, 4, 3>,
        b_bar: &mut Tensor1<f64, 3>,
        c_bar: &mut Tensor2<f64, 4, 1>,
    ) -> f64 {
        let mut sum = 0.0_f64;
        for i in 0..4 {
            for j in 0..3 {
                let a_at = a.0[i][j];
                let b_at = b.0[j];
                a_bar.0[i][j] += b_at;
                b_bar.0[j] += a_at;
                sum += a_at * b_at + c.0[i][0];
            }
            c_bar.0[i][0] += 3.0;
        }
        sum
    }
    ///Adds the gradient of [`chain`] to `g` and returns the value.
    #[inline]
    pub fn accumulate_grad(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        (
            a_bar,
            b_bar,
            c_bar,
        ): &mut (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>),
    ) -> f64 {
        Self::__accumulate(a, b, c, a_bar, b_bar, c_bar)
    }
    ///The value of [`chain`]; `g` becomes the gradient.
    #[inline]
    pub fn value_and_grad_into(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        (
            a_bar,
            b_bar,
            c_bar,
        ): &mut (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>),
    ) -> f64 {
        ::autodiff::__private::Zero::set_zero(b_bar);
        let mut sum = 0.0_f64;
        for i in 0..4 {
            for j in 0..3 {
                let a_at = a.0[i][j];
                let b_at = b.0[j];
                a_bar.0[i][j] = b_at;
                b_bar.0[j] += a_at;
                sum += a_at * b_at + c.0[i][0];
            }
            c_bar.0[i][0] = 3.0;
        }
        sum
    }
    ///`g` becomes the gradient of [`chain`].
    #[inline]
    pub fn grad_into(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        g: &mut (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>),
    ) {
        Self::value_and_grad_into(a, b, c, g);
    }
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f64 {
        let mut sum = 0.0_f64;
        for i in 0..4 {
            for j in 0..3 {
                sum += a.0[i][j] * b.0[j] + c.0[i][0];
            }
        }
        sum
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        a_bar: &mut Tensor2<f64, 4, 3>,
        b_bar: &mut Tensor1<f64, 3>,
        c_bar: &mut Tensor2<f64, 4, 1>,
    ) {
        Self::__reverse_leaves(&a.0, &b.0, saved, y_bar, a_bar, b_bar, c_bar)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse_leaves(
        a: &[[f64; 3]; 4],
        b: &[f64; 3],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        a_bar: &mut Tensor2<f64, 4, 3>,
        b_bar: &mut Tensor1<f64, 3>,
        c_bar: &mut Tensor2<f64, 4, 1>,
    ) {
        for i in 0..4 {
            let mut sum = 0.0_f64;
            for j in 0..3 {
                a_bar.0[i][j] += b[j] * y_bar;
                b_bar.0[j] += a[i][j] * y_bar;
                sum += y_bar;
            }
            c_bar.0[i][0] += sum;
        }
    }
    ///The value and the gradient of [`chain`].
    #[inline]
    pub fn value_and_grad(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (f64, (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>)) {
        let mut g = <(
            Tensor2<f64, 4, 3>,
            Tensor1<f64, 3>,
            Tensor2<f64, 4, 1>,
        ) as ::autodiff::__private::Zero>::ZERO;
        let y = Self::value_and_grad_into(a, b, c, &mut g);
        (y, g)
    }
    ///The gradient of [`chain`].
    #[inline]
    pub fn grad(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>) {
        Self::value_and_grad(a, b, c).1
    }
    ///The value of [`chain`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (f64, ::autodiff::Residuals<chain>) {
        Self::__keep(a, b, c)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (f64, ::autodiff::Residuals<chain>) {
        let inputs = (a.0, b.0);
        let mut saved = <Self as ::autodiff::__private::Sweeps>::EMPTY;
        let value = Self::__forward(a, b, c, &mut saved);
        (value, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<chain>,
        y_bar: f64,
        a_bar: &mut Tensor2<f64, 4, 3>,
        b_bar: &mut Tensor1<f64, 3>,
        c_bar: &mut Tensor2<f64, 4, 1>,
    ) {
        let (saved, (a, b), ..) = residuals.data();
        Self::__reverse_leaves(a, b, saved, y_bar, a_bar, b_bar, c_bar)
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(
        residuals: &::autodiff::Residuals<chain>,
        seed: f64,
    ) -> (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>) {
        let (mut a_bar, mut b_bar, mut c_bar) = <(
            Tensor2<f64, 4, 3>,
            Tensor1<f64, 3>,
            Tensor2<f64, 4, 1>,
        ) as ::autodiff::__private::Zero>::ZERO;
        Self::__pullback(residuals, seed, &mut a_bar, &mut b_bar, &mut c_bar);
        (a_bar, b_bar, c_bar)
    }
    ///The value of [`chain`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (
        f64,
        impl ::core::ops::Fn(
            f64,
        ) -> (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>) + use<>,
    ) {
        let (y, residuals) = Self::forward(a, b, c);
        (y, move |seed: f64| Self::pullback(&residuals, seed))
    }
    ///The value of [`chain`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        a_dot: &Tensor2<f64, 4, 3>,
        b_dot: &Tensor1<f64, 3>,
        c_dot: &Tensor2<f64, 4, 1>,
    ) -> (f64, f64) {
        let mut sum = 0.0_f64;
        let mut sum_2 = 0.0_f64;
        for i in 0..4 {
            for j in 0..3 {
                let a_at = a.0[i][j];
                let b_at = b.0[j];
                sum_2 += a_at * b_at + c.0[i][0];
                sum += b_at * a_dot.0[i][j] + a_at * b_dot.0[j] + c_dot.0[i][0];
            }
        }
        (sum_2, sum)
    }
    #[doc(hidden)]
    pub fn hvp(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        a_dot: &Tensor2<f64, 4, 3>,
        b_dot: &Tensor1<f64, 3>,
        c_dot: &Tensor2<f64, 4, 1>,
    ) -> (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>)
    where
        for<'of> chain: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        a_dot_0: &[[__Wide; 3]; 4],
        b_dot_0: &[__Wide; 3],
        c_dot_0: &[[__Wide; 1]; 4],
    ) -> (f64, (__Wide,)) {
        let mut tangent_0: __Wide = ::autodiff::__private::lanes::Zeros::ZEROS;
        let (y, g) = Self::value_and_grad(a, b, c);
        ::autodiff::__private::lanes::WideLeaf::zip(
            a_dot_0,
            &g.0.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            b_dot_0,
            &g.1.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            c_dot_0,
            &g.2.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        (y, (tangent_0,))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jacobian(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        block_0: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
        block_1: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
        block_2: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
    ) -> f64 {
        let (y, g) = Self::value_and_grad(a, b, c);
        ::autodiff::__private::jacobian::write_row(&g.0, 0, block_0);
        ::autodiff::__private::jacobian::write_row(&g.1, 0, block_1);
        ::autodiff::__private::jacobian::write_row(&g.2, 0, block_2);
        y
    }
    ///The value and the Jacobian of [`chain`].
    #[inline]
    pub fn value_and_jacobian(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (f64, ([f64; 12], [f64; 3], [f64; 4])) {
        let mut block_0 = [<f64 as ::autodiff::Real>::ZERO; 12];
        let mut block_1 = [<f64 as ::autodiff::Real>::ZERO; 3];
        let mut block_2 = [<f64 as ::autodiff::Real>::ZERO; 4];
        let mut j = (block_0, block_1, block_2);
        let y = Self::value_and_jacobian_into(a, b, c, &mut j);
        (y, j)
    }
    ///The Jacobian of [`chain`]: a row for each number of the result, a column for each of the parameter.
    #[inline]
    pub fn jacobian(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> ([f64; 12], [f64; 3], [f64; 4]) {
        Self::value_and_jacobian(a, b, c).1
    }
    ///The value of [`chain`]; `j` becomes the Jacobian.
    #[inline]
    pub fn value_and_jacobian_into(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        j: &mut ([f64; 12], [f64; 3], [f64; 4]),
    ) -> f64 {
        Self::__jacobian(
            a,
            b,
            c,
            &mut (*(&mut j.0))[..],
            &mut (*(&mut j.1))[..],
            &mut (*(&mut j.2))[..],
        )
    }
    ///`j` becomes the Jacobian of [`chain`].
    #[inline]
    pub fn jacobian_into(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        j: &mut ([f64; 12], [f64; 3], [f64; 4]),
    ) {
        Self::value_and_jacobian_into(a, b, c, j);
    }
    ///The value of [`chain`] and its derivatives in the directions of `W` tangents.
    #[inline]
    pub fn jvp_many<const W: usize>(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        a_dot: &[Tensor2<f64, 4, 3>; W],
        b_dot: &[Tensor1<f64, 3>; W],
        c_dot: &[Tensor2<f64, 4, 1>; W],
    ) -> (f64, [f64; W]) {
        const { ::core::assert!(W > 0, "there is at least one direction") };
        ::autodiff::__private::runs_again::<Self>();
        let mut value = ::core::option::Option::None;
        let tangents = ::core::array::from_fn(|lane| {
            let (y, tangent) = Self::jvp(
                a,
                b,
                c,
                &a_dot[lane],
                &b_dot[lane],
                &c_dot[lane],
            );
            value = ::core::option::Option::Some(y);
            tangent
        });
        (value.expect("there is at least one direction"), tangents)
    }
    ///The value of [`chain`] and the cotangents of its inputs, for each of `W` cotangents of the result.
    #[inline]
    pub fn vjp_many<const W: usize>(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        seeds: &[f64; W],
    ) -> (f64, [(Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>); W]) {
        let (y, pullback) = Self::vjp(a, b, c);
        let cotangents = seeds.each_ref().map(|seed| pullback(*seed));
        (y, cotangents)
    }
    #[doc(hidden)]
    pub fn hessian(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (
        ([[f64; 12]; 12], [[f64; 3]; 12], [[f64; 4]; 12]),
        ([[f64; 12]; 3], [[f64; 3]; 3], [[f64; 4]; 3]),
        ([[f64; 12]; 4], [[f64; 3]; 4], [[f64; 4]; 4]),
    )
    where
        for<'of> chain: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn value_grad_hessian(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (
        f64,
        (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>),
        (
            ([[f64; 12]; 12], [[f64; 3]; 12], [[f64; 4]; 12]),
            ([[f64; 12]; 3], [[f64; 3]; 3], [[f64; 4]; 3]),
            ([[f64; 12]; 4], [[f64; 3]; 4], [[f64; 4]; 4]),
        ),
    )
    where
        for<'of> chain: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_into(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        h: &mut (
            ([[f64; 12]; 12], [[f64; 3]; 12], [[f64; 4]; 12]),
            ([[f64; 12]; 3], [[f64; 3]; 3], [[f64; 4]; 3]),
            ([[f64; 12]; 4], [[f64; 3]; 4], [[f64; 4]; 4]),
        ),
    )
    where
        for<'of> chain: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_diagonal(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
    ) -> (Tensor2<f64, 4, 3>, Tensor1<f64, 3>, Tensor2<f64, 4, 1>)
    where
        for<'of> chain: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn taylor<const K: usize>(
        a: &Tensor2<f64, 4, 3>,
        b: &Tensor1<f64, 3>,
        c: &Tensor2<f64, 4, 1>,
        a_dot: &Tensor2<f64, 4, 3>,
        b_dot: &Tensor1<f64, 3>,
        c_dot: &Tensor2<f64, 4, 1>,
    ) -> [f64; K]
    where
        for<'of> chain: ::autodiff::__private::Taylor<'of>,
    {
        ::core::unimplemented!()
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl chain { #[doc(hidden)] pub fn
    hessian_sparsity(a : & Tensor2 < f64, 4, 3 >, b : & Tensor1 < f64, 3 >, c : & Tensor2
    < f64, 4, 1 >) -> ::autodiff::Sparsity where for < 'of > chain :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_sparse(a : & Tensor2 < f64, 4, 3 >, b : & Tensor1 <
    f64, 3 >, c : & Tensor2 < f64, 4, 1 >, pattern : & ::autodiff::Sparsity, values : &
    mut [f64]) where for < 'of > chain : ::autodiff::__private::SecondOrder < 'of > {
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
impl ::autodiff::__private::Sweeps for chain {
    type Saved = ();
    const EMPTY: Self::Saved = ();
    const EFFECTS: bool = false;
    const WORKSPACE_BYTES: usize = 0;
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
impl ::autodiff::DifferentiableFn for chain {
    type Residuals = ::autodiff::__private::Opaque<
        Self,
        ((), ([[f64; 3]; 4], [f64; 3])),
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
    (&'static Tensor2<f64, 4, 3>, &'static Tensor1<f64, 3>, &'static Tensor2<f64, 4, 1>),
> for chain {
    type Output = f64;
    #[inline]
    fn call(args: (&Tensor2<f64, 4, 3>, &Tensor1<f64, 3>, &Tensor2<f64, 4, 1>)) -> f64 {
        chain(args.0, args.1, args.2)
    }
    #[inline]
    fn jvp(
        (a, b, c): (&Tensor2<f64, 4, 3>, &Tensor1<f64, 3>, &Tensor2<f64, 4, 1>),
        (
            a_dot,
            b_dot,
            c_dot,
        ): (&Tensor2<f64, 4, 3>, &Tensor1<f64, 3>, &Tensor2<f64, 4, 1>),
    ) -> (f64, f64) {
        Self::jvp(a, b, c, a_dot, b_dot, c_dot)
    }
    #[inline]
    fn __forward(
        (a, b, c): (&Tensor2<f64, 4, 3>, &Tensor1<f64, 3>, &Tensor2<f64, 4, 1>),
        saved: &mut Self::Saved,
    ) -> f64 {
        Self::__forward(a, b, c, saved)
    }
    #[inline]
    fn __reverse(
        (a, b, c): (&Tensor2<f64, 4, 3>, &Tensor1<f64, 3>, &Tensor2<f64, 4, 1>),
        saved: &Self::Saved,
        seed: &f64,
        (
            a_bar,
            b_bar,
            c_bar,
        ): (&mut Tensor2<f64, 4, 3>, &mut Tensor1<f64, 3>, &mut Tensor2<f64, 4, 1>),
    ) {
        Self::__reverse(a, b, c, saved, *seed, a_bar, b_bar, c_bar)
    }
    #[inline]
    fn __keep(
        (a, b, c): (&Tensor2<f64, 4, 3>, &Tensor1<f64, 3>, &Tensor2<f64, 4, 1>),
    ) -> (f64, Self::Residuals) {
        Self::forward(a, b, c)
    }
    #[inline]
    fn __pullback(
        residuals: &Self::Residuals,
        seed: &f64,
        (
            a_bar,
            b_bar,
            c_bar,
        ): (&mut Tensor2<f64, 4, 3>, &mut Tensor1<f64, 3>, &mut Tensor2<f64, 4, 1>),
    ) {
        Self::__pullback(residuals, *seed, a_bar, b_bar, c_bar)
    }
    #[inline]
    fn __accumulate(
        (a, b, c): (&Tensor2<f64, 4, 3>, &Tensor1<f64, 3>, &Tensor2<f64, 4, 1>),
        (
            a_bar,
            b_bar,
            c_bar,
        ): (&mut Tensor2<f64, 4, 3>, &mut Tensor1<f64, 3>, &mut Tensor2<f64, 4, 1>),
    ) -> f64 {
        Self::__accumulate(a, b, c, a_bar, b_bar, c_bar)
    }
}
