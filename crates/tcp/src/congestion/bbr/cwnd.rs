//! cwnd, and what a recovery does with it.
//!
//! Source: Linux 6, net/ipv4/tcp_bbr.c, bbr_set_cwnd, bbr_set_cwnd_to_recover_or_restore and bbr_quantization_budget.
//!
//! cwnd is a bound of what is in flight beside the pacing rate: the gain times the BDP, what ACKs hold back, and three bursts for
//! what waits in the hosts; an even number of segments, for receivers that acknowledge every second one.
//!
//! In a recovery cwnd falls by what is lost. In its first round trip as much leaves as arrives, afterwards up to twice as much;
//! at its end cwnd is what it was. After a time-out cwnd is a segment more than what is in flight.

use super::Bbr;
use super::bandwidth::{Bandwidth, Gain};
use super::model::Ack;
use super::states::LEAST_SEGMENTS;
use crate::congestion::{CongestionWindow, Phase};

/// Linux' initial window, segments: below it cwnd grows whatever the bandwidth is.
const INITIAL_SEGMENTS: u64 = 10;
const BURSTS: u64 = 3;

/// How a recovery stands, in the order of Linux' states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    #[default]
    Open,
    Recovery,
    Loss,
}

/// A recovery.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recovery {
    state: State,
    /// The state when cwnd was last set.
    before: State,
    /// In the first round trip of a fast recovery.
    conserves: bool,
    /// After a time-out cwnd is to be set to what is in flight.
    timed_out: bool,
    /// The recovery from a time-out ends when this is acknowledged.
    recover: u64,
    prior_cwnd: u64,
}

impl Recovery {
    /// Keeps the last good cwnd; in a recovery or in PROBE_RTT it has been cut already.
    pub(super) fn save_cwnd(&mut self, cwnd: u64, in_probe_rtt: bool) {
        let is_good = self.before == State::Open && !in_probe_rtt;
        self.prior_cwnd = if is_good { cwnd } else { self.prior_cwnd.max(cwnd) };
    }

    pub(super) fn prior_cwnd(&self) -> u64 {
        self.prior_cwnd
    }

    pub(super) fn begin(&mut self) {
        self.state = State::Recovery;
    }

    pub(super) fn on_rto(&mut self, snd_max: u64) {
        (self.state, self.before) = (State::Loss, State::Loss);
        (self.recover, self.timed_out) = (snd_max, true);
    }

    pub(super) fn end(&mut self) {
        self.state = State::Open;
    }

    /// An ACK of this phase came. Returns true if it is the first one after a time-out.
    pub(super) fn on_ack(&mut self, phase: Phase, snd_una: u64) -> bool {
        let is_over = match self.state {
            State::Open => false,
            State::Recovery => matches!(phase, Phase::Open | Phase::Exit | Phase::Repaired),
            State::Loss => snd_una >= self.recover,
        };
        if is_over {
            self.end();
        }
        std::mem::take(&mut self.timed_out)
    }

    /// A round trip is over.
    pub(super) fn on_round(&mut self) {
        self.conserves = false;
    }
}

impl Bbr {
    /// A gain times the bandwidth times the smallest RTT, bytes in whole segments.
    pub(super) fn bdp(&self, bandwidth: Bandwidth, gain: Gain, smss: u64) -> u64 {
        let segments = self.model.min_rtt.map(|min_rtt| bandwidth.segments_in(min_rtt, gain, smss));
        segments.unwrap_or(INITIAL_SEGMENTS) * smss
    }

    /// A window with room for what waits in the hosts.
    pub(super) fn with_headroom(&self, window: u64, smss: u64) -> u64 {
        let segments = (window + BURSTS * self.quantum(smss)).div_ceil(smss);
        let more = if self.mode.is_probing_phase() { 2 } else { 0 };
        (segments.next_multiple_of(2) + more) * smss
    }

    pub(super) fn set_cwnd(
        &mut self,
        window: &mut CongestionWindow,
        max_rwnd: u64,
        ack: &Ack,
        after_rto: bool,
    ) {
        let mut cwnd = window.cwnd();
        if ack.acked > 0 {
            cwnd = self.recovering_cwnd(cwnd, ack, after_rto);
            if !self.recovery.conserves {
                cwnd = self.towards_target(cwnd, ack);
            }
        }
        if self.mode.is_probe_rtt() {
            cwnd = cwnd.min(LEAST_SEGMENTS * ack.smss);
        }
        window.grow_to(cwnd, max_rwnd);
    }

    /// What a recovery leaves of cwnd before it grows again.
    fn recovering_cwnd(&mut self, cwnd: u64, ack: &Ack, after_rto: bool) -> u64 {
        // Room for a segment, though less may have been delivered.
        let conserving = ack.in_flight + ack.acked.max(ack.smss);
        let mut cwnd = if after_rto { conserving } else { cwnd.saturating_sub(ack.lost).max(ack.smss) };
        let its = &mut self.recovery;
        let (before, state) = (std::mem::replace(&mut its.before, its.state), its.state);
        if state == State::Recovery && before != State::Recovery {
            its.conserves = true;
            self.model.begin_round();
            // What cwnd allowed beyond that was not used.
            cwnd = conserving;
        } else if before >= State::Recovery && state == State::Open {
            its.conserves = false;
            cwnd = cwnd.max(its.prior_cwnd);
        }
        if its.conserves { cwnd.max(conserving) } else { cwnd }
    }

    fn towards_target(&self, cwnd: u64, ack: &Ack) -> u64 {
        let bandwidth = self.bandwidth();
        let mut target = self.bdp(bandwidth, self.cwnd_gain(), ack.smss);
        if self.model.is_full {
            target += self.aggregation.extra(bandwidth);
        }
        let target = self.with_headroom(target, ack.smss);
        let grown = if self.model.is_full {
            (cwnd + ack.acked).min(target)
        } else if cwnd < target || ack.totals.delivered < INITIAL_SEGMENTS * ack.smss {
            cwnd + ack.acked
        } else {
            cwnd
        };
        grown.max(LEAST_SEGMENTS * ack.smss)
    }
}
