//! The tins of CAKE: which packets go there, what share they have, and which one sends.
//!
//! Source: Linux 6, net/sched/sch_cake.c (`diffserv3`, `diffserv4`, `cake_config_diffserv3`, `cake_config_diffserv4`,
//! `cake_config_besteffort`, `cake_set_rate`, `cake_dequeue`).
//!
//! | tin | share of the rate | weight without one | DSCPs of diffserv3 | DSCPs of diffserv4 |
//! |---|---|---|---|---|
//! | 0, best effort | 1 | 1024 | the others | the others |
//! | 1, bulk | 1/16 | 64 | LE, CS1 | LE, CS1 |
//! | 2 of diffserv4, video | 1/2 | 512 | | AF2x to AF4x, CS2, CS3, 4 |
//! | last, voice | 1/4 | 256 | VA, EF, CS6, CS7, 4 | VA, EF, CS4 to CS7 |
//!
//! `besteffort` has one tin. A share is no limit: it says up to which rate a tin goes before those below.

use super::flows::Flows;
use super::hosts::Isolation;
use super::shaper::{Clock, LEAST_RATE};
use crate::queue::LONGEST_FRAME;
use crate::queue::cobalt::Config;
use base::{Rate, Time};
use std::cmp::Reverse;

/// How tins are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Priority {
    Diffserv3,
    Diffserv4,
    BestEffort,
}

/// The share of the rate as a power of 1/2, and the weight without a rate.
type Share = (u32, i64);
const BULK: Share = (4, 64);
const VIDEO: Share = (1, 512);
const VOICE: Share = (2, 256);
/// The least quantum of a queue, and the largest one, bytes.
const QUANTUM: (u64, u64) = (300, LONGEST_FRAME);
/// How many of them a tin sends in a second, within these bounds.
const QUANTA: u64 = 4096;
/// The target is this part of the round-trip time.
const TARGETS: u64 = 20;

impl Priority {
    pub(super) const WORDS: &[&str] = &["diffserv3", "diffserv4", "besteffort"];

    /// By its place among the words.
    pub(super) fn of(word: u64) -> Self {
        [Self::Diffserv3, Self::Diffserv4, Self::BestEffort][word as usize]
    }

    /// The tin of a DSCP.
    pub(super) fn tin(self, dscp: u8) -> usize {
        match (self, dscp) {
            (Self::BestEffort, _) => 0,
            (_, 1 | 8) => 1,
            (Self::Diffserv3, 4 | 44 | 46 | 48 | 56) => 2,
            (Self::Diffserv3, _) => 0,
            (Self::Diffserv4, 4 | 16 | 18 | 20 | 22 | 24 | 26 | 28 | 30 | 34 | 36 | 38) => 2,
            (Self::Diffserv4, 32 | 40 | 44 | 46 | 48 | 56) => 3,
            (Self::Diffserv4, _) => 0,
        }
    }

    fn shares(self) -> &'static [Share] {
        match self {
            Self::Diffserv3 => &[(0, 1024), BULK, VOICE],
            Self::Diffserv4 => &[(0, 1024), BULK, VIDEO, VOICE],
            Self::BestEffort => &[(0, 65_535)],
        }
    }
}

/// Queues that share a part of the rate.
pub(super) struct Tin<P> {
    pub(super) flows: Flows<P>,
    pub(super) config: Config<P>,
    pub(super) clock: Clock,
    /// Bytes that it may send in its turn without a rate.
    deficit: i64,
    weight: i64,
}

/// What all tins have in common.
pub(super) struct Common<P> {
    /// Of all together, bit/s.
    pub(super) rate: Option<u64>,
    pub(super) rtt: Time,
    pub(super) isolation: Isolation,
    pub(super) mark: fn(&mut P) -> bool,
}

impl<P> Tin<P> {
    fn new((halvings, weight): Share, common: &Common<P>) -> Self {
        let bps = common.rate.map(|bps| (bps >> halvings).max(LEAST_RATE));
        let rate = bps.map(Rate::from_bps);
        let target = Time::from_ps((common.rtt.as_ps() / TARGETS).max(1));
        Self {
            flows: Flows::new(quantum(bps), common.isolation),
            config: Config::new(rate, target, common.rtt, common.mark),
            clock: Clock::new(rate),
            deficit: 0,
            weight,
        }
    }
}

/// What a queue of a tin of this rate may send in its turn, bytes.
pub(super) fn quantum(bps: Option<u64>) -> u32 {
    bps.map_or(QUANTUM.1, |bps| (bps / 8 / QUANTA).clamp(QUANTUM.0, QUANTUM.1)) as u32
}

/// All tins.
pub(super) struct Tins<P> {
    all: Vec<Tin<P>>,
    is_shaped: bool,
    /// Whose turn it is without a rate.
    current: usize,
}

impl<P> Tins<P> {
    pub(super) fn new(priority: Priority, common: &Common<P>) -> Self {
        let all = priority.shares().iter().map(|&share| Tin::new(share, common)).collect();
        Self { all, is_shaped: common.rate.is_some(), current: 0 }
    }

    pub(super) fn tin(&mut self, number: usize) -> &mut Tin<P> {
        &mut self.all[number]
    }

    /// Packets in all tins.
    pub(super) fn packets(&self) -> usize {
        self.all.iter().map(|tin| tin.flows.packets()).sum()
    }

    /// Bytes in all tins.
    pub(super) fn bytes(&self) -> u64 {
        self.all.iter().map(|tin| tin.flows.bytes()).sum()
    }

    /// The tin that sends next.
    pub(super) fn choose(&mut self, now: Time) -> Option<usize> {
        if self.is_shaped { self.by_share(now) } else { self.by_weight() }
    }

    /// The last tin that its share allows to send, or else the one that it allows first.
    fn by_share(&self, now: Time) -> Option<usize> {
        let mut best: Option<usize> = None;
        for (number, tin) in self.all.iter().enumerate().filter(|(_, tin)| tin.flows.has_turns()) {
            let is_first = best.is_none_or(|best| tin.clock.next <= self.all[best].clock.next);
            if tin.clock.allows(now) || is_first {
                best = Some(number);
            }
        }
        best
    }

    fn by_weight(&mut self) -> Option<usize> {
        if !self.all.iter().any(|tin| tin.flows.has_turns()) {
            return None;
        }
        loop {
            let tin = &mut self.all[self.current];
            if tin.deficit >= 0 && tin.flows.has_turns() {
                return Some(self.current);
            }
            if tin.deficit <= 0 {
                tin.deficit += tin.weight;
            }
            self.current = (self.current + 1) % self.all.len();
        }
    }

    /// A tin has sent a packet of this length from one of its queues.
    pub(super) fn charge(&mut self, number: usize, queue: usize, length: u64, now: Time) {
        let tin = &mut self.all[number];
        tin.flows.charge(queue, length);
        tin.deficit -= length as i64;
        tin.clock.charge_share(length, now);
    }

    /// The fattest queue: its tin, and its number there. The first one of several.
    pub(super) fn fattest(&mut self) -> Option<(usize, usize)> {
        let fattest = self.all.iter_mut().enumerate().filter_map(|(number, tin)| {
            let (bytes, queue) = tin.flows.fattest()?;
            Some((bytes, number, queue))
        });
        let (_, number, queue) = fattest.max_by_key(|&(bytes, number, _)| (bytes, Reverse(number)))?;
        Some((number, queue))
    }
}
