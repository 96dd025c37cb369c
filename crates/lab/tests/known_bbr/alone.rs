//! One flow: how it starts, how it follows a rate that changes, what limits it.

use crate::support::{DATA, MSS, Path, Run, Sender};
use base::Time;

/// 10 Mbit/s and 40 ms, from 20 s on 20 Mbit/s, from 40 s on 10 again.
fn with_changes() -> Run {
    let second = Time::from_secs;
    let rates = vec![(second(0), 10_000_000), (second(20), 20_000_000), (second(40), 10_000_000)];
    Run::new(&Path { rates, ..Path::new(10, 1000) }, &[Sender::new("bbr", 40)])
}

/// The bandwidth that the first flow goes by, as a part of a rate, if its pacing rate is that.
fn bandwidth(run: &Run, mbps: f64) -> Option<f64> {
    let sender = run.sender(0);
    let rate = sender.window().pacing().expect("it is open").rate as f64 * 8.0 / 1e6 / 0.99;
    (sender.congestion_state() == "probe_bw:1").then_some(rate / (mbps * DATA))
}

/// The first time, ms, at which the bandwidth fulfils this.
fn when(run: &mut Run, from: u64, mbps: f64, is: impl Fn(f64) -> bool) -> u64 {
    (from..from + 10_000).find(|&ms| bandwidth(run.to(ms), mbps).is_some_and(&is)).expect("within 10 s")
}

/// Cardwell et al. 2016, figure 3: three probes are 1.25^3 = 1.95, so twice the rate takes three cycles of eight round trips;
/// to a cycle, and one until the first of them begins.
#[test]
fn twice_the_rate_is_found_in_three_cycles() {
    let mut run = with_changes();
    run.to(20_000);
    let took = when(&mut run, 20_000, 20.0, |part| part >= 0.97) - 20_000;
    println!("M14 {took} ms");
    assert!(took <= 5 * 8 * 42, "{took}");
}

/// The same figure: half of the rate is known when the old one has left the filter, ten round trips on; then the queue drains
/// within four seconds, to two: it is what it was at this rate before. With cwnd of twice the old BDP a round trip is four times 40 ms.
#[test]
fn half_of_the_rate_is_known_after_ten_rounds_and_the_queue_drains() {
    let mut run = with_changes();
    run.to(12_000);
    let before = run.queue(50, 18_000);
    let before = before.iter().map(|its| its.0).sum::<f64>() / before.len() as f64;
    run.to(40_000);
    let knows = when(&mut run, 40_000, 10.0, |part| part <= 1.05) - 40_000;
    let queue = run.queue(50, 50_000);
    let empty = queue.iter().position(|its| its.0 <= before).expect("it drains") as u64 * 50 + knows;
    println!("M15 knows {knows} ms, empty {empty} ms, before {before:.1} packets");
    assert!(knows <= 10 * 180, "{knows}");
    assert!(empty <= 6000, "{empty}");
}

/// Figure 5: slow start ends with 2.5 to 3 BDP in flight, and a round trip after it has drained at most 1.2 are; to 15 %.
#[test]
fn startup_queues_two_bdp_and_drain_removes_them() {
    let path = Path::new(10, 1000);
    let sender = Sender::new("bbr", 40);
    let bdp = path.bdp(sender.rtt);
    let mut run = Run::new(&path, &[sender]);
    let (mut most, mut drained) = (0.0f64, None);
    for ms in 0..2000 {
        run.to(ms);
        most = most.max(run.in_flight() / bdp);
        if run.sender(0).congestion_state().starts_with("probe_bw") {
            drained.get_or_insert(ms);
        }
        if drained.is_some_and(|at| at + 41 == ms) {
            let left = run.in_flight() / bdp;
            println!("M16 most {most:.2} BDP, at {ms} ms {left:.2}");
            assert!((2.5 * 0.85..=3.0 * 1.15).contains(&most), "{most}");
            assert!(left <= 1.2 * 1.15, "{left}");
        }
    }
    assert!(drained.is_some_and(|at| at < 1000), "within a second");
}

/// Section on B4: a receive window of 8 MB in 200 ms is 335 Mbit/s; to 1 %.
#[test]
fn a_receive_window_limits_it() {
    let window = 8 * 1024 * 1024;
    let sender = Sender { receive_buffer: window, ..Sender::new("bbr", 200) };
    let goodput = Run::new(&Path::new(1000, 1 << 20), &[sender]).goodputs(5000, 9000)[0];
    println!("M79 {goodput:.1}");
    assert!((goodput / 335.0 - 1.0).abs() <= 0.01, "{goodput}");
}

/// PROBE_RTT comes 10 s after the smallest RTT was measured, and lasts 200 ms and a round trip at four segments.
#[test]
fn every_ten_seconds_it_looks_for_the_smallest_rtt() {
    let mut run = Run::new(&Path::new(10, 1000), &[Sender::new("bbr", 40)]);
    let mut probes: Vec<(u64, u64)> = Vec::new();
    for ms in 0..45_000 {
        run.to(ms);
        let sender = run.sender(0);
        if sender.congestion_state() == "probe_rtt" {
            assert!(sender.window().cwnd() == 4 * MSS);
            match probes.last_mut().filter(|last| last.1 + 1 == ms) {
                Some(last) => last.1 = ms,
                None => probes.push((ms, ms)),
            }
        }
    }
    println!("PROBE_RTT {probes:?}");
    assert!((3..=4).contains(&probes.len()), "{probes:?}");
    for (from, to) in &probes {
        // What is in flight first falls to four segments, in a round trip or less.
        assert!((200..=200 + 3 * 45).contains(&(to - from)), "{from} to {to}");
    }
    for pair in probes.windows(2) {
        assert!((10_000..10_600).contains(&(pair[1].0 - pair[0].1)), "{pair:?}");
    }
}
