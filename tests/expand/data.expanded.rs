// An enum, a slice of structs, an `Option`, and a call: structs are their numbers, a slice of them is an array for each
// field, and what the callee hands to its reverse sweep is kept for each iteration.

#[derive(Clone)]
pub struct Sample {
    pub at: f64,
    pub value: f64,
}
///A change of [`Sample`]: its tangent, its gradient.
#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
pub struct SampleTangent {
    #[allow(missing_docs)]
    pub at: f64,
    #[allow(missing_docs)]
    pub value: f64,
}
#[automatically_derived]
impl ::autodiff::Differentiable for SampleTangent {
    type Scalar = <f64 as ::autodiff::Differentiable>::Scalar;
    type Tangent = SampleTangent;
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        SampleTangent {
            at: ::autodiff::Differentiable::zero_tangent(&self.at),
            value: ::autodiff::Differentiable::zero_tangent(&self.value),
        }
    }
    #[inline]
    fn visit_leaves(
        &self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(&::autodiff::Path<'_>, &[usize], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::visit_leaves(&self.at, &at.field("at"), f);
        ::autodiff::Differentiable::visit_leaves(&self.value, &at.field("value"), f);
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
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.at, &at.field("at"), f);
        ::autodiff::Differentiable::visit_leaves_mut(
            &mut self.value,
            &at.field("value"),
            f,
        );
    }
    #[inline]
    fn zip_leaves(
        &self,
        tangent: &Self::Tangent,
        f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::zip_leaves(&self.at, &tangent.at, f);
        ::autodiff::Differentiable::zip_leaves(&self.value, &tangent.value, f);
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
        let part = state.each_mut().map(|state| &mut state.at);
        ::autodiff::Differentiable::update_leaves(&mut self.at, &tangent.at, part, f);
        let part = state.each_mut().map(|state| &mut state.value);
        ::autodiff::Differentiable::update_leaves(
            &mut self.value,
            &tangent.value,
            part,
            f,
        );
    }
}
#[automatically_derived]
impl ::autodiff::__private::Zero for SampleTangent {
    const ZERO: Self = Self {
        at: <f64 as ::autodiff::__private::Zero>::ZERO,
        value: <f64 as ::autodiff::__private::Zero>::ZERO,
    };
    #[inline]
    fn set_zero(&mut self) {
        ::autodiff::__private::Zero::set_zero(&mut self.at);
        ::autodiff::__private::Zero::set_zero(&mut self.value);
    }
}
#[automatically_derived]
impl ::autodiff::Differentiable for Sample {
    type Scalar = <f64 as ::autodiff::Differentiable>::Scalar;
    type Tangent = SampleTangent;
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        SampleTangent {
            at: ::autodiff::Differentiable::zero_tangent(&self.at),
            value: ::autodiff::Differentiable::zero_tangent(&self.value),
        }
    }
    #[inline]
    fn visit_leaves(
        &self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(&::autodiff::Path<'_>, &[usize], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::visit_leaves(&self.at, &at.field("at"), f);
        ::autodiff::Differentiable::visit_leaves(&self.value, &at.field("value"), f);
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
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.at, &at.field("at"), f);
        ::autodiff::Differentiable::visit_leaves_mut(
            &mut self.value,
            &at.field("value"),
            f,
        );
    }
    #[inline]
    fn zip_leaves(
        &self,
        tangent: &Self::Tangent,
        f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::zip_leaves(&self.at, &tangent.at, f);
        ::autodiff::Differentiable::zip_leaves(&self.value, &tangent.value, f);
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
        let part = state.each_mut().map(|state| &mut state.at);
        ::autodiff::Differentiable::update_leaves(&mut self.at, &tangent.at, part, f);
        let part = state.each_mut().map(|state| &mut state.value);
        ::autodiff::Differentiable::update_leaves(
            &mut self.value,
            &tangent.value,
            part,
            f,
        );
    }
}
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_Sample {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { struct {} { true false at : f64,
        true false value : f64, } {} {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_Sample as Sample;
#[derive(Clone)]
pub enum Model {
    Line { slope: f64, offset: f64 },
    Decay(f64),
}
///The part of [`ModelTangent`] that is a change of [`Model::Line`].
#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
pub struct ModelLineTangent {
    #[allow(missing_docs)]
    pub slope: f64,
    #[allow(missing_docs)]
    pub offset: f64,
}
#[automatically_derived]
impl ::autodiff::Differentiable for ModelLineTangent {
    type Scalar = <f64 as ::autodiff::Differentiable>::Scalar;
    type Tangent = ModelLineTangent;
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        ModelLineTangent {
            slope: ::autodiff::Differentiable::zero_tangent(&self.slope),
            offset: ::autodiff::Differentiable::zero_tangent(&self.offset),
        }
    }
    #[inline]
    fn visit_leaves(
        &self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(&::autodiff::Path<'_>, &[usize], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::visit_leaves(&self.slope, &at.field("slope"), f);
        ::autodiff::Differentiable::visit_leaves(&self.offset, &at.field("offset"), f);
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
        ::autodiff::Differentiable::visit_leaves_mut(
            &mut self.slope,
            &at.field("slope"),
            f,
        );
        ::autodiff::Differentiable::visit_leaves_mut(
            &mut self.offset,
            &at.field("offset"),
            f,
        );
    }
    #[inline]
    fn zip_leaves(
        &self,
        tangent: &Self::Tangent,
        f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::zip_leaves(&self.slope, &tangent.slope, f);
        ::autodiff::Differentiable::zip_leaves(&self.offset, &tangent.offset, f);
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
        let part = state.each_mut().map(|state| &mut state.slope);
        ::autodiff::Differentiable::update_leaves(
            &mut self.slope,
            &tangent.slope,
            part,
            f,
        );
        let part = state.each_mut().map(|state| &mut state.offset);
        ::autodiff::Differentiable::update_leaves(
            &mut self.offset,
            &tangent.offset,
            part,
            f,
        );
    }
}
#[automatically_derived]
impl ::autodiff::__private::Zero for ModelLineTangent {
    const ZERO: Self = Self {
        slope: <f64 as ::autodiff::__private::Zero>::ZERO,
        offset: <f64 as ::autodiff::__private::Zero>::ZERO,
    };
    #[inline]
    fn set_zero(&mut self) {
        ::autodiff::__private::Zero::set_zero(&mut self.slope);
        ::autodiff::__private::Zero::set_zero(&mut self.offset);
    }
}
///The part of [`ModelTangent`] that is a change of [`Model::Decay`].
#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
pub struct ModelDecayTangent(pub f64);
#[automatically_derived]
impl ::autodiff::Differentiable for ModelDecayTangent {
    type Scalar = <f64 as ::autodiff::Differentiable>::Scalar;
    type Tangent = ModelDecayTangent;
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        ModelDecayTangent {
            0: ::autodiff::Differentiable::zero_tangent(&self.0),
        }
    }
    #[inline]
    fn visit_leaves(
        &self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(&::autodiff::Path<'_>, &[usize], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::visit_leaves(&self.0, &at.index(0), f);
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
        ::autodiff::Differentiable::visit_leaves_mut(&mut self.0, &at.index(0), f);
    }
    #[inline]
    fn zip_leaves(
        &self,
        tangent: &Self::Tangent,
        f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::zip_leaves(&self.0, &tangent.0, f);
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
        let part = state.each_mut().map(|state| &mut state.0);
        ::autodiff::Differentiable::update_leaves(&mut self.0, &tangent.0, part, f);
    }
}
#[automatically_derived]
impl ::autodiff::__private::Zero for ModelDecayTangent {
    const ZERO: Self = Self {
        0: <f64 as ::autodiff::__private::Zero>::ZERO,
    };
    #[inline]
    fn set_zero(&mut self) {
        ::autodiff::__private::Zero::set_zero(&mut self.0);
    }
}
///A change of [`Model`]: its tangent, its gradient. The parts of variants that a value is not are zero in its gradient, and no change of it.
#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
pub struct ModelTangent {
    #[allow(missing_docs)]
    pub line: ModelLineTangent,
    #[allow(missing_docs)]
    pub decay: ModelDecayTangent,
}
#[automatically_derived]
impl ::autodiff::Differentiable for ModelTangent {
    type Scalar = <ModelLineTangent as ::autodiff::Differentiable>::Scalar;
    type Tangent = ModelTangent;
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        ModelTangent {
            line: ::autodiff::Differentiable::zero_tangent(&self.line),
            decay: ::autodiff::Differentiable::zero_tangent(&self.decay),
        }
    }
    #[inline]
    fn visit_leaves(
        &self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(&::autodiff::Path<'_>, &[usize], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::visit_leaves(&self.line, &at.field("line"), f);
        ::autodiff::Differentiable::visit_leaves(&self.decay, &at.field("decay"), f);
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
        ::autodiff::Differentiable::visit_leaves_mut(
            &mut self.line,
            &at.field("line"),
            f,
        );
        ::autodiff::Differentiable::visit_leaves_mut(
            &mut self.decay,
            &at.field("decay"),
            f,
        );
    }
    #[inline]
    fn zip_leaves(
        &self,
        tangent: &Self::Tangent,
        f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar]),
    ) {
        ::autodiff::Differentiable::zip_leaves(&self.line, &tangent.line, f);
        ::autodiff::Differentiable::zip_leaves(&self.decay, &tangent.decay, f);
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
        let part = state.each_mut().map(|state| &mut state.line);
        ::autodiff::Differentiable::update_leaves(
            &mut self.line,
            &tangent.line,
            part,
            f,
        );
        let part = state.each_mut().map(|state| &mut state.decay);
        ::autodiff::Differentiable::update_leaves(
            &mut self.decay,
            &tangent.decay,
            part,
            f,
        );
    }
}
#[automatically_derived]
impl ::autodiff::__private::Zero for ModelTangent {
    const ZERO: Self = Self {
        line: <ModelLineTangent as ::autodiff::__private::Zero>::ZERO,
        decay: <ModelDecayTangent as ::autodiff::__private::Zero>::ZERO,
    };
    #[inline]
    fn set_zero(&mut self) {
        ::autodiff::__private::Zero::set_zero(&mut self.line);
        ::autodiff::__private::Zero::set_zero(&mut self.decay);
    }
}
#[automatically_derived]
#[allow(unused_mut, irrefutable_let_patterns)]
impl ::autodiff::Differentiable for Model {
    type Scalar = <ModelLineTangent as ::autodiff::Differentiable>::Scalar;
    type Tangent = ModelTangent;
    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        let mut zero = <Self::Tangent as ::autodiff::__private::Zero>::ZERO;
        if let Model::Line { slope: field_0, offset: field_1, .. } = self {
            zero.line.slope = ::autodiff::Differentiable::zero_tangent(field_0);
            zero.line.offset = ::autodiff::Differentiable::zero_tangent(field_1);
        }
        if let Model::Decay { 0: field_0, .. } = self {
            zero.decay.0 = ::autodiff::Differentiable::zero_tangent(field_0);
        }
        zero
    }
    #[inline]
    fn visit_leaves(
        &self,
        at: &::autodiff::Path<'_>,
        f: &mut impl ::core::ops::FnMut(&::autodiff::Path<'_>, &[usize], &[Self::Scalar]),
    ) {
        match self {
            Model::Line { slope: field_0, offset: field_1, .. } => {
                let at = at.field("line");
                ::autodiff::Differentiable::visit_leaves(field_0, &at.field("slope"), f);
                ::autodiff::Differentiable::visit_leaves(
                    field_1,
                    &at.field("offset"),
                    f,
                );
            }
            #[allow(unreachable_patterns)]
            _ => {
                let mut none = <ModelLineTangent as ::autodiff::__private::Zero>::ZERO;
                ::autodiff::Differentiable::visit_leaves(&none, &at.field("line"), f);
            }
        }
        match self {
            Model::Decay { 0: field_0, .. } => {
                let at = at.field("decay");
                ::autodiff::Differentiable::visit_leaves(field_0, &at.index(0), f);
            }
            #[allow(unreachable_patterns)]
            _ => {
                let mut none = <ModelDecayTangent as ::autodiff::__private::Zero>::ZERO;
                ::autodiff::Differentiable::visit_leaves(&none, &at.field("decay"), f);
            }
        }
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
        match self {
            Model::Line { slope: field_0, offset: field_1, .. } => {
                let at = at.field("line");
                ::autodiff::Differentiable::visit_leaves_mut(
                    field_0,
                    &at.field("slope"),
                    f,
                );
                ::autodiff::Differentiable::visit_leaves_mut(
                    field_1,
                    &at.field("offset"),
                    f,
                );
            }
            #[allow(unreachable_patterns)]
            _ => {
                let mut none = <ModelLineTangent as ::autodiff::__private::Zero>::ZERO;
                ::autodiff::Differentiable::visit_leaves_mut(
                    &mut none,
                    &at.field("line"),
                    f,
                );
            }
        }
        match self {
            Model::Decay { 0: field_0, .. } => {
                let at = at.field("decay");
                ::autodiff::Differentiable::visit_leaves_mut(field_0, &at.index(0), f);
            }
            #[allow(unreachable_patterns)]
            _ => {
                let mut none = <ModelDecayTangent as ::autodiff::__private::Zero>::ZERO;
                ::autodiff::Differentiable::visit_leaves_mut(
                    &mut none,
                    &at.field("decay"),
                    f,
                );
            }
        }
    }
    #[inline]
    fn zip_leaves(
        &self,
        tangent: &Self::Tangent,
        f: &mut impl ::core::ops::FnMut(&[Self::Scalar], &[Self::Scalar]),
    ) {
        match self {
            Model::Line { slope: field_0, offset: field_1, .. } => {
                ::autodiff::Differentiable::zip_leaves(field_0, &tangent.line.slope, f);
                ::autodiff::Differentiable::zip_leaves(field_1, &tangent.line.offset, f);
            }
            #[allow(unreachable_patterns)]
            _ => {
                let mut none = <ModelLineTangent as ::autodiff::__private::Zero>::ZERO;
                ::autodiff::Differentiable::zip_leaves(&none, &tangent.line, f);
            }
        }
        match self {
            Model::Decay { 0: field_0, .. } => {
                ::autodiff::Differentiable::zip_leaves(field_0, &tangent.decay.0, f);
            }
            #[allow(unreachable_patterns)]
            _ => {
                let mut none = <ModelDecayTangent as ::autodiff::__private::Zero>::ZERO;
                ::autodiff::Differentiable::zip_leaves(&none, &tangent.decay, f);
            }
        }
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
        match self {
            Model::Line { slope: field_0, offset: field_1, .. } => {
                let part = state.each_mut().map(|state| &mut state.line.slope);
                ::autodiff::Differentiable::update_leaves(
                    field_0,
                    &tangent.line.slope,
                    part,
                    f,
                );
                let part = state.each_mut().map(|state| &mut state.line.offset);
                ::autodiff::Differentiable::update_leaves(
                    field_1,
                    &tangent.line.offset,
                    part,
                    f,
                );
            }
            #[allow(unreachable_patterns)]
            _ => {
                let mut none = <ModelLineTangent as ::autodiff::__private::Zero>::ZERO;
                let part = state.each_mut().map(|state| &mut state.line);
                ::autodiff::Differentiable::update_leaves(
                    &mut none,
                    &tangent.line,
                    part,
                    f,
                );
            }
        }
        match self {
            Model::Decay { 0: field_0, .. } => {
                let part = state.each_mut().map(|state| &mut state.decay.0);
                ::autodiff::Differentiable::update_leaves(
                    field_0,
                    &tangent.decay.0,
                    part,
                    f,
                );
            }
            #[allow(unreachable_patterns)]
            _ => {
                let mut none = <ModelDecayTangent as ::autodiff::__private::Zero>::ZERO;
                let part = state.each_mut().map(|state| &mut state.decay);
                ::autodiff::Differentiable::update_leaves(
                    &mut none,
                    &tangent.decay,
                    part,
                    f,
                );
            }
        }
    }
}
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_Model {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { struct {} { true false slope :
        f64, true false offset : f64, true false 0 : f64, } { Line : 2usize, Decay :
        1usize, } {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_Model as Model;
#[inline]
#[allow(dead_code)]
pub fn predict(model: &Model, at: f64) -> f64 {
    <predict>::__value(model, at)
}
#[doc(hidden)]
mod __autodiff_predict {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct predict {}
}
///The derivatives of the function [`predict`](predict()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_predict::predict;
#[doc(hidden)]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
trait __autodiff_predict_pending {
    fn __value(model: &Model, at: f64) -> f64 {
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
impl __autodiff_predict_pending for predict {}
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_predict {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "predict" {} { true & Model,
        true f64, } { f64 } {} { ".exp" "Decay" "Model_Decay" } false body 1u8 1u8 false
        false "" {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_predict as predict;
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl predict {
    #[doc(hidden)]
    #[inline]
    fn __value(model: &Model, at: f64) -> f64 {
        {
            match model {
                Model::Line { slope, offset } => slope * at + offset,
                Model::Decay(rate) => (-rate * at).exp(),
            }
        }
    }
}
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for predict {}
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl predict {
    #[doc(hidden)]
    #[inline]
    pub fn __accumulate(
        model: &Model,
        at: f64,
        model_bar: &mut <Model as ::autodiff::Differentiable>::Tangent,
        at_bar: &mut f64,
    ) -> f64 {
        let model_kind = match &model {
            Model::Line { .. } => 0usize,
            Model::Decay { .. } => 1usize,
        };
        let slope = match &model {
            Model::Line { slope: part, .. } => *part,
            _ => 0.0_f64,
        };
        let offset = match &model {
            Model::Line { offset: part, .. } => *part,
            _ => 0.0_f64,
        };
        let model_0 = match &model {
            Model::Decay { 0: part, .. } => *part,
            _ => 0.0_f64,
        };
        let (mut t_3, mut slope_bar, mut at_bar_2, mut offset_bar, mut model_0_bar) = if model_kind
            == 0
        {
            (slope * at + offset, at, slope, 1.0_f64, 0.0_f64)
        } else {
            let t = -model_0;
            let t_2 = ::autodiff::Real::exp(t * at);
            (t_2, 0.0_f64, t * t_2, 0.0_f64, -(at * t_2))
        };
        model_bar.line.slope += slope_bar;
        model_bar.line.offset += offset_bar;
        model_bar.decay.0 += model_0_bar;
        *at_bar += at_bar_2;
        t_3
    }
    ///Adds the gradient of [`predict`] to `g` and returns the value.
    #[inline]
    pub fn accumulate_grad(
        model: &Model,
        at: f64,
        (model_bar, at_bar): &mut (<Model as ::autodiff::Differentiable>::Tangent, f64),
    ) -> f64 {
        Self::__accumulate(model, at, model_bar, at_bar)
    }
    ///The value of [`predict`]; `g` becomes the gradient.
    #[inline]
    pub fn value_and_grad_into(
        model: &Model,
        at: f64,
        g: &mut (<Model as ::autodiff::Differentiable>::Tangent, f64),
    ) -> f64 {
        ::autodiff::__private::Zero::set_zero(g);
        Self::accumulate_grad(model, at, g)
    }
    ///`g` becomes the gradient of [`predict`].
    #[inline]
    pub fn grad_into(
        model: &Model,
        at: f64,
        g: &mut (<Model as ::autodiff::Differentiable>::Tangent, f64),
    ) {
        Self::value_and_grad_into(model, at, g);
    }
    #[doc(hidden)]
    #[inline]
    pub fn __forward(
        model: &Model,
        at: f64,
        saved: &mut <Self as ::autodiff::__private::Sweeps>::Saved,
    ) -> f64 {
        let (saved_2,) = saved;
        let model_kind = match &model {
            Model::Line { .. } => 0usize,
            Model::Decay { .. } => 1usize,
        };
        let slope = match &model {
            Model::Line { slope: part, .. } => *part,
            _ => 0.0_f64,
        };
        let offset = match &model {
            Model::Line { offset: part, .. } => *part,
            _ => 0.0_f64,
        };
        let model_0 = match &model {
            Model::Decay { 0: part, .. } => *part,
            _ => 0.0_f64,
        };
        let (mut t_2, mut t_3) = if model_kind == 0 {
            (slope * at + offset, 0.0_f64)
        } else {
            let t = ::autodiff::Real::exp(-model_0 * at);
            (t, t)
        };
        *saved_2 = t_3;
        t_2
    }
    #[doc(hidden)]
    #[inline]
    pub fn __reverse(
        model: &Model,
        at: f64,
        saved: &<Self as ::autodiff::__private::Sweeps>::Saved,
        y_bar: f64,
        model_bar: &mut <Model as ::autodiff::Differentiable>::Tangent,
        at_bar: &mut f64,
    ) {
        let (saved_2,) = saved;
        let model_kind = match &model {
            Model::Line { .. } => 0usize,
            Model::Decay { .. } => 1usize,
        };
        let slope = match &model {
            Model::Line { slope: part, .. } => *part,
            _ => 0.0_f64,
        };
        let model_0 = match &model {
            Model::Decay { 0: part, .. } => *part,
            _ => 0.0_f64,
        };
        let (mut slope_bar, mut at_bar_2, mut offset_bar, mut model_0_bar) = if model_kind
            == 0
        {
            (at * y_bar, slope * y_bar, y_bar, 0.0_f64)
        } else {
            let t = *saved_2 * y_bar;
            (0.0_f64, -model_0 * t, 0.0_f64, -(at * t))
        };
        model_bar.line.slope += slope_bar;
        model_bar.line.offset += offset_bar;
        model_bar.decay.0 += model_0_bar;
        *at_bar += at_bar_2;
    }
    ///The value and the gradient of [`predict`].
    #[inline]
    pub fn value_and_grad(
        model: &Model,
        at: f64,
    ) -> (f64, (<Model as ::autodiff::Differentiable>::Tangent, f64)) {
        let mut g = <(
            <Model as ::autodiff::Differentiable>::Tangent,
            f64,
        ) as ::autodiff::__private::Zero>::ZERO;
        let y = Self::accumulate_grad(model, at, &mut g);
        (y, g)
    }
    ///The gradient of [`predict`].
    #[inline]
    pub fn grad(
        model: &Model,
        at: f64,
    ) -> (<Model as ::autodiff::Differentiable>::Tangent, f64) {
        Self::value_and_grad(model, at).1
    }
    ///The value of [`predict`] and what its reverse sweep needs.
    #[inline]
    pub fn forward(model: &Model, at: f64) -> (f64, ::autodiff::Residuals<predict>) {
        Self::__keep(model, at)
    }
    #[doc(hidden)]
    #[inline]
    pub fn __keep(model: &Model, at: f64) -> (f64, ::autodiff::Residuals<predict>) {
        let inputs = (
            match &model {
                Model::Line { .. } => 0usize,
                Model::Decay { .. } => 1usize,
            },
            match &model {
                Model::Line { slope: part, .. } => *part,
                _ => 0.0_f64,
            },
            match &model {
                Model::Decay { 0: part, .. } => *part,
                _ => 0.0_f64,
            },
            at,
        );
        let model_kind = match &model {
            Model::Line { .. } => 0usize,
            Model::Decay { .. } => 1usize,
        };
        let slope = match &model {
            Model::Line { slope: part, .. } => *part,
            _ => 0.0_f64,
        };
        let offset = match &model {
            Model::Line { offset: part, .. } => *part,
            _ => 0.0_f64,
        };
        let model_0 = match &model {
            Model::Decay { 0: part, .. } => *part,
            _ => 0.0_f64,
        };
        let (mut t_2, mut t_3) = if model_kind == 0 {
            (slope * at + offset, 0.0_f64)
        } else {
            let t = ::autodiff::Real::exp(-model_0 * at);
            (t, t)
        };
        let saved = (t_3,);
        (t_2, ::autodiff::__private::Opaque::new((saved, inputs)))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __pullback(
        residuals: &::autodiff::Residuals<predict>,
        y_bar: f64,
        model_bar: &mut <Model as ::autodiff::Differentiable>::Tangent,
        at_bar: &mut f64,
    ) {
        let (saved, (model_kind, slope, model_0, at), ..) = residuals.data();
        let (saved_2,) = saved;
        let (mut slope_bar, mut at_bar_2, mut offset_bar, mut model_0_bar) = if *model_kind
            == 0
        {
            (*at * y_bar, *slope * y_bar, y_bar, 0.0_f64)
        } else {
            let t = *saved_2 * y_bar;
            (0.0_f64, -*model_0 * t, 0.0_f64, -(*at * t))
        };
        model_bar.line.slope += slope_bar;
        model_bar.line.offset += offset_bar;
        model_bar.decay.0 += model_0_bar;
        *at_bar += at_bar_2;
    }
    /// The cotangents of the inputs, from those of the results.
    #[inline]
    pub fn pullback(
        residuals: &::autodiff::Residuals<predict>,
        seed: f64,
    ) -> (<Model as ::autodiff::Differentiable>::Tangent, f64) {
        let (mut model_bar, mut at_bar) = <(
            <Model as ::autodiff::Differentiable>::Tangent,
            f64,
        ) as ::autodiff::__private::Zero>::ZERO;
        Self::__pullback(residuals, seed, &mut model_bar, &mut at_bar);
        (model_bar, at_bar)
    }
    ///The value of [`predict`] and its pullback, which may be called many times.
    #[inline]
    pub fn vjp(
        model: &Model,
        at: f64,
    ) -> (
        f64,
        impl ::core::ops::Fn(
            f64,
        ) -> (<Model as ::autodiff::Differentiable>::Tangent, f64) + use<>,
    ) {
        let (y, residuals) = Self::forward(model, at);
        (y, move |seed: f64| Self::pullback(&residuals, seed))
    }
    ///The value of [`predict`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(
        model: &Model,
        at: f64,
        model_dot: &<Model as ::autodiff::Differentiable>::Tangent,
        at_dot: f64,
    ) -> (f64, f64) {
        let model_kind = match &model {
            Model::Line { .. } => 0usize,
            Model::Decay { .. } => 1usize,
        };
        let slope = match &model {
            Model::Line { slope: part, .. } => *part,
            _ => 0.0_f64,
        };
        let offset = match &model {
            Model::Line { offset: part, .. } => *part,
            _ => 0.0_f64,
        };
        let model_0 = match &model {
            Model::Decay { 0: part, .. } => *part,
            _ => 0.0_f64,
        };
        let (mut t_3, mut t_4) = if model_kind == 0 {
            (
                slope * at + offset,
                at * model_dot.line.slope + slope * at_dot + model_dot.line.offset,
            )
        } else {
            let t = -model_0;
            let t_2 = ::autodiff::Real::exp(t * at);
            (t_2, t_2 * (at * -model_dot.decay.0 + t * at_dot))
        };
        (t_3, t_4)
    }
    #[doc(hidden)]
    pub fn hvp(
        model: &Model,
        at: f64,
        model_dot: &<Model as ::autodiff::Differentiable>::Tangent,
        at_dot: f64,
    ) -> (<Model as ::autodiff::Differentiable>::Tangent, f64)
    where
        for<'of> predict: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jvp_wide<__Wide: ::autodiff::__private::Wide<f64>>(
        model: &Model,
        at: f64,
        model_dot_0: __Wide,
        model_dot_1: __Wide,
        model_dot_2: __Wide,
        at_dot_0: __Wide,
    ) -> (f64, (__Wide,)) {
        let mut tangent_0: __Wide = ::autodiff::__private::lanes::Zeros::ZEROS;
        let (y, g) = Self::value_and_grad(model, at);
        ::autodiff::__private::lanes::WideLeaf::zip(
            &model_dot_0,
            &g.0.line.slope,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            &model_dot_1,
            &g.0.line.offset,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            &model_dot_2,
            &g.0.decay.0,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        ::autodiff::__private::lanes::WideLeaf::zip(
            &at_dot_0,
            &g.1,
            &mut |dot, d| tangent_0 += *dot * d,
        );
        (y, (tangent_0,))
    }
    #[doc(hidden)]
    #[inline]
    pub fn __jacobian(
        model: &Model,
        at: f64,
        block_0: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
        block_1: &mut (impl ::autodiff::__private::jacobian::Rows<
            f64,
        > + ?::core::marker::Sized),
    ) -> f64 {
        let (y, g) = Self::value_and_grad(model, at);
        ::autodiff::__private::jacobian::write_row(&g.0, 0, block_0);
        ::autodiff::__private::jacobian::write_row(&g.1, 0, block_1);
        y
    }
    ///The value and the Jacobian of [`predict`].
    #[inline]
    pub fn value_and_jacobian(model: &Model, at: f64) -> (f64, ([f64; 3], f64)) {
        let mut block_0 = [<f64 as ::autodiff::Real>::ZERO; 3];
        let mut block_1 = <f64 as ::autodiff::Real>::ZERO;
        let mut j = (block_0, block_1);
        let y = Self::value_and_jacobian_into(model, at, &mut j);
        (y, j)
    }
    ///The Jacobian of [`predict`]: a row for each number of the result, a column for each of the parameter.
    #[inline]
    pub fn jacobian(model: &Model, at: f64) -> ([f64; 3], f64) {
        Self::value_and_jacobian(model, at).1
    }
    ///The value of [`predict`]; `j` becomes the Jacobian.
    #[inline]
    pub fn value_and_jacobian_into(
        model: &Model,
        at: f64,
        j: &mut ([f64; 3], f64),
    ) -> f64 {
        Self::__jacobian(
            model,
            at,
            &mut (*(&mut j.0))[..],
            ::core::slice::from_mut((&mut j.1)),
        )
    }
    ///`j` becomes the Jacobian of [`predict`].
    #[inline]
    pub fn jacobian_into(model: &Model, at: f64, j: &mut ([f64; 3], f64)) {
        Self::value_and_jacobian_into(model, at, j);
    }
    ///The value of [`predict`] and its derivatives in the directions of `W` tangents.
    #[inline]
    pub fn jvp_many<const W: usize>(
        model: &Model,
        at: f64,
        model_dot: &[<Model as ::autodiff::Differentiable>::Tangent; W],
        at_dot: &[f64; W],
    ) -> (f64, [f64; W]) {
        const { ::core::assert!(W > 0, "there is at least one direction") };
        ::autodiff::__private::runs_again::<Self>();
        let mut value = ::core::option::Option::None;
        let tangents = ::core::array::from_fn(|lane| {
            let (y, tangent) = Self::jvp(model, at, &model_dot[lane], at_dot[lane]);
            value = ::core::option::Option::Some(y);
            tangent
        });
        (value.expect("there is at least one direction"), tangents)
    }
    ///The value of [`predict`] and the cotangents of its inputs, for each of `W` cotangents of the result.
    #[inline]
    pub fn vjp_many<const W: usize>(
        model: &Model,
        at: f64,
        seeds: &[f64; W],
    ) -> (f64, [(<Model as ::autodiff::Differentiable>::Tangent, f64); W]) {
        let (y, pullback) = Self::vjp(model, at);
        let cotangents = seeds.each_ref().map(|seed| pullback(*seed));
        (y, cotangents)
    }
    #[doc(hidden)]
    pub fn hessian(
        model: &Model,
        at: f64,
    ) -> (([[f64; 3]; 3], [f64; 3]), ([f64; 3], f64))
    where
        for<'of> predict: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn value_grad_hessian(
        model: &Model,
        at: f64,
    ) -> (
        f64,
        (<Model as ::autodiff::Differentiable>::Tangent, f64),
        (([[f64; 3]; 3], [f64; 3]), ([f64; 3], f64)),
    )
    where
        for<'of> predict: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_into(
        model: &Model,
        at: f64,
        h: &mut (([[f64; 3]; 3], [f64; 3]), ([f64; 3], f64)),
    )
    where
        for<'of> predict: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn hessian_diagonal(
        model: &Model,
        at: f64,
    ) -> (<Model as ::autodiff::Differentiable>::Tangent, f64)
    where
        for<'of> predict: ::autodiff::__private::SecondOrder<'of>,
    {
        ::core::unimplemented!()
    }
    #[doc(hidden)]
    pub fn taylor<const K: usize>(
        model: &Model,
        at: f64,
        model_dot: &<Model as ::autodiff::Differentiable>::Tangent,
        at_dot: f64,
    ) -> [f64; K]
    where
        for<'of> predict: ::autodiff::__private::Taylor<'of>,
    {
        ::core::unimplemented!()
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl predict { #[doc(hidden)] pub fn
    hessian_sparsity(model : & Model, at : f64) -> ::autodiff::Sparsity where for < 'of >
    predict : ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_sparse(model : & Model, at : f64, pattern : &
    ::autodiff::Sparsity, values : & mut [f64]) where for < 'of > predict :
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
impl ::autodiff::__private::Sweeps for predict {
    type Saved = (f64,);
    const EMPTY: Self::Saved = (0.0_f64,);
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
impl ::autodiff::DifferentiableFn for predict {
    type Residuals = ::autodiff::__private::Opaque<
        Self,
        ((f64,), (usize, f64, f64, f64)),
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
impl ::autodiff::Callable<(&'static Model, f64)> for predict {
    type Output = f64;
    #[inline]
    fn call(args: (&Model, f64)) -> f64 {
        predict(args.0, args.1)
    }
    #[inline]
    fn jvp(
        (model, at): (&Model, f64),
        (model_dot, at_dot): (&<Model as ::autodiff::Differentiable>::Tangent, f64),
    ) -> (f64, f64) {
        Self::jvp(model, at, model_dot, at_dot)
    }
    #[inline]
    fn __forward((model, at): (&Model, f64), saved: &mut Self::Saved) -> f64 {
        Self::__forward(model, at, saved)
    }
    #[inline]
    fn __reverse(
        (model, at): (&Model, f64),
        saved: &Self::Saved,
        seed: &f64,
        (
            model_bar,
            at_bar,
        ): (&mut <Model as ::autodiff::Differentiable>::Tangent, &mut f64),
    ) {
        Self::__reverse(model, at, saved, *seed, model_bar, at_bar)
    }
    #[inline]
    fn __keep((model, at): (&Model, f64)) -> (f64, Self::Residuals) {
        Self::forward(model, at)
    }
    #[inline]
    fn __pullback(
        residuals: &Self::Residuals,
        seed: &f64,
        (
            model_bar,
            at_bar,
        ): (&mut <Model as ::autodiff::Differentiable>::Tangent, &mut f64),
    ) {
        Self::__pullback(residuals, *seed, model_bar, at_bar)
    }
    #[inline]
    fn __accumulate(
        (model, at): (&Model, f64),
        (
            model_bar,
            at_bar,
        ): (&mut <Model as ::autodiff::Differentiable>::Tangent, &mut f64),
    ) -> f64 {
        Self::__accumulate(model, at, model_bar, at_bar)
    }
}
#[inline]
#[allow(dead_code)]
pub fn worst(model: &Model, samples: &[Sample]) -> f64 {
    <worst>::__value(model, samples)
}
#[doc(hidden)]
mod __autodiff_worst {
    #[allow(non_camel_case_types, dead_code, missing_docs)]
    pub struct worst {}
}
///The derivatives of the function [`worst`](worst()).
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_worst::worst;
#[doc(hidden)]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
trait __autodiff_worst_pending {
    fn __value(model: &Model, samples: &[Sample]) -> f64 {
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
impl __autodiff_worst_pending for worst {}
#[doc(hidden)]
#[allow(unused_macros, non_local_definitions)]
#[macro_export]
macro_rules! __autodiff_relay_worst {
    ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
        $($next)* ! { $([$($more)*])* => { $($state)* { fn "worst" {} { true & Model,
        true & [Sample], } { f64 } {} { ".abs" ".max" ".unwrap_or" "Some" "predict" }
        false body 1u8 1u8 false false "" {} } } }
    };
}
#[doc(hidden)]
#[allow(unused_imports, clippy::pub_use)]
pub use __autodiff_relay_worst as worst;
#[automatically_derived]
#[allow(
    warnings,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::restriction
)]
impl worst {
    #[doc(hidden)]
    #[inline]
    fn __value(model: &Model, samples: &[Sample]) -> f64 {
        {
            let mut worst: Option<f64> = None;
            for sample in samples {
                let error = (predict(model, sample.at) - sample.value).abs();
                worst = match worst {
                    Some(least) => Some(least.max(error)),
                    None => Some(error),
                };
            }
            worst.unwrap_or(0.0)
        }
    }
}
#[automatically_derived]
impl<'kept> ::autodiff::__private::Keeps<'kept> for worst {}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl worst { #[doc(hidden)] #[inline] pub fn
    __jvp_wide < __Wide : ::autodiff::__private::Wide < f64 > > (model : & Model, samples
    : & [Sample], model_dot_0 : __Wide, model_dot_1 : __Wide, model_dot_2 : __Wide,
    samples_dot_0 : & [__Wide], samples_dot_1 : & [__Wide]) -> (f64, (__Wide,)) { let mut
    tangent_0 : __Wide = ::autodiff::__private::lanes::Zeros::ZEROS; let (y, g) =
    Self::value_and_grad(model, samples); ::autodiff::__private::lanes::WideLeaf::zip(&
    model_dot_0, & g.0.line.slope, & mut | dot, d | tangent_0 += * dot * d);
    ::autodiff::__private::lanes::WideLeaf::zip(& model_dot_1, & g.0.line.offset, & mut |
    dot, d | tangent_0 += * dot * d); ::autodiff::__private::lanes::WideLeaf::zip(&
    model_dot_2, & g.0.decay.0, & mut | dot, d | tangent_0 += * dot * d); for (row, item)
    in ::core::iter::Iterator::zip(g.1.iter(), samples_dot_0.iter()) {
    ::autodiff::__private::lanes::WideLeaf::zip(item, & row.at, & mut | dot, d |
    tangent_0 += * dot * d); } for (row, item) in ::core::iter::Iterator::zip(g.1.iter(),
    samples_dot_1.iter()) { ::autodiff::__private::lanes::WideLeaf::zip(item, & row
    .value, & mut | dot, d | tangent_0 += * dot * d); } (y, (tangent_0,)) }
    #[doc(hidden)] #[inline] pub fn __jacobian(model : & Model, samples : & [Sample],
    block_0 : & mut (impl ::autodiff::__private::jacobian::Rows < f64 > + ?
    ::core::marker::Sized), block_1 : & mut (impl ::autodiff::__private::jacobian::Rows <
    f64 > + ? ::core::marker::Sized)) -> f64 { let (y, g) = Self::value_and_grad(model,
    samples); ::autodiff::__private::jacobian::write_row(& g.0, 0, block_0);
    ::autodiff::__private::jacobian::write_row(& g.1, 0, block_1); y } #[doc =
    "The value and the Jacobian of [`worst`]."] #[inline] pub fn value_and_jacobian(model
    : & Model, samples : & [Sample]) -> (f64, ([f64; 3], ::autodiff::__private::Vec < f64
    >)) { let mut block_0 = [< f64 as ::autodiff::Real > ::ZERO; 3]; let mut block_1 =
    ::autodiff::__private::Vec::new(); let y = Self::__jacobian(model, samples, & mut (*
    (& mut block_0)) [..], & mut block_1); let j = (block_0, block_1); (y, j) } #[doc =
    "The Jacobian of [`worst`]: a row for each number of the result, a column for each of the parameter."]
    #[inline] pub fn jacobian(model : & Model, samples : & [Sample]) -> ([f64; 3],
    ::autodiff::__private::Vec < f64 >) { Self::value_and_jacobian(model, samples).1 }
    #[doc = "The value of [`worst`]; `j` becomes the Jacobian."] #[inline] pub fn
    value_and_jacobian_into(model : & Model, samples : & [Sample], j : (& mut [f64], &
    mut [f64])) -> f64 { Self::__jacobian(model, samples, & mut * j.0, & mut * j.1) }
    #[doc = "`j` becomes the Jacobian of [`worst`]."] #[inline] pub fn
    jacobian_into(model : & Model, samples : & [Sample], j : (& mut [f64], & mut [f64]))
    { Self::value_and_jacobian_into(model, samples, j); } #[doc =
    "The value of [`worst`] and its derivatives in the directions of `W` tangents."]
    #[inline] pub fn jvp_many < const W : usize > (model : & Model, samples : & [Sample],
    model_dot : & [< Model as ::autodiff::Differentiable > ::Tangent; W], samples_dot : &
    [impl ::core::convert::AsRef < [< Sample as ::autodiff::Differentiable > ::Tangent]
    >; W]) -> (f64, [f64; W]) { const { ::core::assert!(W > 0,
    "there is at least one direction") }; ::autodiff::__private::runs_again:: < Self >
    (); let mut value = ::core::option::Option::None; let tangents =
    ::core::array::from_fn(| lane | { let (y, tangent) = Self::jvp(model, samples, &
    model_dot[lane], ::core::convert::AsRef::as_ref(& samples_dot[lane])); value =
    ::core::option::Option::Some(y); tangent }); (value
    .expect("there is at least one direction"), tangents) } #[doc =
    "The value of [`worst`] and the cotangents of its inputs, for each of `W` cotangents of the result."]
    #[inline] pub fn vjp_many < const W : usize > (model : & Model, samples : & [Sample],
    seeds : & [f64; W]) -> (f64, [(< Model as ::autodiff::Differentiable > ::Tangent,
    ::autodiff::__private::Vec < < Sample as ::autodiff::Differentiable > ::Tangent >);
    W]) { let (y, pullback) = Self::vjp(model, samples); let cotangents = seeds
    .each_ref().map(| seed | pullback(* seed)); (y, cotangents) } #[doc(hidden)] pub fn
    hessian(model : & Model, samples : & [Sample]) -> (([[f64; 3]; 3],
    [::autodiff::__private::Vec < f64 >; 3]), (::autodiff::__private::Vec < [f64; 3] >,
    ::autodiff::__private::Vec < ::autodiff::__private::Vec < f64 > >)) where for < 'of >
    worst : ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn value_grad_hessian(model : & Model, samples : & [Sample]) ->
    (f64, (< Model as ::autodiff::Differentiable > ::Tangent, ::autodiff::__private::Vec
    < < Sample as ::autodiff::Differentiable > ::Tangent >), (([[f64; 3]; 3],
    [::autodiff::__private::Vec < f64 >; 3]), (::autodiff::__private::Vec < [f64; 3] >,
    ::autodiff::__private::Vec < ::autodiff::__private::Vec < f64 > >))) where for < 'of
    > worst : ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_into(model : & Model, samples : & [Sample], h : ((& mut
    [f64], & mut [f64]), (& mut [f64], & mut [f64]))) where for < 'of > worst :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn hessian_diagonal(model : & Model, samples : & [Sample]) -> (<
    Model as ::autodiff::Differentiable > ::Tangent, ::autodiff::__private::Vec < <
    Sample as ::autodiff::Differentiable > ::Tangent >) where for < 'of > worst :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() }
    #[doc(hidden)] pub fn taylor < const K : usize > (model : & Model, samples : &
    [Sample], model_dot : & < Model as ::autodiff::Differentiable > ::Tangent,
    samples_dot : & [< Sample as ::autodiff::Differentiable > ::Tangent]) -> [f64; K]
    where for < 'of > worst : ::autodiff::__private::Taylor < 'of > {
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
impl worst {
    ///The value of [`worst`] and its derivative in the direction of the given tangents.
    #[inline]
    pub fn jvp(
        model: &Model,
        samples: &[Sample],
        model_dot: &<Model as ::autodiff::Differentiable>::Tangent,
        samples_dot: &[<Sample as ::autodiff::Differentiable>::Tangent],
    ) -> (f64, f64) {
        ::core::assert!(
            samples_dot.len() == samples.len(),
            "the derivative by `samples` is as long as `samples`"
        );
        let model_kind = match &model {
            Model::Line { .. } => 0usize,
            Model::Decay { .. } => 1usize,
        };
        let slope = match &model {
            Model::Line { slope: part, .. } => *part,
            _ => 0.0_f64,
        };
        let offset = match &model {
            Model::Line { offset: part, .. } => *part,
            _ => 0.0_f64,
        };
        let model_0 = match &model {
            Model::Decay { 0: part, .. } => *part,
            _ => 0.0_f64,
        };
        let samples_len = samples.len();
        let mut t = 0;
        let mut least = 0.0_f64;
        let mut least_dot = 0.0_f64;
        for i in 0..samples_len {
            let at_at = samples[i].at;
            let at_dot_at = samples_dot[i].at;
            let value_at = samples[i].value;
            let value_dot_at = samples_dot[i].value;
            let (mut predict_out, mut predict_out_2) = predict::jvp(
                model,
                at_at,
                model_dot,
                at_dot_at,
            );
            let t_2 = predict_out - value_at;
            let t_3 = predict_out_2 - value_dot_at;
            let error = ::autodiff::Real::abs(t_2);
            let error_dot = if t_2 > 0.0 {
                t_3
            } else {
                if t_2 < 0.0 { -t_3 } else { 0.0_f64 }
            };
            let (mut t_9, mut t_10, mut t_11) = if t == 1 {
                let t_4 = ::autodiff::Real::max(least, error);
                let t_5 = least == t_4;
                let t_6 = error == t_4;
                let t_7 = least_dot * 0.5;
                let t_8 = if t_6 { t_7 } else { least_dot };
                (
                    1,
                    t_4,
                    (if t_5 { t_8 } else { 0.0_f64 })
                        + (if t_6 {
                            error_dot * (if t_5 { 0.5_f64 } else { 1.0_f64 })
                        } else {
                            0.0_f64
                        }),
                )
            } else {
                (1, error, error_dot)
            };
            t = t_9;
            least = t_10;
            least_dot = t_11;
        }
        let (mut t_12, mut t_13) = if t == 1 {
            (least, least_dot)
        } else {
            (0.0_f64, 0.0_f64)
        };
        (t_12, t_13)
    }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl worst { #[doc(hidden)] pub fn
    hessian_sparsity(model : & Model, samples : & [Sample]) -> ::autodiff::Sparsity where
    for < 'of > worst : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } #[doc(hidden)] pub fn hessian_sparse(model : & Model,
    samples : & [Sample], pattern : & ::autodiff::Sparsity, values : & mut [f64]) where
    for < 'of > worst : ::autodiff::__private::SecondOrder < 'of > {
    ::core::unimplemented!() } }
}
::autodiff::__with_alloc! {
    "the derivative keeps values on the heap here: enable the feature `alloc` of `autodiff`, say how many iterations there are at most with `#[max_iters(64)]` on the loop, or write `#[checkpoint(8)]` on it to recompute from 8 snapshots"
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl worst { #[doc(hidden)] #[inline] pub fn
    __accumulate(model : & Model, samples : & [Sample], model_bar : & mut < Model as
    ::autodiff::Differentiable > ::Tangent, samples_bar : & mut [< Sample as
    ::autodiff::Differentiable > ::Tangent]) -> f64 { let model_kind = match & model {
    Model::Line { .. } => 0usize, Model::Decay { .. } => 1usize }; let slope = match &
    model { Model::Line { slope : part, .. } => * part, _ => 0.0_f64 }; let offset =
    match & model { Model::Line { offset : part, .. } => * part, _ => 0.0_f64 }; let
    model_0 = match & model { Model::Decay { 0 : part, .. } => * part, _ => 0.0_f64 };
    let samples_len = samples.len(); let mut history = ::autodiff::__private::vec![<
    predict as ::autodiff::__private::Sweeps > ::EMPTY; samples_len]; let mut workspace =
    ::autodiff::__private::Scratch:: < _, 64 > ::new(0usize); let workspace = workspace
    .zeros(samples_len); let history_2 = workspace; let mut workspace_2 =
    ::autodiff::__private::Scratch:: < _, 64 > ::new(0.0_f64); let workspace_2 =
    workspace_2.zeros(samples_len + samples_len); let (history_3, workspace_2) =
    workspace_2.split_at_mut(samples_len); let history_4 = workspace_2; let mut t = 0;
    let mut least = 0.0_f64; for i in 0..samples_len { history_4[i] = least; history_2[i]
    = t; let at_at = samples[i].at; let value_at = samples[i].value; let mut predict_out
    = predict::__forward(model, at_at, < predict as ::autodiff::__private::Sweeps >
    ::renew(& mut history[i])); let error = ::autodiff::Real::abs(predict_out -
    value_at); let (mut t_2, mut t_3) = if t == 1 { (1, ::autodiff::Real::max(least,
    error)) } else { (1, error) }; history_3[i] = predict_out; t = t_2; least = t_3; }
    let t_4 = t == 1; let (mut t_5, mut value_bar) = if t_4 { (least, 1.0_f64) } else {
    (0.0_f64, 0.0_f64) }; let mut value_bar_2 = value_bar; let mut t_6 = 0.0_f64; let mut
    t_7 = 0.0_f64; let mut t_8 = 0.0_f64; let mut t_9 = t_4; for i in
    ::core::iter::Iterator::rev(0..samples_len) { let least_history_at = history_4[i];
    let predict_saved_history_at = & history[i]; let at_at_2 = samples[i].at; let t_10 =
    history_3[i] - samples[i].value; let error_2 = ::autodiff::Real::abs(t_10); let (mut
    least_bar, mut error_bar, mut t_17, mut t_18) = if history_2[i] == 1 { let t_11 =
    ::autodiff::Real::max(least_history_at, error_2); let t_12 = least_history_at ==
    t_11; let t_13 = error_2 == t_11; let t_14 = value_bar_2 * 0.5; let t_15 = if t_13 {
    t_14 } else { value_bar_2 }; let t_16 = if t_12 { t_14 } else { value_bar_2 }; (if
    t_12 { t_15 } else { 0.0_f64 }, if t_13 { t_16 } else { 0.0_f64 }, t_9, t_9) } else {
    (0.0_f64, value_bar_2, false, t_9) }; let t_19 = if t_10 > 0.0 { error_bar } else {
    if t_10 < 0.0 { - error_bar } else { 0.0_f64 } }; let t_20 = - t_19; let (mut
    slope_bar, mut offset_bar, mut model_0_bar, mut t_21) = if t_18 { let mut
    predict_out_2 = 0.0_f64; predict::__reverse(model, at_at_2, & *
    predict_saved_history_at, t_19, model_bar, & mut predict_out_2); (t_6, t_7, t_8,
    predict_out_2) } else { (t_6, t_7, t_8, 0.0_f64) }; samples_bar[i].value += t_20;
    samples_bar[i].at += t_21; value_bar_2 = least_bar; t_6 = slope_bar; t_7 =
    offset_bar; t_8 = model_0_bar; t_9 = t_17; } model_bar.line.slope += t_6; model_bar
    .line.offset += t_7; model_bar.decay.0 += t_8; t_5 } #[doc =
    "Adds the gradient of [`worst`] to `g` and returns the value."] #[inline] pub fn
    accumulate_grad(model : & Model, samples : & [Sample], (model_bar, samples_bar) : (&
    mut < Model as ::autodiff::Differentiable > ::Tangent, & mut [< Sample as
    ::autodiff::Differentiable > ::Tangent])) -> f64 { ::core::assert!(samples_bar.len()
    == samples.len(), "the derivative by `samples` is as long as `samples`");
    Self::__accumulate(model, samples, model_bar, samples_bar) } #[doc =
    "The value of [`worst`]; `g` becomes the gradient."] #[inline] pub fn
    value_and_grad_into(model : & Model, samples : & [Sample], (model_bar, samples_bar) :
    (& mut < Model as ::autodiff::Differentiable > ::Tangent, & mut [< Sample as
    ::autodiff::Differentiable > ::Tangent])) -> f64 { ::core::assert!(samples_bar.len()
    == samples.len(), "the derivative by `samples` is as long as `samples`");
    ::autodiff::__private::Zero::set_zero(model_bar); ::autodiff::__private::set_zeros(&
    mut * samples_bar); let model_kind = match & model { Model::Line { .. } => 0usize,
    Model::Decay { .. } => 1usize }; let slope = match & model { Model::Line { slope :
    part, .. } => * part, _ => 0.0_f64 }; let offset = match & model { Model::Line {
    offset : part, .. } => * part, _ => 0.0_f64 }; let model_0 = match & model {
    Model::Decay { 0 : part, .. } => * part, _ => 0.0_f64 }; let samples_len = samples
    .len(); let mut history = ::autodiff::__private::vec![< predict as
    ::autodiff::__private::Sweeps > ::EMPTY; samples_len]; let mut workspace =
    ::autodiff::__private::Scratch:: < _, 64 > ::new(0usize); let workspace = workspace
    .zeros(samples_len); let history_2 = workspace; let mut workspace_2 =
    ::autodiff::__private::Scratch:: < _, 64 > ::new(0.0_f64); let workspace_2 =
    workspace_2.zeros(samples_len + samples_len); let (history_3, workspace_2) =
    workspace_2.split_at_mut(samples_len); let history_4 = workspace_2; let mut t = 0;
    let mut least = 0.0_f64; for i in 0..samples_len { history_4[i] = least; history_2[i]
    = t; let at_at = samples[i].at; let value_at = samples[i].value; let mut predict_out
    = predict::__forward(model, at_at, < predict as ::autodiff::__private::Sweeps >
    ::renew(& mut history[i])); let error = ::autodiff::Real::abs(predict_out -
    value_at); let (mut t_2, mut t_3) = if t == 1 { (1, ::autodiff::Real::max(least,
    error)) } else { (1, error) }; history_3[i] = predict_out; t = t_2; least = t_3; }
    let t_4 = t == 1; let (mut t_5, mut value_bar) = if t_4 { (least, 1.0_f64) } else {
    (0.0_f64, 0.0_f64) }; let mut value_bar_2 = value_bar; let mut t_6 = 0.0_f64; let mut
    t_7 = 0.0_f64; let mut t_8 = 0.0_f64; let mut t_9 = t_4; for i in
    ::core::iter::Iterator::rev(0..samples_len) { let least_history_at = history_4[i];
    let predict_saved_history_at = & history[i]; let at_at_2 = samples[i].at; let t_10 =
    history_3[i] - samples[i].value; let error_2 = ::autodiff::Real::abs(t_10); let (mut
    least_bar, mut error_bar, mut t_17, mut t_18) = if history_2[i] == 1 { let t_11 =
    ::autodiff::Real::max(least_history_at, error_2); let t_12 = least_history_at ==
    t_11; let t_13 = error_2 == t_11; let t_14 = value_bar_2 * 0.5; let t_15 = if t_13 {
    t_14 } else { value_bar_2 }; let t_16 = if t_12 { t_14 } else { value_bar_2 }; (if
    t_12 { t_15 } else { 0.0_f64 }, if t_13 { t_16 } else { 0.0_f64 }, t_9, t_9) } else {
    (0.0_f64, value_bar_2, false, t_9) }; let t_19 = if t_10 > 0.0 { error_bar } else {
    if t_10 < 0.0 { - error_bar } else { 0.0_f64 } }; let t_20 = - t_19; let (mut
    slope_bar, mut offset_bar, mut model_0_bar, mut t_21) = if t_18 { let mut
    predict_out_2 = 0.0_f64; predict::__reverse(model, at_at_2, & *
    predict_saved_history_at, t_19, model_bar, & mut predict_out_2); (t_6, t_7, t_8,
    predict_out_2) } else { (t_6, t_7, t_8, 0.0_f64) }; samples_bar[i].value = t_20;
    samples_bar[i].at = t_21; value_bar_2 = least_bar; t_6 = slope_bar; t_7 = offset_bar;
    t_8 = model_0_bar; t_9 = t_17; } model_bar.line.slope += t_6; model_bar.line.offset
    += t_7; model_bar.decay.0 += t_8; t_5 } #[doc =
    "`g` becomes the gradient of [`worst`]."] #[inline] pub fn grad_into(model : & Model,
    samples : & [Sample], g : (& mut < Model as ::autodiff::Differentiable > ::Tangent, &
    mut [< Sample as ::autodiff::Differentiable > ::Tangent])) {
    Self::value_and_grad_into(model, samples, g); } #[doc(hidden)] #[inline] pub fn
    __forward(model : & Model, samples : & [Sample], saved : & mut < Self as
    ::autodiff::__private::Sweeps > ::Saved) -> f64 { let (saved_2,
    predict_saved_history, saved_3, history,) = saved; let model_kind = match & model {
    Model::Line { .. } => 0usize, Model::Decay { .. } => 1usize }; let slope = match &
    model { Model::Line { slope : part, .. } => * part, _ => 0.0_f64 }; let offset =
    match & model { Model::Line { offset : part, .. } => * part, _ => 0.0_f64 }; let
    model_0 = match & model { Model::Decay { 0 : part, .. } => * part, _ => 0.0_f64 };
    let samples_len = samples.len(); let history_2 =
    ::autodiff::__private::zeros_in(predict_saved_history, < predict as
    ::autodiff::__private::Sweeps > ::EMPTY, samples_len); let history_3 =
    ::autodiff::__private::zeros_in(saved_3, 0usize, samples_len); let history_4 =
    ::autodiff::__private::zeros_in(history, 0.0_f64, 2 * samples_len); let mut t = 0;
    let mut least = 0.0_f64; for i in 0..samples_len { history_4[samples_len + i] =
    least; history_3[i] = t; let at_at = samples[i].at; let value_at = samples[i].value;
    let mut predict_out = predict::__forward(model, at_at, < predict as
    ::autodiff::__private::Sweeps > ::renew(& mut history_2[i])); let error =
    ::autodiff::Real::abs(predict_out - value_at); let (mut t_2, mut t_3) = if t == 1 {
    (1, ::autodiff::Real::max(least, error)) } else { (1, error) }; history_4[i] =
    predict_out; t = t_2; least = t_3; } let t_4 = t == 1; let mut t_5 = if t_4 { least }
    else { 0.0_f64 }; * saved_2 = t_4; t_5 } #[doc(hidden)] #[inline] pub fn
    __reverse(model : & Model, samples : & [Sample], saved : & < Self as
    ::autodiff::__private::Sweeps > ::Saved, y_bar : f64, model_bar : & mut < Model as
    ::autodiff::Differentiable > ::Tangent, samples_bar : & mut [< Sample as
    ::autodiff::Differentiable > ::Tangent]) { let (saved_2, predict_saved_history,
    saved_3, history,) = saved; let model_kind = match & model { Model::Line { .. } =>
    0usize, Model::Decay { .. } => 1usize }; let slope = match & model { Model::Line {
    slope : part, .. } => * part, _ => 0.0_f64 }; let offset = match & model {
    Model::Line { offset : part, .. } => * part, _ => 0.0_f64 }; let model_0 = match &
    model { Model::Decay { 0 : part, .. } => * part, _ => 0.0_f64 }; let samples_len =
    samples.len(); let mut value_bar = if * saved_2 { y_bar } else { 0.0_f64 }; let mut
    value_bar_2 = value_bar; let mut t = 0.0_f64; let mut t_2 = 0.0_f64; let mut t_3 =
    0.0_f64; let mut t_4 = * saved_2; if 0 < samples_len { ::core::assert!(samples_len <=
    history.len()); } for i in ::core::iter::Iterator::rev(0..samples_len) { let
    history_at = history[samples_len + i]; let predict_saved_history_at = &
    predict_saved_history[i]; let at_at = samples[i].at; let t_5 = history[i] -
    samples[i].value; let error = ::autodiff::Real::abs(t_5); let (mut least_bar, mut
    error_bar, mut t_12, mut t_13) = if saved_3[i] == 1 { let t_6 =
    ::autodiff::Real::max(history_at, error); let t_7 = history_at == t_6; let t_8 =
    error == t_6; let t_9 = value_bar_2 * 0.5; let t_10 = if t_8 { t_9 } else {
    value_bar_2 }; let t_11 = if t_7 { t_9 } else { value_bar_2 }; (if t_7 { t_10 } else
    { 0.0_f64 }, if t_8 { t_11 } else { 0.0_f64 }, t_4, t_4) } else { (0.0_f64,
    value_bar_2, false, t_4) }; let t_14 = if t_5 > 0.0 { error_bar } else { if t_5 < 0.0
    { - error_bar } else { 0.0_f64 } }; let t_15 = - t_14; let (mut slope_bar, mut
    offset_bar, mut model_0_bar, mut t_16) = if t_13 { let mut predict_out = 0.0_f64;
    predict::__reverse(model, at_at, & * predict_saved_history_at, t_14, model_bar, & mut
    predict_out); (t, t_2, t_3, predict_out) } else { (t, t_2, t_3, 0.0_f64) };
    samples_bar[i].value += t_15; samples_bar[i].at += t_16; value_bar_2 = least_bar; t =
    slope_bar; t_2 = offset_bar; t_3 = model_0_bar; t_4 = t_12; } model_bar.line.slope +=
    t; model_bar.line.offset += t_2; model_bar.decay.0 += t_3; } }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl worst { #[doc =
    "The value and the gradient of [`worst`]."] #[inline] pub fn value_and_grad(model : &
    Model, samples : & [Sample]) -> (f64, (< Model as ::autodiff::Differentiable >
    ::Tangent, ::autodiff::__private::Vec < < Sample as ::autodiff::Differentiable >
    ::Tangent >)) { let mut g = (< < Model as ::autodiff::Differentiable > ::Tangent as
    ::autodiff::__private::Zero > ::ZERO, ::autodiff::__private::zeros(& samples[..]));
    let y = Self::value_and_grad_into(model, samples, (& mut g.0, & mut g.1)); (y, g) }
    #[doc = "The gradient of [`worst`]."] #[inline] pub fn grad(model : & Model, samples
    : & [Sample]) -> (< Model as ::autodiff::Differentiable > ::Tangent,
    ::autodiff::__private::Vec < < Sample as ::autodiff::Differentiable > ::Tangent >) {
    Self::value_and_grad(model, samples).1 } #[doc =
    "The value of [`worst`] and what its reverse sweep needs."] #[inline] pub fn
    forward(model : & Model, samples : & [Sample]) -> (f64, ::autodiff::Residuals < worst
    >) { Self::__keep(model, samples) } #[doc(hidden)] #[inline] pub fn __keep(model : &
    Model, samples : & [Sample]) -> (f64, ::autodiff::Residuals < worst >) { let inputs =
    (match & model { Model::Line { .. } => 0usize, Model::Decay { .. } => 1usize }, match
    & model { Model::Line { slope : part, .. } => * part, _ => 0.0_f64 }, match & model {
    Model::Line { offset : part, .. } => * part, _ => 0.0_f64 }, match & model {
    Model::Decay { 0 : part, .. } => * part, _ => 0.0_f64 },
    ::core::iter::Iterator::collect:: < ::autodiff::__private::Vec < _ >>
    (::core::iter::Iterator::map(samples.iter(), | item | ::core::clone::Clone::clone(&
    item.at))), ::core::iter::Iterator::collect:: < ::autodiff::__private::Vec < _ >>
    (::core::iter::Iterator::map(samples.iter(), | item | ::core::clone::Clone::clone(&
    item.value))),); let model_kind = match & model { Model::Line { .. } => 0usize,
    Model::Decay { .. } => 1usize }; let slope = match & model { Model::Line { slope :
    part, .. } => * part, _ => 0.0_f64 }; let offset = match & model { Model::Line {
    offset : part, .. } => * part, _ => 0.0_f64 }; let model_0 = match & model {
    Model::Decay { 0 : part, .. } => * part, _ => 0.0_f64 }; let samples_len = samples
    .len(); let mut history = ::autodiff::__private::vec![0usize; samples_len]; let mut
    history_2 = ::autodiff::__private::vec![0.0_f64; samples_len]; let mut t = 0; let mut
    least = 0.0_f64; for i in 0..samples_len { history_2[i] = least; history[i] = t; let
    at_at = samples[i].at; let value_at = samples[i].value; let predict_out =
    predict(model, at_at,); let error = ::autodiff::Real::abs(predict_out - value_at);
    let (mut t_2, mut t_3) = if t == 1 { (1, ::autodiff::Real::max(least, error)) } else
    { (1, error) }; t = t_2; least = t_3; } let t_4 = t == 1; let mut t_5 = if t_4 {
    least } else { 0.0_f64 }; let saved = (t_4, history, history_2,); (t_5,
    ::autodiff::__private::Opaque::new((saved, inputs, (samples.len(), samples.len(),))))
    } #[doc(hidden)] #[inline] pub fn __pullback(residuals : & ::autodiff::Residuals <
    worst >, y_bar : f64, model_bar : & mut < Model as ::autodiff::Differentiable >
    ::Tangent, samples_bar : & mut [< Sample as ::autodiff::Differentiable > ::Tangent])
    { let (saved, (model_kind, slope, offset, model_0, at, value,), ..) = residuals
    .data(); let (saved_2, saved_3, least_history,) = saved; let samples_len = at.len();
    let mut value_bar = if * saved_2 { y_bar } else { 0.0_f64 }; let mut value_bar_2 =
    value_bar; let mut t = 0.0_f64; let mut t_2 = 0.0_f64; let mut t_3 = 0.0_f64; let mut
    t_4 = * saved_2; for i in ::core::iter::Iterator::rev(0..samples_len) { let
    least_history_at = least_history[i]; let at_at = at[i]; let t_5 = saved_3[i]; let
    value_at = value[i]; ::autodiff::__private::runs_again:: < predict > (); let (mut
    predict_out, predict_saved) = predict::forward(& match * model_kind { 0 =>
    Model::Line { slope : * slope, offset : * offset }, _ => Model::Decay { 0 : * model_0
    } }, at_at); let t_6 = predict_out - value_at; let error =
    ::autodiff::Real::abs(t_6); let (mut least_bar, mut error_bar, mut t_13, mut t_14) =
    if t_5 == 1 { let t_7 = ::autodiff::Real::max(least_history_at, error); let t_8 =
    least_history_at == t_7; let t_9 = error == t_7; let t_10 = value_bar_2 * 0.5; let
    t_11 = if t_9 { t_10 } else { value_bar_2 }; let t_12 = if t_8 { t_10 } else {
    value_bar_2 }; (if t_8 { t_11 } else { 0.0_f64 }, if t_9 { t_12 } else { 0.0_f64 },
    t_4, t_4) } else { (0.0_f64, value_bar_2, false, t_4) }; let t_15 = if t_6 > 0.0 {
    error_bar } else { if t_6 < 0.0 { - error_bar } else { 0.0_f64 } }; let t_16 = -
    t_15; let (mut slope_bar, mut offset_bar, mut model_0_bar, mut t_17) = if t_14 { let
    mut predict_out_2 = 0.0_f64; predict::__pullback(& predict_saved, t_15, model_bar, &
    mut predict_out_2); (t, t_2, t_3, predict_out_2) } else { (t, t_2, t_3, 0.0_f64) };
    samples_bar[i].value += t_16; samples_bar[i].at += t_17; value_bar_2 = least_bar; t =
    slope_bar; t_2 = offset_bar; t_3 = model_0_bar; t_4 = t_13; } model_bar.line.slope +=
    t; model_bar.line.offset += t_2; model_bar.decay.0 += t_3; } #[doc =
    r" The cotangents of the inputs, from those of the results."] #[inline] pub fn
    pullback(residuals : & ::autodiff::Residuals < worst >, seed : f64) -> (< Model as
    ::autodiff::Differentiable > ::Tangent, ::autodiff::__private::Vec < < Sample as
    ::autodiff::Differentiable > ::Tangent >) { let (mut model_bar, mut samples_bar) = (<
    < Model as ::autodiff::Differentiable > ::Tangent as ::autodiff::__private::Zero >
    ::ZERO, ::core::iter::Iterator::collect:: < ::autodiff::__private::Vec < _ >>
    (::core::iter::Iterator::map(0..residuals.data().2. 1, | _ |
    ::autodiff::__private::Zero::ZERO))); Self::__pullback(residuals, seed, & mut
    model_bar, & mut samples_bar); (model_bar, samples_bar) } #[doc =
    "The value of [`worst`] and its pullback, which may be called many times."] #[inline]
    pub fn vjp(model : & Model, samples : & [Sample]) -> (f64, impl ::core::ops::Fn(f64)
    -> (< Model as ::autodiff::Differentiable > ::Tangent, ::autodiff::__private::Vec < <
    Sample as ::autodiff::Differentiable > ::Tangent >) + use < >) { let (y, residuals) =
    Self::forward(model, samples); (y, move | seed : f64 | Self::pullback(& residuals,
    seed)) } }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl worst { #[doc(hidden)] pub fn hvp(model :
    & Model, samples : & [Sample], model_dot : & < Model as ::autodiff::Differentiable >
    ::Tangent, samples_dot : & [< Sample as ::autodiff::Differentiable > ::Tangent],) ->
    (< Model as ::autodiff::Differentiable > ::Tangent, ::autodiff::__private::Vec < <
    Sample as ::autodiff::Differentiable > ::Tangent >) where for < 'of > worst :
    ::autodiff::__private::SecondOrder < 'of > { ::core::unimplemented!() } }
}
::autodiff::__with_alloc! {
    "the derivative keeps values on the heap here: enable the feature `alloc` of `autodiff`, say how many iterations there are at most with `#[max_iters(64)]` on the loop, or write `#[checkpoint(8)]` on it to recompute from 8 snapshots"
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::__private::Sweeps for worst {
    type Saved = (bool, ::autodiff::__private::Vec < < predict as
    ::autodiff::__private::Sweeps > ::Saved >, ::autodiff::__private::Vec < usize >,
    ::autodiff::__private::Vec < f64 >,); const EMPTY : Self::Saved = (false,
    ::autodiff::__private::Vec::new(), ::autodiff::__private::Vec::new(),
    ::autodiff::__private::Vec::new(),); #[inline] fn renew(saved : & mut Self::Saved) ->
    & mut Self::Saved { let (saved_0, saved_1, saved_2, saved_3,) = & mut * saved;
    saved_1.clear(); saved_2.clear(); saved_3.clear(); saved } const EFFECTS : bool =
    false || < predict as ::autodiff::__private::Sweeps > ::EFFECTS; const
    WORKSPACE_BYTES : usize = ::autodiff::__private::largest(& [::core::mem::size_of:: <
    < predict as ::autodiff::__private::Sweeps > ::Saved > (), ::core::mem::size_of:: <
    [usize; 64] > () + ::core::mem::size_of:: < [f64; 64] > ()]) + < predict as
    ::autodiff::__private::Sweeps > ::WORKSPACE_BYTES; }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::DifferentiableFn for worst {
    type Residuals = ::autodiff::__private::Opaque < Self, ((bool,
    ::autodiff::__private::Vec < usize >, ::autodiff::__private::Vec < f64 >,), (usize,
    f64, f64, f64, ::autodiff::__private::Vec < f64 >, ::autodiff::__private::Vec < f64
    >,), (usize, usize,)) >; const RESIDUAL_BYTES : usize = ::core::mem::size_of:: <
    Self::Residuals > (); const WORKSPACE_BYTES : usize = < Self as
    ::autodiff::__private::Sweeps > ::WORKSPACE_BYTES; }
}
::autodiff::__if_alloc! {
    #[automatically_derived] #[allow(warnings, unused, clippy::all, clippy::pedantic,
    clippy::nursery, clippy::restriction)] impl ::autodiff::Callable < (& 'static Model,
    & 'static [Sample],) > for worst { type Output = f64; #[inline] fn call(args : (&
    Model, & [Sample],)) -> f64 { worst(args.0, args.1) } #[inline] fn jvp((model,
    samples,) : (& Model, & [Sample],), (model_dot, samples_dot,) : (& < Model as
    ::autodiff::Differentiable > ::Tangent, & [< Sample as ::autodiff::Differentiable >
    ::Tangent],)) -> (f64, f64) { Self::jvp(model, samples, model_dot, samples_dot) }
    #[inline] fn __forward((model, samples,) : (& Model, & [Sample],), saved : & mut
    Self::Saved) -> f64 { Self::__forward(model, samples, saved) } #[inline] fn
    __reverse((model, samples,) : (& Model, & [Sample],), saved : & Self::Saved, seed : &
    f64, (model_bar, samples_bar,) : (& mut < Model as ::autodiff::Differentiable >
    ::Tangent, & mut [< Sample as ::autodiff::Differentiable > ::Tangent],)) {
    Self::__reverse(model, samples, saved, * seed, model_bar, samples_bar) } #[inline] fn
    __keep((model, samples,) : (& Model, & [Sample],)) -> (f64, Self::Residuals) {
    Self::forward(model, samples) } #[inline] fn __pullback(residuals : &
    Self::Residuals, seed : & f64, (model_bar, samples_bar,) : (& mut < Model as
    ::autodiff::Differentiable > ::Tangent, & mut [< Sample as ::autodiff::Differentiable
    > ::Tangent],)) { Self::__pullback(residuals, * seed, model_bar, samples_bar) }
    #[inline] fn __accumulate((model, samples,) : (& Model, & [Sample],), (model_bar,
    samples_bar,) : (& mut < Model as ::autodiff::Differentiable > ::Tangent, & mut [<
    Sample as ::autodiff::Differentiable > ::Tangent],)) -> f64 {
    Self::__accumulate(model, samples, model_bar, samples_bar) } }
}
