//! A link that carries packets: a queue, a service, a wire.

use super::wire::Wire;
use super::{DropCause, Impairment, LinkEvent, Schedule, Service};
use crate::packet::{LinkId, Packet, PacketId};
use crate::queue::{QueueDiscipline, Queued, Sink};
use crate::waits::Waits;
use base::Time;

/// A link that carries packets.
pub struct PacketLink<P> {
    queue: Box<dyn QueueDiscipline<P>>,
    service: Box<dyn Service>,
    /// The packet being sent and when its last bit leaves.
    transmitting: Option<(Time, Packet<P>)>,
    /// When the next transmission may begin, if none is going on though packets wait: the service pauses, or the discipline
    /// holds the packets back. [`Time::NEVER`] otherwise.
    resumes_at: Time,
    wire: Wire<P>,
    pub(super) waits: Option<Box<Waits>>,
    counters: PacketCounters,
    /// Until when the backlog is integrated.
    integrated: Time,
}

/// Totals since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketCounters {
    /// Packets that came to the link.
    pub packets_offered: u64,
    /// Their bytes.
    pub bytes_offered: u64,
    /// Packets that have been sent, whether an impairment lost them or not.
    pub packets_sent: u64,
    /// Their bytes.
    pub bytes_sent: u64,
    /// Packets that the queue discipline dropped.
    pub packets_dropped: u64,
    /// Those of them for which there was room.
    pub packets_dropped_early: u64,
    /// Packets that an impairment lost.
    pub packets_lost: u64,
    /// Packets that an impairment doubled.
    pub packets_duplicated: u64,
    /// Packets that the queue discipline or an impairment marked.
    pub packets_marked: u64,
    /// Time spent on sending, what is being sent included.
    pub busy: Time,
    /// The most packets that were waiting.
    pub max_queued_packets: u64,
    /// The most bytes that were waiting.
    pub max_queued_bytes: u64,
    /// Packets waiting, integrated over time: packets x ps.
    pub queued_packets_ps: u128,
    /// Bytes waiting, integrated over time: bytes x ps.
    pub queued_bytes_ps: u128,
}

impl<P: Clone> PacketLink<P> {
    /// An empty link. Its number is part of the identity of the copies that its impairments make.
    #[must_use]
    pub fn new(
        id: LinkId,
        queue: Box<dyn QueueDiscipline<P>>,
        service: Box<dyn Service>,
        delay: impl Into<Schedule<Time>>,
        impairments: Vec<Box<dyn Impairment<P>>>,
    ) -> Self {
        Self {
            queue,
            service,
            transmitting: None,
            resumes_at: Time::NEVER,
            wire: Wire::new(id, delay.into(), impairments),
            waits: None,
            counters: PacketCounters::default(),
            integrated: Time::ZERO,
        }
    }

    /// Totals up to `now`, the time of the last [`super::Link::advance`].
    pub fn counters(&mut self, now: Time) -> PacketCounters {
        self.integrate(now);
        let mut counters = self.counters;
        if let Some((sent, _)) = &self.transmitting {
            counters.busy = counters.busy - sent.saturating_sub(now);
        }
        counters.packets_lost = self.wire.lost;
        counters.packets_duplicated = self.wire.duplicated;
        counters.packets_marked += self.wire.marked;
        counters
    }

    pub(super) fn send(
        &mut self,
        now: Time,
        packet: Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) {
        self.advance(now, watch);
        self.integrate(now);
        self.counters.packets_offered += 1;
        self.counters.bytes_offered += u64::from(packet.bytes);
        let offered = packet.id;
        let is_first = self.queue.len_packets() == 0;
        let mut observed = Observed { now, counters: &mut self.counters, watch, last_dropped: None };
        self.queue.enqueue(packet, now, &mut observed);
        if observed.last_dropped == Some(offered) {
            return;
        }
        if self.transmitting.is_none() {
            self.transmit_next(now, is_first, watch);
        } else {
            watch(now, LinkEvent::Queued { packets: self.queue.len_packets() as u64, begins: None });
        }
        let packets = self.queue.len_packets() as u64;
        self.counters.max_queued_packets = self.counters.max_queued_packets.max(packets);
        self.counters.max_queued_bytes = self.counters.max_queued_bytes.max(self.queue.len_bytes());
    }

