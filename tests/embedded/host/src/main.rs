//! The same training on this machine: prints the bits that the firmware has to end with.

use workload::{EPOCHS, Hand, Model};

fn main() {
    println!("hand {:08x}", train::<Hand>().to_bits());
    #[cfg(feature = "generated")]
    println!("generated {:08x}", train::<workload::Generated>().to_bits());
    #[cfg(feature = "generated")]
    println!("filter_by_hand {:08x}", train::<workload::Filter<false>>().to_bits());
    #[cfg(feature = "generated")]
    println!("filter {:08x}", train::<workload::Filter<true>>().to_bits());
    #[cfg(feature = "generated")]
    workload::simulated::check();
}

fn train<M: Model>() -> f32 {
    let mut model = M::initial();
    (0..EPOCHS).map(|_| model.epoch()).last().unwrap()
}
