//! Slow start and congestion avoidance.
//!
//! Source: RFC 5681 section 3.1; with byte counting RFC 3465 section 2.1; for rounding and batch 002
//! task 6. cwnd does not grow beyond the largest window that the peer can advertise (BSD).
//!
//! 002's third solution is floating point. Here SMSS * SMSS / cwnd keeps its fraction as the remainder of
//! the division, which is added to the next dividend, so that every machine finds the same. It counts for a
//! little less there, as cwnd has grown meanwhile: by less than a part in cwnd of what the ACK adds.
//!
//! | parameter | what |
//! |---|---|
//! | growth | an ACK adds SMSS * SMSS / cwnd (equation 3), or a segment is added when cwnd bytes are acknowledged |
//! | rounding | by ACKs: the fraction of a byte is cut and a byte is the least (RFC 5681: "up"), cut (BSD: "down"; nothing is left of it beyond SMSS * SMSS), or kept ("none") |
//! | ACK batch | by ACKs: N of them together add N * SMSS * SMSS / cwnd (002's first solution). Those count that come in congestion avoidance while cwnd limits the sender; a loss or a mark begins the count anew, and drops the fraction |
//! | loss window | ssthresh is half of what [`LossWindow`] says |
//! | ssthresh rounding | ssthresh is cut to whole bytes, or to whole segments; with byte counting cwnd is then whole segments, too |
//! | limited transmit | what it sent does not count for `flight_size` (section 3.2, step 2) |
//! | additive constant | an eighth of a segment more for each ACK in congestion avoidance, as 4.3BSD Reno and its descendants had it (RFC 2525, section 2.6); RFC 5681 forbids it |

use super::slow_start::{SlowStart, grow_to};
use super::{Ack, Cause, CongestionControl, loss_window, threshold};
use crate::config::{Config, CwndRounding, Growth, LossWindow, SsthreshRounding};
use crate::window::Window;

/// Slow start and congestion avoidance.
#[derive(Clone, Copy, Debug)]
pub struct Reno {
    slow_start: SlowStart,
    growth: Growth,
    loss_window: LossWindow,
    ssthresh_rounding: SsthreshRounding,
    limited_transmit: bool,
    additive_constant: bool,
    rounding: CwndRounding,
    ack_batch: u32,
    /// ACKs since cwnd last grew in congestion avoidance.
    acks: u32,
    /// What the last growth left. By bytes: those acknowledged since. By ACKs: of the division, if nothing is
    /// rounded.
    left: u64,
}

impl Reno {
    /// With the parameters of `config`.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let options = &config.options;
        Self {
            slow_start: SlowStart::new(options.growth),
            growth: options.growth,
            loss_window: options.loss_window,
            ssthresh_rounding: options.ssthresh_rounding,
            limited_transmit: options.limited_transmit,
            additive_constant: config.additive_constant,
            rounding: config.cwnd_rounding,
            ack_batch: config.cwnd_ack_batch,
            acks: 0,
            left: 0,
        }
    }

    fn avoid_congestion(&mut self, window: &mut Window, acked: u64) {
        let growth = match self.growth {
            Growth::Acks => self.growth_by_acks(window),
            Growth::Bytes { .. } => {
                self.left += acked;
                let segments = self.left / window.cwnd;
                self.left -= segments * window.cwnd;
                segments * window.smss
            }
        };
        let constant = if self.additive_constant { window.smss / 8 } else { 0 };
        grow_to(window, window.cwnd + growth + constant);
    }

    /// What this ACK adds to cwnd, with those before it that have added nothing.
    fn growth_by_acks(&mut self, window: &Window) -> u64 {
        self.acks += 1;
        if self.acks < self.ack_batch {
            return 0;
        }
        let acks = u64::from(std::mem::take(&mut self.acks));
        let dividend = acks * window.smss * window.smss + self.left;
        let growth = dividend / window.cwnd;
        match self.rounding {
            CwndRounding::Up => growth.max(1),
            CwndRounding::Down => growth,
            CwndRounding::None => {
                self.left = dividend % window.cwnd;
                growth
            }
        }
    }
}

impl CongestionControl for Reno {
    fn on_ack(&mut self, window: &mut Window, ack: &Ack) {
        if !window.cwnd_limited {
            return;
        }
        let left = self.slow_start.grow(window, ack.acked);
        if left > 0 {
            self.avoid_congestion(window, left);
        }
    }

