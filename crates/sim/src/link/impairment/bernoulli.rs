//! Loses each packet with the same probability, independently of others.
//!
//! | parameter | unit |
//! |---|---|
//! | loss | parts in 1e9 of the packets |

use super::{Fate, Impairment, happens};
use crate::packet::Packet;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Independent losses.
pub struct Bernoulli {
    loss_ppb: u32,
    rng: ChaCha8Rng,
}

impl Bernoulli {
    /// Loses `loss_ppb` packets in 1e9.
    #[must_use]
    pub fn new(loss_ppb: u32, rng: ChaCha8Rng) -> Self {
        Self { loss_ppb, rng }
    }
}

impl<P> Impairment<P> for Bernoulli {
    fn apply(&mut self, _: &mut Packet<P>, _: Time) -> Fate {
        if happens(&mut self.rng, self.loss_ppb) { Fate::Lose } else { Fate::Pass }
    }

    fn only_loses(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::impairment::tests::losses;
    use crate::rng::Streams;

    /// 100 000 packets at 2 %: 2000 losses, give or take four standard deviations of 44.
    #[test]
    fn loses_its_share() {
        let mut wire = Bernoulli::new(20_000_000, Streams::new(1).named("test"));
        let lost = losses(&mut wire, 100_000).into_iter().filter(|&lost| lost).count();
        assert!((1824..2176).contains(&lost), "{lost}");
    }

    #[test]
    fn never_and_always_are_exact() {
        for (ppb, expected) in [(0, 0), (super::super::PPB, 1000)] {
            let mut wire = Bernoulli::new(ppb, Streams::new(2).named("test"));
            assert_eq!(losses(&mut wire, 1000).into_iter().filter(|&lost| lost).count(), expected);
        }
    }
}
