//! Flows of UDP datagrams, worked out by hand.

use base::Time;
use lab::capture::{Kept, Place, Point, Request};
use lab::plan::{
    Clock, Flow, FlowGroup, HistoricTcp, Impairment, Link, Phase, Plan, Probes, Queue, SCHEMA, Tcp,
    TcpOptions, Times, Workload,
};
use lab::{Columns, Host, Payload, Table, Values, build, capture, run};
use pcap_file::pcapng::{Block, PcapNgReader};
use sim::{Event, Observer};

const MS: u64 = 1_000_000_000;

/// 8 Mbit/s, 1 us a byte, and 10 ms.
fn link(from: u32, to: u32, limit_packets: u64, impairments: Vec<Impairment>) -> Link {
    Link::Packets {
        from: from.into(),
        to: to.into(),
        cost: 1,
        rate_bps: 8_000_000,
        delay_ps: 10 * MS,
        delay_draw: None,
        varies: None,
        queue: Queue::drop_tail(limit_packets),
        impairments,
    }
}

fn tcp() -> Tcp {
    let flavor = lab::flavors().into_iter().find(|flavor| flavor.0 == "newreno").expect("a flavor");
    Tcp {
        flavor: "newreno".into(),
        options: serde_json::from_str::<TcpOptions>(&flavor.2).expect("presets are options"),
        smss_bytes: 960,
        initial_window_segments: 2,
        initial_ssthresh_bytes: 1_000_000,
        receive_buffer_bytes: 65_535,
        receive_buffer_initial_bytes: None,
        window_scale: Some(0),
        nagle: false,
        sws_avoidance: true,
        idle_restart: true,
        restart_window_segments: None,
        historic: HistoricTcp::OFF,
    }
}

/// From node 0 to node 1, one flow of each workload, for a second.
fn plan(workloads: Vec<Workload>, limit_packets: u64, impairments: Vec<Impairment>) -> Plan {
    let flow = |workload| {
        FlowGroup::from(Flow {
            sender: 0,
            receiver: 1,
            sender_tcp: 0,
            receiver_tcp: 0,
            workload,
            foreground: false,
            dscp: 0,
        })
    };
    Plan {
        schema: SCHEMA,
        duration_ps: 1000 * MS,
        warm_up_ps: 0,
        nodes: 2,
        links: vec![link(0, 1, limit_packets, impairments), link(1, 0, 100, vec![])],
        clock: Clock { tick_ps: 100 * MS, phase: Phase::Uniform { spread_ps: 0 } },
        tcps: vec![tcp()],
        flows: (0..workloads.len()).map(flow).collect(),
        workloads,
        probes: Probes::default(),
        queue_delays_of: vec![0],
        delays_of_flows: Vec::new(),
    }
}

/// 1000 bytes every `8e6 / rate_kbps` us, from 3 ms on.
fn datagrams(rate_kbps: u64, turns: Option<(Times, Times)>) -> Workload {
    let (on, off) = turns.unzip();
    Workload::Datagrams {
        rate_bps: rate_kbps * 1000,
        packet_bytes: 1000,
        on,
        off,
        start_ps: 3 * MS,
        start_spread_ps: 0,
    }
}

fn whole(table: &Table, column: &str) -> Vec<u64> {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Integers(values))) => values.clone(),
        _ => panic!("no column of whole numbers {column}"),
    }
}

fn real(table: &Table, column: &str) -> Vec<f64> {
    match table.columns.iter().find(|(name, _)| *name == column) {
        Some((_, Values::Reals(values))) => values.clone(),
        _ => panic!("no column of real numbers {column}"),
    }
}

fn flows(columns: &Columns, names: &[&str]) -> Vec<u64> {
    names.iter().map(|name| whole(&columns.flows, name)[0]).collect()
}

/// Always the same time.
fn always(ms: u64) -> Times {
    Times::Uniform { min_ps: ms * MS, max_ps: ms * MS }
}

/// Pareto and exponential, as of web-like traffic.
fn turns() -> Option<(Times, Times)> {
    let on = Times::Pareto { mean_ps: 50 * MS, shape_ppm: 1_500_000 };
    Some((on, Times::Exponential { mean_ps: 30 * MS }))
}

