//! The cycle of `ProbeBW`: DOWN empties the queue, CRUISE keeps the rate, REFILL fills the pipe, UP looks for more.
//!
//! Source: draft-ietf-ccwg-bbr section 5.3.3.
//!
//! | state | ends |
//! |---|---|
//! | DOWN | in CRUISE when what is in flight leaves headroom and no queue; in REFILL when it is time to probe |
//! | CRUISE | in REFILL when it is time to probe |
//! | REFILL | in UP after a round |
//! | UP | in DOWN when the pipe is full, when more than 2 % is lost, or at `inflight_longterm` if the last probe lost too much |
//!
//! It is time to probe after 2 to 3 s, or after as many rounds as Reno would need to regain a window of the BDP, 63 at most;
//! after a short probe without loss, at once.
//!
//! Deviation: the BDP counts in segments rounded up. As whole segments it would be none where it is less than one, and the
//! flow would probe all the time.
//!
//! | parameter | value |
//! |---|---|
//! | headroom | 15 % of `inflight_longterm`, a segment at least |
//! | wait | 2 s and up to 1 s more, at random |
//! | rounds | 63 at most, counted from 0 or 1, at random |

use super::signals::Rs;
use super::{Bbr3, INFINITY, State};
use base::Time;

const LEAST_WAIT: Time = Time::from_secs(2);
const RANDOM_WAIT: Time = Time::from_secs(1);
const MOST_ROUNDS: u64 = 63;
/// Percent.
const HEADROOM: u64 = 15;

/// `BBR.ack_phase`: what ACKs say of a probe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AckPhase {
    #[default]
    Init,
    Refilling,
    ProbeStarting,
    ProbeFeedback,
    ProbeStopping,
}

/// How the cycle stands. Bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProbeBw {
    pub(super) ack_phase: AckPhase,
    /// ACKs are of what a probe has sent, and it has not lost too much.
    pub(super) is_bw_probe_sample: bool,
    /// Acknowledged since `inflight_longterm` last grew, and what it takes to grow by a segment; not 0 in `ProbeBW_UP`.
    pub(super) bw_probe_up_acked: u64,
    pub(super) probe_up_acked_per_inc: u64,
    /// Rounds in which it grew.
    pub(super) bw_probe_up_rounds: u32,
    pub(super) rounds_since_probe_up: u64,
    pub(super) bw_probe_wait: Time,
    /// When the cycle began.
    pub(super) cycle_stamp: Time,
    pub(super) prev_probe_too_high: bool,
    pub(super) prev_probe_precautionary: bool,
}

impl Bbr3 {
    /// `UpdateProbeBWCyclePhase`.
    pub(super) fn update_probe_bw_cycle_phase(&mut self, rs: &Rs) {
        if !self.full_pipe.full_bw_reached || self.adapt_long_term_model(rs) {
            return;
        }
        let state = self.state;
        match state {
            State::ProbeBwDown | State::ProbeBwCruise if self.is_time_to_probe_bw() => {
                self.start_probe_bw_refill();
            }
            State::ProbeBwDown if self.is_time_to_cruise() => self.start_probe_bw_cruise(),
            State::ProbeBwRefill if self.round_start => {
                self.probe.is_bw_probe_sample = true;
                self.start_probe_bw_up(rs);
            }
            State::ProbeBwUp if self.is_time_to_go_down(rs) => {
                self.probe.prev_probe_too_high = false;
                self.start_probe_bw_down();
            }
            _ => {}
        }
    }

    /// `IsTimeToProbeBW`.
    fn is_time_to_probe_bw(&self) -> bool {
        let reno_rounds = self.target_inflight().div_ceil(self.c.smss).min(MOST_ROUNDS);
        self.c.now > self.probe.cycle_stamp + self.probe.bw_probe_wait
            || self.probe.rounds_since_probe_up >= reno_rounds
    }

    /// `PickProbeWait`.
    fn pick_probe_wait(&mut self) {
        self.probe.rounds_since_probe_up = self.random.below(2);
        self.probe.bw_probe_wait = LEAST_WAIT + self.random.time_below(RANDOM_WAIT);
    }

    /// `IsTimeToCruise`.
    fn is_time_to_cruise(&self) -> bool {
        self.c.inflight <= self.inflight_with_headroom().min(self.inflight(self.max_bw, 100))
    }

