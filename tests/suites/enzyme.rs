//! Enzyme: a plugin of LLVM (github.com/EnzymeAD/Enzyme, `enzyme/test/Integration/{ForwardMode,ReverseMode}`, `enzyme/benchmarks`; `Enzyme.jl`, `test/`).

mod benchmarks;
mod memory;
mod numbers;
mod structs;
