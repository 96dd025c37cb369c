//! What an ACK says, and the short-term model: what the path has carried in the last round, once it loses packets.
//!
//! Source: draft-ietf-ccwg-bbr sections 5.5.1, 5.5.2, 5.5.5 and 5.5.10.3.
//!
//! Deviations: a round ends with an ACK whose rate sample is valid; one that acknowledges only what was sent again, in less
//! than the smallest RTT, ends none. A mark (ECN) counts as a loss: the draft leaves it open how to react, but says that a flow
//! which offers ECN must.
//!
//! | parameter | value |
//! |---|---|
//! | Beta | 0.7: what a round with losses leaves of the short-term model at least |
//! | window of `max_bw` | 2 probe cycles |

use super::{Bbr3, INFINITY};
use crate::congestion::AckSample;
use base::Time;

pub(super) const CYCLES: usize = 2;

/// `RS.*`: what an ACK says. Bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rs {
    /// Delivered by this ACK.
    pub(super) newly_acked: u64,
    /// Bytes per second; 0 if there is no sample.
    pub(super) delivery_rate: u64,
    /// Delivered while the segment sent last of those was in flight.
    pub(super) delivered: u64,
    /// Delivered when that one was sent.
    pub(super) prior_delivered: Option<u64>,
    /// In flight when it was sent, itself included.
    pub(super) tx_in_flight: u64,
    /// Lost while it was in flight.
    pub(super) lost: u64,
    pub(super) is_app_limited: bool,
    pub(super) rtt: Option<Time>,
}

impl Rs {
    pub(super) fn of(sample: &AckSample, delivered_so_far: u64) -> Self {
        let path = sample.queue.and_then(|queue| queue.path);
        let its =
            Self { newly_acked: sample.delivered, rtt: path.and_then(|path| path.rtt), ..Self::default() };
        let Some(rate) = path.and_then(|path| path.rate) else { return its };
        Self {
            delivery_rate: rate.bytes_per_second(),
            delivered: rate.delivered,
            prior_delivered: Some(delivered_so_far - rate.delivered),
            tx_in_flight: rate.tx_in_flight,
            lost: rate.lost,
            is_app_limited: rate.is_app_limited,
            ..its
        }
    }
}

impl Bbr3 {
    /// `StartRound`.
    pub(super) fn start_round(&mut self) {
        self.next_round_delivered = self.c.delivered;
    }

    fn update_round(&mut self, rs: &Rs) {
        self.round_start = rs.prior_delivered.is_some_and(|prior| prior >= self.next_round_delivered);
        if self.round_start {
            self.start_round();
            self.round_count += 1;
            self.probe.rounds_since_probe_up += 1;
        }
    }

    /// `UpdateLatestDeliverySignals`.
    pub(super) fn update_latest_delivery_signals(&mut self, rs: &Rs) {
        self.bw_latest = self.bw_latest.max(rs.delivery_rate);
        self.inflight_latest = self.inflight_latest.max(rs.delivered);
        self.loss_round_start = rs.prior_delivered.is_some_and(|prior| prior >= self.loss_round_delivered);
        if self.loss_round_start {
            self.loss_round_delivered = self.c.delivered;
        }
    }

    /// `AdvanceLatestDeliverySignals`.
    pub(super) fn advance_latest_delivery_signals(&mut self, rs: &Rs) {
        if self.loss_round_start {
            (self.bw_latest, self.inflight_latest) = (rs.delivery_rate, rs.delivered);
        }
    }

    /// `ResetCongestionSignals`.
    pub(super) fn reset_congestion_signals(&mut self) {
        (self.is_loss_in_round, self.bw_latest, self.inflight_latest) = (false, 0, 0);
    }

    /// `UpdateCongestionSignals`.
    pub(super) fn update_congestion_signals(&mut self, rs: &Rs) {
        self.update_max_bw(rs);
        if !self.loss_round_start {
            return;
        }
        if self.is_loss_in_round && !self.state.is_probing() {
            self.adapt_lower_bounds();
        }
        self.is_loss_in_round = false;
    }

    /// `UpdateMaxBw`.
    fn update_max_bw(&mut self, rs: &Rs) {
        self.update_round(rs);
        if rs.delivery_rate > 0 && (rs.delivery_rate >= self.max_bw || !rs.is_app_limited) {
            self.max_bw = self.max_bw_filter.update(self.cycle_count, rs.delivery_rate, CYCLES);
        }
    }

    /// `InitLowerBounds` and `LossLowerBounds`: once in a round with losses.
    fn adapt_lower_bounds(&mut self) {
        if self.bw_shortterm == INFINITY {
            self.bw_shortterm = self.max_bw;
        }
        if self.inflight_shortterm == INFINITY {
            self.inflight_shortterm = self.c.cwnd;
        }
        self.bw_shortterm = self.bw_latest.max(super::beta(self.bw_shortterm));
        self.inflight_shortterm = self.inflight_latest.max(super::beta(self.inflight_shortterm));
    }

