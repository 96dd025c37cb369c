//! The order of events, and the agenda that keeps it.
//!
//! Source: the calendar queue of Brown 1988, in the form of a wheel of unsorted slots (Varghese and Lauck 1987) of which
//! the present one is sorted. Taking in and giving out an event costs the same with ten events as with a
//! million. The width of a slot follows the events; the order in which they come does not depend on it.

use base::Time;
use key::Entry;
use prefetch_index::prefetch_index;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

mod key;

pub use key::EventKey;

/// Events that are to come.
///
/// Those of the present slot of time stand in a sorted list, those of the next [`SLOTS`] slots in the wheel,
/// a chain for each slot, and those beyond in a heap, from which they go into the wheel as time passes. An
/// event goes from one to the other, so it should be small.
#[derive(Debug)]
pub struct Agenda<E> {
    /// Events before the end of the present slot, the first of them last.
    near: Vec<Entry<E>>,
    /// The first slot that is not present: all events of `wheel` and `far` are in it or later.
    next_slot: u64,
    /// A slot is `1 << shift` ps wide.
    shift: u32,
    wheel: Vec<Slot>,
    /// A bit for each slot of the wheel that has events.
    occupied: [u64; SLOTS / 64],
    /// What the chains consist of.
    chunks: Vec<Chunk<E>>,
    /// The chain of the chunks that are free, the one used last first.
    free: u32,
    /// Events beyond the wheel, the first on top.
    far: BinaryHeap<Reverse<Entry<E>>>,
    inserted: u64,
    use_since: Use,
    ahead: Ahead,
}

/// What [`Agenda::ahead`] tells next.
#[derive(Clone, Copy, Debug)]
enum Ahead {
    /// What comes first in the next slot.
    First,
    /// What is in this chunk; [`NONE`] if all has been told.
    Chunk(u32),
}

/// A slot of the wheel: a chain of chunks, of which all but the first are full.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The first chunk; [`NONE`] if there is none.
    first: u32,
    /// Events in it.
    events: u32,
}

/// No chunk is like one that is full: the next event needs another.
const EMPTY: Slot = Slot { first: NONE, events: CHUNK as u32 };

/// Events of one slot, side by side: to follow a chain from event to event would be to wait for the memory as often.
#[derive(Clone, Copy, Debug)]
struct Chunk<E> {
    entries: [Entry<E>; CHUNK],
    /// The next one of the chain.
    next: u32,
}

/// Events in a chunk: with the small ones of a world, two cache lines.
pub(crate) const CHUNK: usize = 5;

/// No chunk: the end of a chain.
const NONE: u32 = u32::MAX;

/// What the wheel has been used for since its slots got their width.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    inserted: u64,
    /// Of these, beyond the wheel.
    far: u64,
    /// Of these, in the second half of the wheel: beyond a wheel of slots half as wide.
    late: u64,
    /// Slots that had events when they became present.
    slots: u64,
    /// Events in them.
    events: u64,
}

/// Slots of the wheel.
const SLOTS: usize = 16_384;
/// The first width of a slot: 16.8 us.
const FIRST_SHIFT: u32 = 24;
/// A slot that has more events than this is too wide, if the wheel is not too short.
const MANY: u64 = 24;
/// A slot that has fewer than this is too narrow.
const FEW: u64 = 6;
/// One of so many events beyond the wheel is too many.
const FAR_SHARE: u64 = 8;
/// The least and the largest width of a slot: 1 ns, 70 s.
const LEAST_SHIFT: u32 = 10;
const MOST_SHIFT: u32 = 46;

impl<E: Copy> Default for Agenda<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy> Agenda<E> {
    /// An empty agenda.
    #[must_use]
    pub fn new() -> Self {
        Self {
            near: Vec::new(),
            next_slot: 1,
            shift: FIRST_SHIFT,
            wheel: vec![EMPTY; SLOTS],
            occupied: [0; SLOTS / 64],
            chunks: Vec::new(),
            free: NONE,
            far: BinaryHeap::new(),
            inserted: 0,
            use_since: Use::default(),
            ahead: Ahead::First,
        }
    }

