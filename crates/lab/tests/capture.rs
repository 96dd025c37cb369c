//! Captures of random runs: they miss nothing, invent nothing, and do not change the run.

use core::net::Ipv4Addr;
use lab::capture::{Captured, Kept, Place, Point, Request};
use lab::plan::{
    CellLink, Clock, Eom, Flow, FlowGroup, FramePolicy, HistoricTcp, Impairment, Link, Parameter, Phase,
    Plan, Port, Probes, Queue, SCHEMA, Tcp, TcpOptions, Which, Workload,
};
use lab::wire::{self, Endpoint, Endpoints, Near};
use lab::{Table, Values, capture, run};
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketOption;
use pcap_file::pcapng::{Block, PcapNgReader};
use proptest::prelude::*;
use std::collections::BTreeMap;

const MS: u64 = 1_000_000_000;

fn tcp(flavor: &str) -> Tcp {
    let presets = lab::flavors().into_iter().find(|each| each.0 == flavor).expect("a flavor").2;
    Tcp {
        flavor: flavor.into(),
        options: serde_json::from_str::<TcpOptions>(&presets).expect("presets are options"),
        smss_bytes: 1000,
        initial_window_segments: 2,
        initial_ssthresh_bytes: 1_000_000,
        receive_buffer_bytes: 60_000,
        receive_buffer_initial_bytes: None,
        window_scale: Some(0),
        nagle: false,
        sws_avoidance: true,
        idle_restart: true,
        restart_window_segments: None,
        historic: HistoricTcp::OFF,
    }
}

fn plan(nodes: u32, links: Vec<Link>, ends: &[(u32, u32)], flavor: &str) -> Plan {
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
        duration_ps: 3_000_000 * MS,
        warm_up_ps: 0,
        nodes,
        links,
        clock: Clock { tick_ps: 100 * MS, phase: Phase::Uniform { spread_ps: 0 } },
        tcps: vec![tcp(flavor)],
        workloads: vec![Workload::Bulk { bytes: Some(60_000), start_ps: 0, start_spread_ps: 50 * MS }],
        flows: ends.iter().map(flow).collect(),
        probes: Probes::default(),
        queue_delays_of: vec![0],
        delays_of_flows: Vec::new(),
    }
}

fn drop_tail(limit: u64) -> Queue {
    Queue::drop_tail(limit)
}

/// RED that is quick to drop, or to mark.
fn red(limit: u64, ecn: bool) -> Queue {
    let parameters = [
        ("min_thresh_ppm", Parameter::Number(1_000_000)),
        ("max_thresh_ppm", Parameter::Number(4_000_000)),
        ("max_p_ppb", Parameter::Number(900_000_000)),
        ("weight_ppb", Parameter::Number(500_000_000)),
        ("gentle", Parameter::Flag(true)),
        ("adaptive", Parameter::Flag(false)),
        ("ecn", Parameter::Flag(ecn)),
        ("mean_packet_bytes", Parameter::Number(1000)),
    ];
    let parameters = parameters.map(|(key, value)| (key.into(), value)).into();
    Queue { name: "red".into(), parameters, ..Queue::drop_tail(limit) }
}

fn link(from: u32, to: u32, queue: Queue, impairments: Vec<Impairment>) -> Link {
    let (rate_bps, delay_ps) = (8_000_000, 10 * MS);
    Link::Packets {
        from: from.into(),
        to: to.into(),
        cost: 1,
        rate_bps,
        delay_ps,
        delay_draw: None,
        varies: None,
        queue,
        impairments,
    }
}

/// Links over which one node sends to the other and back.
fn pair(limit: u64, impairments: Vec<Impairment>) -> Vec<Link> {
    vec![link(0, 1, drop_tail(limit), impairments), link(1, 0, drop_tail(1000), vec![])]
}

/// Every place of a plan.
fn everywhere(plan: &Plan) -> Request {
    let links = plan.links.len() as u32;
    let places = (0..plan.nodes).map(Place::Node);
    let places = places.chain((0..links).map(Place::Entrance)).chain((0..links).map(Place::Exit));
    Request {
        title: "a test".into(),
        links: (0..links).map(|number| format!("link {number}")).collect(),
        points: places.map(|place| Point { name: format!("{place:?}"), place }).collect(),
        kept: Kept::Bytes(wire::MAX_PACKET_BYTES),
    }
}

