//! UDP datagrams of one length at a constant bit rate, all the time or on and off alternately.
//!
//! Source: Parvez et al. 2010, section IV-F: on-off sources over UDP with Pareto times beside TCP. The
//! source makes bytes at its rate while it is on, and a datagram leaves one datagram time after the last one.
//! The rest of a datagram time at the end of a period counts in the next. So the mean rate is the rate times the
//! share of the time that the source is on, whatever the periods. The source starts with an on period and a
//! datagram. Departures do not drift: each is rounded to the picosecond by itself.
//!
//! | parameter | unit |
//! |---|---|
//! | rate while on | bit/s |
//! | length of a datagram with its IP and UDP headers | bytes |
//! | periods on, periods off | laws of times; none: always on |
//! | start | time |

use super::laws::Times;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// The departure times of datagrams, one after the other.
#[derive(Clone, Debug)]
pub struct Source {
    rate_bps: u64,
    packet_bytes: u32,
    turns: Option<Turns>,
    /// Datagrams that have left.
    left: u64,
    /// When this period on began.
    since: Time,
    /// How long it had been on before, in all.
    on_before: Time,
    /// How long this period lasts.
    on_for: Time,
}

/// The on and off periods of a source.
#[derive(Clone, Debug)]
pub struct Turns {
    /// Periods on.
    pub on: Times,
    /// Periods off.
    pub off: Times,
    /// What they are drawn from: on, off, on ...
    pub rng: ChaCha8Rng,
}

impl Turns {
    fn next_on(&mut self) -> Time {
        self.on.draw(&mut self.rng)
    }

    fn next_off(&mut self) -> Time {
        self.off.draw(&mut self.rng)
    }
}

impl Source {
    /// A source that begins at `starts_at`; without turns it is always on.
    #[must_use]
    pub fn new(rate_bps: u64, packet_bytes: u32, starts_at: Time, mut turns: Option<Turns>) -> Self {
        let on_for = turns.as_mut().map_or(Time::NEVER, Turns::next_on);
        Self { rate_bps, packet_bytes, turns, left: 0, since: starts_at, on_before: Time::ZERO, on_for }
    }

    /// Length of a datagram with its headers, bytes.
    #[must_use]
    pub fn packet_bytes(&self) -> u32 {
        self.packet_bytes
    }

    /// When the next datagram leaves.
    pub fn next_departure(&mut self) -> Time {
        let on = self.time_on(self.left);
        self.left += 1;
        if let Some(turns) = &mut self.turns {
            while on.saturating_sub(self.on_before) >= self.on_for && self.on_for != Time::NEVER {
                self.since = self.since.saturating_add(self.on_for).saturating_add(turns.next_off());
                self.on_before = self.on_before.saturating_add(self.on_for);
                self.on_for = turns.next_on();
            }
        }
        self.since.saturating_add(on.saturating_sub(self.on_before))
    }

