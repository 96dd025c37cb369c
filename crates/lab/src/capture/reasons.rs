//! Why a sender retransmitted, inferred from its state before and after it acted.

use crate::host::{Host, Payload};
use sim::{HostId, Packet};
use std::collections::BTreeMap;
use std::fmt;
use tcp::Connection;

/// Why a segment was retransmitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reason {
    /// The retransmission timer ran out.
    TimeOut,
    /// It was in flight when the timer ran out.
    AfterTimeOut,
    /// Duplicate ACKs began a recovery.
    FastRetransmit,
    /// In a recovery, SACK blocks revealed a hole.
    Hole,
    /// In a recovery, an ACK was partial.
    PartialAck,
    /// In a recovery, and none of these.
    Recovery,
    /// The state does not show the reason.
    #[default]
    Unknown,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TimeOut => "retransmission: time-out (RTO)",
            Self::AfterTimeOut => "retransmission: was outstanding at the time-out",
            Self::FastRetransmit => "retransmission: fast retransmit",
            Self::Hole => "retransmission: hole below SACKed data",
            Self::PartialAck => "retransmission: partial ACK",
            Self::Recovery => "retransmission: in loss recovery",
            Self::Unknown => "retransmission",
        })
    }
}

/// The state of each host's connections, by their numbers.
pub(super) struct Reasons {
    hosts: Vec<BTreeMap<u32, Sender>>,
}

#[derive(Clone, Copy, Default)]
struct Sender {
    /// One above the highest sequence number sent.
    highest: u64,
    snd_una: u64,
    timeouts: u64,
    fast_retransmits: u64,
    /// One above the highest sequence number sent before the last time-out.
    lost_below: u64,
    /// Whether a recovery has begun, of which nothing has gone out yet: a paced segment leaves later than the ACK comes.
    recovery_begins: bool,
    /// Whether the last segment that it received had SACK blocks.
    sack_came: bool,
    /// Why it would retransmit now.
    reason: Reason,
}

impl Reasons {
    pub(super) fn new(hosts: usize) -> Self {
        Self { hosts: vec![BTreeMap::new(); hosts] }
    }

    /// A packet has reached its host, which acts next.
    pub(super) fn delivered(&mut self, packet: &Packet<Payload>) {
        if let Some(segment) = packet.payload.segment() {
            self.sender(packet.to, packet.flow).sack_came = !segment.sack.is_empty();
        }
    }

    /// A host has acted; this is reported before the packets that it sends.
    pub(super) fn acted(&mut self, id: HostId, host: &Host) {
        host.connections().for_each(|(number, connection)| self.sender(id, number).acted(connection));
    }

    /// Why a packet is a retransmission; none if it is not.
    pub(super) fn sent(&mut self, packet: &Packet<Payload>) -> Option<Reason> {
        let segment = packet.payload.segment()?;
        let sender = self.sender(packet.from, packet.flow);
        let again = segment.seq < sender.highest && segment.end() > segment.seq;
        sender.highest = sender.highest.max(segment.end());
        if again && std::mem::take(&mut sender.recovery_begins) {
            return Some(Reason::FastRetransmit);
        }
        again.then_some(sender.reason)
    }

    fn sender(&mut self, host: HostId, connection: u32) -> &mut Sender {
        self.hosts[host.0 as usize].entry(connection).or_default()
    }
}

impl Sender {
    fn acted(&mut self, connection: &Connection) {
        let (counters, snd_una) = (connection.counters(), connection.sender().snd_una);
        self.recovery_begins |= counters.fast_retransmits > self.fast_retransmits;
        self.reason = if counters.timeouts > self.timeouts {
            self.lost_below = self.highest;
            self.recovery_begins = false;
            Reason::TimeOut
        } else if connection.in_recovery() && std::mem::take(&mut self.sack_came) {
            Reason::Hole
        } else if connection.in_recovery() && snd_una > self.snd_una {
            Reason::PartialAck
        } else if connection.in_recovery() {
            Reason::Recovery
        } else if snd_una < self.lost_below {
            Reason::AfterTimeOut
        } else {
            Reason::Unknown
        };
        self.snd_una = snd_una;
        self.timeouts = counters.timeouts;
        self.fast_retransmits = counters.fast_retransmits;
    }
}
