// A loop over a const generic range. Nothing is kept per iteration: the forward and the reverse of each
// iteration run together.

#[allow(dead_code)]
pub fn rosenbrock<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        s += a * a + 100.0 * b * b;
    }
    s
}
#[doc(hidden)]
mod __autodiff_rosenbrock {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct rosenbrock<const N: usize> {}
}
///The derivatives of the function [`rosenbrock`](rosenbrock()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_rosenbrock::rosenbrock;
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_rosenbrock {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "rosenbrock" { const N, } {
        true & [f64; N], } { f64 } {} {} false body 1u8 1u8 false false "" {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_rosenbrock as rosenbrock;
#[automatically_derived]
impl<'kept, const N: usize> ::autodiff::__private::Keeps<'kept> for rosenbrock<N> {}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl<const N: usize> rosenbrock<N> {
    #[doc(hidden)]
    #[inline]
    pub fn __accumulate(x: &[f64; N], x_bar: &mut [f64; N]) -> f64 {
        let mut s = 0.0_f64;
        for i in 0..N - 1 {
            let x_at = x[i];
            let a = 1.0 - x_at;
            let b = x[i + 1] - x_at * x_at;
            let t = 100.0 * b;
            let b_bar = 2.0 * t;
            let t_2 = x_at * -b_bar;
            x_bar[i + 1] += b_bar;
            x_bar[i] += 2.0 * t_2 - 2.0 * a;
            s += a * a + t * b;
        }
        s
    }
    ///Adds the gradient of [`rosenbrock`] to `g` and returns the value.
    #[inline]
    pub fn accumulate_grad(x: &[f64; N], x_bar: &mut [f64; N]) -> f64 {
        Self::__accumulate(x, x_bar)
    }
    ///The value of [`rosenbrock`]; `g` becomes the gradient.
    #[inline]
    pub fn value_and_grad_into(x: &[f64; N], x_bar: &mut [f64; N]) -> f64 {
        ::autodiff::__private::Zero::set_zero(x_bar);
        let mut s = 0.0_f64;
        for i in 0..N - 1 {
            let x_at = x[i];
            let a = 1.0 - x_at;
            let b = x[i + 1] - x_at * x_at;
            let t = 100.0 * b;
            let b_bar = 2.0 * t;
            let t_2 = x_at * -b_bar;
            x_bar[i + 1] = b_bar;
            x_bar[i] += 2.0 * t_2 - 2.0 * a;
            s += a * a + t * b;
        }
        s
    }
    ///`g` becomes the gradient of [`rosenbrock`].
    #[inline]
    pub fn grad_into(x: &[f64; N], g: &mut [f64; N]) {
        Self::value_and_grad_into(x, g);
    }
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        x: &[f64; N],
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f64 {
        let mut s = 0.0_f64;
        for i in 0..N - 1 {
            let x_at = x[i];
            let a = 1.0 - x_at;
            let b = x[i + 1] - x_at * x_at;
            s += a * a + 100.0 * b * b;
        }
        s
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        x: &[f64; N],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        x_bar: &mut [f64; N],
    ) {
        Self::__reverse_leaves(x, saved, y_bar, x_bar)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse_leaves(
        x: &[f64; N],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        x_bar: &mut [f64; N],
    ) {
        for i in 0..N - 1 {
            let x_at = x[i];
            let b = x[i + 1] - x_at * x_at;
            let b_bar = 100.0 * b * y_bar + 100.0 * (b * y_bar);
            let a_bar = (1.0 - x_at) * y_bar;
            let t = x_at * -b_bar;
            x_bar[i + 1] += b_bar;
            x_bar[i] += 2.0 * t - 2.0 * a_bar;
        }
    }
    ///The value and the gradient of [`rosenbrock`].
    #[inline]
    pub fn value_and_grad(x: &[f64; N]) -> (f64, [f64; N]) {
        ::autodiff::__private::returned::<[f64; N]>();
        let mut g = <[f64; N] as ::autodiff::__private::Zero>::ZERO;
        let y = Self::value_and_grad_into(x, &mut g);
        (y, g)
    }
    ///The gradient of [`rosenbrock`].
    #[inline]
    pub fn grad(x: &[f64; N]) -> [f64; N] {
        Self::value_and_grad(x).1
    }
    ///The value of [`rosenbrock`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(x: &[f64; N]) -> (f64, ::autodiff::Residuals<rosenbrock<N>>) {
        Self::__keep(x)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(x: &[f64; N]) -> (f64, ::autodiff::Residuals<rosenbrock<N>>) {
        ::autodiff::__private::saved::<::autodiff::Residuals<rosenbrock<N>>>();
        let inputs = (*x,);
        let mut saved = <Self as ::autodiff::__private::Sweeps>::EMPTY;
        let value = Self::__forward(x, &mut saved);
        (value, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<rosenbrock<N>>,
        y_bar: f64,
        x_bar: &mut [f64; N],
    ) {
        let (saved, (x,), ..) = residuals.data();
        Self::__reverse_leaves(x, saved, y_bar, x_bar)
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(
        residuals: &::autodiff::Residuals<rosenbrock<N>>,
        seed: f64,
    ) -> [f64; N] {
        ::autodiff::__private::returned::<[f64; N]>();
        let mut x_bar = <[f64; N] as ::autodiff::__private::Zero>::ZERO;
        Self::__pullback(residuals, seed, &mut x_bar);
        x_bar
    }
    ///The value of [`rosenbrock`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(x: &[f64; N]) -> (f64, impl ::core::ops::Fn(f64) -> [f64; N] + use<N>) {
        let (y, residuals) = Self::forward(x);
        (y, move |seed: f64| Self::pullback(&residuals, seed))
    }
    ///The value of [`rosenbrock`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(x: &[f64; N], x_dot: &[f64; N]) -> (f64, f64) {
        let mut s = 0.0_f64;
        let mut s_dot = 0.0_f64;
        for i in 0..N - 1 {
            let x_at = x[i];
            let x_dot_at = x_dot[i];
            let a = 1.0 - x_at;
            let t = x_at * x_dot_at;
            let b = x[i + 1] - x_at * x_at;
            let b_dot = x_dot[i + 1] - 2.0 * t;
            let t_2 = a * -x_dot_at;
            let t_3 = 100.0 * b;
            s += a * a + t_3 * b;
            s_dot += 2.0 * t_2 + (b * (100.0 * b_dot) + t_3 * b_dot);
        }
        (s, s_dot)
    }
    #[doc(hidden)]
    pub fn hvp(x: &[f64; N], x_dot: &[f64; N]) -> [f64; N]
    where
        for<'of> rosenbrock<N>: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        x: &[f64; N],
        x_dot_0: &[__Wide; N],
    ) -> (f64, (__Wide,)) {
        let mut tangent_0: __Wide = ::autodiff::__private::lanes::Zeros::ZEROS;
        let (y, g) = Self::value_and_grad(x);
        ::autodiff::__private::lanes::WideLeaf::zip(
            x_dot_0,
            &g,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        (y, (tangent_0,))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jacobian(
        x: &[f64; N],
        block_0: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
    ) -> f64 {
        let (y, g) = Self::value_and_grad(x);
        ::autodiff::__private::jacobian::write_row(&g, 0, block_0);
        y
    }
    ///The value and the Jacobian of [`rosenbrock`].
    #[inline]
    pub fn value_and_jacobian(x: &[f64; N]) -> (f64, [f64; N]) {
        let mut block_0 = [<f64 as ::autodiff::Real>::ZERO; N];
        let mut j = block_0;
        let y = Self::value_and_jacobian_into(x, &mut j);
        (y, j)
    }
    ///The Jacobian of [`rosenbrock`]: a row for each number of the result, a column for each of the parameter.
    #[inline]
    pub fn jacobian(x: &[f64; N]) -> [f64; N] {
        Self::value_and_jacobian(x).1
    }
    ///The value of [`rosenbrock`]; `j` becomes the Jacobian.
    #[inline]
    pub fn value_and_jacobian_into(x: &[f64; N], j: &mut [f64; N]) -> f64 {
        Self::__jacobian(x, &mut (*j)[..])
    }
    ///`j` becomes the Jacobian of [`rosenbrock`].
    #[inline]
    pub fn jacobian_into(x: &[f64; N], j: &mut [f64; N]) {
        Self::value_and_jacobian_into(x, j);
    }
    ///The value of [`rosenbrock`] and its derivatives in the directions of `W` tangents.
    #[inline]
    pub fn jvp_many<const W: usize>(
        x: &[f64; N],
        x_dot: &[[f64; N]; W],
    ) -> (f64, [f64; W]) {
        const { ::core::assert!(W > 0, "there is at least one direction") };
        ::autodiff::__private::runs_again::<Self>();
        let mut value = ::core::option::Option::None;
        let tangents = ::core::array::from_fn(|lane| {
            let (y, tangent) = Self::jvp(x, &x_dot[lane]);
            value = ::core::option::Option::Some(y);
            tangent
        });
        (value.expect("there is at least one direction"), tangents)
    }
    ///The value of [`rosenbrock`] and the cotangents of its inputs, for each of `W` cotangents of the result.
    #[inline]
    pub fn vjp_many<const W: usize>(
        x: &[f64; N],
        seeds: &[f64; W],
    ) -> (f64, [[f64; N]; W]) {
        let (y, pullback) = Self::vjp(x);
        let cotangents = seeds.each_ref().map(|seed| pullback(*seed));
        (y, cotangents)
    }
    #[doc(hidden)]
    pub fn hessian(x: &[f64; N]) -> [[f64; N]; N]
    where
        for<'of> rosenbrock<N>: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn value_grad_hessian(x: &[f64; N]) -> (f64, [f64; N], [[f64; N]; N])
    where
        for<'of> rosenbrock<N>: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_into(x: &[f64; N], h: &mut [[f64; N]; N])
    where
        for<'of> rosenbrock<N>: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_diagonal(x: &[f64; N]) -> [f64; N]
    where
        for<'of> rosenbrock<N>: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn taylor<const K: usize>(x: &[f64; N], x_dot: &[f64; N]) -> [f64; K]
    where
        for<'of> rosenbrock<N>: ::autodiff::__private::Taylor<'of>,
    {
        ::core::unimplemented!()
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl < const N : usize > rosenbrock < N > {
    #[doc(hidden)] pub fn hessian_sparsity(x : & [f64; N]) -> ::autodiff::Sparsity where
    for < 'of > rosenbrock < N > : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn hessian_sparse(x : & [f64; N],
    pattern : & ::autodiff::Sparsity, values : & mut [f64]) where for < 'of > rosenbrock
    < N > : ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() } }
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
impl<const N: usize> ::autodiff::__private::Sweeps for rosenbrock<N> {
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
impl<const N: usize> ::autodiff::DifferentiableFn for rosenbrock<N> {
    type Residuals = ::autodiff::__private::Opaque<Self, ((), ([f64; N],))>;
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
impl<const N: usize> ::autodiff::Callable<(&'static [f64; N],)> for rosenbrock<N> {
    type Output = f64;
    #[inline]
    fn call(args: (&[f64; N],)) -> f64 {
        rosenbrock::<N>(args.0)
    }
    #[inline]
    fn jvp((x,): (&[f64; N],), (x_dot,): (&[f64; N],)) -> (f64, f64) {
        Self::jvp(x, x_dot)
    }
    #[inline]
    fn __forward((x,): (&[f64; N],), saved: &mut Self::Saved) -> f64 {
        Self::__forward(x, saved)
    }
    #[inline]
    fn __reverse(
        (x,): (&[f64; N],),
        saved: &Self::Saved,
        seed: &f64,
        (x_bar,): (&mut [f64; N],),
    ) {
        Self::__reverse(x, saved, *seed, x_bar)
    }
    #[inline]
    fn __keep((x,): (&[f64; N],)) -> (f64, Self::Residuals) {
        Self::forward(x)
    }
    #[inline]
    fn __pullback(residuals: &Self::Residuals, seed: &f64, (x_bar,): (&mut [f64; N],)) {
        Self::__pullback(residuals, *seed, x_bar)
    }
    #[inline]
    fn __accumulate((x,): (&[f64; N],), (x_bar,): (&mut [f64; N],)) -> f64 {
        Self::__accumulate(x, x_bar)
    }
}
