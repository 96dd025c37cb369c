//! Turns by hand, the hash, and the lists of RFC 8290 written down once more.

use super::*;
use crate::packet::{HostId, PacketId};
use crate::queue::tests::{packet, unlimited};
use proptest::prelude::*;

fn queues(quantum: u64) -> FlowQueues<bool, ()> {
    FlowQueues::new([4, quantum, 1_000_000], unlimited(), 0, ())
}

fn next(queues: &mut FlowQueues<bool, ()>) -> Option<PacketId> {
    queues.dequeue(|queue| queue.buffer.dequeue()).map(|sent| sent.packet.id)
}

/// A queue with five packets of 1000 bytes, another that comes later with one of 100 bytes.
#[test]
fn a_new_queue_goes_before_old_ones() {
    let mut queues = queues(1500);
    let put = |queues: &mut FlowQueues<bool, ()>, queue, number, bytes| {
        queues.enqueue(queue, packet(number, bytes, false), Time::ZERO);
    };
    (0..5).for_each(|number| put(&mut queues, 0, number, 1000));
    assert_eq!([next(&mut queues), next(&mut queues)], [0, 1].map(|n| Some(PacketId::sent(n))));
    put(&mut queues, 1, 9, 100);
    assert_eq!(next(&mut queues), Some(PacketId::sent(9)), "the other one has spent its quantum");
    assert_eq!(next(&mut queues), Some(PacketId::sent(2)));
    // It came back at once: it is old now, and waits for its turn.
    put(&mut queues, 1, 10, 100);
    assert_eq!([next(&mut queues), next(&mut queues)], [10, 3].map(|n| Some(PacketId::sent(n))));
}

#[test]
fn shares_are_equal_in_bytes() {
    let mut queues = queues(1500);
    let mut bytes = [0_u64; 2];
    for number in 0..600 {
        queues.enqueue(0, packet(2 * number, 1500, false), Time::ZERO);
        queues.enqueue(1, packet(2 * number + 1, 300, false), Time::ZERO);
    }
    for _ in 0..500 {
        let sent = queues.dequeue(|queue| queue.buffer.dequeue()).expect("more wait").packet;
        bytes[usize::from(sent.bytes == 300)] += u64::from(sent.bytes);
    }
    assert!(bytes[0].abs_diff(bytes[1]) <= 3000, "{bytes:?}");
}

#[test]
fn the_hash_spreads_flows_and_depends_on_the_key() {
    let mut counts = [0; 64];
    let mut moved = 0;
    for flow in 0..6400 {
        let mut its = packet(0, 100, false);
        (its.from, its.to, its.flow) = (HostId(flow % 80), HostId(flow / 80), flow % 3);
        counts[queue_of(&its, 1, 64)] += 1;
        moved += usize::from(queue_of(&its, 1, 64) != queue_of(&its, 2, 64));
    }
    assert!(counts.iter().all(|count| (60..150).contains(count)), "{counts:?}");
    assert!(moved > 6000);
}

/// The text of RFC 8290, sections 4.1 to 4.2, with plain lists.
pub(in crate::queue) struct PlainTurns {
    quantum: i64,
    deficit: Vec<i64>,
    new: Vec<usize>,
    old: Vec<usize>,
}

impl PlainTurns {
    pub(in crate::queue) fn new(queues: usize, quantum: u64) -> Self {
        Self { quantum: quantum as i64, deficit: vec![0; queues], new: vec![], old: vec![] }
    }

    /// A queue has got a packet.
    pub(in crate::queue) fn enqueued(&mut self, queue: usize) {
        if !self.new.contains(&queue) && !self.old.contains(&queue) {
            self.new.push(queue);
            self.deficit[queue] = self.quantum;
        }
    }

    /// What is sent. `send` takes it, with its bytes, from the queue that it is asked for; none if that has nothing to send.
    pub(in crate::queue) fn dequeue<T>(
        &mut self,
        mut send: impl FnMut(usize) -> Option<(T, u32)>,
    ) -> Option<T> {
        loop {
            let is_new = !self.new.is_empty();
            let list = if is_new { &mut self.new } else { &mut self.old };
            let queue = *list.first()?;
            if self.deficit[queue] <= 0 {
                list.remove(0);
                self.deficit[queue] += self.quantum;
                self.old.push(queue);
            } else if let Some((sent, bytes)) = send(queue) {
                self.deficit[queue] -= i64::from(bytes);
                return Some(sent);
            } else {
                list.remove(0);
                if is_new && !self.old.is_empty() {
                    self.old.push(queue);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn agrees_with_plain_lists(
        quantum in 100u64..2000,
        steps in prop::collection::vec(prop::option::weighted(0.55, (0usize..4, 1u32..1500)), 0..400),
    ) {
        let (mut queues, mut plain) = (queues(quantum), PlainTurns::new(4, quantum));
        let mut waiting: [Vec<(u64, u32)>; 4] = Default::default();
        for (number, step) in (0..).zip(steps) {
            if let Some((queue, bytes)) = step {
                queues.enqueue(queue, packet(number, bytes, false), Time::ZERO);
                waiting[queue].push((number, bytes));
                plain.enqueued(queue);
            } else {
                let send = |queue: usize| (!waiting[queue].is_empty()).then(|| waiting[queue].remove(0));
                prop_assert_eq!(next(&mut queues), plain.dequeue(send).map(PacketId::sent));
            }
            let bytes = waiting.each_ref().map(|all| all.iter().map(|waits| u64::from(waits.1)).sum::<u64>());
            prop_assert_eq!(queues.packets(), waiting.iter().map(Vec::len).sum::<usize>());
            prop_assert_eq!(queues.bytes(), bytes.iter().sum::<u64>());
            let most = *bytes.iter().max().unwrap();
            prop_assert_eq!(queues.fattest(), bytes.iter().position(|&bytes| bytes == most).unwrap());
        }
    }
}
