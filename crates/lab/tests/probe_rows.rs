//! Rows of probes, worked out by hand: a segment of 960 bytes takes 1 ms and 10 ms, an ACK 40 us and 10 ms.

use crate::network::{link, plan};
use lab::plan::{Impairment, Link, Plan, Tcp, TcpOptions};
use lab::{Columns, Table, Values, run};

const SEGMENT: u64 = 960;

/// So many segments from node 0 to node 1, of which the wire loses some by their numbers.
fn transfer(segments: u64, lost: &[u64], limit: u64) -> Plan {
    let mut links = vec![link(0, 1, limit), link(1, 0, 100)];
    let Link::Packets { impairments, .. } = &mut links[0] else { unreachable!("it is a link of packets") };
    impairments.push(Impairment::Scripted { lost: lost.to_vec() });
    let mut plan = plan(2, links, &[(0, 1)], Some(segments * SEGMENT));
    plan.probes.states_of = vec![0];
    plan.probes.rtt_of = vec![0];
    plan.probes.segments_of = vec![0];
    plan.probes.packets_of = vec![0];
    plan
}

fn recorded(plan: &Plan) -> Columns {
    run(plan, 1).expect("the plan can be run")
}

/// A column as texts; times in ms.
fn texts(table: &Table, name: &str) -> Vec<String> {
    let column = table.columns.iter().find(|column| column.0 == name).expect("a column");
    match &column.1 {
        Values::Integers(values) => values.iter().map(u64::to_string).collect(),
        Values::Reals(values) => values.iter().map(|its| format!("{:.3}", its * 1e3)).collect(),
        Values::Words(numbers, words) => {
            let word = |number: &Option<u32>| number.map_or("-", |number| &words.all()[number as usize]);
            numbers.iter().map(|number| word(number).to_owned()).collect()
        }
    }
}

fn rows(table: &Table, columns: &[&str]) -> Vec<String> {
    let columns: Vec<_> = columns.iter().map(|name| texts(table, name)).collect();
    (0..columns[0].len())
        .map(|row| columns.iter().map(|its| &*its[row]).collect::<Vec<_>>().join(" | "))
        .collect()
}

/// The segments that were sent for a reason: when, the number of their first byte in segments, and the reason.
fn reasons(columns: &Columns) -> Vec<String> {
    let table = &columns.recorded.segments;
    let rows = rows(table, &["time_s", "low", "reason"]);
    rows.into_iter().filter(|row| !row.ends_with("| -")).collect()
}

/// The handshake ends at 20.096 ms, a round trip takes 21.04 ms. The ACKs of segments 1 and 2 come at 41.136 and 42.136 ms
/// and let out 3 to 6, of which 3 is lost. The duplicate ACKs of 4, 5 and 6 come at 63.176, 64.176 and 65.176 ms; the third
/// one lets out 3 again, and 7. The ACK of 3 is that of 6, comes at 86.216 ms, and ends the recovery with cwnd and ssthresh at
/// two segments. It lets out 8, which is lost. Nothing follows it, so the timer runs out. The window is one segment then, and two
/// as soon as 8 is acknowledged.
#[test]
fn states_follow_a_fast_retransmit_and_a_time_out() {
    let columns = recorded(&transfer(8, &[3, 9], 100));
    let found = rows(&columns.recorded.states, &["time_s", "state", "timeouts", "fast_retransmits"]);
    let expected =
        ["20.096 | slow start | 0 | 0", "65.176 | recovery | 0 | 1", "86.216 | congestion avoidance | 0 | 1"];
    assert_eq!(found[..3], expected);
    let [time_out, acknowledged] = &found[3..] else { panic!("{found:?}") };
    assert!(time_out.ends_with(" | time-out recovery | 1 | 1"), "{time_out}");
    assert!(acknowledged.ends_with(" | congestion avoidance | 1 | 1"), "{acknowledged}");
    let time = |row: &str| row.split(' ').next().and_then(|ms| ms.parse::<f64>().ok()).expect("a time");
    let round_trip = time(acknowledged) - time(time_out);
    assert!((round_trip - 21.04).abs() < 1e-6, "{round_trip}");
    let expected = [format!("65.176 | {} | fast retransmit", 2 * SEGMENT)];
    let (first, last) = (&reasons(&columns)[..1], reasons(&columns)[1].clone());
    assert_eq!(first, expected);
    assert!(last.ends_with(&format!("| {} | time-out (RTO)", 7 * SEGMENT)), "{last}");
}

