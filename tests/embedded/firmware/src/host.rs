//! Semihosting: the debugger, here QEMU, prints for the firmware and takes its exit status.

use core::arch::asm;
use core::ffi::CStr;

const SYS_WRITE0: u32 = 0x04;
const SYS_EXIT: u32 = 0x18;
const APPLICATION_EXIT: usize = 0x2_0026;
const RUN_TIME_ERROR: usize = 0x2_0023;

fn call(operation: u32, argument: usize) {
    // SAFETY: the two operations read at most a NUL-terminated string, which the callers below pass.
    // The breakpoint changes no register but r0.
    unsafe {
        asm!("bkpt 0xAB", inout("r0") operation => _, in("r1") argument, options(nostack));
    }
}

#[inline(never)]
pub fn print(text: &CStr) {
    call(SYS_WRITE0, text.as_ptr().addr());
}

/// With at least `width` digits, and at most ten.
#[inline(never)]
pub fn print_number<const RADIX: u32>(mut value: u32, width: usize) {
    let mut text = [0; 11]; // the last one stays NUL
    let mut start = 10;
    for (place, byte) in text[..10].iter_mut().enumerate().rev() {
        let digit = (value % RADIX) as u8;
        *byte = if digit < 10 { b'0' + digit } else { b'a' - 10 + digit };
        value /= RADIX;
        start = place;
        if value == 0 && 10 - place >= width {
            break;
        }
    }
    call(SYS_WRITE0, text.as_ptr().wrapping_add(start).addr());
}

/// Ends the emulator with status 0 or 1.
pub fn exit(success: bool) -> ! {
    loop {
        call(SYS_EXIT, if success { APPLICATION_EXIT } else { RUN_TIME_ERROR });
    }
}
