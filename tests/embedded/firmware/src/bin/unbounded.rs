//! The negative control of `prove-no-panic`: an index that nothing bounds. Must not link.
#![no_std]
#![no_main]

use core::hint::black_box;

#[cortex_m_rt::entry]
fn main() -> ! {
    firmware::report(c"element", [1, 2, 3][black_box(1)]);
    firmware::host::exit(true)
}
