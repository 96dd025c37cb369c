//! Startup and Drain.

use super::path::{Fate, Lab, MS, PACKET, SMSS};
use crate::congestion::bbr3::State;

/// When the rate grows no more for three rounds, Startup ends, with the rate of the bottleneck known to 2 %.
#[test]
fn exiting_startup_on_bandwidth_plateau() {
    for (rate_bps, rtt) in [
        (1_000_000, MS(100)),
        (10_000_000, MS(10)),
        (50_000_000, MS(40)),
        (100_000_000, MS(10)),
        (100_000_000, MS(200)),
        (1_000_000_000, MS(20)),
    ] {
        let mut lab = Lab::new(rate_bps, rtt);
        let mut counts = vec![0];
        lab.run_until(MS(10_000), |lab| {
            let bbr = lab.bbr();
            if *counts.last().unwrap() != bbr.full_pipe.full_bw_count {
                counts.push(bbr.full_pipe.full_bw_count);
            }
            bbr.state != State::Startup
        });
        let bbr = lab.bbr();
        let error = bbr.max_bw as f64 / lab.capacity() - 1.0;
        assert!(error.abs() <= 0.02, "{rate_bps} {rtt}: {error}");
        assert!(counts.ends_with(&[1, 2, 3]), "{rate_bps} {rtt}: {counts:?}");
        assert!(bbr.full_pipe.full_bw_now && bbr.full_pipe.full_bw_reached);
        assert_eq!(bbr.state, State::Drain, "{rate_bps} {rtt}");
    }
}

/// The application writes 80 Mbit/s for a path of 200 Mbit/s: no plateau counts. Of every twenty packets one is lost then, so
/// that a round has 5 % and more than six ranges lost: Startup ends.
#[test]
fn exiting_startup_on_loss_when_application_limited() {
    let mut lab = Lab::idle(200_000_000, MS(40));
    lab.write_every(10_000, MS(1));
    lab.run_for(MS(1000));
    assert_eq!(lab.state(), State::Startup);
    assert!(!lab.bbr().full_pipe.full_bw_reached);
    let count = lab.bbr().full_pipe.full_bw_count;
    lab.path.fate = Box::new(|number, _| if number % 20 == 0 { Fate::Lose } else { Fate::Pass });
    lab.run_until(MS(500), |lab| lab.state() != State::Startup);
    let bbr = lab.bbr();
    assert!(bbr.full_pipe.full_bw_now && bbr.full_pipe.full_bw_reached);
    assert_eq!(bbr.full_pipe.full_bw_count, count, "it is no plateau");
    assert_eq!(bbr.undo.undo_state, Some(State::Startup));
    assert!(bbr.inflight_longterm < u64::MAX);
    drop(bbr);
    assert!(lab.sender.counters().timeouts == 0);
}

/// A loss of 1.7 %, below the threshold, or of one range in a round: Startup goes on.
#[test]
fn few_losses_do_not_end_startup() {
    for spacing in [60, 400] {
        let mut lab = Lab::idle(200_000_000, MS(40));
        lab.write_every(10_000, MS(1));
        lab.run_for(MS(1000));
        lab.path.fate =
            Box::new(move |number, _| if number % spacing == 0 { Fate::Lose } else { Fate::Pass });
        lab.run_for(MS(2000));
        assert_eq!(lab.state(), State::Startup, "one of {spacing}");
    }
}

/// Half of the rate goes out until no more than a BDP is in flight.
#[test]
fn exiting_drain_based_on_inflight() {
    let mut lab = Lab::new(50_000_000, MS(40));
    lab.run_to(State::Drain, MS(2000));
    let bw = lab.bbr().bw;
    assert_eq!(lab.bbr().state.pacing_gain(), 50);
    assert_eq!(lab.bbr().c.pacing_rate, bw * 50 * 99 / 10_000);
    let mut before = u64::MAX;
    lab.run_until(MS(500), |lab| {
        let bbr = lab.bbr();
        let is_over = bbr.state != State::Drain;
        assert!(is_over || bbr.c.inflight > bbr.inflight(bbr.bw, 100), "it drains what is above a BDP");
        if !is_over {
            before = bbr.c.inflight;
        }
        is_over
    });
    let bbr = lab.bbr();
    let bdp = bbr.inflight(bbr.bw, 100);
    assert!(bbr.c.inflight <= bdp && before > bdp, "{} {before} {bdp}", bbr.c.inflight);
    assert!(bbr.state.is_probe_bw() && bbr.round_count <= bbr.drain_start_round + 3);
}

/// The rate falls to two fifths when Drain begins, so that half of what the model says is more than the path takes: the queue
/// does not empty. After three rounds `ProbeBW` begins all the same.
#[test]
fn exiting_drain_based_on_time() {
    let mut lab = Lab::new(50_000_000, MS(40));
    lab.run_to(State::Drain, MS(2000));
    lab.path.rate_bps = 20_000_000;
    let start = lab.bbr().drain_start_round;
    lab.run_until(MS(5000), |lab| lab.state() != State::Drain);
    let bbr = lab.bbr();
    assert_eq!((bbr.state, bbr.round_count), (State::ProbeBwDown, start + 4));
    assert!(bbr.c.inflight > bbr.inflight(bbr.bw, 100));
}

/// The draft lets the rate fall by a tenth. That does not keep the queue: half of the old rate is 0.55 of the new one,
/// and a BDP of queue is gone after 1 / 0.45 = 2.2 RTTs, within the rounds that it makes longer.
#[test]
fn a_tenth_less_does_not_hold_drain_up() {
    let mut lab = Lab::new(50_000_000, MS(40));
    lab.run_to(State::Drain, MS(2000));
    let (start, began) = (lab.bbr().drain_start_round, lab.now);
    lab.path.rate_bps = 45_000_000;
    lab.run_until(MS(5000), |lab| lab.state() != State::Drain);
    let bbr = lab.bbr();
    assert!(bbr.c.inflight <= bbr.inflight(bbr.bw, 100));
    assert!(bbr.round_count <= start + 2 && lab.now - began < MS(120), "{}", lab.now - began);
}

/// The first window goes out at 2.77 times its rate, and each round doubles what is in flight: 13 rounds to a BDP of 1667.
#[test]
fn startup_finds_a_large_bdp_in_its_logarithm_of_rounds() {
    let mut lab = Lab::new(1_000_000_000, MS(20));
    let full = lab.capacity();
    lab.run_until(MS(2000), |lab| lab.bbr().max_bw as f64 > 0.98 * full);
    let segments = full * 0.02 / SMSS as f64;
    assert!((1666.0..1667.0).contains(&segments), "{segments} of {PACKET} bytes");
    let rounds = lab.bbr().round_count;
    // log2(1667 / 10) = 7.4 doublings.
    assert!((8..=10).contains(&rounds), "{rounds}");
}
