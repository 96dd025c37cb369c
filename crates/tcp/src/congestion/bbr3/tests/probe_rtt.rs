//! `ProbeRTT`.

use super::path::{Lab, MS};
use crate::congestion::bbr3::State;

/// At 9 s the path becomes longer by 40 ms, as a standing queue of others would have it. Five seconds after the last `ProbeRTT` the
/// next one begins: its window is half of the BDP at the RTT from before, and stays so. It lasts for 200 ms and a round.
#[test]
fn entering_and_exiting_probe_rtt() {
    let mut lab = Lab::new(50_000_000, MS(40));
    lab.run_until(MS(9000), |lab| lab.now >= MS(8500) && lab.state() == State::ProbeBwCruise);
    lab.path.delay = MS(40);
    let old = lab.bbr().min_rtt.min_rtt;
    let stamp = lab.bbr().min_rtt.probe_rtt_min_stamp;
    lab.run_to(State::ProbeRtt, MS(6000));
    assert!(lab.now - stamp > MS(5000) && lab.now - stamp < MS(5010), "{}", lab.now);
    let half = lab.bbr().min_rtt.probe_rtt_cwnd;
    // The ACK with which it begins may bring another sample of the bandwidth.
    let error = half as f64 / (super::super::bytes_in(lab.bbr().bw, old) / 2) as f64 - 1.0;
    assert!(error.abs() < 0.01, "{error}");
    assert!(lab.bbr().min_rtt.probe_rtt_min_delay >= MS(80), "it is of the longer path");
    assert_eq!(lab.bbr().state.cwnd_gain(), 50);
    let (mut done, mut least) = (None, u64::MAX);
    lab.run_until(MS(2000), |lab| {
        let bbr = lab.bbr();
        if bbr.state == State::ProbeRtt {
            assert_eq!((bbr.min_rtt.probe_rtt_cwnd, bbr.c.cwnd), (half, half));
            done = bbr.min_rtt.probe_rtt_done_stamp;
            least = least.min(bbr.c.inflight);
        }
        bbr.state != State::ProbeRtt
    });
    let done = done.expect("half a BDP was in flight");
    assert!(
        lab.now > done && lab.now < done + MS(90),
        "200 ms, and not much more than a round: {}",
        lab.now - done
    );
    assert!(least > half * 8 / 10 && lab.bbr().full_pipe.full_bw_reached);
    assert_eq!(lab.state(), State::ProbeBwCruise);
    let delivered = lab.delivered();
    lab.run_for(MS(1000));
    assert!((lab.delivered() - delivered) as f64 > 0.95 * lab.capacity());
}

/// The application pauses for 11 s. The first data after that restart the flow from idle, and no `ProbeRTT` follows, though
/// the smallest RTT is old.
#[test]
fn skipping_probe_rtt_due_to_application_limited_sending() {
    let mut lab = Lab::idle(50_000_000, MS(40));
    lab.write(10_000_000);
    lab.run_to(State::ProbeBwCruise, MS(3000));
    lab.run_until(MS(5000), |lab| lab.delivered() == 10_000_000);
    lab.run_for(MS(11_000));
    assert_eq!(lab.sender.in_flight(), 0);
    lab.write(10_000_000);
    assert!(lab.bbr().idle_restart);
    let bbr = lab.bbr();
    assert_eq!(bbr.c.pacing_rate, bbr.bw * 99 / 100);
    drop(bbr);
    let mut probes = 0;
    lab.run_until(MS(5000), |lab| {
        probes += u32::from(lab.state() == State::ProbeRtt);
        lab.delivered() == 20_000_000
    });
    assert_eq!(probes, 0);
    assert!(!lab.bbr().idle_restart);
}

/// The application writes so little that Startup lasts: after 5 s `ProbeRTT` follows, and then Startup again.
#[test]
fn entering_and_exiting_probe_rtt_during_startup() {
    let mut lab = Lab::idle(200_000_000, MS(40));
    lab.write_every(10_000, MS(1));
    lab.run_to(State::ProbeRtt, MS(6000));
    assert!(!lab.bbr().full_pipe.full_bw_reached);
    let entered = lab.now;
    assert_eq!(lab.run_on(MS(1000)), State::Startup);
    assert!(lab.now - entered >= MS(200));
    lab.write(1 << 40);
    lab.run_to(State::Drain, MS(3000));
    let error = lab.bbr().max_bw as f64 / lab.capacity() - 1.0;
    assert!(error.abs() < 0.02, "it goes on to search: {error}");
}

/// A flow that is always backlogged, and alone: a probe every 5 s and what the probe itself takes.
#[test]
fn a_backlogged_flow_probes_every_five_seconds() {
    let mut lab = Lab::new(20_000_000, MS(40));
    let mut begins = Vec::new();
    for _ in 0..4 {
        lab.run_to(State::ProbeRtt, MS(7000));
        begins.push(lab.now);
        lab.run_on(MS(1000));
    }
    for pair in begins.windows(2) {
        let between = pair[1] - pair[0];
        assert!(between > MS(5200) && between < MS(5400), "{between}");
    }
}
