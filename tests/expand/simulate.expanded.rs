// Snapshots: no array is as long as the loop, which runs as often as the caller says. What is between them is
// computed again.

#[allow(dead_code)]
pub fn simulate(x0: f64, n: usize) -> f64 {
    let mut x = x0;
    for i in 0..n {
        x = x + 0.01 * x.sin() * (i as f64).cos();
    }
    x
}
#[doc(hidden)]
mod __autodiff_simulate {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct simulate {}
}
///The derivatives of the function [`simulate`](simulate()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_simulate::simulate;
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_simulate {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "simulate" {} { true f64,
        false usize, } { f64 } {} { ".cos" ".sin" "checkpoint" } false body 1u8 1u8 false
        false "" {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_simulate as simulate;
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for simulate {}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl simulate {
    #[doc(hidden)]
    #[inline]
    pub fn __accumulate(x0: f64, n: usize, x0_bar: &mut f64) -> f64 {
        let mut snapshots = [0.0_f64; 8];
        let mut places = [0usize; 8];
        let mut x0_2 = x0;
        let mut live = 0;
        let mut next = 0;
        let mut last = 0.0_f64;
        for i in 0..n {
            let (mut live_3, mut next_2) = if i == next {
                snapshots[live] = x0_2;
                places[live] = i;
                let live_2 = live + 1;
                (live_2, i + ::autodiff::__private::next_snapshot(n - i, 8 - live_2))
            } else {
                (live, next)
            };
            let mut last_2 = if n - i == 1 { x0_2 } else { last };
            x0_2 += 0.01 * ::autodiff::Real::sin(x0_2) * ::autodiff::Real::cos(i as f64);
            live = live_3;
            next = next_2;
            last = last_2;
        }
        let mut x_bar = 1.0_f64;
        for i in ::core::iter::Iterator::rev(0..n) {
            let top = live - 1;
            let from = places[top];
            let mut live_4 = if from == i { top } else { live };
            let x0_3 = snapshots[top];
            let (mut x0_4, mut from_2) = if n - i == 1 {
                (last, i)
            } else {
                (x0_3, from)
            };
            let mut x0_5 = x0_4;
            let mut live_5 = live_4;
            let mut next_3 = from_2
                + ::autodiff::__private::next_snapshot(i + 1 - from_2, 8 - live_4);
            for j in from_2..i {
                let (mut live_7, mut next_4) = if j == next_3 {
                    snapshots[live_5] = x0_5;
                    places[live_5] = j;
                    let live_6 = live_5 + 1;
                    (
                        live_6,
                        j + ::autodiff::__private::next_snapshot(i + 1 - j, 8 - live_6),
                    )
                } else {
                    (live_5, next_3)
                };
                x0_5
                    += 0.01 * ::autodiff::Real::sin(x0_5)
                        * ::autodiff::Real::cos(j as f64);
                live_5 = live_7;
                next_3 = next_4;
            }
            x_bar
                += ::autodiff::Real::cos(x0_5)
                    * (0.01 * (::autodiff::Real::cos(i as f64) * x_bar));
            live = live_5;
        }
        *x0_bar += x_bar;
        x0_2
    }
    ///Adds the gradient of [`simulate`] to `g` and returns the value.
    #[inline]
    pub fn accumulate_grad(x0: f64, n: usize, x0_bar: &mut f64) -> f64 {
        Self::__accumulate(x0, n, x0_bar)
    }
    ///The value of [`simulate`]; `g` becomes the gradient.
    #[inline]
    pub fn value_and_grad_into(x0: f64, n: usize, g: &mut f64) -> f64 {
        ::autodiff::__private::Zero::set_zero(g);
        Self::accumulate_grad(x0, n, g)
    }
    ///`g` becomes the gradient of [`simulate`].
    #[inline]
    pub fn grad_into(x0: f64, n: usize, g: &mut f64) {
        Self::value_and_grad_into(x0, n, g);
    }
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        x0: f64,
        n: usize,
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f64 {
        let (snapshots, places, live, last) = saved;
        let mut x0_2 = x0;
        let mut live_2 = 0;
        let mut next = 0;
        for i in 0..n {
            let (mut live_4, mut next_2) = if i == next {
                snapshots[live_2] = x0_2;
                places[live_2] = i;
                let live_3 = live_2 + 1;
                (live_3, i + ::autodiff::__private::next_snapshot(n - i, 8 - live_3))
            } else {
                (live_2, next)
            };
            if n - i == 1 {
                last[0] = x0_2;
            }
            x0_2 += 0.01 * ::autodiff::Real::sin(x0_2) * ::autodiff::Real::cos(i as f64);
            live_2 = live_4;
            next = next_2;
        }
        *live = live_2;
        x0_2
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        x0: f64,
        n: usize,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        x0_bar: &mut f64,
    ) {
        Self::__reverse_leaves(n, saved, y_bar, x0_bar)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse_leaves(
        n: usize,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        x0_bar: &mut f64,
    ) {
        let (snapshots, places, live, last) = saved;
        let mut snapshots_2 = *snapshots;
        let mut places_2 = *places;
        let mut x_bar = y_bar;
        let mut live_2 = *live;
        for i in ::core::iter::Iterator::rev(0..n) {
            let top = live_2 - 1;
            let from = places_2[top];
            let mut live_3 = if from == i { top } else { live_2 };
            let x0 = snapshots_2[top];
            let (mut x0_2, mut from_2) = if n - i == 1 {
                (last[0], i)
            } else {
                (x0, from)
            };
            let mut x0_3 = x0_2;
            let mut live_4 = live_3;
            let mut next = from_2
                + ::autodiff::__private::next_snapshot(i + 1 - from_2, 8 - live_3);
            for j in from_2..i {
                let (mut live_6, mut next_2) = if j == next {
                    snapshots_2[live_4] = x0_3;
                    places_2[live_4] = j;
                    let live_5 = live_4 + 1;
                    (
                        live_5,
                        j + ::autodiff::__private::next_snapshot(i + 1 - j, 8 - live_5),
                    )
                } else {
                    (live_4, next)
                };
                x0_3
                    += 0.01 * ::autodiff::Real::sin(x0_3)
                        * ::autodiff::Real::cos(j as f64);
                live_4 = live_6;
                next = next_2;
            }
            x_bar
                += ::autodiff::Real::cos(x0_3)
                    * (0.01 * (::autodiff::Real::cos(i as f64) * x_bar));
            live_2 = live_4;
        }
        *x0_bar += x_bar;
    }
    ///The value and the gradient of [`simulate`].
    #[inline]
    pub fn value_and_grad(x0: f64, n: usize) -> (f64, f64) {
        let mut g = <f64 as ::autodiff::__private::Zero>::ZERO;
        let y = Self::accumulate_grad(x0, n, &mut g);
        (y, g)
    }
    ///The gradient of [`simulate`].
    #[inline]
    pub fn grad(x0: f64, n: usize) -> f64 {
        Self::value_and_grad(x0, n).1
    }
    ///The value of [`simulate`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(x0: f64, n: usize) -> (f64, ::autodiff::Residuals<simulate>) {
        Self::__keep(x0, n)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(x0: f64, n: usize) -> (f64, ::autodiff::Residuals<simulate>) {
        let inputs = (n,);
        let mut saved = <Self as ::autodiff::__private::Sweeps>::EMPTY;
        let value = Self::__forward(x0, n, &mut saved);
        (value, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<simulate>,
        y_bar: f64,
        x0_bar: &mut f64,
    ) {
        let (saved, (n,), ..) = residuals.data();
        Self::__reverse_leaves(*n, saved, y_bar, x0_bar)
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(residuals: &::autodiff::Residuals<simulate>, seed: f64) -> f64 {
        let mut x0_bar = <f64 as ::autodiff::__private::Zero>::ZERO;
        Self::__pullback(residuals, seed, &mut x0_bar);
        x0_bar
    }
    ///The value of [`simulate`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(x0: f64, n: usize) -> (f64, impl ::core::ops::Fn(f64) -> f64 + use<>) {
        let (y, residuals) = Self::forward(x0, n);
        (y, move |seed: f64| Self::pullback(&residuals, seed))
    }
    ///The value of [`simulate`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(x0: f64, n: usize, x0_dot: f64) -> (f64, f64) {
        let mut x0_2 = x0;
        let mut x0_dot_2 = x0_dot;
        for i in 0..n {
            let t = ::autodiff::Real::cos(i as f64);
            let x_dot = x0_dot_2 + t * (0.01 * (::autodiff::Real::cos(x0_2) * x0_dot_2));
            x0_2 += 0.01 * ::autodiff::Real::sin(x0_2) * t;
            x0_dot_2 = x_dot;
        }
        (x0_2, x0_dot_2)
    }
    #[doc(hidden)]
    pub fn hvp(x0: f64, n: usize, x0_dot: f64) -> f64
    where
        for<'of> simulate: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        x0: f64,
        n: usize,
        x0_dot_0: __Wide,
    ) -> (f64, (__Wide,)) {
        let mut tangent_0: __Wide = ::autodiff::__private::lanes::Zeros::ZEROS;
        let (y, g) = Self::value_and_grad(x0, n);
        ::autodiff::__private::lanes::WideLeaf::zip(
            &x0_dot_0,
            &g,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        (y, (tangent_0,))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jacobian(
        x0: f64,
        n: usize,
        block_0: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
    ) -> f64 {
        let (y, g) = Self::value_and_grad(x0, n);
        ::autodiff::__private::jacobian::write_row(&g, 0, block_0);
        y
    }
    ///The value and the Jacobian of [`simulate`].
    #[inline]
    pub fn value_and_jacobian(x0: f64, n: usize) -> (f64, f64) {
        let mut block_0 = <f64 as ::autodiff::Real>::ZERO;
        let mut j = block_0;
        let y = Self::value_and_jacobian_into(x0, n, &mut j);
        (y, j)
    }
    ///The Jacobian of [`simulate`]: a row for each number of the result, a column for each of the parameter.
    #[inline]
    pub fn jacobian(x0: f64, n: usize) -> f64 {
        Self::value_and_jacobian(x0, n).1
    }
    ///The value of [`simulate`]; `j` becomes the Jacobian.
    #[inline]
    pub fn value_and_jacobian_into(x0: f64, n: usize, j: &mut f64) -> f64 {
        Self::__jacobian(x0, n, ::core::slice::from_mut(j))
    }
    ///`j` becomes the Jacobian of [`simulate`].
    #[inline]
    pub fn jacobian_into(x0: f64, n: usize, j: &mut f64) {
        Self::value_and_jacobian_into(x0, n, j);
    }
    ///The value of [`simulate`] and its derivatives in the directions of `W` tangents.
    #[inline]
    pub fn jvp_many<const W: usize>(
        x0: f64,
        n: usize,
        x0_dot: &[f64; W],
    ) -> (f64, [f64; W]) {
        const { ::core::assert!(W > 0, "there is at least one direction") };
        ::autodiff::__private::runs_again::<Self>();
        let mut value = ::core::option::Option::None;
        let tangents = ::core::array::from_fn(|lane| {
            let (y, tangent) = Self::jvp(x0, n, x0_dot[lane]);
            value = ::core::option::Option::Some(y);
            tangent
        });
        (value.expect("there is at least one direction"), tangents)
    }
    ///The value of [`simulate`] and the cotangents of its inputs, for each of `W` cotangents of the result.
    #[inline]
    pub fn vjp_many<const W: usize>(
        x0: f64,
        n: usize,
        seeds: &[f64; W],
    ) -> (f64, [f64; W]) {
        let (y, pullback) = Self::vjp(x0, n);
        let cotangents = seeds.each_ref().map(|seed| pullback(*seed));
        (y, cotangents)
    }
    #[doc(hidden)]
    pub fn hessian(x0: f64, n: usize) -> f64
    where
        for<'of> simulate: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn value_grad_hessian(x0: f64, n: usize) -> (f64, f64, f64)
    where
        for<'of> simulate: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_into(x0: f64, n: usize, h: &mut f64)
    where
        for<'of> simulate: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_diagonal(x0: f64, n: usize) -> f64
    where
        for<'of> simulate: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn taylor<const K: usize>(x0: f64, n: usize, x0_dot: f64) -> [f64; K]
    where
        for<'of> simulate: ::autodiff::__private::Taylor<'of>,
    {
        ::core::unimplemented!()
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl simulate { #[doc(hidden)] pub fn
    hessian_sparsity(x0 : f64, n : usize) -> ::autodiff::Sparsity where for < 'of >
    simulate : ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_sparse(x0 : f64, n : usize, pattern : &
    ::autodiff::Sparsity, values : & mut [f64]) where for < 'of > simulate :
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
impl ::autodiff::__private::Sweeps for simulate {
    type Saved = ([f64; 8], [usize; 8], usize, [f64; 1]);
    const EMPTY: Self::Saved = ([0.0_f64; 8], [0usize; 8], 0usize, [0.0_f64; 1]);
    const EFFECTS: bool = false;
    const WORKSPACE_BYTES: usize = ::core::mem::size_of::<[f64; 8]>()
        + ::core::mem::size_of::<[usize; 8]>();
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
impl ::autodiff::DifferentiableFn for simulate {
    type Residuals = ::autodiff::__private::Opaque<
        Self,
        (([f64; 8], [usize; 8], usize, [f64; 1]), (usize,)),
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
impl ::autodiff::Callable<(f64, usize)> for simulate {
    type Output = f64;
    #[inline]
    fn call(args: (f64, usize)) -> f64 {
        simulate(args.0, args.1)
    }
    #[inline]
    fn jvp((x0, n): (f64, usize), (x0_dot, _): (f64, ())) -> (f64, f64) {
        Self::jvp(x0, n, x0_dot)
    }
    #[inline]
    fn __forward((x0, n): (f64, usize), saved: &mut Self::Saved) -> f64 {
        Self::__forward(x0, n, saved)
    }
    #[inline]
    fn __reverse(
        (x0, n): (f64, usize),
        saved: &Self::Saved,
        seed: &f64,
        (x0_bar, _): (&mut f64, ()),
    ) {
        Self::__reverse(x0, n, saved, *seed, x0_bar)
    }
    #[inline]
    fn __keep((x0, n): (f64, usize)) -> (f64, Self::Residuals) {
        Self::forward(x0, n)
    }
    #[inline]
    fn __pullback(residuals: &Self::Residuals, seed: &f64, (x0_bar, _): (&mut f64, ())) {
        Self::__pullback(residuals, *seed, x0_bar)
    }
    #[inline]
    fn __accumulate((x0, n): (f64, usize), (x0_bar, _): (&mut f64, ())) -> f64 {
        Self::__accumulate(x0, n, x0_bar)
    }
}
