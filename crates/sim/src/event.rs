//! The order of events, and the agenda that keeps it.
//!
//! Source: the calendar queue of Brown 1988, in the form of a wheel of unsorted slots (Varghese and Lauck 1987) of which
//! the present one is sorted. Taking in and giving out an event costs the same with ten events as with a
//! million. The width of a slot follows the events; the order in which they come does not depend on it.

use crate::time::Time;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// When an event happens: by time, and among equal times in the order of insertion. The order
/// is total, so a run has one history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKey {
    /// When.
    pub time: Time,
    /// Insertion number.
    pub order: u64,
}

impl EventKey {
    /// One number for both, which compares without a branch that the processor would have to guess.
    #[inline]
    fn rank(self) -> u128 {
        u128::from(self.time.as_ps()) << 64 | u128::from(self.order)
    }
}

impl Ord for EventKey {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for EventKey {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Events that are to come.
///
/// Those of the present slot of time stand in a sorted list, those of the next [`SLOTS`] slots in the wheel,
/// a chain for each slot, and those beyond in a heap, from which they go into the wheel as time passes.
#[derive(Debug)]
pub struct Agenda<E> {
    /// Events before the end of the present slot, the first of them last.
    near: Vec<Entry>,
    /// The first slot that is not present: all events of `wheel` and `far` are in it or later.
    next_slot: u64,
    /// A slot is `1 << shift` ps wide.
    shift: u32,
    /// For each slot, the event that was put into it last; [`Place::NONE`] if there is none.
    wheel: Vec<Place>,
    /// A bit for each slot of the wheel that has events.
    occupied: [u64; SLOTS / 64],
    /// Events beyond the wheel, the first on top.
    far: BinaryHeap<Reverse<Entry>>,
    /// The events themselves; none where a place is free.
    events: Vec<Option<E>>,
    /// Of each event in the wheel, how it stands there.
    links: Vec<Chained>,
    /// Places in `events` that are free, the one used last on top.
    free: Vec<Place>,
    inserted: u64,
    use_since: Use,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    key: EventKey,
    place: Place,
}

/// An event in the wheel: when it comes, and which one was put into the same slot before it.
#[derive(Clone, Copy, Debug)]
struct Chained {
    key: EventKey,
    before: Place,
}

/// Where an agenda keeps an event, from [`Agenda::keep`] to [`Agenda::release`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(u32);

impl Place {
    const NONE: Self = Self(u32::MAX);

    #[inline]
    fn at(self) -> usize {
        self.0 as usize
    }
}

/// What the wheel has been used for since its slots got their width.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    inserted: u64,
    /// Of these, beyond the wheel.
    far: u64,
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
const MANY: u64 = 8;
/// A slot that has fewer than this is too narrow.
const FEW: u64 = 2;
/// One of so many events beyond the wheel is too many.
const FAR_SHARE: u64 = 8;
/// What is held of a place that is used.
const KEPT: &str = "the event is kept";
/// The least and the largest width of a slot: 1 ns, 70 s.
const LEAST_SHIFT: u32 = 10;
const MOST_SHIFT: u32 = 46;

impl<E> Default for Agenda<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Agenda<E> {
    /// An empty agenda.
    #[must_use]
    pub fn new() -> Self {
        Self {
            near: Vec::new(),
            next_slot: 1,
            shift: FIRST_SHIFT,
            wheel: vec![Place::NONE; SLOTS],
            occupied: [0; SLOTS / 64],
            far: BinaryHeap::new(),
            events: Vec::new(),
            links: Vec::new(),
            free: Vec::new(),
            inserted: 0,
            use_since: Use::default(),
        }
    }

    /// The events that are to come, in no particular order.
    pub fn events(&self) -> impl Iterator<Item = &E> {
        let wheel = (0..SLOTS).flat_map(|slot| self.chain(slot));
        let far = self.far.iter().map(|entry| &entry.0);
        self.near.iter().chain(far).copied().chain(wheel).map(|entry| self.get(entry.place))
    }

    /// The events in a slot of the wheel, the one put in last first.
    fn chain(&self, slot: usize) -> impl Iterator<Item = Entry> {
        let mut next = self.wheel[slot];
        std::iter::from_fn(move || {
            let place = next;
            let Chained { key, before } = *self.links.get(place.at())?;
            next = before;
            Some(Entry { key, place })
        })
    }

    /// When the next event happens.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        if let Some(entry) = self.near.last() {
            return Some(entry.key.time);
        }
        match self.next_occupied() {
            Some(slot) => self.chain(slot as usize % SLOTS).map(|entry| entry.key.time).min(),
            None => self.far.peek().map(|first| first.0.key.time),
        }
    }

