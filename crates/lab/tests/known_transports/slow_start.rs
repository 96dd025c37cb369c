//! Slow start: its rounds, and what it loses in a buffer.

use crate::dumbbell::{MSS, Path, World, config};
use base::Time;
use tcp::options::SlowStartKind;

/// Round trips that a transfer of so many segments takes after the handshake, on a path without a queue.
fn rounds(segments: u64, initial_window: u32) -> u64 {
    let path = Path::new(10_000, Time::from_ms(100), 10_000);
    let config = tcp::Config { initial_window, ..config("cubic") };
    let mut world = World::new(&path, &[(config, Time::ZERO)]);
    // A round arrives at the receiver half a round trip after it has left.
    (1..20).find(|&round| world.at(path.rtt * (round + 1)).flows[0].0 >= segments * MSS).expect("it ends")
}

/// RFC 6928, arithmetic: rounds of 10, 30 and 100 segments with an initial window of three and of ten.
#[test]
fn an_initial_window_of_ten_saves_two_rounds() {
    for (segments, expected) in [(10, [3, 1]), (30, [4, 2]), (100, [6, 4])] {
        assert_eq!([3, 10].map(|initial| rounds(segments, initial)), expected, "{segments} segments");
    }
}

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
