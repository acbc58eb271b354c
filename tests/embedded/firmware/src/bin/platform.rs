//! Everything but the training: what to subtract from the others' flash.
#![no_std]
#![no_main]

use core::hint::black_box;
use core::mem::MaybeUninit;
use workload::Model;

struct Nothing;

impl Model for Nothing {
    fn initial() -> Self {
        Nothing
    }

    fn epoch(&mut self) -> f32 {
        black_box(0.0)
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut MODEL: MaybeUninit<Nothing> = MaybeUninit::uninit();
    firmware::run(MODEL)
}
