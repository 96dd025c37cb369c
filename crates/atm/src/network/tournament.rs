//! The first of many times that change one at a time.
//!
//! Source: the tournament of Knuth, The Art of Computer Programming 3, section 5.4.1: a tree whose inner nodes keep the
//! winner of their two children. A time that changes is compared up to the root, with one comparison for each
//! doubling of the number of times: 10 for 1000 of them. No entry is ever out of date.

use base::Time;

/// A number of times, by their places. Of equal times the one with the smaller place is first.
#[derive(Debug)]
pub(super) struct Tournament {
    /// The winners: node 1 is the root, the children of node n are 2n and 2n + 1, and the second half are the places.
    nodes: Vec<Player>,
}

#[derive(Clone, Copy, Debug)]
struct Player {
    time: Time,
    place: u32,
}

impl Tournament {
    /// With this many places, all of them [`Time::NEVER`].
    pub(super) fn new(places: usize) -> Self {
        let leaves = places.next_power_of_two();
        let player = |place| Player { time: Time::NEVER, place };
        let mut nodes = vec![player(0); 2 * leaves];
        for place in 0..leaves {
            nodes[leaves + place] = player(place as u32);
        }
        for node in (1..leaves).rev() {
            nodes[node] = nodes[2 * node];
        }
        Self { nodes }
    }

    /// The first time.
    #[inline]
    pub(super) fn first_time(&self) -> Time {
        self.nodes[1].time
    }

    /// The place of the first time; any if that is [`Time::NEVER`].
    #[inline]
    pub(super) fn first_place(&self) -> u32 {
        self.nodes[1].place
    }

    /// The time at a place.
    #[inline]
    pub(super) fn time(&self, place: u32) -> Time {
        self.nodes[self.nodes.len() / 2 + place as usize].time
    }

    /// Changes the time at a place.
    #[inline]
    pub(super) fn set(&mut self, place: u32, time: Time) {
        let mut winner = Player { time, place };
        let mut node = self.nodes.len() / 2 + place as usize;
        self.nodes[node] = winner;
        while node > 1 {
            let other = self.nodes[node ^ 1];
            // Of equal times the left one is first.
            let limit = winner.time.saturating_add(Time::from_ps(node as u64 & 1));
            if other.time < limit {
                winner = other;
            }
            node /= 2;
            self.nodes[node] = winner;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a look at all of them.
        #[test]
        fn the_first_is_the_least(
            places in 1usize..100,
            changes in prop::collection::vec((0usize..100, prop_oneof![0u64..8, Just(u64::MAX)]), 1..200),
        ) {
            let mut tournament = Tournament::new(places);
            let mut times = vec![Time::NEVER; places];
            for (place, ps) in changes {
                let place = place % places;
                times[place] = Time::from_ps(ps);
                tournament.set(place as u32, times[place]);
                let first = (0..).zip(&times).map(|(place, &time)| (time, place)).min();
                let (time, winner) = first.expect("a place");
                prop_assert_eq!(tournament.first_time(), time);
                prop_assert!(time == Time::NEVER || tournament.first_place() == winner);
                prop_assert_eq!(tournament.time(place as u32), times[place]);
            }
        }
    }
}
