//! The four problems of [ADBench](https://github.com/microsoft/ADBench): gradients against reference values for its
//! own instances where these are at hand (`ADBENCH_DATA`), and against differences for instances made up here.

mod ba;
mod data;
mod gmm;
mod hand;
mod lstm;