    /// When the next packet arrives at the far end, or earlier. The packet in transmission arrives one propagation delay
    /// after its last bit has left, or later; one whose transmission has not begun, even later than that. The end of a
    /// transmission needs no event: the link catches up at the arrival.
    pub(super) fn next_event(&self) -> Time {
        let sent = self.transmitting.as_ref().map_or(self.resumes_at, |sending| sending.0);
        sent.saturating_add(self.wire.least_delay).min(self.wire.crossing.next_arrival())
    }

    pub(super) fn packets(&self) -> usize {
        self.queue.len_packets() + usize::from(self.transmitting.is_some()) + self.wire.crossing.len()
    }

    /// Takes out a packet that has arrived by `now`.
    pub(super) fn receive(&mut self, now: Time) -> Option<Packet<P>> {
        self.wire.crossing.pop_until(now)
    }

    /// Ends the transmissions that are over by `now`, and begins those that may begin by then.
    pub(super) fn advance(&mut self, now: Time, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) {
        loop {
            if let Some((sent, packet)) = self.transmitting.take_if(|sending| sending.0 <= now) {
                self.integrate(sent);
                self.counters.packets_sent += 1;
                self.counters.bytes_sent += u64::from(packet.bytes);
                self.transmit_next(sent, false, watch);
                self.wire.carry(sent, packet, watch);
            } else if self.resumes_at <= now {
                let resumed = self.resumes_at;
                self.integrate(resumed);
                self.transmit_next(resumed, false, watch);
            } else {
                return;
            }
        }
    }

    /// Begins the next transmission, or notes when it may begin. `is_first` if the packet that waits has just come.
    fn transmit_next(&mut self, now: Time, is_first: bool, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) {
        let begins = if self.queue.len_packets() > 0 { self.service.begins(now, is_first) } else { now };
        self.resumes_at = if begins > now { begins } else { self.transmit(now, watch) };
        watch(now, LinkEvent::Queued { packets: self.queue.len_packets() as u64, begins: None });
    }

    /// Begins to transmit what the queue gives. When it will give something, if it has packets and holds them all back;
    /// [`Time::NEVER`] otherwise.
    fn transmit(&mut self, now: Time, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) -> Time {
        let mut observed = Observed { now, counters: &mut self.counters, watch, last_dropped: None };
        let Some(Queued { since, packet }) = self.queue.dequeue(now, &mut observed) else {
            if self.queue.len_packets() == 0 {
                return Time::NEVER;
            }
            let ready = self.queue.ready_at(now);
            debug_assert!(ready > now, "a discipline has nothing to send, and is ready");
            return ready;
        };
        if let Some(waits) = &mut self.waits {
            waits.record_packet(now, now - since, packet.from);
        }
        let sent = self.service.finish(now, packet.bytes);
        // `counters` subtracts the part after its `now`.
        self.counters.busy += sent - now;
        self.transmitting = Some((sent, packet));
        Time::NEVER
    }

    fn integrate(&mut self, now: Time) {
        let packets = self.queue.len_packets();
        if packets > 0 {
            let for_ps = u128::from((now - self.integrated).as_ps());
            self.counters.queued_packets_ps += packets as u128 * for_ps;
            self.counters.queued_bytes_ps += u128::from(self.queue.len_bytes()) * for_ps;
        }
        self.integrated = now;
    }
}

/// Counts drops and marks of the queue, and reports them to observers.
struct Observed<'a, W> {
    now: Time,
    counters: &'a mut PacketCounters,
    watch: &'a mut W,
    last_dropped: Option<PacketId>,
}

