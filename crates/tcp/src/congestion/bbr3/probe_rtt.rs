//! The smallest RTT, and `ProbeRTT`, in which the flow sends half a BDP so that the queue empties and shows it.
//!
//! Source: draft-ietf-ccwg-bbr sections 5.3.4, 5.4 and 5.6.4.5.
//!
//! The smallest RTT is that of the last 10 s. When none was lower for 5 s, `ProbeRTT` begins; its window counts with the
//! RTT from before, since the next sample may be that of a full queue. It lasts until half a BDP was in flight for 200 ms and a
//! round. A flow that was idle has emptied the queue already.
//!
//! Deviations: the window of `ProbeRTT` is fixed when it begins, as in the editors' copy of 2026, which makes the interval 10 s
//! too; the published drafts up to -06 have 5 s. The rate samples of `ProbeRTT` count as limited by the application, as
//! in the draft, but not those of segments that are lost in it.
//!
//! | parameter | value |
//! |---|---|
//! | `MinRTTFilterLen` | 10 s |
//! | `ProbeRTTInterval` | 5 s |
//! | `ProbeRTTDuration` | 200 ms |
//! | `ProbeRTTCwndGain` | 50 % of the BDP, 4 segments at least |

use super::probe_bw::AckPhase;
use super::signals::Rs;
use super::{Bbr3, State};
use base::Time;

const MIN_RTT_FILTER_LEN: Time = Time::from_secs(10);
const PROBE_RTT_INTERVAL: Time = Time::from_secs(5);
const PROBE_RTT_DURATION: Time = Time::from_ms(200);

/// `BBR.min_rtt*` and `BBR.probe_rtt_*`.
#[derive(Clone, Copy, Debug)]
pub(super) struct MinRtt {
    /// [`Time::NEVER`] before the first sample.
    pub(super) min_rtt: Time,
    pub(super) min_rtt_stamp: Time,
    /// The smallest RTT of the last `ProbeRTTInterval`; [`Time::NEVER`] before the first sample.
    pub(super) probe_rtt_min_delay: Time,
    pub(super) probe_rtt_min_stamp: Time,
    pub(super) probe_rtt_expired: bool,
    pub(super) probe_rtt_done_stamp: Option<Time>,
    pub(super) probe_rtt_round_done: bool,
    pub(super) probe_rtt_cwnd: u64,
    /// Rate samples of what was sent after so much was delivered, and before so much was, are of the last `ProbeRTT`.
    limited: (u64, u64),
}

impl Default for MinRtt {
    fn default() -> Self {
        Self {
            min_rtt: Time::NEVER,
            min_rtt_stamp: Time::ZERO,
            probe_rtt_min_delay: Time::NEVER,
            probe_rtt_min_stamp: Time::ZERO,
            probe_rtt_expired: false,
            probe_rtt_done_stamp: None,
            probe_rtt_round_done: false,
            probe_rtt_cwnd: 0,
            limited: (1, 0),
        }
    }
}

impl Bbr3 {
    /// Whether the sample is of what `ProbeRTT` has held back.
    pub(super) fn is_limited_by_probe_rtt(&self, prior_delivered: Option<u64>) -> bool {
        let (from, to) = self.min_rtt.limited;
        prior_delivered.is_some_and(|prior| (from..=to).contains(&prior))
    }

    /// `UpdateMinRTT`.
    pub(super) fn update_min_rtt(&mut self, rs: &Rs) {
        let now = self.c.now;
        let expired = now > self.min_rtt.probe_rtt_min_stamp + PROBE_RTT_INTERVAL;
        self.min_rtt.probe_rtt_expired = expired;
        if expired && self.state != State::ProbeRtt {
            let gain = State::ProbeRtt.cwnd_gain();
            self.min_rtt.probe_rtt_cwnd = self.bdp_multiple(self.bw, gain).max(self.min_pipe_cwnd());
        }
        let its = &mut self.min_rtt;
        if let Some(rtt) = rs.rtt.filter(|&rtt| rtt < its.probe_rtt_min_delay || expired) {
            (its.probe_rtt_min_delay, its.probe_rtt_min_stamp) = (rtt, now);
        }
        if its.probe_rtt_min_delay < its.min_rtt || now > its.min_rtt_stamp + MIN_RTT_FILTER_LEN {
            (its.min_rtt, its.min_rtt_stamp) = (its.probe_rtt_min_delay, its.probe_rtt_min_stamp);
        }
    }