    /// How long the source has to be on before a datagram, counted from 0.
    fn time_on(&self, datagram: u64) -> Time {
        const PS_PER_BYTE: u128 = 8 * 1_000_000_000_000;
        let (bytes, rate) = (u128::from(datagram) * u128::from(self.packet_bytes), u128::from(self.rate_bps));
        let ps = bytes.saturating_mul(PS_PER_BYTE).saturating_add(rate / 2) / rate;
        Time::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;
    use proptest::prelude::*;
    use sim::rng::Streams;

    fn always(rate_bps: u64, packet_bytes: u32, starts_at: Time) -> Source {
        Source::new(rate_bps, packet_bytes, starts_at, None)
    }

    fn departures(source: &mut Source, many: usize) -> Vec<u64> {
        (0..many).map(|_| source.next_departure().as_ps()).collect()
    }

    /// 1000 bytes at 3 Mbit/s take 2 666 666 666 2/3 ps.
    #[test]
    fn a_constant_rate_does_not_drift() {
        let mut source = always(3_000_000, 1000, Time::from_ps(5));
        let first = [5, 2_666_666_672, 5_333_333_338, 8_000_000_005];
        assert_eq!(departures(&mut source, 4), first);
        let mut source = always(3_000_000, 1000, Time::ZERO);
        assert_eq!(departures(&mut source, 3_000_001).last(), Some(&8_000_000_000_000_000));
    }

    /// On for 2.5 datagrams and off for 1 s: the third half of one is sent in the next period.
    #[test]
    fn what_is_left_of_a_period_counts_in_the_next() {
        const MS: u64 = 1_000_000_000;
        let times = |ps| Times::new(&plan::Times::Uniform { min_ps: ps, max_ps: ps });
        let turns = Turns { on: times(20 * MS), off: times(1000 * MS), rng: Streams::new(1).named("test") };
        let mut source = Source::new(1_000_000, 1000, Time::from_ms(3), Some(turns));
        let ms: Vec<u64> = departures(&mut source, 9).into_iter().map(|ps| ps / MS).collect();
        // On from 3 to 23, 1023 to 1043, 2043 to 2063 ms; a datagram each 8 ms of that.
        assert_eq!(ms, [3, 11, 19, 1027, 1035, 2043, 2051, 2059, 3067]);
    }

    #[test]
    fn a_period_without_end_is_one() {
        let times = |ps| Times::Uniform(Time::from_ps(ps), Time::from_ps(ps));
        let turns = Turns { on: times(u64::MAX), off: times(1), rng: Streams::new(1).named("test") };
        let mut source = Source::new(1, 65_535, Time::ZERO, Some(turns));
        assert_eq!(departures(&mut source, 100_000).last(), Some(&u64::MAX));
    }

    fn laws() -> impl Strategy<Value = plan::Times> {
        let mean_ps = 5_000_000_000u64..500_000_000_000;
        prop_oneof![
            mean_ps.clone().prop_map(|mean| plan::Times::Uniform { min_ps: 0, max_ps: 2 * mean }),
            mean_ps.clone().prop_map(|mean_ps| plan::Times::Exponential { mean_ps }),
            (mean_ps, 1_100_000u32..3_000_000)
                .prop_map(|(mean_ps, shape_ppm)| plan::Times::Pareto { mean_ps, shape_ppm }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Every datagram leaves at its own time to the picosecond.
        #[test]
        fn a_constant_rate_is_exact(
            rate_bps in 1u64..=1_000_000_000_000,
            packet_bytes in 28u32..=65_535,
            start in 0u64..1 << 50,
        ) {
            let mut source = always(rate_bps, packet_bytes, Time::from_ps(start));
            for (number, at) in (0u128..).zip(departures(&mut source, 300)) {
                let twice = u128::from(at - start) * 2 * u128::from(rate_bps);
                let exact = number * u128::from(packet_bytes) * 16_000_000_000_000;
                prop_assert!(twice.abs_diff(exact) <= u128::from(rate_bps));
            }
        }

        /// Drawing the same periods again: all leave while on, at the time on that they need.
        #[test]
        fn datagrams_leave_while_on(on in laws(), off in laws(), seed: u64, rate_bps in 1_000u64..10_000_000) {
            let (on, off) = (Times::new(&on), Times::new(&off));
            let mut rng = Streams::new(seed).named("test");
            let turns = Turns { on, off, rng: rng.clone() };
            let mut source = Source::new(rate_bps, 1000, Time::ZERO, Some(turns));
            let mut plain = always(rate_bps, 1000, Time::ZERO);
            let (mut begins, mut ends, mut before) = (0, on.draw(&mut rng).as_ps(), 0);
            for _ in 0..500 {
                let (at, needs) = (source.next_departure().as_ps(), plain.next_departure().as_ps());
                while at >= ends {
                    before += ends - begins;
                    begins = ends + off.draw(&mut rng).as_ps();
                    ends = begins + on.draw(&mut rng).as_ps();
                }
                prop_assert!(at >= begins);
                prop_assert_eq!(before + (at - begins), needs);
            }
        }
    }
}
