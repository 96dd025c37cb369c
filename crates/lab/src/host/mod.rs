//! The hosts of a flow: a TCP endpoint with its application, or an end of datagrams.
//!
//! | module | what |
//! |---|---|
//! | `tcp` | an application and its TCP connections |
//! | `socket` | one end of a connection, as the application sees it |
//! | `many` | where each of many connections is, and when it is due |
//! | `datagrams` | a source of UDP datagrams, and their receiver |

use crate::workload::{Response, Transfer};
use ::tcp::{Connection, Counters, Ecn, Limited, Segment};
use atm::AtmLink;
use base::Time;
use core::fmt;
use sim::histogram::Histogram;
use sim::{Outbox, Packet};

mod datagrams;
mod many;
mod socket;
mod tcp;

pub use datagrams::DatagramHost;
pub use tcp::{MakeControl, TcpHost};

/// The content of packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// A TCP segment.
    Segment(Segment),
    /// A UDP datagram, with its number among those of its source.
    Datagram(u64),
}

/// The properties of packet contents that queues and impairments need.
pub trait Content: Clone + Send + 'static {
    /// Whether it carries data of an application.
    fn has_data(&self) -> bool;

    /// Its ECN field.
    fn ecn(&self) -> Ecn;

    /// Marks it if it is ECN-capable; returns whether it is (RFC 3168, section 5).
    fn mark(&mut self) -> bool;

    /// Where in its flow's stream of bytes it ends; none if it belongs to no stream.
    fn stream_end(&self) -> Option<u64>;
}

impl Content for Payload {
    /// A segment with some, or a datagram.
    fn has_data(&self) -> bool {
        match self {
            Self::Segment(segment) => segment.len > 0,
            Self::Datagram(_) => true,
        }
    }

    fn ecn(&self) -> Ecn {
        self.segment().map_or(Ecn::NotEct, |segment| segment.ecn)
    }

    fn mark(&mut self) -> bool {
        match self {
            Self::Segment(segment) if segment.ecn != Ecn::NotEct => {
                segment.ecn = Ecn::Ce;
                true
            }
            Self::Segment(_) | Self::Datagram(_) => false,
        }
    }

    fn stream_end(&self) -> Option<u64> {
        self.segment().map(Segment::end)
    }
}

impl Payload {
    /// The segment, if it is one.
    #[must_use]
    pub fn segment(&self) -> Option<&Segment> {
        match self {
            Self::Segment(segment) => Some(segment),
            Self::Datagram(_) => None,
        }
    }
}

impl fmt::Display for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Segment(segment) => segment.fmt(f),
            Self::Datagram(_) => f.write_str("datagram"),
        }
    }
}

/// The totals of one end of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Bytes written by the application; of datagrams, with their headers.
    pub written: u64,
    /// In how many writes.
    pub writes: u64,
    /// Bytes received in order; of datagrams, what [`Totals::received`] is.
    pub delivered: u64,
    /// Of these, bytes that had come, out of order, before [`Host::begin_measuring`]; of datagrams 0.
    pub delivered_early: u64,
    /// Bytes received, in order or not, each counted once; of datagrams with their headers.
    pub received: u64,
    /// Bytes up to the highest received, holes included; of datagrams, what [`Totals::received`] is.
    pub highest_received: u64,
    /// Counters of the senders; of datagrams, only how many were sent.
    pub counters: Counters,
    /// The largest cwnd of all connections since [`Host::begin_measuring`], bytes; of datagrams 0.
    pub max_cwnd: u64,
}

/// One end of a flow. Both ends are of one kind.
#[expect(
    clippy::large_enum_variant,
    reason = "most hosts have TCP, and a box would be one more wait for the memory"
)]
pub enum Host {
    /// An application and its TCP connections.
    Tcp(TcpHost),
    /// A source of datagrams, or their receiver.
    Datagrams(DatagramHost),
}

