//! The queues of a tin of CAKE: a set-associative hash and DRR++.
//!
//! Source: Linux 6, net/sched/sch_cake.c (`cake_hash`, `cake_enqueue`, `cake_dequeue`).
//!
//! A flow's hash names one of 1024 queues, and a set of eight in which this is. The flow has the queue of the set that is
//! reserved for it, else the first that is free from the named one on. Only if all eight are taken does it share the named one.
//!
//! A queue in no list that gets a packet is sparse, and goes to the end of the new ones with a quantum. When it has spent
//! the quantum it goes to the old ones, and is a bulk flow if packets wait there. When it is found empty it leaves the lists,
//! or decays among others until its COBALT has forgotten everything; a packet makes it sparse before that, too. First one that
//! decays is looked at, then the first of the new ones sends, then the first of the old ones. A queue that has spent its
//! quantum gets another one, and goes to the end of the old ones.

use super::hosts::{Hosts, Isolation, Pair};
use crate::link::DropCause;
use crate::packet::{NodeId, Packet};
use crate::queue::cobalt::{Config, Controller};
use crate::queue::fattest::Fattest;
use crate::queue::{PacketBuffer, Queued, Sink};
use base::Time;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};

/// Queues of a tin, and of a set of the hash.
pub(super) const QUEUES: usize = 1024;
const WAYS: usize = 8;

/// What a queue counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is in no list.
    Idle,
    /// It is among the new ones.
    Sparse,
    /// It is among the old ones, where it has come without packets. It counts as sparse.
    Waiting,
    /// It is among the old ones.
    Bulk,
    /// It is empty and among those that decay.
    Decaying,
}

/// The queue of a flow, or of several if they collide.
#[derive(Debug)]
struct Flow<P> {
    buffer: PacketBuffer<P>,
    controller: Controller,
    deficit: i64,
    state: State,
    /// Its key among those that decay.
    decays_as: u64,
    /// The hash for which it is reserved.
    tag: u32,
    hosts: Pair,
}

/// The queues of a tin.
#[derive(Debug)]
pub(super) struct Flows<P> {
    queues: Vec<Flow<P>>,
    fattest: Fattest,
    new: VecDeque<u16>,
    old: VecDeque<u16>,
    /// In the order in which they have come, by a number, so that a queue that gets a packet is found at once.
    decaying: BTreeMap<u64, u16>,
    decayed: u64,
    hosts: Hosts,
    isolation: Isolation,
    /// Bytes.
    quantum: u32,
    sparse: usize,
    bulk: usize,
    packets: usize,
    bytes: u64,
}

impl<P> Flows<P> {
    pub(super) fn new(quantum: u32, isolation: Isolation) -> Self {
        let empty = || Flow {
            buffer: PacketBuffer::new(),
            controller: Controller::NEW,
            deficit: 0,
            state: State::Idle,
            decays_as: 0,
            tag: 0,
            hosts: Pair::default(),
        };
        Self {
            queues: std::iter::repeat_with(empty).take(QUEUES).collect(),
            fattest: Fattest::new(QUEUES),
            new: VecDeque::new(),
            old: VecDeque::new(),
            decaying: BTreeMap::new(),
            decayed: 0,
            hosts: Hosts::default(),
            isolation,
            quantum,
            sparse: 0,
            bulk: 0,
            packets: 0,
            bytes: 0,
        }
    }

    /// Packets in all queues.
    pub(super) fn packets(&self) -> usize {
        self.packets
    }

    /// Bytes in all queues.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether there are queues that take turns.
    pub(super) fn has_turns(&self) -> bool {
        self.sparse + self.bulk > 0
    }

    /// The queue for a flow with this hash, reserved for it.
    pub(super) fn queue_for(&mut self, tag: u32, nodes: (NodeId, NodeId)) -> usize {
        let named = tag as usize % QUEUES;
        let way = |step| named - named % WAYS + (named + step) % WAYS;
        let find =
            |fits: &dyn Fn(&Flow<P>) -> bool| (0..WAYS).map(way).find(|&number| fits(&self.queues[number]));
        let reserved = find(&|queue| queue.tag == tag);
        if let Some(number) = reserved
            && self.queues[number].state != State::Idle
        {
            return number;
        }
        let free = || find(&|queue| queue.state == State::Idle);
        let number = reserved.or_else(free).unwrap_or(named);
        let hosts = self.hosts.pair(nodes);
        let queue = &mut self.queues[number];
        if queue.state == State::Bulk {
            self.hosts.remove(queue.hosts);
            self.hosts.add(hosts);
        }
        (queue.tag, queue.hosts) = (tag, hosts);
        number
    }

