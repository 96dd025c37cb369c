//! The cycle that probes for bandwidth.

use super::path::{Fate, Lab, MS, SMSS};
use crate::congestion::bbr3::{INFINITY, State};
use base::Time;

const RATE: u64 = 50_000_000;

/// A flow that is backlogged, in this state for the first time.
fn flow_in(state: State) -> Lab {
    let mut lab = Lab::new(RATE, MS(40));
    lab.run_to(state, MS(10_000));
    lab
}

/// More than the path carries is sent, and the rate does not grow: after three rounds UP ends.
#[test]
fn exiting_probe_up_on_bandwidth_plateau() {
    let mut lab = flow_in(State::ProbeBwUp);
    let start = lab.bbr().round_count;
    let mut counts = vec![0];
    lab.run_until(MS(1000), |lab| {
        let bbr = lab.bbr();
        if *counts.last().unwrap() != bbr.full_pipe.full_bw_count {
            counts.push(bbr.full_pipe.full_bw_count);
        }
        bbr.state != State::ProbeBwUp
    });
    let bbr = lab.bbr();
    assert_eq!((bbr.state, counts), (State::ProbeBwDown, vec![0, 1, 2, 3]));
    assert!(bbr.full_pipe.full_bw_now);
    assert_eq!((bbr.round_count, lab.lost), (start + 3, 0));
}

/// Lets the application write four fifths of the rate, one packet at a time, from the next state on.
fn limit(lab: &mut Lab) {
    let interval = Time::from_ps((SMSS as f64 / (0.8 * lab.capacity()) * 1e12) as u64);
    lab.write_every(SMSS, interval);
}

/// A flow whose application has sent all in UP, and writes less than the path carries since. A first flow shows how much must
/// be written for that: what it has sent when REFILL begins, and a quarter of a BDP.
fn limited_in_up() -> Lab {
    let first = flow_in(State::ProbeBwRefill);
    let sent = first.delivered() + first.sender.in_flight();
    let more = first.bbr().bdp() / 4;
    let mut lab = Lab::idle(RATE, MS(40));
    lab.write(sent + more);
    lab.run_to(State::ProbeBwRefill, MS(10_000));
    limit(&mut lab);
    lab.run_to(State::ProbeBwUp, MS(1000));
    lab.run_for(MS(500));
    assert_eq!(lab.state(), State::ProbeBwUp);
    lab
}

/// The application limits the flow in UP; then one of twenty packets is lost. UP ends, and DOWN with the same ACK, since less
/// than a BDP is in flight. The volume is not what the flow could have sent, so the loss sets no long-term bound.
#[test]
fn exiting_probe_up_on_loss_when_application_limited() {
    let mut lab = limited_in_up();
    lab.path.fate = Box::new(|number, _| if number % 20 == 0 { Fate::Lose } else { Fate::Pass });
    assert_eq!(lab.run_on(MS(300)), State::ProbeBwCruise);
    let bbr = lab.bbr();
    assert!(bbr.probe.prev_probe_too_high && !bbr.probe.is_bw_probe_sample);
    assert_eq!((bbr.undo.undo_state, bbr.inflight_longterm), (Some(State::ProbeBwUp), INFINITY));
}

/// As long as the application limits the flow and nothing is lost, UP and Startup go on; `ProbeRTT` alone ends them.
#[test]
fn never_exiting_probe_up_or_startup_when_application_limited_with_no_loss() {
    let mut up = limited_in_up();
    let rtt_is_old = up.bbr().min_rtt.probe_rtt_min_stamp + MS(5000);
    up.run_until(MS(20_000), |lab| lab.state() != State::ProbeBwUp);
    assert_eq!((up.state(), up.now > rtt_is_old), (State::ProbeRtt, true));
    let mut startup = Lab::idle(200_000_000, MS(40));
    startup.write_every(10_000, MS(1));
    startup.run_until(MS(20_000), |lab| lab.state() != State::Startup);
    assert_eq!((startup.state(), startup.now > MS(5000)), (State::ProbeRtt, true));
    startup.run_to(State::Startup, MS(1000));
    startup.run_for(MS(4000));
    assert_eq!(startup.state(), State::Startup);
}

