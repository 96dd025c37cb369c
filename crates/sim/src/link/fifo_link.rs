//! The fused fast path: a link whose packets are sent in the order in which they come, and arrive in that order
//! unless they are lost.
//!
//! When such a packet comes, its whole future on the link is known: it is sent when the link has sent the packets
//! before it. So the link stores no packets, and there is no event between the time a packet comes and its
//! arrival, or its loss on the wire. The link equals a [`super::PacketLink`] with a [`crate::queue::Fifo`] and a
//! fixed rate, as a test checks, except that it reports a packet's departure in advance, when the packet comes.

use super::{DropCause, Fate, Impairment, LinkEvent, PacketCounters, Report, SendResult, Watch};
use crate::packet::{HostId, Packet};
use crate::queue::{Admission, Backlog, DropTail, Verdict};
use crate::waits::Waits;
use base::{Rate, Time};
use std::collections::VecDeque;

/// A link whose packets are sent in the order in which they come, and arrive in that order unless they are lost.
pub struct FifoLink<P> {
    rate: Rate,
    /// Propagation delay.
    delay: Time,
    /// When the last bit of everything that came has been sent.
    busy_until: Time,
    /// Length of the last packet, and its serialization time.
    last_bytes: u32,
    serialization: Time,
    /// Packets that came, and their bytes.
    offered: (u64, u64),
    /// Serialization times of all packets that were enqueued.
    busy: Time,
    /// Whether every packet is enqueued and arrives.
    is_lossless: bool,
    pub(super) waits: Option<Box<Waits>>,
    /// Most links of a large network are lossless and were never busy when a packet came: they have none.
    queue: Option<Box<Queue<P>>>,
}

/// The backlog of a link, its admission and impairments, and the counters of their effects.
struct Queue<P> {
    admission: AtArrival<P>,
    /// These only lose packets.
    impairments: Vec<Box<dyn Impairment<P>>>,
    /// For each packet that the wire will lose, the number of the impairment that loses it.
    losing: VecDeque<usize>,
    /// Bytes of the packet that was sent last, or is being sent. A lossless link with an empty queue does not keep
    /// this: there it is the last packet that came.
    transmitting: u32,
    waiting: VecDeque<Waiting>,
    waiting_bytes: u64,
    /// The most packets that were waiting, and the most bytes.
    most: (u64, u64),
    /// Waiting times of all packets, and of their bytes, the future included.
    waits_ps: (u128, u128),
    /// Packets that were dropped, and their bytes.
    dropped: (u64, u64),
    dropped_early: u64,
    lost: u64,
    marked: u64,
}

/// A packet that waits: when its first bit will be sent, and its length.
#[derive(Clone, Copy)]
struct Waiting {
    starts: Time,
    bytes: u32,
}

enum AtArrival<P> {
    /// The most frequent one, called directly.
    DropTail(DropTail),
    Other(Box<dyn Admission<P>>),
}

impl<P> FifoLink<P> {
    /// An empty link with limits for the queue.
    #[must_use]
    pub fn drop_tail(rate: Rate, delay: Time, limits: DropTail) -> Self {
        let unlimited = Self::unlimited(rate, delay);
        if limits.are_never_reached() { unlimited } else { unlimited.with(AtArrival::DropTail(limits)) }
    }

    /// An empty link with another admission.
    #[must_use]
    pub fn new(rate: Rate, delay: Time, admission: Box<dyn Admission<P>>) -> Self {
        Self::unlimited(rate, delay).with(AtArrival::Other(admission))
    }

    /// The link with a wire that loses packets.
    ///
    /// # Panics
    /// If an impairment does anything else.
    #[must_use]
    pub fn with_impairments(mut self, impairments: Vec<Box<dyn Impairment<P>>>) -> Self {
        assert!(impairments.iter().all(|each| each.only_loses()), "the wire must not copy, delay or mark");
        if !impairments.is_empty() {
            self.queue.get_or_insert_default().impairments = impairments;
            self.is_lossless = false;
        }
        self
    }

    fn unlimited(rate: Rate, delay: Time) -> Self {
        Self {
            rate,
            delay,
            busy_until: Time::ZERO,
            last_bytes: 0,
            serialization: Time::ZERO,
            offered: (0, 0),
            busy: Time::ZERO,
            is_lossless: true,
            waits: None,
            queue: None,
        }
    }

    fn with(mut self, admission: AtArrival<P>) -> Self {
        self.queue.get_or_insert_default().admission = admission;
        self.is_lossless = false;
        self
    }

    /// Whether every packet is enqueued and arrives.
    #[must_use]
    pub fn is_lossless(&self) -> bool {
        self.is_lossless
    }

