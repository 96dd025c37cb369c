//! Tail loss probes: a segment that asks for an ACK when the last ones of a flight may be lost.
//!
//! Source: RFC 8985 section 7. One probe is out at a time, and each needs an RTT that was measured since the one before. A probe
//! is new data if there are any, even beyond cwnd, or else the last segment once more. If that ends a flight whose last segment
//! alone was lost, nobody else sees the loss: the ACK of what is sent afterwards, without a report of a duplicate, asks
//! for the reduction that a recovery would have made.
//!
//! | parameter | RFC 8985 | Linux |
//! |---|---|---|
//! | a probe leaves after | 2 SRTT | 2 SRTT + 2 ms |
//! | with one segment out | + 200 ms, the longest delay of an ACK | + the smallest time-out |
//! | before the first RTT | 1 s | the same |
//!
//! The connection lets it leave no later than a time-out would.

use super::super::Feedback;
use crate::options::{Options, TlpTimer};
use crate::sender::Sender;
use base::Time;

const LONGEST_ACK_DELAY: Time = Time::from_ms(200);
const LINUX_SLACK: Time = Time::from_ms(2);
const WITHOUT_RTT: Time = Time::from_secs(1);

/// Tail loss probes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LossProbe {
    is_on: bool,
    /// Added to 2 SRTT: with several segments out, with one.
    more: (Time, Time),
    deadline: Time,
    is_due: bool,
    /// Whether an RTT was measured since the last probe, or since the connection began.
    has_sample: bool,
    /// How many went out.
    pub(super) sent: u32,
    out: Option<Probe>,
    /// A probe has repaired a loss.
    has_repaired: bool,
}

/// A probe that is out.
#[derive(Clone, Copy, Debug)]
struct Probe {
    /// `TLP.end_seq`: one above the highest sequence number sent then.
    end_seq: u64,
    is_retransmission: bool,
}

/// How much later than needed the timers of loss detection run out.
pub(super) fn timer_slack(options: &Options) -> Time {
    match options.tlp_timer {
        TlpTimer::Rfc8985 => Time::ZERO,
        TlpTimer::Linux => LINUX_SLACK,
    }
}

impl LossProbe {
    pub(super) fn new(options: &Options) -> Self {
        let with_one_out = match options.tlp_timer {
            TlpTimer::Rfc8985 => LONGEST_ACK_DELAY,
            TlpTimer::Linux => options.min_rto,
        };
        let more = (timer_slack(options), with_one_out);
        Self {
            is_on: options.tlp,
            more,
            deadline: Time::NEVER,
            is_due: false,
            has_sample: false,
            sent: 0,
            out: None,
            has_repaired: false,
        }
    }

    pub(super) fn deadline(&self) -> Time {
        self.deadline
    }

    /// Lets a probe leave unless an ACK comes before.
    pub(super) fn arm(&mut self, now: Time, sender: &Sender) {
        self.deadline = Time::NEVER;
        // The handshake was measured, too.
        self.has_sample |= self.sent == 0 && sender.srtt.is_some();
        if self.is_on && self.out.is_none() && sender.flight_size() > 0 {
            let more = if sender.flight_size() <= sender.smss { self.more.1 } else { self.more.0 };
            self.deadline = now + sender.srtt.map_or(WITHOUT_RTT, |srtt| srtt * 2 + more);
        }
    }

    /// Lets no probe leave.
    pub(super) fn disarm(&mut self) {
        (self.deadline, self.is_due) = (Time::NEVER, false);
    }

    /// A recovery begins, which makes the reduction for whatever was lost.
    pub(super) fn forget(&mut self) {
        self.disarm();
        (self.out, self.has_repaired) = (None, false);
    }

    pub(super) fn on_rtt_sample(&mut self) {
        self.has_sample = true;
    }

    /// No ACK has come in time.
    pub(super) fn on_timer(&mut self) {
        self.deadline = Time::NEVER;
        self.is_due = self.out.is_none() && self.has_sample;
    }

    /// Whether a probe is to leave now.
    pub(super) fn is_due(&self) -> bool {
        self.is_due
    }

