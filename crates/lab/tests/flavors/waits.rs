//! Golden trace of a fast retransmit that waits for half of SRTT (002 task 7), and what ends the wait.
//!
//! The sender, the path and the clock of `golden.rs`, flavor `sack`. Every RTT spans one tick, so SRTT is 100
//! ms and half of it 50 ms. Worked by hand, for segments 12 to 14 lost:
//!
//! The third duplicate ACK comes at 0.606556 s: cwnd 6000, `pipe` 12 - 3 = 9, and nothing goes out. The 4th to the 9th,
//! up to 0.612796 s, leave 3. At 0.656556 s number 12 goes out (4), and as 6000 leave room for two more, 13 and 14 (6).
//! Their ACKs are partial ones; each takes 2 and lets out two new segments: at 0.757648 s (1.04 ms, 0.052 ms of an ACK
//! with a SACK block, and twice 50 ms later) and at 0.758688 s. The third, at 0.759716 s, is of number 23 and ends the
//! recovery.

use crate::application::{Application, Closes, Reads};
use crate::golden::{self, Fates, SMSS, assert_has_line, data, lost, traced};
use base::Time;
use sim::link::Fate;
use tcp::{Config, Flavor, Historic, Options};

fn sack(retransmit_wait_ppm: u32) -> Config {
    let config = golden::config(Flavor::named("sack").expect("a flavor"), 40_000);
    let historic = Historic { retransmit_wait_ppm, ..Historic::OFF };
    Config { options: Options { historic, ..config.options }, ..config }
}

/// 32 segments.
fn transfer(config: Config, fates: &Fates) -> String {
    let (opens, reads) = (Some(Time::ZERO), Reads::AtOnce);
    let writes = vec![(Time::ZERO, 32 * u64::from(SMSS))];
    let sender = Application { opens, writes, reads, closes: Closes::AfterLastAck };
    let receiver = Application { opens: None, writes: vec![], reads, closes: Closes::AfterPeer };
    traced([config; 2], [sender, receiver], fates)
}

fn late(ms: u64) -> Fates {
    (data, vec![(12, Fate::Delay(Time::from_ms(ms)))])
}

/// What was sent between these times, in seconds.
fn sent_between(trace: &str, from: f64, to: f64) -> Vec<&str> {
    let sent = trace.lines().filter(|line| line.contains("  > "));
    let time = |line: &&str| line.split_whitespace().next().expect("a time").parse::<f64>().expect("a time");
    sent.filter(|line| (from..to).contains(&time(line))).collect()
}

#[test]
fn golden_trace_of_a_wait() {
    let trace = transfer(sack(500_000), &lost(data, 12..=14));
    insta::assert_snapshot!("sack_waits_half_an_rtt", trace);
    for wanted in [
        "0.606556 6000 6000",
        "0.656556 > 11001:12001",
        "0.656556 > 12001:13001",
        "0.656556 > 13001:14001",
        "0.757648 < ack 12001",
        "0.757648 > 23001:24001",
        "0.757648 > 24001:25001",
        "0.758688 < ack 13001",
        "0.759716 < ack 23001",
    ] {
        assert_has_line(&trace, wanted, "sack_waits_half_an_rtt");
    }
    assert_eq!(sent_between(&trace, 0.508, 0.656).len(), 0);
    assert_eq!(sent_between(&trace, 0.656, 0.757).len(), 3);
}

/// Number 12, sent by 0.408544 s, comes 110 ms late, after all that were out when the recovery began and within
/// a wait of two RTTs: its ACK ends the recovery, and nothing is sent again.
#[test]
fn an_ack_of_everything_ends_the_wait() {
    let trace = transfer(sack(2_000_000), &late(110));
    assert_has_line(&trace, "0.618584 < ack 23001", "late");
    assert!(trace.contains("recovery is over"), "{trace}");
    assert!(!trace.contains("again") && !trace.contains("fast retransmit") && !trace.contains("time-out"));
    assert_eq!(sent_between(&trace, 0.508, 0.618).len(), 0);
    assert_eq!(sent_between(&trace, 0.618, 0.619).len(), 6);
}

/// Number 12 comes 99 ms late, while others are still out: it is not sent again, and the recovery goes on without a
/// wait. `pipe` is 9 at the third duplicate ACK, 7 with two more, and 6 = cwnd with the late segment: nothing goes
/// out. The ACK of the next one, at 0.607624 s, is a partial ACK like any other and lets out two.
#[test]
fn an_ack_of_the_late_segment_ends_the_wait() {
    let trace = transfer(sack(1_000_000), &late(99));
    for wanted in ["0.607584 < ack 17001", "0.607624 > 23001:24001", "0.607624 > 24001:25001"] {
        assert_has_line(&trace, wanted, "late");
    }
    assert_eq!(sent_between(&trace, 0.508, 0.608).len(), 2);
    assert_eq!(
        sent_between(&trace, 0.408, 2.0).iter().filter(|line| line.contains("12001(1000)")).count(),
        0
    );
}

/// A time-out of three ticks, begun at 0.507544 s, ends at the third tick after that, just before a wait of two
/// RTTs would at 0.806556 s.
#[test]
fn a_time_out_ends_the_wait() {
    let patient = sack(2_000_000);
    let options = Options { min_rto: Time::from_ms(200), ..patient.options };
    let trace = transfer(Config { options, ..patient }, &lost(data, 12..=14));
    assert_has_line(&trace, "0.800000 1000 6000", "time-out");
    assert_has_line(&trace, "0.800000 > 11001:12001", "time-out");
    assert!(!trace.contains("fast retransmit"), "{trace}");
    assert_eq!(sent_between(&trace, 0.508, 0.8).len(), 0);
    assert_eq!(sent_between(&trace, 0.8, 0.9).len(), 1);
}

/// The timer runs during the wait and restarts at its end: with number 12 lost again, the time-out is the
/// tenth tick after 0.656556 s.
#[test]
fn the_timer_restarts_when_the_wait_is_over() {
    let mut fates = lost(data, 12..=14);
    fates.1.push((24, Fate::Lose));
    let trace = transfer(sack(500_000), &fates);
    assert_has_line(&trace, "0.656556 > 11001:12001", "lost twice");
    assert!(trace.contains("1.600000  * time-out"), "{trace}");
}

/// A flavor without a wait does not change.
#[test]
fn other_recoveries_know_no_wait() {
    for flavor in tcp::FLAVORS.iter().filter(|flavor| flavor.name != "sack") {
        let config = golden::config(flavor, 40_000);
        let fates = lost(data, 12..=14);
        let historic = Historic { retransmit_wait_ppm: 500_000, ..Historic::OFF };
        let waiting = Config { options: Options { historic, ..config.options }, ..config };
        assert_eq!(transfer(waiting, &fates), transfer(config, &fates), "{}", flavor.name);
    }
}
