//! CUBIC as Linux counts it: whole segments, milliseconds and 1024ths of a second.
//!
//! Source: Linux, `net/ipv4/tcp_cubic.c` and `tcp_cong_avoid_ai` (`net/ipv4/tcp_cong.c`), with a jiffy of 1 ms. What differs
//! from RFC 9438: the cubic is computed at most once in 1/32 s while cwnd stays the same, and once a millisecond at most; it
//! says for how many delivered segments cwnd grows by one, and two are the least; before the first loss 20 are the most; the
//! target is that of the smallest RTT later, not of the smoothed one; Reno's window grows by 8/15 segments a round trip
//! forever (no step of alpha to 1); a time-out forgets everything; an undone reduction restores no state; time in which
//! cwnd does not limit the sender counts, unless nothing is in flight.
//!
//! Deviations: the cube root is exact (`roots.rs`); the offset from the plateau has 128 bits in its cube, where 64 overflow
//! beyond 346 s. RTTs come from loss detection; a flavor whose loss detection measures none has no smallest RTT.
//!
//! | parameter | value |
//! |---|---|
//! | C | 41/1024 of 10 segments/s^3: 0.4004 |
//! | beta | 717/1024 of cwnd stay after a loss (0.7 as a fraction of 1024); with `abe` 870/1024 after a mark |
//! | RTTs that do not count for the smallest | those in the first second of a stage |

use super::super::segment_count::SegmentCount;
use super::super::{AckSample, Cause, CongestionAvoidance, CongestionWindow, SlowStart};
use super::roots::integer_cube_root;
use crate::options::Options;
use crate::sender::Sender;
use base::Time;

const MS: Time = Time::from_ms(1);
/// One for beta.
const BETA_SCALE: u64 = 1024;
const BETA_ECN: u64 = 870;
/// C, in 1024ths of segments/s^3.
const C: u64 = 410;
/// 2^40: the cube of a second of 1024 parts, and C's 1024ths.
const CUBE_SCALE: u64 = 1 << 40;
/// In milliseconds.
const UPDATE_INTERVAL: u64 = 1000 / 32;
const DISCARD: u64 = 1000;
/// Delivered segments for a segment of growth: the least, and the most before the first loss.
const LEAST_COUNT: u64 = 2;
const MOST_BEFORE_LOSS: u64 = 20;

/// CUBIC in Linux' integers. Windows are in segments, times in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linux {
    beta: u64,
    beta_ecn: u64,
    count: SegmentCount,
    /// Delivered bytes that are not a segment yet.
    bytes: u64,
    state: State,
    last_sent: u64,
}

/// What a time-out forgets.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Delivered segments for a segment of growth.
    per_segment: u64,
    last_max_cwnd: u64,
    /// cwnd at the last update, and when that was.
    last_cwnd: u64,
    last_update: u64,
    /// The plateau, and 1024ths of a second from the beginning to it.
    origin: u64,
    k: u64,
    min_rtt: Option<Time>,
    epoch: Option<u64>,
    /// Delivered segments that Reno's window has not yet grown for, and that window.
    delivered: u64,
    reno_cwnd: u64,
}

impl Linux {
    pub(super) fn new(options: &Options) -> Self {
        let beta = (options.cubic_beta * BETA_SCALE as f64 + 0.5) as u64;
        Self {
            beta,
            beta_ecn: if options.abe { BETA_ECN.max(beta) } else { beta },
            count: SegmentCount::default(),
            bytes: 0,
            state: State::default(),
            last_sent: 0,
        }
    }

    fn update(&mut self, now: u64, cwnd: u64, delivered: u64) {
        let its = &mut self.state;
        its.delivered += delivered;
        if its.last_cwnd == cwnd && now - its.last_update <= UPDATE_INTERVAL {
            return;
        }
        if its.epoch.is_none() || now != its.last_update {
            its.last_cwnd = cwnd;
            its.last_update = now;
            let epoch = match its.epoch {
                Some(epoch) => epoch,
                None => its.begin_epoch(now, cwnd, delivered),
            };
            its.per_segment = its.cubic(now - epoch, cwnd);
        }
        its.follow_reno(cwnd, 8 * (BETA_SCALE + self.beta) / 3 / (BETA_SCALE - self.beta));
        its.per_segment = its.per_segment.max(LEAST_COUNT);
    }
}

