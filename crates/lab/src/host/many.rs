//! What a host with many connections keeps, so that a packet costs the same however many there are.
//!
//! A connection has a number, and a place among the sockets. `places` leads from the one to the other. `due` is a
//! tournament of the connections' timers: its root is the earliest. Connections that are over are removed when others
//! begin: at every beginning while there are few, then each time that the number of sockets has doubled.

use super::Totals;
use base::Time;
use tcp::Limited;

/// With so few sockets, each beginning removes those that are over.
const FEW: usize = 16;

/// The part of a host that has had more than one connection.
#[derive(Default)]
pub(super) struct Many {
    /// By number.
    places: Vec<Place>,
    due: Tournament,
    /// Numbers of the connections that may have something to send.
    pub(super) to_send: Vec<u32>,
    /// With so many sockets, those that are over are removed.
    sweep_at: usize,
    /// Totals of the removed connections, and what limited their senders.
    pub(super) done: Totals,
    pub(super) limited: Limited,
}

/// Where a connection is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// There was none with this number.
    #[default]
    Unknown,
    /// It was removed.
    Removed,
    At(u32),
}

impl Many {
    /// What a host keeps when a second connection begins after the one with this number.
    pub(super) fn after(first: u32, may_send: bool) -> Self {
        let mut many = Self::default();
        many.add(first, 0, Time::NEVER);
        many.to_send.extend(may_send.then_some(first));
        many
    }

    /// The place of a connection.
    pub(super) fn at(&self, number: u32) -> Option<usize> {
        match self.places.get(number as usize) {
            Some(Place::At(place)) => Some(*place as usize),
            _ => None,
        }
    }

    /// Whether there was such a connection.
    pub(super) fn was_opened(&self, number: u32) -> bool {
        self.places.get(number as usize).is_some_and(|place| *place != Place::Unknown)
    }

    /// Whether it is time to remove connections that are over from this many.
    pub(super) fn is_time_to_sweep(&self, sockets: usize) -> bool {
        sockets >= self.sweep_at
    }

    /// Notes that these connections have no place any more.
    pub(super) fn remove(&mut self, numbers: impl Iterator<Item = u32>) {
        // Not all that there ever were: their number grows with the run.
        numbers.for_each(|number| self.places[number as usize] = Place::Removed);
    }

    /// Notes the connections that are left: their numbers, in the order of their places, and their timers.
    pub(super) fn place(&mut self, left: impl ExactSizeIterator<Item = (u32, Time)>) {
        self.sweep_at = if left.len() < FEW { 0 } else { 2 * left.len() };
        self.due.clear(left.len());
        for (place, (number, timer)) in left.enumerate() {
            self.add(number, place, timer);
        }
    }

    /// Notes a new connection.
    pub(super) fn add(&mut self, number: u32, place: usize, timer: Time) {
        let number = number as usize;
        self.places.resize(self.places.len().max(number + 1), Place::Unknown);
        self.places[number] = Place::At(place as u32);
        self.due.set(place, timer);
    }

    /// Notes the next timer of the connection at a place.
    pub(super) fn set_timer(&mut self, place: usize, timer: Time) {
        self.due.set(place, timer);
    }

    /// The earliest timer of all connections.
    pub(super) fn next_timer(&self) -> Time {
        self.due.earliest()
    }

    /// The places of the connections whose timers are due, in order.
    pub(super) fn due(&self, now: Time) -> Vec<usize> {
        self.due.until(now)
    }
}

/// A binary tree whose leaves are times, and whose nodes are the earlier of their two children.
#[derive(Default)]
struct Tournament {
    /// The root is 1, the children of `n` are `2 n` and `2 n + 1`; the leaves are the second half.
    nodes: Vec<Time>,
}

impl Tournament {
    /// Makes room for at least this many leaves; all are [`Time::NEVER`].
    fn clear(&mut self, leaves: usize) {
        self.nodes.clear();
        self.nodes.resize(2 * leaves.max(1).next_power_of_two(), Time::NEVER);
    }

    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    fn earliest(&self) -> Time {
        self.nodes.get(1).copied().unwrap_or(Time::NEVER)
    }

    fn set(&mut self, leaf: usize, time: Time) {
        if leaf >= self.leaves() {
            self.grow(leaf + 1);
        }
        let mut node = self.leaves() + leaf;
        self.nodes[node] = time;
        while node > 1 {
            node /= 2;
            let earlier = self.nodes[2 * node].min(self.nodes[2 * node + 1]);
            if self.nodes[node] == earlier {
                return;
            }
            self.nodes[node] = earlier;
        }
    }

    fn grow(&mut self, leaves: usize) {
        let times = self.nodes.split_off(self.leaves());
        self.clear(leaves);
        for (leaf, time) in times.into_iter().enumerate() {
            self.set(leaf, time);
        }
    }

    /// The leaves that are not later than `now`, in order.
    fn until(&self, now: Time) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![1];
        while let Some(node) = open.pop() {
            if self.nodes.get(node).is_none_or(|&time| time > now) {
                continue;
            }
            if node >= self.leaves() {
                found.push(node - self.leaves());
            } else {
                open.extend([2 * node + 1, 2 * node]);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// As a plain list of times.
        #[test]
        fn a_tournament_knows_the_earliest(steps in prop::collection::vec((0usize..40, 0u64..50, 0u64..50), 1..200)) {
            let mut tournament = Tournament::default();
            let mut plain: Vec<Time> = Vec::new();
            for (leaf, time, now) in steps {
                let time = if time == 49 { Time::NEVER } else { Time::from_ps(time) };
                tournament.set(leaf, time);
                plain.resize(plain.len().max(leaf + 1), Time::NEVER);
                plain[leaf] = time;
                prop_assert_eq!(tournament.earliest(), *plain.iter().min().unwrap());
                let now = Time::from_ps(now);
                let due: Vec<usize> = (0..plain.len()).filter(|&leaf| plain[leaf] <= now).collect();
                prop_assert_eq!(tournament.until(now), due);
            }
        }
    }

    #[test]
    fn few_are_swept_always_and_many_when_they_have_doubled() {
        let mut many = Many::default();
        assert!(many.is_time_to_sweep(1));
        many.place((0..15).map(|number| (number, Time::NEVER)));
        assert!(many.is_time_to_sweep(15));
        many.place((0..20).map(|number| (number, Time::NEVER)));
        assert!(!many.is_time_to_sweep(39) && many.is_time_to_sweep(40));
    }

    #[test]
    fn a_removed_connection_is_remembered() {
        let mut many = Many::default();
        many.place([(0, Time::NEVER), (3, Time::from_ps(5))].into_iter());
        assert_eq!([many.at(0), many.at(3), many.at(1)], [Some(0), Some(1), None]);
        assert!(many.was_opened(3) && !many.was_opened(1) && !many.was_opened(9));
        many.remove([0, 3].into_iter());
        many.place([(3, Time::from_ps(7))].into_iter());
        assert_eq!([many.at(0), many.at(3)], [None, Some(0)]);
        assert!(many.was_opened(0));
        assert_eq!((many.next_timer(), many.due(Time::from_ps(7))), (Time::from_ps(7), vec![0]));
    }
}
