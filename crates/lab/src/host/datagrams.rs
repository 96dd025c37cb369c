//! UDP datagrams as a host of the network: one end sends them at the times of their source, the other counts
//! those that arrive. There are no answers and no retransmissions.

use super::{Payload, Totals};
use crate::workload::datagrams::Source;
use base::Time;
use sim::{HostId, Outbox};
use tcp::Counters;
use tcp::ranges::RangeSet;

/// One end of a flow of datagrams.
pub struct DatagramHost {
    peer: HostId,
    /// None: it receives. Boxed, as a source has a random stream and most hosts are none.
    source: Option<Box<Source>>,
    /// When the next datagram leaves.
    next: Time,
    sent: u64,
    sent_bytes: u64,
    received_bytes: u64,
    /// The numbers of datagrams that arrived, if the network may duplicate packets.
    seen: Option<Box<RangeSet>>,
    opened: Option<Time>,
    last_delivery: Option<Time>,
}

impl DatagramHost {
    /// A host that sends the datagrams of its source to `peer`, or receives those of `peer`. With `duplicates` the
    /// network may duplicate packets, and it counts each once.
    #[must_use]
    pub fn new(peer: HostId, mut source: Option<Box<Source>>, duplicates: bool) -> Self {
        let next = source.as_mut().map_or(Time::NEVER, |source| source.next_departure());
        Self {
            peer,
            source,
            next,
            sent: 0,
            sent_bytes: 0,
            received_bytes: 0,
            seen: duplicates.then(Box::default),
            opened: None,
            last_delivery: None,
        }
    }

    pub(super) fn totals(&self) -> Totals {
        Totals {
            written: self.sent_bytes,
            writes: self.sent,
            delivered: self.received_bytes,
            delivered_early: 0,
            received: self.received_bytes,
            highest_received: self.received_bytes,
            counters: Counters { segments_sent: self.sent, ..Counters::default() },
            max_cwnd: 0,
        }
    }

    pub(super) fn opened(&self) -> Option<Time> {
        self.opened
    }

    pub(super) fn last_delivery(&self) -> Option<Time> {
        self.last_delivery
    }

    pub(super) fn receive(&mut self, now: Time, number: u64, bytes: u32) {
        if let Some(seen) = &mut self.seen {
            if seen.containing(number).is_some() {
                return;
            }
            seen.insert(number, number + 1);
        }
        self.received_bytes += u64::from(bytes);
        self.last_delivery = Some(now);
    }

    pub(super) fn wake(&mut self, now: Time, outbox: &mut Outbox<Payload>) {
        let Some(source) = &mut self.source else { return };
        let bytes = source.packet_bytes();
        while self.next <= now {
            outbox.push(self.peer, 0, bytes, Payload::Datagram(self.sent));
            self.sent += 1;
            self.sent_bytes += u64::from(bytes);
            self.opened = self.opened.or(Some(now));
            self.next = source.next_departure();
        }
    }

    pub(super) fn next_wake(&self) -> Time {
        self.next
    }
}
