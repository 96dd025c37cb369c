//! Several flows.

use crate::support::{MSS, PACKET, Path, Run, Sender};

/// One BBR flow and some CUBIC flows, 10 Mbit/s and 40 ms, for four minutes, in a buffer of so many BDP: the part of BBR.
fn share(cubic: u64, buffer_bdp: f64) -> f64 {
    let path = Path::new(10, 0);
    let bbr = Sender::new("bbr", 40);
    let path = Path { buffer: (buffer_bdp * path.bdp(bbr.rtt)) as u64, ..path };
    let others = (0..cubic).map(|n| Sender::new("cubic", 40).from(10 * n));
    let senders: Vec<_> = std::iter::once(bbr).chain(others).collect();
    let goodputs = Run::new(&path, &senders).goodputs(0, 240_000);
    let share = goodputs[0] / goodputs.iter().sum::<f64>();
    println!("M01-M03 {cubic} CUBIC, {buffer_bdp} BDP: {share:.3}");
    share
}

/// Equations 9 to 11 of Ware et al. 2019 for one flow: what BBR gets while not probing for the RTT, from its cap of two BDP as it
/// measures them over the others' queue.
fn modelled(buffer_bdp: f64) -> f64 {
    let (rtt, packets_per_second) = (0.04, 10e6 / (8 * PACKET) as f64);
    let buffer = buffer_bdp * rtt * packets_per_second;
    let others = (0.5 - 1.0 / (2.0 * buffer_bdp) - 4.0 / buffer).max(0.0);
    (1.0 - others) * (1.0 - (buffer / packets_per_second + 0.2 + rtt) / 10.0)
}

/// Ware et al. 2019, equation 5, section 2 and the model: in a deep buffer one BBR flow has about half at most, however many
/// loss-based flows there are; to 0.05.
#[test]
fn one_bbr_flow_has_half_whatever_the_number_of_the_others() {
    let shares = [1, 2, 4, 8, 16].map(|cubic| share(cubic, 32.0));
    assert!(shares.iter().all(|&share| share <= 0.5 + 0.05), "{shares:?}");
    let (least, most) = shares.iter().fold((1.0f64, 0.0f64), |(a, b), &its| (a.min(its), b.max(its)));
    assert!(most - least <= 0.10 + 0.05, "{shares:?}");
}

/// The model's shares: single points to 15 %. Here they are lower by a quarter, and so they are in Linux: over 10 Mbit/s and 40 ms, runs of
/// a minute give 0.51 and 0.29 at 4 and 16 BDP in Linux 6.18, and 0.51 and 0.27 here (`docs/validation/kernel.md`). The model takes the
/// smallest RTT to be that of the others' part of the queue and the whole delay, p q / c + l. But what a PROBE_RTT leaves is their window alone,
/// p (q + c l) / c; with that the same equations give 0.50 and 0.46. With Reno in place of CUBIC the shares are the same.
#[test]
#[ignore = "BBR gets 0.47 and 0.38 of the rate for 0.63 and 0.49 of the model, and Linux' BBR no more"]
fn the_share_is_what_the_model_says() {
    for (buffer_bdp, published) in [(4.0, 0.629), (16.0, 0.491)] {
        let model = modelled(buffer_bdp);
        assert!((model - published).abs() < 0.0015, "the equations give {model}");
        let share = share(1, buffer_bdp);
        assert!((share / model - 1.0).abs() <= 0.15, "{buffer_bdp} BDP: {share} for {model}");
    }
}

/// Ten flows of 10 ms in a pipe of 8 packets: the mean number in flight while all are in PROBE_RTT, as a round trip.
fn round_trip_in_probe_rtt() -> f64 {
    let path = Path::new(10, 1000);
    let senders: Vec<_> = (0..10).map(|n| Sender::new("bbr", 10).from(50 * n)).collect();
    let mut run = Run::new(&path, &senders);
    let mut in_flight = Vec::new();
    for ms in (30_000..60_000).step_by(2) {
        run.to(ms);
        let drained = (0..10).all(|flow| {
            let sender = run.sender(flow);
            sender.congestion_state() == "probe_rtt" && sender.in_flight() <= 4 * MSS
        });
        if drained {
            in_flight.push(run.in_flight());
        }
    }
    assert!(in_flight.len() > 30, "the flows are in PROBE_RTT together");
    in_flight.iter().sum::<f64>() / in_flight.len() as f64 / PACKETS_PER_SECOND
}

/// Of 10 Mbit/s.
const PACKETS_PER_SECOND: f64 = 10e6 / (8 * PACKET) as f64;

/// Ware et al. 2019, equation 6: flows whose four segments each fill more than the BDP measure a round trip of all of
/// them, here 48 ms; so none sees the 10 ms of the path.
#[test]
fn many_flows_measure_a_round_trip_of_their_own_segments() {
    let rtt = round_trip_in_probe_rtt();
    println!("M04 {rtt:.4} s");
    assert!(rtt > 0.030, "{rtt}");
}

/// The same, to 5 %.
#[test]
#[ignore = "3.5 of the four segments are in flight on average, for each flow paces them, and every second one is acknowledged"]
fn that_is_four_segments_each() {
    let model = 4.0 * 10.0 / PACKETS_PER_SECOND;
    assert!((round_trip_in_probe_rtt() / model - 1.0).abs() <= 0.05);
}

/// Hock et al. 2017: several flows keep a queue of 1 to 1.5 BDP between their PROBE_RTTs, to 0.25; 100 Mbit/s in place of 1 Gbit/s.
#[test]
fn several_flows_keep_a_queue_of_more_than_a_bdp() {
    for flows in [2, 4] {
        let path = Path::new(100, 8 * 167);
        let senders: Vec<_> = (0..flows).map(|n| Sender::new("bbr", 20).from(500 * n)).collect();
        let bdp = path.bdp(senders[0].rtt);
        let mut run = Run::new(&path, &senders);
        run.to(15_000);
        let queue = run.queue(20, 45_000);
        let mut means: Vec<f64> = queue.iter().map(|its| its.0 / bdp).collect();
        means.sort_by(f64::total_cmp);
        let median = means[means.len() / 2];
        println!("M11 {flows} flows: median {median:.2} BDP");
        assert!((0.75..=1.75).contains(&median), "{flows}: {median}");
    }
}

/// Hock et al. 2017: of two flows in a deep buffer the one with the longer RTT gets more, here at least twice as much.
#[test]
fn the_longer_rtt_wins() {
    let path = Path::new(100, 8 * 417);
    let goodputs =
        Run::new(&path, &[Sender::new("bbr", 10), Sender::new("bbr", 50)]).goodputs(10_000, 60_000);
    println!("M13 {goodputs:.1?}");
    assert!(goodputs[1] >= 2.0 * goodputs[0], "{goodputs:?}");
}

/// Cardwell et al. 2016, figure 6: five flows that start 2 s apart come to equal shares: an index of 0.95 over 10 s, to 0.03.
#[test]
fn five_flows_come_to_equal_shares() {
    let senders: Vec<_> = (0..5).map(|n| Sender::new("bbr", 10).from(2000 * n)).collect();
    let path = Path::new(100, 1000);
    let goodputs = Run::new(&path, &senders).goodputs(30_000, 40_000);
    let sum: f64 = goodputs.iter().sum();
    let jain = sum * sum / (5.0 * goodputs.iter().map(|its| its * its).sum::<f64>());
    println!("M17 {goodputs:.1?} {jain:.3}");
    assert!(jain >= 0.95 - 0.03, "{goodputs:?}: {jain}");
}