    fn ssthresh(&mut self, window: &Window, cause: Cause) -> u64 {
        self.slow_start.on_loss(cause);
        (self.acks, self.left) = (0, 0);
        // RFC 5681, section 3.1: a second time-out for the same data changes nothing.
        if self.loss_window.is_of_flight() && cause == Cause::RepeatedRto {
            return window.ssthresh;
        }
        let mut lost_from = loss_window(window, self.loss_window, cause);
        if self.limited_transmit && cause == Cause::FastRetransmit {
            lost_from = lost_from.min(window.cwnd);
        }
        threshold(lost_from / 2, window.smss, self.ssthresh_rounding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Options;
    use crate::flavor::Flavor;
    use base::Time;
    use proptest::prelude::*;

    fn window(cwnd: u64, ssthresh: u64) -> Window {
        Window {
            smss: 1000,
            snd_una: 1,
            snd_nxt: 1,
            snd_max: 6001,
            cwnd,
            ssthresh,
            rwnd: 20_000,
            max_rwnd: 20_000,
            ..Window::default()
        }
    }

    fn reno(loss_window: LossWindow) -> Reno {
        let preset = Config::preset(Flavor::named("reno").unwrap());
        Reno::new(&Config { options: Options { loss_window, ..preset.options }, ..preset })
    }

    fn counting(limit: Option<u32>) -> Reno {
        let preset = Config::preset(Flavor::named("reno").unwrap());
        let options = Options { growth: Growth::Bytes { limit }, ..preset.options };
        Reno::new(&Config { options, ..preset })
    }

    fn ack(acked: u64) -> Ack {
        Ack { acked, now: Time::ZERO, srtt: None }
    }

    #[test]
    fn doubles_below_ssthresh_and_grows_by_a_segment_a_window_above() {
        let mut control = reno(LossWindow::Cwnd);
        let mut w = window(1000, 4000);
        control.on_ack(&mut w, &ack(1000));
        assert_eq!(w.cwnd, 2000);
        control.on_ack(&mut w, &ack(128));
        assert_eq!(w.cwnd, 2128, "never by more than was acknowledged");
        let mut w = window(10_000, 4000);
        control.on_ack(&mut w, &ack(1000));
        assert_eq!(w.cwnd, 10_100);
        let with_constant = Reno { additive_constant: true, ..control };
        { with_constant }.on_ack(&mut w, &ack(1000));
        assert_eq!(w.cwnd, 10_100 + 99 + 125);
    }

    #[test]
    fn stops_at_the_largest_window_of_the_peer() {
        let mut w = window(19_990, 50_000);
        reno(LossWindow::Cwnd).on_ack(&mut w, &ack(1000));
        assert_eq!(w.cwnd, 20_000);
    }

    #[test]
    fn halves_what_it_was_told_to_and_keeps_two_segments() {
        let mut w = window(16_000, 50_000);
        assert_eq!(reno(LossWindow::Cwnd).ssthresh(&w, Cause::Rto), 8000);
        let mut flight = reno(LossWindow::FlightSize);
        assert_eq!(flight.ssthresh(&w, Cause::FastRetransmit), 3000);
        assert_eq!(flight.ssthresh(&w, Cause::RepeatedRto), 50_000);
        w.cwnd = 1000;
        assert_eq!(reno(LossWindow::Cwnd).ssthresh(&w, Cause::Rto), 2000);
    }

    /// After a time-out the flight size still counts the lost segments. A second time-out must not make ssthresh of them.
    #[test]
    fn bounded_by_cwnd_the_flight_size_raises_nothing_at_a_time_out() {
        let mut w = window(3000, 50_000);
        w.snd_max = 100_001;
        assert_eq!(reno(LossWindow::FlightSize).ssthresh(&w, Cause::Rto), 50_000);
        assert_eq!(reno(LossWindow::Bounded).ssthresh(&w, Cause::Rto), 2000);
        assert_eq!(reno(LossWindow::Bounded).ssthresh(&w, Cause::RepeatedRto), 50_000);
        let idle = window(16_000, 50_000);
        assert_eq!(reno(LossWindow::Bounded).ssthresh(&idle, Cause::Rto), 3000, "six segments are out");
        assert_eq!(reno(LossWindow::Bounded).ssthresh(&idle, Cause::FastRetransmit), 3000);
    }

    /// Nine segments: half is four and a half, of which four are whole. By bytes cwnd stays whole then.
    #[test]
    fn ssthresh_is_cut_to_whole_segments_if_so_asked() {
        let preset = Config::preset(Flavor::named("reno").unwrap());
        let options = Options {
            growth: Growth::Bytes { limit: None },
            loss_window: LossWindow::Cwnd,
            ssthresh_rounding: SsthreshRounding::Segments,
            ..preset.options
        };
        let mut control = Reno::new(&Config { options, ..preset });
        assert_eq!(control.ssthresh(&window(9000, 50_000), Cause::FastRetransmit), 4000);
        assert_eq!(control.ssthresh(&window(3000, 50_000), Cause::FastRetransmit), 2000, "two at least");
        let mut w = window(4000, 4000);
        (0..4).for_each(|_| control.on_ack(&mut w, &ack(1000)));
        assert_eq!(w.cwnd, 5000);
        assert_eq!(reno(LossWindow::Cwnd).ssthresh(&window(9000, 50_000), Cause::Rto), 4500);
    }

    /// RFC 3465: an ACK for two segments counts twice in slow start with L = 2, once after a
    /// time-out; in congestion avoidance ten segments acknowledged add one to a cwnd of ten.
    #[test]
    fn with_byte_counting_what_is_acknowledged_counts() {
        let mut control = counting(Some(2));
        let mut w = window(1000, 9000);
        control.on_ack(&mut w, &ack(4000));
        assert_eq!(w.cwnd, 3000);
        control.ssthresh(&w, Cause::Rto);
        control.on_ack(&mut w, &ack(2000));
        assert_eq!(w.cwnd, 4000);
        let mut w = window(10_000, 4000);
        (0..9).for_each(|_| control.on_ack(&mut w, &ack(1000)));
        assert_eq!(w.cwnd, 10_000);
        control.on_ack(&mut w, &ack(1000));
        assert_eq!(w.cwnd, 11_000);
    }

    #[test]
    fn what_an_ack_leaves_of_slow_start_counts_for_congestion_avoidance() {
        let mut control = counting(None);
        let mut w = window(9000, 10_000);
        control.on_ack(&mut w, &ack(11_000));
        assert_eq!(w.cwnd, 11_000);
    }

    /// Congestion avoidance with MSS 512, after so many ACKs of a segment each.
    fn large(rounding: CwndRounding, ack_batch: u32, cwnd: u64, acks: u64) -> u64 {
        let preset = Config::preset(Flavor::named("reno").unwrap());
        let config = Config { cwnd_rounding: rounding, cwnd_ack_batch: ack_batch, ..preset };
        let mut control = Reno::new(&config);
        let mut w = Window { smss: 512, max_rwnd: 1 << 30, ..window(cwnd, 1024) };
        (0..acks).for_each(|_| control.on_ack(&mut w, &ack(512)));
        w.cwnd
    }

    /// 002 task 6: 512 * 512 / cwnd is 1 up to 262144 and 0 from 262145 on. RFC 5681 makes it 1.
    #[test]
    fn a_large_window_of_whole_bytes_sticks() {
        use CwndRounding::{Down, None, Up};
        assert_eq!(large(Down, 1, 262_140, 4), 262_144);
        assert_eq!(large(Down, 1, 262_140, 5), 262_145);
        assert_eq!(large(Down, 1, 262_140, 1_000_000), 262_145);
        assert_eq!(large(Up, 1, 262_140, 1000), 263_140);
        // 262144 / 262144, and then 7 * 262144 / 262145 = 6.99997.
        assert_eq!(large(None, 1, 262_144, 8), 262_144 + 1 + 6);
        assert_eq!(large(None, 1, 262_144, 9), 262_144 + 1 + 7);
    }

    /// 002 task 6, solution 1: beyond 262144 each N ACKs add N * 262144 / cwnd, cut: for N = 2, 4, 8 that is 1,
    /// 3, 7 up to 262144 * 2/1, 4/3, 8/7, and it ends where N = 1 would with N times the window.
    #[test]
    fn several_acks_together_let_it_grow() {
        use CwndRounding::{Down, Up};
        for (batch, growth) in [(2, 1), (4, 3), (8, 7)] {
            let acks = u64::from(batch);
            assert_eq!(large(Down, batch, 262_145, acks - 1), 262_145, "{batch}");
            assert_eq!(large(Down, batch, 262_145, acks), 262_145 + growth, "{batch}");
            assert_eq!(large(Down, batch, 262_145, 10 * acks + 1), 262_145 + 10 * growth, "{batch}");
            let end = acks * 262_144 + 1;
            assert_eq!(large(Down, batch, end - 3, 1000), end, "{batch}");
            assert_eq!(large(Up, batch, end, acks), end + 1, "{batch}");
        }
        // Small windows: 4 * 512 * 512 / 5120 = 204.8 instead of 4 * 51.
        assert_eq!(large(Down, 4, 5120, 4), 5120 + 204);
    }

    #[test]
    fn a_loss_begins_the_count_of_acks_anew_and_drops_the_fraction() {
        let preset = Config::preset(Flavor::named("reno").unwrap());
        let config = Config { cwnd_rounding: CwndRounding::None, cwnd_ack_batch: 3, ..preset };
        for cause in [Cause::FastRetransmit, Cause::Rto, Cause::RepeatedRto, Cause::Ecn] {
            let mut control = Reno::new(&config);
            // 3 * 1000 * 1000 / 7000 = 428 4/7.
            let mut w = window(7000, 2000);
            (0..5).for_each(|_| control.on_ack(&mut w, &ack(1000)));
            assert_eq!((w.cwnd, control.acks, control.left), (7428, 2, 4000));
            control.ssthresh(&w, cause);
            (0..2).for_each(|_| control.on_ack(&mut w, &ack(1000)));
            assert_eq!(w.cwnd, 7428, "{cause:?}");
            // 3000000 / 7428 = 403.9; 4000 more would make it 404.
            control.on_ack(&mut w, &ack(1000));
            assert_eq!(w.cwnd, 7428 + 403, "{cause:?}");
        }
    }

    #[test]
    fn acks_count_in_congestion_avoidance_and_while_cwnd_limits() {
        let preset = Config::preset(Flavor::named("reno").unwrap());
        let mut control = Reno::new(&Config { cwnd_ack_batch: 2, ..preset });
        let mut w = window(3000, 4000);
        control.on_ack(&mut w, &ack(1000));
        assert_eq!((w.cwnd, control.acks), (4000, 0), "slow start");
        control.on_ack(&mut w, &ack(1000));
        w.cwnd_limited = false;
        control.on_ack(&mut w, &ack(1000));
        assert_eq!((w.cwnd, control.acks), (4000, 1));
        w.cwnd_limited = true;
        control.on_ack(&mut w, &ack(1000));
        assert_eq!((w.cwnd, control.acks), (4500, 0));
    }

    proptest! {
        /// The ACKs of a window add about a segment: from cwnd to at most one segment more, n of them add
        /// between n SMSS^2 / (cwnd + SMSS) and n SMSS^2 / cwnd, and cutting takes less than a byte a time.
        #[test]
        fn a_window_of_acks_adds_a_segment(
            smss in 64u64..10_000,
            segments in 2u64..5000,
            part in 0u64..64,
            batch in 1u32..33,
            down in any::<bool>(),
        ) {
            let rounding = if down { CwndRounding::Down } else { CwndRounding::None };
            let preset = Config::preset(Flavor::named("reno").unwrap());
            let mut control = Reno::new(&Config { cwnd_rounding: rounding, cwnd_ack_batch: batch, ..preset });
            let cwnd = segments * smss + part;
            let mut w = Window { smss, max_rwnd: 1 << 40, ..window(cwnd, smss) };
            let batches = segments / u64::from(batch);
            let acks = batches * u64::from(batch);
            (0..acks).for_each(|_| control.on_ack(&mut w, &ack(smss)));
            let growth = (w.cwnd - cwnd) as f64;
            let most = (acks * smss * smss) as f64 / cwnd as f64;
            let least = (acks * smss * smss) as f64 / (cwnd + smss) as f64;
            // What is kept counts for less by a part in cwnd of what was added: a byte in all at most.
            let cut = if down { batches as f64 } else { 2.0 };
            prop_assert!(growth <= most && growth >= least - cut, "{least} {growth} {most}");
            prop_assert_eq!(w.max_cwnd, if acks > 0 { w.cwnd } else { 0 });
        }
    }

    #[test]
    fn data_of_limited_transmit_do_not_count_for_ssthresh() {
        let mut w = window(4000, 50_000);
        w.snd_max = 6001;
        let with = Reno { limited_transmit: true, ..reno(LossWindow::FlightSize) };
        assert_eq!({ with }.ssthresh(&w, Cause::FastRetransmit), 2000);
        assert_eq!(reno(LossWindow::FlightSize).ssthresh(&w, Cause::FastRetransmit), 3000);
    }
}
