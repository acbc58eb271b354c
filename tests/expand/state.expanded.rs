// What changes: an array by `&mut`, whose cotangent is in-out, and a `Vec` that grows. A small function is taken into its caller, and
// one whose loop has a length of run time is called.

#[allow(dead_code)]
pub fn step(state: &mut [f64; 2], rate: f64) {
    let force = -state[0].sin();
    state[1] += rate * force;
    state[0] += rate * state[1];
}
#[doc(hidden)]
mod __autodiff_step {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct step {}
}
///The derivatives of the function [`step`](step()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_step::step;
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_step {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "step" {} { true & mut [f64;
        2], true f64, } { () } {} { ".sin" } false body 1u8 1u8 false false "" {
        "fn step(%0.state: f64[2], %1.rate: f64) {\n    %2: usize = dim[0]\n    %3: f64 = get %0.state %2\n    %4: f64 = sin %3\n    %5.force: f64 = neg %4\n    %6: f64 = mul %1.rate %5.force\n    %7: usize = dim[1]\n    %8.state: f64[2] = acc %0.state %6 %7\n    %9: usize = dim[1]\n    %10: f64 = get %8.state %9\n    %11: f64 = mul %1.rate %10\n    %12: usize = dim[0]\n    %13.state: f64[2] = acc %8.state %11 %12\n    return %13.state\n}\n"
        } } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_step as step;
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for step {}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl step {
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        state: &mut [f64; 2],
        rate: f64,
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> () {
        let ([state_at, force, state_at_2],) = saved;
        let state_at_3 = state[0];
        let force_2 = -::autodiff::Real::sin(state_at_3);
        state[1] += rate * force_2;
        let state_at_4 = state[1];
        state[0] += rate * state_at_4;
        *state_at = state_at_3;
        *force = force_2;
        *state_at_2 = state_at_4;
        let result = ();
        result
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        rate: f64,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        state_bar: &mut [f64; 2],
        rate_bar: &mut f64,
    ) {
        let ([saved_2, force, saved_3],) = saved;
        let state_bar_at = state_bar[0];
        state_bar[1] += rate * state_bar_at;
        let state_bar_at_2 = state_bar[1];
        state_bar[0] += ::autodiff::Real::cos(*saved_2) * -(rate * state_bar_at_2);
        let rate_bar_2 = *saved_3 * state_bar_at + *force * state_bar_at_2;
        *rate_bar += rate_bar_2;
    }
    ///The value of [`step`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(
        state: &mut [f64; 2],
        rate: f64,
    ) -> ((), ::autodiff::Residuals<step>) {
        Self::__keep(state, rate)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(state: &mut [f64; 2], rate: f64) -> ((), ::autodiff::Residuals<step>) {
        let inputs = (rate,);
        let state_at = state[0];
        let force = -::autodiff::Real::sin(state_at);
        state[1] += rate * force;
        let state_at_2 = state[1];
        state[0] += rate * state_at_2;
        let saved = ([state_at, force, state_at_2],);
        let result = ();
        (result, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<step>,
        state_bar: &mut [f64; 2],
        rate_bar: &mut f64,
    ) {
        let (saved, (rate,), ..) = residuals.data();
        let ([saved_2, force, saved_3],) = saved;
        let state_bar_at = state_bar[0];
        state_bar[1] += *rate * state_bar_at;
        let state_bar_at_2 = state_bar[1];
        state_bar[0] += ::autodiff::Real::cos(*saved_2) * -(*rate * state_bar_at_2);
        let rate_bar_2 = *saved_3 * state_bar_at + *force * state_bar_at_2;
        *rate_bar += rate_bar_2;
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(
        residuals: &::autodiff::Residuals<step>,
        seed: (),
        g: ([f64; 2], f64),
    ) -> ([f64; 2], f64) {
        let (mut state_bar, mut rate_bar) = g;
        Self::__pullback(residuals, &mut state_bar, &mut rate_bar);
        (state_bar, rate_bar)
    }
    ///The value of [`step`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(
        state: &mut [f64; 2],
        rate: f64,
    ) -> ((), impl ::core::ops::Fn((), ([f64; 2], f64)) -> ([f64; 2], f64) + use<>) {
        let (y, residuals) = Self::forward(state, rate);
        (y, move |seed: (), g: ([f64; 2], f64)| Self::pullback(&residuals, seed, g))
    }
    ///The value of [`step`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(
        state: &mut [f64; 2],
        rate: f64,
        state_dot: &mut [f64; 2],
        rate_dot: f64,
    ) -> ((), ()) {
        let state_at = state[0];
        let force = -::autodiff::Real::sin(state_at);
        state[1] += rate * force;
        state_dot[1]
            += force * rate_dot
                + rate * -(::autodiff::Real::cos(state_at) * state_dot[0]);
        let state_at_2 = state[1];
        state[0] += rate * state_at_2;
        state_dot[0] += state_at_2 * rate_dot + rate * state_dot[1];
        let result = ();
        let result_2 = ();
        (result, result_2)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        state: &mut [f64; 2],
        rate: f64,
        state_dot_0: &mut [__Wide; 2],
        rate_dot_0: __Wide,
    ) -> ((), ()) {
        let state_at = state[0];
        let force = -::autodiff::Real::sin(state_at);
        state[1] += rate * force;
        state_dot_0[1] = state_dot_0[1]
            + (rate_dot_0 * force
                + -(state_dot_0[0] * ::autodiff::Real::cos(state_at)) * rate);
        let state_at_2 = state[1];
        state[0] += rate * state_at_2;
        state_dot_0[0] = state_dot_0[0]
            + (rate_dot_0 * state_at_2 + state_dot_0[1] * rate);
        let result = ();
        (result, ())
    }
    #[doc(hidden)]
    pub fn jacobian(state: &mut [f64; 2], rate: f64) -> ([[f64; 2]; 0], [f64; 0])
    where
        for<'of> step: ::autodiff::__private::jacobian::LeavesArguments<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn value_and_jacobian(
        state: &mut [f64; 2],
        rate: f64,
    ) -> ((), ([[f64; 2]; 0], [f64; 0]))
    where
        for<'of> step: ::autodiff::__private::jacobian::LeavesArguments<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn jacobian_into(
        state: &mut [f64; 2],
        rate: f64,
        j: &mut ([[f64; 2]; 0], [f64; 0]),
    )
    where
        for<'of> step: ::autodiff::__private::jacobian::LeavesArguments<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn value_and_jacobian_into(
        state: &mut [f64; 2],
        rate: f64,
        j: &mut ([[f64; 2]; 0], [f64; 0]),
    ) -> ()
    where
        for<'of> step: ::autodiff::__private::jacobian::LeavesArguments<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn jvp_many<const W: usize>(
        state: &mut [f64; 2],
        rate: f64,
        state_dot: &[[f64; 2]; W],
        rate_dot: &[f64; W],
    ) -> ((), [(); W])
    where
        for<'of> step: ::autodiff::__private::jacobian::LeavesArguments<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn vjp_many<const W: usize>(
        state: &mut [f64; 2],
        rate: f64,
        seeds: &[(); W],
    ) -> ((), [([f64; 2], f64); W])
    where
        for<'of> step: ::autodiff::__private::jacobian::LeavesArguments<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn gauss_newton(
        state: &mut [f64; 2],
        rate: f64,
    ) -> ((([[f64; 2]; 2], [f64; 2]), ([f64; 2], f64)), ([f64; 2], f64))
    where
        for<'of> step: ::autodiff::__private::jacobian::LeavesArguments<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn taylor<const K: usize>(
        state: &mut [f64; 2],
        rate: f64,
        state_dot: &mut [f64; 2],
        rate_dot: f64,
    ) -> [(); K]
    where
        for<'of> step: ::autodiff::__private::jacobian::LeavesArguments<'of>,
    {
        ::core::unimplemented!()
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl step { #[doc(hidden)] pub fn
    sparsity(state : & mut [f64; 2], rate : f64) -> ::autodiff::Sparsity where for < 'of
    > step : ::autodiff::__private::jacobian::LeavesArguments < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn jacobian_sparse(state : & mut [f64;
    2], rate : f64, pattern : & ::autodiff::Sparsity, values : & mut [f64]) where for <
    'of > step : ::autodiff::__private::jacobian::LeavesArguments < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn value_and_jacobian_sparse(state : &
    mut [f64; 2], rate : f64, pattern : & ::autodiff::Sparsity, values : & mut [f64]) ->
    () where for < 'of > step : ::autodiff::__private::jacobian::LeavesArguments < 'of >
    { ::core::unimplemented!() } #[doc(hidden)] pub fn gauss_newton_sparse(state : & mut
    [f64; 2], rate : f64, pattern : & ::autodiff::Sparsity, products : &
    ::autodiff::Sparsity, h : & mut [f64]) -> ::autodiff::__private::Vec < f64 > where
    for < 'of > step : ::autodiff::__private::jacobian::LeavesArguments < 'of > {
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
impl ::autodiff::__private::Sweeps for step {
    type Saved = ([f64; 3],);
    const EMPTY: Self::Saved = ([0.0_f64; 3],);
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
impl ::autodiff::DifferentiableFn for step {
    type Residuals = ::autodiff::__private::Opaque<Self, (([f64; 3],), (f64,))>;
    const RESIDUAL_BYTES: usize = ::core::mem::size_of::<Self::Residuals>();
    const WORKSPACE_BYTES: usize = <Self as ::autodiff::__private::Sweeps>::WORKSPACE_BYTES;
}
#[allow(dead_code)]
pub fn damp(state: &mut [f64], by: f64) {
    for x in state.iter_mut() {
        *x *= by;
    }
}
#[doc(hidden)]
mod __autodiff_damp {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct damp {}
}
///The derivatives of the function [`damp`](damp()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_damp::damp;
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_damp {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "damp" {} { true & mut [f64],
        true f64, } { () } {} { ".iter_mut" } false body 1u8 1u8 false false "" {
        "fn damp(%0.state: f64[%1], %2.by: f64) {\n    %1.state_len: usize = len %0.state\n    %8.state: f64[%1] = for 0..%1 %0.state |%3.i: usize, %4.state: f64[%1]| {\n        %5: f64 = get %4.state %3.i\n        %6: f64 = mul %5 %2.by\n        %7.state: f64[%1] = set %4.state %6 %3.i\n        yield %7.state\n    }\n    return %8.state\n}\n"
        } } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_damp as damp;
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for damp {}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl damp { #[doc(hidden)] #[inline] pub fn
    __jvp_wide < __Wide : ::autodiff::__private::Wide < f64 > > (state : & mut [f64], by
    : f64, state_dot_0 : & mut [__Wide], by_dot_0 : __Wide) -> ((), ()) {
    ::autodiff::__private::vectorized_lanes:: < damp, 5, _, _ > ((state, by, state_dot_0,
    by_dot_0,)) } #[doc(hidden)] #[inline(always)] fn __vectorized_jvp_wide < __Wide :
    ::autodiff::__private::Wide < f64 > > (state : & mut [f64], by : f64, state_dot_0 : &
    mut [__Wide], by_dot_0 : __Wide) -> ((), ()) { let state_len = state.len(); for i in
    0..state_len { let state_at = state[i]; state[i] = state_at * by; state_dot_0[i] =
    state_dot_0[i] * by + by_dot_0 * state_at; } let result = (); (result, ()) }
    #[doc(hidden)] pub fn jacobian(state : & mut [f64], by : f64) ->
    ([::autodiff::__private::Vec < f64 >; 0], [f64; 0]) where for < 'of > damp :
    ::autodiff::__private::jacobian::LeavesArguments < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn value_and_jacobian(state : & mut [f64], by : f64) -> ((),
    ([::autodiff::__private::Vec < f64 >; 0], [f64; 0])) where for < 'of > damp :
    ::autodiff::__private::jacobian::LeavesArguments < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn jacobian_into(state : & mut [f64], by : f64, j : (& mut [f64],
    & mut [f64])) where for < 'of > damp :
    ::autodiff::__private::jacobian::LeavesArguments < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn value_and_jacobian_into(state : & mut [f64], by : f64, j : (&
    mut [f64], & mut [f64])) -> () where for < 'of > damp :
    ::autodiff::__private::jacobian::LeavesArguments < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn jvp_many < const W : usize > (state : & mut [f64], by : f64,
    state_dot : & [impl ::core::convert::AsRef < [f64] >; W], by_dot : & [f64; W]) ->
    ((), [(); W]) where for < 'of > damp :
    ::autodiff::__private::jacobian::LeavesArguments < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn vjp_many < const W : usize > (state : & mut [f64], by : f64,
    seeds : & [(); W]) -> ((), [(::autodiff::__private::Vec < f64 >, f64); W]) where for
    < 'of > damp : ::autodiff::__private::jacobian::LeavesArguments < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn gauss_newton(state : & mut [f64], by
    : f64) -> (((::autodiff::__private::Vec < ::autodiff::__private::Vec < f64 > >,
    ::autodiff::__private::Vec < f64 >), (::autodiff::__private::Vec < f64 >, f64)),
    (::autodiff::__private::Vec < f64 >, f64)) where for < 'of > damp :
    ::autodiff::__private::jacobian::LeavesArguments < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn taylor < const K : usize > (state : & mut [f64], by : f64,
    state_dot : & mut [f64], by_dot : f64) -> [(); K] where for < 'of > damp :
    ::autodiff::__private::jacobian::LeavesArguments < 'of > { ::core::unimplemented!() }
    } #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl < __Wide : ::autodiff::__private::Wide <
    f64 > > ::autodiff::__private::Vectorized < 5, (& mut [f64], f64, & mut [__Wide],
    __Wide,), ((), ()) > for damp { #[inline(always)] fn run((state, by, state_dot_0,
    by_dot_0,) : (& mut [f64], f64, & mut [__Wide], __Wide,)) -> ((), ()) {
    Self::__vectorized_jvp_wide(state, by, state_dot_0, by_dot_0) } }
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
impl damp {
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        state: &mut [f64],
        by: f64,
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> () {
        let (state_len, saved_2) = saved;
        let state_len_2 = state.len();
        let history = ::autodiff::__private::zeros_in(saved_2, 0.0_f64, state_len_2);
        for i in 0..state_len_2 {
            let state_at = state[i];
            state[i] = state_at * by;
            history[i] = state_at;
        }
        *state_len = state_len_2;
        let result = ();
        result
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        by: f64,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        state_bar: &mut [f64],
        by_bar: &mut f64,
    ) {
        let (state_len, saved_2) = saved;
        let mut t = 0.0_f64;
        let count = usize::saturating_sub(*state_len, 0);
        let t_from_whole = if 0 < *state_len {
            &saved_2[(0)..][..count]
        } else {
            &saved_2[..0]
        };
        let state_bar_from_whole = if 0 < *state_len {
            &mut state_bar[(0)..][..count]
        } else {
            &mut state_bar[..0]
        };
        let chunked = count / 8 * 8;
        if chunked > 0 {
            let mut lanes = [0.0_f64; 8];
            for chunk in 0..chunked / 8 {
                let mut t_from = *::autodiff::__private::chunk::<
                    _,
                    8,
                >(&t_from_whole[..], chunk);
                let mut state_bar_from = *::autodiff::__private::chunk::<
                    _,
                    8,
                >(&state_bar_from_whole[..], chunk);
                for at in 0..8 {
                    let i = (0) + 8 * chunk + at;
                    let mut t = lanes[at];
                    let state_bar_at = state_bar_from[at];
                    state_bar_from[at] = 0.0;
                    state_bar_from[at] += by * state_bar_at;
                    t += t_from[at] * state_bar_at;
                    lanes[at] = t;
                }
                *::autodiff::__private::chunk_mut::<
                    _,
                    8,
                >(&mut state_bar_from_whole[..], chunk) = state_bar_from;
            }
            t += ::autodiff::__private::sum_of_lanes(lanes);
        }
        let t_from = t_from_whole;
        let state_bar_from = state_bar_from_whole;
        for at in chunked..count {
            let i = (0) + at;
            let state_bar_at = state_bar_from[at];
            state_bar_from[at] = 0.0;
            state_bar_from[at] += by * state_bar_at;
            t += t_from[at] * state_bar_at;
        }
        *by_bar += t;
    }
    ///The value of [`damp`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(
        state: &mut [f64],
        by: f64,
        state_dot: &mut [f64],
        by_dot: f64,
    ) -> ((), ()) {
        ::core::assert!(
            state_dot.len() == state.len(),
            "the derivative by `state` is as long as `state`"
        );
        let state_len = state.len();
        for i in 0..state_len {
            let state_at = state[i];
            state[i] = state_at * by;
            state_dot[i] = by * state_dot[i] + state_at * by_dot;
        }
        let result = ();
        let result_2 = ();
        (result, result_2)
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl damp { #[doc(hidden)] pub fn
    sparsity(state : & mut [f64], by : f64) -> ::autodiff::Sparsity where for < 'of >
    damp : ::autodiff::__private::jacobian::LeavesArguments < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn jacobian_sparse(state : & mut [f64],
    by : f64, pattern : & ::autodiff::Sparsity, values : & mut [f64]) where for < 'of >
    damp : ::autodiff::__private::jacobian::LeavesArguments < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn value_and_jacobian_sparse(state : &
    mut [f64], by : f64, pattern : & ::autodiff::Sparsity, values : & mut [f64]) -> ()
    where for < 'of > damp : ::autodiff::__private::jacobian::LeavesArguments < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn gauss_newton_sparse(state : & mut
    [f64], by : f64, pattern : & ::autodiff::Sparsity, products : & ::autodiff::Sparsity,
    h : & mut [f64]) -> ::autodiff::__private::Vec < f64 > where for < 'of > damp :
    ::autodiff::__private::jacobian::LeavesArguments < 'of > { ::core::unimplemented!() }
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl damp { #[doc =
    "The value of [`damp`] and what its reverse sweep needs."] #[inline] pub fn
    forward(state : & mut [f64], by : f64) -> ((), ::autodiff::Residuals < damp >) {
    Self::__keep(state, by) } #[doc(hidden)] #[inline] pub fn __keep(state : & mut [f64],
    by : f64) -> ((), ::autodiff::Residuals < damp >) { let inputs = (by,); let state_len
    = state.len(); let mut history = ::autodiff::__private::vec![0.0_f64; state_len]; for
    i in 0..state_len { let state_at = state[i]; state[i] = state_at * by; history[i] =
    state_at; } let saved = (state_len, history,); let result = (); (result,
    ::autodiff::__private::Opaque::new((saved, inputs, (::autodiff::__private::zeros(&
    state[..]),)))) } #[doc(hidden)] #[inline] pub fn __pullback(residuals : &
    ::autodiff::Residuals < damp >, state_bar : & mut [f64], by_bar : & mut f64) { let
    (saved, (by,), ..) = residuals.data(); let (state_len, saved_2,) = saved; let mut t =
    0.0_f64; let count = usize::saturating_sub(* state_len, 0); let t_from_whole = if 0 <
    * state_len { & saved_2[(0)..] [..count] } else { & saved_2[..0] }; let
    state_bar_from_whole = if 0 < * state_len { & mut state_bar[(0)..] [..count] } else {
    & mut state_bar[..0] }; let chunked = count / 8 * 8; if chunked > 0 { let mut lanes =
    [0.0_f64; 8]; for chunk in 0..chunked / 8 { let mut t_from = *
    ::autodiff::__private::chunk:: < _, 8 > (& t_from_whole[..], chunk); let mut
    state_bar_from = * ::autodiff::__private::chunk:: < _, 8 > (&
    state_bar_from_whole[..], chunk); for at in 0..8 { let i = (0) + 8 * chunk + at; let
    mut t = lanes[at]; let state_bar_at = state_bar_from[at]; state_bar_from[at] = 0.0;
    state_bar_from[at] += * by * state_bar_at; t += t_from[at] * state_bar_at; lanes[at]
    = t; } * ::autodiff::__private::chunk_mut:: < _, 8 > (& mut state_bar_from_whole[..],
    chunk) = state_bar_from; } t += ::autodiff::__private::sum_of_lanes(lanes); } let
    t_from = t_from_whole; let state_bar_from = state_bar_from_whole; for at in chunked
    ..count { let i = (0) + at; let state_bar_at = state_bar_from[at]; state_bar_from[at]
    = 0.0; state_bar_from[at] += * by * state_bar_at; t += t_from[at] * state_bar_at; } *
    by_bar += t; } #[doc = r" The cotangents of the inputs, from those of the results."]
    #[inline] pub fn pullback(residuals : & ::autodiff::Residuals < damp >, seed : (), g
    : (::autodiff::__private::Vec < f64 >, f64)) -> (::autodiff::__private::Vec < f64 >,
    f64) { let (mut state_bar, mut by_bar) = g; Self::__pullback(residuals, & mut
    state_bar, & mut by_bar); (state_bar, by_bar) } #[doc =
    "The value of [`damp`] and its pullback, which may be called many times."] #[inline]
    pub fn vjp(state : & mut [f64], by : f64) -> ((), impl ::core::ops::Fn((),
    (::autodiff::__private::Vec < f64 >, f64)) -> (::autodiff::__private::Vec < f64 >,
    f64) + use < >) { let (y, residuals) = Self::forward(state, by); (y, move | seed :
    (), g : (::autodiff::__private::Vec < f64 >, f64) | Self::pullback(& residuals, seed,
    g)) } }
}
::autodiff::__with_alloc! {
    "the derivative keeps values on the heap here: enable the feature `alloc` of `autodiff`, say how many iterations there are at most with `#[max_iters(64)]` on the loop, or write `#[checkpoint(8)]` on it to recompute from 8 snapshots"
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::__private::Sweeps for damp {
    type Saved = (usize, ::autodiff::__private::Vec < f64 >,); const EMPTY : Self::Saved
    = (0usize, ::autodiff::__private::Vec::new(),); #[inline] fn renew(saved : & mut
    Self::Saved) -> & mut Self::Saved { let (saved_0, saved_1,) = & mut * saved; saved_1
    .clear(); saved } const EFFECTS : bool = false; const WORKSPACE_BYTES : usize = 0; }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::DifferentiableFn for damp {
    type Residuals = ::autodiff::__private::Opaque < Self, ((usize,
    ::autodiff::__private::Vec < f64 >,), (f64,), (::autodiff::__private::Vec < f64 >,))
    >; const RESIDUAL_BYTES : usize = ::core::mem::size_of:: < Self::Residuals > ();
    const WORKSPACE_BYTES : usize = < Self as ::autodiff::__private::Sweeps >
    ::WORKSPACE_BYTES; }
}
::autodiff::__if_alloc! {}
#[inline]
#[allow(dead_code)]
pub fn energies(start: f64, rate: f64, steps: usize) -> f64 {
    <energies>::__value(start, rate, steps)
}
#[doc(hidden)]
mod __autodiff_energies {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct energies {}
}
///The derivatives of the function [`energies`](energies()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_energies::energies;
#[doc(hidden)]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
trait __autodiff_energies_pending {
    fn __value(start: f64, rate: f64, steps: usize) -> f64 {
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
impl __autodiff_energies_pending for energies {}
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_energies {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "energies" {} { true f64, true
        f64, false usize, } { f64 } {} { ".cos" ".iter" ".push" ".sum" "Vec_new" "damp"
        "f64" "new" "step" } false body 1u8 1u8 false false "" {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_energies as energies;
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl energies {
    #[doc(hidden)]
    #[inline]
    fn __value(start: f64, rate: f64, steps: usize) -> f64 {
        {
            let mut state = [start, 0.0];
            let mut energies = Vec::new();
            for _ in 0..steps {
                step(&mut state, rate);
                damp(&mut state, 1.0 - rate);
                energies.push(0.5 * state[1] * state[1] - state[0].cos());
            }
            energies.iter().sum::<f64>() / steps as f64
        }
    }
}
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for energies {}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl energies { #[doc(hidden)] #[inline] pub
    fn __jvp_wide < __Wide : ::autodiff::__private::Wide < f64 > > (start : f64, rate :
    f64, steps : usize, start_dot_0 : __Wide, rate_dot_0 : __Wide) -> (f64, (__Wide,)) {
    let mut tangent_0 : __Wide = ::autodiff::__private::lanes::Zeros::ZEROS; let (y, g) =
    Self::value_and_grad(start, rate, steps);
    ::autodiff::__private::lanes::WideLeaf::zip(& start_dot_0, & g.0, & mut | dot, d |
    tangent_0 += * dot * d); ::autodiff::__private::lanes::WideLeaf::zip(& rate_dot_0, &
    g.1, & mut | dot, d | tangent_0 += * dot * d); (y, (tangent_0,)) } #[doc(hidden)]
    #[inline] pub fn __jacobian(start : f64, rate : f64, steps : usize, block_0 : & mut
    (impl ::autodiff::__private::jacobian::Rows < f64 > + ? ::core::marker::Sized),
    block_1 : & mut (impl ::autodiff::__private::jacobian::Rows < f64 > + ?
    ::core::marker::Sized)) -> f64 { let (y, g) = Self::value_and_grad(start, rate,
    steps); ::autodiff::__private::jacobian::write_row(& g.0, 0, block_0);
    ::autodiff::__private::jacobian::write_row(& g.1, 0, block_1); y } #[doc =
    "The value and the Jacobian of [`energies`]."] #[inline] pub fn
    value_and_jacobian(start : f64, rate : f64, steps : usize) -> (f64, (f64, f64)) { let
    mut block_0 = < f64 as ::autodiff::Real > ::ZERO; let mut block_1 = < f64 as
    ::autodiff::Real > ::ZERO; let mut j = (block_0, block_1); let y =
    Self::value_and_jacobian_into(start, rate, steps, & mut j); (y, j) } #[doc =
    "The Jacobian of [`energies`]: a row for each number of the result, a column for each of the parameter."]
    #[inline] pub fn jacobian(start : f64, rate : f64, steps : usize) -> (f64, f64) {
    Self::value_and_jacobian(start, rate, steps).1 } #[doc =
    "The value of [`energies`]; `j` becomes the Jacobian."] #[inline] pub fn
    value_and_jacobian_into(start : f64, rate : f64, steps : usize, j : & mut (f64, f64))
    -> f64 { Self::__jacobian(start, rate, steps, ::core::slice::from_mut((& mut j.0)),
    ::core::slice::from_mut((& mut j.1))) } #[doc =
    "`j` becomes the Jacobian of [`energies`]."] #[inline] pub fn jacobian_into(start :
    f64, rate : f64, steps : usize, j : & mut (f64, f64)) {
    Self::value_and_jacobian_into(start, rate, steps, j); } #[doc =
    "The value of [`energies`] and its derivatives in the directions of `W` tangents."]
    #[inline] pub fn jvp_many < const W : usize > (start : f64, rate : f64, steps :
    usize, start_dot : & [f64; W], rate_dot : & [f64; W]) -> (f64, [f64; W]) { const {
    ::core::assert!(W > 0, "there is at least one direction") };
    ::autodiff::__private::runs_again:: < Self > (); let mut value =
    ::core::option::Option::None; let tangents = ::core::array::from_fn(| lane | { let
    (y, tangent) = Self::jvp(start, rate, steps, start_dot[lane], rate_dot[lane]); value
    = ::core::option::Option::Some(y); tangent }); (value
    .expect("there is at least one direction"), tangents) } #[doc =
    "The value of [`energies`] and the cotangents of its inputs, for each of `W` cotangents of the result."]
    #[inline] pub fn vjp_many < const W : usize > (start : f64, rate : f64, steps :
    usize, seeds : & [f64; W]) -> (f64, [(f64, f64); W]) { let (y, pullback) =
    Self::vjp(start, rate, steps); let cotangents = seeds.each_ref().map(| seed |
    pullback(* seed)); (y, cotangents) } #[doc(hidden)] pub fn hessian(start : f64, rate
    : f64, steps : usize) -> ((f64, f64), (f64, f64)) where for < 'of > energies :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn value_grad_hessian(start : f64, rate : f64, steps : usize) ->
    (f64, (f64, f64), ((f64, f64), (f64, f64))) where for < 'of > energies :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_into(start : f64, rate : f64, steps : usize, h : & mut
    ((f64, f64), (f64, f64))) where for < 'of > energies :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_diagonal(start : f64, rate : f64, steps : usize) ->
    (f64, f64) where for < 'of > energies : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn taylor < const K : usize > (start :
    f64, rate : f64, steps : usize, start_dot : f64, rate_dot : f64) -> [f64; K] where
    for < 'of > energies : ::autodiff::__private::Taylor < 'of > {
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
impl energies {
    ///The value and the gradient of [`energies`].
    #[inline]
    pub fn value_and_grad(start: f64, rate: f64, steps: usize) -> (f64, (f64, f64)) {
        let mut g = <(f64, f64) as ::autodiff::__private::Zero>::ZERO;
        let y = Self::accumulate_grad(start, rate, steps, &mut g);
        (y, g)
    }
    ///The gradient of [`energies`].
    #[inline]
    pub fn grad(start: f64, rate: f64, steps: usize) -> (f64, f64) {
        Self::value_and_grad(start, rate, steps).1
    }
    ///The value of [`energies`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(
        start: f64,
        rate: f64,
        steps: usize,
    ) -> (f64, ::autodiff::Residuals<energies>) {
        Self::__keep(start, rate, steps)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(
        start: f64,
        rate: f64,
        steps: usize,
    ) -> (f64, ::autodiff::Residuals<energies>) {
        let inputs = (rate, steps);
        let mut saved = <Self as ::autodiff::__private::Sweeps>::EMPTY;
        let value = Self::__forward(start, rate, steps, &mut saved);
        (value, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<energies>,
        y_bar: f64,
        start_bar: &mut f64,
        rate_bar: &mut f64,
    ) {
        let (saved, (rate, steps), ..) = residuals.data();
        Self::__reverse_leaves(*rate, *steps, saved, y_bar, start_bar, rate_bar)
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(
        residuals: &::autodiff::Residuals<energies>,
        seed: f64,
    ) -> (f64, f64) {
        let (mut start_bar, mut rate_bar) = <(
            f64,
            f64,
        ) as ::autodiff::__private::Zero>::ZERO;
        Self::__pullback(residuals, seed, &mut start_bar, &mut rate_bar);
        (start_bar, rate_bar)
    }
    ///The value of [`energies`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(
        start: f64,
        rate: f64,
        steps: usize,
    ) -> (f64, impl ::core::ops::Fn(f64) -> (f64, f64) + use<>) {
        let (y, residuals) = Self::forward(start, rate, steps);
        (y, move |seed: f64| Self::pullback(&residuals, seed))
    }
    #[doc(hidden)]
    pub fn hvp(
        start: f64,
        rate: f64,
        steps: usize,
        start_dot: f64,
        rate_dot: f64,
    ) -> (f64, f64)
    where
        for<'of> energies: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl energies { #[doc(hidden)] pub fn
    hessian_sparsity(start : f64, rate : f64, steps : usize) -> ::autodiff::Sparsity
    where for < 'of > energies : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn hessian_sparse(start : f64, rate :
    f64, steps : usize, pattern : & ::autodiff::Sparsity, values : & mut [f64]) where for
    < 'of > energies : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } }
}
::autodiff::__with_alloc! {
    "the derivative keeps values on the heap here: enable the feature `alloc` of `autodiff`, say how many iterations there are at most with `#[max_iters(64)]` on the loop, or write `#[checkpoint(8)]` on it to recompute from 8 snapshots"
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl energies { #[doc(hidden)] #[inline] pub
    fn __accumulate(start : f64, rate : f64, steps : usize, start_bar : & mut f64,
    rate_bar : & mut f64) -> f64 { let mut state = [start, 0.0_f64]; let mut energies =
    ::autodiff::__private::Vec:: < f64 > ::new(); let mut workspace =
    ::autodiff::__private::Scratch:: < _, 64 > ::new(0.0_f64); let workspace = workspace
    .zeros(steps); let history = workspace; let mut workspace_2 =
    ::autodiff::__private::Scratch:: < _, 64 > ::new(0usize); let workspace_2 =
    workspace_2.zeros(steps); let history_2 = workspace_2; let mut history_3 =
    ::autodiff::__private::vec![[0.0_f64; 2]; steps]; let mut t = energies.len(); for i
    in 0..steps { history_3[i] = state; history_2[i] = t; let t_2 =
    ::autodiff::Real::sin(state[0]); state[1] += rate * - t_2; state[0] += rate *
    state[1]; let t_3 = 1.0 - rate; for j in 0..2 { state[j] = state[j] * t_3; } let
    state_at = state[1]; ::autodiff::__private::put(& mut energies, t, 0.5 * state_at *
    state_at - ::autodiff::Real::cos(state[0])); history[i] = t_2; t = t + 1; } let t_4 =
    steps as f64; let sum_bar = 1.0 / t_4; let mut energies_bar =
    ::autodiff::__private::zeros(& energies[..]); let mut sum = 0.0_f64; for i in 0..t {
    energies_bar[i] += sum_bar; sum += energies[i]; } let mut state_bar = 0.0_f64; let
    mut state_bar_2 = 0.0_f64; let mut t_5 = 0.0_f64; for i in
    ::core::iter::Iterator::rev(0..steps) { let state_history_at = history_3[i] [0]; let
    t_6 = history_2[i]; let force = - history[i]; let t_7 = history_3[i] [1] + rate *
    force; let t_8 = state_history_at + rate * t_7; let t_9 = 1.0 - rate; let t_10 = t_7
    * t_9; let energies_bar_at = energies_bar[t_6]; energies_bar[t_6] = 0.0; let t_11 =
    state_bar + - ::autodiff::Real::sin(t_8 * t_9) * - energies_bar_at; let t_12 =
    state_bar_2 + (0.5 * t_10 * energies_bar_at + 0.5 * (t_10 * energies_bar_at)); let
    t_13 = t_9 * t_11; let t_14 = t_9 * t_12 + rate * t_13; state_bar = t_13 +
    ::autodiff::Real::cos(state_history_at) * - (rate * t_14); state_bar_2 = t_14; t_5 =
    t_5 - (t_8 * t_11 + t_7 * t_12) + t_7 * t_13 + force * t_14; } * start_bar +=
    state_bar; * rate_bar += t_5; sum / t_4 } #[doc =
    "Adds the gradient of [`energies`] to `g` and returns the value."] #[inline] pub fn
    accumulate_grad(start : f64, rate : f64, steps : usize, (start_bar, rate_bar) : & mut
    (f64, f64)) -> f64 { Self::__accumulate(start, rate, steps, start_bar, rate_bar) }
    #[doc = "The value of [`energies`]; `g` becomes the gradient."] #[inline] pub fn
    value_and_grad_into(start : f64, rate : f64, steps : usize, g : & mut (f64, f64)) ->
    f64 { ::autodiff::__private::Zero::set_zero(g); Self::accumulate_grad(start, rate,
    steps, g) } #[doc = "`g` becomes the gradient of [`energies`]."] #[inline] pub fn
    grad_into(start : f64, rate : f64, steps : usize, g : & mut (f64, f64)) {
    Self::value_and_grad_into(start, rate, steps, g); } #[doc(hidden)] #[inline] pub fn
    __forward(start : f64, rate : f64, steps : usize, saved : & mut < Self as
    ::autodiff::__private::Sweeps > ::Saved) -> f64 { let (energies, saved_2, saved_3,
    saved_4, saved_5, state_history,) = saved; let mut state = [start, 0.0_f64]; let mut
    energies_2 = ::autodiff::__private::Vec:: < f64 > ::new(); let history =
    ::autodiff::__private::zeros_in(saved_4, 0.0_f64, steps); let history_2 =
    ::autodiff::__private::zeros_in(saved_5, 0usize, steps); let history_3 =
    ::autodiff::__private::zeros_in(state_history, [0.0_f64; 2], steps); let mut t =
    energies_2.len(); for i in 0..steps { history_3[i] = state; history_2[i] = t; let t_2
    = ::autodiff::Real::sin(state[0]); state[1] += rate * - t_2; state[0] += rate *
    state[1]; let t_3 = 1.0 - rate; for j in 0..2 { state[j] = state[j] * t_3; } let
    state_at = state[1]; ::autodiff::__private::put(& mut energies_2, t, 0.5 * state_at *
    state_at - ::autodiff::Real::cos(state[0])); history[i] = t_2; t = t + 1; } let mut
    sum = 0.0_f64; for i in 0..t { sum += energies_2[i]; } let t_4 = steps as f64; let
    t_5 = sum / t_4; * energies = energies_2; * saved_2 = t; * saved_3 = t_4; t_5 }
    #[doc(hidden)] #[inline] pub fn __reverse(start : f64, rate : f64, steps : usize,
    saved : & < Self as ::autodiff::__private::Sweeps > ::Saved, y_bar : f64, start_bar :
    & mut f64, rate_bar : & mut f64) { Self::__reverse_leaves(rate, steps, saved, y_bar,
    start_bar, rate_bar) } #[doc(hidden)] #[inline] pub fn __reverse_leaves(rate : f64,
    steps : usize, saved : & < Self as ::autodiff::__private::Sweeps > ::Saved, y_bar :
    f64, start_bar : & mut f64, rate_bar : & mut f64) { let (energies, saved_2, saved_3,
    saved_4, saved_5, state_history,) = saved; let sum_bar = 1.0 / * saved_3 * y_bar; let
    mut energies_bar = ::autodiff::__private::zeros(& energies[..]); for i in 0.. *
    saved_2 { energies_bar[i] += sum_bar; } let mut state_bar = 0.0_f64; let mut
    state_bar_2 = 0.0_f64; let mut t = 0.0_f64; for i in ::core::iter::Iterator::rev(0
    ..steps) { let state_history_at = state_history[i] [0]; let t_2 = saved_5[i]; let
    force = - saved_4[i]; let t_3 = state_history[i] [1] + rate * force; let t_4 =
    state_history_at + rate * t_3; let t_5 = 1.0 - rate; let t_6 = t_3 * t_5; let
    energies_bar_at = energies_bar[t_2]; energies_bar[t_2] = 0.0; let t_7 = state_bar + -
    ::autodiff::Real::sin(t_4 * t_5) * - energies_bar_at; let t_8 = state_bar_2 + (0.5 *
    t_6 * energies_bar_at + 0.5 * (t_6 * energies_bar_at)); let t_9 = t_5 * t_7; let t_10
    = t_5 * t_8 + rate * t_9; state_bar = t_9 + ::autodiff::Real::cos(state_history_at) *
    - (rate * t_10); state_bar_2 = t_10; t = t - (t_4 * t_7 + t_3 * t_8) + t_3 * t_9 +
    force * t_10; } * start_bar += state_bar; * rate_bar += t; } }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl energies { #[doc =
    "The value of [`energies`] and its derivative in the direction of the given tangents."]
    #[inline] pub fn jvp(start : f64, rate : f64, steps : usize, start_dot : f64,
    rate_dot : f64,) -> (f64, f64) { let mut energies = ::autodiff::__private::Vec:: <
    f64 > ::new(); let mut energies_dot = ::autodiff::__private::zeros(& energies[..]);
    let mut t = energies.len(); let mut state = start; let mut state_2 = 0.0_f64; let mut
    state_dot = start_dot; let mut state_dot_2 = 0.0_f64; for _ in 0..steps { let force =
    - ::autodiff::Real::sin(state); let t_2 = state_2 + rate * force; let t_3 =
    state_dot_2 + (force * rate_dot + rate * - (::autodiff::Real::cos(state) *
    state_dot)); let t_4 = state + rate * t_2; let t_5 = 1.0 - rate; let t_6 = -
    rate_dot; let t_7 = t_4 * t_5; let t_8 = t_5 * (state_dot + (t_2 * rate_dot + rate *
    t_3)) + t_4 * t_6; let t_9 = t_2 * t_5; let t_10 = t_5 * t_3 + t_2 * t_6; let t_11 =
    0.5 * t_9; ::autodiff::__private::put(& mut energies, t, t_11 * t_9 -
    ::autodiff::Real::cos(t_7)); ::autodiff::__private::put(& mut energies_dot, t, t_9 *
    (0.5 * t_10) + t_11 * t_10 - - ::autodiff::Real::sin(t_7) * t_8); t = t + 1; state =
    t_7; state_2 = t_9; state_dot = t_8; state_dot_2 = t_10; } let mut sum = 0.0_f64; let
    mut sum_dot = 0.0_f64; for i in 0..t { sum += energies[i]; sum_dot +=
    energies_dot[i]; } let t_12 = steps as f64; (sum / t_12, 1.0 / t_12 * sum_dot) } }
}
::autodiff::__with_alloc! {
    "the derivative keeps values on the heap here: enable the feature `alloc` of `autodiff`, say how many iterations there are at most with `#[max_iters(64)]` on the loop, or write `#[checkpoint(8)]` on it to recompute from 8 snapshots"
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::__private::Sweeps for
    energies { type Saved = (::autodiff::__private::Vec < f64 >, usize, f64,
    ::autodiff::__private::Vec < f64 >, ::autodiff::__private::Vec < usize >,
    ::autodiff::__private::Vec < [f64; 2] >,); const EMPTY : Self::Saved =
    (::autodiff::__private::Vec::new(), 0usize, 0.0_f64,
    ::autodiff::__private::Vec::new(), ::autodiff::__private::Vec::new(),
    ::autodiff::__private::Vec::new(),); #[inline] fn renew(saved : & mut Self::Saved) ->
    & mut Self::Saved { let (saved_0, saved_1, saved_2, saved_3, saved_4, saved_5,) = &
    mut * saved; saved_0.clear(); saved_3.clear(); saved_4.clear(); saved_5.clear();
    saved } const EFFECTS : bool = false; const WORKSPACE_BYTES : usize =
    ::core::mem::size_of:: < [f64; 2] > () + ::core::mem::size_of:: < [usize; 64] > () +
    ::core::mem::size_of:: < [f64; 64] > (); }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::DifferentiableFn for energies
    { type Residuals = ::autodiff::__private::Opaque < Self, ((::autodiff::__private::Vec
    < f64 >, usize, f64, ::autodiff::__private::Vec < f64 >, ::autodiff::__private::Vec <
    usize >, ::autodiff::__private::Vec < [f64; 2] >,), (f64, usize,)) >; const
    RESIDUAL_BYTES : usize = ::core::mem::size_of:: < Self::Residuals > (); const
    WORKSPACE_BYTES : usize = < Self as ::autodiff::__private::Sweeps >
    ::WORKSPACE_BYTES; }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::Callable < (f64, f64, usize,)
    > for energies { type Output = f64; #[inline] fn call(args : (f64, f64, usize,)) ->
    f64 { energies(args.0, args.1, args.2) } #[inline] fn jvp((start, rate, steps,) :
    (f64, f64, usize,), (start_dot, rate_dot, _,) : (f64, f64, (),)) -> (f64, f64) {
    Self::jvp(start, rate, steps, start_dot, rate_dot) } #[inline] fn __forward((start,
    rate, steps,) : (f64, f64, usize,), saved : & mut Self::Saved) -> f64 {
    Self::__forward(start, rate, steps, saved) } #[inline] fn __reverse((start, rate,
    steps,) : (f64, f64, usize,), saved : & Self::Saved, seed : & f64, (start_bar,
    rate_bar, _,) : (& mut f64, & mut f64, (),)) { Self::__reverse(start, rate, steps,
    saved, * seed, start_bar, rate_bar) } #[inline] fn __keep((start, rate, steps,) :
    (f64, f64, usize,)) -> (f64, Self::Residuals) { Self::forward(start, rate, steps) }
    #[inline] fn __pullback(residuals : & Self::Residuals, seed : & f64, (start_bar,
    rate_bar, _,) : (& mut f64, & mut f64, (),)) { Self::__pullback(residuals, * seed,
    start_bar, rate_bar) } #[inline] fn __accumulate((start, rate, steps,) : (f64, f64,
    usize,), (start_bar, rate_bar, _,) : (& mut f64, & mut f64, (),)) -> f64 {
    Self::__accumulate(start, rate, steps, start_bar, rate_bar) } }
}
