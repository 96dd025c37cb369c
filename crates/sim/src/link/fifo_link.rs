//! A link whose packets leave in the order in which they came, and arrive in that order if they are not lost:
//! an admission, a transmitter, a line that loses packets.
//!
//! When such a packet comes, all that will become of it is known: it leaves when what came before it has
//! left. So the link keeps no packets, and there is no event between a packet's coming and its arrival, or
//! its loss on the line. It does what a [`super::PacketLink`] does with a [`crate::queue::Fifo`], which a test
//! shows; only it tells of a packet's departure when the packet comes.

use super::{DropCause, Fate, Impairment, LinkEvent, PacketCounters, SendResult};
use crate::packet::Packet;
use crate::queue::{Admission, DropTail, Verdict, Waiting};
use base::{Rate, Time};
use std::collections::VecDeque;

/// A link whose packets leave in the order in which they came, and arrive in that order if they are not lost.
pub struct FifoLink<P> {
    rate: Rate,
    delay: Time,
    /// When the last bit of all that came has left.
    free_at: Time,
    /// The last length for which the time to send it was computed, and that time.
    length: u32,
    takes: Time,
    /// Packets that came, and their bytes.
    offered: (u64, u64),
    /// Time to send all that was taken in.
    busy: Time,
    /// Whether everything that comes is taken in and arrives.
    loses_nothing: bool,
    /// What only a link has that drops or loses packets or was busy once, and most links of a large network
    /// are none of these.
    rest: Option<Box<Rest<P>>>,
}

/// Who may come in, what waits, what the line does, and what has become of the packets.
struct Rest<P> {
    entrance: Entrance<P>,
    /// They lose packets and do nothing else.
    impairments: Vec<Box<dyn Impairment<P>>>,
    /// Of the packets that have not left yet and will be lost, the number of the impairment that takes them.
    losing: VecDeque<usize>,
    /// Bytes of the packet that was sent last, or is being sent. If nothing waits, on a link that loses nothing it was
    /// the last that came, and this is not kept.
    sending: u32,
    waiting: VecDeque<Due>,
    bytes: u64,
    /// The most packets that were waiting, and the most bytes.
    most: (u64, u64),
    /// Of every packet and byte, how long it waits: to the end, even if that is yet to come.
    waits_ps: (u128, u128),
    /// Packets that were dropped, and their bytes.
    dropped: (u64, u64),
    dropped_early: u64,
    lost: u64,
    marked: u64,
}

/// A packet that waits: when its first bit leaves, and its length.
#[derive(Clone, Copy)]
struct Due {
    starts: Time,
    bytes: u32,
}

enum Entrance<P> {
    /// The most frequent one, without a detour.
    DropTail(DropTail),
    Other(Box<dyn Admission<P>>),
}

impl<P> FifoLink<P> {
    /// An empty link with limits of what may wait.
    #[must_use]
    pub fn drop_tail(rate: Rate, delay: Time, limits: DropTail) -> Self {
        let open = Self::open(rate, delay);
        if limits.are_never_reached() { open } else { open.with(Entrance::DropTail(limits)) }
    }

    /// An empty link with another admission.
    #[must_use]
    pub fn new(rate: Rate, delay: Time, admission: Box<dyn Admission<P>>) -> Self {
        Self::open(rate, delay).with(Entrance::Other(admission))
    }

    /// The link with a line that loses packets.
    ///
    /// # Panics
    /// If an impairment does anything else.
    #[must_use]
    pub fn with_impairments(mut self, impairments: Vec<Box<dyn Impairment<P>>>) -> Self {
        assert!(impairments.iter().all(|each| each.only_loses()), "the line does not double, delay or mark");
        if !impairments.is_empty() {
            self.rest.get_or_insert_default().impairments = impairments;
            self.loses_nothing = false;
        }
        self
    }

    fn open(rate: Rate, delay: Time) -> Self {
        Self {
            rate,
            delay,
            free_at: Time::ZERO,
            length: 0,
            takes: Time::ZERO,
            offered: (0, 0),
            busy: Time::ZERO,
            loses_nothing: true,
            rest: None,
        }
    }

    fn with(mut self, entrance: Entrance<P>) -> Self {
        self.rest.get_or_insert_default().entrance = entrance;
        self.loses_nothing = false;
        self
    }