/// The point, the packet and the comments of each packet.
fn packets(captured: &Captured) -> Vec<(usize, Vec<u8>, Vec<String>)> {
    let mut reader = PcapNgReader::new(&captured.pcapng[..]).expect("a file");
    let mut found = Vec::new();
    while let Some(block) = reader.next_block() {
        if let Block::EnhancedPacket(packet) = block.expect("a block").into_owned() {
            let comments = packet.options.iter().filter_map(|option| match option {
                EnhancedPacketOption::Comment(comment) => Some(comment.to_string()),
                _ => None,
            });
            assert_eq!(packet.original_len as usize, packet.data.len());
            found.push((packet.interface_id as usize, packet.data.to_vec(), comments.collect()));
        }
    }
    found
}

fn column(table: &Table, name: &str) -> Vec<u64> {
    match table.columns.iter().find(|column| column.0 == name) {
        Some((_, Values::Integers(values))) => values.clone(),
        _ => panic!("no column of whole numbers {name}"),
    }
}

/// The addresses and ports of a packet, from its headers.
fn endpoints(packet: &[u8]) -> Endpoints {
    let end = |address: &[u8], port: &[u8]| Endpoint {
        address: Ipv4Addr::from(<[u8; 4]>::try_from(address).expect("four bytes")),
        port: u16::from_be_bytes([port[0], port[1]]),
        isn: 0,
    };
    Endpoints {
        source: end(&packet[12..16], &packet[20..22]),
        destination: end(&packet[16..20], &packet[22..24]),
        dscp: packet[1] >> 2,
    }
}

fn impairments() -> impl Strategy<Value = Vec<Impairment>> {
    let one = prop_oneof![
        (0u32..50_000_000).prop_map(|loss_ppb| Impairment::Bernoulli { loss_ppb, of: Which::All }),
        prop::collection::vec(1u64..60, 0..6).prop_map(|lost| Impairment::Scripted { lost }),
        (1..30 * MS).prop_map(|spread_ps| Impairment::Jitter { spread_ps }),
        (0u32..100_000_000).prop_map(|ppb| Impairment::Duplicate { ppb }),
        (0u32..100_000_000).prop_map(|ppb| Impairment::Mark { ppb }),
    ];
    prop::collection::vec(one, 0..4)
}

fn queues() -> impl Strategy<Value = Queue> {
    (2u64..40, prop::option::of(any::<bool>()))
        .prop_map(|(limit, ecn)| ecn.map_or_else(|| drop_tail(limit), |ecn| red(limit, ecn)))
}

prop_compose! {
    /// A chain of nodes with flows to and fro.
    fn chains()(
        nodes in 2u32..5,
        lines in prop::collection::vec((queues(), impairments()), 8),
        flavor in prop::sample::select(lab::flavors()),
        [two_flows, ecn] in any::<[bool; 2]>(),
    ) -> Plan {
        let to_and_fro = (1..nodes).flat_map(|node| [(node - 1, node), (node, node - 1)]);
        let links = to_and_fro.zip(lines).map(|((from, to), (queue, line))| link(from, to, queue, line));
        let ends = [(0, nodes - 1), (nodes - 1, 0)];
        let mut plan = plan(nodes, links.collect(), if two_flows { &ends } else { &ends[..1] }, flavor.0);
        plan.tcps[0].options.ecn |= ecn;
        plan
    }
}

/// Sender and identification name a packet at every point. It is the same packet everywhere, and it
/// or a copy of it reaches the other end, unless a comment says that it was lost.
fn journeys_end_as_told(found: &[(usize, Vec<u8>, Vec<String>)], plan: &Plan) -> Result<(), TestCaseError> {
    let mut journeys = BTreeMap::<_, Vec<_>>::new();
    for (point, packet, comments) in found {
        let name = (packet[12..16].to_vec(), packet[20..22].to_vec(), packet[4..6].to_vec());
        journeys.entry(name).or_default().push((*point, &packet[20..], comments));
    }
    for journey in journeys.values() {
        let (start, segment, _) = journey[0];
        prop_assert!(journey.iter().all(|each| each.1 == segment));
        let says = |word: &str| journey.iter().any(|each| each.2.iter().any(|it| it.contains(word)));
        // Points are the nodes, the entrances and the exits; flows go from one end to the other.
        let ends = [0, plan.nodes as usize - 1];
        let arrived = journey.iter().any(|each| ends.contains(&each.0) && each.0 != start);
        let lost = says("lost by") || says("dropped by");
        prop_assert!(ends.contains(&start));
        prop_assert!(arrived || lost, "it arrives or is reported lost");
        prop_assert!(!(arrived && lost) || says("doubled"), "what is lost does not arrive");
    }
    Ok(())
}

