//! A world: hosts and links, and the loop that lets one event follow another.
//!
//! Hosts stand at nodes; several may share one. A node is nothing but a number: what arrives at
//! it is for a host there, or goes into the next link of its route.

use crate::event::{Agenda, EventKey, Place};
use crate::link::Link;
use crate::observer::{Event, Observer};
use crate::packet::{HostId, LinkId, NodeId, Packet};
use crate::time::Time;
use crate::topology::Routes;

/// What stands at a node. A host is told of packets and of time; it answers with
/// packets, and with the time at which it wants to be woken.
pub trait Host {
    /// What hosts say to each other.
    type Payload: Clone + Send;

    /// Takes a packet.
    fn receive(&mut self, now: Time, packet: &Packet<Self::Payload>, outbox: &mut Outbox<Self::Payload>);
    /// Is woken. A host may be woken earlier than it asked for and then does nothing.
    fn wake(&mut self, now: Time, outbox: &mut Outbox<Self::Payload>);
    /// When it wants to be woken next; [`Time::NEVER`] if not at all.
    fn next_wake(&self) -> Time;
}

/// Packets that a host wants to send, in order.
pub type Outbox<P> = Vec<Packet<P>>;

/// Where a link ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At a node.
    Node(NodeId),
    /// At each host to which it delivers: a trunk with the access links of many.
    Addressee,
}

/// What is to come.
enum Due<P> {
    /// A host is to be woken.
    Wake(HostId),
    /// A link is to be asked what has arrived.
    Look(LinkId),
    /// A packet arrives at the end of a link.
    Arrival(LinkId, Packet<P>),
}

/// Where the packets go that leave a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// To hosts at its end.
    Hosts,
    /// All into one other link.
    Link(LinkId),
    /// That depends on whom they are for.
    Open,
}

/// How packets come into a link, and where they go from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Whether they come from one other link alone, and from no host.
    pub single_entrance: bool,
    /// Where they go.
    pub exit: Exit,
}

/// A link as the world sees it.
struct Line<P> {
    link: Link<P>,
    end: End,
    exit: Exit,
    /// Whether packets come into it from one other link alone, and all are taken in.
    is_continuation: bool,
    /// Whether packets may go on from it over a continuation.
    leads_on: bool,
    /// Until when packets may arrive that have not gone on at once, though they go on over a continuation.
    apart_until: Time,
    /// When it will be asked; [`Time::NEVER`] if not at all.
    look: Time,
}

/// Hosts, links, an agenda and an observer.
///
/// A host and a link that keeps its packets each have one entry in the agenda at most that counts: an
/// entry at another time than the one noted is what was left behind by a change of mind.
pub struct World<H: Host, O> {
    now: Time,
    /// Up to when everything will have happened when the world is next looked at.
    until: Time,
    agenda: Agenda<Due<H::Payload>>,
    hosts: Vec<H>,
    /// Where each host stands.
    nodes: Vec<NodeId>,
    /// When each host will be woken; [`Time::NEVER`] if not at all.
    wakes: Vec<Time>,
    lines: Vec<Line<H::Payload>>,
    routes: Routes,
    observer: O,
    outbox: Outbox<H::Payload>,
}

impl<H: Host, O: Observer<H>> World<H, O> {
    /// A world at time zero: hosts and where they stand, links and where they end. The routes
    /// lead from each host to all with which it speaks.
    #[must_use]
    pub fn new(
        hosts: Vec<(H, NodeId)>,
        links: Vec<(Link<H::Payload>, End)>,
        routes: Routes,
        observer: O,
    ) -> Self {
        let (hosts, nodes): (Vec<H>, Vec<NodeId>) = hosts.into_iter().unzip();
        let line = |(link, end)| Line {
            link,
            end,
            exit: if end == End::Addressee { Exit::Hosts } else { Exit::Open },
            is_continuation: false,
            leads_on: false,
            apart_until: Time::ZERO,
            look: Time::NEVER,
        };
        let mut world = Self {
            now: Time::ZERO,
            until: Time::ZERO,
            agenda: Agenda::new(),
            wakes: vec![Time::NEVER; hosts.len()],
            hosts,
            nodes,
            lines: links.into_iter().map(line).collect(),
            routes,
            observer,
            outbox: Vec::new(),
        };
        (0..world.hosts.len()).for_each(|host| world.schedule_wake(host));
        world
    }

