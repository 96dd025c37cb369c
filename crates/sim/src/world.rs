//! A world: hosts, links, and the event loop.
//!
//! Each host is at a node; several may share one. A node is only a number: a packet that arrives there is for a host at
//! the node, or enters the next link of its route.

use crate::event::{EventKey, EventQueue};
use crate::host::{Host, Outbox};
use crate::in_flight::{CompactLink, InFlight, PacketSlot};
use crate::link::{Link, SendResult};
use crate::observer::{Event, Observer, Watching};
use crate::packet::{HostId, LinkId, NodeId};
use crate::topology::Routes;
use base::Time;
use forwarding::{Forwarding, HostState, next_hop, route};
use slab::Slab;

mod forwarding;
mod prefetch;

pub use forwarding::{Adjacency, End, NextHop};

/// The world advances components at least this often. Their internal events are no events of the world, so otherwise
/// the next packet, or the end, might have to process a long time in one step.
pub const COMPONENT_STEP: Time = Time::from_ms(1);
/// In the budget of a slice one such step counts as this many events, about as many as a component has in it.
const EVENTS_OF_COMPONENT_STEP: u64 = 512;

/// What the event loop does when an event is due.
#[derive(Clone, Copy)]
enum Task {
    /// Wakes a host.
    Wake(HostId),
    /// Polls a link for what has arrived.
    Poll(LinkId),
    /// Hands a packet to its host.
    Deliver(PacketSlot),
    /// Sends a packet from the end of a link into the next one.
    Forward(PacketSlot),
    /// Drops a packet that was lost on its link.
    Lose(PacketSlot),
}

/// A link, and its place in the world.
struct LinkState<P, C> {
    link: Link<P, C>,
    forwarding: Forwarding,
    /// A fused link gets a packet at once when it enters the link upstream, if that is later than this; it is neither
    /// an event of its own nor reported in between. [`FOLLOWED`] if an observer must know of it, and [`Time::NEVER`] for
    /// a link that is not fused with the one upstream.
    fused_after: Time,
    /// When its next poll is scheduled; [`Time::NEVER`] if it is not.
    poll_at: Time,
}

/// Later than any packet, so that each has an event, with the insertion number that it has without one.
const FOLLOWED: Time = Time::from_ps(Time::NEVER.as_ps() - 1);

impl<P, C> LinkState<P, C> {
    fn is_fused(&self) -> bool {
        self.fused_after < Time::NEVER
    }
}

/// Hosts, links, an event queue and an observer.
///
/// A host has at most one valid wake-up in the queue, and a link that stores packets one valid poll. The state of the
/// host or link says for when; an entry for another time was superseded and is ignored.
pub struct World<H: Host, O> {
    now: Time,
    /// The end of the current advance. Callers do not read the world before it.
    until: Time,
    /// When components are next brought up to date; [`Time::NEVER`] if there are none.
    next_component_step: Time,
    queue: EventQueue<Task>,
    in_flight: Slab<InFlight<H::Payload>>,
    hosts: Vec<H>,
    host_states: Vec<HostState>,
    links: Vec<LinkState<H::Payload, H::Component>>,
    routes: Routes,
    observer: O,
    /// What the current host has sent.
    sent: Vec<PacketSlot>,
    /// Packets that all hosts have sent so far.
    packets_sent: u64,
    /// Whether it prefetches memory.
    prefetches: bool,
    /// Hosts whose memory was prefetched.
    #[cfg(test)]
    prefetched: std::sync::atomic::AtomicUsize,
}

