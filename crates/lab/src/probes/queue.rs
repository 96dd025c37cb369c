//! The longest queue of each link in bins of time.

use super::{Bins, whole_table};
use crate::columns::Table;
use crate::plan::{Plan, queues_of};
use atm::AtmEvent;
use base::Time;
use sim::link::LinkEvent;
use sim::{Component, Event, Observer};
use std::collections::VecDeque;

/// The longest queue of each link in each bin of time. Of packets, those that wait: one that finds the link idle does
/// not. Of cells, as the first cell of an arriving frame found the queue. Of an ATM network, the longest queue of each
/// line that a switch port feeds, of all categories, as an arriving cell left it. A bin in which no cell comes has 0.
pub struct QueueBins {
    bins: Bins<u64>,
    duration: Time,
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
        let bin = (now.div_floor(width) as usize).min(bins.len() - 1);
        while self.bin < bin {
            self.bin += 1;
            bins[self.bin] = bins[self.bin].max(self.packets);
        }
    }
}

impl QueueBins {
    /// As the plan configures it.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let things = queues_of(plan);
        let waiting = vec![Waiting::default(); things.len()];
        let bins = Bins::new(things.into_iter(), plan.probes.queue_bin_ps, plan.duration_ps, 0);
        Self { bins, duration: Time::from_ps(plan.duration_ps), waiting }
    }

    /// Columns `link` (of an ATM network, the line), `time_s` (start of the bin), `max_length` (packets or
    /// cells).
    #[must_use]
    pub fn into_table(mut self) -> Table {
        if let Some(width) = self.bins.bin {
            for (waiting, bins) in self.waiting.iter_mut().zip(&mut self.bins.values) {
                if !bins.is_empty() {
                    waiting.pass(self.duration, width, bins);
                }
            }
        }
        whole_table(self.bins, "link", "max_length")
    }

    fn on_packets(&mut self, link: usize, at: Time, event: Change) {
        let Some(width) = self.bins.bin else { return };
        let (Some(waiting), Some(bins)) = (self.waiting.get_mut(link), self.bins.values.get_mut(link)) else {
            return;
        };
        match event {
            Change::Begins => waiting.begins.push_back(at),
            Change::Packets(packets) => {
                waiting.pass(at, width, bins);
                waiting.packets = packets;
                let longest = &mut bins[waiting.bin];
                *longest = packets.max(*longest);
            }
        }
    }
}

/// What a link of packets says of its queue.
#[derive(Clone, Copy)]
enum Change {
    Packets(u64),
    Begins,
}

impl<H: sim::Host> Observer<H> for QueueBins
where
    H::Component: Component<H::Payload, Event = AtmEvent>,
{
    const FOLLOWS_PACKETS: bool = false;

    fn on(&mut self, at: Time, event: &Event<'_, H>) {
        let (thing, length) = match event {
            Event::Link(link, LinkEvent::Queued { packets }) => {
                return self.on_packets(link.0 as usize, at, Change::Packets(*packets));
            }
            Event::Link(link, LinkEvent::Begins) => {
                return self.on_packets(link.0 as usize, at, Change::Begins);
            }
            Event::Component(link, AtmEvent::FrameDecided { queued, .. }) => (link.0, u64::from(*queued)),
            Event::Component(_, AtmEvent::CellsQueued { port, queued }) => (*port, u64::from(*queued)),
            _ => return,
        };
        if let Some(longest) = self.bins.at(thing as usize, at) {
            *longest = length.max(*longest);
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
