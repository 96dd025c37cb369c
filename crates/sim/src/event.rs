//! The order of events, and the agenda that keeps it.
//!
//! There is one entry for each component (a host, a link), not for each packet: the heap stays
//! as small as the network, and a component that changes its mind moves its entry.

use crate::time::Time;

/// When an event happens: by time, and among equal times in the order of scheduling. The order
/// is total, so a run has one history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventKey {
    /// When.
    pub time: Time,
    /// Insertion number.
    pub order: u64,
}

const ABSENT: u32 = u32::MAX;

/// The next event of each component: an indexed binary heap.
///
/// What was taken last stays at the top until something else is wanted: most components that have an
/// event have another one soon, and then one way down the heap does instead of two.
#[derive(Clone, Debug)]
pub struct Agenda {
    heap: Vec<Entry>,
    /// Where each component stands in the heap.
    place: Vec<u32>,
    /// Whether the event at the top has been taken.
    top_is_taken: bool,
    scheduled: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: EventKey,
    component: u32,
}

impl Agenda {
    /// An empty agenda for components `0..components`.
    #[must_use]
    pub fn new(components: usize) -> Self {
        let heap = Vec::with_capacity(components);
        Self { heap, place: vec![ABSENT; components], top_is_taken: false, scheduled: 0 }
    }

    /// The time of the next event.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        let (first, count) = if self.top_is_taken { (1, 2) } else { (0, 1) };
        self.heap.iter().skip(first).take(count).map(|entry| entry.key.time).min()
    }

    /// When `component` has its next event; [`Time::NEVER`] if it has none.
    #[must_use]
    pub fn time_of(&self, component: usize) -> Time {
        match self.place[component] {
            ABSENT => Time::NEVER,
            0 if self.top_is_taken => Time::NEVER,
            place => self.heap[place as usize].key.time,
        }
    }

    /// Puts the next event of `component` at `time`, in place of the one it had. An event at
    /// [`Time::NEVER`] is none.
    pub fn schedule(&mut self, component: usize, time: Time) {
        if time == self.time_of(component) {
            return;
        }
        if self.top_is_taken && time < self.heap[0].key.time {
            self.settle();
        }
        self.scheduled += 1;
        let entry = Entry { key: EventKey { time, order: self.scheduled }, component: component as u32 };
        match (self.place[component], time == Time::NEVER) {
            (0, _) if self.top_is_taken => {
                self.top_is_taken = false;
                self.sink(0, entry);
            }
            (ABSENT, true) => {}
            (ABSENT, false) => {
                self.heap.push(entry);
                self.rise(self.heap.len() - 1, entry);
            }
            (place, true) => self.remove(place as usize),
            (place, false) => self.move_from(place as usize, entry),
        }
    }

    /// Takes the next event if it is due by `until`.
    pub fn pop_until(&mut self, until: Time) -> Option<(Time, usize)> {
        self.settle();
        let Entry { key: EventKey { time, .. }, component } = *self.heap.first()?;
        if time > until {
            return None;
        }
        self.top_is_taken = true;
        Some((time, component as usize))
    }

    /// Takes out what was taken and has no other event.
    fn settle(&mut self) {
        if std::mem::take(&mut self.top_is_taken) {
            self.remove(0);
        }
    }

    fn remove(&mut self, place: usize) {
        let gone = self.heap.swap_remove(place);
        self.place[gone.component as usize] = ABSENT;
        if let Some(&entry) = self.heap.get(place) {
            self.move_from(place, entry);
        }
    }

    /// Puts an entry where it belongs, above or below a place.
    fn move_from(&mut self, place: usize, entry: Entry) {
        let risen = self.rise(place, entry);
        if risen == place {
            self.sink(place, entry);
        }
    }

    fn put(&mut self, place: usize, entry: Entry) {
        self.heap[place] = entry;
        self.place[entry.component as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize, entry: Entry) -> usize {
        while place > 0 {
            let parent = (place - 1) / 2;
            if entry.key >= self.heap[parent].key {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, entry);
        place
    }

    fn sink(&mut self, mut place: usize, entry: Entry) {
        loop {
            let mut child = 2 * place + 1;
            let Some(left) = self.heap.get(child) else { break };
            let mut least = left.key;
            if let Some(right) = self.heap.get(child + 1).filter(|right| right.key < least) {
                least = right.key;
                child += 1;
            }
            if least >= entry.key {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn equal_times_come_in_the_order_of_scheduling() {
        let mut agenda = Agenda::new(3);
        for component in [2, 0, 1] {
            agenda.schedule(component, Time::from_secs(1));
        }
        let order: Vec<_> = std::iter::from_fn(|| agenda.pop_until(Time::NEVER)).map(|e| e.1).collect();
        assert_eq!(order, [2, 0, 1]);
    }

    #[test]
    fn nothing_is_taken_before_its_time() {
        let mut agenda = Agenda::new(1);
        agenda.schedule(0, Time::from_secs(2));
        assert_eq!(agenda.pop_until(Time::from_secs(1)), None);
        assert_eq!(agenda.next_time(), Some(Time::from_secs(2)));
    }

    proptest! {
        /// Against a sorted map that is told the same.
        #[test]
        fn agrees_with_a_sorted_map(steps in prop::collection::vec((0usize..6, 0u64..20, any::<bool>()), 1..200)) {
            let mut agenda = Agenda::new(6);
            let mut plain: BTreeMap<usize, EventKey> = BTreeMap::new();
            let mut scheduled = 0;
            for (component, time, pop) in steps {
                if pop {
                    let due = plain.iter().min_by_key(|(_, key)| **key).map(|(c, key)| (key.time, *c));
                    if let Some((_, c)) = due {
                        plain.remove(&c);
                    }
                    prop_assert_eq!(agenda.next_time(), due.map(|due| due.0));
                    prop_assert_eq!(agenda.pop_until(Time::NEVER), due);
                } else {
                    // Time 19 stands for "never", which takes the entry out.
                    let time = if time == 19 { Time::NEVER } else { Time::from_ps(time) };
                    agenda.schedule(component, time);
                    if time == Time::NEVER {
                        plain.remove(&component);
                    } else if plain.get(&component).is_none_or(|key| key.time != time) {
                        scheduled += 1;
                        plain.insert(component, EventKey { time, order: scheduled });
                    }
                }
            }
        }
    }
}
