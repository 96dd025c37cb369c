//! Loss events of the NewReno throughput model: how often they begin, and the loss rate within one.
//!
//! Source: 003 section II-B, loss model. There an event spans a window of the sender, one RTT at most.
//! A wire does not know the window, so here an event spans a given time, which should be about one RTT.
//! Every packet counts, retransmissions too.
//!
//! | parameter | unit |
//! |---|---|
//! | event (p) | probability that a packet outside of events begins one and is lost, parts in 1e9 |
//! | loss (q) | parts in 1e9 of the further packets of an event |
//! | span | time from the packet that begins an event; a packet sent exactly at its end is outside |

use super::{Fate, Impairment, happens};
use crate::packet::Packet;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Losses of the two-parameter model.
pub struct TwoParameter {
    event_ppb: u32,
    loss_ppb: u32,
    span: Time,
    /// When the last event ends or has ended.
    until: Time,
    rng: ChaCha8Rng,
}

impl TwoParameter {
    /// Begins an event with `event_ppb` packets in 1e9, and loses of the others within `span`, which is
    /// positive, `loss_ppb` in 1e9.
    #[must_use]
    pub fn new(event_ppb: u32, loss_ppb: u32, span: Time, rng: ChaCha8Rng) -> Self {
        Self { event_ppb, loss_ppb, span, until: Time::ZERO, rng }
    }
}

impl<P> Impairment<P> for TwoParameter {
    fn apply(&mut self, _: &mut Packet<P>, now: Time) -> Fate {
        let is_within = now < self.until;
        if !happens(&mut self.rng, if is_within { self.loss_ppb } else { self.event_ppb }) {
            return Fate::Pass;
        }
        if !is_within {
            self.until = now + self.span;
        }
        Fate::Lose
    }

    fn only_loses(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::impairment::PPB;
    use crate::link::impairment::tests::losses_at;
    use crate::rng::Streams;
    use proptest::prelude::*;

    const SPAN: Time = Time::from_ms(10);

    fn wire(event_ppb: u32, loss_ppb: u32, seed: u64) -> TwoParameter {
        TwoParameter::new(event_ppb, loss_ppb, SPAN, Streams::new(seed).named("test"))
    }

    /// Of each packet, whether it lies within an event that an earlier one began: the first loss that
    /// does not begins the next event.
    fn within_events(times: &[Time], lost: &[bool]) -> Vec<bool> {
        let mut began: Option<Time> = None;
        let each = times.iter().zip(lost).map(|(&time, &lost)| {
            let is_within = began.is_some_and(|began| time - began < SPAN);
            if lost && !is_within {
                began = Some(time);
            }
            is_within
        });
        each.collect()
    }

    prop_compose! {
        /// Times of packets, many of them at the same time or exactly a span apart.
        fn times()(gaps in prop::collection::vec(0u64..15, 0..400)) -> Vec<Time> {
            let times = gaps.into_iter().scan(0, |at, gap| { *at += gap; Some(Time::from_ms(*at)) });
            times.collect()
        }
    }

    proptest! {
        /// With q = 0 only the first packet of an event is lost, with q = 1 every packet of it; with
        /// p = 1 an event begins with the first packet that is not within one.
        #[test]
        fn nothing_is_lost_outside_of_a_span(times in times(), event_ppb in 0..=PPB, seed: u64) {
            let lost = losses_at(&mut wire(event_ppb, 0, seed), &times);
            let within = within_events(&times, &lost);
            prop_assert!(lost.iter().zip(&within).all(|(&lost, &within)| !(lost && within)));

            let lost = losses_at(&mut wire(event_ppb, PPB, seed), &times);
            let within = within_events(&times, &lost);
            prop_assert!(lost.iter().zip(&within).all(|(&lost, &within)| lost || !within));

            let lost = losses_at(&mut wire(PPB, 0, seed), &times);
            let within = within_events(&times, &lost);
            prop_assert!(lost.iter().zip(&within).all(|(&lost, &within)| lost != within));

            for loss_ppb in [0, PPB] {
                let never = losses_at(&mut wire(0, loss_ppb, seed), &times);
                prop_assert!(!never.contains(&true), "without an event there is no loss");
            }
        }
    }

    /// A packet a millisecond, 1 % begin an event and of the nine packets that follow each 30 % are lost.
    #[test]
    fn both_probabilities_are_met() {
        let times: Vec<Time> = (0..400_000).map(Time::from_ms).collect();
        let lost = losses_at(&mut wire(PPB / 100, PPB / 10 * 3, 5), &times);
        let within = within_events(&times, &lost);
        let share = |of: bool| {
            let packets = lost.iter().zip(&within).filter(|(_, within)| **within == of);
            let all = packets.clone().count() as f64;
            (packets.filter(|(lost, _)| **lost).count() as f64 / all, all)
        };
        let ((p, outside), (q, inside)) = (share(false), share(true));
        for (found, expected, packets) in [(p, 0.01_f64, outside), (q, 0.3, inside)] {
            let deviation = (expected * (1.0 - expected) / packets).sqrt();
            assert!((found - expected).abs() < 4.0 * deviation, "{found} {expected} of {packets}");
        }
        // Each event holds nine further packets at one a millisecond, the last perhaps fewer.
        let events = lost.iter().zip(&within).filter(|&(&lost, &within)| lost && !within).count();
        assert_eq!(inside as usize / 9, events - usize::from(!(inside as usize).is_multiple_of(9)));
    }
}