    /// Whether everything that comes is taken in and arrives.
    #[must_use]
    pub fn loses_nothing(&self) -> bool {
        self.loses_nothing
    }

    /// Takes a packet at `now`, or drops it. When it will arrive, or be lost.
    #[inline]
    pub(super) fn send(
        &mut self,
        now: Time,
        packet: &mut Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) -> SendResult {
        let (bytes, before) = (packet.bytes, self.length);
        self.offered.0 += 1;
        self.offered.1 += u64::from(bytes);
        if self.length != bytes {
            (self.length, self.takes) = (bytes, self.rate.time_for(u64::from(bytes)));
        }
        let takes_alone = |rest: &mut Box<Rest<P>>| rest.takes_alone(now, bytes);
        if self.free_at > now || !(self.loses_nothing || self.rest.as_mut().is_none_or(takes_alone)) {
            return self.send_if_admitted(now, packet, before, watch);
        }
        let arrives = self.take(now);
        watch(now, LinkEvent::Queued { packets: 0 });
        watch(self.free_at, LinkEvent::Crossing { packet, arrives });
        SendResult::ArrivesAt(arrives)
    }

    /// Of a packet that came after one of the length `before`.
    fn send_if_admitted(
        &mut self,
        now: Time,
        packet: &mut Packet<P>,
        before: u32,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) -> SendResult {
        let bytes = packet.bytes;
        let rest = self.rest.get_or_insert_default();
        rest.catch_up(now, self.loses_nothing.then_some(before));
        match rest.admit(packet, self.free_at, now) {
            Verdict::Take => {}
            Verdict::Mark => {
                rest.marked += 1;
                watch(now, LinkEvent::Marked);
            }
            Verdict::Drop(cause) => {
                rest.count_drop(bytes, cause);
                watch(now, LinkEvent::Dropped(packet, cause));
                return SendResult::Consumed;
            }
        }
        if self.free_at > now {
            rest.wait(self.free_at, now, bytes);
        } else {
            rest.sending = bytes;
        }
        watch(now, LinkEvent::Queued { packets: rest.waiting.len() as u64 });
        let arrives = self.take(now);
        if self.rest.as_mut().is_some_and(|rest| rest.loses(packet, self.free_at)) {
            return SendResult::LostAt(self.free_at);
        }
        watch(self.free_at, LinkEvent::Crossing { packet, arrives });
        SendResult::ArrivesAt(arrives)
    }

    /// Takes in a packet whose time to be sent is known. When it would arrive.
    #[inline]
    fn take(&mut self, now: Time) -> Time {
        self.busy += self.takes;
        self.free_at = self.free_at.max(now) + self.takes;
        self.free_at + self.delay
    }

    /// A packet that was said to be lost at `now` is lost.
    pub(super) fn lose(
        &mut self,
        now: Time,
        packet: &Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) {
        let Some(rest) = &mut self.rest else { return };
        rest.lost += 1;
        let number = rest.losing.pop_front().expect("an impairment takes it");
        watch(now, LinkEvent::Impaired { number, fate: Fate::Lose });
        watch(now, LinkEvent::Dropped(packet, DropCause::Impairment));
    }

    /// Totals up to `now`.
    pub fn counters(&mut self, now: Time) -> PacketCounters {
        let is_sending = self.free_at > now;
        let mut none = Rest::default();
        let rest = self.rest.as_deref_mut().unwrap_or(&mut none);
        rest.catch_up(now, self.loses_nothing.then_some(self.length));
        // What is yet to come has been counted.
        let sending = if is_sending { u64::from(rest.sending) } else { 0 };
        let yet = rest.waiting.iter().map(|due| ((due.starts - now).as_ps(), due.bytes));
        let yet = yet.fold((0, 0), |sum, (ps, bytes)| {
            (sum.0 + u128::from(ps), sum.1 + u128::from(ps) * u128::from(bytes))
        });
        let unsent = rest.dropped.0 + rest.waiting.len() as u64 + u64::from(is_sending);
        PacketCounters {
            packets_offered: self.offered.0,
            bytes_offered: self.offered.1,
            packets_sent: self.offered.0 - unsent,
            bytes_sent: self.offered.1 - rest.dropped.1 - rest.bytes - sending,
            packets_dropped: rest.dropped.0,
            packets_dropped_early: rest.dropped_early,
            packets_lost: rest.lost,
            packets_duplicated: 0,
            packets_marked: rest.marked,
            busy: self.busy - self.free_at.saturating_sub(now),
            max_queued_packets: rest.most.0,
            max_queued_bytes: rest.most.1,
            queued_packets_ps: rest.waits_ps.0 - yet.0,
            queued_bytes_ps: rest.waits_ps.1 - yet.1,
        }
    }
}

