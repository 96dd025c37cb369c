//! The long-term model: how much in flight the path takes without losing more than it may.
//!
//! Source: draft-ietf-ccwg-bbr sections 5.3.3.7 (growth) and 5.5.10.2 (losses).
//!
//! A loss counts with what was in flight when the lost segment was sent, and with what was lost since then: loss detection finds
//! it late, when both may have changed. `inflight_longterm` becomes what was in flight where the losses exceeded the threshold.
//!
//! Deviation: if loss detection does not list what it finds lost (RFC 6675), the segment that shows the losses stands for
//! them, as in versions of the draft before that.
//!
//! | parameter | value |
//! |---|---|
//! | `LossThresh` | 2 % of what is in flight |
//! | Beta | 0.7 of the BDP or of cwnd remains at least |
//! | growth in `ProbeBW_UP` | 1, 2, 4 ... 2^30 segments in a round, as far as cwnd limits the flow |

use super::probe_bw::AckPhase;
use super::signals::Rs;
use super::{Bbr3, INFINITY, State};
use crate::transmit_queue::LostSegment;

/// Percent.
const LOSS_THRESH: u64 = 2;
const MOST_UP_ROUNDS: u32 = 30;

impl Bbr3 {
    /// `IsInflightTooHigh`: so much was lost of what was in flight.
    pub(super) fn is_inflight_too_high(&self, lost: u64, tx_in_flight: u64) -> bool {
        lost * 100 > tx_in_flight * LOSS_THRESH || (lost > 0 && !self.has_selective_acks)
    }

    /// `HandleLostPacket`.
    pub(super) fn handle_lost_packet(&mut self, lost: &LostSegment) {
        self.note_loss();
        if self.probe.is_bw_probe_sample && self.is_inflight_too_high(lost.lost, lost.tx_in_flight) {
            self.handle_inflight_too_high(inflight_at_loss(lost), lost.is_app_limited);
        }
    }

    /// Losses that are not listed.
    pub(super) fn handle_losses(&mut self, rs: &Rs) {
        self.note_loss();
        if self.probe.is_bw_probe_sample && self.is_inflight_too_high(rs.lost, rs.tx_in_flight) {
            self.handle_inflight_too_high(rs.tx_in_flight, rs.is_app_limited);
        }
    }

    /// `HandleInflightTooHigh`.
    pub(super) fn handle_inflight_too_high(&mut self, tx_in_flight: u64, is_app_limited: bool) {
        self.probe.prev_probe_too_high = true;
        self.probe.is_bw_probe_sample = false;
        if !is_app_limited {
            self.inflight_longterm = tx_in_flight.max(super::beta(self.target_inflight()));
        }
        if self.state == State::ProbeBwUp {
            self.undo.undo_state = Some(State::ProbeBwUp);
            self.start_probe_bw_down();
        }
    }

    /// `AdaptLongTermModel`. True if it has decided on the next state.
    pub(super) fn adapt_long_term_model(&mut self, rs: &Rs) -> bool {
        if self.round_start && self.probe.ack_phase == AckPhase::ProbeStarting {
            self.probe.ack_phase = AckPhase::ProbeFeedback;
        }
        if self.round_start && self.probe.ack_phase == AckPhase::ProbeStopping {
            self.probe.is_bw_probe_sample = false;
            self.probe.ack_phase = AckPhase::Init;
            if self.state.is_probe_bw() {
                if !rs.is_app_limited {
                    self.cycle_count += 1;
                }
                if self.probe.prev_probe_precautionary && !self.probe.prev_probe_too_high {
                    self.start_probe_bw_refill();
                    return true;
                }
            }
        }
        if self.inflight_longterm < INFINITY && !self.is_inflight_too_high(rs.lost, rs.tx_in_flight) {
            self.inflight_longterm = self.inflight_longterm.max(rs.tx_in_flight);
            if self.state == State::ProbeBwUp {
                self.probe_inflight_longterm_upward(rs);
            }
        }
        false
    }

    /// `RaiseInflightLongtermSlope`.
    pub(super) fn raise_inflight_longterm_slope(&mut self) {
        let growth_this_round = 1 << self.probe.bw_probe_up_rounds;
        self.probe.bw_probe_up_rounds = (self.probe.bw_probe_up_rounds + 1).min(MOST_UP_ROUNDS);
        self.probe.probe_up_acked_per_inc = (self.c.cwnd / growth_this_round).max(self.c.smss);
    }

    /// `ProbeInflightLongtermUpward`.
    fn probe_inflight_longterm_upward(&mut self, rs: &Rs) {
        if !self.is_cwnd_limited() || self.c.cwnd < self.inflight_longterm {
            return;
        }
        self.probe.bw_probe_up_acked += rs.newly_acked;
        let delta = self.probe.bw_probe_up_acked / self.probe.probe_up_acked_per_inc;
        self.probe.bw_probe_up_acked -= delta * self.probe.probe_up_acked_per_inc;
        self.inflight_longterm += delta * self.c.smss;
        if self.round_start {
            self.raise_inflight_longterm_slope();
        }
    }
}