impl<H: Host, O: Observer<H>> World<H, O> {
    /// A world at time zero: hosts with their nodes, links with their ends. `routes` must lead from each host to all
    /// hosts to which it sends.
    #[must_use]
    pub fn new(
        hosts: impl IntoIterator<Item = (H, NodeId)>,
        links: impl IntoIterator<Item = (Link<H::Payload, H::Component>, End)>,
        routes: Routes,
        observer: O,
    ) -> Self {
        let link = |(link, end): (_, End)| LinkState {
            link,
            forwarding: end.into(),
            fused_after: Time::NEVER,
            poll_at: Time::NEVER,
        };
        // Links first: where they come from is freed before there are hosts.
        let links = links.into_iter().map(link).collect();
        let host = |(host, node)| {
            let egress = routes.only(node).into();
            (host, HostState { node, egress, wake_at: Time::NEVER })
        };
        let (hosts, host_states): (Vec<H>, Vec<HostState>) = hosts.into_iter().map(host).unzip();
        let prefetches = prefetch::is_worth_it(hosts.len());
        let mut world = Self {
            now: Time::ZERO,
            until: Time::ZERO,
            next_component_step: Time::NEVER,
            queue: EventQueue::new(),
            in_flight: Slab::new(),
            hosts,
            host_states,
            links,
            routes,
            observer,
            sent: Vec::new(),
            packets_sent: 0,
            prefetches,
            #[cfg(test)]
            prefetched: std::sync::atomic::AtomicUsize::new(0),
        };
        if world.links.iter().any(|state| matches!(state.link, Link::Component(_))) {
            world.next_component_step = COMPONENT_STEP;
        }
        (0..world.hosts.len()).for_each(|host| world.schedule_wake(host));
        world
    }

    /// Sets the links before and after each link, which the routes alone do not determine. A link that loses nothing
    /// and has a single upstream link is fused with it: when a packet enters the upstream link, its times on both are
    /// known. Links that the observer follows get each packet in time.
    ///
    /// # Panics
    /// If there is not one adjacency for each link.
    #[must_use]
    pub fn with_adjacency(mut self, adjacency: &[Adjacency]) -> Self {
        assert_eq!(adjacency.len(), self.links.len(), "one for each link");
        for ((id, state), adjacency) in (0..).map(LinkId).zip(&mut self.links).zip(adjacency) {
            let is_lossless = matches!(&state.link, Link::Fifo(link) if link.is_lossless());
            state.fused_after = match adjacency.single_upstream && is_lossless {
                true if self.observer.follows(id) => FOLLOWED,
                true => Time::ZERO,
                false => Time::NEVER,
            };
            match adjacency.next_hop {
                NextHop::Hosts => state.forwarding = Forwarding::Deliver,
                NextHop::Link(link) => state.forwarding = Forwarding::To(link),
                NextHop::Routed => {}
            }
        }
        self
    }

    /// The hosts.
    #[must_use]
    pub fn hosts(&self) -> &[H] {
        &self.hosts
    }

    /// The hosts, to reset their counters. Their next wake-ups must not change.
    pub fn hosts_mut(&mut self) -> &mut [H] {
        &mut self.hosts
    }

    /// The links; mutable, because reading a link may bring it up to date.
    pub fn links_mut(&mut self) -> impl Iterator<Item = &mut Link<H::Payload, H::Component>> {
        self.links.iter_mut().map(|state| &mut state.link)
    }

    /// Packets on a link: waiting, being sent, or crossing. Those that will cross a fused link next, which no observer
    /// follows, count there.
    #[must_use]
    pub fn packets_on(&self, link: LinkId) -> usize {
        let on_link = self.in_flight.iter().filter(|(_, packet)| packet.link == link.into());
        self.links[link.0 as usize].link.packets() + on_link.count()
    }

    /// Packets on all links.
    #[must_use]
    pub fn packets(&self) -> usize {
        self.links.iter().map(|state| state.link.packets()).sum::<usize>() + self.in_flight.len()
    }

    /// The observer.
    #[must_use]
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Ends the world and returns the observer.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// The time of the next event.
    #[must_use]
    pub fn next_event_time(&self) -> Option<Time> {
        self.queue.next_time()
    }

    /// A time before which no packet reaches its host, unless hosts send some meanwhile; [`Time::NEVER`] if nothing is
    /// scheduled. Who waits for it in real time need not wake for every event: a packet that enters another link crosses
    /// that, too, which takes `crossing` at least.
    #[must_use]
    pub fn next_delivery(&self, crossing: Time) -> Time {
        let Some(next) = self.queue.next_time() else { return Time::NEVER };
        let reaches_host = |task: &Task| !matches!(task, Task::Forward(_) | Task::Lose(_));
        let latest = next.saturating_add(crossing);
        let at_once = self.queue.before(latest).filter(|(_, task)| reaches_host(task));
        at_once.map(|(time, _)| time).min().unwrap_or(latest)
    }

    /// Processes all events that are due by `until`.
    pub fn advance_to(&mut self, until: Time) {
        self.advance_slice(until, until, u64::MAX);
    }

