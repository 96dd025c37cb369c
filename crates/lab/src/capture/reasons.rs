//! Why a sender sent something again: from its state before and after what it has just done.

use sim::{HostId, Packet};
use std::fmt;
use tcp::{Connection, Segment};

/// Why something was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The retransmission timer ran out.
    TimeOut,
    /// It was out when the timer ran out.
    AfterTimeOut,
    /// Duplicate ACKs began a recovery.
    FastRetransmit,
    /// In a recovery, SACK blocks told of a hole.
    Hole,
    /// In a recovery, an ACK was partial.
    PartialAck,
    /// In a recovery, and none of these.
    Recovery,
    /// The state does not tell.
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

/// What is known of each host.
pub(super) struct Reasons {
    hosts: Vec<Sender>,
}

#[derive(Clone, Copy)]
struct Sender {
    /// One above the highest sequence number sent.
    highest: u64,
    snd_una: u64,
    timeouts: u64,
    fast_retransmits: u64,
    /// What was out at the last time-out lies below this.
    lost_below: u64,
    /// Whether the last segment that it received had SACK blocks.
    sack_came: bool,
    /// Why it would now send something again.
    reason: Reason,
}

impl Reasons {
    pub(super) fn new(hosts: usize) -> Self {
        let new = Sender {
            highest: 0,
            snd_una: 0,
            timeouts: 0,
            fast_retransmits: 0,
            lost_below: 0,
            sack_came: false,
            reason: Reason::Unknown,
        };
        Self { hosts: vec![new; hosts] }
    }

    /// A packet has reached its host, which acts next.
    pub(super) fn delivered(&mut self, packet: &Packet<Segment>) {
        self.hosts[packet.to.0 as usize].sack_came = !packet.payload.sack.as_slice().is_empty();
    }

    /// A host has acted; it is told of before what it sends.
    pub(super) fn acted(&mut self, host: HostId, connection: &Connection) {
        let sender = &mut self.hosts[host.0 as usize];
        let (counters, snd_una) = (connection.counters(), connection.window().snd_una);
        sender.reason = if counters.timeouts > sender.timeouts {
            sender.lost_below = sender.highest;
            Reason::TimeOut
        } else if counters.fast_retransmits > sender.fast_retransmits {
            Reason::FastRetransmit
        } else if connection.in_recovery() && std::mem::take(&mut sender.sack_came) {
            Reason::Hole
        } else if connection.in_recovery() && snd_una > sender.snd_una {
            Reason::PartialAck
        } else if connection.in_recovery() {
            Reason::Recovery
        } else if snd_una < sender.lost_below {
            Reason::AfterTimeOut
        } else {
            Reason::Unknown
        };
        sender.snd_una = snd_una;
        sender.timeouts = counters.timeouts;
        sender.fast_retransmits = counters.fast_retransmits;
    }

    /// Why a packet is sent again; none if it is not.
    pub(super) fn sent(&mut self, packet: &Packet<Segment>) -> Option<Reason> {
        let sender = &mut self.hosts[packet.from.0 as usize];
        let segment = &packet.payload;
        let again = segment.seq < sender.highest && segment.end() > segment.seq;
        sender.highest = sender.highest.max(segment.end());
        again.then_some(sender.reason)
    }
}
