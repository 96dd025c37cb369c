//! Golden traces: every flavor, with one to four losses in a window and with what else may happen.
//!
//! A sender writes 32 segments of 1000 bytes (988 beside timestamps) to a path of 8 Mbit/s and 100
//! ms there and back, where a packet of 1040 bytes takes 1.04 ms. The initial window is one
//! segment; every segment is acknowledged. The classic flavors count ticks of 100 ms. The traces
//! are those of the sender, in `snapshots/`; `annotated.rs` says how to read them. Worked by hand,
//! from the RFCs, and found in them:
//!
//! *Slow start* (RFC 5681, 3.1). Each ACK of 1000 bytes adds 1000: flights of 1, 2, 4, 8 segments,
//! number 8 to 15 being the fourth. When the ACKs of 8 to 11 come back (0.504 s to 0.508 s), cwnd
//! is 9000 to 12000 and 16 to 23 have been sent. Segments 12 and following of the fourth flight are
//! the lost ones: from 0.508 s on, 12 segments are out.
//!
//! *Fast retransmit and recovery* (3.2). Whatever is lost, the third duplicate ACK finds 12000
//! bytes out: ssthresh 6000, cwnd 6000 + 3 * 1000 = 9000, and + 1000 with each further one. cwnd
//! exceeds the 12000 out with the seventh: that one lets out number 24. With n losses there are
//! 12 less n duplicate ACKs, so 6 less n of them let out new segments: 24 to 28 for one loss.
//!
//! *Congestion avoidance* (equation 3, and ssthresh 6000). 1000 * 1000 / cwnd, rounded down: 6000 +
//! 166 = 6166, + 162 = 6328, + 158 = 6486, + 154 = 6640, + 150 = 6790, + 147 = 6937, to the byte.
//!
//! *Time-outs* (RFC 6298). The RTT is one tick or two, so the RTO is its floor, 1 s: 10 ticks. `vanilla_losses_1`:
//! restarted by the last new ACK at 0.5075 s, it ends at the tenth tick after that, at 1.5 s. `lost_syn`: 1 s, then 2 s
//! (to 3 s), and would be 4 s; data begins with cwnd of one segment (RFC 5681, 3.1) and an RTO of 3 s (RFC 6298, 5.7).
//! `lost_fin`: restarted at 0.7066 s, ends at 1.7 s, then 2 s more. The second time-out for the same data leaves
//! ssthresh as it is (RFC 5681, 3.1).
//!
//! *Karn* (RFC 6298, 3 and 5.7). `vanilla_losses_1`: the ACK of the segment that was sent again, at
//! 1.601 s, is no sample: the RTO stays at 2 s. The ACK of a new one, at 1.702 s, is: 1 s again.
//! With timestamps (`cubic_lost_last_segment`) the first of them is a sample already.
//!
//! *Reno's second loss*. `reno_losses_2`: the ACK of number 12 ends the recovery (cwnd 6000), three
//! more duplicate ACKs begin another one with 15000 in flight: ssthresh 7500. `reno_losses_3` has
//! none left for the third, and waits for the timer.
//!
//! *Partial ACKs* (RFC 6582, 3.2 step 5). `newreno_losses_3`: each acknowledges one segment: cwnd -
//! 1000 + 1000, and the next hole goes out. One round trip for each loss; the ACK of all that was
//! out at the beginning (number 23) ends it with cwnd = ssthresh.
//!
//! *Hoe's variant*. `newreno_hoe_losses_2`: cwnd is 6000 from the third duplicate ACK on; the 5th,
//! 7th and 9th let out a segment each, whatever cwnd is; a partial ACK lets out the next hole
//! alone.
//!
//! *`pipe` of Fall and Floyd*. `sack_losses_3`: 12 - 3 = 9 at the third duplicate ACK, 10 with the
//! segment that is sent again, and less by one with each of the 4th to the 7th: 6 = cwnd, nothing
//! goes out. The 8th makes it 5: the second hole goes out, and with the 9th the third. A partial
//! ACK takes 2 (the lost one and its replacement), so each lets out two segments.
//!
//! *`pipe` of RFC 6675*. `sack_rfc6675_losses_3`: limited transmit has let out 24 and 25, so 14 are
//! out, but ssthresh is half of the 12000 without them (RFC 5681, 3.2 step 2). At the third
//! duplicate ACK 3 are SACKed and 3 have three SACKed ones above them, so are lost: 14 - 3 - 3 = 8,
//! and 9 with the one sent again. The 4th to the 6th duplicate ACK make it 6 = cwnd; the 7th makes
//! it 5, and the second hole goes out: one segment with each ACK from there, because each shows
//! that one has left.
//!
//! *RACK* (RFC 8985, 6.2). `cubic_losses_3`: segment 15, sent at 0.406516 s, is SACKed at 0.511780 s, after 105.264 ms. What
//! left before it is lost a quarter of the smallest RTT later, that of the handshake: 0.406516 + 0.105264 + 0.100120 / 4 =
//! 0.536810 s. That is before the third duplicate ACK.
//!
//! *Proportional rate reduction* (RFC 9937). There ssthresh is 0.7 * 11856 = 8299 (RFC 9438, 4.6). 13 segments are out, one
//! is SACKed and three are lost, so `pipe` is 9 * 988 = 8892, and one goes out at once: cwnd 9880. The next ACK has paid for
//! that one only: cwnd is `pipe`, 8892. With the one after that `pipe` is below ssthresh, and cwnd is ssthresh.
//!
//! *Reordering*. Segment 12 is overtaken by five: three duplicate ACKs, and a recovery that was not
//! needed. *Duplication*: one duplicate ACK, and nothing happens.
//!
//! *Zero window* (RFC 9293, 3.8.6.1). Eight segments fill the buffer. `reno_zero_window`: the probes
//! come an RTO and then two RTOs after one another; the reader begins at 5 s. They move no window;
//! but no data has been sent for more than an RTO then, so cwnd is the initial window when the next
//! data goes out (RFC 5681, 4.1).

