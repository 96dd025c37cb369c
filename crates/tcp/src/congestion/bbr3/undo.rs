//! What a recovery leaves as it was before, if the loss turns out to be none; and cwnd, which every recovery gives back.
//!
//! Source: draft-ietf-ccwg-bbr sections 5.5.11 and 5.6.4.4.
//!
//! Deviation: the state is saved when a recovery begins, and not again at the first loss of each round. Losses that one ACK
//! reports may end a probe, which resets the round's signals; the next of them would overwrite what is to be restored.
//!
//! No parameters.

use super::{Bbr3, State};

/// `BBR.undo_*` and `BBR.prior_cwnd`. Bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Undo {
    /// The last cwnd that no recovery and no `ProbeRTT` had changed.
    pub(super) prior_cwnd: u64,
    /// The state that losses have ended.
    pub(super) undo_state: Option<State>,
    pub(super) undo_bw_shortterm: u64,
    pub(super) undo_inflight_shortterm: u64,
    pub(super) undo_inflight_longterm: u64,
}

impl Bbr3 {
    /// `SaveCwnd`.
    pub(super) fn save_cwnd(&mut self) {
        let is_modulated = self.recovery.is_some() || self.state == State::ProbeRtt;
        let least = if is_modulated { self.undo.prior_cwnd } else { 0 };
        self.undo.prior_cwnd = self.c.cwnd.max(least);
    }

    /// `RestoreCwnd`.
    pub(super) fn restore_cwnd(&mut self) {
        self.c.cwnd = self.c.cwnd.max(self.undo.prior_cwnd);
    }

    /// `SaveStateUponLoss`.
    pub(super) fn save_state_upon_loss(&mut self) {
        self.save_cwnd();
        self.undo = Undo {
            prior_cwnd: self.undo.prior_cwnd,
            undo_state: None,
            undo_bw_shortterm: self.bw_shortterm,
            undo_inflight_shortterm: self.inflight_shortterm,
            undo_inflight_longterm: self.inflight_longterm,
        };
    }

    /// `HandleSpuriousLossDetection`.
    pub(super) fn handle_spurious_loss_detection(&mut self) {
        self.restore_cwnd();
        self.is_loss_in_round = false;
        self.full_pipe.reset(0);
        self.bw_shortterm = self.bw_shortterm.max(self.undo.undo_bw_shortterm);
        self.inflight_shortterm = self.inflight_shortterm.max(self.undo.undo_inflight_shortterm);
        self.inflight_longterm = self.inflight_longterm.max(self.undo.undo_inflight_longterm);
        let is_elsewhere = |state| self.state != state && self.state != State::ProbeRtt;
        match self.undo.undo_state.take() {
            Some(State::Startup) if self.state != State::Startup => {
                self.full_pipe.full_bw_reached = false;
                if is_elsewhere(State::Startup) {
                    self.state = State::Startup;
                }
            }
            Some(State::ProbeBwUp) if is_elsewhere(State::ProbeBwUp) => self.start_probe_bw_refill(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::bbr3::{INFINITY, Recovery};

    #[test]
    fn cwnd_of_before_a_recovery_is_kept_through_it() {
        let mut its = Bbr3::for_tests(1000, 80_000);
        its.save_cwnd();
        (its.recovery, its.c.cwnd) = (Some(Recovery::Fast), 10_000);
        its.save_cwnd();
        assert_eq!(its.undo.prior_cwnd, 80_000);
        its.restore_cwnd();
        assert_eq!(its.c.cwnd, 80_000);
        (its.recovery, its.c.cwnd) = (None, 20_000);
        its.save_cwnd();
        assert_eq!(its.undo.prior_cwnd, 20_000, "outside of a recovery the last one counts");
    }

    /// A loss ends this state; then it turns out to be none. The flow is in `now` when that is known.
    fn undone(ended: State, now: State) -> Bbr3 {
        let mut its = Bbr3::for_tests(1000, 80_000);
        its.full_pipe.fill();
        its.inflight_longterm = 200_000;
        its.save_state_upon_loss();
        (its.undo.undo_state, its.state) = (Some(ended), now);
        (its.c.cwnd, its.bw_shortterm) = (10_000, 700_000);
        (its.inflight_shortterm, its.inflight_longterm) = (56_000, 120_000);
        its.handle_spurious_loss_detection();
        its
    }

    #[test]
    fn bounds_and_window_are_as_before_and_the_probe_begins_anew() {
        let its = undone(State::ProbeBwUp, State::ProbeBwDown);
        assert_eq!(its.state, State::ProbeBwRefill);
        assert_eq!((its.c.cwnd, its.inflight_longterm), (80_000, 200_000));
        assert_eq!((its.bw_shortterm, its.inflight_shortterm), (INFINITY, INFINITY));
        let its = undone(State::Startup, State::Drain);
        assert_eq!((its.state, its.full_pipe.full_bw_reached), (State::Startup, false));
    }

    #[test]
    fn probe_rtt_goes_on() {
        let its = undone(State::ProbeBwUp, State::ProbeRtt);
        assert_eq!((its.state, its.full_pipe.full_bw_reached), (State::ProbeRtt, true));
        let its = undone(State::Startup, State::ProbeRtt);
        assert_eq!((its.state, its.full_pipe.full_bw_reached), (State::ProbeRtt, false));
    }
}
