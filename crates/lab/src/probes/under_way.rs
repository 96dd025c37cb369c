//! What is known of packets that are under way.

use sim::PacketId;
use std::collections::VecDeque;

/// What is known of packets that are under way, in the order in which they set out. Most arrive in about that order, so that
/// one is found after few others; and most set out in the order of their identities, so that any is found soon.
pub(super) struct UnderWay<T> {
    packets: VecDeque<(PacketId, T)>,
    /// Whether they are in the order of their identities.
    is_sorted: bool,
}

impl<T> Default for UnderWay<T> {
    fn default() -> Self {
        Self { packets: VecDeque::new(), is_sorted: true }
    }
}

impl<T> UnderWay<T> {
    /// A packet sets out.
    #[inline]
    pub(super) fn add(&mut self, id: PacketId, its: T) {
        self.is_sorted = self.packets.back().is_none_or(|last| self.is_sorted && last.0 < id);
        self.packets.push_back((id, its));
    }

    /// What is known of a packet that arrives or is lost, if it is one of them.
    #[inline]
    pub(super) fn take(&mut self, id: PacketId) -> Option<T> {
        // What is known at once when a packet comes to a link is of the last one.
        if self.packets.back()?.0 == id {
            return self.packets.pop_back().map(|its| its.1);
        }
        if self.packets.front()?.0 == id {
            return self.packets.pop_front().map(|its| its.1);
        }
        let place = self.find(id)?;
        self.packets.remove(place).map(|its| its.1)
    }

    /// Whether a packet is one of them.
    pub(super) fn contains(&self, id: PacketId) -> bool {
        self.find(id).is_some()
    }

    #[inline(never)]
    fn find(&self, id: PacketId) -> Option<usize> {
        if self.is_sorted {
            self.packets.binary_search_by_key(&id, |its| its.0).ok()
        } else {
            self.packets.iter().position(|its| its.0 == id)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_packet_is_found_once_wherever_it_is() {
        for numbers in [[3, 5, 4, 9], [3, 4, 5, 9]] {
            let mut under_way = UnderWay::default();
            numbers.into_iter().for_each(|number| under_way.add(PacketId::sent(number), 10 * number));
            let order = [4, 9, 4, 3, 7, 5, 5].map(|number| under_way.take(PacketId::sent(number)));
            assert_eq!(order, [Some(40), Some(90), None, Some(30), None, Some(50), None]);
            assert!(under_way.packets.is_empty());
        }
    }

    #[test]
    fn those_that_have_arrived_leave_the_others_in_order() {
        let id = PacketId::sent;
        let mut under_way = UnderWay::default();
        [1, 2, 9].into_iter().for_each(|number| under_way.add(id(number), ()));
        assert_eq!(under_way.take(id(9)), Some(()));
        under_way.add(id(4), ());
        assert!(under_way.is_sorted && under_way.contains(id(4)) && !under_way.contains(id(9)));
        under_way.add(id(3), ());
        assert!(!under_way.is_sorted && under_way.contains(id(3)) && under_way.contains(id(2)));
    }
}
