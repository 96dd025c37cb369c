//! The longest queue of each link in bins of time.

use super::Told;
use super::bins::{self, Bins, whole_table};
use crate::columns::{Recorded, Table, VALUE_BYTES};
use crate::error::Error;
use crate::plan::{Plan, queues_of};
use crate::recorder::Recorder;
use atm::AtmEvent;
use base::Time;
use sim::link::LinkEvent;
use sim::{Component, Event, LinkId, Observer};
use std::collections::VecDeque;

/// Memory of a row; for a table the numbers are copied.
pub(super) const ROW_BYTES: usize = bins::ROW_BYTES + VALUE_BYTES;

/// The longest queue of chosen links in each bin of time. Of packets, those that wait: one that finds the link idle does
/// not. Of cells, as the first cell of an arriving frame found the queue. Of an ATM network, the longest queue of each
/// line that a switch port feeds, of all categories, as an arriving cell left it. A bin in which no cell comes has 0.
#[derive(Clone)]
pub struct QueueBins {
    bins: Bins<u64>,
    /// Of links that carry packets.
    waiting: Vec<Waiting>,
    told: Told,
}

/// The packets that wait at a link.
#[derive(Clone)]
struct Waiting {
    /// How many waited when the link told it last, and when that was.
    packets: u64,
    told: Time,
    /// When they begin to be sent, as far as that is known beforehand; those that had begun by `told` count no more.
    begins: VecDeque<Time>,
    /// The bin up to which the longest queue is known, and when the next one begins.
    bin: usize,
    next: Time,
}

impl Waiting {
    /// Another packet that waits will begin to be sent.
    #[inline]
    fn add(&mut self, begins: Time) {
        if self.begins.len() == self.begins.capacity() {
            self.make_room();
        }
        self.begins.push_back(begins);
    }

    /// Memory for more packets than wait is of no use.
    #[inline(never)]
    fn make_room(&mut self) {
        self.forget(self.told.saturating_add(Time::from_ps(1)));
        self.begins.reserve(1);
    }

    /// Packets that begin before a time wait no longer.
    fn forget(&mut self, before: Time) {
        while let Some(&begins) = self.begins.front().filter(|begins| **begins < before) {
            self.begins.pop_front();
            self.packets -= u64::from(begins > self.told);
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
        Some(Self::new(&things, width_ps, Told::of(plan)))
    }

    /// `things` is true for each link that is recorded.
    fn new(things: &[bool], width_ps: u64, told: Told) -> Self {
        let nothing = |is_recorded: &bool| Waiting {
            packets: 0,
            told: Time::ZERO,
            begins: VecDeque::new(),
            bin: 0,
            next: if *is_recorded { Time::from_ps(width_ps) } else { Time::NEVER },
        };
        let bins = Bins::new(things.iter().copied(), width_ps, told.end.as_ps(), 0);
        Self { bins, waiting: things.iter().map(nothing).collect(), told }
    }

    /// Of the bins that are over at a time: columns `link` (of an ATM network, the line), `time_s` (start of the bin),
    /// `max_length` (packets or cells).
    #[must_use]
    pub fn table(&self, by: Time) -> Table {
        let mut its = self.clone();
        (0..its.waiting.len()).for_each(|link| its.pass(by, link));
        whole_table(&its.bins, "link", "max_length", by)
    }

    /// What happens at a link of packets.
    #[inline(always)]
    fn link<P>(&mut self, at: Time, LinkId(link): LinkId, event: &LinkEvent<'_, P>) {
        if let LinkEvent::Queued { packets, begins } = *event
            && (packets > 0 || self.waiting[link as usize].packets > 0)
        {
            self.queued(at, link as usize, packets, begins);
        }
    }

    /// The link tells how many wait now, and when the last of them begins to be sent if it knows that.
    #[inline(never)]
    fn queued(&mut self, at: Time, link: usize, packets: u64, begins: Option<Time>) {
        if self.waiting[link].next <= at {
            self.pass(at, link);
        }
        let waiting = &mut self.waiting[link];
        let Some(longest) = self.bins.in_bin(link, waiting.bin) else { return };
        *longest = packets.max(*longest);
        (waiting.packets, waiting.told) = (packets, at);
        if let Some(begins) = begins {
            waiting.add(begins);
        }
    }

    /// Bins of a link that begin by `now` begin with what waits.
    #[inline(never)]
    fn pass(&mut self, now: Time, link: usize) {
        let (width, waiting) = (self.bins.width, &mut self.waiting[link]);
        let Some(last) = self.bins.of(link).checked_sub(1) else { return };
        while waiting.bin < last && waiting.next <= now {
            waiting.forget(waiting.next);
            // After the last one that waits, all bins that are over have nothing.
            let idle = if waiting.packets == 0 { now.div_floor(width) as usize } else { 0 };
            waiting.bin = last.min(idle.max(waiting.bin + 1));
            waiting.next = width * (waiting.bin as u64 + 1);
            if waiting.packets > 0
                && let Some(longest) = self.bins.in_bin(link, waiting.bin)
            {
                *longest = waiting.packets;
            }
        }
        if waiting.bin == last {
            waiting.next = Time::NEVER;
        }
    }

    /// What happens at a network of cells.
    #[inline(always)]
    fn component(&mut self, at: Time, LinkId(link): LinkId, event: AtmEvent) {
        match event {
            AtmEvent::FrameDecided { queued, .. } => self.cells(at, link as usize, queued),
            AtmEvent::CellsQueued { port, queued } => self.cells(at, port as usize, queued),
            _ => {}
        }
    }

    #[inline(never)]
    fn cells(&mut self, at: Time, thing: usize, length: u32) {
        if let Some(longest) = self.bins.at(thing, at) {
            *longest = u64::from(length).max(*longest);
        }
    }
}

impl<H: sim::Host> Observer<H> for QueueBins
where
    H::Component: Component<H::Payload, Event = AtmEvent>,
{
    fn follows(&self, _: LinkId) -> bool {
        false
    }

    // Inlined, so that where an event happens only its own branch is left.
    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, H>) {
        match event {
            Event::Link(link, event) => self.link(at, *link, event),
            Event::Component(link, event) => self.component(at, *link, *event),
            _ => {}
        }
    }
}

