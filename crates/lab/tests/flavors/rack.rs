//! RACK-TLP: golden traces, and results that are known of it.
//!
//! The path is that of `golden.rs`: 8 Mbit/s, 100 ms there and back, segments of 988 bytes in packets of 1040.

use crate::application::{Application, Closes, Reads};
use crate::golden::{Fates, assert_has_line, config, data, lost, traced};
use base::Time;
use sim::link::Fate;
use std::ops::RangeInclusive;
use tcp::{Config, Flavor, Options};

const SMSS: u64 = 988;

fn ms(time: u64) -> Time {
    Time::from_ms(time)
}

fn late(numbers: RangeInclusive<u64>, by: Time) -> Vec<(u64, Fate)> {
    numbers.map(|number| (number, Fate::Delay(by))).collect()
}

fn cubic(on_linux: bool) -> Config {
    let flavor = Flavor::named("cubic").expect("a flavor");
    let base = config(flavor, 60_000);
    let options = if on_linux { flavor.presets.on_linux() } else { flavor.presets };
    Config { options: Options { delayed_ack: None, ..options }, ..base }
}

/// What the sender of these writes does.
fn trace(config: Config, writes: Vec<(Time, u64)>, fates: &Fates) -> String {
    let (opens, closes) = (Some(Time::ZERO), Closes::AfterLastAck);
    let sender = Application { opens, writes, reads: Reads::AtOnce, closes };
    let receiver =
        Application { opens: None, writes: vec![], reads: Reads::AtOnce, closes: Closes::AfterPeer };
    traced([config, config], [sender, receiver], fates)
}

/// One transfer of 32 000 bytes for each of these.
fn happenings() -> Vec<(&'static str, Fates)> {
    let counts = data as fn(&_) -> bool;
    let twice = vec![(12, Fate::Lose), (26, Fate::Lose)];
    let reordered = [late(6..=6, ms(4)), late(12..=12, ms(20)), late(24..=24, ms(60))].concat();
    vec![
        ("tail_of_1", lost(data, 33..=33)),
        ("tail_of_2", lost(data, 32..=33)),
        ("tail_of_5", lost(data, 29..=33)),
        ("reordering", (counts, reordered)),
        ("lost_retransmission", (counts, twice)),
    ]
}

#[test]
fn golden_traces_of_rack() {
    for (name, fates) in happenings() {
        let writes = vec![(Time::ZERO, 32_000)];
        insta::assert_snapshot!(format!("rack_{name}"), trace(cubic(false), writes, &fates));
    }
    insta::assert_snapshot!("rack_spurious_timeout", with_a_second_of_standstill());
}

/// A flight of twelve segments is held up for a little more than the RTO. No probe asks for it meanwhile.
fn with_a_second_of_standstill() -> String {
    let base = cubic(false);
    let config = Config { options: Options { tlp: false, ..base.options }, ..base };
    let held_up = [late(12..=15, ms(1005)), late(16..=23, ms(950))].concat();
    trace(config, vec![(Time::ZERO, 32_000)], &(data, held_up))
}

/// A segment that the sender sends: when, and its first sequence number.
fn sent(trace: &str) -> Vec<(f64, u64)> {
    let segment = |line: &str| {
        let mut words = line.split_whitespace();
        let time = words.next()?.parse().ok()?;
        let seq = words.nth(1)?.split_once(':')?.0.parse().ok()?;
        Some((time, seq))
    };
    trace.lines().filter(|line| line.contains("  > ")).filter_map(segment).collect()
}

/// How many segments were sent again.
fn sent_again(trace: &str) -> usize {
    let mut highest = None;
    sent(trace)
        .into_iter()
        .filter(|&(_, seq)| {
            let again = highest.is_some_and(|highest| seq <= highest);
            highest = highest.max(Some(seq));
            again
        })
        .count()
}

/// Twenty segments, one every 200 ms, so that SRTT is the RTT of one; then `segments` at once, at 5 s.
fn one_by_one_and_then(segments: u64) -> Vec<(Time, u64)> {
    let single = (0..20).map(|n| (ms(1000 + 200 * n), SMSS));
    single.chain([(ms(5000), segments * SMSS)]).collect()
}

/// The last segments of a transfer are lost, all of them. The RTT of a single segment is 101.09 ms: 1.04 ms for its packet and
/// 0.05 ms for its ACK. With one segment out on Linux the RTO, 200 ms after an RTT, comes before 2 RTT + 200 ms; so
/// the probe leaves then.
#[test]
fn a_lost_tail_is_probed_after_two_round_trips() {
    let rtt = 0.101_092;
    for (on_linux, segments, expected) in [
        (false, 1, 2.0 * rtt + 0.2),
        (false, 2, 2.0 * rtt),
        (false, 5, 2.0 * rtt),
        (true, 1, rtt + 0.2),
        (true, 2, 2.0 * rtt + 0.002),
        (true, 5, 2.0 * rtt + 0.002),
    ] {
        let config = Config { initial_window: 10, ..cubic(on_linux) };
        let trace = trace(config, one_by_one_and_then(segments), &lost(data, 21..=20 + segments));
        let probe = sent(&trace).into_iter().filter(|its| its.0 >= 5.0).nth(segments as usize);
        let (at, seq) = probe.unwrap_or_else(|| panic!("no probe\n{trace}"));
        assert_eq!(seq, 1 + (19 + segments) * SMSS, "the last segment\n{trace}");
        assert!((at - 5.0 - expected).abs() < 0.002, "{on_linux} {segments}: {at}\n{trace}");
    }
}

/// Pairs of segments, a second apart. Of each pair the first one is late by so many milliseconds; with its number among all
/// that were sent.
fn with_late_segments(by: &[(u64, u64)]) -> String {
    let singles = (0..20).map(|n| (ms(1000 + 200 * n), SMSS));
    let pairs = (0..by.len() as u64).map(|n| (ms(6000 + 1000 * n), 2 * SMSS));
    let late = by.iter().map(|&(number, by)| (number, Fate::Delay(ms(by)))).collect();
    let config = Config { initial_window: 10, ..cubic(false) };
    trace(config, singles.chain(pairs).collect(), &(data, late))
}

/// RFC 8985, section 6.2: once reordering was seen, a segment may come a quarter of the smallest RTT later than its turn:
/// 25.03 ms of 100.12 ms, which the handshake took. What the receiver reports as a duplicate doubles that; an RTT more of the
/// second segment (1.04 ms) adds to it.
#[test]
fn a_segment_may_be_late_by_a_quarter_of_the_rtt() {
    for (late, again) in [(10, 0), (24, 0), (28, 1), (45, 1)] {
        let trace = with_late_segments(&[(21, 2), (23, late)]);
        assert_eq!(sent_again(&trace), again, "{late} ms\n{trace}");
    }
    for (late, again) in [(28, 1), (49, 1), (53, 2)] {
        let trace = with_late_segments(&[(21, 2), (23, 28), (26, late)]);
        assert_eq!(sent_again(&trace), again, "the second time, by {late} ms\n{trace}");
    }
}

/// A path that stands still for a second: one segment is sent again for nothing, and cwnd is restored.
#[test]
fn a_needless_time_out_costs_one_segment() {
    let trace = with_a_second_of_standstill();
    assert_eq!(trace.matches("* time-out").count(), 1, "{trace}");
    assert_eq!(sent_again(&trace), 1, "{trace}");
    // Twelve segments of 988 bytes were in flight. The ACK of the first one echoes what left before the time-out: eleven are in
    // flight, and it has acknowledged one (RFC 4015).
    assert_has_line(&trace, "1.513648 11856 -", "after the ACK that shows it");
}
