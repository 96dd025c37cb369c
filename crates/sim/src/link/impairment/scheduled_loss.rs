//! Losses by chance, with a probability that changes over time.
//!
//! No published source.
//!
//! | parameter | unit |
//! |---|---|
//! | loss | parts per 1e9, over time |

use super::{Fate, Impairment, happens};
use crate::link::Schedule;
use crate::packet::Packet;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Losses by chance.
#[derive(Clone, Debug)]
pub struct ScheduledLoss {
    loss_ppb: Schedule<u32>,
    rng: ChaCha8Rng,
}

impl ScheduledLoss {
    /// With this probability over time.
    #[must_use]
    pub fn new(loss_ppb: Schedule<u32>, rng: ChaCha8Rng) -> Self {
        Self { loss_ppb, rng }
    }
}

impl<P> Impairment<P> for ScheduledLoss {
    fn apply(&mut self, _: &mut Packet<P>, now: Time) -> Fate {
        if happens(&mut self.rng, self.loss_ppb.at(now)) { Fate::Lose } else { Fate::Pass }
    }

    fn only_loses(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{HostId, PacketId};
    use crate::rng::Streams;

    #[test]
    fn nothing_and_then_all() {
        let steps = vec![(Time::ZERO, 0), (Time::from_ms(5), super::super::PPB), (Time::from_ms(8), 0)];
        let mut losses = ScheduledLoss::new(Schedule::new(steps, None), Streams::new(1).named("test"));
        let lost = (0..10).filter(|&ms| {
            let (id, from, to) = (PacketId::sent(ms), HostId(0), HostId(1));
            let mut packet = Packet { id, from, to, flow: 0, bytes: 40, payload: () };
            losses.apply(&mut packet, Time::from_ms(ms)) == Fate::Lose
        });
        assert_eq!(lost.collect::<Vec<_>>(), [5, 6, 7]);
    }
}
