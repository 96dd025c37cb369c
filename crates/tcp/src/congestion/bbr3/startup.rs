//! Startup, which doubles the rate in each round until the pipe is full, and Drain, which empties the queue that it has built.
//!
//! Source: draft-ietf-ccwg-bbr sections 5.3.1 and 5.3.2.
//!
//! Deviation: an exit by losses sets `full_bw_now`, too, as test case A.2 of the draft expects and its section 5.3.1.3 does
//! not say. If loss detection does not tell which ranges are lost (RFC 6675), each ACK with losses counts as one.
//!
//! | parameter | value |
//! |---|---|
//! | lost ranges of a round that end Startup | 6, with more than 2 % lost, after a round of fast recovery |
//! | Drain at most | 3 rounds |

use super::signals::Rs;
use super::{Bbr3, Recovery, State};

const FULL_LOSS_COUNT: u64 = 6;
const DRAIN_ROUNDS: u64 = 3;

impl Bbr3 {
    /// `CheckStartupDone`.
    pub(super) fn check_startup_done(&mut self, rs: &Rs) {
        self.check_startup_high_loss(rs);
        if self.state == State::Startup && self.full_pipe.full_bw_reached {
            self.enter_drain();
        }
    }

    /// `CheckStartupHighLoss`.
    fn check_startup_high_loss(&mut self, rs: &Rs) {
        // A loss round begins with the first loss, so one that ends has been spent in recovery.
        let is_over = if self.has_selective_acks {
            self.loss_round_start
                && self.lost_ranges_in_round >= FULL_LOSS_COUNT
                && self.is_inflight_too_high(rs.lost, rs.tx_in_flight)
        } else {
            self.lost_ranges_in_round > 0
        };
        if self.loss_round_start {
            self.lost_ranges_in_round = 0;
        }
        if self.state == State::Startup && is_over && self.recovery == Some(Recovery::Fast) {
            self.leave_startup_upon_losses();
        }
    }

    pub(super) fn leave_startup_upon_losses(&mut self) {
        self.undo.undo_state = Some(State::Startup);
        self.full_pipe.fill();
        self.inflight_longterm = self.bdp().max(self.inflight_latest);
    }

    fn enter_drain(&mut self) {
        self.state = State::Drain;
        self.drain_start_round = self.round_count;
    }

    /// `CheckDrainDone`.
    pub(super) fn check_drain_done(&mut self) {
        let is_drained = self.c.inflight <= self.inflight(self.bw, 100);
        if self.state == State::Drain
            && (is_drained || self.round_count > self.drain_start_round + DRAIN_ROUNDS)
        {
            self.start_probe_bw_down();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;

    /// In Startup at a BDP of 100 segments, in a fast recovery, at the end of a round that has lost 3 % in six ranges.
    fn losing() -> (Bbr3, Rs) {
        let mut its = Bbr3::for_tests(1000, 200_000);
        (its.bw, its.min_rtt.min_rtt, its.inflight_latest) = (1_000_000, Time::from_ms(100), 150_000);
        (its.recovery, its.loss_round_start, its.lost_ranges_in_round) = (Some(Recovery::Fast), true, 6);
        (its, Rs { tx_in_flight: 200_000, lost: 6000, ..Rs::default() })
    }

    fn leaves(change: impl FnOnce(&mut Bbr3, &mut Rs)) -> bool {
        let (mut its, mut rs) = losing();
        change(&mut its, &mut rs);
        its.check_startup_done(&rs);
        its.state == State::Drain
    }

    #[test]
    fn losses_end_startup_if_they_are_many_in_many_ranges_for_a_round_of_recovery() {
        assert!(leaves(|_, _| {}));
        assert!(!leaves(|its, _| its.loss_round_start = false));
        assert!(!leaves(|its, _| its.recovery = None));
        assert!(!leaves(|its, _| its.recovery = Some(Recovery::Timeout { until: 9 })));
        assert!(!leaves(|its, _| its.lost_ranges_in_round = 5));
        assert!(!leaves(|_, rs| rs.lost = 4000));
        assert!(leaves(|_, rs| rs.is_app_limited = true), "whether the application limits it or not");
    }

    #[test]
    fn without_sack_a_single_loss_of_a_recovery_ends_startup() {
        let one = |its: &mut Bbr3| {
            (its.has_selective_acks, its.loss_round_start, its.lost_ranges_in_round) = (false, false, 1);
        };
        assert!(leaves(|its, _| one(its)));
        assert!(!leaves(|its, _| (one(its), its.recovery = None).1));
    }

    #[test]
    fn what_was_delivered_in_the_round_is_safe() {
        let (mut its, rs) = losing();
        its.check_startup_done(&rs);
        assert_eq!((its.inflight_longterm, its.undo.undo_state), (150_000, Some(State::Startup)));
        assert!(its.full_pipe.full_bw_reached && its.full_pipe.full_bw_now);
        assert_eq!(its.lost_ranges_in_round, 0, "the next round counts from nothing");
    }

    #[test]
    fn drain_ends_with_the_queue_or_after_three_rounds() {
        let draining = |inflight, rounds: u64| {
            let (mut its, _) = losing();
            (its.state, its.drain_start_round, its.round_count) = (State::Drain, 10, 10 + rounds);
            its.c.inflight = inflight;
            its.check_drain_done();
            its.state == State::ProbeBwDown
        };
        assert!(draining(100_000, 0));
        assert!(!draining(100_001, 0));
        assert!(!draining(100_001, 3));
        assert!(draining(100_001, 4), "the fourth round has begun");
    }
}
