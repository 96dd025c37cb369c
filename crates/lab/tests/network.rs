//! Plans over several hops, worked out by hand.

use lab::plan::{
    Clock, Flow, Impairment, Link, Phase, Plan, Probes, Queue, SCHEMA, Tcp, TcpOptions, Workload,
};
use lab::{Columns, Table, Values, run};

const MS: u64 = 1_000_000_000;

/// A link of 8 Mbit/s, 1 us a byte, and 10 ms.
fn link(from: u32, to: u32, limit_packets: u64) -> Link {
    Link::Packets {
        from,
        to,
        cost: 1,
        rate_bps: 8_000_000,
        delay_ps: 10 * MS,
        queue: Queue::DropTail { limit_packets: Some(limit_packets), limit_bytes: None },
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
        window_scale: Some(0),
        nagle: false,
        sws_avoidance: true,
        idle_restart: true,
        additive_constant: false,
    }
}

fn plan(nodes: u32, links: Vec<Link>, ends: &[(u32, u32)], bytes: Option<u64>) -> Plan {
    let flow = |&(sender, receiver)| Flow { sender, receiver, sender_tcp: 0, receiver_tcp: 0, workload: 0 };
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
    let bytes = whole(&columns.goodput, "delivered_bytes");
    let flows = whole(&columns.goodput, "flow");
    for flow in 0..2 {
        let sum: u64 = bytes.iter().zip(&flows).filter(|(_, of)| **of == flow).map(|(bytes, _)| bytes).sum();
        assert_eq!(sum, 300_000);
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