impl Recorder for QueueBins {
    fn record(&self, by: Time, tables: &mut Recorded) -> Result<(), Error> {
        tables.queue = self.table(self.told.by(by));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Values;

    /// Bins of 10 us, so many of them, after a link has told at these times (us) how many wait and when the last one begins.
    fn recorded(bins: u64, told: &[(u64, u64, Option<u64>)]) -> (QueueBins, Vec<u64>) {
        let (us, end) = (Time::from_us, Time::from_us(10 * bins));
        let mut queue = QueueBins::new(&[true], us(10).as_ps(), Told { end, delay: Time::ZERO });
        for &(at, packets, begins) in told {
            queue.queued(us(at), 0, packets, begins.map(us));
        }
        let Values::Integers(longest) = queue.table(end).columns.remove(2).1 else { panic!("whole numbers") };
        (queue, longest)
    }

    /// Three packets wait from 5 us on; the first begins at 12 us, the second at 30 us, the third not before the end. One
    /// more comes at 48 us. One that begins as a bin does still waits then.
    #[test]
    fn a_bin_begins_with_what_waits() {
        let told = [(5, 1, Some(12)), (5, 2, Some(30)), (5, 3, Some(90)), (48, 2, Some(95))];
        assert_eq!(recorded(7, &told).1, [3, 3, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn an_idle_time_leaves_bins_empty() {
        let told = [(5, 1, Some(15)), (55, 4, None), (79, 0, None), (80, 0, None)];
        assert_eq!(recorded(9, &told).1, [1, 1, 0, 0, 0, 4, 4, 4, 0]);
    }

    /// A packet each 2 us, each of which waits for 3 us: two wait at most.
    #[test]
    fn those_that_wait_need_memory_and_no_others() {
        let told: Vec<_> = (0..10_000).map(|packet| (2 * packet, 2, Some(2 * packet + 3))).collect();
        let (mut queue, longest) = recorded(1, &told[..1]);
        assert_eq!(longest, [2]);
        for (at, packets, begins) in told {
            queue.queued(Time::from_us(at), 0, packets, begins.map(Time::from_us));
        }
        assert!(queue.waiting[0].begins.capacity() < 10, "{}", queue.waiting[0].begins.capacity());
    }
}
