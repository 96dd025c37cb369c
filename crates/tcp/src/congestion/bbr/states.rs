//! The states, and their gains.
//!
//! Source: Linux 6, net/ipv4/tcp_bbr.c, bbr_update_model, bbr_update_gains and bbr_update_cycle_phase.
//!
//! | state | pacing gain | cwnd gain | ends |
//! |---|---|---|---|
//! | STARTUP | 2.887 | 2.887 | when the pipe is full |
//! | DRAIN | 0.344 | 2.887 | when in flight is the BDP |
//! | PROBE_BW | 1.25, 0.75, six times 1 | 2 | |
//! | PROBE_RTT | 1 | 4 segments | after 200 ms and a round trip with no more in flight |
//!
//! A phase of PROBE_BW lasts the smallest RTT: that of 1.25 goes on until a loss or until as much is in flight; that of 0.75 ends
//! before if no more than the BDP is in flight. The first phase is any but that of 0.75, by chance: flows that begin together
//! do not probe together.
//!
//! PROBE_RTT begins when no smaller RTT was measured for 10 s, unless the flow was idle. Samples of what was sent meanwhile count
//! as limited by the application.

use super::Bbr;
use super::bandwidth::Gain;
use super::model::Ack;
use crate::congestion::CongestionWindow;
use base::Time;

const PHASES: [Gain; 8] =
    [Gain::PROBE, Gain::YIELD, Gain::ONE, Gain::ONE, Gain::ONE, Gain::ONE, Gain::ONE, Gain::ONE];
const PROBE_PHASE: usize = 0;
const YIELD_PHASE: usize = 1;
const PROBE_RTT_TIME: Time = Time::from_ms(200);
pub(super) const LEAST_SEGMENTS: u64 = 4;

/// A state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Startup,
    Drain,
    /// Which phase, and since when.
    ProbeBw {
        phase: usize,
        since: Time,
    },
    /// When it may end, once so little is in flight; whether a round trip has ended since then.
    ProbeRtt {
        done_at: Option<Time>,
        round_done: bool,
    },
}

impl Mode {
    pub(super) fn is_probe_bw(self) -> bool {
        matches!(self, Self::ProbeBw { .. })
    }

    pub(super) fn is_probe_rtt(self) -> bool {
        matches!(self, Self::ProbeRtt { .. })
    }

    /// The phase that lets out more than the bandwidth: cwnd has room for it even if the BDP is small.
    pub(super) fn is_probing_phase(self) -> bool {
        matches!(self, Self::ProbeBw { phase: PROBE_PHASE, .. })
    }
}

impl Bbr {
    pub(super) fn pacing_gain(&self) -> Gain {
        match self.mode {
            Mode::Startup => Gain::HIGH,
            Mode::Drain => Gain::DRAIN,
            Mode::ProbeBw { .. } if self.policer.bandwidth().is_some() => Gain::ONE,
            Mode::ProbeBw { phase, .. } => PHASES[phase],
            Mode::ProbeRtt { .. } => Gain::ONE,
        }
    }

    pub(super) fn cwnd_gain(&self) -> Gain {
        match self.mode {
            Mode::Startup | Mode::Drain => Gain::HIGH,
            Mode::ProbeBw { .. } => Gain::WINDOW,
            Mode::ProbeRtt { .. } => Gain::ONE,
        }
    }

    /// The state, and which part of it.
    pub(super) fn phase(&self) -> (&'static str, &'static str) {
        match self.mode {
            Mode::Startup => ("startup", ""),
            Mode::Drain => ("drain", ""),
            Mode::ProbeBw { .. } if self.policer.bandwidth().is_some() => ("probe_bw", "policed"),
            Mode::ProbeBw { phase: PROBE_PHASE, .. } => ("probe_bw", "1.25"),
            Mode::ProbeBw { phase: YIELD_PHASE, .. } => ("probe_bw", "0.75"),
            Mode::ProbeBw { .. } => ("probe_bw", "1"),
            Mode::ProbeRtt { .. } => ("probe_rtt", ""),
        }
    }

