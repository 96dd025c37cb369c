//! A world: hosts and links, and the loop that lets one event follow another.
//!
//! Hosts stand at nodes; several may share one. A node is nothing but a number: what arrives at
//! it is for a host there, or goes into the next link of its route.

use crate::event::{Agenda, EventKey};
use crate::link::{Link, Passing, Report};
use crate::observer::{Event, Observer};
use crate::packet::{HostId, LinkId, NodeId, Packet};
use crate::topology::Routes;
use base::Time;
use slab::Slab;
use ways::{Onward, SEVERAL, Station, TO_HOST, onward};

mod ahead;
mod host;
mod ways;

pub use ahead::prefetch;
pub use host::{Host, Outbox};
pub use ways::{End, Exit, Passage};

/// A component is brought up to date at least this often. What happens inside it is no event of the world, so without
/// this the next packet, or the end, might have a long time to make up for in one step.
const COMPONENT_STEP: Time = Time::from_ms(1);
/// For the budget of a slice, one such step counts as so many events, about what a component may do in it.
const EVENTS_OF_COMPONENT_STEP: u64 = 512;

/// What is to come.
#[derive(Clone, Copy)]
enum Due {
    /// A host is to be woken.
    Wake(HostId),
    /// A link is to be asked what has arrived.
    Look(LinkId),
    /// A packet arrives at its host.
    Delivery(Place),
    /// A packet arrives at the end of a link and goes into the next one.
    Transit(Place),
    /// A packet is lost on its link.
    Loss(Place),
}

/// Where a packet under way is kept.
#[derive(Clone, Copy)]
struct Place(u32);

impl Place {
    fn at(self) -> usize {
        self.0 as usize
    }
}

/// A packet under way, and what becomes of it at the end of the link that it is on.
struct Arrival<P> {
    over: LinkId,
    /// The link that takes it on; [`TO_HOST`] if it is there.
    into: LinkId,
    packet: Packet<P>,
}

/// A link as the world sees it.
struct Line<P, C> {
    link: Link<P, C>,
    onward: Onward,
    /// Until when packets may come into it that have not gone on at once from the link before it. Of a link that
    /// continues no other, [`Time::NEVER`]: packets come from several places, or not all arrive.
    apart_until: Time,
    /// When it will be asked; [`Time::NEVER`] if not at all.
    look: Time,
}

impl<P, C> Line<P, C> {
    fn continues_another(&self) -> bool {
        self.apart_until < Time::NEVER
    }
}

/// Hosts, links, an agenda and an observer.
///
/// A host and a link that keeps its packets each have one entry in the agenda at most that counts: an
/// entry at another time than the one noted is what was left behind by a change of mind.
pub struct World<H: Host, O> {
    now: Time,
    /// Up to when everything will have happened when the world is next looked at.
    until: Time,
    /// When components are next brought up to date; [`Time::NEVER`] if there are none.
    next_component_step: Time,
    agenda: Agenda<Due>,
    /// Packets under way.
    packets: Slab<Arrival<H::Payload>>,
    hosts: Vec<H>,
    /// One for each host.
    stations: Vec<Station>,
    lines: Vec<Line<H::Payload, H::Component>>,
    routes: Routes,
    observer: O,
    /// What the host that acts has sent.
    sent: Vec<Place>,
    reads_ahead: bool,
    upcoming: ahead::Upcoming,
}