    /// A first RTT.
    pub(super) fn init_min_rtt(&mut self, rtt: Time) {
        let its = &mut self.min_rtt;
        (its.min_rtt, its.min_rtt_stamp) = (rtt, self.c.now);
        (its.probe_rtt_min_delay, its.probe_rtt_min_stamp) = (rtt, self.c.now);
    }

    /// `CheckProbeRTT`.
    pub(super) fn check_probe_rtt(&mut self, rs: &Rs) {
        if self.state != State::ProbeRtt && self.min_rtt.probe_rtt_expired && !self.idle_restart {
            self.save_cwnd();
            self.state = State::ProbeRtt;
            self.min_rtt.probe_rtt_done_stamp = None;
            self.min_rtt.limited.0 = self.c.delivered;
            self.probe.ack_phase = AckPhase::ProbeStopping;
            self.start_round();
        }
        if self.state == State::ProbeRtt {
            self.handle_probe_rtt();
        }
        if rs.delivered > 0 {
            self.idle_restart = false;
        }
    }

    /// `HandleProbeRTT`.
    fn handle_probe_rtt(&mut self) {
        self.min_rtt.limited.1 = self.c.delivered + self.c.inflight;
        if self.min_rtt.probe_rtt_done_stamp.is_some() {
            self.min_rtt.probe_rtt_round_done |= self.round_start;
            if self.min_rtt.probe_rtt_round_done {
                self.check_probe_rtt_done();
            }
        } else if self.c.inflight <= self.min_rtt.probe_rtt_cwnd {
            self.min_rtt.probe_rtt_done_stamp = Some(self.c.now + PROBE_RTT_DURATION);
            self.min_rtt.probe_rtt_round_done = false;
            self.start_round();
        }
    }

    /// `CheckProbeRTTDone`.
    fn check_probe_rtt_done(&mut self) {
        if self.min_rtt.probe_rtt_done_stamp.is_some_and(|done| self.c.now > done) {
            self.min_rtt.probe_rtt_min_stamp = self.c.now;
            self.restore_cwnd();
            self.exit_probe_rtt();
        }
    }

    /// `ExitProbeRTT`.
    fn exit_probe_rtt(&mut self) {
        self.reset_short_term_model();
        if self.full_pipe.full_bw_reached {
            self.start_probe_bw_down();
            self.start_probe_bw_cruise();
        } else {
            self.state = State::Startup;
        }
    }