use crate::annotated::Annotated;
use crate::application::{Application, AtWork, Closes, Reads};
use crate::host::PeerHost;
use crate::network::Payload;
use crate::network::{LISTENER, Line, OPENER, Script, world};
use crate::stack::Stack;
use base::{Rate, Time};
use sim::Packet;
use sim::link::Fate;
use tcp::{Config, Connection, FLAVORS, Flavor, Options, SsthreshFrom, State, TickClock};

pub(crate) const SMSS: u32 = 1000;
const SEGMENTS: u64 = 32;

/// The fates of the sender's packets, counted from 1 among those for which the function is true.
pub(crate) type Fates = (fn(&Packet<Payload>) -> bool, Vec<(u64, Fate)>);

pub(crate) fn data(packet: &Packet<Payload>) -> bool {
    packet.payload.len > 0
}

pub(crate) fn lost(counts: fn(&Packet<Payload>) -> bool, numbers: std::ops::RangeInclusive<u64>) -> Fates {
    (counts, numbers.map(|number| (number, Fate::Lose)).collect())
}

/// The name of each trace, and what happens in it.
fn happenings() -> Vec<(&'static str, Fates, Reads)> {
    let late = (data as fn(&_) -> bool, vec![(12, Fate::Delay(Time::from_us(5_500)))]);
    let slow = Reads::Slowly { from: Time::from_secs(5), period: Time::from_ms(10), bytes: 8_000 };
    vec![
        ("losses_1", lost(data, 12..=12), Reads::AtOnce),
        ("losses_2", lost(data, 12..=13), Reads::AtOnce),
        ("losses_3", lost(data, 12..=14), Reads::AtOnce),
        ("losses_4", lost(data, 12..=15), Reads::AtOnce),
        ("lost_syn", lost(|packet| packet.payload.syn, 1..=2), Reads::AtOnce),
        ("lost_fin", lost(|packet| packet.payload.fin, 1..=2), Reads::AtOnce),
        ("lost_last_segment", lost(data, SEGMENTS..=SEGMENTS), Reads::AtOnce),
        ("reordering", late, Reads::AtOnce),
        ("duplication", (data, vec![(12, Fate::Duplicate)]), Reads::AtOnce),
        ("zero_window", (data, vec![]), slow),
    ]
}

