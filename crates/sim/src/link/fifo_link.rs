//! A link whose packets leave in the order in which they came, and arrive unharmed: an admission, a
//! transmitter, a line.
//!
//! When such a packet comes, all that will become of it is known: it leaves when what came before it has
//! left. So the link keeps no packets, and there is no event between a packet's coming and its arrival. It
//! does what a [`super::PacketLink`] does with a [`crate::queue::Fifo`] and no impairments, which a test
//! shows; only it tells of a packet's departure when the packet comes.

use super::{DropCause, LinkEvent, PacketCounters};
use crate::packet::Packet;
use crate::queue::{Admission, DropTail, Verdict, Waiting};
use crate::time::{Rate, Time};
use std::collections::VecDeque;

/// A link whose packets leave in the order in which they came, and arrive unharmed.
pub struct FifoLink<P> {
    rate: Rate,
    delay: Time,
    /// When the last bit of all that came has left.
    free_at: Time,
    /// The last length for which the time to send it was computed, and that time.
    length: u32,
    takes: Time,
    entrance: Entrance<P>,
    /// Packets that came, and their bytes.
    offered: (u64, u64),
    /// Time to send all that was taken in.
    busy: Time,
    /// Bytes of the packet that was sent last, or is being sent.
    sending: u32,
    /// What only a link that was busy once has, and most links of a large network are not.
    queue: Option<Box<Queue>>,
}