    /// Sends a packet at `now`, or drops it.
    #[inline]
    pub(super) fn send<E>(
        &mut self,
        now: Time,
        packet: &mut Packet<P>,
        watch: &mut impl Watch<P, E>,
    ) -> SendResult {
        let (bytes, before) = (packet.bytes, self.last_bytes);
        self.offered.0 += 1;
        self.offered.1 += u64::from(bytes);
        if self.last_bytes != bytes {
            (self.last_bytes, self.serialization) = (bytes, self.rate.time_for(u64::from(bytes)));
        }
        let sends_at_once = |queue: &mut Box<Queue<P>>| queue.sends_at_once(now, bytes);
        if self.busy_until > now || !(self.is_lossless || self.queue.as_mut().is_none_or(sends_at_once)) {
            return self.enqueue(now, packet, before, watch);
        }
        let arrives = self.transmit(now, packet.from);
        watch.tell(self.busy_until, Report::Link(LinkEvent::Crossing { packet, arrives }));
        SendResult::ArrivesAt(arrives)
    }

    /// Enqueues a packet that came after one of the length `before`, or drops it.
    fn enqueue<E>(
        &mut self,
        now: Time,
        packet: &mut Packet<P>,
        before: u32,
        watch: &mut impl Watch<P, E>,
    ) -> SendResult {
        let bytes = packet.bytes;
        let queue = self.queue.get_or_insert_default();
        queue.catch_up(now, self.is_lossless.then_some(before));
        match queue.admit(packet, self.busy_until, now) {
            Verdict::Enqueue => {}
            Verdict::Mark => {
                queue.marked += 1;
                watch.tell(now, Report::Link(LinkEvent::Marked(packet)));
            }
            Verdict::Drop(cause) => {
                queue.count_drop(bytes, cause);
                watch.tell(now, Report::Link(LinkEvent::Dropped(packet, cause)));
                return SendResult::Consumed;
            }
        }
        let waits = self.busy_until > now;
        if waits {
            queue.wait(self.busy_until, now, bytes);
            let (packets, begins) = (queue.waiting.len() as u64, Some(self.busy_until));
            watch.tell(now, Report::Link(LinkEvent::Queued { packets, begins }));
        } else {
            queue.transmitting = bytes;
        }
        let arrives = self.transmit(now, packet.from);
        if self.queue.as_mut().is_some_and(|queue| queue.loses(packet, self.busy_until)) {
            return SendResult::LostAt(self.busy_until);
        }
        watch.tell(self.busy_until, Report::Link(LinkEvent::Crossing { packet, arrives }));
        SendResult::ArrivesAt(arrives)
    }

    /// Sends a packet after all others; its serialization time is known. Returns when it arrives.
    #[inline]
    fn transmit(&mut self, now: Time, sender: HostId) -> Time {
        self.busy += self.serialization;
        self.busy_until = self.busy_until.max(now) + self.serialization;
        if self.waits.is_some() {
            self.record_wait(now, sender);
        }
        self.busy_until + self.delay
    }

    // Not inlined: few links measure waiting times.
    #[inline(never)]
    fn record_wait(&mut self, now: Time, sender: HostId) {
        if let Some(waits) = &mut self.waits {
            let starts = self.busy_until - self.serialization;
            waits.record_packet(starts, starts - now, sender);
        }
    }

    /// The wire loses a packet, as [`SendResult::LostAt`] said.
    pub(super) fn lose<E>(&mut self, now: Time, packet: &Packet<P>, watch: &mut impl Watch<P, E>) {
        let Some(queue) = &mut self.queue else { return };
        queue.lost += 1;
        let number = queue.losing.pop_front().expect("an impairment loses it");
        watch.tell(now, Report::Link(LinkEvent::Impaired { packet, number, fate: Fate::Lose }));
        watch.tell(now, Report::Link(LinkEvent::Dropped(packet, DropCause::Impairment)));
    }

    /// Totals up to `now`.
    pub fn counters(&mut self, now: Time) -> PacketCounters {
        let is_busy = self.busy_until > now;
        let mut empty = Queue::default();
        let queue = self.queue.as_deref_mut().unwrap_or(&mut empty);
        queue.catch_up(now, self.is_lossless.then_some(self.last_bytes));
        let transmitting = if is_busy { u64::from(queue.transmitting) } else { 0 };
        // The waiting times were counted to their ends, so the part after `now` is subtracted.
        let future = queue.waiting.iter().map(|packet| ((packet.starts - now).as_ps(), packet.bytes));
        let future = future.fold((0, 0), |sum, (ps, bytes)| {
            (sum.0 + u128::from(ps), sum.1 + u128::from(ps) * u128::from(bytes))
        });
        let unsent = queue.dropped.0 + queue.waiting.len() as u64 + u64::from(is_busy);
        PacketCounters {
            packets_offered: self.offered.0,
            bytes_offered: self.offered.1,
            packets_sent: self.offered.0 - unsent,
            bytes_sent: self.offered.1 - queue.dropped.1 - queue.waiting_bytes - transmitting,
            packets_dropped: queue.dropped.0,
            packets_dropped_early: queue.dropped_early,
            packets_lost: queue.lost,
            packets_duplicated: 0,
            packets_marked: queue.marked,
            busy: self.busy - self.busy_until.saturating_sub(now),
            max_queued_packets: queue.most.0,
            max_queued_bytes: queue.most.1,
            queued_packets_ps: queue.waits_ps.0 - future.0,
            queued_bytes_ps: queue.waits_ps.1 - future.1,
        }
    }
}

