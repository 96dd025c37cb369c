//! Delays each packet by its own random time, so packets may overtake one another.
//!
//! | parameter | unit |
//! |---|---|
//! | spread | time; the delay is uniform from 0 to it |

use super::{Fate, Impairment};
use crate::packet::Packet;
use base::Time;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Random delay.
pub struct Jitter {
    spread: Time,
    rng: ChaCha8Rng,
}

impl Jitter {
    /// Delays by up to `spread`, which is positive.
    #[must_use]
    pub fn new(spread: Time, rng: ChaCha8Rng) -> Self {
        Self { spread, rng }
    }
}

impl<P> Impairment<P> for Jitter {
    fn apply(&mut self, _: &mut Packet<P>, _: Time) -> Fate {
        Fate::Delay(Time::from_ps(self.rng.random_range(0..self.spread.as_ps())))
    }
}
