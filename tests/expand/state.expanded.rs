// What changes: an array by `&mut`, whose cotangent is in-out, and a `Vec` that grows.

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
        2], true f64, } { () } {} { ".sin" } false body 1u8 1u8 false false "" {} } } }
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
        f64, false usize, } { f64 } {} { ".cos" ".iter" ".push" ".sum" "Vec_new" "f64"
        "new" "step" } false body 1u8 1u8 false false "" {} } } }
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
    ::autodiff::__private::Vec:: < f64 > ::new(); let mut history =
    ::autodiff::__private::vec![[0.0_f64; 2]; steps]; let mut history_2 =
    ::autodiff::__private::vec![< step as ::autodiff::__private::Sweeps > ::EMPTY;
    steps]; let mut workspace = ::autodiff::__private::Scratch:: < _, 32 > ::new(0usize);
    let workspace = workspace.zeros(steps); let history_3 = workspace; let mut t =
    energies.len(); for i in 0..steps { history_3[i] = t; let mut result =
    step::__forward(& mut state, rate, < step as ::autodiff::__private::Sweeps >
    ::renew(& mut history_2[i])); let state_at = state[1]; ::autodiff::__private::put(&
    mut energies, t, 0.5 * state_at * state_at - ::autodiff::Real::cos(state[0]));
    history[i] = state; t = t + 1; } let t_2 = steps as f64; let sum_bar = 1.0 / t_2; let
    mut energies_bar = ::autodiff::__private::zeros(& energies[..]); let mut sum =
    0.0_f64; for i in 0..t { energies_bar[i] += sum_bar; sum += energies[i]; } let mut
    state_bar = [0.0_f64; 2]; let mut t_3 = 0.0_f64; for i in
    ::core::iter::Iterator::rev(0..steps) { let t_4 = history_3[i]; let
    step_saved_history_at = & history_2[i]; let state_history_at = history[i] [1]; let
    energies_bar_at = energies_bar[t_4]; energies_bar[t_4] = 0.0; state_bar[0] += -
    ::autodiff::Real::sin(history[i] [0]) * - energies_bar_at; state_bar[1] += 0.5 *
    state_history_at * energies_bar_at + 0.5 * (state_history_at * energies_bar_at);
    step::__reverse(rate, & * step_saved_history_at, & mut state_bar, rate_bar); } *
    start_bar += state_bar[0]; * rate_bar += t_3; sum / t_2 } #[doc =
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
    state_history, step_saved_history, saved_4,) = saved; let mut state = [start,
    0.0_f64]; let mut energies_2 = ::autodiff::__private::Vec:: < f64 > ::new(); let
    history = ::autodiff::__private::zeros_in(state_history, [0.0_f64; 2], steps); let
    history_2 = ::autodiff::__private::zeros_in(step_saved_history, < step as
    ::autodiff::__private::Sweeps > ::EMPTY, steps); let history_3 =
    ::autodiff::__private::zeros_in(saved_4, 0usize, steps); let mut t = energies_2
    .len(); for i in 0..steps { history_3[i] = t; let mut result = step::__forward(& mut
    state, rate, < step as ::autodiff::__private::Sweeps > ::renew(& mut history_2[i]));
    let state_at = state[1]; ::autodiff::__private::put(& mut energies_2, t, 0.5 *
    state_at * state_at - ::autodiff::Real::cos(state[0])); history[i] = state; t = t +
    1; } let mut sum = 0.0_f64; for i in 0..t { sum += energies_2[i]; } let t_2 = steps
    as f64; let t_3 = sum / t_2; * energies = energies_2; * saved_2 = t; * saved_3 = t_2;
    t_3 } #[doc(hidden)] #[inline] pub fn __reverse(start : f64, rate : f64, steps :
    usize, saved : & < Self as ::autodiff::__private::Sweeps > ::Saved, y_bar : f64,
    start_bar : & mut f64, rate_bar : & mut f64) { let (energies, saved_2, saved_3,
    state_history, step_saved_history, saved_4,) = saved; let sum_bar = 1.0 / * saved_3 *
    y_bar; let mut energies_bar = ::autodiff::__private::zeros(& energies[..]); for i in
    0.. * saved_2 { energies_bar[i] += sum_bar; } let mut state_bar = [0.0_f64; 2]; let
    mut t = 0.0_f64; for i in ::core::iter::Iterator::rev(0..steps) { let t_2 =
    saved_4[i]; let step_saved_history_at = & step_saved_history[i]; let state_history_at
    = state_history[i] [1]; let energies_bar_at = energies_bar[t_2]; energies_bar[t_2] =
    0.0; state_bar[0] += - ::autodiff::Real::sin(state_history[i] [0]) * -
    energies_bar_at; state_bar[1] += 0.5 * state_history_at * energies_bar_at + 0.5 *
    (state_history_at * energies_bar_at); step::__reverse(rate, & *
    step_saved_history_at, & mut state_bar, rate_bar); } * start_bar += state_bar[0]; *
    rate_bar += t; } }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl energies { #[doc =
    "The value and the gradient of [`energies`]."] #[inline] pub fn value_and_grad(start
    : f64, rate : f64, steps : usize) -> (f64, (f64, f64)) { let mut g = < (f64, f64) as
    ::autodiff::__private::Zero > ::ZERO; let y = Self::accumulate_grad(start, rate,
    steps, & mut g); (y, g) } #[doc = "The gradient of [`energies`]."] #[inline] pub fn
    grad(start : f64, rate : f64, steps : usize) -> (f64, f64) {
    Self::value_and_grad(start, rate, steps).1 } #[doc =
    "The value of [`energies`] and what its reverse sweep needs."] #[inline] pub fn
    forward(start : f64, rate : f64, steps : usize) -> (f64, ::autodiff::Residuals <
    energies >) { Self::__keep(start, rate, steps) } #[doc(hidden)] #[inline] pub fn
    __keep(start : f64, rate : f64, steps : usize) -> (f64, ::autodiff::Residuals <
    energies >) { let inputs = (rate, steps,); let mut state = [start, 0.0_f64]; let mut
    energies = ::autodiff::__private::Vec:: < f64 > ::new(); let mut history =
    ::autodiff::__private::vec![0usize; steps]; let mut history_2 =
    ::autodiff::__private::vec![[0.0_f64; 2]; steps]; let mut t = energies.len(); for i
    in 0..steps { history_2[i] = state; history[i] = t; let result = step(& mut state,
    rate,); let state_at = state[1]; ::autodiff::__private::put(& mut energies, t, 0.5 *
    state_at * state_at - ::autodiff::Real::cos(state[0])); t = t + 1; } let mut sum =
    0.0_f64; for i in 0..t { sum += energies[i]; } let t_2 = steps as f64; let t_3 = sum
    / t_2; let saved = (energies, t, t_2, history, history_2,); (t_3,
    ::autodiff::__private::Opaque::new((saved, inputs))) } #[doc(hidden)] #[inline] pub
    fn __pullback(residuals : & ::autodiff::Residuals < energies >, y_bar : f64,
    start_bar : & mut f64, rate_bar : & mut f64) { let (saved, (rate, steps,), ..) =
    residuals.data(); let (energies, saved_2, saved_3, saved_4, state_history,) = saved;
    let sum_bar = 1.0 / * saved_3 * y_bar; let mut energies_bar =
    ::autodiff::__private::zeros(& energies[..]); for i in 0.. * saved_2 {
    energies_bar[i] += sum_bar; } let mut state_bar = [0.0_f64; 2]; let mut t = 0.0_f64;
    for i in ::core::iter::Iterator::rev(0.. * steps) { let mut t_2 = [0.0_f64; 2]; for j
    in 0..2 { t_2[j] = state_history[i] [j]; } let t_3 = saved_4[i];
    ::autodiff::__private::runs_again:: < step > (); let (mut result, step_saved) =
    step::forward(& mut t_2, * rate); let state_at = t_2[1]; let energies_bar_at =
    energies_bar[t_3]; energies_bar[t_3] = 0.0; state_bar[0] += -
    ::autodiff::Real::sin(t_2[0]) * - energies_bar_at; state_bar[1] += 0.5 * state_at *
    energies_bar_at + 0.5 * (state_at * energies_bar_at); step::__pullback(& step_saved,
    & mut state_bar, rate_bar); } * start_bar += state_bar[0]; * rate_bar += t; } #[doc =
    r" The cotangents of the inputs, from those of the results."] #[inline] pub fn
    pullback(residuals : & ::autodiff::Residuals < energies >, seed : f64) -> (f64, f64)
    { let (mut start_bar, mut rate_bar) = < (f64, f64) as ::autodiff::__private::Zero >
    ::ZERO; Self::__pullback(residuals, seed, & mut start_bar, & mut rate_bar);
    (start_bar, rate_bar) } #[doc =
    "The value of [`energies`] and its pullback, which may be called many times."]
    #[inline] pub fn vjp(start : f64, rate : f64, steps : usize) -> (f64, impl
    ::core::ops::Fn(f64) -> (f64, f64) + use < >) { let (y, residuals) =
    Self::forward(start, rate, steps); (y, move | seed : f64 | Self::pullback(&
    residuals, seed)) } }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl energies { #[doc =
    "The value of [`energies`] and its derivative in the direction of the given tangents."]
    #[inline] pub fn jvp(start : f64, rate : f64, steps : usize, start_dot : f64,
    rate_dot : f64,) -> (f64, f64) { let mut state = [start, 0.0_f64]; let mut state_dot
    = [start_dot, 0.0_f64]; let mut energies = ::autodiff::__private::Vec:: < f64 >
    ::new(); let mut energies_dot = ::autodiff::__private::zeros(& energies[..]); let mut
    t = energies.len(); for _ in 0..steps { let (mut result, mut result_2) = step::jvp(&
    mut state, rate, & mut state_dot, rate_dot,); let state_at = state[1]; let
    state_dot_at = state_dot[1]; let t_2 = 0.5 * state_at; let state_at_2 = state[0];
    ::autodiff::__private::put(& mut energies, t, t_2 * state_at -
    ::autodiff::Real::cos(state_at_2)); ::autodiff::__private::put(& mut energies_dot, t,
    state_at * (0.5 * state_dot_at) + t_2 * state_dot_at - -
    ::autodiff::Real::sin(state_at_2) * state_dot[0]); t = t + 1; } let mut sum =
    0.0_f64; let mut sum_dot = 0.0_f64; for i in 0..t { sum += energies[i]; sum_dot +=
    energies_dot[i]; } let t_3 = steps as f64; (sum / t_3, 1.0 / t_3 * sum_dot) } }
}
::autodiff::__with_alloc! {
    "the derivative keeps values on the heap here: enable the feature `alloc` of `autodiff`, say how many iterations there are at most with `#[max_iters(64)]` on the loop, or write `#[checkpoint(8)]` on it to recompute from 8 snapshots"
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::__private::Sweeps for
    energies { type Saved = (::autodiff::__private::Vec < f64 >, usize, f64,
    ::autodiff::__private::Vec < [f64; 2] >, ::autodiff::__private::Vec < < step as
    ::autodiff::__private::Sweeps > ::Saved >, ::autodiff::__private::Vec < usize >,);
    const EMPTY : Self::Saved = (::autodiff::__private::Vec::new(), 0usize, 0.0_f64,
    ::autodiff::__private::Vec::new(), ::autodiff::__private::Vec::new(),
    ::autodiff::__private::Vec::new(),); #[inline] fn renew(saved : & mut Self::Saved) ->
    & mut Self::Saved { let (saved_0, saved_1, saved_2, saved_3, saved_4, saved_5,) = &
    mut * saved; saved_0.clear(); saved_3.clear(); saved_4.clear(); saved_5.clear();
    saved } const EFFECTS : bool = false || < step as ::autodiff::__private::Sweeps >
    ::EFFECTS; const WORKSPACE_BYTES : usize = ::autodiff::__private::largest(& [2 *
    ::core::mem::size_of:: < [f64; 2] > () + ::core::mem::size_of:: < < step as
    ::autodiff::__private::Sweeps > ::Saved > (), 2 * ::core::mem::size_of:: < [f64; 2] >
    () + ::core::mem::size_of:: < [usize; 32] > ()]) + < step as
    ::autodiff::__private::Sweeps > ::WORKSPACE_BYTES; }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::DifferentiableFn for energies
    { type Residuals = ::autodiff::__private::Opaque < Self, ((::autodiff::__private::Vec
    < f64 >, usize, f64, ::autodiff::__private::Vec < usize >, ::autodiff::__private::Vec
    < [f64; 2] >,), (f64, usize,)) >; const RESIDUAL_BYTES : usize =
    ::core::mem::size_of:: < Self::Residuals > (); const WORKSPACE_BYTES : usize = < Self
    as ::autodiff::__private::Sweeps > ::WORKSPACE_BYTES; }
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
