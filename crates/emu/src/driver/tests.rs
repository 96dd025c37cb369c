//! The driver with datagram sockets in the place of devices, and a test in the place of the launcher.
//!
//! This machine may be busy with other things, so nothing is said of how late packets are at most.

use super::*;
use crate::{Capture, Flow, setup};
use core::net::Ipv4Addr;
use lab::capture::{Kept, Place, Point, Request};
use lab::plan::{self, Impairment, Link, Phase, Probes, Queue, SCHEMA, Which};
use lab::wire::{Endpoint, Endpoints, Near, decode, encode};
use lab::{Table, Values};
use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, send,
    sendmsg, socketpair,
};
use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tcp::{Ecn, Segment};

const MS: u64 = 1_000_000_000;
const PORT: u16 = 5201;

/// Node 1 sends to node 0 over 10 ms at 8 Mbit/s, 1 us a byte; the return path is the same without impairments.
fn plan(limit_packets: u64, impairments: Vec<Impairment>) -> Plan {
    let link = |from: u32, to: u32, impairments| Link::Packets {
        from: from.into(),
        to: to.into(),
        cost: 1,
        rate_bps: 8_000_000,
        delay_ps: 10 * MS,
        delay_draw: None,
        varies: None,
        queue: Queue::drop_tail(limit_packets),
        impairments,
    };
    Plan {
        schema: SCHEMA,
        duration_ps: 300 * MS,
        warm_up_ps: 0,
        nodes: 2,
        links: vec![link(1, 0, impairments), link(0, 1, vec![])],
        clock: plan::Clock { tick_ps: MS, phase: Phase::Open {} },
        tcps: vec![],
        workloads: vec![],
        flows: vec![
            plan::Flow {
                sender: 1,
                receiver: 0,
                sender_tcp: 0,
                receiver_tcp: 0,
                workload: 0,
                foreground: false,
                dscp: 0,
            }
            .into(),
        ],
        probes: Probes::default(),
        queue_delays_of: vec![0],
        delays_of_flows: Vec::new(),
    }
}

fn address(node: u32) -> Ipv4Addr {
    Ipv4Addr::new(192, 0, 2, node as u8 + 1)
}

/// Of what node 1 sends.
fn endpoints() -> Endpoints {
    let end = |node, port| Endpoint { address: address(node), port, isn: 0 };
    Endpoints { source: end(1, 40_000), destination: end(0, PORT), dscp: 0 }
}

fn data(seq: u64, len: u32) -> Segment {
    Segment { seq, len, ack: Some(1), ecn: Ecn::Ect0, ..Segment::default() }
}

/// A driver at work.
struct Running {
    control: OwnedFd,
    /// The far ends of the devices of nodes 0 and 1.
    devices: [UnixDatagram; 2],
    driver: JoinHandle<Result<Emulated, Error>>,
}

impl Running {
    fn start(plan: Plan) -> Self {
        Self::set_up(plan, None, false)
    }

    fn captured(plan: Plan, capture: Option<Capture>) -> Self {
        Self::set_up(plan, capture, false)
    }

    fn set_up(plan: Plan, capture: Option<Capture>, relays: bool) -> Self {
        let port = |node| setup::Port { node, address: address(node), ethernet: None, relays };
        let setup = Setup {
            ports: vec![port(0), port(1)],
            flows: vec![Flow { server_port: PORT }],
            packet_bytes: 1500,
            buffers: 4,
            deadline_ns: 200_000,
            spin_ns: 0,
            few_wakes: true,
            capture,
        };
        let (control, its) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::empty(), None)
                .expect("sockets");
        let (near0, far0) = UnixDatagram::pair().expect("sockets");
        let (near1, far1) = UnixDatagram::pair().expect("sockets");
        for near in [&near0, &near1] {
            near.set_nonblocking(true).expect("a socket");
        }
        let driver = thread::spawn(move || emulate(&plan, 1, &setup, &its));
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        let descriptors = [near0.as_fd(), near1.as_fd()];
        assert!(ancillary.push(SendAncillaryMessage::ScmRights(&descriptors)));
        sendmsg(&control, &[IoSlice::new(b"ports")], &mut ancillary, SendFlags::empty()).expect("sent");
        for far in [&far0, &far1] {
            far.set_read_timeout(Some(Duration::from_millis(200))).expect("a socket");
        }
        let mut ready = [0; 16];
        rustix::io::read(&control, &mut ready).expect("it gets ready");
        assert_eq!(&ready[..5], b"ready");
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let start = now.tv_sec * 1_000_000_000 + now.tv_nsec;
        send(&control, format!("start {start}").as_bytes(), SendFlags::empty()).expect("sent");
        Self { control, devices: [far0, far1], driver }
    }

    fn send(&self, node: usize, packet: &[u8]) {
        self.devices[node].send(packet).expect("sent");
    }

    /// The next packet that comes to a node, if one does soon.
    fn receive(&self, node: usize) -> Option<Vec<u8>> {
        let mut packet = vec![0; 2000];
        let bytes = self.devices[node].recv(&mut packet).ok()?;
        packet.truncate(bytes);
        Some(packet)
    }

    /// Tables of links, and the report.
    fn end(self) -> (Table, serde_json::Value) {
        let emulated = self.driver.join().expect("no panic").expect("it runs");
        (emulated.columns.links, serde_json::from_str(&emulated.report).expect("a report is JSON"))
    }
}

