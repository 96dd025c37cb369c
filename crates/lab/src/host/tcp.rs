//! TCP endpoints and an application as a host of the network.
//!
//! An application has one connection, or many, one after the other or at the same time. Connections
//! between two hosts have numbers, as they would have pairs of ports. A host removes connections that are
//! over when the next one begins. A FIN that arrives for a removed connection gets the ACK that TIME-WAIT
//! would send.

use super::many::Many;
use super::socket::{Egress, Socket};
use super::{Payload, Totals};
use crate::workload::{Response, Step, Transfer, Workload};
use base::Time;
use sim::histogram::Histogram;
use sim::{HostId, Outbox};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;
use tcp::congestion::outside::Control;
use tcp::{Config, Connection, Limited, Segment, State, TickClock};

/// Makes a congestion control from a number for its random choices.
pub type MakeControl = Arc<dyn Fn(u64) -> Box<dyn Control> + Send + Sync>;

/// A host: one application and its connections.
pub struct TcpHost {
    peer: HostId,
    /// Whether the ticks count from the opening of the connection.
    clock_starts_at_open: bool,
    /// For the random choices of congestion control: a connection has this number and its own, added.
    choices: u64,
    /// Makes the congestion controls of its connections from the numbers for their random choices; none: as configured.
    make_control: Option<MakeControl>,
    workload: Box<dyn Workload>,
    /// Whether it listens for connections.
    listens: bool,
    /// [`Workload::ignores_events`] and [`Workload::piggybacks_acks`] of its application.
    ignores_events: bool,
    piggybacks_acks: bool,
    /// Never empty; the last one is the newest. Most hosts have a single one, which is stored inline.
    sockets: SmallVec<[Socket; 1]>,
    /// Bytes that its application has written, and the number of writes.
    written: (u64, u64),
    /// None for a host that has had a single connection.
    many: Option<Box<Many>>,
    /// The RTTs that its connections have measured since [`TcpHost::begin_measuring`], ps; none if they are not wanted.
    rtts: Option<Box<Histogram>>,
    /// When the application is polled next.
    poll_at: Time,
    /// [`Time::NEVER`] until it has opened a connection, and received data.
    opened: Time,
    last_delivery: Time,
}

impl TcpHost {
    /// A host that talks to `peer`, and whose connections are all configured alike.
    #[must_use]
    pub fn new(
        peer: HostId,
        (config, clock): (Arc<Config>, TickClock),
        workload: Box<dyn Workload>,
        clock_starts_at_open: bool,
    ) -> Self {
        let starts_at = workload.starts_at();
        let listens = starts_at.is_none();
        let mut first = Socket::new(0, Connection::new(config, clock));
        if listens {
            first.connection.listen();
        }
        Self {
            ignores_events: workload.ignores_events(),
            piggybacks_acks: workload.piggybacks_acks(),
            peer,
            clock_starts_at_open,
            choices: 0,
            make_control: None,
            workload,
            listens,
            sockets: smallvec![first],
            written: (0, 0),
            many: None,
            rtts: None,
            poll_at: starts_at.unwrap_or(Time::NEVER),
            opened: Time::NEVER,
            last_delivery: Time::NEVER,
        }
    }

    /// The same host, whose connections make their random choices from this number.
    #[must_use]
    pub fn choosing_by(mut self, choices: u64) -> Self {
        self.choices = choices;
        for socket in &mut self.sockets {
            socket.connection.seed(choices.wrapping_add(u64::from(socket.number)));
        }
        self
    }

    /// The same host, whose connections have other congestion controls than the configured one. Call it after
    /// [`Self::choosing_by`].
    #[must_use]
    pub fn controlled_by(mut self, make: MakeControl) -> Self {
        for Socket { number, connection, .. } in &mut self.sockets {
            let control = make(self.choices.wrapping_add(u64::from(*number)));
            *connection = connection.anew().controlled_by(control);
            if self.listens {
                connection.listen();
            }
        }
        self.make_control = Some(make);
        self
    }

    /// The same host, which keeps the RTTs that its connections measure.
    #[must_use]
    pub fn keeping_rtts(mut self) -> Self {
        self.rtts = Some(Box::default());
        self
    }

    /// The RTTs that its connections have measured since [`Self::begin_measuring`], ps; none if it does not keep them.
    #[must_use]
    pub fn rtts(&self) -> Option<&Histogram> {
        self.rtts.as_deref()
    }

    /// Its end of the newest connection.
    ///
    /// # Panics
    /// Never: there is always one.
    #[must_use]
    pub fn connection(&self) -> &Connection {
        &self.sockets.last().expect("there is a connection").connection
    }

    /// Its ends of the connections that it still has, with their numbers.
    pub fn connections(&self) -> impl Iterator<Item = (u32, &Connection)> {
        self.sockets.iter().map(|socket| (socket.number, &socket.connection))
    }

