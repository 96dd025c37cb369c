//! Slow start, which the congestion controls share.
//!
//! Source: RFC 5681 equation 2, or RFC 3465 section 2.2: with byte counting an ACK adds what it
//! acknowledges, at most L segments of it, and after a time-out one (section 2.3). What is left of
//! the ACK when cwnd reaches ssthresh counts for congestion avoidance, as in present-day stacks.
//!
//! What ends it before a loss:
//!
//! | kind | file |
//! |---|---|
//! | nothing | this one |
//! | a longer RTT, after some rounds of slower growth | `hystart_plus_plus.rs` (RFC 9406) |
//! | a long train of ACKs, or a longer RTT | `hystart.rs` (Linux) |
//!
//! | parameter | unit |
//! |---|---|
//! | L | segments; none: no limit |

use super::{AckSample, Cause, CongestionWindow};
use crate::options::{Growth, Options, PacingFrom, SlowStartKind};
use crate::sender::Sender;
use hystart::Hystart;
use hystart_plus_plus::HystartPlusPlus;

mod hystart;
mod hystart_plus_plus;

/// Slow start.
#[derive(Clone, Copy, Debug)]
pub struct SlowStart {
    growth: Growth,
    after_rto: bool,
    end: End,
}

/// What ends slow start before a loss.
#[derive(Clone, Copy, Debug)]
enum End {
    Nothing,
    HystartPlusPlus(HystartPlusPlus),
    Hystart(Hystart),
}

impl SlowStart {
    /// One that a loss alone ends.
    pub(super) const fn new(growth: Growth) -> Self {
        Self { growth, after_rto: false, end: End::Nothing }
    }

    /// With these options.
    pub(super) fn of(options: &Options) -> Self {
        let is_paced = options.pacing != PacingFrom::Off;
        let end = match options.slow_start {
            SlowStartKind::Standard => End::Nothing,
            SlowStartKind::HystartPlusPlus => {
                End::HystartPlusPlus(HystartPlusPlus::new(is_paced, options.whole_segments))
            }
            SlowStartKind::Hystart => End::Hystart(Hystart::new(is_paced)),
        };
        Self { end, ..Self::new(options.growth) }
    }

    /// Whether it reads [`AckSample::rtt`].
    pub(super) const fn needs_rtt(&self) -> bool {
        !matches!(self.end, End::Nothing)
    }

    /// Notes why cwnd fell.
    pub(super) fn on_loss(&mut self, cause: Cause) {
        self.after_rto = matches!(cause, Cause::Rto | Cause::RepeatedRto);
        match &mut self.end {
            End::Nothing => {}
            End::HystartPlusPlus(hystart) => hystart.on_loss(),
            End::Hystart(hystart) if self.after_rto => hystart.begin_anew(),
            End::Hystart(_) => {}
        }
    }

    /// The last reduction was needless: slow start goes on as `before` it.
    pub(super) fn on_spurious(&mut self, before: &Self) {
        self.after_rto = before.after_rto;
        // Linux' search for the end of slow start goes on whatever becomes of cwnd.
        if let End::HystartPlusPlus(_) = self.end {
            self.end = before.end;
        }
    }

    /// An ACK of new data came outside of a recovery, and has not yet moved cwnd.
    #[inline(always)]
    pub(super) fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        if let End::HystartPlusPlus(hystart) = &mut self.end {
            hystart.count(sender.smss, sample.delivered);
        } else if let End::Hystart(hystart) = &mut self.end {
            hystart.on_ack(window, sender, sample);
        }
    }

    /// That ACK has moved cwnd.
    #[inline(always)]
    pub(super) fn after_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        if let End::HystartPlusPlus(hystart) = &mut self.end {
            hystart.after_ack(window, sender, sample.rtt);
        }
    }

    /// Lets cwnd grow by `acked` bytes; gives what of them is left above ssthresh.
    pub(super) fn grow(&self, window: &mut CongestionWindow, sender: &Sender, acked: u64) -> u64 {
        let (cwnd, smss, max_rwnd) = (window.cwnd(), sender.smss, sender.max_rwnd);
        if cwnd >= window.ssthresh() {
            return acked;
        }
        let acked = match &self.end {
            End::HystartPlusPlus(hystart) => hystart.growth(acked),
            End::Nothing | End::Hystart(_) => acked,
        };
        match self.growth {
            Growth::Acks => {
                window.grow_to(cwnd + acked.min(smss), max_rwnd);
                0
            }
            Growth::Bytes { limit } => {
                let limit = limit.map(|segments| if self.after_rto { 1 } else { segments });
                let most = limit.map_or(u64::MAX, |segments| u64::from(segments) * smss);
                let to_threshold = window.ssthresh() - cwnd;
                let growth = acked.min(most).min(to_threshold);
                window.grow_to(cwnd + growth, max_rwnd);
                if growth == to_threshold { acked.min(most) - growth } else { 0 }
            }
        }
    }

    /// The round of conservative slow start, from 1 on, if it is on.
    pub(super) const fn conservative_round(&self) -> Option<u32> {
        match &self.end {
            End::HystartPlusPlus(hystart) => hystart.conservative_round(),
            End::Nothing | End::Hystart(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::connection::Connection;
    use crate::flavor::Flavor;
    use crate::rtt::TickClock;
    use crate::segment::Segment;
    use base::Time;

    /// Round trips in which a connection sends so many segments, each of which is acknowledged by itself.
    fn rounds(flavor: &str, initial_window: u32, segments: u64) -> u64 {
        let preset = Config::preset(Flavor::named(flavor).expect("a flavor"));
        let clock = TickClock { tick: Time::from_ms(100), phase: Time::ZERO };
        let mut sender = Connection::new(Config { initial_window, ..preset }, clock);
        sender.connect();
        sender.write(1000 * segments);
        assert!(sender.poll(Time::ZERO).is_some_and(|segment| segment.syn));
        let ack = |ack| Segment { seq: 1, ack: Some(ack), window: 65_535, ..Segment::default() };
        let rtt = Time::from_ms(100);
        let syn_ack = Segment { syn: true, seq: 0, mss: Some(1000), sack_permitted: true, ..ack(1) };
        sender.on_segment(rtt, &syn_ack);
        let mut in_flight: Vec<_> = std::iter::from_fn(|| sender.poll(rtt)).collect();
        let mut rounds = 1;
        let mut sent = in_flight.iter().map(|segment| u64::from(segment.len)).sum::<u64>();
        while sent < 1000 * segments {
            rounds += 1;
            let now = rtt * rounds;
            for segment in std::mem::take(&mut in_flight) {
                sender.on_segment(now, &ack(segment.seq + u64::from(segment.len)));
                in_flight.extend(std::iter::from_fn(|| sender.poll(now)).filter(|its| its.len > 0));
            }
            sent += in_flight.iter().map(|segment| u64::from(segment.len)).sum::<u64>();
        }
        rounds
    }

    /// RFC 6928, without losses: 3, 6, 12, 24, 48 segments and 10, 20, 40, 80.
    #[test]
    fn a_larger_initial_window_saves_round_trips() {
        for flavor in ["reno", "reno_sack", "cubic"] {
            for (segments, of_three, of_ten) in [(10, 3, 1), (30, 4, 2), (100, 6, 4)] {
                let found = (rounds(flavor, 3, segments), rounds(flavor, 10, segments));
                assert_eq!(found, (of_three, of_ten), "{flavor}, {segments} segments");
            }
        }
    }
}
