#![no_std]
#![no_main]

use core::mem::MaybeUninit;
use workload::Filter;

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut MODEL: MaybeUninit<Filter<false>> = MaybeUninit::uninit();
    firmware::run(MODEL)
}