/// A counter of the link from node 1 to node 0.
fn counted(links: &Table, name: &str) -> u64 {
    let values = links.columns.iter().find(|column| column.0 == name).map(|column| &column.1);
    match values {
        Some(Values::Integers(values)) => values[0],
        _ => panic!("no counter {name}"),
    }
}

#[test]
fn packets_cross_both_ways_unchanged_and_in_their_time() {
    let running = Running::start(plan(10, vec![]));
    let there = encode(&data(1, 960), &endpoints());
    let back = encode(&Segment { ack: Some(961), seq: 1, ..Segment::default() }, &endpoints().reversed());
    let began = Instant::now();
    running.send(1, &there);
    running.send(0, &back);
    assert_eq!(running.receive(0), Some(there));
    assert!(began.elapsed() >= Duration::from_millis(11), "10 ms, and 1 ms to be sent");
    assert_eq!(running.receive(1), Some(back));
    let (links, report) = running.end();
    assert_eq!((counted(&links, "packets_sent"), counted(&links, "bytes_sent")), (1, 1000));
    assert_eq!((&report["entered"], &report["left"]), (&2.into(), &2.into()));
    assert_eq!(report["left_late"]["packets"], 2);
    assert_eq!(report["was_ended"], false);
}

#[test]
fn what_is_no_packet_of_a_flow_is_counted_and_left() {
    let running = Running::start(plan(10, vec![]));
    let stranger = Endpoint { address: Ipv4Addr::new(203, 0, 113, 1), ..endpoints().destination };
    running.send(1, &encode(&data(1, 10), &Endpoints { destination: stranger, ..endpoints() }));
    running.send(1, b"no packet at all");
    running.send(1, &encode(&data(1, 1461), &endpoints()));
    assert_eq!(running.receive(0), None);
    let (_, report) = running.end();
    assert_eq!((&report["strange"], &report["too_long"]), (&2.into(), &1.into()));
    assert_eq!(report["entered"], 0);
}

#[test]
fn nodes_that_relay_are_ways_to_other_networks() {
    let running = Running::set_up(plan(10, vec![]), None, true);
    let to = |host: [u8; 4]| {
        let destination = Endpoint { address: host.into(), ..endpoints().destination };
        encode(&data(1, 10), &Endpoints { destination, ..endpoints() })
    };
    let (far, everybody) = (to([203, 0, 113, 1]), to([224, 0, 0, 251]));
    running.send(1, &everybody);
    running.send(1, &far);
    running.send(0, &far);
    assert_eq!((running.receive(0), running.receive(1)), (Some(far.clone()), Some(far)));
    let (_, report) = running.end();
    assert_eq!((&report["entered"], &report["strange"]), (&2.into(), &1.into()));
}

#[test]
fn packets_of_the_largest_length_cross() {
    let running = Running::start(plan(10, vec![]));
    let largest = encode(&data(1, 1460), &endpoints());
    running.send(1, &largest);
    assert_eq!(running.receive(0), Some(largest));
}

