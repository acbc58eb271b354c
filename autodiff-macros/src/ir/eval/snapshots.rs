//! Where snapshots are best taken, by trying every place: what `next_snapshot` finds by formula.

/// The fewest steps that run forward to reverse `steps` steps from a snapshot, with `room` for more of them: not counting
/// those that are reversed at once.
pub fn fewest(steps: usize, room: usize) -> usize {
    // By snapshots, then by steps.
    let mut table: Vec<Vec<usize>> = vec![(0..=steps).map(|steps| steps * steps.saturating_sub(1) / 2).collect()];
    for more in 1..=room.min(steps) {
        let mut row: Vec<usize> = vec![0; 2];
        for steps in 2..=steps {
            let cost = |at: usize| at + row[at] + table[more - 1][steps - at];
            row.push((1..steps).map(cost).min().unwrap_or(0));
        }
        table.push(row);
    }
    table[room.min(steps)][steps]
}

/// The first place that gives [`fewest`].
pub fn next(steps: usize, room: usize) -> usize {
    if room == 0 {
        return steps;
    }
    let best = fewest(steps, room);
    let cost = |at: usize| at + fewest(at, room) + fewest(steps - at, room - 1);
    (1..steps).find(|at| cost(*at) == best).unwrap_or(steps)
}
