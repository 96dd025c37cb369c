//! Proportional rate reduction: how much may be sent on each ACK of a recovery.
//!
//! Source: RFC 9937 sections 6.2 and 6.3, which replaces RFC 6937. What is allowed is rounded up to whole segments, as
//! in present-day stacks, since no part of a segment is sent. With a window of whole segments as Linux has it
//! (`tcp_cwnd_reduction`, `net/ipv4/tcp_input.c`): cwnd before the reduction stands for `RecoverFS`, and what is in flight
//! counts in whole segments.
//!
//! | while | an ACK lets out |
//! |---|---|
//! | `pipe` > ssthresh | ssthresh / `RecoverFS` of what was delivered |
//! | `pipe` <= ssthresh, and the ACK shows a loss | as much as was delivered (CRB) |
//! | `pipe` <= ssthresh otherwise ("SafeACK") | a segment more (SSRB), up to ssthresh |
//!
//! No parameters.

use crate::transmit_queue::QueueSample;

/// The state of a reduction, bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prr {
    /// Delivered since the reduction began.
    delivered: u64,
    /// Sent since the reduction began.
    out: u64,
    /// `flight_size` when it began, without what had been SACKed.
    recover_fs: u64,
    whole_segments: bool,
}

impl Prr {
    /// A reduction that begins with `recover_fs` bytes in flight.
    pub(super) fn new(recover_fs: u64) -> Self {
        Self { recover_fs: recover_fs.max(1), ..Self::default() }
    }

    /// A reduction of a window of whole segments.
    pub(super) fn of_whole_segments(cwnd: u64) -> Self {
        Self { whole_segments: true, ..Self::new(cwnd) }
    }

    /// cwnd after an ACK that has delivered so many bytes.
    pub(super) fn on_ack(&mut self, ssthresh: u64, smss: u64, delivered: u64, ack: &QueueSample) -> u64 {
        self.delivered += delivered;
        let pipe = if self.whole_segments { ack.pipe.next_multiple_of(smss) } else { ack.pipe };
        let allowed = if pipe > ssthresh {
            let part = (self.delivered * ssthresh).div_ceil(self.recover_fs);
            part.next_multiple_of(smss).saturating_sub(self.out)
        } else {
            let bound = self.delivered.saturating_sub(self.out).max(delivered);
            let bound = if ack.is_safe { bound + smss } else { bound };
            bound.min(ssthresh - pipe)
        };
        // The fast retransmit goes out whatever the rest says.
        let allowed = if self.out == 0 { allowed.max(smss) } else { allowed };
        pipe + allowed
    }

    /// So many bytes were sent.
    pub(super) fn on_sent(&mut self, bytes: u64) {
        self.out += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMSS: u64 = 1000;

    /// Ten segments, the first lost, ssthresh 5: the eight further SACKs let out a segment each
    /// second time, until `pipe` is ssthresh; from then on each keeps it there.
    #[test]
    fn every_second_ack_lets_out_a_segment_when_ssthresh_is_half() {
        let mut prr = Prr::new(10 * SMSS);
        let mut pipe = 9 * SMSS;
        let mut sent = vec![];
        for _ in 0..8 {
            pipe -= SMSS;
            let ack = QueueSample { pipe, ..QueueSample::default() };
            let cwnd = prr.on_ack(5 * SMSS, SMSS, SMSS, &ack);
            let out = (cwnd - pipe) / SMSS;
            prr.on_sent(out * SMSS);
            pipe += out * SMSS;
            sent.push(out);
        }
        assert_eq!(sent, [1, 0, 1, 0, 1, 0, 0, 1]);
        assert_eq!(pipe, 5 * SMSS);
    }

    #[test]
    fn below_ssthresh_a_safe_ack_lets_out_one_segment_more() {
        for (safe, segments) in [(false, 1), (true, 2)] {
            let mut prr = Prr::new(10 * SMSS);
            prr.on_sent(SMSS);
            let ack = QueueSample { pipe: 2 * SMSS, is_safe: safe, ..QueueSample::default() };
            assert_eq!(prr.on_ack(5 * SMSS, SMSS, SMSS, &ack), (2 + segments) * SMSS);
        }
    }

    #[test]
    fn never_beyond_ssthresh_from_below() {
        let mut prr = Prr::new(10 * SMSS);
        prr.on_sent(SMSS);
        let ack = QueueSample { pipe: 4 * SMSS, is_safe: true, ..QueueSample::default() };
        assert_eq!(prr.on_ack(5 * SMSS, SMSS, 8 * SMSS, &ack), 5 * SMSS);
    }
}
