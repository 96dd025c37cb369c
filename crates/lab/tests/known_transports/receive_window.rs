//! A peer's window that limits a flow.

use crate::dumbbell::{Path, World, config};
use base::Time;
use tcp::Config;

/// Cardwell 2016 (of Google's B4): 8 MB of receive window and an RTT of 200 ms make 335 Mbit/s, whatever the path could carry.
#[test]
fn eight_megabytes_in_200_ms_are_335_mbps() {
    let path = Path::new(10_000, Time::from_ms(200), 100_000);
    let config = Config { receive_buffer: 8 << 20, window_scale: Some(8), ..config("cubic") };
    let mut world = World::new(&path, &[(config, Time::ZERO)]);
    let start = world.at(Time::from_secs(5));
    let end = world.at(Time::from_secs(15));
    let mbps = end.goodput(&start, 0) * 8e-6;
    assert_eq!(end.dropped(), 0);
    assert!((mbps / 335.5 - 1.0).abs() < 0.01, "{mbps}");
}
