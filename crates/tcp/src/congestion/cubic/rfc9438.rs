//! CUBIC in real numbers.
//!
//! Source: RFC 9438 section 4; RFC 8511 for `abe`. Windows are in bytes and keep their fractions; with `whole_segments` cwnd
//! is the whole segments of them.
//!
//! Deviations: ssthresh is a part of what [`SsthreshFrom`] says, where section 4.6 takes
//! `flight_size` and allows cwnd if it grows only while it limits the sender, which
//! `cwnd_validation` sees to. A mark leaves two segments at least, as a loss does, where section 4.6 goes on to one: no
//! timer slows a sender down further here. Time in which cwnd does not limit the sender does not count
//! (section 5.8). With `abe`, alpha is that of the losses: RFC 8511 names no other.
//!
//! | parameter | value |
//! |---|---|
//! | C | 0.4 segments/s^3 |
//! | beta | part of the window that a loss leaves; 0.7 in the RFC |
//! | beta of a mark | with `abe` 0.85, which RFC 8511 section 3.2 reports for CUBIC; else beta |
//! | alpha | 3 (1 - beta) / (1 + beta), 1 once `W_est` has reached cwnd of the last loss |

use super::super::threshold::{ssthresh_from, threshold};
use super::super::{AckSample, Cause, CongestionAvoidance, CongestionWindow, SlowStart};
use super::roots::cube_root;
use crate::options::{Options, SsthreshFrom, SsthreshRounding};
use crate::sender::Sender;
use base::Time;

/// Segments per second cubed.
const C: f64 = 0.4;
const BETA_ECN: f64 = 0.85;

/// CUBIC in real numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rfc9438 {
    ssthresh_from: SsthreshFrom,
    ssthresh_rounding: SsthreshRounding,
    whole_segments: bool,
    beta: f64,
    /// Part of the window that a mark leaves.
    beta_ecn: f64,
    state: State,
    /// The state before the reduction that may turn out to be needless.
    before: State,
    last_ack: Time,
}

/// What section 4.9.2 restores.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// cwnd where the cubic has its plateau, segments; none before the first loss.
    w_max: Option<f64>,
    /// cwnd just before the last loss, segments.
    cwnd_prior: f64,
    epoch: Option<Epoch>,
    /// The window fell because of a time-out.
    after_rto: bool,
}

/// A stage of congestion avoidance, from its first ACK on.
#[derive(Clone, Copy, Debug)]
struct Epoch {
    start: Time,
    /// Seconds from `start` to the plateau.
    k: f64,
    /// Segments at the plateau.
    plateau: f64,
    /// What Reno would have, segments.
    w_est: f64,
    /// cwnd with its fraction, segments.
    cwnd: f64,
}

impl Rfc9438 {
    pub(super) fn new(options: &Options) -> Self {
        let beta = options.cubic_beta;
        Self {
            ssthresh_from: options.ssthresh_from,
            ssthresh_rounding: options.ssthresh_rounding,
            whole_segments: options.whole_segments,
            beta,
            beta_ecn: if options.abe { BETA_ECN.max(beta) } else { beta },
            state: State::default(),
            before: State::default(),
            last_ack: Time::ZERO,
        }
    }

    /// Section 4.2: where the cubic begins, and how far away its plateau is. After a time-out (section 4.8), and when slow
    /// start has ended without a loss (section 4.10), it begins at its plateau, which is `W_max` from then on.
    fn begin_epoch(&mut self, now: Time, cwnd: f64) -> Epoch {
        let after_rto = std::mem::take(&mut self.state.after_rto);
        let w_max = self.state.w_max.filter(|_| !after_rto).unwrap_or(cwnd);
        self.state.w_max = Some(w_max);
        let plateau = w_max.max(cwnd);
        Epoch { start: now, k: cube_root((plateau - cwnd) / C), plateau, w_est: cwnd, cwnd }
    }

    /// Section 4.3: alpha lets `W_est` grow as Reno would with the same losses.
    fn alpha(&self, w_est: f64) -> f64 {
        if w_est >= self.state.cwnd_prior { 1.0 } else { 3.0 * (1.0 - self.beta) / (1.0 + self.beta) }
    }

