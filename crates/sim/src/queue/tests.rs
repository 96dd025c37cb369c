//! What tests of disciplines share: packets, settings, what was seen, and oracles; and tests of the table.

use super::*;
use crate::packet::{HostId, PacketId};
use crate::rng::Streams;
use base::{Ecn, Rate};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// A packet that can be marked if its payload is true.
pub(super) fn packet(number: u64, bytes: u32, capable: bool) -> Packet<bool> {
    let (from, to) = (HostId(0), HostId(1));
    Packet { id: PacketId::sent(number), from, to, flow: 0, bytes, payload: capable }
}

/// A packet of a flow that can be marked.
pub(super) fn of_flow(flow: u32, number: u64, bytes: u32) -> Packet<bool> {
    Packet { from: HostId(flow), ..packet(number, bytes, true) }
}

/// The identities of packets with these numbers.
pub(super) fn ids(numbers: &[u64]) -> Vec<PacketId> {
    numbers.iter().copied().map(PacketId::sent).collect()
}

pub(super) fn unlimited() -> DropTail {
    DropTail::new(None, None)
}

/// The setting of a queue with these limits on a link of 10 Mbit/s.
pub(super) fn setting(limits: DropTail) -> Setting<bool> {
    Setting {
        rate: Rate::from_bps(10_000_000),
        limits,
        ecn: |&capable| if capable { Ecn::Ect0 } else { Ecn::NotEct },
        mark: |capable| *capable,
        rng: Streams::new(1).named("queue/0"),
        ends: Ends::default(),
    }
}

/// What a discipline has dropped and marked.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Seen {
    pub(super) dropped: Vec<(PacketId, DropCause)>,
    pub(super) marked: Vec<PacketId>,
}

impl Seen {
    /// The verdict on the first packet that was dropped, else on the first that was marked; else the packet was enqueued.
    pub(super) fn verdict(&self) -> Verdict {
        match (self.dropped.first(), self.marked.first()) {
            (Some(&(_, cause)), _) => Verdict::Drop(cause),
            (None, Some(_)) => Verdict::Mark,
            (None, None) => Verdict::Enqueue,
        }
    }

    pub(super) fn dropped_ids(&self) -> Vec<PacketId> {
        self.dropped.iter().map(|dropped| dropped.0).collect()
    }
}

impl<P> Sink<P> for Seen {
    fn dropped(&mut self, packet: &Packet<P>, cause: DropCause) {
        self.dropped.push((packet.id, cause));
    }

    fn marked(&mut self, packet: &Packet<P>) {
        self.marked.push(packet.id);
    }
}

/// How many packets are dropped and marked by a dequeue, which also sends one.
pub(super) fn signaled(queue: &mut dyn QueueDiscipline<bool>, now: Time) -> (usize, usize) {
    let mut seen = Seen::default();
    assert!(queue.dequeue(now, &mut seen).is_some());
    assert!(seen.dropped.iter().all(|dropped| dropped.1 == DropCause::QueueEarly));
    (seen.dropped.len(), seen.marked.len())
}

/// Numbers of the packets of a sparse flow begin here.
pub(super) const SPARSE: u64 = 1_000_000;

/// For so many ms two packets of 1000 bytes of a flow come where one packet leaves, and one of a sparse flow each 10 ms: what was
/// dropped and marked, and the longest time for which a packet of the sparse flow waited.
pub(super) fn beside_a_sparse_flow(queue: &mut dyn QueueDiscipline<bool>, ms: u64) -> (Seen, Time) {
    let (mut seen, mut longest) = (Seen::default(), Time::ZERO);
    for ms in 0..ms {
        let now = Time::from_ms(ms);
        for number in [2 * ms, 2 * ms + 1] {
            queue.enqueue(of_flow(1, number, 1000), now, &mut seen);
        }
        if ms % 10 == 0 {
            queue.enqueue(of_flow(2, SPARSE + ms, 100), now, &mut seen);
        }
        let head = queue.dequeue(now, &mut seen).expect("more come than leave");
        if head.packet.from == HostId(2) {
            longest = longest.max(now - head.since);
        }
    }
    (seen, longest)
}

