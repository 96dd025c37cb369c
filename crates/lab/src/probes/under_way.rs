//! The rows of packets that are under way.

use sim::PacketId;
use std::collections::VecDeque;

/// The rows of packets that are under way, in the order in which they set out. Most arrive in about that order, so that one
/// is found after few others.
#[derive(Default)]
pub(super) struct UnderWay(VecDeque<(PacketId, usize)>);

impl UnderWay {
    /// A packet sets out.
    pub(super) fn add(&mut self, id: PacketId, row: usize) {
        self.0.push_back((id, row));
    }

    /// The row of a packet that arrives or is lost, if it has one.
    #[inline]
    pub(super) fn take(&mut self, id: PacketId) -> Option<usize> {
        // What is known at once when a packet comes to a link is of the last one.
        if self.0.back()?.0 == id {
            return self.0.pop_back().map(|its| its.1);
        }
        self.find(id)
    }

    fn find(&mut self, id: PacketId) -> Option<usize> {
        let place = self.0.iter().position(|its| its.0 == id)?;
        self.0.remove(place).map(|its| its.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_packet_is_found_once_wherever_it_is() {
        let mut under_way = UnderWay::default();
        let ids = [3, 5, 4, 9].map(PacketId::sent);
        ids.into_iter().zip(0..).for_each(|(id, row)| under_way.add(id, row));
        let order = [4, 9, 4, 3, 7, 5, 5].map(|number| under_way.take(PacketId::sent(number)));
        assert_eq!(order, [Some(2), Some(3), None, Some(0), None, Some(1), None]);
    }
}
