//! A host of the simulated network, with our TCP or another one.

use crate::application::{AtWork, Reads};
use crate::network::Payload;
use crate::stack::Stack;
use base::Time;
use sim::{Host, HostId, NoComponent, Outbox, Packet};
use tcp::State;

/// One application on one TCP, one connection.
pub(crate) struct PeerHost {
    peer: HostId,
    pub(crate) stack: Stack,
    pub(crate) application: AtWork,
    opened: bool,
    /// The state in which a reset ended its connection, if one did.
    pub(crate) reset_in: Option<State>,
}

impl PeerHost {
    pub(crate) fn new(peer: HostId, mut stack: Stack, application: AtWork) -> Self {
        let listens = application.plan().opens.is_none();
        if application.plan().reads != Reads::AtOnce {
            stack.read_slowly();
        }
        if listens {
            stack.listen();
        }
        Self { peer, stack, application, opened: listens, reset_in: None }
    }

    fn send(&mut self, now: Time, outbox: &mut Outbox<Payload>) {
        while let Some(segment) = self.stack.poll(now) {
            let bytes = segment.packet_bytes();
            outbox.push(self.peer, 0, bytes, Box::new(segment));
        }
    }

    fn act(&mut self, now: Time, outbox: &mut Outbox<Payload>) {
        self.application.act(now, &mut self.stack);
        self.send(now, outbox);
    }
}

impl Host for PeerHost {
    type Payload = Payload;
    type Component = NoComponent;

    fn receive(&mut self, now: Time, packet: &Packet<Payload>, outbox: &mut Outbox<Payload>) {
        let before = self.stack.state();
        self.stack.on_segment(now, &packet.payload);
        if packet.payload.rst && before != State::Closed && self.stack.state() == State::Closed {
            self.reset_in = Some(before);
        }
        self.send(now, outbox);
        self.act(now, outbox);
    }

    fn wake(&mut self, now: Time, outbox: &mut Outbox<Payload>) {
        if !self.opened && self.application.plan().opens.is_some_and(|at| at <= now) {
            self.opened = true;
            self.stack.connect(now);
        }
        self.stack.on_timer(now);
        self.send(now, outbox);
        self.act(now, outbox);
    }

    fn next_wake(&self) -> Time {
        if self.opened {
            self.stack.next_timer().min(self.application.next())
        } else {
            self.application.plan().opens.unwrap_or(Time::NEVER)
        }
    }
}