    /// `IsTimeToGoDown`.
    fn is_time_to_go_down(&mut self, rs: &Rs) -> bool {
        if self.probe.prev_probe_too_high && self.c.inflight >= self.inflight_longterm {
            self.probe.prev_probe_precautionary = true;
            return true;
        }
        if self.is_cwnd_limited() && self.c.cwnd >= self.inflight_longterm {
            self.full_pipe.reset(rs.delivery_rate);
            return false;
        }
        self.full_pipe.full_bw_now
    }

    /// `InflightWithHeadroom`.
    pub(super) fn inflight_with_headroom(&self) -> u64 {
        if self.inflight_longterm == INFINITY {
            return INFINITY;
        }
        let headroom = (self.inflight_longterm / 100 * HEADROOM).max(self.c.smss);
        self.inflight_longterm.saturating_sub(headroom).max(self.min_pipe_cwnd())
    }

    pub(super) fn start_probe_bw_down(&mut self) {
        self.reset_congestion_signals();
        self.probe.probe_up_acked_per_inc = INFINITY;
        self.pick_probe_wait();
        self.probe.cycle_stamp = self.c.now;
        self.probe.ack_phase = AckPhase::ProbeStopping;
        self.start_round();
        self.state = State::ProbeBwDown;
    }

    pub(super) fn start_probe_bw_cruise(&mut self) {
        self.state = State::ProbeBwCruise;
    }

    pub(super) fn start_probe_bw_refill(&mut self) {
        self.reset_short_term_model();
        (self.probe.bw_probe_up_rounds, self.probe.bw_probe_up_acked) = (0, 0);
        self.probe.prev_probe_precautionary = false;
        self.probe.ack_phase = AckPhase::Refilling;
        self.start_round();
        self.state = State::ProbeBwRefill;
    }