/// When datagrams were sent.
#[derive(Default)]
struct Departures(Vec<u64>);

impl Observer<Host> for Departures {
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match event {
            Event::Sent(_, packet) if matches!(packet.payload, Payload::Datagram(_)) => {
                self.0.push(at.as_ps());
            }
            _ => {}
        }
    }
}

fn departures(plan: &Plan, seed: u64) -> Vec<u64> {
    let mut world = build::world(plan, seed, Departures::default()).unwrap();
    world.advance_to(Time::from_ps(plan.duration_ps));
    world.into_observer().0
}

/// 1 Mbit/s: a datagram each 8 ms from 3 to 995 ms, of which the last takes 11 ms to arrive.
#[test]
fn a_constant_rate_leaves_and_arrives() {
    let columns = run(&plan(vec![datagrams(1000, None)], 100, vec![]), 1).unwrap();
    let names = ["requests", "scheduled_bytes", "received_bytes", "delivered_bytes", "segments_sent"];
    assert_eq!(flows(&columns, &names), [125, 125_000, 124_000, 124_000, 125]);
    assert_eq!(flows(&columns, &["segments_retransmitted", "timeouts", "fast_retransmits"]), [0; 3]);
    assert!((real(&columns.flows, "opened_s")[0] - 0.003).abs() < 1e-12);
    assert!((real(&columns.flows, "last_delivery_s")[0] - 0.998).abs() < 1e-12);
    assert_eq!(whole(&columns.links, "packets_offered"), [125, 0]);
}

/// 1000 bytes at 3 Mbit/s: 2 666 666 666 2/3 ps.
#[test]
fn departures_are_exact_to_the_picosecond() {
    let found = departures(&plan(vec![datagrams(3000, None)], 100, vec![]), 1);
    assert_eq!(found.len(), 374);
    for (number, at) in (0..).zip(found) {
        assert_eq!(at, 3 * MS + (number * 8_000_000_000 + 1) / 3);
    }
}

/// On for 20 ms, in which there are three departures or two, and off for 100.
#[test]
fn a_source_that_is_off_is_silent() {
    let plan = plan(vec![datagrams(1000, Some((always(20), always(100))))], 100, vec![]);
    let ms: Vec<u64> = departures(&plan, 1).into_iter().map(|ps| ps / MS).collect();
    assert_eq!(ms[..8], [3, 11, 19, 127, 135, 243, 251, 259]);
}

#[test]
fn what_is_counted_after_the_warm_up_is_the_rest() {
    let all = plan(vec![datagrams(1000, None)], 100, vec![]);
    // At 500 ms 63 had left and 61 arrived. Nothing is left over to be sent.
    let rest = run(&Plan { warm_up_ps: 500 * MS, ..all }, 1).unwrap();
    assert_eq!(flows(&rest, &["segments_sent", "delivered_bytes", "backlog_bytes"]), [62, 63_000, 0]);
}

/// Twice as much as the link can carry: datagrams that the queue drops are lost for good.
#[test]
fn nothing_is_sent_again() {
    let columns = run(&plan(vec![datagrams(16_000, None)], 5, vec![]), 1).unwrap();
    let (sent, dropped) =
        (whole(&columns.links, "packets_sent")[0], whole(&columns.links, "packets_dropped")[0]);
    assert_eq!(flows(&columns, &["segments_sent"]), [1995]);
    assert!(dropped > 900 && sent + dropped + 6 >= 1995);
    // What is on the line for 10 ms.
    assert!((10..=12).contains(&(sent - flows(&columns, &["delivered_bytes"])[0] / 1000)));
}

/// A line that marks loses what is not ECN-capable; of what one doubles, one counts.
#[test]
fn lines_do_to_datagrams_what_they_do_to_packets() {
    let all = 1_000_000_000;
    let delivered = |impairment| {
        let columns = run(&plan(vec![datagrams(1000, None)], 100, vec![impairment]), 1).unwrap();
        flows(&columns, &["delivered_bytes"])[0]
    };
    assert_eq!(delivered(Impairment::Mark { ppb: all }), 0);
    assert_eq!(delivered(Impairment::Duplicate { ppb: all }), 124_000);
    assert_eq!(delivered(Impairment::Scripted { lost: vec![1, 3] }), 122_000);
}