#[test]
fn lines_lose_mark_and_double() {
    let all = 1_000_000_000;
    let impairments = vec![
        Impairment::Scripted { lost: vec![2] },
        Impairment::Mark { ppb: all },
        Impairment::Duplicate { ppb: all },
    ];
    let running = Running::start(plan(10, impairments));
    for seq in [1, 101, 201] {
        running.send(1, &encode(&data(seq, 100), &endpoints()));
    }
    let got: Vec<Segment> = std::iter::from_fn(|| running.receive(0))
        .map(|packet| decode(&packet, &endpoints(), Near::default()).expect("a right checksum"))
        .collect();
    assert_eq!(got.iter().map(|segment| segment.seq).collect::<Vec<_>>(), [1, 1, 201, 201]);
    assert!(got.iter().all(|segment| segment.ecn == Ecn::Ce));
    let (links, _) = running.end();
    assert_eq!((counted(&links, "packets_lost"), counted(&links, "packets_marked")), (1, 2));
}

/// Sent again, a segment passes; so the driver knows streams.
#[test]
fn retransmissions_are_distinguished_from_new_data() {
    let lossy = Impairment::Bernoulli { loss_ppb: 1_000_000_000, of: Which::NewData };
    let running = Running::start(plan(10, vec![lossy]));
    let packet = encode(&data(1, 100), &endpoints());
    running.send(1, &packet);
    running.send(1, &packet);
    assert_eq!((running.receive(0), running.receive(0)), (Some(packet), None));
}

#[test]
fn a_full_queue_drops_what_comes() {
    let running = Running::start(plan(2, vec![]));
    for number in 0..20 {
        running.send(1, &encode(&data(1 + 1000 * number, 1000), &endpoints()));
    }
    let got = std::iter::from_fn(|| running.receive(0)).count() as u64;
    let (links, report) = running.end();
    assert_eq!(got, counted(&links, "packets_sent"));
    assert_eq!(got + counted(&links, "packets_dropped"), 20);
    assert!(counted(&links, "packets_dropped") > 0);
    // There were four buffers.
    assert!(report["buffers"].as_u64() < Some(20), "those of lost packets are used again");
}

#[test]
fn the_launcher_can_end_it() {
    let running = Running::start(Plan { duration_ps: 60_000 * MS, ..plan(2, vec![]) });
    send(&running.control, b"end", SendFlags::empty()).expect("sent");
    let (_, report) = running.end();
    assert_eq!(report["was_ended"], true);
}

#[test]
fn without_a_launcher_it_ends() {
    let Running { control, driver, .. } =
        Running::start(Plan { duration_ps: 60_000 * MS, ..plan(2, vec![]) });
    drop(control);
    assert!(driver.join().expect("no panic").is_ok());
}

/// A capture's comments say which packets are lost or marked later, and which had been sent before.
#[test]
fn a_capture_tells_what_becomes_of_packets() {
    let point = |name: &str, place| Point { name: name.into(), place };
    let path = std::env::temp_dir().join(format!("ackclock-emu-{}.pcapng", std::process::id()));
    let capture = Capture {
        request: Request {
            title: "a test".into(),
            links: vec!["there".into(), "back".into()],
            points: vec![point("sender", Place::Node(1)), point("receiver", Place::Node(0))],
            kept: Kept::Headers,
        },
        path: path.clone(),
    };
    let line = vec![Impairment::Scripted { lost: vec![2] }, Impairment::Mark { ppb: 1_000_000_000 }];
    let running = Running::captured(plan(10, line), Some(capture));
    for seq in [1, 101, 101] {
        running.send(1, &encode(&data(seq, 100), &endpoints()));
    }
    assert_eq!(std::iter::from_fn(|| running.receive(0)).count(), 2);
    let (_, report) = running.end();
    let points = &report["capture"]["points"];
    assert_eq!(points[0], serde_json::json!({"packets": 3, "lost": 1, "retransmissions": 1}));
    assert_eq!(points[1], serde_json::json!({"packets": 2, "lost": 0, "retransmissions": 1}));
    assert_eq!(report["capture"]["missed"], 0);
    let file = std::fs::read(&path).expect("it was written");
    std::fs::remove_file(&path).expect("it is there");
    let comments = String::from_utf8_lossy(&file);
    for comment in ["lost by the list of losses (scripted): there at", "marked: congestion", "retransmission"]
    {
        assert!(comments.contains(comment), "{comment}");
    }
}
