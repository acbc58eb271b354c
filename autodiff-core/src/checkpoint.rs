//! Where the snapshots of a loop under `#[checkpoint(K)]` are taken.
//!
//! Note [Snapshots]. A loop of `l` steps is reversed from its last step to its first. Each step needs the state that it
//! began with. At most `c` states can be kept at a time, the first one among them; what is between them is computed again.
//! That takes, beside the `l` steps that are reversed, at least
//!
//! ```text
//! t(l, c) = r·l - C(c + r, r - 1)    for the smallest r with C(c + r, c) >= l
//! ```
//!
//! steps forward, where `r` is how often a step is run again at most (A. Griewank and A. Walther, Algorithm 799: revolve,
//! ACM TOMS 26, 2000). To get there, the next snapshot is taken after `k` steps, where `k` is smallest in
//!
//! ```text
//! t(l, c) = min over k of  k + t(l - k, c - 1) + t(k, c)
//! ```
//!
//! first what comes after the snapshot is reversed, with one place less, then what comes before it. With
//! `b(c, r) = C(c + r, c)`, every `k` is best for which
//!
//! ```text
//! b(c, r - 2) <= k <= b(c, r - 1)    and    b(c - 1, r - 1) <= l - k <= b(c - 1, r)
//! ```

/// After how many steps the next snapshot is taken, if `steps` steps are to be reversed from here, where there is a
/// snapshot, and there is `room` for so many more: see the note on snapshots above. `steps`, if there is none to take.
#[must_use]
pub fn next_snapshot(steps: usize, room: usize) -> usize {
    if room == 0 || steps < 2 {
        return steps;
    }
    // A snapshot for every step, but the last one.
    if steps - 2 <= room {
        return 1;
    }
    let places = room + 1;
    // b(c, r - 1), where r is the smallest with b(c, r) >= steps.
    let (mut below, mut r) = (1, 1);
    loop {
        let next = scale(below, places.saturating_add(r), r);
        if next >= steps {
            break;
        }
        (below, r) = (next, r + 1);
    }
    // b(c - 1, r - 1) = b(c, r - 1) · c / (c + r - 1)
    let least_after = scale(below, places, places.saturating_add(r - 1));
    below.min(steps - least_after)
}

/// `x · up / down`, a whole number; the largest one if that is too large.
fn scale(x: usize, up: usize, down: usize) -> usize {
    match x.checked_mul(up) {
        Some(product) => product / down,
        // In two parts: the product may be too large where the quotient is not.
        None => (x / down).saturating_mul(up).saturating_add((x % down).saturating_mul(up) / down),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    /// `C(n, k)`
    fn choose(n: u128, k: u128) -> u128 {
        (0..k.min(n - k)).fold(1, |product, i| product * (n - i) / (i + 1))
    }

    /// t(l, c) by the formula.
    fn formula(steps: u128, places: u128) -> u128 {
        let r = (0..).find(|r| choose(places + r, places) >= steps).unwrap_or(0);
        if r == 0 { 0 } else { r * steps - choose(places + r, r - 1) }
    }

    /// The steps that are run forward between the snapshots.
    fn run(steps: usize, room: usize) -> u128 {
        match (steps, room) {
            (0 | 1, _) => 0,
            (_, 0) => (steps as u128) * (steps as u128 - 1) / 2,
            _ => {
                let next = next_snapshot(steps, room);
                assert!(0 < next && next < steps, "{next} of {steps}");
                next as u128 + run(steps - next, room - 1) + run(next, room)
            }
        }
    }

    #[test]
    fn the_formula_is_the_least() {
        const STEPS: usize = 120;
        let mut with_less: Vec<u128> = (0..=STEPS as u128).map(|l| l * l.saturating_sub(1) / 2).collect();
        for places in 2..=20 {
            let mut least = vec![0, 0];
            for steps in 2..=STEPS {
                let cost = |k: usize| k as u128 + least[k] + with_less[steps - k];
                least.push((1..steps).map(cost).min().unwrap_or(0));
            }
            for (steps, least) in least.iter().enumerate() {
                assert_eq!(*least, formula(steps as u128, places), "{steps} steps, {places} places");
            }
            with_less = least;
        }
    }

    #[test]
    fn as_few_steps_as_published() {
        for places in 1..=12 {
            for steps in 0..=400 {
                assert_eq!(run(steps, places - 1), formula(steps as u128, places as u128), "{steps} in {places}");
            }
        }
        for (steps, places) in [(1000, 10), (5000, 3), (10_000, 50), (3000, 2999), (3000, 3000), (3000, 10_000)] {
            assert_eq!(run(steps, places - 1), formula(steps as u128, places as u128), "{steps} in {places}");
        }
    }

    #[test]
    fn a_table() {
        // Rows: 1, 2, 3 snapshots; columns: 1 to 10 steps.
        let table = [
            [0, 1, 3, 6, 10, 15, 21, 28, 36, 45],
            [0, 1, 2, 4, 6, 8, 11, 14, 17, 20],
            [0, 1, 2, 3, 5, 7, 9, 11, 13, 15],
        ];
        for (room, row) in table.iter().enumerate() {
            for (k, least) in row.iter().enumerate() {
                assert_eq!(run(k + 1, room), *least, "{} steps", k + 1);
            }
        }
    }

    #[test]
    fn the_largest_numbers() {
        assert_eq!(next_snapshot(usize::MAX, 0), usize::MAX);
        assert_eq!(next_snapshot(usize::MAX, usize::MAX), 1);
        for room in [1, 2, 7, 100, usize::MAX / 2, usize::MAX - 1] {
            for steps in [usize::MAX, usize::MAX - 1, usize::MAX / 2] {
                // As many as that take long with one place more than the first.
                if room > 1 {
                    let next = next_snapshot(steps, room);
                    assert!(0 < next && next < steps, "{next} of {steps}");
                }
            }
        }
    }
}
