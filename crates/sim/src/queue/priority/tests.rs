//! The order of bands, a full queue, and a plain list with the same rules.

use super::*;
use crate::packet::{NodeId, PacketId};
use crate::queue::FlowEnd;
use crate::queue::tests::{Seen, ids, of_flow, setting, unlimited};
use proptest::prelude::*;

const HIGH: u32 = 0;
const MIDDLE: u32 = 1;
const LOW: u32 = 2;

/// A queue for hosts that send EF, the default, and CS1.
fn priority(drop: u64, limits: DropTail) -> Box<dyn QueueDiscipline<bool>> {
    let ends = [46, 0, 8].map(|dscp| FlowEnd { node: NodeId(0), dscp });
    make(&[drop], &Setting { ends: Ends::new(ends), ..setting(limits) })
}

/// Enqueues packets of these bands and lengths, numbered from 0 on. The numbers of those dropped.
fn fill(queue: &mut dyn QueueDiscipline<bool>, packets: &[(u32, u32)]) -> Vec<PacketId> {
    let mut seen = Seen::default();
    for (number, &(band, bytes)) in (0..).zip(packets) {
        queue.enqueue(of_flow(band, number, bytes), Time::ZERO, &mut seen);
    }
    assert!(seen.marked.is_empty() && seen.dropped.iter().all(|dropped| dropped.1 == DropCause::QueueFull));
    seen.dropped_ids()
}

fn rest(queue: &mut dyn QueueDiscipline<bool>) -> Vec<PacketId> {
    let next = || queue.dequeue(Time::ZERO, &mut Seen::default()).map(|sent| sent.packet.id);
    std::iter::from_fn(next).collect()
}

#[test]
fn sends_the_highest_band_first() {
    let mut queue = priority(0, unlimited());
    let packets = [LOW, MIDDLE, HIGH, MIDDLE, HIGH, LOW].map(|band| (band, 100));
    assert!(fill(&mut *queue, &packets).is_empty());
    assert_eq!((queue.len_packets(), queue.len_bytes()), (6, 600));
    assert_eq!(rest(&mut *queue), ids(&[2, 4, 1, 3, 0, 5]));
}

/// Three may wait. The last of the lowest band goes; a packet of the lowest band that waits is dropped itself.
#[test]
fn a_full_queue_drops_the_last_of_the_lowest_band() {
    let packets = [LOW, LOW, MIDDLE, HIGH, LOW, MIDDLE, HIGH, MIDDLE].map(|band| (band, 100));
    let mut queue = priority(0, DropTail::new(Some(3), None));
    assert_eq!(fill(&mut *queue, &packets), ids(&[1, 4, 0, 5, 7]));
    assert_eq!(rest(&mut *queue), ids(&[3, 6, 2]));
    let mut queue = priority(1, DropTail::new(Some(3), None));
    assert_eq!(fill(&mut *queue, &packets), ids(&[3, 4, 5, 6, 7]));
    assert_eq!(rest(&mut *queue), ids(&[2, 0, 1]));
}

/// 1000 bytes may wait, and 700 of the middle band do. A long packet of the highest band takes the place of several,
/// from the lowest up. One for which the middle band must not make room drops nothing but itself.
#[test]
fn as_many_go_as_must() {
    let packets = [(MIDDLE, 400), (LOW, 100), (LOW, 100), (LOW, 100), (MIDDLE, 300)];
    let mut queue = priority(0, DropTail::new(None, Some(1000)));
    assert!(fill(&mut *queue, &packets).is_empty());
    assert_eq!(fill(&mut *queue, &[(MIDDLE, 301), (HIGH, 1001)]), ids(&[0, 1]));
    assert_eq!(queue.len_packets(), 5);
    let mut queue = priority(0, DropTail::new(None, Some(1000)));
    fill(&mut *queue, &packets);
    let mut seen = Seen::default();
    let long = of_flow(HIGH, 9, 500);
    queue.enqueue(long, Time::ZERO, &mut seen);
    assert_eq!(seen.dropped_ids(), ids(&[3, 2, 1, 4]));
    assert_eq!(rest(&mut *queue), ids(&[9, 0]));
}

proptest! {
    /// Against one list in the order of arrival. What was enqueued is sent, dropped or waiting.
    #[test]
    fn agrees_with_a_plain_list(
        drop in 0u64..2,
        limits in (1usize..20, prop_oneof![Just(u64::MAX), 1u64..10_000]),
        steps in prop::collection::vec(prop::option::weighted(0.6, (0u32..3, 1u32..1500)), 0..300),
    ) {
        let mut queue = priority(drop, DropTail::new(Some(limits.0), Some(limits.1)));
        let (mut waiting, mut dropped): (Vec<(u32, u64, u32)>, Vec<u64>) = (vec![], vec![]);
        let fits = |waiting: &[(u32, u64, u32)]| {
            waiting.len() <= limits.0 && waiting.iter().map(|waits| u64::from(waits.2)).sum::<u64>() <= limits.1
        };
        let (mut seen, mut offered, mut sent) = (Seen::default(), 0, 0);
        for (number, step) in (0..).zip(steps) {
            if let Some((band, bytes)) = step {
                offered += 1;
                queue.enqueue(of_flow(band, number, bytes), Time::ZERO, &mut seen);
                waiting.push((band, number, bytes));
                let not_lower: Vec<_> = waiting.iter().copied().filter(|waits| waits.0 <= band).collect();
                if !fits(&waiting) && (drop == 1 || !fits(&not_lower)) {
                    waiting.pop();
                    dropped.push(number);
                }
                while !fits(&waiting) {
                    let lowest = waiting.iter().map(|waits| waits.0).max().unwrap();
                    let last = waiting.iter().rposition(|waits| waits.0 == lowest).unwrap();
                    dropped.push(waiting.remove(last).1);
                }
            } else {
                let highest = waiting.iter().map(|waits| waits.0).min();
                let first = waiting.iter().position(|waits| Some(waits.0) == highest);
                let expected = first.map(|first| PacketId::sent(waiting.remove(first).1));
                let next = queue.dequeue(Time::ZERO, &mut seen).map(|sent| sent.packet.id);
                sent += usize::from(next.is_some());
                prop_assert_eq!(next, expected);
            }
            prop_assert_eq!(queue.len_packets(), waiting.len());
            prop_assert_eq!(queue.len_bytes(), waiting.iter().map(|waits| u64::from(waits.2)).sum::<u64>());
            prop_assert_eq!(queue.len_packets() + sent + seen.dropped.len(), offered);
        }
        prop_assert_eq!(seen.dropped_ids(), ids(&dropped));
    }
}
