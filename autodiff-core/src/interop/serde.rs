//! Tensors as nested sequences, as `serde` has small arrays: `[[1.0, 2.0], [3.0, 4.0]]` in JSON, without
//! lengths in formats that need none.

use crate::{Shape, Tensor};
use core::fmt;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};

/// One level of a nested array. Reading is in place, so that no row is copied and no tensor is on the stack twice.
pub trait Nested: Sized {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error>;
    fn read<'de, D: Deserializer<'de>>(&mut self, from: D) -> Result<(), D::Error>;
}

macro_rules! scalar {
    ($($t:ty),*) => {$(
        impl Nested for $t {
            fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                self.serialize(to)
            }
            fn read<'de, D: Deserializer<'de>>(&mut self, from: D) -> Result<(), D::Error> {
                *self = Self::deserialize(from)?;
                Ok(())
            }
        }
    )*};
}
scalar!(f32, f64);

impl<A: Nested, const N: usize> Nested for [A; N] {
    fn write<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut tuple = to.serialize_tuple(N)?;
        for element in self {
            tuple.serialize_element(&Write(element))?;
        }
        tuple.end()
    }
    fn read<'de, D: Deserializer<'de>>(&mut self, from: D) -> Result<(), D::Error> {
        from.deserialize_tuple(N, Read(self))
    }
}

struct Write<'a, A>(&'a A);

impl<A: Nested> Serialize for Write<'_, A> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.write(to)
    }
}

struct Read<'a, A>(&'a mut A);

impl<'de, A: Nested> DeserializeSeed<'de> for Read<'_, A> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.0.read(from)
    }
}

impl<'de, A: Nested, const N: usize> Visitor<'de> for Read<'_, [A; N]> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sequence of {N} elements")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut from: S) -> Result<(), S::Error> {
        for (i, element) in self.0.iter_mut().enumerate() {
            from.next_element_seed(Read(element))?.ok_or_else(|| S::Error::invalid_length(i, &Expected(N)))?;
        }
        // Formats that write lengths tell of elements too many; JSON checks by itself.
        Ok(())
    }
}

struct Expected(usize);

impl serde::de::Expected for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sequence of {} elements", self.0)
    }
}

impl<A: Shape> Serialize for Tensor<A> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.write(to)
    }
}

impl<'de, A: Shape> Deserialize<'de> for Tensor<A> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut tensor = Self::zeros();
        tensor.0.read(from)?;
        Ok(tensor)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Tensor1, Tensor2, Tensor3};
    use std::string::ToString;

    #[test]
    fn round_trip() {
        let t = Tensor2::from([[1.5_f32, -2.0, 3.0], [4.0, 5.0, 6.0]]);
        let json = serde_json::to_string(&t).unwrap();
        assert_eq!(json, "[[1.5,-2.0,3.0],[4.0,5.0,6.0]]");
        assert_eq!(serde_json::from_str::<Tensor2<f32, 2, 3>>(&json).unwrap(), t);
        let long = Tensor3::<f64, 1, 2, 50>::from_fn(|[_, j, k]| (100 * j + k) as f64);
        assert_eq!(
            serde_json::from_str::<Tensor3<f64, 1, 2, 50>>(&serde_json::to_string(&long).unwrap()).unwrap(),
            long
        );
    }

    #[test]
    fn wrong_lengths_are_errors() {
        let error = serde_json::from_str::<Tensor1<f32, 3>>("[1, 2]").unwrap_err().to_string();
        assert!(error.contains("invalid length 2, expected a sequence of 3 elements"), "{error}");
        assert!(serde_json::from_str::<Tensor1<f32, 3>>("[1, 2, 3, 4]").is_err());
        assert!(serde_json::from_str::<Tensor2<f32, 2, 1>>("[[1], 2]").is_err());
    }
}
