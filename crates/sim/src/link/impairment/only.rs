//! Applies an impairment to some of the packets only, such as those that carry data. The others pass, and
//! do not affect its state.
//!
//! | parameter | unit |
//! |---|---|
//! | concerns | the packets to which the impairment applies |

use super::{Fate, Impairment};
use crate::packet::Packet;
use base::Time;

/// An impairment of the packets for which `concerns` is true.
pub struct Only<C, I> {
    concerns: C,
    impairment: I,
}

impl<C, I> Only<C, I> {
    /// Applies `impairment` to those packets only.
    #[must_use]
    pub fn new(concerns: C, impairment: I) -> Self {
        Self { concerns, impairment }
    }
}

impl<P, C: FnMut(&Packet<P>) -> bool + Send, I: Impairment<P>> Impairment<P> for Only<C, I> {
    fn apply(&mut self, packet: &mut Packet<P>, now: Time) -> Fate {
        if (self.concerns)(packet) { self.impairment.apply(packet, now) } else { Fate::Pass }
    }

    fn only_loses(&self) -> bool {
        self.impairment.only_loses()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::impairment::{Bernoulli, GilbertElliott, LossEvents, PPB, TwoParameter};
    use crate::packet::{HostId, PacketId};
    use crate::rng::Streams;
    use proptest::prelude::*;

    fn fates(wire: &mut impl Impairment<bool>, packets: &[(Time, bool)]) -> Vec<Fate> {
        let one = |&(now, payload): &(Time, bool)| {
            wire.apply(
                &mut Packet {
                    id: PacketId::sent(0),
                    from: HostId(0),
                    to: HostId(1),
                    flow: 0,
                    bytes: 1000,
                    payload,
                },
                now,
            )
        };
        packets.iter().map(one).collect()
    }

    /// The fates of the packets that are concerned are those that they have alone; all others pass.
    fn sees_only_its_packets<I: Impairment<bool>>(
        make: impl Fn() -> I,
        packets: &[(Time, bool)],
    ) -> Result<(), TestCaseError> {
        let concerned: Vec<(Time, bool)> = packets.iter().copied().filter(|packet| packet.1).collect();
        let mut alone = fates(&mut make(), &concerned).into_iter();
        let among_others = fates(&mut Only::new(|packet: &Packet<bool>| packet.payload, make()), packets);
        for (&(_, is_concerned), fate) in packets.iter().zip(among_others) {
            prop_assert_eq!(fate, if is_concerned { alone.next().unwrap() } else { Fate::Pass });
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn draws_the_same_whatever_else_passes(
            packets in prop::collection::vec((0u64..4, any::<bool>()), 0..300),
            ppb in prop::array::uniform4(0..=PPB),
            in_event in 1u32..10,
            seed: u64,
        ) {
            let packets = packets.into_iter().scan(0, |at, (gap, is_concerned)| {
                *at += gap;
                Some((Time::from_ms(*at), is_concerned))
            });
            let packets: Vec<(Time, bool)> = packets.collect();
            let rng = || Streams::new(seed).named("test");
            let [a, b, c, d] = ppb;
            let span = Time::from_ms(10);
            sees_only_its_packets(|| Bernoulli::new(a, rng()), &packets)?;
            sees_only_its_packets(|| GilbertElliott::new([a, b], [c, d], rng()), &packets)?;
            sees_only_its_packets(|| LossEvents::new(a, in_event, rng()), &packets)?;
            sees_only_its_packets(|| TwoParameter::new(a, b, span, rng()), &packets)?;
        }
    }
}
