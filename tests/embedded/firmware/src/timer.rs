//! Counts instructions with timer 0 of the MPS2 boards, which runs at 25 MHz of virtual time. QEMU is
//! told to let an instruction take 64 ns, that is 8/5 ticks.

const TIMER: *mut u32 = 0x4000_0000 as *mut u32;
const CONTROL: usize = 0;
const VALUE: usize = 1;
const RELOAD: usize = 2;

pub struct Start(u32);

pub fn start() -> Start {
    // SAFETY: the board has these registers here, and nothing else uses them.
    unsafe {
        TIMER.add(RELOAD).write_volatile(u32::MAX);
        TIMER.add(VALUE).write_volatile(u32::MAX);
        TIMER.add(CONTROL).write_volatile(1);
    }
    Start(value())
}

/// It counts down.
fn value() -> u32 {
    // SAFETY: as above; reading has no effect.
    unsafe { TIMER.add(VALUE).read_volatile() }
}

impl Start {
    /// Since the start; exact to one, up to 2.6e9.
    pub fn instructions(&self) -> u32 {
        (u64::from(self.0 - value()) * 5 / 8) as u32
    }
}