impl State {
    fn begin_epoch(&mut self, now: u64, cwnd: u64, delivered: u64) -> u64 {
        self.epoch = Some(now);
        self.delivered = delivered;
        self.reno_cwnd = cwnd;
        self.origin = self.last_max_cwnd.max(cwnd);
        self.k = integer_cube_root(CUBE_SCALE / C * (self.origin - cwnd));
        now
    }

    /// For how many delivered segments cwnd grows by one, so many milliseconds after the beginning.
    fn cubic(&self, elapsed: u64, cwnd: u64) -> u64 {
        let min_rtt = self.min_rtt.map_or(0, |rtt| rtt.as_ps().div_ceil(MS.as_ps()));
        let t = ((elapsed + min_rtt) << 10) / 1000;
        let offset = u128::from(t.abs_diff(self.k));
        let delta = (u128::from(C) * offset.pow(3) / u128::from(CUBE_SCALE)) as u64;
        let target =
            if t < self.k { self.origin.saturating_sub(delta) } else { self.origin.saturating_add(delta) };
        let per_segment = if target > cwnd { cwnd / (target - cwnd) } else { 100 * cwnd };
        if self.last_max_cwnd == 0 { per_segment.min(MOST_BEFORE_LOSS) } else { per_segment }
    }

    /// Lets Reno's window grow by a segment for each `scale` / 8 windows, and cwnd after it.
    fn follow_reno(&mut self, cwnd: u64, scale: u64) {
        let per_segment = (cwnd * scale) >> 3;
        let segments = self.delivered.saturating_sub(1) / per_segment;
        self.delivered -= segments * per_segment;
        self.reno_cwnd += segments;
        if self.reno_cwnd > cwnd {
            self.per_segment = self.per_segment.min(cwnd / (self.reno_cwnd - cwnd));
        }
    }
}

impl CongestionAvoidance for Linux {
    fn needs_rtt(&self) -> bool {
        true
    }

    fn on_sample(&mut self, sample: &AckSample) {
        let its = &mut self.state;
        let is_early = its.epoch.is_some_and(|epoch| ms(sample.now).saturating_sub(epoch) < DISCARD);
        if let Some(rtt) = sample.rtt.filter(|_| !is_early) {
            its.min_rtt = Some(its.min_rtt.map_or(rtt, |min_rtt| min_rtt.min(rtt)));
        }
    }

    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        self.bytes += slow_start.grow(window, sender, sample.delivered);
        let delivered = self.bytes / sender.smss;
        self.bytes %= sender.smss;
        if delivered > 0 {
            self.update(ms(sample.now), window.cwnd() / sender.smss, delivered);
            self.count.grow(window, sender, self.state.per_segment, delivered);
        }
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        let cwnd = window.cwnd() / sender.smss;
        let shrinks = cwnd < self.state.last_max_cwnd;
        self.count.clear();
        self.state = match cause {
            Cause::Rto | Cause::RepeatedRto => State::default(),
            Cause::Loss | Cause::Ecn => State {
                epoch: None,
                last_max_cwnd: if shrinks {
                    cwnd * (BETA_SCALE + self.beta) / (2 * BETA_SCALE)
                } else {
                    cwnd
                },
                ..self.state
            },
        };
        if cause == Cause::RepeatedRto {
            return window.ssthresh();
        }
        let beta = if cause == Cause::Ecn { self.beta_ecn } else { self.beta };
        (cwnd * beta / BETA_SCALE).max(2) * sender.smss
    }

    fn needs_transmit_start(&self) -> bool {
        true
    }

    /// The time since the last segment was sent does not count.
    fn on_transmit_start(&mut self, now: Time) {
        let now = ms(now);
        if let Some(epoch) = &mut self.state.epoch {
            *epoch = (*epoch + now.saturating_sub(self.last_sent)).min(now);
        }
    }

    fn on_sent(&mut self, now: Time) {
        self.last_sent = ms(now);
    }
}

fn ms(time: Time) -> u64 {
    time.div_floor(MS)
}
