//! The sum of a vector over all ranks, in a fixed order.

use mpi::point_to_point::send_receive_into;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::ops::Range;

/// Puts the sum of all ranks' vectors in the place of each of them.
///
/// Ranks exchange halves of what they still have to add, with neighbours first: a number is added up in the same binary tree as the
/// chunks of `parallel::value_and_grad`, `(r₀ + r₁) + (r₂ + r₃)`, whatever its place. (`MPI_Allreduce` promises no order.) Then the
/// parts go back the same way. With `p` ranks and `n` numbers a rank sends `2·log₂ p` messages, of `2·n·(p − 1)/p` numbers in all.
///
/// # Panics
///
/// If the number of ranks is not a power of two.
pub fn sum_over_ranks(world: &SimpleCommunicator, flat: &mut [f32]) {
    let (rank, ranks) = (world.rank(), world.size());
    assert!(ranks.count_ones() == 1, "{ranks} ranks: a power of two of them share the work");
    let mut received = vec![0.0; flat.len().div_ceil(2)];
    let mut exchanges: Vec<(i32, Range<usize>, Range<usize>)> = Vec::new();

    let mut mine = 0..flat.len();
    let mut distance = 1;
    while distance < ranks {
        let middle = mine.start.midpoint(mine.end);
        let (lower, upper) = (mine.start..middle, middle..mine.end);
        let (kept, given) = if rank & distance == 0 { (lower, upper) } else { (upper, lower) };
        let peer = world.process_at_rank(rank ^ distance);
        let received = &mut received[..kept.len()];
        send_receive_into(&flat[given.clone()], &peer, received, &peer);
        // A sum of two numbers has no order.
        for (sum, other) in flat[kept.clone()].iter_mut().zip(received) {
            *sum += *other;
        }
        exchanges.push((rank ^ distance, kept.clone(), given));
        mine = kept;
        distance *= 2;
    }

    for (peer, kept, given) in exchanges.into_iter().rev() {
        let peer = world.process_at_rank(peer);
        let received = &mut received[..given.len()];
        send_receive_into(&flat[kept], &peer, received, &peer);
        flat[given].copy_from_slice(received);
    }
}
