//! Slow start and congestion avoidance.
//!
//! Source: RFC 5681 section 3.1; with byte counting RFC 3465 section 2.1. cwnd does not grow beyond
//! the largest window that the peer can advertise (BSD).
//!
//! | parameter | what |
//! |---|---|
//! | growth | an ACK adds SMSS * SMSS / cwnd (equation 3), or a segment is added when cwnd bytes are acknowledged |
//! | loss window | ssthresh is half of min(cwnd, rwnd) or of `flight_size` |
//! | limited transmit | what it sent does not count for `flight_size` (section 3.2, step 2) |
//! | additive constant | an eighth of a segment more for each ACK in congestion avoidance, as 4.3BSD Reno and its descendants had it (RFC 2525, section 2.6); RFC 5681 forbids it |

use super::slow_start::{SlowStart, grow_to};
use super::{Ack, Cause, CongestionControl, loss_window};
use crate::config::{Config, Growth, LossWindow};
use crate::window::Window;

/// Slow start and congestion avoidance.
#[derive(Clone, Copy, Debug)]
pub struct Reno {
    slow_start: SlowStart,
    growth: Growth,
    loss_window: LossWindow,
    limited_transmit: bool,
    additive_constant: bool,
    /// Bytes acknowledged since cwnd last grew in congestion avoidance.
    counted: u64,
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
            limited_transmit: options.limited_transmit,
            additive_constant: config.additive_constant,
            counted: 0,
        }
    }

    fn avoid_congestion(&mut self, window: &mut Window, acked: u64) {
        let growth = match self.growth {
            Growth::Acks => (window.smss * window.smss / window.cwnd).max(1),
            Growth::Bytes { .. } => {
                self.counted += acked;
                let segments = self.counted / window.cwnd;
                self.counted -= segments * window.cwnd;
                segments * window.smss
            }
        };
        let constant = if self.additive_constant { window.smss / 8 } else { 0 };
        grow_to(window, window.cwnd + growth + constant);
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
        self.counted = 0;
        // RFC 5681, section 3.1: a second time-out for the same data changes nothing.
        if self.loss_window == LossWindow::FlightSize && cause == Cause::RepeatedRto {
            return window.ssthresh;
        }
        let mut lost_from = loss_window(window, self.loss_window);
        if self.limited_transmit && cause == Cause::FastRetransmit {
            lost_from = lost_from.min(window.cwnd);
        }
        (lost_from / 2).max(2 * window.smss)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Options;
    use crate::flavor::Flavor;
    use sim::time::Time;

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

    #[test]
    fn data_of_limited_transmit_do_not_count_for_ssthresh() {
        let mut w = window(4000, 50_000);
        w.snd_max = 6001;
        let with = Reno { limited_transmit: true, ..reno(LossWindow::FlightSize) };
        assert_eq!({ with }.ssthresh(&w, Cause::FastRetransmit), 2000);
        assert_eq!(reno(LossWindow::FlightSize).ssthresh(&w, Cause::FastRetransmit), 3000);
    }
}
