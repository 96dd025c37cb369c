//! COBALT: CoDel against flows that respond to signals, and BLUE against those that do not.
//!
//! Source: Linux 6, net/sched/sch_cake.c (`cobalt_queue_full`, `cobalt_queue_empty`, `cobalt_should_drop`, `cake_set_rate`);
//! Hoiland-Jorgensen, Taht and Morton 2018, "Piece of CAKE"; Palmei et al. 2019, "Design and Evaluation of COBALT Queue
//! Discipline". It comes from CoDel (RFC 8289) and BLUE (Feng et al. 2002).
//!
//! A sojourn time above `target` begins the dropping state, and one that is not ends it. A signal is due `interval` /
//! sqrt(count) after the state has begun, and again after each signal. `count` is at least 1, and grows by one with each
//! signal. When one would be due but the state has ended, `count` falls by one instead, in steps of the same law, so that it
//! is forgotten as slowly as it was learned. A signal is a mark if the packet can be marked, and else a drop. BLUE drops each
//! packet with a probability that grows by 1/256 when the queue overflows and falls by 1/4096 when it is found empty, at
//! most once per `target`; BLUE never marks. The last packet of a queue is not dropped by either.
//!
//! Deviations and choices:
//! - A queue that overflows drops at its head until the packet that comes has room, as CAKE does with the fattest queue. In
//!   ns-3 that packet is dropped.
//! - Linux keeps 1 / sqrt(count) as a fraction that is 0 until `count` changes for the first time. So a queue that exceeds
//!   `target` for the first time gets its first signal with the next packet, and not an `interval` later. It is the same here;
//!   in ns-3 the fraction is 1.
//! - The same happens, as in Linux, if the first packet after a longer pause than `interval` exceeds `target` at once.
//! - The square root is exact and from integers. Linux uses a table up to 16, and one step of Newton's method from there.
//! - BLUE may change from the start of the run on. In Linux it may not before `target` after the start of the machine.
//! - The longest packet by which a slow link raises `target` has 1514 bytes, an Ethernet frame: that of Linux by default.
//! - The rule by which `target` grows with the number of flows is for the ingress of CAKE, which is left out.
//! - `ecn` can be turned off; CAKE cannot do so.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | target | ps, raised to the time of 1.5 longest packets | 5 ms |
//! | interval | ps, raised as much as target, and to 2 targets | 100 ms |
//! | ecn | yes or no | yes |
//! | limits | as of drop-tail | 10,240 packets |

use super::codel::{self, INTERVAL, TARGET, over_square_root};
use super::{
    Discipline, DropTail, LONGEST_FRAME, Make, PacketBuffer, Parameter, QueueDiscipline, Queued, Setting,
    Sink,
};
use crate::link::DropCause;
use crate::packet::Packet;
use base::{Rate, Time};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

#[cfg(test)]
pub(super) mod tests;

/// What BLUE adds at an overflow, and what it takes off when the queue is empty, of 2^32.
const INCREASE: u32 = 1 << 24;
const DECREASE: u32 = 1 << 20;
/// Longest packets that a queue may always hold, however long they take.
const ALLOWED: u64 = 4;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "cobalt",
        title: "COBALT",
        summary: "Marks or drops as CoDel does, and drops at random as BLUE does after overflows (Linux, sch_cake).",
        parameters: PARAMETERS,
        limit: Some(10_240),
        is_random: true,
        check,
        make: Make::Queue(make),
    }
}

const PARAMETERS: &[Parameter] = &[TARGET, INTERVAL, Parameter::ecn(true)];

fn check(values: &[u64]) -> Option<&'static str> {
    let &[target, interval, _] = values else { return None };
    codel::check_times(target, interval)
}

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    let &[target, interval, ecn] = values else { unreachable!("there is a value for each parameter") };
    let (target, interval) = (Time::from_ps(target), Time::from_ps(interval));
    Box::new(Cobalt {
        config: Config::new(Some(setting.rate), target, interval, setting.mark_if(ecn == 1)),
        limits: setting.limits,
        buffer: PacketBuffer::new(),
        controller: Controller::NEW,
        rng: setting.rng.clone(),
    })
}

/// The parameters of a controller.
pub(super) struct Config<P> {
    target: Time,
    interval: Time,
    /// A sojourn time up to this is allowed, even if it is above `target`.
    allowed: Time,
    mark: fn(&mut P) -> bool,
}

impl<P> Config<P> {
    /// With times that suit a link of this rate; none if the rate is not known.
    pub(super) fn new(rate: Option<Rate>, target: Time, interval: Time, mark: fn(&mut P) -> bool) -> Self {
        let longest = rate.map_or(Time::ZERO, |rate| rate.time_for(LONGEST_FRAME));
        let raised = target.max(Time::from_ps(longest.as_ps() * 3 / 2));
        let interval = (interval + (raised - target)).max(raised * 2);
        Self { target: raised, interval, allowed: longest * ALLOWED, mark }
    }
}

/// The state of a controller: one a queue, or one a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Controller {
    /// Whether sojourn times are above `target`.
    dropping: bool,
    /// Signals, less those that have been forgotten.
    count: u32,
    /// `interval` / sqrt(count); zero before it is first needed.
    spacing: Time,
    /// When the next signal is due, or the next one is forgotten. If `count` is zero: until when the queue counts as active.
    drop_next: Time,
    /// The probability of BLUE, of 2^32.
    probability: u32,
    /// When it last changed.
    changed: Option<Time>,
}