pub(crate) fn config(flavor: &'static Flavor, receive_buffer: u64) -> Config {
    let ssthresh_from = match flavor.presets.ssthresh_from {
        // To the letter of RFC 5681, as the traces are worked.
        SsthreshFrom::FlightSizeBounded => SsthreshFrom::FlightSize,
        own => own,
    };
    Config {
        flavor,
        options: Options {
            delayed_ack: None,
            ssthresh_from,
            careful_fast_retransmit: flavor.careful_as_published,
            ..flavor.presets
        },
        smss: SMSS,
        initial_window: 1,
        initial_ssthresh: 1 << 30,
        receive_buffer,
        initial_receive_buffer: None,
        window_scale: Some(0),
        nagle: false,
        idle_restart: true,
        restart_window: None,
    }
}

fn trace(flavor: &'static Flavor, fates: &Fates, reads: Reads) -> String {
    let buffer = if reads == Reads::AtOnce { 40_000 } else { 8_000 };
    let writes = vec![(Time::ZERO, SEGMENTS * u64::from(SMSS))];
    let (opens, closes) = (Some(Time::ZERO), Closes::AfterLastAck);
    let sender = Application { opens, writes, reads: Reads::AtOnce, closes };
    let receiver = Application { opens: None, writes: vec![], reads, closes: Closes::AfterPeer };
    traced([config(flavor, 40_000), config(flavor, buffer)], [sender, receiver], fates)
}

/// What the opener does; the fates are those of its packets.
pub(crate) fn traced(configs: [Config; 2], applications: [Application; 2], fates: &Fates) -> String {
    let clock = TickClock { tick: Time::from_ms(100), phase: Time::ZERO };
    let bytes = applications.clone().map(|application| application.bytes());
    let [sender, receiver] = applications;
    let end = |peer, config, application| {
        let stack = Stack::ours(Connection::new(config, clock));
        PeerHost::new(peer, stack, AtWork::new(application))
    };
    let line = |fates: Fates| Line {
        rate: Rate::from_bps(8_000_000),
        delay: Time::from_ms(50),
        queue_packets: None,
        impairments: vec![Box::new(Script::new(fates.0, fates.1))],
    };
    let hosts = [end(LISTENER, configs[0], sender), end(OPENER, configs[1], receiver)];
    let lines = [line(fates.clone()), line((data, vec![]))];
    let mut world = world(hosts, lines, Annotated::default());
    while let Some(next) = world.next_event_time().filter(|next| *next < Time::from_secs(300)) {
        world.advance_to(next);
    }
    let closed = [State::Closed, State::TimeWait];
    assert!(world.hosts().iter().all(|host| closed.contains(&host.stack.state())));
    assert_eq!(world.hosts()[1].stack.delivered(), bytes[0]);
    assert_eq!(world.hosts()[0].stack.delivered(), bytes[1]);
    world.into_observer().into_text()
}

#[test]
fn golden_traces() {
    for flavor in FLAVORS {
        for (name, fates, reads) in happenings() {
            insta::assert_snapshot!(format!("{}_{name}", flavor.name), trace(flavor, &fates, reads));
        }
    }
}

