//! Loss events: each event loses a fixed number of consecutive packets.
//!
//! Source: 003 section IV-B, whose drop module has these two parameters. Choices that it leaves open: no
//! event begins within another, and every packet counts, retransmissions too. In the long run
//! `rate * losses / (1 - rate + rate * losses)` of the packets are lost.
//!
//! | parameter | unit |
//! |---|---|
//! | rate | probability that a packet outside of events begins one, parts in 1e9 |
//! | losses | packets lost in each event, including the first |

use super::{Fate, Impairment, happens};
use crate::packet::Packet;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Bursts of losses of fixed length.
pub struct LossEvents {
    rate_ppb: u32,
    losses: u32,
    /// Packets that the current event has still to lose.
    left: u32,
    rng: ChaCha8Rng,
}

impl LossEvents {
    /// Begins an event with `rate_ppb` packets in 1e9, and loses `losses` packets, at least 1, in each.
    #[must_use]
    pub fn new(rate_ppb: u32, losses: u32, rng: ChaCha8Rng) -> Self {
        Self { rate_ppb, losses, left: 0, rng }
    }
}

impl<P> Impairment<P> for LossEvents {
    fn apply(&mut self, _: &mut Packet<P>, _: Time) -> Fate {
        // Only packets outside of events draw. So the number of packets that cross between two events depends
        // on the stream alone, not on `losses`.
        if self.left == 0 {
            if !happens(&mut self.rng, self.rate_ppb) {
                return Fate::Pass;
            }
            self.left = self.losses;
        }
        self.left -= 1;
        Fate::Lose
    }

    fn only_loses(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::impairment::tests::losses;
    use crate::link::impairment::{Bernoulli, PPB};
    use crate::rng::Streams;
    use proptest::prelude::*;

    proptest! {
        /// What begins events are the losses that the same stream gives one by one, and each of them
        /// becomes so many on end.
        #[test]
        fn each_loss_becomes_so_many_back_to_back(
            rate_ppb in prop_oneof![Just(0), Just(PPB), 0..PPB, 0..PPB / 50],
            in_event in 1u32..25,
            packets in 0u32..2_000,
            seed: u64,
        ) {
            let stream = || Streams::new(seed).named("test");
            let one_by_one = losses(&mut Bernoulli::new(rate_ppb, stream()), packets);
            let expected = one_by_one.into_iter().flat_map(|lost| {
                std::iter::repeat_n(lost, if lost { in_event as usize } else { 1 })
            });
            let expected: Vec<bool> = expected.take(packets as usize).collect();
            prop_assert_eq!(losses(&mut LossEvents::new(rate_ppb, in_event, stream()), packets), expected);
        }
    }

    /// 2000 packets between events and five in each of about 498: a standard deviation of the losses of
    /// about 5 * 22, here four of them.
    #[test]
    fn loses_its_share_in_events_of_five() {
        let mut wire = LossEvents::new(500_000, 5, Streams::new(4).named("test"));
        let lost = losses(&mut wire, 1_000_000);
        let all = lost.iter().filter(|&&lost| lost).count();
        let expected = 1e6 * 5.0 * 0.0005 / (1.0 - 0.0005 + 5.0 * 0.0005);
        assert!((all as f64 - expected).abs() < 446.0, "{all} {expected}");
        let lengths: Vec<usize> = lost.split(|&lost| !lost).map(<[bool]>::len).filter(|&n| n > 0).collect();
        assert!(lengths.iter().all(|length| length.is_multiple_of(5)), "{lengths:?}");
        assert!(lengths.iter().filter(|&&length| length == 5).count() * 100 > 98 * lengths.len());
    }
}
