//! Draws for random scenarios.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use sim::rng::Streams;

/// A stream of draws.
pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    pub(crate) fn new(seed: u64, name: &str) -> Self {
        Self(Streams::new(seed).named(name))
    }

    /// One of `low..=high`.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        self.0.random_range(low..=high)
    }

    /// True in this many of a hundred cases.
    pub(crate) fn maybe(&mut self, percent: u64) -> bool {
        self.between(1, 100) <= percent
    }

    /// Few as often as many: a number of bytes up to about `most`.
    pub(crate) fn bytes(&mut self, most: u64) -> u64 {
        let scale = self.between(1, u64::from(most.ilog2()));
        self.between(0, (1 << (scale + 1)).min(most))
    }

    /// A maximum segment size.
    pub(crate) fn mss(&mut self) -> u32 {
        if self.maybe(50) { 1460 } else { self.between(100, 3000) as u32 }
    }

    /// A receive buffer; sometimes smaller than a segment.
    pub(crate) fn buffer(&mut self) -> u64 {
        match self.between(0, 3) {
            0 => self.between(500, 4_000),
            1 => 65_535,
            _ => self.between(4_000, 200_000),
        }
    }

    /// An initial sequence number; half of them wrap within the connection.
    pub(crate) fn isn(&mut self) -> u32 {
        let any = self.between(0, u64::from(u32::MAX)) as u32;
        if self.maybe(50) { any } else { u32::MAX - any % 30_000 }
    }
}
