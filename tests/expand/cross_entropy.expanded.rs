// Softmax cross-entropy over the rows. The maximum is subtracted first and carries no derivative.

#[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
#[allow(dead_code)]
pub fn cross_entropy<const B: usize>(
    logits: &Tensor2<f64, B, 10>,
    labels: &[usize; B],
) -> f64 {
    ::autodiff::__private::vectorized::<cross_entropy<B>, 4, _, _>((logits, labels))
}
#[doc(hidden)]
mod __autodiff_cross_entropy {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct cross_entropy<const B: usize> {}
}
///The derivatives of the function [`cross_entropy`](cross_entropy()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_cross_entropy::cross_entropy;
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_cross_entropy {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "cross_entropy" { const B, } {
        true & Tensor2 < f64, B, 10 >, false & [usize; B], } { f64 } {} {
        ".cross_entropy" } false body 1u8 1u8 false false "" {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_cross_entropy as cross_entropy;
#[automatically_derived]
impl<'kept, const B: usize> ::autodiff::__private::Keeps<'kept> for cross_entropy<B> {}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl < const B : usize > cross_entropy < B > {
    #[doc(hidden)] #[inline] pub fn __jacobian(logits : & Tensor2 < f64, B, 10 >, labels
    : & [usize; B], block_0 : & mut (impl ::autodiff::__private::jacobian::Rows < f64 > +
    ? ::core::marker::Sized)) -> f64 { let (y, g) = Self::value_and_grad(logits, labels);
    ::autodiff::__private::jacobian::write_row(& g, 0, block_0); y } #[doc =
    "The value and the Jacobian of [`cross_entropy`]."] #[inline] pub fn
    value_and_jacobian(logits : & Tensor2 < f64, B, 10 >, labels : & [usize; B]) -> (f64,
    ::autodiff::__private::Vec < f64 >) { let mut block_0 =
    ::autodiff::__private::Vec::new(); let y = Self::__jacobian(logits, labels, & mut
    block_0); let j = block_0; (y, j) } #[doc =
    "The Jacobian of [`cross_entropy`]: a row for each number of the result, a column for each of the parameter."]
    #[inline] pub fn jacobian(logits : & Tensor2 < f64, B, 10 >, labels : & [usize; B])
    -> ::autodiff::__private::Vec < f64 > { Self::value_and_jacobian(logits, labels).1 }
    #[doc = "The value of [`cross_entropy`]; `j` becomes the Jacobian."] #[inline] pub fn
    value_and_jacobian_into(logits : & Tensor2 < f64, B, 10 >, labels : & [usize; B], j :
    & mut [f64]) -> f64 { Self::__jacobian(logits, labels, & mut * j) } #[doc =
    "`j` becomes the Jacobian of [`cross_entropy`]."] #[inline] pub fn
    jacobian_into(logits : & Tensor2 < f64, B, 10 >, labels : & [usize; B], j : & mut
    [f64]) { Self::value_and_jacobian_into(logits, labels, j); } #[doc =
    "The value of [`cross_entropy`] and its derivatives in the directions of `W` tangents."]
    #[inline] pub fn jvp_many < const W : usize > (logits : & Tensor2 < f64, B, 10 >,
    labels : & [usize; B], logits_dot : & [Tensor2 < f64, B, 10 >; W]) -> (f64, [f64; W])
    { const { ::core::assert!(W > 0, "there is at least one direction") };
    ::autodiff::__private::runs_again:: < Self > (); let mut value =
    ::core::option::Option::None; let tangents = ::core::array::from_fn(| lane | { let
    (y, tangent) = Self::jvp(logits, labels, & logits_dot[lane]); value =
    ::core::option::Option::Some(y); tangent }); (value
    .expect("there is at least one direction"), tangents) } #[doc =
    "The value of [`cross_entropy`] and the cotangents of its inputs, for each of `W` cotangents of the result."]
    #[inline] pub fn vjp_many < const W : usize > (logits : & Tensor2 < f64, B, 10 >,
    labels : & [usize; B], seeds : & [f64; W]) -> (f64, [Tensor2 < f64, B, 10 >; W]) {
    let (y, pullback) = Self::vjp(logits, labels); let cotangents = seeds.each_ref()
    .map(| seed | pullback(* seed)); (y, cotangents) } }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl < const B : usize > cross_entropy < B > {
    #[doc(hidden)] pub fn hessian(logits : & Tensor2 < f64, B, 10 >, labels : & [usize;
    B]) -> ::autodiff::__private::Vec < ::autodiff::__private::Vec < f64 > > where for <
    'of > cross_entropy < B > : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn value_grad_hessian(logits : &
    Tensor2 < f64, B, 10 >, labels : & [usize; B]) -> (f64, Tensor2 < f64, B, 10 >,
    ::autodiff::__private::Vec < ::autodiff::__private::Vec < f64 > >) where for < 'of >
    cross_entropy < B > : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn hessian_into(logits : & Tensor2 <
    f64, B, 10 >, labels : & [usize; B], h : & mut [f64]) where for < 'of > cross_entropy
    < B > : ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_diagonal(logits : & Tensor2 < f64, B, 10 >, labels : &
    [usize; B]) -> Tensor2 < f64, B, 10 > where for < 'of > cross_entropy < B > :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() } }
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
impl<const B: usize> cross_entropy<B> {
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_accumulate_grad(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) -> f64 {
        let t = B as f64;
        let t_2 = 1.0 / t;
        let mut t_3 = 0.0_f64;
        for i in 0..B {
            let mut shifted_bar = [0.0_f64; 10];
            let mut exp = [0.0_f64; 10];
            let mut shifted = [0.0_f64; 10];
            let mut max = f64::NEG_INFINITY;
            let mut t_4 = 0.0_f64;
            for j in 0..10 {
                let logits_at = logits.0[i][j];
                max = ::autodiff::Real::max(max, logits_at);
                t_4 = ::autodiff::Real::max(
                    t_4,
                    if ::autodiff::Real::is_nan(logits_at) { 1.0_f64 } else { 0.0_f64 },
                );
            }
            let t_5 = if t_4 > 0.0 {
                f64::NEG_INFINITY - f64::NEG_INFINITY
            } else {
                max
            };
            let mut sum = 0.0_f64;
            for j in 0..10 {
                let t_6 = logits.0[i][j] - t_5;
                shifted[j] = t_6;
                let t_7 = ::autodiff::Real::exp(t_6);
                exp[j] = t_7;
                sum += t_7;
            }
            let labels_at = labels[i];
            shifted_bar[labels_at] = -t_2;
            let t_8 = 1.0 / sum * t_2;
            for j in 0..10 {
                shifted_bar[j] += exp[j] * t_8;
                logits_bar.0[i][j] += shifted_bar[j];
            }
            t_3 += ::autodiff::Real::ln(sum) - shifted[labels_at];
        }
        t_3 / t
    }
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_set_grad(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) -> f64 {
        let t = B as f64;
        let t_2 = 1.0 / t;
        let mut t_3 = 0.0_f64;
        for i in 0..B {
            let mut shifted_bar = [0.0_f64; 10];
            let mut exp = [0.0_f64; 10];
            let mut shifted = [0.0_f64; 10];
            let mut max = f64::NEG_INFINITY;
            let mut t_4 = 0.0_f64;
            for j in 0..10 {
                let logits_at = logits.0[i][j];
                max = ::autodiff::Real::max(max, logits_at);
                t_4 = ::autodiff::Real::max(
                    t_4,
                    if ::autodiff::Real::is_nan(logits_at) { 1.0_f64 } else { 0.0_f64 },
                );
            }
            let t_5 = if t_4 > 0.0 {
                f64::NEG_INFINITY - f64::NEG_INFINITY
            } else {
                max
            };
            let mut sum = 0.0_f64;
            for j in 0..10 {
                let t_6 = logits.0[i][j] - t_5;
                shifted[j] = t_6;
                let t_7 = ::autodiff::Real::exp(t_6);
                exp[j] = t_7;
                sum += t_7;
            }
            let labels_at = labels[i];
            shifted_bar[labels_at] = -t_2;
            let t_8 = 1.0 / sum * t_2;
            for j in 0..10 {
                shifted_bar[j] += exp[j] * t_8;
                logits_bar.0[i][j] = shifted_bar[j];
            }
            t_3 += ::autodiff::Real::ln(sum) - shifted[labels_at];
        }
        t_3 / t
    }
    #[doc(hidden)]
    #[inline]
    pub fn __accumulate(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) -> f64 {
        ::autodiff::__private::vectorized::<
            cross_entropy<B>,
            0,
            _,
            _,
        >((logits, labels, logits_bar))
    }
    ///Adds the gradient of [`cross_entropy`] to `g` and returns the value.
    #[inline]
    pub fn accumulate_grad(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) -> f64 {
        Self::__accumulate(logits, labels, logits_bar)
    }
    ///The value of [`cross_entropy`]; `g` becomes the gradient.
    #[inline]
    pub fn value_and_grad_into(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) -> f64 {
        ::autodiff::__private::vectorized::<
            cross_entropy<B>,
            1,
            _,
            _,
        >((logits, labels, logits_bar))
    }
    ///`g` becomes the gradient of [`cross_entropy`].
    #[inline]
    pub fn grad_into(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        g: &mut Tensor2<f64, B, 10>,
    ) {
        Self::value_and_grad_into(logits, labels, g);
    }
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_forward(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f64 {
        ::autodiff::__private::saved::<<Self as ::autodiff::__private::Sweeps>::Saved>();
        let (exp, total, saved_2) = saved;
        let mut t = 0.0_f64;
        for i in 0..B {
            let mut shifted = [0.0_f64; 10];
            let mut max = f64::NEG_INFINITY;
            let mut t_2 = 0.0_f64;
            for j in 0..10 {
                let logits_at = logits.0[i][j];
                max = ::autodiff::Real::max(max, logits_at);
                t_2 = ::autodiff::Real::max(
                    t_2,
                    if ::autodiff::Real::is_nan(logits_at) { 1.0_f64 } else { 0.0_f64 },
                );
            }
            let t_3 = if t_2 > 0.0 {
                f64::NEG_INFINITY - f64::NEG_INFINITY
            } else {
                max
            };
            let mut sum = 0.0_f64;
            for j in 0..10 {
                let t_4 = logits.0[i][j] - t_3;
                shifted[j] = t_4;
                let t_5 = ::autodiff::Real::exp(t_4);
                exp[i][j] = t_5;
                sum += t_5;
            }
            total[i] = sum;
            t += ::autodiff::Real::ln(sum) - shifted[labels[i]];
        }
        let t_6 = B as f64;
        *saved_2 = t_6;
        t / t_6
    }
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f64 {
        ::autodiff::__private::vectorized::<
            cross_entropy<B>,
            2,
            _,
            _,
        >((logits, labels, saved))
    }
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_reverse(
        labels: &[usize; B],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) -> () {
        let (exp, total, saved_2) = saved;
        let t = 1.0 / *saved_2 * y_bar;
        for i in 0..B {
            ::autodiff::__private::apart();
            let mut shifted_bar = [0.0_f64; 10];
            shifted_bar[labels[i]] = -t;
            let t_2 = 1.0 / total[i] * t;
            for j in 0..10 {
                shifted_bar[j] += exp[i][j] * t_2;
                logits_bar.0[i][j] += shifted_bar[j];
            }
        }
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) {
        Self::__reverse_leaves(labels, saved, y_bar, logits_bar)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse_leaves(
        labels: &[usize; B],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) {
        ::autodiff::__private::vectorized::<
            cross_entropy<B>,
            3,
            _,
            _,
        >((labels, saved, y_bar, logits_bar))
    }
    ///The value and the gradient of [`cross_entropy`].
    #[inline]
    pub fn value_and_grad(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
    ) -> (f64, Tensor2<f64, B, 10>) {
        ::autodiff::__private::returned::<Tensor2<f64, B, 10>>();
        let mut g = <Tensor2<f64, B, 10> as ::autodiff::__private::Zero>::ZERO;
        let y = Self::value_and_grad_into(logits, labels, &mut g);
        (y, g)
    }
    ///The gradient of [`cross_entropy`].
    #[inline]
    pub fn grad(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
    ) -> Tensor2<f64, B, 10> {
        Self::value_and_grad(logits, labels).1
    }
    ///The value of [`cross_entropy`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
    ) -> (f64, ::autodiff::Residuals<cross_entropy<B>>) {
        Self::__keep(logits, labels)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
    ) -> (f64, ::autodiff::Residuals<cross_entropy<B>>) {
        ::autodiff::__private::saved::<::autodiff::Residuals<cross_entropy<B>>>();
        let inputs = (*labels,);
        let mut saved = <Self as ::autodiff::__private::Sweeps>::EMPTY;
        let value = Self::__forward(logits, labels, &mut saved);
        (value, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<cross_entropy<B>>,
        y_bar: f64,
        logits_bar: &mut Tensor2<f64, B, 10>,
    ) {
        let (saved, (labels,), ..) = residuals.data();
        Self::__reverse_leaves(labels, saved, y_bar, logits_bar)
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(
        residuals: &::autodiff::Residuals<cross_entropy<B>>,
        seed: f64,
    ) -> Tensor2<f64, B, 10> {
        ::autodiff::__private::returned::<Tensor2<f64, B, 10>>();
        let mut logits_bar = <Tensor2<f64, B, 10> as ::autodiff::__private::Zero>::ZERO;
        Self::__pullback(residuals, seed, &mut logits_bar);
        logits_bar
    }
    ///The value of [`cross_entropy`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
    ) -> (f64, impl ::core::ops::Fn(f64) -> Tensor2<f64, B, 10> + use<B>) {
        let (y, residuals) = Self::forward(logits, labels);
        (y, move |seed: f64| Self::pullback(&residuals, seed))
    }
    ///The value of [`cross_entropy`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_dot: &Tensor2<f64, B, 10>,
    ) -> (f64, f64) {
        let mut t = 0.0_f64;
        let mut t_2 = 0.0_f64;
        for i in 0..B {
            let mut shifted = [0.0_f64; 10];
            let mut max = f64::NEG_INFINITY;
            let mut t_3 = 0.0_f64;
            for j in 0..10 {
                let logits_at = logits.0[i][j];
                max = ::autodiff::Real::max(max, logits_at);
                t_3 = ::autodiff::Real::max(
                    t_3,
                    if ::autodiff::Real::is_nan(logits_at) { 1.0_f64 } else { 0.0_f64 },
                );
            }
            let t_4 = if t_3 > 0.0 {
                f64::NEG_INFINITY - f64::NEG_INFINITY
            } else {
                max
            };
            let mut sum = 0.0_f64;
            let mut sum_2 = 0.0_f64;
            for j in 0..10 {
                let t_5 = logits.0[i][j] - t_4;
                shifted[j] = t_5;
                let t_6 = ::autodiff::Real::exp(t_5);
                sum += t_6 * logits_dot.0[i][j];
                sum_2 += t_6;
            }
            let labels_at = labels[i];
            t += ::autodiff::Real::ln(sum_2) - shifted[labels_at];
            t_2 += 1.0 / sum_2 * sum - logits_dot.0[i][labels_at];
        }
        let t_7 = B as f64;
        (t / t_7, 1.0 / t_7 * t_2)
    }
    #[doc(hidden)]
    pub fn hvp(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_dot: &Tensor2<f64, B, 10>,
    ) -> Tensor2<f64, B, 10>
    where
        for<'of> cross_entropy<B>: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    #[inline(always)]
    fn __vectorized_value(logits: &Tensor2<f64, B, 10>, labels: &[usize; B]) -> f64 {
        let mut t = 0.0_f64;
        for i in 0..B {
            let mut shifted = [0.0_f64; 10];
            let mut max = f64::NEG_INFINITY;
            let mut t_2 = 0.0_f64;
            for j in 0..10 {
                let logits_at = logits.0[i][j];
                max = ::autodiff::Real::max(max, logits_at);
                t_2 = ::autodiff::Real::max(
                    t_2,
                    if ::autodiff::Real::is_nan(logits_at) { 1.0_f64 } else { 0.0_f64 },
                );
            }
            let t_3 = if t_2 > 0.0 {
                f64::NEG_INFINITY - f64::NEG_INFINITY
            } else {
                max
            };
            let mut sum = 0.0_f64;
            for j in 0..10 {
                let t_4 = logits.0[i][j] - t_3;
                shifted[j] = t_4;
                sum += ::autodiff::Real::exp(t_4);
            }
            t += ::autodiff::Real::ln(sum) - shifted[labels[i]];
        }
        t / B as f64
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_dot_0: &[[__Wide; 10]; B],
    ) -> (f64, (__Wide,)) {
        let mut tangent_0: __Wide = ::autodiff::__private::lanes::Zeros::ZEROS;
        let (y, g) = Self::value_and_grad(logits, labels);
        ::autodiff::__private::lanes::WideLeaf::zip(
            logits_dot_0,
            &g.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        (y, (tangent_0,))
    }
    #[doc(hidden)]
    pub fn taylor<const K: usize>(
        logits: &Tensor2<f64, B, 10>,
        labels: &[usize; B],
        logits_dot: &Tensor2<f64, B, 10>,
    ) -> [f64; K]
    where
        for<'of> cross_entropy<B>: ::autodiff::__private::Taylor<'of>,
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
impl<
    const B: usize,
> ::autodiff::__private::Vectorized<
    0,
    (&Tensor2<f64, B, 10>, &[usize; B], &mut Tensor2<f64, B, 10>),
    f64,
> for cross_entropy<B> {
    #[inline(always)]
    fn run(
        (
            logits,
            labels,
            logits_bar,
        ): (&Tensor2<f64, B, 10>, &[usize; B], &mut Tensor2<f64, B, 10>),
    ) -> f64 {
        Self::__vectorized_accumulate_grad(logits, labels, logits_bar)
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
impl<
    const B: usize,
> ::autodiff::__private::Vectorized<
    1,
    (&Tensor2<f64, B, 10>, &[usize; B], &mut Tensor2<f64, B, 10>),
    f64,
> for cross_entropy<B> {
    #[inline(always)]
    fn run(
        (
            logits,
            labels,
            logits_bar,
        ): (&Tensor2<f64, B, 10>, &[usize; B], &mut Tensor2<f64, B, 10>),
    ) -> f64 {
        Self::__vectorized_set_grad(logits, labels, logits_bar)
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
impl<
    const B: usize,
> ::autodiff::__private::Vectorized<
    2,
    (
        &Tensor2<f64, B, 10>,
        &[usize; B],
        &mut <cross_entropy<B> as ::autodiff::__private::Sweeps>::Saved,
    ),
    f64,
> for cross_entropy<B> {
    #[inline(always)]
    fn run(
        (
            logits,
            labels,
            saved,
        ): (
            &Tensor2<f64, B, 10>,
            &[usize; B],
            &mut <cross_entropy<B> as ::autodiff::__private::Sweeps>::Saved,
        ),
    ) -> f64 {
        Self::__vectorized_forward(logits, labels, saved)
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
impl<
    const B: usize,
> ::autodiff::__private::Vectorized<
    3,
    (
        &[usize; B],
        &<cross_entropy<B> as ::autodiff::__private::Sweeps>::Saved,
        f64,
        &mut Tensor2<f64, B, 10>,
    ),
    (),
> for cross_entropy<B> {
    #[inline(always)]
    fn run(
        (
            labels,
            saved,
            y_bar,
            logits_bar,
        ): (
            &[usize; B],
            &<cross_entropy<B> as ::autodiff::__private::Sweeps>::Saved,
            f64,
            &mut Tensor2<f64, B, 10>,
        ),
    ) -> () {
        Self::__vectorized_reverse(labels, saved, y_bar, logits_bar)
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
impl<
    const B: usize,
> ::autodiff::__private::Vectorized<4, (&Tensor2<f64, B, 10>, &[usize; B]), f64>
for cross_entropy<B> {
    #[inline(always)]
    fn run((logits, labels): (&Tensor2<f64, B, 10>, &[usize; B])) -> f64 {
        Self::__vectorized_value(logits, labels)
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl < const B : usize > cross_entropy < B > {
    #[doc(hidden)] pub fn hessian_sparsity(logits : & Tensor2 < f64, B, 10 >, labels : &
    [usize; B]) -> ::autodiff::Sparsity where for < 'of > cross_entropy < B > :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_sparse(logits : & Tensor2 < f64, B, 10 >, labels : &
    [usize; B], pattern : & ::autodiff::Sparsity, values : & mut [f64]) where for < 'of >
    cross_entropy < B > : ::autodiff::__private::SecondOrder < 'of > {
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
impl<const B: usize> ::autodiff::__private::Sweeps for cross_entropy<B> {
    type Saved = ([[f64; 10]; B], [f64; B], f64);
    const EMPTY: Self::Saved = ([[0.0_f64; 10]; B], [0.0_f64; B], 0.0_f64);
    const EFFECTS: bool = false;
    const WORKSPACE_BYTES: usize = 3 * ::core::mem::size_of::<[f64; 10]>();
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
impl<const B: usize> ::autodiff::DifferentiableFn for cross_entropy<B> {
    type Residuals = ::autodiff::__private::Opaque<
        Self,
        (([[f64; 10]; B], [f64; B], f64), ([usize; B],)),
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
impl<
    const B: usize,
> ::autodiff::Callable<(&'static Tensor2<f64, B, 10>, &'static [usize; B])>
for cross_entropy<B> {
    type Output = f64;
    #[inline]
    fn call(args: (&Tensor2<f64, B, 10>, &[usize; B])) -> f64 {
        cross_entropy::<B>(args.0, args.1)
    }
    #[inline]
    fn jvp(
        (logits, labels): (&Tensor2<f64, B, 10>, &[usize; B]),
        (logits_dot, _): (&Tensor2<f64, B, 10>, ()),
    ) -> (f64, f64) {
        Self::jvp(logits, labels, logits_dot)
    }
    #[inline]
    fn __forward(
        (logits, labels): (&Tensor2<f64, B, 10>, &[usize; B]),
        saved: &mut Self::Saved,
    ) -> f64 {
        Self::__forward(logits, labels, saved)
    }
    #[inline]
    fn __reverse(
        (logits, labels): (&Tensor2<f64, B, 10>, &[usize; B]),
        saved: &Self::Saved,
        seed: &f64,
        (logits_bar, _): (&mut Tensor2<f64, B, 10>, ()),
    ) {
        Self::__reverse(logits, labels, saved, *seed, logits_bar)
    }
    #[inline]
    fn __keep(
        (logits, labels): (&Tensor2<f64, B, 10>, &[usize; B]),
    ) -> (f64, Self::Residuals) {
        Self::forward(logits, labels)
    }
    #[inline]
    fn __pullback(
        residuals: &Self::Residuals,
        seed: &f64,
        (logits_bar, _): (&mut Tensor2<f64, B, 10>, ()),
    ) {
        Self::__pullback(residuals, *seed, logits_bar)
    }
    #[inline]
    fn __accumulate(
        (logits, labels): (&Tensor2<f64, B, 10>, &[usize; B]),
        (logits_bar, _): (&mut Tensor2<f64, B, 10>, ()),
    ) -> f64 {
        Self::__accumulate(logits, labels, logits_bar)
    }
}
