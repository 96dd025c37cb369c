//! RACK if the peer does SACK, and else what Linux does without: NewReno.
//!
//! Source: RFC 8985 section 1 needs SACK; RFC 6582. [`Rfc6675`] has that form of NewReno: a duplicate ACK stands for a SACK.
//!
//! No parameters.

use super::super::Rfc6675;
use super::{
    CaState, Deadlines, Feedback, LossDetection, LossTimer, Rack, Reordering, Tally, Transmit, Verdict,
};
use crate::options::Options;
use crate::sender::Sender;
use base::Time;

/// One of the two, which the handshake decides.
#[derive(Clone, Debug)]
pub struct RackOrNewReno {
    rack: Rack,
    without_sack: Rfc6675,
    has_sack: bool,
}

impl RackOrNewReno {
    /// With these options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self { rack: Rack::new(options), without_sack: Rfc6675::new(options), has_sack: false }
    }

    // What comes with every segment is not called through these: it is inlined then.
    fn its(&self) -> &dyn LossDetection {
        if self.has_sack { &self.rack } else { &self.without_sack }
    }

    fn its_mut(&mut self) -> &mut dyn LossDetection {
        if self.has_sack { &mut self.rack } else { &mut self.without_sack }
    }
}

impl LossDetection for RackOrNewReno {
    fn needs_transmit_queue(&self) -> bool {
        true
    }

    fn needs_deliveries(&self) -> bool {
        true
    }

    fn on_ack(&mut self, now: Time, sender: &mut Sender, acked: u64) -> Verdict {
        if self.has_sack {
            self.rack.on_ack(now, sender, acked)
        } else {
            self.without_sack.on_ack(now, sender, acked)
        }
    }

    fn on_dup_ack(&mut self, now: Time, sender: &mut Sender, cwnd: u64) -> Verdict {
        self.its_mut().on_dup_ack(now, sender, cwnd)
    }

    fn recover_fs(&self, sender: &Sender) -> u64 {
        self.its().recover_fs(sender)
    }

    fn on_sack(&mut self, now: Time, sender: &mut Sender, feedback: &Feedback) -> bool {
        // The connection calls this only if both ends do SACK.
        self.has_sack = true;
        self.rack.on_sack(now, sender, feedback)
    }

    fn on_ecn(&mut self, sender: &mut Sender) {
        self.its_mut().on_ecn(sender);
    }

    fn on_marked_ack(&mut self) {
        self.its_mut().on_marked_ack();
    }

    fn on_rto(&mut self, now: Time, sender: &mut Sender) -> u64 {
        self.its_mut().on_rto(now, sender)
    }

    fn needs_timers(&self) -> bool {
        true
    }

    fn deadlines(&self) -> Deadlines {
        if self.has_sack { self.rack.deadlines() } else { self.without_sack.deadlines() }
    }

    fn on_timer(&mut self, now: Time, sender: &mut Sender, timer: LossTimer) -> bool {
        self.its_mut().on_timer(now, sender, timer)
    }

    fn next(&mut self, now: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit> {
        if self.has_sack {
            self.rack.next(now, sender, cwnd)
        } else {
            self.without_sack.next(now, sender, cwnd)
        }
    }

    fn on_sent(&mut self, sender: &Sender, seq: u64, end: u64) {
        if self.has_sack {
            self.rack.on_sent(sender, seq, end);
        } else {
            self.without_sack.on_sent(sender, seq, end);
        }
    }

    fn state(&self, sender: &Sender) -> CaState {
        self.its().state(sender)
    }

    fn loss_probes(&self) -> u32 {
        self.its().loss_probes()
    }

    fn tally(&self, sender: &Sender) -> Tally {
        self.its().tally(sender)
    }

    fn full_tally(&self, sender: &Sender) -> Tally {
        self.its().full_tally(sender)
    }

    fn reordering(&self) -> Reordering {
        self.its().reordering()
    }

    fn min_rtt(&self) -> Option<Time> {
        self.its().min_rtt()
    }
}