    /// Tells how packets come into each link and where they go from it, which the routes alone do not
    /// tell. When a packet comes into the link before one that has a single entrance, all is known of
    /// its way over both, so it is one way.
    ///
    /// # Panics
    /// If it is told of another number of links than there are.
    #[must_use]
    pub fn with_passages(mut self, passages: &[Passage]) -> Self {
        assert_eq!(passages.len(), self.lines.len(), "one for each link");
        for (line, passage) in self.lines.iter_mut().zip(passages) {
            let never_drops = matches!(&line.link, Link::Fifo(link) if link.never_drops());
            line.is_continuation = passage.single_entrance && never_drops;
            line.exit = passage.exit;
            line.leads_on = passage.exit != Exit::Hosts;
        }
        for line in 0..self.lines.len() {
            if let Exit::Link(next) = self.lines[line].exit {
                self.lines[line].leads_on = self.lines[next.0 as usize].is_continuation;
            }
        }
        self
    }

    /// The hosts.
    #[must_use]
    pub fn hosts(&self) -> &[H] {
        &self.hosts
    }

    /// The links; mutable, because asking a link may make it catch up.
    pub fn links_mut(&mut self) -> impl Iterator<Item = &mut Link<H::Payload>> {
        self.lines.iter_mut().map(|line| &mut line.link)
    }

    /// Packets on a link: waiting, being sent, or crossing. If nobody follows them, those that will go
    /// on over a link with a single entrance count there.
    #[must_use]
    pub fn packets_on(&self, link: LinkId) -> usize {
        let arrives = |due: &&Due<H::Payload>| matches!(due, Due::Arrival(id, _) if *id == link);
        self.lines[link.0 as usize].link.packets() + self.agenda.events().filter(arrives).count()
    }

    /// Packets on all links.
    #[must_use]
    pub fn packets(&self) -> usize {
        let arrivals = self.agenda.events().filter(|due| matches!(due, Due::Arrival(..))).count();
        self.lines.iter().map(|line| line.link.packets()).sum::<usize>() + arrivals
    }

    /// The observer.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The observer, when all is over.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// When something will happen next.
    #[must_use]
    pub fn next_event_time(&self) -> Option<Time> {
        self.agenda.next_time()
    }

    /// Lets everything happen that is due by `until`.
    pub fn advance_to(&mut self, until: Time) {
        self.until = until;
        while let Some((key, place)) = self.agenda.pop_until(until) {
            self.now = key.time;
            match *self.agenda.get(place) {
                Due::Arrival(..) => self.arrive(key.order, place),
                Due::Wake(host) => {
                    self.agenda.release(place);
                    self.wake(host.0 as usize);
                }
                Due::Look(link) => {
                    self.agenda.release(place);
                    self.look(link);
                }
            }
        }
        self.now = until;
        // What a link has not told yet has nevertheless happened.
        for (id, line) in (0..).map(LinkId).zip(&mut self.lines) {
            let observer = &mut self.observer;
            line.link.advance(until, &mut |at, event| observer.on(at, &Event::Link(id, event)));
        }
    }

    fn wake(&mut self, host: usize) {
        if self.wakes[host] != self.now {
            return;
        }
        self.wakes[host] = Time::NEVER;
        self.hosts[host].wake(self.now, &mut self.outbox);
        self.after(host);
    }

    fn look(&mut self, id: LinkId) {
        let link = id.0 as usize;
        if self.lines[link].look != self.now {
            return;
        }
        self.lines[link].look = Time::NEVER;
        let observer = &mut self.observer;
        self.lines[link].link.advance(self.now, &mut |at, event| observer.on(at, &Event::Link(id, event)));
        while let Some(packet) = self.lines[link].link.receive(self.now) {
            let order = self.agenda.next_order();
            let place = self.agenda.keep(Due::Arrival(id, packet));
            self.arrive(order, place);
        }
        self.schedule_look(link);
    }

