//! A capture: the packets at chosen points of the network in one run, as a pcapng file.
//!
//! An observer records each packet at each point and follows it over the links. So comments can have
//! what a tool at a single point cannot know: that the packet is lost further on and by what, that it
//! is a copy, or why its sender retransmitted it. The file is made when the run is over.
//!
//! | module | what |
//! |---|---|
//! | `points` | the request: points, names, and how much of a packet is kept |
//! | `journeys` | follows packets from link to link |
//! | `addresses` | addresses and ports |
//! | `file` | packets, comments and points as pcapng |

use crate::by_connection::ByConnection;
use crate::causes::{Reason, Sending};
use crate::columns::Columns;
use crate::control::Controls;
use crate::host::{Host, Payload};
use crate::losses::Losses;
use crate::plan::Plan;
use crate::run::Observed;
use addresses::Addresses;
use base::Time;
use journeys::{Journey, Journeys};
use sim::{Event, HostId, Observer, Packet};
use std::sync::Arc;

mod addresses;
mod file;
mod journeys;
mod points;

pub use file::{Entry, write};
pub use journeys::{Incident, Known};
pub use points::{Kept, Place, Point, Request};

/// Why a capture failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The plan cannot be run.
    #[error(transparent)]
    Plan(#[from] crate::Error),
    /// The request does not fit the plan.
    #[error("capture: {0}")]
    Request(String),
    /// The request is not one.
    #[error("not a capture request: {0}")]
    Syntax(#[from] serde_json::Error),
}

/// What was captured.
pub struct Captured {
    /// The file.
    pub pcapng: Vec<u8>,
    /// The packets at each point, in the order of the request.
    pub counts: Vec<Counts>,
    /// The columns that [`crate::run`] returns for the plan without its probes.
    pub columns: Columns,
}

/// Packets at a point. One that passes twice counts twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub packets: u64,
    /// Those that are lost after the point.
    pub lost: u64,
    /// Those with data, a SYN or a FIN that had been sent before; copies that a link made do not count.
    pub retransmissions: u64,
    /// Copies that a link made.
    pub copies: u64,
}

impl Counts {
    /// Each with its name.
    #[must_use]
    pub fn by_name(&self) -> [(&'static str, u64); 4] {
        [
            ("packets", self.packets),
            ("lost", self.lost),
            ("retransmissions", self.retransmissions),
            ("copies", self.copies),
        ]
    }
}

/// Runs a plan and captures what passes some points. The run is the same as without a capture.
///
/// # Errors
/// If the plan cannot be run, the request names what is not in it, or a packet would be longer
/// than IPv4 allows.
pub fn capture(plan: &Plan, seed: u64, request: &Request) -> Result<Captured, Error> {
    Ok(Capture::new(plan, seed, request)?.end())
}

/// A capture that is made in slices, as a [`Run`](crate::Run).
pub struct Capture<'a> {
    plan: &'a Plan,
    request: &'a Request,
    addresses: Addresses,
    run: Observed<(Losses, Watch<'a>)>,
}

impl<'a> Capture<'a> {
    /// A capture at time zero.
    ///
    /// # Errors
    /// As [`capture`].
    pub fn new(plan: &'a Plan, seed: u64, request: &'a Request) -> Result<Self, Error> {
        Self::with_controls(plan, seed, request, None)
    }

    /// A capture at time zero, with the congestion controls whose code is in the plan.
    ///
    /// # Errors
    /// As [`capture`].
    pub fn with_controls(
        plan: &'a Plan,
        seed: u64,
        request: &'a Request,
        controls: Option<&Arc<dyn Controls>>,
    ) -> Result<Self, Error> {
        plan.check()?;
        request.check(plan)?;
        let addresses = Addresses::of(plan)?;
        let run = Observed::new(plan, seed, (Losses::new(plan), Watch::new(plan, request)), controls)?;
        Ok(Self { plan, request, addresses, run })
    }

    /// As [`Run::advance`](crate::Run::advance).
    pub fn advance(&mut self, until: Time, events: u64) -> f64 {
        self.run.advance(self.plan, until, events)
    }

