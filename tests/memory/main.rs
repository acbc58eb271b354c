//! What derivatives cost in memory: calls of the allocator, the stack, and what the reverse sweep keeps or computes again.

#[path = "../common/mod.rs"]
mod common;

mod allocation;
mod checkpoint;
mod checkpoint_blocks;
mod counting;
mod going_back;
mod heap;
mod kept;
mod stack;
mod workspace;
