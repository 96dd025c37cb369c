//! Whether and when an ACK is owed.
//!
//! Source: RFC 5681 section 4.2: every second segment, within a time, and at once for anything
//! out of order. The first ACKs of a connection need not wait ("quick ACKs", as present-day stacks
//! have them, so that the peer's slow start is not held up); that ends when this end answers with
//! data of its own, which can carry ACKs, and begins anew when it then makes the peer wait. A FIN
//! is acknowledged at once (RFC 9293, section 3.10.7.4): no second segment comes that its ACK could
//! wait for.
//!
//! Three variants, each off in every preset. An ACK may wait for any number of segments; for more than
//! two it is a "stretch ACK" (RFC 2525, section 2.13). Segments within the first so many bytes may be
//! acknowledged at once, and again within as many after the last one that came out of order or filled
//! a gap: the TCP of RFC 2415, with 16 KiB. The timer may run freely, so that a segment waits for what
//! is left of its period, a half of it on average: 4.4BSD (Stevens, TCP/IP Illustrated 2, chapter 25).
//!
//! Deviation: in the TCP of RFC 2415 an ACK waits for the bytes of so many full segments; here small
//! segments count like full ones.
//!
//! | parameter | unit |
//! |---|---|
//! | delayed ACK | time above 0: the longest wait, or the free-running timer's period; none: no wait |
//! | ACK every | segments |
//! | quick ACKs | how many |
//! | quick bytes | bytes |

use crate::options::{AckTimer, Options};
use crate::rtt::TickClock;
use crate::timers::{Timer, Timers};
use base::Time;

/// What is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owed {
    Nothing,
    /// When the timer of delayed ACKs runs out.
    Later,
    Now,
}

/// Whether and when an ACK is owed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckPolicy {
    owed: Owed,
    /// When the free-running timer has ticked or will, if it is one.
    phase: Time,
    /// Segments since the last ACK.
    waiting: u32,
    /// Quick ACKs that are left.
    quick: u32,
    /// Bytes yet to come that are acknowledged at once.
    quick_bytes_left: u64,
    /// Whether this end answers what comes with data.
    interactive: bool,
    /// [`Time::NEVER`] if nothing has come.
    last_arrival: Time,
}

/// The period of the free-running timer, if it is one.
fn free_running(options: &Options) -> Option<Time> {
    options.delayed_ack.filter(|_| options.ack_timer == AckTimer::FreeRunning)
}

impl AckPolicy {
    /// A free-running timer has the phase of `clock`.
    pub(crate) fn new(options: &Options, clock: TickClock) -> Self {
        let phase = match free_running(options) {
            Some(tick) => Time::from_ps(clock.phase.as_ps() % tick.as_ps()),
            None => Time::ZERO,
        };
        Self {
            owed: Owed::Nothing,
            phase,
            waiting: 0,
            quick: options.quick_acks,
            quick_bytes_left: options.quick_ack_bytes,
            interactive: false,
            last_arrival: Time::NEVER,
        }
    }

    /// Lets a free-running timer count from `now`.
    pub(crate) fn start_clock(&mut self, options: &Options, now: Time) {
        if let Some(tick) = free_running(options) {
            self.phase = now + tick;
        }
    }

    /// Something is missing, or was until now: what follows does not wait. `on_data` comes next.
    pub(crate) fn on_gap(&mut self, options: &Options) {
        self.quick_bytes_left = options.quick_ack_bytes;
    }

    /// So many bytes came, the next in order with nothing missing or not.
    pub(crate) fn on_data(
        &mut self,
        options: &Options,
        timers: &mut Timers,
        now: Time,
        (bytes, in_order): (u32, bool),
    ) {
        self.last_arrival = now;
        self.waiting += 1;
        let may_wait = in_order && self.waiting < options.ack_every && !self.is_quick(u64::from(bytes));
        if in_order {
            self.quick_bytes_left = self.quick_bytes_left.saturating_sub(u64::from(bytes));
        }
        match (options.delayed_ack, self.owed) {
            (Some(delay), Owed::Nothing) if may_wait => {
                self.owed = Owed::Later;
                timers.set(Timer::DelayedAck, self.deadline(options, now, delay));
            }
            (Some(_), Owed::Later) if may_wait => {}
            _ => self.acknowledge_now(timers),
        }
    }

    fn is_quick(&self, bytes: u64) -> bool {
        let early = self.quick_bytes_left > 0 && bytes <= self.quick_bytes_left;
        early || (self.quick > 0 && !self.interactive)
    }