    /// `HandleRestartFromIdle`, when there was nothing to send and nothing in flight.
    pub(super) fn handle_restart_from_idle(&mut self) {
        self.idle_restart = true;
        self.aggregation.extra_acked_interval_start = self.c.now;
        if self.state.is_probe_bw() {
            self.set_pacing_rate_with_gain(100);
        } else if self.state == State::ProbeRtt {
            self.check_probe_rtt_done();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    /// At a BDP of 100 segments since 1 s, in CRUISE, with a window of twice that.
    fn flow() -> Bbr3 {
        let mut its = Bbr3::for_tests(1000, 200_000);
        (its.bw, its.max_bw, its.state) = (1_000_000, 1_000_000, State::ProbeBwCruise);
        its.c.now = MS(1000);
        its.init_min_rtt(MS(100));
        (its.c.inflight, its.c.delivered) = (100_000, 5_000_000);
        its.full_pipe.fill();
        its
    }

    fn ack(its: &mut Bbr3, ms: u64, rtt_ms: u64) {
        its.c.now = MS(ms);
        let rs = Rs { rtt: Some(MS(rtt_ms)), delivered: 1000, ..Rs::default() };
        its.update_min_rtt(&rs);
        its.check_probe_rtt(&rs);
        its.set_cwnd(&rs);
    }

    /// At 6 s the RTT is five seconds old. The window is half of the BDP at 100 ms, whatever the next RTT is.
    #[test]
    fn it_begins_when_the_smallest_rtt_is_old_and_its_window_counts_with_that() {
        let mut its = flow();
        ack(&mut its, 6000, 150);
        assert_eq!((its.state, its.min_rtt.probe_rtt_min_delay), (State::ProbeBwCruise, MS(100)));
        ack(&mut its, 6001, 150);
        assert_eq!((its.state, its.min_rtt.probe_rtt_min_delay), (State::ProbeRtt, MS(150)));
        assert_eq!(its.min_rtt.min_rtt, MS(100), "for another five seconds");
        assert_eq!((its.min_rtt.probe_rtt_cwnd, its.c.cwnd), (50_000, 50_000));
        let mut fresh = flow();
        ack(&mut fresh, 5000, 100);
        ack(&mut fresh, 6001, 150);
        assert_eq!(fresh.state, State::ProbeRtt, "an RTT that is not lower does not refresh it");
        let mut lower = flow();
        ack(&mut lower, 5000, 99);
        ack(&mut lower, 9999, 150);
        assert_eq!((lower.state, lower.min_rtt.min_rtt), (State::ProbeBwCruise, MS(99)));
    }

    /// Half a BDP is in flight at 6.1 s: 200 ms and a round later it is over.
    #[test]
    fn it_lasts_for_200_ms_and_a_round() {
        let mut its = flow();
        ack(&mut its, 6001, 150);
        ack(&mut its, 6050, 120);
        assert_eq!(its.min_rtt.probe_rtt_done_stamp, None);
        its.c.inflight = 50_000;
        ack(&mut its, 6100, 100);
        assert_eq!(its.min_rtt.probe_rtt_done_stamp, Some(MS(6300)));
        let mut slow = its.clone();
        its.round_start = true;
        ack(&mut its, 6200, 100);
        its.round_start = false;
        ack(&mut its, 6300, 100);
        assert_eq!(its.state, State::ProbeRtt);
        its.bw_shortterm = 700_000;
        ack(&mut its, 6301, 100);
        assert_eq!((its.state, its.bw_shortterm), (State::ProbeBwCruise, super::super::INFINITY));
        assert_eq!((its.c.cwnd, its.min_rtt.probe_rtt_min_stamp), (200_000, MS(6301)));
        ack(&mut slow, 6400, 100);
        assert_eq!(slow.state, State::ProbeRtt, "no round is over");
        slow.round_start = true;
        ack(&mut slow, 6401, 100);
        assert_eq!(slow.state, State::ProbeBwCruise);
    }

    #[test]
    fn before_the_pipe_is_full_it_ends_in_startup() {
        let mut its = flow();
        its.full_pipe.full_bw_reached = false;
        its.state = State::Startup;
        its.c.inflight = 4000;
        ack(&mut its, 6001, 100);
        its.round_start = true;
        ack(&mut its, 6202, 100);
        assert_eq!(its.state, State::Startup);
    }

    #[test]
    fn a_flow_that_was_idle_does_not_probe() {
        let mut its = flow();
        its.c.now = MS(12_000);
        its.handle_restart_from_idle();
        assert!(its.idle_restart);
        assert_eq!(its.c.pacing_rate, 990_000, "a percent below bw");
        ack(&mut its, 12_100, 120);
        assert_eq!((its.state, its.idle_restart), (State::ProbeBwCruise, false));
        let MinRtt { min_rtt, min_rtt_stamp, .. } = its.min_rtt;
        assert_eq!((min_rtt, min_rtt_stamp), (MS(120), MS(12_100)), "its first RTT counts");
    }

    #[test]
    fn idleness_may_end_it() {
        let mut its = flow();
        ack(&mut its, 6001, 150);
        its.c.inflight = 0;
        ack(&mut its, 6100, 100);
        its.c.now = MS(12_000);
        its.handle_restart_from_idle();
        assert_eq!(its.state, State::ProbeBwCruise);
    }

    #[test]
    fn its_samples_are_limited() {
        let mut its = flow();
        ack(&mut its, 6001, 150);
        its.c.inflight = 50_000;
        ack(&mut its, 6100, 100);
        let limited = |prior| its.is_limited_by_probe_rtt(prior);
        let found = [4_999_999, 5_000_000, 5_050_000, 5_050_001].map(|prior| limited(Some(prior)));
        assert_eq!(found, [false, true, true, false]);
        assert!(!limited(None) && !flow().is_limited_by_probe_rtt(Some(0)));
    }
}
