//! What the model means for the sender: the pacing rate, the quantum, and cwnd.
//!
//! Source: draft-ietf-ccwg-bbr section 5.6.
//!
//! Deviation: the offload budget is one quantum, as for QUIC, and not three, as the draft has for TCP: the simulated hosts have
//! no offloads, so nothing waits in them. With three, cwnd would be six segments at least, and not the four of the draft.
//!
//! | parameter | value |
//! |---|---|
//! | pacing margin | 1 % below `bw` |
//! | quantum | what the rate sends in 1 ms, 2 segments at least and 64 KiB at most |
//! | `MinPipeCwnd` | 4 segments |

use super::signals::Rs;
use super::{Bbr3, INFINITY, State, bytes_in};
use crate::transmit_queue::bytes_per_second;
use base::Time;

/// Percent.
const PACING_MARGIN: u64 = 1;
const QUANTUM_TIME: Time = Time::from_ms(1);
const MOST_QUANTUM: u64 = 64 << 10;
const LEAST_QUANTUM_SEGMENTS: u64 = 2;
const MIN_PIPE_CWND_SEGMENTS: u64 = 4;
const UP_SEGMENTS: u64 = 2;
const RTT_BEFORE_THE_FIRST: Time = Time::from_ms(1);

impl Bbr3 {
    /// `InitPacingRate`.
    pub(super) fn init_pacing_rate(&mut self, srtt: Option<Time>) {
        let rtt = srtt.unwrap_or(RTT_BEFORE_THE_FIRST).max(Time::from_ps(1));
        let nominal = bytes_per_second(self.c.initial_cwnd, rtt);
        self.c.pacing_rate = (nominal / 100 * State::Startup.pacing_gain()).max(1);
        self.set_send_quantum();
    }

    /// `SetPacingRateWithGain`. Before the pipe was full the rate does not fall.
    pub(super) fn set_pacing_rate_with_gain(&mut self, gain: u64) {
        let rate = (self.bw * gain * (100 - PACING_MARGIN) / 10_000).max(1);
        if self.full_pipe.full_bw_reached || rate > self.c.pacing_rate {
            self.c.pacing_rate = rate;
        }
    }

    /// `SetSendQuantum`.
    pub(super) fn set_send_quantum(&mut self) {
        let quantum = bytes_in(self.c.pacing_rate, QUANTUM_TIME).min(MOST_QUANTUM);
        self.c.send_quantum = quantum.max(LEAST_QUANTUM_SEGMENTS * self.c.smss);
    }

    pub(super) fn min_pipe_cwnd(&self) -> u64 {
        MIN_PIPE_CWND_SEGMENTS * self.c.smss
    }

    /// `BBR.bdp`.
    pub(super) fn bdp(&self) -> u64 {
        self.bdp_multiple(self.bw, 100)
    }

    /// `BDPMultiple`: percent of the BDP.
    pub(super) fn bdp_multiple(&self, bw: u64, gain: u64) -> u64 {
        if self.min_rtt.min_rtt == Time::NEVER {
            return self.c.initial_cwnd;
        }
        bytes_in(bw, self.min_rtt.min_rtt) * gain / 100
    }

    /// `TargetInflight`.
    pub(super) fn target_inflight(&self) -> u64 {
        self.bdp().min(self.c.cwnd)
    }

    /// `QuantizationBudget`.
    fn quantization_budget(&self, inflight_cap: u64) -> u64 {
        let more = if self.state == State::ProbeBwUp { UP_SEGMENTS * self.c.smss } else { 0 };
        inflight_cap.max(self.c.send_quantum).max(self.min_pipe_cwnd()) + more
    }

    /// `Inflight`.
    pub(super) fn inflight(&self, bw: u64, gain: u64) -> u64 {
        self.quantization_budget(self.bdp_multiple(bw, gain))
    }

    /// `UpdateMaxInflight`.
    fn max_inflight(&self) -> u64 {
        let bdp = self.bdp_multiple(self.bw, self.state.cwnd_gain());
        self.quantization_budget(bdp + self.aggregation.extra_acked)
    }

    /// `SetCwnd`.
    pub(super) fn set_cwnd(&mut self, rs: &Rs) {
        let max_inflight = self.max_inflight();
        let grown = self.c.cwnd + rs.newly_acked;
        if self.full_pipe.full_bw_reached {
            self.c.cwnd = grown.min(max_inflight);
        } else if self.c.cwnd < max_inflight || self.c.delivered < self.c.initial_cwnd {
            self.c.cwnd = grown;
        }
        self.c.cwnd = self.c.cwnd.max(self.min_pipe_cwnd());
        if self.state == State::ProbeRtt {
            self.c.cwnd = self.c.cwnd.min(self.min_rtt.probe_rtt_cwnd);
        }
        self.bound_cwnd_for_model();
    }