impl<H: Host, O: Observer<H>> World<H, O> {
    /// A world at time zero: hosts and where they stand, links and where they end. The routes
    /// lead from each host to all with which it speaks.
    #[must_use]
    pub fn new(
        hosts: impl IntoIterator<Item = (H, NodeId)>,
        links: impl IntoIterator<Item = (Link<H::Payload, H::Component>, End)>,
        routes: Routes,
        observer: O,
    ) -> Self {
        let station = |(host, node)| {
            (host, Station { node, way: routes.only(node).unwrap_or(SEVERAL), wake: Time::NEVER })
        };
        let (hosts, stations): (Vec<H>, Vec<Station>) = hosts.into_iter().map(station).unzip();
        let line = |(link, end)| Line {
            link,
            onward: if let End::Node(node) = end { Onward::From(node) } else { Onward::Hosts },
            apart_until: Time::NEVER,
            look: Time::NEVER,
        };
        let reads_ahead = hosts.len() >= ahead::LARGE;
        let mut world = Self {
            now: Time::ZERO,
            until: Time::ZERO,
            next_component_step: Time::NEVER,
            agenda: Agenda::new(),
            packets: Slab::new(),
            hosts,
            stations,
            lines: links.into_iter().map(line).collect(),
            routes,
            observer,
            sent: Vec::new(),
            reads_ahead,
            upcoming: Default::default(),
        };
        if world.lines.iter().any(|line| matches!(line.link, Link::Component(_))) {
            world.next_component_step = COMPONENT_STEP;
        }
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
            let loses_nothing = matches!(&line.link, Link::Fifo(link) if link.loses_nothing());
            line.apart_until =
                if passage.single_entrance && loses_nothing { Time::ZERO } else { Time::NEVER };
            match passage.exit {
                Exit::Hosts => line.onward = Onward::Hosts,
                Exit::Link(into) => line.onward = Onward::Into(into),
                Exit::Open => {}
            }
        }
        self
    }

    /// The hosts.
    #[must_use]
    pub fn hosts(&self) -> &[H] {
        &self.hosts
    }

    /// The hosts, to set what they count to zero. What they want to be woken for must not change.
    pub fn hosts_mut(&mut self) -> &mut [H] {
        &mut self.hosts
    }

    /// The links; mutable, because asking a link may make it catch up.
    pub fn links_mut(&mut self) -> impl Iterator<Item = &mut Link<H::Payload, H::Component>> {
        self.lines.iter_mut().map(|line| &mut line.link)
    }

    /// Packets on a link: waiting, being sent, or crossing. If nobody follows them, those that will go
    /// on over a link with a single entrance count there.
    #[must_use]
    pub fn packets_on(&self, link: LinkId) -> usize {
        let arriving = self.packets.iter().filter(|(_, arrival)| arrival.over == link);
        self.lines[link.0 as usize].link.packets() + arriving.count()
    }

    /// Packets on all links.
    #[must_use]
    pub fn packets(&self) -> usize {
        self.lines.iter().map(|line| line.link.packets()).sum::<usize>() + self.packets.len()
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
        self.advance_slice(until, until, u64::MAX);
    }

    /// A slice of [`Self::advance_to`]: handles at most `events` events, none later than `pause`. True when all
    /// that is due by `until` has happened. Before that nobody may read the links: some bring their state up to
    /// date only when they are read, and others already count what happens until then.
    pub fn advance_slice(&mut self, until: Time, pause: Time, mut events: u64) -> bool {
        self.until = until;
        let pause = pause.max(self.now).min(until);
        loop {
            let step = self.next_component_step.min(pause);
            if !self.handle_events(step, &mut events) {
                return false;
            }
            if step == pause {
                break;
            }
            self.advance_components(step);
            self.next_component_step = step.saturating_add(COMPONENT_STEP);
            events = events.saturating_sub(EVENTS_OF_COMPONENT_STEP);
        }
        self.now = pause;
        if pause < until {
            return false;
        }
        // What a link has not told yet has nevertheless happened.
        for (id, line) in (0..).map(LinkId).zip(&mut self.lines) {
            let observer = &mut self.observer;
            line.link.advance(until, &mut |at, report| observer.on(at, &Event::on(id, report)));
        }
        true
    }

    /// Handles events that are due by `until`, at most so many. False if they were too few.
    fn handle_events(&mut self, until: Time, events: &mut u64) -> bool {
        while *events > 0 {
            let Some((key, due)) = self.agenda.pop_until(until) else { return true };
            *events -= 1;
            self.now = key.time;
            if self.reads_ahead && self.agenda.is_time_to_look_ahead() {
                self.read_ahead();
            }
            match due {
                Due::Delivery(place) => self.deliver(place),
                Due::Transit(place) => self.pass_on(key.order, place),
                Due::Loss(place) => self.lose(place),
                Due::Wake(host) => self.wake(host.0 as usize),
                Due::Look(link) => self.look(link),
            }
        }
        false
    }

    /// Brings the components up to date.
    fn advance_components(&mut self, until: Time) {
        for (id, line) in (0..).map(LinkId).zip(&mut self.lines) {
            if matches!(line.link, Link::Component(_)) {
                let observer = &mut self.observer;
                line.link.advance(until, &mut |at, report| observer.on(at, &Event::on(id, report)));
            }
        }
    }

    /// This was the end: forgets what is still to come and gives out the hosts. Links stay as they are, to be
    /// looked at.
    pub fn stop(&mut self) -> Vec<H> {
        self.agenda = Agenda::new();
        self.packets = Slab::new();
        std::mem::take(&mut self.hosts)
    }

    /// Lets a host act now because of something outside the world, such as a packet that a device has
    /// received. Whoever does so keeps the times: the world is where it was last advanced to.
    ///
    /// # Panics
    /// If there is no such host.
    pub fn act(&mut self, host: HostId, act: impl FnOnce(&mut H, Time, &mut Outbox<'_, H::Payload>)) {
        let number = host.0 as usize;
        let mut outbox = Outbox { packets: &mut self.packets, sent: &mut self.sent };
        act(&mut self.hosts[number], self.now, &mut outbox);
        self.after(number);
    }

    /// The time to which it was last advanced.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    fn wake(&mut self, host: usize) {
        if self.stations[host].wake != self.now {
            return;
        }
        self.stations[host].wake = Time::NEVER;
        let mut outbox = Outbox { packets: &mut self.packets, sent: &mut self.sent };
        self.hosts[host].wake(self.now, &mut outbox);
        self.after(host);
    }

    fn look(&mut self, id: LinkId) {
        let link = id.0 as usize;
        if self.lines[link].look != self.now {
            return;
        }
        self.lines[link].look = Time::NEVER;
        let observer = &mut self.observer;
        self.lines[link].link.advance(self.now, &mut |at, report| observer.on(at, &Event::on(id, report)));
        while let Some(packet) = self.lines[link].link.receive(self.now) {
            let into = onward(self.lines[link].onward, &self.stations, &self.routes, packet.to);
            let order = self.agenda.next_order();
            let place = Place(self.packets.insert(Arrival { over: id, into, packet }) as u32);
            if into == TO_HOST { self.deliver(place) } else { self.pass_on(order, place) }
        }
        self.schedule_look(link);
    }

    /// A packet has come to its host.
    #[inline(always)]
    fn deliver(&mut self, place: Place) {
        // Taken out first, so that the answer finds room where the processor has just been.
        let Arrival { over, packet, .. } = self.packets.remove(place.at());
        self.observer.on(self.now, &Event::Delivered(over, &packet));
        let host = packet.to.0 as usize;
        let mut outbox = Outbox { packets: &mut self.packets, sent: &mut self.sent };
        self.hosts[host].receive(self.now, &packet, &mut outbox);
        self.after(host);
    }

    /// A packet has come to the end of a link and goes into the next one.
    #[inline(always)]
    fn pass_on(&mut self, order: u64, place: Place) {
        let &Arrival { over: from, into, ref packet } = &self.packets[place.at()];
        self.observer.on(self.now, &Event::Forwarded { from, into, packet });
        // On a continuation it keeps its place among the events: it would have it unobserved.
        let order = Some(order).filter(|_| self.lines[into.0 as usize].continues_another());
        self.enter(order, into, place);
    }

    /// A packet is lost on its link.
    fn lose(&mut self, place: Place) {
        let Arrival { over, packet, .. } = self.packets.remove(place.at());
        let observer = &mut self.observer;
        let mut watch = |at, report: Report<'_, _, _>| observer.on(at, &Event::on(over, report));
        self.lines[over.0 as usize].link.lose(self.now, &packet, &mut watch);
    }

    /// Sends what a host wants to send and notes when it wants to be woken.
    #[inline(always)]
    fn after(&mut self, host: usize) {
        self.observer.on(self.now, &Event::Acted(HostId(host as u32), &self.hosts[host]));
        self.schedule_wake(host);
        for number in 0..self.sent.len() {
            let place = self.sent[number];
            let packet = &self.packets[place.at()].packet;
            let Station { node, mut way, .. } = self.stations[host];
            if way == SEVERAL {
                let to = self.stations[packet.to.0 as usize].node;
                way = self.routes.next(node, to).expect("a route leads to every host");
            }
            self.observer.on(self.now, &Event::Sent(way, packet));
            self.enter(None, way, place);
        }
        self.sent.clear();
    }

    /// Sends a packet into a link, and over those that continue it.
    fn enter(&mut self, order: Option<u64>, mut into: LinkId, place: Place) {
        let order = order.unwrap_or_else(|| self.agenda.next_order());
        let arrival = &mut self.packets[place.at()];
        let mut at = self.now;
        let arrives = loop {
            let observer = &mut self.observer;
            let line = &mut self.lines[into.0 as usize];
            let mut watch = |at, report: Report<'_, _, _>| observer.on(at, &Event::on(into, report));
            let arrives = match line.link.send(at, &mut arrival.packet, &mut watch) {
                Passing::Arrives(arrives) => arrives,
                Passing::IsLost(time) => {
                    arrival.over = into;
                    return self.agenda.schedule(EventKey { time, order }, Due::Loss(place));
                }
                Passing::Gone => {
                    self.packets.remove(place.at());
                    return self.schedule_look(into.0 as usize);
                }
            };
            let next = onward(line.onward, &self.stations, &self.routes, arrival.packet.to);
            (arrival.over, arrival.into) = (into, next);
            if O::FOLLOWS_PACKETS || next == TO_HOST {
                break arrives;
            }
            let line = &mut self.lines[next.0 as usize];
            // Who looks at the links at `until` must not find there what comes later; and nobody
            // overtakes those who therefore go on by themselves.
            if arrives > self.until || self.now <= line.apart_until {
                line.apart_until = line.apart_until.max(arrives);
                break arrives;
            }
            (at, into) = (arrives, next);
        };
        let due = if arrival.into == TO_HOST { Due::Delivery(place) } else { Due::Transit(place) };
        self.agenda.schedule(EventKey { time: arrives, order }, due);
    }

    /// An entry that is too early costs a look; moving it each time would cost more.
    #[inline]
    fn schedule_wake(&mut self, host: usize) {
        let wake = self.hosts[host].next_wake();
        if wake < self.stations[host].wake {
            self.stations[host].wake = wake;
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
