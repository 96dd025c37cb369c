//! Turns, shares and stolen buffers worked out by hand, and the paper's pseudo-code written down once more.

use super::*;
use crate::packet::{HostId, PacketId};
use crate::queue::tests::{Seen, packet, unlimited};
use proptest::prelude::*;

fn of_flow(flow: u32, number: u64, bytes: u32) -> Packet<bool> {
    Packet { flow, ..packet(number, bytes, false) }
}

/// A queue with these packets: flow and bytes, numbered from 0 on.
fn filled(quantum: u64, limits: DropTail, packets: &[(u32, u32)]) -> (Drr<bool>, Seen) {
    let (mut queue, mut seen) = (Drr::new(quantum, limits), Seen::default());
    for (number, &(flow, bytes)) in (0..).zip(packets) {
        queue.enqueue(of_flow(flow, number, bytes), Time::ZERO, &mut seen);
    }
    (queue, seen)
}

/// The flows and the lengths of the packets that are left, in the order in which they are sent.
fn rest(queue: &mut Drr<bool>) -> Vec<(u32, u32)> {
    let next =
        || queue.dequeue(Time::ZERO, &mut Seen::default()).map(|sent| (sent.packet.flow, sent.packet.bytes));
    std::iter::from_fn(next).collect()
}

/// The first flow has 300 bytes left after its first packet, the third too, the fourth 450; the second has spent all.
#[test]
fn what_is_left_of_a_deficit_counts_in_the_next_turn() {
    let packets = [
        (1, 200),
        (1, 750),
        (1, 20),
        (2, 500),
        (2, 500),
        (3, 200),
        (3, 600),
        (3, 100),
        (4, 50),
        (4, 700),
        (4, 180),
    ];
    let (mut queue, _) = filled(500, unlimited(), &packets);
    let first = [(1, 200), (2, 500), (3, 200), (4, 50)];
    let second = [(1, 750), (1, 20), (2, 500), (3, 600), (3, 100), (4, 700), (4, 180)];
    assert_eq!(rest(&mut queue), [&first[..], &second[..]].concat());
    assert!(queue.queues.is_empty() && queue.turns.is_empty() && queue.by_length.is_empty());
}

/// Packets of 1500 bytes and of 300 with a quantum of 1514: each turn leaves 14 bytes over. They add up to a sixth
/// packet of 300 bytes in turns 22, 43, 65, 86 and 108, and to a second one of 1500 in turn 108.
#[test]
fn flows_of_long_and_short_packets_get_equal_shares() {
    let (mut queue, mut seen) = (Drr::new(1514, unlimited()), Seen::default());
    for number in 0..600 {
        queue.enqueue(of_flow(1, number, 1500), Time::ZERO, &mut seen);
        queue.enqueue(of_flow(2, number, 300), Time::ZERO, &mut seen);
    }
    let mut turns: Vec<(u32, usize)> = vec![];
    while turns.len() <= 2 * 110 {
        let flow = queue.dequeue(Time::ZERO, &mut seen).expect("more wait").packet.flow;
        match turns.last_mut() {
            Some((last, packets)) if *last == flow => *packets += 1,
            _ => turns.push((flow, 1)),
        }
    }
    let with = |flow, packets| {
        let of_flow = turns[..220].iter().filter(|turn| turn.0 == flow);
        (1..).zip(of_flow).filter(|turn| turn.1.1 == packets).map(|turn| turn.0).collect::<Vec<_>>()
    };
    assert_eq!(with(2, 6), [22, 43, 65, 86, 108]);
    assert_eq!((with(2, 5).len(), with(1, 1).len()), (105, 109));
    assert_eq!(with(1, 2), [108]);
}

/// A flow that comes while others wait is sent in the same round, and one that comes back goes to the end.
#[test]
fn a_new_flow_waits_for_a_quantum_of_each() {
    let (mut queue, mut seen) = filled(1000, unlimited(), &[(1, 1000), (1, 1000), (2, 1000), (2, 1000)]);
    let mut next = |queue: &mut Drr<bool>| queue.dequeue(Time::ZERO, &mut seen).map(|sent| sent.packet.flow);
    assert_eq!(next(&mut queue), Some(1));
    queue.enqueue(of_flow(3, 9, 100), Time::ZERO, &mut Seen::default());
    assert_eq!([next(&mut queue), next(&mut queue)], [Some(2), Some(3)]);
    queue.enqueue(of_flow(3, 10, 100), Time::ZERO, &mut Seen::default());
    assert_eq!(rest(&mut queue), [(1, 1000), (2, 1000), (3, 100)]);
}