/// What was worked by hand, in this order: line by line a time, and cwnd, ssthresh and RTO after it.
const BY_HAND: &[(&str, &str, &[&str])] = &[
    // Slow start, the third duplicate ACK, recovery to the byte, congestion avoidance to the byte.
    ("reno", "losses_1", &["0.504416 9000 - 1.000", "0.507536 12000 - 1.000", "0.511696 9000 6000 1.000"]),
    (
        "reno",
        "losses_1",
        &["0.608616 13000 6000 1.000", "0.612776 17000 6000 1.000", "0.613816 6000 6000 1.000"],
    ),
    (
        "reno",
        "losses_1",
        &["0.709696 6166 6000 1.000", "0.710736 6328 6000 1.000", "0.711776 6486 6000 1.000"],
    ),
    (
        "reno",
        "losses_1",
        &["0.712816 6640 6000 1.000", "0.713856 6790 6000 1.000", "0.714896 6937 6000 1.000"],
    ),
    // Time-out at the tenth tick; Karn; the second halving; time-outs in a row.
    (
        "vanilla",
        "losses_1",
        &["1.500000 1000 6000 2.000", "1.601080 2000 6000 2.000", "1.702160 3000 6000 1.000"],
    ),
    ("reno", "losses_2", &["0.706576 6000 6000 1.000", "0.712816 10500 7500 1.000"]),
    (
        "reno",
        "lost_syn",
        &["1.000000 1000 - 2.000", "3.000000 1000 - 4.000", "3.100096 1000 - 3.000", "3.201176 2000 - 1.000"],
    ),
    ("reno", "lost_fin", &["1.700000 1000 2000 2.000", "3.700000 1000 2000 4.000"]),
    // Partial ACKs: - 1000 + 1000; then ssthresh.
    (
        "newreno",
        "losses_3",
        &["0.707616 15000 6000 1.000", "0.808696 18000 6000 1.000", "0.909776 6000 6000 1.000"],
    ),
    // A closed window, probes, and the restart after them.
    ("reno", "zero_window", &["0.504416 9000 - 1.000", "3.604497 9000 - 1.000", "5.050040 1000 - 1.000"]),
    // Hoe's: cwnd does not move.
    (
        "newreno_hoe",
        "losses_2",
        &["0.605496 6000 6000 1.000", "0.611736 6000 6000 1.000", "0.807656 6000 6000 1.000"],
    ),
    // RACK's timer, and proportional rate reduction: 8892 + 988, then `pipe`, then ssthresh.
    ("cubic", "losses_3", &["0.536810 9880 8299", "0.605592 8892 8299", "0.606632 8299 8299"]),
];

/// What goes out, and when: `pipe` of both SACK recoveries, and Hoe's every second duplicate ACK.
const SENT_BY_HAND: &[(&str, &str, &[&str])] = &[
    ("sack", "losses_3", &["0.606556 > 11001:12001", "0.611756 > 12001:13001", "0.612796 > 13001:14001"]),
    ("sack", "losses_3", &["0.707648 > 23001:24001", "0.707648 > 24001:25001", "0.712848 > 25001:26001"]),
    (
        "sack_rfc6675",
        "losses_3",
        &["0.511716 > 23001:24001", "0.605516 > 24001:25001", "0.606556 > 11001:12001"],
    ),
    (
        "sack_rfc6675",
        "losses_3",
        &["0.610716 > 12001:13001", "0.611756 > 13001:14001", "0.612796 > 25001:26001"],
    ),
    (
        "newreno_hoe",
        "losses_2",
        &["0.607576 > 23001:24001", "0.609656 > 24001:25001", "0.611736 > 25001:26001"],
    ),
    ("newreno_hoe", "losses_2", &["0.706576 > 12001:13001", "0.708656 > 26001:27001"]),
    ("reno", "zero_window", &["1.504416 > 8001:8002", "3.504416 > 8001:8002", "5.050040 > 8001:9001"]),
];

/// Lines that updating the snapshots must not change.
#[test]
fn what_was_worked_by_hand() {
    for (flavor, name, expected) in BY_HAND.iter().chain(SENT_BY_HAND) {
        let flavor = Flavor::named(flavor).expect("a flavor");
        let happenings = happenings();
        let (_, fates, reads) = happenings.iter().find(|each| each.0 == *name).expect("a name");
        let trace = trace(flavor, fates, *reads);
        let name = format!("{} {name}", flavor.name);
        expected.iter().for_each(|wanted| assert_has_line(&trace, wanted, &name));
    }
}

/// `wanted` is how a line begins: its time with what was sent or received, or with the numbers after it.
pub(crate) fn assert_has_line(trace: &str, wanted: &str, name: &str) {
    let shorten = |line: &str| {
        let time = line.split_whitespace().next().unwrap_or_default();
        let numbers: Vec<&str> = line.get(56..).unwrap_or_default().split_whitespace().take(3).collect();
        format!("{time} {}", numbers.join(" "))
    };
    let squeeze = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let found =
        trace.lines().any(|line| shorten(line).starts_with(wanted) || squeeze(line).starts_with(wanted));
    assert!(found, "{name}: no line `{wanted}` in\n{trace}");
}