/// What becomes of a packet at the head.
#[derive(Clone, Copy, Debug, Default)]
struct Decision {
    marked: bool,
    drop: bool,
}

impl Controller {
    pub(super) const NEW: Self = Self {
        dropping: false,
        count: 0,
        spacing: Time::ZERO,
        drop_next: Time::ZERO,
        probability: 0,
        changed: None,
    };

    /// The queue has lost a packet because it was full.
    pub(super) fn queue_full<P>(&mut self, config: &Config<P>, now: Time) {
        if self.may_change(config, now) {
            self.probability = self.probability.saturating_add(INCREASE);
            self.changed = Some(now);
        }
        (self.dropping, self.drop_next) = (true, now);
        self.count = self.count.max(1);
    }

    /// It was the turn of the queue, and it was empty.
    pub(super) fn queue_empty<P>(&mut self, config: &Config<P>, now: Time) {
        if self.probability > 0 && self.may_change(config, now) {
            self.probability = self.probability.saturating_sub(DECREASE);
            self.changed = Some(now);
        }
        self.dropping = false;
        if self.is_due(now) {
            self.count -= 1;
            self.schedule_after_last(config);
        }
    }

    /// Whether an empty queue has nothing left to forget.
    pub(super) fn is_at_rest(&self, now: Time) -> bool {
        self.probability == 0 && self.count == 0 && now >= self.drop_next
    }

    /// The next packet to send from this buffer.
    pub(super) fn dequeue<P>(
        &mut self,
        config: &Config<P>,
        buffer: &mut PacketBuffer<P>,
        now: Time,
        (rng, sink): (&mut ChaCha8Rng, &mut dyn Sink<P>),
    ) -> Option<Queued<P>> {
        while let Some(mut head) = buffer.dequeue() {
            let decision = self.should_drop(config, &mut head, now, rng);
            if decision.drop && buffer.packets() > 0 {
                sink.dropped(&head.packet, DropCause::QueueEarly);
                continue;
            }
            if decision.marked {
                sink.marked(&head.packet);
            }
            return Some(head);
        }
        self.queue_empty(config, now);
        None
    }

    fn should_drop<P>(
        &mut self,
        config: &Config<P>,
        head: &mut Queued<P>,
        now: Time,
        rng: &mut ChaCha8Rng,
    ) -> Decision {
        let mut decision = Decision::default();
        let mut is_overdue = now > self.drop_next;
        let is_due = self.is_due(now);
        self.compare(config, now - head.since, now);
        if is_due && self.dropping {
            decision.marked = (config.mark)(&mut head.packet.payload);
            decision.drop = !decision.marked;
            self.count = self.count.saturating_add(1);
            self.schedule_after_last(config);
            is_overdue = now > self.drop_next;
        } else if is_due {
            // No more steps than there have been signals.
            while self.is_due(now) {
                self.count -= 1;
                self.schedule_after_last(config);
            }
            is_overdue = now > self.drop_next;
        }
        if self.probability > 0 && !decision.drop {
            decision.drop = rng.next_u32() < self.probability;
        }
        if self.count == 0 {
            self.drop_next = now.saturating_add(config.interval);
        } else if is_overdue && !decision.drop {
            self.drop_next = now;
        }
        decision
    }

    /// Begins or ends the dropping state.
    fn compare<P>(&mut self, config: &Config<P>, sojourn: Time, now: Time) {
        let is_above = sojourn > config.target && sojourn > config.allowed;
        if is_above {
            if !self.dropping {
                self.drop_next = now.saturating_add(self.spacing);
            }
            self.count = self.count.max(1);
        }
        self.dropping = is_above;
    }

    fn is_due(&self, now: Time) -> bool {
        self.count > 0 && now >= self.drop_next
    }

    fn may_change<P>(&self, config: &Config<P>, now: Time) -> bool {
        self.changed.is_none_or(|changed| now - changed > config.target)
    }

    fn schedule_after_last<P>(&mut self, config: &Config<P>) {
        self.spacing = over_square_root(config.interval, self.count);
        self.drop_next = self.drop_next.saturating_add(self.spacing);
    }
}

/// A queue with CoDel and BLUE.
struct Cobalt<P> {
    config: Config<P>,
    limits: DropTail,
    buffer: PacketBuffer<P>,
    controller: Controller,
    rng: ChaCha8Rng,
}

impl<P: Send> QueueDiscipline<P> for Cobalt<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        while !self.limits.has_room(self.buffer.packets(), self.buffer.bytes(), packet.bytes) {
            self.controller.queue_full(&self.config, now);
            let Some(oldest) = self.buffer.dequeue() else {
                return sink.dropped(&packet, DropCause::QueueFull);
            };
            sink.dropped(&oldest.packet, DropCause::QueueFull);
        }
        self.buffer.enqueue(packet, now);
    }

    fn dequeue(&mut self, now: Time, sink: &mut dyn Sink<P>) -> Option<Queued<P>> {
        self.controller.dequeue(&self.config, &mut self.buffer, now, (&mut self.rng, sink))
    }

    fn len_packets(&self) -> usize {
        self.buffer.packets()
    }

    fn len_bytes(&self) -> u64 {
        self.buffer.bytes()
    }
}