/// When packets leave, from `now` on, if nothing but the discipline holds them back.
pub(super) fn departures(queue: &mut dyn QueueDiscipline<bool>, mut now: Time) -> Vec<(Time, Packet<bool>)> {
    let mut all = vec![];
    while queue.len_packets() > 0 {
        if let Some(sent) = queue.dequeue(now, &mut Seen::default()) {
            all.push((now, sent.packet));
        } else {
            let ready = queue.ready_at(now);
            assert!(ready > now && queue.dequeue(ready - Time::from_ps(1), &mut Seen::default()).is_none());
            now = ready;
        }
    }
    all
}

/// The largest whole number that is no more than interval / sqrt(count), by bisection.
pub(super) fn over_square_root(interval: i128, count: i128) -> i128 {
    let (mut low, mut high) = (0, interval + 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle * middle * count <= interval * interval { low = middle } else { high = middle }
    }
    low
}

/// Random steps: a pause, and either a packet that comes or one that leaves. What was enqueued is waiting, sent or dropped,
/// no more than `limit` wait, packets of a flow keep their order, and `is_sound` holds after each step.
pub(super) fn nothing_vanishes<Q: QueueDiscipline<bool> + ?Sized>(
    queue: &mut Q,
    limit: usize,
    steps: impl IntoIterator<Item = (Time, Option<Packet<bool>>)>,
    is_sound: impl Fn(&Q) -> bool,
) -> Result<(), TestCaseError> {
    let (mut seen, mut now) = (Seen::default(), Time::ZERO);
    let (mut offered, mut sent): (usize, Vec<(HostId, PacketId)>) = (0, vec![]);
    for (pause, step) in steps {
        now += pause;
        if let Some(packet) = step {
            queue.enqueue(packet, now, &mut seen);
            offered += 1;
        } else if let Some(head) = queue.dequeue(now, &mut seen) {
            let last = sent.iter().rev().find(|&&(flow, _)| flow == head.packet.from);
            prop_assert!(last.is_none_or(|&(_, before)| before < head.packet.id));
            sent.push((head.packet.from, head.packet.id));
        }
        prop_assert!(queue.len_packets() <= limit && is_sound(queue));
        prop_assert_eq!(queue.len_packets() + sent.len() + seen.dropped.len(), offered);
    }
    Ok(())
}

/// A pause in us, and either a packet that comes, with its flow and its bytes, or one that leaves.
pub(super) type Step = (u64, Option<(u32, u32)>);

/// Steps with up to six flows.
pub(super) fn steps_of_flows() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0u64..20_000, prop::option::of((0u32..6, 1u32..1500))), 0..400)
}

/// These steps for [`nothing_vanishes`], with packets numbered from 0 on.
pub(super) fn with_packets(steps: Vec<Step>) -> impl Iterator<Item = (Time, Option<Packet<bool>>)> {
    (0..).zip(steps).map(|(number, (us, step))| {
        (Time::from_us(us), step.map(|(flow, bytes)| of_flow(flow, number, bytes)))
    })
}

#[test]
fn names_and_keys_are_unique() {
    let rows = disciplines::<bool>();
    for (at, row) in rows.iter().enumerate() {
        assert!(rows[..at].iter().all(|other| other.name != row.name));
        for (at, parameter) in row.parameters.iter().enumerate() {
            assert!(row.parameters[..at].iter().all(|other| other.name != parameter.name));
            assert!(!["kind", "name", "limit"].contains(&parameter.name));
        }
    }
}

/// The defaults that a scenario has are allowed.
#[test]
fn defaults_make_sense() {
    for row in disciplines::<bool>() {
        let fixed = |parameter: &Parameter| match parameter.default {
            DefaultValue::Is(value) => Some(value),
            DefaultValue::Off => Some(OFF),
            DefaultValue::Auto => None,
        };
        let values: Option<Vec<u64>> = row.parameters.iter().map(fixed).collect();
        if let Some(values) = values {
            assert_eq!((row.check)(&values), None, "{}", row.name);
        }
    }
}