/// One bulk transfer and one source share the link; each has its own totals.
#[test]
fn tcp_and_datagrams_share_a_link() {
    let bulk = Workload::Bulk { bytes: None, start_ps: 0, start_spread_ps: 0 };
    let mut plan = plan(vec![bulk, datagrams(4000, None)], 20, vec![]);
    plan.probes = Probes {
        goodput_bin_ps: Some(100 * MS),
        cwnd_of: vec![0, 1],
        transport_bin_ps: Some(100 * MS),
        ..Probes::default()
    };
    let columns = run(&plan, 1).unwrap();
    let sent = whole(&columns.flows, "segments_sent");
    assert_eq!(sent[1], 499);
    // The SYN is no segment with data.
    assert_eq!(whole(&columns.links, "packets_offered")[0], 1 + sent.iter().sum::<u64>());
    // Every bin has what was delivered in it, and only TCP has a window.
    let (of, bytes) =
        (whole(&columns.recorded.goodput, "flow"), whole(&columns.recorded.goodput, "delivered_bytes"));
    let datagrams = of.iter().zip(bytes).filter(|(flow, _)| **flow == 1).map(|(_, bytes)| bytes);
    assert_eq!(datagrams.sum::<u64>(), whole(&columns.flows, "delivered_bytes")[1]);
    assert!(whole(&columns.recorded.cwnd, "flow").iter().all(|flow| *flow == 0));
    assert!(whole(&columns.recorded.transport, "flow").iter().all(|flow| *flow == 0));
}

/// The on periods of a source depend on its flow and the seed, not on the network.
#[test]
fn traffic_does_not_depend_on_the_network() {
    let alone = plan(vec![datagrams(1000, turns())], 100, vec![]);
    let lossy = plan(
        vec![datagrams(1000, turns()), Workload::Bulk { bytes: None, start_ps: 0, start_spread_ps: 0 }],
        3,
        vec![Impairment::Jitter { spread_ps: 20 * MS }],
    );
    let first = departures(&alone, 1);
    assert!(first.len() > 40 && first.len() < 125);
    assert_eq!(first, departures(&lossy, 1));
    assert_ne!(first, departures(&alone, 2));
}

