//! By hand, and what holds for all.

use super::*;
use proptest::prelude::*;

/// VCs in the order in which they are served, until all is empty.
fn order(queues: &mut Scfq<u32>) -> Vec<u32> {
    std::iter::from_fn(|| queues.pop()).map(|(vc, _)| vc).collect()
}

/// Weights 2, 1, 1 and five cells each: tags 1/2, 1, 3/2, 2, 5/2 of VC 0 and 1, 2, 3, 4, 5 of the others.
#[test]
fn cells_that_came_together_go_by_their_tags() {
    let mut queues = Scfq::new(&[2, 1, 1]);
    (0..3).for_each(|vc| (0..5).for_each(|cell| queues.push(vc, cell)));
    assert_eq!(order(&mut queues), [0, 0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 1, 2, 1, 2]);
}

/// A VC that comes late begins at v, and has no claim to what went before: after three cells of VC 0, v is 3, and
/// VC 1 gets the tag 4.
#[test]
fn who_was_away_is_not_compensated() {
    let mut queues = Scfq::new(&[1, 1]);
    (0..6).for_each(|cell| queues.push(0, cell));
    (0..3).for_each(|_| assert_eq!(queues.pop().map(|cell| cell.0), Some(0)));
    (0..2).for_each(|cell| queues.push(1, cell));
    assert_eq!(order(&mut queues), [0, 1, 0, 1, 0]);
}

/// 100 cells/s of line: MCRs of 50, 10 and 0 cells/s leave 40, of which each gets 13 1/3.
#[test]
fn weights_by_hand() {
    let mcrs = [50 * 424, 10 * 424, 0];
    let of = |excess| weights(excess, &mcrs, Time::from_ms(10));
    let equal = of(Excess::Equal);
    assert_eq!(equal[0] * 70, equal[1] * 190, "63.33 : 23.33");
    assert_eq!(equal[0] * 40, equal[2] * 190, "63.33 : 13.33");
    assert_eq!(of(Excess::Proportional), [50 * 424, 10 * 424, 424]);
    // Nothing is left: who has no MCR weighs a cell a second.
    let equal = weights(Excess::Equal, &[100 * 424, 0], Time::from_ms(10));
    assert_eq!(equal[0], 100 * equal[1]);
}

#[test]
fn the_largest_and_the_smallest_weight_fit() {
    let mcrs = [1_000_000_000_000, 0];
    for excess in [Excess::Equal, Excess::Proportional] {
        for cell_ps in [424, 1_000_000_000_000] {
            let increments = increments(&weights(excess, &mcrs, Time::from_ps(cell_ps)));
            assert!(increments[0] == 1 << 40 && increments[1] < 1 << 80, "{increments:?}");
        }
    }
}

proptest! {
    /// A cell is served whenever there is one; those of a VC in their order; and while two VCs wait, neither is ahead
    /// by more than a cell of each.
    #[test]
    fn fair_fifo_and_work_conserving(
        shares in prop::collection::vec(1u128..100, 1..6),
        steps in prop::collection::vec((0u32..6, 0u32..12, 0u32..12), 1..80),
    ) {
        let mut queues = Scfq::new(&shares);
        let vcs = shares.len();
        let (mut pushed, mut served) = (vec![0u32; vcs], vec![0u32; vcs]);
        // Since when each pair of VCs waits: what each had been served by then.
        let mut since = vec![vec![None; vcs]; vcs];
        for (vc, cells, pops) in steps {
            let vc = vc as usize % vcs;
            for _ in 0..cells {
                queues.push(vc as u32, pushed[vc]);
                pushed[vc] += 1;
            }
            for _ in 0..pops {
                let waits: Vec<bool> = (0..vcs).map(|vc| pushed[vc] > served[vc]).collect();
                let next = queues.pop();
                prop_assert_eq!(next.is_some(), waits.contains(&true));
                let Some((vc, number)) = next else { break };
                prop_assert_eq!(number, served[vc as usize]);
                for i in 0..vcs {
                    for j in 0..vcs {
                        let begun = since[i][j].get_or_insert((served[i], served[j]));
                        if !(waits[i] && waits[j]) {
                            since[i][j] = None;
                            continue;
                        }
                        let ahead = |of: u32, begun: u32, weight: u128| f64::from(of - begun) / weight as f64;
                        let (of_i, of_j) = (ahead(served[i], begun.0, shares[i]), ahead(served[j], begun.1, shares[j]));
                        let bound = 1.0 / shares[i] as f64 + 1.0 / shares[j] as f64;
                        prop_assert!((of_i - of_j).abs() <= bound + 1e-9, "{i} {j} {of_i} {of_j}");
                    }
                }
                served[vc as usize] += 1;
            }
        }
        prop_assert_eq!(queues.cells().count() as u32, pushed.iter().sum::<u32>() - served.iter().sum::<u32>());
        prop_assert_eq!(queues.is_empty(), pushed == served);
    }
}