    /// When the next event happens.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        if let Some(entry) = self.near.last() {
            return Some(entry.key.time);
        }
        match self.next_occupied() {
            Some(slot) => self.events_in(slot as usize % SLOTS).map(|entry| entry.key.time).min(),
            None => self.far.peek().map(|first| first.0.key.time),
        }
    }

    /// The events in a slot of the wheel.
    fn events_in(&self, slot: usize) -> impl Iterator<Item = &Entry<E>> {
        let Slot { first, events } = self.wheel[slot];
        let first = self.chunks.get(first as usize).map(|chunk| (chunk, events as usize));
        let after = |chunk: &Chunk<E>| self.chunks.get(chunk.next as usize).map(|chunk| (chunk, CHUNK));
        std::iter::successors(first, move |(chunk, _)| after(chunk))
            .flat_map(|(chunk, events)| &chunk.entries[..events])
    }

    /// Whether as many events have been taken out as [`Agenda::ahead`] should tell the next of.
    #[inline]
    pub(crate) fn is_time_to_look_ahead(&self) -> bool {
        // A little more often, so that all are told of before their slot becomes the present one.
        self.near.len().is_multiple_of(CHUNK - 1)
    }

    /// A few more of the events in the slot after the present one, in no order. Those that come into it
    /// meanwhile may be left out.
    pub(crate) fn ahead(&mut self) -> [Option<E>; CHUNK] {
        let (chunk, events) = match self.ahead {
            Ahead::Chunk(chunk) => (chunk, CHUNK),
            Ahead::First => self.next_occupied().map_or((NONE, 0), |slot| {
                let Slot { first, events } = self.wheel[slot as usize % SLOTS];
                (first, events as usize)
            }),
        };
        let Some(Chunk { entries, next }) = self.chunks.get(chunk as usize) else { return [None; CHUNK] };
        prefetch_index(&self.chunks, *next as usize);
        self.ahead = Ahead::Chunk(*next);
        let mut number = 0;
        entries.map(|entry| {
            number += 1;
            (number <= events).then_some(entry.event)
        })
    }

    /// Adds an event behind those that happen at the same time.
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

    /// Adds an event whose order is the next, or one that it was given before.
    #[inline(always)]
    pub fn schedule(&mut self, key: EventKey, event: E) {
        self.use_since.inserted += 1;
        self.put(key, event);
    }

    /// Takes out the next event if it is due by `until`.
    #[inline(always)]
    pub fn pop_until(&mut self, until: Time) -> Option<(EventKey, E)> {
        if self.near.is_empty() && !self.turn(until) {
            return None;
        }
        let Entry { key, event } = *self.near.last()?;
        if key.time > until {
            return None;
        }
        self.near.pop();
        Some((key, event))
    }

    #[inline]
    fn slot_of(&self, time: Time) -> u64 {
        time.as_ps() >> self.shift
    }

    // Key and event by themselves: an entry would first be put together where it does not stay.
    #[inline(always)]
    fn put(&mut self, key: EventKey, event: E) {
        const HALF: u64 = SLOTS as u64 / 2;
        let slot = self.slot_of(key.time);
        // What is near is below, and so beyond all of the wheel.
        let ahead = slot.wrapping_sub(self.next_slot);
        if ahead < 2 * HALF {
            self.use_since.late += u64::from(ahead >= HALF);
            self.put_in_wheel(slot, key, event);
        } else {
            self.put_beside(slot, key, event);
        }
    }

    #[inline(never)]
    fn put_beside(&mut self, slot: u64, key: EventKey, event: E) {
        let entry = Entry { key, event };
        if slot < self.next_slot {
            let at = self.near.partition_point(|other| *other > entry);
            self.near.insert(at, entry);
        } else {
            self.use_since.far += 1;
            self.far.push(Reverse(entry));
        }
    }

    #[inline(always)]
    fn put_in_wheel(&mut self, slot: u64, key: EventKey, event: E) {
        let at = slot as usize % SLOTS;
        let Slot { first, events } = &mut self.wheel[at];
        if (*events as usize) < CHUNK {
            self.chunks[*first as usize].entries[*events as usize] = Entry { key, event };
            *events += 1;
        } else {
            self.put_in_chunk(at, key, event);
        }
    }

    /// Begins another chunk of a slot.
    #[inline(always)]
    fn put_in_chunk(&mut self, at: usize, key: EventKey, event: E) {
        if self.free == NONE {
            self.grow(key, event);
        }
        let first = self.free;
        let chunk = &mut self.chunks[first as usize];
        self.free = std::mem::replace(&mut chunk.next, self.wheel[at].first);
        chunk.entries[0] = Entry { key, event };
        self.wheel[at] = Slot { first, events: 1 };
        self.occupied[at / 64] |= 1 << (at % 64);
    }

    /// Adds a free chunk. There is no entry that stands for none, so it is filled with copies of one.
    #[cold]
    fn grow(&mut self, key: EventKey, event: E) {
        self.free = self.chunks.len() as u32;
        self.chunks.push(Chunk { entries: [Entry { key, event }; CHUNK], next: NONE });
    }

    /// The first slot from `next_slot` on that has events in the wheel.
    #[inline]
    fn next_occupied(&self) -> Option<u64> {
        const WORDS: usize = SLOTS / 64;
        let at = self.next_slot as usize % SLOTS;
        let (word, bit) = (at / 64, at % 64);
        for step in 0..=WORDS {
            let mut bits = self.occupied[(word + step) % WORDS];
            match step {
                0 => bits &= !0 << bit,
                WORDS => bits &= !(!0 << bit),
                _ => {}
            }
            if bits != 0 {
                let ahead = 64 * step as u64 + u64::from(bits.trailing_zeros()) - bit as u64;
                return Some(self.next_slot + ahead);
            }
        }
        None
    }

    /// Makes the next slot with events the present one, unless it begins after `until`. False if
    /// there is none.
    #[inline(never)]
    fn turn(&mut self, until: Time) -> bool {
        self.fit();
        let far = self.far.peek().map(|first| self.slot_of(first.0.key.time));
        let first = self.next_occupied().into_iter().chain(far).min();
        let Some(slot) = first.filter(|slot| *slot <= self.slot_of(until)) else { return false };
        self.next_slot = slot;
        if far.is_some_and(|far| far < slot + SLOTS as u64) {
            self.bring_nearer();
        }
        self.empty(slot as usize % SLOTS);
        self.next_slot = slot + 1;
        self.ahead = Ahead::First;
        self.near.sort_unstable_by_key(|entry| Reverse(entry.key));
        self.use_since.slots += 1;
        self.use_since.events += self.near.len() as u64;
        true
    }

    /// Takes the events out of a slot of the wheel. Their chunks are free.
    #[inline]
    fn empty(&mut self, slot: usize) {
        let Slot { first, mut events } = std::mem::replace(&mut self.wheel[slot], EMPTY);
        let mut next = first;
        while let Some(chunk) = self.chunks.get_mut(next as usize) {
            // To copy all of it, whatever is in it, takes no loop.
            let had = self.near.len();
            self.near.extend_from_slice(&chunk.entries);
            self.near.truncate(had + events as usize);
            events = CHUNK as u32;
            next = chunk.next;
            if next == NONE {
                chunk.next = std::mem::replace(&mut self.free, first);
            }
        }
        self.occupied[slot / 64] &= !(1 << (slot % 64));
    }

    /// Takes events from the heap into the wheel.
    fn bring_nearer(&mut self) {
        let end = self.next_slot + SLOTS as u64;
        while let Some(&Reverse(entry)) = self.far.peek() {
            let slot = self.slot_of(entry.key.time);
            if slot >= end {
                break;
            }
            self.far.pop();
            self.put_in_wheel(slot, entry.key, entry.event);
        }
    }

    /// Gives the slots another width if theirs does not fit the events. Nothing is near.
    #[inline]
    fn fit(&mut self) {
        // To put everything elsewhere must cost less than what was done in the meantime.
        if self.use_since.inserted >= (SLOTS as u64).max((CHUNK * self.chunks.len()) as u64) {
            self.fit_now();
        }
    }

    fn fit_now(&mut self) {
        let Use { inserted, far, late, slots, events } = std::mem::take(&mut self.use_since);
        if far * FAR_SHARE > inserted || events < FEW * slots {
            self.set_shift(self.shift + 1);
        } else if events > MANY * slots && (far + late) * FAR_SHARE < inserted {
            // Not too many are beyond a wheel half as long either: the width does not go to and fro.
            self.set_shift(self.shift - 1);
        }
    }

    fn set_shift(&mut self, shift: u32) {
        let shift = shift.clamp(LEAST_SHIFT, MOST_SHIFT);
        let present_ends = self.next_slot << self.shift;
        (0..SLOTS).for_each(|slot| self.empty(slot));
        let mut entries = std::mem::take(&mut self.near);
        entries.extend(self.far.drain().map(|entry| entry.0));
        self.shift = shift;
        self.next_slot = present_ends >> shift;
        entries.into_iter().for_each(|entry| self.put(entry.key, entry.event));
        self.use_since = Use::default();
    }
}

#[cfg(test)]
mod tests;
