//! What the types of integers are, as rustc finds them.

/// An integer type.
pub trait Integer: Copy {
    /// The type itself.
    type Is;
}

/// That a type is `T`.
#[diagnostic::on_unimplemented(
    message = "the type of this integer is `{Self}`, but it was taken for `{T}`",
    label = "write its type here, as in `2_{Self}`",
    note = "`#[differentiable]` sees the types that are written, not those that rustc infers from other items"
)]
pub trait Is<T> {}

macro_rules! integers {
    ($($ty:ident)*) => {
        $(impl Integer for $ty {
            type Is = $ty;
        }
        #[diagnostic::do_not_recommend]
        impl Is<$ty> for $ty {})*
    };
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// The same integer, whose type has to be `T`. That it has to be does not make it so: rustc does not infer `K` from what an
/// associated type implements.
pub const fn integer<T, K: Integer>(value: K) -> K
where
    K::Is: Is<T>,
{
    value
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn types_are_left_as_they_are() {
        let small = [1_u8];
        assert_eq!(small[integer::<usize, _>(0)], integer::<u8, _>(1));
        assert_eq!(i32::abs(integer::<i32, _>(-3)), 3);
    }
}
