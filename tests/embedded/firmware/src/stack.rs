//! The deepest the stack has been: paint what is free, and see later where the paint ends.

use core::arch::asm;

const PAINT: u32 = 0xA5A5_5A5A;

// From cortex-m-rt's linker script: the end of the statics, and where the stack starts.
unsafe extern "C" {
    static mut __sheap: u32;
    static mut _stack_start: u32;
}

/// One block of assembly, for no frame may be made between reading `sp` and painting up to it.
#[inline(never)]
pub fn paint() {
    // SAFETY: memory between the statics and the stack pointer belongs to nobody.
    unsafe {
        asm!(
            "2: cmp {at}, sp",
            "bhs 3f",
            "str {paint}, [{at}], #4",
            "b 2b",
            "3:",
            at = inout(reg) &raw mut __sheap => _,
            paint = in(reg) PAINT,
            options(nostack),
        );
    }
}

/// In bytes.
#[inline(never)]
pub fn peak() -> u32 {
    let top = &raw const _stack_start;
    let mut at = &raw const __sheap;
    // SAFETY: all of it is memory, and `at` stays below `top`.
    unsafe {
        while at < top && at.read_volatile() == PAINT {
            at = at.add(1);
        }
    }
    (top.addr() - at.addr()) as u32
}
