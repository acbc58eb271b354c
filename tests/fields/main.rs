//! Programs from many fields, written as one would who works there, from the field's textbooks, before it was tried whether they
//! compile. What had to be changed afterwards is said at the head of each file.
#![forbid(unsafe_code)]
#![cfg(not(clippy))] // Not linted: the programs are as they were first written.
#![allow(dead_code, reason = "data has parts that a function does not read")]

#[path = "../common/differences.rs"]
mod differences;

mod arm_inverse_dynamics;
mod attention;
mod battery;
mod biquad;
mod black_scholes;
mod bundle_adjustment;
mod car_following;
mod cart_pole;
mod chain_ladder;
mod climate;
mod cloth;
mod crop;
mod ekf_localisation;
mod factor_graph;
mod factorisation;
mod flow;
mod fm_synthesis;
mod food_web;
mod garch;
mod gaussian_process;
mod generalised_linear;
mod geodesic;
mod heston;
mod hierarchical;
mod hmm;
mod icp;
mod imu_preintegration;
mod kalman;
mod kinetics;
mod leapfrog;
mod lens_design;
mod load_flow;
mod lstm;
mod mixture;
mod molecular;
mod mpc;
mod nbody;
mod optical_flow;
mod orbitals;
mod pharmacokinetics;
mod photosynthesis;
mod phylogeny;
mod pid_tuning;
mod pinn;
mod pose_graph;
mod quadcopter;
mod quantal_response;
mod ray_tracer;
mod regression;
mod riccati;
mod rigid_body;
mod rocket_ascent;
mod room_acoustics;
mod satellite_j2;
mod seir;
mod signed_distance;
mod soft_rasterizer;
mod spectral;
mod sphere_tracing;
mod spherical_harmonics;
mod spiking_network;
mod spline_fit;
mod survival;
mod thermal_network;
mod thin_film;
mod time_warping;
mod yield_curve;