    /// When an ACK goes out at the latest that begins to wait now.
    fn deadline(&self, options: &Options, now: Time, delay: Time) -> Time {
        free_running(options).map_or(now + delay, |tick| TickClock { tick, phase: self.phase }.after(now, 1))
    }

    pub(crate) fn acknowledge_now(&mut self, timers: &mut Timers) {
        self.owed = Owed::Now;
        timers.stop(Timer::DelayedAck);
    }

    /// A segment with an ACK is sent.
    pub(crate) fn on_ack_sent(&mut self, timers: &mut Timers) {
        if self.owed != Owed::Nothing {
            self.quick = self.quick.saturating_sub(1);
        }
        self.forget(timers);
    }

    /// A segment with data is sent.
    pub(crate) fn on_data_sent(&mut self, options: &Options, now: Time) {
        let recent = |then: Time| options.delayed_ack.is_some_and(|delay| now < then + delay);
        self.interactive |= self.last_arrival.if_ever().is_some_and(recent);
    }

    /// The timer of delayed ACKs has run out.
    pub(crate) fn on_timer(&mut self) {
        self.owed = Owed::Now;
        self.interactive = false;
    }

    pub(crate) fn is_due(&self) -> bool {
        self.owed == Owed::Now
    }

    /// Whether something waits for its ACK.
    pub(crate) fn is_owed(&self) -> bool {
        self.owed != Owed::Nothing
    }

