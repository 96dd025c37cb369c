//! CUBIC: its response to losses, and how full it keeps a deep buffer.

use crate::dumbbell::{Path, World, config};
use base::Time;
use tcp::{Config, Growth, Options};

/// The mean window with every ten-thousandth data packet lost and an RTT of 100 ms, segments: what arrives in an RTT.
fn mean_window(config: Config) -> f64 {
    let mut path = Path::new(10_000, Time::from_ms(100), 100_000);
    path.lost = (1..200).map(|number| number * 10_000).collect();
    let mut world = World::new(&path, &[(Config { initial_ssthresh: 150_000, ..config }, Time::ZERO)]);
    let start = world.at(Time::from_secs(60));
    let end = world.at(Time::from_secs(660));
    assert!(world.connection(0).counters().segments_sent < 2_000_000, "losses went on to the end");
    let smss = world.connection(0).sender().smss as f64;
    end.goodput(&start, 0) * path.rtt.as_secs_f64() / smss
}

/// RFC 9438, section 5.1 and equation 6: a mean window of 1.054 RTT^0.75 / p^0.75 = 187 segments; Reno has sqrt(1.5 / p) =
/// 122 (Mathis 1997). The model is the same: one loss after every 1/p packets.
#[test]
fn the_mean_window_of_cubic_is_that_of_its_response_function() {
    let cubic = mean_window(config("cubic"));
    assert!((cubic / 187.0 - 1.0).abs() < 0.15, "{cubic}");
    let reno = config("sack_rfc6675");
    let options = Options { growth: Growth::Bytes { limit: None }, ..reno.options };
    let reno = mean_window(Config { options, ..reno });
    assert!((reno / 122.5 - 1.0).abs() < 0.15, "{reno}");
}

/// Cardwell 2016, figure 7: one flow over 10 Mbit/s and 40 ms keeps a deep buffer between 0.7 and full. A loss leaves 0.7 of
/// what is out, so the queue falls to 0.7 (B + BDP) - BDP; with a buffer of 6 BDP that is 0.65 B.
#[test]
fn cubic_keeps_a_deep_buffer_full() {
    let buffer = 200;
    let path = Path::new(10, Time::from_ms(40), buffer);
    let mut world = World::new(&path, &[(config("cubic"), Time::ZERO)]);
    let snapshots = world.every(Time::from_ms(20), Time::from_secs(60), Time::from_secs(180));
    let queues: Vec<f64> = snapshots.windows(2).map(|pair| pair[1].mean_queue(&pair[0])).collect();
    let (least, most) =
        queues.iter().fold((f64::MAX, 0.0f64), |(least, most), &each| (least.min(each), most.max(each)));
    let (buffer, bdp) = (buffer as f64, path.bdp_packets());
    let expected = 0.7 * (buffer + bdp) - bdp;
    let losses = snapshots.last().unwrap().dropped() - snapshots[0].dropped();
    assert!(losses >= 5, "{losses}: several periods");
    assert!((least - expected).abs() < 0.05 * buffer, "{least} for {expected}");
    assert!(most > 0.95 * buffer, "{most}");
}

/// Bits of data per second over 100 Mbit/s and 100 ms, as a part of the rate.
fn utilization(buffer_bytes: usize) -> f64 {
    let path = Path::new(100, Time::from_ms(100), buffer_bytes / 1500);
    let mut world = World::new(&path, &[(config("cubic"), Time::ZERO)]);
    let start = world.at(Time::from_secs(30));
    world.at(Time::from_secs(150)).goodput(&start, 0) * 8.0 / path.rate_bps as f64
}

/// Cao 2019, the part of CUBIC: a buffer of 100 KB, far below the BDP, costs it throughput; one of 10 MB does not.
#[test]
fn cubic_needs_a_buffer() {
    let [shallow, deep] = [100_000, 10_000_000].map(utilization);
    assert!(deep > 0.95 && shallow < 0.95 * deep, "{shallow} {deep}");
}