    fn avoid_congestion(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        acked: u64,
        sample: &AckSample,
    ) {
        let smss = sender.smss as f64;
        let cwnd = window.cwnd() as f64 / smss;
        let acked = acked as f64 / smss;
        let mut epoch = match self.state.epoch {
            // What moved cwnd meanwhile (a restart after idle) begins a new epoch.
            Some(epoch) if self.bytes(epoch.cwnd, smss) == window.cwnd() => epoch,
            _ => self.begin_epoch(sample.now, cwnd),
        };
        epoch.w_est += self.alpha(epoch.w_est) * acked / epoch.cwnd;
        let t = (sample.now - epoch.start).as_secs_f64();
        if epoch.w_cubic(t) < epoch.w_est {
            epoch.cwnd = epoch.cwnd.max(epoch.w_est);
        } else {
            let rtt = sample.srtt.map_or(0.0, Time::as_secs_f64);
            let target = epoch.w_cubic(t + rtt).clamp(epoch.cwnd, 1.5 * epoch.cwnd);
            epoch.cwnd += (target - epoch.cwnd) * acked / epoch.cwnd;
        }
        let grown = self.bytes(epoch.cwnd, smss);
        window.grow_to(grown, sender.max_rwnd);
        epoch.cwnd = if window.cwnd() == grown { epoch.cwnd } else { window.cwnd() as f64 / smss };
        self.state.epoch = Some(epoch);
    }

    /// cwnd of so many segments.
    fn bytes(&self, cwnd: f64, smss: f64) -> u64 {
        if self.whole_segments { cwnd as u64 * smss as u64 } else { (cwnd * smss) as u64 }
    }
}

impl Epoch {
    /// Equation 1.
    fn w_cubic(&self, t: f64) -> f64 {
        let d = t - self.k;
        C * d * d * d + self.plateau
    }
}

