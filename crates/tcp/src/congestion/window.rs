//! cwnd and ssthresh, with a lock: the files of `congestion/` alone can change them.

/// The congestion window. Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CongestionWindow {
    cwnd: u64,
    ssthresh: u64,
    max_cwnd: u64,
    pacing: Option<Pacing>,
}

/// How fast the window may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pacing {
    /// Bytes per second; not 0.
    pub rate: u64,
    /// What may leave at once after a pause, bytes.
    pub quantum: u64,
}

impl CongestionWindow {
    /// A window of so many bytes, and a threshold.
    #[must_use]
    pub const fn new(cwnd: u64, ssthresh: u64) -> Self {
        Self { cwnd, ssthresh, max_cwnd: 0, pacing: None }
    }

    /// Congestion window.
    #[must_use]
    pub const fn cwnd(&self) -> u64 {
        self.cwnd
    }

    /// Slow-start threshold.
    #[must_use]
    pub const fn ssthresh(&self) -> u64 {
        self.ssthresh
    }

    /// The largest cwnd so far, without what a recovery inflates it by.
    #[must_use]
    pub const fn max_cwnd(&self) -> u64 {
        self.max_cwnd
    }

    /// How fast the window may be sent; none: at once.
    #[must_use]
    pub const fn pacing(&self) -> Option<Pacing> {
        self.pacing
    }

    /// Lets the largest cwnd begin anew from what cwnd is; in a recovery, which inflates it or has not yet reduced it,
    /// from ssthresh at most.
    pub(crate) fn forget_max_cwnd(&mut self, in_recovery: bool) {
        // Without a connection there is no cwnd.
        if self.max_cwnd > 0 {
            self.max_cwnd = if in_recovery { self.cwnd.min(self.ssthresh) } else { self.cwnd };
        }
    }

    pub(super) fn set_cwnd(&mut self, cwnd: u64) {
        self.cwnd = cwnd;
    }

    pub(super) fn set_ssthresh(&mut self, ssthresh: u64) {
        self.ssthresh = ssthresh;
    }

    pub(super) fn set_pacing(&mut self, pacing: Pacing) {
        self.pacing = Some(pacing);
    }

    /// Lets cwnd grow to `cwnd`, but not beyond `max_rwnd`; a window that is above it already is not cut.
    pub(super) fn grow_to(&mut self, cwnd: u64, max_rwnd: u64) {
        self.cwnd = cwnd.min(max_rwnd.max(self.cwnd));
        self.count_max_cwnd();
    }

    /// Counts cwnd as it is for the largest one.
    pub(super) fn count_max_cwnd(&mut self) {
        self.max_cwnd = self.max_cwnd.max(self.cwnd);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::congestion::{AckSample, Congestion, CongestionControl, Idle, Sent};
    use crate::connection::Connection;
    use crate::flavor::Flavor;
    use crate::options::PacingFrom;
    use crate::rtt::TickClock;
    use crate::segment::Segment;
    use crate::sender::Sender;
    use base::Time;

    /// A window of ten segments, sent at 1,000,000 bytes per second once the handshake is over.
    struct Paced;

    impl CongestionControl for Paced {
        fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64) {
            window.set_cwnd(initial_window);
        }

        fn on_established(&mut self, window: &mut CongestionWindow, _: &Sender, _: bool, _: &AckSample) {
            window.set_pacing(Pacing { rate: 1_000_000, quantum: 2000 });
        }

        fn on_ack(&mut self, _: &mut CongestionWindow, _: &Sender, _: &AckSample) {}
        fn on_congestion(&mut self, _: &mut CongestionWindow, _: &Sender, _: &Congestion) {}
        fn on_sent(&mut self, _: &mut CongestionWindow, _: &Sender, _: Sent) {}
        fn on_idle(&mut self, _: &mut CongestionWindow, _: Idle) {}
    }

    const MS: fn(u64) -> Time = Time::from_ms;

    fn ack(ack: u64) -> Segment {
        Segment { seq: 1, ack: Some(ack), window: 60_000, ..Segment::default() }
    }

    /// A quantum leaves at once, the others one a millisecond; ACKs and the retransmission timer go on meanwhile.
    #[test]
    fn what_the_window_lets_out_leaves_at_the_pacing_rate() {
        let mut preset = Config::preset(Flavor::named("reno").unwrap());
        preset.options.pacing = PacingFrom::CongestionControl;
        let mut sender = Connection::new(preset, TickClock { tick: MS(100), phase: Time::ZERO });
        sender.congestion = Box::new(Paced);
        sender.connect();
        sender.write(6000);
        assert!(sender.poll(Time::ZERO).is_some_and(|segment| segment.syn));
        sender.on_segment(MS(100), &Segment { syn: true, seq: 0, mss: Some(1000), ..ack(1) });
        let mut now = MS(100);
        let mut departures = Vec::new();
        while departures.len() < 6 {
            departures.extend(std::iter::from_fn(|| sender.poll(now)).filter(|its| its.len > 0).map(|_| now));
            let next = sender.next_timer();
            if next < MS(200) {
                now = next;
                sender.on_timer(now);
            }
        }
        assert_eq!(departures, [100, 100, 101, 102, 103, 104].map(MS));
        assert!(sender.next_timer() > MS(1000), "the retransmission timer alone is left");
        sender.on_segment(MS(200), &ack(6001));
        assert_eq!((sender.next_timer(), sender.counters().timeouts), (Time::NEVER, 0));
    }
}
