//! The longest queue of each link in bins of time.

use super::bins::{Bins, whole_table};
use crate::columns::Table;
use crate::plan::{Plan, queues_of};
use atm::AtmEvent;
use base::Time;
use sim::link::LinkEvent;
use sim::{Component, Event, LinkId, Observer};
use std::collections::VecDeque;

/// The longest queue of chosen links in each bin of time. Of packets, those that wait: one that finds the link idle does
/// not. Of cells, as the first cell of an arriving frame found the queue. Of an ATM network, the longest queue of each
/// line that a switch port feeds, of all categories, as an arriving cell left it. A bin in which no cell comes has 0.
pub struct QueueBins {
    bins: Bins<u64>,
    /// Of links that carry packets.
    waiting: Vec<Waiting>,
}

/// The packets that wait at a link.
#[derive(Clone, Default)]
struct Waiting {
    packets: u64,
    /// When packets that wait will begin to be sent, as far as that is known beforehand.
    begins: VecDeque<Time>,
    /// The bin up to which the longest queue is known.
    bin: usize,
}

impl Waiting {
    /// Time passes up to `now`: packets have begun to be sent, and bins have begun with so many waiting.
    fn pass(&mut self, now: Time, width: Time, bins: &mut [u64]) {
        while let Some(begins) = self.begins.front().copied().filter(|begins| *begins <= now) {
            self.begins.pop_front();
            self.fill(begins, width, bins);
            self.packets -= 1;
        }
        self.fill(now, width, bins);
    }

    /// Bins that begin by `now` begin with what waits.
    fn fill(&mut self, now: Time, width: Time, bins: &mut [u64]) {
        // Bins are passed one after the other: a division for each packet would take as long as all else here.
        while self.bin + 1 < bins.len() && width * (self.bin as u64 + 1) <= now {
            self.bin += 1;
            bins[self.bin] = bins[self.bin].max(self.packets);
        }
    }
}

impl QueueBins {
    /// As the plan configures it; none if it does not.
    #[must_use]
    pub fn of(plan: &Plan) -> Option<Self> {
        let width_ps = plan.probes.queue_bin_ps?;
        let mut things = queues_of(plan);
        if let Some(wanted) = &plan.probes.queue_of {
            (0..).zip(&mut things).for_each(|(number, thing)| *thing &= wanted.contains(&number));
        }
        let waiting = vec![Waiting::default(); things.len()];
        let bins = Bins::new(things.into_iter(), width_ps, plan.duration_ps, 0);
        Some(Self { bins, waiting })
    }

    /// Of the bins that are over at a time: columns `link` (of an ATM network, the line), `time_s` (start of the bin),
    /// `max_length` (packets or cells).
    #[must_use]
    pub fn table(&self, by: Time) -> Table {
        let mut bins = self.bins.clone();
        for (waiting, bins) in self.waiting.iter().zip(&mut bins.values) {
            if !bins.is_empty() {
                waiting.clone().pass(by, self.bins.width, bins);
            }
        }
        whole_table(&bins, "link", "max_length", by)
    }

    /// What happens at a link of packets.
    #[inline(always)]
    pub(super) fn link<P>(&mut self, at: Time, LinkId(link): LinkId, event: &LinkEvent<'_, P>) {
        if self.bins.values[link as usize].is_empty() {
            return;
        }
        match *event {
            // Nothing waited, and nothing waits.
            LinkEvent::Queued { packets: 0 } if self.waiting[link as usize].packets == 0 => {}
            LinkEvent::Queued { packets } => self.queued(at, link as usize, packets),
            LinkEvent::Begins => self.begins(at, link as usize),
            _ => {}
        }
    }

    #[inline(never)]
    fn begins(&mut self, at: Time, link: usize) {
        self.waiting[link].begins.push_back(at);
    }

    #[inline(never)]
    fn queued(&mut self, at: Time, link: usize, packets: u64) {
        let (waiting, bins) = (&mut self.waiting[link], &mut self.bins.values[link]);
        waiting.pass(at, self.bins.width, bins);
        waiting.packets = packets;
        let longest = &mut bins[waiting.bin];
        *longest = packets.max(*longest);
    }

    /// What happens at a network of cells.
    #[inline(never)]
    pub(super) fn component(&mut self, at: Time, LinkId(link): LinkId, event: AtmEvent) {
        let (thing, length) = match event {
            AtmEvent::FrameDecided { queued, .. } => (link, queued),
            AtmEvent::CellsQueued { port, queued } => (port, queued),
            _ => return,
        };
        if let Some(longest) = self.bins.at(thing as usize, at) {
            *longest = u64::from(length).max(*longest);
        }
    }
}

impl<H: sim::Host> Observer<H> for QueueBins
where
    H::Component: Component<H::Payload, Event = AtmEvent>,
{
    const FOLLOWS_PACKETS: bool = false;

    fn on(&mut self, at: Time, event: &Event<'_, H>) {
        match event {
            Event::Link(link, event) => self.link(at, *link, event),
            Event::Component(link, event) => self.component(at, *link, *event),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three packets wait from 5 us on; the first begins at 12 us, the second at 31 us, the third not before the end. Then
    /// one more comes.
    #[test]
    fn a_bin_begins_with_what_waits() {
        let us = Time::from_us;
        let (mut bins, mut waiting) = (vec![0; 6], Waiting::default());
        waiting.pass(us(5), us(10), &mut bins);
        waiting.packets = 3;
        waiting.begins.extend([us(12), us(31), us(90)]);
        waiting.pass(us(48), us(10), &mut bins);
        assert_eq!((waiting.packets, waiting.bin), (1, 4));
        waiting.packets = 2;
        waiting.pass(us(60), us(10), &mut bins);
        assert_eq!(bins, [0, 3, 2, 2, 1, 2]);
    }
}
