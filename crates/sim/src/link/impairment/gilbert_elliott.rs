//! Losses in bursts: a wire is in a good or a bad state, each with its own probability of loss.
//!
//! Source: Gilbert 1960, Elliott 1963. The state changes after each packet. In the long run
//! a share `p / (p + r)` of the packets meets the bad state, which lasts `1 / r` packets on average;
//! `p` is the probability of good to bad, `r` that of bad to good. The wire starts good.
//!
//! | parameter | unit |
//! |---|---|
//! | good to bad, bad to good | parts in 1e9, for each packet |
//! | loss when good, loss when bad | parts in 1e9 of the packets |

use super::{Fate, Impairment, happens};
use crate::packet::Packet;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Losses in bursts.
pub struct GilbertElliott {
    /// Probabilities to leave the good and the bad state.
    leave_ppb: [u32; 2],
    /// Probabilities of loss in the good and the bad state.
    loss_ppb: [u32; 2],
    bad: bool,
    rng: ChaCha8Rng,
}

impl GilbertElliott {
    /// A wire in its good state; the first of each pair is for the good state.
    #[must_use]
    pub fn new(leave_ppb: [u32; 2], loss_ppb: [u32; 2], rng: ChaCha8Rng) -> Self {
        Self { leave_ppb, loss_ppb, bad: false, rng }
    }
}

impl<P> Impairment<P> for GilbertElliott {
    fn apply(&mut self, _: &mut Packet<P>, _: Time) -> Fate {
        let state = usize::from(self.bad);
        let lost = happens(&mut self.rng, self.loss_ppb[state]);
        if happens(&mut self.rng, self.leave_ppb[state]) {
            self.bad = !self.bad;
        }
        if lost { Fate::Lose } else { Fate::Pass }
    }

    fn only_loses(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::impairment::PPB;
    use crate::link::impairment::tests::losses;
    use crate::rng::Streams;

    /// Bad for 0.01 / (0.01 + 0.25) = 3.85 % of the packets and 4 packets on end; all lost then.
    #[test]
    fn bursts_have_their_share_and_their_length() {
        let rng = Streams::new(3).named("test");
        let mut wire = GilbertElliott::new([PPB / 100, PPB / 4], [0, PPB], rng);
        let lost = losses(&mut wire, 200_000);
        let share = lost.iter().filter(|&&lost| lost).count() as f64 / lost.len() as f64;
        let bursts = lost.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
        assert!((share - 0.03846).abs() < 0.003, "{share}");
        let length = share * lost.len() as f64 / bursts;
        assert!((length - 4.0).abs() < 0.25, "{length}");
    }
}
