//! Golden traces of options of an endpoint: when it acknowledges, and its initial window and restart window.
//!
//! Reno, the path and the clock of `golden.rs`: a segment of 1000 bytes takes 51.04 ms, an ACK 50.04
//! ms, the handshake is over at 0.100096 s. Delayed ACKs wait for 200 ms. The traces are those of the
//! sender, but that of `handshake_growth_of_the_listener` is of its peer. Worked by hand:
//!
//! *`ack_every` 4*, initial window 4. One ACK for four segments, which adds 1000: cwnd 5000 at
//! 0.204296 s. Of the five segments that this lets out one waits, for three of the next five: 6000 at
//! 0.308496 s, 7000 at 0.411656 s, 8000 at 0.513776 s. Numbers 17 and 18 are the last; 17 came at
//! 0.464776 s, so their ACK leaves at 0.664776 s and is here 50.04 ms later.
//!
//! *`quick_ack_bytes` 4000*, initial window 4. Numbers 1 to 4 are acknowledged one by one: 8000 at
//! 0.204296 s. 5 and 6, then 7 and 8 share an ACK: 9000, 10000. 9 is lost: 10, 11 and 12 are reported
//! at once, and the third report finds 10 in flight. What fills the gap makes 4000 bytes quick again:
//! the ACKs of 19 to 22 come one by one, a segment's time apart. 23 waits for 24.
//!
//! *Free-running timer*, period 200 ms. Number 1 comes at 0.151136 s and is acknowledged at 0.2 s,
//! not at 0.351136 s; the last one, number 8, comes at 0.506360 s and is acknowledged at 0.6 s.
//!
//! *`handshake_growth`*. Initial window 1, and two segments in the first flight, whoever sends it.
//!
//! *`handshake_sample` off*. The first segment leaves at 0.100096 s and is lost. With a sample of 0.1 s its
//! time-out would be the least, 1 s; without, it is the initial one, here 3 s, and ends with the 30th tick of 100 ms.
//!
//! *`restart_window` 1*, initial window 4. Eight segments make it 12000. Eight more are written at 2
//! s, when nothing was sent for more than an RTO of 1 s: one segment goes out.

use crate::application::{Application, Closes, Reads};
use crate::golden::{self, Fates, SMSS, assert_has_line, data, lost, traced};
use base::Time;
use tcp::{AckTimer, Config, Flavor, Historic, Options};

fn reno() -> Config {
    golden::config(Flavor::named("reno").expect("a flavor"), 60_000)
}

/// Both ends acknowledge every second segment, or one alone after 200 ms, but for `options`.
fn delaying(initial_window: u32, options: fn(Options) -> Options) -> Config {
    let delayed_ack = Some(Time::from_ms(200));
    Config { initial_window, options: options(Options { delayed_ack, ..reno().options }), ..reno() }
}

fn nothing() -> Fates {
    (data, vec![])
}

/// The opener writes this many segments at each of these times, in seconds.
fn opener_writes(config: Config, writes: &[(u64, u64)], fates: &Fates) -> String {
    let writes = writes.iter().map(|&(at, segments)| (Time::from_secs(at), segments * u64::from(SMSS)));
    let (opens, reads) = (Some(Time::ZERO), Reads::AtOnce);
    let sender = Application { opens, writes: writes.collect(), reads, closes: Closes::AfterLastAck };
    let receiver = Application { opens: None, writes: vec![], reads, closes: Closes::AfterPeer };
    traced([config; 2], [sender, receiver], fates)
}

fn listener_writes(config: Config, segments: u64) -> String {
    let (opens, reads) = (Some(Time::ZERO), Reads::AtOnce);
    let receiver = Application { opens, writes: vec![], reads, closes: Closes::AfterPeer };
    let writes = vec![(Time::ZERO, segments * u64::from(SMSS))];
    let sender = Application { opens: None, writes, reads, closes: Closes::AfterLastAck };
    traced([config; 2], [receiver, sender], &nothing())
}

/// The name of each trace, the trace, and lines of it that were worked by hand.
fn traces() -> Vec<(&'static str, String, &'static [&'static str])> {
    let every_fourth = delaying(4, |options| Options { ack_every: 4, ..options });
    let quick = delaying(4, |options| Options { quick_ack_bytes: 4000, ..options });
    let free = delaying(1, |options| Options { ack_timer: AckTimer::FreeRunning, ..options });
    let historic = Historic { handshake_growth: true, ..Historic::OFF };
    let growing = Config { options: Options { historic, ..reno().options }, ..reno() };
    let historic = Historic { handshake_sample: false, ..Historic::OFF };
    let late = Options { initial_rto: Time::from_secs(3), historic, ..reno().options };
    let untimed = Config { options: late, ..reno() };
    let restarting = Config { initial_window: 4, restart_window: Some(1), ..reno() };
    vec![
        (
            "ack_every_4",
            opener_writes(every_fourth, &[(0, 18)], &nothing()),
            &[
                "0.204296 5000 -",
                "0.308496 6000 -",
                "0.411656 7000 -",
                "0.513776 8000 -",
                "0.714816 9000 -",
                "0.714816 < ack 18001",
            ],
        ),
        (
            "quick_ack_bytes_4000",
            opener_writes(quick, &[(0, 28)], &lost(data, 9..=9)),
            &[
                "0.201176 5000 -",
                "0.204296 8000 -",
                "0.303296 < ack 6001",
                "0.305376 10000 -",
                "0.309536 8000 5000",
                "0.309536 > 8001:9001",
                "0.410616 < ack 18001",
                "0.507536 5200 5000",
                "0.508576 5392 5000",
                "0.510656 < ack 22001",
                "0.608616 < ack 24001",
            ],
        ),
        (
            "free_running_timer",
            opener_writes(free, &[(0, 8)], &nothing()),
            &[
                "0.250040 2000 -",
                "0.352160 3000 -",
                "0.454280 4000 -",
                "0.555360 < ack 7001",
                "0.650040 < ack 8001",
            ],
        ),
        (
            "handshake_growth",
            opener_writes(growing, &[(0, 8)], &nothing()),
            &["0.100096 2000 -", "0.100096 > 1001:2001", "0.201176 3000 -", "0.202216 4000 -"],
        ),
        (
            "handshake_growth_of_the_listener",
            listener_writes(growing, 4),
            &["0.201176 < 1:1001", "0.202216 < 1001:2001", "0.302256 < 2001:3001"],
        ),
        (
            "handshake_sample_off",
            opener_writes(untimed, &[(0, 4)], &lost(data, 1..=1)),
            &["3.100000 1000 2000 6.000", "3.100000 > 1:1001", "3.201080 2000 2000 6.000"],
        ),
        (
            "restart_window_1",
            opener_writes(restarting, &[(0, 8), (2, 8)], &nothing()),
            &["0.305376 12000 -", "2.000000 1000 -", "2.000000 > 8001:9001", "2.101080 2000 -"],
        ),
    ]
}

#[test]
fn golden_traces_of_policies() {
    for (name, trace, by_hand) in traces() {
        insta::assert_snapshot!(name, trace);
        by_hand.iter().for_each(|wanted| assert_has_line(&trace, wanted, name));
    }
}
