//! Operators against PyTorch in double precision: value, cotangents and tangents of every case of
//! `tests/data/ops.json`, in both precisions; and operators where numbers are extreme.

mod case;
mod extremes;
mod extremes_elementwise;
mod extremes_rows;
mod numbers;
#[macro_use]
mod rows;

mod broadcast;
mod convention;
mod factors;
mod linalg;
mod matrices;
mod nn;
mod reduce;
mod seeds;
mod sequences;
mod shape;
mod spectral;
mod unary;