/// Nine tenths of the rate goes out until no more than a BDP is in flight, and the headroom is free.
#[test]
fn exiting_probe_down_on_inflight() {
    let mut lab = flow_in(State::ProbeBwUp);
    lab.run_to(State::ProbeBwDown, MS(1000));
    let bw = lab.bbr().bw;
    assert_eq!(lab.bbr().c.pacing_rate, bw * 90 * 99 / 10_000);
    for inflight_longterm in [INFINITY, 200_000] {
        lab.bbr().inflight_longterm = inflight_longterm;
        let bound = |lab: &Lab| {
            let bbr = lab.bbr();
            bbr.inflight_with_headroom().min(bbr.inflight(bbr.max_bw, 100))
        };
        let mut before = u64::MAX;
        lab.run_until(MS(1000), |lab| {
            let is_over = lab.state() != State::ProbeBwDown;
            before = if is_over { before } else { lab.bbr().c.inflight };
            is_over
        });
        let inflight = lab.bbr().c.inflight;
        assert_eq!(lab.state(), State::ProbeBwCruise);
        assert!(inflight <= bound(&lab) && before > bound(&lab), "{before} {inflight}");
        lab.bbr().inflight_longterm = INFINITY;
        lab.run_to(State::ProbeBwUp, MS(5000));
        lab.run_to(State::ProbeBwDown, MS(1000));
    }
}

/// The rate falls by a tenth when DOWN begins: 0.9 times the old one is all that the path carries, and the queue stays. After
/// the wait the flow refills the pipe, without a cruise.
#[test]
fn exiting_probe_down_after_max_time() {
    let mut lab = Lab::new(RATE, MS(100));
    lab.run_to(State::ProbeBwUp, MS(10_000));
    lab.run_to(State::ProbeBwDown, MS(1000));
    lab.path.rate_bps = RATE / 10 * 9;
    lab.put_off_probe_rtt();
    let (start, wait) = (lab.now, lab.bbr().probe.bw_probe_wait);
    assert_eq!(lab.run_on(MS(3500)), State::ProbeBwRefill);
    let waited = lab.now - start;
    assert!(waited > wait && waited < wait + MS(2), "{waited} {wait}");
    let bbr = lab.bbr();
    assert!(bbr.c.inflight > bbr.inflight(bbr.max_bw, 100));
}

/// The buffer holds a third of a BDP, so that a probe loses packets, which sets the long-term bound. In a later UP one of
/// twenty packets is lost before the rate can show a plateau: UP ends at once, with a lower bound, 0.7 of the target at least.
#[test]
fn handling_loss_during_probe_up_after_inflight_longterm_is_set() {
    let mut lab = Lab::new(RATE, MS(40));
    lab.path.buffer = 55;
    lab.run_to(State::ProbeBwUp, MS(10_000));
    lab.run_to(State::ProbeBwDown, MS(1000));
    let bound = lab.bbr().inflight_longterm;
    assert!(bound < INFINITY && lab.lost > 0);
    lab.path.buffer = usize::MAX;
    lab.run_to(State::ProbeBwUp, MS(5000));
    let bound = lab.bbr().inflight_longterm;
    lab.path.fate = Box::new(|number, _| if number % 20 == 0 { Fate::Lose } else { Fate::Pass });
    let mut target = 0;
    lab.run_until(MS(200), |lab| {
        let is_over = lab.state() != State::ProbeBwUp;
        target = if is_over { target } else { lab.bbr().target_inflight() };
        is_over
    });
    let bbr = lab.bbr();
    assert_eq!(bbr.state, State::ProbeBwDown);
    assert!(bbr.probe.prev_probe_too_high && bbr.full_pipe.full_bw_count < 3);
    assert!(bbr.inflight_longterm < bound, "{} {bound}", bbr.inflight_longterm);
    assert!(bbr.inflight_longterm >= target * 7 / 10, "{} {target}", bbr.inflight_longterm);
}

/// The application pauses when REFILL begins, for a round. What is measured then is less, and does not count. UP follows, and the
/// cycle goes on.
#[test]
fn handling_application_limited_sending_during_probe_refill() {
    let mut lab = Lab::idle(RATE, MS(40));
    lab.write(2_000_000);
    lab.write_every(7_000, MS(1));
    lab.run_to(State::ProbeBwCruise, MS(3000));
    lab.run_to(State::ProbeBwRefill, MS(4000));
    lab.stop_writing();
    let (max_bw, start) = (lab.bbr().max_bw, lab.now);
    lab.run_for(MS(40));
    limit(&mut lab);
    lab.run_until(MS(1000), |lab| {
        assert_eq!(lab.bbr().max_bw, max_bw);
        lab.state() != State::ProbeBwRefill
    });
    assert_eq!(lab.state(), State::ProbeBwUp);
    assert!(lab.now - start < MS(130), "{}", lab.now - start);
    lab.write(1 << 40);
    lab.run_to(State::ProbeBwDown, MS(2000));
    lab.run_to(State::ProbeBwCruise, MS(2000));
    let error = lab.bbr().max_bw as f64 / lab.capacity() - 1.0;
    assert!(error.abs() < 0.02, "{error}");
}
