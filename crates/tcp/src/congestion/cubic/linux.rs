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
        // A beta far below Linux's own rounds a small window down to nothing.
        let per_segment = ((cwnd * scale) >> 3).max(1);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::options::Growth;

    const SMSS: u64 = 1000;
    const SLOW_START: SlowStart = SlowStart::new(Growth::Bytes { limit: None });

    fn linux() -> Linux {
        Linux::new(&Options::MODERN.on_linux())
    }

    /// So many segments out of a window of as many, beyond slow start.
    fn flow(segments: u64) -> Flow {
        Flow::new(SMSS, segments * SMSS, 2 * SMSS, segments * SMSS)
    }

    fn ack(linux: &mut Linux, flow: &mut Flow, ms: u64, segments: u64) {
        let sample = AckSample::open(Time::from_ms(ms), segments * SMSS, None);
        linux.on_ack(&mut flow.window, &flow.sender, &SLOW_START, &sample);
    }

    fn ssthresh(linux: &mut Linux, segments: u64, cause: Cause) -> u64 {
        let Flow { window, sender } = flow(segments);
        linux.ssthresh(&window, &sender, cause) / SMSS
    }

    /// 717/1024 of 100 is 70.02, of 99 69.3; fast convergence leaves 1741/2048 of 80: 68.007.
    #[test]
    fn a_loss_leaves_717_parts_of_1024() {
        let mut its = linux();
        assert_eq!(its.beta, 717);
        assert_eq!([100, 80, 2].map(|cwnd| ssthresh(&mut its, cwnd, Cause::Loss)), [70, 56, 2]);
        let mut its = linux();
        ssthresh(&mut its, 100, Cause::Loss);
        ssthresh(&mut its, 80, Cause::Loss);
        assert_eq!(its.state.last_max_cwnd, 68);
        assert_eq!(ssthresh(&mut linux(), 100, Cause::Ecn), 70);
        let mut abe = Linux::new(&Options { abe: true, ..Options::MODERN.on_linux() });
        assert_eq!(ssthresh(&mut abe, 100, Cause::Ecn), 84, "870/1024");
        assert_eq!(ssthresh(&mut abe, 100, Cause::Loss), 70);
    }

    /// 300 segments below the plateau: K is the cube root of 2681735677 * 300, 9300/1024 s (9.082; RFC 9438: 9.086).
    #[test]
    fn the_plateau_is_k_away() {
        let mut its = linux();
        ssthresh(&mut its, 1000, Cause::Loss);
        let mut w = flow(700);
        ack(&mut its, &mut w, 5000, 1);
        assert_eq!((its.state.k, its.state.origin, its.state.epoch), (9300, 1000, Some(5000)));
    }

    /// At t = 0 the cubic is at cwnd, so that it would take 100 windows for a segment; before a loss 20 ACKs suffice. Reno's
    /// window is no larger.
    #[test]
    fn before_the_first_loss_a_twentieth_is_added() {
        let mut w = flow(100);
        let mut its = linux();
        (0..200).for_each(|_| ack(&mut its, &mut w, 0, 1));
        assert_eq!((its.state.per_segment, w.cwnd()), (20, 110 * SMSS));
        let mut its = linux();
        its.state.last_max_cwnd = 100;
        let mut w = flow(100);
        (0..180).for_each(|_| ack(&mut its, &mut w, 0, 1));
        assert_eq!((its.state.per_segment, w.cwnd()), (10_000, 100 * SMSS));
    }

    /// 60 s beyond a plateau of 10 segments the target is far: two ACKs for a segment, no fewer.
    #[test]
    fn cwnd_grows_by_half_in_a_round_trip_at_most() {
        let mut its = linux();
        ssthresh(&mut its, 10, Cause::Loss);
        let mut w = flow(7);
        ack(&mut its, &mut w, 1, 1);
        (0..100).for_each(|_| ack(&mut its, &mut w, 60_000, 1));
        assert_eq!(its.state.per_segment, 2);
        assert_eq!(w.cwnd(), (7 + 50) * SMSS);
    }

    /// The cubic is computed anew 32 ms after the last time, not 31, while cwnd stays the same.
    #[test]
    fn the_cubic_is_computed_once_in_a_32nd_of_a_second() {
        let mut its = linux();
        ssthresh(&mut its, 1000, Cause::Loss);
        let mut w = flow(700);
        ack(&mut its, &mut w, 100, 1);
        let first = its.state.per_segment;
        ack(&mut its, &mut w, 131, 1);
        assert_eq!((its.state.per_segment, its.state.last_update), (first, 100));
        ack(&mut its, &mut w, 132, 1);
        assert_eq!(its.state.last_update, 132);
        assert!(its.state.per_segment < first, "{}", its.state.per_segment);
    }

    #[test]
    fn a_time_out_forgets_everything() {
        let mut its = linux();
        ssthresh(&mut its, 100, Cause::Loss);
        ack(&mut its, &mut flow(70), 0, 1);
        its.state.min_rtt = Some(Time::from_ms(10));
        assert_eq!(ssthresh(&mut its, 80, Cause::Rto), 56);
        assert_eq!((its.state.last_max_cwnd, its.state.epoch, its.state.min_rtt), (0, None, None));
        let Flow { window, sender } = flow(1);
        assert_eq!(its.ssthresh(&window, &sender, Cause::RepeatedRto), window.ssthresh());
    }

    /// The pause since the last segment does not count, but the stage never begins later than now.
    #[test]
    fn a_pause_moves_the_beginning_of_the_stage() {
        let mut its = linux();
        its.state.epoch = Some(1000);
        its.on_sent(Time::from_ms(4000));
        its.on_transmit_start(Time::from_ms(9000));
        assert_eq!(its.state.epoch, Some(6000));
        its.on_sent(Time::from_ms(9000));
        its.on_transmit_start(Time::from_ms(20_000));
        assert_eq!(its.state.epoch, Some(17_000));
        its.state.epoch = Some(19_500);
        its.on_sent(Time::from_ms(19_000));
        its.on_transmit_start(Time::from_ms(20_000));
        assert_eq!(its.state.epoch, Some(20_000));
    }

    #[test]
    fn rtts_of_the_first_second_of_a_stage_do_not_count() {
        let mut its = linux();
        its.state.epoch = Some(1000);
        let sample =
            |ms| AckSample { rtt: Some(Time::from_ms(30)), ..AckSample::open(Time::from_ms(ms), 0, None) };
        its.on_sample(&sample(1999));
        assert_eq!(its.state.min_rtt, None);
        its.on_sample(&sample(2000));
        assert_eq!(its.state.min_rtt, Some(Time::from_ms(30)));
    }
}