    /// `ResetShortTermModel`.
    pub(super) fn reset_short_term_model(&mut self) {
        (self.bw_shortterm, self.inflight_shortterm) = (INFINITY, INFINITY);
    }

    /// `BoundBWForModel`.
    pub(super) fn bound_bw_for_model(&mut self) {
        self.bw = self.max_bw.min(self.bw_shortterm);
    }

    /// `NoteLoss`.
    pub(super) fn note_loss(&mut self) {
        if !self.is_loss_in_round {
            self.loss_round_delivered = self.c.delivered;
        }
        self.is_loss_in_round = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::bbr3::State;

    /// A flow in `ProbeBW_CRUISE` at 1,000,000 bytes a second with a window of 50,000 bytes.
    fn cruising() -> Bbr3 {
        let its = Bbr3::for_tests(1000, 50_000);
        Bbr3 { state: State::ProbeBwCruise, max_bw: 1_000_000, bw: 1_000_000, ..its }
    }

    /// The last ACK of a round in which the path has carried so much.
    fn end_round(its: &mut Bbr3, delivery_rate: u64, delivered: u64) {
        its.c.delivered += delivered;
        let prior_delivered = Some(its.loss_round_delivered);
        let rs = Rs { delivery_rate, delivered, prior_delivered, is_app_limited: true, ..Rs::default() };
        its.update_latest_delivery_signals(&rs);
        its.update_congestion_signals(&rs);
        its.advance_latest_delivery_signals(&rs);
        its.bound_bw_for_model();
    }

    /// 990,000 was delivered: the flow keeps that. Then half of that: 0.7 of what it was at most. Without a loss it stays.
    #[test]
    fn a_round_with_losses_leaves_what_was_delivered_but_seven_tenths_at_least() {
        let mut its = cruising();
        its.note_loss();
        end_round(&mut its, 990_000, 48_000);
        assert_eq!((its.bw_shortterm, its.inflight_shortterm, its.bw), (990_000, 48_000, 990_000));
        end_round(&mut its, 400_000, 20_000);
        assert_eq!((its.bw_shortterm, its.inflight_shortterm), (990_000, 48_000), "no loss in this round");
        its.note_loss();
        end_round(&mut its, 300_000, 20_000);
        assert_eq!((its.bw_shortterm, its.inflight_shortterm, its.bw), (693_000, 33_600, 693_000));
        its.reset_short_term_model();
        end_round(&mut its, 300_000, 20_000);
        assert_eq!((its.bw, its.inflight_shortterm), (1_000_000, INFINITY));
    }

    #[test]
    fn while_it_probes_losses_leave_the_short_term_model_alone() {
        for state in [State::Startup, State::ProbeBwRefill, State::ProbeBwUp] {
            let mut its = Bbr3 { state, ..cruising() };
            its.note_loss();
            end_round(&mut its, 300_000, 20_000);
            assert_eq!((its.bw, its.inflight_shortterm), (1_000_000, INFINITY), "{state:?}");
        }
    }

    #[test]
    fn max_bw_forgets_after_two_cycles_and_takes_limited_samples_only_if_they_are_higher() {
        let mut its = Bbr3::for_tests(1000, 50_000);
        let mut take = |cycle, delivery_rate, is_app_limited| {
            its.cycle_count = cycle;
            its.update_max_bw(&Rs { delivery_rate, is_app_limited, ..Rs::default() });
            its.max_bw
        };
        assert_eq!(take(0, 900, false), 900);
        assert_eq!(take(0, 800, true), 900);
        assert_eq!(take(0, 1000, true), 1000, "a limited sample that is higher");
        assert_eq!(take(1, 500, false), 1000);
        assert_eq!(take(2, 400, true), 1000, "a limited sample moves nothing");
        assert_eq!(take(2, 400, false), 500);
        assert_eq!(take(3, 400, false), 400);
    }

    #[test]
    fn a_round_ends_when_something_sent_in_it_is_delivered() {
        let mut its = Bbr3::for_tests(1000, 50_000);
        for (prior, delivered, rounds) in [(0, 1000, 1), (0, 2000, 1), (1000, 3000, 2), (2000, 4000, 2)] {
            its.c.delivered = delivered;
            its.update_round(&Rs { prior_delivered: Some(prior), ..Rs::default() });
            assert_eq!(its.round_count, rounds, "{prior}");
        }
        its.update_round(&Rs::default());
        assert!(!its.round_start);
    }
}