impl<P> Default for Rest<P> {
    /// That of a link without limits.
    fn default() -> Self {
        Self {
            entrance: Entrance::DropTail(DropTail::new(None, None)),
            impairments: Vec::new(),
            losing: VecDeque::new(),
            sending: 0,
            waiting: VecDeque::new(),
            bytes: 0,
            most: (0, 0),
            waits_ps: (0, 0),
            dropped: (0, 0),
            dropped_early: 0,
            lost: 0,
            marked: 0,
        }
    }
}

impl<P> Rest<P> {
    /// What has begun to leave by `now` waits no longer.
    #[inline]
    fn settle(&mut self, now: Time) {
        while let Some(&Due { starts, bytes }) = self.waiting.front() {
            if starts > now {
                break;
            }
            self.waiting.pop_front();
            self.bytes -= u64::from(bytes);
            self.sending = bytes;
        }
    }

    /// Settles, also on a link that loses nothing and does not do so for a packet that finds it idle: if nothing waits there,
    /// what came last, of so many bytes, is what is being sent.
    fn catch_up(&mut self, now: Time, last: Option<u32>) {
        self.settle(now);
        if let Some(last) = last.filter(|_| self.waiting.is_empty()) {
            self.sending = last;
        }
    }

    /// Takes in a packet that finds the link idle, unless there is a limit that refuses it, an admission to be asked, or an
    /// impairment. False if so.
    #[inline]
    fn takes_alone(&mut self, now: Time, bytes: u32) -> bool {
        self.settle(now);
        let nothing = Waiting { packets: 0, bytes: 0, idle_since: None };
        let has_room =
            matches!(&self.entrance, Entrance::DropTail(limits) if limits.has_room(nothing, bytes));
        let takes = has_room && self.impairments.is_empty();
        if takes {
            self.sending = bytes;
        }
        takes
    }

    #[inline]
    fn admit(&mut self, packet: &mut Packet<P>, free_at: Time, now: Time) -> Verdict {
        let idle_since = (free_at <= now).then_some(free_at);
        let waiting = Waiting { packets: self.waiting.len(), bytes: self.bytes, idle_since };
        match &mut self.entrance {
            Entrance::DropTail(limits) if limits.has_room(waiting, packet.bytes) => Verdict::Take,
            Entrance::DropTail(_) => Verdict::Drop(DropCause::QueueFull),
            Entrance::Other(admission) => admission.admit(packet, waiting, now),
        }
    }

    fn wait(&mut self, starts: Time, now: Time, bytes: u32) {
        self.waiting.push_back(Due { starts, bytes });
        self.bytes += u64::from(bytes);
        let ps = u128::from((starts - now).as_ps());
        self.waits_ps.0 += ps;
        self.waits_ps.1 += ps * u128::from(bytes);
        self.most.0 = self.most.0.max(self.waiting.len() as u64);
        self.most.1 = self.most.1.max(self.bytes);
    }

    fn count_drop(&mut self, bytes: u32, cause: DropCause) {
        self.dropped.0 += 1;
        self.dropped.1 += u64::from(bytes);
        self.dropped_early += u64::from(cause == DropCause::QueueEarly);
    }

    /// Whether an impairment takes a packet whose last bit leaves at `sent`: the first one that does.
    #[inline(always)]
    fn loses(&mut self, packet: &mut Packet<P>, sent: Time) -> bool {
        !self.impairments.is_empty() && self.is_taken(packet, sent)
    }

    #[inline(never)]
    fn is_taken(&mut self, packet: &mut Packet<P>, sent: Time) -> bool {
        let takes = |each: &mut Box<dyn Impairment<P>>| each.apply(packet, sent) == Fate::Lose;
        let taker = self.impairments.iter_mut().position(takes);
        self.losing.extend(taker);
        taker.is_some()
    }
}

#[cfg(test)]
mod tests;