    pub(super) fn enter_probe_bw(&mut self) {
        let phase = match self.random.below(PHASES.len() as u64 - 1) as usize {
            PROBE_PHASE => PROBE_PHASE,
            later => later + 1,
        };
        self.mode = Mode::ProbeBw { phase, since: self.model.totals.delivered_at };
    }

    pub(super) fn update_phase(&mut self, ack: &Ack) {
        if let Mode::ProbeBw { phase, since } = self.mode
            && self.phase_is_over(ack, since)
        {
            let since = self.model.totals.delivered_at;
            self.mode = Mode::ProbeBw { phase: (phase + 1) % PHASES.len(), since };
        }
    }

    /// What a rate with this gain has in flight when it does no more than fill the pipe with it.
    fn in_flight_at(&self, gain: Gain, smss: u64) -> u64 {
        self.with_headroom(self.bdp(self.model.bandwidth(), gain, smss), smss)
    }

    fn phase_is_over(&self, ack: &Ack, since: Time) -> bool {
        let passed = self.model.totals.delivered_at - since;
        let is_full_length = self.model.min_rtt.is_some_and(|min_rtt| passed > min_rtt);
        let gain = self.pacing_gain();
        if gain == Gain::ONE {
            return is_full_length;
        }
        let in_flight = ack.prior_in_flight();
        if gain > Gain::ONE {
            // The next burst leaves before this is looked at again.
            let in_flight = in_flight + self.quantum(ack.smss);
            return is_full_length && (ack.lost > 0 || in_flight >= self.in_flight_at(gain, ack.smss));
        }
        is_full_length || in_flight <= self.in_flight_at(Gain::ONE, ack.smss)
    }

    /// Startup ends, and drain does. Returns the BDP if drain begins.
    pub(super) fn check_drain(&mut self, ack: &Ack) -> Option<u64> {
        let bdp = self.in_flight_at(Gain::ONE, ack.smss);
        let begins = self.mode == Mode::Startup && self.model.is_full;
        if begins {
            self.mode = Mode::Drain;
        }
        if self.mode == Mode::Drain && ack.in_flight <= bdp {
            self.enter_probe_bw();
        }
        begins.then_some(bdp)
    }

    pub(super) fn check_probe_rtt(&mut self, window: &mut CongestionWindow, max_rwnd: u64, ack: &Ack) {
        let is_old = self.model.update_min_rtt(ack);
        if is_old && !self.is_restarting && !self.mode.is_probe_rtt() {
            self.recovery.save_cwnd(window.cwnd(), false);
            self.mode = Mode::ProbeRtt { done_at: None, round_done: false };
            self.own_limit.0 = ack.totals.delivered;
        }
        if let Mode::ProbeRtt { done_at, round_done } = self.mode {
            self.own_limit.1 = ack.totals.delivered + ack.in_flight;
            if let Some(done_at) = done_at {
                let round_done = round_done || self.model.round_start;
                self.mode = Mode::ProbeRtt { done_at: Some(done_at), round_done };
                if round_done {
                    self.end_probe_rtt(window, max_rwnd, ack.now);
                }
            } else if ack.in_flight <= LEAST_SEGMENTS * ack.smss {
                self.mode = Mode::ProbeRtt { done_at: Some(ack.now + PROBE_RTT_TIME), round_done: false };
                self.model.begin_round();
            }
        }
        if ack.rate.is_some() {
            self.is_restarting = false;
        }
    }

    /// If it is time, PROBE_RTT ends with the window that it began with.
    pub(super) fn end_probe_rtt(&mut self, window: &mut CongestionWindow, max_rwnd: u64, now: Time) {
        let Mode::ProbeRtt { done_at: Some(done_at), .. } = self.mode else { return };
        if now <= done_at {
            return;
        }
        self.model.min_rtt_at = now;
        window.grow_to(window.cwnd().max(self.recovery.prior_cwnd()), max_rwnd);
        if self.model.is_full {
            self.enter_probe_bw();
        } else {
            self.mode = Mode::Startup;
        }
    }

    /// Whether PROBE_RTT limited what was sent when so much had been delivered.
    pub(super) fn limited_itself(&self, prior_delivered: u64) -> bool {
        (self.own_limit.0..=self.own_limit.1).contains(&prior_delivered)
    }
}