/// 3000 bytes may wait. The fourth packet is too much: the longest queue loses its last. The fifth makes that queue the
/// longest again, and is dropped itself.
#[test]
fn the_longest_queue_loses_its_last_packet() {
    let packets = [(1, 1000), (1, 1000), (2, 500), (3, 600), (1, 1000), (3, 900)];
    let (mut queue, seen) = filled(1514, DropTail::new(None, Some(3000)), &packets);
    let full = |number| (PacketId::sent(number), DropCause::QueueFull);
    assert_eq!(seen.dropped, [full(1), full(4)]);
    assert_eq!((queue.len_packets(), queue.len_bytes()), (4, 3000));
    assert_eq!(rest(&mut queue), [(1, 1000), (2, 500), (3, 600), (3, 900)]);
}

/// Two packets may wait. Of three queues of the same length the arriving packet's is chosen. A shorter packet takes the
/// place of another, whose queue keeps its turn until then.
#[test]
fn of_equal_queues_that_of_the_arriving_packet_loses() {
    let packets = [(1, 1000), (2, 1000), (3, 1000), (4, 900)];
    let (mut queue, mut seen) = filled(1514, DropTail::new(Some(2), None), &packets);
    assert_eq!(seen.dropped_ids(), [2, 1].map(PacketId::sent));
    assert_eq!(queue.dequeue(Time::ZERO, &mut seen).map(|sent| sent.packet.flow), Some(1));
    queue.enqueue(of_flow(2, 9, 100), Time::ZERO, &mut seen);
    assert_eq!(rest(&mut queue)[0], (2, 100));
}

/// A packet that is longer than all that may wait finds no room, and takes that of no other.
#[test]
fn a_packet_that_cannot_fit_drops_no_other() {
    let (mut queue, seen) = filled(1514, DropTail::new(None, Some(1000)), &[(1, 400), (2, 600), (3, 1001)]);
    assert_eq!(seen.dropped, [(PacketId::sent(2), DropCause::QueueFull)]);
    assert_eq!(rest(&mut queue), [(1, 400), (2, 600)]);
    let (queue, seen) = filled(1514, DropTail::new(Some(0), None), &[(1, 0)]);
    assert_eq!((seen.dropped.len(), queue.len_packets()), (1, 0));
}

/// The paper's pseudo-code, with lists: a deficit grows when a turn begins.
struct PseudoCode {
    quantum: u64,
    limits: (usize, u64),
    queue: Vec<Vec<(u64, u64)>>,
    dc: Vec<u64>,
    active_list: Vec<usize>,
    in_turn: Option<usize>,
    dropped: Vec<PacketId>,
}

impl PseudoCode {
    fn bytes(&self, i: usize) -> u64 {
        self.queue[i].iter().map(|waits| waits.1).sum()
    }

    fn packets(&self) -> usize {
        self.queue.iter().map(Vec::len).sum()
    }

    fn enqueuing_module(&mut self, i: usize, number: u64, bytes: u64) {
        if !self.active_list.contains(&i) && self.in_turn != Some(i) {
            self.active_list.push(i);
            self.dc[i] = 0;
        }
        self.queue[i].push((number, bytes));
        let all = |this: &Self| (0..this.queue.len()).map(|i| this.bytes(i)).sum::<u64>();
        while self.packets() > self.limits.0 || all(self) > self.limits.1 {
            let most = (0..self.queue.len()).map(|i| self.bytes(i)).max().unwrap();
            let last = (0..self.queue.len()).rev().find(|&i| self.bytes(i) == most).unwrap();
            let longest = if self.bytes(i) == most { i } else { last };
            self.dropped.push(PacketId::sent(self.queue[longest].pop().unwrap().0));
        }
    }

