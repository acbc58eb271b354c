//! Programs of `tests/nalgebra` with nalgebra 0.34.
#![forbid(unsafe_code)]

#[path = "../nalgebra/users/arm_of_isometries.rs"]
mod arm_of_isometries;
#[path = "../nalgebra/changes.rs"]
mod changes;
#[path = "../nalgebra/users/ekf_update.rs"]
mod ekf_update;
#[path = "../nalgebra/users/pose_graph.rs"]
mod pose_graph;
#[path = "../nalgebra/users/reprojection.rs"]
mod reprojection;
