//! Random streams: one for each component and purpose.
//!
//! Every stream is ChaCha8 keyed by the run's seed, with the stream number (ChaCha's own 64-bit
//! one) derived from a name such as `traffic/17`. A new component draws from its own stream, so it
//! does not change the draws of other components.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The source of all randomness of one run.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
}

impl Streams {
    /// The streams of a run.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The stream of this name, from its beginning.
    #[must_use]
    pub fn named(&self, name: &str) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(fnv1a(name));
        rng
    }
}

/// FNV-1a, 64 bits: a fixed hash, so that a name means the same stream in every version.
fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn a_stream_depends_on_seed_and_name_alone() {
        let first = |seed, name| Streams::new(seed).named(name).next_u64();
        assert_eq!(first(1, "traffic/0"), first(1, "traffic/0"));
        assert_ne!(first(1, "traffic/0"), first(1, "traffic/1"));
        assert_ne!(first(1, "traffic/0"), first(2, "traffic/0"));
    }

    #[test]
    fn streams_are_the_same_in_every_version() {
        assert_eq!(Streams::new(7).named("traffic/3").next_u64(), 148_189_715_856_551_617);
    }
}