    /// A packet has come to the end of a link.
    #[inline]
    fn arrive(&mut self, order: u64, place: Place) {
        let Due::Arrival(link, packet) = self.agenda.get(place) else { unreachable!("it is a packet") };
        if let Some(into) = onward(&self.lines, &self.nodes, &self.routes, *link, packet.to) {
            self.observer.on(self.now, &Event::Forwarded { from: *link, into, packet });
            // On a continuation it keeps its place among the events: it would have it unobserved.
            let order = self.lines[into.0 as usize].is_continuation.then_some(order);
            return self.enter(order, into, place);
        }
        self.observer.on(self.now, &Event::Delivered(*link, packet));
        let host = packet.to.0 as usize;
        self.hosts[host].receive(self.now, packet, &mut self.outbox);
        self.agenda.release(place);
        self.after(host);
    }

    /// Sends what a host wants to send and notes when it wants to be woken.
    #[inline]
    fn after(&mut self, host: usize) {
        self.observer.on(self.now, &Event::Acted(HostId(host as u32), &self.hosts[host]));
        self.schedule_wake(host);
        if self.outbox.is_empty() {
            return;
        }
        let mut outbox = std::mem::take(&mut self.outbox);
        for packet in outbox.drain(..) {
            let to = self.nodes[packet.to.0 as usize];
            let id = self.routes.next(self.nodes[host], to).expect("a route leads to every host");
            self.observer.on(self.now, &Event::Sent(id, &packet));
            let place = self.agenda.keep(Due::Arrival(id, packet));
            self.enter(None, id, place);
        }
        self.outbox = outbox;
    }

    /// Sends a packet into a link, and over those that continue it.
    #[inline]
    fn enter(&mut self, mut order: Option<u64>, mut into: LinkId, place: Place) {
        let mut at = self.now;
        loop {
            let Due::Arrival(link, packet) = self.agenda.get_mut(place) else {
                unreachable!("it is a packet")
            };
            *link = into;
            let to = packet.to;
            let observer = &mut self.observer;
            let line = &mut self.lines[into.0 as usize];
            let arrives =
                line.link.send(at, packet, &mut |at, event| observer.on(at, &Event::Link(into, event)));
            let Some(arrives) = arrives else {
                self.agenda.release(place);
                return self.schedule_look(into.0 as usize);
            };
            let key = EventKey { time: arrives, order: order.unwrap_or_else(|| self.agenda.next_order()) };
            let line = &mut self.lines[into.0 as usize];
            if O::FOLLOWS_PACKETS || !line.leads_on {
                return self.agenda.schedule(key, place);
            }
            // Who looks at the links at `until` must not find there what comes later; and nobody
            // overtakes those who therefore go on by themselves.
            if arrives > self.until || self.now <= line.apart_until {
                line.apart_until = line.apart_until.max(arrives);
                return self.agenda.schedule(key, place);
            }
            let next = onward(&self.lines, &self.nodes, &self.routes, into, to);
            let Some(next) = next.filter(|next| self.lines[next.0 as usize].is_continuation) else {
                return self.agenda.schedule(key, place);
            };
            (at, into, order) = (arrives, next, Some(key.order));
        }
    }

    /// An entry that is too early costs a look; moving it each time would cost more.
    fn schedule_wake(&mut self, host: usize) {
        let wake = self.hosts[host].next_wake();
        if wake < self.wakes[host] {
            self.wakes[host] = wake;
            self.agenda.insert(wake, Due::Wake(HostId(host as u32)));
        }
    }

    fn schedule_look(&mut self, link: usize) {
        let line = &mut self.lines[link];
        let next = line.link.next_event();
        if next < line.look {
            line.look = next;
            self.agenda.insert(next, Due::Look(LinkId(link as u32)));
        }
    }
}

/// The link that takes a packet for a host on at the end of `link`; none if it is there.
#[inline]
fn onward<P>(
    lines: &[Line<P>],
    nodes: &[NodeId],
    routes: &Routes,
    link: LinkId,
    to: HostId,
) -> Option<LinkId> {
    let line = &lines[link.0 as usize];
    match (line.exit, line.end) {
        (Exit::Link(into), _) => Some(into),
        (Exit::Open, End::Node(node)) => {
            let to = nodes[to.0 as usize];
            (node != to).then(|| routes.next(node, to).expect("a route leads to every host"))
        }
        (Exit::Hosts, _) | (Exit::Open, End::Addressee) => None,
    }
}
