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
#[derive(Clone, Debug)]
pub struct Agenda {
    /// Components, heap-ordered by key.
    heap: Vec<u32>,
    /// Where each component stands in the heap.
    place: Vec<u32>,
    key: Vec<EventKey>,
    scheduled: u64,
}

impl Agenda {
    /// An empty agenda for components `0..components`.
    #[must_use]
    pub fn new(components: usize) -> Self {
        let never = EventKey { time: Time::NEVER, order: 0 };
        Self {
            heap: Vec::with_capacity(components),
            place: vec![ABSENT; components],
            key: vec![never; components],
            scheduled: 0,
        }
    }

    /// The time of the next event.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        self.heap.first().map(|&component| self.key[component as usize].time)
    }

    /// When `component` has its next event; [`Time::NEVER`] if it has none.
    #[must_use]
    pub fn time_of(&self, component: usize) -> Time {
        self.key[component].time
    }

    /// Puts the next event of `component` at `time`, in place of the one it had. An event at
    /// [`Time::NEVER`] is none.
    pub fn schedule(&mut self, component: usize, time: Time) {
        if time == self.key[component].time {
            return;
        }
        self.scheduled += 1;
        self.key[component] = EventKey { time, order: self.scheduled };
        match (self.place[component], time == Time::NEVER) {
            (ABSENT, true) => {}
            (ABSENT, false) => {
                self.heap.push(component as u32);
                self.rise(self.heap.len() - 1);
            }
            (place, true) => self.remove(place as usize),
            (place, false) => {
                let place = self.rise(place as usize);
                self.sink(place);
            }
        }
    }

    /// Takes the next event if it is due by `until`.
    pub fn pop_until(&mut self, until: Time) -> Option<(Time, usize)> {
        let component = *self.heap.first()? as usize;
        let time = self.key[component].time;
        if time > until {
            return None;
        }
        self.key[component].time = Time::NEVER;
        self.remove(0);
        Some((time, component))
    }

    fn remove(&mut self, place: usize) {
        let gone = self.heap.swap_remove(place);
        self.place[gone as usize] = ABSENT;
        if place < self.heap.len() {
            let place = self.rise(place);
            self.sink(place);
        }
    }

    fn before(&self, a: u32, b: u32) -> bool {
        self.key[a as usize] < self.key[b as usize]
    }

    fn put(&mut self, place: usize, component: u32) {
        self.heap[place] = component;
        self.place[component as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize) -> usize {
        let moving = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            if !self.before(moving, self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, moving);
        place
    }

    fn sink(&mut self, mut place: usize) {
        let moving = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], moving) {
                break;
            }
            self.put(place, self.heap[child]);
            place = child;
        }
        self.put(place, moving);
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