    /// A slice of [`Self::advance_to`]: processes at most `events` events, none later than `pause`. Returns true once
    /// it has processed everything that is due by `until`. Do not read the links before that: some update their state
    /// only when you read them, and others have already counted what happens up to `until`.
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
        self.report();
        true
    }

    /// Lets all links tell the observer what has happened by now: some only do that when a packet arrives.
    pub fn report(&mut self) {
        for (id, state) in (0..).map(LinkId).zip(&mut self.links) {
            state.link.advance(self.now, &mut Watching::new(id, &mut self.observer));
        }
    }

    /// Handles events that are due by `until`, at most `events` of them. Returns false if more are due.
    fn handle_events(&mut self, until: Time, events: &mut u64) -> bool {
        while *events > 0 {
            if self.queue.is_slot_over() {
                if !self.queue.begin_slot(until) {
                    return true;
                }
                if self.prefetches {
                    self.prefetch();
                }
            }
            let Some((key, task)) = self.queue.pop_until(until) else { return true };
            *events -= 1;
            self.now = key.time;
            match task {
                Task::Deliver(slot) => self.deliver(slot),
                Task::Forward(slot) => self.forward(key.order, slot),
                Task::Lose(slot) => self.lose(slot),
                Task::Wake(host) => self.wake(host.0 as usize),
                Task::Poll(link) => self.poll(link),
            }
        }
        false
    }

    /// Brings the components up to date.
    fn advance_components(&mut self, until: Time) {
        for (id, state) in (0..).map(LinkId).zip(&mut self.links) {
            if matches!(state.link, Link::Component(_)) {
                state.link.advance(until, &mut Watching::new(id, &mut self.observer));
            }
        }
    }

    /// Drops all events and packets in flight, and returns the hosts. Links stay as they are and can still be read.
    pub fn stop(&mut self) -> Vec<H> {
        self.queue = EventQueue::new();
        self.in_flight = Slab::new();
        std::mem::take(&mut self.hosts)
    }

    /// Lets a host act now because of something outside the world, such as a packet that a device has received. The
    /// time is the one to which the world was last advanced; the caller keeps it in step with real time.
    ///
    /// # Panics
    /// If there is no such host.
    pub fn act(&mut self, host: HostId, act: impl FnOnce(&mut H, Time, &mut Outbox<'_, H::Payload>)) {
        let number = host.0 as usize;
        let mut outbox = Outbox {
            from: host,
            packets_sent: &mut self.packets_sent,
            in_flight: &mut self.in_flight,
            sent: &mut self.sent,
        };
        act(&mut self.hosts[number], self.now, &mut outbox);
        self.after_acting(number);
    }

    /// The time to which the world was last advanced.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    fn wake(&mut self, host: usize) {
        if self.host_states[host].wake_at != self.now {
            return;
        }
        self.host_states[host].wake_at = Time::NEVER;
        let mut outbox = Outbox {
            from: HostId(host as u32),
            packets_sent: &mut self.packets_sent,
            in_flight: &mut self.in_flight,
            sent: &mut self.sent,
        };
        self.hosts[host].wake(self.now, &mut outbox);
        self.after_acting(host);
    }

    fn poll(&mut self, id: LinkId) {
        let number = id.0 as usize;
        if self.links[number].poll_at != self.now {
            return;
        }
        self.links[number].poll_at = Time::NEVER;
        self.links[number].link.advance(self.now, &mut Watching::new(id, &mut self.observer));
        while let Some(packet) = self.links[number].link.receive(self.now) {
            let next_hop =
                next_hop(self.links[number].forwarding, &self.host_states, &self.routes, packet.to);
            let order = self.queue.next_order();
            let packet = InFlight { link: id.into(), next_hop, packet };
            let slot = PacketSlot(self.in_flight.insert(packet) as u32);
            if next_hop == CompactLink::NONE { self.deliver(slot) } else { self.forward(order, slot) }
        }
        self.schedule_poll(number);
    }

    #[inline(always)]
    fn deliver(&mut self, slot: PacketSlot) {
        // Removed first, so that the answer reuses the slot, which is in the cache.
        let InFlight { link, packet, .. } = self.in_flight.remove(slot.index());
        self.observer.on(self.now, &Event::Delivered(link.link(), &packet));
        let host = packet.to.0 as usize;
        let mut outbox = Outbox {
            from: packet.to,
            packets_sent: &mut self.packets_sent,
            in_flight: &mut self.in_flight,
            sent: &mut self.sent,
        };
        self.hosts[host].receive(self.now, &packet, &mut outbox);
        self.after_acting(host);
    }

    #[inline(always)]
    fn forward(&mut self, order: u64, slot: PacketSlot) {
        let InFlight { link, next_hop, packet } = &self.in_flight[slot.index()];
        let (from, into) = (link.link(), next_hop.link());
        self.observer.on(self.now, &Event::Forwarded { from, into, packet });
        // On a fused link the packet keeps its insertion number. So events at the same time keep their order whether
        // an observer follows the link or not.
        let order = if self.links[into.0 as usize].is_fused() { order } else { self.queue.next_order() };
        self.send_into(order, into, slot);
    }

    fn lose(&mut self, slot: PacketSlot) {
        let InFlight { link, packet, .. } = self.in_flight.remove(slot.index());
        let link = link.link();
        let mut watch = Watching::new(link, &mut self.observer);
        self.links[link.0 as usize].link.lose(self.now, &packet, &mut watch);
    }

    /// Sends what a host has put into its outbox, and schedules its next wake-up.
    #[inline(always)]
    fn after_acting(&mut self, host: usize) {
        self.observer.on(self.now, &Event::Acted(HostId(host as u32), &self.hosts[host]));
        self.schedule_wake(host);
        for number in 0..self.sent.len() {
            let slot = self.sent[number];
            let packet = &self.in_flight[slot.index()].packet;
            let HostState { node, egress, .. } = self.host_states[host];
            let egress = egress
                .get()
                .unwrap_or_else(|| route(&self.routes, node, self.host_states[packet.to.0 as usize].node));
            self.observer.on(self.now, &Event::Sent(egress, packet));
            let order = self.queue.next_order();
            self.send_into(order, egress, slot);
        }
        self.sent.clear();
    }

    /// Sends a packet into a link and schedules its arrival. Through the fused links behind that link, as far as no
    /// observer follows them, it sends the packet at once.
    fn send_into(&mut self, order: u64, mut id: LinkId, slot: PacketSlot) {
        let in_flight = &mut self.in_flight[slot.index()];
        let mut at = self.now;
        let arrives_at = loop {
            let mut watch = Watching::new(id, &mut self.observer);
            let state = &mut self.links[id.0 as usize];
            let arrives_at = match state.link.send(at, &mut in_flight.packet, &mut watch) {
                SendResult::ArrivesAt(time) => time,
                SendResult::LostAt(time) => {
                    in_flight.link = id.into();
                    return self.queue.schedule(EventKey { time, order }, Task::Lose(slot));
                }
                SendResult::Consumed => {
                    self.in_flight.remove(slot.index());
                    return self.schedule_poll(id.0 as usize);
                }
            };
            let next = next_hop(state.forwarding, &self.host_states, &self.routes, in_flight.packet.to);
            (in_flight.link, in_flight.next_hop) = (id.into(), next);
            let Some(next) = next.get() else { break arrives_at };
            let fused = &mut self.links[next.0 as usize];
            // Counters read at `until` must not include later arrivals. Nor may a packet overtake one that arrives by
            // an event for that reason.
            if arrives_at > self.until || self.now <= fused.fused_after {
                fused.fused_after = fused.fused_after.max(arrives_at);
                break arrives_at;
            }
            (at, id) = (arrives_at, next);
        };
        let task =
            if in_flight.next_hop == CompactLink::NONE { Task::Deliver(slot) } else { Task::Forward(slot) };
        self.queue.schedule(EventKey { time: arrives_at, order }, task);
    }

    /// Schedules an earlier wake-up if the host needs one. A wake-up that is too early stays: it costs less than to
    /// move it.
    #[inline]
    fn schedule_wake(&mut self, host: usize) {
        let wake_at = self.hosts[host].next_wake();
        if wake_at < self.host_states[host].wake_at {
            self.host_states[host].wake_at = wake_at;
            self.queue.insert(wake_at, Task::Wake(HostId(host as u32)));
        }
    }

    fn schedule_poll(&mut self, link: usize) {
        let state = &mut self.links[link];
        let poll_at = state.link.next_event();
        if poll_at < state.poll_at {
            state.poll_at = poll_at;
            self.queue.insert(poll_at, Task::Poll(LinkId(link as u32)));
        }
    }
}