/// Two pairs and a trunk each way, with a buffer that is too small.
fn cells(flavor: &str) -> Plan {
    let cells = |from_first, to_first| Link::Cells {
        from_first,
        to_first,
        hosts: 2,
        cost: 1,
        access: CellLink { cell_time_ps: 2_831_198, delay_ps: 5_000_000 },
        trunk: CellLink { cell_time_ps: 9_422_222, delay_ps: 5 * MS },
        port: Port {
            buffer_cells: 120,
            policy: FramePolicy { name: "epd".into(), parameters: [("r_cells".into(), 60)].into() },
            eom: Eom::Keep,
        },
    };
    plan(4, vec![cells(2, 0), cells(0, 2)], &[(2, 0), (3, 1)], flavor)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_capture_is_exact_and_changes_nothing(plan in chains(), seed: u64) {
        let request = everywhere(&plan);
        let captured = capture(&plan, seed, &request).unwrap();
        let columns = run(&plan, seed).unwrap();
        // As texts: a mean of no RTTs is nan, which equals nothing.
        prop_assert_eq!(format!("{:?}", captured.columns), format!("{columns:?}"));
        prop_assert_eq!(&captured.pcapng, &capture(&plan, seed, &request).unwrap().pcapng);

        let (nodes, links) = (plan.nodes as usize, plan.links.len());
        let counts = &captured.counts;
        let [offered, dropped, lost, doubled] =
            ["packets_offered", "packets_dropped", "packets_lost", "packets_duplicated"]
                .map(|name| column(&columns.links, name));
        for at in 0..links {
            let (entrance, exit) = (counts[nodes + at], counts[nodes + links + at]);
            prop_assert_eq!(entrance.packets, offered[at]);
            prop_assert_eq!(exit.packets, offered[at] - dropped[at] - lost[at] + doubled[at]);
            if links == 2 {
                prop_assert!(exit.copies <= doubled[at] && exit.copies + lost[at] >= doubled[at]);
                prop_assert!(entrance.lost <= dropped[at] + lost[at], "copies are lost too");
                prop_assert!(entrance.lost + doubled[at] >= dropped[at] + lost[at]);
            }
        }
        let found = packets(&captured);
        prop_assert_eq!(found.len() as u64, counts.iter().map(|each| each.packets).sum::<u64>());
        journeys_end_as_told(&found, &plan)?;
        for (_, packet, _) in found {
            // Transfers are short: every number is near 0.
            let segment = wire::decode(&packet, &endpoints(&packet), Near::default());
            prop_assert_eq!(segment.map(|segment| segment.packet_bytes() as usize), Ok(packet.len()));
        }
    }
}

#[test]
fn says_what_was_lost_and_by_what() {
    let lossy = |limit, impairments| plan(2, pair(limit, impairments), &[(0, 1)], "reno");
    let scripted = Impairment::Scripted { lost: vec![3] };
    let (of, often) = (Which::Data, 100_000_000);
    let bernoulli = Impairment::Bernoulli { loss_ppb: often, of };
    let loss_events = Impairment::LossEvents { rate_ppb: often, losses: 2, of };
    let two_parameter = Impairment::TwoParameter { event_ppb: often, loss_ppb: 0, span_ps: MS, of };
    let mark = Impairment::Mark { ppb: 100_000_000 };
    let mut with_ecn = lossy(1000, vec![mark.clone()]);
    with_ecn.tcps[0].options.ecn = true;
    let with_red = |limit, ecn| Plan {
        links: vec![link(0, 1, red(limit, ecn), vec![]), lossy(3, vec![]).links.remove(1)],
        ..with_ecn.clone()
    };
    let cases = [
        (lossy(1000, vec![scripted.clone()]), "lost by the list of losses (scripted): link 0 at "),
        (
            lossy(1000, vec![Impairment::Duplicate { ppb: 0 }, scripted]),
            "lost by the list of losses (scripted)",
        ),
        (lossy(1000, vec![bernoulli]), "lost by random loss (bernoulli)"),
        (lossy(1000, vec![loss_events]), "lost by a burst of losses (loss_events): link 0 at "),
        (lossy(1000, vec![two_parameter]), "lost by a loss event (two_parameter): link 0 at "),
        (lossy(1000, vec![mark]), "lost by congestion without ECN (mark): link 0 at "),
        (with_red(1000, false), "dropped by the RED queue before it was full: link 0 at "),
        (with_red(1000, true), "marked: congestion experienced: link 0 at "),
        (with_red(3, true), "dropped by the full RED queue (3 packets): link 0 at "),
        (with_ecn, "marked: congestion experienced: link 0 at "),
        (lossy(3, vec![]), "dropped by the full drop-tail queue (3 packets): link 0 at "),
        (cells("reno"), "frame refused by the port's policy epd: link 0 at "),
    ];
    for (plan, expected) in cases {
        let captured = capture(&plan, 1, &everywhere(&plan)).unwrap();
        let comments: Vec<String> = packets(&captured).into_iter().flat_map(|packet| packet.2).collect();
        assert!(comments.iter().any(|comment| comment.starts_with(expected)), "{expected}: {comments:?}");
    }
}