/// What waits, and what has become of those that waited.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<Due>,
    bytes: u64,
    /// The most packets that were waiting, and the most bytes.
    most: (u64, u64),
    /// Of every packet and byte, how long it waits: to the end, even if that is yet to come.
    waits_ps: (u128, u128),
    /// Packets that were dropped, and their bytes.
    dropped: (u64, u64),
    dropped_early: u64,
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
        Self::with(rate, delay, Entrance::DropTail(limits))
    }

    /// An empty link with another admission.
    #[must_use]
    pub fn new(rate: Rate, delay: Time, admission: Box<dyn Admission<P>>) -> Self {
        Self::with(rate, delay, Entrance::Other(admission))
    }

    fn with(rate: Rate, delay: Time, entrance: Entrance<P>) -> Self {
        Self {
            rate,
            delay,
            free_at: Time::ZERO,
            length: 0,
            takes: Time::ZERO,
            entrance,
            offered: (0, 0),
            busy: Time::ZERO,
            sending: 0,
            queue: None,
        }
    }

    /// Whether it takes in everything that comes.
    #[must_use]
    pub fn never_drops(&self) -> bool {
        matches!(&self.entrance, Entrance::DropTail(limits) if limits.are_never_reached())
    }

    /// Takes a packet at `now`, or drops it. When it will arrive.
    #[inline]
    pub(super) fn send(
        &mut self,
        now: Time,
        packet: &mut Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) -> Option<Time> {
        let bytes = packet.bytes;
        self.offered.0 += 1;
        self.offered.1 += u64::from(bytes);
        if self.length != bytes {
            (self.length, self.takes) = (bytes, self.rate.time_for(u64::from(bytes)));
        }
        self.settle(now);
        if self.free_at > now || !self.takes_alone(bytes) {
            return self.send_if_admitted(now, packet, watch);
        }
        self.sending = bytes;
        Some(self.take(now, packet, watch))
    }

    /// Whether a packet that finds the link idle is taken in, whatever else is.
    #[inline]
    fn takes_alone(&self, bytes: u32) -> bool {
        let nothing = Waiting { packets: 0, bytes: 0, idle_since: None };
        matches!(&self.entrance, Entrance::DropTail(limits) if limits.has_room(nothing, bytes))
    }

    fn send_if_admitted(
        &mut self,
        now: Time,
        packet: &mut Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) -> Option<Time> {
        let bytes = packet.bytes;
        match self.admit(packet, now) {
            Verdict::Take => {}
            Verdict::Mark => {
                self.queue.get_or_insert_default().marked += 1;
                watch(now, LinkEvent::Marked);
            }
            Verdict::Drop(cause) => {
                self.queue.get_or_insert_default().count_drop(bytes, cause);
                watch(now, LinkEvent::Dropped(packet, cause));
                return None;
            }
        }
        if self.free_at > now {
            self.queue.get_or_insert_default().wait(self.free_at, now, bytes);
        } else {
            self.sending = bytes;
        }
        Some(self.take(now, packet, watch))
    }

    /// Takes in a packet whose time to be sent is known. When it will arrive.
    #[inline]
    fn take(
        &mut self,
        now: Time,
        packet: &Packet<P>,
        watch: &mut impl FnMut(Time, LinkEvent<'_, P>),
    ) -> Time {
        let starts = self.free_at.max(now);
        self.busy += self.takes;
        self.free_at = starts + self.takes;
        let arrives = self.free_at + self.delay;
        watch(now, LinkEvent::Queued { packets: self.waiting(now).packets as u64 });
        watch(self.free_at, LinkEvent::Crossing { packet, arrives });
        arrives
    }

    #[inline]
    fn admit(&mut self, packet: &mut Packet<P>, now: Time) -> Verdict {
        let waiting = self.waiting(now);
        match &mut self.entrance {
            Entrance::DropTail(limits) if limits.has_room(waiting, packet.bytes) => Verdict::Take,
            Entrance::DropTail(_) => Verdict::Drop(DropCause::QueueFull),
            Entrance::Other(admission) => admission.admit(packet, waiting, now),
        }
    }

    /// What waits, once all is settled.
    #[inline]
    fn waiting(&self, now: Time) -> Waiting {
        let idle_since = (self.free_at <= now).then_some(self.free_at);
        let (packets, bytes) = self.queue.as_ref().map_or((0, 0), |queue| (queue.waiting.len(), queue.bytes));
        Waiting { packets, bytes, idle_since }
    }

    /// What has begun to leave by `now` waits no longer.
    #[inline]
    fn settle(&mut self, now: Time) {
        let Some(queue) = &mut self.queue else { return };
        while let Some(&Due { starts, bytes }) = queue.waiting.front() {
            if starts > now {
                break;
            }
            queue.waiting.pop_front();
            queue.bytes -= u64::from(bytes);
            self.sending = bytes;
        }
    }

    /// Totals up to `now`.
    pub fn counters(&mut self, now: Time) -> PacketCounters {
        self.settle(now);
        let none = Queue::default();
        let queue = self.queue.as_deref().unwrap_or(&none);
        // What is yet to come has been counted.
        let is_sending = self.free_at > now;
        let sending = if is_sending { u64::from(self.sending) } else { 0 };
        let rest = queue.waiting.iter().map(|due| ((due.starts - now).as_ps(), due.bytes));
        let rest = rest.fold((0, 0), |sum, (ps, bytes)| {
            (sum.0 + u128::from(ps), sum.1 + u128::from(ps) * u128::from(bytes))
        });
        let unsent = queue.dropped.0 + queue.waiting.len() as u64 + u64::from(is_sending);
        PacketCounters {
            packets_offered: self.offered.0,
            bytes_offered: self.offered.1,
            packets_sent: self.offered.0 - unsent,
            bytes_sent: self.offered.1 - queue.dropped.1 - queue.bytes - sending,
            packets_dropped: queue.dropped.0,
            packets_dropped_early: queue.dropped_early,
            packets_lost: 0,
            packets_duplicated: 0,
            packets_marked: queue.marked,
            busy: self.busy - self.free_at.saturating_sub(now),
            max_queued_packets: queue.most.0,
            max_queued_bytes: queue.most.1,
            queued_packets_ps: queue.waits_ps.0 - rest.0,
            queued_bytes_ps: queue.waits_ps.1 - rest.1,
        }
    }
}

impl Queue {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::{Link, PacketLink};
    use crate::packet::HostId;
    use crate::queue::{Fifo, Red, RedConfig};
    use crate::rng::Streams;
    use proptest::prelude::*;

