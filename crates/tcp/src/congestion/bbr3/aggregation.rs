//! How much more than `bw` promises is acknowledged at once, because hosts or links collect packets or ACKs.
//!
//! Source: draft-ietf-ccwg-bbr section 5.5.9. cwnd is larger by that much, so that the flow goes on in the silence between ACKs.
//!
//! | parameter | value |
//! |---|---|
//! | window of the maximum | 10 rounds; 1 before the pipe was full |

use super::Bbr3;
use super::filter::MaxFilter;
use super::signals::Rs;
use base::Time;

pub(super) const FILTER_ROUNDS: usize = 10;

/// `BBR.extra_acked*`. Bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aggregation {
    pub(super) extra_acked: u64,
    pub(super) extra_acked_interval_start: Time,
    pub(super) extra_acked_delivered: u64,
    filter: MaxFilter<FILTER_ROUNDS>,
}

impl Default for Aggregation {
    fn default() -> Self {
        Self {
            extra_acked: 0,
            extra_acked_interval_start: Time::ZERO,
            extra_acked_delivered: 0,
            filter: MaxFilter::EMPTY,
        }
    }
}

impl Bbr3 {
    /// `UpdateACKAggregation`.
    pub(super) fn update_ack_aggregation(&mut self, rs: &Rs) {
        let its = &mut self.aggregation;
        let mut expected = super::bytes_in(self.bw, self.c.now - its.extra_acked_interval_start);
        if its.extra_acked_delivered <= expected {
            (its.extra_acked_delivered, its.extra_acked_interval_start) = (0, self.c.now);
            expected = 0;
        }
        its.extra_acked_delivered += rs.newly_acked;
        let extra = (its.extra_acked_delivered - expected).min(self.c.cwnd);
        let window = if self.full_pipe.full_bw_reached { FILTER_ROUNDS } else { 1 };
        its.extra_acked = its.filter.update(self.round_count, extra, window);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    fn ack(its: &mut Bbr3, ms: u64, newly_acked: u64) -> u64 {
        its.c.now = MS(ms);
        its.update_ack_aggregation(&Rs { newly_acked, ..Rs::default() });
        its.aggregation.extra_acked
    }

    /// 1,000,000 bytes a second, and ACKs of 5000 bytes every 5 ms: an ACK comes for what the rate has delivered in
    /// the meantime, so 5000 bytes are extra at the moment when it comes.
    #[test]
    fn what_comes_at_once_is_extra_and_is_remembered_for_some_rounds() {
        let mut its = Bbr3 { bw: 1_000_000, ..Bbr3::for_tests(1000, 100_000) };
        its.full_pipe.fill();
        for n in 1..=10 {
            assert_eq!(ack(&mut its, 5 * n, 5000), 5000, "the interval begins anew with each ACK");
        }
        assert_eq!(ack(&mut its, 51, 8000), 5000 + 8000 - 1000, "1 ms later, in the same interval");
        its.round_count = 9;
        assert_eq!(ack(&mut its, 1000, 1000), 12_000);
        its.round_count = 10;
        assert_eq!(ack(&mut its, 2000, 1000), 1000, "ten rounds later");
    }

    #[test]
    fn before_the_pipe_is_full_a_round_is_remembered() {
        let mut its = Bbr3 { bw: 1_000_000, ..Bbr3::for_tests(1000, 100_000) };
        assert_eq!(ack(&mut its, 100, 8000), 8000);
        its.round_count = 1;
        assert_eq!(ack(&mut its, 200, 1000), 1000);
    }

    #[test]
    fn it_is_cwnd_at_most() {
        let mut its = Bbr3 { bw: 1_000_000, ..Bbr3::for_tests(1000, 6000) };
        assert_eq!(ack(&mut its, 100, 8000), 6000);
    }
}
