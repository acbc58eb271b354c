// A function that calls itself keeps nothing of the inner call, whose reverse sweep runs both sweeps.

#[inline]
#[allow(dead_code)]
pub fn product(x: &[f64]) -> f64 {
    <product>::__value(x)
}
#[doc(hidden)]
mod __autodiff_product {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct product {}
}
///The derivatives of the function [`product`](product()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_product::product;
#[doc(hidden)]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
trait __autodiff_product_pending {
    fn __value(x: &[f64]) -> f64 {
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
impl __autodiff_product_pending for product {}
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_product {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "product" {} { true & [f64], }
        { f64 } {} { ".len" "product" } false body 1u8 1u8 false false "" {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_product as product;
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl product {
    #[doc(hidden)]
    #[inline]
    fn __value(x: &[f64]) -> f64 {
        {
            if x.len() == 1 {
                x[0]
            } else {
                let half = x.len() / 2;
                product(&x[..half]) * product(&x[half..])
            }
        }
    }
}
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for product {}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl product { #[doc(hidden)] #[inline] pub fn
    __jvp_wide < __Wide : ::autodiff::__private::Wide < f64 > > (x : & [f64], x_dot_0 : &
    [__Wide]) -> (f64, (__Wide,)) { let mut tangent_0 : __Wide =
    ::autodiff::__private::lanes::Zeros::ZEROS; let (y, g) = Self::value_and_grad(x);
    ::autodiff::__private::lanes::WideLeaf::zip(x_dot_0, & g[..], & mut | dot, d |
    tangent_0 += * dot * d); (y, (tangent_0,)) } #[doc(hidden)] #[inline] pub fn
    __jacobian(x : & [f64], block_0 : & mut (impl ::autodiff::__private::jacobian::Rows <
    f64 > + ? ::core::marker::Sized)) -> f64 { let (y, g) = Self::value_and_grad(x);
    ::autodiff::__private::jacobian::write_row(& g, 0, block_0); y } #[doc =
    "The value and the Jacobian of [`product`]."] #[inline] pub fn value_and_jacobian(x :
    & [f64]) -> (f64, ::autodiff::__private::Vec < f64 >) { let mut block_0 =
    ::autodiff::__private::Vec::new(); let y = Self::__jacobian(x, & mut block_0); let j
    = block_0; (y, j) } #[doc =
    "The Jacobian of [`product`]: a row for each number of the result, a column for each of the parameter."]
    #[inline] pub fn jacobian(x : & [f64]) -> ::autodiff::__private::Vec < f64 > {
    Self::value_and_jacobian(x).1 } #[doc =
    "The value of [`product`]; `j` becomes the Jacobian."] #[inline] pub fn
    value_and_jacobian_into(x : & [f64], j : & mut [f64]) -> f64 { Self::__jacobian(x, &
    mut * j) } #[doc = "`j` becomes the Jacobian of [`product`]."] #[inline] pub fn
    jacobian_into(x : & [f64], j : & mut [f64]) { Self::value_and_jacobian_into(x, j); }
    #[doc =
    "The value of [`product`] and its derivatives in the directions of `W` tangents."]
    #[inline] pub fn jvp_many < const W : usize > (x : & [f64], x_dot : & [impl
    ::core::convert::AsRef < [f64] >; W]) -> (f64, [f64; W]) { const { ::core::assert!(W
    > 0, "there is at least one direction") }; ::autodiff::__private::runs_again:: < Self
    > (); let mut value = ::core::option::Option::None; let tangents =
    ::core::array::from_fn(| lane | { let (y, tangent) = Self::jvp(x,
    ::core::convert::AsRef::as_ref(& x_dot[lane])); value =
    ::core::option::Option::Some(y); tangent }); (value
    .expect("there is at least one direction"), tangents) } #[doc =
    "The value of [`product`] and the cotangents of its inputs, for each of `W` cotangents of the result."]
    #[inline] pub fn vjp_many < const W : usize > (x : & [f64], seeds : & [f64; W]) ->
    (f64, [::autodiff::__private::Vec < f64 >; W]) { let (y, pullback) = Self::vjp(x);
    let cotangents = seeds.each_ref().map(| seed | pullback(* seed)); (y, cotangents) }
    #[doc(hidden)] pub fn hessian(x : & [f64]) -> ::autodiff::__private::Vec <
    ::autodiff::__private::Vec < f64 > > where for < 'of > product :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn value_grad_hessian(x : & [f64]) -> (f64,
    ::autodiff::__private::Vec < f64 >, ::autodiff::__private::Vec <
    ::autodiff::__private::Vec < f64 > >) where for < 'of > product :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_into(x : & [f64], h : & mut [f64]) where for < 'of >
    product : ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_diagonal(x : & [f64]) -> ::autodiff::__private::Vec <
    f64 > where for < 'of > product : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn taylor < const K : usize > (x : &
    [f64], x_dot : & [f64]) -> [f64; K] where for < 'of > product :
    ::autodiff::__private::Taylor < 'of > { ::core::unimplemented!() } }
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
impl product {
    #[doc(hidden)]
    #[inline]
    pub fn __accumulate(x: &[f64], x_bar: &mut [f64]) -> f64 {
        let x_len = x.len();
        let t = x_len == 1;
        let (mut t_4, mut t_5, mut t_6) = if t {
            (x[0], 0.0_f64, 0.0_f64)
        } else {
            let t_2 = x_len / 2 <= x_len;
            if t_2 {} else {
                ::core::panic!(
                    "range end index {} out of range for slice of length {}", x_len / 2,
                    x_len
                );
            }
            let product_out = product(&x[..x_len / 2]);
            if t_2 {} else {
                ::core::panic!(
                    "slice index starts at {} but ends at {}", x_len / 2, x_len
                );
            }
            let t_3 = usize::saturating_sub(x_len, x_len / 2);
            let product_out_2 = product(&x[x_len / 2..x_len / 2 + t_3]);
            (product_out * product_out_2, product_out, product_out_2)
        };
        if t {
            x_bar[0] += 1.0;
        } else {
            let t_7 = usize::saturating_sub(x_len, x_len / 2);
            let mut product_out_3 = product::__joint(
                &x[x_len / 2..x_len / 2 + t_7],
                t_5,
                &mut x_bar[x_len / 2..x_len / 2 + t_7],
            );
            let mut product_out_4 = product::__joint(
                &x[..x_len / 2],
                t_6,
                &mut x_bar[..x_len / 2],
            );
        }
        t_4
    }
    ///Adds the gradient of [`product`] to `g` and returns the value.
    #[inline]
    pub fn accumulate_grad(x: &[f64], x_bar: &mut [f64]) -> f64 {
        ::core::assert!(
            x_bar.len() == x.len(), "the derivative by `x` is as long as `x`"
        );
        Self::__accumulate(x, x_bar)
    }
    ///The value of [`product`]; `g` becomes the gradient.
    #[inline]
    pub fn value_and_grad_into(x: &[f64], g: &mut [f64]) -> f64 {
        ::autodiff::__private::set_zeros(&mut *g);
        Self::accumulate_grad(x, g)
    }
    ///`g` becomes the gradient of [`product`].
    #[inline]
    pub fn grad_into(x: &[f64], g: &mut [f64]) {
        Self::value_and_grad_into(x, g);
    }
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        x: &[f64],
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f64 {
        let ([saved_2, saved_3],) = saved;
        let x_len = x.len();
        let (mut t_3, mut t_4, mut t_5) = if x_len == 1 {
            (x[0], 0.0_f64, 0.0_f64)
        } else {
            let t = x_len / 2 <= x_len;
            if t {} else {
                ::core::panic!(
                    "range end index {} out of range for slice of length {}", x_len / 2,
                    x_len
                );
            }
            let product_out = product(&x[..x_len / 2]);
            if t {} else {
                ::core::panic!(
                    "slice index starts at {} but ends at {}", x_len / 2, x_len
                );
            }
            let t_2 = usize::saturating_sub(x_len, x_len / 2);
            let product_out_2 = product(&x[x_len / 2..x_len / 2 + t_2]);
            (product_out * product_out_2, product_out, product_out_2)
        };
        *saved_2 = t_4;
        *saved_3 = t_5;
        t_3
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        x: &[f64],
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        x_bar: &mut [f64],
    ) {
        let ([saved_2, saved_3],) = saved;
        let x_len = x.len();
        if x_len == 1 {
            x_bar[0] += y_bar;
        } else {
            let t = usize::saturating_sub(x_len, x_len / 2);
            let t_2 = *saved_3 * y_bar;
            let t_3 = *saved_2 * y_bar;
            let mut product_out = product::__joint(
                &x[x_len / 2..x_len / 2 + t],
                t_3,
                &mut x_bar[x_len / 2..x_len / 2 + t],
            );
            let mut product_out_2 = product::__joint(
                &x[..x_len / 2],
                t_2,
                &mut x_bar[..x_len / 2],
            );
        }
    }
    ///The value of [`product`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(x: &[f64], x_dot: &[f64]) -> (f64, f64) {
        ::core::assert!(
            x_dot.len() == x.len(), "the derivative by `x` is as long as `x`"
        );
        let x_len = x.len();
        let (mut t_3, mut t_4) = if x_len == 1 {
            (x[0], x_dot[0])
        } else {
            let t = x_len / 2 <= x_len;
            if t {} else {
                ::core::panic!(
                    "range end index {} out of range for slice of length {}", x_len / 2,
                    x_len
                );
            }
            let (mut product_out, mut product_out_2) = product::jvp(
                &x[..x_len / 2],
                &x_dot[..x_len / 2],
            );
            if t {} else {
                ::core::panic!(
                    "slice index starts at {} but ends at {}", x_len / 2, x_len
                );
            }
            let t_2 = usize::saturating_sub(x_len, x_len / 2);
            let (mut product_out_3, mut product_out_4) = product::jvp(
                &x[x_len / 2..x_len / 2 + t_2],
                &x_dot[x_len / 2..x_len / 2 + t_2],
            );
            (
                product_out * product_out_3,
                product_out_3 * product_out_2 + product_out * product_out_4,
            )
        };
        (t_3, t_4)
    }
    #[doc(hidden)]
    pub fn __joint(x: &[f64], y_bar: f64, x_bar: &mut [f64]) -> f64 {
        let x_len = x.len();
        let t = x_len == 1;
        let (mut t_4, mut t_5, mut t_6) = if t {
            (x[0], 0.0_f64, 0.0_f64)
        } else {
            let t_2 = x_len / 2 <= x_len;
            if t_2 {} else {
                ::core::panic!(
                    "range end index {} out of range for slice of length {}", x_len / 2,
                    x_len
                );
            }
            let product_out = product(&x[..x_len / 2]);
            if t_2 {} else {
                ::core::panic!(
                    "slice index starts at {} but ends at {}", x_len / 2, x_len
                );
            }
            let t_3 = usize::saturating_sub(x_len, x_len / 2);
            let product_out_2 = product(&x[x_len / 2..x_len / 2 + t_3]);
            (product_out * product_out_2, product_out, product_out_2)
        };
        if t {
            x_bar[0] += y_bar;
        } else {
            let t_7 = usize::saturating_sub(x_len, x_len / 2);
            let t_8 = t_6 * y_bar;
            let t_9 = t_5 * y_bar;
            let mut product_out_3 = product::__joint(
                &x[x_len / 2..x_len / 2 + t_7],
                t_9,
                &mut x_bar[x_len / 2..x_len / 2 + t_7],
            );
            let mut product_out_4 = product::__joint(
                &x[..x_len / 2],
                t_8,
                &mut x_bar[..x_len / 2],
            );
        }
        t_4
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl product { #[doc(hidden)] pub fn
    hessian_sparsity(x : & [f64]) -> ::autodiff::Sparsity where for < 'of > product :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_sparse(x : & [f64], pattern : & ::autodiff::Sparsity,
    values : & mut [f64]) where for < 'of > product : ::autodiff::__private::SecondOrder
    < 'of > { ::core::unimplemented!() } }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl product { #[doc =
    "The value and the gradient of [`product`]."] #[inline] pub fn value_and_grad(x : &
    [f64]) -> (f64, ::autodiff::__private::Vec < f64 >) { let mut g =
    ::autodiff::__private::zeros(& x[..]); let y = Self::accumulate_grad(x, & mut g); (y,
    g) } #[doc = "The gradient of [`product`]."] #[inline] pub fn grad(x : & [f64]) ->
    ::autodiff::__private::Vec < f64 > { Self::value_and_grad(x).1 } #[doc =
    "The value of [`product`] and what its reverse sweep needs."] #[inline] pub fn
    forward(x : & [f64]) -> (f64, ::autodiff::Residuals < product >) { Self::__keep(x) }
    #[doc(hidden)] #[inline] pub fn __keep(x : & [f64]) -> (f64, ::autodiff::Residuals <
    product >) { let inputs = (x.to_vec(),); let x_len = x.len(); let (mut t_3, mut t_4,
    mut t_5) = if x_len == 1 { (x[0], 0.0_f64, 0.0_f64) } else { let t = x_len / 2 <=
    x_len; if t {} else {
    ::core::panic!("range end index {} out of range for slice of length {}", x_len / 2,
    x_len); } let product_out = product(& x[..x_len / 2],); if t {} else {
    ::core::panic!("slice index starts at {} but ends at {}", x_len / 2, x_len); } let
    t_2 = usize::saturating_sub(x_len, x_len / 2); let product_out_2 = product(& x[x_len
    / 2..x_len / 2 + t_2],); (product_out * product_out_2, product_out, product_out_2) };
    let saved = ([t_4, t_5],); (t_3, ::autodiff::__private::Opaque::new((saved, inputs,
    (::autodiff::__private::zeros(& x[..]),)))) } #[doc(hidden)] #[inline] pub fn
    __pullback(residuals : & ::autodiff::Residuals < product >, y_bar : f64, x_bar : &
    mut [f64]) { let (saved, (x,), ..) = residuals.data(); let ([saved_2, saved_3],) =
    saved; let x_len = x.len(); if x_len == 1 { x_bar[0] += y_bar; } else { let t =
    usize::saturating_sub(x_len, x_len / 2); let t_2 = * saved_3 * y_bar; let t_3 = *
    saved_2 * y_bar; let mut product_out = product::__joint(& x[x_len / 2..x_len / 2 +
    t], t_3, & mut x_bar[x_len / 2..x_len / 2 + t]); let mut product_out_2 =
    product::__joint(& x[..x_len / 2], t_2, & mut x_bar[..x_len / 2]); } } #[doc =
    r" The cotangents of the inputs, from those of the results."] #[inline] pub fn
    pullback(residuals : & ::autodiff::Residuals < product >, seed : f64) ->
    ::autodiff::__private::Vec < f64 > { let mut x_bar = ::core::clone::Clone::clone(&
    residuals.data().2. 0); Self::__pullback(residuals, seed, & mut x_bar); x_bar } #[doc
    = "The value of [`product`] and its pullback, which may be called many times."]
    #[inline] pub fn vjp(x : & [f64]) -> (f64, impl ::core::ops::Fn(f64) ->
    ::autodiff::__private::Vec < f64 > + use < >) { let (y, residuals) =
    Self::forward(x); (y, move | seed : f64 | Self::pullback(& residuals, seed)) } }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl product { #[doc(hidden)] pub fn hvp(x : &
    [f64], x_dot : & [f64],) -> ::autodiff::__private::Vec < f64 > where for < 'of >
    product : ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() } }
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
impl ::autodiff::__private::Sweeps for product {
    type Saved = ([f64; 2],);
    const EMPTY: Self::Saved = ([0.0_f64; 2],);
    const EFFECTS: bool = false;
    const WORKSPACE_BYTES: usize = 0;
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::DifferentiableFn for product
    { type Residuals = ::autodiff::__private::Opaque < Self, (([f64; 2],),
    (::autodiff::__private::Vec < f64 >,), (::autodiff::__private::Vec < f64 >,)) >;
    const RESIDUAL_BYTES : usize = ::core::mem::size_of:: < Self::Residuals > (); const
    WORKSPACE_BYTES : usize = < Self as ::autodiff::__private::Sweeps >
    ::WORKSPACE_BYTES; }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::Callable < (& 'static [f64],)
    > for product { type Output = f64; #[inline] fn call(args : (& [f64],)) -> f64 {
    product(args.0) } #[inline] fn jvp((x,) : (& [f64],), (x_dot,) : (& [f64],)) -> (f64,
    f64) { Self::jvp(x, x_dot) } #[inline] fn __forward((x,) : (& [f64],), saved : & mut
    Self::Saved) -> f64 { Self::__forward(x, saved) } #[inline] fn __reverse((x,) : (&
    [f64],), saved : & Self::Saved, seed : & f64, (x_bar,) : (& mut [f64],)) {
    Self::__reverse(x, saved, * seed, x_bar) } #[inline] fn __keep((x,) : (& [f64],)) ->
    (f64, Self::Residuals) { Self::forward(x) } #[inline] fn __pullback(residuals : &
    Self::Residuals, seed : & f64, (x_bar,) : (& mut [f64],)) {
    Self::__pullback(residuals, * seed, x_bar) } #[inline] fn __accumulate((x,) : (&
    [f64],), (x_bar,) : (& mut [f64],)) -> f64 { Self::__accumulate(x, x_bar) } }
}
