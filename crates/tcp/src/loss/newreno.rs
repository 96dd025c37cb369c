//! NewReno: stay in recovery until everything that was out at its beginning is acknowledged.
//!
//! Source: RFC 6582; for the presets [`NewRenoParameters::HOE`] and [`NewRenoParameters::FULL`] 000
//! section 2.1, whose text (Hoe 1996 as ns-2.1b3 had it) can be read in two ways: `FULL` is the
//! recovery as it describes it, `HOE` is what that version of ns did with Hoe's changes on.
//!
//! | parameter | RFC 6582 | `HOE` (`FULL` where it differs) |
//! |---|---|---|
//! | deflation on a partial ACK | by what was acknowledged, plus one segment | cwnd = ssthresh |
//! | timer restarts on | the first partial ACK ("impatient") or every one | every one |
//! | further duplicate ACKs | inflate cwnd by a segment each | every second one lets out one new segment, whatever cwnd is (as RFC 6582) |
//! | a partial ACK lets out | the next hole, and what the window allows | the next hole only (as RFC 6582) |
//!
//! Careful fast retransmit ignores duplicate ACKs for data sent before a time-out or a recovery's end;
//! RFC 6582 has it, Hoe 1996 and 000 have not, and every preset turns it on.
//! With limited transmit the first two duplicate ACKs let out a new segment each (RFC 3042).

use super::{CaState, LossDetection, Transmit, Verdict, first_unacked, next_in_window};
use crate::congestion::Phase;
use crate::options::{DUP_THRESH, NewRenoParameters, OnDupAck, Options, PartialAckTimer};
use crate::sender::Sender;
use base::Time;

/// NewReno.
#[derive(Clone, Copy, Debug)]
pub struct NewReno {
    parameters: NewRenoParameters,
    limited_transmit: bool,
    careful: bool,
    dup_acks: u32,
    /// One above the highest sequence number sent when the recovery, or a time-out, began.
    recover: u64,
    recovering: bool,
    partial_acks: u32,
    retransmit: bool,
    one_new: bool,
}

impl NewReno {
    /// With these parameters.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            parameters: options.newreno,
            limited_transmit: options.limited_transmit,
            careful: options.careful_fast_retransmit,
            dup_acks: 0,
            recover: 0,
            recovering: false,
            partial_acks: 0,
            retransmit: false,
            one_new: false,
        }
    }

    fn inflates(&self) -> bool {
        self.parameters.on_dup_ack == OnDupAck::Inflate
    }

    fn on_partial_ack(&mut self, acked: u64) -> Verdict {
        self.partial_acks += 1;
        self.retransmit = true;
        let restarts_rto =
            self.parameters.partial_ack_timer == PartialAckTimer::Every || self.partial_acks == 1;
        Verdict { restarts_rto, ..Verdict::new(Phase::Recovery, acked) }
    }
}

impl LossDetection for NewReno {
    fn on_ack(&mut self, _: Time, sender: &mut Sender, acked: u64) -> Verdict {
        if self.recovering && sender.snd_una < self.recover {
            return self.on_partial_ack(acked);
        }
        let phase = if self.recovering { Phase::Exit } else { Phase::Open };
        self.recovering = false;
        self.dup_acks = 0;
        Verdict::new(phase, acked)
    }

    fn on_dup_ack(&mut self, _: Time, sender: &mut Sender, _: u64) -> Verdict {
        self.dup_acks += 1;
        if self.recovering {
            self.one_new = !self.inflates() && self.dup_acks % 2 == 1;
            return Verdict::new(Phase::Recovery, 0);
        }
        let old = self.careful && sender.snd_una <= self.recover;
        if self.dup_acks != DUP_THRESH || old {
            return Verdict::new(Phase::Open, 0);
        }
        self.recovering = true;
        self.recover = sender.snd_max;
        self.partial_acks = 0;
        self.retransmit = true;
        Verdict::new(Phase::Entered, 0)
    }

    fn on_rto(&mut self, _: Time, sender: &mut Sender) -> u64 {
        self.recover = sender.snd_max;
        self.recovering = false;
        self.dup_acks = 0;
        self.partial_acks = 0;
        self.retransmit = false;
        self.one_new = false;
        sender.snd_una
    }

    fn next(&mut self, _: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit> {
        if std::mem::take(&mut self.retransmit) {
            return Some(first_unacked(sender));
        }
        if self.recovering && !self.inflates() {
            let one_new = std::mem::take(&mut self.one_new);
            return one_new.then_some(Transmit::Next(sender.snd_nxt + sender.smss));
        }
        let limited = self.limited_transmit && !self.recovering;
        next_in_window(sender, cwnd, if limited { self.dup_acks.min(DUP_THRESH - 1) } else { 0 })
    }

    fn state(&self, _: &Sender) -> CaState {
        match (self.recovering, self.dup_acks) {
            (true, _) => CaState::Recovery,
            (false, 0) => CaState::Open,
            (false, _) => CaState::Disorder,
        }
    }
}
