//! The order of events, and the agenda that keeps it.
//!
//! Source: the calendar queue of Brown 1988, in the form of a wheel of unsorted slots (Varghese and Lauck 1987) of which
//! the present one is sorted. Taking in and giving out an event costs the same with ten events as with a
//! million. The width of a slot follows the events; the order in which they come does not depend on it.

use crate::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// When an event happens: by time, and among equal times in the order of insertion. The order
/// is total, so a run has one history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventKey {
    /// When.
    pub time: Time,
    /// Insertion number.
    pub order: u64,
}

/// Events that are to come.
///
/// Those of the present slot of time stand in a sorted list, those of the next [`SLOTS`] slots in the wheel,
/// a list for each slot, and those beyond in a heap, from which they go into the wheel as time passes.
#[derive(Debug)]
pub struct Agenda<E> {
    /// Events before the end of the present slot, the first of them last.
    near: Vec<Entry>,
    /// The first slot that is not present: all events of `wheel` and `far` are in it or later.
    next_slot: u64,
    /// A slot is `1 << shift` ps wide.
    shift: u32,
    wheel: Vec<Vec<Entry>>,
    /// A bit for each slot of the wheel that has events.
    occupied: [u64; SLOTS / 64],
    /// Events beyond the wheel, the first on top.
    far: BinaryHeap<Reverse<Entry>>,
    /// The events themselves. What was released stays until another event needs its place.
    events: Vec<E>,
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

/// Where an agenda keeps an event, from [`Agenda::keep`] to [`Agenda::release`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(u32);

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
const SLOTS: usize = 4096;
/// The first width of a slot: 16.8 us.
const FIRST_SHIFT: u32 = 24;
/// A slot that has more events than this is too wide, if the wheel is not too short.
const MANY: u64 = 32;
/// A slot that has fewer than this is too narrow.
const FEW: u64 = 8;
/// One of so many events beyond the wheel is too many.
const FAR_SHARE: u64 = 8;
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
            wheel: vec![Vec::new(); SLOTS],
            occupied: [0; SLOTS / 64],
            far: BinaryHeap::new(),
            events: Vec::new(),
            free: Vec::new(),
            inserted: 0,
            use_since: Use::default(),
        }
    }

    /// The events that are to come, in no particular order.
    pub fn events(&self) -> impl Iterator<Item = &E> {
        let far = self.far.iter().map(|entry| &entry.0);
        let entries = self.near.iter().chain(self.wheel.iter().flatten()).chain(far);
        entries.map(|entry| self.get(entry.place))
    }

    /// When the next event happens.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        if let Some(entry) = self.near.last() {
            return Some(entry.key.time);
        }
        match self.next_occupied() {
            Some(slot) => self.wheel[slot as usize % SLOTS].iter().map(|entry| entry.key.time).min(),
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
    #[inline]
    pub fn keep(&mut self, event: E) -> Place {
        if let Some(place) = self.free.pop() {
            self.events[place.0 as usize] = event;
            return place;
        }
        self.events.push(event);
        Place(self.events.len() as u32 - 1)
    }

    /// An event that is kept.
    #[inline]
    #[must_use]
    pub fn get(&self, place: Place) -> &E {
        &self.events[place.0 as usize]
    }

    /// An event that is kept, to be changed.
    #[inline]
    pub fn get_mut(&mut self, place: Place) -> &mut E {
        &mut self.events[place.0 as usize]
    }

    /// Forgets an event that is not to come.
    #[inline]
    pub fn release(&mut self, place: Place) {
        self.free.push(place);
    }

    /// Lets an event that is kept come at this time; its order is the next, or one that it was given before.
    #[inline]
    pub fn schedule(&mut self, key: EventKey, place: Place) {
        self.use_since.inserted += 1;
        self.put(Entry { key, place });
    }

    /// Takes out the next event if it is due by `until`; it is kept until it is released.
    #[inline]
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

    fn slot_of(&self, time: Time) -> u64 {
        time.as_ps() >> self.shift
    }

    fn put(&mut self, entry: Entry) {
        let slot = self.slot_of(entry.key.time);
        if slot < self.next_slot {
            let at = self.near.partition_point(|other| *other > entry);
            self.near.insert(at, entry);
        } else if slot < self.next_slot + SLOTS as u64 {
            self.put_in_wheel(slot, entry);
        } else {
            self.use_since.far += 1;
            self.far.push(Reverse(entry));
        }
    }

    fn put_in_wheel(&mut self, slot: u64, entry: Entry) {
        let at = slot as usize % SLOTS;
        self.wheel[at].push(entry);
        self.occupied[at / 64] |= 1 << (at % 64);
    }

    /// The first slot from `next_slot` on that has events in the wheel.
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
    fn turn(&mut self, until: Time) -> bool {
        self.fit();
        let far = self.far.peek().map(|first| self.slot_of(first.0.key.time));
        let first = self.next_occupied().into_iter().chain(far).min();
        let Some(slot) = first.filter(|slot| *slot <= self.slot_of(until)) else { return false };
        self.next_slot = slot;
        self.bring_nearer();
        let at = slot as usize % SLOTS;
        std::mem::swap(&mut self.near, &mut self.wheel[at]);
        self.occupied[at / 64] &= !(1 << (at % 64));
        self.next_slot = slot + 1;
        self.near.sort_unstable_by(|one, other| other.cmp(one));
        self.use_since.slots += 1;
        self.use_since.events += self.near.len() as u64;
        true
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
    fn fit(&mut self) {
        let Use { inserted, far, slots, events } = self.use_since;
        // To put everything elsewhere must cost less than what was done in the meantime.
        if inserted < (SLOTS as u64).max(self.events.len() as u64) {
            return;
        }
        self.use_since = Use::default();
        if far * FAR_SHARE > inserted || events < FEW * slots {
            self.set_shift(self.shift + 1);
        } else if events > MANY * slots && far * 4 * FAR_SHARE < inserted {
            self.set_shift(self.shift - 1);
        }
    }

    fn set_shift(&mut self, shift: u32) {
        let shift = shift.clamp(LEAST_SHIFT, MOST_SHIFT);
        let present_ends = self.next_slot << self.shift;
        let mut entries: Vec<Entry> = self.far.drain().map(|entry| entry.0).collect();
        self.wheel.iter_mut().for_each(|slot| entries.append(slot));
        self.occupied = [0; SLOTS / 64];
        self.shift = shift;
        self.next_slot = present_ends >> shift;
        entries.into_iter().for_each(|entry| self.put(entry));
        self.use_since = Use::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn pop<E: Copy>(agenda: &mut Agenda<E>, until: Time) -> Option<(EventKey, E)> {
        let (key, place) = agenda.pop_until(until)?;
        let event = *agenda.get(place);
        agenda.release(place);
        Some((key, event))
    }

    #[test]
    fn equal_times_come_in_the_order_of_insertion() {
        let mut agenda = Agenda::new();
        for event in [2, 0, 1] {
            agenda.insert(Time::from_secs(1), event);
        }
        let order: Vec<_> = std::iter::from_fn(|| pop(&mut agenda, Time::NEVER)).map(|e| e.1).collect();
        assert_eq!(order, [2, 0, 1]);
    }

    #[test]
    fn nothing_is_taken_before_its_time() {
        let mut agenda = Agenda::new();
        agenda.insert(Time::from_secs(2), ());
        assert_eq!(pop(&mut agenda, Time::from_secs(1)), None);
        assert_eq!(agenda.next_time(), Some(Time::from_secs(2)));
    }

    /// A hundred events that come again after up to a hundred steps, of a second or of a nanosecond.
    #[test]
    fn slots_get_the_width_of_the_events() {
        let run = |step: Time| {
            let mut agenda = Agenda::new();
            (0..100).for_each(|number| agenda.insert(Time::ZERO, number));
            for _ in 0..200_000 {
                let (key, number) = pop(&mut agenda, Time::NEVER).expect("a hundred events");
                agenda.insert(key.time + step * (1 + number), number);
            }
            agenda.shift
        };
        let (wide, narrow) = (run(Time::from_secs(1)), run(Time::from_ps(1000)));
        assert!(wide > FIRST_SHIFT && narrow < FIRST_SHIFT, "{wide} {narrow}");
    }

    proptest! {
        /// Against a sorted map that is told the same: with ties, near and far, and pauses in which all is taken.
        #[test]
        fn agrees_with_a_sorted_map(
            steps in prop::collection::vec((0u32..46, 0u64..64, 0u8..4), 1..400),
            rounds in 1usize..40,
        ) {
            let mut agenda = Agenda::new();
            let mut plain: BTreeMap<EventKey, usize> = BTreeMap::new();
            let (mut now, mut inserted) = (Time::ZERO, 0);
            for (number, (shift, times, pops)) in std::iter::repeat_n(&steps, rounds).flatten().enumerate() {
                let (time, until) = (now + Time::from_ps(times << shift), now + Time::from_ps(1 << shift));
                inserted += 1;
                agenda.insert(time, number);
                plain.insert(EventKey { time, order: inserted }, number);
                for _ in 0..*pops {
                    let due = plain.first_key_value().map(|(key, event)| (*key, *event));
                    prop_assert_eq!(agenda.next_time(), due.map(|due| due.0.time));
                    let due = due.filter(|due| due.0.time <= until);
                    prop_assert_eq!(pop(&mut agenda, until), due);
                    if let Some((key, _)) = due {
                        plain.remove(&key);
                        now = key.time;
                    }
                }
            }
            let mut left: Vec<usize> = agenda.events().copied().collect();
            left.sort_unstable();
            let mut expected: Vec<usize> = plain.into_values().collect();
            expected.sort_unstable();
            prop_assert_eq!(left, expected);
        }
    }
}
