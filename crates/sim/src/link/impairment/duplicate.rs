//! Duplicates each packet with the same probability.
//!
//! | parameter | unit |
//! |---|---|
//! | duplicated | parts in 1e9 of the packets |

use super::{Fate, Impairment, happens};
use crate::packet::Packet;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Duplication.
pub struct Duplicate {
    ppb: u32,
    rng: ChaCha8Rng,
}

impl Duplicate {
    /// Duplicates `ppb` packets in 1e9.
    #[must_use]
    pub fn new(ppb: u32, rng: ChaCha8Rng) -> Self {
        Self { ppb, rng }
    }
}

impl<P> Impairment<P> for Duplicate {
    fn apply(&mut self, _: &mut Packet<P>, _: Time) -> Fate {
        if happens(&mut self.rng, self.ppb) { Fate::Duplicate } else { Fate::Pass }
    }
}
