//! How much more is acknowledged at once than the bandwidth explains: ACKs that a link or a receiver holds back.
//!
//! Source: Linux 6, net/ipv4/tcp_bbr.c, bbr_update_ack_aggregation.
//!
//! An epoch lasts as long as ACKs come faster than the bandwidth. What is acknowledged above it is extra; the largest in the
//! last five to ten round trips is added to cwnd, so that the sender goes on between such ACKs.
//!
//! | parameter | value |
//! |---|---|
//! | window | two of 5 round trips |
//! | an epoch is begun anew after | 2^20 segments |
//! | most that is added | cwnd; 100 ms of the bandwidth |

use super::bandwidth::Bandwidth;
use base::Time;

const WINDOW_ROUNDS: u32 = 5;
const EPOCH_SEGMENTS: u64 = 1 << 20;
const MOST_TIME: Time = Time::from_ms(100);

/// The excess of ACKs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Aggregation {
    epoch_start: Time,
    epoch_acked: u64,
    /// The largest excess in this window and in the last one, and which is this one.
    extra: [u64; 2],
    at: usize,
    rounds: u32,
}

impl Aggregation {
    /// An epoch begins.
    pub(super) fn begin_epoch(&mut self, now: Time) {
        (self.epoch_start, self.epoch_acked) = (now, 0);
    }

    /// An ACK of so many bytes came, where this is the bandwidth. `round_start`: a round trip begins with it.
    pub(super) fn on_ack(
        &mut self,
        now: Time,
        acked: u64,
        round_start: bool,
        bandwidth: Bandwidth,
        (cwnd, smss): (u64, u64),
    ) {
        if round_start {
            self.rounds += 1;
            if self.rounds >= WINDOW_ROUNDS {
                self.rounds = 0;
                self.at ^= 1;
                self.extra[self.at] = 0;
            }
        }
        let mut expected = bandwidth.bytes_in(now - self.epoch_start);
        if self.epoch_acked <= expected || self.epoch_acked + acked >= EPOCH_SEGMENTS * smss {
            self.begin_epoch(now);
            expected = 0;
        }
        self.epoch_acked += acked;
        let extra = (self.epoch_acked - expected).min(cwnd);
        self.extra[self.at] = self.extra[self.at].max(extra);
    }

    /// What to add to cwnd.
    pub(super) fn extra(&self, bandwidth: Bandwidth) -> u64 {
        self.extra[0].max(self.extra[1]).min(bandwidth.bytes_in(MOST_TIME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;
    const CWND: (u64, u64) = (1_000_000, 1000);

    /// 1000 bytes a millisecond, of which the ACKs come ten at a time each 10 ms.
    #[test]
    fn what_comes_at_once_is_extra() {
        let bandwidth = Bandwidth::of(1000, MS(1));
        let mut aggregation = Aggregation::default();
        for burst in 1..20 {
            (0..10).for_each(|_| aggregation.on_ack(MS(10 * burst), 1000, false, bandwidth, CWND));
        }
        // The first ACK of each burst begins an epoch: with the ten of it 10 000 bytes came in no time.
        assert_eq!(aggregation.extra(bandwidth), 10_000);
        let smooth = &mut Aggregation::default();
        (1..200).for_each(|ms| smooth.on_ack(MS(ms), 1000, false, bandwidth, CWND));
        assert_eq!(smooth.extra(bandwidth), 1000, "an ACK by itself");
    }

    #[test]
    fn it_counts_for_five_to_ten_round_trips() {
        let bandwidth = Bandwidth::of(1000, MS(1));
        let mut aggregation = Aggregation::default();
        aggregation.on_ack(MS(1), 50_000, false, bandwidth, CWND);
        let mut rounds = 0;
        while aggregation.extra(bandwidth) == 50_000 {
            rounds += 1;
            aggregation.on_ack(MS(1000 * rounds), 1000, true, bandwidth, CWND);
        }
        assert_eq!(rounds, 10);
    }

    #[test]
    fn cwnd_and_a_tenth_of_a_second_bound_it() {
        let bandwidth = Bandwidth::of(1000, MS(1));
        let mut aggregation = Aggregation::default();
        aggregation.on_ack(MS(1), 5_000_000, false, bandwidth, CWND);
        assert_eq!(aggregation.extra(Bandwidth::of(1_000_000, MS(1))), 1_000_000);
        assert!((99_999..=100_000).contains(&aggregation.extra(bandwidth)));
    }
}
