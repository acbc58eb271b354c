#![no_std]
#![no_main]

use core::mem::MaybeUninit;
use workload::Hand;

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut MODEL: MaybeUninit<Hand> = MaybeUninit::uninit();
    firmware::run(MODEL)
}
