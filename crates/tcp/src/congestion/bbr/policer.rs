//! The long-term bandwidth: what a token bucket lets through once it is empty.
//!
//! Source: Linux 6, net/ipv4/tcp_bbr.c, bbr_lt_bw_sampling.
//!
//! Two intervals in a row that begin and end with a loss, lose a fifth of the data each and deliver at the same rate speak for a
//! policer. BBR then paces at their mean for 48 round trips, and looks for more again.
//!
//! | parameter | value |
//! |---|---|
//! | an interval | 4 to 16 round trips; a longer one is begun anew |
//! | an interval is lossy | if the lost bytes are at least 50/256 of the delivered ones |
//! | the same rate | within 1/8, or 4 kbit/s |
//! | its use | 48 round trips in PROBE_BW |

use super::bandwidth::{Bandwidth, Gain};
use base::Time;

const LEAST_ROUNDS: u32 = 4;
const MOST_ROUNDS: u32 = 4 * LEAST_ROUNDS;
const LOSSY: u64 = 50;
const SAME_RATIO: Gain = Gain(256 / 8);
const SAME_BYTES_PER_SECOND: u64 = 4000 / 8;
const ROUNDS_OF_USE: u32 = 48;
const LEAST_TIME: Time = Time::from_ms(1);

/// What has been delivered and lost so far, bytes, and when the last of it was delivered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) delivered: u64,
    pub(super) lost: u64,
    pub(super) delivered_at: Time,
}

/// What an ACK or a time-out means for the estimator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) totals: Totals,
    pub(super) has_losses: bool,
    pub(super) is_app_limited: bool,
    pub(super) round_start: bool,
    pub(super) in_probe_bw: bool,
}

/// The long-term bandwidth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Policer {
    /// Of the last interval, or the mean of two.
    bandwidth: Option<Bandwidth>,
    is_used: bool,
    is_sampling: bool,
    rounds: u32,
    /// When the interval began.
    start: Totals,
}

impl Policer {
    /// The bandwidth of a policer, if there seems to be one.
    pub(super) fn bandwidth(&self) -> Option<Bandwidth> {
        self.bandwidth.filter(|_| self.is_used)
    }

    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Returns true if the bandwidth has been used for long enough, so that the gains are to cycle anew.
    pub(super) fn on_event(&mut self, event: &Event) -> bool {
        if self.is_used {
            return self.count_use(event);
        }
        // The first loss says that the bucket is empty; before it, what it held would count.
        if !self.is_sampling {
            if !event.has_losses {
                return false;
            }
            self.begin_interval(event.totals);
            self.is_sampling = true;
        }
        if event.is_app_limited {
            self.reset();
            return false;
        }
        self.rounds += u32::from(event.round_start);
        if self.rounds > MOST_ROUNDS {
            self.reset();
        } else if self.rounds >= LEAST_ROUNDS && event.has_losses {
            self.end_interval(event.totals);
        }
        false
    }

    fn count_use(&mut self, event: &Event) -> bool {
        self.rounds += u32::from(event.in_probe_bw && event.round_start);
        let is_over = self.rounds >= ROUNDS_OF_USE;
        if is_over {
            self.reset();
        }
        is_over
    }

    fn begin_interval(&mut self, totals: Totals) {
        (self.start, self.rounds) = (totals, 0);
    }

    /// An interval may end, unless too little was lost or too little time has passed.
    fn end_interval(&mut self, totals: Totals) {
        let lost = totals.lost - self.start.lost;
        let delivered = totals.delivered - self.start.delivered;
        let time = totals.delivered_at.saturating_sub(self.start.delivered_at);
        if delivered == 0 || lost * 256 < LOSSY * delivered || time < LEAST_TIME {
            return;
        }
        let bandwidth = Bandwidth::of(delivered, time);
        match self.bandwidth.filter(|&before| is_same(bandwidth, before)) {
            Some(before) => {
                self.bandwidth = Some(bandwidth.mean(before));
                (self.is_used, self.rounds) = (true, 0);
            }
            None => {
                self.bandwidth = Some(bandwidth);
                self.begin_interval(totals);
            }
        }
    }
}

fn is_same(bandwidth: Bandwidth, before: Bandwidth) -> bool {
    let difference = bandwidth.abs_diff(before);
    difference <= before.times(SAME_RATIO) || difference.pacing_rate(Gain::ONE) <= SAME_BYTES_PER_SECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of so many bytes each 100 ms, which is a round trip, of which so many more are lost.
    struct Path {
        policer: Policer,
        totals: Totals,
    }

    impl Path {
        fn new() -> Self {
            Self { policer: Policer::default(), totals: Totals::default() }
        }

        fn round(&mut self, delivered: u64, lost: u64, is_app_limited: bool) -> bool {
            self.totals.delivered += delivered;
            self.totals.lost += lost;
            self.totals.delivered_at += Time::from_ms(100);
            let (totals, has_losses) = (self.totals, lost > 0);
            self.policer.on_event(&Event {
                totals,
                has_losses,
                is_app_limited,
                round_start: true,
                in_probe_bw: true,
            })
        }
    }

    /// The first loss begins an interval with a round trip of its own; four rounds on, the first ends; after four more the
    /// second.
    #[test]
    fn two_lossy_intervals_of_the_same_rate_are_a_policer() {
        let mut path = Path::new();
        path.round(100_000, 0, false);
        for round in 1..=7 {
            path.round(100_000, 20_000, false);
            assert_eq!(path.policer.bandwidth(), None, "round {round}");
        }
        path.round(100_000, 20_000, false);
        assert_eq!(path.policer.bandwidth(), Some(Bandwidth::of(100_000, Time::from_ms(100))));
        let rounds = (1..).find(|_| path.round(100_000, 0, false));
        assert_eq!((rounds, path.policer.bandwidth()), (Some(48), None));
    }

    /// An interval that loses 19 % is not lossy. Two rates of 100 and 80 differ too much to be a policer's.
    #[test]
    fn few_losses_or_other_rates_are_none() {
        let mut few = Path::new();
        (0..40).for_each(|_| assert!(!few.round(100_000, 19_000, false)));
        assert_eq!(few.policer.bandwidth(), None);
        let mut other = Path::new();
        (0..4).for_each(|_| assert!(!other.round(100_000, 30_000, false)));
        (0..4).for_each(|_| assert!(!other.round(80_000, 30_000, false)));
        assert_eq!(other.policer.bandwidth(), None);
        (0..4).for_each(|_| assert!(!other.round(75_000, 30_000, false)));
        assert!(other.policer.bandwidth().is_some(), "75 and 80 are within an eighth");
    }

    #[test]
    fn a_sender_without_data_begins_anew() {
        let mut path = Path::new();
        (0..7).for_each(|_| assert!(!path.round(100_000, 30_000, false)));
        path.round(100_000, 30_000, true);
        (0..7).for_each(|_| assert!(!path.round(100_000, 30_000, false)));
        assert_eq!(path.policer.bandwidth(), None);
    }

    #[test]
    fn an_interval_of_more_than_sixteen_rounds_begins_anew() {
        let mut path = Path::new();
        path.round(100_000, 30_000, false);
        (0..16).for_each(|_| assert!(!path.round(100_000, 0, false)));
        assert!(!path.policer.is_sampling);
    }
}
