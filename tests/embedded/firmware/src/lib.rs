//! What the binaries share: training under measurement, and the little of the board it takes.
//!
//! Nothing here uses `core::fmt`: printing one `f32` with it would cost more flash than the training.
//! `inline(never)` keeps the flash that all of this takes below a kilobyte.
#![no_std]

pub mod host;
pub mod stack;
pub mod timer;

use core::ffi::CStr;
use core::mem::MaybeUninit;
use workload::{EPOCHS, Model};

/// Trains a model in `memory`, which should be a `static`, and reports. Fails if it has not learnt.
pub fn run<M: Model>(memory: &'static mut MaybeUninit<M>) -> ! {
    stack::paint();
    let model = initialize(memory);

    let start = timer::start();
    let first_loss = model.epoch();
    let first_epoch = start.instructions();
    let mut loss = first_loss;
    for _ in 1..EPOCHS {
        loss = model.epoch();
    }
    let all_epochs = start.instructions();

    report(c"stack", stack::peak());
    report(c"first_epoch", first_epoch);
    report(c"all_epochs", all_epochs);
    report_loss(c"first_loss", first_loss);
    report_loss(c"loss", loss);
    host::print(c"loss_bits ");
    host::print_number::<16>(loss.to_bits(), 8);
    host::print(c"\n");
    host::exit(loss < 0.001)
}

/// In a frame of its own, which is gone when training starts.
#[inline(never)]
fn initialize<M: Model>(memory: &mut MaybeUninit<M>) -> &mut M {
    memory.write(M::initial())
}

#[inline(never)]
pub fn report(key: &CStr, value: u32) {
    host::print(key);
    host::print(c" ");
    host::print_number::<10>(value, 1);
    host::print(c"\n");
}

#[inline(never)]
fn report_loss(key: &CStr, loss: f32) {
    let millionths = (loss * 1e6) as u32;
    host::print(key);
    host::print(c" ");
    host::print_number::<10>(millionths / 1_000_000, 1);
    host::print(c".");
    host::print_number::<10>(millionths % 1_000_000, 6);
    host::print(c"\n");
}

#[cfg(not(feature = "prove-no-panic"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    host::print(c"panic\n");
    host::exit(false)
}

/// Nothing defines the function called here. The linker asks for it only if this handler survived the
/// removal of unreachable code, and then says its name.
#[cfg(feature = "prove-no-panic")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe extern "C" {
        safe fn a_panic_can_be_reached() -> !;
    }
    a_panic_can_be_reached()
}
