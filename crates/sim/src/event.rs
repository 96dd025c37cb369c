//! The event queue: which event comes next.
//!
//! Source: the calendar queue of Brown 1988, in the form of a timer wheel (Varghese and Lauck 1987).
//! Inserting and removing an event costs the same with ten events as with a million.
//!
//! Deviations: the slots of the wheel are unsorted, and a slot is sorted when the cursor reaches it. There is one
//! wheel; later events wait in a heap and cascade into the wheel as time passes. The width of a slot adapts to the
//! number of events (see [`MIN_EVENTS_PER_SLOT`]); the order of events does not depend on it.

use base::Time;
use key::Entry;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

mod key;

pub use key::EventKey;

/// Scheduled events, in total order.
///
/// Events of the current slot of time are in a sorted list, those of the next [`SLOTS`] slots in the wheel, a chain of
/// chunks for each slot, and those beyond in a heap. Events are copied from one to the other, so keep them small.
#[derive(Debug)]
pub struct EventQueue<E> {
    /// Events before the end of the current slot in descending order: the next event is the last.
    current: Vec<Entry<E>>,
    /// The slot after the current one. All events of `wheel` and `overflow` are in it or later.
    cursor: u64,
    /// A slot is `1 << shift` ps wide.
    shift: u32,
    wheel: Box<[Slot; SLOTS]>,
    /// A bit for each slot of the wheel that has events.
    occupied: [u64; SLOTS / 64],
    /// Storage of the chains.
    chunks: Vec<Chunk<E>>,
    /// The first of the chain of free chunks. Last in, first out, so that few events use few chunks.
    free: u32,
    /// Events beyond the wheel, the earliest on top.
    overflow: BinaryHeap<Reverse<Entry<E>>>,
    inserted: u64,
    stats: SlotStats,
}

/// A slot of the wheel: a chain of chunks, of which all but the first are full.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The first chunk; [`NO_CHUNK`] if there is none.
    first: u32,
    /// Events in the first chunk.
    events: u32,
}

/// An empty slot looks as if its first chunk were full: in both cases the next event needs a new chunk.
const EMPTY: Slot = Slot { first: NO_CHUNK, events: CHUNK as u32 };

/// Events of one slot, side by side. A list with one event a node would wait for memory at every node.
#[derive(Clone, Copy, Debug)]
struct Chunk<E> {
    entries: [Entry<E>; CHUNK],
    /// The next chunk of the chain.
    next: u32,
}

/// Events in a chunk: with the small events of a world, two cache lines.
const CHUNK: usize = 5;

/// The end of a chain.
const NO_CHUNK: u32 = u32::MAX;

/// How well the slots' width suited the events since it was last set.
#[derive(Clone, Copy, Debug, Default)]
struct SlotStats {
    inserted: u64,
    /// Of these, beyond the wheel.
    overflowed: u64,
    /// Of these, in the second half of the wheel: beyond a wheel whose slots are half as wide.
    second_half: u64,
    /// Slots that had events when the cursor reached them.
    slots: u64,
    /// Events in those slots.
    events: u64,
}

/// Slots of the wheel.
const SLOTS: usize = 16_384;
/// The initial width of a slot: 16.8 us.
const INITIAL_SHIFT: u32 = 24;
/// With more events per slot than this on average, slots become narrower, unless the wheel would be too short.
const MAX_EVENTS_PER_SLOT: u64 = 24;
/// With fewer events per slot than this on average, slots become wider.
const MIN_EVENTS_PER_SLOT: u64 = 6;
/// The width may change after so many events: enough to judge it by, and to pay for the change.
const MIN_EVENTS_PER_CHANGE: usize = 1024;
/// If one event of this many is beyond the wheel, the wheel is too short.
const OVERFLOW_SHARE: u64 = 8;
/// The narrowest and the widest slot: 1 ns, 70 s.
const MIN_SHIFT: u32 = 10;
const MAX_SHIFT: u32 = 46;

