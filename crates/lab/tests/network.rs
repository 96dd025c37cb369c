//! Plans over several hops, worked out by hand.

use base::Time;
use lab::plan::{
    Clock, Flow, FlowGroup, HistoricTcp, Impairment, Link, Phase, Plan, Probes, Queue, SCHEMA, Tcp,
    TcpOptions, Workload,
};
use lab::{Columns, Host, Table, Values, build, run};
use sim::{Event, HostId, LinkId, Observer};

const MS: u64 = 1_000_000_000;

/// A link of 8 Mbit/s, 1 us a byte, and 10 ms.
pub(crate) fn link(from: u32, to: u32, limit_packets: u64) -> Link {
    Link::Packets {
        from: from.into(),
        to: to.into(),
        cost: 1,
        rate_bps: 8_000_000,
        delay_ps: 10 * MS,
        delay_draw: None,
        varies: None,
        queue: Queue::drop_tail(limit_packets),
        impairments: vec![],
    }
}

fn presets(name: &str) -> TcpOptions {
    let flavor = lab::flavors().into_iter().find(|flavor| flavor.0 == name).expect("a flavor");
    serde_json::from_str(&flavor.2).expect("presets are options")
}

fn tcp() -> Tcp {
    Tcp {
        flavor: "newreno".into(),
        options: TcpOptions { delayed_ack_ps: None, ..presets("newreno") },
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

pub(crate) fn plan(nodes: u32, links: Vec<Link>, ends: &[(u32, u32)], bytes: Option<u64>) -> Plan {
    let flow = |&(sender, receiver)| {
        FlowGroup::from(Flow {
            sender,
            receiver,
            sender_tcp: 0,
            receiver_tcp: 0,
            workload: 0,
            foreground: false,
            dscp: 0,
        })
    };
    Plan {
        schema: SCHEMA,
        duration_ps: 10_000 * MS,
        warm_up_ps: 0,
        nodes,
        links,
        clock: Clock { tick_ps: 100 * MS, phase: Phase::Uniform { spread_ps: 0 } },
        tcps: vec![tcp()],
        workloads: vec![Workload::Bulk { bytes, start_ps: 0, start_spread_ps: 0 }],
        flows: ends.iter().map(flow).collect(),
        probes: Probes::default(),
        queue_delays_of: vec![0],
        delays_of_flows: Vec::new(),
    }
}

fn chain(nodes: u32) -> Vec<Link> {
    (1..nodes).flat_map(|node| [link(node - 1, node, 100), link(node, node - 1, 100)]).collect()
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

fn sum(columns: &Columns, column: &str) -> u64 {
    whole(&columns.flows, column).iter().sum()
}

/// Two segments over two hops: the SYN and its answer take 48 us and 10 ms a hop each (40 bytes
/// and 8 of options), the first segment 1 ms and 10 ms a hop, the second follows 1 ms later.
#[test]
fn a_router_stores_and_forwards() {
    let columns = run(&plan(3, chain(3), &[(0, 2)], Some(1_920)), 1).unwrap();
    let syn = 2.0 * 2.0 * (10e-3 + 48e-6);
    let data = 2.0 * (10e-3 + 1e-3) + 1e-3;
    let done = real(&columns.flows, "last_delivery_s")[0];
    assert!((done - (syn + data)).abs() < 1e-9, "{done} {}", syn + data);
    assert_eq!(whole(&columns.links, "packets_dropped"), [0; 4]);
    let sent = whole(&columns.links, "packets_sent");
    assert_eq!(sent[0], sent[2], "what goes over the first hop goes over the second");
}

/// A shortcut that costs as much as the two hops it saves is taken only when it is cheaper.
#[test]
fn packets_take_the_cheapest_way() {
    for (cost, used) in [(1, true), (3, false)] {
        let mut links = chain(3);
        for mut shortcut in [link(0, 2, 100), link(2, 0, 100)] {
            if let Link::Packets { cost: costs, .. } = &mut shortcut {
                *costs = cost;
            }
            links.push(shortcut);
        }
        let columns = run(&plan(3, links, &[(0, 2)], Some(9_600)), 1).unwrap();
        assert_eq!(whole(&columns.links, "packets_sent")[4] > 0, used);
        assert_eq!(whole(&columns.links, "packets_sent")[0] > 0, !used);
    }
}

/// Two flows from one node to one other node: each gets its own bytes.
#[test]
fn flows_may_share_their_nodes() {
    let columns = run(&plan(2, chain(2), &[(0, 1), (0, 1), (1, 0)], Some(50_000)), 1).unwrap();
    assert_eq!(whole(&columns.flows, "delivered_bytes"), [50_000; 3]);
}

#[test]
fn a_small_buffer_drops_and_tcp_recovers() {
    let mut links = chain(3);
    links[2] = link(1, 2, 3);
    if let Link::Packets { rate_bps, .. } = &mut links[2] {
        *rate_bps = 2_000_000;
    }
    let columns = run(&plan(3, links, &[(0, 2)], Some(500_000)), 1).unwrap();
    assert_eq!(sum(&columns, "delivered_bytes"), 500_000);
    let dropped = whole(&columns.links, "packets_dropped");
    assert!(dropped[2] > 0 && dropped[0] == 0);
    assert!(sum(&columns, "segments_retransmitted") >= dropped[2]);
    assert_eq!(whole(&columns.links, "max_queue_packets")[2], 3);
}

/// What is counted after the warm-up is what a whole run counts less what its beginning counts.
#[test]
fn the_warm_up_is_left_out() {
    let endless = |duration_ps, warm_up_ps| {
        let plan = Plan { duration_ps, warm_up_ps, ..plan(3, chain(3), &[(0, 2)], None) };
        run(&plan, 1).unwrap()
    };
    let (all, first, rest) =
        (endless(5_000 * MS, 0), endless(2_000 * MS, 0), endless(5_000 * MS, 2_000 * MS));
    for column in ["delivered_bytes", "segments_sent"] {
        assert_eq!(sum(&rest, column), sum(&all, column) - sum(&first, column));
    }
    // All that this source ever writes was written before.
    assert_eq!(sum(&rest, "scheduled_bytes"), 0);
    assert_eq!(sum(&rest, "backlog_bytes"), sum(&all, "scheduled_bytes") - sum(&first, "delivered_bytes"));
    // Window of 65 535 bytes, 40 ms and a little there and back: the first hop is always busy.
    assert!(real(&rest.links, "utilisation")[0] > 0.99);
}

#[test]
fn goodput_in_bins_sums_to_the_total() {
    let mut plan = plan(3, chain(3), &[(0, 2), (2, 0)], Some(300_000));
    plan.probes.goodput_bin_ps = Some(70 * MS);
    let columns = run(&plan, 1).unwrap();
    let bytes = whole(&columns.recorded.goodput, "delivered_bytes");
    let flows = whole(&columns.recorded.goodput, "flow");
    for flow in 0..2 {
        let sum: u64 = bytes.iter().zip(&flows).filter(|(_, of)| **of == flow).map(|(bytes, _)| bytes).sum();
        assert_eq!(sum, 300_000);
    }
}

/// RED with the usual parameters for a queue of at most 25 packets.
const RED: &str = r#"{"name": "red", "limit_packets": 25, "limit_bytes": null, "min_thresh_ppm": 5000000,
    "max_thresh_ppm": 15000000, "max_p_ppb": 100000000, "weight_ppb": 2000000, "gentle": true,
    "adaptive": false, "ecn": false, "mean_packet_bytes": 500}"#;

/// RED with some of its parameters changed.
fn red(changes: &[(&str, serde_json::Value)]) -> Queue {
    let mut queue: serde_json::Value = serde_json::from_str(RED).unwrap();
    for (parameter, value) in changes {
        assert!(queue.as_object_mut().unwrap().insert((*parameter).into(), value.clone()).is_some());
    }
    serde_json::from_value(queue).unwrap()
}

/// Ten flows over a hop of 2 Mbit/s with this queue, for 100 s.
fn congested(queue: Queue, ecn: bool) -> Plan {
    let mut links = chain(3);
    if let Link::Packets { rate_bps, queue: waits, .. } = &mut links[2] {
        (*rate_bps, *waits) = (2_000_000, queue);
    }
    let mut plan = plan(3, links, &[(0, 2); 10], None);
    plan.tcps[0].options.ecn = ecn;
    Plan { duration_ps: 100_000 * MS, ..plan }
}

/// The queue keeps below its limit, its mean between the thresholds, and the hop busy.
#[test]
fn red_drops_before_the_queue_is_full() {
    let long = red(&[("limit_packets", 1000.into())]);
    let columns = run(&congested(long.clone(), false), 1).unwrap();
    let dropped = whole(&columns.links, "packets_dropped");
    assert!(dropped[2] > 100, "{dropped:?}");
    assert_eq!(dropped, whole(&columns.links, "packets_dropped_early"));
    let mean = real(&columns.links, "mean_queue_packets")[2];
    assert!((5.0..20.0).contains(&mean), "{mean}");
    // 0.948 over twenty seeds, each give or take 0.009.
    let utilisation =
        |seed| real(&run(&congested(long.clone(), false), seed).unwrap().links, "utilisation")[2];
    let mean = (1..=5).map(utilisation).sum::<f64>() / 5.0;
    assert!(mean > 0.94, "{mean}");
    assert!(whole(&columns.links, "max_queue_packets")[2] < 100);
    // What is random comes from the seed.
    assert_eq!(run(&congested(long.clone(), false), 1).unwrap(), columns);
    assert_ne!(run(&congested(long, false), 2).unwrap().links, columns.links);
}

/// ECN-capable packets are marked and none of them is dropped early: the others are SYNs, ACKs that
/// go the other way, and retransmissions.
#[test]
fn red_marks_instead_where_it_may() {
    let (marks, drops) = (red(&[("ecn", true.into())]), red(&[]));
    let counts = |queue, ecn| {
        let columns = run(&congested(queue, ecn), 1).unwrap();
        let count = |name: &str| whole(&columns.links, name)[2];
        [count("packets_marked"), count("packets_dropped_early"), sum(&columns, "segments_retransmitted")]
    };
    let [marked, dropped, again] = counts(marks.clone(), true);
    assert!(marked > 100 && dropped * 20 < marked, "{marked} {dropped} {again}");
    for (queue, ecn) in [(drops, true), (marks, false)] {
        let [marked, dropped, more] = counts(queue, ecn);
        assert!(marked == 0 && dropped > 100 && more > 2 * again, "{dropped} {more} {again}");
    }
}

/// Whatever is changed changes the run: at first where the average stays between the thresholds, then
/// where it goes beyond and the hop is idle at times.
#[test]
fn every_parameter_of_red_counts() {
    let links = |changes: &[_]| run(&congested(red(changes), false), 1).unwrap().links;
    let usual = links(&[]);
    for (parameter, value) in [
        ("limit_packets", 12.into()),
        ("min_thresh_ppm", 2_500_000.into()),
        ("max_thresh_ppm", 10_000_000.into()),
        ("max_p_ppb", 20_000_000.into()),
        ("weight_ppb", 20_000_000.into()),
        ("adaptive", true.into()),
    ] {
        assert_ne!(links(&[(parameter, value)]), usual, "{parameter}");
    }
    let crowded = |gentle: bool, mean_packet_bytes: u32| {
        links(&[
            ("min_thresh_ppm", 1_000_000.into()),
            ("max_thresh_ppm", 2_000_000.into()),
            ("gentle", gentle.into()),
            ("mean_packet_bytes", mean_packet_bytes.into()),
        ])
    };
    assert_ne!(crowded(true, 500), crowded(false, 500));
    assert_ne!(crowded(false, 500), crowded(false, 1500));
}

#[test]
fn a_red_queue_that_makes_no_sense_is_refused() {
    for (parameter, value, expected) in [
        ("limit_packets", serde_json::Value::Null, "a queue must have a limit"),
        ("limit_packets", 0.into(), "`limit_packets` must be positive"),
        ("min_thresh_ppm", 15_000_000.into(), "`min_thresh_ppm` must be below `max_thresh_ppm`"),
        ("max_p_ppb", 0.into(), "`max_p_ppb` must be positive and at most 1e9"),
        ("max_p_ppb", 1_000_000_001.into(), "`max_p_ppb` must be positive and at most 1e9"),
        ("weight_ppb", 0.into(), "`weight_ppb` must be positive and at most 1e9"),
        ("mean_packet_bytes", 0.into(), "`mean_packet_bytes` must be positive"),
    ] {
        let plan = congested(red(&[(parameter, value)]), false);
        assert_eq!(run(&plan, 1).unwrap_err().to_string(), format!("plan: {expected}"));
    }
    let missing = RED.replace(r#""limit_bytes": null, "#, "");
    assert!(serde_json::from_str::<Queue>(&missing).is_err());
    let keys = "min_thresh_ppm, max_thresh_ppm, max_p_ppb, weight_ppb, gentle (true or false), \
                adaptive (true or false), ecn (true or false), mean_packet_bytes";
    let parameters = format!("the parameters of the queue discipline `red` are: {keys}");
    let unknown = "no queue discipline `rio`; there are ".to_owned();
    for (wrong, expected) in [
        (RED.replace("gentle", "kind"), &parameters),
        (RED.replace(r#""gentle": true"#, r#""gentle": 1"#), &parameters),
        (
            RED.replace(r#""name": "red""#, r#""name": "drop_tail""#),
            &"the parameters of the queue discipline `drop_tail` are: none".to_owned(),
        ),
        (RED.replace(r#""name": "red""#, r#""name": "rio""#), &unknown),
    ] {
        let plan = congested(serde_json::from_str(&wrong).unwrap(), false);
        assert!(run(&plan, 1).unwrap_err().to_string().starts_with(expected), "{wrong}");
    }
}

/// Every segment crosses twice: the receiver takes each once.
#[test]
fn duplicates_are_delivered_once() {
    let mut links = chain(2);
    if let Link::Packets { impairments, .. } = &mut links[0] {
        *impairments = vec![Impairment::Duplicate { ppb: 1_000_000_000 }];
    }
    let columns = run(&plan(2, links, &[(0, 1)], Some(100_000)), 1).unwrap();
    assert_eq!(sum(&columns, "delivered_bytes"), 100_000);
    let links = &columns.links;
    assert_eq!(whole(links, "packets_duplicated")[0], whole(links, "packets_sent")[0]);
}

#[test]
fn a_flow_without_a_way_is_refused() {
    let one_way = vec![link(0, 1, 10)];
    let error = run(&plan(2, one_way, &[(0, 1)], None), 1).unwrap_err().to_string();
    assert_eq!(error, "flow 0: no links lead from node 1 to node 0");
}

/// When each packet has come to its host.
#[derive(Default)]
struct Deliveries(Vec<(Time, HostId, u32)>);

impl Observer<Host> for Deliveries {
    fn follows(&self, _: LinkId) -> bool {
        false
    }

    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        if let Event::Delivered(_, packet) = event {
            self.0.push((at, packet.to, packet.bytes));
        }
    }
}

/// Two flows over a shared hop, each with access links of its own that never drop: in one go, and looked
/// at every 37 ms, with packets on all links.
#[test]
fn looking_at_the_links_changes_nothing() {
    let free = 1_000_000_000;
    let hop = |from, to, limit| [link(from, to, limit), link(to, from, limit)];
    let access = |host, router| hop(host, router, free);
    let links = [access(0, 2), access(1, 2), hop(2, 3, 8), access(3, 4), access(3, 5)].concat();
    let plan = plan(6, links, &[(0, 4), (1, 5)], None);
    let end = Time::from_ps(plan.duration_ps);
    let deliveries = |step: Time| {
        let mut world = build::world(&plan, 1, Deliveries::default()).unwrap();
        (1..=end.div_floor(step)).for_each(|steps| world.advance_to(step * steps));
        world.advance_to(end);
        world.into_observer().0
    };
    let all = deliveries(end);
    assert!(all.len() > 10_000);
    assert!(all == deliveries(Time::from_ms(37)) && all == deliveries(Time::from_ms(1001)));
}
