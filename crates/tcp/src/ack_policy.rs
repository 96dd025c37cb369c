//! Whether and when an ACK is owed.
//!
//! Source: RFC 5681 section 4.2: every second segment, within a time, and at once for anything
//! out of order. The first ACKs of a connection need not wait ("quick ACKs", as present-day stacks
//! have them, so that the peer's slow start is not held up); that ends when this end answers with
//! data of its own, which can carry ACKs, and begins anew when it then makes the peer wait. Such
//! an end also lets the ACK of a FIN wait for its own FIN.
//!
//! | parameter | unit |
//! |---|---|
//! | delayed ACK | time; none: not at all |
//! | quick ACKs | how many |

use crate::config::Options;
use sim::time::Time;

/// What is owed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owed {
    Nothing,
    Later(Time),
    Now,
}

/// Whether and when an ACK is owed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckPolicy {
    owed: Owed,
    delay: Option<Time>,
    quick: u32,
    /// Whether there were any quick ACKs at first.
    hurries: bool,
    /// Whether this end answers what comes with data.
    interactive: bool,
    last_arrival: Option<Time>,
}

impl AckPolicy {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            owed: Owed::Nothing,
            delay: options.delayed_ack,
            quick: options.quick_acks,
            hurries: options.quick_acks > 0,
            interactive: false,
            last_arrival: None,
        }
    }

    /// Data came, the next in order with nothing missing or not.
    pub(crate) fn on_data(&mut self, now: Time, in_order: bool) {
        self.last_arrival = Some(now);
        let quick = self.quick > 0 && !self.interactive;
        self.owed = match (self.delay, self.owed) {
            (Some(delay), Owed::Nothing) if in_order && !quick => Owed::Later(now + delay),
            _ => Owed::Now,
        };
    }

    pub(crate) fn acknowledge_now(&mut self) {
        self.owed = Owed::Now;
    }

    /// The peer's FIN has come. If nothing was missing, and this end is one that hurries at first, it
    /// expects to answer with a FIN of its own that can carry the ACK (`may_wait`: it can).
    pub(crate) fn on_fin(&mut self, now: Time, may_wait: bool) {
        self.owed = match self.delay {
            Some(delay) if may_wait && self.hurries => Owed::Later(now + delay),
            _ => Owed::Now,
        };
        self.interactive = true;
    }

    /// A segment with an ACK is sent.
    pub(crate) fn on_ack_sent(&mut self) {
        if self.owed != Owed::Nothing {
            self.quick = self.quick.saturating_sub(1);
        }
        self.owed = Owed::Nothing;
    }

    /// A segment with data is sent.
    pub(crate) fn on_data_sent(&mut self, now: Time) {
        let recent = |then: Time| self.delay.is_some_and(|delay| now < then + delay);
        self.interactive |= self.last_arrival.is_some_and(recent);
    }

    pub(crate) fn on_timer(&mut self, now: Time) {
        if matches!(self.owed, Owed::Later(at) if at <= now) {
            self.owed = Owed::Now;
            self.interactive = false;
        }
    }

    pub(crate) fn next_timer(&self) -> Time {
        if let Owed::Later(at) = self.owed { at } else { Time::NEVER }
    }

    pub(crate) fn is_due(&self) -> bool {
        self.owed == Owed::Now
    }

    pub(crate) fn forget(&mut self) {
        self.owed = Owed::Nothing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flavor::Flavor;

    fn policy(quick_acks: u32) -> AckPolicy {
        let options = Flavor::named("newreno").unwrap().presets;
        AckPolicy::new(&Options { quick_acks, ..options })
    }

    #[test]
    fn every_second_segment_is_acknowledged_and_one_alone_after_the_delay() {
        let mut acks = policy(0);
        acks.on_data(Time::ZERO, true);
        assert_eq!(acks.next_timer(), Time::from_ms(200));
        acks.on_timer(Time::from_ms(199));
        assert!(!acks.is_due());
        acks.on_data(Time::from_ms(1), true);
        assert!(acks.is_due());
        acks.on_ack_sent();
        acks.on_data(Time::from_ms(2), false);
        assert!(acks.is_due(), "out of order");
    }

    #[test]
    fn quick_acks_end_when_they_are_used_up_or_answered_with_data() {
        let mut acks = policy(2);
        for _ in 0..2 {
            acks.on_data(Time::ZERO, true);
            assert!(acks.is_due());
            acks.on_ack_sent();
        }
        acks.on_data(Time::ZERO, true);
        assert!(!acks.is_due());
        let mut acks = policy(9);
        acks.on_data(Time::ZERO, true);
        acks.on_data_sent(Time::from_ms(1));
        acks.on_ack_sent();
        acks.on_data(Time::from_ms(2), true);
        assert!(!acks.is_due());
        acks.on_timer(Time::from_ms(202));
        acks.on_ack_sent();
        acks.on_data(Time::from_ms(300), true);
        assert!(acks.is_due(), "nobody answered in time");
    }
}