    /// Simulates the rest of the run and returns the file.
    #[must_use]
    pub fn end(mut self) -> Captured {
        self.advance(Time::NEVER, u64::MAX);
        let (mut columns, (losses, watch)) = self.run.end(self.plan);
        columns.foreground = losses.into_table();
        let counts = watch.counts();
        let entry = |record| file::entry(self.request, &self.addresses, &watch, record);
        let pcapng = write(self.plan, self.request, watch.records.iter().map(entry));
        Captured { pcapng, counts, columns }
    }
}

/// A packet at a point.
struct Record {
    at: Time,
    /// Number of the point.
    point: usize,
    /// Which way it went; for a node.
    direction: Option<Direction>,
    journey: Journey,
    packet: Packet<Payload>,
}

/// The direction of a packet at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To it.
    In,
    /// From it.
    Out,
}

/// The observer.
struct Watch<'a> {
    /// Of each host.
    nodes: Vec<u32>,
    /// At which node each link ends; none of a link of cells.
    ends: Vec<Option<u32>>,
    points: &'a [Point],
    journeys: Journeys,
    /// Of each host.
    sending: Vec<ByConnection<Sending>>,
    records: Vec<Record>,
}

impl<'a> Watch<'a> {
    fn new(plan: &'a Plan, request: &'a Request) -> Self {
        Self {
            nodes: plan.nodes_of_hosts().collect(),
            ends: plan.ends_of_links().collect(),
            points: &request.points,
            journeys: Journeys::new(),
            sending: vec![ByConnection::default(); 2 * plan.flow_count() as usize],
            records: Vec::new(),
        }
    }

    fn node_of(&self, host: HostId) -> Place {
        Place::Node(self.nodes[host.0 as usize])
    }

    fn record(
        &mut self,
        at: Time,
        place: Place,
        direction: Option<Direction>,
        journey: Journey,
        packet: &Packet<Payload>,
    ) {
        for (point, _) in self.points.iter().enumerate().filter(|(_, point)| point.place == place) {
            self.records.push(Record { at, point, direction, journey, packet: packet.clone() });
        }
    }

    /// Why a packet that is sent is a retransmission; none if it is not.
    fn reason_of(&mut self, packet: &Packet<Payload>) -> Option<Reason> {
        let segment = packet.payload.segment()?;
        let (is_again, reason) = self.sending[packet.from.0 as usize].of(packet.flow).sent(segment);
        reason.filter(|_| is_again)
    }

    fn counts(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.points.len()];
        for record in &self.records {
            let known = &self.journeys[record.journey];
            let counts = &mut counts[record.point];
            counts.packets += 1;
            counts.lost += u64::from(known.lost.is_some());
            counts.retransmissions += u64::from(known.reason.is_some() && known.copied.is_none());
            counts.copies += u64::from(known.copied.is_some());
        }
        counts
    }
}

impl Observer<Host> for Watch<'_> {
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match *event {
            Event::Acted(id, host) => {
                for (number, connection) in host.connections() {
                    self.sending[id.0 as usize].of(number).acted(connection);
                }
            }
            Event::Sent(into, packet) => {
                let reason = self.reason_of(packet);
                let journey = self.journeys.begin(packet, reason);
                let node = self.node_of(packet.from);
                self.record(at, node, Some(Direction::Out), journey, packet);
                self.record(at, Place::Entrance(into.0), None, journey, packet);
            }
            Event::Forwarded { from, into, packet } => {
                let journey = self.journeys.of(packet.id);
                self.record(at, Place::Exit(from.0), None, journey, packet);
                if let Some(to) = self.ends[from.0 as usize] {
                    self.record(at, Place::Node(to), None, journey, packet);
                }
                self.record(at, Place::Entrance(into.0), None, journey, packet);
            }
            Event::Delivered(from, packet) => {
                let journey = self.journeys.end(packet.id);
                self.record(at, Place::Exit(from.0), None, journey, packet);
                let node = self.node_of(packet.to);
                self.record(at, node, Some(Direction::In), journey, packet);
                if let Some(segment) = packet.payload.segment() {
                    self.sending[packet.to.0 as usize].of(packet.flow).delivered(segment);
                }
            }
            Event::Link(link, ref event) => self.journeys.on_link(at, link, event),
            Event::Component(_, event) => self.journeys.on_component(event),
        }
    }
}