/// A datagram is a UDP packet, with the next number even if it is lost.
#[test]
fn a_capture_shows_udp() {
    let plan = plan(vec![datagrams(1000, None)], 100, vec![Impairment::Scripted { lost: vec![2] }]);
    let place = |name: &str, place| Point { name: name.into(), place };
    let request = Request {
        title: "a test".into(),
        links: vec!["there".into(), "back".into()],
        points: vec![place("sender", Place::Node(0)), place("receiver", Place::Node(1))],
        kept: Kept::Headers,
    };
    let captured = capture(&plan, 1, &request).unwrap();
    assert_eq!([captured.counts[0].packets, captured.counts[1].packets], [125, 123]);
    assert_eq!([captured.counts[0].lost, captured.counts[0].retransmissions], [1, 0]);
    let mut reader = PcapNgReader::new(&captured.pcapng[..]).expect("a file");
    let mut seen = 0;
    while let Some(block) = reader.next_block() {
        let Block::EnhancedPacket(packet) = block.expect("a block").into_owned() else { continue };
        assert_eq!((packet.original_len, packet.data.len()), (1000, 28));
        // Protocol 17; addresses 198.51.100.1 and 192.0.2.1; ports; a length of 980 bytes.
        assert_eq!(packet.data[9], 17);
        assert_eq!(packet.data[12..20], [198, 51, 100, 1, 192, 0, 2, 1]);
        assert_eq!(packet.data[20..26], [192, 0, 192, 0, 3, 212]);
        if packet.interface_id == 0 {
            assert_eq!(packet.data[4..6], [0, seen]);
            let lost = "lost by the list of losses (scripted): there at 0.012000 s";
            let comments: Vec<String> = packet.options.iter().map(|option| format!("{option:?}")).collect();
            assert_eq!(comments.iter().any(|comment| comment.contains(lost)), seen == 1, "{comments:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 125);
}

fn checked(workload: &str) -> Result<(), String> {
    let mut plan = serde_json::to_value(plan(vec![datagrams(1000, None)], 100, vec![])).expect("JSON");
    plan["workloads"][0] = serde_json::from_str(workload).expect("JSON");
    Plan::from_json(&plan.to_string()).map(drop).map_err(|error| error.to_string())
}

/// Invalid values in a plan, and their messages.
#[test]
fn plans_say_what_is_wrong() {
    let source = |rate: &str, bytes: &str, on: &str, off: &str| {
        checked(&format!(
            r#"{{"kind": "datagrams", "rate_bps": {rate}, "packet_bytes": {bytes}, "on": {on}, "off": {off},
                "start_ps": 0, "start_spread_ps": 0}}"#
        ))
    };
    let uniform = r#"{"law": "uniform", "min_ps": 0, "max_ps": 100000000000}"#;
    let exponential = r#"{"law": "exponential", "mean_ps": 8000000000}"#;
    let pareto = r#"{"law": "pareto", "mean_ps": 8000000000, "shape_ppm": 1200000}"#;
    assert_eq!(source("1000000", "1000", "null", "null"), Ok(()));
    assert_eq!(source("1000000", "1000", pareto, exponential), Ok(()));
    assert_eq!(source("1000000", "1000", uniform, uniform), Ok(()));
    let wrong = |found: Result<(), String>, message: &str| assert_eq!(found, Err(format!("plan: {message}")));
    let both = "`on` and `off` must be given both or neither";
    wrong(source("1000000", "1000", pareto, "null"), both);
    wrong(source("1000000", "1000", "null", uniform), both);
    wrong(source("0", "1000", "null", "null"), "`rate_bps` must be 1 to 1e12");
    wrong(source("2000000000000", "1000", "null", "null"), "`rate_bps` must be 1 to 1e12");
    wrong(source("1000000", "27", "null", "null"), "`packet_bytes` must be 28 to 65535");
    wrong(source("1000000", "65536", "null", "null"), "`packet_bytes` must be 28 to 65535");
    let short = "the mean of `on` must be at least a packet's time at its rate";
    wrong(source("999999", "1000", pareto, exponential), short);
    let law = |off: &str, message: &str| wrong(source("1000000", "1000", uniform, off), message);
    law(r#"{"law": "uniform", "min_ps": 2, "max_ps": 1}"#, "`min_ps` must not exceed `max_ps`");
    law(r#"{"law": "exponential", "mean_ps": 0}"#, "`mean_ps` must be positive");
    law(r#"{"law": "pareto", "mean_ps": 0, "shape_ppm": 1200000}"#, "`mean_ps` must be positive");
    let no_mean = "`shape_ppm` must be above a million: else there is no mean";
    law(r#"{"law": "pareto", "mean_ps": 1, "shape_ppm": 1000000}"#, no_mean);
    law(
        r#"{"law": "exponential", "mean_ps": 1000000000000000001}"#,
        "a time must be at most 1e18 ps (eleven days)",
    );
    let pages = |sizes: &str, pause: &str| {
        checked(&format!(
            r#"{{"kind": "pages", "request_bytes": 80, "stages": [{{"connections": 1, "objects": 1}}],
                "sizes": {sizes}, "pause": {pause}, "answers_with_ack": true, "start_ps": 0,
                "start_spread_ps": 0}}"#
        ))
    };
    let sizes = r#"{"law": "pareto", "mean_bytes": 48000, "shape_ppm": 1200000}"#;
    assert_eq!(pages(sizes, exponential), Ok(()));
    wrong(pages(&sizes.replace("48000", "0"), uniform), "`mean_bytes` must be 1 to 2**40");
    wrong(pages(&sizes.replace("1200000", "999999"), uniform), no_mean);
    wrong(pages(sizes, &exponential.replace("8000000000", "0")), "`mean_ps` must be positive");
}