impl CongestionAvoidance for Rfc9438 {
    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        self.last_ack = sample.now;
        let left = slow_start.grow(window, sender, sample.delivered);
        if left > 0 {
            self.avoid_congestion(window, sender, left, sample);
        }
    }

    fn needs_transmit_start(&self) -> bool {
        true
    }

    fn on_transmit_start(&mut self, now: Time) {
        self.on_unlimited(now);
    }

    /// The time since the last ACK does not count.
    fn on_unlimited(&mut self, now: Time) {
        let idle = now.saturating_sub(self.last_ack);
        self.last_ack = now;
        if let Some(epoch) = &mut self.state.epoch {
            epoch.start += idle;
        }
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        if cause == Cause::RepeatedRto {
            return window.ssthresh();
        }
        let smss = sender.smss as f64;
        let cwnd = window.cwnd() as f64 / smss;
        // Section 4.7, fast convergence: a window smaller than the last one leaves room to others.
        let shrinks = self.state.w_max.is_some_and(|w_max| cwnd < w_max);
        self.state = State {
            w_max: Some(if shrinks { cwnd * (1.0 + self.beta) / 2.0 } else { cwnd }),
            cwnd_prior: cwnd,
            epoch: None,
            after_rto: cause == Cause::Rto,
        };
        let beta = if cause == Cause::Ecn { self.beta_ecn } else { self.beta };
        let left = ssthresh_from(window, sender, self.ssthresh_from, cause) as f64 * beta;
        threshold(left as u64, sender.smss, self.ssthresh_rounding)
    }

    fn save(&mut self) {
        self.before = self.state;
    }

    fn on_spurious(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> bool {
        if (window.cwnd() as f64) < self.state.cwnd_prior * sender.smss as f64 {
            self.state = self.before;
        }
        // Section 4.9.1 leaves time-outs to RFC 4015.
        cause == Cause::Loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::options::Growth;

    const SMSS: u64 = 1000;

    fn cubic() -> Rfc9438 {
        Rfc9438::new(&Options::MODERN)
    }

    fn flow(segments: u64, ssthresh: u64) -> Flow {
        Flow::new(SMSS, segments * SMSS, ssthresh * SMSS, segments * SMSS)
    }

    fn ssthresh(cubic: &mut Rfc9438, flow: &Flow, cause: Cause) -> u64 {
        cubic.ssthresh(&flow.window, &flow.sender, cause)
    }

    fn ack(ms: u64) -> AckSample<'static> {
        AckSample::open(Time::from_ms(ms), SMSS, Some(Time::from_ms(100)))
    }

    /// A loss: cwnd is ssthresh then.
    fn lose(cubic: &mut Rfc9438, flow: &mut Flow) {
        let left = ssthresh(cubic, flow, Cause::Loss);
        flow.window.set_ssthresh(left);
        flow.window.set_cwnd(left);
    }

    fn acknowledge(cubic: &mut Rfc9438, flow: &mut Flow, sample: &AckSample) {
        cubic.on_ack(&mut flow.window, &flow.sender, &SlowStart::new(Growth::Acks), sample);
    }

    /// Acknowledges whole windows, one each 100 ms, for `rtts` round trips from `start` ms on.
    fn round_trips(cubic: &mut Rfc9438, flow: &mut Flow, start: u64, rtts: u64) {
        for rtt in 0..rtts {
            let in_flight = flow.cwnd() / SMSS;
            (0..in_flight).for_each(|_| acknowledge(cubic, flow, &ack(start + 100 * rtt)));
        }
    }

    #[test]
    fn a_loss_leaves_seven_tenths_and_a_second_time_out_changes_nothing() {
        let mut cubic = cubic();
        let mut w = flow(100, 1000);
        assert_eq!(ssthresh(&mut cubic, &w, Cause::Loss), 70 * SMSS);
        w.window.set_ssthresh(70 * SMSS);
        w.window.set_cwnd(SMSS);
        assert_eq!(ssthresh(&mut cubic, &w, Cause::RepeatedRto), 70 * SMSS);
        assert_eq!(cubic.state.w_max, Some(100.0));
    }

    #[test]
    fn a_smaller_window_than_at_the_last_loss_gives_way() {
        let mut cubic = cubic();
        ssthresh(&mut cubic, &flow(100, 1000), Cause::Loss);
        ssthresh(&mut cubic, &flow(80, 70), Cause::Loss);
        assert_eq!(cubic.state.w_max, Some(80.0 * 1.7 / 2.0));
    }

    /// `W_max` 1000, cwnd 700: K = (300 / 0.4)^(1/3) = 9.086 s. Half-way, at 4.5 s, the cubic has
    /// 1000 - 0.4 * 4.586^3 = 961; at K it is flat at 1000, and 5 s later at 1000 + 0.4 * 125 = 1050.
    #[test]
    fn rises_to_the_plateau_in_k_seconds_and_beyond_it() {
        let mut cubic = cubic();
        let mut w = flow(1000, 5000);
        lose(&mut cubic, &mut w);
        assert_eq!(w.cwnd(), 700 * SMSS);
        round_trips(&mut cubic, &mut w, 0, 45);
        assert!((955..=962).contains(&(w.cwnd() / SMSS)), "{}", w.cwnd());
        round_trips(&mut cubic, &mut w, 4500, 45);
        assert!((998..=1000).contains(&(w.cwnd() / SMSS)), "{}", w.cwnd());
        round_trips(&mut cubic, &mut w, 9000, 50);
        assert!((1040..=1052).contains(&(w.cwnd() / SMSS)), "{}", w.cwnd());
    }

    /// `W_max` 10, cwnd 7: Reno-friendly growth of 3 * 0.3 / 1.7 = 0.53 segments a round trip of 100 ms is
    /// faster than the cubic at first.
    #[test]
    fn is_as_fast_as_reno_where_the_cubic_is_slower() {
        let mut cubic = cubic();
        let mut w = flow(10, 5000);
        lose(&mut cubic, &mut w);
        round_trips(&mut cubic, &mut w, 0, 4);
        let grown = w.cwnd() as f64 / SMSS as f64 - 7.0;
        assert!((1.7..2.2).contains(&grown), "{grown}");
    }

    /// A second without data does not count: 10 s and then 1 s of idleness are as 10 s.
    #[test]
    fn idle_time_does_not_count() {
        let grown = |idle: u64| {
            let mut cubic = cubic();
            let mut w = flow(100, 5000);
            lose(&mut cubic, &mut w);
            round_trips(&mut cubic, &mut w, 0, 20);
            cubic.on_unlimited(Time::from_ms(1900 + idle));
            round_trips(&mut cubic, &mut w, 2000 + idle, 10);
            w.cwnd()
        };
        assert_eq!(grown(0), grown(1000));
    }

    #[test]
    fn begins_at_the_plateau_after_a_time_out() {
        let mut cubic = cubic();
        ssthresh(&mut cubic, &flow(100, 5000), Cause::Rto);
        let epoch = cubic.begin_epoch(Time::ZERO, 70.0);
        assert_eq!((epoch.k, epoch.plateau), (0.0, 70.0));
    }

    /// Section 4.8: `W_max` is cwnd where congestion avoidance begins after a time-out. The next loss, at 80 segments, is above
    /// it, so that fast convergence takes nothing off.
    #[test]
    fn a_time_out_leaves_no_plateau_behind() {
        let mut cubic = cubic();
        ssthresh(&mut cubic, &flow(100, 5000), Cause::Rto);
        let mut w = flow(70, 70);
        acknowledge(&mut cubic, &mut w, &ack(0));
        assert_eq!(cubic.state.w_max, Some(70.0));
        ssthresh(&mut cubic, &flow(80, 70), Cause::Loss);
        assert_eq!(cubic.state.w_max, Some(80.0));
    }

    #[test]
    fn a_needless_loss_restores_the_cubic() {
        let mut cubic = cubic();
        let mut w = flow(1000, 5000);
        lose(&mut cubic, &mut w);
        round_trips(&mut cubic, &mut w, 0, 40);
        let before = (w.clone(), cubic);
        cubic.save();
        lose(&mut cubic, &mut w);
        assert!(cubic.state.epoch.is_none());
        assert!(cubic.on_spurious(&w.window, &w.sender, Cause::Loss), "all of cwnd");
        assert!(!cubic.on_spurious(&w.window, &w.sender, Cause::Rto), "RFC 4015");
        w = before.0.clone();
        let mut undisturbed = before;
        round_trips(&mut cubic, &mut w, 4000, 40);
        round_trips(&mut undisturbed.1, &mut undisturbed.0, 4000, 40);
        assert_eq!(w.cwnd(), undisturbed.0.cwnd());
    }

    /// Section 4.9.2: with cwnd above what it was at the loss, the newer state stays.
    #[test]
    fn what_shows_late_that_a_loss_was_none_restores_nothing() {
        let mut cubic = cubic();
        cubic.save();
        ssthresh(&mut cubic, &flow(100, 5000), Cause::Loss);
        let later = flow(100, 70);
        cubic.on_spurious(&later.window, &later.sender, Cause::Loss);
        assert_eq!(cubic.state.w_max, Some(100.0));
        let sooner = flow(99, 70);
        cubic.on_spurious(&sooner.window, &sooner.sender, Cause::Loss);
        assert_eq!(cubic.state.w_max, None);
    }

    #[test]
    fn a_mark_leaves_more_with_abe() {
        let with = |abe| Rfc9438::new(&Options { abe, ..Options::MODERN });
        assert_eq!(ssthresh(&mut with(true), &flow(100, 1000), Cause::Ecn), 85 * SMSS);
        assert_eq!(ssthresh(&mut with(true), &flow(100, 1000), Cause::Loss), 70 * SMSS);
        assert_eq!(ssthresh(&mut with(false), &flow(100, 1000), Cause::Ecn), 70 * SMSS);
    }

    /// A window of whole segments has those of the same window with fractions.
    #[test]
    fn whole_segments_are_those_of_the_window_with_fractions() {
        let grown = |whole_segments| {
            let mut cubic = Rfc9438::new(&Options { whole_segments, ..Options::MODERN });
            let mut w = flow(100, 5000);
            lose(&mut cubic, &mut w);
            (0..2000)
                .map(|n| {
                    acknowledge(&mut cubic, &mut w, &ack(n));
                    w.cwnd()
                })
                .collect::<Vec<_>>()
        };
        let whole: Vec<_> = grown(false).iter().map(|cwnd| cwnd / SMSS * SMSS).collect();
        assert_eq!(grown(true), whole);
    }
}
