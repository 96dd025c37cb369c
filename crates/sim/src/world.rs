//! A world: hosts and links, and the loop that lets one event follow another.
//!
//! Hosts stand at nodes; several may share one. A node is nothing but a number: what arrives at
//! it is for a host there, or goes into the next link of its route.

use crate::event::Agenda;
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
    fn receive(&mut self, now: Time, packet: Packet<Self::Payload>, outbox: &mut Outbox<Self::Payload>);
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

/// Hosts, links, an agenda and an observer.
pub struct World<H: Host, O> {
    now: Time,
    agenda: Agenda,
    hosts: Vec<H>,
    /// Where each host stands.
    nodes: Vec<NodeId>,
    links: Vec<Link<H::Payload>>,
    /// Where each link ends.
    ends: Vec<End>,
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
        let (links, ends): (Vec<Link<H::Payload>>, Vec<End>) = links.into_iter().unzip();
        let mut agenda = Agenda::new(hosts.len() + links.len());
        for (id, host) in hosts.iter().enumerate() {
            agenda.schedule(id, host.next_wake());
        }
        Self { now: Time::ZERO, agenda, hosts, nodes, links, ends, routes, observer, outbox: Vec::new() }
    }

    /// The hosts.
    #[must_use]
    pub fn hosts(&self) -> &[H] {
        &self.hosts
    }

    /// The links; mutable, because asking a link may make it catch up.
    pub fn links_mut(&mut self) -> &mut [Link<H::Payload>] {
        &mut self.links
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
        while let Some((time, component)) = self.agenda.pop_until(until) {
            self.now = time;
            if component < self.hosts.len() {
                self.wake(component);
            } else {
                self.deliver(component - self.hosts.len());
            }
        }
        self.now = until;
        // What a link has not told yet has nevertheless happened.
        for (id, link) in self.links.iter_mut().enumerate() {
            let observer = &mut self.observer;
            link.advance(until, &mut |at, event| observer.on(at, &Event::Link(LinkId(id as u32), event)));
        }
    }

    fn wake(&mut self, host: usize) {
        self.hosts[host].wake(self.now, &mut self.outbox);
        self.after(host);
    }

    fn deliver(&mut self, link: usize) {
        let id = LinkId(link as u32);
        let observer = &mut self.observer;
        self.links[link].advance(self.now, &mut |at, event| observer.on(at, &Event::Link(id, event)));
        while let Some(packet) = self.links[link].receive(self.now) {
            let to = self.nodes[packet.to.0 as usize];
            match self.ends[link] {
                End::Node(node) if node != to => self.forward(id, node, to, packet),
                End::Node(_) | End::Addressee => {
                    self.observer.on(self.now, &Event::Delivered(id, &packet));
                    let host = packet.to.0 as usize;
                    self.hosts[host].receive(self.now, packet, &mut self.outbox);
                    self.after(host);
                }
            }
        }
        self.schedule_link(link);
    }

    fn forward(&mut self, from: LinkId, at: NodeId, to: NodeId, packet: Packet<H::Payload>) {
        let into = self.routes.next(at, to).expect("a route leads to every host");
        self.observer.on(self.now, &Event::Forwarded { from, into, packet: &packet });
        self.enter(into, packet);
        self.schedule_link(into.0 as usize);
    }

    /// Sends what a host wants to send and notes when it wants to be woken.
    fn after(&mut self, host: usize) {
        self.observer.on(self.now, &Event::Acted(HostId(host as u32), &self.hosts[host]));
        let wake = self.hosts[host].next_wake();
        if wake < self.agenda.time_of(host) {
            self.agenda.schedule(host, wake);
        }
        if self.outbox.is_empty() {
            return;
        }
        let mut outbox = std::mem::take(&mut self.outbox);
        let mut into: Option<LinkId> = None;
        for packet in outbox.drain(..) {
            let to = self.nodes[packet.to.0 as usize];
            let id = self.routes.next(self.nodes[host], to).expect("a route leads to every host");
            self.observer.on(self.now, &Event::Sent(id, &packet));
            self.enter(id, packet);
            if let Some(other) = into.replace(id).filter(|other| *other != id) {
                self.schedule_link(other.0 as usize);
            }
        }
        self.outbox = outbox;
        if let Some(id) = into {
            self.schedule_link(id.0 as usize);
        }
    }

    fn enter(&mut self, id: LinkId, packet: Packet<H::Payload>) {
        let observer = &mut self.observer;
        self.links[id.0 as usize].send(self.now, packet, &mut |at, event| {
            observer.on(at, &Event::Link(id, event));
        });
    }

    /// An entry that is too early costs a look; moving it each time would cost more.
    fn schedule_link(&mut self, link: usize) {
        let component = self.hosts.len() + link;
        let next = self.links[link].next_event();
        if next < self.agenda.time_of(component) {
            self.agenda.schedule(component, next);
        }
    }
}