/// The capture reports every mark of a queue, and every early drop.
#[test]
fn every_mark_and_early_drop_of_a_queue_is_known() {
    for ecn in [true, false] {
        let links = vec![link(0, 1, red(1000, ecn), vec![]), link(1, 0, drop_tail(1000), vec![])];
        let mut plan = plan(2, links, &[(0, 1), (0, 1)], "newreno");
        plan.tcps[0].options.ecn = true;
        let captured = capture(&plan, 1, &everywhere(&plan)).unwrap();
        let counted = |name| column(&captured.columns.links, name)[0] as usize;
        let found = packets(&captured);
        let told = |words: &str| {
            let tells = |comments: &[String]| comments.iter().any(|comment| comment.starts_with(words));
            // Point 2 is the entrance of link 0.
            found.iter().filter(|packet| packet.0 == 2 && tells(&packet.2)).count()
        };
        let (marked, early) = (counted("packets_marked"), counted("packets_dropped_early"));
        assert!(if ecn { marked > 3 } else { early > 3 }, "{marked} {early}");
        assert_eq!(told("marked: congestion experienced: link 0"), marked);
        assert_eq!(told("dropped by the RED queue before it was full: link 0"), early);
        assert_eq!(counted("packets_dropped"), early);
    }
}

#[test]
fn every_lost_frame_is_known() {
    let plan = cells("newreno");
    let captured = capture(&plan, 1, &everywhere(&plan)).unwrap();
    let ports = &captured.columns.ports;
    let (offered, delivered) = (column(ports, "frames_offered"), column(ports, "frames_delivered"));
    for link in 0..2 {
        let entrance = captured.counts[4 + link];
        assert_eq!((entrance.packets, entrance.lost), (offered[link], offered[link] - delivered[link]));
    }
    assert!(captured.counts[4].lost > 0);
}

/// Three losses in a window of NewReno: one fast retransmit, two partial ACKs.
#[test]
fn says_why_something_was_sent_again() {
    let reasons = |flavor: &str, lost: Vec<u64>| {
        let plan = plan(2, pair(1000, vec![Impairment::Scripted { lost }]), &[(0, 1)], flavor);
        let captured = capture(&plan, 1, &everywhere(&plan)).unwrap();
        let at_sender = packets(&captured).into_iter().filter(|packet| packet.0 == 0);
        let comments = at_sender.flat_map(|packet| packet.2);
        comments.filter_map(|comment| comment.strip_prefix("retransmission: ").map(str::to_owned)).collect()
    };
    let fast = "fast retransmit";
    let newreno: Vec<String> = reasons("newreno", vec![18, 19, 20]);
    assert_eq!(newreno, [fast, "partial ACK", "partial ACK"]);
    let sack: Vec<String> = reasons("sack", vec![18, 19, 20]);
    assert_eq!((sack[0].as_str(), sack[1].as_str()), (fast, "hole below SACKed data"));
    let vanilla: Vec<String> = reasons("vanilla", vec![18]);
    assert_eq!(vanilla[0], "time-out (RTO)");
}

#[test]
fn refuses_what_is_not_there() {
    let plan = plan(2, pair(10, vec![]), &[(0, 1)], "reno");
    let refused = |change: fn(&mut Plan, &mut Request)| {
        let (mut plan, mut request) = (plan.clone(), everywhere(&plan));
        change(&mut plan, &mut request);
        capture(&plan, 1, &request).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(|_, request| request.links.truncate(1)),
        "capture: there are 2 links and 1 names of links"
    );
    assert_eq!(
        refused(|_, request| request.points[0].place = Place::Exit(2)),
        "capture: `Node(0)` is number 2 of 2"
    );
    let long = "capture: an IPv4 packet has room for an SMSS of 65455 bytes, not 70000";
    assert_eq!(refused(|plan, _| plan.tcps[0].smss_bytes = 70_000), long);
    assert!(Request::from_json("{}").is_err());
}
