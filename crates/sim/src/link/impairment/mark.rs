//! Signals congestion with a fixed probability, as a router does: it marks a packet that can be
//! marked, and loses any other.
//!
//! Source: RFC 3168 section 5. The payload defines whether and how a packet is marked.
//!
//! | parameter | unit |
//! |---|---|
//! | marked | parts in 1e9 of the packets |

use super::{Fate, Impairment, happens};
use crate::packet::Packet;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Congestion marks.
pub struct Mark<P> {
    ppb: u32,
    mark: fn(&mut P) -> bool,
    rng: ChaCha8Rng,
}

impl<P> Mark<P> {
    /// Marks `ppb` packets in 1e9 by `mark`, which is false if a packet cannot be marked.
    #[must_use]
    pub fn new(ppb: u32, mark: fn(&mut P) -> bool, rng: ChaCha8Rng) -> Self {
        Self { ppb, mark, rng }
    }
}

impl<P> Impairment<P> for Mark<P> {
    fn apply(&mut self, packet: &mut Packet<P>, _: Time) -> Fate {
        if !happens(&mut self.rng, self.ppb) {
            return Fate::Pass;
        }
        if (self.mark)(&mut packet.payload) { Fate::Mark } else { Fate::Lose }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{HostId, PacketId};
    use crate::rng::Streams;

    fn fates(can_be_marked: fn(&mut bool) -> bool, ppb: u32) -> (usize, usize) {
        let mut wire = Mark::new(ppb, can_be_marked, Streams::new(1).named("mark"));
        let mut packet = Packet {
            id: PacketId::sent(0),
            from: HostId(0),
            to: HostId(1),
            flow: 0,
            bytes: 1000,
            payload: false,
        };
        let fates: Vec<Fate> = (0..10_000).map(|_| wire.apply(&mut packet, Time::ZERO)).collect();
        let count = |fate| fates.iter().filter(|&&other| other == fate).count();
        (count(Fate::Mark), count(Fate::Lose))
    }

    #[test]
    fn marks_what_can_be_marked_and_loses_the_rest() {
        let (marked, lost) = fates(|_| true, 100_000_000);
        assert!((900..1100).contains(&marked) && lost == 0, "{marked} {lost}");
        let (marked, lost) = fates(|_| false, 100_000_000);
        assert!((900..1100).contains(&lost) && marked == 0, "{marked} {lost}");
    }
}