    /// Sums over all its connections.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let mut totals = self.many.as_ref().map_or_else(Totals::default, |many| many.done);
        (totals.written, totals.writes) = self.written;
        self.sockets.iter().for_each(|socket| totals.add(&socket.connection));
        totals
    }

    /// Bytes received in order on all its connections.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        let removed = self.many.as_ref().map_or(0, |many| many.done.delivered);
        self.sockets.iter().fold(removed, |sum, socket| sum + socket.connection.delivered())
    }

    /// How long each limit held back the senders of its connections up to `now`, in total.
    #[must_use]
    pub fn limited(&self, now: Time) -> Limited {
        let mut limited = self.many.as_ref().map_or_else(Limited::default, |many| many.limited);
        self.sockets.iter().for_each(|socket| limited += socket.connection.limited(now));
        limited
    }

    /// Resets the largest cwnd to the current ones of the connections that it still has, records their data that
    /// are out of order, and forgets the RTTs.
    pub fn begin_measuring(&mut self) {
        for Socket { connection, .. } in &mut self.sockets {
            connection.forget_max_cwnd();
            connection.note_early();
        }
        self.many.iter_mut().for_each(|many| many.done.max_cwnd = 0);
        self.rtts.iter_mut().for_each(|rtts| **rtts = Histogram::default());
    }

    /// When it opened the first connection, if it did.
    #[must_use]
    pub fn opened(&self) -> Option<Time> {
        self.opened.if_ever()
    }

    /// When its application last received something.
    #[must_use]
    pub fn last_delivery(&self) -> Option<Time> {
        self.last_delivery.if_ever()
    }

    /// The connections of the pages that its application has completed.
    #[must_use]
    pub fn transfers(&self) -> &[Transfer] {
        self.workload.transfers()
    }

    /// The requests that its application has made in batches.
    #[must_use]
    pub fn responses(&self) -> &[Response] {
        self.workload.responses()
    }

    /// Notes that the connection at a place may have something to send.
    fn mark(&mut self, at: usize) {
        let socket = &mut self.sockets[at];
        if let Some(many) = self.many.as_mut().filter(|_| !socket.may_send) {
            many.to_send.push(socket.number);
        }
        socket.may_send = true;
    }

    /// Sends on the marked connections, in the order in which they began.
    fn send_all(&mut self, now: Time, outbox: &mut Outbox<Payload>) {
        let Some(many) = &mut self.many else {
            return if self.sockets[0].may_send {
                self.send(0, now, outbox);
            };
        };
        let mut numbers = std::mem::take(&mut many.to_send);
        numbers.sort_unstable_by_key(|&number| many.at(number));
        for &number in &numbers {
            if let Some(at) = self.at(number) {
                self.send(at, now, outbox);
            }
        }
        numbers.clear();
        if let Some(many) = &mut self.many {
            many.to_send = numbers;
        }
    }

    /// Sends what the connection at a place may send now.
    #[inline]
    fn send(&mut self, at: usize, now: Time, outbox: &mut Outbox<Payload>) {
        let socket = &mut self.sockets[at];
        socket.send(self.peer, now, outbox);
        if let Some(many) = &mut self.many {
            many.set_timer(at, socket.connection.next_timer());
        }
    }

    /// Polls the application until it waits; something has happened on the connection `number`.
    fn poll_application(&mut self, number: u32, now: Time) {
        loop {
            let newest = self.sockets.len() - 1;
            let view = self.sockets[self.at(number).unwrap_or(newest)].view();
            match self.workload.next(now, view) {
                Step::Open(number) => self.open(number, now),
                Step::Write(number, bytes) => self.write(number, bytes),
                Step::Close(number) => self.close(number),
                Step::WaitUntil(time) => {
                    self.poll_at = time;
                    return;
                }
            }
        }
    }

    fn open(&mut self, number: u32, now: Time) {
        let at = self.at(number).unwrap_or_else(|| self.begin(number, now));
        let socket = &mut self.sockets[at];
        if self.clock_starts_at_open {
            socket.connection.start_clock(now);
        }
        socket.connection.connect();
        socket.opened = now;
        self.opened = self.opened.min(now);
        self.mark(at);
    }

    fn write(&mut self, number: u32, bytes: u64) {
        if let Some(at) = self.at(number) {
            self.sockets[at].connection.write(bytes);
            self.sockets[at].written += bytes;
            self.mark(at);
            self.written.0 += bytes;
            self.written.1 += 1;
        }
    }

    fn close(&mut self, number: u32) {
        if let Some(at) = self.at(number) {
            self.sockets[at].connection.close();
            self.sockets[at].closed = true;
            self.mark(at);
        }
    }

    fn at(&self, number: u32) -> Option<usize> {
        match &self.many {
            None => (self.sockets[0].number == number).then_some(0),
            Some(many) => many.at(number),
        }
    }

    /// Whether there was such a connection.
    fn was_opened(&self, number: u32) -> bool {
        self.many.as_ref().map_or(number == self.sockets[0].number, |many| many.was_opened(number))
    }

    /// Adds a new connection; removes those that are over, if there may be some.
    fn begin(&mut self, number: u32, now: Time) -> usize {
        let choice = self.choices.wrapping_add(u64::from(number));
        let mut connection = self.connection().anew();
        match &self.make_control {
            Some(make) => connection = connection.controlled_by(make(choice)),
            None => connection.seed(choice),
        }
        let first = &self.sockets[0];
        let many = self.many.get_or_insert_with(|| Box::new(Many::after(first.number, first.may_send)));
        if many.is_time_to_sweep(self.sockets.len()) {
            many.remove(self.sockets.iter().map(|socket| socket.number));
            self.sockets.retain(|socket| {
                let is_over = socket.is_over();
                if is_over {
                    many.done.add(&socket.connection);
                    many.limited += socket.connection.limited(now);
                }
                !is_over
            });
            many.place(self.sockets.iter().map(|socket| (socket.number, socket.connection.next_timer())));
        }
        many.add(number, self.sockets.len(), Time::NEVER);
        self.sockets.push(Socket::new(number, connection));
        self.sockets.len() - 1
    }

    /// The connection of a segment; a SYN may begin one.
    fn socket_of(&mut self, now: Time, number: u32, segment: &Segment) -> Option<usize> {
        let at = self.at(number);
        if at.is_some() || !segment.syn || !self.listens || self.was_opened(number) {
            return at;
        }
        let at = self.begin(number, now);
        self.sockets[at].connection.listen();
        Some(at)
    }

    /// Takes a segment of the connection with the number `flow`.
    pub(super) fn receive(&mut self, now: Time, flow: u32, segment: &Segment, outbox: &mut Outbox<Payload>) {
        let Some(at) = self.socket_of(now, flow, segment) else {
            if let Some(ack) = segment.late_ack() {
                tcp::Sink::take(&mut Egress { to: self.peer, flow, outbox }, ack);
            }
            return;
        };
        let socket = &mut self.sockets[at];
        let before = (socket.connection.rcv_nxt(), socket.connection.was_reset());
        if self.clock_starts_at_open && socket.connection.state() == State::Listen {
            socket.connection.start_clock(now);
        }
        match &mut self.rtts {
            None => socket.connection.on_segment(now, segment),
            Some(rtts) => keep_rtt(rtts, &mut socket.connection, now, segment),
        }
        if socket.established == Time::NEVER && socket.connection.is_synchronized() {
            socket.established = now;
        }
        // Most of what a sender gets are ACKs.
        if before == (socket.connection.rcv_nxt(), socket.connection.was_reset()) {
            return self.send(at, now, outbox);
        }
        let delivered = socket.connection.delivered();
        let has_data = delivered > std::mem::replace(&mut socket.delivered, delivered);
        let has_ended = socket.has_ended();
        if has_data {
            self.last_delivery = now;
        }
        if !has_data && !has_ended || self.ignores_events {
            return self.send(at, now, outbox);
        }
        // The ACK leaves before most applications could answer.
        if self.piggybacks_acks {
            self.mark(at);
        } else {
            self.send(at, now, outbox);
        }
        self.poll_application(flow, now);
        self.send_all(now, outbox);
    }

    pub(super) fn wake(&mut self, now: Time, outbox: &mut Outbox<Payload>) {
        match &self.many {
            None => self.on_timer(0, now),
            Some(many) => many.due(now).into_iter().for_each(|at| self.on_timer(at, now)),
        }
        if self.poll_at <= now {
            let newest = self.sockets.last().map_or(0, |socket| socket.number);
            self.poll_application(newest, now);
        }
        self.send_all(now, outbox);
    }

    /// Fires the timers of the connection at a place that are due.
    fn on_timer(&mut self, at: usize, now: Time) {
        let connection = &mut self.sockets[at].connection;
        if connection.next_timer() <= now {
            connection.on_timer(now);
            self.mark(at);
        }
    }

    pub(super) fn next_wake(&self) -> Time {
        let timers = match &self.many {
            None => self.sockets[0].connection.next_timer(),
            Some(many) => many.next_timer(),
        };
        timers.min(self.poll_at)
    }
}

/// Hands a segment to a connection, and keeps the RTT that it has measured by it, if any.
fn keep_rtt(rtts: &mut Histogram, connection: &mut Connection, now: Time, segment: &Segment) {
    let measured = |connection: &Connection| {
        let counters = connection.counters();
        (counters.rtt_samples, counters.rtt_ps)
    };
    let before = measured(connection);
    connection.on_segment(now, segment);
    let after = measured(connection);
    debug_assert!(after.0 - before.0 <= 1, "a segment gives one RTT at most");
    if after.0 > before.0 {
        rtts.add(after.1 - before.1);
    }
}
