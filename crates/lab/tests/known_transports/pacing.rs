//! Pacing at a part more than the window in each SRTT.

use crate::dumbbell::{Path, World, config};
use base::Time;
use tcp::options::PacingFrom;

/// Small buffers of a path that holds 208 packets, packets.
const BUFFERS: [usize; 3] = [5, 10, 20];

/// Packets that a flow loses in its first seconds, without pacing and with it.
fn lost_at_start(flavor: &str, buffer: usize, ssthresh: u64) -> [u64; 2] {
    [PacingFrom::Off, PacingFrom::Rate].map(|pacing| {
        let path = Path::new(50, Time::from_ms(50), buffer);
        let mut config = config(flavor);
        (config.options.pacing, config.initial_ssthresh) = (pacing, ssthresh);
        let mut world = World::new(&path, &[(config, Time::ZERO)]);
        world.at(Time::from_secs(3)).dropped()
    })
}

/// Slow start that ends at half of what the path holds overruns small buffers only because it sends in bursts.
#[test]
fn where_the_window_fits_the_path_pacing_loses_nothing() {
    for flavor in ["newreno", "cubic"] {
        for buffer in BUFFERS {
            let [bursts, paced] = lost_at_start(flavor, buffer, 150_000);
            assert!(bursts >= 5 && paced == 0, "{flavor}, {buffer} packets: {bursts}, {paced}");
        }
    }
}

/// Aggarwal, Savage and Anderson 2000: where slow start has no other end than a loss, bursts overrun a small buffer early, while
/// the window is small. Pacing hides the buffer until the window fills the path, and more is lost.
#[test]
fn where_slow_start_overruns_the_path_pacing_loses_more() {
    for flavor in ["newreno", "cubic"] {
        for buffer in BUFFERS {
            let [bursts, paced] = lost_at_start(flavor, buffer, 1 << 40);
            assert!(paced > 2 * bursts, "{flavor}, {buffer} packets: {bursts}, {paced}");
        }
    }
}
