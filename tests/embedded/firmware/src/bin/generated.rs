#![no_std]
#![no_main]

use core::mem::MaybeUninit;
use workload::Generated;

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut MODEL: MaybeUninit<Generated> = MaybeUninit::uninit();
    firmware::run(MODEL)
}