impl<P> Default for Queue<P> {
    /// That of a link without limits.
    fn default() -> Self {
        Self {
            admission: AtArrival::DropTail(DropTail::new(None, None)),
            impairments: Vec::new(),
            losing: VecDeque::new(),
            transmitting: 0,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            most: (0, 0),
            waits_ps: (0, 0),
            dropped: (0, 0),
            dropped_early: 0,
            lost: 0,
            marked: 0,
        }
    }
}

impl<P> Queue<P> {
    /// Dequeues the packets whose first bits were sent by `now`.
    #[inline]
    fn dequeue_until(&mut self, now: Time) {
        while let Some(&Waiting { starts, bytes }) = self.waiting.front() {
            if starts > now {
                break;
            }
            self.waiting.pop_front();
            self.waiting_bytes -= u64::from(bytes);
            self.transmitting = bytes;
        }
    }

    /// Brings the queue up to `now`. A lossless link does not do so for a packet that finds it idle: if nothing waits
    /// there, the packet being sent is the last that came, of `last` bytes.
    fn catch_up(&mut self, now: Time, last: Option<u32>) {
        self.dequeue_until(now);
        if let Some(last) = last.filter(|_| self.waiting.is_empty()) {
            self.transmitting = last;
        }
    }

    /// Whether a packet that finds the link idle is sent at once: no limit refuses it, no admission must decide,
    /// and no impairment may lose it.
    #[inline]
    fn sends_at_once(&mut self, now: Time, bytes: u32) -> bool {
        self.dequeue_until(now);
        let has_room = matches!(&self.admission, AtArrival::DropTail(limits) if limits.has_room(0, 0, bytes));
        let at_once = has_room && self.impairments.is_empty();
        if at_once {
            self.transmitting = bytes;
        }
        at_once
    }

    #[inline]
    fn admit(&mut self, packet: &mut Packet<P>, busy_until: Time, now: Time) -> Verdict {
        let idle_since = (busy_until <= now).then_some(busy_until);
        let backlog = Backlog { packets: self.waiting.len(), bytes: self.waiting_bytes, idle_since };
        match &mut self.admission {
            AtArrival::DropTail(limits) if limits.has_room(backlog.packets, backlog.bytes, packet.bytes) => {
                Verdict::Enqueue
            }
            AtArrival::DropTail(_) => Verdict::Drop(DropCause::QueueFull),
            AtArrival::Other(admission) => admission.admit(packet, backlog, now),
        }
    }

    fn wait(&mut self, starts: Time, now: Time, bytes: u32) {
        self.waiting.push_back(Waiting { starts, bytes });
        self.waiting_bytes += u64::from(bytes);
        let ps = u128::from((starts - now).as_ps());
        self.waits_ps.0 += ps;
        self.waits_ps.1 += ps * u128::from(bytes);
        self.most.0 = self.most.0.max(self.waiting.len() as u64);
        self.most.1 = self.most.1.max(self.waiting_bytes);
    }

    fn count_drop(&mut self, bytes: u32, cause: DropCause) {
        self.dropped.0 += 1;
        self.dropped.1 += u64::from(bytes);
        self.dropped_early += u64::from(cause == DropCause::QueueEarly);
    }

    /// Whether the wire loses a packet whose last bit is sent at `sent`.
    #[inline(always)]
    fn loses(&mut self, packet: &mut Packet<P>, sent: Time) -> bool {
        !self.impairments.is_empty() && self.is_lost(packet, sent)
    }

    #[inline(never)]
    fn is_lost(&mut self, packet: &mut Packet<P>, sent: Time) -> bool {
        let loses = |each: &mut Box<dyn Impairment<P>>| each.apply(packet, sent) == Fate::Lose;
        let first = self.impairments.iter_mut().position(loses);
        self.losing.extend(first);
        first.is_some()
    }
}

#[cfg(test)]
mod tests;