    fn start_probe_bw_up(&mut self, rs: &Rs) {
        self.probe.ack_phase = AckPhase::ProbeStarting;
        self.start_round();
        self.full_pipe.reset(rs.delivery_rate);
        self.state = State::ProbeBwUp;
        self.raise_inflight_longterm_slope();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    /// At a BDP of `segments`, in a window of twice that, in this state for no time.
    fn flow(state: State, segments: u64) -> Bbr3 {
        let mut its = Bbr3::for_tests(1000, 2000 * segments);
        let bw = segments * 10_000;
        (its.bw, its.max_bw, its.min_rtt.min_rtt) = (bw, bw, MS(100));
        its.full_pipe.fill();
        its.c.now = Time::from_secs(50);
        its.start_probe_bw_down();
        its.c.inflight = 3000 * segments;
        Bbr3 { state, ..its }
    }

    fn next(mut its: Bbr3, rs: Rs) -> State {
        its.update_probe_bw_cycle_phase(&rs);
        its.state
    }

    #[test]
    fn it_waits_for_two_to_three_seconds_or_for_the_rounds_of_reno() {
        for state in [State::ProbeBwDown, State::ProbeBwCruise] {
            let mut its = flow(state, 100);
            let wait = its.probe.bw_probe_wait;
            assert!((MS(2000)..MS(3000)).contains(&wait), "{wait}");
            assert!(its.probe.rounds_since_probe_up < 2);
            its.c.now += wait;
            assert_eq!(next(its.clone(), Rs::default()), state, "not later yet");
            its.c.now += Time::from_ps(1);
            assert_eq!(next(its, Rs::default()), State::ProbeBwRefill);
            for (segments, rounds) in [(100, 63), (40, 40)] {
                let its = |rounds| {
                    let mut its = flow(state, segments);
                    its.probe.rounds_since_probe_up = rounds;
                    next(its, Rs::default())
                };
                assert_eq!((its(rounds - 1), its(rounds)), (state, State::ProbeBwRefill), "{segments}");
            }
        }
    }

    #[test]
    fn a_bdp_of_less_than_a_segment_waits_for_a_round() {
        let mut its = flow(State::ProbeBwCruise, 1);
        (its.bw, its.probe.rounds_since_probe_up) = (5000, 0);
        assert_eq!(next(its.clone(), Rs::default()), State::ProbeBwCruise);
        its.probe.rounds_since_probe_up = 1;
        assert_eq!(next(its, Rs::default()), State::ProbeBwRefill);
    }

    #[test]
    fn it_cruises_when_the_queue_is_gone_and_headroom_is_left() {
        for (inflight_longterm, least) in [(INFINITY, 100_000), (200_000, 100_000), (80_000, 68_000)] {
            let its = |inflight| {
                let mut its = Bbr3 { inflight_longterm, ..flow(State::ProbeBwDown, 100) };
                its.c.inflight = inflight;
                next(its, Rs::default())
            };
            assert_eq!((its(least), its(least + 1)), (State::ProbeBwCruise, State::ProbeBwDown));
        }
    }

    #[test]
    fn headroom_is_a_segment_at_least_and_the_least_window_remains() {
        let its = |inflight_longterm| Bbr3 { inflight_longterm, ..flow(State::ProbeBwDown, 100) };
        assert_eq!(its(5900).inflight_with_headroom(), 4900);
        assert_eq!(its(4000).inflight_with_headroom(), 4000);
        assert_eq!(its(INFINITY).inflight_with_headroom(), INFINITY);
    }

    #[test]
    fn the_pipe_is_refilled_for_a_round() {
        let mut its = flow(State::ProbeBwRefill, 100);
        its.update_probe_bw_cycle_phase(&Rs::default());
        assert_eq!(its.state, State::ProbeBwRefill);
        its.round_start = true;
        its.update_probe_bw_cycle_phase(&Rs { delivery_rate: 990_000, ..Rs::default() });
        assert_eq!((its.state, its.full_pipe.full_bw), (State::ProbeBwUp, 990_000));
        assert!(its.probe.is_bw_probe_sample);
        assert_eq!(its.probe.ack_phase, AckPhase::ProbeStarting);
    }

    /// At `inflight_longterm` the flow cannot see a plateau: the search begins anew.
    #[test]
    fn up_ends_at_a_plateau_unless_the_long_term_bound_makes_it() {
        let up = |full_bw_now, bound| {
            let mut its = Bbr3 { inflight_longterm: bound, ..flow(State::ProbeBwUp, 100) };
            its.full_pipe.full_bw_now = full_bw_now;
            its.limited_round = Some(its.round_count);
            its.update_probe_bw_cycle_phase(&Rs::default());
            (its.state, its.full_pipe.full_bw_now)
        };
        assert_eq!(up(true, INFINITY).0, State::ProbeBwDown);
        assert_eq!(up(false, INFINITY).0, State::ProbeBwUp);
        assert_eq!(up(true, 200_000), (State::ProbeBwUp, false));
    }

    /// After a probe that lost too much, the next one ends at the bound. If a round shows no loss, another one follows at once,
    /// which the bound does not end.
    #[test]
    fn a_probe_after_losses_is_short_and_is_repeated_without_the_bound() {
        let mut its = Bbr3 { inflight_longterm: 150_000, ..flow(State::ProbeBwUp, 100) };
        (its.probe.prev_probe_too_high, its.probe.is_bw_probe_sample) = (true, true);
        its.full_pipe.reset(0);
        its.c.inflight = 149_999;
        its.update_probe_bw_cycle_phase(&Rs::default());
        assert_eq!(its.state, State::ProbeBwUp);
        its.c.inflight = 150_000;
        its.update_probe_bw_cycle_phase(&Rs::default());
        assert_eq!(its.state, State::ProbeBwDown);
        assert!(its.probe.prev_probe_precautionary && !its.probe.prev_probe_too_high);
        let mut lossy = its.clone();
        its.round_start = true;
        its.update_probe_bw_cycle_phase(&Rs::default());
        assert_eq!((its.state, its.probe.prev_probe_precautionary), (State::ProbeBwRefill, false));
        lossy.handle_inflight_too_high(150_000, false);
        lossy.round_start = true;
        lossy.update_probe_bw_cycle_phase(&Rs::default());
        assert_eq!(lossy.state, State::ProbeBwDown, "what it sent was lost");
    }

    #[test]
    fn the_filter_of_max_bw_moves_on_a_round_after_up() {
        let mut its = flow(State::ProbeBwDown, 100);
        its.update_probe_bw_cycle_phase(&Rs::default());
        assert_eq!(its.cycle_count, 0);
        let mut limited = its.clone();
        its.round_start = true;
        its.update_probe_bw_cycle_phase(&Rs::default());
        assert_eq!((its.cycle_count, its.probe.ack_phase), (1, AckPhase::Init));
        limited.round_start = true;
        limited.update_probe_bw_cycle_phase(&Rs { is_app_limited: true, ..Rs::default() });
        assert_eq!(limited.cycle_count, 0);
    }
}
