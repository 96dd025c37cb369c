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
//! | duplicate ACKs for data sent before a time-out or a recovery's end | ignored ("careful") | begin a recovery; ignored with loss window `Bounded` |
//!
//! With limited transmit the first two duplicate ACKs let out a new segment each (RFC 3042).

use super::{CaState, DUP_THRESH, LossRecovery, Timer, Transmit, first_unacked, next_in_window};
use crate::config::{LossWindow, Options};
use crate::congestion::{Ack, Cause, CongestionControl};
use crate::window::Window;

/// What NewReno leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewRenoParameters {
    /// What a partial ACK does to cwnd.
    pub deflation: Deflation,
    /// Which partial ACKs restart the retransmission timer.
    pub partial_ack_timer: PartialAckTimer,
    /// What duplicate ACKs after the third do.
    pub on_dup_ack: OnDupAck,
    /// Whether a recovery begins only for data sent since the last recovery or time-out.
    pub careful: bool,
}

/// What a partial ACK does to cwnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deflation {
    /// Back to ssthresh.
    Full,
    /// Less by what was acknowledged, plus one segment.
    Partial,
}

/// Which partial ACKs restart the retransmission timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialAckTimer {
    /// Only the first.
    First,
    /// Every one.
    Every,
}

/// What duplicate ACKs after the third do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDupAck {
    /// Each inflates cwnd by a segment.
    Inflate,
    /// Every second one lets out one new segment, and nothing else is sent.
    EverySecond,
}

impl NewRenoParameters {
    /// RFC 6582 with the impatient timer.
    pub const RFC6582: Self = Self {
        deflation: Deflation::Partial,
        partial_ack_timer: PartialAckTimer::First,
        on_dup_ack: OnDupAck::Inflate,
        careful: true,
    };
    /// The variant of 000, as ns-2.1b3 had it.
    pub const HOE: Self = Self {
        deflation: Deflation::Full,
        partial_ack_timer: PartialAckTimer::Every,
        on_dup_ack: OnDupAck::EverySecond,
        careful: false,
    };
    /// The variant of 000, as its text describes it.
    pub const FULL: Self = Self { on_dup_ack: OnDupAck::Inflate, ..Self::HOE };
}

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
            careful: options.newreno.careful || options.loss_window == LossWindow::Bounded,
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

    fn enter(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) {
        self.recovering = true;
        self.recover = window.snd_max;
        self.partial_acks = 0;
        self.retransmit = true;
        window.ssthresh = congestion.ssthresh(window, Cause::FastRetransmit);
        window.cwnd = window.ssthresh;
        if self.inflates() {
            window.cwnd += u64::from(DUP_THRESH) * window.smss;
        }
    }

    fn on_partial_ack(&mut self, window: &mut Window, acked: u64) -> Timer {
        self.partial_acks += 1;
        self.retransmit = true;
        window.cwnd = match self.parameters.deflation {
            Deflation::Full => window.ssthresh,
            Deflation::Partial if acked >= window.smss => window.cwnd.saturating_sub(acked) + window.smss,
            Deflation::Partial => window.cwnd.saturating_sub(acked).max(window.smss),
        };
        match self.parameters.partial_ack_timer {
            PartialAckTimer::First if self.partial_acks > 1 => Timer::Keep,
            _ => Timer::Restart,
        }
    }
}

impl LossRecovery for NewReno {
    fn on_ack(&mut self, window: &mut Window, ack: &Ack, congestion: &mut dyn CongestionControl) -> Timer {
        if self.recovering && window.snd_una < self.recover {
            return self.on_partial_ack(window, ack.acked);
        }
        if self.recovering {
            window.cwnd = window.ssthresh;
        } else {
            congestion.on_ack(window, ack);
        }
        self.recovering = false;
        self.dup_acks = 0;
        Timer::Restart
    }

    fn on_dup_ack(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) -> bool {
        self.dup_acks += 1;
        if self.recovering {
            if self.inflates() {
                window.cwnd += window.smss;
            } else {
                self.one_new = self.dup_acks % 2 == 1;
            }
            return false;
        }
        let old = self.careful && window.snd_una <= self.recover;
        if self.dup_acks != DUP_THRESH || old {
            return false;
        }
        self.enter(window, congestion);
        true
    }

    fn on_rto(&mut self, window: &mut Window) {
        self.recover = window.snd_max;
        self.recovering = false;
        self.dup_acks = 0;
        self.partial_acks = 0;
        self.retransmit = false;
        self.one_new = false;
    }

    fn next(&mut self, window: &Window) -> Option<Transmit> {
        if std::mem::take(&mut self.retransmit) {
            return Some(first_unacked(window));
        }
        if self.recovering && !self.inflates() {
            let one_new = std::mem::take(&mut self.one_new);
            return one_new.then_some(Transmit::UpTo(window.snd_nxt + window.smss));
        }
        let limited = self.limited_transmit && !self.recovering;
        next_in_window(window, if limited { self.dup_acks.min(DUP_THRESH - 1) } else { 0 })
    }

    fn state(&self) -> CaState {
        match (self.recovering, self.dup_acks) {
            (true, _) => CaState::Recovery,
            (false, 0) => CaState::Open,
            (false, _) => CaState::Disorder,
        }
    }
}