    /// The probe leaves.
    pub(super) fn on_sent(&mut self, sender: &Sender, is_retransmission: bool) {
        (self.is_due, self.has_sample) = (false, false);
        self.sent += 1;
        self.out = Some(Probe { end_seq: sender.snd_max, is_retransmission });
    }

    /// An ACK came, before `snd_una` moves.
    pub(super) fn on_ack(&mut self, feedback: &Feedback) {
        let Some(probe) = self.out.filter(|probe| feedback.ack >= probe.end_seq) else { return };
        let has_arrived_twice = feedback.duplicate.is_some_and(|duplicate| duplicate.1 == probe.end_seq);
        if !probe.is_retransmission || has_arrived_twice || feedback.is_duplicate {
            self.out = None;
        } else if feedback.ack > probe.end_seq {
            self.out = None;
            self.has_repaired = true;
        }
    }

    /// Whether a probe has repaired a loss of which nobody knows yet.
    pub(super) fn take_repaired(&mut self) -> bool {
        std::mem::take(&mut self.has_repaired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    fn sender(segments: u64) -> Sender {
        let snd_max = 1 + 1000 * segments;
        Sender { smss: 1000, snd_una: 1, snd_max, srtt: Some(MS(100)), ..Sender::default() }
    }

    fn deadline(options: &Options, sender: &Sender) -> Time {
        let mut probe = LossProbe::new(options);
        probe.arm(MS(1000), sender);
        probe.deadline()
    }

    #[test]
    fn leaves_after_two_round_trips_and_with_one_segment_out_later() {
        let (rfc, linux) = (Options::MODERN, Options::MODERN.on_linux());
        assert_eq!(deadline(&rfc, &sender(2)), MS(1200));
        assert_eq!(deadline(&rfc, &sender(1)), MS(1400));
        assert_eq!(deadline(&linux, &sender(2)), MS(1202));
        assert_eq!(deadline(&linux, &sender(1)), MS(1400));
        assert_eq!(deadline(&rfc, &Sender { srtt: None, ..sender(2) }), MS(2000));
        assert_eq!(deadline(&rfc, &sender(0)), Time::NEVER);
        assert_eq!(deadline(&Options { tlp: false, ..rfc }, &sender(2)), Time::NEVER);
    }

    /// Two segments out, the last one again as a probe.
    fn probed() -> LossProbe {
        let mut probe = LossProbe::new(&Options::MODERN);
        probe.on_rtt_sample();
        probe.on_timer();
        assert!(probe.is_due());
        probe.on_sent(&sender(2), true);
        probe
    }

    fn ack(ack: u64) -> Feedback {
        Feedback { ack, ..Feedback::default() }
    }

    #[test]
    fn a_second_probe_waits_for_the_first_and_for_a_sample() {
        let mut probe = probed();
        probe.on_timer();
        assert!(!probe.is_due(), "one is out");
        probe.on_ack(&Feedback { duplicate: Some((1001, 2001)), ..ack(2001) });
        probe.on_timer();
        assert!(!probe.is_due(), "no RTT since then");
        probe.on_rtt_sample();
        probe.on_timer();
        assert!(probe.is_due());
    }

    #[test]
    fn what_follows_the_probe_tells_whether_it_has_repaired_a_loss() {
        let mut lost = probed();
        lost.on_ack(&ack(2001));
        assert!(!lost.take_repaired(), "a report of a duplicate may still come");
        lost.on_ack(&ack(3001));
        assert!(lost.take_repaired());
        assert!(!lost.take_repaired(), "once");
        for other in [
            Feedback { duplicate: Some((1001, 2001)), ..ack(2001) },
            Feedback { is_duplicate: true, ..ack(2001) },
        ] {
            let mut both = probed();
            both.on_ack(&ack(2001));
            both.on_ack(&other);
            both.on_ack(&ack(3001));
            assert!(!both.take_repaired(), "both have arrived");
        }
        let mut new_data = LossProbe::new(&Options::MODERN);
        new_data.on_sent(&sender(3), false);
        new_data.on_ack(&ack(4001));
        assert!(!new_data.take_repaired(), "new data repairs nothing");
    }
}
