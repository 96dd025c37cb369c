//! A capture as a pcapng file: an interface for each point, a block for each packet.
//!
//! Source: draft-ietf-opsawg-pcapng. Link type 101 (an IP packet and nothing before it), times in
//! ns from the start of the run on, rounded down. The byte order is fixed, so that a run gives the
//! same bytes on every machine.

use super::addresses::Addresses;
use super::journeys::{Incident, Known};
use super::points::{Kept, Point, Request};
use super::{Direction, Record, Watch};
use crate::causes::LossCause;
use crate::host::Payload;
use crate::plan::{Impairment, Link, Plan, Queue};
use crate::wire;
use atm::FrameDrop;
use base::Time;
use core::time::Duration;
use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
use pcap_file::pcapng::blocks::interface_description::{
    InterfaceDescriptionBlock, InterfaceDescriptionOption as Interface,
};
use pcap_file::pcapng::blocks::section_header::{SectionHeaderBlock, SectionHeaderOption};
use pcap_file::pcapng::{Block, PcapNgBlock, PcapNgWriter};
use pcap_file::{DataLink, Endianness};
use std::borrow::Cow;

/// Interfaces count nanoseconds: 10^-9 s.
const NANOSECONDS: u8 = 9;
const PS_PER_NS: u64 = 1000;
/// The longest headers of IPv4 and TCP, bytes.
const LONGEST_HEADERS: u32 = 80;
/// A text longer than this does not fit into an option.
const LONGEST_TEXT: usize = u16::MAX as usize;

/// A packet at a point, as it is written.
#[derive(Clone, Debug)]
pub struct Entry {
    /// When it passed.
    pub at: Time,
    /// Number of the point in the request.
    pub point: usize,
    /// Its direction; for a node.
    pub direction: Option<Direction>,
    /// Its first bytes, from the IP header on, as many as are kept.
    pub data: Vec<u8>,
    /// How long it was.
    pub original_len: u32,
    /// What became of it.
    pub known: Known,
}

/// Entries in the order of time as a file.
///
/// # Panics
/// If an entry names a point that the request does not have.
#[must_use]
pub fn write(plan: &Plan, request: &Request, entries: impl IntoIterator<Item = Entry>) -> Vec<u8> {
    let section = SectionHeaderBlock {
        endianness: Endianness::Little,
        options: vec![
            SectionHeaderOption::Comment(text(&request.title)),
            SectionHeaderOption::UserApplication(concat!("ackclock ", env!("CARGO_PKG_VERSION")).into()),
        ],
        ..SectionHeaderBlock::default()
    };
    let impossible = "memory takes everything, and every packet has an interface";
    let mut writer = PcapNgWriter::with_section_header(Vec::new(), section).expect(impossible);
    for point in &request.points {
        writer.write_block(&interface(plan, request, point)).expect(impossible);
    }
    for entry in entries {
        writer.write_block(&packet(plan, request, entry)).expect(impossible);
    }
    writer.into_inner()
}

fn text(text: &str) -> Cow<'static, str> {
    let end = (0..=LONGEST_TEXT.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    Cow::Owned(text[..end.unwrap_or(0)].to_owned())
}

fn interface(plan: &Plan, request: &Request, point: &Point) -> Block<'static> {
    let mut options = vec![
        Interface::IfName(text(&point.name)),
        Interface::IfDescription(text(&request.describe(point.place, plan))),
        Interface::IfTsResol(NANOSECONDS),
    ];
    options.extend(Request::rate(point.place, plan).map(Interface::IfSpeed));
    let snaplen = match request.kept {
        Kept::Headers => LONGEST_HEADERS,
        Kept::Bytes(bytes) => bytes.clamp(1, wire::MAX_PACKET_BYTES),
    };
    InterfaceDescriptionBlock { linktype: DataLink::RAW, snaplen, options }.into_block()
}

/// What was recorded of a simulated packet.
pub(super) fn entry(request: &Request, addresses: &Addresses, watch: &Watch<'_>, record: &Record) -> Entry {
    let number = watch.journeys[record.journey].number;
    let endpoints = addresses.endpoints(&record.packet);
    let (mut data, headers) = match &record.packet.payload {
        Payload::Segment(segment) => {
            let data = wire::encode_numbered(segment, &endpoints, number as u16);
            let headers = data.len() as u32 - segment.len;
            (data, headers)
        }
        Payload::Datagram(_) => {
            let data = wire::encode_datagram(record.packet.bytes, &endpoints, number as u16);
            (data, wire::DATAGRAM_HEADER_BYTES)
        }
    };
    let original_len = data.len() as u32;
    data.truncate(request.kept.bytes(headers) as usize);
    Entry {
        at: record.at,
        point: record.point,
        direction: record.direction,
        data,
        original_len,
        known: watch.journeys[record.journey],
    }
}