/// As above; the first two duplicate ACKs let out a segment each.
#[test]
fn limited_transmit_is_a_reason() {
    let mut plan = transfer(20, &[3], 100);
    for Tcp { options, .. } in &mut plan.tcps {
        *options = TcpOptions { limited_transmit: true, ..options.clone() };
    }
    let found = reasons(&recorded(&plan));
    let expected = [
        format!("63.176 | {} | limited transmit", 6 * SEGMENT),
        format!("64.176 | {} | limited transmit", 7 * SEGMENT),
        format!("65.176 | {} | fast retransmit", 2 * SEGMENT),
    ];
    assert_eq!(found[..3], expected);
}

/// Timestamps leave 948 bytes for data, so there are four full segments and a fifth one, which is lost: a probe of the tail
/// sends it again.
#[test]
fn a_probe_of_the_tail_is_a_reason() {
    let mut plan = transfer(4, &[5], 100);
    for tcp in &mut plan.tcps {
        let cubic = lab::flavors().into_iter().find(|flavor| flavor.0 == "cubic").expect("a flavor");
        tcp.flavor = "cubic".into();
        tcp.options = serde_json::from_str(&cubic.2).expect("presets are options");
    }
    let found = reasons(&recorded(&plan));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with(&format!("| {} | tail loss probe", 4 * (SEGMENT - 12))), "{found:?}");
}

/// The samples are of the SYN and of segments one at a time; the second is the first in a round of two.
#[test]
fn every_rtt_is_a_row() {
    let columns = recorded(&transfer(2, &[], 100));
    assert_eq!(rows(&columns.recorded.rtt, &["time_s", "rtt_s"]), ["20.096 | 20.096", "41.136 | 21.040"]);
    assert_eq!(texts(&columns.flows, "rtt_samples"), ["2"]);
}

/// One may wait. Of four segments at once the first is sent, the second waits and is lost on the wire, the others are dropped.
#[test]
fn packets_have_their_times_and_fates() {
    let mut plan = transfer(4, &[2], 1);
    plan.tcps[0].initial_window_segments = 4;
    let columns = recorded(&plan);
    let table = &columns.recorded.packets;
    let names = [
        "kind",
        "offered_s",
        "left_s",
        "arrived_s",
        "dropped_s",
        "low",
        "high",
        "bytes",
        "sent_again",
        "lost",
    ];
    let expected = [
        "syn | 0.000 | 0.048 | 10.048 | NaN | 0 | 0 | 48 | 0 | -",
        "data | 20.096 | 21.096 | 31.096 | NaN | 0 | 960 | 1000 | 0 | -",
        "data | 20.096 | 22.096 | NaN | NaN | 960 | 1920 | 1000 | 0 | on the wire",
        "data | 20.096 | NaN | NaN | 20.096 | 1920 | 2880 | 1000 | 0 | queue full",
        "data | 20.096 | NaN | NaN | 20.096 | 2880 | 3840 | 1000 | 0 | queue full",
    ];
    assert_eq!(rows(table, &names)[..5], expected);
    // The SYN and its answer are numbers 0 and 1 of the run.
    assert_eq!(texts(table, "packet")[..3], ["0", "2", "3"]);
    let again: Vec<_> = rows(table, &["low", "sent_again"]).into_iter().skip(5).collect();
    assert!(again.contains(&"960 | 1".to_owned()), "{again:?}");
}

/// What the wire marks, and nothing else, leaves with a mark; what cannot be marked is lost.
#[test]
fn marked_packets_are_those_that_the_link_marked() {
    let mut plan = transfer(200, &[], 100);
    plan.tcps[0].options.ecn = true;
    let Link::Packets { impairments, .. } = &mut plan.links[0] else {
        unreachable!("it is a link of packets")
    };
    *impairments = vec![Impairment::Mark { ppb: 100_000_000 }];
    let columns = recorded(&plan);
    let of_link = |name| texts(&columns.links, name)[0].clone();
    let packets = &columns.recorded.packets;
    let count =
        |rows: Vec<String>, wanted: &str| rows.iter().filter(|row| *row == wanted).count().to_string();
    assert_ne!(of_link("packets_marked"), "0");
    assert_eq!(count(texts(packets, "marked"), "1"), of_link("packets_marked"));
    assert_eq!(count(texts(packets, "lost"), "on the wire"), of_link("packets_lost"));
    assert_eq!(texts(packets, "packet").len().to_string(), of_link("packets_offered"));
}