    /// Adds an event behind those that happen at the same time.
    pub fn insert(&mut self, time: Time, event: E) {
        let key = EventKey { time, order: self.next_order() };
        let place = self.keep(event);
        self.schedule(key, place);
    }

    /// The next insertion number.
    #[inline]
    pub fn next_order(&mut self) -> u64 {
        self.inserted += 1;
        self.inserted
    }

    /// Keeps an event that is not to come yet.
    #[inline(always)]
    pub fn keep(&mut self, event: E) -> Place {
        if self.free.is_empty() {
            self.make_room();
        }
        let place = self.free.pop().expect("there is room");
        self.events[place.at()] = Some(event);
        place
    }

    #[cold]
    fn make_room(&mut self) {
        self.free.push(Place(self.events.len() as u32));
        self.events.push(None);
        self.links.push(Chained { key: EventKey { time: Time::NEVER, order: 0 }, before: Place::NONE });
    }

    /// An event that is kept.
    ///
    /// # Panics
    /// If it is not.
    #[inline]
    #[must_use]
    pub fn get(&self, place: Place) -> &E {
        self.events[place.at()].as_ref().expect(KEPT)
    }

    /// An event that is kept, to be changed.
    ///
    /// # Panics
    /// If it is not.
    #[inline]
    pub fn get_mut(&mut self, place: Place) -> &mut E {
        self.events[place.at()].as_mut().expect(KEPT)
    }

    /// Keeps an event no longer, which is not to come, and gives it out.
    ///
    /// # Panics
    /// If it is not kept.
    #[inline]
    pub fn release(&mut self, place: Place) -> E {
        self.free.push(place);
        self.events[place.at()].take().expect(KEPT)
    }

    /// Lets an event that is kept come at this time; its order is the next, or one that it was given before.
    #[inline]
    pub fn schedule(&mut self, key: EventKey, place: Place) {
        self.use_since.inserted += 1;
        self.put(Entry { key, place });
    }

    /// Takes out the next event if it is due by `until`; it is kept until it is released.
    #[inline(always)]
    pub fn pop_until(&mut self, until: Time) -> Option<(EventKey, Place)> {
        if self.near.is_empty() && !self.turn(until) {
            return None;
        }
        let Entry { key, place } = *self.near.last()?;
        if key.time > until {
            return None;
        }
        self.near.pop();
        Some((key, place))
    }

    #[inline]
    fn slot_of(&self, time: Time) -> u64 {
        time.as_ps() >> self.shift
    }

    #[inline]
    fn put(&mut self, entry: Entry) {
        let slot = self.slot_of(entry.key.time);
        // What is near is below, and so beyond all of the wheel.
        if slot.wrapping_sub(self.next_slot) < SLOTS as u64 {
            self.put_in_wheel(slot, entry);
        } else {
            self.put_beside(slot, entry);
        }
    }

    fn put_beside(&mut self, slot: u64, entry: Entry) {
        if slot < self.next_slot {
            let at = self.near.partition_point(|other| *other > entry);
            self.near.insert(at, entry);
        } else {
            self.use_since.far += 1;
            self.far.push(Reverse(entry));
        }
    }

    #[inline]
    fn put_in_wheel(&mut self, slot: u64, Entry { key, place }: Entry) {
        let at = slot as usize % SLOTS;
        let before = std::mem::replace(&mut self.wheel[at], place);
        self.links[place.at()] = Chained { key, before };
        self.occupied[at / 64] |= 1 << (at % 64);
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
        self.near.sort_unstable_by_key(|entry| Reverse(entry.key));
        self.use_since.slots += 1;
        self.use_since.events += self.near.len() as u64;
        true
    }

    /// Takes the events out of a slot of the wheel.
    #[inline]
    fn empty(&mut self, slot: usize) {
        let mut next = std::mem::replace(&mut self.wheel[slot], Place::NONE);
        while let Some(&Chained { key, before }) = self.links.get(next.at()) {
            self.near.push(Entry { key, place: next });
            next = before;
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
            self.put_in_wheel(slot, entry);
        }
    }

    /// Gives the slots another width if theirs does not fit the events. Nothing is near.
    #[inline]
    fn fit(&mut self) {
        // To put everything elsewhere must cost less than what was done in the meantime.
        if self.use_since.inserted >= (SLOTS as u64).max(self.events.len() as u64) {
            self.fit_now();
        }
    }

    fn fit_now(&mut self) {
        let Use { inserted, far, slots, events } = std::mem::take(&mut self.use_since);
        if far * FAR_SHARE > inserted || events < FEW * slots {
            self.set_shift(self.shift + 1);
        } else if events > MANY * slots && far * 4 * FAR_SHARE < inserted {
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
        entries.into_iter().for_each(|entry| self.put(entry));
        self.use_since = Use::default();
    }
}

#[cfg(test)]
mod tests;