    fn dequeuing_module(&mut self) -> Option<PacketId> {
        loop {
            let i = match self.in_turn {
                Some(i) => i,
                None if self.active_list.is_empty() => return None,
                None => {
                    let i = self.active_list.remove(0);
                    self.dc[i] += self.quantum;
                    self.in_turn = Some(i);
                    i
                }
            };
            if let Some(&(number, bytes)) = self.queue[i].first().filter(|head| head.1 <= self.dc[i]) {
                self.queue[i].remove(0);
                self.dc[i] -= bytes;
                if self.queue[i].is_empty() {
                    self.in_turn = None;
                }
                return Some(PacketId::sent(number));
            }
            if !self.queue[i].is_empty() {
                self.active_list.push(i);
            }
            self.in_turn = None;
        }
    }
}

proptest! {
    /// Arrivals of five flows, and departures, against the pseudo-code. What was enqueued is sent, dropped or waiting.
    #[test]
    fn agrees_with_the_pseudo_code(
        quantum in prop_oneof![1u64..100, 100u64..4000],
        limits in (1usize..40, prop_oneof![Just(u64::MAX), 1u64..20_000]),
        steps in prop::collection::vec(prop::option::weighted(0.6, (0usize..5, 1u32..1500)), 0..500),
    ) {
        let mut queue = Drr::new(quantum, DropTail::new(Some(limits.0), Some(limits.1)));
        let mut plain = PseudoCode {
            quantum, limits, queue: vec![vec![]; 5], dc: vec![0; 5], active_list: vec![], in_turn: None,
            dropped: vec![],
        };
        let (mut seen, mut offered, mut sent) = (Seen::default(), 0, 0);
        for (number, step) in (0..).zip(steps) {
            if let Some((flow, bytes)) = step {
                let hosts = [(0, 1), (1, 0), (2, 0)].map(|(from, to)| (HostId(from), HostId(to)));
                // Flows in the order of their names: two between the first pair of hosts, two between the second.
                let (from, to) = hosts[flow / 2];
                let packet = Packet { from, to, ..of_flow(flow as u32 % 2, number, bytes) };
                queue.enqueue(packet, Time::ZERO, &mut seen);
                plain.enqueuing_module(flow, number, u64::from(bytes));
                offered += 1;
            } else {
                let next = queue.dequeue(Time::ZERO, &mut seen).map(|sent| sent.packet.id);
                sent += usize::from(next.is_some());
                prop_assert_eq!(next, plain.dequeuing_module());
            }
            prop_assert_eq!(queue.len_packets(), plain.packets());
            prop_assert_eq!(queue.len_bytes(), (0..5).map(|i| plain.bytes(i)).sum::<u64>());
            prop_assert_eq!(queue.len_packets() + sent + seen.dropped.len(), offered);
            prop_assert!(queue.queues.len() == queue.turns.len() && queue.by_length.len() <= queue.queues.len());
        }
        prop_assert_eq!(seen.dropped_ids(), plain.dropped);
    }

    /// While two flows wait, neither sends more than the other by above twice the longest packet and a quantum, in any
    /// interval (the paper's theorem on fairness).
    #[test]
    fn shares_differ_by_no_more_than_the_paper_proves(
        more in 0u64..2000,
        lengths in prop::collection::vec((1u32..1500, 1u32..1500, 1u32..1500), 1..300),
    ) {
        let longest = lengths.iter().map(|of| of.0.max(of.1).max(of.2)).max().unwrap();
        let quantum = u64::from(longest) + more;
        let mut queue = Drr::new(quantum, unlimited());
        let mut seen = Seen::default();
        for (number, &(a, b, c)) in (0..).zip(&lengths) {
            for (flow, bytes) in [(0, a), (1, b), (2, c)] {
                queue.enqueue(of_flow(flow, number, bytes), Time::ZERO, &mut seen);
            }
        }
        let (mut ahead, mut least, mut most) = (0, 0, 0);
        let mut left = [lengths.len(); 3];
        while left[0] > 0 && left[1] > 0 {
            let sent = queue.dequeue(Time::ZERO, &mut seen).unwrap().packet;
            left[sent.flow as usize] -= 1;
            ahead += [1, -1, 0][sent.flow as usize] * i64::from(sent.bytes);
            (least, most) = (ahead.min(least), ahead.max(most));
        }
        prop_assert!(most - least <= 2 * i64::from(longest) + quantum as i64);
    }
}