    pub(crate) fn forget(&mut self, timers: &mut Timers) {
        self.owed = Owed::Nothing;
        self.waiting = 0;
        timers.stop(Timer::DelayedAck);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CLOCK: TickClock = TickClock { tick: Time::from_ms(100), phase: Time::from_ms(30) };

    fn ms(ms: u64) -> Time {
        Time::from_ms(ms)
    }

    fn options() -> Options {
        Options::CLASSIC
    }

    /// A policy with its options and its timer.
    struct Acks(AckPolicy, Options, Timers);

    impl Acks {
        fn new(options: Options, clock: TickClock) -> Self {
            Self(AckPolicy::new(&options, clock), options, Timers::default())
        }

        fn on_data(&mut self, now: Time, bytes: u32, in_order: bool) {
            self.0.on_data(&self.1, &mut self.2, now, (bytes, in_order));
        }

        fn on_ack_sent(&mut self) {
            self.0.on_ack_sent(&mut self.2);
        }

        fn on_timer(&mut self, now: Time) {
            if self.2.take_due(Timer::DelayedAck, now) {
                self.0.on_timer();
            }
        }

        fn next_timer(&self) -> Time {
            self.2.next()
        }

        fn is_due(&self) -> bool {
            self.0.is_due()
        }
    }

    fn policy(quick_acks: u32) -> Acks {
        Acks::new(Options { quick_acks, ..options() }, CLOCK)
    }

    /// Segments of 1000 bytes in order, one a millisecond from `from` on: at which an ACK goes out.
    fn acknowledged(acks: &mut Acks, from: u64, segments: u64) -> Vec<u64> {
        let is_acknowledged = |n: &u64| {
            acks.on_data(ms(from + n), 1000, true);
            let is_due = acks.is_due();
            if is_due {
                acks.on_ack_sent();
            }
            is_due
        };
        (1..=segments).filter(is_acknowledged).collect()
    }

    #[test]
    fn every_second_segment_is_acknowledged_and_one_alone_after_the_delay() {
        let mut acks = policy(0);
        acks.on_data(Time::ZERO, 1000, true);
        assert_eq!(acks.next_timer(), ms(200));
        acks.on_timer(ms(199));
        assert!(!acks.is_due());
        acks.on_data(ms(1), 1000, true);
        assert!(acks.is_due());
        acks.on_ack_sent();
        acks.on_data(ms(2), 1000, false);
        assert!(acks.is_due(), "out of order");
    }

    #[test]
    fn quick_acks_end_when_they_are_used_up_or_answered_with_data() {
        let mut acks = policy(2);
        assert_eq!(acknowledged(&mut acks, 0, 3), [1, 2]);
        let mut acks = policy(9);
        acks.on_data(Time::ZERO, 1000, true);
        acks.0.on_data_sent(&acks.1, ms(1));
        acks.on_ack_sent();
        acks.on_data(ms(2), 1000, true);
        assert!(!acks.is_due());
        acks.on_timer(ms(202));
        acks.on_ack_sent();
        acks.on_data(ms(300), 1000, true);
        assert!(acks.is_due(), "nobody answered in time");
    }

    #[test]
    fn an_ack_waits_for_as_many_segments_as_are_asked_for() {
        let with = |ack_every| Acks::new(Options { ack_every, ..options() }, CLOCK);
        assert_eq!(acknowledged(&mut with(4), 0, 9), [4, 8]);
        assert_eq!(acknowledged(&mut with(1), 0, 3), [1, 2, 3]);
        let mut acks = with(4);
        assert_eq!(acknowledged(&mut acks, 0, 3), [] as [u64; 0]);
        assert_eq!(acks.next_timer(), ms(201), "counted from the first that waits");
        // What carries an ACK by the way begins the count anew.
        acks.on_ack_sent();
        assert_eq!(acknowledged(&mut acks, 3, 4), [4]);
    }

    #[test]
    fn the_first_bytes_do_not_wait_and_as_many_after_a_gap() {
        let mut acks = Acks::new(Options { quick_ack_bytes: 3500, ..options() }, CLOCK);
        // The fourth segment lies within the first 3500 bytes only in part.
        assert_eq!(acknowledged(&mut acks, 0, 7), [1, 2, 3, 5, 7]);
        acks.0.on_gap(&acks.1);
        acks.on_data(ms(8), 1000, false);
        assert!(acks.is_due());
        acks.on_ack_sent();
        assert_eq!(acknowledged(&mut acks, 9, 7), [1, 2, 3, 5, 7]);
    }

    #[test]
    fn a_free_running_timer_has_the_phase_of_the_clock() {
        let free = Options { ack_timer: AckTimer::FreeRunning, ..options() };
        let mut acks = Acks::new(free, CLOCK);
        let next = |acks: &mut Acks, at| {
            acks.on_data(at, 1000, true);
            let next = acks.next_timer();
            acks.on_ack_sent();
            next
        };
        assert_eq!(next(&mut acks, ms(0)), ms(30));
        assert_eq!(next(&mut acks, ms(29)), ms(30));
        assert_eq!(next(&mut acks, ms(30)), ms(230), "the tick of now has gone by");
        assert_eq!(next(&mut acks, ms(700)), ms(830));
        let slow = TickClock { tick: ms(700), phase: ms(650) };
        assert_eq!(next(&mut Acks::new(free, slow), ms(0)), ms(50), "ticks before the phase count");
        acks.0.start_clock(&acks.1, ms(1000));
        assert_eq!(next(&mut acks, ms(1000)), ms(1200));
        assert_eq!(next(&mut acks, ms(1399)), ms(1400));
    }

    proptest! {
        /// RFC 5681, section 4.2, for any policy: nothing waits longer than the delay, no more segments
        /// than are asked for, and nothing at all that is out of order.
        #[test]
        fn no_ack_waits_for_too_long(
            ack_every in 1u32..9,
            quick_acks in 0u32..5,
            quick_ack_bytes in 0u64..9000,
            delay in 1u64..500,
            phase in 0u64..700,
            runs_freely: bool,
            arrivals in prop::collection::vec((0u64..300, 0u32..1500, 0u8..10), 1..60),
        ) {
            let ack_timer = if runs_freely { AckTimer::FreeRunning } else { AckTimer::PerAck };
            let delayed_ack = Some(ms(delay));
            let quick = Options { quick_acks, quick_ack_bytes, ..options() };
            let options = Options { ack_every, delayed_ack, ack_timer, ..quick };
            let mut acks = Acks::new(options, TickClock { tick: ms(700), phase: ms(phase) });
            let (mut now, mut first, mut waiting) = (0, None, 0);
            for (after, bytes, kind) in arrivals {
                now += after;
                while acks.next_timer() <= ms(now) {
                    let due = acks.next_timer();
                    prop_assert!(due > ms(first.unwrap()) && due <= ms(first.unwrap() + delay));
                    acks.on_timer(due);
                    prop_assert!(acks.is_due());
                    acks.on_ack_sent();
                    (first, waiting) = (None, 0);
                }
                if kind == 0 {
                    acks.0.on_gap(&acks.1);
                }
                acks.on_data(ms(now), bytes, kind > 0);
                waiting += 1;
                first = first.or(Some(now));
                prop_assert!(kind > 0 || acks.is_due());
                prop_assert!(waiting < ack_every || acks.is_due());
                if acks.is_due() {
                    acks.on_ack_sent();
                    (first, waiting) = (None, 0);
                }
            }
        }
    }
}