    fn red(seed: u64, limit: usize, adaptive: bool) -> Red<bool> {
        let config = RedConfig {
            min_thresh: 2.0,
            max_thresh: 6.0,
            max_p: 0.2,
            weight: 0.2,
            gentle: true,
            adaptive,
            mean_packet: Time::from_us(800),
        };
        let rng = Streams::new(seed).named("queue/0");
        Red::new(config, DropTail::new(Some(limit), None), |capable| *capable, rng)
    }

    /// What a link has told: losses and marks, by the number of the packet.
    type Told = Vec<(u64, Option<DropCause>)>;

    struct Run {
        link: Link<bool>,
        told: Told,
        arrivals: Vec<(Time, Packet<bool>)>,
    }

    impl Run {
        fn send(&mut self, number: u64, now: Time, mut packet: Packet<bool>) {
            let told = &mut self.told;
            let mut watch = |_, event: LinkEvent<'_, bool>| match event {
                LinkEvent::Dropped(_, cause) => told.push((number, Some(cause))),
                LinkEvent::Marked => told.push((number, None)),
                _ => {}
            };
            if let Some(at) = self.link.send(now, &mut packet, &mut watch) {
                self.arrivals.push((at, packet));
            }
        }

        fn receive(&mut self, now: Time) {
            while self.link.next_event() <= now {
                let at = self.link.next_event();
                self.link.advance(at, &mut |_, _| {});
                while let Some(packet) = self.link.receive(at) {
                    self.arrivals.push((at, packet));
                }
            }
            self.link.advance(now, &mut |_, _| {});
        }
    }

    proptest! {
        /// The same arrivals, losses, marks and totals as a link that keeps its packets.
        #[test]
        fn does_what_a_packet_link_does(
            steps in prop::collection::vec((0u64..2_000, 40u32..1500, any::<bool>(), any::<bool>()), 1..200),
            limits in (prop::option::of(0usize..12), prop::option::of(1500u64..9000)),
            discipline in 0u8..3,
            seed: u64,
        ) {
            let (rate, delay) = (Rate::from_bps(8_000_000), Time::from_ms(3));
            let drop_tail = DropTail::new(limits.0, limits.1);
            let admission = |adaptive| -> Box<dyn Admission<bool>> { Box::new(red(seed, 9, adaptive)) };
            let (plain, fast): (Box<dyn Admission<bool>>, _) = match discipline {
                0 => (Box::new(drop_tail), FifoLink::drop_tail(rate, delay, drop_tail)),
                _ => {
                    let adaptive = discipline == 1;
                    (admission(adaptive), FifoLink::new(rate, delay, admission(adaptive)))
                }
            };
            let plain = PacketLink::new(rate, delay, Box::new(Fifo::new(plain)), vec![]);
            let links = [Link::Packets(Box::new(plain)), Link::Fifo(fast)];
            let mut runs = links.map(|link| Run { link, told: Vec::new(), arrivals: Vec::new() });
            let mut now = Time::ZERO;
            for (number, (us, bytes, payload, asks)) in (0..).zip(steps) {
                now += Time::from_us(us);
                let packet = Packet { from: HostId(0), to: HostId(1), bytes, payload };
                for run in &mut runs {
                    run.receive(now);
                    run.send(number, now, packet.clone());
                }
                // Whether anybody has asked in the meantime changes nothing.
                if asks {
                    let [plain, fast] = runs.each_mut().map(|run| run.link.packet_counters(now));
                    prop_assert_eq!(plain, fast);
                }
            }
            now += Time::from_secs(1);
            runs.iter_mut().for_each(|run| run.receive(now));
            let [plain, fast] = &mut runs;
            prop_assert_eq!(&plain.arrivals, &fast.arrivals);
            prop_assert_eq!(&plain.told, &fast.told);
            prop_assert_eq!(plain.link.packet_counters(now), fast.link.packet_counters(now));
        }
    }
}
