//! Nothing: the tests of this package are those of another.