    /// `BoundCwndForModel`.
    fn bound_cwnd_for_model(&mut self) {
        let longterm = match self.state {
            State::Startup | State::Drain => INFINITY,
            State::ProbeBwDown | State::ProbeBwRefill | State::ProbeBwUp => self.inflight_longterm,
            State::ProbeBwCruise | State::ProbeRtt => self.inflight_with_headroom(),
        };
        let cap = longterm.min(self.inflight_shortterm).max(self.min_pipe_cwnd());
        self.c.cwnd = self.c.cwnd.min(cap);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A BDP of 100 segments and a window of 150, in this state.
    fn flow(state: State) -> Bbr3 {
        let mut its = Bbr3::for_tests(1000, 150_000);
        (its.bw, its.max_bw, its.min_rtt.min_rtt) = (1_000_000, 1_000_000, Time::from_ms(100));
        (its.state, its.min_rtt.probe_rtt_cwnd) = (state, 50_000);
        its.full_pipe.fill();
        its
    }

    #[test]
    fn each_state_has_its_rate_a_percent_below_and_its_window() {
        for (state, rate, cwnd) in [
            (State::Startup, 2_742_300, 200_000),
            (State::Drain, 495_000, 200_000),
            (State::ProbeBwDown, 891_000, 200_000),
            (State::ProbeBwCruise, 990_000, 200_000),
            (State::ProbeBwRefill, 990_000, 200_000),
            (State::ProbeBwUp, 1_237_500, 227_000),
            (State::ProbeRtt, 990_000, 50_000),
        ] {
            let mut its = flow(state);
            its.set_pacing_rate_with_gain(state.pacing_gain());
            its.set_cwnd(&Rs { newly_acked: 100_000, ..Rs::default() });
            assert_eq!((its.c.pacing_rate, its.c.cwnd), (rate, cwnd), "{state:?}");
        }
    }

    /// Bounds of 90 segments in the long term, 15 % headroom below them: 76.5.
    #[test]
    fn each_state_has_its_bounds() {
        for (state, long, both) in [
            (State::ProbeBwDown, 90_000, 60_000),
            (State::ProbeBwCruise, 76_500, 60_000),
            (State::ProbeBwRefill, 90_000, 60_000),
            (State::ProbeBwUp, 90_000, 60_000),
        ] {
            let bounded = |inflight_shortterm| {
                let mut its = Bbr3 { inflight_longterm: 90_000, inflight_shortterm, ..flow(state) };
                its.set_cwnd(&Rs::default());
                its.c.cwnd
            };
            assert_eq!((bounded(INFINITY), bounded(60_000), bounded(10)), (long, both, 4000), "{state:?}");
        }
    }

    #[test]
    fn cwnd_grows_by_what_is_delivered_and_falls_at_once() {
        let mut its = flow(State::ProbeBwCruise);
        its.set_cwnd(&Rs { newly_acked: 1000, ..Rs::default() });
        assert_eq!(its.c.cwnd, 151_000);
        its.bw = 500_000;
        its.set_cwnd(&Rs { newly_acked: 1000, ..Rs::default() });
        assert_eq!(its.c.cwnd, 100_000);
        its.aggregation.extra_acked = 30_000;
        its.set_cwnd(&Rs { newly_acked: 100_000, ..Rs::default() });
        assert_eq!(its.c.cwnd, 130_000);
    }

    /// Before the pipe was full neither the rate nor cwnd falls, and cwnd grows at least until a first window is delivered.
    #[test]
    fn in_startup_nothing_falls() {
        let mut its = flow(State::Startup);
        its.full_pipe.full_bw_reached = false;
        (its.c.pacing_rate, its.bw, its.c.delivered, its.c.initial_cwnd) = (900_000, 100_000, 3000, 10_000);
        its.set_pacing_rate_with_gain(277);
        its.set_cwnd(&Rs { newly_acked: 2000, ..Rs::default() });
        assert_eq!((its.c.pacing_rate, its.c.cwnd), (900_000, 152_000));
        its.c.delivered = 10_000;
        its.set_cwnd(&Rs { newly_acked: 2000, ..Rs::default() });
        assert_eq!(its.c.cwnd, 152_000);
    }

    #[test]
    fn a_quantum_is_a_millisecond_within_bounds() {
        for (rate, quantum) in [(1_000_000, 2000), (5_000_000, 5000), (1_000_000_000, 65_536)] {
            let mut its = flow(State::ProbeBwCruise);
            its.c.pacing_rate = rate;
            its.set_send_quantum();
            assert_eq!(its.c.send_quantum, quantum);
        }
    }

    /// Ten segments in 100 ms, times 2.77; before an RTT is known, in 1 ms.
    #[test]
    fn the_first_rate_is_that_of_the_initial_window() {
        let mut its = Bbr3::for_tests(1000, 10_000);
        its.init_pacing_rate(Some(Time::from_ms(100)));
        assert_eq!(its.c.pacing_rate, 277_000);
        its.init_pacing_rate(None);
        assert_eq!(its.c.pacing_rate, 27_700_000);
    }

    /// As an RTT of picoseconds would measure it.
    #[test]
    fn the_highest_rate_has_its_multiples() {
        let mut its = flow(State::Startup);
        its.bw = bytes_per_second(u64::MAX, Time::from_ps(1));
        its.set_pacing_rate_with_gain(277);
        assert_eq!(its.c.pacing_rate, its.bw / 10_000 * 277 * 99);
        its.set_send_quantum();
        assert_eq!(its.c.send_quantum, MOST_QUANTUM);
    }
}
