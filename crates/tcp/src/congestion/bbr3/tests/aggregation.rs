//! Links and hosts that collect ACKs.

use super::path::{Lab, MS};
use crate::congestion::bbr3::State;
use crate::congestion::bbr3::aggregation::FILTER_ROUNDS;

/// ACKs come every 20 ms, half an RTT of them at once. cwnd is more than two BDPs, and the flow finds the whole rate.
#[test]
fn achieving_expected_startup_bandwidth_on_a_link_with_aggregation() {
    let mut lab = Lab::new(50_000_000, MS(40));
    lab.path.acks_every = Some(MS(20));
    let mut augmented = 0.0_f64;
    lab.run_until(MS(3000), |lab| {
        let bbr = lab.bbr();
        let is_known = bbr.max_bw as f64 >= 0.98 * lab.capacity();
        if bbr.state == State::Startup && is_known {
            augmented = augmented.max(bbr.c.cwnd as f64 / bbr.bdp() as f64);
        }
        bbr.state != State::Startup
    });
    assert_eq!(lab.state(), State::Drain);
    assert!(lab.bbr().aggregation.extra_acked > 0);
    assert!(augmented > 2.0, "{augmented}");
    let found = lab.bbr().max_bw as f64 / lab.capacity();
    assert!((0.98..1.3).contains(&found), "{found}: the send rate limits what a batch of ACKs seems to show");
}

/// ACKs begin to come every 40 ms, an RTT of them at once, when the flow cruises. `extra_acked` is the largest sample of the last
/// ten rounds; cwnd is larger by that much, and the link stays busy in the silences.
#[test]
fn achieving_expected_cruise_bandwidth_on_a_link_with_aggregation() {
    let mut lab = Lab::new(50_000_000, MS(40));
    lab.run_to(State::ProbeBwCruise, MS(3000));
    let plain = lab.bbr().aggregation.extra_acked;
    lab.path.acks_every = Some(MS(40));
    let mut samples = Vec::new();
    let end = lab.now + MS(1500);
    lab.run_until(MS(2000), |lab| {
        let bbr = lab.bbr();
        samples.push((bbr.round_count, bbr.aggregation.extra_acked));
        lab.now >= end && bbr.state == State::ProbeBwCruise
    });
    let bbr = lab.bbr();
    let extra = bbr.aggregation.extra_acked;
    assert!(extra > 2 * plain && extra as f64 > 0.5 * bbr.bdp() as f64, "{extra} {plain}");
    let max_inflight = 2 * bbr.bdp() + extra;
    assert!(bbr.c.cwnd > 2 * bbr.bdp() && bbr.c.cwnd <= max_inflight);
    drop(bbr);
    let delivered = lab.delivered();
    lab.put_off_probe_rtt();
    lab.run_for(MS(5000));
    let used = (lab.delivered() - delivered) as f64 / lab.capacity() / 5.0;
    assert!(used > 0.98, "{used}");
    // Without aggregation it forgets within ten rounds.
    lab.path.acks_every = None;
    lab.run_for(MS(200));
    let start = lab.bbr().round_count;
    lab.run_until(MS(5000), |lab| lab.bbr().round_count > start + FILTER_ROUNDS as u64);
    assert!(lab.bbr().aggregation.extra_acked < extra);
}
