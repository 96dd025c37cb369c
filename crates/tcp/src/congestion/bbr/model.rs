//! The model of the path: round trips, the largest bandwidth, the smallest RTT, whether the pipe is full.
//!
//! Source: Linux 6, net/ipv4/tcp_bbr.c, bbr_update_bw, bbr_check_full_bw_reached and bbr_update_min_rtt.
//!
//! A round trip ends when a segment is delivered that was sent after the end of the last one. A sample of the delivery rate that
//! the application limited counts only if it is above the estimate.
//!
//! | parameter | value |
//! |---|---|
//! | window of the bandwidth | 10 round trips |
//! | window of the RTT | 10 s |
//! | the pipe is full | 3 round trips in which the bandwidth has not grown by a quarter |

use super::bandwidth::{Bandwidth, Gain};
use super::policer::Totals;
use crate::congestion::AckSample;
use crate::congestion::windowed_filter::WindowedMax;
use crate::transmit_queue::{PathSample, RateSample};
use base::Time;

const BANDWIDTH_ROUNDS: u64 = 10;
const MIN_RTT_WINDOW: Time = Time::from_secs(10);
const FULL_GROWTH: Gain = Gain(256 * 5 / 4);
const FULL_ROUNDS: u32 = 3;

/// An ACK as BBR reads it. Bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ack {
    pub(super) now: Time,
    /// Newly delivered, and newly found to be lost.
    pub(super) acked: u64,
    pub(super) lost: u64,
    /// In flight now.
    pub(super) in_flight: u64,
    pub(super) totals: Totals,
    pub(super) rate: Option<RateSample>,
    pub(super) rtt: Option<Time>,
    /// Whether it may have waited for a segment that did not come: it is of a short one alone.
    pub(super) is_delayed: bool,
    pub(super) smss: u64,
}

impl Ack {
    /// What had been delivered when the segment of its rate sample left.
    pub(super) fn prior_delivered(&self) -> Option<u64> {
        self.rate.map(|rate| self.totals.delivered - rate.delivered)
    }

    /// In flight before it came. What it delivers may have counted as lost; then it is less.
    pub(super) fn prior_in_flight(&self) -> u64 {
        self.in_flight + self.acked + self.lost
    }
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    bandwidth: WindowedMax<Bandwidth>,
    pub(super) totals: Totals,
    round: u64,
    /// A round trip ends when a segment is delivered that was sent when so much had been.
    next_round: u64,
    pub(super) round_start: bool,
    /// The smallest RTT, and since when; none before the first.
    pub(super) min_rtt: Option<Time>,
    pub(super) min_rtt_at: Time,
    full_bandwidth: Bandwidth,
    full_rounds: u32,
    pub(super) is_full: bool,
}

impl Model {
    pub(super) fn new() -> Self {
        Self {
            bandwidth: WindowedMax::new(BANDWIDTH_ROUNDS, 0, Bandwidth::default()),
            totals: Totals::default(),
            round: 0,
            next_round: 0,
            round_start: false,
            min_rtt: None,
            min_rtt_at: Time::ZERO,
            full_bandwidth: Bandwidth::default(),
            full_rounds: 0,
            is_full: false,
        }
    }

    pub(super) fn bandwidth(&self) -> Bandwidth {
        self.bandwidth.get()
    }

    /// Reads an ACK, and counts what it delivers.
    pub(super) fn read(&mut self, sample: &AckSample, path: &PathSample, smss: u64) -> Ack {
        let acked = path.delivered - self.totals.delivered;
        let delivered_at = if acked > 0 { sample.now } else { self.totals.delivered_at };
        self.totals = Totals { delivered: path.delivered, lost: path.lost, delivered_at };
        Ack {
            now: sample.now,
            acked,
            lost: sample.queue.map_or(0, |queue| queue.lost),
            in_flight: sample.in_flight,
            totals: self.totals,
            rate: path.rate,
            rtt: path.rtt,
            is_delayed: path.rate.is_some_and(|rate| rate.tx_in_flight < smss && rate.delivered == acked),
            smss,
        }
    }

    /// A round trip begins now.
    pub(super) fn begin_round(&mut self) {
        self.next_round = self.totals.delivered;
    }

    /// Whether a round trip ends with this ACK.
    pub(super) fn count_round(&mut self, ack: &Ack) {
        self.round_start = ack.prior_delivered().is_some_and(|prior| prior >= self.next_round);
        if self.round_start {
            self.begin_round();
            self.round += 1;
        }
    }

    pub(super) fn update_bandwidth(&mut self, rate: &RateSample, is_app_limited: bool) {
        let bandwidth = Bandwidth::of(rate.delivered, rate.interval);
        if !is_app_limited || bandwidth >= self.bandwidth() {
            self.bandwidth.update(self.round, bandwidth);
        }
    }

    /// At the end of a round trip: does the bandwidth still grow?
    pub(super) fn check_full(&mut self, is_app_limited: bool) {
        if self.is_full || !self.round_start || is_app_limited {
            return;
        }
        if self.bandwidth() >= self.full_bandwidth.times(FULL_GROWTH) {
            (self.full_bandwidth, self.full_rounds) = (self.bandwidth(), 0);
            return;
        }
        self.full_rounds += 1;
        self.is_full = self.full_rounds >= FULL_ROUNDS;
    }

    /// A time-out: whether the bandwidth grows is to be seen anew.
    pub(super) fn forget_full_bandwidth(&mut self) {
        self.full_bandwidth = Bandwidth::default();
    }

    /// A needless reduction: the rounds since then do not count either.
    pub(super) fn forget_full_rounds(&mut self) {
        self.forget_full_bandwidth();
        self.full_rounds = 0;
    }

    /// Returns true if the smallest RTT had aged out.
    pub(super) fn update_min_rtt(&mut self, ack: &Ack) -> bool {
        let is_old = ack.now > self.min_rtt_at + MIN_RTT_WINDOW;
        let is_smaller = |rtt| self.min_rtt.is_none_or(|smallest| rtt < smallest);
        if let Some(rtt) = ack.rtt.filter(|&rtt| is_smaller(rtt) || (is_old && !ack.is_delayed)) {
            (self.min_rtt, self.min_rtt_at) = (Some(rtt), ack.now);
        }
        is_old
    }
}
