//! Very low rates, rates that change, and a policer.

use super::path::{Lab, MS, SMSS, TokenBucket};
use crate::congestion::bbr3::{INFINITY, State};
use base::Time;

/// A packet takes 47 ms, the path 1 ms: the BDP is a small part of a segment. Four segments are the window, and the rate is
/// that of the path.
#[test]
fn correctly_managing_sub_packet_bdps() {
    let mut lab = Lab::new(256_000, MS(1));
    lab.run_to(State::ProbeBwCruise, MS(5000));
    assert!(lab.bbr().bdp() < SMSS / 10);
    let delivered = lab.delivered();
    let end = lab.now + MS(5000);
    let mut windows = Vec::new();
    lab.run_until(MS(6000), |lab| {
        let bbr = lab.bbr();
        let rate = bbr.bw * bbr.state.pacing_gain() * 99 / 10_000;
        assert_eq!(bbr.c.pacing_rate, rate, "{:?}", bbr.state);
        assert!((bbr.bw as f64 / lab.capacity() - 1.0).abs() < 0.02);
        let window = (bbr.state == State::ProbeBwUp, bbr.c.cwnd / SMSS);
        if !windows.contains(&window) {
            windows.push(window);
        }
        lab.now >= end
    });
    assert!(windows.iter().all(|&(is_up, cwnd)| cwnd == 4 || (is_up && cwnd <= 6)), "{windows:?}");
    let used = (lab.delivered() - delivered) as f64 / lab.capacity() / 5.0;
    assert!(used > 0.97, "{used}");
}

/// A buffer of 8 packets makes a probe lose packets, which sets the long-term bound. Then the rate and the buffer
/// become ten times as large. What UP adds to the bound grows fast from round to round as long as the window limits the flow;
/// from the sixth round on pacing limits it. One probe finds the whole rate.
#[test]
fn increasing_bandwidth_10x_and_ensuring_full_bandwidth_is_reached() {
    let mut lab = Lab::new(10_000_000, MS(40));
    lab.path.buffer = 8;
    lab.run_to(State::ProbeBwUp, MS(10_000));
    lab.run_to(State::ProbeBwCruise, MS(3000));
    assert!(lab.bbr().inflight_longterm < INFINITY);
    (lab.path.rate_bps, lab.path.buffer) = (100_000_000, 334);
    let changed = lab.now;
    let (mut round, mut grown, mut up) = (0, Vec::new(), 0);
    let full = lab.capacity();
    lab.run_until(MS(15_000), |lab| {
        let bbr = lab.bbr();
        if bbr.state == State::ProbeBwUp && bbr.round_count != round {
            round = bbr.round_count;
            up += 1;
            grown.push(bbr.inflight_longterm);
        } else if bbr.state != State::ProbeBwUp {
            grown.clear();
        }
        bbr.max_bw as f64 > 0.98 * full
    });
    let steps: Vec<u64> = grown.windows(2).take(5).map(|pair| (pair[1] - pair[0]) / SMSS).collect();
    assert!(steps.len() == 5 && steps.windows(2).all(|pair| 2 * pair[1] >= 3 * pair[0]), "{steps:?}");
    // A sample is the mean of what left one to two round trips ago, at 1.25 times the rate then: the rate grows by e^x in a
    // round trip with 1.25 (e^-x - e^-2x) = x, which is 1.16. ln(10) / 0.15 = 15.4 round trips, and the first five are slower.
    assert!(up <= 20 && lab.now - changed < MS(6000), "{up} rounds of UP, {}", lab.now - changed);
}

/// Nothing is lost before: there is no bound, and UP grows by a quarter in each round until the rate does not.
#[test]
fn without_a_bound_ten_times_the_rate_is_found_in_one_probe() {
    let mut lab = Lab::new(10_000_000, MS(40));
    lab.run_to(State::ProbeBwUp, MS(10_000));
    lab.run_to(State::ProbeBwCruise, MS(3000));
    lab.path.rate_bps = 100_000_000;
    let (changed, full) = (lab.now, lab.capacity());
    lab.run_to(State::ProbeBwUp, MS(5000));
    let start = lab.bbr().round_count;
    lab.run_until(MS(2000), |lab| lab.bbr().max_bw as f64 > 0.98 * full);
    let rounds = lab.bbr().round_count - start;
    // log(10) / log(1.25) = 10.3, and a round later.
    assert!(rounds <= 18 && lab.now - changed < MS(4000), "{rounds} {}", lab.now - changed);
}

/// The rate falls to a tenth, with a buffer of the old BDP. Losses bring `bw_shortterm` down while the flow cruises, to
/// 0.7 in each of at least three rounds; the maximum of two cycles is that of the new rate at last.
#[test]
fn decreasing_bandwidth_10x_and_ensuring_max_bandwidth_adapts_down() {
    let mut lab = Lab::new(100_000_000, MS(40));
    lab.path.buffer = 334;
    lab.run_to(State::ProbeBwUp, MS(10_000));
    lab.run_to(State::ProbeBwCruise, MS(3000));
    lab.path.rate_bps = 10_000_000;
    lab.put_off_probe_rtt();
    let (changed, cycle) = (lab.now, lab.bbr().cycle_count);
    let before = lab.bbr().max_bw;
    let mut least = INFINITY;
    lab.run_until(MS(3000), |lab| {
        least = least.min(lab.bbr().bw_shortterm);
        lab.state() != State::ProbeBwCruise
    });
    assert!(least <= before * 343 / 1000, "{least} of {before}");
    lab.run_until(MS(15_000), |lab| (lab.bbr().max_bw as f64) < 1.02 * lab.capacity());
    // A cycle is longer than the wait while the old queue, of 0.4 s, leaves at a tenth of the rate.
    let (cycles, took) = (lab.bbr().cycle_count - cycle, lab.now - changed);
    assert!(cycles <= 2 && took < MS(15_000), "{cycles} {took}");
}

/// Ten megabytes pass at once, and then 10 Mbit/s of 100. The losses bring both short-term bounds down; later on
/// the flow gets what the policer lets pass. It goes on to lose some, 5.2 % here; the draft names no number.
#[test]
fn handling_token_bucket_policers() {
    const BURST: u64 = 10_000_000;
    let mut lab = Lab::new(100_000_000, MS(40));
    lab.path.policer = Some(TokenBucket { rate_bps: 10_000_000, burst: BURST, tokens: (BURST, Time::ZERO) });
    lab.run_to(State::ProbeBwCruise, MS(3000));
    assert_eq!(lab.lost, 0, "the burst passes");
    let (mut bw, mut inflight) = (INFINITY, INFINITY);
    lab.run_until(MS(3000), |lab| {
        let bbr = lab.bbr();
        (bw, inflight) = (bw.min(bbr.bw_shortterm), inflight.min(bbr.inflight_shortterm));
        bbr.state != State::ProbeBwCruise
    });
    let full = lab.bbr().max_bw;
    assert!(bw < full / 4 && inflight < full / 25 / 4, "{bw} {inflight} of {full}");
    lab.run_for(MS(18_000));
    let (lost, packets, delivered) = (lab.lost, lab.packets, lab.delivered());
    lab.run_for(MS(20_000));
    let lost = (lab.lost - lost) as f64 / (lab.packets - packets) as f64;
    let used = (lab.delivered() - delivered) as f64 / (lab.capacity() / 10.0) / 20.0;
    assert!(used > 0.9 && lost < 0.06, "{used} {lost}");
}
