//! A world: hosts and links, and the loop that lets one event follow another.

use crate::event::Agenda;
use crate::link::Link;
use crate::observer::{Event, Observer};
use crate::packet::{HostId, LinkId, Packet};
use crate::time::Time;

/// What stands at the end of a link. A host is told of packets and of time; it answers with
/// packets, and with the time at which it wants to be woken.
pub trait Host {
    /// What hosts say to each other.
    type Payload: Send;

    /// Takes a packet.
    fn receive(&mut self, now: Time, packet: Packet<Self::Payload>, outbox: &mut Outbox<Self::Payload>);
    /// Is woken. A host may be woken earlier than it asked for and then does nothing.
    fn wake(&mut self, now: Time, outbox: &mut Outbox<Self::Payload>);
    /// When it wants to be woken next; [`Time::NEVER`] if not at all.
    fn next_wake(&self) -> Time;
}

/// Packets that a host wants to send, in order.
pub type Outbox<P> = Vec<Packet<P>>;

/// Hosts, links, an agenda and an observer.
pub struct World<H: Host, O> {
    now: Time,
    agenda: Agenda,
    hosts: Vec<H>,
    /// The link into which each host sends.
    egress: Vec<LinkId>,
    links: Vec<Link<H::Payload>>,
    observer: O,
    outbox: Outbox<H::Payload>,
}

impl<H: Host, O: Observer<H>> World<H, O> {
    /// A world at time zero. `hosts` come with the link into which each sends; a link delivers a
    /// packet to the host to which it is addressed.
    #[must_use]
    pub fn new(hosts: Vec<(H, LinkId)>, links: Vec<Link<H::Payload>>, observer: O) -> Self {
        let (hosts, egress): (Vec<H>, Vec<LinkId>) = hosts.into_iter().unzip();
        let mut agenda = Agenda::new(hosts.len() + links.len());
        for (id, host) in hosts.iter().enumerate() {
            agenda.schedule(id, host.next_wake());
        }
        Self { now: Time::ZERO, agenda, hosts, egress, links, observer, outbox: Vec::new() }
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
            self.observer.on(self.now, &Event::Delivered(id, &packet));
            let host = packet.to.0 as usize;
            self.hosts[host].receive(self.now, packet, &mut self.outbox);
            self.after(host);
        }
        self.schedule_link(link);
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
        let id = self.egress[host];
        let link = &mut self.links[id.0 as usize];
        for packet in self.outbox.drain(..) {
            self.observer.on(self.now, &Event::Sent(id, &packet));
            let observer = &mut self.observer;
            link.send(self.now, packet, &mut |at, event| observer.on(at, &Event::Link(id, event)));
        }
        self.schedule_link(id.0 as usize);
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
