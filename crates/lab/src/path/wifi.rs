//! A path like that of Wi-Fi: a station waits for the channel, and then sends an aggregate of several packets.
//!
//! Source: IEEE 802.11-2020: contention windows (EDCA, best effort: 15 slots of 9 us at least, after 43 us), A-MPDU aggregation, and a limit of
//! the time on air of 4 ms, as Linux has it (IEEE80211_AMPDU limits; Hoiland-Jorgensen et al. 2017, "Ending the Anomaly").
//!
//! Before each transmission the station waits for the channel: `contention` on average, exponential, which stands for
//! the back-off and the other stations. Then it may send for `txop`. A packet that does not fit waits for the next
//! transmission, and so does one that comes when the station has nothing left to send: so ACKs leave in clumps.
//!
//! Deviations and choices: no collisions, no changes of the rate, no losses: add impairments for these. Packets of an aggregate
//! arrive one after the other, and not with the end of it. The rate on air is that at which a station that always has data gets
//! the rate of the link on average.
//!
//! | parameter | unit |
//! |---|---|
//! | contention | mean, time |
//! | txop | time |

use super::Nominal;
use crate::plan;
use crate::workload::laws::above_zero;
use base::{Rate, Time};
use rand_chacha::ChaCha8Rng;
use sim::link::Service;

/// A station and the channel that it shares.
pub(super) struct Channel {
    on_air: Rate,
    contention: Time,
    txop: Time,
    rng: ChaCha8Rng,
    /// When the last packet was sent, and when the transmission that it was part of must end.
    sent: Time,
    ends: Time,
    /// The transmission that has been granted but not begun.
    granted: Option<Time>,
}

impl Channel {
    pub(super) fn new(its: &plan::Wifi, nominal: Nominal, rng: ChaCha8Rng) -> Self {
        let (contention, txop) = (Time::from_ps(its.contention_ps), Time::from_ps(its.txop_ps));
        let busy = u128::from((contention + txop).as_ps());
        let on_air = u128::from(nominal.rate) * busy / u128::from(txop.as_ps());
        let on_air = Rate::from_bps(u64::try_from(on_air).unwrap_or(u64::MAX));
        Self { on_air, contention, txop, rng, sent: Time::ZERO, ends: Time::ZERO, granted: None }
    }
}

impl Service for Channel {
    fn begins(&mut self, now: Time, is_first: bool) -> Time {
        let goes_on = !is_first && self.granted.is_none() && now == self.sent && now < self.ends;
        if goes_on {
            return now;
        }
        let granted = match self.granted {
            Some(granted) => granted,
            None => {
                let wait = -libm::log(above_zero(&mut self.rng)) * self.contention.as_ps() as f64;
                now + Time::from_ps(wait as u64)
            }
        };
        self.granted = Some(granted);
        granted.max(now)
    }

    fn finish(&mut self, start: Time, bytes: u32) -> Time {
        if self.granted.take().is_some() {
            self.ends = start + self.txop;
        }
        self.sent = start + self.on_air.time_for(u64::from(bytes));
        self.sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::rng::Streams;

    fn channel() -> Channel {
        let its = plan::Wifi { contention_ps: 1_000_000_000, txop_ps: 4_000_000_000 };
        let nominal = Nominal { rate: 100_000_000, delay: Time::ZERO };
        Channel::new(&its, nominal, Streams::new(1).named("path/0"))
    }

    /// A station that always has data: the rate of the link, in aggregates of 4 ms or so.
    #[test]
    fn a_busy_station_gets_the_rate_of_the_link() {
        let mut channel = channel();
        let (mut now, mut aggregates) = (Time::ZERO, 0);
        for number in 0..100_000 {
            let begins = channel.begins(now, number == 0);
            aggregates += u32::from(begins > now);
            now = channel.finish(begins, 1500);
        }
        let rate = 100_000.0 * 12_000.0 / now.as_secs_f64();
        assert!((97e6..105e6).contains(&rate), "{rate}");
        let packets = 100_000.0 / f64::from(aggregates);
        assert!(
            (41.0..44.0).contains(&packets),
            "{packets} in 4 ms of 125 Mbit/s: 41.7, and the one that ends it"
        );
    }

    /// What comes while the station waits for the channel leaves with the rest.
    #[test]
    fn packets_that_come_during_contention_leave_together() {
        let mut channel = channel();
        let begins = channel.begins(Time::from_ms(5), true);
        assert!(begins > Time::from_ms(5));
        assert_eq!(channel.begins(Time::from_ms(5), false), begins, "it does not draw again");
        let first = channel.finish(begins, 40);
        assert_eq!(channel.begins(first, false), first);
        let second = channel.finish(first, 40);
        assert!(channel.begins(second, true) > second, "a new transmission");
    }
}