impl<E: Copy> Default for EventQueue<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy> EventQueue<E> {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self {
            current: Vec::new(),
            cursor: 1,
            shift: INITIAL_SHIFT,
            wheel: Box::new([EMPTY; SLOTS]),
            occupied: [0; SLOTS / 64],
            chunks: Vec::new(),
            free: NO_CHUNK,
            overflow: BinaryHeap::new(),
            inserted: 0,
            stats: SlotStats::default(),
        }
    }

    /// The time of the next event.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        if let Some(entry) = self.current.last() {
            return Some(entry.key.time);
        }
        match self.next_occupied() {
            Some(slot) => self.entries_in(slot).map(|entry| entry.key.time).min(),
            None => self.overflow.peek().map(|first| first.0.key.time),
        }
    }

    /// The entries in a slot of the wheel, in no particular order.
    fn entries_in(&self, slot: u64) -> impl Iterator<Item = &Entry<E>> {
        let Slot { first, events } = self.wheel[slot as usize % SLOTS];
        let first = self.chunks.get(first as usize).map(|chunk| (chunk, events as usize));
        let after = |chunk: &Chunk<E>| self.chunks.get(chunk.next as usize).map(|chunk| (chunk, CHUNK));
        std::iter::successors(first, move |(chunk, _)| after(chunk))
            .flat_map(|(chunk, events)| &chunk.entries[..events])
    }

    /// The events before a time, in no particular order.
    pub(crate) fn before(&self, limit: Time) -> impl Iterator<Item = (Time, &E)> {
        let next = |slot: &u64| self.occupied_from(slot + 1);
        // From the end of the wheel the search begins anew.
        let end = (self.slot_of(limit) + 1).min(self.cursor + SLOTS as u64);
        let slots = std::iter::successors(self.next_occupied(), next).take_while(move |slot| *slot < end);
        let entries = slots.flat_map(|slot| self.entries_in(slot));
        let entries = entries.chain(&self.current).chain(self.overflow.iter().map(|entry| &entry.0));
        entries.map(|entry| (entry.key.time, &entry.event)).filter(move |(time, _)| *time < limit)
    }

    /// The events of the current slot, the next one first.
    pub(crate) fn in_current_slot(&self) -> impl Iterator<Item = &E> {
        self.current.iter().rev().map(|entry| &entry.event)
    }

    /// The events of the next slot, in no particular order, as far as they are known now.
    pub(crate) fn in_next_slot(&self) -> impl Iterator<Item = &E> {
        let slot = self.next_occupied().into_iter();
        slot.flat_map(|slot| self.entries_in(slot)).map(|entry| &entry.event)
    }

    /// The storage that [`EventQueue::in_next_slot`] will read first after the next slot has begun.
    pub(crate) fn storage_after_next_slot(&self) -> Option<&impl Sized> {
        let after = self.occupied_from(self.next_occupied()? + 1)?;
        self.chunks.get(self.wheel[after as usize % SLOTS].first as usize)
    }

    /// Inserts an event after those that are scheduled for the same time.
    pub fn insert(&mut self, time: Time, event: E) {
        let order = self.next_order();
        self.schedule(EventKey { time, order }, event);
    }

    /// The next insertion number.
    #[inline]
    pub fn next_order(&mut self) -> u64 {
        self.inserted += 1;
        self.inserted
    }

    /// Schedules an event whose insertion number was taken before.
    #[inline(always)]
    pub fn schedule(&mut self, key: EventKey, event: E) {
        self.stats.inserted += 1;
        self.place(key, event);
    }

    /// Whether all events of the current slot have been removed.
    #[inline(always)]
    pub(crate) fn is_slot_over(&self) -> bool {
        self.current.is_empty()
    }

    /// Removes the next event if it is due by `until`.
    #[inline(always)]
    pub fn pop_until(&mut self, until: Time) -> Option<(EventKey, E)> {
        if self.is_slot_over() && !self.begin_slot(until) {
            return None;
        }
        let Entry { key, event } = *self.current.last()?;
        if key.time > until {
            return None;
        }
        self.current.pop();
        Some((key, event))
    }

    #[inline]
    fn slot_of(&self, time: Time) -> u64 {
        time.as_ps() >> self.shift
    }

    // Key and event are separate arguments: the compiler would build an entry in one place and copy it to another.
    #[inline(always)]
    fn place(&mut self, key: EventKey, event: E) {
        const HALF: u64 = SLOTS as u64 / 2;
        let slot = self.slot_of(key.time);
        // Wraps around for the current slot, so that it is not in the wheel either.
        let distance = slot.wrapping_sub(self.cursor);
        if distance < 2 * HALF {
            self.stats.second_half += u64::from(distance >= HALF);
            self.place_in_wheel(slot, key, event);
        } else {
            self.place_outside_wheel(slot, key, event);
        }
    }

    #[inline(never)]
    fn place_outside_wheel(&mut self, slot: u64, key: EventKey, event: E) {
        let entry = Entry { key, event };
        if slot < self.cursor {
            let at = self.current.partition_point(|other| *other > entry);
            self.current.insert(at, entry);
        } else {
            self.stats.overflowed += 1;
            self.overflow.push(Reverse(entry));
        }
    }

    #[inline(always)]
    fn place_in_wheel(&mut self, slot: u64, key: EventKey, event: E) {
        let at = slot as usize % SLOTS;
        let Slot { first, events } = &mut self.wheel[at];
        if (*events as usize) < CHUNK {
            self.chunks[*first as usize].entries[*events as usize] = Entry { key, event };
            *events += 1;
        } else {
            self.place_in_new_chunk(at, key, event);
        }
    }

    #[inline(always)]
    fn place_in_new_chunk(&mut self, at: usize, key: EventKey, event: E) {
        if self.free == NO_CHUNK {
            self.grow(key, event);
        }
        let first = self.free;
        let chunk = &mut self.chunks[first as usize];
        self.free = std::mem::replace(&mut chunk.next, self.wheel[at].first);
        chunk.entries[0] = Entry { key, event };
        self.wheel[at] = Slot { first, events: 1 };
        self.occupied[at / 64] |= 1 << (at % 64);
    }

    /// Adds a free chunk, filled with copies of an entry because there is no empty one.
    #[cold]
    fn grow(&mut self, key: EventKey, event: E) {
        self.free = self.chunks.len() as u32;
        self.chunks.push(Chunk { entries: [Entry { key, event }; CHUNK], next: NO_CHUNK });
    }

    /// The next slot that has events in the wheel.
    #[inline]
    fn next_occupied(&self) -> Option<u64> {
        self.occupied_from(self.cursor)
    }

    /// The first slot from this one on that has events in the wheel.
    #[inline]
    fn occupied_from(&self, slot: u64) -> Option<u64> {
        const WORDS: usize = SLOTS / 64;
        let at = slot as usize % SLOTS;
        let (word, bit) = (at / 64, at % 64);
        let bits = self.occupied[word] >> bit;
        if bits != 0 {
            return Some(slot + u64::from(bits.trailing_zeros()));
        }
        // The last step is for the slots of the first word before this one.
        for step in 1..=WORDS {
            let bits = self.occupied[(word + step) % WORDS];
            if bits != 0 {
                return Some(slot - bit as u64 + 64 * step as u64 + u64::from(bits.trailing_zeros()));
            }
        }
        None
    }

    /// Makes the next slot with events the current one, unless it begins after `until`. False if there is none. The
    /// current one must be over.
    #[inline(never)]
    pub(crate) fn begin_slot(&mut self, until: Time) -> bool {
        self.adapt_width();
        let overflow = self.overflow.peek().map(|first| self.slot_of(first.0.key.time));
        let first = self.next_occupied().into_iter().chain(overflow).min();
        let Some(slot) = first.filter(|slot| *slot <= self.slot_of(until)) else { return false };
        self.cursor = slot;
        if overflow.is_some_and(|overflow| overflow < slot + SLOTS as u64) {
            self.cascade();
        }
        self.drain_slot(slot as usize % SLOTS);
        self.cursor = slot + 1;
        self.current.sort_unstable_by_key(|entry| Reverse(entry.key));
        self.stats.slots += 1;
        self.stats.events += self.current.len() as u64;
        true
    }

    /// Moves the events of a slot of the wheel to the current ones and frees its chunks.
    #[inline(always)]
    fn drain_slot(&mut self, slot: usize) {
        let Slot { first, mut events } = std::mem::replace(&mut self.wheel[slot], EMPTY);
        let mut next = first;
        while let Some(chunk) = self.chunks.get_mut(next as usize) {
            // Copying the whole chunk, used or not, needs no loop.
            let before = self.current.len();
            self.current.extend_from_slice(&chunk.entries);
            self.current.truncate(before + events as usize);
            events = CHUNK as u32;
            next = chunk.next;
            if next == NO_CHUNK {
                chunk.next = std::mem::replace(&mut self.free, first);
            }
        }
        self.occupied[slot / 64] &= !(1 << (slot % 64));
    }

    /// Moves events from the heap into the wheel, as far as it reaches now.
    fn cascade(&mut self) {
        let end = self.cursor + SLOTS as u64;
        while let Some(&Reverse(entry)) = self.overflow.peek() {
            let slot = self.slot_of(entry.key.time);
            if slot >= end {
                break;
            }
            self.overflow.pop();
            self.place_in_wheel(slot, entry.key, entry.event);
        }
    }

    /// Changes the width of the slots if it does not suit the events. There must be no current events.
    #[inline]
    fn adapt_width(&mut self) {
        // Moving every event must cost less than the work done since the last time.
        if self.stats.inserted >= MIN_EVENTS_PER_CHANGE.max(CHUNK * self.chunks.len()) as u64 {
            self.adapt_width_now();
        }
    }

    fn adapt_width_now(&mut self) {
        let SlotStats { inserted, overflowed, second_half, slots, events } = std::mem::take(&mut self.stats);
        if overflowed * OVERFLOW_SHARE > inserted || events < MIN_EVENTS_PER_SLOT * slots {
            self.set_shift(self.shift + 1);
        } else if events > MAX_EVENTS_PER_SLOT * slots
            && (overflowed + second_half) * OVERFLOW_SHARE < inserted
        {
            // A wheel half as long is long enough too, so the width does not oscillate.
            self.set_shift(self.shift - 1);
        }
    }

    fn set_shift(&mut self, shift: u32) {
        let shift = shift.clamp(MIN_SHIFT, MAX_SHIFT);
        let current_end = self.cursor << self.shift;
        while let Some(slot) = self.next_occupied() {
            self.cursor = slot;
            self.drain_slot(slot as usize % SLOTS);
        }
        let mut entries = std::mem::take(&mut self.current);
        entries.extend(self.overflow.drain().map(|entry| entry.0));
        self.shift = shift;
        self.cursor = current_end >> shift;
        entries.into_iter().for_each(|entry| self.place(entry.key, entry.event));
        self.stats = SlotStats::default();
    }
}

#[cfg(test)]
mod tests;
