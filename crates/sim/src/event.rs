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

/// The next event of each component.
///
/// The events that come next stand in a short sorted list, all others in an indexed binary heap. Most
/// events are entered shortly before they come, and so never see the heap; timers wait there.
#[derive(Clone, Debug)]
pub struct Agenda {
    /// The next events, the first of them last.
    near: Vec<Entry>,
    /// Heap-ordered; none is before one of `near`.
    far: Vec<Entry>,
    /// The next event of each component; at [`Time::NEVER`] if it has none.
    key: Vec<EventKey>,
    /// Where each component stands in `far`.
    place: Vec<u32>,
    scheduled: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: EventKey,
    component: u32,
}

/// Not in `far`.
const ELSEWHERE: u32 = u32::MAX;

/// The list's length: at most, after it was too long or too short, and at least while there is a far
/// event.
const MOST: usize = 32;
const MIDDLE: usize = 16;
const LEAST: usize = 4;

impl Agenda {
    /// An empty agenda for components `0..components`.
    #[must_use]
    pub fn new(components: usize) -> Self {
        Self {
            near: Vec::with_capacity(MOST + 1),
            far: Vec::with_capacity(components),
            key: vec![EventKey { time: Time::NEVER, order: 0 }; components],
            place: vec![ELSEWHERE; components],
            scheduled: 0,
        }
    }

    /// The time of the next event.
    #[must_use]
    pub fn next_time(&self) -> Option<Time> {
        self.near.last().or(self.far.first()).map(|entry| entry.key.time)
    }

    /// When `component` has its next event; [`Time::NEVER`] if it has none.
    #[must_use]
    pub fn time_of(&self, component: usize) -> Time {
        self.key[component].time
    }

    /// Puts the next event of `component` at `time`, in place of the one it had. An event at
    /// [`Time::NEVER`] is none.
    pub fn schedule(&mut self, component: usize, time: Time) {
        let before = self.key[component];
        if time == before.time {
            return;
        }
        self.scheduled += 1;
        let key = EventKey { time, order: self.scheduled };
        self.key[component] = key;
        if before.time != Time::NEVER {
            self.take_out(component, before);
        }
        if time != Time::NEVER {
            self.put_in(Entry { key, component: component as u32 });
        }
    }

    /// Takes the next event if it is due by `until`.
    pub fn pop_until(&mut self, until: Time) -> Option<(Time, usize)> {
        if self.near.len() < LEAST && !self.far.is_empty() {
            self.bring_nearer();
        }
        let Entry { key: EventKey { time, .. }, component } = *self.near.last()?;
        if time > until {
            return None;
        }
        self.near.pop();
        self.key[component as usize].time = Time::NEVER;
        Some((time, component as usize))
    }

    fn take_out(&mut self, component: usize, key: EventKey) {
        match self.place[component] {
            ELSEWHERE => {
                let at = self.near.partition_point(|entry| entry.key > key);
                self.near.remove(at);
            }
            place => self.remove(place as usize),
        }
    }

    fn put_in(&mut self, entry: Entry) {
        if self.far.first().is_some_and(|first| first.key < entry.key) {
            return self.push(entry);
        }
        let at = self.near.partition_point(|other| other.key > entry.key);
        self.near.insert(at, entry);
        if self.near.len() > MOST {
            for at in 0..MOST - MIDDLE {
                self.push(self.near[at]);
            }
            self.near.drain(..MOST - MIDDLE);
        }
    }

    /// Takes events from the heap into the list.
    fn bring_nearer(&mut self) {
        let had = self.near.len();
        while self.near.len() < MIDDLE {
            let Some(&first) = self.far.first() else { break };
            self.remove(0);
            self.near.push(first);
        }
        // What was there comes first, and stands last.
        let brought = self.near.len() - had;
        self.near.rotate_left(had);
        self.near[..brought].reverse();
    }

    fn push(&mut self, entry: Entry) {
        self.far.push(entry);
        self.rise(self.far.len() - 1, entry);
    }

    fn remove(&mut self, place: usize) {
        let gone = self.far.swap_remove(place);
        self.place[gone.component as usize] = ELSEWHERE;
        if let Some(&entry) = self.far.get(place) {
            let risen = self.rise(place, entry);
            if risen == place {
                self.sink(place, entry);
            }
        }
    }

    fn put(&mut self, place: usize, entry: Entry) {
        self.far[place] = entry;
        self.place[entry.component as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize, entry: Entry) -> usize {
        while place > 0 {
            let parent = (place - 1) / 2;
            if entry.key >= self.far[parent].key {
                break;
            }
            self.put(place, self.far[parent]);
            place = parent;
        }
        self.put(place, entry);
        place
    }

    fn sink(&mut self, mut place: usize, entry: Entry) {
        loop {
            let mut child = 2 * place + 1;
            let Some(left) = self.far.get(child) else { break };
            let mut least = left.key;
            if let Some(right) = self.far.get(child + 1).filter(|right| right.key < least) {
                least = right.key;
                child += 1;
            }
            if least >= entry.key {
                break;
            }
            self.put(place, self.far[child]);
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
        /// Against a sorted map that is told the same: with few components and ties, and with so
        /// many that the list runs over and empties.
        #[test]
        fn agrees_with_a_sorted_map(
            few: bool,
            steps in prop::collection::vec((0usize..96, 0u64..400, 0u8..5), 1..900),
        ) {
            let mut agenda = Agenda::new(96);
            let mut plain: BTreeMap<usize, EventKey> = BTreeMap::new();
            let mut scheduled = 0;
            for (at, (component, time, pop)) in steps.into_iter().enumerate() {
                let (component, time) = if few { (component % 6, time % 20) } else { (component, time) };
                // More is entered at first, more is taken later.
                if pop < if at < 300 { 1 } else { 4 } {
                    let due = plain.iter().min_by_key(|(_, key)| **key).map(|(c, key)| (key.time, *c));
                    if let Some((_, c)) = due {
                        plain.remove(&c);
                    }
                    prop_assert_eq!(agenda.next_time(), due.map(|due| due.0));
                    prop_assert_eq!(agenda.pop_until(Time::NEVER), due);
                    prop_assert!(agenda.near.len() <= MOST);
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