/// `InflightAtLoss`: what was in flight where the losses exceeded the threshold, perhaps within this segment.
fn inflight_at_loss(lost: &LostSegment) -> u64 {
    let inflight_prev = lost.tx_in_flight.saturating_sub(lost.bytes) as i64;
    let lost_prev = (lost.lost - lost.bytes) as i64;
    let thresh = LOSS_THRESH as i64;
    let lost_prefix = (thresh * inflight_prev - 100 * lost_prev) / (100 - thresh);
    (inflight_prev + lost_prefix).max(0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Time;

    fn lost(bytes: u64, tx_in_flight: u64, lost: u64) -> LostSegment {
        LostSegment { bytes, tx_in_flight, lost, is_app_limited: false }
    }

    /// A hundred segments were in flight with the lost one. It is the third: with 2 lost of 99 the threshold was passed already,
    /// (2 - 1.98) / 0.98 segments before it. It is the second: 1 of 99, and 0.98 / 0.98 = 1 segment more would do.
    #[test]
    fn the_threshold_may_be_passed_within_a_segment_or_before() {
        assert_eq!(inflight_at_loss(&lost(1000, 100_000, 3000)), 99_000 - 20);
        assert_eq!(inflight_at_loss(&lost(1000, 100_000, 2000)), 99_000 + 1000);
        assert_eq!(inflight_at_loss(&lost(1000, 1000, 1000)), 0, "nothing else was in flight");
        // A burst of ten segments, all of it lost of 50,000 bytes: 40,000 before it; after 816 of its bytes 2 % are lost.
        assert_eq!(inflight_at_loss(&lost(10_000, 50_000, 10_000)), 40_000 + 816);
    }

    /// A flow in `ProbeBW_UP` at a BDP of 100 segments, and a window of as many.
    fn probing() -> Bbr3 {
        let mut its = Bbr3::for_tests(1000, 100_000);
        (its.bw, its.max_bw, its.min_rtt.min_rtt) = (1_000_000, 1_000_000, Time::from_ms(100));
        its.full_pipe.fill();
        its.state = State::ProbeBwUp;
        its.probe.is_bw_probe_sample = true;
        its
    }

    #[test]
    fn losses_above_the_threshold_end_the_probe_once() {
        let mut its = probing();
        its.handle_lost_packet(&lost(1000, 110_000, 1000));
        its.handle_lost_packet(&lost(1000, 110_000, 2000));
        assert_eq!((its.state, its.inflight_longterm), (State::ProbeBwUp, INFINITY), "2 of 110 are allowed");
        its.handle_lost_packet(&lost(1000, 110_000, 3000));
        assert_eq!((its.state, its.probe.ack_phase), (State::ProbeBwDown, AckPhase::ProbeStopping));
        // 2000 of 109,000 before it; 180 bytes of it are 2 %: (2180 - 2000) / 0.98 = 183.
        assert_eq!((its.inflight_longterm, its.probe.prev_probe_too_high), (109_183, true));
        its.handle_lost_packet(&lost(1000, 50_000, 4000));
        assert_eq!(its.inflight_longterm, 109_183, "once in a probe");
    }

    /// What is sent little of counts with seven tenths of the BDP; what the application limits does not count at all.
    #[test]
    fn seven_tenths_remain_at_least() {
        let mut its = probing();
        its.handle_lost_packet(&lost(1000, 20_000, 3000));
        assert_eq!(its.inflight_longterm, 70_000);
        let mut limited = probing();
        limited.handle_lost_packet(&LostSegment { is_app_limited: true, ..lost(1000, 20_000, 3000) });
        assert_eq!((limited.state, limited.inflight_longterm), (State::ProbeBwDown, INFINITY));
    }

    /// The window is full all the time: 1, 2, 4, 8 segments in successive rounds of a window each.
    #[test]
    fn in_each_round_it_grows_by_twice_as_much_as_in_the_one_before() {
        let mut its = probing();
        its.inflight_longterm = 100_000;
        its.raise_inflight_longterm_slope();
        let mut grown = Vec::new();
        for _ in 0..5 {
            its.c.cwnd = its.inflight_longterm;
            let before = its.inflight_longterm;
            let segments = its.c.cwnd / 1000;
            for n in 0..segments {
                its.limited_round = Some(its.round_count);
                its.round_start = n + 1 == segments;
                its.probe_inflight_longterm_upward(&Rs { newly_acked: 1000, ..Rs::default() });
                its.c.cwnd = its.inflight_longterm;
            }
            grown.push((its.inflight_longterm - before) / 1000);
        }
        assert_eq!(grown, [1, 2, 4, 8, 16]);
        its.limited_round = None;
        its.probe_inflight_longterm_upward(&Rs { newly_acked: 1_000_000, ..Rs::default() });
        assert_eq!(its.inflight_longterm, 131_000, "cwnd does not limit the flow");
    }

    #[test]
    fn what_was_in_flight_without_loss_is_safe() {
        let mut its = Bbr3 { inflight_longterm: 100_000, state: State::ProbeBwCruise, ..probing() };
        its.adapt_long_term_model(&Rs { tx_in_flight: 120_000, lost: 2400, ..Rs::default() });
        assert_eq!(its.inflight_longterm, 120_000, "2 % are allowed");
        its.adapt_long_term_model(&Rs { tx_in_flight: 130_000, lost: 2601, ..Rs::default() });
        assert_eq!(its.inflight_longterm, 120_000);
    }
}