impl<P, W: FnMut(Time, LinkEvent<'_, P>)> Sink<P> for Observed<'_, W> {
    fn dropped(&mut self, packet: &Packet<P>, cause: DropCause) {
        self.counters.packets_dropped += 1;
        self.counters.packets_dropped_early += u64::from(cause == DropCause::QueueEarly);
        self.last_dropped = Some(packet.id);
        (self.watch)(self.now, LinkEvent::Dropped(packet, cause));
    }

    fn marked(&mut self, packet: &Packet<P>) {
        self.counters.packets_marked += 1;
        (self.watch)(self.now, LinkEvent::Marked(packet));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Jitter, Opportunities, ScriptedDrops};
    use crate::packet::HostId;
    use crate::queue::{DropTail, Fifo};
    use crate::rng::Streams;
    use base::Rate;

    fn packet(number: u32) -> Packet<u32> {
        Packet {
            id: PacketId::sent(u64::from(number)),
            from: HostId(0),
            to: HostId(1),
            flow: 0,
            bytes: 1000,
            payload: number,
        }
    }

    /// The serialization time of 1000 bytes at 8 Mbit/s is 1 ms; the link is 10 ms long; two may wait.
    fn link(impairments: Vec<Box<dyn Impairment<u32>>>) -> PacketLink<u32> {
        let queue = Box::new(Fifo::new(DropTail::new(Some(2), None)));
        let rate = Rate::from_bps(8_000_000);
        PacketLink::new(LinkId(0), queue, Box::new(rate), Time::from_ms(10), impairments)
    }

    /// Sends four packets at once. The losses, and the arrivals with their times.
    #[allow(clippy::type_complexity, reason = "two lists of pairs")]
    fn four_packets(link: &mut PacketLink<u32>) -> (Vec<(u32, DropCause)>, Vec<(u32, Time)>) {
        let mut dropped = Vec::new();
        let mut watch = |_, event: LinkEvent<'_, u32>| {
            if let LinkEvent::Dropped(packet, cause) = event {
                dropped.push((packet.payload, cause));
            }
        };
        for number in 1..=4 {
            link.send(Time::ZERO, packet(number), &mut watch);
        }
        let mut arrivals = Vec::new();
        while link.next_event() < Time::NEVER {
            let now = link.next_event();
            link.advance(now, &mut watch);
            while let Some(packet) = link.receive(now) {
                arrivals.push((packet.payload, now));
            }
        }
        assert_eq!(link.packets(), 0);
        (dropped, arrivals)
    }

    #[test]
    fn sends_in_order_and_drops_the_fourth() {
        let mut link = link(vec![]);
        let half_a_packet = Time::from_us(500);
        link.send(Time::ZERO, packet(0), &mut |_, _| {});
        assert_eq!(link.counters(half_a_packet).busy, half_a_packet);
        let mut link = self::link(vec![]);
        let (dropped, arrivals) = four_packets(&mut link);
        assert_eq!(dropped, [(4, DropCause::QueueFull)]);
        assert_eq!(arrivals, [(1, Time::from_ms(11)), (2, Time::from_ms(12)), (3, Time::from_ms(13))]);
        let counters = link.counters(Time::from_ms(13));
        assert_eq!((counters.packets_offered, counters.packets_sent, counters.packets_dropped), (4, 3, 1));
        assert_eq!((counters.busy, counters.max_queued_packets), (Time::from_ms(3), 2));
        // Two wait for the first millisecond, one for the second.
        assert_eq!(counters.queued_packets_ps, u128::from(Time::from_ms(3).as_ps()));
    }

    #[test]
    fn observers_see_what_waits_while_the_service_pauses() {
        let queue = Box::new(Fifo::new(DropTail::new(None, None)));
        // Opportunities at 5 and 10 ms, each for a packet.
        let service = Opportunities::new(vec![Time::from_ms(5)], Time::from_ms(5), 1000);
        let mut link = PacketLink::new(LinkId(0), queue, Box::new(service), Time::ZERO, vec![]);
        let mut seen = Vec::new();
        let mut watch = |at, event: LinkEvent<'_, u32>| {
            if let LinkEvent::Queued { packets, .. } = event {
                seen.push((at, packets));
            }
        };
        link.send(Time::from_ms(1), packet(1), &mut watch);
        link.send(Time::from_ms(2), packet(2), &mut watch);
        link.advance(Time::from_ms(10), &mut watch);
        let ms = |at| Time::from_ms(at);
        assert_eq!(seen, [(ms(1), 1), (ms(2), 2), (ms(5), 1), (ms(5), 1), (ms(10), 0), (ms(10), 0)]);
    }

    #[test]
    fn what_an_impairment_loses_has_been_sent() {
        let mut link = link(vec![Box::new(ScriptedDrops::new(|_| true, vec![2]))]);
        let (dropped, arrivals) = four_packets(&mut link);
        assert_eq!(dropped, [(4, DropCause::QueueFull), (2, DropCause::Impairment)]);
        assert_eq!(arrivals, [(1, Time::from_ms(11)), (3, Time::from_ms(13))]);
    }

    #[test]
    fn jitter_delays_and_may_reorder() {
        let spread = Time::from_ms(50);
        let reordered = (0..20).any(|seed| {
            let mut link = link(vec![Box::new(Jitter::new(spread, Streams::new(seed).named("test")))]);
            let arrivals = four_packets(&mut link).1;
            assert!(arrivals.iter().all(|&(number, at)| {
                let undisturbed = Time::from_ms(10 + u64::from(number));
                undisturbed <= at && at < undisturbed + spread
            }));
            !arrivals.is_sorted()
        });
        assert!(reordered);
    }
}
