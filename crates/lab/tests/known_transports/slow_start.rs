//! Slow start: what it loses in a buffer.

use crate::dumbbell::{Path, World, config};
use base::Time;
use tcp::options::SlowStartKind;

/// Segments sent again in the first five seconds of a flow of 100 Mbit/s in a buffer of a BDP.
fn sent_again(rtt_ms: u64, slow_start: SlowStartKind) -> u64 {
    let path = Path::new(100, Time::from_ms(rtt_ms), 0);
    let path = Path { buffer_packets: path.bdp_packets() as usize, ..path };
    let mut config = config("cubic");
    config.options.slow_start = slow_start;
    let mut world = World::new(&path, &[(config, Time::ZERO)]);
    world.at(Time::from_secs(5));
    world.connection(0).counters().segments_retransmitted
}

/// RFC 9406, section 5: HyStart++ halves what slow start sends again, in a buffer of a BDP; to 15 points. With 20 ms it is a
/// quarter: the RTT has to grow by 4 ms, a fifth of the buffer, before slow start ends.
#[test]
fn hystart_plus_plus_halves_what_slow_start_sends_again() {
    let again = |slow_start| [20, 50, 100, 200].map(|rtt_ms| sent_again(rtt_ms, slow_start));
    let (standard, plus) = (again(SlowStartKind::Standard), again(SlowStartKind::HystartPlusPlus));
    println!("M57 {plus:?} for {standard:?}");
    let saved = 1.0 - plus.iter().sum::<u64>() as f64 / standard.iter().sum::<u64>() as f64;
    assert!((0.35..=0.65).contains(&saved), "{saved}");
}