impl Host {
    /// Its end of the newest TCP connection, if it has TCP.
    #[must_use]
    pub fn connection(&self) -> Option<&Connection> {
        match self {
            Self::Tcp(host) => Some(host.connection()),
            Self::Datagrams(_) => None,
        }
    }

    /// Its ends of the TCP connections that it still has, with their numbers.
    pub fn connections(&self) -> impl Iterator<Item = (u32, &Connection)> {
        let host = match self {
            Self::Tcp(host) => Some(host),
            Self::Datagrams(_) => None,
        };
        host.into_iter().flat_map(TcpHost::connections)
    }

    /// Its totals.
    #[must_use]
    pub fn totals(&self) -> Totals {
        match self {
            Self::Tcp(host) => host.totals(),
            Self::Datagrams(host) => host.totals(),
        }
    }

    /// Bytes received in order; see [`Totals::delivered`].
    #[must_use]
    pub fn delivered(&self) -> u64 {
        match self {
            Self::Tcp(host) => host.delivered(),
            Self::Datagrams(host) => host.totals().delivered,
        }
    }

    /// For how long its senders were limited up to `now`, and by what; a source of datagrams is not.
    #[must_use]
    pub fn limited(&self, now: Time) -> Limited {
        match self {
            Self::Tcp(host) => host.limited(now),
            Self::Datagrams(_) => Limited::default(),
        }
    }

    /// The measured time begins: resets the largest cwnd to the current one, records data that are out of order as
    /// received early, and forgets the RTTs.
    pub fn begin_measuring(&mut self) {
        match self {
            Self::Tcp(host) => host.begin_measuring(),
            Self::Datagrams(_) => {}
        }
    }

    /// The RTTs that its connections have measured since [`Host::begin_measuring`], ps; none if it does not keep them.
    #[must_use]
    pub fn rtts(&self) -> Option<&Histogram> {
        match self {
            Self::Tcp(host) => host.rtts(),
            Self::Datagrams(_) => None,
        }
    }

    /// When it opened the first connection or sent the first datagram, if it did.
    #[must_use]
    pub fn opened(&self) -> Option<Time> {
        match self {
            Self::Tcp(host) => host.opened(),
            Self::Datagrams(host) => host.opened(),
        }
    }

    /// When its application last received something.
    #[must_use]
    pub fn last_delivery(&self) -> Option<Time> {
        match self {
            Self::Tcp(host) => host.last_delivery(),
            Self::Datagrams(host) => host.last_delivery(),
        }
    }

    /// The connections of the pages that its application has completed.
    #[must_use]
    pub fn transfers(&self) -> &[Transfer] {
        match self {
            Self::Tcp(host) => host.transfers(),
            Self::Datagrams(_) => &[],
        }
    }

    /// The requests that its application has made in batches.
    #[must_use]
    pub fn responses(&self) -> &[Response] {
        match self {
            Self::Tcp(host) => host.responses(),
            Self::Datagrams(_) => &[],
        }
    }
}

impl sim::Host for Host {
    type Payload = Payload;
    type Component = AtmLink<Payload>;

    fn receive(&mut self, now: Time, packet: &Packet<Payload>, outbox: &mut Outbox<Payload>) {
        match (self, &packet.payload) {
            (Self::Tcp(host), Payload::Segment(segment)) => host.receive(now, packet.flow, segment, outbox),
            (Self::Datagrams(host), Payload::Datagram(number)) => host.receive(now, *number, packet.bytes),
            _ => unreachable!("both ends of a flow are of one kind"),
        }
    }

    fn wake(&mut self, now: Time, outbox: &mut Outbox<Payload>) {
        match self {
            Self::Tcp(host) => host.wake(now, outbox),
            Self::Datagrams(host) => host.wake(now, outbox),
        }
    }

    fn next_wake(&self) -> Time {
        match self {
            Self::Tcp(host) => host.next_wake(),
            Self::Datagrams(host) => host.next_wake(),
        }
    }
}
