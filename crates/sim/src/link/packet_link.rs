//! A link that carries packets: a queue, a transmitter, a line with impairments.

use super::{DropCause, Fate, Impairment, LinkEvent, Ring};
use crate::packet::Packet;
use crate::queue::{Entry, QueueDiscipline};
use base::{Rate, Time};

/// A link that carries packets.
pub struct PacketLink<P> {
    rate: Rate,
    delay: Time,
    queue: Box<dyn QueueDiscipline<P>>,
    impairments: Vec<Box<dyn Impairment<P>>>,
    /// The packet being sent and when its last bit leaves.
    sending: Option<(Time, Packet<P>)>,
    pub(super) ring: Ring<P>,
    counters: PacketCounters,
    /// Until when the queue's length is integrated.
    integrated: Time,
}

/// Totals since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacketCounters {
    /// Packets that came to the link.
    pub packets_offered: u64,
    /// Their bytes.
    pub bytes_offered: u64,
    /// Packets that have been sent, lost on the line or not.
    pub packets_sent: u64,
    /// Their bytes.
    pub bytes_sent: u64,
    /// Packets that the queue discipline dropped.
    pub packets_dropped: u64,
    /// Those of them for which there was room.
    pub packets_dropped_early: u64,
    /// Packets that an impairment took.
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
    /// An empty link.
    #[must_use]
    pub fn new(
        rate: Rate,
        delay: Time,
        queue: Box<dyn QueueDiscipline<P>>,
        impairments: Vec<Box<dyn Impairment<P>>>,
    ) -> Self {
        Self {
            rate,
            delay,
            queue,
            impairments,
            sending: None,
            ring: Ring::new(),
            counters: PacketCounters::default(),
            integrated: Time::ZERO,
        }
    }

    /// Totals up to `now`, the time of the last [`super::Link::advance`].
    pub fn counters(&mut self, now: Time) -> PacketCounters {
        self.integrate(now);
        let mut counters = self.counters;
        if let Some((sent, _)) = &self.sending {
            counters.busy = counters.busy - sent.saturating_sub(now);
        }
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
        match self.queue.enqueue(packet, now) {
            Entry::Taken => {}
            Entry::Marked => {
                self.counters.packets_marked += 1;
                watch(now, LinkEvent::Marked);
            }
            Entry::Dropped(packet, cause) => {
                self.counters.packets_dropped += 1;
                self.counters.packets_dropped_early += u64::from(cause == DropCause::QueueEarly);
                return watch(now, LinkEvent::Dropped(&packet, cause));
            }
        }
        if self.sending.is_none() {
            self.start(now);
        }
        let waiting = self.queue.len_packets() as u64;
        self.counters.max_queued_packets = self.counters.max_queued_packets.max(waiting);
        self.counters.max_queued_bytes = self.counters.max_queued_bytes.max(self.queue.len_bytes());
        watch(now, LinkEvent::Queued { packets: waiting });
    }

    /// The next arrival. What is being sent arrives no sooner than a delay after its last bit has
    /// left, and until then nobody has to look: the end of a transmission is no event of its own.
    pub(super) fn next_event(&self) -> Time {
        let sent = self.sending.as_ref().map_or(Time::NEVER, |sending| sending.0 + self.delay);
        sent.min(self.ring.next_arrival())
    }

    pub(super) fn packets(&self) -> usize {
        self.queue.len_packets() + usize::from(self.sending.is_some()) + self.ring.len()
    }

    /// Ends the transmissions that are over by `now`.
    pub(super) fn advance(&mut self, now: Time, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) {
        while let Some((sent, packet)) = self.sending.take_if(|sending| sending.0 <= now) {
            self.integrate(sent);
            self.counters.packets_sent += 1;
            self.counters.bytes_sent += u64::from(packet.bytes);
            self.start(sent);
            self.cross(sent, packet, watch);
        }
    }

    fn start(&mut self, now: Time) {
        if let Some(packet) = self.queue.dequeue(now) {
            let takes = self.rate.time_for(u64::from(packet.bytes));
            // `counters` takes off what is not over yet.
            self.counters.busy += takes;
            self.sending = Some((now + takes, packet));
        }
    }

    /// Puts a packet on the line, as the impairments leave it.
    fn cross(&mut self, sent: Time, mut packet: Packet<P>, watch: &mut impl FnMut(Time, LinkEvent<'_, P>)) {
        let mut arrives = sent + self.delay;
        for (number, impairment) in self.impairments.iter_mut().enumerate() {
            let fate = impairment.apply(&mut packet, sent);
            if fate != Fate::Pass {
                watch(sent, LinkEvent::Impaired { number, fate });
            }
            match fate {
                Fate::Pass => {}
                Fate::Lose => {
                    self.counters.packets_lost += 1;
                    return watch(sent, LinkEvent::Dropped(&packet, DropCause::Impairment));
                }
                Fate::Mark => self.counters.packets_marked += 1,
                Fate::Delay(time) => arrives += time,
                Fate::Duplicate => {
                    self.counters.packets_duplicated += 1;
                    watch(sent, LinkEvent::Duplicated(&packet));
                    watch(sent, LinkEvent::Crossing { packet: &packet, arrives });
                    self.ring.push(arrives, packet.clone());
                }
            }
        }
        watch(sent, LinkEvent::Crossing { packet: &packet, arrives });
        self.ring.push(arrives, packet);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Jitter, ScriptedDrops};
    use crate::packet::HostId;
    use crate::queue::{DropTail, Fifo};
    use crate::rng::Streams;

    fn packet(number: u32) -> Packet<u32> {
        Packet { from: HostId(0), to: HostId(1), bytes: 1000, payload: number }
    }

    /// 1000 bytes at 8 Mbit/s take 1 ms; the link is 10 ms long; two may wait.
    fn link(impairments: Vec<Box<dyn Impairment<u32>>>) -> PacketLink<u32> {
        let queue = Box::new(Fifo::new(DropTail::new(Some(2), None)));
        PacketLink::new(Rate::from_bps(8_000_000), Time::from_ms(10), queue, impairments)
    }

    /// Sends four packets at once and tells the losses, and the arrivals with their times.
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
            while let Some(packet) = link.ring.pop_until(now) {
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
    fn what_an_impairment_takes_has_used_the_line() {
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