fn packet(plan: &Plan, request: &Request, entry: Entry) -> Block<'static> {
    let mut options: Vec<_> = comments(plan, request, &entry.known)
        .map(|each| EnhancedPacketOption::Comment(text(&each)))
        .collect();
    options.extend(entry.direction.map(|direction| {
        EnhancedPacketOption::Flags(match direction {
            Direction::In => 1,
            Direction::Out => 2,
        })
    }));
    EnhancedPacketBlock {
        interface_id: entry.point as u32,
        timestamp: Duration::from_nanos(entry.at.as_ps() / PS_PER_NS),
        original_len: entry.original_len,
        data: Cow::Owned(entry.data),
        options,
    }
    .into_block()
}

/// The comments of a packet, one sentence each.
fn comments<'a>(
    plan: &'a Plan,
    request: &'a Request,
    known: &'a Known,
) -> impl Iterator<Item = String> + use<'a> {
    let place = |at, link| format!("{} at {at} s", request.link(link));
    let reason = known.reason.map(|reason| reason.to_string());
    let marked = known.marked.map(|it| format!("marked: congestion experienced: {}", place(it.at, it.link)));
    let copied = known.copied.map(|it| format!("copy made by duplication: {}", place(it.at, it.link)));
    let doubled = known.doubled.map(|it| format!("doubled by duplication: {}", place(it.at, it.link)));
    let lost = known.lost.map(|it| lost(plan, request, it));
    let delayed = (known.delayed > Time::ZERO).then(|| format!("delayed by {} s of jitter", known.delayed));
    [reason, marked, copied, doubled, delayed, lost].into_iter().flatten()
}

fn lost(plan: &Plan, request: &Request, lost: Incident<LossCause>) -> String {
    let Incident { at, link, what: cause } = lost;
    let by = match (cause, plan.find_links().get(link).link) {
        (LossCause::QueueFull, Link::Packets { queue, .. }) => {
            format!("dropped by the full {}", show_queue(queue))
        }
        (LossCause::QueueEarly, Link::Packets { queue, .. }) => {
            format!("dropped by the {} before it was full", show_discipline(queue))
        }
        (LossCause::Impairment(number), Link::Packets { impairments, .. }) => {
            let its = number.and_then(|number| impairments.get(number));
            format!("lost by {}", its.map_or("the changing path", name_of))
        }
        (LossCause::Frame(FrameDrop::Refused), Link::Cells { port, .. }) => {
            format!("frame refused by the port's policy {}", port.policy.name)
        }
        (LossCause::Frame(FrameDrop::Refused), _) => "frame refused by a port's policy".to_owned(),
        (LossCause::Frame(FrameDrop::Nonconforming), _) => {
            "frame did not conform to its VC's GFR contract".to_owned()
        }
        (_, Link::Atm(_)) => "frame cut by a port's full buffer".to_owned(),
        _ => "frame cut by the port's full buffer".to_owned(),
    };
    format!("{by}: {} at {at} s", request.link(link))
}

fn show_discipline(queue: &Queue) -> String {
    let title = queue.discipline::<()>().map_or("", |(row, _)| row.title);
    format!("{title} queue")
}

fn show_queue(queue: &Queue) -> String {
    let limits = [
        queue.limit_packets.map(|limit| format!("{limit} packets")),
        queue.limit_bytes.map(|limit| format!("{limit} bytes")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    format!("{} ({})", show_discipline(queue), limits.join(", "))
}

fn name_of(impairment: &Impairment) -> &'static str {
    match impairment {
        Impairment::Bernoulli { .. } => "random loss (bernoulli)",
        Impairment::GilbertElliott { .. } => "bursty loss (gilbert_elliott)",
        Impairment::LossEvents { .. } => "a burst of losses (loss_events)",
        Impairment::TwoParameter { .. } => "a loss event (two_parameter)",
        Impairment::Scripted { .. } => "the list of losses (scripted)",
        Impairment::Jitter { .. } => "jitter",
        Impairment::Duplicate { .. } => "duplication",
        Impairment::Mark { .. } => "congestion without ECN (mark)",
    }
}