    /// Puts a packet into a queue.
    pub(super) fn enqueue(&mut self, number: usize, packet: Packet<P>, now: Time, rng: &mut ChaCha8Rng) {
        self.packets += 1;
        self.bytes += u64::from(packet.bytes);
        let queue = &mut self.queues[number];
        queue.buffer.enqueue(packet, now);
        self.fattest.set(number, queue.buffer.bytes());
        match queue.state {
            State::Sparse | State::Bulk => {}
            State::Waiting => {
                queue.state = State::Bulk;
                self.sparse -= 1;
                self.bulk += 1;
                self.hosts.add(queue.hosts);
            }
            State::Idle | State::Decaying => {
                if queue.state == State::Decaying {
                    self.decaying.remove(&queue.decays_as);
                }
                queue.state = State::Sparse;
                self.sparse += 1;
                self.new.push_back(number as u16);
                queue.deficit = self.hosts.quantum(queue.hosts, self.quantum, self.isolation, rng);
            }
        }
    }

    /// The packet of the queue whose turn it is, and its number: none if the queue was empty. `is_first` if this is the first
    /// queue that is looked at for a transmission.
    pub(super) fn serve(
        &mut self,
        is_first: &mut bool,
        config: &Config<P>,
        now: Time,
        (rng, sink): (&mut ChaCha8Rng, &mut dyn Sink<P>),
    ) -> Option<(usize, Queued<P>)> {
        let number = self.whose_turn(is_first, rng)?;
        let queue = &mut self.queues[number];
        let (packets, bytes) = (queue.buffer.packets(), queue.buffer.bytes());
        let sent = queue.controller.dequeue(config, &mut queue.buffer, now, (rng, sink));
        self.packets -= packets - queue.buffer.packets();
        self.bytes -= bytes - queue.buffer.bytes();
        self.fattest.set(number, queue.buffer.bytes());
        if sent.is_none() {
            self.leave(number, now);
        }
        Some((number, sent?))
    }

    /// What a packet that was sent costs its queue, bytes.
    pub(super) fn charge(&mut self, number: usize, length: u64) {
        self.queues[number].deficit -= length as i64;
    }

    /// The fattest queue: its bytes, and its number. The first one of several.
    pub(super) fn fattest(&mut self) -> Option<(u64, usize)> {
        let number = self.fattest.find();
        (self.packets > 0).then(|| (self.fattest.bytes(number), number))
    }

    /// Drops the head of a queue for want of room.
    pub(super) fn drop_head(&mut self, number: usize, config: &Config<P>, now: Time, sink: &mut dyn Sink<P>) {
        let queue = &mut self.queues[number];
        let Some(head) = queue.buffer.dequeue() else { return };
        queue.controller.queue_full(config, now);
        self.packets -= 1;
        self.bytes -= u64::from(head.packet.bytes);
        self.fattest.set(number, queue.buffer.bytes());
        sink.dropped(&head.packet, DropCause::QueueFull);
    }

    /// The next queue that has not spent what it may send.
    fn whose_turn(&mut self, is_first: &mut bool, rng: &mut ChaCha8Rng) -> Option<usize> {
        loop {
            let decaying = self.decaying.first_key_value().map(|first| first.1);
            let first = decaying.filter(|_| std::mem::take(is_first));
            let next = first.or_else(|| self.new.front()).or_else(|| self.old.front()).or(decaying);
            *is_first = false;
            let number = usize::from(*next?);
            if self.queues[number].deficit > 0 {
                return Some(number);
            }
            self.postpone(number, rng);
        }
    }

    /// Gives a queue a quantum, and sends it to the end of the old ones.
    fn postpone(&mut self, number: usize, rng: &mut ChaCha8Rng) {
        self.pop_from_its_list(number);
        self.old.push_back(number as u16);
        let queue = &mut self.queues[number];
        if queue.state == State::Sparse {
            if queue.buffer.packets() > 0 {
                queue.state = State::Bulk;
                self.sparse -= 1;
                self.bulk += 1;
                self.hosts.add(queue.hosts);
            } else {
                queue.state = State::Waiting;
            }
        }
        queue.deficit += self.hosts.quantum(queue.hosts, self.quantum, self.isolation, rng);
    }

    /// An empty queue leaves its list, for good or to decay.
    fn leave(&mut self, number: usize, now: Time) {
        self.pop_from_its_list(number);
        let queue = &mut self.queues[number];
        match queue.state {
            State::Bulk => {
                self.bulk -= 1;
                self.hosts.remove(queue.hosts);
            }
            State::Sparse | State::Waiting => self.sparse -= 1,
            State::Idle | State::Decaying => {}
        }
        if queue.controller.is_at_rest(now) {
            queue.state = State::Idle;
        } else {
            self.decayed += 1;
            (queue.state, queue.decays_as) = (State::Decaying, self.decayed);
            self.decaying.insert(self.decayed, number as u16);
        }
    }

    /// It is at the head of its list.
    fn pop_from_its_list(&mut self, number: usize) {
        match self.queues[number].state {
            State::Sparse => self.new.pop_front(),
            State::Waiting | State::Bulk => self.old.pop_front(),
            State::Idle | State::Decaying => self.decaying.pop_first().map(|first| first.1),
        };
    }
}
