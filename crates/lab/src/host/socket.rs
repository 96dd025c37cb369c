//! One end of a connection of a host, as its application sees it.

use super::{Payload, Totals};
use crate::workload::View;
use base::Time;
use sim::{HostId, Outbox};
use tcp::{Connection, Segment, State};

/// A connection as the application sees it.
pub(super) struct Socket {
    pub(super) number: u32,
    pub(super) connection: Connection,
    /// [`Time::NEVER`] before that.
    pub(super) opened: Time,
    pub(super) established: Time,
    pub(super) written: u64,
    /// Bytes delivered when the application was last polled.
    pub(super) delivered: u64,
    pub(super) closed: bool,
    /// Whether it may have something to send.
    pub(super) may_send: bool,
}

/// Sends the segments of a connection through its host's outbox. The connection's number is the flow
/// of its packets.
pub(super) struct Egress<'a, 'b> {
    pub(super) to: HostId,
    pub(super) flow: u32,
    pub(super) outbox: &'a mut Outbox<'b, Payload>,
}

impl tcp::Sink for Egress<'_, '_> {
    #[inline(always)]
    fn take(&mut self, segment: Segment) {
        let bytes = segment.packet_bytes();
        self.outbox.push(self.to, self.flow, bytes, Payload::Segment(segment));
    }
}

impl Totals {
    pub(super) fn add(&mut self, connection: &Connection) {
        self.delivered += connection.delivered();
        self.delivered_early += connection.delivered_early();
        self.received += connection.received();
        self.highest_received += connection.highest_received();
        self.counters += connection.counters();
        self.max_cwnd = self.max_cwnd.max(connection.window().max_cwnd());
    }
}

impl Socket {
    pub(super) fn new(number: u32, connection: Connection) -> Self {
        Self {
            number,
            connection,
            opened: Time::NEVER,
            established: Time::NEVER,
            written: 0,
            delivered: 0,
            closed: false,
            may_send: false,
        }
    }

    pub(super) fn view(&self) -> View {
        View {
            connection: self.number,
            opened: self.opened.if_ever(),
            established: self.established.if_ever(),
            written: self.written,
            delivered: self.connection.delivered(),
            closed: self.closed,
            ended: self.has_ended(),
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.connection.peer_closed() || self.connection.was_reset()
    }

    /// Sends what its connection may send now.
    pub(super) fn send(&mut self, peer: HostId, now: Time, outbox: &mut Outbox<Payload>) {
        self.may_send = false;
        self.connection.send_all(now, &mut Egress { to: peer, flow: self.number, outbox });
    }

    pub(super) fn is_over(&self) -> bool {
        match self.connection.state() {
            State::TimeWait => true,
            State::Closed => self.closed || self.connection.was_reset(),
            _ => false,
        }
    }
}
