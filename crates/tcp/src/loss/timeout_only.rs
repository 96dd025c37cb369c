//! No recovery but the retransmission timer.
//!
//! Source: 000 section 2: slow start and congestion avoidance, losses found by time-out alone.
//! This is not Tahoe, which has fast retransmit. No parameters.

use super::{LossDetection, Transmit, Verdict, next_in_window};
use crate::congestion::Phase;
use crate::sender::Sender;
use base::Time;

/// No recovery but the retransmission timer.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeoutOnly;

impl LossDetection for TimeoutOnly {
    fn on_ack(&mut self, _: Time, _: &mut Sender, acked: u64) -> Verdict {
        Verdict::new(Phase::Open, acked)
    }

    fn on_dup_ack(&mut self, _: Time, _: &mut Sender, _: u64) -> Verdict {
        Verdict::new(Phase::Open, 0)
    }

    fn on_rto(&mut self, _: Time, sender: &mut Sender) -> u64 {
        sender.snd_una
    }

    fn next(&mut self, _: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit> {
        next_in_window(sender, cwnd, 0)
    }
}
