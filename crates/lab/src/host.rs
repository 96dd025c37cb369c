//! A TCP endpoint and its application as a host of the network.

use crate::workload::{Step, View, Workload};
use sim::{Host, HostId, Outbox, Packet, Time};
use tcp::{Connection, Segment, State};

/// A host: one application, one connection.
pub struct TcpHost {
    id: HostId,
    peer: HostId,
    connection: Connection,
    workload: Box<dyn Workload>,
    /// Whether the ticks count from the opening of the connection.
    clock_starts_at_open: bool,
    /// When the application wants to be asked; none: it has closed.
    ask_at: Option<Time>,
    written: u64,
    writes: u64,
    opened: Option<Time>,
    last_delivery: Option<Time>,
}

impl TcpHost {
    /// A host that talks to `peer`.
    #[must_use]
    pub fn new(
        id: HostId,
        peer: HostId,
        mut connection: Connection,
        workload: Box<dyn Workload>,
        clock_starts_at_open: bool,
    ) -> Self {
        let opens_at = workload.opens_at();
        if opens_at.is_none() {
            connection.listen();
        }
        let ask_at = Some(opens_at.unwrap_or(Time::NEVER));
        Self {
            id,
            peer,
            connection,
            workload,
            clock_starts_at_open,
            ask_at,
            written: 0,
            writes: 0,
            opened: None,
            last_delivery: None,
        }
    }

    /// Its end of the connection.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Bytes that the application has written, and in how many writes.
    #[must_use]
    pub fn written(&self) -> (u64, u64) {
        (self.written, self.writes)
    }

    /// When it opened the connection, if it did.
    #[must_use]
    pub fn opened(&self) -> Option<Time> {
        self.opened
    }

    /// When its application last received something.
    #[must_use]
    pub fn last_delivery(&self) -> Option<Time> {
        self.last_delivery
    }

    fn send(&mut self, now: Time, outbox: &mut Outbox<Segment>) {
        while let Some(segment) = self.connection.poll(now) {
            let bytes = segment.packet_bytes();
            outbox.push(Packet { from: self.id, to: self.peer, bytes, payload: segment });
        }
    }

    fn ask(&mut self, now: Time) {
        while self.ask_at.is_some() {
            let view = View { delivered: self.connection.delivered() };
            match self.workload.next(now, view) {
                Step::Write(bytes) => {
                    self.connection.write(bytes);
                    self.written += bytes;
                    self.writes += 1;
                }
                Step::WaitUntil(time) => {
                    self.ask_at = Some(time);
                    return;
                }
                Step::Close => {
                    self.connection.close();
                    self.ask_at = None;
                }
            }
        }
    }
}

impl Host for TcpHost {
    type Payload = Segment;

    fn receive(&mut self, now: Time, packet: Packet<Segment>, outbox: &mut Outbox<Segment>) {
        let delivered = self.connection.delivered();
        if self.clock_starts_at_open && self.connection.state() == State::Listen {
            self.connection.start_clock(now);
        }
        self.connection.on_segment(now, &packet.payload);
        // What came is acknowledged before the application has had time to answer.
        self.send(now, outbox);
        if self.connection.delivered() > delivered {
            self.last_delivery = Some(now);
            self.ask(now);
            self.send(now, outbox);
        }
    }

    fn wake(&mut self, now: Time, outbox: &mut Outbox<Segment>) {
        self.connection.on_timer(now);
        if self.ask_at.is_some_and(|at| at <= now) {
            if self.connection.state() == State::Closed {
                if self.clock_starts_at_open {
                    self.connection.start_clock(now);
                }
                self.connection.connect();
                self.opened = Some(now);
            }
            self.ask(now);
        }
        self.send(now, outbox);
    }

    fn next_wake(&self) -> Time {
        self.ask_at.unwrap_or(Time::NEVER).min(self.connection.next_timer())
    }
}
